// Package examples carries the sample library, so that a server can load it without the repository.
package examples

import (
	"embed"
	"io/fs"
)

//go:embed library
var library embed.FS

// Library gives the documents of the sample library, each at the root.
func Library() fs.FS {
	files, err := fs.Sub(library, "library")
	if err != nil {
		panic(err) // the name is a constant
	}
	return files
}
