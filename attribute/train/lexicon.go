package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid/attribute"
)

// The lexicon is a small extract of WordNet: for the words of the background, which words mean the same, which are more
// general, and which are opposites. It reads the dict folder of a WordNet 3.x distribution.

type synset struct {
	words    []string
	pointers []pointer
}

type pointer struct {
	symbol, to   string // to is part of speech and offset
	source, goal int    // 1-based words, 0 for the whole synset
}

type wordnet struct {
	synsets map[string]synset
	senses  map[string][]string // lemma and part of speech -> synsets, the most frequent first
}

func readWordNet(dir string) (*wordnet, error) {
	w := &wordnet{synsets: map[string]synset{}, senses: map[string][]string{}}
	for pos, file := range map[string]string{"n": "noun", "v": "verb", "a": "adj", "r": "adv"} {
		err := eachLine(filepath.Join(dir, "data."+file), func(f []string) {
			s := synset{}
			n, _ := strconv.ParseInt(f[3], 16, 32)
			for i := range int(n) {
				word, _, _ := strings.Cut(f[4+2*i], "(")
				s.words = append(s.words, word)
			}
			k := 4 + 2*int(n)
			count, _ := strconv.Atoi(f[k])
			for i := range count {
				q := f[k+1+4*i : k+5+4*i]
				ends, _ := strconv.ParseInt(q[3], 16, 32)
				s.pointers = append(s.pointers, pointer{q[0], strings.Replace(q[2], "s", "a", 1) + q[1], int(ends >> 8), int(ends & 255)})
			}
			w.synsets[pos+f[0]] = s
		})
		if err != nil {
			return nil, err
		}
		err = eachLine(filepath.Join(dir, "index."+file), func(f []string) {
			p, _ := strconv.Atoi(f[3])
			for _, offset := range f[6+p:] {
				w.senses[pos+f[0]] = append(w.senses[pos+f[0]], pos+offset)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}

func eachLine(file string, do func([]string)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := lines.Text(); !strings.HasPrefix(line, " ") {
			do(strings.Fields(line))
		}
	}
	return lines.Err()
}

// entry is what the lexicon says of one word.
type entry struct{ same, general, opposite map[string]bool }

const senses = 3 // senses of a word that count, by frequency

func makeLexicon(dir string) error {
	w, err := readWordNet(dir)
	if err != nil {
		return err
	}
	known := knownKeys()
	lexicon := map[string]*entry{}
	at := func(word string) *entry {
		k := key(word)
		if k == "" || !known[k] {
			return nil
		}
		if lexicon[k] == nil {
			lexicon[k] = &entry{map[string]bool{}, map[string]bool{}, map[string]bool{}}
		}
		return lexicon[k]
	}
	for _, lemma := range slices.Sorted(maps.Keys(w.senses)) {
		e := at(lemma[1:])
		if e == nil {
			continue
		}
		for i, id := range w.senses[lemma] {
			if i == senses {
				break
			}
			w.collect(e, lemma[1:], id, i)
		}
	}
	out, err := os.Create("attribute/lexicon.txt")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(out)
	for _, k := range slices.Sorted(maps.Keys(lexicon)) {
		e := lexicon[k]
		list := func(m map[string]bool) string {
			var l []string
			for _, word := range slices.Sorted(maps.Keys(m)) {
				if o := key(word); o != "" && o != k && known[o] {
					l = append(l, o)
				}
			}
			slices.Sort(l)
			return strings.Join(slices.Compact(l), " ")
		}
		if s, g, o := list(e.same), list(e.general), list(e.opposite); s+g+o != "" {
			fmt.Fprintf(b, "%s|%s|%s|%s\n", k, s, g, o)
		}
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return out.Close()
}

// collect adds one sense of a lemma to its entry.
func (w *wordnet) collect(e *entry, lemma, id string, rank int) {
	s := w.synsets[id]
	mine := 0
	for i, word := range s.words {
		if strings.EqualFold(word, lemma) {
			mine = i + 1
		}
		e.same[word] = true
	}
	for _, p := range s.pointers {
		if p.source != 0 && p.source != mine {
			continue
		}
		target := w.synsets[p.to]
		words := target.words
		if p.goal > 0 && p.goal <= len(words) {
			words = words[p.goal-1 : p.goal]
		}
		for _, word := range words {
			switch p.symbol {
			case "+", "\\", "<": // derived forms
				e.same[word] = true
			case "&": // similar adjectives
				if rank == 0 {
					e.general[word] = true
				}
			case "@", "@i", "*", ">": // more general, entailed, caused
				e.general[word] = true
			case "!":
				e.opposite[word] = true
			}
		}
		if (p.symbol == "@" || p.symbol == "@i") && rank < 2 {
			for _, q := range target.pointers { // one level more
				if q.symbol == "@" {
					for _, word := range w.synsets[q.to].words {
						e.general[word] = true
					}
				}
			}
		}
		if p.symbol == "&" { // the opposite of a similar adjective
			for _, q := range target.pointers {
				if q.symbol == "!" {
					for _, word := range w.synsets[q.to].words {
						e.opposite[word] = true
					}
				}
			}
		}
	}
}

// key is the normal form of a single word, "" for a phrase.
func key(word string) string {
	if strings.ContainsAny(word, "_-'.0123456789") {
		return ""
	}
	k := attribute.Keys(strings.ToLower(word))
	if len(k) != 1 || len(k[0]) < 3 {
		return ""
	}
	return k[0]
}

// knownKeys are the words of the background that are neither rare nor so common that they mean anything.
func knownKeys() map[string]bool {
	m := map[string]bool{}
	b, err := os.ReadFile("attribute/internal/token/background.txt")
	if err != nil {
		return m
	}
	for line := range strings.Lines(string(b)) {
		k, _, _ := strings.Cut(line, " ")
		m[k] = true
	}
	return m
}
