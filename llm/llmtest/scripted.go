// Package llmtest gives tests a model that says what it is told to.
package llmtest

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/ibid-dev/ibid"
)

// Step is one thing that a Scripted model does: it waits, then yields a delta or fails.
type Step struct {
	Delay time.Duration // before the delta; the end of the context cuts it short
	Delta ibid.Delta
	Err   error // ends the answer
}

// Scripted plays its steps at each question, and keeps what it was asked. Its zero value answers nothing. It may be
// used by several goroutines once its steps are set.
type Scripted struct {
	Steps []Step
	// Reply is used instead of Steps where it is set.
	Reply func(ibid.Prompt) []Step

	mu      sync.Mutex
	prompts []ibid.Prompt
}

var _ ibid.Model = (*Scripted)(nil)

// Says is a model that yields these texts, one delta each, and names itself "scripted".
func Says(texts ...string) *Scripted {
	s := &Scripted{}
	for _, t := range texts {
		s.Steps = append(s.Steps, Step{Delta: ibid.Delta{Text: t, Model: "scripted"}})
	}
	return s
}

// Fails is a model that yields these texts and then the error.
func Fails(err error, texts ...string) *Scripted {
	s := Says(texts...)
	s.Steps = append(s.Steps, Step{Err: err})
	return s
}

// Generate plays the steps. It ends early with the context.
func (s *Scripted) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		s.mu.Lock()
		s.prompts = append(s.prompts, p)
		s.mu.Unlock()
		steps := s.Steps
		if s.Reply != nil {
			steps = s.Reply(p)
		}
		for _, step := range steps {
			if err := pause(ctx, step.Delay); err != nil {
				yield(ibid.Delta{}, err)
				return
			}
			if !yield(step.Delta, step.Err) || step.Err != nil {
				return
			}
		}
	}
}

// Prompts are the prompts of all questions so far, in order.
func (s *Scripted) Prompts() []ibid.Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]ibid.Prompt(nil), s.prompts...)
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
