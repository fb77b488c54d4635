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
	const wide = group * 3 / 8
	from, groups := f.codes[r*f.in*3/8:][:f.in*3/8], f.scale[r*f.in/group:][:f.in/group]
	for g := range groups {
		s := half(groups[g])
		var of [8]float32
		for c := range of {
			of[c] = float32(c-4) * s
		}
		codes, out := (*[wide]byte)(from[g*wide:]), (*[group]float32)(to[g*group:])
		for i := range group / 8 {
			v := uint(codes[3*i]) | uint(codes[3*i+1])<<8 | uint(codes[3*i+2])<<16
			eight := (*[8]float32)(out[8*i:])
			eight[0], eight[1], eight[2], eight[3] = of[v&7], of[v>>3&7], of[v>>6&7], of[v>>9&7]
			eight[4], eight[5], eight[6], eight[7] = of[v>>12&7], of[v>>15&7], of[v>>18&7], of[v>>21&7]
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
