"""The encoder, its heads, and int8 as the program computes it."""
import torch
import torch.nn as nn
import torch.nn.functional as F

HIDDEN, HEADS, FFN, VOCAB, POSITIONS = 384, 12, 1536, 30522, 512


def rows8(x):
    f = x.float()
    s = f.abs().amax(-1, keepdim=True) / 127
    s = torch.where(s == 0, torch.ones_like(s), s)
    return ((f / s).round().clamp(-127, 127) * s).to(x.dtype)


if torch.cuda.is_available():
    rows8 = torch.compile(rows8, dynamic=True)  # one pass over memory in place of six


def fake_rows(x):
    """Each row on 255 steps from -max to max, as weights and activations are stored; the gradient passes as it is."""
    with torch.no_grad():
        y = rows8(x.detach())
    return x + (y - x).detach() if x.requires_grad else y


class Linear8(nn.Linear):
    quant = False

    def forward(self, x):
        if self.quant:
            return F.linear(fake_rows(x), fake_rows(self.weight), self.bias)
        return super().forward(x)


class Layer(nn.Module):
    def __init__(self, drop):
        super().__init__()
        self.qkv, self.out = Linear8(HIDDEN, 3 * HIDDEN), Linear8(HIDDEN, HIDDEN)
        self.up, self.down = Linear8(HIDDEN, FFN), Linear8(FFN, HIDDEN)
        self.ln1, self.ln2 = nn.LayerNorm(HIDDEN, eps=1e-12), nn.LayerNorm(HIDDEN, eps=1e-12)
        self.drop = drop

    def forward(self, x, mask):
        b, n, _ = x.shape
        p = self.drop if self.training else 0.0
        q, k, v = self.qkv(x).view(b, n, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        x = self.ln1(x + F.dropout(self.out(a.transpose(1, 2).reshape(b, n, HIDDEN)), p, self.training))
        return self.ln2(x + F.dropout(self.down(F.gelu(self.up(x))), p, self.training))


class Judge(nn.Module):
    def __init__(self, layers, drop=0.1):
        super().__init__()
        self.word, self.pos, self.side = nn.Embedding(VOCAB, HIDDEN), nn.Embedding(POSITIONS, HIDDEN), nn.Embedding(2, HIDDEN)
        self.ln = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(Layer(drop) for _ in range(layers))
        self.dense, self.pair = nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, 3)
        self.token = nn.Linear(HIDDEN, 1)
        self.embed = nn.Linear(HIDDEN, HIDDEN)
        for m in (self.dense, self.pair, self.token):
            nn.init.normal_(m.weight, std=0.02)
            nn.init.zeros_(m.bias)
        nn.init.eye_(self.embed.weight)
        nn.init.zeros_(self.embed.bias)
        self.drop = drop

    def quantize(self, on=True):
        for m in self.modules():
            if isinstance(m, Linear8):
                m.quant = on

    def states(self, ids, types, length=None):
        n = ids.shape[1]
        # The words keep the vectors of the base, which are int8 already. The two sides are no look-up: the gradient of
        # one with two rows takes longer than all layers together.
        with torch.no_grad():
            x = F.embedding(ids, self.word.weight)
        a, b = self.side.weight
        x = x + self.pos.weight[:n] + a + types.unsqueeze(-1).to(a.dtype) * (b - a)
        x = F.dropout(self.ln(x), self.drop if self.training else 0.0, self.training)
        mask = None if length is None else (torch.arange(n, device=ids.device)[None] < length[:, None])[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def forward(self, ids, types):
        x = self.states(ids, types)
        return self.pair(torch.tanh(self.dense(x[:, 0]))), self.token(x).squeeze(-1)

    def vectors(self, ids, length):
        x = self.states(ids, torch.zeros_like(ids), length)
        keep = (torch.arange(ids.shape[1], device=ids.device)[None] < length[:, None]).unsqueeze(-1).to(x.dtype)
        return F.normalize(self.embed(((x * keep).sum(1) / keep.sum(1))).float(), dim=-1)


def load_base(arrays):
    """A model from the arrays of bases.py, whose weights are int8 rows with their scales."""
    layers = 1 + max(int(k.split(".")[1]) for k in arrays if k.startswith("layers."))
    m = Judge(layers)
    state = m.state_dict()
    for k in list(state):
        if k + ".q" in arrays:
            state[k] = torch.from_numpy(arrays[k + ".q"].astype("float32") * arrays[k + ".s"].astype("float32")[:, None])
        elif k in arrays:
            state[k] = torch.from_numpy(arrays[k].astype("float32"))
        elif not k.startswith(("dense", "pair", "token", "embed")):
            raise KeyError(k)
    m.load_state_dict(state)
    return m
