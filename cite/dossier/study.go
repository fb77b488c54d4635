// Package dossier holds a piece of research: the questions that a topic was taken apart into, the evidence found for each,
// the sources with their credibility, where they disagree; and writes it as a dossier in which every statement opens its
// evidence.
//
//	Study 1──n Question 1──n Evidence 1──n Place ──Anchor──▶ Document
//
// A Study is also the state of work that is not done: what was answered stays, the rest is asked when it is taken up again.
package dossier

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

// Depth says how many questions a topic is taken apart into.
type Depth string

// The depths.
const (
	Shallow       Depth = "shallow"       // 3 to 5 questions
	Moderate      Depth = "moderate"      // 5 to 8
	Thorough      Depth = "thorough"      // 8 to 12
	Comprehensive Depth = "comprehensive" // 12 to 15
)

// Depths lists the depths, the fewest questions first.
func Depths() []Depth { return []Depth{Shallow, Moderate, Thorough, Comprehensive} }

// ParseDepth reads the name of a depth. The error wraps ibid.ErrInvalid.
func ParseDepth(name string) (Depth, error) {
	if d := Depth(name); slices.Contains(Depths(), d) {
		return d, nil
	}
	return "", fmt.Errorf("depth %q: give shallow, moderate, thorough or comprehensive: %w", name, ibid.ErrInvalid)
}

// Questions gives the fewest and the most questions of a depth.
func (d Depth) Questions() (least, most int) {
	switch d {
	case Shallow:
		return 3, 5
	case Thorough:
		return 8, 12
	case Comprehensive:
		return 12, 15
	}
	return 5, 8
}

// Study is a piece of research, done or under way.
type Study struct {
	ID             string          `json:"id"`
	Topic          string          `json:"topic"`
	Depth          Depth           `json:"depth"`
	Collection     string          `json:"collection,omitempty"`
	Model          string          `json:"model,omitempty"`
	Only           []ibid.SourceID `json:"only,omitempty"` // the sources it is bound to; none means all
	Sources        []Source        `json:"sources"`
	Questions      []Question      `json:"questions"`
	Contradictions []Contradiction `json:"contradictions"`
	CreatedAt      time.Time       `json:"created_at"`
	UpdatedAt      time.Time       `json:"updated_at"`
	Done           bool            `json:"done"`
}

// Open counts the questions that are still to be asked.
func (s Study) Open() int {
	n := 0
	for _, q := range s.Questions {
		if q.State == Open {
			n++
		}
	}
	return n
}

// Given is the study as it leaves this machine: without the name of its collection, its sources as they may be shown, and without
// what a model said when it failed, which is for who runs it.
func (s Study) Given(public func(ibid.Source) ibid.Source) Study {
	s.Collection = ""
	s.Sources = slices.Clone(s.Sources)
	for i := range s.Sources {
		s.Sources[i].Source = public(s.Sources[i].Source)
	}
	s.Questions = slices.Clone(s.Questions)
	for i := range s.Questions {
		if q := &s.Questions[i]; q.State == Failed {
			q.Note = "it could not be answered; it is asked again when the study is taken up again"
		}
	}
	return s
}

// Source is a source of a study with its credibility: what the caller says of it, and beside it what its kind tells.
type Source struct {
	Source      ibid.Source `json:"source"`
	Type        string      `json:"type"`
	Credibility Credibility `json:"credibility,omitempty"` // the caller's; "" where there is none
	Computed    Credibility `json:"computed"`
	Quality     float64     `json:"quality,omitempty"` // an explained score, where one was made
	Why         []string    `json:"why,omitempty"`
}

// Credibility says in a word how far a source is to be relied on.
type Credibility string

// The credibilities.
const (
	High   Credibility = "high"
	Medium Credibility = "medium"
	Low    Credibility = "low"
)

// ParseCredibility reads one; "" is none. The error wraps ibid.ErrInvalid.
func ParseCredibility(s string) (Credibility, error) {
	switch c := Credibility(s); c {
	case High, Medium, Low, "":
		return c, nil
	}
	return "", fmt.Errorf("credibility %q: give high, medium or low: %w", s, ibid.ErrInvalid)
}

// weighty are the types of source that count for more.
var weighty = []string{"paper", "book", "academic", "official", "specification", "research_paper"}

// Compute tells the credibility of a source by its type and whether it has an address: 2 points for a URL, 3 for a weighty
// type; 4 make it high, 2 medium.
func Compute(kind string, hasURL bool) Credibility {
	points := 0
	if hasURL {
		points += 2
	}
	if slices.Contains(weighty, strings.ToLower(kind)) {
		points += 3
	}
	switch {
	case points >= 4:
		return High
	case points >= 2:
		return Medium
	}
	return Low
}

// Describe makes a study's source. A type that is not given is read from the bibliographic record; a credibility that is
// given is kept.
func Describe(s ibid.Source, kind string, given Credibility) Source {
	if kind == "" {
		kind = typeOf(s.Reference)
	}
	web := strings.HasPrefix(s.URI, "http://") || strings.HasPrefix(s.URI, "https://") || strings.HasPrefix(s.Reference.URL(), "http")
	return Source{Source: s, Type: kind, Credibility: given, Computed: Compute(kind, web || s.Reference.DOI() != "")}
}

func typeOf(r ibid.Reference) string {
	switch r.Type {
	case "article-journal", "paper-conference", "thesis", "chapter":
		return "paper"
	case "book":
		return "book"
	case "report", "legislation", "standard":
		return "report"
	case "article-newspaper", "article-magazine":
		return "press"
	case "webpage", "post-weblog", "post", "entry-encyclopedia":
		return "website"
	}
	return "document"
}

// Rated is the credibility that counts: the caller's, else the computed.
func (s Source) Rated() Credibility {
	if s.Credibility != "" {
		return s.Credibility
	}
	return s.Computed
}

// Order puts sources with high credibility first, then medium, then low, each in the order they had.
func Order(sources []Source) {
	rank := map[Credibility]int{High: 0, Medium: 1, Low: 2}
	slices.SortStableFunc(sources, func(a, b Source) int { return rank[a.Rated()] - rank[b.Rated()] })
}

// State is what became of a question.
type State string

// The states of a question.
const (
	Open       State = "open"       // not asked yet
	Answered   State = "answered"   // with evidence
	Unanswered State = "unanswered" // nothing in the library answers it
	Failed     State = "failed"     // the note says why
)

// Question is a question of a study, with the evidence that was found.
type Question struct {
	Number   int           `json:"number"`
	Text     string        `json:"question"`
	Why      string        `json:"why,omitempty"`
	State    State         `json:"state"`
	Note     string        `json:"note,omitempty"`
	Answer   ibid.AnswerID `json:"answer,omitempty"` // under which it is recorded, with all of its evidence
	Evidence []Evidence    `json:"evidence"`
}

// Evidence is a statement with the places it rests on.
type Evidence struct {
	ID         string     `json:"id"` // "q2-1": the first of the second question
	Statement  string     `json:"statement"`
	Segment    int        `json:"segment"` // of the recorded answer, from 1
	Category   Category   `json:"category"`
	Relevance  float64    `json:"relevance"`  // of the best passage to the question, within [0,1]
	Confidence float64    `json:"confidence"` // calibrated: that the places support the statement
	Validation Validation `json:"validation"`
	Places     []Place    `json:"places"`
}

// Place is where a source says so.
type Place struct {
	Source     ibid.SourceID `json:"source"`
	At         ibid.Anchor   `json:"at"`
	Quote      string        `json:"quote"`
	Locator    string        `json:"locator,omitempty"`
	Confidence float64       `json:"confidence"`
}

// Category says what kind of statement a piece of evidence is.
type Category string

// The categories.
const (
	Figure     Category = "figure"     // numbers
	Event      Category = "event"      // something with its date
	Quotation  Category = "quotation"  // someone's words
	Cause      Category = "cause"      // why
	Definition Category = "definition" // what something is
	Statement  Category = "statement"  // anything else
)

// Categorise tells the category of a statement by its form.
func Categorise(s string) Category {
	low := " " + strings.ToLower(s) + " "
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(low, w) })
	}
	digits := strings.IndexFunc(s, unicode.IsDigit) >= 0
	switch {
	case strings.Count(s, "“")+strings.Count(s, "”") >= 2 || strings.Count(s, `"`) >= 2:
		return Quotation
	case has(" because ", " caused ", " therefore ", " so that ", " led to ", " due to ", " as a result"):
		return Cause
	case digits && has(" january ", " february ", " march ", " april ", " june ", " july ", " august ", " september ", " october ", " november ", " december ", " in 1", " in 2"):
		return Event
	case digits:
		return Figure
	case has(" is a ", " is an ", " is the ", " was a ", " was an ", " are the ", " means "):
		return Definition
	}
	return Statement
}

// Validation says how far a statement was checked against its source.
type Validation string

// The validations, strongest first.
const (
	Verified    Validation = "verified"    // the words stand in the source
	Supported   Validation = "supported"   // the source was judged to say so
	Disputed    Validation = "disputed"    // another source says otherwise
	Unsupported Validation = "unsupported" // no source says so: the model's own
)

// Contradiction is two statements of sources that cannot both hold: a place to look at, not a verdict.
type Contradiction struct {
	Kind       string  `json:"kind"`
	Severity   string  `json:"severity"`
	Confidence float64 `json:"confidence"`
	Reason     string  `json:"reason"`
	A          Place   `json:"a"`
	B          Place   `json:"b"`
}

// Gather makes the evidence of a question out of its recorded answer.
func Gather(number int, a ibid.Answer) []Evidence {
	out := []Evidence{}
	for i, s := range a.Segments {
		if s.Origin == ibid.NONE {
			continue
		}
		e := Evidence{ID: fmt.Sprintf("q%d-%d", number, len(out)+1), Statement: strings.Join(strings.Fields(s.At.In(a.Text)), " "), Segment: i + 1,
			Confidence: s.Support, Validation: Unsupported, Places: []Place{}}
		e.Category = Categorise(e.Statement)
		for _, l := range a.Evidence(s) {
			k := slices.IndexFunc(a.Citations, func(c ibid.Citation) bool { return c.At == l.To })
			if k < 0 {
				continue
			}
			c := a.Citations[k]
			e.Places = append(e.Places, Place{Source: c.Source, At: c.At, Quote: c.Quote, Locator: c.Locator, Confidence: l.Confidence})
			switch {
			case l.Trust >= ibid.Quoted:
				e.Validation = Verified
			case e.Validation == Unsupported:
				e.Validation = Supported
			}
			if p, ok := a.Passage(l.Ref); ok {
				e.Relevance = max(e.Relevance, p.Score)
			}
		}
		if len(s.Contradicted) > 0 {
			e.Validation = Disputed
		}
		out = append(out, e)
	}
	return out
}

// Dispute marks the evidence that rests on a place that another source contradicts.
func (s *Study) Dispute() {
	for i := range s.Questions {
		for k := range s.Questions[i].Evidence {
			e := &s.Questions[i].Evidence[k]
			if slices.ContainsFunc(e.Places, s.disputed) {
				e.Validation = Disputed
			}
		}
	}
}

func (s *Study) disputed(p Place) bool {
	return slices.ContainsFunc(s.Contradictions, func(c Contradiction) bool {
		return over(c.A.At, p.At) || over(c.B.At, p.At)
	})
}

func over(a, b ibid.Anchor) bool { return a.Document == b.Document && a.Span.Overlaps(b.Span) }

// Metrics are the figures of a dossier.
type Metrics struct {
	Questions       int                 `json:"questions"`
	Answered        int                 `json:"answered"`
	Statements      int                 `json:"statements"`
	High            int                 `json:"high_confidence"`   // from 0.8
	Medium          int                 `json:"medium_confidence"` // from 0.5
	Low             int                 `json:"low_confidence"`
	Mean            float64             `json:"mean_confidence"`
	Validation      map[Validation]int  `json:"validation"`
	Sources         int                 `json:"sources"` // that are cited
	Credibility     map[Credibility]int `json:"credibility"`
	Contradictions  int                 `json:"contradictions"`
	CitationsValid  int                 `json:"citations_valid"`
	CitationsTotal  int                 `json:"citations_total"`
	AverageCitation float64             `json:"average_citation_confidence"`
}

// Measure counts.
func (s Study) Measure() Metrics {
	m := Metrics{Questions: len(s.Questions), Validation: map[Validation]int{}, Credibility: map[Credibility]int{}, Contradictions: len(s.Contradictions)}
	sum, overall := 0.0, 0.0
	for _, q := range s.Questions {
		if q.State == Answered {
			m.Answered++
		}
		for _, e := range q.Evidence {
			m.Statements++
			m.Validation[e.Validation]++
			sum += e.Confidence
			switch {
			case e.Confidence >= 0.8:
				m.High++
			case e.Confidence >= 0.5:
				m.Medium++
			default:
				m.Low++
			}
		}
	}
	for _, c := range s.cited() {
		m.Sources++
		m.Credibility[c.Rated()]++
	}
	for _, one := range s.Maps() {
		for _, c := range one.Citations {
			m.CitationsTotal++
			if c.Validate().Valid {
				m.CitationsValid++
			}
			overall += cite.Score(c).Overall
		}
	}
	if m.Statements > 0 {
		m.Mean = sum / float64(m.Statements)
	}
	if m.CitationsTotal > 0 {
		m.AverageCitation = overall / float64(m.CitationsTotal)
	}
	return m
}

// cited are the sources that some statement rests on, in the study's order.
func (s Study) cited() []Source {
	used := map[ibid.SourceID]bool{}
	for _, q := range s.Questions {
		for _, e := range q.Evidence {
			for _, p := range e.Places {
				used[p.Source] = true
			}
		}
	}
	for _, c := range s.Contradictions {
		used[c.A.Source], used[c.B.Source] = true, true
	}
	var out []Source
	for _, src := range s.Sources {
		if used[src.Source.ID] {
			out = append(out, src)
		}
	}
	return out
}

// Maps gives every statement with its citations, in the form for exchange.
func (s Study) Maps() []cite.CitationMap {
	byID := map[ibid.SourceID]ibid.Source{}
	for _, src := range s.Sources {
		byID[src.Source.ID] = src.Source
	}
	out := []cite.CitationMap{}
	for _, q := range s.Questions {
		for _, e := range q.Evidence {
			m := cite.CitationMap{ClaimID: e.ID, ClaimText: e.Statement, Citations: []cite.Citation{}, Strength: e.Confidence,
				Metadata: map[string]any{"category": string(e.Category), "verification_status": string(e.Validation), "citation_count": len(e.Places)}}
			for _, p := range e.Places {
				m.Citations = append(m.Citations, cite.FromAnswer(ibid.Citation{Source: p.Source, At: p.At, Quote: p.Quote, Locator: p.Locator, Confidence: p.Confidence}, byID[p.Source]))
			}
			out = append(out, m)
		}
	}
	return out
}

// Summary is the best-supported statement of each answered question, six at most, each once: what a hurried reader should see.
func (s Study) Summary() []Evidence {
	var out []Evidence
	for _, q := range s.Questions {
		best := -1
		for i, e := range q.Evidence {
			if e.Validation == Unsupported || slices.ContainsFunc(out, func(o Evidence) bool { return o.Statement == e.Statement }) {
				continue
			}
			if best < 0 || e.Confidence > q.Evidence[best].Confidence+0.1 { // the order of the answer counts, unless another is clearly better
				best = i
			}
		}
		if best >= 0 && len(out) < 6 {
			out = append(out, q.Evidence[best])
		}
	}
	return out
}
