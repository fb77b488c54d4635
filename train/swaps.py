"""Supported claims in which one particular is exchanged: in the claim, in its evidence, or in both, which changes nothing.

    python train/swaps.py --wordnet DICT --out train/data/swaps.jsonl.gz train/data/readings.jsonl.gz train/data/own.jsonl.gz

A claim in words of its own whose number, date or name is another one than the evidence's is wrong, however well the rest agrees. The same number stands in right
claims and in wrong ones, as what is exchanged in both is right, so that the claim alone tells nothing. Numbers are rounded, too, with words that say so, and wrongly.
"""
import argparse
import gzip
import json
import random
import re

import synth
from synth import CONTRADICTED, DAYS, MONTHS, SUPPORTED, UNSUPPORTED, Claim

NUMBER = re.compile(r"(?<![\w.,/:-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w/:]|[.,-]\d)|(?<![\w.,/:-])\d+(?:\.\d+)?(?![\w/:]|[.,-]\d)")
CITED = re.compile(r"\[[\d, -]+\]")
NAME = re.compile(r"(?<![\w.])[A-ZÀ-Þ][\w'’-]+(?: (?:of |de |van |von |the |al-)?[A-ZÀ-Þ][\w'’-]+)*")
COUNT = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty)\b", re.I)
ORDINAL = re.compile(r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b(?! of all| and foremost)", re.I)
COUNTS = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty".split()
ORDINALS = synth.ORDINALS
WHEN = re.compile(r"\b(?:" + "|".join(MONTHS + DAYS) + r")\b")
ATLEAST = re.compile(r"\b(?:more than|over|at least|above|exceed\w*|upwards of|no (?:less|fewer) than|from|minimum of)\s*(?:[$€£]\s*)?$", re.I)
ATMOST = re.compile(r"\b(?:less than|fewer than|under|below|up to|at most|almost|nearly|just under|no more than|within|maximum of)\s*(?:[$€£]\s*)?$", re.I)
ABOUT = re.compile(r"\b(?:about|around|roughly|approximately|some|circa|c\.|close to)\s*(?:[$€£]\s*)?$", re.I)
FIRST = {"The", "A", "An", "In", "It", "He", "She", "They", "This", "That", "These", "Those", "On", "At", "As", "For", "If", "When", "While", "After", "Before", "But", "And", "To", "From", "By", "With", "Of", "Its", "His", "Her", "Their",
         "You", "Your", "We", "Our", "I", "There", "Some", "Most", "All", "Both", "One", "Two", "Not", "No", "Only", "What", "Who", "How", "Since", "Although", "Although", "During", "Under", "Over", "According", "Passage", "However", "Yes"}


def value(s):
    return float(s.replace(",", ""))


def written(v, like):
    """A value in the form of another."""
    if "." in like:
        return f"{v:,.{len(like.split('.')[1])}f}" if "," in like else f"{v:.{len(like.split('.')[1])}f}"
    v = int(round(v))
    return f"{v:,}" if "," in like else str(v)


def is_year(s):
    return re.fullmatch(r"(1[0-9]|20)\d\d", s) is not None


def shape(text, m):
    """What a number counts, as far as what stands beside it tells."""
    after, before = text[m.end():m.end() + 14].lower(), text[max(0, m.start() - 2):m.start()]
    if re.match(r"\s?(?:%|per ?cent)", after):
        return "%"
    if before[-1:] in "$€£¥" and before:
        return "money"
    if is_year(m.group()):
        return "year"
    if re.match(r"\s(?:" + "|".join(MONTHS) + ")", text[m.end():m.end() + 12]) or re.search(r"\b(?:" + "|".join(MONTHS) + r") $", text[max(0, m.start() - 11):m.start()]):
        return "day"
    unit = re.match(r"[\s-](million|billion|thousand|years?|months?|weeks?|days?|hours?|minutes?|km|kilomet\w+|miles?|m|metres?|meters?|kg|pounds?|people|am|pm|a\.m|p\.m)\b", after)
    return unit.group(1).rstrip("s") if unit else "n"


def near(s, kind, rng):
    """Another number that may be taken for it."""
    v = value(s)
    if kind == "year":
        return str(int(v) + rng.choice([-10, -5, -4, -3, -2, -1, -1, 1, 1, 2, 3, 4, 5, 10, 20]))
    if kind == "day":
        return str(rng.choice([x for x in range(1, 32) if x != v]))
    if "." not in s and v <= 12:
        return str(int(rng.choice([x for x in range(2, 13) if x != v and abs(x - v) < 6])))
    if kind in ("am", "pm", "a.m", "p.m"):
        return written((v + rng.choice([-2, -1, 1, 2])) % 12 or 12, s)
    r = rng.random()
    if r < .25 and len(s) > 1:  # a digit
        d = list(s)
        k = rng.choice([j for j, x in enumerate(d) if x.isdigit() and (j or True)])
        d[k] = rng.choice([x for x in ("123456789" if k == 0 else "0123456789") if x != d[k]])
        return "".join(d)
    if r < .35 and len(s) > 1 and "." not in s and s[0] != s[1] and s[1].isdigit() and s[1] != "0":  # 32 for 23
        return s[1] + s[0] + s[2:]
    f = rng.choice([.5, .6, .7, .75, .8, .85, .9, 1.1, 1.15, 1.2, 1.25, 1.3, 1.5, 2]) if v > 20 else rng.choice([.5, .7, .8, 1.2, 1.4, 1.6, 2])
    new = v * f
    if "." not in s and v >= 100 and re.sub(r"[,.]", "", s).endswith("00"):
        k = 10 ** max(1, len(str(int(v))) - 2)
        new = round(new / k) * k
    return written(new, s)


def spelled(text, s):
    """Whether a text has a number, in digits."""
    return re.search(r"(?<![\w.,])" + re.escape(s) + r"(?![\w]|[.,]\d)", text) is not None or "," in s and spelled(text, s.replace(",", ""))


def put(text, at, new):
    return text[:at[0]] + new + text[at[1]:], (at[0], at[0] + len(new))


def everywhere(text, old, new):
    """A text with one run of words put for another, and how often."""
    return re.subn(r"(?<![\w.,])" + re.escape(old) + r"(?![\w]|[.,]\d)", lambda m: new, text)


def numbers(r, rng):
    """Exchanges of one number of a claim: what stands for it, its place, whether the evidence has the old one to the letter, and the label."""
    claim, ev = r["claim"], r["evidence"]
    cited = [m.span() for m in CITED.finditer(claim)]
    found = [m for m in NUMBER.finditer(claim) if not any(a <= m.start() < b for a, b in cited)]
    found = [m for m in found if not re.match(r"\d+\. ", claim[m.start():]) or m.start() > 0]
    rng.shuffle(found)
    for m in found[:2]:
        old, kind, before = m.group(), shape(claim, m), claim[:m.start()]
        inside = [x.group() for x in NUMBER.finditer(ev) if x.group() != old and shape(ev, x) == kind and not spelled(claim, x.group())]
        for _ in range(3):
            there = bool(inside) and rng.random() < .4
            new = rng.choice(inside) if there else near(old, kind, rng)
            if new == old or not there and spelled(ev, new):
                continue
            up = value(new) > value(old)
            apart = abs(value(new) - value(old)) / max(value(old), value(new), 1e-9)
            if ATLEAST.search(before) and (not up or apart < .15) or ATMOST.search(before) and (up or apart < .15) or ABOUT.search(before) and apart < .15:
                continue
            yield old, new, m.span(), spelled(ev, old)
            break


def others(claim, ev, pattern, table, rng):
    found = [m for m in pattern.finditer(claim)]
    rng.shuffle(found)
    for m in found[:1]:
        old = m.group()
        words = [w for w in table if w.lower() != old.lower()]
        if table in (COUNTS, ORDINALS):  # the next ones in the list are taken for it sooner
            words = [w for w in words if abs(table.index(w) - table.index(old.lower())) < 4]
        inside = [w for w in words if re.search(r"\b" + w + r"\b", ev, re.I)]
        new = rng.choice(inside) if inside and rng.random() < .4 else rng.choice([w for w in words if w not in inside] or words)
        yield old, new if old.islower() or not old[0].isupper() else new[0].upper() + new[1:], m.span(), re.search(r"\b" + re.escape(old) + r"\b", ev) is not None


def listed(ev, a, b):
    """Whether two names stand in one list or close to each other: what is said of one may be said of both."""
    for m in re.finditer(re.escape(a), ev):
        for n in re.finditer(re.escape(b), ev):
            between = ev[min(m.end(), n.end()):max(m.start(), n.start())]
            if len(between) < 80 and not re.search(r"[.;]", between) and re.fullmatch(r"(?:[\s,(&/]|and|or|the|of|in|as|also|known|called|[A-ZÀ-Þ][\w'’-]+)*", between):
                return True
    return False


def proper(text):
    """Names of a text with their places: not what a sentence merely begins with."""
    for m in NAME.finditer(text):
        s, start = m.group(), m.start()
        head = text[:start].rstrip()
        first = not head or head[-1] in ".!?:;\"“(|/…" or head.endswith(("\n", "- "))
        if first and " " not in s:
            continue
        if first and s.split()[0] in FIRST:
            start, s = start + len(s.split()[0]) + 1, s.split(" ", 1)[1]
        if s in MONTHS or s in DAYS or s in FIRST or len(s) < 3 or s.isupper() and len(s) < 4:
            continue
        yield s, (start, start + len(s))


PLACE = re.compile(r"\b(?:in|at|near|from|to|of|outside|around|across)\s+(?:the\s+)?$")
PERSON = re.compile(r"\b(?:by|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|with|says?|said|told|captain|president|minister|director|author|actor|singer|player)\s+$")


def role(text, start):
    before = text[max(0, start - 16):start]
    return "place" if PLACE.search(before) else "person" if PERSON.search(before) else ""


def named(r, far, rng):
    claim, ev = r["claim"], r["evidence"]
    own = [(s, at) for s, at in proper(claim) if s in ev or rng.random() < .15]
    rng.shuffle(own)
    for old, at in own[:2]:
        words = set(re.findall(r"\w+", old))
        what = role(claim, at[0])
        inside = [(s, p) for s, p in proper(ev) if not words & set(re.findall(r"\w+", s)) and s not in claim and abs(len(s.split()) - len(old.split())) <= 1 and not listed(ev, old, s)]
        alike = [s for s, p in inside if role(ev, p[0]) == what] if what else [s for s, _ in inside]
        there = bool(alike) and rng.random() < .6
        pick = sorted(set(alike)) if there else [s for s in far if s not in ev and s not in claim and len(s.split()) == len(old.split()) and not words & set(re.findall(r"\w+", s))]
        if pick:
            yield old, rng.choice(pick), at, old in ev


ROUND = ["about {}", "around {}", "roughly {}", "approximately {}", "close to {}", "some {}"]


def rounded(r, rng):
    """A number of the claim said less exactly, rightly and wrongly."""
    claim, ev = r["claim"], r["evidence"]
    for m in NUMBER.finditer(claim):
        s, v = m.group(), value(m.group())
        before = claim[max(0, m.start() - 16):m.start()]
        if is_year(s) or v < 20 or ATLEAST.search(before) or ATMOST.search(before) or ABOUT.search(before) or not spelled(ev, s) or shape(claim, m) in ("day", "am", "pm") or re.search(r"[\d–-]$|\bto $|\band $|(?:No|Room|Route|Highway|Flight|Chapter|Section)\.? $", before):
            continue
        k = 10 ** (len(str(int(v))) - rng.choice([1, 2]))
        near = round(v / k) * k
        sign = claim[m.start() - 1:m.start()] if before[-1:] in "$€£" else ""
        at = m.start() - len(sign), m.end()
        say = lambda forms, x: rng.choice(forms).format(sign + (f"{int(x):,}" if "," in s else str(int(x))))
        if near <= 0 or k < 5:
            continue
        off = abs(near - v) / v
        if 0 < off <= .05:
            yield put(claim, at, say(ROUND, near)), SUPPORTED
            if near < v:
                yield put(claim, at, say(["more than {}", "over {}", "just over {}"], near)), SUPPORTED
                yield put(claim, at, say(["less than {}", "just under {}", "nearly {}"], near)), CONTRADICTED
            else:
                yield put(claim, at, say(["nearly {}", "almost {}", "just under {}", "fewer than {}"], near)), SUPPORTED
                yield put(claim, at, say(["more than {}", "over {}"], near)), CONTRADICTED
        wrong = round(v * rng.choice([.55, .65, .75, .82, 1.18, 1.3, 1.45]) / k) * k
        if wrong > 0 and abs(wrong - v) / v > .12:
            yield put(claim, at, say(ROUND, wrong)), CONTRADICTED
        return


TENS = {10 * (k + 2): w for k, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())}
SHARES = [(10, "a tenth"), (10, "one in ten"), (20, "a fifth"), (20, "one in five"), (25, "a quarter"), (25, "one in four"), (33.3, "a third"), (33.3, "one in three"), (40, "two fifths"), (50, "half"), (60, "three fifths"), (66.7, "two thirds"), (75, "three quarters"), (80, "four fifths"), (80, "four in five"), (90, "nine tenths"), (90, "nine in ten")]
SPANS = {  # so many of a unit are as long or as many as what is said in words
    "minute": {15: "a quarter of an hour", 30: "half an hour", 45: "three quarters of an hour", 60: "an hour", 90: "an hour and a half", 120: "two hours", 180: "three hours", 240: "four hours"},
    "hour": {12: "half a day", 24: "a day", 36: "a day and a half", 48: "two days", 72: "three days", 96: "four days", 168: "a week"},
    "day": {7: "a week", 10: "a week and a half", 14: "two weeks", 21: "three weeks", 28: "four weeks", 42: "six weeks", 56: "eight weeks"},
    "week": {2: "a fortnight", 26: "half a year", 52: "a year", 104: "two years"},
    "month": {6: "half a year", 12: "a year", 18: "a year and a half", 24: "two years", 30: "two and a half years", 36: "three years", 48: "four years", 60: "five years"},
    "year": {10: "a decade", 20: "two decades", 30: "three decades", 40: "four decades", 50: "half a century", 100: "a century", 200: "two centuries"},
}
SEASONS = dict(zip(MONTHS, ["winter"] * 2 + ["spring"] * 3 + ["summer"] * 3 + ["autumn"] * 3 + ["winter"]))


def close(v, to, what, rng):
    """Says of a value what it is close to, as far as that is so."""
    off = (v - to) / to
    if abs(off) < 1e-3:
        return what
    if abs(off) > .06:
        return None
    return rng.choice(["about ", "roughly ", "around "] + (["just over ", "a little more than "] if off > 0 else ["nearly ", "almost ", "just under "])) + what


def sayings(v, unit, rng):
    """Ways to say a number of a unit in words that do not have it."""
    if unit == "%":
        return [close(v, to, what, rng) for to, what in SHARES]
    if unit in SPANS:
        return [SPANS[unit].get(v)]
    if unit == "year of":
        decade, k = int(v) // 10 * 10, int(v) % 10
        part = "early" if k < 4 else "mid" if k < 7 else "late"
        return [f"the {decade}s", f"the {part}{'-' if part == 'mid' else ' '}{decade}s"] + ([f"the {part}{'-' if part == 'mid' else ' '}" + TENS[decade - 1900].replace("y", "ies")] if 1920 <= decade < 2000 else [])
    if unit == "n" and v == int(v) and 18 <= v < 95:
        to = round(v / 10) * 10
        return [close(v, to, TENS[to], rng)]
    if unit == "n" and v in (12, 24, 36):
        return [{12: "a dozen", 24: "two dozen", 36: "three dozen"}[v]]
    return []


def retold(r, rng):
    """A number of the claim in words that do not have it: that of the evidence, and another one; and the same beside evidence that has another."""
    claim, ev = r["claim"], r["evidence"]
    for m in NUMBER.finditer(claim):
        s, v, before, after = m.group(), value(m.group()), claim[:m.start()], claim[m.end():]
        if not spelled(ev, s) or ATLEAST.search(before) or ATMOST.search(before) or ABOUT.search(before) or re.search(r"[$€£¥–-]$|(?:\bto|\band|between|No\.?|Room|Route|Highway|Flight|Chapter|Section) $", before):
            continue
        kind, end = shape(claim, m), m.end()
        if share := re.match(r"\s?(?:%|per ?cent) (?=of )", after):
            unit, end = "%", end + len(share.group()) - 1
        elif kind == "year" and before.endswith((" in ", "In ")):
            unit = "year of"
        elif length := re.match(r" (minute|hour|day|week|month|year)s\b(?! old)", after):
            unit, end = length.group(1), end + len(length.group())
        elif kind in ("n", "people") and re.match(r" [a-z]{4,}", after):
            unit = "n"
        else:
            continue
        right = [x for x in sayings(v, unit, rng) if x]
        if not right:
            continue
        say = rng.choice(right)
        cap = lambda x: x[0].upper() + x[1:] if m.start() == 0 else x
        text, place = put(claim, (m.start(), end), cap(say))
        yield ev, text, SUPPORTED, []
        others = {"%": [x for x, _ in SHARES], "year of": [v + d for d in (-30, -20, -10, -4, 4, 10, 20)]}.get(unit, list(SPANS.get(unit, [v - 20, v - 10, v + 10, v + 20])))
        others = [x for x in others if abs(x - v) > (12 if unit == "%" else 0) and (unit != "year of" or x < 2026)]
        wrong = [x for o in others for x in sayings(o, unit, rng) if x and x not in right]
        for k, w in enumerate(TENS.values()):  # forty in place of fifty, with what was said before it
            if unit == "n" and say.endswith(w):
                wrong = [say[:-len(w)] + x for j, x in enumerate(TENS.values()) if 0 < abs(j - k) < 3] * 3 + wrong
        if wrong and rng.random() < .7:
            text, place = put(claim, (m.start(), end), cap(rng.choice(wrong)))
            yield ev, text, CONTRADICTED, [place]
        new = [x for x in others if not spelled(ev, written(x, s))]
        if new and rng.random() < .5:
            other = rng.choice(new)
            if say not in sayings(other, unit, rng) and (changed := everywhere(ev, s, written(other, s)))[1]:
                text, place = put(claim, (m.start(), end), cap(say))
                yield changed[0], text, CONTRADICTED, [place]
        return


def retold_date(r, rng):
    """A day of the claim as its month, its season or its year, and wrongly."""
    claim, ev = r["claim"], r["evidence"]
    m = re.search(r"\b([Oo])n (?:\d{1,2} (%s) (\d{4})|(%s) \d{1,2}, (\d{4}))\b" % ("|".join(MONTHS), "|".join(MONTHS)), claim)
    if not m:
        return
    month, year = m.group(2) or m.group(4), m.group(3) or m.group(5)
    if month not in ev or year not in ev:
        return
    of_month = lambda month, year: rng.choice([f"n {month} {year}", f"n {month} of {year}", f"n the {SEASONS[month]} of {year}"])
    say = lambda month, year: of_month(month, year) if rng.random() < .7 else f"n {year}"
    first = {"o": "i", "O": "I"}[m.group(1)]
    yield ev, put(claim, m.span(), first + say(month, year))[0], SUPPORTED, []
    k = MONTHS.index(month)
    for _ in range(rng.choice([1, 1, 2])):
        if rng.random() < .5:
            wrong = of_month(MONTHS[(k + rng.choice([3, 4, 5, 6, 7, 8])) % 12], year)
        else:
            wrong = say(month, str(int(year) + rng.choice([-10, -2, -1, 1, 2, 10])))
        text, place = put(claim, m.span(), first + wrong)
        yield ev, text, CONTRADICTED, [place]


def swapped(r, far, rng):
    """What is made of a reading: evidence, claim, label, places of the wrong words."""
    claim, ev = r["claim"], r["evidence"]
    ways = [(x, "number") for x in numbers(r, rng)]
    ways += [(x, "name") for x in named(r, far, rng)]
    for pattern, table in (COUNT, COUNTS), (ORDINAL, ORDINALS), (WHEN, None):
        if table is None:
            m = pattern.search(claim)
            table = MONTHS if m and m.group() in MONTHS else DAYS
        ways += [(x, "word") for x in others(claim, ev, pattern, table, rng)]
    rng.shuffle(ways)
    for (old, new, at, literal), what in ways[:rng.choice([1, 1, 2])]:
        text, place = put(claim, at, new)
        label = CONTRADICTED if literal and what != "name" else synth.NOT_SUPPORTED
        yield ev, text, label, [place]
        if literal and rng.random() < .8:
            changed, n = everywhere(ev, old, new)
            both, m = everywhere(claim, old, new)
            if n and m and not (what == "name" and new in ev):
                yield changed, both, SUPPORTED, []
                if rng.random() < .5:
                    places = [x.span() for x in re.finditer(r"(?<!\w)" + re.escape(old) + r"(?!\w)", claim)]
                    yield changed, claim, label, places
    if rng.random() < .6:
        for (text, place), label in rounded(r, rng):
            yield ev, text, label, [] if label == SUPPORTED else [place]
    yield from retold(r, rng)
    yield from retold_date(r, rng)


def gone_wrong(r, pool, rng):
    """The other ways to go wrong: units, roles, negations, opposites, quantifiers, other things of the same kind."""
    c = Claim.read(r["claim"])
    for f in rng.sample(OTHERS, len(OTHERS)):
        w = f(c, rng, pool)
        if w is not None and w.text()[0] != c.text()[0]:
            text, wrong = w.text()
            return r["evidence"], text, w.label, wrong
    return None


OTHERS = [synth.wrong_unit] * 2 + [synth.wrong_roles] * 2 + [synth.wrong_opposite] * 3 + [synth.wrong_quantifier] * 2 + [synth.wrong_noun] * 3


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--wordnet", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--show", type=int, default=0)
    ap.add_argument("readings", nargs="+")
    a = ap.parse_args()
    rng = random.Random(a.seed)
    readings = [json.loads(line) for path in a.readings for line in gzip.open(path, "rt")]
    readings = [r for r in readings if not r["set"].startswith(("joined", "hans", "wnli", "sts", "breaking", "citation_integrity"))]
    count = {}
    for r in readings:
        for w in set(re.findall(r"\b[a-z]{4,}\b", r["evidence"])):
            count[w] = count.get(w, 0) + 1
    synth.load_wordnet(a.wordnet, {w for w, n in count.items() if n >= 8})
    names = {}
    for r in readings:
        for s, _ in proper(r["evidence"]):
            names.setdefault(r["family"], set()).add(s)
    names = {f: sorted(x) for f, x in names.items()}
    out, labels = [], {}
    for r in readings:
        if r["label"] != "supported" or len(r["claim"]) < 15 or len(r["claim"]) > 420:
            continue
        some = names.get(r["family"], [])
        far = rng.sample(some, min(40, len(some)))
        said = r["claim"]
        if r["folder"] != "eval" and rng.random() < .5:  # what is right and what is wrong is in other words as often
            said = synth.rewrite(Claim.read(said), rng).text()[0]
        made = list(swapped(r | {"claim": said}, far, rng))
        if said != r["claim"] and rng.random() < .9:
            made.append((r["evidence"], said, SUPPORTED, []))
        if rng.random() < .25:
            words = sorted({w for w in re.findall(r"\b[a-z]{5,}\b", r["evidence"])})
            w = gone_wrong(r, {"numbers": [], "names": [], "far": [], "tails": [], "words": words}, rng)
            made += [w] if w else []
        if r["folder"] == "eval":
            made = made[:1] if rng.random() < .4 else []
            made += [(r["evidence"], r["claim"], SUPPORTED, [])] if made and rng.random() < .6 else []
        for ev, claim, label, wrong in made:
            out.append({"set": ("swapped." if r["folder"] == "eval" else "swap.") + r["set"].partition(".")[0], "folder": r["folder"], "family": r["family"], "row": -1, "label": label, "claim": claim, "evidence": ev, "wrong": wrong})
            labels[label] = labels.get(label, 0) + 1
    with gzip.open(a.out, "wt", compresslevel=5) as f:
        for r in out:
            f.write(json.dumps(r, ensure_ascii=False) + "\n")
    print(len(out), "made of", sum(r["label"] == "supported" for r in readings), labels)
    for r in rng.sample(out, a.show):
        print("SUPP UNSU CONT NOTS".split()[r["label"]], r["set"], "|", r["claim"], "|", [r["claim"][x:y] for x, y in r["wrong"]], "|", r["evidence"][:400])


if __name__ == "__main__":
    main()
