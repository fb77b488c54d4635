package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

func askCmd(a *app) *cobra.Command {
	var asJSON bool
	var conversation, style, locale, policy, environment, receipt string
	var sources []string
	var passages int
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Answer a question from your documents, each sentence with evidence",
		Long: `Answer a question from the library. The answer prints as it is made; each
sentence carries its origin:

  ¹ ²   from the sources of these numbers, listed below with their quotes
  ◐     in part from a source; words without support are underlined and named
  ◇     the model's own
  ✕     a source says otherwise

Without a configured language model the answer is made of sentences taken from
your documents. "ibid help config" says how to configure one.

Answer and decision are entries of the log before the answer is given. With
--policy the gate holds back, repairs or flags what lacks its sources; "ibid
gate" lists policies.`,
		Example: `  ibid ask "When was the first transatlantic cable laid?"
  ibid ask --policy production --receipt receipt.json "Who paid for it?"
  ibid ask --conversation cables "And how long did it work?"
  ibid ask --json "Who paid for it?" | jq .citations
  echo "Why did it fail?" | ibid ask -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			question, err := a.said("the question", args)
			if err != nil {
				return err
			}
			if locale != "" && style == "" {
				return hint(usagef("--locale is of the words of a style, and --style names none"), "--style %s lists the cited sources in one; the answer's own language is the model's", export.DefaultStyle)
			}
			set, err := a.exportStyle(style, locale)
			if err != nil {
				return err
			}
			asker, err := a.asker(ctx)
			if err != nil {
				return err
			}
			if passages < 0 || passages == 0 && cmd.Flags().Changed("passages") {
				return usagef("--passages %d: give a number from 1 up", passages)
			}
			if cmd.Flags().Changed("source") && len(sources) == 0 {
				return hint(usagef("--source names no source"), "ibid sources lists them")
			}
			if passages > 0 {
				asker.Passages = passages
			}
			q := workflow.Question{Text: question, Conversation: ibid.ConversationID(conversation)}
			q.Where.Collection = a.conf.Collection
			if q.Where.Sources, err = a.sourceIDs(ctx, sources); err != nil {
				return err
			}
			if policy != "" || environment != "" {
				if asker.Gate, err = a.gate(ctx, policy, environment); err != nil {
					return err
				}
			}
			answer, err := a.ask(ctx, asker, q, asJSON)
			if failed := a.writeReceipt(ctx, receipt, answer.Entry); failed != nil {
				return failed
			}
			if err != nil || style == "" || asJSON || len(answer.Citations) == 0 {
				return err
			}
			return a.printBibliography(ctx, answer, set)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print the whole answer as JSON")
	f.StringVar(&conversation, "conversation", "", "name of a conversation that the question goes on with")
	f.StringSliceVar(&sources, "source", nil, "only these sources, by id (ibid sources lists them)")
	f.StringVar(&style, "style", "", "list the cited sources in this citation style too (ibid styles lists them)")
	f.StringVar(&locale, "locale", "", "with --style: language of its words, as de-DE")
	f.IntVar(&passages, "passages", 0, "how many passages to retrieve (default 8)")
	f.StringVar(&policy, "policy", "", "what must have a source to be shown: a built-in policy or a file")
	f.StringVar(&environment, "environment", "", "of the policy file's environments")
	f.StringVar(&receipt, "receipt", "", "write the proof that the log holds the answer to this file")
	return cmd
}

const maxQuestion = 1 << 20

// said is the words of the command line, or standard input for "-". What they are to be is named in messages: the question.
func (a *app) said(what string, args []string) (string, error) {
	if len(args) == 1 && args[0] == "-" {
		b, err := io.ReadAll(io.LimitReader(a.in, maxQuestion+1))
		if err != nil {
			return "", fmt.Errorf("reading %s: %w", what, err)
		}
		if len(b) > maxQuestion {
			return "", hint(usagef("%s is longer than 1 MB", what), "ibid ingest takes long texts in; then ask about them")
		}
		args = []string{string(b)}
	}
	q := strings.TrimSpace(strings.Join(args, " "))
	if q == "" {
		return "", usagef("%s is empty", what)
	}
	return q, nil
}

// ask prints an answer as it comes, and gives it.
func (a *app) ask(ctx context.Context, asker *workflow.Asker, q workflow.Question, asJSON bool) (ibid.Answer, error) {
	printer := newAnswerPrinter(a.paint(), a.out)
	var answer ibid.Answer
	var failed error
	for e, err := range asker.Ask(ctx, q) {
		if err != nil {
			failed = err
			continue
		}
		if !asJSON {
			printer.event(e)
		}
		answer = e.Answer // set by the last event alone
	}
	switch {
	case answer.ID == "":
	case asJSON:
		if err := a.printJSON(answer); err != nil {
			return answer, err
		}
	default:
		a.offer(ctx, answer)
	}
	if _, refused := workflow.Refused(failed); refused && answer.Incomplete != "" {
		return answer, refusedCode // the answer says why
	}
	return answer, printer.ended(answer, failed)
}

// writeReceipt writes the proof that the log holds an entry, where one is asked for.
func (a *app) writeReceipt(ctx context.Context, file string, entry *int64) error {
	if file == "" || entry == nil {
		return nil
	}
	r, err := a.opened.log.Receipt(ctx, *entry)
	if err != nil {
		return err
	}
	b, err := r.MarshalJSON()
	if err != nil {
		return err
	}
	if err := a.writeOut(file, append(b, '\n')); err != nil {
		return hint(err, "the answer is on record: ibid audit prove %d --output FILE writes its receipt", *entry)
	}
	return nil
}

// offer says what can be done next.
func (a *app) offer(ctx context.Context, answer ibid.Answer) {
	if len(answer.Passages) == 0 {
		page, err := a.opened.store.Sources(ctx, sqlite.SourceFilter{Collection: a.conf.Collection, Limit: 1})
		if err == nil && len(page) == 0 {
			a.noticeEmpty(ctx)
		}
	}
	if len(answer.Citations) == 0 || a.flags.quiet {
		return
	}
	id := shortID(string(answer.ID))
	show, export := fmt.Sprintf("ibid show %s %d    the evidence in its context", id, firstCited(answer)), fmt.Sprintf("ibid export %s --to bibtex", id)
	if gap := "    "; len(show+gap+export) <= a.paint().width {
		fmt.Fprintln(a.out, show+gap+export)
		return
	}
	fmt.Fprintf(a.out, "%s\n%s\n", show, export)
}

// firstCited is the number of the first segment that rests on a source.
func firstCited(a ibid.Answer) int {
	for i, s := range a.Segments {
		if len(a.Numbers(s)) > 0 {
			return i + 1
		}
	}
	return 1
}

// shortID is as much of an id as people need to type.
func shortID(id string) string {
	if len(id) > 6 {
		return id[:6]
	}
	return id
}

func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
