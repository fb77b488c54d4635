package csl

import (
	"encoding/json"
	"strings"

	"github.com/ibid-dev/ibid"
)

// item is a reference made ready for rendering.
type item struct {
	ref   *ibid.Reference
	id    string
	order int // in which it came
	text  map[string]string
	owned bool // text is a copy
	names map[string][]*name
	dates map[string]*date
	lang  string

	number    int // citation-number
	config    *ambiguity
	firstNote int
	cited     bool
}

// aliases are other spellings of variables, met in data of older programs.
var aliases = map[string]string{"shortTitle": "title-short", "journalAbbreviation": "container-title-short", "page-range": "page", "event": "event-title"}

func newItem(ref *ibid.Reference, order int) *item {
	it := &item{ref: ref, id: ref.ID, order: order, text: ref.Text, lang: ref.Text["language"]}
	for from, to := range aliases {
		v := ref.Text[from]
		if v == "" {
			continue
		}
		if ref.Text[to] == "" {
			it.own()[to] = v
		}
	}
	for k, v := range ref.Text {
		if line := oneLine(v); k != "note" && line != v {
			it.own()[k] = line
		}
	}
	for k, raw := range ref.Extra {
		// Some services give texts as lists: "title": ["…"].
		var list []string
		if ref.Text[k] == "" && json.Unmarshal(raw, &list) == nil && len(list) > 0 {
			it.own()[k] = list[0]
		}
	}
	it.names = make(map[string][]*name, len(ref.Names))
	for k, list := range ref.Names {
		it.names[k] = makeNames(list)
	}
	it.dates = make(map[string]*date, len(ref.Dates))
	for k, d := range ref.Dates {
		if made := makeDate(d); made != nil {
			it.dates[k] = made
		}
	}
	readNote(it)
	return it
}

// oneLine takes line ends out of a field: an entry is one line.
func oneLine(s string) string {
	if strings.ContainsAny(s, "\n\t\r") {
		return strings.Join(strings.Fields(s), " ")
	}
	return s
}

// own gives a map of text that may be written to.
func (it *item) own() map[string]string {
	if !it.owned {
		it.owned = true
		m := make(map[string]string, len(it.ref.Text)+2)
		for k, v := range it.ref.Text {
			m[k] = v
		}
		it.text = m
	}
	return it.text
}

// readNote takes variables out of a note, where programs without a field for them keep them:
// "{:original-date: 1900}", or whole lines "original-date: 1900".
func readNote(it *item) {
	note := it.text["note"]
	if note == "" || !strings.Contains(note, ":") {
		return
	}
	for line := range strings.SplitSeq(note, "\n") {
		field, value, ok := strings.Cut(line, ":")
		if !ok || !noteField(field) {
			break
		}
		it.set(field, strings.TrimSpace(value))
	}
	for {
		start := strings.Index(note, "{:")
		if start < 0 {
			return
		}
		end := strings.IndexByte(note[start:], '}')
		if end < 0 {
			return
		}
		field, value, ok := strings.Cut(note[start+2:start+end], ":")
		note = note[start+end:]
		if !ok {
			continue
		}
		it.set(strings.TrimSpace(field), strings.TrimSpace(value))
	}
}

// noteField reports whether a line of a note can be a field: a variable's name in small letters.
func noteField(s string) bool {
	if ibid.IsDateVariable(s) || ibid.IsNameVariable(s) {
		return true
	}
	_, known := noteFields[s]
	return known
}

var noteFields = makeSet(`annote archive archive_collection archive_location archive-place authority call-number chapter-number citation-key
collection-number collection-title collection-title-short container-title container-title-short dimensions division edition event-place
event-title genre issue jurisdiction locator medium number number-of-pages number-of-volumes original-publisher
original-publisher-place original-title page part-number part-title printing-number publisher publisher-place references
reviewed-genre reviewed-title scale section source status supplement-number title-short version volume volume-title volume-title-short
PMID PMCID DOI ISBN ISSN`)

// set gives the item a variable from its note. Fields of its own win over text.
func (it *item) set(field, value string) {
	switch {
	case value == "":
	case ibid.IsDateVariable(field):
		if d := makeDate(ibid.Date{Raw: value}); d != nil {
			it.dates[field] = d
		}
	case ibid.IsNameVariable(field):
		family, given, _ := strings.Cut(value, "||")
		n := ibid.Name{Family: strings.TrimSpace(family), Given: strings.TrimSpace(given)}
		if n.Given == "" {
			n = ibid.Name{Literal: n.Family}
		}
		it.names[field] = append(it.names[field], makeNames([]ibid.Name{n})...)
	case it.text[field] == "":
		it.own()[field] = value
	}
}
