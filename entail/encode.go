package entail

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// sequence are the tokens of one pass through the encoder; those from second on are of the second text.
type sequence struct {
	ids    []int32
	second int
}

// alone reports whether there is no second text.
func (s sequence) alone() bool { return s.second == len(s.ids) }

// gap is where the tokens stand whose final states nobody reads: of two texts the first one's, without the mark before it.
func (s sequence) gap() (g gap) {
	if !s.alone() {
		g = gap{1, s.second}
	}
	return g
}

// gap is a pair of places in a row, the second one behind the last that is meant.
type gap struct{ from, to int }

// arena is the memory of one pass.
type arena struct {
	x, add, wide []float32
	last, plus   []float32 // x and add of the rows that the last layer goes on with
	q            quantized
	s            scratch
}

// encode gives the final states that are read, one row each, one sequence behind the other: of one text those of all tokens, of two
// that of the first token and those of the second text. They are valid until the arena is used again.
func (m *Model) encode(a *arena, seqs []sequence) []float32 {
	x, rows := m.start(a, seqs)
	m.lookUp(a, seqs, 0, rows)
	end := len(m.layers) - 1
	for i := range m.layers {
		l := &m.layers[i]
		for h := range l.qkv {
			m.attend(a, a.add, &a.q, l, h, seqs, rows, i == end)
		}
		if i < end {
			m.digest(a, x, a.add, l, 0, rows, &a.q)
		}
	}
	last, n := m.ends(a, seqs)
	m.digestLast(a, a, seqs, 0, n)
	return last
}

// partRows is how many tokens of a sequence are worth to be shared out.
const partRows = 32

// parts is among how many processors a sequence of so many tokens is shared out.
func (m *Model) parts(rows, procs int) int { return max(1, min(procs, rows/partRows, m.config.Heads)) }

// encodeAlone is encode for one sequence, its tokens shared out among all processors. They wait for each other twice a
// layer: before the attention, which looks at all tokens and of which each takes head after head, and after it.
func (m *Model) encodeAlone(a *arena, seq sequence) []float32 {
	parts := m.parts(len(seq.ids), runtime.GOMAXPROCS(0))
	if parts < 2 {
		return m.encode(a, []sequence{seq})
	}
	seqs := []sequence{seq}
	x, rows := m.start(a, seqs)
	last, read := m.ends(a, seqs)
	heads, end := m.config.Heads, len(m.layers)-1
	unit := m.run.unit()
	share := func(rows, p int) (from, n int) {
		each := (rows + parts*unit - 1) / (parts * unit) * unit
		from = min(p*each, rows)
		return from, min(each, rows-from)
	}
	together := newMeeting(parts)
	next := make([]atomic.Int64, len(m.layers)) // heads that are taken
	var wait sync.WaitGroup
	for p := range parts {
		wait.Go(func() {
			own := m.arenas.Get().(*arena)
			defer m.arenas.Put(own)
			from, n := share(rows, p)
			own.room(m, rows)
			m.lookUp(a, seqs, from, n)
			for i := range m.layers {
				l := &m.layers[i]
				together.wait()
				for h := int(next[i].Add(1)) - 1; h < heads; h = int(next[i].Add(1)) - 1 {
					m.attend(own, a.add, &a.q, l, h, seqs, rows, i == end)
				}
				together.wait()
				if n > 0 && i < end {
					m.digest(own, x, a.add, l, from, n, &a.q)
				}
			}
			from, n = share(read, p)
			m.digestLast(own, a, seqs, from, n)
		})
	}
	wait.Wait()
	return last
}

// start makes room for the states.
func (m *Model) start(a *arena, seqs []sequence) (x []float32, rows int) {
	for _, s := range seqs {
		rows += len(s.ids)
	}
	a.room(m, rows)
	return a.x, rows
}

// ends makes room for the final states that are read.
func (m *Model) ends(a *arena, seqs []sequence) (last []float32, rows int) {
	for _, s := range seqs {
		g := s.gap()
		rows += len(s.ids) - (g.to - g.from)
	}
	n := m.config.Hidden
	grow(&a.plus, (rows+rowSlack)*n)
	return grow(&a.last, (rows+rowSlack)*n)[:rows*n], rows
}

func (a *arena) room(m *Model, rows int) {
	room, hidden, widest := rows+rowSlack, m.config.Hidden, max(3*headDim, m.config.Hidden, m.config.FFN)
	a.x, a.add, a.wide = grow(&a.x, room*hidden), grow(&a.add, room*hidden), grow(&a.wide, room*widest)
	grow(&a.q.data, 2*room*widest)
	grow(&a.q.scale, room)
}

// attend gives what head h tells the rows of all sequences, in its columns of out; in the last layer those that are read. Queries, keys and values of one head at a time
// stay in the cache.
func (m *Model) attend(a *arena, out []float32, q *quantized, l *layer, h int, seqs []sequence, rows int, last bool) {
	qkv := a.wide
	m.run.linear(qkv, q, &l.qkv[h], rows)
	for _, s := range seqs {
		var skip gap
		if last {
			skip = s.gap()
		}
		m.run.attend(out, qkv, m.near, len(s.ids), skip, m.config.Heads, h, &a.s)
		out, qkv = out[len(s.ids)*m.config.Hidden:], qkv[len(s.ids)*3*headDim:]
	}
}

// nearRows is how many rows are done with at a time where one thing follows another row by row: few enough to stay in the nearest
// cache until the next step.
const nearRows = 6

// digestLast is digest of the last layer, for so many of the rows that are read: they go into whole.last.
func (m *Model) digestLast(a, whole *arena, seqs []sequence, from, rows int) {
	if rows == 0 {
		return
	}
	n, at, to := m.config.Hidden, 0, 0
	for _, s := range seqs {
		g := s.gap()
		for k := range s.ids {
			if k >= g.from && k < g.to {
				continue
			}
			if to >= from && to < from+rows {
				copy(whole.last[to*n:][:n], whole.x[(at+k)*n:])
				copy(whole.plus[to*n:][:n], whole.add[(at+k)*n:])
			}
			to++
		}
		at += len(s.ids)
	}
	m.digest(a, whole.last, whole.plus, &m.layers[len(m.layers)-1], from, rows, nil)
}

// digest takes what attention gave so many rows into their states, passes them through the layer's rest, and gives them in eight
// bits as the next layer wants them, where there is one.
func (m *Model) digest(a *arena, x, add []float32, l *layer, from, rows int, next *quantized) {
	hidden, ffn, wide := m.config.Hidden, m.config.FFN, a.wide
	all := x
	x, add = x[from*hidden:], add[from*hidden:]
	m.run.quantize(&a.q, add, 0, rows, hidden)
	m.run.linear(add, &a.q, &l.out, rows)
	for r := 0; r < rows; r += nearRows {
		n := min(nearRows, rows-r)
		m.run.norm(x[r*hidden:], add[r*hidden:], &l.norm1, n, hidden)
		m.run.quantize(&a.q, x, r, r+n, hidden)
	}
	m.run.linear(wide, &a.q, &l.up, rows)
	for r := 0; r < rows; r += nearRows {
		n := min(nearRows, rows-r)
		m.run.gelu(wide[r*ffn : (r+n)*ffn])
		m.run.quantize(&a.q, wide, r, r+n, ffn)
	}
	m.run.linear(add, &a.q, &l.down, rows)
	for r := 0; r < rows; r += nearRows {
		n := min(nearRows, rows-r)
		m.run.norm(x[r*hidden:], add[r*hidden:], &l.norm2, n, hidden)
		if next != nil {
			m.run.quantize(next, all, from+r, from+r+n, hidden)
		}
	}
}

// meeting lets n goroutines go on when all have come.
type meeting struct {
	mu      sync.Mutex
	all     *sync.Cond
	n, here int
	round   int
}

func newMeeting(n int) *meeting {
	m := &meeting{n: n}
	m.all = sync.NewCond(&m.mu)
	return m
}

func (m *meeting) wait() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.here++; m.here == m.n {
		m.here = 0
		m.round++
		m.all.Broadcast()
		return
	}
	for round := m.round; round == m.round; {
		m.all.Wait()
	}
}

// lookUp gives so many rows their first states, of the pieces' vectors and those of their place and text, also in eight bits.
func (m *Model) lookUp(a *arena, seqs []sequence, from, rows int) {
	if rows == 0 {
		return
	}
	n, r := m.config.Hidden, 0
	for _, s := range seqs {
		for at, id := range s.ids {
			if r >= from && r < from+rows {
				kind := m.types[:n]
				if at >= s.second {
					kind = m.types[n:]
				}
				place := m.positions[at*n:][:n]
				m.words.row(a.x[r*n:][:n], int(id))
				plus := a.add[r*n:][:n]
				for i := range plus {
					plus[i] = place[i] + kind[i]
				}
			}
			r++
		}
	}
	m.run.norm(a.x[from*n:], a.add[from*n:], &m.norm, rows, n)
	m.run.quantize(&a.q, a.x, from, from+rows, n)
}

// apply gives the values of a head over one state.
func (m *Model) apply(h *head, out, state []float32) {
	for o := range h.out {
		out[o] = m.run.dot(h.w[o*h.in:][:h.in], state) + h.b[o]
	}
}
