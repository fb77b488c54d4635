package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/ibid-dev/ibid"
)

// Collection is the record as one collection sees it: what belongs to another is not found, and nothing tells that it is
// there.
type Collection struct {
	store *Store
	name  string

	// Began is when the question came whose answer is put next, so that what it took is kept. The zero time leaves it out.
	Began time.Time
}

// In gives the record as a collection sees it.
func (s *Store) In(collection string) Collection { return Collection{store: s, name: collection} }

// Name is the collection's name.
func (c Collection) Name() string { return c.name }

// PutAnswer records an answer of the collection, as Store.PutAnswer does. An answer of several collections, or of another
// one, is refused; the error wraps ibid.ErrInvalid.
func (c Collection) PutAnswer(ctx context.Context, a ibid.Answer) error {
	err := c.owns(a)
	if err == nil {
		err = c.store.putAnswer(ctx, a, c.name, c.took(a))
	}
	if err != nil {
		return fmt.Errorf("record answer %s: %w", a.ID, err)
	}
	return nil
}

// PutAnswerOn records an answer as PutAnswer does, within a transaction as Store.PutAnswerOn does.
func (c Collection) PutAnswerOn(page any, a ibid.Answer) (bool, error) {
	tx, ok := page.(*Tx)
	if !ok || tx.store != c.store {
		return false, nil
	}
	err := c.owns(a)
	var body []byte
	if err == nil {
		body, err = encodeAnswer(a)
	}
	if err == nil {
		err = writeAnswer(tx.w, a, body, c.name, c.took(a))
	}
	if err != nil {
		return true, fmt.Errorf("record answer %s: %w", a.ID, err)
	}
	return true, nil
}

// CollectionOf is the collection that PutAnswer keeps an answer in: this one.
func (c Collection) CollectionOf(ibid.Answer) string { return c.name }

// owns refuses an answer with passages of another collection.
func (c Collection) owns(a ibid.Answer) error {
	for i, p := range a.Passages {
		if p.Source.Collection != c.name {
			return fmt.Errorf("passage %d is of another collection: %w", i+1, ibid.ErrInvalid)
		}
	}
	return nil
}

// took is how long an answer took, where it is known when it began.
func (c Collection) took(a ibid.Answer) sql.NullInt64 {
	if c.Began.IsZero() {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: a.CreatedAt.Sub(c.Began).Milliseconds(), Valid: true}
}

// Answer gives an answer of the collection by its whole id: the beginning of one would tell of others. The error wraps
// ibid.ErrNotFound.
func (c Collection) Answer(ctx context.Context, id ibid.AnswerID) (ibid.Answer, error) {
	a, err := scanAnswer(c.store.reads.QueryRowContext(ctx, `SELECT body FROM answers WHERE id = ? AND collection = ?`, id, c.name))
	if err != nil {
		return ibid.Answer{}, fmt.Errorf("answer %s: %w", id, notFound(err))
	}
	return a, nil
}

// Answers lists answers of the collection as Store.Answers does.
func (c Collection) Answers(ctx context.Context, before ibid.AnswerID, limit int) ([]ibid.Answer, error) {
	return c.store.answers(ctx, `collection = ?`, []any{c.name}, before, limit)
}

// Conversation gives the answers of a conversation within the collection, in the order in which they were recorded. The
// error wraps ibid.ErrNotFound.
func (c Collection) Conversation(ctx context.Context, id ibid.ConversationID) ([]ibid.Answer, error) {
	return c.store.conversation(ctx, id, `collection = ?`, c.name)
}

// Source gives a source of the collection by its whole id. The error wraps ibid.ErrNotFound.
func (c Collection) Source(ctx context.Context, id ibid.SourceID) (ibid.Source, error) {
	source, err := scanSource(c.store.reads.QueryRowContext(ctx, `SELECT `+sourceColumns+` FROM sources s WHERE s.id = ? AND s.collection = ?`, id, c.name))
	if err != nil {
		return ibid.Source{}, fmt.Errorf("source %s: %w", id, notFound(err))
	}
	return source, nil
}

// Sources lists the collection's sources by URI, behind one of them where it is given. A limit of 0 means 100.
func (c Collection) Sources(ctx context.Context, after ibid.SourceID, limit int) ([]Listed, error) {
	return c.store.Sources(ctx, SourceFilter{Collection: c.name, After: after, Limit: limit})
}

// Versions lists the snapshots of a source of the collection as Store.Versions does.
func (c Collection) Versions(ctx context.Context, id ibid.SourceID) ([]ibid.Document, error) {
	if _, err := c.Source(ctx, id); err != nil {
		return nil, err
	}
	return c.store.Versions(ctx, id)
}

// Version gives one snapshot of a source of the collection. The error wraps ibid.ErrNotFound.
func (c Collection) Version(ctx context.Context, id ibid.SourceID, version int) (ibid.Document, error) {
	if _, err := c.Source(ctx, id); err != nil {
		return ibid.Document{}, err
	}
	return c.store.Version(ctx, id, version)
}

// Document gives a snapshot that a source of the collection has. The error wraps ibid.ErrNotFound.
func (c Collection) Document(ctx context.Context, id ibid.DocumentID) (ibid.Document, error) {
	doc, err := c.store.document(ctx, ` JOIN sources s ON s.id = v.source WHERE d.id = ? AND s.collection = ? ORDER BY s.removed, s.rowid, v.version LIMIT 1`, id, c.name)
	if err != nil {
		return ibid.Document{}, fmt.Errorf("document %s: %w", id, notFound(err))
	}
	return doc, nil
}

// RemoveSource takes a source out of the collection as Store.RemoveSource does.
func (c Collection) RemoveSource(ctx context.Context, id ibid.SourceID) error {
	if _, err := c.Source(ctx, id); err != nil {
		return err
	}
	return c.store.RemoveSource(ctx, id)
}

// Collections lists the names that sources and answers are kept under, in order.
func (s *Store) Collections(ctx context.Context) ([]string, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT collection FROM sources WHERE removed = 0 UNION SELECT collection FROM answers ORDER BY collection`)
	if err != nil {
		return nil, fmt.Errorf("collections: %w", explain(err))
	}
	names, err := collect(rows, func(r row) (name string, err error) { return name, r.Scan(&name) })
	if err != nil {
		return nil, fmt.Errorf("collections: %w", err)
	}
	return names, nil
}

// collect reads all rows and closes them.
func collect[T any](rows *sql.Rows, scan func(row) (T, error)) ([]T, error) {
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, explain(rows.Err())
}

// answerNumber finds the row of an answer of the collection within the writer's transaction.
func (c Collection) answerNumber(id ibid.AnswerID) (number int64, err error) {
	err = c.store.writer.scan([]any{&number}, `SELECT number FROM answers WHERE id = ? AND collection = ?`, id, c.name)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("answer %s: %w", id, ibid.ErrNotFound)
	}
	return number, err
}
