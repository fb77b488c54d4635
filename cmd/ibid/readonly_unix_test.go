//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Who may not write in the data folder can look at the library, and is told what to do by all that would write in it.
func TestReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "ibid") // by this name the test's program is ibid; see TestMain
	self, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = errors.Join(os.WriteFile(program, self, 0o755), os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("Cyrus Field was born in Stockbridge."), 0o644), os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(as *syscall.SysProcAttr, args ...string) (string, error) {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.SysProcAttr = dir, as
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "IBID_DATA=")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run(nil, "--data", "library", "ingest", "notes.txt"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	withoutWriting(t, filepath.Join(dir, "library"))
	withoutWriting(t, filepath.Join(dir, "empty"))

	var reader *syscall.SysProcAttr
	if os.Geteuid() == 0 { // who may write everywhere
		reader = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		for _, d := range []string{dir, filepath.Dir(dir)} {
			if err := os.Chmod(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := run(reader, "--data", "library", "sources")
	if errors.Is(err, fs.ErrPermission) {
		t.Skip("another user cannot run the test's program")
	}
	if err != nil || !strings.Contains(out, "notes.txt") {
		t.Errorf("sources: %v: %s", err, out)
	}
	// Before anything is read that could not be kept: neither file is spoken of.
	if out, err := run(reader, "--data", "library", "ingest", "notes.txt", "nowhere.txt"); err == nil || strings.Contains(out, ".txt") || strings.Count(out, "not written") != 1 {
		t.Errorf("ingest: %v: %s", err, out)
	}
	if out, err := run(reader, "--data", "library", "export", "--library", "--to", "ris", "-o", "empty/library.ris"); err == nil || !strings.Contains(out, "permission denied\n  name a file where you may write\n") {
		t.Errorf("export: %v: %s", err, out)
	}
	for _, args := range [][]string{{"ask", "When?"}, {"think", "When?"}, {"ingest", "notes.txt"}, {"serve", "--addr", "localhost:0"}, {"mcp"}, {"run", "start"}, {"keys", "create", "--name", "x"}, {"audit", "key", "rotate"}} {
		for folder, want := range map[string][]string{
			"library": {"can be read and not written: permission denied\n", "\n  work as who owns it, or on a copy: ibid backup FOLDER makes one"},
			"empty":   {"permission denied\n", "\n  name a folder that you may write to, with --data or IBID_DATA\n"},
		} {
			if folder == "empty" && args[0] == "audit" { // there is no log to look at
				continue
			}
			out, err := run(reader, append([]string{"--data", folder}, args...)...)
			if err == nil || !strings.Contains(out, want[0]) || !strings.Contains(out, want[1]) {
				t.Errorf("%s: ibid %s: %v\n%s", folder, strings.Join(args, " "), err, out)
			}
		}
	}
}

// withoutWriting takes away from all the right to write below a folder, until the test ends.
func withoutWriting(t *testing.T, dir string) {
	t.Helper()
	set := func(dirs, files fs.FileMode) error {
		return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return errors.Join(err, os.Chmod(path, dirs))
			}
			return os.Chmod(path, files)
		})
	}
	if err := set(0o555, 0o444); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = set(0o755, 0o644) })
}
