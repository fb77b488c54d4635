package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ibid-dev/ibid/web"
)

// What is given whole is packed for who takes it, and reads the same.
func TestAnswersArePackedForWhoTakesIt(t *testing.T) {
	script := strings.Repeat("let cable = 1858;\n", 500)
	w := open(t, func(c *web.Config) {
		c.Page = fstest.MapFS{"index.html": {Data: []byte("<title>the page</title>")}, "assets/index-1a2b.js": {Data: []byte(script)}, "assets/dot.png": {Data: bytes.Repeat([]byte("x"), 5000)}}
	}).cables()
	get := func(path string, headers ...string) (*http.Response, []byte) {
		req, _ := http.NewRequest("GET", w.URL+path, nil)
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		res, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res, b
	}
	for path, packs := range map[string]bool{"/assets/index-1a2b.js": true, "/openapi.json": true, "/api/v1/sources": true, "/assets/dot.png": false, "/": false, "/api/v1/me": false, "/api/v1/answers/none": false} {
		plain, want := get(path)
		if plain.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s is packed for who did not ask for it", path)
		}
		for header, takes := range map[string]bool{"gzip": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "deflate": false, "": false} {
			res, b := get(path, "Accept-Encoding", header)
			if packed := res.Header.Get("Content-Encoding") == "gzip"; packed != (packs && takes) {
				t.Errorf("%s for %q: packed is %t", path, header, packed)
			} else if packed {
				z, err := gzip.NewReader(bytes.NewReader(b))
				if err != nil {
					t.Fatal(err)
				}
				b, _ = io.ReadAll(z)
			}
			if !bytes.Equal(b, want) || res.Header.Get("Content-Type") != plain.Header.Get("Content-Type") {
				t.Errorf("%s for %q reads otherwise", path, header)
			}
			if packs && !strings.Contains(strings.Join(res.Header.Values("Vary"), ","), "Accept-Encoding") {
				t.Errorf("%s does not say that it varies", path)
			}
		}
	}
	res, _ := get("/api/v1/sources", "Accept-Encoding", "gzip")
	if again, b := get("/api/v1/sources", "Accept-Encoding", "gzip", "If-None-Match", res.Header.Get("ETag")); again.StatusCode != http.StatusNotModified || len(b) > 0 {
		t.Errorf("sent again with its tag: %d, %d bytes", again.StatusCode, len(b))
	}
}
