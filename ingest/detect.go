package ingest

import (
	"bytes"
	"encoding/binary"
	"path"
	"regexp"
	"strings"
	"unicode"
)

// detect says which format the bytes are in. The order matters: the sure signs first, and plain text as what is left.
func detect(b []byte, h Hint) (string, error) {
	if len(b) == 0 {
		return "", refuse(ErrEmpty, "the file has no bytes")
	}
	if isPDF(b) {
		return PDF, nil
	}
	if bytes.HasPrefix(b, []byte("PK\x03\x04")) {
		return detectZip(b)
	}
	if isRTF(b) {
		return RTF, nil
	}
	if name := binaryName(b); name != "" {
		return "", refuse(ErrBinary, "%s", name)
	}
	if bytes.HasPrefix(b, oleMagic) {
		return "", refuseOLE(b)
	}
	head, err := sniffText(b, h)
	if err != nil {
		return "", err
	}
	if kind := flatOpenDocument(head); kind == ODT {
		return FlatODT, nil
	} else if kind != "" {
		return "", refuseOpenDocument(kind)
	}
	switch {
	case isMail(head, h):
		return Mail, nil
	case isCSV(head, h):
		return CSV, nil
	case isHTML(head, h):
		return HTML, nil
	case isMarkdown(head, h):
		return Markdown, nil
	}
	return PlainText, nil
}

// isPDF looks for the header where readers look for it: within the first kilobyte, as mail and web servers leave junk
// before it. Behind junk the end must be there too, or every text that mentions the header would be a PDF.
func isPDF(b []byte) bool {
	i := bytes.Index(b[:min(len(b), 1024)], []byte("%PDF-"))
	return i == 0 || i > 0 && bytes.Contains(b, []byte("startxref"))
}

// detectZip tells formats that are zip archives apart: by the type that OpenDocument and EPUB files begin with, else by the names
// of their parts. Where the directory at the end is missing the names are looked for in the bytes, as they stand there in the clear.
func detectZip(b []byte) (string, error) {
	names := partNames(b)
	has := func(name string) bool {
		if names == nil {
			return bytes.Contains(b, []byte(name))
		}
		for n := range names {
			if strings.HasPrefix(n, name) {
				return true
			}
		}
		return false
	}
	switch kind := zipType(b); {
	case kind == EPUB, kind == "" && has("META-INF/container.xml") && (names == nil || !has("META-INF/MANIFEST.MF")):
		return EPUB, nil
	case kind == ODT, kind == ODT+"-template", kind == ODT+"-master", kind == ODT+"-web", kind == "" && has("content.xml") && has("META-INF/manifest.xml"):
		return ODT, nil
	case strings.HasPrefix(kind, "application/vnd.oasis.opendocument"):
		return "", refuseOpenDocument(kind)
	case has("word/document"):
		return DOCX, nil
	case has("xl/workbook.bin"):
		return "", refuse(ErrBinary, "an Excel workbook of the binary kind (.xlsb); save it as XLSX")
	case has("xl/workbook"):
		return XLSX, nil
	case has("ppt/presentation"):
		return PPTX, nil
	case has("Index/Document.iwa"), has("Index.zip"):
		return "", refuse(ErrBinary, "a document of Apple's Pages, Numbers or Keynote; export it as DOCX or PDF")
	case has("[Content_Types].xml"):
		// An Office file whose main part has an unusual name, or lies behind the point where the file was cut.
		return DOCX, nil
	}
	return "", refuse(ErrBinary, "a zip archive; unpack it and add the files in it")
}

var flatType = regexp.MustCompile(`<office:document\s[^>]*\soffice:mimetype="(application/vnd\.oasis\.opendocument\.[^"]*)"`)

// flatOpenDocument is the type that an OpenDocument file states that is not packed, "" for others.
func flatOpenDocument(head string) string {
	if !strings.HasPrefix(strings.TrimLeft(head, "\ufeff \t\r\n"), "<") {
		return ""
	}
	if m := flatType.FindStringSubmatch(head); m != nil {
		return strings.TrimSuffix(m[1], "-template")
	}
	return ""
}

// refuseOpenDocument names what is no text.
func refuseOpenDocument(kind string) error {
	switch {
	case strings.Contains(kind, "spreadsheet"):
		return refuse(ErrBinary, "an OpenDocument spreadsheet; save it as XLSX or CSV")
	case strings.Contains(kind, "presentation"):
		return refuse(ErrBinary, "an OpenDocument presentation; save it as PPTX or PDF")
	}
	return refuse(ErrBinary, "an OpenDocument file that is no text; save it as PDF")
}

// zipType is the type that an archive states in its first part, in the clear: OpenDocument's and EPUB's way.
func zipType(b []byte) string {
	const name = "mimetype"
	if len(b) < 30+len(name) || string(b[30:30+len(name)]) != name || b[8] != 0 { // packed
		return ""
	}
	size := int(binary.LittleEndian.Uint32(b[18:]))
	at := 30 + len(name) + int(binary.LittleEndian.Uint16(b[28:]))
	if size == 0 { // it stands behind the part
		size = 100
	}
	if at > len(b) {
		return ""
	}
	s := string(b[at:min(len(b), at+min(size, 100))])
	if i := strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSuffix(s, "PK")
}

var oleMagic = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

// refuseOLE names what is in the container of Microsoft's old formats. A DOCX with a password is one of these too.
func refuseOLE(b []byte) error {
	if bytes.Contains(b, []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e")) {
		return refuse(ErrEncrypted, "the Office document needs a password; save it without one")
	}
	return refuse(ErrBinary, "an Office document of the old kind (.doc, .xls, .ppt); save it as DOCX, XLSX, PPTX or PDF")
}

// binaryName names the formats that people are most likely to have among their papers. Some open with what might be a word, "ID3" or
// "GIF8", which is no sign of them in what is text all the same.
func binaryName(b []byte) string {
	words := !bytes.ContainsFunc(b[:min(len(b), 512)], isControl)
	for _, m := range []struct{ magic, name string }{
		{"\x89PNG\r\n\x1a\n", "a PNG picture"},
		{"\xff\xd8\xff", "a JPEG picture"},
		{"GIF8", "a GIF picture"},
		{"II*\x00", "a TIFF picture"},
		{"MM\x00*", "a TIFF picture"},
		{"\x1f\x8b", "a gzip archive; unpack it first"},
		{"BZh", "a bzip2 archive; unpack it first"},
		{"\xfd7zXZ\x00", "an xz archive; unpack it first"},
		{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; unpack it first"},
		{"Rar!\x1a\x07", "a RAR archive; unpack it first"},
		{"PK\x05\x06", "an empty zip archive"},
		{"\x7fELF", "a program"},
		{"MZ\x90\x00", "a program"},
		{"\xcf\xfa\xed\xfe", "a program"},
		{"SQLite format 3\x00", "a SQLite database"},
		{"ID3", "an MP3 recording"},
		{"OggS", "an Ogg recording"},
		{"fLaC", "a FLAC recording"},
		{"%!PS", "a PostScript file; convert it to PDF"},
		{"AT&TFORM", "a DjVu file; convert it to PDF"},
	} {
		if bytes.HasPrefix(b, []byte(m.magic)) && !(words && isWord(m.magic)) {
			return m.name
		}
	}
	switch {
	case len(b) > 12 && string(b[4:8]) == "ftyp" && !words:
		return "a film or picture (MP4, HEIC)"
	case len(b) > 12 && string(b[:4]) == "RIFF" && b[7] < 0x20:
		return "a recording or picture (WAV, AVI, WebP)"
	}
	return ""
}

// isControl reports whether a character is one that text has none of.
func isControl(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\f\r", r) }

// isWord reports whether a text could begin with this; one that begins with the mark of PostScript is a program.
func isWord(magic string) bool {
	return magic != "%!PS" && strings.IndexFunc(magic, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// sniffLen is how much of a text is looked at to tell Markdown and HTML from plain text.
const sniffLen = 64 << 10

// sniffText gives the beginning of the text, decoded. The error says that it is not text.
func sniffText(b []byte, h Hint) (string, error) {
	part := b[:min(len(b), sniffLen)]
	enc, err := textEncoding(part, len(part) < len(b), h)
	if err != nil {
		return "", err
	}
	s, _ := enc.decode(part)
	if strings.TrimFunc(s, func(r rune) bool { return r <= ' ' || r == '\ufeff' }) == "" && len(part) == len(b) {
		return "", refuse(ErrEmpty, "the file holds blanks only")
	}
	return s, nil
}

var (
	surelyHTML  = regexp.MustCompile(`(?i)^(<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])`)
	likelyHTML  = regexp.MustCompile(`(?i)^<(meta|title|link|script|style|div|p|table|article|section|main|header|nav|h[1-6]|ul|ol|span|a|br|font|center|blockquote|pre|img|b|i)[\s/>]`)
	htmlComment = regexp.MustCompile(`(?s)^(<!--.*?-->|<\?xml.*?\?>)\s*`)
	anyTag      = regexp.MustCompile(`(?i)</?(p|div|a|br|span|h[1-6]|ul|li|table|body|html|b|i|em|strong)[\s/>]`)
)

func isHTML(s string, h Hint) bool {
	s = strings.TrimLeft(s, " \t\r\n\f\ufeff")
	for {
		rest := htmlComment.ReplaceAllString(s, "")
		if rest == s {
			break
		}
		s = rest
	}
	switch {
	case surelyHTML.MatchString(s):
		return true
	case namedMarkdown(h):
		// A README may well begin with <p align="center"> and go on in Markdown.
		return false
	case likelyHTML.MatchString(s):
		return true
	}
	return namedHTML(h) && anyTag.MatchString(s)
}

var mdFront = regexp.MustCompile(`^---[ \t]*\r?\n[A-Za-z_][\w -]*:`)

// isMarkdown counts the kinds of signs. One kind alone proves nothing: plain text has lists, scripts have # comments.
func isMarkdown(s string, h Hint) bool {
	if namedMarkdown(h) {
		return true
	}
	if namedCode(h) {
		return false
	}
	s = strings.TrimPrefix(s, "\ufeff")
	if mdFront.MatchString(s) {
		return true
	}
	var seen markdownSigns
	before := ""
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n \t")
		seen.line(line, before)
		before = line
	}
	return seen.strong*2+seen.weak >= 4
}

// markdownSigns counts kinds of signs: those of headings, links, code and tables are strong, those of lists and stress
// weak.
type markdownSigns struct {
	heading, link, fence, table, list, stress bool
	strong, weak                              int
}

func (m *markdownSigns) line(line, before string) {
	note := func(kind *bool, count *int, is bool) {
		if is && !*kind {
			*kind = true
			*count++
		}
	}
	s := strings.TrimLeft(line, " ")
	if s == "" || len(line)-len(s) > 3 {
		return
	}
	hashes := len(s) - len(strings.TrimLeft(s, "#"))
	underlined := before != "" && len(s) >= 3 && (strings.Trim(s, "=") == "" || strings.Trim(s, "-") == "") && !strings.ContainsAny(before[:1], " #>|-")
	note(&m.heading, &m.strong, hashes >= 1 && hashes <= 6 && len(s) > hashes+1 && s[hashes] == ' ' || underlined)
	note(&m.fence, &m.strong, strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~"))
	note(&m.table, &m.strong, strings.Contains(s, "--") && strings.Contains(s, "|") && strings.Trim(s, "|-: \t") == "")
	note(&m.link, &m.strong, !m.link && hasLink(s))
	note(&m.list, &m.weak, isItem(s))
	note(&m.stress, &m.weak, !m.stress && hasStress(s))
}

// hasLink looks for [words](address) and for [name]: address.
func hasLink(s string) bool {
	if i := strings.Index(s, "]("); i > 0 && strings.LastIndexByte(s[:i], '[') >= 0 {
		end := strings.IndexByte(s[i:], ')')
		return end > 2 && s[i+2] != ' '
	}
	i := strings.Index(s, "]: ")
	return s[0] == '[' && i > 1 && len(s) > i+3
}

// hasStress looks for **words**.
func hasStress(s string) bool {
	i := strings.Index(s, "**")
	if i < 0 || i+2 >= len(s) || s[i+2] == ' ' || s[i+2] == '*' {
		return false
	}
	return strings.Contains(s[i+3:], "**")
}

func namedMarkdown(h Hint) bool {
	switch nameEnding(h) {
	case ".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd", ".mdx":
		return true
	}
	return strings.HasPrefix(h.MediaType, Markdown)
}

func namedHTML(h Hint) bool {
	switch nameEnding(h) {
	case ".html", ".htm", ".xhtml":
		return true
	}
	return strings.HasPrefix(h.MediaType, HTML) || strings.HasPrefix(h.MediaType, "application/xhtml")
}

func namedCode(h Hint) bool {
	switch nameEnding(h) {
	case ".go", ".py", ".sh", ".rb", ".pl", ".js", ".ts", ".c", ".h", ".cc", ".cpp", ".java", ".rs", ".yaml", ".yml", ".toml",
		".ini", ".conf", ".json", ".jsonl", ".csv", ".tsv", ".sql", ".tex", ".bib", ".log", ".xml", ".css", ".r", ".jl":
		return true
	}
	return false
}

func nameEnding(h Hint) string {
	if h.Name != "" {
		return strings.ToLower(path.Ext(h.Name))
	}
	uri := h.URI
	if i := strings.IndexAny(uri, "?#"); i >= 0 {
		uri = uri[:i]
	}
	return strings.ToLower(path.Ext(uri))
}
