package mcp

import "time"

// ReadPlace reads an address and writes it again, as far as it is one.
func ReadPlace(uri string) (kind, id string, n int64, ok bool) {
	p, err := parsePlace(uri)
	return p.kind, p.id, p.n, err == nil
}

// Progress begins to tell of a call, as the tools do.
func Progress(beat time.Duration, send func(at, total float64, message string)) (at func(done, total int), end func()) {
	p := beginProgress(beat, send)
	return func(done, total int) { p.at(done, total, "part %d", done) }, p.end
}

// Compare bounds the text that is compared at once.
func (s *Service) Compare(bytes int) { s.compared = bytes }
