//go:build unix && !solaris && !aix

package main

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes a file for this process alone, where nobody else has it. It is let go with its handle.
func lockFile(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return false, nil
	}
	if errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOLCK) { // a file system without locks
		return true, nil
	}
	return err == nil, err
}
