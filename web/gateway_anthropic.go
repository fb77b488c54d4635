package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid/llm"
)

// anthropic is the form of messages.
type anthropic struct{}

func (anthropic) provider(s *Server) Provider    { return s.Anthropic }
func (anthropic) path() string                   { return "/v1/messages" }
func (anthropic) models() string                 { return "/v1/models" }
func (anthropic) sign(h http.Header, key string) { h.Set("X-Api-Key", key) }
func (anthropic) headers() []string              { return []string{"Anthropic-Version", "Anthropic-Beta"} }

func (anthropic) ourModels() any {
	one := map[string]any{"type": "model", "id": llm.ExtractiveName, "display_name": llm.ExtractiveName, "created_at": "1970-01-01T00:00:00Z"}
	return map[string]any{"data": []any{one}, "has_more": false, "first_id": llm.ExtractiveName, "last_id": llm.ExtractiveName}
}

func (anthropic) read(request map[string]json.RawMessage) (asked, error) {
	q, messages, err := begin(request)
	if err != nil {
		return q, err
	}
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
	q.sources, q.tools = g.sources, g.tools
	return q, nil
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
			given := a.source(c.Source)
			kind, index := given.kind, given.index
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
	blocks, _ := answer["content"].([]any)
	var texts []map[string]any
	for _, b := range blocks {
		block, _ := b.(map[string]any)
		if text, _ := block["text"].(string); block["type"] == "text" && text != "" {
			a.write(len(texts), text)
			texts = append(texts, block)
		}
	}
	reason, _ := answer["stop_reason"].(string)
	a.early(llm.Early(reason))
	for n, block := range texts {
		a.text(n).own, _ = block["citations"].([]any)
		t := a.end(n)
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

// readable reports whether the answer is a list of blocks, and those of text have one.
func (anthropic) readable(answer map[string]any) bool {
	if answer["error"] != nil && answer["content"] == nil {
		return true
	}
	blocks, ok := answer["content"].([]any)
	for _, b := range blocks {
		block, _ := b.(map[string]any)
		kind, named := block["type"].(string)
		_, text := block["text"].(string)
		ok = ok && named && text == (kind == "text")
	}
	return ok
}

func (f anthropic) event(e incoming, a *attributing) []byte {
	var said struct {
		Type  string
		Index int
		Delta struct {
			Type, Text string
			Citation   any
			StopReason any `json:"stop_reason"`
		}
		Block   struct{ Type, Text string } `json:"content_block"`
		Usage   json.RawMessage
		Message struct { // of the beginning
			Model   string
			Usage   json.RawMessage
			Content []json.RawMessage
		}
	}
	if a.told { // what comes behind the end is no part of it
		return nil
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
		if said.Delta.Type == "citations_delta" {
			if t := a.text(said.Index); len(t.own) < maxGathered {
				t.own = append(t.own, said.Delta.Citation)
				a.waits += len(e.data)
			}
		}
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
		reason, _ := said.Delta.StopReason.(string)
		a.early(llm.Early(reason))
	case "message_stop":
		a.told = true
		return append(f.catchUp(a), f.stop(e, a)...)
	case "error": // the provider's own, which waits for nothing
		a.told = true
		return e.block
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
func (f anthropic) stop(e incoming, a *attributing) []byte {
	note := a.note()
	if err := a.failure(); err != nil {
		return f.fault(a.server.problem(a.ctx, err))
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

func (anthropic) fault(p *huma.ErrorModel) []byte {
	return []byte("event: error\ndata: " + string(anthropicError(p)) + "\n\n")
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
