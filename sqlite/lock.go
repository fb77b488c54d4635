package sqlite

import (
	"fmt"
	"path/filepath"
)

// TryLock takes a lock that belongs to the data folder, so that of all processes only one does what it guards. It does
// not wait, and reports whether it got the lock. The lock ends with unlock or with the process, however that ends.
func (s *Store) TryLock(name string) (unlock func() error, ok bool, err error) {
	if s.writer.refuses != nil {
		return nil, false, s.writer.refuses
	}
	unlock, ok, err = lockFile(filepath.Join(s.dir, name+".lock"))
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", name, err)
	}
	return unlock, ok, nil
}
