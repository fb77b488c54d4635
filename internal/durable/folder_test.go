package durable

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Each folder that is made is brought to disk by name in the one above it, before anything is made within it.
func TestMakeFolder(t *testing.T) {
	root := t.TempDir()
	a, b, c := filepath.Join(root, "a"), filepath.Join(root, "a", "b"), filepath.Join(root, "a", "b", "c")
	there := func(dir string) bool { _, err := os.Stat(dir); return err == nil }
	var synced []string
	made, err := makeFolder(c, func(dir string) error {
		synced = append(synced, fmt.Sprint(dir, " ", there(a), there(b), there(c)))
		return nil
	})
	if want := []string{root + " true false false", a + " true true false", b + " true true true"}; err != nil || !slices.Equal(synced, want) {
		t.Errorf("%v\nsynced %q\nwant   %q", err, synced, want)
	}
	if !slices.Equal(made, []string{a, b, c}) {
		t.Errorf("made %q", made)
	}
	if info, err := os.Stat(a); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info, err)
	}
	full := errors.New("no room")
	d := filepath.Join(root, "d", "e")
	if made, err := makeFolder(d, func(string) error { return full }); !errors.Is(err, full) || len(made) != 1 || there(d) {
		t.Errorf("made %q, %v", made, err)
	}
	if made, err := MakeFolder(filepath.Join(root, "f", "g") + "/"); err != nil || len(made) != 2 {
		t.Errorf("made %q, %v", made, err)
	}
	if _, err := MakeFolder(a); !errors.Is(err, os.ErrExist) {
		t.Errorf("made twice: %v", err)
	}
}
