package main

import "fmt"

// Registers by their numbers in an instruction.
const (
	ax = 0
	bx = 3
	dx = 2
	si = 6
	di = 7
)

// amx writes the product of matrices in tiles of 16 rows by 16 columns. The assembler does not know AMX: its instructions
// are given as bytes.
func amx() {
	a := &asm{set: set{"AMX", "Z", 1}}
	a.begin()
	// The shapes of the tiles: palette 1, all of 16 rows of 64 bytes.
	a.p("DATA tiles<>+0(SB)/8, $1")
	a.p("DATA tiles<>+8(SB)/8, $0")
	for i := 16; i < 32; i += 8 {
		a.p("DATA tiles<>+%d(SB)/8, $0x0040004000400040", i)
	}
	a.p("DATA tiles<>+32(SB)/8, $0")
	a.p("DATA tiles<>+40(SB)/8, $0")
	a.p("DATA tiles<>+48(SB)/8, $0x1010101010101010")
	a.p("DATA tiles<>+56(SB)/8, $0")
	a.p("GLOBL tiles<>(SB), RODATA|NOPTR, $64")

	// func linearAMX(y *float32, x *byte, xs *float32, w *int8, sum *int32, ws, bias *float32, sixteens, in, out int, tile *int32)
	//
	// All columns, 32 at a time, over all rows, 32 at a time and 16 at the end. Sums begin with sum in every row.
	a.p("\nTEXT ·linearAMX(SB), NOSPLIT, $32-88")
	a.i("LEAQ tiles<>(SB), SI")
	a.i("BYTE $0xc4; BYTE $0xe2; BYTE $0x78; BYTE $0x49; BYTE $0x06 // LDTILECFG (SI)")
	a.i("MOVQ in+64(FP), AX")
	a.i("MOVQ w+24(FP), R8")
	a.i("MOVQ sum+32(FP), R12")
	a.i("MOVQ ws+40(FP), R13")
	a.i("MOVQ bias+48(FP), R15")
	a.i("MOVQ y+0(FP), R9")
	a.i("MOVQ R9, column-8(SP)")
	a.i("MOVQ $0, done-24(SP)")
	half, block, sixteen, rowsDone, same := a.label("half"), a.label("block"), a.label("sixteen"), a.label("rowsDone"), a.label("same")
	a.mark(half)
	a.i("MOVQ x+8(FP), R10")
	a.i("MOVQ xs+16(FP), R11")
	a.i("MOVQ column-8(SP), R9")
	a.i("MOVQ sixteens+56(FP), CX")
	a.i("MOVQ CX, left-16(SP)")
	a.i("VMOVUPS (R13), Z4")
	a.i("VMOVUPS 64(R13), Z5")
	a.i("VMOVUPS (R15), Z6")
	a.i("VMOVUPS 64(R15), Z7")
	a.mark(block)
	a.i("CMPQ left-16(SP), $2")
	a.i("JLT %s", sixteen)
	a.tiles(2)
	a.i("SUBQ $2, left-16(SP)")
	a.i("JMP %s", block)
	a.mark(sixteen)
	a.i("CMPQ left-16(SP), $1")
	a.i("JLT %s", rowsDone)
	a.tiles(1)
	a.mark(rowsDone)
	a.i("ADDQ $128, column-8(SP)")
	a.i("ADDQ $128, R12")
	a.i("ADDQ $128, R13")
	a.i("ADDQ $128, R15")
	// The second half of a panel stands beside the first; the next panel behind both.
	a.i("ADDQ $128, R8")
	a.i("ADDQ $32, done-24(SP)")
	a.i("MOVQ done-24(SP), CX")
	a.i("TESTQ $32, CX")
	a.i("JNZ %s", same)
	a.i("MOVQ AX, DX")
	a.i("SHLQ $6, DX")
	a.i("ADDQ DX, R8")
	a.i("SUBQ $256, R8")
	a.mark(same)
	a.i("CMPQ CX, out+72(FP)")
	a.i("JNE %s", half)
	a.i("BYTE $0xc4; BYTE $0xe2; BYTE $0x78; BYTE $0x49; BYTE $0xc0 // TILERELEASE")
	a.ret()
	a.write("amx")
}

// tiles does 16 or 32 rows by 32 columns.
func (a *asm) tiles(high int) {
	a.i("XORQ BX, BX")
	a.i("MOVQ R12, DX")
	for r := range high {
		a.tileLoad(2*r, dx, bx, 0)
		a.tileLoad(2*r+1, dx, bx, 64)
	}
	a.i("MOVQ R10, SI")
	if high == 2 {
		a.i("MOVQ AX, DI")
		a.i("SHLQ $4, DI")
		a.i("ADDQ SI, DI")
	}
	a.i("MOVQ R8, DX")
	a.i("MOVQ $256, BX")
	a.i("MOVQ AX, CX")
	step := a.label("step")
	a.mark(step)
	a.tileLoad(4, si, ax, 0)
	a.tileLoad(6, dx, bx, 0)
	a.tileProduct(0, 4, 6)
	a.tileLoad(7, dx, bx, 64)
	a.tileProduct(1, 4, 7)
	if high == 2 {
		a.tileLoad(5, di, ax, 0)
		a.tileProduct(2, 5, 6)
		a.tileProduct(3, 5, 7)
		a.i("ADDQ $64, DI")
	}
	a.i("ADDQ $64, SI")
	a.i("ADDQ $4096, DX")
	a.i("SUBQ $64, CX")
	a.i("JNZ %s", step)
	a.i("MOVQ tile+80(FP), DI")
	a.i("MOVQ $128, BX")
	for r := range high {
		a.tileStore(2*r, di, bx, 0)
		a.tileStore(2*r+1, di, bx, 64)
		if r+1 < high {
			a.i("ADDQ $2048, DI")
		}
	}
	a.i("MOVQ tile+80(FP), DI")
	a.i("MOVQ out+72(FP), SI")
	a.i("SHLQ $2, SI")
	a.i("MOVQ $%d, CX", 4*high)
	row := a.label("row")
	a.mark(row)
	for r := range 4 {
		x, y, z := 8+3*r, 9+3*r, 10+3*r
		a.i("VBROADCASTSS %d(R11), Z%d", 4*r, x)
		a.i("VCVTDQ2PS %d(DI), Z%d", 128*r, y)
		a.i("VCVTDQ2PS %d(DI), Z%d", 128*r+64, z)
		a.i("VMULPS Z4, Z%d, Z%d", y, y)
		a.i("VMULPS Z5, Z%d, Z%d", z, z)
		a.i("VFMADD213PS Z6, Z%d, Z%d", x, y)
		a.i("VFMADD213PS Z7, Z%d, Z%d", x, z)
		a.i("VMOVUPS Z%d, (R9)", y)
		a.i("VMOVUPS Z%d, 64(R9)", z)
		a.i("ADDQ SI, R9")
	}
	a.i("ADDQ $512, DI")
	a.i("ADDQ $16, R11")
	a.i("DECQ CX")
	a.i("JNZ %s", row)
	a.i("MOVQ AX, DX")
	a.i("SHLQ $%d, DX", 3+high)
	a.i("ADDQ DX, R10")
}

func (a *asm) code(comment string, code ...int) {
	s := ""
	for i, c := range code {
		if i > 0 {
			s += "; "
		}
		s += fmt.Sprintf("BYTE $0x%02x", c)
	}
	a.i("%s // %s", s, comment)
}

func (a *asm) tileMemory(name string, prefix, tile, base, index, offset int) {
	a.code(fmt.Sprintf("%s T%d, %d(r%d)(r%d*1)", name, tile, offset, base, index), 0xc4, 0xe2, prefix, 0x4b, 0x44|tile<<3, index<<3|base, offset)
}

func (a *asm) tileLoad(tile, base, index, offset int) {
	a.tileMemory("TILELOADD", 0x7b, tile, base, index, offset)
}

func (a *asm) tileStore(tile, base, index, offset int) {
	a.tileMemory("TILESTORED", 0x7a, tile, base, index, offset)
}

// tileProduct adds the product of unsigned and signed bytes.
func (a *asm) tileProduct(to, unsigned, signed int) {
	a.code(fmt.Sprintf("TDPBUSD T%d, T%d, T%d", to, unsigned, signed), 0xc4, 0xe2, (^signed&15)<<3|1, 0x5e, 0xc0|to<<3|unsigned)
}
