package llm

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// candidate is a sentence, list item or table row of a passage that may stand in the answer.
type candidate struct {
	passage  int // index into the passages
	place    int // among the pieces of the passage, fragments included
	kind     ibid.Kind
	at       ibid.Span // into the passage's text
	text     string    // as it is shown: white space single, list marker gone
	words    []word
	roots    map[string]bool
	leans    bool            // opens with a pronoun or connective: leans on the sentence before it
	before   map[string]bool // the words of the sentence before it
	also     []int           // other passages that have the same sentence
	head     *candidate      // of a row: the names of its table's columns
	features features
	odds     float64
}

// word is a word of a candidate.
type word struct {
	text  string
	lower string
	root  string
	near  bool // only a space stands between it and the word before it
}

// candidatesOf gives what may be chosen from the passages. Headings, code, questions, menus and fragments may not, but
// they count as context of what stands beside them.
func (e Extractive) candidatesOf(passages []ibid.Passage) []candidate {
	var out []candidate
	known := stemmed{}
	for i, p := range passages {
		body, title := p.Chunk.Text, rootsOf(readWords(e.readable(p.Source.Title(), p.Chunk.Text), known))
		var before map[string]bool
		var columns *candidate
		pieces := parts(body)
		for n, piece := range pieces {
			at := piece.At
			shown := strings.Join(strings.Fields(withoutNotes(at.In(body))), " ")
			words := readWords(e.readable(shown, body), known)
			c := candidate{passage: i, place: n, kind: piece.Kind, at: at, text: shown, words: words, roots: rootsOf(words), before: before}
			before = c.roots
			switch {
			case c.kind != ibid.TableRow:
				columns = nil
			case heads(body, pieces, n):
				columns = &c
				continue
			case columns != nil: // a row is read with the names of its columns
				c.head, c.before, c.leans = columns, columns.roots, true
			}
			if usable(c) && !retells(c, title) {
				c.leans = c.leans || leans(words)
				out = append(out, c)
			}
		}
	}
	return out
}

// heads reports whether a piece is the head of a table: the first of its rows, where it names things and counts none.
func heads(body string, pieces []text.Piece, n int) bool {
	row := func(i int) bool { return i >= 0 && i < len(pieces) && pieces[i].Kind == ibid.TableRow }
	return row(n) && !row(n-1) && row(n+1) && !hasDigit(pieces[n].At.In(body))
}

// notes are the numbers of a document's own footnotes and sources.
var notes = regexp.MustCompile(` ?\[(?:\d{1,3}|[a-z]|note \d+|citation needed)(?:, ?\d{1,3})*\]`)

func withoutNotes(s string) string {
	if !strings.Contains(s, "[") {
		return s
	}
	return notes.ReplaceAllString(s, "")
}

// parts gives the pieces of a passage, items of lists without their markers. Text that was taken from web pages and PDF files has
// titles and menus on lines of their own, without a blank line behind them; they are parted from the sentence below.
func parts(s string) []text.Piece {
	var out []text.Piece
	for _, p := range text.Pieces(s) {
		if p.Kind == ibid.ListItem {
			p = asItem(s, p)
		}
		if p.Kind != ibid.ListItem && p.Kind != ibid.Sentence {
			out = append(out, p)
			continue
		}
		for {
			n := lineBreak(s, p.At)
			if n < 0 {
				break
			}
			out = append(out, text.Piece{At: text.Trim(s, ibid.Span{Start: p.At.Start, End: n}), Kind: p.Kind})
			p.At = text.Trim(s, ibid.Span{Start: n, End: p.At.End})
			p.Kind = ibid.Sentence
		}
		out = append(out, p)
	}
	markRows(s, out)
	return out
}

// markRows marks lines of cells as what they are. A line of two cells is a row only beside another: alone it is the title of a
// page with the name of its site.
func markRows(s string, pieces []text.Piece) {
	two := func(i int) bool {
		return i >= 0 && i < len(pieces) && strings.Count(pieces[i].At.In(s), " | ") == 1 && pieces[i].Kind != ibid.Heading && pieces[i].Kind != ibid.Code
	}
	for i := range pieces {
		if p := &pieces[i]; p.Kind == ibid.Sentence || p.Kind == ibid.ListItem {
			if cells(p.At.In(s)) || two(i) && (two(i-1) || two(i+1)) {
				p.Kind = ibid.TableRow
			}
		}
	}
}

// cells reports whether a line is a row of a table.
func cells(line string) bool { return strings.Count(line, " | ") >= 2 }

// asItem takes the marker off an item of a list. What follows an item without a marker of its own is running text: in
// text taken from a page it is the next paragraph, though Markdown would count it to the item.
func asItem(s string, p text.Piece) text.Piece {
	line := strings.TrimLeft(s[strings.LastIndexByte(s[:p.At.Start], '\n')+1:p.At.End], " \t")
	if itemMarker(line) == 0 {
		p.Kind = ibid.Sentence
		return p
	}
	p.At.Start += itemMarker(p.At.In(s))
	return p
}

// lineBreak finds the first line end within a sentence that is meant, and not made by wrapping: the next line begins as a
// sentence does, and this one is too short to have been wrapped, or one of the two is longer than anyone wraps.
func lineBreak(s string, at ibid.Span) int {
	const short, wide = 45, 120
	for i := at.Start; i < at.End; i++ {
		if s[i] != '\n' {
			continue
		}
		line := len(s[strings.LastIndexByte(s[:i], '\n')+1 : i])
		rest := s[i+1:]
		next := len(rest)
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			next = n
		}
		if startsSentence(rest) && (line < short || line > wide || next > wide) || strings.Contains(s[i-line:i], " | ") && strings.Contains(rest[:next], " | ") {
			return i
		}
	}
	return -1
}

// stemmed keeps the stems of words, as stemming is most of the work and a few passages on one subject repeat theirs. It
// may be nil.
type stemmed map[string]string

func (m stemmed) root(w string) string {
	r, ok := m[w]
	if !ok {
		r = root(w)
		if m != nil {
			m[w] = r
		}
	}
	return r
}

func readWords(s string, known stemmed) []word {
	spans := text.Words(s)
	out := make([]word, len(spans))
	for i, at := range spans {
		w := at.In(s)
		out[i] = word{text: w, lower: strings.ToLower(w), root: known.root(w), near: i > 0 && s[spans[i-1].End:at.Start] == " "}
	}
	return out
}

func rootsOf(words []word) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w.root] = true
	}
	return m
}

// leans reports whether the sentence needs the one before it to be understood. "This" and the like count only near the
// beginning; a later one usually points within the sentence.
func leans(words []word) bool {
	if len(words) == 0 {
		return false
	}
	if pronouns[words[0].lower] {
		return true
	}
	return len(words) > 1 && connectives[words[0].lower] && pronouns[words[1].lower]
}

// itemMarker is the length of "- ", "1. ", "(a) " at the beginning of a list item.
func itemMarker(s string) int {
	n := strings.IndexAny(s, " \t")
	if n < 0 || n > 5 {
		return 0
	}
	mark := strings.Trim(s[:n], "().*-+•–")
	if utf8.RuneCountInString(mark) > 3 || len(mark) == n {
		return 0
	}
	for _, r := range mark {
		if !unicode.IsDigit(r) && utf8.RuneCountInString(mark) > 1 {
			return 0
		}
	}
	return n + len(s[n:]) - len(strings.TrimLeft(s[n:], " \t"))
}

// usable reports whether a piece can stand alone as a sentence of an answer.
func usable(c candidate) bool {
	if c.kind == ibid.TableRow {
		return len(c.words) >= 2 && len(c.words) <= 120 && !mostlySymbols(strings.ReplaceAll(c.text, "|", ""))
	}
	if c.kind == ibid.Heading || c.kind == ibid.Code || len(c.words) < 3 || len(c.words) > 120 {
		return false
	}
	t := bare(c.text)
	// What ends in a colon announces what follows it.
	if t == "" || strings.HasSuffix(t, "?") || strings.HasSuffix(t, ":") || aside(c) || mostlySymbols(c.text) {
		return false
	}
	ended := endsSentence(t)
	if c.kind == ibid.ListItem {
		return ended || len(c.words) >= 4
	}
	return ended || startsSentence(c.text) && !strings.HasSuffix(t, ",") && (len(c.words) >= 8 && hasVerb(c.words) || len(c.words) >= 16)
}

// aside reports whether the sentence speaks to the reader of a page and not of its subject.
func aside(c candidate) bool {
	// "For the book, see ..." points elsewhere.
	if c.words[0].lower == "for" && strings.Contains(c.text, ", see ") {
		return true
	}
	lower := strings.ToLower(c.text)
	return slices.ContainsFunc(asides, func(s string) bool { return strings.Contains(lower, s) })
}

// hasVerb looks for the small verbs that nearly every full sentence of some length has, and few titles.
func hasVerb(words []word) bool {
	for _, w := range words {
		if smallVerbs[w.lower] {
			return true
		}
	}
	return false
}

// bare is a sentence without what may stand behind its stop: quotes and brackets.
func bare(s string) string { return strings.TrimRight(s, `"'”’)]» `) }

// retells reports whether a line only says the title again.
func retells(c candidate, title map[string]bool) bool {
	for _, w := range c.words {
		if !title[w.root] && !stopWords[w.lower] {
			return false
		}
	}
	return true
}

func endsSentence(s string) bool {
	s = bare(s)
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && strings.ContainsRune(".!…。！।;", r) && !strings.HasSuffix(s, "...")
}

func startsSentence(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) {
			return unicode.IsUpper(r) || !unicode.IsLower(r)
		}
		if unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// mostlySymbols tells code, rules and navigation from prose.
func mostlySymbols(s string) bool {
	letters, other := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			letters++
		case !unicode.IsSpace(r) && !strings.ContainsRune(".,'’", r):
			other++
		}
	}
	return other*3 > letters
}
