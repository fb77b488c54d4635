package attribute

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// wording is a segment's text with its amounts and dates as a source writes them. A judge knows words, and does not reckon: 90
// minutes and an hour and a half are to it two things.
type wording struct {
	text  string
	edits []token.Edit // in their order
}

// worded gives the text for a judge. Where the best window has no amount for the segment's, the second may.
func (t *turn) worded(s *segment, e *evidence) wording {
	if s.tongue != nil {
		return reworded(s.text, s.tongue.Gloss(s.text))
	}
	var edits []token.Edit
	for _, a := range []*alignment{&e.best, &e.second} {
		if len(a.pos) > 0 {
			edits = t.rewrite(s, a, edits)
		}
	}
	for _, m := range pricedFromTo.FindAllStringSubmatchIndex(s.text, -1) {
		if x := (token.Edit{At: ibid.Span{Start: m[2], End: m[3]}, With: " to "}); !slices.ContainsFunc(edits, func(o token.Edit) bool { return o.At.Overlaps(x.At) }) {
			edits = append(edits, x)
		}
	}
	edits = slices.DeleteFunc(edits, func(x token.Edit) bool { return strings.EqualFold(x.At.In(s.text), x.With) })
	slices.SortFunc(edits, func(a, b token.Edit) int { return a.At.Start - b.At.Start })
	return reworded(s.text, edits)
}

// pricedFromTo has the line between two prices, which a judge reads as one odd word: $1,200–$1,500.
var pricedFromTo = regexp.MustCompile(`[$€£¥]\d[\d,.]*(?: ?(?:[kKmM]|bn|thousand|million|billion))?( ?[-–—] ?)[$€£¥]\d`)

// reworded puts edits into a text, in their order.
func reworded(text string, edits []token.Edit) wording {
	var b strings.Builder
	last := 0
	for _, x := range edits {
		b.WriteString(text[last:x.At.Start] + x.With)
		last = x.At.End
	}
	b.WriteString(text[last:])
	return wording{b.String(), edits}
}

// rewrite adds an edit for each amount and date of the segment that the window says, also where it says it in the same form.
func (t *turn) rewrite(s *segment, a *alignment, edits []token.Edit) []token.Edit {
	mine, theirs := s.line(), t.line(a.passage, t.sentences[a.from].start, t.sentences[a.to-1].end)
	_, data := t.data[a.passage]
	text := t.passages[a.passage].Chunk.Text
	source := func(left, right int) string { return text[t.tokens[left].start:t.tokens[right-1].end] }
	put := func(from, to int, with string) {
		x := token.Edit{At: ibid.Span{Start: s.tokens[from].At.Start, End: s.tokens[to-1].At.End}, With: with}
		if !slices.ContainsFunc(edits, func(o token.Edit) bool { return o.At.Overlaps(x.At) }) {
			edits = append(edits, x)
		}
	}
	told := func(c change) string {
		return "from " + source(c.before.from, c.before.to) + " to " + source(c.now.from, c.now.to)
	}
	add := func(from, to, left, right int) { put(from, to, source(left, right)) }
	if from, to, ratio := mine.equalParts(); to > 0 {
		switch left, right, as := theirs.equalParts(); {
		case right == 0 || ratio == as:
		case as:
			put(from, to, "a 1:1 ratio")
		default:
			put(from, to, "in "+source(left, right))
		}
	}
	t.sidesTurned(s, a, theirs, put)
	for i, c := range s.content {
		p := int(a.pos[i])
		if p < theirs.start || p >= theirs.end || s.tokens[c].Kind.Has(token.Lookalike) {
			continue
		}
		if n, said, ok := s.notFirst(c, theirs, p); ok {
			put(n, c+1, said)
			continue
		}
		if a.via[i] == measured {
			if m, left, right, ok := s.withinStretch(c, theirs, p); ok {
				put(m.from, m.to, source(left, right))
				continue
			}
		}
		if a.via[i] == measured && s.tokens[c].Kind&(token.Year|token.Month) != 0 {
			if at, to, left, right, ok := mine.withinPeriod(c, theirs, p); ok {
				with := source(left, right)
				if theirs.at(left).Kind&(token.Number|token.Month) != 0 {
					with = "in " + with
				}
				put(at, to, with)
				continue
			}
		}
		if b, have, ok := s.borderAt(a, c, theirs); ok && have.from == p {
			put(b.at, b.to, have.told(b.onwards, source(have.from, have.to)))
			continue
		}
		from, to := dated(c, 0, len(s.tokens), func(k int) token.Kind { return s.tokens[k].Kind })
		left, right := dated(p, theirs.start, theirs.end, func(k int) token.Kind { return t.tokens[k].kind })
		if to-from > 1 || right-left > 1 {
			if sameKeys(mine, from, to, theirs, left, right) {
				add(from, to, left, right)
			}
			continue
		}
		if at, ok := mine.daytime(c); ok {
			if have, ok := theirs.daytime(p); ok && at.is(have) {
				add(at.from, at.to, have.from, have.to)
				continue
			}
		}
		if word, ok := changing[strings.ToLower(mine.text(c))]; ok {
			if ch, ok := t.changed(a, theirs.end, func(ch change) bool { return mine.multiplies(c, ch) }); ok {
				_, from := mine.hedge(c)
				put(from, c+1, word+" "+told(ch))
			}
			continue
		}
		want, ok := mine.amount(c)
		if !ok || want.kind.Has(token.Year) {
			continue
		}
		if a.via[i] == measured && ofCase[mine.key(want.from-1)] && mine.cased(c, want) {
			if left, right := theirs.rangeOf(p); right > 0 {
				add(want.from, want.to, left, right) // a loan of $1,000 to $5,000
				continue
			}
		}
		if have, ok := theirs.amount(p); ok && (mine.equals(want, theirs, have, c, p) || data && have.unit == "" && want.unit != "" && want.value == have.value && mine.text(c) != theirs.text(p)) {
			add(want.from, want.to, have.from, have.to)
		} else if ch, ok := t.changed(a, theirs.end, func(ch change) bool { return ch.by(want) || ch.percent(want) }); ok && p == ch.before.from {
			from := want.from
			if mine.key(from-1) == "by" {
				from--
			}
			put(from, want.to, told(ch))
		} else if at, have, ok := mine.sameRate(c, theirs); ok && p == have.from {
			add(at.from, at.to, have.from, have.to)
		} else if left, right := want.spanned(theirs); right > 0 && left <= p && p < right {
			from := want.from
			if key := theirs.key(left); key != "from" && key != "between" {
				left++
			}
			if key := mine.key(from - 1); key == "for" || key == "over" {
				from--
			}
			add(from, want.to, left, right)
		} else if one, two, ok := want.reckoned(theirs.amounts(), sum); ok && one.from <= p && p < one.to {
			put(want.from, want.to, source(one.from, one.to)+" plus "+source(two.from, two.to))
		}
	}
	return edits
}

// changing are words that say how many times as much something became, with those that say only that it did.
var changing = map[string]string{
	"doubled": "changed", "tripled": "changed", "trebled": "changed", "quadrupled": "changed", "halved": "changed",
	"doubling": "changing", "tripling": "changing", "trebling": "changing", "quadrupling": "changing", "halving": "changing",
}

// equals reports whether two amounts, with the tokens of their numbers, are the same in forms that may stand for each other.
func (l line) equals(want amount, theirs line, have amount, c, p int) bool {
	if want.unit == have.unit && want.value == have.value {
		return want.to-want.from > 1 && have.to-have.from > 1 && l.sterling(want) == theirs.sterling(have) ||
			grouped(l.text(c)) != grouped(theirs.text(p)) && want.to-want.from == have.to-have.from
	}
	hedge, _ := l.hedge(want.from)
	return (hedge <= nearly || want.unit != have.unit && want.says(have, exact) == 1) && want.says(have, exact) > 0 && (want.unit == have.unit || have.to-have.from > 1)
}

// grouped reports whether a number is written with commas or in words: 8,000 and eight thousand are the same, 3.1 and 3.10 need not be.
func grouped(number string) bool {
	return strings.Contains(number, ",") || strings.ContainsFunc(number, unicode.IsLetter)
}

// sterling reports whether an amount is of money by its sign: pounds may be weighed.
func (l line) sterling(a amount) bool {
	for i := a.from; i < a.to; i++ {
		if w := l.text(i); w == "£" || w == "GBP" {
			return true
		}
	}
	return false
}

// sameKeys reports whether two runs have the same tokens, in whatever order.
func sameKeys(a line, from, to int, b line, left, right int) bool {
	sorted := func(l line, from, to int) []string {
		var out []string
		for i := from; i < to; i++ {
			out = append(out, l.at(i).Key)
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(sorted(a, from, to), sorted(b, left, right))
}

// back gives the words of a judge as places of the segment: a word of an edit stands for all that it replaced.
func (w wording) back(words []ibid.WordSupport) []ibid.WordSupport {
	if len(w.edits) == 0 {
		return words
	}
	out := slices.Clone(words)
	for i := range out {
		out[i].At = ibid.Span{Start: w.place(out[i].At.Start, false), End: w.place(out[i].At.End, true)}
	}
	return out
}

// place maps an offset of the new text to the old one; within an edit to its start or end.
func (w wording) place(at int, end bool) int {
	shift := 0 // of the new text against the old
	for _, x := range w.edits {
		start := x.At.Start + shift
		if at < start || at == start && end {
			break
		}
		if stop := start + len(x.With); at < stop || at == stop && end {
			if end {
				return x.At.End
			}
			return x.At.Start
		}
		shift += len(x.With) - x.At.Len()
	}
	return at - shift
}
