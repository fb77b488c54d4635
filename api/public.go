package api

import (
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
)

// Public gives the answer as it may leave: files by their names alone, confidences to two places, no raw scores.
func Public(a ibid.Answer) ibid.Answer {
	a.Passages = slices.Clone(a.Passages)
	for i := range a.Passages {
		p := &a.Passages[i]
		p.Source = PublicSource(p.Source)
		p.Score = Round(p.Score)
	}
	a.Segments = slices.Clone(a.Segments)
	for i := range a.Segments {
		s := &a.Segments[i]
		s.Support, s.Confidence = Round(s.Support), Round(s.Confidence)
	}
	a.Attributions = slices.Clone(a.Attributions)
	for i := range a.Attributions {
		at := &a.Attributions[i]
		at.Confidence = Round(at.Confidence)
		at.Score = at.Confidence
	}
	a.Verdict = PublicVerdict(a.Verdict)
	a.Steps = slices.Clone(a.Steps)
	for i := range a.Steps {
		st := &a.Steps[i]
		inner := Public(ibid.Answer{Passages: st.Passages, Segments: st.Segments, Attributions: st.Attributions})
		st.Passages, st.Segments, st.Attributions = inner.Passages, inner.Segments, inner.Attributions
		st.Confidence, st.Seconds = Round(st.Confidence), Near(st.Seconds)
	}
	a.Citations = slices.Clone(a.Citations)
	for i := range a.Citations {
		a.Citations[i].Confidence = Round(a.Citations[i].Confidence)
	}
	return a
}

// PublicSource gives a source as it may leave: a file by its name alone.
func PublicSource(s ibid.Source) ibid.Source {
	s.URI = PublicURI(s)
	if u := s.Reference.URL(); u != "" && !WebAddress(u) {
		s.Reference = s.Reference.Clone()
		s.Reference.Set("URL", "")
	}
	return s
}

// WebAddress reports whether it is the address of a page, and not of a file.
func WebAddress(u string) bool {
	return strings.HasPrefix(u, "http://") || strings.HasPrefix(u, "https://")
}

// PublicURI gives where a source is found as it may leave: a file by its name alone.
func PublicURI(s ibid.Source) string {
	if WebAddress(s.URI) || s.URI == "" {
		return s.URI
	}
	return "file:///" + url.PathEscape(s.Name())
}

// Round cuts a confidence to two places. It never rounds up: 0.798 must not be called strong on the page and fair elsewhere.
func Round(p float64) float64 { return math.Floor(p*100+1e-9) / 100 }

// PublicVerdict gives a verdict as it may leave.
func PublicVerdict(v *ibid.Verdict) *ibid.Verdict {
	if v == nil {
		return nil
	}
	shown := *v
	shown.Coverage, shown.Threshold = Near(v.Coverage), Near(v.Threshold)
	return &shown
}

// Near rounds a share or a measure to two places.
func Near(f float64) float64 { return math.Round(f*100) / 100 }

// Caller is who calls, once it is known: what they may do, and where.
type Caller struct {
	Scope      Scope
	Collection string
	All        bool // reaches all collections, and so the log, which holds them all
}

// Entry is a line of the log as it leaves: its payload is JSON where it is one.
type Entry struct {
	Index      int64     `json:"index"`
	At         time.Time `json:"at"`
	Kind       string    `json:"kind"`
	Data       any       `json:"data" doc:"The payload; null where it was erased."`
	Commitment string    `json:"commitment"`
	Prev       string    `json:"prev"`
	Hash       string    `json:"hash"`
}

// EntryOf gives an entry as it leaves.
func EntryOf(e ibid.Entry) Entry {
	f := Entry{Index: e.Index, At: e.At, Kind: e.Kind, Commitment: e.Commitment, Prev: e.Prev, Hash: e.Hash}
	if e.Data == nil {
		return f
	}
	if f.Data = json.RawMessage(e.Data); !json.Valid(e.Data) {
		f.Data = string(e.Data)
	}
	return f
}
