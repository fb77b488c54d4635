package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

// writeFacts notes what is counted over many answers, and each place that the answer cites.
func writeFacts(w *writer, number int64, a ibid.Answer, took sql.NullInt64) error {
	origins := map[ibid.Origin]int{}
	uncited, contradicted := 0, 0
	for _, s := range a.Segments {
		origins[s.Origin]++
		if s.Origin != ibid.NONE && len(a.Numbers(s)) == 0 {
			uncited++
		}
		if len(s.Contradicted) > 0 {
			contradicted++
		}
	}
	outcome := ""
	if a.Verdict != nil {
		outcome = a.Verdict.Outcome
	}
	shares := a.Shares()
	err := w.exec(`INSERT INTO answer_facts (answer, rag, hybrid, llm, none, uncited, contradicted, sources, model, milliseconds, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		number, origins[ibid.RAG], origins[ibid.HYBRID], origins[ibid.LLM], origins[ibid.NONE], uncited, contradicted, shares.Sources, shares.Model, took, outcome)
	if err != nil {
		return err
	}
	given := map[ibid.SourceID]bool{}
	for _, p := range a.Passages {
		given[p.Source.ID] = p.Given()
	}
	for i, c := range a.Citations {
		if given[c.Source] {
			continue // no source of the library
		}
		err := w.exec(`INSERT INTO answer_citations (answer, place, number, source, document, start, stop, confidence) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			number, i, c.Number, c.Source, c.At.Document, c.At.Span.Start, c.At.Span.End, c.Confidence)
		if err != nil {
			return err
		}
	}
	return nil
}

// CitedPlaces lists every place of a source that answers of the collection cite, in the order of its versions' texts: by
// document and offset. The error wraps ibid.ErrNotFound where there is no such source.
func (c Collection) CitedPlaces(ctx context.Context, id ibid.SourceID, limit int) ([]api.CitedPlace, error) {
	if _, err := c.Source(ctx, id); err != nil {
		return nil, err
	}
	rows, err := c.store.reads.QueryContext(ctx, `SELECT a.id, a.question, c.number, c.document, c.start, c.stop, c.confidence, a.created_at
		FROM answer_citations c JOIN answers a ON a.number = c.answer
		WHERE c.source = ? AND a.collection = ? ORDER BY c.document, c.start, c.stop, a.number LIMIT ?`, id, c.name, limit)
	if err != nil {
		return nil, fmt.Errorf("places of source %s: %w", id, explain(err))
	}
	return collect(rows, func(r row) (api.CitedPlace, error) {
		var p api.CitedPlace
		var created int64
		err := r.Scan(&p.Answer, &p.Question, &p.Number, &p.At.Document, &p.At.Span.Start, &p.At.Span.End, &p.Confidence, &created)
		p.CreatedAt = fromMicro(created)
		return p, err
	})
}
