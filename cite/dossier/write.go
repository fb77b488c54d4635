package dossier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/cite/bib"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/export"
)

// Formats lists what a dossier can be written as.
func Formats() []string { return []string{"markdown", "html", "docx", "json"} }

// Forms lists the three forms of citation that need no name of a style.
func Forms() []string { return []string{"informal", "academic", "technical"} }

// FormOf tells a form from the name of a citation style: one of the two that it gives is empty.
func FormOf(style string) (form, named string) {
	if slices.Contains(Forms(), style) {
		return style, ""
	}
	return "", style
}

// Write writes a study as a dossier. Sources are cited in one of the three forms, informal, academic (APA) or technical
// (IEEE), or, where set has a style, in that. The error wraps ibid.ErrInvalid where there is no such format or form.
func Write(s Study, format, form string, set export.Style) (export.File, error) {
	r, err := render(s, form, set)
	if err != nil {
		return export.File{}, err
	}
	switch format {
	case "markdown", "md":
		return export.File{Body: r.markdown(), MediaType: "text/markdown; charset=utf-8", Extension: ".md"}, nil
	case "html":
		return export.File{Body: r.html(), MediaType: "text/html; charset=utf-8", Extension: ".html"}, nil
	case "docx":
		body, err := export.Word(r.title(), s.UpdatedAt, r.word())
		return export.File{Body: body, MediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", Extension: ".docx"}, err
	case "json":
		body, err := r.json()
		return export.File{Body: body, MediaType: "application/json", Extension: ".json"}, err
	}
	return export.File{}, fmt.Errorf("dossier as %q: choose one of %s: %w", format, strings.Join(Formats(), ", "), ibid.ErrInvalid)
}

// rendered is a study with its sources set in a style, and a number for each source.
type rendered struct {
	Study
	form    string
	sources []Source // cited ones, most credible first
	numbers map[ibid.SourceID]int
	entries map[ibid.SourceID]string // the source as the style cites it, in Markdown
	plain   map[ibid.SourceID]string // the same in plain text
}

func render(s Study, form string, set export.Style) (*rendered, error) {
	r := &rendered{Study: s, form: form, numbers: map[ibid.SourceID]int{}, entries: map[ibid.SourceID]string{}, plain: map[ibid.SourceID]string{}}
	r.sources = s.cited()
	Order(r.sources)
	for i, src := range r.sources {
		r.numbers[src.Source.ID] = i + 1
	}
	switch {
	case set.Style != nil:
		r.form = set.Style.Info.Title
	case form == "informal" || form == "":
		r.form = "informal"
		for _, src := range r.sources {
			text := informal(src.Source)
			r.plain[src.Source.ID] = text
			r.entries[src.Source.ID] = escape(text)
		}
		return r, nil
	case form == "academic" || form == "technical":
		name := map[string]string{"academic": "apa", "technical": "ieee"}[form]
		style, err := csl.NewLibrary().Style(name)
		if err != nil {
			return nil, err
		}
		set.Style = style
	default:
		return nil, fmt.Errorf("form of citation %q: choose one of %s, or a citation style: %w", form, strings.Join(Forms(), ", "), ibid.ErrInvalid)
	}
	if err := r.set(set, csl.Markdown, r.entries); err != nil {
		return nil, err
	}
	return r, r.set(set, csl.Text, r.plain)
}

// set writes the sources in a style.
func (r *rendered) set(set export.Style, as csl.Format, into map[ibid.SourceID]string) error {
	var refs []ibid.Reference
	for _, src := range r.sources {
		refs = append(refs, export.Record(src.Source))
	}
	refs = bib.UniqueIDs(refs)
	doc, err := csl.NewDocument(set.Style, csl.Options{Locale: set.Locale, Locales: set.Locales, Items: refs})
	if err != nil {
		return err
	}
	byID := map[string]ibid.SourceID{}
	for i, ref := range refs {
		byID[ref.ID] = r.sources[i].Source.ID
		doc.Cite(csl.Cluster{Items: []csl.CiteItem{{ID: ref.ID}}})
	}
	b, err := doc.Bibliography(as)
	if err != nil { // a style without a bibliography still cites
		for i, c := range doc.Citations(as) {
			into[r.sources[i].Source.ID] = c
		}
		return nil
	}
	for _, e := range b.Entries {
		text := strings.TrimSpace(e.Text)
		if set.Style.Info.Format == "numeric" {
			text = leadNumber.ReplaceAllString(text, "")
		}
		into[byID[e.ID]] = text
	}
	return nil
}

// leadNumber is the number that numeric styles begin an entry with: the dossier has its own. In other styles it is part of a title.
var leadNumber = regexp.MustCompile(`^\\?\[\d+\\?\]\s*|^\d+\\?\.\s+`)

// informal names a source as one would in a note to a colleague: title, who, when, where.
func informal(s ibid.Source) string {
	var who []string
	for _, n := range s.Reference.Names["author"] {
		who = append(who, n.String())
	}
	title := cite.PlainTitle(s)
	out := "“" + title + "”"
	if len(who) > 0 {
		out += " by " + strings.Join(who, ", ")
	}
	if y := s.Reference.Year(); y != 0 {
		out += fmt.Sprintf(" (%d)", y)
	}
	where := s.Name()
	if strings.HasPrefix(s.URI, "http") {
		where = s.URI
	}
	if where != "" && where != title {
		out += ", " + where
	}
	return oneLine(out)
}

func (r *rendered) title() string { return "Research dossier: " + oneLine(r.Topic) }

func (r *rendered) head() string {
	state := ""
	if !r.Done {
		state = fmt.Sprintf(" · under way, %d of %d questions asked", len(r.Questions)-r.Open(), len(r.Questions))
	}
	return fmt.Sprintf("%s UTC · depth %s · citations %s%s", r.UpdatedAt.UTC().Format("2 January 2006, 15:04"), r.Depth, r.form, state)
}

// overview says in a sentence how far the sources answer the topic.
func (r *rendered) overview() string {
	m := r.Measure()
	out := fmt.Sprintf("%d of %d questions are answered, by %s from %s.", m.Answered, m.Questions, count(m.Statements, "statement"), count(m.Sources, "source"))
	if m.Contradictions > 0 {
		out += fmt.Sprintf(" The sources disagree in %s.", count(m.Contradictions, "place"))
	}
	var open []string
	for _, q := range r.Questions {
		if q.State == Unanswered || q.State == Failed {
			open = append(open, q.Text)
		}
	}
	if len(open) > 0 {
		out += " Not answered: " + strings.Join(open, " ")
	}
	return out
}

// metrics are the lines of the last section.
func (r *rendered) metrics() [][2]string {
	m := r.Measure()
	return [][2]string{
		{"Questions answered", fmt.Sprintf("%d of %d", m.Answered, m.Questions)},
		{"Statements", fmt.Sprint(m.Statements)},
		{"High confidence (0.8 and up)", fmt.Sprint(m.High)},
		{"Medium confidence (0.5 and up)", fmt.Sprint(m.Medium)},
		{"Low confidence (below)", fmt.Sprint(m.Low)},
		{"Mean confidence", fmt.Sprintf("%.2f", m.Mean)},
		{"Verified: the words stand in the source", fmt.Sprint(m.Validation[Verified])},
		{"Supported: judged to say so", fmt.Sprint(m.Validation[Supported])},
		{"Disputed by another source", fmt.Sprint(m.Validation[Disputed])},
		{"Unsupported: the model's own", fmt.Sprint(m.Validation[Unsupported])},
		{"Sources of high, medium, low credibility", fmt.Sprintf("%d, %d, %d", m.Credibility[High], m.Credibility[Medium], m.Credibility[Low])},
		{"Valid citations", fmt.Sprintf("%d of %d", m.CitationsValid, m.CitationsTotal)},
		{"Mean citation score", fmt.Sprintf("%.2f", m.AverageCitation)},
		{"Contradictions between sources", fmt.Sprint(m.Contradictions)},
	}
}

func (r *rendered) rated(s Source) string {
	out := fmt.Sprintf("%s, %s credibility", s.Type, s.Rated())
	if s.Credibility != "" && s.Credibility != s.Computed {
		out += fmt.Sprintf(" (by its kind %s)", s.Computed)
	}
	if s.Quality > 0 {
		out += fmt.Sprintf(", quality %.2f", s.Quality)
	}
	return out
}

// sourceOf names a source in a line.
func (r *rendered) sourceOf(id ibid.SourceID) string {
	for _, s := range r.Sources {
		if s.Source.ID == id {
			return cite.PlainTitle(s.Source)
		}
	}
	return string(id)
}

func (r *rendered) place(p Place) string {
	out := r.sourceOf(p.Source)
	if p.Locator != "" {
		out += ", " + oneLine(p.Locator)
	}
	return out
}

// about is the small print of a statement.
func about(e Evidence) string {
	return fmt.Sprintf("%s · %s · confidence %.2f (%s) · relevance %.2f", e.Category, e.Validation, e.Confidence, band(e.Confidence), e.Relevance)
}

func band(confidence float64) string {
	switch {
	case confidence >= 0.8:
		return "high"
	case confidence >= 0.5:
		return "medium"
	}
	return "low"
}

func (r *rendered) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s\n\n## Executive summary\n\n%s\n\n", escape(r.title()), escape(r.head()), escape(r.overview()))
	for _, e := range r.Summary() {
		fmt.Fprintf(&b, "- %s %s\n", escape(e.Statement), r.links(e))
	}
	b.WriteString("\n## Source citations\n\n")
	if len(r.sources) == 0 {
		b.WriteString(noSources + "\n")
	}
	for i, s := range r.sources {
		fmt.Fprintf(&b, "%d. %s — %s\n", i+1, r.entries[s.Source.ID], escape(r.rated(s)))
	}
	b.WriteString("\n## Evidence analysis\n")
	for _, q := range r.Questions {
		fmt.Fprintf(&b, "\n### %d. %s\n\n", q.Number, escape(q.Text))
		if len(q.Evidence) == 0 {
			fmt.Fprintf(&b, "%s\n", escape(noEvidence(q)))
		}
		for _, e := range q.Evidence {
			fmt.Fprintf(&b, "- <a id=\"%s\"></a>%s %s\\\n  *%s*\n", e.ID, escape(e.Statement), escape(r.signs(e)), escape(about(e)))
			r.quoteMarkdown(&b, e.Places)
			if q.Answer != "" {
				fmt.Fprintf(&b, "\n  `ibid show %s %d`\n", short(q.Answer), e.Segment)
			}
		}
	}
	b.WriteString("\n## Contradictions\n\n")
	if len(r.Contradictions) == 0 {
		b.WriteString(noContradictions + "\n")
	}
	for _, c := range r.Contradictions {
		fmt.Fprintf(&b, "- %s (%s, %s, confidence %.2f)\n", escape(c.Reason), c.Kind, c.Severity, c.Confidence)
		r.quoteMarkdown(&b, []Place{c.A, c.B})
	}
	b.WriteString("\n## Validation metrics\n\n| | |\n|---|---|\n")
	for _, m := range r.metrics() {
		fmt.Fprintf(&b, "| %s | %s |\n", escape(m[0]), m[1])
	}
	return b.Bytes()
}

// quoteMarkdown sets what the places say below an item of a list, each in a paragraph of its own.
func (r *rendered) quoteMarkdown(b *bytes.Buffer, places []Place) {
	for i, p := range places {
		if i > 0 {
			b.WriteString("  >\n")
		}
		fmt.Fprintf(b, "  > %s\n", escape(r.quoted(p)))
	}
}

// links lead from the summary to the evidence.
func (r *rendered) links(e Evidence) string {
	var out []string
	for _, n := range r.cites(e) {
		out = append(out, fmt.Sprintf("[\\[%d\\]](#%s)", n, e.ID))
	}
	return strings.Join(out, " ")
}

// cites are the numbers of a statement's sources, each once.
func (r *rendered) cites(e Evidence) []int {
	var out []int
	for _, p := range e.Places {
		if n := r.numbers[p.Source]; n > 0 && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// What a section says that has nothing to list.
const (
	noSources        = "No source is cited."
	noContradictions = "None were found among the passages that the answers had."
)

func noEvidence(q Question) string {
	switch q.State {
	case Open:
		return "Not asked yet."
	case Failed:
		return strings.TrimSuffix("Not answered: "+oneLine(q.Note), ": ")
	}
	return "Nothing in the library answers this."
}

func (r *rendered) word() []export.Paragraph {
	e := html.EscapeString
	out := []export.Paragraph{
		{Style: "Heading1", HTML: e(r.title())}, {HTML: "<i>" + e(r.head()) + "</i>"},
		{Style: "Heading2", HTML: "Executive summary"}, {HTML: e(r.overview())},
	}
	for _, s := range r.Summary() {
		out = append(out, export.Paragraph{HTML: "• " + e(s.Statement), Notes: r.notes(s)})
	}
	out = append(out, export.Paragraph{Style: "Heading2", HTML: "Source citations"})
	if len(r.sources) == 0 {
		out = append(out, export.Paragraph{HTML: noSources})
	}
	for i, s := range r.sources {
		out = append(out, export.Paragraph{Style: "Bibliography", HTML: fmt.Sprintf("%d. %s — %s", i+1, e(r.plain[s.Source.ID]), e(r.rated(s)))})
	}
	out = append(out, export.Paragraph{Style: "Heading2", HTML: "Evidence analysis"})
	for _, q := range r.Questions {
		out = append(out, export.Paragraph{HTML: fmt.Sprintf("<b>%d. %s</b>", q.Number, e(q.Text))})
		if len(q.Evidence) == 0 {
			out = append(out, export.Paragraph{HTML: e(noEvidence(q))})
		}
		for _, s := range q.Evidence {
			own := ""
			if len(s.Places) == 0 {
				own = " " + r.signs(s)
			}
			out = append(out, export.Paragraph{HTML: "• " + e(s.Statement) + own, Notes: r.notes(s)}, export.Paragraph{HTML: "<i>" + e(about(s)) + "</i>"})
		}
	}
	out = append(out, export.Paragraph{Style: "Heading2", HTML: "Contradictions"})
	if len(r.Contradictions) == 0 {
		out = append(out, export.Paragraph{HTML: noContradictions})
	}
	for _, c := range r.Contradictions {
		out = append(out, export.Paragraph{HTML: e(fmt.Sprintf("• %s (%s, %s, confidence %.2f)", c.Reason, c.Kind, c.Severity, c.Confidence)),
			Notes: []string{e(r.quoted(c.A)), e(r.quoted(c.B))}})
	}
	out = append(out, export.Paragraph{Style: "Heading2", HTML: "Validation metrics"})
	for _, m := range r.metrics() {
		out = append(out, export.Paragraph{HTML: e(m[0]) + ": <b>" + e(m[1]) + "</b>"})
	}
	return out
}

// quoted is what a place says, behind the number of its source; one that the study no longer has is in no list.
func (r *rendered) quoted(p Place) string {
	out := r.place(p) + ": “" + oneLine(p.Quote) + "”"
	if n := r.numbers[p.Source]; n > 0 {
		out = fmt.Sprintf("[%d] %s", n, out)
	}
	return out
}

func (r *rendered) notes(s Evidence) []string {
	var out []string
	for _, p := range s.Places {
		out = append(out, html.EscapeString(r.quoted(p)))
	}
	return out
}

func (r *rendered) json() ([]byte, error) {
	type source struct {
		Number   int    `json:"number"`
		Citation string `json:"citation"`
		Title    string `json:"title"`
		Source
	}
	sources := []source{}
	for i, s := range r.sources {
		s.Source.URI = "" // what others are given holds no path
		sources = append(sources, source{i + 1, r.plain[s.Source.ID], s.Source.Title(), s})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(struct {
		Title          string             `json:"title"`
		GeneratedAt    string             `json:"generated_at"`
		Study          string             `json:"study"`
		Topic          string             `json:"topic"`
		Depth          Depth              `json:"depth"`
		Style          string             `json:"citation_style"`
		Done           bool               `json:"done"`
		Overview       string             `json:"overview"`
		Summary        []Evidence         `json:"executive_summary"`
		Sources        []source           `json:"source_citations"`
		Questions      []Question         `json:"evidence_analysis"`
		Contradictions []Contradiction    `json:"contradictions"`
		Metrics        Metrics            `json:"validation_metrics"`
		Maps           []cite.CitationMap `json:"citation_maps"`
	}{r.title(), r.UpdatedAt.UTC().Format("2006-01-02T15:04:05Z"), r.ID, r.Topic, r.Depth, r.form, r.Done, r.overview(), r.Summary(), sources, r.Questions, r.Contradictions, r.Measure(), r.Maps()})
	return b.Bytes(), err
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func short(id ibid.AnswerID) string {
	if len(id) > 6 {
		return string(id[:6])
	}
	return string(id)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// escape keeps the words of documents from being read as Markdown.
func escape(s string) string { return csl.EscapeMarkdown(oneLine(s)) }
