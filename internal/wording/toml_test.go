package wording_test

import (
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/ibid-dev/ibid/internal/wording"
)

type minutes time.Duration

func (m *minutes) UnmarshalText(b []byte) error {
	d, err := time.ParseDuration(string(b))
	*m = minutes(d)
	return err
}

// What is wrong in a file of settings is said by its line and its setting, without the words of the reader.
func TestTOMLInWords(t *testing.T) {
	var into struct {
		Name  string   `toml:"name"`
		Count int      `toml:"count"`
		Share float64  `toml:"share"`
		On    bool     `toml:"on"`
		List  []string `toml:"list"`
		Wait  minutes  `toml:"wait"`
		Deep  struct {
			Count int `toml:"count"`
		} `toml:"deep"`
	}
	for text, want := range map[string]string{
		"name = 5":                    "line 1: name: a whole number in the place of a text in quotes",
		"\nname = [\"a\"]":            "line 2: name: a list in the place of a text in quotes",
		"count = \"eight\"":           "line 1: count: a text in quotes in the place of a whole number",
		"[deep]\ncount = 8.5":         "line 2: deep.count: a number in the place of a whole number",
		"share = true":                "line 1: share: a boolean in the place of a number",
		"on = \"yes\"":                "line 1: on: a text in quotes in the place of true or false",
		"list = \"a\"":                "line 1: list: a text in quotes in the place of a list",
		"wait = \"5 minutes\"":        "line 1: wait: a time is written as 90s, 5m or 1h",
		"wait = 300":                  "line 1: wait: a time is written as 90s, 5m or 1h",
		"name = \"a\"\nname = \"b\"":  "line 2: name: Key 'name' has already been defined",
		"name = \"a\"\n[unclosed\nx=": "line 3: expected '.' or ']' to end table name, but got '\\n' instead",
	} {
		_, err := toml.Decode(text, &into)
		if err == nil || wording.TOML(err).Error() != want {
			t.Errorf("%q: %v, want %s", text, wording.TOML(err), want)
		}
	}
}
