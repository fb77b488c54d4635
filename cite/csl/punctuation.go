package csl

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The output tree is written out as a flat list of events, in which punctuation that meets is settled.

type eventOp uint8

const (
	evText eventOp = iota
	evOpen
	evClose
	evOpenQuote
	evCloseQuote
)

type event struct {
	op     eventOp
	inner  bool // of quotes: written with inner marks where outermost
	rich   bool // inside of a field's content
	noDec  bool
	text   string
	format *formatting
	disp   string
	node   *node // the tagged node that opens or closes here
}

// stream is the flat form of an output tree.
type stream struct {
	events []event
	tagged bool // keep events for tagged nodes
}

func (s *stream) text(t string, rich bool) {
	if t != "" {
		s.events = append(s.events, event{op: evText, text: t, rich: rich})
	}
}

func (s *stream) emit(n *node, rich bool) {
	if n == nil {
		return
	}
	if n.display != "" {
		s.events = append(s.events, event{op: evOpen, disp: n.display})
	}
	s.text(n.prefix, false)
	tag := s.tagged && n.tag != TagText
	if tag {
		s.events = append(s.events, event{op: evOpen, node: n})
	}
	quoted := n.quoted || n.kind == kQuote
	if quoted {
		s.events = append(s.events, event{op: evOpenQuote, inner: n.inner, rich: rich})
	}
	open := n.format != nil || n.kind == kNoDecor
	if open {
		s.events = append(s.events, event{op: evOpen, format: n.format, rich: rich, noDec: n.kind == kNoDecor})
	}
	inside := rich || n.kind == kRich || n.rich
	if n.kind == kText {
		s.text(n.text, inside)
	}
	for i, k := range n.kids {
		if i > 0 {
			s.text(n.delim, false)
		}
		s.emit(k, inside)
	}
	if open {
		s.events = append(s.events, event{op: evClose, format: n.format, rich: rich, noDec: n.kind == kNoDecor})
	}
	if quoted {
		s.events = append(s.events, event{op: evCloseQuote, inner: n.inner, rich: rich})
	}
	if tag {
		s.events = append(s.events, event{op: evClose, node: n})
	}
	s.text(n.suffix, false)
	if n.display != "" {
		s.events = append(s.events, event{op: evClose, disp: n.display})
	}
}

// meeting says what two punctuation marks that meet become; "" leaves both.
func meeting(a, b byte) string {
	switch a {
	case ':':
		switch b {
		case '.', ':':
			return ":"
		case '!', '?':
			return string(b)
		}
	case '.':
		if b == '.' {
			return "."
		}
	case ';':
		switch b {
		case ':', '.', ';':
			return ";"
		case '!', '?':
			return string(b)
		}
	case '!':
		switch b {
		case ':', '.', '!':
			return "!"
		}
	case '?':
		switch b {
		case ':', '.', '?':
			return "?"
		}
	case ',':
		if b == ',' {
			return ","
		}
	}
	return ""
}

// settle makes punctuation that meets behave: ". ." is one full stop, spaces are single, and marks stand inside or
// outside of quotation marks as the locale has it.
func (s *stream) settle(inQuote bool) {
	last := -1 // the text event before
	quoteBetween := false
	for i := range s.events {
		e := &s.events[i]
		switch e.op {
		case evOpenQuote, evCloseQuote:
			quoteBetween = true
			continue
		case evText:
		default:
			continue
		}
		if e.text == "" {
			continue
		}
		if last >= 0 {
			p := &s.events[last]
			if !quoteBetween {
				join(p, e)
			} else {
				joinSpaces(p, e)
			}
		}
		if e.text != "" {
			last, quoteBetween = i, false
		}
	}
	s.quotes(inQuote)
	s.edges()
}

// edges moves spaces at the very start and end out of the blocks that stand there.
func (s *stream) edges() {
	n := len(s.events)
	if n < 3 {
		return
	}
	if first := &s.events[0]; first.op == evOpen && first.disp != "" {
		for i := 1; i < n && s.events[i].op != evClose; i++ {
			if e := &s.events[i]; e.op == evText && e.text != "" {
				if e.text[0] == ' ' {
					e.text = e.text[1:]
					s.events = slices.Insert(s.events, 0, event{op: evText, text: " "})
				}
				break
			}
		}
	}
	n = len(s.events)
	if last := &s.events[n-1]; last.op == evClose && last.disp != "" {
		for i := n - 2; i >= 0 && s.events[i].disp == ""; i-- {
			if e := &s.events[i]; e.op == evText && e.text != "" {
				if strings.HasSuffix(e.text, " ") {
					e.text = e.text[:len(e.text)-1]
					s.events = append(s.events, event{op: evText, text: " "})
				}
				break
			}
		}
	}
}

// join settles the meeting of two texts with nothing but formatting between.
func join(a, b *event) {
	for b.text != "" && a.text != "" {
		x, y := a.text[len(a.text)-1], b.text[0]
		if y == ' ' && (x == ' ' || strings.HasSuffix(a.text, "\u00a0")) {
			b.text = b.text[1:]
			continue
		}
		m := meeting(x, y)
		if m == "" {
			return
		}
		b.text = b.text[1:]
		a.text = a.text[:len(a.text)-1] + m
		if b.text == "" || b.text[0] == ' ' {
			return
		}
	}
}

func joinSpaces(a, b *event) {
	if strings.HasSuffix(a.text, " ") && strings.HasPrefix(b.text, " ") {
		b.text = b.text[1:]
	}
}

// quotes moves punctuation that follows a closing quotation mark in, or a comma or stop before one out.
func (s *stream) quotes(inQuote bool) {
	for i := range s.events {
		if s.events[i].op != evCloseQuote {
			continue
		}
		prev := s.before(i)
		if prev < 0 {
			continue
		}
		a := &s.events[prev]
		if inQuote {
			for s.moveIn(i, a) {
			}
			continue
		}
		next := s.after(i)
		if next < 0 || s.events[i].rich && s.events[next].rich {
			continue
		}
		b := &s.events[next]
		if x := a.text[len(a.text)-1]; x == '.' || x == ',' {
			y, _ := utf8.DecodeRuneInString(b.text)
			if strings.ContainsRune(".,:;!?", y) {
				a.text = a.text[:len(a.text)-1]
				if m := meeting(x, b.text[0]); m != "" {
					b.text = m + b.text[1:]
				} else {
					b.text = string(x) + b.text
				}
			}
		}
	}
}

// moveIn takes one mark that follows the quotation that closes at i into it, behind a.
func (s *stream) moveIn(i int, a *event) bool {
	next := s.after(i)
	if next < 0 {
		return false
	}
	b := &s.events[next]
	if s.events[i].rich && b.rich {
		return false // inside of one field: as its author wrote it
	}
	if strings.IndexByte(".,!?", b.text[0]) < 0 {
		return false
	}
	if m := meeting(a.text[len(a.text)-1], b.text[0]); m != "" {
		a.text = a.text[:len(a.text)-1] + m
	} else {
		a.text += b.text[:1]
	}
	b.text = b.text[1:]
	return true
}

// before finds the text inside the quotation that closes at i.
func (s *stream) before(i int) int {
	for i--; i >= 0; i-- {
		switch s.events[i].op {
		case evText:
			if s.events[i].text != "" {
				return i
			}
		case evOpenQuote:
			return -1
		}
	}
	return -1
}

// after finds the text that follows the quotation that closes at i.
func (s *stream) after(i int) int {
	for i++; i < len(s.events); i++ {
		switch s.events[i].op {
		case evText:
			if s.events[i].text != "" {
				return i
			}
		case evOpenQuote:
			return -1
		case evOpen:
			if s.events[i].disp != "" {
				return -1
			}
		}
	}
	return -1
}
