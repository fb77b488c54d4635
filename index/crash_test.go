package index_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/index"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/storetest"
)

// The child of the crash test is this test's own program, told by its environment what to be.
const childDir = "IBID_TEST_CHILD_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := childIngests(dir, os.Getenv(childDir+"_NAME")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// childIngests adds texts with a word of their own, and brings the index up to date now and then, for ever. It writes
// each word on standard output once its text is stored.
func childIngests(dir, name string) error {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, dir)
	if err != nil {
		return err
	}
	x, err := index.Open(ctx, filepath.Join(dir, "index"), store, index.Config{})
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		word := fmt.Sprintf("%sn%d", name, i)
		doc := storetest.NewDocument("The word is " + word + ". " + strings.Repeat("And more follows. ", i%50))
		// Two texts per source: the former version must never be seen again.
		if _, _, err := store.Add(ctx, storetest.NewSource(fmt.Sprintf("file:///%s/%d", name, i/2), ""), doc, storetest.Cut(doc, 10)); err != nil {
			return err
		}
		fmt.Println(word)
		if i%3 == 2 {
			if err := x.Update(ctx); err != nil {
				return err
			}
		}
	}
}

// A process that is killed between the record and the index, or in the middle of either, leaves what is found and what is
// stored the same. While it runs, another process asks.
func TestKilledWhileIndexing(t *testing.T) {
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	beside, err := index.Open(t.Context(), filepath.Join(dir, "index"), store, index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	words := 0
	for round := range rounds {
		name := fmt.Sprint("round", round)
		stored := ingestAndKill(t, dir, name, func(word string) { checkFound(t, store, beside, word, false) })
		words += len(stored)
		after, err := index.Open(t.Context(), filepath.Join(dir, "index"), store, index.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range stored {
			checkFound(t, store, after, word, true)
		}
		after.Close()
	}
	t.Logf("%d texts, all found", words)
	if words == 0 {
		t.Error("no child lived long enough to store anything")
	}
}

// ingestAndKill runs a child for a moment after it stored its first text, however long that took, and gives the words of the texts that it stored.
func ingestAndKill(t *testing.T, dir, name string, during func(word string)) []string {
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
	var kill *time.Timer
	var stored []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if word := lines.Text(); strings.HasPrefix(word, name+"n") {
			stored = append(stored, word)
			if kill == nil {
				kill = time.AfterFunc(time.Duration(rand.IntN(200))*time.Millisecond, func() { cmd.Process.Kill() })
				defer kill.Stop()
			}
			if len(stored)%5 == 0 {
				during(word)
			}
		}
	}
	cmd.Wait()
	if n := len(stored); n > 0 && !strings.HasSuffix(stored[n-1], fmt.Sprint("n", n-1)) { // the last line may be cut
		stored = stored[:n-1]
	}
	return stored
}

// checkFound asks for a word: its text is found if it is what its source says now and, once nothing changes any more, only
// if.
func checkFound(t *testing.T, store *sqlite.Store, x *index.Index, word string, settled bool) {
	t.Helper()
	got, err := x.Retrieve(t.Context(), ibid.Query{Text: word})
	if err != nil {
		t.Fatal(err)
	}
	found := slices.ContainsFunc(got, func(p ibid.Passage) bool { return strings.Contains(p.Chunk.Text, " "+word+".") })
	var n int
	fmt.Sscanf(word[strings.LastIndex(word, "n")+1:], "%d", &n)
	name := word[:strings.LastIndex(word, "n")]
	versions, err := store.Versions(t.Context(), ibid.IdentifySource("", fmt.Sprintf("file:///%s/%d", name, n/2)))
	if err != nil {
		t.Fatal(err)
	}
	isNewest := versions[0].Version == n%2+1
	if isNewest && !found {
		t.Errorf("%s is stored, and not found", word)
	}
	if !isNewest && found && settled {
		t.Errorf("%s is of a former version, and found", word)
	}
}
