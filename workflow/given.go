package workflow

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
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
	for f, err := range attribute.All(ctx, by, inOrder(passages), drafts) {
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
