"""Writes a model in the form that package entail reads."""
import json

import numpy as np

MAGIC = b"IBIDENT1"


def rows8(a):
    s = np.abs(a).max(1) / np.float32(127)
    s[s == 0] = 1
    return np.clip(np.rint(a / s[:, None]), -127, 127).astype(np.int8), s.astype(np.float32)


def export(model, path, name, vocab=b""):
    state = {k: v.detach().float().cpu().numpy() for k, v in model.state_dict().items()}
    out = {}

    def linear(dst, src):
        out[dst + ".q"], out[dst + ".s"] = rows8(state[src + ".weight"])
        out[dst + ".b"] = state[src + ".bias"]

    out["emb.word.q"], out["emb.word.s"] = rows8(state["word.weight"])
    out["emb.pos"], out["emb.type"] = state["pos.weight"], state["side.weight"]
    out["emb.ln.w"], out["emb.ln.b"] = state["ln.weight"], state["ln.bias"]
    n = len(model.layers)
    for i in range(n):
        for part in ("qkv", "out", "up", "down"):
            linear(f"l{i}.{part}", f"layers.{i}.{part}")
        for ln in ("ln1", "ln2"):
            out[f"l{i}.{ln}.w"], out[f"l{i}.{ln}.b"] = state[f"layers.{i}.{ln}.weight"], state[f"layers.{i}.{ln}.bias"]
    for dst, src in (("pair.dense", "dense"), ("pair.out", "pair"), ("token", "token"), ("embed", "embed")):
        out[dst + ".w"], out[dst + ".b"] = state[src + ".weight"], state[src + ".bias"]
    out["vocab"] = np.frombuffer(vocab, np.uint8)
    write(path, name, n, out)


def write(path, name, n, out):
    config = {"name": name, "layers": n, "hidden": 384, "heads": 12, "ffn": 1536, "vocab": 30522, "positions": 512, "max_tokens": 448,
              "labels": ["supported", "unsupported", "contradicted"], "embed_dim": 384}
    tensors, at = {}, 0
    for k, v in out.items():
        kind = {"int8": "i8", "float32": "f32", "uint8": "bytes"}[str(v.dtype)]
        tensors[k] = {"dtype": kind, "shape": list(v.shape), "offset": at, "size": v.nbytes}
        at = (at + v.nbytes + 63) // 64 * 64
    head = json.dumps({"config": config, "tensors": tensors}).encode()
    pad = lambda n: b"\0" * (-n % 64)
    with open(path, "wb") as f:
        f.write(MAGIC + len(head).to_bytes(8, "little") + head)
        f.write(pad(16 + len(head)))
        for v in out.values():
            b = np.ascontiguousarray(v).tobytes()
            f.write(b + pad(len(b)))


def read(b):
    """The tensors of a written model, and its header."""
    assert b[:8] == MAGIC
    n = int.from_bytes(b[8:16], "little")
    head = json.loads(b[16:16 + n])
    start = (16 + n + 63) // 64 * 64
    kinds = {"i8": np.int8, "f32": np.float32, "bytes": np.uint8}
    return head, {k: np.frombuffer(b, kinds[t["dtype"]], int(np.prod(t["shape"])), start + t["offset"]).reshape(t["shape"]) for k, t in head["tensors"].items()}


def mean(a, b):
    """The tensors half way between those of two models."""
    out = {}
    for k in a:
        if k.endswith(".q"):
            s = k[:-1] + "s"
            out[k], out[s] = rows8((a[k].astype(np.float32) * a[s][:, None] + b[k].astype(np.float32) * b[s][:, None]) / 2)
        elif a[k].dtype == np.float32 and k not in out:
            out[k] = (a[k] + b[k]) / 2
    return out
