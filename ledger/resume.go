package ledger

import (
	"fmt"

	"github.com/ibid-dev/ibid"
)

// ErrFinished says that a run takes nothing more. It wraps ibid.ErrInvalid.
var ErrFinished = fmt.Errorf("finished and takes nothing more: %w", ibid.ErrInvalid)

// Resume takes up the ledger of an agent from the record of its run: what was registered stays, and what follows is numbered
// on. A run that is finished is taken up no more; the error wraps ErrFinished.
func Resume(r ibid.Run, agent string, c Config) (*Ledger, error) {
	if r.Verdict != nil {
		return nil, fmt.Errorf("run %s is %w", r.ID, ErrFinished)
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
