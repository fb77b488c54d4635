package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// Limits on what is looked at around a mark that may end a sentence.
const (
	maxMarks = 128  // a run of marks: ?!!!
	maxAhead = 2048 // the marks and what follows them
	maxLinks = 900  // a bracket of links
	maxWord  = 40   // a word before or behind the mark
)

// marks is a run of marks that may end a sentence, with the quotes and brackets that close behind them.
type marks struct {
	end     int  // its length
	dots    int  // full stops; an ellipsis counts three
	strong  bool // ! or ?
	wide    bool // marks that need no space behind them: 。 ।
	quote   bool // closes a quote
	bracket bool // closes a bracket
}

// sentenceEnds decides about the mark at i. It gives the length of the marks, which are read in any case, and whether the
// sentence ends behind them. It is not ok where the text at hand ends too early to tell.
//
// The rules are those of UAX #29 (SB6 to SB11), but that a line's end is a space, and that what stands before a full
// stop, and the first words behind it, are looked at.
func (m *machine) sentenceEnds(i int) (n int, ends, ok bool) {
	v := viewOf(m.s, i, maxAhead, m.final)
	t := v.marks()
	if v.starved {
		return 0, false, false
	}
	if !t.wide && !v.blankAt(t.end) && !m.joinsIdeographs(&v, i, t) {
		return t.end, false, !v.starved
	}
	if !t.wide || v.blankAt(t.end) {
		t.end = v.trailers(t.end)
	}
	next, over, ok := m.skipSpace(&v, i, t.end)
	if !ok {
		return 0, false, false
	}
	if over { // the block ends here, and the sentence with it
		return t.end, false, !v.starved
	}
	ends = m.breaks(&v, i, t, next)
	return t.end, ends, !v.starved
}

// terminal reports whether a character beyond ASCII ends sentences.
func terminal(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r == '.' || r == '!' || r == '?'
	case r < 0x589, 0x3040 <= r && r < 0xa000, 0xac00 <= r && r < 0xd7a4:
		return false // Latin, Greek, Cyrillic; kana, ideographs, Hangul
	case r == '…' || r == '‥':
		return true
	}
	return unicode.Is(unicode.STerm, r)
}

// marks reads the run of marks at the start of the view, with what closes and the numbers of notes behind them.
func (v *view) marks() marks {
	var t marks
	for t.end < maxMarks {
		r, n := v.rune(t.end)
		switch {
		case r == '.':
			t.dots++
		case r == '…' || r == '‥':
			t.dots += 3
		case r == '!' || r == '?' || r == '‼' || '⁇' <= r && r <= '⁉':
			t.strong = true
		case terminal(r):
			t.wide = true
		case t.closes(r):
		default:
			if n = v.reference(t.end); n == 0 {
				return t
			}
		}
		t.end += n
	}
	return t
}

// closes takes note of a character that closes what was opened before the mark.
func (t *marks) closes(r rune) bool {
	switch r {
	case '"', '\'', '”', '’', '»', '›', '」', '』', '〞':
		t.quote = true
	case '“', '«', '‹': // close in German, but open in Chinese
		if t.wide {
			return false
		}
		t.quote = true
	case ')', ']', '}', '）', '】', '》', '〉', '］':
		t.bracket = true
	case '*', '_', '~':
	default:
		return false
	}
	return true
}

// reference gives the length of the number of a note at p, [1], [CTX 2], ³, or of links in brackets; 0 where there is none.
func (v *view) reference(p int) int {
	r, n := v.rune(p)
	switch {
	case r == '[':
	case r == '(':
		return v.links(p)
	case r >= utf8.RuneSelf && strings.ContainsRune("¹²³⁰⁴⁵⁶⁷⁸⁹", r):
		return n
	default:
		return 0
	}
	digits := false
	for n < 32 {
		c := v.at(p + n)
		n++
		switch {
		case c == ']':
			if digits {
				return n
			}
			return 0
		case '0' <= c && c <= '9':
			digits = true
		case c == '^' && n == 2:
			digits = true
		case digits && (c == ',' || c == ' ' || c == '-' || isAlnum(c)):
		case c == ' ' || 'A' <= c && c <= 'Z':
		default:
			return 0
		}
	}
	return 0
}

// links gives the length of a bracket at p that holds links of Markdown and nothing else, as models put them behind a sentence:
// ([example.org](https://example.org)); 0 where there is none.
func (v *view) links(p int) int {
	for n := 1; n < maxLinks; {
		n += v.run(p+n, ' ')
		one := v.linked(p + n)
		if one == 0 {
			return 0
		}
		n += one
		n += v.run(p+n, ' ')
		switch v.at(p + n) {
		case ')':
			return n + 1
		case ',', ';':
			n++
		default:
			return 0
		}
	}
	return 0
}

// linked gives the length of the link [words](address) at p; 0 where there is none. Addresses may hold pairs of brackets.
func (v *view) linked(p int) int {
	if v.at(p) != '[' {
		return 0
	}
	words, depth := true, 0
	for n := 1; n < maxLinks; n++ {
		c := v.at(p + n)
		switch {
		case c == 0 || c == '\n' || words && c == '[' || !words && c == ' ':
			return 0
		case words && c == ']':
			if n++; n == 2 || v.at(p+n) != '(' {
				return 0
			}
			words = false
		case words:
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ')':
			return n + 1
		}
	}
	return 0
}

// blankAt reports white space or the end.
func (v *view) blankAt(p int) bool {
	r, n := v.rune(p)
	return n == 0 || unicode.IsSpace(r)
}

// trailers goes on over what a space divides from the mark though it belongs to the sentence: » in French, and [1]. It leaves
// enough of the view to see what follows.
func (v *view) trailers(p int) int {
	for p < maxAhead/2 {
		r, n := v.rune(p)
		if n == 0 || r == '\n' || !unicode.IsSpace(r) {
			return p
		}
		r, size := v.rune(p + n)
		if r != '»' && r != '›' {
			size = v.reference(p + n)
		}
		if size == 0 || !v.blankAt(p+n+size) {
			return p
		}
		p += n + size
	}
	return p
}

// joinsIdeographs reports whether a Latin mark stands between two ideographs, where no space is due.
func (m *machine) joinsIdeographs(v *view, i int, t marks) bool {
	if t.dots > 2 {
		return false
	}
	next, _ := v.rune(t.end)
	before, _ := utf8.DecodeLastRuneInString(m.s[m.start:i])
	return ideograph(next) && ideograph(before)
}

func ideograph(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// skipSpace gives where the next character of the block stands, and whether the block is over before it.
func (m *machine) skipSpace(v *view, i, p int) (next int, over, ok bool) {
	for {
		r, n := v.rune(p)
		switch {
		case v.starved:
			return 0, false, false
		case r == '\u2029' || n == 0 && m.final && i+p >= len(m.s):
			return 0, true, true
		case n == 0 || !unicode.IsSpace(r):
			return p, false, true
		case r == '\n':
			l, ok := headOf(m.s, i+p+1, m.final)
			if !ok {
				return 0, false, false
			}
			if !m.continues(l) {
				return 0, true, true
			}
			n += l.body
		}
		p += n
	}
}

// breaks decides between the mark at i and the next character, which stands at p of the view.
func (m *machine) breaks(v *view, i int, t marks, p int) bool {
	r, n := v.rune(p)
	if r == '-' && v.at(p+1) == ' ' && !t.quote && !m.span(v, i, p+2) {
		p += 2 // a list that lost its lines: Cut it. - Seal it.
	} else if n > 0 && (strings.ContainsRune(",;:-–—)]}&/=+%", r) || terminal(r)) {
		return false // SB8a
	}
	p = v.openers(p)
	r, n = v.rune(p)
	switch {
	case n == 0:
		return true
	case t.wide:
		return !m.tellsSpeech(v, t, p)
	case unicode.IsLower(r):
		if t.strong && !t.quote && !t.bracket && m.beginsSmall() {
			return true // where sentences begin small, a small letter says nothing
		}
		return (v.camel(p) || v.link(p)) && m.abbreviation(i) == plain
	case t.strong:
		return m.breaksStrong(v, i, t, p)
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return m.breaksCapital(v, i, t, p)
	case t.dots > 1:
		return true
	case unicode.IsDigit(r) || unicode.Is(unicode.Sc, r):
		return m.breaksNumber(v, i, p)
	case unicode.IsLetter(r):
		return m.breaksCaseless(i)
	}
	return m.abbreviation(i) == plain && !m.enumerates(i)
}

// span reports whether the mark at i is that of a time of the day that goes up to another one: 9 a.m. - 5 p.m.
func (m *machine) span(v *view, i, p int) bool {
	word, _ := m.wordBefore(i)
	r, _ := v.rune(p)
	return unicode.IsDigit(r) && strings.HasSuffix(word, "m") && m.abbreviation(i) == ends
}

// camel reports whether the word at p is a name though it begins with a small letter: iPhone, macOS, v2.
func (v *view) camel(p int) bool {
	for k := 0; k < maxWord; {
		r, n := v.rune(p + k)
		if unicode.IsUpper(r) || k == 1 && unicode.IsDigit(r) && v.at(p) == 'v' {
			return k > 0
		}
		if !unicode.IsLower(r) {
			break
		}
		k += n
	}
	return false
}

// beginsSmall reports whether the sentence begins with a small letter.
func (m *machine) beginsSmall() bool {
	at := Trim(m.s, ibid.Span{Start: m.start, End: min(m.start+16, len(m.s))})
	return lowerAt(m.s[:at.End], at.Start)
}

// link reports whether an address of the web stands at p.
func (v *view) link(p int) bool {
	for _, scheme := range []string{"http://", "https://", "www."} {
		n := 0
		for n < len(scheme) && v.at(p+n) == scheme[n] {
			n++
		}
		if n == len(scheme) {
			return true
		}
	}
	return false
}

// openers goes on over what may open before the first word of a sentence.
func (v *view) openers(p int) int {
	for range 8 {
		r, n := v.rune(p)
		if n == 0 || !opens(r) {
			break
		}
		p += n
	}
	return p
}

func opens(r rune) bool {
	return strings.ContainsRune("\"'“‘«‹»„‚([{¿¡*_「『（【《#@", r)
}

// breaksStrong decides about ! and ? before anything but a small letter.
func (m *machine) breaksStrong(v *view, i int, t marks, p int) bool {
	if t.quote || t.bracket {
		w, after := v.word(p)
		if starters[w] {
			return true
		}
		if t.bracket && !t.quote && !m.beginsWithBracket() {
			return false // Field (who else?) Cyrus
		}
		if said, _ := v.word(after); t.quote && saying[said] {
			return false // "Why?" Field asked
		}
	}
	if w, _ := m.wordBefore(i); strings.EqualFold(w, "yahoo") {
		next, _ := v.word(p)
		return starters[next]
	}
	return true
}

// breaksCapital decides about full stops before a capital.
func (m *machine) breaksCapital(v *view, i int, t marks, p int) bool {
	if t.dots > 1 {
		return true
	}
	if t.bracket && !t.quote && !m.beginsWithBracket() {
		return v.starts(p) // Field (ed.) Letters
	}
	if m.enumerates(i) || m.boldLabel(i) {
		return false
	}
	word, start := m.wordBefore(i)
	switch m.abbreviation(i) {
	case never:
		return false
	case number:
		return !v.roman(p, word)
	case either:
		return v.starts(p)
	case ends:
		w, _ := v.word(p)
		return !strings.HasSuffix(word, "m") || !afterTime[w]
	}
	switch {
	case digits(word):
		return !m.ordinal(v, word, start, p)
	case oneLetter(word):
		return m.breaksInitial(v, word, start, p)
	}
	return true
}

// breaksNumber decides about a full stop before a number.
func (m *machine) breaksNumber(v *view, i, p int) bool {
	if m.enumerates(i) {
		return false
	}
	word, start := m.wordBefore(i)
	switch kind := m.abbreviation(i); {
	case kind == ends:
		return true
	case kind != plain || oneLetter(word) || m.inBracket(i):
		return false
	}
	if !digits(word) || len(word) > 2 {
		return true
	}
	// 5. 8. 1858
	w, after := v.word(p)
	if len(w) <= 2 && after > 0 && v.s[after-1] == '.' {
		return false
	}
	before, _ := m.wordBefore(m.backOverStop(start))
	return !digits(before) || len(before) > 2
}

// breaksCaseless decides about a full stop before a script without capitals.
func (m *machine) breaksCaseless(i int) bool {
	word, _ := m.wordBefore(i)
	switch word {
	case "डॉ", "श्री", "श्रीमती", "प्रो", "नं", "पं", "кв":
		return false
	}
	if m.enumerates(i) || utf8.RuneCountInString(word) == 1 && !digits(word) {
		return false
	}
	kind := m.abbreviation(i)
	return kind != never && kind != number
}

// breaksInitial decides about J. before a capital: part of a name, or the end of "plan B".
func (m *machine) breaksInitial(v *view, word string, start, p int) bool {
	before, _ := m.wordBefore(m.backOverStop(start))
	w, after := v.word(p)
	if lower, _ := utf8.DecodeRuneInString(word); unicode.IsLower(lower) {
		single := oneLetter(w) && after > 0 && v.s[after-1] == '.'
		behind := oneLetter(before) && m.backOverStop(start) < start-1 && word != "m"
		return !single && !behind // z. B., d. i.; but 5 p. m.
	}
	if oneLetter(before) && before != "a" && before != "I" && m.backOverStop(start) < start-1 {
		return starters[w] && !oneLetter(w) && before == strings.ToUpper(before) // J. R. R.; but z. B. Die
	}
	if v.starts(p) {
		return true
	}
	if r, _ := utf8.DecodeLastRuneInString(m.s[m.start:start]); start > m.start && !unicode.IsSpace(r) && !opens(r) {
		return true // 5 °C.
	}
	before = strings.ToLower(before)
	return lettered[before] || sorted[before] && strings.Contains("ABCDXYZ", word) && !oneLetter(w) // by the firm A. T. Orme
}

// ordinal reports whether a number with a stop counts what follows it: 5. August, im 19. Jahrhundert.
func (m *machine) ordinal(v *view, word string, start, p int) bool {
	if len(word) > 2 {
		return false
	}
	w, _ := v.word(p)
	led := strings.TrimRight(m.s[m.start:start], " \n")
	if months[w] || strings.HasSuffix(led, ":") && m.start+len(led) < start {
		return true // 5. August; in three steps: 1. Cut it; but at 9:30. Then
	}
	before, _ := m.wordBefore(m.backOverStop(start))
	return ordinalBefore[strings.ToLower(before)] && !starters[w]
}

// starts reports whether a sentence begins at p, by its first word. A letter with a stop is an initial.
func (v *view) starts(p int) bool {
	w, after := v.word(p)
	return starters[w] && !(oneLetter(w) && after > 0 && v.s[after-1] == '.')
}

// roman reports whether a number in letters stands at p: vol. II, Fig. A.
func (v *view) roman(p int, word string) bool {
	if strings.EqualFold(word, "no") || len(word) > 4 && !strings.EqualFold(word, "figs") {
		return false
	}
	w, after := v.word(p)
	if w == "i" || w == "a" { // a pronoun or an article, unless the sentence goes on behind it
		return after > 0 && after <= len(v.s) && strings.IndexByte(".,;)", v.s[after-1]) >= 0
	}
	return w != "" && (len(w) == 1 || strings.Trim(w, "ivxlc") == "")
}

// word reads the word at p, in lower case, and gives where the next one may begin: behind one character that divides.
func (v *view) word(p int) (w string, after int) {
	start := p
	for p-start < maxWord {
		r, n := v.rune(p)
		if n == 0 || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		p += n
	}
	w = strings.ToLower(v.s[min(start, len(v.s)):min(p, len(v.s))])
	return w, min(p+1, len(v.s))
}

// wordBefore gives the word that ends at i, with the stops and hyphens within it, and where it begins.
func (m *machine) wordBefore(i int) (word string, start int) {
	start = i
	for start > m.start && i-start < maxWord {
		if c := m.s[start-1]; isAlnum(c) {
			start--
			continue
		}
		r, n := utf8.DecodeLastRuneInString(m.s[m.start:start])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '.' && r != '-' {
			break
		}
		start -= n
	}
	word = strings.TrimLeft(m.s[start:i], ".-")
	return word, i - len(word)
}

// backOverStop gives the end of the word before the one that starts at i, without its stop: 3 for "z. B" and i=3.
func (m *machine) backOverStop(i int) int {
	for i > m.start && (m.s[i-1] == ' ' || m.s[i-1] == '\n') {
		i--
	}
	if i > m.start && m.s[i-1] == '.' {
		i--
	}
	return i
}

// abbreviation says what a full stop at i means for the word before it.
func (m *machine) abbreviation(i int) stop {
	word, start := m.wordBefore(i)
	if word == "" {
		return plain
	}
	lower := strings.ToLower(word)
	if oneLetter(word) && word != lower {
		return plain // an initial, not p. or v.
	}
	if word[0] != lower[0] {
		if kind := capitals[lower]; kind != plain && (kind != never || word != strings.ToUpper(word)) { // HR is no Herr
			return kind
		}
	}
	if kind := abbreviations[lower]; kind != plain && (lower != "ms" || word == "Ms" && !m.behindNumber(start)) { // 30 ms are no lady
		return kind
	}
	if strings.HasSuffix(lower, "str") && len(lower) > 5 {
		return either // Goethestr. 5
	}
	if lower == "al" {
		if before, _ := m.wordBefore(m.backOverStop(start)); before == "et" {
			return either
		}
	}
	return dotted(word)
}

// behindNumber reports whether a number stands before the word at i.
func (m *machine) behindNumber(i int) bool {
	before, _ := m.wordBefore(m.backOverStop(i))
	return before != "" && isDigit(before[len(before)-1])
}

// dotted reads single letters with stops between them: U.S, J.R.R, z.B.
func dotted(word string) stop {
	if !strings.Contains(word, ".") {
		return plain
	}
	upper := true
	for _, letter := range strings.Split(word, ".") {
		letter = strings.TrimPrefix(letter, "-") // J.-B.
		if !oneLetter(letter) {
			return plain
		}
		r, _ := utf8.DecodeRuneInString(letter)
		upper = upper && unicode.IsUpper(r)
	}
	if upper {
		return either
	}
	return never
}

// enumerates reports whether all of the sentence so far is the number of an item or a heading, which is no sentence.
func (m *machine) enumerates(i int) bool {
	if i-m.start > maxWord {
		return false
	}
	start := m.start
	for start < i && strings.IndexByte(">-*+#( \t\r\n", m.s[start]) >= 0 {
		start++
	}
	head := m.s[start:i]
	if head == "" {
		return true
	}
	if last := head[len(head)-1]; len(head) > 4 && !isDigit(last) && strings.IndexByte("ivxIVX", last) < 0 {
		return false // most sentences: be quick
	}
	if label, rest, ok := strings.Cut(head, " "); ok && labels[strings.ToLower(label)] {
		head = rest
	}
	switch {
	case digits(head):
		return len(head) <= 4 // 2. Seal it; 1858. The cable is landed.
	case digits(strings.ReplaceAll(head, ".", "")):
		return true // 2.1.
	case strings.Trim(head, "ivxIVX") == "" && head != "I":
		return len(head) <= 4
	}
	return oneLetter(head) && head != "I" && m.opens
}

// boldLabel reports whether all of the block so far is a few words in bold, which name what follows: **Design.** The core.
func (m *machine) boldLabel(i int) bool {
	if !m.opens || i-m.start > 2*maxWord || !strings.HasPrefix(m.s[i+1:], "**") {
		return false
	}
	_, label, ok := strings.Cut(m.s[m.start:i], "**")
	first, _, _ := strings.Cut(strings.TrimLeft(label, "*_"), " ")
	mark := strings.Trim(m.s[m.start:i-len(label)], " \t\n>-*+.)0123456789")
	return ok && mark == "" && strings.Count(label, " ") < 4 && !starters[strings.ToLower(first)]
}

// inBracket reports whether a bracket was opened shortly before i and is still open: (9th Cir. 1999).
func (m *machine) inBracket(i int) bool {
	near := m.s[max(m.start, i-maxWord):i]
	open := strings.LastIndexByte(near, '(')
	return open > 0 && strings.IndexByte(near[open:], ')') < 0
}

func (m *machine) beginsWithBracket() bool {
	at := Trim(m.s, ibid.Span{Start: m.start, End: min(m.start+16, len(m.s))})
	return strings.HasPrefix(at.In(m.s), "(") || strings.HasPrefix(at.In(m.s), "[") || strings.HasPrefix(at.In(m.s), "（")
}

// tellsSpeech reports whether what follows a quote says who said it: 「…！」と言った, “…！”他喊道.
func (m *machine) tellsSpeech(v *view, t marks, p int) bool {
	if p != t.end || !t.quote && !t.bracket {
		return false
	}
	r, _ := v.rune(p)
	if unicode.Is(unicode.Hiragana, r) {
		return true
	}
	if t.bracket && !t.quote {
		return ideograph(r) && !m.beginsWithBracket()
	}
	for range 8 {
		r, n := v.rune(p)
		if !unicode.Is(unicode.Han, r) {
			return false
		}
		if strings.ContainsRune("说說道问問喊叫答曰", r) {
			return true
		}
		p += n
	}
	return false
}

func digits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

func oneLetter(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n > 0 && n == len(s) && unicode.IsLetter(r)
}
