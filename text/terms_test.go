package text_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/text"
)

func keys(s string) []string {
	out := []string{}
	for _, t := range text.Terms(s) {
		out = append(out, t.Key)
	}
	return out
}

func TestTerms(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"case and accents", "ÉCLAIR Éclair E\u0301clair eclair", "eclair eclair eclair eclair"},
		{"letters with a stroke", "Łódź, Ørsted, Straße", "lodz orsted strasse"},
		{"a possessive is found without it", "Whitehouse's", "whitehouse s"},
		{"numbers by their parts", "3.14 and 70,000 €", "3 14 and 70 000"},
		{"a name of a file", "cable-1858_final.pdf", "cable 1858 final pdf"},
		{"Greek ends", "ΛΌΓΟΣ λόγος", "λογοσ λογοσ"},
		{"Cyrillic", "Ёлка Йод", "елка иод"},
		{"ideographs one by one", "海底ケーブル", "海 底 ケ ー フ\u3099 ル"},
		{"Devanagari keeps its vowels", "कि का", "कि का"},
		{"Korean by words", "해저 케이블", "해저 케이블"},
		{"characters that stand for several", "½ ﬁn ㍿", "1 2 fin 株 式 会 社"},
		{"letters in disguise", "ℌello Ｗｉｄｅ", "hello wide"},
		{"soft hyphens are not seen", "trans\u00adatlan\u200dtic", "transatlantic"},
		{"emoji", "done🎉 👍🏽 👩‍👧 ❤️", "done 🎉 👍 👩 👧 ❤"},
		{"nothing to find", "…!? \x00 “” — %_*^", ""},
		{"not UTF-8", "a\xffb\xc3", "a b"},
		{"an accent on nothing", "\u0301 \u0301a", "a"},
	} {
		want := strings.ReplaceAll(c.want, "フ\u3099", "ブ")
		if got := strings.Join(keys(c.text), " "); got != want {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.text, got, want)
		}
	}
	s := "Der Süßstoff, bitte"
	if at := text.Terms(s)[1].At; at.In(s) != "Süßstoff" {
		t.Errorf("stands at %q", at.In(s))
	}
}

// What is looked for is found: terms hold nothing that parts them, their spans are in order, they stay what they are when they
// are looked for themselves, and texts beside each other give the terms of both.
func FuzzTerms(f *testing.F) {
	for _, s := range []string{"Größe 3.14", "海底ケーブル", "👩‍👧🏽", "a\xff\u0301", "½㍿ﬃ", "İI\u0307ı", "\u200d\u00ad", "ﾞｶﾞ", "e\u0301\u0315x", "ΐ", "\u1e9e", "각", "\u0344"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 10_000 {
			return
		}
		end := 0
		var all []string
		for _, term := range text.Terms(a) {
			if !utf8.ValidString(term.Key) || term.Key == "" || strings.ContainsFunc(term.Key, func(r rune) bool {
				return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsControl(r) || 'A' <= r && r <= 'Z'
			}) {
				t.Errorf("term %q of %q", term.Key, a)
			}
			if term.At.Empty() || term.At.End > len(a) || term.At.End < end {
				t.Errorf("term %q of %q stands at %v", term.Key, a, term.At)
			}
			end = term.At.End
			all = append(all, term.Key)
		}
		if again := keys(strings.Join(all, " ")); strings.Join(again, " ") != strings.Join(all, " ") {
			t.Errorf("%q gives %q, and these %q", a, all, again)
		}
		if both, want := keys(a+" "+b), append(keys(a), keys(b)...); !slices.Equal(both, want) {
			t.Errorf("%q and %q give %q, want %q", a, b, both, want)
		}
	})
}
