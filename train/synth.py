"""Makes claims from sentences: some that their context supports, some that it does not, each with the words that went wrong.

Everything here is rules and word lists: numbers, dates, names, units, negations, quantifiers, comparatives and roles are
swapped, clauses dropped, added and moved, sentences joined from two places, words replaced by words that mean the same.
The same ways of rewriting lead to both kinds of claim, so that a way of writing tells nothing about support.
"""
import re

from lemminflect import getInflection, getLemma

SUPPORTED, UNSUPPORTED, CONTRADICTED, NOT_SUPPORTED = 0, 1, 2, 3  # the last: one of the two before, unknown which

MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty fifty sixty hundred".split()
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
DIGITS = {w: str(i + 2) for i, w in enumerate("two three four five six seven eight nine ten eleven twelve".split())}
UNITS = [
    ["million", "billion", "thousand", "trillion"], ["years", "months", "weeks", "days", "hours", "decades"],
    ["year", "month", "week", "day", "hour", "decade"], ["km", "miles", "metres", "meters", "feet", "inches"],
    ["kilometers", "miles", "meters", "feet"], ["kg", "pounds", "grams", "tons", "tonnes"], ["dollars", "euros", "pounds", "yen"],
    ["mg", "g", "kg"], ["minutes", "seconds", "hours", "days"],
]
OPPOSITES = """increase:decrease increases:decreases increased:decreased increasing:decreasing rise:fall rises:falls rose:fell rising:falling
grew:shrank grow:shrink growing:shrinking higher:lower high:low more:fewer more:less greater:smaller larger:smaller largest:smallest
biggest:smallest highest:lowest best:worst better:worse most:least before:after earlier:later early:late first:last oldest:youngest
older:younger old:new north:south northern:southern east:west eastern:western northeast:southwest northwest:southeast up:down above:below
over:under inside:outside win:lose won:lost winner:loser wins:loses victory:defeat defeated:lost_to success:failure successful:unsuccessful
successfully:unsuccessfully support:oppose supports:opposes supported:opposed supporters:opponents accepted:rejected accept:reject approved:rejected approve:reject
agreed:refused allowed:banned allow:prevent allows:prevents include:exclude includes:excludes including:excluding included:excluded gain:loss gained:lost
positive:negative positively:negatively male:female man:woman men:women father:mother son:daughter brother:sister husband:wife boy:girl king:queen
his:her he:she actor:actress always:never often:rarely frequently:rarely usually:rarely all:some every:no many:few majority:minority everyone:nobody
open:closed opened:closed opening:closing begin:end began:ended started:finished start:finish beginning:end founded:dissolved created:destroyed built:demolished
buy:sell bought:sold buying:selling hired:fired joined:left arrived:departed entered:left born:died alive:dead married:divorced enabled:disabled improve:worsen improved:worsened
improves:worsens strengthen:weaken strengthened:weakened strong:weak fast:slow faster:slower quickly:slowly hot:cold warm:cool warmer:cooler wet:dry rich:poor
expensive:cheap easy:difficult easier:harder safe:dangerous safer:riskier effective:ineffective likely:unlikely possible:impossible legal:illegal
public:private urban:rural domestic:foreign national:international natural:artificial temporary:permanent major:minor main:minor common:rare
popular:unpopular guilty:innocent guilty:not_guilty convicted:acquitted praised:criticized criticized:praised welcomed:condemned promote:prevent promotes:prevents promoted:prevented
reduce:increase reduces:increases reduced:increased reducing:increasing raise:lower raised:lowered raises:lowers expand:contract expanded:contracted maximum:minimum
confirmed:denied confirm:deny confirms:denies admitted:denied proved:disproved true:false correct:incorrect accurate:inaccurate
north-east:south-west left:right top:bottom front:back upper:lower long:short longer:shorter wide:narrow deep:shallow heavy:light full:empty
same:different similar:different together:separately with:without both:neither for:against present:absent active:inactive direct:indirect
advantage:disadvantage benefit:harm benefits:harms beneficial:harmful healthy:unhealthy optimistic:pessimistic happy:sad love:hate loved:hated attack:defend
forward:backward ahead:behind profit:loss profits:losses surplus:deficit asset:liability import:export imports:exports imported:exported
majority-owned:minority-owned primary:secondary senior:junior professional:amateur single:married indoor:outdoor daytime:nighttime morning:evening winter:summer spring:autumn""".split()
ANTONYM = {}
for pair in OPPOSITES:
    a, b = pair.replace("_", " ").split(":")
    ANTONYM.setdefault(a, []).append(b)
    if " " not in b:
        ANTONYM.setdefault(b, []).append(a)
QUANTIFIERS = [  # from, to, label
    ("some", "all", UNSUPPORTED), ("some", "most", UNSUPPORTED), ("many", "all", UNSUPPORTED), ("most", "all", UNSUPPORTED), ("all", "none of", CONTRADICTED),
    ("several", "all", UNSUPPORTED), ("often", "always", UNSUPPORTED), ("usually", "always", UNSUPPORTED), ("sometimes", "always", UNSUPPORTED), ("sometimes", "never", CONTRADICTED),
    ("may", "will", UNSUPPORTED), ("might", "will", UNSUPPORTED), ("could", "will", UNSUPPORTED), ("may", "cannot", CONTRADICTED), ("can", "cannot", CONTRADICTED), ("could", "could not", CONTRADICTED),
    ("more than", "less than", CONTRADICTED), ("less than", "more than", CONTRADICTED), ("at least", "at most", CONTRADICTED), ("up to", "more than", CONTRADICTED), ("over", "under", CONTRADICTED),
    ("about", "exactly", UNSUPPORTED), ("nearly", "more than", CONTRADICTED), ("almost", "more than", CONTRADICTED), ("one of the", "the only one of the", UNSUPPORTED), ("one of the", "the", UNSUPPORTED),
    ("associated with", "caused by", UNSUPPORTED), ("linked to", "caused by", UNSUPPORTED), ("suggests", "proves", UNSUPPORTED), ("suggest", "prove", UNSUPPORTED), ("planned to", "refused to", CONTRADICTED),
    ("plans to", "has decided not to", CONTRADICTED), ("expected to", "not expected to", CONTRADICTED), ("only", "not only", CONTRADICTED), ("partly", "entirely", UNSUPPORTED), ("half", "all", CONTRADICTED),
    ("each", "only one", CONTRADICTED), ("few", "many", CONTRADICTED), ("until", "since", CONTRADICTED), ("during", "before", CONTRADICTED), ("after", "before", CONTRADICTED), ("because of", "despite", CONTRADICTED), ("despite", "because of", CONTRADICTED),
    ("likely to", "certain to", UNSUPPORTED), ("tried to", "managed to", UNSUPPORTED), ("is believed to be", "is", UNSUPPORTED), ("allegedly", "", UNSUPPORTED), ("reportedly", "", UNSUPPORTED),
]
AUX = {"is", "are", "was", "were", "has", "have", "had", "can", "could", "will", "would", "should", "must", "may", "might", "does", "do", "did"}
STOP = set("the a an of in on at to for and or but with by from as that this these those it its he she they his her their is are was were be been has have had not no".split())
WORD = re.compile(r"\d+(?:[.,]\d+)*(?:st|nd|rd|th)?|[A-Za-zÀ-ÿ]+(?:['’.-][A-Za-zÀ-ÿ]+)*|\S")


class Claim:
    """A sentence as words: each its text, the space before it, and whether the context supports it."""

    def __init__(self, words, label=SUPPORTED):
        self.w, self.label = words, label

    @classmethod
    def read(cls, text):
        out, last = [], 0
        for m in WORD.finditer(text):
            out.append([m.group(), text[last:m.start()] != "", True])
            last = m.end()
        return cls(out)

    def copy(self):
        return Claim([list(x) for x in self.w], self.label)

    def text(self):
        s, wrong = "", []
        for i, (w, space, ok) in enumerate(self.w):
            if space and s:
                s += " "
            if not ok:
                if wrong and wrong[-1][1] >= len(s) - 1:
                    wrong[-1][1] = len(s) + len(w)
                else:
                    wrong.append([len(s), len(s) + len(w)])
            s += w
        return s, wrong

    def put(self, i, j, text, ok=False):
        new = [[m, True, ok] for m in WORD.findall(text)] if text else []
        if new and i < len(self.w):
            new[0][1] = self.w[i][1]
            if i == 0 or self.w[i][0][:1].isupper():
                new[0][0] = new[0][0][:1].upper() + new[0][0][1:]
        self.w[i:j] = new
        return self


def names(c):
    """Runs of capitalised words, not the first word of the sentence unless more follow."""
    out, i, w = [], 0, c.w
    while i < len(w):
        if re.match(r"[A-ZÀ-Þ][\w'’.-]*$", w[i][0]) and w[i][0] not in MONTHS and w[i][0] not in DAYS and w[i][0] not in ("I", "The", "A", "An", "In", "It", "He", "She", "They", "This"):
            j = i + 1
            while j < len(w) and re.match(r"[A-ZÀ-Þ][\w'’.-]*$", w[j][0]):
                j += 1
            if i > 0 or j > i + 1:
                out.append((i, j))
            i = j
        else:
            i += 1
    return out


def span_text(c, i, j):
    return Claim([list(x) for x in c.w[i:j]]).text()[0]


# ---- ways to write the same ----

def drop_parens(c, rng):
    t = c.text()[0]
    new = re.sub(r"\s*\([^()]*\)", "", t)
    return Claim.read(new) if new != t and len(new) > 20 else None


def drop_lead(c, rng):
    t = c.text()[0]
    m = re.match(r"(However|Moreover|Furthermore|In addition|Also|Additionally|Meanwhile|For example|Indeed|Therefore|Thus|[A-Z][a-z]+ [^,.;]{3,60}), ([A-Za-z].{25,})$", t)
    if not m or re.match(r"(If|Unless|Without|Not|No|Although|Though|While)\b", m.group(1)):
        return None
    rest = m.group(2)
    if re.match(r"(and|or|but|who|which|where)\b", rest) or rest.count(",") > 2:
        return None
    return Claim.read(rest[0].upper() + rest[1:])


def move_lead(c, rng):
    t = c.text()[0]
    m = re.match(r"((?:In|On|At|During|After|Before|Since|By|From|Until) [^,.;]{3,50}), ([A-Za-z][^,;:]{20,}?)([.!]?)$", t)
    if not m:
        return None
    lead, rest = m.group(1), m.group(2)
    return Claim.read(rest[0].upper() + rest[1:] + " " + lead[0].lower() + lead[1:] + (m.group(3) or "."))


def drop_tail(c, rng):
    t = c.text()[0]
    m = re.match(r"(.{30,}?),? (?:, which|which|where|, who|, whom|, including|, although|, while|, because|, as|, with|, and|, but|, making|, leading|, resulting) [^.]{8,}\.?$", t)
    if not m or re.search(r"\b(not|if|unless|that|between|either|both)\b", m.group(1)[-25:]):
        return None
    return Claim.read(m.group(1).rstrip(" ,") + ".")


def drop_middle(c, rng):
    t = c.text()[0]
    m = re.match(r"([A-Z][^,;()]{5,60}), ((?:a|an|the|who|which|born|also|based|located)\b[^,;]{5,80}), ([^;]{15,})$", t)
    return Claim.read(m.group(1) + " " + m.group(3)) if m else None


def from_middle(c, rng):
    t = c.text()[0]
    m = re.match(r"([A-Z][\w'’. -]{3,40}), ((?:a|an|the)\b [^,;]{5,80}), ", t)
    if not m or m.group(1).split()[0] in ("In", "On", "At", "After", "Before", "By", "When", "While"):
        return None
    return Claim.read(m.group(1) + " " + rng.choice(["is ", "was "]) + m.group(2) + ".")


def numbers_same(c, rng):
    c = c.copy()
    for i, (w, _, _) in enumerate(c.w):
        nxt = c.w[i + 1][0] if i + 1 < len(c.w) else ""
        if w.lower() in DIGITS:
            return c.put(i, i + 1, DIGITS[w.lower()], True)
        if re.fullmatch(r"\d", w) and w in "23456789" and nxt not in (".", "%", ":", "/"):
            return c.put(i, i + 1, {v: k for k, v in DIGITS.items()}[w], True)
        if w == "%":
            return c.put(i, i + 1, "percent", True) if rng.random() < .9 else None
        if w == "percent":
            c.w[i] = ["%", False, True]
            return c
        if re.fullmatch(r"\d{1,3}(,\d{3})+", w):
            v = int(w.replace(",", ""))
            k = 10 ** (len(str(v)) - 2)
            r = rng.random()
            if r < .4:
                return c.put(i, i + 1, w.replace(",", ""), True)
            lead = c.w[i - 1][0].lower() if i else ""
            if lead in ("than", "least", "to", "about", "nearly", "over", "$", "£", "€", "exactly", "only"):
                return None
            if r < .7:
                return c.put(i, i + 1, f"more than {v // k * k - (k if v % k == 0 else 0):,}", True)
            return c.put(i, i + 1, f"about {round(v / k) * k:,}", True)
    return None


def synonyms(c, rng):
    c = c.copy()
    done = 0
    for i in rng.sample(range(len(c.w)), len(c.w)):
        w = c.w[i][0]
        if not w.islower() or len(w) < 4:
            continue
        s = SYNONYMS(w, rng)
        if s:
            c.w[i][0] = s
            done += 1
            if done >= rng.choice([1, 2, 3]):
                break
    return c if done else None


def first_half(c, rng):
    t = c.text()[0]
    m = re.match(r"(.{30,}?),? and ((?:he|she|it|they|was|were|is|are|has|had)\b.{10,})$", t)
    if not m or re.search(r"\b(both|between|either|not)\b", m.group(1)):
        return None
    return Claim.read(m.group(1) + ".")


def named(c, rng, title=None):
    if not title or not c.w or c.w[0][0] not in ("He", "She", "It", "They") or not re.match(r"[A-Z]", title) or len(title.split()) > 5:
        return None
    c = c.copy()
    return c.put(0, 1, re.sub(r"\s*\(.*", "", title), True)


REWRITES = [drop_parens, drop_lead, move_lead, drop_tail, drop_middle, from_middle, numbers_same, synonyms, first_half]


# ---- ways to go wrong: each gives a changed copy with its label, or None ----

def wrong_number(c, rng, pool):
    at = [i for i, (w, _, _) in enumerate(c.w) if re.match(r"\d", w)]
    if not at:
        return None
    i = rng.choice(at)
    w = c.w[i][0]
    new = None
    same = [x for x in pool["numbers"] if x != w and len(x) == len(w) and x not in (y[0] for y in c.w)]
    if same and rng.random() < .6:
        new = rng.choice(same)
    else:
        m = re.match(r"(\d+(?:[.,]\d+)*)(.*)$", w)
        d = list(m.group(1))
        if re.fullmatch(r"(1[5-9]|20)\d\d", m.group(1)):
            new = str(int(m.group(1)) + rng.choice([-20, -11, -10, -7, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 8, 10, 12, 30])) + m.group(2)
        else:
            k = rng.choice([j for j, x in enumerate(d) if x.isdigit()])
            d[k] = rng.choice([x for x in ("123456789" if k == 0 else "0123456789") if x != d[k]])
            if rng.random() < .15 and "." not in d and "," not in d:
                d.append(rng.choice("0123456789"))
            new = "".join(d) + m.group(2)
    if new == w:
        return None
    c = c.copy()
    c.w[i][0], c.w[i][2] = new, False
    c.label = CONTRADICTED
    return c


def wrong_word(c, rng, pool, words):
    at = [i for i, (w, _, _) in enumerate(c.w) if w in words or w.lower() in words]
    if not at:
        return None
    i = rng.choice(at)
    w = c.w[i][0]
    new = rng.choice([x for x in words if x.lower() != w.lower()])
    c = c.copy()
    c.w[i][0] = new if not w[0].isupper() else new[0].upper() + new[1:]
    c.w[i][2] = False
    c.label = CONTRADICTED
    return c


def wrong_date(c, rng, pool):
    return wrong_word(c, rng, pool, MONTHS if rng.random() < .8 else DAYS)


def wrong_count(c, rng, pool):
    return wrong_word(c, rng, pool, NUMBER_WORDS if rng.random() < .6 else ORDINALS)


def wrong_unit(c, rng, pool):
    groups = [g for g in UNITS if any(w.lower() in g for w, _, _ in c.w)]
    return wrong_word(c, rng, pool, rng.choice(groups)) if groups else None


def wrong_name(c, rng, pool):
    own = names(c)
    if not own:
        return None
    i, j = rng.choice(own)
    have = c.text()[0]
    others = [n for n in pool["names"] if n not in have and span_text(c, i, j) not in n]
    far = [n for n in pool["far"] if n not in have]
    pick = others if others and (rng.random() < .7 or not far) else far
    if not pick:
        return None
    same = [n for n in pick if len(n.split()) == j - i]
    c = c.copy().put(i, j, rng.choice(same or pick))
    c.label = NOT_SUPPORTED
    return c


def wrong_roles(c, rng, pool):
    own = names(c)
    if len(own) < 2:
        return None
    k = rng.randrange(len(own) - 1)
    (a, b), (x, y) = own[k], own[k + 1]
    between = [w.lower() for w, _, _ in c.w[b:x]]
    if len(between) < 2 or any(w in ("and", "or", ",", "with", "&", "/", "between", "(", "'s") for w in between):
        return None
    one, two = span_text(c, a, b), span_text(c, x, y)
    c = c.copy().put(x, y, one).put(a, b, two)
    c.label = NOT_SUPPORTED
    return c


def wrong_negation(c, rng, pool):
    low = [w.lower() for w, _, _ in c.w]
    c = c.copy()
    if "not" in low and rng.random() < .9:
        i = low.index("not")
        c.w[i:i + 1] = []
        if i > 0:
            c.w[i - 1][2] = False
        c.label = CONTRADICTED
        return c
    at = [i for i, w in enumerate(low) if w in AUX and i > 0 and i + 1 < len(low) and low[i + 1] not in ("not", "no", ",", ".", "only")]
    if at:
        i = at[0] if rng.random() < .7 else rng.choice(at)
        r = rng.random()
        c.w.insert(i + 1, ["not" if r < .8 else "never", True, False])
        if low[i] in ("is", "was", "are", "were", "can", "could", "did", "does", "do", "has", "had", "have", "would", "should") and rng.random() < .25:
            c.w[i + 1:i + 2] = []
            c.w[i] = ["can't" if low[i] == "can" else c.w[i][0] + "n't", c.w[i][1], False]
        c.label = CONTRADICTED
        return c
    verbs = [i for i, w in enumerate(low) if i > 0 and re.fullmatch(r"[a-z]{3,}ed", w) and low[i - 1] not in AUX and low[i - 1] not in STOP]
    if verbs:
        i = rng.choice(verbs)
        lemma = getLemma(low[i], "VERB")
        if lemma:
            c.put(i, i + 1, "did not " + lemma[0])
            c.label = CONTRADICTED
            return c
    return None


def wrong_opposite(c, rng, pool):
    at = [i for i, (w, _, _) in enumerate(c.w) if w.lower() in ANTONYM]
    if at:
        at = [i for i in at if c.w[i][0].lower() not in ("his", "her", "he", "she", "for", "with", "over", "under", "first", "up", "all", "most", "more")] or at
        i = rng.choice(at)
        c = c.copy().put(i, i + 1, rng.choice(ANTONYM[c.w[i][0].lower()]))
        c.label = CONTRADICTED
        return c
    at = [(i, o) for i, (w, _, _) in enumerate(c.w) if w.islower() for o in [OPPOSITE(w, rng)] if o]
    if not at:
        return None
    i, o = rng.choice(at)
    c = c.copy().put(i, i + 1, o)
    c.label = CONTRADICTED
    return c


def wrong_quantifier(c, rng, pool):
    t, wrong = c.text()
    hits = [(m, b, l) for a, b, l in QUANTIFIERS for m in [re.search(r"\b" + a + r"\b", t)] if m]
    if not hits:
        return None
    m, b, label = rng.choice(hits)
    i = len(WORD.findall(t[:m.start()]))
    j = i + len(WORD.findall(m.group()))
    c = c.copy().put(i, j, b)
    if not b and i < len(c.w):
        c.w[i][2] = False
    c.label = label
    return c


def wrong_noun(c, rng, pool):
    """A content word replaced by another of the context with the same ending."""
    at = [i for i, (w, _, _) in enumerate(c.w) if w.islower() and len(w) > 4 and w not in STOP]
    rng.shuffle(at)
    have = {w.lower() for w, _, _ in c.w}
    for i in at:
        w = c.w[i][0]
        s = OTHER_KIND(w, rng)
        if s and s not in have:
            c = c.copy().put(i, i + 1, s)
            c.label = NOT_SUPPORTED
            return c
        same = [x for x in pool["words"] if x[-3:] == w[-3:] and x != w and x not in have and x[:4] != w[:4]]
        if same:
            c = c.copy().put(i, i + 1, rng.choice(same))
            c.label = NOT_SUPPORTED
            return c
    return None


def added(c, rng, pool):
    """Words that nothing supports, at the end or at the start."""
    t, _ = c.text()
    extra = rng.choice(pool["tails"]) if pool["tails"] else None
    if not extra or len(t) < 20:
        return None
    c = c.copy()
    stop = c.w and c.w[-1][0] in ".!"
    if stop:
        c.w.pop()
    new = [[m, True, False] for m in WORD.findall(extra)]
    for k, x in enumerate(new):
        if x[0] in ",.;:)%'’":
            x[1] = False
    c.w += new
    if c.w[-1][0] not in ".!":
        c.w.append([".", False, True])
    c.label = UNSUPPORTED
    return c


WRONGS = [wrong_number] * 5 + [wrong_date] * 2 + [wrong_count] * 2 + [wrong_unit] + [wrong_name] * 5 + [wrong_roles] * 3 + [wrong_negation] * 4 + [wrong_opposite] * 5 + [wrong_quantifier] * 4 + [wrong_noun] * 5 + [added] * 4


def go_wrong(c, rng, pool):
    for f in rng.sample(WRONGS, len(WRONGS)):
        out = f(c, rng, pool)
        if out is not None and out.text()[0] != c.text()[0]:
            if rng.random() < .12:
                again = rng.choice(WRONGS)(out, rng, pool)
                if again is not None:
                    again.label = out.label if again.label != CONTRADICTED else CONTRADICTED
                    out = again
            return out
    return None


def rewrite(c, rng, title=None):
    """Says the same, or less, in other words."""
    n = named(c, rng, title)
    if n is not None and rng.random() < .8:
        c = n
    for f in rng.sample(REWRITES, len(REWRITES))[:rng.choice([1, 2, 3, 4])]:
        out = f(c, rng)
        if out is not None and len(out.text()[0]) > 15:
            c = out
    return c


def join(a, b, rng):
    """Two sentences as one."""
    a, b = a.copy(), b.copy()
    if a.w and a.w[-1][0] in ".!":
        a.w.pop()
    first = b.w[0][0]
    if first in ("The", "A", "An", "In", "It", "He", "She", "They", "This", "These", "His", "Her", "Its", "Their", "On", "At", "After", "During"):
        b.w[0][0] = first.lower()
    b.w[0][1] = True
    link = rng.choice([[[",", False, True], ["and", True, True]], [["and", True, True]], [[",", False, True], ["while", True, True]], [[";", False, True]]])
    return Claim(a.w + [list(x) for x in link] + b.w, max(a.label, b.label))


# ---- words that mean the same, the opposite, or another thing of the same kind, from WordNet ----

_SYN, _OPP, _SIS = {}, {}, {}


def load_wordnet(folder, common):
    """Synonyms of words with one or two meanings, antonyms, and sister terms; only words that are common themselves."""
    senses = {}
    for pos in ("noun", "verb", "adj", "adv"):
        for line in open(f"{folder}/index.{pos}", encoding="latin-1"):
            if not line.startswith("  "):
                f = line.split()
                senses[f[0]] = senses.get(f[0], 0) + int(f[2])
    for pos, tag in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        synsets = {}
        for line in open(f"{folder}/data.{pos}", encoding="latin-1"):
            if line.startswith("  "):
                continue
            f = line.split("|")[0].split()
            n = int(f[3], 16)
            words = [f[4 + 2 * k].split("(")[0] for k in range(n)]
            p = 4 + 2 * n
            ptrs = [f[p + 1 + 4 * k:p + 5 + 4 * k] for k in range(int(f[p]))]
            synsets[f[0]] = (words, ptrs)
        hypo = {}
        for off, (words, ptrs) in synsets.items():
            for q in ptrs:
                if q[0] == "@":
                    hypo.setdefault(q[1], []).append(off)
        for line in open(f"{folder}/index.{pos}", encoding="latin-1"):
            if line.startswith("  "):
                continue
            f = line.split()
            w, count, offs = f[0], int(f[2]), f[-int(f[2]):]
            if "_" in w or len(w) < 4 or not w.isalpha():
                continue
            if senses[w] <= 2:
                s = [x.lower() for x in synsets[offs[0]][0] if x.lower() != w and x.isalpha() and len(x) > 3 and x.lower() in common]
                if s:
                    _SYN.setdefault(w, {})[tag] = s
            words, ptrs = synsets[offs[0]]
            me = [k for k, x in enumerate(words) if x.lower() == w]
            opp = [synsets[q[1]][0][int(q[3][2:], 16) - 1] for q in ptrs if q[0] == "!" and q[2] == tag and q[1] in synsets and me and int(q[3][:2], 16) == me[0] + 1]
            opp = [x.lower() for x in opp if x.isalpha() and x.lower() in common]
            if opp:
                _OPP.setdefault(w, {})[tag] = opp
            if tag == "n" and count <= 4:
                sis = []
                for q in ptrs:
                    if q[0] == "@":
                        for o in hypo.get(q[1], [])[:40]:
                            if o not in offs:
                                sis += [x.lower() for x in synsets[o][0] if x.isalpha() and 3 < len(x) < 12 and x.lower() in common]
                if sis:
                    _SIS[w] = sis


FORMS = {"n": [("NN", "NOUN"), ("NNS", "NOUN")], "v": [("VB", "VERB"), ("VBD", "VERB"), ("VBN", "VERB"), ("VBG", "VERB"), ("VBZ", "VERB")], "a": [("JJ", "ADJ")], "r": [("RB", "ADV")]}


def _other(w, table, rng):
    for tag in "vnar":
        upos = FORMS[tag][0][1]
        for lemma in getLemma(w, upos)[:1]:
            options = table.get(lemma, {}).get(tag)
            if not options:
                continue
            for form, _ in FORMS[tag]:
                if w in getInflection(lemma, form):
                    new = getInflection(rng.choice(options), form)
                    if new and new[0] != w:
                        return new[0]
    return None


def SYNONYMS(w, rng):
    return _other(w, _SYN, rng)


def OPPOSITE(w, rng):
    return _other(w, _OPP, rng)


def OTHER_KIND(w, rng):
    lemma = (getLemma(w, "NOUN") or [w])[0]
    s = _SIS.get(lemma)
    if not s:
        return None
    new = rng.choice(s)
    if w != lemma:
        new = (getInflection(new, "NNS") or [new])[0]
    return new
