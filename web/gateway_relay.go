package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/llm"
)

// Applications that speak to a provider ask it for more than answers, through the same base URL: for its models, for vectors of
// texts, how many tokens a request has. None of it holds words of a model, so there is nothing to attribute or to hold back,
// and it goes to the provider and comes back as it is.

func (s *Server) mountRelayed(wire func(string) map[string]*huma.Response) {
	const doc = "Goes to the provider as it is, and comes back as it is: it holds no words of a model."
	add(s, operation{id: "gatewayModels", method: "GET", path: "/v1/models", tag: "gateway", summary: "The models that the gateway can be asked for", scope: api.Read, stream: true,
		doc: "The provider's own list, in Anthropic's form for its clients (who send anthropic-version), else in OpenAI's. Without a provider it names the one that answers with sentences of the sources.", answers: wire("A list of models.")}, s.models)
	add(s, operation{id: "gatewayModel", method: "GET", path: "/v1/models/{id}", tag: "gateway", summary: "What the provider says of a model", scope: api.Read, stream: true,
		doc: "In the form of the list.", answers: wire("A model.")}, s.model)
	add(s, operation{id: "openaiEmbeddings", method: "POST", path: "/v1" + embeddings, tag: "gateway", summary: "Embeddings in OpenAI's form", scope: api.Read, stream: true, free: true, body: 32 << 20,
		doc: doc, answers: wire("Vectors.")}, s.relay(openAI{}, embeddings))
	add(s, operation{id: "openaiModerations", method: "POST", path: "/v1" + moderations, tag: "gateway", summary: "Moderations in OpenAI's form", scope: api.Read, stream: true, free: true, body: 32 << 20,
		doc: doc, answers: wire("What was found.")}, s.relay(openAI{}, moderations))
	add(s, operation{id: "openaiInputTokens", method: "POST", path: "/v1" + inputTokens, tag: "gateway", summary: "How many tokens a request for a response has", scope: api.Read, stream: true, free: true, body: 32 << 20,
		doc: doc, answers: wire("A number.")}, s.relay(openAI{}, inputTokens))
	add(s, operation{id: "anthropicCountTokens", method: "POST", path: countTokens, tag: "gateway", summary: "How many tokens a request in Anthropic's form has", scope: api.Read, stream: true, free: true, body: 32 << 20,
		doc: doc, answers: wire("A number.")}, s.relay(anthropic{}, countTokens))
}

// Where the provider has them, behind its base URL.
const (
	embeddings  = "/embeddings"
	moderations = "/moderations"
	inputTokens = "/responses/input_tokens"
	countTokens = "/v1/messages/count_tokens"
)

// relay passes a request on.
func (s *Server) relay(d dialect, path string) func(context.Context, *gatewayInput) (*huma.StreamResponse, error) {
	return func(_ context.Context, in *gatewayInput) (*huma.StreamResponse, error) {
		body := bytes.Clone(in.RawBody)
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			r, w := unwrap(hc)
			s.passOn(w, r, d, http.MethodPost, path, bytes.NewReader(body))
		}}, nil
	}
}

// passOn asks the provider, and gives what it says.
func (s *Server) passOn(w http.ResponseWriter, r *http.Request, d dialect, method, path string, body io.Reader) {
	if d.provider(s).BaseURL == "" {
		s.refuse(w, r, notThere("this needs a provider that takes requests in this form, and the server has none")) // an error above 500 would be tried again
		return
	}
	res, err := s.reach(r.Context(), d, method, path, body)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	defer res.Body.Close()
	tellHeaders(w, res)
	w.WriteHeader(res.StatusCode)
	s.copy(w, res.Body)
}

// tellHeaders gives on what a provider's clients look for.
func tellHeaders(w http.ResponseWriter, res *http.Response) {
	for _, name := range []string{"Content-Type", "Retry-After", "X-Request-Id", "Request-Id", "Openai-Processing-Ms"} {
		if v := res.Header.Get(name); v != "" {
			w.Header().Set(name, v)
		}
	}
}

type modelsInput struct {
	Limit  string `query:"limit"`
	After  string `query:"after_id"`
	Before string `query:"before_id"`
}

// models lists what a client may ask for: chat applications ask for it before anything else.
func (s *Server) models(_ context.Context, _ *modelsInput) (*huma.StreamResponse, error) {
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := unwrap(hc)
		d := dialectOf(r)
		if d.provider(s).BaseURL == "" {
			tellJSON(w, d.ourModels())
			return
		}
		path := d.models()
		if r.URL.RawQuery != "" {
			path += "?" + r.URL.RawQuery
		}
		s.passOn(w, r, d, http.MethodGet, path, nil)
	}}, nil
}

// model tells of one of them.
func (s *Server) model(_ context.Context, in *idParam) (*huma.StreamResponse, error) {
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := unwrap(hc)
		d := dialectOf(r)
		switch {
		case d.provider(s).BaseURL != "" && !climbs(in.ID):
			s.passOn(w, r, d, http.MethodGet, d.models()+"/"+url.PathEscape(in.ID), nil)
		case in.ID == llm.ExtractiveName:
			list, _ := d.ourModels().(map[string]any)["data"].([]any)
			tellJSON(w, list[0])
		default:
			s.refuse(w, r, notThere("there is no such model; /v1/models lists them"))
		}
	}}, nil
}

// climbs reports whether a name would lead out of the folder that it is looked for in.
func climbs(name string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' }), func(piece string) bool { return piece == "." || piece == ".." })
}

// dialectOf tells the clients of the providers apart where both use an address.
func dialectOf(r *http.Request) dialect {
	if r.Header.Get("Anthropic-Version") != "" {
		return anthropic{}
	}
	return openAI{}
}

func tellJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
