package mcp

// ReadPlace reads an address and writes it again, as far as it is one.
func ReadPlace(uri string) (kind, id string, n int64, ok bool) {
	p, err := parsePlace(uri)
	return p.kind, p.id, p.n, err == nil
}
