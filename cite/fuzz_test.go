package cite_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
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

// FuzzDeduplicate: every record is in one work, as it was and in its order; the reasons join all records of a work and no more; and
// of two records it does not matter which comes first.
func FuzzDeduplicate(f *testing.F) {
	for _, s := range []string{
		`[{"id":"a","DOI":"10.1000/1","title":"A"},{"id":"b","title":"The very same and rather long title","author":[{"family":"Shen"}]},{"id":"c","DOI":"10.1000/1"}]`,
		`[{"title":"Cables, a history","author":[{"family":"Field"}],"issued":{"date-parts":[[1866]]}},{"title":"Cables: the history","author":["Field"],"issued":{"date-parts":[[1867,2]]},"page":"1-2"}]`,
		`[{"URL":"notes.md"},{"URL":"notes.md","ISBN":"0306406152"},{"URL":"https://a.org/?utm_source=x","x":[1]},{"URL":"http://www.a.org"},{}]`,
		`[{"title":"A long title that is about cables","DOI":"10.1/1111"},{"title":"A long title that is about cables"},{"title":"A long title that is about cables","DOI":"10.1/2222"}]`,
		`[{"title":"The cables of 1858s","author":[{"family":"Field"}]},{"title":"The cables of 1858, s.","author":["Field"]},{"title":"The cabless of 1858s","author":["Field"]}]`,
		`[{"title":"A title that is long enough","author":["Field","Field"]},{"title":"A title that is long enough","author":["Field","Bright"]},{"title":"A title that is long enough","author":["A","B","Bright","Field"]}]`,
		`[{"title":"A title that is long enough","author":["A","B","C","D"]},{"title":"A title that is long enough","author":["B","C","D","A"]}]`,
	} {
		f.Add([]byte(s), "p. 3")
	}
	f.Fuzz(func(t *testing.T, b []byte, location string) {
		var refs []ibid.Reference
		if json.Unmarshal(b, &refs) != nil || len(refs) > 30 {
			return
		}
		copies := cite.References(refs)
		for i := range copies {
			copies[i].Reference.ID = strconv.Itoa(i)
			copies[i].Location = location
		}
		given, _ := json.Marshal(copies)
		seen, first := 0, -1
		for _, w := range cite.Deduplicate(copies) {
			last := -1
			for n, c := range w.Copies {
				i, _ := strconv.Atoi(c.Reference.ID)
				if !reflect.DeepEqual(c, copies[i]) || i <= last || n == 0 && i <= first {
					t.Fatalf("copy %d of %s is number %d behind %d, %d", n, w.Explain(), i, last, first)
				}
				if last = i; n == 0 {
					first = i
				}
				seen++
			}
			joined := map[int]bool{0: true}
			for range w.Reasons {
				for _, r := range w.Reasons {
					if r.With >= r.Copy || r.Why == "" {
						t.Fatalf("%+v", r)
					}
					joined[r.Copy] = joined[r.Copy] || joined[r.With]
					joined[r.With] = joined[r.Copy] || joined[r.With]
				}
			}
			for n := range w.Copies {
				if !joined[n] {
					t.Fatalf("nothing joins copy %d: %+v", n, w.Reasons)
				}
				if rest, alone, err := w.Split(n); err != nil || len(rest.Copies) != len(w.Copies)-1 || !reflect.DeepEqual(alone.Copies, w.Copies[n:n+1]) {
					t.Fatalf("copy %d of %s: %v", n, w.Explain(), err)
				}
			}
			if len(w.Reasons) != len(w.Copies)-1 {
				t.Fatalf("%d reasons for %d copies", len(w.Reasons), len(w.Copies))
			}
		}
		if after, _ := json.Marshal(copies); seen != len(copies) || string(after) != string(given) {
			t.Fatalf("%d of %d records; %s became %s", seen, len(copies), given, after)
		}
		for i := range refs {
			for j := range i {
				if a, b := cite.Same(refs[i], refs[j]), cite.Same(refs[j], refs[i]); a.Same != b.Same {
					t.Fatalf("%+v and %+v: %s; the other way round: %s", refs[i], refs[j], a.Why, b.Why)
				}
			}
		}
	})
}
