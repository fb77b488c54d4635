package index

import (
	"encoding/binary"
	"errors"
)

// errBroken says that a file of the index is not what was written. The index is built again then.
var errBroken = errors.New("index is broken")

// encoder appends numbers and strings.
type encoder struct{ b []byte }

func (e *encoder) uint(n uint64)   { e.b = binary.AppendUvarint(e.b, n) }
func (e *encoder) int(n int)       { e.uint(uint64(n)) }
func (e *encoder) signed(n int64)  { e.b = binary.AppendVarint(e.b, n) }
func (e *encoder) string(s string) { e.int(len(s)); e.b = append(e.b, s...) }

// decoder reads what an encoder wrote. It never reads outside: after a failure it gives zeros, and broken is true.
type decoder struct {
	b      []byte
	broken bool
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.b)
	return take(d, n, size)
}

func (d *decoder) signed() int64 {
	n, size := binary.Varint(d.b)
	return take(d, n, size)
}

func take[T any](d *decoder, n T, size int) T {
	if size <= 0 {
		d.broken, d.b = true, nil
		var zero T
		return zero
	}
	d.b = d.b[size:]
	return n
}

// int reads a number that is no greater than most.
func (d *decoder) int(most int) int {
	n := d.uint()
	if n > uint64(most) {
		d.broken, d.b = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.b) {
		d.broken, d.b = true, nil
		return nil
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) string() string { return string(d.bytes(d.int(len(d.b)))) }
