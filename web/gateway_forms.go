package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid/llm"
)

var (
	extractiveModel = llm.Extractive{}
	problemType     = reflect.TypeFor[huma.ErrorModel]()
)

// usage counts tokens, in the words of either form.
type usage struct {
	Prompt       int `json:"prompt_tokens"`
	Completion   int `json:"completion_tokens"`
	Input        int `json:"input_tokens"`
	CacheRead    int `json:"cache_read_input_tokens"`
	CacheWritten int `json:"cache_creation_input_tokens"`
	Output       int `json:"output_tokens"`
}

// count takes the tokens that the provider tells. What it tells in another form is not understood, and harms nothing.
func (a *attributing) count(told json.RawMessage) {
	var u usage
	_ = json.Unmarshal(told, &u)
	a.usage.Input = or(u.Prompt+u.Input+u.CacheRead+u.CacheWritten, a.usage.Input)
	a.usage.Output = or(u.Completion+u.Output, a.usage.Output)
}

// learn takes what a whole answer tells of its maker.
func (a *attributing) learn(answer map[string]any) {
	model, _ := answer["model"].(string)
	a.name(named{model: model})
	counted, _ := json.Marshal(answer["usage"])
	a.count(counted)
}

// openAI is the form of chat completions.
type openAI struct{}

func (openAI) provider(s *Server) Provider    { return s.OpenAI }
func (openAI) path() string                   { return "/chat/completions" }
func (openAI) sign(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }
func (openAI) headers() []string {
	return []string{"OpenAI-Organization", "OpenAI-Project", "OpenAI-Beta"}
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

func textOf(parts []part) string {
	var texts []string
	for _, p := range parts {
		if p.Text != "" && (p.Type == "text" || p.Type == "") {
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
	if strings.TrimSpace(text) == "" || len(g.sources) >= maxGathered {
		return
	}
	g.sources = append(g.sources, givenSource{givenForm: givenForm{Title: title, URL: url, Text: text}, kind: kind, index: g.next(kind)})
}

// file adds a document that came as bytes.
func (g *gathered) file(name, media, data string) {
	if len(g.sources) < maxGathered && data != "" {
		g.sources = append(g.sources, givenSource{kind: "document", index: g.next("document"), file: &givenFile{name, media, data}})
	}
}

// next counts the sources of a kind.
func (g *gathered) next(kind string) int {
	if g.indexes == nil {
		g.indexes = map[string]int{}
	}
	g.indexes[kind]++
	return g.indexes[kind] - 1
}

// read takes the sources and the last question out of a request in OpenAI's form.
func (openAI) read(request map[string]json.RawMessage) (asked, error) {
	var q asked
	var messages []message
	if err := json.Unmarshal(request["messages"], &messages); err != nil || len(messages) == 0 {
		return q, invalid("body.messages", "a list of messages is needed")
	}
	_ = json.Unmarshal(request["stream"], &q.stream)
	_ = json.Unmarshal(request["model"], &q.model)
	g := gathered{tools: map[string]string{}}
	for _, m := range messages {
		parts := contentParts(m.Content)
		for _, c := range m.ToolCalls {
			g.tools[c.ID] = c.Function.Name
		}
		switch m.Role {
		case "tool", "function":
			g.add("tool", g.tools[m.ToolCallID], "", textOf(parts))
		case "assistant":
		default:
			text := textOf(parts)
			rest := g.contexts(text)
			for _, p := range parts {
				if p.Type == "file" {
					g.file(p.File.Name, "", p.File.Data)
				}
			}
			if rest = strings.TrimSpace(rest); m.Role == "user" && rest != "" {
				q.question = rest
			}
		}
	}
	q.sources = g.sources
	return q, nil
}

var (
	numbered = regexp.MustCompile(`(?m)^\s*\[CTX (\d+)\][ \t:]*`)
	// questioning is a last paragraph that asks something: it says so, or ends as a question does.
	questioning  = regexp.MustCompile(`(?is)\n[ \t]*\n\s*((user )?(question|query|task|request|instruction)s?[ \t]*:[^\n]*(\n[^\n]+)*|[^\n]*\?)\s*$`)
	questionWord = regexp.MustCompile(`(?i)^(user )?(question|query|task|request|instruction)s?[ \t]*:\s*`)
	tagged       = regexp.MustCompile(`(?s)<(document|context|passage|search_result|excerpt)\b([^>]*)>(.*?)</(document|context|passage|search_result|excerpt)>`)
	titled1      = regexp.MustCompile(`(?:title|name|source)="([^"]*)"`)
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
		if t := titled1.FindStringSubmatch(m[2]); t != nil {
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

func (openAI) extractive(_, text string, stream bool) []byte {
	id := "chatcmpl-" + newID()
	if !stream {
		b, _ := json.Marshal(map[string]any{"id": id, "object": "chat.completion", "created": 0, "model": llm.ExtractiveName,
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "logprobs": nil, "message": map[string]any{"role": "assistant", "content": text, "refusal": nil}}},
			"usage":   map[string]any{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}})
		return b
	}
	var b bytes.Buffer
	chunk := func(delta map[string]any, finish any) {
		c, _ := json.Marshal(map[string]any{"id": id, "object": "chat.completion.chunk", "created": 0, "model": llm.ExtractiveName,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(&b, "data: %s\n\n", c)
	}
	chunk(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, piece := range strings.SplitAfter(text, " ") {
		chunk(map[string]any{"content": piece}, nil)
	}
	chunk(map[string]any{}, "stop")
	b.WriteString("data: [DONE]\n\n")
	return b.Bytes()
}

// annotations are the citations of a text in OpenAI's form: an address where there is one, else a file.
func annotations(t *passing) []any {
	out := []any{}
	for _, m := range t.measured() {
		for i, c := range m.Citations {
			p, _ := t.answer.Passage(m.links[i].Ref)
			if url := p.Source.URI; webAddress(url) {
				out = append(out, map[string]any{"type": "url_citation", "url_citation": map[string]any{"start_index": m.Start, "end_index": m.End, "title": p.Source.Title(), "url": url}})
				continue
			}
			out = append(out, map[string]any{"type": "file_citation", "file_citation": map[string]any{"start_index": m.Start, "end_index": m.End,
				"file_id": string(p.Source.ID), "filename": p.Source.Title(), "quote": c.Quote}})
		}
	}
	return out
}

func (openAI) annotate(answer map[string]any, a *attributing) {
	a.learn(answer)
	choices, _ := answer["choices"].([]any)
	n := 0
	for _, c := range choices {
		choice, _ := c.(map[string]any)
		msg, _ := choice["message"].(map[string]any)
		text, ok := msg["content"].(string)
		if !ok || text == "" {
			continue // a call of tools has nothing to attribute
		}
		a.write(n, text)
		t := a.end(n)
		n++
		if t.mended {
			msg["content"] = t.raw.String()
		}
		had, _ := msg["annotations"].([]any)
		if list := append(had, annotations(t)...); len(list) > 0 {
			msg["annotations"] = list
		}
	}
}

// event gives the words of a stream on as they come. What ends a text waits for the end of the stream: clients take it for
// the end of the answer, which is to be on record by then.
func (o openAI) event(e incoming, a *attributing) []byte {
	if bytes.Equal(bytes.TrimSpace(e.data), []byte("[DONE]")) {
		return append(o.end(a), e.block...)
	}
	var chunk struct {
		ID      string
		Created json.RawMessage
		Model   string
		Usage   json.RawMessage
		Choices []struct {
			Index        int
			Delta        struct{ Content string }
			FinishReason *string `json:"finish_reason"`
		}
	}
	block := e.block
	if a.holds() {
		block = withoutWords(e.data)
	}
	if json.Unmarshal(e.data, &chunk) != nil {
		return block
	}
	a.name(named{chunk.ID, string(chunk.Created), chunk.Model})
	a.count(chunk.Usage)
	waits := len(chunk.Choices) == 0 && len(a.later) > 0
	for _, c := range chunk.Choices {
		if c.Index < 0 || c.Index >= 128 {
			continue
		}
		a.write(c.Index, c.Delta.Content)
		if c.FinishReason != nil {
			a.text(c.Index).finished = true
			waits = true
		}
	}
	if waits {
		a.postpone(-1, block)
		return nil
	}
	return block
}

// last ends a stream whose provider has left out the line that says so.
func (o openAI) last(a *attributing) (out []byte) {
	ended := len(a.later) > 0
	for i, t := range a.texts {
		if t.done {
			return nil
		}
		ended = ended && (t.finished || t.follower == nil)
		if t.finished {
			a.end(i)
		}
	}
	if ended {
		return o.end(a)
	}
	if !a.holds() && a.failure() == nil {
		return a.waiting()
	}
	return nil
}

// end records the texts, and gives what comes before the end of the stream.
func (o openAI) end(a *attributing) (out []byte) {
	note := a.note()
	choices := []any{}
	for i, t := range a.texts {
		if a.holds() && !a.bySegment() && t.done && t.unrecorded == nil && t.refused == nil {
			out = append(out, o.words(i, t.raw.String(), a)...)
		}
		if list := annotations(t); len(list) > 0 {
			choices = append(choices, openAIChoice(i, map[string]any{"annotations": list}))
		}
	}
	if len(choices) == 0 { // there are clients that look at the first without asking whether there is one
		choices = append(choices, openAIChoice(0, map[string]any{}))
	}
	out = append(out, openAIChunk(a, choices, &note)...)
	if err := a.failure(); err != nil {
		return append(out, "data: "+string(openAIError(a.server.problem(a.ctx, err)))+"\n\n"...)
	}
	return append(out, a.waiting()...)
}

func openAIChoice(n int, delta map[string]any) map[string]any {
	return map[string]any{"index": n, "delta": delta, "finish_reason": nil}
}

// openAIChunk is a chunk of ours. It bears the name of the provider's own: clients put together what has one name.
func openAIChunk(a *attributing, choices []any, note *gatewayNote) []byte {
	by := a.name(named{})
	chunk := map[string]any{"id": by.id, "object": "chat.completion.chunk", "created": json.RawMessage(or(by.created, "0")), "model": by.model, "choices": choices}
	if note != nil {
		chunk["ibid"] = note
	}
	b, err := json.Marshal(chunk)
	if err != nil {
		return nil
	}
	return []byte("data: " + string(b) + "\n\n")
}

func (openAI) words(n int, text string, a *attributing) []byte {
	if text == "" {
		return nil
	}
	return openAIChunk(a, []any{openAIChoice(n, map[string]any{"content": text})}, nil)
}

// withoutWords takes the words out of a chunk and leaves the rest as it is. Of what is no chunk nothing is left: it could
// hold anything.
func withoutWords(data []byte) []byte {
	var chunk map[string]any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if dec.Decode(&chunk) != nil {
		return nil
	}
	choices, ok := chunk["choices"].([]any)
	if !ok && chunk["error"] == nil {
		return nil
	}
	for _, c := range choices {
		choice, _ := c.(map[string]any)
		delete(choice, "message")
		delete(choice, "text")
		if delta, ok := choice["delta"].(map[string]any); ok && delta["content"] != nil {
			delta["content"] = ""
		}
	}
	b, err := json.Marshal(chunk)
	if err != nil {
		return nil
	}
	return []byte("data: " + string(b) + "\n\n")
}

// anthropic is the form of messages.
type anthropic struct{}

func (anthropic) provider(s *Server) Provider    { return s.Anthropic }
func (anthropic) path() string                   { return "/v1/messages" }
func (anthropic) sign(h http.Header, key string) { h.Set("X-Api-Key", key) }
func (anthropic) headers() []string              { return []string{"Anthropic-Version", "Anthropic-Beta"} }

func (anthropic) read(request map[string]json.RawMessage) (asked, error) {
	var q asked
	var messages []message
	if err := json.Unmarshal(request["messages"], &messages); err != nil || len(messages) == 0 {
		return q, invalid("body.messages", "a list of messages is needed")
	}
	_ = json.Unmarshal(request["stream"], &q.stream)
	_ = json.Unmarshal(request["model"], &q.model)
	g := gathered{tools: map[string]string{}}
	g.contexts(textOf(contentParts(request["system"])))
	for _, m := range messages {
		parts := contentParts(m.Content)
		for _, p := range parts {
			switch p.Type {
			case "tool_use":
				g.tools[p.ID] = p.Name
			case "tool_result":
				g.result(p)
			case "document":
				g.document(p)
			case "search_result":
				g.search(p)
			}
		}
		if m.Role == "user" {
			if rest := strings.TrimSpace(g.contexts(textOf(parts))); rest != "" {
				q.question = rest
			}
		}
	}
	q.sources = g.sources
	return q, nil
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
	if !webAddress(address) {
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
	}
}

func (anthropic) extractive(_, text string, stream bool) []byte {
	id := "msg_" + newID()
	head := map[string]any{"id": id, "type": "message", "role": "assistant", "model": llm.ExtractiveName, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 0, "output_tokens": 0}}
	if !stream {
		head["content"] = []any{map[string]any{"type": "text", "text": text}}
		head["stop_reason"] = "end_turn"
		b, _ := json.Marshal(head)
		return b
	}
	var b bytes.Buffer
	send := func(kind string, v map[string]any) {
		v["type"] = kind
		data, _ := json.Marshal(v)
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", kind, data)
	}
	head["content"], head["stop_reason"] = []any{}, nil
	send("message_start", map[string]any{"message": head})
	send("content_block_start", map[string]any{"index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
	for _, piece := range strings.SplitAfter(text, " ") {
		send("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "text_delta", "text": piece}})
	}
	send("content_block_stop", map[string]any{"index": 0})
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": "end_turn", "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 0}})
	send("message_stop", map[string]any{})
	return b.Bytes()
}

// citationsOf are the citations of a text in Anthropic's form: of a document by its index, of all else as a search result.
func citationsOf(t *passing, a *attributing) []any {
	out := []any{}
	for _, m := range t.measured() {
		for i, c := range m.Citations {
			p, _ := t.answer.Passage(m.links[i].Ref)
			kind, index := "library", c.Source-1
			if c.Source-1 < len(a.given) {
				kind, index = a.given[c.Source-1].kind, a.given[c.Source-1].index
			}
			title := p.Source.Title()
			if kind == "document" {
				out = append(out, map[string]any{"type": "char_location", "cited_text": c.Quote, "document_index": index, "document_title": title, "file_id": nil,
					"start_char_index": c.Start, "end_char_index": c.End})
				continue
			}
			out = append(out, map[string]any{"type": "search_result_location", "cited_text": c.Quote, "source": or(p.Source.URI, string(p.Source.ID)), "title": title,
				"search_result_index": index, "start_block_index": 0, "end_block_index": 1})
		}
	}
	return out
}

func (anthropic) annotate(answer map[string]any, a *attributing) {
	a.learn(answer)
	blocks, _ := answer["content"].([]any)
	n := 0
	for _, b := range blocks {
		block, _ := b.(map[string]any)
		text, ok := block["text"].(string)
		if block["type"] != "text" || !ok || text == "" {
			continue
		}
		a.write(n, text)
		t := a.end(n)
		n++
		if t.mended {
			block["text"] = t.raw.String()
			delete(block, "citations") // they speak of another text
		}
		if had, _ := block["citations"].([]any); len(had) > 0 {
			continue // the provider's own stand
		}
		if list := citationsOf(t, a); len(list) > 0 {
			block["citations"] = list
		}
	}
}

func (f anthropic) event(e incoming, a *attributing) []byte {
	var said struct {
		Type    string
		Index   int
		Delta   struct{ Type, Text string }
		Block   struct{ Type, Text string } `json:"content_block"`
		Usage   json.RawMessage
		Message struct { // of the beginning
			Model   string
			Usage   json.RawMessage
			Content []json.RawMessage
		}
	}
	known := json.Unmarshal(e.data, &said) == nil && said.Index >= 0 && said.Index < 1024
	if a.holds() && (!known || !slices.Contains(anthropicEvents, said.Type) || len(said.Message.Content) > 0 || said.Block.Text != "") {
		return nil // it could hold anything
	}
	if !known {
		return e.block
	}
	switch said.Type {
	case "message_start":
		a.name(named{model: said.Message.Model})
		a.count(said.Message.Usage)
	case "content_block_delta":
		if said.Delta.Type != "text_delta" {
			break
		}
		a.write(said.Index, said.Delta.Text)
		if a.holds() {
			return nil
		}
	case "content_block_start":
		a.write(said.Index, said.Block.Text)
		if len(a.later) > 0 {
			a.text(said.Index).late = true
		}
	case "content_block_stop":
		t := a.attributed(said.Index)
		t.finished = true
		switch {
		case t.follower == nil: // not of words
		case a.holds():
			a.postpone(said.Index, e.block)
			return nil
		default:
			return append(f.cites(said.Index, t, a), e.block...)
		}
	case "message_delta": // the last to tell of the usage
		a.count(said.Usage)
		return append(f.catchUp(a), e.block...)
	case "message_stop":
		return append(f.catchUp(a), f.stop(e, a)...)
	}
	if len(a.later) > 0 && said.Type != "ping" {
		a.postpone(-1, e.block)
		return nil
	}
	return e.block
}

// anthropicEvents are those that a gate that holds lets pass: their words are where it looks for them.
var anthropicEvents = []string{"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop", "ping", "error"}

// last ends nothing: what has no message_stop was cut.
func (anthropic) last(*attributing) []byte { return nil }

// catchUp records the texts that the gate holds, and gives what it lets out and all that waits behind.
func (f anthropic) catchUp(a *attributing) (out []byte) {
	if len(a.later) == 0 {
		return nil
	}
	for i := range a.texts {
		a.end(i)
	}
	for _, p := range a.later {
		if p.text >= 0 {
			t := a.texts[p.text]
			out = append(out, t.words.Bytes()...)
			if t.unrecorded == nil && t.refused == nil {
				if !a.bySegment() {
					out = append(out, f.words(p.text, t.raw.String(), a)...)
				}
				out = append(out, f.cites(p.text, t, a)...)
			}
		}
		out = append(out, p.block...)
	}
	a.later = nil
	return out
}

// stop gives the last event, or in its place why the answer is none.
func (anthropic) stop(e incoming, a *attributing) []byte {
	note := a.note()
	if err := a.failure(); err != nil {
		return []byte("event: error\ndata: " + string(anthropicError(a.server.problem(a.ctx, err))) + "\n\n")
	}
	var data map[string]any
	if json.Unmarshal(e.data, &data) != nil {
		return e.block
	}
	data["ibid"] = note
	b, err := json.Marshal(data)
	if err != nil {
		return e.block
	}
	return []byte("event: message_stop\ndata: " + string(b) + "\n\n")
}

func (anthropic) words(n int, text string, _ *attributing) []byte {
	if text == "" {
		return nil
	}
	return blockDelta(n, map[string]any{"type": "text_delta", "text": text})
}

// cites are the citations of a block as events.
func (anthropic) cites(n int, t *passing, a *attributing) (out []byte) {
	for _, c := range citationsOf(t, a) {
		out = append(out, blockDelta(n, map[string]any{"type": "citations_delta", "citation": c})...)
	}
	return out
}

func blockDelta(n int, delta map[string]any) []byte {
	b, err := json.Marshal(map[string]any{"type": "content_block_delta", "index": n, "delta": delta})
	if err != nil {
		return nil
	}
	return []byte("event: content_block_delta\ndata: " + string(b) + "\n\n")
}
