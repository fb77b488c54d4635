package entail

import "golang.org/x/sys/unix"

// allowTiles asks the kernel for the registers of AMX, which a program must before it uses them, and reports whether it
// may. Threads that come later may as well.
func allowTiles() bool {
	const request, tileData = 0x1023, 18 // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
	_, _, e := unix.RawSyscall(unix.SYS_ARCH_PRCTL, request, tileData, 0)
	return e == 0
}
