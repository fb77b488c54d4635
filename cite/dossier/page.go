package dossier

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

const pageHead = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>%s</title>
<style>
:root { --ink: #1c1c1c; --paper: #fff; --soft: #5f5f5f; --line: #dcdcdc; --teal: #0b5c5c; --violet: #5b2a86; --red: #a01c1c; --wash: #eef5f5 }
body { max-width: 46rem; margin: 2rem auto 4rem; padding: 0 1rem; font: 17px/1.55 Georgia, serif; color: var(--ink); background: var(--paper) }
h1 { font-size: 1.5rem; margin-bottom: .2rem } h2 { font-size: 1.15rem; margin-top: 2.4rem; border-bottom: 1px solid var(--line) } h3 { font-size: 1.02rem; margin: 1.6rem 0 .4rem }
.head, .small, table, summary::marker { font-family: system-ui, sans-serif; font-size: .82rem; color: var(--soft) }
ul { padding-left: 1.1rem } li { margin: .35rem 0 } a, .num { color: var(--teal); text-decoration: none } a:focus-visible, summary:focus-visible { outline: 2px solid var(--teal) }
details { margin: .5rem 0; padding: .1rem .7rem; border-left: 3px solid var(--line) } details[open] { border-color: var(--teal); background: var(--wash) }
h1, h3, p, li, summary, blockquote { unicode-bidi: plaintext }
summary { cursor: pointer } blockquote { margin: .4rem 0 .6rem; padding-left: .8rem; border-left: 2px solid var(--teal); font-size: .95rem }
.own { color: var(--violet) } .disputed { color: var(--red) } .badge { font-family: system-ui, sans-serif; font-size: .72rem; padding: 0 .4rem; border: 1px solid currentColor; border-radius: 1rem; white-space: nowrap }
table { border-collapse: collapse } td { padding: .15rem 1rem .15rem 0; border-bottom: 1px solid var(--line) } td + td { text-align: right; color: var(--ink) }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #161616; --soft: #a8a8a8; --line: #3a3a3a; --teal: #6cc; --violet: #c9a0f0; --red: #ff9d9d; --wash: #1b2626 } }
@media print { details > * { display: block } body { max-width: none } }
</style></head><body>
`

// html is a page in one file, without a script: each statement is a line that opens to its evidence.
func (r *rendered) html() []byte {
	e := html.EscapeString
	var b bytes.Buffer
	fmt.Fprintf(&b, pageHead, e(r.title()))
	fmt.Fprintf(&b, "<h1>%s</h1>\n<p class=\"head\">%s</p>\n<h2>Executive summary</h2>\n<p>%s</p>\n", e(r.title()), e(r.head()), e(r.overview()))
	var items []string
	for _, s := range r.Summary() {
		items = append(items, fmt.Sprintf("<li>%s %s</li>\n", e(s.Statement), r.pageLinks(s)))
	}
	pageList(&b, "ul", items)
	b.WriteString("<h2>Source citations</h2>\n")
	if len(r.sources) == 0 {
		b.WriteString("<p>" + noSources + "</p>\n")
	}
	items = nil
	for i, s := range r.sources {
		items = append(items, fmt.Sprintf("<li id=\"s%d\">%s <span class=\"small\">%s</span></li>\n", i+1, e(r.plain[s.Source.ID]), e(r.rated(s))))
	}
	pageList(&b, "ol", items)
	b.WriteString("<h2>Evidence analysis</h2>\n")
	for _, q := range r.Questions {
		fmt.Fprintf(&b, "<h3>%d. %s</h3>\n", q.Number, e(q.Text))
		if len(q.Evidence) == 0 {
			fmt.Fprintf(&b, "<p class=\"small\">%s</p>\n", e(noEvidence(q)))
		}
		for _, s := range q.Evidence {
			r.pageEvidence(&b, q, s)
		}
	}
	b.WriteString("<h2>Contradictions</h2>\n")
	if len(r.Contradictions) == 0 {
		b.WriteString("<p>" + noContradictions + "</p>\n")
	}
	for _, c := range r.Contradictions {
		fmt.Fprintf(&b, "<details><summary><span class=\"disputed\">✕</span> %s <span class=\"small\">%s · %s · confidence %.2f</span></summary>\n", e(c.Reason), e(c.Kind), e(c.Severity), c.Confidence)
		r.pagePlaces(&b, []Place{c.A, c.B})
		b.WriteString("</details>\n")
	}
	b.WriteString("<h2>Validation metrics</h2>\n<table>\n")
	for _, m := range r.metrics() {
		fmt.Fprintf(&b, "<tr><td>%s</td><td>%s</td></tr>\n", e(m[0]), e(m[1]))
	}
	b.WriteString("</table>\n</body></html>\n")
	return b.Bytes()
}

func pageList(b *bytes.Buffer, tag string, items []string) {
	if len(items) > 0 {
		fmt.Fprintf(b, "<%s>\n%s</%s>\n", tag, strings.Join(items, ""), tag)
	}
}

func (r *rendered) pageEvidence(b *bytes.Buffer, q Question, s Evidence) {
	e := html.EscapeString
	class := ""
	switch s.Validation {
	case Disputed:
		class = "disputed"
	case Unsupported:
		class = "own"
	}
	fmt.Fprintf(b, "<details id=\"%s\"><summary>%s <span class=\"num\">%s</span> <span class=\"badge %s\">%s</span></summary>\n", e(s.ID), e(s.Statement), e(r.signs(s)), class, e(string(s.Validation)))
	fmt.Fprintf(b, "<p class=\"small\">%s</p>\n", e(about(s)))
	r.pagePlaces(b, s.Places)
	if len(s.Places) == 0 {
		b.WriteString("<p class=\"small\">No source says so: the model's own words.</p>\n")
	}
	if q.Answer != "" {
		fmt.Fprintf(b, "<p class=\"small\"><code>ibid show %s %d</code></p>\n", e(short(q.Answer)), s.Segment)
	}
	b.WriteString("</details>\n")
}

func (r *rendered) pagePlaces(b *bytes.Buffer, places []Place) {
	e := html.EscapeString
	for _, p := range places {
		link := ""
		if n := r.numbers[p.Source]; n > 0 {
			link = fmt.Sprintf("<a href=\"#s%d\">[%d]</a> ", n, n)
		}
		fmt.Fprintf(b, "<blockquote>%s<br><span class=\"small\">%s%s</span></blockquote>\n", e(oneLine(p.Quote)), link, e(r.place(p)))
	}
}

func (r *rendered) pageLinks(s Evidence) string {
	var out []string
	for _, n := range r.cites(s) {
		out = append(out, fmt.Sprintf(`<a href="#%s">[%d]</a>`, html.EscapeString(s.ID), n))
	}
	return strings.Join(out, " ")
}

func (r *rendered) signs(s Evidence) string {
	if len(s.Places) == 0 {
		return "◇"
	}
	var out []string
	for _, n := range r.cites(s) {
		out = append(out, fmt.Sprintf("[%d]", n))
	}
	return strings.Join(out, " ")
}
