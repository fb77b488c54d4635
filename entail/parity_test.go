package entail

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"testing"

	"github.com/ibid-dev/ibid"
)

// parityPair is a pair with what PyTorch says of it, with the same eight-bit weights.
type parityPair struct {
	Evidence string    `json:"evidence"`
	Claim    string    `json:"claim"`
	Logits   []float64 `json:"logits"` // supported, unsupported, contradicted
	Pieces   []float64 `json:"tokens"` // one for each piece of the claim; may be absent
}

func readParity(t *testing.T, name string) []parityPair {
	t.Helper()
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("needs %s, which comes with the weights", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []parityPair
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var p parityPair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatalf("%s: line %d: %v", name, len(out)+1, err)
		}
		out = append(out, p)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// parity holds the model's logits against those of the reference.
func parity(t *testing.T, m *Model, pairs []parityPair) {
	t.Helper()
	in := make([]ibid.Pair, len(pairs))
	for i, p := range pairs {
		in[i] = ibid.Pair{Evidence: p.Evidence, Claim: p.Claim}
	}
	got, err := m.Logits(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	worst, worstPiece, other := 0.0, 0.0, 0
	for i, p := range pairs {
		mine, theirs := 0, 0
		for k, v := range p.Logits {
			worst = max(worst, math.Abs(v-float64(got[i].Logits[k])))
			if v > p.Logits[theirs] {
				theirs = k
			}
			if got[i].Logits[k] > got[i].Logits[mine] {
				mine = k
			}
		}
		if mine != theirs {
			other++
		}
		if p.Pieces != nil && len(p.Pieces) != len(got[i].Pieces) {
			t.Errorf("pair %d: %d pieces, reference %d", i, len(got[i].Pieces), len(p.Pieces))
			continue
		}
		for k, v := range p.Pieces {
			worstPiece = max(worstPiece, math.Abs(v-float64(got[i].Pieces[k].Logit)))
		}
	}
	t.Logf("%s: %d pairs: logits differ by %.2g at most, those of pieces by %.2g; %d other decisions", m.Kernel(), len(pairs), worst, worstPiece, other)
	if worst > 1e-2 || other > 0 {
		t.Errorf("%s: logits differ by %g, decisions of %d pairs", m.Kernel(), worst, other)
	}
}

// TestParity holds the logits of the shipped weights against PyTorch's: on the best machine those of all pairs, on the others
// those of a few.
func TestParity(t *testing.T) {
	pairs := readParity(t, "testdata/parity.jsonl.gz")
	if _, err := Open(); err != nil {
		t.Fatal(err)
	}
	for i, run := range machines() {
		n := len(pairs)
		switch {
		case run == machine(portable{}):
			n = min(n, 4) // slow
		case i > 0:
			n = min(n, 40)
		}
		m, err := load([]byte(embedded), run)
		if err != nil {
			t.Fatal(err)
		}
		parity(t, m, pairs[:n])
	}
}
