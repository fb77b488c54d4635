//go:build unix

package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

func lockFile(path string) (unlock func() error, ok bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, false, f.Close()
	}
	if err != nil {
		return nil, false, errors.Join(err, f.Close())
	}
	return f.Close, true, nil // closing the only handle lets go
}

// readOnly reports whether the file is there and cannot be written, or nothing can be put beside it.
func readOnly(path string) bool {
	if _, err := os.Stat(path); err != nil {
		return false
	}
	const write = 2
	return syscall.Access(path, write) != nil || syscall.Access(filepath.Dir(path), write) != nil
}
