package sqlite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/text"
)

// BenchmarkFind looks for answers among 10,000 of about 150 words each, and beside it reads through all the questions, which
// sees nothing of what the answers say.
func BenchmarkFind(b *testing.B) {
	s, err := Open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	log, err := s.Log(b.Context(), LogConfig{})
	if err != nil {
		b.Fatal(err)
	}
	source, chunk := sourced(b, s)
	const answers = 10_000
	chance := rand.New(rand.NewPCG(1, 2))
	words := func(n int) string {
		var w []string
		for range n {
			w = append(w, fmt.Sprintf("%c%x", 'a'+chance.IntN(20), int(chance.ExpFloat64()*1000))) // some are common, most are rare
		}
		return strings.Join(w, " ")
	}
	for from := 0; from < answers; from += 500 {
		err := s.Update(b.Context(), func(tx *Tx) error {
			for i := from; i < from+500; i++ {
				a := ibid.Answer{ID: ibid.AnswerID(fmt.Sprintf("answer-%d", i)), Question: fmt.Sprintf("What is said of %d and %s?", i, words(10)), Text: fmt.Sprintf("It was %d. %s", i, words(150))}
				if i%100 == 0 {
					a.Passages = []ibid.Passage{{Chunk: chunk, Source: source, Rank: 1}}
					a.Attributions = []ibid.Attribution{{Of: ibid.Span{End: 2}, To: chunk.At, Ref: 1}}
				}
				if err := tx.PutAnswer(a); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		find api.Find
	}{
		{"a rare word", api.Find{Words: "77"}},
		{"words that all have", api.Find{Words: "what said was"}},
		{"words that all have, in quotes", api.Find{Words: `"what is said of"`}},
		{"words of which the last is rare", api.Find{Words: "what said 77"}},
		{"one letter", api.Find{Words: "a"}},
		{"one common word many times", api.Find{Words: `"` + strings.Repeat("what ", 99) + `"`}},
		{"many words", api.Find{Words: strings.Repeat("what is said of it was ", 20) + words(60)}},
		{"what is not there", api.Find{Words: "what zzz"}},
		{"a source", api.Find{Source: source.ID}},
		{"a source, and words that all have", api.Find{Source: source.ID, Words: "what said was"}},
	} {
		b.Run("found/"+c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.FindAnswers(b.Context(), c.find, "", 51); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("questions read through/what is not there", func(b *testing.B) {
		for b.Loop() {
			readThrough(b, s, "what zzz")
		}
	})
	b.Run("questions read through/a rare word", func(b *testing.B) {
		for b.Loop() {
			readThrough(b, s, "77")
		}
	})
	b.Run("recorded", func(b *testing.B) {
		a := ibid.Answer{Question: "What is said of it?", Text: words(150)}
		for i := 0; b.Loop(); i++ {
			a.ID = ibid.AnswerID(fmt.Sprintf("more-%d", i))
			if err := s.PutAnswer(b.Context(), a); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("taken in at an upgrade", func(b *testing.B) {
		for b.Loop() {
			err := s.Update(b.Context(), func(tx *Tx) error {
				if err := tx.w.exec(`DELETE FROM answer_sources`); err != nil {
					return err
				}
				if err := tx.w.exec(`INSERT INTO answer_words (answer_words) VALUES ('delete-all')`); err != nil {
					return err
				}
				return fillFind(b.Context(), tx.w.conn)
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("erased", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			e, err := log.Append(b.Context(), answerEntry, fmt.Appendf(nil, `{"answer":"answer-%d"}`, i))
			if err == nil {
				_, err = log.Erase(b.Context(), e.Index, "test")
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func readThrough(b *testing.B, s *Store, asked string) (found int) {
	words := strings.Fields(text.Fold(asked))
	for last := ibid.AnswerID(""); found < 51; {
		some, err := s.Answers(b.Context(), last, 500)
		if err != nil {
			b.Fatal(err)
		}
		for _, a := range some {
			said := text.Fold(a.Question)
			if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(said, w) }) {
				found++
			}
			last = a.ID
		}
		if len(some) < 500 {
			break
		}
	}
	return found
}
