package attribute

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// toTheLetter notes whether the segment stands in the best window word for word, as whole sentences or clauses or torn out of
// one. Words alone do not tell: -5 and 5, C# and C, 2.10 and 2.1 are the same to them.
func (t *turn) toTheLetter(s *segment, e *evidence) {
	if e.value[fVerbatim3] < 1 || e.value[fRun] < 1 {
		return
	}
	copied, torn, other := t.copied(s, e.best.window)
	switch {
	case copied && !torn:
		e.value[fLetters] = 1
		if i := slices.IndexFunc(e.shown, func(a alignment) bool { return a.passage == e.best.passage }); i > 0 && e.shown[i].fit >= e.shown[0].fit-0.2 {
			quoted := e.shown[i] // before sources that say about as much
			copy(e.shown[1:i+1], e.shown[:i])
			e.shown[0] = quoted
		}
	case copied:
		e.value[fTorn] = 1
		if other != "" && !slices.ContainsFunc(e.others, func(a alignment) bool { return a.strict >= 0.9 }) { // another source may say it by itself
			e.value[fOther], e.other = 1, other
		}
	}
}

// wholeFirst puts a window first that has the segment as whole sentences, before others that cover it as well.
func (t *turn) wholeFirst(s *segment, all []alignment) {
	for i := 0; i < len(all) && all[i].strict > 0.999 && rank(&all[i]) >= rank(&all[0])-1e-9; i++ {
		if copied, torn, _ := t.copied(s, all[i].window); copied && !torn {
			all[0], all[i] = all[i], all[0]
			return
		}
	}
}

// copied reports whether the segment stands in a window to the letter, whether it was torn out of a longer sentence wherever it
// stands there, and what is not the same about it then.
func (t *turn) copied(s *segment, w window) (copied, torn bool, other string) {
	at := t.span(w)
	if start := t.sentences[w.from].start; t.sentences[w.to-1].end > start+maxWords { // a sentence without an end
		at.End = int(t.tokens[start+maxWords].start)
	}
	mine, theirs := written(s.text), written(at.In(t.passages[w.passage].Chunk.Text))
	if len(mine) == 0 {
		return false, false, ""
	}
	_, n := utf8.DecodeRuneInString(mine[0].text) // a sentence may begin in the middle of another
	same := func(a, b asWritten) bool { return a.text == b.text }
	for i := 0; i+len(mine) <= len(theirs); i++ {
		first := theirs[i].text
		if len(first) < n || !strings.EqualFold(mine[0].text[:n], first[:n]) || mine[0].text[n:] != first[n:] || !slices.EqualFunc(mine[1:], theirs[i+1:i+len(mine)], same) {
			continue
		}
		before, words, after := t.cutOut(w, ibid.Span{Start: theirs[i].at.Start, End: theirs[i+len(mine)-1].at.End}.Shift(at.Start))
		if !tornBefore(before) && !tornAfter(words, after) {
			return true, false, ""
		}
		here := ""
		switch {
		case ofAnother(before):
			here = "said of something else"
		case conditional(before, after):
			here = "said under a condition"
		}
		if !copied || here == "" {
			other = here
		}
		copied, torn = true, true
	}
	return copied, torn, other
}

// asWritten is a word of a text as it is written, without the marks around it and the commas in it.
type asWritten struct {
	text string
	at   ibid.Span
}

func written(s string) []asWritten {
	var out []asWritten
	for start := 0; start < len(s); {
		gap := strings.IndexFunc(s[start:], func(r rune) bool { return !apart(r) })
		if gap < 0 {
			break
		}
		start += gap
		end := len(s)
		if n := strings.IndexFunc(s[start:], apart); n >= 0 {
			end = start + n
		}
		w := s[start:end]
		if strings.ContainsFunc(w, func(r rune) bool { return !token.WordRune(r) }) { // most have no mark
			w = strings.Trim(marks.Replace(w), ".:")
		}
		if w != "" {
			out = append(out, asWritten{w, ibid.Span{Start: start, End: end}})
		}
		start = end
	}
	return out
}

// apart reports whether a rune stands between words.
func apart(r rune) bool { return unicode.IsSpace(r) || r == '—' }

var marks = strings.NewReplacer(",", "", ";", "", "!", "", "?", "", "(", "", ")", "", "[", "", "]", "", "…", "", "`", "", "**", "", "–", "-", "−", "-", "‑", "-",
	"\"", "", "“", "", "”", "", "«", "", "»", "", "‘", "'", "’", "'")

// cutOut gives the words at a place of a window, and what stands before and after them in their sentences.
func (t *turn) cutOut(w window, at ibid.Span) (before, words, after string) {
	text := t.passages[w.passage].Chunk.Text
	for _, s := range t.sentences[w.from:w.to] {
		if s.at.Start <= at.Start && at.Start < s.at.End {
			before = text[s.at.Start:at.Start]
		}
		if s.at.Start < at.End && at.End <= s.at.End {
			after = text[at.End:s.at.End]
		}
	}
	return before, at.In(text), after
}

// ofAnother reports whether a quotation begins with what only tells more of the word before it, of which the sentence speaks:
// "Microsoft was established in 1991" of "The Irish office of Microsoft was established in 1991".
func ofAnother(before string) bool {
	words := strings.Fields(strings.ToLower(before))
	n := len(words)
	if n < 2 {
		return false
	}
	what := words[n-2]
	if r, _ := utf8.DecodeLastRuneInString(what); !unicode.IsLetter(r) {
		return false
	}
	switch words[n-1] {
	case "of":
		return !slices.Contains(counting, what) && !slices.Contains(kinds, what)
	case "in", "for", "from", "with", "at", "by", "near", "behind", "against", "outside":
		return n >= 3 && slices.Contains([]string{"a", "an", "the"}, words[n-3]) && !strings.HasSuffix(what, "s")
	}
	return false
}

// conditional reports whether a sentence says only under a condition what was cut out of it.
func conditional(before, after string) bool {
	words := strings.Fields(strings.ToLower(before))
	n := len(words)
	if n > 0 && strings.HasSuffix(words[n-1], ",") {
		for i, w := range words {
			if slices.Contains(supposing, w) && (i == 0 || strings.HasSuffix(words[i-1], ",") || slices.Contains(joining, words[i-1])) {
				return true
			}
		}
	}
	after = strings.ToLower(strings.TrimSpace(after))
	return n > 0 && words[n-1] == "whether" || strings.HasPrefix(after, "unless ") || strings.HasPrefix(after, "as long as ")
}

var (
	// counting are words that only say how many there are of what follows.
	counting = strings.Fields(`group groups number numbers pair lot lots majority most some one two three many all each both couple team half third quarter rest kind type part percent few series
		members thousands hundreds millions billions tens dozens dozen scores total handful variety range crowd set plenty bulk host bunch array`)
	// kinds are words for what the name behind "of" is itself, or for what is said of it in the same breath.
	kinds = strings.Fields(`city town village island state province county kingdom republic port month game process practice art sport genus species government people name university country commonwealth
		district region price shares use`)
)

// tornBefore reports whether what stands before a quotation in its sentence belongs to it: all but what ends in a mark, and of
// that what a comma ends where it sets a condition or takes a distance.
func tornBefore(before string) bool {
	before = strings.TrimRightFunc(before, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"“”«»‘'([*_`", r) })
	words := strings.Fields(strings.ToLower(before))
	if n := len(words); n > 0 && slices.Contains(joining, words[n-1]) { // "…, and", "But"
		words = words[:n-1]
		before = strings.Join(words, " ")
	}
	switch {
	case before == "":
		return false
	case strings.HasSuffix(before, ","):
		return slices.ContainsFunc(words, reserving)
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("'’%$€£)]", r)
}

// tornAfter reports whether what stands behind the words of a quotation in its sentence belongs to them: all but what a mark parts
// from them or what only adds to the clause, and of that what sets a condition.
func tornAfter(words, after string) bool {
	r, _ := utf8.DecodeLastRuneInString(words)
	after = strings.TrimSpace(after)
	parted := strings.ContainsRune(".,;:!?…)]\"”»’", r)
	if !parted {
		if strings.IndexFunc(after, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
			return false
		}
		first, _ := utf8.DecodeRuneInString(after)
		parted = strings.ContainsRune("—–-:;,.)(", first)
	}
	then := strings.Fields(strings.ToLower(after))
	if len(then) == 0 {
		return false
	}
	next := strings.Trim(then[0], ",")
	return !parted && !slices.Contains(goingOn, next) || slices.Contains(conditions, next)
}

var (
	// goingOn begin what only adds to a clause.
	goingOn    = strings.Fields("in on at by for with from during after before under over through across among near since which who whose where when while")
	joining    = []string{"and", "but", "so", "however,", "while", "because", "although", "yet", "also", "then"}
	supposing  = []string{"if", "unless", "assuming", "provided", "suppose", "supposing"}
	conditions = []string{"if", "unless", "provided", "except", "only", "until", "assuming", "as", "or"}
)

// reserving reports whether a word before a comma sets a condition or takes distance from what follows.
func reserving(w string) bool {
	switch strings.Trim(w, ",.;:\"'“”") {
	case "if", "unless", "whether", "that", "not", "no", "never", "nobody", "none", "false", "falsely", "wrongly", "myth", "debunked", "theory", "theorists", "novel", "film", "legend", "assuming", "case", "were", "had", "should", "would", "could", "might", "may", "once", "until", "when":
		return true
	}
	return strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t")
}
