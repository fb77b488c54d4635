package web

import (
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
)

// The forms below say in the OpenAPI document what the root package's own JSON looks like: ibid.Answer writes its offsets
// in three units, which its Go fields do not show. Their fields stand in the order in which it writes them, so that a part
// of an answer that is read into one and written again is the same bytes.

type answerForm struct {
	ID           string            `json:"id"`
	Conversation string            `json:"conversation,omitempty"`
	Question     string            `json:"question"`
	Steps        []stepForm        `json:"steps,omitempty" doc:"The chain of thought, where there is one."`
	Passages     []ibid.Passage    `json:"passages" doc:"What the model was given, by rank."`
	Text         string            `json:"text" doc:"Without markers."`
	Segments     []segmentForm     `json:"segments" doc:"In order; they do not overlap."`
	Attributions []attributionForm `json:"attributions" doc:"Each lies within the segment it belongs to."`
	Citations    []citationForm    `json:"citations" doc:"Only what is really cited."`
	Verdict      *ibid.Verdict     `json:"verdict,omitempty" doc:"What the gate says, where there is one."`
	Model        string            `json:"model" doc:"Who wrote it; empty where it came from elsewhere."`
	Usage        ibid.Usage        `json:"usage"`
	CreatedAt    time.Time         `json:"created_at"`
	Incomplete   string            `json:"incomplete,omitempty" doc:"Why it ended before its end."`
	Entry        *int64            `json:"entry,omitempty" doc:"Its line in the audit log."`
	Shares       ibid.Shares       `json:"shares"`
}

type spanForm struct {
	Start int   `json:"start" doc:"In bytes, as is end; end is behind the last."`
	End   int   `json:"end"`
	Runes []int `json:"runes,omitempty" minItems:"2" maxItems:"2" doc:"The same in characters, as Python counts."`
	UTF16 []int `json:"utf16,omitempty" minItems:"2" maxItems:"2" doc:"The same in UTF-16 units, as JavaScript and Java count."`
}

type anchorForm struct {
	Document string   `json:"document"`
	Span     spanForm `json:"span"`
}

type segmentForm struct {
	Origin       string              `json:"origin" enum:"RAG,LLM,HYBRID,NONE" doc:"A source says so; the model's own words; part of it stands in a source; makes no claim."`
	Kind         string              `json:"kind,omitempty" enum:"sentence,item,row,heading,code"`
	Refs         []int               `json:"refs,omitempty" doc:"Ranks of the passages it rests on, best first."`
	Support      float64             `json:"support" minimum:"0" maximum:"1" doc:"Calibrated probability that the sources fully support it."`
	Confidence   float64             `json:"confidence" minimum:"0" maximum:"1" doc:"Calibrated probability that the origin is the right one."`
	Claimed      *ibid.Claimed       `json:"claimed,omitempty" doc:"What the answer's own markers say: a claim, not proof."`
	Steps        []int               `json:"steps,omitempty" doc:"Of the chain of thought that it rests on."`
	Reasons      []string            `json:"reasons,omitempty"`
	At           spanForm            `json:"at" doc:"Into the answer's text."`
	Unsupported  []spanForm          `json:"unsupported,omitempty" doc:"Words that no source has."`
	Contradicted []contradictionForm `json:"contradicted,omitempty" doc:"Words that a source denies."`
}

type contradictionForm struct {
	Of     spanForm   `json:"of"`
	To     anchorForm `json:"to"`
	Reason string     `json:"reason"`
}

type attributionForm struct {
	Ref        int        `json:"ref" doc:"Rank of the passage that holds the words."`
	Score      float64    `json:"score" minimum:"0" maximum:"1" doc:"The same as confidence."`
	Confidence float64    `json:"confidence" minimum:"0" maximum:"1"`
	Method     string     `json:"method"`
	Trust      string     `json:"trust" enum:"unlinked,marker,judged,quote,provider,tool"`
	Of         spanForm   `json:"of" doc:"Into the answer's text."`
	To         anchorForm `json:"to" doc:"The words that support it."`
	Words      []spanForm `json:"words,omitempty" doc:"The supporting words, as spans of the document."`
}

type citationForm struct {
	Number     int        `json:"number" doc:"As people see it; 1, 2, 3 in order of first use."`
	Key        string     `json:"key"`
	Source     string     `json:"source"`
	Quote      string     `json:"quote" doc:"The document's text there, to the byte."`
	Locator    string     `json:"locator,omitempty"`
	Confidence float64    `json:"confidence" minimum:"0" maximum:"1"`
	At         anchorForm `json:"at"`
}

type stepForm struct {
	Number       int               `json:"number"`
	Question     string            `json:"question"`
	Text         string            `json:"text"`
	Passages     []ibid.Passage    `json:"passages,omitempty"`
	Confidence   float64           `json:"confidence" minimum:"0" maximum:"1" doc:"From the evidence: how well its claims are supported."`
	Saw          []int             `json:"saw,omitempty" doc:"Earlier steps whose answers it was shown: context, never sources."`
	Trace        string            `json:"trace,omitempty" doc:"Why the step was taken."`
	Seconds      float64           `json:"seconds,omitempty"`
	Incomplete   string            `json:"incomplete,omitempty"`
	Segments     []segmentForm     `json:"segments,omitempty"`
	Attributions []attributionForm `json:"attributions,omitempty"`
}

// referenceForm is any CSL-JSON.
type referenceForm struct{}

func (referenceForm) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Description: "A bibliographic record, as CSL-JSON."}
}

// The events of a stream. Those within a step of a chain of thought carry its number.
type (
	retrievedEvent struct {
		Step     int            `json:"step,omitempty"`
		Passages []ibid.Passage `json:"passages" doc:"What the model is given."`
	}
	textEvent struct {
		Step int    `json:"step,omitempty"`
		Text string `json:"text" doc:"Clean text that follows what came before."`
	}
	segmentEvent struct {
		Step         int               `json:"step,omitempty"`
		Number       int               `json:"number" doc:"1 for the first."`
		Segment      segmentForm       `json:"segment"`
		Attributions []attributionForm `json:"attributions"`
		Citations    []citationForm    `json:"citations" doc:"All that the segment rests on, with their numbers."`
	}
	citationEvent struct {
		Step int      `json:"step,omitempty"`
		At   spanForm `json:"at" doc:"The words that a footnote speaks of whose definition came later."`
		Refs []int    `json:"refs" doc:"The passages it names."`
	}
	receiptEvent struct {
		Entry   int64  `json:"entry" doc:"The answer's line in the log."`
		Receipt string `json:"receipt" doc:"Where its proof is."`
	}
	planEvent struct {
		Kind     string   `json:"kind" doc:"Of the question."`
		Strategy string   `json:"strategy"`
		Parts    []string `json:"parts" doc:"The questions it is taken apart into."`
		Note     string   `json:"note,omitempty"`
	}
	stepEvent struct {
		Number   int    `json:"number"`
		Question string `json:"question"`
		Trace    string `json:"trace,omitempty" doc:"Why it is taken."`
	}
)

// streamed documents the answers of an operation that gives JSON or a stream. A nil form leaves the JSON out.
func (s *Server) streamed(whole reflect.Type, more ...eventForm) map[string]*huma.Response {
	registry := s.api.OpenAPI().Components.Schemas
	wholes := []reflect.Type{whole}
	if whole == nil {
		wholes = []reflect.Type{reflect.TypeFor[ibid.Answer](), reflect.TypeFor[replyForm](), reflect.TypeFor[attributedForm]()}
	}
	kinds := append([]eventForm{
		{"retrieved", reflect.TypeFor[retrievedEvent](), "The passages, once."},
		{"text", reflect.TypeFor[textEvent](), "Text as it comes."},
		{"segment", reflect.TypeFor[segmentEvent](), "A segment that is decided; it is never revised."},
		{"citation", reflect.TypeFor[citationEvent](), "What a footnote meant."},
		{"gate", reflect.TypeFor[ibid.Verdict](), "What the gate says, where there is one."},
		{"receipt", reflect.TypeFor[receiptEvent](), "Where the log holds the answer, where one is kept."},
	}, more...)
	kinds = append(kinds,
		eventForm{"error", reflect.TypeFor[huma.ErrorModel](), "What went wrong; done follows."},
		eventForm{"done", nil, "The last event, always: the whole as it is recorded, or null where nothing is."})
	var schemas []*huma.Schema
	for _, k := range kinds {
		var data *huma.Schema
		if k.kind == "done" {
			data = &huma.Schema{AnyOf: []*huma.Schema{{Type: "null"}}}
			for _, t := range wholes {
				data.AnyOf = append(data.AnyOf, registry.Schema(t, true, ""))
			}
		} else {
			data = registry.Schema(k.form, true, k.kind)
		}
		schemas = append(schemas, &huma.Schema{Title: "Event " + k.kind, Description: k.doc, Type: huma.TypeObject, Required: []string{"id", "event", "data"},
			Properties: map[string]*huma.Schema{"id": {Type: huma.TypeString}, "event": {Type: huma.TypeString, Enum: []any{k.kind}}, "data": data}})
	}
	content := map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeArray,
		Description: "Server-sent events, each in the form of one of these.", Items: &huma.Schema{OneOf: schemas}}}}
	if whole != nil {
		content["application/json"] = &huma.MediaType{Schema: registry.Schema(whole, true, "")}
	}
	return map[string]*huma.Response{"200": {Description: "OK", Content: content}}
}

type eventForm struct {
	kind string
	form reflect.Type
	doc  string
}
