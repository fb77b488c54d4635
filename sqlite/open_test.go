package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

// made makes a data folder with the first n migrations only, as an older version left it, and what the script adds.
func made(t *testing.T, n int, script string) string {
	t.Helper()
	dir := t.TempDir()
	db, err := sql.Open("sqlite", address(filepath.Join(dir, FileName), ""))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	all, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		if err := migrate(t.Context(), conn, all[:n]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.ExecContext(t.Context(), script); err != nil {
		t.Fatal(err)
	}
	return dir
}

func openError(t *testing.T, dir string) error {
	t.Helper()
	s, err := Open(t.Context(), dir)
	if err == nil {
		t.Cleanup(func() { s.Close() })
	}
	return err
}

// A folder of the first version, with rows as it wrote them, opens with everything in it, whatever came since.
func TestOlderFolderIsUpgraded(t *testing.T) {
	dir := made(t, 1, `
		INSERT INTO sources (id, collection, uri, reference, added_at) VALUES ('53796e6368726f6e', '', 'file:///old.txt', '{"title":"Old"}', 1700000000000000);
		INSERT INTO documents (key, id, length, outline) VALUES (1, 'hash', 9, NULL);
		INSERT INTO texts (document, piece, bytes) VALUES (1, 0, CAST('Old text.' AS BLOB));
		INSERT INTO versions (source, version, document, media_type, fetched_at) VALUES ('53796e6368726f6e', 1, 1, 'text/plain', 1700000000000000);
		INSERT INTO chunks (document, ordinal, start, stop, heading, page, breaks, runes, utf16) VALUES (1, 0, 0, 9, '["Top"]', 3, NULL, 0, 0);
		INSERT INTO changes (source) VALUES ('53796e6368726f6e');
		INSERT INTO answers (id, conversation, question, model, created_at, body) VALUES ('old-answer', NULL, 'Old?', 'm', 1, CAST('{"id":"old-answer","question":"Old?"}' AS BLOB));`)
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	source, chunk, err := s.Passage(t.Context(), "53796e6368726f6e", 1, 0)
	if err != nil || source.Title() != "Old" || chunk.Text != "Old text." || chunk.Page != 3 || chunk.Heading[0] != "Top" {
		t.Errorf("%+v, %+v, %v", source, chunk, err)
	}
	if a, err := s.Answer(t.Context(), "old-"); err != nil || a.Question != "Old?" {
		t.Errorf("%+v, %v", a, err)
	}
	var schema int
	if err := s.reads.QueryRow(`PRAGMA user_version`).Scan(&schema); err != nil {
		t.Fatal(err)
	}
	if all, _ := migrations(); schema != len(all) {
		t.Errorf("schema %d of %d", schema, len(all))
	}
}

func TestRefusedFolders(t *testing.T) {
	for _, c := range []struct{ name, dir, words string }{
		{"a newer version", made(t, 1, `PRAGMA user_version = 99`), "data folder was written by a newer ibid (schema 99, this one knows "},
		{"another program's database", made(t, 0, `CREATE TABLE notes (x)`), "another program"},
		{"a version without its history", made(t, 1, `PRAGMA user_version = 2`), "another build"},
		{"another build's schema", made(t, 1, `UPDATE migrations SET checksum = 'x'`), "another build"},
	} {
		path := filepath.Join(c.dir, FileName)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		err = openError(t, c.dir)
		if !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.words) || !strings.Contains(err.Error(), "--data") {
			t.Errorf("%s: error is %v", c.name, err)
		}
		after, err := os.ReadFile(path)
		if err != nil || string(after) != string(before) {
			t.Errorf("%s: the file was changed", c.name)
		}
	}
}

func TestFileThatIsNoDatabase(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	text := []byte(strings.Repeat("This is not a database. ", 100))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := openError(t, dir); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "not a record") {
		t.Errorf("error is %v", err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(text) {
		t.Error("the file was changed")
	}
}

func TestFolderThatIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := openError(t, path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error is %v", err)
	}
}

// An empty file is what is left when the machine stops between making the file and writing to it.
func TestEmptyFileIsANewRecord(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, FileName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := openError(t, dir); err != nil {
		t.Error(err)
	}
}

// What the gate did with answers of before is counted, too; one that cannot be read stops no upgrade.
func TestOutcomesOfBeforeAreCounted(t *testing.T) {
	dir := made(t, 6, `
		INSERT INTO answers (number, id, question, model, created_at, body) VALUES (1, 'one', 'Old?', 'm', 1, CAST('{"id":"one","verdict":{"outcome":"block"}}' AS BLOB)),
			(2, 'two', 'Old?', 'm', 2, CAST('{"id":"two"}' AS BLOB)), (3, 'three', 'Old?', 'm', 3, x'ff00');
		INSERT INTO answer_facts (answer, rag, hybrid, llm, none, uncited, contradicted, sources, model) VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0, 0, 0, 0), (3, 0, 0, 0, 0, 0, 0, 0, 0);`)
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	in, err := s.In("").Insights(t.Context(), time.Unix(0, 0), time.Unix(1, 0))
	if err != nil || in.Answers != 3 || in.Gate != (api.GateCount{Refused: 1}) {
		t.Errorf("%+v, %v", in, err)
	}
}

func TestFailedMigrationLeavesTheOldSchema(t *testing.T) {
	dir := made(t, 1, ``)
	all, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	bad := migration{number: len(all) + 1, name: "9999_bad", sql: `CREATE TABLE half (x); INSERT INTO nothing VALUES (1);`}
	if err := migrate(context.Background(), s.writer.conn, append(all, bad)); err == nil {
		t.Fatal("the bad migration passed")
	}
	var n int
	if err := s.writer.scan([]any{&n}, `SELECT count(*) FROM sqlite_schema WHERE name = 'half'`); err != nil || n != 0 {
		t.Errorf("%d tables are left of it, error %v", n, err)
	}
	if s2, err := Open(t.Context(), dir); err != nil {
		t.Error(err)
	} else {
		s2.Close()
	}
}

func TestDurableSettings(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
		var got string
		if err := s.writer.scan([]any{&got}, `PRAGMA `+pragma); err != nil || got != want {
			t.Errorf("%s is %s, error %v", pragma, got, err)
		}
	}
}

// An add that fails in the middle leaves nothing of itself, and those that share its transaction are stored.
func TestFailedAddAmongOthers(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.writer.exec(`CREATE TEMP TRIGGER harm BEFORE INSERT ON versions WHEN NEW.media_type = 'bad' BEGIN SELECT RAISE(ABORT, 'harmed'); END`)
	if err != nil {
		t.Fatal(err)
	}
	var adds []*add
	for i := range 9 {
		uri, text := fmt.Sprint("file:///", i), fmt.Sprint("Text ", i)
		a := &add{
			source:   ibid.Source{ID: ibid.IdentifySource("", uri), URI: uri},
			document: ibid.Document{ID: ibid.HashText(text), Text: text, MediaType: []string{"good", "bad", "good"}[i%3]},
		}
		adds = append(adds, a)
		s.queue = append(s.queue, &job{run: a.write, done: make(chan struct{})})
	}
	batch := slices.Clone(s.queue)
	s.drain()
	for i, a := range adds {
		<-batch[i].done
		_, err := s.Document(t.Context(), a.document.ID)
		_, sourceErr := s.Source(t.Context(), a.source.ID)
		if bad := i%3 == 1; bad != (batch[i].err != nil) || bad != errors.Is(err, ibid.ErrNotFound) || bad != errors.Is(sourceErr, ibid.ErrNotFound) {
			t.Errorf("add %d: %v, document: %v, source: %v", i, batch[i].err, err, sourceErr)
		}
	}
}

// A full disk is said once, in words, and callers can tell it.
func TestFullDiskIsSaidOnce(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`PRAGMA max_page_count = 3; CREATE TABLE a (b BLOB); INSERT INTO a VALUES (zeroblob(1000000))`)
	err = explain(fmt.Errorf("add: %w", explain(err)))
	if !errors.Is(err, syscall.ENOSPC) || strings.Count(err.Error(), "no space left") != 1 {
		t.Errorf("got %v", err)
	}
}

// What SQLite says in codes is said in words once, however many look at it on its way up.
func TestErrorsAreExplainedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	db, err := sql.Open("sqlite", address(path, "&mode=ro"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec(`CREATE TABLE a (b)`)
	err = explain(fmt.Errorf("add: %w", explain(err)))
	if err == nil || strings.Count(err.Error(), "check who owns the data folder") != 1 {
		t.Errorf("got %v", err)
	}
}

// What people keep and ask is nobody else's, wherever the folder stands.
func TestFilesAreTheOwnersAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", f.Name(), info.Mode())
		}
	}
}
