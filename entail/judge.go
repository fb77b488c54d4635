package entail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// Raw is what the heads say of a pair before it is a probability.
type Raw struct {
	Logits [3]float32 // supported, unsupported, contradicted
	Pieces []PieceLogit
}

// PieceLogit is the logit that one piece of a claim is supported.
type PieceLogit struct {
	At    ibid.Span // into the claim
	Logit float32
}

// noEvidence are the logits where there is no evidence to speak of.
var noEvidence = [3]float32{-16, 16, -16}

// Judge implements [ibid.Judge]. A word's support is that of its weakest piece.
func (m *Model) Judge(ctx context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	raws, err := m.Logits(ctx, pairs)
	if err != nil {
		return nil, err
	}
	out := make([]ibid.Judgement, len(raws))
	for i, r := range raws {
		p := softmax(r.Logits)
		out[i] = ibid.Judgement{Supported: p[0], Unsupported: p[1], Contradicted: p[2], Words: wordSupport(pairs[i].Claim, r.Pieces, p[0])}
	}
	return out, nil
}

// wordSupport gives the words of a claim with the support of their weakest pieces. A word that no piece stands for, as
// it holds nothing but what cleaning takes out, has the support of the whole.
func wordSupport(claim string, pieces []PieceLogit, whole float64) []ibid.WordSupport {
	words := text.Words(claim)
	out := make([]ibid.WordSupport, len(words))
	first := 0
	for i, w := range words {
		for first < len(pieces) && pieces[first].At.End <= w.Start {
			first++
		}
		support := math.Inf(1)
		for _, p := range pieces[first:] {
			if p.At.Start >= w.End {
				break
			}
			support = min(support, sigmoid(p.Logit))
		}
		if math.IsInf(support, 1) {
			support = whole
		}
		out[i] = ibid.WordSupport{At: w, Support: support}
	}
	return out
}

func sigmoid(x float32) float64 { return 1 / (1 + math.Exp(-float64(x))) }

func softmax(l [3]float32) [3]float64 {
	top := float64(max(l[0], l[1], l[2]))
	var p [3]float64
	sum := 0.0
	for i, v := range l {
		p[i] = math.Exp(float64(v) - top)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// Logits gives for each pair what the heads say. Where a pair takes more than one window, Logits are those of the one
// that decides, and each piece has the highest logit of all windows that hold it.
func (m *Model) Logits(ctx context.Context, pairs []ibid.Pair) ([]Raw, error) {
	units, err := m.units(pairs)
	if err != nil {
		return nil, err
	}
	if err := m.each(ctx, units); err != nil {
		return nil, err
	}
	out := make([]Raw, len(pairs))
	for len(units) > 0 {
		n := 1
		for n < len(units) && units[n].pair == units[0].pair {
			n++
		}
		out[units[0].pair] = combine(units[:n])
		units = units[n:]
	}
	return out, nil
}

// unit is one window of one part of a claim.
type unit struct {
	pair, part int
	claim      []piece
	seq        sequence // empty where there is no evidence

	logits [3]float32
	pieces []float32 // one logit for each piece of the claim
}

// units lays the pairs out in windows, in the order of pairs and parts.
func (m *Model) units(pairs []ibid.Pair) ([]unit, error) {
	type cutText struct {
		pieces []piece
		breaks []int
	}
	known := map[string]cutText{} // one passage is judged with many claims
	room := m.config.MaxTokens - 3
	var out []unit
	for i, p := range pairs {
		claim := m.tokens.pieces(p.Claim)
		if len(claim) == 0 {
			return nil, fmt.Errorf("entail: pair %d: the claim has no text: %w", i, ibid.ErrInvalid)
		}
		evidence, ok := known[p.Evidence]
		if !ok {
			evidence.pieces = m.tokens.pieces(p.Evidence)
			if len(evidence.pieces) > room/2 {
				evidence.breaks = sentenceStarts(p.Evidence, evidence.pieces)
			}
			known[p.Evidence] = evidence
		}
		cut := parts(claim, room/2)
		if len(evidence.pieces) == 0 {
			for n, part := range cut {
				out = append(out, unit{pair: i, part: n, claim: part})
			}
			continue
		}
		for n, ws := range nearest(evidence.pieces, evidence.breaks, cut, room) {
			for _, w := range ws {
				out = append(out, unit{pair: i, part: n, claim: cut[n], seq: m.sequence(w, cut[n])})
			}
		}
	}
	return out, nil
}

// sequence is [CLS] evidence [SEP] claim [SEP], or [CLS] text [SEP] where there is no claim.
func (m *Model) sequence(evidence, claim []piece) sequence {
	ids := make([]int32, 0, len(evidence)+len(claim)+3)
	ids = append(ids, m.tokens.cls)
	for _, p := range evidence {
		ids = append(ids, p.id)
	}
	ids = append(ids, m.tokens.sep)
	second := len(ids)
	if len(claim) > 0 {
		for _, p := range claim {
			ids = append(ids, p.id)
		}
		ids = append(ids, m.tokens.sep)
	}
	return sequence{ids, second}
}

// batchRows is how many tokens go through the encoder together, so that the weights are read once for all of them and
// the states stay in the cache.
const batchRows = 256

// each runs the units, longest first, several short ones together, on all processors.
func (m *Model) each(ctx context.Context, units []unit) error {
	order := make([]*unit, 0, len(units))
	for i := range units {
		if len(units[i].seq.ids) > 0 {
			order = append(order, &units[i])
		} else {
			units[i].logits = noEvidence
			units[i].pieces = slices.Repeat([]float32{noEvidence[0]}, len(units[i].claim))
		}
	}
	slices.SortStableFunc(order, func(a, b *unit) int { return cmp.Compare(len(b.seq.ids), len(a.seq.ids)) })
	rows := 0
	for _, u := range order {
		rows += len(u.seq.ids)
	}
	limit := min(batchRows, rows/runtime.GOMAXPROCS(0)+1) // few pairs are shared out among all processors as well
	var batches [][]*unit
	rows = 0
	for i, from := 0, 0; i < len(order); i++ {
		rows += len(order[i].seq.ids)
		if i+1 == len(order) || rows+len(order[i+1].seq.ids) > limit {
			batches = append(batches, order[from:i+1])
			from, rows = i+1, 0
		}
	}
	n := m.sharedOut(batches, runtime.GOMAXPROCS(0))
	for _, b := range batches[:n] {
		if err := m.parallel(ctx, 1, func(a *arena, _ int) error { return m.judge(b, m.encodeAlone(a, b[0].seq)) }); err != nil {
			return err
		}
	}
	batches = batches[n:]
	return m.parallel(ctx, len(batches), func(a *arena, i int) error {
		seqs := make([]sequence, len(batches[i]))
		for k, u := range batches[i] {
			seqs[k] = u.seq
		}
		return m.judge(batches[i], m.encode(a, seqs))
	})
}

// sharedOut is how many of the first batches are shared out among all processors, one after the other, so that all are done soonest: three of
// one length leave one of two processors without work for a third of the time. Batches come longest first; the others are each
// taken by the next processor that is free.
func (m *Model) sharedOut(batches [][]*unit, procs int) int {
	rows := make([]int, len(batches))
	for i, b := range batches {
		for _, u := range b {
			rows[i] += len(u.seq.ids)
		}
	}
	best, least := 0, math.Inf(1)
	shared := 0.
	for n := 0; n <= min(procs, len(batches)); n++ {
		if n > 0 {
			if len(batches[n-1]) > 1 {
				break
			}
			shared += float64(rows[n-1]) / (alike * float64(m.parts(rows[n-1], procs)))
		}
		busy := make([]int, procs)
		for _, r := range rows[n:] {
			slices.Sort(busy)
			busy[0] += r
		}
		if time := shared + float64(slices.Max(busy)); time < least {
			best, least = n, time
		}
	}
	return best
}

// alike is how much of their time processors that share a sequence are busy: they wait for each other.
const alike = .9

// parallel does n pieces of work, each once, on all processors.
func (m *Model) parallel(ctx context.Context, n int, do func(a *arena, i int) error) error {
	var next atomic.Int64
	work := func() error {
		a := m.arenas.Get().(*arena)
		for {
			i := int(next.Add(1)) - 1
			if i >= n {
				m.arenas.Put(a) // not after an error: values that are no numbers must not stay in it
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := do(a, i); err != nil {
				return err
			}
		}
	}
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers <= 1 {
		return work()
	}
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() { errs[w] = work() })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// judge reads the heads over the states of a batch.
func (m *Model) judge(batch []*unit, states []float32) error {
	n := m.config.Hidden
	pooled := make([]float32, n)
	for _, u := range batch {
		m.apply(&m.dense, pooled, states[:n])
		for i, v := range pooled {
			pooled[i] = float32(math.Tanh(float64(v)))
		}
		var logits, piece [3]float32
		m.apply(&m.pair, logits[:], pooled)
		for i, at := range m.label {
			u.logits[i] = logits[at]
		}
		u.pieces = make([]float32, len(u.claim))
		for i := range u.pieces {
			m.apply(&m.token, piece[:1], states[(1+i)*n:][:n])
			u.pieces[i] = piece[0]
		}
		if v := slices.Concat(u.logits[:], u.pieces); slices.ContainsFunc(v, notFinite) {
			return fmt.Errorf("entail: pair %d: the model gives no number", u.pair)
		}
		states = states[(1+len(u.seq.ids)-u.seq.second)*n:]
	}
	return nil
}

func notFinite(v float32) bool { return v-v != 0 }

// combine gives what the windows of one pair say together.
func combine(units []unit) Raw {
	var out Raw
	for from := 0; from < len(units); {
		end := from + 1
		for end < len(units) && units[end].part == units[from].part {
			end++
		}
		decides, pieces := overWindows(units[from:end])
		if from == 0 || softmax(decides)[0] < softmax(out.Logits)[0] {
			out.Logits = decides
		}
		for i, p := range units[from].claim {
			out.Pieces = append(out.Pieces, PieceLogit{p.at, pieces[i]})
		}
		from = end
	}
	return out
}

// overWindows gives the logits of the window that decides, and the best of each piece.
func overWindows(units []unit) (decides [3]float32, pieces []float32) {
	pieces = slices.Clone(units[0].pieces)
	best, worst, denied := 0, 0, -1.0
	highest := -1.0
	for i, u := range units {
		p := softmax(u.logits)
		if p[0] > highest {
			best, highest = i, p[0]
		}
		if p[2] > denied {
			worst, denied = i, p[2]
		}
		for k, v := range u.pieces {
			pieces[k] = max(pieces[k], v)
		}
	}
	if denied > highest {
		best = worst
	}
	return units[best].logits, pieces
}
