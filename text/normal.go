package text

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/ibid-dev/ibid"
)

// Normal is the normal form of a text for comparing, with the way back to the original and forth again.
type Normal struct {
	text string
	runs []run // tile the normal text; ascending and apart in the original, where what they leave out was dropped
}

// run is a stretch of the normal form and the stretch of the original that it stands for. Where both are the same,
// positions map one to one; otherwise the whole stands for the whole.
type run struct {
	normal, original ibid.Span
	same             bool
}

// Normalize gives the normal form of s: no invisible characters, NFKC, plain quotes and dashes, a single space for
// each run of white space and none at the ends. Case and look-alike letters stay. It is idempotent.
func Normalize(s string) Normal {
	n := clean(s)
	// NFKC may set free what clean drops, and the other way round. Three rounds are the most that was ever seen.
	for range 16 {
		composed := compose(n.text)
		next := composed.then(clean(composed.text))
		if next.text == n.text {
			break
		}
		n = n.then(next)
	}
	return n
}

// Text is the normal form.
func (n Normal) Text() string { return n.text }

// Original gives the span of the original that a span of the normal form stands for.
func (n Normal) Original(at ibid.Span) ibid.Span {
	if len(n.runs) == 0 {
		return ibid.Span{}
	}
	start := n.originalStart(at.Start)
	if at.Empty() {
		return ibid.Span{Start: start, End: start}
	}
	i := sort.Search(len(n.runs), func(i int) bool { return n.runs[i].normal.End >= at.End })
	if i == len(n.runs) {
		return ibid.Span{Start: start, End: n.runs[i-1].original.End}
	}
	r := n.runs[i]
	if r.same {
		return ibid.Span{Start: start, End: r.original.Start + at.End - r.normal.Start}
	}
	return ibid.Span{Start: start, End: r.original.End}
}

func (n Normal) originalStart(pos int) int {
	i := sort.Search(len(n.runs), func(i int) bool { return n.runs[i].normal.End > pos })
	if i == len(n.runs) {
		return n.runs[i-1].original.End
	}
	r := n.runs[i]
	if r.same && pos > r.normal.Start {
		return r.original.Start + pos - r.normal.Start
	}
	return r.original.Start
}

// Normal gives the span of the normal form that a span of the original became. It is empty where nothing is left of it.
func (n Normal) Normal(at ibid.Span) ibid.Span {
	start := n.normalStart(at.Start)
	if at.Empty() {
		return ibid.Span{Start: start, End: start}
	}
	i := sort.Search(len(n.runs), func(i int) bool { return n.runs[i].original.Start >= at.End }) - 1
	if i < 0 {
		return ibid.Span{Start: start, End: start}
	}
	r := n.runs[i]
	end := r.normal.End
	if r.same && at.End < r.original.End {
		end = r.normal.Start + at.End - r.original.Start
	}
	return ibid.Span{Start: start, End: end}
}

func (n Normal) normalStart(pos int) int {
	i := sort.Search(len(n.runs), func(i int) bool { return n.runs[i].original.End > pos })
	if i == len(n.runs) {
		return len(n.text)
	}
	r := n.runs[i]
	if r.same && pos > r.original.Start {
		return r.normal.Start + pos - r.original.Start
	}
	return r.normal.Start
}

// then goes on from the text of n to that of next.
func (n Normal) then(next Normal) Normal {
	out := Normal{text: next.text}
	for _, r := range next.runs {
		if !r.same {
			out.runs = append(out.runs, run{normal: r.normal, original: n.Original(r.original)})
			continue
		}
		i := sort.Search(len(n.runs), func(i int) bool { return n.runs[i].normal.End > r.original.Start })
		for ; i < len(n.runs) && n.runs[i].normal.Start < r.original.End; i++ {
			part := ibid.Span{
				Start: max(n.runs[i].normal.Start, r.original.Start),
				End:   min(n.runs[i].normal.End, r.original.End),
			}
			out.runs = append(out.runs, run{
				normal:   part.Shift(r.normal.Start - r.original.Start),
				original: n.Original(part),
				same:     n.runs[i].same,
			})
		}
	}
	return out
}

// tracing builds a normal form and remembers where each part came from.
type tracing struct {
	from string
	out  strings.Builder
	runs []run
}

func (t *tracing) add(s string, at ibid.Span) {
	if s == "" {
		return
	}
	start := t.out.Len()
	t.out.WriteString(s)
	next := run{normal: ibid.Span{Start: start, End: t.out.Len()}, original: at, same: s == at.In(t.from)}
	if k := len(t.runs) - 1; k >= 0 && next.same && t.runs[k].same && t.runs[k].original.End == at.Start {
		t.runs[k].normal.End = next.normal.End
		t.runs[k].original.End = at.End
		return
	}
	t.runs = append(t.runs, next)
}

func (t *tracing) done() Normal { return Normal{text: t.out.String(), runs: t.runs} }

// clean drops what cannot be seen, and gives each kind of space, quote and dash its plain form.
func clean(s string) Normal {
	t := &tracing{from: s}
	var space ibid.Span // white space that waits for a word behind it
	for i := 0; i < len(s); {
		end := i + plainRun(s[i:])
		var plain string
		if end > i {
			plain = s[i:end]
		} else {
			r, n := utf8.DecodeRuneInString(s[i:])
			end = i + n
			if unicode.IsSpace(r) {
				if space.Empty() {
					space.Start = i
				}
				space.End = end
				i = end
				continue
			}
			plain = plainForm(r, s[i:end])
		}
		if plain != "" && !space.Empty() {
			if t.out.Len() > 0 {
				t.add(" ", space)
			}
			space = ibid.Span{}
		}
		t.add(plain, ibid.Span{Start: i, End: end})
		i = end
	}
	return t.done()
}

// plainRun counts the leading bytes that are in normal form for sure: visible ASCII, and single spaces within it.
func plainRun(s string) int {
	i := 0
	for i < len(s) && s[i] < 0x7f && (s[i] > ' ' || s[i] == ' ' && i > 0 && i+1 < len(s) && s[i+1] > ' ' && s[i+1] < 0x7f) {
		i++
	}
	return i
}

// plainForm is how a character is compared; "" where it cannot be seen. An invalid byte is the replacement character.
func plainForm(r rune, s string) string {
	switch r {
	case '‘', '’', '‚', '‛', '′', '‵', 'ʼ', '‹', '›':
		return "'"
	case '“', '”', '„', '‟', '″', '‶', '«', '»':
		return "\""
	case '‐', '‑', '‒', '–', '—', '―', '−', '⁃', '﹘', '﹣', '－':
		return "-"
	case '⁄', '∕':
		return "/"
	case utf8.RuneError:
		return "\uFFFD"
	}
	if invisible(r) {
		return ""
	}
	return s
}

// invisible reports whether a character leaves no mark of its own: zero-width and control characters, bidirectional
// controls, soft hyphens, variation selectors, tags.
func invisible(r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' ' && !unicode.IsSpace(r)
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false // Arabic number signs and the like: of category Cf, but drawn
	}
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.IsSpace(r)
}

// compose puts s into NFKC.
func compose(s string) Normal {
	t := &tracing{from: s}
	for i := 0; i < len(s); {
		if n := norm.NFKC.QuickSpanString(s[i:]); n > 0 {
			t.add(s[i:i+n], ibid.Span{Start: i, End: i + n})
			i += n
			continue
		}
		n := norm.NFKC.NextBoundaryInString(s[i:], true)
		t.add(norm.NFKC.String(s[i:i+n]), ibid.Span{Start: i, End: i + n})
		i += n
	}
	return t.done()
}

// Fold gives the normal form without case, for keys: texts that read the same have the same key.
func Fold(s string) string {
	s = Normalize(s).Text()
	for range 16 {
		next := Normalize(cases.Fold().String(s)).Text()
		if next == s {
			break
		}
		s = next
	}
	return s
}
