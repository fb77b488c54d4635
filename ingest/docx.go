package ingest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

// readDOCX reads a Word document: a zip archive of XML parts. Sizes are counted as they come out of the archive, never
// taken from its headers, which a bomb writes as it likes.
func readDOCX(in input) (Result, error) {
	pkg, err := openPackage(in)
	if err != nil {
		return Result{}, err
	}
	main := pkg.mainPart()
	if pkg.files[main] == nil {
		return Result{}, refuse(ErrBroken, "the archive has no part %s", main)
	}
	d := docxReader{
		b:         newBuilder(in.limits, len(in.bytes)),
		styles:    docxStyles{},
		numbering: docxNumbering{formats: map[string]map[int]string{}, counters: map[string]*[9]int{}},
		notes:     map[string]int{},
	}
	dir := path.Dir(main)
	for _, part := range []struct {
		name string
		read func(*xmlReader) error
	}{
		{dir + "/styles.xml", d.styles.read},
		{dir + "/numbering.xml", d.numbering.read},
		{main, d.body},
	} {
		if err := pkg.read(part.name, part.read); err != nil {
			return Result{}, err
		}
	}
	if err := d.appendNotes(pkg, dir); err != nil {
		return Result{}, err
	}
	res, err := d.b.result()
	if err != nil {
		return Result{}, err
	}
	var core coreProperties
	if err := pkg.read("docProps/core.xml", core.read); err != nil && !errors.Is(err, ErrBroken) {
		return Result{}, err
	}
	res.Reference = core.reference()
	if res.Reference.Title() == "" {
		res.Reference.Set("title", d.title)
	}
	if res.Reference.Title() == "" {
		res.Reference.Set("title", firstTitle(res.Outline))
	}
	return res, nil
}

// docxPackage is the archive with a purse: what all parts together may unpack to.
type docxPackage struct {
	in    input
	files map[string]*zip.File
	left  int64
}

// maxParts bounds the directory of the archive, which the zip package reads into memory whole. A document with a
// thousand pictures has about as many parts.
const maxParts = 20000

func openPackage(in input) (*docxPackage, error) {
	if n := bytes.Count(in.bytes, []byte("PK\x01\x02")); n > maxParts {
		return nil, refuse(ErrTooLarge, "the archive has %d parts, where a document has a few dozen", n)
	}
	z, err := zip.NewReader(bytes.NewReader(in.bytes), int64(len(in.bytes)))
	if err != nil {
		return nil, refuse(ErrTruncated, "the directory at the end of the DOCX archive is missing; fetch the file again")
	}
	// Text makes up a good tenth of its XML.
	p := &docxPackage{in: in, files: map[string]*zip.File{}, left: 8 * int64(in.limits.text())}
	for _, f := range z.File {
		name := strings.TrimPrefix(strings.ReplaceAll(f.Name, "\\", "/"), "/")
		if f.Flags&1 != 0 {
			return nil, refuse(ErrEncrypted, "the part %s of the archive is encrypted", name)
		}
		if p.files[name] == nil {
			p.files[name] = f
		}
	}
	return p, nil
}

// mainPart asks the package's own relations, as the main part may have any name.
func (p *docxPackage) mainPart() string {
	main := "word/document.xml"
	_ = p.read("_rels/.rels", func(x *xmlReader) error {
		return x.each(func(t xml.StartElement) {
			if t.Name.Local == "Relationship" && strings.HasSuffix(attr(t, "Type"), "/officeDocument") {
				if target := strings.TrimPrefix(path.Clean("/"+attr(t, "Target")), "/"); p.files[target] != nil {
					main = target
				}
			}
		})
	})
	return main
}

// read gives a part to a reader of XML. A part that is not there is no error.
func (p *docxPackage) read(name string, read func(*xmlReader) error) error {
	f := p.files[name]
	if f == nil {
		return nil
	}
	rc, err := f.Open()
	if err != nil {
		return refuse(ErrBroken, "the part %s cannot be unpacked (%v)", name, err)
	}
	defer rc.Close()
	x := newXMLReader(p, name, rc)
	err = read(x)
	if x.err != nil {
		return x.err // the limit or the context, which the XML decoder may have wrapped
	}
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat):
		return refuse(ErrTruncated, "the part %s of the archive is damaged; fetch the file again", name)
	}
	return refuse(ErrBroken, "the part %s is not well-formed (%v)", name, err)
}

// xmlReader hands out the tokens of one part, and stops when the purse is empty, the context ended, or the part unpacks
// to what no text does.
type xmlReader struct {
	pkg  *docxPackage
	name string
	src  io.Reader
	dec  *xml.Decoder

	packed int64 // size in the archive, as far as it claims
	read   int64
	token  int64 // read when the last token was complete
	count  int
	err    error
}

func newXMLReader(p *docxPackage, name string, src io.Reader) *xmlReader {
	x := &xmlReader{pkg: p, name: name, src: src, packed: int64(len(p.in.bytes))}
	x.dec = xml.NewDecoder(x)
	x.dec.Strict = false
	x.dec.Entity = map[string]string{}
	x.dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return x
}

const (
	bombRatio = 200      // deflate packs zeros 1000:1 and the most repetitive of documents 50:1
	bombFloor = 8 << 20  // below this a high ratio harms nobody
	maxToken  = 16 << 20 // a text without a tag in it
)

func (x *xmlReader) Read(b []byte) (int, error) {
	n, err := x.src.Read(b)
	x.read += int64(n)
	x.pkg.left -= int64(n)
	switch {
	case x.pkg.left < 0:
		x.err = refuse(ErrTooLarge, "the parts of the archive unpack to more than %s, the most that is read", bytesInWords(8*int64(x.pkg.in.limits.text())))
	case x.read > bombFloor && x.read > bombRatio*x.packed:
		x.err = refuse(ErrTooLarge, "the part %s unpacks to more than %d times the size of the file, as a zip bomb does", x.name, bombRatio)
	case x.read-x.token > maxToken:
		x.err = refuse(ErrTooLarge, "the part %s has more than %s in one piece", x.name, bytesInWords(maxToken))
	}
	if x.err != nil {
		return 0, x.err
	}
	return n, err
}

func (x *xmlReader) next() (xml.Token, error) {
	if x.count++; x.count%4096 == 0 {
		if err := x.pkg.in.ctx.Err(); err != nil {
			x.err = err
			return nil, err
		}
	}
	t, err := x.dec.RawToken()
	x.token = x.read
	return t, err
}

// each calls do for every start tag.
func (x *xmlReader) each(do func(xml.StartElement)) error {
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		if s, ok := t.(xml.StartElement); ok {
			do(s)
		}
	}
}

func attr(t xml.StartElement, local string) string {
	for _, a := range t.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// coreProperties is docProps/core.xml.
type coreProperties struct {
	title, creator, created, issued, language, description string
}

func (c *coreProperties) read(x *xmlReader) error {
	name, text := "", ""
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			name, text = t.Name.Local, ""
		case xml.CharData:
			text += string(t[:min(len(t), maxMetaValue)])
		case xml.EndElement:
			if t.Name.Local == name {
				c.set(name, collapse(strings.ToValidUTF8(text, "")))
			}
			name = ""
		}
	}
}

func (c *coreProperties) set(name, v string) {
	switch name {
	case "title":
		c.title = v
	case "creator":
		c.creator = v
	case "created":
		c.created = v
	case "issued":
		c.issued = v
	case "language":
		c.language = v
	case "description":
		c.description = v
	}
}

func (c coreProperties) reference() ibid.Reference {
	r := ibid.Reference{Type: "document"}
	r.Set("title", goodTitle(c.title))
	r.Set("language", c.language)
	r.SetNames("author", goodAuthors(c.creator)...)
	date := parseDate(c.issued)
	// The template of a well-known library carries this moment into every document that is made with it.
	if date.IsZero() && !strings.HasPrefix(c.created, "2013-12-23T23:15:00") {
		date = parseDate(c.created)
	}
	r.SetDate("issued", date)
	if !strings.Contains(c.description, "python-docx") {
		r.Set("abstract", c.description)
	}
	return r
}

// goodTitle rejects what programs write where nobody wrote a title: file names, "untitled", "Document1".
func goodTitle(s string) string {
	s = collapse(s)
	s = strings.TrimPrefix(s, "Microsoft Word - ")
	lower := strings.ToLower(s)
	switch {
	case s == "", len(s) > 500, !strings.ContainsFunc(s, isLetter):
		return ""
	case slices.Contains([]string{"untitled", "untitled document", "title", "document", "dokument", "word document", "template", "new document",
		"microsoft word", "powerpoint presentation", "slide 1", "presentation", "pdf", "scan", "none", "null", "output", "main", "paper", "thesis", "contents", "table of contents"}, lower):
		return ""
	case strings.HasPrefix(lower, "document") && len(lower) < 12, strings.HasPrefix(lower, "untitled"):
		return ""
	}
	// A file's name is no title: "report_v3_final.docx", "C:\x\y", "img_2034".
	if ext := path.Ext(lower); len(ext) > 2 && len(ext) <= 6 && !strings.Contains(s, " ") {
		return ""
	}
	for _, ext := range []string{".doc", ".docx", ".pdf", ".tex", ".dvi", ".indd", ".rtf", ".odt", ".ps", ".qxd", ".pptx", ".htm", ".html"} {
		if strings.HasSuffix(lower, ext) {
			return ""
		}
	}
	if strings.ContainsAny(s, `\`) || !strings.Contains(s, " ") && strings.ContainsAny(s, "_/") {
		return ""
	}
	return s
}

// goodAuthors rejects accounts and programs.
func goodAuthors(s string) []ibid.Name {
	var out []ibid.Name
	for _, part := range strings.Split(s, ";") {
		lower := strings.ToLower(strings.TrimSpace(part))
		if slices.Contains([]string{"", "user", "admin", "administrator", "owner", "author", "unknown", "anonymous", "python-docx", "microsoft office user",
			"un-named", "default", "root", "none", "windows user", "pc", "home", "test", "openai", "utilisateur", "benutzer"}, lower) {
			continue
		}
		out = append(out, parseNames(part)...)
	}
	return out
}

// letterNumber counts a, b … z, aa.
func letterNumber(n int) string {
	s := ""
	for ; n > 0; n = (n - 1) / 26 {
		s = string(rune('a'+(n-1)%26)) + s
	}
	return s
}

func romanNumber(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var out strings.Builder
	for _, d := range []struct {
		value int
		sign  string
	}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for n >= d.value {
			out.WriteString(d.sign)
			n -= d.value
		}
	}
	return out.String()
}
