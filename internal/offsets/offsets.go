// Package offsets converts positions in a text between bytes, runes and UTF-16 units.
package offsets

import (
	"sort"
	"unicode/utf8"
)

// stride is how many bytes lie between two remembered positions. A look-up is a binary search over
// len(text)/stride positions and a walk of at most stride bytes.
const stride = 256

// Position is one place in a text, counted in each of the three units.
type Position struct {
	Byte, Rune, UTF16 int
}

// Table holds what one pass over a text learned of its positions. A text without a byte above 0x7f needs no table: its
// positions are the same in every unit.
type Table struct {
	text  string
	marks []Position // ascending, the first is the zero position; nil for ASCII
	end   Position
}

// New makes the table of a text in one pass. Each invalid byte counts as one rune and one UTF-16 unit, as it does when
// Go ranges over a string and when it is shown as U+FFFD.
func New(text string) *Table {
	t := &Table{text: text, end: Position{len(text), len(text), len(text)}}
	if ascii(text) {
		return t
	}
	var p Position
	next := 0
	for p.Byte < len(text) {
		if p.Byte >= next {
			t.marks = append(t.marks, p)
			next = p.Byte + stride
		}
		p = p.step(text)
	}
	t.end = p
	return t
}

// End is the position behind the last character.
func (t *Table) End() Position { return t.end }

// FromByte gives the position of a byte offset. An offset inside a character is moved back to its start; one outside
// the text to the nearest end.
func (t *Table) FromByte(n int) Position {
	return t.find(n, func(p Position) int { return p.Byte })
}

// FromRune gives the position of a rune offset, held within the text.
func (t *Table) FromRune(n int) Position {
	return t.find(n, func(p Position) int { return p.Rune })
}

// FromUTF16 gives the position of a UTF-16 offset. An offset between the two halves of a surrogate pair is moved back
// before the pair.
func (t *Table) FromUTF16(n int) Position {
	return t.find(n, func(p Position) int { return p.UTF16 })
}

func (t *Table) find(n int, unit func(Position) int) Position {
	switch {
	case n <= 0:
		return Position{}
	case n >= unit(t.end):
		return t.end
	case t.marks == nil:
		return Position{n, n, n}
	}
	i := sort.Search(len(t.marks), func(i int) bool { return unit(t.marks[i]) > n }) - 1
	p := t.marks[i]
	for {
		next := p.step(t.text)
		if unit(next) > n {
			return p
		}
		p = next
	}
}

func (p Position) step(text string) Position {
	r, size := rune(text[p.Byte]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRuneInString(text[p.Byte:])
	}
	p.Byte += size
	p.Rune++
	p.UTF16++
	if r > 0xFFFF {
		p.UTF16++
	}
	return p
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
