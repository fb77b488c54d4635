package attribute

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

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
	var ps []ibid.Passage
	for i, s := range sources {
		ps = append(ps, passage(i+1, s))
	}
	for f, err := range New(Config{}).Attribute(context.Background(), ps, each(draft(text))) {
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	t.Fatal("no finding")
	return ibid.Finding{}
}

func TestLook(t *testing.T) {
	src := "The harvest of apples fell by 32 % in 2021, the ministry said. The drought began in April. It had not been approved by the council."
	for _, s := range []string{"The harvest of apples fell by 32 percent in 2021.", "The apple harvest fell by 23 % in 2021.", "It was approved by the council.", "Bananas are yellow.", "The drought began in April and cost farmers millions."} {
		f := one(t, s, src, "Nothing to see here about fruit.")
		fmt.Println(s, f.Segment.Origin, fmt.Sprintf("%.2f", f.Segment.Support), f.Segment.Refs, strings.Join(f.Segment.Reasons, "; "), f.Segment.Unsupported)
	}
}
