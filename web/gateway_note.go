package web

import (
	"errors"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/internal/offsets"
	"github.com/ibid-dev/ibid/marker"
)

// gatewayNote is the field ibid of an answer.
type gatewayNote struct {
	gatewayRecord                 // of the first text
	Attributed    bool            `json:"attributed"`
	Error         string          `json:"error,omitempty"`
	Notice        string          `json:"notice,omitempty"`
	Unread        []string        `json:"unread,omitempty"` // files of the request of which no text could be read
	From          string          `json:"from,omitempty"`   // request, library, answer
	Sources       []gatewaySource `json:"sources"`
	Texts         []gatewayText   `json:"texts"` // one for each choice, or block of text
}

type gatewaySource struct {
	Rank  int    `json:"rank"`
	Kind  string `json:"kind"`
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
}

// gatewayRecord is where an answer stands in the record and in the log.
type gatewayRecord struct {
	Answer  ibid.AnswerID `json:"answer,omitempty"`
	Entry   *int64        `json:"entry,omitempty"`
	Receipt string        `json:"receipt,omitempty"`
	Verdict *ibid.Verdict `json:"verdict,omitempty"` // its spans count as the segments do
	// Incomplete is why it ended before its end.
	Incomplete string `json:"incomplete,omitempty"`
}

type gatewayText struct {
	gatewayRecord
	RAG      float64          `json:"ragContribution"`
	LLM      float64          `json:"llmContribution"`
	Segments []gatewaySegment `json:"segments"`
	// Unchecked are the sources that the provider cites and whose text is not here, by address or name.
	Unchecked []string `json:"unchecked,omitempty"`
}

// gatewaySegment counts characters of the text as the provider gave it, markers and all.
type gatewaySegment struct {
	Start        int               `json:"start_index"`
	End          int               `json:"end_index"`
	Origin       ibid.Origin       `json:"origin"`
	Support      float64           `json:"support"`
	Confidence   float64           `json:"confidence"`
	Citations    []gatewayCitation `json:"citations"`
	Contradicted []string          `json:"contradicted,omitempty"`
	Reasons      []string          `json:"reasons,omitempty"`
}

type gatewayCitation struct {
	Source     int     `json:"source"` // rank
	Quote      string  `json:"quote"`
	Start      int     `json:"start_index"` // into the source's text
	End        int     `json:"end_index"`
	Confidence float64 `json:"confidence"`
	// Trust is how the link came to be: judged, quote, or provider, where the provider cites the same and it holds.
	Trust ibid.Trust `json:"trust"`
}

// note completes the attribution and gives it.
func (a *attributing) note() gatewayNote {
	n := gatewayNote{Notice: a.asked.notice, Sources: []gatewaySource{}, Texts: []gatewayText{}}
	passages, err := a.known(a.offered)
	for i := range a.texts {
		t := a.end(i)
		if t.done { // a block of a tool's call has no words
			n.Texts = append(n.Texts, t.form())
			err = errors.Join(err, t.err)
		}
	}
	if len(n.Texts) > 0 {
		n.gatewayRecord = n.Texts[0].gatewayRecord
	}
	if err != nil {
		a.server.Log.Error("an answer passed without attribution", "error", err)
		n.Error = "the answer could not be attributed; the server's log says why"
		return n
	}
	n.Attributed, n.From, n.Unread = true, a.whence(), a.unread
	for _, p := range passages {
		src := api.PublicSource(p.Source)
		n.Sources = append(n.Sources, gatewaySource{Rank: p.Rank, Kind: a.source(p.Rank).kind, ID: string(src.ID), Title: src.Title(), URL: src.URI})
	}
	return n
}

func (t *passing) form() gatewayText {
	out := gatewayText{Segments: []gatewaySegment{}, Unchecked: t.unchecked}
	if out.Answer = t.answer.ID; out.Answer != "" {
		out.Entry, out.Verdict, out.Incomplete = t.answer.Entry, t.verdict(), t.answer.Incomplete
	}
	if out.Entry != nil {
		out.Receipt = "/api/v1/answers/" + string(out.Answer) + "/receipt"
	}
	if t.err != nil {
		return out
	}
	shares := t.answer.Shares()
	out.RAG, out.LLM = api.Near(shares.Sources), api.Near(shares.Model)
	for _, m := range t.measured() {
		out.Segments = append(out.Segments, m.gatewaySegment)
	}
	return out
}

// verdict gives what the gate says with its spans in the text that the client has, which is not the recorded one.
func (t *passing) verdict() *ibid.Verdict {
	v := t.answer.Verdict
	if v == nil || len(v.Uncovered) == 0 {
		return v
	}
	shown := *v
	shown.Uncovered = nil // the record's own stay as they are
	place := t.places()
	for _, s := range v.Uncovered {
		start, end := place(s)
		shown.Uncovered = append(shown.Uncovered, ibid.Span{Start: start, End: end})
	}
	return &shown
}

// measured is a segment with its place in the text as the provider gave it.
type measured struct {
	gatewaySegment
	links []ibid.Attribution
}

func (t *passing) measured() []measured {
	if t.err != nil || t.found != nil {
		return t.found
	}
	place := t.places()
	words := map[int]*offsets.Table{} // by rank: a source may be long, and cited often
	var out []measured
	for _, s := range t.answer.Segments {
		start, end := place(s.At)
		m := measured{gatewaySegment: gatewaySegment{Start: start, End: end, Origin: s.Origin, Support: s.Support, Confidence: s.Confidence,
			Citations: []gatewayCitation{}, Reasons: s.Reasons}}
		for _, c := range s.Contradicted {
			m.Contradicted = append(m.Contradicted, c.Reason)
		}
		if s.Origin == ibid.RAG || s.Origin == ibid.HYBRID {
			for _, l := range t.answer.Evidence(s) {
				p, ok := t.answer.Passage(l.Ref)
				if !ok {
					continue
				}
				in := l.To.Span.Shift(-p.Chunk.At.Span.Start)
				of := words[l.Ref]
				if of == nil {
					of = offsets.New(p.Chunk.Text)
					words[l.Ref] = of
				}
				m.Citations = append(m.Citations, gatewayCitation{l.Ref, in.In(p.Chunk.Text), p.Chunk.Before.Runes + of.FromByte(in.Start).Rune, p.Chunk.Before.Runes + of.FromByte(in.End).Rune, l.Confidence, l.Trust})
				m.links = append(m.links, l)
			}
		}
		out = append(out, m)
	}
	t.found = out
	return out
}

// places gives a function from spans of the recorded text to characters of the text as the provider gave it.
func (t *passing) places() func(ibid.Span) (start, end int) {
	raw := t.raw.String()
	table := offsets.New(raw)
	place := aligned(raw, t.answer)
	return func(s ibid.Span) (start, end int) {
		at := place(s)
		return table.FromByte(at.Start).Rune, table.FromByte(at.End).Rune
	}
}

// aligned gives a function from spans of the clean text to spans of the text as it came: the clean one is the same with
// markers taken out, or words in their place, and white space tidied.
func aligned(raw string, a ibid.Answer) func(ibid.Span) ibid.Span {
	if raw == a.Text {
		return func(s ibid.Span) ibid.Span { return s }
	}
	kept, from := without(raw, marker.Parse(raw, marker.Config{Passages: len(a.Passages), Sources: marker.Known(a.Passages)}).Cut)
	at := make([]int, len(a.Text)+1) // of each byte of the clean text
	i := 0
	for j := range len(a.Text) {
		for i < len(kept) && kept[i] != a.Text[j] && blank(kept[i]) {
			i++
		}
		at[j] = from[i]
		if i < len(kept) && kept[i] == a.Text[j] {
			i++
		}
	}
	at[len(a.Text)] = from[i]
	return func(s ibid.Span) ibid.Span {
		end := at[s.End]
		if s.End > s.Start {
			end = min(at[s.End-1]+1, len(raw))
		}
		return ibid.Span{Start: at[s.Start], End: max(end, at[s.Start])}
	}
}

// without gives a text without what was cut, and where each byte of it stood. Words that were put in the place of a marker stand
// where all of that did.
func without(raw string, cuts []marker.Cut) (kept []byte, from []int) {
	i := 0
	keep := func(to int) {
		for ; i < to; i++ {
			kept, from = append(kept, raw[i]), append(from, i)
		}
	}
	for _, c := range cuts {
		keep(c.At.Start)
		for n := range len(c.Put) {
			kept, from = append(kept, c.Put[n]), append(from, c.At.Start)
		}
		if c.Put != "" {
			from[len(from)-1] = c.At.End - 1
		}
		i = c.At.End
	}
	keep(len(raw))
	return kept, append(from, len(raw))
}

func blank(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
