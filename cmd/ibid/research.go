package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

func researchCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "research",
		Short: "Research a topic in your library, and write a dossier",
		Long: `Take a topic apart into questions, answer each from the library, gather the
evidence, and find where the sources disagree. The dossier has a summary, the
sources with their credibility, the evidence for each question, the
contradictions and the figures; every statement opens its evidence.

Each question is an answer of its own in the record. Ctrl-C stops the work;
"ibid research resume" goes on where it stopped.`,
		Example: `  ibid research start "the Atlantic cable of 1858" --depth thorough
  ibid research resume
  ibid research show last
  ibid research export last --to html -o dossier.html
  ibid research list`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return hint(usagef("research %q: give start, resume, show, export or list first", args[0]), "ibid research start %q", strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(researchStartCmd(a), researchResumeCmd(a), researchShowCmd(a), researchExportCmd(a), researchListCmd(a))
	return cmd
}

func researchStartCmd(a *app) *cobra.Command {
	var depth string
	var described []string
	var only, asJSON bool
	cmd := &cobra.Command{
		Use:   "start TOPIC",
		Short: "Begin a study and work on it",
		Long: `Depth says how many questions are asked: shallow 3 to 5, moderate 5 to 8,
thorough 8 to 12, comprehensive 12 to 15.

A source can be described: --source ID=TYPE,CREDIBILITY, with a type such as
paper, book, official, specification, website, and a credibility of high,
medium or low. What you say is kept; what the kind of the source tells stands
beside it.`,
		Example: `  ibid research start "the Atlantic cable of 1858" --depth shallow
  ibid research start "Why did the cable of 1858 fail?" --source 4f2a=paper,high --source 90c1=website,low`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			topic, err := a.said("the topic", args)
			if err != nil {
				return err
			}
			t := workflow.Topic{Text: topic}
			if t.Depth, err = dossier.ParseDepth(depth); err != nil {
				return &usageError{fmt.Errorf("--%w", err)}
			}
			r, err := a.researcher(ctx)
			if err != nil {
				return err
			}
			t.Where.Collection = a.conf.Collection
			for _, d := range described {
				src, err := a.described(ctx, d)
				if err != nil {
					return err
				}
				t.Sources = append(t.Sources, src)
				if only {
					t.Where.Sources = append(t.Where.Sources, src.Source.ID)
				}
			}
			if only && len(described) == 0 {
				return usagef("--only goes with --source")
			}
			study, err := r.Begin(ctx, t)
			if err != nil {
				return err
			}
			return a.work(ctx, r, study, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&depth, "depth", "moderate", "shallow, moderate, thorough or comprehensive")
	f.StringArrayVar(&described, "source", nil, "describe a source: ID=TYPE,CREDIBILITY")
	f.BoolVar(&only, "only", false, "look in the described sources alone")
	f.BoolVar(&asJSON, "json", false, "print the dossier as JSON when it is done")
	return cmd
}

func researchResumeCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "resume [STUDY]",
		Short: "Go on with a study where it stopped",
		Long: `Ask the questions of a study that are still open, or failed. Without a study,
the one worked on last.`,
		Example: `  ibid research resume
  ibid research resume 4f2a --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			r, err := a.researcher(ctx)
			if err != nil {
				return err
			}
			study, err := a.study(ctx, first(append(args, "last")...))
			if err != nil {
				return err
			}
			return a.work(ctx, r, study, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the dossier as JSON when it is done")
	return cmd
}

func researchShowCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [STUDY]",
		Short: "Show what a study found",
		Example: `  ibid research show
  ibid research show 4f2a --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			study, err := a.study(cmd.Context(), first(append(args, "last")...))
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(study)
			}
			a.showStudy(study)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the study as it is kept")
	return cmd
}

func researchExportCmd(a *app) *cobra.Command {
	var to, style, locale, out string
	cmd := &cobra.Command{
		Use:   "export [STUDY] --to FORMAT",
		Short: "Write the dossier of a study",
		Long: `Formats: ` + strings.Join(dossier.Formats(), ", ") + `.
The sources are cited in an informal, academic (APA) or technical (IEEE) form,
or in any citation style by its name.`,
		Example: `  ibid research export last --to html -o dossier.html
  ibid research export last --to docx --style chicago-author-date -o dossier.docx`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(dossier.Formats(), to) {
				return usagef("--to %q: choose one of %s", to, strings.Join(dossier.Formats(), ", "))
			}
			study, err := a.study(cmd.Context(), first(append(args, "last")...))
			if err != nil {
				return err
			}
			form, named := dossier.FormOf(style)
			set, err := a.exportStyle(named, locale)
			if err != nil {
				return err
			}
			file, err := dossier.Write(study, to, form, set)
			if err != nil {
				return err
			}
			if out == "" && a.terminal && to == "docx" {
				return usagef("a docx file is not for the terminal: name a file with -o")
			}
			return a.writeOut(out, file.Body)
		},
	}
	f := cmd.Flags()
	f.StringVar(&to, "to", "markdown", "format: "+strings.Join(dossier.Formats(), ", "))
	f.StringVar(&style, "style", "informal", "informal, academic, technical, or a citation style (ibid styles lists them)")
	f.StringVar(&locale, "locale", "", "language of the style's words, as de-DE")
	f.StringVarP(&out, "output", "o", "", "write to this file")
	return cmd
}

func researchListCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List studies",
		Example: `  ibid research list
  ibid research list --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, err := a.store(cmd.Context())
			if err != nil {
				return err
			}
			studies, err := store.Studies(cmd.Context(), 50)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(studies)
			}
			if len(studies) == 0 {
				a.notice("no studies yet: ibid research start \"…\" begins one")
			}
			for _, s := range studies {
				state := "done"
				if !s.Done {
					state = fmt.Sprintf("%d of %d", len(s.Questions)-s.Open(), len(s.Questions))
				}
				a.line("        ", "%s  %s  %-8s  %s", shortID(s.ID), s.UpdatedAt.Local().Format("2006-01-02 15:04"), state, cell(shown(s.Topic), 100))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (a *app) researcher(ctx context.Context) (*workflow.Researcher, error) {
	t, err := a.thinker(ctx)
	if err != nil {
		return nil, err
	}
	rater, err := a.rater()
	if err != nil {
		return nil, err
	}
	return &workflow.Researcher{Asker: t.Asker, Planner: t.Planner, Studies: a.opened.store, NewID: func() string { return string(newAnswerID()) },
		Conflicts: conflict.New(attribute.Reader{}, conflict.Config{}), Quality: rater}, nil
}

// described reads ID=TYPE,CREDIBILITY.
func (a *app) described(ctx context.Context, s string) (dossier.Source, error) {
	id, what, _ := strings.Cut(s, "=")
	ids, err := a.sourceIDs(ctx, []string{id})
	if err != nil {
		return dossier.Source{}, err
	}
	src, err := a.opened.store.Source(ctx, ids[0])
	if err != nil {
		return dossier.Source{}, err
	}
	kind, rest, _ := strings.Cut(what, ",")
	given, err := dossier.ParseCredibility(strings.TrimSpace(rest))
	if err != nil {
		return dossier.Source{}, hint(&usageError{fmt.Errorf("--source %s: %w", s, err)}, "as --source %s=paper,high", shortID(id))
	}
	return dossier.Describe(src, strings.TrimSpace(kind), given), nil
}

// study finds a study by its id, the beginning of it, or "last".
func (a *app) study(ctx context.Context, id string) (dossier.Study, error) {
	store, err := a.store(ctx)
	if err != nil {
		return dossier.Study{}, err
	}
	if id == "last" {
		list, err := store.Studies(ctx, 1)
		if err != nil {
			return dossier.Study{}, err
		}
		if len(list) == 0 {
			return dossier.Study{}, hint(errors.New("there are no studies yet"), `ibid research start "…" begins one`)
		}
		return list[0], nil
	}
	s, err := store.Study(ctx, strings.ToLower(id))
	if errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrAmbiguous) {
		return s, hint(err, "ibid research list lists them")
	}
	return s, err
}

// work goes on with a study, showing one line per question, and the dossier's summary at the end.
func (a *app) work(ctx context.Context, r *workflow.Researcher, s dossier.Study, asJSON bool) error {
	p := a.paint()
	bar := a.progress("question")
	shownUpTo := 0
	line := func(q dossier.Question) {
		bar.clear()
		if !asJSON && q.Number > shownUpTo && q.State != dossier.Open {
			shownUpTo = q.Number
			fmt.Fprintln(a.out, p.wrapped("", plain, fmt.Sprintf("%2d %s %s", q.Number, stateSign(q), harmless(q.Text))))
		}
	}
	if !asJSON {
		fmt.Fprintln(a.out, p.in(dim, fmt.Sprintf("study %s · %s · %s", shortID(s.ID), s.Depth, count(len(s.Questions), "question", "questions"))))
	}
	for step, err := range r.Work(ctx, s) {
		if err != nil {
			bar.clear()
			if ctx.Err() != nil {
				a.notice("stopped: ibid research resume %s goes on where it stopped", shortID(s.ID))
			}
			return err
		}
		for _, q := range step.Study.Questions {
			if step.Question == 0 || q.Number < step.Question {
				line(q)
			}
		}
		s = step.Study
		if step.Question > 0 {
			bar.show(step.Question, len(s.Questions), 0, shown(s.Questions[step.Question-1].Text))
		}
	}
	bar.clear()
	if asJSON {
		set, err := a.exportStyle("", "")
		if err != nil {
			return err
		}
		file, err := dossier.Write(s, "json", "informal", set)
		if err != nil {
			return err
		}
		_, err = a.out.Write(file.Body)
		return err
	}
	fmt.Fprintln(a.out)
	a.summarise(s)
	if len(s.Sources) == 0 {
		page, err := a.opened.store.Sources(ctx, sqlite.SourceFilter{Collection: a.conf.Collection, Limit: 1})
		if err == nil && len(page) == 0 {
			a.noticeEmpty(ctx)
		}
	}
	return nil
}

func stateSign(q dossier.Question) string {
	switch q.State {
	case dossier.Answered:
		return "✓"
	case dossier.Failed:
		return "✕"
	case dossier.Unanswered:
		return "·"
	}
	return " "
}

// summarise prints the figures of a study and what to do next.
func (a *app) summarise(s dossier.Study) {
	p := a.paint()
	m := s.Measure()
	for _, e := range s.Summary() {
		fmt.Fprintln(a.out, p.wrapped("  ", plain, "• "+harmless(excerpt(e.Statement, 300))+" ← "+shown(saidBy(s, e))))
	}
	for _, c := range s.Contradictions[:min(5, len(s.Contradictions))] {
		fmt.Fprintln(a.out, p.wrapped("  ", red, "✕ "+harmless(c.Reason)+": "+shown(titleOf(s, c.A.Source))+" against "+shown(titleOf(s, c.B.Source))))
	}
	fmt.Fprintln(a.out, p.wrapped("", dim, fmt.Sprintf("%d of %d answered · %s from %s · confidence high %d, medium %d, low %d · %s",
		m.Answered, m.Questions, count(m.Statements, "statement", "statements"), count(m.Sources, "source", "sources"), m.High, m.Medium, m.Low, count(m.Contradictions, "contradiction", "contradictions"))))
	if !a.flags.quiet {
		fmt.Fprintf(a.out, "ibid research show %s    ibid research export %s --to html -o dossier.html\n", shortID(s.ID), shortID(s.ID))
	}
}

func titleOf(s dossier.Study, id ibid.SourceID) string {
	for _, src := range s.Sources {
		if src.Source.ID == id {
			return src.Source.Title()
		}
	}
	return string(id)
}

func saidBy(s dossier.Study, e dossier.Evidence) string {
	var out []string
	for _, p := range e.Places {
		if t := titleOf(s, p.Source); !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return strings.Join(out, "; ")
}

// showStudy prints what was found, question by question, each statement with its places and how to open it.
func (a *app) showStudy(s dossier.Study) {
	p := a.paint()
	fmt.Fprintln(a.out, p.wrapped("", bold, harmless(s.Topic)))
	for _, q := range s.Questions {
		fmt.Fprintf(a.out, "\n%s\n", p.wrapped("", bold, fmt.Sprintf("%d %s", q.Number, harmless(q.Text))))
		switch q.State {
		case dossier.Open:
			fmt.Fprintln(a.out, p.in(dim, "   not asked yet"))
		case dossier.Failed:
			fmt.Fprintln(a.out, p.wrapped("   ", red, harmless(q.Note)))
		case dossier.Unanswered:
			fmt.Fprintln(a.out, p.in(dim, "   nothing in the library answers this"))
		}
		for _, e := range q.Evidence {
			fmt.Fprintln(a.out, p.wrapped("   ", plain, harmless(e.Statement)))
			fmt.Fprintln(a.out, p.wrapped("     ", dim, fmt.Sprintf("%s · %s · %s · %s · ibid show %s %d", shown(saidBy(s, e)), e.Category, e.Validation, ibid.Strength(e.Confidence), shortID(string(q.Answer)), e.Segment)))
		}
	}
	fmt.Fprintln(a.out)
	a.summarise(s)
}
