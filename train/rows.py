"""What the rows of a pack are, and figures over them: shared by what makes, teaches and trains."""
import re

import numpy as np

TRAIN, PAIRS, SYNTH, EVAL = 0, 1, 2, 3  # kinds of rows
UNKNOWN = 4  # a label: only a teacher says something
BREAK = re.compile(r"(?<=[.!?])[\"”')]*\s+(?=[\"“'(]*[A-Z0-9À-Þ])|\n+")  # between sentences


def priors(first, pack, most):
    """Log odds of support in the group of sets a row is of: what a set's shares tell, the claim need not. first names each row's maker."""
    made = np.where(pack.kind == SYNTH, first, "")
    group = np.unique([f"{m} {f} {k}" for m, f, k in zip(made, pack.fam, pack.kind)], return_inverse=True)[1]
    share = (np.bincount(group, pack.label == 0) + 1) / (np.bincount(group) + 2)
    return np.clip(np.log(share / (1 - share)), -most, most).astype(np.float32)[group]


def auroc(y, s):
    order = np.argsort(s, kind="stable")
    ranks = np.empty(len(s))
    ranks[order] = np.arange(1, len(s) + 1)
    pos = y.sum()
    return (ranks[y].sum() - pos * (pos + 1) / 2) / (pos * (len(y) - pos)) if 0 < pos < len(y) else float("nan")


def report(pack, rows, logits, name):
    """Prints for each set balanced accuracy at 0 and at its best threshold, and AUROC; then the means of the eval sets, of our own claims that were held back, of what was exchanged in these, of answers of our own, and of those in other languages."""
    s = logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])
    table, means = {}, {}
    for i, what in enumerate(pack.sets):
        at = pack.set[rows] == i
        y, x = pack.label[rows][at] == 0, s[at]
        if not y.any() or y.all():
            continue
        balanced = lambda t: (np.mean(x[y] >= t) + np.mean(x[~y] < t)) / 2
        table[what] = len(y), balanced(0), max(balanced(t) for t in np.quantile(x, np.linspace(.02, .98, 49))), auroc(y, x)
        if (pack.kind[rows][at] == EVAL).all():
            means.setdefault(what.partition(".")[0] if what.startswith(("held.", "swapped.", "answers.", "tongues.")) else "eval", []).append(table[what][1:])
    print(name, " ".join(f"{k[:18]} {v[1]:.3f}/{v[2]:.3f}/{v[3]:.3f}" for k, v in table.items()), flush=True)
    for what, all in means.items():
        print(f"{name}, {what} in the mean: " + "/".join(f"{v:.3f}" for v in np.mean(all, 0)), flush=True)
    return table
