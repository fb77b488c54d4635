"""Writes the judge's log odds of support for every labelled row, by the model that had not seen the row's family.

    python train/judged.py --pack train/data/pack.npz --runs DIR --out train/data/judged.jsonl.gz
"""
import argparse
import gzip
import json
import os

import numpy as np

ap = argparse.ArgumentParser()
ap.add_argument("--pack", required=True)
ap.add_argument("--runs", required=True)
ap.add_argument("--out", required=True)
a = ap.parse_args()
z = dict(np.load(a.pack))
sets, fams = [str(x) for x in z["sets"]], [str(x) for x in z["fams"]]
EVAL = 3
said = {}


def put(name, wanted):
    run = np.load(f"{a.runs}/{name}.npz")
    rows, out = run["rows"], run["out"].astype(np.float64)
    odds = out[:, 0] - np.logaddexp(out[:, 1], out[:, 2])
    for r, o in zip(rows, odds):
        if wanted(r):
            said.setdefault(sets[z["set"][r]], {})[int(z["row"][r])] = round(float(np.clip(o, -9.2, 9.2)), 3)


put("full", lambda r: z["kind"][r] == EVAL)
for f in fams:
    if os.path.exists(f"{a.runs}/wo_{f}.npz"):
        i = fams.index(f)
        put("wo_" + f, lambda r: z["fam"][r] == i)
with gzip.open(a.out, "wt") as f:
    for name, rows in said.items():
        f.write(json.dumps({"set": name, "odds": [rows[i] for i in range(len(rows))]}) + "\n")
