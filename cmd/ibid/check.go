package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/ibid-dev/ibid/cite"
)

type checkFlags struct {
	json, library, lookup, noClaim bool
	least                          float64
	style                          string
}

func checkCmd(a *app) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Validate and score citations",
		Long: `Check reads one citation, a list of them, or maps of claims to citations, and
says of each whether it is valid, what would make it better, and how far it can
be relied on: its own confidence (40 %), metadata (30 %), source (20 %),
location (10 %). Identifiers, names and dates are checked too. "-" reads
standard input.

A snippet is looked for in its source where the source is a file, beside
FILE.json or in this folder; with --library also in what was ingested; and its
page is given. With --lookup, DOIs and addresses are tried on the network.

With --style the citations are printed in one of three short styles, which need
no more than a citation holds. For a journal's own style see ibid cite.

A file of references (BibTeX, RIS, CSL-JSON …) is checked too: identifiers,
names, dates, and records of the same work.

It ends with code 1 where something is not valid.`,
		Example: `  ibid check citations.json
  ibid check --json --min-confidence 0.8 maps.json
  ibid check library.bib`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !(f.least >= 0 && f.least <= 1) {
				return usagef("--min-confidence %v: give a number from 0 to 1", f.least)
			}
			b, err := a.readWhole(cmd, args[0])
			if err != nil {
				return err
			}
			if isReferences(b) && f.style != "" {
				return hint(usagef("--style is for citations, and %s holds references", inputName(args[0])), "ibid cite --style %s %s writes them in a style", typed(f.style), typed(args[0]))
			}
			if isReferences(b) {
				return a.checkReferences(inputName(args[0]), b, f.json)
			}
			in, err := cite.ReadInput(b)
			if err != nil {
				return hint(fmt.Errorf("%s: %w", inputName(args[0]), err), `a citation looks like {"source": "https://…", "confidence": 0.8}`)
			}
			if cmd.Flags().Changed("min-confidence") {
				in = cite.FilterInput(in, f.least)
			}
			if f.style != "" {
				return a.formatCitations(in, f)
			}
			desk := &sourceDesk{app: a, folder: filepath.Dir(args[0]), flags: f}
			return a.check(cmd.Context(), in, desk, f.json)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print the reports as JSON")
	flags.Float64Var(&f.least, "min-confidence", 0, "leave out citations whose own confidence is below this")
	flags.StringVar(&f.style, "style", "", "print the citations in a short style instead: apa, mla or chicago")
	flags.BoolVar(&f.noClaim, "no-claim", false, "with --style: leave the claims of maps out")
	flags.BoolVar(&f.library, "library", false, "look for snippets in the library too")
	flags.BoolVar(&f.lookup, "lookup", false, "try DOIs and addresses on the network")
	return cmd
}

// formatCitations prints citations and maps in a short style.
func (a *app) formatCitations(in cite.Input, f checkFlags) error {
	lines := []string{}
	for _, item := range in.Items {
		var s string
		var err error
		if item.Map != nil {
			s, err = cite.FormatMap(*item.Map, cite.Style(f.style), !f.noClaim)
		} else {
			s, err = cite.Format(*item.Citation, cite.Style(f.style))
		}
		if err != nil {
			return &usageError{err}
		}
		lines = append(lines, s)
	}
	if f.json {
		if !in.List && len(lines) == 1 {
			return a.printJSON(lines[0])
		}
		return a.printJSON(lines)
	}
	for _, s := range lines {
		fmt.Fprintln(a.out, harmless(s))
	}
	return nil
}

// largestInput bounds what is read into memory at once.
const largestInput = 256 << 20

// readWhole reads a named file, or standard input for "-".
func (a *app) readWhole(cmd *cobra.Command, name string) ([]byte, error) {
	r, err := a.openFile(cmd.Context(), name)
	if err != nil {
		if os.IsNotExist(err) {
			return nil, hint(err, "name a file, or - for standard input")
		}
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, largestInput+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(name), err)
	}
	if len(b) > largestInput {
		return nil, fmt.Errorf("%s: larger than %d MB", inputName(name), largestInput>>20)
	}
	return b, nil
}

// readLines reads a file that people hand on, of lines and no longer one of ours: a shell or a mail may have put a byte-order mark
// before it, made UTF-16 of it, or ended its lines as Windows does.
func (a *app) readLines(cmd *cobra.Command, name string) ([]byte, error) {
	b, err := a.readWhole(cmd, name)
	if err != nil {
		return nil, err
	}
	b, _, err = transform.Bytes(unicode.BOMOverride(transform.Nop), b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(name), err)
	}
	return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), nil
}

func (a *app) check(ctx context.Context, in cite.Input, desk *sourceDesk, asJSON bool) error {
	reports := cite.CheckAll(in, a.now().Year())
	valid := true
	for i, item := range in.Items {
		if err := desk.examine(ctx, item, &reports[i]); err != nil {
			return err
		}
		valid = valid && reports[i].Valid
	}
	if asJSON {
		if err := a.printReports(in, reports); err != nil {
			return err
		}
	} else {
		for i, item := range in.Items {
			a.explain(fmt.Sprintf("%d. ", i+1), item, reports[i])
		}
		if len(in.Items) == 0 {
			a.notice("no citations")
		}
	}
	if !valid {
		return exitCode(1)
	}
	return nil
}

// printReports prints one report for one item and a list for a list, as the input was.
func (a *app) printReports(in cite.Input, reports []cite.Report) error {
	e := json.NewEncoder(a.out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if !in.List && len(reports) == 1 {
		return e.Encode(reports[0])
	}
	return e.Encode(reports)
}

// explain says in words what a report says.
func (a *app) explain(lead string, item cite.Item, r cite.Report) {
	name, scores := "", ""
	pad := strings.Repeat(" ", len(lead))
	switch s := r.Scores.(type) {
	case cite.Scores:
		name = item.Citation.Source
		scores = fmt.Sprintf("confidence %.3f = 0.4 × base %.2f + 0.3 × metadata %.2f + 0.2 × source %.2f + 0.1 × location %.2f",
			s.Overall, s.Base, s.Metadata, s.Source, s.Location)
	case cite.MapScores:
		name = item.Map.ClaimText
		scores = fmt.Sprintf("confidence %.3f of %d citations: mean %.3f, from %.3f to %.3f, strength %.2f",
			s.Overall, s.Count, s.Average, s.Min, s.Max, s.Strength)
	}
	if name == "" {
		name = "(no source)"
	}
	word := "valid"
	if !r.Valid {
		word = "not valid"
	}
	below := pad + "  "
	a.line(below, "%s%s: %s", lead, oneLine(harmless(name)), word)
	a.line(below, "%s%s", pad, scores)
	if item.Citation != nil {
		for _, e := range r.Errors {
			a.line(below, "%serror: %s", pad, e)
		}
		for _, h := range r.Recommendations {
			a.line(below, "%srecommended: %s", pad, h)
		}
	} else {
		for _, e := range r.Errors {
			if !strings.HasPrefix(e, "Citation ") { // those stand with their citation below
				a.line(below, "%serror: %s", pad, e)
			}
		}
	}
	for _, f := range r.Findings {
		a.line(below, "%slook at: %s", pad, harmless(f))
	}
	if q := r.Quote; q != nil && q.Found {
		fmt.Fprintf(a.out, "%squote: stands in the source%s\n", pad, after(", ", q.Locator))
	} else if q != nil {
		fmt.Fprintf(a.out, "%squote: does not stand in the source\n", pad)
	}
	for i, c := range r.Citations {
		a.explain(fmt.Sprintf("%s%d. ", pad, i+1), cite.Item{Citation: &item.Map.Citations[i]}, c)
	}
}

// after puts a separator before a text that there is.
func after(sep, s string) string {
	if s == "" {
		return ""
	}
	return sep + harmless(s)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
