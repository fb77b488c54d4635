package audit

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/ibid-dev/ibid/internal/wording"
)

// KeyChange is the payload of an entry of kind KindKey, as JSON.
type KeyChange struct {
	Origin   string `json:"origin"`             // names the log
	Key      string `json:"key"`                // public; signs from here on
	Replaces string `json:"replaces,omitempty"` // the one that signed before; none in the first entry
	Lost     string `json:"lost,omitempty"`     // why the old key did not sign the change
}

// Erasure is the payload of an entry of kind KindErasure, as JSON.
type Erasure struct {
	Entry  int64  `json:"entry"` // whose payload was erased
	Reason string `json:"reason"`
}

// Stored is a record as a log keeps it, with the hashes of the tree that are kept with it. Nothing of it is believed.
type Stored struct {
	Record
	Hashes []Hash // the entry's own, then those of the subtrees that it completes; nil where they cannot be told
}

// Expect is what a log is held against.
type Expect struct {
	Origin  string   // names the log; "" where that is not known
	Head    string   // signed checkpoint over all entries
	Changes []Change // signed checkpoints at which the key changed
	// Keys are public keys that the caller trusts. One of them must be a key of the log, and what came after it signed on
	// from it. Where there are none, the key in the log's first entry is taken at its word.
	Keys []string
	// Kept are signed checkpoints that were kept elsewhere. The log must begin with what each of them says.
	Kept []string
	// Copy says that the records are a copy made over time, such as an export: a payload that was erased since may stand
	// in it, which is noted.
	Copy bool
	// Progress is called now and then with how many entries were read. Defaults to nothing.
	Progress func(entries int64)
}

// Change is the signed checkpoint at which a key changed: its last entry is the change.
type Change struct {
	Size   int64
	Signed string
}

// Report is what Verify found.
type Report struct {
	Entries     int64     `json:"entries"`
	Payloads    int64     `json:"payloads"`
	Erased      int64     `json:"erased"`
	ClockBehind int64     `json:"clock_behind"` // entries at which the clock had jumped back
	Checkpoints int       `json:"checkpoints"`  // whose signatures hold
	Keys        []string  `json:"keys"`         // of the log, the first first
	First       time.Time `json:"first,omitzero"`
	Last        time.Time `json:"last,omitzero"`
	Root        Hash      `json:"root"`
	Notes       []string  `json:"notes,omitempty"` // what holds, and should be known
	Problems    []Problem `json:"problems"`        // none in a log that is whole
	More        int       `json:"more,omitempty"`  // problems beyond those listed
}

// Problem is something that does not hold.
type Problem struct {
	Entry int64  `json:"entry"` // -1 where it is not about an entry
	What  string `json:"what"`
}

func (p Problem) String() string {
	if p.Entry < 0 {
		return p.What
	}
	return fmt.Sprintf("entry %d: %s", p.Entry, p.What)
}

// maxProblems bounds the list of problems: one that is in the wrong place has many that follow from it.
const maxProblems = 100

// Verify checks a whole log: that every hash is that of its entry and of those before it, that the hashes of the tree
// follow from them, that every payload is what its entry commits to and every missing one was erased by an entry, that
// checkpoints are signed and are of this tree, and that the keys follow from each other. It reads each record once and
// holds none. The error is that of the records.
func Verify(records iter.Seq2[Stored, error], c Expect) (Report, error) {
	v := &verifier{expect: c, missing: map[int64]bool{}, erased: map[int64]int64{}, roots: map[int64]Hash{}}
	v.report.Problems = []Problem{}
	v.prepare()
	for s, err := range records {
		if err != nil {
			return Report{}, err
		}
		if !v.entry(s) {
			break
		}
	}
	v.settle(nil)
	v.finish()
	return v.report, nil
}

type verifier struct {
	expect Expect
	report Report

	tree  Tree
	prev  Hash
	last  time.Time
	doubt *doubt // about the entry before, until the next one decides

	keys    []keyUse
	missing map[int64]bool  // entries without a payload
	erased  map[int64]int64 // entries that an erasure names, and its own index
	roots   map[int64]Hash  // of the sizes that some checkpoint speaks of
	nodes   []Hash
}

// keyUse is a key and the entry that names it.
type keyUse struct {
	entry int64
	key   string
	alone bool // the key before it did not sign the change
}

// doubt is an entry whose fields and hash do not fit each other: either may be what was signed.
type doubt struct {
	stored   Stored
	computed Hash
}

func (v *verifier) problem(entry int64, format string, args ...any) {
	if len(v.report.Problems) == maxProblems {
		v.report.More++
		return
	}
	v.report.Problems = append(v.report.Problems, Problem{entry, fmt.Sprintf(format, args...)})
}

// prepare notes the sizes at which the root will be asked for.
func (v *verifier) prepare() {
	for _, signed := range v.expect.Kept {
		if c, err := ReadCheckpoint(signed); err == nil {
			v.roots[c.Size] = Hash{}
		}
	}
	for _, change := range v.expect.Changes {
		v.roots[change.Size] = Hash{}
	}
}

// entry checks one record, and reports whether it makes sense to go on.
func (v *verifier) entry(s Stored) bool {
	v.settle(&s)
	next := v.tree.Size()
	if s.Entry.Index != next {
		v.problem(next, "is missing: the next one is entry %d; what follows is not checked", s.Entry.Index)
		return false
	}
	if next == 0 {
		v.report.First = s.Entry.At
	}
	if v.expect.Progress != nil && next%4096 == 0 {
		v.expect.Progress(next)
	}
	v.report.Last = s.Entry.At
	if s.Entry.At.Before(v.last) {
		v.problem(next, "its time %s is before that of the entry before it", s.Entry.At.Format(TimeForm))
	}
	v.last = s.Entry.At
	if !s.Entry.Clock.IsZero() {
		v.report.ClockBehind++
	}
	v.payload(s)
	if v.expect.Copy && s.Entry.Prev != v.prev.String() {
		v.problem(next, "its prev is not the hash of the entry before it")
	}
	s.Entry.Prev = v.prev.String()
	leaf := HashLeaf(s.Entry)
	switch {
	case len(s.Hashes) == 0:
		v.problem(next, "its hashes are cut")
	case leaf != s.Hashes[0]:
		v.problem(next, "was changed: it hashes to %.12s… and %.12s… was recorded", leaf, s.Hashes[0])
		v.doubt = &doubt{s, leaf}
		return true
	}
	v.add(s, leaf)
	return true
}

// settle decides which hash an entry in doubt had when it was signed, so that one change is reported once: the next entry
// was hashed with it.
func (v *verifier) settle(next *Stored) {
	d := v.doubt
	if d == nil {
		return
	}
	v.doubt = nil
	hash := d.stored.Hashes[0]
	if next != nil && len(next.Hashes) > 0 {
		e := next.Entry
		if e.Prev = d.computed.String(); HashLeaf(e) == next.Hashes[0] {
			hash = d.computed
		}
	}
	v.add(d.stored, hash)
}

// add puts the entry into the tree, and holds the hashes that are kept with it against those of the tree.
func (v *verifier) add(s Stored, leaf Hash) {
	v.prev = leaf
	v.nodes = v.tree.Add(leaf, v.nodes[:0])
	v.report.Entries++
	if len(s.Hashes) > 0 {
		if len(s.Hashes) != len(v.nodes) {
			v.problem(s.Entry.Index, "has %d hashes of the tree where there should be %d", len(s.Hashes), len(v.nodes))
		}
		for level := 1; level < min(len(s.Hashes), len(v.nodes)); level++ {
			if s.Hashes[level] != v.nodes[level] {
				v.problem(s.Entry.Index, "the tree's hash over the %d entries up to it was changed", 1<<level)
			}
		}
	}
	if _, asked := v.roots[v.tree.Size()]; asked {
		v.roots[v.tree.Size()] = v.tree.Root()
	}
	v.special(s)
}

func (v *verifier) payload(s Stored) {
	e := s.Entry
	switch {
	case e.Data == nil:
		v.missing[e.Index] = true
	case Commit(s.Salt, e.Data).String() != e.Commitment:
		v.problem(e.Index, "its payload is not what was recorded")
		fallthrough
	default:
		v.report.Payloads++
	}
}

// special reads the entries that the log writes about itself.
func (v *verifier) special(s Stored) {
	e := s.Entry
	switch {
	case e.Kind == KindErasure:
		var erasure Erasure
		if err := json.Unmarshal(e.Data, &erasure); err != nil {
			v.problem(e.Index, "cannot be read as an erasure")
			return
		}
		v.erased[erasure.Entry] = e.Index
	case e.Kind == KindKey:
		v.key(e.Index, e.Data)
	case e.Index == 0:
		v.problem(0, "does not name the key of the log")
	}
}

// key follows a change of the key: the checkpoint over it must be signed by both.
func (v *verifier) key(entry int64, data []byte) {
	var change KeyChange
	if err := json.Unmarshal(data, &change); err != nil || change.Key == "" {
		v.problem(entry, "cannot be read as a key")
		return
	}
	if change.Origin != v.expect.Origin && v.expect.Origin != "" { // an export without a checkpoint is of no known log
		v.problem(entry, "names the log %q, and it is %q", change.Origin, v.expect.Origin)
	}
	old := ""
	if len(v.keys) > 0 {
		old = v.keys[len(v.keys)-1].key
	}
	v.keys = append(v.keys, keyUse{entry, change.Key, change.Lost != ""})
	v.report.Keys = append(v.report.Keys, change.Key)
	if change.Replaces != old {
		v.problem(entry, "replaces a key that did not sign")
		return
	}
	if entry == 0 {
		return
	}
	must := []string{old, change.Key}
	if change.Lost != "" {
		v.report.Notes = append(v.report.Notes, fmt.Sprintf("entry %d: the key was changed without the old one: %s", entry, change.Lost))
		must = must[1:]
	}
	i := slices.IndexFunc(v.expect.Changes, func(c Change) bool { return c.Size == entry+1 })
	if i < 0 {
		v.problem(entry, "changes the key, and no checkpoint over it is kept")
		return
	}
	v.signed(entry, "the checkpoint at which the key changed", v.expect.Changes[i].Signed, entry+1, must)
}

// signed holds a checkpoint against the tree and the keys that must have signed it, and reports whether all is well.
func (v *verifier) signed(entry int64, what, signed string, size int64, must []string) bool {
	c, err := OpenCheckpoint(signed, must...)
	if err != nil {
		v.problem(entry, "%s: %s", what, wording.Of(err))
		return false
	}
	for _, key := range must {
		if !c.SignedBy(key) {
			v.problem(entry, "%s is not signed by %s", what, key)
			return false
		}
	}
	root := v.roots[size]
	if size == v.tree.Size() {
		root = v.tree.Root()
	}
	if c.Origin == v.expect.Origin && c.Size > v.tree.Size() {
		v.problem(v.tree.Size(), "is missing: %s is of %d entries", what, c.Size)
		return false
	}
	if c.Origin != v.expect.Origin || c.Size != size || c.Root != root {
		v.problem(entry, "%s (%s, %d entries) is not of this log", what, c.Origin, c.Size)
		return false
	}
	v.report.Checkpoints++
	return true
}

// finish checks what can be checked only at the end.
func (v *verifier) finish() {
	v.report.Root = v.tree.Root()
	for _, index := range sorted(v.missing) {
		if _, ok := v.erased[index]; ok {
			v.report.Erased++
			continue
		}
		v.problem(index, "its payload is missing, and no entry says that it was erased")
	}
	for _, index := range sorted(v.erased) {
		switch {
		case v.missing[index]:
		case v.expect.Copy:
			v.report.Notes = append(v.report.Notes, fmt.Sprintf("the payload of entry %d was erased since, and stands in this copy", index))
		default:
			v.problem(v.erased[index], "says that the payload of entry %d was erased, and it is there", index)
		}
	}
	v.head()
	for _, c := range v.expect.Changes {
		if !slices.ContainsFunc(v.keys, func(k keyUse) bool { return k.entry+1 == c.Size }) {
			v.problem(c.Size-1, "a change of key is signed, and the entry is none")
		}
	}
	for i, signed := range v.expect.Kept {
		v.kept(i, signed)
	}
	v.trusted()
}

func (v *verifier) head() {
	last := v.tree.Size() - 1
	switch {
	case last < 0 && v.expect.Head != "":
		v.problem(0, "is missing: a checkpoint is signed, and there are no entries")
	case last < 0:
	case v.expect.Head == "":
		v.problem(last, "no checkpoint is signed over it")
	case len(v.keys) > 0:
		v.signed(last, "the signed checkpoint over the log", v.expect.Head, last+1, []string{v.keys[len(v.keys)-1].key})
	}
}

// kept holds the log against a checkpoint from elsewhere. What it says of the log's beginning must be so.
func (v *verifier) kept(i int, signed string) {
	c, err := OpenCheckpoint(signed, v.keysAt(signed)...)
	told, _ := ReadCheckpoint(signed)
	switch {
	case err != nil && told.Origin == v.expect.Origin && told.Size > v.tree.Size():
		// A log that was cut back to before a change of the key does not know who signed this.
		v.problem(-1, "checkpoint %d kept elsewhere speaks of %d entries, and the log has %d: they are missing, unless it is forged: %s", i+1, told.Size, v.tree.Size(), wording.Of(err))
	case err != nil:
		v.problem(-1, "checkpoint %d kept elsewhere: %s", i+1, wording.Of(err))
	case c.Origin != v.expect.Origin:
		v.problem(-1, "checkpoint %d kept elsewhere is of another log, %s", i+1, c.Origin)
	case c.Size > v.tree.Size():
		v.problem(v.tree.Size(), "is missing: checkpoint %d kept elsewhere was signed over %d entries", i+1, c.Size)
	case c.Root != v.roots[c.Size]:
		v.problem(c.Size-1, "the log up to it is not the one that checkpoint %d kept elsewhere was signed over", i+1)
	default:
		v.report.Checkpoints++
	}
}

// keysAt are the keys that may sign a checkpoint of this size: the one in force, and at a change the one before it.
func (v *verifier) keysAt(signed string) []string {
	c, err := ReadCheckpoint(signed)
	if err != nil {
		return nil
	}
	var keys []string
	for i, k := range v.keys {
		ends := i+1 < len(v.keys) && v.keys[i+1].entry+1 < c.Size
		if k.entry < c.Size && !ends {
			keys = append(keys, k.key)
		}
	}
	return keys
}

// trusted holds that one of the caller's keys is the log's, or led to it.
func (v *verifier) trusted() {
	if len(v.expect.Keys) == 0 || v.tree.Size() == 0 {
		return
	}
	known := false
	for _, k := range v.keys {
		known = known && !k.alone || slices.Contains(v.expect.Keys, k.key)
	}
	if !known {
		v.problem(-1, "none of the keys that were given is a key of this log, or led to the one that signs now")
	}
}

func sorted[T any](set map[int64]T) []int64 {
	var list []int64
	for n := range set {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}
