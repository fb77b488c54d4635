package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// The rules of everything that is shown: prose stays readable; where it comes from is a sign behind the sentence, never
// colour alone; without a terminal there are no escapes and the signs stay.

// paint is the look of the terminal: whether there are colours, and how wide a line may be.
type paint struct {
	color bool
	width int
}

func (a *app) paint() paint {
	p := paint{color: a.terminal && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb", width: 100}
	switch a.flags.color {
	case "always":
		p.color = true
	case "never":
		p.color = false
	}
	if a.terminal {
		if w := a.width(); w >= 20 {
			p.width = min(w, 100)
		}
	}
	return p
}

type style string

const (
	plain  style = ""
	teal   style = "36"
	violet style = "35"
	red    style = "31"
	dim    style = "2"
	bold   style = "1"
	under  style = "4"
	marked style = "7"
)

// in wraps a text in a style. Each line is closed and opened again, so that pagers and cut lines stay right.
func (p paint) in(s style, t string) string {
	if !p.color || s == plain || t == "" {
		return t
	}
	lines := strings.Split(t, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "\x1b[" + string(s) + "m" + l + "\x1b[0m"
		}
	}
	return strings.Join(lines, "\n")
}

// tint is the colour of an origin, deeper where it is surer.
func tint(s ibid.Segment) style {
	var c style
	switch {
	case len(s.Contradicted) > 0:
		c = red
	case s.Origin == ibid.RAG, s.Origin == ibid.HYBRID:
		c = teal
	case s.Origin == ibid.LLM:
		c = violet
	default:
		return plain
	}
	switch ibid.Strength(s.Confidence) {
	case "strong":
		return c + ";1"
	case "weak":
		return c + ";2"
	}
	return c
}

// signs says in characters where a segment comes from.
func signs(s ibid.Segment, numbers []int) string {
	var b strings.Builder
	for i, n := range numbers {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(superscript(n))
	}
	switch {
	case len(s.Contradicted) > 0:
		return join(" ", "✕", b.String())
	case s.Origin == ibid.HYBRID:
		return join(" ", b.String(), "◐")
	case s.Origin == ibid.LLM:
		return "◇"
	case s.Origin == ibid.NONE:
		return ""
	}
	return b.String()
}

func join(sep string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

func superscript(n int) string {
	const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹"
	runes := []rune(digits)
	var b strings.Builder
	for _, d := range fmt.Sprint(n) {
		b.WriteRune(runes[d-'0'])
	}
	return b.String()
}

// flow writes prose that wraps at the width, a piece at a time, as it comes.
type flow struct {
	paint  paint
	write  func(string)
	column int
	indent string
	fresh  bool  // the line has nothing on it yet, its indent neither
	blanks int   // that wait for the next word, as no line ends in blanks
	last   rune  // that was written
	style  style // of what is being written
}

// add writes a text in a style. Line breaks of the text stay; the style is closed before each and at the end, so that
// pagers and cut lines stay right.
func (f *flow) add(s style, t string) {
	for t != "" {
		n := strings.IndexAny(t, " \t\n")
		switch {
		case t[0] == '\n':
			f.newline()
			n = 1
		case n == 0:
			n = len(t) - len(strings.TrimLeft(t, " \t"))
			f.blanks += n
		case n < 0:
			n = len(t)
			fallthrough
		default:
			f.word(s, t[:n])
		}
		t = t[n:]
	}
	f.set(plain)
}

func (f *flow) newline() {
	f.set(plain)
	f.write("\n")
	f.fresh = true
	f.blanks = 0
	f.column = columns(f.indent)
}

// word writes a word behind the blanks that stood before it, or at the start of the next line where it does not fit. What has no
// blanks, as Japanese, is written piece by piece.
func (f *flow) word(s style, w string) {
	from, before := 0, f.last
	for i, r := range w {
		if i > from && mayBreak(before, r) {
			f.piece(s, w[from:i])
			from = i
		}
		before = r
	}
	f.piece(s, w[from:])
}

// piece writes what no line ends within.
func (f *flow) piece(s style, w string) {
	first, _ := utf8.DecodeRuneInString(w)
	n := columns(w)
	if f.column > columns(f.indent) && (f.blanks > 0 || mayBreak(f.last, first)) && f.column+f.blanks+n > f.paint.width {
		f.newline()
	}
	if f.fresh {
		f.write(f.indent)
		f.fresh = false
	}
	f.set(s)
	f.write(strings.Repeat(" ", f.blanks) + w)
	f.column += f.blanks + n
	f.blanks = 0
	f.last, _ = utf8.DecodeLastRuneInString(w)
}

// set changes the style of what is written next.
func (f *flow) set(s style) {
	if s == f.style || !f.paint.color {
		return
	}
	if f.style != plain {
		f.write("\x1b[0m")
	}
	if s != plain {
		f.write("\x1b[" + string(s) + "m")
	}
	f.style = s
}

// wrapped gives a text as lines that fit, each with the indent.
func (p paint) wrapped(indent string, s style, t string) string {
	var b strings.Builder
	f := p.flowing(&b, indent)
	f.add(s, oneLine(t))
	return b.String()
}

// flowing begins prose that is indented.
func (p paint) flowing(out io.Writer, indent string) *flow {
	write := func(s string) { io.WriteString(out, s) }
	write(indent)
	return &flow{paint: p, write: write, indent: indent, column: columns(indent)}
}

// hang is how far lines below a lead are indented: under the words beside it, or less where lines are short.
func (p paint) hang() string {
	if p.width < 60 {
		return "    "
	}
	return strings.Repeat(" ", 12)
}

// excerpt shortens a quote in its middle, at words, to about n characters. One that would be hardly shorter stays whole.
func excerpt(quote string, n int) string {
	const worth = 20 // characters: less is no reason to leave words out
	quote = strings.Join(strings.Fields(quote), " ")
	r := []rune(quote)
	if len(r) <= n {
		return quote
	}
	head := string(r[:n*2/3])
	tail := string(r[len(r)-n/3:])
	if i := strings.LastIndexByte(head, ' '); i > 0 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, ' '); i >= 0 {
		tail = tail[i+1:]
	}
	short := head + " … " + tail
	if len(r)-utf8.RuneCountInString(short) < worth {
		return quote
	}
	return short
}

// harmless takes out control characters, so that no document or answer can move the cursor or colour the terminal.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, s)
}

// shown is a name or title, from outside, as part of a line.
func shown(name string) string { return oneLine(harmless(strings.ToValidUTF8(name, "\uFFFD"))) }

// styledSpan is a run of a text that is shown apart.
type styledSpan struct {
	at          ibid.Span
	style       style
	open, close string // what marks it where there are no colours
}

// highlighted writes a text with spans marked: in colour by a style, without by the signs around it.
func (f *flow) highlighted(t string, spans []styledSpan) {
	at := 0
	for _, s := range spans {
		if s.at.Start < at || s.at.End > len(t) || s.at.Empty() {
			continue
		}
		f.add(plain, harmless(t[at:s.at.Start]))
		words := harmless(s.at.In(t))
		if !f.paint.color {
			words = s.open + words + s.close
		}
		f.add(s.style, words)
		at = s.at.End
	}
	f.add(plain, harmless(t[at:]))
}

// firstWords names a text by its beginning.
func firstWords(t string, n int) string {
	words := text.Words(t)
	if len(words) <= n {
		return strings.TrimSpace(t)
	}
	return t[:words[n-1].End] + " …"
}
