"""Trains, evaluates and exports the judge. One run of this file is one model.

    python train/train.py --base train/data/bge.npz --pack train/data/pack.npz --without wice --out DIR
"""
import argparse
import copy
import json
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from export import export
from model import load_base

CLS, SEP = 101, 102
TRAIN, PAIRS, SYNTH, EVAL = 0, 1, 2, 3
# How often an example of a set is seen in one epoch.
TIMES = {
    "attributionbench_nolfqa": 4, "expertqa": 3, "fm2": 4, "gensearch": 2, "mds": 2, "summedits": 1.5, "wice": 6, "wice_tokens": 3, "fever": 0.6,
    "snli": 0.5, "cad_snli": 0.5, "mnli_m": 1.2, "mnli_mm": 1.2, "paws_wiki": 0.6, "hans": 0.2, "breaking_nli": 0.4, "conjnli": 0.6, "scitail": 1.2,
    "fever_nei": 1, "wikisplit": 0.7, "falke": 2, "citation_integrity": 0, "sts": 0, "wnli": 0,
}
SYNTH_TIMES = {"synth": 0.5, "edit": 0.5, "among": 0.7}


class Pack:
    def __init__(self, path, device):
        z = np.load(path)
        self.sets, self.fams = [str(x) for x in z["sets"]], [str(x) for x in z["fams"]]
        self.n = len(z["label"])
        for k in ("set", "fam", "kind", "row", "label"):
            setattr(self, k, z[k])
        t = lambda k, dt: torch.from_numpy(z[k].astype(dt)).to(device)
        self.evf, self.evo, self.clf, self.clo, self.tkf = t("evf", "int32"), t("evo", "int64"), t("clf", "int32"), t("clo", "int64"), t("tkf", "uint8")
        self.ev, self.y = t("ev", "int64"), t("label", "int64")
        e, c = np.diff(z["evo"]), np.diff(z["clo"])
        self.length = np.minimum(e[z["ev"]] + c + 3, 448)
        self.device = device

    def batch(self, rows, width):
        """ids, types, lengths, token targets (255: unknown) of some examples."""
        r = torch.as_tensor(rows, device=self.device)
        ev, ea, ca = self.ev[r], None, None
        ea, ca = self.evo[ev], self.clo[r]
        en, cn = self.evo[ev + 1] - ea, self.clo[r + 1] - ca
        en = torch.minimum(en, width - 3 - cn)
        p = torch.arange(width, device=self.device)[None]
        en1, cn1 = en[:, None], cn[:, None]
        in_ev = (p >= 1) & (p <= en1)
        in_cl = (p >= en1 + 2) & (p < en1 + 2 + cn1)
        ids = torch.zeros((len(r), width), dtype=torch.int64, device=self.device)
        ids = torch.where(in_ev, self.evf[(ea[:, None] + p - 1).clamp(0, len(self.evf) - 1)].long(), ids)
        at = (ca[:, None] + p - en1 - 2).clamp(0, len(self.clf) - 1)
        ids = torch.where(in_cl, self.clf[at].long(), ids)
        ids[:, 0] = CLS
        ids = torch.where((p == en1 + 1) | (p == en1 + cn1 + 2), torch.full_like(ids, SEP), ids)
        types = ((p >= en1 + 2) & (p <= en1 + cn1 + 2)).long()
        tok = torch.where(in_cl, self.tkf[at].long(), torch.full_like(ids, 255))
        return ids, types, en + cn + 3, tok, in_cl, self.y[r]

    def texts(self, rows, width, claims):
        """ids and lengths of single texts, for the vectors."""
        r = torch.as_tensor(rows, device=self.device)
        flat, a, b = (self.clf, self.clo[r], self.clo[r + 1]) if claims else (self.evf, self.evo[self.ev[r]], self.evo[self.ev[r] + 1])
        n = torch.clamp(b - a, max=width - 2)
        p = torch.arange(width, device=self.device)[None]
        ids = torch.where((p >= 1) & (p <= n[:, None]), flat[(a[:, None] + p - 1).clamp(0, len(flat) - 1)].long(), torch.zeros(1, dtype=torch.int64, device=self.device))
        ids[:, 0] = CLS
        return torch.where(p == n[:, None] + 1, torch.full_like(ids, SEP), ids), n + 2


def times(pack, without, args):
    out = np.zeros(pack.n)
    for i, name in enumerate(pack.sets):
        rows = pack.set == i
        first, _, rest = name.partition(".")
        if first in SYNTH_TIMES:
            k = SYNTH_TIMES[first] * args.synth
            base = rest.partition(".")[0]
            if first != "synth" and TIMES.get(base, 1) == 0:
                k = 0
        else:
            k = TIMES.get(first, 0)
            if pack.kind[rows][0] == PAIRS:
                k *= args.pairs
        out[rows] = k
    out[pack.kind == EVAL] = 0
    for f in without:
        out[pack.fam == pack.fams.index(f)] = 0
    return out


def batches(rng, rows, length, tokens):
    """Batches of about as many tokens, of examples exactly as long: none is padded."""
    rows = rows[rng.permutation(len(rows))]
    rows = rows[np.argsort(length[rows], kind="stable")]
    out, i = [], 0
    while i < len(rows):
        n = length[rows[i]]
        j = i + 1
        while j < len(rows) and length[rows[j]] == n and (j + 1 - i) * n <= tokens:
            j += 1
        out.append(rows[i:j])
        i = j
    return [out[i] for i in rng.permutation(len(out))]


def pair_loss(logits, y):
    lp = F.log_softmax(logits.float(), -1)
    known = -lp.gather(1, y.clamp(max=2)[:, None]).squeeze(1)
    either = -torch.logsumexp(lp[:, 1:], -1)
    return torch.where(y == 3, either, known)


def token_loss(tl, tok):
    known = tok != 255
    y = (tok == 1).float()
    w = torch.where(tok == 0, 3.0, 1.0) * known
    return (F.binary_cross_entropy_with_logits(tl.float(), y, reduction="none") * w).sum() / w.sum().clamp(min=1)


@torch.no_grad()
def predict(model, pack, rows):
    """Logits, the least and the mean support of a claim's tokens, for each row."""
    model.eval()
    out = np.zeros((len(rows), 5), np.float32)
    for part in batches(np.random.default_rng(0), np.arange(len(rows)), pack.length[rows], 65536):
        width = int(pack.length[rows[part[0]]])
        ids, types, n, tok, in_cl, y = pack.batch(rows[part], width)
        with torch.autocast(pack.device, enabled=False):
            logits, tl = model(ids, types)
        s = torch.sigmoid(tl.float())
        least = torch.where(in_cl, s, torch.ones_like(s)).amin(1)
        mean = (s * in_cl).sum(1) / in_cl.sum(1).clamp(min=1)
        out[part] = torch.cat([logits.float(), least[:, None], mean[:, None]], 1).cpu().numpy()
    return out


def auroc(y, s):
    order = np.argsort(s, kind="stable")
    ranks = np.empty(len(s))
    ranks[order] = np.arange(1, len(s) + 1)
    pos = y.sum()
    if pos in (0, len(y)):
        return float("nan")
    return (ranks[y].sum() - pos * (pos + 1) / 2) / (pos * (len(y) - pos))


def report(pack, rows, out, without):
    p = np.exp(out[:, :3] - out[:, :3].max(1, keepdims=True))
    p = p[:, 0] / p.sum(1)
    table = {}
    for i, name in enumerate(pack.sets):
        at = pack.set[rows] == i
        fam = pack.fams[int(pack.fam[rows][at][0])] if at.any() else ""
        if not at.any() or not (pack.kind[rows][at][0] == EVAL or fam in without):
            continue
        y = pack.label[rows][at] == 0
        s = p[at]
        bal = (np.mean(s[y] >= .5) + np.mean(s[~y] < .5)) / 2 if y.any() and (~y).any() else np.mean((s >= .5) == y)
        best = max(((np.mean(s[y] >= t) + np.mean(s[~y] < t)) / 2 for t in np.linspace(.02, .98, 49)), default=0) if y.any() and (~y).any() else float("nan")
        table[name] = (len(y), bal, best, auroc(y, s))
        print(f"  {name:30s} {len(y):6d} balanced {bal:.3f} best {best:.3f} auroc {table[name][3]:.3f}", flush=True)
    return table


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--base", required=True)
    ap.add_argument("--pack", required=True)
    ap.add_argument("--without", default="", help="families to leave out, joined by commas")
    ap.add_argument("--out", required=True)
    ap.add_argument("--name", default="run")
    ap.add_argument("--epochs", type=float, default=3)
    ap.add_argument("--lr", type=float, default=2.5e-4)
    ap.add_argument("--tokens", type=int, default=65536)
    ap.add_argument("--synth", type=float, default=1)
    ap.add_argument("--pairs", type=float, default=1)
    ap.add_argument("--embed", type=float, default=1)
    ap.add_argument("--quant", type=float, default=0.4, help="share of the steps at the end that see int8")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--export", action="store_true")
    ap.add_argument("--limit", type=int, default=0, help="stop after so many steps, to try the script")
    a = ap.parse_args()
    without = [x for x in a.without.split(",") if x]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(a.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.set_float32_matmul_precision("high")
    rng = np.random.default_rng(a.seed)
    t0 = time.time()
    pack = Pack(a.pack, device)
    base = np.load(a.base)
    model = load_base(base).to(device)
    model.word.weight.requires_grad_(False)
    teacher = load_base(base).to(device).eval() if a.embed else None
    by_cls = "bge" in a.base
    k = times(pack, without, a)
    take = np.floor(k * a.epochs + rng.random(pack.n)).astype(int)
    plan = batches(rng, np.repeat(np.arange(pack.n), take), pack.length, a.tokens)
    if a.limit:
        plan = plan[:a.limit]
    print(a.name, "steps", len(plan), "examples", sum(map(len, plan)), f"ready {time.time() - t0:.1f} s", flush=True)
    decay = [p for n, p in model.named_parameters() if p.ndim > 1 and p.requires_grad]
    rest = [p for n, p in model.named_parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": rest, "weight_decay": 0}], lr=a.lr, betas=(0.9, 0.98), fused=device == "cuda")
    mean = copy.deepcopy(model).eval()
    for p in mean.parameters():
        p.requires_grad_(False)
    model.train()
    t1, tokens = time.time(), 0
    for step, rows in enumerate(plan):
        f = step / len(plan)
        lr = a.lr * min(1, step / (0.06 * len(plan) + 1)) * (1 - max(0, (f - 0.06) / 0.94)) + 1e-7
        for g in opt.param_groups:
            g["lr"] = lr
        if f >= 1 - a.quant and not model.layers[0].qkv.quant:
            model.quantize()
            mean.quantize()
        width = int(pack.length[rows[0]])
        tokens += width * len(rows)
        ids, types, n, tok, in_cl, y = pack.batch(rows, width)
        with torch.autocast(device, torch.bfloat16):
            logits, tl = model(ids, types)
            loss = pair_loss(logits, y).mean() + 0.3 * token_loss(tl, tok)
            if teacher is not None and step % 2 == 0:
                claims = step % 4 == 0
                some = rows[rng.permutation(len(rows))[:96]]
                ids, n = pack.texts(some, 64 if claims else 128, claims)
                with torch.no_grad():
                    if by_cls:
                        want = F.normalize(teacher.states(ids, torch.zeros_like(ids), n)[:, 0].float(), dim=-1)
                    else:
                        want = teacher.vectors(ids, n)
                loss = loss + a.embed * (1 - (model.vectors(ids, n) * want).sum(-1)).mean() * 2
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        with torch.no_grad():
            d = min(0.995, (1 + step) / (10 + step))
            torch._foreach_lerp_(list(mean.parameters()), list(model.parameters()), 1 - d)
        if step % (10 if a.limit else 100) == 0:
            print(f"{a.name} {step} loss {loss.item():.3f} {tokens / (time.time() - t1) / 1e6:.2f} M tokens/s {time.time() - t1:.0f} s", flush=True)
    mean.quantize()
    os.makedirs(a.out, exist_ok=True)
    rows = np.flatnonzero(pack.kind != SYNTH)[:: 400 if a.limit else 1]
    if without or not a.export:
        keep = np.isin(pack.fam[rows], [pack.fams.index(x) for x in without]) | (pack.kind[rows] == EVAL)
        rows = rows[keep]
    out = predict(mean, pack, rows)
    print(a.name, f"trained {time.time() - t1:.0f} s", flush=True)
    table = report(pack, rows, out, without)
    np.savez_compressed(f"{a.out}/{a.name}.npz", rows=rows.astype(np.int32), out=out.astype(np.float16))
    json.dump({"args": vars(a), "table": table}, open(f"{a.out}/{a.name}.json", "w"))
    if a.export:
        export(mean, f"{a.out}/{a.name}.bin", a.name)


if __name__ == "__main__":
    main()
