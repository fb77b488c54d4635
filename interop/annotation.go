package interop

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

const (
	annoContext = "http://www.w3.org/ns/anno.jsonld"
	annoMedia   = `application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"`
)

// collection is a W3C AnnotationCollection with all of its annotations on one page.
type collection struct {
	Context string `json:"@context"`
	ID      string `json:"id"`
	Type    string `json:"type"`
	Label   string `json:"label,omitempty"`
	Total   int    `json:"total"`
	First   struct {
		ID    string       `json:"id"`
		Type  string       `json:"type"`
		Start int          `json:"startIndex"`
		Items []annotation `json:"items"`
	} `json:"first"`
}

type annotation struct {
	ID         string     `json:"id"`
	Type       string     `json:"type"`
	Motivation string     `json:"motivation"`
	Created    *time.Time `json:"created,omitempty"`
	Creator    *software  `json:"creator,omitempty"`
	Body       any        `json:"body,omitempty"`
	Target     resource   `json:"target"`
}

type software struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

// resource is a source, or words of it.
type resource struct {
	Type     string     `json:"type"`
	Purpose  string     `json:"purpose,omitempty"`
	Source   string     `json:"source"`
	Selector []selector `json:"selector,omitempty"`
	State    *timeState `json:"state,omitempty"`
}

type selector struct {
	Type   string `json:"type"`
	Exact  string `json:"exact,omitempty"`
	Prefix string `json:"prefix,omitempty"`
	Suffix string `json:"suffix,omitempty"`
	Start  *int   `json:"start,omitempty"` // code points
	End    *int   `json:"end,omitempty"`
}

// timeState says which version of the source is meant.
type timeState struct {
	Type       string     `json:"type"`
	SourceDate *time.Time `json:"sourceDate,omitempty"`
	Cached     string     `json:"cached,omitempty"`
}

type textualBody struct {
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
	Value   string `json:"value"`
	Format  string `json:"format"`
}

func newCollection(id, label string, items []annotation) collection {
	c := collection{Context: annoContext, ID: id, Type: "AnnotationCollection", Label: label, Total: len(items)}
	c.First.ID, c.First.Type, c.First.Items = id+":page:1", "AnnotationPage", items
	if items == nil {
		c.First.Items = []annotation{}
	}
	return c
}

// contextRunes is how much of the text around a quote goes into its selector.
const contextRunes = 32

// selected gives both selectors for words of a text: by the words with what stands around them, and by position. Positions
// count code points, and before is how many stand before the text.
func selected(text string, at ibid.Span, before int) []selector {
	start := before + utf8.RuneCountInString(text[:at.Start])
	end := start + utf8.RuneCountInString(at.In(text))
	return []selector{
		{Type: "TextQuoteSelector", Exact: at.In(text), Prefix: tail(text[:at.Start]), Suffix: head(text[at.End:])},
		{Type: "TextPositionSelector", Start: &start, End: &end},
	}
}

func head(s string) string {
	r := []rune(s[:min(len(s), contextRunes*utf8.UTFMax)])
	return strings.TrimRight(string(r[:min(len(r), contextRunes)]), "�")
}

func tail(s string) string {
	r := []rune(s[max(0, len(s)-contextRunes*utf8.UTFMax):])
	return strings.TrimLeft(string(r[max(0, len(r)-contextRunes):]), "�")
}

// annotateRun gives each claim with a source as an annotation on it: the very words where the claim names them, else the
// whole.
func annotateRun(r ibid.Run, snapshots Snapshots) ([]byte, []string, error) {
	var items []annotation
	uncited, unkept := 0, 0
	for _, c := range r.Claims {
		if !c.Cited() {
			uncited++
			continue
		}
		first := c.Source.First()
		target := resource{Type: "SpecificResource", Source: address(first), State: &timeState{Type: "TimeState", SourceDate: &first.FetchedAt}}
		if first.Snapshot != "" {
			target.State.Cached = snapshotURN(first.Snapshot)
		}
		for _, at := range c.Evidence {
			body, ok := []byte(nil), false
			if snapshots != nil {
				body, ok = snapshots(at.Document)
			}
			if !ok || !utf8.Valid(body) || at.Span.Start < 0 || at.Span.Empty() || at.Span.End > len(body) {
				unkept++
				continue
			}
			target.Selector = append(target.Selector, selected(string(body), at.Span, 0)...)
		}
		items = append(items, annotation{ID: "urn:ibid:claim:" + string(c.ID), Type: "Annotation", Motivation: "linking", Created: &c.At,
			Creator: creator(c.Agent), Body: textualBody{"TextualBody", "", c.Text, "text/plain"}, Target: target})
	}
	lost := has(r, asked, called, chained, judged, unused)
	if uncited > 0 {
		lost = append(lost, fmt.Sprintf("claims without a source, as an annotation needs a target: %d", uncited))
	}
	if unkept > 0 {
		lost = append(lost, fmt.Sprintf("places whose snapshot is not text or not kept: %d", unkept))
	}
	body, err := indented(newCollection("urn:ibid:run:"+escape(string(r.ID)), "", items))
	return body, lost, err
}

func creator(agent string) *software {
	if agent == "" {
		return nil
	}
	return &software{"Software", agent}
}

// address is where a source was found, or the snapshot where it has no address that others could follow.
func address(r ibid.SourceReference) string {
	if strings.HasPrefix(r.Endpoint, "http://") || strings.HasPrefix(r.Endpoint, "https://") {
		return r.Endpoint
	}
	if r.Snapshot != "" {
		return snapshotURN(r.Snapshot)
	}
	return "urn:ibid:source:" + escape(r.Identifier)
}

func snapshotURN(id ibid.DocumentID) string { return "urn:ibid:sha256:" + string(id) }

// AnnotateAnswer gives the citations of an answer as Web Annotations: each links words of the answer to the words of a
// source, and says how strong the link is and on which rung it stands. Where a source says otherwise an annotation of its own
// says so. A file is named by the hash of its text and not by its path.
func AnnotateAnswer(a ibid.Answer) (File, error) {
	n := annotator{answer: a, id: "urn:ibid:answer:" + string(a.ID)}
	if a.ID == "" { // it is not recorded
		n.id = snapshotURN(ibid.HashText(a.Text))
	}
	for _, at := range a.Attributions {
		if cited(a, at) {
			n.add("linking", at.Of, at.To, fmt.Sprintf("%s, %.2f, %s", ibid.Strength(at.Confidence), at.Confidence, at.Trust))
		}
	}
	bare := 0
	for _, s := range a.Segments {
		if s.Origin != ibid.NONE && len(s.Refs) == 0 {
			bare++
		}
		for _, c := range s.Contradicted {
			n.add("assessing", c.Of, c.To, "denied: "+c.Reason)
		}
	}
	body, err := indented(newCollection(n.id, a.Question, n.items))
	out := File{Body: body, MediaType: annoMedia}
	for _, l := range []struct {
		what string
		n    int
	}{
		{"segments without a citation, as an annotation needs a target", bare},
		{"links to passages that the answer does not hold", n.lost},
		{"steps of the chain of thought", len(a.Steps)},
	} {
		if l.n > 0 {
			out.Losses = append(out.Losses, fmt.Sprintf("%s: %d", l.what, l.n))
		}
	}
	return out, err
}

// annotator collects the annotations of an answer.
type annotator struct {
	answer ibid.Answer
	id     string
	items  []annotation
	lost   int
}

// add links words of the answer to words of a passage, with what is said of the link.
func (n *annotator) add(motivation string, of ibid.Span, to ibid.Anchor, said string) {
	p, ok := n.passage(to)
	if !ok {
		n.lost++
		return
	}
	uri := p.Source.URI
	if !strings.HasPrefix(uri, "http://") && !strings.HasPrefix(uri, "https://") {
		uri = snapshotURN(to.Document)
	}
	a := annotation{ID: fmt.Sprintf("%s:%d", n.id, len(n.items)+1), Type: "Annotation", Motivation: motivation, Creator: creator(n.answer.Model),
		Body: []any{
			resource{Type: "SpecificResource", Purpose: "linking", Source: n.id, Selector: selected(n.answer.Text, of, 0)},
			textualBody{"TextualBody", "assessing", said, "text/plain"},
		},
		Target: resource{Type: "SpecificResource", Source: uri, State: &timeState{Type: "TimeState", Cached: snapshotURN(to.Document)},
			Selector: selected(p.Chunk.Text, to.Span.Shift(-p.Chunk.At.Span.Start), p.Chunk.Before.Runes)}}
	if !n.answer.CreatedAt.IsZero() {
		a.Created = &n.answer.CreatedAt
	}
	n.items = append(n.items, a)
}

// passage finds the one that holds the words.
func (n *annotator) passage(to ibid.Anchor) (ibid.Passage, bool) {
	for _, p := range n.answer.Passages {
		if p.Chunk.At.Document == to.Document && p.Chunk.At.Span.Contains(to.Span) {
			return p, true
		}
	}
	return ibid.Passage{}, false
}

func cited(a ibid.Answer, at ibid.Attribution) bool {
	return slices.ContainsFunc(a.Citations, func(c ibid.Citation) bool { return c.At == at.To })
}
