package workflow_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// A run takes no more than can be logged when it ends: what was registered never leaves it, so one that were too large
// could never be finished. What counts is what is logged: a claim comes with its source each time.
func TestRunThatIsFullCanBeFinished(t *testing.T) {
	for name, fill := range map[string]func(*ledger.Ledger) error{
		"long claims": func(l *ledger.Ledger) error {
			_, err := l.Claim(strings.Repeat("\x01", 1<<21), ibid.SourceReference{}) // written as six bytes each
			return err
		},
		"a long source cited often": func(l *ledger.Ledger) error {
			src, err := l.Source(ibid.SourceReference{Category: "http", Metadata: map[string]string{"x": strings.Repeat("x", 1<<22)}}, nil)
			for i := 0; i < 3 && err == nil; i++ {
				_, err = l.Claim("Short.", src)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, err := sqlite.Open(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			if _, err := store.Log(t.Context(), sqlite.LogConfig{}); err != nil {
				t.Fatal(err)
			}
			policy, err := gate.Preset("production")
			if err != nil {
				t.Fatal(err)
			}
			runner := &workflow.Runner{Gate: workflow.Gate{Policy: &policy, Book: workflow.Pages(store.Update)}, Now: time.Now}
			if err := store.Update(t.Context(), func(tx *sqlite.Tx) error { return tx.BeginRun("full", time.Now()) }); err != nil {
				t.Fatal(err)
			}
			for i := 0; ; i++ {
				err = runner.Register(t.Context(), "full", "", func(l *ledger.Ledger, _ ibid.Run) error { return fill(l) })
				if err != nil {
					break
				}
				if i == 100 {
					t.Fatal("a run of any size is taken")
				}
			}
			if !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "go on in another") {
				t.Fatal(err)
			}
			if out, err := runner.FinishRecorded(t.Context(), "full"); out.Run.Verdict == nil {
				t.Fatalf("%v", err)
			}
		})
	}
}
