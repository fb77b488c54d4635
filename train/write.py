"""A decoder tells about topics, and writes claims about that and about what is at hand to read.

    python train/write.py topics --tokenizer train/data/qwen.tokenizer.json --words train/data/words.npz --wordnet DICT --out train/data/topics.npz
    python train/write.py claims --words train/data/words.npz --decoder train/data/qwen --topics train/data/topics.npz --out train/data/written.npz
"""
import argparse
import re
import time

import numpy as np

from rows import BREAK, EVAL
from words import END, USER, Words, cut_up, flat

ASKS = [
    "Answer a question that a reader may have about this passage in two or three sentences. Do not repeat the question.",
    "Summarize the passage in two sentences, in your own words.",
    "State three facts of the passage, one sentence each, in words of your own.",
    "Explain to a friend what this passage is about, in three sentences, and add what you know yourself.",
    "Write two sentences that sound as if they followed from the passage, but go further than it does.",
    "Write two sentences about the subject of the passage that each get one detail of it wrong.",
    "Rewrite the most important claim of the passage as one plain sentence. Then draw a conclusion from it in a second sentence.",
    "Write four short claims of at most twelve words each about what the passage says: two that it supports and two that it does not.",
    "Write one general conclusion that the passage supports and one that it refutes, a sentence each.",
    "Write one long sentence that brings three facts of the passage together.",
    "Write two sentences that a reader might wrongly believe after reading the passage in haste.",
    "State in plain words, and not in those of the passage, what it says about causes, amounts or time. Two sentences.",
    "Write two claims about the same subject that the passage neither proves nor refutes.",
    "Write two sentences that are true by the passage but for one changed number, name, date or place each.",
    "Answer in two full sentences a question about why or how that the passage answers. Do not repeat the question.",
    # What is said of a subject by those who did not write it from the passage, and what is told of it elsewhere.
    "Write three short sentences on this subject as people share them online: one that the passage confirms, one that it contradicts, and one that it leaves open.",
    "Somebody who never read the passage speaks about its subject. Write two such sentences, in everyday words, that the passage still confirms.",
    "Write two sentences of a scientific paper that would give this passage as their source.",
    "Write two sentences in which a newspaper would simplify what the passage says.",
    "Write a general rule of at most fifteen words for which the passage is evidence, and one against which it is evidence.",
    "Write a headline of one full sentence for the passage, as news sites do. Then write another one that is wrong in a way that is easily missed.",
    "Summarize the passage in three sentences, and in one of them mix up who did what to whom.",
    "Write a summary of three sentences in which one sentence adds something likely that the passage does not say.",
    "Answer a question about the subject in three sentences, where only the first rests on the passage and the others on what is commonly known.",
    "Write two sentences that join facts from different parts of the passage, one rightly and one wrongly.",
    # What an assistant answers, and readings in haste: the passage's words, but not what it says.
    "Answer a question about the passage in four sentences, as an assistant would, with all details that seem useful. Do not repeat the question.",
    "Write three sentences in words of the passage that give a number, a property or a deed to another one of those that it names.",
    "Write three sentences that repeat what the passage says, and in two of them leave out or add a condition such as only, if, may, some or until.",
    "Write three sentences on what came first, what caused what, or which was more by the passage, and turn one of them around.",
    "Tell in entirely different words, without its names, what the passage says. Two sentences.",
    "Write three notes on the passage: one that is right, one that takes a plan or an opinion for a fact, and one that mixes up two of its facts.",
    # What is said the other way round, as advice, or reckoned.
    "Tell a reader in three sentences what to do and what to leave by the passage.",
    "Turn what the passage says around without changing it: say what it forbids as what it allows, what is less as what is more, what is needed as what must not be missing. Three sentences.",
    "Three readers ask whether something is so. Answer each in one full sentence that begins with yes or no and gives the reason that the passage has. Do not repeat the questions.",
    "Write three sentences that count, compare or reckon with what the passage says, one of them wrongly.",
    "Retell the passage in four sentences to a friend, in everyday words, short and long ones.",
    "Write four sentences: two that take what the passage says of some, of one case or of one time for all, and two that do not.",
    "Answer a question about the passage in three sentences, the second of which narrows the first, and the third of which draws a plain conclusion.",
    "Answer a question about the passage with a list of four points, a full sentence each. One point names something that belongs to another thing of the passage.",
    "Write three sentences about what the passage does not say, did not happen, or is not known by it.",
    "Describe what the passage is about to visitors in four sentences, from its data alone, one of them with a detail that is wrong or not there.",
    "Write an overview in four long sentences that use as many details of the passage as they can: names, times, places, numbers, opinions.",
    # Particulars, said in other words.
    "Answer a question about the passage in three sentences full of its numbers, dates, names and places. One of these belongs to another thing of the passage.",
    "Give numbers, dates and amounts of the passage in another form: as a fraction, a span, a sum, a difference, or about how many. Four sentences, one of them wrong.",
    "Tell in four short sentences of your own words who did what, when and where by the passage. In two of them one small detail is a likely one that it does not give.",
    "Answer as an assistant would a question that the passage answers only in part: two sentences from the passage, and two with likely details that it does not have.",
    "Explain in three sentences how or why something in the passage works, with one step or reason that the passage does not give.",
    "Answer a question about the passage in three sentences that use none of its words where there are others, with a plain answer first.",
]
# What is to be read about a topic, by the kinds of topics it is for.
TELLS = [
    ("body", "Write the abstract of a medical study about {} in about 120 words: methods, numbers, and what was found."),
    ("body", "Write a paragraph of a health page about {}: causes, treatment and risks, with figures."),
    ("body", "Write the findings of a review of studies about {} in about 100 words."),
    ("thing", "Write the abstract of a scientific paper about {} in about 100 words, with its measurements and its conclusion."),
    ("thing", "Write two paragraphs of an encyclopedia article about {}, with names, dates and numbers."),
    ("thing", "Write a news report of about 150 words that has to do with {}: who, where, when, how many."),
    ("thing", "Answer in two paragraphs, as an expert would on a forum: what should I know about {}?"),
    ("thing", "Write a short biography of a person whose work has to do with {}, with places and years."),
    ("thing", "Write the minutes of a meeting about {} in about 120 words, with who said what."),
    ("thing", "Write a conversation of two people about {} in about 120 words."),
    ("thing", "Write two paragraphs of a company's report that concerns {}, with sums and dates."),
    ("thing", "Explain in about 120 words why {} matters, and what is disputed about it."),
    ("body", "Write the results and the conclusion of a study about {} as they stand in the abstract of a journal, in about 80 words."),
    ("body", "Write in about 90 words what researchers know about {} and infection with a new virus, and what they do not know."),
    ("body", "Write three findings of studies about {} in laboratory animals or cells, a sentence or two each."),
    ("thing", "Write a paragraph of a report on how {} and the climate bear on each other, with measurements and years."),
    ("thing", "Write a newspaper article of about 170 words about an event that has to do with {}: people, quotes, places, amounts."),
    ("thing", "Write two paragraphs of a web page that answer what many people want to know about {}."),
    ("thing", "Write the rules of a shop, an office or an insurer that concern {} in about 130 words: conditions, deadlines, exceptions, fees."),
    ("thing", "Write what three people post about {} in a forum, with numbers, places and different opinions, about 50 words each."),
    ("thing", "Write a chat of about 130 words in which a customer and an agent settle a question about {}."),
    ("body", "Write what a patient, a pharmacist and a leaflet say about {}, about 45 words each, with amounts and times."),
    ("thing", "Write three short passages from different web pages about {}, about 55 words each. They overlap, and differ in figures and details."),
    ("thing", "Write a help page about {} in about 130 words: steps, limits, exceptions and what to do if it fails."),
    ("thing", "Write what a product page says about {}, and then a question of a customer and the answer to it, about 130 words."),
    ("thing", "Write the results of a survey or a contest about {} in about 120 words: who, how many, how much, in which place."),
    ("thing", "Write a decision of a council or a court about {} in about 130 words: what was asked for, who spoke for and against it, what was decided and from when on."),
    ("body", "Write three short passages from different web pages about {}, about 55 words each. One tells of a study, one gives advice, one tells of a case."),
    ("thing", "Write in one line, without line breaks, the JSON entry of a business that has to do with {}: name, address, city, hours of each day, attributes with true or false, stars, and three snippets of reviews in full sentences."),
]
LEAD = re.compile(r"(?i)\s*(?:[-*•]\s+|\d+[.)]\s+|(?:general |long |short |(?:in)?correct |wrong )?(?:(?:not |un)?supported|Refuted|Refutes|Supports|True|False|Fact|Sentence|Claim|Answer|Summary|Conclusion|Question|Statement)s?(?: claims?| conclusions?| that \w+)?\s*\d*:\s*|\*\*)*")
SELF = re.compile(r"\b(?:passage|claims?)\b")  # a claim that speaks of its task is none


def topics(a):
    """Words to write about, and what is asked, as tokens of the used vocabulary."""
    from tokenizers import Tokenizer
    tok, used = Tokenizer.from_file(a.tokenizer), np.load(a.words.removesuffix(".npz") + ".used.npy")
    at = {int(u): i for i, u in enumerate(used)}
    one = lambda s: [tok.token_to_id(s)]
    lay = lambda s: [at.get(i, -1) for i in s]
    rng, sick = np.random.default_rng(4), re.compile(r"disease|disorder|infect|syndrome|drug|medic|therap|virus|bacteri|symptom|vitamin|hormone|vaccin|surg|diet|cancer|blood|brain")
    found = {"body": set(), "thing": set()}
    for line in open(a.wordnet + "/data.noun", encoding="utf-8"):
        f = line.split()
        if line.startswith(" ") or f[1] == "03" or f[4][0].isupper():
            continue
        gloss, name = line.partition("|")[2], f[4].replace("_", " ")
        kind = "body" if f[1] in ("08", "26", "27", "04", "22") and sick.search(gloss) else "thing"
        if re.fullmatch(r"[a-z][a-z -]{3,28}", name):
            found[kind].add(name)
    out = {}
    for kind, names in found.items():
        names = sorted(names)
        names += [f"{names[i]} and {names[j]}" for i, j in rng.integers(len(names), size=({"body": 2 * len(names), "thing": len(names) // 3}[kind], 2))]
        ids = [lay(e.ids) for e in tok.encode_batch([" " + n for n in names])]
        out[kind], out[kind + "_o"] = flat([i for i in ids if -1 not in i], np.int32)
        print(kind, len(out[kind + "_o"]) - 1, "of", len(names))
    close = one(END) + tok.encode("\n").ids + one(USER) + tok.encode("assistant\n").ids
    for i, (_, s) in enumerate(TELLS):
        x, y = s.split(" {}")
        out[f"tell{i}"] = np.array(lay(one(USER) + tok.encode("user\n" + x).ids) + [-2] + lay(tok.encode(y).ids + close))
    for i, s in enumerate(ASKS):
        out[f"ask{i}"] = np.array(lay(tok.encode("\n\n" + s).ids + close))
    assert all(-1 not in v for k, v in out.items() if k.startswith(("tell", "ask")))
    np.savez_compressed(a.out, **out)


def write(a):
    """Texts that the decoder tells about topics, and claims that it writes, untaught, about these and about what was read."""
    import torch
    from decoder import Decoder
    t0 = time.time()
    say = lambda text: print(f"{text}, at {time.time() - t0:.0f} s", flush=True)
    w, z = Words(a.words), dict(np.load(a.topics))
    model = Decoder(a.decoder, "cuda" if torch.cuda.is_available() else "cpu", layers=a.layers)
    say("loaded")
    rng, end = np.random.default_rng(a.seed), int(w.part["end"][0])
    if a.written:
        w.read(a.written)

    def ask(prompts, new, batch, what, copies=2):
        """Answers of each prompt, as tokens; None where there was no time."""
        out = [None] * len(prompts)
        order = np.argsort([len(p) for p in prompts], kind="stable")
        parts = [order[i:i + batch] for i in range(0, len(order), batch)]
        for i in rng.permutation(len(parts)):
            if time.time() - t0 > a.until:
                break
            got = model.write([torch.from_numpy(prompts[j].astype(np.int64)) for j in parts[i]], new, end, seed=int(rng.integers(1 << 30)), copies=copies)
            for j, xs in zip(parts[i], got.permute(1, 0, 2).cpu().numpy()):
                out[j] = [x[:int(np.argmax(x == end))] if (x == end).any() else x for x in xs]
        say(f"{what}: {sum(x is not None for x in out)} of {len(prompts)} prompts answered")
        return out

    # Two texts of each topic: what is said of one is also held against the other, which is near and tells another story.
    bag = {k: cut_up(z[k], z[k + "_o"]) for k in ("body", "thing")}
    prompts = []
    for _ in range(a.tell):
        i = int(rng.integers(len(TELLS)))
        x, topic = z[f"tell{i}"], bag[TELLS[i][0]][rng.integers(len(bag[TELLS[i][0]]))]
        hole = int(np.flatnonzero(x == -2)[0])
        prompts.append(np.concatenate([x[:hole], topic, x[hole + 1:]]))
    base, texts, twin = len(w.evo) - 1, [], {}
    for pair in ask(prompts, 210, 2 * a.batch, "topics") if prompts else []:
        pair = [t for t in (told(w, x) for x in pair or []) if len(t)]
        lot = rng.random()
        if len(pair) == 2 and lot < .3:  # both as one, as where several passages were found
            pair = [np.concatenate([pair[0], [w.raw.index(b"\n")], pair[1]])[:470]]
        elif lot > .6:  # a sentence or three of it
            pair = [few(w, t, rng) for t in pair]
        if len(pair) == 2:
            twin[base + len(texts)], twin[base + len(texts) + 1] = base + len(texts) + 1, base + len(texts)
        texts += pair
    w.tell(texts)
    for t in texts[:4]:
        print("told:", w.text(t))
    sizes, kinds = np.diff(w.evo), np.full(len(w.evo) - 1, -1)
    kinds[w.ev] = w.kind
    kinds[w.ev[w.kind == EVAL]] = EVAL
    old = rng.permutation(np.flatnonzero((kinds != EVAL) & (sizes >= 50) & (sizes <= 420) & (np.arange(len(kinds)) < base)))
    old = old[np.argsort(np.isin(old, w.ev[w.set < 0]), kind="stable")]  # first those that nothing was written about
    read = kinds[old] == -1  # texts that nobody has claimed anything of (read.py)
    picked = rng.permutation(np.concatenate([old[read], old[~read][:a.evidences], np.arange(base, len(kinds))]))
    asks = [np.concatenate([w.part["head"], w.evidence(e), z[f"ask{rng.integers(max(0, len(ASKS) - a.last), len(ASKS))}"]]) for e in picked]
    evs, claims = [], []
    for e, xs in zip(picked, ask(asks, a.new, a.batch, "claims", a.copies)):
        for c in (c for x in xs or [] for c in claims_of(w, x)):
            evs.append(e)
            claims.append(c)
            if e in twin and rng.random() < .3:
                evs.append(twin[e])
                claims.append(c)
    for i in rng.permutation(len(claims))[:16]:
        print("wrote:", w.text(claims[i]))
    say(f"wrote {len(claims)} claims about {len(set(evs))} evidences, {len(texts)} of them told")
    w.add(np.array(evs, np.int64), claims)
    first = np.flatnonzero(w.set < 0)[0]
    read = len(np.load(a.words)["evo"])
    np.savez_compressed(a.out, evf=w.evf[w.evo[read - 1]:], evo=w.evo[read - 1:] - w.evo[read - 1], ev=w.ev[first:].astype(np.int32), clf=w.clf[w.clo[first]:], clo=w.clo[first:] - w.clo[first])


def ends(w, ids):
    """How many tokens there are up to the end of each sentence."""
    text = [w.raw[t] for t in ids]
    return [i + 1 for i, t in enumerate(text) if t.strip()[-1:] in (b".", b"!", b"?") and (i + 1 == len(text) or text[i + 1][:1] in (b" ", b"\n"))]


def told(w, ids):
    """A text without its title and its last sentence, where that is not whole; nothing if little is left."""
    lines, at = [], 0
    for i, t in enumerate(ids):
        if b"\n" in w.raw[t]:
            lines.append((at, i + 1))
            at = i + 1
    lines.append((at, len(ids)))
    keep = [ids[x:y] for x, y in lines if y - x > 12 and not w.text(ids[x:y]).startswith(("#", "**", "|", "```"))]
    ids = np.concatenate(keep) if keep else ids[:0]
    e = ends(w, ids)
    return ids[:e[-1]] if e and e[-1] >= 40 else ids[:0]


def few(w, ids, rng):
    """One to three sentences of a text, one behind the other."""
    e = [0] + ends(w, ids)
    if len(e) < 3:
        return ids
    i = int(rng.integers(len(e) - 1))
    part = ids[e[i]:e[min(len(e) - 1, i + int(rng.integers(1, 4)))]]
    return part if len(part) >= 12 else ids


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
        if not 25 <= len(s) <= 400 or SELF.search(s) or s[-1] not in ".!\"”)" or not re.match(r"[A-Z0-9\"“]", s):
            continue
        i, j = np.searchsorted(starts, lo, side="left"), np.searchsorted(starts, hi, side="left")
        if starts[i] != lo and i > 0 and text[starts[i - 1]:lo].strip() == "":
            i -= 1
        if j > i + 3:
            yield ids[i:j]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("what", choices=["topics", "claims"])
    for k in ("words", "out"):
        ap.add_argument("--" + k, required=True)
    for k in ("tokenizer", "wordnet", "decoder", "topics"):
        ap.add_argument("--" + k)
    ap.add_argument("--written", help="what was written before: it stays, and what is new comes behind it")
    ap.add_argument("--tell", type=int, default=10000, help="topics that are told about first, twice each")
    ap.add_argument("--evidences", type=int, default=20000, help="how many of those at hand are written about, beside all of which nobody has claimed anything")
    ap.add_argument("--last", type=int, default=len(ASKS), help="how many of the asks are asked, from the end")
    ap.add_argument("--copies", type=int, default=3, help="answers of a prompt for claims")
    ap.add_argument("--until", type=float, default=1e9, help="seconds after which it stops writing")
    ap.add_argument("--batch", type=int, default=1300, help="prompts at a time")
    ap.add_argument("--new", type=int, default=110, help="tokens of an answer at the most")
    ap.add_argument("--seed", type=int, default=3)
    ap.add_argument("--layers", type=int, help="fewer layers, to try the script")
    a = ap.parse_args()
    {"topics": topics, "claims": write}[a.what](a)


if __name__ == "__main__":
    main()
