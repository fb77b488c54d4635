package csl

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// Bounds on what is read as a style or a locale. The largest official style has 4,000 elements and 250 KB.
const (
	maxXMLBytes = 8 << 20
	maxXMLNodes = 200_000
	maxXMLDepth = 200
)

// xmlNode is one element of a style or locale file, with the line it starts on.
type xmlNode struct {
	name string
	line int
	attr map[string]string
	text string // character data directly inside
	kids []*xmlNode
}

func (n *xmlNode) child(name string) *xmlNode {
	for _, k := range n.kids {
		if k.name == name {
			return k
		}
	}
	return nil
}

// get gives an attribute, or the first non-blank of its alternatives.
func (n *xmlNode) get(name string) string { return n.attr[name] }

func (n *xmlNode) has(name string) bool { _, ok := n.attr[name]; return ok }

func (n *xmlNode) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: <%s>: %s: %w", n.line, n.name, fmt.Sprintf(format, args...), ibid.ErrInvalid)
}

// readXML reads a whole document into a tree. Entities other than XML's own five are refused by the decoder, so there
// is nothing to expand; size, depth and count are bounded.
func readXML(r io.Reader) (*xmlNode, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxXMLBytes+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxXMLBytes {
		return nil, fmt.Errorf("more than %d bytes of XML: %w", maxXMLBytes, ibid.ErrInvalid)
	}
	lines := newLines(raw)
	d := xml.NewDecoder(bytes.NewReader(normalizeAttributes(raw)))
	d.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		if strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "us-ascii") {
			return in, nil
		}
		return nil, fmt.Errorf("encoding %q is not UTF-8", charset)
	}
	var root *xmlNode
	var stack []*xmlNode
	count := 0
	for {
		start := d.InputOffset()
		tok, err := d.Token()
		if errors.Is(err, io.EOF) && len(stack) == 0 {
			break
		}
		line := lines.at(start)
		if err != nil {
			return nil, fmt.Errorf("line %d: not well-formed XML: %v: %w", line, err, ibid.ErrInvalid)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if count++; count > maxXMLNodes || len(stack) >= maxXMLDepth {
				return nil, fmt.Errorf("line %d: more than %d elements or %d levels: %w", line, maxXMLNodes, maxXMLDepth, ibid.ErrInvalid)
			}
			n := &xmlNode{name: t.Name.Local, line: line}
			if len(t.Attr) > 0 {
				n.attr = make(map[string]string, len(t.Attr))
			}
			for _, a := range t.Attr {
				n.attr[a.Name.Local] = a.Value
			}
			if len(stack) > 0 {
				parent := stack[len(stack)-1]
				parent.kids = append(parent.kids, n)
			} else if root == nil {
				root = n
			}
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if len(stack) > 0 {
				stack[len(stack)-1].text += string(t)
			}
		}
	}
	if root == nil {
		return nil, fmt.Errorf("line 1: no XML element: %w", ibid.ErrInvalid)
	}
	return root, nil
}

// parseInfoOnly reads the info of a style and leaves the rest unread.
func parseInfoOnly(r io.Reader) (Info, error) {
	d := xml.NewDecoder(io.LimitReader(r, maxXMLBytes))
	var info Info
	for {
		tok, err := d.Token()
		if err != nil {
			return info, err
		}
		start, ok := tok.(xml.StartElement)
		switch {
		case !ok:
		case start.Name.Local == "style":
		case start.Name.Local == "info":
			n := &xmlNode{name: "info"}
			if err := readInto(d, n); err != nil {
				return info, err
			}
			parseInfo(&info, n)
			return info, nil
		default:
			return info, fmt.Errorf("no <info> at its start: %w", ibid.ErrInvalid)
		}
	}
}

// readInto reads the content of an element that has just been opened, two levels deep.
func readInto(d *xml.Decoder, n *xmlNode) error {
	depth := 0
	var kid *xmlNode
	for {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if depth++; depth == 1 {
				kid = &xmlNode{name: t.Name.Local, attr: map[string]string{}}
				for _, a := range t.Attr {
					kid.attr[a.Name.Local] = a.Value
				}
				n.kids = append(n.kids, kid)
			}
		case xml.EndElement:
			if depth == 0 {
				return nil
			}
			depth--
		case xml.CharData:
			if depth == 1 {
				kid.text += string(t)
			}
		}
	}
}

// lines finds the line of a byte.
type lines []int64

func newLines(raw []byte) lines {
	var out lines
	for i, c := range raw {
		if c == '\n' {
			out = append(out, int64(i))
		}
	}
	return out
}

func (l lines) at(offset int64) int {
	n, _ := slices.BinarySearch(l, offset)
	return n + 1
}

// normalizeAttributes makes line breaks inside of attributes spaces, as XML asks and the decoder does not. Written as
// character references ("&#10;") they stay. Nothing else is touched, so that offsets hold.
func normalizeAttributes(raw []byte) []byte {
	out := bytes.Clone(raw)
	inTag, quote := false, byte(0)
	for i := 0; i < len(out); i++ {
		c := out[i]
		switch {
		case quote != 0:
			switch c {
			case quote:
				quote = 0
			case '\n', '\r', '\t':
				out[i] = ' '
			}
		case inTag:
			switch c {
			case '>':
				inTag = false
			case '"', '\'':
				quote = c
			}
		case c == '<':
			skip := func(open, end string) bool {
				if !bytes.HasPrefix(out[i:], []byte(open)) {
					return false
				}
				if n := bytes.Index(out[i:], []byte(end)); n >= 0 {
					i += n
				} else {
					i = len(out)
				}
				return true
			}
			if !skip("<!--", "-->") && !skip("<![CDATA[", "]]>") && !skip("<?", "?>") {
				inTag = true
			}
		}
	}
	return out
}
