package web

import (
	"bytes"
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/graph"
)

func (s *Server) mountGraph() {
	add(s, operation{id: "getGraph", method: "GET", path: "/api/v1/answers/{id}/graph", tag: "answers", summary: "The claims of an answer and the sources they rest on", scope: api.Read, working: true,
		doc:     "Sources that carry the same text count once for what they confirm. As JSON, as GraphML for graph programs, or as a picture.",
		answers: map[string]*huma.Response{"200": {Description: "The graph.", Content: map[string]*huma.MediaType{"*/*": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}}, s.graph)
}

type graphParams struct {
	ID string `path:"id" maxLength:"200"`
	To string `query:"to" enum:"json,graphml,svg" default:"json"`
}

func (s *Server) graph(ctx context.Context, in *graphParams) (*fileAnswer, error) {
	answer, err := callerOf(ctx).record().Answer(ctx, ibid.AnswerID(in.ID))
	if err != nil {
		return nil, err
	}
	answer = api.Public(answer)
	// Only what the answer had is looked at: a passage stands for its source.
	var sources []graph.Source
	for _, p := range answer.Passages {
		sources = append(sources, graph.Source{ID: p.Source.ID, Title: p.Source.Title(), Text: p.Chunk.Text})
	}
	g := graph.New(graph.ClaimsOf(answer), sources, graph.Copies(joined(sources)), nil)
	var b bytes.Buffer
	out := &fileAnswer{Type: "application/json", Disposition: "inline"}
	switch in.To {
	case "graphml":
		out.Type, err = "application/graphml+xml", g.WriteGraphML(&b)
	case "svg":
		out.Type, err = "image/svg+xml", g.WriteSVG(&b)
	default:
		err = g.WriteJSON(&b)
	}
	if in.To != "json" { // opened here, a picture would be a page of this server
		out.Disposition = `attachment; filename="graph-` + string(answer.ID) + "." + in.To + `"`
	}
	out.Body = b.Bytes()
	return out, err
}

// joined puts the passages of one source together.
func joined(all []graph.Source) []graph.Source {
	var out []graph.Source
	at := map[ibid.SourceID]int{}
	for _, s := range all {
		if i, ok := at[s.ID]; ok {
			out[i].Text += "\n\n" + s.Text
			continue
		}
		at[s.ID] = len(out)
		out = append(out, s)
	}
	return out
}
