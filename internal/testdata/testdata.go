// Package testdata finds the public benchmark and conformance data that tests and evaluations read. The data stands beside
// the checkout, in ../shared/data, and is never part of it.
package testdata

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Path gives the path of a file or folder of the shared data. Where it is absent the test is skipped by name; on CI it
// fails, as the data is always there.
func Path(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(Root(), filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("needs shared data %s, which is always there on CI", name)
		}
		t.Skipf("needs shared data %s, which is absent here", name)
	}
	return path
}

// Root is the folder of the shared data: $IBID_SHARED_DATA, else ../shared/data beside the checkout.
func Root() string {
	if dir := os.Getenv("IBID_SHARED_DATA"); dir != "" {
		return dir
	}
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..", "shared", "data")
}
