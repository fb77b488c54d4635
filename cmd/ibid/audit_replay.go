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
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/workflow"
)

func auditReplayCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay RUN|ANSWER",
		Short: "Make the gate's decision again from the record",
		Long: `Take the claims and the version of the policy that the log holds, with the
recorded verdict withheld, and decide again. Says that the decision is the
same, or what differs: also where the record shows another verdict or other
claims than the log holds.

"last" is the latest answer. The exit code is 1 where something differs.`,
		Example: `  ibid audit replay 4f2a
  ibid audit replay last --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			j, err := a.judged(ctx, args[0])
			if err != nil {
				return err
			}
			d, policy, err := a.decision(ctx, j.subject, j.verdict)
			if err != nil {
				return err
			}
			differs, err := d.Replay(policy)
			if err != nil {
				return err
			}
			differs = append(differs, j.differs(d)...)
			if asJSON {
				if differs == nil {
					differs = []string{}
				}
				err = a.printJSON(map[string]any{"subject": d.Subject, "entry": j.verdict.Entry, "policy_version": d.Version, "same": len(differs) == 0, "differs": differs, "report": policy.Decide(d.Claims)})
			} else {
				a.printReplay(d, differs, *j.verdict.Entry)
			}
			if err == nil && len(differs) > 0 {
				err = exitCode(1)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (a *app) printReplay(d gate.Decision, differs []string, entry int64) {
	a.line("", "%s, decided %s by %s version %s · log entry %d", shown(d.Subject), d.At.Local().Format("2006-01-02 15:04:05"), policyName(d.Policy), d.Version, entry)
	if len(differs) == 0 {
		a.line("", "same: %s, %s", d.Report.Summary(), d.Done)
		return
	}
	for _, line := range differs {
		fmt.Fprintln(a.out, a.paint().wrapped("  ", red, "differs: "+harmless(line)))
	}
}

// judged is a run or an answer as the record has it.
type judged struct {
	subject string
	verdict *ibid.Verdict
	claims  []gate.Claim
}

// differs says where the record is not what the log holds: what people are shown must be what was decided on.
func (j judged) differs(d gate.Decision) []string {
	var out []string
	if string(d.Done) != j.verdict.Outcome {
		out = append(out, fmt.Sprintf("outcome: the log has %s, the record %s", d.Done, j.verdict.Outcome))
	}
	repaired := d.Done == gate.Repair
	if !repaired && (j.verdict.Coverage != d.Report.Coverage || j.verdict.Pass != d.Report.Compliant && d.Done == d.Report.Outcome) {
		out = append(out, fmt.Sprintf("verdict: the log has coverage %.4f and pass %t, the record %.4f and %t", d.Report.Coverage, d.Report.Compliant, j.verdict.Coverage, j.verdict.Pass))
	}
	// A refused answer is kept without its text, a repaired one with another: those have nothing to compare.
	if whole := strings.HasPrefix(j.subject, "run ") || !repaired && d.Done != gate.Block; whole && !slices.Equal(j.claims, d.Claims) {
		out = append(out, fmt.Sprintf("claims: the record has %d, which are not the %d that the log has", len(j.claims), len(d.Claims)))
	}
	return out
}

// judged finds a run or an answer and the verdict on it.
func (a *app) judged(ctx context.Context, id string) (judged, error) {
	store, err := a.record(ctx)
	if err != nil {
		return judged{}, err
	}
	run, err := store.Run(ctx, ibid.RunID(id))
	if err == nil && string(run.ID) != id { // a shortened id may be an answer's as well, and "last" is one
		if answer, err := a.answer(ctx, store, id); err == nil {
			if id != "last" {
				return judged{}, fmt.Errorf("%q fits run %s and answer %s: give more of it: %w", id, run.ID, answer.ID, ibid.ErrAmbiguous)
			}
			return judged{"answer " + string(answer.ID), answer.Verdict, gate.OfAnswer(answer)}, nil
		}
	}
	if err == nil {
		if run.Verdict == nil {
			return judged{}, hint(fmt.Errorf("run %s is not finished: nothing was decided", run.ID), "ibid run finish %s", run.ID)
		}
		return judged{"run " + string(run.ID), run.Verdict, gate.OfRun(run)}, nil
	}
	if !errors.Is(err, ibid.ErrNotFound) {
		return judged{}, err
	}
	answer, err := a.answer(ctx, store, id)
	if err != nil {
		return judged{}, err
	}
	return judged{"answer " + string(answer.ID), answer.Verdict, gate.OfAnswer(answer)}, nil
}

// decision reads from the log what was decided on, and the policy by its version.
func (a *app) decision(ctx context.Context, subject string, v *ibid.Verdict) (gate.Decision, gate.Policy, error) {
	var d gate.Decision
	if v == nil || v.Entry == nil {
		return d, gate.Policy{}, fmt.Errorf("%s: the gate did not look at it, so there is no decision to make again", subject)
	}
	data, err := a.opened.log.Payload(ctx, *v.Entry)
	if err != nil {
		return d, gate.Policy{}, err
	}
	if err := json.Unmarshal(data, &d); err != nil || d.Subject != subject {
		return d, gate.Policy{}, hint(fmt.Errorf("%s: log entry %d is not the decision on it", subject, *v.Entry), "ibid audit verify says whether the log is whole")
	}
	p, err := a.opened.store.Policy(ctx, d.Version)
	if errors.Is(err, ibid.ErrNotFound) {
		p, err = a.loggedPolicy(ctx, d.Version)
	}
	return d, p, err
}

// loggedPolicy finds a policy in the log itself.
func (a *app) loggedPolicy(ctx context.Context, version string) (gate.Policy, error) {
	for e, err := range a.opened.log.Entries(ctx, 0) {
		if err != nil {
			return gate.Policy{}, err
		}
		var p gate.Policy
		if e.Kind == workflow.EntryPolicy && json.Unmarshal(e.Data, &p) == nil && p.Version() == version {
			return p, nil
		}
	}
	return gate.Policy{}, fmt.Errorf("policy version %s is neither in the store nor in the log: %w", version, ibid.ErrNotFound)
}
