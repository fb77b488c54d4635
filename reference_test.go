package ibid_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/ibid-dev/ibid"
)

// FuzzReference: whatever the bytes, reading does not panic; what encoding/json refuses is refused when it comes through
// encoding/json; and what was read is written and read again the same.
func FuzzReference(f *testing.F) {
	for _, s := range []string{
		`{"id":1,"type":"book","title":"A \"b\" \u00e9","author":[{"family":"Doe","given":"J","comma-suffix":1},"Literal"],"issued":{"date-parts":[["2000",1,2],[2001]]},"x":[1,{"y":"]"}]}`,
		`{"issued":"2000-01","accessed":{"raw":"x","circa":true,"season":2},"volume":3,"note":null}`,
		`{`, `{}`, `[]`, `{"a":1,}`, `{"a" "b"}`, `{"author":[{}]}`, `{"author":{}}`, "{\"a\":\"\xff\"}", `{"a":"\ud800"}`, ` { "a" : [ ] } `,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var direct ibid.Reference
		_ = direct.UnmarshalJSON(b)
		var r ibid.Reference
		if json.Unmarshal(b, &r) != nil {
			return
		}
		out, err := json.Marshal(r)
		if err != nil {
			t.Fatalf("cannot be written: %v", err)
		}
		var again ibid.Reference
		if err := json.Unmarshal(out, &again); err != nil {
			t.Fatalf("%s: cannot be read again: %v", out, err)
		}
		second, _ := json.Marshal(again)
		if string(second) != string(out) && !reflect.DeepEqual(r, again) {
			t.Fatalf("%s became %s", out, second)
		}
	})
}

// Directories of DOIs give [[null]] for the day of a work that has none. It is no date, and no year 0; the open end of a range stays.
func TestDateThatSaysNothing(t *testing.T) {
	for in, want := range map[string]string{
		`{"date-parts":[[null]]}`:             `{}`,
		`{"date-parts":[[null,null]]}`:        `{}`,
		`{"date-parts":[[""]],"literal":"x"}`: `{"literal":"x"}`,
		`{"date-parts":[[2020],[null]]}`:      `{"date-parts":[[2020],[0]]}`,
		`{"date-parts":[[2020,null]]}`:        `{"date-parts":[[2020]]}`,
	} {
		var d ibid.Date
		if err := json.Unmarshal([]byte(in), &d); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(d); err != nil || string(got) != want {
			t.Errorf("%s became %s (%v), want %s", in, got, err, want)
		}
	}
}

// A year is known also where the date is kept as it was read.
func TestYear(t *testing.T) {
	for in, want := range map[string]int{
		`{"date-parts":[[1858,8]]}`: 1858, `2019`: 2019, `"2019"`: 2019, `"2019-03-05"`: 2019, `{"raw":"5. März 2019"}`: 2019, `{"raw":"3/5/2019"}`: 2019, `{"raw":"March 5, 2019"}`: 2019, `{"raw":"1914/1918"}`: 1914,
		`{"edtf":"2019~"}`: 2019, `{"raw":"c2019"}`: 2019, `{"raw":"-0044-03-15"}`: 0, `{"raw":"199X"}`: 0, `{"raw":"12345"}`: 0, `{"raw":"5 March"}`: 0, `{"literal":"in 2019, they say"}`: 0, `{}`: 0,
	} {
		var r ibid.Reference
		if err := json.Unmarshal([]byte(`{"issued":`+in+`}`), &r); err != nil || r.Year() != want {
			t.Errorf("%s: %d, want %d, %v", in, r.Year(), want, err)
		}
	}
}
