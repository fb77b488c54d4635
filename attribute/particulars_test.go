package attribute

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// The set of cases is ours: half of the segments agree with their source, half differ in one particular. The floors may
// only be raised.
func TestParticularsAreNamed(t *testing.T) {
	data, err := os.ReadFile("testdata/particulars.txt")
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ hit, miss, false, total int }
	by := map[string]*count{"all": {}}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(f) != 4 {
			t.Fatalf("not four fields: %q", line)
		}
		if by[f[0]] == nil {
			by[f[0]] = &count{}
		}
		for i, text := range f[2:] {
			got := one(t, text, f[1]).Segment.Contradicted
			for _, c := range []*count{by[f[0]], by["all"]} {
				c.total++
				switch {
				case i == 1 && len(got) > 0:
					c.hit++
				case i == 1:
					c.miss++
				case len(got) > 0:
					c.false++
				}
			}
			if (i == 1) != (len(got) > 0) {
				t.Logf("%s: %q against %q: %v", f[0], text, f[1], got)
			}
		}
	}
	kinds := make([]string, 0, len(by))
	for k := range by {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	for _, k := range kinds {
		c := by[k]
		precision, recall := float64(c.hit)/float64(max(1, c.hit+c.false)), float64(c.hit)/float64(max(1, c.hit+c.miss))
		fmt.Printf("%-12s %3d cases  precision %.2f  recall %.2f\n", k, c.total, precision, recall)
		if precision < 0.85 || recall < 0.7 {
			t.Errorf("%s: precision %.2f, recall %.2f", k, precision, recall)
		}
	}
}

// TestNotOnlyDeniesNothing: "not only" and the like say more than what follows them, and not its contrary.
func TestNotOnlyDeniesNothing(t *testing.T) {
	source := "The framers feared foreign influence. They feared dynastic succession as well."
	for _, w := range []string{"only", "just", "merely", "simply", "solely"} {
		got := one(t, "The framers not "+w+" feared foreign influence but also dynastic succession.", source).Segment
		if len(got.Contradicted) > 0 {
			t.Errorf("not %s: %v", w, got.Contradicted)
		}
	}
	for _, denial := range []string{"The framers did not fear foreign influence.", "The framers had no just fear of influence."} {
		if got := one(t, denial, source).Segment; len(got.Contradicted) == 0 {
			t.Errorf("%q: the denial is not named", denial)
		}
	}
}

// TestANegationIsNamedOnce: a source that denies several words of a segment by one negation is quoted once.
func TestANegationIsNamedOnce(t *testing.T) {
	got := one(t, "The firm had large profits.", "The firm did not have large profits.").Segment
	if len(got.Contradicted) != 1 || got.Contradicted[0].Kind != "negation" {
		t.Errorf("%v", got.Contradicted)
	}
	for i, r := range got.Reasons {
		if slices.Contains(got.Reasons[:i], r) {
			t.Errorf("%q stands twice in %q", r, got.Reasons)
		}
	}
}
