package web

import "github.com/ibid-dev/ibid"

// SetRedirect tells the server its own address, which a test knows only when it listens.
func SetRedirect(s *Server, url string) { s.signin.RedirectURL = url }

// Aligned gives where a span of an answer's text stands in the text as it came.
func Aligned(raw string, a ibid.Answer, s ibid.Span) ibid.Span { return aligned(raw, a)(s) }
