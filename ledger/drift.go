package ledger

import (
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// Drift is what became of a source since a snapshot of it was taken.
type Drift string

// What becomes of sources.
const (
	Same    Drift = "same"    // to the letter
	Moved   Drift = "moved"   // it changed, and every cited passage still stands in it, perhaps elsewhere
	Changed Drift = "changed" // it changed, and something that was cited does not stand in it any more, or nothing was cited
	Gone    Drift = "gone"    // it is not there any more
)

// Comparison is a snapshot held against what the source says now.
type Comparison struct {
	Drift Drift `json:"drift"`
	// Quotes says of each cited passage where it stands now.
	Quotes []QuoteDrift `json:"quotes,omitempty"`
	// Changes are the sentences that came and went, in order.
	Changes []Change `json:"changes,omitempty"`
}

// QuoteDrift is what became of one cited passage.
type QuoteDrift struct {
	Quote string    `json:"quote"`
	Was   ibid.Span `json:"was"`
	Now   ibid.Span `json:"now,omitzero"` // empty where it stands no more
	Drift Drift     `json:"drift"`        // Same, Moved or Gone
}

// Change is a sentence that came or went.
type Change struct {
	Added bool   `json:"added"`
	Text  string `json:"text"`
}

// Compare holds what a source says now against a snapshot of it. The cited spans are of the snapshot; those that
// cannot be are passed over.
func Compare(before, now string, cited []ibid.Span) Comparison {
	if before == now {
		return Comparison{Drift: Same}
	}
	c := Comparison{Drift: Moved, Changes: changes(before, now)}
	for _, at := range cited {
		if at.Start < 0 || at.Empty() || at.End > len(before) {
			continue // not of this snapshot
		}
		q := QuoteDrift{Quote: at.In(before), Was: at}
		if q.Now, q.Drift = Follow(before, now, at); q.Drift == Gone {
			c.Drift = Changed
		}
		c.Quotes = append(c.Quotes, q)
	}
	if len(c.Quotes) == 0 {
		c.Drift = Changed
	}
	return c
}

// around is how many bytes before and behind a passage tell it from others of the same words.
const around = 256

// Follow finds the passage of one text in another: where its words stand with the most of what stood before and behind them, and of
// several such places the nearest. It is Same, Moved or Gone, and then there is no place.
func Follow(before, now string, at ibid.Span) (ibid.Span, Drift) {
	quote := at.In(before)
	place, most, drift := ibid.Span{}, -1, Gone
	for from := 0; quote != ""; {
		i := strings.Index(now[from:], quote)
		if i < 0 {
			break
		}
		found := ibid.Span{Start: from + i, End: from + i + len(quote)}
		common := commonBehind(before[at.End:], now[found.End:]) + commonBefore(before[:at.Start], now[:found.Start])
		if common > most || common == most && abs(found.Start-at.Start) < abs(place.Start-at.Start) {
			place, most, drift = found, common, Moved
		}
		from = found.Start + 1
	}
	if drift == Moved && place == at {
		drift = Same
	}
	return place, drift
}

func commonBehind(a, b string) (n int) {
	for n < min(len(a), len(b), around) && a[n] == b[n] {
		n++
	}
	return n
}

func commonBefore(a, b string) (n int) {
	for n < min(len(a), len(b), around) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func abs(n int) int { return max(n, -n) }

// maxCells bounds the work of finding the shortest difference. Beyond it what is common in the middle is found by its
// wording alone.
const maxCells = 4 << 20

func changes(before, now string) []Change {
	a, b := sentences(before), sentences(now)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > 0 && len(b) > maxCells/len(a) {
		return byWording(a, b)
	}
	return shortest(a, b)
}

func sentences(s string) []string {
	var out []string
	for _, at := range text.Sentences(s) {
		if t := strings.Join(strings.Fields(at.In(s)), " "); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// shortest is the difference that keeps the most sentences.
func shortest(a, b []string) []Change {
	width := len(b) + 1
	kept := make([]int32, (len(a)+1)*width) // of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				kept[i*width+j] = kept[(i+1)*width+j+1] + 1
			} else {
				kept[i*width+j] = max(kept[(i+1)*width+j], kept[i*width+j+1])
			}
		}
	}
	var out []Change
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && kept[(i+1)*width+j] >= kept[i*width+j+1]:
			out = append(out, Change{false, a[i]})
			i++
		default:
			out = append(out, Change{true, b[j]})
			j++
		}
	}
	return out
}

func byWording(a, b []string) []Change {
	in := func(list []string) map[string]int {
		m := map[string]int{}
		for _, s := range list {
			m[s]++
		}
		return m
	}
	var out []Change
	add := func(list []string, other map[string]int, added bool) {
		for _, s := range list {
			if other[s] > 0 {
				other[s]--
				continue
			}
			out = append(out, Change{added, s})
		}
	}
	add(a, in(b), false)
	add(b, in(a), true)
	return out
}
