"""Writes the judge's log odds of support for every labelled row, by a model that had not seen the row's family; of several such models the mean.

    python train/judged.py --pack train/data/taught.npz --runs DIR --out train/data/judged.jsonl.gz

Then `go run ./attribute/train judge` puts in what the built-in weights say of the eval sets. With --like FILE, a file that has that, a model's odds are
stretched to the spread that those of the built-in weights have: what is combined with the words then weighs as it will in use, and no label tells how.
With --before FILE in place of --runs, what stood in for the weights before these stands in for these as well, stretched in the same way.
"""
import argparse
import glob
import gzip
import json
from types import SimpleNamespace

import numpy as np

from rows import EVAL, report

ap = argparse.ArgumentParser()
ap.add_argument("--pack", required=True)
ap.add_argument("--runs", help="a folder of what models said")
ap.add_argument("--before", help="what was written with other built-in weights")
ap.add_argument("--strict", type=float, default=0, help="how much of an opinion is the strict head's")
ap.add_argument("--like", help="opinions of the built-in weights on the eval sets, which go into what is written")
ap.add_argument("--out", required=True)
a = ap.parse_args()
z = dict(np.load(a.pack))
sets, fams = [str(x) for x in z["sets"]], [str(x) for x in z["fams"]]
read = lambda path: {x["set"]: np.array(x["odds"]) for x in map(json.loads, gzip.open(path, "rt"))} if path else {}
known, before = read(a.like), read(a.before)


def stretch(rows, odds):
    """How much wider the built-in weights' odds spread on the eval sets than a model's, in the mean of the sets."""
    ratios = []
    for i, name in enumerate(sets):
        at = (z["set"][rows] == i) & (z["kind"][rows] == EVAL)
        if at.any() and name in known:
            ratios.append(known[name][z["row"][rows[at]]].std() / odds[at].std())
    return float(np.mean(ratios)) if ratios else 1.0


said = {}
for f in sorted(glob.glob(f"{a.runs}/*.json")) if a.runs else []:
    without = [fams.index(x) for x in json.load(open(f))["run"]["without"].split("+") if x]
    run = np.load(f[:-len("json")] + "npz")
    rows, out = run["rows"], (1 - a.strict) * run["out"].astype(np.float64) + a.strict * run["strict"]
    report(SimpleNamespace(**{**z, "sets": sets}), rows, out, f)
    odds = np.clip(out[:, 0] - np.logaddexp(out[:, 1], out[:, 2]), -9.2, 9.2)
    if a.like:
        k = stretch(rows, odds)
        print(f"{f}: odds times {k:.2f}")
        odds = np.clip(k * odds, -9.2, 9.2)
    public = np.array([not x.startswith("held.") for x in sets])  # those of our own have no readings to ask the built-in weights by
    wanted = np.isin(z["fam"][rows], without) if without else (z["kind"][rows] == EVAL) & public[z["set"][rows]]
    for r, o in zip(rows[wanted], odds[wanted]):
        said.setdefault(sets[z["set"][r]], {}).setdefault(int(z["row"][r]), []).append(float(o))
if before:
    tests = {sets[i] for i in np.unique(z["set"][z["kind"] == EVAL])} & set(before) & set(known)
    k = np.mean([known[x].std() / before[x].std() for x in tests])
    print(f"{a.before}: odds times {k:.2f}")
    known |= {x: np.clip(k * odds, -9.2, 9.2).round(3) for x, odds in before.items() if x not in known}
with gzip.open(a.out, "wt") as f:
    for name in sorted(set(known) - set(said)):
        f.write(json.dumps({"set": name, "odds": known[name].tolist()}) + "\n")
    for name, rows in said.items():
        f.write(json.dumps({"set": name, "odds": [round(float(np.mean(rows[i])), 3) for i in range(len(rows))]}) + "\n")
