package ingest

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// frontMatter holds the fields at the head of a Markdown file. It reads the part of YAML that people write there: keys
// with a value, quoted or not, lists in brackets or on lines of their own, lists of small objects, folded text. The
// same goes for TOML between +++ lines.
type frontMatter map[string][]field

// field is one value of a key. A list of authors that are objects has parts.
type field struct {
	text  string
	parts map[string]string
}

// cutFrontMatter parts the head from the body. A head that is never closed is no head.
func cutFrontMatter(s string) (frontMatter, string) {
	s = strings.TrimPrefix(s, "\ufeff")
	fence, sep := "---", ":"
	if strings.HasPrefix(s, "+++") {
		fence, sep = "+++", "="
	}
	first, rest, ok := strings.Cut(s, "\n")
	if !ok || strings.TrimRight(first, " \t\r") != fence {
		return nil, s
	}
	var head []string
	for len(rest) > 0 && len(head) < 2000 {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimRight(line, " \t\r")
		if line == fence || fence == "---" && line == "..." {
			front := parseFront(head, sep)
			if front == nil {
				return nil, s
			}
			return front, rest
		}
		head = append(head, line)
	}
	return nil, s
}

// parseFront gives nil where a line at the margin is no field: then the fence was a rule, and what it fences is text.
func parseFront(lines []string, sep string) frontMatter {
	f := frontMatter{}
	key, table := "", ""
	folded := false
	for _, line := range joinLists(lines, sep) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		if m := tomlTable.FindStringSubmatch(trimmed); m != nil && sep == "=" {
			table = strings.ToLower(m[1])
			f[table] = append(f[table], field{parts: map[string]string{}})
			continue
		}
		if table != "" {
			if name, value, ok := strings.Cut(trimmed, sep); ok {
				f[table][len(f[table])-1].parts[strings.ToLower(strings.TrimSpace(name))] = unquote(value)
			}
			continue
		}
		indented := line[0] == ' ' || line[0] == '\t' || strings.HasPrefix(trimmed, "- ")
		if !indented {
			name, value, ok := strings.Cut(line, sep)
			if !ok {
				return nil
			}
			key = strings.ToLower(strings.Trim(strings.TrimSpace(name), `"'`))
			value = strings.TrimSpace(value)
			folded = strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">")
			if folded {
				value = ""
			}
			f[key] = scalars(value)
			continue
		}
		if key == "" {
			continue
		}
		f.more(key, trimmed, sep, folded)
	}
	if len(f) == 0 {
		return nil
	}
	return f
}

// tomlTable heads a table of TOML, whose fields are not the file's own: [taxonomies], or [[authors]] where there are several.
var tomlTable = regexp.MustCompile(`^\[\[?\s*([\w.-]+)\s*\]?\](?:\s*#.*)?$`)

// joinLists puts a list in brackets that goes on over lines onto one.
func joinLists(lines []string, sep string) []string {
	var out []string
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if _, value, _ := strings.Cut(line, sep); strings.HasPrefix(strings.TrimSpace(value), "[") {
			if end := slices.IndexFunc(lines[i:], func(l string) bool { return strings.HasSuffix(strings.TrimRight(l, " \t"), "]") }); end > 0 {
				line, i = strings.Join(lines[i:i+end+1], " "), i+end
			}
		}
		out = append(out, line)
	}
	return out
}

// more adds an indented line to a key: an item of its list, a part of its last item, or the next line of its text.
func (f frontMatter) more(key, line, sep string, folded bool) {
	values := f[key]
	item, isItem := strings.CutPrefix(line, "- ")
	name, value, isPart := strings.Cut(strings.TrimSpace(item), sep+" ")
	isPart = isPart && !folded && !strings.ContainsAny(name, ` "'`)
	switch {
	case folded || !isItem && !isPart:
		if len(values) == 0 {
			values = []field{{}}
		}
		last := &values[len(values)-1]
		last.text = strings.TrimSpace(last.text + " " + line)
	case isPart:
		if isItem || len(values) == 0 || values[len(values)-1].parts == nil {
			values = append(values, field{parts: map[string]string{}})
		}
		values[len(values)-1].parts[strings.ToLower(name)] = unquote(value)
	default:
		values = append(values, field{text: unquote(item)})
	}
	f[key] = values
}

// scalars reads a value that stands on the line of its key: one, or a list in brackets.
func scalars(s string) []field {
	if s == "" || s == "null" || s == "~" {
		return nil
	}
	inner, ok := strings.CutPrefix(s, "[")
	if !ok {
		return []field{{text: unquote(s)}}
	}
	inner = strings.TrimSuffix(strings.TrimSpace(inner), "]")
	var out []field
	quote, start := byte(0), 0
	for i := 0; i <= len(inner); i++ {
		switch {
		case i == len(inner) || quote == 0 && inner[i] == ',':
			if v := unquote(inner[start:i]); v != "" {
				out = append(out, field{text: v})
			}
			start = i + 1
		case quote == 0 && (inner[i] == '"' || inner[i] == '\'') && strings.TrimSpace(inner[start:i]) == "": // in "O'Brien" it is none
			quote = inner[i]
		case inner[i] == quote:
			quote = 0
		}
	}
	return out
}

// unquote takes off quotation marks and a comment behind the value.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') {
		if end := strings.LastIndexByte(s, s[0]); end > 0 {
			inner := s[1:end]
			if s[0] == '\'' {
				return strings.ReplaceAll(inner, "''", "'")
			}
			return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, " ").Replace(inner)
		}
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	return s
}

func (f frontMatter) text(keys ...string) string {
	for _, k := range keys {
		if v := f[k]; len(v) > 0 && v[0].text != "" {
			return v[0].text
		}
	}
	return ""
}

func (f frontMatter) reference() ibid.Reference {
	var r ibid.Reference
	for _, v := range []struct {
		variable string
		keys     []string
	}{
		{"title", []string{"title"}},
		{"abstract", []string{"abstract", "description", "summary"}},
		{"container-title", []string{"container-title", "journal", "publication", "booktitle"}},
		{"publisher", []string{"publisher", "institution", "organization"}},
		{"publisher-place", []string{"publisher-place", "place", "address"}},
		{"volume", []string{"volume"}},
		{"issue", []string{"issue", "number"}},
		{"page", []string{"page", "pages"}},
		{"edition", []string{"edition"}},
		{"DOI", []string{"doi"}},
		{"ISBN", []string{"isbn"}},
		{"ISSN", []string{"issn"}},
		{"URL", []string{"url", "canonical_url", "canonicalurl", "source", "link"}},
		{"language", []string{"language", "lang"}},
	} {
		r.Set(v.variable, collapse(f.text(v.keys...)))
	}
	if !strings.HasPrefix(r.URL(), "http") {
		r.Set("URL", "")
	}
	r.Set("DOI", findDOI(r.DOI()))
	r.SetNames("author", f.names("author", "authors", "creator", "by")...)
	r.SetNames("editor", f.names("editor", "editors")...)
	r.SetDate("issued", parseDate(f.text("date", "issued", "published", "publishdate", "pubdate", "year", "created")))
	r.Type = frontType(f.text("type", "csl-type"), r)
	return r
}

func (f frontMatter) names(keys ...string) []ibid.Name {
	for _, k := range keys {
		var out []ibid.Name
		for _, v := range f[k] {
			switch {
			case v.parts != nil && v.parts["family"]+v.parts["given"] != "":
				out = append(out, ibid.Name{Family: v.parts["family"], Given: v.parts["given"]})
			case v.parts != nil && v.parts["literal"] != "":
				out = append(out, ibid.Name{Literal: v.parts["literal"]})
			case v.parts != nil:
				out = append(out, parseNames(v.parts["name"])...)
			default:
				out = append(out, parseNames(v.text)...)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}
