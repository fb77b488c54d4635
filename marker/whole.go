package marker

import (
	"slices"
	"sort"

	"github.com/ibid-dev/ibid"
)

// Whole gives the segments of an answer that was read whole, where nothing was given out before its end: what footnotes
// say that are defined behind their text then counts as what the segment claims.
func (s Segmented) Whole() []ibid.Draft {
	drafts := slices.Clone(s.Drafts)
	for _, m := range s.Late {
		m.Late = false
		i := sort.Search(len(drafts), func(i int) bool { return drafts[i].At.End >= m.At.End })
		if i == len(drafts) {
			continue
		}
		d := &drafts[i]
		marks := []Mark{m}
		if c := d.Claimed; c != nil {
			marks = append(marks, Mark{At: d.At, Origin: c.Origin, Refs: c.Refs, Dangling: c.Dangling})
			slices.Reverse(marks)
		}
		d.Claimed = Claimed(marks, d.At)
	}
	return drafts
}
