package entail

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// group is how many weights of a row share a scale.
const group = 128

// few is a matrix of weights of three or four bits. A code stands for its distance from the middle one, 2^(bits-1), times
// its group's scale, which may be below zero.
type few struct {
	codes []byte   // one behind the other, from the lowest bit on
	scale []uint16 // of each group, floats of 16 bits
	in    int
}

// row gives a row as floats, where codes have three bits.
func (f *few) row(to []float32, r int) {
	from, groups := f.codes[r*f.in*3/8:][:f.in*3/8], f.scale[r*f.in/group:][:f.in/group]
	for i := range f.in / 8 {
		s := half(groups[8*i/group])
		v := int(from[3*i]) | int(from[3*i+1])<<8 | int(from[3*i+2])<<16
		for k := range 8 {
			to[8*i+k] = float32(v>>(3*k)&7-4) * s
		}
	}
}

// eight gives a row in eight bits, and its scale, where codes have four bits. The largest scale of a group tells how far the
// row may reach.
func (f *few) eight(to []int8, r int) (scale float32) {
	groups := f.scale[r*f.in/group:][:f.in/group]
	for _, s := range groups {
		scale = max(scale, abs(half(s)))
	}
	scale *= 8. / 127
	from := unsafe.Slice((*[group / 2]byte)(unsafe.Pointer(unsafe.SliceData(f.codes[r*f.in/2:][:f.in/2]))), len(groups))
	out := unsafe.Slice((*[group]int8)(unsafe.Pointer(unsafe.SliceData(to[:f.in]))), len(groups))
	for g := range groups {
		var of [16]int8
		if s := half(groups[g]); scale > 0 {
			for c := range of {
				of[c] = int8(math.RoundToEven(float64(float32(c-8) * s / scale)))
			}
		}
		codes, to := &from[g], &out[g]
		for i, b := range codes {
			to[2*i], to[2*i+1] = of[b&15], of[b>>4]
		}
	}
	return scale
}

// half gives the value of a float of 16 bits.
func half(b uint16) float32 {
	sign, exponent, rest := uint32(b&0x8000)<<16, uint32(b>>10&31), uint32(b&0x3ff)
	switch exponent {
	case 0:
		v := float32(rest) / (1 << 24)
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | rest<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | rest<<13)
}

// halves reads floats of 16 bits.
func halves(b []byte) []uint16 {
	out := make([]uint16, len(b)/2)
	for i := range out {
		out[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return out
}
