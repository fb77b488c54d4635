package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/web"
)

// brief is a patience that an answer of these tests outlasts.
const brief = 150 * time.Millisecond

func impatient(c *web.Config) { c.Patience = brief }

// Patience is with who sends, and ends with the request: an answer may take as long as it takes.
func TestAnswersMayTakeLongerThanRequests(t *testing.T) {
	t.Parallel()
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		form := forms[0]
		switch r.URL.Path {
		case "/v1/messages":
			form = forms[1]
		case "/v1/responses":
			form = forms[2]
		}
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"stream":true`) {
			time.Sleep(3 * brief)
			w.Header().Set("Content-Type", "application/json")
			switch form.name {
			case "OpenAI":
				io.WriteString(w, `{"model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"It failed in 1858."}}]}`)
			case "Responses":
				io.WriteString(w, respondedWith("It failed in 1858."))
			default:
				io.WriteString(w, `{"model":"m","type":"message","content":[{"type":"text","text":"It failed in 1858."}]}`)
			}
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, form.begin)
		fmt.Fprintf(w, form.piece, `"It failed "`)
		w.(http.Flusher).Flush()
		time.Sleep(3 * brief)
		fmt.Fprintf(w, form.piece, `"in 1858."`)
		io.WriteString(w, form.end)
	}))
	t.Cleanup(slow.Close)
	w := open(t, impatient, script(delta("It failed "), llmtest.Step{Delay: 3 * brief, Delta: ibid.Delta{Text: "in 1858."}}), func(c *web.Config) {
		c.OpenAI, c.Anthropic = web.Provider{BaseURL: slow.URL + "/v1"}, web.Provider{BaseURL: slow.URL}
		c.Asker.Attributor = attribute.New(attribute.Config{})
	}).cables()
	throughAll(t, w, func(t *testing.T, r reply) {
		var a ibid.Answer
		w.get("/api/v1/answers/" + recordOf(t, r.want(200)).Answer).want(200).into(&a)
		if a.Text != "It failed in 1858." || a.Incomplete != "" {
			t.Errorf("on record is %q, incomplete %q", a.Text, a.Incomplete)
		}
	})
	for _, headers := range [][]string{nil, {"Accept", "text/event-stream"}, {"Idempotency-Key", "k"}} {
		w.t = t
		if r := w.post("/api/v1/ask", asked, headers...).want(200); !strings.Contains(string(r.body), "failed in 1858.") || strings.Contains(string(r.body), `"incomplete"`) {
			t.Errorf("with %q: %s", headers, clip(r.body))
		}
	}
}

// Nor does it end work that takes longer.
func TestWorkMayTakeLongerThanRequests(t *testing.T) {
	w := open(t, impatient, func(c *web.Config) {
		c.Asker.Attributor = attribute.New(attribute.Config{Judge: thoughtful{}, Always: true})
	})
	w.post("/api/v1/attribute", map[string]any{"answer": "The cable failed.", "sources": []any{map[string]any{"text": "They say the cable failed."}}}).want(200)
}

// A file may take longer than other requests do, as long as it keeps coming.
func TestLargeFilesMayTakeLonger(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	w := open(t, func(c *web.Config) { c.Patience = 2 * time.Second })
	const pieces = 4
	for _, headers := range [][]string{nil, {"Idempotency-Key", "k"}} {
		body, line := io.Pipe()
		go func() {
			io.WriteString(line, "--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n")
			for range pieces {
				time.Sleep(3 * time.Second / pieces)
				io.WriteString(line, strings.Repeat("The cable failed in 1858.\n", 1<<20/20))
			}
			io.WriteString(line, "\r\n--X--\r\n")
			line.Close()
		}()
		w.send("POST", "/api/v1/upload", body, append(headers, "Content-Type", "multipart/form-data; boundary=X")...).want(202)
	}
}

// What is left of an upload that is refused lies nowhere, and who stops sending is told.
func TestUploadThatIsRefusedLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	w := open(t, impatient)
	file := "--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n" + strings.Repeat("The cable failed in 1858.\n", 4000)
	send := func(path, body string, more io.Reader) reply {
		return w.send("POST", path, io.MultiReader(strings.NewReader(body), more), "Content-Type", "multipart/form-data; boundary=X")
	}
	silence, line := io.Pipe()
	defer line.Close()
	for _, path := range []string{"/api/v1/upload", "/api/v1/read"} {
		send(path, file, silence).want(408).says("did not arrive in time")
		send(path, file, strings.NewReader("")).want(400).says("the form cannot be read")
	}
	send("/api/v1/upload?wait=100", file+"\r\n--X--\r\n", strings.NewReader("")).want(422).points("query.wait")
	send("/api/v1/read", file+"\r\n--X--\r\n", strings.NewReader("")).want(200)
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// thoughtful takes its time.
type thoughtful struct{}

func (thoughtful) Judge(ctx context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	select {
	case <-time.After(3 * brief):
		return make([]ibid.Judgement, len(pairs)), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
