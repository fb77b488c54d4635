package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/eval"
	"github.com/ibid-dev/ibid/ingest"
)

// attributeFlags are the flags of ibid attribute.
type attributeFlags struct {
	answer   string
	sources  []string
	jsonl    bool
	json     bool
	html     bool
	explain  bool
	segment  int
	form     string
	strategy string
	unit     string
	debug    bool
}

func attributeCmd(a *app) *cobra.Command {
	var f attributeFlags
	cmd := &cobra.Command{
		Use:   "attribute --answer FILE --source FILE...",
		Short: "Say which words of an answer rest on which sentence of a source",
		Long: `Attribute reads an answer and the sources it may rest on, and says of every
sentence whether a source supports it, which sentence of which source that is,
which words have no support or are denied, and how sure that is. Markers and
citations in the answer ([CTX 1], [1], {{rag:…}} …) are what its writer claims:
they are checked.

The answer is plain text or Markdown, sources may be any file that ibid ingest
reads. "-" reads standard input. All files behind a --source, up to the next
flag, are sources, and [1] is the first of them.

With --jsonl it reads one answer a line from standard input, and writes a line
for each:
  {"id","question"?,"answer","sources":[{"id","title","text"}],
   "segments"?:[{"start","end"}]}
Where segments are given they are judged as they are; of what they share,
shares count each character once. A line that cannot be judged gives
{"id","error"}, the rest goes on, and the exit code is 1.

Strategies: markers (the model's word, unchecked), dual-pass, confidence,
stream, full (the default), or all, which compares them.`,
		Example: `  ibid attribute --answer answer.md --source cable.pdf letters.md
  ibid attribute --answer answer.md --source notes/*.md --json
  ibid attribute --answer - --source notes.txt --html > report.html
  ibid attribute --answer answer.md --source notes.txt --strategy all
  ibid attribute --jsonl < answers.jsonl > judged.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return hint(usagef("%q belongs to no flag", args[0]), "name sources right behind --source: --source a.md b.md")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.attribute(cmd, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.answer, "answer", "", "file that holds the answer")
	fl.StringArrayVar(&f.sources, "source", nil, "`files` that the answer may rest on; may be given several times")
	fl.BoolVar(&f.jsonl, "jsonl", false, "read answers from standard input, one a line, and write a line for each")
	fl.BoolVar(&f.json, "json", false, "print the result as JSON")
	fl.BoolVar(&f.html, "html", false, "print the report as one page of HTML that needs nothing else")
	fl.BoolVar(&f.explain, "explain", false, "show every feature, word and candidate of each segment")
	fl.IntVar(&f.segment, "segment", 0, "with --explain, only the segment of this number, from 1")
	fl.StringVar(&f.form, "form", "result", "of --json: result, enriched (EnrichedContent) or response (AttributedResponse)")
	fl.StringVar(&f.strategy, "strategy", string(attribute.Full), "markers, dual-pass, confidence, stream, full or all")
	fl.StringVar(&f.unit, "unit", string(eval.Runes), "what offsets count: byte, rune or utf16")
	fl.BoolVar(&f.debug, "debug", false, "in JSON, give the markers too, with their places in the raw answer")
	cmd.MarkFlagsMutuallyExclusive("jsonl", "answer")
	cmd.MarkFlagsMutuallyExclusive("jsonl", "source")
	cmd.MarkFlagsMutuallyExclusive("json", "html", "explain", "jsonl")
	return cmd
}

// sourcesApart gives each of the files behind a --source, as --source *.md has them, a flag of its own: the parser of flags would
// lose which of them stand before which. A flag ends them, so that what was meant for it, as in --html report.html, is no source.
func sourcesApart(args []string) []string {
	const flag = "--source"
	var out []string
	listing := false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return append(out, args[i:]...)
		case arg == flag && i+1 < len(args):
			i++
			out = append(out, arg, args[i])
			listing = true
			continue
		case strings.HasPrefix(arg, "-") && arg != "-":
			listing = strings.HasPrefix(arg, flag+"=")
		case listing:
			out = append(out, flag)
		}
		out = append(out, arg)
	}
	return out
}

func (a *app) attribute(cmd *cobra.Command, f attributeFlags) error {
	if err := eval.Unit(f.unit).Check(); err != nil {
		return usagef("--unit %s: give byte, rune or utf16", f.unit)
	}
	engine, err := a.engine()
	if err != nil {
		return err
	}
	if f.strategy == "all" {
		if f.jsonl || f.json || f.html || f.explain {
			return usagef("--strategy all compares in a table: leave --json, --html, --jsonl and --explain out")
		}
	} else if _, err := attribute.With(attribute.Strategy(f.strategy), engine); err != nil {
		return &usageError{fmt.Errorf("--%w", err)}
	}
	if f.jsonl {
		by, _ := attribute.With(attribute.Strategy(f.strategy), engine)
		return a.attributeLines(cmd.Context(), lineJudge{by, eval.Unit(f.unit), f.debug})
	}
	switch {
	case f.answer == "":
		return hint(usagef("no answer to attribute"), "name a file with --answer, or give lines with --jsonl")
	case f.segment != 0 && !f.explain:
		return usagef("--segment goes with --explain")
	case f.form != "result" && !f.json:
		return usagef("--form goes with --json")
	}
	line, err := a.readAnswer(cmd, f)
	if err != nil {
		return err
	}
	task, err := eval.Prepare(line.Line, eval.Unit(f.unit))
	if err != nil {
		return err
	}
	for i := range task.Passages {
		task.Passages[i].Chunk.Breaks = line.outlines[i]
	}
	if f.strategy == "all" {
		return a.compareStrategies(cmd.Context(), engine, task)
	}
	if f.explain {
		return a.explainSegments(cmd.Context(), engine, task, f.segment)
	}
	return a.report(cmd.Context(), engine, line.Line, task, f)
}

// answerFile is an answer with its sources as files gave them.
type answerFile struct {
	eval.Line
	outlines []ibid.Outline
}

func (a *app) readAnswer(cmd *cobra.Command, f attributeFlags) (answerFile, error) {
	b, err := a.readWhole(cmd, f.answer)
	if err != nil {
		return answerFile{}, err
	}
	text, warning, err := ingest.Text(b)
	if err != nil {
		return answerFile{}, hint(fmt.Errorf("%s: %w", inputName(f.answer), err), "an answer is plain text or Markdown")
	}
	if warning != "" {
		a.notice("%s: %s", inputName(f.answer), warning)
	}
	out := answerFile{Line: eval.Line{ID: filepath.Base(f.answer), Answer: text}}
	taken := map[string]int{}
	for _, name := range f.sources {
		if name == "-" && f.answer == "-" {
			return answerFile{}, usagef("standard input cannot be both the answer and a source")
		}
		b, err := a.readWhole(cmd, name)
		if err != nil {
			return answerFile{}, err
		}
		res, err := ingest.Read(cmd.Context(), b, ingest.Hint{Name: filepath.Base(inputName(name))})
		if err != nil {
			return answerFile{}, fmt.Errorf("%s: %w", inputName(name), err)
		}
		for _, w := range res.Warnings {
			a.notice("%s: %s", inputName(name), w)
		}
		if maybeBibliography(name, res.MediaType) && bibliography(res.Text) {
			a.noticeBibliography(name)
		}
		id := filepath.Base(name)
		if taken[id]++; taken[id] > 1 {
			id = fmt.Sprintf("%s (%d)", id, taken[id])
		}
		out.Sources = append(out.Sources, eval.Source{ID: id, Title: res.Reference.Title(), URL: res.Reference.URL(), Text: res.Text})
		out.outlines = append(out.outlines, res.Outline)
	}
	return out, nil
}

// report attributes one answer and shows what was found.
func (a *app) report(ctx context.Context, engine ibid.Attributor, line eval.Line, task eval.Task, f attributeFlags) error {
	by, err := attribute.With(attribute.Strategy(f.strategy), engine)
	if err != nil {
		return err
	}
	findings, err := task.Findings(ctx, by)
	if err != nil {
		return err
	}
	answer := answerOf(task, findings)
	switch {
	case f.html:
		return writeHTML(a.out, answer)
	case f.json:
		return a.printForm(line, task, findings, answer, f)
	}
	a.printAnswer(answer)
	return nil
}

func (a *app) printForm(line eval.Line, task eval.Task, findings []ibid.Finding, answer ibid.Answer, f attributeFlags) error {
	var form any
	switch f.form {
	case "result":
		res := eval.NewResult(line, task, findings, eval.Unit(f.unit))
		if f.debug {
			res.Markers = eval.Markers(line, task.Passages, eval.Unit(f.unit))
		}
		form = res
	case "enriched":
		form = attribute.Enrich(answer)
	case "response":
		debug := attribute.Strategy("")
		if f.debug {
			debug = attribute.Strategy(f.strategy)
		}
		form = attribute.Respond(answer, debug)
	default:
		return usagef("--form %s: give result, enriched or response", f.form)
	}
	return printJSON(a.out, form)
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// answerOf puts findings into the form of a recorded answer, with its citations numbered by first use.
func answerOf(task eval.Task, findings []ibid.Finding) ibid.Answer {
	answer := ibid.Answer{Text: task.Text, Passages: task.Passages}
	numbers := map[int]int{}
	for _, f := range findings {
		answer.Segments = append(answer.Segments, f.Segment)
		for _, at := range f.Attributions {
			if numbers[at.Ref] == 0 {
				numbers[at.Ref] = len(numbers) + 1
			}
			answer.Attributions = append(answer.Attributions, at)
			answer.Citations = addCitation(answer.Citations, task.Passages[at.Ref-1], at, numbers[at.Ref])
		}
	}
	return answer
}

func addCitation(all []ibid.Citation, p ibid.Passage, at ibid.Attribution, number int) []ibid.Citation {
	for i, c := range all {
		if c.At == at.To {
			all[i].Confidence = max(c.Confidence, at.Confidence)
			return all
		}
	}
	return append(all, ibid.Citation{
		Number: number, Key: string(p.Source.ID), Source: p.Source.ID, At: at.To, Quote: at.To.Span.In(p.Chunk.Text),
		Locator: p.Chunk.Locator(at.To.Span.Start), Confidence: at.Confidence,
	})
}

// printAnswer shows the report: the answer as prose with its signs, what it rests on, what it does not.
func (a *app) printAnswer(answer ibid.Answer) {
	p := newAnswerPrinter(a.paint(), a.out)
	p.text.WriteString(answer.Text)
	for _, s := range answer.Segments {
		p.segment(s, answer.Numbers(s))
	}
	p.flow.add(plain, harmless(strings.TrimRight(answer.Text[p.shown:], " \t\n")))
	fmt.Fprint(a.out, "\n\n")
	p.sources(answer)
	p.findings(answer)
	for _, s := range answer.Segments {
		for _, n := range dangling(s) {
			fmt.Fprintf(a.out, "  %q cites source %d, which does not exist\n", excerpt(harmless(s.At.In(answer.Text)), 60), n)
		}
	}
	fmt.Fprintln(a.out, p.paint.wrapped("", dim, shareLine(answer)))
}

func dangling(s ibid.Segment) []int {
	if s.Claimed == nil {
		return nil
	}
	return s.Claimed.Dangling
}

func shareLine(answer ibid.Answer) string {
	return join(" · ", sharesOf(answer), count(len(answer.Passages), "source", "sources")+" given")
}

// compareStrategies shows side by side what each strategy makes of the answer.
func (a *app) compareStrategies(ctx context.Context, engine ibid.Attributor, task eval.Task) error {
	var all [][]ibid.Finding
	fmt.Fprintf(a.out, "%-12s %5s %7s %5s %6s  %7s %7s %9s %7s\n", "strategy", "RAG", "HYBRID", "LLM", "NONE", "sources", "model", "citations", "time")
	for _, s := range attribute.Strategies() {
		by, err := attribute.With(s, engine)
		if err != nil {
			return err
		}
		begun := time.Now()
		findings, err := task.Findings(ctx, by)
		if err != nil {
			return err
		}
		took := time.Since(begun)
		all = append(all, findings)
		origins := map[ibid.Origin]int{}
		for _, f := range findings {
			origins[f.Segment.Origin]++
		}
		answer := answerOf(task, findings)
		shares := answer.Shares()
		fmt.Fprintf(a.out, "%-12s %5d %7d %5d %6d  %6.0f%% %6.0f%% %9d %7s\n", s, origins[ibid.RAG], origins[ibid.HYBRID], origins[ibid.LLM], origins[ibid.NONE],
			100*shares.Sources, 100*shares.Model, len(answer.Citations), took.Round(100*time.Microsecond))
	}
	return a.differences(task, all)
}

// differences lists the segments on which the strategies do not agree.
func (a *app) differences(task eval.Task, all [][]ibid.Finding) error {
	for i, d := range task.Drafts {
		said := map[ibid.Origin][]string{}
		for k, s := range attribute.Strategies() {
			o := all[k][i].Segment.Origin
			said[o] = append(said[o], string(s))
		}
		if len(said) < 2 {
			continue
		}
		fmt.Fprintf(a.out, "\n%d. %s\n", i+1, excerpt(harmless(d.Text), 100))
		for _, o := range []ibid.Origin{ibid.RAG, ibid.HYBRID, ibid.LLM, ibid.NONE} {
			if len(said[o]) > 0 {
				fmt.Fprintf(a.out, "   %-6s %s\n", o, strings.Join(said[o], ", "))
			}
		}
	}
	return nil
}
