package sqlite

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// checkSnapshot refuses what would make the record lie: every anchor into it must resolve to the words it was made for.
func checkSnapshot(s ibid.Source, d ibid.Document, chunks []ibid.Chunk) error {
	if strings.ContainsRune(s.Collection, 0) { // the id is made of both, with NUL between them
		return fmt.Errorf("collection %q holds a NUL: %w", s.Collection, ibid.ErrInvalid)
	}
	if s.ID != ibid.IdentifySource(s.Collection, s.URI) {
		return fmt.Errorf("source id %q is not the hash of its collection and URI: %w", s.ID, ibid.ErrInvalid)
	}
	if d.Source != "" && d.Source != s.ID {
		return fmt.Errorf("document is of source %q, not %q: %w", d.Source, s.ID, ibid.ErrInvalid)
	}
	if !utf8.ValidString(d.Text) {
		return fmt.Errorf("text is not valid UTF-8 at byte %d: %w", firstInvalid(d.Text), ibid.ErrInvalid)
	}
	if d.ID != ibid.HashText(d.Text) {
		return fmt.Errorf("document id %q is not the hash of its text: %w", d.ID, ibid.ErrInvalid)
	}
	if err := checkOutline(d.Outline, ibid.Span{End: len(d.Text)}); err != nil {
		return err
	}
	return checkChunks(d, chunks)
}

func checkOutline(o ibid.Outline, within ibid.Span) error {
	at := within.Start
	for i, m := range o {
		if m.At < at || m.At > within.End {
			return fmt.Errorf("outline mark %d at byte %d: out of order or outside of %v: %w", i+1, m.At, within, ibid.ErrInvalid)
		}
		at = m.At
	}
	return nil
}

// checkChunks walks the text once, as chunks are in the order of the text.
func checkChunks(d ibid.Document, chunks []ibid.Chunk) error {
	var before ibid.Units
	walked := 0
	for i, c := range chunks {
		at := c.At.Span
		switch {
		case c.Ordinal != i:
			return fmt.Errorf("chunk %d has ordinal %d: %w", i, c.Ordinal, ibid.ErrInvalid)
		case c.At.Document != d.ID:
			return fmt.Errorf("chunk %d is of document %q: %w", i, c.At.Document, ibid.ErrInvalid)
		case at.Empty() || at.Start < walked || at.End > len(d.Text):
			return fmt.Errorf("chunk %d %v: empty, out of order or outside of the text: %w", i, at, ibid.ErrInvalid)
		case at.In(d.Text) != c.Text:
			return fmt.Errorf("chunk %d %v: is not the text at its anchor: %w", i, at, ibid.ErrInvalid)
		case !utf8.ValidString(c.Text):
			return fmt.Errorf("chunk %d %v: cuts a character: %w", i, at, ibid.ErrInvalid)
		}
		for _, r := range d.Text[walked:at.Start] {
			before.Runes++
			before.UTF16++
			if r > 0xffff {
				before.UTF16++
			}
		}
		walked = at.Start
		if c.Before != before {
			return fmt.Errorf("chunk %d %v: says %+v stand before it, but it is %+v: %w", i, at, c.Before, before, ibid.ErrInvalid)
		}
		if err := checkOutline(c.Breaks, at); err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
	}
	return nil
}

func firstInvalid(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(s)
}
