package ledger

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ibid-dev/ibid"
)

// Book merges the ledgers of many agents and processes. It only ever grows: what was merged in whatever order, and however
// often, gives the same book, and no claim loses its source. Ledgers are not mixed: a claim keeps its run, agent, tool and
// call. The zero value is an empty book. It is not safe for use by several goroutines.
type Book struct {
	claims  map[ibid.ClaimID]ibid.Claim
	sources map[string]filed // by hash
	runs    map[ibid.RunID]ibid.Run
}

type filed struct {
	run ibid.RunID
	ref ibid.SourceReference
}

// Add merges the record of a run. A claim whose id is not that of what it says was changed on its way: nothing of the run is
// taken in, and the error wraps ibid.ErrInvalid.
func (b *Book) Add(r ibid.Run) error {
	for _, c := range r.Claims {
		if c.Run != r.ID {
			return fmt.Errorf("run %s: claim %s is of run %s: %w", r.ID, c.ID, c.Run, ibid.ErrInvalid)
		}
		if err := c.Check(); err != nil {
			return fmt.Errorf("run %s: %w", r.ID, err)
		}
	}
	if b.claims == nil {
		b.claims, b.sources, b.runs = map[ibid.ClaimID]ibid.Claim{}, map[string]filed{}, map[ibid.RunID]ibid.Run{}
	}
	for _, c := range r.Claims {
		b.claims[c.ID] = c.Clone()
		if c.Source != nil {
			b.file(c.Run, *c.Source)
		}
	}
	for _, s := range r.Sources {
		b.file(r.ID, s)
	}
	b.noteRun(r)
	return nil
}

func (b *Book) file(run ibid.RunID, r ibid.SourceReference) {
	b.sources[string(run)+"\x00"+r.Hash()] = filed{run, r.Clone()}
}

// noteRun keeps when a run began and ended: the earliest and the latest of what is said.
func (b *Book) noteRun(r ibid.Run) {
	have, ok := b.runs[r.ID]
	if !ok {
		have = ibid.Run{ID: r.ID, StartedAt: r.StartedAt}
	}
	if r.StartedAt.Before(have.StartedAt) {
		have.StartedAt = r.StartedAt
	}
	if r.FinishedAt.After(have.FinishedAt) {
		have.FinishedAt = r.FinishedAt
	}
	b.runs[r.ID] = have
}

// Merge takes in all of another book.
func (b *Book) Merge(o *Book) {
	for _, r := range o.Runs() {
		_ = b.Add(r) // what is in a book was checked when it came in
	}
}

// Runs gives the merged record of each run, in the order of their ids; sources and claims by agent and number. The verdict
// is not merged: the gate looks at the whole again.
func (b *Book) Runs() []ibid.Run {
	byID := map[ibid.RunID]*ibid.Run{}
	var ids []ibid.RunID
	for id, r := range b.runs {
		r.Sources, r.Claims = []ibid.SourceReference{}, []ibid.Claim{}
		byID[id] = &r
		ids = append(ids, id)
	}
	for _, f := range b.sources {
		if r := byID[f.run]; r != nil {
			r.Sources = append(r.Sources, f.ref.Clone())
		}
	}
	for _, c := range b.claims {
		if r := byID[c.Run]; r != nil {
			r.Claims = append(r.Claims, c.Clone())
		}
	}
	slices.Sort(ids)
	var out []ibid.Run
	for _, id := range ids {
		r := byID[id]
		slices.SortFunc(r.Sources, bySource)
		slices.SortFunc(r.Claims, byClaim)
		out = append(out, *r)
	}
	return out
}

// Run gives the merged record of one run. The error wraps ibid.ErrNotFound.
func (b *Book) Run(id ibid.RunID) (ibid.Run, error) {
	for _, r := range b.Runs() {
		if r.ID == id {
			return r, nil
		}
	}
	return ibid.Run{}, fmt.Errorf("run %s: %w", id, ibid.ErrNotFound)
}

func byClaim(a, b ibid.Claim) int {
	return cmp.Or(cmp.Compare(a.Agent, b.Agent), a.Number-b.Number, cmp.Compare(a.ID, b.ID))
}

func bySource(a, b ibid.SourceReference) int {
	return cmp.Or(cmp.Compare(a.Agent, b.Agent), a.Call-b.Call, cmp.Compare(a.Identifier, b.Identifier), cmp.Compare(a.Hash(), b.Hash()))
}

// Agent is what one agent of a system did, over all of its runs.
type Agent struct {
	Name    string `json:"agent"`
	Runs    int    `json:"runs"`
	Sources int    `json:"sources"` // retrievals
	Claims  int    `json:"claims"`
	Cited   int    `json:"cited"`
	Exempt  int    `json:"exempt"`
}

// System is the view over all that was merged.
type System struct {
	Runs     int             `json:"runs"`
	Agents   []Agent         `json:"agents"`
	Distinct []DistinctClaim `json:"distinct"` // each wording once
}

// System looks at the whole book.
func (b *Book) System() System {
	s := System{Runs: len(b.runs), Agents: []Agent{}}
	agents := map[string]*Agent{}
	var all []ibid.Claim
	for _, r := range b.Runs() {
		in := map[string]bool{}
		of := func(name string) *Agent {
			a := agents[name]
			if a == nil {
				a = &Agent{Name: name}
				agents[name] = a
			}
			if !in[name] {
				in[name] = true
				a.Runs++
			}
			return a
		}
		for _, src := range r.Sources {
			of(src.Agent).Sources++
		}
		for _, c := range r.Claims {
			a := of(c.Agent)
			a.Claims++
			if !c.RequiresAttribution() {
				a.Exempt++
			} else if c.Cited() {
				a.Cited++
			}
		}
		all = append(all, r.Claims...)
	}
	for _, a := range agents {
		s.Agents = append(s.Agents, *a)
	}
	slices.SortFunc(s.Agents, func(a, b Agent) int { return cmp.Compare(a.Name, b.Name) })
	s.Distinct = Distinct(all)
	return s
}

// Chain gives the way of a claim back to the first tool call: the claim itself, then those that were handed over.
func Chain(c ibid.Claim) []ibid.Claim {
	out := []ibid.Claim{c}
	for c.Source != nil && c.Source.From != nil {
		c = *c.Source.From
		out = append(out, c)
	}
	return out
}

// DistinctClaim is one wording with all that it was found at.
type DistinctClaim struct {
	Text    string                 `json:"text"`
	Times   int                    `json:"times"`
	Sources []ibid.SourceReference `json:"sources"` // by endpoint and snapshot, each once
}

// Distinct is the view without repetition: each wording once, with each place it was found at. The claims stay as they
// are.
func Distinct(claims []ibid.Claim) []DistinctClaim {
	type place struct {
		text, endpoint string
		snapshot       ibid.DocumentID
	}
	at := map[string]int{}
	seen := map[place]bool{}
	out := []DistinctClaim{}
	for _, c := range claims {
		i, ok := at[c.Text]
		if !ok {
			i = len(out)
			at[c.Text] = i
			out = append(out, DistinctClaim{Text: c.Text, Sources: []ibid.SourceReference{}})
		}
		out[i].Times++
		if !c.Cited() {
			continue
		}
		first := c.Source.First()
		p := place{c.Text, first.Endpoint, first.Snapshot}
		if first.Endpoint == "" && first.Snapshot == "" {
			p.endpoint = first.Identifier
		}
		if !seen[p] {
			seen[p] = true
			out[i].Sources = append(out[i].Sources, first.Clone())
		}
	}
	return out
}
