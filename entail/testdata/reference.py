#!/usr/bin/env python3
"""The encoder as package entail defines it, in PyTorch: the same values by the same operations in the same order.

    reference.py model.bin < pairs.jsonl > parity.jsonl

A line of pairs has "evidence" and "claim"; the output adds "logits" (supported, unsupported, contradicted) and "tokens"
(one logit for each piece of the claim). Pairs that take more than one window are left out. Needs torch and tokenizers.

Each activation is rounded to one of 255 steps, so a difference in the last bit now and then becomes a whole step, and in
the layers above many: with plain torch.matmul and softmax logits differ by some hundredths. Here sums are therefore written
out: products are added fused, long sums run in 16 lanes that are folded by halves.
"""
import functools
import json
import math
import struct
import sys

import torch

F32, F64 = torch.float32, torch.float64
EXP2 = [1.0000001, 0.69314694, 0.2402212, 0.05550713, 0.009675542, 0.0013276472]
GELU = [0.9999931, 1.1512017, 0.45877096, 0.053412102, -0.008080715, 0.0007692194, -3.3092787e-05]
POWER = [0.99992806, 0.69326097, 0.24261113, 0.05517167]
EXP2_LOW = -64.0
SMALLEST = 2.0 ** -126  # below, a scale has no inverse
LANES = 16


def f32(x, device):
    return torch.tensor(x, dtype=F32, device=device)


def fma(a, b, c):
    """a*b + c in float32, rounded once."""
    return torch.addcmul(c, a, b) if fused(c.device) else exact_fma(a, b, c)


@functools.cache
def fused(device):
    """Whether PyTorch's own is rounded once here, as it is on most processors: then it serves, being faster."""
    g = torch.Generator().manual_seed(1)
    a, b, c = (torch.randn(1 << 20, generator=g).to(device) for _ in range(3))
    c = c * torch.exp2(torch.randint(-30, 30, c.shape, generator=g).to(device, F32))
    return bool((torch.addcmul(c, a, b) == exact_fma(a, b, c)).all())


def exact_fma(a, b, c):
    """The product is exact in float64; where the sum falls between two float32, what was lost decides."""
    p = a.to(F64) * b.to(F64)
    c = c.to(F64)
    s = p + c
    bits = s.view(torch.int64)
    between = (bits & 0x1FFFFFFF) == 0x10000000
    if between.any():
        q = s - p
        lost = (p - (s - q)) + (c.expand_as(s) - q)
        step = torch.where((lost > 0) == (s > 0), 1, -1)
        bits = torch.where(between & (lost != 0), bits + step, bits)
        s = bits.view(F64)
    return s.to(F32)


def divide(a, b):
    """a/b in float32; by way of float64, as some of PyTorch's kernels are off by the last bit."""
    return (a.to(F64) / b.to(F64)).to(F32)


def root(a):
    return torch.sqrt(a.to(F64)).to(F32)


def fold(lanes):
    """Adds the last dimension of 16 up by halves."""
    n = LANES // 2
    while n:
        lanes = lanes[..., :n] + lanes[..., n:2 * n]
        n //= 2
    return lanes[..., 0]


def poly(coefficients, x):
    p = torch.full_like(x, coefficients[-1])
    for c in reversed(coefficients[:-1]):
        p = fma(p, x, f32(c, x.device))
    return p


def exp2(y):
    y = y.clamp(min=EXP2_LOW)
    n = torch.round(y)
    return poly(EXP2, y - n) * torch.exp2(n.to(F64)).to(F32)


def gelu(x):
    a = x.abs()
    return fma(-a, exp2(-poly(GELU, a.clamp(max=6.0))), x.clamp(min=0.0))


def norm(x, add, w, b):
    n = x.shape[-1]
    inverse = divide(f32(1.0, x.device), f32(float(n), x.device))
    x = x + add
    lanes = x.view(*x.shape[:-1], n // LANES, LANES)
    total = torch.zeros_like(lanes[..., 0, :])
    for i in range(n // LANES):
        total = total + lanes[..., i, :]
    x = x - (fold(total) * inverse)[..., None]
    lanes = x.view(*x.shape[:-1], n // LANES, LANES)
    squares = torch.zeros_like(total)
    for i in range(n // LANES):
        squares = fma(lanes[..., i, :], lanes[..., i, :], squares)
    variance = fold(squares) * inverse + f32(1e-5, x.device)
    scale = divide(f32(1.0, x.device), root(variance))
    return fma(x * scale[..., None], w, b)


def power(y):
    """2 to the power of y, as exactly as numbers of eight bits need it."""
    y = y.clamp(min=EXP2_LOW)
    n = torch.round(y)
    return poly(POWER, y - n) * torch.exp2(n.to(F64)).to(F32)


def steps(top, end):
    """The scale by which a row's largest value becomes end, and its inverse."""
    scale = divide(top, f32(end, top.device))
    zero, some = torch.zeros_like(scale), scale >= SMALLEST
    return torch.where(some, scale, zero), torch.where(some, divide(f32(1.0, top.device), scale), zero)


def eight(x):
    """Rows in eight bits, and their scales."""
    scale, inverse = steps(x.abs().max(-1, keepdim=True).values, 127.0)
    return torch.round(x * inverse).to(F64), scale


def attention(q, k, v, near):
    """All of the shape heads, tokens, 64; near has what each head adds by the distance of each two tokens."""
    heads, n, width = q.shape
    (q, qs), (k, ks), (v, vs) = eight(q), eight(k), eight(v)
    qs = qs * f32(math.log2(math.e) / math.sqrt(width), q.device)
    scores = fma((q @ k.mT).to(F32) * ks.mT, qs, near * f32(math.log2(math.e), q.device))  # products of integers: exact
    p = power(scores - scores.max(-1, keepdim=True).values)
    pad = -n % LANES
    padded = torch.cat([p, power(torch.full((heads, n, pad), EXP2_LOW, dtype=F32, device=q.device))], -1) if pad else p
    lanes = torch.zeros(heads, n, LANES, dtype=F32, device=q.device)
    for i in range(0, n + pad, LANES):
        lanes = lanes + padded[..., i:i + LANES]
    p = p * vs.mT
    scale, inverse = steps(p.max(-1, keepdim=True).values, 255.0)
    return (torch.round(p * inverse).to(F64) @ v).to(F32) * divide(scale, fold(lanes)[..., None])


class Reference:
    def __init__(self, path, device="cpu"):
        with open(path, "rb") as f:
            b = f.read()
        n = struct.unpack("<Q", b[8:16])[0]
        header = json.loads(b[16:16 + n])
        start = (16 + n + 63) // 64 * 64
        self.config, self.device, self.t = header["config"], device, {}
        for name, t in header["tensors"].items():
            raw = b[start + t["offset"]:start + t["offset"] + t["size"]]
            if name == "vocab":
                self.vocab = raw.decode().split("\n")
                continue
            kind = {"bytes": torch.uint8, "f16": torch.float16, "f32": F32}[t["dtype"]]
            self.t[name] = torch.frombuffer(bytearray(raw), dtype=kind).reshape(t["shape"]).to(device)
            if kind == torch.float16:
                self.t[name] = self.t[name].to(F32)

    def few(self, name, bits):
        """A matrix of few bits as floats."""
        codes, scale = self.t[f"{name}.q{bits}"].to(torch.int32), self.t[name + ".s"]
        bit = (codes[:, :, None] >> torch.arange(8, device=self.device)) & 1
        code = (bit.reshape(len(codes), -1, bits) << torch.arange(bits, device=self.device)).sum(-1)
        return ((code.to(F32) - 2 ** (bits - 1)).view(*scale.shape, -1) * scale[:, :, None]).reshape(len(codes), -1)

    @functools.cache
    def wide(self, name):
        """A matrix in eight bits, and the scales of its rows."""
        w = self.few(name, 4)
        scale = self.t[name + ".s"].abs().max(-1, keepdim=True).values * f32(8 / 127, self.device)
        return torch.round(divide(w, scale)).to(F64), scale[:, 0]

    def linear(self, name, x):
        q, a = eight(x)
        w, scale = self.wide(name)
        products = (q @ w.T).to(F32)  # integers: exact
        return fma(products * scale, a, self.t[name + ".b"])

    @functools.cache
    def words(self):
        return self.few("emb.word", 3)

    def states(self, ids, second):
        """The final states of the tokens; those from second on are of the second text."""
        t, c = self.t, self.config
        ids = torch.tensor(ids, device=self.device)
        kinds = (torch.arange(len(ids), device=self.device) >= second).long()
        x = self.words()[ids]
        x = norm(x, t["emb.pos"][:len(ids)] + t["emb.type"][kinds], t["emb.ln.w"], t["emb.ln.b"])
        n, h = x.shape
        at = torch.arange(n, device=self.device)
        near = t["emb.near"][:, c["positions"] - 1 + at[None] - at[:, None]]
        for i in range(c["layers"]):
            l = f"l{i}."
            q, k, v = self.linear(l + "qkv", x).view(n, 3, c["heads"], h // c["heads"]).permute(1, 2, 0, 3)
            mean = attention(q, k, v, near).permute(1, 0, 2).reshape(n, h)
            x = norm(x, self.linear(l + "out", mean), t[l + "ln1.w"], t[l + "ln1.b"])
            x = norm(x, self.linear(l + "down", gelu(self.linear(l + "up", x))), t[l + "ln2.w"], t[l + "ln2.b"])
        return x

    def logits(self, evidence, claim):
        """Takes the numbers of the pieces; gives the pair's logits and those of the claim's pieces."""
        cls, sep = self.vocab.index("[CLS]"), self.vocab.index("[SEP]")
        second = len(evidence) + 2
        x = self.states([cls, *evidence, sep, *claim, sep], second)
        t = self.t
        pooled = torch.tanh(t["pair.dense.w"] @ x[0] + t["pair.dense.b"])
        order = [self.config["labels"].index(l) for l in ("supported", "unsupported", "contradicted")]
        pair = (t["pair.out.w"] @ pooled + t["pair.out.b"])[order]
        pieces = x[second:second + len(claim)] @ t["token.w"][0] + t["token.b"][0]
        return pair.tolist(), pieces.tolist()


def main():
    import tokenizers
    torch.set_num_threads(1)  # the tensors are too small to share
    r = Reference(sys.argv[1], "cuda" if torch.cuda.is_available() else "cpu")
    cut = tokenizers.BertWordPieceTokenizer({w: i for i, w in enumerate(r.vocab) if w}, lowercase=True)
    for line in sys.stdin:
        pair = json.loads(line)
        evidence, claim = (cut.encode(pair[k], add_special_tokens=False).ids for k in ("evidence", "claim"))
        if not evidence or not claim or len(claim) > (r.config["max_tokens"] - 3) // 2 or len(evidence) + len(claim) + 3 > r.config["max_tokens"]:
            continue
        logits, pieces = r.logits(evidence, claim)
        print(json.dumps({"evidence": pair["evidence"], "claim": pair["claim"], "logits": logits, "tokens": pieces}), flush=True)


if __name__ == "__main__":
    main()
