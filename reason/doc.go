// Package reason takes a question apart into steps, and says which sources the steps of a chain of thought rested on.
//
//	question ──Classify──▶ Kind ──Split──▶ Plan ──▶ steps, each asked for itself ──Aggregate──▶ SourceSummary
//
// Splitting works by rules, without a language model; for a language model the prompts stand here beside the parsers of
// their replies, and what a model replies is held against the same rules. Nothing here asks, retrieves or attributes: the
// workflow does.
package reason
