package ingest

import (
	"encoding/xml"
	"errors"
	"maps"
	"slices"
	"strings"
)

// epubPoint is an entry of the table of contents or of the list of pages.
type epubPoint struct {
	id    string // of the element within the part, or ""
	label string
	depth int // in the table of contents
	page  int // of the printed book; then it is no section

	at int // in the text of the part, -1 where nothing follows
}

// maxPoints bounds the table of contents.
const maxPoints = 50000

// readContents reads the table of contents: that of EPUB 3, else that of EPUB 2.
func (e *epubReader) readContents() error {
	nav, ncx := "", e.items[e.ncx].part
	for _, id := range slices.Sorted(maps.Keys(e.items)) {
		it := e.items[id]
		if hasWord(it.properties, "nav") && nav == "" {
			nav = it.part
		}
		if it.kind == "application/x-dtbncx+xml" && ncx == "" {
			ncx = it.part
		}
	}
	n := navReader{e: e, from: nav}
	if err := e.a.read(nav, n.read); err != nil || n.count > 0 {
		e.cover[nav] = true
		return softly(err)
	}
	n = navReader{e: e, from: ncx}
	return softly(e.a.read(ncx, n.readNCX))
}

// softly lets a book be read without its table of contents or looks, where those are broken, but no bomb.
func softly(err error) error {
	if errors.Is(err, ErrBroken) {
		return nil
	}
	return err
}

// navReader reads a table of contents. Targets become points of the parts they lie in.
type navReader struct {
	e     *epubReader
	from  string
	count int

	label strings.Builder
	href  string
	above []epubPoint // entries without an address, which begin where the next one does
}

func (n *navReader) add(depth, page int) {
	label := collapse(strings.ToValidUTF8(n.label.String(), "\ufffd"))
	href := n.href
	n.href = ""
	n.label.Reset()
	if n.count >= maxPoints || label == "" || len(label) > 1000 {
		return
	}
	n.count++
	if href == "" {
		n.above = append(n.above, epubPoint{label: label, depth: max(1, depth), at: -1})
		return
	}
	part := n.e.a.part(n.from, href)
	_, id, _ := strings.Cut(href, "#")
	if page < 0 {
		if page = pageNumber(label); page == 0 {
			return
		}
	}
	if part == "" {
		return
	}
	for _, p := range n.above {
		p.id = id
		n.e.wanted[part] = append(n.e.wanted[part], p)
	}
	n.above = nil
	n.e.wanted[part] = append(n.e.wanted[part], epubPoint{id: id, label: label, depth: max(1, depth), page: page, at: -1})
}

// read reads the lists of EPUB 3: <nav epub:type="toc"><ol><li><a href="…">.
func (n *navReader) read(x *xmlReader) error {
	kind, depth, inLabel, text := "", 0, false, false
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "nav":
				kind, depth = "", 0
				if k := attr(t, "type"); hasWord(k, "toc") || hasWord(k, "page-list") {
					kind = k
				}
			case "ol":
				depth++
			case "li":
				text = hasWord(kind, "toc")
			case "a":
				inLabel, text = kind != "", false
				n.label.Reset()
				n.href = attr(t, "href")
			case "span":
				if text { // an entry without an address
					inLabel = true
					n.label.Reset()
				}
			}
		case xml.CharData:
			if inLabel && n.label.Len() < maxMetaValue {
				n.label.Write(t)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "nav":
				kind = ""
			case "ol":
				depth--
			case "span":
				if inLabel && text {
					n.add(depth, 0)
					inLabel, text = false, false
				}
			case "a":
				if inLabel && hasWord(kind, "toc") {
					n.add(depth, 0)
				} else if inLabel {
					n.add(0, -1)
				}
				inLabel = false
			}
		}
	}
}

// readNCX reads EPUB 2's: <navPoint><navLabel><text>…</text></navLabel><content src="…"/>.
func (n *navReader) readNCX(x *xmlReader) error {
	depth, inText, inPages := 0, false, false
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "navPoint":
				depth++
				n.label.Reset()
			case "pageTarget":
				inPages = true
				n.label.Reset()
			case "text":
				inText = depth > 0 || inPages
			case "content":
				n.href = attr(t, "src")
				switch {
				case inPages:
					n.add(0, -1)
				case depth > 0:
					n.add(depth, 0)
				}
			}
		case xml.CharData:
			if inText && n.label.Len() < maxMetaValue {
				n.label.Write(t)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "navPoint":
				depth--
			case "pageTarget":
				inPages = false
			case "text":
				inText = false
			}
		}
	}
}
