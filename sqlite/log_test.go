package sqlite_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/storetest"
)

// clock gives times a second apart.
func clock() func() time.Time {
	var mu sync.Mutex
	now := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

func openLog(t *testing.T, dir string) (*sqlite.Store, *sqlite.Log) {
	t.Helper()
	store := open(t, dir)
	log, err := store.Log(t.Context(), sqlite.LogConfig{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	return store, log
}

func appended(t *testing.T, log *sqlite.Log, payload string) ibid.Entry {
	t.Helper()
	e, err := log.Append(t.Context(), "test", []byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func entries(t *testing.T, log *sqlite.Log) []ibid.Entry {
	t.Helper()
	var all []ibid.Entry
	for e, err := range log.Entries(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// publicKey is that of the log's first entry.
func publicKey(t *testing.T, log *sqlite.Log) string {
	t.Helper()
	keys, err := log.Keys(t.Context())
	if err != nil || len(keys) == 0 {
		t.Fatal(keys, err)
	}
	return keys[len(keys)-1].Key
}

func TestLogGivesBackWhatWasAppended(t *testing.T) {
	dir := t.TempDir()
	_, log := openLog(t, dir)
	var want []ibid.Entry
	for i := range 300 {
		want = append(want, appended(t, log, strings.Repeat("payload ", i%5)))
	}
	for _, again := range []*sqlite.Log{log, func() *sqlite.Log { _, l := openLog(t, dir); return l }()} {
		got := entries(t, again)
		if len(got) != len(want)+1 || got[0].Kind != audit.KindKey {
			t.Fatalf("%d entries, the first of kind %q", len(got), got[0].Kind)
		}
		for i, e := range got[1:] {
			if e.Index != int64(i+1) || e.Prev != got[i].Hash || e.Data == nil || fmt.Sprint(e) != fmt.Sprint(want[i]) {
				t.Fatalf("entry %d is %+v, was %+v", i+1, e, want[i])
			}
		}
	}
}

// Every entry can be proven, at every size of the log, without the log.
func TestReceiptsHold(t *testing.T) {
	_, log := openLog(t, t.TempDir())
	for i := range 40 {
		e := appended(t, log, fmt.Sprint("payload ", i))
		for index := range e.Index + 1 {
			r, err := log.Receipt(t.Context(), index)
			if err != nil {
				t.Fatal(err)
			}
			checked, err := r.Check(publicKey(t, log))
			if err != nil || checked.Checkpoint.Size != e.Index+1 || checked.Entry.Index != index {
				t.Fatalf("entry %d of %d: %+v, %v", index, e.Index+1, checked, err)
			}
		}
	}
	if _, err := log.Receipt(t.Context(), 41); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("receipt of an entry that is not there: %v", err)
	}
}

// A new version of a source is an entry, one that changes nothing is not, and one that fails is not.
func TestSourcesAreEntries(t *testing.T) {
	store, log := openLog(t, t.TempDir())
	source := storetest.NewSource("file:///a", "")
	for _, text := range []string{"One.", "One.", "Two."} {
		doc := storetest.NewDocument(text)
		if _, _, err := store.Add(t.Context(), source, doc, storetest.Cut(doc)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.RemoveSource(t.Context(), source.ID); err != nil {
		t.Fatal(err)
	}
	if err := store.RemoveSource(t.Context(), source.ID); !errors.Is(err, ibid.ErrNotFound) {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range entries(t, log) {
		kinds = append(kinds, e.Kind)
	}
	if fmt.Sprint(kinds) != "[key source source source-removed]" {
		t.Errorf("entries: %v", kinds)
	}
}

// What is written together stands together or not at all, also beside others in the same transaction.
func TestUpdateIsAllOrNothing(t *testing.T) {
	store, log := openLog(t, t.TempDir())
	var wg sync.WaitGroup
	boom := errors.New("boom")
	for i := range 60 {
		wg.Go(func() {
			err := store.Update(t.Context(), func(tx *sqlite.Tx) error {
				if _, err := tx.Append("half", fmt.Append(nil, i)); err != nil {
					return err
				}
				if i%3 == 0 {
					return boom
				}
				_, err := tx.Append("whole", fmt.Append(nil, i))
				return err
			})
			if errors.Is(err, boom) != (i%3 == 0) {
				t.Errorf("update %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	halves, wholes := map[string]bool{}, map[string]bool{}
	for _, e := range entries(t, log) {
		switch e.Kind {
		case "half":
			halves[string(e.Data)] = true
		case "whole":
			wholes[string(e.Data)] = true
		}
	}
	if len(halves) != 40 || fmt.Sprint(halves) != fmt.Sprint(wholes) {
		t.Errorf("halves %v\nwholes %v", halves, wholes)
	}
	verifies(t, log)
}

// An update that panics leaves nothing of itself, and the store goes on, also for those that waited beside it.
func TestUpdateThatPanics(t *testing.T) {
	store, log := openLog(t, t.TempDir())
	appended(t, log, "before")
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			defer func() {
				if r := recover(); (r == "boom") != (i%4 == 0) {
					t.Errorf("update %d panicked with %v", i, r)
				}
			}()
			err := store.Update(t.Context(), func(tx *sqlite.Tx) error {
				_, err := tx.Append("test", nil)
				if i%4 == 0 {
					panic("boom")
				}
				return err
			})
			if err != nil {
				t.Errorf("update %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	appended(t, log, "after")
	verifies(t, log)
}

// The clock may jump back; the log's times do not, and it notes what the clock showed.
func TestClockThatJumpsBack(t *testing.T) {
	store := open(t, t.TempDir())
	now := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	log, err := store.Log(t.Context(), sqlite.LogConfig{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	appended(t, log, "noon")
	now = now.Add(-time.Hour)
	if e := appended(t, log, "eleven"); !e.At.Equal(now.Add(time.Hour)) || !e.Clock.Equal(now) {
		t.Errorf("at %v, clock %v", e.At, e.Clock)
	}
	now = now.Add(2 * time.Hour)
	if e := appended(t, log, "one"); !e.At.Equal(now) || !e.Clock.IsZero() {
		t.Errorf("at %v, clock %v", e.At, e.Clock)
	}
	verifies(t, log)
}

// What was erased is gone from the files, and every proof stays valid.
func TestErase(t *testing.T) {
	dir := t.TempDir()
	_, log := openLog(t, dir)
	secret := "Ada Lovelace, born 10 December 1815"
	for range 50 {
		appended(t, log, "before")
	}
	e := appended(t, log, secret)
	for range 50 {
		appended(t, log, "after")
	}
	before, err := log.Receipt(t.Context(), e.Index)
	if err != nil {
		t.Fatal(err)
	}
	by, err := log.Erase(t.Context(), e.Index, "asked for by the person")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		if b, err := os.ReadFile(f); err != nil || bytes.Contains(b, []byte("Lovelace")) {
			t.Errorf("%s still holds it: %v", f, err)
		}
	}
	if _, err := log.Payload(t.Context(), e.Index); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("payload: %v", err)
	}
	key := publicKey(t, log)
	if _, err := before.Check(key); err != nil {
		t.Errorf("the receipt from before: %v", err)
	}
	after, err := log.Receipt(t.Context(), e.Index)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := after.Check(key); err != nil || c.Entry.Data != nil {
		t.Errorf("the receipt from after: %+v, %v", c, err)
	}
	verifies(t, log)
	for _, index := range []int64{0, e.Index, by.Index} {
		if _, err := log.Erase(t.Context(), index, ""); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("erasing entry %d: %v", index, err)
		}
	}
	if _, err := log.Erase(t.Context(), 1000, ""); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("erasing what is not there: %v", err)
	}
}

func TestAppendRefuses(t *testing.T) {
	_, log := openLog(t, t.TempDir())
	for _, kind := range []string{"", "Answer", "two words", "a\nkind b", audit.KindKey, audit.KindErasure, audit.KindSource, audit.KindRemoval, "study", string(make([]byte, 65))} {
		if _, err := log.Append(t.Context(), kind, nil); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("kind %q: %v", kind, err)
		}
	}
	if _, err := log.Append(t.Context(), "big", make([]byte, sqlite.MaxPayload+1)); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("a payload that is too large: %v", err)
	}
	if n, err := log.Size(t.Context()); n != 0 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
}

func verifies(t *testing.T, log *sqlite.Log) {
	t.Helper()
	report, err := log.Verify(t.Context(), audit.Expect{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		t.Error(p)
	}
}

// Several stores on one log, as several processes have them, in turns and at once: no index is used twice, none is lost,
// also while the key changes.
func TestSeveralWritersOfOneLog(t *testing.T) {
	dir := t.TempDir()
	var logs []*sqlite.Log
	for range 3 {
		_, l := openLog(t, dir)
		logs = append(logs, l)
	}
	for i := range 30 { // in turns: each finds the end moved
		if e := appended(t, logs[i%3], "in turns"); e.Index != int64(i+1) {
			t.Fatalf("entry %d has index %d", i+1, e.Index)
		}
	}
	var mu sync.Mutex
	seen := map[int64]string{}
	var wg sync.WaitGroup
	for i := range 9 {
		wg.Go(func() {
			log := logs[i%3]
			for range 40 {
				e, err := log.Append(t.Context(), "at-once", []byte("at once"))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if seen[e.Index] != "" {
					t.Errorf("index %d is used twice", e.Index)
				}
				seen[e.Index] = e.Hash
				mu.Unlock()
			}
			if i < 2 {
				if _, err := log.RotateKey(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	all := entries(t, logs[0])
	if len(all) != 1+30+9*40+2 {
		t.Errorf("%d entries", len(all))
	}
	for index, hash := range seen {
		if all[index].Hash != hash {
			t.Errorf("entry %d is not the one that was acknowledged", index)
		}
	}
	verifies(t, logs[1])
}

// The bytes of a payload are the caller's again when Append within a transaction returns.
func TestPayloadIsTakenAtOnce(t *testing.T) {
	store, log := openLog(t, t.TempDir())
	buffer := []byte("first")
	err := store.Update(t.Context(), func(tx *sqlite.Tx) error {
		for range 3 {
			if _, err := tx.Append("test", buffer); err != nil {
				return err
			}
			copy(buffer, "other")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	verifies(t, log)
	if p, err := log.Payload(t.Context(), 1); err != nil || string(p) != "first" {
		t.Errorf("%q, %v", p, err)
	}
}

// A file that was emptied, as by a copy that broke off, opens as a new record. The key beside it tells that there was a log: nothing
// is verified as an empty one, and nothing is said that could not be recorded.
func TestEmptiedLogIsNotANewOne(t *testing.T) {
	dir := t.TempDir()
	first, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	log, err := first.Log(t.Context(), sqlite.LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	appended(t, log, "one")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		os.Remove(filepath.Join(dir, "ibid.db"+suffix))
	}
	if err := os.WriteFile(filepath.Join(dir, "ibid.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, log = openLog(t, dir)
	report, err := log.Verify(t.Context(), audit.Expect{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Problems) != 1 || !strings.Contains(report.Problems[0].String(), "the log is empty, and was not") {
		t.Errorf("problems %v", report.Problems)
	}
	if err := log.Ready(t.Context()); err == nil {
		t.Error("ready to record what cannot be signed")
	}
	if err := os.Remove(filepath.Join(dir, sqlite.KeyFileName)); err != nil { // for a new log the key is moved away
		t.Fatal(err)
	}
	if err := log.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if report, err := log.Verify(t.Context(), audit.Expect{}); err != nil || len(report.Problems) > 0 {
		t.Errorf("problems %v, %v", report.Problems, err)
	}
	appended(t, log, "two")
}

// Where the database alone is put back from a backup of before a change of the key, the key beside it was named by an entry that
// is gone: the log does not pass for whole. An older key beside a whole log is another matter. Both say what to do.
func TestLogBesideAnotherKey(t *testing.T) {
	dir := t.TempDir()
	key, db := filepath.Join(dir, sqlite.KeyFileName), filepath.Join(dir, "ibid.db")
	read := func(name string) []byte {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	write := func(name string, b []byte) {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	session := func(f func(*sqlite.Log)) {
		store, err := sqlite.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		log, err := store.Log(t.Context(), sqlite.LogConfig{Now: clock()})
		if err != nil {
			t.Fatal(err)
		}
		f(log)
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	session(func(log *sqlite.Log) { appended(t, log, "one") })
	oldKey, oldDB := read(key), read(db)
	var kept string
	session(func(log *sqlite.Log) {
		if _, err := log.RotateKey(t.Context()); err != nil {
			t.Fatal(err)
		}
		appended(t, log, "under the new key")
		var err error
		if kept, err = log.Checkpoint(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	newKey, newDB := read(key), read(db)

	// Put back with its key, the log does not know who signed a checkpoint of after: how many entries it speaks of is told all the same.
	write(key, oldKey)
	write(db, oldDB)
	session(func(log *sqlite.Log) {
		report, err := log.Verify(t.Context(), audit.Expect{Kept: []string{kept}})
		if err != nil || len(report.Problems) != 1 || !strings.Contains(report.Problems[0].What, "speaks of 4 entries, and the log has 2: they are missing") {
			t.Errorf("problems %v, %v", report.Problems, err)
		}
	})

	for _, c := range []struct {
		name            string
		key, db         []byte
		problem, remark string
	}{
		{"the database of before", newKey, oldDB, "the log was cut back", ""},
		{"the key of before", oldKey, newDB, "", "holds a key that entry 2 replaced"},
		{"both of before", oldKey, oldDB, "", ""},
		{"both of now", newKey, newDB, "", ""},
		{"a key that is on its way", append(bytes.Clone(oldKey), newKey...), oldDB, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(key, c.key)
			write(db, c.db)
			session(func(log *sqlite.Log) {
				report, err := log.Verify(t.Context(), audit.Expect{})
				if err != nil {
					t.Fatal(err)
				}
				if got := fmt.Sprint(report.Problems); c.problem == "" && len(report.Problems) > 0 || !strings.Contains(got, c.problem) {
					t.Errorf("problems %s, want %q", got, c.problem)
				}
				if got := fmt.Sprint(report.Notes); c.remark == "" && len(report.Notes) > 0 || !strings.Contains(got, c.remark) {
					t.Errorf("notes %s, want %q", got, c.remark)
				}
				_, err = log.Append(t.Context(), "test", []byte("two"))
				if want := c.problem + c.remark; want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "rotate --lost")) {
					t.Errorf("append: %v, want %q", err, want)
				}
			})
		})
	}
}
