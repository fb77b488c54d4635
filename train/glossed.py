"""Examples as they read where a text is in another language: word by word in English, as attribution gives it to the judge.

    python train/glossed.py words --vocab train/data/vocab.txt --wordnet DICT --out train/data/plain.npz
    python train/glossed.py add --vocab train/data/vocab.txt --plain train/data/plain.npz --pack train/data/pack.npz --out train/data/taught.npz    # where no decoder writes (words.py)

Words stand in their base forms and in another order, articles and auxiliaries are missing, small words are taken for one another, some words are told by another
sense of theirs, and those that no list knows stay strange. There are kinds of this, as there are languages; evidence and claim are mostly of one.
"""
import argparse
import re

import numpy as np

from rows import PAIRS, SYNTH, TRAIN, UNKNOWN

KINDS = 24
SMALL = "in at on to of from by for with about into over under during since until before after between through against as that which who if than".split()
OFTEN = {"in": "in at to on", "at": "in to on by", "on": "on at over to", "to": "to in at for", "of": "of from the to", "from": "from of by", "by": "by from of for through", "for": "for by to as", "with": "with from at",
         "about": "about over of", "into": "in into", "over": "over above about", "that": "that what", "which": "that which who", "who": "that who which", "than": "than as from that"}
ARTICLES, HELPERS = "a an the".split(), "do does did has have had will would shall be been being is are was were".split()
OTHER, SMALLS, ARTICLE, HELPER, VERB, ADJECTIVE, NOUN, STOP, REST = range(9)  # what a piece is


def words(a):
    """For each piece of the vocabulary its base form and what it is."""
    from lemminflect import getAllLemmas
    vocab = [x.rstrip("\n") for x in open(a.vocab, encoding="utf-8")]
    at = {w: i for i, w in enumerate(vocab)}
    tagged = {}
    for line in open(a.wordnet + "/index.sense", encoding="utf-8"):  # how often a word is met as what
        sense, _, _, n = line.split()
        word, _, kind = sense.partition("%")
        tagged.setdefault(word, np.zeros(6))[int(kind[0])] += int(n) + .1
    base, what = np.arange(len(vocab)), np.full(len(vocab), OTHER)
    for i, w in enumerate(vocab):
        if w.startswith("##"):
            what[i] = REST
        elif re.fullmatch(r"[.,;:!?()\[\]\"…–—|*]", w):
            what[i] = STOP
        elif w in ARTICLES:
            what[i] = ARTICLE
        elif w in SMALL:
            what[i] = SMALLS
        elif re.fullmatch("[a-z]{3,}", w) or w in HELPERS:
            forms = {k: v[0].lower() for k, v in getAllLemmas(w).items() if k in ("NOUN", "VERB", "ADJ")}
            count = {k: tagged.get(v, np.zeros(6))[n] for (k, v), n in ((x, {"NOUN": 1, "VERB": 2, "ADJ": 3}[x[0]]) for x in forms.items())}
            if count and max(count.values()) > 0:
                kind = max(count, key=count.get)
                if kind != "VERB" and forms.get("VERB", w) != w and re.search("(ed|ing)$", w):
                    kind = "VERB"
                what[i] = {"NOUN": NOUN, "VERB": VERB, "ADJ": ADJECTIVE}[kind]
                base[i] = at.get(forms[kind], i)
            if w in HELPERS:
                what[i] = HELPER
                base[i] = at["be"] if w in "be been being is are was were".split() else at[{"does": "do", "did": "do", "has": "have", "had": "have", "would": "will"}.get(w, w)]
    np.savez_compressed(a.out, base=base.astype(np.int32), what=what.astype(np.uint8), **{f"s_{at[w]}": np.array([at[x] for x in OFTEN.get(w, w).split()]) for w in SMALL}, small=np.array([at[w] for w in SMALL]))
    for k, name in enumerate("other small article helper verb adjective noun stop rest".split()):
        print(name, (what == k).sum(), [vocab[i] for i in np.flatnonzero(what == k)[200:212]])


class Gloss:
    """How kinds of glossing differ, and what they make of pieces."""

    def __init__(self, plain, rng):
        self.base, self.what, self.rng = plain["base"], plain["what"], rng
        content = np.isin(self.what, (VERB, ADJECTIVE, NOUN))
        self.content, self.some = content, np.unique(self.base[content])
        self.rare = np.flatnonzero(self.what != REST)[-9000:-100]
        self.table = np.tile(self.base, (KINDS, 1))
        for w in plain["small"]:
            others = plain[f"s_{w}"]
            for k in range(KINDS):
                if rng.random() < .45:
                    self.table[k, w] = rng.choice(others)
        pick = lambda *x: np.array(x)[rng.integers(len(x), size=KINDS)]
        self.article, self.helper = pick(0, 0, .8, .95), pick(.2, .6, .9)  # how many of them stay
        self.small = pick(.75, .9, 1)
        self.verb, self.adjective, self.noise = pick(0, 0, 3, 7), pick(0, 1.6), pick(0, .3, .8, 1.6)
        self.strange, self.false = pick(.01, .04, .08), pick(.01, .03, .06)

    def chance(self, seed, ids, salt):
        """The same for the same word in the same example, evenly from 0 to 1."""
        x = (seed.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + ids.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F) + np.uint64(salt * 0x165667B19E3779F9 % 2**64))
        x ^= x >> np.uint64(29)
        x *= np.uint64(0xBF58476D1CE4E5B9)
        x ^= x >> np.uint64(32)
        return (x >> np.uint64(11)).astype(np.float64) / 2**53

    def texts(self, ids, offs, kind, seed):
        """Pieces of texts one behind the other, glossed; their offsets; and for each piece the one it was."""
        count = np.diff(offs)
        text = np.repeat(np.arange(len(count)), count)
        k, seed = kind[text], seed[text]
        ids, what = ids.astype(np.int64), self.what[ids]
        rest = (what == REST)
        word = np.cumsum(~rest) - 1
        whole = ~rest
        whole[:-1] &= ~rest[1:]  # a word of one piece
        u = self.rng.random(len(ids), dtype=np.float32)
        out = np.where(whole & (u < .96), self.table[k, ids], ids)
        content = whole & self.content[ids]
        # A word by another sense of it, mostly each time; one that no list knows.
        same = self.chance(seed, out, 1)
        false = content & ((same < self.false[k]) | (self.rng.random(len(ids)) < self.false[k] / 4))
        out = np.where(false, self.some[(self.chance(seed, out, 2) * len(self.some)).astype(np.int64)], out)
        strange = content & (self.chance(seed, self.base[ids], 3) < self.strange[k])
        out = np.where(strange, self.rare[(self.chance(seed, self.base[ids], 4) * len(self.rare)).astype(np.int64)], out)
        # What is missing.
        stays = np.ones(len(ids))
        for of, share in ((ARTICLE, self.article), (HELPER, self.helper), (SMALLS, self.small)):
            stays = np.where(what == of, share[k], stays)
        keep = ~(whole & (self.rng.random(len(ids)) >= stays))
        # Another order, within what stands between two stops.
        stop = what == STOP
        part = np.cumsum(stop | np.concatenate([[True], text[1:] != text[:-1]]) | np.concatenate([[False], stop[:-1]]))
        place = word.astype(np.float64)
        first = ~rest
        move = self.rng.normal(size=len(ids)) * self.noise[k] + np.where(what == VERB, self.verb[k], 0) + np.where(what == ADJECTIVE, self.adjective[k], 0)
        at = np.flatnonzero(first)
        place += np.where(stop, 0, move)[at][np.maximum(word, 0)]  # the pieces of a word stay together
        order = np.lexsort((np.arange(len(ids)), word, place, part))
        order = order[keep[order]]
        return out[order].astype(np.uint16), np.concatenate([[0], np.cumsum(np.bincount(text[order], minlength=len(count)))]), order


def cut(flat, offs, which):
    """Some of the texts that stand one behind the other, one behind the other."""
    n = np.diff(offs)[which]
    at = np.repeat(offs[which] - np.concatenate([[0], np.cumsum(n)[:-1]]), n) + np.arange(n.sum())
    return flat[at], np.concatenate([[0], np.cumsum(n)]), at


def add(z, plain, rng, many, held):
    """Puts glossed examples behind those of a pack: many of those that are learned from, and of the claims that were held back. "origin" and "was" tell what each of these, and each piece of their claims, comes from."""
    n, e = len(z["label"]), np.diff(z["evo"])[z["ev"]]
    first = np.array([str(x).partition(".")[0] for x in z["sets"]])[z["set"]]
    fit = (e <= 260) & (np.diff(z["clo"]) >= 4) & (np.isin(z["kind"], (TRAIN, PAIRS)) | (z["label"] == UNKNOWN) | (first == "edit"))
    some = rng.choice(np.flatnonzero(fit), min(many, fit.sum()), replace=False)
    back = np.flatnonzero((first == "held") & (e <= 300))
    back = rng.choice(back, min(held, len(back)), replace=False)
    rows = np.concatenate([some, back])
    kind, seed = rng.integers(KINDS, size=len(rows)), rng.integers(1 << 30, size=len(rows))
    gloss, lot = Gloss(plain, rng), rng.random(len(rows))
    whole = {"ev": (lot < .85), "cl": (lot < .70) | (lot >= .85)}  # an answer may be in another language than its source
    made = {}
    for side, flat, offs, which in (("ev", "evf", "evo", z["ev"][rows]), ("cl", "clf", "clo", rows)):
        ids, o, at = cut(z[flat], z[offs], which)
        glossed = np.flatnonzero(whole[side])
        ids2, o2, at2 = cut(ids, o, glossed)
        new, no, was = gloss.texts(ids2, o2, kind[glossed], seed[glossed])
        plainly = np.flatnonzero(~whole[side])
        ids3, o3, at3 = cut(ids, o, plainly)
        count = np.zeros(len(rows), np.int64)
        count[glossed], count[plainly] = np.diff(no), np.diff(o3)
        offs2 = np.concatenate([[0], np.cumsum(count)])
        to = np.zeros(offs2[-1], np.uint16)
        of = np.zeros(offs2[-1], np.int64)
        for part, ids_, o_, src in ((glossed, new, no, at[at2[was]]), (plainly, ids3, o3, at[at3])):
            put = np.repeat(offs2[part] - o_[:-1], np.diff(o_)) + np.arange(o_[-1])
            to[put], of[put] = ids_, src
        made[side] = to, offs2, of
    (evf, evo, _), (clf, clo, of) = made["ev"], made["cl"]
    z["ev"] = np.concatenate([z["ev"], (len(z["evo"]) - 1 + np.arange(len(rows))).astype(z["ev"].dtype)])
    z["evf"], z["evo"] = np.concatenate([z["evf"], evf]), np.concatenate([z["evo"], z["evo"][-1] + evo[1:]])
    z["was"], z["origin"] = of.astype(np.int32), rows.astype(np.int32)
    z["clf"], z["clo"], z["tkf"] = np.concatenate([z["clf"], clf]), np.concatenate([z["clo"], z["clo"][-1] + clo[1:]]), np.concatenate([z["tkf"], z["tkf"][of]])
    z["sets"] = np.array([*map(str, z["sets"]), "glossed.all", "held.glossed"])
    last = len(z["sets"])
    for k in ("label", "fam", "kind", "row", "alone", "set"):
        z[k] = np.concatenate([z[k], z[k][rows]])
    z["set"][n:n + len(some)], z["set"][n + len(some):] = last - 2, last - 1
    z["kind"][n:n + len(some)], z["row"][n:] = SYNTH, -1
    return rows


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("what", choices=["words", "add", "show"])
    ap.add_argument("--vocab", required=True)
    ap.add_argument("--out")
    ap.add_argument("--wordnet")
    ap.add_argument("--pack")
    ap.add_argument("--plain")
    a = ap.parse_args()
    if a.what == "words":
        return words(a)
    vocab = [x.rstrip("\n") for x in open(a.vocab, encoding="utf-8")]
    z, rng = dict(np.load(a.pack)), np.random.default_rng(9)
    if a.what == "add":
        add(z, dict(np.load(a.plain)), rng, 100000, 1000)
        return np.savez_compressed(a.out, **z)
    rows = add(z, dict(np.load(a.plain)), rng, 5000, 200)
    n = len(z["label"]) - len(rows)
    text = lambda f, o, i: " ".join(vocab[x] for x in z[f][z[o][i]:z[o][i + 1]]).replace(" ##", "")
    for i in range(8):
        print(text("evf", "evo", z["ev"][rows[i]])[:500], "|", text("clf", "clo", rows[i]))
        print("  ->", text("evf", "evo", z["ev"][n + i])[:500], "|", text("clf", "clo", n + i), z["label"][n + i])


if __name__ == "__main__":
    main()
