package fetch

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/ibid-dev/ibid"
)

// ErrTooLarge says that a body is beyond the limit.
var ErrTooLarge = errors.New("too large")

// RefusedError says that an address may not be fetched, why, and what to do. It wraps ibid.ErrInvalid.
type RefusedError struct {
	URL    string // without a password
	Reason string
	Hint   string
}

func (e *RefusedError) Error() string {
	s := "refused: " + e.Reason
	if e.URL != "" {
		s = "fetch " + e.URL + ": " + s
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

func (e *RefusedError) Unwrap() error { return ibid.ErrInvalid }

func refuse(url, reason, hint string) error { return &RefusedError{url, reason, hint} }

// StatusError is an answer that is no success.
type StatusError struct {
	URL  string
	Code int
}

func (e *StatusError) Error() string {
	s := fmt.Sprintf("fetch %s: the server answered %d %s", e.URL, e.Code, http.StatusText(e.Code))
	switch {
	case e.Code == http.StatusUnauthorized, e.Code == http.StatusForbidden:
		s += "; open it in a browser and save the page"
	case e.Code == http.StatusTooManyRequests, e.Code >= 500:
		s += "; try again later"
	}
	return s
}

// Temporary reports whether another try may succeed.
func (e *StatusError) Temporary() bool {
	return e.Code == http.StatusTooManyRequests || e.Code >= 500
}

func (f *Fetcher) tooLarge(url string) error {
	return fmt.Errorf("fetch %s: the body has more than %d MB, the most that is fetched: %w, %w", url, f.cfg.MaxBytes>>20, ErrTooLarge, ibid.ErrInvalid)
}
