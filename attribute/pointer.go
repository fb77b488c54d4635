package attribute

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// A pointer is a bracket that says where a statement stands and nothing of its subject: a page of the web, a file, a work by its authors, a part of a
// document. Those that name a source of the turn were taken out as marks; what is left says nothing that could be compared.
var pointers, partsAlone = func() (any, parts *regexp.Regexp) {
	const (
		lead   = `(?i:(?:sources?|refs?|references?|citations?|cited|see|see also|e\.g\.,?|via|from|available at|retrieved from|accessed at|link|url)\s?:?\s+)`
		page   = `(?i:https?://|www\.)[^\s()\[\]]+(?:\([^\s()\[\]]*\)[^\s()\[\]]*)*`
		domain = `(?i:(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|ai|dev|info|eu|uk|de|fr|example)(?:/[^\s()\[\]]*)?)`
		file   = `[^\s()\[\]]+\.(?i:pdf|md|docx?|txt|html?|xlsx?|pptx?|odt|rtf|epub)(?:[:#][^\s()\[\]]*)?`
		number = `(?i:[0-9]+(?:\.[0-9]+)*[a-z]?|[ivxlc]+|[a-z])\b`
		noun   = `(?i:documents?|docs?\.?|chunks?|excerpts?|sections?|sec\.|chapters?|ch\.|pages?|pp?\.|paragraphs?|para\.|lines?|tables?|figures?|fig\.|appendix|annex|slides?|sheets?|§{1,2})`
		part   = noun + `\s?#?` + number + `(?:\s?(?:[-–,&]|and|to)\s?` + number + `)*`
		name   = `\p{Lu}[\p{L}'’-]+`
		work   = name + `(?:,? et al\.?| (?:and|&) ` + name + `),? (?:1[5-9]|20)[0-9]{2}[a-z]?`
		place  = `(?:` + page + `|` + file + `|` + part + `|` + work + `)`
		next   = `\s?[,;:|]?\s+`
		links  = `\((?:\[[^\[\]\n]{1,120}\]\(` + page + `(?:\s+"[^"\n]*")?\)[,;]?\s?)+\)` // ([example.org](https://…))
	)
	return regexp.MustCompile(links + `|[(\[](?:` + lead + `?` + place + `(?:` + next + place + `)*|` + lead + domain + `)[)\]]|[(\[](?i:sources?|refs?|references?|citations?)\s?:[^()\[\]\n]{1,120}[)\]]|<cite>[0-9,\s\[\]-]{1,30}</cite>`),
		regexp.MustCompile(`^[(\[]` + lead + `?` + part + `(?:` + next + part + `)*[)\]]$`)
}()

// pointersOf are the places of a statement's pointers.
func pointersOf(s string) []ibid.Span {
	first := strings.IndexAny(s, "([<")
	if first < 0 {
		return nil // most have none, and need no search
	}
	var out []ibid.Span
	for _, at := range pointers.FindAllStringIndex(s[first:], -1) {
		if x := (ibid.Span{Start: at[0], End: at[1]}).Shift(first); !strings.HasSuffix(s[:x.Start], "]") { // the address of a link
			out = append(out, x)
		}
	}
	return out
}

// unpointed is a statement with blanks in place of its pointers. A part that the sources speak of, as statutes do of their sections, can be compared, and
// stays.
func (t *turn) unpointed(s string) string {
	return blank(s, slices.DeleteFunc(pointersOf(s), func(at ibid.Span) bool { return partsAlone.MatchString(at.In(s)) && t.tellsOf(at.In(s)) })...)
}

// tellsOf reports whether the sources have a word that a part is named by.
func (t *turn) tellsOf(part string) bool {
	tokens, _ := t.tongue.Scan(part, 0, nil)
	return slices.ContainsFunc(tokens, func(tok token.Token) bool {
		_, ok := t.byKey[tok.Key]
		return ok && tok.Content() && tok.Kind&token.Number == 0
	})
}

// checkPointers names where a statement says that it stands, in pages, files and works that no source has or is.
func (t *turn) checkPointers(s string) []string {
	var out []string
	all := pointersOf(s)
	for _, at := range all[:min(len(all), mostChecked)] {
		p := at.In(s)
		if partsAlone.MatchString(p) || strings.Contains(p, "](") { // links are named by checkLinks
			continue
		}
		p = strings.Trim(strings.NewReplacer("<cite>", "", "</cite>", "").Replace(p), "()[] ")
		if !slices.ContainsFunc(t.passages, func(x ibid.Passage) bool { return strings.Contains(x.Chunk.Text, p) }) {
			out = append(out, fmt.Sprintf("points to %q, which no source has", token.Clip(p, 120)))
		}
	}
	return out
}
