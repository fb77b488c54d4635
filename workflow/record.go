package workflow

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
)

// AnswerEntry is an answer as it stands in the log: what was said, and what it rests on. It holds no path of a file.
type AnswerEntry struct {
	Answer     ibid.AnswerID `json:"answer"`
	Question   string        `json:"question"`
	Text       string        `json:"text"`
	Segments   []SaidSegment `json:"segments"`
	Citations  []SaidSource  `json:"citations"`
	Model      string        `json:"model"`
	Verdict    *ibid.Verdict `json:"verdict,omitempty"`
	Incomplete string        `json:"incomplete,omitempty"`
	CreatedAt  time.Time     `json:"created_at"`
	// Whole is the hash of all of the answer as it is kept, with its links, passages, steps and reasons: see WholeOf.
	Whole ibid.DocumentID `json:"whole,omitempty"`
	// Collection is where the answer is kept, and so who may read it; nil where the Record does not tell.
	Collection *string `json:"collection,omitempty"`
}

// SaidSegment is where a part of the text comes from.
type SaidSegment struct {
	At         ibid.Span   `json:"at"`
	Origin     ibid.Origin `json:"origin"`
	Confidence float64     `json:"confidence"`
}

// SaidSource is a cited place.
type SaidSource struct {
	Number int           `json:"number"`
	Source ibid.SourceID `json:"source"`
	Title  string        `json:"title"`
	At     ibid.Anchor   `json:"at"`
	Quote  string        `json:"quote"`
}

// Entered gives an answer as it stands in the log, but for Whole and Collection.
func Entered(a ibid.Answer) AnswerEntry {
	e := AnswerEntry{Answer: a.ID, Question: a.Question, Text: a.Text, Segments: []SaidSegment{}, Citations: []SaidSource{}, Model: a.Model,
		Verdict: a.Verdict, Incomplete: a.Incomplete, CreatedAt: a.CreatedAt}
	for _, s := range a.Segments {
		e.Segments = append(e.Segments, SaidSegment{s.At, s.Origin, s.Confidence})
	}
	titles := map[ibid.SourceID]string{}
	for _, p := range a.Passages {
		titles[p.Source.ID] = p.Source.Title()
	}
	for _, c := range a.Citations {
		e.Citations = append(e.Citations, SaidSource{c.Number, c.Source, titles[c.Source], c.At, c.Quote})
	}
	return e
}

// WholeOf gives the hash of an answer's JSON: SHA-256 of it with the names of every object in order, without blanks, and
// without the number of the entry, which is not known before there is one. So it stays the same where a later version keeps
// more of an answer, or writes its fields in another order.
func WholeOf(answer []byte) (ibid.DocumentID, error) {
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber() // a number is its digits
	if err := d.Decode(&all); err != nil {
		return "", err
	}
	delete(all, "entry")
	b, err := json.Marshal(all)
	return ibid.HashText(string(b)), err
}

// Keep takes an answer into the record that someone else wrote and that was attributed: the gate decides on it and its
// entries are written as those of Ask are. What it gives is what may be delivered: where the gate repairs, its text is
// another. The error is a *gate.RefusedError where the gate refuses, with the answer as it was recorded; with any other error
// nothing is recorded.
func (a *Asker) Keep(ctx context.Context, given ibid.Answer) (ibid.Answer, error) {
	t := &turn{asker: a, emit: func(Event) error { return nil }, numbers: newNumbering(given.Passages)}
	t.answer = ibid.Answer{Question: given.Question, Conversation: given.Conversation, Passages: given.Passages, Model: given.Model, Usage: given.Usage, Incomplete: given.Incomplete}
	t.text.WriteString(given.Text)
	t.gated()
	for _, s := range given.Segments {
		f := ibid.Finding{Segment: s}
		for _, at := range given.Attributions {
			if s.At.Contains(at.Of) {
				f.Attributions = append(f.Attributions, at)
			}
		}
		take := t.decide
		if t.holder != nil {
			take = t.holder.take
		}
		if err := take(f); err != nil {
			return ibid.Answer{}, err
		}
	}
	if err := t.record(ctx); err != nil {
		return ibid.Answer{}, err
	}
	return t.answer, t.refused
}

// record completes the answer, passes it through the gate, holds it against the law that no link is lost or invented, and
// writes it with its entries. It is on disk before it is delivered, the refused one first of all.
func (t *turn) record(ctx context.Context) error {
	t.answer.Text = t.text.String()
	t.answer.ID = t.asker.NewID()
	t.answer.CreatedAt = t.asker.Now().UTC()
	d, err := t.judge()
	if err != nil {
		return err
	}
	t.answer.Citations = t.numbers.citations
	if err := t.answer.Check(); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	if err := t.enter(ctx, d); err != nil {
		return fmt.Errorf("recording the answer: %w", err)
	}
	if t.kept {
		return nil
	}
	if err := t.asker.Record.PutAnswer(ctx, t.answer); err != nil {
		return fmt.Errorf("recording the answer: %w", err)
	}
	return nil
}

// joined is a Record that may stand in the store of the gate's Book: an answer and its entries are then written in one
// transaction. In another store, for which it reports false, the entries come first, and an answer that could not be kept
// leaves them behind.
type joined interface {
	PutAnswerOn(page any, a ibid.Answer) (bool, error)
}

// placed is a Record that tells in which collection it keeps an answer.
type placed interface {
	CollectionOf(a ibid.Answer) string
}

// enter writes the entries of the decision and of the answer. They come before the answer itself: what can be opened is in
// the log.
func (t *turn) enter(ctx context.Context, d decided) error {
	g := t.asker.Gate
	if g.Book == nil {
		return nil
	}
	return g.Book.Write(ctx, func(p Page) (err error) {
		if t.answer.Verdict != nil {
			if t.answer.Verdict.Entry, err = g.keep(p, d); err != nil {
				return err
			}
		}
		said := Entered(t.answer)
		body, err := json.Marshal(t.answer)
		if err == nil {
			said.Whole, err = WholeOf(body)
		}
		if err != nil {
			return err
		}
		if record, ok := t.asker.Record.(placed); ok {
			collection := record.CollectionOf(t.answer)
			said.Collection = &collection
		}
		if t.answer.Entry, err = enter(p, EntryAnswer, said); err != nil {
			return err
		}
		if record, ok := t.asker.Record.(joined); ok {
			t.kept, err = record.PutAnswerOn(p, t.answer)
		}
		return err
	})
}

// judge takes the gate's decision, and fills the verdict where there is a gate.
func (t *turn) judge() (decided, error) {
	g := t.asker.Gate
	if !g.on() {
		return decided{}, nil
	}
	d := decided{subject: "answer " + string(t.answer.ID), title: t.answer.Question, at: t.answer.CreatedAt}
	if t.holder != nil {
		var err error
		if d.report, d.done, err = t.holder.finish(); err != nil {
			return d, err
		}
		d.claims = t.holder.claims
		t.answer.Text = t.holder.shown.String()
	} else {
		d.claims = gate.OfAnswer(t.answer)
		d.report = g.Policy.Decide(d.claims)
		d.done = d.report.Outcome
	}
	v := d.report.Verdict(d.claims)
	after := gate.OfAnswer(t.answer)
	left := g.Policy.Decide(after)
	if d.done != gate.Flag && left.Outcome == gate.Flag { // shown by segment before something else was repaired or held back
		d.left = &left
	}
	switch d.done {
	case gate.Repair:
		v = left.Verdict(after)
		v.Reasons = append(v.Reasons, fmt.Sprintf("%d of %d claims had no source and were taken out or put into a source's words", t.holder.mended, d.report.Required))
	case gate.Block:
		v.Pass, v.Uncovered, t.answer.Steps = false, nil, nil
		t.refused = &gate.RefusedError{Report: d.report}
		t.answer.Incomplete = "held back by the gate: " + t.refused.Error()
	}
	v.Outcome = string(d.done)
	t.answer.Verdict = &v
	return d, nil
}
