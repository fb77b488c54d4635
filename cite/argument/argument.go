// Package argument holds a claim with what sources say for it and against it: each statement mapped to its citations, with
// a strength that comes from the evidence; where the argument has gaps and weak links; and the whole as a map to look at.
//
// It weighs what the library says. It does not say who is right.
package argument

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

// Stance is the side a statement is on.
type Stance string

// The stances.
const (
	Proponent Stance = "proponent"
	Opponent  Stance = "opponent"
	Synthesis Stance = "synthesis"
)

// Status says how far a statement was checked.
type Status string

// The statuses.
const (
	Verified   Status = "verified"   // the words stand in the source
	Supported  Status = "supported"  // the source was judged to say so
	Disputed   Status = "disputed"   // a source says otherwise
	Unverified Status = "unverified" // no source says all of it
)

// Argument is a claim argued for and against and weighed.
type Argument struct {
	ID         ibid.AnswerID `json:"id"` // of the record that it was made from
	Claim      string        `json:"claim"`
	Statements []Statement   `json:"statements"`
	Weighed    Weighed       `json:"weighed"`
	Findings   []Finding     `json:"findings"`
	Sources    []Source      `json:"sources"`
	Model      string        `json:"model"`
	CreatedAt  time.Time     `json:"created_at"`
}

// Statement is one thing that is said for or against the claim.
type Statement struct {
	ID     string `json:"id"` // "pro-1"
	Stance Stance `json:"stance"`
	Text   string `json:"text"`
	Type   string `json:"argument_type"` // empirical, causal, testimony, comparative, factual
	Status Status `json:"verification_status"`
	// Support is the calibrated probability that its sources say so; Bearing how strongly it bears on the claim. Strength is
	// their product.
	Support  float64 `json:"support"`
	Bearing  float64 `json:"bearing"`
	Strength float64 `json:"strength"`
	Need     Need    `json:"needs_citation"`
	Step     int     `json:"step"`    // of the record; 0 for the synthesis
	Segment  int     `json:"segment"` // from 1
	Places   []Place `json:"places"`
	// Map is the statement with its citations in the form for exchange.
	Map cite.CitationMap `json:"citation_map"`
}

// Place is where a source says so.
type Place struct {
	Source  ibid.SourceID `json:"source"`
	Number  int           `json:"number"` // of the source, within the argument
	At      ibid.Anchor   `json:"at"`
	Quote   string        `json:"quote"`
	Locator string        `json:"locator,omitempty"`
}

// Source is a cited source.
type Source struct {
	Number int           `json:"number"`
	ID     ibid.SourceID `json:"id"`
	Title  string        `json:"title"`
	Name   string        `json:"name,omitempty"`
}

// Weighed is how the sides compare: the strengths of each, and the share of the claim's side.
type Weighed struct {
	For     float64 `json:"for"`
	Against float64 `json:"against"`
	Share   float64 `json:"share"` // For of both; 0.5 where there is nothing on either side
	Words   string  `json:"in_words"`
}

// Finding is a gap, a weak link or a contradiction: a place to look at, not a verdict.
type Finding struct {
	Kind     string `json:"kind"` // "gap", "weak link", "conclusion", "contradiction"
	Severity string `json:"severity"`
	Reason   string `json:"reason"`
	A        Spot   `json:"a"`
	B        *Spot  `json:"b,omitempty"`
}

// Spot is words of a statement, or of the claim where Statement is "claim".
type Spot struct {
	Statement string    `json:"statement"`
	At        ibid.Span `json:"at"` // into the statement's text
	Words     string    `json:"words"`
}

// Conflict is two statements that cannot both hold, by their ids, with the words that differ.
type Conflict struct {
	A, B           string
	WordsA, WordsB string
	Reason         string
	Severity       string
}

// Build makes the argument out of a recorded answer whose first step argues for the claim, whose second argues against it,
// and whose text weighs. Bearing says how strongly a statement bears on the claim, within [0,1].
func Build(a ibid.Answer, claim string, bearing func(stance Stance, statement string) float64) Argument {
	b := &builder{numbers: map[ibid.SourceID]int{}, bearing: bearing}
	b.out = Argument{ID: a.ID, Claim: claim, Statements: []Statement{}, Findings: []Finding{}, Sources: []Source{}, Model: a.Model, CreatedAt: a.CreatedAt}
	for i, stance := range []Stance{Proponent, Opponent} {
		if i < len(a.Steps) {
			s := a.Steps[i]
			b.add(stance, s.Number, ibid.Answer{ID: a.ID, Text: s.Text, Passages: s.Passages, Segments: s.Segments, Attributions: s.Attributions})
		}
	}
	b.add(Synthesis, 0, a)
	b.weigh()
	b.gaps()
	return b.out
}

type builder struct {
	out     Argument
	numbers map[ibid.SourceID]int
	bearing func(Stance, string) float64
}

func (b *builder) add(stance Stance, step int, a ibid.Answer) {
	n := 0
	for i, s := range a.Segments {
		if s.Origin == ibid.NONE {
			continue
		}
		text := strings.Join(strings.Fields(s.At.In(a.Text)), " ")
		if stance == Synthesis && slices.ContainsFunc(b.out.Statements, func(o Statement) bool { return o.Text == text }) {
			continue // what a side said already is on the map
		}
		n++
		st := Statement{ID: fmt.Sprintf("%s-%d", map[Stance]string{Proponent: "pro", Opponent: "con", Synthesis: "syn"}[stance], n), Stance: stance, Text: text, Type: kindOf(text),
			Status: Unverified, Support: s.Support, Step: step, Segment: i + 1, Places: []Place{}}
		st.Need, _ = Needs(text)
		if s.Origin == ibid.RAG || s.Origin == ibid.HYBRID {
			b.cite(&st, s, a)
		}
		if len(s.Contradicted) > 0 {
			st.Status = Disputed
		}
		st.Bearing = 1
		if stance != Synthesis {
			st.Bearing = b.bearing(stance, text)
		}
		if len(st.Places) > 0 {
			st.Strength = st.Support * st.Bearing
		}
		b.exchange(&st, a)
		b.out.Statements = append(b.out.Statements, st)
	}
}

// cite gives a statement its places. Where the words stand in a source, what only comes near them is no voice of its own.
func (b *builder) cite(st *Statement, s ibid.Segment, a ibid.Answer) {
	links := a.Evidence(s)
	if quoted := func(l ibid.Attribution) bool { return l.Trust >= ibid.Quoted }; slices.ContainsFunc(links, quoted) {
		links = slices.DeleteFunc(links, func(l ibid.Attribution) bool { return !quoted(l) })
	}
	for _, l := range links {
		p, ok := a.Passage(l.Ref)
		if !ok || !p.Chunk.At.Span.Contains(l.To.Span) {
			continue
		}
		number, seen := b.numbers[p.Source.ID]
		if !seen {
			number = len(b.numbers) + 1
			b.numbers[p.Source.ID] = number
			src := Source{Number: number, ID: p.Source.ID, Title: cite.PlainTitle(p.Source)}
			if p.Source.Name() != src.Title {
				src.Name = p.Source.Name()
			}
			b.out.Sources = append(b.out.Sources, src)
		}
		at, quote := l.To, l.To.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text)
		if n := bullet(quote); n > 0 && bullet(st.Text) == 0 {
			at.Span.Start, quote = at.Span.Start+n, quote[n:]
		}
		st.Places = append(st.Places, Place{Source: p.Source.ID, Number: number, At: at, Locator: p.Locator(at.Span.Start), Quote: quote})
		if l.Trust >= ibid.Quoted {
			st.Status = Verified
		} else if st.Status == Unverified && s.Origin == ibid.RAG { // a part of it is not enough
			st.Status = Supported
		}
	}
}

// bullet is the length of the sign that an item of a list begins with, and of the blanks behind it; 0 where there is none.
func bullet(s string) int {
	_, sign := utf8.DecodeRuneInString(s)
	rest := strings.TrimLeft(s[sign:], " \t")
	if !strings.Contains("-–*+•◦▪", s[:sign]) || rest == "" || rest == s[sign:] {
		return 0
	}
	return len(s) - len(rest)
}

// exchange fills the statement's map.
func (b *builder) exchange(st *Statement, a ibid.Answer) {
	st.Map = cite.CitationMap{ClaimID: st.ID, ClaimText: st.Text, Citations: []cite.Citation{}, Strength: st.Strength,
		Metadata: map[string]any{"argument_type": st.Type, "stance": string(st.Stance), "verification_status": string(st.Status), "citation_count": len(st.Places)}}
	for _, p := range st.Places {
		for _, passage := range a.Passages {
			if passage.Source.ID == p.Source {
				st.Map.Citations = append(st.Map.Citations, cite.FromAnswer(ibid.Citation{Source: p.Source, At: p.At, Quote: p.Quote, Locator: p.Locator, Confidence: st.Support}, passage.Source))
				break
			}
		}
	}
}

// Side gives the statements of a stance, the strongest first.
func (a Argument) Side(s Stance) []Statement {
	var out []Statement
	for _, st := range a.Statements {
		if st.Stance == s {
			out = append(out, st)
		}
	}
	slices.SortStableFunc(out, func(x, y Statement) int {
		switch {
		case x.Strength > y.Strength:
			return -1
		case x.Strength < y.Strength:
			return 1
		}
		return 0
	})
	return out
}

// weigh adds up the sides. A source counts once for a side: its strongest statement, so that the same page quoted five
// times is one voice.
func (b *builder) weigh() {
	sum := func(s Stance) float64 {
		best := map[ibid.SourceID]float64{}
		for _, st := range b.out.Side(s) {
			for _, p := range st.Places {
				best[p.Source] = max(best[p.Source], st.Strength)
			}
		}
		total := 0.0
		for _, v := range best {
			total += v
		}
		return total
	}
	w := Weighed{For: sum(Proponent), Against: sum(Opponent), Share: 0.5}
	if all := w.For + w.Against; all > 0 {
		w.Share = w.For / all
	}
	switch {
	case w.For+w.Against == 0:
		w.Words = "the library says nothing for or against it"
	case w.Against == 0:
		w.Words = "the library speaks for it, and nothing in it against"
	case w.For == 0:
		w.Words = "the library speaks against it, and nothing in it for"
	case w.Share >= 0.65:
		w.Words = "the library says more for it than against"
	case w.Share <= 0.35:
		w.Words = "the library says more against it than for"
	default:
		w.Words = "the library is divided"
	}
	b.out.Weighed = w
}

// Severities of findings.
const (
	low    = "low"
	medium = "medium"
	high   = "high"
)

// gaps finds what the argument lacks.
func (b *builder) gaps() {
	claim := Spot{Statement: "claim", At: ibid.Span{End: len(b.out.Claim)}, Words: b.out.Claim}
	for _, side := range []struct {
		stance Stance
		words  string
	}{{Proponent, "for"}, {Opponent, "against"}} {
		voices := map[ibid.SourceID]bool{}
		all := b.out.Side(side.stance)
		for _, st := range all {
			for _, p := range st.Places {
				voices[p.Source] = true
			}
		}
		switch {
		case len(all) == 0:
			b.find("gap", medium, "nothing was found "+side.words+" the claim", claim)
		case len(voices) == 1:
			b.find("weak link", medium, fmt.Sprintf("all that is said %s the claim comes from one source; two or more are expected", side.words), claim)
		}
	}
	for i, st := range b.out.Statements {
		whole := Spot{Statement: st.ID, At: ibid.Span{End: len(st.Text)}, Words: st.Text}
		if len(st.Places) == 0 {
			switch need, why := Needs(st.Text); need {
			case Always:
				b.find("gap", high, "no citation where one is needed: "+why, whole)
			case Consider:
				b.find("gap", low, "no citation where one would help: "+why, whole)
			}
		} else if st.Strength < 0.5 && st.Stance != Synthesis {
			b.find("weak link", low, fmt.Sprintf("its evidence is weak: strength %.2f", st.Strength), whole)
		}
		if at := concludes(st.Text); at != nil && len(st.Places) == 0 && !b.rests(i) {
			b.find("conclusion", medium, "a conclusion with nothing under it", Spot{Statement: st.ID, At: ibid.Span{Start: at[0], End: at[1]}, Words: st.Text[at[0]:at[1]]})
		}
	}
}

// rests reports whether something that is cited stands before a statement on its side.
func (b *builder) rests(i int) bool {
	for k := i - 1; k >= 0; k-- {
		if b.out.Statements[k].Stance == b.out.Statements[i].Stance || b.out.Statements[i].Stance == Synthesis {
			if len(b.out.Statements[k].Places) > 0 {
				return true
			}
		}
	}
	return false
}

func (b *builder) find(kind, severity, reason string, at Spot) {
	b.out.Findings = append(b.out.Findings, Finding{Kind: kind, Severity: severity, Reason: reason, A: at})
}

// Contradict adds contradictions between statements, each with the words of both.
func (a *Argument) Contradict(conflicts []Conflict) {
	for _, c := range conflicts {
		x, y := a.spot(c.A, c.WordsA), a.spot(c.B, c.WordsB)
		if x == nil || y == nil {
			continue
		}
		a.Findings = append(a.Findings, Finding{Kind: "contradiction", Severity: c.Severity, Reason: c.Reason, A: *x, B: y})
	}
}

// spot finds words in a statement; all of it where they do not stand there.
func (a *Argument) spot(id, words string) *Spot {
	for _, st := range a.Statements {
		if st.ID != id {
			continue
		}
		if i := strings.Index(st.Text, words); i >= 0 && words != "" {
			return &Spot{Statement: id, At: ibid.Span{Start: i, End: i + len(words)}, Words: words}
		}
		return &Spot{Statement: id, At: ibid.Span{End: len(st.Text)}, Words: st.Text}
	}
	return nil
}
