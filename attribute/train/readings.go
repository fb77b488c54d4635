package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ibid-dev/ibid/attribute"
)

// reading is a labelled segment with the evidence that a judge would be given, in the order of the set's rows.
type reading struct {
	Set      string   `json:"set"`
	Folder   string   `json:"folder"`
	Family   string   `json:"family"`
	Row      int      `json:"row"`
	Label    string   `json:"label"`
	Claim    string   `json:"claim"`
	Evidence string   `json:"evidence"`
	Wrong    [][2]int `json:"wrong,omitempty"` // unsupported parts of the claim, in runes, as annotators marked them
	gold     []string // what annotators marked as evidence of a supported claim
}

// readings writes every labelled segment with its evidence, for training the entailment model, and prints for how many
// supported segments a judge reads all that annotators marked as evidence.
func readings(root, file string) error {
	sets, err := readSets(root, "train", "pairs", "eval")
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Clean(file))
	if err != nil {
		return err
	}
	z := gzip.NewWriter(f)
	w := bufio.NewWriter(z)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, s := range sets {
		whole, marked := 0, 0
		for i, r := range readingsOf(s) {
			r.Row = i
			if len(r.gold) > 0 {
				marked++
				if !slices.ContainsFunc(r.gold, func(g string) bool { return !strings.Contains(letters(r.Evidence), g) }) {
					whole++
				}
			}
			if err := enc.Encode(r); err != nil {
				return err
			}
		}
		if marked > 0 {
			fmt.Printf("%-30s %6d supported, all of the evidence read for %.3f\n", s.name, marked, float64(whole)/float64(marked))
		}
	}
	for _, c := range []func() error{w.Flush, z.Close, f.Close} {
		if err := c(); err != nil {
			return err
		}
	}
	return nil
}

func readingsOf(s set) []reading {
	parts := make([][]reading, len(s.records))
	var wg sync.WaitGroup
	next := make(chan int)
	for range 2 {
		wg.Go(func() {
			for i := range next {
				parts[i] = readRecord(s, s.records[i])
			}
		})
	}
	for i := range s.records {
		next <- i
	}
	close(next)
	wg.Wait()
	return slices.Concat(parts...)
}

func readRecord(s set, r record) []reading {
	var out []reading
	for j, evidence := range attribute.Readings(r.passages(), r.drafts()) {
		seg := r.Segments[j]
		x := reading{Set: s.name, Folder: s.folder, Family: s.family(), Label: seg.Label, Claim: seg.Text, Evidence: evidence}
		for _, w := range r.Spans {
			if from, to := max(w.Start, seg.Start), min(w.End, seg.End); from < to {
				x.Wrong = append(x.Wrong, [2]int{from - seg.Start, to - seg.Start})
			}
		}
		for _, g := range seg.Evidence {
			if text := letters(r.runes(g)); seg.Label == "supported" && len(text) >= 10 {
				x.gold = append(x.gold, text[:min(len(text), 80)])
			}
		}
		out = append(out, x)
	}
	return out
}

// runes gives the text that annotators marked.
func (r record) runes(g goldSpan) string {
	for _, s := range r.Sources {
		if s.ID == g.SourceID {
			return string([]rune(s.Text)[g.Start:g.End])
		}
	}
	return ""
}

// letters are a text's letters and digits alone, as white space and signs differ.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
