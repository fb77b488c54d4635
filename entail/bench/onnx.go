package main

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A graph of ONNX, written in its protocol buffers by hand: a few messages with a few fields each.

type proto struct{ b []byte }

func (p *proto) tag(field, kind int) { p.b = binary.AppendUvarint(p.b, uint64(field<<3|kind)) }
func (p *proto) int(field int, v int64) {
	p.tag(field, 0)
	p.b = binary.AppendUvarint(p.b, uint64(v))
}
func (p *proto) bytes(field int, v []byte) {
	p.tag(field, 2)
	p.b = binary.AppendUvarint(p.b, uint64(len(v)))
	p.b = append(p.b, v...)
}
func (p *proto) string(field int, v string) { p.bytes(field, []byte(v)) }
func (p *proto) float(field int, v float32) {
	p.tag(field, 5)
	p.b = binary.LittleEndian.AppendUint32(p.b, math.Float32bits(v))
}

// Types of elements.
const (
	typeFloat = 1
	typeInt8  = 3
	typeInt64 = 7
)

// graph is a graph in the making.
type graph struct {
	g    proto
	next int
	has  map[string]bool
}

func newGraph() *graph {
	g := &graph{has: map[string]bool{}}
	g.g.string(2, "encoder")
	return g
}

// value declares an input (field 11) or an output (field 12); a dimension is a number or a name.
func (g *graph) value(field int, name string, kind int, dims ...any) {
	var shape, tensor, typ, v proto
	for _, d := range dims {
		var dim proto
		switch d := d.(type) {
		case string:
			dim.string(2, d)
		case int:
			dim.int(1, int64(d))
		}
		shape.bytes(1, dim.b)
	}
	tensor.int(1, int64(kind))
	tensor.bytes(2, shape.b)
	typ.bytes(1, tensor.b)
	v.string(1, name)
	v.bytes(2, typ.b)
	g.g.bytes(field, v.b)
}

func (g *graph) tensor(name string, kind int, raw []byte, dims ...int) string {
	if g.has[name] {
		return name
	}
	g.has[name] = true
	var t proto
	for _, d := range dims {
		t.int(1, int64(d))
	}
	t.int(2, int64(kind))
	t.string(8, name)
	t.bytes(9, raw)
	g.g.bytes(5, t.b)
	return name
}

func (g *graph) floats(name string, v []float32, dims ...int) string {
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return g.tensor(name, typeFloat, raw, dims...)
}

func (g *graph) ints(name string, v ...int64) string {
	raw := make([]byte, 0, 8*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	return g.tensor(name, typeInt64, raw, len(v))
}

// attr is an attribute of a node: an int, a float or a row of ints.
type attr struct {
	name  string
	value any
}

// node adds a node with one output, whose name it gives.
func (g *graph) node(domain, op string, inputs []string, attrs ...attr) string {
	return g.nodes(domain, op, inputs, 1, attrs...)[0]
}

func (g *graph) nodes(domain, op string, inputs []string, outputs int, attrs ...attr) []string {
	var n proto
	for _, in := range inputs {
		n.string(1, in)
	}
	var out []string
	for range outputs {
		g.next++
		name := fmt.Sprintf("%s_%d", op, g.next)
		out = append(out, name)
		n.string(2, name)
	}
	n.string(3, out[0])
	n.string(4, op)
	for _, a := range attrs {
		var p proto
		p.string(1, a.name)
		switch v := a.value.(type) {
		case int:
			p.int(3, int64(v))
			p.int(20, 2)
		case float32:
			p.float(2, v)
			p.int(20, 1)
		case []int:
			for _, x := range v {
				p.int(8, int64(x))
			}
			p.int(20, 7)
		}
		n.bytes(5, p.b)
	}
	if domain != "" {
		n.string(7, domain)
	}
	g.g.bytes(1, n.b)
	return out
}

// named adds a node whose output has a name that is given.
func (g *graph) named(op, out string, inputs ...string) {
	var n proto
	for _, in := range inputs {
		n.string(1, in)
	}
	n.string(2, out)
	n.string(3, out)
	n.string(4, op)
	g.g.bytes(1, n.b)
}

// model gives the file.
func (g *graph) model(opset int) []byte {
	var m proto
	m.int(1, 8)
	m.string(2, "ibid")
	m.bytes(7, g.g.b)
	for domain, version := range map[string]int{"": opset, "com.microsoft": 1} {
		var o proto
		o.string(1, domain)
		o.int(2, int64(version))
		m.bytes(8, o.b)
	}
	return m.b
}
