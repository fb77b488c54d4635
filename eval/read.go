package eval

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

// Record is a labelled answer. Offsets are runes.
type Record struct {
	Line
	Dataset string `json:"dataset"`
	// Spans are what people marked as unsupported words of the answer. nil where nobody was asked to.
	Spans []Span `json:"spans"`
}

// Segment is a part of an answer; in a Record with what people say of it.
type Segment struct {
	Start    int        `json:"start"`
	End      int        `json:"end"`
	Text     string     `json:"text,omitempty"`
	Label    Label      `json:"label,omitempty"`
	Sources  []string   `json:"source_ids,omitempty"` // that support it
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Label is what people say of a segment.
type Label string

// The labels. Only Supported counts as such: partial support is not support.
const (
	Supported    Label = "supported"
	Partial      Label = "partial"
	Unsupported  Label = "unsupported"
	Contradicted Label = "contradicted"
)

// Evidence is the text of a source that supports a segment.
type Evidence struct {
	Source string `json:"source_id"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
}

// Span is a pair of offsets into the answer.
type Span struct {
	Start int   `json:"start"`
	End   int   `json:"end"`
	Label Label `json:"label,omitempty"`
}

// longestLine bounds what one line may hold in memory.
const longestLine = 256 << 20

// Lines yields the lines of a stream that are not blank, with their numbers from 1. It reads gzip too, and UTF-16 with a byte-order
// mark, in which the shell of Windows writes files. A line is valid until the next one.
func Lines(r io.Reader) iter.Seq2[NumberedLine, error] {
	return func(yield func(NumberedLine, error) bool) {
		r, err := unzipped(r)
		if err != nil {
			yield(NumberedLine{}, err)
			return
		}
		sc := bufio.NewScanner(r)
		sc.Buffer(make([]byte, 0, 1<<16), longestLine)
		n := 0
		for sc.Scan() {
			n++
			line := sc.Bytes()
			if n == 1 {
				line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			}
			if line = bytes.TrimSpace(line); len(line) > 0 && !yield(NumberedLine{n, line}, nil) {
				return
			}
		}
		if sc.Err() != nil {
			yield(NumberedLine{}, fmt.Errorf("line %d: %w", n+1, sc.Err()))
		}
	}
}

// NumberedLine is a line of a stream.
type NumberedLine struct {
	Number int
	Bytes  []byte
}

func unzipped(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	switch magic, _ := b.Peek(2); string(magic) {
	case "\x1f\x8b":
		return gzip.NewReader(b)
	case "\xff\xfe", "\xfe\xff":
		return transform.NewReader(b, unicode.BOMOverride(transform.Nop)), nil
	}
	return b, nil
}

// Read yields the records of a stream. An error names the line and wraps ErrInvalid where the line is at fault.
func Read(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for l, err := range Lines(r) {
			if err != nil {
				yield(Record{}, err)
				return
			}
			var rec Record
			if err := json.Unmarshal(l.Bytes, &rec); err != nil {
				yield(Record{}, fmt.Errorf("line %d: %w: %w", l.Number, wording.JSON(err, l.Bytes), ibid.ErrInvalid))
				return
			}
			if err := rec.check(); err != nil {
				at := fmt.Sprintf("line %d", l.Number)
				if rec.ID != "" {
					at += ", " + rec.ID
				}
				yield(Record{}, fmt.Errorf("%s: %w", at, err))
				return
			}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

func (r Record) check() error {
	if len(r.Segments) == 0 {
		return fmt.Errorf("no segments: %w", ibid.ErrInvalid)
	}
	for i, s := range r.Segments {
		switch s.Label {
		case Supported, Partial, Unsupported, Contradicted:
		default:
			return fmt.Errorf("segment %d: label %q is none of supported, partial, unsupported, contradicted: %w", i+1, s.Label, ibid.ErrInvalid)
		}
	}
	return nil
}
