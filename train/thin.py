"""Takes those intermediate values out of an encoder's layers that add the least, and makes the others stand in for them.

    python train/thin.py --base train/data/mpnet.0.npz train/data/mpnet.1.npz --pack train/data/taught.npz --keep 1408 --out train/data/thin.npz

What a value adds is its size over some rows of the pack times that of its weights. Those that are taken out are told as a sum of those that
stay, by least squares, which goes into the weights of these. It is written in two files, thin.0.npz and thin.1.npz.
"""
import argparse

import numpy as np
import torch
import torch.nn.functional as F

from bases import rows8, write
from model import load_base
from train import CLS, SEP

ap = argparse.ArgumentParser()
ap.add_argument("--base", required=True, nargs="+")
ap.add_argument("--pack", required=True)
ap.add_argument("--keep", type=int, required=True)
ap.add_argument("--rows", type=int, default=300)
ap.add_argument("--out", required=True)
a = ap.parse_args()
base = {k: v for path in a.base for k, v in np.load(path).items()}
model, z = load_base(base).eval(), np.load(a.pack)
width = model.layers[0].up.out_features
evf, evo, clf, clo, ev = (z[k] for k in ("evf", "evo", "clf", "clo", "ev"))
products = [torch.zeros(width + 1, width + 1) for _ in model.layers]  # of the values with each other, and with one


def see(i, x):
    h = F.pad(F.gelu(x)[0], (0, 1), value=1.0)
    products[i].addmm_(h.T, h)


for i, layer in enumerate(model.layers):
    layer.up.register_forward_hook(lambda _, __, x, i=i: see(i, x))
with torch.no_grad():
    for r in np.random.default_rng(1).choice(len(ev), a.rows, replace=False):
        evidence, claim = evf[evo[ev[r]]:evo[ev[r] + 1]][:150], clf[clo[r]:clo[r + 1]][:50]
        ids = torch.tensor([[CLS, *evidence.tolist(), SEP, *claim.tolist(), SEP]])
        model(ids, torch.zeros_like(ids), torch.tensor([ids.shape[1]]))

out = {k: v for k, v in base.items() if ".up." not in k and ".down." not in k}
with torch.no_grad():
    for i, layer in enumerate(model.layers):
        g, w = products[i].double(), F.pad(layer.down.weight, (0, 1)).double()
        size = g.diagonal()[:width]
        stay = torch.topk(size.sqrt() * layer.down.weight.norm(dim=0), a.keep).indices.sort().values
        kept = F.pad(stay, (0, 1), value=width)
        gone = torch.ones(width + 1, dtype=torch.bool)
        gone[kept] = False
        slack = torch.full((len(kept),), 1e-2 * size.median().item(), dtype=g.dtype)
        slack[-1] = 1e-6 * g[-1, -1]
        told = torch.linalg.solve(g[kept][:, kept] + torch.diag(slack), g[kept][:, gone])
        down = w[:, kept] + w[:, gone] @ told.T
        off = w.clone()
        off[:, kept] -= down
        print(f"layer {i}: {((off @ g) * off).sum() / ((w @ g) * w).sum():.4f} of what its values add is lost", flush=True)
        at = f"layers.{i}."
        rows8(out, at + "up.weight", layer.up.weight[stay].numpy())
        rows8(out, at + "down.weight", down[:, :-1].float().numpy())
        out[at + "up.bias"], out[at + "down.bias"] = layer.up.bias[stay].numpy(), (layer.down.bias + down[:, -1].float()).numpy()
write(a.out, out)
