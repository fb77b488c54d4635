// Messages begin in lower case, have no full stop, name what was asked of whom, and end with what to do.

package llm

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// What a caller does about a failed model decides which of these the error wraps. Each error of this package is an
// *Error, but for the end of the caller's own context, which is passed on as it is.
var (
	// ErrKey says that the key is missing or was refused.
	ErrKey = errors.New("key missing or refused")
	// ErrModel says that the server does not know the model.
	ErrModel = errors.New("no such model")
	// ErrCut says that the answer ended before its end. What was yielded before stands.
	ErrCut = errors.New("answer cut off")
	// ErrEmpty says that the model ended its answer without a word.
	ErrEmpty = errors.New("empty answer")
	// ErrRefused says that the model or a filter of its provider would not answer.
	ErrRefused = errors.New("refused to answer")
	// ErrOverloaded says that the server has too much to do, or that too much was asked of it: later it may work.
	ErrOverloaded = errors.New("overloaded")
	// ErrQuota says that the account has nothing left to spend: waiting does not help.
	ErrQuota = errors.New("quota used up")
	// ErrContextTooLong says that question and passages are more than the model can read.
	ErrContextTooLong = errors.New("too long for the model")
	// ErrUnreachable says that no answer came from the address at all.
	ErrUnreachable = errors.New("server not reached")
	// ErrTimeout says that a limit of Timeouts passed.
	ErrTimeout = errors.New("took too long")
	// ErrServer says that the server failed, or answered in a form that is not the API's.
	ErrServer = errors.New("server failed")
)

// Error is a model's failure with what its server said.
type Error struct {
	Kind       error         // one of the sentinels of this package, or ibid.ErrInvalid
	Provider   string        // "openai", "anthropic", or what OpenAIConfig names
	Model      string        // the model that was asked
	Status     int           // HTTP status; 0 where there was no HTTP answer
	Message    string        // what happened, in our words, with what to do
	Detail     string        // what the server said, in its words
	RetryAfter time.Duration // how long the server asks to wait; 0 where it does not say
	Temporary  bool          // the same request may succeed later
	Err        error         // the cause, may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Provider != "" {
		b.WriteString(e.Provider + ": ")
	}
	b.WriteString(e.Message)
	switch {
	case e.Status >= 400 && e.Detail != "":
		fmt.Fprintf(&b, " (HTTP %d: %s)", e.Status, e.Detail)
	case e.Status >= 400:
		fmt.Fprintf(&b, " (HTTP %d)", e.Status)
	case e.Detail != "":
		fmt.Fprintf(&b, " (%s)", e.Detail)
	}
	return b.String()
}

// Plain says what happened for a record that others read: without the server's address, and without its own words, which may
// hold it.
func (e *Error) Plain() string {
	what := e.Message
	if e.Kind == ErrUnreachable || e.Kind == ErrServer {
		what = e.Kind.Error()
	}
	if e.Provider == "" {
		return what
	}
	return e.Provider + ": " + what
}

// Unwrap gives the sentinel and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}
