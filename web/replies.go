package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
)

// What goes out.

// writeJSON is the one way in which a value leaves, whole or in a stream, so that both are the same bytes.
func writeJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// tagged sends an answer with its ETag, or says that nothing changed.
func (s *Server) tagged(w http.ResponseWriter, r *http.Request, code int, mediaType string, body []byte) {
	if mediaType != "" {
		w.Header().Set("Content-Type", mediaType)
	}
	packed := takesPacked(w, r) && len(body) >= worthPacking && packable(w.Header().Get("Content-Type"))
	if code == http.StatusOK || code == 0 {
		sum := sha256.Sum256(body)
		tag := `"` + hex.EncodeToString(sum[:12]) + `"`
		if w.Header().Set("ETag", tag); packed { // the same in other bytes
			w.Header().Set("ETag", "W/"+tag)
		}
		w.Header().Set("Cache-Control", "private, no-cache")
		if matchesTag(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if packed {
		w.Header().Set("Content-Encoding", "gzip")
		body = pack(body, gzip.BestSpeed)
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.Patience))
	w.WriteHeader(or(code, http.StatusOK))
	w.Write(body)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
}

func matchesTag(header, tag string) bool {
	for _, t := range strings.Split(header, ",") {
		if t = strings.TrimPrefix(strings.TrimSpace(t), "W/"); t == tag || t == "*" {
			return true
		}
	}
	return false
}

// recorder keeps what a handler answers, and passes it on where it is told to.
type recorder struct {
	header  http.Header
	status  int
	body    bytes.Buffer
	through http.ResponseWriter // may be nil
	streams func(id string)     // called when the answer turns out to be a stream
	stream  string
	cut     bool // too long to be kept
}

// maxKept bounds an answer that is kept to be given again.
const maxKept = 16 << 20

func (k *recorder) Header() http.Header { return k.header }

func (k *recorder) WriteHeader(code int) {
	if k.status != 0 {
		return
	}
	k.status = code
	if k.stream = k.header.Get("Ibid-Stream"); k.stream != "" && k.streams != nil {
		k.streams(k.stream)
	}
	if k.through != nil {
		k.through.WriteHeader(code)
	}
}

func (k *recorder) Write(b []byte) (int, error) {
	if k.status == 0 {
		k.WriteHeader(http.StatusOK)
	}
	k.cut = k.cut || k.through != nil && k.body.Len()+len(b) > maxKept
	if k.stream == "" && !k.cut {
		k.body.Write(b)
	}
	if k.through != nil {
		return k.through.Write(b)
	}
	return len(b), nil
}

// Unwrap gives http.ResponseController the writer beneath.
func (k *recorder) Unwrap() http.ResponseWriter { return k.through }

// accepts reports whether the caller asks for a media type by name.
func accepts(ctx context.Context, mediaType string) bool {
	r := accountOf(ctx).request
	if r == nil {
		return false
	}
	for _, part := range strings.Split(r.Header.Get("Accept"), ",") {
		if t, _, err := mime.ParseMediaType(part); err == nil && t == mediaType {
			return true
		}
	}
	return false
}
