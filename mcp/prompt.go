package mcp

import (
	"context"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ibid-dev/ibid/workflow"
)

// prompts are what people choose in their client.
func addPrompts(s *sdk.Server) {
	s.AddPrompt(&sdk.Prompt{Name: "answer_with_citations", Title: "Answer from the library, with citations",
		Description: "Answers a question from your documents, checks every sentence against them, and lists the sources.",
		Arguments: []*sdk.PromptArgument{{Name: "question", Description: "What you want to know.", Required: true},
			{Name: "style", Description: "Citation style of the list of sources, such as apa."}},
	}, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		question, style := req.Params.Arguments["question"], req.Params.Arguments["style"]
		if workflow.Blank(question) || longer(question, maxQuestion) || len(style) > 300 {
			return nil, errors.New("the prompt takes a question, of at most 20000 characters")
		}
		if style == "" {
			style = "apa"
		}
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: answerWithCitations(question, style)}}}}, nil
	})
}

func answerWithCitations(question, style string) string {
	return `Answer the question below from my library, and from nothing else.

1. Call search, more than once where the question has parts.
2. Write the answer from the passages. End each sentence with the number of the passage that says so, as [1]. Where the passages do not say it, say that they do not.
3. Call attribute with your answer and the passages you used, in the order of their numbers. Correct what is contradicted, and take out or mark as your own what has no support. Check the corrected answer again.
4. Give me the answer, then the sources it cites: call cite with their ids and the style ` + style + `.

Question: ` + question
}
