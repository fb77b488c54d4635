package fetch_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/fetch"
)

// directory answers as the public directories do. The answers are scripted in their form, shortened to what matters; no
// test asks the real ones.
func directory(t *testing.T) (*httptest.Server, fetch.Lookup) {
	t.Helper()
	answers := map[string]string{
		"/10.1056/nejmc2103740": `{"type":"journal-article","title":"Neutralization of <i>SARS-CoV-2</i> &amp; Variants","container-title":"N Engl J Med","author":[{"given":"Xiaoying","family":"Shen","sequence":"first","affiliation":[]}],
			"issued":{"date-parts":[[2021,6,17]]},"DOI":"10.1056/nejmc2103740","page":"2352-2354","ISSN":["0028-4793","1533-4406"],"reference-count":5,"license":[{"URL":"x"}]}`,
		"/works/10.1000/only-crossref": `{"status":"ok","message":{"type":"book-chapter","title":["A <scp>Chapter</scp>"],"subtitle":["On <em>things</em>"],"container-title":["The Series &amp; Co","The Book"],"author":[{"literal":"ACME"}],"issued":{"date-parts":[[1999]]},"ISBN":["9783161484100"]}}`,
		"/10.1000/broken":              `<html>`,
		"/efetch.fcgi?db=pubmed&retmode=xml&id=33826819": `<?xml version="1.0"?><!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD" "x.dtd"><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>33826819</PMID><Article>
			<Journal><ISSN>1533-4406</ISSN><JournalIssue><Volume>384</Volume><Issue>24</Issue><PubDate><Year>2021</Year><Month>Jun</Month><Day>17</Day></PubDate></JournalIssue><Title>The New England journal of medicine</Title><ISOAbbreviation>N Engl J Med</ISOAbbreviation></Journal>
			<ArticleTitle>Neutralization of <i>SARS-CoV-2</i> Variants.</ArticleTitle><Pagination><MedlinePgn>2352-4</MedlinePgn></Pagination>
			<AuthorList><Author><LastName>Shen</LastName><ForeName>Xiaoying</ForeName></Author><Author><CollectiveName>The Group</CollectiveName></Author></AuthorList><Language>eng</Language></Article></MedlineCitation>
			<PubmedData><ArticleIdList><ArticleId IdType="doi">10.1056/NEJMc2103740</ArticleId><ArticleId IdType="pmc">PMC8063884</ArticleId></ArticleIdList></PubmedData></PubmedArticle></PubmedArticleSet>`,
		"/efetch.fcgi?db=pubmed&retmode=xml&id=1": `<PubmedArticleSet></PubmedArticleSet>`,
		"/api/books?format=json&jscmd=data&bibkeys=ISBN%3A9780306406157": `{"ISBN:9780306406157":{"title":"Cables","subtitle":"a history","authors":[{"name":"Ludwig van Beethoven"}],"publishers":[{"name":"Springer"}],
			"publish_places":[{"name":"Berlin"}],"publish_date":"June 17, 1998","number_of_pages":300}}`,
		"/api/books?format=json&jscmd=data&bibkeys=ISBN%3A9783161484100": `{}`,
		"/api/query?id_list=2401.12345v2": `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2401.12345v2</id><updated>2024-02-03T00:00:00Z</updated><published>2024-01-15T00:00:00Z</published>
			<title>Machine
  Learning Advances</title><author><name>Jane Smith</name></author><author><name>Ann de la Roe</name></author></entry></feed>`,
		"/api/query?id_list=2401.99999": `<feed xmlns="http://www.w3.org/2005/Atom"></feed>`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/10.") && r.Header.Get("Accept") != "application/vnd.citationstyles.csl+json" {
			t.Errorf("asked for %q", r.Header.Get("Accept"))
		}
		key := r.URL.EscapedPath()
		if strings.HasPrefix(key, "/works/") {
			key = r.URL.Path
		}
		if r.URL.RawQuery != "" {
			key += "?" + r.URL.RawQuery
		}
		body, ok := answers[key]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	u := server.URL
	return server, fetch.NewLookup(local(t, fetch.Config{}, server), fetch.Directories{DOI: u, Crossref: u, PubMed: u, OpenLibrary: u, ArXiv: u})
}

func TestLookup(t *testing.T) {
	_, lookup := directory(t)
	for id, want := range map[string]string{
		"https://doi.org/10.1056/NEJMc2103740": `{"DOI":"10.1056/nejmc2103740","ISSN":"0028-4793","author":[{"family":"Shen","given":"Xiaoying"}],"container-title":"N Engl J Med","id":"10.1056/nejmc2103740","issued":{"date-parts":[[2021,6,17]]},
			"page":"2352-2354","title":"Neutralization of <i>SARS-CoV-2</i> & Variants","type":"article-journal"}`,
		"10.1000/only-crossref": `{"DOI":"10.1000/only-crossref","ISBN":"9783161484100","author":[{"literal":"ACME"}],"collection-title":"The Series \u0026 Co","container-title":"The Book","id":"10.1000/only-crossref","issued":{"date-parts":[[1999]]},"title":"A Chapter: On \u003ci\u003ethings\u003c/i\u003e","type":"chapter"}`,
		"PMID: 33826819": `{"DOI":"10.1056/NEJMc2103740","ISSN":"1533-4406","PMCID":"PMC8063884","PMID":"33826819","author":[{"family":"Shen","given":"Xiaoying"},{"literal":"The Group"}],"container-title":"The New England journal of medicine",
			"container-title-short":"N Engl J Med","id":"pmid33826819","issue":"24","issued":{"date-parts":[[2021,6,17]]},"language":"en","page":"2352-2354","title":"Neutralization of <i>SARS-CoV-2</i> Variants","type":"article-journal","volume":"384"}`,
		"0-306-40615-2": `{"ISBN":"9780306406157","author":[{"family":"Beethoven","given":"Ludwig","non-dropping-particle":"van"}],"id":"isbn9780306406157","issued":{"date-parts":[[1998,6,17]]},"number-of-pages":"300","publisher":"Springer",
			"publisher-place":"Berlin","title":"Cables: a history","type":"book"}`,
		"arXiv:2401.12345v2": `{"DOI":"10.48550/arXiv.2401.12345","URL":"https://arxiv.org/abs/2401.12345v2","author":[{"family":"Smith","given":"Jane"},{"family":"Roe","given":"Ann","non-dropping-particle":"de la"}],
			"id":"arxiv2401.12345v2","issued":{"date-parts":[[2024,2,3]]},"number":"arXiv:2401.12345v2","publisher":"arXiv","title":"Machine Learning Advances","type":"article"}`,
	} {
		r, err := lookup.Lookup(t.Context(), id)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		got, _ := json.Marshal(r)
		var x, y any
		if json.Unmarshal(got, &x) != nil || json.Unmarshal([]byte(want), &y) != nil {
			t.Fatal(want)
		}
		a, _ := json.Marshal(x)
		b, _ := json.Marshal(y)
		if string(a) != string(b) {
			t.Errorf("%s:\n got %s\nwant %s", id, a, b)
		}
	}
}

func TestLookupSaysWhatItCouldNotFind(t *testing.T) {
	_, lookup := directory(t)
	for id, want := range map[string]error{
		"10.1000/nowhere": ibid.ErrNotFound, "PMID: 1": ibid.ErrNotFound, "9783161484100": ibid.ErrNotFound, "2401.99999": ibid.ErrNotFound,
		"10.1000/broken": ibid.ErrInvalid, "hello": ibid.ErrInvalid, "": ibid.ErrInvalid, "978-3-16-148410-1": ibid.ErrInvalid,
	} {
		if _, err := lookup.Lookup(t.Context(), id); !errors.Is(err, want) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// Without a network the error names what could not be looked up.
func TestLookupOffline(t *testing.T) {
	server, lookup := directory(t)
	server.Close()
	_, err := lookup.Lookup(t.Context(), "10.1056/nejmc2103740")
	if err == nil || errors.Is(err, ibid.ErrNotFound) || !strings.Contains(err.Error(), "could not look up DOI 10.1056/nejmc2103740") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lookup.Lookup(ctx, "10.1056/nejmc2103740"); err == nil {
		t.Error("a look-up that was called off")
	}
}

// A look-up is under the fetcher's rules: no private address unless it is allowed.
func TestLookupIsSafe(t *testing.T) {
	server, _ := directory(t)
	lookup := fetch.NewLookup(fetch.New(fetch.Config{AllowPorts: []int{portOf(t, server)}}), fetch.Directories{DOI: server.URL, Crossref: server.URL})
	var refused *fetch.RefusedError
	if _, err := lookup.Lookup(t.Context(), "10.1056/nejmc2103740"); !errors.As(err, &refused) {
		t.Error(err)
	}
}
