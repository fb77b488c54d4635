package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ledger"
)

// Transport is an http.RoundTripper that registers every response as a source, when its body was read to the end or
// closed. Each hop of a redirect is a retrieval of its own.
type Transport struct {
	Ledger *ledger.Ledger
	// Base makes the requests. Defaults to http.DefaultTransport.
	Base http.RoundTripper
	// Tool names the references. Defaults to "http".
	Tool string
	// Limit is how many bytes of a body are kept. Defaults to DefaultLimit.
	Limit int64
}

// RoundTrip makes the request. The request is not changed; the body of the response is read as it comes.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	asked := &question{sum: sha256.New()}
	resp, err := base.RoundTrip(asked.watch(req))
	if err != nil {
		return resp, err
	}
	if _, both := resp.Body.(io.Writer); both { // a connection that was handed over, as for WebSockets
		return resp, nil
	}
	b := &body{ReadCloser: resp.Body, kept: newSnapshot(t.Limit)}
	b.finish = func(complete bool) (ibid.SourceReference, error) {
		return b.kept.register(t.Ledger, t.reference(req, resp, asked, complete))
	}
	if resp.Body == http.NoBody || resp.Body == nil {
		b.ReadCloser = http.NoBody
		b.end(true)
	}
	resp.Body = b
	return resp, nil
}

func (t *Transport) reference(req *http.Request, resp *http.Response, asked *question, complete bool) ibid.SourceReference {
	ref := ibid.SourceReference{Category: "http", Tool: t.Tool, Endpoint: Redact(req.URL), QueryHash: asked.hash(req),
		Metadata: map[string]string{"status": strconv.Itoa(resp.StatusCode), "method": req.Method}}
	if ref.Tool == "" {
		ref.Tool = "http"
	}
	for header, name := range map[string]string{"Content-Type": "media_type", "Etag": "etag", "Last-Modified": "last_modified"} {
		if v := resp.Header.Get(header); v != "" {
			ref.Metadata[name] = v
		}
	}
	if !complete {
		ref.Metadata["complete"] = "false"
	}
	return ref
}

// Reference gives the source that a response was registered as. Its body must have been read to the end or closed.
func Reference(resp *http.Response) (ibid.SourceReference, error) {
	b, ok := resp.Body.(*body)
	if !ok {
		return ibid.SourceReference{}, errors.New("the response did not come through a capture.Transport")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.done {
		return ibid.SourceReference{}, errors.New("the response is not captured yet: read its body to the end, or close it")
	}
	return b.ref, b.err
}

// body reads a response and keeps what it reads.
type body struct {
	io.ReadCloser
	kept   *snapshot
	finish func(complete bool) (ibid.SourceReference, error)

	mu   sync.Mutex
	done bool
	ref  ibid.SourceReference
	err  error
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.keep(p[:n])
	if err == io.EOF {
		b.end(true)
	}
	return n, err
}

// keep takes what was read. A body may be closed while it is being read, to end a wait: what comes behind that is not registered.
func (b *body) keep(p []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.done {
		b.kept.Write(p)
	}
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.end(false)
	return err
}

func (b *body) end(complete bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.done {
		b.done = true
		b.ref, b.err = b.finish(complete)
	}
}

// question hashes what is asked: the method, the address without secrets, and what is sent.
type question struct {
	mu  sync.Mutex
	sum hash.Hash // of what is sent
}

// watch gives a request that sends the same, and is listened to.
func (q *question) watch(req *http.Request) *http.Request {
	if req.Body == nil || req.Body == http.NoBody {
		return req
	}
	r := req.Clone(req.Context())
	r.Body = listening{req.Body, q}
	if again := req.GetBody; again != nil {
		r.GetBody = func() (io.ReadCloser, error) { // sent anew on another connection
			b, err := again()
			q.mu.Lock()
			q.sum.Reset()
			q.mu.Unlock()
			return listening{b, q}, err
		}
	}
	return r
}

func (q *question) hash(req *http.Request) string {
	q.mu.Lock()
	defer q.mu.Unlock()
	sum := sha256.New()
	io.WriteString(sum, req.Method+" "+Redact(req.URL)+"\n")
	sum.Write(q.sum.Sum(nil))
	return hex.EncodeToString(sum.Sum(nil))
}

type listening struct {
	io.ReadCloser
	q *question
}

func (l listening) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	l.q.mu.Lock()
	l.q.sum.Write(p[:n])
	l.q.mu.Unlock()
	return n, err
}
