package entail

import (
	"runtime"
	"sync"
)

// sequence are the tokens of one pass through the encoder; those from second on are of the second text.
type sequence struct {
	ids    []int32
	second int
}

// arena is the memory of one pass.
type arena struct {
	x, add, wide []float32
	q            quantized
	s            scratch
}

// encode gives the final states of all tokens of the sequences, one row each, one sequence behind the other. They are
// valid until the arena is used again.
func (m *Model) encode(a *arena, seqs []sequence) []float32 {
	x, rows := m.start(a, seqs)
	hidden := m.config.Hidden
	qkv := a.wide
	for i := range m.layers {
		l := &m.layers[i]
		m.project(a, qkv, x, l, rows)
		at := 0
		for _, s := range seqs {
			m.run.attend(a.add[at*hidden:], qkv[at*3*hidden:], m.near, len(s.ids), m.config.Heads, 0, m.config.Heads, &a.s)
			at += len(s.ids)
		}
		m.digest(a, x, a.add, l, rows)
	}
	return x[:rows*hidden]
}

// A sequence is shared out in parts of a multiple of partRows tokens: machines write 6 or 16 rows at a time, and must not
// write into the next part.
const partRows = 48

// encodeAlone is encode for one sequence, its tokens shared out among all processors. They wait for each other twice a
// layer: before the attention, which looks at all tokens and is shared out by heads, and after it.
func (m *Model) encodeAlone(a *arena, seq sequence) []float32 {
	parts := min(runtime.GOMAXPROCS(0), len(seq.ids)/partRows, m.config.Heads)
	if parts < 2 {
		return m.encode(a, []sequence{seq})
	}
	x, rows := m.start(a, []sequence{seq})
	hidden, heads := m.config.Hidden, m.config.Heads
	each := (rows + parts*partRows - 1) / (parts * partRows) * partRows
	parts = (rows + each - 1) / each
	qkv, add := a.wide, a.add
	together := newMeeting(parts)
	var wait sync.WaitGroup
	for p := range parts {
		wait.Go(func() {
			own := m.arenas.Get().(*arena)
			defer m.arenas.Put(own)
			from, n := p*each, min(each, rows-p*each)
			own.room(m, n)
			x, add := x[from*hidden:], add[from*hidden:]
			for i := range m.layers {
				l := &m.layers[i]
				m.project(own, qkv[from*3*hidden:], x, l, n)
				together.wait()
				m.run.attend(a.add, qkv, m.near, rows, heads, p*heads/parts, (p+1)*heads/parts, &own.s)
				together.wait()
				m.digest(own, x, add, l, n)
			}
		})
	}
	wait.Wait()
	return x[:rows*hidden]
}

// start makes room and looks up the first states.
func (m *Model) start(a *arena, seqs []sequence) (x []float32, rows int) {
	for _, s := range seqs {
		rows += len(s.ids)
	}
	a.room(m, rows)
	m.lookUp(a.x, a.add, seqs)
	m.run.norm(a.x, a.add, &m.norm, rows, m.config.Hidden)
	return a.x, rows
}

func (a *arena) room(m *Model, rows int) {
	room, hidden, widest := rows+rowSlack, m.config.Hidden, max(3*m.config.Hidden, m.config.FFN)
	a.x, a.add, a.wide = grow(&a.x, room*hidden), grow(&a.add, room*hidden), grow(&a.wide, room*widest)
	grow(&a.q.data, 2*room*widest)
	grow(&a.q.scale, room)
}

// project gives queries, keys and values of rows of states.
func (m *Model) project(a *arena, qkv, x []float32, l *layer, rows int) {
	m.run.quantize(&a.q, x, rows, m.config.Hidden)
	m.run.linear(qkv, &a.q, &l.qkv, rows)
}

// digest takes what attention gave rows into their states and passes them through the layer's rest.
func (m *Model) digest(a *arena, x, add []float32, l *layer, rows int) {
	hidden, wide := m.config.Hidden, a.wide
	m.run.quantize(&a.q, add, rows, hidden)
	m.run.linear(add, &a.q, &l.out, rows)
	m.run.norm(x, add, &l.norm1, rows, hidden)

	m.run.quantize(&a.q, x, rows, hidden)
	m.run.linear(wide, &a.q, &l.up, rows)
	m.run.gelu(wide[:rows*m.config.FFN])
	m.run.quantize(&a.q, wide, rows, m.config.FFN)
	m.run.linear(add, &a.q, &l.down, rows)
	m.run.norm(x, add, &l.norm2, rows, hidden)
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

// lookUp puts the pieces' vectors into x, and those of their place and text into add.
func (m *Model) lookUp(x, add []float32, seqs []sequence) {
	n, r := m.config.Hidden, 0
	for _, s := range seqs {
		for at, id := range s.ids {
			kind := m.types[:n]
			if at >= s.second {
				kind = m.types[n:]
			}
			place := m.positions[at*n:][:n]
			to, plus := x[r*n:][:n], add[r*n:][:n]
			m.words.row(to, int(id))
			for i := range plus {
				plus[i] = place[i] + kind[i]
			}
			r++
		}
	}
}

// apply gives the values of a head over one state.
func (m *Model) apply(h *head, out, state []float32) {
	for o := range h.out {
		out[o] = m.run.dot(h.w[o*h.in:][:h.in], state) + h.b[o]
	}
}
