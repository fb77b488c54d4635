package cite_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

// Whatever can be read is checked without a panic, and is the same when it is written and read again.
func FuzzReadInput(f *testing.F) {
	f.Add([]byte(`[{"source":"https://arxiv.org/abs/2401.12345","location":"p. 3","confidence":0.5,"snippet":"x","metadata":{"author":["A"],"year":2024,"isbn":"978","publication_date":"2024-13-45"}}]`))
	f.Add([]byte(`{"claim_id":"c","claim_text":"t","citations":[{"source":""}],"strength":2}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		in, err := cite.ReadInput(b)
		if err != nil {
			return
		}
		for _, item := range in.Items {
			cite.Check(item, 2026)
			var v any = item.Citation
			if item.Map != nil {
				v = item.Map
				if s, err := cite.FormatMap(*item.Map, cite.MLA, true); err != nil || s == "" {
					t.Fatal(err)
				}
			} else {
				item.Citation.ToReference()
				for _, style := range []cite.Style{cite.APA, cite.MLA, cite.Chicago} {
					if _, err := cite.Format(*item.Citation, style); err != nil {
						t.Fatal(err)
					}
				}
			}
			one, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			again, err := cite.ReadInput(one)
			if err != nil {
				t.Fatalf("%s: %v", one, err)
			}
			var w any = again.Items[0].Citation
			if item.Map != nil {
				w = again.Items[0].Map
			}
			if two, _ := json.Marshal(w); !bytes.Equal(one, two) {
				t.Fatalf("%s\n%s", one, two)
			}
		}
	})
}

// plainQuote has no sign that could stand for something else than itself.
var plainQuote = regexp.MustCompile(`^[A-Za-z0-9 ,;:?!\n]+$`)

// A quote that is found reads as it was asked for, and what stands in the text is always found.
func FuzzFindQuote(f *testing.F) {
	f.Add("The “wire” spoke—for three\nweeks.", 4, 20)
	f.Add("a … b [...] c", 0, 13)
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		doc := ibid.Document{Text: text}
		if from < 0 || to > len(text) || from >= to {
			return
		}
		q, ok := cite.FindQuote(doc, text[from:to])
		if ok && (q.At.Start < 0 || q.At.End > len(text) || q.At.Start >= q.At.End) {
			t.Fatalf("%+v outside of %q", q, text)
		}
		if quote := text[from:to]; !ok && plainQuote.MatchString(quote) && plainQuote.MatchString(text) && strings.TrimSpace(quote) != "" {
			t.Fatalf("%q is not found in %q", quote, text)
		}
	})
}

// Reading an identifier again gives the same one.
func FuzzIdentifiers(f *testing.F) {
	for _, s := range []string{"10.1056/NEJMc2103740", "https://doi.org/f5kc", "arXiv:2401.12345v2", "math.GT/0309136", "978-3-16-148410-0", "0-8044-2957-X", "2434-561X", "0000-0002-1694-233X", "PMID 12", "PMC12"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		arxiv := func(s string) (string, error) { a, err := cite.ParseArXiv(s); return a.String(), err }
		for _, parse := range []func(string) (string, error){cite.ParseDOI, arxiv, cite.ParseISBN, cite.ParseISSN, cite.ParseORCID, cite.ParsePMID, cite.ParsePMCID} {
			one, err := parse(s)
			if err != nil {
				continue
			}
			if two, err := parse(one); err != nil || two != one {
				t.Fatalf("%q: %q, then %q %v", s, one, two, err)
			}
		}
		cite.Classify(s)
		if u := cite.NormalURL(s); len(u) > 4*len(s)+16 {
			t.Fatalf("%q grew to %q", s, u)
		}
	})
}
