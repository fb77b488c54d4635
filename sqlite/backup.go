package sqlite

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/durable"
)

// Backup writes the record as it stands at one moment, and the key of its log, into a folder that is new or empty, and returns once both
// are on disk. Others may read and write meanwhile. What was erased is not in it. The folder is a data folder as any other. It reports
// whether the key is there: one who may not read it makes a backup without it, to which nothing can be added. Where it is killed, the
// folder holds no record, as the file gets its name when all else is done.
//
// A copy of the files alone may not be what was recorded: the last of it may stand in the write-ahead log, or change while it is copied.
func (l *Log) Backup(ctx context.Context, dir string) (withKey bool, err error) {
	made, err := emptyFolder(dir)
	defer func() {
		if err != nil {
			for _, folder := range slices.Backward(made) {
				_ = os.Remove(folder)
			}
		}
	}()
	if err != nil { // what a folder holds that is not empty is not ours
		return false, fmt.Errorf("backup: %w", err)
	}
	path := filepath.Join(dir, FileName)
	unfinished := path + ".unfinished"
	defer func() {
		if err != nil { // a part of a backup is none
			for _, name := range []string{path, unfinished, unfinished + "-journal", filepath.Join(dir, KeyFileName)} {
				_ = os.Remove(name)
			}
		}
	}()
	before, err := os.ReadFile(l.conf.KeyFile)
	if withKey = err == nil; err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return false, fmt.Errorf("backup: key of the log: %w", err)
	}
	if err := private(unfinished); err != nil {
		return false, fmt.Errorf("backup: %w", err)
	}
	if err := l.store.copyTo(ctx, unfinished); err != nil {
		return false, fmt.Errorf("backup to %s: %w", dir, explain(err))
	}
	if err := syncFile(unfinished); err != nil {
		return false, fmt.Errorf("backup: %w", err)
	}
	if withKey {
		after, err := os.ReadFile(l.conf.KeyFile)
		if err == nil && !bytes.Equal(before, after) { // the log may be of before and the key of after, which is a log cut back
			err = errors.New("the log's key was changed meanwhile: do it again")
		}
		if err == nil {
			err = durable.Replace(filepath.Join(dir, KeyFileName), after)
		}
		if err != nil {
			return false, fmt.Errorf("backup: %w", err)
		}
	}
	// Last of all: what was killed before is no library.
	if err := errors.Join(os.Rename(unfinished, path), durable.SyncFolder(dir)); err != nil {
		return false, fmt.Errorf("backup: %w", err)
	}
	return withKey, nil
}

// emptyFolder makes a folder where there is none, and refuses one that holds something: a backup is never mixed with another.
func emptyFolder(dir string) (made []string, err error) {
	list, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return durable.MakeFolder(dir)
	case err != nil:
		return nil, err
	case len(list) > 0:
		return nil, fmt.Errorf("%s is not empty: name a new folder: %w", dir, ibid.ErrInvalid)
	}
	return nil, nil
}

// copyTo writes the whole database into a file that is empty. SQLite reads it as of one moment.
func (s *Store) copyTo(ctx context.Context, path string) error {
	conn, err := s.reads.Conn(ctx)
	if err != nil {
		return err
	}
	// It may write now, and nothing else is done with it.
	defer conn.Raw(func(any) error { return driver.ErrBadConn })
	if _, err := conn.ExecContext(ctx, `PRAGMA query_only(0)`); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `VACUUM INTO ?`, path)
	return err
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
