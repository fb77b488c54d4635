"""Contrast claims, written and labelled for this, as records of the form that the benchmark data has.

    python train/contrast.py train/contrast train/data/own
    go run ./attribute/train readings train/data/own.jsonl.gz train/data/own

A file of train/contrast holds the cases of one kind of text: a line "## name", the question (Q) if there is one, the
passages (P), and claims that they support (+), that they say nothing or too little of (-), and that they deny (x). In some
files the words that make a claim wrong stand between [[ and ]]. Every tenth case is held back, to measure by.
"""
import glob
import gzip
import json
import os
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
        for folder, name, some in ("train", "contrast", [r for i, r in enumerate(all) if i % 10 != 9]), ("eval", "held", all[9::10]):
            os.makedirs(f"{out}/{folder}", exist_ok=True)
            with gzip.open(f"{out}/{folder}/{name}.{kind}.jsonl.gz", "wt", encoding="utf-8") as f:
                for r in some:
                    f.write(json.dumps(r, ensure_ascii=False) + "\n")
        print(kind, len(all), "cases", sum(len(r["segments"]) for r in all), "claims")


if __name__ == "__main__":
    main(*sys.argv[1:])
