package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ibid-dev/ibid"
)

// PutAnswer records an answer, and returns once it is on disk. A recorded answer never changes: the same one again
// changes nothing, another one under the same id is refused. So is one that points at something that is not there: within
// itself (ibid.Answer.Check), or in the library (a passage that is not the stored text). The error wraps
// ibid.ErrInvalid.
//
// The answer belongs to the collection of its passages; one without passages to that without a name. Collection.PutAnswer
// says whose it is.
func (s *Store) PutAnswer(ctx context.Context, a ibid.Answer) error {
	if err := s.putAnswer(ctx, a, collectionOf(a), sql.NullInt64{}); err != nil {
		return fmt.Errorf("record answer %s: %w", a.ID, err)
	}
	return nil
}

// CollectionOf is the collection that PutAnswer keeps an answer in, so that its entry in the log can say so.
func (s *Store) CollectionOf(a ibid.Answer) string { return collectionOf(a) }

func collectionOf(a ibid.Answer) string {
	if len(a.Passages) == 0 {
		return ""
	}
	return a.Passages[0].Source.Collection
}

func (s *Store) putAnswer(ctx context.Context, a ibid.Answer, collection string, took sql.NullInt64) error {
	body, err := encodeAnswer(a)
	if err != nil {
		return err
	}
	return s.commit(ctx, &job{run: func(tx *Tx) error { return writeAnswer(tx.w, a, body, collection, took) }, size: len(body)})
}

func writeAnswer(w *writer, a ibid.Answer, body []byte, collection string, took sql.NullInt64) error {
	var old []byte
	err := w.scan([]any{&old}, `SELECT body FROM answers WHERE id = ?`, a.ID)
	switch {
	case err == nil && bytes.Equal(old, body):
		return nil
	case err == nil:
		return fmt.Errorf("another answer is recorded under this id: %w", ibid.ErrInvalid)
	case !errors.Is(err, sql.ErrNoRows):
		return err
	}
	conversation := sql.NullString{String: string(a.Conversation), Valid: a.Conversation != ""}
	if conversation.Valid {
		if err := w.exec(`INSERT INTO conversations (id) VALUES (?) ON CONFLICT DO NOTHING`, a.Conversation); err != nil {
			return err
		}
	}
	var number int64
	err = w.scan([]any{&number}, `INSERT INTO answers (id, conversation, question, model, created_at, body, collection) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number`,
		a.ID, conversation, a.Question, a.Model, a.CreatedAt.UnixMicro(), body, collection)
	if err != nil {
		return err
	}
	if err := writePassages(w, number, a); err != nil {
		return err
	}
	if err := writeFacts(w, number, a, took); err != nil {
		return err
	}
	if err := writeSources(w.exec, number, a); err != nil {
		return err
	}
	return writeWords(w.exec, number, a)
}

// encodeAnswer writes the answer so that the same answer is read again, and refuses one that JSON cannot hold.
func encodeAnswer(a ibid.Answer) ([]byte, error) {
	if a.ID == "" {
		return nil, fmt.Errorf("it has no id: %w", ibid.ErrInvalid)
	}
	if err := a.Check(); err != nil {
		return nil, err
	}
	body, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, ibid.ErrInvalid)
	}
	var again ibid.Answer
	if err := json.Unmarshal(body, &again); err != nil {
		return nil, fmt.Errorf("%w: %w", err, ibid.ErrInvalid)
	}
	// Bytes that are not UTF-8 come back as U+FFFD, and move every offset behind them.
	if again.ID != a.ID || again.Text != a.Text || again.Question != a.Question {
		return nil, fmt.Errorf("its id, question or text is not valid UTF-8: %w", ibid.ErrInvalid)
	}
	if err := again.Check(); err != nil {
		return nil, err
	}
	return body, nil
}

// writePassages notes what the answer rests on, and checks it against what is stored.
func writePassages(w *writer, number int64, a ibid.Answer) error {
	passages := a.Passages
	for _, step := range a.Steps {
		passages = append(passages[:len(passages):len(passages)], step.Passages...)
	}
	for i, p := range passages {
		at := p.Chunk.At
		if p.Given() {
			continue // the answer itself holds it
		}
		var key int64
		err := w.scan([]any{&key}, `SELECT d.key FROM documents d JOIN versions v ON v.document = d.key WHERE d.id = ? AND v.source = ? LIMIT 1`,
			at.Document, p.Source.ID)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("passage %d: source %s with document %s is not stored: %w", i+1, p.Source.ID, at.Document, ibid.ErrInvalid)
		}
		if err != nil {
			return err
		}
		if err := checkPassage(w, key, p.Chunk); err != nil {
			return fmt.Errorf("passage %d: %w", i+1, err)
		}
		err = w.exec(`INSERT INTO answer_passages (answer, source, document) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, number, p.Source.ID, key)
		if err != nil {
			return err
		}
	}
	return nil
}

// checkPassage refuses a passage that is not the stored text.
func checkPassage(w *writer, document int64, c ibid.Chunk) error {
	at := c.At.Span
	if at.Start < 0 || at.Empty() || at.Len() != len(c.Text) { // the length bounds what is read
		return fmt.Errorf("has %d bytes at %v: %w", len(c.Text), at, ibid.ErrInvalid)
	}
	text, err := textSpan{document, at}.read(w.query)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if text != c.Text {
		return fmt.Errorf("is not the stored text at %v: %w", at, ibid.ErrInvalid)
	}
	return nil
}

// Answer gives a recorded answer by its id or by the first 4 or more characters of it. The error wraps ibid.ErrNotFound
// or ibid.ErrAmbiguous.
func (s *Store) Answer(ctx context.Context, id ibid.AnswerID) (ibid.Answer, error) {
	full, err := resolve(ctx, s.reads, "answers", id)
	if err != nil {
		return ibid.Answer{}, fmt.Errorf("answer %s: %w", id, err)
	}
	a, err := scanAnswer(s.reads.QueryRowContext(ctx, `SELECT body FROM answers WHERE id = ?`, full))
	if err != nil {
		return ibid.Answer{}, fmt.Errorf("answer %s: %w", id, notFound(err))
	}
	return a, nil
}

// AnswerJSON gives a recorded answer by its whole id, as it is kept, to the byte. The error wraps ibid.ErrNotFound.
func (s *Store) AnswerJSON(ctx context.Context, id ibid.AnswerID) ([]byte, error) {
	var body []byte
	if err := s.reads.QueryRowContext(ctx, `SELECT body FROM answers WHERE id = ?`, id).Scan(&body); err != nil {
		return nil, fmt.Errorf("answer %s: %w", id, notFound(err))
	}
	return body, nil
}

// AnswerCollection names the collection that an answer is kept in, by its whole id. The error wraps ibid.ErrNotFound.
func (s *Store) AnswerCollection(ctx context.Context, id ibid.AnswerID) (name string, err error) {
	if err := s.reads.QueryRowContext(ctx, `SELECT collection FROM answers WHERE id = ?`, id).Scan(&name); err != nil {
		return "", fmt.Errorf("answer %s: %w", id, notFound(err))
	}
	return name, nil
}

func scanAnswer(r row) (ibid.Answer, error) {
	var body []byte
	if err := r.Scan(&body); err != nil {
		return ibid.Answer{}, err
	}
	var a ibid.Answer
	return a, json.Unmarshal(body, &a)
}

// Answers lists recorded answers, the one recorded last first: at most limit of those recorded before the one given, or of
// all where none is given. They hold what a list shows: id, conversation, question, model and time.
func (s *Store) Answers(ctx context.Context, before ibid.AnswerID, limit int) ([]ibid.Answer, error) {
	return s.answers(ctx, `1`, nil, before, limit)
}

func (s *Store) answers(ctx context.Context, where string, args []any, before ibid.AnswerID, limit int) ([]ibid.Answer, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT id, coalesce(conversation, ''), question, model, created_at FROM answers
		WHERE `+where+` AND (? = '' OR number < (SELECT number FROM answers WHERE id = ?)) ORDER BY number DESC LIMIT ?`, append(args, before, before, limit)...)
	if err != nil {
		return nil, fmt.Errorf("answers: %w", explain(err))
	}
	defer rows.Close()
	var list []ibid.Answer
	for rows.Next() {
		var a ibid.Answer
		var created int64
		if err := rows.Scan(&a.ID, &a.Conversation, &a.Question, &a.Model, &created); err != nil {
			return nil, fmt.Errorf("answers: %w", err)
		}
		a.CreatedAt = fromMicro(created)
		list = append(list, a)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("answers: %w", explain(err))
	}
	return list, nil
}

// Conversation gives the answers of a conversation, whole, in the order in which they were recorded. The error wraps
// ibid.ErrNotFound where there is none.
func (s *Store) Conversation(ctx context.Context, id ibid.ConversationID) ([]ibid.Answer, error) {
	return s.conversation(ctx, id, `1`)
}

func (s *Store) conversation(ctx context.Context, id ibid.ConversationID, where string, args ...any) ([]ibid.Answer, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT body FROM answers WHERE conversation = ? AND `+where+` ORDER BY number`, append([]any{id}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("conversation %s: %w", id, explain(err))
	}
	defer rows.Close()
	var turns []ibid.Answer
	for rows.Next() {
		a, err := scanAnswer(rows)
		if err != nil {
			return nil, fmt.Errorf("conversation %s: %w", id, err)
		}
		turns = append(turns, a)
	}
	err = rows.Err()
	if err == nil && len(turns) == 0 {
		err = ibid.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("conversation %s: %w", id, explain(err))
	}
	return turns, nil
}
