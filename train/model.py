"""The encoder, its heads, and int8 as the program computes it."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from export import BITS, GROUP, WORD_BITS, steps_of_words, weights

VOCAB, POSITIONS = 30522, 512
BUCKETS, EPS = 32, 1e-5  # of distances, for which attention has a bias


def rows8(x):
    f = x.float()
    s = f.abs().amax(-1, keepdim=True) / 127
    s = torch.where(s == 0, torch.ones_like(s), s)
    return ((f / s).round().clamp(-127, 127) * s).to(x.dtype)


def steps(x, bits):
    """The step of each group of a row that leaves the least error when its weights are rounded; below zero where the largest weight is above it, as codes reach further down."""
    x = x.detach().float()
    grouped = lambda a: a.view(*a.shape[:-1], -1, GROUP)
    top = grouped(x).abs().amax(-1) / 2 ** (bits - 1)
    best = least = None
    for share in (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.35):
        for s in (top * share, top * -share):
            s = s.half().float()
            s = torch.where(s == 0, torch.full_like(s, 2**-14), s)
            off = grouped(few(x, s, bits) - x).square().sum(-1)
            best, least = (s, off) if best is None else (torch.where(off < least, s, best), torch.minimum(off, least))
    return best


def few(x, s, bits):
    """Each group of a row on 2^bits steps of its own."""
    low, s = 2 ** (bits - 1), s.unsqueeze(-1)
    f = x.float().view(*x.shape[:-1], -1, GROUP)
    return ((f / s).round().clamp(-low, low - 1) * s).view_as(x).to(x.dtype)


def few8(x, s, bits):
    """The same in the eight bits that the program computes with: a row's steps tell how far they must reach."""
    top = s.abs().amax(-1, keepdim=True) * (2 ** (bits - 1) / 127)
    return ((few(x, s, bits).float() / top).round() * top).to(x.dtype)


def add_norm(x, y, weight, bias, eps):
    return F.layer_norm(x + y, (x.shape[-1],), weight.to(x.dtype), bias.to(x.dtype), eps)


Attend = None
if torch.cuda.is_available():  # one pass over memory in place of several
    from attend import Attend
    rows8, few8, add_norm = (torch.compile(f, dynamic=True) for f in (rows8, few8, add_norm))


def fake_rows(x, round=rows8):
    """Each row as weights and activations are stored; the gradient passes as it is."""
    with torch.no_grad():
        y = round(x.detach())
    return x + (y - x).detach() if x.requires_grad else y


class Linear8(nn.Linear):
    """Where quant is set, as the program stores and computes it."""
    quant = False

    def __init__(self, wide, out):
        super().__init__(wide, out)
        self.register_buffer("step", torch.ones(out, wide // GROUP), persistent=False)

    def forward(self, x):
        if not self.quant:
            return super().forward(x)
        return F.linear(fake_rows(x), fake_rows(self.weight, lambda w: few8(w, self.step, BITS)), self.bias)


class Norm(nn.LayerNorm):
    """In the precision of its input: in between it counts in 32 bits anyway, and half the bytes move."""

    def forward(self, x):
        with torch.autocast(x.device.type, enabled=False):
            return F.layer_norm(x, self.normalized_shape, self.weight.to(x.dtype), self.bias.to(x.dtype), self.eps)


class Layer(nn.Module):
    def __init__(self, hidden, ffn, drop):
        super().__init__()
        self.qkv, self.out = Linear8(hidden, 3 * hidden), Linear8(hidden, hidden)
        self.up, self.down = Linear8(hidden, ffn), Linear8(ffn, hidden)
        self.ln1, self.ln2 = Norm(hidden, eps=EPS), Norm(hidden, eps=EPS)
        self.drop = drop

    def forward(self, x, attend):
        x = self.add(x, self.out(attend(self.qkv(x))), self.ln1)
        return self.add(x, self.down(F.gelu(self.up(x))), self.ln2)

    def add(self, x, y, norm):
        if self.training and self.drop:
            y = F.dropout(y, self.drop)
        with torch.autocast(x.device.type, enabled=False):
            return add_norm(x, y.to(x.dtype), norm.weight, norm.bias, norm.eps)


class Judge(nn.Module):
    """MPNet's form: each head adds to its attention a bias by distance."""

    def __init__(self, layers, hidden, heads, ffn, drop=0.0):
        super().__init__()
        self.near = nn.Embedding(BUCKETS, heads)
        self.word, self.pos, self.side = nn.Embedding(VOCAB, hidden), nn.Embedding(POSITIONS, hidden), nn.Embedding(2, hidden)
        self.ln = Norm(hidden, eps=EPS)
        self.layers = nn.ModuleList(Layer(hidden, ffn, drop) for _ in range(layers))
        self.dense, self.pair, self.strict = nn.Linear(hidden, hidden), nn.Linear(hidden, 3), nn.Linear(hidden, 3)
        self.token = nn.Linear(hidden, 1)
        for m in (self.dense, self.pair, self.strict, self.token):
            nn.init.normal_(m.weight, std=0.02)
            nn.init.zeros_(m.bias)
        self.drop = drop
        self.word.weight.requires_grad_(False)  # stored in few bits already, and what the base knows of words would cost the most to learn
        self.near.weight.requires_grad_(False)

    @torch.no_grad()
    def quantize(self, on=True):
        for m in self.modules():
            if isinstance(m, Linear8):
                m.quant = on
                if on:
                    m.step.copy_(steps(m.weight, BITS))

    def attention(self, n, length, dtype):
        """What a layer does with its queries, keys and values: each place adds to the score of each other by its distance, and nothing is seen behind a text's end."""
        near = self.distances(n)
        if Attend and dtype == torch.bfloat16:
            near = near.contiguous()
            return lambda qkv: Attend.apply(qkv, near, length)
        at = torch.arange(n, device=length.device)
        mask = near[:, n - 1 + at[None] - at[:, None]][None].masked_fill((at[None] >= length[:, None])[:, None, None, :], -1e4).to(dtype)

        def attend(qkv):
            q, k, v = qkv.view(len(qkv), n, 3, len(near), -1).permute(2, 0, 3, 1, 4)
            return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(len(qkv), n, -1)
        return attend

    def distances(self, n):
        """What each head adds to the score of a key by its place less that of the query: from 1-n to n-1."""
        d = torch.arange(n - 1, -n, -1, device=self.near.weight.device)  # the query's place less the key's
        half, a = BUCKETS // 2, d.abs()
        far = half // 2 + (torch.log(a.clamp(min=1).float() / (half // 2)) / math.log(128 / (half // 2)) * (half - half // 2)).long()
        bucket = (d < 0).long() * half + torch.where(a < half // 2, a, far.clamp(max=half - 1))
        return self.near.weight[bucket].T

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
        attend = self.attention(n, length, x.dtype)
        for layer in self.layers:
            x = layer(x, attend)
        return x

    def forward(self, ids, types, length):
        x = self.states(ids, types, length)
        h = torch.tanh(self.dense(x[:, 0]))
        return self.pair(h), self.strict(h), self.token(x).squeeze(-1)

    def vectors(self, ids, length):
        """One vector for each text: the mean of its pieces."""
        x = self.states(ids, torch.zeros_like(ids), length)
        keep = (torch.arange(ids.shape[1], device=ids.device)[None] < length[:, None]).unsqueeze(-1).to(x.dtype)
        return F.normalize(((x * keep).sum(1) / keep.sum(1)).float(), dim=-1)


def load_base(arrays, drop=0.0, stored=False):
    """A model from the arrays of bases.py, whose weights are int8 rows with their scales; stored, its words are already as the program has them."""
    layers = 1 + max(int(k.split(".")[1]) for k in arrays if k.startswith("layers."))
    ffn, hidden = arrays["layers.0.up.weight.q"].shape
    m = Judge(layers, hidden, len(arrays["near.weight.q"][0]), ffn, drop)
    state = m.state_dict()
    for k in list(state):
        if k + ".q" in arrays:
            state[k] = torch.from_numpy(arrays[k + ".q"].astype("float32") * arrays[k + ".s"].astype("float32")[:, None])
        elif k in arrays:
            state[k] = torch.from_numpy(arrays[k].astype("float32"))
        elif not k.startswith(("dense", "pair", "strict", "token")):
            raise KeyError(k)
    if stored:
        mean = state["word.weight"].mean(0)  # what all words have in common takes no bits of each
        step = steps(state["word.weight"] - mean, WORD_BITS)
        state["word.weight"], state["side.weight"] = few(state["word.weight"] - mean, step, WORD_BITS), state["side.weight"] + mean
        m.register_buffer("word_step", step, persistent=False)
    m.load_state_dict(state)
    return m


def load_written(path, drop=0.0):
    """A model from its file, with its words as they stand there."""
    state = {k: torch.from_numpy(v) for k, v in weights(path).items()}
    layers = 1 + max(int(k.split(".")[1]) for k in state if k.startswith("layers."))
    ffn, hidden = state["layers.0.up.weight"].shape
    m = Judge(layers, hidden, state["near.weight"].shape[1], ffn, drop)
    m.register_buffer("word_step", torch.from_numpy(steps_of_words(path)), persistent=False)
    m.load_state_dict(state)
    return m
