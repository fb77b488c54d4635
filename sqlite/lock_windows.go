package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// errorSharingViolation says that another handle is open.
const errorSharingViolation = syscall.Errno(32)

// lockFile opens the file for itself alone.
func lockFile(path string) (unlock func() error, ok bool, err error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, false, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, errorSharingViolation) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return func() error { return syscall.CloseHandle(h) }, true, nil
}

// readOnly reports whether the file is there and cannot be written.
func readOnly(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		f.Close()
	}
	return errors.Is(err, os.ErrPermission)
}
