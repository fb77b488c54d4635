package main

import (
	"context"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/eval"
)

// evalConflict measures how well what sources deny is told from all else. A set that the weights were learned from is
// judged by weights that saw nothing of it.
func (a *app) evalConflict(cmd *cobra.Command, files []string, asJSON bool, draws int) error {
	judge, err := a.conflictJudge()
	if err != nil {
		return err
	}
	by := func(set string) eval.Denier {
		family, _, _ := strings.Cut(set, ".")
		finder := conflict.New(attribute.Reader{Without: family}, conflict.Config{Judge: judge})
		return func(ctx context.Context, passages []ibid.Passage, claim string) (float64, int, error) {
			p, err := finder.Probability(ctx, passages, claim)
			if err != nil {
				return 0, 0, err
			}
			said := ibid.Passage{Chunk: ibid.Chunk{At: ibid.Anchor{Document: "claim", Span: ibid.Span{End: len(claim)}}, Text: claim}}
			found, err := finder.Claim(ctx, said, passages)
			return p, len(found), err
		}
	}
	r, err := eval.MeasureConflict(cmd.Context(), by, evalSets(a, cmd, files), eval.Options{Workers: runtime.GOMAXPROCS(0), Draws: draws})
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(a.out, r)
	}
	return r.WriteText(a.out)
}
