// Package ingest turns bytes into text that can be cited: plain text, Markdown, HTML, PDF, DOCX, PPTX, XLSX, ODT, RTF, EPUB, mail
// and tables (CSV), told apart by what they hold and not by their names. It reads no files and no network, and asks no clock; the same bytes always give the
// same result.
//
//	bytes -Read-> Text, Outline, Reference -> Document -Chunks-> Chunks
//
// The text that comes out is what a reader sees: no tags, no menus, no markup. Headings, paragraphs, list items and
// table rows stand on lines of their own. The outline says where pages and headings begin, so that a quote can be given
// its page. Everything is bounded: by Limits in size, by the context in time.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ibid-dev/ibid"
)

// The reasons for which a file cannot be read. Each error of Read wraps one of them, and ibid.ErrInvalid; only a context
// that ended gives its own error instead.
var (
	// ErrEmpty says that there is nothing in the file.
	ErrEmpty = errors.New("empty")
	// ErrBinary says that the bytes are neither text nor a format that is known.
	ErrBinary = errors.New("not text")
	// ErrNoText says that the format is known and the file holds no text, as a scan of paper does.
	ErrNoText = errors.New("no text")
	// ErrEncrypted says that a password is needed.
	ErrEncrypted = errors.New("encrypted")
	// ErrTruncated says that the end of the file is missing.
	ErrTruncated = errors.New("cut short")
	// ErrBroken says that the file does not keep to its own format.
	ErrBroken = errors.New("broken")
	// ErrTooLarge says that the file, or what it unpacks to, is beyond the limits.
	ErrTooLarge = errors.New("too large")
)

// The media types that Read gives.
const (
	PlainText = "text/plain"
	Markdown  = "text/markdown"
	HTML      = "text/html"
	PDF       = "application/pdf"
	Mail      = "message/rfc822"
	CSV       = "text/csv"
	DOCX      = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	PPTX      = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	XLSX      = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	EPUB      = "application/epub+zip"
	ODT       = "application/vnd.oasis.opendocument.text"
	RTF       = "application/rtf"
	FlatODT   = "application/vnd.oasis.opendocument.text-flat-xml"
)

// Hint is what is known of the bytes from outside. All of it may be missing or wrong: what the bytes hold decides, and
// a hint only breaks ties, as between Markdown, tables and plain text.
type Hint struct {
	Name      string // of the file
	MediaType string // as a server named it, with its charset if it gave one
	URI       string // where it was found; becomes the URL of the reference where it is http or https
}

// Result is what was read.
type Result struct {
	MediaType string         // what the bytes were found to be
	Text      string         // valid UTF-8, lines end in \n
	Outline   ibid.Outline   // sorted, within Text
	Reference ibid.Reference // what the file says of itself
	Warnings  []string       // what was left out or mended, in words for people
}

// Limits bound what one file may cost. The zero value of each field is its default.
type Limits struct {
	File int64 // bytes of the file; 0 means 128 MB
	Text int   // bytes of text that come out of it; 0 means 32 MB
}

const (
	defaultFileLimit = 128 << 20
	defaultTextLimit = 32 << 20
)

func (l Limits) file() int64 {
	if l.File > 0 {
		return l.File
	}
	return defaultFileLimit
}

func (l Limits) text() int {
	if l.Text > 0 {
		return l.Text
	}
	return defaultTextLimit
}

// Check says whether a file of this size may be read, so that it need not be opened to learn that it may not. The error
// wraps ErrTooLarge and ibid.ErrInvalid.
func (l Limits) Check(size int64) error {
	if size > l.file() {
		return refuse(ErrTooLarge, "%s, where at most %s are read", bytesInWords(size), bytesInWords(l.file()))
	}
	return nil
}

// Read reads bytes under the default limits.
func Read(ctx context.Context, b []byte, h Hint) (Result, error) { return Limits{}.Read(ctx, b, h) }

// Read finds out what the bytes are and reads them. An error says what is wrong and wraps ibid.ErrInvalid and one of the
// reasons of this package, or it is the context's.
func (l Limits) Read(ctx context.Context, b []byte, h Hint) (res Result, err error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if err := l.Check(int64(len(b))); err != nil {
		return Result{}, err
	}
	// The readers are written not to panic. One file of thousands must not end the program if one of them does.
	defer func() {
		if p := recover(); p != nil {
			res, err = Result{}, refuse(ErrBroken, "cannot be read (%v)", p)
		}
	}()
	kind, err := detect(b, h)
	if err != nil {
		return Result{}, err
	}
	in := input{ctx: ctx, bytes: b, hint: h, limits: l}
	switch kind {
	case PDF:
		res, err = readPDF(in)
	case DOCX:
		res, err = readDOCX(in)
	case PPTX:
		res, err = readPPTX(in)
	case XLSX:
		res, err = readXLSX(in)
	case EPUB:
		res, err = readEPUB(in)
	case ODT:
		res, err = readODT(in)
	case FlatODT:
		res, err = readFlatODT(in)
	case RTF:
		res, err = readRTF(in)
	case HTML:
		res, err = readHTML(in)
	case Markdown:
		res, err = readMarkdown(in)
	case Mail:
		res, err = readMail(in)
	case CSV:
		res, err = readCSV(in)
	default:
		res, err = readPlain(in)
	}
	if err != nil {
		return Result{}, err
	}
	if strings.TrimSpace(res.Text) == "" {
		return Result{}, refuse(ErrNoText, "the %s holds no text", formatName(kind))
	}
	res.MediaType = kind
	finishReference(&res.Reference, h)
	return res, nil
}

// input is what every reader is given.
type input struct {
	ctx    context.Context
	bytes  []byte
	hint   Hint
	limits Limits
}

// refuse makes an error of a reason and its details: "no text: the PDF holds pictures of pages only".
func refuse(reason error, format string, args ...any) error {
	return &refusal{reason, fmt.Sprintf(format, args...)}
}

type refusal struct {
	reason error
	detail string
}

func (r *refusal) Error() string   { return r.reason.Error() + ": " + r.detail }
func (r *refusal) Unwrap() []error { return []error{r.reason, ibid.ErrInvalid} }

func formatName(mediaType string) string {
	switch mediaType {
	case PDF:
		return "PDF"
	case DOCX:
		return "DOCX document"
	case PPTX:
		return "presentation"
	case XLSX:
		return "workbook"
	case EPUB:
		return "EPUB book"
	case ODT, FlatODT:
		return "OpenDocument text"
	case RTF:
		return "rich text (RTF)"
	case HTML:
		return "HTML page"
	case Markdown:
		return "Markdown file"
	case Mail:
		return "message"
	case CSV:
		return "table"
	}
	return "file"
}

func bytesInWords(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
