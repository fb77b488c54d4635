"""Writes a model in the form that package entail reads."""
import json

import numpy as np

MAGIC = b"IBIDENT1"
BITS, WORD_BITS = 4, 3  # of a weight of the layers' matrices, and of the words' vectors
GROUP = 128  # weights of a row that share a step
KINDS = {"f32": np.float32, "f16": np.float16, "bytes": np.uint8}


def few(a, s, bits):
    """Codes of few bits: how many steps of its group a weight is above the lowest."""
    f, low = a.reshape(len(a), -1, GROUP), 2 ** (bits - 1)
    return (np.clip(np.rint(f / s.astype(np.float32)[:, :, None]), -low, low - 1) + low).astype(np.uint8).reshape(a.shape)


def whole(codes, s, bits):
    """The weights that codes stand for."""
    return ((codes.reshape(len(codes), -1, GROUP).astype(np.float32) - 2 ** (bits - 1)) * s.astype(np.float32)[:, :, None]).reshape(codes.shape)


def packed(codes, bits):
    return np.packbits((codes[:, :, None] >> np.arange(bits, dtype=np.uint8)) & 1, bitorder="little").reshape(len(codes), -1)


def unpacked(b, bits):
    return np.packbits(np.unpackbits(b.reshape(-1), bitorder="little").reshape(len(b), -1, bits), axis=-1, bitorder="little")[:, :, 0]


def names(n):
    """What each weight of a model of n layers is called there and in the file."""
    out = {"near.weight": "near", "word.weight": "emb.word", "pos.weight": "emb.pos", "side.weight": "emb.type", "ln.weight": "emb.ln.w", "ln.bias": "emb.ln.b"}
    for i in range(n):
        for part in ("qkv", "out", "up", "down"):
            out[f"layers.{i}.{part}.weight"], out[f"layers.{i}.{part}.bias"] = f"l{i}.{part}", f"l{i}.{part}.b"
        for ln in ("ln1", "ln2"):
            out[f"layers.{i}.{ln}.weight"], out[f"layers.{i}.{ln}.bias"] = f"l{i}.{ln}.w", f"l{i}.{ln}.b"
    for ours, theirs in (("dense", "pair.dense"), ("pair", "pair.out"), ("strict", "strict"), ("token", "token")):
        out[ours + ".weight"], out[ours + ".bias"] = theirs + ".w", theirs + ".b"
    return out


def in_rows(name):
    """Whether a weight is kept in few bits: the words' vectors and the layers' matrices."""
    return name == "word.weight" or name.startswith("layers.") and ".ln" not in name and name.endswith(".weight")


def bits_of(name):
    return WORD_BITS if name == "word.weight" else BITS


def export(model, path, name, vocab=b""):
    have, out = model.state_dict(), {}
    for ours, theirs in names(len(model.layers)).items():
        v = have[ours].detach().float().cpu().numpy()
        if in_rows(ours):
            bits, step = bits_of(ours), model.word_step if ours == "word.weight" else model.get_submodule(ours.removesuffix(".weight")).step
            out[theirs + ".s"] = step.cpu().numpy().astype(np.float16)
            out[f"{theirs}.q{bits}"] = packed(few(v, out[theirs + ".s"], bits), bits)
        elif ours in ("pos.weight", "dense.weight"):
            out[theirs] = v.astype(np.float16)
        else:
            out[theirs] = v
    out["emb.near"] = model.distances(len(model.pos.weight)).detach().float().cpu().numpy()
    out["vocab"] = np.frombuffer(vocab, np.uint8)
    write(path, name, len(model.layers), out)


def weights(path):
    """Those of a written model by their names in the model, to go on from."""
    with open(path, "rb") as f:
        head, t = read(f.read())
    for k in "wb":
        t.setdefault("strict." + k, t["pair.out." + k])

    def of(ours, theirs):
        if not in_rows(ours):
            return t[theirs].astype(np.float32)
        bits = bits_of(ours)
        return whole(unpacked(t[f"{theirs}.q{bits}"], bits), t[theirs + ".s"], bits)

    return {ours: of(ours, theirs) for ours, theirs in names(head["config"]["layers"]).items()}


def steps_of_words(path):
    with open(path, "rb") as f:
        return read(f.read())[1]["emb.word.s"].astype(np.float32)


def write(path, name, n, out):
    ffn, hidden = len(out["l0.up.b"]), len(out["l0.down.b"])
    config = {"name": name, "layers": n, "hidden": hidden, "heads": 12, "ffn": ffn, "vocab": 30522, "positions": 512, "max_tokens": 448,
              "labels": ["supported", "unsupported", "contradicted"], "embed_dim": hidden}
    tensors, at = {}, 0
    for k, v in out.items():
        kind = next(k for k, t in KINDS.items() if v.dtype == t)
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
    return head, {k: np.frombuffer(b, KINDS[t["dtype"]], int(np.prod(t["shape"])), start + t["offset"]).reshape(t["shape"]) for k, t in head["tensors"].items()}


def one_head(t, strict):
    """The tensors of a model with one head in place of two, a share of which is the strict one's: the program has one."""
    t = dict(t)
    for k in "wb":
        t["pair.out." + k] = (1 - strict) * t["pair.out." + k] + strict * t.pop("strict." + k, t["pair.out." + k])
    return t

