package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/ibid-dev/ibid"
)

// Sequence is the number of the last change. It grows with every change of what can be retrieved, by whichever process.
func (s *Store) Sequence(ctx context.Context) (int64, error) {
	var seq int64
	if err := s.reads.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM changes`).Scan(&seq); err != nil {
		return 0, fmt.Errorf("sequence: %w", explain(err))
	}
	return seq, nil
}

// Changed gives the sources that changed after a number of the sequence, in the order of their last change, at most limit
// of them, and the number up to which the list goes. Removed ones are among them. An empty list means that there are no
// more.
func (s *Store) Changed(ctx context.Context, after int64, limit int) ([]ibid.SourceID, int64, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT seq, source FROM changes WHERE seq > ? ORDER BY seq LIMIT ?`, after, limit)
	if err != nil {
		return nil, 0, fmt.Errorf("changes after %d: %w", after, explain(err))
	}
	defer rows.Close()
	var ids []ibid.SourceID
	for rows.Next() {
		var id ibid.SourceID
		if err := rows.Scan(&after, &id); err != nil {
			return nil, 0, fmt.Errorf("changes: %w", err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return nil, 0, fmt.Errorf("changes: %w", explain(err))
	}
	return ids, after, nil
}

// Snapshots gives a source and its versions, newest first and without their texts, as retrieval may see them: none where
// the source was removed or never was.
func (s *Store) Snapshots(ctx context.Context, id ibid.SourceID) (ibid.Source, []ibid.Document, error) {
	docs, err := s.versions(ctx, `WHERE v.source = ? AND s.removed = 0`, id)
	if err != nil || len(docs) == 0 {
		return ibid.Source{}, nil, err
	}
	source, err := scanSource(s.reads.QueryRowContext(ctx, `SELECT `+sourceColumns+` FROM sources s WHERE s.id = ?`, id))
	if err != nil {
		return ibid.Source{}, nil, fmt.Errorf("source %s: %w", id, explain(err))
	}
	return source, docs, nil
}

const selectChunk = `SELECT d.id, c.ordinal, c.start, c.stop, c.heading, c.page, c.breaks, c.runes, c.utf16`

// Chunks gives the chunks of a document in order; none where there is no such document.
func (s *Store) Chunks(ctx context.Context, id ibid.DocumentID) ([]ibid.Chunk, error) {
	var text textSpan
	err := s.reads.QueryRowContext(ctx, `SELECT key, length FROM documents WHERE id = ?`, id).Scan(&text.document, &text.at.End)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	all := ""
	if err == nil {
		all, err = text.read(s.query(ctx))
	}
	if err != nil {
		return nil, fmt.Errorf("chunks of %s: %w", id, explain(err))
	}
	rows, err := s.reads.QueryContext(ctx, selectChunk+` FROM documents d JOIN chunks c ON c.document = d.key WHERE d.id = ? ORDER BY c.ordinal`, id)
	if err != nil {
		return nil, fmt.Errorf("chunks of %s: %w", id, explain(err))
	}
	defer rows.Close()
	var chunks []ibid.Chunk
	for rows.Next() {
		c, err := scanChunk(rows)
		if err != nil {
			return nil, fmt.Errorf("chunks of %s: %w", id, err)
		}
		c.Text = c.At.Span.In(all)
		chunks = append(chunks, c)
	}
	return chunks, explain(rows.Err())
}

// Passage gives a chunk of one version of a source, with the source. The error wraps ibid.ErrNotFound, also where the
// source was removed.
func (s *Store) Passage(ctx context.Context, id ibid.SourceID, version, ordinal int) (ibid.Source, ibid.Chunk, error) {
	var text textSpan
	var source sourceRow
	c, err := scanChunk(s.reads.QueryRowContext(ctx, selectChunk+`, d.key, `+sourceColumns+`
		FROM sources s JOIN versions v ON v.source = s.id JOIN documents d ON d.key = v.document JOIN chunks c ON c.document = d.key
		WHERE s.id = ? AND s.removed = 0 AND v.version = ? AND c.ordinal = ?`, id, version, ordinal),
		append([]any{&text.document}, source.columns()...)...)
	if err == nil {
		text.at = c.At.Span
		c.Text, err = text.read(s.query(ctx))
	}
	if err != nil {
		return ibid.Source{}, ibid.Chunk{}, fmt.Errorf("source %s version %d chunk %d: %w", id, version, ordinal, notFound(err))
	}
	found, err := source.source()
	return found, c, err
}

func (s *Store) query(ctx context.Context) func(string, ...any) (*sql.Rows, error) {
	return func(query string, args ...any) (*sql.Rows, error) { return s.reads.QueryContext(ctx, query, args...) }
}

// scanChunk reads the columns of selectChunk, and those that follow them.
func scanChunk(r row, more ...any) (ibid.Chunk, error) {
	var c ibid.Chunk
	var heading, breaks sql.NullString
	err := r.Scan(append([]any{&c.At.Document, &c.Ordinal, &c.At.Span.Start, &c.At.Span.End, &heading, &c.Page, &breaks,
		&c.Before.Runes, &c.Before.UTF16}, more...)...)
	if err != nil {
		return ibid.Chunk{}, err
	}
	if err := parseOrNil(heading, &c.Heading); err != nil {
		return ibid.Chunk{}, err
	}
	return c, parseOrNil(breaks, &c.Breaks)
}
