package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/sqlite"
)

func agent(t *testing.T, o options) (string, *sqlite.Store, error) {
	t.Helper()
	o.library, o.data = "../library", t.TempDir()
	var out bytes.Buffer
	failed := run(t.Context(), &out, o)
	store, err := sqlite.Open(t.Context(), o.data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return out.String(), store, failed
}

func recorded(t *testing.T, store *sqlite.Store) ibid.Run {
	t.Helper()
	runs, err := store.Runs(t.Context(), 10)
	if err != nil || len(runs) != 1 {
		t.Fatal(runs, err)
	}
	run, err := store.Run(t.Context(), runs[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestBriefGoesOutWithItsSources(t *testing.T) {
	out, store, err := agent(t, options{policy: "production"})
	if err != nil || !strings.Contains(out, "Coverage: 6/6 | Compliant: true") || !strings.Contains(out, "/timeline.txt, by agent reader, through 2 hands") {
		t.Errorf("%v\n%s", err, out)
	}
	run := recorded(t, store)
	for _, c := range run.Claims {
		if c.Agent != "writer" || !c.Cited() {
			continue
		}
		first := c.Source.First()
		body, err := store.Snapshot(t.Context(), first.Snapshot)
		if err != nil || len(body) == 0 || first.From != nil {
			t.Errorf("%q ends at %+v: %v", c.Text, first, err)
		}
	}
}

func TestGuessIsRefusedAndOnRecord(t *testing.T) {
	out, store, err := agent(t, options{policy: "multi-agent", guess: true})
	var refused *gate.RefusedError
	if !errors.As(err, &refused) || err.Error() != `Attribution coverage by agent "writer" 75.00% below threshold 100%` || strings.Contains(out, "In short: The first") {
		t.Errorf("%v\n%s", err, out)
	}
	if run := recorded(t, store); run.Verdict == nil || run.Verdict.Pass || len(run.Claims) != 8 {
		t.Errorf("recorded %+v", run)
	}
}
