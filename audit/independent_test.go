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
	genuine := must(t, m.receipt(t, 2))
	for name, forged := range map[string][]byte{
		"quote":      forge(t, genuine, `\"5 August 1858\"`, `\"6 August 1858\"`),
		"kind":       forge(t, genuine, `"kind":"answer"`, `"kind":"refusal"`),
		"proof":      forge(t, genuine, m.receipt(t, 2).Proof[1].String(), m.records[5].Entry.Hash),
		"checkpoint": forge(t, genuine, `log.example\n7\n`, `log.example\n8\n`),
	} {
		if check(forged) {
			t.Errorf("%s: accepted", name)
		}
	}
}
