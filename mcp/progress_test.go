package mcp_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/mcp"
)

// slowly is a model that says its words when it is let, or ends with the call.
type slowly struct {
	words string
	let   chan struct{}
	began chan struct{}
	ended chan error
}

func newSlowly(words string) *slowly {
	return &slowly{words, make(chan struct{}), make(chan struct{}, 9), make(chan error, 9)}
}

func (m *slowly) Generate(ctx context.Context, _ ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		m.began <- struct{}{}
		select {
		case <-m.let:
			yield(ibid.Delta{Text: m.words, Model: "slow-1"}, nil)
		case <-ctx.Done():
			m.ended <- ctx.Err()
			yield(ibid.Delta{}, ctx.Err())
		}
	}
}

// heard are the notifications that a client got.
type heard struct {
	mu   sync.Mutex
	list []sdk.ProgressNotificationParams
}

func (h *heard) take(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, *r.Params)
}

func (h *heard) all() []sdk.ProgressNotificationParams {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]sdk.ProgressNotificationParams(nil), h.list...)
}

func (h *heard) wait(t *testing.T, enough func([]sdk.ProgressNotificationParams) bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !enough(h.all()); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("heard %v", h.all()) // not Fatal: it may wait beside the test
			return
		}
	}
}

// hearing connects a client that hears of progress: over streams, or over HTTP.
func (w *world) hearing(overHTTP bool) (*client, *heard) {
	w.t.Helper()
	h := &heard{}
	from := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{ProgressNotificationHandler: h.take})
	var transport sdk.Transport
	if overHTTP {
		server := httptest.NewServer(w.service.Handler(writer))
		w.t.Cleanup(server.Close)
		transport = &sdk.StreamableClientTransport{Endpoint: server.URL, DisableStandaloneSSE: true}
	} else {
		theirs, ours := io.Pipe()
		mine, back := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- w.service.Run(ctx, writer, theirs, back) }()
		w.t.Cleanup(func() { cancel(); ours.Close(); <-ended })
		transport = &sdk.IOTransport{Reader: mine, Writer: ours}
	}
	session, err := from.Connect(context.Background(), transport, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { session.Close() })
	return &client{w.t, session}, h
}

// telling is a call that asks to be told of its progress.
func telling(tool string, a any, token any) *sdk.CallToolParams {
	p := &sdk.CallToolParams{Name: tool, Arguments: a}
	p.SetProgressToken(token)
	return p
}

// Who asks for it hears of a long call: what is being done, in numbers that grow, and again where nothing is new, until the
// result is there and no longer. Who does not ask hears nothing.
func TestProgressIsTold(t *testing.T) {
	for _, overHTTP := range []bool{false, true} {
		t.Run(fmt.Sprintf("over HTTP %v", overHTTP), func(t *testing.T) {
			m := newSlowly("Lasting service began in 1866. It is blue.")
			w := open(t, func(c *mcp.Config) { c.Asker.Model = m; c.Beat = 10 * time.Millisecond }).cables()
			c, h := w.hearing(overHTTP)
			go func() {
				<-m.began
				h.wait(t, func(all []sdk.ProgressNotificationParams) bool { return len(all) >= 8 })
				m.let <- struct{}{}
			}()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			res, err := c.CallTool(ctx, telling("ask", args{"question": "When did lasting service begin?"}, "token-7"))
			if err != nil || res.IsError {
				t.Fatalf("%v %v", err, res)
			}
			time.Sleep(50 * time.Millisecond) // a notification that comes late would come now
			all := h.all()
			last := -1.0
			said := ""
			for _, n := range all {
				if n.ProgressToken != "token-7" || n.Progress <= last || n.Message == "" {
					t.Errorf("told %v after %v", n, last)
				}
				last = n.Progress
				said += n.Message + "\n"
			}
			if !strings.Contains(said, "passages found") {
				t.Errorf("said %s", said)
			}
			go func() { <-m.began; time.Sleep(50 * time.Millisecond); m.let <- struct{}{} }()
			c.call("ask", args{"question": "When did lasting service begin?"})
			for _, n := range h.all()[len(all):] {
				if n.ProgressToken != "token-7" { // one of the call before may come late
					t.Errorf("told unasked: %v", n)
				}
			}
		})
	}
}

// Whatever is told in whichever order, the numbers grow and stay below the whole, and nothing comes behind the end.
func TestProgressGrows(t *testing.T) {
	var mu sync.Mutex
	var told []float64
	at, end := mcp.Progress(time.Millisecond, func(at, _ float64, _ string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, at)
	})
	for _, done := range []int{0, 0, 1, 1, 0, 2, 2} {
		at(done, 3)
		time.Sleep(120 * time.Millisecond)
	}
	end()
	n := len(told)
	time.Sleep(20 * time.Millisecond)
	for i := 1; i < n; i++ {
		if told[i] <= told[i-1] || told[i] >= 3 {
			t.Errorf("told %v after %v", told[i], told[i-1])
		}
	}
	if n < 20 || len(told) != n {
		t.Errorf("told %d times, then %d", n, len(told))
	}
}

// Work that has parts is told of by parts, up to all of them.
func TestProgressCountsParts(t *testing.T) {
	w := open(t).cables()
	c, h := w.hearing(false)
	for tool, a := range map[string]args{
		"think":     {"question": "When was the first transatlantic cable completed, and when did lasting service begin?"},
		"conflicts": {},
		"attribute": {"answer": "Lasting service began in 1866. It is blue."},
	} {
		res, err := c.CallTool(t.Context(), telling(tool, a, tool))
		if err != nil || res.IsError {
			t.Fatalf("%s: %v %v", tool, err, res)
		}
	}
	h.wait(t, func(all []sdk.ProgressNotificationParams) bool { // a client may hear of it behind the result
		of := map[any]bool{}
		for _, n := range all {
			of[n.ProgressToken] = true
		}
		return len(of) == 3
	})
	for _, n := range h.all() {
		if n.Total > 0 && n.Progress > n.Total {
			t.Errorf("told %v", n)
		}
	}
}

// A call that is cancelled stops its work: the model is no longer asked. What came of the answer is on record, and the session
// goes on.
func TestCancelledCallsStopTheModel(t *testing.T) {
	for _, overHTTP := range []bool{false, true} {
		for _, tool := range []string{"ask", "think"} {
			t.Run(fmt.Sprintf("%s, over HTTP %v", tool, overHTTP), func(t *testing.T) {
				m := newSlowly("")
				w := open(t, func(c *mcp.Config) { c.Asker.Model = m }).cables()
				c, _ := w.hearing(overHTTP)
				ctx, cancel := context.WithCancel(t.Context())
				go func() { <-m.began; cancel() }()
				if _, err := c.CallTool(ctx, telling(tool, args{"question": "When did lasting service begin?"}, 5)); err == nil {
					t.Error("it went through")
				}
				select {
				case err := <-m.ended:
					if err != context.Canceled {
						t.Errorf("ended by %v", err)
					}
				case <-time.After(20 * time.Second):
					t.Fatal("the model goes on")
				}
				if got := c.call("search", args{"query": "lasting service"}); len(got["passages"].([]any)) == 0 {
					t.Error("the session does not go on")
				}
				if w.log.String() != "" {
					t.Errorf("the log has\n%s", w.log)
				}
			})
		}
	}
}
