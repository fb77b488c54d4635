package mcp

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/internal/offsets"
	"github.com/ibid-dev/ibid/marker"
	"github.com/ibid-dev/ibid/workflow"
)

var (
	attributeTool = tool{name: "attribute", title: "Where an answer comes from", doc: `Check an answer against sources before you give it: for every sentence, whether a source supports it, which words of which source those are, which words have no support, and what a source contradicts. Give the sources that the answer rests on, as passages that search found or as texts; without sources the library is searched for each sentence. Citations in the answer such as [1] mean the n-th source and are checked. Nothing is recorded.`}
	gateTool      = tool{name: "gate", title: "May this answer be shown", doc: `Decide by a policy whether an answer may be shown, and say why: how many of its claims have a source, which have none, and what is asked for. Takes what attribute takes. Nothing is recorded; record does that.`}
	recordTool    = tool{name: "record", title: "Put an answer on record", writes: true, doc: `Put a finished answer on record with what it rests on, as an entry of the log that cannot be edited unseen. The gate decides first: what comes back says whether the answer may be shown, and gives the text that may be. A refusal is recorded, too. Takes what attribute takes.`}
	askTool       = tool{name: "ask", title: "Ask the library", writes: true, open: true, slow: true, doc: `Have Ibid itself answer a question from the library, every sentence with its evidence. Without a language model of its own the answer is made of sentences taken from the documents. The answer is recorded. To write the answer yourself, call search.`}
)

// The bounds of what one call may send.
const (
	maxAnswer   = 200_000 // characters
	maxQuestion = 20_000
	maxSources  = 1000
)

type answerIn struct {
	Answer   string     `json:"answer" jsonschema:"the answer, as it would be shown; at most 200000 characters"`
	Question string     `json:"question,omitempty" jsonschema:"what it answers"`
	Sources  []sourceIn `json:"sources,omitempty" jsonschema:"what the answer may rest on; the n-th is what [n] in the answer means. Without any, the library is searched for each sentence"`
}

type sourceIn struct {
	Passage string `json:"passage,omitempty" jsonschema:"a passage of the library by the address that search gave it (ibid://passages/...), in the place of text"`
	Text    string `json:"text,omitempty" jsonschema:"the words of a source that is not in the library"`
	ID      string `json:"id,omitempty" jsonschema:"names the text in what comes back; source-1, source-2 ... where it is left out"`
	Title   string `json:"title,omitempty" jsonschema:"of the text"`
	URL     string `json:"url,omitempty" jsonschema:"where the text was found"`
}

type attributeIn struct {
	answerIn
	Strategy attribute.Strategy `json:"strategy,omitempty" jsonschema:"how it is decided; full where it is left out"`
}

type gateIn struct {
	answerIn
	Policy string `json:"policy,omitempty" jsonschema:"what must have a source; the policy in use where it is left out"`
}

type recordIn struct {
	gateIn
	Model string `json:"model,omitempty" jsonschema:"who wrote the answer: the name of the model"`
}

type askIn struct {
	Question     string   `json:"question" jsonschema:"at most 20000 characters"`
	Conversation string   `json:"conversation,omitempty" jsonschema:"makes it a follow-up of the questions asked under the same name"`
	Sources      []string `json:"sources,omitempty" jsonschema:"only these sources, by id"`
}

// answerOut is an answer with where it comes from.
type answerOut struct {
	ID         string       `json:"id,omitempty" jsonschema:"of the recorded answer"`
	URI        string       `json:"uri,omitempty" jsonschema:"resource that gives the record"`
	Question   string       `json:"question,omitempty"`
	Text       string       `json:"text" jsonschema:"the answer without markers; start and end count its characters"`
	Segments   []segmentOut `json:"segments" jsonschema:"its sentences in order"`
	Sources    []citedOut   `json:"sources" jsonschema:"what it rests on or disagrees with, by number"`
	FromSource float64      `json:"from_sources" jsonschema:"share of what is claimed that comes from sources"`
	FromModel  float64      `json:"from_model" jsonschema:"share that is the writer's own"`
	Claims     counts       `json:"claims"`
	Gate       *gateOut     `json:"gate,omitempty"`
	Model      string       `json:"model,omitempty"`
	Incomplete string       `json:"incomplete,omitempty" jsonschema:"why it ended before its end"`
	Entry      *int64       `json:"entry,omitempty" jsonschema:"its line in the log; prove gives the proof"`
}

type counts struct {
	Total        int `json:"total"`
	Supported    int `json:"supported"`
	Partly       int `json:"partly"`
	Unsupported  int `json:"unsupported"`
	Contradicted int `json:"contradicted" jsonschema:"those that a source denies; they are counted above by origin, too"`
}

type segmentOut struct {
	Start        int         `json:"start"`
	End          int         `json:"end"`
	Text         string      `json:"text"`
	Origin       ibid.Origin `json:"origin" jsonschema:"RAG: a source says so; LLM: the writer's own; HYBRID: part of it stands in a source; NONE: makes no claim"`
	InWords      string      `json:"in_words"`
	Support      float64     `json:"support" jsonschema:"probability that the sources fully support it"`
	Confidence   float64     `json:"confidence" jsonschema:"probability that the origin is right"`
	Evidence     []quoteOut  `json:"evidence" jsonschema:"best first"`
	Unsupported  []string    `json:"unsupported" jsonschema:"its words that no source has"`
	Contradicted []deniedOut `json:"contradicted"`
	Dangling     []int       `json:"dangling,omitempty" jsonschema:"numbers it cites that no source has"`
	Reasons      []string    `json:"reasons"`
}

type quoteOut struct {
	Source     int     `json:"source" jsonschema:"number of the source"`
	Quote      string  `json:"quote" jsonschema:"its words, to the letter"`
	Locator    string  `json:"locator,omitempty" jsonschema:"page or heading"`
	Confidence float64 `json:"confidence"`
	Trust      string  `json:"trust" jsonschema:"how the link came to be"`
}

type deniedOut struct {
	Words  string `json:"words" jsonschema:"of the answer"`
	Source int    `json:"source"`
	Quote  string `json:"quote" jsonschema:"what the source says"`
	Reason string `json:"reason"`
}

type citedOut struct {
	Number  int           `json:"number"`
	ID      ibid.SourceID `json:"id"`
	Title   string        `json:"title"`
	Name    string        `json:"name,omitempty" jsonschema:"of the file or page"`
	URL     string        `json:"url,omitempty"`
	Passage string        `json:"passage,omitempty" jsonschema:"resource that gives the passage"`
}

type gateOut struct {
	Show      bool     `json:"may_be_shown"`
	Outcome   string   `json:"outcome" jsonschema:"pass; warn: let out with a warning; flag: let out and put before a person; repair: not without taking out what lacks a source; block: not at all"`
	Policy    string   `json:"policy,omitempty" jsonschema:"its name"`
	Version   string   `json:"policy_version"`
	Coverage  float64  `json:"coverage" jsonschema:"share of the claims that need a source and have one"`
	Threshold float64  `json:"threshold"`
	Uncited   []string `json:"uncited" jsonschema:"claims that lack what the policy asks for"`
	Reasons   []string `json:"reasons"`
}

func (d *desk) attribute(ctx context.Context, in attributeIn) (answerOut, error) {
	strategy := in.Strategy
	if strategy == "" {
		strategy = attribute.Full
	}
	by, err := attribute.With(strategy, d.engine)
	if err != nil {
		return answerOut{}, invalid("%v", err)
	}
	a, err := d.attributed(ctx, in.answerIn, by)
	return outOf(a), err
}

// attributed says where the words of a given answer come from.
func (d *desk) attributed(ctx context.Context, in answerIn, by ibid.Attributor) (ibid.Answer, error) {
	switch {
	case workflow.Blank(in.Answer):
		return ibid.Answer{}, invalid("the answer is empty; give its text as answer")
	case longer(in.Answer, maxAnswer):
		return ibid.Answer{}, invalid("the answer is longer than %d characters; send it in parts", maxAnswer)
	case longer(in.Question, maxQuestion):
		return ibid.Answer{}, invalid("the question is longer than %d characters", maxQuestion)
	case len(in.Sources) > maxSources:
		return ibid.Answer{}, invalid("there are more than %d sources; leave out those that the answer does not rest on", maxSources)
	}
	text := in.Answer
	passages, err := d.given(ctx, in.Sources)
	if err == nil && len(passages) == 0 {
		text, passages, err = d.found(ctx, in)
	}
	if err != nil {
		return ibid.Answer{}, err
	}
	a, err := workflow.Attribute(ctx, by, text, passages)
	a.Question = in.Question
	return a, err
}

// given makes a passage of each source. A text that came with the call is named by its hash, so that an answer which is
// recorded proves by itself what it rests on.
func (d *desk) given(ctx context.Context, sources []sourceIn) ([]ibid.Passage, error) {
	taken := map[ibid.SourceID]int{}
	out := make([]ibid.Passage, len(sources))
	for i, g := range sources {
		var err error
		switch {
		case g.Passage != "" && g.Text != "":
			err = invalid("it has a passage and a text; give one of them")
		case g.Passage != "":
			out[i], err = d.passage(ctx, g.Passage)
		case strings.TrimSpace(g.Text) == "":
			err = invalid("it is empty; give its words as text, or a passage that search found")
		case len(g.ID) > 300 || len(g.Title) > 1000 || len(g.URL) > 4000:
			err = invalid("its id, title or url is too long")
		default:
			name := g.ID
			if name == "" {
				name = fmt.Sprintf("source-%d", i+1)
			}
			p := &out[i]
			p.Source = ibid.Source{ID: ibid.SourceID(ibid.GivenPrefix + name), Collection: d.caller.Collection}
			if api.WebAddress(g.URL) {
				p.Source.URI = g.URL
				p.Source.Reference.Set("URL", g.URL)
			}
			p.Source.Reference.Set("title", g.Title)
			p.Chunk = ibid.Chunk{At: ibid.Anchor{Document: ibid.HashText(g.Text), Span: ibid.Span{End: len(g.Text)}}, Text: g.Text}
			if first := taken[p.Source.ID]; first > 0 {
				err = invalid("it has the same id as source %d", first)
			}
			taken[p.Source.ID] = i + 1
		}
		if err != nil {
			return nil, fmt.Errorf("source %d: %w", i+1, err)
		}
		out[i].Rank = i + 1
	}
	return out, nil
}

// found searches the library for what an answer may rest on, sentence by sentence. What its writer cites by number is not
// among it in that order: such markers are taken out.
func (d *desk) found(ctx context.Context, in answerIn) (string, []ibid.Passage, error) {
	const sentences, each, most = 60, 4, 64
	plain := marker.Segment(in.Answer, marker.Config{})
	asked := []string{}
	if !workflow.Blank(in.Question) {
		asked = append(asked, in.Question)
	}
	for _, s := range plain.Whole() {
		if len(asked) < sentences && !workflow.Blank(s.Text) {
			asked = append(asked, s.Text)
		}
	}
	var out []ibid.Passage
	seen := map[ibid.Anchor]bool{}
	for i, text := range asked {
		tell(ctx, i, len(asked)+1, "searching for what sentence %d of %d rests on", i+1, len(asked))
		found, err := d.Asker.Retriever.Retrieve(ctx, ibid.Query{Text: text, Limit: each, Collection: d.caller.Collection})
		if err != nil {
			return "", nil, err
		}
		for _, p := range found {
			if !seen[p.Chunk.At] && len(out) < most {
				seen[p.Chunk.At] = true
				p.Rank = len(out) + 1
				out = append(out, p)
			}
		}
	}
	tell(ctx, len(asked), len(asked)+1, "holding %d passages against the answer", len(out))
	return plain.Text, out, nil
}

func (d *desk) gate(ctx context.Context, in gateIn) (answerOut, error) {
	p, err := d.policy(in.Policy)
	if err != nil {
		return answerOut{}, err
	}
	a, err := d.attributed(ctx, in.answerIn, d.engine)
	if err != nil {
		return answerOut{}, err
	}
	claims := gate.OfAnswer(a)
	v := p.Decide(claims).Verdict(claims)
	a.Verdict = &v
	out := outOf(a)
	out.Gate.Policy = p.Name
	out.Gate.Show = out.Gate.Show && v.Outcome != string(gate.Repair)
	return out, nil
}

// policy gives a policy by its name, or the one in use.
func (d *desk) policy(name string) (gate.Policy, error) {
	if name == "" {
		if p := d.Asker.Gate.Policy; p != nil {
			return *p, nil
		}
		name = "internal"
	}
	p, err := gate.Preset(name)
	if err != nil {
		return p, invalid("there is no policy %q; choose one of %s", shortened(name), strings.Join(gate.Presets(), ", "))
	}
	return p, nil
}

// asker is one whose answers are recorded in the caller's collection.
func (d *desk) asker() *workflow.Asker {
	asker := *d.Asker
	record := d.record
	record.Began = asker.Now()
	asker.Record = record
	if d.AuditLog != nil && asker.Gate.Book == nil {
		asker.Gate.Book = workflow.Pages(d.Store.Update)
	}
	return &asker
}

func (d *desk) keep(ctx context.Context, in recordIn) (answerOut, error) {
	p, err := d.policy(in.Policy)
	if err != nil {
		return answerOut{}, err
	}
	if len(in.Model) > 200 {
		return answerOut{}, invalid("the name of the model is longer than 200 bytes")
	}
	asker := d.asker()
	a, err := d.attributed(ctx, in.answerIn, d.engine)
	if err != nil {
		return answerOut{}, err
	}
	a.Model, asker.Gate.Policy = in.Model, &p
	kept, err := asker.Keep(ctx, a)
	if _, refused := workflow.Refused(err); err != nil && !refused {
		return answerOut{}, err
	}
	out := outOf(kept)
	if out.Gate != nil {
		out.Gate.Policy = p.Name
	}
	return out, nil
}

func (d *desk) ask(ctx context.Context, in askIn) (answerOut, error) {
	q, err := d.question(ctx, in)
	if err != nil {
		return answerOut{}, err
	}
	a, err := answered(ctx, d.asker().Ask(ctx, q))
	return outOf(a), err
}

// question reads what is asked, of which part of the caller's collection.
func (d *desk) question(ctx context.Context, in askIn) (q workflow.Question, err error) {
	switch {
	case workflow.Blank(in.Question):
		return q, invalid("the question is empty")
	case longer(in.Question, maxQuestion):
		return q, invalid("the question is longer than %d characters; ingest takes long texts", maxQuestion)
	case len(in.Conversation) > 200:
		return q, invalid("the name of the conversation is longer than 200 bytes")
	}
	q = workflow.Question{Text: in.Question, Conversation: ibid.ConversationID(in.Conversation)}
	q.Where.Collection = d.caller.Collection
	q.Where.Sources, err = d.sources(ctx, in.Sources)
	return q, err
}

// answered reads an answer to its end, and tells how far it is. One that was cut says so itself.
func answered(ctx context.Context, events iter.Seq2[workflow.Event, error]) (answer ibid.Answer, failed error) {
	done, total, sentences := 0, 0, 0 // steps and sentences
	tell(ctx, done, total, "looking for passages")
	for e, err := range events {
		if err != nil {
			failed = err
			continue
		}
		switch e.Kind {
		case workflow.Planned:
			total = len(e.Plan.Parts) + 1
			tell(ctx, done, total, "the question has %d parts", len(e.Plan.Parts))
		case workflow.Begun:
			tell(ctx, e.Step-1, total, "step %d: %s", e.Step, shortened(oneLine(e.Taken.Question)))
		case workflow.Stepped:
			done = e.Step
			total = max(total, done+1) // there are chains that learn on their way what to ask next
			tell(ctx, done, total, "step %d is answered", e.Step)
		case workflow.Retrieved:
			if total == 0 {
				done++
				tell(ctx, done, total, "%d passages found; waiting for the answer", len(e.Passages))
			}
		case workflow.Decided:
			if sentences++; total == 0 {
				done++
				tell(ctx, done, total, "%d sentences attributed", sentences)
			}
		case workflow.Done:
			answer = e.Answer
		}
	}
	if answer.ID != "" {
		failed = nil
	}
	return answer, failed
}

// outOf gives an answer as assistants read it.
func outOf(a ibid.Answer) answerOut {
	a = api.Public(a)
	shares := a.Shares()
	out := answerOut{ID: string(a.ID), Question: a.Question, Text: a.Text, Segments: []segmentOut{}, Sources: []citedOut{},
		FromSource: api.Near(shares.Sources), FromModel: api.Near(shares.Model), Model: a.Model, Incomplete: a.Incomplete, Entry: a.Entry}
	if a.ID != "" {
		out.URI = answerURI(a.ID)
	}
	if v := a.Verdict; v != nil {
		out.Gate = &gateOut{Show: v.Outcome != string(gate.Block), Outcome: v.Outcome, Version: v.Policy, Coverage: v.Coverage, Threshold: v.Threshold,
			Uncited: []string{}, Reasons: listed(v.Reasons)}
		for _, at := range v.Uncovered {
			out.Gate.Uncited = append(out.Gate.Uncited, at.In(a.Text))
		}
	}
	table := offsets.New(a.Text)
	used := map[int]bool{}
	for _, s := range a.Segments {
		out.Segments = append(out.Segments, segmentOf(a, s, table, used))
		out.Claims.count(s)
	}
	for _, p := range a.Passages {
		if used[p.Rank] {
			out.Sources = append(out.Sources, citedOf(p))
		}
	}
	return out
}

func (c *counts) count(s ibid.Segment) {
	if s.Origin == ibid.NONE {
		return
	}
	c.Total++
	switch s.Origin {
	case ibid.RAG:
		c.Supported++
	case ibid.HYBRID:
		c.Partly++
	case ibid.LLM:
		c.Unsupported++
	}
	if len(s.Contradicted) > 0 {
		c.Contradicted++
	}
}

func segmentOf(a ibid.Answer, s ibid.Segment, table *offsets.Table, used map[int]bool) segmentOut {
	out := segmentOut{Start: table.FromByte(s.At.Start).Rune, End: table.FromByte(s.At.End).Rune, Text: s.At.In(a.Text), Origin: s.Origin, InWords: s.InWords(),
		Support: s.Support, Confidence: s.Confidence, Evidence: []quoteOut{}, Unsupported: []string{}, Contradicted: []deniedOut{}, Reasons: listed(s.Reasons)}
	for _, at := range a.Evidence(s) {
		p, ok := a.Passage(at.Ref)
		if !ok {
			continue
		}
		used[p.Rank] = true
		out.Evidence = append(out.Evidence, quoteOut{p.Rank, at.To.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text), p.Locator(at.To.Span.Start), at.Confidence, at.Trust.String()})
	}
	for _, u := range s.Unsupported {
		out.Unsupported = append(out.Unsupported, u.In(a.Text))
	}
	for _, c := range s.Contradicted {
		denied := deniedOut{Words: c.Of.In(a.Text), Reason: c.Reason}
		for _, p := range a.Passages {
			if p.Chunk.At.Document == c.To.Document && p.Chunk.At.Span.Contains(c.To.Span) {
				denied.Source, denied.Quote = p.Rank, c.To.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text)
				used[p.Rank] = true
				break
			}
		}
		out.Contradicted = append(out.Contradicted, denied)
	}
	if s.Claimed != nil {
		out.Dangling = s.Claimed.Dangling
	}
	return out
}

func citedOf(p ibid.Passage) citedOut {
	out := citedOut{Number: p.Rank, ID: p.Source.ID, Title: p.Source.Title(), Name: p.Source.Name(), URL: p.Source.Reference.URL()}
	if out.URL == "" && api.WebAddress(p.Source.URI) {
		out.URL = p.Source.URI
	}
	if name, given := strings.CutPrefix(string(p.Source.ID), ibid.GivenPrefix); given {
		out.ID = ibid.SourceID(name)
		return out
	}
	out.Passage = passageURI(p.Chunk)
	return out
}

// words says what was found, what must be put right first.
func (o answerOut) words() string {
	var b strings.Builder
	if o.Gate != nil {
		b.WriteString(o.Gate.words())
	}
	if o.ID != "" {
		fmt.Fprintf(&b, "Answer %s", o.ID)
		if o.Entry != nil {
			fmt.Fprintf(&b, " · log entry %d", *o.Entry)
		}
		if o.Incomplete != "" {
			fmt.Fprintf(&b, " · incomplete: %s", o.Incomplete)
		}
		fmt.Fprintf(&b, "\n%s\n\n", o.Text)
	}
	c := o.Claims
	fmt.Fprintf(&b, "%s: %d from a source, %d in part, %d without a source, %d contradicted.\n", count(c.Total, "claim", "claims"), c.Supported, c.Partly, c.Unsupported, c.Contradicted)
	for i, s := range o.Segments {
		if s.Origin == ibid.NONE {
			continue
		}
		fmt.Fprintf(&b, "\n%d. %s\n   %s", i+1, oneLine(s.Text), s.InWords)
		if s.Origin != ibid.LLM {
			fmt.Fprintf(&b, " (%s)", ibid.Strength(s.Confidence))
		}
		b.WriteByte('\n')
		for _, c := range s.Contradicted {
			fmt.Fprintf(&b, "   ✕ %s [%d]: %q\n", c.Reason, c.Source, oneLine(c.Quote))
		}
		if s.Origin == ibid.HYBRID || s.Origin == ibid.RAG && len(s.Unsupported) > 0 {
			fmt.Fprintf(&b, "   no source has: %s\n", strings.Join(s.Unsupported, " … "))
		}
		for _, e := range s.Evidence {
			fmt.Fprintf(&b, "   [%d] %s%q\n", e.Source, ending(e.Locator, ": "), oneLine(e.Quote))
		}
		for _, n := range s.Dangling {
			fmt.Fprintf(&b, "   cites [%d], which is not there\n", n)
		}
	}
	if len(o.Sources) > 0 {
		b.WriteString("\nSources:\n")
	}
	for _, s := range o.Sources {
		fmt.Fprintf(&b, "[%d] %s%s%s\n", s.Number, oneLine(s.Title), beginning(" · ", s.URL), beginning(" · ", s.Passage))
	}
	return b.String()
}

func (g gateOut) words() string {
	said := "may be shown"
	if !g.Show {
		said = "must not be shown as it is"
	}
	out := fmt.Sprintf("Gate: the answer %s (%s by policy %s, coverage %.0f %% of %.0f %% asked for).\n", said, g.Outcome, strings.TrimSpace(g.Policy+" "+g.Version), 100*g.Coverage, 100*g.Threshold)
	for _, r := range g.Reasons {
		out += "- " + r + "\n"
	}
	for _, u := range g.Uncited {
		out += "- lacks a source: " + oneLine(u) + "\n"
	}
	return out + "\n"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func beginning(with, s string) string {
	if s == "" {
		return ""
	}
	return with + s
}

func ending(s, with string) string {
	if s == "" {
		return ""
	}
	return s + with
}
