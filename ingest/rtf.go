package ingest

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// readRTF reads rich text. What it does not know it passes over: a control word says by \* that it may be, and of the others
// most say how the text looks.
func readRTF(in input) (Result, error) {
	r := rtfReader{
		in: in, src: in.bytes, b: newBuilder(in.limits, len(in.bytes)/2),
		page: charmap.Windows1252, fonts: map[int]rtfFont{}, styles: map[int]*rtfStyle{},
	}
	if err := r.read(); err != nil {
		return Result{}, err
	}
	res, err := r.b.result()
	if err != nil {
		return Result{}, err
	}
	res.Reference = r.info.reference()
	for _, t := range []string{r.title, firstTitle(res.Outline)} {
		if res.Reference.Title() == "" {
			res.Reference.Set("title", t)
		}
	}
	return res, nil
}

// isRTF looks for the header that every such file begins with.
func isRTF(b []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(b[:min(len(b), 100)], []byte("\ufeff")), " \t\r\n"), []byte(`{\rtf`))
}

// rtfReader reads groups within groups. Each knows where its text goes, and how its bytes are read.
type rtfReader struct {
	in   input
	src  []byte
	at   int
	b    *builder
	page encoding.Encoding // where no font says otherwise

	group  rtfGroup
	groups []rtfGroup // those around it
	beyond int        // groups open below maxOpen

	fonts       map[int]rtfFont
	defaultFont int
	styles      map[int]*rtfStyle

	body, noteText, box []byte
	label               []byte // of the list item
	entry               []byte // of the font, the style or the field of metadata that is described
	pending             []byte // of one encoding, to be decoded
	half                bool   // they end within a character of two bytes
	high                rune   // first half of a character beyond 16 bits
	skip                int    // of what stands for a character where that is not known

	para  rtfParagraph
	cells []string
	rows  bool     // what was written last is a row
	boxes []string // texts of frames, behind the paragraph they are fixed to
	notes []string
	info  coreProperties
	title string
	steps int
}

// rtfGroup is what a { keeps and a } gives back.
type rtfGroup struct {
	to      rtfTarget
	font    int
	unicode int // how many characters stand for one of \u
	hidden  bool
	deleted bool
	raised  bool
	number  int    // of the font or style that is described
	field   string // of the metadata
	ignore  bool   // \* was read
}

// rtfTarget is where the text of a group goes.
type rtfTarget int8

const (
	toBody  rtfTarget = iota
	toNone            // nowhere: pictures, colours, headers
	toFonts           // the table of fonts
	toStyle           // the table of styles
	toInfo            // metadata
	toLabel           // the sign of a list item
	toNote
	toBox // a frame
)

type rtfFont struct {
	page   encoding.Encoding
	symbol bool // its characters are signs
	greek  bool // and these are Symbol's
}

type rtfStyle struct {
	name  string
	level int
	based int
}

// rtfParagraph is what \pard takes back.
type rtfParagraph struct {
	style, level int
	table        bool
}

func (r *rtfReader) read() error {
	r.group = rtfGroup{unicode: 1}
	if i := bytes.IndexByte(r.src, '{'); i >= 0 {
		r.at = i
	}
	for r.at < len(r.src) {
		if r.steps++; r.steps%4096 == 0 && r.in.ctx.Err() != nil {
			return r.in.ctx.Err()
		}
		c := r.src[r.at]
		r.at++
		switch c {
		case '{':
			r.flush()
			r.open()
		case '}':
			r.flush()
			if r.close(); len(r.groups) == 0 {
				r.paragraph(false)
				r.appendNotes()
				return nil
			}
		case '\\':
			r.control()
		case '\r', '\n', 0:
		default:
			r.byte(c)
		}
		if r.b.full || len(r.body)+len(r.noteText)+len(r.box) > r.in.limits.text() {
			r.b.full = true
			return nil
		}
	}
	return refuse(ErrTruncated, "the rich text (RTF) ends within its text; fetch the file again")
}

func (r *rtfReader) open() {
	if len(r.groups) >= maxOpen {
		r.beyond++
		return
	}
	r.groups = append(r.groups, r.group)
	r.group.ignore = false
	r.skip = 0
}

func (r *rtfReader) close() {
	if r.beyond > 0 {
		r.beyond--
		return
	}
	if len(r.groups) == 0 {
		return
	}
	was := r.group
	r.group = r.groups[len(r.groups)-1]
	r.groups = r.groups[:len(r.groups)-1]
	r.skip = 0
	switch {
	case was.to == toFonts, was.to == toStyle:
		r.describe(was)
	case was.field != r.group.field:
		r.setInfo(was.field)
	case was.to == r.group.to:
	case was.to == toNote:
		r.notes = append(r.notes, collapse(bracketWithin(string(r.noteText))))
		r.noteText = r.noteText[:0]
	case was.to == toBox:
		if text := lines(bracketNotes(string(r.box))); text != "" {
			r.boxes = append(r.boxes, text)
		}
		r.box = r.box[:0]
	}
}

// to sends the text of the group elsewhere.
func (r *rtfReader) to(t rtfTarget) {
	if r.group.to != toNone && r.beyond == 0 {
		r.group.to = t
	}
}

// out is where text goes.
func (r *rtfReader) out() *[]byte {
	switch r.group.to {
	case toBody:
		return &r.body
	case toNote:
		return &r.noteText
	case toBox:
		return &r.box
	case toLabel:
		return &r.label
	}
	return &r.entry
}

// byte takes a character of the text, in the encoding of its font.
func (r *rtfReader) byte(c byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	if r.silent() {
		return
	}
	if c < 0x80 && !r.half && !r.font().symbol {
		r.flush()
		if out := r.out(); r.group.to == toBody || len(*out) < maxMetaValue || r.group.to == toNote || r.group.to == toBox {
			if c != raisedFrom[0] && c != raisedTo[0] {
				*out = append(*out, r.lifted(string(rune(c)))...)
			}
		}
		return
	}
	r.wait(c)
}

// wait keeps a byte until those of its encoding are together.
func (r *rtfReader) wait(c byte) {
	if len(r.pending) > 1000 && !r.half {
		r.flush()
	}
	r.pending = append(r.pending, c)
	r.half = !r.half && r.opens(c)
}

// silent reports whether the text of the group is not read.
func (r *rtfReader) silent() bool {
	return r.group.to == toNone || r.group.hidden || r.group.deleted
}

// opens reports whether a byte is the first of a character of two.
func (r *rtfReader) opens(c byte) bool {
	switch r.encoding() {
	case japanese.ShiftJIS:
		return c >= 0x81 && c != 0xff && (c < 0xa0 || c >= 0xe0)
	case simplifiedchinese.GBK, korean.EUCKR, traditionalchinese.Big5:
		return c >= 0x81 && c != 0xff
	}
	return false
}

// font is the font of the text. The tables of fonts and styles are in none.
func (r *rtfReader) font() rtfFont {
	if r.group.to == toFonts || r.group.to == toStyle {
		return rtfFont{}
	}
	return r.fonts[r.group.font]
}

func (r *rtfReader) encoding() encoding.Encoding {
	if f := r.font(); f.page != nil {
		return f.page
	}
	return r.page
}

// flush decodes the bytes that wait.
func (r *rtfReader) flush() {
	if r.high != 0 {
		r.high = 0
		r.text("\ufffd")
	}
	if len(r.pending) == 0 {
		return
	}
	if f := r.font(); f.symbol {
		for _, c := range r.pending {
			r.text(symbolSign(c, f.greek))
		}
	} else if s, err := r.encoding().NewDecoder().Bytes(r.pending); err == nil {
		r.text(string(s))
	} else {
		r.text(strings.ToValidUTF8(string(r.pending), "\ufffd"))
	}
	r.pending, r.half = r.pending[:0], false
}

func (r *rtfReader) rune(c rune) { r.text(string(c)) }

func (r *rtfReader) text(s string) {
	if !r.silent() {
		out := r.out()
		*out = append(*out, r.lifted(rtfRaised.Replace(s))...)
	}
}

var rtfRaised = strings.NewReplacer(raisedFrom, "", raisedTo, "")

// lifted marks text as raised where it is, and its paragraph will look at that.
func (r *rtfReader) lifted(s string) string {
	if to := r.group.to; !r.group.raised || s == "" || to != toBody && to != toNote && to != toBox {
		return s
	}
	return raised(s)
}

// symbolSign is a character of a font of signs. In Symbol Greek letters stand where Latin ones do; what others show is mostly a
// bullet.
func symbolSign(c byte, greek bool) string {
	const small, large = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"
	switch {
	case c <= ' ':
		return string(rune(c))
	case !greek:
		return "•"
	case c >= 'a' && c <= 'z':
		return string([]rune(small)[c-'a'])
	case c >= 'A' && c <= 'Z':
		return string([]rune(large)[c-'A'])
	case c < 0x80:
		return string(rune(c))
	}
	for _, s := range []struct {
		c    byte
		sign string
	}{{0xb0, "°"}, {0xb1, "±"}, {0xb4, "×"}, {0xb8, "÷"}, {0xa3, "≤"}, {0xb3, "≥"}, {0xb9, "≠"}, {0xbb, "≈"}, {0xae, "→"}, {0xa5, "∞"}, {0xd6, "√"}, {0xe5, "∑"}, {0xf2, "∫"}, {0xb6, "∂"}} {
		if s.c == c {
			return s.sign
		}
	}
	return "•"
}

// control reads a control word or sign behind its backslash.
func (r *rtfReader) control() {
	if r.at >= len(r.src) {
		return
	}
	c := r.src[r.at]
	if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
		word, n, has := r.word()
		if word == "bin" { // raw bytes, which may hold anything
			r.at = min(len(r.src), r.at+min(max(0, n), len(r.src)))
			return
		}
		if r.skip > 0 && word != "u" && word != "uc" {
			r.skip--
			return
		}
		if word != "u" {
			r.flush()
		}
		r.do(word, n, has)
		return
	}
	r.at++
	if c == '\'' {
		if v, err := strconv.ParseUint(string(r.src[r.at:min(len(r.src), r.at+2)]), 16, 8); err == nil && r.at+2 <= len(r.src) {
			r.at += 2
			r.hex(byte(v))
		}
		return
	}
	if r.skip > 0 && c != '*' {
		r.skip--
		return
	}
	r.flush()
	switch c {
	case '\\', '{', '}':
		r.rune(rune(c))
	case '~':
		r.rune('\u00a0')
	case '_':
		r.rune('-')
	case '*':
		r.group.ignore = true
	case '\n', '\r':
		if c == '\r' && r.at < len(r.src) && r.src[r.at] == '\n' {
			r.at++
		}
		r.do("par", 0, false)
	case '\t':
		r.rune('\t')
	}
}

// hex takes a byte that is written as \'e9. It is no ASCII even where it could be.
func (r *rtfReader) hex(c byte) {
	switch {
	case r.skip > 0:
		r.skip--
	case !r.silent():
		r.wait(c)
	}
}

// word reads the letters and the number of a control word, and the space that ends it.
func (r *rtfReader) word() (string, int, bool) {
	const long = 40
	start := r.at
	for r.at < len(r.src) && r.at-start < long && (r.src[r.at] >= 'a' && r.src[r.at] <= 'z' || r.src[r.at] >= 'A' && r.src[r.at] <= 'Z') {
		r.at++
	}
	word := string(r.src[start:r.at])
	start = r.at
	if r.at < len(r.src) && r.src[r.at] == '-' {
		r.at++
	}
	for r.at < len(r.src) && r.at-start < 11 && r.src[r.at] >= '0' && r.src[r.at] <= '9' {
		r.at++
	}
	n, err := strconv.Atoi(string(r.src[start:r.at]))
	if err != nil && r.at > start {
		r.at = start // a hyphen
	}
	if r.at < len(r.src) && r.src[r.at] == ' ' {
		r.at++
	}
	return word, n, err == nil
}

// do carries out a control word.
func (r *rtfReader) do(word string, n int, has bool) {
	if s, ok := rtfSigns[word]; ok {
		r.text(s)
		return
	}
	if rtfSilent[word] {
		r.to(toNone)
		return
	}
	ignored := r.group.ignore
	r.group.ignore = false
	on := !has || n != 0
	switch word {
	case "u":
		r.unicode(n)
	case "uc":
		r.group.unicode = min(max(0, n), 100)
	case "ansicpg":
		if e := codePage(n); e != nil {
			r.page = e
		}
	case "mac":
		r.page = charmap.Macintosh
	case "pc":
		r.page = charmap.CodePage437
	case "pca":
		r.page = charmap.CodePage850
	case "deff":
		r.defaultFont, r.group.font = n, n
	case "f":
		r.group.font = n
		if r.group.to == toFonts {
			r.group.number = n
		}
	case "fcharset", "cpg":
		r.charset(word, n)
	case "plain":
		r.group.font, r.group.hidden, r.group.deleted, r.group.raised = r.defaultFont, false, false, false
	case "super":
		r.group.raised = on
	case "up": // in half points
		r.group.raised = !has || n > 0
	case "nosupersub", "sub", "dn":
		r.group.raised = false
	case "v":
		r.group.hidden = on
	case "deleted":
		r.group.deleted = on
	case "fonttbl":
		r.to(toFonts)
	case "stylesheet":
		r.to(toStyle)
	case "info":
		r.to(toInfo)
	case "listtext", "pntext":
		r.label = r.label[:0]
		if r.group.to == toBody {
			r.to(toLabel)
		} else {
			r.to(toNone)
		}
	case "footnote":
		r.note()
	case "shptxt", "dptxbxtext":
		if r.group.to == toBody {
			r.to(toBox)
		}
	case "ud", "shpinst", "do": // may be passed over, and hold text
	case "upr": // a form without Unicode, then {\*\ud …} with it
		r.skipGroup()
	default:
		if ignored {
			r.to(toNone)
			return
		}
		r.layout(word, n, has)
	}
}

// layout carries out what shapes paragraphs and tables, and the fields of metadata.
func (r *rtfReader) layout(word string, n int, has bool) {
	switch r.group.to {
	case toInfo:
		r.infoWord(word, n)
		return
	case toStyle:
		s := r.style(r.group.number)
		switch {
		case word == "s" && has:
			r.group.number = n
			r.style(n)
		case s != nil && word == "sbasedon":
			s.based = n
		case s != nil && word == "outlinelevel":
			s.level = n + 1
		}
		return
	case toFonts, toNone, toLabel:
		return
	}
	switch word {
	case "par", "sect", "page", "column":
		switch {
		case r.group.to == toNote:
			r.text(" ")
		case r.group.to == toBox:
			r.text("\n")
		default:
			r.paragraph(r.para.table)
		}
	case "line", "softline", "lbr":
		r.text("\n")
	case "pard":
		r.para = rtfParagraph{}
	case "s":
		r.para.style = n
	case "outlinelevel":
		r.para.level = n + 1
	case "intbl":
		r.para.table = true
	case "cell":
		if r.group.to == toBody {
			r.cells = append(r.cells, collapse(bracketNotes(string(r.body))))
			r.body, r.label = r.body[:0], r.label[:0]
		} else {
			r.text(" ")
		}
	case "nestcell", "nestrow":
		r.text(" ")
	case "row":
		r.row()
	}
}

// rtfSigns are the words that stand for characters.
var rtfSigns = map[string]string{
	"tab": "\t", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "qmspace": " ", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
	"zwj": "\u200d", "zwnj": "\u200c",
}

// rtfSilent begin groups that hold no text of the document.
var rtfSilent = map[string]bool{
	"colortbl": true, "pict": true, "objdata": true, "objclass": true, "header": true, "headerl": true, "headerr": true, "headerf": true, "footer": true, "footerl": true, "footerr": true,
	"footerf": true, "ftnsep": true, "ftnsepc": true, "ftncn": true, "aftnsep": true, "aftnsepc": true, "aftncn": true, "listtable": true, "listoverridetable": true, "rsidtbl": true, "revtbl": true,
	"generator": true, "themedata": true, "colorschememapping": true, "datastore": true, "latentstyles": true, "xmlnstbl": true, "fldinst": true, "bkmkstart": true, "bkmkend": true,
	"annotation": true, "atnid": true, "atnauthor": true, "atntime": true, "atnref": true, "atndate": true, "atrfstart": true, "atrfend": true, "filetbl": true, "nonshppict": true, "sp": true,
	"template": true, "docvar": true, "mmathPr": true, "nonesttables": true, "nesttableprops": true, "xe": true, "tc": true, "tcn": true, "pgdsctbl": true, "background": true, "wgrffmtfilter": true,
	"falt": true, "panose": true, "fname": true, "fontemb": true, "keycode": true, "shprslt": true, "userprops": true, "pnseclvl": true, "datafield": true, "formfield": true,
}

func (r *rtfReader) unicode(n int) {
	c := rune(n)
	if n < 0 {
		c = rune(n + 1<<16)
	}
	// Fallbacks of the character before are over.
	r.skip = 0
	if len(r.pending) > 0 {
		high := r.high
		r.high = 0
		r.flush()
		r.high = high
	}
	switch {
	case utf16.IsSurrogate(c) && r.high == 0 && c < 0xdc00:
		r.high = c
	case r.high != 0:
		c = utf16.DecodeRune(r.high, c)
		r.high = 0
		r.rune(c)
	case c >= 0xf020 && c <= 0xf0ff: // how fonts of signs are written
		r.text(symbolSign(byte(c), r.font().greek))
	case c < 0 || c > 0x10ffff || utf16.IsSurrogate(c):
		r.rune(utf8.RuneError)
	default:
		r.rune(c)
	}
	r.skip = r.group.unicode
}

// skipGroup passes over the next group.
func (r *rtfReader) skipGroup() {
	depth := 0
	for ; r.at < len(r.src); r.at++ {
		switch r.src[r.at] {
		case '\\':
			r.at++
		case '{':
			depth++
		case '}':
			if depth--; depth <= 0 {
				if depth == 0 {
					r.at++
				}
				return
			}
		}
	}
}

func (r *rtfReader) charset(word string, n int) {
	if r.group.to != toFonts || len(r.fonts) >= 10000 {
		return
	}
	f := r.fonts[r.group.number]
	if word == "cpg" {
		f.page = codePage(n)
	} else if n == 2 {
		f.symbol = true
	} else {
		f.page = charsetPage(n)
	}
	r.fonts[r.group.number] = f
}

// describe ends the description of a font or a style: its name stands last.
func (r *rtfReader) describe(g rtfGroup) {
	name := strings.TrimSuffix(collapse(string(r.entry)), ";")
	r.entry = r.entry[:0]
	switch g.to {
	case toStyle:
		if s := r.styles[g.number]; s != nil && name != "" {
			s.name = name
		}
	case toFonts:
		f := r.fonts[g.number]
		f.greek = strings.EqualFold(name, "Symbol")
		if f.symbol {
			r.fonts[g.number] = f
		}
	}
}

func (r *rtfReader) style(n int) *rtfStyle {
	s := r.styles[n]
	if s == nil && r.group.to == toStyle && len(r.styles) < 10000 {
		s = &rtfStyle{based: -1}
		r.styles[n] = s
	}
	return s
}

// looks follows a style to those it is based on.
func (r *rtfReader) looks() docxStyle {
	n := r.para.style
	for range 10 {
		s := r.styles[n]
		if s == nil {
			break
		}
		st := styleByName(s.name)
		if st.level == 0 && s.level > 0 && s.level < 10 {
			st.level = s.level
		}
		if st.level > 0 || st.title || st.toc {
			return st
		}
		n = s.based
	}
	return docxStyle{}
}

// note begins the text of a note, and puts its number where it is referred to.
func (r *rtfReader) note() {
	if r.silent() || r.group.to != toBody {
		r.to(toNone)
		return
	}
	r.text(fmt.Sprintf("[%d]", len(r.notes)+1))
	r.to(toNote)
}

// paragraph ends a paragraph. In a table it is a line of its cell.
func (r *rtfReader) paragraph(inCell bool) {
	if inCell {
		r.body = append(r.body, ' ')
		return
	}
	if len(r.cells) > 0 { // a row that was not ended
		body := r.body
		r.body = nil
		r.row()
		r.body = body
	}
	label, raw := collapse(string(r.label)), bracketNotes(string(r.body))
	if m := rtfItem.FindString(raw); m != "" && label == "" { // a sign that was written by hand
		label, raw = collapse(m), raw[len(m):]
	}
	text := lines(strings.ToValidUTF8(raw, "\ufffd"))
	r.body, r.label = r.body[:0], r.label[:0]
	defer r.writeBoxes()
	if text == "" {
		return
	}
	if r.rows {
		r.b.loose()
		r.rows = false
	}
	style := r.looks()
	level := style.level
	if r.para.level > 0 && r.para.level < 10 {
		level = r.para.level
	}
	switch {
	case style.toc:
	case style.title:
		if r.title == "" {
			r.title = withoutNotes(collapse(text))
		}
		r.b.heading(text, 1)
	case level > 0:
		r.b.heading(text, level)
	case label != "":
		r.b.line(rtfSign(label) + text)
	default:
		r.b.block(text)
	}
}

var rtfItem = regexp.MustCompile(`^\s*(?:•|[0-9]{1,3}[.)]|[a-zA-Z][.)])\t`)

// rtfSign is the sign of an item as other formats have it: a bullet of any font is a dash.
func rtfSign(label string) string {
	if strings.ContainsFunc(label, func(r rune) bool { return r >= '0' && r <= '9' || isLetter(r) && r != 'o' }) {
		return label + " "
	}
	return "- "
}

func (r *rtfReader) row() {
	if r.group.to != toBody {
		return
	}
	if !r.rows {
		r.b.loose()
		r.rows = true
	}
	if rest := collapse(bracketNotes(string(r.body))); rest != "" {
		r.cells = append(r.cells, rest)
	}
	r.b.line(joinCells(r.cells))
	r.cells, r.body, r.label = r.cells[:0], r.body[:0], r.label[:0]
	r.writeBoxes()
}

func (r *rtfReader) writeBoxes() {
	for _, s := range r.boxes {
		r.b.block(s)
	}
	r.boxes = r.boxes[:0]
}

func (r *rtfReader) appendNotes() {
	r.b.loose()
	for i, n := range r.notes {
		if n != "" {
			r.b.line(fmt.Sprintf("[%d] %s", i+1, strings.ToValidUTF8(n, "\ufffd")))
		}
	}
}

// infoWord begins a field of the metadata, or gives a part of a date.
func (r *rtfReader) infoWord(word string, n int) {
	switch word {
	case "title", "author", "doccomm", "creatim":
		r.group.field = word
		r.entry = r.entry[:0]
	case "yr", "mo", "dy":
		if r.group.field != "creatim" || n < 1 || n > 9999 {
			return
		}
		if word != "yr" {
			r.info.created += "-"
		}
		r.info.created += fmt.Sprintf("%02d", n)
	}
}

// setInfo ends a field.
func (r *rtfReader) setInfo(field string) {
	v := collapse(strings.ToValidUTF8(string(r.entry), ""))
	r.entry = r.entry[:0]
	switch field {
	case "title":
		r.info.title = v
	case "author":
		r.info.creator = v
	case "doccomm":
		r.info.description = v
	}
}

// codePage is one of Windows' code pages, nil where it is not known.
func codePage(n int) encoding.Encoding {
	switch n {
	case 437:
		return charmap.CodePage437
	case 850:
		return charmap.CodePage850
	case 852:
		return charmap.CodePage852
	case 866:
		return charmap.CodePage866
	case 874:
		return charmap.Windows874
	case 932:
		return japanese.ShiftJIS
	case 936:
		return simplifiedchinese.GBK
	case 949:
		return korean.EUCKR
	case 950:
		return traditionalchinese.Big5
	case 1250:
		return charmap.Windows1250
	case 1251:
		return charmap.Windows1251
	case 1252:
		return charmap.Windows1252
	case 1253:
		return charmap.Windows1253
	case 1254:
		return charmap.Windows1254
	case 1255:
		return charmap.Windows1255
	case 1256:
		return charmap.Windows1256
	case 1257:
		return charmap.Windows1257
	case 1258:
		return charmap.Windows1258
	case 10000:
		return charmap.Macintosh
	case 10007:
		return charmap.MacintoshCyrillic
	}
	return nil
}

// charsetPage is the code page of a font's set of characters. 0 and 1 are the document's own.
func charsetPage(n int) encoding.Encoding {
	return codePage(map[int]int{77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850}[n])
}
