package capture

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ledger"
)

// Querier is what a database, a connection and a transaction have in common.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// DB asks a database and registers each result as a source: its rows, as JSON, one list a line under the names of the
// columns. The statement is recorded, its arguments are not: they go into the hash of the query.
type DB struct {
	Ledger  *ledger.Ledger
	Querier Querier
	// Name says which database is asked, for people. It must not hold a password.
	Name string
	// Limit is how many bytes of a result are kept. Defaults to DefaultLimit.
	Limit int64
}

// Rows are the rows of a result as they come. Like those of database/sql they must be closed.
type Rows struct {
	rows    *sql.Rows
	columns []string
	kept    *snapshot
	finish  func(complete bool) (ibid.SourceReference, error)
	done    bool
	ref     ibid.SourceReference
	err     error
}

// Query asks the database.
func (d DB) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	rows, err := d.Querier.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	columns, err := rows.Columns()
	if err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	r := &Rows{rows: rows, columns: columns, kept: newSnapshot(d.Limit)}
	r.line(columns)
	r.finish = func(complete bool) (ibid.SourceReference, error) {
		hash, err := ledger.HashQuery([]any{query, args})
		if err != nil { // an argument that JSON does not have
			hash, err = ledger.HashQuery(fmt.Sprintf("%s\n%#v", query, args))
		}
		if err != nil {
			return ibid.SourceReference{}, err
		}
		ref := ibid.SourceReference{Category: "sql", Tool: "sql", Endpoint: "sql:" + d.Name, QueryHash: hash, Metadata: map[string]string{"statement": query}}
		if !complete {
			ref.Metadata["complete"] = "false"
		}
		return r.kept.register(d.Ledger, ref)
	}
	return r, nil
}

// Next goes to the next row, and keeps it.
func (r *Rows) Next() bool {
	if !r.rows.Next() {
		r.end(r.rows.Err() == nil)
		return false
	}
	values := make([]any, len(r.columns))
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	if err := r.rows.Scan(into...); err != nil {
		r.err = errors.Join(r.err, err)
		return true
	}
	for i, v := range values {
		values[i] = plain(v)
	}
	r.line(values)
	return true
}

// plain makes a value of a database one that JSON has.
func plain(v any) any {
	switch v := v.(type) {
	case []byte:
		if utf8.Valid(v) {
			return string(v)
		}
		return "base64:" + base64.StdEncoding.EncodeToString(v)
	case string:
		return plain([]byte(v))
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case float64:
		if v != v || v-v != 0 { // not a number, or infinite
			return fmt.Sprint(v)
		}
	}
	return v
}

func (r *Rows) line(v any) {
	enc := json.NewEncoder(r.kept)
	enc.SetEscapeHTML(false) // < and & as they are, so that quotes are found
	if err := enc.Encode(v); err != nil {
		r.err = errors.Join(r.err, err)
	}
}

// Columns are the names of the columns.
func (r *Rows) Columns() []string { return append([]string(nil), r.columns...) }

// Scan reads the row, as that of database/sql does.
func (r *Rows) Scan(dest ...any) error { return r.rows.Scan(dest...) }

// Err is what went wrong on the way.
func (r *Rows) Err() error { return r.rows.Err() }

// Close ends the result, and registers what came until then.
func (r *Rows) Close() error {
	err := r.rows.Close()
	r.end(false)
	return err
}

func (r *Rows) end(complete bool) {
	if r.done {
		return
	}
	r.done = true
	if r.err == nil {
		r.ref, r.err = r.finish(complete)
	}
}

// Reference gives the source that the result was registered as. Its rows must have been read to the end or closed.
func (r *Rows) Reference() (ibid.SourceReference, error) {
	if !r.done {
		return ibid.SourceReference{}, errors.New("the result is not captured yet: read its rows to the end, or close it")
	}
	return r.ref, r.err
}
