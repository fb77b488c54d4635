package interop_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/interop"
)

// FuzzWholeLines: wherever a crash cuts what was appended, every line before the cut is kept, and what is appended behind the
// repair is a line of its own. A file that is repaired needs no repair.
func FuzzWholeLines(f *testing.F) {
	f.Add([]byte("{\"claim\":\"a\"}\n"), "It failed.\n\u2028\"", "\xff{}")
	f.Add([]byte("not a line"), "{", "}")
	f.Add([]byte(nil), "", "12")
	f.Fuzz(func(t *testing.T, before []byte, first, second string) {
		if len(before) > 0 && before[len(before)-1] != '\n' {
			before = append(bytes.Clone(before), '\n')
		}
		var lines bytes.Buffer
		for _, text := range []string{first, second} {
			if err := interop.WriteLines(&lines, ibid.Run{Claims: []ibid.Claim{{Text: text, Agent: first, At: noon}}}); err != nil {
				t.Fatal(err)
			}
		}
		whole := func(file []byte) []byte {
			n, add := interop.WholeLines(file)
			if n < bytes.LastIndexByte(file, '\n')+1 || n > len(file) {
				t.Fatalf("%d bytes of %q", n, file)
			}
			file = bytes.Clone(file[:n])
			if add {
				file = append(file, '\n')
			}
			return file
		}
		for cut := range lines.Len() + 1 {
			torn := append(bytes.Clone(before), lines.Bytes()[:cut]...)
			kept := whole(torn)
			if again := whole(kept); !bytes.Equal(again, kept) {
				t.Fatalf("%q became %q, and that %q", torn, kept, again)
			}
			if len(kept) > 0 && kept[len(kept)-1] != '\n' {
				t.Fatalf("%q became %q, which ends within a line", torn, kept)
			}
			for line := range bytes.Lines(kept[len(before):]) {
				var l interop.Line
				if err := json.Unmarshal(line, &l); err != nil || !l.LoggedAt.Equal(noon) {
					t.Fatalf("%q left %q: %v", torn, line, err)
				}
			}
			if cut == lines.Len() && !bytes.Equal(kept, torn) {
				t.Fatalf("of %q, which nothing tore, is left %q", torn, kept)
			}
		}
	})
}
