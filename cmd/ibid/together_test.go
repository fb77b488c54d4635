package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// together is what processes that work on one store have been told is done.
type together struct {
	sync.Mutex
	told    int      // answers
	answers []string // those that are not erased, nor about to be
	backups []string
}

func (w *together) answered(b []byte) {
	var a struct{ ID string }
	if json.Unmarshal(b, &a) == nil && a.ID != "" {
		w.Lock()
		defer w.Unlock()
		w.told, w.answers = w.told+1, append(w.answers, a.ID)
	}
}

// take gives an answer away, to be erased.
func (w *together) take() (string, bool) {
	w.Lock()
	defer w.Unlock()
	if len(w.answers) < 4 {
		return "", false
	}
	id := w.answers[0]
	w.answers = w.answers[1:]
	return id, true
}

// A server, and processes that ask, ingest, erase, verify and back up, work on one store, and are all killed at once, again and
// again. None of them finds fault with another. After each time the log is whole and the library is what it says, and in the end every
// answer and every backup that was told to be done is there.
func TestProcessesTogether(t *testing.T) {
	exe, data, backups := program(t), t.TempDir(), t.TempDir()
	library := filepath.Join("..", "..", "examples", "library")
	if out, err := ibidCommand(t.Context(), exe, data, "ingest", library).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const question = "When was the first transatlantic cable laid?"
	var w together
	for round := range 3 {
		ctx, kill := context.WithCancel(t.Context())
		var working sync.WaitGroup
		// again repeats a command until all are killed.
		again := func(args func(n int) []string, done func(n int, out []byte)) {
			working.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					line := args(n)
					if line == nil {
						time.Sleep(10 * time.Millisecond)
						continue
					}
					out, err := ibidCommand(ctx, exe, data, line...).Output()
					var failed *exec.ExitError
					switch {
					case err == nil && done != nil:
						done(n, out)
					case ctx.Err() == nil && errors.As(err, &failed):
						t.Errorf("%q: %v: %s%s", line, err, out, failed.Stderr)
					}
				}
			})
		}
		always := func(line ...string) func(int) []string { return func(int) []string { return line } }
		backup := func(n int) string { return filepath.Join(backups, fmt.Sprintf("%d-%d", round, n)) }
		again(always("ask", "--json", question), func(_ int, out []byte) { w.answered(out) })
		again(always("ingest", library), nil)
		again(always("audit", "verify"), nil)
		again(func(int) []string {
			id, ok := w.take()
			if !ok {
				return nil
			}
			return []string{"audit", "erase", "--answer", id, "--reason", "asked for"}
		}, nil)
		again(func(n int) []string { return []string{"backup", backup(n)} }, func(n int, _ []byte) {
			w.Lock()
			defer w.Unlock()
			w.backups = append(w.backups, backup(n))
		})
		address := freeAddress(t)
		working.Go(func() { ibidCommand(ctx, exe, data, "serve", "--addr", address).Run() })
		working.Go(func() {
			for ctx.Err() == nil {
				if b, err := postJSON(ctx, "http://"+address+"/api/v1/ask", `{"question":"`+question+`"}`); err == nil {
					w.answered(b)
				}
			}
		})
		for enough := false; !enough && !t.Failed(); { // however slow the machine is
			time.Sleep(time.Duration(20+rand.IntN(100)) * time.Millisecond)
			w.Lock()
			enough = w.told > 8*(round+1) && len(w.backups) > 2*round
			w.Unlock()
		}
		kill()
		working.Wait()
		if out, err := ibidCommand(t.Context(), exe, data, "audit", "verify").CombinedOutput(); err != nil {
			t.Fatalf("after they were killed: %v: %s", err, out)
		}
	}
	for _, dir := range w.backups {
		if out, err := ibidCommand(t.Context(), exe, dir, "audit", "verify").CombinedOutput(); err != nil {
			t.Errorf("backup %s: %v: %s", dir, err, out)
		}
	}
	for _, id := range w.answers {
		if out, err := ibidCommand(t.Context(), exe, data, "show", id).CombinedOutput(); err != nil {
			t.Errorf("answer %s: %v: %s", id, err, out)
		}
	}
	t.Logf("%d answers, of which %d were to be erased, and %d backups were told to be done", w.told, w.told-len(w.answers), len(w.backups))
}

// freeAddress is one that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func postJSON(ctx context.Context, url, body string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}
