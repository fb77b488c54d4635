package attribute

import (
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// line is a run of tokens, of a segment or of a window, so that both are read by the same rules.
type line struct {
	start, end int
	own        []token.Token // of a segment
	t          *turn         // whose tokens a window's are, nil for a segment
	from       string        // the text that the tokens are of
}

func (s *segment) line() line { return line{end: len(s.tokens), own: s.tokens, from: s.text} }

func (t *turn) line(passage, start, end int) line {
	return line{start: start, end: end, t: t, from: t.passages[passage].Chunk.Text}
}

// at is the token at i. That of a window is without its place.
func (l line) at(i int) token.Token {
	if l.t == nil {
		return l.own[i]
	}
	w := &l.t.tokens[i]
	tm := &l.t.terms[w.term]
	return token.Token{Key: tm.key, Num: tm.num, Kind: w.kind | tm.kind&(token.Number|token.Ordinal)}
}

// span is the place of the token at i within its text.
func (l line) span(i int) (start, end int) {
	if l.t == nil {
		return l.own[i].At.Start, l.own[i].At.End
	}
	return int(l.t.tokens[i].start), int(l.t.tokens[i].end)
}

func (l line) text(i int) string {
	start, end := l.span(i)
	return l.from[start:end]
}

// closed reports whether a bracket ends behind the token at i, and colon whether a colon and a digit stand there.
func (l line) closed(i int) bool {
	_, end := l.span(i)
	return strings.HasPrefix(l.from[end:], ")")
}

func (l line) colon(i int) bool {
	_, end := l.span(i)
	return colonDigit(l.from[end:])
}

func colonDigit(s string) bool { return len(s) > 1 && s[0] == ':' && token.IsDigit(rune(s[1])) }

// any reports whether something holds for a token of the line.
func (l line) any(holds func(i int) bool) bool {
	for i := l.start; i < l.end; i++ {
		if holds(i) {
			return true
		}
	}
	return false
}

// unit is the one that the number at i counts, with the tokens of both: the one beside it, or that of the range it is part of, as
// in 10 to 12 minutes and $5–7.
func (l line) unit(i int) (unitKey string, from, to int) {
	if key, from, to := l.beside(i); key != "" {
		return key, from, to
	}
	if j := l.upTo(i); j >= 0 {
		key, _, _ := l.beside(j)
		return key, i, i + 1
	}
	for j := i - 1; j >= max(l.start, i-3); j-- { // $5 to 7
		if l.at(j).Kind.Has(token.Number) && l.upTo(j) == i {
			if key, from, _ := l.beside(j); from < j {
				return key, i, i + 1
			}
		}
	}
	for j := i + 1; l.clock(i) && j < min(l.end, i+maxClocks) && (l.clock(j) || l.key(j) == "and"); j++ { // 1:48, 2:05 and 0:31 minutes
		if key, _, _ := l.beside(j); key != "" {
			return key, i, i + 1
		}
	}
	return "", i, i + 1
}

// maxClocks bounds how far behind a time its unit is looked for, in words: a timetable has thousands, and none.
const maxClocks = 12

// run is the line without its text.
func (l line) run() token.Run { return token.Run{At: l.at, Start: l.start, End: l.end} }

// upTo finds the other end of the range that begins with the number at i, -1 where none does.
func (l line) upTo(i int) int { return l.run().UpTo(i) }

// sign reports whether the sign of a currency stands at i, before a number.
func (l line) sign(i int) bool { return l.run().Sign(i) }

// beside is the unit beside the number at i: behind it, or a sign before it.
func (l line) beside(i int) (unitKey string, from, to int) {
	signed := i > l.start && l.at(i-1).Kind.Has(token.Unit) && l.at(i).Kind.Has(token.Glued)
	taken := signed && i+1 < l.end && (l.sign(i+1) || measures[l.at(i+1).Key].of == "time") // $5–$7, $10/month
	if l.key(i+1) == token.Signs['°'] && (l.key(i+2) == celsius || l.key(i+2) == fahrenheit) {
		return l.key(i + 2), i, i + 3
	}
	if i+1 < l.end && l.at(i+1).Kind.Has(token.Unit) && !l.at(i+1).Kind.Has(token.Comma) && !taken {
		return l.at(i + 1).Key, i, i + 2
	}
	if l.key(i+1) == token.Signs['%'] && l.key(i+2) == point { // 15 percentage points
		return token.Signs['%'], i, i + 3
	}
	if signed || i > l.start && l.at(i-1).Kind.Has(token.Unit) && currencies[l.text(i-1)] {
		return l.at(i - 1).Key, i - 1, i + 1
	}
	return "", i, i + 1
}

var point = token.Key("point")

// currencies are short names and signs that stand before the amount apart from it: EUR 70,000, £ 70,000.
var currencies = map[string]bool{"EUR": true, "USD": true, "GBP": true, "$": true, "€": true, "£": true, "¥": true}
