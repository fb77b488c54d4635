package ibid

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Reference is the bibliographic record of a work, in the words of CSL-JSON, to and from which it marshals. Reading is
// lenient: numbers may be strings and strings numbers, dates may be parts, literal or raw. What is not a variable of
// CSL is kept in Extra and written again.
type Reference struct {
	ID    string
	Type  string                     // "article-journal", "book", "webpage" …
	Text  map[string]string          // "title", "container-title", "DOI", "URL", "page", "volume" …
	Names map[string][]Name          // "author", "editor" …
	Dates map[string]Date            // "issued", "accessed" …
	Extra map[string]json.RawMessage // anything else, as it was read
}

// Name is the name of a person, or of an institution as Literal.
type Name struct {
	Family              string `json:"family,omitempty"`
	Given               string `json:"given,omitempty"`
	DroppingParticle    string `json:"dropping-particle,omitempty"`
	NonDroppingParticle string `json:"non-dropping-particle,omitempty"`
	Suffix              string `json:"suffix,omitempty"`
	CommaSuffix         bool   `json:"comma-suffix,omitempty"`
	StaticOrdering      bool   `json:"static-ordering,omitempty"`
	Literal             string `json:"literal,omitempty"`
	ParseNames          bool   `json:"parse-names,omitempty"`
}

func (n Name) String() string {
	if n.Literal != "" {
		return n.Literal
	}
	parts := []string{n.Given, n.DroppingParticle, n.NonDroppingParticle, n.Family, n.Suffix}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// Date is one date or a range of two. A part that is not known is 0.
type Date struct {
	Parts   []DateParts // none, one, or the two ends of a range
	Season  string      // "1" to "4", or a name
	Circa   bool
	Literal string // used as it stands
	Raw     string // as read, where it could not be taken apart
}

// DateParts is year, month and day; the year is negative before the common era.
type DateParts struct {
	Year, Month, Day int
}

// Title is the title of the work, or "".
func (r Reference) Title() string { return r.Text["title"] }

// URL is the address of the work, or "".
func (r Reference) URL() string { return r.Text["URL"] }

// DOI is the digital object identifier of the work, or "".
func (r Reference) DOI() string { return r.Text["DOI"] }

// Year is the year in which the work was issued, 0 where it is not known.
func (r Reference) Year() int {
	if d := r.Dates["issued"]; len(d.Parts) > 0 {
		return d.Parts[0].Year
	}
	return 0
}

// Set gives a text variable a value, or removes it where the value is blank.
func (r *Reference) Set(variable, value string) {
	if value = strings.TrimSpace(value); value == "" {
		delete(r.Text, variable)
		return
	}
	if r.Text == nil {
		r.Text = map[string]string{}
	}
	r.Text[variable] = value
}

// SetNames gives a name variable a value, or removes it where there is none.
func (r *Reference) SetNames(variable string, names ...Name) {
	if len(names) == 0 {
		delete(r.Names, variable)
		return
	}
	if r.Names == nil {
		r.Names = map[string][]Name{}
	}
	r.Names[variable] = names
}

// SetDate gives a date variable a value, or removes it where the date says nothing.
func (r *Reference) SetDate(variable string, d Date) {
	if d.IsZero() {
		delete(r.Dates, variable)
		return
	}
	if r.Dates == nil {
		r.Dates = map[string]Date{}
	}
	r.Dates[variable] = d
}

// Clone gives a copy that shares nothing with r.
func (r Reference) Clone() Reference {
	r.Text = maps.Clone(r.Text)
	r.Extra = maps.Clone(r.Extra)
	r.Names = maps.Clone(r.Names)
	for k, v := range r.Names {
		r.Names[k] = slices.Clone(v)
	}
	r.Dates = maps.Clone(r.Dates)
	for k, v := range r.Dates {
		v.Parts = slices.Clone(v.Parts)
		r.Dates[k] = v
	}
	return r
}

// IsZero reports whether the date says nothing.
func (d Date) IsZero() bool {
	return len(d.Parts) == 0 && d.Season == "" && d.Literal == "" && d.Raw == ""
}

// NewDate makes a date of a year and, where known, month and day.
func NewDate(year int, monthDay ...int) Date {
	p := DateParts{Year: year}
	if len(monthDay) > 0 {
		p.Month = monthDay[0]
	}
	if len(monthDay) > 1 {
		p.Day = monthDay[1]
	}
	return Date{Parts: []DateParts{p}}
}

// IsNameVariable reports whether CSL keeps names under the variable.
func IsNameVariable(v string) bool { return slices.Contains(nameVariables, v) }

// IsDateVariable reports whether CSL keeps a date under the variable.
func IsDateVariable(v string) bool { return slices.Contains(dateVariables, v) }

var nameVariables = []string{
	"author", "chair", "collection-editor", "compiler", "composer", "container-author", "contributor", "curator",
	"director", "editor", "editor-translator", "editorial-director", "executive-producer", "guest", "host", "illustrator", "interviewer",
	"narrator", "organizer", "original-author", "performer", "producer", "recipient", "reviewed-author",
	"script-writer", "series-creator", "translator",
}

var dateVariables = []string{
	"accessed", "available-date", "event-date", "issued", "original-date", "submitted",
}

// MarshalJSON writes CSL-JSON.
func (r Reference) MarshalJSON() ([]byte, error) {
	m := make(map[string]any, 2+len(r.Text)+len(r.Names)+len(r.Dates)+len(r.Extra))
	for k, v := range r.Extra {
		m[k] = v
	}
	for k, v := range r.Text {
		m[k] = v
	}
	for k, v := range r.Names {
		m[k] = v
	}
	for k, v := range r.Dates {
		m[k] = v
	}
	if r.ID != "" {
		m["id"] = r.ID
	}
	if r.Type != "" {
		m["type"] = r.Type
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads CSL-JSON. The error names the variable that cannot be read and wraps ErrInvalid.
func (r *Reference) UnmarshalJSON(b []byte) error {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(b, &m); err != nil {
		return fmt.Errorf("reference: not a CSL-JSON object: %w", ErrInvalid)
	}
	*r = Reference{}
	for k, raw := range m {
		if bytes.Equal(raw, []byte("null")) {
			continue
		}
		text, plain := scalar(raw)
		switch {
		case k == "id":
			r.ID = text
		case k == "type":
			r.Type = text
		case IsNameVariable(k):
			var names []Name
			if err := json.Unmarshal(raw, &names); err != nil {
				return fmt.Errorf("reference %s: %s is not a list of names: %w", m["id"], k, ErrInvalid)
			}
			r.SetNames(k, names...)
		case IsDateVariable(k):
			var d Date
			if err := json.Unmarshal(raw, &d); err != nil {
				return fmt.Errorf("reference %s: %s is not a date: %w", m["id"], k, ErrInvalid)
			}
			r.SetDate(k, d)
		case plain:
			if r.Text == nil {
				r.Text = make(map[string]string, len(m))
			}
			r.Text[k] = text
		default:
			if r.Extra == nil {
				r.Extra = map[string]json.RawMessage{}
			}
			r.Extra[k] = slices.Clone(raw)
		}
	}
	return nil
}

// UnmarshalJSON reads a name. Flags may be booleans, numbers or strings.
func (n *Name) UnmarshalJSON(b []byte) error {
	if text, ok := scalar(b); ok {
		*n = Name{Literal: text}
		return nil
	}
	var j struct {
		Family              json.RawMessage `json:"family"`
		Given               json.RawMessage `json:"given"`
		DroppingParticle    json.RawMessage `json:"dropping-particle"`
		NonDroppingParticle json.RawMessage `json:"non-dropping-particle"`
		Suffix              json.RawMessage `json:"suffix"`
		Literal             json.RawMessage `json:"literal"`
		CommaSuffix         json.RawMessage `json:"comma-suffix"`
		StaticOrdering      json.RawMessage `json:"static-ordering"`
		ParseNames          json.RawMessage `json:"parse-names"`
	}
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	text := func(raw json.RawMessage) string { s, _ := scalar(raw); return s }
	flag := func(raw json.RawMessage) bool { s := text(raw); return s != "" && s != "false" && s != "0" }
	*n = Name{
		Family: text(j.Family), Given: text(j.Given), Suffix: text(j.Suffix), Literal: text(j.Literal),
		DroppingParticle: text(j.DroppingParticle), NonDroppingParticle: text(j.NonDroppingParticle),
		CommaSuffix: flag(j.CommaSuffix), StaticOrdering: flag(j.StaticOrdering), ParseNames: flag(j.ParseNames),
	}
	return nil
}

type dateJSON struct {
	Parts   [][]int `json:"date-parts,omitempty"`
	Season  string  `json:"season,omitempty"`
	Circa   bool    `json:"circa,omitempty"`
	Literal string  `json:"literal,omitempty"`
	Raw     string  `json:"raw,omitempty"`
}

// MarshalJSON writes the date as CSL-JSON does.
func (d Date) MarshalJSON() ([]byte, error) {
	j := dateJSON{Season: d.Season, Circa: d.Circa, Literal: d.Literal, Raw: d.Raw}
	for _, p := range d.Parts {
		parts := []int{p.Year}
		if p.Month != 0 || p.Day != 0 {
			parts = append(parts, p.Month)
		}
		if p.Day != 0 {
			parts = append(parts, p.Day)
		}
		j.Parts = append(j.Parts, parts)
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads a date: an object of CSL-JSON, or a bare year or string, which is kept as Raw.
func (d *Date) UnmarshalJSON(b []byte) error {
	*d = Date{}
	if text, ok := scalar(b); ok {
		d.Raw = text
		return nil
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	d.Season, _ = scalar(m["season"])
	d.Literal, _ = scalar(m["literal"])
	d.Raw, _ = scalar(m["raw"])
	circa, _ := scalar(m["circa"])
	d.Circa = circa != "" && circa != "false" && circa != "0"
	var ends []json.RawMessage
	if raw, ok := m["date-parts"]; ok {
		if err := json.Unmarshal(raw, &ends); err != nil {
			return err
		}
	}
	for _, end := range ends {
		var parts []json.RawMessage
		if err := json.Unmarshal(end, &parts); err != nil {
			return err
		}
		var n [3]int
		for i := 0; i < len(parts) && i < 3; i++ {
			text, _ := scalar(parts[i])
			v, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil && text != "" {
				return fmt.Errorf("date part %q is not a whole number", text)
			}
			n[i] = v
		}
		if len(parts) > 0 {
			d.Parts = append(d.Parts, DateParts{n[0], n[1], n[2]})
		}
	}
	return nil
}

// plainString reports whether a JSON string has nothing to decode.
func plainString(raw []byte) bool {
	return len(raw) > 1 && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw)
}

// scalar reads a JSON string, number or boolean as text.
func scalar(raw json.RawMessage) (string, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "", false
	}
	switch c := raw[0]; {
	case c == '"' && plainString(raw):
		return string(raw[1 : len(raw)-1]), true
	case c == '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return "", false
		}
		return s, true
	case c == '-' || c >= '0' && c <= '9' || c == 't' || c == 'f':
		return string(raw), true
	}
	return "", false
}
