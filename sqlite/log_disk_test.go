//go:build unix

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

// crashes is how many crashes `make crash N=…` asks for, or few where it is one test among others.
func crashes(few int) int {
	if n, err := strconv.Atoi(os.Getenv("IBID_TEST_CRASHES")); err == nil {
		return n
	}
	return few
}

// acks are entries that were acknowledged, by their index.
type acks struct {
	mu   sync.Mutex
	hash map[int64]string
}

func (a *acks) add(e ibid.Entry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hash[e.Index] = e.Hash
}

func (a *acks) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.hash)
}

func (a *acks) copy() map[int64]string {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := map[int64]string{}
	for i, h := range a.hash {
		out[i] = h
	}
	return out
}

// powerCuts appends from several goroutines, cuts the power again and again, and opens what is left each time. It gives
// how many entries were acknowledged before some cut, how many of them were lost, and how many logs were not whole.
func powerCuts(t *testing.T, rounds int, parameters string) (acknowledged, lost, broken int) {
	chance := rand.New(rand.NewPCG(1, uint64(rounds)))
	for done := 0; done < rounds; {
		dir := t.TempDir()
		d, more := useDisk(t)
		store, err := openWith(t.Context(), dir, more+"&_pragma=wal_autocheckpoint(40)"+parameters)
		if err != nil {
			t.Fatal(err)
		}
		log, err := store.Log(t.Context(), LogConfig{})
		if err != nil {
			t.Fatal(err)
		}
		acked := &acks{hash: map[int64]string{}}
		ctx, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		var pause sync.RWMutex // while what is left is looked at, so that logs stay small
		for w := range 3 {
			wg.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					pause.RLock()
					e, err := log.Append(ctx, "test", fmt.Appendf(nil, "%d says %d", w, i))
					pause.RUnlock()
					if err != nil {
						if ctx.Err() == nil {
							t.Error(err)
						}
						return
					}
					acked.add(e)
				}
			})
		}
		for range min(20, rounds-done) {
			for enough := acked.count() + 1 + chance.IntN(30); acked.count() < enough && !t.Failed(); {
				time.Sleep(100 * time.Microsecond)
			}
			kept := acked.copy() // before the cut: what is acknowledged after this line may be lost
			left := t.TempDir()
			d.cut(t, dir, left, chance)
			pause.Lock()
			l, whole := afterCut(t, left, kept)
			pause.Unlock()
			acknowledged, lost = acknowledged+len(kept), lost+l
			if !whole {
				broken++
			}
			done++
		}
		stop()
		wg.Wait()
		store.Close()
	}
	return acknowledged, lost, broken
}

// afterCut opens what a power cut left, and gives how many acknowledged entries are lost and whether the log is whole.
func afterCut(t *testing.T, dir string, kept map[int64]string) (lost int, whole bool) {
	t.Helper()
	store, err := Open(t.Context(), dir)
	if err != nil {
		return len(kept), false
	}
	defer store.Close()
	log, err := store.Log(t.Context(), LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[int64]string{}
	for e, err := range log.Entries(t.Context(), 0) {
		if err != nil {
			return len(kept), false
		}
		found[e.Index] = e.Hash
	}
	for index, hash := range kept {
		if found[index] != hash {
			lost++
		}
	}
	report, err := log.Verify(t.Context(), audit.Expect{})
	if err != nil || len(report.Problems) > 0 {
		return lost, false
	}
	_, err = log.Append(t.Context(), "after", nil)
	return lost, err == nil
}

// What was acknowledged is there after a power cut at any moment.
func TestPowerCut(t *testing.T) {
	rounds := crashes(40)
	acknowledged, lost, broken := powerCuts(t, rounds, "")
	t.Logf("%d power cuts: %d entries acknowledged before them, %d lost, %d logs not whole", rounds, acknowledged, lost, broken)
	if lost > 0 || broken > 0 || acknowledged == 0 {
		t.Error("the log does not keep what it acknowledged")
	}
}

// The control: with weaker settings the same power cuts lose entries. Were this not so, the test above would show nothing.
func TestPowerCutCanLose(t *testing.T) {
	rounds := min(crashes(20), 100)
	for _, setting := range []string{"NORMAL", "OFF"} {
		acknowledged, lost, broken := powerCuts(t, rounds, "&_pragma=synchronous("+setting+")")
		t.Logf("control with synchronous=%s: %d power cuts: %d entries acknowledged before them, %d lost, %d logs not whole", setting, rounds, acknowledged, lost, broken)
		if lost == 0 {
			t.Errorf("synchronous=%s lost nothing: the power cuts are too weak to show anything", setting)
		}
	}
}

// A write or sync that fails, at each of the first calls: what was not written is not acknowledged, what was acknowledged
// stays, and the next start is clean.
func TestFaults(t *testing.T) {
	template := t.TempDir()
	if s, err := Open(t.Context(), template); err != nil {
		t.Fatal(err)
	} else if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	all := crashes(0) > 0
	runs, failed, acknowledged := 0, 0, 0
	for n := 1; n <= 500; n++ {
		for mode := range 4 {
			if !all && mode != n%20 { // few, where it is one test among others
				continue
			}
			full, sticky := mode&1 == 1, mode&2 == 2
			f, a := fault(t, template, n, full, sticky)
			runs, failed, acknowledged = runs+1, failed+f, acknowledged+a
			if t.Failed() {
				t.Fatalf("at call %d, full %v, sticky %v", n, full, sticky)
			}
		}
	}
	t.Logf("%d runs with a failing call: %d appends refused, %d acknowledged and none of them lost", runs, failed, acknowledged)
	if failed < runs {
		t.Errorf("only %d appends failed", failed)
	}
}

func fault(t *testing.T, template string, call int, full, sticky bool) (failed, acknowledged int) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	d, more := useDisk(t)
	if call%2 == 0 {
		more += "&_pragma=cache_size(4)" // so that a transaction is written before it ends
	}
	store, err := openWith(t.Context(), dir, more+"&_pragma=wal_autocheckpoint(30)")
	if err != nil {
		t.Fatal(err)
	}
	log, err := store.Log(t.Context(), LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	d.calls, d.failAt, d.full, d.sticky = 0, call, full, sticky
	acked := map[int64]string{}
	for i := 0; i < 400 && failed < 3; i++ {
		e, err := log.Append(t.Context(), "test", fmt.Append(nil, i))
		switch {
		case err != nil && len(d.failed) == 0:
			t.Fatalf("append %d: %v before anything failed", i, err)
		case err != nil:
			failed++
			if !strings.Contains(err.Error(), "nothing was changed") && !strings.Contains(err.Error(), "may not be stored") {
				t.Errorf("append %d: the error does not say what became of it: %v", i, err)
			}
		case acked[e.Index] != "":
			t.Fatalf("index %d is used twice", e.Index)
		default:
			acked[e.Index] = e.Hash
		}
		if len(d.failed) > 0 && !sticky && failed == 0 {
			failed++ // a checkpoint of the write-ahead log failed, which SQLite does again later
		}
		if failed > 0 && !sticky && d.calls > call+100 {
			break
		}
	}
	store.Close()
	if len(d.failed) == 0 {
		t.Fatalf("there were only %d calls", d.calls)
	}
	if lost, whole := afterCut(t, dir, acked); lost > 0 || !whole {
		t.Errorf("%d of %d acknowledged entries are lost, whole: %v", lost, len(acked), whole)
	}
	return failed, len(acked)
}

// Writes that share a transaction with one in which the disk failed: SQLite undoes all of it, and what follows must not
// be stored by itself.
func TestTransactionThatIsUndoneBelow(t *testing.T) {
	store, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	log, err := store.Log(t.Context(), LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append(t.Context(), "before", nil); err != nil {
		t.Fatal(err)
	}
	for _, swallowed := range []bool{false, true} {
		var batch []*job
		for i := range 5 {
			batch = append(batch, &job{done: make(chan struct{}), run: func(tx *Tx) error {
				_, err := tx.Append("beside", nil)
				if err == nil && i == 2 {
					_ = tx.w.exec(`ROLLBACK`) // as SQLite does by itself
					if !swallowed {
						err = errors.New("disk I/O error")
					}
				}
				return err
			}})
		}
		store.queue, store.led = slices.Clone(batch), true
		store.drain()
		for i, j := range batch {
			if <-j.done; j.err == nil {
				t.Errorf("write %d was acknowledged", i)
			}
		}
		if n, err := log.Size(t.Context()); n != 2 || err != nil {
			t.Errorf("%d entries, %v", n, err)
		}
	}
	if _, err := log.Append(t.Context(), "after", nil); err != nil {
		t.Error(err)
	}
	if r, err := log.Verify(t.Context(), audit.Expect{}); err != nil || len(r.Problems) > 0 || r.Entries != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A call that fails while a new folder is made leaves one that opens.
func TestFaultsWhileMaking(t *testing.T) {
	step := 7
	if crashes(0) > 0 {
		step = 1
	}
	for n := 1; ; n += step {
		dir := t.TempDir()
		d, more := useDisk(t)
		d.failAt, d.full = n, n%2 == 0
		store, err := openWith(t.Context(), dir, more)
		if err == nil {
			store.Close()
		}
		if len(d.failed) == 0 {
			t.Logf("a folder is made with %d calls", d.calls)
			return
		}
		if _, whole := afterCut(t, dir, nil); !whole {
			t.Fatalf("call %d failed (%v), and the folder cannot be used", n, err)
		}
	}
}
