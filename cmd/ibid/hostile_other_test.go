//go:build !unix

package main

import "os"

// makePipe reports that there are no named pipes among the files here.
func makePipe(string) (bool, error) { return false, nil }

// peakMemory is not told here.
func peakMemory(*os.ProcessState) int64 { return 0 }
