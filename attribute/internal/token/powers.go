package token

import (
	"math"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

// longestPower bounds how far a number in the notation of science or of TeX is read.
const longestPower = 64

// power reads a number that is written as a multiple of a power of ten, and where it ends: 3.2×10^5, 3.2\times10^{5}, 3.2 · 10⁵, 10⁻³, 5e-7. end is 0
// where none stands at the start of s.
func power(s string) (value float64, end int) {
	s = s[:min(len(s), longestPower)]
	n := decimals(s)
	if n == 0 {
		return 0, 0
	}
	value, err := strconv.ParseFloat(pointed(s[:n]), 64)
	if err != nil {
		return 0, 0
	}
	if rest := s[n:]; len(rest) > 1 && rest[0]|0x20 == 'e' {
		exponent, to := signed(rest[1:])
		if signedOrPoint := rest[1] == '-' || rest[1] == '+' || strings.Contains(s[:n], "."); to > 0 && signedOrPoint && !wordAt(rest[1+to:]) {
			return value * math.Pow10(exponent), n + 1 + to // 5e7 alone may be the name of something
		}
		return 0, 0
	}
	at := n
	if s[:n] == "10" {
		at, value = 0, 1
	} else if at = multiplied(s, n); at == 0 {
		return 0, 0
	}
	exponent, to := raised(s[at:])
	if to == 0 {
		return 0, 0
	}
	return value * math.Pow10(exponent), at + to
}

// multiplied is where the ten behind a sign of multiplication stands, 0 where none follows at n.
func multiplied(s string, n int) int {
	rest := strings.TrimLeft(s[n:], " ")
	for _, sign := range []string{"×", "·", "⋅", "*", "x", `\times`, `\cdot`} {
		if behind, ok := strings.CutPrefix(rest, sign); ok {
			return len(s) - len(strings.TrimLeft(behind, " "))
		}
	}
	return 0
}

// raised reads the exponent of a ten at the start of s, and where it ends: 10^5, 10^{-5}, 10⁵.
func raised(s string) (exponent, end int) {
	rest, ok := strings.CutPrefix(s, "10")
	if !ok {
		return 0, 0
	}
	if behind, ok := strings.CutPrefix(rest, "^"); ok {
		inner, braced := strings.CutPrefix(behind, "{")
		exponent, n := signed(inner)
		end := len(s) - len(inner) + n
		switch {
		case n == 0:
			return 0, 0
		case !braced:
			return exponent, end
		case strings.HasPrefix(s[end:], "}"):
			return exponent, end + 1
		}
		return 0, 0
	}
	plain := strings.Builder{}
	end = 2
	for i, r := range rest {
		digit, ok := superscripts[r]
		if !ok || r == '⁻' && i > 0 {
			break
		}
		plain.WriteByte(digit)
		end = 2 + i + len(string(r))
	}
	exponent, n := signed(plain.String())
	if n == 0 {
		return 0, 0
	}
	return exponent, end
}

var superscripts = map[rune]byte{'⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9', '⁻': '-'}

// signed reads a whole number of at most two digits with its sign, and its length, 0 where none stands at the start of s.
func signed(s string) (value, n int) {
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "+"), "−")
	if len(rest) == len(s) {
		rest = strings.TrimPrefix(s, "-")
	}
	digits := decimals(rest)
	value, err := strconv.Atoi(rest[:digits])
	if err != nil || digits > 2 {
		return 0, 0
	}
	if head := s[:len(s)-len(rest)]; head == "-" || head == "−" {
		value = -value
	}
	return value, len(s) - len(rest) + digits
}

// decimals is the length of the digits at the start of s, with points and commas between them.
func decimals(s string) int {
	n := 0
	for i := range len(s) {
		if IsDigit(rune(s[i])) {
			n = i + 1
		} else if s[i] != '.' && s[i] != ',' || n < i || n == 0 {
			break
		}
	}
	return n
}

func wordAt(s string) bool { return s != "" && WordRune(rune(s[0])) }

// fraction reads a fraction of TeX and where it ends: \frac12, \frac{3}{4}. end is 0 where none stands at the start of s.
func fraction(s string) (value float64, end int) {
	s = s[:min(len(s), longestPower)]
	rest := ""
	for _, head := range []string{`\frac`, `\dfrac`, `\tfrac`} {
		if behind, ok := strings.CutPrefix(s, head); ok {
			rest = behind
		}
	}
	if rest == "" {
		return 0, 0
	}
	part := func() float64 {
		inner, braced := strings.CutPrefix(rest, "{")
		n := 0
		if braced {
			n = strings.IndexByte(inner, '}')
		} else if inner = strings.TrimLeft(inner, " "); inner != "" {
			n = 1
		}
		if n <= 0 {
			return math.NaN()
		}
		v, err := strconv.ParseFloat(inner[:n], 64)
		if err != nil {
			return math.NaN()
		}
		if rest = inner[n:]; braced {
			rest = rest[1:]
		}
		return v
	}
	if value = part() / part(); math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, 0
	}
	return value, len(s) - len(rest)
}

func startsFraction(s string) bool { _, end := fraction(s); return end > 0 }

// formula is the place of the dollar sign that ends the formula of TeX at the start of s, 0 where none does: $3\times10^5$ is no money, and \$5 and \$7 are.
func formula(s string) int {
	end := strings.IndexAny(s[1:min(len(s), longestPower)], "$\n") + 1
	if end < 2 || s[end] != '$' || s[end-1] == '\\' {
		return 0
	}
	if strings.ContainsAny(s[1:end], `\^`) {
		return end
	}
	return 0
}

// numberToken is a number that is not written as a plain one.
func numberToken(value float64, at ibid.Span) Token {
	return Token{At: at, Key: numberKey(value), Num: value, Kind: Number}
}
