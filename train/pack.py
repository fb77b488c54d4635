"""Turns the labelled readings and the texts of the training sets into one packed file of word pieces for train.py.

    go run ./attribute/train readings train/data/readings.jsonl.gz
    python train/pack.py --data ../shared/data/attribution --own train/data/own.jsonl.gz --wordnet DICT --vocab VOCAB --out train/data/pack.npz
"""
import argparse
import collections
import gzip
import hashlib
import json
import random
import re
from multiprocessing import Pool

import numpy as np
from tokenizers import BertWordPieceTokenizer

import alone
import synth
from rows import BREAK, EVAL, PAIRS, SYNTH, TRAIN, UNKNOWN, auroc
from synth import CONTRADICTED, NOT_SUPPORTED, SUPPORTED, UNSUPPORTED, Claim

LABELS = {"supported": SUPPORTED, "unsupported": UNSUPPORTED, "contradicted": CONTRADICTED, "partial": UNSUPPORTED}
BINARY = ("paws", "hans", "scitail", "falke", "wnli", "sts", "attributionbench")  # unsupported there may be a contradiction
EMPTY = {"citation_integrity.all", "sts.2016", "wnli.all"}  # too noisy to learn from


def sentences(text):
    out = []
    for s in BREAK.split(text):
        s = re.sub(r"\s+", " ", s or "").strip()
        if s:
            out.append(s)
    return out


def good(s):
    return 35 <= len(s) <= 320 and s[-1] in ".!\"”" and len(s.split()) >= 6 and re.match(r"[A-Z0-9\"“À-Þ]", s) and sum(ch.isalpha() for ch in s) > .6 * len(s)


def label_of(r):
    """The label of a reading, and the parts of its claim that are wrong, where that is known."""
    label = LABELS[r["label"]]
    if r["label"] == "unsupported" and r["set"].startswith((*BINARY, "mnli_mm")):
        label = NOT_SUPPORTED
    return label, [] if label == SUPPORTED else r.get("wrong")


def documents(root, readings):
    """Texts of the training sets, each once, with its title and family."""
    seen, out = set(), []
    fams = {r["set"]: r["family"] for r in readings}
    import glob
    for folder in ("train", "pairs"):
        for f in sorted(glob.glob(f"{root}/{folder}/*.jsonl.gz")):
            name = f.split("/")[-1][:-len(".jsonl.gz")]
            if folder == "pairs" and not name.startswith("citation"):
                continue
            for line in gzip.open(f, "rt"):
                r = json.loads(line)
                groups = collections.OrderedDict()
                for s in r["sources"]:
                    groups.setdefault(s.get("title", ""), []).append(s["text"])
                for title, texts in groups.items():
                    text = "\n".join(texts)
                    h = hashlib.sha1(text[:400].encode()).digest()
                    if h in seen or len(text) < 120:
                        continue
                    seen.add(h)
                    out.append((fams[name], name, "" if "://" in title else title[:90], text[:40000]))
    return out



def pool_of(sents, rng, far):
    numbers, ns, words, tails = set(), set(), set(), []
    for s in sents:
        c = Claim.read(s)
        numbers |= {w for w, _, _ in c.w if re.match(r"\d", w)}
        ns |= {synth.span_text(c, i, j) for i, j in synth.names(c)}
        words |= {w for w, _, _ in c.w if w.islower() and len(w) > 4 and w not in synth.STOP}
    for s in far:
        m = re.search(r"(,? (?:which|where|and|because|in|with|after|when|while|according to|despite|leading to|for) [^,;.]{12,70})[,.]", s)
        if m:
            tails.append(m.group(1))
    fn = [synth.span_text(c, i, j) for s in far[:6] for c in [Claim.read(s)] for i, j in synth.names(c)]
    return {"numbers": sorted(numbers), "names": sorted(ns), "words": sorted(words), "tails": tails, "far": sorted(set(fn))}


def from_document(job):
    """Contexts of one document, each with its claims."""
    seed, fam, name, title, text, far = job
    rng = random.Random(seed)
    sents = sentences(text)
    out = []
    i = 0
    most = 10 if len(text) > 3000 else 4
    starts = []
    while i < len(sents):
        starts.append(i)
        i += rng.choice([3, 4, 5, 6, 8])
    rng.shuffle(starts)
    for i in starts[:most]:
        budget, ctx, used = rng.choice([250, 450, 700, 1050, 1400, 1650]), [], 0
        j = i
        while j < len(sents) and (used + len(sents[j]) <= budget or not ctx):
            if rng.random() < .12 and ctx and len(sents) > 12:
                j += rng.choice([1, 2, 3])
                if j >= len(sents):
                    break
                ctx.append("…")
            ctx.append(sents[j])
            used += len(sents[j]) + 1
            j += 1
        own = [s for s in ctx if good(s)]
        if not own:
            continue
        inside = set(ctx)
        outside = [s for s in sents if s not in inside and good(s)]
        near = pool_of(ctx, rng, rng.sample(outside, min(4, len(outside))) + rng.sample(far, min(8, len(far))))
        head = title + ": " if title and rng.random() < .85 else ""
        whole = (head + " ".join(ctx))[:2000]
        claims = []
        for _ in range(min(10, 3 + 2 * len(own))):
            s = rng.choice(own)
            c = Claim.read(s)
            if rng.random() < .8:
                c = synth.rewrite(c, rng, title if head else None)
            r = rng.random()
            if r < .12 and len(own) > 1:
                other = rng.choice([x for x in own if x != s] or own)
                d = synth.rewrite(Claim.read(other), rng)
                if len(s) + len(other) < 380:
                    c = synth.join(c, d, rng)
            elif r < .22 and outside:
                d = synth.rewrite(Claim.read(rng.choice(outside)), rng)
                for x in d.w:
                    x[2] = False
                d.label = UNSUPPORTED
                if len(s) + len(d.text()[0]) < 380:
                    c = synth.join(c, d, rng) if rng.random() < .6 else synth.join(d, c, rng)
            if c.label == SUPPORTED and rng.random() < .5:
                w = synth.go_wrong(c, rng, near)
                if w is not None:
                    c = w
            t, wrong = c.text()
            claims.append((t, c.label, wrong))
        for s in rng.sample(outside, min(len(outside), 2 if len(own) > 2 else 1)):
            t = synth.rewrite(Claim.read(s), rng).text()[0]
            claims.append((t, UNSUPPORTED, None))
        out.append((fam, name, whole, claims))
        if len(own) >= 3 and rng.random() < .5:  # the same context without one of its sentences
            gone = rng.choice(own)
            less = (head + " ".join(s for s in ctx if s != gone))[:2000]
            claims = [(synth.rewrite(Claim.read(gone), rng).text()[0], UNSUPPORTED, None)]
            for s in rng.sample(own, min(3, len(own))):
                if s != gone:
                    claims.append((synth.rewrite(Claim.read(s), rng).text()[0], SUPPORTED, []))
            out.append((fam, name, less, claims))
    return out


def left_out(job):
    """Sentences of a document, each beside what else the document says of it: whether that supports it, only a teacher can tell."""
    seed, fam, name, title, text, idf, most = job
    rng = random.Random(seed)
    sents = sentences(text)
    words = [set(re.findall(r"[a-z0-9]{3,}", s.lower())) for s in sents]
    at = [i for i, s in enumerate(sents) if good(s)]
    if len(sents) < 6 or not at:
        return []
    out = []
    for i in rng.sample(at, min(len(at), most)):
        score = [sum(idf.get(w, 9) for w in words[i] & x) / (4 + len(x)) ** .5 if sents[j] != sents[i] else -1 for j, x in enumerate(words)]
        budget, picked, used = rng.choice([350, 700, 1100, 1500]), [], 0
        for j in sorted(range(len(sents)), key=lambda j: -score[j]):
            if score[j] <= 0 or used + len(sents[j]) > budget:
                break
            picked.append(j)
            used += len(sents[j]) + 1
        if not picked:
            continue
        ctx, last = [], None
        for j in sorted(picked):
            if last is not None and j > last + 1:
                ctx.append("…")
            ctx.append(sents[j])
            last = j
        claim = sents[i] if most == 2 or rng.random() < .5 else synth.rewrite(Claim.read(sents[i]), rng).text()[0]
        out.append((fam, name, (title + ": " if title else "") + " ".join(ctx), claim))
    return out


def edited(job):
    """A supported claim of the labelled data, gone wrong, and said in other words."""
    seed, r, far = job
    rng = random.Random(seed)
    out = []
    pool = pool_of(sentences(r["evidence"]), rng, far)
    c = Claim.read(r["claim"])
    for _ in range(2):
        w = synth.go_wrong(synth.rewrite(c, rng) if rng.random() < .3 else c, rng, pool)
        if w is not None:
            t, wrong = w.text()
            out.append((t, w.label, wrong))
    if rng.random() < .6:
        w = synth.rewrite(c, rng)
        t = w.text()[0]
        if t != r["claim"]:
            out.append((t, SUPPORTED, []))
    return r["family"], r["set"], r["evidence"], out


class Packer:
    def __init__(self, vocab):
        self.tok = BertWordPieceTokenizer(vocab, lowercase=True)
        self.tok.no_truncation()
        self.ev, self.ev_at = [], {}
        self.rows = []
        self.sets, self.fams = [], []

    def evidence(self, text):
        if text not in self.ev_at:
            self.ev_at[text] = len(self.ev)
            self.ev.append(text)
        return self.ev_at[text]

    def index(self, table, x):
        if x not in table:
            table.append(x)
        return table.index(x)

    def add(self, kind, fam, name, evidence, claim, label, wrong, row=-1):
        self.rows.append((self.evidence(evidence), claim, label, wrong, self.index(self.sets, name), self.index(self.fams, fam), kind, row))

    def read(self, r, marked=True):
        """Adds a labelled reading. Where no wrong words are marked in its set, nothing is known of those of right claims either."""
        kind = {"train": TRAIN, "pairs": PAIRS, "eval": EVAL}[r["folder"]]
        label, wrong = label_of(r)
        self.add(kind, r["family"], r["set"], r["evidence"], r["claim"], label, wrong if marked else None, r["row"])

    def save(self, path, max_ev=400, max_claim=110):
        with gzip.open(path.removesuffix(".npz") + ".texts.gz", "wt", compresslevel=5) as f:
            json.dump({"evidence": self.ev, "claims": [(r[1], r[3]) for r in self.rows]}, f)
        enc = self.tok.encode_batch(self.ev, add_special_tokens=False)
        ev = [np.array(e.ids, np.uint16) for e in enc]
        print("evidence", len(ev), "pieces", sum(map(len, ev)), "cut", sum(len(e) > max_ev for e in ev))
        ev = [e[:max_ev] for e in ev]
        enc = self.tok.encode_batch([r[1] for r in self.rows], add_special_tokens=False)
        cl, tk, cut = [], [], 0
        for e, r in zip(enc, self.rows):
            n = min(len(e.ids), max_claim)
            cut += len(e.ids) > max_claim
            cl.append(np.array(e.ids[:n], np.uint16))
            label, wrong = r[2], r[3]
            if wrong is None or (label != SUPPORTED and not wrong):
                t = np.full(n, 255, np.uint8)
            else:
                t = np.ones(n, np.uint8)
                for k in range(n):
                    a, b = e.offsets[k]
                    if any(a < y and x < b for x, y in wrong):
                        t[k] = 0
            tk.append(t)
        print("claims", len(cl), "pieces", sum(map(len, cl)), "cut", cut)
        flat = lambda xs, dt: (np.concatenate(xs).astype(dt), np.cumsum([0] + [len(x) for x in xs]).astype(np.int64))
        evf, evo = flat(ev, np.uint16)
        clf, clo = flat(cl, np.uint16)
        tkf, _ = flat(tk, np.uint8)
        cols = {k: np.array([r[i] for r in self.rows], dt) for k, i, dt in (("ev", 0, np.int32), ("label", 2, np.uint8), ("set", 4, np.uint16), ("fam", 5, np.uint8), ("kind", 6, np.uint8), ("row", 7, np.int32))}
        own = np.flatnonzero([self.sets[i].startswith(("contrast.", "joined.", "swap.")) for i in cols["set"]])
        cols["alone"] = np.zeros(len(self.rows), np.float16)
        supported = cols["label"][own] == SUPPORTED
        cols["alone"][own] = alone.odds([cl[i] for i in own], supported, alone.parts(cols["set"][own]))
        print(f"contrast claims {len(own)}, of which their words alone tell the label with an AUROC of {auroc(supported, cols['alone'][own]):.3f}")
        np.savez_compressed(path, evf=evf, evo=evo, clf=clf, clo=clo, tkf=tkf, sets=np.array(self.sets), fams=np.array(self.fams), **cols)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", required=True)
    ap.add_argument("--readings", default="train/data/readings.jsonl.gz")
    ap.add_argument("--own", required=True, help="readings of the contrast claims (contrast.py)")
    ap.add_argument("--swaps", help="claims with one particular exchanged (swaps.py)")
    ap.add_argument("--wordnet", required=True)
    ap.add_argument("--vocab", required=True)
    ap.add_argument("--out", default="train/data/pack.npz")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--left", type=int, default=2, help="how many sentences of a document stand beside what else it says")
    ap.add_argument("--show", type=int, default=0)
    a = ap.parse_args()
    readings = [json.loads(l) for l in gzip.open(a.readings, "rt")]
    docs = documents(a.data, readings)
    print("documents", len(docs), "characters", sum(len(d[3]) for d in docs))
    counts = collections.Counter(w for d in docs for w in re.findall(r"\b[a-z]{4,}\b", d[3]))
    synth.load_wordnet(a.wordnet, {w for w, n in counts.items() if n >= 8})
    rng = random.Random(a.seed)
    p = Packer(a.vocab)
    for r in readings:
        p.read(r)

    by_fam = collections.defaultdict(list)
    for d in docs:
        by_fam[d[0]] += [s for s in sentences(d[3]) if good(s)][:30]
    jobs = [(a.seed * 1000003 + k, fam, name, title, text, rng.sample(by_fam[fam], min(20, len(by_fam[fam])))) for k, (fam, name, title, text) in enumerate(docs)]
    ok = [r for r in readings if r["folder"] != "eval" and r["label"] == "supported" and r["set"] not in EMPTY and len(r["claim"]) > 15]
    fever = [r for r in ok if r["family"] == "fever"]
    ok = [r for r in ok if r["family"] != "fever"] + rng.sample(fever, 3000)
    far_of = collections.defaultdict(list)
    for r in ok:
        far_of[r["family"]].append(r["claim"])
    ejobs = [(a.seed * 7919 + k, r, rng.sample(far_of[r["family"]], min(8, len(far_of[r["family"]])))) for k, r in enumerate(ok)]
    seen = collections.Counter(w for d in docs for w in set(re.findall(r"[a-z0-9]{3,}", d[3].lower())))
    idf = {w: float(np.log(len(docs) / n)) for w, n in seen.items() if n > 1}
    far_docs = [(a.seed * 104729 + k, *d, idf, a.left) for k, d in enumerate(docs) if len(d[3]) > 600]
    with Pool(2) as workers:
        left = workers.map(left_out, far_docs, chunksize=20) if a.left > 2 else map(left_out, far_docs)
        made = workers.map(from_document, jobs, chunksize=50)
        changed = workers.map(edited, ejobs, chunksize=100)
    shown = []
    for part in made:
        for fam, name, ctx, claims in part:
            for t, label, wrong in claims:
                p.add(SYNTH, fam, "synth." + name, ctx, t, label, wrong)
                shown.append((label, t, wrong, ctx))
    print("from documents", len(shown))
    for fam, name, ev, claims in changed:
        for t, label, wrong in claims:
            p.add(SYNTH, fam, "edit." + name, ev, t, label, wrong)
            shown.append((label, t, wrong, ev))
    for part in left:
        for fam, name, ev, claim in part:
            p.add(SYNTH, fam, "left." + name, ev, claim, UNKNOWN, None)
    # Pairs of single sentences, the premise among others of its set.
    pairs = [r for r in readings if r["folder"] == "pairs" and r["set"] not in EMPTY and len(r["evidence"]) < 300]
    by_set = collections.defaultdict(list)
    for r in pairs:
        by_set[r["set"]].append(r["evidence"])
    for r in pairs:
        if rng.random() < .3:
            others = rng.sample(by_set[r["set"]], rng.choice([1, 2, 3, 5, 7]))
            ctx = [r["evidence"]] + [o for o in others if o != r["evidence"]]
            rng.shuffle(ctx)
            p.add(SYNTH, r["family"], "among." + r["set"], " ".join(ctx)[:1800], r["claim"], *label_of(r))
    own = [json.loads(line) for line in gzip.open(a.own, "rt")]
    marked = {r["set"] for r in own if "wrong" in r}
    for r in own:
        p.read(r, r["set"] in marked)
    for line in gzip.open(a.swaps, "rt") if a.swaps else []:
        r = json.loads(line)
        p.add(EVAL if r["folder"] == "eval" else SYNTH, r["family"], r["set"], r["evidence"], r["claim"], r["label"], r["wrong"])
    for label, t, wrong, ctx in rng.sample(shown, a.show):
        print("SUPP UNSU CONT NOTS".split()[label], "|", t, "|", [t[x:y] for x, y in wrong or []], "|", ctx[:300])
    print(collections.Counter((r[6], r[2]) for r in p.rows))
    p.save(a.out)


if __name__ == "__main__":
    main()
