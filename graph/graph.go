package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// Claim is a statement with what supports and denies it.
type Claim struct {
	ID      string
	Text    string
	Support []Evidence
	Denial  []Evidence
}

// Evidence is a place in a source.
type Evidence struct {
	Source     ibid.SourceID `json:"source"`
	At         ibid.Anchor   `json:"at"`
	Quote      string        `json:"quote"`
	Confidence float64       `json:"confidence"`
}

// ClaimsOf gives the segments of an answer that claim something, with what supports and denies them. Their ids are the
// beginning of the answer's and the number of the segment: "4f2a91.2".
func ClaimsOf(answer ibid.Answer) []Claim {
	holder := map[ibid.DocumentID]ibid.SourceID{}
	for _, p := range answer.Passages {
		holder[p.Chunk.At.Document] = p.Source.ID
	}
	id := string(answer.ID)
	var out []Claim
	for i, s := range answer.Segments {
		if s.Origin == ibid.NONE {
			continue
		}
		c := Claim{ID: fmt.Sprintf("%s.%d", id[:min(6, len(id))], i+1), Text: strings.Join(strings.Fields(s.At.In(answer.Text)), " ")}
		for _, at := range answer.Evidence(s) {
			if p, ok := answer.Passage(at.Ref); ok && p.Chunk.At.Span.Contains(at.To.Span) {
				c.Support = append(c.Support, Evidence{Source: p.Source.ID, At: at.To, Quote: at.To.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text), Confidence: at.Confidence})
			}
		}
		for _, d := range s.Contradicted {
			if source, ok := holder[d.To.Document]; ok {
				c.Denial = append(c.Denial, Evidence{Source: source, At: d.To, Confidence: s.Confidence})
			}
		}
		out = append(out, c)
	}
	return out
}

// Confirmation says on how many legs a claim stands.
type Confirmation struct {
	Claim string `json:"claim"`
	Text  string `json:"text"`
	// Sources are those that support it; Independent is how many are left where copies of one text count once.
	Sources     int `json:"sources"`
	Independent int `json:"independent"`
	// Groups are the sources, those together that carry the same text.
	Groups [][]ibid.SourceID `json:"groups"`
	// Denied is how many sources say otherwise.
	Denied int `json:"denied"`
}

// InWords says it for people.
func (c Confirmation) InWords() string {
	switch {
	case c.Sources == 0:
		return "no source"
	case c.Sources == 1:
		return "1 source"
	case c.Independent == c.Sources:
		return fmt.Sprintf("%d independent sources", c.Sources)
	case c.Independent == 1:
		return fmt.Sprintf("%d sources that carry one text", c.Sources)
	}
	return fmt.Sprintf("%d sources, %d of them independent", c.Sources, c.Independent)
}

// CrossReference counts, for each claim, the sources that confirm it independently of each other. Two sources depend on
// each other for a claim where one is a copy of the other, or where what they say of it is word for word the same.
func CrossReference(claims []Claim, copies []Copy) []Confirmation {
	linked := map[[2]ibid.SourceID]bool{}
	for _, c := range copies {
		linked[[2]ibid.SourceID{c.A, c.B}], linked[[2]ibid.SourceID{c.B, c.A}] = true, true
	}
	out := make([]Confirmation, 0, len(claims))
	for _, c := range claims {
		groups := grouped(c.Support, linked)
		conf := Confirmation{Claim: c.ID, Text: c.Text, Independent: len(groups), Groups: groups}
		for _, g := range groups {
			conf.Sources += len(g)
		}
		denied := map[ibid.SourceID]bool{}
		for _, e := range c.Denial {
			denied[e.Source] = true
		}
		conf.Denied = len(denied)
		out = append(out, conf)
	}
	return out
}

// grouped puts the sources of a claim's evidence together that depend on each other.
func grouped(support []Evidence, linked map[[2]ibid.SourceID]bool) [][]ibid.SourceID {
	var order []ibid.SourceID
	group := map[ibid.SourceID]ibid.SourceID{} // to the first of its group
	for _, e := range support {
		if _, ok := group[e.Source]; !ok {
			group[e.Source] = e.Source
			order = append(order, e.Source)
		}
	}
	join := func(a, b ibid.SourceID) {
		from, to := group[b], group[a]
		for _, s := range order {
			if group[s] == from {
				group[s] = to
			}
		}
	}
	for i, a := range support {
		for _, b := range support[i+1:] {
			if group[a.Source] != group[b.Source] && (linked[[2]ibid.SourceID{a.Source, b.Source}] || sameWords(a.Quote, b.Quote)) {
				join(a.Source, b.Source)
			}
		}
	}
	var out [][]ibid.SourceID
	at := map[ibid.SourceID]int{}
	for _, s := range order {
		g := group[s]
		if _, ok := at[g]; !ok {
			at[g] = len(out)
			out = append(out, nil)
		}
		out[at[g]] = append(out[at[g]], s)
	}
	return out
}

// Graph is claims, sources and how they hang together.
type Graph struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}

// Node is a claim or a source.
type Node struct {
	ID      string `json:"id"` // "c:…" for a claim, "s:…" for a source
	Kind    string `json:"kind"`
	Label   string `json:"label"`
	Cluster int    `json:"cluster"` // from 1; nodes of one cluster hang together closer than with others
	// Independent is how many independent sources confirm a claim.
	Independent int `json:"independent,omitempty"`
}

// The kinds of nodes and edges.
const (
	IsClaim     = "claim"
	IsSource    = "source"
	Supports    = "supports"    // source to claim
	Contradicts = "contradicts" // source to claim
	CopyOf      = "copy"        // source to source
	Conflicts   = "conflicts"   // source to source
)

// Edge joins two nodes.
type Edge struct {
	From   string  `json:"from"`
	To     string  `json:"to"`
	Kind   string  `json:"kind"`
	Weight float64 `json:"weight"` // confidence, or the share that is copied
}

// Dispute is a conflict between two sources, for the graph.
type Dispute struct {
	A, B       ibid.SourceID
	Confidence float64
}

// New makes the graph of claims and sources. A source that evidence names but the list lacks is added under its id.
func New(claims []Claim, sources []Source, copies []Copy, disputes []Dispute) Graph {
	var g Graph
	confirmed := CrossReference(claims, copies)
	for i, c := range claims {
		g.Nodes = append(g.Nodes, Node{ID: "c:" + c.ID, Kind: IsClaim, Label: c.Text, Independent: confirmed[i].Independent})
	}
	known := map[ibid.SourceID]bool{}
	add := func(id ibid.SourceID, title string) {
		if !known[id] {
			known[id] = true
			g.Nodes = append(g.Nodes, Node{ID: "s:" + string(id), Kind: IsSource, Label: cmp.Or(title, string(id))})
		}
	}
	for _, s := range sources {
		add(s.ID, s.Title)
	}
	edges := map[Edge]float64{} // the greatest weight of each, which is not part of the key
	link := func(from, to, kind string, weight float64) {
		k := Edge{From: from, To: to, Kind: kind}
		edges[k] = max(edges[k], weight)
	}
	for _, c := range claims {
		for _, e := range c.Support {
			add(e.Source, "")
			link("s:"+string(e.Source), "c:"+c.ID, Supports, e.Confidence)
		}
		for _, e := range c.Denial {
			add(e.Source, "")
			link("s:"+string(e.Source), "c:"+c.ID, Contradicts, e.Confidence)
		}
	}
	for _, c := range copies {
		add(c.A, "")
		add(c.B, "")
		link("s:"+string(c.A), "s:"+string(c.B), CopyOf, c.Share)
	}
	for _, d := range disputes {
		add(d.A, "")
		add(d.B, "")
		link("s:"+string(min(d.A, d.B)), "s:"+string(max(d.A, d.B)), Conflicts, d.Confidence)
	}
	for e, w := range edges {
		e.Weight = w
		g.Edges = append(g.Edges, e)
	}
	slices.SortFunc(g.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	g.cluster()
	return g
}

// cluster lets every node take the mark that most of its neighbours have by weight, over and over, until nothing changes.
// Conflicts hold nothing together and are left out. Equals go to the mark that came first, so the same graph always gives
// the same clusters.
func (g *Graph) cluster() {
	at := map[string]int{}
	for i, n := range g.Nodes {
		at[n.ID] = i
	}
	type neighbour struct {
		node   int
		weight float64
	}
	near := make([][]neighbour, len(g.Nodes))
	for _, e := range g.Edges {
		if e.Kind == Conflicts || e.Kind == Contradicts {
			continue
		}
		a, b := at[e.From], at[e.To]
		near[a], near[b] = append(near[a], neighbour{b, e.Weight}), append(near[b], neighbour{a, e.Weight})
	}
	mark := make([]int, len(g.Nodes))
	for i := range mark {
		mark[i] = i
	}
	const rounds = 30 // more than enough: marks that swing for ever are stopped
	for range rounds {
		changed := false
		for i := range g.Nodes {
			votes := map[int]float64{}
			for _, n := range near[i] {
				votes[mark[n.node]] += n.weight
			}
			best := mark[i]
			for m, v := range votes {
				if v > votes[best]+1e-9 || v > votes[best]-1e-9 && m < best {
					best = m
				}
			}
			if best != mark[i] {
				mark[i], changed = best, true
			}
		}
		if !changed {
			break
		}
	}
	numbers := map[int]int{}
	for i := range g.Nodes {
		if numbers[mark[i]] == 0 {
			numbers[mark[i]] = len(numbers) + 1
		}
		g.Nodes[i].Cluster = numbers[mark[i]]
	}
}
