package text_test

import (
	"reflect"
	"testing"

	"github.com/ibid-dev/ibid/text"
)

func TestConfusable(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"plain text", "The cable – “Field’s” – cost 5 μm, Δt and α.", nil},
		{"Cyrillic letter in a Latin word", "The cаble failed.", []string{"cаble"}},
		{"Greek letter in a Latin word", "The Νiagara sailed.", []string{"Νiagara"}},
		{"whole word of look-alikes", "The сор came.", []string{"сор"}},
		{"Russian text", "Это сор и кабель.", nil},
		{"Greek text", "Το καλώδιο", nil},
		{"zero-width characters", "ca\u200b\u200bble fa\u00adiled", []string{"\u200b\u200b", "\u00ad"}},
		{"bidirectional override", "a\u202eb", []string{"\u202e"}},
		{"joiners that writing needs", "می\u200cخواهم 👩\u200d🚀 ❤\ufe0f 1\ufe0f\u20e3", nil},
		{"joiner in a Latin word", "ca\u200dble", []string{"\u200d"}},
		{"byte-order mark at the start", "\ufeffThe", nil},
		{"in order of the text", "cаble a\u200bb Νo", []string{"cаble", "\u200b", "Νo"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, at := range text.Confusable(c.text) {
				got = append(got, at.In(c.text))
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
