package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

// holds says that answers are found by what they say.
func holds(t *testing.T, s *Store) {
	t.Helper()
	if wrong, err := s.CheckFind(t.Context()); err != nil || wrong != "" {
		t.Errorf("%q, %v", wrong, err)
	}
}

// library records three answers of which one rests on a source and one was erased.
func library(t *testing.T, s *Store) ibid.Source {
	t.Helper()
	log, err := s.Log(t.Context(), LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	source, chunk := sourced(t, s)
	recorded(t, s, ibid.Answer{ID: "one", Question: "Why zebra?", Text: "It isn't 3.14, said ΣΊΣΥΦΟΣ.", Passages: []ibid.Passage{{Chunk: chunk, Source: source, Rank: 1}},
		Attributions: []ibid.Attribution{{Of: ibid.Span{Start: 0, End: 3}, To: chunk.At, Ref: 1}}})
	entry := recorded(t, s, ibid.Answer{ID: "two", Question: "Why not?", Text: "Der Zwölfgüldenplan."})
	recorded(t, s, ibid.Answer{ID: "three", Question: "Why zebra?", Text: ""})
	if _, err := log.Erase(t.Context(), entry, "asked for"); err != nil {
		t.Fatal(err)
	}
	return source
}

// What was done to the index behind the record's back is named, and is gone when the index is written anew. What was erased does not
// come back with it.
func TestIndexIsHeldAgainstTheAnswers(t *testing.T) {
	for name, c := range map[string]struct{ change, want string }{
		"an answer lost":           {`DELETE FROM answer_words WHERE rowid = 1`, "1 answer is not found by its words (one)"},
		"all lost":                 {`INSERT INTO answer_words (answer_words) VALUES ('delete-all')`, "2 answers are not found by their words (one, three)"},
		"other words":              {`DELETE FROM answer_words WHERE rowid = 3; INSERT INTO answer_words (rowid, question, text) VALUES (3, 'why zebra', 'cable')`, "1 answer is found by other words than it has (three)"},
		"words in another order":   {`DELETE FROM answer_words WHERE rowid = 3; INSERT INTO answer_words (rowid, question) VALUES (3, 'zebra why')`, "1 answer is found by other words than it has (three)"},
		"a question as the text":   {`DELETE FROM answer_words WHERE rowid = 3; INSERT INTO answer_words (rowid, text) VALUES (3, 'why zebra')`, "1 answer is found by other words than it has (three)"},
		"an erased one put back":   {`INSERT INTO answer_words (rowid, question, text) VALUES (2, 'why not', 'der zwolfguldenplan')`, "1 answer whose entry was erased is found by its words (two)"},
		"an answer put in":         {`INSERT INTO answer_words (rowid, text) VALUES (77, 'cable')`, "it holds 1 answer that is not there"},
		"a source lost":            {`DELETE FROM answer_sources`, "1 answer is not found by the sources that it rests on, or by others (one)"},
		"a source put in":          {`INSERT INTO answer_sources (source, answer) VALUES ('x', 3)`, "1 answer is not found by the sources that it rests on, or by others (three)"},
		"what it has not listed":   {`DELETE FROM answer_words_docsize WHERE id = 1`, "1 answer is not found by its words (one)"},
		"the index overwritten":    {`UPDATE answer_words_data SET block = x'ffff' WHERE id > 10`, "it cannot be read ("},
		"the index without a page": {`DELETE FROM answer_words_data WHERE id > 10`, "not "},
		"the answer, another":      {`UPDATE answers SET body = CAST(replace(CAST(body AS TEXT), '3.14', '3.15') AS BLOB)`, "1 answer is found by other words than it has (one)"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			source := library(t, s)
			holds(t, s)
			if _, err := s.writer.conn.ExecContext(t.Context(), c.change); err != nil {
				t.Fatal(err)
			}
			wrong, err := s.CheckFind(t.Context())
			if err != nil || !strings.Contains(wrong, c.want) || !strings.HasSuffix(wrong, ": ibid audit reindex writes it anew") {
				t.Errorf("said %q, %v", wrong, err)
			}
			known, unknown, err := s.RebuildFind(t.Context())
			if err != nil || known != 2 || unknown != 1 {
				t.Fatalf("%d and %d, %v", known, unknown, err)
			}
			holds(t, s)
			for words, want := range map[string]string{"zebra": "three one", "3.1": "one", "sisyphos": "", "σισυφος": "one", "zwolf": "", "cable": ""} {
				if got := wordsOf(t, s, words); got != want {
					t.Errorf("%q finds %q, want %q", words, got, want)
				}
			}
			if list, err := s.FindAnswers(t.Context(), api.Find{Source: source.ID}, "", 10); err != nil || len(list) != 1 {
				t.Errorf("by its source is found %v, %v", list, err)
			}
			if got := standsIn(t, dir, "zwolfguldenplan", "olfguldenpl"); len(got) > 0 {
				t.Errorf("the files hold %q", got)
			}
			if err := s.writer.exec(`INSERT INTO answer_words (answer_words, rank) VALUES ('integrity-check', 0)`); err != nil {
				t.Error(err)
			}
		})
	}
}

// An answer that does not tell its entry may be one that was erased: that it is not found is not held against the index, nor that it is.
func TestIndexOfAnswersWithoutEntry(t *testing.T) {
	s := empty(t)
	library(t, s)
	if err := s.PutAnswer(t.Context(), ibid.Answer{ID: "four", Question: "Whence?", Text: "A cable."}); err != nil {
		t.Fatal(err)
	}
	holds(t, s)
	if known, unknown, err := s.RebuildFind(t.Context()); err != nil || known != 2 || unknown != 2 {
		t.Errorf("%d and %d, %v", known, unknown, err)
	}
	holds(t, s)
	if err := s.writer.exec(`INSERT INTO answer_words (rowid, question, text) VALUES (4, 'whence', 'another')`); err != nil {
		t.Fatal(err)
	}
	if wrong, err := s.CheckFind(t.Context()); err != nil || !strings.Contains(wrong, "(four)") {
		t.Errorf("said %q, %v", wrong, err)
	}
}

// What is read of an answer to find it by is what it was found by when it was recorded: also by its steps, and not by what came with the
// question.
func TestReadToBeFound(t *testing.T) {
	passage := func(source ibid.SourceID, text string, rank int) ibid.Passage {
		return ibid.Passage{Chunk: ibid.Chunk{At: ibid.Anchor{Document: ibid.HashText(text), Span: ibid.Span{End: len(text)}}, Text: text}, Source: ibid.Source{ID: source, Collection: "c", URI: "u"}, Rank: rank}
	}
	entry := int64(7)
	a := ibid.Answer{ID: "one", Question: "Why?", Text: "So.", Entry: &entry,
		Passages:     []ibid.Passage{passage("a", "A.", 1), passage("b", "B.", 2), passage(ibid.GivenPrefix+"1", "Given.", 3), passage(ibid.GivenPrefix+"2", "Given.", 4)},
		Attributions: []ibid.Attribution{{Ref: 1}, {Ref: 3}, {Ref: 4}, {Ref: 9}},
		Steps:        []ibid.Step{{Passages: []ibid.Passage{passage("d", "D.", 1), passage("e", "E.", 2)}, Attributions: []ibid.Attribution{{Ref: 2}, {Ref: 1}}}}}
	a.Passages[3].Chunk.At.Document = "another" // not a given one: its text is not what names it
	body, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	got := readFindable(body)
	if want := restsOn(a); len(want) != 4 || !slices.Equal(restsOn(got), want) || got.Text != a.Text || *got.Entry != entry {
		t.Errorf("read %+v, which rests on %v, want %v", got, restsOn(got), want)
	}
	if got := readFindable([]byte("{")); got.Text != "" || got.Entry != nil {
		t.Errorf("read %+v", got)
	}
}

// Where the index cannot be written anew to the end, it stays as it was.
func TestReindexingIsAllOrNothing(t *testing.T) {
	s := empty(t)
	library(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Update(t.Context(), func(tx *Tx) error { // as from another process, behind which it waits
		cancel()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.RebuildFind(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := s.writer.exec(`CREATE TRIGGER broken BEFORE INSERT ON answer_sources BEGIN SELECT RAISE(ABORT, 'on purpose'); END`); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.RebuildFind(t.Context()); err == nil || !strings.Contains(err.Error(), "on purpose") {
		t.Error(err)
	}
	holds(t, s)
	if got := wordsOf(t, s, "zebra"); got != "three one" {
		t.Errorf("found %q", got)
	}
	s.writer.refuses = fmt.Errorf("read only: %w", fs.ErrPermission)
	clear(s.writer.stmts)
	if _, _, err := s.RebuildFind(t.Context()); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	s.writer.refuses = nil
}

// Whatever an answer says, the index of it is what the check expects: it parts words as the tokenizer does.
func FuzzCheckFind(f *testing.F) {
	for _, s := range []string{"When was the cable laid?", "don't 3.14 a_b x-y", "ΐ İ ß ÅNGSTRÖM", "海底ケーブル", "🎉👩‍👧 \u0301", "½ ㍿ ﬁ", strings.Repeat("long", 10_000), strings.Repeat("ü", 20_000), "a\x00b"} {
		f.Add(s, s)
	}
	s, err := Open(f.Context(), f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	f.Fuzz(func(t *testing.T, question, said string) {
		if err := s.PutAnswer(t.Context(), ibid.Answer{ID: "one", Question: question, Text: said, CreatedAt: time.Unix(0, 0)}); err != nil {
			if errors.Is(err, ibid.ErrInvalid) { // not UTF-8
				return
			}
			t.Fatal(err)
		}
		holds(t, s)
		if err := s.writer.exec(`DELETE FROM answers`); err != nil {
			t.Fatal(err)
		}
		holds(t, s)
	})
}

// BenchmarkCheckFind holds 10,000 answers of about 160 words each, with the eight passages that they were given, against their index, and
// writes it anew.
func BenchmarkCheckFind(b *testing.B) {
	s, err := Open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	source := ibid.Source{ID: ibid.IdentifySource("", "file:///a"), URI: "file:///a"}
	if err := json.Unmarshal([]byte(`{"type":"book","title":"On Cables","author":[{"family":"Doe","given":"Jane"}],"issued":{"date-parts":[[1858,8,5]]}}`), &source.Reference); err != nil {
		b.Fatal(err)
	}
	doc := ibid.Document{Text: strings.Repeat("The cable was laid in the summer of that year, they say. ", 20)}
	doc.ID = ibid.HashText(doc.Text)
	chunk := ibid.Chunk{At: ibid.Anchor{Document: doc.ID, Span: ibid.Span{End: len(doc.Text)}}, Text: doc.Text}
	if _, _, err := s.Add(b.Context(), source, doc, []ibid.Chunk{chunk}); err != nil {
		b.Fatal(err)
	}
	var passages []ibid.Passage
	for rank := range 8 {
		passages = append(passages, ibid.Passage{Chunk: chunk, Source: source, Rank: rank + 1})
	}
	for from := 0; from < 10_000; from += 500 {
		err := s.Update(b.Context(), func(tx *Tx) error {
			for i := from; i < from+500; i++ {
				a := ibid.Answer{ID: ibid.AnswerID(fmt.Sprint("answer-", i)), Question: fmt.Sprintf("What is said of %d?", i), Passages: passages, Attributions: []ibid.Attribution{{Of: ibid.Span{End: 2}, To: chunk.At, Ref: 1}}}
				for k := range 20 {
					a.Text += fmt.Sprintf("It was %x that came of word%d, they say. ", (i*31+k*k*977)%5000, k)
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
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			if wrong, err := s.CheckFind(b.Context()); err != nil || wrong != "" {
				b.Fatal(wrong, err)
			}
		}
	})
	b.Run("rebuild", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := s.RebuildFind(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
