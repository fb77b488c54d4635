package text

import (
	"strings"
	"unicode/utf8"
)

// Mender makes text of pieces that were cut without regard to characters: half of one waits for the rest of it, and bytes that
// are none at all become U+FFFD. The pieces that it gives, joined, are the same wherever the input was cut.
type Mender struct{ half string }

// Write takes the next piece, and gives what of it and of what waited is text.
func (m *Mender) Write(delta string) string {
	s := m.half + delta
	end := len(s)
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if last := s[len(s)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRuneInString(last) {
				end -= n
			}
			break
		}
	}
	m.half = s[end:]
	return mended(s[:end])
}

// Close gives what waited for a rest that did not come.
func (m *Mender) Close() string {
	s := mended(m.half)
	m.half = ""
	return s
}

// mended puts U+FFFD for each byte that is no part of a character. A run of them is not taken together: a cut may fall within it.
func mended(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}
