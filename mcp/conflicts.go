package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/conflict"
)

var conflictsTool = tool{name: "conflicts", title: "Where sources disagree", doc: `Find where sources say what cannot both hold: numbers and dates of the same thing that differ, negations, opposite directions, things that exclude each other. Compares all sources of the library with each other, or those you name, and texts you give. Each finding shows both places. It does not say who is right, and what it does not find may still disagree.`}

// maxCompared bounds the text that is compared at once.
const maxCompared = 16 << 20

type conflictsIn struct {
	Sources  []string   `json:"sources,omitempty" jsonschema:"only these sources of the library, by id; all of it where they and texts are left out"`
	Texts    []sourceIn `json:"texts,omitempty" jsonschema:"texts or passages to compare, with each other and with the sources"`
	Versions bool       `json:"versions,omitempty" jsonschema:"compare older versions of the sources, too"`
	Limit    int        `json:"limit,omitempty" jsonschema:"how many findings at most, 1 to 200; 20 where it is left out"`
}

type conflictsOut struct {
	Compared  int           `json:"compared" jsonschema:"how many documents"`
	Conflicts []conflictOut `json:"conflicts" jsonschema:"the surest first"`
	More      int           `json:"more" jsonschema:"how many further findings were left out"`
}

type conflictOut struct {
	Kind       conflict.Kind     `json:"kind" jsonschema:"what they differ in"`
	Severity   conflict.Severity `json:"severity" jsonschema:"how much it would matter: low, medium, high"`
	Confidence float64           `json:"confidence" jsonschema:"probability that they cannot both hold"`
	Reason     string            `json:"reason"`
	A          sideOut           `json:"a"`
	B          sideOut           `json:"b"`
}

type sideOut struct {
	Source   ibid.SourceID   `json:"source" jsonschema:"id of the source, or of the text"`
	Title    string          `json:"title"`
	Document ibid.DocumentID `json:"document,omitempty" jsonschema:"hash of the text of this version; left out for a text that was given"`
	Version  int             `json:"version,omitempty"`
	Locator  string          `json:"locator,omitempty" jsonschema:"page or heading"`
	Quote    string          `json:"quote" jsonschema:"its words, to the letter"`
	Words    string          `json:"words,omitempty" jsonschema:"those of the quote that differ"`
}

func (d *desk) conflicts(ctx context.Context, in conflictsIn) (conflictsOut, error) {
	out := conflictsOut{Conflicts: []conflictOut{}}
	switch {
	case in.Limit < 0 || in.Limit > 200:
		return out, invalid("limit is %d; give a number from 1 to 200", in.Limit)
	case in.Limit == 0:
		in.Limit = 20
	case len(in.Texts) > maxSources:
		return out, invalid("there are more than %d texts", maxSources)
	}
	c := compared{desk: d, documents: map[ibid.DocumentID]ibid.Document{}, parts: map[ibid.DocumentID][]ibid.Span{}, sources: map[ibid.SourceID]ibid.Source{}}
	given, err := d.given(ctx, in.Texts)
	if err != nil {
		return out, err
	}
	// All of a source has its passages in it, so it comes first.
	if err := c.library(ctx, in); err != nil {
		return out, err
	}
	if err := c.texts(ctx, given); err != nil {
		return out, err
	}
	out.Compared = len(c.documents)
	tell(ctx, out.Compared, out.Compared+1, "comparing %d documents", out.Compared)
	found, err := d.Conflicts.Passages(ctx, c.passages)
	if err != nil {
		return out, err
	}
	out.More = max(0, len(found)-in.Limit)
	for _, f := range found[:len(found)-out.More] {
		out.Conflicts = append(out.Conflicts, conflictOut{f.Kind, f.Severity, api.Round(f.Confidence), f.Reason, c.side(f.A), c.side(f.B)})
	}
	return out, nil
}

// compared are the texts that are held against each other: whole documents, each as one passage, and passages of others.
type compared struct {
	*desk
	passages  []ibid.Passage
	documents map[ibid.DocumentID]ibid.Document
	parts     map[ibid.DocumentID][]ibid.Span // of each document that are among the passages
	sources   map[ibid.SourceID]ibid.Source
	bytes     int
}

func (c *compared) add(p ibid.Passage, doc ibid.Document) error {
	at := p.Chunk.At.Span
	if slices.ContainsFunc(c.parts[doc.ID], func(s ibid.Span) bool { return s.Contains(at) }) {
		return nil // the same words in two sources are no disagreement
	}
	if c.bytes += len(p.Chunk.Text); c.bytes > c.compared {
		return invalid("there are more than %d MB of text to compare; name fewer sources", c.compared>>20)
	}
	p.Rank = len(c.passages) + 1
	c.documents[doc.ID], c.sources[p.Source.ID] = doc, p.Source
	c.passages, c.parts[doc.ID] = append(c.passages, p), append(c.parts[doc.ID], at)
	return nil
}

// texts adds what the caller gave: texts, and passages of the library, of whose documents the places are told, too.
func (c *compared) texts(ctx context.Context, list []ibid.Passage) error {
	for _, p := range list {
		doc, known := c.documents[p.Chunk.At.Document]
		if !known {
			doc = ibid.Document{ID: p.Chunk.At.Document}
		}
		if !known && !strings.HasPrefix(string(p.Source.ID), ibid.GivenPrefix) {
			var err error
			if doc, err = c.record.Document(ctx, doc.ID); err != nil {
				return err
			}
		}
		if err := c.add(p, doc); err != nil {
			return err
		}
	}
	return nil
}

// library adds the sources that are named, or all of them where nothing is.
func (c *compared) library(ctx context.Context, in conflictsIn) error {
	ids, err := c.desk.sources(ctx, in.Sources)
	if err != nil {
		return err
	}
	if len(ids) == 0 && len(in.Texts) == 0 {
		for l, err := range c.allSources(ctx) {
			if err != nil {
				return err
			}
			ids = append(ids, l.Source.ID)
		}
	}
	for i, id := range ids {
		tell(ctx, i, len(ids)+1, "reading source %d of %d", i+1, len(ids))
		if err := c.source(ctx, id, in.Versions); err != nil {
			return err
		}
	}
	return nil
}

// source adds the newest version of a source, or all.
func (c *compared) source(ctx context.Context, id ibid.SourceID, all bool) error {
	src, err := c.record.Source(ctx, id)
	if err != nil {
		return err
	}
	versions, err := c.record.Versions(ctx, id)
	if err != nil {
		return err
	}
	if !all && len(versions) > 0 {
		versions = versions[:1]
	}
	for _, v := range versions {
		doc, err := c.record.Document(ctx, v.ID)
		if err != nil {
			return err
		}
		doc.Source, doc.Version = src.ID, v.Version
		at := ibid.Anchor{Document: doc.ID, Span: ibid.Span{End: len(doc.Text)}}
		if err := c.add(ibid.Passage{Source: src, Chunk: ibid.Chunk{At: at, Text: doc.Text}}, doc); err != nil {
			return err
		}
	}
	return nil
}

func (c *compared) side(s conflict.Side) sideOut {
	src, doc := api.PublicSource(c.sources[s.Source]), c.documents[s.At.Document]
	out := sideOut{Source: src.ID, Title: src.Title(), Quote: s.Quote, Locator: doc.Outline.Locator(s.At.Span.Start), Version: doc.Version}
	if name, given := strings.CutPrefix(string(src.ID), ibid.GivenPrefix); given {
		out.Source = ibid.SourceID(name)
	} else {
		out.Document = s.At.Document
	}
	if at := s.Words.Shift(-s.At.Span.Start); !s.Words.Empty() && at.Start >= 0 && at.End <= len(s.Quote) {
		out.Words = at.In(s.Quote)
	}
	return out
}

func (o conflictsOut) words() string {
	var b strings.Builder
	for _, f := range o.Conflicts {
		fmt.Fprintf(&b, "✕ %s (%s, would matter: %s, confidence %.2f)\n", oneLine(f.Reason), f.Kind, f.Severity, f.Confidence)
		for _, s := range []sideOut{f.A, f.B} {
			fmt.Fprintf(&b, "  %s%s · source %s: %q\n", oneLine(s.Title), beginning(" · ", s.Locator), s.Source, oneLine(s.Quote))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s among %s.", count(len(o.Conflicts)+o.More, "conflict", "conflicts"), count(o.Compared, "document", "documents"))
	if len(o.Conflicts) > 0 {
		b.WriteString(" Who is right, the sources do not say.")
	}
	if o.More > 0 {
		fmt.Fprintf(&b, " %d further findings were left out; a greater limit shows them.", o.More)
	}
	return b.String() + "\n"
}
