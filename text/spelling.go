package text

// shortest is the shortest word that may be a slip. Butter is no slip for better.
const shortest = 7

// MayBeSlip reports whether a word is one that may be a slip for another at all.
func MayBeSlip(word string) bool { return len(word) >= shortest && latin(word) }

// Misspelt reports whether one word may be a slip for the other: a letter more, a letter less, another letter, or two letters
// swapped. The first letter is the same, as few slips are made there. Short words are never taken for slips, as most of them
// are one letter from another word, nor numbers, nor words of other letters than the plain Latin ones.
func Misspelt(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if !MayBeSlip(a) || !MayBeSlip(b) || len(b)-len(a) > 1 || a[0] != b[0] {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) != len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

func latin(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}
