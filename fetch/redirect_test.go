package fetch

import (
	"net/http"
	"strings"
	"testing"
)

// An https page must not lead to http, where anyone on the way could change what is cited.
func TestDowngrade(t *testing.T) {
	request := func(url string) *http.Request {
		r, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	f := New(Config{})
	for _, c := range []struct {
		from, to string
		refused  bool
	}{
		{"https://example.org/", "http://example.org/", true},
		{"https://example.org/", "https://example.com/", false},
		{"http://example.org/", "https://example.org/", false},
		{"http://example.org/", "http://example.com/", false},
	} {
		err := f.checkRedirect(request(c.to), []*http.Request{request(c.from)})
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "it is http") {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
	}
}
