package index

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

func words(s string) []string {
	var out []string
	eachWord(s, func(w []byte) { out = append(out, string(w)) })
	return out
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"lower case", "The Great EASTERN", "the great eastern"},
		{"thousands", "1,000 and 12,345,678 but 1,2 and 1,0000", "1000 and 12345678 but 1 2 and 1 0000"},
		{"decimals", "3.14 at 5. Then 01.02.2020", "3.14 at 5 then 01.02 2020"},
		{"initials", "the U.S. and v. T.L.O. e.g. this", "the us and v tlo eg this"},
		{"a stop ends a word", "end.Begin a.bc", "end begin a bc"},
		{"apostrophes", "don't Field’s O'Brien", "don t field s o brien"},
		{"hyphens", "co-operate–now", "co operate now"},
		{"accents", "Über naïve CAFÉ Ångström ﬁne", "uber naive cafe angstrom fine"},
		{"pairs", "大西洋 AB海底", "大西 西洋 ab 海底"},
		{"a single one", "海 x", "海 x"},
		{"the voice of a kana is no accent", "パリ バリ ハリ", "パリ バリ ハリ"},
		{"kana of half width", "ﾊﾟﾘ", "パリ"},
		{"a drawn out vowel", "ケーブル", "ケー ーブ ブル"},
		{"Korean by syllables", "한국어 한국", "한국 국어 한국"},
		{"Greek and Cyrillic accents", "Ελλάδα йод", "ελλαδα иод"},
		{"Hebrew without points", "שָׁלוֹם", "שלום"},
		{"accents that stand alone", "cafe\u0301 e\u0301a", "cafe ea"},
		{"initials at the end", "U.S", "us"},
		{"a letter and a word", "a.bc ab.c", "a bc ab c"},
		{"thousands at the end", "1,000", "1000"},
		{"no thousands", "1,00 1,00a a,000 1,000,00", "1 00 1 00a a 000 1000 00"},
		{"soft hyphens and joiners", "trans\u00adatlantic", "transatlantic"},
		{"Arabic without vowel signs", "كِتَاب", "كتاب"},
		{"Hindi keeps its vowels", "हिन्दी", "हिन्दी"},
		{"no words", " \t.,;!?—…", ""},
		{"a long one is cut", strings.Repeat("x", 100), strings.Repeat("x", maxWord)},
	} {
		if got := strings.Join(words(c.text), " "); got != c.want {
			t.Errorf("%s: %q gives %q, not %q", c.rule, c.text, got, c.want)
		}
	}
}

// Words do not reach across a space: those of two texts are those of the first and those of the second.
func FuzzWords(f *testing.F) {
	f.Add("The 1,000 U.S. cables", "of 3.14 海底電纜 naïve")
	f.Add("a.b.", ".c")
	f.Add("1,0", "00")
	f.Add("\xff\xfe é", "한국어")
	f.Fuzz(func(t *testing.T, a, b string) {
		all := words(a + " " + b)
		if want := append(words(a), words(b)...); !slices.Equal(all, want) {
			t.Errorf("%q and %q: %q, not %q", a, b, all, want)
		}
		for _, w := range all {
			if w == "" || len(w) > maxWord {
				t.Errorf("word %q", w)
			}
		}
	})
}

// The best of many are the first of all, whatever the order in which they come.
func FuzzTopHits(f *testing.F) {
	f.Add([]byte("the best of many are the first of all"), 5)
	f.Add([]byte{9, 8, 7, 6, 5, 4, 3, 2, 1}, 4)
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, 4)
	f.Add([]byte{1, 1, 1}, 0)
	f.Fuzz(func(t *testing.T, scores []byte, limit int) {
		limit = max(limit, -(limit+1)) % 20
		var all []hit
		var top topHits
		for i, s := range scores {
			h := hit{chunk: i, ordinal: i, key: &snapshot{}, score: float64(s) / 255}
			all = append(all, h)
			top.add(h, limit)
		}
		slices.SortFunc(all, compareHits)
		if got, want := top.sorted(), all[:min(limit, len(all))]; !slices.EqualFunc(got, want, func(a, b hit) bool { return a.chunk == b.chunk }) {
			t.Errorf("%d of %v: %v", limit, scores, got)
		}
	})
}

// A question has no term twice, no stop word beside others, and no more terms than are looked up.
func FuzzAsk(f *testing.F) {
	f.Add("When was the first cable, the first of all cables, laid?")
	f.Add("how many of her")
	f.Add("the the the")
	f.Add(strings.Repeat("a1 b2 c3 ", 10) + strings.Join(strings.Split("abcdefghijklmnopqrstuvwxyz", ""), "1 "))
	f.Fuzz(func(t *testing.T, asked string) {
		stop := stopWords()
		var content []string
		for _, w := range words(asked) {
			if !stop[w] {
				content = append(content, w)
			}
		}
		seen := map[string]bool{}
		for _, term := range ask(asked, stop, defaultWeights()).terms {
			word, exact := strings.CutPrefix(term.text, exactMark)
			if seen[term.text] || term.weight <= 0 || term.weight > 1 || exact != (term.weight < 1) {
				t.Errorf("%q: %v", asked, term)
			}
			seen[term.text] = true
			if exact && !slices.Contains(content, word) {
				t.Errorf("%q: %q is looked up as it stands", asked, word)
			}
		}
		if len(seen) > maxTerms+1 {
			t.Errorf("%d terms", len(seen))
		}
		if len(seen) < maxTerms {
			for _, w := range content {
				if !seen[exactMark+w] || !seen[stem(w)] {
					t.Errorf("%q: %q is not looked up", asked, w)
				}
			}
		}
		if len(content) == 0 && len(words(asked)) > 0 && len(seen) == 0 {
			t.Errorf("%q: nothing is looked up", asked)
		}
	})
}

// What is built is found: every word of every chunk, as often as it stands there.
func FuzzSegment(f *testing.F) {
	f.Add("The first cable. The second cable. A third", "Title of cables", 7)
	f.Add("大西洋海底電纜", "", 6)
	f.Add(strings.Repeat("word and other words ", 40), "Word", 100)
	f.Fuzz(func(t *testing.T, text, name string, size int) {
		size = 1 + max(size, -size)%200
		var chunks []ibid.Chunk
		for i := 0; i < len(text); i += size {
			chunks = append(chunks, ibid.Chunk{Ordinal: len(chunks), Text: text[i:min(i+size, len(text))], Heading: []string{name}})
		}
		b := newBuilder(Config{}.english)
		b.snapshot(snapshotKey{"s", 1, "d", name}, chunks)
		b.states = []state{{source: "s", seq: 1, title: name, versions: []version{{number: 1, document: "d"}}}}
		one, err := inMemory(b.write)
		if err != nil {
			t.Fatal(err)
		}
		v := newView(1, []*segment{one})
		var merged bytes.Buffer
		if err := merge(&merged, v.segments, v, true); err != nil {
			t.Fatal(err)
		}
		two, err := openSegment("merged", bytes.NewReader(merged.Bytes()), int64(merged.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*segment{one, two} {
			for i, c := range chunks {
				times := map[string]int{}
				for _, w := range words(c.Text) {
					times[stem(w)]++
				}
				for st, n := range times {
					list, err := s.list(st)
					if err != nil {
						t.Fatal(err)
					}
					at, ok := slices.BinarySearchFunc(list, i, func(p posting, i int) int { return int(p.chunk) - i })
					if !ok || int(list[at].times[body]) != n {
						t.Fatalf("%s: %q in chunk %d: %v", s.name, st, i, list)
					}
				}
			}
		}
	})
}

// Bytes that are no segment are refused, not believed, and never harm.
func FuzzDecode(f *testing.F) {
	b := newBuilder(Config{}.english)
	b.snapshot(snapshotKey{"s", 1, "d", "Title"}, []ibid.Chunk{{Text: "The first cable."}, {Text: "The second one.", Ordinal: 1}})
	b.states = []state{{source: "s", seq: 1, versions: []version{{number: 1, document: "d"}}}}
	var out bytes.Buffer
	if err := b.write(&out); err != nil {
		f.Fatal(err)
	}
	s, err := openSegment("", bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes()[s.postings:out.Len()-footerSize], s.postings, "cabl")
	f.Add([]byte{}, int64(0), "")
	f.Fuzz(func(t *testing.T, meta []byte, postings int64, term string) {
		if postings < 0 || postings > 1<<16 {
			return
		}
		s := &segment{file: bytes.NewReader(make([]byte, postings)), postings: postings}
		if !s.decode(meta) {
			return
		}
		s.list(term)
		w := s.walk(0)
		for w.next() {
		}
		for i := range s.snapshots {
			newView(1, []*segment{s}).seen(s, i)
		}
		s.decodePostings([]byte(term))
		decodeVectors(meta)
	})
}
