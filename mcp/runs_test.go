package mcp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/mcp"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// An assistant keeps the ledger of its work and ends it through the gate. What it says is its word: a link stands on the rung of
// markers, and on that of quotes where the library has the words.
func TestARunFromItsFirstClaimToTheVerdict(t *testing.T) {
	var passed []ibid.RunID
	w := open(t, func(c *mcp.Config) {
		c.Finished = func(_ context.Context, done workflow.Finished) error {
			passed = append(passed, done.Run.ID)
			return nil
		}
	}).cables()
	c := w.client(writer)
	tools := c.tools()
	call := func(tool string, a any) map[string]any {
		t.Helper()
		out := c.call(tool, a)
		fits(t, tools[tool], out)
		return out
	}
	best := call("search", args{"query": "When did lasting service begin?"})["passages"].([]any)[0].(map[string]any)
	run := call("run_claim", args{
		"sources": []any{args{"id": "telegraph", "passage": best["passage"]}, args{"id": "page", "tool": "fetch", "url": "https://u:secret@example.org/a?token=1&b=2", "text": "Bananas cost 3 pence."}},
		"claims": []any{args{"text": "Lasting service began in 1866.", "source": "telegraph", "quotes": []any{"1866"}}, args{"text": "The cable mattered.", "source": "telegraph"},
			args{"text": "Bananas cost 3 pence.", "source": "page", "quotes": []any{"3 pence"}}}})
	if rungs := each(run["claims"], "trust"); !slices.Equal(rungs, []string{"quote", "marker", "marker"}) {
		t.Errorf("the links stand on %v", rungs)
	}
	if e := each(run["sources"], "endpoint"); !slices.Contains(e, "https://example.org/a?token=REDACTED&b=2") || strings.Contains(fmt.Sprint(e), "secret") {
		t.Errorf("kept %v", e)
	}
	id := run["id"]
	run = call("run_claim", args{"run": id, "claims": []any{args{"text": "It is blue."}, args{"text": "Two sources were read.", "exempt": "run"}}})
	if len(run["claims"].([]any)) != 5 || run["coverage"] != 0.75 || run["gate"] != nil {
		t.Errorf("the run is %v", run)
	}
	done := call("run_finish", args{"run": id, "policy": "regulated"})
	g := done["gate"].(map[string]any)
	if g["may_be_shown"] != false || g["outcome"] != "block" || fmt.Sprint(g["uncited"]) != "[It is blue.]" || done["entry"] == nil {
		t.Errorf("the gate says %v", done)
	}
	if again := call("run_finish", args{"run": id}); fmt.Sprint(again["gate"]) != fmt.Sprint(g) || fmt.Sprint(again["entry"]) != fmt.Sprint(done["entry"]) {
		t.Errorf("ended twice: %v, then %v", done, again)
	}
	if other := call("run_finish", args{"run": id, "policy": "internal"}); other["notice"] == nil {
		t.Error("another policy seems to have been asked")
	}
	if len(passed) == 0 || passed[0] != ibid.RunID(id.(string)) {
		t.Errorf("passed on %v", passed)
	}
	c.refused("run_claim", args{"run": id, "claims": []any{args{"text": "One more."}}})
	second := call("run_claim", args{"agent": "b", "claims": []any{args{"text": "Another run."}}})
	list := call("runs", args{"limit": 1})
	if head := list["runs"].([]any)[0].(map[string]any); list["more"] != true || head["id"] != second["id"] || head["claims"] != 1.0 {
		t.Errorf("listed %v", list)
	}
	if rest := call("runs", args{"before": second["id"]}); rest["more"] != false || rest["runs"].([]any)[0].(map[string]any)["outcome"] != "block" {
		t.Errorf("then %v", rest)
	}
	if res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "runs", Arguments: args{"before": id}}); err != nil || said(res) != "There are no runs before that one.\n" {
		t.Errorf("at the end of the list: %v, %v", said(res), err)
	}
	shown := call("runs", args{"run": id})["run"].(map[string]any)
	if fmt.Sprint(shown["claims"]) != fmt.Sprint(done["claims"]) {
		t.Errorf("shown %v", shown)
	}
	res, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: shown["uri"].(string)})
	if err != nil || !strings.Contains(res.Contents[0].Text, "It is blue.") {
		t.Errorf("read: %v", err)
	}
	if v := call("verify", args{}); v["holds"] != true {
		t.Errorf("the log: %v", v)
	}
	if w.log.String() != "" {
		t.Errorf("the log has\n%s", w.log)
	}
}

// each gives a field of all items of a list.
func each(list any, field string) (out []string) {
	for _, v := range list.([]any) {
		out = append(out, fmt.Sprint(v.(map[string]any)[field]))
	}
	return out
}

// Of a call that cannot be meant nothing is kept, not even a run that was to begin with it.
func TestWhatIsRefusedLeavesNoRun(t *testing.T) {
	w := open(t).cables()
	c := w.client(writer)
	for want, a := range map[string]args{
		"nothing to add":          {},
		"does not stand":          {"sources": []any{args{"id": "a", "text": "It is red."}}, "claims": []any{args{"text": "Blue.", "source": "a", "quotes": []any{"blue"}}}},
		"there is no source":      {"claims": []any{args{"text": "Blue.", "source": "nowhere"}}},
		"needs no source has":     {"sources": []any{args{"id": "a", "text": "x"}}, "claims": []any{args{"text": "Blue.", "source": "a", "exempt": "run"}}},
		"choose computed":         {"claims": []any{args{"text": "Blue.", "exempt": "because"}}},
		"registered already":      {"sources": []any{args{"id": "a", "text": "x"}, args{"id": "a", "text": "y"}}},
		"give one of them":        {"sources": []any{args{"passage": "ibid://passages/00/1", "text": "y"}}},
		"there is no passage":     {"sources": []any{args{"passage": "ibid://passages/00/1"}}},
		"it is empty":             {"sources": []any{args{"id": "a"}}},
		"there is no run":         {"run": "none", "claims": []any{args{"text": "Blue."}}},
		"longer than 20000":       {"claims": []any{args{"text": strings.Repeat("a", 20_001)}}},
		"more than 200 sources":   {"sources": make([]args, 201)},
		"there is no argument":    {"claim": "x"},
		"claim 2: the claim is e": {"claims": []any{args{"text": "Blue."}, args{"text": " "}}},
		"longer than 200 bytes":   {"agent": strings.Repeat("a", 201), "claims": []any{args{"text": "Blue."}}},
		"or has more than 20 quo": {"claims": []any{args{"text": "Blue.", "quotes": make([]string, 21)}}},
	} {
		if got := c.refused("run_claim", a); !strings.Contains(got, want) {
			t.Errorf("says %q, not %q", got, want)
		}
	}
	if got := c.call("runs", args{}); len(got["runs"].([]any)) != 0 {
		t.Errorf("kept %v", got)
	}
	if got := c.refused("run_finish", args{"run": "none"}); !strings.Contains(got, "there is no run") {
		t.Errorf("says %q", got)
	}
}

// A link that an assistant makes does not pass for one that code made: it cannot rest on what code captured.
func TestAssistantsDoNotSpeakForCode(t *testing.T) {
	w := open(t)
	err := w.store.Update(t.Context(), func(tx *sqlite.Tx) error { return tx.BeginRun("nightly", time.Now()) })
	runner := &workflow.Runner{Gate: workflow.Gate{Book: workflow.Pages(w.store.Update)}, Now: time.Now}
	if err == nil {
		err = runner.Register(t.Context(), "nightly", "", func(l *ledger.Ledger, _ ibid.Run) error {
			ref, err := l.Source(ibid.SourceReference{Identifier: "page", Category: "http"}, []byte("It is red."))
			if err == nil {
				_, err = l.Claim("It is red.", ref, "red")
			}
			return err
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := w.client(writer)
	if got := c.refused("run_claim", args{"run": "nightly", "claims": []any{args{"text": "It is dark red.", "source": "page"}}}); !strings.Contains(got, "captured by code") {
		t.Errorf("says %q", got)
	}
	run := c.call("runs", args{"run": "nightly"})["run"].(map[string]any)
	if got := each(run["claims"], "trust"); !slices.Equal(got, []string{"tool"}) {
		t.Errorf("the link of code stands on %v", got)
	}
	other := w.client(api.Caller{Scope: api.Write, Collection: "other"})
	for _, tool := range []string{"runs", "run_finish"} {
		if got := other.refused(tool, args{"run": "nightly"}); !strings.Contains(got, "there is no run") {
			t.Errorf("%s says %q", tool, got)
		}
	}
	theirs := other.call("run_claim", args{"claims": []any{args{"text": "Ours."}}})
	if got := c.call("runs", args{})["runs"].([]any); len(got) != 1 {
		t.Errorf("sees %v", got)
	}
	c.refused("runs", args{"run": theirs["id"]})
}
