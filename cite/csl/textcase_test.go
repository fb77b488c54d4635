package csl

import (
	"testing"

	"github.com/ibid-dev/ibid"
)

// BibTeX files protect the first letter of a word far more often than the word: the rest of it is no word of its own.
func TestWordsThatMarksCutAreOne(t *testing.T) {
	const keep, end = `<span class="nocase">`, `</span>`
	style := builtin(t, "mla")
	for title, want := range map[string]string{
		keep + "B" + end + "ayesian " + keep + "N" + end + "etworks": "Bayesian Networks",
		"on the " + keep + "E" + end + "uclidean plane":              "On the Euclidean Plane",
		"the " + keep + "i" + end + "n of it":                        "The in of It",
		"pre" + keep + "H" + end + "istory of man":                   "preHistory of Man",
		"an " + keep + "O" + end + "’neill story":                    "An O’neill Story",
		keep + "DNA" + end + "-based methods":                        "DNA-Based Methods",
		"a quantity of CO<sub>2</sub>e per head":                     "A Quantity of CO2e per Head",
		"methods of <i>th</i>e ages":                                 "Methods of the Ages",
		"what goes <i>o</i>n":                                        "What Goes On",
		"notes “<i>hamlet</i>” left":                                 "Notes ‘Hamlet’ Left",
	} {
		r := ibid.Reference{ID: "a", Type: "article-journal"}
		r.Set("title", title)
		if got := onlyEntry(t, style, r); got != "“"+want+".”" {
			t.Errorf("%s: %s, want %s", title, got, want)
		}
	}

	runs := []leaf{{&node{kind: kText, text: "B"}, true}, {&node{kind: kText, text: "ayesian and more"}, false}}
	capitalizeAll(runs)
	if got := joinRuns(runs); got != "Bayesian And More" {
		t.Errorf("capitalize-all gives %s", got)
	}
}

// A title has capitals where its language is English, by whichever name files call it.
func TestTitlesInEnglish(t *testing.T) {
	style := builtin(t, "mla")
	for lang, want := range map[string]string{"en": "The Origin of Species", "en-GB": "The Origin of Species", "en_US": "The Origin of Species", "eng": "The Origin of Species",
		"English": "The Origin of Species", "de": "the origin of species", "enm": "the origin of species"} {
		r := ibid.Reference{ID: "a", Type: "article-journal"}
		r.Set("title", "the origin of species")
		r.Set("language", lang)
		if got := onlyEntry(t, style, r); got != "“"+want+".”" {
			t.Errorf("%s: %s, want %s", lang, got, want)
		}
	}
}
