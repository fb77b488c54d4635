package sqlite_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ibid-dev/ibid/sqlite"
)

// An entry is on disk when Append returns. Its receipt proves it to anyone who has the public key.
func ExampleLog() {
	dir, err := os.MkdirTemp("", "ibid")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	store, err := sqlite.Open(ctx, dir)
	if err != nil {
		panic(err)
	}
	defer store.Close()
	log, err := store.Log(ctx, sqlite.LogConfig{})
	if err != nil {
		panic(err)
	}
	entry, err := log.Append(ctx, "decision", []byte(`{"loan":"refused","by":"the committee"}`))
	if err != nil {
		panic(err)
	}
	receipt, err := log.Receipt(ctx, entry.Index)
	if err != nil {
		panic(err)
	}
	keys, err := log.Keys(ctx)
	if err != nil {
		panic(err)
	}

	// Elsewhere, without the log:
	checked, err := receipt.Check(keys[0].Key)
	fmt.Println(err, checked.Entry.Index, checked.Entry.Kind, string(checked.Entry.Data))
	// Output: <nil> 1 decision {"loan":"refused","by":"the committee"}
}
