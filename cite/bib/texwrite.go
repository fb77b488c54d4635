package bib

import (
	"regexp"
	"strings"
	"unicode"
)

// encodeTeX writes a CSL field as TeX. In a title, words with capitals are put in braces.
func encodeTeX(s string, title bool) string {
	var b strings.Builder
	start := title
	writeTeXNodes(&b, parseRich(squeeze(s)), title, &start)
	return b.String()
}

var texCommands = map[kind]string{
	italic: `\textit{`, bold: `\textbf{`, sub: `\textsubscript{`, sup: `\textsuperscript{`, smallCaps: `\textsc{`, noCase: `{`,
}

func writeTeXNodes(b *strings.Builder, nodes []node, title bool, start *bool) {
	for i := 0; i < len(nodes); {
		run, end := guardedRun(nodes, i)
		if end == i {
			n := nodes[i]
			writeTeXGroup(b, n, title, start)
			i++
			continue
		}
		var guard [][2]int
		if title {
			guard = capitals(run, *start)
		}
		for at := 0; i < end; i++ {
			n := nodes[i]
			size := len(plainNodes(nodes[i : i+1]))
			if n.kind == text {
				guard = writeTeXText(b, n.text, guard, at)
			} else {
				inner := false
				writeTeXGroup(b, n, title, &inner)
			}
			at += size
		}
		*start = *start && strings.TrimFunc(run, notLetter) == ""
	}
}

func writeTeXGroup(b *strings.Builder, n node, title bool, start *bool) {
	if n.kind == noCase && !title {
		writeTeXNodes(b, n.kids, false, start)
		return
	}
	var kids strings.Builder
	writeTeXNodes(&kids, n.kids, title && n.kind != noCase, start)
	open, end := texCommands[n.kind], "}"
	if n.kind == noCase && strings.HasPrefix(kids.String(), `\`) { // braces before a command guard nothing
		open, end = "{{", "}}"
	}
	b.WriteString(open + kids.String() + end)
	*start = *start && strings.TrimFunc(plainNodes(n.kids), notLetter) == ""
}

// writeTeXText writes a text that stands at an offset of its run, with braces around the ranges that lie within it. It
// gives back the ranges that are still to come.
func writeTeXText(b *strings.Builder, s string, guard [][2]int, offset int) [][2]int {
	last := 0
	for len(guard) > 0 && guard[0][0]-offset < len(s) {
		from, to := guard[0][0]-offset, guard[0][1]-offset
		guard = guard[1:]
		if from < last || to > len(s) {
			continue
		}
		escapeTeX(b, s[last:from])
		b.WriteString("{")
		escapeTeX(b, s[from:to])
		b.WriteString("}")
		last = to
	}
	escapeTeX(b, s[last:])
	return guard
}

// rawMaths is maths that the reader left as TeX.
var rawMaths = regexp.MustCompile(`\$[^$]*\\[A-Za-z][^$]*\$`)

func escapeTeX(b *strings.Builder, s string) {
	for s != "" {
		at := rawMaths.FindStringIndex(s)
		if at == nil || !balanced(s[at[0]:at[1]]) {
			escapePlain(b, s)
			return
		}
		escapePlain(b, s[:at[0]])
		if formula := s[at[0]:at[1]]; onlyMaths(formula) {
			b.WriteString(escapeAnds(formula))
		} else {
			escapePlain(b, formula)
		}
		s = s[at[1]:]
	}
}

// A bare & parts the columns of a table, and outside of one TeX stops at it. In a formula it is written with braces behind it, so that it
// is told from one that was escaped already, and each comes back as it was.
const texAnd = `\&{}`

func escapeAnds(formula string) string {
	return eachSign(formula, func(sign string) (string, int) {
		if sign[0] == '&' {
			return texAnd, 1
		}
		return "", 0
	})
}

func unescapeAnds(formula string) string {
	return eachSign(formula, func(sign string) (string, int) {
		if strings.HasPrefix(sign, texAnd) {
			return "&", len(texAnd)
		}
		return "", 0
	})
}

// eachSign gives a formula with what f puts in the place of some of its signs and commands. It is asked at each of them what to
// put, and for how many bytes; for none where it stays.
func eachSign(formula string, f func(rest string) (put string, bytes int)) string {
	if !strings.Contains(formula, "&") {
		return formula
	}
	var b strings.Builder
	for i := 0; i < len(formula); {
		if put, n := f(formula[i:]); n > 0 {
			b.WriteString(put)
			i += n
			continue
		}
		n := 1
		if formula[i] == '\\' && i+1 < len(formula) { // with the sign that it makes a command
			n = 2
		}
		b.WriteString(formula[i : i+n])
		i += n
	}
	return b.String()
}

// onlyMaths reports whether a formula has no command but such as set formulas. A title is what some page or file says of itself,
// and TeX has commands that read files, write them and run programs, under any name that ^^ or \csname spells: so those that are
// known to do no more are let through, and what has another is words.
func onlyMaths(formula string) bool {
	if strings.Contains(formula, "^^") || strings.ContainsFunc(formula, func(r rune) bool { return r == '%' || r == '#' || unicode.IsControl(r) }) {
		return false
	}
	for _, c := range texCommand.FindAllStringSubmatch(formula, -1) {
		name := c[1]
		_, isSymbol := symbols[name]
		_, isFont := fonts[name]
		_, isSwitch := switches[name]
		if !isSymbol && !isFont && !isSwitch && !wrappers[name] && !formulas[name] {
			return false
		}
	}
	return true
}

// texCommand is a command: letters, or one sign.
var texCommand = regexp.MustCompile(`(?s)\\([A-Za-z@]+|.|$)`)

// formulas are commands that set formulas, beside those that stand for characters.
var formulas = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(`frac dfrac tfrac cfrac binom dbinom tbinom sqrt root of hat bar tilde vec dot ddot acute grave breve check mathring
		widehat widetilde overline overbrace underbrace overrightarrow overleftarrow overset underset stackrel substack not left right middle
		big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits
		boldsymbol bm pmb mathnormal mathbin mathrel mathop mathord mathopen mathclose mathpunct mathstrut over choose atop pmod bmod pod
		arccos arcsin arctan arg cosh cot coth csc deg gcd hom lg liminf limsup Pr sec sinh tanh injlim projlim varinjlim varprojlim
		iint iiint oint coprod bigcup bigcap bigsqcup bigvee bigwedge bigoplus bigotimes bigodot biguplus uplus sqcup sqcap amalg wr setminus smallsetminus
		ominus oslash odot dagger ddagger triangleleft triangleright bigtriangleup bigtriangledown bigcirc diamond Diamond Box blacksquare lhd rhd unlhd unrhd
		prec succ preceq succeq sqsubset sqsupset sqsubseteq sqsupseteq subsetneq supsetneq nsubseteq dashv vdash vDash models smile frown asymp doteq bowtie Join
		gets hookrightarrow hookleftarrow longleftarrow Longrightarrow Longleftarrow longleftrightarrow Longleftrightarrow longmapsto rightharpoonup rightharpoondown
		leftharpoonup leftharpoondown rightleftharpoons leadsto iff implies impliedby nearrow searrow swarrow nwarrow Uparrow Downarrow updownarrow Updownarrow xrightarrow xleftarrow
		varnothing complement nexists top bot flat natural sharp surd wp imath jmath eth Bbbk gimel beth daleth digamma varkappa clubsuit diamondsuit heartsuit spadesuit
		backslash vert Vert lvert rvert lVert rVert lbrace rbrace lgroup rgroup lmoustache rmoustache ulcorner urcorner llcorner lrcorner colon vdots ddots dotsc dotsb dotsm dotsi dotso
		nless ngtr nleq ngeq nmid nparallel ncong nsim lneq gneq lessgtr gtrless eqsim triangleq thickapprox approxeq therefore because dotplus ltimes rtimes
		thinspace medspace thickspace negthinspace enspace ensuremath mathrm si SI SIrange num unit ang`) {
		out[name] = true
	}
	for _, sign := range `,;:!>|{}[]()-_&$ /'"` + "`^~=." {
		out[string(sign)] = true
	}
	return out
}()

var texEscapes = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\textbraceleft{}`, '}': `\textbraceright{}`, '$': `\$`, '&': `\&`, '#': `\#`, '_': `\_`, '%': `\%`,
	'~': `\textasciitilde{}`, '^': `\textasciicircum{}`, '\u00a0': "~", '–': "--", '—': "---", '`': `\textasciigrave{}`,
}

func escapePlain(b *strings.Builder, s string) {
	var prev rune
	for _, r := range s {
		if splitsLigature(prev, r) {
			b.WriteString("{}")
		}
		if e, ok := texEscapes[r]; ok {
			b.WriteString(e)
		} else if r >= ' ' || r == '\t' {
			b.WriteRune(r)
		}
		prev = r
	}
}

// splitsLigature tells where two characters would be read as one.
func splitsLigature(a, b rune) bool {
	switch b {
	case '-', '–', '—':
		return a == '-' || a == '–' || a == '—'
	case '\'':
		return a == '\''
	}
	return false
}

// balanced reports whether braces pair up, as BibTeX counts them: a backslash before one changes nothing.
func balanced(s string) bool {
	level := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			level++
		case '}':
			if level--; level < 0 {
				return false
			}
		}
	}
	return level == 0
}

// encodeVerbatim writes an address or identifier, which TeX does not read. Braces must pair up all the same.
func encodeVerbatim(s string) string {
	s = strings.ReplaceAll(squeeze(s), `\`, "%5C")
	if !balanced(s) {
		s = strings.NewReplacer("{", "%7B", "}", "%7D").Replace(s)
	}
	return s
}

// decodeVerbatim reads an address or identifier, also where somebody has escaped it as text.
func decodeVerbatim(s string) string {
	s = strings.TrimSpace(s)
	if inner, ok := strings.CutPrefix(s, `\url{`); ok {
		s = strings.TrimSuffix(inner, "}")
	}
	for strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") && balanced(s[1:len(s)-1]) {
		s = s[1 : len(s)-1]
	}
	if strings.Contains(s, `\`) {
		s = verbatimEscapes.Replace(s)
	}
	return squeeze(brokenLine.ReplaceAllString(s, ""))
}

// brokenLine is where an editor has wrapped a long address.
var brokenLine = regexp.MustCompile(`[ \t]*\n[ \t]*`)

var verbatimEscapes = strings.NewReplacer(`{\_}`, "_", `{\%}`, "%", `{\&}`, "&", `{\#}`, "#", `{\textasciitilde}`, "~", `\textasciitilde{}`, "~", `\textasciitilde `, "~",
	`{\textunderscore}`, "_", `\textunderscore{}`, "_", `\textbackslash{}`, "%5C", `\textless{}`, "<", `\textgreater{}`, ">",
	`\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", `\$`, "$", `\~{}`, "~", `\~`, "~", `\{`, "{", `\}`, "}", `\`, "%5C")
