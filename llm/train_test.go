package llm

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/testdata"
)

var train = flag.Bool("train", false, "learn the weights of the extractive answerer and print them")

// group is one question with its candidates, some of them gold.
type group struct {
	set    string
	text   string
	list   []candidate
	gold   []bool
	weight float64
}

func (g group) any() bool {
	for _, b := range g.gold {
		if b {
			return true
		}
	}
	return false
}

// pseudo makes groups of a set that says which source supports which claim, but not where: the sentences that hold most
// of the claim's words are taken for gold.
func pseudo(t testing.TB, name string) []group {
	f, err := os.Open(testdata.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Question string
		Sources  []struct{ ID, Title, Text string }
		Segments []struct {
			Text, Label string
			SourceIDs   []string `json:"source_ids"`
		}
	}
	lib := &library{texts: map[ibid.DocumentID]string{}, titles: map[ibid.DocumentID]string{}, df: map[string]int{}}
	var rows []row
	in := bufio.NewReaderSize(z, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var r row
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			for _, s := range r.Sources {
				id := ibid.HashText(s.Text)
				if _, ok := lib.texts[id]; !ok && strings.TrimSpace(s.Text) != "" {
					lib.order = append(lib.order, id)
					lib.texts[id], lib.titles[id] = s.Text, s.Title
				}
			}
			rows = append(rows, r)
		}
		if err != nil {
			break
		}
	}
	lib.cut()
	type claim struct {
		roots map[string]bool
		docs  map[ibid.DocumentID]bool
	}
	byQuestion := map[string][]claim{}
	for _, r := range rows {
		ids := map[string]ibid.DocumentID{}
		for _, s := range r.Sources {
			ids[s.ID] = ibid.HashText(s.Text)
		}
		for _, s := range r.Segments {
			if s.Label != "supported" {
				continue
			}
			c := claim{map[string]bool{}, map[ibid.DocumentID]bool{}}
			for _, w := range readWords(s.Text) {
				if !stopWords[w.lower] {
					c.roots[w.root] = true
				}
			}
			for _, id := range ids {
				c.docs[id] = true
			}
			if len(c.roots) > 3 {
				byQuestion[r.Question] = append(byQuestion[r.Question], c)
			}
		}
	}
	var questions []string
	for q := range byQuestion {
		if len(q) < 200 {
			questions = append(questions, q)
		}
	}
	sort.Strings(questions)
	var out []group
	for _, q := range questions {
		passages := lib.retrieve(q, 8, nil)
		g := group{set: name, text: q, weight: 1}
		g.list = Extractive{}.rated(ibid.Prompt{Question: q, Passages: passages})
		g.gold = make([]bool, len(g.list))
		for _, c := range byQuestion[q] {
			for i, k := range g.list {
				both := 0
				for r := range c.roots {
					if k.roots[r] {
						both++
					}
				}
				if c.docs[passages[k.passage].Chunk.At.Document] && float64(both) >= 0.5*float64(len(c.roots)) {
					g.gold[i] = true
				}
			}
		}
		if g.any() {
			out = append(out, g)
		}
	}
	return out
}

func (g group) topThree(w *[featureCount + 1]float64) (one, three bool) {
	type s struct {
		i int
		v float64
	}
	var list []s
	for i, c := range g.list {
		v := 0.0
		for k, x := range c.features {
			v += w[k] * x
		}
		list = append(list, s{i, v})
	}
	sort.SliceStable(list, func(a, b int) bool { return list[a].v > list[b].v })
	var chosen []candidate
	for _, l := range list {
		c := g.list[l.i]
		if repeats(c, chosen) {
			continue
		}
		chosen = append(chosen, c)
		if g.gold[l.i] {
			if len(chosen) == 1 {
				one = true
			}
			return one, true
		}
		if len(chosen) == 3 {
			break
		}
	}
	return false, false
}

// learn fits the weights by softmax over the candidates of each question, drawn towards the given ones.
func learn(groups []group, prior [featureCount + 1]float64, pull float64, rounds int) [featureCount + 1]float64 {
	w := prior
	total := 0.0
	for _, g := range groups {
		total += g.weight
	}
	for range rounds {
		var grad [featureCount]float64
		for _, g := range groups {
			var z, zg float64
			e := make([]float64, len(g.list))
			for i, c := range g.list {
				v := 0.0
				for k, x := range c.features {
					v += w[k] * x
				}
				e[i] = math.Exp(v - 10)
				z += e[i]
				if g.gold[i] {
					zg += e[i]
				}
			}
			for i, c := range g.list {
				p := -e[i] / z
				if g.gold[i] {
					p += e[i] / zg
				}
				for k, x := range c.features {
					grad[k] += g.weight * p * x
				}
			}
		}
		for k := range grad {
			w[k] += 1.0 * (grad[k]/total - pull*(w[k]-prior[k]))
		}
	}
	return w
}

func TestTrain(t *testing.T) {
	if !*train {
		t.Skip("-train is not set")
	}
	var groups, held, all []group
	examples, lib := readExamples(t, "attribution/train/gensearch.dev.jsonl.gz")
	for _, ex := range examples {
		passages := lib.retrieve(ex.question, 8, nil)
		g := group{set: "gensearch", text: ex.question, weight: 2, list: Extractive{}.rated(ibid.Prompt{Question: ex.question, Passages: passages})}
		for _, c := range g.list {
			p := passages[c.passage]
			at := ibid.Anchor{Document: p.Chunk.At.Document, Span: c.at.Shift(p.Chunk.At.Span.Start)}
			g.gold = append(g.gold, hits(c.text, at, ex.gold, lib))
		}
		all = append(all, g)
		if !even(ex.question) {
			held = append(held, g)
		} else if g.any() {
			groups = append(groups, g)
		}
	}
	queries, lib := readQuestions(t)
	var ours, oursHeld []group
	for _, q := range queries {
		if q.gold == "" {
			continue
		}
		g := group{set: "ours", text: q.text, weight: 1, list: Extractive{}.rated(ibid.Prompt{Question: q.text, Passages: lib.retrieve(q.text, 8, nil)})}
		for _, c := range g.list {
			g.gold = append(g.gold, c.text == q.gold)
		}
		if !even(q.text) {
			oursHeld = append(oursHeld, g)
		} else if g.any() {
			ours = append(ours, g)
		}
	}
	bench := pseudo(t, "attribution/train/attributionbench_nolfqa.dev.jsonl.gz")
	expert := pseudo(t, "attribution/train/expertqa.dev.jsonl.gz")
	for i := range bench {
		bench[i].weight = 0.5
	}
	for i := range expert {
		expert[i].weight = 0.5
	}
	mix := append(append(append(append([]group{}, groups...), ours...), bench...), expert...)
	report := func(name string, w [featureCount + 1]float64) {
		line := name
		for _, s := range []struct {
			name string
			list []group
		}{{"gs-tune", groups}, {"gs-held", held}, {"gs-all", all}, {"ours-tune", ours}, {"ours-held", oursHeld}, {"bench", bench}, {"expert", expert}} {
			one, three := 0, 0
			for _, g := range s.list {
				a, b := g.topThree(&w)
				if a {
					one++
				}
				if b {
					three++
				}
			}
			line += fmt.Sprintf("  %s(%d) %.2f/%.2f", s.name, len(s.list), float64(one)/float64(len(s.list)), float64(three)/float64(len(s.list)))
		}
		t.Log(line)
	}
	report("now        ", weights)
	for _, pull := range []float64{0.03, 0.01, 0.003, 0.001} {
		w := learn(mix, weights, pull, 800)
		report(fmt.Sprintf("pull %.3f", pull), w)
		for k := range featureCount {
			fmt.Printf("%s: %.2f, ", names[k], w[k])
		}
		fmt.Println()
	}
}

var names = strings.Fields("fCover fCoverContext fCoverLean fCoverTitle fNames fPairs fNear fRelative fType fTypeCover fDefines fRank fOpens fShort fLong fLeans fRow fItem fDensity fPassage fFocus fAside fTalk")
