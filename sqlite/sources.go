package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

// minPrefix is how many characters of an id people must give at least.
const minPrefix = 4

// Source gives a source by its id or by the first 4 or more characters of it. A source that was removed is still given
// where a recorded answer rests on it. The error wraps ibid.ErrNotFound or ibid.ErrAmbiguous.
func (s *Store) Source(ctx context.Context, id ibid.SourceID) (ibid.Source, error) {
	full, err := resolve(ctx, s.reads, "sources", id)
	if err != nil {
		return ibid.Source{}, fmt.Errorf("source %s: %w", id, err)
	}
	source, err := scanSource(s.reads.QueryRowContext(ctx, `SELECT `+sourceColumns+` FROM sources s WHERE s.id = ?`, full))
	if err != nil {
		return ibid.Source{}, fmt.Errorf("source %s: %w", id, notFound(err))
	}
	return source, nil
}

// resolve completes a shortened id.
func resolve[T ~string](ctx context.Context, db *sql.DB, table string, id T) (T, error) {
	// "\xff" sorts after every continuation of the id.
	rows, err := db.QueryContext(ctx, `SELECT id FROM `+table+` WHERE id >= ? AND id < ? ORDER BY id LIMIT 2`, string(id), string(id)+"\xff")
	if err != nil {
		return "", explain(err)
	}
	defer rows.Close()
	var found []T
	for rows.Next() {
		var f T
		if err := rows.Scan(&f); err != nil {
			return "", err
		}
		found = append(found, f)
	}
	if err := rows.Err(); err != nil {
		return "", explain(err)
	}
	return meant(id, found)
}

// meant is the one of the ids that the beginning of an id means. They are what it fits, in order; two of them are enough.
func meant[T ~string](id T, found []T) (T, error) {
	switch {
	case len(found) == 0:
		return "", ibid.ErrNotFound
	case found[0] == id: // whole, it comes before all that it begins
		return id, nil
	case len(id) < minPrefix:
		return "", fmt.Errorf("give %d characters of the id or more: %w", minPrefix, ibid.ErrAmbiguous)
	case len(found) > 1:
		return "", fmt.Errorf("fits %s and %s: give more of it: %w", found[0], found[1], ibid.ErrAmbiguous)
	}
	return found[0], nil
}

// SourceFilter chooses sources. The zero value chooses the first 100 of the collection without a name.
type SourceFilter struct {
	Collection string
	All        bool          // of every collection
	After      ibid.SourceID // go on behind this one
	Limit      int           // how many at most; 0 means 100
}

// Listed is a source with its newest version, which comes without its text.
type Listed struct {
	Source   ibid.Source   `json:"source"`
	Newest   ibid.Document `json:"newest"`
	Versions int           `json:"versions"`
	Chunks   int           `json:"chunks"` // of the newest version
	Bytes    int           `json:"bytes"`  // of its text
}

// Sources lists the sources that were not removed, by collection and URI.
func (s *Store) Sources(ctx context.Context, f SourceFilter) ([]Listed, error) {
	if f.Limit <= 0 {
		f.Limit = 100
	}
	rows, err := s.reads.QueryContext(ctx, `SELECT `+sourceColumns+`,
			d.id, v.version, v.media_type, v.fetched_at,
			(SELECT count(*) FROM versions WHERE source = s.id),
			(SELECT count(*) FROM chunks WHERE document = d.key),
			d.length
		FROM sources s JOIN versions v ON v.source = s.id JOIN documents d ON d.key = v.document
		WHERE s.removed = 0 AND (? OR s.collection = ?)
			AND (? = '' OR (s.collection, s.uri) > (SELECT collection, uri FROM sources WHERE id = ?))
			AND v.version = (SELECT max(version) FROM versions WHERE source = s.id)
		ORDER BY s.collection, s.uri LIMIT ?`, f.All, f.Collection, f.After, f.After, f.Limit)
	if err != nil {
		return nil, fmt.Errorf("sources: %w", explain(err))
	}
	defer rows.Close()
	var list []Listed
	for rows.Next() {
		var l Listed
		var source sourceRow
		var fetched int64
		err := rows.Scan(append(source.columns(),
			&l.Newest.ID, &l.Newest.Version, &l.Newest.MediaType, &fetched, &l.Versions, &l.Chunks, &l.Bytes)...)
		if err != nil {
			return nil, fmt.Errorf("sources: %w", err)
		}
		if l.Source, err = source.source(); err != nil {
			return nil, err
		}
		l.Newest.FetchedAt = fromMicro(fetched)
		l.Newest.Source = l.Source.ID
		list = append(list, l)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("sources: %w", explain(err))
	}
	return list, nil
}

// Versions lists the snapshots of a source, newest first, without their texts and outlines. The error wraps
// ibid.ErrNotFound.
func (s *Store) Versions(ctx context.Context, id ibid.SourceID) ([]ibid.Document, error) {
	docs, err := s.versions(ctx, `WHERE v.source = ?`, id)
	if err == nil && len(docs) == 0 {
		err = ibid.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("source %s: %w", id, err)
	}
	return docs, nil
}

// EveryVersion gives all versions of all sources that are kept, without their texts, also of those that were removed.
func (s *Store) EveryVersion(ctx context.Context) ([]ibid.Document, error) {
	docs, err := s.versions(ctx, ``)
	if err != nil {
		return nil, fmt.Errorf("versions: %w", err)
	}
	return docs, nil
}

func (s *Store) versions(ctx context.Context, where string, args ...any) ([]ibid.Document, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT d.id, v.source, v.version, v.media_type, v.fetched_at
		FROM versions v JOIN documents d ON d.key = v.document JOIN sources s ON s.id = v.source `+where+` ORDER BY v.version DESC`, args...)
	if err != nil {
		return nil, explain(err)
	}
	defer rows.Close()
	var docs []ibid.Document
	for rows.Next() {
		var d ibid.Document
		var fetched int64
		if err := rows.Scan(&d.ID, &d.Source, &d.Version, &d.MediaType, &fetched); err != nil {
			return nil, err
		}
		d.FetchedAt = fromMicro(fetched)
		docs = append(docs, d)
	}
	return docs, explain(rows.Err())
}

// RemoveSource takes a source out of the library: it is no longer listed nor retrieved. Its texts are deleted, except
// those that a recorded answer rests on or that another source has too: what was cited can still be opened. Where an
// answer rests on it, Source, Versions and Version still give it, with the versions that answers rest on. Adding it again
// brings it back. Where the log is open, the removal is an entry of it. The error wraps ibid.ErrNotFound.
func (s *Store) RemoveSource(ctx context.Context, id ibid.SourceID) error {
	err := s.Update(ctx, func(tx *Tx) error {
		w := tx.w
		var uri string
		if err := w.scan([]any{&uri}, `SELECT uri FROM sources WHERE id = ? AND removed = 0`, id); err != nil {
			return notFound(err)
		}
		if err := w.exec(`UPDATE sources SET removed = 1 WHERE id = ?`, id); err != nil {
			return err
		}
		if err := dropUnused(w, id); err != nil {
			return err
		}
		if err := changed(w, id); err != nil {
			return err
		}
		return tx.note(audit.KindRemoval, removalEntry{id, uri})
	})
	if err != nil {
		return fmt.Errorf("remove source %s: %w", id, err)
	}
	return nil
}

// dropUnused drops the documents of a removed source that no answer rests on, and the source where none is left.
func dropUnused(w *writer, id ibid.SourceID) error {
	for _, query := range []string{
		`CREATE TEMP TABLE IF NOT EXISTS dropped (document INTEGER PRIMARY KEY)`,
		`DELETE FROM dropped`,
		`INSERT INTO dropped SELECT DISTINCT document FROM versions v WHERE source = ?
			AND NOT EXISTS (SELECT 1 FROM answer_passages p WHERE p.source = v.source AND p.document = v.document)`,
		`DELETE FROM versions WHERE source = ? AND document IN (SELECT document FROM dropped)`,
		`DELETE FROM documents WHERE key IN (SELECT document FROM dropped)
			AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.document = documents.key)`,
		`DELETE FROM sources WHERE id = ? AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.source = sources.id)`,
	} {
		var args []any
		if strings.Contains(query, "?") {
			args = []any{id}
		}
		if err := w.exec(query, args...); err != nil {
			return err
		}
	}
	return nil
}

// removalEntry is what the log holds of a source that was removed.
type removalEntry struct {
	Source ibid.SourceID `json:"source"`
	URI    string        `json:"uri"`
}

// Stats counts what the record holds.
type Stats struct {
	Sources   int   // not removed
	Versions  int   // of all sources
	Documents int   // different texts
	Chunks    int   // of all documents
	Bytes     int64 // of all texts
	Answers   int
}

// Stats counts what the record holds.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	var t Stats
	err := s.reads.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sources WHERE removed = 0), (SELECT count(*) FROM versions),
		(SELECT count(*) FROM documents), (SELECT count(*) FROM chunks), (SELECT coalesce(sum(length), 0) FROM documents),
		(SELECT count(*) FROM answers)`).Scan(&t.Sources, &t.Versions, &t.Documents, &t.Chunks, &t.Bytes, &t.Answers)
	if err != nil {
		return Stats{}, fmt.Errorf("stats: %w", explain(err))
	}
	return t, nil
}

// sourceColumns are what a sourceRow takes, in order.
const sourceColumns = `s.id, s.collection, s.uri, s.reference, s.added_at`

// sourceRow is a source as it stands in its row.
type sourceRow struct {
	id              ibid.SourceID
	collection, uri string
	reference       string
	added           int64
}

func (r *sourceRow) columns() []any {
	return []any{&r.id, &r.collection, &r.uri, &r.reference, &r.added}
}

func (r *sourceRow) source() (ibid.Source, error) {
	s := ibid.Source{ID: r.id, Collection: r.collection, URI: r.uri, AddedAt: fromMicro(r.added)}
	if err := json.Unmarshal([]byte(r.reference), &s.Reference); err != nil {
		return ibid.Source{}, fmt.Errorf("source %s: %w", r.id, err)
	}
	return s, nil
}

func scanSource(r row) (ibid.Source, error) {
	var s sourceRow
	if err := r.Scan(s.columns()...); err != nil {
		return ibid.Source{}, err
	}
	return s.source()
}
