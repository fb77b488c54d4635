package pdf

import (
	"bytes"
	"math"
	"strings"
	"unicode"
)

// Glyph is a character where it stands on the page, in points from the lower left, as the page is seen by its reader.
type Glyph struct {
	Text     string
	X, Y     float64 // where its baseline begins
	W        float64 // how far the next one is
	Size     float64
	Turn     int // quarter turns to the left: 0 upright, 1 reads upwards
	Bold     bool
	Artifact bool    // the file says that it is no part of the text: a running head, a page number
	Font     int     // a number for each font of the page
	Own      float64 // width that the font gives it, in sizes, however it is stretched here
}

// Page is a page of the file.
type Page struct {
	f         *File
	dict      dict
	resources any
	rotate    int
}

const (
	maxPages   = 50000
	maxGlyphs  = 400000  // of one page
	maxOps     = 8 << 20 // of one page
	maxForms   = 8       // forms within each other
	maxOperand = 4096
)

// Pages walks the tree of pages. Nodes that were seen are not walked again.
func (f *File) Pages() []Page {
	root, _ := f.dict(f.trailer["Root"])
	var out []Page
	seen := map[ref]bool{}
	var walk func(v any, resources any, rotate, depth int)
	walk = func(v any, resources any, rotate, depth int) {
		if r, ok := v.(ref); ok {
			if seen[r] {
				return
			}
			seen[r] = true
		}
		d, ok := f.dict(v)
		if !ok || depth > 64 || len(out) >= maxPages {
			return
		}
		if r := d["Resources"]; r != nil {
			resources = r
		}
		if n, ok := f.number(d["Rotate"]); ok {
			rotate = ((int(n)/90)%4 + 4) % 4
		}
		kids, isArray := f.resolve(d["Kids"]).(array)
		if isArray && f.name(d["Type"]) != "Page" {
			for _, k := range kids {
				walk(k, resources, rotate, depth+1)
			}
			return
		}
		out = append(out, Page{f, d, resources, rotate})
	}
	walk(root["Pages"], nil, 0, 0)
	return out
}

// Pictures reports whether the page shows pictures, as a scan does.
func (p Page) Pictures() bool {
	res, _ := p.f.dict(p.resources)
	objects, _ := p.f.dict(res["XObject"])
	for _, v := range objects {
		if d, ok := p.f.dict(v); ok && p.f.name(d["Subtype"]) == "Image" {
			return true
		}
	}
	return false
}

// Glyphs reads the text of the page in the order in which it is drawn. Damage within the page ends it early and is no
// error; only limits and the context are.
func (p Page) Glyphs() ([]Glyph, error) {
	var content []byte
	switch v := p.f.resolve(p.dict["Contents"]).(type) {
	case *stream:
		data, err := p.f.decode(v, true)
		if fatal(p.f, err) {
			return nil, err
		}
		content = data
	case array:
		for _, x := range v {
			s, ok := p.f.resolve(x).(*stream)
			if !ok {
				continue
			}
			data, err := p.f.decode(s, true)
			if fatal(p.f, err) {
				return nil, err
			}
			content = append(append(content, data...), '\n')
			if len(content) > maxStream {
				return nil, errLarge
			}
		}
	}
	in := interpreter{f: p.f}
	in.g.ctm = rotation(p.rotate)
	in.g.scale = 1
	in.run(content, p.resources, 0)
	return in.glyphs, in.err
}

func fatal(f *File, err error) bool { return err != nil && (isLimit(err) || f.ctx.Err() != nil) }

func rotation(quarters int) matrix {
	switch quarters {
	case 1:
		return matrix{0, -1, 1, 0, 0, 0}
	case 2:
		return matrix{-1, 0, 0, -1, 0, 0}
	case 3:
		return matrix{0, 1, -1, 0, 0, 0}
	}
	return identity
}

// matrix is a b c d e f as PDF writes it.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// mul is m followed by n.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// state is the graphics state, as far as text needs it.
type state struct {
	ctm                     matrix
	font                    *font
	size, char, word, scale float64
	leading, rise           float64
}

type interpreter struct {
	f      *File
	g      state
	stack  []state
	tm     matrix // text matrix
	line   matrix // line matrix
	ops    int
	glyphs []Glyph
	fonts  map[*font]int // numbers of those that were used
	marked []markedContent
	err    error
	args   []any
}

// markedContent is a bracket around drawing that says what it is.
type markedContent struct {
	artifact bool
	actual   *string // the text that the bracket stands for, whatever is drawn in it
}

func (in *interpreter) run(content []byte, resources any, depth int) {
	res, _ := in.f.dict(resources)
	l := lexer{content, 0}
	args := in.args[:0]
	for in.err == nil {
		v := l.value(0)
		op, ok := v.(keyword)
		if !ok {
			if _, end := v.(eof); end {
				return
			}
			if len(args) < maxOperand {
				args = append(args, v)
			}
			continue
		}
		if in.ops++; in.ops%1024 == 0 {
			in.err = in.f.ctx.Err()
		}
		if in.ops > maxOps || len(in.glyphs) > maxGlyphs {
			return
		}
		switch op {
		case "BI":
			skipImage(&l)
		case "Do":
			if len(args) > 0 {
				in.form(res, args[len(args)-1], depth)
			}
		default:
			in.do(op, args, res)
		}
		args = args[:0]
	}
}

// skipImage goes behind the data of a picture in the stream: a binary blur that ends in EI between blanks.
func skipImage(l *lexer) {
	for {
		switch v := l.value(0).(type) {
		case eof:
			return
		case keyword:
			if v != "ID" {
				continue
			}
			touching := len(l.b) // behind the first EI that has a blank behind it alone, as some programs write it
			for l.pos < len(l.b) {
				i := bytes.Index(l.b[l.pos:], []byte("EI"))
				if i < 0 {
					break
				}
				at := l.pos + i
				l.pos = at + 2
				if l.pos < len(l.b) && !isSpace(l.b[l.pos]) {
					continue
				}
				if isSpace(l.b[at-1]) {
					return
				}
				touching = min(touching, l.pos)
			}
			l.pos = touching
			return
		}
	}
}

// form draws a form: content of its own, with resources and a place of its own.
func (in *interpreter) form(res dict, arg any, depth int) {
	n, _ := arg.(name)
	objects, _ := in.f.dict(res["XObject"])
	s, ok := in.f.resolve(objects[n]).(*stream)
	if !ok || depth >= maxForms || in.f.name(s.dict["Subtype"]) != "Form" {
		return
	}
	data, err := in.f.decode(s, true)
	if err != nil {
		if fatal(in.f, err) {
			in.err = err
		}
		return
	}
	saved, stack := in.g, len(in.stack)
	if m, ok := in.matrix(in.f.array(s.dict["Matrix"])); ok {
		in.g.ctm = m.mul(in.g.ctm)
	}
	var resources any = res
	if r := s.dict["Resources"]; r != nil {
		resources = r
	}
	args := in.args
	in.args = nil
	in.run(data, resources, depth+1)
	in.args = args
	in.g = saved
	in.stack = in.stack[:min(stack, len(in.stack))]
}

func (in *interpreter) matrix(args []any) (matrix, bool) {
	var m matrix
	if len(args) < 6 {
		return m, false
	}
	for i, v := range args[len(args)-6:] {
		m[i], _ = in.f.number(v)
		if math.IsNaN(m[i]) || math.Abs(m[i]) > 1e9 {
			return m, false
		}
	}
	return m, true
}

func (in *interpreter) do(op keyword, args []any, res dict) {
	num := func(i int) float64 { // counted from the end
		if i >= len(args) {
			return 0
		}
		n, _ := args[len(args)-1-i].(float64)
		return n
	}
	g := &in.g
	switch op {
	case "q":
		if len(in.stack) < 4096 {
			in.stack = append(in.stack, *g)
		}
	case "Q":
		if n := len(in.stack); n > 0 {
			*g = in.stack[n-1]
			in.stack = in.stack[:n-1]
		}
	case "cm":
		if m, ok := in.matrix(args); ok {
			g.ctm = m.mul(g.ctm)
		}
	case "BT":
		in.tm, in.line = identity, identity
	case "Tc":
		g.char = num(0)
	case "Tw":
		g.word = num(0)
	case "Tz":
		g.scale = num(0) / 100
	case "TL":
		g.leading = num(0)
	case "Ts":
		g.rise = num(0)
	case "Tf":
		g.size = num(0)
		if len(args) >= 2 {
			n, _ := args[len(args)-2].(name)
			fonts, _ := in.f.dict(res["Font"])
			g.font = in.f.font(fonts[n])
		}
	case "gs":
		in.extState(args, res)
	case "Td":
		in.move(num(1), num(0))
	case "TD":
		g.leading = -num(0)
		in.move(num(1), num(0))
	case "Tm":
		if m, ok := in.matrix(args); ok {
			in.tm, in.line = m, m
		}
	case "T*":
		in.move(0, -g.leading)
	case "Tj":
		in.show(last(args))
	case "'":
		in.move(0, -g.leading)
		in.show(last(args))
	case "\"":
		g.word, g.char = num(2), num(1)
		in.move(0, -g.leading)
		in.show(last(args))
	case "TJ":
		in.showArray(last(args))
	case "BMC", "BDC":
		in.mark(op, args, res)
	case "EMC":
		if n := len(in.marked); n > 0 {
			in.marked = in.marked[:n-1]
		}
	}
}

func last(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[len(args)-1]
}

func (in *interpreter) extState(args []any, res dict) {
	n, _ := last(args).(name)
	states, _ := in.f.dict(res["ExtGState"])
	gs, _ := in.f.dict(states[n])
	if f := in.f.array(gs["Font"]); len(f) == 2 {
		in.g.font = in.f.font(f[0])
		in.g.size, _ = in.f.number(f[1])
	}
}

func (in *interpreter) mark(op keyword, args []any, res dict) {
	if len(in.marked) >= 256 {
		return
	}
	var m markedContent
	if n := len(in.marked); n > 0 {
		m.artifact = in.marked[n-1].artifact
	}
	tag := len(args) - 1
	if op == "BDC" {
		tag--
		v := last(args)
		if n, ok := v.(name); ok {
			props, _ := in.f.dict(res["Properties"])
			v = props[n]
		}
		if d, ok := in.f.dict(v); ok {
			if s, ok := in.f.resolve(d["ActualText"]).(str); ok {
				t := Text(string(s))
				m.actual = &t
			}
		}
	}
	if tag >= 0 {
		m.artifact = m.artifact || args[tag] == name("Artifact")
	}
	in.marked = append(in.marked, m)
}

func (in *interpreter) move(x, y float64) {
	in.line = matrix{1, 0, 0, 1, x, y}.mul(in.line)
	in.tm = in.line
}

func (in *interpreter) showArray(v any) {
	a, _ := v.(array)
	for _, x := range a {
		switch x := x.(type) {
		case str:
			in.show(x)
		case float64:
			in.tm = matrix{1, 0, 0, 1, -x / 1000 * in.g.size * in.g.scale, 0}.mul(in.tm)
		}
	}
}

func (in *interpreter) show(v any) {
	s, _ := v.(str)
	g := &in.g
	if g.font == nil {
		return
	}
	artifact, actual := false, (*string)(nil)
	for i := range in.marked {
		artifact = artifact || in.marked[i].artifact
		if in.marked[i].actual != nil && actual == nil {
			actual = in.marked[i].actual
		}
	}
	// Spacing of characters is part of their width where a word is spaced out, and a gap between words where two or
	// three letters are drawn with it, as some programs write a space.
	spaced := len(s) >= 4 || g.font.composite && len(s) >= 8
	for len(s) > 0 && len(in.glyphs) <= maxGlyphs {
		text, width, size := g.font.next(s)
		tx := width/1000*g.size + g.char
		if size == 1 && s[0] == ' ' {
			tx += g.word
		}
		drawn := tx
		if !spaced && g.char > 0 {
			drawn -= g.char
		}
		s = s[size:]
		m := in.tm.mul(g.ctm)
		if actual != nil {
			// The whole stands where its first glyph does.
			text = *actual
			*actual = ""
		}
		in.add(text, m, drawn*g.scale, width/1000, artifact)
		in.tm = matrix{1, 0, 0, 1, tx * g.scale, 0}.mul(in.tm)
	}
}

func (in *interpreter) add(text string, m matrix, tx, own float64, artifact bool) {
	text = cleanGlyph(text)
	if text == "" {
		return
	}
	x := in.g.rise*m[2] + m[4]
	y := in.g.rise*m[3] + m[5]
	size := math.Hypot(m[2], m[3]) * math.Abs(in.g.size)
	w := math.Hypot(m[0], m[1]) * tx
	turn := 0
	switch dx, dy := m[0]*in.g.size, m[1]*in.g.size; {
	case math.Abs(dy) > math.Abs(dx) && dy > 0:
		turn = 1
	case math.Abs(dy) > math.Abs(dx):
		turn = 3
	case dx < 0:
		turn = 2
	}
	if math.IsNaN(x) || math.IsNaN(y) || math.IsNaN(w) || math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsInf(w, 0) || math.IsNaN(size) || size > 1e6 {
		return
	}
	number, known := in.fonts[in.g.font]
	if !known {
		if in.fonts == nil {
			in.fonts = map[*font]int{}
		}
		number = len(in.fonts)
		in.fonts[in.g.font] = number
	}
	in.glyphs = append(in.glyphs, Glyph{text, x, y, w, size, turn, in.g.font.bold, artifact, number, own})
}

// cleanGlyph drops what has no ink and puts plain letters for ligatures, so that words are found again.
func cleanGlyph(s string) string {
	if len(s) == 1 && s[0] >= ' ' && s[0] < 0x7f {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u00a0' || r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r == '\uf0b7' || r == '\uf0a7' || r == '\uf06e':
			return '•'
		case r == '\u00ad':
			return r // at the end of a line it says that the word goes on
		case unicode.IsControl(r) || r >= 0xe000 && r <= 0xf8ff || r == '\ufeff' || r == '\u200b':
			return -1
		}
		return r
	}, ligatures.Replace(s))
}

var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")
