package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// progress tells a client that asked for it how far a call is. Many clients give up on a call that is silent for a minute, and
// wait on where they hear of it: so it speaks, too, where nothing new is to be said.
type progress struct {
	send func(at, total float64, message string)
	stop chan struct{}
	over chan struct{}

	mu      sync.Mutex
	done    float64 // what was told of the work
	total   float64 // 0 where it is not known
	message string
	waits   bool // it was not told yet
	silent  int  // how often it was told again
	said    float64
	last    time.Time
}

// seldom is the least time between two notifications: a client shows them to people.
const seldom = 100 * time.Millisecond

// beginProgress begins to tell of a call. Nothing is told after end.
func beginProgress(beat time.Duration, send func(at, total float64, message string)) *progress {
	p := &progress{send: send, stop: make(chan struct{}), over: make(chan struct{}), said: -1}
	go func() {
		defer close(p.over)
		tick := time.NewTicker(min(beat, seldom))
		defer tick.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-tick.C:
				p.catchUp(beat)
			}
		}
	}()
	return p
}

func (p *progress) end() {
	close(p.stop)
	<-p.over
}

// at says what is done, of how much where that is known, and what is being done now.
func (p *progress) at(done, total int, format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total, p.message, p.silent, p.waits = max(p.done, float64(done)), float64(total), fmt.Sprintf(format, args...), 0, true
	if time.Since(p.last) >= seldom {
		p.say(p.done)
	}
}

// catchUp says what was too soon to be said, or, after a while, again what was said last. The protocol asks for numbers that
// grow: between n and the next there is room for all.
func (p *progress) catchUp(beat time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch silence := time.Since(p.last); {
	case p.waits && silence >= seldom:
		p.say(p.done)
	case silence >= beat:
		p.silent++
		p.say(p.done + 0.9*float64(p.silent)/float64(p.silent+1))
	}
}

func (p *progress) say(at float64) {
	if p.waits = false; at <= p.said {
		return
	}
	p.said, p.last = at, time.Now()
	p.send(at, p.total, p.message)
}

type progressKey struct{}

// tell says how far the call is that a context is of, to whoever asked.
func tell(ctx context.Context, done, total int, format string, args ...any) {
	if p, _ := ctx.Value(progressKey{}).(*progress); p != nil {
		p.at(done, total, format, args...)
	}
}

// telling gives the context of a call whose progress is told, where its caller asked for that.
func (d *desk) telling(ctx context.Context, req *sdk.CallToolRequest) (_ context.Context, end func()) {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return ctx, func() {}
	}
	p := beginProgress(d.Beat, func(at, total float64, message string) {
		// Of a client that is gone the context tells.
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: at, Total: total, Message: message})
	})
	return context.WithValue(ctx, progressKey{}, p), p.end
}

// wantsProgress reports whether a message over HTTP asks to be told of progress, and leaves it to be read again.
func wantsProgress(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodPost || r.Body == nil {
		return false
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(b), failing{err}), r.Body}
	var m struct {
		Params struct {
			Meta struct {
				Token json.RawMessage `json:"progressToken"`
			} `json:"_meta"`
		} `json:"params"`
	}
	return json.Unmarshal(b, &m) == nil && len(m.Params.Meta.Token) > 0
}

// failing is the end of what could not be read to its end.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}
