package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A page comes over a real connection to a local server: its main text is kept, its menus are not, a change is a new
// version, and what fails is named.
func TestIngestPage(t *testing.T) {
	var length atomic.Value
	length.Store("2,500")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/cable.html", http.StatusFound)
		case "/cable.html":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<html><head><title>The Cable – Museum</title><meta name="citation_title" content="The Cable"></head>
				<body><nav><a href="/">Home</a> <a href="/shop">Shop for souvenirs</a></nav>
				<main><h1>The Cable</h1><p>The first cable was %s miles long, and its copper core weighed one hundred and seven pounds to the mile.</p>
				<p>It was covered with gutta-percha and with iron wire against the rocks of the coast.</p></main></body></html>`, length.Load())
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	address, _ := url.Parse(server.URL)
	data, exe := t.TempDir(), program(t)
	run := func(args ...string) (string, int) {
		cmd := ibidCommand(t.Context(), exe, data, args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.Run()
		return out.String(), cmd.ProcessState.ExitCode()
	}
	allow := []string{"ingest", "--allow-private", "--allow-port", address.Port()}

	if out, code := run("ingest", server.URL+"/cable.html"); code != 1 || !strings.Contains(out, "allow it with --allow-port") {
		t.Errorf("without the flags: exit %d, %s", code, out)
	}
	if out, code := run(append(allow, server.URL+"/moved#part", server.URL+"/gone")...); code != 1 || !strings.Contains(out, "404") || !strings.Contains(out, "1 document added") {
		t.Errorf("exit %d, %s", code, out)
	}
	if out, _ := run("ask", "How long was the first cable?"); !strings.Contains(out, "2,500 miles") || !strings.Contains(out, "The Cable") || strings.Contains(out, "souvenirs") {
		t.Errorf("asked: %s", out)
	}
	length.Store("1,950")
	if out, code := run(append(allow, server.URL+"/moved")...); code != 0 {
		t.Errorf("again: exit %d, %s", code, out)
	}
	if out, _ := run("ask", "How long was the first cable?"); !strings.Contains(out, "1,950 miles") {
		t.Errorf("asked again: %s", out)
	}
	if out, _ := run("sources"); !strings.Contains(out, "2 versions") || strings.Count(out, "\n") != 1 {
		t.Errorf("sources: %s", out)
	}
}

// Many pages come over few connections, which are used again and not left open one by one.
func TestIngestPagesOverFewConnections(t *testing.T) {
	const pages = 80
	var made, open atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "This is the page %s.", r.URL.Path)
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			made.Add(1)
			open.Add(1)
		case http.StateClosed:
			open.Add(-1)
		}
	}
	server.Start()
	defer server.Close()
	address, _ := url.Parse(server.URL)
	a := &app{now: time.Now}
	a.conf.Fetch.AllowPrivate, a.conf.Fetch.AllowPorts = true, []int{int(netip.MustParseAddrPort(address.Host).Port())}
	for i := range pages {
		content, err := a.page(fmt.Sprintf("%s/%d", server.URL, i)).Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		content.Body.Close()
	}
	if open.Load() > 2 || made.Load() > pages/2 {
		t.Errorf("%d pages came over %d connections, of which %d are open", pages, made.Load(), open.Load())
	}
}
