// Package llm holds the models that write answers: OpenAI-compatible servers, Anthropic, and Extractive, which needs
// neither a model nor a network. Wrappers add retries and time-outs.
package llm
