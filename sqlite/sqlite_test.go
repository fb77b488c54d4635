package sqlite_test

import (
	"path/filepath"
	"testing"

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
