package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/workflow"
)

// defaultPolicy is what answers and runs are held against where no policy is named: all goes out, and the record says how
// it stands.
const defaultPolicy = "development"

// policy reads a policy: a preset by its name, or a file.
func (a *app) policy(name, environment string) (gate.Policy, error) {
	if slices.Contains(gate.Presets(), name) {
		if environment != "" {
			return gate.Policy{}, hint(usagef("environment %q: the policy %s is built in and has none", environment, name), "leave it out, or name a file that has environments")
		}
		return gate.Preset(name)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		err = usagef("policy: %w", err)
		if !strings.ContainsAny(name, "./\\") {
			err = usagef("there is no policy %q", name)
		}
		return gate.Policy{}, hint(err, "choose one of %s, or name a file that you may read", strings.Join(gate.Presets(), ", "))
	}
	p, err := gate.Parse(b, environment)
	if err != nil {
		return p, hint(&usageError{fmt.Errorf("%s: %w", name, err)}, "ibid gate show production shows one")
	}
	return p, nil
}

// gate wires the gate by the named policy, the configured one, or the one that lets all out.
func (a *app) gate(ctx context.Context, name, environment string) (workflow.Gate, error) {
	if name == "" {
		name = first(a.conf.Gate.Policy, defaultPolicy)
		environment = first(environment, a.conf.Gate.Environment)
	}
	p, err := a.policy(name, environment)
	if err != nil {
		return workflow.Gate{}, err
	}
	store, err := a.store(ctx)
	if err != nil {
		return workflow.Gate{}, err
	}
	return workflow.Gate{Policy: &p, Book: workflow.Pages(store.Update)}, nil
}

// policyName is a policy's name for people.
func policyName(name string) string { return first(shown(name), "a policy without a name") }

// decided says in a line what the gate did and which entries of the log hold it. Where no policy was asked for, the gate
// is not spoken of.
func decided(v *ibid.Verdict, entry *int64) string {
	said := ""
	if v != nil && !isDefault(v.Policy) {
		said = "gate: " + outcomeInWords(v)
	}
	if entry != nil {
		return join(" · ", said, fmt.Sprintf("log entry %d", *entry))
	}
	return said
}

func isDefault(version string) bool {
	p, err := gate.Preset(defaultPolicy)
	return err == nil && p.Version() == version
}

// outcomeInWords says what was done and why.
func outcomeInWords(v *ibid.Verdict) string {
	if len(v.Reasons) == 0 || v.Outcome == string(gate.Pass) {
		return outcome(v)
	}
	return outcome(v) + ": " + harmless(v.Reasons[0])
}

func outcome(v *ibid.Verdict) string {
	switch gate.Outcome(v.Outcome) {
	case gate.Pass:
		return "passed"
	case gate.Warn:
		return "let out with a warning"
	case gate.Flag:
		return "flagged for review"
	case gate.Repair:
		return "repaired"
	case gate.Block:
		return "refused"
	}
	return v.Outcome
}

// refusedCode is the exit code of what the gate refused. All that is to be said of it was said.
const refusedCode = exitCode(3)
