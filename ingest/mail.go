package ingest

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/ibid-dev/ibid"
)

// surelyMail are fields that programs write into a message and people do not: a memo with From, To and Subject is plain text.
var surelyMail = []string{"Message-Id", "Mime-Version", "Received", "Return-Path", "Delivered-To", "X-Mailer", "User-Agent", "Dkim-Signature"}

// ofMail are fields of which a file that is named as a message has two or more: old ones have no others, drafts no sender.
var ofMail = []string{"From", "To", "Subject", "Date", "Content-Type"}

// isMail reports whether a text begins with the fields of a message.
func isMail(s string, h Hint) bool {
	if !strings.Contains(s[:min(len(s), 1000)], ":") {
		return false
	}
	head, _ := messageFields(s)
	has := func(name string) bool { return head.Get(name) != "" }
	n := 0
	for _, name := range ofMail {
		if has(name) {
			n++
		}
	}
	named := nameEnding(h) == ".eml" || strings.HasPrefix(h.MediaType, Mail)
	return named && n >= 2 || has("From") && slices.ContainsFunc(surelyMail, has)
}

// messageFields reads the fields that a text begins with, up to the first blank line; none where another line comes before it.
func messageFields(s string) (textproto.MIMEHeader, bool) {
	head := textproto.MIMEHeader{}
	name := ""
	for line := range strings.Lines(strings.TrimPrefix(s, "\ufeff")) {
		line = strings.TrimRight(line, "\r\n")
		switch key, value, ok := strings.Cut(line, ":"); {
		case line == "":
			return head, len(head) > 0
		case line[0] == ' ' || line[0] == '\t':
			if name == "" {
				return nil, false
			}
		case ok && key != "" && !strings.ContainsAny(key, " \t"):
			name = textproto.CanonicalMIMEHeaderKey(key)
			head.Add(name, strings.TrimSpace(value))
		default:
			return nil, false
		}
	}
	return head, len(head) > 0
}

// readMail reads a message: its subject as a heading, who wrote to whom and when, then its words. Of the forms of one text the
// plain one is taken. What is attached is left out, and said.
func readMail(in input) (Result, error) {
	m := mailReader{in: in, b: newBuilder(in.limits, len(in.bytes)), words: mime.WordDecoder{CharsetReader: charset.NewReaderLabel}}
	msg, err := mail.ReadMessage(bytes.NewReader(bytes.TrimPrefix(in.bytes, []byte("\ufeff"))))
	if err != nil {
		return Result{}, refuse(ErrBroken, "the message's fields cannot be read (%v)", err)
	}
	m.message(msg, 0)
	if m.err != nil {
		return Result{}, m.err
	}
	res, err := m.b.result()
	if err != nil {
		return Result{}, err
	}
	res.Reference = m.reference(msg.Header)
	res.Warnings = m.warnings
	if m.cut {
		res.Warnings = append(res.Warnings, fmt.Sprintf("left out parts that lie deeper than %d, or are more than %d", deepest, mostParts))
	}
	if len(m.attached) > 0 {
		res.Warnings = append(res.Warnings, "left out what is attached: "+strings.Join(m.attached, ", "))
	}
	return res, nil
}

// deepest bounds messages within messages and parts within parts; mostParts all of them.
const (
	deepest   = 8
	mostParts = 1000
)

type mailReader struct {
	in       input
	b        *builder
	words    mime.WordDecoder
	attached []string
	warnings []string
	parts    int
	cut      bool  // parts were too many, or lay too deep
	err      error // of the context
}

func (m *mailReader) message(msg *mail.Message, depth int) {
	m.b.heading(m.field(msg.Header, "Subject"), 1)
	for _, name := range []string{"From", "To", "Cc", "Date"} {
		if v := m.field(msg.Header, name); v != "" {
			m.b.line(name + ": " + v)
		}
	}
	m.b.loose()
	m.part(textproto.MIMEHeader(msg.Header), msg.Body, depth)
}

// field is a field as people read it.
func (m *mailReader) field(h mail.Header, name string) string {
	v := h.Get(name)
	if decoded, err := m.words.DecodeHeader(v); err == nil {
		v = decoded
	}
	return collapse(strings.ToValidUTF8(v, "\ufffd"))
}

// part reads a part of a message.
func (m *mailReader) part(h textproto.MIMEHeader, body io.Reader, depth int) {
	if m.err == nil {
		m.err = m.in.ctx.Err()
	}
	m.parts++
	beyond := depth > deepest || m.parts > mostParts
	if m.cut = m.cut || beyond; m.err != nil || beyond {
		return
	}
	kind, params, _ := mime.ParseMediaType(h.Get("Content-Type"))
	if !strings.Contains(kind, "/") { // none, or "text" alone
		kind = PlainText
	}
	if name := m.attachment(h, kind, params); name != "" {
		m.attached = append(m.attached, name)
		return
	}
	switch {
	case strings.HasPrefix(kind, "multipart/") && params["boundary"] != "":
		m.several(kind, multipart.NewReader(body, params["boundary"]), depth)
	case kind == Mail:
		msg, err := mail.ReadMessage(bytes.NewReader(m.decoded(h, body)))
		if err != nil {
			m.warnings = append(m.warnings, fmt.Sprintf("a message within the message cannot be read (%v)", err))
			return
		}
		m.message(msg, depth+1)
	default:
		b := m.decoded(h, body)
		if kind == PlainText && strings.EqualFold(params["format"], "flowed") {
			b = unflow(b, strings.EqualFold(params["delsp"], "yes"))
		}
		m.text(kind, params["charset"], b)
	}
}

// unflow joins the lines that the sender's program broke: those that end in a blank go on (RFC 3676). tight: the blank is no part of the text.
func unflow(b []byte, tight bool) []byte {
	var out []byte
	goes, depth := false, 0 // whether the line before goes on, and how often it is quoted
	for line := range bytes.Lines(b) {
		line = bytes.TrimRight(line, "\r\n")
		text := bytes.TrimLeft(line, ">")
		quoted := len(line) - len(text)
		text = bytes.TrimPrefix(text, []byte(" ")) // which keeps what follows from being a sign
		signature := string(text) == "-- "
		if goes && quoted == depth && !signature {
			out = append(out, text...)
		} else {
			if len(out) > 0 || goes {
				out = append(out, '\n')
			}
			if quoted > 0 {
				out = append(append(out, line[:quoted]...), ' ')
			}
			out = append(out, text...)
		}
		goes, depth = bytes.HasSuffix(text, []byte(" ")) && !signature, quoted
		if goes && tight {
			out = out[:len(out)-1]
		}
	}
	return out
}

// attachment names a part that is no text to read, "" where it is one.
func (m *mailReader) attachment(h textproto.MIMEHeader, kind string, params map[string]string) string {
	disposition, named, _ := mime.ParseMediaType(h.Get("Content-Disposition"))
	if kind == Mail || disposition != "attachment" && (kind == PlainText || kind == HTML || strings.HasPrefix(kind, "multipart/")) {
		return "" // a message that is passed on is read either way
	}
	name := named["filename"]
	if name == "" {
		name = params["name"]
	}
	if decoded, err := m.words.DecodeHeader(name); err == nil {
		name = decoded
	}
	if name = collapse(strings.ToValidUTF8(name, "\ufffd")); name == "" {
		name = kind
	}
	return name
}

// several reads the parts of a part. Those of an alternative are one text in several forms, the plain one first as a rule.
func (m *mailReader) several(kind string, parts *multipart.Reader, depth int) {
	for {
		p, err := parts.NextRawPart()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				m.warnings = append(m.warnings, "the message ends before its end")
			}
			return
		}
		before := len(m.b.text)
		m.part(p.Header, p, depth+1)
		if kind == "multipart/alternative" && len(m.b.text) > before {
			return
		}
	}
}

// decoded takes off what a part was packed in for its way. What is damaged ends there.
func (m *mailReader) decoded(h textproto.MIMEHeader, body io.Reader) []byte {
	switch strings.ToLower(strings.TrimSpace(h.Get("Content-Transfer-Encoding"))) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	b, err := io.ReadAll(io.LimitReader(body, int64(2*m.in.limits.text())+1))
	if err != nil {
		m.warnings = append(m.warnings, fmt.Sprintf("a part of the message is damaged (%v)", err))
	}
	return b
}

// text adds the words of a part.
func (m *mailReader) text(kind, charset string, b []byte) {
	if len(bytes.TrimSpace(b)) == 0 {
		return
	}
	in := m.in
	in.bytes, in.hint = b, Hint{MediaType: kind}
	if charset != "" {
		in.hint.MediaType = mime.FormatMediaType(kind, map[string]string{"charset": charset})
	}
	read := readPlain
	if kind == HTML {
		read = readHTML
	}
	res, err := read(in)
	if err != nil {
		m.warnings = append(m.warnings, "a part of the message cannot be read: "+err.Error())
		return
	}
	m.warnings = append(m.warnings, res.Warnings...)
	m.b.block(res.Text)
}

// reference is the message as it is cited: a letter of somebody, of a day.
func (m *mailReader) reference(h mail.Header) ibid.Reference {
	r := ibid.Reference{Type: "personal_communication"}
	r.Set("title", m.field(h, "Subject"))
	parser := mail.AddressParser{WordDecoder: &m.words}
	if from, err := parser.ParseList(h.Get("From")); err == nil {
		var names []ibid.Name
		for _, a := range from {
			if name, ok := parseName(a.Name); ok {
				names = append(names, name)
			}
		}
		r.SetNames("author", names...)
	}
	if at, err := h.Date(); err == nil {
		r.SetDate("issued", parseDate(at.Format("2006-01-02")))
	}
	return r
}
