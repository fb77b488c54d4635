package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// printRows prints rows as lines with aligned columns. On a terminal that is too narrow for them, where lines would break in the
// middle of a column, each row is its first two cells with the others below, or its first cell with all others below it where that
// one takes more than a third of the line.
func (a *app) printRows(rows [][]string) {
	p := a.paint()
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(c))
		}
	}
	total := 2 * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for _, row := range rows {
		if !a.terminal || total <= p.width {
			io.WriteString(a.out, aligned(row, widths)+"\n")
			continue
		}
		f := p.flowing(a.out, "")
		if widths[0] > p.width/3 {
			f.indent = "    "
			f.add(plain, row[0])
			f.newline()
			f.add(plain, row[1])
		} else {
			f.indent = strings.Repeat(" ", widths[0]+2)
			f.add(plain, padded(row[0], widths[0])+"  "+row[1])
		}
		if below := join(" · ", row[2:]...); below != "" {
			f.newline()
			f.add(plain, below)
		}
		io.WriteString(a.out, "\n")
	}
}

// row begins a line of a list. On a terminal that is too narrow for it the rest stands below, behind the hang; without a terminal it
// is one line, for grep and the like.
func (a *app) row(hang string) *flow {
	p := a.paint()
	if !a.terminal {
		p.width = math.MaxInt
	}
	f := p.flowing(a.out, "")
	f.indent = hang
	return f
}

// line prints a row that is plain all through.
func (a *app) line(hang, format string, args ...any) {
	a.row(hang).add(plain, fmt.Sprintf(format, args...)+"\n")
}

func aligned(row []string, widths []int) string {
	var b strings.Builder
	for i, c := range row {
		b.WriteString(padded(c, widths[i]) + "  ")
	}
	return strings.TrimRight(b.String(), " ")
}

func padded(s string, n int) string { return s + strings.Repeat(" ", max(0, n-columns(s))) }

// columns is how much of a line a text takes on a terminal: Chinese, Japanese and Korean characters take two columns each, and
// marks on other letters none.
func columns(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case wide(r):
			n += 2
		case !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
			n++
		}
	}
	return n
}

func wide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

// mayBreak reports whether a line may end between two characters that no blank parts: beside those of scripts without blanks, but
// not before what closes and not behind what opens.
func mayBreak(before, behind rune) bool {
	if !wide(before) && !wide(behind) {
		return false
	}
	return (unicode.IsLetter(behind) || unicode.IsDigit(behind) || unicode.In(behind, unicode.Ps, unicode.Pi)) && !unicode.Is(unicode.Lm, behind) && !unicode.In(before, unicode.Ps, unicode.Pi)
}
