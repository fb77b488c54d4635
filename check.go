package ibid

import "fmt"

func checkAnswer(a Answer) error {
	for i, s := range a.Steps {
		if s.Number != i+1 {
			return fmt.Errorf("step %d: stands in place %d: %w", s.Number, i+1, ErrInvalid)
		}
		// A step rests on the passages that were given for it, and on no others.
		own := Answer{Text: s.Text, Passages: s.Passages, Segments: s.Segments, Attributions: s.Attributions}
		if err := own.checkLinks(i); err != nil {
			return fmt.Errorf("step %d: %w", s.Number, err)
		}
		for _, n := range s.Saw {
			if n < 1 || n >= s.Number {
				return fmt.Errorf("step %d: saw step %d, which is not before it: %w", s.Number, n, ErrInvalid)
			}
		}
	}
	if err := a.checkLinks(len(a.Steps)); err != nil {
		return err
	}
	for i, c := range a.Citations {
		quote, err := a.quote(c.At)
		if err != nil {
			return fmt.Errorf("citation %d: %w", i+1, err)
		}
		if quote != c.Quote {
			has, says := differ(c.Quote, quote)
			return fmt.Errorf("citation %d: quotes %q where the document says %q: %w", i+1, has, says, ErrInvalid)
		}
	}
	return nil
}

// checkLinks checks segments and attributions against the text and the passages. Segments may take up so many steps.
func (a Answer) checkLinks(steps int) error {
	end := 0
	for i, s := range a.Segments {
		if !s.At.within(a.Text) || s.At.Start < end {
			return fmt.Errorf("segment %d %v: outside of the text or out of order: %w", i+1, s.At, ErrInvalid)
		}
		end = s.At.End
		for _, r := range s.Refs {
			if _, ok := a.Passage(r); !ok {
				return fmt.Errorf("segment %d: refers to passage %d, which the answer did not have: %w", i+1, r, ErrInvalid)
			}
		}
		for _, n := range s.Steps {
			if n < 1 || n > steps {
				return fmt.Errorf("segment %d: takes up step %d of %d: %w", i+1, n, steps, ErrInvalid)
			}
		}
		for _, u := range s.Unsupported {
			if !s.At.Contains(u) || u.Empty() {
				return fmt.Errorf("segment %d: unsupported words %v outside of %v: %w", i+1, u, s.At, ErrInvalid)
			}
		}
		for _, c := range s.Contradicted {
			if !s.At.Contains(c.Of) || c.Of.Empty() {
				return fmt.Errorf("segment %d: contradicted words %v outside of %v: %w", i+1, c.Of, s.At, ErrInvalid)
			}
			if _, err := a.quote(c.To); err != nil {
				return fmt.Errorf("segment %d: contradicted by %w", i+1, err)
			}
		}
	}
	for i, at := range a.Attributions {
		if !at.Of.within(a.Text) {
			return fmt.Errorf("attribution %d: %v outside of the text: %w", i+1, at.Of, ErrInvalid)
		}
		if _, err := a.quote(at.To); err != nil {
			return fmt.Errorf("attribution %d: %w", i+1, err)
		}
	}
	return nil
}

// quote gives the words at an anchor from the passage that holds them.
func (a Answer) quote(at Anchor) (string, error) {
	for _, p := range a.allPassages() {
		if p.Chunk.At.Document == at.Document && p.Chunk.At.Span.Contains(at.Span) && !at.Span.Empty() {
			return at.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text), nil
		}
	}
	return "", fmt.Errorf("anchor %s%v: outside of the passages the answer had: %w", short(string(at.Document)), at.Span, ErrInvalid)
}

// allPassages are the answer's own and those of its steps.
func (a Answer) allPassages() []Passage {
	if len(a.Steps) == 0 {
		return a.Passages
	}
	all := append([]Passage(nil), a.Passages...)
	for _, s := range a.Steps {
		all = append(all, s.Passages...)
	}
	return all
}

func (s Span) within(text string) bool {
	return 0 <= s.Start && s.Start <= s.End && s.End <= len(text)
}

// differ gives excerpts of two texts from the word before which they part.
func differ(a, b string) (string, string) {
	word := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == ' ' {
			word = i + 1
		}
	}
	return short(a[word:]), short(b[word:])
}
