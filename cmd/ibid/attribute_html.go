package main

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// The report as a page: prose first, its evidence beside it, one step away by a link. It holds no script and fetches
// nothing, so it can be sent, printed and kept.

type reportPage struct {
	Runs    []pageRun
	Shares  string
	Percent int
	Claims  bool
	Sources []pageSource
	Notes   []pageNote
}

// pageRun is a stretch of the answer: plain text between segments, or a segment.
type pageRun struct {
	Text  string // between segments
	Note  int    // number of the segment, 0 for text between
	Class string
	Parts []pagePart
	Signs string
	Title string
}

// pagePart is a stretch of a segment, underlined where no source has it or one denies it.
type pagePart struct {
	Text  string
	Class string
}

type pageSource struct {
	Number  int
	Title   string
	Locator string
	Quotes  []pageQuote
}

type pageQuote struct {
	Strength              string
	Locator               string
	Before, Quote, Behind string
	Segments              []int
}

type pageNote struct {
	Number  int
	Text    string
	Signs   string
	Origin  ibid.Origin
	Words   string
	Claimed string
	Reasons []string
}

func writeHTML(w io.Writer, answer ibid.Answer) error {
	return reportTemplate.Execute(w, newReportPage(answer))
}

func newReportPage(answer ibid.Answer) reportPage {
	shares := answer.Shares()
	page := reportPage{Shares: shareLine(answer), Percent: int(shares.Sources*100 + 0.5), Claims: shares.Sources+shares.Model > 0}
	at := 0
	for i, s := range answer.Segments {
		if s.At.Start > at {
			page.Runs = append(page.Runs, pageRun{Text: answer.Text[at:s.At.Start]})
		}
		at = max(at, s.At.End)
		page.Runs = append(page.Runs, segmentRun(answer, s, i+1))
		page.Notes = append(page.Notes, noteOf(answer, s, i+1))
	}
	if at < len(answer.Text) {
		page.Runs = append(page.Runs, pageRun{Text: answer.Text[at:]})
	}
	page.Sources = sourcesOf(answer)
	return page
}

func segmentRun(answer ibid.Answer, s ibid.Segment, n int) pageRun {
	r := pageRun{Note: n, Class: classOf(s), Signs: signs(s, answer.Numbers(s)), Title: words(s)}
	class := "open"
	if len(s.Contradicted) > 0 {
		class = "denied"
	}
	at := s.At.Start
	for _, u := range underlined(s) {
		r.Parts = append(r.Parts, pagePart{answer.Text[at:u.Start], ""}, pagePart{u.In(answer.Text), class})
		at = u.End
	}
	r.Parts = append(r.Parts, pagePart{answer.Text[at:s.At.End], ""})
	return r
}

func classOf(s ibid.Segment) string {
	if s.Origin == ibid.NONE {
		return "none"
	}
	class := strings.ToLower(string(s.Origin))
	if len(s.Contradicted) > 0 {
		class = "denied"
	}
	return class + " " + ibid.Strength(s.Confidence)
}

// words says in words what the signs say.
func words(s ibid.Segment) string {
	switch {
	case s.Origin == ibid.NONE:
		return "makes no claim"
	case len(s.Contradicted) > 0:
		return "contradicted, " + ibid.Strength(s.Confidence)
	case s.Origin == ibid.RAG:
		return "from a source, " + ibid.Strength(s.Confidence)
	case s.Origin == ibid.HYBRID:
		return "part source, part model, " + ibid.Strength(s.Confidence)
	}
	return "the model's own, " + ibid.Strength(s.Confidence)
}

func noteOf(answer ibid.Answer, s ibid.Segment, n int) pageNote {
	note := pageNote{Number: n, Text: excerpt(s.At.In(answer.Text), 120), Signs: signs(s, answer.Numbers(s)), Origin: s.Origin, Words: fmt.Sprintf("%s (%.2f)", words(s), s.Confidence), Reasons: s.Reasons}
	if c := s.Claimed; c != nil {
		note.Claimed = string(c.Origin)
		for _, r := range c.Refs {
			note.Claimed += fmt.Sprintf(" [%d]", r)
		}
		for _, r := range c.Dangling {
			note.Claimed += fmt.Sprintf(" [%d] does not exist", r)
		}
	}
	return note
}

// sourcesOf lists the cited places by source, each with a little of the text around it.
func sourcesOf(answer ibid.Answer) []pageSource {
	const around = 160
	var out []pageSource
	for _, c := range answer.Citations {
		src := sourceOf(answer, c.Source)
		i := slices.IndexFunc(out, func(s pageSource) bool { return s.Number == c.Number })
		if i < 0 {
			out = append(out, pageSource{Number: c.Number, Title: titleOrID(src)})
			i = len(out) - 1
		}
		q := pageQuote{Strength: ibid.Strength(c.Confidence), Locator: c.Locator, Quote: c.Quote}
		for _, p := range answer.Passages {
			if p.Chunk.At.Document == c.At.Document {
				q.Before, q.Behind = surroundings(p.Chunk.Text, c.At.Span.Shift(-p.Chunk.At.Span.Start), around)
			}
		}
		for n, s := range answer.Segments {
			if slices.ContainsFunc(answer.Evidence(s), func(at ibid.Attribution) bool { return at.To == c.At }) {
				q.Segments = append(q.Segments, n+1)
			}
		}
		out[i].Quotes = append(out[i].Quotes, q)
	}
	slices.SortFunc(out, func(a, b pageSource) int { return a.Number - b.Number })
	return out
}

// surroundings gives the text before and behind a span, cut at characters.
func surroundings(text string, at ibid.Span, n int) (before, behind string) {
	from, to := max(0, at.Start-n), min(len(text), at.End+n)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	before, behind = text[from:at.Start], text[at.End:to]
	if from > 0 {
		before = "…" + before
	}
	if to < len(text) {
		behind += "…"
	}
	return before, behind
}

var reportTemplate = template.Must(template.New("report").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Where this answer comes from</title>
<style>
:root { --paper: #fff; --ink: #1c1917; --soft: #57534e; --rule: #e7e5e4; --rag: #0f766e; --llm: #6d28d9; --denied: #b91c1c; --mark: #ccfbf1 }
@media (prefers-color-scheme: dark) { :root { --paper: #171412; --ink: #f5f5f4; --soft: #a8a29e; --rule: #3f3a36; --rag: #5eead4; --llm: #c4b5fd; --denied: #fca5a5; --mark: #134e4a } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 Charter, "Bitstream Charter", Georgia, serif }
main { display: grid; grid-template-columns: minmax(0, 68ch) minmax(0, 52ch); gap: 3rem; max-width: 125ch; margin: 2rem auto; padding: 0 1.5rem }
@media (max-width: 60rem) { main { grid-template-columns: 1fr } }
aside, footer, table { font: 14px/1.5 system-ui, sans-serif }
.answer { white-space: pre-wrap; overflow-wrap: anywhere }
.answer, td, blockquote { unicode-bidi: plaintext } /* each paragraph runs as its own words do */
.answer a { text-decoration: none; color: inherit; border-radius: 3px }
.answer a:hover, .answer a:focus-visible, :target { background: var(--mark); outline: 2px solid var(--rag); outline-offset: 1px }
.rag sup, .hybrid sup { color: var(--rag) } .llm sup { color: var(--llm) } .denied sup { color: var(--denied) }
.answer .llm { color: var(--llm) } .answer .denied { color: var(--denied) }
.answer .rag { color: var(--rag) } .answer .hybrid { color: var(--rag) }
.weak { opacity: .8 }
.part-open { text-decoration: underline dotted } .part-denied { text-decoration: underline wavy }
sup { font-size: .75em; line-height: 0; margin-left: .1em }
h1, h2 { font: 600 14px/1.4 system-ui, sans-serif; color: var(--soft); margin: 1.5rem 0 .5rem }
blockquote { margin: .5rem 0 1rem; padding-left: 1rem; border-left: 3px solid var(--rule); overflow-wrap: anywhere }
mark { background: var(--mark); color: inherit }
.bar { height: 8px; border-radius: 4px; background: var(--llm); overflow: hidden } .bar i { display: block; height: 100%; background: var(--rag) }
.soft { color: var(--soft) }
table { border-collapse: collapse; width: 100%; grid-column: 1 / -1 } td, th { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-top: 1px solid var(--rule) }
ul { margin: 0; padding-left: 1.1rem }
</style>
</head>
<body>
<main>
<article>
<h1>Answer</h1>
<div class="answer">{{range .Runs}}{{if .Note}}<a class="{{.Class}}" href="#note-{{.Note}}" id="segment-{{.Note}}" title="{{.Title}}">{{range .Parts}}{{if .Class}}<span class="part-{{.Class}}">{{.Text}}</span>{{else}}{{.Text}}{{end}}{{end}}{{with .Signs}}<sup>{{.}}</sup>{{end}}</a>{{else}}{{.Text}}{{end}}{{end}}</div>
<h2>Shares</h2>
{{if .Claims}}<div class="bar" role="img" aria-label="{{.Shares}}"><i style="width: {{.Percent}}%"></i></div>{{end}}
<p class="soft">{{.Shares}}</p>
</article>
<aside>
<h2>Sources</h2>
{{range .Sources}}<section id="source-{{.Number}}"><b>{{.Number}}. {{.Title}}</b>
{{range .Quotes}}<blockquote><span class="soft">{{.Strength}}{{with .Locator}} · {{.}}{{end}} · for {{range .Segments}}<a href="#segment-{{.}}">{{.}}</a> {{end}}</span><br>{{.Before}}<mark>{{.Quote}}</mark>{{.Behind}}</blockquote>
{{end}}</section>
{{else}}<p class="soft">No source supports any of it.</p>
{{end}}</aside>
<table>
<caption class="soft">Every segment and the reasons for its origin</caption>
<thead><tr><th>#</th><th>Segment</th><th>Found</th><th>Claimed</th><th>Why</th></tr></thead>
<tbody>
{{range .Notes}}<tr id="note-{{.Number}}"><td><a href="#segment-{{.Number}}">{{.Number}}</a></td><td>{{.Text}}{{with .Signs}}<sup>{{.}}</sup>{{end}}</td><td>{{.Origin}}, {{.Words}}</td><td>{{.Claimed}}</td><td><ul>{{range .Reasons}}<li>{{.}}</li>{{end}}</ul></td></tr>
{{end}}</tbody>
</table>
<footer class="soft">Attribution says where words come from, not whether they are true.</footer>
</main>
</body>
</html>
`))
