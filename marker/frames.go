package marker

import (
	"slices"

	"github.com/ibid-dev/ibid"
)

// frame is a marker in braces that is open, and will be closed: that was looked up when it was opened.
type frame struct {
	origin        ibid.Origin
	id            int
	raw           ibid.Span // from the first brace to behind the last
	from          int       // where its text begins
	refs, dangled []int     // that stand before all text of the marker
}

// run is a stretch of a marker's text: one sentence, one origin.
type run struct {
	frame
	at ibid.Span
}

// openMarker begins a marker of which the first n bytes are its opening.
func (f *flow) openMarker(origin ibid.Origin, raw ibid.Span, n int) {
	f.opened++
	f.open = append(f.open, frame{origin: origin, id: f.opened, raw: raw, from: raw.Start + n})
	f.cur = -1
	f.since, f.cited = -1, true
	f.remove(Cut{At: ibid.Span{Start: raw.Start, End: raw.Start + n}})
}

// grow extends the present run by n bytes of text, which are about to be written.
func (f *flow) grow(n int) {
	if len(f.open) == 0 {
		return
	}
	if f.cur < 0 {
		top := &f.open[len(f.open)-1]
		f.runs = append(f.runs, run{frame: *top, at: ibid.Span{Start: f.clean}})
		top.refs, top.dangled = nil, nil
		f.cur = len(f.runs) - 1
	}
	f.runs[f.cur].at.End = f.clean + n
}

// citeInside attaches references to the sentence of the marker they stand in, else to the text of the marker to come.
func (f *flow) citeInside(refs, dangled []int) {
	top := &f.open[len(f.open)-1]
	into := top
	for i := len(f.runs) - 1; i >= 0; i-- {
		if f.runs[i].id == top.id {
			into = &f.runs[i].frame
			break
		}
	}
	into.refs = union(into.refs, refs)
	into.dangled = union(into.dangled, dangled)
}

// closeMarker ends the innermost marker. With the outermost one the marks of all its text are known.
func (f *flow) closeMarker() {
	top := f.open[len(f.open)-1]
	f.open = f.open[:len(f.open)-1]
	f.cur = -1
	f.remove(Cut{At: ibid.Span{Start: top.raw.End - 2, End: top.raw.End}})
	// References without text in their marker belong to what stands before.
	alone := len(top.refs)+len(top.dangled) > 0
	if len(f.open) > 0 {
		if alone {
			f.citeInside(top.refs, top.dangled)
		}
		return
	}
	// The marks do not wait for references behind the marker: these come as marks of their own. A sentence within it may
	// be complete already, and what it claims must not depend on when it was asked for.
	if len(f.runs) > 0 {
		f.marks = append(f.marks, joinRuns(f.runs)...)
		f.runs = nil
	}
	if alone {
		f.citeBefore(top.refs, top.dangled, top.raw)
	}
	f.closed = true
}

// joinRuns makes marks of a marker's sentences. References at the end of several sentences are meant for all of them since
// the last reference.
func joinRuns(runs []run) []Mark {
	for i := len(runs) - 2; i >= 0; i-- {
		if r := &runs[i]; len(r.refs)+len(r.dangled) == 0 {
			for _, next := range runs[i+1:] {
				if next.id == r.id {
					r.refs, r.dangled = next.refs, next.dangled
					break
				}
			}
		}
	}
	var marks []Mark
	last := 0
	for _, r := range runs {
		if n := len(marks); n > 0 && r.id == last && slices.Equal(marks[n-1].Refs, r.refs) && slices.Equal(marks[n-1].Dangling, r.dangled) {
			marks[n-1].At.End = r.at.End
			continue
		}
		last = r.id
		marks = append(marks, Mark{At: r.at, Origin: r.origin, Refs: slices.Clone(r.refs), Dangling: slices.Clone(r.dangled), Raw: r.raw})
	}
	return marks
}
