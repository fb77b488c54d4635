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
		p.Source.URI = publicURI(p.Source)
		p.Source.Reference = p.Source.Reference.Clone()
		if strings.HasPrefix(p.Source.Reference.URL(), "file:") {
			p.Source.Reference.Set("URL", "")
		}
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
	a.Citations = slices.Clone(a.Citations)
	for i := range a.Citations {
		a.Citations[i].Confidence = round(a.Citations[i].Confidence)
	}
	return a
}

func publicURI(s ibid.Source) string {
	if strings.HasPrefix(s.URI, "http://") || strings.HasPrefix(s.URI, "https://") {
		return s.URI
	}
	return "file:///" + url.PathEscape(s.Name())
}

// round cuts to two places. It never rounds up: 0.798 must not be called strong on the page and fair elsewhere.
func round(p float64) float64 { return math.Floor(p*100+1e-9) / 100 }
