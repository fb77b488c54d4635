package web_test

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/web"
)

// What the gate refuses does not leave the server, whole or streamed, and the caller is told why.
func TestRefusedAnswerDoesNotLeave(t *testing.T) {
	w := open(t, func(c *web.Config) {
		p, err := gate.Preset("production")
		if err != nil {
			t.Fatal(err)
		}
		p.Default.Trust = ibid.ToolBoundary // which no answer of a library reaches
		c.Asker.Gate.Policy = &p
	}).cables()
	a := w.ask(when)
	if a.Text != "" || len(a.Segments) > 0 || len(a.Citations) > 0 || a.Verdict == nil || a.Verdict.Pass {
		t.Errorf("%q, %+v", a.Text, a.Verdict)
	}
	stream := string(w.post("/api/v1/ask", map[string]any{"question": when}, "Accept", "text/event-stream").want(200).body)
	if strings.Contains(stream, "event: text") || strings.Contains(stream, "event: segment") || !strings.Contains(stream, "Attribution coverage 0.00% below threshold 100%") || !strings.Contains(stream, `"status":422`) {
		t.Error(stream)
	}
}
