package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

// Erase takes the payload of an entry out of the log, for good, and says so in an entry of its own. The erased entry
// stays, with the commitment to what it held, so that every proof stays valid. Entries about keys and erasures hold no
// personal data and cannot be erased. An answer whose entry it was stays, and is no longer found by its words: Store.FindAnswers;
// EraseAnswer takes it out, too. The error wraps ibid.ErrNotFound or ibid.ErrInvalid.
func (l *Log) Erase(ctx context.Context, index int64, reason string) (entry ibid.Entry, err error) {
	err = l.store.Update(ctx, func(tx *Tx) (err error) {
		entry, err = tx.erase(index, reason)
		return err
	})
	if err != nil {
		return ibid.Entry{}, fmt.Errorf("erase entry %d: %w", index, err)
	}
	if err := l.store.forget(ctx); err != nil {
		return entry, fmt.Errorf("entry %d was erased, but what it held may stand in the write-ahead log until that is emptied: %w", index, err)
	}
	return entry, nil
}

// EraseAnswer takes an answer out of the record for good, with all that is kept of it and for it alone: what people said of its links, its
// review, later attributions, the stream that it came in, documents of removed sources that no other answer rests on; and the payloads of
// the entries that speak of it. All of it goes or nothing. Each erasure is an entry; they are given. The answer is named by its whole id.
// The error wraps ibid.ErrNotFound or ibid.ErrInvalid.
func (l *Log) EraseAnswer(ctx context.Context, id ibid.AnswerID, speaks func(ibid.Entry) bool, reason string) ([]ibid.Entry, error) {
	return l.eraseAll(ctx, "answer "+string(id), speaks, reason, func(w *writer) error { return dropAnswer(w, id) })
}

// EraseStudy takes a study out of the record for good, with the replies that would be sent of it again, and the payloads of the entries
// that speak of it. Of the answers to its questions those go that are named, as by EraseAnswer, with the entries that speak of them; the rest
// stays. All of it goes or nothing. Each erasure is an entry; they are given. Who still works on the study cannot keep it any more. It is
// named by its whole id. The error wraps ibid.ErrNotFound or ibid.ErrInvalid.
func (l *Log) EraseStudy(ctx context.Context, id string, answers []ibid.AnswerID, speaks func(ibid.Entry) bool, reason string) ([]ibid.Entry, error) {
	ofIt := func(e ibid.Entry) bool {
		var said studyEntry
		return e.Kind == audit.KindStudy && json.Unmarshal(e.Data, &said) == nil && said.Study == id || len(answers) > 0 && speaks(e)
	}
	return l.eraseAll(ctx, "study "+id, ofIt, reason, func(w *writer) error {
		for _, a := range answers {
			if err := dropAnswer(w, a); err != nil {
				return fmt.Errorf("answer %s: %w", a, err)
			}
		}
		return dropStudy(w, id)
	})
}

// EraseRun takes a run that is finished out of the record for good, with its sources and claims, what its tools returned where no other run
// has the same, its review, and the payloads of the entries that speak of it. All of it goes or nothing. Each erasure is an entry; they are
// given. The run is named by its whole id. The error wraps ibid.ErrNotFound or ibid.ErrInvalid.
func (l *Log) EraseRun(ctx context.Context, id ibid.RunID, speaks func(ibid.Entry) bool, reason string) ([]ibid.Entry, error) {
	return l.eraseAll(ctx, "run "+string(id), speaks, reason, func(w *writer) error { return dropRun(w, id) })
}

// eraseAll erases what the entries hold that speak of something, and has it dropped from the tables.
func (l *Log) eraseAll(ctx context.Context, what string, speaks func(ibid.Entry) bool, reason string, drop func(*writer) error) (erasures []ibid.Entry, err error) {
	var spoken []int64
	next := int64(0)
	for e, err := range l.Entries(ctx, 0) { // before the others who write have to wait
		if err != nil {
			return nil, fmt.Errorf("erase %s: %w", what, err)
		}
		if next = e.Index + 1; e.Data != nil && speaks(e) {
			spoken = append(spoken, e.Index)
		}
	}
	err = l.store.Update(ctx, func(tx *Tx) error {
		erasures = nil
		since, err := tx.spoken(next, speaks) // that came while the log was read
		if err != nil {
			return err
		}
		for _, index := range append(slices.Clip(spoken), since...) {
			e, err := tx.erase(index, reason)
			if errors.Is(err, errErased) {
				continue
			}
			if err != nil {
				return fmt.Errorf("entry %d: %w", index, err)
			}
			erasures = append(erasures, e)
		}
		return drop(tx.w)
	})
	if err != nil {
		return nil, fmt.Errorf("erase %s: %w", what, err)
	}
	if err := l.store.forget(ctx); err != nil {
		return erasures, fmt.Errorf("%s was erased, but what it held may stand in the write-ahead log until that is emptied: %w", what, err)
	}
	return erasures, nil
}

// spoken gives the entries from an index on that speak of something, and still tell what.
func (tx *Tx) spoken(from int64, speaks func(ibid.Entry) bool) (out []int64, err error) {
	rows, err := tx.w.query(`SELECT number, kind, data FROM log WHERE number >= ? AND kind <> '' AND salt IS NOT NULL`, from)
	if err != nil {
		return nil, err
	}
	list, err := collect(rows, func(r row) (e ibid.Entry, err error) { return e, r.Scan(&e.Index, &e.Kind, &e.Data) })
	for _, e := range list {
		if speaks(e) {
			out = append(out, e.Index)
		}
	}
	return out, err
}

var errErased = fmt.Errorf("it is erased already: %w", ibid.ErrInvalid)

func (tx *Tx) erase(index int64, reason string) (ibid.Entry, error) {
	var kind string
	var there bool
	var payload []byte
	err := tx.w.scan([]any{&kind, &there, &payload}, `SELECT kind, salt IS NOT NULL, data FROM log WHERE number = ? AND kind <> ''`, index)
	switch {
	case err != nil:
		return ibid.Entry{}, notFound(err)
	case kind == audit.KindKey || kind == audit.KindErasure:
		return ibid.Entry{}, fmt.Errorf("an entry of kind %q cannot be erased: %w", kind, ibid.ErrInvalid)
	case !there:
		return ibid.Entry{}, errErased
	}
	if err := tx.w.exec(`UPDATE log SET salt = NULL, data = NULL WHERE number = ?`, index); err != nil {
		return ibid.Entry{}, err
	}
	if err := forgetAnswer(tx.w, kind, payload); err != nil {
		return ibid.Entry{}, err
	}
	data, err := json.Marshal(audit.Erasure{Entry: index, Reason: reason})
	if err != nil {
		return ibid.Entry{}, err
	}
	return tx.write(audit.KindErasure, data)
}

// answerEntry is the kind of the entries that hold what an answer says, and name it.
const answerEntry = "answer"

// forgetAnswer takes the words of an answer out of what it is found by, where the payload of an entry speaks of one: who erases the
// one does not want it found by the other.
func forgetAnswer(w *writer, kind string, payload []byte) error {
	var said struct {
		Answer ibid.AnswerID `json:"answer"`
	}
	if kind != answerEntry || json.Unmarshal(payload, &said) != nil {
		return nil
	}
	var number int64
	err := w.scan([]any{&number}, `SELECT number FROM answers WHERE id = ?`, said.Answer)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return forgetWords(w, number)
}

// forgetWords takes the words of an answer out of the index, and out of the file: it is written anew without them, all of it, as
// the words that begin its pages are kept beside them. It takes some seconds for a hundred thousand answers.
func forgetWords(w *writer, number int64) error {
	if err := w.exec(`DELETE FROM answer_words WHERE rowid = ?`, number); err != nil {
		return err
	}
	return w.exec(`INSERT INTO answer_words (answer_words) VALUES ('optimize')`)
}

// dropAnswer takes an answer out of all tables. What hangs on it by its number goes with it.
func dropAnswer(w *writer, id ibid.AnswerID) error {
	var number int64
	var conversation string
	if err := w.scan([]any{&number, &conversation}, `SELECT number, coalesce(conversation, '') FROM answers WHERE id = ?`, id); err != nil {
		return notFound(err)
	}
	rows, err := w.query(`SELECT DISTINCT p.source FROM answer_passages p JOIN sources s ON s.id = p.source WHERE p.answer = ? AND s.removed = 1`, number)
	if err != nil {
		return err
	}
	removed, err := collect(rows, func(r row) (id ibid.SourceID, err error) { return id, r.Scan(&id) })
	if err != nil {
		return err
	}
	if err := forgetWords(w, number); err != nil {
		return err
	}
	for _, query := range []string{
		`DELETE FROM answers WHERE id = ?`,
		`DELETE FROM reviews WHERE body ->> '$.subject' = 'answer ' || ?`,
		// What was sent is kept for a while, so that it can be sent again. It names the answer, or the stream that does.
		`DELETE FROM idempotency WHERE CAST(body AS TEXT) IN (SELECT id FROM streams WHERE instr(events, CAST(? AS BLOB)))`,
		`DELETE FROM streams WHERE instr(events, CAST(? AS BLOB))`,
		`DELETE FROM idempotency WHERE instr(body, CAST(? AS BLOB))`,
	} {
		if err := w.exec(query, id); err != nil {
			return err
		}
	}
	if err := w.exec(`DELETE FROM conversations WHERE NOT EXISTS (SELECT 1 FROM answers a WHERE a.conversation = conversations.id)`); err != nil {
		return err
	}
	// What it gave in an experiment is a pair of numbers, and stays; whose it was, whoever named the conversation may have said.
	if err := w.exec(`UPDATE experiment_outcomes SET unit = '' WHERE unit = ? AND NOT EXISTS (SELECT 1 FROM conversations WHERE id = unit)`, conversation); err != nil {
		return err
	}
	for _, source := range removed {
		if err := dropUnused(w, source); err != nil {
			return err
		}
	}
	return nil
}

// dropStudy takes a study out of its table, and replies that name it, which are kept for a while so that they can be sent again.
func dropStudy(w *writer, id string) error {
	var there int
	if err := w.scan([]any{&there}, `SELECT 1 FROM studies WHERE id = ?`, id); err != nil {
		return notFound(err)
	}
	if err := w.exec(`DELETE FROM studies WHERE id = ?`, id); err != nil {
		return err
	}
	return w.exec(`DELETE FROM idempotency WHERE instr(body, CAST(? AS BLOB))`, id)
}

// dropRun takes a run out of all tables, and replies that name it. One that goes on would come back with the next claim.
func dropRun(w *writer, id ibid.RunID) error {
	var finished bool
	if err := w.scan([]any{&finished}, `SELECT finished_at IS NOT NULL FROM runs WHERE id = ?`, id); err != nil {
		return notFound(err)
	}
	if !finished {
		return fmt.Errorf("it goes on: finish it first: %w", ibid.ErrInvalid)
	}
	for _, query := range []string{
		`DELETE FROM snapshots WHERE id IN (SELECT snapshot FROM run_sources WHERE run = ?1)
			AND NOT EXISTS (SELECT 1 FROM run_sources s WHERE s.snapshot = snapshots.id AND s.run <> ?1)`,
		`DELETE FROM run_claims WHERE run = ?`,
		`DELETE FROM run_sources WHERE run = ?`,
		`DELETE FROM owed_runs WHERE run = ?`,
		`DELETE FROM run_collections WHERE run = ?`,
		`DELETE FROM runs WHERE id = ?`,
		`DELETE FROM reviews WHERE body ->> '$.subject' = 'run ' || ?`,
	} {
		if err := w.exec(query, id); err != nil {
			return err
		}
	}
	// The id of a run may be a word that stands in many replies: in those that name the run it stands alone, as JSON has it.
	named, err := json.Marshal(id)
	if err != nil {
		return err
	}
	return w.exec(`DELETE FROM idempotency WHERE instr(body, ?)`, named)
}

// forget takes erased bytes out of the write-ahead log too. In the file itself SQLite has overwritten them.
func (s *Store) forget(ctx context.Context) error {
	w := s.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	var busy, pages, moved int
	if err := w.conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved); err != nil {
		return err
	}
	if busy != 0 {
		return errors.New("another process is reading")
	}
	return nil
}
