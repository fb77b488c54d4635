// Command train makes the files that package attribute embeds, from the public data beside the checkout:
//
//	go run ./attribute/train background   # word counts
//	go run ./attribute/train lexicon DIR  # the extract of WordNet
//	go run ./attribute/train research     # the words of research, from the repository's folder
//	go run ./attribute/train fit [FILE]   # the weights; FILE holds a judge's opinions (train/judged.py)
//	go run ./attribute/train leave [FILE] # figures with each family left out in turn, of words or of words and judge
//	go run ./attribute/train sources      # sources and evidence found
//	go run ./attribute/train shown        # the weights of which sentence is shown, printed
//	go run ./attribute/train denial       # the weights of what is denied
//	go run ./attribute/train denial-leave # figures of it, with each family left out in turn
//	go run ./attribute/train dump DIR     # features of every set, for experiments
//	go run ./attribute/train readings FILE [DIR] # what a judge reads for every segment, for training one; DIR in place of the public data
//	go run ./attribute/train judge READINGS FILE # the opinions of the built-in judge on the eval sets, put into FILE
//	go run ./attribute/train judge READINGS FILE WEIGHTS FAMILY... # those of another model on families that it has not seen
package main

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/internal/testdata"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("say what to make: background, lexicon, research, fit, leave, sources, shown, dump, readings or judge")
	}
	root := filepath.Join(testdata.Root(), "attribution")
	switch args[0] {
	case "background":
		return makeBackground(root)
	case "lexicon":
		if len(args) != 2 {
			return fmt.Errorf("lexicon: name the dict folder of WordNet")
		}
		return makeLexicon(args[1])
	case "research":
		return makeResearch(root)
	case "fit":
		return fit(root, strings.Join(args[1:], ""))
	case "sources":
		return sources(root)
	case "shown":
		return shown(root)
	case "leave":
		return leave(root, strings.Join(args[1:], ""))
	case "denial":
		return fitDenial(root)
	case "denial-leave":
		return leaveDenial(root)
	case "dump":
		return dump(root, args[1])
	case "readings":
		switch len(args) {
		case 2:
			return readings(root, args[1])
		case 3:
			return readings(args[2], args[1])
		}
		return fmt.Errorf("readings: name the file to write, and the folder of the data if it is another")
	case "judge":
		switch {
		case len(args) == 3:
			return judgeEval(args[1], args[2])
		case len(args) > 4:
			return judgeLeft(args[1], args[2], args[3], args[4:])
		}
		return fmt.Errorf("judge: name the file of readings and the file of opinions, or these, a file of weights and the families it has not seen")
	}
	return fmt.Errorf("unknown %q", args[0])
}

// makeBackground counts in how many texts of the training data each word occurs.
func makeBackground(root string) error {
	sets, err := readSets(root, "train", "pairs")
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, s := range sets {
		seen := map[string]bool{}
		for _, r := range s.records {
			for _, src := range r.Sources {
				if seen[src.Text] {
					continue
				}
				seen[src.Text] = true
				for _, k := range attribute.Keys(src.Text) {
					counts[k]++
				}
			}
		}
	}
	type entry struct {
		key string
		n   int
	}
	var all []entry
	for k, n := range counts {
		if n >= 8 {
			all = append(all, entry{k, n})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.key, b.key)) })
	f, err := os.Create("attribute/internal/token/background.txt")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, e := range all {
		fmt.Fprintf(w, "%s %d\n", e.key, e.n)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// row is a segment with its features and what the data says of it.
type row struct {
	answer int
	label  string
	x      []float64
}

func rows(s set) []row { return rowsBy(s, attribute.Vectors) }

func rowsBy(s set, vectors func([]ibid.Passage, []ibid.Draft) [][]float64) []row {
	parts := make([][]row, len(s.records))
	var wg sync.WaitGroup
	next := make(chan int)
	for range 2 {
		wg.Go(func() {
			for i := range next {
				r := s.records[i]
				xs := vectors(r.passages(), r.drafts())
				for j, x := range xs {
					parts[i] = append(parts[i], row{i, r.Segments[j].Label, x})
				}
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

// dump writes the features of each set as float32, a JSON line of labels beside them.
func dump(root, dir string) error {
	sets, err := readSets(root, "train", "pairs", "eval")
	if err != nil {
		return err
	}
	type meta struct {
		Name, Folder, Family string
		Features             []string
		Labels               []string
		Answers              []int
	}
	for _, s := range sets {
		rs := rows(s)
		m := meta{Name: s.name, Folder: s.folder, Family: s.family(), Features: attribute.FeatureNames()}
		f, err := os.Create(filepath.Join(dir, s.name+".bin"))
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		for _, r := range rs {
			m.Labels = append(m.Labels, r.label)
			m.Answers = append(m.Answers, r.answer)
			for _, x := range r.x {
				binary.Write(w, binary.LittleEndian, math.Float32bits(float32(x)))
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
		f.Close()
		b, _ := json.Marshal(m)
		if err := os.WriteFile(filepath.Join(dir, s.name+".json"), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}
