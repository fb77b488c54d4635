package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/entail"
)

// judgements are the log odds of support that a judge gave to the rows of each set, by a model that had not seen the
// family of the set. train/judged.py writes the file.
type judgements map[string][]float64

// opinions is a line of the file: what was said of the rows of a set, in their order.
type opinions struct {
	Set  string    `json:"set"`
	Odds []float64 `json:"odds"`
}

func readJudgements(file string) (judgements, error) {
	out := judgements{}
	return out, eachJSON(file, func(o opinions) { out[o.Set] = o.Odds })
}

// eachJSON reads the JSON lines of a gzipped file.
func eachJSON[T any](file string, do func(T)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	dec := json.NewDecoder(bufio.NewReader(z))
	for dec.More() {
		var line T
		if err := dec.Decode(&line); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		do(line)
	}
	return nil
}

// judgeEval puts into a file of opinions those of the built-in judge on the eval sets, which it learned nothing from.
func judgeEval(readings, file string) error {
	judge, err := entail.Open()
	if err != nil {
		return err
	}
	return judgeSome(judge, readings, file, func(r reading) bool { return r.Folder == "eval" })
}

// judgeLeft puts in those of another model, on the families that it learned nothing from.
func judgeLeft(readings, file, weights string, families []string) error {
	b, err := os.ReadFile(weights)
	if err != nil {
		return err
	}
	judge, err := entail.Load(b)
	if err != nil {
		return fmt.Errorf("%s: %w", weights, err)
	}
	return judgeSome(judge, readings, file, func(r reading) bool { return slices.Contains(families, r.Family) })
}

// judgeSome puts a judge's opinions on some of the readings into a file.
func judgeSome(judge *entail.Model, readings, file string, wanted func(reading) bool) error {
	said, err := readJudgements(file)
	if err != nil {
		return err
	}
	pairs := map[string][]ibid.Pair{}
	err = eachJSON(readings, func(r reading) {
		if wanted(r) {
			pairs[r.Set] = append(pairs[r.Set], ibid.Pair{Evidence: r.Evidence, Claim: r.Claim})
		}
	})
	if err != nil {
		return err
	}
	for set, ps := range pairs {
		raws, err := judge.Logits(context.Background(), ps)
		if err != nil {
			return err
		}
		said[set] = nil
		for _, r := range raws {
			against := math.Log(math.Exp(float64(r.Logits[1])) + math.Exp(float64(r.Logits[2])))
			odds := min(max(float64(r.Logits[0])-against, -9.2), 9.2)
			said[set] = append(said[set], math.Round(odds*1000)/1000)
		}
	}
	return writeJudgements(file, said)
}

func writeJudgements(file string, said judgements) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	z := gzip.NewWriter(f)
	enc := json.NewEncoder(z)
	for _, set := range slices.Sorted(maps.Keys(said)) {
		if err := enc.Encode(opinions{set, said[set]}); err != nil {
			return err
		}
	}
	return errors.Join(z.Close(), f.Close())
}

// leftOut gives for each family of the training sets, and of the pairs that were judged, the model that saw nothing of it.
func leftOut(all []sample, said judgements) map[string]attribute.Model {
	out := map[string]attribute.Model{}
	for _, s := range all {
		if _, done := out[s.family()]; !done && (s.folder == "train" || s.folder == "pairs" && said[s.name] != nil) {
			out[s.family()] = train(all, s.family(), chosen)
		}
	}
	return out
}

// point is a row as the combination of words and judge sees it.
type point struct {
	words, beside, judge, short, research, y, w float64
	aside                                       bool // only what reads like research is weighed by it
}

// points are the judged rows of the training sets and of the set of citations, but those of one family. The score of the words comes from a model that
// had not seen the row's family either: the combination must not learn from opinions that were trained on their answers.
func points(all []sample, models map[string]attribute.Model, said judgements, without string) ([]point, error) {
	var out []point
	for _, s := range all {
		odds := said[s.name]
		aside := s.name == citations
		if s.folder != "train" && !aside || s.family() == without || len(odds) != len(s.rows) || s.share() == 0 {
			continue
		}
		share := s.share()
		if aside {
			share = 1
		}
		m := models[s.family()]
		scores, err := attribute.Scores(m, vectorsOf(s.rows))
		if err != nil {
			return nil, err
		}
		var count [2]float64
		for _, r := range s.rows {
			count[positive(r.label)]++
		}
		if count[1] == 0 {
			continue
		}
		for i, r := range s.rows {
			k := positive(r.label)
			beside, short, research := attribute.Beside(m, r.x, scores[i], odds[i])
			out = append(out, point{scores[i], beside, odds[i], short, research, float64(k), share / count[k], aside})
		}
	}
	return out, nil
}

// heed is how much the words count beside the judge. It is not fitted: that would be beside the opinions of models that stand in for the judge where a
// family is left out. These know less than the judge that is shipped, and words that make up for it there mislead it in use (LOG.md).
const heed = 0.7

// weigh fits the combination by weighted logistic regression, and the judge's usual opinion by least squares. How short the
// sources are is weighed after the others, which stay as they are: it speaks for short sources and not against long ones. So is
// what reads like research, last, with the set of citations beside the others.
func weigh(all []point) attribute.Judged {
	ps := slices.DeleteFunc(slices.Clone(all), func(p point) bool { return p.aside })
	both := func(p point) float64 { return heed*p.beside + p.judge }
	var judge, bias float64
	for range 30 {
		var g0, g1, h00, h01, h11 float64
		for _, p := range ps {
			x := both(p)
			q := sigmoid(judge*x + bias)
			g, h := p.w*(p.y-q), p.w*q*(1-q)
			g0, g1, h00, h01, h11 = g0+g*x, g1+g, h00+h*x*x, h01+h*x, h11+h
		}
		det := h00*h11 - h01*h01
		judge, bias = judge+(g0*h11-g1*h01)/det, bias+(g1*h00-g0*h01)/det
	}
	first := func(p point) float64 { return judge*both(p) + bias }
	short := added(ps, func(p point) float64 { return p.short }, first)
	research := added(all, func(p point) float64 { return p.research }, func(p point) float64 { return first(p) + short*p.short })
	var n, sx, sy, sxx, sxy float64
	for _, p := range ps {
		n, sx, sy, sxx, sxy = n+p.w, sx+p.w*p.words, sy+p.w*p.judge, sxx+p.w*p.words*p.words, sxy+p.w*p.words*p.judge
	}
	slope := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	return attribute.Judged{Words: round(heed * judge), Judge: round(judge), Bias: round(bias), Short: round(short), Research: round(max(0, research)), Slope: round(slope), Usual: round((sy - slope*sx) / n)}
}

// added is the weight of one more fact beside a score that stays as it is.
func added(ps []point, fact, score func(point) float64) float64 {
	weight := 0.0
	for range 30 {
		var g, h float64
		for _, p := range ps {
			x := fact(p)
			q := sigmoid(score(p) + weight*x)
			g += p.w * (p.y - q) * x
			h += p.w * q * (1 - q) * x * x
		}
		weight += g / h
	}
	return weight
}
