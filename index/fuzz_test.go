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
		b := newBuilder()
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
	b := newBuilder()
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
