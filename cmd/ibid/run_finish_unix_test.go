//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
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
	if err := appendLines(ctx, path, []byte("{}\n")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while another writes: %v", err)
	}
	io.WriteString(other, "\":1}\n")
	other.Close()
	if err := appendLines(t.Context(), path, []byte("{}\n")); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); string(b) != "{\"half\":1}\n{}\n" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

// Runs that end on a server at the same time are lines of their own in the file of AUDIT_LOG_PATH.
func TestServerAppendsToTheAuditLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claims.jsonl")
	if err := os.WriteFile(path, []byte("{\"whole\":1}\n{\"torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &app{env: func(name string) string { return map[string]string{"AUDIT_LOG_PATH": path}[name] }}
	finished := a.auditLog()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := finished(t.Context(), ibid.Run{ID: "r", Claims: []ibid.Claim{{Run: "r", Text: "It held."}}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	b, err := os.ReadFile(path)
	if err != nil || strings.Count(string(b), "\n") != 21 || strings.Count(string(b), "It held.") != 20 || strings.Contains(string(b), "torn") {
		t.Errorf("%s, %v", b, err)
	}
}
