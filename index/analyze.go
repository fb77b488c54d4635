package index

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/text"
	"golang.org/x/text/unicode/norm"
)

// analyzer is the version of everything in this file. An index made by another version is built again, as its terms would
// not meet those of a question.
const analyzer = 2

// maxWord bounds a term. What is longer is no word that anyone types, but data; its beginning stands for it.
const maxWord = 64

// eachWord gives the words of s in order, in lower case and without accents: letters and digits, with
// the points within them. Scripts that write without spaces give each pair of neighbours. The slice is only good
// until the next call.
func eachWord(s string, f func(word []byte)) {
	var buf [4 * maxWord]byte
	word := buf[:0]
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf { // most text, most of the time
			switch {
			case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
				word = append(word, c)
			case 'A' <= c && c <= 'Z':
				word = append(word, c+'a'-'A')
			case !joins(s, i, word):
				word = flush(word, f)
			case c == '.' && digit(s[i-1]):
				word = append(word, c)
			}
			i++
			if len(word) > 3*maxWord {
				word = flush(word, f)
			}
			continue
		}
		end := foreignRun(s, i)
		word = foreign(word, s[i:end], f)
		i = end
	}
	flush(word, f)
}

func flush(word []byte, f func([]byte)) []byte {
	if len(word) > 0 {
		f(word[:min(len(word), maxWord)])
	}
	return word[:0]
}

// joins reports whether the stop or comma at i is inside of a word or number: 3.14, 1,000, U.S. (only the first is kept).
func joins(s string, i int, word []byte) bool {
	if len(word) == 0 || i+1 >= len(s) {
		return false
	}
	before, after := s[i-1], s[i+1]
	switch s[i] {
	case '.':
		if digit(before) {
			return digit(after) && !bytes.ContainsRune(word, '.')
		}
		return letter(after) && (i+2 == len(s) || !letter(s[i+2])) && letter(before) && (i < 2 || !letter(s[i-2]))
	case ',':
		return digit(before) && len(s) > i+3 && digit(after) && digit(s[i+2]) && digit(s[i+3]) && (len(s) == i+4 || !digit(s[i+4]))
	}
	return false
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf }

func digit(c byte) bool { return '0' <= c && c <= '9' }

// foreignRun ends behind the characters from i on that are not ASCII.
func foreignRun(s string, i int) int {
	for i < len(s) && s[i] >= utf8.RuneSelf {
		i++
	}
	return i
}

// foreign continues a word with characters that are not ASCII.
func foreign(word []byte, s string, f func([]byte)) []byte {
	pair := rune(0) // the neighbour before, in a script without spaces
	single := false // it has not been part of a pair yet
	closePair := func() {
		if pair != 0 && single {
			f(utf8.AppendRune(nil, pair))
		}
		pair = 0
	}
	for _, r := range plain(s) {
		switch {
		case unspaced(r):
			word = flush(word, f)
			if pair != 0 {
				f(utf8.AppendRune(utf8.AppendRune(nil, pair), r))
			}
			single = pair == 0
			pair = r
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			closePair()
			word = utf8.AppendRune(word, unicode.ToLower(r))
			if len(word) > 3*maxWord {
				word = flush(word, f)
			}
		case r == '\u00ad' || r == '\u200d' || r == '\u200c': // within a word, and not part of it
		default:
			closePair()
			word = flush(word, f)
		}
	}
	closePair()
	return word
}

// plain takes the accents off. What is no accent is put together again: the voice of a kana and the parts of a Korean syllable
// tell words apart, and pairs are of whole characters.
func plain(s string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if accent(r) {
			return -1
		}
		return r
	}, norm.NFKD.String(s)))
}

// accent reports whether a mark only colours the letter before it: those of Latin, Greek and Cyrillic, and the vowel
// signs that Arabic and Hebrew mostly leave out.
func accent(r rune) bool {
	return 0x300 <= r && r <= 0x36f || 0x64b <= r && r <= 0x652 || 0x591 <= r && r <= 0x5c7
}

// unspaced reports whether the script writes words without spaces between them, or, as Korean, with endings that only
// pairs can see through.
func unspaced(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// stem gives what the forms of an English word have in common. Numbers and other scripts stay as they are.
func stem(word string) string {
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return word
		}
	}
	if len(word) < 3 {
		return word
	}
	return text.Stem(word)
}

// stopWords carry a question, not its subject.
func stopWords() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`a an the this that these those there here it its they them their theirs he him his she her hers we our ours
		you your yours i me my mine who whom whose which what when where why how is am are was were be been being do does did doing done
		have has had having can could will would shall should may might must of in on at by to from for with without about as into onto
		and or but nor not no so if then than too very just also only own same such any some all each every both either neither more most
		other another much many few s t d ll m re ve don didn doesn isn aren wasn weren won wouldn shouldn couldn hasn haven hadn
		up down out off over under again further once during before after between through because while until
		tell please give show explain describe mean means`) {
		set[w] = true
	}
	return set
}
