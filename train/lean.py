"""Moves the opinions of stand-ins as those of what is shipped have moved since the stand-ins were made like it: by the mean of the odds on sets that
neither learned from, less what they were moved before. No label tells of it.

    git show REVISION:attribute/train/judged.jsonl.gz > train/data/then.jsonl.gz    # of when they were made
    python train/lean.py --data ../shared/data/attribution train/data/then.jsonl.gz attribute/train/judged.jsonl.gz
"""
import argparse
import glob
import gzip
import json
import os

import numpy as np


def read(path):
    return [json.loads(line) for line in gzip.open(path, "rt")]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", required=True)
    ap.add_argument("then")
    ap.add_argument("now", help="it is written anew")
    a = ap.parse_args()
    unseen = {os.path.basename(f).removesuffix(".jsonl.gz") for f in glob.glob(a.data + "/eval/*.jsonl.gz")}
    then, now = read(a.then), read(a.now)
    before, after = ({r["set"]: np.mean(r["odds"]) for r in rows} for rows in (then, now))
    both = before.keys() & after.keys()
    moved = lambda sets: float(np.mean([after[s] - before[s] for s in sets]))
    by = moved(both & unseen) - moved(both - unseen)
    print(f"{len(both & unseen)} sets that neither learned from, odds {by:+.3f} in the mean")
    if abs(by) < 0.01:
        return  # they stand where they should
    for r in now:
        if r["set"] not in unseen:
            r["odds"] = [round(x + by, 4) for x in r["odds"]]
    with open(a.now, "wb") as f, gzip.GzipFile(fileobj=f, mode="wb", mtime=0) as z:
        z.write("".join(json.dumps(r, separators=(",", ":")) + "\n" for r in now).encode())


if __name__ == "__main__":
    main()
