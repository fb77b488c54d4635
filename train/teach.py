"""A decoder learns to judge, writes claims, and says what it thinks of every example, for a student to learn from.

    python train/teach.py prepare --texts train/data/pack.texts.gz --pack train/data/pack.npz --tokenizer train/data/qwen.tokenizer.json --out train/data/words.npz
    python train/teach.py write --words train/data/words.npz --decoder train/data/qwen --out train/data/written.npz
    python train/teach.py finish --pack train/data/pack.npz --texts train/data/pack.texts.gz --words train/data/words.npz --written train/data/written.npz --vocab vocab.txt --tokenizer train/data/qwen.tokenizer.json --out train/data/taught.npz
    python train/teach.py judge --words train/data/words.npz --decoder train/data/qwen --written train/data/written.npz --without wice+summedits+fm2+attributionbench+fever --out train/data/said.npz

An evidence is read once with all its claims behind it; each claim sees the evidence and itself.
"""
import argparse
import collections
import gzip
import json
import re
import time

import numpy as np

from rows import BREAK, EVAL, PAIRS, SYNTH, TRAIN, UNKNOWN, priors, report

USER, END = "<|im_start|>", "<|im_end|>"
MOST = 1024  # tokens of a sequence
# How often an example of a set is seen by the decoder.
TIMES = {
    "attributionbench_nolfqa": 2, "expertqa": 1.5, "fm2": 2, "gensearch": 2, "mds": 2, "summedits": 1, "wice": 3, "wice_tokens": 2, "fever": 0.5,
    "snli": 0.4, "cad_snli": 0.4, "mnli_m": 1, "mnli_mm": 1, "paws_wiki": 0.5, "hans": 0.1, "breaking_nli": 0.2, "conjnli": 0.5, "scitail": 1,
    "fever_nei": 1, "wikisplit": 0.4, "falke": 2, "citation_integrity": 0, "sts": 0, "wnli": 0,
    "synth": 1, "edit": 0.1, "among": 0.3, "left": 0,
}
ASKS = [
    "Answer a question that a reader may have about this passage in two or three sentences. Do not repeat the question.",
    "Summarize the passage in two sentences, in your own words.",
    "State three facts of the passage, one sentence each, in words of your own.",
    "Explain to a friend what this passage is about, in three sentences, and add what you know yourself.",
    "Write two sentences that sound as if they followed from the passage, but go further than it does.",
    "Write two sentences about the subject of the passage that each get one detail of it wrong.",
    "Rewrite the most important claim of the passage as one plain sentence. Then draw a conclusion from it in a second sentence.",
]
LEAD = re.compile(r"\s*(?:[-*•]\s+|\d+[.)]\s+|(?:Fact|Sentence|Claim|Answer|Summary|Conclusion|Question)\s*\d*:\s*|\*\*)*")


def flat(xs, dt):
    return np.concatenate([np.asarray(x, dt) for x in xs]), np.cumsum([0] + [len(x) for x in xs]).astype(np.int64)


def prepare(a):
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
    for i, s in enumerate(ASKS):
        parts[f"ask{i}"] = ids("\n\n" + s) + one(END) + ids("\n") + one(USER) + ids("assistant\n")
    used = np.unique(np.concatenate([np.asarray(x, np.int64) for x in ev + cl + [np.arange(12000)] + list(parts.values())]))
    at = np.zeros(used.max() + 1, np.int64)
    at[used] = np.arange(len(used))
    table = {c: b for b, c in enumerate_bytes()}
    raw = [bytes(table.get(c, 63) for c in tok.id_to_token(int(i)) or "") if i < 151643 else b"" for i in used]
    out = {"used": used, **{"p_" + k: at[np.array(v)] for k, v in parts.items()}}
    dt = np.uint16 if len(used) < 65536 else np.int32
    (evf, out["evo"]), (clf, out["clo"]), (out["tkf"], _) = flat(ev, np.int64), flat(cl, np.int64), flat(tk, np.uint8)
    out["evf"], out["clf"] = at[evf].astype(dt), at[clf].astype(dt)
    out["raw"], out["rawo"] = flat([np.frombuffer(r, np.uint8) for r in raw], np.uint8)
    for k in ("ev", "label", "set", "fam", "kind", "sets", "fams"):
        out[k] = z[k]
    np.savez_compressed(a.out, **out)
    np.save(a.out.removesuffix(".npz") + ".used.npy", used)
    alone = int(np.diff(out["evo"])[z["ev"]].sum())
    print("evidence", len(ev), len(evf), "claims", len(cl), len(clf), "vocabulary", len(used), "; each evidence read once:", f"{(len(evf) + len(clf)) / (alone + len(clf)):.2f} of the tokens")


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


class Words:
    """Examples as tokens: row i reads evidence ev[i] and claim i. More can be added."""

    def __init__(self, path):
        z = dict(np.load(path))
        self.sets, self.fams = [str(x) for x in z["sets"]], [str(x) for x in z["fams"]]
        for k in ("ev", "label", "set", "fam", "kind"):
            setattr(self, k, z[k].astype(np.int64))
        self.part = {k[2:]: z[k] for k in z if k.startswith("p_")}
        self.evf, self.evo, self.clf, self.clo, self.tkf = z["evf"], z["evo"], z["clf"], z["clo"], z["tkf"]
        self.raw = [bytes(z["raw"][x:y]) for x, y in zip(z["rawo"][:-1], z["rawo"][1:])]

    def add(self, ev, claims):
        """Claims of unknown label, each beside its evidence."""
        more, _ = flat(claims, self.clf.dtype)
        self.clf, self.tkf = np.concatenate([self.clf, more]), np.concatenate([self.tkf, np.full(len(more), 255, np.uint8)])
        self.clo = np.concatenate([self.clo, self.clo[-1] + np.cumsum([len(c) for c in claims])])
        first = {}
        for r, e in enumerate(self.ev):
            first.setdefault(e, r)
        like = np.array([first[e] for e in ev])
        self.ev = np.concatenate([self.ev, ev])
        self.label = np.concatenate([self.label, np.full(len(ev), UNKNOWN)])
        self.set = np.concatenate([self.set, np.full(len(ev), -1)])
        self.fam = np.concatenate([self.fam, self.fam[like]])
        self.kind = np.concatenate([self.kind, np.full(len(ev), SYNTH)])

    def evidence(self, e):
        return self.evf[self.evo[e]:self.evo[e + 1]]

    def claim(self, r):
        return self.clf[self.clo[r]:self.clo[r + 1]]


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
    """A decoder with two heads: what it thinks of a claim, after reading it, and of each token of it."""

    def __init__(self, a, w):
        import torch
        from torch import nn
        from decoder import Decoder
        self.torch, self.w, self.tokens, self.limit = torch, w, a.tokens, a.limit
        self.t0 = time.time()
        self.dev = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(1)
        self.model = Decoder(a.decoder, self.dev, rank=a.rank, layers=a.layers).to(self.dev)
        self.head, self.token = nn.Linear(1536, 3).to(self.dev), nn.Linear(1536, 1).to(self.dev)
        yes, no = self.model.words[w.part["yesno"]].float()
        with torch.no_grad():
            self.head.weight.copy_(torch.stack([yes, no, no]))  # what it would answer untaught
            for p in (self.head.bias, self.token.weight, self.token.bias):
                p.zero_()
        self.say(f"loaded, {len(w.ev)} rows")

    def say(self, text):
        print(f"{text}, at {time.time() - self.t0:.0f} s", flush=True)

    def forward(self, width, groups):
        """Rows, their logits, and those of their claims' tokens, one claim behind the other."""
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

    def learn(self, out, lr):
        torch, w, F = self.torch, self.w, self.torch.nn.functional
        rng = np.random.default_rng(1)
        k = times_of(w)
        k[(w.kind == EVAL) | (w.label == UNKNOWN) | out] = 0
        # Claims of one evidence are taken or left together, so that it is read once.
        many = np.floor(k + rng.random(len(w.evo))[w.ev]).astype(int)
        plan = [b for i in range(many.max()) for b in batches(w, np.flatnonzero(many > i), self.tokens, rng)]
        plan = [plan[i] for i in rng.permutation(len(plan))][:self.limit or None]
        prior = torch.from_numpy(priors(made_by(w), w, 2)).to(self.dev)
        ps = [p for m in (self.model, self.head, self.token) for p in m.parameters()]
        opt = torch.optim.AdamW(ps, lr=lr, betas=(0.9, 0.98), weight_decay=0.01, fused=self.dev == "cuda")
        t1, count = time.time(), 0
        for i, (width, groups) in enumerate(plan):
            f = i / len(plan)
            for g in opt.param_groups:
                g["lr"] = lr * min(1, f / 0.06 + 0.01) * (1 - max(0, (f - 0.06) / 0.94))
            torch.backends.cuda.enable_cudnn_sdp(width % 128 == 0)  # at other widths its gradients are NaN (PyTorch 2.11)
            rows, logits, tl = self.forward(width, groups)
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
        for layer in self.model.layers:
            layer.settle()
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


def judge(a):
    """Learns without some families, and says what it thinks of the rows that a student shall learn from."""
    w = Words(a.words)
    z = dict(np.load(a.written))
    w.add(z["ev"].astype(np.int64), [z["clf"][i:j] for i, j in zip(z["clo"][:-1], z["clo"][1:])])
    teacher = Teacher(a, w)
    pair, said = np.full((len(w.ev), 3), np.nan, np.float32), np.zeros(len(w.clf), np.int8)
    out = np.isin(w.fam, [w.fams.index(f) for f in a.without.split("+") if f])
    left = np.random.default_rng(0).permutation(np.flatnonzero((w.kind == EVAL) | out & (w.kind != SYNTH)))
    some = np.concatenate([left[w.set[left] == s][:a.some] for s in np.unique(w.set[left])])

    def figures(name):
        teacher.judge(some, pair, said)
        done = some[~np.isnan(pair[some, 0])]
        report(w, done, pair[done], name)

    if a.untaught:
        figures("untaught")
    teacher.learn(out, a.lr)
    figures("taught")
    teacher.judge(chosen(w, a.evidences), pair, said, a.until)
    np.savez_compressed(a.out, pair=pair.astype(np.float16), said=said)


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
    """Rows that a student shall learn from: what was labelled, and what was made of some evidences that claims were written about."""
    rng = np.random.default_rng(5)
    first = made_by(w)
    about = np.intersect1d(w.ev[w.set < 0], w.ev[(w.kind == TRAIN) | (first == "synth")])
    some = np.zeros(len(w.evo), bool)
    some[rng.permutation(about)[:evidences]] = True
    by_evidence, by_row = rng.random(len(w.evo))[w.ev], rng.random(len(w.ev))
    take = (first == "left") | some[w.ev] & ((first == "written") | (first == "synth") & (by_row < .5))
    take |= (times_of(w) > 0) & (np.isin(w.kind, (TRAIN, PAIRS)) | (first == "edit") & (by_evidence < .25) | (first == "among") & (by_evidence < .15))
    return np.flatnonzero(take & (w.kind != EVAL) & ~np.isin(first, ("hans", "breaking_nli", "wikisplit")))


def write(a):
    """Claims that the decoder writes, untaught, about what was read; with the index of the evidence of each."""
    w = Words(a.words)
    teacher = Teacher(a, w)
    rng = np.random.default_rng(3)
    sizes, kinds = np.diff(w.evo), np.full(len(w.evo) - 1, -1)
    kinds[w.ev] = w.kind
    kinds[w.ev[w.kind == EVAL]] = EVAL
    picked = rng.permutation(np.flatnonzero((kinds != EVAL) & (sizes >= 50) & (sizes <= 420)))[:a.evidences]
    picked = picked[np.argsort(sizes[picked], kind="stable")]
    evs, claims = [], []
    end = int(w.part["end"][0])
    for at in range(0, len(picked), a.batch):
        if time.time() - teacher.t0 > a.until:
            break
        part = picked[at:at + a.batch]
        asks = [np.concatenate([w.part["head"], w.evidence(e), w.part[f"ask{rng.integers(len(ASKS))}"]]) for e in part]
        got = teacher.model.write([teacher.torch.from_numpy(x.astype(np.int64)) for x in asks], a.new, end, seed=at)
        for e, x in zip(np.tile(part, len(got)), got.reshape(-1, a.new).cpu().numpy()):
            x = x[:int(np.argmax(x == end))] if (x == end).any() else x
            for c in claims_of(w, x):
                evs.append(e)
                claims.append(c)
    for i in rng.permutation(len(claims))[:12]:
        print("wrote:", b"".join(w.raw[t] for t in claims[i]).decode("utf-8", "replace").strip())
    teacher.say(f"wrote {len(claims)} claims")
    clf, clo = flat(claims, w.clf.dtype)
    np.savez_compressed(a.out, ev=np.array(evs, np.int32), clf=clf, clo=clo)


def claims_of(w, ids):
    """The sentences of an answer, as tokens."""
    if not len(ids):
        return
    pieces = [w.raw[t].decode("latin-1") for t in ids]
    starts = np.cumsum([0] + [len(p) for p in pieces])
    text = "".join(pieces)
    at = 0
    for m in list(BREAK.finditer(text)) + [None]:
        lo, hi = at, m.start() if m else len(text)
        at = m.end() if m else len(text)
        lo += LEAD.match(text[lo:hi]).end()
        s = text[lo:hi].strip()
        if not 25 <= len(s) <= 400 or s[-1] not in ".!\"”)" or not re.match(r"[A-Z0-9\"“]", s):
            continue
        i, j = np.searchsorted(starts, lo, side="left"), np.searchsorted(starts, hi, side="left")
        if starts[i] != lo and i > 0 and text[starts[i - 1]:lo].strip() == "":
            i -= 1
        if j > i + 3:
            yield ids[i:j]


def finish(a):
    """The pack with what was written, and for each word piece the token whose judgement it takes."""
    from tokenizers import BertWordPieceTokenizer, Tokenizer
    tok, theirs = BertWordPieceTokenizer(a.vocab, lowercase=True), Tokenizer.from_file(a.tokenizer)
    tok.no_truncation()
    z, w, t, wrote = dict(np.load(a.pack)), Words(a.words), json.load(gzip.open(a.texts)), dict(np.load(a.written))
    old = [c for c, _ in t["claims"]]
    claims = [wrote["clf"][i:j] for i, j in zip(wrote["clo"][:-1], wrote["clo"][1:])]
    w.add(wrote["ev"].astype(np.int64), claims)
    pieces = [[w.raw[x].decode("utf-8", "replace") for x in c] for c in claims]
    new = ["".join(p) for p in pieces]
    enc = tok.encode_batch(old + [s.strip() for s in new], add_special_tokens=False)
    cl = [e.ids[:110] for e in enc[len(old):]]
    more, offs = flat(cl, np.uint16)
    z["clf"], z["tkf"] = np.concatenate([z["clf"], more]), np.concatenate([z["tkf"], np.full(len(more), 255, np.uint8)])
    z["clo"] = np.concatenate([z["clo"], z["clo"][-1] + offs[1:]])
    m, last = len(new), len(z["sets"])
    z["sets"] = np.array([str(s) for s in z["sets"]] + ["written.all"])
    for k, x in (("ev", wrote["ev"]), ("label", UNKNOWN), ("set", last), ("kind", SYNTH), ("row", -1)):
        z[k] = np.concatenate([z[k], np.full(m, x, z[k].dtype)])
    z["fam"] = w.fam.astype(z["fam"].dtype)
    # A word piece takes what was said at the token in which it ends.
    ends = [[y - 1 for _, y in e.offsets] for e in theirs.encode_batch([" " + s for s in old])]
    ends += [np.cumsum([len(x) for x in p]) - (len(s) - len(s.lstrip())) for p, s in zip(pieces, new)]
    back = [np.clip(np.searchsorted(x, [y for _, y in e.offsets[:n]]), 0, k - 1) for x, e, n, k in zip(ends, enc, np.diff(z["clo"]), np.diff(w.clo))]
    z["back"], z["theirs"] = np.concatenate(back).astype(np.uint8), np.diff(w.clo).astype(np.uint8)
    np.savez_compressed(a.out, **z)
    for i in list(range(3)) + [len(old), len(old) + 1]:
        print([tok.id_to_token(int(x)) for x in z["clf"][z["clo"][i]:z["clo"][i + 1]]], back[i])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("what", choices=["prepare", "write", "finish", "judge"])
    for k in ("texts", "pack", "tokenizer", "words", "decoder", "out", "written", "vocab"):
        ap.add_argument("--" + k)
    ap.add_argument("--without", default="", help="families that it learns nothing from, joined by +")
    ap.add_argument("--evidences", type=int, default=20000, help="how many are written about, or judged with the claims written about them")
    ap.add_argument("--some", type=int, default=200, help="rows of each set left out, for figures")
    ap.add_argument("--untaught", action="store_true", help="figures before it learned, too")
    ap.add_argument("--until", type=float, default=1e9, help="seconds after which it stops writing or judging")
    ap.add_argument("--rank", type=int, default=32, help="of what is learned beside each map")
    ap.add_argument("--lr", type=float, default=2e-4)
    ap.add_argument("--tokens", type=int, default=16384, help="of a step")
    ap.add_argument("--batch", type=int, default=640, help="prompts at a time in writing")
    ap.add_argument("--new", type=int, default=110, help="tokens of an answer at the most")
    ap.add_argument("--layers", type=int, help="fewer layers, to try the script")
    ap.add_argument("--limit", type=int, default=0, help="stop after so many steps, to try the script")
    a = ap.parse_args()
    {"prepare": prepare, "write": write, "finish": finish, "judge": judge}[a.what](a)


if __name__ == "__main__":
    main()
