package wording_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

type letter struct {
	Title   string         `json:"title"`
	Year    int            `json:"year"`
	Score   float64        `json:"score"`
	Seen    bool           `json:"seen"`
	Trust   ibid.Trust     `json:"trust"`
	At      time.Time      `json:"at"`
	Raw     []byte         `json:"raw"`
	Tags    []string       `json:"tags"`
	Extra   map[string]any `json:"extra"`
	Small   *uint8         `json:"small"`
	Letters []letter       `json:"letters"`
	envelope
}

type envelope struct {
	Place string `json:"place"`
}

// Each fault is told by its field, by what stands there and what belongs there, and by its place.
func TestJSONIsToldInTheWordsOfTheFile(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a number for text", `{"title": 7}`, `"title": a number in the place of a string (column 11)`},
		{"text for a number", `{"year":"1858"}`, `"year": a string in the place of a whole number (column 9)`},
		{"text that ends in what looks like its beginning", `{"year":"a\"b\\"}`, `"year": a string in the place of a whole number (column 9)`},
		{"a broken number", `{"year":18.58}`, `"year": 18.58 is not a whole number, or too large (column 9)`},
		{"a large number", `{"score":1e400}`, `"score": 1e400 is too large (column 10)`},
		{"a small one", `{"small":256}`, `"small": 256 is not a whole number, or too large (column 10)`},
		{"text for a boolean", `{"seen":"yes"}`, `"seen": a string in the place of a boolean (column 9)`},
		{"a boolean for a list", `{"tags":true}`, `"tags": a boolean in the place of a list (column 9)`},
		{"text for a list", `{"tags":"a"}`, `"tags": a string in the place of a list (column 9)`},
		{"a list for an object", `{"extra":[]}`, `"extra": a list in the place of an object (column 10)`},
		{"an object for text", `{"title":{}}`, `"title": an object in the place of a string (column 10)`},
		{"a number for what is read from text", `{"trust":1}`, `"trust": a number in the place of a string (column 10)`},
		{"a number for bytes", `{"raw":1}`, `"raw": a number in the place of a string (column 8)`},
		{"within a list, on a later line", "{\"letters\": [\n  {\"title\": \"é\"},\n  {\"title\":\"é\", \"year\": false}\n]}\n", `"letters[1].year": a boolean in the place of a whole number (line 3, column 25)`},
		{"a large number among what is not bound", `{"extra":{"a":[1e400 ]}}`, `"extra.a[0]": 1e400 is too large (column 16)`},
		{"in a list", `{"tags":["a",["b"],7]}`, `"tags[1]": a list in the place of a string (column 14)`},
		{"in what another holds", `{"extra":{"at":"x"},"place":[7,"x"]}`, `"place": a list in the place of a string (column 29)`},
		{"in a list of lists", `{"extra":{"a":[{}]},"letters":[{"letters":[{},{"raw":[{}]}]}]}`, `"letters[0].letters[1].raw[0]": an object in the place of a whole number (column 55)`},
		{"with a line before it", "\n{\"year\":{}}\n", `"year": an object in the place of a whole number (line 2, column 9)`},
		{"a list", ` []`, `a list in the place of an object`},
		{"text", `"x"`, `a string in the place of an object`},
		{"a time that is none", `{"at":"yesterday"}`, `"yesterday" is not a time of the form 2006-01-02T15:04:05Z`},
		{"a number for a time", `{"at":5}`, `a time is a string of the form 2006-01-02T15:04:05Z`},
		{"a name that is not known", `{"colour":1}`, `name "colour" is not known`},
		{"no JSON", `Words.`, `it is not JSON: invalid character 'W' looking for beginning of value (column 1)`},
		{"no JSON on a later line", "{\n\t\"é\", 1}", `it is not JSON: invalid character ',' after object key (line 2, column 5)`},
		{"more than one", `{} {}`, `it is not JSON: invalid character '{' after top-level value (column 4)`},
		{"cut", `{"title":"a`, `it breaks off before its end`},
		{"cut behind a value", `{"title":"a"`, `it breaks off before its end`},
		{"nothing", "\n ", `it is empty`},
	} {
		strict := json.NewDecoder(strings.NewReader(c.text))
		strict.DisallowUnknownFields()
		for how, err := range map[string]error{"Unmarshal": json.Unmarshal([]byte(c.text), new(letter)), "Decoder": strict.Decode(new(letter))} {
			if err == nil { // what only the other refuses
				continue
			}
			if got := wording.JSON(err, []byte(c.text)); got.Error() != c.want {
				t.Errorf("%s, %s: %q, want %q", c.name, how, got, c.want)
			}
		}
	}
}

func TestJSONLeavesOtherErrorsAsTheyAre(t *testing.T) {
	other := fmt.Errorf("reference: %w", ibid.ErrInvalid)
	if got := wording.JSON(other, []byte("{}")); got != other {
		t.Errorf("got %v", got)
	}
	if got := wording.JSON(nil, nil); got != nil {
		t.Errorf("got %v", got)
	}
	err := json.Unmarshal([]byte(`{"year":"x"}`), new(letter))
	if got := wording.JSON(err, nil).Error(); got != `"year": a string in the place of a whole number` {
		t.Errorf("without the text: %q", got)
	}
}

// Whatever was read, no word of Go's is left, and what the text does not fit is no reason to fail.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"title":7}`, `{"letters":[{"year":"\\\""}]}`, `[`, `"`, `{"small":-1}`, "{\"at\":\"\n\"}", `{"extra":{"a":1e999}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, into := range []any{new(letter), new(any), new([]letter)} {
			err := json.Unmarshal(b, into)
			if err == nil {
				continue
			}
			for _, text := range [][]byte{b, nil, b[:len(b)/2]} {
				got := wording.JSON(err, text).Error()
				var syntax *json.SyntaxError
				if strings.Contains(got, " Go ") && !errors.As(err, &syntax) && !bytes.Contains(b, []byte("Go")) {
					t.Errorf("%q: %q", b, got)
				}
			}
		}
	})
}
