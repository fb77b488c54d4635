// Package bench measures the library at work on made-up text: how fast it is read in, how fast it is asked, and how both
// grow. README.md says how to run it and what came out.
package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// Corpus makes Markdown files that look like real ones to a program: words as frequent as in a language, headings,
// paragraphs, lists, numbers and names. The same seed makes the same files. No text is copied from anywhere.
type Corpus struct {
	words []string
	upTo  []float64 // running sum of the words' frequencies
}

const vocabulary = 60_000

// NewCorpus makes a vocabulary.
func NewCorpus(seed uint64) *Corpus {
	r := rand.New(rand.NewPCG(seed, 1))
	c := &Corpus{words: strings.Fields(`the of and to a in is that for it as was with be by on not he his but at are this have from or had an
		they which one you were her all she there would their we him been has when who will more no if out so said what up its about into
		than them can only other new some could time these two may then do first any my now such like our over man me even most made after`)}
	onsets := strings.Fields("b c d f g h k l m n p r s t v w br cl dr fl gr pl pr sl st tr th sh ch")
	vowels := strings.Fields("a e i o u ai ea io ou")
	ends := []string{"", "", "n", "r", "s", "t", "l", "nd", "ck", "m"}
	endings := []string{"", "", "", "s", "ed", "ing", "er", "ion", "al", "ly", "ness"}
	seen := map[string]bool{}
	for len(c.words) < vocabulary {
		var w strings.Builder
		for range 1 + r.IntN(3) {
			w.WriteString(onsets[r.IntN(len(onsets))] + vowels[r.IntN(len(vowels))] + ends[r.IntN(len(ends))])
		}
		word := w.String() + endings[r.IntN(len(endings))]
		if !seen[word] {
			seen[word] = true
			c.words = append(c.words, word)
		}
	}
	sum := 0.0
	for i := range c.words {
		sum += 1 / math.Pow(float64(i)+2.7, 1.07)
		c.upTo = append(c.upTo, sum)
	}
	return c
}

// File makes the n-th file, of about size bytes.
func (c *Corpus) File(n, size int) string {
	r := rand.New(rand.NewPCG(uint64(n), 2))
	topic := make([]string, 12) // words that this file keeps coming back to
	for i := range topic {
		topic[i] = c.words[200+r.IntN(vocabulary-200)]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %d\n\n", title(topic[:3]), n)
	for b.Len() < size {
		if r.IntN(4) == 0 {
			fmt.Fprintf(&b, "## %s\n\n", title([]string{topic[r.IntN(12)], c.word(r)}))
		}
		if r.IntN(8) == 0 {
			for range 2 + r.IntN(5) {
				b.WriteString("- " + c.sentence(r, topic) + "\n")
			}
			b.WriteString("\n")
			continue
		}
		for range 2 + r.IntN(6) {
			b.WriteString(c.sentence(r, topic) + " ")
		}
		b.WriteString("\n\n")
	}
	return b.String()
}

// Question makes a question about the n-th file: some of its own words among common ones.
func (c *Corpus) Question(n int) string {
	r := rand.New(rand.NewPCG(uint64(n), 2))
	topic := make([]string, 12)
	for i := range topic {
		topic[i] = c.words[200+r.IntN(vocabulary-200)]
	}
	r = rand.New(rand.NewPCG(uint64(n), 3))
	words := []string{"what", "is", "the", topic[r.IntN(12)], "of", topic[r.IntN(12)]}
	for range 2 + r.IntN(5) {
		words = append(words, c.word(r))
	}
	return strings.Join(words, " ") + "?"
}

func (c *Corpus) word(r *rand.Rand) string {
	x := r.Float64() * c.upTo[len(c.upTo)-1]
	low, high := 0, len(c.upTo)-1
	for low < high {
		if mid := (low + high) / 2; c.upTo[mid] < x {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return c.words[low]
}

func (c *Corpus) sentence(r *rand.Rand, topic []string) string {
	words := make([]string, 6+r.IntN(18))
	for i := range words {
		switch r.IntN(20) {
		case 0:
			words[i] = topic[r.IntN(len(topic))]
		case 1:
			words[i] = fmt.Sprint(r.IntN(2000))
		default:
			words[i] = c.word(r)
		}
	}
	words[0] = title(words[:1])
	return strings.Join(words, " ") + "."
}

func title(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(out, " ")
}
