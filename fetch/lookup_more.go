package fetch

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

// PubMed asks the directory of medical literature.
func PubMed(f *Fetcher, base string) Lookup {
	return pubmedLookup{newSource(f, base, "https://eutils.ncbi.nlm.nih.gov/entrez/eutils")}
}

type pubmedLookup struct{ source }

type pubmedArticle struct {
	PMID    string `xml:"MedlineCitation>PMID"`
	Article struct {
		Title   inner  `xml:"ArticleTitle"`
		Pages   string `xml:"Pagination>MedlinePgn"`
		Journal struct {
			Title  string `xml:"Title"`
			Short  string `xml:"ISOAbbreviation"`
			ISSN   string `xml:"ISSN"`
			Volume string `xml:"JournalIssue>Volume"`
			Issue  string `xml:"JournalIssue>Issue"`
			Date   struct {
				Year, Month, Day string
				MedlineDate      string
			} `xml:"JournalIssue>PubDate"`
		} `xml:"Journal"`
		Authors []struct {
			LastName, ForeName, Suffix, CollectiveName string
		} `xml:"AuthorList>Author"`
		Language string `xml:"Language"`
	} `xml:"MedlineCitation>Article"`
	IDs []struct {
		Type  string `xml:"IdType,attr"`
		Value string `xml:",chardata"`
	} `xml:"PubmedData>ArticleIdList>ArticleId"`
}

type inner struct {
	Text string `xml:",innerxml"`
}

func (l pubmedLookup) Lookup(ctx context.Context, id string) (ibid.Reference, error) {
	pmid, err := cite.ParsePMID(id)
	if err != nil {
		return ibid.Reference{}, err
	}
	b, err := l.get(ctx, "PMID "+pmid, "/efetch.fcgi?db=pubmed&retmode=xml&id="+pmid, "application/xml")
	if err != nil {
		return ibid.Reference{}, err
	}
	var set struct {
		Articles []pubmedArticle `xml:"PubmedArticle"`
	}
	if readXML(b, &set) != nil {
		return ibid.Reference{}, badAnswer("PMID "+pmid, l.base)
	}
	if len(set.Articles) == 0 {
		return ibid.Reference{}, fmt.Errorf("PMID %s is not known at PubMed: %w", pmid, ibid.ErrNotFound)
	}
	r := set.Articles[0].reference(pmid)
	if complete(&r) != nil {
		return ibid.Reference{}, badAnswer("PMID "+pmid, l.base)
	}
	return r, nil
}

func readXML(b []byte, to any) error {
	d := xml.NewDecoder(strings.NewReader(string(b)))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return d.Decode(to)
}

func (p pubmedArticle) reference(pmid string) ibid.Reference {
	r := ibid.Reference{ID: "pmid" + pmid, Type: "article-journal"}
	a := p.Article
	r.Set("title", strings.TrimSuffix(cleanText(a.Title.Text), "."))
	r.Set("container-title", cleanText(a.Journal.Title))
	r.Set("container-title-short", cleanText(a.Journal.Short))
	r.Set("ISSN", a.Journal.ISSN)
	r.Set("volume", a.Journal.Volume)
	r.Set("issue", a.Journal.Issue)
	r.Set("page", fullPages(a.Pages))
	r.Set("PMID", pmid)
	if a.Language != "" && a.Language != "eng" {
		r.Set("language", a.Language)
	} else if a.Language == "eng" {
		r.Set("language", "en")
	}
	for _, n := range a.Authors {
		name := ibid.Name{Family: cleanText(n.LastName), Given: cleanText(n.ForeName), Suffix: n.Suffix, Literal: cleanText(n.CollectiveName)}
		r.SetNames("author", append(r.Names["author"], name)...)
	}
	for _, id := range p.IDs {
		switch id.Type {
		case "doi":
			r.Set("DOI", id.Value)
		case "pmc":
			r.Set("PMCID", id.Value)
		}
	}
	d := a.Journal.Date
	year := d.Year
	if year == "" && len(d.MedlineDate) >= 4 { // "2019 Nov-Dec"
		year = d.MedlineDate[:4]
	}
	r.SetDate("issued", dateOf(year, d.Month, d.Day))
	return r
}

// fullPages writes "2352-4" as "2352-2354".
func fullPages(s string) string {
	from, to, ok := strings.Cut(strings.TrimSpace(s), "-")
	if !ok || len(to) >= len(from) || strings.Trim(from+to, "0123456789") != "" {
		return s
	}
	return from + "-" + from[:len(from)-len(to)] + to
}

var monthNumbers = map[string]int{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12}

func dateOf(year, month, day string) ibid.Date {
	y, err := strconv.Atoi(strings.TrimSpace(year))
	if err != nil || y == 0 {
		return ibid.Date{}
	}
	m, err := strconv.Atoi(month)
	if err != nil && len(month) >= 3 {
		m = monthNumbers[strings.ToLower(month[:3])]
	}
	if m < 1 || m > 12 {
		return ibid.NewDate(y)
	}
	if d, err := strconv.Atoi(day); err == nil && d >= 1 && d <= 31 {
		return ibid.NewDate(y, m, d)
	}
	return ibid.NewDate(y, m)
}

// ISBN asks Open Library.
func ISBN(f *Fetcher, base string) Lookup {
	return isbnLookup{newSource(f, base, "https://openlibrary.org")}
}

type isbnLookup struct{ source }

func (l isbnLookup) Lookup(ctx context.Context, id string) (ibid.Reference, error) {
	isbn, err := cite.ParseISBN(id)
	if err != nil {
		return ibid.Reference{}, err
	}
	b, err := l.get(ctx, "ISBN "+isbn, "/api/books?format=json&jscmd=data&bibkeys="+url.QueryEscape("ISBN:"+isbn), "application/json")
	if err != nil {
		return ibid.Reference{}, err
	}
	type named struct{ Name string }
	var books map[string]struct {
		Title, Subtitle string
		URL             string
		Authors         []named
		Publishers      []named
		Places          []named `json:"publish_places"`
		Date            string  `json:"publish_date"`
		Pages           int     `json:"number_of_pages"`
	}
	if json.Unmarshal(b, &books) != nil {
		return ibid.Reference{}, badAnswer("ISBN "+isbn, l.base)
	}
	book, ok := books["ISBN:"+isbn]
	if !ok || book.Title == "" {
		return ibid.Reference{}, fmt.Errorf("ISBN %s is not known at Open Library: %w", isbn, ibid.ErrNotFound)
	}
	r := ibid.Reference{ID: "isbn" + isbn, Type: "book"}
	title := book.Title
	if book.Subtitle != "" {
		title += ": " + book.Subtitle
	}
	r.Set("title", cleanText(title))
	r.Set("ISBN", isbn)
	for _, a := range book.Authors {
		r.SetNames("author", append(r.Names["author"], personName(a.Name))...)
	}
	if len(book.Publishers) > 0 {
		r.Set("publisher", cleanText(book.Publishers[0].Name))
	}
	if len(book.Places) > 0 {
		r.Set("publisher-place", cleanText(book.Places[0].Name))
	}
	if book.Pages > 0 {
		r.Set("number-of-pages", strconv.Itoa(book.Pages))
	}
	r.SetDate("issued", looseDate(book.Date))
	if complete(&r) != nil {
		return ibid.Reference{}, badAnswer("ISBN "+isbn, l.base)
	}
	return r, nil
}

var (
	yearIn  = regexp.MustCompile(`\b(1[0-9]{3}|20[0-9]{2})\b`)
	monthIn = regexp.MustCompile(`(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b`)
	dayIn   = regexp.MustCompile(`\b([0-9]{1,2})\b`)
)

// looseDate reads "June 17, 2021", "2021" and their like.
func looseDate(s string) ibid.Date {
	return dateOf(yearIn.FindString(s), monthIn.FindString(s), dayIn.FindString(yearIn.ReplaceAllString(s, "")))
}

// personName takes a name in its natural order apart: particles go with the family name.
func personName(s string) ibid.Name {
	words := strings.Fields(cleanText(s))
	if len(words) < 2 {
		return ibid.Name{Literal: strings.Join(words, " ")}
	}
	cut := len(words) - 1
	for cut > 1 && words[cut-1] == strings.ToLower(words[cut-1]) && !strings.HasSuffix(words[cut-1], ".") {
		cut--
	}
	last := len(words) - 1
	n := ibid.Name{Given: strings.Join(words[:cut], " "), Family: words[last]}
	if cut < last {
		n.NonDroppingParticle = strings.Join(words[cut:last], " ")
	}
	return n
}

// ArXiv asks the preprint server.
func ArXiv(f *Fetcher, base string) Lookup {
	return arxivLookup{newSource(f, base, "https://export.arxiv.org")}
}

type arxivLookup struct{ source }

func (l arxivLookup) Lookup(ctx context.Context, id string) (ibid.Reference, error) {
	a, err := cite.ParseArXiv(id)
	if err != nil {
		return ibid.Reference{}, err
	}
	b, err := l.get(ctx, "arXiv "+a.String(), "/api/query?id_list="+url.QueryEscape(a.String()), "application/atom+xml")
	if err != nil {
		return ibid.Reference{}, err
	}
	var feed struct {
		Entries []struct {
			ID        string `xml:"id"`
			Title     string `xml:"title"`
			Published string `xml:"published"`
			Updated   string `xml:"updated"`
			DOI       string `xml:"doi"`
			Authors   []struct {
				Name string `xml:"name"`
			} `xml:"author"`
		} `xml:"entry"`
	}
	if readXML(b, &feed) != nil {
		return ibid.Reference{}, badAnswer("arXiv "+a.String(), l.base)
	}
	if len(feed.Entries) == 0 || strings.Contains(feed.Entries[0].ID, "/api/errors") {
		return ibid.Reference{}, fmt.Errorf("arXiv %s is not known at arXiv: %w", a, ibid.ErrNotFound)
	}
	e := feed.Entries[0]
	r := ibid.Reference{ID: "arxiv" + a.String(), Type: "article"}
	r.Set("title", cleanText(e.Title))
	r.Set("publisher", "arXiv")
	r.Set("number", "arXiv:"+a.String())
	r.Set("URL", "https://arxiv.org/abs/"+a.String())
	r.Set("DOI", strings.TrimSpace(e.DOI))
	if r.DOI() == "" {
		r.Set("DOI", "10.48550/arXiv."+a.ID)
	}
	for _, n := range e.Authors {
		r.SetNames("author", append(r.Names["author"], personName(n.Name))...)
	}
	date := e.Published
	if a.Version > 1 {
		date = e.Updated // of the version that was asked for
	}
	if len(date) >= 10 {
		r.SetDate("issued", dateOf(date[:4], date[5:7], date[8:10]))
	}
	if complete(&r) != nil {
		return ibid.Reference{}, badAnswer("arXiv "+a.String(), l.base)
	}
	return r, nil
}
