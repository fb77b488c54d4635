package audit_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

func export(t testing.TB, m *memory) []byte {
	t.Helper()
	var file []byte
	for _, r := range m.records {
		file = append(file, line(t, audit.Line{Record: r.Record})...)
	}
	return append(file, line(t, audit.Line{Checkpoint: m.signed(t)})...)
}

func line(t testing.TB, l audit.Line) []byte {
	t.Helper()
	b, err := l.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Wherever an export is torn, what is whole is kept, and nothing else.
func TestTornExport(t *testing.T) {
	m := newMemory(t, "one", "line\nbreak", "\xff", answer)
	file := export(t, m)
	for n := range len(file) + 1 {
		tail, err := audit.ReadTail(bytes.NewReader(file[:n]), int64(n))
		if err != nil {
			t.Fatalf("torn at byte %d: %v", n, err)
		}
		whole := bytes.LastIndexByte(file[:n], '\n') + 1
		entries := bytes.Count(file[:whole], []byte("\n{\"index\""))
		if whole > 0 {
			entries++
		}
		if tail.Whole != int64(whole) || tail.Size != int64(entries) {
			t.Fatalf("torn at byte %d: whole up to %d with %d entries, want %d and %d", n, tail.Whole, tail.Size, whole, entries)
		}
		if tail.Size > 0 && fmt.Sprint(tail.Entry.Record.Entry) != fmt.Sprint(m.records[tail.Size-1].Entry) {
			t.Fatalf("torn at byte %d: last entry %+v", n, tail.Entry)
		}
	}
	// A disk may have made room for what it did not write.
	zeros := append(bytes.Clone(file), make([]byte, 5000)...)
	if tail, err := audit.ReadTail(bytes.NewReader(zeros), int64(len(zeros))); err != nil || tail.Whole != int64(len(file)) {
		t.Errorf("%+v, %v", tail, err)
	}
}

// A file that is no export is refused, and a line that was changed too.
func TestNotAnExport(t *testing.T) {
	m := newMemory(t, "one")
	for name, file := range map[string][]byte{
		"prose":             []byte("Dear diary,\ntoday"),
		"one line of prose": []byte("Dear diary"),
		"other JSON lines":  []byte("{\"name\":\"x\"}\n"),
		"prose at the end":  append(export(t, m), "Dear diary"...),
		"a changed line":    bytes.Replace(export(t, m)[:len(line(t, audit.Line{Record: m.records[0].Record}))], []byte(`"kind":"key"`), []byte(`"kind":"kez"`), 1),
	} {
		if tail, err := audit.ReadTail(bytes.NewReader(file), int64(len(file))); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: %+v, %v", name, tail, err)
		}
	}
}

func FuzzLine(f *testing.F) {
	m := newMemory(f, "one", "\xff", answer)
	for _, l := range bytes.SplitAfter(export(f, m), []byte("\n")) {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := audit.ParseLine(b)
		if err != nil {
			if !errors.Is(err, ibid.ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		written := line(t, l)
		if bytes.Count(written, []byte("\n")) != 1 {
			t.Fatalf("%q is not one line", written)
		}
		again, err := audit.ParseLine(written)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(l) {
			t.Fatalf("there and back: %+v, %v", again, err)
		}
	})
}

// FuzzExport: what is whole of a file is read the same whatever a crash has torn behind it, and what is refused is refused for what
// it says. A file whose proofs all hold is the log that was copied.
func FuzzExport(f *testing.F) {
	m := newMemory(f, "one", "\xff", answer)
	file := export(f, m)
	f.Add(file, []byte(`{"index":5,`))
	f.Add(append(bytes.Clone(file), line(f, audit.Line{Checkpoint: m.signed(f)})...), []byte("\x00\x00"))
	f.Add(bytes.SplitAfter(file, []byte("\n"))[4], []byte(`{"check`))
	f.Add([]byte("\n"), []byte("Dear diary"))
	key := m.key.Public()
	f.Fuzz(func(t *testing.T, file, torn []byte) {
		if i := bytes.IndexByte(torn, '\n'); i >= 0 {
			torn = torn[:i]
		}
		read := func(b []byte) (audit.Export, error) {
			return audit.ReadExport(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil })
		}
		whole := file[:bytes.LastIndexByte(file, '\n')+1]
		x, err := read(whole)
		y, failed := read(append(bytes.Clone(whole), torn...))
		if (err == nil) != (failed == nil) || fmt.Sprint(x.Expect) != fmt.Sprint(y.Expect) {
			t.Fatalf("%q: %v, %v; torn behind it %q: %v, %v", whole, x.Expect, err, torn, y.Expect, failed)
		}
		tail, refused := audit.ReadTail(bytes.NewReader(file), int64(len(file)))
		for _, e := range []error{err, refused} {
			if e != nil && !errors.Is(e, ibid.ErrInvalid) {
				t.Fatal(e)
			}
		}
		if refused == nil {
			again, err := audit.ReadTail(bytes.NewReader(whole), int64(len(whole)))
			if err != nil || tail.Whole != int64(len(whole)) || fmt.Sprint(again) != fmt.Sprint(tail) {
				t.Fatalf("%q: %+v, and cut off there %+v, %v", file, tail, again, err)
			}
		}
		if err != nil {
			return
		}
		x.Expect.Keys = []string{key}
		if r, err := audit.Verify(x.Records(), x.Expect); err == nil && len(r.Problems) == 0 {
			for s, err := range x.Records() {
				if e := s.Entry; err != nil || e.Index >= int64(len(m.records)) || e.Hash != m.records[e.Index].Entry.Hash {
					t.Fatalf("%q is verified, and has %+v, %v", whole, e, err)
				}
			}
		}
	})
}

// endless is a file of a petabyte without a line in it, of which no one reads much.
type endless struct {
	t    *testing.T
	read int
}

func (e *endless) ReadAt(b []byte, _ int64) (int, error) {
	if e.read += len(b); e.read > 1<<30 {
		e.t.Fatal("a gigabyte is read of a line that is none")
	}
	clear(b)
	return len(b), nil
}

// Of a file without lines, which is no export, no more is looked at than a line may have.
func TestTailOfOneEndlessLine(t *testing.T) {
	if tail, err := audit.ReadTail(&endless{t: t}, 1<<50); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("%+v, %v", tail, err)
	}
}

// An export is checked like the log it came from.
func TestExportIsVerified(t *testing.T) {
	m := newMemory(t, "one", "\xff", answer)
	next := newKey(t, "next")
	var file []byte
	for _, r := range m.records {
		file = append(file, line(t, audit.Line{Record: r.Record})...)
	}
	early := m.signed(t)
	file = append(file, line(t, audit.Line{Checkpoint: early})...)
	change := m.rotate(t, audit.KeyChange{Origin: "log.example", Key: next.Public(), Replaces: m.key.Public()}, m.key, next)
	m.key = next
	file = append(file, line(t, audit.Line{Record: m.records[4].Record})...)
	file = append(file, line(t, audit.Line{Checkpoint: change.Signed})...)
	m.add(audit.KindErasure, `{"entry":1,"reason":"asked for"}`)
	file = append(file, line(t, audit.Line{Record: m.records[5].Record})...)
	file = append(file, line(t, audit.Line{Checkpoint: m.signed(t)})...)
	verify := func(file []byte) (audit.Report, error) {
		x, err := audit.ReadExport(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil })
		if err != nil {
			return audit.Report{}, err
		}
		return audit.Verify(x.Records(), x.Expect)
	}
	r, err := verify(append(bytes.Clone(file), `{"index":6,`...)) // torn
	if err != nil || len(r.Problems) > 0 || r.Entries != 6 || r.Checkpoints != 3 || len(r.Notes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	// What was copied before its first checkpoint is of nobody yet, and that is all there is to say.
	entriesOnly := bytes.Join(bytes.SplitAfter(file, []byte("\n"))[:4], nil)
	if r, err := verify(entriesOnly); err != nil || problems(r) != "[entry 3: no checkpoint is signed over it]" {
		t.Errorf("%v, %v", r.Problems, err)
	}
	for i := 0; i < len(file); i += 3 { // every byte counts, or the file is none
		changed := bytes.Clone(file)
		changed[i] ^= 1
		if r, err := verify(changed); err == nil && len(r.Problems) == 0 {
			t.Fatalf("byte %d changed from %q to %q: nothing found", i, file[i], changed[i])
		}
	}
	lines := bytes.SplitAfter(file, []byte("\n"))
	for i := range len(lines) - 1 {
		without := bytes.Join(append(slices.Clone(lines[:i]), lines[i+1:]...), nil)
		if r, err := verify(without); i != 4 && err == nil && len(r.Problems) == 0 { // the earlier checkpoint is one more than needed
			t.Errorf("without line %d nothing was found", i+1)
		}
	}
}
