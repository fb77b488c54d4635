package web

import (
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
	a.Steps = slices.Clone(a.Steps)
	for i := range a.Steps {
		st := &a.Steps[i]
		inner := public(ibid.Answer{Passages: st.Passages, Attributions: st.Attributions})
		st.Passages, st.Attributions, st.Confidence = inner.Passages, inner.Attributions, round(st.Confidence)
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
