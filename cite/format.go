package cite

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// Style is one of the three short styles. They need no more than a Citation holds; for a journal's own style see
// cite/csl.
type Style string

// The short styles.
const (
	APA     Style = "apa"
	MLA     Style = "mla"
	Chicago Style = "chicago"
)

// Format writes a citation in a short style. A field that is missing leaves no trace of its punctuation. The error
// names a style that does not exist and wraps ibid.ErrInvalid.
func Format(c Citation, style Style) (string, error) {
	switch Style(strings.ToLower(string(style))) {
	case APA:
		return c.apa(), nil
	case MLA:
		return c.mla(), nil
	case Chicago:
		return c.chicago(), nil
	}
	return "", unsupportedStyle(style)
}

type unsupportedStyle string

func (s unsupportedStyle) Error() string { return "Unsupported citation style: " + string(s) }
func (s unsupportedStyle) Unwrap() error { return ibid.ErrInvalid }

// FormatMap writes the claim, unless it is left out, and its citations as a numbered list.
func FormatMap(m CitationMap, style Style, includeClaim bool) (string, error) {
	var b strings.Builder
	if includeClaim {
		fmt.Fprintf(&b, "Claim: %s\n\n", m.ClaimText)
	}
	if len(m.Citations) == 0 {
		if _, err := Format(Citation{}, style); err != nil {
			return "", err
		}
		b.WriteString("No citations available")
		return b.String(), nil
	}
	b.WriteString("Citations:")
	for i, c := range m.Citations {
		line, err := Format(c, style)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n%d. %s", i+1, line)
	}
	return b.String(), nil
}

// apa: Author. (Year). Title. Retrieved from Source (Location)
func (c Citation) apa() string {
	var parts []string
	if a := c.author(); a != "" {
		parts = append(parts, stop(a))
	}
	if y := c.year(); y != "" {
		parts = append(parts, "("+y+").")
	}
	if t := c.title(); t != "" {
		parts = append(parts, stop(t))
	}
	parts = append(parts, "Retrieved from "+strings.TrimSpace(c.Source))
	if l := strings.TrimSpace(c.Location); l != "" {
		parts = append(parts, "("+l+")")
	}
	return strings.Join(parts, " ")
}

// mla: Author. "Title." Source, Year. Location
func (c Citation) mla() string {
	head := c.head()
	year, location := c.year(), strings.TrimSpace(c.Location)
	if year != "" {
		head += ", " + stop(year)
		if location != "" {
			head += " " + location
		}
	} else if location != "" {
		head += ", " + location
	}
	return head
}

// chicago: Author. "Title." Source (Year): Location
func (c Citation) chicago() string {
	head := c.head()
	if y := c.year(); y != "" {
		head += " (" + y + ")"
	}
	if l := strings.TrimSpace(c.Location); l != "" {
		head += ": " + l
	}
	return head
}

// head is what MLA and Chicago share: Author. "Title." Source
func (c Citation) head() string {
	var parts []string
	if a := c.author(); a != "" {
		parts = append(parts, stop(a))
	}
	if t := c.title(); t != "" {
		parts = append(parts, `"`+stop(t)+`"`)
	}
	return strings.Join(append(parts, strings.TrimSpace(c.Source)), " ")
}

// stop ends a phrase with one full stop, unless it ends with a sign that ends a sentence already.
func stop(s string) string {
	switch s[len(s)-1] {
	case '.', '?', '!':
		return s
	}
	if strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

func (c Citation) author() string { return c.meta("author") }
func (c Citation) title() string  { return c.meta("title") }

// year is metadata.year, else the first four characters of publication_date.
func (c Citation) year() string {
	if y := c.meta("year"); y != "" {
		return y
	}
	date := c.meta("publication_date")
	if utf8.RuneCountInString(date) > 4 {
		date = string([]rune(date)[:4])
	}
	return date
}

// meta gives a field of the metadata as text: strings and numbers as they are, lists joined, anything else as nothing.
func (c Citation) meta(key string) string { return metaText(c.Metadata[key]) }

func metaText(v any) string {
	switch v := v.(type) {
	case string:
		return strings.Join(strings.Fields(v), " ")
	case json.Number:
		return v.String()
	case float64, int, int64:
		return strings.TrimSuffix(fmt.Sprint(v), ".0")
	case []any:
		var texts []string
		for _, x := range v {
			if s := metaText(x); s != "" {
				texts = append(texts, s)
			}
		}
		return joinNames(texts)
	case []string:
		return joinNames(v)
	}
	return ""
}
