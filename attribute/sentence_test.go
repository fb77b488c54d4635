package attribute_test

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
)

// A quote is a sentence, in any language: not half of one that an abbreviation broke, and not the whole document.
func TestQuotesAreSentences(t *testing.T) {
	for _, c := range []struct{ source, claim, quote string }{
		{"Vorher geschah nichts. Das Kabel wurde am 5. August 1858 von Dr. Müller in Valentia z. B. angelandet. Danach kam Regen.",
			"Das Kabel wurde am 5. August 1858 von Dr. Müller in Valentia z. B. angelandet.", "Das Kabel wurde am 5. August 1858 von Dr. Müller in Valentia z. B. angelandet."},
		{"第一条跨大西洋电缆于1858年铺设。船长名叫王小明。他喜欢喝茶。", "船长名叫王小明。", "船长名叫王小明。"},
		{"The wire was laid by men who had\nnever seen the sea before that summer. They were paid\nby the mile.\n",
			"They were paid by the mile.", "They were paid\nby the mile."},
		{"Prices\nCopper was cheap\nIron was dear in 1858\n", "Iron was dear in 1858.", "Iron was dear in 1858"},
	} {
		p := ibid.Passage{Rank: 1, Chunk: ibid.Chunk{Text: c.source, At: ibid.Anchor{Document: ibid.HashText(c.source), Span: ibid.Span{End: len(c.source)}}}}
		drafts := func(yield func(ibid.Draft, error) bool) {
			yield(ibid.Draft{At: ibid.Span{End: len(c.claim)}, Kind: ibid.Sentence, Text: c.claim}, nil)
		}
		for f, err := range attribute.New(attribute.Config{}).Attribute(t.Context(), []ibid.Passage{p}, drafts) {
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Attributions) == 0 {
				t.Errorf("%q rests on nothing", c.claim)
				continue
			}
			if got := strings.TrimSpace(f.Attributions[0].To.Span.In(c.source)); got != c.quote {
				t.Errorf("%q rests on %q, want %q", c.claim, got, c.quote)
			}
		}
	}
}
