package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// applicationID marks the file as ours, in SQLite's own header: "Ibid".
const applicationID = 0x49626964

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one step from a schema to the next. Once released it never changes; a new one is added.
type migration struct {
	number int
	name   string
	sql    string
	fill   func(context.Context, *sql.Conn) error // does what SQL cannot, in the same transaction; may be nil
}

// fills are the parts of migrations that are Go.
var fills = map[string]func(context.Context, *sql.Conn) error{"0009_find": fillFind}

func (m migration) checksum() string {
	sum := sha256.Sum256([]byte(m.sql))
	return hex.EncodeToString(sum[:])
}

// migrations are the embedded files NNNN_name.sql, in order. Their numbers are 1, 2, 3 …
func migrations() ([]migration, error) {
	files, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var all []migration
	for i, file := range files { // sorted by name
		body, err := migrationFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(file, "migrations/"), ".sql")
		if !strings.HasPrefix(name, fmt.Sprintf("%04d_", i+1)) {
			return nil, fmt.Errorf("migration %s: number %04d was expected", name, i+1)
		}
		all = append(all, migration{i + 1, name, string(body), fills[name]})
	}
	return all, nil
}

// migrate brings the file to the newest schema. It looks before it touches: a file that is not ours is left as it is.
func migrate(ctx context.Context, conn *sql.Conn, all []migration) error {
	if err := retryBusy(ctx, func() error { return check(ctx, conn, all) }); err != nil {
		return err
	}
	if err := retryBusy(ctx, func() error { return useWAL(ctx, conn) }); err != nil {
		return err
	}
	for _, m := range all {
		if err := apply(ctx, conn, m); err != nil {
			return fmt.Errorf("upgrade to schema %d: %w", m.number, err)
		}
	}
	return nil
}

// check refuses a file that is not a record, one of a newer version, and one whose history is not ours.
func check(ctx context.Context, conn *sql.Conn, all []migration) error {
	var application, schema, tables int
	row := conn.QueryRowContext(ctx, `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id, pragma_user_version`)
	if err := row.Scan(&application, &schema, &tables); err != nil {
		return err
	}
	if tables == 0 && application == 0 { // new, or its making was cut off
		return nil
	}
	if application != applicationID {
		return fmt.Errorf("%s is a database of another program: use another --data folder: %w", FileName, ibid.ErrInvalid)
	}
	if schema > len(all) {
		return fmt.Errorf("data folder was written by a newer ibid (schema %d, this one knows %d): update ibid, or use another --data folder: %w",
			schema, len(all), ibid.ErrInvalid)
	}
	for _, m := range all[:schema] {
		var sum string
		if err := conn.QueryRowContext(ctx, `SELECT checksum FROM migrations WHERE number = ?`, m.number).Scan(&sum); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("schema %d: %w", m.number, err)
		}
		if sum != m.checksum() {
			return fmt.Errorf("schema %d was made by another build of ibid: use the build that wrote it, or another --data folder: %w", m.number, ibid.ErrInvalid)
		}
	}
	return nil
}

// useWAL lets others read while one writes.
func useWAL(ctx context.Context, conn *sql.Conn) error {
	var mode string
	if err := conn.QueryRowContext(ctx, `PRAGMA journal_mode(WAL)`).Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("the file system of the data folder does not allow write-ahead logging (journal mode %s): use a local disk", mode)
	}
	return nil
}

// apply runs one migration in a transaction of its own, unless it was applied already, perhaps by another process since.
func apply(ctx context.Context, conn *sql.Conn, m migration) (err error) {
	if _, err := conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			// On a full or failing disk SQLite has done so already, and says that it cannot.
			_, _ = conn.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		}
	}()
	var schema int
	if err := conn.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&schema); err != nil {
		return err
	}
	if schema < m.number {
		record := fmt.Sprintf(`
			CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT;
			INSERT INTO migrations (number, name, checksum) VALUES (%d, '%s', '%s');
			PRAGMA application_id = %d;
			PRAGMA user_version = %d;`, m.number, m.name, m.checksum(), applicationID, m.number)
		for _, script := range []string{m.sql, record} {
			if _, err := conn.ExecContext(ctx, script); err != nil {
				return err
			}
		}
		if m.fill != nil {
			if err := m.fill(ctx, conn); err != nil {
				return err
			}
		}
	}
	_, err = conn.ExecContext(ctx, `COMMIT`)
	return err
}

// retryBusy tries again while another process holds the file. SQLite's own busy timeout does not cover the change to WAL
// nor the recovery after a crash, where several processes open one file at the same moment.
func retryBusy(ctx context.Context, f func() error) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := f()
		var e *driver.Error
		if !errors.As(err, &e) || e.Code()&0xff != lib.SQLITE_BUSY || wait > time.Second {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}
