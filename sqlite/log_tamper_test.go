package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid/audit"
)

// variedLog makes a log with all that a log can hold: two changes of the key, erasures, clocks that jump back, payloads of
// all sizes.
func variedLog(t *testing.T) (*Store, *Log) {
	t.Helper()
	store, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	now := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	log, err := store.Log(t.Context(), LogConfig{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 90 {
		now = now.Add(time.Duration(i%7-2) * time.Second / 10) // most heads are sealed, some signed
		if _, err := log.Append(t.Context(), "test", []byte(strings.Repeat("x", i*i%700))); err != nil {
			t.Fatal(err)
		}
		switch {
		case i == 30 || i == 60:
			_, err = log.RotateKey(t.Context())
		case i%20 == 9:
			_, err = log.Erase(t.Context(), int64(i-4), "test")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	report, err := log.Verify(t.Context(), audit.Expect{})
	if err != nil || len(report.Problems) > 0 || len(report.Keys) != 3 || report.Erased == 0 || report.ClockBehind == 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	if head, err := readHead(t.Context(), store.reads); err != nil || !audit.Sealed(head) {
		t.Fatalf("the head is not sealed: %q, %v", head, err)
	}
	return store, log
}

// A flipped bit in any record is found, and the entry named.
func TestFlippedBitsAreFound(t *testing.T) {
	store, log := variedLog(t)
	// Past the store, as someone would who edits the file.
	db, err := sql.Open("sqlite", filepath.Join(store.dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	columns := []struct{ table, rows, key, column string }{
		{"log", "kind <> ''", "number", "number"}, {"log", "kind <> ''", "number", "at"}, {"log", "kind <> ''", "number", "clock"},
		{"log", "kind <> ''", "number", "kind"}, {"log", "kind <> ''", "number", "commitment"}, {"log", "kind <> ''", "number", "hashes"},
		{"log", "kind <> ''", "number", "hashes"}, {"log", "kind <> ''", "number", "salt"}, {"log", "kind <> ''", "number", "data"},
		{"log", "kind = ''", "number", "number"}, {"log", "kind = ''", "number", "at"}, {"log", "kind = ''", "number", "data"},
		{"log_checkpoints", "true", "size", "size"}, {"log_checkpoints", "true", "size", "note"},
	}
	flips, alone := map[string]int{}, 0
	for n := 0; n < 1000; {
		if n == 500 { // until then the head was sealed
			if err := log.signLast(); err != nil {
				t.Fatal(err)
			}
		}
		c := columns[rand.IntN(len(columns))]
		var key int64
		var value any
		err := db.QueryRow(fmt.Sprintf(`SELECT %s, %s FROM %s WHERE %s ORDER BY random() LIMIT 1`, c.key, c.column, c.table, c.rows)).Scan(&key, &value)
		if err != nil {
			t.Fatal(err)
		}
		flipped, ok := flipBit(value)
		if !ok {
			continue
		}
		result, err := db.Exec(fmt.Sprintf(`UPDATE OR IGNORE %s SET %s = %s WHERE %s = ?`, c.table, c.column, placeholder(value), c.key), flipped, key)
		if err != nil {
			t.Fatal(err)
		}
		if changed, _ := result.RowsAffected(); changed == 0 { // the number is another row's
			continue
		}
		entry := key
		if c.table == "log_checkpoints" || c.rows == "kind = ''" {
			entry = key - 1 // they are over the entries before
		}
		report, err := log.Verify(t.Context(), audit.Expect{})
		if err != nil {
			t.Fatalf("%s.%s of entry %d: %v", c.table, c.column, entry, err)
		}
		if !names(report, entry) {
			t.Errorf("%s.%s of entry %d: %v became %v, and it was not named: %v", c.table, c.column, entry, value, flipped, report.Problems)
		}
		if !slices.ContainsFunc(report.Problems, func(p audit.Problem) bool { return p.Entry != entry }) {
			alone++
		}
		where := key
		if c.key == c.column {
			where = flipped.(int64)
		}
		if _, err := db.Exec(fmt.Sprintf(`UPDATE %s SET %s = %s WHERE %s = ?`, c.table, c.column, placeholder(value), c.key), asBytes(value), where); err != nil {
			t.Fatal(err)
		}
		flips[c.table+" where "+c.rows+", "+c.column]++
		n++
	}
	if report, err := log.Verify(t.Context(), audit.Expect{}); err != nil || len(report.Problems) > 0 {
		t.Errorf("with every bit put back: %v, %v", report.Problems, err)
	}
	t.Logf("1000 bits flipped, all found, in %d cases no other entry named: %v", alone, flips)
}

func names(r audit.Report, entry int64) bool {
	for _, p := range r.Problems {
		if p.Entry == entry {
			return true
		}
	}
	return false
}

// flipBit gives a value with one bit changed.
func flipBit(value any) (any, bool) {
	switch v := value.(type) {
	case int64:
		return v ^ 1<<rand.IntN(64), true
	case string, []byte:
		b := append([]byte{}, asBytes(v).([]byte)...)
		if len(b) == 0 {
			return nil, false
		}
		b[rand.IntN(len(b))] ^= 1 << rand.IntN(8)
		return b, true
	}
	return nil, false
}

func asBytes(value any) any {
	if s, ok := value.(string); ok {
		return []byte(s)
	}
	return value
}

// placeholder writes text as its bytes, which need not be UTF-8 any more.
func placeholder(value any) string {
	if _, ok := value.(string); ok {
		return "CAST(? AS TEXT)"
	}
	return "?"
}

// copyOf95 puts in a row of an entry, with another number.
const copyOf95 = `INSERT INTO log (at, clock, kind, commitment, hashes, salt, data, number)
	SELECT e.*, n.* FROM (SELECT at, clock, kind, commitment, hashes, salt, data FROM log WHERE number = 95) AS e, (SELECT %d) AS n`

// Whole rows that are gone, or put in, or changed places are found too. The log has 98 entries.
func TestMovedRowsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		entry  int64
	}{
		"an entry removed":                     {`DELETE FROM log WHERE number = 40`, 40},
		"the last entry removed":               {`DELETE FROM log WHERE number = 97`, 97},
		"the last entry removed with the head": {`DELETE FROM log WHERE number >= 97`, 96},
		"the end cut off below the head":       {`DELETE FROM log WHERE number BETWEEN 90 AND 97; UPDATE log SET number = 90 WHERE kind = ''`, 90},
		"all entries removed":                  {`DELETE FROM log WHERE kind <> ''`, 0},
		"an entry put in behind the end":       {`UPDATE log SET number = 99 WHERE kind = ''; ` + fmt.Sprintf(copyOf95, 98), 98},
		"an entry put in behind the head":      {fmt.Sprintf(copyOf95, 99), 98},
		"an entry put in far behind the end":   {fmt.Sprintf(copyOf95, 1000), 98},
		"an entry before the first":            {fmt.Sprintf(copyOf95, -1), -1},
		"an entry that is no longer one":       {`UPDATE log SET kind = '' WHERE number = 40`, 40},
		"a payload removed":                    {`UPDATE log SET salt = NULL, data = NULL WHERE number = 2`, 2},
		"a salt removed":                       {`UPDATE log SET salt = NULL WHERE number = 2`, 2},
		"bytes of a payload removed":           {`UPDATE log SET data = NULL WHERE number = 2`, 2},
		"a payload put in for an erased one":   {`UPDATE log SET (salt, data) = (SELECT salt, data FROM log WHERE number = 2) WHERE number = 5`, 5},
		"bytes put in for erased ones":         {`UPDATE log SET data = (SELECT data FROM log WHERE number = 2) WHERE number = 5`, 5},
		"payloads changed":                     {`UPDATE log SET data = (SELECT data FROM log WHERE number = 8) WHERE number = 3`, 3},
		"the head removed":                     {`DELETE FROM log WHERE kind = ''`, 97},
		"the head of before":                   {`UPDATE log SET data = (SELECT CAST(note AS BLOB) FROM log_checkpoints LIMIT 1) WHERE kind = ''`, 97},
		"a seal that says another tree":        {`UPDATE log SET data = CAST(replace(CAST(data AS TEXT), char(10) || '98' || char(10), char(10) || '97' || char(10)) AS BLOB) WHERE kind = ''`, 97},
		"a head that says more":                {`UPDATE log SET salt = zeroblob(32) WHERE kind = ''`, 97},
		"two heads":                            {`INSERT INTO log SELECT 200, at, clock, kind, commitment, hashes, salt, data FROM log WHERE kind = ''`, 97},
		"the checkpoint of a key removed":      {`DELETE FROM log_checkpoints WHERE size = (SELECT min(size) FROM log_checkpoints)`, 34},
		"a checkpoint put in":                  {`INSERT INTO log_checkpoints SELECT 20, CAST(data AS TEXT) FROM log WHERE kind = ''`, 19},
		"hashes of the tree cut":               {`UPDATE log SET hashes = substr(hashes, 1, 32) WHERE number = 31`, 31},
		"a hash cut":                           {`UPDATE log SET hashes = substr(hashes, 1, 31) WHERE number = 30`, 30},
		"a commitment cut":                     {`UPDATE log SET commitment = substr(commitment, 1, 31) WHERE number = 30`, 30},
		"a salt cut":                           {`UPDATE log SET salt = substr(salt, 1, 31) WHERE number = 30`, 30},
		"a salt made longer":                   {`UPDATE log SET salt = CAST(salt || x'00' AS BLOB) WHERE number = 30`, 30},
		"an erasure that is told as another":   {`UPDATE log SET data = CAST('{"entry":8,"reason":"test"}' AS BLOB) WHERE number = (SELECT min(number) FROM log WHERE kind = 'erasure')`, 11},
		"a kind that is no longer an erasure":  {`UPDATE log SET kind = 'test' WHERE number = (SELECT min(number) FROM log WHERE kind = 'erasure')`, 11},
	} {
		t.Run(name, func(t *testing.T) {
			store, log := variedLog(t)
			db, err := sql.Open("sqlite", filepath.Join(store.dir, FileName))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(c.script); err != nil {
				t.Fatal(err)
			}
			report, err := log.Verify(t.Context(), audit.Expect{})
			if err != nil || !names(report, c.entry) {
				t.Errorf("entry %d is not named: %v, %v", c.entry, report.Problems, err)
			}
		})
	}
}

// To a log that is not what was signed nothing is appended, after a restart.
func TestNothingIsAppendedToADamagedLog(t *testing.T) {
	for name, script := range map[string]string{
		"the last hash":    `UPDATE log SET hashes = zeroblob(length(hashes)) WHERE number = (SELECT max(number) FROM log WHERE kind <> '')`,
		"the edge":         `UPDATE log SET hashes = zeroblob(length(hashes)) WHERE number = 63`,
		"the head":         `DELETE FROM log WHERE kind = ''`,
		"the last entry":   `DELETE FROM log WHERE number = (SELECT max(number) FROM log WHERE kind <> '')`,
		"all of it":        `DELETE FROM log WHERE kind <> ''`,
		"the head's words": `UPDATE log SET data = CAST(replace(CAST(data AS TEXT), char(10) || '98' || char(10), char(10) || '97' || char(10)) AS BLOB) WHERE kind = ''`,
	} {
		t.Run(name, func(t *testing.T) {
			store, _ := variedLog(t)
			if _, err := store.writer.conn.ExecContext(t.Context(), `PRAGMA foreign_keys = OFF; `+script); err != nil {
				t.Fatal(err)
			}
			again, err := Open(t.Context(), store.dir)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			log, err := again.Log(t.Context(), LogConfig{})
			if err != nil {
				t.Fatal(err)
			}
			if e, err := log.Append(t.Context(), "test", nil); err == nil {
				t.Errorf("entry %d was appended", e.Index)
			}
		})
	}
}

// A log that was cut back and signed again by its own key fits itself. What shows it is a checkpoint that was kept
// elsewhere.
func TestRewrittenLogIsFoundByAKeptCheckpoint(t *testing.T) {
	build := func(dir, last string) (string, *Log) {
		store, err := Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		log, err := store.Log(t.Context(), LogConfig{})
		if err != nil {
			t.Fatal(err)
		}
		for _, payload := range []string{"one", "two", last} {
			if _, err := log.Append(t.Context(), "test", []byte(payload)); err != nil {
				t.Fatal(err)
			}
		}
		signed, err := log.Checkpoint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return signed, log
	}
	template := t.TempDir()
	if s, err := Open(t.Context(), template); err != nil {
		t.Fatal(err)
	} else if err := errors.Join(s.Update(t.Context(), func(*Tx) error { return nil }), s.Close()); err != nil {
		t.Fatal(err)
	}
	honest, forged := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for _, dir := range []string{honest, forged} { // the same store, twice
		if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
			t.Fatal(err)
		}
	}
	kept, _ := build(honest, "what was said")
	copyKeyFile(t, honest, forged)
	_, log := build(forged, "what should have been said")
	if r, err := log.Verify(t.Context(), audit.Expect{}); err != nil || len(r.Problems) > 0 {
		t.Errorf("the forged log does not fit itself: %v, %v", r.Problems, err)
	}
	r, err := log.Verify(t.Context(), audit.Expect{Kept: []string{kept}})
	if err != nil || !names(r, 3) {
		t.Errorf("not found: %v, %v", r.Problems, err)
	}
}

func copyKeyFile(t *testing.T, from, to string) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(from, KeyFileName))
	if err == nil {
		err = os.WriteFile(filepath.Join(to, KeyFileName), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
