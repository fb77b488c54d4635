package entail

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
	rows, hidden := 0, m.config.Hidden
	for _, s := range seqs {
		rows += len(s.ids)
	}
	widest := max(3*hidden, m.config.FFN)
	room := rows + rowSlack
	x, add, wide := grow(&a.x, room*hidden), grow(&a.add, room*hidden), grow(&a.wide, room*widest)
	grow(&a.q.data, 2*room*widest)
	grow(&a.q.scale, room)

	m.lookUp(x, add, seqs)
	m.run.norm(x, add, &m.norm, rows, hidden)
	for i := range m.layers {
		l := &m.layers[i]
		m.run.quantize(&a.q, x, rows, hidden)
		m.run.linear(wide, &a.q, &l.qkv, rows)
		at := 0
		for _, s := range seqs {
			m.run.attend(add[at*hidden:], wide[at*3*hidden:], len(s.ids), m.config.Heads, &a.s)
			at += len(s.ids)
		}
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
	return x[:rows*hidden]
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
			word, scale, place := m.words[int(id)*n:][:n], m.wordScale[id], m.positions[at*n:][:n]
			to, plus := x[r*n:][:n], add[r*n:][:n]
			for i := range to {
				to[i] = float32(word[i]) * scale
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
