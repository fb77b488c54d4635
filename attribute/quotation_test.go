package attribute

import (
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestTornOut: words that were copied out of a sentence are a quotation where they are whole sentences or clauses of it. Where
// they are not, a judge is asked however well they are covered, and where the sentence denies them, speaks of something else or
// sets a condition, no judge makes them supported.
func TestTornOut(t *testing.T) {
	const whole, torn, denied = "whole", "torn", "denied"
	for _, c := range []struct{ source, segment, is string }{
		{"The museum opened in 1903.", "The museum opened in 1903.", whole},
		{"The museum opened in 1903, and it closed in 1950.", "The museum opened in 1903.", whole},
		{"The museum opened in 1903, and it closed in 1950 after a fire.", "It closed in 1950 after a fire.", whole},
		{"According to the report, sales rose by 12 percent in March.", "Sales rose by 12 percent in March.", whole},
		{"However, the company moved to Denver in 2019 (its third move).", "The company moved to Denver in 2019.", whole},
		{"He said: \"The harbour is closed for good.\" Nobody asked why.", "The harbour is closed for good.", whole},
		{"The study found that coffee lowers the risk of diabetes.", "Coffee lowers the risk of diabetes.", torn},
		{"Mike Catt wants England to be ruthless when it comes to scoring points.", "Mike Catt wants England to be ruthless when it comes.", torn},
		{"The judges shouted at noon, or the actors helped the president.", "The judges shouted at noon.", torn},
		{"It is not true that vaccines cause autism in children.", "Vaccines cause autism in children.", denied},
		{"The committee denied that the minister had accepted money.", "The minister had accepted money.", denied},
		{"Critics wrongly claim that the bridge was closed in 1998.", "The bridge was closed in 1998.", denied},
		{"The Irish office of Microsoft was established in 1991.", "Microsoft was established in 1991.", denied},
		{"The mother of Anna Schmidt won the gold medal in Paris.", "Anna Schmidt won the gold medal in Paris.", denied},
		{"If the patent is granted, the company will open a factory in Leipzig.", "The company will open a factory in Leipzig.", denied},
		{"It is unclear whether the harbour was closed for good.", "The harbour was closed for good.", denied},
		{"The company will open a factory in Leipzig as long as the patent is granted.", "The company will open a factory in Leipzig.", denied},
		{"According to conspiracy theorists, the moon landing was filmed in Nevada.", "The moon landing was filmed in Nevada.", torn},
		{"The company will open a factory in Leipzig if the patent is granted.", "The company will open a factory in Leipzig.", torn},
		{"The city of Hamburg was founded in the ninth century.", "Hamburg was founded in the ninth century.", torn},
		{"A total of 45 people were hurt in the fire.", "45 people were hurt in the fire.", torn},
		{"The engineers at Toyota recalled two million cars in May.", "Toyota recalled two million cars in May.", torn},
		{"Scientists at NASA found water on the moon.", "NASA found water on the moon.", torn},
		{"The fiancé of Anna Schmidt won the gold medal in Paris.", "Anna Schmidt won the gold medal in Paris.", denied},
		{"Asked if he was tired, Smith said that the team will travel to Rome.", "The team will travel to Rome.", torn},
		{"Data provided by NASA show that the ice sheet lost 150 billion tons.", "The ice sheet lost 150 billion tons.", torn},
		{"They arranged to meet under the clock before crossing the bridge.", "They arranged to meet under the clock.", whole},
		{"A group of men are standing in a field with papers.", "Men are standing in a field with papers.", torn},
	} {
		source := c.source + " Something else stands here, of which no answer speaks."
		f := one(t, c.segment, source)
		if quoted := slices.ContainsFunc(f.Attributions, func(a ibid.Attribution) bool { return a.Trust == ibid.Quoted }); quoted != (c.is == whole) {
			t.Errorf("%q of %q: a quotation: %v", c.segment, c.source, quoted)
		}
		var asked []ibid.Pair
		for _, believes := range []float64{0.02, 0.99} {
			asked = nil
			v, err := New(Config{Judge: saying{believes, &asked, nil}}).weighUp(t.Context(), newTurn([]ibid.Passage{passage(1, source)}), new(scratch), draft(c.segment), "")
			if err != nil {
				t.Fatal(err)
			}
			if (len(asked) == 1) != (c.is != whole) {
				t.Errorf("%q of %q: a judge was asked %d times", c.segment, c.source, len(asked))
			}
			if c.is == denied && v.ev.value[fConflict] > 0 && len(v.conflict) == 0 {
				t.Errorf("%q of %q, where a judge believes it with %v: no contradiction is named", c.segment, c.source, believes)
			}
			if high := v.support >= 0.5; high != (c.is == whole || c.is == torn && believes > 0.5) {
				t.Errorf("%q of %q, where a judge believes it with %v: support %v", c.segment, c.source, believes, v.support)
			}
		}
	}
}

// TestWholeSomewhere: what stands in one source as a sentence is not held against another that has it within a longer one.
func TestWholeSomewhere(t *testing.T) {
	const segment = "Microsoft was established in 1991 in Dublin."
	for _, sources := range [][]string{
		{"The Irish office of Microsoft was established in 1991 in Dublin.", segment},
		{segment, "The Irish office of Microsoft was established in 1991 in Dublin."},
		{"It is a myth that Microsoft was established in 1991 in Dublin.", segment},
		{segment + " Nobody knows why.", "They deny that Microsoft was established in 1991 in Dublin."},
	} {
		f := one(t, segment, sources...)
		if f.Segment.Support < 0.97 || len(f.Attributions) == 0 || f.Attributions[0].Trust != ibid.Quoted {
			t.Errorf("of %q: support %v, %q", sources, f.Segment.Support, f.Segment.Reasons)
		}
	}
	f := one(t, segment, "The Irish office of Microsoft was established in 1991 in Dublin.", "It was in 1991 that Microsoft was established in Dublin.")
	if f.Segment.Support < 0.5 {
		t.Errorf("said otherwise by another source: support %v, %q", f.Segment.Support, f.Segment.Reasons)
	}
}

// TestNamedPassages: a passage that a sentence names in words and that does not support it is pointed at.
func TestNamedPassages(t *testing.T) {
	sources := []string{"The orchard was sold in 1931 to a brewer from Ostby.", "The railway reached the village in 1904."}
	for segment, want := range map[string]string{
		"According to passage 1, the orchard was sold in 1931 to a brewer.":                        "",
		"According to passage 2, the orchard was sold in 1931 to a brewer.":                        "names passage 2, which was not found to support it",
		"Based on passages 1, and 2, the orchard was sold in 1931 to a brewer.":                    "names passage 2, which was not found to support it",
		"According to passage 1, 2 brewers of Ostby and the orchard was sold in 1931 to a brewer.": "",
		"Based on passages 2 and 2, the orchard was sold in 1931 to a brewer.":                     "names passage 2, which was not found to support it",
		"Passage 2 also warns that the orchard was sold in 1931 to a brewer.":                      "names passage 2, which was not found to support it",
		"Passage 2 points out that the orchard was sold in 1931 to a brewer.":                      "names passage 2, which was not found to support it",
		"In passage 2, the orchard was sold in 1931 to a brewer.":                                  "names passage 2, which was not found to support it",
		"Passage 1 states that the orchard was sold in 1931 to a brewer.":                          "",
		"Unlike passage 2, the orchard was sold in 1931 to a brewer.":                              "",
		"According to passage 7, the orchard was sold in 1931 to a brewer from Ostby.":             "",
	} {
		got := strings.Join(one(t, segment, sources...).Segment.Reasons, "; ")
		if strings.Count(got, "names passage") > 1 {
			t.Errorf("%q: said twice: %s", segment, got)
		}
		if want == "" && strings.Contains(got, "names passage") || !strings.Contains(got, want) {
			t.Errorf("%q: %s", segment, got)
		}
	}
}

// TestTornOutOfLongSources: also where the words of long sources leave no doubt, a judge is asked about what was torn out.
func TestTornOutOfLongSources(t *testing.T) {
	long := strings.Repeat("The company paid a dividend in most years of the decade. ", 40)
	ps := []ibid.Passage{passage(1, "The study found that coffee lowers the risk of diabetes in grown women. "+long)}
	for segment, want := range map[string]int{"Coffee lowers the risk of diabetes in grown women.": 1, "The study found that coffee lowers the risk of diabetes in grown women.": 0} {
		var asked []ibid.Pair
		if _, err := New(Config{Judge: saying{0.9, &asked, nil}}).weighUp(t.Context(), newTurn(ps), new(scratch), draft(segment), ""); err != nil {
			t.Fatal(err)
		}
		if len(asked) != want {
			t.Errorf("%q: a judge was asked %d times, not %d", segment, len(asked), want)
		}
	}
}
