package csl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Words that title case leaves small unless they begin or end a title.
var stopWords = makeSet(`a about above according across afore after against al along alongside amid amidst among amongst an and
anenst apropos apud around as aside astride at athwart atop barring because before behind below beneath beside besides between beyond
but by c ca circa close d' de despite down due during et except far for forenenst from given in inside instead into lest
like modulo near next nor notwithstanding of off on onto or out outside over per plus prior pro pursuant qua rather regardless sans since so
such than that the through throughout thru thruout till to toward towards under underneath until unto up upon v v. van versus via
vis-à-vis von vs vs. with within without yet`)

// Of the words above, these are small only in front of their partner: "according to", but "According".
var stopPairs = map[string]string{
	"according": "to", "because": "of", "close": "to", "due": "to", "far": "from", "instead": "of", "outside": "of", "prior": "to",
	"pursuant": "to", "rather": "than", "regardless": "of", "such": "as", "that": "of",
}

func makeSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// leaf is a run of text in a tree, with whether its capitals are protected.
type leaf struct {
	n    *node
	keep bool
}

func leaves(n *node, keep bool, out []leaf) []leaf {
	if n == nil {
		return out
	}
	if n.kind == kNoCase || n.kind == kNoDecor || n.format != nil && (n.format == fmtSup || n.format == fmtSub || n.format == fmtCaps) {
		keep = true
	}
	if n.kind == kText {
		return append(out, leaf{n, keep})
	}
	for _, k := range n.kids {
		out = leaves(k, keep, out)
	}
	return out
}

// applyCase changes the capitals of a tree's text in place. Title case is for English alone.
func applyCase(n *node, textCase string, english bool, lang string) {
	if textCase == "" || n == nil {
		return
	}
	runs := leaves(n, false, nil)
	switch textCase {
	case "lowercase":
		eachRun(runs, func(s string) string { return lower(s, lang) })
	case "uppercase":
		eachRun(runs, func(s string) string { return upper(s, lang) })
	case "capitalize-first":
		capitalizeFirst(runs)
	case "capitalize-all":
		capitalizeAll(runs)
	case "sentence":
		sentenceCase(runs)
	case "title":
		if english {
			titleCase(runs)
		}
	}
}

func eachRun(runs []leaf, change func(string) string) {
	for _, r := range runs {
		if !r.keep {
			r.n.text = change(r.n.text)
		}
	}
}

func lower(s, lang string) string {
	if strings.HasPrefix(lang, "tr") || strings.HasPrefix(lang, "az") {
		return cases.Lower(language.Make(lang)).String(s)
	}
	return strings.ToLower(s)
}

func upper(s, lang string) string {
	if strings.HasPrefix(lang, "tr") || strings.HasPrefix(lang, "az") || strings.HasPrefix(lang, "el") {
		return cases.Upper(language.Make(lang)).String(s)
	}
	if strings.Contains(s, "ß") {
		return cases.Upper(language.Und).String(s)
	}
	return strings.ToUpper(s)
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	u := unicode.ToUpper(r)
	if u == r || size == 0 {
		return s
	}
	return string(u) + s[size:]
}

// capitalizeFirst raises the first letter of the first word, if that word is small throughout.
func capitalizeFirst(runs []leaf) {
	for _, r := range runs {
		at := strings.IndexFunc(r.n.text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
		if at < 0 {
			continue
		}
		if r.keep {
			return
		}
		word := r.n.text[at:]
		end := strings.IndexFunc(word, unicode.IsSpace)
		if end < 0 {
			end = len(word)
		}
		if isLower(word[:end]) {
			r.n.text = r.n.text[:at] + upperFirst(word)
		}
		return
	}
}

func isLower(s string) bool { return strings.IndexFunc(s, unicode.IsUpper) < 0 }

func hasLower(s string) bool { return strings.IndexFunc(s, unicode.IsLower) >= 0 }

func hasWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// goesOn reports whether the first word of a run is the rest of a word that the run before began, as "ayesian" is
// behind a protected "B".
func goesOn(runs []leaf, i int) bool {
	if i <= 0 || i >= len(runs) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(runs[i-1].n.text)
	first, _ := utf8.DecodeRuneInString(runs[i].n.text)
	return inWord(last) && (inWord(first) || first == '\'' || first == '’')
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

func capitalizeAll(runs []leaf) {
	for i, r := range runs {
		if r.keep {
			continue
		}
		words := strings.Split(r.n.text, " ")
		for k, w := range words {
			if isLower(w) && (k > 0 || !goesOn(runs, i)) {
				words[k] = upperFirst(w)
			}
		}
		r.n.text = strings.Join(words, " ")
	}
}

func allUpper(runs []leaf) bool {
	letters := false
	for _, r := range runs {
		if r.keep {
			continue
		}
		if hasLower(r.n.text) {
			return false
		}
		letters = letters || strings.IndexFunc(r.n.text, unicode.IsUpper) >= 0
	}
	return letters
}

// sentenceCase lowers words that are merely capitalized; those with capitals inside ("iPad", "NATO") stay, unless
// everything is in capitals.
func sentenceCase(runs []leaf) {
	shout := allUpper(runs)
	first := true
	for _, r := range runs {
		if r.keep {
			first = first && !hasWord(r.n.text)
			continue
		}
		r.n.text = mapWords(r.n.text, func(w string) string {
			switch {
			case shout:
				w = strings.ToLower(w)
			case first:
			case capitalized(w):
				w = strings.ToLower(w)
			}
			if first && hasWord(w) {
				if isLower(w) {
					w = raise(w)
				}
				first = false
			}
			return w
		})
	}
}

func capitalized(w string) bool {
	r, size := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r) && isLower(w[size:]) && (len(w) > size || w == "A")
}

// raise gives a word a capital at its first letter.
func raise(w string) string {
	at := strings.IndexFunc(w, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
	if at < 0 {
		return w
	}
	return w[:at] + upperFirst(w[at:])
}

func mapWords(s string, change func(string) string) string {
	var b strings.Builder
	for len(s) > 0 {
		end := strings.IndexFunc(s, unicode.IsSpace)
		if end < 0 {
			end = len(s)
		}
		if end > 0 {
			b.WriteString(change(s[:end]))
			s = s[end:]
			continue
		}
		_, size := utf8.DecodeRuneInString(s)
		b.WriteString(s[:size])
		s = s[size:]
	}
	return b.String()
}

// titleWord is a word of a title, between spaces, hyphens, slashes and dashes.
type titleWord struct {
	run, start, end int
	before          rune   // the character in front, 0 at the very start
	whole           string // with the rest of it, where the next run goes on with the word
	rest            bool   // goes on with a word that the run before began
}

func titleCase(runs []leaf) {
	if shout := allUpper(runs); shout && strings.ContainsRune(joinRuns(runs), ' ') {
		// A title in capitals throughout keeps them: which of its words are acronyms cannot be told.
		return
	}
	var words []titleWord
	for i, r := range runs {
		words = splitTitle(r.n.text, i, words)
	}
	words = joinTitle(runs, words)
	last := -1
	for i, w := range words {
		if !w.rest && hasWord(w.whole) {
			last = i
		}
	}
	changed := make([]strings.Builder, len(runs))
	at := make([]int, len(runs))
	begins := true // the next word begins the title or a part of it
	for i, w := range words {
		text := runs[w.run].n.text
		word := text[w.start:w.end]
		out := word
		if !runs[w.run].keep && !w.rest {
			next, end := "", w
			for _, n := range words[i+1:] {
				if !n.rest {
					next = n.whole
					break
				}
				end = n
			}
			hyphen := strings.HasPrefix(runs[end.run].n.text[end.end:], "-")
			if raised(w.whole, next, begins || i == last, w.before == '-', hyphen) {
				out = raise(word)
			}
		}
		changed[w.run].WriteString(text[at[w.run]:w.start])
		changed[w.run].WriteString(out)
		at[w.run] = w.end
		if hasWord(word) {
			begins = false
		}
		rest := text[w.end:]
		trimmed := strings.TrimRight(word, `"'”’)]`)
		if c, _ := utf8.DecodeLastRuneInString(trimmed); strings.ContainsRune(":?!", c) && (rest == "" || rest[0] == ' ' || strings.HasPrefix(rest, "\u00a0")) {
			begins = true
		}
		if rest == "" && w.run+1 < len(runs) {
			next := strings.TrimLeft(runs[w.run+1].n.text, `"'”’)]`)
			if next != "" && strings.ContainsRune(":?!", rune(next[0])) {
				begins = false // decided when that punctuation is met as a word of its own
			}
		}
	}
	for i, r := range runs {
		if !r.keep {
			changed[i].WriteString(r.n.text[at[i]:])
			r.n.text = changed[i].String()
		}
	}
}

func joinRuns(runs []leaf) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.n.text)
	}
	return b.String()
}

func splitTitle(s string, run int, out []titleWord) []titleWord {
	var before rune
	start := -1
	for i, r := range s {
		cut := unicode.IsSpace(r) || r == '-' || r == '/' || r == '–' || r == '—'
		if cut {
			if start >= 0 {
				out = append(out, titleWord{run: run, start: start, end: i, before: before})
				start = -1
			}
			before = r
			continue
		}
		if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		out = append(out, titleWord{run: run, start: start, end: len(s), before: before})
	}
	return out
}

// joinTitle finds the words that marks cut: "{B}ayesian" is one.
func joinTitle(runs []leaf, words []titleWord) []titleWord {
	head := 0
	for i := range words {
		w := &words[i]
		w.whole = runs[w.run].n.text[w.start:w.end]
		w.rest = w.start == 0 && goesOn(runs, w.run)
		if w.rest {
			words[head].whole += w.whole
		} else {
			head = i
		}
	}
	return words
}

// raised reports whether a word of a title should have a capital that it has not.
func raised(word, next string, edge, afterHyphen, beforeHyphen bool) bool {
	if !isLower(word) || !hasWord(word) {
		return false
	}
	at := strings.IndexFunc(word, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
	bare := strings.TrimRight(word[at:], ".,;:!?)]”’\"'")
	if afterHyphen && utf8.RuneCountInString(bare) == 1 {
		return false
	}
	c, _ := utf8.DecodeRuneInString(word[at:])
	if c > 0x24f {
		return false // not a Latin letter: "β"
	}
	if !edge && (!beforeHyphen || afterHyphen) && (stopWords[bare] || stopWords[word]) {
		partner := stopPairs[bare]
		if partner == "" || partner == next {
			return false
		}
	}
	return true
}
