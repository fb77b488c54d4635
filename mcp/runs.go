package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/capture"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

var (
	runsTool      = tool{name: "runs", title: "Look at runs of agents", doc: `List the runs of agents that are on record, the latest first, or show one of them: what was retrieved, each claim with the source it rests on, which claims have none, and the verdict of the gate.`}
	runClaimTool  = tool{name: "run_claim", title: "Keep the ledger of a run", writes: true, doc: `Add to the ledger of your work, as you go: what you retrieved, and each claim you make with the source that it rests on. Without a run one begins. Quote the words of the source that say so: they must stand there to the letter. What was added never changes. run_finish ends the run through the gate.`}
	runFinishTool = tool{name: "run_finish", title: "End a run through the gate", writes: true, doc: `End a run: its claims are held against a policy, and the verdict is recorded in the log. A refusal is recorded, too. Ending it twice writes nothing new. Nothing can be added to a run that has ended.`}
)

// The bounds of a run's additions.
const (
	maxRunSources = 200
	maxRunClaims  = 1000
)

// assistant is who tells of what is added over the protocol: a model wrote the call, so no code captured it.
const assistant = "assistant"

type runClaimIn struct {
	Run     string        `json:"run,omitempty" jsonschema:"id of the run; a new one begins where it is left out"`
	Agent   string        `json:"agent,omitempty" jsonschema:"your name, where several work on one run; each has sources of its own"`
	Sources []retrievedIn `json:"sources,omitempty" jsonschema:"what you retrieved; at most 200"`
	Claims  []claimIn     `json:"claims,omitempty" jsonschema:"what you claim; at most 1000"`
}

type retrievedIn struct {
	ID      string `json:"id,omitempty" jsonschema:"by which claims name it, in this call and later; made up and given back where it is left out"`
	Passage string `json:"passage,omitempty" jsonschema:"a passage of the library by the address that search gave it, in the place of text"`
	Text    string `json:"text,omitempty" jsonschema:"what a tool of yours returned"`
	Tool    string `json:"tool,omitempty" jsonschema:"that returned it"`
	URL     string `json:"url,omitempty" jsonschema:"where it was found; kept without what looks like a secret"`
}

type claimIn struct {
	Text   string         `json:"text" jsonschema:"the claim; at most 20000 characters"`
	Source string         `json:"source,omitempty" jsonschema:"id of the source it rests on; one without is a claim without a source"`
	Quotes []string       `json:"quotes,omitempty" jsonschema:"words of the source that say so, to the letter"`
	Exempt ibid.Exemption `json:"exempt,omitempty" jsonschema:"why it needs no source: computed (a sum, a count), structural (a heading), run (about the run itself)"`
}

type runOut struct {
	ID         ibid.RunID     `json:"id"`
	URI        string         `json:"uri" jsonschema:"resource that gives the record"`
	StartedAt  time.Time      `json:"started_at"`
	FinishedAt *time.Time     `json:"finished_at,omitempty" jsonschema:"left out while it goes on"`
	Sources    []retrievedOut `json:"sources" jsonschema:"all that was retrieved, cited or not"`
	Claims     []claimOut     `json:"claims"`
	Coverage   float64        `json:"coverage" jsonschema:"share of the claims that need a source and have one"`
	Gate       *gateOut       `json:"gate,omitempty" jsonschema:"what the gate said at its end"`
	Entry      *int64         `json:"entry,omitempty" jsonschema:"of the verdict in the log; prove gives the proof"`
	Notice     string         `json:"notice,omitempty"`
}

type retrievedOut struct {
	ID       string    `json:"id"`
	Category string    `json:"category"`
	Agent    string    `json:"agent,omitempty"`
	Tool     string    `json:"tool,omitempty"`
	Endpoint string    `json:"endpoint,omitempty"`
	Fetched  time.Time `json:"fetched_at"`
}

type claimOut struct {
	ID       ibid.ClaimID   `json:"id"`
	Agent    string         `json:"agent,omitempty"`
	Text     string         `json:"text"`
	Source   string         `json:"source,omitempty"`
	Trust    string         `json:"trust,omitempty" jsonschema:"how the link came to be: tool (captured by code), quote (the words stand in the library), marker (your word)"`
	Quotes   []string       `json:"quotes" jsonschema:"words of the source, to the letter"`
	Exempt   ibid.Exemption `json:"exempt,omitempty"`
	Required bool           `json:"requires_source"`
}

func (d *desk) runClaim(ctx context.Context, in runClaimIn) (runOut, error) {
	switch {
	case len(in.Sources) == 0 && len(in.Claims) == 0:
		return runOut{}, invalid("there is nothing to add; give sources, claims or both")
	case len(in.Sources) > maxRunSources || len(in.Claims) > maxRunClaims:
		return runOut{}, invalid("there are more than %d sources or %d claims; add them in several calls", maxRunSources, maxRunClaims)
	case len(in.Agent) > 200:
		return runOut{}, invalid("the name of the agent is longer than 200 bytes")
	}
	var bodies [][]byte
	var refs []ibid.SourceReference
	for i, s := range in.Sources {
		ref, body, err := d.retrieved(ctx, s)
		if err != nil {
			return runOut{}, fmt.Errorf("source %d: %w", i+1, err)
		}
		refs, bodies = append(refs, ref), append(bodies, body)
	}
	id := ibid.RunID(in.Run)
	if in.Run == "" {
		id = ibid.RunID(d.Asker.NewID())
	} else if _, err := d.run(ctx, in.Run); err != nil {
		return runOut{}, err
	}
	add := func(led *ledger.Ledger, _ ibid.Run) error {
		for i, ref := range refs {
			if _, err := led.Source(ref, bodies[i]); err != nil {
				return fmt.Errorf("source %d: %w", i+1, err)
			}
		}
		for i, c := range in.Claims {
			if longer(c.Text, maxQuestion) || len(c.Quotes) > 20 {
				return fmt.Errorf("claim %d: %w", i+1, invalid("it is longer than %d characters, or has more than 20 quotes", maxQuestion))
			}
			if src, ok := led.Registered(c.Source); ok && src.Metadata[ibid.ToldBy] == "" { // the link would pass for one that code made
				return fmt.Errorf("claim %d: %w", i+1, invalid("source %q was captured by code, which also makes the claims that rest on it; add what you retrieved as a source of your own", shortened(c.Source)))
			}
			if _, err := led.State(ledger.Statement(c)); err != nil {
				return fmt.Errorf("claim %d: %w", i+1, err)
			}
		}
		return nil
	}
	err := d.begun(ctx, id, in.Run == "", func(book workflow.Book) error {
		runner := &workflow.Runner{Gate: workflow.Gate{Book: book}, Now: d.Asker.Now}
		return runner.Register(ctx, id, in.Agent, add)
	})
	if err != nil {
		return runOut{}, err
	}
	return d.showRun(ctx, string(id))
}

// begun lets f add to a run, and begins it before that where it is new: one to which nothing could be added does not begin.
func (d *desk) begun(ctx context.Context, id ibid.RunID, isNew bool, f func(workflow.Book) error) error {
	if !isNew {
		return f(workflow.Pages(d.Store.Update))
	}
	return d.Store.Update(ctx, func(tx *sqlite.Tx) error {
		now := d.Asker.Now().UTC()
		if err := errors.Join(tx.BeginRun(id, now), workflow.EnterRun(tx, id, now), tx.OwnRun(id, d.caller.Collection)); err != nil {
			return err
		}
		return f(workflow.Pages(func(_ context.Context, write func(*sqlite.Tx) error) error { return write(tx) }))
	})
}

// retrieved reads what an assistant says that it retrieved. The words of a passage are the library's.
func (d *desk) retrieved(ctx context.Context, in retrievedIn) (ref ibid.SourceReference, body []byte, err error) {
	ref = ibid.SourceReference{Identifier: in.ID, Category: assistant, Tool: in.Tool, Endpoint: capture.Address(in.URL), Metadata: map[string]string{ibid.ToldBy: assistant}}
	switch {
	case in.Passage != "" && in.Text != "":
		return ref, nil, invalid("it has a passage and a text; give one of them")
	case in.Passage == "" && strings.TrimSpace(in.Text) == "":
		return ref, nil, invalid("it is empty; give what was returned as text, or a passage that search found")
	case len(in.ID) > 1000 || len(in.Tool) > 200 || len(in.URL) > 4000:
		return ref, nil, invalid("its id, tool or url is too long")
	case in.Passage == "":
		return ref, []byte(in.Text), nil
	}
	p, err := d.passage(ctx, in.Passage)
	if err != nil {
		return ref, nil, err
	}
	src := api.PublicSource(p.Source)
	ref.Category, ref.Endpoint = ibid.FromLibrary, passageURI(p.Chunk)
	ref.Metadata["source"], ref.Metadata["title"] = string(src.ID), src.Title()
	return ref, []byte(p.Chunk.Text), nil
}

type runFinishIn struct {
	Run    string `json:"run" jsonschema:"its id"`
	Policy string `json:"policy,omitempty" jsonschema:"what must have a source; the policy in use where it is left out"`
}

func (d *desk) runFinish(ctx context.Context, in runFinishIn) (runOut, error) {
	p, err := d.policy(in.Policy)
	if err != nil {
		return runOut{}, err
	}
	run, err := d.run(ctx, in.Run)
	if err != nil {
		return runOut{}, err
	}
	runner := &workflow.Runner{Gate: workflow.Gate{Policy: &p, Book: workflow.Pages(d.Store.Update)}, Now: d.Asker.Now, Owes: d.Finished != nil}
	done, err := runner.FinishRecorded(ctx, run.ID)
	if _, refused := workflow.Refused(err); err != nil && !refused {
		return runOut{}, err
	}
	notice := ""
	if v := run.Verdict; v != nil && in.Policy != "" && v.Policy != p.Version() {
		notice = "the run had ended before, by another policy; what was decided then stands"
	}
	if d.Finished != nil {
		if err := d.Finished(context.WithoutCancel(ctx), done); err != nil { // whether anybody still waits or not
			d.Log.Error("a run was recorded, and not passed on", "run", run.ID, "error", err)
			notice = "the run is recorded and decided, but could not be passed on yet; the log of ibid says why, and the next run that ends does it"
		}
	}
	out, err := d.showRun(ctx, in.Run)
	out.Notice = notice
	return out, err
}

type runsIn struct {
	Run    string `json:"run,omitempty" jsonschema:"id of one run, to be shown with its claims; the latest are listed where it is left out"`
	Before string `json:"before,omitempty" jsonschema:"list those that began before this one, by its id: the last of a list, to go on behind it"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many are listed at most, 1 to 50; 10 where it is left out"`
}

type runsOut struct {
	Runs []runHeadOut `json:"runs" jsonschema:"the latest first"`
	More bool         `json:"more" jsonschema:"whether there are more, begun before the last of these"`
	Run  *runOut      `json:"run,omitempty" jsonschema:"the one that was asked for"`

	behind bool // another one was named
}

type runHeadOut struct {
	ID         ibid.RunID `json:"id"`
	StartedAt  time.Time  `json:"started_at"`
	FinishedAt *time.Time `json:"finished_at,omitempty"`
	Claims     int        `json:"claims" jsonschema:"how many"`
	First      string     `json:"first,omitempty" jsonschema:"the first claim"`
	Outcome    string     `json:"outcome,omitempty" jsonschema:"of the gate"`
}

func (d *desk) runs(ctx context.Context, in runsIn) (runsOut, error) {
	out := runsOut{Runs: []runHeadOut{}}
	switch {
	case in.Limit < 0 || in.Limit > 50:
		return out, invalid("limit is %d; give a number from 1 to 50", in.Limit)
	case in.Limit == 0:
		in.Limit = 10
	}
	if in.Run != "" {
		one, err := d.showRun(ctx, in.Run)
		out.Run = &one
		return out, err
	}
	if out.behind = in.Before != ""; out.behind {
		if _, err := d.run(ctx, in.Before); err != nil { // nothing stands behind it, which would be taken for the end of the list
			return out, err
		}
	}
	list, err := d.record.Runs(ctx, ibid.RunID(in.Before), in.Limit+1)
	if err != nil {
		return out, err
	}
	if out.More = len(list) > in.Limit; out.More {
		list = list[:in.Limit]
	}
	for _, h := range list {
		head := runHeadOut{ID: h.Run.ID, StartedAt: h.Run.StartedAt, FinishedAt: ended(h.Run), Claims: h.Claims, First: shortened(h.First)}
		if v := h.Run.Verdict; v != nil {
			head.Outcome = v.Outcome
		}
		out.Runs = append(out.Runs, head)
	}
	return out, nil
}

func ended(r ibid.Run) *time.Time {
	if r.FinishedAt.IsZero() {
		return nil
	}
	return &r.FinishedAt
}

// run gives a run of the caller's collection by its whole id: the beginning of one would find those of others.
func (d *desk) run(ctx context.Context, id string) (ibid.Run, error) {
	missing := invalid("there is no run %q; runs lists them, and run_claim begins one where no run is named", shortened(id))
	own, err := d.record.Owns(ctx, ibid.RunID(id))
	if err != nil {
		return ibid.Run{}, err
	}
	if !own || id == "" {
		return ibid.Run{}, missing
	}
	run, err := d.Store.Run(ctx, ibid.RunID(id))
	if errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrAmbiguous) || err == nil && string(run.ID) != id {
		return ibid.Run{}, missing
	}
	return run, err
}

// showRun gives a run as it was delivered: without what a repair took out.
func (d *desk) showRun(ctx context.Context, id string) (runOut, error) {
	run, err := d.run(ctx, id)
	if err != nil {
		return runOut{}, err
	}
	p, err := d.policy("")
	if err != nil {
		return runOut{}, err
	}
	out := runOut{ID: run.ID, URI: runURI(run.ID), StartedAt: run.StartedAt, FinishedAt: ended(run), Sources: []retrievedOut{}, Claims: []claimOut{},
		Coverage: api.Near(p.Decide(gate.OfRun(run)).Coverage)}
	if v := run.Verdict; v != nil {
		out.Coverage, out.Entry = api.Near(v.Coverage), v.Entry
		out.Gate = &gateOut{Show: v.Outcome != string(gate.Block), Outcome: v.Outcome, Version: v.Policy, Coverage: api.Near(v.Coverage), Threshold: api.Near(v.Threshold), Uncited: []string{}, Reasons: listed(v.Reasons)}
	}
	run = workflow.Delivered(run)
	for _, s := range run.Sources {
		out.Sources = append(out.Sources, retrievedOut{s.Identifier, s.Category, s.Agent, s.Tool, s.Endpoint, s.FetchedAt})
	}
	for _, c := range run.Claims {
		form, err := d.claim(ctx, c)
		if err != nil {
			return runOut{}, err
		}
		out.Claims = append(out.Claims, form)
		if out.Gate != nil && form.Required && !c.Cited() {
			out.Gate.Uncited = append(out.Gate.Uncited, c.Text)
		}
	}
	return out, nil
}

func (d *desk) claim(ctx context.Context, c ibid.Claim) (claimOut, error) {
	out := claimOut{ID: c.ID, Agent: c.Agent, Text: c.Text, Exempt: c.Exempt, Required: c.RequiresAttribution(), Quotes: []string{}}
	if c.Cited() {
		out.Source, out.Trust = c.Source.Identifier, c.Trust().String()
	}
	for _, at := range c.Evidence {
		body, err := d.Store.Snapshot(ctx, at.Document)
		if errors.Is(err, ibid.ErrNotFound) {
			continue // of a run that was merged: its snapshots are elsewhere
		}
		if err != nil {
			return out, err
		}
		if at.Span.End <= len(body) {
			out.Quotes = append(out.Quotes, strings.ToValidUTF8(at.Span.In(string(body)), "\uFFFD"))
		}
	}
	return out, nil
}

func (o runOut) words() string {
	var b strings.Builder
	if o.Gate != nil {
		fmt.Fprintf(&b, "Run %s has ended.\n%s", o.ID, strings.Replace(o.Gate.words(), "the answer", "the run", 1))
	} else {
		fmt.Fprintf(&b, "Run %s goes on; run_finish ends it. Coverage so far: %.0f %%.\n\n", o.ID, 100*o.Coverage)
	}
	if o.Notice != "" {
		b.WriteString(o.Notice + "\n\n")
	}
	for _, c := range o.Claims {
		fmt.Fprintf(&b, "- %s\n", oneLine(c.Text))
		switch {
		case c.Exempt != "":
			fmt.Fprintf(&b, "  needs no source: %s\n", c.Exempt)
		case c.Source == "":
			b.WriteString("  no source\n")
		default:
			fmt.Fprintf(&b, "  ← %s (%s)\n", oneLine(c.Source), c.Trust)
		}
		for _, q := range c.Quotes {
			fmt.Fprintf(&b, "    %q\n", oneLine(q))
		}
	}
	if len(o.Sources) > 0 {
		b.WriteString("\nRetrieved:\n")
	}
	for _, s := range o.Sources {
		fmt.Fprintf(&b, "%s%s%s\n", oneLine(s.ID), beginning(" · ", s.Tool), beginning(" · ", s.Endpoint))
	}
	return b.String()
}

func (o runsOut) words() string {
	if o.Run != nil {
		return o.Run.words()
	}
	switch {
	case len(o.Runs) == 0 && o.behind:
		return "There are no runs before that one.\n"
	case len(o.Runs) == 0:
		return "There are no runs yet; run_claim begins one, where you may write.\n"
	}
	var b strings.Builder
	for _, r := range o.Runs {
		state := "goes on"
		if r.FinishedAt != nil {
			state = "ended: " + r.Outcome
		}
		fmt.Fprintf(&b, "%s · %s · %s · %s%s\n", r.ID, r.StartedAt.UTC().Format(time.RFC3339), state, count(r.Claims, "claim", "claims"), beginning(" · ", oneLine(r.First)))
	}
	if o.More {
		fmt.Fprintf(&b, "There are more: before %q.\n", o.Runs[len(o.Runs)-1].ID)
	}
	return b.String()
}
