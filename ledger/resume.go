package ledger

import (
	"fmt"
	"maps"

	"github.com/ibid-dev/ibid"
)

// Resume takes up the ledger of an agent from the record of its run, with the snapshots that are at hand: what was
// registered stays, and what follows is numbered on. A run that is finished is taken up no more; the error wraps
// ibid.ErrInvalid.
func Resume(r ibid.Run, agent string, c Config, snapshots map[ibid.DocumentID][]byte) (*Ledger, error) {
	if r.Verdict != nil {
		return nil, fmt.Errorf("run %s is finished and takes nothing more: %w", r.ID, ibid.ErrInvalid)
	}
	l := New(r.ID, agent, c)
	l.started = r.StartedAt
	for _, s := range r.Sources {
		if s.Agent == agent {
			l.sources = append(l.sources, s.Clone())
			l.byID[s.Identifier] = s.Hash()
			l.calls = max(l.calls, s.Call)
		}
	}
	for _, cl := range r.Claims {
		if cl.Agent == agent {
			l.claims = append(l.claims, cl.Clone())
		}
	}
	l.snapshots = maps.Clone(snapshots)
	if l.snapshots == nil {
		l.snapshots = map[ibid.DocumentID][]byte{}
	}
	return l, nil
}

// Registered gives a source of this agent by its identifier, and whether there is one.
func (l *Ledger) Registered(identifier string) (ibid.SourceReference, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.sources {
		if s.Identifier == identifier {
			return s.Clone(), true
		}
	}
	return ibid.SourceReference{}, false
}

// Have hands the ledger a snapshot that is kept elsewhere, so that quotes can be found in it. One that is not what its hash
// says is not taken.
func (l *Ledger) Have(id ibid.DocumentID, body []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ibid.HashText(string(body)) == id {
		l.snapshots[id] = body
	}
}
