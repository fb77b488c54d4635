package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
)

// server is what errors tell about whom we talk to.
type server struct {
	provider string
	base     string // without user and password
	keyName  string
	key      string // to be kept out of messages
	model    string
	list     string // how to list the models
}

func newServer(provider, keyName, model, key, base string) (server, error) {
	s := server{provider: provider, keyName: keyName, model: strings.TrimSpace(model), key: strings.TrimSpace(key)}
	if s.model == "" {
		return s, &Error{Kind: ErrModel, Provider: provider, Message: "no model is named: name one that the server has"}
	}
	if strings.ContainsFunc(s.key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return s, &Error{Kind: ErrKey, Provider: provider, Model: s.model, Message: keyName + " holds characters that no key has: copy it again"}
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return s, &Error{Kind: ibid.ErrInvalid, Provider: provider, Model: s.model, Message: fmt.Sprintf("base URL %q is not an address: give one such as http://localhost:11434/v1", hidden(base))}
	}
	u.User = nil
	s.base = u.String()
	return s, nil
}

func (s server) noKey() error {
	return &Error{Kind: ErrKey, Provider: s.provider, Model: s.model,
		Message: s.keyName + " is not set: set it, or leave the model out to answer from your documents without a language model"}
}

// hidden is an address as it was given, without user and password. It may be none that can be parsed.
func hidden(base string) string {
	at := strings.LastIndexByte(base, '@')
	if at < 0 {
		return base
	}
	scheme, _, found := strings.Cut(base[:at], "//")
	if !found {
		return "…" + base[at:]
	}
	return scheme + "//…" + base[at:]
}

// errorBodyLimit bounds what is read of a failed answer.
const errorBodyLimit = 64 << 10

// check turns every HTTP answer that is not the stream that was asked for into an *Error. It is a middleware of both
// libraries, so that the two report in one way.
func (s server) check(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	res, err := next(req)
	if err != nil || res == nil {
		return res, err
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode < 300 && kind != "text/html" && kind != "application/json" {
		return res, nil
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, errorBodyLimit))
	if res.StatusCode < 300 {
		return nil, &Error{Kind: ErrServer, Provider: s.provider, Model: s.model, Status: res.StatusCode, Detail: s.clean(string(body)),
			Message: fmt.Sprintf("%s answered with %s, not with a stream: is it the base URL of an API", s.base, kind)}
	}
	code, detail := reason(body)
	e := s.failed(res.StatusCode, code, detail)
	e.RetryAfter = retryAfter(res.Header, time.Now())
	return nil, e
}

// failed names what a status and the server's own words mean.
func (s server) failed(status int, code, detail string) *Error {
	e := &Error{Provider: s.provider, Model: s.model, Status: status, Detail: s.clean(detail)}
	said := strings.ToLower(code + " " + detail)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(said, w) {
				return true
			}
		}
		return false
	}
	switch {
	case status == 401 || status == 403 && !has("model") || has("invalid_api_key", "authentication_error"):
		e.Kind = ErrKey
		e.Message = fmt.Sprintf("%s refused the key: check %s, or leave the model out to answer from your documents without a language model", s.base, s.keyName)
	case status == 402 || has("insufficient_quota", "billing_error", "credit balance"):
		e.Kind = ErrQuota
		e.Message = "the account has nothing left to spend: add credit, or use another model"
	case status == 413 || has("context_length_exceeded", "context length", "context window", "prompt is too long", "request_too_large", "exceed_context_size"):
		e.Kind = ErrContextTooLong
		e.Message = fmt.Sprintf("question and passages are more than model %q can read: give it fewer passages, or use a model with a larger context", s.model)
	case has("model_not_found") || (status == 404 || status == 400 || status == 403) && has("model") && has("not found", "not exist", "not_found", "notfound", "access", "unknown model", "invalid model"):
		e.Kind = ErrModel
		e.Message = fmt.Sprintf("%s has no model %q: list its models with %s", s.base, s.model, s.list)
	case status == 404:
		e.Kind = ErrServer
		e.Message = fmt.Sprintf("%s has nothing under this address: check the base URL (for OpenAI-compatible servers it usually ends in /v1)", s.base)
	case status == 429 || status == 529 || status == 503 || has("overloaded", "rate_limit"):
		e.Kind, e.Temporary = ErrOverloaded, true
		e.Message = "the server has too many requests: try again later"
	case status == 408 || status == 409 || status >= 500 || has("api_error", "server_error", "timeout_error"):
		e.Kind, e.Temporary = ErrServer, true
		e.Message = "the server failed: try again later"
	case has("content_filter", "content_policy", "content management policy"):
		e.Kind = ErrRefused
		e.Message = "a filter of the provider refused the question"
	default:
		e.Kind = ibid.ErrInvalid
		e.Message = "the server did not take the request"
	}
	return e
}

// broken names a failure without an HTTP answer. What is the caller's own doing, a cancelled context, is passed on as
// it is. Text already yielded makes it a cut.
func (s server) broken(ctx context.Context, err error, began bool) error {
	var known *Error
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &known):
		return known
	case began:
		return s.cut("the connection ended before the answer did: what came so far is kept", err)
	}
	return &Error{Kind: ErrUnreachable, Provider: s.provider, Model: s.model, Temporary: true, Err: err, Detail: s.clean(err.Error()),
		Message: fmt.Sprintf("no answer from %s: is the server running and the address right", s.base)}
}

// cut is an answer that ended before its end.
func (s server) cut(message string, cause error) *Error {
	e := &Error{Kind: ErrCut, Provider: s.provider, Model: s.model, Message: message, Err: cause, Temporary: true}
	if cause != nil {
		e.Detail = s.clean(cause.Error())
	}
	return e
}

// clean makes the server's words fit for a message: one line, not too long, without the key.
func (s server) clean(said string) string {
	if s.key != "" {
		said = strings.ReplaceAll(said, s.key, "…")
	}
	said = strings.Join(strings.Fields(strings.ToValidUTF8(said, "�")), " ")
	if r := []rune(said); len(r) > 300 {
		said = string(r[:299]) + "…"
	}
	return said
}

// reason reads the several forms in which servers say what went wrong: {"error":{"message","type","code"}},
// {"error":"..."}, {"message":"..."}, {"detail":"..."}, or plain text.
func reason(body []byte) (code, detail string) {
	type fields struct {
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Type    string          `json:"type"`
		Code    json.RawMessage `json:"code"` // a string there, a number here
		Error   json.RawMessage `json:"error"`
	}
	var f fields
	if json.Unmarshal(body, &f) != nil {
		return "", string(body)
	}
	if len(f.Error) > 0 {
		var inner fields
		var text string
		if json.Unmarshal(f.Error, &inner) == nil {
			f = inner
		} else if json.Unmarshal(f.Error, &text) == nil {
			f.Message = text
		}
	}
	if f.Message == "" {
		f.Message = strings.Trim(string(f.Detail), `"`)
	}
	if f.Message == "" {
		f.Message = string(body)
	}
	return f.Type + " " + strings.Trim(string(f.Code), `"`), f.Message
}

// retryAfter reads how long the server asks to wait, in milliseconds, in seconds or until a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return span(ms / 1000)
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return span(s)
	}
	if at, err := http.ParseTime(v); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// span guards against numbers that no time.Duration holds.
func span(seconds float64) time.Duration {
	return time.Duration(min(seconds, 24*60*60) * float64(time.Second))
}

// event names an error that the server reported within the stream, after its status 200.
func (s server) event(code, detail string, began bool) error {
	e := s.failed(0, code, detail)
	if began {
		e.Message = "the server broke off: what came so far is kept; " + e.Message
		e.Err = ErrCut
	}
	return e
}

// unread names a stream that could not be read to its end.
func (s server) unread(ctx context.Context, err error, began bool) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if ctx.Err() == nil && (errors.As(err, &syntax) || errors.As(err, &kind)) {
		e := s.cut("the server sent something that is not of the API's form: what came before is kept", err)
		e.Temporary = false
		return e
	}
	return s.broken(ctx, err, began)
}

// finished judges the reason that the server gave for the end of the answer.
func (s server) finished(reason string, began bool) error {
	if reason == "" {
		return s.cut("the stream ended before the answer did: what came so far is kept", nil)
	}
	end := endingOf(reason)
	kept := ": what came so far is kept"
	if !began { // what a model thinks counts, too
		kept = " before its first word"
	}
	cut := s.cut(end.String()+kept, nil)
	cut.Temporary = false
	switch end {
	case limited:
		cut.Message += "; allow more tokens for a whole answer"
		return cut
	case windowed:
		cut.Kind, cut.Err = ErrContextTooLong, ErrCut
		cut.Message += "; give it fewer passages"
		return cut
	case filtered, refused:
		if !began {
			return &Error{Kind: ErrRefused, Provider: s.provider, Model: s.model, Message: "the model or its provider refused to answer: ask in other words, or use another model"}
		}
		cut.Kind, cut.Err = ErrRefused, ErrCut
		cut.Message += "; ask in other words, or use another model"
		return cut
	case paused, failed:
		cut.Temporary = end == failed
		cut.Message += "; ask again"
		return cut
	}
	if !began {
		return &Error{Kind: ErrEmpty, Provider: s.provider, Model: s.model, Message: fmt.Sprintf("model %q answered without a word", s.model)}
	}
	return nil
}

// mostTokens bounds what is taken for a number of tokens, so that sums of them stay numbers.
const mostTokens = 1 << 40

// Tokens adds up what a server tells of tokens. There are servers that say -1 for what they did not count.
func Tokens(told ...int64) (n int) {
	for _, t := range told {
		n += int(min(max(t, 0), mostTokens))
	}
	return n
}
