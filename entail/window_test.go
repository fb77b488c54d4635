package entail

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// somePieces are pieces of words of one to four, with breaks where sentences begin.
func somePieces(r *rapid.T) ([]piece, []int) {
	n := rapid.IntRange(1, 600).Draw(r, "n")
	pieces := make([]piece, n)
	breaks := []int{0}
	start := 0
	for i := range pieces {
		pieces[i].id = int32(i)
		if i == start {
			pieces[i].start = true
			start += rapid.IntRange(1, 4).Draw(r, "word")
			if i > 0 && rapid.IntRange(0, 15).Draw(r, "sentence") == 0 {
				breaks = append(breaks, i)
			}
		}
	}
	return pieces, breaks
}

// TestWindowsHoldEveryPiece: windows follow each other without a gap, each moves on, none is too long, and all but the
// first overlap the one before.
func TestWindowsHoldEveryPiece(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		pieces, breaks := somePieces(r)
		room := rapid.IntRange(6, 200).Draw(r, "room")
		end, from := 0, -1
		for i, w := range windows(pieces, breaks, room) {
			first := int(w[0].id)
			if len(w) > room || first <= from || first > end || i > 0 && first == end || first+len(w) <= end {
				r.Fatalf("window %d of %d pieces from %d, behind [%d,%d), room %d", i, len(w), first, from, end, room)
			}
			from, end = first, first+len(w)
		}
		if end != len(pieces) {
			r.Fatalf("the last window ends at %d of %d", end, len(pieces))
		}
	})
}

// TestPartsTile: joined in order the parts give the claim back, and none is too long.
func TestPartsTile(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		pieces, _ := somePieces(r)
		room := rapid.IntRange(6, 200).Draw(r, "room")
		end := 0
		for _, p := range parts(pieces, room) {
			if len(p) == 0 || len(p) > room || int(p[0].id) != end {
				r.Fatalf("part of %d from %d, not %d", len(p), p[0].id, end)
			}
			end += len(p)
		}
		if end != len(pieces) {
			r.Fatalf("parts end at %d of %d", end, len(pieces))
		}
	})
}

func TestWindowsEndWithSentences(t *testing.T) {
	pieces := make([]piece, 60)
	for i := range pieces {
		pieces[i] = piece{id: int32(i), start: true}
	}
	ws := windows(pieces, []int{0, 10, 20, 30, 40, 50}, 25)
	for i, from := range []int32{0, 10, 20, 30, 40} {
		if i >= len(ws) || ws[i][0].id != from {
			t.Fatalf("windows %v", ws)
		}
	}
}

// TestLongClaimsAreReadNearby: of an endless claim against endless evidence the windows grow with the claim alone, each part
// is read with the windows that hold its words, and every piece of the claim is read. A claim of one part meets all of the
// evidence.
func TestLongClaimsAreReadNearby(t *testing.T) {
	text := func(n int) []piece {
		out := make([]piece, n)
		for i := range out {
			out[i] = piece{id: int32(i), start: true}
		}
		return out
	}
	const room = 45
	count := func(claim, evidence []piece) int {
		n := 0
		cut := parts(claim, room/2)
		for i, ws := range nearest(evidence, nil, cut, room) {
			n += len(ws)
			for _, p := range cut[i] {
				if int(p.id) < len(evidence) && !slices.ContainsFunc(ws, func(w []piece) bool { return slices.Contains(w, p) }) {
					t.Errorf("piece %d of the claim is not read with the window that holds it", p.id)
				}
			}
		}
		return n
	}
	for _, n := range []int{500, 1000, 4000} {
		all := text(n)
		if got, most := count(all, all), nearWindows*len(parts(all, room/2)); got > most {
			t.Errorf("%d pieces against as many: %d windows, not at most %d", n, got, most)
		}
		short := text(10)
		if got, want := count(short, all), len(windows(all, nil, room-len(short))); got != want {
			t.Errorf("a short claim is read with %d windows of %d", got, want)
		}
		if got, want := count(all, short), len(parts(all, room/2)); got != want {
			t.Errorf("short evidence: %d windows, not one for each of %d parts", got, want)
		}
	}
	same := make([]piece, 3000) // one piece again and again tells no window apart
	if got, most := count(same, same), nearWindows*len(parts(same, room/2)); got > most {
		t.Errorf("the same piece again and again: %d windows, not at most %d", got, most)
	}
}
