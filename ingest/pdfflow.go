package ingest

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// flow joins lines to paragraphs, over columns and pages.
type flow struct {
	d       *pdfText
	b       *builder
	leading float64 // usual distance of lines, in sizes
	words   map[string]bool
	levels  []float64 // sizes of headings, the largest first

	par  pdfParagraph
	next pdfLine // the line behind the paragraph that is written
}

// pdfParagraph is a paragraph being put together.
type pdfParagraph struct {
	text   []byte
	pages  []ibid.Mark // relative to text
	lines  int
	first  pdfLine
	last   pdfLine
	right  float64 // the farthest that a line of it reached
	page   int     // of its last line
	number int     // lines that are rows
	item   bool
	bold   bool
}

func (d *pdfText) write(b *builder) {
	f := flow{d: d, b: b, leading: d.usualLeading(), words: d.vocabulary(), levels: d.headingSizes()}
	for pi, p := range d.pages {
		for i := 0; i < len(p.lines); i++ {
			if n := f.notes(pi, i); n > 0 {
				f.aside(p, p.lines[i:i+n])
				i += n - 1
				continue
			}
			f.add(p, p.lines[i], i == 0)
		}
	}
	f.flush()
}

// notes is how many lines of footnotes stand here between two parts of one sentence, at the foot of a page or column.
func (f *flow) notes(page, at int) int {
	lines := f.d.pages[page].lines
	body := f.d.bodySize()
	small := func(l pdfLine) bool { return l.size < 0.92*body }
	if f.par.lines == 0 || at == 0 || !small(lines[at]) || small(lines[at-1]) || ended(lines[at-1].text) || !noteSign(lines[at].text) {
		return 0
	}
	// Behind a paragraph that runs over several pages it would stand on the wrong one.
	if n := len(f.par.pages); n > 1 || n == 1 && f.par.pages[0].At > 0 {
		return 0
	}
	end := at
	for end < len(lines) && small(lines[end]) && lines[end].y < lines[at-1].y {
		end++
	}
	next := pdfLine{}
	switch {
	case end < len(lines):
		next = lines[end]
	case page+1 < len(f.d.pages):
		if more := f.d.pages[page+1].lines; len(more) > 0 {
			next = more[0]
		}
	}
	if small(next) || !startsLower(next.text) {
		return 0
	}
	return end - at
}

// noteSign reports whether a line begins as a footnote does: with its number or sign.
func noteSign(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "[("))
	return unicode.IsDigit(r) || strings.ContainsRune("*†‡§¶", r)
}

// aside writes footnotes before the paragraph that goes on behind them, so that it is not parted.
func (f *flow) aside(p pdfPage, lines []pdfLine) {
	par := f.par
	f.par = pdfParagraph{page: par.page}
	if len(par.pages) > 0 { // the page begins with the paragraph, and now with them
		f.par.page = 0
		par.pages = nil
	}
	for _, l := range lines {
		f.add(p, l, false)
	}
	f.flush()
	f.par = par
}

// usualLeading is the median distance between a line that fills its column and the next, in sizes of the type. Behind a short one a
// paragraph may end: in a letter of short paragraphs the distance between those would be the usual one.
func (d *pdfText) usualLeading() float64 {
	var all []float64
	for _, p := range d.pages {
		right := 0.0
		for _, l := range p.lines {
			right = math.Max(right, l.x1)
		}
		for i := 1; i < len(p.lines) && len(all) < 20000; i++ {
			a, b := p.lines[i-1], p.lines[i]
			if dy := (a.y - b.y) / math.Max(b.size, 1); a.x1 > 0.9*right && !a.cells && !b.cells && dy > 0.5 && dy < 3 && math.Abs(a.size-b.size) < 0.1*b.size {
				all = append(all, dy)
			}
		}
	}
	if len(all) == 0 {
		return 1.2
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// vocabulary is the words of the document that stand whole within a line.
func (d *pdfText) vocabulary() map[string]bool {
	words := map[string]bool{}
	for _, p := range d.pages {
		for _, l := range p.lines {
			fields := strings.FieldsFunc(strings.ToLower(l.text), func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
			for i, w := range fields {
				if i < len(fields)-1 && len(words) < maxVocabulary {
					words[strings.Trim(w, "-")] = true
				}
			}
		}
	}
	return words
}

const maxVocabulary = 200000

// keepsHyphen decides whether a word that is parted at its hyphen is written with one. The document's own use decides;
// else two words of some length that both stand alone elsewhere are a compound, and so is what begins like one.
func (f *flow) keepsHyphen(left, right string) bool {
	left, right = strings.ToLower(strings.TrimRight(left, "-\u2010")), strings.ToLower(right)
	switch {
	case f.words[left+"-"+right]:
		return true
	case f.words[left+right]:
		return false
	case strings.Contains(left, "-"), compoundFirst[left]:
		return true
	}
	return len(left) > 3 && len(right) > 3 && f.words[left] && f.words[right]
}

// compoundFirst are words that other words are hung on with a hyphen more often than they are cut off from them.
var compoundFirst = map[string]bool{
	"self": true, "well": true, "high": true, "low": true, "long": true, "short": true, "half": true, "cross": true, "large": true, "small": true,
	"full": true, "first": true, "second": true, "third": true, "two": true, "three": true, "four": true, "five": true, "six": true, "seven": true,
	"eight": true, "nine": true, "ten": true, "twelve": true, "fifteen": true, "sixteen": true, "seventeen": true, "eighteen": true, "nineteen": true,
	"twenty": true, "thirty": true, "forty": true, "fifty": true, "sixty": true, "seventy": true, "eighty": true, "ninety": true, "one": true,
	"state": true, "real": true, "open": true, "so": true, "multi": true, "semi": true,
}

// headingSizes are the sizes clearly above that of the body. More than six are no levels but an accident.
func (d *pdfText) headingSizes() []float64 {
	body := d.bodySize()
	seen := map[float64]bool{}
	var out []float64
	for _, p := range d.pages {
		for _, l := range p.lines {
			if s := math.Round(l.size); s > body*1.12 && !seen[s] && len(out) < 50 {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

func (f *flow) add(p pdfPage, l pdfLine, firstOfPage bool) {
	par := &f.par
	if par.lines > 0 && !f.continues(l, firstOfPage, p.number) {
		f.next = l
		f.flush()
	}
	if par.lines == 0 {
		*par = pdfParagraph{first: l, page: par.page, item: marker(l.text) > 0, bold: l.bold}
	}
	joint := f.joint(l.text)
	if joint == "-" {
		par.text = par.text[:len(par.text)-hyphenLen(par.text)]
	} else {
		par.text = append(par.text, joint...)
	}
	if p.number != par.page {
		par.pages = append(par.pages, ibid.Mark{At: len(par.text), Page: p.number})
		par.page = p.number
	}
	par.text = append(par.text, l.text...)
	par.lines++
	par.last = l
	par.right = math.Max(par.right, l.x1)
	par.bold = par.bold && l.bold
	if l.cells {
		par.number++
	}
}

// continues decides whether a line belongs to the paragraph so far.
func (f *flow) continues(l pdfLine, firstOfPage bool, page int) bool {
	par := &f.par
	prev := par.last
	size := math.Max(prev.size, 1)
	switch {
	case l.cells && prev.cells: // the head of a table is often bold
		return !firstOfPage && l.y < prev.y && prev.y-prev.tail-l.y-l.head < 2.5*f.leading*size && math.Abs(l.size-prev.size) < 0.2*size
	case math.Abs(l.size-prev.size) > 0.08*size, l.bold != prev.bold && (l.bold || par.bold) && !f.midSentence(l):
		return false
	case l.cells || prev.cells:
		return false
	case marker(l.text) > 0 && (ended(prev.text) || par.item || math.Abs(l.x0-prev.x0) > 0.5*size):
		return false
	}
	if firstOfPage && page != par.page || l.y > prev.y+0.5*size {
		return f.midSentence(l) // the next column or page
	}
	dy := (prev.y - l.y) / size
	if dy > f.leading*1.35+0.05 {
		// Larger than between lines; but a formula or a picture may stand within a sentence.
		return dy < f.leading*2.2 && f.midSentence(l) && startsLower(l.text)
	}
	if indent := l.x0 - prev.x0; indent > 0.8*size && indent < 6*size && !(par.item && par.lines == 1) {
		return !ended(prev.text) && par.lines > 1 || startsLower(l.text)
	}
	width := par.right - par.first.x0
	short := prev.x1 < par.right-0.2*width
	return !(short && ended(prev.text) && par.lines > 1)
}

// midSentence reports whether the paragraph stops within a sentence that the line may carry on.
func (f *flow) midSentence(l pdfLine) bool {
	prev := f.par.last.text
	if ended(prev) {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(prev)
	if r == '-' || r == ',' || r == '\u00ad' {
		return true
	}
	// A heading has no stop at its end either: only a paragraph of some length runs on.
	return startsLower(l.text) || f.par.lines > 1 && f.par.last.x1 > f.par.right-0.15*(f.par.right-f.par.first.x0)
}

// ended reports whether a line ends as sentences do.
func ended(s string) bool {
	s = strings.TrimRight(s, " \"”’')]»")
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?:;。！？", r)
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "(\"“‘'[ "))
	return unicode.IsLower(r)
}

// joint is what stands between the paragraph so far and a line: a space, nothing where the script has no spaces, or "-"
// where a hyphen at the end is to be taken off.
func (f *flow) joint(next string) string {
	par := &f.par
	if len(par.text) == 0 {
		return ""
	}
	if par.last.cells {
		return "\n"
	}
	prev, size := utf8.DecodeLastRune(par.text)
	first, _ := utf8.DecodeRuneInString(next)
	switch prev {
	case '\u00ad':
		return "-"
	case '-', '\u2010':
		before, _ := utf8.DecodeLastRune(par.text[:len(par.text)-size])
		switch {
		case !unicode.IsLetter(before):
			if unicode.IsDigit(before) && unicode.IsDigit(first) {
				return "" // a range of numbers
			}
			return " "
		case unicode.IsLower(first) && !f.keepsHyphen(lastWord(par.text), firstWord(next)):
			return "-"
		}
		return ""
	}
	if isWide(prev) && isWide(first) {
		return ""
	}
	return " "
}

func hyphenLen(text []byte) int {
	_, size := utf8.DecodeLastRune(text)
	return size
}

func isWide(r rune) bool {
	return r >= 0x2e80 && r < 0xa4d0 || r >= 0xf900 && r < 0xfb00 || r >= 0xff00 && r < 0xff61
}

func lastWord(text []byte) string {
	s := text[max(0, len(text)-100):]
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == ' ' || s[i] == '\n' {
			return strings.TrimLeft(string(s[i+1:]), "(\"'[")
		}
	}
	return string(s)
}

func firstWord(s string) string {
	s = s[:min(len(s), 100)]
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }); i >= 0 {
		s = s[:i]
	}
	return s
}

// marker gives the length of a list item's sign at the beginning of a line, 0 where there is none.
func marker(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	rest := s[size:]
	if strings.ContainsRune("•◦▪■●○‣⁃∙·–*", r) && strings.HasPrefix(rest, " ") {
		return size + 1
	}
	i := 0
	for i < len(s) && i < 3 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i > 0 && i+1 < len(s) && (s[i] == '.' || s[i] == ')') && s[i+1] == ' ' {
		return i + 2
	}
	if s[0] == '[' || s[0] == '(' {
		if j := strings.IndexAny(s, "])"); j > 1 && j < 5 && strings.HasPrefix(s[j+1:], " ") && strings.Trim(s[1:j], "0123456789abcdefivx") == "" {
			return j + 2
		}
	}
	return 0
}

// flush writes the paragraph.
func (f *flow) flush() {
	par := f.par
	f.par = pdfParagraph{page: par.page}
	if par.lines == 0 {
		return
	}
	text, marks := cleanParagraph(par)
	if text == "" {
		// Its page still begins with what comes next.
		f.par.page = 0
		return
	}
	n := len(f.b.outline)
	switch level := f.level(par, text); {
	case level > 0:
		f.b.heading(text, level)
	case par.number > 0 || par.item:
		if !f.b.tight || par.number > 0 {
			f.b.loose()
		}
		f.b.line(text)
	default:
		f.b.block(text)
	}
	if f.b.full {
		return
	}
	base := len(f.b.text) - len(text)
	heads := slices.Clone(f.b.outline[n:])
	f.b.outline = f.b.outline[:n]
	for _, m := range marks {
		if m.At > 0 {
			f.b.outline = append(f.b.outline, heads...)
			heads = nil
		}
		m.At += base
		f.b.outline = append(f.b.outline, m)
	}
	f.b.outline = append(f.b.outline, heads...)
}

// cleanParagraph makes single spaces and rows of cells, and moves the marks along.
func cleanParagraph(par pdfParagraph) (string, []ibid.Mark) {
	var out []byte
	marks := slices.Clone(par.pages)
	k, space := 0, false
	for i := 0; i < len(par.text); {
		for k < len(marks) && marks[k].At <= i {
			// A page begins with its first ink.
			at := len(out)
			if space && at > 0 {
				at++
			}
			marks[k].At = at
			k++
		}
		r, size := utf8.DecodeRune(par.text[i:])
		switch {
		case r == '\x1f':
			if n := len(out); n > 0 && out[n-1] != '\n' {
				out = append(out, ' ')
			}
			out = append(out, "| "...)
			space = false
		case r == '\n':
			out = append(out, '\n')
			space = false
		case r == '\u00ad':
		case unicode.IsSpace(r):
			space = true
		default:
			if space && len(out) > 0 && out[len(out)-1] != '\n' && out[len(out)-1] != ' ' {
				out = append(out, ' ')
			}
			space = false
			out = utf8.AppendRune(out, r)
		}
		i += size
	}
	for ; k < len(marks); k++ {
		marks[k].At = len(out)
	}
	text := strings.TrimRight(string(out), " \n")
	for i := range marks {
		marks[i].At = min(marks[i].At, len(text))
	}
	return text, marks
}

// level is the level of a heading, 0 for text: short, and larger than the body, or bold on a line of its own.
func (f *flow) level(par pdfParagraph, text string) int {
	n := utf8.RuneCountInString(text)
	if n > 160 || n < 2 || par.lines > 3 || par.number > 0 || !strings.ContainsFunc(text, unicode.IsLetter) || !parseDate(text).IsZero() {
		return 0
	}
	for i, s := range f.levels {
		if math.Round(par.first.size) == s {
			return min(i+1, 6)
		}
	}
	// A bold line with something short under it is the head of a table, or a label.
	if par.bold && par.lines == 1 && n < 100 && !ended(text) && par.first.size >= f.d.bodySize()*0.98 && (len(f.next.text) > 2*n || f.next.bold) {
		return min(len(f.levels)+1, 6)
	}
	return 0
}
