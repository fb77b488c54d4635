package cite

import (
	"regexp"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// Quote is where the words of a citation stand in a snapshot of the source.
type Quote struct {
	At      ibid.Span // into the document's text, from the first word to the last
	Page    int       // 0 where the document has no pages
	Locator string    // "p. 3", else "§ September", else ""
	Gaps    int       // how many omissions "…" the quote has
}

// omission is how a quote says that words are left out.
var omission = regexp.MustCompile(`\s*(?:\[\s*(?:\.{3,}|…)\s*\]|\(\s*(?:\.{3,}|…)\s*\)|\.{3,}|…)\s*`)

// widestGap bounds what an omission may leave out, in bytes: what stands pages apart is not one quote.
const widestGap = 2000

// mostTries bounds the places where a quote may begin, for one whose first part is a letter.
const mostTries = 10000

// FindQuote looks for a quote in a snapshot. Quotation marks, dashes, white space and the marks of an omission may
// differ; the words may not. The first place is given.
func FindQuote(doc ibid.Document, quote string) (Quote, bool) {
	parts := quoteParts(quote)
	if len(parts) == 0 {
		return Quote{}, false
	}
	normal := text.Normalize(doc.Text)
	span, ok := findParts(normal.Text(), parts)
	if !ok {
		return Quote{}, false
	}
	at := normal.Original(span)
	return Quote{At: at, Page: doc.Outline.Page(at.Start), Locator: doc.Outline.Locator(at.Start), Gaps: len(parts) - 1}, true
}

func quoteParts(quote string) []string {
	quote = text.Normalize(quote).Text()
	if len(quote) > 1 && quote[0] == '"' && quote[len(quote)-1] == '"' && !strings.Contains(quote[1:len(quote)-1], `"`) {
		quote = quote[1 : len(quote)-1]
	}
	var parts []string
	for _, p := range omission.Split(quote, -1) {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// findParts finds the parts in order, each within reach of the one before.
func findParts(s string, parts []string) (ibid.Span, bool) {
	from := 0
	for range mostTries {
		i := strings.Index(s[from:], parts[0])
		if i < 0 {
			return ibid.Span{}, false
		}
		start := from + i
		end, ok := start+len(parts[0]), true
		for _, p := range parts[1:] {
			reach := s[end:min(len(s), end+widestGap+len(p))]
			j := strings.Index(reach, p)
			if j < 0 {
				ok = false
				break
			}
			end += j + len(p)
		}
		if ok {
			return ibid.Span{Start: start, End: end}, true
		}
		from = start + 1
	}
	return ibid.Span{}, false
}

// CheckQuote says whether the snippet of a citation stands in the document, and where. It is nil where the citation has
// no snippet.
func CheckQuote(c Citation, doc ibid.Document) *QuoteFinding {
	if strings.TrimSpace(c.Snippet) == "" {
		return nil
	}
	q, ok := FindQuote(doc, c.Snippet)
	return &QuoteFinding{Found: ok, Page: q.Page, Locator: q.Locator}
}

// QuoteFinding is what a report says of a citation's snippet.
type QuoteFinding struct {
	Found   bool   `json:"found"`
	Page    int    `json:"page,omitempty"`
	Locator string `json:"locator,omitempty"`
}
