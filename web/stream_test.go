package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/web"
)

func script(steps ...llmtest.Step) func(*web.Config) {
	return func(c *web.Config) { c.Asker.Model = &llmtest.Scripted{Steps: steps} }
}

func delta(s string) llmtest.Step { return llmtest.Step{Delta: ibid.Delta{Text: s, Model: "scripted"}} }

var asked = map[string]any{"question": when}

// Also where the server stops: its readers are still there when it ends what it does for them.
func TestStreamEndsWhereTheServerStops(t *testing.T) {
	w := open(t, script(delta("The cable was laid in 1858. "), llmtest.Step{Delay: time.Hour})).cables()
	answering, stop := context.WithCancelCause(t.Context())
	stopped := httptest.NewUnstartedServer(w.server)
	stopped.Config.BaseContext = func(net.Listener) context.Context { return answering }
	stopped.Start()
	t.Cleanup(stopped.Close)
	in, _ := begin(t, &world{Server: stopped, t: t}, "/api/v1/ask", `{"question":"When?"}`)
	read := until(t, in, "was laid in 1858")
	stop(http.ErrServerClosed)
	w.server.Close()
	rest, err := io.ReadAll(in)
	if done := lastOf(t, events(read+string(rest))); err != nil || !strings.Contains(done.data, `"incomplete":"interrupted before its end"`) {
		t.Errorf("%v: the stream ends with %s %s", err, done.kind, done.data)
	}
}

func TestStreamEndsWhereTheModelFails(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Asker.Model = llmtest.Fails(io.ErrUnexpectedEOF, "One is a number.") }).cables()
	all := events(string(w.post("/api/v1/ask", asked, "Accept", "text/event-stream").want(200).body))
	done := lastOf(t, all)
	if before := all[len(all)-2]; before.kind != "error" {
		t.Errorf("what went wrong is not said: %+v", all)
	}
	var a ibid.Answer
	json.Unmarshal([]byte(done.data), &a)
	if a.Incomplete == "" || string(w.get("/api/v1/answers/"+string(a.ID)).body) != done.data {
		t.Errorf("done says %s", done.data)
	}
}

func TestStreamEndsWhereNothingCame(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Asker.Model = llmtest.Fails(errors.New("open /home/secret: no")) }).cables()
	r := w.post("/api/v1/ask", asked, "Accept", "text/event-stream").want(200)
	all := events(string(r.body))
	if done := lastOf(t, all); done.data != "null" || all[len(all)-2].kind != "error" {
		t.Errorf("got %+v", all)
	}
	whole := w.post("/api/v1/ask", asked).want(500)
	if strings.Contains(string(r.body)+string(whole.body), "secret") {
		t.Error("what went wrong inside is told")
	}
	if !strings.Contains(w.log.String(), "secret") {
		t.Error("the log does not say what went wrong")
	}
}

// A reader who was cut off reads on where it was, and gets each event once.
func TestStreamIsTakenUpAgain(t *testing.T) {
	w := open(t, func(c *web.Config) {
		c.Asker.Model = &llmtest.Scripted{Reply: func(ibid.Prompt) []llmtest.Step {
			return []llmtest.Step{delta("The cable was laid in 1858. "), {Delta: ibid.Delta{}, Delay: 50 * time.Millisecond}, delta("It failed soon.")}
		}}
	}).cables()
	ctx, leave := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, "POST", w.URL+"/api/v1/ask", strings.NewReader(`{"question":"When?"}`))
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	stream := res.Header.Get("Ibid-Stream")
	first := ""
	for scan := bufio.NewScanner(res.Body); scan.Scan(); {
		first += scan.Text() + "\n"
		if strings.HasPrefix(scan.Text(), "data: {\"text\"") {
			first += "\n"
			break
		}
	}
	leave()
	res.Body.Close()
	had := events(first)
	rest := events(string(w.get("/api/v1/streams/"+stream, "Last-Event-ID", had[len(had)-1].id).want(200).body))
	whole := events(string(w.get("/api/v1/streams/" + stream).want(200).body))
	lastOf(t, rest)
	if fmt.Sprint(append(had, rest...)) != fmt.Sprint(whole) {
		t.Errorf("had %v, then %v, the whole is %v", had, rest, whole)
	}
	var a ibid.Answer
	json.Unmarshal([]byte(lastOf(t, whole).data), &a)
	if a.Incomplete != "" || a.Text != "The cable was laid in 1858. It failed soon." {
		t.Errorf("the answer was cut: %+v", a)
	}
}

// An answer without a reader goes on for a while, then is cut and recorded as far as it came.
func TestAnswerOfAClientThatLeftIsRecorded(t *testing.T) {
	w := open(t, script(delta("The cable was laid in 1858. "), llmtest.Step{Delay: time.Hour}), func(c *web.Config) { c.Linger = 10 * time.Millisecond }).cables()
	ctx, leave := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, "POST", w.URL+"/api/v1/ask", strings.NewReader(`{"question":"When?"}`))
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	for scan := bufio.NewScanner(res.Body); scan.Scan() && !strings.Contains(scan.Text(), "The cable"); {
	}
	leave()
	res.Body.Close()
	var list struct{ Items []struct{ ID string } }
	for len(list.Items) == 0 {
		w.get("/api/v1/answers").into(&list)
	}
	if a := string(w.get("/api/v1/answers/" + list.Items[0].ID).body); !strings.Contains(a, `"incomplete":"interrupted before its end"`) || !strings.Contains(a, "The cable") {
		t.Errorf("recorded %s", a)
	}
}

// The end of the server is the end of its streams, and their readers are told.
func TestCloseEndsStreams(t *testing.T) {
	w := open(t, script(delta("The cable was laid in 1858. "), llmtest.Step{Delay: time.Hour})).cables()
	in, _ := begin(t, w, "/api/v1/ask", `{"question":"When?"}`)
	read := until(t, in, "was laid in 1858")
	w.server.Close()
	rest, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	if done := lastOf(t, events(read+string(rest))); !strings.Contains(done.data, `"incomplete"`) {
		t.Errorf("the stream ended with %s", done.data)
	}
}

func TestQuietStreamIsKeptAlive(t *testing.T) {
	w := open(t, script(delta("One is a number. "), llmtest.Step{Delay: 200 * time.Millisecond, Delta: ibid.Delta{Text: "Two."}}), func(c *web.Config) { c.KeepAlive = 10 * time.Millisecond }).cables()
	r := w.post("/api/v1/ask", asked, "Accept", "text/event-stream").want(200)
	if n := strings.Count(string(r.body), ": still here"); n < 2 {
		t.Errorf("%d signs of life in %s", n, r.body)
	}
}

// A client that sends half of its request is not waited for.
func TestSlowRequestIsGivenUp(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Patience = 50 * time.Millisecond })
	for _, head := range []string{"", "Idempotency-Key: k\r\n"} {
		conn, err := net.Dial("tcp", w.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, "POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+head+"Content-Length: 100\r\n\r\n{\"que")
		conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.Contains(line, "408") {
			t.Errorf("got %q, %v", line, err)
		}
		conn.Close()
	}
}

// A thousand answers stream at the same time, and each reader gets all of its own.
func TestThousandStreams(t *testing.T) {
	const n = 1000
	all := make(chan struct{})
	var here sync.WaitGroup
	here.Add(n)
	go func() { here.Wait(); close(all) }()
	w := open(t, func(c *web.Config) {
		c.Limits.PerSecond = -1
		c.Asker.Model = &waiting{here: &here, all: all}
	}).cables()
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0}}
	var wg sync.WaitGroup
	failed := make(chan string, n)
	for i := range n {
		wg.Go(func() {
			req, _ := http.NewRequest("POST", w.URL+"/api/v1/ask", strings.NewReader(fmt.Sprintf(`{"question":"number %d"}`, i)))
			req.Header.Set("Accept", "text/event-stream")
			req.Header.Set("Content-Type", "application/json")
			res, err := client.Do(req)
			if err != nil {
				failed <- err.Error()
				return
			}
			defer res.Body.Close()
			b, err := io.ReadAll(res.Body)
			got := events(string(b))
			if err != nil || len(got) == 0 || got[len(got)-1].kind != "done" || !strings.Contains(got[len(got)-1].data, fmt.Sprintf(`This is number %d.`, i)) {
				failed <- fmt.Sprintf("stream %d: %v %s", i, err, clip(b))
			}
		})
	}
	wg.Wait()
	close(failed)
	for f := range failed {
		t.Error(f)
		break
	}
}

// waiting is a model that ends no answer before all have begun.
type waiting struct {
	here *sync.WaitGroup
	all  chan struct{}
}

func (m *waiting) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		if !yield(ibid.Delta{Text: "This is ", Model: "waiting"}, nil) {
			return
		}
		m.here.Done()
		select {
		case <-m.all:
		case <-ctx.Done():
			yield(ibid.Delta{}, ctx.Err())
			return
		}
		yield(ibid.Delta{Text: p.Messages[len(p.Messages)-1].Text + "."}, nil)
	}
}

// failing finds nothing.
type failing struct{}

func (failing) Retrieve(context.Context, ibid.Query) ([]ibid.Passage, error) {
	return nil, errors.New("the secret index is gone")
}
