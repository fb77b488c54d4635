package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/sqlite"
)

func showCmd(a *app) *cobra.Command {
	var asJSON bool
	var find api.Find
	limit := 20
	cmd := &cobra.Command{
		Use:   "show [ANSWER [SEGMENT]]",
		Short: "Open an answer, or the evidence of one segment; find answers",
		Long: `Without arguments, list the latest answers. With an answer, print it again with
its segments numbered. With a segment, open its evidence: each passage it rests
on, with the supporting words marked in their context.

With --find only answers are listed whose question or text has all of the
words, in any case and with or without accents: "words in quotes" together, the
others whole, the last one as a beginning. With --source only those that rest
on a source, in whichever version; that it was retrieved is not enough. With
--conversation only those of one conversation. An answer whose entry of the log
was erased is not found by its words.

An answer is named by its id, of which the first four or more characters are
enough, or by "last". With --collection the list and "last" are of that
collection.`,
		Example: `  ibid show
  ibid show last
  ibid show 4f2a 2
  ibid show --find '"transatlantic cable" 1858'
  ibid show --source 77aa --limit 100 --json`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range []string{"find", "source", "conversation", "limit"} {
				if len(args) > 0 && cmd.Flags().Changed(name) {
					return hint(usagef("--%s finds answers, and %q names one already", name, args[0]), "leave one of them out")
				}
			}
			if cmd.Flags().Changed("find") && strings.TrimSpace(find.Words) == "" { // of a script whose variable is empty: all would be listed
				return usagef("--find names no word")
			}
			if cmd.Flags().Changed("source") && find.Source == "" {
				return hint(usagef("--source names no source"), "ibid sources lists them")
			}
			if cmd.Flags().Changed("conversation") && find.Conversation == "" {
				return usagef("--conversation names no conversation")
			}
			if limit < 1 {
				return usagef("--limit %d: choose a number from 1 up", limit)
			}
			store, err := a.store(cmd.Context())
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return a.listAnswers(cmd, store, find, limit, asJSON)
			}
			answer, err := a.answer(cmd.Context(), store, args[0])
			if err != nil {
				return err
			}
			switch {
			case len(args) == 2:
				return a.showSegment(answer, args[1], asJSON)
			case asJSON:
				return a.printJSON(answer)
			}
			a.showAnswer(answer)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&find.Words, "find", "", "only answers that have these words")
	f.StringVar((*string)(&find.Source), "source", "", "only answers that rest on this source, by its id")
	f.StringVar((*string)(&find.Conversation), "conversation", "", "only answers of this conversation")
	f.IntVar(&limit, "limit", limit, "at most this many, the latest")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (a *app) listAnswers(cmd *cobra.Command, store *sqlite.Store, find api.Find, limit int, asJSON bool) error {
	heads, err := a.findAnswers(cmd.Context(), store, find, limit+1)
	if err != nil {
		return err
	}
	if len(heads) == 0 {
		if err := a.emptied(cmd.Context()); err != nil { // what was lost is not called empty
			return err
		}
	}
	more := len(heads) > limit
	heads = heads[:min(len(heads), limit)]
	if asJSON {
		return a.printJSON(append([]api.AnswerHead{}, heads...)) // a list, also where it is empty
	}
	if len(heads) == 0 {
		a.notice("%s", a.noAnswers(find))
	}
	p := a.paint()
	for _, h := range heads {
		a.line("        ", "%s  %s  %s", shortID(string(h.ID)), h.CreatedAt.Local().Format("2006-01-02 15:04"), cell(firstWords(h.Question, 16), 120))
		if h.Excerpt != "" {
			fmt.Fprintln(a.out, p.wrapped("        ", dim, shown(h.Excerpt)))
		}
	}
	if more && find != (api.Find{}) {
		a.notice("the latest %d; --limit shows more", limit)
	}
	return nil
}

// noAnswers says that none was found, and of what.
func (a *app) noAnswers(find api.Find) string {
	within := ""
	if a.conf.Collection != "" {
		within = fmt.Sprintf(" in collection %q", shown(a.conf.Collection))
	}
	var does []string
	if find.Words != "" {
		does = append(does, "has these words")
	}
	if find.Source != "" {
		does = append(does, "rests on this source")
	}
	if find.Conversation != "" {
		does = append(does, "is of this conversation")
	}
	if len(does) > 0 {
		return "no answer" + within + " " + strings.Join(does, " and ")
	}
	return "no answers yet" + within + ": ibid ask \"…\" makes one"
}

// findAnswers finds answers of the collection that is worked within, otherwise of all.
func (a *app) findAnswers(ctx context.Context, store *sqlite.Store, find api.Find, limit int) (heads []api.AnswerHead, err error) {
	find.Source = ibid.SourceID(strings.ToLower(string(find.Source)))
	if a.conf.Collection == "" {
		heads, err = store.FindAnswers(ctx, find, "", limit)
	} else {
		if find.Source != "" {
			var src ibid.Source
			if src, err = store.Source(ctx, find.Source); err == nil { // the beginning of its id is enough here
				find.Source = src.ID
			}
		}
		if err == nil {
			heads, err = store.In(a.conf.Collection).FindAnswers(ctx, find, "", limit)
		}
	}
	switch {
	case errors.Is(err, ibid.ErrNotFound), errors.Is(err, ibid.ErrAmbiguous):
		return nil, hint(err, "ibid sources lists them")
	case errors.Is(err, ibid.ErrInvalid):
		return nil, usagef("--find: %s", wording.Of(err))
	}
	return heads, err
}

// answerHeads gives the heads of the latest answers: of the collection that is worked within, otherwise of all.
func (a *app) answerHeads(ctx context.Context, store *sqlite.Store, limit int) ([]ibid.Answer, error) {
	if a.conf.Collection != "" {
		return store.In(a.conf.Collection).Answers(ctx, "", limit)
	}
	return store.Answers(ctx, "", limit)
}

// showAnswer prints the answer, then its segments with the numbers by which their evidence is opened.
func (a *app) showAnswer(answer ibid.Answer) {
	p := a.paint()
	fmt.Fprintln(a.out, p.wrapped("", bold, harmless(excerpt(answer.Question, 600))))
	fmt.Fprintln(a.out)
	for _, step := range answer.Steps {
		printStep(a.out, p, step)
		fmt.Fprintln(a.out)
	}
	newAnswerPrinter(p, a.out).whole(answer)
	fmt.Fprintln(a.out)
	for i, s := range answer.Segments {
		line := fmt.Sprintf("%3d %-6s %s %s", i+1, s.Origin, harmless(firstWords(s.At.In(answer.Text), 9)), signs(s, answer.Numbers(s)))
		a.row("           ").add(tint(s), strings.TrimRight(strings.ReplaceAll(line, "\n", " "), " ")+"\n")
	}
}

// only cuts an answer down to one segment and what it rests on.
func only(answer ibid.Answer, s ibid.Segment) ibid.Answer {
	links := answer.Evidence(s)
	answer.Segments, answer.Attributions = []ibid.Segment{s}, links
	answer.Citations = slices.DeleteFunc(slices.Clone(answer.Citations), func(c ibid.Citation) bool {
		return !slices.ContainsFunc(links, func(l ibid.Attribution) bool { return l.To == c.At })
	})
	answer.Passages = slices.DeleteFunc(slices.Clone(answer.Passages), func(p ibid.Passage) bool {
		return !slices.ContainsFunc(links, func(l ibid.Attribution) bool { return l.Ref == p.Rank }) && !slices.Contains(s.Refs, p.Rank)
	})
	return answer
}

func (a *app) showSegment(answer ibid.Answer, number string, asJSON bool) error {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(answer.Segments) {
		return hint(usagef("segment %q: answer %s has segments 1 to %d", number, shortID(string(answer.ID)), len(answer.Segments)),
			"ibid show %s lists them", shortID(string(answer.ID)))
	}
	s := answer.Segments[n-1]
	links := answer.Evidence(s)
	if asJSON {
		return a.printJSON(only(answer, s))
	}
	p := a.paint()
	fmt.Fprintln(a.out, p.wrapped("", tint(s), harmless(s.At.In(answer.Text))+signs(s, answer.Numbers(s))))
	if s.Origin == ibid.NONE { // what claims nothing needs no support
		fmt.Fprintln(a.out, s.InWords())
	} else {
		fmt.Fprintf(a.out, "%s · support %.2f · %s\n", s.InWords(), s.Support, ibid.Strength(s.Confidence))
	}
	for _, r := range s.Reasons {
		fmt.Fprintln(a.out, p.wrapped("  ", dim, "why: "+harmless(r)))
	}
	for _, n := range s.Steps {
		fmt.Fprintln(a.out, p.wrapped("  ", dim, fmt.Sprintf("step %d: %s", n, harmless(answer.Steps[n-1].Question))))
	}
	for _, l := range links {
		a.showEvidence(answer, s, l)
	}
	if len(links) == 0 && s.Origin != ibid.NONE {
		fmt.Fprintln(a.out, "\nno passage that the answer had supports this")
	}
	return nil
}

// showEvidence opens one passage with the supporting words marked: the quote in colour or between « », the words in it
// that carry the support in bold.
func (a *app) showEvidence(answer ibid.Answer, s ibid.Segment, l ibid.Attribution) {
	passage, ok := answer.Passage(l.Ref)
	if !ok {
		return
	}
	p := a.paint()
	src := passage.Source
	head := join(" · ", src.Title(), nameUnlessTitle(src), passage.Locator(l.To.Span.Start), ibid.Strength(l.Confidence), l.Trust.String())
	fmt.Fprintf(a.out, "\n%s\n", p.wrapped("", bold, harmless(head)))
	if path := passage.Chunk.Heading; len(path) > 0 && !strings.HasPrefix(passage.Chunk.Text, path[len(path)-1]) {
		fmt.Fprintln(a.out, p.wrapped("", dim, harmless(strings.Join(path, " › "))))
	}
	at := l.To.Span.Shift(-passage.Chunk.At.Span.Start)
	p.flowing(a.out, "  ").highlighted(strings.TrimRight(passage.Chunk.Text, "\n"), []styledSpan{{at, marked, "«", "»"}})
	fmt.Fprintln(a.out)
	for _, c := range s.Contradicted {
		if c.To.Document == l.To.Document {
			fmt.Fprintln(a.out, p.wrapped("  ", red, "✕ "+harmless(c.Reason)))
		}
	}
	fmt.Fprintln(a.out, p.in(dim, fmt.Sprintf("  document %s, bytes %d to %d", shortID(string(l.To.Document)), l.To.Span.Start, l.To.Span.End)))
}
