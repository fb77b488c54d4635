package graph_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/graph"
)

const press = `The Velmark harbour authority said on Monday that the new breakwater had cost 4.2 million euros, a third more than planned.
The chairwoman, Ilse Brandt, blamed the price of stone and a winter with three storms. Work had begun in the spring of the year before.
Fishermen said that they had asked for the breakwater for twenty years, and that the harbour was safe for small boats at last.`

func TestCopies(t *testing.T) {
	edited := strings.Replace(strings.ToUpper(press[:1])+press[1:], "Monday", "Tuesday", 1)
	sources := []graph.Source{
		{ID: "agency", Text: press},
		{ID: "paper", Text: "By our reporter. " + edited},
		{ID: "part", Text: press[:len(press)/2]},
		{ID: "other", Text: "The breakwater at Velmark cost 4.2 million euros according to the harbour's own books, which this paper has seen. Stone was dear that year."},
		{ID: "empty"},
	}
	got := map[string]bool{}
	for _, c := range graph.Copies(sources) {
		got[string(c.A+"-"+c.B)] = true
		if c.Share < 0.5 || c.Share > 1 {
			t.Errorf("%+v", c)
		}
	}
	if len(got) != 3 || !got["agency-paper"] || !got["agency-part"] || !got["paper-part"] {
		t.Errorf("%v", got)
	}
}

// words are so many of a text that repeats nothing.
func words(from, n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprint("word", from+i))
	}
	return strings.Join(out, " ")
}

// However long the texts are: a source of which half stands in another is a copy of it, and one of which a third does is none.
func TestCopiesOfAnyLength(t *testing.T) {
	for _, short := range []int{40, 150, 350, 399, 400, 1500} {
		for _, long := range []int{1, 2, 10} {
			other := words(0, long*short)
			for name, c := range map[string]struct {
				text  string
				share float64
			}{
				"the whole":    {words(0, short), 1},
				"two thirds":   {words(0, short*2/3) + " " + words(1_000_000, short/3), 0.67},
				"a third":      {words(0, short/3) + " " + words(1_000_000, short*2/3), 0},
				"one sentence": {words(0, 12) + " " + words(1_000_000, short-12), 0},
			} {
				copies := graph.Copies([]graph.Source{{ID: "short", Text: c.text}, {ID: "long", Text: other}})
				if c.share == 0 && len(copies) > 0 || c.share > 0 && (len(copies) != 1 || math.Abs(copies[0].Share-c.share) > 0.13) {
					t.Errorf("%s of %d words in %d: %+v", name, short, long*short, copies)
				}
			}
		}
	}
}

// A phrase that all sources have does not make each a copy of the others.
func TestCopiesOfTheHouse(t *testing.T) {
	var sources []graph.Source
	for i := range 200 {
		sources = append(sources, graph.Source{ID: ibid.SourceID(fmt.Sprint(i)), Text: "All rights reserved by the publisher and its authors in every country. " + fmt.Sprintf("Report %d speaks of item%d and thing%d beside matter%d at place%d.", i, i, i*7, i*13, i*17)})
	}
	if got := graph.Copies(sources); len(got) != 0 {
		t.Errorf("%d copies: %+v", len(got), got[0])
	}
}

func evidence(source, quote string) graph.Evidence {
	return graph.Evidence{Source: ibid.SourceID(source), Quote: quote, Confidence: 0.9}
}

func TestCrossReference(t *testing.T) {
	said := "the new breakwater had cost 4.2 million euros, a third more than planned"
	for _, c := range []struct {
		rule                 string
		support              []graph.Evidence
		copies               []graph.Copy
		sources, independent int
		words                string
	}{
		{"nobody", nil, nil, 0, 0, "no source"},
		{"two that say it in words of their own", []graph.Evidence{evidence("a", said), evidence("b", "according to the books, building it took 4.2 million euros of public money")}, nil, 2, 2, "2 independent sources"},
		{"one text in two sources counts once", []graph.Evidence{evidence("a", said), evidence("b", "said that "+said)}, nil, 2, 1, "2 sources that carry one text"},
		{"the same day and thing in another order is no copy", []graph.Evidence{evidence("a", "The first transatlantic cable was completed on 5 August 1858."),
			evidence("b", "The landing at Knightstown was completed on 5 August 1858, in the middle of the afternoon: the first transatlantic cable was laid.")}, nil, 2, 2, "2 independent sources"},
		{"a copy of the other counts once, whatever it quotes", []graph.Evidence{evidence("a", said), evidence("b", "it cost more")}, []graph.Copy{{A: "b", B: "a", Share: 0.9}}, 2, 1, "2 sources that carry one text"},
		{"two places of one source are one source", []graph.Evidence{evidence("a", said), evidence("a", "as dear as that, 4.2 million, for a wall of stone in the sea")}, nil, 1, 1, "1 source"},
		{"copies chain", []graph.Evidence{evidence("a", said), evidence("b", said+" today"), evidence("c", "x"), evidence("d", "y")}, []graph.Copy{{A: "b", B: "c", Share: 0.6}}, 4, 2, "4 sources, 2 of them independent"},
		{"short words agree by chance", []graph.Evidence{evidence("a", "laid in 1858"), evidence("b", "laid in 1858")}, nil, 2, 2, "2 independent sources"},
	} {
		got := graph.CrossReference([]graph.Claim{{ID: "1", Text: "x", Support: c.support}}, c.copies)[0]
		if got.Sources != c.sources || got.Independent != c.independent || got.InWords() != c.words {
			t.Errorf("%s: %d sources, %d independent, %q", c.rule, got.Sources, got.Independent, got.InWords())
		}
	}
}

func sampleGraph() graph.Graph {
	claims := []graph.Claim{
		{ID: "1", Text: "The breakwater cost <4.2> million & more.", Support: []graph.Evidence{evidence("agency", "a"), evidence("paper", "b")}},
		{ID: "2", Text: "It took three storms.\x00\v", Support: []graph.Evidence{evidence("agency", "c")}, Denial: []graph.Evidence{evidence("diary", "d")}},
		{ID: "3", Text: "Elsewhere the choir sang.", Support: []graph.Evidence{evidence("choir", "e")}},
	}
	return graph.New(claims, []graph.Source{{ID: "agency", Title: `The "agency"`}, {ID: "unused", Title: "Unused"}}, []graph.Copy{{A: "agency", B: "paper", Share: 0.8}},
		[]graph.Dispute{{A: "paper", B: "diary", Confidence: 0.7}})
}

func TestGraph(t *testing.T) {
	g := sampleGraph()
	cluster, nodes := map[string]int{}, map[string]bool{}
	for _, n := range g.Nodes {
		if nodes[n.ID] {
			t.Errorf("%s stands twice", n.ID)
		}
		nodes[n.ID] = true
		cluster[n.ID] = n.Cluster
	}
	for _, e := range g.Edges {
		if !nodes[e.From] || !nodes[e.To] {
			t.Errorf("%+v joins what is not there", e)
		}
	}
	if !nodes["s:unused"] {
		t.Error("a source that nothing cites is left out")
	}
	if cluster["c:1"] != cluster["s:agency"] || cluster["c:1"] != cluster["s:paper"] || cluster["c:1"] == cluster["c:3"] || cluster["c:3"] != cluster["s:choir"] || cluster["s:diary"] == cluster["c:2"] {
		t.Errorf("clusters %v", cluster)
	}
}

func TestWrites(t *testing.T) {
	g := sampleGraph()
	for name, write := range map[string]func(io.Writer) error{"graphml": g.WriteGraphML, "svg": g.WriteSVG, "json": g.WriteJSON, "empty graphml": graph.Graph{}.WriteGraphML, "empty svg": graph.Graph{}.WriteSVG} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if name == "json" {
			var back graph.Graph
			if err := json.Unmarshal(b.Bytes(), &back); err != nil || len(back.Nodes) != len(g.Nodes) || len(back.Edges) != len(g.Edges) {
				t.Errorf("json: %v", err)
			}
			continue
		}
		d := xml.NewDecoder(&b)
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
		}
	}
}

func FuzzWrites(f *testing.F) {
	f.Add("a claim", "a source", "<&>\x00")
	f.Fuzz(func(t *testing.T, claim, source, quote string) {
		g := graph.New([]graph.Claim{{ID: quote, Text: claim, Support: []graph.Evidence{evidence(source, quote)}}}, nil, nil, nil)
		for _, write := range []func(io.Writer) error{g.WriteGraphML, g.WriteSVG} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			for d := xml.NewDecoder(&b); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// Copies of one text count once.
func ExampleCrossReference() {
	claims := []graph.Claim{{ID: "1", Text: "The breakwater cost 4.2 million euros.", Support: []graph.Evidence{
		{Source: "agency", Quote: "the new breakwater had cost 4.2 million euros, a third more than planned"},
		{Source: "paper", Quote: "said that the new breakwater had cost 4.2 million euros, a third more than planned"},
		{Source: "books", Quote: "paid for stone, labour and barges at the breakwater: 4.2 million in all"},
	}}}
	for _, c := range graph.CrossReference(claims, nil) {
		fmt.Println(c.InWords())
	}
	// Output: 3 sources, 2 of them independent
}
