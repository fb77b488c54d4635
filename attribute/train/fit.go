package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute"
)

// sample is a set turned into features.
type sample struct {
	set
	rows []row
}

// share is how much a set counts in training beside the others. Within a set both classes count alike, so that the
// probability does not learn the base rate of any one set.
func (s sample) share() float64 {
	switch {
	case strings.HasPrefix(s.name, "wice_tokens"):
		return 0.3
	case s.folder == "train":
		return 1
	case strings.HasPrefix(s.name, "sts"), strings.HasPrefix(s.name, "wnli"), strings.HasPrefix(s.name, "hans"):
		return 0 // made so that words mislead
	case strings.HasPrefix(s.name, "paws"):
		return 0.05
	case s.folder == "pairs":
		return 0.12
	}
	return 0
}

func samples(root string, folders ...string) ([]sample, error) {
	sets, err := readSets(root, folders...)
	if err != nil {
		return nil, err
	}
	var out []sample
	for _, s := range sets {
		out = append(out, sample{s, rows(s)})
	}
	return out, nil
}

// train fits the model on all samples but those of one family.
func train(all []sample, without string, s settings) attribute.Model {
	var names []string
	var cols, dir []int
	for i, n := range attribute.FeatureNames() {
		if d := attribute.Direction(n); d != 0 {
			names, cols, dir = append(names, n), append(cols, i), append(dir, d)
		}
	}
	var x [][]float64
	var y, w []float64
	for _, set := range all {
		if set.family() == without || set.share() == 0 {
			continue
		}
		// Sets count by their share, not by their size: a part of a large one says the same in less time.
		var picked []row
		for i := 0; i < len(set.rows); i += max(1, len(set.rows)/enough) {
			picked = append(picked, set.rows[i])
		}
		count := [2]float64{}
		for _, r := range picked {
			count[positive(r.label)]++
		}
		for _, r := range picked {
			v := make([]float64, len(cols))
			for j, c := range cols {
				v[j] = r.x[c]
			}
			k := positive(r.label)
			x, y, w = append(x, v), append(y, float64(k)), append(w, set.share()/count[k])
		}
	}
	mean := 0.0
	for _, v := range w {
		mean += v / float64(len(w))
	}
	for i := range w {
		w[i] /= mean
	}
	t := newTable(x, y, w, dir)
	return mean3(boost(t, names, s), boost(t, names, s.with(2)), boost(t, names, s.with(3)))
}

// enough is how many rows of a set training looks at, about.
const enough = 1500

func (s settings) with(seed uint64) settings {
	s.seed = seed
	return s
}

// mean3 averages models that differ by chance alone: what they agree on stays.
func mean3(ms ...attribute.Model) attribute.Model {
	out := ms[0]
	out.Scale, out.Denied = 1/float64(len(ms)), 0.8
	for _, m := range ms[1:] {
		out.Trees = append(out.Trees, m.Trees...)
	}
	return out
}

// positive is 1 where the data says supported. Partial support, none and contradiction are all not supported.
func positive(label string) int {
	if label == "supported" {
		return 1
	}
	return 0
}

// fit writes the weights. With judgements it fits the combination of words and judge too; without, that stays as it was.
func fit(root, judged string) error {
	all, err := samples(root, "train", "pairs")
	if err != nil {
		return err
	}
	m := train(all, "", chosen)
	m.Note = "made by: go run ./attribute/train fit JUDGEMENTS"
	if judged == "" {
		old, err := os.ReadFile("attribute/model.json")
		if err != nil {
			return err
		}
		var was attribute.Model
		if err := json.Unmarshal(old, &was); err != nil {
			return err
		}
		m.Judged = was.Judged
	} else {
		said, err := readJudgements(judged)
		if err != nil {
			return err
		}
		ps, err := points(all, leftOut(all, said), said, "")
		if err != nil {
			return err
		}
		m.Judged = weigh(ps)
	}
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile("attribute/model.json", append(b, '\n'), 0o644)
}

// leave trains without each family in turn and prints what the model makes of it; eval sets are judged by the model of
// all training sets. With judgements, words and judge decide together; what the combination is fitted on leaves the
// family out as well. Of the pairs those count that were judged by a model that had not seen them.
func leave(root, judged string) error {
	all, err := samples(root, "train", "pairs", "eval")
	if err != nil {
		return err
	}
	said := judgements{}
	if judged != "" {
		if said, err = readJudgements(judged); err != nil {
			return err
		}
	}
	models := leftOut(all, said)
	models[""] = train(all, "", chosen)
	if judged != "" {
		fitted := map[string]attribute.Judged{}
		for family := range models {
			ps, err := points(all, models, said, family)
			if err != nil {
				return err
			}
			fitted[family] = weigh(ps)
		}
		for family, m := range models {
			m.Judged = fitted[family]
			models[family] = m
		}
	}
	fmt.Printf("%-30s %8s %8s %8s %8s %8s %8s %8s\n", "set", "segments", "balanced", "best", "auroc", "ece", "ece eq.", "loss eq.")
	line := func(name string, y []int, p []float64) {
		fmt.Printf("%-30s %8d %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f\n", name, len(y), balanced(y, p, 0.5), best(y, p), auroc(y, p), calibration(y, p, false), calibration(y, p, true), missed(y, p))
	}
	lost := map[string][]float64{}
	var every []int
	var everyP []float64
	for _, s := range all {
		odds := said[s.name]
		if s.folder == "pairs" && odds == nil {
			continue
		}
		m := models[""]
		if s.folder != "eval" {
			m = models[s.family()]
		}
		if judged != "" && len(odds) != len(s.rows) {
			fmt.Printf("%-30s %8d not judged\n", s.name, len(s.rows))
			continue
		}
		p, err := attribute.Predict(m, vectorsOf(s.rows), odds)
		if err != nil {
			return err
		}
		var y []int
		for _, r := range s.rows {
			y = append(y, positive(r.label))
		}
		if s.folder != "pairs" {
			every, everyP = append(every, y...), append(everyP, p...)
		}
		if l := missed(y, p); s.folder != "eval" && !math.IsNaN(l) {
			lost[s.family()] = append(lost[s.family()], l)
		}
		line(s.name, y, p)
	}
	line("all", every, everyP)
	mean := 0.0
	for _, ls := range lost {
		for _, l := range ls {
			mean += l / float64(len(ls)*len(lost))
		}
	}
	fmt.Printf("loss of the families left out, by which ways of combining are chosen: %.4f\n", mean)
	return nil
}

func vectorsOf(rs []row) [][]float64 {
	var out [][]float64
	for _, r := range rs {
		out = append(out, r.x)
	}
	return out
}

// best is the balanced accuracy at the threshold that suits the set best: what is lost to a threshold that is the same for all.
func best(y []int, p []float64) float64 {
	out := 0.0
	for i := 1; i < 100; i++ {
		out = max(out, balanced(y, p, float64(i)/100))
	}
	return out
}

func balanced(y []int, p []float64, threshold float64) float64 {
	var hit, n [2]float64
	for i, k := range y {
		n[k]++
		if (p[i] >= threshold) == (k == 1) {
			hit[k]++
		}
	}
	if n[0] == 0 || n[1] == 0 {
		return (hit[0] + hit[1]) / (n[0] + n[1])
	}
	return (hit[0]/n[0] + hit[1]/n[1]) / 2
}

func auroc(y []int, p []float64) float64 {
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	var sum, pos, neg float64
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && p[order[j]] == p[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			if y[k] == 1 {
				sum += float64(i+j+1) / 2
				pos++
			} else {
				neg++
			}
		}
		i = j
	}
	if pos == 0 || neg == 0 {
		return math.NaN()
	}
	return (sum - pos*(pos+1)/2) / (pos * neg)
}

// missed is the mean logarithm of what was thought of the truth, with both classes weighted alike; NaN where there is only one.
func missed(y []int, p []float64) float64 {
	var sum, n [2]float64
	for i, k := range y {
		q := min(max(p[i], 1e-6), 1-1e-6)
		if k == 0 {
			q = 1 - q
		}
		sum[k] -= math.Log(q)
		n[k]++
	}
	return (sum[0]/n[0] + sum[1]/n[1]) / 2
}

// calibration is the expected calibration error in ten bins, as it is or with both classes weighted alike.
func calibration(y []int, p []float64, equal bool) float64 {
	var n [2]float64
	for _, k := range y {
		n[k]++
	}
	var weight, sumP, sumY [10]float64
	total := 0.0
	for i, k := range y {
		w := 1.0
		if equal && n[k] > 0 {
			w = 1 / n[k]
		}
		b := min(9, int(p[i]*10))
		weight[b] += w
		sumP[b] += w * p[i]
		sumY[b] += w * float64(k)
		total += w
	}
	e := 0.0
	for b := range weight {
		if weight[b] > 0 {
			e += math.Abs(sumP[b]-sumY[b]) / total
		}
	}
	return e
}
