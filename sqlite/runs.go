package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/ibid-dev/ibid"
)

// RunHead is a run as lists show it: without its sources, and of its claims their number and the text of the first.
type RunHead struct {
	Run    ibid.Run
	Claims int
	First  string
}

// Runs lists the collection's runs, the latest first, behind one of them where it is given.
func (c Collection) Runs(ctx context.Context, before ibid.RunID, limit int) ([]RunHead, error) {
	list := []RunHead{}
	err := each(c.store.query(ctx), func(rows *sql.Rows) error {
		var h RunHead
		var err error
		h.Run, err = scanRun(rows, &h.Claims, &h.First)
		list = append(list, h)
		return err
	}, `SELECT r.id, r.started_at, r.finished_at, r.verdict, (SELECT count(*) FROM run_claims k WHERE k.run = r.id),
			coalesce((SELECT k.body ->> '$.text' FROM run_claims k WHERE k.run = r.id ORDER BY k.agent, k.number, k.id LIMIT 1), '')
		FROM runs r LEFT JOIN run_collections o ON o.run = r.id
		WHERE coalesce(o.collection, '') = ? AND (? = '' OR r.number < (SELECT number FROM runs WHERE id = ?))
		ORDER BY r.number DESC LIMIT ?`, c.name, before, before, limit)
	if err != nil {
		return nil, fmt.Errorf("runs: %w", explain(err))
	}
	return list, nil
}
