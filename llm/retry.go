package llm

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/ibid-dev/ibid"
)

// RetryConfig says how often and how patiently Retry asks again. The zero value is sensible.
type RetryConfig struct {
	// Attempts is how often the model is asked in all. Defaults to 3.
	Attempts int
	// Base is the wait after the first failure; it doubles with each further one. Defaults to half a second.
	Base time.Duration
	// Longest bounds one wait. A server that asks for a longer one is not waited for: its error is passed on.
	// Defaults to 30 seconds.
	Longest time.Duration
	// Jitter gives numbers within [0,1) that spread the waits between half and the whole, so that many clients do not
	// come back at once. Defaults to chance.
	Jitter func() float64
	// Wait waits. Defaults to a timer that ends early with the context.
	Wait func(context.Context, time.Duration) error
}

// Retry asks the model again where it failed for a reason that may pass: too many requests, a failing server, a broken
// connection. It does so only while nothing has been yielded, as an answer can't begin twice, and never once the context
// has ended. A wait that the server asks for is kept.
func Retry(m ibid.Model, c RetryConfig) ibid.Model {
	if c.Attempts <= 0 {
		c.Attempts = 3
	}
	if c.Base <= 0 {
		c.Base = 500 * time.Millisecond
	}
	if c.Longest <= 0 {
		c.Longest = 30 * time.Second
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
	if c.Wait == nil {
		c.Wait = wait
	}
	return retrying{m, c}
}

type retrying struct {
	model  ibid.Model
	config RetryConfig
}

func (r retrying) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		for attempt := 1; ; attempt++ {
			failed, done := r.try(ctx, p, yield)
			if done {
				return
			}
			pause, again := r.pause(failed, attempt)
			if !again || ctx.Err() != nil {
				yield(ibid.Delta{}, failed)
				return
			}
			if err := r.config.Wait(ctx, pause); err != nil {
				yield(ibid.Delta{}, err)
				return
			}
		}
	}
}

// try asks once. It reports done where the answer was passed on, to its end or to its failure, and otherwise the error
// that came before anything was yielded.
func (r retrying) try(ctx context.Context, p ibid.Prompt, yield func(ibid.Delta, error) bool) (failed error, done bool) {
	began := false
	for d, err := range r.model.Generate(ctx, p) {
		if err != nil && !began {
			return err, false
		}
		began = true
		if !yield(d, err) || err != nil {
			return nil, true
		}
	}
	return nil, true
}

// pause says how long to wait after a failure, and whether to ask again at all.
func (r retrying) pause(err error, attempt int) (time.Duration, bool) {
	var e *Error
	if !errors.As(err, &e) || !e.Temporary || attempt >= r.config.Attempts {
		return 0, false
	}
	if e.RetryAfter > 0 {
		return e.RetryAfter, e.RetryAfter <= r.config.Longest
	}
	d := r.config.Longest
	if shift := attempt - 1; shift < 20 && r.config.Base<<shift < d {
		d = r.config.Base << shift
	}
	return d/2 + time.Duration(r.config.Jitter()*float64(d/2)), true
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
