package attribute

import (
	"fmt"

	"github.com/ibid-dev/ibid"
)

// contradictions names what the source denies, in words that can be shown.
func (t *turn) contradictions(s *segment, e *evidence, base int) []ibid.Contradiction {
	var out []ibid.Contradiction
	text := t.passages[e.best.passage].Chunk.Text
	for _, sl := range e.slots {
		mine, theirs := s.tokens[s.content[sl.word]], t.tokens[sl.pos]
		if !mine.kind.has(number) {
			continue
		}
		at := ibid.Span{Start: int(theirs.start), End: int(theirs.end)}
		out = append(out, ibid.Contradiction{
			Of: mine.at.Shift(base), To: t.anchor(e.best.passage, at),
			Reason: fmt.Sprintf("says %q, the source says %q", mine.at.In(s.text), at.In(text)),
		})
	}
	return out
}
