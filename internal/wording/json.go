package wording

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// JSON gives an error of encoding/json in the words of what was read, not of its reader: the field, what stands there and what
// belongs there, and the place. The text is what was read, from its first byte; nil where no place can be told. An error of
// another package is given as it is.
func JSON(err error, text []byte) error {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	var when *time.ParseError
	switch {
	case errors.As(err, &wrong):
		return mistaken(wrong, text)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		if text != nil && len(bytes.TrimSpace(text)) == 0 {
			return errors.New("it is empty")
		}
		return errors.New("it breaks off before its end")
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON: %w%s", err, place(text, int(syntax.Offset)-1))
	case errors.As(err, &when):
		return fmt.Errorf("%.40q is not a time of the form 2006-01-02T15:04:05Z", when.Value)
	}
	if err == nil {
		return nil
	}
	if quoted, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		if name, err := strconv.Unquote(quoted); err == nil {
			return fmt.Errorf("name %.40q is not known", name)
		}
	}
	if strings.HasPrefix(err.Error(), "Time.UnmarshalJSON: ") {
		return errors.New("a time is a string of the form 2006-01-02T15:04:05Z")
	}
	return err
}

// mistaken says what stands where something else belongs.
func mistaken(wrong *json.UnmarshalTypeError, text []byte) error {
	kind, number, _ := strings.Cut(wrong.Value, " ")
	end := int(wrong.Offset)
	if number != "" && end > 1 && end <= len(text) && !strings.HasSuffix(number, string(text[end-1])) {
		end-- // encoding/json has read on where a number could become anything
	}
	field, where := wrong.Field, ""
	if way, begin, ok := found(text, end); ok {
		if field = way; field != "" { // the whole needs no place
			where = place(text, begin)
		}
	}
	if field != "" {
		field = fmt.Sprintf("%q: ", field)
	}
	belongs := expected(wrong.Type)
	switch {
	case number != "" && belongs == "a number":
		return fmt.Errorf("%s%.40s is too large%s", field, number, where)
	case number != "":
		return fmt.Errorf("%s%.40s is not a whole number, or too large%s", field, number, where)
	}
	stands := map[string]string{"array": "a list", "bool": "a boolean", "object": "an object"}[kind]
	if stands == "" {
		stands = "a " + kind
	}
	return fmt.Errorf("%s%s in the place of %s%s", field, stands, belongs, where)
}

// expected names what JSON has for a type.
func expected(t reflect.Type) string {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return "a string"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return expected(t.Elem())
	case reflect.Bool:
		return "a boolean"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() != reflect.Uint8 { // bytes are written in base64
			return "a list"
		}
	}
	return "a string"
}

// found is the value that encoding/json had read up to a byte: its way from the top, as sources[1].text, and where it begins. The
// name that encoding/json gives it has no numbers of items, and has the names of Go's embedded types in it.
func found(text []byte, end int) (way string, begin int, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	broken := false
	var read func(to string) bool
	read = func(to string) bool {
		at := int(dec.InputOffset())
		at += len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t\r\n:,"))
		token, err := dec.Token()
		if broken = err != nil; broken {
			return false
		}
		if int(dec.InputOffset()) >= end {
			way, begin = to, at
			return true
		}
		open, _ := token.(json.Delim)
		for i := 0; open != 0 && !broken && dec.More(); i++ {
			inner := fmt.Sprintf("%s[%d]", to, i)
			if open == '{' {
				name, _ := dec.Token()
				inner = strings.TrimPrefix(fmt.Sprintf("%s.%v", to, name), ".")
			}
			if read(inner) {
				return true
			}
		}
		if open != 0 {
			dec.Token()
		}
		return false
	}
	ok = read("")
	return way, begin, ok
}

// place says where a byte stands, for people who look for it: from 1, in characters, and the line only where there are several.
func place(text []byte, at int) string {
	if at < 0 || at >= len(text) {
		return ""
	}
	before := text[:at]
	column := 1 + utf8.RuneCount(before[1+bytes.LastIndexByte(before, '\n'):])
	if !bytes.Contains(bytes.TrimRight(text, " \t\r\n"), []byte("\n")) {
		return fmt.Sprintf(" (column %d)", column)
	}
	return fmt.Sprintf(" (line %d, column %d)", 1+bytes.Count(before, []byte("\n")), column)
}
