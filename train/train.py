"""Trains, evaluates and exports judges. A run is one model; several runs in one process share what was compiled.

    python train/train.py --pack data/taught.npz --base data/mpnet.0.npz data/mpnet.1.npz --said data/said.npz --out DIR full wice:without=wice

A model learns what decoders said of each example (teach.py), the mean of it, and its label where it has one.
"""
import argparse
import copy
import json
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from export import export, weights
from model import load_base, load_written
from rows import EVAL, PAIRS, SYNTH, TRAIN, UNKNOWN, priors, report
from thin import thin

CLS, SEP = 101, 102
STOPS = (1012, 1029, 999)  # . ? !
WIDTHS = (40, 56, 80, 112, 144, 176, 208, 240, 288, 336, 384, 448)
ASIDE = 200  # of so many evidences the claims about one are not learned from, to see what is learned by heart
TEXTS, TEXT_WIDTH = 24, 96  # of each step, whose vectors stay where the base has them
THIN = 20  # batches that tell which values can go
# Kinds of contrast claims that are new to a model that goes on thinking what it thinks (--own): those that ibid-support-14 had not learned.
FRESH = ["cited", "claims_studies", "digests", "joined_facts", "reckoned", "roles", "figures_told", "dates_and_people", "terms_and_amounts", "who_and_where", "small_additions", "worked_out",
         "restated_answers", "restated_expert", "restated_health", "restated_news", "restated_summaries", "restated_talk", "restated_web"]
# How often an example of a set is seen in one epoch.
TIMES = {
    "attributionbench_nolfqa": 4, "expertqa": 3, "fm2": 4, "gensearch": 2, "mds": 2, "summedits": 1.5, "wice": 6, "wice_tokens": 3, "fever": 0.6,
    "snli": 0.5, "cad_snli": 0.5, "mnli_m": 1.2, "mnli_mm": 1.2, "paws_wiki": 0.6, "hans": 0.2, "breaking_nli": 0.4, "conjnli": 0.6, "scitail": 1.2,
    "fever_nei": 1, "wikisplit": 0.7, "falke": 2, "citation_integrity": 1, "sts": 0, "wnli": 0, "contrast": 1, "joined": 0.5,
}
BESIDE = 100000  # claims whose evidence also stands beside another
SYNTH_TIMES = {"synth": 0.35, "edit": 0.4, "among": 0.6, "unrelated": 0.7, "left": 1, "written": 1}
DEFAULTS = {
    "without": "", "seed": 1, "order": 1, "synth": 2.0, "written": 1.0, "pairs": 3.0, "most": 2.0, "adjust": 2.0,
    "beside": 0.6, "glossed": 0.8, "swap": 0.8, "before": 1.0, "from": "", "epochs": 4.0, "lr": 2.5e-4, "quant": 0.2, "embed": 2.0, "soft": 0.8, "own": 0.3, "strictly": 1.0, "alone": 1.0, "turn": 0.5, "heat": 1.0,
    "seconds": 0.0, "decay": 1.0,  # of a run, in place of its epochs; how far the rate falls
    "keep": 0,  # intermediate values of a layer, of those of the run it goes on from
    "every": 120.0,  # seconds after which a run whose model is written is written as it is then, in case its machine is lost
    "test": 1,  # whether it says what it thinks of what it had not seen
    # before: how often a claim is seen that was written before the newest were, beside how often these are
}


class Pack:
    """Examples as word pieces on the device: row i reads evidence ev[i] and claim cl[i]."""

    def __init__(self, path, device, unrelated=6000):
        z = dict(np.load(path))
        self.sets, self.fams = [str(x) for x in z["sets"]], [str(x) for x in z["fams"]]
        cols = {k: z[k] for k in ("set", "fam", "kind", "row", "label", "ev", "alone")}
        n = len(z["label"])
        cols["cl"] = np.arange(n)
        self.known = np.ones(n, bool)
        origin, self.was = (np.arange(many) if of is None else np.concatenate([np.arange(many - len(of)), of]) for many, of in ((n, z.get("origin")), (len(z["clf"]), z.get("was"))))
        made = (cols["kind"] == SYNTH) & (origin == np.arange(n))
        # Claims beside what has nothing to do with them: unsupported, and no contradiction.
        rng = np.random.default_rng(0)
        some = rng.choice(np.flatnonzero((z["kind"] == TRAIN) | (z["kind"] == PAIRS)), unrelated)
        more = {k: v[some].copy() for k, v in cols.items()}
        for f in np.unique(more["fam"]):  # of the same family, so that a family left out is left out
            at = more["fam"] == f
            more["ev"][at] = rng.choice(z["ev"][(z["fam"] == f) & (z["kind"] != EVAL)], at.sum())
        more["kind"][:], more["label"][:], more["set"][:], more["alone"][:] = SYNTH, 1, len(self.sets), 0
        more = {k: v[more["ev"] != z["ev"][some]] for k, v in more.items()}
        self.sets.append("unrelated")
        for k in cols:
            cols[k] = np.concatenate([cols[k], more[k]])
        self.known = np.concatenate([self.known, np.zeros(len(more["ev"]), bool)])
        self.origin = np.concatenate([origin, np.arange(n, len(cols["cl"]))])  # of a row: itself, or the row whose claim and label it has
        self.beside(z, cols, rng)
        self.packed = n
        self.made = np.concatenate([made, np.zeros(len(self.origin) - len(made), bool)])
        for k in ("set", "fam", "kind", "row", "label"):
            setattr(self, k, cols[k])
        self.n = len(self.label)
        t = lambda a, dt: torch.from_numpy(np.asarray(a).astype(dt)).to(device)
        self.evf, self.evo, self.clf, self.clo, self.tkf = t(z["evf"], "int32"), t(z["evo"], "int64"), t(z["clf"], "int32"), t(z["clo"], "int64"), t(z["tkf"], "uint8")
        self.stop = t(next_stop(z["evf"]), "int64")
        self.ev, self.cl, self.y = t(cols["ev"], "int64"), t(cols["cl"], "int64"), t(self.label, "int64")
        self.alone = t(cols["alone"], "float32")
        self.knows = t(self.known, "bool")
        e, c = np.diff(z["evo"]), np.diff(z["clo"])
        self.claim = c[cols["cl"]]
        self.length = np.minimum(e[cols["ev"]] + self.claim + 3, WIDTHS[-1])
        self.width = np.searchsorted(WIDTHS, self.length)
        self.total = int(self.claim.sum())
        self.at = t(np.concatenate([[0], np.cumsum(self.claim)]), "int64")  # of a row's tokens among all rows'
        self.device = device
        # Which token of a decoder each word piece takes what is said from.
        if "back" in z:
            theirs = np.concatenate([[0], np.cumsum(z["theirs"].astype(np.int64))])
            self.back = z["back"].astype(np.int64) + np.repeat(theirs[:-1], c[:len(theirs) - 1])

    def beside(self, z, cols, rng):
        """Adds claims whose evidence stands before or behind another one, which changes nothing of what is said of them."""
        e, c = np.diff(z["evo"]), np.diff(z["clo"])
        rows = np.arange(len(c))
        own = np.isin(cols["fam"][rows], [i for i, x in enumerate(self.fams) if x in ("told", "contrast")])
        room = WIDTHS[-1] - 3 - e[cols["ev"][rows]] - c
        fit = (self.origin[rows] == rows) & (room >= 120) & ((cols["kind"][rows] == TRAIN) | (cols["label"][rows] == UNKNOWN))
        some = rng.choice(rows[fit], min(BESIDE, fit.sum()), replace=False)
        other = np.unique(cols["ev"][rows[own]])
        other = rng.choice(other[e[other] >= 60], len(some))
        first = rng.random(len(some)) < 0.5
        parts, at = [], z["evo"]
        for r, o, before in zip(some, other, first):
            ev = cols["ev"][r]
            pair = z["evf"][at[ev]:at[ev + 1]], z["evf"][at[o]:at[o + 1]][:room[r]]
            parts.append(np.concatenate(pair[::-1] if before else pair))
        z["evf"] = np.concatenate([z["evf"], *parts])
        z["evo"] = np.concatenate([at, at[-1] + np.cumsum([len(x) for x in parts])])
        more = {k: v[some].copy() for k, v in cols.items()}
        more["ev"], more["kind"][:], more["set"][:] = len(at) - 1 + np.arange(len(some)), SYNTH, len(self.sets)
        self.sets.append("beside")
        for k in cols:
            cols[k] = np.concatenate([cols[k], more[k]])
        self.known = np.concatenate([self.known, self.known[some]])
        self.origin = np.concatenate([self.origin, some])

    def heard(self, paths):
        """What decoders said of each row by their first and by their strict head, and of its claim's word pieces, in the mean of those that spoke of it; NaN where none did.

        What a decoder said before there were more claims tells of the first ones: the rows up to first.
        """
        files = [dict(np.load(path)) for path in paths]
        self.first = min((len(z["pair"]) for z in files), default=0)
        token, spoke = np.zeros(self.total, np.float32), np.zeros(self.n, np.float32)
        row = np.repeat(np.arange(self.n), self.claim)
        for z in files:
            back = self.back[self.back < len(z["said"])]
            of = ~np.isnan(z["pair"][:, 0])
            spoke[:len(of)] += of
            token[:len(back)] += z["said"][back] * of[row[:len(back)]] / np.float32(12)
        token /= np.maximum(np.repeat(spoke, self.claim), 1)
        return self.told(*(mean_odds([z[k] for z in files if k in z], self.n) for k in ("pair", "strict")), token)

    def told(self, pair, strict, token):
        """What was said of each row and of its claim's word pieces, on the device; of what was made of another row, what was said of that."""
        begin = np.concatenate([[0], np.cumsum(self.claim)])
        token[:len(self.was)] = token[self.was]  # of glossed claims
        for r in np.flatnonzero((self.origin != np.arange(self.n)) & (np.arange(self.n) >= self.packed)):
            of = begin[self.origin[r]]
            token[begin[r]:begin[r + 1]] = token[of:of + self.claim[r]]
        pair, strict = (torch.from_numpy(x[self.origin]).to(self.device) for x in (pair, strict))
        return pair, strict, torch.from_numpy(token.astype(np.float16)).to(self.device)

    def priors(self, most):
        first = np.array([x.partition(".")[0] for x in self.sets])[self.set]
        return torch.from_numpy(priors(first, self, most)[self.origin]).to(self.device)

    def batch(self, r, width, turn=None):
        """ids, types, lengths, token targets (255: unknown), where the claim is, and where its tokens are among all rows'.

        A share turn of the evidences begins with another sentence, and what stood before it comes last.
        """
        ea, ca = self.evo[self.ev[r]], self.clo[self.cl[r]]
        en, cn = self.evo[self.ev[r] + 1] - ea, self.clo[self.cl[r] + 1] - ca
        en = torch.minimum(en, width - 3 - cn)
        p = torch.arange(width, device=self.device)[None]
        en1, cn1 = en[:, None], cn[:, None]
        read = p - 1
        if turn is not None:
            some = (torch.rand(len(r), device=self.device) * en).long()
            first = torch.where(torch.rand(len(r), device=self.device) < turn, self.stop[(ea + some).clamp(max=len(self.stop) - 1)] + 1 - ea, 0)
            read = (read + torch.where(first < en, first, 0)[:, None]) % en1.clamp(min=1)
        in_ev = (p >= 1) & (p <= en1)
        in_cl = (p >= en1 + 2) & (p < en1 + 2 + cn1)
        ids = torch.zeros((len(r), width), dtype=torch.int64, device=self.device)
        ids = torch.where(in_ev, self.evf[(ea[:, None] + read).clamp(0, len(self.evf) - 1)].long(), ids)
        inside = (p - en1 - 2).clamp(min=0)
        at = (ca[:, None] + inside).clamp(max=len(self.clf) - 1)
        ids = torch.where(in_cl, self.clf[at].long(), ids)
        ids = torch.where(p == 0, CLS, ids)
        ids = torch.where((p == en1 + 1) | (p == en1 + cn1 + 2), SEP, ids)
        types = ((p >= en1 + 2) & (p <= en1 + cn1 + 2)).long()
        tok = torch.where(in_cl & self.knows[r][:, None], self.tkf[at].long(), 255)
        return ids, types, en + cn + 3, tok, in_cl, (self.at[r][:, None] + inside).clamp(max=self.total - 1)

    def texts(self, r):
        """ids and lengths of single texts for the vectors: claims of even rows, evidence of odd ones."""
        even = r % 2 == 0
        a = torch.where(even, self.clo[self.cl[r]], self.evo[self.ev[r]])
        b = torch.where(even, self.clo[self.cl[r] + 1], self.evo[self.ev[r] + 1])
        n = torch.clamp(b - a, max=TEXT_WIDTH - 2)
        p = torch.arange(TEXT_WIDTH, device=self.device)[None]
        at = a[:, None] + p - 1
        both = torch.where(even[:, None], self.clf[at.clamp(0, len(self.clf) - 1)], self.evf[at.clamp(0, len(self.evf) - 1)]).long()
        ids = torch.where((p >= 1) & (p <= n[:, None]), both, 0)
        ids = torch.where(p == 0, CLS, ids)
        return torch.where(p == n[:, None] + 1, SEP, ids), n + 2


def mean_odds(files, n):
    """The mean of what several said of n rows, as logarithms; NaN where nobody spoke."""
    total, spoke = np.full((n, 3), -np.inf, np.float32), np.zeros(n, np.float32)
    for said in files:
        said = said.astype(np.float32)
        of = np.flatnonzero(~np.isnan(said[:, 0]))
        total[of] = np.logaddexp(total[of], said[of] - np.logaddexp.reduce(said[of], -1, keepdims=True))
        spoke[of] += 1
    with np.errstate(divide="ignore", invalid="ignore"):
        total -= np.log(spoke)[:, None]
    total[spoke == 0] = np.nan
    return total


def next_stop(pieces):
    """For each place that of the end of its sentence: of the first stop from there on."""
    at = np.where(np.isin(pieces, STOPS), np.arange(len(pieces)), len(pieces))
    return np.minimum.accumulate(at[::-1])[::-1]


def times(pack, run):
    out = np.zeros(pack.n)
    for i, name in enumerate(pack.sets):
        rows = pack.set == i
        first, _, rest = name.partition(".")
        if first in ("beside", "glossed", "swap"):
            k = run[first]
        elif first in SYNTH_TIMES:
            k = SYNTH_TIMES[first] * run["written" if first in ("left", "written") else "synth"]
            if first != "synth" and TIMES.get(rest.partition(".")[0], 1) == 0:
                k = 0
        else:
            k = min(run["most"], TIMES.get(first, 0)) * (run["pairs"] if (pack.kind[rows] == PAIRS).all() else 1)
        out[rows] = k
    out[pack.kind == EVAL] = 0
    for f in filter(None, run["without"].split("+")):
        out[pack.fam == pack.fams.index(f)] = 0
    return out


def batches(rng, pack, rows, tokens):
    """Pairs of a width and the rows of one batch; what is missing in the last batch of a width is marked by -1."""
    rows = rows[rng.permutation(len(rows))]
    out = []
    for i, width in enumerate(WIDTHS):
        mine, n = rows[pack.width[rows] == i], max(1, tokens // width)
        for at in range(0, len(mine), n):
            part = np.full(n, -1, np.int64)
            part[:len(mine[at:at + n])] = mine[at:at + n]
            out.append((width, part))
    return [out[i] for i in rng.permutation(len(out))]


class Replay:
    """A function of fixed tensors, on a GPU recorded once and replayed: started one by one, a step's 2,000 kernels take longer than their work."""
    pool = None

    def __init__(self, fn, *inputs):
        self.fn, self.inputs = fn, inputs
        if inputs[0].device.type != "cuda":
            self.graph = None
            return
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            fn(*inputs)
        torch.cuda.current_stream().wait_stream(side)
        Replay.pool = Replay.pool or torch.cuda.graph_pool_handle()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, pool=Replay.pool):
            self.out = fn(*inputs)

    def __call__(self, *values):
        for a, b in zip(self.inputs, values):
            a.copy_(b, non_blocking=True)
        if self.graph is None:
            return self.fn(*self.inputs)
        self.graph.replay()
        return self.out


class Trainer:
    def __init__(self, pack, model, base, tokens):
        self.pack, self.tokens = pack, tokens
        dev = pack.device
        self.model, self.base = model.train(), base
        self.first = copy.deepcopy(self.model.state_dict())
        self.mean = copy.deepcopy(self.model).eval().requires_grad_(False)
        ps = [p for p in self.model.parameters() if p.requires_grad]
        self.lr = torch.zeros((), device=dev)
        groups = [{"params": [p for p in ps if p.ndim > 1], "weight_decay": 0.01}, {"params": [p for p in ps if p.ndim <= 1], "weight_decay": 0.0}]
        self.opt = torch.optim.AdamW(groups, lr=self.lr if dev == "cuda" else 1e-4, betas=(0.9, 0.98), fused=dev == "cuda", capturable=dev == "cuda")
        self.learned = ps, [q for p, q in zip(self.model.parameters(), self.mean.parameters()) if p.requires_grad]
        self.own = torch.from_numpy((pack.fam == pack.fams.index("contrast")) & (pack.label != UNKNOWN)).to(dev)  # the strict head's rows
        self.both = torch.zeros(pack.n, device=dev)  # rows whose label both heads learn
        self.adjust = torch.zeros(pack.n, device=dev)
        self.soft = torch.zeros(pack.n, device=dev)  # how much of a row's lesson is what the decoder says
        self.strictly = torch.zeros(pack.n, device=dev)  # how much the strict head learns from what the decoder's strict one says, beside it
        self.soft_pair, self.soft_strict = (torch.zeros((pack.n, 3), device=dev) for _ in range(2))
        self.soft_token = torch.zeros(pack.total, dtype=torch.float16, device=dev)
        self.embed, self.turn, self.heat = (torch.zeros((), device=dev) for _ in range(3))
        self.steps, self.forwards, self.kept = {}, {}, {}
        Replay.pool = None

    def values(self):
        return self.model.layers[0].up.out_features

    def thinned(self, run, lesson):
        """One whose model has fewer intermediate values, taken out of what the run goes on from."""
        name = run["from"][1:]
        self.model.load_state_dict(self.kept[name])
        self.model.quantize(False)
        readings = (self.pack.batch(torch.from_numpy(rows).to(self.pack.device).clamp(min=0), width)[:3] for width, rows in lesson[:THIN])
        out = Trainer(self.pack, thin(self.model, run["keep"], readings), self.base, self.tokens)
        out.kept[name] = out.first
        return out

    def part(self, of):
        """The weights of a file, or of another run of this process (@name)."""
        if of.startswith("@"):
            return self.kept[of[1:]]
        return {k: torch.from_numpy(v).to(self.pack.device) for k, v in weights(of).items()}

    def reset(self, run):
        torch.manual_seed(run["seed"])
        with torch.no_grad():
            for k, v in self.model.state_dict().items():
                v.copy_(self.first[k])
            for m in (self.model.dense, self.model.pair, self.model.token):
                m.weight.normal_(std=0.02)
            self.model.strict.weight.copy_(self.model.pair.weight)
            if run["from"]:
                parts = [self.part(x) for x in run["from"].split("+")]
                self.model.load_state_dict({k: sum(p[k] for p in parts) / len(parts) for k in parts[0]})
            for p, q in zip(self.model.parameters(), self.mean.parameters()):
                q.copy_(p)
            for s in self.opt.state.values():
                for v in s.values():
                    v.zero_()
        self.model.quantize(False)
        self.mean.quantize(False)

    def loss(self, rows, texts, width):
        p, keep = self.pack, (rows >= 0).float()
        r = rows.clamp(min=0)
        ids, types, n, tok, in_cl, at = p.batch(r, width, self.turn)
        with torch.autocast(p.device, torch.bfloat16, cache_enabled=False):
            logits, strict, tl = self.model(ids, types, n)
        own = self.own[r][:, None]
        strictly = self.says(self.soft_strict[r], strict) * self.strictly[r]
        logits, soft_pair = torch.where(own, strict, logits), torch.where(own, self.soft_strict[r], self.soft_pair[r])
        y, adjust = p.y[r], self.adjust[r][:, None]

        def labelled(logits):
            lp = F.log_softmax(torch.cat([logits[:, :1].float() + adjust, logits[:, 1:].float()], 1), -1)
            return torch.where(y == 3, -torch.logsumexp(lp[:, 1:], -1), -lp.gather(1, y.clamp(max=2)[:, None]).squeeze(1))
        hard = labelled(logits)
        known = (tok != 255) * keep[:, None]
        weight = torch.where(tok == 0, 3.0, 1.0) * known
        tl = tl.float()
        one = F.binary_cross_entropy_with_logits(tl, (tok == 1).float(), reduction="none")
        soft = self.soft[r]
        pair = torch.lerp(hard, self.says(soft_pair, logits), soft) + strictly + labelled(strict) * self.both[r]
        inside, left = in_cl * keep[:, None], 1 - soft[:, None]
        says = (F.binary_cross_entropy_with_logits(tl, torch.sigmoid(self.soft_token[at].float()), reduction="none") * inside * soft[:, None]).sum() / inside.sum().clamp(min=1)
        token = (one * weight * left).sum() / weight.sum().clamp(min=1)
        out = (pair * keep).sum() / keep.sum() + 0.3 * (token + 2 * says)
        ids, n = p.texts(texts)
        with torch.autocast(p.device, torch.bfloat16, cache_enabled=False):
            with torch.no_grad():
                want = self.base.vectors(ids, n)
            have = self.model.vectors(ids, n)
        return out + self.embed * (1 - (have * want).sum(-1)).mean()

    def says(self, said, logits):
        """How far logits are from what a decoder said."""
        return -self.heat**2 * (F.softmax(said / self.heat, -1) * F.log_softmax(logits.float() / self.heat, -1)).sum(-1)

    def step(self, width):
        key = width, self.model.layers[0].qkv.quant
        if key not in self.steps:
            def fn(rows, texts):
                loss = self.loss(rows, texts, width)
                self.opt.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.learned[0], 1.0)
                self.opt.step()
                torch._foreach_lerp_(self.learned[1], self.learned[0], 0.005)
                return loss.detach()
            dev = self.pack.device
            self.steps[key] = Replay(fn, torch.zeros(max(1, self.tokens // width), dtype=torch.int64, device=dev), torch.arange(TEXTS, device=dev))
        return self.steps[key]

    def prepare(self, quant):
        for on in (False, True) if quant else (False,):
            self.model.quantize(on)
            for width in WIDTHS:
                self.step(width)

    def write(self, path, name):
        """The model as it is now, in few bits."""
        model = copy.deepcopy(self.mean)
        model.quantize()
        put(model, path, name)

    def train(self, run, plan, lr, name, path):
        rng = np.random.default_rng(run["order"])
        dev = self.pack.device
        self.adjust.copy_(run["alone"] * self.pack.alone)
        if run["adjust"]:
            self.adjust.add_(self.pack.priors(run["adjust"]))
        texts = torch.from_numpy(rng.choice(np.flatnonzero(self.pack.kind != EVAL), (len(plan), TEXTS))).to(dev)
        rows = [torch.from_numpy(r).to(dev) for _, r in plan]
        t0, tokens = time.time(), 0
        written = t0
        for i, (width, r) in enumerate(plan):
            f = i / len(plan)
            if run["quant"] and time.time() - written > run["every"]:
                self.write(path, name)
                written = time.time()
            if run["seconds"]:
                if i % 20 == 0:
                    if dev == "cuda":
                        torch.cuda.synchronize()
                    past = (time.time() - t0) / run["seconds"]
                if (f := past) >= 1:
                    break
            rate = lr * min(1, (f + 1e-4) / 0.06) * (1 - run["decay"] * max(0, (f - 0.06) / 0.94)) + 1e-8
            self.lr.fill_(rate)
            if dev != "cuda":
                for g in self.opt.param_groups:
                    g["lr"] = rate
            if f >= 1 - run["quant"] and (i % 200 == 0 or not self.model.layers[0].qkv.quant):
                self.model.quantize()  # now and then again: steps follow their weights
            loss = self.step(width)(rows[i], texts[i])
            tokens += width * len(r)
            if i % max(1, min(1000, len(plan) // 8)) == 0:
                if not np.isfinite(loss.item()):
                    raise SystemExit(f"{name} {i}/{len(plan)} loss is no number")
                print(f"{name} {i}/{len(plan)} loss {loss.item():.3f} {tokens / (time.time() - t0 + 1e-9) / 1e6:.2f} M tokens/s {time.time() - t0:.0f} s", flush=True)
        self.mean.quantize(run["quant"] > 0)
        self.forwards.clear()  # what was recorded computes as the model did then
        if dev == "cuda":
            torch.cuda.synchronize()
        self.kept[name] = {k: v.clone() for k, v in self.mean.state_dict().items()}
        print(f"{name} trained, {tokens / 1e6:.0f} M tokens, {time.time() - t0:.0f} s", flush=True)

    @torch.no_grad()
    def predict(self, rows, tokens):
        """Logits of each row by both heads, and of its claim's tokens, flat, as the program computes them."""
        p = self.pack
        pair = torch.zeros((p.n, 6), device=p.device)
        token = torch.zeros(p.total + 1, dtype=torch.float16, device=p.device)
        for width, part in batches(np.random.default_rng(0), p, rows, tokens):
            if width not in self.forwards:
                def fn(rows, width=width):
                    ids, types, n, _, in_cl, at = p.batch(rows.clamp(min=0), width)
                    logits, strict, tl = self.mean(ids, types, n)
                    return torch.cat([logits, strict], 1).float(), tl.half(), torch.where(in_cl & (rows >= 0)[:, None], at, p.total)
                self.forwards[width] = Replay(fn, torch.zeros(len(part), dtype=torch.int64, device=p.device))
            logits, tl, at = self.forwards[width](torch.from_numpy(part))
            n = int((part >= 0).sum())
            pair[torch.from_numpy(part[:n]).to(p.device)] = logits[:n]
            token[at.reshape(-1)] = tl.reshape(-1)
        return pair[:, :3], pair[:, 3:], token[:-1]

    def recalled(self, limit):
        """What the model thinks before it learns, of all but what it has not seen yet; it goes on thinking so of what it thinks as labelled. The rest both heads learn by the label."""
        p = self.pack
        first = np.array([x.partition(".")[0] for x in p.sets])[p.set]
        kind = np.array([x.partition(".")[2] for x in p.sets])[p.set]
        fresh = (first == "swap") | np.isin(first, ("contrast", "joined")) & np.isin(kind, FRESH)
        old = np.flatnonzero((p.kind != EVAL) & ~fresh & (p.origin == np.arange(p.n)))[::3000 if limit else 1]
        pair, strict, token = self.predict(old, 2 * self.tokens)
        self.forwards.clear()
        Replay.pool = None  # nothing that was recorded holds it any more
        thinks = np.full((p.n, 3), np.nan, np.float32)
        thinks[old] = F.log_softmax(pair, -1).cpu().numpy()[old]
        right = np.exp(np.where(p.label == 3, np.logaddexp(thinks[:, 1], thinks[:, 2]), thinks[np.arange(p.n), np.minimum(p.label, 2)])) >= 0.5
        silent = ~right & (p.label != UNKNOWN)
        thinks[silent] = np.nan
        self.own[:] = False
        said = p.told(thinks, thinks.copy(), token.float().cpu().numpy())
        self.both = said[0][:, 0].isnan().float()
        print(f"recalled {np.isfinite(thinks[:, 0]).sum()} of {len(old)} rows, {int(fresh.sum())} are fresh")
        return said


def differ(said, logits, rows):
    """How far a model's opinions are from the decoder's, in the mean: their divergence."""
    p, q = (F.log_softmax(x[torch.from_numpy(rows).to(x.device)].float(), -1) for x in (said, logits))
    return (p.exp() * (p - q)).sum(-1).nanmean().item()


def put(model, path, name):
    """Writes a model, whole or not at all: somebody may be fetching what was written before."""
    export(model, path + ".new", name)
    os.replace(path + ".new", path)


def settings(text):
    name, _, rest = text.partition(":")
    run = dict(DEFAULTS, name=name)
    for part in filter(None, rest.split(",")):
        k, _, v = part.partition("=")
        run[k] = type(DEFAULTS[k])(v)
    return run


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--pack", required=True)
    ap.add_argument("--base", nargs="+", help="models begin as this, and vectors of texts stay near its")
    ap.add_argument("--start", help="the same of a written model, in place of the base")
    ap.add_argument("--said", default=[], nargs="+", help="what decoders said (teach.py); without it labels alone teach")
    ap.add_argument("--own", action="store_true", help="with --start: a model learns what is new to it and goes on thinking what it thinks as --start, in place of what a decoder says")
    ap.add_argument("--out", required=True)
    ap.add_argument("--drop", type=float, default=0.1, help="share of the values left out at each step")
    ap.add_argument("--tokens", type=int, default=32768)
    ap.add_argument("--limit", type=int, default=0, help="stop after so many steps, to try the script")
    ap.add_argument("runs", nargs="+", help="name:setting=value,...; settings: " + ", ".join(DEFAULTS))
    a = ap.parse_args()
    if not a.base and not a.start:
        ap.error("name what models begin as: --base or --start")
    t0 = time.time()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.set_float32_matmul_precision("high")
    os.makedirs(a.out, exist_ok=True)
    pack = Pack(a.pack, device)
    runs = [settings(x) for x in a.runs]
    said = pack.heard(a.said)
    if a.start:
        first, base = load_written(a.start, a.drop), load_written(a.start)
    else:
        arrays = {k: v for path in a.base for k, v in np.load(path).items()}
        first, base = load_base(arrays, a.drop, stored=True), load_base(arrays)
    student = Trainer(pack, first.to(device), base.to(device).eval().requires_grad_(False), a.tokens)
    if a.own:
        said = student.recalled(a.limit)
    aside = (pack.label == UNKNOWN) & (pack.ev.cpu().numpy()[pack.origin] % ASIDE == 0)
    print(f"read {time.time() - t0:.0f} s", flush=True)

    def lesson_of(run):
        """How often each example is seen in an epoch; of made claims only those are that the decoder spoke about, where one spoke, and of what people labelled only what the model thinks, too, where it goes on thinking."""
        k = np.where(aside, 0, times(pack, run))
        k[:pack.first] *= np.where(pack.label[:pack.first] == UNKNOWN, run["before"], 1)
        people = np.isin(pack.kind, (TRAIN, PAIRS)) & (pack.fam != pack.fams.index("contrast"))
        return np.where((pack.label == UNKNOWN) | pack.made & bool(a.said) | people[pack.origin] & a.own, np.where(said[0][:, 0].isnan().cpu().numpy(), 0, k), k)

    def test(run, k, rng):
        """Figures, and what the model says of what it had not seen; of all there is where no family was left out."""
        left = np.isin(pack.fam, [pack.fams.index(x) for x in run["without"].split("+") if x]) | (pack.kind == EVAL) | (not run["without"] and run["test"] < 2) | aside
        rows = np.flatnonzero(left & (pack.kind != SYNTH))[:: 300 if a.limit else 1]
        pair, strict, token = student.predict(rows, 2 * a.tokens)
        table = report(pack, rows, pair[rows].cpu().numpy(), run["name"])
        report(pack, rows, strict[rows].cpu().numpy(), run["name"] + " strict")
        for what, of in ("seen", k > 0), ("left out", left & (k == 0)):
            some = np.flatnonzero(of & (pack.label == UNKNOWN) & ~said[0][:, 0].isnan().cpu().numpy())
            some = rng.choice(some, min(len(some), 20 if a.limit else 6000), replace=False)
            if len(some):
                far = [differ(x, y, some) for x, y in zip(said, student.predict(some, 2 * a.tokens)[:2])]
                print(f"{run['name']} differs from the decoder by {far[0]:.3f}, strictly by {far[1]:.3f}, on claims {what}", flush=True)
        flat = np.concatenate([np.arange(x, y) for x, y in zip(pack.at[rows].tolist(), pack.at[rows + 1].tolist())])
        np.savez_compressed(f"{a.out}/{run['name']}.npz", rows=rows.astype(np.int32), out=pair[rows].half().cpu().numpy(), strict=strict[rows].half().cpu().numpy(), tokens=token[torch.from_numpy(flat).to(device)].cpu().numpy(), count=pack.claim[rows].astype(np.int32))
        json.dump({"run": run, "table": table}, open(f"{a.out}/{run['name']}.json", "w"))

    for run in runs:
        rng = np.random.default_rng(run["order"])
        k = lesson_of(run)
        lesson = batches(rng, pack, np.repeat(np.arange(pack.n), np.floor(k * run["epochs"] + rng.random(pack.n)).astype(int)), a.tokens)[:a.limit or None]
        if run["keep"] not in (0, student.values()):
            student = student.thinned(run, lesson)
        if device == "cuda" and run["epochs"] and not student.steps:
            student.prepare(run["quant"] > 0)
            print(f"ready {time.time() - t0:.0f} s", flush=True)
        student.soft_pair.copy_(said[0].nan_to_num())
        student.soft_strict.copy_(said[1].nan_to_num())
        student.soft_token.copy_(said[2])
        spoke, strictly = ~said[0][:, 0].isnan(), ~said[1][:, 0].isnan()
        student.soft.copy_(torch.where(student.own, run["own"] * strictly, torch.where(pack.y == UNKNOWN, 1.0, run["soft"]) * spoke))
        student.strictly.copy_(run["strictly"] * (strictly & ~student.own))
        student.embed.fill_(run["embed"])
        student.turn.fill_(run["turn"])
        student.heat.fill_(run["heat"])
        student.reset(run)
        path = f"{a.out}/{run['name']}.bin"
        student.train(run, lesson, run["lr"], run["name"], path)
        if run["quant"]:
            put(student.mean, path, run["name"])
        if run["test"]:
            test(run, k, rng)
        print(f"{run['name']} done at {time.time() - t0:.0f} s", flush=True)


if __name__ == "__main__":
    main()
