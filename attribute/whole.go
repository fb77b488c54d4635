package attribute

import (
	"context"
	"iter"

	"github.com/ibid-dev/ibid"
)

// wholesale is an attributor that goes faster where all drafts are known. Its findings are those of Attribute.
type wholesale interface {
	AttributeAll(ctx context.Context, passages []ibid.Passage, drafts []ibid.Draft) iter.Seq2[ibid.Finding, error]
}

var (
	_ wholesale = (*Engine)(nil)
	_ wholesale = (*strategist)(nil)
)

// All attributes the segments of an answer that is known whole: by AttributeAll where the attributor has it, else as they would
// stream.
func All(ctx context.Context, by ibid.Attributor, passages []ibid.Passage, drafts []ibid.Draft) iter.Seq2[ibid.Finding, error] {
	if w, ok := by.(wholesale); ok {
		return w.AttributeAll(ctx, passages, drafts)
	}
	return by.Attribute(ctx, passages, func(yield func(ibid.Draft, error) bool) {
		for _, d := range drafts {
			if !yield(d, nil) {
				return
			}
		}
	})
}
