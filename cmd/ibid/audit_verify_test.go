package main

import (
	"database/sql"
	"encoding/json"
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
