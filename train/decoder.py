"""A decoder as a teacher: Qwen2 out of a GGUF file, that reads an evidence once and several claims behind it.

    python train/decoder.py tokenizer qwen2.5-coder-1.5b-instruct-q4_k_m.gguf train/data/qwen.tokenizer.json
    python train/decoder.py cut qwen2.5-coder-1.5b-instruct-q4_k_m.gguf train/data/qwen --vocab train/data/words.used.npy

writes the layers, or the first of them, and the rows of the vocabulary that are used, as they stand in the file, in parts that travel.
"""
import argparse
import json
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

F32, Q4K, Q6K = 0, 12, 14
SIZES = {F32: (1, 4), Q4K: (256, 144), Q6K: (256, 210)}  # weights of a block, and its bytes


def half(raw):
    return raw.contiguous().view(torch.float16).float()


def weights(raw, kind, shape):
    """Weights of a tensor of bytes, row by row."""
    if kind == F32:
        return raw.view(torch.float32).reshape(shape)
    b = raw.reshape(-1, SIZES[kind][1])
    n = len(b)
    if kind == Q4K:
        d, least = half(b[:, 0:2]), half(b[:, 2:4])
        s, q = b[:, 4:16].to(torch.int16), b[:, 16:144]
        low, high = s[:, 0:4], s[:, 4:8]
        top = s[:, 8:12]
        scale = torch.cat([low & 63, (top & 15) | ((low >> 6) << 4)], 1).float()
        mins = torch.cat([high & 63, (top >> 4) | ((high >> 6) << 4)], 1).float()
        q = q.reshape(n, 4, 1, 32)
        q = torch.cat([q & 15, q >> 4], 2).reshape(n, 8, 32).float()
        return ((d * scale)[:, :, None] * q - (least * mins)[:, :, None]).reshape(shape)
    ql, qh, s, d = b[:, 0:128].reshape(n, 2, 64), b[:, 128:192].reshape(n, 2, 1, 32), b[:, 192:208].contiguous().view(torch.int8).float(), half(b[:, 208:210])
    lo = torch.stack([ql & 15, ql >> 4], 2).reshape(n, 2, 4, 32)
    hi = torch.cat([(qh >> i) & 3 for i in (0, 2, 4, 6)], 2)
    q = (lo | (hi << 4)).to(torch.int8).float() - 32
    return ((d * s)[:, :, None] * q.reshape(n, 16, 16)).reshape(shape)


class Low(nn.Module):
    """What is learned beside a frozen map, of low rank."""

    def __init__(self, rank, into, out):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.empty(rank, into)), nn.Parameter(torch.zeros(out, rank))
        nn.init.normal_(self.a, std=1 / math.sqrt(into))

    def forward(self, x, w, bias=None):
        return F.linear(x, w, bias) + F.linear(F.linear(x, self.a.to(x.dtype)), self.b.to(x.dtype))


class Layer(nn.Module):
    heads, groups, size = 12, 2, 128

    def __init__(self, get, rank):
        super().__init__()
        keep = lambda name, t: self.register_buffer(name, t, persistent=False)
        keep("qkv", torch.cat([get("attn_q.weight"), get("attn_k.weight"), get("attn_v.weight")]))
        keep("bias", torch.cat([get("attn_q.bias"), get("attn_k.bias"), get("attn_v.bias")]))
        keep("o", get("attn_output.weight"))
        keep("up", torch.cat([get("ffn_gate.weight"), get("ffn_up.weight")]))
        keep("down", get("ffn_down.weight"))
        keep("n1", get("attn_norm.weight"))
        keep("n2", get("ffn_norm.weight"))
        self.low = nn.ModuleDict({k: Low(rank, t.shape[1], t.shape[0]) for k, t in (("qkv", self.qkv), ("o", self.o), ("up", self.up), ("down", self.down))}) if rank else None

    @torch.no_grad()
    def settle(self):
        """What was learned beside the weights goes into them."""
        for name, low in self.low.items():
            w = getattr(self, name)
            w += (low.b @ low.a).to(w.dtype)
        self.low = None

    def map(self, name, x, bias=None):
        w = getattr(self, name)
        return self.low[name](x, w, bias) if self.low is not None else F.linear(x, w, bias)

    def forward(self, x, cos, sin, mask, keep=None):
        n, t, d = x.shape
        q, k, v = self.map("qkv", F.rms_norm(x, (d,), self.n1, 1e-6), self.bias).reshape(n, t, -1, self.size).transpose(1, 2).split([self.heads, self.groups, self.groups], 1)
        q, k = turn(q, cos, sin), turn(k, cos, sin)
        if keep is not None:
            keep[0].copy_(k.transpose(1, 2))
            keep[1].copy_(v.transpose(1, 2))
        more = self.heads // self.groups
        k, v = k.repeat_interleave(more, 1), v.repeat_interleave(more, 1)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)
        x = x + self.map("o", y.transpose(1, 2).reshape(n, t, d))
        g, u = self.map("up", F.rms_norm(x, (d,), self.n2, 1e-6)).chunk(2, -1)
        return x + self.map("down", F.silu(g) * u)

    def step(self, x, cos, sin, keys, values, rows, at):
        """The next token of each row, behind the keys and values before it."""
        n, d = x.shape
        q, k, v = F.linear(F.rms_norm(x, (d,), self.n1, 1e-6), self.qkv, self.bias).reshape(n, -1, self.size).split([self.heads, self.groups, self.groups], 1)
        keys.index_put_((rows, at), turn(k, cos, sin))
        values.index_put_((rows, at), v)
        x = x + F.linear(behind(turn(q, cos, sin), keys, values, rows, at).reshape(n, d), self.o)
        g, u = F.linear(F.rms_norm(x, (d,), self.n2, 1e-6), self.up).chunk(2, -1)
        return x + F.linear(F.silu(g) * u, self.down)


def behind(q, keys, values, rows, at):
    """Attention of one token of each row to the keys up to its place."""
    n, most, groups, size = keys.shape
    if q.device.type == "cuda":
        start = torch.arange(n + 1, dtype=torch.int32, device=q.device)
        keys, values, used = keys.reshape(n * most, groups, size), values.reshape(n * most, groups, size), (at + 1).to(torch.int32)
        return torch.ops.aten._flash_attention_forward(q.contiguous(), keys, values, start, start * most, 1, most, 0.0, False, False, seqused_k=used)[0]
    score = q.reshape(n, groups, -1, size) @ keys.permute(0, 2, 3, 1) / math.sqrt(size)
    ahead = torch.arange(most, device=q.device)[None] > at[:, None]
    return score.masked_fill(ahead[:, None, None], -1e4).softmax(-1) @ values.permute(0, 2, 1, 3)


def turn(x, cos, sin):
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


class Decoder(nn.Module):
    def __init__(self, folder, device, rank=0, layers=None, dtype=torch.bfloat16):
        super().__init__()
        index = json.load(open(f"{folder}.json"))
        raw = np.concatenate([np.fromfile(f"{folder}.{i:02d}.bin", np.uint8) for i in range(index["parts"])])

        def get(name):
            at, size, kind, shape = index["tensors"][name]
            return weights(torch.from_numpy(raw[at:at + size]).to(device), kind, shape).to(dtype)
        self.register_buffer("words", get("token_embd.weight"), persistent=False)
        self.register_buffer("norm", get("output_norm.weight"), persistent=False)
        self.layers = nn.ModuleList(Layer(lambda k, i=i: get(f"blk.{i}.{k}"), rank) for i in range(layers or index["layers"]))
        freq = 1 / 1e6 ** (torch.arange(0, 128, 2).float() / 128)
        at = torch.arange(2048)[:, None] * freq[None]
        both = torch.cat([at, at], 1)
        self.register_buffer("cos", both.cos().to(dtype).to(device), persistent=False)
        self.register_buffer("sin", both.sin().to(dtype).to(device), persistent=False)

    def forward(self, ids, places, mask):
        x = F.embedding(ids, self.words)
        cos, sin = self.cos[places][:, None], self.sin[places][:, None]
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        return F.rms_norm(x, (x.shape[-1],), self.norm, 1e-6)

    @torch.no_grad()
    def write(self, prompts, new, end, seed, copies=2, part=128, most=50):
        """So many new tokens behind each prompt, several times, drawn by their odds; nothing that was learned beside the weights takes part."""
        dev, dtype = self.words.device, self.words.dtype
        torch.manual_seed(seed)
        n, width = len(prompts), max(map(len, prompts))
        ids = torch.zeros((n, width), dtype=torch.long)
        for i, p in enumerate(prompts):
            ids[i, :len(p)] = p
        ids, size = ids.to(dev), torch.tensor([len(p) for p in prompts], device=dev)
        kept = torch.empty((len(self.layers), 2, n * copies, width + new, Layer.groups, Layer.size), dtype=dtype, device=dev)
        last, places = [], torch.arange(width, device=dev)
        for a in range(0, n, part):
            x = F.embedding(ids[a:a + part], self.words)
            both = torch.empty((2, len(x), width, Layer.groups, Layer.size), dtype=dtype, device=dev)
            for i, layer in enumerate(self.layers):
                x = layer(x, self.cos[places], self.sin[places], None, keep=both)
                for c in range(copies):
                    kept[i, :, c * n + a:c * n + a + len(x), :width] = both
            last.append(x[torch.arange(len(x), device=dev), size[a:a + part] - 1])
        x, at, rows = torch.cat(last).repeat(copies, 1), size.repeat(copies), torch.arange(n * copies, device=dev)
        out, done = torch.full((n * copies, new), end, device=dev), torch.zeros(n * copies, dtype=torch.bool, device=dev)
        t = torch.zeros(1, dtype=torch.long, device=dev)

        def step():
            top = F.linear(F.rms_norm(x, (x.shape[-1],), self.norm, 1e-6), self.words).float().topk(most, -1)
            draw = (top.values - torch.empty_like(top.values).exponential_().log_()).argmax(-1, keepdim=True)
            pick = torch.where(done, end, top.indices.gather(1, draw).squeeze(1))
            out.index_copy_(1, t, pick[:, None])
            done.logical_or_(pick == end)
            y, cos, sin = F.embedding(pick, self.words), self.cos[at][:, None], self.sin[at][:, None]
            for i, layer in enumerate(self.layers):
                y = layer.step(y, cos, sin, kept[i, 0], kept[i, 1], rows, at)
            x.copy_(y)
            at.add_(1)
            t.add_(1)

        # The first steps are done one by one; on a GPU one of them is then recorded, and replayed for the rest.
        step()
        again = step
        if dev.type == "cuda":
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                step()
            again = graph.replay
        for i in range(1, new):
            again()
            if i % 16 == 15 and bool(done.all()):
                break
        if dev.type == "cuda":
            del graph, again, kept
            torch.cuda.empty_cache()
        return out.reshape(copies, n, new)


def tokenizer(path, out):
    """The vocabulary of a GGUF file as a file of the package tokenizers."""
    from gguf import GGUFReader
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    r = GGUFReader(path)
    vocab = {x: i for i, x in enumerate(r.fields["tokenizer.ggml.tokens"].contents())}
    t = Tokenizer(models.BPE(vocab=vocab, merges=[tuple(m.split(" ")) for m in r.fields["tokenizer.ggml.merges"].contents()]))
    words = Regex(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(words, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    t.decoder = decoders.ByteLevel()
    t.save(out)


def cut(path, out, layers, used, part=60 << 20):
    from gguf import GGUFReader
    tensors, at, chunks = {}, 0, []
    for t in GGUFReader(path).tensors:
        name, data = t.name, np.ascontiguousarray(t.data).view(np.uint8)
        if name == "output.weight" or name.startswith("blk.") and int(name.split(".")[1]) >= layers:
            continue
        shape = [int(x) for x in reversed(t.shape)]
        if name == "token_embd.weight":
            data = data.reshape(shape[0], -1)[used]
            shape[0] = len(used)
        data = data.reshape(-1)
        tensors[name] = at, len(data), int(t.tensor_type), shape
        at += len(data)
        chunks.append(data)
    flat = np.concatenate(chunks)
    parts = math.ceil(len(flat) / part)
    for i in range(parts):
        flat[i * part:(i + 1) * part].tofile(f"{out}.{i:02d}.bin")
    json.dump({"layers": layers, "parts": parts, "tensors": tensors}, open(f"{out}.json", "w"))
    print(f"{len(flat) / 1e6:.0f} MB in {parts} parts")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("what", choices=["cut", "tokenizer"])
    ap.add_argument("gguf")
    ap.add_argument("out")
    ap.add_argument("--layers", type=int, default=28)
    ap.add_argument("--vocab")
    a = ap.parse_args()
    if a.what == "tokenizer":
        tokenizer(a.gguf, a.out)
        return
    cut(a.gguf, a.out, a.layers, np.load(a.vocab) if a.vocab else np.arange(151936))


if __name__ == "__main__":
    main()
