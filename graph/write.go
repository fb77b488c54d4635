package graph

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// WriteJSON writes nodes and edges as one object.
func (g Graph) WriteJSON(w io.Writer) error {
	if g.Nodes == nil {
		g.Nodes = []Node{}
	}
	if g.Edges == nil {
		g.Edges = []Edge{}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(g)
}

// WriteGraphML writes the graph as GraphML, which Gephi, yEd, Cytoscape and networkx read.
func (g Graph) WriteGraphML(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n")
	for _, k := range []struct{ id, of, name, kind string }{
		{"kind", "node", "kind", "string"}, {"label", "node", "label", "string"}, {"cluster", "node", "cluster", "int"}, {"independent", "node", "independent", "int"},
		{"relation", "edge", "relation", "string"}, {"weight", "edge", "weight", "double"},
	} {
		fmt.Fprintf(&b, "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", k.id, k.of, k.name, k.kind)
	}
	b.WriteString("  <graph id=\"ibid\" edgedefault=\"directed\">\n")
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "    <node id=\"%s\"><data key=\"kind\">%s</data><data key=\"label\">%s</data><data key=\"cluster\">%d</data>", escape(n.ID), n.Kind, escape(n.Label), n.Cluster)
		if n.Kind == IsClaim {
			fmt.Fprintf(&b, "<data key=\"independent\">%d</data>", n.Independent)
		}
		b.WriteString("</node>\n")
	}
	for i, e := range g.Edges {
		fmt.Fprintf(&b, "    <edge id=\"e%d\" source=\"%s\" target=\"%s\"><data key=\"relation\">%s</data><data key=\"weight\">%.4f</data></edge>\n", i+1, escape(e.From), escape(e.To), e.Kind, e.Weight)
	}
	b.WriteString("  </graph>\n</graphml>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// escape writes text so that XML holds it. Characters that XML cannot hold at all become U+FFFD.
func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(strings.ToValidUTF8(s, "\uFFFD"))) // never fails on a builder
	return b.String()
}

// The picture: claims on the left, sources on the right, a band for each link.
const (
	width     = 1000
	rowHeight = 34
	left      = 470 // where claims end
	right     = 630 // where sources begin
	top       = 56
)

// WriteSVG draws the graph: claims on the left, sources on the right, a band as wide as it is sure. It needs no script and
// no font from elsewhere, and its colours follow the reader's light or dark.
func (g Graph) WriteSVG(w io.Writer) error {
	linked := map[string]bool{}
	for _, e := range g.Edges {
		linked[e.From], linked[e.To] = true, true
	}
	nodes := slices.Clone(g.Nodes)
	slices.SortStableFunc(nodes, func(a, b Node) int { // what hangs together stands together, what hangs on nothing below
		if linked[a.ID] != linked[b.ID] {
			return map[bool]int{true: -1, false: 1}[linked[a.ID]]
		}
		return a.Cluster - b.Cluster
	})
	y := map[string]int{}
	var claims, sources int
	for _, n := range nodes {
		if n.Kind == IsClaim {
			y[n.ID] = top + claims*rowHeight
			claims++
		} else {
			y[n.ID] = top + sources*rowHeight
			sources++
		}
	}
	height := top + max(claims, sources, 1)*rowHeight + 40
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%d claims and %d sources">`+"\n", width, height, width, height, claims, sources)
	b.WriteString(`<style>
text{font:13px system-ui,sans-serif;fill:#1d2a30}.head{font-weight:600}.dim{fill:#5b6b73}.supports{stroke:#0f766e}.contradicts,.conflicts{stroke:#b42318}.copy{stroke:#6b7280;stroke-dasharray:3 4}
path{fill:none;opacity:.55}circle{fill:#0f766e}circle.own{fill:#6d4bc3}
@media(prefers-color-scheme:dark){text{fill:#e6edf0}.dim{fill:#9fb0b8}.supports{stroke:#4fd1c5}.contradicts,.conflicts{stroke:#ff8a80}.copy{stroke:#9ca3af}circle{fill:#4fd1c5}circle.own{fill:#b39ddb}}
</style>
`)
	fmt.Fprintf(&b, "<text class=\"head\" x=\"%d\" y=\"28\" text-anchor=\"end\">claims</text><text class=\"head\" x=\"%d\" y=\"28\">sources</text>\n", left, right)
	for _, e := range g.Edges {
		from, to := y[e.From]+6, y[e.To]+6
		title := fmt.Sprintf("<title>%s, %.2f</title>", e.Kind, e.Weight)
		if strings.HasPrefix(e.To, "s:") { // between sources: an arc on their left
			bend := 20 + min(60, abs(to-from)/3)
			fmt.Fprintf(&b, "<path class=\"%s\" stroke-width=\"%.1f\" d=\"M%d %d C%d %d %d %d %d %d\">%s</path>\n", e.Kind, 1+2*e.Weight, right-12, from, right-12-bend, from, right-12-bend, to, right-12, to, title)
			continue
		}
		mid := (left + right) / 2
		fmt.Fprintf(&b, "<path class=\"%s\" stroke-width=\"%.1f\" d=\"M%d %d C%d %d %d %d %d %d\">%s</path>\n", e.Kind, 1+5*e.Weight, right-12, from, mid, from, mid, to, left+12, to, title)
	}
	for _, n := range nodes {
		at := y[n.ID]
		label := escape(clip(n.Label, 62))
		if n.Kind == IsSource {
			fmt.Fprintf(&b, "<g><title>%s</title><circle cx=\"%d\" cy=\"%d\" r=\"4\"/><text x=\"%d\" y=\"%d\">%s</text></g>\n", escape(n.Label), right-12, at+6, right, at+10, escape(clip(n.Label, 46)))
			continue
		}
		own := ""
		if n.Independent == 0 {
			own = ` class="own"`
		}
		fmt.Fprintf(&b, "<g><title>%s</title><circle%s cx=\"%d\" cy=\"%d\" r=\"4\"/><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text></g>\n", escape(n.Label), own, left+12, at+6, left, at+10, label)
	}
	fmt.Fprintf(&b, "<text class=\"dim\" x=\"20\" y=\"%d\">a band is as wide as it is sure · red: says otherwise · dotted: one text in two sources</text>\n</svg>\n", height-14)
	_, err := w.Write(b.Bytes())
	return err
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// clip keeps a label on its line.
func clip(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:n-1]), " ,;:") + "…"
}
