package attribute

import (
	"context"
	"iter"
	"strings"
	"sync"
	"testing"

	"github.com/ibid-dev/ibid"
)

// engine is made once: reading the weights takes longer than most tests.
var engine = sync.OnceValue(func() *Engine { return New(Config{}) })

func passage(rank int, text string) ibid.Passage {
	p := ibid.Passage{Rank: rank}
	p.Chunk.Text = text
	p.Chunk.At = ibid.Anchor{Document: ibid.HashText(text), Span: ibid.Span{Start: 100, End: 100 + len(text)}}
	return p
}

func each(drafts ...ibid.Draft) iter.Seq2[ibid.Draft, error] {
	return func(yield func(ibid.Draft, error) bool) {
		for _, d := range drafts {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func draft(text string) ibid.Draft {
	return ibid.Draft{At: ibid.Span{End: len(text)}, Kind: ibid.Sentence, Text: text}
}

func one(t *testing.T, text string, sources ...string) ibid.Finding {
	t.Helper()
	return oneBy(t, engine(), text, sources...)
}

func oneBy(t *testing.T, e *Engine, text string, sources ...string) ibid.Finding {
	t.Helper()
	var ps []ibid.Passage
	for i, s := range sources {
		ps = append(ps, passage(i+1, s))
	}
	for f, err := range e.Attribute(context.Background(), ps, each(draft(text))) {
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	t.Fatal("no finding")
	return ibid.Finding{}
}

// TestTwoPassesOverPiecesOfOneSource: pieces of one source share its rank, and each fact is cut out of the piece that holds it.
func TestTwoPassesOverPiecesOfOneSource(t *testing.T) {
	const text = "The first cable was completed on 5 August 1858. Crowds danced in New York. The cable failed after three weeks."
	piece := func(from, to int) ibid.Passage {
		p := passage(1, text[from:to])
		p.Chunk.At = ibid.Anchor{Document: "d", Span: ibid.Span{Start: from, End: to}}
		return p
	}
	by, err := With(DualPass, engine())
	if err != nil {
		t.Fatal(err)
	}
	said := []string{"completed on 5 August 1858", "failed after three weeks"}
	n := 0
	for f, err := range by.Attribute(t.Context(), []ibid.Passage{piece(0, 47), piece(48, len(text))}, each(draft("The first cable was "+said[0]+"."), draft("The cable "+said[1]+"."))) {
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Attributions) == 0 || !strings.Contains(f.Attributions[0].To.Span.In(text), said[n]) {
			t.Errorf("%q: %+v", said[n], f)
		}
		n++
	}
}
