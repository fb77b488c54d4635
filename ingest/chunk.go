package ingest

import (
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// A chunk is one thought with what is needed to understand it: a paragraph or two. Below 60 words a passage loses the
// name that its "it" stands for; above 200, ranking by words drowns in what is beside the point, and eight passages no
// longer fit a small prompt. So paragraphs are put together up to about 150 words, a short rest may stretch that, and
// a longer paragraph is parted at sentences.
const (
	minWords    = 60
	targetWords = 150
	maxWords    = 200
	stretch     = maxWords + minWords
)

// Chunks parts a document along its own structure. A heading begins a new chunk, and no chunk holds text from before and
// after a heading; a heading without text of its own goes with the one that follows. Paragraphs stay whole where they
// are not too long, and what is short joins its neighbour.
//
// The laws: a chunk's text is the document's at its anchor; chunks are in order and do not overlap; all text that is not
// blank is in one of them; the same document always gives the same chunks.
func Chunks(doc ibid.Document) []ibid.Chunk {
	c := chunker{doc: doc}
	for _, s := range sections(doc) {
		c.section(s)
	}
	return c.chunks
}

// unit is a piece of text that stays whole: a paragraph, or a sentence of a long one.
type unit struct {
	at    ibid.Span
	words int
}

func (u unit) join(v unit) unit {
	return unit{ibid.Span{Start: u.at.Start, End: v.at.End}, u.words + v.words}
}

// section is the text under one heading. Its head is the heading, with those before it that had no text of their own.
type section struct {
	at   ibid.Span
	head int // where the text behind the headings begins
}

func sections(doc ibid.Document) []section {
	var out []section
	cur := section{}
	end := len(doc.Text)
	for _, m := range doc.Outline {
		if m.Heading == "" || m.At < cur.head || m.At >= end || !utf8.RuneStart(doc.Text[m.At]) {
			continue
		}
		if m.At > cur.head && !blank(doc.Text[cur.head:m.At]) || m.At-cur.at.Start > 20*maxWords {
			cur.at.End = m.At
			out = append(out, cur)
			cur = section{at: ibid.Span{Start: m.At}}
		}
		cur.head = m.At
		if head := m.At + len(m.Heading); head <= end && doc.Text[m.At:head] == m.Heading {
			cur.head = head
		}
	}
	cur.at.End = end
	return append(out, cur)
}

type chunker struct {
	doc    ibid.Document
	chunks []ibid.Chunk

	// What one pass over text and outline has seen so far.
	pos   int
	units ibid.Units
	mark  int // marks passed
	page  int
	path  []ibid.Mark
	names []string // of path; shared by the chunks under one heading
}

// section puts units together to chunks.
func (c *chunker) section(s section) {
	var packed []unit
	var cur unit
	flush := func() {
		if cur.words > 0 {
			packed = append(packed, cur)
		}
		cur = unit{}
	}
	// The headings go with what follows them, unless they are so long that they are text themselves.
	head := trim(c.doc.Text, ibid.Span{Start: s.at.Start, End: s.head})
	headOnly := false
	if n := weigh(head.In(c.doc.Text)); n > maxWords {
		s.head = s.at.Start
	} else if n > 0 {
		cur, headOnly = unit{head, n}, true
	}
	for _, u := range c.unitsOf(ibid.Span{Start: s.head, End: s.at.End}) {
		together := cur.words + u.words
		switch {
		case cur.words == 0:
			cur = u
		case headOnly, together <= targetWords, cur.words < minWords && together <= stretch:
			cur = cur.join(u)
		default:
			flush()
			cur = u
		}
		headOnly = false
	}
	// A short rest goes with what stands before it.
	if n := len(packed); n > 0 && cur.words > 0 && cur.words < minWords && packed[n-1].words+cur.words <= stretch {
		packed[n-1] = packed[n-1].join(cur)
		cur = unit{}
	}
	flush()
	for _, u := range packed {
		c.add(u.at)
	}
}

// unitsOf gives the paragraphs of a stretch of text, the long ones in parts.
func (c *chunker) unitsOf(at ibid.Span) []unit {
	var out []unit
	for _, p := range paragraphs(c.doc.Text, at) {
		if n := weigh(p.In(c.doc.Text)); n <= maxWords {
			out = append(out, unit{p, n})
			continue
		}
		out = append(out, c.parts(p)...)
	}
	return out
}

// parts splits a long paragraph at its lines where they are items or rows, else at sentences, and puts those together
// evenly; a sentence that is itself too long, as a page without punctuation is, at words.
func (c *chunker) parts(p ibid.Span) []unit {
	var small []unit
	add := func(at ibid.Span) {
		at = trim(c.doc.Text, at)
		switch n := max(1, weigh(at.In(c.doc.Text))); {
		case at.Empty():
		case n <= maxWords:
			small = append(small, unit{at, n})
		default:
			small = append(small, cutWords(c.doc.Text, at)...)
		}
	}
	whole := p.In(c.doc.Text)
	if listed(whole) {
		for _, l := range splitLines(whole) {
			add(l.Shift(p.Start))
		}
	} else {
		for _, s := range text.Sentences(whole) {
			add(s.Shift(p.Start))
		}
	}
	total := 0
	for _, u := range small {
		total += u.words
	}
	// Parts of even size: 210 words are two of 105, not one of 200 and a rest of ten.
	count := (total + targetWords - 1) / targetWords
	goal := (total + count - 1) / max(count, 1)
	var out []unit
	for _, u := range small {
		if n := len(out); n > 0 && out[n-1].words < goal && out[n-1].words+u.words <= maxWords {
			out[n-1] = out[n-1].join(u)
			continue
		}
		out = append(out, u)
	}
	return out
}

// add makes the chunk of a span. Spans come in order, so that text and outline are each walked once.
func (c *chunker) add(at ibid.Span) {
	c.advance(at.Start)
	ch := ibid.Chunk{
		At:      ibid.Anchor{Document: c.doc.ID, Span: at},
		Ordinal: len(c.chunks),
		Heading: c.names,
		Page:    c.page,
		Text:    at.In(c.doc.Text),
		Before:  c.units,
	}
	for _, m := range c.doc.Outline[c.mark:] {
		if m.At >= at.End {
			break
		}
		ch.Breaks = append(ch.Breaks, m)
	}
	c.chunks = append(c.chunks, ch)
}

func (c *chunker) advance(to int) {
	for _, r := range c.doc.Text[c.pos:to] {
		c.units.Runes++
		c.units.UTF16++
		if r > 0xFFFF {
			c.units.UTF16++
		}
	}
	c.pos = to
	for c.mark < len(c.doc.Outline) && c.doc.Outline[c.mark].At <= to {
		m := c.doc.Outline[c.mark]
		c.mark++
		if m.Page > 0 {
			c.page = m.Page
		}
		if m.Heading == "" {
			continue
		}
		level := max(1, m.Level)
		for n := len(c.path); n > 0 && max(1, c.path[n-1].Level) >= level; n-- {
			c.path = c.path[:n-1]
		}
		c.path = append(c.path, m)
		c.names = make([]string, len(c.path))
		for i, p := range c.path {
			c.names[i] = p.Heading
		}
	}
}

// paragraphs are the stretches between blank lines, without the white space around them.
func paragraphs(s string, at ibid.Span) []ibid.Span {
	var out []ibid.Span
	start, line := at.Start, at.Start
	inked := false
	for i := at.Start; i <= at.End; i++ {
		if i < at.End && s[i] != '\n' {
			if s[i] > ' ' {
				inked = true
			}
			continue
		}
		if !inked || i == at.End { // a blank line, or the end
			end := line
			if i == at.End {
				end = i
			}
			if p := trim(s, ibid.Span{Start: start, End: end}); !p.Empty() {
				out = append(out, p)
			}
			start = min(i+1, at.End)
		}
		line, inked = i+1, false
	}
	return out
}

// listed reports whether most lines of a paragraph are list items or table rows.
func listed(s string) bool {
	n, all := 0, 0
	for _, l := range splitLines(s) {
		if l.Empty() {
			continue
		}
		all++
		if isItem(l.In(s)) {
			n++
		}
	}
	return all > 1 && n*2 > all
}

func isItem(line string) bool {
	i := 0
	for i < len(line) && line[i] >= '0' && line[i] <= '9' {
		i++
	}
	rest := line[i:]
	switch {
	case i > 0:
		return len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
	case len(rest) > 2 && (rest[0] == '-' || rest[0] == '*' || rest[0] == '+') && rest[1] == ' ':
		return true
	case len(rest) > 3 && rest[:3] == "•":
		return true
	}
	for j := 1; j+2 < len(rest); j++ {
		if rest[j] == '|' && rest[j-1] == ' ' && rest[j+1] == ' ' {
			return true
		}
	}
	return false
}

func splitLines(s string) []ibid.Span {
	var out []ibid.Span
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' {
			out = append(out, ibid.Span{Start: start, End: i + 1})
			start = i + 1
		}
	}
	return append(out, ibid.Span{Start: start, End: len(s)})
}

// cutWords parts a text that has no better places: at spaces, or between characters where there is no space either.
func cutWords(s string, at ibid.Span) []unit {
	var out []unit
	start, space := at.Start, -1
	var w weight
	for i, r := range s[at.Start:at.End] {
		i += at.Start
		if unicode.IsSpace(r) {
			space = i
		}
		w.add(r)
		if w.words() <= targetWords {
			continue
		}
		cut := i
		if space > start {
			cut = space
		}
		if p := trim(s, ibid.Span{Start: start, End: cut}); !p.Empty() {
			out = append(out, unit{p, max(1, weigh(p.In(s)))})
		}
		start, space = cut, -1
		w = weight{}
		for _, r := range s[cut : i+utf8.RuneLen(r)] {
			w.add(r)
		}
	}
	if p := trim(s, ibid.Span{Start: start, End: at.End}); !p.Empty() {
		out = append(out, unit{p, max(1, weigh(p.In(s)))})
	}
	return out
}

// weight counts words, so that every script gives chunks of like size: two ideographs count as one word, and so do
// twelve bytes without a space, of which Thai, long addresses and encoded pictures are made.
type weight struct {
	starts, wide, bytes int
	in                  bool
}

func (w *weight) add(r rune) {
	switch {
	case unicode.IsSpace(r):
		w.in = false
		return
	case r >= 0x2e80 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r)):
		w.wide++
		w.in = false
		return
	case !w.in:
		w.starts++
		w.in = true
	}
	w.bytes += max(1, utf8.RuneLen(r))
}

func (w *weight) words() int { return max(w.starts, w.bytes/12) + w.wide/2 }

func weigh(s string) int {
	var w weight
	for _, r := range s {
		w.add(r)
	}
	return max(w.words(), min(1, len(s)))
}

func blank(s string) bool {
	for _, r := range s {
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// trim takes white space off both ends of a span.
func trim(s string, at ibid.Span) ibid.Span {
	for at.Start < at.End {
		r, n := utf8.DecodeRuneInString(s[at.Start:at.End])
		if !unicode.IsSpace(r) {
			break
		}
		at.Start += n
	}
	for at.End > at.Start {
		r, n := utf8.DecodeLastRuneInString(s[at.Start:at.End])
		if !unicode.IsSpace(r) {
			break
		}
		at.End -= n
	}
	return at
}

// runeStart moves an offset back to the beginning of the character it falls into.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}
