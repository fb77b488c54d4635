package attribute

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestFramesClaimNothing: words by which a statement names what it rests on are read as blanks, as many bytes as before;
// statements about sources, texts and named authorities stay whole.
func TestFramesClaimNothing(t *testing.T) {
	for s, rest := range map[string]string{
		"Based on the passages, the reef is large.":                           "the reef is large.",
		"According to Passage 2, it fell in 2012.":                            "it fell in 2012.",
		"Passages 1 and 3 state that it fell in 2012.":                        "it fell in 2012.",
		"The second passage also mentions that it fell.":                      "it fell.",
		"The reef fell, as mentioned in passage 2.":                           "The reef fell .",
		"It grew again (Passage 1).":                                          "It grew again .",
		"It grew again (passages 1 and 3), and fell.":                         "It grew again , and fell.",
		"Based on the information provided in the given context, he won it.":  "he won it.",
		"It is mentioned in the given context that he won.":                   "he won.",
		"He won in 1990, according to the sources provided.":                  "He won in 1990 .",
		"Based on the given context: snow fell.":                              "snow fell.",
		"Passage 1 says that it grew, while passage 2 states that it fell.":   "it grew, while it fell.",
		"However, passage 3 notes that it fell.":                              "it fell.",
		"On the other hand, the second passage mentions a fee of 20 dollars.": "a fee of 20 dollars.",
		"Passage 1 states it grew, whereas Passage 3 states it fell.":         "it grew, whereas it fell.",
		"It grew according to passage 1 but fell according to passage 2.":     "It grew but fell .",
		"It grew according to passage 1, and fell according to passage 2.":    "It grew , and fell .",
		"The fee in passage 2 is 20 dollars.":                                 "The fee is 20 dollars.",
		"It fell again passage 2 or not.":                                     "It fell again passage 2 or not.",
		"Passage 2: The fee is 20 dollars.":                                   "The fee is 20 dollars.",
		"Passage 3 covers the fall of the reef.":                              "the fall of the reef.",
		"Passage 1 makes it clear that it fell.":                              "it fell.",
		"Passage 2 also warns that it fell.":                                  "it fell.",
		"Both passages mention that it grew.":                                 "it grew.",
		"The passages suggest that it grew.":                                  "it grew.",
		"The text says little of the reef.":                                   "The text says little of the reef.",
		"The passage mentions the reef.":                                      "the reef.",
		"The passage between the islands shows a reef.":                       "The passage between the islands shows a reef.",
		"The birds of passage state no reason.":                               "The birds of passage state no reason.",
		"The bill found passage 3 days later.":                                "The bill found passage 3 days later.",
		"According to the World Health Organization, it grew.":                "According to the World Health Organization, it grew.",
		"The text of the law was read aloud.":                                 "The text of the law was read aloud.",
		"The source of the river is in the Alps.":                             "The source of the river is in the Alps.",
		"The passage of the bill took a year.":                                "The passage of the bill took a year.",
		"He was named in the article of 1990.":                                "He was named in the article of 1990.",
		"Yes, the reef is large.":                                             "the reef is large.",
		"**No** – the reef is small.":                                         "the reef is small.",
		"**Yes:** the reef is large.":                                         "the reef is large.",
		"Note that the reef is large.":                                        "the reef is large.",
		"It's important to note that it fell in 2012.":                        "it fell in 2012.",
		"Yes, based on the passages, it fell.":                                "it fell.",
		"No reef is larger.":                                                  "No reef is larger.",
		"No. 15 on the list is a novel.":                                      "No. 15 on the list is a novel.",
		"Yes, indeed.":                                                        "Yes, indeed.",
		"Note the reef.":                                                      "Note the reef.",
		"According to the passages.":                                          "According to the passages.",
		"":                                                                    "",
	} {
		got := unframed(s)
		if len(got) != len(s) {
			t.Errorf("%q became %d bytes of %d", s, len(got), len(s))
		}
		if fields := strings.Join(strings.Fields(got), " "); fields != rest {
			t.Errorf("%q: left is %q, not %q", s, fields, rest)
		}
	}
	// Framed or not, a statement has the same support and the same places.
	const source = "The reef stretches for over 2,300 kilometres. It was named in 1981."
	bare, framed := "The reef stretches for over 2,300 kilometres.", "Based on the provided passages, the reef stretches for over 2,300 kilometres."
	of := func(s string) ibid.Segment { return one(t, s, source).Segment }
	if a, b := of(bare), of(framed); a.Support != b.Support || b.Origin != ibid.RAG || len(b.Unsupported) > 0 {
		t.Errorf("bare %v %v, framed %v %v with %v unsupported", a.Origin, a.Support, b.Origin, b.Support, b.Unsupported)
	}
}

// TestNumbersOfPassagesAtTheEnd: a passage's number in round brackets at the end of a statement is no number of the claim; another one is, and so is
// one that stands elsewhere.
func TestNumbersOfPassagesAtTheEnd(t *testing.T) {
	turn := newTurn([]ibid.Passage{passage(1, "The cable was laid in 1858."), passage(2, "It failed after three weeks."), passage(3, "A ship laid another.")})
	for in, want := range map[string]string{
		"The cable failed (2).":         "The cable failed    .",
		"The cable failed (1, 3)":       "The cable failed       ",
		"The cable failed (2)!\n":       "The cable failed    !\n",
		"The cable failed (4).":         "The cable failed (4).",
		"The cable failed (0).":         "The cable failed (0).",
		"The cable (2) failed.":         "The cable (2) failed.",
		"The cable failed (2 weeks).":   "The cable failed (2 weeks).",
		"The value is f(2).":            "The value is f(2).",
		"(2)":                           "(2)",
		"The cable failed (1, 2, 5, 3)": "The cable failed (1, 2, 5, 3)",
	} {
		if got := turn.read(in).text; got != want {
			t.Errorf("%q is read as %q, not %q", in, got, want)
		}
	}
}
