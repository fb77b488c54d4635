package quality

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
)

// Kind is who stands behind a source.
type Kind string

// The kinds of sources.
const (
	PeerReviewed Kind = "peer-reviewed" // judged by others of the field before it was printed
	Official     Kind = "official"      // law, statistics, standards, registers: the authority itself
	Reference    Kind = "reference"     // encyclopedias, textbooks, documentation, museums
	Preprint     Kind = "preprint"      // research before any review
	Press        Kind = "press"         // an editor answers for it
	Trade        Kind = "trade"         // companies, trade press, popular guides
	Blog         Kind = "blog"          // one person or a crowd, unchecked
	Personal     Kind = "personal"      // a letter or mail, of one to another
	Unknown      Kind = "unknown"       // nothing tells
)

// Score is how far a source can be leaned on, explained.
type Score struct {
	Kind  Kind    `json:"kind"`
	Value float64 `json:"value"` // within [0,1]; it orders, and is no probability
	// Parts add up to Value, but that it is kept within [0,1].
	Parts []Part `json:"parts"`
}

// Part is one reason of a score.
type Part struct {
	Name   string  `json:"name"` // "kind", "identifiers", "withdrawn", "age", "agreement", "feedback"
	Points float64 `json:"points"`
	Why    string  `json:"why"`
}

// Label is the score for people: "peer-reviewed .93".
func (s Score) Label() string {
	return string(s.Kind) + " " + strings.TrimPrefix(fmt.Sprintf("%.2f", s.Value), "0")
}

// About is what is known of a source beside its reference. The zero value of a field leaves it out of the score.
type About struct {
	// Now is the time against which age is measured.
	Now time.Time
	// HalfLife is how many years it takes until half of what is written on the topic is out of date: 5 for medicine and
	// software, 0 for history and mathematics, where age takes nothing away.
	HalfLife float64
	// Confirmed and Disputed count the independent sources that say the same or otherwise.
	Confirmed, Disputed int
	// Feedback is what people said of it, from -1 to 1.
	Feedback float64
}

// Rater rates sources by its lists. It has no state of its own and may be used by many at once.
type Rater struct {
	lists []List
	hosts map[string]int // to the first list that has it
	names map[string]int
}

// New makes a rater of the built-in lists. Lists of one's own come before them.
func New(own ...List) *Rater { return Only(append(slices.Clone(own), builtIn()...)...) }

// Only makes a rater of the lists given and no others.
func Only(lists ...List) *Rater {
	r := &Rater{lists: lists, hosts: map[string]int{}, names: map[string]int{}}
	for i, l := range r.lists {
		for _, h := range l.Hosts {
			put(r.hosts, strings.ToLower(h), i)
		}
		for _, n := range l.Names {
			put(r.names, strings.ToLower(n), i)
		}
	}
	return r
}

func put(m map[string]int, key string, i int) {
	if _, ok := m[key]; !ok {
		m[key] = i
	}
}

// Rate scores a source.
func (r *Rater) Rate(s ibid.Source, a About) Score {
	kind, worth, why := r.kindOf(s)
	out := Score{Kind: kind, Parts: []Part{{"kind", worth, why}}}
	for _, p := range []Part{identifiers(s.Reference), withdrawn(s.Reference), age(s, a), agreement(a), feedback(a)} {
		if p.Points != 0 {
			out.Parts = append(out.Parts, p)
		}
	}
	for _, p := range out.Parts {
		out.Value += p.Points
	}
	out.Value = math.Min(1, math.Max(0, math.Round(1000*out.Value)/1000))
	return out
}

// Rated is a source with its score.
type Rated struct {
	Source ibid.Source `json:"source"`
	Score  Score       `json:"quality"`
}

// Order rates sources and puts the best first; equals stay in their order. All of them are given back.
func (r *Rater) Order(sources []ibid.Source, about func(ibid.Source) About) []Rated {
	out := make([]Rated, len(sources))
	for i, s := range sources {
		out[i] = Rated{s, r.Rate(s, about(s))}
	}
	slices.SortStableFunc(out, func(a, b Rated) int { return cmp.Compare(b.Score.Value, a.Score.Value) })
	return out
}

func identifiers(ref ibid.Reference) Part {
	for _, id := range []struct{ name, value string }{{"DOI", doi(ref)}, {"PMID", ref.Text["PMID"]}, {"PMCID", ref.Text["PMCID"]}, {"ISBN", ref.Text["ISBN"]}, {"ISSN", ref.Text["ISSN"]}} {
		if strings.TrimSpace(id.value) != "" {
			return Part{"identifiers", 0.03, "has a " + id.name + ", by which it is registered"}
		}
	}
	if ref.Title() == "" && len(ref.Names["author"]) == 0 && ref.Year() == 0 {
		return Part{"identifiers", -0.05, "says neither title, author nor date"}
	}
	if ref.Year() == 0 && len(ref.Names["author"]) == 0 {
		return Part{"identifiers", -0.02, "says neither author nor date"}
	}
	if ref.Year() != 0 && len(ref.Names["author"]) > 0 {
		return Part{"identifiers", 0.02, "names its author and date"}
	}
	return Part{}
}

// withdrawn finds what publishers put before the title of a paper they took back.
func withdrawn(ref ibid.Reference) Part {
	title := strings.ToLower(strings.TrimLeft(ref.Title(), "[( "))
	for _, w := range []string{"retracted", "withdrawn", "retraction:"} {
		if strings.HasPrefix(title, w) {
			return Part{"withdrawn", -0.85, "its title says that it was taken back"}
		}
	}
	return Part{}
}

// age takes away up to a quarter where the topic moves on. A half-life is free: new work is not better for being new.
func age(s ibid.Source, a About) Part {
	year := s.Reference.Year()
	if a.HalfLife <= 0 || a.Now.IsZero() || year == 0 {
		return Part{}
	}
	years := float64(a.Now.Year() - year)
	if over := years - a.HalfLife; over > 0 {
		return Part{"age", -0.25 * (1 - math.Pow(2, -over/(2*a.HalfLife))), fmt.Sprintf("is %.0f years old, and the topic moves on in %.0f", years, a.HalfLife)}
	}
	return Part{}
}

func agreement(a About) Part {
	points := 0.08 * (math.Pow(2, -float64(max(0, a.Disputed))) - math.Pow(2, -float64(max(0, a.Confirmed))))
	switch {
	case a.Confirmed > 0 && a.Disputed > 0:
		return Part{"agreement", points, fmt.Sprintf("%d independent of it say the same, %d say otherwise", a.Confirmed, a.Disputed)}
	case a.Confirmed > 0:
		return Part{"agreement", points, fmt.Sprintf("%d independent of it say the same", a.Confirmed)}
	case a.Disputed > 0:
		return Part{"agreement", points, fmt.Sprintf("%d say otherwise", a.Disputed)}
	}
	return Part{}
}

func feedback(a About) Part {
	f := math.Min(1, math.Max(-1, a.Feedback))
	if math.IsNaN(f) {
		return Part{}
	}
	why := "people found it useful"
	if f < 0 {
		why = "people found fault with it"
	}
	return Part{"feedback", 0.1 * f, why}
}
