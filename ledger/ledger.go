// Package ledger binds what an agent claims to its source at the moment a tool returns, before a model rephrases it.
//
//	led := ledger.New("run-1", "researcher", ledger.Config{Now: time.Now})
//	search := ledger.Capture(led, ledger.Tool{Name: "search", Category: "web_search"}, api.Search)
//
//	hits, source, err := search(ctx, "transatlantic cable")   // what the tool returned, and the reference to it
//	led.Claim("The cable was completed on 5 August 1858.", source)
//	led.Exempt("Three pages were read.", ibid.AboutRun)
//
// Each call of a tool is a reference of its own, and each claim has one: what is the same is never put together when it
// is registered, only when it is looked at (Distinct). What is registered is a copy and never changes. A ledger says where
// a claim comes from, and not whether it is true.
//
// Ledgers of many agents and processes are merged by a Book.
package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// Config says what a ledger stands on.
type Config struct {
	// Now is the clock. It must be set.
	Now func() time.Time
	// Keep takes each snapshot when it is first seen, by its hash. Where it is nil the ledger keeps them in memory, for
	// Snapshot to give.
	Keep func(id ibid.DocumentID, body []byte) error
	// Load gives a snapshot that is kept elsewhere, so that quotes can be found in it. May be nil.
	Load func(id ibid.DocumentID) ([]byte, error)
}

// maxChain bounds how often a claim is handed on.
const maxChain = 64

// Ledger is what one agent retrieved and claimed in one run. It is safe for use by several goroutines.
type Ledger struct {
	run     ibid.RunID
	agent   string
	config  Config
	started time.Time

	mu        sync.Mutex
	sources   []ibid.SourceReference
	byID      map[string]string // identifier -> hash of the reference
	snapshots map[ibid.DocumentID][]byte
	claims    []ibid.Claim
	calls     int
	closed    bool
}

// New begins the ledger of an agent within a run. An agent without a name is the only one.
func New(run ibid.RunID, agent string, c Config) *Ledger {
	return &Ledger{run: run, agent: agent, config: c, started: c.Now().UTC(),
		byID: map[string]string{}, snapshots: map[ibid.DocumentID][]byte{}}
}

// check refuses a ledger whose claims could not be told to be the same once they were written and read.
func (l *Ledger) check() error {
	if !utf8.ValidString(string(l.run)) || !utf8.ValidString(l.agent) {
		return fmt.Errorf("run %q, agent %q: not valid UTF-8: %w", excerpt(string(l.run)), excerpt(l.agent), ibid.ErrInvalid)
	}
	return nil
}

// Source registers one retrieval with what it returned, and gives the reference as it is registered. The agent, the
// number of the call, the time where it is zero, the hash of the snapshot and, where it is empty, an identifier are
// filled in. An identifier that is taken is refused: two retrievals are two references. The error wraps ibid.ErrInvalid.
func (l *Ledger) Source(r ibid.SourceReference, snapshot []byte) (ibid.SourceReference, error) {
	r = r.Clone()
	if err := errors.Join(l.check(), checkReference(r)); err != nil {
		return ibid.SourceReference{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ibid.SourceReference{}, fmt.Errorf("source %q: the run is finished: %w", r.Identifier, ibid.ErrInvalid)
	}
	r.Agent, r.Call = l.agent, l.calls+1
	if r.FetchedAt.IsZero() {
		r.FetchedAt = l.config.Now()
	}
	r.FetchedAt = stamp(r.FetchedAt)
	if r.Identifier == "" {
		r.Identifier = l.name(r)
	}
	if _, taken := l.byID[r.Identifier]; taken {
		return ibid.SourceReference{}, fmt.Errorf("source %q is registered already: give each retrieval an identifier of its own: %w", r.Identifier, ibid.ErrInvalid)
	}
	if snapshot != nil {
		if err := l.keep(&r, snapshot); err != nil {
			return ibid.SourceReference{}, err
		}
	}
	l.calls++
	l.byID[r.Identifier] = r.Hash()
	l.sources = append(l.sources, r)
	return r.Clone(), nil
}

// stamp cuts a time to what every store and format keeps of it.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// name makes an identifier that no earlier call has.
func (l *Ledger) name(r ibid.SourceReference) string {
	base := r.Tool
	if base == "" {
		base = r.Category
	}
	for n := r.Call; ; n++ {
		id := fmt.Sprintf("%s-%d", base, n)
		if _, taken := l.byID[id]; !taken {
			return id
		}
	}
}

// keep stores the snapshot once, by its hash.
func (l *Ledger) keep(r *ibid.SourceReference, snapshot []byte) error {
	id := ibid.HashText(string(snapshot))
	if r.Snapshot != "" && r.Snapshot != id {
		return fmt.Errorf("source %q: its snapshot hash is not that of what is given with it: %w", r.Identifier, ibid.ErrInvalid)
	}
	r.Snapshot = id
	if _, have := l.snapshots[id]; have {
		return nil
	}
	if l.config.Keep != nil {
		if err := l.config.Keep(id, snapshot); err != nil {
			return fmt.Errorf("source %q: snapshot: %w", r.Identifier, err)
		}
		l.snapshots[id] = nil // known, and kept elsewhere
		return nil
	}
	l.snapshots[id] = bytes.Clone(snapshot)
	return nil
}

func checkReference(r ibid.SourceReference) error {
	if r.Category == "" {
		return fmt.Errorf("source %q has no category: say what kind of tool returned it, as web_search: %w", r.Identifier, ibid.ErrInvalid)
	}
	texts := []string{r.Identifier, r.Category, r.Endpoint, r.Tool, r.QueryHash, string(r.Snapshot)}
	for k, v := range r.Metadata {
		texts = append(texts, k, v)
	}
	for _, s := range texts { // what is not UTF-8 is not the same once it was written and read
		if !utf8.ValidString(s) {
			return fmt.Errorf("source %q: %q is not valid UTF-8: %w", r.Identifier, excerpt(s), ibid.ErrInvalid)
		}
	}
	if y := r.FetchedAt.UTC().Year(); y < 0 || y > 9999 {
		return fmt.Errorf("source %q: it was fetched in the year %d: %w", r.Identifier, y, ibid.ErrInvalid)
	}
	if r.Identifier != "" && strings.TrimSpace(r.Identifier) == "" {
		return fmt.Errorf("source: its identifier is blank: %w", ibid.ErrInvalid)
	}
	return nil
}

// Claim registers a claim and the source that it rests on. The source must be one that this ledger gave out, unchanged;
// one with an empty identifier is none, and the claim is uncited. With quotes, each must stand in the source's snapshot:
// the claim then points at the very words. The error wraps ibid.ErrInvalid.
func (l *Ledger) Claim(text string, source ibid.SourceReference, quotes ...string) (ibid.Claim, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := ibid.Claim{Text: text}
	if source.Identifier != "" {
		if err := l.known(source); err != nil {
			return ibid.Claim{}, fmt.Errorf("claim %q: %w", excerpt(text), err)
		}
		s := source.Clone()
		c.Source = &s
	}
	for _, q := range quotes {
		at, err := l.find(source, q)
		if err != nil {
			return ibid.Claim{}, fmt.Errorf("claim %q: %w", excerpt(text), err)
		}
		c.Evidence = append(c.Evidence, at)
	}
	return l.register(c)
}

// known refuses a source that was never registered here, or that is not what was registered.
func (l *Ledger) known(source ibid.SourceReference) error {
	hash, ok := l.byID[source.Identifier]
	if !ok {
		return fmt.Errorf("source %q is not registered: register it where the tool returns: %w", source.Identifier, ibid.ErrInvalid)
	}
	if hash != source.Hash() {
		return fmt.Errorf("source %q was changed after it was registered: retrieve it again to cite what it says now: %w", source.Identifier, ibid.ErrInvalid)
	}
	return nil
}

// find gives where a quote stands in the snapshot of a source: to the letter, or as a string of JSON holds it.
func (l *Ledger) find(source ibid.SourceReference, quote string) (ibid.Anchor, error) {
	switch {
	case strings.TrimSpace(quote) == "":
		return ibid.Anchor{}, fmt.Errorf("the quote is empty: %w", ibid.ErrInvalid)
	case source.Snapshot == "":
		return ibid.Anchor{}, fmt.Errorf("source %q has no snapshot that could hold the quote: %w", source.Identifier, ibid.ErrInvalid)
	}
	body := l.snapshots[source.Snapshot]
	if body == nil && l.config.Load != nil {
		var err error
		if body, err = l.config.Load(source.Snapshot); err != nil {
			return ibid.Anchor{}, fmt.Errorf("source %q: %w", source.Identifier, err)
		}
	}
	if ibid.HashText(string(body)) != source.Snapshot {
		return ibid.Anchor{}, fmt.Errorf("source %q: its snapshot is kept elsewhere, so quotes cannot be found in it: %w", source.Identifier, ibid.ErrInvalid)
	}
	at, ok := stands(body, quote)
	if !ok {
		return ibid.Anchor{}, fmt.Errorf("%q does not stand in the snapshot of source %q: %w", excerpt(quote), source.Identifier, ibid.ErrInvalid)
	}
	return ibid.Anchor{Document: source.Snapshot, Span: at}, nil
}

// Exempt registers a claim that needs no source: one that code computed, that is about the form of the output, or about
// the run itself. It is kept in the record and left out of coverage. The error wraps ibid.ErrInvalid.
func (l *Ledger) Exempt(text string, why ibid.Exemption) (ibid.Claim, error) {
	switch why {
	case ibid.Computed, ibid.Structural, ibid.AboutRun:
	default:
		return ibid.Claim{}, fmt.Errorf("claim %q: exempt as %q: choose computed, structural or run: %w", excerpt(text), why, ibid.ErrInvalid)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.register(ibid.Claim{Text: text, Exempt: why})
}

// Statement is a claim as it is sent to a ledger from elsewhere: it names its source by identifier, or says why it needs none.
type Statement struct {
	Text   string
	Source string
	Quotes []string
	Exempt ibid.Exemption
}

// State registers a claim that was sent. The error wraps ibid.ErrInvalid.
func (l *Ledger) State(s Statement) (ibid.Claim, error) {
	source, ok := l.Registered(s.Source)
	switch {
	case s.Exempt != "" && (s.Source != "" || len(s.Quotes) > 0):
		return ibid.Claim{}, fmt.Errorf("a claim that needs no source has none: leave out exempt, or source and quotes: %w", ibid.ErrInvalid)
	case s.Exempt != "":
		return l.Exempt(s.Text, s.Exempt)
	case s.Source != "" && !ok:
		return ibid.Claim{}, fmt.Errorf("there is no source %q: %w", excerpt(s.Source), ibid.ErrInvalid)
	}
	return l.Claim(s.Text, source, s.Quotes...)
}

// register completes a claim and appends it. The caller holds the lock.
func (l *Ledger) register(c ibid.Claim) (ibid.Claim, error) {
	if err := l.checkText(c.Text); err != nil {
		return ibid.Claim{}, err
	}
	c.Run, c.Agent, c.Number, c.At = l.run, l.agent, len(l.claims)+1, stamp(l.config.Now())
	c.ID = c.Identify()
	l.claims = append(l.claims, c)
	return c.Clone(), nil
}

// checkText refuses what can be no claim, or not now. The caller holds the lock.
func (l *Ledger) checkText(text string) error {
	if err := l.check(); err != nil {
		return err
	}
	switch {
	case l.closed:
		return fmt.Errorf("claim %q: the run is finished: %w", excerpt(text), ibid.ErrInvalid)
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("the claim is empty: %w", ibid.ErrInvalid)
	case !utf8.ValidString(text):
		return fmt.Errorf("claim %q is not valid UTF-8: %w", excerpt(text), ibid.ErrInvalid)
	}
	return nil
}

// Receive takes in a claim that another agent hands over, and gives the reference by which this agent's own claims can
// rest on it. The chain stays whole: the reference holds the claim with its source, back to the first tool. A claim
// without a source hands over nothing to rest on. The error wraps ibid.ErrInvalid.
func (l *Ledger) Receive(c ibid.Claim) (ibid.SourceReference, error) {
	if c.ID != c.Identify() {
		return ibid.SourceReference{}, fmt.Errorf("claim %q was changed after it was registered: %w", excerpt(c.Text), ibid.ErrInvalid)
	}
	if !c.Cited() {
		return ibid.SourceReference{}, fmt.Errorf("claim %q has no source to hand over: %w", excerpt(c.Text), ibid.ErrInvalid)
	}
	depth := 0
	for r := c.Source; r != nil && r.From != nil; r = r.From.Source {
		if depth++; depth > maxChain {
			return ibid.SourceReference{}, fmt.Errorf("claim %q was handed on more than %d times: %w", excerpt(c.Text), maxChain, ibid.ErrInvalid)
		}
	}
	from := c.Clone()
	return l.Source(ibid.SourceReference{Category: "agent", Tool: "handover", Endpoint: "agent:" + c.Agent, From: &from}, []byte(c.Text))
}

// Run gives the record of the ledger as it is now. It is a copy.
func (l *Ledger) Run() ibid.Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := ibid.Run{ID: l.run, StartedAt: stamp(l.started), Sources: []ibid.SourceReference{}, Claims: []ibid.Claim{}}
	for _, s := range l.sources {
		r.Sources = append(r.Sources, s.Clone())
	}
	for _, c := range l.claims {
		r.Claims = append(r.Claims, c.Clone())
	}
	return r
}

// Close ends registration: what is claimed after the gate looked would escape it. Closing twice changes nothing.
func (l *Ledger) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// Snapshots gives what was retrieved, by hash, where the ledger keeps it itself. The map is a copy; its bytes must not be
// changed.
func (l *Ledger) Snapshots() map[ibid.DocumentID][]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := maps.Clone(l.snapshots)
	maps.DeleteFunc(out, func(_ ibid.DocumentID, b []byte) bool { return b == nil })
	return out
}

// HashQuery is the hash of what was asked of a tool.
func HashQuery(query any) (string, error) {
	b, err := bytesOf(query)
	if err != nil {
		return "", err
	}
	return string(ibid.HashText(string(b))), nil
}

// bytesOf gives text and bytes as they are, and all else as JSON.
func bytesOf(v any) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return []byte(v), nil
	case []byte:
		return v, nil
	}
	b, err := jsonOf(v)
	if err != nil {
		return nil, fmt.Errorf("%T: %w: %w", v, err, ibid.ErrInvalid)
	}
	return b, nil
}

// jsonOf writes JSON with < and & as they are, so that quotes are found in it.
func jsonOf(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func excerpt(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "�")), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}
