package gate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

// Case is an example by which a policy is tested: claims, and what must become of them.
type Case struct {
	Name   string  `json:"name"`
	Claims []Claim `json:"claims"`
	Want   Want    `json:"want"`
	Line   int     `json:"-"`
}

// Want is what a case expects. What is left out is not looked at.
type Want struct {
	Outcome  Outcome  `json:"outcome"`
	Coverage *float64 `json:"coverage,omitempty"` // to 4 places
	Uncited  []string `json:"uncited,omitempty"`  // these and no others
}

// maxCase bounds a line of cases.
const maxCase = 4 << 20

// ReadCases reads cases, one JSON object a line; empty lines and lines that begin with # are passed over. A claim with a
// trust has a source. The error names the line and wraps ibid.ErrInvalid.
func ReadCases(r io.Reader) ([]Case, error) {
	var out []Case
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxCase)
	n := 0
	for lines.Scan() {
		n++
		line := lines.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // as some editors begin a file
		}
		if !utf8.Valid(line) { // the reader of JSON puts other signs in the place of what is no text
			return nil, fmt.Errorf("case on line %d: it is not valid UTF-8: save the file as UTF-8: %w", n, ibid.ErrInvalid)
		}
		if line := bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		c, err := readCase(line)
		if err != nil {
			return nil, fmt.Errorf("case on line %d: %w: %w", n, err, ibid.ErrInvalid)
		}
		c.Line = n
		out = append(out, c)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("case on line %d: it is longer than %d MB: %w", n+1, maxCase>>20, ibid.ErrInvalid)
	} else if err != nil {
		return nil, fmt.Errorf("case on line %d: %w", n+1, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there are no cases: %w", ibid.ErrInvalid)
	}
	return out, nil
}

func readCase(line []byte) (Case, error) {
	var c Case
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, wording.JSON(err, line)
	}
	if _, err := d.Token(); err != io.EOF { // a second case on the line would not be tried
		return c, errors.New("something follows the case: give each a line of its own")
	}
	if err := onceEach(json.NewDecoder(bytes.NewReader(line))); err != nil {
		return c, err
	}
	if !slices.Contains(outcomes, c.Want.Outcome) {
		return c, fmt.Errorf("want.outcome %q: choose one of %s", c.Want.Outcome, joined(outcomes))
	}
	for i := range c.Claims {
		claim := &c.Claims[i]
		switch {
		case strings.TrimSpace(claim.Text) == "":
			return c, fmt.Errorf("claim %d has no text", i+1)
		case claim.Source != "" && claim.Trust == ibid.Unlinked:
			return c, fmt.Errorf("claim %d has a source but no trust: say how the link came to be", i+1)
		case claim.Trust != ibid.Unlinked && claim.Source == "":
			claim.Source = "a source"
		}
	}
	return c, nil
}

// Test decides on a case and gives what differs from what it wants; nothing where all is as wanted.
func (p Policy) Test(c Case) []string {
	r := p.Decide(c.Claims)
	var out []string
	if r.Outcome != c.Want.Outcome {
		out = append(out, fmt.Sprintf("outcome %s, wanted %s", r.Outcome, c.Want.Outcome))
	}
	if w := c.Want.Coverage; w != nil && math.Abs(*w-r.Coverage) > 0.00005 {
		out = append(out, fmt.Sprintf("coverage %.4f, wanted %.4f", r.Coverage, *w))
	}
	if w := c.Want.Uncited; w != nil && !slices.Equal(w, r.Uncited) {
		out = append(out, fmt.Sprintf("uncited %q, wanted %q", r.Uncited, w))
	}
	return out
}

// Differ says in what a decision made again is not the one that was recorded; nothing where it is.
func Differ(recorded, again Report) []string {
	var out []string
	for _, d := range []struct {
		what           string
		recorded, made any
	}{
		{"outcome", recorded.Outcome, again.Outcome},
		{"is_compliant", recorded.Compliant, again.Compliant},
		{"coverage_score", recorded.Coverage, again.Coverage},
		{"threshold", recorded.Threshold, again.Threshold},
		{"total_claims", recorded.Total, again.Total},
		{"required_claims", recorded.Required, again.Required},
		{"cited_claims", recorded.Cited, again.Cited},
		{"exempt_claims", recorded.Exempt, again.Exempt},
		{"policy_version", recorded.Policy, again.Policy},
	} {
		if d.recorded != d.made {
			out = append(out, fmt.Sprintf("%s: recorded %v, now %v", d.what, d.recorded, d.made))
		}
	}
	return slices.Concat(out,
		differing("uncited_claims", recorded.Uncited, again.Uncited),
		differing("reasons", recorded.Reasons, again.Reasons),
		differing("rungs", recorded.Rungs, again.Rungs),
		differing("kinds", recorded.Kinds, again.Kinds),
		differing("agents", recorded.Agents, again.Agents),
		differing("uncovered", recorded.Uncovered, again.Uncovered))
}

func differing[T comparable](what string, recorded, made []T) []string {
	if slices.Equal(recorded, made) {
		return nil
	}
	return []string{fmt.Sprintf("%s: recorded %s, now %s", what, listed(recorded), listed(made))}
}

// listed writes words in quotes, so that it is seen where one ends, and all else by its fields.
func listed[T any](list []T) string {
	if words, ok := any(list).([]string); ok {
		return fmt.Sprintf("%q", words)
	}
	return fmt.Sprintf("%+v", list)
}
