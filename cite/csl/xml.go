package csl

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
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
	limited := &io.LimitedReader{R: r, N: maxXMLBytes + 1}
	d := xml.NewDecoder(limited)
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
		tok, err := d.Token()
		if errors.Is(err, io.EOF) && len(stack) == 0 {
			break
		}
		line, _ := d.InputPos()
		if limited.N <= 0 {
			return nil, fmt.Errorf("line %d: more than %d bytes of XML: %w", line, maxXMLBytes, ibid.ErrInvalid)
		}
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
