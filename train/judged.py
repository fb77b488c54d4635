"""Writes the judge's log odds of support for every labelled row, by a model that had not seen the row's family.

    python train/judged.py --out train/data/judged.jsonl.gz PACK1:DIR1 [PACK2:DIR2]

Of several folders of runs, each with the pack it was made from, the mean is written: of a mean of weights there are no
weights of its folds. Then `go run ./attribute/train judge` puts in what the built-in weights say of the eval sets.
"""
import argparse
import glob
import gzip
import json

import numpy as np

from rows import EVAL

ap = argparse.ArgumentParser()
ap.add_argument("--out", required=True)
ap.add_argument("runs", nargs="+")
a = ap.parse_args()


def opinions(pack, folder):
    z = dict(np.load(pack))
    sets, fams = [str(x) for x in z["sets"]], [str(x) for x in z["fams"]]
    said = {}
    for f in sorted(glob.glob(f"{folder}/*.json")):
        without = [fams.index(x) for x in json.load(open(f))["run"]["without"].split("+") if x]
        run = np.load(f[:-len("json")] + "npz")
        rows, out = run["rows"], run["out"].astype(np.float64)
        odds = out[:, 0] - np.logaddexp(out[:, 1], out[:, 2])
        wanted = np.isin(z["fam"][rows], without) if without else z["kind"][rows] == EVAL
        for r, o in zip(rows[wanted], odds[wanted]):
            said.setdefault(sets[z["set"][r]], {})[int(z["row"][r])] = o
    return {name: np.array([rows[i] for i in range(len(rows))]) for name, rows in said.items()}


all_said = [opinions(*x.split(":")) for x in a.runs]
with gzip.open(a.out, "wt") as f:
    for name in all_said[0]:
        if all(name in said for said in all_said):
            odds = sum(said[name] for said in all_said) / len(all_said)
            f.write(json.dumps({"set": name, "odds": [round(float(x), 3) for x in np.clip(odds, -9.2, 9.2)]}) + "\n")
