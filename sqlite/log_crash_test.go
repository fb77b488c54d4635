package sqlite_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/sqlite"
)

// appenderDir tells this test's own program to be a process that appends to the log of a folder until it is killed.
const appenderDir = "IBID_TEST_APPENDER_DIR"

// childAppends appends from several goroutines, for ever, and writes each entry on standard output once Append returned,
// and now and then a checkpoint.
func childAppends(dir string) error {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, dir)
	if err != nil {
		return err
	}
	log, err := store.Log(ctx, sqlite.LogConfig{})
	if err != nil {
		return err
	}
	errs := make(chan error, 4)
	for w := range 4 {
		go func() {
			for i := 0; ; i++ {
				e, err := log.Append(ctx, "test", fmt.Appendf(nil, "process %d, goroutine %d, entry %d", os.Getpid(), w, i))
				if err != nil {
					errs <- err
					return
				}
				fmt.Printf("entry %d %s\n", e.Index, e.Hash)
				if i%20 == 0 {
					signed, err := log.Checkpoint(ctx)
					if err != nil {
						errs <- err
						return
					}
					fmt.Printf("checkpoint %s .\n", base64.StdEncoding.EncodeToString([]byte(signed)))
				}
			}
		}()
	}
	return <-errs
}

// outside is what the killed processes said, kept by a process that lives on.
type outside struct {
	mu          sync.Mutex
	hashes      map[int64]string
	checkpoints []string
	reused      int
}

// listen reads what a process says until it is dead. Its last line may be cut.
func (o *outside) listen(r io.Reader) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue
		}
		o.mu.Lock()
		switch index, err := strconv.ParseInt(fields[1], 10, 64); {
		case fields[0] == "entry" && err == nil && len(fields[2]) == 64:
			if h, taken := o.hashes[index]; taken && h != fields[2] {
				o.reused++
			}
			o.hashes[index] = fields[2]
		case fields[0] == "checkpoint" && fields[2] == ".":
			if signed, err := base64.StdEncoding.DecodeString(fields[1]); err == nil {
				o.checkpoints = append(o.checkpoints, string(signed))
			}
		}
		o.mu.Unlock()
	}
}

// Processes are killed while they append, one or two at a time, and the log is checked each time against what they said
// before they died.
func TestKilledWhileAppending(t *testing.T) {
	rounds := 30
	if n, err := strconv.Atoi(os.Getenv("IBID_TEST_CRASHES")); err == nil {
		rounds = n
	}
	if testing.Short() {
		rounds = 5
	}
	var acknowledged, lost, reused, checkpoints, inconsistent, kills int
	for kills < rounds {
		dir := t.TempDir()
		o := &outside{hashes: map[int64]string{}}
		for range min(20, rounds-kills) { // on one log, so that restarts matter
			kills += killSome(t, dir, o)
			l, bad := o.compare(t, dir)
			lost, inconsistent = lost+l, inconsistent+bad
			if t.Failed() {
				t.FailNow()
			}
		}
		acknowledged, reused, checkpoints = acknowledged+len(o.hashes), reused+o.reused, checkpoints+len(o.checkpoints)
	}
	t.Logf("%d processes killed: acknowledged %d, lost %d, indices reused %d, checkpoints kept %d, inconsistent %d",
		kills, acknowledged, lost, reused, checkpoints, inconsistent)
	if lost+reused+inconsistent > 0 || acknowledged == 0 || checkpoints == 0 {
		t.Error("the log does not keep what it acknowledged")
	}
}

// killSome starts one or two processes on a log, kills them at a random moment, and gives how many.
func killSome(t *testing.T, dir string, o *outside) int {
	t.Helper()
	n := 1 + rand.IntN(2)
	var wg sync.WaitGroup
	for i := range n {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), appenderDir+"="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := func() {
			time.AfterFunc(time.Duration(10+rand.IntN(120))*time.Millisecond, func() { cmd.Process.Kill() })
		}
		if i == 0 && rand.IntN(4) > 0 { // most have said something, on however slow a machine
			out = &onFirst{ReadCloser: out, do: kill}
		} else {
			kill()
		}
		wg.Go(func() {
			o.listen(out)
			cmd.Wait()
		})
	}
	wg.Wait()
	return n
}

// onFirst does something when the first bytes are read.
type onFirst struct {
	io.ReadCloser
	do func()
}

func (f *onFirst) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if n > 0 && f.do != nil {
		f.do()
		f.do = nil
	}
	return n, err
}

// compare opens the log, as after a restart, and holds it against what was said outside.
func (o *outside) compare(t *testing.T, dir string) (lost, inconsistent int) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	log, err := store.Log(t.Context(), sqlite.LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[int64]string{}
	for e, err := range log.Entries(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		found[e.Index] = e.Hash
	}
	for index, hash := range o.hashes {
		if found[index] != hash {
			lost++
		}
	}
	report, err := log.Verify(t.Context(), audit.Expect{Kept: o.checkpoints})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		t.Log(p)
	}
	if len(found) > 0 {
		if _, err := log.Append(t.Context(), "after", nil); err != nil {
			t.Errorf("the log takes no more: %v", err)
		}
	}
	return lost, len(report.Problems)
}
