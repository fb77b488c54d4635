package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/workflow"
)

var findTool = tool{name: "find", title: "Find recorded answers", doc: `Find answers that were recorded, the latest first, by words of their question and text, by a source that they rest on, by the conversation that they are of, or by several of these. All words are needed, whole, but that the last may be a beginning; "words in quotes" stand together. To find what the documents say, call search.`}

type findIn struct {
	Words        string `json:"words,omitempty" jsonschema:"words of the question or the text of the answer; at most 500 characters"`
	Source       string `json:"source,omitempty" jsonschema:"only answers that rest on this source, by its id, in whichever version"`
	Conversation string `json:"conversation,omitempty" jsonschema:"only answers of this conversation, by the name that ask or think was given"`
	Before       string `json:"before,omitempty" jsonschema:"only answers recorded before this one, by its id: the last that was found, to go on behind it"`
	Limit        int    `json:"limit,omitempty" jsonschema:"how many answers at most, 1 to 50; 10 where it is left out"`
}

type findOut struct {
	Answers []foundOut `json:"answers" jsonschema:"the latest first"`
	More    bool       `json:"more" jsonschema:"whether there are more, recorded before the last of these"`
}

type foundOut struct {
	ID           ibid.AnswerID       `json:"id"`
	URI          string              `json:"uri" jsonschema:"the address by which the whole answer is read"`
	Conversation ibid.ConversationID `json:"conversation,omitempty" jsonschema:"the one that it is of"`
	Question     string              `json:"question"`
	Model        string              `json:"model"`
	CreatedAt    time.Time           `json:"created_at"`
	Excerpt      string              `json:"excerpt,omitempty" jsonschema:"where the words stand in the text of the answer"`
}

func (d *desk) find(ctx context.Context, in findIn) (findOut, error) {
	out := findOut{Answers: []foundOut{}}
	switch {
	case workflow.Blank(in.Words) && in.Source == "" && in.Conversation == "":
		return out, invalid("nothing to look for; give words, the id of a source, or the name of a conversation")
	case in.Limit < 0 || in.Limit > 50:
		return out, invalid("limit is %d; give a number from 1 to 50", in.Limit)
	case in.Limit == 0:
		in.Limit = 10
	}
	if in.Before != "" {
		a, err := d.record.Answer(ctx, ibid.AnswerID(in.Before))
		if err == nil && string(a.ID) != in.Before || errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrAmbiguous) {
			return out, invalid("there is no answer %q to go on behind; give the whole id of the last that was found", shortened(in.Before))
		}
		if err != nil {
			return out, err
		}
	}
	f := api.Find{Words: in.Words, Source: ibid.SourceID(strings.ToLower(in.Source)), Conversation: ibid.ConversationID(in.Conversation)}
	list, err := d.record.FindAnswers(ctx, f, ibid.AnswerID(in.Before), in.Limit+1)
	if errors.Is(err, ibid.ErrNotFound) {
		return out, invalid("there is no source %q; search gives the whole id of each source", shortened(in.Source))
	}
	if err != nil {
		return out, err
	}
	if out.More = len(list) > in.Limit; out.More {
		list = list[:in.Limit]
	}
	for _, h := range list {
		out.Answers = append(out.Answers, foundOut{h.ID, answerURI(h.ID), h.Conversation, h.Question, h.Model, h.CreatedAt, h.Excerpt})
	}
	return out, nil
}

func (o findOut) words() string {
	if len(o.Answers) == 0 {
		return "No recorded answer was found. All that is given must hold of an answer; give fewer words, or leave out the source or the conversation.\n"
	}
	var b strings.Builder
	for _, a := range o.Answers {
		fmt.Fprintf(&b, "%s · %s\n%s\n", a.CreatedAt.UTC().Format(time.RFC3339), oneLine(a.Question), a.URI)
		if a.Excerpt != "" {
			fmt.Fprintf(&b, "%s\n", a.Excerpt)
		}
		b.WriteByte('\n')
	}
	if o.More {
		fmt.Fprintf(&b, "There are more: before %q.\n", o.Answers[len(o.Answers)-1].ID)
	}
	return b.String()
}
