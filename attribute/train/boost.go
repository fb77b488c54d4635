package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ibid-dev/ibid/attribute"
)

// settings of the boosting. They were chosen by leaving families out; see attribute/LOG.md.
type settings struct {
	rounds, leaves    int
	rate, l2, minHess float64
	rows, columns     float64 // shares drawn for each tree
	seed              uint64
}

var chosen = settings{rounds: 60, leaves: 6, rate: 0.1, l2: 10, minHess: 20, rows: 0.7, columns: 0.6, seed: 1}

const bins = 64

// table is the training data, its features cut into bins.
type table struct {
	cuts [][]float64 // per feature, ascending; bin b holds values <= cuts[b]
	bin  [][]uint8   // per feature, per row
	dir  []int
	y, w []float64
}

func newTable(x [][]float64, y, w []float64, dir []int) *table {
	t := &table{y: y, w: w, dir: dir}
	for f := range dir {
		column := make([]float64, len(x))
		for i := range x {
			column[i] = x[i][f]
		}
		cuts := quantiles(column)
		b := make([]uint8, len(x))
		for i, v := range column {
			k, _ := slices.BinarySearch(cuts, v)
			b[i] = uint8(k)
		}
		t.cuts, t.bin = append(t.cuts, cuts), append(t.bin, b)
	}
	return t
}

// quantiles gives at most bins-1 cuts between values of a column.
func quantiles(column []float64) []float64 {
	s := slices.Clone(column)
	slices.Sort(s)
	var cuts []float64
	for k := 1; k < bins; k++ {
		v := s[min(len(s)-1, k*len(s)/bins)]
		if (len(cuts) == 0 || v > cuts[len(cuts)-1]) && v < s[len(s)-1] {
			cuts = append(cuts, round(v))
		}
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

type cell struct{ g, h float64 }

type leaf struct {
	rows   []int32
	node   int
	hist   [][]cell
	sum    cell
	lo, hi float64
	gain   float64
	f, b   int
}

// boost fits trees to the weighted log loss, one after the other.
func boost(t *table, names []string, s settings) attribute.Model {
	m := attribute.Model{Features: names, Scale: 1}
	rng := rand.New(rand.NewPCG(s.seed, 7))
	score := make([]float64, len(t.y))
	g, h := make([]float64, len(t.y)), make([]float64, len(t.y))
	for range s.rounds {
		for i := range score {
			p := sigmoid(score[i])
			g[i], h[i] = t.w[i]*(p-t.y[i]), t.w[i]*p*(1-p)
		}
		var rows []int32
		for i := range t.y {
			if rng.Float64() < s.rows {
				rows = append(rows, int32(i))
			}
		}
		cols := rng.Perm(len(t.dir))[:max(1, int(s.columns*float64(len(t.dir))))]
		slices.Sort(cols)
		tree := t.grow(rows, cols, g, h, s)
		m.Trees = append(m.Trees, tree)
		for i := range score {
			score[i] += tree.Value[t.walk(tree, i)]
		}
	}
	return m
}

func (t *table) walk(tree attribute.Tree, i int) int {
	n := 0
	for tree.Left[n] != 0 {
		f := tree.Feature[n]
		k, _ := slices.BinarySearch(t.cuts[f], tree.Cut[n])
		if int(t.bin[f][i]) <= k {
			n = tree.Left[n]
		} else {
			n = tree.Right[n]
		}
	}
	return n
}

// grow makes one tree, splitting the leaf with the greatest gain each time.
func (t *table) grow(rows []int32, cols []int, g, h []float64, s settings) attribute.Tree {
	var tree attribute.Tree
	add := func(v float64) int {
		tree.Feature, tree.Cut = append(tree.Feature, 0), append(tree.Cut, 0)
		tree.Left, tree.Right = append(tree.Left, 0), append(tree.Right, 0)
		tree.Value = append(tree.Value, v)
		return len(tree.Value) - 1
	}
	root := &leaf{rows: rows, lo: math.Inf(-1), hi: math.Inf(1)}
	t.fill(root, cols, g, h)
	root.node = add(s.rate * root.value(s))
	t.bestSplit(root, cols, s)
	leaves := []*leaf{root}
	for len(leaves) < s.leaves {
		k := 0
		for i, l := range leaves {
			if l.gain > leaves[k].gain {
				k = i
			}
		}
		l := leaves[k]
		if l.gain <= 1e-9 {
			break
		}
		a, b := t.split(l, cols, g, h, s)
		a.node, b.node = add(s.rate*a.value(s)), add(s.rate*b.value(s))
		tree.Feature[l.node], tree.Cut[l.node] = l.f, t.cuts[l.f][l.b]
		tree.Left[l.node], tree.Right[l.node] = a.node, b.node
		t.bestSplit(a, cols, s)
		t.bestSplit(b, cols, s)
		leaves[k] = a
		leaves = append(leaves, b)
	}
	for i := range tree.Value {
		tree.Value[i] = math.Round(tree.Value[i]*1e6) / 1e6
	}
	return tree
}

func output(c cell, lo, hi float64, s settings) float64 {
	return math.Min(hi, math.Max(lo, -c.g/(c.h+s.l2)))
}

func (l *leaf) value(s settings) float64 { return output(l.sum, l.lo, l.hi, s) }

func (t *table) fill(l *leaf, cols []int, g, h []float64) {
	l.hist = make([][]cell, len(t.dir))
	for _, f := range cols {
		hist := make([]cell, bins+1)
		bin := t.bin[f]
		for _, i := range l.rows {
			c := &hist[bin[i]]
			c.g += g[i]
			c.h += h[i]
		}
		l.hist[f] = hist
	}
	l.sum = cell{}
	for _, i := range l.rows {
		l.sum.g += g[i]
		l.sum.h += h[i]
	}
}

// loss of a leaf with a given answer, to second order.
func loss(c cell, v float64, s settings) float64 { return c.g*v + 0.5*(c.h+s.l2)*v*v }

func (t *table) bestSplit(l *leaf, cols []int, s settings) {
	l.gain = 0
	base := loss(l.sum, l.value(s), s)
	for _, f := range cols {
		var left cell
		for b := range t.cuts[f] {
			left.g += l.hist[f][b].g
			left.h += l.hist[f][b].h
			right := cell{l.sum.g - left.g, l.sum.h - left.h}
			if left.h < s.minHess || right.h < s.minHess {
				continue
			}
			lv, rv := output(left, l.lo, l.hi, s), output(right, l.lo, l.hi, s)
			if t.dir[f] > 0 && lv > rv || t.dir[f] < 0 && lv < rv {
				continue
			}
			if gain := base - loss(left, lv, s) - loss(right, rv, s); gain > l.gain {
				l.gain, l.f, l.b = gain, f, b
			}
		}
	}
}

func (t *table) split(l *leaf, cols []int, g, h []float64, s settings) (a, b *leaf) {
	a, b = &leaf{lo: l.lo, hi: l.hi}, &leaf{lo: l.lo, hi: l.hi}
	for _, i := range l.rows {
		if int(t.bin[l.f][i]) <= l.b {
			a.rows = append(a.rows, i)
		} else {
			b.rows = append(b.rows, i)
		}
	}
	t.fill(a, cols, g, h)
	t.fill(b, cols, g, h)
	mid := (a.value(s) + b.value(s)) / 2
	switch {
	case t.dir[l.f] > 0:
		a.hi, b.lo = math.Min(a.hi, mid), math.Max(b.lo, mid)
	case t.dir[l.f] < 0:
		a.lo, b.hi = math.Max(a.lo, mid), math.Min(b.hi, mid)
	}
	return a, b
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
