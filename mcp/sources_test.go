package mcp_test

import (
	"fmt"
	"strings"
	"testing"
)

// A question of two parts is answered in steps; each rests on sources of its own, and all of it is on record.
func TestThink(t *testing.T) {
	w := open(t).cables()
	c := w.client(reader)
	got := c.call("think", args{"question": "When was the first transatlantic cable completed, and when did lasting service begin?"})
	fits(t, c.tools()["think"], got)
	steps := got["steps"].([]any)
	if len(steps) < 2 || !strings.Contains(got["text"].(string), "1858") || !strings.Contains(got["text"].(string), "1866") || got["entry"] == nil {
		t.Fatalf("thought %v", got)
	}
	for _, v := range steps {
		if s := v.(map[string]any); s["question"] == "" || len(s["sources"].([]any)) == 0 {
			t.Errorf("a step without sources: %v", s)
		}
	}
	found := c.call("find", args{"words": "lasting service begin"})["answers"].([]any)
	if len(found) != 1 || found[0].(map[string]any)["id"] != got["id"] {
		t.Errorf("on record: %v", found)
	}
	dual := c.call("think", args{"question": "When did lasting service begin?", "dual": true})
	fits(t, c.tools()["think"], dual)
	if !strings.Contains(dual["text"].(string), "1866") {
		t.Errorf("in two passes: %v", dual)
	}
	strategies := c.tools()["think"].InputSchema.(map[string]any)["properties"].(map[string]any)["strategy"].(map[string]any)["enum"]
	if !strings.Contains(fmt.Sprint(strategies), "iterative") || strings.Contains(fmt.Sprint(strategies), "full") {
		t.Errorf("the strategies are %v", strategies)
	}
}

// Texts are held against each other and against the library; both places are shown.
func TestConflicts(t *testing.T) {
	w := open(t).cables()
	c := w.client(writer)
	said := "Lasting service across the Atlantic began in 1871."
	given := []any{args{"id": "old", "title": "Old notes", "text": said}}
	search := c.call("search", args{"query": "When did lasting service begin?"})["passages"].([]any)[0].(map[string]any)
	got := c.call("conflicts", args{"texts": append(given, args{"id": "new", "text": "Lasting service across the Atlantic began in 1866."})})
	fits(t, c.tools()["conflicts"], got)
	found := got["conflicts"].([]any)
	if len(found) != 1 || got["compared"] != 2.0 {
		t.Fatalf("found %v", got)
	}
	first := found[0].(map[string]any)
	a, b := first["a"].(map[string]any), first["b"].(map[string]any)
	if a["quote"] != said || a["words"] != "1871" || a["source"] != "old" || a["document"] != nil || b["words"] != "1866" || first["kind"] != "date" {
		t.Errorf("found %v", first)
	}
	with := c.call("conflicts", args{"texts": given, "sources": []any{search["source"]}})
	if with["compared"] != 2.0 {
		t.Errorf("compared %v", with)
	}
	c.call("ingest", args{"name": "report.md", "text": "The harbour of Valentia had 732 visitors in May."})
	c.call("ingest", args{"name": "report.md", "text": "The harbour of Valentia had 400 visitors in May."})
	all := c.call("conflicts", args{})
	versions := c.call("conflicts", args{"versions": true, "limit": 200})
	if all["compared"] != 4.0 || versions["compared"] != 5.0 || !strings.Contains(fmt.Sprint(versions["conflicts"]), "732") || strings.Contains(fmt.Sprint(all["conflicts"]), "732") {
		t.Errorf("of all %v; of all versions %v", all, versions)
	}
	if same := c.call("conflicts", args{"texts": []any{args{"text": said}, args{"text": said}}}); same["compared"] != 1.0 {
		t.Errorf("the same words twice: %v", same)
	}
}

// Passages of one document are texts each, and stand where they stand there. All of the document has them in it.
func TestConflictsOfPassages(t *testing.T) {
	w := open(t)
	c := w.client(writer)
	plain := strings.Repeat("Nothing is told of the weather in the harbour that summer. ", 40)
	c.call("ingest", args{"name": "years.md", "text": "# Early\n\nLasting service across the Atlantic began in 1866.\n\n" + plain + "\n\n# Late\n\nLasting service across the Atlantic began in 1871.\n\n" + plain})
	var passages []any
	var source any
	for _, p := range c.call("search", args{"query": "When did lasting service across the Atlantic begin?"})["passages"].([]any) {
		if p := p.(map[string]any); strings.Contains(p["text"].(string), "Lasting service") {
			passages, source = append(passages, args{"passage": p["passage"]}), p["source"]
		}
	}
	if len(passages) != 2 {
		t.Fatalf("passages: %v", passages)
	}
	said := args{"id": "said", "text": "Lasting service across the Atlantic began in 1902."}
	got := c.call("conflicts", args{"texts": append([]any{said}, passages...)})
	for _, want := range []string{"quote:Lasting service across the Atlantic began in 1866.", "quote:Lasting service across the Atlantic began in 1871.", "locator:§ Early", "locator:§ Late", "version:1"} {
		if !strings.Contains(fmt.Sprint(got["conflicts"]), want) {
			t.Errorf("no %q in %v", want, got["conflicts"])
		}
	}
	if got["compared"] != 2.0 {
		t.Errorf("compared %v documents", got["compared"])
	}
	whole := c.call("conflicts", args{"texts": append(passages, said), "sources": []any{source}})
	if alone := c.call("conflicts", args{"texts": []any{said}, "sources": []any{source}}); fmt.Sprint(whole["conflicts"]) != fmt.Sprint(alone["conflicts"]) || whole["compared"] != 2.0 {
		t.Errorf("with passages of it %v, without %v", whole, alone)
	}
}

// The texts that are compared at once are bounded.
func TestConflictsAreBounded(t *testing.T) {
	w := open(t).cables()
	w.service.Compare(2 << 20)
	c := w.client(reader)
	long := args{"text": strings.Repeat("word ", 250_000)}
	c.call("conflicts", args{"texts": []any{long}})
	if got := c.refused("conflicts", args{"texts": []any{long, args{"text": strings.Repeat("else ", 250_000)}}}); !strings.Contains(got, "more than 2 MB of text to compare; name fewer sources") {
		t.Errorf("says %q", got)
	}
	w.service.Compare(1000)
	c.refused("conflicts", args{})
}

// Citations are checked as the command line checks them, and their snippets held against the library.
func TestCheck(t *testing.T) {
	w := open(t).cables()
	c := w.client(reader)
	good := args{"source": "https://arxiv.org/abs/1706.03762", "location": "Section 3.2, page 4", "confidence": 0.9, "snippet": "x", "metadata": args{"author": "A", "year": 2017, "title": "T"}}
	got := c.call("check", args{"citations": []any{
		args{"source": "atlantic-telegraph.md", "confidence": 0.8, "snippet": "completed on 5 August 1858"},
		args{"source": "atlantic-telegraph.md", "confidence": 0.8, "snippet": "completed on 5 August 1958"},
		args{"source": "", "confidence": 7},
		args{"claim_id": "c1", "claim_text": "It was laid.", "strength": 0.9, "citations": []any{good, args{"source": "letters.md", "confidence": 0.5, "snippet": "no such words"}}}}})
	fits(t, c.tools()["check"], got)
	list := got["citations"].([]any)
	at := func(i int) map[string]any { return list[i].(map[string]any) }
	found := func(v any) string { return fmt.Sprint(v.(map[string]any)["quote"]) }
	if got["is_valid"] != false || at(2)["is_valid"] != false || !strings.Contains(found(list[0]), "found:true") || !strings.Contains(found(list[1]), "found:false") {
		t.Errorf("checked %v", got)
	}
	inner := at(3)["citations"].([]any)
	if len(inner) != 2 || inner[0].(map[string]any)["quote"] != nil || !strings.Contains(found(inner[1]), "found:false") || at(3)["overall_confidence"] == 0.0 {
		t.Errorf("the map: %v", at(3))
	}
	refs := c.call("check", args{"records": "@book{a, title={Cables}, author={Jane Doe}, year=1999, isbn={978-3-16-148410-1}}\n@book{b, title={Cables}, author={Jane Doe}, year=1999}"})
	fits(t, c.tools()["check"], refs)
	if reports := fmt.Sprint(refs["references"]); len(refs["references"].([]any)) != 2 || !strings.Contains(reports, "same work as") {
		t.Errorf("checked %s", reports)
	}
}
