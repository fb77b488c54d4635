package sqlite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/text"
)

func wordsOf(t *testing.T, s interface {
	FindAnswers(context.Context, api.Find, ibid.AnswerID, int) ([]api.AnswerHead, error)
}, words string) string {
	t.Helper()
	list, err := s.FindAnswers(t.Context(), api.Find{Words: words}, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, h := range list {
		ids = append(ids, string(h.ID))
	}
	return strings.Join(ids, " ")
}

// empty is a new store, closed behind the test.
func empty(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// sourced adds a source of one short text, which answers can rest on.
func sourced(tb testing.TB, s *Store) (ibid.Source, ibid.Chunk) {
	tb.Helper()
	source := ibid.Source{ID: ibid.IdentifySource("", "file:///a"), URI: "file:///a"}
	doc := ibid.Document{ID: ibid.HashText("Text."), Text: "Text."}
	chunk := ibid.Chunk{At: ibid.Anchor{Document: doc.ID, Span: ibid.Span{End: 5}}, Text: "Text."}
	if _, _, err := s.Add(tb.Context(), source, doc, []ibid.Chunk{chunk}); err != nil {
		tb.Fatal(err)
	}
	return source, chunk
}

// recorded records an answer and its entry together, as the workflow does.
func recorded(t *testing.T, s *Store, a ibid.Answer) (entry int64) {
	t.Helper()
	err := s.Update(t.Context(), func(tx *Tx) error {
		data, err := json.Marshal(map[string]any{"answer": a.ID, "question": a.Question, "text": a.Text})
		if err != nil {
			return err
		}
		e, err := tx.Append(answerEntry, data)
		if err != nil {
			return err
		}
		entry = e.Index
		a.Entry = &entry
		return tx.PutAnswer(a)
	})
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

// standsIn gives those of the words that stand in a file of the folder. They are as the index keeps them: an answer writes
// them with their accents.
func standsIn(t *testing.T, dir string, words ...string) (found []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if bytes.Contains(b, []byte(w)) {
				found = append(found, w)
			}
		}
	}
	return found
}

// An answer whose entry was erased is not found by its words, and the index holds none of them, in no file; what it rests on and
// all others are found as before.
func TestErasedAnswersAreNotFound(t *testing.T) {
	for _, n := range []int{0, 3, 40} { // in one part of the index, in several, and merged
		t.Run(fmt.Sprint(n, " others"), func(t *testing.T) {
			dir := t.TempDir()
			s, err := Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			log, err := s.Log(t.Context(), LogConfig{})
			if err != nil {
				t.Fatal(err)
			}
			source, chunk := sourced(t, s)
			others := 0
			other := func(i int) {
				others++
				recorded(t, s, ibid.Answer{ID: ibid.AnswerID(fmt.Sprint("other-", i)), Question: fmt.Sprintf("Why zebra %d, yonder %d?", i, i), Text: strings.Repeat(fmt.Sprintf("zither%d quince%d ", i, i*7), 20)})
			}
			for i := range n {
				other(i)
			}
			said := "Der Zwölfgüldenplan des Quästors, ihm beizüwöhnen."
			a := ibid.Answer{ID: "secret", Question: "Wer kennt Xäverïnski?", Text: said, Passages: []ibid.Passage{{Chunk: chunk, Source: source, Rank: 1}},
				Attributions: []ibid.Attribution{{Of: ibid.Span{Start: 0, End: 3}, To: chunk.At, Ref: 1}}}
			entry := recorded(t, s, a)
			for i := range n {
				other(n + i)
			}
			words := []string{"zwolfguldenplan", "quastors", "xaverinski", "beizuwohnen"}
			pieces := []string{"wolfg", "olfguld", "uldenplan", "uastor", "averin", "rinski", "eizuwo", "zuwohn"} // as a page may hold the rest of a word
			for _, w := range words {
				if got := wordsOf(t, s, w); got != "secret" {
					t.Errorf("%q finds %q", w, got)
				}
			}
			if got := standsIn(t, dir, pieces...); len(got) < len(pieces) {
				t.Fatalf("of the words only %q stand in the files before: the test would see nothing", got)
			}
			if _, err := log.Erase(t.Context(), entry, "asked for"); err != nil {
				t.Fatal(err)
			}
			check := func(s *Store) {
				t.Helper()
				for _, w := range append(words, "zwo", "der", `"Wer kennt"`) {
					if got := wordsOf(t, s, w); got != "" {
						t.Errorf("%q finds %q", w, got)
					}
				}
				if got := standsIn(t, dir, append(words, pieces...)...); len(got) > 0 {
					t.Errorf("the files hold %q", got)
				}
				if got := strings.Fields(wordsOf(t, s, "why zebra")); len(got) != min(others, 100) {
					t.Errorf("of the others %d are found", len(got))
				}
				if list, err := s.FindAnswers(t.Context(), api.Find{Source: source.ID}, "", 10); err != nil || len(list) != 1 {
					t.Errorf("by its source is found %v, %v", list, err)
				}
				if err := s.writer.exec(`INSERT INTO answer_words (answer_words, rank) VALUES ('integrity-check', 0)`); err != nil {
					t.Error(err)
				}
				holds(t, s)
			}
			check(s)
			a.Entry = &entry
			if err := s.PutAnswer(t.Context(), a); err != nil { // once more, which changes nothing
				t.Fatal(err)
			}
			other(1_000_000)
			check(s)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			again, err := Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			check(again)
		})
	}
}

// Entries that speak of no answer, or of one that is not kept, are erased as ever.
func TestErasingWhatIsNoAnswer(t *testing.T) {
	s := empty(t)
	log, err := s.Log(t.Context(), LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	recorded(t, s, ibid.Answer{ID: "kept", Question: "Why?"})
	for kind, payload := range map[string]string{answerEntry: `{"answer":"other"}`, "answer-x": `{"answer":"kept"}`, "gate": `{"answer":"kept"}`, "note": "no JSON"} {
		for _, p := range []string{payload, "", "{", `{"answer":7}`} {
			e, err := log.Append(t.Context(), kind, []byte(p))
			if err == nil {
				_, err = log.Erase(t.Context(), e.Index, "test")
			}
			if err != nil {
				t.Errorf("%s %q: %v", kind, p, err)
			}
		}
	}
	if got := wordsOf(t, s, "why"); got != "kept" {
		t.Errorf("found %q", got)
	}
}

// An answer that is taken out of the record by whichever way is not found any more.
func TestRemovedAnswersAreNotFound(t *testing.T) {
	s := empty(t)
	for _, id := range []ibid.AnswerID{"one", "two"} {
		if err := s.PutAnswer(t.Context(), ibid.Answer{ID: id, Question: "Why?", Text: "So."}); err != nil {
			t.Fatal(err)
		}
	}
	err := s.Update(t.Context(), func(tx *Tx) error { return tx.w.exec(`DELETE FROM answers WHERE id = 'one'`) })
	if err != nil {
		t.Fatal(err)
	}
	var left int
	if err := s.writer.scan([]any{&left}, `SELECT count(*) FROM answer_words WHERE answer_words MATCH 'so'`); err != nil || left != 1 || wordsOf(t, s, "so") != "two" {
		t.Errorf("%d are left in the index, %v", left, err)
	}
}

// What a folder of before holds is found as soon as it is opened, but for answers whose entry was erased.
func TestAnswersOfBeforeAreFound(t *testing.T) {
	const answers = `
		INSERT INTO sources (id, collection, uri, reference, added_at) VALUES ('53796e6368726f6e', '', 'file:///old.txt', '{}', 1);
		INSERT INTO answers (number, id, question, model, created_at, body) VALUES
			(1, 'one', 'Old CÂBLE?', 'm', 1, CAST('{"id":"one","question":"Old CÂBLE?","text":"It failed.","entry":1,
				"passages":[{"rank":1,"source":{"id":"53796e6368726f6e"}},{"rank":2,"source":{"id":"other"}}],"attributions":[{"ref":1},{"ref":1},{"ref":7}]}' AS BLOB)),
			(2, 'two', 'Old voltage?', 'm', 2, CAST('{"id":"two","text":"It fäiled twice.","entry":2}' AS BLOB)),
			(3, 'three', 'Old harm?', 'm', 3, x'ff00'),
			(4, 'four', 'Old ship?', 'm', 4, CAST('{"id":"four","text":"It failed four times."}' AS BLOB));
		INSERT INTO log (number, at, kind, commitment, hashes, salt, data) VALUES (0, 0, 'key', x'', x'', x'', x''), (1, 0, 'answer', x'', x'', x'00', x'00'), (2, 0, 'answer', x'', x'', x'00', x'00');`
	for name, c := range map[string]struct{ script, old, failed string }{
		"nothing erased": {"", "four three two one", "four two one"},
		"one erased":     {`UPDATE log SET salt = NULL, data = NULL WHERE number = 2`, "one", "one"}, // it may be that of any that tells none
	} {
		t.Run(name, func(t *testing.T) {
			dir := made(t, 7, answers+c.script)
			s, err := Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			for words, want := range map[string]string{"old": c.old, "failed": c.failed, "cable": "one"} {
				if got := wordsOf(t, s, words); got != want {
					t.Errorf("%q finds %q, want %q", words, got, want)
				}
			}
			holds(t, s)
			if got := standsIn(t, dir, "twice "); c.script != "" && len(got) > 0 {
				t.Errorf("the index holds %q", got)
			}
			if list, err := s.FindAnswers(t.Context(), api.Find{Source: "53796e6368726f6e"}, "", 10); err != nil || len(list) != 1 || list[0].ID != "one" {
				t.Errorf("by its source is found %v, %v", list, err)
			}
		})
	}
}

// Nothing of another collection is found, and nothing tells that it is there.
func TestFindingWithinACollection(t *testing.T) {
	s := empty(t)
	mine := ibid.Source{ID: ibid.IdentifySource("mine", "file:///a"), Collection: "mine", URI: "file:///a"}
	for _, c := range []string{"mine", "other", ""} {
		if err := s.In(c).PutAnswer(t.Context(), ibid.Answer{ID: ibid.AnswerID("of-" + c), Question: "Why?", Text: "A common word."}); err != nil {
			t.Fatal(err)
		}
	}
	doc := ibid.Document{ID: ibid.HashText("Text."), Text: "Text."}
	if _, _, err := s.Add(t.Context(), mine, doc, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{"mine", "other", ""} {
		if got := wordsOf(t, s.In(c), "common"); got != "of-"+c {
			t.Errorf("%q finds %q", c, got)
		}
		list, err := s.In(c).FindAnswers(t.Context(), api.Find{Words: "common"}, "of-", 10) // a cursor of the last
		if want := c != ""; err != nil || len(list) == 1 != want {
			t.Errorf("%q finds %v, %v", c, list, err)
		}
		_, err = s.In(c).FindAnswers(t.Context(), api.Find{Source: mine.ID}, "", 10)
		if (c == "mine") != (err == nil) || err != nil && !errors.Is(err, ibid.ErrNotFound) {
			t.Errorf("%q: a source of another collection: %v", c, err)
		}
		if _, err := s.In(c).FindAnswers(t.Context(), api.Find{Source: mine.ID[:8]}, "", 10); !errors.Is(err, ibid.ErrNotFound) {
			t.Errorf("%q: the beginning of an id: %v", c, err)
		}
	}
	if got := wordsOf(t, s, "common"); got != "of- of-other of-mine" {
		t.Errorf("over all is found %q", got)
	}
}

// An answer that is undone leaves no word, and those that share its transaction are found.
func TestUndoneAnswersAreNotFound(t *testing.T) {
	s := empty(t)
	var want []string
	for i := range 30 {
		id, bad := fmt.Sprint("answer-", i), i%3 == 1
		if !bad {
			want = append([]string{id}, want...)
		}
		s.queue = append(s.queue, &job{done: make(chan struct{}), run: func(tx *Tx) error {
			if err := tx.PutAnswer(ibid.Answer{ID: ibid.AnswerID(id), Question: "Why?", Text: strings.Repeat(fmt.Sprintf("Zebra %d. ", i), 50)}); err != nil || !bad {
				return err
			}
			if i%2 == 0 {
				panic("on purpose")
			}
			return errors.New("on purpose")
		}})
	}
	s.drain()
	if got := wordsOf(t, s, "why zebra"); got != strings.Join(want, " ") {
		t.Errorf("found %q, want %q", got, want)
	}
	if err := s.writer.exec(`INSERT INTO answer_words (answer_words, rank) VALUES ('integrity-check', 0)`); err != nil {
		t.Error(err)
	}
	holds(t, s)
}

// A page of answers that were given very much is read without all of it.
func TestLargeAnswersAreFound(t *testing.T) {
	s := empty(t)
	long := strings.Repeat("Much was said. ", 20_000)
	for id, said := range map[ibid.AnswerID]string{"late": long + "At last a zebra.", "large": "A zebra. " + strings.Repeat(long, 5)} {
		if err := s.PutAnswer(t.Context(), ibid.Answer{ID: id, Text: said}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.FindAnswers(t.Context(), api.Find{Words: "zebra"}, "", 10)
	if err != nil || len(list) != 2 || list[0].Excerpt != "" || list[1].Excerpt != "" {
		t.Errorf("found %+v, %v", list, err)
	}
}

// What is being recorded is found whole or not at all, and stops nobody from looking.
func TestFindingWhileAnswersCome(t *testing.T) {
	s := empty(t)
	const writers, each = 4, 25
	var writing, reading sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		writing.Go(func() {
			for i := range each {
				id := ibid.AnswerID(fmt.Sprintf("%d-%d", w, i))
				if err := s.PutAnswer(t.Context(), ibid.Answer{ID: id, Question: "Why " + string(id) + "?", Text: "The word is zebra."}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 2 {
		reading.Go(func() {
			for last := 0; ; {
				over := false
				select {
				case <-done:
					over = true
				default:
				}
				list, err := s.FindAnswers(t.Context(), api.Find{Words: "why zeb"}, "", 1000)
				if err != nil || len(list) < last || over && len(list) != writers*each {
					t.Errorf("%d found after %d, %v", len(list), last, err)
					return
				}
				holds(t, s) // of one moment
				if over {
					return
				}
				last = len(list)
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
}

// Whatever is typed is an answer or ibid.ErrInvalid, never an error of SQLite; and what was recorded is found by its own words, as
// they are, in capitals, and in quotes.
func FuzzFind(f *testing.F) {
	for _, s := range []string{"When was the cable laid?", `"a b" c`, "NEAR(a b, 3) OR {x y} : ^c* - + NOT", "海底ケーブル", "🎉👩‍👧", "a\x00b", "\xff", `"""`, "don't 3.14", "½ ㍿", "ΐ İ ß"} {
		f.Add(s, s)
	}
	s, err := Open(f.Context(), f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	f.Fuzz(func(t *testing.T, said, words string) {
		ctx := context.Background()
		if _, err := s.FindAnswers(ctx, api.Find{Words: words}, "", 3); err != nil && !errors.Is(err, ibid.ErrInvalid) {
			t.Fatalf("%q: %v", words, err)
		}
		if len(said) > 600 || len(text.Terms(said)) == 0 {
			return
		}
		a := ibid.Answer{ID: ibid.AnswerID(ibid.HashText(said)), Question: "?", Text: said, CreatedAt: time.Unix(0, 0)}
		if err := s.PutAnswer(ctx, a); err != nil {
			if errors.Is(err, ibid.ErrInvalid) { // not UTF-8
				return
			}
			t.Fatal(err)
		}
		plain := strings.Join(strings.Split(quotes.Replace(said), `"`), " ")
		for _, words := range []string{said, plain, `"` + plain + `"`, strings.ToUpper(plain)} {
			if words == said && strings.Contains(quotes.Replace(said), `"`) {
				continue // they ask for more
			}
			list, err := s.FindAnswers(ctx, api.Find{Words: words}, "", 1_000_000)
			if err != nil {
				t.Fatalf("%q: %v", words, err)
			}
			there := false
			for _, h := range list {
				if there = there || h.ID == a.ID; h.ID == a.ID && h.Excerpt == "" {
					t.Errorf("%q: no excerpt of %q", words, said)
				}
			}
			if !there {
				t.Errorf("%q does not find %q", words, said)
			}
		}
	})
}
