package interop_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/interop"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 123456000, time.UTC)

const page = "Größe und 𝄞: the landing was completed on 5 August 1858, in the afternoon."

// sampleRun has two agents, a hand-over, an uncited and an exempt claim, and a quote behind characters of every width.
func sampleRun() ibid.Run {
	claim := func(agent string, n int, text string, src *ibid.SourceReference, ev ...ibid.Anchor) ibid.Claim {
		c := ibid.Claim{Run: "r 1/ü", Agent: agent, Number: n, Text: text, Source: src, Evidence: ev, At: noon}
		c.ID = c.Identify()
		return c
	}
	web := ibid.SourceReference{Identifier: "search-1", Category: "web_search", Endpoint: "https://example.org/q?a=1&b=2", FetchedAt: noon, QueryHash: "q",
		Snapshot: ibid.HashText(page), Metadata: map[string]string{"rank in list": "1"}, Agent: "reader <1>", Tool: "search", Call: 1}
	at := strings.Index(page, "5 August 1858")
	first := claim("reader <1>", 1, "It was completed on 5 August 1858.", &web, ibid.Anchor{Document: web.Snapshot, Span: ibid.Span{Start: at, End: at + 13}})
	handed := ibid.SourceReference{Identifier: "handover-1", Category: "agent", Endpoint: "agent:reader <1>", FetchedAt: noon, Snapshot: ibid.HashText(first.Text), Agent: "writer", Call: 1, From: &first}
	exempt := claim("writer", 3, "One page was read.", nil)
	exempt.Exempt = ibid.AboutRun
	exempt.ID = exempt.Identify()
	entry := int64(4)
	return ibid.Run{ID: "r 1/ü", StartedAt: noon, FinishedAt: noon.Add(time.Second), Sources: []ibid.SourceReference{web, handed},
		Claims:  []ibid.Claim{first, claim("writer", 1, "It was summer.", &handed), claim("writer", 2, "People cheered.", nil), exempt},
		Verdict: &ibid.Verdict{Coverage: 2. / 3, Threshold: 1, Outcome: "block", Policy: "p", Entry: &entry}}
}

func kept(id ibid.DocumentID) ([]byte, bool) { return []byte(page), id == ibid.HashText(page) }

func exported(t testing.TB, r ibid.Run, format string) (map[string]any, interop.File) {
	t.Helper()
	f, err := interop.Export(r, format, kept)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(f.Body, &out); err != nil {
		t.Fatalf("%s: %v", f.Body, err)
	}
	return out, f
}

func TestDictionaryHasTheNamesThatPipelinesUse(t *testing.T) {
	out, f := exported(t, sampleRun(), "seed")
	if got := out["output_summary"]; got != "It was completed on 5 August 1858. It was summer. People cheered. One page was read." {
		t.Errorf("%v", got)
	}
	m := out["attribution_map"].([]any)
	first, third := m[0].(map[string]any), m[2].(map[string]any)
	if first["claim"] != "It was completed on 5 August 1858." || first["source_id"] != "search-1" || first["source_category"] != "web_search" || first["timestamp"] != "2026-11-15T12:00:00.123456Z" {
		t.Errorf("%v", first)
	}
	if v, there := third["source_id"]; !there || v != nil {
		t.Errorf("an uncited claim has source %v, %v", v, there)
	}
	c := out["claims"].([]any)[3].(map[string]any)
	if c["text"] != "One page was read." || c["requires_proof"] != false || c["source_type"] != nil || c["recorded_at"] == nil {
		t.Errorf("%v", c)
	}
	meta := out["metadata"].(map[string]any)
	if meta["coverage_score"] != 2./3 || meta["is_compliant"] != false || meta["total_claims"] != 4. || meta["validated_at"] != "2026-11-15T12:00:01.123456Z" {
		t.Errorf("%v", meta)
	}
	if len(f.Losses) != 6 {
		t.Errorf("lost %q", f.Losses)
	}
}

func TestLinesAreOneObjectEach(t *testing.T) {
	f, err := interop.Export(sampleRun(), "jsonl", nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for lines := bufio.NewScanner(bytes.NewReader(f.Body)); lines.Scan(); n++ {
		var l map[string]any
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"claim", "source", "requires_proof", "logged_at"} {
			if _, ok := l[key]; !ok {
				t.Errorf("line %d has no %s", n+1, key)
			}
		}
		if _, err := time.Parse(time.RFC3339, l["logged_at"].(string)); err != nil {
			t.Error(err)
		}
	}
	if n != 4 {
		t.Errorf("%d lines", n)
	}
}

func TestTornLineIsLeftOut(t *testing.T) {
	for file, want := range map[string]struct {
		n   int
		add bool
	}{
		"":                   {0, false},
		"{\"a\":1}\n":        {8, false},
		"{\"a\":1}\n{\"a\":": {8, false},
		"{\"a\":1}\n{}":      {10, true},
		"{\"a":               {0, false},
	} {
		if n, add := interop.WholeLines([]byte(file)); n != want.n || add != want.add {
			t.Errorf("%q: %d, %v", file, n, add)
		}
	}
}

// relations are those of PROV-JSON that we write, with the properties that each must have and the kind of thing they name.
var relations = map[string]map[string]string{
	"wasGeneratedBy":    {"prov:entity": "entity", "prov:activity": "activity"},
	"used":              {"prov:activity": "activity", "prov:entity": "entity"},
	"wasInformedBy":     {"prov:informed": "activity", "prov:informant": "activity"},
	"wasDerivedFrom":    {"prov:generatedEntity": "entity", "prov:usedEntity": "entity"},
	"wasAttributedTo":   {"prov:entity": "entity", "prov:agent": "agent"},
	"wasAssociatedWith": {"prov:activity": "activity", "prov:agent": "agent"},
}

var qualifiedName = regexp.MustCompile(`^([a-z0-9]+):[A-Za-z0-9_-]+$`)

// checkProv holds a document against what PROV-JSON demands.
func checkProv(t interface {
	Helper()
	Error(...any)
	Errorf(string, ...any)
}, doc map[string]any) {
	t.Helper()
	prefixes := doc["prefix"].(map[string]any)
	name := func(s string) {
		m := qualifiedName.FindStringSubmatch(s)
		if m == nil || prefixes[m[1]] == nil && m[1] != "prov" && m[1] != "xsd" {
			t.Errorf("%q is not a name with a declared prefix", s)
		}
	}
	for kind, things := range doc {
		if kind == "prefix" {
			continue
		}
		want, isRelation := relations[kind]
		if !isRelation && !slices.Contains([]string{"entity", "activity", "agent"}, kind) {
			t.Errorf("PROV-JSON has no %q", kind)
		}
		for id, v := range things.(map[string]any) {
			r := v.(map[string]any)
			if isRelation != strings.HasPrefix(id, "_:") {
				t.Errorf("%s: %s", kind, id)
			}
			if !isRelation {
				name(id)
			}
			for property, of := range want {
				ref, _ := r[property].(string)
				if _, ok := doc[of].(map[string]any)[ref]; !ok {
					t.Errorf("%s %s: %s %q is no %s of the document", kind, id, property, ref, of)
				}
			}
			for property, value := range r {
				name(property)
				switch value := value.(type) {
				case string:
					if strings.HasSuffix(property, "ime") {
						if _, err := time.Parse(time.RFC3339, value); err != nil {
							t.Error(err)
						}
					}
				case map[string]any:
					if value["$"] == nil || value["type"] == nil || len(value) != 2 {
						t.Errorf("%s %s: %v is no typed literal", kind, id, value)
					}
					if value["type"] == "prov:QUALIFIED_NAME" {
						name(value["$"].(string))
					}
				default:
					t.Errorf("%s %s: %s is %T", kind, id, property, value)
				}
			}
		}
	}
}

func TestProv(t *testing.T) {
	doc, _ := exported(t, sampleRun(), "prov")
	checkProv(t, doc)
	if n := len(doc["entity"].(map[string]any)); n != 4+2+2 { // claims, sources, snapshots
		t.Errorf("%d entities", n)
	}
	if n := len(doc["agent"].(map[string]any)); n != 2 {
		t.Errorf("%d agents", n)
	}
}

func TestWebAnnotationsSelectTheWords(t *testing.T) {
	out, f := exported(t, sampleRun(), "webannotation")
	if out["@context"] != "http://www.w3.org/ns/anno.jsonld" || out["type"] != "AnnotationCollection" || out["total"] != 2. {
		t.Errorf("%v, lost %q", out, f.Losses)
	}
	items := out["first"].(map[string]any)["items"].([]any)
	first := items[0].(map[string]any)
	target := first["target"].(map[string]any)
	if first["type"] != "Annotation" || first["id"] == "" || target["source"] != "https://example.org/q?a=1&b=2" {
		t.Errorf("%v", first)
	}
	checkSelectors(t, target["selector"].([]any), page, "5 August 1858")
	// A claim that was handed over points at what the first tool returned.
	if second := items[1].(map[string]any)["target"].(map[string]any); second["source"] != "https://example.org/q?a=1&b=2" {
		t.Errorf("%v", second)
	}
}

// checkSelectors holds both selectors against the text, counting code points.
func checkSelectors(t testing.TB, selectors []any, text, words string) {
	t.Helper()
	quote, position := selectors[0].(map[string]any), selectors[1].(map[string]any)
	if quote["type"] != "TextQuoteSelector" || position["type"] != "TextPositionSelector" || quote["exact"] != words {
		t.Errorf("%v", selectors)
	}
	prefix, _ := quote["prefix"].(string)
	suffix, _ := quote["suffix"].(string)
	if !strings.Contains(text, prefix+words+suffix) {
		t.Errorf("%q %q %q do not stand together", prefix, words, suffix)
	}
	if got := string([]rune(text)[int(position["start"].(float64)):int(position["end"].(float64))]); got != words {
		t.Errorf("the position gives %q", got)
	}
}

func TestAnswerAnnotationsCountCodePoints(t *testing.T) {
	whole := "𝄞 Vorwort. " + page
	chunk := strings.Index(whole, page)
	at := strings.Index(whole, "the landing")
	src := ibid.Source{ID: "s", URI: "file:///home/me/secret/cable.md"}
	quote := whole[at : at+43]
	a := ibid.Answer{ID: "a1", Question: "When?", Text: "Ja ✓: the landing was done.", CreatedAt: noon, Model: "m",
		Passages: []ibid.Passage{{Rank: 1, Source: src, Chunk: ibid.Chunk{Text: page, At: ibid.Anchor{Document: ibid.HashText(whole), Span: ibid.Span{Start: chunk, End: len(whole)}},
			Before: ibid.Units{Runes: len([]rune(whole[:chunk]))}}}},
		Attributions: []ibid.Attribution{{Of: ibid.Span{Start: 8, End: 29}, Ref: 1, To: ibid.Anchor{Document: ibid.HashText(whole), Span: ibid.Span{Start: at, End: at + 43}}}},
		Citations:    []ibid.Citation{{Number: 1, Source: "s", At: ibid.Anchor{Document: ibid.HashText(whole), Span: ibid.Span{Start: at, End: at + 43}}, Quote: quote}},
	}
	f, items := annotated(t, a)
	if bytes.Contains(f.Body, []byte("secret")) || len(items) != 1 || len(f.Losses) > 0 {
		t.Fatalf("%d items, %v: %s", len(items), f.Losses, f.Body)
	}
	checkSelectors(t, items[0].Target.Selector, whole, quote)
	checkSelectors(t, items[0].Body[0].Selector, a.Text, a.Text[8:29])
}

type annotationItem struct {
	ID, Motivation, Created string
	Body                    []struct {
		Purpose, Value, Source string
		Selector               []any
	}
	Target struct{ Selector []any }
}

func annotated(t testing.TB, a ibid.Answer) (interop.File, []annotationItem) {
	t.Helper()
	f, err := interop.AnnotateAnswer(a)
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		First struct{ Items []annotationItem }
	}
	if err := json.Unmarshal(f.Body, &out); err != nil {
		t.Fatalf("%s, %v", f.Body, err)
	}
	return f, out.First.Items
}

// An annotation says how strong its link is; what a source denies is an annotation of its own; and what has none is named.
func TestAnswerAnnotationsSayWhatWasFound(t *testing.T) {
	const text = "It was done on 6 August 1858. People cheered."
	doc := ibid.HashText(page)
	at := strings.Index(page, "the landing")
	words := strings.Index(page, "5 August 1858")
	to := ibid.Anchor{Document: doc, Span: ibid.Span{Start: at, End: words + 13}}
	a := ibid.Answer{Text: text, Steps: make([]ibid.Step, 2),
		Passages: []ibid.Passage{{Rank: 1, Source: ibid.Source{URI: "https://example.org/"}, Chunk: ibid.Chunk{Text: page, At: ibid.Anchor{Document: doc, Span: ibid.Span{End: len(page)}}}}},
		Segments: []ibid.Segment{{At: ibid.Span{End: 29}, Origin: ibid.HYBRID, Refs: []int{1},
			Contradicted: []ibid.Contradiction{{Of: ibid.Span{Start: 15, End: 28}, To: ibid.Anchor{Document: doc, Span: ibid.Span{Start: words, End: words + 13}}, Reason: `says "6 August 1858", the source says "5 August 1858"`}}},
			{At: ibid.Span{Start: 30, End: len(text)}, Origin: ibid.LLM}},
		Attributions: []ibid.Attribution{{Of: ibid.Span{End: 29}, Ref: 1, To: to, Confidence: .024, Trust: ibid.Judged}},
		Citations:    []ibid.Citation{{Number: 1, At: to}},
	}
	f, items := annotated(t, a)
	if len(items) != 2 || items[0].Motivation != "linking" || items[0].Body[1].Value != "weak, 0.02, judged" || items[1].Motivation != "assessing" ||
		items[1].Body[1].Value != `denied: says "6 August 1858", the source says "5 August 1858"` {
		t.Fatalf("%+v", items)
	}
	checkSelectors(t, items[1].Target.Selector, page, "5 August 1858")
	checkSelectors(t, items[1].Body[0].Selector, text, "6 August 1858")
	if want := []string{"segments without a citation, as an annotation needs a target: 1", "steps of the chain of thought: 2"}; !slices.Equal(f.Losses, want) {
		t.Errorf("named as lost: %q", f.Losses)
	}
	// An answer that is not recorded has no id and no time, and is named by its text.
	if id := "urn:ibid:sha256:" + string(ibid.HashText(text)); items[0].ID != id+":1" || items[0].Body[0].Source != id || items[0].Created != "" {
		t.Errorf("%+v", items[0])
	}
}

func TestStatement(t *testing.T) {
	out, _ := exported(t, sampleRun(), "in-toto")
	subject := out["subject"].([]any)
	digest := subject[0].(map[string]any)["digest"].(map[string]any)["sha256"]
	if out["_type"] != "https://in-toto.io/Statement/v1" || len(subject) != 1 || out["predicateType"] != interop.PredicateType {
		t.Errorf("%v", out)
	}
	if want := string(ibid.HashText(interop.Dictionary(sampleRun()).OutputSummary)); digest != want {
		t.Errorf("the subject is %v, the output %s", digest, want)
	}
	p := out["predicate"].(map[string]any)
	names := map[string]bool{}
	for _, m := range p["materials"].([]any) {
		names[m.(map[string]any)["name"].(string)] = true
	}
	for i, c := range p["claims"].([]any) {
		if m, _ := c.(map[string]any)["material"].(string); m != "" && !names[m] {
			t.Errorf("claim %d rests on %q, which is no material", i+1, m)
		}
	}
	if len(names) != 2 {
		t.Errorf("materials %v", names)
	}
}

func TestUnknownForm(t *testing.T) {
	if _, err := interop.Export(sampleRun(), "papyrus", nil); !errors.Is(err, ibid.ErrInvalid) {
		t.Error(err)
	}
}

// Whatever stands in a run, every form is written, is JSON, and PROV is well-formed.
func TestEveryRunIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := sampleRun()
		odd := rapid.String()
		for i := range r.Claims {
			r.Claims[i].Text, r.Claims[i].Agent = odd.Draw(t, "text"), odd.Draw(t, "agent")
			r.Claims[i].ID = r.Claims[i].Identify()
		}
		r.Sources[0].Endpoint, r.Sources[0].Identifier = odd.Draw(t, "endpoint"), odd.Draw(t, "identifier")
		r.Sources[0].Metadata[odd.Draw(t, "key")] = odd.Draw(t, "value")
		for _, format := range interop.Formats() {
			f, err := interop.Export(r, format, kept)
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			for _, line := range bytes.Split(bytes.TrimSpace(f.Body), []byte("\n")) {
				if format == "jsonl" && !json.Valid(line) {
					t.Fatalf("%s: %s", format, line)
				}
			}
			if format != "jsonl" && !json.Valid(f.Body) {
				t.Fatalf("%s: %s", format, f.Body)
			}
			if format == "prov" {
				var doc map[string]any
				if err := json.Unmarshal(f.Body, &doc); err != nil {
					t.Fatal(err)
				}
				checkProv(t, doc)
			}
		}
	})
}

func ExampleDictionary() {
	src := &ibid.SourceReference{Identifier: "search-1", Category: "web_search", FetchedAt: noon}
	out := interop.Dictionary(ibid.Run{Claims: []ibid.Claim{{Text: "It worked for three weeks.", Source: src}, {Text: "One page was read.", Exempt: ibid.AboutRun}}})
	for _, a := range out.AttributionMap {
		fmt.Println(a.Claim, a.SourceID != nil)
	}
	// Output:
	// It worked for three weeks. true
	// One page was read. false
}
