//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// makePipe makes a named pipe, and reports whether there are any here.
func makePipe(path string) (bool, error) { return true, syscall.Mkfifo(path, 0o600) }

// peakMemory is what a process that has ended took at most, in MB.
func peakMemory(ended *os.ProcessState) int64 {
	most := int64(ended.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" { // in bytes there, in KB elsewhere
		most /= 1024
	}
	return most / 1024
}
