package audit_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Receipts are checked by a program that was written after docs/audit.md and has nothing of ours.
func TestIndependentCheck(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	m := newMemory(t, "first", answer, "\xff\x00", "", "fifth", "sixth")
	check := func(receipt []byte) bool {
		t.Helper()
		file := filepath.Join(t.TempDir(), "receipt.json")
		if err := os.WriteFile(file, receipt, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(node, "../docs/check-receipt.mjs", file, m.key.Public()).CombinedOutput()
		if (err == nil) != bytes.HasPrefix(out, []byte("entry ")) || (err != nil) != bytes.HasPrefix(out, []byte("does not hold")) {
			t.Fatalf("%v: %s", err, out)
		}
		return err == nil
	}
	for index := range m.tree.Size() {
		if !check(must(t, m.receipt(t, index))) {
			t.Errorf("the receipt of entry %d is refused", index)
		}
	}
	m = newMemory(t, "first", answer, "third", "fourth", "fifth")
	for name, forged := range forgeries(t, m) {
		if check(forged) {
			t.Errorf("%s: accepted", name)
		}
	}
}
