package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Errors under /v1 have the provider's form, so that its clients read them: who wait when they are told to, and say what was
// wrong with a key.

// isGateway says whether requests to an address are passed on.
func isGateway(path string) bool { return strings.HasPrefix(path, "/v1/") }

// providerError gives the form of errors at an address under /v1, whether the gateway has it or not; nil elsewhere.
func providerError(r *http.Request) func(*huma.ErrorModel) []byte {
	switch {
	case slices.Contains(unrooted, r.URL.Path):
		return openAIError
	case !strings.HasPrefix(r.URL.Path, "/v1/"):
		return nil
	case strings.HasPrefix(r.URL.Path, anthropic{}.path()), r.Header.Get("Anthropic-Version") != "":
		return anthropicError
	}
	return openAIError
}

// unrooted are the addresses that OpenAI's clients ask for where their base URL does not end with /v1.
var unrooted = []string{openAI{}.path(), (&responses{}).path()}

// notPassed is the answer to what providers have and the gateway has not.
func notPassed(path string) *huma.ErrorModel {
	if slices.Contains(unrooted, path) {
		return notThere("the gateway stands under /v1: end the base URL with /v1")
	}
	return notThere("the gateway has no such address: it takes POST /v1/chat/completions, /v1/responses and /v1/messages, and passes on /v1/models, /v1/embeddings, /v1/moderations, /v1/responses/input_tokens and /v1/messages/count_tokens")
}

// notThere is a 404 that says why: it tells nothing of what others have.
func notThere(why string) *huma.ErrorModel {
	return &huma.ErrorModel{Title: http.StatusText(http.StatusNotFound), Status: http.StatusNotFound, Detail: why}
}

func openAIError(p *huma.ErrorModel) []byte {
	kind, code, param := "invalid_request_error", any(nil), any(nil)
	if len(p.Errors) > 0 {
		param = strings.TrimPrefix(p.Errors[0].Location, "body.")
	}
	switch {
	case p.Status == http.StatusUnauthorized:
		code = "invalid_api_key"
	case p.Status == http.StatusForbidden:
		kind, code = "permission_error", "forbidden"
	case p.Status == http.StatusNotFound:
		code = "unknown_url"
	case p.Status == http.StatusTooManyRequests:
		kind, code = "rate_limit_error", "rate_limit_exceeded"
	case p.Status >= 500:
		kind = "server_error"
	}
	b, _ := json.Marshal(map[string]any{"error": map[string]any{"message": p.Detail, "type": kind, "param": param, "code": code}})
	return b
}

func anthropicError(p *huma.ErrorModel) []byte {
	kind := "invalid_request_error"
	switch {
	case p.Status == http.StatusUnauthorized:
		kind = "authentication_error"
	case p.Status == http.StatusForbidden:
		kind = "permission_error"
	case p.Status == http.StatusNotFound:
		kind = "not_found_error"
	case p.Status == http.StatusRequestEntityTooLarge:
		kind = "request_too_large"
	case p.Status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case p.Status == http.StatusServiceUnavailable:
		kind = "overloaded_error"
	case p.Status >= 500:
		kind = "api_error"
	}
	b, _ := json.Marshal(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": p.Detail}})
	return b
}
