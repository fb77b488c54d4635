package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
)

// BeginRun records that a run began. The error wraps ibid.ErrInvalid where there is one of this id.
func (tx *Tx) BeginRun(id ibid.RunID, at time.Time) error {
	if id == "" || len(id) > 200 || !utf8.ValidString(string(id)) || strings.ContainsFunc(string(id), func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' }) {
		return fmt.Errorf("run %q: an id is 1 to 200 letters, digits and signs without blanks: %w", id, ibid.ErrInvalid)
	}
	var have int
	if err := tx.w.scan([]any{&have}, `SELECT count(*) FROM runs WHERE id = ?`, id); err != nil {
		return err
	}
	if have > 0 {
		return fmt.Errorf("run %s has begun already: %w", id, ibid.ErrInvalid)
	}
	return tx.w.exec(`INSERT INTO runs (id, number, started_at) SELECT ?, coalesce(max(number), 0) + 1, ? FROM runs`, id, at.UnixMicro())
}

// PutRun adds sources, claims and snapshots to a run, each once, and begins the run where it is new. What is there already
// is left as it is. The error wraps ibid.ErrInvalid where the run is finished and something would be new, where a claim is
// not what its id says, where a snapshot is not what its hash says, and where it would hold more than MaxRun.
func (tx *Tx) PutRun(r ibid.Run, snapshots map[ibid.DocumentID][]byte) error {
	if err := tx.putRun(r, snapshots); err != nil {
		return fmt.Errorf("run %s: %w", r.ID, err)
	}
	return nil
}

func (tx *Tx) putRun(r ibid.Run, snapshots map[ibid.DocumentID][]byte) error {
	var finished sql.NullInt64
	err := tx.w.scan([]any{&finished}, `SELECT finished_at FROM runs WHERE id = ?`, r.ID)
	if errors.Is(err, sql.ErrNoRows) {
		err = tx.BeginRun(r.ID, r.StartedAt)
	}
	if err != nil {
		return err
	}
	put := runWriter{w: tx.w, run: r.ID, finished: finished.Valid}
	for id, body := range snapshots {
		if err := put.snapshot(id, body); err != nil {
			return err
		}
	}
	for _, s := range r.Sources {
		if err := put.source(s); err != nil {
			return err
		}
	}
	for _, c := range r.Claims {
		if err := put.claim(c); err != nil {
			return err
		}
	}
	if len(r.Sources)+len(r.Claims) == 0 {
		return nil
	}
	return put.fits()
}

// MaxRun bounds what a run holds, in bytes of JSON without snapshots: its end must fit into the log, where the claims stand
// with their sources, and those without one once more.
const MaxRun = 24 << 20

// runWriter adds to one run.
type runWriter struct {
	w        *writer
	run      ibid.RunID
	finished bool
}

var errFinished = fmt.Errorf("it is finished and takes nothing more: %w", ibid.ErrInvalid)

func (p runWriter) snapshot(id ibid.DocumentID, body []byte) error {
	if ibid.HashText(string(body)) != id {
		return fmt.Errorf("snapshot %s is not what its hash says: %w", id, ibid.ErrInvalid)
	}
	if body == nil {
		body = []byte{}
	}
	return p.w.exec(`INSERT INTO snapshots (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, body)
}

func (p runWriter) source(s ibid.SourceReference) error {
	hash := s.Hash()
	if have, err := p.have(`SELECT count(*) FROM run_sources WHERE run = ? AND hash = ?`, hash); have || err != nil {
		return err
	}
	body, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("source %s: %w: %w", s.Identifier, err, ibid.ErrInvalid)
	}
	return p.w.exec(`INSERT INTO run_sources (run, hash, agent, call, identifier, snapshot, body) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		p.run, hash, s.Agent, s.Call, s.Identifier, s.Snapshot, string(body))
}

func (p runWriter) claim(c ibid.Claim) error {
	if c.Run != p.run {
		return fmt.Errorf("claim %s is of run %s: %w", c.ID, c.Run, ibid.ErrInvalid)
	}
	if err := c.Check(); err != nil {
		return err
	}
	if have, err := p.have(`SELECT count(*) FROM run_claims WHERE run = ? AND id = ?`, string(c.ID)); have || err != nil {
		return err
	}
	var source sql.NullString
	if c.Source != nil {
		if err := p.source(*c.Source); err != nil {
			return err
		}
		source = sql.NullString{String: c.Source.Hash(), Valid: true}
	}
	c.Source = nil
	body, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("claim %s: %w: %w", c.ID, err, ibid.ErrInvalid)
	}
	return p.w.exec(`INSERT INTO run_claims (run, id, agent, number, source, body) VALUES (?, ?, ?, ?, ?, ?)`,
		p.run, c.ID, c.Agent, c.Number, source, string(body))
}

// fits refuses what would make a run that could never be finished.
func (p runWriter) fits() error {
	var size int64
	err := p.w.scan([]any{&size}, `SELECT (SELECT coalesce(sum(length(body)), 0) FROM run_sources WHERE run = ?1) +
		(SELECT coalesce(sum(length(c.body) + coalesce(length(s.body), 0)), 0) FROM run_claims c LEFT JOIN run_sources s ON s.run = c.run AND s.hash = c.source WHERE c.run = ?1)`, p.run)
	if err == nil && size > MaxRun {
		err = fmt.Errorf("it would hold %d MB of claims and sources, and at most %d are taken, so that its end can be logged: finish it and go on in another: %w", size>>20, MaxRun>>20, ibid.ErrInvalid)
	}
	return err
}

// have reports whether a row is there already; where it is not, a finished run takes it no more.
func (p runWriter) have(query, key string) (bool, error) {
	var n int
	if err := p.w.scan([]any{&n}, query, p.run, key); err != nil {
		return false, err
	}
	if n == 0 && p.finished {
		return false, errFinished
	}
	return n > 0, nil
}

// FinishRun records the end of a run and the verdict on it. The error wraps ibid.ErrInvalid where it is finished already.
func (tx *Tx) FinishRun(id ibid.RunID, at time.Time, v ibid.Verdict) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("run %s: verdict: %w: %w", id, err, ibid.ErrInvalid)
	}
	var number int64
	err = tx.w.scan([]any{&number}, `UPDATE runs SET finished_at = ?, verdict = ? WHERE id = ? AND finished_at IS NULL RETURNING number`, at.UnixMicro(), string(body), id)
	if errors.Is(err, sql.ErrNoRows) {
		err = errFinished
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", id, err)
	}
	return nil
}

// OweRun marks a run as one whose claims are still to be passed on: see Store.OwedRuns.
func (tx *Tx) OweRun(id ibid.RunID) error {
	if err := tx.w.exec(`INSERT INTO owed_runs (run) VALUES (?) ON CONFLICT DO NOTHING`, id); err != nil {
		return fmt.Errorf("run %s: %w", id, err)
	}
	return nil
}

// OwedRuns gives the runs whose claims are still to be passed on, in the order in which they ended.
func (s *Store) OwedRuns(ctx context.Context) ([]ibid.RunID, error) {
	var all []ibid.RunID
	err := each(s.query(ctx), func(rows *sql.Rows) error {
		var id ibid.RunID
		err := rows.Scan(&id)
		all = append(all, id)
		return err
	}, `SELECT o.run FROM owed_runs o JOIN runs r ON r.id = o.run ORDER BY r.finished_at, r.number`)
	if err != nil {
		return nil, fmt.Errorf("runs to be passed on: %w", explain(err))
	}
	return all, nil
}

// SettleRuns notes that the claims of runs were passed on.
func (s *Store) SettleRuns(ctx context.Context, ids ...ibid.RunID) error {
	return s.Update(ctx, func(tx *Tx) error {
		for _, id := range ids {
			if err := tx.w.exec(`DELETE FROM owed_runs WHERE run = ?`, id); err != nil {
				return fmt.Errorf("run %s: %w", id, err)
			}
		}
		return nil
	})
}

// Run gives the whole record of a run, with what the transaction wrote. The error wraps ibid.ErrNotFound.
func (tx *Tx) Run(id ibid.RunID) (ibid.Run, error) {
	r, err := readRun(tx.w.query, id)
	if err != nil {
		return ibid.Run{}, fmt.Errorf("run %s: %w", id, err)
	}
	return r, nil
}

// Run gives the whole record of a run by its id or by the first 4 or more characters of it. The error wraps
// ibid.ErrNotFound or ibid.ErrAmbiguous.
func (s *Store) Run(ctx context.Context, id ibid.RunID) (ibid.Run, error) {
	full, err := resolve(ctx, s.reads, "runs", id)
	if err != nil {
		return ibid.Run{}, fmt.Errorf("run %s: %w", id, err)
	}
	r, err := readRun(s.query(ctx), full)
	if err != nil {
		return ibid.Run{}, fmt.Errorf("run %s: %w", id, explain(err))
	}
	return r, nil
}

func readRun(query func(string, ...any) (*sql.Rows, error), id ibid.RunID) (ibid.Run, error) {
	var r ibid.Run
	found := false
	err := each(query, func(rows *sql.Rows) (err error) {
		found = true
		r, err = scanRun(rows)
		return err
	}, selectRun+` WHERE id = ?`, id)
	if err == nil && !found {
		err = ibid.ErrNotFound
	}
	if err != nil {
		return ibid.Run{}, err
	}
	r.Sources, r.Claims = []ibid.SourceReference{}, []ibid.Claim{}
	byHash := map[string]ibid.SourceReference{}
	err = each(query, func(rows *sql.Rows) error {
		var hash, body string
		var s ibid.SourceReference
		if err := rows.Scan(&hash, &body); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(body), &s); err != nil {
			return err
		}
		byHash[hash] = s
		r.Sources = append(r.Sources, s)
		return nil
	}, `SELECT hash, body FROM run_sources WHERE run = ? ORDER BY agent, call, identifier, hash`, id)
	if err != nil {
		return ibid.Run{}, err
	}
	err = each(query, func(rows *sql.Rows) error {
		var source sql.NullString
		var body string
		var c ibid.Claim
		if err := rows.Scan(&source, &body); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(body), &c); err != nil {
			return err
		}
		if source.Valid {
			s := byHash[source.String].Clone()
			c.Source = &s
		}
		r.Claims = append(r.Claims, c)
		return nil
	}, `SELECT source, body FROM run_claims WHERE run = ? ORDER BY agent, number, id`, id)
	return r, err
}

const selectRun = `SELECT id, started_at, finished_at, verdict FROM runs`

// scanRun reads a run, and what is selected behind its columns.
func scanRun(rows *sql.Rows, more ...any) (ibid.Run, error) {
	var r ibid.Run
	var started int64
	var finished sql.NullInt64
	var verdict sql.NullString
	if err := rows.Scan(append([]any{&r.ID, &started, &finished, &verdict}, more...)...); err != nil {
		return r, err
	}
	r.StartedAt = fromMicro(started)
	if finished.Valid {
		r.FinishedAt = fromMicro(finished.Int64)
	}
	if !verdict.Valid {
		return r, nil
	}
	r.Verdict = &ibid.Verdict{}
	return r, json.Unmarshal([]byte(verdict.String), r.Verdict)
}

// each calls visit for every row of a query.
func each(query func(string, ...any) (*sql.Rows, error), visit func(*sql.Rows) error, text string, args ...any) error {
	rows, err := query(text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Resting yields the recorded answers that rest on a source, the oldest first.
func (s *Store) Resting(ctx context.Context, id ibid.SourceID) iter.Seq2[ibid.Answer, error] {
	return func(yield func(ibid.Answer, error) bool) {
		var after int64
		for {
			var a ibid.Answer
			var body []byte
			err := s.reads.QueryRowContext(ctx, `SELECT number, body FROM answers WHERE number > ?
				AND number IN (SELECT answer FROM answer_passages WHERE source = ?) ORDER BY number LIMIT 1`, after, id).Scan(&after, &body)
			if errors.Is(err, sql.ErrNoRows) {
				return
			}
			if err == nil {
				err = json.Unmarshal(body, &a)
			}
			if err != nil {
				yield(ibid.Answer{}, fmt.Errorf("answers on source %s: %w", id, explain(err)))
				return
			}
			if !yield(a, nil) {
				return
			}
		}
	}
}

// Runs lists the runs, the one that began last first, without their sources and claims; at most limit of them.
func (s *Store) Runs(ctx context.Context, limit int) ([]ibid.Run, error) {
	list := []ibid.Run{}
	err := each(s.query(ctx), func(rows *sql.Rows) error {
		r, err := scanRun(rows)
		list = append(list, r)
		return err
	}, selectRun+` ORDER BY number DESC LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("runs: %w", explain(err))
	}
	return list, nil
}

// Snapshot gives what a retrieval returned, by its hash. The error wraps ibid.ErrNotFound.
func (s *Store) Snapshot(ctx context.Context, id ibid.DocumentID) ([]byte, error) {
	var body []byte
	if err := s.reads.QueryRowContext(ctx, `SELECT body FROM snapshots WHERE id = ?`, id).Scan(&body); err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", id, notFound(err))
	}
	return body, nil
}

// Snapshot gives what a retrieval returned, by its hash. The error wraps ibid.ErrNotFound.
func (tx *Tx) Snapshot(id ibid.DocumentID) ([]byte, error) {
	var body []byte
	if err := tx.w.scan([]any{&body}, `SELECT body FROM snapshots WHERE id = ?`, id); err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", id, notFound(err))
	}
	return body, nil
}

// UsePolicy keeps a policy by its version and notes that it is in use, and reports whether another one, or none, was.
func (tx *Tx) UsePolicy(version string, body []byte) (changed bool, err error) {
	var inUse bool
	err = tx.w.scan([]any{&inUse}, `SELECT in_use FROM policies WHERE version = ?`, version)
	if err == nil && inUse {
		return false, nil
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("policy %s: %w", version, err)
	}
	if err := tx.w.exec(`UPDATE policies SET in_use = 0 WHERE in_use = 1`); err != nil {
		return false, fmt.Errorf("policy %s: %w", version, err)
	}
	err = tx.w.exec(`INSERT INTO policies (version, body, in_use) VALUES (?, ?, 1) ON CONFLICT (version) DO UPDATE SET in_use = 1`, version, string(body))
	if err != nil {
		return false, fmt.Errorf("policy %s: %w", version, err)
	}
	return true, nil
}

// Policy gives a policy that a decision was made by, by its version. The error wraps ibid.ErrNotFound.
func (s *Store) Policy(ctx context.Context, version string) (gate.Policy, error) {
	return policyOf(version, s.reads.QueryRowContext(ctx, selectPolicy, version))
}

// Policy gives a policy that a decision was made by, by its version. The error wraps ibid.ErrNotFound.
func (tx *Tx) Policy(version string) (gate.Policy, error) {
	return policyOf(version, tx.w.row(selectPolicy, version))
}

const selectPolicy = `SELECT body FROM policies WHERE version = ?`

func policyOf(version string, row interface{ Scan(...any) error }) (gate.Policy, error) {
	var body string
	var p gate.Policy
	if err := row.Scan(&body); err != nil {
		return p, fmt.Errorf("policy %s: %w", version, notFound(err))
	}
	if err := json.Unmarshal([]byte(body), &p); err != nil {
		return p, fmt.Errorf("policy %s: %w", version, err)
	}
	if v := p.Version(); v != version {
		return p, fmt.Errorf("policy %s: what is stored is version %s: it was changed: %w", version, v, ibid.ErrInvalid)
	}
	return p, nil
}

// ownReview is true of a row that holds the review of its id. One that was copied under another id is none: it would be listed
// twice, and decided on apart from the first.
const ownReview = `id = body ->> '$.id'`

// AddReview puts something that was flagged before a person. What is there already stays as it is.
func (tx *Tx) AddReview(r gate.Review) error {
	body, err := json.Marshal(r)
	if err == nil {
		err = tx.w.exec(`INSERT INTO reviews (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING`, r.ID, string(body))
	}
	if err != nil {
		return fmt.Errorf("review %s: %w", r.ID, err)
	}
	return nil
}

// DecideReview records what a person decided, and gives the review with it. A decision stands: the error wraps
// ibid.ErrInvalid where there is one, and ibid.ErrNotFound where there is no such review.
func (tx *Tx) DecideReview(id string, ruling gate.Ruling, by, note string, at time.Time) (gate.Review, error) {
	var r gate.Review
	var body string
	err := tx.w.scan([]any{&body}, `SELECT body FROM reviews WHERE id = ? AND `+ownReview, id)
	if err == nil {
		err = json.Unmarshal([]byte(body), &r)
	}
	if err != nil {
		return r, fmt.Errorf("review %s: %w", id, notFound(err))
	}
	if r.Decision != "" {
		return r, fmt.Errorf("review %s was %s by %s on %s, and stands: %w", id, r.Decision, r.By, r.Decided.Format("2006-01-02"), ibid.ErrInvalid)
	}
	r.Decision, r.By, r.Note, r.Decided = ruling, by, note, at.UTC().Truncate(time.Microsecond)
	changed, err := json.Marshal(r)
	if err == nil {
		err = tx.w.exec(`UPDATE reviews SET body = ?, decided_at = ? WHERE id = ?`, string(changed), r.Decided.UnixMicro(), id)
	}
	if err != nil {
		return r, fmt.Errorf("review %s: %w", id, err)
	}
	return r, nil
}

// Reviews lists what waits for a person, the oldest first; with all, also what was decided.
func (s *Store) Reviews(ctx context.Context, all bool) ([]gate.Review, error) {
	list, err := s.reviewsThat(ctx, `(? OR decided_at IS NULL) ORDER BY number`, all)
	if err != nil {
		return nil, fmt.Errorf("reviews: %w", err)
	}
	return list, nil
}

// reviewsThat gives the reviews of which the condition holds, without the copied ones.
func (s *Store) reviewsThat(ctx context.Context, condition string, args ...any) ([]gate.Review, error) {
	list := []gate.Review{}
	err := each(s.query(ctx), func(rows *sql.Rows) error {
		var body string
		var r gate.Review
		if err := rows.Scan(&body); err != nil {
			return err
		}
		err := json.Unmarshal([]byte(body), &r)
		list = append(list, r)
		return err
	}, `SELECT body FROM reviews WHERE `+ownReview+` AND `+condition, args...)
	return list, explain(err)
}

// CopiedReviews gives the ids under which the review of another id is kept. Only who changes the file puts them there, and no other
// method gives them.
func (s *Store) CopiedReviews(ctx context.Context) (ids []string, err error) {
	err = each(s.query(ctx), func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	}, `SELECT id FROM reviews WHERE (`+ownReview+`) IS NOT TRUE ORDER BY number`)
	if err != nil {
		return nil, fmt.Errorf("reviews: %w", explain(err))
	}
	return ids, nil
}

// Review gives a review by its id or by the first 4 or more characters of it. The error wraps ibid.ErrNotFound or
// ibid.ErrAmbiguous.
func (s *Store) Review(ctx context.Context, id string) (gate.Review, error) {
	return s.ReviewAmong(ctx, id, func(gate.Review) (bool, error) { return true, nil })
}

// ReviewAmong gives a review as Review does, of those that are the caller's own. What fits among the others makes no difference, as
// it would tell of them.
func (s *Store) ReviewAmong(ctx context.Context, id string, own func(gate.Review) (bool, error)) (gate.Review, error) {
	r, err := s.reviewAmong(ctx, id, own)
	if err != nil {
		return gate.Review{}, fmt.Errorf("review %s: %w", id, err)
	}
	return r, nil
}

func (s *Store) reviewAmong(ctx context.Context, id string, own func(gate.Review) (bool, error)) (gate.Review, error) {
	// "\xff" sorts after every continuation of the id.
	fits, err := s.reviewsThat(ctx, `id >= ? AND id < ? ORDER BY id`, id, id+"\xff")
	if err != nil {
		return gate.Review{}, err
	}
	var found []string
	var first gate.Review
	for _, r := range fits { // asked when all are read: whose it is may be a question to the same database
		if ok, err := own(r); err != nil {
			return gate.Review{}, err
		} else if !ok {
			continue
		}
		if found = append(found, r.ID); len(found) == 1 {
			first = r
		}
		if len(found) == 2 || r.ID == id {
			break
		}
	}
	_, err = meant(id, found)
	return first, err
}
