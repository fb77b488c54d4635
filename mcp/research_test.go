package mcp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/mcp"
	"github.com/ibid-dev/ibid/workflow"
)

// A topic is researched to its end; each question is an answer on record, and the dossier is there in every form.
func TestResearch(t *testing.T) {
	w := open(t).cables()
	c := w.client(writer)
	tools := c.tools()
	got := c.call("research", args{"topic": "the cable of 1858", "depth": "shallow"})
	fits(t, tools["research"], got)
	if n := got["questions"].(float64); got["done"] != true || n < 3 || n > 5 || len(got["sources"].([]any)) == 0 || got["working"] != false {
		t.Fatalf("researched %v", got)
	}
	statements := 0
	for _, v := range got["asked"].([]any) {
		q := v.(map[string]any)
		for _, s := range q["statements"].([]any) {
			statements += len(s.(map[string]any)["places"].([]any))
		}
		id := strings.TrimPrefix(q["answer"].(string), "ibid://answers/")
		if found := c.call("export", args{"answer": id})["text"].(string); !strings.Contains(found, "\n") {
			t.Errorf("question %v is not on record", q)
		}
	}
	if statements == 0 {
		t.Errorf("nothing was found: %v", got)
	}
	list := c.call("studies", args{})
	fits(t, tools["studies"], list)
	if all := list["studies"].([]any); len(all) != 1 || all[0].(map[string]any)["id"] != got["id"] || list["dossier"] != nil {
		t.Errorf("listed %v", list)
	}
	for to, sign := range map[string]string{"": "# Research dossier", "html": "<html", "json": `"evidence_analysis"`} {
		one := c.call("studies", args{"study": got["id"], "to": to, "style": "academic"})
		fits(t, tools["studies"], one)
		if text := one["dossier"].(map[string]any)["text"].(string); !strings.Contains(text, sign) || strings.Contains(text, w.dir) {
			t.Errorf("as %q: %.300s", to, text)
		}
	}
	other := w.client(api.Caller{Scope: api.Write, Collection: "other"})
	if all := other.call("studies", args{})["studies"].([]any); len(all) != 0 {
		t.Errorf("another collection lists %v", all)
	}
	for _, tool := range []string{"studies", "research"} {
		if said := other.refused(tool, args{"study": got["id"]}); !strings.Contains(said, "there is no study") {
			t.Errorf("%s tells another collection %s", tool, said)
		}
	}
}

// A study whose questions failed is kept, says so without the model's words, and goes on by its id; one is in one hand at a time.
func TestResearchGoesOn(t *testing.T) {
	hands := &workflow.Underway{}
	model := llmtest.Fails(errors.New("secret: the key is wrong"))
	w := open(t, func(c *mcp.Config) { c.Asker.Model, c.Studies = model, hands }).cables()
	c := w.client(writer)
	got := c.call("research", args{"topic": "the cable of 1858", "depth": "shallow"})
	if got["done"] != false || got["failed"] != got["questions"] {
		t.Fatalf("researched %v", got)
	}
	if text := fmt.Sprint(got, c.call("studies", args{"study": got["id"]})); strings.Contains(text, "secret") {
		t.Errorf("told %s", text)
	}
	if !hands.Begin(got["id"].(string)) {
		t.Fatal("the study is still in hand")
	}
	if said := c.refused("research", args{"study": got["id"]}); !strings.Contains(said, "is being worked on") {
		t.Errorf("in another hand: %s", said)
	}
	if one := c.call("studies", args{})["studies"].([]any)[0].(map[string]any); one["working"] != true {
		t.Errorf("listed %v", one)
	}
	hands.End(got["id"].(string))
	model.Steps = llmtest.Says("The first transatlantic cable was completed on 5 August 1858.").Steps
	if again := c.call("research", args{"study": got["id"]}); again["done"] != true || again["id"] != got["id"] || again["failed"] != 0.0 {
		t.Errorf("gone on: %v", again)
	}
}
