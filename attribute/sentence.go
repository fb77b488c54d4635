package attribute

import (
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// sentences cuts a source into its sentences. A line break ends one too: sources are often pages whose lines stand alone.
func sentences(s string) []ibid.Span {
	var out []ibid.Span
	start := 0
	flush := func(end int) {
		a, b := start, end
		for a < b && (s[a] == ' ' || s[a] == '\n' || s[a] == '\t' || s[a] == '\r') {
			a++
		}
		for b > a && (s[b-1] == ' ' || s[b-1] == '\n' || s[b-1] == '\t' || s[b-1] == '\r') {
			b--
		}
		if b > a {
			out = append(out, ibid.Span{Start: a, End: b})
		}
		start = end
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			flush(i + 1)
		case c == '.' || c == '!' || c == '?':
			j := i + 1
			for j < len(s) {
				r, n := utf8.DecodeRuneInString(s[j:])
				if r != '"' && r != '\'' && r != '”' && r != '’' && r != ')' && r != ']' {
					break
				}
				j += n
			}
			if j >= len(s) || s[j] != ' ' {
				continue
			}
			next, _ := utf8.DecodeRuneInString(s[j+1:])
			if unicode.IsLower(next) || c == '.' && abbreviation(s[start:i]) {
				continue
			}
			flush(j)
			i = j
		}
	}
	flush(len(s))
	return out
}

// abbreviation reports whether a point after these words ends no sentence.
func abbreviation(s string) bool {
	i := len(s)
	for i > 0 && s[i-1] != ' ' && s[i-1] != '(' && s[i-1] != '\n' {
		i--
	}
	w := s[i:]
	if len(w) == 1 && w[0] >= 'A' && w[0] <= 'Z' {
		return true
	}
	switch w {
	case "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Jr", "Sr", "vs", "etc", "No", "Gen", "Sen", "Rep", "Gov", "Lt", "Col", "Sgt", "Capt", "Rev", "e.g", "i.e", "al", "Inc", "Ltd", "Co", "Corp", "U.S", "U.K", "approx", "Fig", "cf", "ca", "c":
		return true
	}
	return false
}
