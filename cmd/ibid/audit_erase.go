package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/workflow"
)

func auditEraseCmd(a *app) *cobra.Command {
	var reason, answer, study, run string
	var withAnswers bool
	cmd := &cobra.Command{
		Use:   "erase (ENTRY | --answer ANSWER | --study STUDY | --run RUN) --reason TEXT",
		Short: "Take an entry's payload, or an answer, study or run, out for good",
		Long: `Take what an entry holds out of the log, as for personal data that a person
wants erased. The entry stays, with a commitment to what it held, so that every
proof stays valid; the erasure is an entry too, with the reason. What was
exported before, and what the library or a recorded answer holds, is not
touched, but the answer is no longer found by its words; which other entries
speak of the same answer or run is said.

With --answer a recorded answer is taken out of the library, with what people
said of it and its review, and the payloads of all entries that speak of it are
erased: nothing of it is left but commitments. Sources stay, and so do studies
that took something from it, which are named. With --study a study is taken
out, and what its entries hold; the answers to its questions stay, and are
named, or go with it (--with-answers). With --run a finished run is taken out,
with its sources and claims, what its tools returned, and its review. What was
exported, backed up or sent elsewhere is out of reach.`,
		Example: `  ibid audit erase 17 --reason "asked for by the person concerned"
  ibid audit erase --answer 4f2a --reason "asked for by the person concerned"
  ibid audit erase --study 90c1 --with-answers --reason "asked for by the person concerned"
  ibid audit erase --run nightly-2026-11-15 --reason "asked for by the person concerned"`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(reason) == "" {
				return usagef("--reason: say why, without personal data: the reason stays")
			}
			named := len(args)
			for _, f := range []string{"answer", "study", "run"} {
				if cmd.Flags().Changed(f) {
					named++
				}
			}
			is := func(flag string) bool { return cmd.Flags().Changed(flag) }
			switch {
			case named != 1:
				return usagef("name an entry, or an answer with --answer, a study with --study, or a run with --run")
			case withAnswers && !is("study"):
				return usagef("--with-answers goes with --study")
			case is("answer") && answer == "":
				return hint(usagef("--answer names no answer"), "ibid show lists them")
			case is("study") && study == "":
				return hint(usagef("--study names no study"), "ibid research list lists them")
			case is("run") && run == "":
				return hint(usagef("--run names no run"), "ibid run list lists them")
			case is("answer"):
				return a.eraseAnswer(cmd.Context(), answer, reason)
			case is("study"):
				return a.eraseStudy(cmd.Context(), study, withAnswers, reason)
			case is("run"):
				return a.eraseRun(cmd.Context(), run, reason)
			}
			return a.eraseEntry(cmd.Context(), args[0], reason)
		},
	}
	f := cmd.Flags()
	f.StringVar(&reason, "reason", "", "why it is erased; becomes part of the log")
	f.StringVar(&answer, "answer", "", "erase all of this answer, by its id")
	f.StringVar(&study, "study", "", "erase all of this study, by its id")
	f.BoolVar(&withAnswers, "with-answers", false, "with --study: erase the answers to its questions, too")
	f.StringVar(&run, "run", "", "erase all of this run, by its id")
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
	return a.tellOthers(ctx, workflow.SubjectOf(erased))
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
	erasures, err := a.opened.log.EraseAnswer(ctx, answer.ID, func(e ibid.Entry) bool { return workflow.SubjectOf(e) == subject }, reason)
	if err != nil {
		return err
	}
	if err := a.tellErased(subject, erasures); err != nil {
		return err
	}
	studies, err := store.StudiesOf(ctx, answer.ID)
	if err != nil {
		return err
	}
	for _, s := range studies {
		a.notice("study %s took something from it, and still holds that; ibid audit erase --study %s --reason … erases it", s, shortID(s))
	}
	return nil
}

// eraseStudy erases a study and what the log says of it. Its words stand in the answers to its questions, too.
func (a *app) eraseStudy(ctx context.Context, id string, withAnswers bool, reason string) error {
	store, err := a.record(ctx)
	if err != nil {
		return err
	}
	study, err := a.study(ctx, id)
	if err != nil {
		return err
	}
	var gone []ibid.AnswerID
	var stay []string // what to say of the rest
	for _, q := range study.Questions {
		if _, err := store.AnswerJSON(ctx, q.Answer); q.Answer == "" || err != nil {
			continue
		}
		if withAnswers {
			gone = append(gone, q.Answer)
		} else {
			stay = append(stay, fmt.Sprintf("answer %s to its question %d stays; ibid audit erase --answer %s --reason … erases it", q.Answer, q.Number, shortID(string(q.Answer))))
		}
	}
	erasures, err := a.opened.log.EraseStudy(ctx, study.ID, gone, func(e ibid.Entry) bool {
		id, ok := strings.CutPrefix(workflow.SubjectOf(e), "answer ")
		return ok && slices.Contains(gone, ibid.AnswerID(id))
	}, reason)
	if err != nil {
		return err
	}
	what := "study " + study.ID
	if len(gone) > 0 {
		what += " with " + count(len(gone), "answer", "answers")
	}
	if err := a.tellErased(what, erasures); err != nil {
		return err
	}
	for _, s := range stay {
		a.notice("%s", s)
	}
	return nil
}

// eraseRun erases a run and all that the log says of it.
func (a *app) eraseRun(ctx context.Context, id, reason string) error {
	store, err := a.record(ctx)
	if err != nil {
		return err
	}
	run, err := a.recordedRun(ctx, store, id)
	if err != nil {
		return err
	}
	if run.Verdict == nil {
		return hint(fmt.Errorf("run %s goes on, and what is added to it would bring it back", shown(string(run.ID))), "ibid run finish %s ends it; then it can be erased", typed(string(run.ID)))
	}
	subject := "run " + string(run.ID)
	erasures, err := a.opened.log.EraseRun(ctx, run.ID, func(e ibid.Entry) bool { return workflow.SubjectOf(e) == subject }, reason)
	if err != nil {
		return err
	}
	return a.tellErased(shown(subject), erasures)
}

// tellErased names what is gone from the library, and the entries that say so.
func (a *app) tellErased(what string, erasures []ibid.Entry) error {
	a.notice("erased: %s is no longer in the library", what)
	for _, e := range erasures {
		var said struct {
			Entry int64 `json:"entry"`
		}
		if err := json.Unmarshal(e.Data, &said); err != nil {
			return err
		}
		a.notice("erased: what entry %d held; entry %d says so", said.Entry, e.Index)
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
		if e.Data != nil && workflow.SubjectOf(e) == subject {
			others = append(others, fmt.Sprintf("entry %d (%s)", e.Index, e.Kind))
		}
	}
	a.notice("%s is spoken of elsewhere, too: %s", shown(subject), strings.Join(append(others, "the record itself"), ", "))
	if id, ok := strings.CutPrefix(subject, "run "); ok {
		a.notice("ibid audit erase --run %s --reason … erases all of it", typed(shown(id)))
	}
	if id, ok := strings.CutPrefix(subject, "answer "); ok {
		if _, err := a.opened.store.AnswerJSON(ctx, ibid.AnswerID(id)); err == nil {
			a.notice("ibid audit erase --answer %s --reason … erases all of it", shown(shortID(id)))
		}
	}
	return nil
}
