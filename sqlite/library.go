package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

// batchBytes bounds the text that one transaction takes in.
const batchBytes = 16 << 20

// add is one snapshot on its way into the record.
type add struct {
	source   ibid.Source
	document ibid.Document
	chunks   []ibid.Chunk

	stored ibid.Document
	isNew  bool
}

// Add stores a snapshot with its chunks, all or nothing, and returns once it is on disk. A text that the source already
// has as its newest version changes nothing. A text that another source has already is not stored again, and keeps the
// chunks it has. A new version brings the source's reference up to date.
//
// Times are kept to the microsecond. What is not consistent (an id that is not the text's hash, a chunk that is not the
// text at its anchor, a text that is not UTF-8) is refused; the error wraps ibid.ErrInvalid.
//
// Where the log is open (Store.Log), a new version is an entry of it, in the same transaction.
func (s *Store) Add(ctx context.Context, source ibid.Source, doc ibid.Document, chunks []ibid.Chunk) (ibid.Document, bool, error) {
	if err := checkSnapshot(source, doc, chunks); err != nil {
		return ibid.Document{}, false, fmt.Errorf("add %s: %w", source.URI, err)
	}
	a := &add{source: source, document: doc, chunks: chunks}
	if err := s.commit(ctx, &job{run: a.write, size: len(doc.Text)}); err != nil {
		return ibid.Document{}, false, fmt.Errorf("add %s: %w", source.URI, err)
	}
	return a.stored, a.isNew, nil
}

// write stores the snapshot within a transaction.
func (a *add) write(tx *Tx) error {
	w := tx.w
	var removed bool
	var newest int
	var current ibid.DocumentID
	err := w.scan([]any{&removed, &newest, &current}, `SELECT s.removed, v.version, d.id
		FROM sources s JOIN versions v ON v.source = s.id JOIN documents d ON d.key = v.document
		WHERE s.id = ? ORDER BY v.version DESC LIMIT 1`, a.source.ID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if current == a.document.ID && !removed {
		a.stored, _, err = scanDocument(w.row(selectDocument+` WHERE v.source = ? AND v.version = ?`, a.source.ID, newest))
		a.stored.Text = a.document.Text
		return err
	}
	reference, err := json.Marshal(a.source.Reference)
	if err != nil {
		return fmt.Errorf("reference: %w: %w", err, ibid.ErrInvalid)
	}
	err = w.exec(`INSERT INTO sources (id, collection, uri, reference, added_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET reference = excluded.reference, removed = 0`,
		a.source.ID, a.source.Collection, a.source.URI, string(reference), a.source.AddedAt.UnixMicro())
	if err != nil {
		return err
	}
	key, err := a.writeDocument(w)
	if err != nil {
		return err
	}
	fetched := a.document.FetchedAt.UnixMicro()
	err = w.exec(`INSERT INTO versions (source, version, document, media_type, fetched_at) VALUES (?, ?, ?, ?, ?)`,
		a.source.ID, newest+1, key, a.document.MediaType, fetched)
	if err != nil {
		return err
	}
	a.isNew = true
	a.stored = a.document
	a.stored.Source, a.stored.Version, a.stored.FetchedAt = a.source.ID, newest+1, fromMicro(fetched)
	if err := changed(w, a.source.ID); err != nil {
		return err
	}
	return tx.note(audit.KindSource, versionEntry{
		Source: a.source.ID, Collection: a.source.Collection, URI: a.source.URI, Version: a.stored.Version, Document: a.stored.ID,
		MediaType: a.stored.MediaType, FetchedAt: a.stored.FetchedAt,
	})
}

// versionEntry is what the log holds of a new version of a source.
type versionEntry struct {
	Source     ibid.SourceID   `json:"source"`
	Collection string          `json:"collection,omitempty"`
	URI        string          `json:"uri"`
	Version    int             `json:"version"`
	Document   ibid.DocumentID `json:"document"`
	MediaType  string          `json:"media_type"`
	FetchedAt  time.Time       `json:"fetched_at"`
}

// writeDocument stores the text and its chunks, unless they are there, and gives the document's key.
func (a *add) writeDocument(w *writer) (key int64, err error) {
	err = w.scan([]any{&key}, `SELECT key FROM documents WHERE id = ?`, a.document.ID)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return key, err
	}
	outline, err := jsonOrNull(a.document.Outline)
	if err != nil {
		return 0, err
	}
	err = w.scan([]any{&key}, `INSERT INTO documents (id, length, outline) VALUES (?, ?, ?) RETURNING key`,
		a.document.ID, len(a.document.Text), outline)
	if err != nil {
		return 0, err
	}
	if err := writeText(w, key, a.document.Text); err != nil {
		return 0, err
	}
	for _, c := range a.chunks {
		heading, err := jsonOrNull(c.Heading)
		if err != nil {
			return 0, err
		}
		breaks, err := jsonOrNull(c.Breaks)
		if err != nil {
			return 0, err
		}
		err = w.exec(`INSERT INTO chunks (document, ordinal, start, stop, heading, page, breaks, runes, utf16) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			key, c.Ordinal, c.At.Span.Start, c.At.Span.End, heading, c.Page, breaks, c.Before.Runes, c.Before.UTF16)
		if err != nil {
			return 0, err
		}
	}
	return key, nil
}

// changed puts the source at the end of the sequence that an index follows.
func changed(w *writer, id ibid.SourceID) error {
	return w.exec(`INSERT OR REPLACE INTO changes (source) VALUES (?)`, id)
}

// selectDocument reads snapshots, without their texts, in the order that scanDocument takes them.
const selectDocument = `SELECT d.key, d.length, d.id, v.source, v.version, v.media_type, d.outline, v.fetched_at
	FROM versions v JOIN documents d ON d.key = v.document`

// Document gives a snapshot by the hash of its text. Where several sources or versions have the same text it is the one
// that was there first, those of sources that were removed last. The error wraps ibid.ErrNotFound.
func (s *Store) Document(ctx context.Context, id ibid.DocumentID) (ibid.Document, error) {
	doc, err := s.document(ctx, ` JOIN sources s ON s.id = v.source WHERE d.id = ? ORDER BY s.removed, s.rowid, v.version LIMIT 1`, id)
	if err != nil {
		return ibid.Document{}, fmt.Errorf("document %s: %w", id, notFound(err))
	}
	return doc, nil
}

// Version gives one snapshot of a source. The error wraps ibid.ErrNotFound.
func (s *Store) Version(ctx context.Context, source ibid.SourceID, version int) (ibid.Document, error) {
	doc, err := s.document(ctx, ` WHERE v.source = ? AND v.version = ?`, source, version)
	if err != nil {
		return ibid.Document{}, fmt.Errorf("source %s version %d: %w", source, version, notFound(err))
	}
	return doc, nil
}

func (s *Store) document(ctx context.Context, where string, args ...any) (ibid.Document, error) {
	doc, text, err := scanDocument(s.reads.QueryRowContext(ctx, selectDocument+where, args...))
	if err == nil {
		doc.Text, err = text.read(s.query(ctx))
	}
	return doc, err
}

// scanDocument reads a snapshot, and where its text stands.
func scanDocument(r row) (ibid.Document, textSpan, error) {
	var d ibid.Document
	var text textSpan
	var outline sql.NullString
	var fetched int64
	if err := r.Scan(&text.document, &text.at.End, &d.ID, &d.Source, &d.Version, &d.MediaType, &outline, &fetched); err != nil {
		return ibid.Document{}, textSpan{}, err
	}
	d.FetchedAt = fromMicro(fetched)
	return d, text, parseOrNil(outline, &d.Outline)
}

func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ibid.ErrNotFound
	}
	return explain(err)
}

func fromMicro(t int64) time.Time { return time.UnixMicro(t).UTC() }

// jsonOrNull writes a list as JSON, or as NULL where it is empty.
func jsonOrNull[T any, L ~[]T](list L) (any, error) {
	if len(list) == 0 {
		return nil, nil
	}
	b, err := json.Marshal(list)
	return string(b), err
}

func parseOrNil(text sql.NullString, dest any) error {
	if !text.Valid {
		return nil
	}
	return json.Unmarshal([]byte(text.String), dest)
}
