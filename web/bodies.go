package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ibid-dev/ibid/internal/wording"
)

// What comes in: bodies of JSON, and files.

// maxDepth bounds how deep a body is nested.
const maxDepth = 64

// readJSON reads a body that is what it should be all through: bytes that are not UTF-8 would come in as other text, and
// would move every offset behind them.
func readJSON(b []byte, v any) error {
	if !utf8.Valid(b) {
		return errors.New("the body is not valid UTF-8")
	}
	if deeper(b, maxDepth) {
		return fmt.Errorf("the body is nested more than %d levels deep", maxDepth)
	}
	return wording.JSON(json.Unmarshal(b, v), b)
}

// deeper reports whether JSON is nested deeper than that, without parsing it.
func deeper(b []byte, most int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > most {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// receive takes in the files of an upload, large ones into temporary files. They are the caller's to remove.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, most int64) (*multipart.Form, error) {
	control := http.NewResponseController(w)
	r.Body = http.MaxBytesReader(w, &arriving{ReadCloser: r.Body, more: func() { _ = control.SetReadDeadline(time.Now().Add(s.Patience)) }}, most)
	if err := r.ParseMultipartForm(humago.MultipartMaxMemory); err != nil {
		return nil, formError(err)
	}
	return r.MultipartForm, nil
}

// arriving reads an upload as long as it keeps coming: every piece of it has the time that other requests have as a whole.
// Files take minutes over a slow line, and it is only who sends next to nothing that is given up.
type arriving struct {
	io.ReadCloser
	more func() // gives it time for the next piece
	left int    // bytes of this one
}

const pieceOfUpload = 1 << 20

func (a *arriving) Read(b []byte) (int, error) {
	if a.left <= 0 {
		a.left = pieceOfUpload
		a.more()
	}
	n, err := a.ReadCloser.Read(b)
	a.left -= n
	return n, err
}

// formError says why a form could not be read.
func formError(err error) error {
	var tooLarge *http.MaxBytesError
	var ours *fs.PathError // of the temporary files
	switch {
	case errors.As(err, &tooLarge), errors.Is(err, os.ErrDeadlineExceeded):
		return bodyError(err)
	case errors.Is(err, multipart.ErrMessageTooLarge):
		return &statusError{http.StatusRequestEntityTooLarge, errors.New("the fields of the form that are no files are too large")}
	case errors.As(err, &ours):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("it breaks off before its end")
	}
	return &statusError{http.StatusBadRequest, fmt.Errorf("the form cannot be read: %w", err)}
}

// take reads the body that a request comes with, whole, and puts it back: what is cut, slow, too large or no JSON by its type is
// refused before any of it is done. The gateway takes what its clients send, by whichever type.
func (s *Server) take(w http.ResponseWriter, r *http.Request, o operation) error {
	body, err := s.readBody(w, r, or(o.body, 1<<20))
	if err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	switch t := r.Header.Get("Content-Type"); {
	case isGateway(o.path) && len(body) == 0:
		return &statusError{http.StatusBadRequest, errors.New("the body is empty")}
	case isGateway(o.path):
		r.Header.Set("Content-Type", "application/json")
	case len(body) > 0 && !isJSON(t):
		return &statusError{http.StatusUnsupportedMediaType, fmt.Errorf("the body is %s by its type: send JSON, with the header Content-Type: application/json", t)}
	}
	return nil
}

// nothingSent refuses a body where none is read: who sends a checkpoint to be verified, or a name for a run, must not believe that it
// counted. An empty object is nothing.
func nothingSent(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return bodyError(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	switch string(bytes.TrimSpace(body)) {
	case "", "{}", "null":
		return nil
	}
	return invalid("body", "this address takes no body; /docs says what it takes")
}

// isJSON reports whether a type is that of JSON. A body without a type is taken for it.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	t, _, err := mime.ParseMediaType(contentType)
	return err == nil && (t == "application/json" || strings.HasSuffix(t, "+json"))
}

// readBody reads the whole body. A client that sends it slowly is not waited for.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	deadline := http.NewResponseController(w)
	_ = deadline.SetReadDeadline(time.Now().Add(s.Patience))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		return nil, bodyError(err) // the deadline stays: the server reads what is left of a body before it answers
	}
	return body, deadline.SetReadDeadline(time.Time{})
}

// bodyError says why a body could not be read.
func bodyError(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return &statusError{http.StatusRequestEntityTooLarge, fmt.Errorf("the body is larger than %d MB", tooLarge.Limit>>20)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &statusError{http.StatusRequestTimeout, errors.New("the request did not arrive in time; send it at once")}
	case status(err) == http.StatusInternalServerError:
		return &statusError{http.StatusBadRequest, errors.New("the request was cut: it breaks off before its end")}
	}
	return err
}
