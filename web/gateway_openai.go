package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/llm"
)

// openAI is the form of chat completions.
type openAI struct{}

func (openAI) provider(s *Server) Provider    { return s.OpenAI }
func (openAI) path() string                   { return "/chat/completions" }
func (openAI) models() string                 { return "/models" }
func (openAI) sign(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }
func (openAI) headers() []string {
	return []string{"OpenAI-Organization", "OpenAI-Project", "OpenAI-Beta"}
}

func (openAI) ourModels() any {
	return map[string]any{"object": "list", "data": []any{map[string]any{"id": llm.ExtractiveName, "object": "model", "created": 0, "owned_by": "ibid"}}}
}

// read takes the sources and the last question out of a request in OpenAI's form.
func (openAI) read(request map[string]json.RawMessage) (asked, error) {
	q, messages, err := begin(request)
	if err != nil {
		return q, err
	}
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
			if rest := g.prompt(parts); m.Role == "user" && rest != "" {
				q.question = rest
			}
		}
	}
	q.sources, q.tools = g.sources, g.tools
	return q, nil
}

func (openAI) extractive(_, text string, stream bool) []byte {
	id, now := "chatcmpl-"+newID(), time.Now().Unix()
	if !stream {
		b, _ := json.Marshal(map[string]any{"id": id, "object": "chat.completion", "created": now, "model": llm.ExtractiveName,
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "logprobs": nil, "message": map[string]any{"role": "assistant", "content": text, "refusal": nil}}},
			"usage":   map[string]any{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}})
		return b
	}
	var b bytes.Buffer
	chunk := func(delta map[string]any, finish any) {
		c, _ := json.Marshal(map[string]any{"id": id, "object": "chat.completion.chunk", "created": now, "model": llm.ExtractiveName,
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

// annotations are the citations of a text in OpenAI's form: an address where there is one, else a file. The provider's own
// stand before them, unless they speak of another text.
func annotations(t *passing, a *attributing) []any {
	out := []any{}
	if !t.mended {
		out = append(out, t.native...)
	}
	for _, m := range t.measured() {
		for i, c := range m.Citations {
			p, _ := t.answer.Passage(m.links[i].Ref)
			cited := map[string]any{"type": "url_citation", "start_index": m.Start, "end_index": m.End, "title": p.Source.Title(), "url": p.Source.URI}
			if !api.WebAddress(p.Source.URI) {
				cited = map[string]any{"type": "file_citation", "start_index": m.Start, "end_index": m.End, "index": m.End,
					"file_id": or(a.source(c.Source).fileID, string(p.Source.ID)), "filename": or(p.Source.Title(), string(p.Source.ID)), "quote": c.Quote}
			}
			out = append(out, cited)
		}
	}
	return out
}

// nested gives an annotation as chat completions have it: in a field that has the name of its kind.
func nested(annotation any) any {
	flat, _ := annotation.(map[string]any)
	kind, _ := flat["type"].(string)
	if flat[kind] != nil || kind == "" {
		return annotation // the provider's own
	}
	inside := maps.Clone(flat)
	delete(inside, "type")
	delete(inside, "index")
	return map[string]any{"type": kind, kind: inside}
}

func nestedAll(list []any) []any {
	for i, v := range list {
		list[i] = nested(v)
	}
	return list
}

func (openAI) annotate(answer map[string]any, a *attributing) {
	choices, _ := answer["choices"].([]any)
	n := 0
	for _, c := range choices {
		choice, _ := c.(map[string]any)
		msg, _ := choice["message"].(map[string]any)
		text := wordsOf(msg["content"])
		if text == "" {
			continue // a call of tools has nothing to attribute
		}
		a.write(n, text)
		reason, _ := choice["finish_reason"].(string)
		a.text(n).incomplete = llm.Early(reason)
		a.text(n).native, _ = msg["annotations"].([]any)
		t := a.end(n)
		n++
		delete(msg, "annotations")
		if t.mended {
			msg["content"] = otherWords(msg["content"], t.raw.String())
			delete(choice, "logprobs") // they are the words, one by one
		}
		if list := nestedAll(annotations(t, a)); len(list) > 0 {
			msg["annotations"] = list
		}
	}
}

// wordsOf are the words of a content: a text, or a list of parts of which some are texts.
func wordsOf(content any) string {
	if text, ok := content.(string); ok {
		return text
	}
	var words strings.Builder
	list, _ := content.([]any)
	for _, v := range list {
		words.WriteString(partText(v))
	}
	return words.String()
}

// partText is the text of a part, "" where it is none.
func partText(v any) string {
	part, _ := v.(map[string]any)
	text, _ := part["text"].(string)
	if kind, _ := part["type"].(string); kind != "text" {
		return ""
	}
	return text
}

// otherWords gives a content of the same form with other words, all of them where the first were.
func otherWords(content any, text string) any {
	list, ok := content.([]any)
	if !ok {
		return text
	}
	var out []any
	put := false
	for _, v := range list {
		if partText(v) == "" {
			out = append(out, v)
		} else if !put {
			out, put = append(out, map[string]any{"type": "text", "text": text}), true
		}
	}
	return out
}

// readable reports whether the words of all choices are where annotate looks for them.
func (openAI) readable(answer map[string]any) bool {
	if answer["error"] != nil && answer["choices"] == nil {
		return true
	}
	choices, _ := answer["choices"].([]any)
	for _, c := range choices {
		choice, _ := c.(map[string]any)
		msg, ok := choice["message"].(map[string]any)
		if !ok || choice["text"] != nil || msg["audio"] != nil {
			return false
		}
		switch content := msg["content"].(type) {
		case nil, string:
		case []any:
			for _, v := range content {
				part, _ := v.(map[string]any)
				if kind := part["type"]; kind != "thinking" && kind != "refusal" && partText(v) == "" {
					return false
				}
			}
		default:
			return false
		}
	}
	return len(choices) > 0
}

// event gives the words of a stream on as they come. What ends a text waits for the end of the stream: clients take it for
// the end of the answer, which is to be on record by then.
func (o openAI) event(e incoming, a *attributing) []byte {
	if a.over || a.told && !e.done() { // what comes behind the end is no part of it
		return nil
	}
	if e.done() {
		a.over = true
		if a.told { // of an error
			a.cut(nil, errCut)
		}
		return append(o.end(a), e.block...)
	}
	var chunk struct {
		ID      string
		Created json.RawMessage
		Model   string
		Usage   json.RawMessage
		Error   json.RawMessage
		Choices []struct {
			Index        int
			Delta        struct{ Content, Annotations any }
			FinishReason string `json:"finish_reason"` // empty, too, where there is none yet
		}
	}
	block := e.block
	if a.holds() {
		block = withoutWords(e.data)
	}
	var odd *json.UnmarshalTypeError // of one field: the others are read
	if err := json.Unmarshal(e.data, &chunk); err != nil && !errors.As(err, &odd) {
		return block
	}
	a.name(named{chunk.ID, string(chunk.Created), chunk.Model})
	a.count(chunk.Usage)
	failed := isFault(chunk.Error)
	waits := len(chunk.Choices) == 0 && len(a.later) > 0
	for _, c := range chunk.Choices {
		if c.Index < 0 || c.Index >= 128 {
			continue
		}
		a.write(c.Index, wordsOf(c.Delta.Content))
		if list, _ := c.Delta.Annotations.([]any); len(list) > 0 {
			t := a.text(c.Index)
			t.own = append(t.own, list[:min(len(list), maxGathered)]...)
			a.waits += len(e.data)
			if a.holds() { // they come behind the words
				t.native = append(t.native, list...)
			}
		}
		if c.FinishReason != "" && !failed {
			t := a.text(c.Index)
			t.finished, t.incomplete = true, or(llm.Early(c.FinishReason), t.incomplete)
			waits = true
		}
	}
	if failed { // of the provider's own, which waits for nothing
		a.told = true
		return block
	}
	if waits {
		a.postpone(-1, block)
		return nil
	}
	return block
}

// isFault reports whether the field error of a chunk holds one: there are providers that send it empty.
func isFault(field json.RawMessage) bool {
	var v any
	_ = json.Unmarshal(field, &v)
	object, _ := v.(map[string]any)
	text, _ := v.(string)
	return len(object) > 0 || text != ""
}

// last ends a stream whose provider has ended all texts, and left out the line that says so: there are clients that wait for it.
func (o openAI) last(a *attributing) (out []byte) {
	if a.told {
		return nil
	}
	ended := len(a.later) > 0
	for i, t := range a.texts {
		ended = ended && (t.finished || t.follower == nil)
		if t.finished {
			a.end(i)
		}
	}
	if ended {
		out = o.end(a)
		if a.failure() == nil {
			out = append(out, "data: [DONE]\n\n"...)
		}
		return out
	}
	if !a.holds() && a.failure() == nil {
		return a.waiting()
	}
	return nil
}

// end records the texts, and gives what comes before the end of the stream.
func (o openAI) end(a *attributing) (out []byte) {
	a.told = true
	note := a.note()
	choices := []any{}
	for i, t := range a.texts {
		if a.holds() && !a.bySegment() && t.done && t.unrecorded == nil && t.refused == nil {
			out = append(out, o.words(i, t.raw.String(), a)...)
		}
		if list := nestedAll(annotations(t, a)); len(list) > 0 {
			choices = append(choices, openAIChoice(i, map[string]any{"annotations": list}))
		}
	}
	if len(choices) == 0 { // there are clients that look at the first without asking whether there is one
		choices = append(choices, openAIChoice(0, map[string]any{}))
	}
	out = append(out, openAIChunk(a, choices, &note)...)
	if err := a.failure(); err != nil {
		return append(out, o.fault(a.server.problem(a.ctx, err))...)
	}
	return append(out, a.waiting()...)
}

func (openAI) fault(p *huma.ErrorModel) []byte {
	return []byte("data: " + string(openAIError(p)) + "\n\n")
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
		for _, name := range []string{"message", "text", "logprobs"} {
			delete(choice, name)
		}
		delta, ok := choice["delta"].(map[string]any)
		delete(delta, "audio")
		delete(delta, "annotations")
		if ok && delta["content"] != nil {
			delta["content"] = ""
		}
	}
	b, err := json.Marshal(chunk)
	if err != nil {
		return nil
	}
	return []byte("data: " + string(b) + "\n\n")
}
