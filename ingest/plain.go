package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// readPlain keeps the text as it is, line breaks included: they may be verse, a table or a listing. A form feed begins
// a page, as it does in what pdftotext and old manuals give.
func readPlain(in input) (Result, error) {
	s, warnings, err := decodeAll(in)
	if err != nil {
		return Result{}, err
	}
	if len(s) > in.limits.text() {
		return Result{}, tooMuchText(in.limits.text())
	}
	var res Result
	res.Warnings = warnings
	if strings.Contains(s, "\f") {
		res.Text, res.Outline = plainPages(s)
	} else {
		res.Text = trimBlankLines(tidy(s))
	}
	res.Reference.Type = "document"
	res.Reference.Set("title", plainTitle(res.Text))
	return res, nil
}

// decodeAll gives the whole input as text. What cannot come within the limit, even from two bytes for each letter and
// with markup around it, is refused before it is copied.
func decodeAll(in input) (string, []string, error) {
	if len(in.bytes) > 2*in.limits.text() {
		return "", nil, tooMuchText(in.limits.text())
	}
	enc, err := textEncoding(in.bytes, false, in.hint)
	if err != nil {
		return "", nil, err
	}
	s, warning := enc.decode(in.bytes)
	if warning == "" {
		return s, nil, nil
	}
	return s, []string{warning}, nil
}

func plainPages(s string) (string, ibid.Outline) {
	var out strings.Builder
	var outline ibid.Outline
	for i, page := range strings.Split(s, "\f") {
		page = trimBlankLines(tidy(page))
		if page == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n\n")
		}
		outline = append(outline, ibid.Mark{At: out.Len(), Page: i + 1})
		out.WriteString(page)
	}
	return out.String(), outline
}

// trimBlankLines drops blank lines at both ends, and keeps the indent of the first line.
func trimBlankLines(s string) string {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	ink := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) })
	return s[strings.LastIndexByte(s[:max(ink, 0)], '\n')+1:]
}

// plainTitle takes the first line for the title where it looks like one: short, alone, and not a sentence.
func plainTitle(s string) string {
	line, rest, ok := strings.Cut(strings.TrimSpace(s), "\n")
	line = collapse(line)
	if !ok || utf8.RuneCountInString(line) > 120 || !strings.HasPrefix(rest, "\n") && !strings.HasPrefix(rest, "==") {
		return ""
	}
	first, _ := utf8.DecodeRuneInString(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	if !unicode.IsLetter(first) && !unicode.IsDigit(first) || unicode.IsLower(first) || strings.ContainsRune(".,;:!", last) {
		return ""
	}
	return line
}
