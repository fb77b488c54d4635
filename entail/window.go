package entail

import (
	"cmp"
	"slices"
	"sort"

	"github.com/ibid-dev/ibid/text"
)

// sentenceStarts gives the indexes of the pieces at which sentences begin.
func sentenceStarts(s string, pieces []piece) []int {
	var out []int
	at := 0
	for _, sentence := range text.Sentences(s) {
		for at < len(pieces) && pieces[at].at.Start < sentence.Start {
			at++
		}
		if at < len(pieces) && (len(out) == 0 || out[len(out)-1] < at) {
			out = append(out, at)
		}
	}
	return out
}

// windows cuts the pieces of a text into windows of at most room pieces. Together they hold every piece. Each ends where
// a sentence does, if that leaves it at least half full, and the next one begins with the last sentence of the one
// before, or with its last quarter where that sentence is longer than half a window.
func windows(pieces []piece, breaks []int, room int) [][]piece {
	var out [][]piece
	for from, last := 0, 0; ; {
		end := from + room
		if end >= len(pieces) {
			return append(out, pieces[from:])
		}
		if b := lastBreak(breaks, end); b >= from+room/2 && b > last {
			end = b
		} else {
			end = wordStart(pieces, end, max(last+1, end-room/4))
		}
		last = end
		out = append(out, pieces[from:end])
		if b := lastBreak(breaks, end-1); b > from && b >= end-room/2 {
			from = b
		} else {
			from = wordStart(pieces, end-room/4, max(from+1, end-room/2))
		}
	}
}

// parts cuts a claim into as few parts of at most room pieces as there can be, of about one length, between words where
// they allow it.
func parts(pieces []piece, room int) [][]piece {
	n := (len(pieces) + room - 1) / room
	var out [][]piece
	for from := 0; from < len(pieces); {
		size := (len(pieces) - from + n - 1) / n
		if n > 1 {
			n--
		}
		end := len(pieces)
		if from+size < end {
			end = wordStart(pieces, from+size, from+1+size/2)
		}
		if end-from > room {
			end = from + room
		}
		out = append(out, pieces[from:end])
		from = end
	}
	return out
}

// nearWindows is how many windows of the evidence a part of a claim is read with where the claim has several parts. With all
// of them the time would grow with the product of both lengths.
const nearWindows = 4

// nearest gives for each part of a claim the windows of the evidence that it is read with: all of them where the claim is one
// part or they are no more than nearWindows, else those that have most in common with it, in their order.
func nearest(evidence []piece, breaks []int, cut [][]piece, room int) [][][]piece {
	out := make([][][]piece, len(cut))
	longest := len(slices.MaxFunc(cut, func(a, b []piece) int { return cmp.Compare(len(a), len(b)) }))
	shared := windows(evidence, breaks, room-longest)
	if len(cut) == 1 || len(shared) <= nearWindows {
		for n, part := range cut {
			out[n] = windows(evidence, breaks, room-len(part))
		}
		return out
	}
	held := map[run][]int{} // the windows that hold it
	for w, window := range shared {
		for _, r := range runs(window) {
			held[r] = append(held[r], w)
		}
	}
	common := make([]float64, len(shared))
	for n, part := range cut {
		var found []int
		for _, r := range runs(part) {
			in := held[r]
			if len(in) > maxHolders {
				continue
			}
			for _, w := range in {
				if common[w] == 0 {
					found = append(found, w)
				}
				common[w] += 1 / float64(len(in))
			}
		}
		for w := 0; len(found) < nearWindows; w++ { // nothing in common: the first ones
			if common[w] == 0 {
				found = append(found, w)
			}
		}
		slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(common[b], common[a]), cmp.Compare(a, b)) })
		for _, w := range found {
			common[w] = 0
		}
		found = found[:nearWindows]
		slices.Sort(found)
		for _, w := range found {
			out[n] = append(out[n], shared[w])
		}
	}
	return out
}

// maxHolders is in how many windows a run may stand to tell them apart.
const maxHolders = 16

// run is a piece, or two that follow each other: the pieces of numbers are short, and in other numbers too.
type run struct{ first, second int32 }

// runs are those of a text, each once, in their order.
func runs(pieces []piece) []run {
	seen := make(map[run]bool, 2*len(pieces))
	out := make([]run, 0, 2*len(pieces))
	add := func(r run) {
		if !seen[r] {
			seen[r] = true
			out = append(out, r)
		}
	}
	for i, p := range pieces {
		add(run{p.id, -1})
		if i > 0 {
			add(run{pieces[i-1].id, p.id})
		}
	}
	return out
}

// lastBreak gives the last break that is not behind at, or -1.
func lastBreak(breaks []int, at int) int {
	i := sort.SearchInts(breaks, at+1)
	if i == 0 {
		return -1
	}
	return breaks[i-1]
}

// wordStart gives the last piece that begins a word from at backwards to low; at itself where there is none.
func wordStart(pieces []piece, at, low int) int {
	for i := at; i >= low && i > 0; i-- {
		if pieces[i].start {
			return i
		}
	}
	return at
}
