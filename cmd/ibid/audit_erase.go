package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/workflow"
)

func auditEraseCmd(a *app) *cobra.Command {
	var reason, answer string
	cmd := &cobra.Command{
		Use:   "erase (ENTRY | --answer ANSWER) --reason TEXT",
		Short: "Take the payload of an entry out of the log, or all of an answer, for good",
		Long: `Take what an entry holds out of the log, as for personal data that a person wants
erased. The entry stays, with a commitment to what it held, so that every proof stays
valid; the erasure is an entry too, with the reason. What was exported before, and what
the library or a recorded answer holds, is not touched, but the answer is no longer found
by its words; which other entries speak of the same answer or run is said.

With --answer a recorded answer is taken out of the library, with what people said of it
and its review, and the payloads of all entries that speak of it are erased: nothing of it
is left but commitments. Sources stay, and so do studies that took something from it,
which are named. What was exported, backed up or sent elsewhere is out of reach.`,
		Example: `  ibid audit erase 17 --reason "asked for by the person concerned"
  ibid audit erase --answer 4f2a --reason "asked for by the person concerned"`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(reason) == "" {
				return usagef("--reason: say why, without personal data: the reason stays")
			}
			switch byAnswer := cmd.Flags().Changed("answer"); {
			case byAnswer == (len(args) == 1):
				return usagef("name an entry, or an answer with --answer")
			case byAnswer && answer == "":
				return hint(usagef("--answer names no answer"), "ibid show lists them")
			case byAnswer:
				return a.eraseAnswer(cmd.Context(), answer, reason)
			}
			return a.eraseEntry(cmd.Context(), args[0], reason)
		},
	}
	f := cmd.Flags()
	f.StringVar(&reason, "reason", "", "why it is erased; becomes part of the log")
	f.StringVar(&answer, "answer", "", "erase all of this answer, by its id")
	cmd.MarkFlagRequired("reason")
	return cmd
}

func (a *app) eraseEntry(ctx context.Context, arg, reason string) error {
	index, err := a.entryIndex(ctx, arg)
	if err != nil {
		return err
	}
	erased, err := a.opened.log.Entry(ctx, index)
	var e ibid.Entry
	if err == nil {
		e, err = a.opened.log.Erase(ctx, index, reason)
	}
	if errors.Is(err, ibid.ErrNotFound) {
		return hint(err, "ibid audit list shows the latest")
	}
	if err != nil {
		return err
	}
	a.notice("erased: entry %d says so", e.Index)
	return a.tellOthers(ctx, subjectOf(erased))
}

// eraseAnswer erases an answer and all that the log says of it.
func (a *app) eraseAnswer(ctx context.Context, id, reason string) error {
	store, err := a.record(ctx)
	if err != nil {
		return err
	}
	answer, err := a.answer(ctx, store, id)
	if err != nil {
		return err
	}
	subject := "answer " + string(answer.ID)
	erasures, err := a.opened.log.EraseAnswer(ctx, answer.ID, func(e ibid.Entry) bool { return subjectOf(e) == subject }, reason)
	if err != nil {
		return err
	}
	a.notice("erased: answer %s is no longer in the library", answer.ID)
	for _, e := range erasures {
		var said struct {
			Entry int64 `json:"entry"`
		}
		if err := json.Unmarshal(e.Data, &said); err != nil {
			return err
		}
		a.notice("erased: what entry %d held; entry %d says so", said.Entry, e.Index)
	}
	studies, err := store.StudiesOf(ctx, answer.ID)
	if err != nil {
		return err
	}
	for _, s := range studies {
		a.notice("study %s took something from it, and still holds that", s)
	}
	return nil
}

// tellOthers names the entries that still speak of what an erased one spoke of: the decision on an answer holds its claims, too.
func (a *app) tellOthers(ctx context.Context, subject string) error {
	if subject == "" {
		return nil
	}
	var others []string
	for e, err := range a.opened.log.Entries(ctx, 0) {
		if err != nil {
			return err
		}
		if e.Data != nil && subjectOf(e) == subject {
			others = append(others, fmt.Sprintf("entry %d (%s)", e.Index, e.Kind))
		}
	}
	a.notice("%s is spoken of elsewhere, too: %s", shown(subject), strings.Join(append(others, "the record itself"), ", "))
	if id, ok := strings.CutPrefix(subject, "answer "); ok {
		if _, err := a.opened.store.AnswerJSON(ctx, ibid.AnswerID(id)); err == nil {
			a.notice("ibid audit erase --answer %s --reason … erases all of it", shown(shortID(id)))
		}
	}
	return nil
}

// subjectOf gives the answer or run of which an entry repeats the words, "" where it is none of these.
func subjectOf(e ibid.Entry) string {
	var said struct {
		Subject string `json:"subject"`
		Answer  string `json:"answer"`
		ID      string `json:"id"`
	}
	switch e.Kind {
	case workflow.EntryAnswer, workflow.EntryGate, workflow.EntryReview, workflow.EntryClaims:
		if json.Unmarshal(e.Data, &said) != nil {
			return ""
		}
	default:
		return ""
	}
	switch e.Kind {
	case workflow.EntryAnswer:
		return "answer " + said.Answer
	case workflow.EntryClaims:
		return "run " + said.ID
	}
	return said.Subject
}
