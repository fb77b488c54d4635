package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/experiment"
)

// PutFeedback keeps a verdict on an answer of the collection. The error wraps ibid.ErrNotFound where there is no such
// answer, or no such source.
func (c Collection) PutFeedback(ctx context.Context, f api.Feedback) error {
	w := c.store.writer
	return w.transaction(ctx, func() error {
		number, err := c.answerNumber(f.Answer)
		if err != nil {
			return err
		}
		source := sql.NullString{String: string(f.Source), Valid: f.Source != ""}
		if source.Valid && !strings.HasPrefix(source.String, ibid.GivenPrefix) { // what was given is in the answer alone
			var one int
			if err := w.scan([]any{&one}, `SELECT 1 FROM sources WHERE id = ? AND collection = ?`, f.Source, c.name); err != nil {
				return fmt.Errorf("source %s: %w", f.Source, notFound(err))
			}
		}
		return w.exec(`INSERT INTO feedback (id, collection, answer, segment, source, verdict, note, given_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			f.ID, c.name, number, f.Segment, source, f.Verdict, f.Note, f.By, f.CreatedAt.UnixMicro())
	})
}

// Feedback lists the collection's verdicts, the latest first, behind one of them where it is given; of one answer where
// one is given.
func (c Collection) Feedback(ctx context.Context, answer ibid.AnswerID, before string, limit int) ([]api.Feedback, error) {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT f.id, a.id, f.segment, coalesce(f.source, ''), f.verdict, f.note, f.given_by, f.created_at
		FROM feedback f JOIN answers a ON a.number = f.answer
		WHERE f.collection = ? AND (? = '' OR a.id = ?) AND (? = '' OR f.number < (SELECT number FROM feedback WHERE id = ?))
		ORDER BY f.number DESC LIMIT ?`, c.name, answer, answer, before, before, limit)
	if err != nil {
		return nil, fmt.Errorf("feedback: %w", explain(err))
	}
	return collect(rows, func(r row) (api.Feedback, error) {
		var f api.Feedback
		var created int64
		err := r.Scan(&f.ID, &f.Answer, &f.Segment, &f.Source, &f.Verdict, &f.Note, &f.By, &created)
		f.CreatedAt = fromMicro(created)
		return f, err
	})
}

// PutVersion keeps an answer of the collection that was attributed again, and gives the number of the version. The
// answer as it was recorded is version 1.
func (c Collection) PutVersion(ctx context.Context, a ibid.Answer, cause, engine string, now time.Time) (version int, err error) {
	body, err := encodeAnswer(a)
	if err != nil {
		return 0, fmt.Errorf("version of answer %s: %w", a.ID, err)
	}
	w := c.store.writer
	err = w.transaction(ctx, func() error {
		number, err := c.answerNumber(a.ID)
		if err != nil {
			return err
		}
		if err := w.scan([]any{&version}, `SELECT coalesce(max(version), 1) + 1 FROM answer_versions WHERE answer = ?`, number); err != nil {
			return err
		}
		return w.exec(`INSERT INTO answer_versions (answer, version, cause, engine, created_at, body) VALUES (?, ?, ?, ?, ?, ?)`,
			number, version, cause, engine, now.UnixMicro(), body)
	})
	return version, err
}

// AnswerVersion is an answer as it was attributed at one time.
type AnswerVersion struct {
	Version   int
	Cause     string
	Engine    string
	CreatedAt time.Time
	Answer    ibid.Answer
}

// AnswerVersions lists what an answer of the collection was attributed as again, the oldest first. The answer as it was
// recorded is not among them.
func (c Collection) AnswerVersions(ctx context.Context, id ibid.AnswerID) ([]AnswerVersion, error) {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT v.version, v.cause, v.engine, v.created_at, v.body FROM answer_versions v
		JOIN answers a ON a.number = v.answer WHERE a.id = ? AND a.collection = ? ORDER BY v.version`, id, c.name)
	if err != nil {
		return nil, fmt.Errorf("versions of answer %s: %w", id, explain(err))
	}
	return collect(rows, func(r row) (AnswerVersion, error) {
		var v AnswerVersion
		var created int64
		var body []byte
		if err := r.Scan(&v.Version, &v.Cause, &v.Engine, &created, &body); err != nil {
			return v, err
		}
		v.CreatedAt = fromMicro(created)
		return v, json.Unmarshal(body, &v.Answer)
	})
}

// PutExperiment keeps an experiment as it stands now.
func (c Collection) PutExperiment(ctx context.Context, e api.Experiment) error {
	body, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("experiment %s: %w", e.ID, err)
	}
	w := c.store.writer
	return w.transaction(ctx, func() error {
		return w.exec(`INSERT INTO experiments (id, collection, state, body) VALUES (?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET state = excluded.state, body = excluded.body`, e.ID, c.name, e.State, string(body))
	})
}

// Experiments lists the collection's experiments, the latest first.
func (c Collection) Experiments(ctx context.Context) ([]api.Experiment, error) {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT body FROM experiments WHERE collection = ? ORDER BY number DESC LIMIT 200`, c.name)
	if err != nil {
		return nil, fmt.Errorf("experiments: %w", explain(err))
	}
	return collect(rows, scanExperiment)
}

// Experiment gives one of the collection's experiments. The error wraps ibid.ErrNotFound.
func (c Collection) Experiment(ctx context.Context, id string) (api.Experiment, error) {
	e, err := scanExperiment(c.store.reads.QueryRowContext(ctx, `SELECT body FROM experiments WHERE id = ? AND collection = ?`, id, c.name))
	if err != nil {
		return api.Experiment{}, fmt.Errorf("experiment %s: %w", id, notFound(err))
	}
	return e, nil
}

// RunningExperiment gives the experiment that is running in the collection. The error wraps ibid.ErrNotFound.
func (c Collection) RunningExperiment(ctx context.Context) (api.Experiment, error) {
	e, err := scanExperiment(c.store.reads.QueryRowContext(ctx, `SELECT body FROM experiments WHERE collection = ? AND state = 'running' LIMIT 1`, c.name))
	if err != nil {
		return api.Experiment{}, notFound(err)
	}
	return e, nil
}

// EraseExperiment takes one of the collection's experiments out for good, with its outcomes and the replies that would be sent of it
// again. The log does not speak of experiments. The error wraps ibid.ErrNotFound.
func (c Collection) EraseExperiment(ctx context.Context, id string) error {
	w := c.store.writer
	err := w.transaction(ctx, func() error {
		var number int64
		if err := w.scan([]any{&number}, `DELETE FROM experiments WHERE id = ? AND collection = ? RETURNING number`, id, c.name); err != nil {
			return notFound(err)
		}
		return w.exec(`DELETE FROM idempotency WHERE instr(body, CAST(? AS BLOB))`, id)
	})
	if err != nil {
		return fmt.Errorf("experiment %s: %w", id, err)
	}
	if err := c.store.forget(ctx); err != nil {
		return fmt.Errorf("experiment %s was erased, but what it held may stand in the write-ahead log until that is emptied: %w", id, err)
	}
	return nil
}

func scanExperiment(r row) (api.Experiment, error) {
	var body string
	if err := r.Scan(&body); err != nil {
		return api.Experiment{}, err
	}
	var e api.Experiment
	return e, json.Unmarshal([]byte(body), &e)
}

// AddOutcome keeps what a unit gave under both settings of an experiment.
func (c Collection) AddOutcome(ctx context.Context, id, unit string, shown experiment.Arm, p experiment.Pair) error {
	w := c.store.writer
	return w.transaction(ctx, func() error {
		var number, place int64
		err := w.scan([]any{&number}, `SELECT number FROM experiments WHERE id = ? AND collection = ? AND state = 'running'`, id, c.name)
		if errors.Is(err, sql.ErrNoRows) {
			return nil // it ended meanwhile
		}
		if err != nil {
			return err
		}
		if err := w.scan([]any{&place}, `SELECT coalesce(max(place), 0) + 1 FROM experiment_outcomes WHERE experiment = ?`, number); err != nil {
			return err
		}
		return w.exec(`INSERT INTO experiment_outcomes (experiment, place, unit, arm, a, b) VALUES (?, ?, ?, ?, ?, ?)`, number, place, unit, shown, p.A, p.B)
	})
}

// Outcomes gives the outcomes of an experiment in their order.
func (c Collection) Outcomes(ctx context.Context, id string) ([]experiment.Pair, error) {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT o.a, o.b FROM experiment_outcomes o JOIN experiments e ON e.number = o.experiment
		WHERE e.id = ? AND e.collection = ? ORDER BY o.place`, id, c.name)
	if err != nil {
		return nil, fmt.Errorf("outcomes of experiment %s: %w", id, explain(err))
	}
	return collect(rows, func(r row) (p experiment.Pair, err error) { return p, r.Scan(&p.A, &p.B) })
}

// OwnRun notes that a run belongs to the collection.
func (c Collection) OwnRun(ctx context.Context, id ibid.RunID) error {
	w := c.store.writer
	return w.transaction(ctx, func() error { return ownRun(w, id, c.name) })
}

// OwnRun notes that a run belongs to a collection.
func (tx *Tx) OwnRun(id ibid.RunID, collection string) error { return ownRun(tx.w, id, collection) }

func ownRun(w *writer, id ibid.RunID, collection string) error {
	return w.exec(`INSERT INTO run_collections (run, collection) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, collection)
}

// Owns reports whether a run belongs to the collection.
func (c Collection) Owns(ctx context.Context, id ibid.RunID) (bool, error) {
	var name string
	err := c.store.reads.QueryRowContext(ctx, `SELECT collection FROM run_collections WHERE run = ?`, id).Scan(&name)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, explain(err)
	}
	return name == c.name, nil
}
