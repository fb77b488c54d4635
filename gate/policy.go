package gate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

// Outcome is what is done with what fails a rule.
type Outcome string

// The outcomes, weakest first.
const (
	Pass   Outcome = "pass"   // nothing failed
	Warn   Outcome = "warn"   // goes out; the record says so
	Flag   Outcome = "flag"   // goes out, and waits for a person to look at it
	Repair Outcome = "repair" // the claims without a source are taken out or put into the source's words
	Block  Outcome = "block"  // does not go out
)

var outcomes = []Outcome{Pass, Warn, Flag, Repair, Block}

func stronger(a, b Outcome) Outcome {
	if slices.Index(outcomes, b) > slices.Index(outcomes, a) {
		return b
	}
	return a
}

// Hold says how much of an answer is held back until it is decided.
type Hold string

// What is held back.
const (
	HoldNothing Hold = "nothing" // shown as it comes, decided at the end
	HoldSegment Hold = "segment" // shown as soon as all that is shown passes
	HoldAnswer  Hold = "answer"  // shown when the whole is decided
)

// Mend says how a claim without a source is repaired.
type Mend string

// How claims are repaired.
const (
	Drop    Mend = "drop"    // taken out
	Rewrite Mend = "rewrite" // put into the words of the source that comes near; taken out where none does
)

// Rule is what is asked of some claims.
type Rule struct {
	Threshold float64    `json:"threshold"` // share that must be covered
	Trust     ibid.Trust `json:"trust"`     // a link below this rung does not count
	Outcome   Outcome    `json:"outcome"`   // what is done where the share is not reached
}

// Policy is what must have a source before it goes out. A claim is judged by the rules of all its kinds; Default is the rule of
// the kinds that have none of their own. A policy is a value: change a copy.
type Policy struct {
	Name        string        `json:"name"`
	Environment string        `json:"environment,omitempty"` // of the file's environments, the one that was chosen
	Off         bool          `json:"off,omitempty"`         // looks at nothing, at no cost
	Default     Rule          `json:"default"`
	Kinds       map[Kind]Rule `json:"kinds,omitempty"`
	Hold        Hold          `json:"hold"`
	Mend        Mend          `json:"mend"`
	PerAgent    bool          `json:"per_agent,omitempty"` // each agent must reach the thresholds by itself
	// Everything is looked at: headings, questions and code, too, where they state a number, quote or name.
	Everything bool `json:"everything,omitempty"`
}

// Version names the policy by what it says: the hash of all of it. The same rules have the same version, in whichever file
// and form they stand.
func (p Policy) Version() string {
	b, err := json.Marshal(p)
	if err != nil { // a rung that is none, which Parse and the presets do not give
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// Presets are the names of the built-in policies.
func Presets() []string {
	return []string{"production", "development", "regulated", "internal", "creative", "multi-agent"}
}

// Preset gives a built-in policy. The error wraps ibid.ErrInvalid.
func Preset(name string) (Policy, error) {
	p := Policy{Name: name, Default: Rule{Threshold: 1, Outcome: Block}, Hold: HoldAnswer, Mend: Drop}
	switch name {
	case "production":
	case "development":
		p.Default, p.Hold = Rule{Threshold: 0.9, Outcome: Warn}, HoldNothing
	case "regulated":
		p.Default.Trust = ibid.Judged
		exact := Rule{Threshold: 1, Trust: ibid.Quoted, Outcome: Block}
		p.Kinds = map[Kind]Rule{Number: exact, Quote: exact, Absence: {Threshold: 1, Trust: ibid.Judged, Outcome: Block}}
	case "internal":
		p.Default, p.Hold = Rule{Threshold: 0.9, Outcome: Flag}, HoldNothing
	case "creative":
		p.Off, p.Default, p.Hold = true, Rule{Outcome: Warn}, HoldNothing
	case "multi-agent":
		p.PerAgent = true
	default:
		return Policy{}, fmt.Errorf("there is no policy %q: choose one of %s: %w", name, strings.Join(Presets(), ", "), ibid.ErrInvalid)
	}
	return p, nil
}

// file is a policy as people write it. What is left out is as in the preset it is based on; an environment says only what
// differs.
type file struct {
	Name         string             `json:"name" toml:"name"`
	Base         string             `json:"base" toml:"base"` // preset; "production" where none is named
	Environment  string             `json:"environment" toml:"environment"`
	Environments map[string]setting `json:"environments" toml:"environments"`
	setting
}

type setting struct {
	Off        *bool           `json:"off" toml:"off"`
	Threshold  *float64        `json:"threshold" toml:"threshold"`
	Trust      *ibid.Trust     `json:"trust" toml:"trust"`
	Outcome    *Outcome        `json:"outcome" toml:"outcome"`
	Hold       *Hold           `json:"hold" toml:"hold"`
	Mend       *Mend           `json:"mend" toml:"mend"`
	PerAgent   *bool           `json:"per_agent" toml:"per_agent"`
	Everything *bool           `json:"everything" toml:"everything"`
	Kinds      map[Kind]ruling `json:"kinds" toml:"kinds"`
}

// ruling is what can be said of one kind of claim. The rest is of the policy as a whole.
type ruling struct {
	Threshold *float64    `json:"threshold" toml:"threshold"`
	Trust     *ibid.Trust `json:"trust" toml:"trust"`
	Outcome   *Outcome    `json:"outcome" toml:"outcome"`
}

// Parse reads a policy in TOML or JSON, as it is in an environment; "" is the one that the file itself names, if any. A
// word that is not known is an error and not passed over: a misspelt threshold must not become none. The error wraps
// ibid.ErrInvalid.
func Parse(data []byte, environment string) (Policy, error) {
	f, err := read(data)
	if err != nil {
		return Policy{}, fmt.Errorf("policy: %w: %w", err, ibid.ErrInvalid)
	}
	if f.Base == "" {
		f.Base = "production"
	}
	if environment == "" {
		environment = f.Environment
	}
	if _, ok := f.Environments[environment]; !ok && environment != "" {
		return Policy{}, fmt.Errorf("policy: it has no environment %q, %s: %w", environment, f.environments(), ibid.ErrInvalid)
	}
	// Those that are not asked for are looked at too: what is wrong in one is better known before it is needed.
	for _, name := range slices.Sorted(maps.Keys(f.Environments)) {
		if _, err := f.in(name); err != nil {
			return Policy{}, fmt.Errorf("policy: environment %q: %w", name, err)
		}
	}
	p, err := f.in(environment)
	if err != nil {
		return Policy{}, fmt.Errorf("policy: %w", err)
	}
	return p, nil
}

// environments says in words which there are.
func (f file) environments() string {
	if len(f.Environments) == 0 {
		return "nor any other"
	}
	return "only " + strings.Join(slices.Sorted(maps.Keys(f.Environments)), ", ")
}

// in gives the policy as it is in an environment, or in none. The error wraps ibid.ErrInvalid.
func (f file) in(environment string) (Policy, error) {
	p, err := Preset(f.Base)
	if err != nil {
		return Policy{}, fmt.Errorf("base: %w", err)
	}
	p.Name, p.Environment = f.Name, environment
	layers := []setting{f.setting}
	if environment != "" {
		layers = append(layers, f.Environments[environment])
	}
	p.apply(layers)
	if err := p.check(); err != nil {
		return Policy{}, fmt.Errorf("%w: %w", err, ibid.ErrInvalid)
	}
	return p, nil
}

func read(data []byte) (file, error) {
	var f file
	if !utf8.Valid(data) { // the reader of TOML passes over the mark of another encoding
		return f, errors.New("it is not valid UTF-8: save it as UTF-8")
	}
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 {
		return f, errors.New("it is empty")
	} else if trimmed[0] == '{' {
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&f); err != nil {
			return f, wording.JSON(err, data)
		}
		if _, err := d.Token(); err != io.EOF {
			return f, errors.New("something follows the policy")
		}
		return f, onceEach(json.NewDecoder(bytes.NewReader(data)))
	}
	meta, err := toml.Decode(string(data), &f)
	if err != nil {
		return f, wording.TOML(err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return f, fmt.Errorf("unknown setting %s", unknown[0])
	}
	return f, wording.TOMLOnce(meta)
}

// folded is a name as the reader of JSON takes it: THRESHOLD is threshold, too, and so it is with a long s.
func folded(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// onceEach reads a value that is known to be JSON, and refuses a name that comes twice: which of both counts nobody can see.
func onceEach(d *json.Decoder) error {
	open, err := d.Token()
	if open != json.Delim('{') && open != json.Delim('[') {
		return err
	}
	names := map[string]bool{}
	for d.More() {
		if open == json.Delim('{') {
			token, err := d.Token()
			if err != nil {
				return err
			}
			name := folded(token.(string))
			if names[name] {
				return fmt.Errorf("%q is set twice", name)
			}
			names[name] = true
		}
		if err := onceEach(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// apply sets what the layers say, the later over the earlier. The default comes first: what a kind leaves open is as in the
// default of all layers, so that one that an environment makes stricter is stricter for the kinds, too.
func (p *Policy) apply(layers []setting) {
	for _, s := range layers {
		set(&p.Off, s.Off)
		set(&p.Default.Threshold, s.Threshold)
		set(&p.Default.Trust, s.Trust)
		set(&p.Default.Outcome, s.Outcome)
		set(&p.Mend, s.Mend)
		set(&p.PerAgent, s.PerAgent)
		set(&p.Everything, s.Everything)
	}
	for _, s := range layers {
		for k, ks := range s.Kinds {
			r, ok := p.Kinds[k]
			if !ok {
				r = p.Default
			}
			set(&r.Threshold, ks.Threshold)
			set(&r.Trust, ks.Trust)
			set(&r.Outcome, ks.Outcome)
			if p.Kinds == nil {
				p.Kinds = map[Kind]Rule{}
			}
			p.Kinds[k] = r
		}
	}
	if slices.ContainsFunc(layers, func(s setting) bool { return s.Outcome != nil || s.Kinds != nil }) {
		p.Hold = p.holdNeeded()
	}
	for _, s := range layers {
		set(&p.Hold, s.Hold) // what was asked for stands: where it does not fit, check says so
	}
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// holdNeeded is what must be held back for the strongest outcome to come in time.
func (p Policy) holdNeeded() Hold {
	if slices.Index(outcomes, p.strongest()) >= slices.Index(outcomes, Repair) {
		return HoldAnswer
	}
	return HoldNothing
}

func (p Policy) strongest() Outcome {
	out := p.Default.Outcome
	for _, r := range p.Kinds {
		out = stronger(out, r.Outcome)
	}
	return out
}

// check refuses what cannot be meant.
func (p Policy) check() error {
	if err := p.Default.check(); err != nil {
		return err
	}
	for _, k := range slices.Sorted(maps.Keys(p.Kinds)) {
		if !slices.Contains(allKinds, k) {
			return fmt.Errorf("kind %q: choose one of %s", k, joined(allKinds))
		}
		if err := p.Kinds[k].check(); err != nil {
			return fmt.Errorf("kinds.%s: %w", k, err)
		}
	}
	switch p.Hold {
	case HoldNothing, HoldSegment, HoldAnswer:
	default:
		return fmt.Errorf("hold %q: choose nothing, segment or answer", p.Hold)
	}
	if p.Hold == HoldNothing && p.holdNeeded() != HoldNothing && !p.Off {
		return fmt.Errorf("hold %q: what is shown already cannot be kept back; hold a segment or the answer, or flag", p.Hold)
	}
	if p.Mend != Drop && p.Mend != Rewrite {
		return fmt.Errorf("mend %q: choose drop or rewrite", p.Mend)
	}
	return nil
}

func (r Rule) check() error {
	if math.IsNaN(r.Threshold) || math.Signbit(r.Threshold) || r.Threshold > 1 { // nor -0, which is another version than 0
		return fmt.Errorf("threshold %v is not a share from 0 to 1", r.Threshold)
	}
	if !slices.Contains(outcomes[1:], r.Outcome) {
		return fmt.Errorf("outcome %q: choose one of %s", r.Outcome, joined(outcomes[1:]))
	}
	return nil
}

func joined[T ~string](list []T) string {
	var out []string
	for _, s := range list {
		out = append(out, string(s))
	}
	return strings.Join(out, ", ")
}
