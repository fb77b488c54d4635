package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/marker"
)

var (
	extractiveModel = llm.Extractive{English: attribute.English}
	problemType     = reflect.TypeFor[huma.ErrorModel]()
)

// Provider is a model's API that the gateway passes requests on to. Without an address the gateway answers itself, with
// sentences of the sources.
type Provider struct {
	// BaseURL is the address that a client of the provider would be given: https://api.openai.com/v1,
	// https://api.anthropic.com.
	BaseURL string
	// Key is sent in the place of the caller's. Where it is empty the caller's own goes on, unless it is one of ours.
	Key string
	// Client does the HTTP. Defaults to one without a time limit, which takes no key to another host.
	Client *http.Client
}

func (s *Server) mountGateway() {
	wire := func(doc string) map[string]*huma.Response {
		free := &huma.MediaType{Schema: freeForm{}.Schema(nil)}
		return map[string]*huma.Response{
			"200": {Description: doc, Content: map[string]*huma.MediaType{"application/json": free, "text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}},
			"default": {Description: "The provider's own error, or a problem of this server.", Content: map[string]*huma.MediaType{"application/json": free,
				"application/problem+json": {Schema: s.api.OpenAPI().Components.Schemas.Schema(problemType, true, "")}, "*/*": {Schema: &huma.Schema{Type: huma.TypeString}}}},
		}
	}
	const doc = "Takes and gives what the provider does; every field goes on unharmed. Sources are taken from the request (tool results, documents, context blocks, [CTX n]) or else from the library; the answer comes back with citations, and with what was found of each segment in the field ibid, where offsets of segments and of uncovered claims count characters of the text that is given, markers and all."
	add(s, operation{id: "openaiChatCompletions", method: "POST", path: "/v1/chat/completions", tag: "gateway", summary: "Chat completions in OpenAI's form, attributed", scope: api.Read, stream: true, free: true, body: 32 << 20,
		doc: doc, answers: wire("A chat completion, or its chunks.")}, s.gateway(func() dialect { return openAI{} }))
	add(s, operation{id: "openaiResponses", method: "POST", path: "/v1/responses", tag: "gateway", summary: "Responses in OpenAI's form, attributed", scope: api.Read, stream: true, free: true, body: 32 << 20,
		doc:     doc + " What the provider's own tools found (file search, MCP, code) is a source of the texts behind it. What was given in earlier turns, which previous_response_id or conversation names, is remembered for a while. A request that asks for work in the background is refused.",
		answers: wire("A response, or its events.")}, s.gateway(func() dialect { return &responses{} }))
	add(s, operation{id: "anthropicMessages", method: "POST", path: "/v1/messages", tag: "gateway", summary: "Messages in Anthropic's form, attributed", scope: api.Read, stream: true, free: true, body: 32 << 20,
		doc: doc, answers: wire("A message, or its events.")}, s.gateway(func() dialect { return anthropic{} }))
	s.mountRelayed(wire)
}

// dialect is a provider's way to say things. One value reads one answer.
type dialect interface {
	provider(*Server) Provider
	path() string
	// models is where the provider lists its models; ourModels is such a list where there is none.
	models() string
	ourModels() any
	// sign puts the key where the provider looks for it.
	sign(h http.Header, key string)
	headers() []string
	// read takes the sources and the question out of a request.
	read(request map[string]json.RawMessage) (asked, error)
	// extractive answers in the provider's form without it.
	extractive(model, text string, stream bool) []byte
	// annotate adds citations to a whole answer.
	annotate(answer map[string]any, a *attributing)
	// readable reports whether a whole answer has its words where annotate looks for them.
	readable(answer map[string]any) bool
	// event takes one event of a stream and gives what is to be sent for it.
	event(e incoming, a *attributing) []byte
	// last gives what is to be sent where the stream is over without the line that says so.
	last(a *attributing) []byte
	// fault gives an error as an event.
	fault(p *huma.ErrorModel) []byte
	// words gives a piece of a text as an event.
	words(n int, text string, a *attributing) []byte
}

// asked is what a request holds for attribution.
type asked struct {
	question string
	stream   bool
	model    string
	sources  []givenSource
	tools    map[string]string // names of tools by the id of their call
	thread   thread
	notice   string // why no model is asked
}

// begin reads what requests with messages have.
func begin(request map[string]json.RawMessage) (q asked, messages []message, err error) {
	if err := json.Unmarshal(request["messages"], &messages); err != nil || len(messages) == 0 {
		return q, nil, invalid("body.messages", "a list of messages is needed")
	}
	_ = json.Unmarshal(request["stream"], &q.stream)
	_ = json.Unmarshal(request["model"], &q.model)
	return q, messages, nil
}

type gatewayInput struct {
	RawBody []byte `contentType:"application/json"`
}

// gatewayForm is what the caller may say to us beside the provider's own fields. It does not go on.
type gatewayForm struct {
	Sources []givenForm `json:"sources"`
	Library bool        `json:"library"` // also look in the library where the request has sources
}

// longestQuestion is how much of the last message is taken for the question, in characters.
const longestQuestion = 20_000

func (s *Server) gateway(form func() dialect) func(context.Context, *gatewayInput) (*huma.StreamResponse, error) {
	passed := s.passed(form)
	return func(ctx context.Context, in *gatewayInput) (*huma.StreamResponse, error) {
		out, err := passed(ctx, in)
		if err == nil {
			return out, nil
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) { // in the provider's form
			r, w := unwrap(hc)
			s.refuse(w, r, err)
		}}, nil
	}
}

func (s *Server) passed(form func() dialect) func(context.Context, *gatewayInput) (*huma.StreamResponse, error) {
	return func(ctx context.Context, in *gatewayInput) (*huma.StreamResponse, error) {
		d, body := form(), bytes.Clone(in.RawBody)
		var request map[string]json.RawMessage
		if err := readJSON(body, &request); err != nil {
			return nil, &statusError{http.StatusBadRequest, fmt.Errorf("the body is not a JSON object: %w", err)}
		} else if request == nil {
			return nil, &statusError{http.StatusBadRequest, errors.New("the body is not a JSON object")}
		}
		var ours gatewayForm
		if raw, ok := request["ibid"]; ok {
			dec := json.NewDecoder(bytes.NewReader(raw))
			dec.DisallowUnknownFields() // sources under another name would be lost, and the library's taken in their place
			if err := dec.Decode(&ours); err != nil {
				return nil, invalid("body.ibid", "%w; it takes sources, a list of {title, url, text, id}, and library, true or false", wording.JSON(err, nil)) // a place in it is none in the body
			}
			delete(request, "ibid")
			var err error
			if body, err = json.Marshal(request); err != nil {
				return nil, err
			}
		}
		q, err := d.read(request)
		if err != nil {
			return nil, err
		}
		for i, g := range ours.Sources {
			q.sources = append(q.sources, givenSource{givenForm: g, kind: "given", index: i})
		}
		s.turns.recall(callerOf(ctx).collection, &q)
		q.question = clipped(q.question, longestQuestion)
		if d.provider(s).BaseURL == "" {
			q.model, q.notice = llm.ExtractiveName, s.unasked()
		}
		a := s.beginAttributing(ctx, q, ours.Library)
		res, err := s.upstream(ctx, d, q, body, a)
		if err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			r, w := unwrap(hc)
			defer res.Body.Close()
			s.pass(w, r, d, res, q, a)
		}}, nil
	}
}

// unasked says why a request is answered without a model: a provider takes one form, and nothing is put from one into the other.
func (s *Server) unasked() string {
	why := "this server has no provider"
	switch {
	case s.OpenAI.BaseURL != "":
		why = "the provider of this server takes requests in the form of OpenAI, at /v1" + openAI{}.path() + " and /v1" + (&responses{}).path()
	case s.Anthropic.BaseURL != "":
		why = "the provider of this server takes requests in the form of Anthropic, at " + anthropic{}.path()
	}
	return "no model was asked: " + why + "; the answer is made of sentences of the sources"
}

// upstream asks the provider, or answers in its form.
func (s *Server) upstream(ctx context.Context, d dialect, q asked, body []byte, a *attributing) (*http.Response, error) {
	p := d.provider(s)
	if p.BaseURL == "" {
		passages, _ := a.known(nil)
		text, err := s.extract(ctx, q, passages)
		if err != nil {
			return nil, err
		}
		media := "application/json"
		if q.stream {
			media = "text/event-stream"
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {media}}, Body: io.NopCloser(bytes.NewReader(d.extractive(q.model, text, q.stream)))}, nil
	}
	return s.reach(ctx, d, http.MethodPost, d.path(), bytes.NewReader(body))
}

var gatewayClient = llm.NewClient()

// reach sends a request on to the provider, signed as it or the caller wants it.
func (s *Server) reach(ctx context.Context, d dialect, method, path string, body io.Reader) (*http.Response, error) {
	p := d.provider(s)
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(p.BaseURL, "/")+path, body)
	if err != nil {
		return nil, err
	}
	from := accountOf(ctx).request.Header
	for _, name := range append(d.headers(), "Accept", "Content-Type", "User-Agent") {
		if v := from.Values(name); len(v) > 0 {
			req.Header[http.CanonicalHeaderKey(name)] = v
		}
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	if p.Key != "" {
		d.sign(req.Header, p.Key)
	} else {
		for _, name := range []string{"Authorization", "X-Api-Key"} {
			if v := from.Get(name); v != "" && !strings.HasPrefix(bearer(v), keyPrefix) { // ours are nobody else's business
				req.Header.Set(name, v)
			}
		}
	}
	client := p.Client
	if client == nil {
		client = gatewayClient
	}
	res, err := client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.Log.Error("provider not reached", "error", err)
		return nil, &statusError{http.StatusBadGateway, errors.New("the provider was not reached; the server's log says why")}
	}
	return res, nil
}

// extract answers with sentences of the passages.
func (s *Server) extract(ctx context.Context, q asked, passages []ibid.Passage) (string, error) {
	var text strings.Builder
	for d, err := range extractiveModel.Generate(ctx, ibid.Prompt{Question: q.question, Passages: passages}) {
		if err != nil {
			return "", err
		}
		text.WriteString(d.Text)
	}
	return marker.Segment(text.String(), marker.Config{Passages: len(passages)}).Text, nil
}

// maxAnswer bounds a provider's answer that is given whole.
const maxAnswer = 64 << 20

// pass gives the provider's answer to the caller, with what was found. What is not an answer goes through as it is.
func (s *Server) pass(w http.ResponseWriter, r *http.Request, d dialect, res *http.Response, q asked, a *attributing) {
	media := res.Header.Get("Content-Type")
	tellHeaders(w, res)
	switch {
	case res.StatusCode != http.StatusOK:
		w.WriteHeader(res.StatusCode)
		s.copy(w, res.Body)
	case strings.HasPrefix(strings.ToLower(media), "text/event-stream"):
		s.passStream(w, r, d, res.Body, a)
	default:
		s.passWhole(w, r, d, res, a)
	}
}

// copy gives on what is not looked at, to a reader who takes it in.
func (s *Server) copy(w http.ResponseWriter, from io.Reader) {
	control := http.NewResponseController(w)
	io.Copy(writerFunc(func(b []byte) (int, error) {
		_ = control.SetWriteDeadline(time.Now().Add(s.Patience))
		return w.Write(b)
	}), io.LimitReader(from, maxAnswer))
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func (s *Server) passWhole(w http.ResponseWriter, r *http.Request, d dialect, res *http.Response, a *attributing) {
	b, cut := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	var answer map[string]any
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber() // every number goes on as it came
	err := dec.Decode(&answer)
	isAnswer := err == nil && answer != nil
	if cut == nil && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) {
		cut = err // between two chunks, or by a server that does not count
	}
	switch {
	case r.Context().Err() != nil:
		s.fail(w, r, r.Context().Err())
		return
	case len(b) > maxAnswer:
		s.fail(w, r, a.broken(errTooLong))
		return
	case cut != nil:
		s.Log.Error("a whole answer has no end", "error", cut)
		s.fail(w, r, a.broken(errHalf))
		return
	}
	if a.holds() && (!isAnswer || !d.readable(answer)) {
		s.fail(w, r, errUnreadable)
		return
	}
	if isAnswer {
		a.learn(answer)
		d.annotate(answer, a)
		if err := a.failure(); err != nil { // what is not on record is not delivered
			s.fail(w, r, err)
			return
		}
		answer["ibid"] = a.note()
		a.remember()
		if with, err := json.Marshal(answer); err == nil {
			b = with
		}
	}
	w.WriteHeader(res.StatusCode)
	s.copy(w, bytes.NewReader(b))
}

// maxEvent bounds one event of a provider's stream. The last one of a response has all of it once more, pictures and all.
const maxEvent = 16 << 20

// afterEnd is how long a provider has to close a stream whose end it has told. It is waited for so that its connection can be used
// again.
const afterEnd = time.Second

// counting is a dialect whose events are numbered, in the order in which they are sent.
type counting interface{ number(events []byte) []byte }

// passStream gives each event on the moment it comes; the attribution reads it beside, so that the reader waits for nothing
// but the provider. Where the gate holds answers back, the words come when it let them out. What is cut, on either side, is
// recorded as far as it came; where it is the provider who broke off, or this server stops, the reader gets an error: half an
// answer is not to be taken for a whole one.
func (s *Server) passStream(w http.ResponseWriter, r *http.Request, d dialect, body io.ReadCloser, a *attributing) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	var mu sync.Mutex // what the gate lets out comes from beside
	var gone error
	send := func(b []byte) bool {
		mu.Lock()
		defer mu.Unlock()
		if len(b) == 0 || gone != nil {
			return gone == nil
		}
		if c, ok := d.(counting); ok {
			b = c.number(b)
		}
		_ = control.SetWriteDeadline(time.Now().Add(s.Patience))
		if _, gone = w.Write(b); gone == nil {
			gone = control.Flush()
		}
		return gone == nil
	}
	a.show = func(t *passing, n int, text string) {
		if t.late {
			t.words.Write(d.words(n, text, a))
			return
		}
		send(d.words(n, text, a))
	}
	defer func() { a.cut(errors.Join(gone, r.Context().Err()), errCut) }()
	defer func() {
		if p := recover(); p != nil { // its reader would take what came for all there is
			s.panicked("a stream", p)
			a.told = true
			send(d.fault(s.problem(r.Context(), fmt.Errorf("panic: %v", p))))
		}
	}()
	in := bufio.NewReaderSize(body, 64<<10)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" { // it is no part of the first line
		in.Discard(3)
	}
	ending := false
	for {
		e, err := readEvent(in)
		if e.half() && !a.told { // the words in it are lost, and what goes on behind them would look whole
			e, err = incoming{}, errHalfEvent
		}
		if len(e.block) > 0 && !send(d.event(e, a)) {
			return
		}
		if err == nil && a.tooLong() {
			err = errTooLong
		}
		if a.told && !ending {
			ending = true
			defer time.AfterFunc(afterEnd, func() { body.Close() }).Stop()
		}
		if err == nil {
			continue
		}
		switch {
		case stopping(r.Context()):
			err = errStopped
		case r.Context().Err() != nil:
			return
		}
		var last []byte
		if !errors.Is(err, errTooLong) { // what waits is too much of it
			last = d.last(a)
		}
		if send(last) && !a.told {
			s.Log.Error("a stream has no end", "error", err)
			send(d.fault(a.broken(err)))
		}
		return
	}
}

// incoming is one event of a provider's stream.
type incoming struct {
	data  []byte
	block []byte // all of it, as it came
}

// readEvent reads the lines of one event up to the blank line behind it. One that the stream ends in counts where its data is
// whole; half an event is none.
func readEvent(in *bufio.Reader) (e incoming, err error) {
	for start := 0; ; {
		part, err := in.ReadSlice('\n')
		e.block = append(e.block, part...)
		if len(e.block) > maxEvent {
			return incoming{}, errTooLong
		}
		if err == bufio.ErrBufferFull { // the line goes on
			continue
		}
		text := bytes.TrimRight(e.block[start:], "\r\n")
		start = len(e.block)
		if bytes.HasPrefix(text, []byte("data:")) {
			if e.data != nil {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, bytes.TrimPrefix(text[len("data:"):], []byte(" "))...)
		}
		switch {
		case err != nil && !json.Valid(e.data) && !e.done():
			return incoming{}, err
		case err != nil:
			e.block = append(bytes.TrimRight(e.block, "\r\n"), "\n\n"...)
			return e, err
		case len(text) == 0:
			return e, nil
		}
	}
}

// half reports whether the event begins as one that may hold words, and cannot be read.
func (e incoming) half() bool {
	data := bytes.TrimSpace(e.data)
	return bytes.HasPrefix(data, []byte("{")) && !json.Valid(data)
}

// done reports whether the event is the one that ends a stream in OpenAI's form.
func (e incoming) done() bool { return bytes.Equal(bytes.TrimSpace(e.data), []byte("[DONE]")) }
