package llm_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm"
)

// A server that leads to another host gets the model's key taken no further.
func TestKeyIsNotTakenElsewhere(t *testing.T) {
	asked := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer elsewhere.Close()
	leads := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer leads.Close()
	anthropic, err := llm.NewAnthropic("m", llm.AnthropicConfig{Key: "sk", BaseURL: leads.URL})
	if err != nil {
		t.Fatal(err)
	}
	openai, err := llm.NewOpenAI("m", llm.OpenAIConfig{Key: "sk", BaseURL: leads.URL})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []ibid.Model{anthropic, openai} {
		var last error
		for _, err := range m.Generate(t.Context(), ibid.Prompt{Question: "Why?"}) {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), "the key is not meant for that") || asked > 0 {
			t.Errorf("%T: asked %d times, %v", m, asked, last)
		}
	}
}
