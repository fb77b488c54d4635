package web

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// admit is what every operation goes through: who calls, may they, is there room, was it done before.
func (s *Server) admit(ctx huma.Context, next func(huma.Context)) {
	o := ctx.Operation().Metadata["operation"].(operation)
	r, w := humago.Unwrap(ctx)
	accountOf(r.Context()).route = o.path
	c, err := s.who(r, o.scope)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	accountOf(r.Context()).key = c.key
	if wait, ok := s.limits.allow(c.name); !ok {
		s.refuse(w, r, tooMany(wait, "too many requests"))
		return
	}
	release, err := s.room(w, r, o)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	defer release()
	if o.writes() && !o.upload && ctx.Operation().RequestBody == nil {
		if err := nothingSent(r); err != nil {
			s.refuse(w, r, err)
			return
		}
	}
	r = r.WithContext(context.WithValue(r.Context(), callerKey{}, c))
	if o.upload {
		form, err := s.receive(w, r, o.body)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		defer form.RemoveAll()
	}
	if o.working { // whoever works longer keeps others waiting
		limited, cancel := context.WithTimeout(r.Context(), s.limits.Longest)
		defer cancel()
		r = r.WithContext(limited)
	}
	run := func(w http.ResponseWriter, r *http.Request) { next(humago.NewContext(ctx.Operation(), r, w)) }
	switch key := r.Header.Get("Idempotency-Key"); {
	case o.writes() && key != "":
		s.once(w, r, o, c, key, run)
	case o.writes() || o.stream:
		run(w, r)
	default:
		kept := &recorder{header: w.Header()}
		run(kept, r)
		s.tagged(w, r, kept.status, "", kept.body.Bytes())
	}
}

// refuse answers before an operation runs.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var headers huma.HeadersError
	if errors.As(err, &headers) {
		for k, v := range headers.GetHeaders() {
			w.Header()[k] = v
		}
	}
	s.fail(w, r, err)
}

// room waits for room to work in, for a short while, and says when to come back where there is none. What is sent is read
// before: who sends it slowly, or never to its end, would keep others from working. An upload takes its turn in its
// operation, or as a job, when its files have come.
func (s *Server) room(w http.ResponseWriter, r *http.Request, o operation) (release func(), err error) {
	var done []func()
	release = func() {
		for _, f := range done {
			f()
		}
	}
	if o.upload {
		if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "multipart/form-data" {
			return nil, &statusError{http.StatusUnsupportedMediaType, errors.New("send the files as multipart/form-data")}
		}
		if r.ContentLength > o.body {
			return nil, &statusError{http.StatusRequestEntityTooLarge, fmt.Errorf("the upload is larger than %d MB", o.body>>20)}
		}
		if !s.limits.uploads.TryAcquire(1) {
			return nil, tooMany(5*time.Second, "too many uploads are arriving")
		}
		done = append(done, func() { s.limits.uploads.Release(1) })
	}
	if o.writes() && !o.upload {
		n := r.ContentLength
		if n < 0 || n > or(o.body, 1<<20) {
			n = or(o.body, 1<<20)
		}
		n = min(n, s.limits.Bytes)
		if !s.limits.bytes.TryAcquire(n) {
			return nil, tooMany(time.Second, "the server has too much in hand")
		}
		done = append(done, func() { s.limits.bytes.Release(n) })
		if err := s.take(w, r, o); err != nil {
			release()
			return nil, err
		}
	}
	switch {
	case o.stream:
		if !s.limits.streams.TryAcquire(1) {
			release()
			return nil, tooMany(time.Second, "too many answers are being written")
		}
		done = append(done, func() { s.limits.streams.Release(1) })
	case o.working && !o.upload:
		if err := s.turn(r.Context()); err != nil {
			release()
			return nil, err
		}
		done = append(done, func() { s.limits.working.Release(1) })
	}
	return release, nil
}

// longestWait is how long a request waits for its turn.
const longestWait = 15 * time.Second

// turn takes a place to work at. Only some may wait for one: a longer queue would only make everyone late.
func (s *Server) turn(ctx context.Context) error {
	if s.limits.working.TryAcquire(1) {
		return nil
	}
	if !s.limits.queue.TryAcquire(1) {
		return tooMany(time.Second, "the server is busy")
	}
	defer s.limits.queue.Release(1)
	wait, cancel := context.WithTimeout(ctx, longestWait)
	defer cancel()
	if s.limits.working.Acquire(wait, 1) != nil {
		return tooMany(time.Second, "the server is busy")
	}
	return nil
}
