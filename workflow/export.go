package workflow

import (
	"context"
	"errors"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/bib"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/interop"
)

// ExportFormats lists what a recorded answer can be written as.
func ExportFormats() []string { return append(export.Formats(), webAnnotation) }

const webAnnotation = "webannotation"

// Export writes a recorded answer for others in one of ExportFormats. Its sources are those of Cited. The error wraps
// ibid.ErrInvalid where there is no such format.
func Export(ctx context.Context, a ibid.Answer, source SourceOf, format string, style export.Style) (export.File, error) {
	if format == webAnnotation {
		f, err := interop.AnnotateAnswer(a)
		out := export.File{Body: f.Body, MediaType: f.MediaType, Extension: ".jsonld"}
		for _, l := range f.Losses {
			out.Losses = append(out.Losses, bib.Loss{ID: string(a.ID), Field: format, Why: l})
		}
		return out, err
	}
	sources, err := Cited(ctx, a, source)
	if err != nil {
		return export.File{}, err
	}
	return export.Export(a, sources, format, style)
}

// SourceOf finds a source as the library knows it now. The error wraps ibid.ErrNotFound where it is gone.
type SourceOf func(ctx context.Context, id ibid.SourceID) (ibid.Source, error)

// Cited gives the sources that an answer cites, each once, by their numbers: as the library knows them now, since what was learned
// of them counts. One that was removed, or came with the answer, is known from the answer itself.
func Cited(ctx context.Context, a ibid.Answer, source SourceOf) ([]ibid.Source, error) {
	var known []ibid.Source
	seen := map[ibid.SourceID]bool{}
	for _, c := range a.Citations {
		if seen[c.Source] {
			continue
		}
		seen[c.Source] = true
		s, err := source(ctx, c.Source)
		if errors.Is(err, ibid.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		known = append(known, s)
	}
	return export.Cited(a, known), nil
}
