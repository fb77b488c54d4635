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

	a.constants()
	a.quantize()

	// func linearAMX(y *float32, x *byte, xs *float32, w *int8, ws, bias *float32, sixteens, in, out int, sums *int32)
	//
	// All columns, 32 at a time, over all rows, 32 at a time and 16 at the end. The sums of a block become floats when
	// those of the next one are added up: to read what a tile has just stored holds everything up.
	//
	// AX in, R8 w, R13 ws and R15 bias of these columns, R10 x of these rows. Of the block before: R14 its sums, R11 its xs, R9
	// its y, R12 rows that are left, by four, Z4 to Z7 its ws and bias.
	a.p("\nTEXT ·linearAMX(SB), NOSPLIT, $48-80")
	a.i("LEAQ tiles<>(SB), SI")
	a.i("BYTE $0xc4; BYTE $0xe2; BYTE $0x78; BYTE $0x49; BYTE $0x06 // LDTILECFG (SI)")
	a.i("MOVQ in+56(FP), AX")
	a.i("MOVQ w+24(FP), R8")
	a.i("MOVQ ws+32(FP), R13")
	a.i("MOVQ bias+40(FP), R15")
	a.i("MOVQ y+0(FP), CX")
	a.i("MOVQ CX, column-8(SP)")
	a.i("MOVQ out+64(FP), CX")
	a.i("MOVQ CX, columns-16(SP)")
	a.i("SHLQ $2, CX")
	a.i("MOVQ CX, stride-24(SP)")
	a.i("XORQ R12, R12")
	panel, block, sixteen, rowsDone := a.label("panel"), a.label("block"), a.label("sixteen"), a.label("rowsDone")
	a.mark(panel)
	a.i("MOVQ x+8(FP), R10")
	a.i("MOVQ xs+16(FP), CX")
	a.i("MOVQ CX, scales-32(SP)")
	a.i("MOVQ column-8(SP), CX")
	a.i("MOVQ CX, to-40(SP)")
	a.i("MOVQ sixteens+48(FP), CX")
	a.i("MOVQ CX, left-48(SP)")
	a.mark(block)
	a.i("CMPQ left-48(SP), $2")
	a.i("JLT %s", sixteen)
	a.tiles(2)
	a.i("SUBQ $2, left-48(SP)")
	a.i("JMP %s", block)
	a.mark(sixteen)
	a.i("CMPQ left-48(SP), $1")
	a.i("JLT %s", rowsDone)
	a.tiles(1)
	a.mark(rowsDone)
	a.i("ADDQ $128, column-8(SP)")
	a.i("ADDQ $128, R13")
	a.i("ADDQ $128, R15")
	a.i("MOVQ AX, DX")
	a.i("SHLQ $5, DX")
	a.i("ADDQ DX, R8")
	a.i("SUBQ $32, columns-16(SP)")
	a.i("JNZ %s", panel)
	a.floats()
	a.i("BYTE $0xc4; BYTE $0xe2; BYTE $0x78; BYTE $0x49; BYTE $0xc0 // TILERELEASE")
	a.ret()
	a.write("amx")
}

// tiles does 16 or 32 rows by 32 columns.
func (a *asm) tiles(high int) {
	for t := range 2 * high {
		a.tileZero(t)
	}
	a.i("MOVQ R10, SI")
	if high == 2 {
		a.i("MOVQ AX, DI")
		a.i("SHLQ $4, DI")
		a.i("ADDQ SI, DI")
	}
	a.i("MOVQ R8, DX")
	a.i("MOVQ $128, BX")
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
	a.i("ADDQ $2048, DX")
	a.i("SUBQ $64, CX")
	a.i("JNZ %s", step)
	a.floats()
	a.i("MOVQ sums+72(FP), DI")
	a.i("MOVQ DI, R14")
	for r := range high {
		a.tileStore(2*r, di, bx, 0)
		a.tileStore(2*r+1, di, bx, 64)
		if r+1 < high {
			a.i("ADDQ $2048, DI")
		}
	}
	a.i("MOVQ $%d, R12", 4*high)
	a.i("MOVQ scales-32(SP), R11")
	a.i("ADDQ $%d, scales-32(SP)", 64*high)
	a.i("MOVQ to-40(SP), R9")
	a.i("MOVQ stride-24(SP), DX")
	a.i("SHLQ $%d, DX", 3+high)
	a.i("ADDQ DX, to-40(SP)")
	a.i("VMOVUPS (R13), Z4")
	a.i("VMOVUPS 64(R13), Z5")
	a.i("VMOVUPS (R15), Z6")
	a.i("VMOVUPS 64(R15), Z7")
	a.i("MOVQ AX, DX")
	a.i("SHLQ $%d, DX", 3+high)
	a.i("ADDQ DX, R10")
}

// floats turns the sums of the block before, where there is one, into floats.
func (a *asm) floats() {
	row, none := a.label("row"), a.label("none")
	a.i("TESTQ R12, R12")
	a.i("JZ %s", none)
	a.i("MOVQ stride-24(SP), SI")
	a.mark(row)
	for r := range 4 {
		x, y, z := 8+3*r, 9+3*r, 10+3*r
		a.i("VBROADCASTSS %d(R11), Z%d", 4*r, x)
		a.i("VCVTDQ2PS %d(R14), Z%d", 128*r, y)
		a.i("VCVTDQ2PS %d(R14), Z%d", 128*r+64, z)
		a.i("VMULPS Z4, Z%d, Z%d", y, y)
		a.i("VMULPS Z5, Z%d, Z%d", z, z)
		a.i("VFMADD213PS Z6, Z%d, Z%d", x, y)
		a.i("VFMADD213PS Z7, Z%d, Z%d", x, z)
		a.i("VMOVUPS Z%d, (R9)", y)
		a.i("VMOVUPS Z%d, 64(R9)", z)
		a.i("ADDQ SI, R9")
	}
	a.i("ADDQ $512, R14")
	a.i("ADDQ $16, R11")
	a.i("DECQ R12")
	a.i("JNZ %s", row)
	a.mark(none)
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

func (a *asm) tileZero(tile int) {
	a.code(fmt.Sprintf("TILEZERO T%d", tile), 0xc4, 0xe2, 0x7b, 0x49, 0xc0|tile<<3)
}

// tileProduct adds the product of signed bytes.
func (a *asm) tileProduct(to, x, y int) {
	a.code(fmt.Sprintf("TDPBSSD T%d, T%d, T%d", to, x, y), 0xc4, 0xe2, (^y&15)<<3|3, 0x5e, 0xc0|to<<3|x)
}
