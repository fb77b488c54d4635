package web

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountVersions() {
	add(s, operation{id: "attributeAgain", method: "POST", path: "/api/v1/answers/{id}/versions", tag: "answers", summary: "Attribute a recorded answer again", scope: api.Write, status: 201, working: true,
		doc: "By the engine as it is now, or with the newest versions of its sources. The answer as it was recorded stays; what changed is told."}, s.attributeAgain)
	add(s, operation{id: "listAnswerVersions", method: "GET", path: "/api/v1/answers/{id}/versions", tag: "answers", summary: "What a recorded answer was attributed as again", scope: api.Read}, s.answerVersions)
	add(s, operation{id: "getDrift", method: "GET", path: "/api/v1/answers/{id}/drift", tag: "answers", summary: "Whether what an answer cites still stands in its sources", scope: api.Read}, s.drift)
	add(s, operation{id: "compareVersions", method: "GET", path: "/api/v1/sources/{id}/diff", tag: "library", summary: "What differs between two snapshots of a source", scope: api.Read, working: true}, s.diff)
}

type againParams struct {
	ID   string `path:"id" maxLength:"200"`
	Body struct {
		Cause string `json:"cause,omitempty" enum:"engine,sources" doc:"engine, with the passages it had; sources, with the newest versions of what it had. engine where it is left out."`
	}
}

type versionOfAnswer struct {
	Version   int           `json:"version" doc:"1 is the answer as it was recorded."`
	Cause     string        `json:"cause" enum:"engine,sources"`
	Engine    string        `json:"engine" doc:"The build that did it."`
	CreatedAt time.Time     `json:"created_at"`
	Changes   []changedForm `json:"changes" doc:"Against the answer as it was recorded."`
	Answer    outgoing      `json:"answer"`
}

type changedForm struct {
	Segment int         `json:"segment" doc:"1 for the first."`
	Text    string      `json:"text"`
	Before  segmentForm `json:"before"`
	After   segmentForm `json:"after"`
	What    []string    `json:"what" doc:"In words."`
}

func (s *Server) attributeAgain(ctx context.Context, in *againParams) (*body[versionOfAnswer], error) {
	c := callerOf(ctx)
	old, err := c.record().Answer(ctx, ibid.AnswerID(in.ID))
	if err != nil {
		return nil, err
	}
	cause := or(in.Body.Cause, "engine")
	passages := old.Passages
	if cause == "sources" {
		if passages, err = s.newestPassages(ctx, c, old); err != nil {
			return nil, err
		}
	}
	again, err := workflow.Again(ctx, s.engine, old, passages)
	if err != nil {
		return nil, err
	}
	again.Steps, again.Verdict = nil, nil // they speak of the answer as it was
	now := s.Asker.Now().UTC().Truncate(time.Microsecond)
	n, err := c.record().PutVersion(ctx, again, cause, s.Version, now)
	if err != nil {
		return nil, err
	}
	out, err := versionOf(old, sqlite.AnswerVersion{Version: n, Cause: cause, Engine: s.Version, CreatedAt: now, Answer: again})
	return &body[versionOfAnswer]{out}, err
}

// newestPassages gives the newest text of each source that the answer had, whole chunks of it, numbered anew.
func (s *Server) newestPassages(ctx context.Context, c *caller, a ibid.Answer) ([]ibid.Passage, error) {
	const most = 400
	var out []ibid.Passage
	seen := map[ibid.SourceID]bool{}
	for _, p := range a.Passages {
		if seen[p.Source.ID] {
			continue
		}
		seen[p.Source.ID] = true
		if p.Given() { // it has no other version
			p.Rank = len(out) + 1
			out = append(out, p)
			continue
		}
		docs, err := c.record().Versions(ctx, p.Source.ID)
		if errors.Is(err, ibid.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		chunks, err := s.Store.Chunks(ctx, docs[0].ID)
		if err != nil {
			return nil, err
		}
		for _, ch := range chunks {
			if len(out) < most {
				out = append(out, ibid.Passage{Chunk: ch, Source: p.Source, Rank: len(out) + 1})
			}
		}
	}
	return out, nil
}

func versionOf(old ibid.Answer, v sqlite.AnswerVersion) (versionOfAnswer, error) {
	form := versionOfAnswer{Version: v.Version, Cause: v.Cause, Engine: v.Engine, CreatedAt: v.CreatedAt, Answer: out(v.Answer), Changes: []changedForm{}}
	before, err := partsOf(api.Public(old))
	if err != nil {
		return form, err
	}
	after, err := partsOf(api.Public(v.Answer))
	if err != nil {
		return form, err
	}
	for i, now := range v.Answer.Segments {
		if i >= len(old.Segments) {
			break
		}
		if what := differences(old, old.Segments[i], v.Answer, now); len(what) > 0 {
			form.Changes = append(form.Changes, changedForm{i + 1, now.At.In(v.Answer.Text), before.Segments[i], after.Segments[i], what})
		}
	}
	return form, nil
}

// differences says what is not as it was.
func differences(a ibid.Answer, was ibid.Segment, b ibid.Answer, is ibid.Segment) []string {
	var out []string
	if was.Origin != is.Origin {
		out = append(out, fmt.Sprintf("was %s, is %s", was.InWords(), is.InWords()))
	}
	if before, now := ibid.Strength(was.Support), ibid.Strength(is.Support); before != now {
		out = append(out, fmt.Sprintf("support was %s, is %s", before, now))
	}
	if n, m := len(was.Contradicted), len(is.Contradicted); (n > 0) != (m > 0) {
		out = append(out, map[bool]string{true: "a source denies it now", false: "no source denies it any more"}[m > 0])
	}
	if before, now := quotes(a, was), quotes(b, is); before != now {
		out = append(out, "rests on other words")
	}
	return out
}

func quotes(a ibid.Answer, s ibid.Segment) string {
	var all []string
	for _, at := range a.Evidence(s) {
		if p, ok := a.Passage(at.Ref); ok {
			all = append(all, at.To.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text))
		}
	}
	return strings.Join(all, "\x00")
}

func (s *Server) answerVersions(ctx context.Context, in *idParam) (*body[api.Page[versionOfAnswer]], error) {
	record := callerOf(ctx).record()
	old, err := record.Answer(ctx, ibid.AnswerID(in.ID))
	if err != nil {
		return nil, err
	}
	list, err := record.AnswerVersions(ctx, old.ID)
	if err != nil {
		return nil, err
	}
	page := api.Page[versionOfAnswer]{Items: []versionOfAnswer{}}
	for _, v := range list {
		out, err := versionOf(old, v)
		if err != nil {
			return nil, err
		}
		page.Items = append(page.Items, out)
	}
	return &body[api.Page[versionOfAnswer]]{page}, nil
}

type driftForm struct {
	Number  int           `json:"number" doc:"Of the citation."`
	Source  ibid.SourceID `json:"source"`
	Title   string        `json:"title"`
	Quote   string        `json:"quote"`
	Cited   int           `json:"cited_version"`
	Newest  int           `json:"newest_version"`
	State   string        `json:"state" enum:"same,moved,changed,gone" doc:"The words stand where they stood; elsewhere; no more; or the source is gone."`
	Now     *anchorForm   `json:"now,omitempty" doc:"Where they stand in the newest version."`
	Changed *time.Time    `json:"changed_at,omitempty" doc:"When the newest version was taken."`
}

// drift looks for each cited quote in the newest version of its source.
func (s *Server) drift(ctx context.Context, in *idParam) (*body[api.Page[driftForm]], error) {
	record := callerOf(ctx).record()
	a, err := record.Answer(ctx, ibid.AnswerID(in.ID))
	if err != nil {
		return nil, err
	}
	page := api.Page[driftForm]{Items: []driftForm{}}
	for _, c := range a.Citations {
		d := driftForm{Number: c.Number, Source: c.Source, Quote: c.Quote, State: "gone"}
		given := false
		for _, p := range a.Passages {
			if p.Source.ID == c.Source {
				d.Title = p.Source.Title()
				given = p.Given()
			}
		}
		if given { // it came with the question, and has no versions
			d.State, d.Now = "same", &anchorForm{string(c.At.Document), spanForm{Start: c.At.Span.Start, End: c.At.Span.End}}
			page.Items = append(page.Items, d)
			continue
		}
		if err := s.follow(ctx, record, c, &d); err != nil {
			return nil, err
		}
		page.Items = append(page.Items, d)
	}
	return &body[api.Page[driftForm]]{page}, nil
}

func (s *Server) follow(ctx context.Context, record sqlite.Collection, c ibid.Citation, d *driftForm) error {
	docs, err := record.Versions(ctx, c.Source)
	if errors.Is(err, ibid.ErrNotFound) || err == nil && len(docs) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	d.Newest, d.Changed = docs[0].Version, &docs[0].FetchedAt
	for _, v := range docs {
		if v.ID == c.At.Document {
			d.Cited = v.Version
		}
	}
	if docs[0].ID == c.At.Document {
		d.State, d.Now = "same", &anchorForm{string(c.At.Document), spanForm{Start: c.At.Span.Start, End: c.At.Span.End}}
		return nil
	}
	before, at := c.Quote, ibid.Span{End: len(c.Quote)}
	if cited, err := record.Document(ctx, c.At.Document); err == nil && c.At.Span.End <= len(cited.Text) {
		before, at = cited.Text, c.At.Span
	} else if err != nil && !errors.Is(err, ibid.ErrNotFound) {
		return err
	}
	doc, err := record.Version(ctx, c.Source, docs[0].Version)
	if err != nil {
		return err
	}
	place, drift := ledger.Follow(before, doc.Text, at)
	if drift == ledger.Gone {
		d.State = "changed"
		return nil
	}
	d.State, d.Now = string(drift), &anchorForm{string(doc.ID), spanForm{Start: place.Start, End: place.End}}
	return nil
}

type diffParams struct {
	ID   string `path:"id" maxLength:"200"`
	From int    `query:"from" minimum:"1" required:"true" doc:"Version before."`
	To   int    `query:"to" minimum:"1" required:"true" doc:"Version after."`
}

type diffForm struct {
	From  int        `json:"from"`
	To    int        `json:"to"`
	Parts []diffPart `json:"parts" doc:"Lines in order."`
}

type diffPart struct {
	Kind string `json:"kind" enum:"same,removed,added"`
	Text string `json:"text"`
}

func (s *Server) diff(ctx context.Context, in *diffParams) (*body[diffForm], error) {
	record := callerOf(ctx).record()
	from, err := record.Version(ctx, ibid.SourceID(in.ID), in.From)
	if err != nil {
		return nil, err
	}
	to, err := record.Version(ctx, ibid.SourceID(in.ID), in.To)
	if err != nil {
		return nil, err
	}
	return &body[diffForm]{diffForm{in.From, in.To, compareLines(strings.SplitAfter(from.Text, "\n"), strings.SplitAfter(to.Text, "\n"))}}, nil
}

// maxTable bounds the table of a comparison. What is larger is told as removed and added whole, between its common ends.
const maxTable = 4_000_000

// compareLines gives the lines of both texts in order, with the longest common run of lines as what stayed.
func compareLines(a, b []string) []diffPart {
	parts := []diffPart{}
	put := func(kind string, lines []string) {
		text := strings.Join(lines, "")
		if text == "" {
			return
		}
		if n := len(parts); n > 0 && parts[n-1].Kind == kind {
			parts[n-1].Text += text
			return
		}
		parts = append(parts, diffPart{kind, text})
	}
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	put("same", a[:head])
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(x)*len(y) > maxTable {
		put("removed", x)
		put("added", y)
	} else {
		common := table(x, y)
		i, j := 0, 0
		for i < len(x) || j < len(y) {
			switch {
			case i < len(x) && j < len(y) && x[i] == y[j]:
				put("same", x[i:i+1])
				i, j = i+1, j+1
			case j == len(y) || i < len(x) && common[i+1][j] >= common[i][j+1]:
				put("removed", x[i:i+1])
				i++
			default:
				put("added", y[j:j+1])
				j++
			}
		}
	}
	put("same", a[len(a)-tail:])
	return parts
}

// table gives the length of the longest common run of lines behind each pair of places.
func table(x, y []string) [][]int32 {
	t := make([][]int32, len(x)+1)
	for i := range t {
		t[i] = make([]int32, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				t[i][j] = t[i+1][j+1] + 1
			} else {
				t[i][j] = max(t[i+1][j], t[i][j+1])
			}
		}
	}
	return t
}
