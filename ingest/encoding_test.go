package ingest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// FuzzText: bytes are text or are refused. What is UTF-8 stays as it is but for the mark, and so do the words of anything else
// when they come again.
func FuzzText(f *testing.F) {
	for _, s := range []string{"text\r\n", "\xef\xbb\xbfa\tb", "\xff\xfea\x00", "\xfe\xff\x00a\xd8", "a\x00b\x00c\x00d\x00", "Caf\xe9 au lait", "charset=koi8-r \xf0\xf1", "\xc3\xbc\xc3\xb6\xc3\xa4\xff", "%PDF-1.4", "a\fb", "\ufeff\ufeffa"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text, warning, err := ingest.Text(b)
		if err != nil {
			if !errors.Is(err, ibid.ErrInvalid) || !errors.Is(err, ingest.ErrBinary) || text != "" {
				t.Fatalf("%q, %v", text, err)
			}
			return
		}
		if !utf8.ValidString(text) {
			t.Fatalf("%q became %q", b, text)
		}
		if utf8.Valid(b) && !strings.Contains(string(b), "\x00") && (warning != "" || strings.TrimPrefix(string(b), "\ufeff") != text) {
			t.Fatalf("%q became %q: %s", b, text, warning)
		}
		if again, _, err := ingest.Text([]byte(text)); err == nil && again != strings.TrimPrefix(text, "\ufeff") {
			t.Fatalf("%q became %q, and that %q", b, text, again)
		}
	})
}

// FuzzEncodings: a text is the same however it is written, with a mark of its encoding or without.
func FuzzEncodings(f *testing.F) {
	for _, s := range []string{"A Title\n\nCafé, 𝄞 and Größe.", "# A\n\n- b", "<p>a&amp;b", "a\fb\r\nc\u2028d", "Ж", "name,office\nAda,Berlin\n"} {
		for _, name := range []string{"", "a.md", "a.html", "a.csv"} {
			f.Add(s, name)
		}
	}
	f.Fuzz(func(t *testing.T, s, name string) {
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\x00\ufeff\ufffe") || strings.Contains(s, "charset") {
			return
		}
		units := utf16.Encode([]rune(s))
		little, big := []byte("\xff\xfe"), []byte("\xfe\xff")
		for _, u := range units {
			little, big = append(little, byte(u), byte(u>>8)), append(big, byte(u>>8), byte(u))
		}
		want, whole, wrong := readBoth(t, []byte("\xef\xbb\xbf"+s), name)
		for _, b := range [][]byte{little, big, []byte(s)} {
			text, res, err := readBoth(t, b, name)
			if err != nil || wrong != nil {
				continue // what the bytes are allowed to be is a question of their own
			}
			if text != want || res.Text != whole.Text || res.MediaType != whole.MediaType {
				t.Fatalf("%q: %s %q, not %s %q", b, res.MediaType, res.Text, whole.MediaType, whole.Text)
			}
		}
	})
}

func readBoth(t *testing.T, b []byte, name string) (string, ingest.Result, error) {
	text, _, err := ingest.Text(b)
	if err != nil {
		return "", ingest.Result{}, err
	}
	res, err := ingest.Read(context.Background(), b, ingest.Hint{Name: name})
	if err == nil {
		checkResult(t, res)
	}
	return text, res, err
}
