package web_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/mcp"
	"github.com/ibid-dev/ibid/web"
)

// withTools serves the tools beside the API.
func withTools(t *testing.T) func(*web.Config) {
	return func(c *web.Config) {
		service, err := mcp.New(mcp.Config{Asker: c.Asker, Store: c.Store, Updated: c.Updated, Log: c.Log})
		if err != nil {
			t.Fatal(err)
		}
		c.Tools = service.Handler
	}
}

// keyed sends a key with every request.
type keyed struct{ authorization string }

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	if k.authorization != "" {
		r.Header.Set("Authorization", k.authorization)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (w *world) tools(header string) (*sdk.ClientSession, error) {
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(),
		&sdk.StreamableClientTransport{Endpoint: w.URL + "/mcp", DisableStandaloneSSE: true, HTTPClient: &http.Client{Transport: keyed{header}}}, nil)
	if err == nil {
		w.t.Cleanup(func() { session.Close() })
	}
	return session, err
}

// The tools stand behind the same keys as the API: none without a key, writing with a key that writes, one collection for a key
// of one.
func TestToolsStandBehindKeys(t *testing.T) {
	w := open(t, withTools(t)).cables()
	w.server.Open = false
	if _, err := w.tools(""); err == nil {
		t.Error("no key is needed")
	}
	if _, err := w.tools("Bearer ibid_0000_aaaa"); err == nil {
		t.Error("any key goes")
	}
	read, _ := w.key(api.Read)
	write, _ := w.key(api.Write, "other")
	for _, test := range []struct {
		header string
		writes bool
		found  int
	}{{read, false, 8}, {write, true, 0}} {
		c, err := w.tools(test.header)
		if err != nil {
			t.Fatal(err)
		}
		list, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		for name, writes := range map[string]bool{"search": false, "find": false, "export": false, "record": true, "ingest": true, "research": true, "run_claim": true} {
			if slices.Contains(names, name) != (test.writes || !writes) {
				t.Errorf("%s is offered wrongly, or not: %q", name, names)
			}
		}
		res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "search", Arguments: map[string]any{"query": "the first transatlantic cable"}})
		if err != nil || res.IsError {
			t.Fatal(err, res)
		}
		if found := res.StructuredContent.(map[string]any)["passages"].([]any); len(found) != test.found {
			t.Errorf("found %d passages", len(found))
		}
	}
	w.send("POST", "/mcp", strings.NewReader(strings.Repeat(" ", 9<<20)), "Authorization", read, "Content-Type", "application/json").want(413)
	w.send("POST", "/mcp", strings.NewReader(`{}`)).want(401)
	w.send("POST", "/mcp", strings.NewReader(`{}`), "Authorization", read, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site").want(403)
}

// What a tool tells of its progress comes through the server before its result.
func TestProgressComesThroughTheServer(t *testing.T) {
	w := open(t, withTools(t)).cables()
	key, _ := w.key(api.Read)
	told := make(chan string, 100)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { told <- r.Params.Message }}).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: w.URL + "/mcp", DisableStandaloneSSE: true, HTTPClient: &http.Client{Transport: keyed{key}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	call := &sdk.CallToolParams{Name: "ask", Arguments: map[string]any{"question": "When was the first transatlantic cable completed?"}}
	call.SetProgressToken(1)
	if res, err := session.CallTool(t.Context(), call); err != nil || res.IsError {
		t.Fatal(err, res)
	}
	if len(told) == 0 {
		t.Error("nothing was told")
	}
}
