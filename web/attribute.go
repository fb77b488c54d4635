package web

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountAttribute() {
	add(s, operation{id: "attribute", method: "POST", path: "/api/v1/attribute", tag: "checking", summary: "Say where the words of any answer come from", scope: api.Read, working: true, body: 8 << 20,
		doc: "Takes an answer and the sources it may rest on, from wherever they are. Markers and citations in the answer ([CTX 1], [1], {{rag:…}} …) are what its writer claims: they are checked. Nothing is recorded."}, s.attribute)
	add(s, operation{id: "check", method: "POST", path: "/api/v1/check", tag: "checking", summary: "Validate and score citations", scope: api.Read, working: true}, s.check)
}

type attributeForm struct {
	Question string             `json:"question,omitempty" maxLength:"20000"`
	Answer   string             `json:"answer" minLength:"1" maxLength:"200000" doc:"Its text, with whatever markers it has."`
	Sources  []givenForm        `json:"sources" maxItems:"1000" doc:"What it may rest on; the n-th is what [n] and [CTX n] mean."`
	Strategy attribute.Strategy `json:"strategy,omitempty" enum:"markers,dual-pass,confidence,stream,full" doc:"full where it is left out."`
}

type givenForm struct {
	ID    string `json:"id,omitempty" maxLength:"300" doc:"Names it in what comes back; source-1, source-2 … where it is left out."`
	Title string `json:"title,omitempty" maxLength:"1000"`
	URL   string `json:"url,omitempty" maxLength:"4000"`
	Text  string `json:"text"`
}

func (s *Server) attribute(ctx context.Context, in *body[attributeForm]) (*body[outgoing], error) {
	by, err := attribute.With(or(in.Body.Strategy, attribute.Full), s.engine)
	if err != nil {
		return nil, &fieldError{"body.strategy", err}
	}
	if workflow.Blank(in.Body.Answer) {
		return nil, invalid("body.answer", "the answer is empty")
	}
	passages, err := passagesOf(in.Body.Sources)
	if err != nil {
		return nil, err
	}
	a, err := workflow.Attribute(ctx, by, in.Body.Answer, passages)
	if err != nil {
		return nil, err
	}
	a.ID, a.Question, a.CreatedAt = ibid.AnswerID(newID()), in.Body.Question, s.Asker.Now().UTC()
	return &body[outgoing]{out(a)}, nil
}

// passagesOf makes a passage of each source. Documents are told apart by place and not by text: the same words may stand
// in two sources, and both are cited.
func passagesOf(sources []givenForm) ([]ibid.Passage, error) {
	passages := make([]ibid.Passage, len(sources))
	taken := make(map[string]int, len(sources))
	for i, g := range sources {
		id := or(g.ID, fmt.Sprintf("source-%d", i+1))
		if first := taken[id]; first > 0 {
			return nil, invalid(fmt.Sprintf("body.sources[%d].id", i), "sources %d and %d have the same id %q", first, i+1, shortened(id))
		}
		taken[id] = i + 1
		p := ibid.Passage{Rank: i + 1, Source: ibid.Source{ID: ibid.SourceID(id), URI: g.URL},
			Chunk: ibid.Chunk{At: ibid.Anchor{Document: ibid.DocumentID(fmt.Sprintf("source-%d", i+1)), Span: ibid.Span{End: len(g.Text)}}, Text: g.Text}}
		p.Source.Reference.Set("title", g.Title)
		p.Source.Reference.Set("URL", g.URL)
		passages[i] = p
	}
	return passages, nil
}

type checkForm struct {
	Items   []json.RawMessage `json:"items" maxItems:"10000" doc:"Citations {source, location?, confidence, snippet?, metadata} or maps {claim_id, claim_text, citations, strength}."`
	Minimum float64           `json:"min_confidence,omitempty" minimum:"0" maximum:"1" doc:"Leave out citations whose own confidence is below this."`
}

type checkedForm struct {
	Valid bool          `json:"is_valid" doc:"All of them are."`
	Items []cite.Report `json:"items" doc:"One report for each, in order."`
}

func (s *Server) check(_ context.Context, in *body[checkForm]) (*body[checkedForm], error) {
	list, err := json.Marshal(listed(in.Body.Items))
	if err != nil {
		return nil, err
	}
	items, err := cite.ReadInput(list)
	if err != nil {
		return nil, &fieldError{"body.items", err}
	}
	if in.Body.Minimum > 0 {
		items = cite.FilterInput(items, in.Body.Minimum)
	}
	out := checkedForm{Valid: true, Items: listed(cite.CheckAll(items, s.Asker.Now().Year()))}
	for _, r := range out.Items {
		out.Valid = out.Valid && r.Valid
	}
	return &body[checkedForm]{out}, nil
}
