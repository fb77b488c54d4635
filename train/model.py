"""The encoders, their heads, and int8 as the program computes it."""

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, POSITIONS = 30522, 512


def rows8(x):
    f = x.float()
    s = f.abs().amax(-1, keepdim=True) / 127
    s = torch.where(s == 0, torch.ones_like(s), s)
    return ((f / s).round().clamp(-127, 127) * s).to(x.dtype)


def add_norm(x, y, weight, bias, eps):
    return F.layer_norm(x + y, (x.shape[-1],), weight.to(x.dtype), bias.to(x.dtype), eps)


if torch.cuda.is_available():
    rows8, add_norm = torch.compile(rows8, dynamic=True), torch.compile(add_norm, dynamic=True)  # one pass over memory in place of several


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


class Norm(nn.LayerNorm):
    """In the precision of its input: in between it counts in 32 bits anyway, and half the bytes move."""

    def forward(self, x):
        with torch.autocast(x.device.type, enabled=False):
            return F.layer_norm(x, self.normalized_shape, self.weight.to(x.dtype), self.bias.to(x.dtype), self.eps)


class Layer(nn.Module):
    def __init__(self, hidden, heads, ffn, eps, drop):
        super().__init__()
        self.qkv, self.out = Linear8(hidden, 3 * hidden), Linear8(hidden, hidden)
        self.up, self.down = Linear8(hidden, ffn), Linear8(ffn, hidden)
        self.ln1, self.ln2 = Norm(hidden, eps=eps), Norm(hidden, eps=eps)
        self.heads, self.drop = heads, drop

    def forward(self, x, mask):
        x = self.add(x, self.out(self.attend(x, mask)), self.ln1)
        return self.add(x, self.down(F.gelu(self.up(x))), self.ln2)

    def attend(self, x, mask):
        b, n, d = x.shape
        if mask.dtype == torch.int32:  # where each text ends, and what fills it up
            q, k, v = self.qkv(x).view(b * n, 3, self.heads, d // self.heads).unbind(1)
            return torch.ops.aten._flash_attention_forward(q, k, v, mask, mask, n, n, 0.0, False, False)[0].reshape(b, n, d)
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(b, n, d)

    def add(self, x, y, norm):
        if self.training and self.drop:
            y = F.dropout(y, self.drop)
        with torch.autocast(x.device.type, enabled=False):
            return add_norm(x, y.to(x.dtype), norm.weight, norm.bias, norm.eps)


class Judge(nn.Module):
    def __init__(self, layers, hidden=384, heads=12, ffn=1536, drop=0.0, eps=1e-12):
        super().__init__()
        self.word, self.pos, self.side = nn.Embedding(VOCAB, hidden), nn.Embedding(POSITIONS, hidden), nn.Embedding(2, hidden)
        self.ln = Norm(hidden, eps=eps)
        self.layers = nn.ModuleList(Layer(hidden, heads, ffn, eps, drop) for _ in range(layers))
        self.dense, self.pair, self.strict = nn.Linear(hidden, hidden), nn.Linear(hidden, 3), nn.Linear(hidden, 3)
        self.token = nn.Linear(hidden, 1)
        self.embed = nn.Linear(hidden, hidden)
        for m in (self.dense, self.pair, self.strict, self.token):
            nn.init.normal_(m.weight, std=0.02)
            nn.init.zeros_(m.bias)
        nn.init.eye_(self.embed.weight)
        nn.init.zeros_(self.embed.bias)
        self.drop = drop
        self.word.weight.requires_grad_(False)  # int8 already, and what the base knows of words would cost the most to learn

    def quantize(self, on=True):
        for m in self.modules():
            if isinstance(m, Linear8):
                m.quant = on

    def mask(self, n, length, dtype):
        """Where each text ends: for the kernel that knows no padding as places in one long row, else as what is to be seen."""
        if dtype == torch.bfloat16 and length.device.type == "cuda":
            start = torch.arange(len(length) + 1, device=length.device) * n
            ends = torch.stack([start[:-1], start[:-1] + length], 1).reshape(-1)
            return torch.cat([ends, start[-1:]]).to(torch.int32)
        return (torch.arange(n, device=length.device)[None] < length[:, None])[:, None, None, :]

    def states(self, ids, types, length):
        n = ids.shape[1]
        with torch.no_grad():
            x = F.embedding(ids, self.word.weight)
        # The two sides are no look-up: the gradient of one with two rows takes longer than all layers together.
        a, b = self.side.weight
        x = x + self.pos.weight[:n] + a + types.unsqueeze(-1).to(a.dtype) * (b - a)
        x = self.ln(x)
        if torch.is_autocast_enabled(x.device.type):
            x = x.to(torch.get_autocast_dtype(x.device.type))
        x = F.dropout(x, self.drop if self.training else 0.0, self.training)
        mask = self.mask(n, length, x.dtype)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def forward(self, ids, types, length):
        x = self.states(ids, types, length)
        h = torch.tanh(self.dense(x[:, 0]))
        return self.pair(h), self.strict(h), self.token(x).squeeze(-1)

    def vectors(self, ids, length, first=False):
        """One vector for each text: of its first piece, as bge has it, or the mean through a layer of its own."""
        x = self.states(ids, torch.zeros_like(ids), length)
        if first:
            return F.normalize(x[:, 0].float(), dim=-1)
        keep = (torch.arange(ids.shape[1], device=ids.device)[None] < length[:, None]).unsqueeze(-1).to(x.dtype)
        return F.normalize(self.embed(((x * keep).sum(1) / keep.sum(1))).float(), dim=-1)


def load_base(arrays, drop=0.0):
    """A model from the arrays of bases.py, whose weights are int8 rows with their scales."""
    layers = 1 + max(int(k.split(".")[1]) for k in arrays if k.startswith("layers."))
    ffn, hidden = arrays["layers.0.up.weight.q"].shape
    m = Judge(layers, hidden, 12, ffn, drop)
    state = m.state_dict()
    for k in list(state):
        if k + ".q" in arrays:
            state[k] = torch.from_numpy(arrays[k + ".q"].astype("float32") * arrays[k + ".s"].astype("float32")[:, None])
        elif k in arrays:
            state[k] = torch.from_numpy(arrays[k].astype("float32"))
        elif not k.startswith(("dense", "pair", "strict", "token", "embed")):
            raise KeyError(k)
    m.load_state_dict(state)
    return m
