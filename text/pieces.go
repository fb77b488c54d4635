package text

import (
	"strings"

	"github.com/ibid-dev/ibid"
)

// Block is a part of a text with one form: a paragraph, a heading, a list item, a table row, a block of code. The Kind of
// a paragraph is ibid.Sentence.
type Block struct {
	At   ibid.Span
	Kind ibid.Kind
}

// Piece is a segment of a text: a sentence, a table row, a heading, a block of code, without the white space around it.
// The sentences of a list item are pieces of the kind ibid.ListItem.
type Piece struct {
	At   ibid.Span
	Kind ibid.Kind
}

// Pieces gives the segments of a text, in order. They do not overlap, and what lies between them is blank.
func Pieces(s string) []Piece {
	var out []Piece
	read(s, func(p part) { out = append(out, p.Piece) })
	return out
}

// Sentences tiles s: joined in order they give it back. White space belongs to the sentence before it; at the start of
// the text to the first one.
func Sentences(s string) []ibid.Span {
	var out []ibid.Span
	read(s, func(p part) { out = append(out, p.At) })
	tile(len(out), len(s), func(i int) *ibid.Span { return &out[i] })
	if len(out) == 0 && s != "" {
		return []ibid.Span{{End: len(s)}}
	}
	return out
}

// Blocks tiles s into its blocks, as Markdown has them. White space belongs to the block before it; at the start of the
// text to the first one.
func Blocks(s string) []Block {
	var out []Block
	read(s, func(p part) {
		if p.opens {
			out = append(out, Block(p.Piece))
		}
	})
	tile(len(out), len(s), func(i int) *ibid.Span { return &out[i].At })
	if len(out) == 0 && s != "" {
		return []Block{{ibid.Span{End: len(s)}, ibid.Sentence}}
	}
	return out
}

// tile makes each span reach to the next one, and all of them over the whole.
func tile(n, end int, span func(int) *ibid.Span) {
	for i := n - 1; i >= 0; i-- {
		span(i).End = end
		if i == 0 {
			span(i).Start = 0
		}
		end = span(i).Start
	}
}

func read(s string, give func(part)) {
	m := machine{s: s, final: true, give: give}
	m.run()
}

// Splitter gives the pieces of a text that comes bit by bit. They are those that Pieces gives for the whole, however it
// was cut, also within a character; each comes as soon as it is certain, which is before the next one ends, and none
// is revised. The zero value is ready for use.
type Splitter struct {
	m    machine
	text strings.Builder
}

// NewSplitter makes a Splitter for one text.
func NewSplitter() *Splitter { return &Splitter{} }

// Write takes the next bit of the text and gives the pieces that became certain.
func (p *Splitter) Write(delta string) []Piece {
	p.text.WriteString(delta)
	return p.run()
}

// Close says that the text is over, and gives the rest of its pieces.
func (p *Splitter) Close() []Piece {
	p.m.final = true
	return p.run()
}

func (p *Splitter) run() []Piece {
	var out []Piece
	p.m.give = func(x part) { out = append(out, x.Piece) }
	p.m.s = p.text.String()
	p.m.run()
	p.forget()
	return out
}

// forget drops the text that was given out, where it is most of what is held.
func (p *Splitter) forget() {
	n := p.m.start
	if n < 4096 || n < len(p.m.s)/2 {
		return
	}
	rest := p.m.s[n:]
	p.text = strings.Builder{}
	p.text.WriteString(rest)
	p.m.base += n
	p.m.pos -= n
	p.m.start = 0
}
