package sqlite

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/cite/dossier"
)

// studyEntry is what the log holds of a study each time that it is kept. Its words are in the entries of its answers.
type studyEntry struct {
	Study string          `json:"study"`
	Whole ibid.DocumentID `json:"whole"` // of its JSON, to the byte
}

// PutStudy keeps a study as it stands, over what was kept of it before, and returns once it is on disk. Where the log is open,
// an entry says so. One that was worked on since it was begun must be there still: what was erased meanwhile does not come back. The error
// wraps ibid.ErrInvalid where it has no id, and ibid.ErrNotFound where it is gone.
func (s *Store) PutStudy(ctx context.Context, study dossier.Study) error {
	if study.ID == "" {
		return fmt.Errorf("keep study: it has no id: %w", ibid.ErrInvalid)
	}
	body, err := json.Marshal(study)
	if err != nil {
		return fmt.Errorf("keep study %s: %w", study.ID, err)
	}
	err = s.Update(ctx, func(tx *Tx) error {
		if study.UpdatedAt.After(study.CreatedAt) {
			var there int
			if err := tx.w.scan([]any{&there}, `SELECT 1 FROM studies WHERE id = ?`, study.ID); err != nil {
				return notFound(err)
			}
		}
		err := tx.w.exec(`INSERT INTO studies (id, topic, done, created_at, updated_at, body) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET done = excluded.done, updated_at = excluded.updated_at, body = excluded.body`,
			study.ID, study.Topic, study.Done, study.CreatedAt.UnixMicro(), study.UpdatedAt.UnixMicro(), body)
		if err != nil {
			return err
		}
		return tx.note(audit.KindStudy, studyEntry{study.ID, ibid.HashText(string(body))})
	})
	if err != nil {
		return fmt.Errorf("keep study %s: %w", study.ID, err)
	}
	return nil
}

// Study gives a study by its id or by the first 4 or more characters of it. The error wraps ibid.ErrNotFound or
// ibid.ErrAmbiguous.
func (s *Store) Study(ctx context.Context, id string) (dossier.Study, error) {
	full, err := resolve(ctx, s.reads, "studies", id)
	if err != nil {
		return dossier.Study{}, fmt.Errorf("study %s: %w", id, err)
	}
	study, err := scanStudy(s.reads.QueryRowContext(ctx, `SELECT body FROM studies WHERE id = ?`, full))
	if err != nil {
		return dossier.Study{}, fmt.Errorf("study %s: %w", id, notFound(err))
	}
	return study, nil
}

func scanStudy(r row) (dossier.Study, error) {
	var body []byte
	if err := r.Scan(&body); err != nil {
		return dossier.Study{}, err
	}
	var study dossier.Study
	return study, json.Unmarshal(body, &study)
}

// StudyHashes gives the hash of every study's JSON as it is kept, by the study's id.
func (s *Store) StudyHashes(ctx context.Context) (map[string]ibid.DocumentID, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT id, body FROM studies`)
	if err != nil {
		return nil, fmt.Errorf("studies: %w", explain(err))
	}
	defer rows.Close()
	hashes := map[string]ibid.DocumentID{}
	for rows.Next() {
		var id string
		var body []byte
		if err := rows.Scan(&id, &body); err != nil {
			return nil, fmt.Errorf("studies: %w", err)
		}
		hashes[id] = ibid.HashText(string(body))
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("studies: %w", explain(err))
	}
	return hashes, nil
}

// Studies lists studies, the one worked on last first, at most limit of them.
func (s *Store) Studies(ctx context.Context, limit int) ([]dossier.Study, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT body FROM studies ORDER BY updated_at DESC, id LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("studies: %w", explain(err))
	}
	defer rows.Close()
	var list []dossier.Study
	for rows.Next() {
		study, err := scanStudy(rows)
		if err != nil {
			return nil, fmt.Errorf("studies: %w", err)
		}
		list = append(list, study)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("studies: %w", explain(err))
	}
	return list, nil
}

// PutStudy keeps a study of the collection, as Store.PutStudy does. The error wraps ibid.ErrInvalid where it is of another.
func (c Collection) PutStudy(ctx context.Context, study dossier.Study) error {
	if study.Collection != c.name {
		return fmt.Errorf("keep study %s: it is of another collection: %w", study.ID, ibid.ErrInvalid)
	}
	return c.store.PutStudy(ctx, study)
}

// Study gives a study of the collection by its whole id. The error wraps ibid.ErrNotFound.
func (c Collection) Study(ctx context.Context, id string) (dossier.Study, error) {
	study, err := scanStudy(c.store.reads.QueryRowContext(ctx, `SELECT body FROM studies WHERE id = ?`, id))
	if err == nil && study.Collection != c.name {
		err = ibid.ErrNotFound
	}
	if err != nil {
		return dossier.Study{}, fmt.Errorf("study %s: %w", id, notFound(err))
	}
	return study, nil
}

// Studies lists the collection's studies, the one begun last first: at most limit of those begun before the one given, or of
// all where none is given.
func (c Collection) Studies(ctx context.Context, before string, limit int) ([]dossier.Study, error) {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT body FROM studies
		WHERE coalesce(json_extract(CAST(body AS TEXT), '$.collection'), '') = ?
			AND (? = '' OR (created_at, id) < (SELECT created_at, id FROM studies WHERE id = ?))
		ORDER BY created_at DESC, id DESC LIMIT ?`, c.name, before, before, limit)
	if err != nil {
		return nil, fmt.Errorf("studies: %w", explain(err))
	}
	return collect(rows, scanStudy)
}

// StudiesOf gives the ids of the studies that took something from an answer, which is named by its whole id.
func (s *Store) StudiesOf(ctx context.Context, id ibid.AnswerID) ([]string, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT id FROM studies WHERE instr(body, CAST(? AS BLOB)) ORDER BY id`, id)
	if err != nil {
		return nil, fmt.Errorf("studies of answer %s: %w", id, explain(err))
	}
	return collect(rows, func(r row) (id string, err error) { return id, r.Scan(&id) })
}
