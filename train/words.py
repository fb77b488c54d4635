"""Examples as tokens of a decoder, and back as word pieces of an encoder.

    python train/words.py prepare --texts train/data/pack.texts.gz --pack train/data/pack.npz --tokenizer train/data/qwen.tokenizer.json --out train/data/words.npz
    python train/words.py finish --texts train/data/claims.texts.gz --pack train/data/pack.npz --tokenizer train/data/qwen.tokenizer.json --words train/data/words.npz --written train/data/written.npz --vocab vocab.txt --plain train/data/plain.npz --out train/data/taught.npz
"""
import argparse
import gzip
import json

import numpy as np

import glossed
from rows import SYNTH, UNKNOWN

USER, END = "<|im_start|>", "<|im_end|>"


def flat(xs, dt):
    return np.concatenate([np.asarray(x, dt) for x in xs] or [np.zeros(0, dt)]), np.cumsum([0] + [len(x) for x in xs]).astype(np.int64)


def cut_up(flat, offs):
    return [flat[i:j] for i, j in zip(offs[:-1], offs[1:])]


def enumerate_bytes():
    """The letters that stand for bytes in a byte-level vocabulary."""
    plain = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    more = 0
    for b in range(256):
        if b in plain:
            yield b, chr(b)
        else:
            yield b, chr(256 + more)
            more += 1


def prepare(a):
    """The examples of a pack as tokens of the decoder, and which of its vocabulary they use."""
    from tokenizers import Tokenizer
    tok = Tokenizer.from_file(a.tokenizer)
    t, z = json.load(gzip.open(a.texts)), np.load(a.pack)
    ids = lambda s: tok.encode(s).ids
    one = lambda s: [tok.token_to_id(s)]
    ev = [e.ids[:480] for e in tok.encode_batch(t["evidence"])]
    cl, tk = [], []
    for (text, wrong), e, label in zip(t["claims"], tok.encode_batch([" " + c for c, _ in t["claims"]]), z["label"]):
        n = min(len(e.ids), 140)
        cl.append(e.ids[:n])
        if wrong is None or label and not wrong:
            tk.append(np.full(n, 255))
        else:
            tk.append([int(not any(x - 1 < hi and lo < y - 1 for lo, hi in wrong)) for x, y in e.offsets[:n]])
    parts = {
        "head": one(USER) + ids("user\nPassage: "), "claim": ids("\nClaim:"), "ask": ids("\nSupported?") + one(END) + ids("\n") + one(USER) + ids("assistant\n"),
        "yesno": one("Yes") + one("No"), "end": one(END),
    }
    used = np.unique(np.concatenate([np.asarray(x, np.int64) for x in ev + cl + [np.arange(12000)] + list(parts.values())]))
    if a.used:
        before = np.load(a.used)
        used = np.concatenate([before, np.setdiff1d(used, before)])
    at = np.zeros(used.max() + 1, np.int64)
    at[used] = np.arange(len(used))
    table = {c: b for b, c in enumerate_bytes()}
    raw = [bytes(table.get(c, 63) for c in tok.id_to_token(int(i)) or "") if i < 151643 else b"" for i in used]
    out = {"used": used, **{"p_" + k: at[np.array(v)] for k, v in parts.items()}}
    dt = np.uint16 if len(used) < 65536 else np.int32
    (evf, out["evo"]), (clf, out["clo"]), (out["tkf"], _) = flat(ev, np.int64), flat(cl, np.int64), flat(tk, np.uint8)
    out["evf"], out["clf"] = at[evf].astype(dt), at[clf].astype(dt)
    out["raw"], out["rawo"] = flat([np.frombuffer(r, np.uint8) for r in raw], np.uint8)
    for k in ("ev", "label", "set", "fam", "kind", "alone", "sets", "fams"):
        out[k] = z[k]
    np.savez_compressed(a.out, **out)
    np.save(a.out.removesuffix(".npz") + ".used.npy", used)
    with gzip.open(a.texts.removesuffix("pack.texts.gz") + "claims.texts.gz", "wt") as f:  # what finish needs of them
        json.dump({"claims": t["claims"]}, f)
    alone = int(np.diff(out["evo"])[z["ev"]].sum())
    print("evidence", len(ev), len(evf), "claims", len(cl), len(clf), "vocabulary", len(used), "; each evidence read once:", f"{(len(evf) + len(clf)) / (alone + len(clf)):.2f} of the tokens")


class Words:
    """Examples as tokens: row i reads evidence ev[i] and claim i. More can be added."""

    def __init__(self, path):
        z = dict(np.load(path))
        self.sets, self.fams = [str(x) for x in z["sets"]], [str(x) for x in z["fams"]]
        for k in ("ev", "label", "set", "fam", "kind"):
            setattr(self, k, z[k].astype(np.int64))
        self.alone = z["alone"].astype(np.float32)
        self.part = {k[2:]: z[k] for k in z if k.startswith("p_")}
        self.evf, self.evo, self.clf, self.clo, self.tkf = z["evf"], z["evo"], z["clf"], z["clo"], z["tkf"]
        self.raw = [bytes(z["raw"][x:y]) for x, y in zip(z["rawo"][:-1], z["rawo"][1:])]

    def tell(self, texts):
        """More evidence, that the decoder wrote itself."""
        more, offs = flat(texts, self.evf.dtype)
        self.evf, self.evo = np.concatenate([self.evf, more]), np.concatenate([self.evo, self.evo[-1] + offs[1:]])

    def add(self, ev, claims):
        """Claims of unknown label, each beside its evidence; of what the decoder wrote itself the family is its own."""
        more, offs = flat(claims, self.clf.dtype)
        self.clf, self.tkf = np.concatenate([self.clf, more]), np.concatenate([self.tkf, np.full(len(more), 255, np.uint8)])
        self.clo = np.concatenate([self.clo, self.clo[-1] + offs[1:]])
        own = len(self.fams)
        self.fams.append("told")
        fam = np.full(len(self.evo) - 1, own)
        fam[self.ev[::-1]] = self.fam[::-1]
        self.ev = np.concatenate([self.ev, ev])
        self.label = np.concatenate([self.label, np.full(len(ev), UNKNOWN)])
        self.alone = np.concatenate([self.alone, np.zeros(len(ev), np.float32)])
        self.set = np.concatenate([self.set, np.full(len(ev), -1)])
        self.fam = np.concatenate([self.fam, fam[ev]])
        self.kind = np.concatenate([self.kind, np.full(len(ev), SYNTH)])

    def read(self, path):
        """What was written before."""
        z = dict(np.load(path))
        if "evo" in z:
            self.tell(cut_up(z["evf"], z["evo"]))
        self.add(z["ev"].astype(np.int64), cut_up(z["clf"], z["clo"]))

    def evidence(self, e):
        return self.evf[self.evo[e]:self.evo[e + 1]]

    def claim(self, r):
        return self.clf[self.clo[r]:self.clo[r + 1]]

    def text(self, ids):
        return b"".join(self.raw[t] for t in ids).decode("utf-8", "replace").strip()


def finish(a):
    """The pack with what was written, and for each word piece the token whose judgement it takes."""
    from tokenizers import BertWordPieceTokenizer, Tokenizer
    tok, theirs = BertWordPieceTokenizer(a.vocab, lowercase=True), Tokenizer.from_file(a.tokenizer)
    tok.no_truncation()
    z, w, t, wrote = dict(np.load(a.pack)), Words(a.words), json.load(gzip.open(a.texts)), dict(np.load(a.written))
    old = [c for c, _ in t["claims"]]
    w.read(a.written)
    claims = cut_up(wrote["clf"], wrote["clo"])
    more, offs = flat([e.ids[:480] for e in tok.encode_batch([w.text(x) for x in cut_up(wrote["evf"], wrote["evo"])], add_special_tokens=False)], np.uint16)
    z["evf"], z["evo"] = np.concatenate([z["evf"], more]), np.concatenate([z["evo"], z["evo"][-1] + offs[1:]])
    z["fams"] = np.array(w.fams)
    pieces = [[w.raw[x].decode("utf-8", "replace") for x in c] for c in claims]
    new = ["".join(p) for p in pieces]
    enc = tok.encode_batch(old + [s.strip() for s in new], add_special_tokens=False)
    cl = [e.ids[:110] for e in enc[len(old):]]
    more, offs = flat(cl, np.uint16)
    z["clf"], z["tkf"] = np.concatenate([z["clf"], more]), np.concatenate([z["tkf"], np.full(len(more), 255, np.uint8)])
    z["clo"] = np.concatenate([z["clo"], z["clo"][-1] + offs[1:]])
    m, last = len(new), len(z["sets"])
    z["sets"] = np.array([str(s) for s in z["sets"]] + ["written.all"])
    for k, x in (("ev", wrote["ev"]), ("label", UNKNOWN), ("set", last), ("kind", SYNTH), ("row", -1), ("alone", 0)):
        z[k] = np.concatenate([z[k], np.full(m, x, z[k].dtype)])
    z["fam"] = w.fam.astype(z["fam"].dtype)
    # A word piece takes what was said at the token in which it ends.
    ends = [[y - 1 for _, y in e.offsets] for e in theirs.encode_batch([" " + s for s in old])]
    ends += [np.cumsum([len(x) for x in p]) - (len(s) - len(s.lstrip())) for p, s in zip(pieces, new)]
    back = [np.clip(np.searchsorted(x, [y for _, y in e.offsets[:n]]), 0, k - 1) for x, e, n, k in zip(ends, enc, np.diff(z["clo"]), np.diff(w.clo))]
    z["back"], z["theirs"] = np.concatenate(back).astype(np.uint8), np.diff(w.clo).astype(np.uint8)
    if a.plain:
        glossed.add(z, dict(np.load(a.plain)), np.random.default_rng(9), a.glossed, 1000)
    np.savez_compressed(a.out, **z)
    for i in list(range(3)) + [len(old), len(old) + 1]:
        print([tok.id_to_token(int(x)) for x in z["clf"][z["clo"][i]:z["clo"][i + 1]]], back[i])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("what", choices=["prepare", "finish"])
    for k in ("texts", "pack", "tokenizer", "out"):
        ap.add_argument("--" + k, required=True)
    for k in ("words", "written", "vocab"):
        ap.add_argument("--" + k)
    ap.add_argument("--used", help="the vocabulary of another time, whose numbers stay: lessons that were written then can be read")
    ap.add_argument("--plain", help="base forms of word pieces (glossed.py): some examples read as those of other languages do, too")
    ap.add_argument("--glossed", type=int, default=100000, help="how many")
    a = ap.parse_args()
    {"prepare": prepare, "finish": finish}[a.what](a)


if __name__ == "__main__":
    main()
