package ingest

import (
	"encoding/xml"
	"maps"
	"path"
	"slices"
	"strings"
)

// readEPUB reads a book: the parts of its spine in order, each through the reader of HTML. Its table of contents names the
// sections, and is itself left out; where it knows the pages of the printed book, so does the outline.
func readEPUB(in input) (Result, error) {
	a, err := openArchive(in)
	if err != nil {
		return Result{}, err
	}
	e := epubReader{a: a, b: newBuilder(in.limits, len(in.bytes)), items: map[string]epubItem{}, wanted: map[string][]epubPoint{}}
	for _, step := range []func() error{e.findPackage, e.readPackage, e.refuseDRM, e.readContents, e.readLooks, e.readSpine} {
		if err := step(); err != nil {
			return Result{}, err
		}
	}
	res, err := e.b.result()
	if err != nil {
		return Result{}, err
	}
	res.Reference = e.meta.reference()
	if res.Reference.Title() == "" {
		res.Reference.Set("title", firstTitle(res.Outline))
	}
	if len(e.missing) > 0 {
		res.Warnings = append(res.Warnings, "the book has no part "+strings.Join(e.missing, ", "))
	}
	return res, nil
}

type epubReader struct {
	a    *archive
	b    *builder
	root string // the part that lists the others

	meta    epubMeta
	items   map[string]epubItem // by id
	spine   []string            // ids
	ncx     string              // id, where the spine names one
	cover   map[string]bool     // parts that the book calls its cover or table of contents
	wanted  map[string][]epubPoint
	level   epubLevel
	missing []string
	lifts   map[string]bool // classes that are raised by a style sheet
}

type epubItem struct{ part, href, kind, properties, fallback string }

func (e *epubReader) findPackage() error {
	const container = "META-INF/container.xml"
	var roots []string
	err := e.a.read(container, func(x *xmlReader) error {
		return x.each(func(t xml.StartElement) {
			if t.Name.Local == "rootfile" && len(roots) < 100 {
				roots = append(roots, strings.TrimPrefix(path.Clean("/"+attr(t, "full-path")), "/"))
			}
		})
	})
	if err != nil {
		return err
	}
	for _, r := range roots { // several are several editions of the same book
		if e.a.files[r] != nil {
			e.root = r
			return nil
		}
	}
	for name := range e.a.files { // an archive packed by hand
		if strings.HasSuffix(name, ".opf") && (e.root == "" || name < e.root) {
			e.root = name
		}
	}
	if e.root == "" {
		return refuse(ErrBroken, "the EPUB's part %s names no book; pack it again, or convert it to HTML", container)
	}
	return nil
}

// readPackage reads metadata, the list of parts, and their order.
func (e *epubReader) readPackage() error {
	e.cover = map[string]bool{}
	err := e.a.read(e.root, func(x *xmlReader) error {
		inMeta := false
		for {
			t, err := x.next()
			if err != nil {
				return err
			}
			switch t := t.(type) {
			case xml.StartElement:
				if t.Name.Local == "metadata" {
					inMeta = true
				}
				if inMeta {
					e.meta.start(t)
				} else {
					e.list(t)
				}
			case xml.CharData:
				e.meta.text(t)
			case xml.EndElement:
				e.meta.end(t.Name.Local)
				inMeta = inMeta && t.Name.Local != "metadata"
			}
		}
	})
	if err == nil && len(e.spine) == 0 {
		return refuse(ErrBroken, "the EPUB's part %s gives no order of reading", e.root)
	}
	return err
}

func (e *epubReader) list(t xml.StartElement) {
	switch t.Name.Local {
	case "item":
		if len(e.items) < maxParts {
			e.items[attr(t, "id")] = epubItem{part: e.a.part(e.root, attr(t, "href")), href: attr(t, "href"), kind: strings.ToLower(attr(t, "media-type")),
				properties: attr(t, "properties"), fallback: attr(t, "fallback")}
		}
	case "spine":
		e.ncx = attr(t, "toc")
	case "itemref":
		if len(e.spine) < maxParts {
			e.spine = append(e.spine, attr(t, "idref"))
		}
	case "reference":
		if kind := attr(t, "type"); kind == "toc" || kind == "cover" {
			e.cover[e.a.part(e.root, attr(t, "href"))] = true
		}
	}
}

// refuseDRM refuses a book whose text is locked. Fonts are often locked, and no text.
func (e *epubReader) refuseDRM() error {
	locked := map[string]bool{}
	err := e.a.read("META-INF/encryption.xml", func(x *xmlReader) error {
		return x.each(func(t xml.StartElement) {
			if t.Name.Local == "CipherReference" {
				locked[e.a.part("x", attr(t, "URI"))] = true
			}
		})
	})
	if err != nil {
		return err
	}
	for _, id := range e.spine {
		if part := e.items[id].part; part == "" || !locked[part] {
			continue
		}
		by := ""
		switch {
		case e.a.files["META-INF/license.lcpl"] != nil:
			by = " (Readium LCP)"
		case e.a.files["META-INF/rights.xml"] != nil:
			by = " (Adobe)"
		case e.a.files["META-INF/sinf.xml"] != nil:
			by = " (Apple)"
		}
		return refuse(ErrEncrypted, "the book is locked by DRM%s; only a copy without it can be read, which some shops and publishers give", by)
	}
	return nil
}

// readLooks reads what the style sheets say of raised text.
func (e *epubReader) readLooks() error {
	const most = 20
	read := 0
	e.lifts = map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(e.items)) {
		if it := e.items[id]; it.kind == "text/css" && read < most {
			read++
			css, err := e.a.bytes(it.part)
			if err = softly(err); err != nil {
				return err
			}
			addLifts(e.lifts, string(css))
		}
	}
	return nil
}

func (e *epubReader) readSpine() error {
	for _, id := range e.spine {
		part, ok := e.readable(id)
		if !ok {
			continue
		}
		if part == "" {
			if len(e.missing) < 10 {
				e.missing = append(e.missing, collapse(strings.ToValidUTF8(e.items[id].href, "\ufffd")))
			}
			continue
		}
		if err := e.chapter(part); err != nil {
			return err
		}
		if e.b.full {
			return nil
		}
	}
	return nil
}

// readable is the part that stands for an entry of the spine, which may be a picture with a text to fall back to.
func (e *epubReader) readable(id string) (string, bool) {
	for range 10 {
		it, ok := e.items[id]
		if !ok {
			return "", false
		}
		switch it.kind {
		case "application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "application/xml", "text/xml", "":
			return it.part, true
		}
		id = it.fallback
	}
	return "", false
}
