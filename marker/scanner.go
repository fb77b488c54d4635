package marker

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// Scanner reads an answer as it streams.
//
//	raw deltas ─▶ step (forms: braces, brackets, code) ─▶ flow (clean text, white space, runs, marks) ─▶ Output
type Scanner struct {
	flow
	buf   string // raw text not yet consumed
	off   int    // where buf begins in the raw text
	fence struct {
		sign   byte
		length int
	}
	ticks struct { // backticks of which it is not known yet whether they open code
		n, at int
	}
	bol bool // nothing but blanks and quotation signs since the raw line began
	def *definition
}

// NewScanner makes a Scanner at the beginning of an answer.
func NewScanner(c Config) *Scanner {
	return &Scanner{flow: newFlow(c), bol: true}
}

// Write takes the next piece of the answer, cut anywhere, and gives what became certain with it.
func (s *Scanner) Write(delta string) Output {
	s.buf += delta
	s.run(false)
	return s.take()
}

// Close ends the answer and gives the rest.
func (s *Scanner) Close() Output {
	s.run(true)
	s.finishDefinition()
	s.finish()
	return s.take()
}

func (s *Scanner) run(eof bool) {
	i := 0
	for i < len(s.buf) {
		if n := len(s.open); n > 0 && s.off+i == s.open[n-1].raw.End-2 {
			s.closeMarker()
			i += 2
			continue
		}
		view, last := s.view(eof)
		n := s.step(view[i:], s.off+i, last)
		if n == 0 {
			break
		}
		i += n
	}
	s.buf = strings.Clone(s.buf[i:])
	s.off += i
}

// view is what a form may look at: within a marker nothing reaches over its end.
func (s *Scanner) view(eof bool) (string, bool) {
	if n := len(s.open); n > 0 {
		return s.buf[:s.open[n-1].raw.End-2-s.off], true
	}
	return s.buf, eof
}

// step consumes one sign, word or marker at the beginning of rest, or returns 0 where it needs more to decide.
func (s *Scanner) step(rest string, at int, eof bool) int {
	if n, done := s.verbatim(rest, at, eof); done {
		return n
	}
	switch c := rest[0]; c {
	case '`':
		return s.code(rest, at, eof)
	case '{':
		return s.brace(rest, at, eof)
	case '[':
		return s.bracket(rest, at, eof)
	case '(':
		if n, v := s.links(rest, at, eof); v != no {
			return n
		}
		if n, v := s.enclosed(rest, at, eof); v != no {
			return n
		}
		ref, v := parenthesised(rest, eof)
		return s.decide(rest, at, ref, v, eof)
	case '*', '_':
		if ref, v := s.stressed(rest, eof); v != no {
			return s.decide(rest, at, ref, v, eof)
		}
	case '<':
		ref, v := raised(rest, eof)
		return s.decideRaised(rest, at, ref, v, eof)
	}
	r, n, ok := nextRune(rest, eof)
	if !ok {
		return 0
	}
	if r == '【' {
		ref, v := lenticular(rest, eof)
		return s.decide(rest, at, ref, v, eof)
	}
	if isSuper(r) {
		ref, v := superscript(rest, eof)
		return s.decideRaised(rest, at, ref, v, eof)
	}
	if n == 1 && isPlain(rest[0]) {
		n = plainRun(rest)
	}
	s.plain(rest[:n])
	return n
}

// verbatim handles text in which nothing is a marker: fenced code and the definition of a footnote or link.
func (s *Scanner) verbatim(rest string, at int, eof bool) (n int, done bool) {
	if s.fence.length > 0 {
		return s.inFence(rest, eof), true
	}
	if c := rest[0]; s.bol && len(s.open) == 0 && (c == '`' && s.ticks.n < 3 || c == '~') {
		sign, length, v := fenceLine(rest, eof)
		switch v {
		case more:
			return 0, true
		case yes:
			s.fence.sign, s.fence.length = sign, length
			s.ticks.n = 0
			s.plain(rest[:length])
			return length, true
		}
	}
	if s.def != nil && s.def.verbatim {
		return s.one(rest, eof), true
	}
	if s.ticks.n > 0 {
		return s.maybeCode(rest, at, eof)
	}
	return 0, false
}

func (s *Scanner) inFence(rest string, eof bool) int {
	if s.bol && rest[0] == s.fence.sign {
		switch fenceEnd(rest, s.fence.sign, s.fence.length, eof) {
		case more:
			return 0
		case yes:
			n := 0
			for n < len(rest) && rest[n] == s.fence.sign {
				n++
			}
			s.fence.length = 0
			s.plain(rest[:n])
			return n
		}
	}
	return s.one(rest, eof)
}

// one passes on a single character, or a run of plain ones, as text.
func (s *Scanner) one(rest string, eof bool) int {
	if isPlain(rest[0]) {
		n := plainRun(rest)
		s.plain(rest[:n])
		return n
	}
	_, n, ok := nextRune(rest, eof)
	if !ok {
		return 0
	}
	s.plain(rest[:n])
	return n
}

// code reads backticks outside of code. Where the closing ones have not come yet the text flows on, as it reads the same
// whether they come or not; only a marker in between has to wait for the answer.
func (s *Scanner) code(rest string, at int, eof bool) int {
	n, v := codeSpan(rest, eof)
	if v != more {
		s.plain(rest[:n])
		return n
	}
	n = countTicks(rest)
	if n == len(rest) {
		return 0
	}
	s.ticks.n, s.ticks.at = n, at
	s.plain(rest[:n])
	return n
}

// maybeCode goes on in text that may be code. done is false where it turned out that it is not.
func (s *Scanner) maybeCode(rest string, at int, eof bool) (n int, done bool) {
	if at-s.ticks.at >= markerLimit {
		s.ticks.n = 0
		return 0, false
	}
	r, _, ok := nextRune(rest, eof)
	if !ok {
		return 0, true
	}
	switch {
	case r == '\n':
		ends, v := endsParagraph(rest, s.ticks.n, eof)
		if v == more {
			return 0, true
		}
		if ends {
			s.ticks.n = 0
			return 0, false
		}
	case strings.ContainsRune("`{[(<【", r), isSuper(r):
		n, v := codeEnd(rest, s.ticks.n, markerLimit-(at-s.ticks.at), eof)
		if v == more {
			return 0, true
		}
		s.ticks.n = 0
		if v == no {
			return 0, false
		}
		s.plain(rest[:n])
		return n, true
	}
	return s.one(rest, eof), true
}

// brace opens a marker where one stands that will be closed.
func (s *Scanner) brace(rest string, at int, eof bool) int {
	origin, n, v := opening(rest, eof)
	if v == yes {
		var end int
		if end, v = closing(rest, n, eof); v == yes {
			s.openMarker(origin, ibid.Span{Start: at, End: at + end + 2}, n)
			return n
		}
	}
	if v == more {
		return 0
	}
	s.plain("{")
	return 1
}

// decide takes a reference out of the text, or leaves its first sign as text.
func (s *Scanner) decide(rest string, at int, ref reference, v verdict, eof bool) int {
	put, noun := "", no
	if v == yes && !s.escaped() {
		put, ref, noun = s.noun(rest, at, ref, eof)
	}
	if v == more || noun == more {
		return 0
	}
	refs, dangling := s.resolve(ref)
	if v == yes && ref.name != "" && len(refs) == 0 && len(ref.numbers) == 0 {
		v = no // names a work that is not among the sources: the words of the answer
	}
	if v == no || s.escaped() {
		_, n, _ := nextRune(rest, true)
		s.plain(rest[:n])
		return n
	}
	n, v := s.gap(rest[ref.n:], eof)
	if v == more {
		return 0
	}
	if noun == yes {
		s.plain(put)
		s.spoken = union(s.spoken, refs)
	}
	n += ref.n
	s.cite(refs, dangling, Cut{ibid.Span{Start: at, End: at + n}, put}, s.labels(ref))
	s.bol = false
	return n
}

// decideRaised tells raised numbers that cite from powers (m², 10⁵) and from the numbers of a list of notes.
func (s *Scanner) decideRaised(rest string, at int, ref reference, v verdict, eof bool) int {
	if v == yes && s.attached() && exponent(s.word) {
		v = no
	}
	// A number without a passage that hangs on a word is rather a power than a citation that dangles.
	if last, _ := utf8.DecodeLastRuneInString(s.word); v == yes && s.attached() && isWordRune(last) {
		if _, dangling := s.resolve(ref); len(dangling) > 0 {
			v = no
		}
	}
	if v == yes && s.leads() {
		if v = followedByText(rest[ref.n:], eof); v == more {
			return 0
		} else if v == yes {
			v = no
		} else {
			v = yes
		}
	}
	return s.decide(rest, at, ref, v, eof)
}

// nextRune decodes a whole character; ok is false where the rest of it has not come yet.
func nextRune(s string, eof bool) (rune, int, bool) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1, true
	}
	if !eof && !utf8.FullRuneInString(s) {
		return 0, 0, false
	}
	r, n := utf8.DecodeRuneInString(s)
	return r, n, true
}

// isPlain reports whether a byte can neither begin a form nor end a line.
func isPlain(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', '\v', '\f', '`', '~', '{', '}', '[', ']', '(', ')', '<', '>', '"', '*', '_':
		return false
	}
	return c < utf8.RuneSelf
}

func plainRun(s string) int {
	n := 1
	for n < len(s) && isPlain(s[n]) {
		n++
	}
	return n
}

// plain passes on text that holds no marker.
func (s *Scanner) plain(t string) {
	for len(t) > 0 {
		n := 1
		r := rune(t[0])
		switch {
		case isPlain(t[0]):
			n = plainRun(t)
		case t[0] >= utf8.RuneSelf:
			r, n = utf8.DecodeRuneInString(t)
		}
		piece := t[:n]
		t = t[n:]
		if s.def != nil {
			s.def.add(piece)
		}
		if unicode.IsSpace(r) {
			s.space(piece)
			if r == '\n' {
				s.bol = true
				s.finishDefinition()
			}
			continue
		}
		if r != '>' {
			s.bol = false
		}
		s.text(piece)
	}
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
