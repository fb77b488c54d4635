package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/workflow"
)

// What shows nothing is no question, no claim and no answer.
func TestBlankIsRefused(t *testing.T) {
	w := open(t)
	for _, s := range []string{" ", "\t\n", "\x00", "\u200b\u2060", "\u202e"} {
		w.post("/api/v1/ask", map[string]any{"question": s}).want(422).points("body.question")
		w.post("/api/v1/think", map[string]any{"question": s}).want(422).points("body.question")
		w.post("/api/v1/argue", map[string]any{"claim": s}).want(422).points("body.claim")
		w.post("/api/v1/studies", map[string]any{"topic": s}).want(422).points("body.topic")
		w.post("/api/v1/attribute", map[string]any{"answer": s, "sources": []any{}}).want(422).points("body.answer")
	}
	for _, cursor := range []string{"zzz", "AAAA", "_-_-"} {
		w.get("/api/v1/answers?cursor=" + cursor).want(422).points("query.cursor")
	}
}

// What no operation reads is not taken in silence: who sends it would believe that it counted.
func TestBodyThatNobodyReadsIsRefused(t *testing.T) {
	w := logged(t, "internal")
	for _, path := range []string{"/api/v1/audit/verify", "/api/v1/runs", "/api/v1/studies/none/resume", "/api/v1/experiments/none/stop"} {
		w.post(path, map[string]any{"checkpoint": "x"}).want(422).points("body").says("takes no body")
		w.post(path, []int{1}).want(422).points("body")
	}
	for range 2 { // nothing is nothing, in whichever words, and again under the same key
		for _, nothing := range []any{nil, struct{}{}} {
			w.post("/api/v1/runs", nothing, "Idempotency-Key", fmt.Sprint(nothing)).want(201)
		}
	}
}

// A source that is not there is pointed at, among many.
func TestSourceThatIsNotThereIsPointedAt(t *testing.T) {
	w := open(t).cables()
	var list struct{ Items []struct{ ID string } }
	w.get("/api/v1/sources").want(200).into(&list)
	w.post("/api/v1/ask", map[string]any{"question": "Where?", "sources": []string{list.Items[0].ID, "none"}}).want(404).points("body.sources[1]")
}

// A stream is not taken up behind its last event: who asks for that would wait for an end that does not come.
func TestStreamIsNotTakenUpBehindItsEnd(t *testing.T) {
	w := open(t).cables()
	r := w.post("/api/v1/ask", asked, "Accept", "text/event-stream").want(200)
	id, all := r.header.Get("Ibid-Stream"), events(string(r.body))
	w.get("/api/v1/streams/"+id, "Last-Event-ID", fmt.Sprintf("%s.%d", id, len(all)+1)).want(422).points("header.Last-Event-ID")
	w.get("/api/v1/streams/"+id, "Last-Event-ID", all[len(all)-1].id).want(200)
}

// A request of the gateway that is sent again with its key is answered the same, streamed or not, and done once.
func TestGatewayAnswersOnce(t *testing.T) {
	w := open(t, through(provider(t, said)), gated(t, "internal"))
	answered := 0
	for _, path := range []string{"/v1/chat/completions", "/v1/messages", "/v1/responses"} {
		for _, stream := range []bool{false, true} {
			body := map[string]any{"model": "m", "max_tokens": 9, "stream": stream, "messages": json.RawMessage(messages), "input": json.RawMessage(messages)}
			key := fmt.Sprint(path, stream)
			first := w.post(path, body, "Idempotency-Key", key).want(200)
			again := w.post(path, body, "Idempotency-Key", key).want(200)
			if string(first.body) != string(again.body) || again.header.Get("Content-Type") != first.header.Get("Content-Type") || again.header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("%s: first %s, again %s", key, clip(first.body), clip(again.body))
			}
			answered++
			body["max_tokens"] = 10
			w.post(path, body, "Idempotency-Key", key).want(422)
		}
	}
	var list struct{ Items []struct{ ID string } }
	w.get("/api/v1/answers").want(200).into(&list)
	if len(list.Items) != answered {
		t.Errorf("%d answers on record for %d requests", len(list.Items), answered)
	}
}

// What a field lacks is said, without the word for the kind of error.
func TestFaultsOfReferencesAreSaidInWords(t *testing.T) {
	r := open(t).post("/api/v1/cite", map[string]any{"style": "apa", "references": []any{map[string]any{"id": "a", "type": "book", "issued": map[string]any{"date-parts": []any{[]any{"x"}}}}}}).want(422)
	if !strings.Contains(string(r.body), "issued is not a date") || strings.Contains(string(r.body), ibid.ErrInvalid.Error()+`"`) {
		t.Errorf("got %s", r.body)
	}
}

// patient is a judge that takes its time.
type patient struct{}

func (patient) Judge(ctx context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// Work that takes too long ends, and says what to do.
func TestWorkIsBounded(t *testing.T) {
	w := open(t, func(c *web.Config) {
		c.Limits.Longest = 50 * time.Millisecond
		c.Asker.Attributor = attribute.New(attribute.Config{Judge: patient{}, Always: true})
	})
	w.post("/api/v1/attribute", map[string]any{"answer": "The cable failed.", "sources": []any{map[string]any{"text": "They say the cable failed."}}}).want(503).says("send less at once")
	w.post("/api/v1/attribute", map[string]any{"answer": strings.Repeat("word ", 50_000), "sources": []any{}}).want(422).points("body.answer")
}

// Who sends what is to be worked on slowly keeps nobody from working.
func TestSlowSendersTakeNoPlace(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Limits.Working, c.Limits.Waiting = 1, 1 })
	for path, head := range map[string]string{
		"/api/v1/attribute": "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
		"/api/v1/read":      "Content-Type: multipart/form-data; boundary=X\r\nContent-Length: 100\r\n\r\n--X\r\n",
	} {
		for range 4 {
			conn, err := net.Dial("tcp", w.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\n%s", path, w.Listener.Addr(), head)
		}
	}
	soon(t, "the slow ones at work", func() bool { return len(waitingForABody()) == 8 })
	w.post("/api/v1/attribute", map[string]any{"answer": "The cable failed.", "sources": []any{map[string]any{"text": "The cable failed."}}}).want(200)
}

// waitingForABody gives the stacks of requests whose body does not come.
func waitingForABody() (out []string) {
	b := make([]byte, 4<<20)
	for _, g := range strings.Split(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if strings.Contains(g, "(*Server).admit") && strings.Contains(g, "(*body).Read") {
			out = append(out, g)
		}
	}
	return out
}

// The gateway waits no longer for it: the answer passes and is on record, as one that could not be attributed.
func TestGatewayWorkIsBounded(t *testing.T) {
	w := open(t, through(provider(t, said)), gated(t, "development"), func(c *web.Config) {
		c.Limits.Longest = 50 * time.Millisecond
		c.Asker.Attributor = attribute.New(attribute.Config{Judge: patient{}, Always: true})
	})
	throughAll(t, w, func(t *testing.T, r reply) {
		if !strings.Contains(string(r.want(200).body), "whales") || !strings.Contains(string(r.body), `"attributed":false`) {
			t.Errorf("got %s", clip(r.body))
		}
		var a ibid.Answer
		w.get("/api/v1/answers/" + recordOf(t, r).Answer).want(200).into(&a)
		if a.Text != said || len(a.Segments) != 1 || a.Segments[0].Origin != ibid.LLM || a.Incomplete != "" {
			t.Errorf("on record is %q, incomplete %q: %+v", a.Text, a.Incomplete, a.Segments)
		}
	})
}

// endless is a provider that says the same as long as anyone listens, or so many bytes at once.
func endless(t *testing.T, sentence string, bytes int) *httptest.Server {
	quoted, _ := json.Marshal(sentence)
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"stream":true`) {
			whole, _ := json.Marshal(strings.Repeat(sentence, bytes/len(sentence)))
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%s}}]}`, whole)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for n := 0; n < bytes; n += len(sentence) {
			if _, err := fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", quoted); err != nil {
				return
			}
		}
		io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(p.Close)
	return p
}

// An answer that is too long to be attributed passes and is recorded as what it is: words without a source. One without an
// end is ended.
func TestGatewayBoundsAnswers(t *testing.T) {
	sentence := strings.Repeat("The cable was long ", 200) + ". "
	send := func(p *httptest.Server, stream bool) reply {
		w := open(t, func(c *web.Config) { c.OpenAI = web.Provider{BaseURL: p.URL} })
		r := w.post("/v1/chat/completions", map[string]any{"model": "m", "stream": stream, "messages": []any{map[string]any{"role": "user", "content": "<document>" + context1 + "</document> How long?"}}}).want(200)
		var list struct{ Items []struct{ ID string } }
		soon(t, "a record", func() bool { w.get("/api/v1/answers").want(200).into(&list); return len(list.Items) > 0 })
		var a ibid.Answer
		w.get("/api/v1/answers/" + list.Items[0].ID).want(200).into(&a)
		if len(a.Segments) != 1 || a.Segments[0].Origin != ibid.LLM || len(a.Text) < 1<<20 {
			t.Errorf("on record are %d segments of %d bytes", len(a.Segments), len(a.Text))
		}
		if (len(a.Text) > 2<<20) != (a.Incomplete != "") {
			t.Errorf("%d bytes are incomplete: %q", len(a.Text), a.Incomplete)
		}
		return r
	}
	for _, stream := range []bool{false, true} {
		if r := send(endless(t, sentence, 1100<<10), stream); !strings.Contains(string(r.body), `"attributed":false`) || strings.Count(string(r.body), "The cable was long") < 1100<<10/20 {
			t.Errorf("streamed %v: it did not pass: %s", stream, clip(r.body))
		}
	}
	if r := send(endless(t, sentence, 8<<20), true); len(r.body) > 4<<20 || strings.Contains(string(r.body), "[DONE]") || !strings.Contains(string(r.body), "data: {\"error\":{\"code\":null,\"message\":\"the provider's answer is too long; what came is on record as answer ") {
		t.Errorf("an endless answer passed %d bytes", len(r.body))
	}
}

// What is wrong with a body is said in the form that the caller's client reads, and in words of no programming language.
func TestBodiesAreRefusedInTheRightForm(t *testing.T) {
	w := open(t, through(provider(t, said)))
	large := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("a", 33<<20) + `"}]}`
	for path, kind := range map[string]string{"/v1/chat/completions": `"type":"invalid_request_error"`, "/v1/messages": `"type":"request_too_large"`, "/v1/responses": `"type":"invalid_request_error"`} {
		for _, headers := range [][]string{nil, {"Idempotency-Key", "k" + path}} {
			w.send("POST", path, strings.NewReader(large), headers...).want(413).says(kind).says("larger than 32 MB")
		}
		w.send("POST", path, strings.NewReader("")).want(400).says(`"error"`)
		w.send("POST", path, strings.NewReader("{"), "Content-Type", "text/plain").want(400).says(`"error"`)
		r := w.post(path, map[string]any{"input": "x", "messages": []any{map[string]any{"role": "user", "content": "x"}}, "ibid": map[string]any{"sources": []any{map[string]any{"text": 5}}}}).want(422).says("sources.text")
		if strings.Contains(string(r.body), "Go ") || strings.Contains(string(r.body), "Form") {
			t.Errorf("%s: %s", path, r.body)
		}
	}
	for path, body := range map[string]string{"/api/v1/think": `{"question":"a","steps":1e400}`, "/api/v1/ask": `[]`, "/api/v1/check": `{"items":[5]}`} {
		r := w.send("POST", path, strings.NewReader(body))
		if r.status < 400 || r.status >= 500 || strings.Contains(string(r.body), "Go ") || strings.Contains(string(r.body), "unmarshal") {
			t.Errorf("%s: %d %s", path, r.status, clip(r.body))
		}
	}
}

// A request that breaks off before its end is the sender's fault, and nothing of it is done: not a failure of the server, which
// its log would tell of, and no run that was never fully asked for.
func TestCutRequestsAreRefused(t *testing.T) {
	var log strings.Builder
	w := open(t, through(provider(t, said)), func(c *web.Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError}))
	})
	for _, path := range []string{"/api/v1/ask", "/api/v1/think", "/api/v1/attribute", "/api/v1/ingest", "/api/v1/runs", "/api/chat", "/v1/messages", "/api/v1/upload"} {
		kind, body := "application/json", `{"question":"Wh`
		if path == "/api/v1/upload" {
			kind, body = "multipart/form-data; boundary=X", "--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nThe ca"
		}
		for _, length := range []string{"Content-Length: 500\r\n\r\n" + body, "Transfer-Encoding: chunked\r\n\r\nfff\r\n" + body} {
			conn, err := net.Dial("tcp", w.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n%s", path, w.Listener.Addr(), kind, length)
			conn.(*net.TCPConn).CloseWrite()
			got, err := io.ReadAll(conn)
			conn.Close()
			if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 400 ") || !strings.Contains(string(got), "breaks off before its end") {
				t.Errorf("%s: %v %s", path, err, clip(got))
			}
		}
	}
	if log.Len() > 0 {
		t.Errorf("the log tells of %s", log.String())
	}
	var runs struct{ Items []any }
	if w.get("/api/v1/runs").into(&runs); len(runs.Items) > 0 {
		t.Errorf("there are runs: %v", runs.Items)
	}
}

// What is refused says what to send in its place.
func TestRefusedBodiesSayWhatToSend(t *testing.T) {
	w := open(t)
	w.send("POST", "/api/v1/ask", strings.NewReader("question=x"), "Content-Type", "application/x-www-form-urlencoded").want(415).says("application/x-www-form-urlencoded").says("Content-Type: application/json")
	w.send("POST", "/api/v1/ask", strings.NewReader(`{"question":"x"}`), "Content-Type", "text/plain").want(415).says("Content-Type: application/json")
	w.send("POST", "/api/v1/ask", strings.NewReader(`{"question":"x"}`), "Content-Type", "application/vnd.api+json; charset=utf-8").want(200)
	w.send("POST", "/api/v1/ask", strings.NewReader(`{"question":"`+strings.Repeat("x", 1<<20)+`"}`)).want(413).says("larger than 1 MB")
	w.get("/api/v1/nowhere").want(404).says("/docs lists")
}

// A message of megabytes is passed on whole, and its beginning is on record as the question.
func TestGatewayBoundsTheQuestion(t *testing.T) {
	p := provider(t, said)
	w := open(t, through(p))
	long := strings.Repeat("Why did it fail? ", 1<<20/16)
	r := w.post("/v1/chat/completions", map[string]any{"model": "m", "messages": []any{map[string]any{"role": "user", "content": long}}}).want(200)
	var a ibid.Answer
	w.get("/api/v1/answers/" + recordOf(t, r).Answer).want(200).into(&a)
	if len(a.Question) != 20_000 || len(*p.got.Load()) < len(long) {
		t.Errorf("%d bytes are on record as the question, %d were passed on of %d", len(a.Question), len(*p.got.Load()), len(long))
	}
}

// Ingestions that nobody waits for run a few at a time, wait in a bounded number, and hold a bounded number of bytes: else who
// sends them one after the other fills the memory.
func TestIngestionsAreBounded(t *testing.T) {
	hold := make(chan struct{})
	var mu sync.Mutex
	running, most := 0, 0
	w := open(t, func(c *web.Config) {
		c.Limits = web.Limits{Jobs: 2, Waiting: 4, Bytes: 4 << 20}
		c.Fetch = func(ctx context.Context, _ string) (workflow.Content, error) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			select {
			case <-hold:
			case <-ctx.Done():
			}
			mu.Lock()
			running--
			mu.Unlock()
			return workflow.Content{Body: io.NopCloser(strings.NewReader("The cable failed.")), MediaType: "text/plain"}, nil
		}
	})
	var jobs []string
	send := func(body map[string]any, status int) {
		t.Helper()
		r := w.post("/api/v1/ingest", body).want(status)
		if status == 429 {
			if r.header.Get("Retry-After") == "" {
				t.Error("it is not said when to come again")
			}
			return
		}
		var job struct{ ID string }
		r.into(&job)
		jobs = append(jobs, job.ID)
	}
	page := func(n int) map[string]any {
		return map[string]any{"urls": []string{fmt.Sprintf("https://example.org/%d", n)}}
	}
	text := func(n int) map[string]any {
		return map[string]any{"texts": []any{map[string]any{"name": fmt.Sprint(n), "text": strings.Repeat("It held. ", 120_000)}}}
	}
	for n := range 2 {
		send(page(n), 202)
	}
	send(text(0), 202) // a megabyte each, and as much while it is sent
	send(text(1), 202)
	send(text(2), 429)
	send(page(2), 202)
	send(page(3), 202)
	send(page(4), 429)
	close(hold)
	for _, id := range jobs {
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			var job struct{ State, Error string }
			if w.get("/api/v1/jobs/" + id).want(200).into(&job); job.State == "done" {
				break
			}
			if time.Now().After(end) || job.State == "failed" {
				t.Fatalf("job %s: %+v", id, job)
			}
		}
	}
	if most > 2 {
		t.Errorf("%d ran at the same time", most)
	}
	jobs = nil
	send(text(2), 202) // there is room again
}

// Uploads that arrive at the same time are bounded: each may hold megabytes of fields in memory, however slowly it comes.
func TestUploadsAreBounded(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Limits = web.Limits{Uploads: 1} })
	const form, media = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\r\nThe cable failed.\r\n--b--\r\n", "multipart/form-data; boundary=b"
	slow, rest := io.Pipe()
	defer rest.Close()
	admitted, first := make(chan bool, 1), make(chan int, 1)
	go func() {
		// It is asked for its form where it is let in, which is before a byte of it is sent.
		heard := &httptrace.ClientTrace{Got100Continue: func() { admitted <- true }}
		req, _ := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), heard), "POST", w.URL+"/api/v1/upload?wait=30", slow)
		req.Header.Set("Content-Type", media)
		req.Header.Set("Expect", "100-continue")
		res, err := (&http.Transport{ExpectContinueTimeout: time.Hour}).RoundTrip(req)
		if err != nil {
			first <- 0
			return
		}
		res.Body.Close()
		first <- res.StatusCode
	}()
	select {
	case <-admitted:
	case code := <-first:
		t.Fatalf("the first: status %d", code)
	}
	if r := w.send("POST", "/api/v1/upload?wait=30", strings.NewReader(form), "Content-Type", media); r.status != 429 || r.header.Get("Retry-After") == "" {
		t.Errorf("two at once: status %d, retry after %q", r.status, r.header.Get("Retry-After"))
	}
	io.WriteString(rest, form)
	rest.Close()
	if code := <-first; code != 200 {
		t.Errorf("the first: status %d", code)
	}
	w.send("POST", "/api/v1/upload?wait=30", strings.NewReader(form), "Content-Type", media).want(200)
}
