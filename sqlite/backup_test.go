package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

// A backup that is made while others write is whole: the record as of one moment, to which the log goes on being added.
func TestBackupWhileOthersWrite(t *testing.T) {
	s := empty(t)
	library(t, s)
	log := s.log.Load()
	var writing sync.WaitGroup
	defer writing.Wait()
	done := make(chan struct{})
	defer close(done)
	for w := range 2 {
		writing.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
					recorded(t, s, ibid.Answer{ID: ibid.AnswerID(fmt.Sprintf("answer-%d-%d", w, i)), Question: "Why?", Text: "The word is yak."})
				}
			}
		})
	}
	for range 5 {
		dir := filepath.Join(t.TempDir(), "new", "backup")
		if withKey, err := log.Backup(t.Context(), dir); err != nil || !withKey {
			t.Fatal(withKey, err)
		}
		restored, err := Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		again, err := restored.Log(t.Context(), LogConfig{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := again.Verify(t.Context(), audit.Expect{})
		if err != nil || len(r.Problems) > 0 || len(r.Notes) > 0 {
			t.Errorf("%+v, %v", r, err)
		}
		holds(t, restored)
		if restored.Identity() != s.Identity() {
			t.Error("it is taken for another record")
		}
		if e, err := again.Append(t.Context(), "after", nil); err != nil || e.Index != r.Entries {
			t.Errorf("%+v, %v", e, err)
		}
		restored.Close()
		if info, err := os.Stat(filepath.Join(dir, FileName)); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may read it: %v, %v", info, err)
		}
		if got := standsIn(t, dir, "zwolfguldenplan"); len(got) > 0 {
			t.Errorf("it holds %q", got)
		}
	}
}

// Whenever a backup is killed, what it leaves is whole or has no record in it: the record's file is there last, with the key beside it.
func TestBackupIsNamedLast(t *testing.T) {
	s := empty(t)
	library(t, s)
	dir := filepath.Join(t.TempDir(), "backup")
	done := make(chan error)
	go func() {
		_, err := s.log.Load().Backup(t.Context(), dir)
		done <- err
	}()
	var seen int64
	for first := true; ; {
		info, there := os.Stat(filepath.Join(dir, FileName))
		if _, key := os.Stat(filepath.Join(dir, KeyFileName)); first && there == nil {
			if first, seen = false, info.Size(); key != nil {
				t.Errorf("the record is there before its key: %v", key)
			}
		}
		select {
		case err := <-done:
			if info, there := os.Stat(filepath.Join(dir, FileName)); err != nil || there != nil || !first && info.Size() != seen {
				t.Errorf("%v, %v; it was %d bytes before", err, info, seen)
			}
			if left, _ := os.ReadDir(dir); len(left) != 2 {
				t.Errorf("%v is left", left)
			}
			return
		default:
		}
	}
}

// A folder that holds something is left as it is, and a backup that fails leaves nothing that could be taken for one.
func TestBackupThatCannotBe(t *testing.T) {
	s := empty(t)
	library(t, s)
	log := s.log.Load()
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "letter"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{full, s.dir, filepath.Join(full, "letter")} {
		if _, err := log.Backup(t.Context(), dir); err == nil {
			t.Errorf("%s was taken", dir)
		}
	}
	for _, name := range []string{FileName, KeyFileName} {
		if _, err := os.Stat(filepath.Join(s.dir, name)); err != nil {
			t.Errorf("a refused backup took what was there: %v", err)
		}
	}
	if _, err := log.Backup(t.Context(), full); !errors.Is(err, ibid.ErrInvalid) {
		t.Error(err)
	}
	key := log.conf.KeyFile
	log.conf.KeyFile = t.TempDir() // a folder cannot be read as a file
	dir := filepath.Join(t.TempDir(), "new", "backup")
	if _, err := log.Backup(t.Context(), dir); err == nil {
		t.Error("the key was read")
	}
	if _, err := os.Stat(filepath.Dir(dir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folders are left: %v", err)
	}
	log.conf.KeyFile = key + "-gone"
	if withKey, err := log.Backup(t.Context(), dir); err != nil || withKey {
		t.Error(withKey, err)
	}
}
