// Package ui holds the built page. Its sources are TypeScript beside this file; make ui builds them.
package ui

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files gives the page's files, with index.html at their root, and whether it was built. The program builds without it:
// then only a placeholder is there, and the server has a page without script in its place.
func Files() (fs.FS, bool) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, false
	}
	_, err = fs.Stat(files, "index.html")
	return files, err == nil
}
