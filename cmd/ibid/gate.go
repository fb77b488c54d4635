package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid/gate"
)

func gateCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "Policies: what must have a source before it goes out",
		Long: `A policy says which claims must have a source, how strong the link must be, and
what is done where one is missing: warn, flag for review, repair, or block. It
can differ by environment and by kind of claim: number, quote, name, absence,
opinion, statement.

Policies are files in TOML or JSON. Their version is the hash of what they say.

The gate says where claims come from. It does not say whether they are true.`,
		Example: `  ibid gate presets
  ibid gate show newsroom.toml --environment print
  ibid gate test newsroom.toml cases.jsonl
  ibid ask --policy newsroom.toml "Who paid for it?"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(gatePresetsCmd(a), gateShowCmd(a), gateTestCmd(a))
	return cmd
}

func gatePresetsCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "presets", Short: "List the built-in policies", Args: cobra.NoArgs, Example: "  ibid gate presets",
		RunE: func(*cobra.Command, []string) error {
			var all []gate.Policy
			for _, name := range gate.Presets() {
				p, err := gate.Preset(name)
				if err != nil {
					return err
				}
				all = append(all, p)
			}
			if asJSON {
				return a.printJSON(all)
			}
			var rows [][]string
			for _, p := range all {
				rows = append(rows, []string{p.Name, p.Version(), policyInWords(p)})
			}
			a.printRows(rows)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func policyInWords(p gate.Policy) string {
	if p.Off {
		return "looks at nothing"
	}
	of := ""
	if p.PerAgent {
		of = ", each agent by itself"
	}
	return fmt.Sprintf("%s of claims with a source%s, else %s", percentOf(p.Default.Threshold), of, p.Default.Outcome)
}

func percentOf(share float64) string { return fmt.Sprintf("%.4g %%", share*100) }

func gateShowCmd(a *app) *cobra.Command {
	var environment string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show POLICY", Short: "Show what a policy asks for, with its version", Args: cobra.ExactArgs(1),
		Long: `Show a policy as it is in force: a built-in one by its name, or a file in one
of its environments.`,
		Example: "  ibid gate show regulated\n  ibid gate show newsroom.toml --environment draft",
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := a.policy(args[0], environment)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(struct {
					Version string      `json:"version"`
					Policy  gate.Policy `json:"policy"`
				}{p.Version(), p})
			}
			fmt.Fprintf(a.out, "%s\nversion %s\n", join(" · ", policyName(p.Name), shown(p.Environment)), p.Version())
			if p.Off {
				fmt.Fprintln(a.out, "looks at nothing")
				return nil
			}
			w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
			fmt.Fprintln(w, "claims\tthreshold\tat least\telse")
			row := func(name string, r gate.Rule) {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, percentOf(r.Threshold), atLeast(r), r.Outcome)
			}
			for _, k := range []gate.Kind{gate.Number, gate.Quote, gate.Name, gate.Absence, gate.Opinion, gate.Statement} {
				if r, ok := p.Kinds[k]; ok {
					row(string(k), r)
				}
			}
			name := "all"
			if len(p.Kinds) > 0 {
				name = "all others"
			}
			row(name, p.Default)
			if err := w.Flush(); err != nil {
				return err
			}
			fmt.Fprintf(a.out, "held back until decided: %s\nrepair: %s\n", p.Hold, p.Mend)
			if p.PerAgent {
				fmt.Fprintln(a.out, "each agent must pass by itself")
			}
			if p.Everything {
				fmt.Fprintln(a.out, "headings, questions and code that state a number, quote or name need a source, too")
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&environment, "environment", "", "of the file's environments")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func atLeast(r gate.Rule) string {
	if r.Trust == 0 {
		return "any link"
	}
	return r.Trust.String()
}

func gateTestCmd(a *app) *cobra.Command {
	var environment string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "test POLICY CASES", Short: "Test a policy by examples", Args: cobra.ExactArgs(2),
		Long: `Decide on each case of a file and compare with what it wants. A case is a line
of JSON:

  {"name": "a bare number", "claims": [{"text": "It took 3 weeks."}],
   "want": {"outcome": "block", "coverage": 0, "uncited": ["It took 3 weeks."]}}

(on one line). A claim with a "trust" has a source linked that way: marker,
judged, quote, provider, tool. One with "exempt" needs none. Coverage and
uncited may be left out. "-" reads the cases from standard input. The exit code
is 1 where a case comes out otherwise.`,
		Example: "  ibid gate test newsroom.toml cases.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := a.policy(args[0], environment)
			if err != nil {
				return err
			}
			f, err := a.openFile(cmd.Context(), args[1])
			if err != nil {
				return hint(usagef("cases: %w", err), "name a file of cases that you may read, or - for standard input; ibid gate test --help shows a case")
			}
			defer f.Close()
			cases, err := gate.ReadCases(f)
			if err != nil {
				return hint(&usageError{fmt.Errorf("%s: %w", inputName(args[1]), err)}, "each case is a line of JSON: ibid gate test --help shows one")
			}
			found := caseResults{Policy: p.Name, Version: p.Version(), Cases: len(cases), Failed: []caseResult{}}
			for _, c := range cases {
				if differs := p.Test(c); len(differs) > 0 {
					found.Failed = append(found.Failed, caseResult{c.Line, c.Name, differs})
				}
			}
			if asJSON {
				err = a.printJSON(found)
			} else {
				a.printCases(args[1], found)
			}
			if err == nil && len(found.Failed) > 0 {
				err = exitCode(1)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&environment, "environment", "", "of the file's environments")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// caseResults is what a policy made of its cases.
type caseResults struct {
	Policy  string       `json:"policy"`
	Version string       `json:"policy_version"`
	Cases   int          `json:"cases"`
	Failed  []caseResult `json:"failed"`
}

// caseResult is a case that came out otherwise than it wants.
type caseResult struct {
	Line    int      `json:"line"`
	Name    string   `json:"name"`
	Differs []string `json:"differs"`
}

func (a *app) printCases(file string, found caseResults) {
	for _, c := range found.Failed {
		for _, d := range c.Differs {
			fmt.Fprintf(a.out, "%s:%d: %s: %s\n", file, c.Line, harmless(c.Name), harmless(d))
		}
	}
	fmt.Fprintf(a.out, "%s of %d as wanted, by %s version %s\n", count(found.Cases-len(found.Failed), "case", "cases"), found.Cases, policyName(found.Policy), found.Version)
}
