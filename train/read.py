"""Texts that nobody has claimed anything of go into a pack: a decoder writes claims about them (write.py).

    python train/read.py --texts texts.jsonl.gz --vocab train/data/vocab.txt --pack train/data/pack.npz
"""
import argparse
import gzip
import json

import numpy as np
from tokenizers import BertWordPieceTokenizer


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--texts", required=True, help='a {"text"} a line')
    ap.add_argument("--vocab", required=True)
    ap.add_argument("--pack", required=True, help="it, and its .texts.gz, are written anew")
    ap.add_argument("--most", type=int, default=1 << 30)
    a = ap.parse_args()
    beside = a.pack.removesuffix(".npz") + ".texts.gz"
    z, t = dict(np.load(a.pack)), json.load(gzip.open(beside))
    new = [json.loads(line)["text"] for line in gzip.open(a.texts, "rt")]
    known = set(t["evidence"])
    new = [x for x in dict.fromkeys(new[:a.most]) if x not in known]
    tok = BertWordPieceTokenizer(a.vocab, lowercase=True)
    tok.no_truncation()
    ids = [e.ids[:400] for e in tok.encode_batch(new, add_special_tokens=False)]
    z["evf"] = np.concatenate([z["evf"], *(np.array(x, np.uint16) for x in ids)])
    z["evo"] = np.concatenate([z["evo"], z["evo"][-1] + np.cumsum([len(x) for x in ids])])
    t["evidence"] += new
    np.savez_compressed(a.pack, **z)
    with gzip.open(beside, "wt", compresslevel=5) as f:
        json.dump(t, f)
    print(f"{len(new)} texts, {sum(map(len, ids))} pieces, {len(t['evidence'])} evidences in all")


if __name__ == "__main__":
    main()
