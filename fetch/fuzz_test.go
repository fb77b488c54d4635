package fetch_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/fetch"
)

// FuzzLookup: whatever a directory answers, it is a record or a fault of the answer. A record names its work and carries the
// identifier that was asked for, is text throughout, is the same each time, and is the same when it is written and read again.
func FuzzLookup(f *testing.F) {
	var answer []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(answer) }))
	f.Cleanup(server.Close)
	fetcher, u := local(f, fetch.Config{}, server), server.URL
	directories := []struct {
		fetch.Lookup
		id, variable, value string
	}{
		{fetch.DOI(fetcher, u), "10.1000/1", "DOI", ""}, // its own spelling of it, or another that leads there
		{fetch.Crossref(fetcher, u), "10.1000/1", "DOI", ""},
		{fetch.PubMed(fetcher, u), "33826819", "PMID", "33826819"},
		{fetch.ISBN(fetcher, u), "0-306-40615-2", "ISBN", "9780306406157"},
		{fetch.ArXiv(fetcher, u), "2401.12345v2", "number", "arXiv:2401.12345v2"},
	}
	for _, s := range []string{
		`{"type":"journal-article","title":["A &amp; <i>B</i>"],"author":[{"name":"ACME"},{"family":"D"}],"issued":{"date-parts":[[null]]},"DOI":"10.1000/1","ISSN":[1,2],"short-container-title":"J"}`,
		`{"message":{"title":"A","editor":[],"published-print":{"date-parts":[[2021,6]]},"URL":"x"}}`,
		`<x><PubmedArticle><MedlineCitation><Article><Journal><JournalIssue><PubDate><MedlineDate>2019 Nov</MedlineDate></PubDate></JournalIssue></Journal><ArticleTitle>A <b>b</b>.</ArticleTitle><AuthorList><Author><LastName>S</LastName></Author></AuthorList></Article></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="doi">10.1/2</ArticleId></ArticleIdList></PubmedData></PubmedArticle></x>`,
		`{"ISBN:9780306406157":{"title":"T","subtitle":"S","authors":[{"name":"Ludwig van B"},{"name":" "}],"publish_date":"June 17, 1998","number_of_pages":3}}`,
		`<feed><entry><id>x</id><title>A</title><published>2024-01-15T</published><updated>2024-02-30T</updated><author><name>de la Roe</name></author><doi>10.1/3</doi></entry></feed>`,
	} {
		for i := range directories {
			f.Add(uint8(i), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, said []byte) {
		answer = said
		d := directories[int(which)%len(directories)]
		r, err := d.Lookup.Lookup(t.Context(), d.id)
		if err != nil {
			if !errors.Is(err, ibid.ErrInvalid) && !errors.Is(err, ibid.ErrNotFound) {
				t.Fatalf("not the answer's fault: %v", err)
			}
			return
		}
		if strings.TrimSpace(r.Title()) == "" && len(r.Names) == 0 || r.ID == "" || r.Type == "" {
			t.Fatalf("a record that names nothing: %+v", r)
		}
		if got := r.Text[d.variable]; got == "" || d.value != "" && got != d.value {
			t.Fatalf("%s was asked for, and %s is %q", d.id, d.variable, got)
		}
		for variable, s := range r.Text {
			if !utf8.ValidString(s) || strings.TrimSpace(s) == "" {
				t.Fatalf("%s is %q", variable, s)
			}
		}
		for variable, names := range r.Names {
			for _, n := range names {
				if strings.TrimSpace(n.String()) == "" {
					t.Fatalf("nobody among %s: %+v", variable, names)
				}
			}
		}
		again, err := d.Lookup.Lookup(t.Context(), d.id)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%+v, then %+v, %v", r, again, err)
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var read ibid.Reference
		if err := json.Unmarshal(b, &read); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if twice, _ := json.Marshal(read); string(twice) != string(b) {
			t.Fatalf("%s became %s", b, twice)
		}
	})
}

// FuzzAddress: an address of IPv4 is what it is in whichever way one of IPv6 wraps it, a zone changes nothing, and what the
// standard library knows to be no address of the public internet is refused.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"127.0.0.1", "10.1.2.3", "8.8.8.8", "0.0.0.0", "169.254.169.254", "::1", "::", "fe80::1", "fd00::1", "::7f00:1", "ff02::1", "2606:4700::1111", "2002:7f00:1::", "64:ff9b::a00:1"} {
		b := netip.MustParseAddr(s).As16()
		f.Add(b[:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != 16 {
			return
		}
		wide := netip.AddrFrom16([16]byte(b))
		kind := fetch.Kind(wide)
		if got := fetch.Kind(wide.WithZone("eth0")); !wide.Is4In6() && got != kind {
			t.Errorf("%s is %q, and in a zone %q", wide, kind, got)
		}
		if plain := wide.Unmap(); kind == "" && (!plain.IsGlobalUnicast() || plain.IsPrivate()) {
			t.Errorf("%s may be fetched", wide)
		}
		four := netip.AddrFrom4([4]byte(b[12:]))
		kind = fetch.Kind(four)
		if kind == "" && (!four.IsGlobalUnicast() || four.IsPrivate()) {
			t.Errorf("%s may be fetched", four)
		}
		n := b[12:]
		for _, wrapped := range []string{"::ffff:" + four.String(), "64:ff9b::" + four.String(), fmt.Sprintf("2002:%x:%x::1", int(n[0])<<8|int(n[1]), int(n[2])<<8|int(n[3])), "::" + four.String()} {
			ip := netip.MustParseAddr(wrapped)
			if got := fetch.Kind(ip); got != kind && !(ip.IsLoopback() || ip.IsUnspecified()) {
				t.Errorf("%s is %q, and as %s %q", four, kind, wrapped, got)
			}
		}
	})
}
