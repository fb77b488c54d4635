package entail

//go:noescape
func quantize512(dst *byte, scale, x *float32, rows, n int)

//go:noescape
func parts512(dst *byte, scale, x *float32, fours int)

//go:noescape
func linear512(y *float32, x *byte, xs *float32, w *int8, sum *int32, ws, bias *float32, blocks, in, out int)

//go:noescape
func scores512(s, tops *float32, q *byte, qs *float32, keys *byte, each, near *float32, vectors int)

//go:noescape
func softmax512(p *byte, factor, s, tops, vs *float32, vectors int)

//go:noescape
func values512(out *float32, p, v *byte, factor *float32, vectors, stride int)

//go:noescape
func norm512(x, add, w, b *float32, rows, n int, inverse, eps float32)

//go:noescape
func gelu512(x *float32, n int)

//go:noescape
func dot512(a, b *float32, n int) float32

//go:noescape
func quantize2(dst *byte, scale, x *float32, rows, n int)

//go:noescape
func linear2(y *float32, x *byte, xs *float32, w *int8, sum *int32, ws, bias *float32, blocks, in, out int)

//go:noescape
func scores2(s, tops *float32, q *byte, qs *float32, keys *byte, each, near *float32, vectors int)

//go:noescape
func softmax2(p *byte, factor, s, tops, vs *float32, vectors int)

//go:noescape
func values2(out *float32, p, v *byte, factor *float32, vectors, stride int)

//go:noescape
func norm2(x, add, w, b *float32, rows, n int, inverse, eps float32)

//go:noescape
func gelu2(x *float32, n int)

//go:noescape
func dot2(a, b *float32, n int) float32

//go:noescape
func quantizeAMX(dst *byte, scale, x *float32, rows, n int)

//go:noescape
func linearAMX(y *float32, x *byte, xs *float32, w *int8, ws, bias *float32, sixteens, in, out int, sums *int32)

//go:noescape
func turn512(keys *byte, sums *int32, values, from *byte, vectors int)
