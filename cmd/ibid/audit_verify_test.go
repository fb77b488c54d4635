package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/sqlite"
)

// What was changed in the library behind the log's back is named by verify, and what it can't check is not said to hold.
func TestVerifyHoldsTheLibrary(t *testing.T) {
	for name, c := range map[string]struct {
		erase  bool
		change string
		want   string
	}{
		"another collection":   {change: `UPDATE answers SET collection = 'hidden'`, want: " is in another collection or conversation than was recorded"},
		"another conversation": {change: `INSERT INTO conversations (id) VALUES ('c'); UPDATE answers SET conversation = 'c'`, want: " is in another collection or conversation than was recorded"},
		"a study":              {change: `UPDATE studies SET body = CAST(replace(CAST(body AS TEXT), 'cable', 'kable') AS BLOB)`, want: " is not what was recorded"},
		"a study taken out":    {change: `DELETE FROM studies`, want: " is not in the library: it was taken out"},
		"an erased answer":     {erase: true, change: `UPDATE answers SET body = CAST(replace(CAST(body AS TEXT), '1858', '1859') AS BLOB)`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, ibid := t.TempDir(), program(t)
			typed := func(args ...string) (string, error) {
				out, err := ibidCommand(t.Context(), ibid, data, args...).CombinedOutput()
				return string(out), err
			}
			must := func(args ...string) string {
				out, err := typed(args...)
				if err != nil {
					t.Fatalf("%s: %v\n%s", args, err, out)
				}
				return out
			}
			must("ingest", filepath.Join("..", "..", "examples", "library"))
			if strings.HasPrefix(name, "a study") {
				must("research", "start", "the cable of 1858", "--depth", "shallow")
			} else {
				must("ask", "When was the cable of 1858 finished?")
			}
			holds := "the sources, answers and finished runs of the library are what it says\n"
			if out := must("audit", "verify"); !strings.Contains(out, holds) {
				t.Fatalf("before:\n%s", out)
			}
			var entries []struct {
				Index json.Number
				Data  struct{ Answer string }
			}
			if c.erase {
				if err := json.Unmarshal([]byte(must("audit", "list", "--kind", "answer", "--json")), &entries); err != nil || len(entries) != 1 {
					t.Fatal(entries, err)
				}
				must("audit", "erase", entries[0].Index.String(), "--reason", "asked for")
			}
			db, err := sql.Open("sqlite", filepath.Join(data, sqlite.FileName))
			if err != nil {
				t.Fatal(err)
			}
			res, err := db.Exec(c.change)
			if err != nil {
				t.Fatal(err)
			}
			if n, _ := res.RowsAffected(); n == 0 {
				t.Fatal("nothing was changed")
			}
			db.Close()
			out, err := typed("audit", "verify")
			if strings.Contains(out, holds) {
				t.Errorf("the library is said to hold:\n%s", out)
			}
			if c.erase {
				if err != nil || !strings.Contains(out, "answer "+entries[0].Data.Answer+" can no longer be checked: its entry was erased\n") {
					t.Errorf("%v\n%s", err, out)
				}
			} else if err == nil || !strings.Contains(out, c.want) || !strings.Contains(out, "the log is whole, and the library is not what it says") {
				t.Errorf("%v, want %q\n%s", err, c.want, out)
			}
		})
	}
}

// A row of the reviews that was copied under another id is no review: nobody is shown what was flagged twice, nobody decides on
// the copy, and verify names it.
func TestReviewThatWasDoubledIsOne(t *testing.T) {
	data, ibid := t.TempDir(), program(t)
	typed := func(args ...string) (string, error) {
		out, err := ibidCommand(t.Context(), ibid, data, args...).CombinedOutput()
		return string(out), err
	}
	policy := filepath.Join(t.TempDir(), "flags.toml")
	if err := os.WriteFile(policy, []byte("name = \"flags\"\noutcome = \"flag\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run", "start", "nightly"}, {"run", "claim", "nightly", "Nobody knows why."}, {"run", "finish", "nightly", "--policy", policy}, {"audit", "verify"}} {
		if out, err := typed(args...); err != nil {
			t.Fatal(args, err, out)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(data, sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`INSERT INTO reviews (id, body) SELECT 'ffff0000ffff0000', body FROM reviews`); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"review", "list"}, {"review", "list", "--all"}} {
		if out, err := typed(args...); err != nil || strings.Count(out, "Nobody knows why.") != 1 {
			t.Errorf("%s: %v\n%s", args, err, out)
		}
	}
	var id string
	if err := db.QueryRow(`INSERT INTO reviews (id, body) SELECT substr(id, 1, 8) || 'ffff0000', body FROM reviews WHERE id < 'ffff' RETURNING id`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	if out, err := typed("review", "show", id[:8]); err != nil || !strings.Contains(out, "Nobody knows why.") {
		t.Errorf("the beginning of the id that a copy has too: %v\n%s", err, out)
	}
	if out, err := typed("review", "approve", "ffff", "--by", "ada"); err == nil || !strings.Contains(out, "not found") {
		t.Errorf("approving the copy: %v\n%s", err, out)
	}
	if _, err := db.Exec(`INSERT INTO reviews (id, body) SELECT 'eeee0000eeee0000', json_replace(body, '$.id', 'eeee0000eeee0000') FROM reviews LIMIT 1`); err != nil {
		t.Fatal(err)
	}
	out, err := typed("audit", "verify")
	for _, want := range []string{
		"review ffff0000ffff0000 is a copy of another, and no entry of the log says so",
		"waiting review eeee0000eeee0000 is in the library, and no entry of the log says so",
	} {
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("audit verify: %v\n%s\nwant %s", err, out, want)
		}
	}
	if strings.Count(out, "waiting review") != 1 {
		t.Errorf("a review that was flagged is named:\n%s", out)
	}
}

// A log whose entries are gone is not called empty, whatever still tells of them: the key, the signed head or the library. One that
// never had any is.
func TestLogWhoseEntriesAreGoneIsNotEmpty(t *testing.T) {
	ibid := program(t)
	for name, c := range map[string]struct {
		change string // "" where the whole file is emptied
		fresh  bool
	}{
		"the file was emptied":             {},
		"the entries were deleted":         {change: `DELETE FROM log WHERE kind <> ''`},
		"the head went with them":          {change: `DELETE FROM log; DELETE FROM log_checkpoints`},
		"a new library has had no entries": {fresh: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			typed := func(args ...string) (string, error) {
				out, err := ibidCommand(t.Context(), ibid, data, args...).CombinedOutput()
				return string(out), err
			}
			file := filepath.Join(data, sqlite.FileName)
			begin := []string{"ingest", filepath.Join("..", "..", "examples", "library")}
			if c.fresh {
				begin = []string{"sources", "list"}
			}
			if out, err := typed(begin...); err != nil {
				t.Fatal(err, out)
			}
			switch {
			case c.fresh:
			case c.change == "":
				for _, suffix := range []string{"", "-wal", "-shm"} {
					os.Remove(file + suffix)
				}
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			default:
				db, err := sql.Open("sqlite", file)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := db.Exec(c.change); err != nil {
					t.Fatal(err)
				}
				db.Close()
			}
			exported := filepath.Join(data, "audit.jsonl")
			for _, args := range [][]string{{"list"}, {"list", "--json"}, {"list", "--kind", "answer"}, {"show", "last"}, {"key"}, {"export", "--jsonl"}, {"export", "--jsonl", exported}} {
				out, err := typed(append([]string{"audit"}, args...)...)
				if c.fresh {
					if strings.Contains(out, "missing") || (err != nil) != (args[0] == "show") {
						t.Errorf("audit %s: %v\n%s", args, err, out)
					}
					continue
				}
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.ExitCode() != 1 || out != "ibid: the log has no entries, and had some: they are missing\n  ibid audit verify tells more\n" {
					t.Errorf("audit %s: %v\n%s", args, err, out)
				}
			}
			if c.fresh || c.change == "" { // nor is the library called so
				for _, args := range [][]string{{"sources"}, {"sources", "list", "--json"}, {"show"}, {"show", "--json"}} {
					if out, err := typed(args...); (err == nil) != c.fresh || strings.Contains(out, "they are missing") == c.fresh {
						t.Errorf("%s: %v\n%s", args, err, out)
					}
				}
			}
			if _, err := os.Stat(exported); (err == nil) != c.fresh {
				t.Errorf("the file of the export: %v", err)
			}
			if out, err := typed("audit", "verify"); (err == nil) != c.fresh {
				t.Errorf("audit verify: %v\n%s", err, out)
			}
			if out, err := typed("audit", "checkpoint"); c.fresh != strings.Contains(out, "the log is empty") {
				t.Errorf("audit checkpoint: %v\n%s", err, out)
			}
		})
	}
}

// An index that lost or gained answers is named by verify, with the command that mends it; the exit code says so until it is mended.
func TestVerifyHoldsTheIndex(t *testing.T) {
	t.Parallel()
	data, ibid := t.TempDir(), program(t)
	typed := func(args ...string) (string, error) {
		out, err := ibidCommand(t.Context(), ibid, data, args...).CombinedOutput()
		return string(out), err
	}
	must := func(want string, args ...string) {
		t.Helper()
		if out, err := typed(args...); err != nil || !strings.Contains(out, want) {
			t.Fatalf("%s: %v, want %q\n%s", args, err, want, out)
		}
	}
	must("", "ingest", filepath.Join("..", "..", "examples", "library"))
	must("1858", "ask", "When was the cable of 1858 finished?")
	must("the log is whole", "audit", "verify")
	db, err := sql.Open("sqlite", filepath.Join(data, sqlite.FileName))
	if err == nil {
		_, err = db.Exec(`DELETE FROM answer_words; DELETE FROM answer_sources`)
		db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	must("no answer has these words", "show", "--find", "cable")
	out, err := typed("audit", "verify")
	var code *exec.ExitError
	if !errors.As(err, &code) || code.ExitCode() != 1 || !strings.Contains(out, "1 answer is not found by its words (") || !strings.Contains(out, "ibid audit reindex writes it anew") ||
		!strings.Contains(out, "the log is whole, and the library is what it says, but not all of it is found") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := typed("audit", "verify", "--json"); err == nil || !strings.Contains(out, "ibid audit reindex") {
		t.Errorf("%v\n%s", err, out)
	}
	must("1 answer is found by words and sources", "audit", "reindex")
	must("the log is whole", "audit", "verify")
	must("finished?", "show", "--find", "cable")
}
