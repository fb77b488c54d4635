package attribute_test

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"reflect"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/marker"
)

// dice is a judge with an opinion of its own about each pair, and none about its company. It counts how often it is asked.
type dice struct {
	seed  maphash.Seed
	calls *int
	err   error
}

func (d dice) Judge(_ context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	*d.calls++
	out := make([]ibid.Judgement, len(pairs))
	for i, p := range pairs {
		n := maphash.String(d.seed, p.Evidence+"\x00"+p.Claim)
		yes, no := float64(n%101)/100, float64(n/101%101)/100
		out[i] = ibid.Judgement{Supported: yes, Contradicted: (1 - yes) * no, Unsupported: (1 - yes) * (1 - no)}
		for at := 0; at < len(p.Claim); at += 4 {
			out[i].Words = append(out[i].Words, ibid.WordSupport{At: ibid.Span{Start: at, End: min(at+4, len(p.Claim))}, Support: float64(n>>(at%60)%97) / 96})
		}
	}
	return out, d.err
}

// manyDrafts are the segments of all streamed answers and of lists whose items have heads.
func manyDrafts() []ibid.Draft {
	var out []ibid.Draft
	for i, answer := range append(streamed, "1. **Zenith:** The first cable was landed by engineers in August 1858.\n2. **Quorum:** Whitehouse applied a voltage of two thousand volts.\n3. **Fjord:** The Queen sent 98 words within sixteen hours.\n4. **Kiosk:** The cable carried some messages for three weeks.\n") {
		for _, d := range marker.Segment(answer, marker.Config{Passages: len(streamSources)}).Whole() {
			d.At = d.At.Shift(10_000 * i)
			out = append(out, d)
		}
	}
	return out
}

func findingsOf(t *testing.T, seq iter.Seq2[ibid.Finding, error]) []ibid.Finding {
	t.Helper()
	var out []ibid.Finding
	for f, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// TestAllAtOnceIsTheSame: an answer that is known whole has the findings that it has segment by segment, by every strategy, and the
// judge is asked a few times in place of once for each.
func TestAllAtOnceIsTheSame(t *testing.T) {
	drafts := manyDrafts()
	for range 2 {
		drafts = append(drafts, drafts...)
	}
	passages := streamPassages()
	claims := func(_ string, _ ibid.Kind, before string) (bool, string) {
		return len(before)%5 > 0, "behind " + before
	}
	for _, always := range []bool{false, true} {
		for _, s := range attribute.Strategies() {
			name := fmt.Sprintf("%s, asked always: %v", s, always)
			calls := 0
			by, err := attribute.With(s, attribute.New(attribute.Config{Judge: dice{maphash.MakeSeed(), &calls, nil}, Always: always, Claims: claims}))
			if err != nil {
				t.Fatal(err)
			}
			want := findingsOf(t, by.Attribute(t.Context(), passages, each(drafts)))
			singly := calls
			calls = 0
			got := findingsOf(t, attribute.All(t.Context(), by, passages, drafts))
			if len(got) != len(drafts) || !reflect.DeepEqual(got, want) {
				for i := range min(len(got), len(want)) {
					if !reflect.DeepEqual(got[i], want[i]) {
						t.Errorf("%s: %q: all at once %+v, singly %+v", name, drafts[i].Text, got[i], want[i])
						break
					}
				}
				t.Errorf("%s: %d findings, singly %d, of %d segments", name, len(got), len(want), len(drafts))
			}
			if s != attribute.DualPass && (calls == 0 || calls > singly/4) {
				t.Errorf("%s: asked %d times, singly %d times", name, calls, singly)
			}
		}
	}
	if got := findingsOf(t, attribute.All(t.Context(), attribute.New(attribute.Config{}), passages, nil)); got != nil {
		t.Errorf("no segments: %v", got)
	}
}

// TestAllAtOnceEnds: an error of the judge and the end of a context are given, nothing comes behind them, and who leaves has no more.
func TestAllAtOnceEnds(t *testing.T) {
	drafts, passages := manyDrafts(), streamPassages()
	calls := 0
	broken := errors.New("broken")
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want error
	}{{"broken judge", t.Context(), broken, broken}, {"ended context", ended, nil, context.Canceled}} {
		yields := 0
		for _, err := range attribute.All(c.ctx, attribute.New(attribute.Config{Judge: dice{maphash.MakeSeed(), &calls, c.err}}), passages, drafts) {
			if yields++; !errors.Is(err, c.want) || yields > 1 {
				t.Errorf("%s: yield %d: %v", c.name, yields, err)
			}
		}
		if yields == 0 {
			t.Errorf("%s: no error", c.name)
		}
	}
	n := 0
	for range attribute.All(t.Context(), attribute.New(attribute.Config{}), passages, drafts) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("left at 3, %d came", n)
	}
}
