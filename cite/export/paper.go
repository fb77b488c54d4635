package export

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/cite/csl"
)

// paper is an answer set in a style: running text with citations, notes with the words of the sources, bibliography.
type paper struct {
	*cited
	runs    []run
	entries []csl.Entry
	hanging bool // the first line of an entry stands out
	notes   bool // citations stand in notes, not in the text
}

// run is a piece of the answer's text, with what follows it.
type run struct {
	text     string
	kind     ibid.Kind
	citation string          // rendered, for the text or for the note
	quotes   []ibid.Citation // the evidence
	note     int             // number of the note, 0 for none
	sign     string          // ◐ mixed, ◇ the model's own, ✕ contradicted
}

func newPaper(c *cited, style Style, f csl.Format) (*paper, error) {
	if style.Style == nil {
		s, err := csl.NewLibrary().Style(DefaultStyle)
		if err != nil {
			return &paper{cited: c}, err
		}
		style.Style = s
	}
	p := &paper{cited: c, notes: style.Style.Class == "note"}
	doc, err := csl.NewDocument(style.Style, csl.Options{Locale: style.Locale, Locales: style.Locales, Items: c.refs})
	if err != nil {
		return p, err
	}
	at := 0
	var clusters []int // index of the run of each cluster
	for _, s := range c.answer.Segments {
		p.runs = append(p.runs, run{text: c.answer.Text[at:s.At.Start]})
		at = s.At.End
		r := run{text: s.At.In(c.answer.Text), kind: s.Kind, quotes: c.citations(s), sign: sign(s)}
		if len(r.quotes) > 0 {
			cluster := c.cluster(r.quotes)
			r.note = len(clusters) + 1
			if p.notes {
				cluster.Note = r.note
			}
			doc.Cite(cluster)
			clusters = append(clusters, len(p.runs))
		}
		p.runs = append(p.runs, r)
	}
	p.runs = append(p.runs, run{text: c.answer.Text[at:]})
	for i, s := range doc.Citations(f) {
		p.runs[clusters[i]].citation = s
	}
	b, err := doc.Bibliography(f)
	if errors.Is(err, csl.ErrNoBibliography) {
		return p, nil
	}
	p.entries, p.hanging = b.Entries, b.Params.HangingIndent
	return p, err
}

func sign(s ibid.Segment) string {
	switch {
	case len(s.Contradicted) > 0:
		return "✕"
	case s.Origin == ibid.HYBRID:
		return "◐"
	case s.Origin == ibid.LLM:
		return "◇"
	}
	return ""
}

// legend explains the signs that the text has.
func (p *paper) legend() string {
	var out []string
	for _, l := range [][2]string{{"◐", "in part from a source"}, {"◇", "the model's own words"}, {"✕", "a source says otherwise"}} {
		if slices.ContainsFunc(p.runs, func(r run) bool { return r.sign == l[0] }) {
			out = append(out, l[0]+" "+l[1])
		}
	}
	return strings.Join(out, " · ")
}

// asides are what is to be known of the text, below it: that it has no end, for half an answer reads like a whole one; and what its
// signs mean.
func (p *paper) asides() (out []string) {
	if why := oneLine(p.answer.Incomplete); why != "" {
		out = append(out, "Incomplete: "+why)
	}
	if l := p.legend(); l != "" {
		out = append(out, l)
	}
	return out
}

// split parts a run around what is added to it: its citation in the text stands behind the first part, its note and sign behind the
// second. A citation comes before the full stop, or behind all of it for raised numbers; whatever is added to the row of a table comes
// before its last bar, to a heading before the line under it, and to a block of code below it: anywhere else it would undo them.
func (r run) split() (before, stop, tail string) {
	text := r.text
	cut := len(text)
	switch {
	case r.note == 0 && r.sign == "":
	case r.kind == ibid.Code:
		return strings.TrimSuffix(text, "\n") + "\n", "", ""
	case r.kind == ibid.TableRow:
		head, _, _ := strings.Cut(text, "\n") // the line below it says how columns are set
		before = strings.TrimRight(strings.TrimSuffix(head, "|"), " ")
		return before, "", text[len(before):]
	case r.kind == ibid.Heading && strings.Contains(text, "\n"):
		cut = strings.LastIndex(text, "\n")
		return text[:cut], "", text[cut:]
	case strings.HasPrefix(r.citation, "<sup>"):
	case strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "..") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?"):
		cut--
	}
	return text[:cut], text[cut:], ""
}

// gap stands between the text and its citation.
func (r run) gap() string {
	if strings.HasPrefix(r.citation, "<sup>") || r.kind == ibid.Code {
		return ""
	}
	return " "
}

func (p *paper) markdown() []byte {
	var b bytes.Buffer
	if p.answer.Question != "" {
		fmt.Fprintf(&b, "# %s\n\n", csl.EscapeMarkdown(oneLine(p.answer.Question)))
	}
	for _, r := range p.runs {
		if r.kind == ibid.Code {
			r.text = closed(r.text)
		}
		before, stop, tail := r.split()
		switch {
		case r.note == 0:
			b.WriteString(before + stop)
		case p.notes:
			fmt.Fprintf(&b, "%s%s[^%d]", before, stop, r.note)
		default:
			b.WriteString(before + r.gap() + r.citation + stop)
		}
		b.WriteString(r.sign + tail)
	}
	b.WriteString("\n")
	for _, l := range p.asides() {
		fmt.Fprintf(&b, "\n%s\n", csl.EscapeMarkdown(l))
	}
	if p.notes {
		b.WriteString("\n")
		for _, r := range p.runs {
			if r.note > 0 {
				fmt.Fprintf(&b, "[^%d]: %s\n", r.note, noted(r.citation, r.quotes, csl.EscapeMarkdown))
			}
		}
	}
	if len(p.entries) > 0 {
		b.WriteString("\n## Sources\n\n")
		for _, e := range p.entries {
			fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(e.Text))
		}
	}
	if !p.notes {
		p.markdownEvidence(&b)
	}
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
}

// closed ends a block of code that the answer left open, as one that was cut off does: what is written below it is no code.
func closed(block string) string {
	fence := fenced.FindString(block)
	if fence == "" {
		return block
	}
	last := strings.TrimSpace(block[strings.LastIndex(block, "\n")+1:])
	if strings.Contains(block, "\n") && strings.HasPrefix(last, fence) && strings.Trim(last, fence[:1]) == "" {
		return block
	}
	return block + "\n" + fence
}

var fenced = regexp.MustCompile("^(?:`{3,}|~{3,})")

// markdownEvidence lists the words that the answer rests on, by the number of their source.
func (p *paper) markdownEvidence(b *bytes.Buffer) {
	lines := p.evidence()
	if len(lines) == 0 {
		return
	}
	b.WriteString("## Evidence\n\n")
	for _, c := range lines {
		fmt.Fprintf(b, "- %s: %s\n", csl.EscapeMarkdown(place(p.title(c), c.Locator)), csl.EscapeMarkdown(quoted(c.Quote)))
	}
}

// evidence is each cited place once, in the order of numbers.
func (p *paper) evidence() []ibid.Citation {
	var out []ibid.Citation
	for _, c := range p.answer.Citations {
		if p.ids[c.Source] != "" && c.Quote != "" {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(x, y ibid.Citation) int { return x.Number - y.Number })
	return out
}

func (p *paper) title(c ibid.Citation) string {
	for _, s := range p.sources {
		if s.ID == c.Source {
			return cite.PlainTitle(s)
		}
	}
	return ""
}

func place(title, locator string) string {
	if locator == "" {
		return title
	}
	return title + ", " + oneLine(locator)
}

func quoted(s string) string { return "“" + oneLine(s) + "”" }

// noted is the text of a note: the citation, and the words that it rests on.
func noted(citation string, all []ibid.Citation, escape func(string) string) string {
	out := []string{citation}
	for _, c := range all {
		if c.Quote != "" {
			out = append(out, escape(quoted(c.Quote)))
		}
	}
	return strings.Join(out, " ")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

const pageHead = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>%s</title>
<style>
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 17px/1.55 Georgia, serif; color: #1c1c1c; background: #fff }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
h1, li, q, .answer, .csl-entry { unicode-bidi: plaintext }
.answer { white-space: pre-wrap } .legend, .notes, .evidence { font-size: .9rem } .csl-entry { margin: .5rem 0; overflow-wrap: anywhere }
.hanging .csl-entry { padding-left: 2rem; text-indent: -2rem } .csl-left-margin { float: left; min-width: 2.5rem } .csl-right-inline { margin-left: 2.5rem }
.sign { color: #5b2a86 } a { color: #0b5c5c } @media (prefers-color-scheme: dark) { body { color: #e8e8e8; background: #161616 } a { color: #6cc } .sign { color: #c9a0f0 } }
</style></head><body>
`

func (p *paper) html() []byte {
	var b bytes.Buffer
	title := oneLine(p.answer.Question)
	if title == "" {
		title = "Answer"
	}
	fmt.Fprintf(&b, pageHead, html.EscapeString(title))
	fmt.Fprintf(&b, "<h1>%s</h1>\n<div class=\"answer\">", html.EscapeString(title))
	for _, r := range p.runs {
		before, stop, tail := r.split()
		b.WriteString(html.EscapeString(before))
		if r.note > 0 && !p.notes {
			b.WriteString(r.gap() + `<span class="citation">` + r.citation + `</span>`)
		}
		b.WriteString(html.EscapeString(stop))
		if r.note > 0 && p.notes {
			fmt.Fprintf(&b, `<sup><a id="ref%d" href="#note%d">%d</a></sup>`, r.note, r.note, r.note)
		}
		if r.sign != "" {
			b.WriteString(`<span class="sign">` + r.sign + `</span>`)
		}
		b.WriteString(html.EscapeString(tail))
	}
	b.WriteString("</div>\n")
	for _, l := range p.asides() {
		fmt.Fprintf(&b, "<p class=\"legend\">%s</p>\n", html.EscapeString(l))
	}
	if p.notes && slices.ContainsFunc(p.runs, func(r run) bool { return r.note > 0 }) {
		b.WriteString("<h2>Notes</h2>\n<ol class=\"notes\">\n")
		for _, r := range p.runs {
			if r.note > 0 {
				fmt.Fprintf(&b, "<li id=\"note%d\">%s <a href=\"#ref%d\">↩</a></li>\n", r.note, noted(linked(r.citation), r.quotes, html.EscapeString), r.note)
			}
		}
		b.WriteString("</ol>\n")
	}
	p.htmlSources(&b)
	b.WriteString("</body></html>\n")
	return b.Bytes()
}

// linked makes links of the addresses in an entry.
func linked(entry string) string {
	return address.ReplaceAllStringFunc(entry, func(s string) string {
		link := endOfAddress(s)
		return `<a href="` + link + `">` + link + "</a>" + s[len(link):]
	})
}

var (
	address     = regexp.MustCompile(`https?://[^\s<>"]+`)
	escapedSign = regexp.MustCompile(`&#?[0-9a-z]+;$`)
)

// endOfAddress leaves off the signs that end a sentence, and a bracket that the address did not open.
func endOfAddress(s string) string {
	for {
		end := strings.TrimRight(s, ".,:!?’”»")
		switch {
		case strings.HasSuffix(end, ";") && !escapedSign.MatchString(end):
			end = end[:len(end)-1]
		case strings.HasSuffix(end, ")") && strings.Count(end, ")") > strings.Count(end, "("):
			end = end[:len(end)-1]
		}
		if end == s {
			return s
		}
		s = end
	}
}

// htmlSources lists the bibliography, where the style has one, and the evidence. Each work has its COinS, so that reference managers see it.
func (p *paper) htmlSources(b *bytes.Buffer) {
	if len(p.entries) > 0 {
		class := "csl-bib-body"
		if p.hanging {
			class += " hanging"
		}
		fmt.Fprintf(b, "<h2>Sources</h2>\n<div class=\"%s\">\n", class)
		for _, e := range p.entries {
			fmt.Fprintf(b, "<div class=\"csl-entry\">%s</div>\n", linked(strings.TrimSpace(e.Text)))
		}
		b.WriteString("</div>\n")
	}
	for _, r := range p.refs {
		b.WriteString(cite.COinS(r) + "\n")
	}
	if lines := p.evidence(); len(lines) > 0 && !p.notes {
		b.WriteString("<h2>Evidence</h2>\n<ul class=\"evidence\">\n")
		for _, c := range lines {
			fmt.Fprintf(b, "<li>%s: <q>%s</q></li>\n", html.EscapeString(place(p.title(c), c.Locator)), html.EscapeString(oneLine(c.Quote)))
		}
		b.WriteString("</ul>\n")
	}
}
