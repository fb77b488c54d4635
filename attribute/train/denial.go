package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/ibid-dev/ibid/attribute"
)

// contradicted against all else: what is denied, not what merely lacks support.
func contradicted(label string) int {
	if label == "contradicted" {
		return 1
	}
	return 0
}

// denialShare is how much a set counts in learning what a denial looks like. Both classes of a set count alike.
func denialShare(s set) float64 {
	switch {
	case strings.HasSuffix(s.name, other):
		return 0.2
	case s.folder == "eval":
		return 0
	}
	switch s.name {
	case "fm2.dev", "summedits.dev", "fever.dev", "mnli_m.dev":
		return 1
	case "conjnli.train", "citation_integrity.all":
		return 0.5
	case "snli.dev", "cad_snli.train", "fever_nei.dev":
		return 0.3
	case "conjnli.dev":
		return 0.2
	}
	return 0
}

// other is the end of the name of a set whose claims stand beside texts of other records: nobody denies them there.
const other = ".other"

func beside(s set) set {
	o := set{name: s.name + other, folder: s.folder}
	for i := 0; i < len(s.records); i += 3 {
		r := s.records[i]
		r.Sources = s.records[(i+len(s.records)/2)%len(s.records)].Sources
		r.Segments = append(r.Segments[:0:0], r.Segments...)
		for j := range r.Segments {
			r.Segments[j].Label = "unsupported"
		}
		o.records = append(o.records, r)
	}
	return o
}

// denialSets are the sets that denials are learned from, and those they are measured on.
func denialSets(root string) ([]sample, error) {
	sets, err := readSets(root, "train", "pairs", "eval")
	if err != nil {
		return nil, err
	}
	var out []sample
	for _, s := range sets {
		if denialShare(s) == 0 && !measured(s.name) {
			continue
		}
		out = append(out, sample{s, denialRows(s)})
		switch s.name {
		case "fm2.dev", "summedits.dev", "fever.dev", "mnli_m.dev":
			o := beside(s)
			out = append(out, sample{o, denialRows(o)})
		}
	}
	return out, nil
}

func measured(name string) bool {
	switch name {
	case "fm2.dev", "summedits.dev", "healthver.dev", "scifact.dev", "scifact.train", "lfqa.dev", "fever.dev", "mnli_m.dev":
		return true
	}
	return false
}

func denialRows(s set) []row {
	return rowsBy(s, attribute.DenialVectors)
}

// trainDenial fits the model on all samples but those of one family.
func trainDenial(all []sample, without string, s settings) attribute.Model {
	var names []string
	var cols, dir []int
	for i, n := range attribute.DenialNames() {
		if d, used := attribute.DenialDirection(n); used {
			names, cols, dir = append(names, n), append(cols, i), append(dir, d)
		}
	}
	var x [][]float64
	var y, w []float64
	for _, set := range all {
		share := denialShare(set.set)
		if share == 0 || set.family() == without {
			continue
		}
		var count [2]float64
		for _, r := range set.rows {
			if r.x != nil {
				count[contradicted(r.label)]++
			}
		}
		for _, r := range set.rows {
			if r.x == nil {
				continue
			}
			v := make([]float64, len(cols))
			for j, c := range cols {
				v[j] = r.x[c]
			}
			k := contradicted(r.label)
			x, y, w = append(x, v), append(y, float64(k)), append(w, share/count[k])
		}
	}
	mean := 0.0
	for _, v := range w {
		mean += v / float64(len(w))
	}
	for i := range w {
		w[i] /= mean
	}
	m := boost(newTable(x, y, w, dir), names, s)
	m.Bias = math.Log(denialPrior / (1 - denialPrior))
	return m
}

// denialPrior is how many statements that are about the same thing contradict each other, taken for granted. The sets
// have a third to a half of them, as they were made to; what people write has few.
const denialPrior = 0.1

var denialSettings = settings{rounds: 150, leaves: 6, rate: 0.08, l2: 10, minHess: 20, rows: 0.7, columns: 0.6, seed: 1}

func fitDenial(root string) error {
	all, err := denialSets(root)
	if err != nil {
		return err
	}
	models := map[string]attribute.Model{}
	for _, without := range []string{"", "fm2", "summedits"} {
		m := trainDenial(all, without, denialSettings)
		m.Note = "made by: go run ./attribute/train denial"
		models[without] = m
	}
	b, err := json.Marshal(models)
	if err != nil {
		return err
	}
	return os.WriteFile("attribute/denial.json", append(b, '\n'), 0o644)
}

// leaveDenial prints how well denials are told from all else, each training set judged by a model that saw nothing of its
// family.
func leaveDenial(root string) error {
	all, err := denialSets(root)
	if err != nil {
		return err
	}
	models := map[string]attribute.Model{"": trainDenial(all, "", denialSettings)}
	var pooledY []int
	var pooledP []float64
	sum, sets := 0.0, 0.0
	fmt.Printf("%-20s %8s %8s %8s\n", "set", "segments", "denied", "auroc")
	var sciY []int
	var sciP []float64
	for _, s := range all {
		if !measured(s.name) {
			continue
		}
		key := ""
		if denialShare(s.set) > 0 {
			key = s.family()
		}
		if _, ok := models[key]; !ok {
			models[key] = trainDenial(all, key, denialSettings)
		}
		p, err := attribute.PredictDenial(models[key], vectorsOf(s.rows))
		if err != nil {
			return err
		}
		var y []int
		n := 0
		for _, r := range s.rows {
			y = append(y, contradicted(r.label))
			n += contradicted(r.label)
		}
		if s.name == "lfqa.dev" {
			alarms(s, p)
			continue
		}
		a := auroc(y, p)
		fmt.Printf("%-20s %8d %8d %8.3f\n", s.name, len(y), n, a)
		switch s.name {
		case "fever.dev", "mnli_m.dev":
			continue
		case "scifact.dev", "scifact.train":
			sciY, sciP = append(sciY, y...), append(sciP, p...)
		default:
			sum, sets = sum+a, sets+1
		}
		pooledY, pooledP = append(pooledY, y...), append(pooledP, p...)
	}
	fmt.Printf("%-20s %8d %8s %8.3f\n%-20s %8s %8s %8.3f\n", "pooled", len(pooledY), "", auroc(pooledY, pooledP), "mean of the four", "", "", (sum+auroc(sciY, sciP))/(sets+1))
	return nil
}

// alarms prints how many supported segments would be called denied, by threshold.
func alarms(s sample, p []float64) {
	for _, least := range []float64{0.3, 0.4, 0.5, 0.6} {
		n, hit := 0, 0
		for i, r := range s.rows {
			if r.label == "supported" {
				n++
				if p[i] >= least {
					hit++
				}
			}
		}
		fmt.Printf("%-20s supported %d, called denied at %.1f: %.4f\n", s.name, n, least, float64(hit)/float64(n))
	}
}
