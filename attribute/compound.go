package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// compounds reads the words of an English segment as the sources spell them: two as one where these do (Wi-Fi, WiFi; health care, healthcare), and one as two
// that stand side by side there (takeout, take-out). What the sources do not have either way stays as it is.
func (t *turn) compounds(s string, toks []token) []token {
	var out []token
	for i := 0; i < len(toks); i++ {
		tok := toks[i]
		parts := []token{tok}
		n := 1
		if spelt(tok) {
			if one, ok := t.asOneWord(s, toks[i:]); ok {
				parts[0], n = one, 2
			} else if two := t.asTwo(s, tok); two != nil {
				parts = two
			}
		}
		if out == nil && (n > 1 || len(parts) > 1) {
			out = append(make([]token, 0, len(toks)+1), toks[:i]...)
		}
		if out != nil {
			out = append(out, parts...)
		}
		i += n - 1
	}
	if out == nil {
		return toks
	}
	return out
}

// spelt reports whether a token is a word in letters that others may write together or apart.
func spelt(tok token) bool {
	return tok.kind&(number|year|ordinal|month|unit|negation|pronoun|lookalike|quantifier|compare) == 0 && (tok.content() || particle[tok.key])
}

// particle are small words that end compounds: takeout, pickup, built-in.
var particle = keys(`out up off down in on over away back`)

// shortest are the lengths from which words are taken for one that is written together or apart. A hyphen says as much by itself.
const (
	shortestJoined = 7
	shortestHyphen = 4
)

// asOneWord reads two words as the one that a source makes of them.
func (t *turn) asOneWord(s string, toks []token) (token, bool) {
	if len(toks) < 2 || !spelt(toks[1]) || toks[1].kind.has(comma) {
		return token{}, false
	}
	a, b := toks[0], toks[1]
	shortest := shortestJoined
	switch s[a.at.End:b.at.Start] {
	case "-":
		shortest = shortestHyphen
	case " ":
	default:
		return token{}, false
	}
	if a.at.Len()+b.at.Len() < shortest || !t.begins(s, a, b) {
		return token{}, false
	}
	word := strings.ToLower(a.at.In(s) + b.at.In(s))
	if !letters(word) {
		return token{}, false
	}
	key := normal(word)
	if _, ok := t.byKey[key]; !ok || t.apart(a.key, b.key, false) {
		return token{}, false
	}
	return token{at: ibid.Span{Start: a.at.Start, End: b.at.End}, key: key, kind: a.kind &^ stop}, true
}

// begins reports whether a longer word of the sources begins as two of the segment do.
func (t *turn) begins(s string, a, b token) bool {
	if a.at.Len() >= 4 { // most words begin none
		first := a.at.In(s)
		for id := range t.begin(strings.ToLower(first[:4])) {
			if key := t.terms[id].key; len(key) > len(first) && strings.EqualFold(key[:len(first)], first) {
				return true
			}
		}
		return false
	}
	_, ok := t.prefixes[strings.ToLower((a.at.In(s) + b.at.In(s))[:4])]
	return ok
}

// asTwo reads a word as two that stand side by side in a source; nil where there is none. A hyphen between these allows for shorter ones.
func (t *turn) asTwo(s string, tok token) []token {
	word := strings.ToLower(tok.at.In(s))
	if _, ok := t.byKey[tok.key]; ok || tok.kind.has(stop) || len(word) < shortestHyphen || !letters(word) {
		return nil
	}
	longest := len(word) - 2
	if _, ok := t.prefixes[word[:4]]; !ok {
		longest = min(longest, 3) // no word of the sources begins so
	}
	for i := 2; i <= longest; i++ {
		first := normal(word[:i])
		if _, ok := t.byKey[first]; !ok {
			continue
		}
		second := normal(word[i:])
		if denying[first] || t.small(first) || t.small(second) && !particle[second] || !t.apart(first, second, len(word) < shortestJoined || i < 3) {
			continue
		}
		a, b := tok, tok
		a.at.End = a.at.Start + i
		b.at.Start = a.at.End
		a.key, b.key = first, second
		b.kind = b.kind&^comma | glued
		if particle[second] {
			b.kind |= stop
		}
		return []token{a, b}
	}
	return nil
}

// small reports whether a word of the sources is a function word.
func (t *turn) small(key string) bool {
	id, ok := t.byKey[key]
	return ok && t.terms[id].kind.has(stop)
}

// denying begin words that say the opposite of the two: not able is not notable.
var denying = keys(`no not non un in`)

// apart reports whether two words follow each other in a source, with a hyphen between them if that is asked for.
func (t *turn) apart(a, b string, hyphen bool) bool {
	left, ok := t.byKey[a]
	right, also := t.byKey[b]
	if !ok || !also {
		return false
	}
	rare, other := t.terms[left].heads, t.terms[right].heads
	if len(rare) > len(other) {
		rare, other = other, rare
	}
	for _, id := range rare {
		if _, ok := slices.BinarySearch(other, id); !ok {
			continue
		}
		x := t.sentences[id]
		t.operations += x.end - x.start
		for j := x.start + 1; j < x.end; j++ {
			if t.tokens[j-1].term != left || t.tokens[j].term != right || t.tokens[j].kind.has(comma) {
				continue
			}
			if !hyphen || t.passages[x.passage].Chunk.Text[t.tokens[j-1].end:t.tokens[j].start] == "-" {
				return true
			}
		}
	}
	return false
}
