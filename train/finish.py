"""Puts the vocabulary into a model that came back in parts, and writes 1,000 pairs of our own for the test of parity.

    python train/finish.py --parts DIR/full.bin.* --vocab VOCAB --name NAME --library examples/library --wordnet DICT

--strict is how much of the head is the strict one's, where a model has two; more than 1 goes beyond it, away from the first. --beside takes the mean with
others, such as those it went on from, of each of which --share is kept.
"""
import argparse
import glob
import hashlib
import json
import random

import numpy as np

import synth
from export import export, one_head, read, weights, write
from pack import good, pool_of, sentences

ROOT = "entail/weights/model.bin"


def pairs(library, wordnet, n):
    """Pairs made from our own sample documents."""
    rng = random.Random(5)
    texts = [open(f, encoding="utf-8").read() for f in sorted(glob.glob(library + "/*")) if f.endswith((".md", ".txt"))]
    common = {w.strip(".,;:").lower() for t in texts for w in t.split()}
    synth.load_wordnet(wordnet, common)
    all_sents = [[s for s in sentences(t) if good(s)] for t in texts]
    every = [s for ss in all_sents for s in ss]
    out = []
    while len(out) < n:
        ss = rng.choice([x for x in all_sents if len(x) > 3])
        i = rng.randrange(len(ss))
        ctx = ss[i:i + rng.choice([1, 2, 3, 5, 8])]
        c = synth.rewrite(synth.Claim.read(rng.choice(ctx if rng.random() < .8 else ss)), rng)
        if rng.random() < .5:
            c = synth.go_wrong(c, rng, pool_of(ctx, rng, rng.sample(every, 8))) or c
        out.append((" ".join(ctx), c.text()[0]))
    return out


def mean(path, beside, share):
    """The weights of written models in the mean, share of them those of the others, in few bits again."""
    import torch
    from model import load_written
    model, parts = load_written(path).eval(), [weights(p) for p in (path, *beside)]
    share = 1 - sum(share), *share
    model.load_state_dict({k: torch.from_numpy(sum(s * p[k] for s, p in zip(share, parts))) for k in parts[0]})
    model.quantize()
    export(model, path, "")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--parts", nargs="+", required=True)
    ap.add_argument("--vocab", required=True)
    ap.add_argument("--name", required=True)
    ap.add_argument("--strict", type=float, default=0)
    ap.add_argument("--beside", nargs="+", default=[])
    ap.add_argument("--share", nargs="+", type=float, default=[])
    ap.add_argument("--out", default=ROOT)
    ap.add_argument("--library", default="examples/library")
    ap.add_argument("--wordnet", required=True)
    a = ap.parse_args()
    if len(a.share) != len(a.beside):
        ap.error("give one --share for each model of --beside")
    whole = b"".join(open(p, "rb").read() for p in a.parts)
    head, t = read(whole)
    t, vocab = one_head(t, a.strict), np.frombuffer(open(a.vocab, "rb").read(), np.uint8)
    if a.beside:
        write(a.out, a.name, head["config"]["layers"], t)
        mean(a.out, a.beside, a.share)
        t = one_head(read(open(a.out, "rb").read())[1], 0)
    write(a.out, a.name, head["config"]["layers"], dict(t, vocab=vocab))
    print(a.out, hashlib.sha256(open(a.out, "rb").read()).hexdigest())
    with open("train/data/pairs.jsonl", "w", encoding="utf-8") as f:
        for evidence, claim in pairs(a.library, a.wordnet, 1000):
            f.write(json.dumps({"evidence": evidence, "claim": claim}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
