"""Writes a model in the form that package entail reads."""
import json

import numpy as np

MAGIC = b"IBIDENT1"


def rows8(a):
    s = np.abs(a).max(1) / np.float32(127)
    s[s == 0] = 1
    return np.clip(np.rint(a / s[:, None]), -127, 127).astype(np.int8), s.astype(np.float32)


def names(n):
    """What each weight of a model of n layers is called there and in the file."""
    out = {"word.weight": "emb.word", "pos.weight": "emb.pos", "side.weight": "emb.type", "ln.weight": "emb.ln.w", "ln.bias": "emb.ln.b"}
    for i in range(n):
        for part in ("qkv", "out", "up", "down"):
            out[f"layers.{i}.{part}.weight"], out[f"layers.{i}.{part}.bias"] = f"l{i}.{part}", f"l{i}.{part}.b"
        for ln in ("ln1", "ln2"):
            out[f"layers.{i}.{ln}.weight"], out[f"layers.{i}.{ln}.bias"] = f"l{i}.{ln}.w", f"l{i}.{ln}.b"
    for ours, theirs in (("dense", "pair.dense"), ("pair", "pair.out"), ("strict", "strict"), ("token", "token"), ("embed", "embed")):
        out[ours + ".weight"], out[ours + ".bias"] = theirs + ".w", theirs + ".b"
    return out


def in_rows(name):
    """Whether a weight is kept as int8 rows with their scales: the words' vectors and the layers' matrices."""
    return name == "word.weight" or name.startswith("layers.") and ".ln" not in name and name.endswith(".weight")


def export(model, path, name, vocab=b""):
    have, out = model.state_dict(), {}
    for ours, theirs in names(len(model.layers)).items():
        v = have[ours].detach().float().cpu().numpy()
        if in_rows(ours):
            out[theirs + ".q"], out[theirs + ".s"] = rows8(v)
        else:
            out[theirs] = v
    out["vocab"] = np.frombuffer(vocab, np.uint8)
    write(path, name, len(model.layers), out)


def weights(path):
    """Those of a written model by their names in the model, to go on from."""
    with open(path, "rb") as f:
        head, t = read(f.read())
    for k in "wb":
        t.setdefault("strict." + k, t["pair.out." + k])
    whole = lambda k: t[k + ".q"].astype(np.float32) * t[k + ".s"][:, None]
    return {ours: whole(theirs) if in_rows(ours) else t[theirs].copy() for ours, theirs in names(head["config"]["layers"]).items()}


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


def one_head(t, strict):
    """The tensors of a model with one head in place of two, a share of which is the strict one's: the program has one."""
    t = dict(t)
    for k in "wb":
        t["pair.out." + k] = (1 - strict) * t["pair.out." + k] + strict * t.pop("strict." + k, t["pair.out." + k])
    return t


def mean(parts):
    """The tensors between those of several models, given with their shares."""
    out, first = {}, parts[0][1]
    for k in first:
        if k.endswith(".q"):
            s = k[:-1] + "s"
            out[k], out[s] = rows8(sum(share * (t[k].astype(np.float32) * t[s][:, None]) for share, t in parts))
        elif first[k].dtype == np.float32 and k not in out:
            out[k] = sum(share * t[k] for share, t in parts).astype(np.float32)
    return out
