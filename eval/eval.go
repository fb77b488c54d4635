// Package eval measures attribution on labelled answers: it reads them, lets an attributor judge them, and says how often
// it was right, how well its probabilities mean what they say, and where it was wrong.
//
// A record is one line of JSON, an answer with its sources and segments. Line is the same without labels: what
// `ibid attribute --jsonl` reads, and Result what it writes.
package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/internal/offsets"
	"github.com/ibid-dev/ibid/marker"
)

// Line is an answer to be judged.
type Line struct {
	ID       string    `json:"id"`
	Question string    `json:"question,omitempty"`
	Answer   string    `json:"answer"`
	Sources  []Source  `json:"sources"`
	Segments []Segment `json:"segments,omitempty"` // judged as they are; where there are none the answer is cut into sentences
}

// Source is a text that the answer may rest on.
type Source struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
	Text  string `json:"text"`
}

// Unit is what offsets count.
type Unit string

// The units of offsets. Runes are the default.
const (
	Bytes Unit = "byte"
	Runes Unit = "rune"
	UTF16 Unit = "utf16"
)

// Check returns an error that wraps ErrInvalid where the unit is none of the three.
func (u Unit) Check() error {
	switch u {
	case Bytes, Runes, UTF16:
		return nil
	}
	return fmt.Errorf("unit %q: give byte, rune or utf16: %w", u, ibid.ErrInvalid)
}

func (u Unit) of(p offsets.Position) int {
	switch u {
	case Bytes:
		return p.Byte
	case UTF16:
		return p.UTF16
	}
	return p.Rune
}

// span converts a pair of offsets to bytes. It must lie within the text and on the borders of characters.
func (u Unit) span(t *offsets.Table, start, end int) (ibid.Span, error) {
	last := u.of(t.End())
	if start < 0 || end < start || end > last {
		return ibid.Span{}, fmt.Errorf("[%d,%d) is outside of the text, which has %d %ss: %w", start, end, last, u, ibid.ErrInvalid)
	}
	a, b := u.find(t, start), u.find(t, end)
	if u.of(a) != start || u.of(b) != end {
		return ibid.Span{}, fmt.Errorf("[%d,%d) cuts a character in two: %w", start, end, ibid.ErrInvalid)
	}
	return ibid.Span{Start: a.Byte, End: b.Byte}, nil
}

func (u Unit) find(t *offsets.Table, n int) offsets.Position {
	switch u {
	case Bytes:
		return t.FromByte(n)
	case UTF16:
		return t.FromUTF16(n)
	}
	return t.FromRune(n)
}

// Task is a line made ready for an attributor.
type Task struct {
	Text     string // what offsets point into: the answer, without its markers where it was cut into sentences here
	Passages []ibid.Passage
	Drafts   []ibid.Draft

	ink string // Text with blanks for its markers: what shares are counted in
}

// Prepare checks a line and makes its task. The error wraps ErrInvalid and names what is wrong.
func Prepare(l Line, u Unit) (Task, error) {
	passages, err := passagesOf(l.Sources)
	if err != nil {
		return Task{}, err
	}
	task := Task{Text: l.Answer, Passages: passages}
	if len(l.Segments) == 0 {
		s := marker.Segment(l.Answer, configOf(passages))
		task.Text, task.Drafts, task.ink = s.Text, s.Whole(), s.Text
		return task, nil
	}
	marks := marker.Parse(l.Answer, configOf(passages))
	task.ink = mask(l.Answer, marks.Cut)
	task.Drafts, err = given(l, marks.Marks, task.ink, u)
	return task, err
}

func configOf(passages []ibid.Passage) marker.Config {
	return marker.Config{Passages: len(passages), Sources: marker.Known(passages)}
}

func passagesOf(sources []Source) ([]ibid.Passage, error) {
	passages := make([]ibid.Passage, len(sources))
	seen := make(map[string]int, len(sources))
	for i, s := range sources {
		if s.ID == "" {
			return nil, fmt.Errorf("source %d has no id: %w", i+1, ibid.ErrInvalid)
		}
		if first := seen[s.ID]; first > 0 {
			return nil, fmt.Errorf("sources %d and %d have the same id %q: %w", first, i+1, s.ID, ibid.ErrInvalid)
		}
		seen[s.ID] = i + 1
		// Documents are told apart by place, not by text: the same words may stand in two sources, and both are cited.
		doc := ibid.DocumentID(fmt.Sprintf("source-%d", i+1))
		p := ibid.Passage{
			Rank:   i + 1,
			Source: ibid.Source{ID: ibid.SourceID(s.ID), URI: s.URL},
			Chunk:  ibid.Chunk{At: ibid.Anchor{Document: doc, Span: ibid.Span{End: len(s.Text)}}, Text: s.Text},
		}
		p.Source.Reference.Set("title", s.Title)
		p.Source.Reference.Set("URL", s.URL)
		passages[i] = p
	}
	return passages, nil
}

// given makes drafts of segments that were cut elsewhere. Markers stay in their text as blanks, so that offsets hold and
// the number of a reference is not taken for a number of the claim.
func given(l Line, marks []marker.Mark, masked string, u Unit) ([]ibid.Draft, error) {
	table := offsets.New(l.Answer)
	drafts := make([]ibid.Draft, len(l.Segments))
	for i, s := range l.Segments {
		at, err := u.span(table, s.Start, s.End)
		if err != nil {
			return nil, fmt.Errorf("segment %d: %w", i+1, err)
		}
		if s.Text != "" && s.Text != at.In(l.Answer) {
			return nil, fmt.Errorf("segment %d: the answer at [%d,%d) is %q, not %q: %w", i+1, s.Start, s.End, short(at.In(l.Answer)), short(s.Text), ibid.ErrInvalid)
		}
		drafts[i] = ibid.Draft{At: at, Kind: ibid.Sentence, Text: withoutSign(l.Answer, at, at.In(masked)), Claimed: claimedIn(marks, l.Answer, at)}
	}
	return drafts, nil
}

func mask(s string, cuts []marker.Cut) string {
	if len(cuts) == 0 {
		return s
	}
	b := []byte(s)
	for _, c := range cuts {
		for i := c.At.Start; i < c.At.End; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// withoutSign blanks the sign of a list item at the beginning of a line.
func withoutSign(answer string, at ibid.Span, text string) string {
	line := answer[strings.LastIndexByte(answer[:at.Start], '\n')+1 : at.Start]
	if strings.TrimSpace(line) != "" {
		return text
	}
	n := marker.ListSign(text)
	return strings.Repeat(" ", n) + text[n:]
}

// claimedIn sums up the markers that stand in a segment of the raw text, or right behind it.
func claimedIn(marks []marker.Mark, raw string, at ibid.Span) *ibid.Claimed {
	// The marks are in order of their place, late ones last, which have none.
	from := sort.Search(len(marks), func(i int) bool { return marks[i].Raw.Empty() || marks[i].Raw.End > at.Start })
	var in []marker.Mark
	for _, m := range marks[from:] {
		if m.Raw.Empty() || m.Raw.Start >= at.End && strings.TrimSpace(raw[at.End:m.Raw.Start]) != "" {
			break
		}
		if m.Origin != "" && m.Raw.Start >= at.End {
			break
		}
		m.At = at
		in = append(in, m)
	}
	return marker.Claimed(in, at)
}

func short(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}

// InOrder gives the passages by their text, whatever order they came in, so that the order of the sources cannot tip a
// decision. Their ranks stay.
func (t Task) InOrder() []ibid.Passage {
	return slices.SortedStableFunc(slices.Values(t.Passages), func(a, b ibid.Passage) int {
		return cmp.Or(strings.Compare(a.Chunk.Text, b.Chunk.Text), strings.Compare(a.Source.Title(), b.Source.Title()))
	})
}

// Findings lets an attributor judge a task.
func (t Task) Findings(ctx context.Context, by ibid.Attributor) ([]ibid.Finding, error) {
	findings := make([]ibid.Finding, 0, len(t.Drafts))
	for f, err := range attribute.All(ctx, by, t.InOrder(), t.Drafts) {
		if err != nil {
			return nil, err
		}
		findings = append(findings, f)
	}
	if len(findings) != len(t.Drafts) {
		return nil, errors.New("the attributor did not judge every segment")
	}
	return findings, nil
}
