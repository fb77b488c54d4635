"""Prints how well a judge that had not seen wice finds the unsupported words of its claims: F1 of characters, by threshold.

    python train/spans.py --pack train/data/taught.npz --run DIR/wice_attributionbench.npz --vocab vocab.txt
"""
import argparse
import gzip
import json
import re

import numpy as np
from tokenizers import BertWordPieceTokenizer

ap = argparse.ArgumentParser()
ap.add_argument("--pack", required=True)
ap.add_argument("--run", required=True)
ap.add_argument("--vocab", required=True)
ap.add_argument("--readings", default="train/data/readings.jsonl.gz")
a = ap.parse_args()
z, run = dict(np.load(a.pack)), dict(np.load(a.run))
sets = [str(x) for x in z["sets"]]
at = np.concatenate([[0], np.cumsum(run["count"])])
support = 1 / (1 + np.exp(-run["tokens"].astype(np.float64)))
said = {(sets[z["set"][r]], int(z["row"][r])): support[at[i]:at[i + 1]] for i, r in enumerate(run["rows"])}
pieces = BertWordPieceTokenizer(a.vocab, lowercase=True)
claims = [r for r in map(json.loads, gzip.open(a.readings, "rt")) if r["set"].startswith("wice_tokens")]
for enough in (0.5, 0.6, 0.7, 0.75, 0.8, 0.83, 0.86, 0.9):
    hit = marked = wrong = 0
    for r in claims:
        gold, mine, last = np.zeros(len(r["claim"]), bool), np.zeros(len(r["claim"]), bool), None
        for x, y in r.get("wrong") or []:
            gold[x:y] = True
        offsets = pieces.encode(r["claim"], add_special_tokens=False).offsets
        for m in re.finditer(r"\w+(?:[.'’,-]\w+)*", r["claim"]):
            own = [p for (x, y), p in zip(offsets, said[r["set"], r["row"]]) if x < m.end() and y > m.start()]
            if own and min(own) < enough:
                mine[m.start() if last is None or m.start() - last > 5 else last:m.end()] = True
                last = m.end()
        hit, marked, wrong = hit + (gold & mine).sum(), marked + mine.sum(), wrong + gold.sum()
    print(f"words below {enough:.2f} marked: precision {hit / marked:.3f} recall {hit / wrong:.3f} F1 {2 * hit / (marked + wrong):.3f}")
