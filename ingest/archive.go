package ingest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// archive is a zip of parts, as Office, OpenDocument and EPUB files are, with a purse: what all parts together may unpack
// to. Sizes are counted as they come out, never taken from the archive's own table, which a bomb writes as it likes.
type archive struct {
	in    input
	files map[string]*zip.File
	left  int64
}

// maxParts bounds the directory of the archive, which the zip package reads into memory whole. A document with a
// thousand pictures has about as many parts.
const maxParts = 20000

func openArchive(in input) (*archive, error) {
	if n := bytes.Count(in.bytes, []byte("PK\x01\x02")); n > maxParts {
		return nil, refuse(ErrTooLarge, "the archive has %d parts, where a document has a few dozen", n)
	}
	z, err := zip.NewReader(bytes.NewReader(in.bytes), int64(len(in.bytes)))
	if err != nil {
		return nil, refuse(ErrTruncated, "the directory at the end of the archive is missing; fetch the file again")
	}
	a := newArchive(in)
	for _, f := range z.File {
		name := partName(f)
		if f.Flags&1 != 0 {
			return nil, refuse(ErrEncrypted, "the part %s of the archive is encrypted; save the file without a password", name)
		}
		if a.files[name] == nil {
			a.files[name] = f
		}
	}
	return a, nil
}

// newArchive has no parts: what is one file of XML is read with the same purse.
func newArchive(in input) *archive {
	// Text makes up a good tenth of its XML.
	return &archive{in: in, files: map[string]*zip.File{}, left: 8 * int64(in.limits.text())}
}

func partName(f *zip.File) string {
	return strings.TrimPrefix(strings.ReplaceAll(f.Name, "\\", "/"), "/")
}

// partNames are the names in an archive's directory, nil where it is missing or too long.
func partNames(b []byte) map[string]bool {
	if bytes.Count(b, []byte("PK\x01\x02")) > maxParts {
		return nil
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil
	}
	names := map[string]bool{}
	for _, f := range z.File {
		names[partName(f)] = true
	}
	return names
}

// part finds what an address within a part points to, "" where it is not in the archive.
func (a *archive) part(from, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if href == "" {
		return from
	}
	plain, err := url.PathUnescape(href)
	if err != nil {
		plain = href
	}
	for _, h := range []string{plain, href} {
		name := path.Join(path.Dir(from), h)
		if strings.HasPrefix(h, "/") {
			name = path.Clean(h)
		}
		if name = strings.TrimPrefix(name, "/"); a.files[name] != nil {
			return name
		}
	}
	return ""
}

// relations gives what the parts that belong to a part are called: their kind, the last word of its address, and their
// name by id.
func (a *archive) relations(of string) (map[string]relation, error) {
	out := map[string]relation{}
	err := a.read(path.Join(path.Dir(of), "_rels", path.Base(of)+".rels"), func(x *xmlReader) error {
		return x.each(func(t xml.StartElement) {
			if t.Name.Local != "Relationship" || attr(t, "TargetMode") == "External" || len(out) >= maxParts {
				return
			}
			if name := a.part(of, attr(t, "Target")); name != "" {
				out[attr(t, "Id")] = relation{kind: path.Base(attr(t, "Type")), part: name}
			}
		})
	})
	return out, err
}

type relation struct{ kind, part string }

// read gives a part to a reader of XML. A part that is not there is no error.
func (a *archive) read(name string, read func(*xmlReader) error) error {
	return a.open(name, func(r io.Reader) error { return a.parse(name, r, read) })
}

// bytes is a part as it is. One that is not there has none.
func (a *archive) bytes(name string) ([]byte, error) {
	var out []byte
	err := a.open(name, func(r io.Reader) error {
		x := newXMLReader(a, name, r)
		x.whole = true
		var err error
		if out, err = io.ReadAll(x); x.err != nil {
			return x.err
		}
		return damaged(name, err)
	})
	return out, err
}

func (a *archive) open(name string, read func(io.Reader) error) error {
	if err := a.in.ctx.Err(); err != nil {
		return err
	}
	f := a.files[name]
	if f == nil {
		return nil
	}
	rc, err := f.Open()
	if err != nil {
		return refuse(ErrBroken, "the part %s cannot be unpacked (%v)", name, err)
	}
	defer rc.Close()
	return read(rc)
}

func (a *archive) parse(name string, r io.Reader, read func(*xmlReader) error) error {
	x := newXMLReader(a, name, r)
	err := read(x)
	if x.err != nil {
		return x.err // the limit or the context, which the XML decoder may have wrapped
	}
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return damaged(name, err)
}

// damaged says in which way a part cannot be read.
func damaged(name string, err error) error {
	var own *refusal
	switch {
	case err == nil, errors.As(err, &own):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat):
		return refuse(ErrTruncated, "the part %s of the archive is damaged; fetch the file again", name)
	}
	return refuse(ErrBroken, "the part %s is not well-formed (%v)", name, err)
}

// xmlReader hands out the tokens of one part, and stops when the purse is empty, the context ended, or the part unpacks
// to what no text does.
type xmlReader struct {
	pkg  *archive
	name string
	src  io.Reader
	dec  *xml.Decoder

	packed int64 // size in the archive, as far as it claims
	read   int64
	token  int64 // read when the last token was complete
	count  int
	whole  bool // read in one piece, not by tokens
	err    error
}

func newXMLReader(a *archive, name string, src io.Reader) *xmlReader {
	x := &xmlReader{pkg: a, name: name, src: src, packed: int64(len(a.in.bytes))}
	x.dec = xml.NewDecoder(asUTF8(x))
	x.dec.Strict = false
	x.dec.Entity = xml.HTMLEntity
	x.dec.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if strings.HasPrefix(strings.ToLower(label), "utf-") {
			return r, nil // by its mark, if it is UTF-16
		}
		if e, _ := charset.Lookup(label); e != nil {
			return e.NewDecoder().Reader(r), nil
		}
		return r, nil
	}
	return x
}

// asUTF8 reads UTF-16 where the part begins with its mark.
func asUTF8(r io.Reader) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(transform.Nop))
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
	case x.read-x.token > maxToken && !x.whole:
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
