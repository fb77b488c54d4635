package llm

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// Anthropic is a model behind Anthropic's messages API. It does not retry and knows no time limit: wrap it in Retry and
// Timeouts.
type Anthropic struct {
	model    string
	config   AnthropicConfig
	server   server
	messages anthropic.MessageService
}

// AnthropicConfig holds what Anthropic can do without, but for the key where BaseURL is left open.
type AnthropicConfig struct {
	// Key is the API key.
	Key string
	// BaseURL is where the API stands, without /v1. Defaults to AnthropicBase.
	BaseURL string
	// Citations gives the passages to the model as documents and takes the citations that the API returns as
	// Delta.Cites. The prompt's System, which lists the passages and asks for markers, is then replaced by one that
	// leaves citing to the API.
	Citations bool
	// MaxTokens bounds an answer where the prompt does not; the API asks for a bound. Defaults to 4096.
	MaxTokens int
	// Temperature is passed on where it is set. Defaults to the server's own.
	Temperature *float64
	// Client does the HTTP. Defaults to that of NewClient. Its own Timeout would cut long answers.
	Client *http.Client
}

// AnthropicBase is where Anthropic's own API stands.
const AnthropicBase = "https://api.anthropic.com"

// citedSystem is the prompt where the API does the citing.
const citedSystem = "Answer the question from the documents, and from nothing else. Be brief and exact. " +
	"Keep numbers, names and dates as the documents have them. Where the documents disagree, say so. " +
	"Where they do not hold the answer, say in one sentence that they do not."

// NewAnthropic makes a model of a name that the server knows. The error wraps ErrModel where the name is empty, ErrKey
// where the key is missing, and ibid.ErrInvalid where the address is none.
func NewAnthropic(model string, c AnthropicConfig) (*Anthropic, error) {
	own := c.BaseURL == ""
	if own {
		c.BaseURL = AnthropicBase
	}
	if c.MaxTokens <= 0 {
		c.MaxTokens = 4096
	}
	s, err := newServer("anthropic", "ANTHROPIC_API_KEY", model, c.Key, c.BaseURL)
	if err != nil {
		return nil, err
	}
	if own && s.key == "" {
		return nil, s.noKey()
	}
	s.list = "curl " + strings.TrimRight(s.base, "/") + "/v1/models"
	opts := []option.RequestOption{option.WithBaseURL(c.BaseURL), option.WithMaxRetries(0), option.WithoutOpenTelemetry(), option.WithMiddleware(s.check)}
	if c.Client == nil {
		c.Client = NewClient()
	}
	opts = append(opts, option.WithHTTPClient(c.Client))
	if s.key != "" {
		opts = append(opts, option.WithAPIKey(s.key))
	}
	// The service, not the client: NewClient would read the environment, which is the command's to read.
	return &Anthropic{model: s.model, config: c, server: s, messages: anthropic.NewMessageService(opts...)}, nil
}

var _ ibid.Model = (*Anthropic)(nil)

// Generate streams one answer. Its errors are *Error.
func (m *Anthropic) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stream := m.messages.NewStreaming(ctx, m.params(p))
		defer stream.Close()
		r := reply{passages: p.Passages}
		for !r.stopped && stream.Next() {
			d, ok := r.take(stream.Current())
			if ok && !yield(d, nil) {
				return
			}
		}
		began := r.written > 0
		if err := stream.Err(); err != nil && (r.reason == "" || ctx.Err() != nil) {
			yield(ibid.Delta{}, m.streamError(ctx, err, began))
			return
		}
		rest := r.rest()
		began = began || rest != ""
		if (rest != "" || r.model != "" || r.usage != (ibid.Usage{})) && !yield(ibid.Delta{Text: rest, Model: r.model, Usage: r.usage}, nil) {
			return
		}
		if err := m.server.finished(r.reason, began); err != nil {
			yield(ibid.Delta{}, err)
		}
	}
}

func (m *Anthropic) params(p ibid.Prompt) anthropic.MessageNewParams {
	limit := p.MaxTokens
	if limit <= 0 {
		limit = m.config.MaxTokens
	}
	out := anthropic.MessageNewParams{Model: anthropic.Model(m.model), MaxTokens: int64(limit)}
	if m.config.Temperature != nil {
		out.Temperature = param.NewOpt(*m.config.Temperature)
	}
	system := p.System
	if m.config.Citations {
		system = citedSystem
	}
	if system != "" {
		out.System = []anthropic.TextBlockParam{{Text: system}}
	}
	all := turns(p)
	for i, t := range all {
		var blocks []anthropic.ContentBlockParamUnion
		if m.config.Citations && i == len(all)-1 {
			blocks = documents(p.Passages)
		}
		blocks = append(blocks, anthropic.NewTextBlock(t.Text))
		role := anthropic.MessageParamRoleUser
		if t.Role == "assistant" {
			role = anthropic.MessageParamRoleAssistant
		}
		out.Messages = append(out.Messages, anthropic.MessageParam{Role: role, Content: blocks})
	}
	return out
}

// documents gives each passage as a document that may be cited. Their order is their document_index.
func documents(passages []ibid.Passage) []anthropic.ContentBlockParamUnion {
	var out []anthropic.ContentBlockParamUnion
	for _, p := range passages {
		block := anthropic.NewDocumentBlock(anthropic.PlainTextSourceParam{Data: p.Chunk.Text})
		block.OfDocument.Citations = anthropic.CitationsConfigParam{Enabled: param.NewOpt(true)}
		if title := p.Source.Title(); title != "" {
			block.OfDocument.Title = param.NewOpt(title)
		}
		if len(p.Chunk.Heading) > 0 {
			block.OfDocument.Context = param.NewOpt(strings.Join(p.Chunk.Heading, " › "))
		}
		out = append(out, block)
	}
	return out
}

// reply follows the events of one answer.
type reply struct {
	passages []ibid.Passage
	words    text.Mender // there are servers that cut characters
	written  int         // bytes of text yielded
	block    int         // where the current block of text began
	cites    []ibid.Cite
	model    string
	usage    ibid.Usage
	reason   string
	stopped  bool // message_stop has come
}

// take turns an event into a delta, where it makes one.
func (r *reply) take(e anthropic.MessageStreamEventUnion) (ibid.Delta, bool) {
	switch e.Type {
	case "message_start":
		r.model = string(e.Message.Model)
		u := e.Message.Usage
		r.usage = ibid.Usage{Input: Tokens(u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens), Output: Tokens(u.OutputTokens)}
	case "content_block_start":
		r.block, r.cites = r.written, nil
		if e.ContentBlock.Type == "text" {
			return r.text(e.ContentBlock.Text)
		}
	case "content_block_delta":
		switch e.Delta.Type {
		case "text_delta":
			return r.text(e.Delta.Text)
		case "citations_delta":
			if to, ok := r.locate(e.Delta.Citation); ok {
				r.cites = append(r.cites, ibid.Cite{To: to})
			}
		}
	case "content_block_stop":
		// A citation speaks of its whole block, and may come before the block's last words.
		return r.cited()
	case "message_delta":
		if e.Delta.StopReason != "" {
			r.reason = string(e.Delta.StopReason)
		}
		if e.Usage.OutputTokens > 0 {
			r.usage.Output = Tokens(e.Usage.OutputTokens)
		}
	case "message_stop":
		r.stopped = true
	}
	return ibid.Delta{}, false
}

func (r *reply) text(s string) (ibid.Delta, bool) {
	s = r.words.Write(s)
	r.written += len(s)
	return ibid.Delta{Text: s, Model: r.model}, s != ""
}

// rest gives what waited for the rest of a character.
func (r *reply) rest() string {
	s := r.words.Close()
	r.written += len(s)
	return s
}

func (r *reply) cited() (ibid.Delta, bool) {
	d := ibid.Delta{Text: r.rest(), Model: r.model}
	if r.written > r.block {
		d.Cites = r.cites
	}
	for i := range d.Cites {
		d.Cites[i].Of = ibid.Span{Start: r.block, End: r.written}
	}
	r.cites = nil
	return d, d.Text != "" || len(d.Cites) > 0
}

// locate finds the words that a citation points to. The API counts characters, the anchor bytes. Where place and quoted
// words do not agree the words decide, and where neither can be found the whole passage is meant. A citation of a
// document that was not given is none.
func (r *reply) locate(c anthropic.CitationsDeltaCitationUnion) (ibid.Anchor, bool) {
	switch c.Type {
	case "char_location", "page_location", "content_block_location":
	default:
		return ibid.Anchor{}, false
	}
	if c.DocumentIndex < 0 || c.DocumentIndex >= int64(len(r.passages)) {
		return ibid.Anchor{}, false
	}
	chunk := r.passages[c.DocumentIndex].Chunk
	at := ibid.Span{End: len(chunk.Text)}
	if place, ok := bytesAt(chunk.Text, c.StartCharIndex, c.EndCharIndex); ok && c.Type == "char_location" && (c.CitedText == "" || place.In(chunk.Text) == c.CitedText) {
		at = place
	} else if i := strings.Index(chunk.Text, c.CitedText); i >= 0 && c.CitedText != "" {
		at = ibid.Span{Start: i, End: i + len(c.CitedText)}
	}
	at = trimmed(chunk.Text, at)
	return ibid.Anchor{Document: chunk.At.Document, Span: at.Shift(chunk.At.Span.Start)}, true
}

// trimmed leaves out the space around the words: the API cites whole sentences with the space behind them.
func trimmed(s string, at ibid.Span) ibid.Span {
	t := strings.TrimSpace(at.In(s))
	if t == "" {
		return at
	}
	start := at.Start + strings.Index(at.In(s), t)
	return ibid.Span{Start: start, End: start + len(t)}
}

// bytesAt turns a half-open range of characters into one of bytes, and reports whether the text has it.
func bytesAt(s string, start, end int64) (ibid.Span, bool) {
	if start < 0 || end <= start || end > int64(utf8.RuneCountInString(s)) {
		return ibid.Span{}, false
	}
	var at ibid.Span
	n := int64(0)
	for i := range s {
		if n == start {
			at.Start = i
		}
		if n == end {
			at.End = i
			return at, true
		}
		n++
	}
	at.End = len(s)
	return at, true
}

// streamError names an error that ended the stream: an error event, something that is no JSON, a broken connection.
func (m *Anthropic) streamError(ctx context.Context, err error, began bool) error {
	var event *anthropic.Error
	if errors.As(err, &event) && ctx.Err() == nil {
		code, detail := reason([]byte(event.RawJSON()))
		return m.server.event(code, detail, began)
	}
	return m.server.unread(ctx, err, began)
}
