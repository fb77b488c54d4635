package sqlite_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/storetest"
)

// The child of the crash tests is this test's own program, told by its environment what to be.
const childDir = "IBID_TEST_CHILD_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := childAdds(dir, os.Getenv(childDir+"_NAME")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv(appenderDir); dir != "" {
		if err := childAppends(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv(readerDir); dir != "" {
		if err := childReads(dir); err != nil {
			fmt.Println(err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// childAdds adds documents from several goroutines, for ever, and writes the id of each on standard output once Add
// returned.
func childAdds(dir, name string) error {
	store, err := sqlite.Open(context.Background(), dir)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make(chan error, 4)
	for w := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				doc := storetest.NewDocument(strings.Repeat(fmt.Sprintf("%s %d says %d. ", name, w, i), 1+i*37%300))
				source := storetest.NewSource(fmt.Sprintf("file:///%s/%d", name, i%5), name)
				if _, _, err := store.Add(context.Background(), source, doc, storetest.Cut(doc, 5, 10)); err != nil {
					errs <- err
					return
				}
				fmt.Println(doc.ID)
			}
		})
	}
	return <-errs
}

// readerDir tells this test's own program to read a folder as someone who may not write there.
const readerDir = "IBID_TEST_READER_DIR"

// childReads reads what can be read, and holds that nothing can be written.
func childReads(dir string) error {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer store.Close()
	log, err := store.Log(ctx, sqlite.LogConfig{})
	if err != nil {
		return err
	}
	report, err := log.Verify(ctx, audit.Expect{})
	if err != nil || len(report.Problems) > 0 {
		return fmt.Errorf("%v, %w", report.Problems, err)
	}
	if _, err := log.Receipt(ctx, report.Entries-1); err != nil {
		return err
	}
	sources, err := store.Sources(ctx, sqlite.SourceFilter{})
	if err != nil {
		return err
	}
	answers, err := store.FindAnswers(ctx, api.Find{Words: "so sa", Source: sources[0].Source.ID}, "", 10)
	if err != nil {
		return err
	}
	if wrong, err := store.CheckFind(ctx); err != nil || wrong != "" {
		return fmt.Errorf("%s, %w", wrong, err)
	}
	doc := storetest.NewDocument("More.")
	_, _, add := store.Add(ctx, storetest.NewSource("file:///more", ""), doc, storetest.Cut(doc))
	_, app := log.Append(ctx, "test", nil)
	_, rotate := log.RotateKey(ctx)
	_, _, lock := store.TryLock("test")
	for what, err := range map[string]error{"add": add, "append": app, "rotate": rotate, "lock": lock, "remove": store.RemoveSource(ctx, sources[0].Source.ID)} {
		if !errors.Is(err, fs.ErrPermission) || strings.Count(err.Error(), "can be read and not written") != 1 {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	fmt.Printf("%d entries, %d sources, %d answers, and no more", report.Entries, len(sources), len(answers))
	return nil
}

func startChild(t *testing.T, dir, name string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir, childDir+"_NAME="+name)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// A process that is killed while it adds leaves a record that opens, with every document whole, and with all that it
// said was stored.
func TestKilledWhileAdding(t *testing.T) {
	dir := t.TempDir()
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	acknowledged := map[ibid.DocumentID]bool{}
	for round := range rounds {
		cmd, out := startChild(t, dir, fmt.Sprint("round", round))
		wait := time.Duration(rand.IntN(120)) * time.Millisecond
		kill := func() { time.AfterFunc(wait, func() { cmd.Process.Kill() }) }
		if round%2 == 0 { // while it opens the record, on a slow machine; every other one has stored something
			kill()
		}
		lines := bufio.NewScanner(out)
		for first := true; lines.Scan(); first = false {
			if first && round%2 == 1 {
				kill()
			}
			if id := lines.Text(); len(id) == 64 { // the last line may be cut
				acknowledged[ibid.DocumentID(id)] = true
			}
		}
		cmd.Wait()
		checkWhole(t, dir, acknowledged)
	}
	t.Logf("%d documents acknowledged, none lost", len(acknowledged))
	if len(acknowledged) == 0 {
		t.Error("no child lived long enough to store anything")
	}
}

// checkWhole opens the record and checks all that is in it.
func checkWhole(t *testing.T, dir string, acknowledged map[ibid.DocumentID]bool) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	found := map[ibid.DocumentID]bool{}
	ids, _, err := store.Changed(t.Context(), 0, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		versions, err := store.Versions(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range versions {
			if v.Version != len(versions)-i {
				t.Errorf("source %s: version %d stands where %d should", id, v.Version, len(versions)-i)
			}
			doc, err := store.Document(t.Context(), v.ID)
			if err != nil || ibid.HashText(doc.Text) != v.ID {
				t.Fatalf("document %s is not whole: %v", v.ID, err)
			}
			chunks, err := store.Chunks(t.Context(), v.ID)
			if err != nil || len(chunks) != 3 || chunks[2].At.Span.End != len(doc.Text) {
				t.Fatalf("document %s has %d chunks: %v", v.ID, len(chunks), err)
			}
			found[v.ID] = true
		}
	}
	for id := range acknowledged {
		if !found[id] {
			t.Errorf("document %s was acknowledged and is lost", id)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var result string
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&result); err != nil || result != "ok" {
		t.Errorf("integrity check: %s, %v", result, err)
	}
	if rows, err := db.Query(`PRAGMA foreign_key_check`); err != nil {
		t.Error(err)
	} else {
		if rows.Next() {
			t.Error("a row points at one that is not there")
		}
		rows.Close()
	}
}

// Two processes and this one write to one new folder at the same time, from its very making on.
func TestSeveralProcesses(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	acknowledged := map[ibid.DocumentID]bool{}
	note := func(id ibid.DocumentID) { mu.Lock(); defer mu.Unlock(); acknowledged[id] = true }
	var wg, busy sync.WaitGroup // busy: until each child has stored a few
	var children []*exec.Cmd
	for _, name := range []string{"left", "right"} {
		cmd, out := startChild(t, dir, name)
		children = append(children, cmd)
		busy.Add(1)
		wg.Go(func() {
			lines := bufio.NewScanner(out)
			for n := 0; lines.Scan(); n++ {
				if id := lines.Text(); len(id) == 64 {
					note(ibid.DocumentID(id))
				}
				if n == 20 {
					busy.Done()
				}
			}
		})
	}
	store := open(t, dir)
	for i := range 20 {
		doc := storetest.NewDocument(fmt.Sprint("This process says ", i, "."))
		stored, _, err := store.Add(t.Context(), storetest.NewSource("file:///own", ""), doc, storetest.Cut(doc, 5, 10))
		if err != nil || stored.Version != i+1 {
			t.Fatalf("version %d, error %v", stored.Version, err)
		}
		note(doc.ID)
	}
	busy.Wait()
	for _, cmd := range children {
		cmd.Process.Kill()
	}
	wg.Wait()
	for _, cmd := range children {
		cmd.Wait()
	}
	checkWhole(t, dir, acknowledged)
	t.Logf("%d documents acknowledged by three processes, none lost", len(acknowledged))
}

func TestLockIsForOneProcess(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir), open(t, dir)
	unlock, ok, err := a.TryLock("work")
	if err != nil || !ok {
		t.Fatalf("%v, %v", ok, err)
	}
	if _, ok, err := b.TryLock("work"); ok || err != nil {
		t.Errorf("taken twice: %v, %v", ok, err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	unlock, ok, err = b.TryLock("work")
	if err != nil || !ok {
		t.Fatalf("not free again: %v, %v", ok, err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
}
