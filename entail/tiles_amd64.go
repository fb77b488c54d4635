//go:build !linux

package entail

// allowTiles reports that AMX is not asked for on other systems than Linux.
func allowTiles() bool { return false }
