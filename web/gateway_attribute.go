package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/workflow"
)

// attributing is the attribution of one answer that passes through.
type attributing struct {
	server *Server
	ctx    context.Context
	asker  *workflow.Asker
	asked  asked
	ready  chan struct{} // closed when given, unread, found, from and failed are set
	given  []givenSource
	unread []string       // files of the request of which no text could be read, by name
	found  []ibid.Passage // one for each of given, then those of the library
	from   string
	failed error

	// offered are sources that stand in the answer itself: what the provider's tools found. Those that stand before its first
	// text take the place of the library, as sources of the request do, unless it was asked for.
	offered []givenSource
	alone   bool
	library bool

	texts []*passing // one for each text of the answer
	usage ibid.Usage // of the whole answer, where the provider tells; noted with the text that is recorded first
	told  bool       // the reader knows how the stream ended: by its end, or by an error
	over  bool       // the line that ends a stream of OpenAI is out
	waits int        // bytes of the events that wait

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
	native   []any       // citations of the provider's own, in its form, that are not out yet
	own      []any       // all of them, where native has not
	answer   ibid.Answer // as it was attributed; when done, as it is on record
	err      error
	done     bool
	found    []measured // kept: it is asked for twice

	late  bool         // its beginning is among the events that wait, and so do its words
	words bytes.Buffer // those words

	checked   int      // how many of the provider's own citations were held against what was found
	unchecked []string // those of sources whose text is not here

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
// So are all texts of an answer together, and what waits behind a text that is held.
const (
	maxText   = 1 << 20
	maxPassed = 2 << 20
	maxAll    = 16 << 20
	maxWaits  = 64 << 20
)

// Why an answer has no end.
var (
	errTooLong = errors.New("the provider's answer is too long")
	errCut     = errors.New("the provider's stream was cut")
	errHalf    = errors.New("the provider's answer was cut") // one that is given whole
	errStopped = errors.New("the server was stopped")

	errHalfEvent = errors.New("an event of the provider's stream is half") // and more may come behind it
)

var errUnreadable = &statusError{http.StatusBadGateway, errors.New("the provider's answer has a form that the gate cannot read, and the policy holds back what it has not decided on")}

// beginAttributing reads the sources and finds the passages while the provider is being asked.
func (s *Server) beginAttributing(ctx context.Context, q asked, library bool) *attributing {
	a := &attributing{server: s, ctx: ctx, asker: s.asker(callerOf(ctx)), asked: q, ready: make(chan struct{}), from: "request", library: library}
	go func() {
		defer close(a.ready)
		defer func() {
			if p := recover(); p != nil {
				s.panicked("the search for sources", p)
				a.failed = fmt.Errorf("panic: %v", p)
			}
		}()
		a.failed = a.find()
	}()
	return a
}

func (a *attributing) find() error {
	for _, g := range a.asked.sources {
		file := g.file
		if g.read(a.ctx) {
			a.given = append(a.given, g)
		} else if file != nil {
			a.unread = append(a.unread, or(file.name, "a file without a name"))
		}
	}
	var err error
	if a.found, err = a.passagesOf(a.given, 0); err != nil {
		return err
	}
	if (len(a.found) > 0 && !a.library) || a.asked.question == "" {
		return nil
	}
	where := callerOf(a.ctx).where()
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

// passagesOf makes passages of sources that came with a request or an answer, of which there were some before.
func (a *attributing) passagesOf(sources []givenSource, before int) ([]ibid.Passage, error) {
	forms := make([]givenForm, len(sources))
	for i, g := range sources {
		forms[i] = g.givenForm
		forms[i].ID = fmt.Sprintf("%s%s-%d", ibid.GivenPrefix, g.kind, before+i+1)
	}
	passages, err := passagesOf(forms)
	for i := range passages {
		p := &passages[i]
		p.Chunk.At.Document, p.Source.Collection = ibid.HashText(p.Chunk.Text), callerOf(a.ctx).collection
	}
	return passages, err
}

func clipped(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return string([]rune(s)[:runes])
}

// known waits for the passages that a text may rest on: those of the request or of the library, and the given ones of those
// that stand in the answer. Ranks stay as they are when more are offered.
func (a *attributing) known(offered []givenSource) ([]ibid.Passage, error) {
	<-a.ready
	found := a.searched()
	if a.failed != nil || len(offered) == 0 {
		return found, a.failed
	}
	more, err := a.passagesOf(offered, len(a.given))
	if err != nil {
		return nil, err
	}
	out := slices.Clone(found)
	for _, p := range more {
		p.Rank = len(out) + 1
		out = append(out, p)
	}
	return out, nil
}

// searched are the passages of the request and of the library, where that was not left out.
func (a *attributing) searched() []ibid.Passage {
	if a.alone {
		return a.found[:min(len(a.given), len(a.found))]
	}
	return a.found
}

// source gives the source behind a passage. One of the library has no more than its kind.
func (a *attributing) source(rank int) givenSource {
	if rank >= 1 && rank <= len(a.given) {
		return a.given[rank-1]
	}
	if i := rank - 1 - len(a.searched()); i >= 0 && i < len(a.offered) {
		return a.offered[i]
	}
	return givenSource{kind: "library", index: rank - 1}
}

// whence says where the sources came from.
func (a *attributing) whence() string {
	switch {
	case len(a.offered) == 0:
		return a.from
	case len(a.searched()) == 0:
		return "answer"
	}
	return a.from + " and answer"
}

// offer takes the sources that an item of the answer holds. They count for the texts that begin behind it.
func (a *attributing) offer(item any) {
	b, err := json.Marshal(item)
	if err != nil {
		return
	}
	g := gathered{tools: a.asked.tools}
	if m := g.item(b); m.CallID != "" {
		a.waits += len(m.CallID) + len(m.Name)
	}
	for _, s := range g.sources {
		if s.file == nil && len(a.offered) < maxGathered {
			a.offered = append(a.offered, s)
			a.waits += len(s.Text)
		}
	}
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
		if !slices.ContainsFunc(a.texts, func(t *passing) bool { return t.follower != nil }) {
			a.alone = len(a.offered) > 0 && !a.library
		}
		offered := slices.Clip(a.offered)
		passages := func(context.Context) ([]ibid.Passage, error) { return a.known(offered) }
		// What came is attributed and recorded, whether or not its reader is still there.
		t.follower = a.asker.Follow(context.WithoutCancel(a.ctx), passages, show)
	}
	if len(delta) <= maxText {
		t.follower.Write(delta)
	}
}

// tooLong reports whether the answer has outgrown a bound.
func (a *attributing) tooLong() bool {
	all, long := 0, false
	for _, t := range a.texts {
		all += t.raw.Len()
		long = long || t.raw.Len() > maxPassed
	}
	return long || all > maxAll || a.waits > maxWaits
}

// settle gives up on a text that is too long to be attributed, or takes too long: it passes as one claim without a source.
func (a *attributing) settle(t *passing) {
	if t.raw.Len() > maxText {
		t.follower.Abandon(errTooLong)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), a.server.limits.Longest)
	defer cancel()
	t.follower.Hurry(ctx)
}

// attributed completes a text and gives it with what was found, before it is recorded.
func (a *attributing) attributed(n int) *passing {
	t := a.text(n)
	if t.follower == nil || t.done || a.holds() {
		return t
	}
	a.settle(t)
	a.cite(t)
	t.answer, t.err = t.follower.Attributed()
	t.answer = api.Public(t.answer)
	return t
}

// end completes a text, passes it through the gate and records it.
func (a *attributing) end(n int) *passing {
	t := a.text(n)
	if t.done || t.follower == nil {
		return t
	}
	t.done = true
	a.settle(t)
	a.cite(t)
	said, err := t.follower.Attributed()
	if t.err = err; err != nil {
		said.Text = strings.ToValidUTF8(t.raw.String(), "\uFFFD")
	}
	kept, err := t.follower.Keep(context.WithoutCancel(a.ctx), ibid.Answer{Text: t.raw.String(), Question: a.asked.question, Model: a.name(named{}).model,
		Usage: a.usage, Incomplete: t.incomplete, Conversation: a.asked.thread.recorded()})
	a.usage = ibid.Usage{}
	switch {
	case err != nil && kept.ID == "":
		a.server.Log.Error("an answer was not recorded", "error", err)
		t.unrecorded = err
		t.answer = api.Public(said)
		return t
	case err != nil:
		t.refused = err
	}
	if kept.Text != said.Text || a.bySegment() {
		t.raw.Reset()
		t.raw.WriteString(kept.Text)
		t.mended = true
	}
	t.answer = api.Public(kept)
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
	a.waits += len(block)
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

// broken ends an answer that was broken off, and gives what its reader is told.
func (a *attributing) broken(err error) *huma.ErrorModel {
	why, code, advice := errCut, http.StatusBadGateway, "ask again"
	switch {
	case errors.Is(err, errTooLong):
		why, advice = errTooLong, "ask for a shorter one"
	case errors.Is(err, errHalf):
		why = errHalf
	case errors.Is(err, errStopped):
		why, code = errStopped, http.StatusServiceUnavailable
	}
	a.cut(nil, why)
	a.told = true
	detail := why.Error()
	for _, t := range a.texts {
		if t.incomplete != "" && t.unrecorded == nil && t.done {
			detail += fmt.Sprintf("; what came is on record as answer %s, incomplete", t.answer.ID)
			break
		}
	}
	return &huma.ErrorModel{Title: http.StatusText(code), Status: code, Detail: detail + "; " + advice}
}

// cut ends the texts that have no end. What was delivered of them is recorded. Where the reader has not left, why says what
// happened.
func (a *attributing) cut(left, why error) {
	for i, t := range a.texts {
		switch {
		case t.done:
			continue
		case t.incomplete != "": // the provider has said why
		case left != nil:
			t.incomplete = "interrupted before its end"
		case !t.finished:
			t.incomplete = why.Error()
		}
		a.end(i)
	}
}

// early notes why the provider ended the answer before its end. Of its texts only the last can be one without an end.
func (a *attributing) early(why string) {
	for _, t := range slices.Backward(a.texts) {
		if t.follower != nil && why != "" {
			t.incomplete = why
			return
		}
	}
}

// usage counts tokens, in the words of either form.
type usage struct {
	Prompt       int64 `json:"prompt_tokens"`
	Completion   int64 `json:"completion_tokens"`
	Input        int64 `json:"input_tokens"`
	CacheRead    int64 `json:"cache_read_input_tokens"`
	CacheWritten int64 `json:"cache_creation_input_tokens"`
	Output       int64 `json:"output_tokens"`
}

// count takes the tokens that the provider tells. What it tells in another form is not understood, and harms nothing.
func (a *attributing) count(told json.RawMessage) {
	var u usage
	_ = json.Unmarshal(told, &u)
	a.usage.Input = or(llm.Tokens(u.Prompt, u.Input, u.CacheRead, u.CacheWritten), a.usage.Input)
	a.usage.Output = or(llm.Tokens(u.Completion, u.Output), a.usage.Output)
}

// learn takes what a whole answer tells of its maker.
func (a *attributing) learn(answer map[string]any) {
	id, _ := answer["id"].(string)
	model, _ := answer["model"].(string)
	a.name(named{id: id, model: model})
	counted, _ := json.Marshal(answer["usage"])
	a.count(counted)
}
