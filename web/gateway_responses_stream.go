package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// A stream of a response says each text four times: in pieces, and then whole, as the end of the text, of its part and of its
// item; and the last event has all items once more. A reader may look at any of them, so they all say the same: what came in
// pieces, or what the gate let out. Where the gate holds, the ends of texts wait, and all that stands behind them.

// maxParts bounds the texts of one answer, and the items and parts that they may stand at.
const maxParts = 128

// event takes the words out of an event, and gives what is to be sent for it.
func (r *responses) event(e incoming, a *attributing) []byte {
	said := object(e.data)
	kind, _ := said["type"].(string)
	switch {
	case e.done():
		if a.told && !a.over {
			a.over = true
			return e.block
		}
		return nil // without an end before it: it was cut
	case r.over || a.told && kind != "response.failed": // what comes behind the end is no part of it
		return nil
	case kind == "error": // the provider's own, which waits for nothing
		a.told = true
		maps.DeleteFunc(said, func(name string, _ any) bool { return a.holds() && !slices.Contains(errorFields, name) })
		return eventOf(said)
	case kind == "" && isFaultOf(said):
		a.told = true
		return e.block
	case kind == "" || strings.ContainsAny(kind, "\r\n"):
		if a.holds() {
			return nil // it could hold anything
		}
		return e.block
	case a.holds() && !passable(kind):
		return nil
	}
	switch kind {
	case "response.created", "response.queued", "response.in_progress":
		r.begin(said, a)
	case "response.failed":
		return r.failed(said, a)
	case "response.completed", "response.incomplete":
		return r.end(said, a)
	case "response.output_text.delta":
		return r.delta(said, a)
	case "response.output_text.annotation.added":
		return r.annotation(said, a, len(e.data))
	case "response.output_text.done", "response.content_part.done", "response.output_item.done":
		return r.done(said, a, len(e.data))
	case "response.content_part.added", "response.output_item.added":
		return r.added(said, a, len(e.data))
	}
	return r.pass(said, a, len(e.data))
}

// passable reports whether a gate that holds lets an event pass: its words are where it looks for them, or no part of the
// answer, as what a model thinks and its calls of tools.
func passable(kind string) bool {
	return slices.Contains(responseEvents, kind) || slices.ContainsFunc(responseTools, func(p string) bool { return strings.HasPrefix(kind, p) })
}

// responseEnds end a text: alone, with its part, with its item.
var responseEnds = []string{"response.output_text.done", "response.content_part.done", "response.output_item.done"}

var (
	errorFields    = []string{"type", "code", "message", "param", "error"}
	responseEvents = []string{"response.created", "response.queued", "response.in_progress", "response.completed", "response.incomplete", "response.failed",
		"response.output_item.added", "response.output_item.done", "response.content_part.added", "response.content_part.done",
		"response.output_text.delta", "response.output_text.done", "response.output_text.annotation.added"}
	responseTools = []string{"response.refusal.", "response.reasoning", "response.function_call", "response.custom_tool_call", "response.file_search_call", "response.web_search_call",
		"response.code_interpreter_call", "response.image_generation_call", "response.mcp_", "response.shell_call", "response.apply_patch_call", "response.compaction"}
)

// object reads a JSON object. Every number goes on as it came.
func object(data []byte) map[string]any {
	var v map[string]any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return nil
	}
	return v
}

// isFaultOf reports whether an event that does not say what it is tells of an error.
func isFaultOf(said map[string]any) bool {
	field, _ := json.Marshal(said["error"])
	return isFault(field)
}

// begin learns what the answer is called. Nothing is said yet.
func (r *responses) begin(said map[string]any, a *attributing) {
	response, _ := said["response"].(map[string]any)
	if response == nil {
		return
	}
	a.learn(response)
	if a.holds() {
		response["output"] = []any{}
		delete(response, "output_text")
	}
	r.head = response
}

// pass gives an event on, or lets it wait behind those that do.
func (r *responses) pass(said map[string]any, a *attributing, size int) []byte {
	if len(r.held) == 0 {
		return eventOf(said)
	}
	r.held = append(r.held, said)
	a.waits += size
	return nil
}

// at gives the number of the text at a place, a new one where there is none; -1 where there can be none. Events tell places by
// index, and there are providers whose names of an item differ from one to the next. A list of items may leave some out, and
// so they are told by name, and by index where no name fits.
func (r *responses) at(item string, output, content int, listed bool, a *attributing) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := -1
	byName := func(p *outputPart) bool { return p.item == item && item != "" && p.content == content }
	if listed {
		n = slices.IndexFunc(r.parts, byName)
	}
	if n < 0 {
		n = slices.IndexFunc(r.parts, func(p *outputPart) bool { return p.output == output && p.content == content })
	}
	if n >= 0 || output < 0 || output >= maxParts || content < 0 || content >= maxParts || len(r.parts) >= maxParts {
		return n
	}
	r.parts = append(r.parts, &outputPart{item: item, output: output, content: content})
	n = len(r.parts) - 1
	a.text(n).late = len(r.held) > 0
	return n
}

// place gives the number of the text that an event speaks of.
func (r *responses) place(said map[string]any, a *attributing) int {
	item, _ := said["item_id"].(string)
	return r.at(item, index(said["output_index"]), index(said["content_index"]), false, a)
}

func index(v any) int {
	n, _ := v.(json.Number)
	i, err := n.Int64()
	if err != nil || i < 0 || i >= maxParts {
		return -1
	}
	return int(i)
}

// take adds words to a text, and gives them as an event where nothing holds them back.
func (r *responses) take(n int, words string, a *attributing) []byte {
	a.write(n, words)
	if a.holds() {
		return nil
	}
	return r.words(n, words, a)
}

// delta takes a piece of a text. One behind the end of its text is none.
func (r *responses) delta(said map[string]any, a *attributing) []byte {
	n := r.place(said, a)
	words, ok := said["delta"].(string)
	switch {
	case n < 0 || !ok:
		return r.unplaced(said, a)
	case r.parts[n].closed:
		return nil
	}
	a.write(n, words)
	if a.holds() {
		return nil
	}
	return eventOf(said)
}

// unplaced passes what has no place that can be looked at, unless it could be words that the gate holds.
func (r *responses) unplaced(said map[string]any, a *attributing) []byte {
	if a.holds() {
		return nil
	}
	return eventOf(said)
}

// annotation keeps a citation of the provider's own.
func (r *responses) annotation(said map[string]any, a *attributing, size int) []byte {
	n := r.place(said, a)
	switch {
	case n < 0:
		return r.unplaced(said, a)
	case r.parts[n].closed:
		return nil
	}
	t := a.text(n)
	if len(t.native) < maxGathered {
		t.native = append(t.native, said["annotation"])
		a.waits += size
	}
	if a.holds() {
		return nil
	}
	return eventOf(said)
}

// added opens an item or a part. Words that stand in it already come behind it, as pieces do.
func (r *responses) added(said map[string]any, a *attributing, size int) (out []byte) {
	if a.holds() && !readableEvent(said) {
		return nil
	}
	var words []byte
	r.each(said, a, func(n int, part map[string]any) {
		text, _ := part["text"].(string)
		if part["text"] = ""; part["logprobs"] != nil {
			part["logprobs"] = []any{}
		}
		if !r.parts[n].closed {
			words = append(words, r.take(n, text, a)...)
		}
	})
	return append(r.pass(said, a, size), words...)
}

// done ends a text, a part or an item.
func (r *responses) done(said map[string]any, a *attributing, size int) (out []byte) {
	if a.holds() && !readableEvent(said) {
		return nil
	}
	if item, _ := said["item"].(map[string]any); said["type"] == "response.output_item.done" && item["type"] != "message" {
		a.offer(item)
		return r.pass(said, a, size)
	}
	ends := false
	r.each(said, a, func(n int, part map[string]any) {
		out = append(out, r.close(n, part, a)...)
		ends = true
	})
	if !ends {
		return r.pass(said, a, size)
	}
	if a.holds() {
		r.held = append(r.held, said)
		a.waits += size
		return out
	}
	return append(out, r.ended(said, a)...)
}

// each finds the texts that an event speaks of, with the parts that hold them.
func (r *responses) each(said map[string]any, a *attributing, f func(n int, part map[string]any)) {
	kind, _ := said["type"].(string)
	switch {
	case strings.HasPrefix(kind, "response.output_item."):
		item, _ := said["item"].(map[string]any)
		id, _ := item["id"].(string)
		content, _ := item["content"].([]any)
		for i, v := range content {
			if item["type"] != "message" || !isText(v) {
				continue
			}
			if n := r.at(id, index(said["output_index"]), i, false, a); n >= 0 {
				f(n, v.(map[string]any))
			}
		}
	case strings.HasPrefix(kind, "response.content_part."):
		if !isText(said["part"]) {
			return
		}
		if n := r.place(said, a); n >= 0 {
			f(n, said["part"].(map[string]any))
		}
	default: // the end of a text is its own part
		if n := r.place(said, a); n >= 0 {
			f(n, said)
		}
	}
}

// readableEvent reports whether an event has its words where each looks for them. What it has beside is taken out.
func readableEvent(said map[string]any) bool {
	kind, _ := said["type"].(string)
	var holds string
	readable := index(said["output_index"]) >= 0
	switch {
	case strings.HasPrefix(kind, "response.output_item."):
		holds = "item"
		item, _ := said["item"].(map[string]any)
		readable = readable && readableItem(item)
	case strings.HasPrefix(kind, "response.content_part."):
		holds = "part"
		readable = readable && index(said["content_index"]) >= 0 && readableItem(map[string]any{"type": "message", "content": []any{said["part"]}})
	default:
		holds = "text"
		readable = readable && index(said["content_index"]) >= 0
	}
	maps.DeleteFunc(said, func(name string, _ any) bool {
		return name != holds && !slices.Contains([]string{"type", "item_id", "output_index", "content_index", "logprobs"}, name)
	})
	return readable
}

// close takes the last words of a text: those that its end has and that did not come before. Where the two differ, what came
// counts, which is out already. Words that nothing holds are given as a piece.
func (r *responses) close(n int, part map[string]any, a *attributing) []byte {
	p, t := r.parts[n], a.text(n)
	if list, _ := part["annotations"].([]any); len(list) > len(t.native) && len(list) <= maxGathered {
		t.native = list
	}
	if p.closed {
		return nil
	}
	p.closed = true
	text, _ := part["text"].(string)
	rest, ok := strings.CutPrefix(text, t.raw.String())
	if !ok || rest == "" {
		return nil
	}
	return r.take(n, rest, a)
}

// ended gives the end of a text, a part or an item as it is to be: behind the words and citations that it ends, and saying the
// same.
func (r *responses) ended(said map[string]any, a *attributing) (out []byte) {
	r.each(said, a, func(n int, part map[string]any) {
		out = append(out, r.reveal(n, a)...)
		if said["type"] == "response.output_text.done" { // it has no citations
			said["text"] = a.text(n).raw.String()
			if a.text(n).mended {
				said["logprobs"] = []any{}
			}
			return
		}
		settle(part, a.text(n), a)
	})
	return append(out, eventOf(said)...)
}

// reveal gives, once, the words of a text that were held and its citations.
func (r *responses) reveal(n int, a *attributing) (out []byte) {
	p := r.parts[n]
	if p.shown {
		return nil
	}
	p.shown = true
	t := a.attributed(n)
	known := len(t.native)
	if a.holds() {
		known = 0
		out = append(out, t.words.Bytes()...)
		if !a.bySegment() {
			out = append(out, r.words(n, t.raw.String(), a)...)
		}
	}
	for i, c := range annotations(t, a) {
		if i >= known {
			out = append(out, eventOf(r.placed(n, map[string]any{"type": "response.output_text.annotation.added", "annotation_index": i, "annotation": c}))...)
		}
	}
	return out
}

// end records the texts, and gives the end of the response; or in its place why the answer is none.
func (r *responses) end(said map[string]any, a *attributing) (out []byte) {
	response, _ := said["response"].(map[string]any)
	r.over, a.told = true, true
	if response == nil || a.holds() && response["output"] != nil && !r.readable(response) {
		return r.fault(a.server.problem(a.ctx, errUnreadable))
	}
	a.learn(response)
	r.eachOf(response, a, func(n int, isNew bool, part map[string]any) {
		if words := r.close(n, part, a); !isNew { // who opened no such part takes no piece of it
			out = append(out, words...)
		}
	})
	if status, _ := response["status"].(string); status == "" && said["type"] == "response.incomplete" {
		response["status"] = "incomplete"
	}
	a.early(unended(response))
	note := a.note()
	if err := a.failure(); err != nil {
		return append(out, r.faulty(a.server.problem(a.ctx, err), &note)...)
	}
	for _, h := range r.held {
		if kind, _ := h["type"].(string); slices.Contains(responseEnds, kind) {
			out = append(out, r.ended(h, a)...)
		} else {
			out = append(out, eventOf(h)...)
		}
	}
	for n := range r.parts {
		out = append(out, r.reveal(n, a)...)
	}
	r.settleAll(response, a)
	response["ibid"] = note
	a.remember()
	return append(out, eventOf(said)...)
}

// eachOf finds the texts of a response. One that did not come before is new, and comes with the response alone.
func (r *responses) eachOf(response map[string]any, a *attributing, f func(n int, isNew bool, part map[string]any)) {
	output, _ := response["output"].([]any)
	for i, v := range output {
		item, _ := v.(map[string]any)
		id, _ := item["id"].(string)
		content, _ := item["content"].([]any)
		for j, v := range content {
			if item["type"] != "message" || !isText(v) {
				continue
			}
			before := len(r.parts)
			n := r.at(id, i, j, true, a)
			if n < 0 {
				continue
			}
			isNew := n == before
			if isNew {
				r.parts[n].shown, a.text(n).late = true, true
			}
			f(n, isNew, v.(map[string]any))
		}
	}
}

// settleAll makes all texts of a response say what became of them.
func (r *responses) settleAll(response map[string]any, a *attributing) {
	r.eachOf(response, a, func(n int, _ bool, part map[string]any) { settle(part, a.text(n), a) })
	wholeText(response)
}

// failed gives the provider's own word that there is no answer. What came of it is on record as cut.
func (r *responses) failed(said map[string]any, a *attributing) []byte {
	r.over, a.told = true, true
	a.cut(nil, errCut)
	if response, _ := said["response"].(map[string]any); response != nil && a.holds() {
		response["output"] = []any{}
		delete(response, "output_text")
	} else if response != nil {
		r.settleAll(response, a)
	}
	return eventOf(said)
}

// last ends nothing: what has no last event was cut.
func (*responses) last(*attributing) []byte { return nil }

func (r *responses) fault(p *huma.ErrorModel) []byte { return r.faulty(p, nil) }

// faulty ends a stream with an error. It is told twice: as the end that a response has, for those who wait for one, and as the
// event at which the official clients stop.
func (r *responses) faulty(p *huma.ErrorModel, note *gatewayNote) []byte {
	told, _ := object(openAIError(p))["error"].(map[string]any)
	code := "server_error"
	if p.Status < 500 {
		code = "invalid_prompt" // of the codes that a response has the one that is not tried again
	}
	response := map[string]any{"id": "", "object": "response", "created_at": 0, "model": ""}
	maps.Copy(response, r.head)
	response["status"], response["output"], response["error"] = "failed", []any{}, map[string]any{"code": code, "message": p.Detail}
	delete(response, "output_text")
	if note != nil {
		response["ibid"] = note
	}
	out := eventOf(map[string]any{"type": "response.failed", "response": response})
	return append(out, eventOf(map[string]any{"type": "error", "code": told["code"], "message": p.Detail, "param": told["param"], "error": told})...)
}

func (r *responses) words(n int, text string, _ *attributing) []byte {
	if text == "" {
		return nil
	}
	return eventOf(r.placed(n, map[string]any{"type": "response.output_text.delta", "delta": text, "logprobs": []any{}}))
}

// placed says which text an event speaks of.
func (r *responses) placed(n int, said map[string]any) map[string]any {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.parts[n]
	said["item_id"], said["output_index"], said["content_index"] = p.item, p.output, p.content
	return said
}

// unnumbered is how the data of an event begins that was not sent yet.
const unnumbered = `data: {"sequence_number":0,`

// eventOf writes an event. Its number it gets when it is sent.
func eventOf(said map[string]any) []byte {
	delete(said, "sequence_number")
	b, err := json.Marshal(said)
	if err != nil {
		return nil
	}
	return fmt.Appendf(nil, "event: %s\n%s%s\n\n", said["type"], unnumbered, b[1:])
}

// number counts the events that are sent: some of the provider's are left out, and some are ours.
func (r *responses) number(events []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(events) {
		if rest, ok := bytes.CutPrefix(line, []byte(unnumbered)); ok {
			fmt.Fprintf(&out, `data: {"sequence_number":%d,`, r.sent)
			r.sent++
			line = rest
		}
		out.Write(line)
	}
	return out.Bytes()
}
