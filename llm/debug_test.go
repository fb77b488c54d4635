package llm

import (
	"fmt"
	"github.com/ibid-dev/ibid"
	"testing"
)

func TestDebugGS(t *testing.T) {
	examples, lib := readExamples(t, "attribution/train/gensearch.dev.jsonl.gz")
	for _, ex := range examples {
		passages := lib.retrieve(ex.question, 8, nil)
		list := Extractive{}.rated(ibid.Prompt{Question: ex.question, Passages: passages})
		n := 0
		hit := 0
		for i, c := range list {
			p := passages[c.passage]
			at := ibid.Anchor{Document: p.Chunk.At.Document, Span: c.at.Shift(p.Chunk.At.Span.Start)}
			if hits(c.text, at, ex.gold, lib) {
				hit++
				if i >= 3 && hit == 1 || hit <= 2 && i >= 3 {
					if n == 0 {
						fmt.Printf("## %s (want %d)\n", ex.question, parse(ex.question).want)
						for k := 0; k < 3; k++ {
							fmt.Printf("   #%d p%d %.2f %s\n      %s\n", k, list[k].passage, list[k].score, list[k].text, show(list[k].features))
						}
					}
					n++
					fmt.Printf("   GOLD #%d p%d %.2f %s\n      %s\n", i, c.passage, c.score, c.text, show(c.features))
				}
				if i < 3 {
					break
				}
			}
		}
		if hit == 0 {
			fmt.Printf("-- no gold candidate: %s\n", ex.question)
			for _, g := range ex.gold {
				fmt.Printf("      %.150q\n", g.Span.In(lib.texts[g.Document]))
			}
			for _, p := range passages {
				fmt.Printf("      . %.100q\n", p.Source.Title()+": "+p.Chunk.Text)
			}
		}
	}
}
func show(f features) string {
	s := ""
	for k, v := range f {
		if v != 0 {
			s += fmt.Sprintf("%s %.2f ", names[k][1:], v)
		}
	}
	return s
}
