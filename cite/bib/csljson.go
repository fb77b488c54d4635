package bib

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

// readJSON reads CSL-JSON: a list of items, one item, or an object that holds them under "items" or "references", as
// some programs write it, or under "message", as Crossref does.
func readJSON(s string) (File, error) {
	out := File{Format: CSLJSON}
	d := json.NewDecoder(strings.NewReader(s))
	counted, lines := 0, 1
	line := func() int { // counts on from the last time: a file may have a fault in every line
		at := min(int(d.InputOffset()), len(s))
		lines += strings.Count(s[counted:at], "\n")
		counted = at
		return lines
	}
	token, err := d.Token()
	if err != nil {
		return out, Problems{{line(), "expected a list of CSL-JSON items: " + jsonWhat(err)}}
	}
	if token != json.Delim('[') {
		return readJSONObject(s)
	}
	var problems Problems
	var at []int // the line of each reference
	for n := 1; d.More(); n++ {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			last := line()
			if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
				last = 1 + strings.Count(s, "\n")
			}
			problems = append(problems, Problem{last, "expected an item, and after it a comma or ]: " + jsonWhat(err)})
			return finishJSON(out, at, problems)
		}
		var r ibid.Reference
		if err := json.Unmarshal(raw, &r); err != nil {
			what := wording.Of(err)
			if r.ID == "" { // many items may stand on one line
				what = fmt.Sprintf("item %d: %s", n, strings.TrimPrefix(strings.TrimPrefix(what, "reference: "), `reference "": `))
			}
			problems = append(problems, Problem{line(), what})
			continue
		}
		Tidy(&r)
		out.References = append(out.References, r)
		at = append(at, line())
	}
	if _, err := d.Token(); err != nil {
		problems = append(problems, Problem{line(), "expected ] after the last item: " + jsonWhat(err)})
	} else if _, err := d.Token(); err != io.EOF {
		problems = append(problems, Problem{line(), "expected nothing after the list of items"})
	}
	return finishJSON(out, at, problems)
}

func finishJSON(f File, lines []int, problems Problems) (File, error) {
	f.nameAll(lines)
	return f, problems.err()
}

// jsonWhat says what is wrong. Where it stands is the problem's own to say.
func jsonWhat(err error) string { return wording.JSON(err, nil).Error() }

func readJSONObject(s string) (File, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(s), &m); err != nil {
		at := len(s)
		if e, ok := err.(*json.SyntaxError); ok {
			at = min(int(e.Offset), len(s))
		}
		return File{Format: CSLJSON}, Problems{{1 + strings.Count(s[:at], "\n"), "expected a CSL-JSON item or a list of them: " + jsonWhat(err)}}
	}
	if raw := bytes.TrimSpace(m["message"]); len(raw) > 0 && raw[0] == '{' && m["message-type"] != nil { // an answer of Crossref
		s, m = string(raw), nil
		if err := json.Unmarshal(raw, &m); err != nil {
			return File{Format: CSLJSON}, Problems{{1, "expected a CSL-JSON item or a list of them: " + jsonWhat(err)}}
		}
	}
	for _, key := range []string{"items", "references"} {
		if raw := bytes.TrimSpace(m[key]); len(raw) > 0 && raw[0] == '[' {
			return readJSON(string(raw))
		}
	}
	return readJSON("[" + s + "]")
}

// Tidy puts right what directories of DOIs give where CSL-JSON is asked for: their own names of types, lists where CSL has
// one text, a subtitle of its own, and addresses for DOIs. What of a list has no place is kept as "x-title" and the like.
func Tidy(r *ibid.Reference) {
	r.Type = crossrefType(r.Type)
	for _, k := range []string{"title", "container-title", "container-title-short", "title-short", "original-title", "ISSN", "ISBN"} {
		var list []string
		if r.Text[k] != "" || r.Extra[k] == nil || json.Unmarshal(r.Extra[k], &list) != nil {
			continue
		}
		delete(r.Extra, k)
		if k == "ISSN" || k == "ISBN" {
			r.Set(k, strings.Join(list, ", "))
			continue
		}
		rest := list[min(len(list), 1):]
		if len(rest) > 0 && k == "container-title" {
			list, rest = series(r, list)
		}
		r.Set(k, strings.Join(list[:min(len(list), 1)], ""))
		if raw, err := json.Marshal(rest); err == nil && len(rest) > 0 {
			r.Extra["x-"+k] = raw
		}
	}
	var under []string
	if json.Unmarshal(r.Extra["subtitle"], &under) == nil && len(under) > 0 {
		delete(r.Extra, "subtitle")
		if !strings.Contains(r.Title(), under[0]) {
			r.Set("title", withSubtitle(r.Title(), under[0]))
		}
	}
	if d := r.DOI(); d != r.Text["DOI"] {
		r.Set("DOI", d)
	}
}

// series tells the titles of Crossref's containers apart, and gives the container first and what has no place: a chapter's series
// stands before its book, and behind a journal's name stands its short one.
func series(r *ibid.Reference, titles []string) (first, rest []string) {
	switch {
	case chapterLike(r.Type) && r.Text["collection-title"] == "":
		r.Set("collection-title", titles[0])
		return titles[1:], titles[2:]
	case periodical(r.Type) && r.Text["container-title-short"] == "" && r.Extra["container-title-short"] == nil && len(titles[1]) < len(titles[0]):
		r.Set("container-title-short", titles[1])
		return titles, titles[2:]
	}
	return titles, titles[1:]
}

// crossrefType gives CSL's name of a type for Crossref's, which it also gives where CSL's are asked for. Other names stay.
func crossrefType(name string) string {
	if t, ok := crossrefTypes[name]; ok {
		return t
	}
	return name
}

var crossrefTypes = map[string]string{
	"journal-article": "article-journal", "book-chapter": "chapter", "book-section": "chapter", "book-part": "chapter", "book-track": "chapter", "proceedings-article": "paper-conference", "monograph": "book", "edited-book": "book",
	"reference-book": "book", "book-set": "book", "proceedings": "book", "reference-entry": "entry", "posted-content": "article", "dissertation": "thesis", "report-component": "report", "peer-review": "review",
	"other": "document", "journal": "periodical", "journal-issue": "periodical", "component": "document", "report-series": "report", "grant": "document", "database": "dataset",
}

// writeJSON writes a list with one item a line, which keeps differences between two versions of a file small.
func writeJSON(w io.Writer, refs []ibid.Reference) ([]Loss, error) {
	var b bytes.Buffer
	b.WriteString("[")
	for i, r := range refs {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n")
		item, err := json.Marshal(r)
		if err != nil {
			return nil, fmt.Errorf("reference %s: %w", r.ID, err)
		}
		b.Write(plainSigns(item))
	}
	b.WriteString("\n]\n")
	_, err := w.Write(b.Bytes())
	return nil, err
}

// plainSigns writes <, > and & as they are, which people read more easily. An escaped backslash before "u" is not one of
// them.
func plainSigns(b []byte) []byte {
	out := b[:0:0]
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		if sign, ok := signs[string(b[i:min(i+6, len(b))])]; ok {
			out = append(out, sign)
			i += 5
			continue
		}
		out = append(out, b[i], b[i+1])
		i++
	}
	return out
}

var signs = map[string]byte{`\u003c`: '<', `\u003e`: '>', `\u0026`: '&'}
