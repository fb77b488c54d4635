package entail

import (
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
