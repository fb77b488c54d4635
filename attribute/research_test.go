package attribute

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestResearchIsTold: a source that tells what a study found is told from news, encyclopedias, talk and advice by its words;
// of a page nothing is assumed, nor of several sources or of no words at all.
func TestResearchIsTold(t *testing.T) {
	study := "In this randomised trial, 212 patients with chronic cough received either the drug or placebo. After twelve weeks symptom scores were significantly lower in the treatment group than among controls (p < 0.01)."
	for _, c := range []struct {
		name, text string
		least      float64
		most       float64
	}{
		{"a trial", study, 0.9, 1},
		{"one finding", "Exposure to particulate matter was associated with an increased risk of respiratory infection.", 0.8, 1},
		{"a cell", "Loss of the receptor reduced expression of the protein and impaired proliferation of tumor cells.", 0.9, 1},
		{"news", "The mayor told reporters on Friday that the bridge will be closed until June, and that buses would run instead.", 0, 0.1},
		{"a life", "She was born in Lyon in 1904, studied law and became the first woman to lead the city's bar.", 0, 0.1},
		{"advice", "If you want a crisp crust, get your oven as hot as it will go and leave the stone in for an hour.", 0, 0.1},
		{"a page of research", strings.Repeat(study+" ", 12), 0, 0},
		{"more than half a page too much", strings.Repeat(study+" ", 8), 0.3, 0.7},
		{"numbers", "12 13 14 15 16 17", 0, 0},
		{"another language", "Kissa istui ikkunalla ja katseli lunta.", 0, 0},
		{"nothing", "", 0, 0},
	} {
		got := newTurn([]ibid.Passage{passage(1, c.text)}).research
		if got < c.least || got > c.most {
			t.Errorf("%s: %.3f, not between %v and %v", c.name, got, c.least, c.most)
		}
	}
	if got := newTurn([]ibid.Passage{passage(1, study), passage(2, study)}).research; got != 0 {
		t.Errorf("two sources read like research: %v", got)
	}
	if got := newTurn(nil).research; got != 0 {
		t.Errorf("no sources read like research: %v", got)
	}
}

// TestResearchCountsInFavour: beside the same opinion of a judge, a claim has more support where its source is research; without a
// judge, words decide as everywhere.
func TestResearchCountsInFavour(t *testing.T) {
	model := New(Config{}).model
	var v vector
	v[fCover], v[fShort] = 0.5, shortness(600)
	read := v
	read[fResearch] = 1
	if was, is := model.judged(&v, 0, 0), model.judged(&read, 0, 0); is <= was {
		t.Errorf("log odds %v beside research, %v elsewhere", is, was)
	}
	if was, is := model.score(&v), model.score(&read); is != was {
		t.Errorf("without a judge %v beside research, %v elsewhere", is, was)
	}
}

// TestWhatCountsInFavourIsTold: where a segment is held to be supported although the judge does not find it so, the reasons say what counts in
// its favour; elsewhere they do not.
func TestWhatCountsInFavourIsTold(t *testing.T) {
	const (
		study = "In this randomised trial symptom scores of patients with cough were significantly lower after the treatment than in the placebo group."
		news  = "The mayor told reporters on Friday that the treatment of her cough had gone well, and that she was back in her office."
	)
	for _, c := range []struct {
		source string
		judge  float64
		want   string
	}{
		{study, 0.45, "that the source reads like research counts in its favour"},
		{news, 0.45, "that the source is short counts in its favour"},
		{study, 0.8, ""},
		{study, 0.01, ""},
	} {
		var asked []ibid.Pair
		f := oneBy(t, New(Config{Judge: saying{c.judge, &asked, nil}, Always: true}), "The treatment helps against cough.", c.source)
		got := ""
		for _, r := range f.Segment.Reasons {
			if strings.HasSuffix(r, "counts in its favour") {
				got = r
			}
		}
		if got != c.want {
			t.Errorf("a judge of %v beside %.30q…: %q, not %q (support %.2f)", c.judge, c.source, got, c.want, f.Segment.Support)
		}
	}
	var page vector
	if why := page.favoured(); why != "" {
		t.Errorf("of a page %s counts in favour", why)
	}
}
