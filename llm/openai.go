package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"
)

// OpenAI is a model behind the chat completions API of OpenAI, which Ollama, vLLM, llama.cpp's server and many others
// speak too. It reads System and Messages of the prompt, or Question where there are no messages. It does not retry and
// knows no time limit: wrap it in Retry and Timeouts.
type OpenAI struct {
	model  string
	config OpenAIConfig
	server server
	chat   openai.ChatCompletionService
}

// OpenAIConfig holds what OpenAI can do without.
type OpenAIConfig struct {
	// Name is what messages call the server. Defaults to openai.
	Name string
	// Key is the API key. Servers of one's own often need none; OpenAI's own does.
	Key string
	// BaseURL is where the API stands. Defaults to OpenAIBase. For Ollama it is http://localhost:11434/v1.
	BaseURL string
	// Temperature is passed on where it is set. Defaults to the server's own.
	Temperature *float64
	// Client does the HTTP. Defaults to that of NewClient. Its own Timeout would cut long answers.
	Client *http.Client
}

// OpenAIBase is where OpenAI's own API stands.
const OpenAIBase = "https://api.openai.com/v1"

// NewOpenAI makes a model of a name that the server knows. The error wraps ErrModel where the name is empty, ErrKey where the key is missing,
// and ibid.ErrInvalid where the address is none.
func NewOpenAI(model string, c OpenAIConfig) (*OpenAI, error) {
	own := c.BaseURL == ""
	if own {
		c.BaseURL = OpenAIBase
	}
	s, err := newServer(cmp.Or(c.Name, "openai"), "OPENAI_API_KEY", model, c.Key, c.BaseURL)
	if err != nil {
		return nil, err
	}
	if own && s.key == "" {
		return nil, s.noKey()
	}
	s.list = "curl " + strings.TrimRight(s.base, "/") + "/models"
	if strings.HasPrefix(s.base, "http://localhost:11434") || strings.HasPrefix(s.base, "http://127.0.0.1:11434") {
		s.list = "ollama list"
	}
	m := &OpenAI{model: s.model, config: c, server: s}
	opts := []option.RequestOption{option.WithBaseURL(c.BaseURL), option.WithMaxRetries(0), option.WithMiddleware(s.check)}
	if c.Client == nil {
		c.Client = NewClient()
	}
	opts = append(opts, option.WithHTTPClient(c.Client))
	if s.key != "" {
		opts = append(opts, option.WithAPIKey(s.key))
	}
	// The service, not the client: NewClient would read the environment, which is the command's to read.
	m.chat = openai.NewChatCompletionService(opts...)
	return m, nil
}

var _ ibid.Model = (*OpenAI)(nil)

// Generate streams one answer. Its errors are *Error.
func (m *OpenAI) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stream := m.chat.NewStreaming(ctx, m.params(p))
		defer stream.Close()
		began, refuses, reason := false, false, ""
		var last ibid.Delta
		var words text.Mender // there are servers that cut characters
		for stream.Next() {
			chunk := stream.Current()
			if chunk.Model != "" {
				last.Model = chunk.Model
			}
			if u := chunk.Usage; u.PromptTokens > 0 || u.CompletionTokens > 0 {
				last.Usage = ibid.Usage{Input: Tokens(u.PromptTokens), Output: Tokens(u.CompletionTokens)}
			}
			if len(chunk.Choices) == 0 {
				continue
			}
			choice := chunk.Choices[0]
			if choice.FinishReason != "" {
				reason = choice.FinishReason
			}
			said := words.Write(worded(choice.Delta) + choice.Delta.Refusal)
			refuses = refuses || choice.Delta.Refusal != ""
			if said == "" {
				continue
			}
			began = true
			if !yield(ibid.Delta{Text: said, Model: last.Model}, nil) {
				return
			}
		}
		// Once a reason to finish has come the answer is whole, whatever befalls the connection.
		if err := stream.Err(); err != nil && (reason == "" || ctx.Err() != nil) {
			yield(ibid.Delta{}, m.streamError(ctx, err, began))
			return
		}
		last.Text = words.Close()
		began = began || last.Text != ""
		if (last.Text != "" || last.Model != "" || last.Usage != (ibid.Usage{})) && !yield(last, nil) {
			return
		}
		if refuses && reason != "" && endingOf(reason) == whole { // it ends as any other does
			reason = "refusal"
		}
		if err := m.server.finished(reason, began); err != nil {
			yield(ibid.Delta{}, err)
		}
	}
}

// worded gives the words of a delta. There are servers that send a list of parts, of which those that are no text are what the
// model thinks; the library that reads them takes the list itself for words.
func worded(d openai.ChatCompletionChunkChoiceDelta) string {
	var parts []struct{ Type, Text string }
	raw := d.JSON.Content.Raw()
	if !strings.HasPrefix(raw, "[") || json.Unmarshal([]byte(raw), &parts) != nil {
		return d.Content
	}
	var words strings.Builder
	for _, p := range parts {
		if p.Type == "text" {
			words.WriteString(p.Text)
		}
	}
	return words.String()
}

func (m *OpenAI) params(p ibid.Prompt) openai.ChatCompletionNewParams {
	var messages []openai.ChatCompletionMessageParamUnion
	if p.System != "" {
		messages = append(messages, openai.SystemMessage(p.System))
	}
	for _, t := range turns(p) {
		if t.Role == "assistant" {
			messages = append(messages, openai.AssistantMessage(t.Text))
		} else {
			messages = append(messages, openai.UserMessage(t.Text))
		}
	}
	out := openai.ChatCompletionNewParams{
		Model:         m.model,
		Messages:      messages,
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: param.NewOpt(true)},
	}
	if m.config.Temperature != nil {
		out.Temperature = param.NewOpt(*m.config.Temperature)
	}
	switch {
	case p.MaxTokens <= 0:
	case m.config.BaseURL == OpenAIBase:
		out.MaxCompletionTokens = param.NewOpt(int64(p.MaxTokens))
	default:
		// OpenAI's newer models refuse the old name; most other servers know only the old one.
		out.MaxTokens = param.NewOpt(int64(p.MaxTokens))
	}
	return out
}

// turns gives the messages of the prompt, or its question as the only one.
func turns(p ibid.Prompt) []ibid.Message {
	if len(p.Messages) == 0 {
		return []ibid.Message{{Role: "user", Text: p.Question}}
	}
	return p.Messages
}

// streamError names an error that ended the stream: an error event, something that is no JSON, a broken connection.
func (m *OpenAI) streamError(ctx context.Context, err error, began bool) error {
	var event *ssestream.StreamError
	if errors.As(err, &event) && ctx.Err() == nil {
		code, detail := reason(event.Event.Data)
		return m.server.event(code, detail, began)
	}
	return m.server.unread(ctx, err, began)
}
