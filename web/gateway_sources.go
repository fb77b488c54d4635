package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/ingest"
)

// givenSource is a source of a request.
type givenSource struct {
	givenForm
	kind   string // tool, document, context, search_result, given
	index  int    // of the document or result in the request, from 0
	file   *givenFile
	fileID string // the provider's name of the file that it is of
	call   string // the id of the call that a tool returned it for
	once   bool   // it counts for this turn alone
}

// givenFile is a document that came as bytes. It is read while the provider is being asked.
type givenFile struct{ name, media, data string }

// read gives the source its text, and reports whether it has one.
func (g *givenSource) read(ctx context.Context) bool {
	if g.file != nil {
		data := g.file.data
		if _, rest, ok := strings.Cut(data, ";base64,"); ok {
			data = rest
		}
		b, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return false
		}
		res, err := (ingest.Limits{File: 16 << 20}).Read(ctx, b, ingest.Hint{Name: g.file.name, MediaType: g.file.media})
		if err != nil {
			return false
		}
		g.Title, g.Text, g.file = or(g.file.name, res.Reference.Title()), res.Text, nil
	}
	return strings.TrimSpace(g.Text) != ""
}

// message is what both forms have in common. Its content is a text or a list of parts.
type message struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// part is a part of a content, of either form.
type part struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// OpenAI
	File struct {
		Name string `json:"filename"`
		Data string `json:"file_data"`
	} `json:"file"`
	FileName string `json:"filename"` // in Responses
	FileData string `json:"file_data"`
	// Anthropic
	Title     string          `json:"title"`
	Source    json.RawMessage `json:"source"` // an object, or the address of a search result
	Content   json.RawMessage `json:"content"`
	ToolUseID string          `json:"tool_use_id"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
}

// parts reads a content of either kind. What is not understood holds no source, and goes on all the same.
func contentParts(raw json.RawMessage) []part {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []part{{Type: "text", Text: text}}
	}
	var list []part
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	return nil
}

// textTypes are the types that parts with text have.
var textTypes = []string{"", "text", "input_text", "output_text"}

func textOf(parts []part) string {
	var texts []string
	for _, p := range parts {
		if p.Text != "" && slices.Contains(textTypes, p.Type) {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// gathered collects the sources of a request.
type gathered struct {
	sources []givenSource
	tools   map[string]string // names of tools by the id of their call
	indexes map[string]int
}

// maxGathered bounds the sources of one request. Those that come later are not looked at.
const maxGathered = 1000

func (g *gathered) add(kind, title, url, text string) {
	index := g.next(kind)
	if strings.TrimSpace(text) == "" || len(g.sources) >= maxGathered {
		return
	}
	g.sources = append(g.sources, givenSource{givenForm: givenForm{Title: title, URL: url, Text: text}, kind: kind, index: index})
}

// file adds a document that came as bytes.
func (g *gathered) file(name, media, data string) {
	index := g.next("document")
	if len(g.sources) < maxGathered && data != "" {
		g.sources = append(g.sources, givenSource{kind: "document", index: index, file: &givenFile{name, media, data}})
	}
}

// next counts the sources of a kind, also those that cannot be read here: the provider names them by their place among all.
func (g *gathered) next(kind string) int {
	if g.indexes == nil {
		g.indexes = map[string]int{}
	}
	g.indexes[kind]++
	return g.indexes[kind] - 1
}

var (
	numbered = regexp.MustCompile(`(?m)^\s*\[CTX (\d+)\][ \t:]*`)
	// questioning is a last paragraph that asks something: it says so, or ends as a question does.
	questioning  = regexp.MustCompile(`(?is)\n[ \t]*\n\s*((user )?(question|query|task|request|instruction)s?[ \t]*:[^\n]*(\n[^\n]+)*|[^\n]*\?)\s*$`)
	questionWord = regexp.MustCompile(`(?i)^(user )?(question|query|task|request|instruction)s?[ \t]*:\s*`)
	tagged       = regexp.MustCompile(`(?s)<(document|context|passage|search_result|excerpt)\b([^>]*)>(.*?)</(document|context|passage|search_result|excerpt)>`)
	titleGiven   = regexp.MustCompile(`(?:title|name|source)="([^"]*)"`)
	inner        = regexp.MustCompile(`(?s)<document_content>(.*?)</document_content>`)
	sourced      = regexp.MustCompile(`(?s)<(?:source|title)>(.*?)</(?:source|title)>`)
)

// contexts finds the sources that stand in a text, as [CTX n] or between tags, and gives what is left of it.
func (g *gathered) contexts(text string) (rest string) {
	if at := numbered.FindAllStringIndex(text, -1); len(at) > 0 {
		end := len(text)
		if q := questioning.FindStringIndex(text[at[len(at)-1][1]:]); q != nil { // behind the last context
			end = at[len(at)-1][1] + q[0]
		}
		for i, m := range at {
			to := end
			if i+1 < len(at) {
				to = at[i+1][0]
			}
			g.add("context", "", "", strings.TrimSpace(text[m[1]:to]))
		}
		return strings.TrimSpace(strings.TrimSpace(text[:at[0][0]]) + "\n\n" + questionWord.ReplaceAllString(strings.TrimSpace(text[end:]), ""))
	}
	return tagged.ReplaceAllStringFunc(text, func(block string) string {
		m := tagged.FindStringSubmatch(block)
		title, body := "", m[3]
		if t := titleGiven.FindStringSubmatch(m[2]); t != nil {
			title = t[1]
		}
		if t := sourced.FindStringSubmatch(body); t != nil && title == "" {
			title = strings.TrimSpace(t[1])
		}
		if c := inner.FindStringSubmatch(body); c != nil {
			body = c[1]
		}
		g.add("context", title, "", strings.TrimSpace(body))
		return ""
	})
}

// prompt takes the contexts and files out of a message, and gives what is left of its words.
func (g *gathered) prompt(parts []part) (rest string) {
	rest = strings.TrimSpace(g.contexts(textOf(parts)))
	g.files(parts)
	return rest
}

// files adds the files of a message in OpenAI's form.
func (g *gathered) files(parts []part) {
	for _, p := range parts {
		switch p.Type {
		case "file":
			g.file(p.File.Name, "", p.File.Data)
		case "input_file":
			g.file(p.FileName, "", p.FileData)
		}
	}
}

// result adds what a tool returned: its text, and the search results and documents in it.
func (g *gathered) result(p part) {
	inside := contentParts(p.Content)
	for _, in := range inside {
		switch in.Type {
		case "search_result":
			g.search(in)
		case "document":
			g.document(in)
		}
	}
	g.add("tool", g.tools[p.ToolUseID], "", textOf(inside))
}

func (g *gathered) search(p part) {
	var address string
	_ = json.Unmarshal(p.Source, &address)
	if !api.WebAddress(address) {
		address = ""
	}
	g.add("search_result", p.Title, address, textOf(contentParts(p.Content)))
}

func (g *gathered) document(p part) {
	var source struct {
		Type, Data, URL string
		MediaType       string          `json:"media_type"`
		Content         json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(p.Source, &source)
	switch source.Type {
	case "text":
		g.add("document", p.Title, "", source.Data)
	case "content":
		g.add("document", p.Title, "", textOf(contentParts(source.Content)))
	case "base64":
		g.file(p.Title, source.MediaType, source.Data)
	default: // one that the provider fetches, or has already
		g.next("document")
	}
}
