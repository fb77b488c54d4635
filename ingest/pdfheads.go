package ingest

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// dropRunningHeads removes what stands at the head or foot of page after page: the same words, or the same but for a
// number. Only the outermost two lines of a page can be such, and only where at least three pages agree, or where they
// count the pages.
func (d *pdfText) dropRunningHeads() {
	if len(d.pages) < 2 {
		return
	}
	count := map[string]int{}
	for _, p := range d.pages {
		seen := map[string]bool{}
		for _, i := range edgeLines(p.lines) {
			if k := headKey(p.lines[i].text); !seen[k] {
				seen[k] = true
				count[k]++
			}
		}
	}
	offset, numbered := d.pageNumbers()
	dropped := make([]map[int]bool, len(d.pages))
	lines, gone := 0, 0
	for pi, p := range d.pages {
		drop := map[int]bool{}
		edges := edgeLines(p.lines)
		for _, i := range edges {
			text := p.lines[i].text
			n := count[headKey(text)]
			counts := numbered && slices.Contains(numbersIn(text), p.number+offset)
			switch {
			case n >= 3 && n*5 >= len(d.pages)*2: // left and right pages may have different heads
				drop[i] = true
			case n == 2 && len(d.pages) == 2 && (p.lines[i].size < 0.92*d.bodySize() || d.samePlace(text, i == edges[0] || i == edges[len(edges)-1])): // small or at the very edge, and on both
				drop[i] = true
			case counts && (n >= 2 || isPageNumber(text)):
				drop[i] = true
			case isPageNumber(text) && !isDigits(text) && slices.Contains(numbersIn(text), p.number): // "- 2 -"
				drop[i] = true
			}
		}
		dropped[pi] = drop
		lines += len(p.lines)
		gone += len(drop)
	}
	if gone*2 > lines {
		return // slides or labels: what is alike on all pages is all there is
	}
	for pi := range d.pages {
		p := &d.pages[pi]
		kept := p.lines[:0]
		for i, l := range p.lines {
			if !dropped[pi][i] {
				kept = append(kept, l)
			}
		}
		p.lines = kept
	}
}

// samePlace reports whether a line at the edge of one of two pages stands at the same place of both.
func (d *pdfText) samePlace(text string, edge bool) bool {
	if !edge {
		return false
	}
	var at []pdfLine
	for _, p := range d.pages {
		for _, i := range edgeLines(p.lines) {
			if p.lines[i].text == text {
				at = append(at, p.lines[i])
				break
			}
		}
	}
	return len(at) == 2 && math.Abs(at[0].y-at[1].y) < 1 && math.Abs(at[0].x0-at[1].x0) < 1
}

// pageNumbers finds out whether the pages carry numbers at their edges, and how far those are from the count of pages.
func (d *pdfText) pageNumbers() (offset int, ok bool) {
	count := map[int]int{}
	for _, p := range d.pages {
		seen := map[int]bool{}
		for _, i := range edgeLines(p.lines) {
			if len(p.lines[i].text) > 200 {
				continue
			}
			for _, n := range numbersIn(p.lines[i].text) {
				if o := n - p.number; !seen[o] {
					seen[o] = true
					count[o]++
				}
			}
		}
	}
	best := 0
	for o, n := range count {
		if n > best || n == best && (abs(o) < abs(offset) || abs(o) == abs(offset) && o > offset) {
			best, offset = n, o
		}
	}
	return offset, best >= 2 && best*5 >= len(d.pages)*3
}

// numbersIn gives the whole numbers of up to five digits in a line.
func numbersIn(s string) []int {
	var out []int
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.Atoi(f); err == nil && len(f) <= 5 && len(out) < 10 {
			out = append(out, n)
		}
	}
	return out
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// edgeLines are the two topmost and the two lowest lines of a page, or fewer where the page has few.
func edgeLines(lines []pdfLine) []int {
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmpFloat(lines[b].y, lines[a].y) })
	n := max(1, min(2, (len(order)+1)/3))
	if len(order) <= 2*n {
		return order
	}
	return append(order[:n:n], order[len(order)-n:]...)
}

// headKey is a line with its numbers made alike.
func headKey(s string) string {
	var out strings.Builder
	digit := false
	for _, r := range s {
		if unicode.IsDigit(r) {
			if !digit {
				out.WriteByte('#')
			}
			digit = true
			continue
		}
		digit = false
		out.WriteRune(r)
	}
	return collapse(strings.ReplaceAll(out.String(), cellGap, " "))
}

func isPageNumber(s string) bool {
	s = strings.ToLower(strings.Trim(s, " -–—|•"))
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(s, "page"), "p."))
	if i := strings.IndexAny(s, "/o"); i > 0 { // 3/10, 3 of 10
		s = strings.TrimSpace(s[:i])
	}
	if s == "" || len(s) > 6 {
		return false
	}
	if _, err := strconv.Atoi(s); err == nil {
		return true
	}
	return strings.Trim(s, "ivxlc") == ""
}
