package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/fetch"
)

func portOf(t testing.TB, server *httptest.Server) int {
	t.Helper()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := strconv.Atoi(u.Port())
	return n
}

// local makes a fetcher that may reach the test's servers.
func local(t testing.TB, cfg fetch.Config, servers ...*httptest.Server) *fetch.Fetcher {
	t.Helper()
	cfg.AllowPrivate = true
	for _, s := range servers {
		cfg.AllowPorts = append(cfg.AllowPorts, portOf(t, s))
	}
	return fetch.New(cfg)
}

func TestGet(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			if r.Header.Get("User-Agent") == "" || !strings.Contains(r.Header.Get("Accept"), "application/pdf") || r.Header.Get("Cookie") != "" {
				t.Errorf("headers %v", r.Header)
			}
			w.Header().Set("Content-Type", "text/html; charset=latin1")
			w.Header().Set("ETag", `"v1"`)
			if r.Header.Get("If-None-Match") == `"v1"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			fmt.Fprint(w, "hello")
		case "/moved":
			http.Redirect(w, r, "/page", http.StatusFound)
		case "/missing":
			http.NotFound(w, r)
		case "/packed":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			z.Write(make([]byte, 8<<20))
			z.Close()
		case "/endless":
			for range 100 {
				w.Write(make([]byte, 1<<20))
			}
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/slow":
			<-r.Context().Done()
		case "/drip":
			w.Header().Set("Content-Length", "1000")
			w.Write([]byte("x"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/cut":
			w.Header().Set("Content-Length", "1000")
			w.Write([]byte("x"))
		case "/to-file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		case "/to-user":
			w.Header().Set("Location", "http://me:secret@"+r.Host+"/page")
			w.WriteHeader(http.StatusFound)
		case "/to-port":
			w.Header().Set("Location", "http://127.0.0.1:22/")
			w.WriteHeader(http.StatusFound)
		}
	}))
	defer server.Close()
	within := func(limit time.Duration) *fetch.Fetcher {
		return local(t, fetch.Config{MaxBytes: 1 << 20, Timeout: limit, Now: func() time.Time { return now }}, server)
	}
	// Only who never answers is given little time: on a busy machine a page that is packed takes its own.
	f, impatient := within(time.Minute), within(300*time.Millisecond)
	ctx := context.Background()

	for _, path := range []string{"/page", "/moved"} {
		page, err := f.Get(ctx, fetch.Request{URL: server.URL + path})
		if err != nil {
			t.Fatal(err)
		}
		if string(page.Body) != "hello" || page.URL != server.URL+"/page" || page.MediaType != "text/html; charset=latin1" ||
			!page.FetchedAt.Equal(now) || page.FetchedAt.Location() != time.UTC || page.ETag != `"v1"` || page.NotModified {
			t.Errorf("%s: %+v", path, page)
		}
	}
	page, err := f.Get(ctx, fetch.Request{URL: server.URL + "/page", ETag: `"v1"`})
	if err != nil || !page.NotModified || len(page.Body) != 0 {
		t.Errorf("a page that did not change: %+v, %v", page, err)
	}

	for _, c := range []struct {
		path, says string
		is         func(error) bool
	}{
		{"/missing", "answered 404 Not Found", func(err error) bool {
			var s *fetch.StatusError
			return errors.As(err, &s) && s.Code == 404 && !s.Temporary()
		}},
		{"/packed", "more than 1 MB", func(err error) bool { return errors.Is(err, fetch.ErrTooLarge) && errors.Is(err, ibid.ErrInvalid) }},
		{"/endless", "more than 1 MB", func(err error) bool { return errors.Is(err, fetch.ErrTooLarge) }},
		{"/loop", "redirects more than 5 times", isRefused},
		{"/slow", "no answer within 300ms", func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }},
		{"/drip", "no answer within 300ms", func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }},
		{"/cut", "unexpected EOF", func(err error) bool { return err != nil }},
		{"/to-file", `its scheme is "file"`, isRefused},
		{"/to-user", "holds a user name or password", isRefused},
		{"/to-port", "its port is 22", isRefused},
	} {
		by := f
		if c.path == "/slow" || c.path == "/drip" {
			by = impatient
		}
		_, err := by.Get(ctx, fetch.Request{URL: server.URL + c.path})
		if err == nil || !strings.Contains(err.Error(), c.says) || !c.is(err) {
			t.Errorf("%s: %v, want %q", c.path, err, c.says)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the message holds the password: %v", c.path, err)
		}
	}
}

func isRefused(err error) bool {
	var r *fetch.RefusedError
	return errors.As(err, &r) && errors.Is(err, ibid.ErrInvalid)
}

func TestCancel(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := local(t, fetch.Config{}, server).Get(ctx, fetch.Request{URL: server.URL}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestHostile: none of these may make a connection, and each says why.
func TestHostile(t *testing.T) {
	// A server that notes every visit. The fetcher may use its port, so that only the address stands in the way.
	var visits atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer server.Close()
	port := portOf(t, server)
	dns := fakeDNS(t, map[string][][]string{
		"inside.test.": {{"127.0.0.1"}},
		"mixed.test.":  {{"10.0.0.1", "127.0.0.1"}},
		"mapped.test.": {{"::ffff:127.0.0.1"}},
		"rebind.test.": {{"127.0.0.1"}},
	})
	f := fetch.New(fetch.Config{AllowPorts: []int{port}, Resolver: dns, Timeout: 3 * time.Second})
	p := strconv.Itoa(port)
	for _, c := range []struct{ url, says string }{
		{"http://127.0.0.1:" + p, "127.0.0.1 is a loopback address; allow it with --allow-private"},
		{"http://127.8.9.10:" + p, "loopback"},
		{"http://[::1]:" + p, "loopback"},
		{"http://[::ffff:127.0.0.1]:" + p, "127.0.0.1 is a loopback"},
		{"http://[::ffff:7f00:1]:" + p, "loopback"},
		{"http://[::127.0.0.1]:" + p, "loopback"},
		{"http://[64:ff9b::127.0.0.1]:" + p, "127.0.0.1 is a loopback"},
		{"http://[64:ff9b::a00:1]:" + p, "10.0.0.1 is a private"},
		{"http://[2002:7f00:1::]:" + p, "127.0.0.1 is a loopback"},
		{"http://[2002:c0a8:101::1]:" + p, "192.168.1.1 is a private"},
		{"http://0.0.0.0:" + p, "unspecified"},
		{"http://[::]:" + p, "unspecified"},
		{"http://10.1.2.3", "private"},
		{"http://172.16.0.1", "private"},
		{"http://192.168.0.1", "private"},
		{"http://100.64.0.1", "carrier"},
		{"http://169.254.169.254/latest/meta-data/", "link-local"},
		{"http://[fe80::1%25lo]:" + p, "link-local"},
		{"http://[fd00::1]", "private"},
		{"http://224.0.0.1", "multicast"},
		{"http://[ff02::1]", "multicast"},
		{"http://255.255.255.255", "reserved"},
		{"http://192.0.2.1", "documentation"},
		{"http://198.18.0.1", "measurements"},
		{"http://[2001:db8::1]", "documentation"},
		{"http://[2001::1]", "reserved"},
		{"http://inside.test:" + p, "loopback"},
		{"http://mixed.test:" + p, "private"},
		{"http://mapped.test:" + p, "loopback"},
		{"http://rebind.test:" + p, "loopback"},
		{"file:///etc/passwd", `its scheme is "file"; only http and https are fetched`},
		{"ftp://example.org/x", "scheme"},
		{"gopher://127.0.0.1:70/_x", "scheme"},
		{"javascript:alert(1)", "scheme"},
		{"data:text/html,hello", "scheme"},
		{"//example.org/x", "scheme"},
		{"example.org", "scheme"},
		{"", "scheme"},
		{"http:example.org", "names no host"},
		{"http:///path", "names no host"},
		{"http://user:secret@example.org/", "user name or password"},
		{"http://user@example.org/", "user name or password"},
		{"http://example.org:80@127.0.0.1/", "user name or password"},
		{"http://example.org:22/", "its port is 22 and not 80 or 443; allow it with --allow-port 22"},
		{"http://example.org:0/", "port"},
		{"http://example.org:99999/", "port"},
		{"http://example.org:/", "port is empty"},
		{"http://example.org\\@127.0.0.1/", "blanks or control"},
		{"http://exa mple.org/", "blanks or control"},
		{"http://example.org/\r\nX-Evil: 1", "blanks or control"},
		{"http://[::1", "not a proper address"},
		{"http://%zz/", "not a proper address"},
	} {
		_, err := f.Get(context.Background(), fetch.Request{URL: c.url})
		if err == nil || !isRefused(err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want a refusal that says %q", c.url, err, c.says)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the message holds the password", c.url)
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}

// TestRebinding: a name that is public when it is first looked up and private afterwards. Whatever was found before, the
// address that is dialled is the one that is checked.
func TestRebinding(t *testing.T) {
	var visits atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer server.Close()
	dns := fakeDNS(t, map[string][][]string{"turn.test.": {{"10.9.9.9"}, {"127.0.0.1"}, {"127.0.0.1"}}})
	f := fetch.New(fetch.Config{AllowPorts: []int{portOf(t, server)}, Resolver: dns, Timeout: 3 * time.Second})
	for range 3 {
		_, err := f.Get(context.Background(), fetch.Request{URL: fmt.Sprintf("http://turn.test:%d/", portOf(t, server))})
		if !isRefused(err) {
			t.Errorf("got %v", err)
		}
	}
	if visits.Load() != 0 {
		t.Error("a connection was made")
	}
}

// TestRedirects: a page that redirects to where the fetcher may not go. Both servers are local; one is let in by its port.
func TestRedirects(t *testing.T) {
	var visits atomic.Int32
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer plain.Close()
	entry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain.URL, http.StatusFound)
	}))
	defer entry.Close()
	_, err := local(t, fetch.Config{}, entry).Get(context.Background(), fetch.Request{URL: entry.URL})
	if !isRefused(err) || visits.Load() != 0 {
		t.Errorf("a redirect to a port that is not allowed: %v", err)
	}
	n := 0
	five := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n++; n <= 5 {
			http.Redirect(w, r, "/", http.StatusFound)
		}
	}))
	defer five.Close()
	if _, err := local(t, fetch.Config{}, five).Get(context.Background(), fetch.Request{URL: five.URL}); err != nil {
		t.Errorf("five redirects are allowed: %v", err)
	}
}

func TestUnknownName(t *testing.T) {
	f := fetch.New(fetch.Config{Resolver: fakeDNS(t, nil), Timeout: 3 * time.Second})
	_, err := f.Get(context.Background(), fetch.Request{URL: "http://nowhere.test/"})
	if err == nil || !strings.Contains(err.Error(), "the name nowhere.test is not known") {
		t.Errorf("got %v", err)
	}
}

// fakeDNS answers queries from a table. A name has a list of answers, given one after the other; the last one stays.
func fakeDNS(t *testing.T, names map[string][][]string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		asked := map[string]int{}
		buf := make([]byte, 4096)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if reply := answerDNS(bytes.Clone(buf[:n]), names, asked); reply != nil {
				conn.WriteTo(reply, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func answerDNS(query []byte, names map[string][][]string, asked map[string]int) []byte {
	var m dnsmessage.Message
	if m.Unpack(query) != nil || len(m.Questions) == 0 {
		return nil
	}
	q := m.Questions[0]
	m.Response, m.RecursionAvailable = true, true
	m.Additionals = nil
	answers := names[strings.ToLower(q.Name.String())]
	if answers == nil {
		m.RCode = dnsmessage.RCodeNameError
	} else {
		key := q.Name.String() + q.Type.String()
		turn := min(asked[key], len(answers)-1)
		asked[key]++
		for _, a := range answers[turn] {
			ip := net.ParseIP(a)
			head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
			switch {
			case strings.Contains(a, ":") && q.Type == dnsmessage.TypeAAAA:
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AAAAResource{AAAA: [16]byte(ip.To16())}})
			case !strings.Contains(a, ":") && q.Type == dnsmessage.TypeA:
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: [4]byte(ip.To4())}})
			}
		}
	}
	out, err := m.Pack()
	if err != nil {
		return nil
	}
	return out
}

func ExampleFetcher_Get() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<p>The cable was laid in 1858.</p>")
	}))
	defer server.Close()

	_, err := fetch.New(fetch.Config{}).Get(context.Background(), fetch.Request{URL: "http://127.0.0.1/"})
	fmt.Println(err)

	u, _ := url.Parse(server.URL)
	port, _ := strconv.Atoi(u.Port())
	f := fetch.New(fetch.Config{AllowPrivate: true, AllowPorts: []int{port}})
	page, err := f.Get(context.Background(), fetch.Request{URL: server.URL})
	fmt.Println(string(page.Body), err)
	// Output:
	// fetch http://127.0.0.1/: refused: 127.0.0.1 is a loopback address; allow it with --allow-private
	// <p>The cable was laid in 1858.</p> <nil>
}
