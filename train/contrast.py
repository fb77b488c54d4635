"""Contrast claims, written and labelled for this, as records of the form that the benchmark data has.

    python train/contrast.py train/contrast train/data/own
    go run ./attribute/train readings train/data/own.jsonl.gz train/data/own

A file of train/contrast holds the cases of one kind of text: a line "## name", the question (Q) if there is one, the
passages (P), and claims that they support (+), that they say nothing or too little of (-), and that they deny (x). In some
files the words that make a claim wrong stand between [[ and ]]. Every tenth case is held back, to measure by. Of the others two
claims each are also joined to one sentence, which is supported if both are.
"""
import glob
import gzip
import json
import os
import random
import re
import sys

LABELS = {"+": "supported", "-": "unsupported", "x": "contradicted"}


def cases(path):
    """The cases of a file: question, passages, and claims with their labels."""
    out = []
    for n, line in enumerate(open(path, encoding="utf-8"), 1):
        mark, _, text = line.rstrip("\n").partition(" ")
        if mark == "##":
            out.append(("", [], []))
        elif mark == "Q:":
            out[-1] = (text, *out[-1][1:])
        elif mark == "P:":
            out[-1][1].append(text)
        elif mark in LABELS:
            out[-1][2].append((text, LABELS[mark]))
        elif line.strip():
            raise SystemExit(f"{path}:{n}: a line begins with ##, Q:, P:, +, - or x")
    return out


def unmarked(text):
    """A claim without its marks, and the places between them."""
    out, spans = "", []
    for i, part in enumerate(re.split(r"\[\[|\]\]", text)):
        if i % 2:
            spans.append((len(out), len(out) + len(part)))
        out += part
    return out, spans


JOINTS = ", and ", "; ", ", while ", ", and ", ". "  # between two claims of one sentence, or two
SMALL = re.compile(r"(The|A|An|This|That|These|It|Its|He|She|They|Their|In|On|At|Of|For|From|With|After|Before|By|If|When|While|Although|Some|Most|All|Both|One|Two|There|No|Not|Only)\b")
WORTH = {"contradicted": 2, "unsupported": 1, "supported": 0}


def join(a, b, rng):
    """Two claims as one. It is wrong where one of them is."""
    joint = rng.choice(JOINTS)
    tail = b[0][:1].lower() + b[0][1:] if joint != ". " and SMALL.match(b[0]) else b[0]
    return a[0].rstrip(".") + joint + tail, max(a[1], b[1], key=WORTH.get)


def alike(a, b):
    """Whether two claims are said of the same: joined, they would tell by themselves that one is wrong."""
    a, b = (set(re.findall(r"\w{4,}", x[0].lower())) for x in (a, b))
    return len(a & b) > .34 * min(len(a), len(b))


def joined(claims, rng):
    """Pairs of a case's claims: half of them two that are right, half one that is and one that is not."""
    right = [c for c in claims if c[1] == "supported"]
    wrong = [c for c in claims if c[1] != "supported"]
    out = []
    for others in right, wrong:
        few, used = rng.sample(right, len(right)), set()
        for a in few[: len(few) // 2]:
            fit = [b for b in others if b is not a and b not in used and not alike(a, b)]
            if fit and a not in used:
                b = rng.choice(fit)
                used |= {a, b}
                out.append(join(a, b, rng) if rng.random() < .5 else join(b, a, rng))
    return out


def record(name, question, passages, claims):
    segments, spans, at = [], [], 0
    for text, label in claims:
        text, wrong = unmarked(text)
        spans += [{"start": at + a, "end": at + b} for a, b in wrong]
        segments.append({"start": at, "end": at + len(text), "text": text, "label": label, "source_ids": [], "evidence": []})
        at += len(text) + 1
    sources = [{"id": f"p{i}", "title": "", "text": p} for i, p in enumerate(passages, 1)]
    return {"id": name, "dataset": "contrast", "split": "", "question": question, "answer": " ".join(s["text"] for s in segments), "sources": sources, "segments": segments, "spans": spans}


def main(source, out):
    for path in sorted(glob.glob(source + "/*.txt")):
        kind = os.path.basename(path)[:-len(".txt")]
        all = [record(f"{kind}-{i}", *c) for i, c in enumerate(cases(path))]
        rng = random.Random(kind)
        two = [record(f"{kind}-{i}", q, p, joined(c, rng)) for i, (q, p, c) in enumerate(cases(path))]
        learned = lambda rs: [r for i, r in enumerate(rs) if i % 10 != 9]
        for folder, name, some in ("train", "contrast", learned(all)), ("train", "joined", learned(two)), ("eval", "held", all[9::10]):
            os.makedirs(f"{out}/{folder}", exist_ok=True)
            with gzip.open(f"{out}/{folder}/{name}.{kind}.jsonl.gz", "wt", encoding="utf-8") as f:
                for r in some:
                    f.write(json.dumps(r, ensure_ascii=False) + "\n")
        print(kind, len(all), "cases", sum(len(r["segments"]) for r in all), "claims")


if __name__ == "__main__":
    main(*sys.argv[1:])
