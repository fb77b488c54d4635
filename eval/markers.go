package eval

import (
	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/offsets"
	"github.com/ibid-dev/ibid/marker"
)

// Marker is a marker of the answer as it was read, for debugging: the run of clean text it speaks of, and where it stood
// in the raw text.
type Marker struct {
	Start    int         `json:"start"`
	End      int         `json:"end"`
	Raw      Range       `json:"raw"`
	Origin   ibid.Origin `json:"origin,omitempty"`
	Refs     []int       `json:"refs,omitempty"`
	Dangling []int       `json:"dangling,omitempty"`
	Late     bool        `json:"late,omitempty"`
}

// Markers gives the markers of a line's answer, in order.
func Markers(l Line, passages []ibid.Passage, u Unit) []Marker {
	out := marker.Parse(l.Answer, configOf(passages))
	raw, clean := offsets.New(l.Answer), offsets.New(out.Text)
	markers := make([]Marker, 0, len(out.Marks))
	for _, m := range out.Marks {
		at := u.rangeOf(clean, m.At)
		markers = append(markers, Marker{at.Start, at.End, u.rangeOf(raw, m.Raw), m.Origin, m.Refs, m.Dangling, m.Late})
	}
	return markers
}
