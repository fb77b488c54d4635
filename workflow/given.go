package workflow

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/marker"
)

// Attribute says where the words of an answer come from that was written elsewhere, given the passages it may rest on. The
// answer that it gives has text, segments, attributions and citations, and is not recorded.
func Attribute(ctx context.Context, by ibid.Attributor, text string, passages []ibid.Passage) (ibid.Answer, error) {
	s := marker.Segment(text, marker.Config{Passages: len(passages), Sources: marker.Known(passages)})
	return attributed(ctx, by, s.Text, s.Whole(), passages)
}

// Again attributes the segments of a recorded answer anew: with another attributor, or with the passages of a source that
// changed. Its text, and where its segments lie, stay.
func Again(ctx context.Context, by ibid.Attributor, a ibid.Answer, passages []ibid.Passage) (ibid.Answer, error) {
	drafts := make([]ibid.Draft, len(a.Segments))
	for i, s := range a.Segments {
		drafts[i] = ibid.Draft{At: s.At, Kind: s.Kind, Text: s.At.In(a.Text), Claimed: s.Claimed}
	}
	out, err := attributed(ctx, by, a.Text, drafts, passages)
	a.Passages, a.Segments, a.Attributions, a.Citations = out.Passages, out.Segments, out.Attributions, out.Citations
	return a, err
}

func attributed(ctx context.Context, by ibid.Attributor, text string, drafts []ibid.Draft, passages []ibid.Passage) (ibid.Answer, error) {
	answer := ibid.Answer{Text: text, Passages: passages}
	numbers := newNumbering(passages)
	seq := func(yield func(ibid.Draft, error) bool) {
		for _, d := range drafts {
			if !yield(d, nil) {
				return
			}
		}
	}
	for f, err := range by.Attribute(ctx, inOrder(passages), seq) {
		if err != nil {
			return ibid.Answer{}, err
		}
		numbers.cite(f)
		answer.Segments = append(answer.Segments, f.Segment)
		answer.Attributions = append(answer.Attributions, f.Attributions...)
	}
	if len(answer.Segments) != len(drafts) {
		return ibid.Answer{}, errors.New("the attributor did not judge every segment")
	}
	answer.Citations = numbers.citations
	return answer, answer.Check()
}

// inOrder gives the passages by their text, so that the order in which sources were listed cannot tip a decision. Their
// ranks stay.
func inOrder(passages []ibid.Passage) []ibid.Passage {
	return slices.SortedStableFunc(slices.Values(passages), func(a, b ibid.Passage) int {
		return cmp.Or(strings.Compare(a.Chunk.Text, b.Chunk.Text), strings.Compare(a.Source.Title(), b.Source.Title()))
	})
}

// Follower attributes an answer while someone else writes it: text goes in as it comes, and each segment is decided as
// soon as it is complete. The work is spread over the writing, so that little is left when the answer ends.
type Follower struct {
	segmenter *marker.Segmenter
	answer    ibid.Answer
	text      strings.Builder
	numbers   numbering
	waiting   []ibid.Draft
	next      func() (ibid.Finding, error, bool)
	stop      func()
	err       error
}

// Follow begins to follow an answer. The attributor must decide each segment before it reads the next. Close must be called.
func Follow(ctx context.Context, by ibid.Attributor, passages []ibid.Passage) *Follower {
	f := &Follower{answer: ibid.Answer{Passages: passages}, numbers: newNumbering(passages),
		segmenter: marker.NewSegmenter(marker.Config{Passages: len(passages), Sources: marker.Known(passages)})}
	f.next, f.stop = iter.Pull2(by.Attribute(ctx, passages, func(yield func(ibid.Draft, error) bool) {
		for len(f.waiting) > 0 {
			d := f.waiting[0]
			f.waiting = f.waiting[1:]
			if !yield(d, nil) {
				return
			}
		}
	}))
	return f
}

// Write takes the next piece of the answer.
func (f *Follower) Write(delta string) { f.take(f.segmenter.Write(delta)) }

// Close ends the answer and gives it with what was found. The error is the first that came.
func (f *Follower) Close() (ibid.Answer, error) {
	f.take(f.segmenter.Close())
	f.stop()
	if f.err != nil {
		return ibid.Answer{}, f.err
	}
	f.answer.Text = f.text.String()
	f.answer.Citations = f.numbers.citations
	return f.answer, f.answer.Check()
}

func (f *Follower) take(s marker.Segmented) {
	f.text.WriteString(s.Text)
	for _, d := range s.Drafts {
		if f.err != nil {
			return
		}
		f.waiting = append(f.waiting, d)
		found, err, ok := f.next()
		if err == nil && !ok {
			err = errors.New("the attributor did not judge every segment")
		}
		if f.err = err; err != nil {
			return
		}
		f.numbers.cite(found)
		f.answer.Segments = append(f.answer.Segments, found.Segment)
		f.answer.Attributions = append(f.answer.Attributions, found.Attributions...)
	}
}
