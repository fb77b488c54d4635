package llm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/ibid-dev/ibid"
)

// Limits bound the time that a model may take; 0 leaves a limit out. Time that the reader of the answer takes between two
// deltas counts only for Whole.
type Limits struct {
	Whole   time.Duration // the whole answer
	First   time.Duration // until the first delta
	Between time.Duration // from one delta to the next
}

// Timeouts ends an answer that takes longer than its limits. The error wraps ErrTimeout and says which limit it was; if
// something had been yielded it wraps ErrCut too.
func Timeouts(m ibid.Model, l Limits) ibid.Model { return timed{m, l} }

type timed struct {
	model  ibid.Model
	limits Limits
}

func (t timed) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		start := func(d time.Duration, what string) (stop func() bool) {
			if d <= 0 {
				return func() bool { return true }
			}
			return time.AfterFunc(d, func() { cancel(passed{d, what}) }).Stop
		}
		defer start(t.limits.Whole, "whole answer")()
		stop := start(t.limits.First, "first words")
		began := false
		for d, err := range t.model.Generate(ctx, p) {
			stop()
			if err != nil {
				yield(d, late(ctx, err, began))
				return
			}
			if !yield(d, nil) {
				return
			}
			began = true
			stop = start(t.limits.Between, "next words")
		}
		stop()
		if err := late(ctx, nil, began); err != nil {
			yield(ibid.Delta{}, err)
		}
	}
}

// passed is a limit that has passed.
type passed struct {
	limit time.Duration
	what  string
}

func (p passed) Error() string { return fmt.Sprintf("no %s within %s", p.what, p.limit) }

// late says which limit has passed, if one has; otherwise the error stays as it is. Where no word had come, asking again may
// help.
func late(ctx context.Context, err error, began bool) error {
	var p passed
	if !errors.As(context.Cause(ctx), &p) {
		return err
	}
	e := &Error{Kind: ErrTimeout, Temporary: !began, Err: context.DeadlineExceeded, Message: p.Error() + ": try again, or allow more time"}
	if began {
		e.Message += "; what came so far is kept"
		e.Err = errors.Join(ErrCut, context.DeadlineExceeded)
	}
	return e
}
