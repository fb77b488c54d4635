package web_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/eval"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/workflow"
)

func (w *world) ask(question string, headers ...string) ibid.Answer {
	w.t.Helper()
	var a ibid.Answer
	w.post("/api/v1/ask", map[string]any{"question": question}, headers...).want(200).into(&a)
	return a
}

func TestFeedbackFeedsTheEvaluation(t *testing.T) {
	w := open(t).cables()
	a := w.ask(when)
	at := "/api/v1/answers/" + string(a.ID) + "/feedback"
	src := a.Citations[0].Source
	w.post(at, map[string]any{"segment": 1, "source": src, "verdict": "right", "note": "it does"}).want(201)
	b := w.ask("How long did the cable of 1858 work?")
	w.post("/api/v1/answers/"+string(b.ID)+"/feedback", map[string]any{"segment": 1, "verdict": "wrong"}).want(201)
	w.post(at, map[string]any{"segment": 99, "verdict": "right"}).want(422).points("body.segment")
	w.post(at, map[string]any{"segment": 1, "verdict": "perhaps"}).want(422).points("body.verdict")
	w.post(at, map[string]any{"segment": 1, "source": "0123456789abcdef", "verdict": "right"}).want(422).points("body.source")
	w.post("/api/v1/answers/none/feedback", map[string]any{"segment": 1, "verdict": "right"}).want(404)
	var list api.Page[api.Feedback]
	w.get("/api/v1/feedback").want(200).into(&list)
	if len(list.Items) != 2 || list.Items[1].Note != "it does" {
		t.Errorf("feedback %+v", list)
	}
	// The export is a set of labelled answers that the evaluation reads and measures.
	lines := w.get("/api/v1/feedback/export").want(200).body
	records, err := readRecords(lines)
	if err != nil {
		t.Fatalf("%v: %s", err, lines)
	}
	if len(records) != 2 || records[0].Segments[0].Label != eval.Supported || len(records[0].Segments[0].Evidence) == 0 || records[1].Segments[0].Label != eval.Unsupported {
		t.Errorf("exported %s", lines)
	}
	r := records[0]
	e := r.Segments[0].Evidence[0]
	for _, s := range r.Sources {
		if s.ID == e.Source && string([]rune(s.Text)[e.Start:e.End]) != a.Citations[0].Quote {
			t.Errorf("the evidence points at %q, the answer cites %q", string([]rune(s.Text)[e.Start:e.End]), a.Citations[0].Quote)
		}
	}
	var in api.Insights
	w.get("/api/v1/insights").want(200).into(&in)
	if in.Answers != 2 || in.Feedback.Right != 1 || in.Feedback.Wrong != 1 || len(in.Days) != 1 || len(in.Top) == 0 || in.Latency.Measured != 2 || in.Sources == 0 {
		t.Errorf("insights %+v", in)
	}
	trust := map[ibid.SourceID]float64{}
	for _, s := range in.Top {
		trust[s.Source] = s.Trust
	}
	if trust[src] != 0.67 {
		t.Errorf("the source that was found right has trust %v", trust[src])
	}
	if len(in.Reliability) != 1 || in.Reliability[0].Right != 1 {
		t.Errorf("reliability %+v", in.Reliability)
	}
	if len(in.Unused) != in.UnusedMore || len(in.Unused)+len(in.Top) != 4 {
		t.Errorf("%d sources are used, %d not", len(in.Top), len(in.Unused))
	}
	w.get("/api/v1/insights?from=2020-01-01T00:00:00Z&to=2019-01-01T00:00:00Z").want(422).points("query.to")
}

// An experiment gives each conversation one setting, attributes every answer under both, and ends itself.
func TestExperimentRunsToItsEnd(t *testing.T) {
	w := open(t, says("The cable was laid by whales.")).cables() // no claim of it is supported: markers would say otherwise
	w.post("/api/v1/experiments", map[string]any{"name": "same", "a": map[string]any{}, "b": map[string]any{}}).want(422).points("body.b")
	var e api.Experiment
	w.post("/api/v1/experiments", map[string]any{"name": "by markers", "a": map[string]any{"strategy": "full"}, "b": map[string]any{"passages": 2}, "rule": map[string]any{"most": 5}}).want(201).into(&e)
	w.post("/api/v1/experiments", map[string]any{"name": "another", "a": map[string]any{"strategy": "full"}, "b": map[string]any{"passages": 1}}).want(409)
	w.send("DELETE", "/api/v1/experiments/"+e.ID, nil).want(409)
	for i := range 7 {
		w.ask(fmt.Sprintf("%s Take %d.", when, i))
	}
	for deadline := time.Now().Add(10 * time.Second); e.State == "running" && time.Now().Before(deadline); {
		w.get("/api/v1/experiments/" + e.ID).want(200).into(&e)
	}
	if e.State != "stopped" || e.Result.Decision != "none" || e.Result.DecidedAt != 5 {
		t.Errorf("the experiment is %+v, %+v", e, e.Result)
	}
	w.get("/api/v1/experiments").want(200)
	w.post("/api/v1/experiments/"+e.ID+"/stop", nil).want(200)
	w.post("/api/v1/experiments/none/stop", nil).want(404)
	w.send("DELETE", "/api/v1/experiments/"+e.ID, nil).want(204)
	w.send("DELETE", "/api/v1/experiments/"+e.ID, nil).want(404)
	w.get("/api/v1/experiments/" + e.ID).want(404)
}

func TestAnswersAreAttributedAgain(t *testing.T) {
	w := open(t, says("The ship was painted red. It had six masts."))
	id := w.ingest("ship.md", "The ship was painted red. It had six masts.")
	a := w.ask("What colour was the ship?")
	at := "/api/v1/answers/" + string(a.ID)
	var v struct {
		Version int
		Changes []struct {
			Segment int
			What    []string
		}
	}
	w.post(at+"/versions", map[string]any{}).want(201).into(&v)
	if v.Version != 2 || len(v.Changes) != 0 {
		t.Errorf("the same engine finds %+v", v)
	}
	w.ingest("ship.md", "A new first line.\n\nThe ship was painted blue. It had six masts.")
	w.post(at+"/versions", map[string]any{"cause": "sources"}).want(201).into(&v)
	if v.Version != 3 || len(v.Changes) == 0 || v.Changes[0].Segment != 1 {
		t.Errorf("the changed source changes %+v", v)
	}
	var list struct{ Items []any }
	w.get(at + "/versions").want(200).into(&list)
	if len(list.Items) != 2 {
		t.Errorf("%d versions", len(list.Items))
	}
	var drift struct {
		Items []struct{ State, Quote string }
	}
	w.get(at + "/drift").want(200).into(&drift)
	if len(drift.Items) != 2 || drift.Items[0].State != "changed" || drift.Items[1].State != "moved" {
		t.Errorf("drift %+v", drift)
	}
	var d struct{ Parts []struct{ Kind, Text string } }
	w.get("/api/v1/sources/" + id + "/diff?from=1&to=2").want(200).into(&d)
	kinds := ""
	for _, p := range d.Parts {
		kinds += p.Kind + " "
	}
	if kinds != "removed added " && !strings.Contains(kinds, "added") {
		t.Errorf("parts %+v", d.Parts)
	}
	w.get("/api/v1/sources/" + id + "/diff?from=1&to=9").want(404)
	// What was recorded stays as it was.
	var again ibid.Answer
	w.get(at).want(200).into(&again)
	if len(again.Attributions) != len(a.Attributions) {
		t.Error("the recorded answer changed")
	}
}

func TestThink(t *testing.T) {
	w := open(t).cables()
	q := map[string]any{"question": "When was the first cable laid, and how long did it work?"}
	var a ibid.Answer
	w.post("/api/v1/think", q).want(200).into(&a)
	if len(a.Steps) < 2 {
		t.Errorf("%d steps", len(a.Steps))
	}
	all := events(string(w.post("/api/v1/think", q, "Accept", "text/event-stream").want(200).body))
	done := lastOf(t, all)
	kinds := map[string]int{}
	for _, e := range all {
		kinds[e.kind]++
	}
	if kinds["plan"] != 1 || kinds["step"] != len(a.Steps) || kinds["stepped"] != len(a.Steps) {
		t.Errorf("events %v", kinds)
	}
	json.Unmarshal([]byte(done.data), &a)
	if got := w.get("/api/v1/answers/" + string(a.ID)); string(got.body) != done.data {
		t.Error("the stored answer is not the streamed one")
	}
	w.post("/api/v1/think", map[string]any{"question": "x", "strategy": "guess"}).want(422).points("body.strategy")
}

// book is a server with a log and a gate that flags.
func logged(t *testing.T, preset string) *world {
	return open(t, func(c *web.Config) {
		log, err := c.Store.Log(t.Context(), sqlite.LogConfig{})
		if err != nil {
			t.Fatal(err)
		}
		c.AuditLog = log
		policy, err := gate.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		c.Asker.Gate.Policy = &policy
	}, says("The cable was completed on 5 August 1858. It was eaten by forty whales.")).cables()
}

func TestLogProvesAnswers(t *testing.T) {
	w := logged(t, "internal")
	all := events(string(w.post("/api/v1/ask", asked, "Accept", "text/event-stream").want(200).body))
	var a ibid.Answer
	json.Unmarshal([]byte(lastOf(t, all).data), &a)
	kinds := ""
	for _, e := range all {
		kinds += e.kind + " "
	}
	if !strings.Contains(kinds, "gate receipt done") || a.Entry == nil || a.Verdict == nil {
		t.Fatalf("events %s", kinds)
	}
	receipt := w.get("/api/v1/answers/" + string(a.ID) + "/receipt").want(200).body
	var checked struct {
		Valid  bool
		Reason string
	}
	w.post("/api/v1/audit/check", map[string]any{"receipt": json.RawMessage(receipt)}).want(200).into(&checked)
	if !checked.Valid {
		t.Errorf("the receipt is refused: %+v", checked)
	}
	forged := bytes.Replace(receipt, []byte("August"), []byte("Avgust"), 1)
	w.post("/api/v1/audit/check", map[string]any{"receipt": json.RawMessage(forged)}).want(200).into(&checked)
	if checked.Valid || checked.Reason == "" {
		t.Error("a forged receipt is believed")
	}
	w.post("/api/v1/audit/check", map[string]any{"receipt": map[string]any{}}).want(422).points("body.receipt")
	var v struct {
		Whole   bool
		Library string
	}
	w.post("/api/v1/audit/verify", nil).want(200).into(&v)
	if !v.Whole || v.Library != "holds" {
		t.Errorf("the log is not whole: %+v", v)
	}
	var page struct {
		Items []struct{ Index int64 }
		Next  string
	}
	w.get("/api/v1/audit/entries?limit=1").want(200).into(&page)
	if len(page.Items) != 1 || page.Next == "" {
		t.Errorf("entries %+v", page)
	}
	first := page.Items[0].Index
	w.get("/api/v1/audit/entries?limit=1&cursor=" + page.Next).want(200).into(&page)
	if page.Items[0].Index != first-1 {
		t.Errorf("behind %d comes %+v", first, page)
	}
	w.get("/api/v1/audit/entries/0").want(200)
	w.get("/api/v1/audit/entries/0/receipt").want(200)
	w.get("/api/v1/audit/entries/99999").want(404)
	w.get("/api/v1/audit/checkpoint").want(200)
}

// What is sent to a run is kept as the command line keeps it: without secrets, and nothing of it is dropped unsaid.
func TestClaimsAreKeptAsTheyAreSent(t *testing.T) {
	w := logged(t, "internal")
	var run struct{ ID string }
	w.post("/api/v1/runs", nil).want(201).into(&run)
	at := "/api/v1/runs/" + run.ID
	source := map[string]any{"identifier": "s1", "category": "http", "endpoint": "https://ada:pw@example.org/a?q=1&token=s3cret#top", "content": "The cable failed."}
	for name, claim := range map[string]map[string]any{
		"a source": {"text": "x", "exempt": "run", "source": "s1"},
		"a quote":  {"text": "x", "exempt": "run", "quotes": []string{"cable"}},
	} {
		r := w.post(at+"/claims", map[string]any{"sources": []any{source}, "claims": []any{claim}}).want(422).points("body.claims[0]")
		if !strings.Contains(string(r.body), "a claim that needs no source has none") {
			t.Errorf("exempt with %s: %s", name, r.body)
		}
	}
	w.post(at+"/claims", map[string]any{"sources": []any{source}, "claims": []any{map[string]any{"text": "x", "source": "s1"}}}).want(201)
	if b := string(w.get(at).want(200).says("https://example.org/a?q=1\\u0026token=REDACTED").body); strings.Contains(b, "s3cret") || strings.Contains(b, "ada") {
		t.Errorf("kept %s", b)
	}
}

// Of a run that is erased nothing is left but commitments and why it is gone; another that rests on the same stays, and the log holds.
func TestRunIsErased(t *testing.T) {
	w := logged(t, "internal")
	begin := func(text string) string {
		var run struct{ ID string }
		w.post("/api/v1/runs", nil).want(201).into(&run)
		w.post("/api/v1/runs/"+run.ID+"/claims", map[string]any{
			"sources": []any{map[string]any{"identifier": "s1", "category": "http", "content": "The cable failed."}},
			"claims":  []any{map[string]any{"text": text + " saw it fail.", "source": "s1", "quotes": []string{"cable failed"}}, map[string]any{"text": text + " was to blame."}}}).want(201)
		return "/api/v1/runs/" + run.ID
	}
	at, other := begin("Vurmin"), begin("Somebody")
	why := "?reason=asked+for+by+the+person+concerned"
	w.send("DELETE", at+why, nil).want(409).says("finish it first")
	for _, run := range []string{at, other} {
		w.post(run+"/finish", nil, "Idempotency-Key", "end "+run).want(200)
	}
	w.get("/api/v1/reviews").want(200).says("Vurmin")
	w.get("/api/v1/audit/entries").want(200).says("Vurmin")
	w.send("DELETE", at, nil).want(422).points("query.reason")
	w.send("DELETE", at+"?reason=+%09", nil).want(422).points("query.reason")
	w.send("DELETE", at[:len(at)-1]+why, nil).want(404)
	w.get(at).want(200).says("Vurmin")

	w.send("DELETE", at+why, nil).want(204)
	w.get(at).want(404)
	w.send("DELETE", at+why, nil).want(404)
	w.post(at+"/finish", nil, "Idempotency-Key", "end "+at).want(404)
	for _, list := range []string{"/api/v1/runs", "/api/v1/reviews", "/api/v1/audit/entries"} {
		if b := string(w.get(list).want(200).says("Somebody").body); strings.Contains(b, "Vurmin") {
			t.Errorf("%s still says %s", list, b)
		}
	}
	w.get("/api/v1/audit/entries?limit=1").want(200).says("asked for by the person concerned")
	w.get(other).want(200).says("Somebody was to blame.")
	w.post("/api/v1/audit/verify", nil).want(200).says(`"whole":true,"library":"holds"`)
}

// A run that somebody else ended is told by the policy that it was ended by, not by the server's.
func TestRunIsToldByItsOwnPolicy(t *testing.T) {
	w := logged(t, "internal")
	var run struct {
		ID     string
		Report gate.Report
	}
	w.post("/api/v1/runs", nil).want(201).into(&run)
	at := "/api/v1/runs/" + run.ID
	w.post(at+"/claims", map[string]any{"claims": []any{map[string]any{"text": "The cable failed."}}}).want(201)
	strict, err := gate.Preset("production")
	if err != nil {
		t.Fatal(err)
	}
	runner := workflow.Runner{Gate: workflow.Gate{Policy: &strict, Book: workflow.Pages(w.store.Update)}, Now: time.Now}
	if _, err := runner.FinishRecorded(t.Context(), ibid.RunID(run.ID)); err == nil {
		t.Fatal("it was not refused")
	}
	for _, again := range []func() reply{func() reply { return w.get(at) }, func() reply { return w.post(at+"/finish", nil) }} {
		again().want(200).into(&run)
		if run.Report.Policy != strict.Version() || run.Report.Outcome != gate.Block || run.Report.Threshold != 1 {
			t.Errorf("told as %+v", run.Report)
		}
	}
}

func TestRunsAndGate(t *testing.T) {
	w := logged(t, "internal")
	var run struct {
		ID      string
		Verdict *ibid.Verdict
		Report  struct {
			Coverage float64 `json:"coverage_score"`
		}
	}
	w.post("/api/v1/runs", nil).want(201).into(&run)
	w.get("/api/v1/audit/entries?limit=1").want(200).says(run.ID) // one that is never finished leaves its mark, too
	at := "/api/v1/runs/" + run.ID
	w.post(at+"/claims", map[string]any{"agent": "researcher",
		"sources": []any{map[string]any{"identifier": "s1", "category": "web_search", "tool": "search", "content": "The cable was completed in 1858."}},
		"claims": []any{map[string]any{"text": "The cable was completed in 1858.", "source": "s1", "quotes": []string{"completed in 1858"}},
			map[string]any{"text": "It was eaten by whales."}, map[string]any{"text": "One page was read.", "exempt": "run"}}}).want(201)
	w.post(at+"/claims", map[string]any{"claims": []any{map[string]any{"text": "x", "source": "nowhere"}}}).want(422).points("body.claims[0]")
	w.get(at).want(200).into(&run)
	if run.Report.Coverage != 0.5 {
		t.Errorf("coverage %v", run.Report.Coverage)
	}
	// A later request goes on where the one before was.
	w.post(at+"/claims", map[string]any{"agent": "researcher", "claims": []any{map[string]any{"text": "It was summer.", "source": "s1", "quotes": []string{"completed in 1858"}}}}).want(201)
	w.post(at+"/finish", nil).want(200).into(&run)
	if run.Verdict == nil || run.Verdict.Pass {
		t.Errorf("verdict %+v", run.Verdict)
	}
	w.post(at+"/finish", nil).want(200)
	w.post(at+"/claims", map[string]any{"claims": []any{map[string]any{"text": "Too late."}}}).want(409).says("is finished and takes nothing more")
	w.get("/api/v1/runs").want(200)
	w.get("/api/v1/policies").want(200)
	w.post("/api/v1/gate", map[string]any{"run": run.ID, "policy": "production"}).want(200)
	w.post("/api/v1/gate", map[string]any{"policy": "none such", "run": run.ID}).want(422).points("body.policy")
	w.post("/api/v1/gate", map[string]any{}).want(422)
	w.post("/api/v1/gate", map[string]any{"answer": string(w.ask(when).ID)}).want(200)
	w.get("/api/v1/reviews").want(200)
	w.post("/api/v1/reviews/none", map[string]any{"decision": "approved"}).want(404)
}

// What was flagged can be decided by a person, once it is there, and the decision is an entry of the log.
func TestFlaggedAnswerIsDecided(t *testing.T) {
	w := open(t, says("The cable was eaten by forty whales."), gated(t, "production", func(p *gate.Policy) { p.Default.Outcome, p.Kinds, p.Hold = gate.Flag, nil, gate.HoldNothing })).cables()
	w.ask(when)
	var list struct{ Items []struct{ ID string } }
	w.get("/api/v1/reviews").want(200).into(&list)
	if len(list.Items) != 1 {
		t.Fatalf("reviews %+v", list)
	}
	w.post("/api/v1/reviews/"+list.Items[0].ID, map[string]any{"decision": "approved", "note": "known"}).want(200).says(`"approved"`)
	w.get("/api/v1/audit/entries?limit=1").want(200).says(`"review"`)
}

// A review is decided by the beginning of its id where that fits no other of the caller's; of others' nothing is told.
func TestReviewIsDecidedByTheBeginningOfItsID(t *testing.T) {
	w := open(t).cables()
	own := "answer " + string(w.ask(when).ID)
	err := w.store.Update(t.Context(), func(tx *sqlite.Tx) error {
		for id, subject := range map[string]string{"abcdef0100000000": own, "abcdef0200000000": own, "abcdee0000000000": "answer elsewhere",
			"beef000000000000": "answer elsewhere", "beef100000000000": own} {
			if err := tx.AddReview(gate.Review{ID: id, Subject: subject, At: time.Now()}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		id     string
		status int
		says   string
	}{
		{"abcd", 400, "review abcd: fits abcdef0100000000 and abcdef0200000000: give more of it"},
		{"abc", 400, "review abc: give 4 characters of the id or more"},
		{"abcdee", 404, "not found"},
		{"abcdee0000000000", 404, "not found"},
		{"be", 400, "review be: give 4 characters of the id or more"},
		{"dead", 404, "not found"},
		{"d", 404, "not found"},
		{"abcdef02", 200, `"id":"abcdef0200000000"`},
		{"abcdef02", 400, "review abcdef0200000000 was approved by"},
		{"beef", 200, `"id":"beef100000000000"`},
		{"abcdef0100000000", 200, `"decision":"approved"`},
	} {
		w.post("/api/v1/reviews/"+c.id, map[string]any{"decision": "approved"}).want(c.status).says(c.says)
	}
}

// An answer is outdated when a source that it cites has a newer version, and not before.
func TestInsightsNameOutdatedAnswers(t *testing.T) {
	w := open(t, says("The cable failed in 1858."))
	w.ingest("a.txt", "The cable failed in 1858.")
	id := w.ask("When did the cable fail?").ID
	var in api.Insights
	w.get("/api/v1/insights").want(200).into(&in)
	if in.Outdated == nil || len(in.Outdated) != 0 {
		t.Errorf("outdated too early: %+v", in.Outdated)
	}
	w.ingest("a.txt", "The cable failed in 1866.")
	w.get("/api/v1/insights").want(200).into(&in)
	if len(in.Outdated) != 1 || in.Outdated[0].Answer != id || len(in.Outdated[0].Sources) != 1 {
		t.Errorf("outdated %+v", in.Outdated)
	}
}

func readRecords(lines []byte) ([]eval.Record, error) {
	var out []eval.Record
	for r, err := range eval.Read(bytes.NewReader(lines)) {
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// A run that ends is passed on, the refused one like any other. That it could not be is said at each attempt, and no path with it;
// it stays owed until it could.
func TestFinishedRunsArePassedOn(t *testing.T) {
	var passed []ibid.RunID
	var fails error
	w := open(t, func(c *web.Config) {
		policy, err := gate.Preset("production")
		if err == nil {
			c.AuditLog, err = c.Store.Log(t.Context(), sqlite.LogConfig{})
		}
		if err != nil {
			t.Fatal(err)
		}
		c.Asker.Gate.Policy = &policy
		c.Finished = func(ctx context.Context, done workflow.Finished) error {
			if done.Run.Verdict == nil || len(done.Run.Claims) != 1 {
				t.Errorf("%+v", done.Run)
			}
			owed, err := c.Store.OwedRuns(ctx)
			if err != nil || fails != nil {
				return errors.Join(err, fails)
			}
			for _, id := range owed {
				passed = append(passed, id)
				if err := c.Store.SettleRuns(ctx, id); err != nil {
					return err
				}
			}
			return nil
		}
	})
	begin := func() (ibid.RunID, string) {
		var run struct{ ID string }
		w.post("/api/v1/runs", nil).want(201).into(&run)
		at := "/api/v1/runs/" + run.ID
		w.post(at+"/claims", map[string]any{"claims": []any{map[string]any{"text": "It was eaten by whales."}}}).want(201)
		return ibid.RunID(run.ID), at + "/finish"
	}
	first, at := begin()
	w.post(at, nil).want(200)
	w.post(at, nil).want(200).says(`"outcome":"block"`)
	if !slices.Equal(passed, []ibid.RunID{first}) {
		t.Errorf("passed on: %q", passed)
	}
	fails = errors.New("open /var/secret/claims.jsonl: permission denied")
	second, at := begin()
	for range 2 { // also with a key that makes it one request
		r := w.post(at, nil, "Idempotency-Key", "k").want(503).says("the run is recorded").says("ask again")
		if bytes.Contains(r.body, []byte("secret")) || !strings.Contains(w.log.String(), "secret") {
			t.Errorf("told %s, logged %s", r.body, w.log)
		}
	}
	third, next := begin()
	w.post(next, nil).want(503)
	fails = nil
	w.post(at, nil, "Idempotency-Key", "k").want(200).says(`"outcome":"block"`)
	w.post(next, nil).want(200)
	if !slices.Equal(passed, []ibid.RunID{first, second, third}) {
		t.Errorf("passed on: %q", passed)
	}
}

// What was changed in the library behind the log's back is named, and a library for which there is no time is not said to hold.
func TestVerifyHoldsTheLibrary(t *testing.T) {
	for name, c := range map[string]struct {
		change, library, want string
	}{
		"an answer": {`UPDATE answers SET body = CAST(replace(CAST(body AS TEXT), 'forty', 'fifty') AS BLOB)`, "differs", "is not what was recorded"},
		"the index": {`DELETE FROM answer_words`, "differs", "ibid audit reindex writes it anew"},
		"the log":   {`UPDATE log SET data = x'00' WHERE kind = 'answer'`, "unchecked", "entry "},
	} {
		t.Run(name, func(t *testing.T) {
			w := logged(t, "internal")
			w.post("/api/v1/ask", asked).want(200)
			db, err := sql.Open("sqlite", filepath.Join(w.dir, sqlite.FileName))
			if err == nil {
				_, err = db.Exec(c.change)
				db.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			var v struct {
				Whole    bool
				Library  string
				Problems []string
			}
			w.post("/api/v1/audit/verify", nil).want(200).into(&v)
			if v.Whole || v.Library != c.library || !strings.Contains(strings.Join(v.Problems, "\n"), c.want) {
				t.Errorf("%+v", v)
			}
		})
	}
	w := logged(t, "internal")
	over, cancel := context.WithTimeout(t.Context(), -time.Second)
	defer cancel()
	var r audit.Report
	if library, err := w.server.HoldLibrary(over, w.config.AuditLog, &r); err != nil || library != "unchecked" || len(r.Notes) != 1 {
		t.Errorf("where there is no time: %q, %+v, %v", library, r, err)
	}
}
