package sqlite_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store { return open(t, t.TempDir()) })
}

func TestLedger(t *testing.T) {
	storetest.RunLedger(t, func(t *testing.T) (storetest.Ledger, storetest.Update) {
		s := open(t, t.TempDir())
		return s, func(f func(storetest.Page) error) error {
			return s.Update(t.Context(), func(tx *sqlite.Tx) error { return f(tx) })
		}
	})
}

func open(t *testing.T, dir string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestOpenTakesAnyPath(t *testing.T) {
	for _, name := range []string{"with space", "50%25 ?mode=memory#x", "ünïcode 🎉", "a&b;c"} {
		dir := filepath.Join(t.TempDir(), name)
		open(t, dir)
		if found, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", sqlite.FileName)); len(found) != 1 {
			t.Errorf("%q: found %q", name, found)
		}
	}
}

// What is owed of a run stands or falls with the transaction that ends it, and is given in the order in which runs ended.
func TestOwedRuns(t *testing.T) {
	store := open(t, t.TempDir())
	at := time.Unix(1_700_000_000, 0)
	ends := func(id ibid.RunID, after time.Duration, fails error) error {
		return store.Update(t.Context(), func(tx *sqlite.Tx) error {
			return errors.Join(tx.FinishRun(id, at.Add(after*time.Second), ibid.Verdict{}), tx.OweRun(id), fails)
		})
	}
	for _, id := range []ibid.RunID{"a", "b", "c"} {
		if err := store.Update(t.Context(), func(tx *sqlite.Tx) error { return tx.BeginRun(id, at) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(ends("b", 1, nil), ends("a", 2, nil)); err != nil {
		t.Fatal(err)
	}
	if err := ends("c", 3, errors.New("no")); err == nil {
		t.Error("a transaction that fails does not")
	}
	if err := store.Update(t.Context(), func(tx *sqlite.Tx) error { return tx.OweRun("unknown") }); err == nil {
		t.Error("a run that is not there is owed")
	}
	for _, want := range [][]ibid.RunID{{"b", "a"}, {"a"}, {"a"}} {
		if got, err := store.OwedRuns(t.Context()); !slices.Equal(got, want) || err != nil {
			t.Errorf("owed are %v, want %v: %v", got, want, err)
		}
		if err := store.SettleRuns(t.Context(), "b", "unknown"); err != nil {
			t.Error(err)
		}
	}
}
