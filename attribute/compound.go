package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// compounds reads the words of an English segment as the sources spell them: two as one where these do (Wi-Fi, WiFi; health care, healthcare), and one as two
// that stand side by side there (takeout, take-out). What the sources do not have either way stays as it is.
func (t *turn) compounds(s string, toks []token.Token) []token.Token {
	var out []token.Token
	for i := 0; i < len(toks); i++ {
		tok := toks[i]
		parts := []token.Token{tok}
		n := 1
		if spelt(tok) {
			if one, ok := t.asOneWord(s, toks[i:]); ok {
				parts[0], n = one, 2
			} else if two := t.asTwo(s, tok); two != nil {
				parts = two
			}
		}
		if out == nil && (n > 1 || len(parts) > 1) {
			out = append(make([]token.Token, 0, len(toks)+1), toks[:i]...)
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
func spelt(tok token.Token) bool {
	return tok.Kind&(token.Number|token.Year|token.Ordinal|token.Month|token.Unit|token.Negation|token.Pronoun|token.Lookalike|token.Quantifier|token.Compare) == 0 && (tok.Content() || particle[tok.Key])
}

// particle are small words that end compounds: takeout, pickup, built-in.
var particle = token.Keys(`out up off down in on over away back`)

// shortest are the lengths from which words are taken for one that is written together or apart. A hyphen says as much by itself.
const (
	shortestJoined = 7
	shortestHyphen = 4
)

// asOneWord reads two words as the one that a source makes of them.
func (t *turn) asOneWord(s string, toks []token.Token) (token.Token, bool) {
	if len(toks) < 2 || !spelt(toks[1]) || toks[1].Kind.Has(token.Comma) {
		return token.Token{}, false
	}
	a, b := toks[0], toks[1]
	shortest := shortestJoined
	switch s[a.At.End:b.At.Start] {
	case "-":
		shortest = shortestHyphen
	case " ":
	default:
		return token.Token{}, false
	}
	if a.At.Len()+b.At.Len() < shortest || !t.begins(s, a, b) {
		return token.Token{}, false
	}
	word := strings.ToLower(a.At.In(s) + b.At.In(s))
	if !token.Letters(word) {
		return token.Token{}, false
	}
	key := token.Normal(word)
	if _, ok := t.byKey[key]; !ok || t.apart(a.Key, b.Key, false) {
		return token.Token{}, false
	}
	return token.Token{At: ibid.Span{Start: a.At.Start, End: b.At.End}, Key: key, Kind: a.Kind &^ token.Stop}, true
}

// begins reports whether a longer word of the sources begins as two of the segment do.
func (t *turn) begins(s string, a, b token.Token) bool {
	if a.At.Len() >= 4 { // most words begin none
		first := a.At.In(s)
		for id := range t.begin(strings.ToLower(first[:4])) {
			if key := t.terms[id].key; len(key) > len(first) && strings.EqualFold(key[:len(first)], first) {
				return true
			}
		}
		return false
	}
	_, ok := t.prefixes[strings.ToLower((a.At.In(s) + b.At.In(s))[:4])]
	return ok
}

// asTwo reads a word as two that stand side by side in a source; nil where there is none. A hyphen between these allows for shorter ones.
func (t *turn) asTwo(s string, tok token.Token) []token.Token {
	word := strings.ToLower(tok.At.In(s))
	if _, ok := t.byKey[tok.Key]; ok || tok.Kind.Has(token.Stop) || len(word) < shortestHyphen || !token.Letters(word) {
		return nil
	}
	longest := len(word) - 2
	if _, ok := t.prefixes[word[:4]]; !ok {
		longest = min(longest, 3) // no word of the sources begins so
	}
	for i := 2; i <= longest; i++ {
		first := token.Normal(word[:i])
		if _, ok := t.byKey[first]; !ok {
			continue
		}
		second := token.Normal(word[i:])
		if denying[first] || t.small(first) || t.small(second) && !particle[second] || !t.apart(first, second, len(word) < shortestJoined || i < 3) {
			continue
		}
		a, b := tok, tok
		a.At.End = a.At.Start + i
		b.At.Start = a.At.End
		a.Key, b.Key = first, second
		b.Kind = b.Kind&^token.Comma | token.Glued
		if particle[second] {
			b.Kind |= token.Stop
		}
		return []token.Token{a, b}
	}
	return nil
}

// small reports whether a word of the sources is a function word.
func (t *turn) small(key string) bool {
	id, ok := t.byKey[key]
	return ok && t.terms[id].kind.Has(token.Stop)
}

// denying begin words that say the opposite of the two: not able is not notable.
var denying = token.Keys(`no not non un in`)

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
			if t.tokens[j-1].term != left || t.tokens[j].term != right || t.tokens[j].kind.Has(token.Comma) {
				continue
			}
			if !hyphen || t.passages[x.passage].Chunk.Text[t.tokens[j-1].end:t.tokens[j].start] == "-" {
				return true
			}
		}
	}
	return false
}
