package web

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Errors under /v1 have the provider's form, so that its clients read them: who wait when they are told to, and say what was
// wrong with a key.

// providerError gives the form of errors at an address of the gateway; nil elsewhere.
func providerError(path string) func(*huma.ErrorModel) []byte {
	switch path {
	case "/v1" + openAI{}.path():
		return openAIError
	case anthropic{}.path():
		return anthropicError
	}
	return nil
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
