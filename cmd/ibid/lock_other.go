//go:build !unix || solaris || aix

package main

import "os"

// lockFile does nothing here: a line of another process that is being written may be taken for a torn one.
func lockFile(*os.File) (bool, error) { return true, nil }
