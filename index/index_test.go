package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ibid-dev/ibid"
)

// facts are short texts by name.
var facts = map[string]string{
	"cable":   "The first transatlantic cable was laid in 1858. It failed after three weeks.",
	"ship":    "The Great Eastern laid the cable of 1866. She was the largest ship of her time.",
	"message": "The Queen's message of 98 words took sixteen hours to send through the cable.",
	"cost":    "The company raised £350,000 for the first attempt.",
	"cook":    "Boil the potatoes for twenty minutes. Salt the water first.",
	"organ":   "The organ of the cathedral has 3,000 pipes.",
	"group":   "An organization of engineers met in London.",
}

func factRecord() *fakeRecord {
	r := newRecord()
	for _, name := range sortedKeys(facts) {
		r.add("", "file:///"+name, strings.ToUpper(name[:1])+name[1:], facts[name])
	}
	return r
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// names says which sources passages are of.
func names(passages []ibid.Passage) string {
	var out []string
	for _, p := range passages {
		out = append(out, p.Source.Name())
	}
	return strings.Join(out, " ")
}

func TestRetrieve(t *testing.T) {
	x := mustOpen(t, t.TempDir(), factRecord())
	for _, c := range []struct{ rule, question, first string }{
		{"the passage with the words comes first", "When was the first transatlantic cable laid?", "cable"},
		{"another form of a word is found", "How many engineers were meeting?", "group"},
		{"a number is found", "What happened in 1866?", "ship"},
		{"a number is found however its thousands are written", "Which has 3000 pipes?", "organ"},
		{"a word of the title is found", "cook", "cook"},
		{"the word itself beats others of its stem", "organ", "organ"},
		{"and the other way round", "organization", "group"},
		{"case does not matter", "GREAT EASTERN", "ship"},
		{"a question of stop words only is still a question", "how many of her", "ship"},
	} {
		got := mustRetrieve(t, x, ibid.Query{Text: c.question})
		if first, _, _ := strings.Cut(names(got), " "); first != c.first {
			t.Errorf("%s: %q gives %s", c.rule, c.question, names(got))
		}
		for i, p := range got {
			if p.Rank != i+1 || p.Score <= 0 || p.Score > 1 || i > 0 && p.Score > got[i-1].Score {
				t.Errorf("%q: rank %d, score %v at %d", c.question, p.Rank, p.Score, i)
			}
			if p.Chunk.Text == "" || p.Source.URI == "" {
				t.Errorf("%q: passage without text or source", c.question)
			}
		}
	}
	for _, nothing := range []string{"", "  \n", "?!", "zzyzx", "\x00\xff"} {
		if got := mustRetrieve(t, x, ibid.Query{Text: nothing}); len(got) > 0 {
			t.Errorf("%q gives %s", nothing, names(got))
		}
	}
	if got := mustRetrieve(t, x, ibid.Query{Text: "the cable", Limit: 1}); len(got) != 1 {
		t.Errorf("limit 1 gives %s", names(got))
	}
}

// A word that nothing has is read as the one of which it may be a slip; a word that something has never is.
func TestASlipIsFound(t *testing.T) {
	r := factRecord()
	r.add("", "file:///contact", "", "The contact of the council of Kerry sold butter.")
	r.add("other", "file:///contract", "", "The contract of Kerry has no such enginers.")
	x := mustOpen(t, t.TempDir(), r)
	for _, c := range []struct{ rule, question, want, collection string }{
		{"a letter is missing", "pottoes", "cook", ""},
		{"another letter", "potatoas", "cook", ""},
		{"two letters swapped", "enigneers", "group", ""},
		{"a letter too many", "transatlanntic", "cable", ""},
		{"the word itself is not a slip", "contact", "contact", ""},
		{"of another collection nothing is known", "contract", "contact", ""},
		{"nor there of this one", "contact", "contract", "other"},
		{"short words are never slips", "better", "", ""},
		{"a number is never a slip", "350001", "", ""},
		{"a form of a word that is there is no slip", "organizes engineer", "group organ", ""},
	} {
		if got := names(mustRetrieve(t, x, ibid.Query{Text: c.question, Collection: c.collection})); got != c.want {
			t.Errorf("%s: %q gives %q", c.rule, c.question, got)
		}
	}
	right, slip := mustRetrieve(t, x, ibid.Query{Text: "transatlantic cable failed"}), mustRetrieve(t, x, ibid.Query{Text: "transatlanntic cable failed"})
	if names(right) != names(slip) {
		t.Errorf("%s, and with the slip %s", names(right), names(slip))
	}
	// What cannot be a slip does not count among the few words that are looked for in another spelling.
	if many := mustRetrieve(t, x, ibid.Query{Text: "qz1 qz2 qz3 qz4 qz5 qz6 qz7 qz8 transatlanntic"}); len(many) == 0 {
		t.Error("behind eight short words a slip finds nothing")
	}
}

func TestRetrieveInOtherScripts(t *testing.T) {
	r := newRecord()
	for name, text := range map[string]string{
		"zh": "第一条跨大西洋电缆于1858年铺设。它在三个星期后失效。",
		"ja": "最初の大西洋横断電信ケーブルは1858年に敷設された。",
		"ko": "최초의 대서양 횡단 전신 케이블은 1858년에 부설되었다.",
		"ru": "Первый трансатлантический кабель был проложен в 1858 году.",
		"ar": "تم مد أول كابل عبر المحيط الأطلسي في عام 1858.",
		"hi": "पहली ट्रान्साटलांटिक केबल 1858 में बिछाई गई थी।",
		"de": "Das erste Überseekabel wurde 1858 verlegt.",
		"fr": "Le premier câble transatlantique fut posé en été.",
		"el": "Το πρώτο υπερατλαντικό καλώδιο.",
		"th": "สายเคเบิลข้ามมหาสมุทรแอตแลนติกเส้นแรก",
	} {
		r.add("", "file:///"+name, "", text)
	}
	x := mustOpen(t, t.TempDir(), r)
	for name, question := range map[string]string{
		"zh": "电缆什么时候失效？", "ja": "ケーブルはいつ敷設", "ko": "대서양 케이블", "ru": "КАБЕЛЬ проложен?", "ar": "كابل المحيط", "hi": "केबल बिछाई",
		"de": "uberseekabel", "fr": "cable ete pose", "el": "καλωδιο", "th": "เคเบิล",
	} {
		got := mustRetrieve(t, x, ibid.Query{Text: question})
		if first, _, _ := strings.Cut(names(got), " "); first != name {
			t.Errorf("%s: %q gives %s", name, question, names(got))
		}
	}
}

// Words of one look and another sound are two: Paris is not Bali, and a gun is no ball.
func TestWordsThatOneSignTellsApart(t *testing.T) {
	r := newRecord()
	for name, text := range map[string]string{"paris": "パリは首都です。", "bali": "バリは島です。", "gun": "총이 있다.", "ball": "공이 있다."} {
		r.add("", "file:///"+name, "", text)
	}
	x := mustOpen(t, t.TempDir(), r)
	for question, want := range map[string]string{"パリ": "paris", "ﾊﾞﾘ": "bali", "총이": "gun", "공이": "ball"} {
		if got := names(mustRetrieve(t, x, ibid.Query{Text: question})); got != want {
			t.Errorf("%s finds %q, want %q", question, got, want)
		}
	}
}

// The ranking is a function of what the sources of the collection say now.
func TestRankingDependsOnContentOnly(t *testing.T) {
	questions := []string{"the first cable", "when was the largest ship of 1866", "minutes of time", "an organization", "message words water"}
	want := rankings(t, mustOpen(t, t.TempDir(), factRecord()), questions)

	t.Run("order of adding", func(t *testing.T) {
		for seed := range uint64(5) {
			r := newRecord()
			keys := sortedKeys(facts)
			rand.New(rand.NewPCG(seed, 0)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			for _, name := range keys {
				r.add("", "file:///"+name, strings.ToUpper(name[:1])+name[1:], facts[name])
			}
			compare(t, rankings(t, mustOpen(t, t.TempDir(), r), questions), want)
		}
	})
	t.Run("a segment per change, merged or not", func(t *testing.T) {
		r := newRecord()
		dir := t.TempDir()
		x := mustOpen(t, dir, r)
		for i, name := range sortedKeys(facts) {
			r.add("", "file:///"+name, strings.ToUpper(name[:1])+name[1:], facts[name])
			if i%2 == 0 {
				mustRetrieve(t, x, ibid.Query{Text: "anything"})
			} else if err := x.Update(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		compare(t, rankings(t, x, questions), want)
		compare(t, rankings(t, mustOpen(t, dir, r), questions), want)
	})
	t.Run("former versions, removed sources and other collections", func(t *testing.T) {
		r := factRecord()
		x := mustOpen(t, t.TempDir(), r)
		for i, name := range sortedKeys(facts) {
			r.add("other", "file:///"+name, "First cable", strings.Repeat("The first cable, a ship and a message. ", i+1))
			id := r.add("", "file:///gone", "Gone", "The first cable, an organization, water and words.")
			mustRetrieve(t, x, ibid.Query{Text: "cable"})
			r.remove(id)
			r.add("", "file:///"+name, "Cable ship message", "The first cable of all ships was an organization of words.")
			mustRetrieve(t, x, ibid.Query{Text: "cable"})
			r.add("", "file:///"+name, strings.ToUpper(name[:1])+name[1:], facts[name])
		}
		compare(t, rankings(t, x, questions), want)
		reads := r.reads
		if err := x.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
		compare(t, rankings(t, x, questions), want)
		if r.reads != reads {
			t.Errorf("putting the files in order indexed %d documents again", r.reads-reads)
		}
		compare(t, rankings(t, mustOpen(t, t.TempDir(), r), questions), want)
	})
	t.Run("removed and added again, under another title in between", func(t *testing.T) {
		r := factRecord()
		x := mustOpen(t, t.TempDir(), r)
		for i, name := range sortedKeys(facts) {
			for _, title := range []string{"The first cable", strings.ToUpper(name[:1]) + name[1:]} {
				r.remove(ibid.IdentifySource("", "file:///"+name))
				if i%2 == 0 {
					mustRetrieve(t, x, ibid.Query{Text: "cable"})
				}
				r.add("", "file:///"+name, title, facts[name])
				mustRetrieve(t, x, ibid.Query{Text: "cable"})
			}
		}
		compare(t, rankings(t, x, questions), want)
	})
}

// rankings are what questions give: places and scores, to the bit.
func rankings(t *testing.T, x *Index, questions []string) []string {
	t.Helper()
	var out []string
	for _, q := range questions {
		for _, p := range mustRetrieve(t, x, ibid.Query{Text: q}) {
			out = append(out, fmt.Sprintf("%s %d %s %v %b", q, p.Rank, p.Source.Name(), p.Chunk.At, p.Score))
		}
	}
	return out
}

func compare(t *testing.T, got, want []string) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestFollowsTheRecord(t *testing.T) {
	r := factRecord()
	dir := t.TempDir()
	x := mustOpen(t, dir, r)
	question := ibid.Query{Text: "telegraph plateau", Limit: 3}
	if got := mustRetrieve(t, x, question); len(got) > 0 {
		t.Fatalf("before: %s", names(got))
	}
	id := r.add("", "file:///new", "New", "The telegraph plateau is flat.")
	if got := mustRetrieve(t, x, question); names(got) != "new" {
		t.Errorf("added: %s", names(got))
	}
	r.add("", "file:///new", "New", "The telegraph plateau is deep.")
	if got := mustRetrieve(t, x, question); len(got) != 1 || !strings.Contains(got[0].Chunk.Text, "deep") {
		t.Errorf("changed: %v", got)
	}
	r.add("", "file:///new", "New", "The telegraph plateau is flat.")
	if got := mustRetrieve(t, x, question); len(got) != 1 || !strings.Contains(got[0].Chunk.Text, "flat") {
		t.Errorf("changed back: %v", got)
	}
	r.remove(id)
	if got := mustRetrieve(t, x, question); len(got) > 0 {
		t.Errorf("removed: %s", names(got))
	}
	r.add("", "file:///new", "New", "The telegraph plateau is flat.")
	if got := mustRetrieve(t, x, question); names(got) != "new" {
		t.Errorf("back: %s", names(got))
	}
	if got := mustRetrieve(t, mustOpen(t, dir, r), question); names(got) != "new" {
		t.Errorf("opened again: %s", names(got))
	}
	if got := mustRetrieve(t, mustOpen(t, t.TempDir(), r), question); names(got) != "new" {
		t.Errorf("built again: %s", names(got))
	}
}

func TestFilters(t *testing.T) {
	r := factRecord()
	secret := r.add("secret", "file:///plan", "Plan", "The secret cable lands at dawn.")
	r.add("", "file:///news", "News", "The cable is new.")
	r.add("", "file:///news", "News", "The cable is one day old.")
	ship := ibid.IdentifySource("", "file:///ship")
	x := mustOpen(t, t.TempDir(), r)
	for _, c := range []struct {
		rule, want string
		q          ibid.Query
	}{
		{"a collection sees its own", "plan", ibid.Query{Text: "cable", Collection: "secret"}},
		{"and no other", "", ibid.Query{Text: "cable", Collection: "unknown"}},
		{"a source of another collection is not reached by its id", "", ibid.Query{Text: "cable", Sources: []ibid.SourceID{secret}}},
		{"only the sources that are asked", "ship", ibid.Query{Text: "cable", Sources: []ibid.SourceID{ship, secret}}},
		{"no sources asked, none given", "", ibid.Query{Text: "cable", Sources: []ibid.SourceID{}}},
		{"only what was taken since", "news", ibid.Query{Text: "cable", After: morning.AddDate(0, 0, 1)}},
		{"the range has its begin in it", "news", ibid.Query{Text: "is new day old", After: morning, Sources: []ibid.SourceID{ibid.IdentifySource("", "file:///news")}}},
		{"and its end not", "", ibid.Query{Text: "cable", Before: morning}},
	} {
		if got := mustRetrieve(t, x, c.q); names(got) != c.want {
			t.Errorf("%s: got %q, want %q", c.rule, names(got), c.want)
		}
	}
	got := mustRetrieve(t, x, ibid.Query{Text: "the new cable is", Before: morning.AddDate(0, 0, 1)})
	if len(got) == 0 || got[0].Chunk.Text != "The cable is new." {
		t.Errorf("the version of then: %v", got)
	}
	got = mustRetrieve(t, x, ibid.Query{Text: "the new cable is"})
	for _, p := range got {
		if p.Chunk.Text == "The cable is new." {
			t.Errorf("a former version without being asked for: %v", p)
		}
	}
}

// TestOneDocumentLeavesRoom: a long document with the question's words in every part leaves places to others, and takes them
// all where there are none.
func TestOneDocumentLeavesRoom(t *testing.T) {
	r := newRecord()
	part := strings.Repeat("The cable failed, said the lecture on why the cable failed. ", 40)
	r.add("", "file:///long", "Why the cable failed", strings.Repeat(part+"\n\n", 12))
	x := mustOpen(t, t.TempDir(), r)
	if got := mustRetrieve(t, x, ibid.Query{Text: "When did the cable fail?", Limit: 8}); len(got) != 8 {
		t.Errorf("%d passages of one document", len(got))
	}
	r.add("", "file:///short", "Notes", "Weeks after it was laid, in September, the cable went silent.")
	got := mustRetrieve(t, x, ibid.Query{Text: "When did the cable fail?", Limit: 8})
	if len(got) != 8 || !slices.ContainsFunc(got, func(p ibid.Passage) bool { return p.Source.URI == "file:///short" }) {
		t.Errorf("%s", names(got))
	}
	for i, p := range got {
		if p.Rank != i+1 || i > 0 && p.Score > got[i-1].Score {
			t.Errorf("rank %d with score %v at %d", p.Rank, p.Score, i)
		}
	}
}

// The best five of three hundred are the first five of all: how many are asked for changes nothing in their order.
func TestTheBestOfMany(t *testing.T) {
	r := newRecord()
	for i := range 300 {
		n := i * 7919 % 300 // in no order
		r.add("", fmt.Sprintf("file:///%03d", n), "", strings.Repeat("cable ", 1+n%23)+strings.Repeat("ship ", n))
	}
	x := mustOpen(t, t.TempDir(), r)
	all := mustRetrieve(t, x, ibid.Query{Text: "cable", Limit: 300})
	if len(all) != 300 {
		t.Fatalf("%d of 300", len(all))
	}
	for _, n := range []int{1, 5, 50, 299} {
		if got := mustRetrieve(t, x, ibid.Query{Text: "cable", Limit: n}); names(got) != names(all[:n]) {
			t.Errorf("the best %d are %s, not %s", n, names(got), names(all[:n]))
		}
	}
}

func TestSameTextComesOnce(t *testing.T) {
	r := newRecord()
	for i := range 40 {
		r.add("", fmt.Sprintf("file:///copy%d", i), "", "The cable was laid.")
	}
	r.add("", "file:///long", "", "In the end, after many attempts, another cable was laid too.")
	got := mustRetrieve(t, mustOpen(t, t.TempDir(), r), ibid.Query{Text: "cable laid", Limit: 2})
	if len(got) != 2 || got[0].Chunk.Text == got[1].Chunk.Text {
		t.Errorf("got %v", got)
	}
}

func TestSameScoreIsOrderedByDocument(t *testing.T) {
	r := newRecord()
	for i := range 30 {
		r.add("", fmt.Sprintf("file:///%d", i), "", fmt.Sprintf("The cable %d.", 100+i))
	}
	got := mustRetrieve(t, mustOpen(t, t.TempDir(), r), ibid.Query{Text: "cable", Limit: 30})
	for i := range got[1:] {
		if got[i].Score != got[i+1].Score || got[i].Chunk.At.Document > got[i+1].Chunk.At.Document {
			t.Errorf("%v stands before %v", got[i].Chunk.At, got[i+1].Chunk.At)
		}
	}
}

func TestEveryFlippedByteIsNoticed(t *testing.T) {
	dir := t.TempDir()
	r := factRecord()
	r.add("", "file:///long", "", strings.Repeat("Words and more words follow each other. ", 2000))
	x := mustOpen(t, dir, r)
	name := x.now.Load().segments[0].name
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	read := func(b []byte) error {
		s, err := openSegment(name, bytes.NewReader(b), int64(len(b)))
		if err == nil {
			_, err = s.read(0, s.postings)
		}
		return err
	}
	if err := read(b); err != nil {
		t.Fatal(err)
	}
	for i := range b {
		b[i] ^= 1
		if err := read(b); !errors.Is(err, errBroken) {
			t.Fatalf("byte %d of %d: error is %v", i, len(b), err)
		}
		b[i] ^= 1
	}
}

// Whatever happens to the files, the answer is right.
func TestDamage(t *testing.T) {
	r := factRecord()
	questions := []string{"the first cable", "organization", "minutes"}
	want := rankings(t, mustOpen(t, t.TempDir(), r), questions)
	damage := func(t *testing.T, harm func(dir string)) {
		t.Helper()
		dir := t.TempDir()
		if err := mustOpen(t, dir, r).Close(); err != nil {
			t.Fatal(err)
		}
		harm(dir)
		compare(t, rankings(t, mustOpen(t, dir, r), questions), want)
		compare(t, rankings(t, mustOpen(t, dir, r), questions), want)
	}
	segment := func(dir string) string {
		found, _ := filepath.Glob(filepath.Join(dir, segmentPrefix+"*"))
		if len(found) == 0 {
			t.Fatal("no segment")
		}
		return found[0]
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Run("all lost", func(t *testing.T) { damage(t, func(dir string) { must(os.RemoveAll(dir)) }) })
	t.Run("manifest lost", func(t *testing.T) { damage(t, func(dir string) { must(os.Remove(filepath.Join(dir, manifestName))) }) })
	t.Run("segment lost", func(t *testing.T) { damage(t, func(dir string) { must(os.Remove(segment(dir))) }) })
	for _, text := range []string{"", "{", "[]", `{"format":1,"segments":["../../etc/passwd"]}`, "\x00\x00\x00"} {
		t.Run(fmt.Sprintf("manifest %q", text), func(t *testing.T) {
			damage(t, func(dir string) { must(os.WriteFile(filepath.Join(dir, manifestName), []byte(text), 0o600)) })
		})
	}
	t.Run("names outside of the folder", func(t *testing.T) {
		damage(t, func(dir string) {
			m := manifest{Format: format, Analyzer: analyzer, Record: r.identity, Sequence: r.seq, Segments: []listed{{Words: "../" + filepath.Base(segment(dir))}}}
			must(m.save(dir))
		})
	})
	t.Run("cut and flipped", func(t *testing.T) {
		file := func(dir string, change func([]byte) []byte) {
			b, err := os.ReadFile(segment(dir))
			must(err)
			must(os.WriteFile(segment(dir), change(b), 0o600))
		}
		b, err := os.ReadFile(func() string { dir := t.TempDir(); mustOpen(t, dir, r); return segment(dir) }())
		must(err)
		for n := 0; n < len(b); n += 1 + len(b)/50 {
			damage(t, func(dir string) { file(dir, func(b []byte) []byte { return b[:n] }) })
			damage(t, func(dir string) { file(dir, func(b []byte) []byte { b[n] ^= 0x10; return b }) })
		}
	})
	t.Run("another record's", func(t *testing.T) {
		dir := t.TempDir()
		other := newRecord()
		other.identity = "two"
		for i := range 7 {
			other.add("", fmt.Sprint("file:///", i), "", "The first cable, but of another library.")
		}
		mustOpen(t, dir, other)
		compare(t, rankings(t, mustOpen(t, dir, r), questions), want)
	})
}

// A record that was restored from a copy has a past that the index did not see, and lacks one that it saw.
func TestRestoredRecord(t *testing.T) {
	r := factRecord()
	dir := t.TempDir()
	x := mustOpen(t, dir, r)
	want := rankings(t, x, []string{"first cable"})
	id := r.add("", "file:///later", "", "The first cable was forgotten.")
	mustRetrieve(t, x, ibid.Query{Text: "cable"})
	r.remove(id)
	delete(r.changed, id)
	r.seq = 7
	compare(t, rankings(t, x, []string{"first cable"}), want)
	compare(t, rankings(t, mustOpen(t, dir, r), []string{"first cable"}), want)
}

// What the index holds and the record does not is never shown, and heals.
func TestPassageThatIsNotStored(t *testing.T) {
	r := factRecord()
	x := mustOpen(t, t.TempDir(), r)
	id := ibid.IdentifySource("", "file:///cable")
	delete(r.docs, id) // behind the index's back: the sequence stays
	delete(r.sources, id)
	got := mustRetrieve(t, x, ibid.Query{Text: "first transatlantic cable"})
	if strings.Contains(names(got), "cable") || len(got) == 0 {
		t.Errorf("got %s", names(got))
	}
	if seen := x.now.Load().has(snapshotKey{id, 1, ibid.HashText(facts["cable"]), "Cable"}); seen {
		t.Error("the index still holds it")
	}
}

// While another process writes the files, this one answers from memory and leaves the files alone.
func TestAnotherProcessWrites(t *testing.T) {
	r := factRecord()
	dir := t.TempDir()
	mustOpen(t, dir, r)
	before := list(t, dir)
	unlock, _, _ := r.TryLock(lockName)
	x := mustOpen(t, dir, r)
	r.add("", "file:///new", "", "The telegraph plateau is flat.")
	for range 2 {
		if got := mustRetrieve(t, x, ibid.Query{Text: "plateau"}); names(got) != "new" {
			t.Errorf("got %s", names(got))
		}
	}
	reads := r.reads
	r.add("", "file:///newer", "", "Another plateau is steep.")
	if got := mustRetrieve(t, x, ibid.Query{Text: "steep"}); names(got) != "newer" || r.reads != reads+1 {
		t.Errorf("got %s after reading %d documents", names(got), r.reads-reads)
	}
	fresh := mustOpen(t, t.TempDir(), r) // no files at all
	compare(t, rankings(t, x, []string{"the first cable"}), rankings(t, fresh, []string{"the first cable"}))
	if after := list(t, dir); !reflect.DeepEqual(before, after) {
		t.Errorf("files were %v and are %v", before, after)
	}
	unlock()

	// The other process writes on, and this one takes its files over.
	other := mustOpen(t, dir, r)
	for i := range 12 {
		r.add("", fmt.Sprint("file:///more", i), "", fmt.Sprintf("Sounding %d found a plateau.", i))
		if err := other.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := mustRetrieve(t, x, ibid.Query{Text: fmt.Sprint("sounding ", i), Limit: 1}); names(got) != fmt.Sprint("more", i) {
			t.Errorf("got %s", names(got))
		}
	}
	reads = r.reads
	if mustRetrieve(t, mustOpen(t, dir, r), ibid.Query{Text: "plateau"}); r.reads != reads {
		t.Errorf("%d documents were indexed again", r.reads-reads)
	}
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestFewFilesAreLeft(t *testing.T) {
	r := newRecord()
	dir := t.TempDir()
	x := mustOpen(t, dir, r)
	for i := range 60 {
		r.add("", fmt.Sprint("file:///", i), "", fmt.Sprintf("Text number %d.", i))
		if err := x.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if files := list(t, dir); len(files) > 2*fanIn {
		t.Errorf("files: %v", files)
	}
	if got := mustRetrieve(t, x, ibid.Query{Text: "number 17", Limit: 1}); names(got) != "17" {
		t.Errorf("got %s", names(got))
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	r := factRecord()
	dir := t.TempDir()
	x := mustOpen(t, dir, r)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, temporaryName), 0o700); err != nil { // in the way of every new file
		t.Fatal(err)
	}
	r.add("", "file:///new", "", "The telegraph plateau is flat.")
	if got := mustRetrieve(t, x, ibid.Query{Text: "plateau"}); names(got) != "new" {
		t.Errorf("got %s", names(got))
	}
	if err := x.Update(t.Context()); err == nil {
		t.Error("Update does not say that nothing was written")
	}
}

func TestFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), filepath.Join(file, "index"), factRecord(), Config{}); err == nil {
		t.Error("opened")
	}
}

func TestCancelled(t *testing.T) {
	r := factRecord()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, t.TempDir(), r, Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestProgress(t *testing.T) {
	r := factRecord()
	var last, total int64
	_, err := Open(t.Context(), t.TempDir(), r, Config{Progress: func(done, all int64) { last, total = done, all }})
	if err != nil || last != 7 || total != 7 {
		t.Errorf("%d of %d, error %v", last, total, err)
	}
}

func TestConcurrentUse(t *testing.T) {
	r := factRecord()
	dir := t.TempDir()
	one, two := mustOpen(t, dir, r), mustOpen(t, dir, r) // as two processes would
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for i := range 10 {
				name := fmt.Sprintf("w%dn%d", w, i)
				r.add("", "file:///"+name, "", "The word "+name+" stands here.")
				x := []*Index{one, two}[(w+i)%2]
				if got := mustRetrieve(t, x, ibid.Query{Text: name, Limit: 1}); names(got) != name {
					t.Errorf("%s: got %q", name, names(got))
				}
			}
		})
		wg.Go(func() {
			for range 5 {
				if err := one.Update(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
