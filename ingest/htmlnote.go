package ingest

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/ibid-dev/ibid"
)

// noteKind is what a link to or from a note is.
type noteKind int8

const (
	noNote   noteKind = iota
	noteMark          // the number of a note, where it is referred to
	noteBack          // the way back
	noteLink          // a link that is the number of a note if it is raised
)

func (p *htmlParser) beginNote(e *element, a attributes) {
	if e.drop {
		return
	}
	e.at = int32(len(p.page.text))
	e.raised = e.tag == atom.Sup || a.raised || hasAny(a.class, p.lifts)
	switch {
	case e.tag != atom.A:
	case a.means("noteref") || hasWord(a.class, "footnote-ref"):
		e.note = noteMark
	case a.means("backlink") || hasWord(a.class, "footnote-back", "footnote-backref"):
		e.note = noteBack
	case strings.Contains(a.hrefText, "#"):
		e.note = noteLink
	}
}

func hasAny(list string, words map[string]bool) bool {
	return len(words) > 0 && slices.ContainsFunc(strings.Fields(list), func(w string) bool { return words[w] })
}

// addLifts adds the classes that a style sheet raises to others: those of rules for a class alone, or for a tag with a class.
func addLifts(lifts map[string]bool, css string) {
	const long, most = 1 << 20, 1000
	css = css[:min(len(css), long)]
	for len(lifts) < most {
		rule, rest, ok := strings.Cut(css, "}")
		if !ok {
			return
		}
		css = rest
		open := strings.LastIndexByte(rule, '{') // of those within a query of the medium, the last
		if open < 0 || !strings.Contains(strings.ToLower(strings.ReplaceAll(rule[open:], " ", "")), "vertical-align:super") {
			continue
		}
		names := rule[:open]
		names = names[strings.LastIndexAny(names, "{;/")+1:]
		for _, name := range strings.Split(names, ",") {
			tag, class, _ := strings.Cut(strings.TrimSpace(name), ".")
			if class != "" && !strings.ContainsAny(tag+class, " .:>+~[#") {
				lifts[class] = true
			}
		}
	}
}

// endNote puts the number of a note into brackets, so that it is not read as part of the word before it, and takes off
// arrows that lead back. What is raised and no link is kept until the run is whole: what follows helps to decide.
func (p *htmlParser) endNote(e *element) {
	const long = 64
	if e.note == noNote && !e.raised || e.at < p.run.start || p.run.end <= e.at || p.run.end > e.at+long {
		return
	}
	at := int(e.at)
	if p.page.text[at] == ' ' {
		at++
	}
	s := strings.Trim(string(p.page.text[at:p.run.end]), " \n[]()")
	switch {
	case e.note == noteBack && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		p.page.text = p.page.text[:e.at]
		p.lower(at)
	case e.note == noteMark && s != "" && len(s) < 20, e.note == noteLink && isNoteSign(s) && (e.raised || p.isRaised(at)):
		p.page.text = append(append(append(p.page.text[:at], '['), s...), ']')
		p.lower(at)
	case e.raised:
		p.lower(at) // <sup> within it
		p.raised = append(p.raised, ibid.Span{Start: at, End: len(p.page.text)})
	}
	p.run.end = int32(len(p.page.text))
}

// isRaised reports whether all text from a place on is raised, by an element within or around it.
func (p *htmlParser) isRaised(from int) bool {
	for i := len(p.open) - 2; i > 0 && p.open[i].node == nil; i-- {
		if p.open[i].raised {
			return true
		}
	}
	n := len(p.raised)
	return n > 0 && p.raised[n-1] == ibid.Span{Start: from, End: int(p.run.end)}
}

// lower forgets what is raised from a place on.
func (p *htmlParser) lower(from int) {
	for n := len(p.raised); n > 0 && p.raised[n-1].Start >= from; n-- {
		p.raised = p.raised[:n-1]
	}
}

// bracketRaised puts the raised numbers of notes in the run into brackets, and moves the places behind them along.
func (p *htmlParser) bracketRaised() {
	if len(p.raised) == 0 {
		return
	}
	const near = 64 // bytes that are looked at on each side
	start := int(p.run.start)
	run := string(p.page.text[start:p.run.end])
	text := p.page.text[:start]
	spans, moved := joined(p.raised), make([]int32, len(p.raised)) // how far what follows each is moved
	from := 0
	for i, r := range spans {
		at, end := r.Start-start, r.End-start
		text = append(text, run[from:at]...)
		opens := at == 0 || run[at-1] == '\n'
		text = append(text, bracketed(run[max(0, at-near):at], run[at:end], run[end:min(len(run), end+near)], opens)...)
		moved[i] = int32(len(text) - start - end)
		from = end
	}
	p.page.text = append(text, run[from:]...)
	p.run.end = int32(len(p.page.text))
	move := func(at *int32) {
		if i, _ := slices.BinarySearchFunc(spans, int(*at), func(s ibid.Span, at int) int { return s.End - at - 1 }); i > 0 {
			*at += moved[i-1]
		}
	}
	for _, id := range p.placed {
		at := p.page.ids[id]
		move(&at)
		p.page.ids[id] = at
	}
	for i := len(p.page.pages) - 1; i >= 0 && int(p.page.pages[i].at) >= start; i-- {
		move(&p.page.pages[i].at)
	}
}

// joined makes one of spans that touch: <sup>1</sup><sup>2</sup> is 12, or 1,2 where a comma is between them.
func joined(spans []ibid.Span) []ibid.Span {
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; last.End == s.Start {
			last.End = s.End
			continue
		}
		out = append(out, s)
	}
	return out
}
