package marker

import (
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// bracket reads what begins with a square bracket: a reference, a footnote, a link, a definition, or text.
func (s *Scanner) bracket(rest string, at int, eof bool) int {
	if s.escaped() {
		return s.literal(rest[:1])
	}
	ref, v := bracketed(rest, eof)
	switch {
	case v == more:
		return 0
	case v == no:
		return s.link(rest, at, eof)
	case ref.n == len(rest) && !eof:
		return 0 // "(" or ":" may follow
	}
	after := rest[ref.n:]
	leads := s.leads()
	switch {
	case leads && !s.taken && strings.HasPrefix(after, ":"):
		return s.define(rest[:ref.n], true)
	case strings.HasPrefix(after, "("):
		if numbered, v := address(rest, ref.n, eof); v == more {
			return 0
		} else if v == yes {
			numbered.numbers, numbered.keyword = ref.numbers, ref.keyword
			return s.decide(rest, at, numbered, yes, eof)
		}
	}
	if ref.label != "" || ref.keyword {
		return s.decide(rest, at, ref, yes, eof)
	}
	return s.number(rest, at, ref, leads, eof)
}

// number decides on bare numbers in brackets, which may be other things than references.
func (s *Scanner) number(rest string, at int, ref reference, leads, eof bool) int {
	after := rest[ref.n:]
	if leads && !s.taken {
		if _, _, v := s.noun(rest, at, ref, eof); v != no { // "[1] states that"
			return s.decide(rest, at, ref, yes, eof)
		}
		switch followedByText(after, eof) {
		case more:
			return 0
		case yes:
			return s.define(rest[:ref.n], false) // an entry of a list of references
		}
	}
	if s.attached() {
		if len(after) < 2 && !eof {
			return 0
		}
		if indexing(s.word, after) {
			return s.literal(rest[:ref.n])
		}
	}
	if len(ref.numbers) > 1 && interval(s.word) {
		return s.literal(rest[:ref.n])
	}
	if _, dangling := s.resolve(ref); len(dangling) > 0 && s.quoted() {
		if len(after) < len("”") && !eof {
			return 0
		}
		if !strings.HasPrefix(after, `"`) && !strings.HasPrefix(after, "”") && !strings.HasPrefix(after, "»") {
			return s.literal(rest[:ref.n]) // in the midst of a quotation: the quoted work's own
		}
	}
	return s.decide(rest, at, ref, yes, eof)
}

// link takes a link to a known source out of the text and leaves its words. Other links are text, with their address.
func (s *Scanner) link(rest string, at int, eof bool) int {
	if len(s.cfg.byURL) == 0 {
		return s.literal(rest[:1])
	}
	ref, v := link(rest, eof)
	if v == more {
		return 0
	}
	if v == no {
		return s.literal(rest[:1])
	}
	ranks, _ := s.resolve(ref)
	if len(ranks) == 0 || s.attached() && strings.HasSuffix(s.word, "!") {
		return s.literal(rest[:ref.n])
	}
	s.remove(Cut{At: ibid.Span{Start: at, End: at + ref.keep[0]}})
	s.plain(rest[ref.keep[0]:ref.keep[1]])
	s.cite(ranks, nil, Cut{At: ibid.Span{Start: at + ref.keep[1], End: at + ref.n}}, nil)
	return ref.n
}

// links takes a bracket out of the text that holds links to known sources and nothing else, as ([example.org](https://…)) behind a
// sentence: it is a reference as [1] is, and its words are no part of what is said.
func (s *Scanner) links(rest string, at int, eof bool) (n int, v verdict) {
	if len(s.cfg.byURL) == 0 || s.escaped() {
		return 0, no
	}
	var all []int
	for i := 1; ; {
		i = len(rest) - len(strings.TrimLeft(rest[i:], " "))
		switch {
		case i > linkLimit: // no wait is unbounded
			return 0, no
		case i == len(rest):
			return 0, end(eof)
		case rest[i] != '[':
			return 0, no
		}
		ref, v := link(rest[i:], eof)
		if v != yes {
			return 0, v
		}
		ranks, _ := s.resolve(ref)
		if len(ranks) == 0 {
			return 0, no
		}
		all = union(all, ranks)
		i = len(rest) - len(strings.TrimLeft(rest[i+ref.n:], " "))
		switch {
		case i == len(rest):
			return 0, end(eof)
		case rest[i] == ')':
			s.cite(all, nil, Cut{At: ibid.Span{Start: at, End: at + i + 1}}, nil)
			s.bol = false
			return i + 1, yes
		case rest[i] != ',' && rest[i] != ';':
			return 0, no
		}
		i++
	}
}

// enclosed takes a bracket out of the text that holds references and nothing else: ([1]), ([CTX 1]; [CTX 2]). Numbers behind a word,
// as in f([1]), are code.
func (s *Scanner) enclosed(rest string, at int, eof bool) (n int, v verdict) {
	switch {
	case s.escaped():
		return 0, no
	case len(rest) == 1:
		return 0, end(eof)
	case rest[1] != '[':
		return 0, no
	}
	ref, v := bracketed(rest[1:], eof)
	if v == more {
		return 0, more
	}
	if v == no || len(ref.numbers) == 0 || !ref.keyword && s.attached() && calling(s.word+"(") {
		return 0, no
	}
	all, v := joined(rest[1:], ref, eof)
	if v != yes {
		return 0, v
	}
	n = 1 + all.n
	switch {
	case n == len(rest):
		return 0, end(eof)
	case rest[n] != ')':
		return 0, no
	}
	refs, dangling := s.resolve(all)
	if len(dangling) > 0 && s.quoted() {
		return 0, no // the quoted work's own
	}
	n++
	s.cite(refs, dangling, Cut{At: ibid.Span{Start: at, End: at + n}}, s.labels(all))
	s.bol = false
	return n, yes
}

// stressed reads references that nothing but the signs of stress stands around: **[1]**, _[2], [3]_. Signs that lead their line are
// those of an entry in a list, and such that close a stretch of stressed words are not their own.
func (s *Scanner) stressed(rest string, eof bool) (reference, verdict) {
	sign := rest[:len(rest)-len(strings.TrimLeft(rest, rest[:1]))]
	switch last, _ := utf8.DecodeLastRuneInString(s.word); {
	case s.leads() || s.clean == 0 && s.lead == "" || s.escaped() || len(sign) > 3:
		return reference{}, no
	case len(sign) == len(rest) && !eof:
		return reference{}, more
	case !s.attached():
	case isWordRune(last) && sign != "**", strings.ContainsRune("*_", last), strings.Count(string(s.recent), sign)%2 == 1:
		return reference{}, no
	}
	ref, v := stressedAt(rest, eof)
	if v != yes {
		return ref, v
	}
	refs, dangling := s.resolve(ref)
	if ref.name != "" && len(refs)+len(dangling) == 0 || len(dangling) > 0 && s.quoted() || len(ref.numbers) > 1 && interval(s.word) {
		return ref, no
	}
	return ref, yes
}

// stressedAt reads references between signs of stress, with these.
func stressedAt(s string, eof bool) (reference, verdict) {
	sign := s[:len(s)-len(strings.TrimLeft(s, s[:1]))]
	switch n := len(sign); {
	case n > 3:
		return reference{}, no
	case n == len(s):
		return reference{}, end(eof)
	case s[n] == '*' || s[n] == '_':
		return reference{}, no
	}
	ref, v := referenceAt(s[len(sign):], eof)
	if v == yes && s[len(sign)] == '[' {
		ref, v = joined(s[len(sign):], ref, eof)
	}
	if v != yes {
		return ref, v
	}
	after := s[len(sign)+ref.n:]
	switch {
	case len(after) <= len(sign) && strings.HasPrefix(sign, after) && !eof:
		return ref, more
	case !strings.HasPrefix(after, sign) || strings.HasPrefix(after[len(sign):], sign[:1]):
		return ref, no
	}
	ref.n += 2 * len(sign)
	return ref, yes
}

// define begins a definition: a line that says what a label stands for. It stays in the text.
func (s *Scanner) define(label string, verbatim bool) int {
	s.finishDefinition()
	s.plain(label)
	s.def = &definition{label: strings.ToLower(strings.Trim(label, "[] ")), verbatim: verbatim}
	return len(label)
}

func (s *Scanner) literal(t string) int {
	s.plain(t)
	return len(t)
}
