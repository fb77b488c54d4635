// Package gate decides whether an answer or a run may go out: whether the claims that need a source have one, of the rung
// of trust that a policy asks for. It says where claims come from and never whether they are true.
//
//	policy, _ := gate.Preset("production")
//	report := policy.Decide(gate.OfAnswer(answer))
//	fmt.Println(report.Summary()) // Coverage: 2/3 | Compliant: false
//	err := report.Err()           // Attribution coverage 66.67% below threshold 100%
//
// A decision is a pure function of the claims and the policy: made again from the record a year later it is the same.
package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

// Claim is what the gate looks at: words, and how they are linked to a source.
type Claim struct {
	Text   string     `json:"text"`
	Agent  string     `json:"agent,omitempty"`
	Source string     `json:"source,omitempty"` // what it rests on; empty where it has none
	Trust  ibid.Trust `json:"trust"`            // how the link came to be
	Exempt string     `json:"exempt,omitempty"` // why it needs no source; empty where it needs one
	At     ibid.Span  `json:"at,omitzero"`      // into the answer's text
}

// Report is what the gate found. Its names are those of the attribution pipeline that people know.
type Report struct {
	Total    int      `json:"total_claims"`
	Required int      `json:"required_claims"` // those that need a source
	Cited    int      `json:"cited_claims"`    // of them, those that have one
	Exempt   int      `json:"exempt_claims"`   // counted apart, never as cited
	Uncited  []string `json:"uncited_claims"`
	// Coverage is cited / required, 1 where nothing is required.
	Coverage  float64      `json:"coverage_score"`
	Threshold float64      `json:"threshold"`
	Compliant bool         `json:"is_compliant"`
	Outcome   Outcome      `json:"outcome"`
	Reasons   []string     `json:"reasons,omitempty"`
	Rungs     []Rung       `json:"rungs,omitempty"`
	Kinds     []KindReport `json:"kinds,omitempty"`
	Agents    []Part       `json:"agents,omitempty"` // where the policy looks at each agent by itself
	Policy    string       `json:"policy_version,omitempty"`
	// Uncovered are the places in the list of claims of those that fail a rule. Where the outcome is to repair they are those to
	// be repaired, without those that fail no more than a warning.
	Uncovered []int `json:"uncovered,omitempty"`
}

// Rung is how many of the required claims stand on a rung of the ladder of trust.
type Rung struct {
	Trust    ibid.Trust `json:"trust"`
	Claims   int        `json:"claims"`   // on this rung
	Coverage float64    `json:"coverage"` // share on this rung or a higher one
}

// Part is the coverage of some of the claims.
type Part struct {
	Name      string  `json:"name"`
	Required  int     `json:"required_claims"`
	Cited     int     `json:"cited_claims"`
	Coverage  float64 `json:"coverage_score"`
	Threshold float64 `json:"threshold"`
	Compliant bool    `json:"is_compliant"`
}

// KindReport is the coverage of the claims of one kind.
type KindReport struct {
	Kind Kind `json:"kind"`
	Part Part `json:"part"`
}

// Summary is the report in a line.
func (r Report) Summary() string {
	return fmt.Sprintf("Coverage: %d/%d | Compliant: %t", r.Cited, r.Required, r.Compliant)
}

// Err is a *RefusedError where the outcome is to block, else nil.
func (r Report) Err() error {
	if r.Outcome != Block {
		return nil
	}
	return &RefusedError{Report: r}
}

// RefusedError says that the gate lets something not out.
type RefusedError struct{ Report Report }

func (e *RefusedError) Error() string {
	if len(e.Report.Reasons) == 0 {
		return "refused by the gate"
	}
	return e.Report.Reasons[0]
}

// Verdict is the report as it stands on an answer or a run. Spans are those of the claims that were looked at.
func (r Report) Verdict(claims []Claim) ibid.Verdict {
	v := ibid.Verdict{Pass: r.Compliant, Coverage: r.Coverage, Threshold: r.Threshold, Outcome: string(r.Outcome), Reasons: r.Reasons, Policy: r.Policy}
	for _, i := range r.Uncovered {
		if !claims[i].At.Empty() {
			v.Uncovered = append(v.Uncovered, claims[i].At)
		}
	}
	return v
}

// group is a set of claims that one rule speaks of: those of a kind with a rule of its own, or those of a kind without; by
// agent where the policy says so. A claim of several kinds is in several groups, so that a lax rule for one kind, as opinions,
// does not let out what is of another as well.
type group struct {
	kind  Kind // "" for all kinds without a rule
	agent string
}

type count struct{ required, cited int }

func (c count) coverage() float64 {
	if c.required == 0 {
		return 1
	}
	return float64(c.cited) / float64(c.required)
}

// Decide looks at all claims of an answer or a run. A policy that is off looks at nothing.
func (p Policy) Decide(claims []Claim) Report {
	if p.Off {
		return Report{Coverage: 1, Compliant: true, Outcome: Pass}
	}
	r := Report{Total: len(claims), Uncited: []string{}, Threshold: p.Default.Threshold, Policy: p.Version()}
	t := p.tally()
	for _, c := range claims {
		t.add(c)
	}
	r.Outcome, r.Reasons = t.outcome()
	r.Compliant = r.Outcome == Pass
	least := Pass
	if r.Outcome == Repair {
		least = Flag // nobody is asked to look at what was repaired, so what waits for that is taken out, too
	}
	var rungs [int(ibid.ToolBoundary) + 1]int
	for i, c := range claims {
		if p.exempts(c) {
			r.Exempt++
			continue
		}
		r.Required++
		rungs[max(0, min(c.rung(), ibid.ToolBoundary))]++
		if v := t.views[i]; v.covered {
			r.Cited++
		} else {
			r.Uncited = append(r.Uncited, c.Text)
			if t.failsBy(v, least) {
				r.Uncovered = append(r.Uncovered, i)
			}
		}
	}
	r.Coverage = count{r.Required, r.Cited}.coverage()
	r.Rungs = ladder(rungs[:], r.Required)
	r.Kinds, r.Agents = t.kinds(), t.agents()
	return r
}

// exempts reports whether a claim needs no source. Where the policy looks at everything, what makes no claim by its form needs one
// where it states a number, quotes or names: a heading can say what a sentence may not.
func (p Policy) exempts(c Claim) bool {
	if !p.Everything || c.Exempt != NoClaim {
		return c.Exempt != ""
	}
	return !slices.ContainsFunc(KindsOf(c.Text), func(k Kind) bool { return k == Number || k == Quote || k == Name })
}

// rung is the trust of the link, Unlinked where there is no source whatever the trust says.
func (c Claim) rung() ibid.Trust {
	if strings.TrimSpace(c.Source) == "" {
		return ibid.Unlinked
	}
	return c.Trust
}

func ladder(rungs []int, required int) []Rung {
	var out []Rung
	above := 0
	for t := len(rungs) - 1; t > 0; t-- {
		above += rungs[t]
		if rungs[t] > 0 {
			out = append(out, Rung{ibid.Trust(t), rungs[t], count{required, above}.coverage()})
		}
	}
	return out
}

// tally counts claims by the rules that speak of them, one claim after the other.
type tally struct {
	policy Policy
	counts map[group]count
	byKind map[Kind]count // of all kinds, with a rule or without
	views  []view
}

// view is how the policy sees a claim: whether its link is enough for every rule that speaks of it. One that is counts for all of
// them, one that is not for those alone that it fails: so that what is taken out was cited nowhere, and the rest stands as it did.
type view struct {
	covered bool
	groups  []group // that it counts for
}

func (p Policy) tally() *tally {
	return &tally{policy: p, counts: map[group]count{}, byKind: map[Kind]count{}}
}

func (t *tally) add(c Claim) view {
	if t.policy.exempts(c) {
		t.views = append(t.views, view{}) // it counts for no rule
		return view{}
	}
	agent := ""
	if t.policy.PerAgent {
		agent = c.Agent
	}
	var all, missed []group
	for _, k := range KindsOf(c.Text) {
		g := group{"", agent} // a kind without a rule of its own is judged by the default
		if _, ok := t.policy.Kinds[k]; ok {
			g.kind = k
		}
		reached := c.rung() >= max(ibid.Marked, t.rule(g).Trust)
		t.byKind[k] = t.byKind[k].with(reached)
		if slices.Contains(all, g) {
			continue
		}
		all = append(all, g)
		if !reached {
			missed = append(missed, g)
		}
	}
	v := view{covered: missed == nil, groups: all}
	if !v.covered {
		v.groups = missed
	}
	for _, g := range v.groups {
		t.counts[g] = t.counts[g].with(v.covered)
	}
	t.views = append(t.views, v)
	return v
}

func (c count) with(cited bool) count {
	c.required++
	if cited {
		c.cited++
	}
	return c
}

func (t *tally) rule(g group) Rule {
	if g.kind == "" {
		return t.policy.Default
	}
	return t.policy.Kinds[g.kind]
}

func (t *tally) fails(g group) bool { return t.counts[g].coverage() < t.rule(g).Threshold }

// failsBy reports whether a claim counts for a rule that fails, of this outcome or a stronger one.
func (t *tally) failsBy(v view, least Outcome) bool {
	return slices.ContainsFunc(v.groups, func(g group) bool { return t.fails(g) && stronger(least, t.rule(g).Outcome) == t.rule(g).Outcome })
}

// outcome is the strongest of what the failing rules ask for, with the reasons in a fixed order.
func (t *tally) outcome() (Outcome, []string) {
	out := Pass
	var reasons []string
	for _, g := range t.sorted() {
		if !t.fails(g) {
			continue
		}
		rule := t.rule(g)
		out = stronger(out, rule.Outcome)
		reasons = append(reasons, shortfall(g, t.counts[g].coverage(), rule.Threshold))
	}
	return out, reasons
}

func (t *tally) sorted() []group {
	var all []group
	for g := range t.counts {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b group) int { // the rest, which is no kind, first
		return cmp.Or(slices.Index(allKinds, a.kind)-slices.Index(allKinds, b.kind), cmp.Compare(a.agent, b.agent))
	})
	return all
}

func (t *tally) kinds() []KindReport {
	var out []KindReport
	for _, k := range allKinds {
		c, ok := t.byKind[k]
		if !ok {
			continue
		}
		rule, ok := t.policy.Kinds[k]
		if !ok {
			rule = t.policy.Default
		}
		out = append(out, KindReport{k, part(string(k), c, rule.Threshold)})
	}
	return out
}

func (t *tally) agents() []Part {
	if !t.policy.PerAgent {
		return nil
	}
	byAgent := map[string]Part{}
	var names []string
	for _, g := range t.sorted() {
		p, ok := byAgent[g.agent]
		if !ok {
			names = append(names, g.agent)
			p = Part{Name: g.agent, Threshold: t.policy.Default.Threshold, Compliant: true}
		}
		p.Compliant = p.Compliant && !t.fails(g)
		byAgent[g.agent] = p
	}
	slices.Sort(names)
	var out []Part
	for _, n := range names {
		p := byAgent[n]
		c := t.agentCount(n)
		p.Required, p.Cited, p.Coverage = c.required, c.cited, c.coverage()
		out = append(out, p)
	}
	return out
}

// agentCount counts each claim of an agent once, though several rules may speak of it.
func (t *tally) agentCount(agent string) count {
	var c count
	for _, v := range t.views {
		if len(v.groups) > 0 && v.groups[0].agent == agent {
			c = c.with(v.covered)
		}
	}
	return c
}

func part(name string, c count, threshold float64) Part {
	return Part{name, c.required, c.cited, c.coverage(), threshold, c.coverage() >= threshold}
}

// shortfall says what is missing, in the words that pipelines match on.
func shortfall(g group, coverage, threshold float64) string {
	of := ""
	if g.kind != "" {
		of = " of " + g.kind.plural()
	}
	if g.agent != "" {
		of += " by agent " + strconv.Quote(g.agent)
	}
	return fmt.Sprintf("Attribution coverage%s %s below threshold %s", of, percent2(coverage, threshold), percent(threshold))
}

// percent2 has two places, and never says that something reaches what it is below: 99.999 % is not 100.00 %.
func percent2(v, below float64) string {
	n := math.Round(v*10000) / 100
	if n >= below*100 {
		n = math.Floor(v*10000) / 100
	}
	return strconv.FormatFloat(n, 'f', 2, 64) + "%"
}

// percent has the places it needs, two at most.
func percent(v float64) string {
	return strconv.FormatFloat(math.Round(v*10000)/100, 'f', -1, 64) + "%"
}
