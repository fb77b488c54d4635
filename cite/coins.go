package cite

import (
	"fmt"
	"html"
	"net/url"
	"strings"

	"github.com/ibid-dev/ibid"
)

// COinS writes a record as an empty HTML element that the browser extensions of reference managers read: an OpenURL
// in the title of a span of class Z3988.
func COinS(r ibid.Reference) string {
	v := url.Values{}
	v.Set("ctx_ver", "Z39.88-2004")
	v.Set("rfr_id", "info:sid/ibid:ibid")
	format, genre, title := "journal", "article", "atitle"
	switch r.Type {
	case "article-journal", "article-magazine", "article-newspaper", "review", "review-book":
	case "book", "classic", "collection", "report", "manuscript", "pamphlet", "standard":
		format, genre, title = "book", "book", "btitle"
		if r.Type == "report" {
			genre = "report"
		}
	case "chapter", "entry", "entry-dictionary", "entry-encyclopedia":
		format, genre = "book", "bookitem"
	case "paper-conference":
		format, genre = "book", "proceeding"
	case "thesis":
		format, genre, title = "dissertation", "", "title"
	case "patent":
		format, genre, title = "patent", "", "title"
	default:
		format, genre, title = "dc", "", "title"
	}
	v.Set("rft_val_fmt", "info:ofi/fmt:kev:mtx:"+format)
	set := func(key, value string) {
		if value = strings.TrimSpace(titleTags.ReplaceAllString(value, "")); value != "" {
			v.Add("rft."+key, value)
		}
	}
	set("genre", genre)
	set(title, r.Title())
	switch {
	case format == "journal":
		set("jtitle", r.Text["container-title"])
	case title == "atitle":
		set("btitle", r.Text["container-title"])
	case format == "dc":
		set("type", r.Type)
		set("source", r.Text["container-title"])
		set("identifier", r.URL())
	}
	for _, p := range [][2]string{{"stitle", "container-title-short"}, {"volume", "volume"}, {"issue", "issue"}, {"pages", "page"}, {"edition", "edition"}, {"series", "collection-title"},
		{"issn", "ISSN"}, {"isbn", "ISBN"}, {"place", "publisher-place"}, {"language", "language"}} {
		set(p[0], r.Text[p[1]])
	}
	if format == "dc" {
		set("publisher", r.Text["publisher"])
	} else {
		set("pub", r.Text["publisher"])
	}
	if from, to, ok := strings.Cut(r.Text["page"], "-"); ok {
		set("spage", from)
		set("epage", to)
	}
	set("date", coinsDate(r))
	for i, n := range r.Names["author"] {
		if i == 0 && n.Literal == "" && format != "dc" {
			set("aulast", strings.TrimSpace(n.NonDroppingParticle+" "+n.Family))
			set("aufirst", n.Given)
		}
		key := "au"
		if format == "dc" {
			key = "creator"
		}
		set(key, n.String())
	}
	if doi := r.DOI(); doi != "" {
		v.Add("rft_id", "info:doi/"+doi)
	}
	if pmid := r.Text["PMID"]; pmid != "" {
		v.Add("rft_id", "info:pmid/"+pmid)
	}
	if u := r.URL(); isWeb(u) {
		v.Add("rft_id", u)
	}
	return `<span class="Z3988" title="` + html.EscapeString(v.Encode()) + `"></span>`
}

func coinsDate(r ibid.Reference) string {
	if r.Year() == 0 {
		return ""
	}
	s := fmt.Sprintf("%04d", r.Year())
	d := r.Dates["issued"]
	if len(d.Parts) == 0 {
		return s
	}
	p := d.Parts[0]
	if p.Month >= 1 && p.Month <= 12 {
		s += fmt.Sprintf("-%02d", p.Month)
		if p.Day >= 1 && p.Day <= 31 {
			s += fmt.Sprintf("-%02d", p.Day)
		}
	}
	return s
}
