// Package durable writes small files that must not be lost or found half written.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// unfinished stands between the name of a file and the rest of that of its next body, while that is written.
const unfinished = ".unfinished-"

// Replace puts body in the place of a file, whole or not at all, for its owner alone, and returns once both the file and its
// name are on disk.
func Replace(path string, body []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+unfinished+"*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return SyncFolder(filepath.Dir(path))
}

// MakeFolder makes a folder for its owner alone, with the folders above it that are not there, and returns once the names of all that it
// made are on disk: what is written into a folder is lost with its name. It gives those that it made, the outermost first.
func MakeFolder(dir string) (made []string, err error) {
	return makeFolder(filepath.Clean(dir), SyncFolder)
}

func makeFolder(dir string, sync func(dir string) error) (made []string, err error) {
	above := filepath.Dir(dir)
	if _, err := os.Stat(above); errors.Is(err, fs.ErrNotExist) && above != dir {
		if made, err = makeFolder(above, sync); err != nil {
			return made, err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return made, err
	}
	return append(made, dir), sync(above)
}

// Sweep removes what a Replace of the file left when its process was killed: it may be a secret. Nobody else may be at work on
// the file meanwhile.
func Sweep(path string) error {
	files, err := os.ReadDir(filepath.Dir(path))
	for _, f := range files {
		if strings.HasPrefix(f.Name(), filepath.Base(path)+unfinished) {
			err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(path), f.Name())))
		}
	}
	return err
}

// SyncFolder brings the names in a folder to disk. Where a system cannot, there is nothing to be done about it.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}
