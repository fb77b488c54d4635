//go:build unix

package sqlite_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/storetest"
)

// asReader runs childReads as another user, where this one may write everywhere.
func asReader(t *testing.T, dir string) string {
	t.Helper()
	program := os.Args[0]
	cmd := exec.Command(program)
	if os.Geteuid() == 0 {
		program = filepath.Join(t.TempDir(), "reader") // the test's own program is where only its owner can go
		b, err := os.ReadFile(os.Args[0])
		if err == nil {
			err = os.WriteFile(program, b, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		cmd = exec.Command(program)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		cmd.Dir = "/"
	}
	cmd.Env = append(os.Environ(), readerDir+"="+dir)
	out, err := cmd.CombinedOutput()
	if errors.Is(err, fs.ErrPermission) {
		t.Skip("another user cannot run the test's program")
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// withoutWriting takes away from all the right to write, until the test ends.
func withoutWriting(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.Chmod(f, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
}

// Where nothing can be written all of it can be read, closed or not, and what would write is refused in words. The folder
// stays as it is.
func TestReadOnlyFolder(t *testing.T) {
	if err := os.Chmod(filepath.Dir(t.TempDir()), 0o755); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	store, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	log, err := store.Log(t.Context(), sqlite.LogConfig{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	doc, source := storetest.NewDocument("One."), storetest.NewSource("file:///a", "")
	chunks := storetest.Cut(doc)
	if _, _, err := store.Add(t.Context(), source, doc, chunks); err != nil {
		t.Fatal(err)
	}
	answer := ibid.Answer{ID: "answer", Question: "Who?", Text: "So say all.", Passages: []ibid.Passage{{Chunk: chunks[0], Source: source, Rank: 1}},
		Attributions: []ibid.Attribution{{Of: ibid.Span{End: 2}, To: chunks[0].At, Ref: 1}}}
	if err := store.PutAnswer(t.Context(), answer); err != nil {
		t.Fatal(err)
	}
	appended(t, log, "last")
	live := filepath.Join(t.TempDir(), "live") // as a killed process leaves it
	if err := os.CopyFS(live, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"closed": dir, "killed": live} {
		withoutWriting(t, dir)
		before, _ := filepath.Glob(filepath.Join(dir, "*"))
		if got, want := asReader(t, dir), "3 entries, 1 sources, 1 answers, and no more"; got != want {
			t.Errorf("%s: %s", name, got)
		}
		if after, _ := filepath.Glob(filepath.Join(dir, "*")); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%s: %v became %v", name, before, after)
		}
	}
	os.Chmod(live, 0o755)
	if err := os.Remove(filepath.Join(live, sqlite.FileName+"-shm")); err != nil {
		t.Fatal(err)
	}
	os.Chmod(live, 0o555)
	if got := asReader(t, live); !strings.Contains(got, "copy the folder") {
		t.Errorf("a write-ahead log that cannot be read: %s", got)
	}
}
