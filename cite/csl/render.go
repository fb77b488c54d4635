package csl

import (
	"strings"
	"unicode/utf8"
)

// Format is a form of output.
type Format int

// The forms of output.
const (
	Text     Format = iota // plain, without marks
	HTML                   // as in the CSL test-suite: <i>, <b>, <sup>, spans, and div elements for entries
	Markdown               // CommonMark, with HTML where it has no marks of its own
	LaTeX
)

func (f Format) String() string {
	return [...]string{"text", "html", "markdown", "latex"}[max(0, min(int(f), 3))]
}

// ParseFormat reads the name of a format.
func ParseFormat(s string) (Format, bool) {
	switch strings.ToLower(s) {
	case "text", "plain", "txt":
		return Text, true
	case "html":
		return HTML, true
	case "markdown", "md":
		return Markdown, true
	case "latex", "tex":
		return LaTeX, true
	}
	return Text, false
}

// writer turns a settled stream into a format.
type writer struct {
	b      strings.Builder
	format Format
	quotes *quotes
	stack  []fontState
	now    fontState
	closes []string
	gap    bool   // a space belongs between the number of an entry and its text
	inner  []bool // for each open quotation, whether it is written with inner marks
}

type fontState struct{ formatting }

func (d *Document) write(n *node, f Format) string {
	var s stream
	s.events = d.events[:0]
	s.emit(n, false)
	s.settle(d.locale.inQuote())
	d.events = s.events
	w := writer{format: f, quotes: d.quotes}
	w.write(s.events)
	if f == Markdown {
		return readAsIs(w.b.String())
	}
	return w.b.String()
}

func (w *writer) write(events []event) {
	for i := range events {
		e := &events[i]
		switch e.op {
		case evText:
			w.text(e.text)
		case evOpenQuote:
			inner := e.inner
			if n := len(w.inner); n > 0 {
				inner = !w.inner[n-1]
			}
			w.inner = append(w.inner, inner)
			if inner {
				w.text(w.quotes.innerOpen)
			} else {
				w.text(w.quotes.outerOpen)
			}
		case evCloseQuote:
			if n := len(w.inner); n > 0 {
				if w.inner[n-1] {
					w.text(w.quotes.innerClose)
				} else {
					w.text(w.quotes.outerClose)
				}
				w.inner = w.inner[:n-1]
			}
		case evOpen:
			if e.disp != "" {
				w.openDisplay(e.disp)
			} else if e.format != nil || e.noDec {
				w.openFormat(e)
			}
		case evClose:
			if e.disp != "" {
				w.closeDisplay(e.disp)
			} else if e.format != nil || e.noDec {
				w.closeFormat()
			}
		}
	}
}

// openFormat writes the marks of a formatting. Marks inside a field flip against those around them.
func (w *writer) openFormat(e *event) {
	w.stack = append(w.stack, w.now)
	closing := ""
	w.eachFont(e, func(name, value string) {
		open, end := w.format.marks(name, value)
		if w.gap && open != "" { // "* Title*" is no emphasis
			w.b.WriteByte(' ')
			w.gap = false
		}
		w.b.WriteString(open)
		closing = end + closing
	})
	w.closes = append(w.closes, closing)
}

// eachFont calls set for what a formatting changes against the fonts around it.
func (w *writer) eachFont(e *event, set func(name, value string)) {
	f := formatting{style: "normal", variant: "normal", weight: "normal"}
	if !e.noDec {
		f = *e.format
	}
	attr := func(name, value string, state *string, base string) {
		if value == "" {
			return
		}
		if *state == "" {
			*state = base
		}
		if value == *state {
			if value == base {
				return
			}
			if e.rich {
				value = base
			}
		}
		*state = value
		set(name, value)
	}
	attr("vertical-align", f.align, &w.now.align, "baseline")
	attr("text-decoration", f.decoration, &w.now.decoration, "none")
	attr("font-weight", f.weight, &w.now.weight, "normal")
	attr("font-variant", f.variant, &w.now.variant, "normal")
	attr("font-style", f.style, &w.now.style, "normal")
}

func (w *writer) closeFormat() {
	n := len(w.closes) - 1
	w.b.WriteString(w.closes[n])
	w.closes = w.closes[:n]
	w.now = w.stack[n]
	w.stack = w.stack[:n]
}

// marks gives what opens and closes a formatting.
func (f Format) marks(name, value string) (open, end string) {
	switch f {
	case HTML:
		return htmlMarks(name, value)
	case Markdown:
		switch value {
		case "italic", "oblique":
			return "*", "*"
		case "bold":
			return "**", "**"
		case "sup", "sub", "small-caps", "underline":
			return htmlMarks(name, value)
		}
	case LaTeX:
		switch value {
		case "italic":
			return `\textit{`, "}"
		case "oblique":
			return `\textsl{`, "}"
		case "bold":
			return `\textbf{`, "}"
		case "small-caps":
			return `\textsc{`, "}"
		case "underline":
			return `\underline{`, "}"
		case "sup":
			return `\textsuperscript{`, "}"
		case "sub":
			return `\textsubscript{`, "}"
		case "normal":
			switch name {
			case "font-weight":
				return `\textmd{`, "}"
			case "font-variant", "font-style":
				return `\textup{`, "}"
			}
		}
	}
	return "", ""
}

func htmlMarks(name, value string) (open, end string) {
	switch value {
	case "italic":
		return "<i>", "</i>"
	case "oblique":
		return "<em>", "</em>"
	case "bold":
		return "<b>", "</b>"
	case "sup":
		return "<sup>", "</sup>"
	case "sub":
		return "<sub>", "</sub>"
	case "light":
		return "", ""
	case "baseline":
		return `<span style="baseline">`, "</span>"
	}
	return `<span style="` + name + ":" + value + `;">`, "</span>"
}

// superscripts are characters that the test-suite wants as marked-up letters: each with the letter after it.
var superscripts = makePairs(`
	ªa ²2 ³3 ¹1 ºo ʰh ʱɦ ʲj ʳr ʴɹ ʵɻ ʶʁ ʷw ʸy ˠɣ ˡl ˢs ˣx ˤʕ ᴬA ᴭÆ ᴮB ᴰD ᴱE
	ᴲƎ ᴳG ᴴH ᴵI ᴶJ ᴷK ᴸL ᴹM ᴺN ᴼO ᴽȢ ᴾP ᴿR ᵀT ᵁU ᵂW ᵃa ᵄɐ ᵅɑ ᵆᴂ ᵇb ᵈd ᵉe ᵊə
	ᵋɛ ᵌɜ ᵍg ᵏk ᵐm ᵑŋ ᵒo ᵓɔ ᵔᴖ ᵕᴗ ᵖp ᵗt ᵘu ᵙᴝ ᵚɯ ᵛv ᵜᴥ ᵝβ ᵞγ ᵟδ ᵠφ ᵡχ ᵸн ᶛɒ
	ᶜc ᶝɕ ᶞð ᶟɜ ᶠf ᶡɟ ᶢɡ ᶣɥ ᶤɨ ᶥɩ ᶦɪ ᶧᵻ ᶨʝ ᶩɭ ᶪᶅ ᶫʟ ᶬɱ ᶭɰ ᶮɲ ᶯɳ ᶰɴ ᶱɵ ᶲɸ ᶳʂ
	ᶴʃ ᶵƫ ᶶʉ ᶷʊ ᶸᴜ ᶹʋ ᶺʌ ᶻz ᶼʐ ᶽʑ ᶾʒ ᶿθ ⁰0 ⁱi ⁴4 ⁵5 ⁶6 ⁷7 ⁸8 ⁹9 ⁺+ ⁻− ⁼= ⁽(
	⁾) ⁿn
	℠SM ™TM ㆒一 ㆓二 ㆔三 ㆕四 ㆖上 ㆗中 ㆘下 ㆙甲 ㆚乙 ㆛丙 ㆜丁 ㆝天 ㆞地 ㆟人 ˀʔ ˁʕ ۥو ۦي
`)

func makePairs(s string) map[rune]string {
	m := map[rune]string{}
	for _, pair := range strings.Fields(s) {
		r, size := utf8.DecodeRuneInString(pair)
		m[r] = pair[size:]
	}
	return m
}

func (w *writer) text(s string) {
	if s == "" {
		return
	}
	if w.gap && s[0] != ' ' && !strings.HasSuffix(w.b.String(), " ") {
		w.b.WriteByte(' ')
	}
	w.gap = false
	switch w.format {
	case HTML:
		w.html(s)
	case Markdown:
		w.markdown(s)
	case LaTeX:
		w.latex(s)
	default:
		w.b.WriteString(s)
	}
}

func (w *writer) html(s string) {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			var out string
			switch c {
			case '&':
				out = "&#38;"
			case '<':
				out = "&#60;"
			case '>':
				out = "&#62;"
			default:
				i++
				continue
			}
			w.b.WriteString(s[from:i])
			w.b.WriteString(out)
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r < 0xbb || r >= 0x2b0 && r < 0x3200 {
			if sup, ok := superscripts[r]; ok {
				w.b.WriteString(s[from:i])
				w.b.WriteString("<sup>")
				w.b.WriteString(sup)
				w.b.WriteString("</sup>")
				from = i + size
			}
		}
		i += size
	}
	w.b.WriteString(s[from:])
}

func (w *writer) latex(s string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			w.b.WriteString(`\textbackslash{}`)
		case '~':
			w.b.WriteString(`\textasciitilde{}`)
		case '^':
			w.b.WriteString(`\textasciicircum{}`)
		case '<': // bare, both are Spanish marks where no font encoding is chosen
			w.b.WriteString(`\textless{}`)
		case '>':
			w.b.WriteString(`\textgreater{}`)
		case '`':
			w.b.WriteString("\\`{}") // alone it is set as a quotation mark
		case '-':
			w.b.WriteByte(c)
			if i+1 < len(s) && s[i+1] == c { // two of them are set as a dash
				w.b.WriteString("{}")
			}
		case '{', '}', '$', '&', '#', '_', '%':
			w.b.WriteByte('\\')
			w.b.WriteByte(c)
		case 0xc2:
			if i+1 < len(s) && s[i+1] == 0xa0 {
				w.b.WriteByte('~')
				i++
				continue
			}
			w.b.WriteByte(c)
		default:
			w.b.WriteByte(c)
		}
	}
}

func (w *writer) openDisplay(display string) {
	if w.format != HTML {
		if display == "block" || display == "indent" {
			w.breakLine()
		}
		return
	}
	switch display {
	case "block":
		w.b.WriteString("\n\n    <div class=\"csl-block\">")
	case "left-margin":
		w.b.WriteString("\n    <div class=\"csl-left-margin\">")
	case "right-inline":
		w.b.WriteString("<div class=\"csl-right-inline\">")
	case "indent":
		w.b.WriteString("<div class=\"csl-indent\">")
	}
}

func (w *writer) closeDisplay(display string) {
	if w.format != HTML {
		w.gap = display == "left-margin"
		return
	}
	switch display {
	case "block":
		w.b.WriteString("</div>\n")
	case "left-margin":
		w.b.WriteString("</div>")
	default:
		w.b.WriteString("</div>\n  ")
	}
}

func (w *writer) breakLine() {
	if w.b.Len() > 0 {
		w.b.WriteByte('\n')
	}
}
