package marker

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// Segmenter turns an answer as it streams into segments that wait for their attribution, each with what the model claims
// of it. However the answer is cut, the segments are the same.
type Segmenter struct {
	scanner  *Scanner
	splitter *text.Splitter
	marks    []Mark
	held     strings.Builder // clean text that is not part of a segment yet
	text     string          // the same while segments are made of it: held is joined only then, as one may come in a thousand writes
	from     int             // where it begins
}

// Segmented is what became certain with one write.
type Segmented struct {
	Text   string       // clean text that follows what was given before
	Drafts []ibid.Draft // segments that are complete, in order
	Late   []Mark       // what definitions say of segments that were given before
}

// NewSegmenter makes a Segmenter at the beginning of an answer.
func NewSegmenter(c Config) *Segmenter {
	return &Segmenter{scanner: NewScanner(c), splitter: text.NewSplitter()}
}

// Segment reads a whole answer.
func Segment(answer string, c Config) Segmented {
	s := NewSegmenter(c)
	a, b := s.Write(answer), s.Close()
	return Segmented{Text: a.Text + b.Text, Drafts: append(a.Drafts, b.Drafts...), Late: append(a.Late, b.Late...)}
}

// Write takes the next piece of the answer, cut anywhere.
func (s *Segmenter) Write(delta string) Segmented { return s.add(s.scanner.Write(delta), false) }

// Close ends the answer and gives the rest.
func (s *Segmenter) Close() Segmented { return s.add(s.scanner.Close(), true) }

func (s *Segmenter) add(out Output, last bool) Segmented {
	seg := Segmented{Text: out.Text}
	for _, m := range out.Marks {
		if m.Late {
			seg.Late = append(seg.Late, m)
		} else {
			s.marks = append(s.marks, m)
		}
	}
	s.held.WriteString(out.Text)
	pieces := s.splitter.Write(out.Text)
	if last {
		pieces = append(pieces, s.splitter.Close()...)
	}
	if len(pieces) == 0 {
		return seg
	}
	s.text = s.held.String()
	done := 0
	for _, p := range pieces {
		seg.Drafts = append(seg.Drafts, s.drafts(p)...)
		done = p.At.End - s.from
	}
	s.held.Reset()
	s.held.WriteString(s.text[done:])
	s.from += done
	return seg
}

// drafts makes a segment of a piece of text, or several where markers in braces give its parts different origins.
func (s *Segmenter) drafts(p text.Piece) []ibid.Draft {
	var out []ibid.Draft
	for _, at := range s.parts(p, s.speaking(p.At)) {
		out = append(out, ibid.Draft{At: at, Kind: p.Kind, Text: s.in(at), Claimed: Claimed(s.speaking(at), at)})
	}
	return out
}

// speaking gives the few marks among which those of a segment are, and forgets those before them: it is asked for segments in their
// order. A sentence may have thousands of parts and as many marks, and all of one for each of the other take minutes.
func (s *Segmenter) speaking(at ibid.Span) []Mark {
	for len(s.marks) > 0 && s.marks[0].At.End < at.Start {
		s.marks = s.marks[1:]
	}
	// Marks are in the order of their ends, and a reference never ends within a marker in braces that comes after it.
	behind := slices.IndexFunc(s.marks, func(m Mark) bool {
		return m.At.Start >= at.End || m.Origin == "" && m.At.End > at.End
	})
	if behind < 0 {
		return s.marks
	}
	return s.marks[:behind]
}

func (s *Segmenter) in(at ibid.Span) string { return at.Shift(-s.from).In(s.text) }

// parts cuts a piece at the borders of marked origins. A part without words goes with the part before it.
func (s *Segmenter) parts(p text.Piece, marks []Mark) []ibid.Span {
	if p.Kind == ibid.Code {
		return []ibid.Span{p.At}
	}
	if p.Kind == ibid.ListItem {
		p.At.Start += ListSign(s.in(p.At))
	}
	borders := []int{p.At.Start}
	for _, m := range marks {
		if m.Origin == "" {
			continue
		}
		for _, b := range []int{m.At.Start, m.At.End} {
			if b > borders[len(borders)-1] && b < p.At.End {
				borders = append(borders, b)
			}
		}
	}
	borders = append(borders, p.At.End)
	var parts []ibid.Span
	for i, from := range borders[:len(borders)-1] {
		at := s.trim(ibid.Span{Start: from, End: borders[i+1]})
		worded := strings.ContainsFunc(s.in(at), isWordRune)
		switch n := len(parts); {
		case at.Empty():
		case n > 0 && (!worded || !strings.ContainsFunc(s.in(parts[n-1]), isWordRune)):
			parts[n-1].End = at.End
		default:
			parts = append(parts, at)
		}
	}
	return parts
}

// ListSign counts the bytes of the sign that opens a list item, with the blanks behind it: "- ", "12. ", "b) ". It is 0
// where there is none, or nothing behind it. The number of an item is no number that a source must have.
func ListSign(s string) int {
	n := 0
	switch {
	case strings.HasPrefix(s, "•"):
		n = len("•")
	case s != "" && strings.IndexByte("-*+", s[0]) >= 0:
		n = 1
	default:
		for n < len(s) && n < 3 && isDigit(s[n]) {
			n++
		}
		letter := n == 0 && s != "" && isLetter(s[0]) // "b)", not "J. Smith"
		if letter {
			n = 1
		}
		if n == 0 || n == len(s) || s[n] != ')' && (letter || s[n] != '.') {
			return 0
		}
		n++
	}
	blanks := len(s[n:]) - len(strings.TrimLeft(s[n:], " \t"))
	if blanks == 0 || n+blanks == len(s) {
		return 0
	}
	return n + blanks
}

func (s *Segmenter) trim(at ibid.Span) ibid.Span {
	return text.Trim(s.text, at.Shift(-s.from)).Shift(s.from)
}
