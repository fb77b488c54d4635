package bib

import (
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

var entity = regexp.MustCompile(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// withoutEntities puts characters for the entities of HTML, which publishers and directories leave in files of every format:
// "Science &amp; Technology". What is an address or an identifier is as it is given.
func withoutEntities(r *ibid.Reference) {
	for k, v := range r.Text {
		if strings.Contains(v, "&") && k != "URL" && k != "DOI" {
			r.Text[k] = resolve(v)
		}
	}
	for _, names := range r.Names {
		for i := range names {
			n := &names[i]
			for _, part := range []*string{&n.Family, &n.Given, &n.Literal, &n.Suffix, &n.DroppingParticle, &n.NonDroppingParticle} {
				if strings.Contains(*part, "&") {
					*part = resolve(*part)
				}
			}
		}
	}
}

// resolve goes on until there is none: "&amp;lt;" was escaped twice, and what is written must be read as the same again.
func resolve(s string) string {
	for entity.MatchString(s) {
		plain := entity.ReplaceAllStringFunc(s, func(e string) string {
			c := html.UnescapeString(e)
			if c == e {
				return e
			}
			return strings.Map(func(r rune) rune {
				if unicode.IsControl(r) {
					return ' '
				}
				return r
			}, c)
		})
		if plain == s {
			break
		}
		s = plain
	}
	return s
}
