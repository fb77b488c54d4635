package ingest

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// logicalOrder puts a line that was drawn from the left to the right into the order in which it is read. Most programs draw Arabic and
// Hebrew so, beginning with the last letter of the line; numbers and Latin words in them run from the left. Cells are lines of their own.
func logicalOrder(s string) string {
	cells := strings.Split(s, cellGap)
	for i, c := range cells {
		cells[i] = logicalLine([]rune(c))
	}
	return strings.Join(cells, cellGap)
}

func logicalLine(line []rune) string {
	right, left := 0, 0
	for _, r := range line {
		if isRightToLeft(r) {
			right++
		} else if unicode.IsLetter(r) {
			left++
		}
	}
	if right > left {
		return string(turned(line))
	}
	// Latin text with words of the other script within it.
	var out []rune
	for i := 0; i < len(line); {
		if !isRightToLeft(line[i]) {
			out = append(out, line[i])
			i++
			continue
		}
		end := i + 1 // behind the last letter before a Latin one
		for j := end; j < len(line) && (isRightToLeft(line[j]) || !unicode.IsLetter(line[j])); j++ {
			if isRightToLeft(line[j]) {
				end = j + 1
			}
		}
		out = append(out, turned(line[i:end])...)
		i = end
	}
	return string(out)
}

// turned reverses a line but for what runs from the left within it: numbers, and Latin words with what stands between them.
func turned(line []rune) []rune {
	var out []rune
	for end := len(line); end > 0; {
		if !fromLeft(line, end-1) {
			out = append(out, line[end-1])
			end--
			continue
		}
		start := end - 1
		for i := start; i >= 0 && !isRightToLeft(line[i]); i-- {
			if fromLeft(line, i) {
				start = i
			} else if !joinsLeft(line, i) {
				break
			}
		}
		out = append(out, line[start:end]...)
		end = start
	}
	return out
}

// fromLeft: a digit, a Latin letter, or a sign that belongs to the number beside it.
func fromLeft(line []rune, i int) bool {
	r := line[i]
	if unicode.IsDigit(r) || unicode.IsLetter(r) && !isRightToLeft(r) {
		return true
	}
	beside := func(j int) bool { return j >= 0 && j < len(line) && unicode.IsDigit(line[j]) }
	return strings.ContainsRune("%$€£¥°+-", r) && (beside(i-1) || beside(i+1))
}

// joinsLeft: what stands between two words or numbers without a gap, and the space between two Latin words.
func joinsLeft(line []rune, i int) bool {
	if i == 0 || i+1 >= len(line) {
		return false
	}
	before, behind := line[i-1], line[i+1]
	if line[i] == ' ' {
		return latin(before) && latin(behind)
	}
	return fromLeft(line, i-1) && fromLeft(line, i+1)
}

func latin(r rune) bool { return unicode.IsLetter(r) && !isRightToLeft(r) }

func isRightToLeft(r rune) bool {
	return r >= 0x0590 && r < 0x0900 && !unicode.IsDigit(r) || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r < 0xfeff || r >= firstJoined && r < firstJoined+maxJoined
}

// Glyphs that are several letters are single characters of Unicode's private use until their line is in order.
const firstJoined, maxJoined = 0xf0000, 0xfffe

// part puts the letters of such glyphs into their place, and those that were chosen for their shape back to what they are.
func (m *lineMaker) part(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= 0xfb1d }) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		switch i := int(r) - firstJoined; {
		case i >= 0 && i < len(m.joined):
			out.WriteString(norm.NFKC.String(m.joined[i]))
		case r >= 0xfb1d && r < 0xfeff && isRightToLeft(r):
			out.WriteString(norm.NFKC.String(string(r)))
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
