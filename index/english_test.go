package index

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// A passage is found by its words in English, in its title too, and a question asks for them; the words as they stand find it as before. What was made with another
// English is made again.
func TestPassagesAreFoundInEnglish(t *testing.T) {
	says := map[string]string{"die bibliothek öffnet.": "the library opens.", "mühle": "mill", "der becken ist voll.": "the pool is full.", "wo ist ein becken?": "where is a pool?"}
	english := func(text, _ string) string { return says[strings.ToLower(text)] }
	r, dir := newRecord(), t.TempDir()
	r.add("", "file:///a", "Mühle", "Die Bibliothek öffnet.")
	r.add("", "file:///b", "Bad", "Der Becken ist voll.")
	r.add("", "file:///c", "Pool", "The pool of the town is closed.")
	find := func(c Config, question string) (uris []string) {
		t.Helper()
		x, err := Open(t.Context(), dir, r, c)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		passages, err := x.Retrieve(t.Context(), ibid.Query{Text: question})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range passages {
			uris = append(uris, p.Source.URI[len(p.Source.URI)-1:])
		}
		return uris
	}
	with := Config{English: english, EnglishName: "one"}
	for _, c := range []struct {
		config   Config
		question string
		want     string
	}{
		{Config{}, "library", ""},
		{with, "Which libraries are there?", "a"},
		{with, "bibliothek", "a"},
		{with, "mills", "a"},
		{with, "Wo ist ein Becken?", "bc"},
		{Config{EnglishName: "two"}, "library", ""},
		{Config{EnglishName: "two"}, "Wo ist ein Becken?", "b"},
		{with, "library", "a"},
	} {
		if got := strings.Join(find(c.config, c.question), ""); got != c.want {
			t.Errorf("%s by %q: %s, want %s", c.question, c.config.EnglishName, got, c.want)
		}
	}
}
