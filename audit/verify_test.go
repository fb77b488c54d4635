package audit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

func (m *memory) all() iter.Seq2[audit.Stored, error] {
	return func(yield func(audit.Stored, error) bool) {
		for _, r := range m.records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (m *memory) verify(t testing.TB, c audit.Expect) audit.Report {
	t.Helper()
	if c.Head == "" {
		c.Head = m.signed(t)
	}
	c.Origin = "log.example"
	r, err := audit.Verify(m.all(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func problems(r audit.Report) string { return fmt.Sprint(r.Problems) }

// rotate changes the key of the log, and gives the checkpoint over the change, signed by the given keys.
func (m *memory) rotate(t testing.TB, change audit.KeyChange, signs ...*audit.Key) audit.Change {
	t.Helper()
	data, err := json.Marshal(change)
	if err != nil {
		t.Fatal(err)
	}
	m.add(audit.KindKey, string(data))
	c := audit.Checkpoint{Origin: "log.example", Size: m.tree.Size(), Root: m.tree.Root()}
	signed, err := c.Sign(signs...)
	if err != nil {
		t.Fatal(err)
	}
	return audit.Change{Size: c.Size, Signed: signed}
}

func newKey(t testing.TB, seed string) *audit.Key {
	t.Helper()
	k, err := audit.NewKey(chance(seed), "log.example")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestKeysFollowFromEachOther(t *testing.T) {
	m := newMemory(t, "one")
	old, next, thief := m.key, newKey(t, "next"), newKey(t, "thief")
	early := m.signed(t)
	change := m.rotate(t, audit.KeyChange{Origin: "log.example", Key: next.Public(), Replaces: old.Public()}, old, next)
	m.add("answer", "two")
	late := m.signed(t) // by the old key, which is no longer in force
	m.key = next
	changes := []audit.Change{change}

	if r := m.verify(t, audit.Expect{Changes: changes, Kept: []string{early, change.Signed, m.signed(t)}, Keys: []string{old.Public()}}); len(r.Problems) > 0 || r.Checkpoints != 5 {
		t.Errorf("an honest log: %v, %d checkpoints", r.Problems, r.Checkpoints)
	}
	if r := m.verify(t, audit.Expect{Changes: changes, Keys: []string{next.Public()}}); len(r.Problems) > 0 {
		t.Errorf("who trusts the new key: %v", r.Problems)
	}
	for name, c := range map[string]struct {
		expect audit.Expect
		words  string
	}{
		"a checkpoint by the old key, from after the change": {audit.Expect{Changes: changes, Kept: []string{late}}, "none of the given keys"},
		"the head by the old key":                            {audit.Expect{Changes: changes, Head: late}, "none of the given keys"},
		"no checkpoint over the change":                      {audit.Expect{}, "entry 2: changes the key, and no checkpoint over it is kept"},
		"a stranger's key":                                   {audit.Expect{Changes: changes, Keys: []string{thief.Public()}}, "none of the keys that were given"},
		"a checkpoint of no change":                          {audit.Expect{Changes: append(changes, audit.Change{Size: 2, Signed: early})}, "entry 1: a change of key is signed, and the entry is none"},
		"kept nonsense":                                      {audit.Expect{Changes: changes, Kept: []string{"x"}}, "checkpoint 1 kept elsewhere"},
	} {
		if r := m.verify(t, c.expect); !strings.Contains(problems(r), c.words) {
			t.Errorf("%s: %v", name, r.Problems)
		}
	}

	// A thief of the file, without the old key, cannot put a key of his own in.
	for name, signs := range map[string][]*audit.Key{"signed by the thief alone": {thief}, "signed by a stranger and the thief": {next, thief}} {
		m := newMemory(t, "one")
		change := m.rotate(t, audit.KeyChange{Origin: "log.example", Key: thief.Public(), Replaces: m.key.Public()}, signs...)
		m.key = thief
		if r := m.verify(t, audit.Expect{Changes: []audit.Change{change}}); !strings.Contains(problems(r), "entry 2: the checkpoint at which the key changed") {
			t.Errorf("%s: %v", name, r.Problems)
		}
	}
	// He can say that it was lost; who holds the old key sees it.
	m = newMemory(t, "one")
	change = m.rotate(t, audit.KeyChange{Origin: "log.example", Key: thief.Public(), Replaces: m.key.Public(), Lost: "lost it"}, thief)
	trusted := m.key.Public()
	m.key = thief
	if r := m.verify(t, audit.Expect{Changes: []audit.Change{change}}); len(r.Problems) > 0 || len(r.Notes) != 1 {
		t.Errorf("a lost key: %v, %v", r.Problems, r.Notes)
	}
	if r := m.verify(t, audit.Expect{Changes: []audit.Change{change}, Keys: []string{trusted}}); len(r.Problems) != 1 {
		t.Errorf("a lost key, to who holds the old one: %v", r.Problems)
	}
}

// A change of one entry is reported once, under its name.
func TestOneChangeIsOneProblem(t *testing.T) {
	for name, spoil := range map[string]func(*audit.Stored){
		"kind":        func(s *audit.Stored) { s.Entry.Kind = "other" },
		"time":        func(s *audit.Stored) { s.Entry.At = s.Entry.At.Add(1000) },
		"hash":        func(s *audit.Stored) { s.Hashes = slices.Clone(s.Hashes); s.Hashes[0][3] ^= 1 },
		"tree":        func(s *audit.Stored) { s.Hashes = slices.Clone(s.Hashes); s.Hashes[2][3] ^= 1 },
		"payload":     func(s *audit.Stored) { s.Entry.Data = []byte("other") },
		"salt":        func(s *audit.Stored) { s.Salt[0] ^= 1 },
		"no payload":  func(s *audit.Stored) { s.Entry.Data = nil },
		"no hashes":   func(s *audit.Stored) { s.Hashes = nil },
		"a hash less": func(s *audit.Stored) { s.Hashes = s.Hashes[:2] },
		"a hash more": func(s *audit.Stored) { s.Hashes = append(slices.Clone(s.Hashes), audit.Hash{}) },
	} {
		m := newMemory(t, "1", "2", "3", "4", "5", "6")
		spoil(&m.records[3])
		if r := m.verify(t, audit.Expect{}); len(r.Problems) != 1 || r.Problems[0].Entry != 3 {
			t.Errorf("%s: %v", name, r.Problems)
		}
	}
}

// The report counts what there is, and tells how far it has read.
func TestReportOfAWholeLog(t *testing.T) {
	m := newMemory(t, "1", "2")
	m.jumpBack("3")
	m.add(audit.KindErasure, `{"entry":1,"reason":"asked for"}`)
	m.records[1].Entry.Data = nil
	for range 4100 {
		m.add("answer", "more")
	}
	var progress []int64
	r := m.verify(t, audit.Expect{Kept: []string{m.signed(t)}, Progress: func(n int64) { progress = append(progress, n) }})
	if len(r.Problems) > 0 || r.Entries != 4105 || r.Payloads != 4104 || r.Erased != 1 || r.ClockBehind != 1 || r.Checkpoints != 2 ||
		!r.First.Equal(noon) || !r.Last.Equal(m.records[4104].Entry.At) || r.Root != m.tree.Root() || !slices.Equal(progress, []int64{0, 4096}) {
		t.Errorf("%+v, %v", r, progress)
	}
}

// An erasure is held against what is there, and so is a checkpoint from elsewhere; problems without end are counted and not listed.
func TestWhatDoesNotHoldIsNamed(t *testing.T) {
	m := newMemory(t, "1", "2")
	m.add(audit.KindErasure, `{"entry":1,"reason":"asked for"}`)
	if r := m.verify(t, audit.Expect{}); problems(r) != "[entry 3: says that the payload of entry 1 was erased, and it is there]" {
		t.Error(problems(r))
	}
	m = newMemory(t, "1", "2")
	m.add(audit.KindErasure, "words")
	if r := m.verify(t, audit.Expect{}); problems(r) != "[entry 3: cannot be read as an erasure]" {
		t.Error(problems(r))
	}
	m = newMemory(t, "1", "2", "3")
	kept := []string{newMemory(t, "1").signed(t), newMemory(t, "1", "other").signed(t)}
	if r := m.verify(t, audit.Expect{Kept: kept}); problems(r) != "[entry 2: the log up to it is not the one that checkpoint 2 kept elsewhere was signed over]" || r.Checkpoints != 2 {
		t.Error(problems(r))
	}
	m = newMemory(t)
	for i := range 105 {
		m.add("answer", fmt.Sprint(i))
		m.records[i+1].Entry.Data = []byte("other")
	}
	if r := m.verify(t, audit.Expect{}); len(r.Problems) != 100 || r.More != 5 {
		t.Errorf("%d problems and %d more", len(r.Problems), r.More)
	}
}

func TestVerifyOfAnEmptyLog(t *testing.T) {
	none := func(func(audit.Stored, error) bool) {}
	if r, err := audit.Verify(none, audit.Expect{}); err != nil || len(r.Problems) > 0 {
		t.Errorf("%v, %v", r, err)
	}
	kept := newMemory(t, "1").signed(t)
	if r, err := audit.Verify(none, audit.Expect{Origin: "log.example", Head: kept}); err != nil || len(r.Problems) != 1 || r.Problems[0].Entry != 0 {
		t.Errorf("%v, %v", r, err)
	}
	broken := errors.New("broken")
	if _, err := audit.Verify(func(yield func(audit.Stored, error) bool) { yield(audit.Stored{}, broken) }, audit.Expect{}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// A log that was cut back names the first entry that is gone.
func TestLogThatWasCutBack(t *testing.T) {
	m := newMemory(t, "1", "2", "3", "4")
	kept := m.signed(t)
	m = newMemory(t, "1", "2")
	if r := m.verify(t, audit.Expect{Kept: []string{kept}}); len(r.Problems) != 1 || r.Problems[0].Entry != 3 || !strings.Contains(problems(r), "is missing") {
		t.Errorf("%v", r.Problems)
	}
}

// A witness signs what has only grown, and nothing else.
func TestWitness(t *testing.T) {
	m := newMemory(t, "1", "2", "3")
	witness, err := audit.NewKey(chance("witness"), "witness.example")
	if err != nil {
		t.Fatal(err)
	}
	log := m.key.Public()
	seen, err := audit.Cosign(witness, "", audit.Request{Signed: m.signed(t)}, log)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := audit.OpenCheckpoint(seen, log, witness.Public()); err != nil || len(c.Keys) != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	if c, err := audit.OpenCheckpoint(seen, witness.Public()); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("a witness alone makes a checkpoint the log's: %+v, %v", c, err)
	}
	m.add("answer", "4")
	m.add("answer", "5")
	proof, err := audit.ProveConsistency(6, 4, m.read)
	if err != nil {
		t.Fatal(err)
	}
	grown := audit.Request{Old: 4, Proof: proof, Signed: m.signed(t)}
	parsed, err := audit.ParseRequest(grown.String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Cosign(witness, seen, parsed, log); err != nil {
		t.Error(err)
	}
	if _, err := audit.Cosign(witness, seen, audit.Request{Signed: seen}, log); err != nil {
		t.Errorf("the same again: %v", err)
	}
	forged := newMemory(t, "1", "2", "other", "4", "5")
	forgedProof, err := audit.ProveConsistency(6, 4, forged.read)
	if err != nil {
		t.Fatal(err)
	}
	short := newMemory(t, "1")
	for name, r := range map[string]audit.Request{
		"no proof":            {Signed: m.signed(t)},
		"a forged past":       {Old: 4, Proof: forgedProof, Signed: forged.signed(t)},
		"the honest proof":    {Old: 4, Proof: proof, Signed: forged.signed(t)},
		"a log cut back":      {Old: 4, Signed: short.signed(t)},
		"a proof for another": {Old: 3, Proof: proof, Signed: m.signed(t)},
	} {
		if _, err := audit.Cosign(witness, seen, r, log); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := audit.Cosign(witness, "", grown, witness.Public()); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("a log of another key: %v", err)
	}
}
