package llm

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"math"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/testdata"
)

var train = flag.Bool("train", false, "learn the weights of Extractive and print them")

// given is what learning is drawn towards: a guess, from what each feature means.
var given = [featureCount + 1]float64{
	fCover: 2.6, fCoverContext: 1.6, fCoverLean: 1.5, fCoverTitle: 1.7, fNames: 1.1, fNear: 0.6, fRelative: 1.6,
	fType: 1.2, fTypeCover: 1.8, fDefines: 1.2, fRank: 1.4, fOpens: 1.2, fShort: -1.4, fLong: 0.3, fLeans: -0.55,
	fRow: -0.8, fItem: -1.0, fAside: -1.5, fTalk: -0.6, fPlain: 0.5, fStrange: -1, featureCount: -6,
}

var featureNames = strings.Fields(`fCover fCoverContext fCoverLean fCoverTitle fNames fNear fRelative fType fTypeCover
 fDefines fRank fOpens fShort fLong fLeans fRow fItem fAside fTalk fPlain fStrange bias`)

// group is a question with its candidates, some of them gold.
type group struct {
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

// TestLearn makes the weights of score.go:
//
//	go test ./llm -run TestLearn -train -v
//
// It learns from half of gensearch and half of our own questions, where the gold sentence is known, and from claims that
// experts found supported by a source, where the sentences of that source with most of the claim's words are taken for
// gold. The other halves are for measuring.
func TestLearn(t *testing.T) {
	if !*train {
		t.Skip("learns only with -train")
	}
	var learned []group
	sets := map[string][]group{}
	take := func(name, question string, g group) {
		half := name + ", held out"
		if even(question) {
			half = name + ", learned from"
			if g.any() {
				learned = append(learned, g)
			}
		}
		sets[half] = append(sets[half], g)
	}
	examples, lib := readExamples(t, "attribution/train/gensearch.dev.jsonl.gz")
	for _, ex := range examples {
		q := parse(ex.question)
		passages := lib.retrieve(t, ex.question, nil, nil)
		g := group{weight: 2, list: Extractive{}.rank(&q, passages)}
		for _, c := range g.list {
			g.gold = append(g.gold, hits(c, passages, ex.gold, lib))
		}
		take("gensearch", ex.question, g)
	}
	queries, lib := readQuestions(t)
	for _, asked := range queries {
		q := parse(asked.text)
		g := group{weight: 1, list: Extractive{}.rank(&q, lib.retrieve(t, asked.text, nil, nil))}
		for _, c := range g.list {
			g.gold = append(g.gold, asked.has(c))
		}
		if asked.gold != "" {
			take("ours", asked.text, g)
		}
	}
	queries, lib = readSample(t)
	for _, asked := range queries {
		q := parse(asked.text)
		g := group{weight: 2, list: Extractive{}.rank(&q, lib.retrieve(t, asked.text, nil, nil))}
		for _, c := range g.list {
			g.gold = append(g.gold, asked.has(c))
		}
		take("sample", asked.text, g)
	}
	for _, name := range []string{"attributionbench_nolfqa.dev", "expertqa.dev"} {
		sets[name] = byClaims(t, "attribution/train/"+name+".jsonl.gz")
		learned = append(learned, sets[name]...)
	}
	report(t, "as it is", sets, weights)
	w := learn(learned, 0.003, 800)
	report(t, "as learned", sets, w)
	for k, v := range w {
		t.Logf("%s: %.2f", featureNames[k], v)
	}
}

// learn fits the weights by softmax over the candidates of each question, drawn towards the given ones.
func learn(groups []group, pull float64, rounds int) [featureCount + 1]float64 {
	w := given
	total := 0.0
	for _, g := range groups {
		total += g.weight
	}
	for range rounds {
		var grad [featureCount]float64
		for _, g := range groups {
			g.addGradient(&w, &grad)
		}
		for k := range grad {
			// Labels by word overlap favour long sentences and running text whatever the question; these two stay as given.
			if k != fLong && k != fItem {
				w[k] += grad[k]/total - pull*(w[k]-given[k])
			}
		}
	}
	return w
}

func (g group) addGradient(w *[featureCount + 1]float64, grad *[featureCount]float64) {
	var all, gold float64
	e := make([]float64, len(g.list))
	for i, c := range g.list {
		e[i] = math.Exp(oddsBy(w, c))
		all += e[i]
		if g.gold[i] {
			gold += e[i]
		}
	}
	for i, c := range g.list {
		p := -e[i] / all
		if g.gold[i] {
			p += e[i] / gold
		}
		for k, x := range c.features {
			grad[k] += g.weight * p * x
		}
	}
}

func oddsBy(w *[featureCount + 1]float64, c candidate) float64 {
	v := w[featureCount]
	for k, x := range c.features {
		v += w[k] * x
	}
	return v
}

func report(t *testing.T, what string, sets map[string][]group, w [featureCount + 1]float64) {
	var names []string
	for name := range sets {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		one, three := 0, 0
		for _, g := range sets[name] {
			switch at := g.first(&w); {
			case at == 1:
				one++
				three++
			case at > 1 && at <= 3:
				three++
			}
		}
		n := float64(len(sets[name]))
		t.Logf("%-12s %-30s n=%-4.0f hit@1 %.3f hit@3 %.3f", what, name, n, float64(one)/n, float64(three)/n)
	}
}

// first is the place of the first gold sentence, repetitions left out, or 0.
func (g group) first(w *[featureCount + 1]float64) int {
	order := make([]int, len(g.list))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return oddsBy(w, g.list[order[a]]) > oddsBy(w, g.list[order[b]]) })
	var chosen []candidate
	for _, i := range order {
		if repeats(g.list[i], chosen) {
			continue
		}
		chosen = append(chosen, g.list[i])
		if g.gold[i] {
			return len(chosen)
		}
	}
	return 0
}

// claim is a statement that some documents support.
type claim struct {
	roots map[string]bool
	docs  map[ibid.DocumentID]bool
}

// byClaims makes groups of a set that says which source supports which claim, but not where.
func byClaims(t testing.TB, name string) []group {
	t.Helper()
	lib := newLibrary()
	claims := map[string][]claim{}
	for _, line := range readLines(t, name) {
		var row struct {
			Question string
			Sources  []struct{ Title, Text string }
			Segments []struct{ Text, Label string }
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		docs := map[ibid.DocumentID]bool{}
		for _, s := range row.Sources {
			docs[lib.add(s.Title, s.Text)] = true
		}
		for _, s := range row.Segments {
			c := claim{map[string]bool{}, docs}
			for _, w := range readWords(s.Text, nil) {
				if !stopWords[w.lower] {
					c.roots[w.root] = true
				}
			}
			if s.Label == "supported" && len(c.roots) > 3 && len(row.Question) < 200 {
				claims[row.Question] = append(claims[row.Question], c)
			}
		}
	}
	lib.open(t)
	var questions []string
	for q := range claims {
		questions = append(questions, q)
	}
	sort.Strings(questions)
	var out []group
	for _, text := range questions {
		q := parse(text)
		passages := lib.retrieve(t, text, nil, nil)
		g := group{weight: 0.5, list: Extractive{}.rank(&q, passages)}
		for _, c := range g.list {
			g.gold = append(g.gold, supports(c, passages[c.passage].Chunk.At.Document, claims[text]))
		}
		if g.any() {
			out = append(out, g)
		}
	}
	return out
}

// supports reports whether a sentence has half of the words of a claim that its document supports.
func supports(c candidate, doc ibid.DocumentID, claims []claim) bool {
	for _, cl := range claims {
		both := 0
		for r := range cl.roots {
			if c.roots[r] {
				both++
			}
		}
		if cl.docs[doc] && 2*both >= len(cl.roots) {
			return true
		}
	}
	return false
}

// TestLearnWhenToRefuse makes the weights of answered. Each question is asked of its library, and of the library without
// the documents that answer it.
func TestLearnWhenToRefuse(t *testing.T) {
	if !*train {
		t.Skip("learns only with -train")
	}
	type sample struct {
		x [4]float64
		y bool
	}
	var all []sample
	take := func(question string, passages []ibid.Passage, y bool) {
		q := parse(question)
		list := Extractive{}.rank(&q, passages)
		if len(list) > 0 {
			cover, absent, strange := grounds(&q, passages, list)
			all = append(all, sample{[4]float64{cover, absent, list[0].odds, strange}, y})
		}
	}
	queries, lib := readQuestions(t)
	for _, q := range queries {
		take(q.text, lib.retrieve(t, q.text, nil, nil), q.gold != "")
		if q.gold != "" {
			take(q.text, lib.retrieve(t, q.text, nil, lib.holding(q.gold)), false)
		}
	}
	queries, lib = readSample(t)
	for _, q := range queries {
		take(q.text, lib.retrieve(t, q.text, nil, nil), true)
	}
	for _, question := range notInSample {
		take(question, lib.retrieve(t, question, nil, nil), false)
	}
	examples, lib := readExamples(t, "attribution/train/gensearch.dev.jsonl.gz")
	for _, ex := range examples {
		take(ex.question, lib.retrieve(t, ex.question, nil, nil), true)
		take(ex.question, lib.retrieve(t, ex.question, nil, ex.docs), false)
	}
	w := [5]float64{}
	for range 20000 {
		var grad [5]float64
		for _, s := range all {
			e := -1 / (1 + math.Exp(-(w[0]*s.x[0] + w[1]*s.x[1] + w[2]*s.x[2] + w[3]*s.x[3] + w[4])))
			if s.y {
				e++
			}
			for k, x := range s.x {
				grad[k] += e * x
			}
			grad[4] += e
		}
		for k := range w {
			w[k] += 0.1 * (grad[k]/float64(len(all)) - 0.001*w[k])
		}
	}
	t.Logf("answerCover %.2f answerAbsent %.2f answerOdds %.2f answerNames %.2f answerBias %.2f", w[0], w[1], w[2], w[3], w[4])
}

// readLines reads a gzipped file of lines.
func readLines(t testing.TB, name string) [][]byte {
	t.Helper()
	f, err := os.Open(testdata.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for in := bufio.NewReaderSize(z, 1<<20); ; {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			out = append(out, line)
		}
		if err != nil {
			return out
		}
	}
}
