package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/sqlite"
)

func showCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [ANSWER [SEGMENT]]",
		Short: "Open an answer, or the evidence of one of its segments",
		Long: `Without arguments, list the latest answers. With an answer, print it again with its
segments numbered. With a segment, open its evidence: each passage it rests on, with
the supporting words marked in their context.

An answer is named by its id, of which the first four or more characters are enough,
or by "last". With --collection the list and "last" are of that collection.`,
		Example: `  ibid show
  ibid show last
  ibid show 4f2a 2`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := a.store(cmd.Context())
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return a.listAnswers(cmd, store, asJSON)
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (a *app) listAnswers(cmd *cobra.Command, store *sqlite.Store, asJSON bool) error {
	heads, err := a.answerHeads(cmd.Context(), store, 20)
	if err != nil {
		return err
	}
	if asJSON {
		list := make([]answerHead, len(heads))
		for i, h := range heads {
			list[i] = answerHead{h.ID, h.Conversation, h.Question, h.Model, h.CreatedAt}
		}
		return a.printJSON(list)
	}
	if len(heads) == 0 {
		a.notice("no answers yet: ibid ask \"…\" makes one")
	}
	for _, h := range heads {
		fmt.Fprintf(a.out, "%s  %s  %s\n", shortID(string(h.ID)), h.CreatedAt.Local().Format("2006-01-02 15:04"), cell(firstWords(h.Question, 16), 120))
	}
	return nil
}

// answerHead is an answer as the list gives it. What it says and rests on is not read for that.
type answerHead struct {
	ID           ibid.AnswerID       `json:"id"`
	Conversation ibid.ConversationID `json:"conversation,omitempty"`
	Question     string              `json:"question"`
	Model        string              `json:"model"`
	CreatedAt    time.Time           `json:"created_at"`
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
		fmt.Fprintln(a.out, p.in(tint(s), strings.TrimRight(strings.ReplaceAll(line, "\n", " "), " ")))
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
