package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

// logAt opens a log whose clock shows what now points to.
func logAt(t *testing.T, dir string, now *time.Time) (*Store, *Log) {
	t.Helper()
	store, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	log, err := store.Log(t.Context(), LogConfig{Now: func() time.Time { return *now }})
	if err != nil {
		t.Fatal(err)
	}
	return store, log
}

func headOf(t *testing.T, s *Store) string {
	t.Helper()
	head, err := readHead(t.Context(), s.reads)
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// Heads that follow each other closely are sealed, and one is signed now and then and at the end. Whoever asks for a
// checkpoint or a receipt gets a signed one.
func TestHeadsAreSealedBetweenSignatures(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	store, log := logAt(t, dir, &now)
	_, other := logAt(t, dir, &now)
	for i, c := range []struct {
		later  time.Duration
		sealed bool
	}{{0, false}, {0, true}, {999 * time.Millisecond, true}, {time.Millisecond, false}, {time.Millisecond, true}, {-time.Hour, false}, {0, true}} {
		now = now.Add(c.later)
		e, err := log.Append(t.Context(), "test", nil)
		if err != nil {
			t.Fatal(err)
		}
		if sealed := audit.Sealed(headOf(t, store)); sealed != c.sealed {
			t.Errorf("append %d: sealed is %v", i, sealed)
		}
		keys, err := log.Keys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []*Log{log, other} { // the other has not written, and finds the key in its file
			signed, err := l.Checkpoint(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if o, err := audit.OpenCheckpoint(signed, keys[0].Key); err != nil || o.Size != e.Index+1 {
				t.Errorf("append %d: checkpoint %+v, %v", i, o, err)
			}
			r, err := l.Receipt(t.Context(), e.Index)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Check(keys[0].Key); err != nil {
				t.Errorf("append %d: %v", i, err)
			}
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if head := headOf(t, other.store); audit.Sealed(head) {
		t.Errorf("closing left a seal:\n%s", head)
	}
}

// A process that ended without closing leaves a seal. Without the key nobody is told that it holds; with it the log goes on.
func TestSealThatWasLeft(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	store, log := logAt(t, dir, &now)
	for range 3 {
		if _, err := log.Append(t.Context(), "test", nil); err != nil {
			t.Fatal(err)
		}
	}
	log.head = nil // as if killed: closing does not sign
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	store, log = logAt(t, dir, &now)
	if !audit.Sealed(headOf(t, store)) {
		t.Fatal("the head is signed")
	}
	_, with := logAt(t, dir, &now)
	kept, err := with.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(dir, KeyFileName)
	if err := os.Rename(key, key+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := log.Checkpoint(t.Context()); err == nil || !strings.Contains(err.Error(), "not signed yet") {
		t.Errorf("checkpoint without the key: %v", err)
	}
	if r, err := log.Verify(t.Context(), audit.Expect{}); err != nil || !names(r, 3) {
		t.Errorf("verified without the key: %v, %v", r.Problems, err)
	}
	if r, err := log.Verify(t.Context(), audit.Expect{Kept: []string{kept}}); err != nil || len(r.Problems) > 0 {
		t.Errorf("with a checkpoint of the same tree instead of the key: %v, %v", r.Problems, err)
	}
	if err := os.Rename(key+".away", key); err != nil {
		t.Fatal(err)
	}
	if r, err := log.Verify(t.Context(), audit.Expect{}); err != nil || len(r.Problems) > 0 {
		t.Errorf("%v, %v", r.Problems, err)
	}
	secret := key + ".unfinished-17" // it was killed while it changed the key, too
	if err := os.WriteFile(secret, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if e, err := log.Append(t.Context(), "test", nil); err != nil || e.Index != 4 {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := os.Stat(secret); err == nil {
		t.Error("a key that nobody uses was left behind")
	}
	if r, err := with.Verify(t.Context(), audit.Expect{Kept: []string{kept}}); err != nil || len(r.Problems) > 0 { // of an earlier one
		t.Errorf("%v, %v", r.Problems, err)
	}
	// A key that is not the log's own does not open the seal.
	store.Close()
	stranger, err := audit.NewKey(log.conf.Random, log.origin)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.writeKeys(stranger); err != nil {
		t.Fatal(err)
	}
	_, log = logAt(t, dir, &now)
	if _, err := log.Append(t.Context(), "test", nil); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("appended with another key: %v", err)
	}
}

// A log of the tables that entries, payloads and the head once had opens with all of it.
func TestOlderLogIsUpgraded(t *testing.T) {
	store, log := variedLog(t)
	dir := made(t, 5, `
		ATTACH '`+filepath.Join(store.dir, FileName)+`' AS new;
		UPDATE store SET identity = (SELECT identity FROM new.store);
		INSERT INTO log_entries SELECT number, at, clock, kind, commitment, hashes FROM new.log WHERE kind <> '';
		INSERT INTO log_payloads SELECT number, salt, data FROM new.log WHERE kind <> '' AND salt IS NOT NULL;
		INSERT INTO log_head SELECT 1, CAST(data AS TEXT) FROM new.log WHERE kind = '';
		INSERT INTO log_checkpoints SELECT * FROM new.log_checkpoints;`)
	copyKeyFile(t, store.dir, dir)
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	_, upgraded := logAt(t, dir, &now)
	want, err := log.Verify(t.Context(), audit.Expect{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := upgraded.Verify(t.Context(), audit.Expect{})
	if err != nil || len(got.Problems) > 0 || got.Root != want.Root || got.Payloads != want.Payloads || got.Erased != want.Erased {
		t.Errorf("%+v, %v", got, err)
	}
	if e, err := upgraded.Append(t.Context(), "test", nil); err != nil || e.Index != want.Entries {
		t.Errorf("%+v, %v", e, err)
	}
}
