package audit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/ibid-dev/ibid"
)

// An export is JSON, one object a line, to which lines are only ever added: an entry in the form that receipts have it,
// or a signed checkpoint over the entries before it.
//
//	{"index":17,"at":"2026-05-03T14:07:12.250000Z","kind":"answer","commitment":"…","prev":"…","hash":"…","salt":"…","payload":"…"}
//	{"checkpoint":"ibid/4f2a…\n18\n…\n\n— ibid/4f2a… …\n"}

// Line is a line of an export: an entry, or a checkpoint.
type Line struct {
	Record     Record
	Checkpoint string // signed; "" where the line is an entry
}

type checkpointJSON struct {
	Checkpoint string `json:"checkpoint"`
}

// Marshal writes the line with its newline.
func (l Line) Marshal() ([]byte, error) {
	var v any = checkpointJSON{l.Checkpoint}
	if l.Checkpoint == "" {
		j, err := l.Record.json()
		if err != nil {
			return nil, err
		}
		v = j
	}
	b, err := marshal(v)
	return append(b, '\n'), err
}

// ParseLine reads a line of an export and checks that it is whole: the hash is that of the entry, the payload is what the
// entry commits to. The error wraps ibid.ErrInvalid.
func ParseLine(b []byte) (Line, error) {
	l, err := readLine(b)
	if err == nil && l.Checkpoint == "" {
		err = l.Record.check()
	}
	return l, err
}

// readLine reads a line and does not check it.
func readLine(b []byte) (Line, error) {
	if bytes.HasPrefix(b, []byte(checkpointStart)) {
		var j checkpointJSON
		if err := unmarshal(b, &j); err != nil {
			return Line{}, err
		}
		_, err := ReadCheckpoint(j.Checkpoint)
		return Line{Checkpoint: j.Checkpoint}, err
	}
	var j recordJSON
	if err := unmarshal(b, &j); err != nil {
		return Line{}, err
	}
	r, err := j.record()
	return Line{Record: r}, err
}

// Export is a whole export, read without the log it came from.
type Export struct {
	open func() (io.ReadCloser, error)
	// Expect is what the export says of itself: the last checkpoint as its head, those at which the key changed, and the
	// others as kept ones.
	Expect Expect
}

// maxLine bounds a line of an export: a payload of 64 MiB in which every byte is written as six.
const maxLine = 400 << 20

// ReadExport reads the checkpoints of an export. It opens the file again to read the entries. The error wraps
// ibid.ErrInvalid where it is no export.
func ReadExport(open func() (io.ReadCloser, error)) (Export, error) {
	x := Export{open: open, Expect: Expect{Copy: true}}
	var last ibid.Entry
	for l, err := range x.lines() {
		switch {
		case err != nil:
			return Export{}, err
		case l.Checkpoint == "":
			last = l.Record.Entry
			continue
		}
		c, err := ReadCheckpoint(l.Checkpoint)
		if err != nil {
			return Export{}, err
		}
		x.Expect.Origin = c.Origin
		if last.Kind == KindKey && last.Index > 0 && c.Size == last.Index+1 {
			x.Expect.Changes = append(x.Expect.Changes, Change{c.Size, l.Checkpoint})
			last.Kind = "" // another one over the same entries is an ordinary one
			continue
		}
		if x.Expect.Head != "" {
			x.Expect.Kept = append(x.Expect.Kept, x.Expect.Head)
		}
		x.Expect.Head = l.Checkpoint
	}
	// An export begins with an entry and ends with a checkpoint: a file of which nothing is left is not an empty log.
	if x.Expect.Origin == "" && last.Hash == "" {
		return Export{}, fmt.Errorf("holds no whole line of an export: %w", ibid.ErrInvalid)
	}
	return x, nil
}

// Records yields the entries of the export for Verify.
func (x Export) Records() iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		var tree Tree
		for l, err := range x.lines() {
			if err != nil {
				yield(Stored{}, err)
				return
			}
			if l.Checkpoint != "" {
				continue
			}
			s := Stored{Record: l.Record}
			if leaf, err := ParseHash(l.Record.Entry.Hash); err == nil {
				s.Hashes = tree.Add(leaf, nil) // an export has no tree: it follows from the entries
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}

// lines yields the lines of the file. A last one without its newline was torn, and is none.
func (x Export) lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		f, err := x.open()
		if err != nil {
			yield(Line{}, err)
			return
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, maxLine)
		lines.Split(wholeLines)
		for n := 1; lines.Scan(); n++ {
			l, err := readLine(lines.Bytes())
			if err != nil {
				yield(Line{}, fmt.Errorf("line %d: %w", n, err))
				return
			}
			if !yield(l, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(Line{}, err)
		}
	}
}

func wholeLines(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF {
		return len(data), nil, nil
	}
	return 0, nil, nil
}

// How lines begin.
const (
	entryStart      = `{"index":`
	checkpointStart = `{"checkpoint":`
)

// Tail is the end of an export.
type Tail struct {
	Whole int64 // bytes up to which all lines are whole; what follows was torn and is to be cut off
	Size  int64 // entries in the file
	Last  Line  // the last whole line
	Entry Line  // the last whole line that is an entry
}

// ReadTail finds where an export of a size in bytes can be continued. A last line that a crash has torn is what it
// recognises by its beginning: a file that is no export is refused, not cut. The error wraps ibid.ErrInvalid.
func ReadTail(r io.ReaderAt, size int64) (Tail, error) {
	var t Tail
	end, err := lineStart(r, size)
	if err != nil {
		return Tail{}, err
	}
	t.Whole = end
	if torn := size - end; torn > 0 {
		head := make([]byte, min(torn, int64(len(checkpointStart))))
		if _, err := r.ReadAt(head, end); err != nil && !errors.Is(err, io.EOF) {
			return Tail{}, err
		}
		if !begins(head, entryStart) && !begins(head, checkpointStart) && len(bytes.Trim(head, "\x00")) > 0 {
			return Tail{}, fmt.Errorf("its last line, at byte %d, is no line of an export: %w", end, ibid.ErrInvalid)
		}
	}
	for at := end; at > 0; {
		start, err := lineStart(r, at-1)
		if err != nil {
			return Tail{}, err
		}
		b := make([]byte, at-1-start)
		if _, err := r.ReadAt(b, start); err != nil && !errors.Is(err, io.EOF) {
			return Tail{}, err
		}
		line, err := ParseLine(b)
		if err != nil {
			return Tail{}, fmt.Errorf("its line at byte %d is no line of an export: %w", start, err)
		}
		if at == end {
			t.Last = line
		}
		if line.Checkpoint == "" {
			t.Entry, t.Size = line, line.Record.Entry.Index+1
			break
		}
		at = start
	}
	return t, nil
}

// begins reports whether the shorter of both is the beginning of the longer.
func begins(b []byte, start string) bool {
	n := min(len(b), len(start))
	return string(b[:n]) == start[:n]
}

// lineStart gives where the line begins that a position is in or at the end of. What is longer than any line is none.
func lineStart(r io.ReaderAt, at int64) (int64, error) {
	block := make([]byte, 64<<10)
	for end := at; at > 0; {
		if end-at > maxLine {
			return 0, fmt.Errorf("its line that ends at byte %d is longer than any of an export: %w", end, ibid.ErrInvalid)
		}
		n := min(at, int64(len(block)))
		if _, err := r.ReadAt(block[:n], at-n); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			return at - n + int64(i) + 1, nil
		}
		at -= n
	}
	return 0, nil
}
