package workflow

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/ibid-dev/ibid"
)

// Follower attributes an answer while someone else writes it, and records it at its end. What is written is read beside
// the writer, who never waits for it: the passages are looked for, and every segment but the last is decided, while the
// rest is still being written.
type Follower struct {
	turn *turn
	done chan struct{} // closed when all that was written is attributed
	stop context.CancelFunc
	err  error
}

// Follow begins to follow an answer. The passages are what it may rest on; they are asked for at once and may take their
// time. Where the gate holds back by segment, show is given the words that it lets out, one call after another; may be nil.
// Keep must be called.
func (a *Asker) Follow(ctx context.Context, passages func(context.Context) ([]ibid.Passage, error), show func(text string)) *Follower {
	ctx, stop := context.WithCancel(ctx)
	f := &Follower{done: make(chan struct{}), stop: stop}
	f.turn = &turn{asker: a, dictated: newDictation(), emit: func(e Event) error {
		if e.Kind == Text && show != nil && a.Gate.holds() {
			show(e.Text)
		}
		return nil
	}}
	go func() {
		defer close(f.done)
		defer stop()
		defer func() { // whatever goes wrong in it must not harm the answer
			if p := recover(); p != nil {
				f.err = fmt.Errorf("panic: %v", p)
			}
		}()
		if f.turn.answer.Passages, f.err = passages(ctx); f.err == nil {
			f.turn.gated()
			f.err = f.turn.generate(ctx, ibid.Prompt{})
		}
	}()
	return f
}

// Write takes the next piece of the answer.
func (f *Follower) Write(delta string) { f.turn.dictated.write(delta) }

// Abandon gives up on the answer: it counts as one that could not be attributed. What is being done for it ends.
func (f *Follower) Abandon(why error) {
	f.turn.dictated.end()
	f.stop()
	<-f.done
	if f.err == nil {
		f.err = why
	}
}

// Hurry ends the answer, and abandons it where the context ends before it is attributed.
func (f *Follower) Hurry(ctx context.Context) {
	f.turn.dictated.end()
	select {
	case <-f.done:
	case <-ctx.Done():
		f.Abandon(ctx.Err())
	}
}

// Attributed ends the answer and gives it as it stands, not yet recorded. It has no segments where the gate holds it back.
func (f *Follower) Attributed() (ibid.Answer, error) {
	f.turn.dictated.end()
	<-f.done
	if f.err != nil {
		return ibid.Answer{}, f.err
	}
	a := f.turn.answer
	a.Text, a.Citations = f.turn.text.String(), f.turn.numbers.citations
	return a, a.Check()
}

// errUnattributed says why an answer has no end of which some was let out.
var errUnattributed = errors.New("the rest could not be attributed")

// Keep ends the answer, passes it through the gate and records it, as Asker.Keep does. Of what is given it takes the
// question, the conversation, the model, its usage, and why the answer is incomplete; and the text, in which nothing has a source, where
// attribution failed. What the gate had let out by then stays, and is recorded as incomplete.
func (f *Follower) Keep(ctx context.Context, given ibid.Answer) (ibid.Answer, error) {
	_, err := f.Attributed()
	t := f.turn
	bySegment := t.holder != nil && t.holder.stream != nil
	if err != nil && !bySegment {
		text := strings.ToValidUTF8(given.Text, "\uFFFD")
		given.Text, given.Segments = text, []ibid.Segment{{At: ibid.Span{End: len(text)}, Origin: ibid.LLM, Reasons: []string{"it could not be attributed"}}}
		return t.asker.Keep(ctx, given)
	}
	t.answer.Question, t.answer.Conversation, t.answer.Model, t.answer.Usage, t.answer.Incomplete = given.Question, given.Conversation, given.Model, given.Usage, given.Incomplete
	if err != nil { // what was not looked at is not let out
		decided := t.text.String()[:t.holder.past]
		t.text.Reset()
		t.text.WriteString(decided)
		t.answer.Incomplete, t.refused = errUnattributed.Error(), errUnattributed
	}
	if err := t.record(ctx); err != nil {
		return ibid.Answer{}, err
	}
	return t.answer, t.refused
}

// dictation is what someone else writes, in the place of a model.
type dictation struct {
	mu    sync.Mutex
	more  *sync.Cond
	text  strings.Builder // not yet read
	ended bool
}

func newDictation() *dictation {
	d := &dictation{}
	d.more = sync.NewCond(&d.mu)
	return d
}

func (d *dictation) write(text string) {
	d.mu.Lock()
	d.text.WriteString(text)
	d.mu.Unlock()
	d.more.Signal()
}

func (d *dictation) end() {
	d.mu.Lock()
	d.ended = true
	d.mu.Unlock()
	d.more.Signal()
}

// next gives what was written since it was last asked, and waits for it.
func (d *dictation) next() (text string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.text.Len() == 0 && !d.ended {
		d.more.Wait()
	}
	text = d.text.String()
	d.text.Reset()
	return text, text != ""
}

// Generate yields what is written as it comes.
func (d *dictation) Generate(context.Context, ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		for {
			text, ok := d.next()
			if !ok || !yield(ibid.Delta{Text: text}, nil) {
				return
			}
		}
	}
}
