//go:build unix

package sqlite

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// disk is a file system below SQLite that passes all calls on to the system's. It remembers what was synced and what was
// only written, so that a power cut can be played at any moment, and it can fail at a chosen call.
type disk struct {
	mu      sync.Mutex
	files   map[string]*diskFile
	handles map[uintptr]*diskFile // open files by SQLite's handle

	calls  int   // write, truncate and sync calls so far
	failAt int   // this call fails; 0 for none
	sticky bool  // and all after it
	full   bool  // as a full disk does, and not as a failing one
	failed []int // calls that did
}

// diskFile is a file as it is on the platter, and what the system has not brought there yet.
type diskFile struct {
	path    string
	durable []byte
	pending []diskWrite
}

type diskWrite struct {
	at    int64
	bytes []byte // nil: the file is cut to at
}

// The one disk of these tests, which run one after the other: SQLite knows its file systems by name for good.
var (
	theDisk     disk
	diskOnce    sync.Once
	diskMethods = map[uintptr]*lib.Tsqlite3_io_methods{} // ours by the system's
	systemOf    = map[uintptr]uintptr{}                  // and back
	systemVFS   *lib.Tsqlite3_vfs
)

// useDisk puts a fresh disk below stores that are opened with the parameters it gives.
func useDisk(t *testing.T) (d *disk, parameters string) {
	t.Helper()
	diskOnce.Do(registerDisk)
	d = &theDisk
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files, d.handles = map[string]*diskFile{}, map[uintptr]*diskFile{}
	d.calls, d.failAt, d.sticky, d.full, d.failed = 0, 0, false, false, nil
	return d, "&vfs=testdisk"
}

func registerDisk() {
	tls := libc.NewTLS()
	found := lib.Xsqlite3_vfs_find(tls, 0)
	systemVFS = at[lib.Tsqlite3_vfs](found)
	size := unsafe.Sizeof(lib.Tsqlite3_vfs{})
	address := libc.Xmalloc(tls, libc.Tsize_t(size))
	ours := at[lib.Tsqlite3_vfs](address)
	*ours = *systemVFS
	name, err := libc.CString("testdisk")
	if err != nil {
		panic(err)
	}
	ours.FzName = name
	ours.FpNext = 0
	ours.FxOpen = pointer(diskOpen)
	ours.FxDelete = pointer(diskDelete)
	if rc := lib.Xsqlite3_vfs_register(tls, address, 0); rc != lib.SQLITE_OK {
		panic(rc)
	}
}

// at gives what stands at an address of SQLite's memory.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// pointer gives a Go function as SQLite keeps it, and call the other way round.
func pointer(f any) uintptr { return (*[2]uintptr)(unsafe.Pointer(&f))[1] }

func call[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&struct{ uintptr }{address})) }

type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	deleteFunc   = func(tls *libc.TLS, vfs, name uintptr, sync int32) int32
	closeFunc    = func(tls *libc.TLS, file uintptr) int32
	writeFunc    = func(tls *libc.TLS, file, from uintptr, n int32, at int64) int32
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
)

func diskOpen(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	rc := call[openFunc](systemVFS.FxOpen)(tls, vfs, name, file, flags, out)
	methods := at[uintptr](file)
	if rc != lib.SQLITE_OK || *methods == 0 || name == 0 {
		return rc
	}
	d := &theDisk
	d.mu.Lock()
	defer d.mu.Unlock()
	ours := diskMethods[*methods]
	if ours == nil {
		// In SQLite's memory: the check of pointers that comes with the race detector stops where SQLite follows an address into Go's.
		ours = at[lib.Tsqlite3_io_methods](libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_io_methods{}))))
		*ours = *at[lib.Tsqlite3_io_methods](*methods)
		ours.FxClose, ours.FxWrite, ours.FxTruncate, ours.FxSync = pointer(diskClose), pointer(diskWriteTo), pointer(diskTruncate), pointer(diskSync)
		diskMethods[*methods] = ours
		systemOf[uintptr(unsafe.Pointer(ours))] = *methods
	}
	*methods = uintptr(unsafe.Pointer(ours))
	path := libc.GoString(name)
	f := d.files[path]
	if f == nil {
		durable, _ := os.ReadFile(path)
		f = &diskFile{path: path, durable: durable}
		d.files[path] = f
	}
	d.handles[file] = f
	return rc
}

func diskDelete(tls *libc.TLS, vfs, name uintptr, sync int32) int32 {
	d := &theDisk
	d.mu.Lock()
	delete(d.files, libc.GoString(name))
	d.mu.Unlock()
	return call[deleteFunc](systemVFS.FxDelete)(tls, vfs, name, sync)
}

func system(file uintptr) *lib.Tsqlite3_io_methods {
	d := &theDisk
	d.mu.Lock()
	defer d.mu.Unlock()
	return at[lib.Tsqlite3_io_methods](systemOf[*at[uintptr](file)])
}

func diskClose(tls *libc.TLS, file uintptr) int32 {
	closes := system(file).FxClose
	d := &theDisk
	d.mu.Lock()
	delete(d.handles, file)
	d.mu.Unlock()
	return call[closeFunc](closes)(tls, file)
}

// counted counts a call, and reports whether it is to fail.
func (d *disk) counted() bool {
	d.calls++
	if d.failAt == 0 || d.calls < d.failAt || d.calls > d.failAt && !d.sticky {
		return false
	}
	d.failed = append(d.failed, d.calls)
	return true
}

func diskWriteTo(tls *libc.TLS, file, from uintptr, n int32, offset int64) int32 {
	s := system(file)
	d := &theDisk
	d.mu.Lock()
	fails := d.counted()
	if fails {
		n /= 2 // a disk that is full or failing may still take a part
	}
	f := d.handles[file]
	f.pending = append(f.pending, diskWrite{offset, append([]byte{}, unsafe.Slice(at[byte](from), n)...)})
	full := d.full
	d.mu.Unlock()
	rc := call[writeFunc](s.FxWrite)(tls, file, from, n, offset)
	switch {
	case fails && full:
		return lib.SQLITE_FULL
	case fails:
		return lib.SQLITE_IOERR_WRITE
	}
	return rc
}

func diskTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	s := system(file)
	d := &theDisk
	d.mu.Lock()
	fails := d.counted()
	if !fails {
		f := d.handles[file]
		f.pending = append(f.pending, diskWrite{at: size})
	}
	d.mu.Unlock()
	if fails {
		return lib.SQLITE_IOERR_TRUNCATE
	}
	return call[truncateFunc](s.FxTruncate)(tls, file, size)
}

func diskSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	d := &theDisk
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.counted() {
		return lib.SQLITE_IOERR_FSYNC
	}
	f := d.handles[file]
	for _, w := range f.pending {
		f.durable = w.apply(f.durable, func() bool { return true })
	}
	f.pending = nil
	return lib.SQLITE_OK // the system's own sync is of no use here: the machine does not really stop
}

// apply writes to a file, sector by sector, as far as keep says.
func (w diskWrite) apply(file []byte, keep func() bool) []byte {
	if w.bytes == nil {
		if !keep() {
			return file
		}
		if int64(len(file)) > w.at {
			return file[:w.at]
		}
		return append(file, make([]byte, w.at-int64(len(file)))...)
	}
	const sector = 512
	for at := 0; at < len(w.bytes); {
		n := min(len(w.bytes)-at, sector-int(w.at+int64(at))%sector)
		if keep() {
			end := w.at + int64(at+n)
			if int64(len(file)) < end {
				file = append(file, make([]byte, end-int64(len(file)))...)
			}
			copy(file[w.at+int64(at):], w.bytes[at:at+n])
		}
		at += n
	}
	return file
}

// cut plays a power cut: it writes the files into a folder as they may stand on the platter at this moment. All that was
// synced is there, and of what was only written any part.
func (d *disk) cut(t *testing.T, from, to string, chance *rand.Rand) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	share := []float64{0, 0.5, 0.9, 1}[chance.IntN(4)]
	for path, f := range d.files {
		if filepath.Dir(path) != from {
			continue
		}
		content := append([]byte{}, f.durable...)
		for _, w := range f.pending {
			content = w.apply(content, func() bool { return chance.Float64() < share })
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(path)), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(from, KeyFileName)); err == nil { // it is written past SQLite, and synced
		copyKeyFile(t, from, to)
	}
}
