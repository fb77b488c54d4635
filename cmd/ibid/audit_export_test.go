package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/sqlite"
)

// Wherever a crash has torn an export, it is the same once it was continued: also within the checkpoints at a change of the key.
func TestTornExportIsContinued(t *testing.T) {
	ctx := t.Context()
	store, err := sqlite.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	log, err := store.Log(ctx, sqlite.LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := log.Append(ctx, "test", fmt.Append(nil, "payload ", i)); err != nil {
			t.Fatal(err)
		}
		if _, err := log.RotateKey(ctx); err != nil { // the last entry, too, changes the key
			t.Fatal(err)
		}
	}
	var whole bytes.Buffer
	if _, err := exportLog(ctx, log, &whole, audit.Tail{}); err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut <= whole.Len(); cut++ {
		b := whole.Bytes()[:cut]
		if next := whole.Bytes()[cut:]; cut%41 > 0 && cut > 0 && b[cut-1] != '\n' && len(next) > 0 && next[0] != '\n' {
			continue // every end of a line, and some places within
		}
		tail, err := audit.ReadTail(bytes.NewReader(b), int64(cut))
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		again := bytes.NewBuffer(bytes.Clone(b[:tail.Whole]))
		if _, err := exportLog(ctx, log, again, tail); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if !bytes.Equal(again.Bytes(), whole.Bytes()) {
			t.Fatalf("cut at %d, the export is continued to\n%s\nand not\n%s", cut, again, &whole)
		}
	}
}
