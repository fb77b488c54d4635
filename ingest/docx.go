package ingest

import (
	"encoding/xml"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

// readDOCX reads a Word document: a zip archive of XML parts. Sizes are counted as they come out of the archive, never
// taken from its headers, which a bomb writes as it likes.
func readDOCX(in input) (Result, error) {
	pkg, err := openArchive(in)
	if err != nil {
		return Result{}, err
	}
	main := pkg.mainPart("word/document.xml")
	if pkg.files[main] == nil {
		return Result{}, refuse(ErrBroken, "the archive has no part %s", main)
	}
	d := docxReader{
		b:         newBuilder(in.limits, len(in.bytes)),
		styles:    docxStyles{},
		numbering: newDOCXNumbering(),
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
	if res.Reference, err = officeReference(pkg); err != nil {
		return Result{}, err
	}
	if res.Reference.Title() == "" {
		res.Reference.Set("title", d.title)
	}
	if res.Reference.Title() == "" {
		res.Reference.Set("title", firstTitle(res.Outline))
	}
	return res, nil
}

// mainPart asks the archive's own relations, as the main part may have any name.
func (a *archive) mainPart(usual string) string {
	main := usual
	_ = a.read("_rels/.rels", func(x *xmlReader) error {
		return x.each(func(t xml.StartElement) {
			if t.Name.Local == "Relationship" && strings.HasSuffix(attr(t, "Type"), "/officeDocument") {
				if target := strings.TrimPrefix(path.Clean("/"+attr(t, "Target")), "/"); a.files[target] != nil {
					main = target
				}
			}
		})
	})
	return main
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
	// The templates of well-known libraries carry these moments into every document that is made with them.
	if date.IsZero() && !strings.HasPrefix(c.created, "2013-12-23T23:15:00") && !strings.HasPrefix(c.created, "2013-01-27T09:14:16") {
		date = parseDate(c.created)
	}
	r.SetDate("issued", date)
	if !strings.Contains(c.description, "python-docx") && !strings.Contains(c.description, "python-pptx") {
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
	case slices.Contains([]string{"untitled", "untitled document", "unknown title", "title", "document", "dokument", "word document", "template", "new document",
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
		if slices.Contains([]string{"", "user", "admin", "administrator", "owner", "author", "unknown", "anonymous", "python-docx", "openpyxl", "microsoft office user",
			"un-named", "unknown author", "default", "root", "none", "windows user", "pc", "home", "test", "openai", "utilisateur", "benutzer"}, lower) {
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
