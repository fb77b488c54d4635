package token

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// TongueOf tells by its small words which language a text is in, or where there are few of them, may be in: then it is not sure.
func TongueOf(s string) (g *Tongue, sure bool) {
	e := ear{heard: tongues().heard}
	e.listen(s[letterhead(s):])
	if e.characters > 2*e.words {
		return withoutBlanks(e.unspaced).learn(), true
	}
	all, best := tongues().all, 0
	for k := range all {
		if e.counts[k] > e.counts[best] {
			best = k
		}
	}
	switch n, alone := e.counts[best], e.english-e.shared[best]; {
	case n > 2*e.english && n > 1 && 16*n >= e.words:
		for k, most := 0, -1; k < len(all); k++ { // languages that are near have many small words in common
			if 5*e.counts[k] < 4*n {
				continue
			}
			if _, here, _ := all[k].learn().count(Clip(s, 600)); here > most {
				best, most = k, here
			}
		}
		return all[best], true
	case n > 0 && alone == 0:
		return all[best], false
	default:
		return nil, 2*e.english > n && e.english > 1
	}
}

// letterhead is where a letter begins behind the lines over it, "To: Eva", which are in English whatever the letter is in: 0 where
// nothing follows them, or other lines stand among them.
func letterhead(s string) int {
	at := 0
	for line := range strings.Lines(Clip(s, 1000)) {
		at += len(line)
		if line = strings.TrimSpace(line); line == "" {
			if strings.TrimSpace(s[at:]) != "" {
				return at
			}
			return 0
		}
		if name, _, ok := strings.Cut(line, ":"); !ok || strings.ContainsAny(name, " \t") {
			return 0
		}
	}
	return 0
}

// ear counts what tells the language of a text.
type ear struct {
	heard      map[string]uint32
	counts     [32]int // small words of each language
	shared     [32]int // those among them that are English, too
	english    int     // small words of English
	words      int
	characters int    // of scripts that put no blanks between words
	unspaced   string // the text from the first of these on
	named      bool   // the last word that was not small has a capital
	run        []uint32
}

// listen reads the first few hundred words and signs.
func (e *ear) listen(s string) {
	for i, read := 0, 0; i < len(s) && read < 300; read++ {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case !unicode.IsLetter(r):
		case Spaceless(r):
			if e.characters++; e.unspaced == "" {
				e.unspaced = s[i:]
			}
		default:
			for i+n < len(s) {
				r, size := utf8.DecodeRuneInString(s[i+n:])
				if !WordRune(r) || Spaceless(r) {
					break
				}
				n += size
			}
			e.hear(s[i : i+n])
		}
		i += n
	}
	e.settle()
}

// hear counts a word. Small words of a name count for nothing, as in Santiago de los Caballeros.
func (e *ear) hear(word string) {
	e.words++
	if len(word) > 24 {
		return
	}
	low := strings.ToLower(word)
	bits := e.heard[low]
	if classes[low].Has(Stop) {
		e.english++
		add(&e.shared, bits)
	}
	if bits != 0 && ofNames[low] {
		e.run = append(e.run, bits)
		return
	}
	add(&e.counts, bits)
	capital := startsUpper(word)
	if e.named && capital {
		e.run = e.run[:0]
	}
	e.settle()
	e.named = capital
}

// settle counts the small words that stand in no name.
func (e *ear) settle() {
	for _, bits := range e.run {
		add(&e.counts, bits)
	}
	e.run = e.run[:0]
}

// add counts a word for the languages that have it.
func add(to *[32]int, bits uint32) {
	for k := 0; bits != 0; bits, k = bits>>1, k+1 {
		to[k] += int(bits & 1)
	}
}

// ofNames are small words that stand in names.
var ofNames = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("de la los las el y e i von van der den da do dos das du di del della le les ten ter af av") {
		m[w] = true
	}
	return m
}()

// Knows reports whether the language has most words of a text, of which English has few.
func (g *Tongue) Knows(s string) bool {
	all, here, english := g.learn().count(s)
	return all >= 2 && 4*here >= 3*all && 2*english <= all && here > english
}

// count tells how many words a text has, and how many of them the language and English know.
func (g *Tongue) count(s string) (all, here, english int) {
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return !WordRune(r) }) {
		if IsDigit(rune(f[0])) {
			continue
		}
		all++
		if _, ok := g.says(f); ok {
			here++
		}
		low, _, _ := fold(f)
		if classes[low] != 0 {
			english++
		} else if _, ok := Rarity(Normal(low)); ok {
			english++
		}
	}
	return all, here, english
}

// withoutBlanks is the language of a text whose words stand without blanks: Japanese where syllables stand among its characters, else Chinese.
func withoutBlanks(s string) *Tongue {
	all := tongues().all
	for _, r := range Clip(s, 300) {
		if unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			return all[len(all)-2]
		}
	}
	return all[len(all)-1]
}
