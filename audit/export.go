package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io"

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
	if err != nil {
		return Line{}, err
	}
	return Line{Record: r}, r.check()
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

// lineStart gives where the line begins that a position is in or at the end of.
func lineStart(r io.ReaderAt, at int64) (int64, error) {
	block := make([]byte, 64<<10)
	for at > 0 {
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
