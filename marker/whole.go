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
	late := map[int][]Mark{} // of each draft, all at once: a sentence may have thousands of them
	for _, m := range s.Late {
		m.Late = false
		if i := sort.Search(len(drafts), func(i int) bool { return drafts[i].At.End >= m.At.End }); i < len(drafts) {
			late[i] = append(late[i], m)
		}
	}
	for i, marks := range late {
		d := &drafts[i]
		if c := d.Claimed; c != nil {
			marks = slices.Insert(marks, 0, Mark{At: d.At, Origin: c.Origin, Refs: c.Refs, Dangling: c.Dangling})
		}
		d.Claimed = Claimed(marks, d.At)
	}
	return drafts
}
