package ingest

import (
	"bytes"
	"strconv"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
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
	edges []int    // right ones of the row's cells
	table rtfTable // of rows to be written
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
		if r.b.full || len(r.body)+len(r.noteText)+len(r.box)+r.table.size > r.in.limits.text() {
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

// rtfSilent begin groups that hold no text of the document.
var rtfSilent = map[string]bool{
	"colortbl": true, "pict": true, "objdata": true, "objclass": true, "header": true, "headerl": true, "headerr": true, "headerf": true, "footer": true, "footerl": true, "footerr": true,
	"footerf": true, "ftnsep": true, "ftnsepc": true, "ftncn": true, "aftnsep": true, "aftnsepc": true, "aftncn": true, "listtable": true, "listoverridetable": true, "rsidtbl": true, "revtbl": true,
	"generator": true, "themedata": true, "colorschememapping": true, "datastore": true, "latentstyles": true, "xmlnstbl": true, "fldinst": true, "bkmkstart": true, "bkmkend": true,
	"annotation": true, "atnid": true, "atnauthor": true, "atntime": true, "atnref": true, "atndate": true, "atrfstart": true, "atrfend": true, "filetbl": true, "nonshppict": true, "sp": true,
	"template": true, "docvar": true, "mmathPr": true, "nonesttables": true, "nesttableprops": true, "xe": true, "tc": true, "tcn": true, "pgdsctbl": true, "background": true, "wgrffmtfilter": true,
	"falt": true, "panose": true, "fname": true, "fontemb": true, "keycode": true, "shprslt": true, "userprops": true, "pnseclvl": true, "datafield": true, "formfield": true,
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
