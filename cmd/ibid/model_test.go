package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The traffic of a language model is scripted: a local server speaks the form of the chat completions API.
func TestAskThroughALanguageModel(t *testing.T) {
	var mu sync.Mutex // the server's goroutines and the test's share these
	var asked string
	cut := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		asked = string(b)
		if strings.Contains(asked, `"wrong"`) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"error":{"message":"The model wrong does not exist","code":"model_not_found"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"The cable was comp", "leted on 5 August 1858 [CTX", " 1]. ", "Its keeper in Dublin adored yellow tulips [CTX 7]. ", "I hope this helps!"} {
			j, _ := json.Marshal(piece)
			fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"model\":\"scripted-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", j)
		}
		if !cut {
			io.WriteString(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"model\":\"scripted-1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		}
	}))
	defer server.Close()

	data, exe := t.TempDir(), program(t)
	note := filepath.Join(t.TempDir(), "cable.md")
	if err := os.WriteFile(note, []byte("# Landing\n\nThe cable was completed on 5 August 1858. Crowds came to Knightstown.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(model string, args ...string) (string, int) {
		cmd := ibidCommand(t.Context(), exe, data, args...)
		cmd.Env = append(cmd.Env, "IBID_PROVIDER=openai", "IBID_MODEL="+model, "IBID_BASE_URL="+server.URL, "OPENAI_API_KEY=test")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.Run()
		return out.String(), cmd.ProcessState.ExitCode()
	}
	if out, code := run("any", "ingest", note); code != 0 {
		t.Fatal(out)
	}
	out, code := run("any", "ask", "When was the cable completed?")
	mu.Lock()
	given := asked
	mu.Unlock()
	if code != 0 || !strings.Contains(given, "Crowds came to Knightstown") {
		t.Fatalf("exit %d: %s\nthe model was asked %s", code, out, given)
	}
	for _, want := range []string{"5 August 1858.¹", "yellow tulips.◇", "helps!\n", "model: scripted-1", "marked as from a source, and no source says so"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if strings.Contains(out, "CTX") {
		t.Errorf("a marker is shown:\n%s", out)
	}
	mu.Lock()
	cut = true
	mu.Unlock()
	if out, code := run("any", "ask", "When was the cable completed?"); code != 1 || !strings.Contains(out, "5 August 1858.¹") || !strings.Contains(out, "incomplete:") {
		t.Errorf("a cut stream: exit %d\n%s", code, out)
	}
	if out, code := run("wrong", "ask", "When?"); code != 1 || !strings.Contains(out, "wrong") {
		t.Errorf("a wrong model: exit %d\n%s", code, out)
	}
}
