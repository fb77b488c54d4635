package graph_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
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
	last := 1.0
	for _, c := range graph.Copies(sources) {
		if c.Share > last {
			t.Errorf("%+v stands behind a lesser one", c)
		}
		last = c.Share
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

// The same claims and sources have the same clusters each time, also where as much speaks for one as for another.
func TestClustersAreTheSameEachTime(t *testing.T) {
	var claims []graph.Claim
	for i := range 12 { // a ring: every source supports two claims, and every claim has two sources
		claims = append(claims, graph.Claim{ID: fmt.Sprint(i), Support: []graph.Evidence{evidence(fmt.Sprint("s", i), "x"), evidence(fmt.Sprint("s", (i+1)%12), "y")}})
	}
	want := graph.New(claims, nil, nil, nil)
	for range 20 {
		if got := graph.New(claims, nil, nil, nil); !slices.Equal(got.Nodes, want.Nodes) {
			t.Fatalf("%+v, and then %+v", want.Nodes, got.Nodes)
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

// A source that denies a claim at two places is one that denies it.
func TestDeniedBySources(t *testing.T) {
	claim := graph.Claim{ID: "1", Denial: []graph.Evidence{evidence("a", "x"), evidence("a", "y"), evidence("b", "z")}}
	if got := graph.CrossReference([]graph.Claim{claim}, nil)[0]; got.Denied != 2 || got.Sources != 0 {
		t.Errorf("%+v", got)
	}
}

// The claims of an answer have the words of the passages that support them, and the sources that deny them.
func TestClaimsOfAnAnswer(t *testing.T) {
	span := func(start, end int) ibid.Span { return ibid.Span{Start: start, End: end} }
	passage := ibid.Passage{Source: ibid.Source{ID: "s"}, Rank: 1, Chunk: ibid.Chunk{At: ibid.Anchor{Document: "d", Span: span(100, 116)}, Text: "It cost 4 euros."}}
	answer := ibid.Answer{ID: "4f2a91cc", Text: "Prices: It  cost 4. It cost 5.", Passages: []ibid.Passage{passage},
		Segments: []ibid.Segment{{At: span(0, 7), Origin: ibid.NONE}, {At: span(8, 19), Origin: ibid.RAG},
			{At: span(20, 30), Origin: ibid.LLM, Confidence: 0.6, Contradicted: []ibid.Contradiction{{To: ibid.Anchor{Document: "d", Span: span(108, 109)}}, {To: ibid.Anchor{Document: "unknown"}}}}},
		Attributions: []ibid.Attribution{{Of: span(8, 19), To: ibid.Anchor{Document: "d", Span: span(103, 109)}, Ref: 1, Confidence: 0.9},
			{Of: span(8, 19), To: ibid.Anchor{Document: "d", Span: span(90, 109)}, Ref: 1}, {Of: span(8, 19), To: ibid.Anchor{Document: "d", Span: span(103, 109)}, Ref: 2}}}
	want := []graph.Claim{
		{ID: "4f2a91.2", Text: "It cost 4.", Support: []graph.Evidence{{Source: "s", At: ibid.Anchor{Document: "d", Span: span(103, 109)}, Quote: "cost 4", Confidence: 0.9}}},
		{ID: "4f2a91.3", Text: "It cost 5.", Denial: []graph.Evidence{{Source: "s", At: ibid.Anchor{Document: "d", Span: span(108, 109)}, Confidence: 0.6}}},
	}
	if got := graph.ClaimsOf(answer); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
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
	want := []graph.Edge{{From: "s:diary", To: "s:paper", Kind: graph.Conflicts, Weight: 0.7}, {From: "s:diary", To: "c:2", Kind: graph.Contradicts, Weight: 0.9}, {From: "s:agency", To: "s:paper", Kind: graph.CopyOf, Weight: 0.8},
		{From: "s:agency", To: "c:1", Kind: graph.Supports, Weight: 0.9}, {From: "s:agency", To: "c:2", Kind: graph.Supports, Weight: 0.9}, {From: "s:choir", To: "c:3", Kind: graph.Supports, Weight: 0.9}, {From: "s:paper", To: "c:1", Kind: graph.Supports, Weight: 0.9}}
	if !slices.Equal(g.Edges, want) {
		t.Errorf("edges %+v", g.Edges)
	}
	if alone := graph.New(nil, nil, []graph.Copy{{A: "a", B: "b"}}, []graph.Dispute{{A: "c", B: "d"}}); len(alone.Nodes) != 4 {
		t.Errorf("sources that nothing cites: %+v", alone.Nodes)
	}
	if !nodes["s:unused"] {
		t.Error("a source that nothing cites is left out")
	}
	if cluster["c:1"] != cluster["s:agency"] || cluster["c:1"] != cluster["s:paper"] || cluster["c:1"] == cluster["c:3"] || cluster["c:3"] != cluster["s:choir"] || cluster["s:diary"] == cluster["c:2"] {
		t.Errorf("clusters %v", cluster)
	}
}

// What other programs read as GraphML is the graph: every node and edge, with values of the kinds that are declared.
func TestGraphML(t *testing.T) {
	type data struct {
		Key  string `xml:"key,attr"`
		Text string `xml:",chardata"`
	}
	var read struct {
		Keys []struct {
			ID  string `xml:"id,attr"`
			For string `xml:"for,attr"`
		} `xml:"key"`
		Nodes []struct {
			ID   string `xml:"id,attr"`
			Data []data `xml:"data"`
		} `xml:"graph>node"`
		Edges []struct {
			ID     string `xml:"id,attr"`
			Source string `xml:"source,attr"`
			Target string `xml:"target,attr"`
			Data   []data `xml:"data"`
		} `xml:"graph>edge"`
	}
	g := sampleGraph()
	var b bytes.Buffer
	if err := g.WriteGraphML(&b); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(b.Bytes(), &read); err != nil || len(read.Nodes) != len(g.Nodes) || len(read.Edges) != len(g.Edges) {
		t.Fatalf("%d nodes, %d edges, %v", len(read.Nodes), len(read.Edges), err)
	}
	declared := map[string]bool{}
	for _, k := range read.Keys {
		declared[k.For+" "+k.ID] = true
	}
	values := func(of string, all []data) map[string]string {
		out := map[string]string{}
		for _, d := range all {
			if !declared[of+" "+d.Key] {
				t.Errorf("%s of a %s is not declared", d.Key, of)
			}
			out[d.Key] = d.Text
		}
		return out
	}
	for i, n := range read.Nodes {
		v, is := values("node", n.Data), g.Nodes[i]
		if _, counted := v["independent"]; n.ID != is.ID || v["kind"] != is.Kind || v["cluster"] != fmt.Sprint(is.Cluster) || counted != (is.Kind == graph.IsClaim) {
			t.Errorf("%+v, of %+v", n, is)
		}
	}
	if v := values("node", read.Nodes[0].Data); v["label"] != "The breakwater cost <4.2> million & more." || v["independent"] != "1" {
		t.Errorf("%+v", read.Nodes[0])
	}
	ids := map[string]bool{}
	for i, e := range read.Edges {
		v, is := values("edge", e.Data), g.Edges[i]
		if e.Source != is.From || e.Target != is.To || v["relation"] != is.Kind || v["weight"] != fmt.Sprintf("%.4f", is.Weight) || ids[e.ID] {
			t.Errorf("%+v, of %+v", e, is)
		}
		ids[e.ID] = true
	}
}

// In the picture every node has a place of its own, what hangs on nothing below the rest, and every band joins the places of its two nodes.
func TestPicture(t *testing.T) {
	type title struct {
		Text string `xml:"title"`
	}
	var read struct {
		Height int `xml:"height,attr"`
		Paths  []struct {
			Class string `xml:"class,attr"`
			D     string `xml:"d,attr"`
			title
		} `xml:"path"`
		Groups []struct {
			title
			Circle struct {
				Class string `xml:"class,attr"`
				X     int    `xml:"cx,attr"`
				Y     int    `xml:"cy,attr"`
			} `xml:"circle"`
			Label string `xml:"text"`
		} `xml:"g"`
	}
	g := sampleGraph()
	g.Nodes = append(g.Nodes, graph.Node{ID: "c:9", Kind: graph.IsClaim, Label: strings.Repeat("A long claim of   nobody, ", 9)})
	var b bytes.Buffer
	if err := g.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(b.Bytes(), &read); err != nil || len(read.Groups) != len(g.Nodes) || len(read.Paths) != len(g.Edges) {
		t.Fatalf("%d nodes, %d bands, %v", len(read.Groups), len(read.Paths), err)
	}
	type place struct{ x, y int }
	at, taken := map[string]place{}, map[place]bool{}
	lowest := map[int]string{}
	for _, node := range read.Groups {
		p := place{node.Circle.X, node.Circle.Y}
		if taken[p] || p.y <= 0 || p.y >= read.Height {
			t.Errorf("%q stands at %v", node.Text, p)
		}
		at[node.Text], taken[p] = p, true
		if before, ok := lowest[p.x]; !ok || at[before].y < p.y {
			lowest[p.x] = node.Text
		}
		if own := strings.HasPrefix(node.Text, "A long claim"); own != (node.Circle.Class == "own") || own != strings.HasSuffix(node.Label, "…") || len([]rune(node.Label)) > 62 || strings.Contains(node.Label, "  ") {
			t.Errorf("%+v", node)
		}
	}
	for x, text := range lowest {
		if text != "Unused" && !strings.HasPrefix(text, "A long claim") {
			t.Errorf("the lowest at %d is %q", x, text)
		}
	}
	label := map[string]string{}
	for _, n := range g.Nodes {
		label[n.ID] = strings.Map(func(r rune) rune {
			if r < ' ' {
				return '\uFFFD'
			}
			return r
		}, n.Label)
	}
	for i, band := range read.Paths {
		var from, c1, c2, to place
		if _, err := fmt.Sscanf(band.D, "M%d %d C%d %d %d %d %d %d", &from.x, &from.y, &c1.x, &c1.y, &c2.x, &c2.y, &to.x, &to.y); err != nil {
			t.Fatal(err)
		}
		e := g.Edges[i]
		if from != at[label[e.From]] || to != at[label[e.To]] || c1.y != from.y || c2.y != to.y || c1.x >= from.x || band.Class != e.Kind {
			t.Errorf("%s of %+v, from %v to %v", band.D, e, at[label[e.From]], at[label[e.To]])
		}
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
			if !strings.Contains(b.String(), "<4.2> million & more") {
				t.Error("signs are written as escapes")
			}
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

func TestEmptyGraphHasLists(t *testing.T) {
	var b bytes.Buffer
	if err := (graph.Graph{}).WriteJSON(&b); err != nil || strings.Contains(b.String(), "null") {
		t.Errorf("%s, %v", b.String(), err)
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
