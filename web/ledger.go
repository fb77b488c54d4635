package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/capture"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountLedger() {
	add(s, operation{id: "startRun", method: "POST", path: "/api/v1/runs", tag: "runs", summary: "Begin the record of an agent's run", scope: api.Write, status: 201}, s.startRun)
	add(s, operation{id: "listRuns", method: "GET", path: "/api/v1/runs", tag: "runs", summary: "List runs, the latest first", scope: api.Read}, s.runs)
	add(s, operation{id: "getRun", method: "GET", path: "/api/v1/runs/{id}", tag: "runs", summary: "A run with its sources, claims and coverage", scope: api.Read}, s.run)
	add(s, operation{id: "addClaims", method: "POST", path: "/api/v1/runs/{id}/claims", tag: "runs", summary: "Add what an agent retrieved and claims", scope: api.Write, status: 201, body: 8 << 20,
		doc: "A claim names the source it rests on by its identifier, or says why it needs none."}, s.addClaims)
	add(s, operation{id: "finishRun", method: "POST", path: "/api/v1/runs/{id}/finish", tag: "runs", summary: "End a run and take the gate's decision on it", scope: api.Write,
		doc: "Ending it again changes nothing. A run that the gate refuses is recorded all the same; its verdict says so."}, s.finishRun)
	add(s, operation{id: "eraseRun", method: "DELETE", path: "/api/v1/runs/{id}", tag: "runs", summary: "Erase a run that is finished, for good", scope: api.Admin, status: http.StatusNoContent, working: true,
		doc: "With its sources and claims, what its tools returned, its review, and what the entries of the log hold of it. Each erasure is an entry of the log, with the reason."}, s.eraseRun)
	add(s, operation{id: "decide", method: "POST", path: "/api/v1/gate", tag: "gate", summary: "What the gate would say of claims, an answer or a run", scope: api.Read, working: true,
		doc: "Nothing is recorded. It says where claims come from, and never whether they are true."}, s.decide)
	add(s, operation{id: "listPolicies", method: "GET", path: "/api/v1/policies", tag: "gate", summary: "The policies that can be named, and the one in use", scope: api.Read}, s.policies)
	add(s, operation{id: "listReviews", method: "GET", path: "/api/v1/reviews", tag: "gate", summary: "What the gate flagged for people to look at", scope: api.Read}, s.reviews)
	add(s, operation{id: "decideReview", method: "POST", path: "/api/v1/reviews/{id}", tag: "gate", summary: "Decide on what was flagged", scope: api.Write}, s.decideReview)
}

func (s *Server) mountAudit() {
	raw := func(doc string, t reflect.Type) map[string]*huma.Response {
		return map[string]*huma.Response{"200": {Description: doc, Content: map[string]*huma.MediaType{"application/json": {Schema: s.api.OpenAPI().Components.Schemas.Schema(t, true, "")}}}}
	}
	add(s, operation{id: "listEntries", method: "GET", path: "/api/v1/audit/entries", tag: "audit", summary: "The log, the latest first", scope: api.Read, doc: "For a key that reaches all collections, as the log holds them all."}, s.entries)
	add(s, operation{id: "getEntry", method: "GET", path: "/api/v1/audit/entries/{index}", tag: "audit", summary: "One entry", scope: api.Read}, s.entry)
	add(s, operation{id: "getReceipt", method: "GET", path: "/api/v1/audit/entries/{index}/receipt", tag: "audit", summary: "The proof that the log holds an entry", scope: api.Read,
		doc: "Anyone with the log's public key can check it, here or with ibid audit check.", answers: raw("The receipt.", reflect.TypeFor[freeForm]())}, s.receipt)
	add(s, operation{id: "getAnswerReceipt", method: "GET", path: "/api/v1/answers/{id}/receipt", tag: "audit", summary: "The proof that the log holds an answer", scope: api.Read,
		answers: raw("The receipt.", reflect.TypeFor[freeForm]())}, s.answerReceipt)
	add(s, operation{id: "verifyLog", method: "POST", path: "/api/v1/audit/verify", tag: "audit", summary: "Read the whole log and hold it against its proofs, and the library against it", scope: api.Read, working: true}, s.verify)
	add(s, operation{id: "checkReceipt", method: "POST", path: "/api/v1/audit/check", tag: "audit", summary: "Check a receipt", scope: api.Read,
		doc: "Against the keys that are given, or this log's own."}, s.checkReceipt)
	add(s, operation{id: "getCheckpoint", method: "GET", path: "/api/v1/audit/checkpoint", tag: "audit", summary: "What the log has signed last, and its keys", scope: api.Read}, s.checkpoint)
}

type runForm struct {
	ID         ibid.RunID             `json:"id"`
	StartedAt  time.Time              `json:"started_at"`
	FinishedAt *time.Time             `json:"finished_at,omitempty"`
	Sources    []ibid.SourceReference `json:"sources" doc:"All that was retrieved, cited or not."`
	Claims     []ibid.Claim           `json:"claims"`
	Verdict    *ibid.Verdict          `json:"verdict,omitempty"`
	Report     *gate.Report           `json:"report,omitempty" doc:"Coverage as it stands, by rung of trust and by agent."`
}

func formOfRun(r ibid.Run) runForm {
	f := runForm{ID: r.ID, StartedAt: r.StartedAt, Sources: listed(r.Sources), Claims: listed(r.Claims), Verdict: r.Verdict}
	if !r.FinishedAt.IsZero() {
		f.FinishedAt = &r.FinishedAt
	}
	return f
}

func (s *Server) startRun(ctx context.Context, _ *struct{}) (*body[runForm], error) {
	c := callerOf(ctx)
	run := ibid.Run{ID: ibid.RunID(newID()), StartedAt: s.Asker.Now().UTC()}
	if err := c.record().OwnRun(ctx, run.ID); err != nil {
		return nil, err
	}
	err := s.Store.Update(ctx, func(tx *sqlite.Tx) error {
		return errors.Join(tx.BeginRun(run.ID, run.StartedAt), workflow.EnterRun(tx, run.ID, run.StartedAt))
	})
	return &body[runForm]{formOfRun(run)}, err
}

// runHead is a run as lists show it.
type runHead struct {
	ID         ibid.RunID    `json:"id"`
	StartedAt  time.Time     `json:"started_at"`
	FinishedAt *time.Time    `json:"finished_at,omitempty"`
	Verdict    *ibid.Verdict `json:"verdict,omitempty"`
	Claims     int           `json:"claim_count"`
	First      string        `json:"first_claim,omitempty" doc:"Its text."`
}

func (s *Server) runs(ctx context.Context, in *paging) (*body[api.Page[runHead]], error) {
	before, err := in.after()
	if err != nil {
		return nil, err
	}
	list, err := callerOf(ctx).record().Runs(ctx, ibid.RunID(before), in.Limit+1)
	if err != nil {
		return nil, err
	}
	heads := make([]runHead, len(list))
	for i, h := range list {
		f := formOfRun(h.Run)
		heads[i] = runHead{f.ID, f.StartedAt, f.FinishedAt, f.Verdict, h.Claims, shortened(h.First)}
	}
	return &body[api.Page[runHead]]{paged(heads, in.Limit, func(h runHead) string { return string(h.ID) })}, nil
}

// ownRun gives a run of the caller's collection by its whole id: the beginning of one is nobody's, and would find those of others.
func (s *Server) ownRun(ctx context.Context, id string) (ibid.Run, error) {
	own, err := callerOf(ctx).record().Owns(ctx, ibid.RunID(id))
	if err == nil && !own {
		err = ibid.ErrNotFound
	}
	if err != nil {
		return ibid.Run{}, err
	}
	run, err := s.Store.Run(ctx, ibid.RunID(id))
	if errors.Is(err, ibid.ErrAmbiguous) || err == nil && string(run.ID) != id {
		return ibid.Run{}, ibid.ErrNotFound
	}
	return run, err
}

func (s *Server) run(ctx context.Context, in *idParam) (*body[runForm], error) {
	r, err := s.ownRun(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	f := formOfRun(r)
	policy, err := s.policyFor(ctx, r)
	if err != nil {
		return nil, err
	}
	f.Report = ptr(tidyReport(policy.Decide(gate.OfRun(r))))
	return &body[runForm]{f}, nil
}

type claimsParams struct {
	ID   string `path:"id" maxLength:"200"`
	Body struct {
		Agent   string         `json:"agent,omitempty" maxLength:"200"`
		Sources []toolResult   `json:"sources,omitempty" maxItems:"1000"`
		Claims  []newClaimForm `json:"claims,omitempty" maxItems:"10000"`
	}
}

type toolResult struct {
	Identifier string            `json:"identifier" minLength:"1" maxLength:"1000" doc:"By which claims name it; unique for the agent."`
	Category   string            `json:"category" minLength:"1" maxLength:"100" doc:"web_search, http, sql, command, file …"`
	Tool       string            `json:"tool,omitempty" maxLength:"200"`
	Endpoint   string            `json:"endpoint,omitempty" maxLength:"4000" doc:"Where it was found; kept without what looks like a secret in an address."`
	FetchedAt  *time.Time        `json:"fetched_at,omitempty" doc:"Now where it is left out."`
	Metadata   map[string]string `json:"metadata,omitempty"`
	Content    string            `json:"content,omitempty" doc:"What the tool returned; it is kept by its hash."`
}

type newClaimForm struct {
	Text   string         `json:"text" minLength:"1" maxLength:"20000"`
	Source string         `json:"source,omitempty" maxLength:"1000" doc:"Identifier of the source it rests on."`
	Quotes []string       `json:"quotes,omitempty" maxItems:"20" doc:"Words of the source that it rests on."`
	Exempt ibid.Exemption `json:"exempt,omitempty" enum:"computed,structural,run" doc:"Why it needs no source: the result of code, the form of the output, about the run itself."`
}

func (s *Server) addClaims(ctx context.Context, in *claimsParams) (*body[runForm], error) {
	run, err := s.ownRun(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	runner := &workflow.Runner{Gate: workflow.Gate{Book: workflow.Pages(s.Store.Update)}, Now: s.Asker.Now}
	err = runner.Register(ctx, run.ID, in.Body.Agent, func(led *ledger.Ledger, _ ibid.Run) error { return in.register(led) })
	if errors.Is(err, ledger.ErrFinished) {
		return nil, &statusError{http.StatusConflict, err}
	}
	if err != nil {
		return nil, err
	}
	run, err = s.Store.Run(ctx, run.ID)
	return &body[runForm]{formOfRun(run)}, err
}

// register adds what is sent to the agent's ledger, all or nothing.
func (in *claimsParams) register(led *ledger.Ledger) error {
	for i, t := range in.Body.Sources {
		if _, taken := led.Registered(t.Identifier); taken {
			return invalid(fmt.Sprintf("body.sources[%d].identifier", i), "the agent has a source of this identifier")
		}
		r := ibid.SourceReference{Identifier: t.Identifier, Category: t.Category, Tool: t.Tool, Endpoint: capture.Address(t.Endpoint), Metadata: t.Metadata}
		if t.FetchedAt != nil {
			r.FetchedAt = t.FetchedAt.UTC()
		}
		var content []byte
		if t.Content != "" {
			content = []byte(t.Content)
		}
		if _, err := led.Source(r, content); err != nil {
			return &fieldError{fmt.Sprintf("body.sources[%d]", i), err}
		}
	}
	for i, c := range in.Body.Claims {
		if _, err := led.State(ledger.Statement(c)); err != nil {
			return &fieldError{fmt.Sprintf("body.claims[%d]", i), err}
		}
	}
	return nil
}

func (s *Server) finishRun(ctx context.Context, in *idParam) (*body[runForm], error) {
	run, err := s.ownRun(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	policy, err := s.policy("")
	if err != nil {
		return nil, err
	}
	runner := &workflow.Runner{Gate: workflow.Gate{Policy: &policy, Book: workflow.Pages(s.Store.Update)}, Now: s.Asker.Now, Owes: s.Finished != nil}
	done, err := runner.FinishRecorded(ctx, run.ID)
	if _, refused := workflow.Refused(err); err != nil && !refused {
		return nil, err
	}
	if s.Finished != nil {
		if err := s.Finished(context.WithoutCancel(ctx), done); err != nil { // whether anybody still waits or not
			s.Log.Error("a run was recorded, and not passed on", "run", done.Run.ID, "error", err)
			return nil, &statusError{http.StatusServiceUnavailable, errors.New("the run is recorded and decided, but its claims could not be passed on yet; ask again, or leave it to the next run that ends; the server's log says why")}
		}
	}
	f := formOfRun(done.Run)
	f.Report = ptr(tidyReport(done.Report))
	return &body[runForm]{f}, nil
}

type eraseParams struct {
	ID     string `path:"id" maxLength:"200"`
	Reason string `query:"reason" required:"true" maxLength:"1000" doc:"Why it is erased, without personal data: the reason stays in the log."`
}

func (s *Server) eraseRun(ctx context.Context, in *eraseParams) (*struct{}, error) {
	if strings.TrimSpace(in.Reason) == "" {
		return nil, invalid("query.reason", "say why, without personal data: the reason stays")
	}
	if s.AuditLog == nil {
		return nil, errNoLog
	}
	run, err := s.ownRun(ctx, in.ID)
	if err == nil && run.Verdict == nil {
		err = &statusError{http.StatusConflict, errors.New("the run goes on, and what is added to it would bring it back: finish it first")}
	}
	if err != nil {
		return nil, err
	}
	subject := "run " + string(run.ID)
	_, err = s.AuditLog.EraseRun(ctx, run.ID, func(e ibid.Entry) bool { return workflow.SubjectOf(e) == subject }, in.Reason)
	return nil, err
}

// policy gives a policy by name, or the one in use, or what is usual outside of production.
func (s *Server) policy(name string) (gate.Policy, error) {
	if name == "" {
		if p := s.Asker.Gate.Policy; p != nil {
			return *p, nil
		}
		name = "internal"
	}
	return gate.Preset(name)
}

// policyFor gives the policy that a run was decided by, and the one in use where there is none yet.
func (s *Server) policyFor(ctx context.Context, r ibid.Run) (gate.Policy, error) {
	if r.Verdict != nil && r.Verdict.Policy != "" {
		if p, err := s.Store.Policy(ctx, r.Verdict.Policy); !errors.Is(err, ibid.ErrNotFound) {
			return p, err
		}
	}
	return s.policy("")
}

// tidyReport gives lists in the place of null.
func tidyReport(r gate.Report) gate.Report {
	r.Uncited = listed(r.Uncited)
	r.Coverage, r.Threshold = api.Near(r.Coverage), api.Near(r.Threshold)
	return r
}

type gateForm struct {
	Policy string       `json:"policy,omitempty" maxLength:"100" doc:"By name; the one in use where it is left out."`
	Answer string       `json:"answer,omitempty" maxLength:"200" doc:"Id of a recorded answer."`
	Run    string       `json:"run,omitempty" maxLength:"200" doc:"Id of a run."`
	Claims []gate.Claim `json:"claims,omitempty" maxItems:"10000"`
}

func (s *Server) decide(ctx context.Context, in *body[gateForm]) (*body[gate.Report], error) {
	policy, err := s.policy(in.Body.Policy)
	if err != nil {
		return nil, &fieldError{"body.policy", fmt.Errorf("%w: %w", err, ibid.ErrInvalid)}
	}
	claims := in.Body.Claims
	switch {
	case in.Body.Answer != "":
		a, err := callerOf(ctx).record().Answer(ctx, ibid.AnswerID(in.Body.Answer))
		if err != nil {
			return nil, err
		}
		claims = gate.OfAnswer(a)
	case in.Body.Run != "":
		r, err := s.ownRun(ctx, in.Body.Run)
		if err != nil {
			return nil, err
		}
		claims = gate.OfRun(r)
	case claims == nil:
		return nil, invalid("body", "give answer, run or claims")
	}
	return &body[gate.Report]{tidyReport(policy.Decide(claims))}, nil
}

type policiesForm struct {
	InUse   *gate.Policy  `json:"in_use,omitempty" doc:"Absent where answers pass ungated."`
	Version string        `json:"version,omitempty" doc:"Of the policy in use."`
	Presets []gate.Policy `json:"presets"`
}

func (s *Server) policies(context.Context, *struct{}) (*body[policiesForm], error) {
	out := policiesForm{InUse: s.Asker.Gate.Policy, Presets: []gate.Policy{}}
	if out.InUse != nil {
		out.Version = out.InUse.Version()
	}
	for _, name := range gate.Presets() {
		p, err := gate.Preset(name)
		if err != nil {
			return nil, err
		}
		out.Presets = append(out.Presets, p)
	}
	return &body[policiesForm]{out}, nil
}

// own reports whether what the gate decided on belongs to the caller's collection.
func (s *Server) own(ctx context.Context, subject string) (bool, error) {
	record := callerOf(ctx).record()
	kind, id, _ := strings.Cut(subject, " ")
	if kind == "run" {
		return record.Owns(ctx, ibid.RunID(id))
	}
	_, err := record.Answer(ctx, ibid.AnswerID(id))
	if errors.Is(err, ibid.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

type reviewForm struct {
	ID       string      `json:"id"`
	Subject  string      `json:"subject" doc:"answer or run, and its id."`
	Title    string      `json:"title"`
	Summary  string      `json:"summary"`
	Uncited  []string    `json:"uncited_claims"`
	Reasons  []string    `json:"reasons"`
	Entry    *int64      `json:"entry,omitempty" doc:"Of the decision that flagged it, in the log."`
	At       time.Time   `json:"at"`
	Decision gate.Ruling `json:"decision,omitempty"`
	By       string      `json:"by,omitempty"`
	Note     string      `json:"note,omitempty"`
	Decided  *time.Time  `json:"decided_at,omitempty"`
}

func formOfReview(r gate.Review) reviewForm {
	f := reviewForm{r.ID, r.Subject, r.Title, r.Summary, listed(r.Uncited), listed(r.Reasons), r.Entry, r.At, r.Decision, r.By, r.Note, nil}
	if !r.Decided.IsZero() {
		f.Decided = &r.Decided
	}
	return f
}

type reviewsQuery struct {
	All    bool   `query:"all" doc:"Also those that are decided."`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many at most."`
	Cursor string `query:"cursor" maxLength:"500" doc:"The next of the page before."`
}

func (s *Server) reviews(ctx context.Context, in *reviewsQuery) (*body[api.Page[reviewForm]], error) {
	after, err := paging{in.Limit, in.Cursor}.after()
	if err != nil {
		return nil, err
	}
	list, err := s.Store.Reviews(ctx, in.All || after != "") // the last one shown may have been decided on since
	if err != nil {
		return nil, err
	}
	if after != "" {
		i := slices.IndexFunc(list, func(r gate.Review) bool { return r.ID == after })
		if i < 0 { // from the beginning again, who follows pages would go round for ever
			return nil, invalid("query.cursor", "not a cursor that a list gave")
		}
		list = list[i+1:]
	}
	var forms []reviewForm
	for _, r := range list {
		if len(forms) > in.Limit {
			break
		}
		if !in.All && !r.Decided.IsZero() {
			continue
		}
		own, err := s.own(ctx, r.Subject)
		if err != nil {
			return nil, err
		}
		if own {
			forms = append(forms, formOfReview(r))
		}
	}
	return &body[api.Page[reviewForm]]{paged(forms, in.Limit, func(f reviewForm) string { return f.ID })}, nil
}

type rulingParams struct {
	ID   string `path:"id" maxLength:"200"`
	Body struct {
		Decision gate.Ruling `json:"decision" enum:"approved,rejected"`
		Note     string      `json:"note,omitempty" maxLength:"5000"`
	}
}

func (s *Server) decideReview(ctx context.Context, in *rulingParams) (*body[reviewForm], error) {
	r, err := s.Store.ReviewAmong(ctx, in.ID, func(r gate.Review) (bool, error) { return s.own(ctx, r.Subject) })
	if err != nil {
		return nil, err
	}
	err = s.Store.Update(ctx, func(tx *sqlite.Tx) error {
		if r, err = tx.DecideReview(r.ID, in.Body.Decision, callerOf(ctx).key, in.Body.Note, s.Asker.Now().UTC()); err != nil || s.AuditLog == nil {
			return err
		}
		data, err := json.Marshal(r)
		if err == nil {
			_, err = tx.Append(workflow.EntryReview, data)
		}
		return err
	})
	return &body[reviewForm]{formOfReview(r)}, err
}

// freeForm is JSON of a form of its own.
type freeForm struct{}

func (freeForm) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

var errNoLog = fmt.Errorf("no log is kept: %w", ibid.ErrNotFound)

// log gives the log to who may see all of it.
func (s *Server) log(ctx context.Context) (*sqlite.Log, error) {
	if s.AuditLog == nil {
		return nil, errNoLog
	}
	if !callerOf(ctx).all {
		return nil, &statusError{http.StatusForbidden, errors.New("the log holds all collections; it takes a key that reaches them all")}
	}
	return s.AuditLog, nil
}

func (s *Server) entries(ctx context.Context, in *paging) (*body[api.Page[api.Entry]], error) {
	log, err := s.log(ctx)
	if err != nil {
		return nil, err
	}
	size, err := log.Size(ctx)
	if err != nil {
		return nil, err
	}
	end := size
	if before, err := in.after(); err != nil {
		return nil, err
	} else if before != "" {
		if end, err = strconv.ParseInt(before, 10, 64); err != nil || end < 0 || end > size {
			return nil, invalid("query.cursor", "not a cursor that a list gave")
		}
	}
	from := max(end-int64(in.Limit), 0)
	var list []api.Entry
	for e, err := range log.Entries(ctx, from) {
		if err != nil {
			return nil, err
		}
		if e.Index >= end {
			break
		}
		list = append(list, api.EntryOf(e))
	}
	slices.Reverse(list)
	page := api.Page[api.Entry]{Items: listed(list)}
	if from > 0 {
		page.Next = paged([]int64{from, 0}, 1, func(n int64) string { return strconv.FormatInt(n, 10) }).Next
	}
	return &body[api.Page[api.Entry]]{page}, nil
}

type indexParam struct {
	Index int64 `path:"index" minimum:"0"`
}

func (s *Server) entry(ctx context.Context, in *indexParam) (*body[api.Entry], error) {
	log, err := s.log(ctx)
	if err != nil {
		return nil, err
	}
	e, err := log.Entry(ctx, in.Index)
	return &body[api.Entry]{api.EntryOf(e)}, err
}

func (s *Server) receipt(ctx context.Context, in *indexParam) (*body[json.RawMessage], error) {
	log, err := s.log(ctx)
	if err != nil {
		return nil, err
	}
	return s.giveReceipt(ctx, log, in.Index)
}

func (s *Server) giveReceipt(ctx context.Context, log *sqlite.Log, index int64) (*body[json.RawMessage], error) {
	r, err := log.Receipt(ctx, index)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(r)
	return &body[json.RawMessage]{b}, err
}

// answerReceipt is for everyone who may see the answer.
func (s *Server) answerReceipt(ctx context.Context, in *idParam) (*body[json.RawMessage], error) {
	a, err := callerOf(ctx).record().Answer(ctx, ibid.AnswerID(in.ID))
	if err == nil && (a.Entry == nil || s.AuditLog == nil) {
		err = fmt.Errorf("answer %s is in no log: %w", a.ID, ibid.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return s.giveReceipt(ctx, s.AuditLog, *a.Entry)
}

type verifiedForm struct {
	Whole       bool     `json:"whole" doc:"No problem was found."`
	Library     string   `json:"library" enum:"holds,differs,unchecked" doc:"Whether the library is what the log says, and answers are found by what they say. It is looked at where the log holds, and as far as there is time."`
	Entries     int64    `json:"entries"`
	Payloads    int64    `json:"payloads"`
	Erased      int64    `json:"erased"`
	Checkpoints int      `json:"checkpoints" doc:"Whose signatures hold."`
	Root        string   `json:"root"`
	Notes       []string `json:"notes"`
	Problems    []string `json:"problems"`
}

func (s *Server) verify(ctx context.Context, _ *struct{}) (*body[verifiedForm], error) {
	log, err := s.log(ctx)
	if err != nil {
		return nil, err
	}
	r, err := log.Verify(ctx, audit.Expect{})
	if err != nil {
		return nil, err
	}
	library := "unchecked"
	if len(r.Problems) == 0 {
		if library, err = s.holdLibrary(ctx, log, &r); err != nil {
			return nil, err
		}
	}
	f := verifiedForm{len(r.Problems) == 0, library, r.Entries, r.Payloads, r.Erased, r.Checkpoints, r.Root.String(), listed(r.Notes), []string{}}
	for _, p := range r.Problems {
		f.Problems = append(f.Problems, p.String())
	}
	return &body[verifiedForm]{f}, nil
}

// holdLibrary holds the library against the log, and what answers are found by against the library, and adds what does not fit to the
// report. A library for which the time of a request is too short is not said to hold.
func (s *Server) holdLibrary(ctx context.Context, log *sqlite.Log, r *audit.Report) (string, error) {
	found, unchecked, err := workflow.Held(ctx, log.Entries(ctx, 0), s.Store)
	wrong := ""
	if err == nil && len(found) == 0 {
		wrong, err = s.Store.CheckFind(ctx)
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		r.Notes = append(r.Notes, "the library is too large to be held against the log here: ibid audit verify takes the time that it needs")
		return "unchecked", nil
	}
	if err != nil {
		return "", err
	}
	r.Notes = append(r.Notes, unchecked...)
	for _, d := range found {
		r.Problems = append(r.Problems, audit.Problem{Entry: d.Entry, What: d.What})
	}
	if wrong != "" {
		r.Problems = append(r.Problems, audit.Problem{Entry: -1, What: wrong})
	}
	if len(r.Problems) > 0 {
		return "differs", nil
	}
	return "holds", nil
}

type receiptForm struct {
	Receipt json.RawMessage `json:"receipt" doc:"As it was given."`
	Keys    []string        `json:"keys,omitempty" maxItems:"100" doc:"Public keys to trust; this log's own where they are left out."`
}

type checkedReceipt struct {
	Valid  bool       `json:"valid"`
	Reason string     `json:"reason,omitempty" doc:"Why it is not."`
	Entry  *api.Entry `json:"entry,omitempty" doc:"What it proves."`
	Size   int64      `json:"size,omitempty" doc:"Entries of the log at its checkpoint."`
}

func (s *Server) checkReceipt(ctx context.Context, in *body[receiptForm]) (*body[checkedReceipt], error) {
	keys := in.Body.Keys
	if len(keys) == 0 && s.AuditLog != nil {
		own, err := s.AuditLog.Keys(ctx)
		if err != nil {
			return nil, err
		}
		for _, k := range own {
			keys = append(keys, k.Key)
		}
	}
	r, err := audit.ParseReceipt(in.Body.Receipt)
	if err != nil {
		return nil, &fieldError{"body.receipt", fmt.Errorf("%w: %w", err, ibid.ErrInvalid)}
	}
	checked, err := r.Check(keys...)
	if err != nil {
		return &body[checkedReceipt]{checkedReceipt{Reason: wording.Of(err)}}, nil
	}
	return &body[checkedReceipt]{checkedReceipt{Valid: true, Entry: ptr(api.EntryOf(checked.Entry)), Size: checked.Checkpoint.Size}}, nil
}

type checkpointForm struct {
	Origin     string          `json:"origin"`
	Entries    int64           `json:"entries"`
	Checkpoint string          `json:"checkpoint,omitempty" doc:"Signed; keep it elsewhere, and hold the log against it later."`
	Keys       []sqlite.LogKey `json:"keys" doc:"Public."`
}

func (s *Server) checkpoint(ctx context.Context, _ *struct{}) (*body[checkpointForm], error) {
	log, err := s.log(ctx)
	if err != nil {
		return nil, err
	}
	f := checkpointForm{Origin: log.Origin(), Keys: []sqlite.LogKey{}}
	if f.Entries, err = log.Size(ctx); err != nil || f.Entries == 0 {
		return &body[checkpointForm]{f}, err
	}
	if f.Checkpoint, err = log.Checkpoint(ctx); err != nil {
		return nil, err
	}
	keys, err := log.Keys(ctx)
	f.Keys = listed(keys)
	return &body[checkpointForm]{f}, err
}
