package text

import (
	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/ibid-dev/ibid"
)

// Block is a part of a text with one form.
type Block struct {
	At   ibid.Span
	Kind ibid.Kind
}

// Piece is a segment of an answer: a sentence, a list item, a table row, a heading, a block of code.
type Piece struct {
	At   ibid.Span
	Kind ibid.Kind
}

// Sentences tiles s: joined in order they give it back. White space belongs to the sentence before it.
func Sentences(s string) []ibid.Span {
	var out []ibid.Span
	start := 0
	for it := sentences.FromString(s); it.Next(); {
		end := start + len(it.Value())
		out = append(out, ibid.Span{Start: start, End: end})
		start = end
	}
	return out
}

// Blocks tiles s into its Markdown-like parts.
func Blocks(s string) []Block {
	var out []Block
	for _, at := range Sentences(s) {
		out = append(out, Block{at, ibid.Sentence})
	}
	return out
}

// Pieces gives the segments of a whole text, in order.
func Pieces(s string) []Piece {
	var out []Piece
	for _, at := range Sentences(s) {
		if at = Trim(s, at); !at.Empty() {
			out = append(out, Piece{at, ibid.Sentence})
		}
	}
	return out
}

// Splitter gives the pieces of a text that comes in parts.
type Splitter struct {
	text string
	done int
}

// NewSplitter makes a Splitter at the start of a text.
func NewSplitter() *Splitter { return &Splitter{} }

// Write takes the next part and gives the pieces that became certain.
func (p *Splitter) Write(delta string) []Piece {
	p.text += delta
	all := Pieces(p.text)
	if len(all) < 3 || len(all)-2 <= p.done {
		return nil
	}
	out := all[p.done : len(all)-2]
	p.done = len(all) - 2
	return out
}

// Close gives the rest.
func (p *Splitter) Close() []Piece { return Pieces(p.text)[p.done:] }
