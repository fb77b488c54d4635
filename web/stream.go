package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

func (s *Server) mountStreams() {
	add(s, operation{id: "readStream", method: "GET", path: "/api/v1/streams/{id}", tag: "answers", summary: "Take up a stream that was cut", scope: api.Read, stream: true,
		doc:     "Gives the events behind Last-Event-ID, or all of them, and those still to come. The id is that of the header Ibid-Stream, and the part of an event's id before the dot. A stream can be read for an hour after its end.",
		answers: s.streamed(nil, thinkEvents()...)}, s.readStream)
}

// hub holds the streams that are being written. An answer is written once, however many read it, and goes on for a while
// without a reader.
type hub struct {
	server *Server
	mu     sync.Mutex
	live   map[string]*stream
}

// stream is a sequence of events that grows until it has ended.
type stream struct {
	id         string
	collection string
	cut        context.CancelFunc

	mu      sync.Mutex
	events  []event
	ended   bool
	more    chan struct{} // closed and replaced with each event
	readers int
	leaving *time.Timer // cuts the stream where nobody comes back
}

type event struct {
	Kind string          `json:"kind"`
	Data json.RawMessage `json:"data"`
}

func newHub(s *Server) *hub { return &hub{server: s, live: map[string]*stream{}} }

// begin runs a producer of events. Its context ends when the server does, or when nobody has read for a while. The last
// event is always done, whatever the producer does.
func (h *hub) begin(ctx context.Context, c *caller, produce func(ctx context.Context, send func(kind string, v any) error) error) *stream {
	// Values (the request's account and trace) go along, its end does not.
	ctx, cut := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(h.server.background, cut)
	st := &stream{id: newID(), collection: c.collection, cut: cut, more: make(chan struct{})}
	h.mu.Lock()
	h.live[st.id] = st
	h.mu.Unlock()
	h.server.working.Go(func() {
		defer stop()
		defer cut()
		h.run(ctx, st, c, produce)
	})
	return st
}

func (h *hub) run(ctx context.Context, st *stream, c *caller, produce func(context.Context, func(string, any) error) error) {
	done := false
	send := func(kind string, v any) error {
		var b bytes.Buffer
		if err := writeJSON(&b, v); err != nil {
			return err
		}
		done = done || kind == "done"
		st.add(event{kind, b.Bytes()}, done)
		return nil
	}
	err := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				h.server.panicked("a stream", p, "stream", st.id)
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return produce(ctx, send)
	}()
	if !done {
		if err != nil {
			_ = send("error", h.server.problem(ctx, err))
		}
		_ = send("done", nil)
	}
	st.mu.Lock()
	events, err := json.Marshal(st.events)
	st.mu.Unlock()
	if err == nil {
		err = c.record().PutStream(context.WithoutCancel(ctx), st.id, events, h.server.Asker.Now())
	}
	if err != nil {
		h.server.Log.Error("stream not kept", "stream", st.id, "error", err)
	}
	h.mu.Lock()
	delete(h.live, st.id)
	h.mu.Unlock()
}

func (st *stream) add(e event, last bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.events = append(st.events, e)
	st.ended = last
	close(st.more)
	st.more = make(chan struct{})
}

// from gives the events behind a number, whether there are no more, and what to wait for.
func (st *stream) from(n int) (events []event, ended bool, more <-chan struct{}) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if n < len(st.events) {
		events = st.events[n:]
	}
	return events, st.ended, st.more
}

func (st *stream) length() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	return len(st.events)
}

func (st *stream) join() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.readers++
	if st.leaving != nil {
		st.leaving.Stop()
	}
}

func (st *stream) leave(linger time.Duration) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.readers--
	if st.readers == 0 && !st.ended {
		st.leaving = time.AfterFunc(linger, st.cut)
	}
}

// find gives a stream of the caller's collection, live or from the record.
func (h *hub) find(ctx context.Context, c *caller, id string) (*stream, error) {
	h.mu.Lock()
	st := h.live[id]
	h.mu.Unlock()
	if st != nil {
		if st.collection != c.collection {
			return nil, ibid.ErrNotFound
		}
		return st, nil
	}
	b, err := c.record().Stream(ctx, id)
	if err != nil {
		return nil, err
	}
	kept := &stream{id: id, collection: c.collection, ended: true, more: make(chan struct{})}
	return kept, json.Unmarshal(b, &kept.events)
}

func (h *hub) serve(w http.ResponseWriter, r *http.Request, c *caller, id string, after int) error {
	st, err := h.find(r.Context(), c, id)
	if err != nil {
		return err
	}
	h.write(w, r, st, after)
	return nil
}

// write sends events to one reader until the stream or the reader is at an end. A line of comment now and then keeps what
// lies between from closing the connection.
func (h *hub) write(w http.ResponseWriter, r *http.Request, st *stream, after int) {
	st.join()
	defer st.leave(h.server.Linger)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	w.Header().Set("Ibid-Stream", st.id)
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	send := func(b []byte) error {
		_ = control.SetWriteDeadline(time.Now().Add(h.server.Patience))
		if _, err := w.Write(b); err != nil {
			return err
		}
		return control.Flush()
	}
	quiet := time.NewTicker(h.server.KeepAlive)
	defer quiet.Stop()
	if send([]byte("retry: 1000\n\n")) != nil {
		return
	}
	gone := r.Context().Done()
	var b bytes.Buffer
	for {
		events, ended, more := st.from(after)
		b.Reset()
		for _, e := range events {
			after++
			fmt.Fprintf(&b, "id: %s.%d\nevent: %s\ndata: %s\n\n", st.id, after, e.Kind, e.Data)
		}
		if b.Len() > 0 && send(b.Bytes()) != nil {
			return
		}
		if ended {
			return
		}
		select {
		case <-more:
		case <-gone:
			if !stopping(r.Context()) {
				return
			}
			gone = nil // the server ends the stream, too, and its reader is told
		case <-quiet.C:
			if send([]byte(": still here\n\n")) != nil {
				return
			}
		}
	}
}

// serveStream gives a handler's answer as a stream.
func (s *Server) serveStream(ctx context.Context, c *caller, produce func(ctx context.Context, send func(kind string, v any) error) error) *huma.StreamResponse {
	st := s.hub.begin(ctx, c, produce)
	return &huma.StreamResponse{Body: func(hc huma.Context) { s.writeStream(hc, st, 0) }}
}

func (s *Server) writeStream(hc huma.Context, st *stream, after int) {
	r, w := unwrap(hc)
	s.hub.write(w, r, st, after)
}

type streamParams struct {
	ID   string `path:"id" maxLength:"100"`
	Last string `header:"Last-Event-ID" maxLength:"100" doc:"Id of the last event that was received."`
}

func (s *Server) readStream(ctx context.Context, in *streamParams) (*huma.StreamResponse, error) {
	after, err := lastEvent(in.ID, in.Last)
	if err != nil {
		return nil, err
	}
	st, err := s.hub.find(ctx, callerOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	if so := st.length(); after > so {
		return nil, invalid("header.Last-Event-ID", "the stream has %d events so far", so)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) { s.writeStream(hc, st, after) }}, nil
}

// lastEvent reads the number out of an event's id.
func lastEvent(id, last string) (int, error) {
	if last == "" {
		return 0, nil
	}
	of, number, _ := strings.Cut(last, ".")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || of != id {
		return 0, invalid("header.Last-Event-ID", "%q is not the id of an event of this stream", last)
	}
	return n, nil
}
