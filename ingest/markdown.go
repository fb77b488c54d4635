package ingest

import (
	"bytes"
	"html"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// readMarkdown gives the plain text that the Markdown stands for: what is quoted to people later holds no markup. List
// items keep a sign of their own ("- ", "1. "), and cells are parted by " | ", as a reader of plain text expects.
func readMarkdown(in input) (Result, error) {
	s, warnings, err := decodeAll(in)
	if err != nil {
		return Result{}, err
	}
	front, body := cutFrontMatter(s)
	b := newBuilder(in.limits, len(body))
	links := definitions(body)
	for len(body) > 0 {
		if err := in.ctx.Err(); err != nil {
			return Result{}, err
		}
		var part string
		part, body = cutMarkdown(body)
		renderMarkdown(b, []byte(part), links)
	}
	res, err := b.result()
	if err != nil {
		return Result{}, err
	}
	res.Warnings = warnings
	res.Reference = front.reference()
	if res.Reference.Title() == "" {
		res.Reference.Set("title", firstTitle(res.Outline))
	}
	if res.Reference.Type == "" {
		res.Reference.Type = "document"
	}
	return res, nil
}

// firstTitle is the only heading of the first level, or else the first heading, where it stands at the top.
func firstTitle(o ibid.Outline) string {
	for _, m := range o {
		if m.Heading != "" && m.Level == 1 {
			return withoutNotes(m.Heading)
		}
	}
	if len(o) > 0 && o[0].At == 0 {
		return withoutNotes(o[0].Heading)
	}
	return ""
}

// maxMarkdownPart bounds what is parsed at a time, as the parser is quadratic in some of what it reads. Link definitions
// are found beforehand, so that they reach further than a part does.
const maxMarkdownPart = 128 << 10

// cutMarkdown takes a part off a long text: at a heading where there is one, else between paragraphs, outside of code.
func cutMarkdown(s string) (part, rest string) {
	if len(s) <= maxMarkdownPart {
		return s, ""
	}
	fenced, blank := false, false
	paragraph := 0
	for at := 0; at < 2*maxMarkdownPart; {
		end := strings.IndexByte(s[at:], '\n')
		if end < 0 {
			break
		}
		line := strings.TrimLeft(s[at:at+end], " ")
		switch {
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			fenced = !fenced
		case fenced || at < maxMarkdownPart/2:
		case strings.HasPrefix(line, "#"):
			return s[:at], s[at:]
		case blank && line != "" && s[at] != ' ' && s[at] != '\t':
			paragraph = at
		}
		if at > maxMarkdownPart && paragraph > 0 {
			return s[:paragraph], s[paragraph:]
		}
		blank = strings.TrimSpace(line) == ""
		at += end + 1
	}
	// No place is good. At least no line is torn that is not itself too long.
	at := runeStart(s, min(len(s), 2*maxMarkdownPart))
	if i := strings.LastIndexByte(s[:at], '\n'); i > 0 {
		at = i + 1
	}
	return s[:at], s[at:]
}

// definitions finds the link definitions of a text that is parsed in parts: "[name]: address".
func definitions(s string) []parser.Reference {
	if len(s) <= maxMarkdownPart {
		return nil
	}
	var out []parser.Reference
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] != '[' || len(out) >= 2000 {
			continue
		}
		if label, address, ok := strings.Cut(line[1:], "]: "); ok && label != "" && label[0] != '^' && len(label) < 200 {
			out = append(out, parser.NewReference([]byte(label), []byte(address), nil))
		}
	}
	return out
}

func newMarkdown() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList,
		extension.DefinitionList, extension.Footnote))
}

func renderMarkdown(b *builder, src []byte, links []parser.Reference) {
	if hostileMarkdown(src) {
		// Each sign opens a level that the parser walks again on every line. No reader of plain text is worse off.
		for _, p := range strings.Split(string(src), "\n\n") {
			b.block(tidy(p))
		}
		return
	}
	ctx := parser.NewContext()
	for _, l := range links {
		ctx.AddReference(l)
	}
	doc := newMarkdown().Parser().Parse(text.NewReader(src), parser.WithContext(ctx))
	m := mdRenderer{b: b, src: src}
	m.blocks(doc, "")
	b.loose()
}

// hostileMarkdown recognises what no writer means and what costs the parser quadratic time: levels upon levels on one
// line, thousands of signs that may open something, link definitions without end.
func hostileMarkdown(src []byte) bool {
	defs := 0
	for len(src) > 0 {
		line := src
		if i := bytes.IndexByte(src, '\n'); i >= 0 {
			line, src = src[:i], src[i+1:]
		} else {
			src = nil
		}
		levels := 0
		for _, c := range line {
			if c == '>' || c == '-' || c == '*' || c == '+' {
				levels++
			} else if c != ' ' && c != '\t' {
				break
			}
		}
		if levels > 64 && bytes.ContainsAny(line, "> ") {
			return true
		}
		signs := 0
		for _, c := range line {
			switch c {
			case '[', ']', '!', '*', '_', '`', '<', '~':
				signs++
			}
		}
		if len(line) > 2 && line[0] == '[' && bytes.Contains(line, []byte("]:")) {
			defs++
		}
		if signs > 4096 || defs > 500 {
			return true
		}
	}
	return false
}

type mdRenderer struct {
	b   *builder
	src []byte
}

// blocks writes the children of a block. The prefix stands before the first line that is written: the sign of a list
// item.
func (m *mdRenderer) blocks(n ast.Node, prefix string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		m.one(c, prefix)
		prefix = ""
	}
}

func (m *mdRenderer) one(n ast.Node, prefix string) {
	switch n := n.(type) {
	case *ast.Heading:
		m.b.heading(collapse(m.inline(n)), n.Level)
	case *ast.Paragraph, *ast.TextBlock, *east.DefinitionTerm:
		s := lines(m.inline(n))
		if prefix != "" {
			m.b.line(prefix + s)
			return
		}
		m.b.block(s)
	case *ast.List:
		m.list(n)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		m.b.block(prefix + strings.Trim(tidy(string(linesOf(n, m.src))), "\n"))
	case *ast.HTMLBlock:
		src := linesOf(n, m.src)
		if n.HasClosure() {
			src = append(src, n.ClosureLine.Value(m.src)...)
		}
		m.b.block(prefix + stripTags(src))
	case *east.Table:
		m.table(n)
	case *ast.ThematicBreak, *ast.LinkReferenceDefinition:
		m.b.loose()
	case *east.Footnote:
		m.blocks(n, "["+strconv.Itoa(n.Index)+"] ")
	default: // quotes, footnote lists, definitions
		m.blocks(n, prefix)
	}
}

func (m *mdRenderer) list(n *ast.List) {
	number := n.Start
	if _, nested := n.Parent().(*ast.ListItem); !nested {
		m.b.loose()
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		sign := "- "
		if n.IsOrdered() {
			sign = strconv.Itoa(number) + ". "
			number++
		}
		m.blocks(c, sign)
	}
	if _, nested := n.Parent().(*ast.ListItem); !nested {
		m.b.loose()
	}
}

func (m *mdRenderer) table(n *east.Table) {
	m.b.loose()
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, collapse(m.inline(c)))
		}
		m.b.line(joinCells(cells))
	}
	m.b.loose()
}

// joinCells makes a line of a row's cells, or nothing of empty ones.
func joinCells(cells []string) string {
	if strings.Join(cells, "") == "" {
		return ""
	}
	return strings.Join(cells, " | ")
}

// inline gives the text of a block's inline content. A hard line break is a line break, a soft one a space.
func (m *mdRenderer) inline(n ast.Node) string {
	var out strings.Builder
	m.spans(&out, n)
	return bracketNotes(out.String())
}

func (m *mdRenderer) spans(out *strings.Builder, n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			text := noRaised.Replace(string(c.Segment.Value(m.src)))
			if !c.IsRaw() {
				text = noRaised.Replace(unescapeMarkdown(text))
			}
			out.WriteString(text)
			switch {
			case c.HardLineBreak():
				out.WriteByte('\n')
			case c.SoftLineBreak():
				out.WriteByte(' ')
			}
		case *ast.String:
			out.WriteString(noRaised.Replace(html.UnescapeString(string(c.Value))))
		case *ast.AutoLink:
			out.Write(c.Label(m.src))
		case *ast.RawHTML:
			switch tag := strings.ToLower(string(c.Segments.Value(m.src))); {
			case strings.HasPrefix(tag, "<br"):
				out.WriteByte('\n')
			case strings.HasPrefix(tag, "<sup"):
				out.WriteString(raisedFrom)
			case strings.HasPrefix(tag, "</sup"):
				out.WriteString(raisedTo)
			}
		case *east.FootnoteLink:
			out.WriteString("[" + strconv.Itoa(c.Index) + "]")
		case *east.FootnoteBacklink, *east.TaskCheckBox:
		default:
			m.spans(out, c)
		}
	}
}

func linesOf(n ast.Node, src []byte) []byte {
	var out []byte
	for i := 0; i < n.Lines().Len(); i++ {
		at := n.Lines().At(i)
		out = append(out, at.Value(src)...)
	}
	return out
}

// lines cleans each line and keeps the breaks between them.
func lines(s string) string {
	if !strings.Contains(s, "\n") {
		return collapse(s)
	}
	var out strings.Builder
	out.Grow(len(s))
	for line := range strings.Lines(s) {
		if line = collapse(line); line == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(line)
	}
	return out.String()
}

// unescapeMarkdown takes backslashes off punctuation and puts characters for entities, in one pass: "\&amp;" is "&amp;".
func unescapeMarkdown(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var out strings.Builder
	plain := 0 // start of text in which entities count
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '\\' && isPunct(s[i+1]) {
			out.WriteString(html.UnescapeString(s[plain:i]))
			out.WriteByte(s[i+1])
			i++
			plain = i + 1
		}
	}
	out.WriteString(html.UnescapeString(s[plain:]))
	return out.String()
}

func isPunct(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}
