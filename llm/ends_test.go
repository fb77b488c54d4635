package llm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/llm"
)

// Whatever a server calls it, an answer that it ended early is not taken for a whole one, and what came of it is kept.
func TestAnswersThatEndEarlySayWhy(t *testing.T) {
	reasons := map[string][]string{
		"the answer reached its limit of tokens":            {"length", "max_tokens", "MAX_TOKENS", "max_output_tokens"},
		"the answer reached the end of the model's context": {"model_length", "model_context_window_exceeded", "ERROR_LIMIT"},
		"a filter of the provider ended the answer":         {"content_filter", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "guardrail_intervened", "sensitive", "ERROR_TOXIC"},
		"the model or its provider refused to go on":        {"refusal"},
		"the provider paused the answer before its end":     {"pause_turn"},
		"the server broke off":                              {"error", "abort", "insufficient_system_resource", "network_error"},
		"":                                                  {"stop", "end_turn", "stop_sequence", "STOP", "COMPLETE", "eos", "eos_token", "tool_calls", "tool_use", "something new"},
	}
	for why, names := range reasons {
		for _, name := range names {
			if got := llm.Early(name); got != why {
				t.Errorf("%s: %q", name, got)
			}
			each(t, func(t *testing.T, a api) {
				end := strings.Replace(a.limit, `"length"`, fmt.Sprintf("%q", name), 1)
				if a.name == "anthropic" {
					end = strings.Replace(a.limit, `"max_tokens"`, fmt.Sprintf("%q", name), 1)
				}
				s := serve(t, []step{send(a.begin), send(a.word("half an ")), send(end)})
				h := listen(t.Context(), llm.Retry(a.model(t, s.URL), llm.RetryConfig{Wait: noWait}), ask)
				if h.text != "half an " || s.count() != 1 {
					t.Errorf("%s: %q, asked %d times", name, h.text, s.count())
				}
				var e *llm.Error
				switch {
				case why == "" && h.err != nil:
					t.Errorf("%s: %v", name, h.err)
				case why != "" && (!errors.As(h.err, &e) || !errors.Is(e, llm.ErrCut) || !strings.HasPrefix(e.Plain(), a.name+": "+why+": what came so far is kept")):
					t.Errorf("%s: %v", name, h.err)
				}
			})
		}
	}
}

// A model that spends all of its tokens on thinking has said nothing that could be kept.
func TestLimitBeforeTheFirstWord(t *testing.T) {
	each(t, func(t *testing.T, a api) {
		s := serve(t, []step{send(a.begin), send(a.limit)})
		if h := listen(t.Context(), a.model(t, s.URL), ask); h.text != "" || !errors.Is(h.err, llm.ErrCut) || !strings.Contains(h.err.Error(), "reached its limit of tokens before its first word; allow more tokens") {
			t.Errorf("%q: %v", h.text, h.err)
		}
	})
}

// A refusal in its own field ends as any answer does: it is none all the same.
func TestRefusalIsNoAnswer(t *testing.T) {
	a := apis[0]
	refusal := `data: {"id":"c1","model":"small-1-0125","choices":[{"index":0,"delta":{"refusal":"I can't help with that."},"finish_reason":null}]}` + "\n\n"
	s := serve(t, []step{send(a.begin), send(refusal), send(a.end)})
	if h := listen(t.Context(), a.model(t, s.URL), ask); h.text != "I can't help with that." || !errors.Is(h.err, llm.ErrRefused) {
		t.Errorf("%q: %v", h.text, h.err)
	}
}
