"""Makes the small start files of the base encoders out of the packages that carry them.

    python train/bases.py minilm model.safetensors train/data/minilm.npz
    python train/bases.py onnx bge-small-en-v1.5.onnx train/data/bge.npz
"""
import sys

import numpy as np


def named(kind, path):
    if kind == "minilm":
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
    put("word.weight", get(e + "word_embeddings.weight"))
    put("pos.weight", get(e + "position_embeddings.weight"))
    put("side.weight", get(e + "token_type_embeddings.weight"))
    put("ln.weight", get(e + "LayerNorm.weight"))
    put("ln.bias", get(e + "LayerNorm.bias"))
    n = 1 + max(int(k.split(".")[2]) for k in t if k.startswith("encoder.layer."))
    for i in range(n):
        s, d = f"encoder.layer.{i}.", f"layers.{i}."
        for part in ("weight", "bias"):
            put(d + "qkv." + part, np.concatenate([get(s + f"attention.self.{x}.{part}") for x in ("query", "key", "value")]))
            put(d + "out." + part, get(s + f"attention.output.dense.{part}"))
            put(d + "ln1." + part, get(s + f"attention.output.LayerNorm.{part}"))
            put(d + "up." + part, get(s + "intermediate.dense." + part))
            put(d + "down." + part, get(s + "output.dense." + part))
            put(d + "ln2." + part, get(s + "output.LayerNorm." + part))
    np.savez_compressed(dst, **out)
    print(dst, n, "layers", sum(v.size for v in out.values()), "numbers")


main()
