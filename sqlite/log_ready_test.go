package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/sqlite"
)

// Ready says what Append would say, and writes nothing. Verify tells that nothing can be added, too.
func TestReady(t *testing.T) {
	dir := t.TempDir()
	_, log := openLog(t, dir)
	if err := log.Ready(t.Context()); err != nil {
		t.Errorf("an empty log: %v", err)
	}
	if n, err := log.Size(t.Context()); n != 0 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
	if _, err := os.Stat(filepath.Join(dir, sqlite.KeyFileName)); err == nil {
		t.Error("a key was made")
	}
	appended(t, log, "one")
	elsewhere := t.TempDir()
	_, other := openLog(t, elsewhere)
	appended(t, other, "two")
	others, err := os.ReadFile(filepath.Join(elsewhere, sqlite.KeyFileName))
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(key string){
		"as it is": func(string) {},
		"missing":  func(key string) { os.Remove(key) },
		"another":  func(key string) { os.WriteFile(key, others, 0o600) },
		"no key":   func(key string) { os.WriteFile(key, []byte("x"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			copied := filepath.Join(t.TempDir(), "data")
			if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			change(filepath.Join(copied, sqlite.KeyFileName))
			_, log := openLog(t, copied)
			ready := log.Ready(t.Context())
			_, append := log.Append(t.Context(), "test", nil)
			if (ready == nil) != (append == nil) || ready != nil && !strings.Contains(append.Error(), ready.Error()) {
				t.Errorf("ready: %v\nappend: %v", ready, append)
			}
			if (ready == nil) != (name == "as it is") {
				t.Errorf("ready: %v", ready)
			}
			report, err := log.Verify(t.Context(), audit.Expect{})
			if told := strings.Contains(strings.Join(report.Notes, ""), "nothing can be added"); err != nil || len(report.Problems) > 0 || told != (ready != nil) {
				t.Errorf("verify: %+v, %v", report, err)
			}
		})
	}
}
