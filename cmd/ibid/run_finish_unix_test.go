//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/interop"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// One who opened a pipe and does not read on holds nothing up: neither for good, nor against an interrupt. One who reads
// slowly gets all of it.
func TestStalledReaderOfAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if _, err := makePipe(path); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	lines := bytes.Repeat([]byte("{\"text\":\"It held.\"}\n"), 50_000)
	err = writeLines(t.Context(), path, os.ModeNamedPipe, lines, 50*time.Millisecond)
	if !errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(err.Error(), "has not read on") {
		t.Errorf("a stalled reader: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := writeLines(ctx, path, os.ModeNamedPipe, lines, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("interrupted: %v", err)
	}
	reader.Close()

	slow, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	var got bytes.Buffer
	var done sync.WaitGroup
	done.Go(func() { io.CopyN(&got, slow, int64(len(lines))) })
	if err := writeLines(t.Context(), path, os.ModeNamedPipe, lines, 10*time.Second); err != nil {
		t.Error(err)
	}
	if done.Wait(); !bytes.Equal(got.Bytes(), lines) {
		t.Errorf("%d bytes of %d came through", got.Len(), len(lines))
	}
}

// What another process is writing is not taken for torn: it is waited for, and its half line stays.
func TestHalfALineOfAnotherIsNotCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claims.jsonl")
	other, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if ours, err := lockFile(other); !ours || err != nil {
		t.Fatal(ours, err)
	}
	io.WriteString(other, `{"half`)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := openLines(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while another writes: %v", err)
	}
	io.WriteString(other, "\":1}\n")
	other.Close()
	file, err := openLines(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.append(t.Context(), []byte("{}\n")), file.close()); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); string(b) != "{\"half\":1}\n{}\n" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

// ending is a store in which runs end whose claims are to be written.
func ending(t *testing.T) (store *sqlite.Store, finish func(id ibid.RunID, claims ...string) workflow.Finished) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if _, err := store.Log(t.Context(), sqlite.LogConfig{}); err != nil {
		t.Fatal(err)
	}
	return store, func(id ibid.RunID, claims ...string) workflow.Finished {
		led := ledger.New(id, "writer", ledger.Config{Now: time.Now})
		for _, c := range claims {
			if _, err := led.Claim(c, ibid.SourceReference{}); err != nil {
				t.Fatal(err)
			}
		}
		runner := &workflow.Runner{Gate: workflow.Gate{Book: workflow.Pages(store.Update)}, Now: time.Now, Owes: true}
		done, err := runner.Finish(t.Context(), led)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
}

// writing is a process that writes to a file of AUDIT_LOG_PATH.
func writing(store *sqlite.Store, path string) func(context.Context, workflow.Finished) error {
	a := &app{env: func(name string) string { return map[string]string{"AUDIT_LOG_PATH": path}[name] }}
	a.opened.store = store
	return a.auditLog()
}

// Runs that end at the same time, on a server and beside it, are lines of their own in the file of AUDIT_LOG_PATH, each once.
func TestServerAppendsToTheAuditLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claims.jsonl")
	if err := os.WriteFile(path, []byte("{\"whole\":1}\n{\"torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	store, finish := ending(t)
	processes := []func(context.Context, workflow.Finished) error{writing(store, path), writing(store, path)}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := processes[i%2](t.Context(), finish(ibid.RunID(fmt.Sprint("run-", i)), "It held.")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	b, err := os.ReadFile(path)
	if err != nil || strings.Count(string(b), "\n") != 21 || strings.Count(string(b), "It held.") != 20 || strings.Contains(string(b), "torn") {
		t.Errorf("%s, %v", b, err)
	}
	if owed, err := store.OwedRuns(t.Context()); len(owed) != 0 || err != nil {
		t.Errorf("still to be written: %v, %v", owed, err)
	}
}

// Whatever stopped a process between the end of a run and the note that its claims are written, the next one writes what is missing:
// nothing is lost, and nothing stands there twice.
func TestWhatWasNotWrittenIsWrittenLater(t *testing.T) {
	for name, before := range map[string]func(lines []string) string{
		"nothing came":            func([]string) string { return "" },
		"one line came":           func(lines []string) string { return lines[0] },
		"a line was torn":         func(lines []string) string { return lines[0] + lines[1][:9] },
		"the end of a line lacks": func(lines []string) string { return lines[0] + strings.TrimSuffix(lines[1], "\n") },
		"all came":                func(lines []string) string { return strings.Join(lines, "") },
		"another run came behind": func(lines []string) string { return lines[0] + "{\"other\":1}\n" },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store, finish := ending(t)
			done := finish("night", "It failed.", strings.Repeat("It failed again. ", 10_000), "It was mended.")
			if err := writing(store, dir)(t.Context(), done); err == nil || !strings.Contains(err.Error(), "could not be written") {
				t.Fatalf("to a folder: %v", err)
			}
			var b bytes.Buffer
			if err := interop.WriteLines(&b, done.Run); err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(strings.TrimSuffix(b.String(), "\n"), "\n")
			lines[2] += "\n"
			path := filepath.Join(dir, "claims.jsonl")
			if err := os.WriteFile(path, []byte(before(lines)), 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := writing(store, path)(t.Context(), workflow.Finished{}); err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				for i, line := range lines {
					if strings.Count(string(got), line) != 1 {
						t.Errorf("line %d stands there %d times", i+1, strings.Count(string(got), line))
					}
				}
				for line := range strings.Lines(string(got)) {
					if !json.Valid([]byte(line)) {
						t.Errorf("no line: %.80q", line)
					}
				}
			}
			if owed, err := store.OwedRuns(t.Context()); len(owed) != 0 || err != nil {
				t.Errorf("still to be written: %v, %v", owed, err)
			}
		})
	}
}

// One that ends after a long failure writes its own claims and some of what was left, and does not wait for all of it.
func TestRunDoesNotWaitForAllThatIsOwed(t *testing.T) {
	store, finish := ending(t)
	path := filepath.Join(t.TempDir(), "claims.jsonl")
	for i := range mostOwed + 3 {
		finish(ibid.RunID(fmt.Sprint("run-", i)), "It held.")
	}
	write := writing(store, path)
	for step, want := range []struct{ lines, owed int }{{mostOwed + 1, 3}, {mostOwed + 4, 0}, {mostOwed + 4, 0}} {
		done := workflow.Finished{}
		if step == 0 {
			done = finish("own", "This is its own.")
		}
		if err := write(t.Context(), done); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		owed, err2 := store.OwedRuns(t.Context())
		if err != nil || err2 != nil || strings.Count(string(b), "\n") != want.lines || len(owed) != want.owed || strings.Count(string(b), "This is its own.") != 1 {
			t.Errorf("step %d: %d lines, %d still to be written, %v, %v", step, strings.Count(string(b), "\n"), len(owed), err, err2)
		}
	}
}
