package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/eval"
)

func evalCmd(a *app) *cobra.Command {
	var asJSON bool
	var errors, draws int
	var plot, strategy, task string
	cmd := &cobra.Command{
		Use:   "eval FILE...",
		Short: "Measure attribution on labelled answers",
		Long: `Eval judges labelled answers (.jsonl or .jsonl.gz, one answer a line) and
prints, per file and over all: segments, balanced accuracy, F1, false positives
and negatives at 0.5, AUROC, expected calibration error (raw, and with both
classes weighted equally), F1 of finding answers with something unsupported, F1
of unsupported characters, how often the best source and the best evidence are
right, and segments per second on one core.

A line:
{"id","answer","sources":[{"id","title","text"}],"segments":[{"start","end",
"label","source_ids","evidence":[{"source_id","start","end"}]}],"spans"?};
offsets are runes, a label is supported, partial, unsupported or contradicted.`,
		Example: `  ibid eval lfqa.dev.jsonl.gz wice.dev.jsonl.gz
  ibid eval --errors 20 --plot reliability.svg lfqa.dev.jsonl.gz
  ibid eval --json *.jsonl.gz > figures.json
  ibid eval --task conflict fm2.dev.jsonl.gz scifact.dev.jsonl.gz`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if errors < 0 || draws < 1 {
				return usagef("--errors and --draws count: give 0 or more errors, 1 or more draws")
			}
			if task == "conflict" {
				return a.evalConflict(cmd, args, asJSON, draws)
			} else if task != "support" {
				return usagef("--task %q: choose support or conflict", task)
			}
			engine, err := a.engine()
			if err != nil {
				return err
			}
			by, err := attribute.With(attribute.Strategy(strategy), engine)
			if err != nil {
				return &usageError{fmt.Errorf("--%w", err)}
			}
			r, err := eval.Measure(cmd.Context(), by, evalSets(a, cmd, args), eval.Options{
				Workers: runtime.GOMAXPROCS(0), Draws: draws, Errors: errors, Now: a.now,
			})
			if err != nil {
				return err
			}
			if plot != "" {
				var b bytes.Buffer
				if err := r.WriteSVG(&b); err != nil {
					return err
				}
				if err := os.WriteFile(plot, b.Bytes(), 0o644); err != nil {
					return fmt.Errorf("--plot: %w", err)
				}
			}
			if asJSON {
				return printJSON(a.out, r)
			}
			return r.WriteText(a.out)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&asJSON, "json", false, "print the figures as JSON, with their 95 % intervals")
	fl.IntVar(&errors, "errors", 0, "show this many of the worst mistakes, with the reasons")
	fl.IntVar(&draws, "draws", 1000, "how many times the answers are drawn anew for the intervals")
	fl.StringVar(&task, "task", "support", "what to measure: support, or conflict (what sources deny, told from all else)")
	fl.StringVar(&plot, "plot", "", "write the reliability diagram to this SVG file")
	fl.StringVar(&strategy, "strategy", string(attribute.Full), "markers, dual-pass, confidence, stream or full")
	return cmd
}

// evalSets names each file by its own name, without what all of them have.
func evalSets(a *app, cmd *cobra.Command, files []string) []eval.Set {
	var sets []eval.Set
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f), ".gz"), ".jsonl")
		sets = append(sets, eval.Set{Name: name, Open: func() (io.ReadCloser, error) {
			r, err := a.openFile(cmd.Context(), f)
			if err != nil {
				return nil, hint(err, "name a .jsonl or .jsonl.gz file, or - for standard input")
			}
			return r, nil
		}})
	}
	return sets
}
