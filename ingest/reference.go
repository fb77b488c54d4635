package ingest

import (
	"regexp"
	"strings"

	"github.com/ibid-dev/ibid"
)

// finishReference gives every reference what it can have: the address it was found at, and a type.
func finishReference(r *ibid.Reference, h Hint) {
	if r.URL() == "" && (strings.HasPrefix(h.URI, "https://") || strings.HasPrefix(h.URI, "http://")) {
		r.Set("URL", h.URI)
	}
	if r.Type == "" {
		r.Type = "document"
	}
}

var doiPattern = regexp.MustCompile(`\b10\.\d{4,9}/[^\s"<>{}|\\^\x60\[\]]+`)

// findDOI gives the first DOI in a text, without the punctuation of the sentence around it.
func findDOI(s string) string {
	doi := doiPattern.FindString(s)
	for doi != "" {
		last := doi[len(doi)-1]
		switch {
		case strings.IndexByte(".,;:'!?*", last) >= 0:
		case last == ')' && strings.Count(doi, ")") > strings.Count(doi, "("):
		default:
			return doi
		}
		doi = doi[:len(doi)-1]
	}
	return ""
}

// frontType takes a type that is CSL's own as it is, and else guesses from the fields.
func frontType(named string, r ibid.Reference) string {
	switch t := strings.ToLower(strings.TrimSpace(named)); t {
	case "article-journal", "article-magazine", "article-newspaper", "article", "book", "chapter", "report", "thesis", "webpage",
		"post-weblog", "paper-conference", "dataset", "document", "manuscript", "speech", "interview", "legislation", "map",
		"patent", "pamphlet", "personal_communication", "review", "software", "standard":
		return t
	}
	return guessType(r)
}

func guessType(r ibid.Reference) string {
	switch {
	case r.Text["ISBN"] != "" && r.Text["container-title"] == "":
		return "book"
	case r.Text["container-title"] != "" && (r.Text["volume"] != "" || r.Text["issue"] != "" || r.Text["ISSN"] != "" || r.DOI() != ""):
		return "article-journal"
	case r.DOI() != "":
		return "article-journal"
	}
	return ""
}
