// Package marker reads what a model says about the origin of its own words: {{rag:…}}, {{llm:…}}, {{hybrid:…}} and
// [CTX n], and the other forms of citation that models really write. It takes them out of the text and says what they
// claimed. A marker is the model's word, not proof.
//
//	raw    {{rag:Records are immutable[CTX 1]}} {{llm:like data classes}}.
//	clean  Records are immutable like data classes.
//	marks  RAG [0,21) refs 1 · LLM [22,39)
//
// A reference that is a word of its sentence ("According to [CTX 1], …") has words in its place ("the source"); nothing else is
// ever put into the text.
//
// Reading is a stream: a Scanner gives each piece of clean text as soon as no marker can begin or end in it any more.
// However the input is cut, text, marks and offsets are the same, and nothing that was given is ever revised.
package marker

import (
	"slices"

	"github.com/ibid-dev/ibid"
)

// Config says what a marker may refer to. Its zero value knows no passage: every reference dangles.
type Config struct {
	// Passages is how many passages the model was given. [CTX 1] to [CTX Passages] exist.
	Passages int
	// Sources are the works that a link, a footnote or a name may point to.
	Sources []KnownSource
}

// KnownSource is a work that the model may name instead of giving its number.
type KnownSource struct {
	Rank  int    // of its passage, from 1
	URL   string // "" where it has none
	Title string // "" where it has none
}

// Known lists the works behind passages, for Config.
func Known(passages []ibid.Passage) []KnownSource {
	known := make([]KnownSource, 0, len(passages))
	for _, p := range passages {
		url := p.Source.Reference.URL()
		if url == "" {
			url = p.Source.URI
		}
		known = append(known, KnownSource{Rank: p.Rank, URL: url, Title: p.Source.Title()})
	}
	return known
}

// Mark is what a marker says of a run of clean text.
type Mark struct {
	// At is the run, without white space around it. It is empty where a reference leads its line: it then stands for the
	// text that follows.
	At ibid.Span
	// Origin is what {{rag:}}, {{llm:}} or {{hybrid:}} says; "" for a reference that stands outside of them.
	Origin   ibid.Origin
	Refs     []int // passages that exist, each once, in the order in which they are named
	Dangling []int // numbers without a passage
	// Raw is the marker itself as it stood in the raw text, for debugging.
	Raw ibid.Span
	// Late says that a definition which came after the text told what the marker means. The segment it belongs to may be
	// decided by then, so it is a citation of its own and no part of the segment's claim.
	Late bool
}

// Output is what became certain with one write.
type Output struct {
	Text  string // clean text that follows what was given before
	Marks []Mark // each comes with, or before, the text that follows its run
	// Cut is what was taken out of the raw text: references, and the two ends of each marker in braces.
	Cut []Cut
}

// Parse reads a whole text. It gives what a Scanner gives, in one piece.
func Parse(s string, c Config) Output {
	sc := NewScanner(c)
	out, rest := sc.Write(s), sc.Close()
	return Output{Text: out.Text + rest.Text, Marks: append(out.Marks, rest.Marks...), Cut: append(out.Cut, rest.Cut...)}
}

// Claimed sums up what the marks say of one segment of the clean text: nil where they say nothing. Origins that differ
// within the segment make it mixed. A reference without an origin claims a source. Late marks do not count: what a segment
// claims must not depend on whether it was decided before they came.
func Claimed(marks []Mark, at ibid.Span) *ibid.Claimed {
	var c ibid.Claimed
	found := false
	for _, m := range marks {
		if m.Late || !m.of(at) {
			continue
		}
		found = true
		switch {
		case m.Origin == "" || m.Origin == c.Origin:
		case c.Origin == "":
			c.Origin = m.Origin
		default:
			c.Origin = ibid.HYBRID
		}
		c.Refs = union(c.Refs, m.Refs)
		c.Dangling = union(c.Dangling, m.Dangling)
	}
	if !found {
		return nil
	}
	if c.Origin == "" {
		c.Origin = ibid.RAG
	}
	return &c
}

// of reports whether the mark speaks of the segment. A reference belongs to the sentence that holds the last character of
// its run, a marked origin to all that it overlaps.
func (m Mark) of(at ibid.Span) bool {
	switch {
	case m.At.Empty():
		return at.Start <= m.At.Start && m.At.Start < at.End
	case m.Origin == "":
		return at.Start < m.At.End && m.At.End <= at.End
	}
	return m.At.Overlaps(at)
}

func union(into, more []int) []int {
	for _, n := range more {
		if !slices.Contains(into, n) {
			into = append(into, n)
		}
	}
	return into
}
