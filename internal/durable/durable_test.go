package durable_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ibid-dev/ibid/internal/durable"
)

// A file is replaced whole, for its owner alone, and nothing is left beside it. What a killed process left is swept away, and
// nothing else.
func TestReplaceAndSweep(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "[k]ey")
	for _, body := range []string{"one", ""} {
		if err := durable.Replace(path, []byte(body)); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != body {
			t.Errorf("%q, %v", b, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info, err)
	}
	for _, name := range []string{"[k]ey.unfinished-17", "[k]ey.unfinished-", "[k]ey.20260503", "key.unfinished-17"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := durable.Sweep(path); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 || left[0].Name() != "[k]ey" || left[1].Name() != "[k]ey.20260503" || left[2].Name() != "key.unfinished-17" {
		t.Errorf("%v, %v", left, err)
	}
	if err := durable.Replace(filepath.Join(dir, "no", "such", "folder"), nil); err == nil {
		t.Error("a file was written where there is no folder")
	}
}
