package web

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/internal/offsets"
	"github.com/ibid-dev/ibid/workflow"
)

// A provider may cite by itself: what its own tools found, documents of the request, pages. Such a citation is the provider's
// claim. It goes on as it came, and is held against the sources that are known here beside:
//
//	citation ─▶ the words that it speaks of, the passages that it names ─▶ the link found, too: a rung higher
//	                                                                     ─▶ no such link: the segment says so
//	                                                                     ─▶ no such source: named as not checked

// ownCite is a citation of a provider's own, in either form.
type ownCite struct {
	Type string `json:"type"`
	// OpenAI. Indexes count characters of the text; index is the place behind the words.
	Start    *float64 `json:"start_index"`
	End      *float64 `json:"end_index"`
	Index    *float64 `json:"index"`
	URL      string   `json:"url"`
	FileID   string   `json:"file_id"`
	FileName string   `json:"filename"`
	// Chat completions put the fields into one that has the name of the kind.
	InURL  json.RawMessage `json:"url_citation"`
	InFile json.RawMessage `json:"file_citation"`
	// Anthropic. It speaks of the whole block.
	Quote    string `json:"cited_text"`
	Document *int   `json:"document_index"`
	Title    string `json:"document_title"`
	Result   *int   `json:"search_result_index"`
	From     *int   `json:"start_char_index"`
	To       *int   `json:"end_char_index"`
	Source   string `json:"source"`
}

// readCite reads a citation. What has another form is none.
func readCite(v any) (c ownCite, ok bool) {
	b, err := json.Marshal(v)
	if err != nil || json.Unmarshal(b, &c) != nil {
		return c, false
	}
	for _, inside := range []json.RawMessage{c.InURL, c.InFile} {
		if len(inside) > 0 && json.Unmarshal(inside, &c) != nil {
			return c, false
		}
	}
	switch c.Type {
	case "url_citation", "file_citation", "container_file_citation", "char_location", "page_location", "content_block_location", "search_result_location", "web_search_result_location":
		return c, true
	}
	return c, false
}

// name is what people know the source by.
func (c ownCite) name() string {
	name := or(c.URL, or(c.FileName, or(c.FileID, or(c.Source, c.Title))))
	if name == "" && c.Document != nil {
		return fmt.Sprintf("document %d of the request", *c.Document+1)
	}
	return name
}

// cite holds those citations of the provider's own against what was found of a text that were not yet: some come behind its end.
func (a *attributing) cite(t *passing) {
	own := t.own
	if len(t.native) > len(own) {
		own = t.native
	}
	own = own[:min(len(own), maxGathered)]
	if t.follower == nil || len(own) <= t.checked {
		return
	}
	said, err := t.follower.Attributed()
	if err != nil {
		return
	}
	raw := t.raw.String()
	table, place := offsets.New(raw), cleaned(raw, said)
	var cites []workflow.Named
	for _, v := range own[t.checked:] {
		c, ok := readCite(v)
		if !ok {
			continue
		}
		to := a.meant(c, said.Passages)
		if len(to) == 0 {
			if name := clipped(c.name(), 500); name != "" && !slices.Contains(t.unchecked, name) {
				t.unchecked = append(t.unchecked, name)
			}
			continue
		}
		if of := place(c.of(raw, table)); !of.Empty() {
			cites = append(cites, workflow.Named{Of: of, To: to})
		}
	}
	t.checked, t.found = len(own), nil
	t.follower.Cite(cites)
}

// of gives the bytes that a citation speaks of; an empty span is the place behind them.
func (c ownCite) of(raw string, table *offsets.Table) ibid.Span {
	at := func(n *float64) int { return table.FromRune(int(min(max(*n, 0), math.MaxInt32))).Byte }
	switch {
	case c.Document != nil || c.Result != nil || strings.HasSuffix(c.Type, "_location"):
		return ibid.Span{End: len(raw)}
	case c.Start != nil && c.End != nil && *c.End > *c.Start:
		return ibid.Span{Start: at(c.Start), End: at(c.End)}
	case c.Index != nil:
		return ibid.Span{Start: at(c.Index), End: at(c.Index)}
	case c.End != nil:
		return ibid.Span{Start: at(c.End), End: at(c.End)}
	}
	return ibid.Span{}
}

// meant gives the places that a citation names among the passages that are known here.
func (a *attributing) meant(c ownCite, passages []ibid.Passage) (out []ibid.Anchor) {
	byID := slices.ContainsFunc(passages, func(p ibid.Passage) bool { return c.FileID != "" && a.source(p.Rank).fileID == c.FileID })
	for _, p := range passages {
		if !c.names(p, a.source(p.Rank), byID) {
			continue
		}
		in := ibid.Span{End: len(p.Chunk.Text)}
		if words := strings.TrimSpace(c.Quote); words != "" {
			if c.From != nil && c.To != nil {
				table := offsets.New(p.Chunk.Text)
				from, to := table.FromRune(max(*c.From, 0)).Byte, table.FromRune(max(*c.To, 0)).Byte
				if from < to && strings.TrimSpace(p.Chunk.Text[from:to]) == words {
					in = ibid.Span{Start: from, End: to}
				}
			}
			if i := strings.Index(p.Chunk.Text, words); i >= 0 && in.End == len(p.Chunk.Text) && in.Start == 0 {
				in = ibid.Span{Start: i, End: i + len(words)}
			}
		}
		out = append(out, ibid.Anchor{Document: p.Chunk.At.Document, Span: in.Shift(p.Chunk.At.Span.Start)})
	}
	return out
}

// names reports whether a citation means the source of a passage: by its place in the request, its address, the provider's
// name of the file, or the file's own name where no other is known.
func (c ownCite) names(p ibid.Passage, given givenSource, byID bool) bool {
	switch {
	case c.Document != nil:
		return given.kind == "document" && given.index == *c.Document
	case c.Type == "search_result_location" && c.Result != nil:
		return given.kind == "search_result" && given.index == *c.Result
	case c.URL != "":
		return cite.NormalURL(c.URL) == cite.NormalURL(or(p.Source.Reference.URL(), p.Source.URI))
	case byID:
		return given.fileID == c.FileID
	case c.FileID != "" && string(p.Source.ID) == c.FileID:
		return true
	}
	return c.FileName != "" && (p.Source.Name() == c.FileName || given.kind != "library" && p.Source.Title() == c.FileName)
}

// cleaned gives a function from spans of the text as it came to those of the clean one. What has no words there, as a place or a
// marker that was taken out, is the last word before it.
func cleaned(raw string, a ibid.Answer) func(ibid.Span) ibid.Span {
	place := aligned(raw, a)
	from := make([]int, len(a.Text)) // where each byte of the clean text stood
	for i := range from {
		from[i] = place(ibid.Span{Start: i, End: i + 1}).Start
	}
	return func(s ibid.Span) ibid.Span {
		start, _ := slices.BinarySearch(from, s.Start)
		end, _ := slices.BinarySearch(from, s.End)
		if strings.TrimSpace(a.Text[start:end]) != "" {
			return ibid.Span{Start: start, End: end}
		}
		for start > 0 && blank(a.Text[start-1]) {
			start--
		}
		if start == 0 {
			return ibid.Span{}
		}
		return ibid.Span{Start: start - 1, End: start}
	}
}
