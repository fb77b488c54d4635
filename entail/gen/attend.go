package main

import "fmt"

// Attention: keys and values of a head are turned, scored, weighed and summed. Its numbers are bytes; softmax alone is in floats.

// func turn(keys *byte, sums *int32, values, from *byte, vectors int)
//
// Keys and values of a head's rows, 16 rows at a time, take the order in which products want them: four numbers of a key stand
// together, beside those of the next key; and four rows' numbers of a value's column, beside those of the next column. They come 128
// too high. So do the queries, and stay so, for which sums, where their products begin, make up.
func (a *asm) turn512() {
	const row = 3 * headDim
	a.text("turn", 40)
	a.i("MOVQ keys+0(FP), DI")
	a.i("MOVQ sums+8(FP), R12")
	a.i("MOVQ values+16(FP), DX")
	a.i("MOVQ from+24(FP), SI")
	a.i("MOVQ vectors+32(FP), CX")
	a.i("MOVQ CX, R9")
	a.i("SHLQ $6, R9")
	next := a.label("next")
	a.mark(next)
	// Each quarter of a register takes every fourth four of columns, so that they stand in order when bytes have been mixed.
	a.i("VMOVDQU32 order512<>(SB), Z31")
	a.i("VMOVDQU32 %s, Z30", a.c(cSign))
	for four := range 4 {
		for r := range 4 {
			a.i("VPERMD %d(SI), Z31, Z%d", row*(4*four+r)+headDim, r)
			a.i("VPXORD Z30, Z%d, Z%d", r, r)
		}
		for r := 0; r < 4; r += 2 {
			a.i("VPUNPCKLBW Z%d, Z%d, Z%d", r+1, r, 4+r)
			a.i("VPUNPCKHBW Z%d, Z%d, Z%d", r+1, r, 5+r)
		}
		a.i("VPUNPCKLWD Z6, Z4, Z0")
		a.i("VPUNPCKHWD Z6, Z4, Z1")
		a.i("VPUNPCKLWD Z7, Z5, Z2")
		a.i("VPUNPCKHWD Z7, Z5, Z3")
		for c := range 4 {
			a.i("VMOVDQU32 Z%d, %d(DX)", c, 256*four+64*c)
		}
	}
	a.i("ADDQ $1024, DX")
	for r := range 16 {
		a.i("VPXORD %d(SI), Z30, Z%d", row*r, r)
	}
	a.i("ADDQ $%d, SI", 16*row)
	// Pairs of rows, then fours: in each quarter of a register four rows of one column stand together.
	for r := 0; r < 16; r += 2 {
		a.i("VUNPCKLPS Z%d, Z%d, Z%d", r+1, r, 16+r)
		a.i("VUNPCKHPS Z%d, Z%d, Z%d", r+1, r, 17+r)
	}
	for r := 0; r < 16; r += 4 {
		a.i("VUNPCKLPD Z%d, Z%d, Z%d", 18+r, 16+r, r)
		a.i("VUNPCKHPD Z%d, Z%d, Z%d", 18+r, 16+r, r+1)
		a.i("VUNPCKLPD Z%d, Z%d, Z%d", 19+r, 17+r, r+2)
		a.i("VUNPCKHPD Z%d, Z%d, Z%d", 19+r, 17+r, r+3)
	}
	// Register 4g+c holds columns c, c+4, c+8, c+12 of the rows of group g. Quarters change places between groups.
	for c := range 4 {
		a.i("VSHUFF32X4 $0x88, Z%d, Z%d, Z%d", 4+c, c, 16+c)
		a.i("VSHUFF32X4 $0xdd, Z%d, Z%d, Z%d", 4+c, c, 20+c)
		a.i("VSHUFF32X4 $0x88, Z%d, Z%d, Z%d", 12+c, 8+c, 24+c)
		a.i("VSHUFF32X4 $0xdd, Z%d, Z%d, Z%d", 12+c, 8+c, 28+c)
	}
	for c := range 4 {
		a.i("VSHUFF32X4 $0x88, Z%d, Z%d, Z%d", 24+c, 16+c, c)
		a.i("VSHUFF32X4 $0xdd, Z%d, Z%d, Z%d", 24+c, 16+c, 8+c)
		a.i("VSHUFF32X4 $0x88, Z%d, Z%d, Z%d", 28+c, 20+c, 4+c)
		a.i("VSHUFF32X4 $0xdd, Z%d, Z%d, Z%d", 28+c, 20+c, 12+c)
	}
	a.i("VMOVDQU32 %s, Z30", a.c(cSign))
	a.i("VPXORD Z31, Z31, Z31")
	a.i("VPXORD Z29, Z29, Z29")
	a.i("MOVQ DI, R11")
	for r := range 16 {
		a.i("VMOVDQU32 Z%d, (R11)", r)
		a.i("VPDPBUSD Z%d, Z30, Z%d", r, 29+r%2*2)
		a.i("ADDQ R9, R11")
	}
	a.i("VPADDD Z29, Z31, Z31")
	a.i("VPXORD Z29, Z29, Z29")
	a.i("VPSUBD Z31, Z29, Z31")
	a.i("VMOVDQU32 Z31, (R12)")
	a.i("ADDQ $64, R12")
	a.i("ADDQ $64, DI")
	a.i("DECQ CX")
	a.i("JNZ %s", next)
	a.ret()
}

// func scores(s, tops *float32, q *byte, qs *float32, keys *byte, each, near *float32, vectors int)
//
// The scores of all keys for six rows of q, and in 16 lanes the highest of each row. In each stand for all keys the sums where their
// products begin, then their scales, then what masks those behind the last. What nearness adds for a row lies one float
// before that of the last row.
func (a *asm) scores512() {
	a.scoresBegin()
	four, last := a.label("four"), a.label("last")
	a.mark(four)
	a.i("CMPQ AX, $5")
	a.i("JB %s", last)
	a.scoresTile512(4, false)
	a.i("JMP %s", four)
	a.mark(last)
	for n := 4; n > 0; n-- {
		less := a.label("less")
		a.i("CMPQ AX, $%d", n)
		a.i("JNE %s", less)
		a.scoresTile512(n, true)
		a.ret()
		a.mark(less)
	}
	a.ret()
}

// scoresBegin sets: DI scores, BX their stride and that of keys; R14 tops; R13 q, R9 its stride; R10 qs; R8 keys; R12 each; R15 near;
// AX vectors left.
func (a *asm) scoresBegin() {
	a.text("scores", 64)
	a.i("MOVQ s+0(FP), DI")
	a.i("MOVQ tops+8(FP), R14")
	a.i("MOVQ q+16(FP), R13")
	a.i("MOVQ qs+24(FP), R10")
	a.i("MOVQ keys+32(FP), R8")
	a.i("MOVQ each+40(FP), R12")
	a.i("MOVQ near+48(FP), R15")
	a.i("MOVQ vectors+56(FP), AX")
	a.i("MOVQ $%d, R9", 3*headDim*a.per)
	a.i("MOVQ AX, BX")
	a.i("SHLQ $6, BX")
	for v := range a.per {
		a.i("VMOVUPS %s, %s", a.c(cMasked), a.r(v))
	}
	for r := range rows {
		for v := range a.per {
			a.i("VMOVUPS %s, %d(R14)", a.r(v), 64*r+32*v)
		}
	}
}

// scoresTile512 does as many vectors of keys, of which the last ones are masked.
func (a *asm) scoresTile512(vectors int, masked bool) {
	for c := range vectors {
		a.i("VMOVDQU32 %d(R12), Z%d", 64*c, c)
	}
	for r := 1; r < rows; r++ {
		for c := range vectors {
			a.i("VMOVDQA32 Z%d, Z%d", c, 4*r+c)
		}
	}
	a.i("MOVQ R13, SI")
	a.i("LEAQ (SI)(R9*2), R11")
	a.i("ADDQ R9, R11")
	a.i("MOVQ R8, DX")
	a.i("MOVQ $%d, CX", headDim/16)
	at := rowsAt("SI", "R11", "R9")
	step := a.label("step")
	a.mark(step)
	for u := range 4 {
		for c := range vectors {
			a.i("VMOVDQU32 %d(DX), Z%d", 64*c, 24+c)
		}
		a.i("ADDQ BX, DX")
		for r := range rows {
			a.i("VPBROADCASTD %d%s, Z%d", 4*u, at[r], 28+r%4)
			for c := range vectors {
				a.i("VPDPBUSD Z%d, Z%d, Z%d", 24+c, 28+r%4, 4*r+c)
			}
		}
	}
	a.i("ADDQ $16, SI")
	a.i("ADDQ $16, R11")
	a.i("DECQ CX")
	a.i("JNZ %s", step)
	for r := range rows {
		a.i("VBROADCASTSS %d(R10), Z%d", 4*r, 26+r)
	}
	for c := range vectors {
		a.i("VMOVUPS %d(R12)(BX*1), Z24", 64*c)
		if masked {
			a.i("VMOVUPS %d(R12)(BX*2), Z25", 64*c)
		}
		for r := range rows {
			z := 4*r + c
			a.i("VCVTDQ2PS Z%d, Z%d", z, z)
			a.i("VMULPS Z24, Z%d, Z%d", z, z)
			a.i("VFMADD213PS %d(R15), Z%d, Z%d", 64*c-4*r, 26+r, z)
			if masked {
				a.i("VADDPS Z25, Z%d, Z%d", z, z)
			}
		}
	}
	a.i("MOVQ DI, SI")
	for r := range rows {
		a.i("VMAXPS %d(R14), Z%d, Z24", 64*r, 4*r)
		a.i("VMOVUPS Z%d, (SI)", 4*r)
		for c := 1; c < vectors; c++ {
			a.i("VMAXPS Z%d, Z24, Z24", 4*r+c)
			a.i("VMOVUPS Z%d, %d(SI)", 4*r+c, 64*c)
		}
		a.i("VMOVUPS Z24, %d(R14)", 64*r)
		a.i("ADDQ BX, SI")
	}
	a.i("ADDQ $%d, DI", 64*vectors)
	a.i("ADDQ $%d, R8", 64*vectors)
	a.i("ADDQ $%d, R12", 64*vectors)
	a.i("ADDQ $%d, R15", 64*vectors)
	a.i("SUBQ $%d, AX", vectors)
}

// scores2 is the same with numbers of 16 bits, of which the products take two and two.
func (a *asm) scores2() {
	a.scoresBegin()
	one, step := a.label("one"), a.label("step")
	a.mark(one)
	for n := range 2 * rows {
		a.i("VPXOR Y%d, Y%d, Y%d", n, n, n)
	}
	a.i("MOVQ R13, SI")
	a.i("LEAQ (SI)(R9*2), R11")
	a.i("ADDQ R9, R11")
	a.i("MOVQ R8, DX")
	a.i("MOVQ $%d, CX", headDim/8)
	at := rowsAt("SI", "R11", "R9")
	a.mark(step)
	for u := range 4 {
		a.i("VMOVDQU (DX), Y12")
		a.i("VMOVDQU 32(DX), Y13")
		a.i("ADDQ BX, DX")
		for r := range rows {
			a.i("VPBROADCASTD %d%s, Y14", 4*u, at[r])
			a.i("VPMADDWD Y12, Y14, Y15")
			a.i("VPADDD Y15, Y%d, Y%d", 2*r, 2*r)
			a.i("VPMADDWD Y13, Y14, Y15")
			a.i("VPADDD Y15, Y%d, Y%d", 2*r+1, 2*r+1)
		}
	}
	a.i("ADDQ $16, SI")
	a.i("ADDQ $16, R11")
	a.i("DECQ CX")
	a.i("JNZ %s", step)
	a.i("VMOVUPS (R12)(BX*1), Y12")
	a.i("VMOVUPS 32(R12)(BX*1), Y13")
	a.i("MOVQ DI, SI")
	for r := range rows {
		a.i("VBROADCASTSS %d(R10), Y14", 4*r)
		a.i("VMOVUPS %d(R14), Y15", 64*r)
		for v := range 2 {
			y := 2*r + v
			a.i("VCVTDQ2PS Y%d, Y%d", y, y)
			a.i("VMULPS Y%d, Y%d, Y%d", 12+v, y, y)
			a.i("VFMADD213PS %d(R15), Y14, Y%d", 32*v-4*r, y)
			a.i("VADDPS %d(R12)(BX*2), Y%d, Y%d", 32*v, y, y)
			a.i("VMOVUPS Y%d, %d(SI)", y, 32*v)
			a.i("VMAXPS %d(R14), Y%d, Y%d", 64*r+32*v, y, y)
			a.i("VMOVUPS Y%d, %d(R14)", y, 64*r+32*v)
		}
		a.i("ADDQ BX, SI")
	}
	a.i("ADDQ $64, DI")
	a.i("ADDQ $64, R8")
	a.i("ADDQ $64, R12")
	a.i("ADDQ $64, R15")
	a.i("DECQ AX")
	a.i("JNZ %s", one)
	a.ret()
}

// func softmax(p *byte, factor, s, tops, vs *float32, vectors int)
//
// Six rows of scores become powers of two, each by the scale of its value, as numbers up to 255; factor gets for each row what a sum
// of their products with values is to be multiplied by. What s holds is used up.
func (a *asm) softmax() {
	a.text("softmax", 48)
	a.i("MOVQ p+0(FP), DI")
	a.i("MOVQ factor+8(FP), R8")
	a.i("MOVQ s+16(FP), SI")
	a.i("MOVQ tops+24(FP), R14")
	a.i("MOVQ vs+32(FP), R12")
	a.i("MOVQ vectors+40(FP), R9")
	a.i("MOVQ $%d, R10", rows)
	// Constants stay in registers where there are many.
	c := a.c
	if a.reg == "Z" {
		of := map[int]string{}
		for k, n := range []int{cLow, cMagic, cPower, cPower + 1, cPower + 2} {
			of[n] = fmt.Sprintf("Z%d", 20+k)
			a.i("VMOVUPS %s, %s", a.c(n), of[n])
		}
		c = func(n int) string {
			if r, ok := of[n]; ok {
				return r
			}
			return a.c(n)
		}
	}
	// With many registers three rows at a time: each has registers for its top, its sum and its highest, and three more.
	together := 1
	if a.reg == "Z" {
		together = 3
	}
	const top, sum, most, y, p, n = 0, 3, 6, 9, 12, 15 // with AVX2 those of one row
	at := func(what, row int) string { return a.r(what + row) }
	if a.reg == "Y" {
		at = func(what, half int) string { return a.r([]int{14, 0, 12, 2, 4, 6}[what/3] + half) }
	}
	list := func(what int) (out []string) {
		for k := range max(together, a.per) {
			out = append(out, at(what, k))
		}
		return out
	}
	address := func(k int) string {
		if a.reg == "Y" {
			return fmt.Sprintf("%d(DX)", 32*k)
		}
		return []string{"(DX)", "(DX)(BX*1)", "(DX)(BX*2)"}[k]
	}
	row, power := a.label("row"), a.label("power")
	a.i("MOVQ R9, BX")
	a.i("SHLQ $6, BX")
	a.i("MOVQ SI, DX")
	a.mark(row)
	if a.reg == "Z" {
		for k := range together {
			a.i("VMOVUPS %d(R14), Z%d", 64*k, top+k)
			a.fold("VMAX", top+k, y+k)
			a.i("VBROADCASTSS X%d, Z%d", top+k, top+k)
		}
	} else {
		a.i("VMOVUPS (R14), Y0")
		a.i("VMOVUPS 32(R14), Y1")
		a.fold("VMAX", 0, 1)
		a.i("VBROADCASTSS X0, Y14")
	}
	for _, what := range []int{sum, most} {
		for _, r := range list(what) {
			a.i("VXORPS %s, %s, %s", r, r, r)
		}
	}
	a.i("MOVQ R12, R13")
	a.i("MOVQ R9, CX")
	a.mark(power)
	ys, ps, ns, sums, mosts := list(y), list(p), list(n), list(sum), list(most)
	for k := range ys {
		t := at(top, k)
		if a.reg == "Y" {
			t = "Y14"
		}
		a.i("VMOVUPS %s, %s", address(k), ys[k])
		a.i("VSUBPS %s, %s, %s", t, ys[k], ys[k])
	}
	for k := range ys {
		a.i("VMAXPS %s, %s, %s", c(cLow), ys[k], ys[k])
	}
	for k := range ys {
		a.i("VADDPS %s, %s, %s", c(cMagic), ys[k], ns[k])
	}
	for k := range ys {
		a.i("VSUBPS %s, %s, %s", c(cMagic), ns[k], ps[k])
	}
	for k := range ys {
		a.i("VSUBPS %s, %s, %s", ps[k], ys[k], ys[k])
		a.i("VPSLLD $23, %s, %s", ns[k], ns[k])
	}
	a.poly(c, cPower, 4, ys, ps)
	for k := range ys {
		a.i("VPADDD %s, %s, %s", ns[k], ps[k], ps[k])
	}
	for k := range ys {
		a.i("VADDPS %s, %s, %s", ps[k], sums[k], sums[k])
		if a.reg == "Z" {
			a.i("VMULPS (R13), %s, %s", ps[k], ps[k])
		} else {
			a.i("VMULPS %d(R13), %s, %s", 32*k, ps[k], ps[k])
		}
	}
	for k := range ys {
		a.i("VMAXPS %s, %s, %s", ps[k], mosts[k], mosts[k])
		a.i("VMOVUPS %s, %s", ps[k], address(k))
	}
	a.i("ADDQ $64, DX")
	a.i("ADDQ $64, R13")
	a.i("DECQ CX")
	a.i("JNZ %s", power)
	// What follows from sums and highest is done for all rows at once, so that no row waits for another's division.
	if a.reg == "Z" {
		for k := range together {
			a.fold("VADD", sum+k, y+k)
			a.i("VMOVSS X%d, %d(R8)", sum+k, 4*k)
			a.fold("VMAX", most+k, p+k)
			a.i("VMOVSS X%d, %d(R14)", most+k, 64*k)
		}
		a.i("LEAQ (DX)(BX*%d), DX", together-1)
	} else {
		a.fold("VADD", 0, 1)
		a.i("VMOVSS X0, (R8)")
		a.fold("VMAX", 12, 13)
		a.i("VMOVSS X12, (R14)")
	}
	a.i("ADDQ $%d, R14", 64*together)
	a.i("ADDQ $%d, R8", 4*together)
	a.i("SUBQ $%d, R10", together)
	a.i("JNZ %s", row)
	a.i("SUBQ $%d, R14", 64*rows)
	a.i("SUBQ $%d, R8", 4*rows)
	a.i("MOVL $0x3f800000, AX")
	a.i("VMOVD AX, X7")
	for r := range rows {
		a.i("VMOVSS %d(R14), X0", 64*r)
		a.step(0, 2, 7, 1, a.c(c255))
		a.i("VMOVSS X2, %d(R14)", 64*r)
		a.i("VDIVSS %d(R8), X0, X0", 4*r)
		a.i("VMOVSS X0, %d(R8)", 4*r)
	}
	turn, next := a.label("turn"), a.label("next")
	a.i("MOVQ $%d, R10", rows)
	a.mark(turn)
	a.i("VBROADCASTSS (R14), %s", a.r(2))
	a.i("MOVQ R9, CX")
	a.mark(next)
	for v := range a.per {
		a.i("VMULPS %d(SI), %s, %s", 32*v, a.r(2), a.r(4+v))
		a.i("VCVTPS2DQ %s, %s", a.r(4+v), a.r(4+v))
	}
	if a.reg == "Z" {
		a.i("VPMOVDB Z4, (DI)")
	} else {
		a.i("VPACKSSDW Y5, Y4, Y4")
		a.i("VPERMQ $0xd8, Y4, Y4")
		a.i("VMOVDQU Y4, (DI)")
	}
	a.i("ADDQ $64, SI")
	a.i("ADDQ $%d, DI", 16*a.per)
	a.i("DECQ CX")
	a.i("JNZ %s", next)
	a.i("ADDQ $64, R14")
	a.i("DECQ R10")
	a.i("JNZ %s", turn)
	a.ret()
}

// func values(out *float32, p, v *byte, factor *float32, vectors, stride int)
//
// The means of a head's values by six rows of powers.
func (a *asm) values512() {
	const wide = headDim / 16
	a.valuesBegin()
	for n := range wide * rows {
		a.zero(n)
	}
	vector := a.label("vector")
	at := rowsAt("SI", "R11", "R9")
	a.mark(vector)
	for u := range 4 {
		for c := range wide {
			a.i("VMOVDQU32 %d(DX), Z%d", 256*u+64*c, 24+c)
		}
		for r := range rows {
			a.i("VPBROADCASTD %d%s, Z%d", 4*u, at[r], 28+r%4)
			for c := range wide {
				a.i("VPDPBUSD Z%d, Z%d, Z%d", 24+c, 28+r%4, wide*r+c)
			}
		}
	}
	a.i("ADDQ $1024, DX")
	a.i("ADDQ $16, SI")
	a.i("ADDQ $16, R11")
	a.i("DECQ CX")
	a.i("JNZ %s", vector)
	for r := range rows {
		a.i("VBROADCASTSS %d(BX), Z24", 4*r)
		for c := range wide {
			a.i("VCVTDQ2PS Z%d, Z%d", wide*r+c, wide*r+c)
			a.i("VMULPS Z24, Z%d, Z%d", wide*r+c, wide*r+c)
			a.i("VMOVUPS Z%d, %d(DI)", wide*r+c, 64*c)
		}
		a.i("ADDQ R10, DI")
	}
	a.ret()
}

// valuesBegin sets: DI out, R10 its stride; SI and R11 the powers of the first and fourth row, R9 their stride; DX values;
// BX factor; CX vectors.
func (a *asm) valuesBegin() {
	a.text("values", 48)
	a.i("MOVQ out+0(FP), DI")
	a.i("MOVQ p+8(FP), SI")
	a.i("MOVQ v+16(FP), DX")
	a.i("MOVQ factor+24(FP), BX")
	a.i("MOVQ vectors+32(FP), CX")
	a.i("MOVQ stride+40(FP), R10")
	a.i("SHLQ $2, R10")
	a.i("MOVQ CX, R9")
	a.i("SHLQ $%d, R9", 3+a.per)
	a.i("LEAQ (SI)(R9*2), R11")
	a.i("ADDQ R9, R11")
}

func (a *asm) values2() {
	const wide = 32 // columns at a time
	a.valuesBegin()
	for half := range 2 {
		for column := 0; column < headDim; column += wide {
			if half == 0 {
				a.i("MOVQ p+8(FP), SI")
			} else {
				a.i("MOVQ R11, SI")
			}
			a.i("MOVQ v+16(FP), DX")
			a.i("MOVQ vectors+32(FP), CX")
			a.i("SHLQ $2, CX")
			a.i("MOVQ DI, R12")
			for n := range 12 {
				a.zero(n)
			}
			four := a.label("four")
			at := rowsAt("SI", "R11", "R9")
			a.mark(four)
			for u := range 2 {
				for r := range 3 {
					a.i("VPBROADCASTD %d%s, Y%d", 4*u, at[r], 12+r)
				}
				for c := range 4 {
					for r := range 3 {
						a.i("VPMADDWD %d(DX), Y%d, Y15", 256*u+4*column+32*c, 12+r)
						a.i("VPADDD Y15, Y%d, Y%d", 4*r+c, 4*r+c)
					}
				}
			}
			a.i("ADDQ $512, DX")
			a.i("ADDQ $8, SI")
			a.i("DECQ CX")
			a.i("JNZ %s", four)
			for r := range 3 {
				a.i("VBROADCASTSS %d(BX), Y12", 12*half+4*r)
				for c := range 4 {
					a.i("VCVTDQ2PS Y%d, Y%d", 4*r+c, 4*r+c)
					a.i("VMULPS Y12, Y%d, Y%d", 4*r+c, 4*r+c)
					a.i("VMOVUPS Y%d, %d(R12)", 4*r+c, 4*column+32*c)
				}
				a.i("ADDQ R10, R12")
			}
		}
		a.i("MOVQ R12, DI")
	}
	a.ret()
}
