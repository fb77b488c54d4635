package web

import (
	"context"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/internal/offsets"
	"github.com/ibid-dev/ibid/sqlite"
)

// SetRedirect tells the server its own address, which a test knows only when it listens.
func SetRedirect(s *Server, url string) { s.signin.RedirectURL = url }

// Aligned gives where a span of an answer's text stands in the text as it came.
func Aligned(raw string, a ibid.Answer, s ibid.Span) ibid.Span { return aligned(raw, a)(s) }

// HoldLibrary is what verify does within a time that a test sets.
func (s *Server) HoldLibrary(ctx context.Context, log *sqlite.Log, r *audit.Report) (string, error) {
	return s.holdLibrary(ctx, log, r)
}

// CitedSpan gives the part of an answer's clean text that a citation of a provider's own speaks of.
func CitedSpan(raw string, a ibid.Answer, citation any) (ibid.Span, bool) {
	c, ok := readCite(citation)
	if !ok {
		return ibid.Span{}, false
	}
	return cleaned(raw, a)(c.of(raw, offsets.New(raw))), true
}
