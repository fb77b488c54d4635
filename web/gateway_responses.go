package web

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/ibid-dev/ibid/llm"
)

// responses is the form of OpenAI's Responses. An answer is a list of items: messages, whose parts are texts, and between them
// what the model thought, the calls of tools and what those of the provider found.
type responses struct {
	openAI // the same provider, key and models

	mu    sync.Mutex // parts are looked up from beside
	parts []*outputPart
	head  map[string]any // the response as it was told last
	held  []map[string]any
	over  bool
	sent  int
}

// outputPart is a part of a message: its place is what a text has for a name.
type outputPart struct {
	item            string
	output, content int
	closed          bool // all its words came
	shown           bool // its words and citations are out
}

func (*responses) path() string { return "/responses" }

// itemForm is an item of a request or of an answer.
type itemForm struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	CallID  string          `json:"call_id"`
	Name    string          `json:"name"`
	Output  json.RawMessage `json:"output"`
	Results []struct {
		FileID string `json:"file_id"`
		Name   string `json:"filename"`
		Text   string `json:"text"`
	} `json:"results"`
	Outputs []struct {
		Logs string `json:"logs"`
	} `json:"outputs"`
}

// read takes the sources and the last question out of a request.
func (*responses) read(request map[string]json.RawMessage) (asked, error) {
	var q asked
	var background, store *bool
	_ = json.Unmarshal(request["background"], &background)
	_ = json.Unmarshal(request["store"], &store)
	_ = json.Unmarshal(request["stream"], &q.stream)
	_ = json.Unmarshal(request["model"], &q.model)
	_ = json.Unmarshal(request["previous_response_id"], &q.thread.previous)
	var conversation struct{ ID string }
	if json.Unmarshal(request["conversation"], &q.thread.conversation) != nil {
		_ = json.Unmarshal(request["conversation"], &conversation)
		q.thread.conversation = conversation.ID
	}
	q.thread.kept = store == nil || *store
	if background != nil && *background {
		return q, invalid("body.background", "an answer that is made in the background would be fetched around the gate and the record: ask without, and stream it where it takes long")
	}
	g := gathered{tools: map[string]string{}}
	var instructions string
	_ = json.Unmarshal(request["instructions"], &instructions)
	g.contexts(instructions)
	for i := range g.sources { // they are not carried over to the next turn
		g.sources[i].once = true
	}
	var text string
	var items []json.RawMessage
	switch {
	case json.Unmarshal(request["input"], &text) == nil && text != "":
		q.question = strings.TrimSpace(g.contexts(text))
	case json.Unmarshal(request["input"], &items) == nil && len(items) > 0:
		for _, raw := range items {
			if m := g.item(raw); m.message() && m.Role != "assistant" {
				if rest := g.prompt(contentParts(m.Content)); m.Role == "user" && rest != "" {
					q.question = rest
				}
			}
		}
	case request["prompt"] == nil && len(q.thread.names()) == 0: // the provider may have it
		return q, invalid("body.input", "a text or a list of items is needed")
	}
	q.sources, q.tools = g.sources, g.tools
	return q, nil
}

func (m itemForm) message() bool { return m.Type == "message" || m.Type == "" && m.Role != "" }

// item adds what a tool returned, or remembers how it is called. Of an item that is none of both it gives the form.
func (g *gathered) item(raw json.RawMessage) itemForm {
	var m itemForm
	_ = json.Unmarshal(raw, &m) // of what has another form the rest is read
	before := len(g.sources)
	switch {
	case m.message():
	case m.Type == "file_search_call":
		for _, r := range m.Results {
			g.add("search_result", r.Name, "", r.Text)
			for i := before; i < len(g.sources); i++ {
				g.sources[i].fileID = r.FileID
			}
			before = len(g.sources)
		}
	case m.Type == "code_interpreter_call":
		for _, o := range m.Outputs {
			g.add("tool", "code_interpreter", "", o.Logs)
		}
	case m.Type == "mcp_call":
		g.add("tool", m.Name, "", textOf(contentParts(m.Output)))
	case strings.HasSuffix(m.Type, "_output"):
		parts := contentParts(m.Output)
		g.add("tool", g.tools[m.CallID], "", or(textOf(parts), printed(m.Output)))
		for i := before; i < len(g.sources); i++ {
			g.sources[i].call = m.CallID
		}
		g.files(parts)
	case m.CallID != "" && m.Name != "":
		g.tools[m.CallID] = m.Name
	}
	return m
}

// printed is what commands of a shell printed.
func printed(output json.RawMessage) string {
	var list []struct{ Stdout, Stderr string }
	_ = json.Unmarshal(output, &list)
	var out []string
	for _, c := range list {
		if text := strings.TrimSpace(c.Stdout + "\n" + c.Stderr); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

func (r *responses) extractive(_, text string, stream bool) []byte {
	id, item := "resp_"+newID(), "msg_"+newID()
	part := func(text string) map[string]any {
		return map[string]any{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
	}
	message := func(status string, content ...any) map[string]any {
		return map[string]any{"type": "message", "id": item, "status": status, "role": "assistant", "content": append([]any{}, content...)}
	}
	response := func(status string, output ...any) map[string]any {
		return map[string]any{"id": id, "object": "response", "created_at": time.Now().Unix(), "status": status, "model": llm.ExtractiveName, "output": append([]any{}, output...),
			"error": nil, "incomplete_details": nil, "instructions": nil, "metadata": map[string]any{}, "parallel_tool_calls": true, "temperature": nil, "tool_choice": "auto", "tools": []any{}, "top_p": nil,
			"usage": map[string]any{"input_tokens": 0, "output_tokens": 0, "total_tokens": 0, "input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0}}}
	}
	whole := response("completed", message("completed", part(text)))
	if !stream {
		b, _ := json.Marshal(whole)
		return b
	}
	var b bytes.Buffer
	say := func(kind string, said map[string]any) {
		said["type"] = kind
		b.Write(eventOf(said))
	}
	at := func(said map[string]any) map[string]any {
		said["item_id"], said["output_index"], said["content_index"] = item, 0, 0
		return said
	}
	say("response.created", map[string]any{"response": response("in_progress")})
	say("response.in_progress", map[string]any{"response": response("in_progress")})
	say("response.output_item.added", map[string]any{"output_index": 0, "item": message("in_progress")})
	say("response.content_part.added", at(map[string]any{"part": part("")}))
	for _, piece := range strings.SplitAfter(text, " ") {
		say("response.output_text.delta", at(map[string]any{"delta": piece, "logprobs": []any{}}))
	}
	say("response.output_text.done", at(map[string]any{"text": text, "logprobs": []any{}}))
	say("response.content_part.done", at(map[string]any{"part": part(text)}))
	say("response.output_item.done", map[string]any{"output_index": 0, "item": message("completed", part(text))})
	say("response.completed", map[string]any{"response": whole})
	return b.Bytes()
}

// annotate takes the items in order: a text may rest on what was found before it.
func (r *responses) annotate(answer map[string]any, a *attributing) {
	output, _ := answer["output"].([]any)
	var texts []map[string]any
	for _, v := range output {
		item, _ := v.(map[string]any)
		if item["type"] != "message" {
			a.offer(item)
			continue
		}
		for _, part := range textParts(item) {
			if part["text"] != "" {
				a.write(len(texts), part["text"].(string))
				texts = append(texts, part)
			}
		}
	}
	a.early(unended(answer))
	for n, part := range texts {
		a.text(n).native, _ = part["annotations"].([]any)
		settle(part, a.end(n), a)
	}
	wholeText(answer)
}

// unended says why the provider ended a response before its end, "" where it did not.
func unended(response map[string]any) string {
	details, _ := response["incomplete_details"].(map[string]any)
	reason, _ := details["reason"].(string)
	status, _ := response["status"].(string)
	if status == "" || status == "completed" {
		return ""
	}
	return or(llm.Early(reason), or(llm.Early(status), "the provider ended the answer early: "+or(reason, "it does not say why")))
}

// textParts are the parts of a message that are texts.
func textParts(item map[string]any) (out []map[string]any) {
	content, _ := item["content"].([]any)
	for _, v := range content {
		if isText(v) {
			out = append(out, v.(map[string]any))
		}
	}
	return out
}

func isText(v any) bool {
	part, _ := v.(map[string]any)
	_, ok := part["text"].(string)
	return ok && part["type"] == "output_text"
}

// settle puts into a part what became of its text.
func settle(part map[string]any, t *passing, a *attributing) {
	if t.mended {
		if _, ok := part["logprobs"]; ok {
			part["logprobs"] = []any{} // they are the words, one by one
		}
	}
	part["text"], part["annotations"] = t.raw.String(), annotations(t, a)
}

// wholeText makes the field that some providers give beside, with the words of all texts, say what they do.
func wholeText(answer map[string]any) {
	if _, ok := answer["output_text"].(string); !ok {
		delete(answer, "output_text")
		return
	}
	var all strings.Builder
	output, _ := answer["output"].([]any)
	for _, v := range output {
		item, _ := v.(map[string]any)
		for _, part := range textParts(item) {
			all.WriteString(part["text"].(string))
		}
	}
	answer["output_text"] = all.String()
}

// readable reports whether the words of all messages are where annotate looks for them.
func (*responses) readable(answer map[string]any) bool {
	output, ok := answer["output"].([]any)
	if !ok {
		return answer["error"] != nil && answer["output"] == nil
	}
	for _, v := range output {
		item, _ := v.(map[string]any)
		if !readableItem(item) {
			return false
		}
	}
	return true
}

// readableItem reports whether an item has no words but in the parts of a message.
func readableItem(item map[string]any) bool {
	kind, _ := item["type"].(string)
	content, isList := item["content"].([]any)
	if kind == "" || item["text"] != nil {
		return false
	}
	if kind != "message" {
		return item["content"] == nil || kind == "reasoning"
	}
	for _, v := range content {
		part, _ := v.(map[string]any)
		_, refuses := part["refusal"].(string)
		if !isText(v) && (part["type"] != "refusal" || !refuses || part["text"] != nil) {
			return false
		}
	}
	return isList || item["content"] == nil
}
