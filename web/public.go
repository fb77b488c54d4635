package web

import (
	"bytes"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// public gives the answer as it may leave: files by their names alone, confidences to two places, no raw scores.
func public(a ibid.Answer) ibid.Answer {
	a.Passages = slices.Clone(a.Passages)
	for i := range a.Passages {
		p := &a.Passages[i]
		p.Source = publicSource(p.Source)
		p.Score = round(p.Score)
	}
	a.Segments = slices.Clone(a.Segments)
	for i := range a.Segments {
		s := &a.Segments[i]
		s.Support, s.Confidence = round(s.Support), round(s.Confidence)
	}
	a.Attributions = slices.Clone(a.Attributions)
	for i := range a.Attributions {
		at := &a.Attributions[i]
		at.Confidence = round(at.Confidence)
		at.Score = at.Confidence
	}
	a.Verdict = publicVerdict(a.Verdict)
	a.Steps = slices.Clone(a.Steps)
	for i := range a.Steps {
		st := &a.Steps[i]
		inner := public(ibid.Answer{Passages: st.Passages, Segments: st.Segments, Attributions: st.Attributions})
		st.Passages, st.Segments, st.Attributions = inner.Passages, inner.Segments, inner.Attributions
		st.Confidence, st.Seconds = round(st.Confidence), near(st.Seconds)
	}
	a.Citations = slices.Clone(a.Citations)
	for i := range a.Citations {
		a.Citations[i].Confidence = round(a.Citations[i].Confidence)
	}
	return a
}

// publicSource gives a source as it may leave: a file by its name alone.
func publicSource(s ibid.Source) ibid.Source {
	s.URI = publicURI(s)
	if u := s.Reference.URL(); u != "" && !webAddress(u) {
		s.Reference = s.Reference.Clone()
		s.Reference.Set("URL", "")
	}
	return s
}

func webAddress(u string) bool {
	return strings.HasPrefix(u, "http://") || strings.HasPrefix(u, "https://")
}

func publicURI(s ibid.Source) string {
	if webAddress(s.URI) || s.URI == "" {
		return s.URI
	}
	return "file:///" + url.PathEscape(s.Name())
}

// round cuts to two places. It never rounds up: 0.798 must not be called strong on the page and fair elsewhere.
func round(p float64) float64 { return math.Floor(p*100+1e-9) / 100 }

// publicVerdict gives a verdict as it may leave.
func publicVerdict(v *ibid.Verdict) *ibid.Verdict {
	if v == nil {
		return nil
	}
	shown := *v
	shown.Coverage, shown.Threshold = near(v.Coverage), near(v.Threshold)
	return &shown
}

// outgoing is an answer as it leaves: public, and its shares too rounded to two places.
type outgoing struct{ answer ibid.Answer }

func out(a ibid.Answer) outgoing { return outgoing{public(a)} }

// MarshalJSON writes the answer as it writes itself, with rounded shares. They stand last, and no text of the answer can
// look like them, as quotes within a text are escaped.
func (o outgoing) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(o.answer)
	if err != nil {
		return nil, err
	}
	shares := o.answer.Shares()
	shares.Sources = near(shares.Sources)
	if shares.Model > 0 {
		shares.Model = near(1 - shares.Sources) // so that both sum to 1
	}
	tail, err := json.Marshal(shares)
	if err != nil {
		return nil, err
	}
	i := bytes.LastIndex(b, []byte(`,"shares":{`))
	return append(append(append(b[:i:i], `,"shares":`...), tail...), '}'), nil
}
