package ledger

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// Struct registers the claims of a value whose fields are claims, so that no text has to be taken apart to find them:
//
//	type Finding struct {
//		Shift  float64              `claim:"The market shifted by {} % in Q3." source:"Page"`
//		Weeks  *int                 `claim:"It took {} weeks." source:"Page"`   // nil claims nothing
//		Causes []string             `claim:"{}" source:"Page"`                  // each is a claim
//		Rows   int                  `claim:"{} rows were read." exempt:"run"`
//		Page   ibid.SourceReference                                             // named by the tags above
//		Parts  []Part                                                           // structs are looked into
//	}
//
// {} stands for the value. A claim field without source and exempt is an uncited claim. All of the value is checked before
// the first claim is registered. The error names the field and wraps ibid.ErrInvalid.
func (l *Ledger) Struct(v any) ([]ibid.Claim, error) {
	var found []bound
	if err := collect(reflect.ValueOf(v), "", &found, 0); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%T has no field with a claim: tag one, as in `claim:\"It took {} weeks.\"`: %w", v, ibid.ErrInvalid)
	}
	for _, b := range found {
		if err := l.checkBound(b); err != nil {
			return nil, fmt.Errorf("field %s: %w", b.field, err)
		}
	}
	var out []ibid.Claim
	for _, b := range found {
		var c ibid.Claim
		var err error
		if b.exempt != "" {
			c, err = l.Exempt(b.text, b.exempt)
		} else {
			c, err = l.Claim(b.text, b.source)
		}
		if err != nil {
			return out, fmt.Errorf("field %s: %w", b.field, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// bound is a claim that a field makes.
type bound struct {
	field, text string
	source      ibid.SourceReference
	exempt      ibid.Exemption
}

func (l *Ledger) checkBound(b bound) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.checkText(b.text); err != nil || b.source.Identifier == "" {
		return err
	}
	return l.known(b.source)
}

var referenceType = reflect.TypeFor[ibid.SourceReference]()

const maxDepth = 32

func collect(v reflect.Value, path string, out *[]bound, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("field %s: nested more than %d deep: %w", path, maxDepth, ibid.ErrInvalid)
	}
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch {
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		for i := range v.Len() {
			if err := collect(v.Index(i), fmt.Sprintf("%s[%d]", path, i), out, depth+1); err != nil {
				return err
			}
		}
		return nil
	case v.Kind() != reflect.Struct && path == "":
		return fmt.Errorf("%s is not a struct: %w", kindOf(v), ibid.ErrInvalid)
	case v.Kind() != reflect.Struct || v.Type() == referenceType:
		return nil
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := strings.TrimPrefix(path+"."+f.Name, ".")
		form, tagged := f.Tag.Lookup("claim")
		if embedded := f.Anonymous && !tagged && indirect(f.Type).Kind() == reflect.Struct; !f.IsExported() && !embedded { // what is embedded has fields that are
			if tagged {
				return fmt.Errorf("field %s: has a claim and is not exported: %w", name, ibid.ErrInvalid)
			}
			continue
		}
		var err error
		if tagged {
			err = claimsOf(v, f, form, name, out)
		} else {
			err = collect(v.Field(i), name, out, depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func kindOf(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	return v.Type().String()
}

// claimsOf gives the claims of one tagged field: one, or one for each element of a list.
func claimsOf(parent reflect.Value, f reflect.StructField, form, name string, out *[]bound) error {
	b := bound{field: name, exempt: ibid.Exemption(f.Tag.Get("exempt"))}
	switch b.exempt {
	case "", ibid.Computed, ibid.Structural, ibid.AboutRun:
	default:
		return fmt.Errorf("field %s: exempt as %q: choose computed, structural or run: %w", name, b.exempt, ibid.ErrInvalid)
	}
	if from := f.Tag.Get("source"); from != "" {
		if b.exempt != "" {
			return fmt.Errorf("field %s: is exempt and has a source: choose one: %w", name, ibid.ErrInvalid)
		}
		var ref reflect.Value
		if named, ok := parent.Type().FieldByName(from); ok {
			var err error
			if ref, err = parent.FieldByIndexErr(named.Index); err != nil { // it is of an embedded struct that is not there: uncited
				ref = reflect.Zero(reflect.PointerTo(referenceType))
			}
		}
		if ref.Kind() == reflect.Pointer && !ref.IsNil() {
			ref = ref.Elem()
		}
		switch {
		case !ref.IsValid():
			return fmt.Errorf("field %s: its source %s is no field of %s: %w", name, from, parent.Type(), ibid.ErrInvalid)
		case ref.Type() == reflect.PointerTo(referenceType): // nil: uncited
		case ref.Type() != referenceType || !ref.CanInterface():
			return fmt.Errorf("field %s: its source %s is not an exported ibid.SourceReference: %w", name, from, ibid.ErrInvalid)
		default:
			b.source = ref.Interface().(ibid.SourceReference)
		}
	}
	return b.each(parent.FieldByIndex(f.Index), form, out, 0)
}

// each adds a claim for a value, or for each element of a list, of lists of lists too.
func (b bound) each(v reflect.Value, form string, out *[]bound, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("field %s: nested more than %d deep: %w", b.field, maxDepth, ibid.ErrInvalid)
	}
	for (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && !says(v) {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		return nil
	case says(v) || isBytes(v): // one claim, and not one for each byte
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		for i := range v.Len() {
			one := b
			one.field = fmt.Sprintf("%s[%d]", b.field, i)
			if err := one.each(v.Index(i), form, out, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	b.text = strings.ReplaceAll(form, "{}", shown(v))
	*out = append(*out, b)
	return nil
}

func indirect(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// says tells whether a value has words of its own.
func says(v reflect.Value) bool {
	_, ok := v.Interface().(fmt.Stringer)
	return ok && v.Kind() != reflect.Interface
}

// isBytes tells bytes from small numbers, which have a type of their own.
func isBytes(v reflect.Value) bool {
	return (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) && v.Type().Elem() == reflect.TypeFor[byte]()
}

// shown is a value as people write it: a million is 1000000, and not 1e+06.
func shown(v reflect.Value) string {
	switch {
	case says(v):
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'f', -1, v.Type().Bits())
	case isBytes(v) && v.Kind() == reflect.Slice:
		return string(v.Bytes())
	case isBytes(v):
		return array(v)
	}
	return fmt.Sprint(v.Interface())
}

// array writes bytes of a fixed number: text that was filled up with zeros as text, and what is none, as hashes and ids are, in
// hexadecimal digits.
func array(v reflect.Value) string {
	b := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(b), v)
	text := strings.TrimRight(string(b), "\x00")
	if text == "" || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) }) {
		return hex.EncodeToString(b)
	}
	return text
}
