package argument

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/csl"
)

// Formats lists what an argument can be written as.
func Formats() []string { return []string{"json", "svg", "markdown"} }

// Write writes an argument in a format. The error wraps ibid.ErrInvalid where there is no such format.
func Write(a Argument, format string) ([]byte, error) {
	switch format {
	case "json":
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		err := e.Encode(a)
		return b.Bytes(), err
	case "svg":
		return draw(a), nil
	case "markdown", "md":
		return markdown(a), nil
	}
	return nil, fmt.Errorf("argument as %q: choose one of %s: %w", format, strings.Join(Formats(), ", "), ibid.ErrInvalid)
}

func markdown(a Argument) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s (for %.2f, against %.2f)\n", escape(a.Claim), escape(sentence(a.Weighed.Words)), a.Weighed.For, a.Weighed.Against)
	for _, side := range []struct {
		stance Stance
		title  string
	}{{Proponent, "For"}, {Opponent, "Against"}, {Synthesis, "Weighed"}} {
		all := a.Side(side.stance)
		if len(all) == 0 && side.stance == Synthesis {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", side.title)
		if len(all) == 0 {
			b.WriteString("Nothing was found.\n")
		}
		for _, st := range all {
			fmt.Fprintf(&b, "- %s %s\\\n  *%s · %s · strength %.2f*\n", escape(st.Text), escape(numbers(st)), st.Type, st.Status, st.Strength)
			for i, p := range st.Places {
				if i > 0 {
					b.WriteString("  >\n")
				}
				fmt.Fprintf(&b, "  > %s\n", escape(fmt.Sprintf("[%d] %s: “%s”", p.Number, placed(a, p), oneLine(p.Quote))))
			}
		}
	}
	if len(a.Findings) > 0 {
		b.WriteString("\n## Findings\n\n")
		for _, f := range a.Findings {
			fmt.Fprintf(&b, "- %s, %s: %s (%s: “%s”", f.Kind, f.Severity, escape(f.Reason), f.A.Statement, escape(f.A.Words))
			if f.B != nil {
				fmt.Fprintf(&b, "; %s: “%s”", f.B.Statement, escape(f.B.Words))
			}
			b.WriteString(")\n")
		}
	}
	if len(a.Sources) > 0 {
		b.WriteString("\n## Sources\n\n")
		for _, s := range a.Sources {
			fmt.Fprintf(&b, "%d. %s\n", s.Number, escape(strings.TrimSuffix(s.Title+", "+s.Name, ", ")))
		}
	}
	return b.Bytes()
}

func numbers(st Statement) string {
	if len(st.Places) == 0 {
		return "◇"
	}
	var out []string
	seen := map[int]bool{}
	for _, p := range st.Places {
		if !seen[p.Number] {
			seen[p.Number] = true
			out = append(out, fmt.Sprintf("[%d]", p.Number))
		}
	}
	return strings.Join(out, " ")
}

func placed(a Argument, p Place) string {
	for _, s := range a.Sources {
		if s.ID == p.Source {
			return strings.TrimSuffix(s.Title+", "+p.Locator, ", ")
		}
	}
	return p.Locator
}

func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

func escape(s string) string { return csl.EscapeMarkdown(oneLine(s)) }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// The measures of the drawing.
const (
	width   = 1000
	column  = 440
	pad     = 14
	line    = 19
	perLine = 48  // characters of a box's line
	perFoot = 130 // and of one below the map
	gap     = 18
	margin  = 30
)

// box is a statement on the map.
type box struct {
	st    Statement
	lines []string
	x, y  int
	h     int
}

// draw makes the map: the claim on top, what is said for it on the left and against it on the right, each joined to the claim
// by a line whose width is its strength; contradictions as dashed lines between statements; the sources below.
func draw(a Argument) []byte {
	claim := wrap(a.Claim, 84)
	top := margin + len(claim)*line + 2*pad + 34
	left, leftEnd := stack(a.Side(Proponent), margin, top+70)
	right, rightEnd := stack(a.Side(Opponent), width-margin-column, top+70)
	bottom := max(leftEnd, rightEnd, top+130)
	var sources []string
	for _, s := range a.Sources {
		sources = append(sources, wrap(fmt.Sprintf("[%d] %s", s.Number, strings.TrimSuffix(s.Title+" · "+s.Name, " · ")), perFoot)...)
	}
	notes := notes(a)
	height := bottom + 40 + len(sources)*line + len(notes)*line + 60

	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" font-family="Georgia, serif" font-size="15">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n", esc("Argument map: "+a.Claim), esc(described(a)))
	b.WriteString(`<style>.pro{fill:#e6f2f2;stroke:#0b5c5c}.con{fill:#f3ebf9;stroke:#5b2a86}.claim{fill:#fff;stroke:#1c1c1c}.small{font:12px system-ui,sans-serif;fill:#5f5f5f}.lp{stroke:#0b5c5c}.lc{stroke:#5b2a86}.x{stroke:#a01c1c;stroke-dasharray:5 4;fill:none;stroke-width:2}.head{font:600 14px system-ui,sans-serif}text{fill:#1c1c1c}.warn{fill:#a01c1c;font:600 12px system-ui,sans-serif}</style>` + "\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	for _, x := range append(left, right...) {
		class, from, to := "lp", width/2-8, x.x+column // the side that looks at the gap between the columns
		if x.st.Stance == Opponent {
			class, from, to = "lc", width/2+8, x.x
		}
		y := x.y + x.h/2
		fmt.Fprintf(&b, `<path class="%s" d="M%d %d L%d %d Q%d %d %d %d" fill="none" stroke-width="%.1f" stroke-opacity="0.55"/>`+"\n", class, from, top, from, y-20, from, y, to, y, 1+6*x.st.Strength)
	}
	b.WriteString(frame("claim", 120, margin, width-240, len(claim)*line+2*pad))
	for i, l := range claim {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle" font-size="17">%s</text>`+"\n", width/2, margin+pad+15+i*line, esc(l))
	}
	fmt.Fprintf(&b, `<text class="small" x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", width/2, top-12, esc(fmt.Sprintf("%s · for %.2f, against %.2f", a.Weighed.Words, a.Weighed.For, a.Weighed.Against)))
	fmt.Fprintf(&b, `<text class="head" x="%d" y="%d">For</text><text class="head" x="%d" y="%d">Against</text>`+"\n", margin, top+58, width-margin-column, top+58)
	for _, x := range append(left, right...) {
		drawBox(&b, a, x)
	}
	for i, side := range [][]box{left, right} {
		if len(side) == 0 {
			fmt.Fprintf(&b, `<text class="small" x="%d" y="%d">nothing was found</text>`+"\n", margin+i*(width-2*margin-column), top+84)
		}
	}
	drawContradictions(&b, a, left, right)
	y := bottom + 34
	for _, l := range sources {
		fmt.Fprintf(&b, `<text class="small" x="%d" y="%d">%s</text>`+"\n", margin, y, esc(l))
		y += line
	}
	for _, l := range notes {
		fmt.Fprintf(&b, `<text class="warn" x="%d" y="%d">%s</text>`+"\n", margin, y+8, esc(l))
		y += line
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// notes are the findings on the claim as a whole, in lines.
func notes(a Argument) []string {
	var out []string
	for _, f := range a.Findings {
		if f.A.Statement == "claim" {
			out = append(out, wrap("! "+f.Reason, perFoot)...)
		}
	}
	return out
}

func stack(all []Statement, x, y int) ([]box, int) {
	var out []box
	for _, st := range all {
		lines := wrap(st.Text, perLine)
		h := len(lines)*line + 2*pad + 18
		out = append(out, box{st, lines, x, y, h})
		y += h + gap
	}
	return out, y
}

func frame(class string, x, y, w, h int) string {
	return fmt.Sprintf(`<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="8" stroke-width="1.5"/>`+"\n", class, x, y, w, h)
}

func drawBox(b *bytes.Buffer, a Argument, x box) {
	class := "pro"
	if x.st.Stance == Opponent {
		class = "con"
	}
	fmt.Fprintf(b, `<g id="%s">`, esc(x.st.ID))
	var quotes []string
	for _, p := range x.st.Places {
		quotes = append(quotes, placed(a, p)+": “"+oneLine(p.Quote)+"”")
	}
	if len(quotes) > 0 {
		fmt.Fprintf(b, "<title>%s</title>\n", esc(strings.Join(quotes, "\n")))
	}
	b.WriteString(frame(class, x.x, x.y, column, x.h))
	for i, l := range x.lines {
		fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`+"\n", x.x+pad, x.y+pad+13+i*line, esc(l))
	}
	foot := x.y + x.h - pad + 2
	fmt.Fprintf(b, `<text class="small" x="%d" y="%d">%s</text>`+"\n", x.x+pad, foot, esc(fmt.Sprintf("%s · %s · %s · strength %.2f", numbers(x.st), x.st.Type, x.st.Status, x.st.Strength)))
	var kinds, reasons []string
	for _, f := range a.Findings {
		if f.A.Statement == x.st.ID && f.B == nil {
			kinds, reasons = append(kinds, f.Kind), append(reasons, f.Reason)
		}
	}
	if len(kinds) > 0 {
		fmt.Fprintf(b, `<text class="warn" x="%d" y="%d" text-anchor="end"><title>%s</title>! %s</text>`+"\n", x.x+column-pad, foot, esc(strings.Join(reasons, "\n")), esc(strings.Join(kinds, ", ")))
	}
	b.WriteString("</g>\n")
}

func drawContradictions(b *bytes.Buffer, a Argument, left, right []box) {
	at := map[string]box{}
	for _, x := range append(left, right...) {
		at[x.st.ID] = x
	}
	for _, f := range a.Findings {
		if f.B == nil {
			continue
		}
		x, ok := at[f.A.Statement]
		y, also := at[f.B.Statement]
		if !ok || !also {
			continue
		}
		if x.x > y.x {
			x, y = y, x
		}
		fromX, toX := x.x+column, y.x
		if x.x == y.x { // two statements of one side
			toX = y.x + column
		}
		mid := (fromX + toX) / 2
		fmt.Fprintf(b, `<path class="x" d="M%d %d C%d %d %d %d %d %d"><title>%s</title></path>`+"\n", fromX, x.y+x.h/2, mid+20, x.y+x.h/2, mid-20, y.y+y.h/2, toX, y.y+y.h/2, esc(f.Reason))
		fmt.Fprintf(b, `<text class="warn" x="%d" y="%d" text-anchor="middle">✕</text>`+"\n", mid, (x.y+x.h/2+y.y+y.h/2)/2+4)
	}
}

// esc makes words fit to stand in XML, which has no place for control characters.
func esc(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd")))
}

// described is the map in words, for those who can't see it.
func described(a Argument) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. ", a.Weighed.Words)
	for _, s := range []Stance{Proponent, Opponent} {
		for _, st := range a.Side(s) {
			fmt.Fprintf(&b, "%s %s: %s (strength %.2f, sources %s). ", s, st.ID, st.Text, st.Strength, numbers(st))
		}
	}
	return b.String()
}

// wrap cuts a text into lines at words. A word that is longer than a line is cut.
func wrap(s string, n int) []string {
	var out []string
	current := ""
	for _, w := range strings.Fields(s) {
		for utf8.RuneCountInString(w) > n {
			r := []rune(w)
			if current != "" {
				out, current = append(out, current), ""
			}
			out = append(out, string(r[:n]))
			w = string(r[n:])
		}
		switch {
		case current == "":
			current = w
		case utf8.RuneCountInString(current)+1+utf8.RuneCountInString(w) > n:
			out, current = append(out, current), w
		default:
			current += " " + w
		}
	}
	if current != "" {
		out = append(out, current)
	}
	return out
}
