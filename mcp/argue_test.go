package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/api"
)

// A claim is argued from the library: every statement has its words there, both sides are weighed, and the map of what was argued is
// given again by its id, drawn where that is asked for.
func TestArgue(t *testing.T) {
	w := open(t).cables()
	c := w.client(reader)
	tool := c.tools()["argue"]
	got := c.call("argue", args{"claim": "Lasting service began in 1866"})
	fits(t, tool, got)
	sources := got["sources"].([]any)
	statements := got["statements"].([]any)
	if len(statements) == 0 || len(sources) == 0 || got["entry"] == nil || got["svg"] != nil {
		t.Fatalf("argued %v", got)
	}
	library := fmt.Sprint(c.call("search", args{"query": "When did lasting service begin?", "limit": 50}))
	for _, v := range statements {
		for _, p := range v.(map[string]any)["places"].([]any) {
			place := p.(map[string]any)
			if n := int(place["source"].(float64)); n < 1 || n > len(sources) || !strings.Contains(library, place["quote"].(string)) {
				t.Errorf("%v stands nowhere", place)
			}
		}
	}
	again := c.call("argue", args{"answer": got["id"], "draw": true})
	fits(t, tool, again)
	if !strings.HasPrefix(again["svg"].(string), "<svg") {
		t.Errorf("drawn %.100v", again["svg"])
	}
	if delete(again, "svg"); fmt.Sprint(again) != fmt.Sprint(got) {
		t.Errorf("argued\n%v\nthen\n%v", got, again)
	}
	asked := c.call("ask", args{"question": "When did lasting service begin?"})
	if said := c.refused("argue", args{"answer": asked["id"]}); !strings.Contains(said, "was not made by arguing a claim") {
		t.Errorf("of another answer: %s", said)
	}
	if said := w.client(api.Caller{Scope: api.Read, Collection: "other"}).refused("argue", args{"answer": got["id"]}); !strings.Contains(said, "there is no answer") {
		t.Errorf("another collection is told %s", said)
	}
}
