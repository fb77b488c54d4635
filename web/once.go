package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid/sqlite"
)

// A write that is sent twice is done once.

// once runs a write that carries an idempotency key, or answers as it was answered before.
func (s *Server) once(w http.ResponseWriter, r *http.Request, o operation, c *caller, key string, run func(http.ResponseWriter, *http.Request)) {
	if len(key) > 200 || !utf8.ValidString(key) {
		s.fail(w, r, invalid("header.Idempotency-Key", "the key is longer than 200 bytes or not UTF-8"))
		return
	}
	request, err := s.fingerprint(w, r, o)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	owner := c.name + "\x00" + c.collection
	before, err := s.Store.Claim(r.Context(), owner, key, request, s.Asker.Now())
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case before != nil && before.Status == 0:
		w.Header().Set("Retry-After", "1")
		s.fail(w, r, &statusError{http.StatusConflict, errors.New("the same request is still being done; ask again in a moment")})
		return
	case before != nil:
		s.replay(w, r, c, *before)
		return
	}
	kept := &recorder{header: w.Header(), through: w}
	kept.streams = func(id string) { // what a stream says can be read again from its own record
		_ = s.Store.Settle(context.WithoutCancel(r.Context()), owner, key, &sqlite.Replay{Status: http.StatusOK, MediaType: ownStream, Body: []byte(id)})
	}
	settled := false
	defer func() {
		if !settled && kept.stream == "" {
			_ = s.Store.Settle(context.WithoutCancel(r.Context()), owner, key, nil)
		}
	}()
	run(kept, r)
	if kept.stream == "" && !kept.cut && kept.status < 500 && kept.status != http.StatusTooManyRequests && r.Context().Err() == nil {
		answer := &sqlite.Replay{Status: kept.status, MediaType: w.Header().Get("Content-Type"), Body: kept.body.Bytes()}
		if o.once != "" && kept.status < 300 { // what is told once is not kept to be told again
			body, err := json.Marshal(huma.ErrorModel{Title: http.StatusText(http.StatusConflict), Status: http.StatusConflict, Detail: o.once})
			if err != nil {
				return
			}
			answer = &sqlite.Replay{Status: http.StatusConflict, MediaType: "application/problem+json", Body: body}
		}
		settled = s.Store.Settle(context.WithoutCancel(r.Context()), owner, key, answer) == nil
	}
}

// fingerprint tells one request from another. The body is read for it and put back.
func (s *Server) fingerprint(w http.ResponseWriter, r *http.Request, o operation) ([]byte, error) {
	sum := sha256.New()
	if o.upload {
		fmt.Fprintf(sum, "%s %s upload\n%s\n", r.Method, r.URL.RequestURI(), r.Header.Get("Accept"))
		err := addForm(sum, r.MultipartForm)
		return sum.Sum(nil), err
	}
	fmt.Fprintf(sum, "%s %s %s\n%s\n", r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), r.Header.Get("Accept"))
	body, err := s.readBody(w, r, or(o.body, 1<<20))
	if err != nil {
		return nil, err
	}
	sum.Write(body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return sum.Sum(nil), nil
}

// addForm adds the parts of a form to a sum: their names and what they hold, each with its length. The boundary between
// them is left out, as a client that sends a form again draws another one.
func addForm(sum io.Writer, form *multipart.Form) error {
	for _, field := range sortedKeys(form.Value) {
		fmt.Fprintf(sum, "%q %q\n", field, form.Value[field])
	}
	for _, field := range sortedKeys(form.File) {
		for _, f := range form.File[field] {
			file, err := f.Open()
			if err != nil {
				return err
			}
			content := sha256.New()
			n, err := io.Copy(content, file)
			file.Close()
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%q %q %q %d %x\n", field, f.Filename, f.Header.Get("Content-Type"), n, content.Sum(nil))
		}
	}
	return nil
}

// ownStream marks what is kept of a stream of ours: its id. Those of a provider are kept as they were sent.
const ownStream = "ibid stream"

// replay answers as before.
func (s *Server) replay(w http.ResponseWriter, r *http.Request, c *caller, before sqlite.Replay) {
	w.Header().Set("Idempotent-Replayed", "true")
	if before.MediaType == ownStream {
		if err := s.hub.serve(w, r, c, string(before.Body), 0); err != nil {
			s.fail(w, r, err)
		}
		return
	}
	w.Header().Set("Content-Type", before.MediaType)
	w.WriteHeader(before.Status)
	w.Write(before.Body)
}
