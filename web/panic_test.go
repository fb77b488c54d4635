package web_test

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/web"
)

// startled is a retriever that is calm for so many searches, and then panics.
type startled struct {
	ibid.Retriever
	calm atomic.Int64
}

func (s *startled) Retrieve(ctx context.Context, q ibid.Query) ([]ibid.Passage, error) {
	if s.calm.Add(-1) < 0 {
		panic("startled by a whale")
	}
	return s.Retriever.Retrieve(ctx, q)
}

// A panic ends what it arose in, and nothing else: who asked is told, the log says where, and the server lives.
func TestPanicsEndOneRequest(t *testing.T) {
	retriever := &startled{}
	w := open(t, func(c *web.Config) {
		retriever.Retriever = c.Asker.Retriever
		c.Asker.Retriever = retriever
	}).cables()
	w.post("/api/v1/ask", map[string]any{"question": when}).want(500).says("its log says why")
	all := events(string(w.post("/api/v1/ask", map[string]any{"question": when}, "Accept", "text/event-stream").want(200).body))
	if done := lastOf(t, all); done.data != "null" || all[len(all)-2].kind != "error" {
		t.Errorf("events %+v", all)
	}
	w.post("/v1/chat/completions", map[string]any{"model": "m", "messages": []any{map[string]any{"role": "user", "content": "Why?"}}}).want(200).says(`"attributed":false`)
	told := func() bool {
		return strings.Count(w.log.String(), "startled by a whale") >= 3 && strings.Contains(w.log.String(), "panic_test.go")
	}
	if !told() {
		t.Errorf("the log does not say where: %s", w.log)
	}
	// What is compared behind an answer searches anew.
	w.post("/api/v1/experiments", map[string]any{"name": "x", "a": map[string]any{"passages": 4}, "b": map[string]any{"passages": 2}}).want(201)
	retriever.calm.Store(1)
	w.ask(when)
	soon(t, "the panic behind it", func() bool { return strings.Contains(w.log.String(), "work behind a request") })
	retriever.calm.Store(100)
	w.ask(when)
}

// Who reads a stream in which it arises is told: what came is not all there is.
func TestPanicsInAStreamAreTold(t *testing.T) {
	w := open(t, through(provider(t, said)), gated(t, "internal"), func(c *web.Config) { c.Asker.NewID = func() ibid.AnswerID { panic("startled by a whale") } })
	for _, f := range forms {
		r := w.send("POST", f.path, strings.NewReader(askedOf)).want(200).says(`"error":{`).says("its log says why")
		if strings.Contains(string(r.body), "startled") || strings.Contains(string(r.body), "[DONE]") || strings.Contains(string(r.body), "message_stop") || strings.Contains(string(r.body), "response.completed") {
			t.Errorf("%s: %s", f.name, r.body)
		}
	}
	if log := w.log.String(); strings.Count(log, "startled by a whale") < len(forms) {
		t.Errorf("the log does not say where: %s", log)
	}
}

// So it is with what goes on behind requests.
func TestPanicsBehindRequestsAreCaught(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Updated = func(context.Context) error { panic("startled by a whale") } })
	var job api.Job
	w.post("/api/v1/ingest?wait=30", map[string]any{"texts": []any{map[string]any{"name": "a.md", "text": "The cable failed."}}}).want(200).into(&job)
	if job.State != "failed" || job.Error != "the server failed; its log says why" {
		t.Errorf("job %+v", job)
	}
	w.get("/api/v1/jobs/" + job.ID).want(200).says(`"failed"`)
	if log := w.log.String(); !strings.Contains(log, "startled by a whale") || !strings.Contains(log, "panic_test.go") {
		t.Errorf("the log does not say where: %s", log)
	}
}

// miscounting is a model that does not know how much it wrote, and says so as some servers do.
type miscounting struct{}

func (miscounting) Generate(context.Context, ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		yield(ibid.Delta{Text: "It failed.", Model: "m", Usage: ibid.Usage{Input: 5, Output: -1}}, nil)
	}
}

// What a model tells of its tokens harms no answer.
func TestTokensBelowNone(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Asker.Model = miscounting{} }).cables()
	w.post("/api/v1/ask", map[string]any{"question": when}).want(200).says("It failed.")
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"id":"c1","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"It failed."}}],"usage":{"prompt_tokens":9223372036854775807,"input_tokens":5,"completion_tokens":-1}}`)
	}))
	t.Cleanup(p.Close)
	w = open(t, func(c *web.Config) { c.OpenAI = web.Provider{BaseURL: p.URL} })
	id := recordOf(t, w.send("POST", "/v1/chat/completions", strings.NewReader(askedOf)).want(200)).Answer
	var a ibid.Answer
	if w.get("/api/v1/answers/" + string(id)).want(200).into(&a); a.Usage.Input < 5 || a.Usage.Output != 0 {
		t.Errorf("on record is %+v", a.Usage)
	}
}
