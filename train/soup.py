"""The mean of several models' weights, written as one: models of one base that learned from different teachers.

    python train/soup.py --out DIR/full.bin DIR1/full.bin DIR2/full.bin
"""
import argparse

import numpy as np

from export import read, rows8, write

ap = argparse.ArgumentParser()
ap.add_argument("--out", required=True)
ap.add_argument("models", nargs="+")
a = ap.parse_args()
read_all = [read(open(f, "rb").read()) for f in a.models]
head, first = read_all[0]
out = {}
for k, v in first.items():
    if k.endswith(".q"):
        mean = sum(t[k].astype(np.float32) * t[k[:-1] + "s"][:, None] for _, t in read_all) / len(read_all)
        out[k], out[k[:-1] + "s"] = rows8(mean)
    elif not (k.endswith(".s") and k[:-1] + "q" in first):
        out[k] = v if v.dtype == np.uint8 else sum(t[k] for _, t in read_all) / np.float32(len(read_all))
write(a.out, head["config"]["name"], head["config"]["layers"], out)
