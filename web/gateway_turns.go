package web

import (
	"container/list"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// A request that names what came before it, by previous_response_id or conversation, does not repeat it: the provider has it.
// What was given then is what the answer rests on now, as where a tool's result follows the question of the turn before. So the
// gateway remembers it, for a while and in memory: after that, or where a turn did not pass here, a request has the sources
// that stand in it, or those of the library.

// thread is what a request says of the turns before it, and of those to come.
type thread struct {
	previous     string // the response before
	conversation string
	kept         bool // the provider keeps the response, so that a later request can name it
}

// turns are the turns that are remembered. The zero value has none.
type turns struct {
	mu    sync.Mutex
	byKey map[turnKey]*list.Element
	order list.List // of remembered, the latest first
	bytes int
}

// turnKey names a turn within its collection: what is given in one is nothing to another.
type turnKey struct{ collection, name string }

type remembered struct {
	key      turnKey
	question string
	sources  []givenSource
	tools    map[string]string
	bytes    int
}

// How much is remembered: of all turns, and of one.
const (
	maxTurns     = 10_000
	maxTurnBytes = 8 << 20
	maxAllTurns  = 128 << 20
	entryBytes   = 256 // of what stands around the texts of one source or tool, about
)

// names are what the turns before are remembered by.
func (t thread) names() (out []string) {
	if t.previous != "" {
		out = append(out, "response "+t.previous)
	}
	if t.conversation != "" {
		out = append(out, "conversation "+t.conversation)
	}
	return out
}

// recorded is the conversation that the answer is kept with: the one that the provider keeps by a name. A name that no other way of
// asking would take is left out.
func (t thread) recorded() ibid.ConversationID {
	if utf8.RuneCountInString(t.conversation) > 200 {
		return ""
	}
	return ibid.ConversationID(t.conversation)
}

// recall puts what was given before in front of what a request gives.
func (t *turns) recall(collection string, q *asked) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range q.thread.names() {
		e := t.byKey[turnKey{collection, name}]
		if e == nil {
			continue
		}
		t.order.MoveToFront(e)
		was := e.Value.(*remembered)
		q.question = or(q.question, was.question)
		tools := maps.Clone(was.tools)
		maps.Copy(tools, q.tools)
		q.tools = tools
		sources := slices.DeleteFunc(slices.Clone(was.sources), func(s givenSource) bool { // what is given again
			return slices.ContainsFunc(q.sources, func(g givenSource) bool { return g.Text == s.Text && g.Title == s.Title && g.URL == s.URL })
		})
		sources = append(sources, q.sources...)
		q.sources = sources[max(0, len(sources)-maxGathered):] // the latest
		break
	}
	for i := range q.sources {
		if s := &q.sources[i]; s.Title == "" && s.call != "" {
			s.Title = q.tools[s.call]
		}
	}
}

// remember keeps what the turn was given, and what its answer brought, for the turns that follow it.
func (a *attributing) remember() {
	q := a.asked
	next := thread{conversation: q.thread.conversation}
	if q.thread.kept {
		next.previous = a.name(named{}).id
	}
	<-a.ready
	r := remembered{question: q.question, tools: q.tools}
	for _, s := range slices.Concat(a.given, a.offered) {
		if !s.once {
			r.sources = append(r.sources, s)
		}
	}
	if r.weigh(); r.bytes <= maxTurnBytes {
		r = r.apart()
	}
	for _, name := range next.names() {
		r.key = turnKey{callerOf(a.ctx).collection, name}
		a.server.turns.put(r)
	}
}

// weigh counts what a turn holds but for its name: every text that a request says, as any of them may be long.
func (r *remembered) weigh() {
	r.bytes = len(r.question)
	for _, s := range r.sources {
		r.bytes += entryBytes + len(s.ID) + len(s.Title) + len(s.URL) + len(s.Text) + len(s.fileID) + len(s.call)
	}
	for id, name := range r.tools {
		r.bytes += entryBytes + len(id) + len(name)
	}
}

// apart gives the turn without the request around it: a text that is cut out of another keeps all of that in memory.
func (r remembered) apart() remembered {
	r.question = strings.Clone(r.question)
	r.sources = slices.Clone(r.sources)
	for i := range r.sources {
		s := &r.sources[i]
		for _, text := range []*string{&s.ID, &s.Title, &s.URL, &s.Text, &s.fileID, &s.call} {
			*text = strings.Clone(*text)
		}
	}
	tools := make(map[string]string, len(r.tools))
	for id, name := range r.tools {
		tools[strings.Clone(id)] = strings.Clone(name)
	}
	r.tools = tools
	return r
}

func (t *turns) put(r remembered) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byKey == nil {
		t.byKey = map[turnKey]*list.Element{}
	}
	if e := t.byKey[r.key]; e != nil {
		t.forget(e)
	}
	if r.bytes += entryBytes + len(r.key.name); r.bytes > maxTurnBytes {
		return
	}
	t.byKey[r.key] = t.order.PushFront(&r)
	t.bytes += r.bytes
	for t.bytes > maxAllTurns || t.order.Len() > maxTurns {
		t.forget(t.order.Back())
	}
}

func (t *turns) forget(e *list.Element) {
	r := t.order.Remove(e).(*remembered)
	delete(t.byKey, r.key)
	t.bytes -= r.bytes
}
