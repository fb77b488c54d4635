package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/internal/offsets"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/marker"
	"github.com/ibid-dev/ibid/workflow"
)

// Provider is a model's API that the gateway passes requests on to. Without an address the gateway answers itself, with
// sentences of the sources.
type Provider struct {
	// BaseURL is the address that a client of the provider would be given: https://api.openai.com/v1,
	// https://api.anthropic.com.
	BaseURL string
	// Key is sent in the place of the caller's. Where it is empty the caller's own goes on, unless it is one of ours.
	Key string
	// Client does the HTTP. Defaults to one without a time limit.
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
	const doc = "Takes and gives what the provider does; every field goes on unharmed. Sources are taken from the request (tool results, documents, context blocks, [CTX n]) or else from the library; the answer comes back with citations, and with what was found of each segment in the field ibid."
	add(s, operation{id: "openaiChatCompletions", method: "POST", path: "/v1/chat/completions", tag: "gateway", summary: "Chat completions in OpenAI's form, attributed", scope: api.Read, stream: true, free: true, body: 32 << 20,
		doc: doc, answers: wire("A chat completion, or its chunks.")}, s.gateway(openAI{}))
	add(s, operation{id: "anthropicMessages", method: "POST", path: "/v1/messages", tag: "gateway", summary: "Messages in Anthropic's form, attributed", scope: api.Read, stream: true, free: true, body: 32 << 20,
		doc: doc, answers: wire("A message, or its events.")}, s.gateway(anthropic{}))
}

// dialect is a provider's way to say things.
type dialect interface {
	provider(*Server) Provider
	path() string
	// sign puts the key where the provider looks for it.
	sign(h http.Header, key string)
	headers() []string
	// read takes the sources and the question out of a request.
	read(request map[string]json.RawMessage) (asked, error)
	// extractive answers in the provider's form without it.
	extractive(model, text string, stream bool) []byte
	// annotate adds citations to a whole answer.
	annotate(answer map[string]any, a *attributing)
	// event takes one event of a stream and gives what is to be sent for it.
	event(e incoming, a *attributing) []byte
	// last gives what is to be sent where the stream is over.
	last(a *attributing) []byte
	// words gives a piece of a text as an event.
	words(n int, text string, a *attributing) []byte
}

// asked is what a request holds for attribution.
type asked struct {
	question string
	stream   bool
	model    string
	sources  []givenSource
}

// givenSource is a source of a request.
type givenSource struct {
	givenForm
	kind  string // tool, document, context, given
	index int    // of the document or result in the request, from 0
	file  *givenFile
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
		g.Title, g.Text = or(g.file.name, res.Reference.Title()), res.Text
	}
	return strings.TrimSpace(g.Text) != ""
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

func (s *Server) gateway(d dialect) func(context.Context, *gatewayInput) (*huma.StreamResponse, error) {
	passed := s.passed(d)
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

func (s *Server) passed(d dialect) func(context.Context, *gatewayInput) (*huma.StreamResponse, error) {
	return func(ctx context.Context, in *gatewayInput) (*huma.StreamResponse, error) {
		body := bytes.Clone(in.RawBody)
		var request map[string]json.RawMessage
		if err := readJSON(body, &request); err != nil || request == nil {
			return nil, &statusError{http.StatusBadRequest, errors.Join(errors.New("the body is not a JSON object"), err)}
		}
		var ours gatewayForm
		if raw, ok := request["ibid"]; ok {
			if err := json.Unmarshal(raw, &ours); err != nil {
				return nil, invalid("body.ibid", "%s", plainly(err.Error()))
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
		q.question = clipped(q.question, longestQuestion)
		for i, g := range ours.Sources {
			q.sources = append(q.sources, givenSource{givenForm: g, kind: "given", index: i})
		}
		if d.provider(s).BaseURL == "" {
			q.model = llm.ExtractiveName
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

// upstream asks the provider, or answers in its form.
func (s *Server) upstream(ctx context.Context, d dialect, q asked, body []byte, a *attributing) (*http.Response, error) {
	p := d.provider(s)
	if p.BaseURL == "" {
		passages, _ := a.passages(ctx)
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
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(p.BaseURL, "/")+d.path(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	from := accountOf(ctx).request.Header
	for _, name := range append(d.headers(), "Accept", "Content-Type", "User-Agent") {
		if v := from.Values(name); len(v) > 0 {
			req.Header[http.CanonicalHeaderKey(name)] = v
		}
	}
	req.Header.Set("Content-Type", "application/json")
	if p.Key != "" {
		d.sign(req.Header, p.Key)
	} else {
		for _, name := range []string{"Authorization", "X-Api-Key"} {
			if v := from.Get(name); v != "" && !strings.HasPrefix(strings.TrimPrefix(v, "Bearer "), keyPrefix) {
				req.Header.Set(name, v)
			}
		}
	}
	client := p.Client
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.Log.Error("provider not reached", "error", err)
		return nil, &statusError{http.StatusBadGateway, errors.New("the provider was not reached")}
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
	for _, name := range []string{"Content-Type", "Retry-After", "X-Request-Id", "Request-Id", "Openai-Processing-Ms"} {
		if v := res.Header.Get(name); v != "" {
			w.Header().Set(name, v)
		}
	}
	switch {
	case res.StatusCode != http.StatusOK:
		w.WriteHeader(res.StatusCode)
		io.Copy(w, io.LimitReader(res.Body, maxAnswer))
	case strings.HasPrefix(media, "text/event-stream"):
		s.passStream(w, r, d, res.Body, a)
	default:
		s.passWhole(w, r, d, res, a)
	}
}

func (s *Server) passWhole(w http.ResponseWriter, r *http.Request, d dialect, res *http.Response, a *attributing) {
	b, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		s.fail(w, r, &statusError{http.StatusBadGateway, errors.New("the provider's answer was cut")})
		return
	}
	var answer map[string]any
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber() // every number goes on as it came
	if dec.Decode(&answer) == nil && answer != nil {
		d.annotate(answer, a)
		if err := a.failure(); err != nil { // what is not on record is not delivered
			s.fail(w, r, err)
			return
		}
		answer["ibid"] = a.note()
		if with, err := json.Marshal(answer); err == nil {
			b = with
		}
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.Patience))
	w.WriteHeader(res.StatusCode)
	w.Write(b)
}

// maxEvent bounds one event of a provider's stream.
const maxEvent = 4 << 20

// passStream gives each event on the moment it comes; the attribution reads it beside, so that the reader waits for nothing
// but the provider. Where the gate holds answers back, the words come when it let them out. What is cut, on either side, is
// recorded as far as it came.
func (s *Server) passStream(w http.ResponseWriter, r *http.Request, d dialect, body io.Reader, a *attributing) {
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
	defer func() { a.cut(errors.Join(gone, r.Context().Err())) }()
	in := bufio.NewReaderSize(body, 64<<10)
	for {
		e, err := readEvent(in)
		if len(e.block) > 0 && !send(d.event(e, a)) {
			return
		}
		if err == nil && a.tooLong() {
			err = errTooLong
		}
		switch {
		case err == nil:
			continue
		case err == io.EOF:
			send(d.last(a))
		case r.Context().Err() == nil:
			s.Log.Error("the provider's stream was cut", "error", err)
		}
		return
	}
}

// incoming is one event of a provider's stream.
type incoming struct {
	data  []byte
	block []byte // all of it, as it came
}

// readEvent reads the lines of one event up to the blank line behind it.
func readEvent(in *bufio.Reader) (e incoming, err error) {
	for start := 0; ; {
		part, err := in.ReadSlice('\n')
		e.block = append(e.block, part...)
		if len(e.block) > maxEvent {
			return incoming{}, errors.New("an event is too large")
		}
		if err == bufio.ErrBufferFull { // the line goes on
			continue
		}
		text := bytes.TrimRight(e.block[start:], "\r\n")
		start = len(e.block)
		switch {
		case err != nil:
			return e, err
		case len(text) == 0:
			return e, nil
		case bytes.HasPrefix(text, []byte("data:")):
			if e.data != nil {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, bytes.TrimPrefix(text[len("data:"):], []byte(" "))...)
		}
	}
}

// attributing is the attribution of one answer that passes through.
type attributing struct {
	server *Server
	ctx    context.Context
	asker  *workflow.Asker
	asked  asked
	ready  chan struct{} // closed when given, found, from and failed are set
	given  []givenSource
	found  []ibid.Passage
	from   string
	failed error
	texts  []*passing // one for each text of the answer
	usage  ibid.Usage // of the whole answer, where the provider tells; noted with the text that is recorded first

	mu    sync.Mutex
	named named // asked for from beside, too

	// Where the gate holds words back, show takes those that it lets out by segment; nil where the answer is given whole.
	// Events behind them wait in later.
	show  func(t *passing, n int, text string)
	later []postponed
}

// named is what the provider calls its answer, where it tells.
type named struct {
	id      string
	created string // as it came
	model   string // that really answered
}

// name takes what is told, and gives all that was.
func (a *attributing) name(n named) named {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.named = named{or(n.id, a.named.id), or(n.created, a.named.created), or(n.model, or(a.named.model, a.asked.model))}
	return a.named
}

// passing is one text of the answer: a choice's, or a block's.
type passing struct {
	raw      strings.Builder
	follower *workflow.Follower
	finished bool        // the provider named its end
	answer   ibid.Answer // as it was attributed; when done, as it is on record
	err      error
	done     bool
	found    []measured // kept: it is asked for twice

	late  bool         // its beginning is among the events that wait, and so do its words
	words bytes.Buffer // those words

	incomplete string // why it has no end
	refused    error  // by the gate
	unrecorded error
	mended     bool // the gate let out another text, which raw holds
}

// postponed is an event that waits.
type postponed struct {
	text  int // whose end it is; -1 where it is none
	block []byte
}

// A text of an answer that passes through is attributed up to maxText, and ends at maxPassed: it is kept in memory until then.
const (
	maxText   = 1 << 20
	maxPassed = 2 << 20
)

var errTooLong = errors.New("the provider's answer is too long")

// beginAttributing reads the sources and finds the passages while the provider is being asked.
func (s *Server) beginAttributing(ctx context.Context, q asked, library bool) *attributing {
	a := &attributing{server: s, ctx: ctx, asker: s.asker(callerOf(ctx)), asked: q, ready: make(chan struct{}), from: "request"}
	go func() {
		defer close(a.ready)
		defer func() {
			if p := recover(); p != nil {
				a.failed = fmt.Errorf("panic: %v", p)
			}
		}()
		a.failed = a.find(library)
	}()
	return a
}

func (a *attributing) find(library bool) error {
	c := callerOf(a.ctx)
	var forms []givenForm
	for _, g := range a.asked.sources {
		if !g.read(a.ctx) {
			continue
		}
		a.given = append(a.given, g)
		g.ID = fmt.Sprintf("%s%s-%d", ibid.GivenPrefix, g.kind, len(a.given))
		forms = append(forms, g.givenForm)
	}
	var err error
	if a.found, err = passagesOf(forms); err != nil {
		return err
	}
	for i := range a.found {
		p := &a.found[i]
		p.Chunk.At.Document, p.Source.Collection = ibid.HashText(p.Chunk.Text), c.collection
	}
	if (len(a.found) > 0 && !library) || a.asked.question == "" {
		return nil
	}
	where := c.where()
	where.Text, where.Limit = clipped(a.asked.question, 2000), or(a.asker.Passages, 8)
	more, err := a.asker.Retriever.Retrieve(a.ctx, where)
	if err != nil {
		return err
	}
	if len(a.found) == 0 {
		a.from = "library"
	} else {
		a.from = "request and library"
	}
	for _, p := range more {
		p.Rank = len(a.found) + 1
		a.found = append(a.found, p)
	}
	return nil
}

func clipped(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return string([]rune(s)[:runes])
}

func (a *attributing) passages(context.Context) ([]ibid.Passage, error) {
	<-a.ready
	return a.found, a.failed
}

// text gives the n-th text.
func (a *attributing) text(n int) *passing {
	for len(a.texts) <= n {
		a.texts = append(a.texts, &passing{})
	}
	return a.texts[n]
}

// write takes the next piece of a text. It does not wait.
func (a *attributing) write(n int, delta string) {
	t := a.text(n)
	if delta == "" || t.done {
		return
	}
	t.raw.WriteString(delta)
	if t.raw.Len() > maxText && t.follower != nil {
		return
	}
	if t.follower == nil {
		var show func(string)
		if a.show != nil {
			show = func(text string) { a.show(t, n, text) }
		}
		// What came is attributed and recorded, whether or not its reader is still there.
		t.follower = a.asker.Follow(context.WithoutCancel(a.ctx), a.passages, show)
	}
	if len(delta) <= maxText {
		t.follower.Write(delta)
	}
}

// tooLong reports whether a text has outgrown its bound.
func (a *attributing) tooLong() bool {
	return slices.ContainsFunc(a.texts, func(t *passing) bool { return t.raw.Len() > maxPassed })
}

// settle gives up on a text that is too long to be attributed: it passes as one claim without a source.
func (t *passing) settle() {
	if t.raw.Len() > maxText {
		t.follower.Abandon(errTooLong)
	}
}

// attributed completes a text and gives it with what was found, before it is recorded.
func (a *attributing) attributed(n int) *passing {
	t := a.text(n)
	if t.follower == nil || t.done || a.holds() {
		return t
	}
	t.settle()
	t.answer, t.err = t.follower.Attributed()
	t.answer = public(t.answer)
	return t
}

// end completes a text, passes it through the gate and records it.
func (a *attributing) end(n int) *passing {
	t := a.text(n)
	if t.done || t.follower == nil {
		return t
	}
	t.done = true
	t.settle()
	said, err := t.follower.Attributed()
	if t.err = err; err != nil {
		said.Text = strings.ToValidUTF8(t.raw.String(), "\uFFFD")
	}
	kept, err := t.follower.Keep(context.WithoutCancel(a.ctx), ibid.Answer{Text: t.raw.String(), Question: a.asked.question, Model: a.name(named{}).model,
		Usage: a.usage, Incomplete: t.incomplete})
	a.usage = ibid.Usage{}
	switch {
	case err != nil && kept.ID == "":
		a.server.Log.Error("an answer was not recorded", "error", err)
		t.unrecorded = err
		t.answer = public(said)
		return t
	case err != nil:
		t.refused = err
	}
	if kept.Text != said.Text || a.bySegment() {
		t.raw.Reset()
		t.raw.WriteString(kept.Text)
		t.mended = true
	}
	t.answer = public(kept)
	return t
}

// holds reports whether the words of an answer wait for the gate.
func (a *attributing) holds() bool {
	p := a.asker.Gate.Policy
	return p != nil && !p.Off && p.Hold != gate.HoldNothing
}

// bySegment reports whether the words are shown as the gate lets them out, one segment after another.
func (a *attributing) bySegment() bool {
	return a.show != nil && a.holds() && a.asker.Gate.Policy.Hold == gate.HoldSegment
}

// postpone keeps an event until the words before it are out.
func (a *attributing) postpone(text int, block []byte) {
	a.later = append(a.later, postponed{text, block})
}

// waiting gives the events that wait.
func (a *attributing) waiting() (out []byte) {
	for _, p := range a.later {
		out = append(out, p.block...)
	}
	a.later = nil
	return out
}

// failure is why the answer must not be taken for delivered: it is not on record, or the gate refused what it held.
func (a *attributing) failure() error {
	for _, t := range a.texts {
		if t.unrecorded != nil {
			return &statusError{http.StatusInternalServerError, fmt.Errorf("the answer was not recorded: %w", t.unrecorded)}
		}
		if t.refused != nil && a.holds() {
			return fmt.Errorf("answer %s was held back by the gate: %w", t.answer.ID, t.refused)
		}
	}
	return nil
}

// cut ends the texts that have no end. What was delivered of them is recorded.
func (a *attributing) cut(left error) {
	for i, t := range a.texts {
		switch {
		case t.done:
			continue
		case left != nil:
			t.incomplete = "interrupted before its end"
		case !t.finished:
			t.incomplete = "the provider's stream was cut"
		}
		a.end(i)
	}
}

// gatewayNote is the field ibid of an answer.
type gatewayNote struct {
	gatewayRecord                 // of the first text
	Attributed    bool            `json:"attributed"`
	Error         string          `json:"error,omitempty"`
	From          string          `json:"from,omitempty"` // request, library
	Sources       []gatewaySource `json:"sources"`
	Texts         []gatewayText   `json:"texts"` // one for each choice, or block of text
}

type gatewaySource struct {
	Rank  int    `json:"rank"`
	Kind  string `json:"kind"`
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
}

// gatewayRecord is where an answer stands in the record and in the log.
type gatewayRecord struct {
	Answer  ibid.AnswerID `json:"answer,omitempty"`
	Entry   *int64        `json:"entry,omitempty"`
	Receipt string        `json:"receipt,omitempty"`
	Verdict *ibid.Verdict `json:"verdict,omitempty"`
}

type gatewayText struct {
	gatewayRecord
	RAG      float64          `json:"ragContribution"`
	LLM      float64          `json:"llmContribution"`
	Segments []gatewaySegment `json:"segments"`
}

// gatewaySegment counts characters of the text as the provider gave it, markers and all.
type gatewaySegment struct {
	Start        int               `json:"start_index"`
	End          int               `json:"end_index"`
	Origin       ibid.Origin       `json:"origin"`
	Support      float64           `json:"support"`
	Confidence   float64           `json:"confidence"`
	Citations    []gatewayCitation `json:"citations"`
	Contradicted []string          `json:"contradicted,omitempty"`
	Reasons      []string          `json:"reasons,omitempty"`
}

type gatewayCitation struct {
	Source     int     `json:"source"` // rank
	Quote      string  `json:"quote"`
	Start      int     `json:"start_index"` // into the source's text
	End        int     `json:"end_index"`
	Confidence float64 `json:"confidence"`
}

// note completes the attribution and gives it.
func (a *attributing) note() gatewayNote {
	n := gatewayNote{Sources: []gatewaySource{}, Texts: []gatewayText{}}
	passages, err := a.passages(a.ctx)
	for i := range a.texts {
		t := a.end(i)
		if t.done { // a block of a tool's call has no words
			n.Texts = append(n.Texts, t.form())
			err = errors.Join(err, t.err)
		}
	}
	if len(n.Texts) > 0 {
		n.gatewayRecord = n.Texts[0].gatewayRecord
	}
	if err != nil {
		a.server.Log.Error("an answer passed without attribution", "error", err)
		n.Error = "the answer could not be attributed; the server's log says why"
		return n
	}
	n.Attributed, n.From = true, a.from
	for i, p := range passages {
		src := publicSource(p.Source)
		kind := "library"
		if i < len(a.given) {
			kind = a.given[i].kind
		}
		n.Sources = append(n.Sources, gatewaySource{Rank: p.Rank, Kind: kind, ID: string(src.ID), Title: src.Title(), URL: src.URI})
	}
	return n
}

func (t *passing) form() gatewayText {
	out := gatewayText{Segments: []gatewaySegment{}}
	if out.Answer = t.answer.ID; out.Answer != "" {
		out.Entry, out.Verdict = t.answer.Entry, t.answer.Verdict
	}
	if out.Entry != nil {
		out.Receipt = "/api/v1/answers/" + string(out.Answer) + "/receipt"
	}
	if t.err != nil {
		return out
	}
	shares := t.answer.Shares()
	out.RAG, out.LLM = near(shares.Sources), near(shares.Model)
	for _, m := range t.measured() {
		out.Segments = append(out.Segments, m.gatewaySegment)
	}
	return out
}

// measured is a segment with its place in the text as the provider gave it.
type measured struct {
	gatewaySegment
	links []ibid.Attribution
}

func (t *passing) measured() []measured {
	if t.err != nil || t.found != nil {
		return t.found
	}
	raw := t.raw.String()
	table := offsets.New(raw)
	place := aligned(raw, t.answer)
	words := map[int]*offsets.Table{} // by rank: a source may be long, and cited often
	var out []measured
	for _, s := range t.answer.Segments {
		at := place(s.At)
		m := measured{gatewaySegment: gatewaySegment{Start: table.FromByte(at.Start).Rune, End: table.FromByte(at.End).Rune, Origin: s.Origin, Support: s.Support, Confidence: s.Confidence,
			Citations: []gatewayCitation{}, Reasons: s.Reasons}}
		for _, c := range s.Contradicted {
			m.Contradicted = append(m.Contradicted, c.Reason)
		}
		if s.Origin == ibid.RAG || s.Origin == ibid.HYBRID {
			for _, l := range t.answer.Evidence(s) {
				p, ok := t.answer.Passage(l.Ref)
				if !ok {
					continue
				}
				in := l.To.Span.Shift(-p.Chunk.At.Span.Start)
				of := words[l.Ref]
				if of == nil {
					of = offsets.New(p.Chunk.Text)
					words[l.Ref] = of
				}
				m.Citations = append(m.Citations, gatewayCitation{l.Ref, in.In(p.Chunk.Text), p.Chunk.Before.Runes + of.FromByte(in.Start).Rune, p.Chunk.Before.Runes + of.FromByte(in.End).Rune, l.Confidence})
				m.links = append(m.links, l)
			}
		}
		out = append(out, m)
	}
	t.found = out
	return out
}

// aligned gives a function from spans of the clean text to spans of the text as it came: the clean one is the same with
// markers taken out and white space tidied.
func aligned(raw string, a ibid.Answer) func(ibid.Span) ibid.Span {
	if raw == a.Text {
		return func(s ibid.Span) ibid.Span { return s }
	}
	cuts := marker.Parse(raw, marker.Config{Passages: len(a.Passages), Sources: marker.Known(a.Passages)}).Cut
	at := make([]int, len(a.Text)+1) // of each byte of the clean text
	i := 0
	for j := 0; j < len(a.Text); j++ {
		for i < len(raw) {
			if len(cuts) > 0 && i >= cuts[0].Start {
				i = max(i, cuts[0].End)
				cuts = cuts[1:]
				continue
			}
			if raw[i] == a.Text[j] || !blank(raw[i]) {
				break
			}
			i++
		}
		at[j] = i
		if i < len(raw) && raw[i] == a.Text[j] {
			i++
		}
	}
	at[len(a.Text)] = i
	return func(s ibid.Span) ibid.Span {
		end := at[s.End]
		if s.End > s.Start {
			end = min(at[s.End-1]+1, len(raw))
		}
		return ibid.Span{Start: at[s.Start], End: max(end, at[s.Start])}
	}
}

func blank(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
