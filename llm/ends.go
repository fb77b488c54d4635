package llm

import "strings"

// ending is how an answer came to its end.
type ending int

const (
	whole    ending = iota // the model had no more to say, or calls a tool
	limited                // no more tokens were allowed
	windowed               // the model's context was full
	filtered               // a filter of the provider stepped in
	refused                // the model would not go on
	paused                 // the provider means to be asked again for the rest
	failed                 // the server broke off
)

// endings are the reasons that servers give, in lower case: OpenAI and Anthropic, those that speak as they do, and the ones that pass on
// the words of Gemini, Cohere, Mistral, Bedrock, DeepSeek, vLLM or Ollama as they stand. What is not among them is a whole answer:
// there are as many words for that as servers.
var endings = map[string]ending{
	"length": limited, "max_tokens": limited, "max_output_tokens": limited, "max_completion_tokens": limited, "token_limit": limited, "max_length": limited,
	"model_length": windowed, "model_context_window_exceeded": windowed, "context_length_exceeded": windowed, "context_length": windowed, "error_limit": windowed,
	"content_filter": filtered, "content_filtered": filtered, "guardrail_intervened": filtered, "safety": filtered, "recitation": filtered, "prohibited_content": filtered,
	"blocklist": filtered, "spii": filtered, "image_safety": filtered, "language": filtered, "sensitive": filtered, "error_toxic": filtered, "blocked": filtered,
	"refusal": refused, "refused": refused,
	"pause_turn": paused,
	"error":      failed, "abort": failed, "aborted": failed, "cancelled": failed, "canceled": failed, "timeout": failed, "network_error": failed, "insufficient_system_resource": failed,
	"repetition": failed, "unload": failed, "other": failed, "malformed_function_call": failed, "failed": failed,
}

func endingOf(reason string) ending { return endings[strings.ToLower(strings.TrimSpace(reason))] }

// Early says in plain words why an answer has no end, by the reason that its server gives for the end: finish_reason of chat completions,
// stop_reason of messages, the reason of an incomplete response. It is "" where the answer is whole.
func Early(reason string) string { return endingOf(reason).String() }

func (e ending) String() string {
	switch e {
	case limited:
		return "the answer reached its limit of tokens"
	case windowed:
		return "the answer reached the end of the model's context"
	case filtered:
		return "a filter of the provider ended the answer"
	case refused:
		return "the model or its provider refused to go on"
	case paused:
		return "the provider paused the answer before its end"
	case failed:
		return "the server broke off"
	}
	return ""
}
