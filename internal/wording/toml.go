package wording

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// TOML gives an error of the reader of TOML in the words of what was read: the line, the setting, what stands there and what
// belongs there. An error of another package is given as it is. Most errors of the reader have no type, so it goes by their text.
func TOML(err error) error {
	if err == nil {
		return nil
	}
	m := inTOML.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	line, key, said := m[1], m[2], strings.TrimSuffix(m[3], ".")
	if t := mistyped.FindStringSubmatch(said); t != nil && kinds[t[1]] != "" && kinds[t[2]] != "" {
		said = fmt.Sprintf("%s in the place of %s", kinds[t[1]], kinds[t[2]])
	} else if strings.HasPrefix(said, "time: ") {
		said = "a time is written as 90s, 5m or 1h"
	}
	if key != "" {
		said = key + ": " + said
	}
	return errors.New("line " + line + ": " + said)
}

// inTOML finds the line and the setting in what the reader says.
var inTOML = regexp.MustCompile(`^toml: line (\d+)(?: \(last key "(.*?)"\))?: (.*)$`)

// mistyped finds the types in what the reader says of a value that is of another one.
var mistyped = regexp.MustCompile(`^incompatible types: TOML value has type (.+); destination has type (.+)$`)

// kinds names the types as people do.
var kinds = map[string]string{
	"string": "a text in quotes", "int64": "a whole number", "integer": "a whole number", "float64": "a number", "float": "a number",
	"bool": "a boolean", "boolean": "true or false", "[]any": "a list", "[]map[string]any": "a list of tables", "slice": "a list", "map[string]any": "a table", "map": "a table",
	"time.Time": "a date", "primitive (string-like)": "a text in quotes",
}

// TOMLOnce refuses a setting that a file has twice, in other letters: the reader takes both for it, and now the one and now the
// other counts. What is written twice in the same letters it refuses itself.
func TOMLOnce(meta toml.MetaData) error {
	written := map[string]string{}
	for _, key := range meta.Keys() {
		name := strings.Join(key, ".")
		folded := strings.ToLower(strings.ToUpper(name)) // as the reader folds: a long s is an s
		if before, ok := written[folded]; ok && before != name {
			return fmt.Errorf("%q is set twice", folded)
		}
		written[folded] = name
	}
	return nil
}
