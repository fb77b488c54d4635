package eval

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// The reliability diagram: on the diagonal a probability means what it says. Each set is a thin line, all together a thick
// one with dots as large as the share of segments they stand for; the bars below count the segments. The figures stand in
// the picture too, for those who cannot see it.
const (
	plotSide = 400
	plotLeft = 60
	plotTop  = 50
	barsHigh = 60
)

// WriteSVG draws the reliability diagram.
func (r Report) WriteSVG(w io.Writer) error {
	var b strings.Builder
	width, height := plotLeft+plotSide+30, plotTop+plotSide+barsHigh+90
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t d" font-family="system-ui,sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title id=\"t\">Reliability of the support probability</title>\n<desc id=\"d\">%s</desc>\n", html.EscapeString(r.describe()))
	b.WriteString(`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
	fmt.Fprintf(&b, `<text x="%d" y="22" font-size="15" font-weight="600">Reliability, %d segments of %d sets</text>`+"\n", plotLeft, r.All.Segments, len(r.Sets))
	fmt.Fprintf(&b, `<text x="%d" y="40" fill="#555">calibration error %s, both classes weighted equally %s</text>`+"\n", plotLeft, r.All.ECE, r.All.BalancedECE)
	axes(&b)
	for _, f := range r.Sets {
		line(&b, f, `fill="none" stroke="#0f766e" stroke-width="1" opacity=".35"`)
	}
	line(&b, r.All, `fill="none" stroke="#0f766e" stroke-width="2.5"`)
	dots(&b, r.All)
	bars(&b, r.All)
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func x(p float64) float64 { return plotLeft + p*plotSide }
func y(p float64) float64 { return plotTop + (1-p)*plotSide }

func axes(b *strings.Builder) {
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999"/>`+"\n", plotLeft, plotTop, plotSide, plotSide)
	fmt.Fprintf(b, `<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#999" stroke-dasharray="4 4"/>`+"\n", x(0), y(0), x(1), y(1))
	for i := 0; i <= 10; i += 2 {
		p := float64(i) / 10
		fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="middle" fill="#555">%.1f</text>`+"\n", x(p), y(0)+16, p)
		fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="end" fill="#555">%.1f</text>`+"\n", x(0)-6, y(p)+4, p)
	}
	fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="middle">probability of full support</text>`+"\n", x(0.5), y(0)+34)
	fmt.Fprintf(b, `<text transform="translate(16 %g) rotate(-90)" text-anchor="middle">share that is supported</text>`+"\n", y(0.5))
}

func line(b *strings.Builder, f Figures, style string) {
	var points []string
	for _, bin := range f.Bins {
		if bin.Count > 0 {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(bin.Mean), y(bin.Share)))
		}
	}
	fmt.Fprintf(b, `<polyline points="%s" %s><title>%s</title></polyline>`+"\n", strings.Join(points, " "), style, html.EscapeString(f.Name))
}

func dots(b *strings.Builder, f Figures) {
	for _, bin := range f.Bins {
		if bin.Count > 0 {
			radius := 3 + 9*float64(bin.Count)/float64(max(1, f.Segments))
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="#0f766e"><title>said %.2f, held %.2f, %d segments</title></circle>`+"\n", x(bin.Mean), y(bin.Share), radius, bin.Mean, bin.Share, bin.Count)
		}
	}
}

func bars(b *strings.Builder, f Figures) {
	most := 1
	for _, bin := range f.Bins {
		most = max(most, bin.Count)
	}
	base := y(0) + 50 + barsHigh
	for i, bin := range f.Bins {
		h := barsHigh * float64(bin.Count) / float64(most)
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%d" height="%.1f" fill="#a78bfa"><title>%d segments</title></rect>`+"\n", x(float64(i)/binCount)+2, base-h, plotSide/binCount-4, h, bin.Count)
	}
	fmt.Fprintf(b, `<text x="%g" y="%g" fill="#555">segments per step, at most %d</text>`+"\n", x(0), base+18, most)
}

// describe puts the curve of all sets into words.
func (r Report) describe() string {
	var parts []string
	for _, bin := range r.All.Bins {
		if bin.Count > 0 {
			parts = append(parts, fmt.Sprintf("said %.2f, held %.2f (%d segments)", bin.Mean, bin.Share, bin.Count))
		}
	}
	return strings.Join(parts, "; ")
}
