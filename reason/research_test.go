package reason_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/reason"
)

func said(sentences ...string) []ibid.Passage {
	var out []ibid.Passage
	for _, s := range sentences {
		out = append(out, ibid.Passage{Chunk: ibid.Chunk{Text: s}})
	}
	return out
}

// asksAbout lists the names that a study asks about, in order.
func asksAbout(parts []reason.Part) []string {
	var out []string
	for _, p := range parts {
		if name, ok := strings.CutPrefix(p.Question, "What is known of "); ok {
			out = append(out, strings.TrimSuffix(name, "?"))
		}
	}
	return out
}

// The name that most passages speak of is asked about first; one of a single passage, and one that the topic has, not at all.
func TestAStudyAsksAboutTheNamesThatComeUpMost(t *testing.T) {
	passages := said(
		"Then Wildman Whitehouse spoke. And Wildman Whitehouse spoke of Cyrus Field.",
		"There William Everett came to Cyrus Field.",
		"He met William Everett, whom Cyrus Field knew, and Samuel Canning.",
		"So it was with William Everett, said Samuel Canning.",
		"In August there was Thomson; in August Thomson left.",
	)
	parts := reason.ResearchQuestions("the cable of Samuel Canning", passages, 12, 15)
	if got, want := asksAbout(parts), []string{"Cyrus Field", "William Everett"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, p := range parts {
		if strings.Contains(p.Question, "Everett") && p.Search != "William Everett cable Samuel Canning" {
			t.Errorf("looked up: %q", p.Search)
		}
	}
	if got := asksAbout(reason.ResearchQuestions("the cable", passages, 3, 5)); !reflect.DeepEqual(got, []string{"Cyrus Field"}) {
		t.Errorf("a small study asks about %q", got)
	}
	one := said("There William Everett came.", "So William Everett left.")
	if got := asksAbout(reason.ResearchQuestions("the cable", one, 3, 5)); !reflect.DeepEqual(got, []string{"William Everett"}) {
		t.Errorf("the only name: %q", got)
	}
}

func TestATopicThatIsAQuestionIsAskedItself(t *testing.T) {
	parts := reason.ResearchQuestions("Who paid for the cable, and when did it fail?", nil, 5, 8)
	var got []string
	for _, p := range parts {
		got = append(got, p.Question)
	}
	want := []string{"Who paid for the cable?", "When did the cable fail?", "What is the cable?"}
	if len(got) < len(want) || !reflect.DeepEqual(got[:len(want)], want) {
		t.Errorf("%q", got)
	}
	if parts = reason.ResearchQuestions("Who came? Who left? Who stayed? Who paid?", nil, 3, 5); len(parts) != 4 || parts[2].Why == "part 3 of 4 of the question" {
		t.Errorf("leaves no room for the topic: %+v", parts)
	}
}

// A plan of the model comes first and is filled up by rules; the library's titles help it to plan.
func TestAModelsPlanOfAStudy(t *testing.T) {
	passages := []ibid.Passage{{Source: ibid.Source{URI: "file:///a.md"}}, {Source: ibid.Source{URI: "file:///a.md"}}, {Source: ibid.Source{URI: "file:///b.md"}}}
	p := reason.ResearchPrompt("the cable", passages, 3, 5)
	title := passages[0].Source.Title()
	if strings.Count(p.System, title) != 1 || !strings.Contains(p.System, passages[2].Source.Title()) || !strings.Contains(p.System, "3 to 5 questions") || p.MaxTokens < 1000 {
		t.Errorf("%+v", p)
	}
	parts := reason.ParseResearch("1. Who made the cable?\n2. What is the cable?", "the cable", nil, 3, 5)
	if len(parts) < 3 || parts[0].Question != "Who made the cable?" || parts[0].Why != "asked by the model's plan" || parts[2].Why == parts[0].Why {
		t.Errorf("%+v", parts)
	}
	enough := reason.ParseResearch("1. Who made the cable?\n2. Who paid for the cable?\n3. Who lost the cable?", "the cable", nil, 3, 5)
	if len(enough) != 3 {
		t.Errorf("filled up though there are enough: %+v", enough)
	}
}

func TestSidesAskForAndAgainst(t *testing.T) {
	pro, con := reason.Sides("The cable  carried 732 messages.")
	if pro.Question != "What speaks for the claim that the cable carried 732 messages?" || con.Question != "What speaks against the claim that the cable carried 732 messages?" || pro.Search != con.Search || pro.Search != "the cable carried 732 messages" {
		t.Errorf("%+v %+v", pro, con)
	}
}

func TestDenies(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"The cable failed.", "The cable never failed.", true},
		{"The cable failed.", "The cable didn't fail.", true},
		{"The cable failed.", "The cable didn’t fail.", true},
		{"The cable did not fail.", "The cable never failed.", false},
		{"The cable failed.", "The cable broke at a knot.", false},
	} {
		if reason.Denies(c.a, c.b) != c.want || reason.Denies(c.b, c.a) != c.want {
			t.Errorf("%q and %q: want %v", c.a, c.b, c.want)
		}
	}
}

// Two statements have the same number of a thing, or another, or neither: never both.
func TestNumbersOfTheSameThing(t *testing.T) {
	for _, c := range []struct {
		claim, statement string
		same             bool
		ours, theirs     string
	}{
		{"732 messages were sent.", "About 400 messages passed.", false, "732", "400"},
		{"732 messages were sent.", "In all, 732 message forms.", true, "", ""},
		{"It cost 4,000 pounds.", "It cost 4000 pounds.", true, "", ""},
		{"It cost 4,000 pounds.", "It cost 40,000 pounds.", false, "4,000", "40,000"},
		{"732 messages were sent.", "Of 732 messages, 129 messages came from Valentia.", true, "", ""},
		{"732 messages and 3 ships.", "400 messages and 3 ships.", true, "732", "400"}, // one of each
		{"732 messages were sent.", "400 ships sailed.", false, "", ""},
		{"It was laid in 1858 and failed.", "It was laid in 1865 and failed.", false, "", ""},
		{"732 of the messages", "400 of the messages", false, "", ""},
		{"There were 732.", "There were 400.", false, "", ""},
		{"On 5 August it failed.", "On 6 August it failed.", false, "", ""},
		{"In 1858, messages passed.", "In 1865, messages passed.", false, "", ""},
		{"Of 732 were lost.", "Of 400 were lost.", false, "", ""},
	} {
		if got := reason.SameNumber(c.claim, c.statement); got != c.same {
			t.Errorf("same number: %q and %q: %v", c.claim, c.statement, got)
		}
		ours, theirs, ok := reason.OtherNumber(c.claim, c.statement)
		if ours != c.ours || theirs != c.theirs || ok != (c.ours != "") {
			t.Errorf("other number: %q and %q: %q %q", c.claim, c.statement, ours, theirs)
		}
	}
}

func TestOtherYear(t *testing.T) {
	for _, c := range []struct {
		claim, statement string
		want             bool
	}{
		{"The cable of 1858 failed.", "The cable of 1865 broke.", true},
		{"The cable of 1858 failed.", "Unlike that of 1865 the cable of 1858 failed.", false},
		{"The cable of 1858 failed.", "The cable failed.", false},
		{"The cable failed.", "The cable of 1858 failed.", false},
		{"The cable of 1858 failed.", "The cable had 3000 miles.", false},
		{"The cable of 1858 failed.", "The cable of 2001 failed.", true},
		{"The cable of 1858 failed.", "It had 18650 or 186 or 1.65 or 18th parts.", false},
	} {
		if got := reason.OtherYear(c.claim, c.statement); got != c.want {
			t.Errorf("%q, %q: %v", c.claim, c.statement, got)
		}
	}
}

func TestNamesOfAClaim(t *testing.T) {
	if got, want := reason.Names("The brake of Everett's ship was what Cyrus Field’s men in Ireland used."), []string{"Everett", "Cyrus", "Field", "Ireland"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

// Two words join a statement to a claim, or the only one that the claim has.
func TestMeet(t *testing.T) {
	for _, c := range []struct {
		claim, statement string
		want             bool
	}{
		{"The cable was made of copper.", "Copper wires make a cable.", true},
		{"The cable was made of copper.", "The moon is made of cheese.", false},
		{"Cables?", "The cable failed.", true},
		{"Cable and cable of cables.", "Of cheese.", false},
		{"Field's cable and the cable of Field.", "The field is green.", false},
		{"What was it?", "It was that.", false},
	} {
		if got := reason.Meet(c.claim, c.statement); got != c.want {
			t.Errorf("%q, %q: %v", c.claim, c.statement, got)
		}
	}
}

// A rare word of the claim tells more than one that all sentences have; all of its words tell all, none nothing.
func TestTouches(t *testing.T) {
	ws := reason.WeightsOf(said("The cable broke. The cable held. The cable sang.", "The cable of copper. Cable, cable, cable."))
	claim := "The copper cable sank."
	all, rare, common, none := ws.Touches(claim, "A cable of copper sank."), ws.Touches(claim, "Copper."), ws.Touches(claim, "A cable's end."), ws.Touches(claim, "Cheese.")
	if all != 1 || none != 0 || !(1 > rare && rare > common && common > 0) {
		t.Errorf("all %v, rare %v, common %v, none %v", all, rare, common, none)
	}
	// 5 sentences: cable in all, copper in one; nobody says "sank", which weighs half of what a word of one sentence at most could.
	cable, copper, sank := math.Log(2), math.Log(6), math.Log(7)/2
	if want := copper / (cable + copper + sank); math.Abs(rare-want) > 1e-12 {
		t.Errorf("copper tells %v, by hand %v", rare, want)
	}
	if got := ws.Touches("What was it?", "It was that."); got != 0 {
		t.Errorf("a claim without words: %v", got)
	}
}

// A chain asks about names of the last answer that a source says; a month is no name, nor is the first word of a sentence.
func TestWhatTheNextQuestionIsAbout(t *testing.T) {
	for said, want := range map[string]string{
		"In 1858 a man called Everett built it.":                    "Everett",
		"On Monday in August a man built it.":                       "",
		"Everett built it.":                                         "",
		"But William Everett built it.":                             "William Everett",
		"Although William Everett built it.":                        "William Everett",
		"At Trinity Bay it landed.":                                 "Trinity Bay",
		"Did Cyrus Field build it?":                                 "Cyrus Field",
		"She met Jay.":                                              "", // too short to tell
		"The Great Eastern sailed.":                                 "Great Eastern",
		"They met Bob and Jean-Luc Picard.":                         "Jean-Luc Picard",
		"He met Everett, and then Cyrus Field came.":                "Cyrus Field", // a full name before a single one
		"It was near Cork. Everett left.":                           "Cork",
		"It was laid by the ship called Niagara in the year before": "Niagara",
	} {
		step := ibid.Step{Number: 3, Question: "Who built the brake?", Text: said, Segments: []ibid.Segment{{At: ibid.Span{End: len(said)}, Origin: ibid.HYBRID}}}
		next, ok := reason.Next("What of the brake?", []ibid.Step{step})
		if ok != (want != "") || ok && (next.Question != "What is known of "+want+"?" || next.Search != want+" brake" || !strings.Contains(next.Why, "step 3 brought up "+want)) {
			t.Errorf("%q: %+v", said, next)
		}
	}
	if next, ok := reason.Next("Who?", nil); ok {
		t.Errorf("nothing was said yet: %+v", next)
	}
	// What an earlier step asked about is not asked about again.
	text := "Then Cyrus Field met William Everett."
	seg := []ibid.Segment{{At: ibid.Span{End: len(text)}, Origin: ibid.RAG}}
	next, ok := reason.Next("Who?", []ibid.Step{{Question: "What is known of Cyrus Field?"}, {Question: "Who else?", Text: text, Segments: seg}})
	if !ok || !slices.Contains(strings.Fields(next.Question), "Everett?") {
		t.Errorf("%+v", next)
	}
}
