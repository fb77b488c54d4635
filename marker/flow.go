package marker

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// lookback is how much of the text before it a reference is told by.
const lookback = 48

// spaceLimit bounds the white space that waits for what follows it.
const spaceLimit = 1024

// flow puts clean text and marks together. It is told of text, white space, and markers that were taken out, in order.
//
// White space before a marker waits, as "word [1]." must read "word." and "word [1] more" must read "word more". A mark
// waits for the next text, as more references may follow it: "[1][2]".
type flow struct {
	cfg   known
	out   strings.Builder
	marks []Mark
	cuts  []Cut
	clean int // bytes of clean text so far

	lead  string // white space before the markers that were taken out, or before the text to come
	taken bool   // a marker was taken out behind lead
	trail string // white space behind it

	last   int    // end of the last text that is not white space
	word   string // the text since the last white space; its end, where it is long
	line   string // the beginning of the line
	recent []byte // the end of the sentence so far; see before
	spoken []int  // passages whose reference was a word of the present line
	quote  bool   // within quotation marks on this line
	curly  int

	sentence int  // where the present sentence begins; -1 before its first character
	cited    bool // a reference or a marker stands in it
	closed   bool // a marker in braces ended here
	since    int  // where its words since the last reference begin; -1 before the first of them

	wait    *Mark // the last mark, which may get more references
	leading bool  // wait leads its line, and its place is not known yet

	open   []frame // markers in braces, the outermost first
	opened int     // how many there were, for ids
	runs   []run   // of the text of the outermost open marker
	cur    int     // the run that grows; -1 for none

	uses map[string][]ibid.Span // runs that a footnote or number was put to, by label
	defs map[string][]int
}

func newFlow(c Config) flow {
	return flow{cfg: newKnown(c), sentence: -1, since: -1, cur: -1, uses: map[string][]ibid.Span{}, defs: map[string][]int{}}
}

// take gives what became certain since the last call.
func (f *flow) take() Output {
	o := Output{Text: f.out.String(), Marks: f.marks, Cut: f.cuts}
	f.out.Reset()
	f.marks, f.cuts = nil, nil
	return o
}

// space takes white space.
func (f *flow) space(t string) {
	if !f.taken {
		f.lead += t
	} else {
		f.trail += t
	}
	if f.taken && t == "\n" {
		f.endLine()
	}
	if len(f.lead)+len(f.trail) >= spaceLimit {
		f.settle("", false)
	}
}

// endLine ends a row of markers that stand at the end of a line.
func (f *flow) endLine() {
	if !f.fresh() {
		f.lead = ""
	} else {
		f.trail = strings.TrimLeft(f.trail, blanks)
	}
	f.lead, f.trail, f.taken = f.lead+f.trail, "", false
	if f.wait != nil && !(f.leading && f.wait.At.Empty()) {
		f.leading = false
		f.place()
	}
}

const blanks = " \t\u00a0"

// fresh reports whether no text stands before the markers on their line.
func (f *flow) fresh() bool {
	return f.clean == 0 && f.lead == "" || strings.ContainsRune(f.lead, '\n')
}

// text takes characters that are not white space: a piece of a word, a word, or one sign.
func (f *flow) text(t string) {
	f.settle(t, false)
	if f.closed {
		f.since, f.cited, f.closed = -1, true, false
	}
	first, _ := utf8.DecodeRuneInString(t)
	if f.word != "" && endsIdeographic(f.word) && !isCloser(first) {
		f.startSentence()
	}
	if f.sentence < 0 {
		f.sentence = f.clean
	}
	if f.since < 0 {
		if i := strings.IndexFunc(t, isWordRune); i >= 0 {
			f.since = f.clean + i
		}
	}
	f.grow(len(t))
	f.quotes(first)
	f.out.WriteString(t)
	f.clean += len(t)
	f.last = f.clean
	f.word = tail(f.word+t, 64)
	f.remember(t)
	if len(f.line) < longBullet {
		f.line += t
	}
}

// settle decides on the white space that waits, now that it is known what follows: text, or the end. Then the waiting
// mark is certain too.
func (f *flow) settle(next string, end bool) {
	if f.lead == "" && !f.taken && !end {
		return
	}
	first, _ := utf8.DecodeRuneInString(next)
	if f.taken {
		switch {
		case f.fresh():
			f.trail = strings.TrimLeft(f.trail, blanks)
		case f.trail != "", end, isCloser(first), strings.ContainsRune(".,;:!?、。，；：！？", first):
			f.lead = ""
		}
	}
	white := f.lead + f.trail
	f.lead, f.trail, f.taken = "", "", false
	f.out.WriteString(white)
	f.clean += len(white)
	if end {
		f.leading = f.leading && f.wait.At.Empty()
	}
	f.place()
	switch {
	// A gap that is given out before anything follows it parts what stands before it from references behind it, as a line's end does.
	case strings.ContainsRune(white, '\n'), next == "" && endsSentence(f.word):
		f.startLine()
	case white != "" && endsSentence(f.word) && !unicode.IsLower(first):
		f.startSentence()
	}
	if white != "" {
		f.word = ""
		f.remember(white)
	}
	if f.line != "" && len(f.line) < longBullet {
		f.line += white
	}
}

func (f *flow) startLine() {
	f.startSentence()
	f.line, f.quote, f.curly, f.spoken = "", false, 0, nil
}

func (f *flow) startSentence() {
	f.recent = f.recent[:0]
	f.sentence, f.since, f.cited, f.cur = -1, -1, false, -1
}

// remember keeps the end of the text for references to look back at.
func (f *flow) remember(t string) {
	f.recent = append(f.recent, t...)
	if len(f.recent) > 16*lookback {
		f.recent = f.recent[:copy(f.recent, f.recent[len(f.recent)-lookback:])]
	}
}

// before is the end of the sentence so far.
func (f *flow) before() []byte { return f.recent[max(0, len(f.recent)-lookback):] }

// quotes follows quotation marks, which end with the line at the latest.
func (f *flow) quotes(r rune) {
	switch r {
	case '"':
		f.quote = !f.quote
	case '“', '«':
		f.curly++
	case '”', '»':
		f.curly = max(0, f.curly-1)
	}
}

func (f *flow) quoted() bool { return f.quote || f.curly > 0 }

// remove notes that a marker was taken out here. Of the white space between two of them nothing stays, or takes the place
// of the space that is missing before them.
func (f *flow) remove(c Cut) {
	f.cuts = append(f.cuts, c)
	if f.lead == "" && !f.fresh() {
		f.lead = f.trail
	}
	f.trail, f.taken = "", true
}

// place gives out the mark that waits. One that leads its line stands for the text that begins here.
func (f *flow) place() {
	if f.wait == nil {
		return
	}
	if f.leading {
		f.wait.At = ibid.Span{Start: f.clean, End: f.clean}
	}
	f.marks = append(f.marks, *f.wait)
	f.wait, f.leading = nil, false
}

// finish ends the text.
func (f *flow) finish() {
	f.settle("", true)
	f.unresolved()
}

// attached reports whether text stands directly before this place.
func (f *flow) attached() bool { return !f.taken && f.lead == "" && f.word != "" }

// leads reports whether nothing stands on the line before this place but the sign of a list item or a quotation.
func (f *flow) leads() bool {
	return strings.ContainsRune(f.lead, '\n') || strings.ContainsRune(f.trail, '\n') || isBullet(f.line)
}

func (f *flow) escaped() bool { return f.attached() && strings.HasSuffix(f.word, `\`) }

// cite attaches references to the text before them.
func (f *flow) cite(refs, dangling []int, c Cut, labels []string) {
	f.remove(c)
	for _, l := range labels {
		if at := f.run(); !at.Empty() && !f.leads() {
			f.uses[l] = append(f.uses[l], at)
		}
	}
	if len(refs)+len(dangling) == 0 {
		return
	}
	if len(f.open) > 0 {
		f.citeInside(refs, dangling)
		return
	}
	f.citeBefore(refs, dangling, c.At)
}

// citeBefore attaches references that stand outside of markers, or right behind one.
func (f *flow) citeBefore(refs, dangling []int, raw ibid.Span) {
	if f.wait == nil {
		f.leading = f.leads()
		f.wait = &Mark{At: f.run(), Raw: raw}
		f.since, f.cited = -1, true
	}
	f.wait.Refs = union(f.wait.Refs, refs)
	f.wait.Dangling = union(f.wait.Dangling, dangling)
	f.wait.Raw.End = max(f.wait.Raw.End, raw.End)
}

// run is the text that a reference at this place belongs to: what stands since the last one, else the sentence.
func (f *flow) run() ibid.Span {
	switch {
	case f.since >= 0 && f.cited:
		return ibid.Span{Start: f.since, End: f.last}
	case f.sentence >= 0:
		return ibid.Span{Start: f.sentence, End: f.last}
	}
	return ibid.Span{}
}

// tail keeps the last n bytes.
func tail(s string, n int) string { return s[max(0, len(s)-n):] }
