package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/ibid-dev/ibid/attribute"
)

// judgements are the log odds of support that a judge gave to the rows of each set, by a model that had not seen the
// family of the set. train/judged.py writes the file.
type judgements map[string][]float64

func readJudgements(file string) (judgements, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	out := judgements{}
	dec := json.NewDecoder(bufio.NewReader(z))
	for dec.More() {
		var line struct {
			Set  string    `json:"set"`
			Odds []float64 `json:"odds"`
		}
		if err := dec.Decode(&line); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out[line.Set] = line.Odds
	}
	return out, nil
}

// leftOut gives for each family of the training sets the model that saw nothing of it.
func leftOut(all []sample) map[string]attribute.Model {
	out := map[string]attribute.Model{}
	for _, s := range all {
		if _, done := out[s.family()]; !done && s.folder == "train" {
			out[s.family()] = train(all, s.family(), chosen)
		}
	}
	return out
}

// point is a row as the combination of words and judge sees it.
type point struct{ words, judge, y, w float64 }

// points are the judged rows of the training sets but those of one family. The score of the words comes from a model that
// had not seen the row's family either: the combination must not learn from opinions that were trained on their answers.
func points(all []sample, models map[string]attribute.Model, said judgements, without string) ([]point, error) {
	var out []point
	for _, s := range all {
		odds := said[s.name]
		if s.folder != "train" || s.family() == without || len(odds) != len(s.rows) || s.share() == 0 {
			continue
		}
		scores, err := attribute.Scores(models[s.family()], vectorsOf(s.rows))
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
			out = append(out, point{scores[i], odds[i], float64(k), s.share() / count[k]})
		}
	}
	return out, nil
}

// weigh fits the combination by weighted logistic regression, and the judge's usual opinion by least squares.
func weigh(ps []point) attribute.Judged {
	var b [3]float64
	for range 30 {
		var g [3]float64
		var h [3][3]float64
		for _, p := range ps {
			x := [3]float64{p.words, p.judge, 1}
			q := 1 / (1 + math.Exp(-(b[0]*x[0] + b[1]*x[1] + b[2])))
			for i := range 3 {
				g[i] += p.w * (p.y - q) * x[i]
				for j := range 3 {
					h[i][j] += p.w * q * (1 - q) * x[i] * x[j]
				}
			}
		}
		step := solve3(h, g)
		for i := range b {
			b[i] += step[i]
		}
	}
	var n, sx, sy, sxx, sxy float64
	for _, p := range ps {
		n, sx, sy, sxx, sxy = n+p.w, sx+p.w*p.words, sy+p.w*p.judge, sxx+p.w*p.words*p.words, sxy+p.w*p.words*p.judge
	}
	slope := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	return attribute.Judged{Words: round(b[0]), Judge: round(b[1]), Bias: round(b[2]), Slope: round(slope), Usual: round((sy - slope*sx) / n)}
}

// solve3 solves three equations by Cramer's rule.
func solve3(a [3][3]float64, b [3]float64) [3]float64 {
	det := func(m [3][3]float64) float64 {
		return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) - m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) + m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
	}
	d := det(a)
	var out [3]float64
	for k := range out {
		m := a
		for i := range m {
			m[i][k] = b[i]
		}
		out[k] = det(m) / d
	}
	return out
}
