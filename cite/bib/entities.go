package bib

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

var entity = regexp.MustCompile(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});$`)

// longest is how many bytes one has at the most.
const longest = 34

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

// resolve goes on until there is none: "&amp;lt;" was escaped twice, and what is written must be read as the same again. It looks at what
// is written so far wherever that ends as an entity does, so that each is taken once, however deep.
func resolve(s string) string {
	out := make([]byte, 0, len(s))
	for _, b := range []byte(s) {
		for out = append(out, b); out[len(out)-1] == ';'; {
			tail := out[max(0, len(out)-longest):]
			e := string(tail[max(0, bytes.LastIndexByte(tail, '&')):])
			c := html.UnescapeString(e)
			if !entity.MatchString(e) || c == e {
				break
			}
			out = append(out[:len(out)-len(e)], strings.Map(plain, c)...)
		}
	}
	return string(out)
}

func plain(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}
