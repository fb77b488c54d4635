package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const plainStyle = `<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
<info><title>Plain</title><id>plain</id><updated>2026-01-01T00:00:00Z</updated></info>
<citation><layout><text variable="title"/></layout></citation>
<bibliography><layout><group delimiter="; "><names variable="author"/><text variable="title"/><text variable="DOI"/><text variable="URL"/></group></layout></bibliography>
</style>`

// Identifiers are looked up and pages fetched over real connections, to a local server whose answers are scripted in
// the form of the public directories.
func TestCiteOverTheNetwork(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/doi/10.1056/nejmc2103740":
			fmt.Fprint(w, `{"type":"journal-article","title":"Neutralization","author":[{"family":"Shen","given":"Xiaoying"}],"DOI":"10.1056/nejmc2103740"}`)
		case "/api/query":
			fmt.Fprint(w, `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2401.12345v1</id><published>2024-01-15T00:00:00Z</published><title>Advances</title><author><name>Jane Smith</name></author></entry></feed>`)
		case "/page.html":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<html><head><title>x</title><meta name="citation_title" content="The Cable"><meta name="citation_author" content="Field, Cyrus"></head><body><p>The cable of 1858 was laid by two ships that met in the middle of the ocean.</p></body></html>`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	address, _ := url.Parse(server.URL)
	data, exe := t.TempDir(), program(t)
	style := filepath.Join(t.TempDir(), "plain.csl")
	if err := os.WriteFile(style, []byte(plainStyle), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := ibidCommand(t.Context(), exe, data, "cite", "--style", style, "--allow-private", "--allow-port", address.Port(), "--resolver", server.URL+"/doi",
		"10.1056/NEJMc2103740", "arXiv:2401.12345", server.URL+"/page.html", "10.1000/nowhere", server.URL+"/gone")
	cmd.Env = append(cmd.Environ(), "IBID_ARXIV="+server.URL, "IBID_CROSSREF="+server.URL)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit %d", code)
	}
	want := []string{
		"Xiaoying Shen; Neutralization; 10.1056/nejmc2103740",
		"Jane Smith; Advances; 10.48550/arXiv.2401.12345; https://arxiv.org/abs/2401.12345",
		"Cyrus Field; The Cable; " + server.URL + "/page.html",
	}
	if got := strings.Split(strings.TrimSpace(out.String()), "\n"); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\nwant %q\n%s", got, want, problems.String())
	}
	for _, want := range []string{"DOI 10.1000/nowhere is not known", "404"} {
		if !strings.Contains(problems.String(), want) {
			t.Errorf("no %q in %s", want, problems.String())
		}
	}
}
