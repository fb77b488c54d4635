// Package llm holds the models that write answers: servers that speak OpenAI's or Anthropic's API, and Extractive, which
// needs neither a model nor a network. All of them are an ibid.Model: a sequence of deltas to range over.
//
//	m, err := llm.NewOpenAI("qwen3:8b", llm.OpenAIConfig{BaseURL: "http://localhost:11434/v1"})
//	model := llm.Retry(llm.Timeouts(m, llm.Limits{First: time.Minute}), llm.RetryConfig{})
//	for delta, err := range model.Generate(ctx, prompt) { … }
//
// Keys, addresses and names of models come from outside: nothing here reads the environment. Errors are *Error and wrap
// what a caller does about them: ErrKey, ErrModel, ErrCut and so on. What was yielded before an error stands.
package llm
