"""A decoder learns to judge, and says what it thinks of every example, for a student to learn from.

    python train/teach.py --words train/data/words.npz --decoder train/data/qwen --written train/data/written.npz --without wice+summedits+fm2+attributionbench+fever --out train/data/said.npz

An evidence is read once with all its claims behind it; each claim sees the evidence and itself. Contrast claims, and those in which a particular was
exchanged, have a head of their own, the strict one: whoever labelled answers and summaries lets an added word pass, they do not. Of every claim both heads
say what they think.
"""
import argparse
import collections
import time

import numpy as np

from rows import EVAL, PAIRS, SYNTH, TRAIN, UNKNOWN, priors, report
from words import Words

MOST = 1024  # tokens of a sequence
# How often an example of a set is seen by the decoder.
TIMES = {
    "attributionbench_nolfqa": 2, "expertqa": 1.5, "fm2": 2, "gensearch": 2, "mds": 2, "summedits": 1, "wice": 3, "wice_tokens": 2, "fever": 0.5,
    "snli": 0.4, "cad_snli": 0.4, "mnli_m": 1, "mnli_mm": 1, "paws_wiki": 0.5, "hans": 0.1, "breaking_nli": 0.2, "conjnli": 0.5, "scitail": 1,
    "fever_nei": 1, "wikisplit": 0.4, "falke": 2, "citation_integrity": 2, "sts": 0, "wnli": 0,
    "synth": 1, "edit": 0.1, "among": 0.3, "left": 0, "contrast": 0.35, "swap": 0.2,
}


def sequences(w, rows):
    """Groups of rows that share an evidence, with the group's length."""
    over = len(w.part["claim"]) + len(w.part["ask"])
    out, order = [], rows[np.argsort(w.ev[rows], kind="stable")]
    start = len(w.part["head"])
    group, size, last = [], 0, -1
    for r in order.tolist():
        n = over + int(w.clo[r + 1] - w.clo[r])
        e = int(w.ev[r])
        if group and (e != last or size + n > MOST):
            out.append((size, group))
            group = []
        if not group:
            size = start + int(w.evo[e + 1] - w.evo[e])
        group.append(r)
        size += n
        last = e
    if group:
        out.append((size, group))
    return out


def batches(w, rows, tokens, rng):
    seqs = sequences(w, rows)
    seqs = [seqs[i] for i in rng.permutation(len(seqs))]
    by = collections.defaultdict(list)
    out = []
    for size, group in seqs:
        width = -(-size // 64) * 64
        by[width].append(group)
        if len(by[width]) == max(1, tokens // width):
            out.append((width, by.pop(width)))
    out += by.items()
    return [out[i] for i in rng.permutation(len(out))]


def lay(w, width, groups):
    """ids, places, branch of each token (0: evidence), and for each row: sequence, last token, where its claim's tokens start and how many."""
    n = len(groups)
    ids, places, branch = np.zeros((n, width), np.int64), np.zeros((n, width), np.int64), np.full((n, width), -1, np.int64)
    rows = []
    for i, g in enumerate(groups):
        head = np.concatenate([w.part["head"], w.evidence(w.ev[g[0]])])
        at = len(head)
        ids[i, :at], places[i, :at], branch[i, :at] = head, np.arange(at), 0
        for b, r in enumerate(g):
            c = w.claim(r)
            x = np.concatenate([w.part["claim"], c, w.part["ask"]])
            ids[i, at:at + len(x)], places[i, at:at + len(x)], branch[i, at:at + len(x)] = x, len(head) + np.arange(len(x)), b + 1
            rows.append((r, i, at + len(x) - 1, at + len(w.part["claim"]), len(c)))
            at += len(x)
    return ids, places, branch, rows


class Teacher:
    """A decoder with three heads: what it thinks of a claim, after reading it, more or less strictly, and of each token of it."""

    def __init__(self, a, w):
        import torch
        from torch import nn
        from decoder import Decoder
        self.torch, self.w, self.tokens, self.limit = torch, w, a.tokens, a.limit
        self.t0 = time.time()
        self.dev = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(a.seed)
        self.model = Decoder(a.decoder, self.dev, rank=a.rank, layers=a.layers).to(self.dev)
        self.head, self.token = nn.Linear(1536, 6).to(self.dev), nn.Linear(1536, 1).to(self.dev)
        yes, no = self.model.words[w.part["yesno"]].float()
        with torch.no_grad():
            self.head.weight.copy_(torch.stack([yes, no, no] * 2))  # what it would answer untaught
            for p in (self.head.bias, self.token.weight, self.token.bias):
                p.zero_()
        self.say(f"loaded, {len(w.ev)} rows")

    def say(self, text):
        print(f"{text}, at {time.time() - self.t0:.0f} s", flush=True)

    def forward(self, width, groups):
        """Rows, their logits by the first and by the strict head, and those of their claims' tokens, one claim behind the other."""
        torch = self.torch
        put = lambda x: torch.from_numpy(x).to(self.dev, non_blocking=True)
        ids, places, branch, rows = lay(self.w, width, groups)
        rows, branch, at = np.array(rows), put(branch), torch.arange(width, device=self.dev)
        mask = (at[None, :, None] >= at[None, None, :]) & ((branch[:, None, :] == 0) | (branch[:, :, None] == branch[:, None, :]))
        with torch.autocast(self.dev, torch.bfloat16):
            x = self.model(put(ids), put(places), mask[:, None])
            row, seq, last, start, n = rows.T
            inside = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n) + np.repeat(start, n)
            said = x[put(np.repeat(seq, n)), put(inside)].float()
            return row, self.head(x[put(seq), put(last)].float()).float(), self.token(said).squeeze(-1).float()

    def claims(self, rows):
        """Where the tokens of the rows' claims are among all."""
        return np.concatenate([np.arange(self.w.clo[r], self.w.clo[r + 1]) for r in rows])

    def learned(self):
        """What it learns: what stands beside the decoder's weights, and its heads."""
        return [p for m in (self.model, self.head, self.token) for p in m.parameters()]

    def keep(self, path):
        self.torch.save([p.detach().half().cpu() for p in self.learned()], path)

    def recall(self, path):
        """It learned all this before, as kept."""
        with self.torch.no_grad():
            for p, q in zip(self.learned(), self.torch.load(path), strict=True):
                p.copy_(q)

    def learn(self, out, lr, pairs, synth, seed):
        torch, w, F = self.torch, self.w, self.torch.nn.functional
        rng = np.random.default_rng(seed)
        k = times_of(w) * np.where(w.kind == TRAIN, 1, np.where(made_by(w) == "synth", synth, pairs))
        k[(w.kind == EVAL) | (w.label == UNKNOWN) | out] = 0
        # Claims of one evidence are taken or left together, so that it is read once.
        many = np.floor(k + rng.random(len(w.evo))[w.ev]).astype(int)
        plan = [b for i in range(many.max()) for b in batches(w, np.flatnonzero(many > i), self.tokens, rng)]
        plan = [plan[i] for i in rng.permutation(len(plan))][:self.limit or None]
        prior = torch.from_numpy(priors(made_by(w), w, 2) + w.alone).to(self.dev)
        own = torch.from_numpy((w.fam == w.fams.index("contrast")) | (made_by(w) == "swap")).to(self.dev)
        ps = self.learned()
        opt = torch.optim.AdamW(ps, lr=lr, betas=(0.9, 0.98), weight_decay=0.01, fused=self.dev == "cuda")
        t1, count = time.time(), 0
        for i, (width, groups) in enumerate(plan):
            f = i / len(plan)
            for g in opt.param_groups:
                g["lr"] = lr * min(1, f / 0.06 + 0.01) * (1 - max(0, (f - 0.06) / 0.94))
            torch.backends.cuda.enable_cudnn_sdp(width % 128 == 0)  # at other widths its gradients are NaN (PyTorch 2.11)
            rows, logits, tl = self.forward(width, groups)
            logits = torch.where(own[rows][:, None], logits[:, 3:], logits[:, :3])
            y = torch.from_numpy(w.label[rows]).to(self.dev)
            lp = F.log_softmax(torch.cat([logits[:, :1] + prior[rows][:, None], logits[:, 1:]], 1), -1)
            hard = torch.where(y == 3, -torch.logsumexp(lp[:, 1:], -1), -lp.gather(1, y.clamp(max=2)[:, None]).squeeze(1))
            tk = torch.from_numpy(w.tkf[self.claims(rows)]).to(self.dev)
            weight = torch.where(tk == 0, 3.0, 1.0) * (tk != 255)
            one = F.binary_cross_entropy_with_logits(tl, (tk == 1).float(), reduction="none")
            loss = hard.mean() + 0.3 * (one * weight).sum() / weight.sum().clamp(min=1)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(ps, 1.0)
            opt.step()
            count += width * len(groups)
            if i % max(1, len(plan) // 8) == 0:
                self.say(f"{i}/{len(plan)} loss {loss.item():.3f} {count / (time.time() - t1) / 1e3:.0f} k tokens/s")
        self.say(f"learned, {count / 1e6:.1f} M tokens")

    def judge(self, rows, pair, said, until=1e9):
        torch = self.torch
        torch.backends.cuda.enable_cudnn_sdp(True)
        t1, count = time.time(), 0
        with torch.no_grad():
            for width, groups in batches(self.w, rows, 2 * self.tokens, np.random.default_rng(0))[:self.limit or None]:
                if time.time() - self.t0 > until:
                    self.say("not all judged: no time left")
                    break
                at, logits, tl = self.forward(width, groups)
                pair[at] = logits.cpu().numpy()
                said[self.claims(at)] = np.clip(np.rint(tl.cpu().numpy() * 12), -127, 127)
                count += width * len(groups)
        self.say(f"judged {len(rows)} rows, {count / 1e6:.1f} M tokens, {count / (time.time() - t1) / 1e3:.0f} k/s")


def made_by(w):
    """The first part of the name of each row's set."""
    return np.array([x.partition(".")[0] for x in w.sets] + ["written"])[w.set]


def times_of(w):
    """How often each row is seen; of what was made from a set that is not, none is."""
    def times(name):
        first, _, rest = name.partition(".")
        return 0 if first in ("edit", "among") and TIMES.get(rest.partition(".")[0], 1) == 0 else TIMES.get(first, 0)
    return np.array([times(s) for s in w.sets] + [0.0])[w.set]


def chosen(w, evidences):
    """Rows that a student shall learn from: what was labelled or written, and what was made of some evidences that claims were written about."""
    rng = np.random.default_rng(5)
    first = made_by(w)
    about = np.intersect1d(w.ev[w.set < 0], w.ev[(w.kind == TRAIN) | (first == "synth")])
    some = np.zeros(len(w.evo), bool)
    some[rng.permutation(about)[:evidences]] = True
    by_evidence, by_row = rng.random(len(w.evo))[w.ev], rng.random(len(w.ev))
    take = np.isin(first, ("left", "written")) | some[w.ev] & (first == "synth") & (by_row < .5) | (first == "swap") & (by_evidence < .5)
    take |= (times_of(w) > 0) & (np.isin(w.kind, (TRAIN, PAIRS)) & ((first != "contrast") | (by_evidence < .25)) | (first == "edit") & (by_evidence < .25) | (first == "among") & (by_evidence < .15))
    return np.flatnonzero(take & (w.kind != EVAL) & ~np.isin(first, ("hans", "breaking_nli", "wikisplit")))


def judge(a):
    """Learns without some families, and says what it thinks of the rows that a student shall learn from."""
    w = Words(a.words)
    w.read(a.written)
    teacher = Teacher(a, w)
    pair, said = np.full((len(w.ev), 6), np.nan, np.float32), np.zeros(len(w.clf), np.int8)
    out = np.isin(w.fam, [w.fams.index(f) for f in a.without.split("+") if f])
    left = np.random.default_rng(0).permutation(np.flatnonzero((w.kind == EVAL) | out & (w.kind != SYNTH)))
    some = np.concatenate([left[w.set[left] == s][:a.some] for s in np.unique(w.set[left])])

    def figures(name):
        teacher.judge(some, pair, said)
        done = some[~np.isnan(pair[some, 0])]
        report(w, done, pair[done, :3], name)
        report(w, done, pair[done, 3:], name + " strict")

    if a.untaught:
        figures("untaught")
    if a.learned:
        teacher.recall(a.learned)
    else:
        teacher.learn(out, a.lr, a.pairs, a.synth, a.seed)
    if a.keep:
        teacher.keep(a.keep)
    for layer in teacher.model.layers:
        layer.settle()
    figures("taught")
    rows, heard = chosen(w, a.evidences), np.zeros(len(w.ev), bool)
    for path in a.before:
        spoke = ~np.isnan(np.load(path)["pair"][:, 0])
        heard[:len(spoke)] |= spoke
    first = (w.set[rows] < 0) & ~heard[rows]
    for part in rows[first], rows[~first]:
        teacher.judge(part, pair, said, a.until)
    np.savez_compressed(a.out, pair=pair[:, :3].astype(np.float16), strict=pair[:, 3:].astype(np.float16), said=said)


def main():
    ap = argparse.ArgumentParser()
    for k in ("words", "decoder", "written", "out"):
        ap.add_argument("--" + k, required=True)
    ap.add_argument("--before", default=[], nargs="+", help="what other decoders said: of written claims of which they said nothing it speaks first")
    ap.add_argument("--keep", help="where what it learned goes")
    ap.add_argument("--learned", help="what it learned at another time, in place of learning")
    ap.add_argument("--seed", type=int, default=1, help="another one sees other examples in another order")
    ap.add_argument("--pairs", type=float, default=1, help="how much of the pairs, and of what was made of labelled examples, is learned from")
    ap.add_argument("--synth", type=float, default=1, help="how much of what was made of texts is learned from")
    ap.add_argument("--without", default="", help="families that it learns nothing from, joined by +")
    ap.add_argument("--evidences", type=int, default=20000, help="evidences whose made claims are judged, too")
    ap.add_argument("--some", type=int, default=200, help="rows of each set left out, for figures")
    ap.add_argument("--untaught", action="store_true", help="figures before it learned, too")
    ap.add_argument("--until", type=float, default=1e9, help="seconds after which it stops judging")
    ap.add_argument("--rank", type=int, default=32, help="of what is learned beside each map")
    ap.add_argument("--lr", type=float, default=2e-4)
    ap.add_argument("--tokens", type=int, default=16384, help="of a step")
    ap.add_argument("--layers", type=int, help="fewer layers, to try the script")
    ap.add_argument("--limit", type=int, default=0, help="stop after so many steps, to try the script")
    judge(ap.parse_args())


if __name__ == "__main__":
    main()
