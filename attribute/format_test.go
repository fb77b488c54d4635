package attribute

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"pgregory.net/rapid"
)

// TestUnformatted: what formats a text is blanked, in its place; what only looks like it stays.
func TestUnformatted(t *testing.T) {
	long := strings.Repeat("x", 2048) // more than an address may have
	for s, rest := range map[string]string{
		"The **reef** was _named_ in ***1981***.":             "The reef was named in 1981 .",
		"It was **un**known, and ~~never~~ seen.":             "It was un known, and never seen.",
		"Call `reef.Open` with __two__ keys.":                 "Call reef.Open with two keys.",
		"Named in <b>1981</b>.<br/>Then <I>famous</I>.":       "Named in 1981 . Then famous .",
		`A <a href="https://a.example/?x=1">reef</a> of 1981`: "A reef of 1981",
		"The [reef](https://a.example/b_(c) \"Its page\") is": "The reef is",
		"The [**reef**](/wiki/Reef) and [a note](#fn1).":      "The reef and a note .",
		"The [reef](<https://a.example/b c>) is":              "The reef is",

		"Tea&nbsp;&amp; milk, 5&#39; tall":         "Tea milk, 5 tall",
		"3 * 4 is 12, and 2*3 is 6, and 2**3 is 8": "3 * 4 is 12, and 2*3 is 6, and 2**3 is 8",
		"Set max_open_files to ~40.":               "Set max_open_files to ~40.",
		"x <b and c> 2, p < 0.05, List<int>":       "x <b and c> 2, p < 0.05, List<int>",
		"It failed [1](see below), [sic], a](/b)":  "It failed [1](see below), [sic], a](/b)",
		"The [reef](https://a.example/b":           "The [reef](https://a.example/b",
		"[reef](/" + long + ")":                    "[reef](/" + long + ")",
		"The reef of <unknown> and <":              "The reef of <unknown> and <",
		"R&D; AT&T, Q&A and &verylongname; stay":   "R&D; AT&T, Q&A and &verylongname; stay",
		"":                                         "",
	} {
		got := unformatted(s)
		if len(got) != len(s) {
			t.Errorf("%q became %d bytes of %d", s, len(got), len(s))
		}
		if fields := strings.Join(strings.Fields(got), " "); fields != rest {
			t.Errorf("%q: left is %q, not %q", s, fields, rest)
		}
	}
}

// TestFormattingSaysNothing: a statement in bold, in code, with links or with tags has the support, the origin and the unsupported words that it has
// without, and a judge is asked the same.
func TestFormattingSaysNothing(t *testing.T) {
	const source = "The Great Barrier Reef stretches for over 2,300 kilometres along the coast of Queensland. It was named a World Heritage Site in 1981. Some 400 kinds of coral live there, and tourism brings in 6.4 billion dollars a year."
	statements := []string{
		"The reef|runs along|Queensland|for over|2,300 kilometres|and was listed in|1981",
		"It|was named a|World Heritage Site|in|1983|after years of talks",
		"Tourism|earns|6.4 billion dollars|each year,|while|400|kinds of|coral|were lost",
		"About|four hundred|corals grow in|Queensland,|more than in|Brazil",
	}
	dresses := [][2]string{{"**", "**"}, {"*", "*"}, {"__", "__"}, {"_", "_"}, {"`", "`"}, {"<b>", "</b>"}, {"<br>", ""}, {"[", "](https://reef.example/about_us)"}, {"[", `](https://reef.example "1999")`}}
	type seen struct {
		support float64
		origin  ibid.Origin
		missing string
		heard   string
	}
	of := func(s string) seen {
		var asked []ibid.Pair
		f := oneBy(t, New(Config{Judge: saying{0.5, &asked, nil}, Always: true}), s, source).Segment
		var missing []string
		for _, at := range f.Unsupported {
			if f.Origin != ibid.LLM { // else all of it is
				missing = append(missing, strings.Fields(unformatted(s)[at.Start:at.End])...)
			}
		}
		var heard []string
		for _, p := range asked {
			heard = append(heard, strings.Fields(p.Evidence+" | "+p.Claim)...)
		}
		return seen{f.Support, f.Origin, strings.Join(missing, " "), strings.ReplaceAll(strings.Join(heard, " "), " ,", ",")}
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := strings.Split(rapid.SampledFrom(statements).Draw(t, "statement"), "|")
		plain := strings.Join(parts, " ")
		for i := 1; i < len(parts); i++ {
			if rapid.Bool().Draw(t, "dressed") {
				d := rapid.SampledFrom(dresses).Draw(t, "dress")
				words := strings.TrimSuffix(parts[i], ",")
				parts[i] = d[0] + words + d[1] + parts[i][len(words):]
			}
		}
		dressed := strings.Join(parts, " ")
		if a, b := of(plain), of(dressed); a != b {
			t.Fatalf("%q: %+v\n%q: %+v", plain, a, dressed, b)
		}
	})
}

// TestFormattedSourcesAreReadPlainly: a judge reads of a source what it says, not its links and tags.
func TestFormattedSourcesAreReadPlainly(t *testing.T) {
	const plain = "The reef was named in 1981 by the committee. It is large."
	const formatted = "The [reef](https://reef.example/wiki/Reef) was **named** in <b>1981</b> by the [committee](https://reef.example/wiki/Committee_(1972) \"Committee\"). It is `large`."
	of := func(source string) string {
		return strings.Join(strings.Fields(Readings([]ibid.Passage{passage(1, source)}, []ibid.Draft{draft("The committee named the reef.")})[0]), " ")
	}
	if got := strings.ReplaceAll(of(formatted), " .", "."); got != of(plain) {
		t.Errorf("a judge reads %q, not %q", got, of(plain))
	}
	// Tags and entities of a source stand between none of its words.
	const tagged = "The reef<br>was named&nbsp;in <b>1981</b> by&nbsp;the <i>committee</i>. It is large."
	for _, s := range []string{"The reef was named in 1981 by a committee.", "The reef was named in 1982.", "It is large and old."} {
		if a, b := one(t, s, plain).Segment, one(t, s, tagged).Segment; a.Support != b.Support || len(a.Contradicted) != len(b.Contradicted) {
			t.Errorf("%q: support %v, with tags %v; %v and %v", s, a.Support, b.Support, a.Contradicted, b.Contradicted)
		}
	}
	if a, b := one(t, "It has 39 sites.", "The reef's list has 40 sites.").Segment, one(t, "It has 39 sites.", "The reef&#39;s list has 40 sites.").Segment; a.Support != b.Support {
		t.Errorf("the number of an entity is one of the source's: support %v, and %v without it", b.Support, a.Support)
	}
}

// TestUnknownLinks: a page that no source has is named, one that is a source or stands in one is not.
func TestUnknownLinks(t *testing.T) {
	p := passage(1, "The reef was named in 1981, says https://reef.example/list and nobody else.")
	p.Source.URI = "https://www.reef.example/named/"
	for link, known := range map[string]bool{
		"https://reef.example/named": true, "http://www.reef.example/named/": true, "https://reef.example/list": true, "#fn1": true, "/named": true, "/named/": true,
		"https://Reef.example/named/?utm_source=openai#list": true, "https://reef.example/list?utm_source=openai": true,
		"https://reef.example/other": false, "www.reef.example/other": false, "https://reef.example/named_(reef)": false,
	} {
		for f, err := range engine().Attribute(context.Background(), []ibid.Passage{p}, each(draft("The [reef]("+link+") was named in 1981."))) {
			if err != nil {
				t.Fatal(err)
			}
			if named := slices.Contains(f.Segment.Reasons, "links to "+link+", which no source has"); named == known {
				t.Errorf("%s: %q", link, f.Segment.Reasons)
			}
		}
	}
	// However many there are, some are looked for.
	many := one(t, "The reef "+strings.Repeat("[was](https://reef.example/other) (see https://reef.example/other) ", 100)+"named.", "The reef was named.").Segment
	if n := len(many.Reasons); n > 3*mostChecked {
		t.Errorf("%d reasons", n)
	}
}

// TestReasonsReadPlainly: words that a reason names are told without what formats them.
func TestReasonsReadPlainly(t *testing.T) {
	f := one(t, "The reef was **named** by <i>Rona</i> **Katz** in **1999**.", "The reef was named in 1981.").Segment
	if all := strings.Join(f.Reasons, "\n"); strings.Contains(all, "  ") || strings.Contains(all, "*") || !strings.Contains(all, `"Rona Katz`) {
		t.Errorf("%q", f.Reasons)
	}
}

// TestOrnaments: what stands before the words of an item or of a quoted line, a label and what leads over say nothing. A sign is part of its number, and what
// draws a conclusion or hedges part of the statement.
func TestOrnaments(t *testing.T) {
	turn := newTurn(nil)
	for s, rest := range map[string]string{
		"- The reef is old.": "The reef is old.", "> The reef is old.": "The reef is old.", "✅ The reef is old.": "The reef is old.", "→ ⚠️ The reef is old.": "The reef is old.",
		"In summary, the reef is old.": "the reef is old.", "To answer your question, no, the reef is old.": "the reef is old.", "Great question! The reef is old.": "The reef is old.", "Keep in mind that the reef is old.": "the reef is old.",
		"As a result, the reef is old.": "As a result, the reef is old.", "Generally speaking, the reef is old.": "Generally speaking, the reef is old.", "First of all reefs is the oldest.": "First of all reefs is the oldest.", "Overall, 42": "Overall, 42",
		"**Answer:** The reef is old.": "The reef is old.", "Short answer: Yes, the reef is old.": "the reef is old.", "TL;DR: the reef is old.": "the reef is old.",
		"-5 °C was measured.": "-5 °C was measured.", "#1 of the list is old.": "#1 of the list is old.", "Answer: 42": "Answer: 42", "Its answer: it is old.": "Its answer: it is old.",
	} {
		if got := strings.Join(strings.Fields(turn.read(s).text), " "); got != rest {
			t.Errorf("%q is read as %q, not %q", s, got, rest)
		}
	}
}

// TestCapitalsThroughout: a text in capitals throughout says what it says in small letters, and names in it are no other names.
func TestCapitalsThroughout(t *testing.T) {
	const source = "The municipal library of Reichenfeld opened its doors in 1972. Yearly membership costs 20 euros for residents."
	for _, c := range []struct {
		said   string
		denied bool
	}{
		{"THE MUNICIPAL LIBRARY OPENED ITS DOORS IN 1972.", false},
		{"YEARLY MEMBERSHIP FOR RESIDENTS COSTS 20 EUROS.", false},
		{"YEARLY MEMBERSHIP FOR RESIDENTS COSTS 25 EUROS.", true},
	} {
		loud, plain := one(t, c.said, source).Segment, one(t, c.said[:1]+strings.ToLower(c.said[1:]), source).Segment
		if len(loud.Contradicted) > 0 != c.denied || loud.Support != plain.Support {
			t.Errorf("%s: support %v, %v in small letters, contradicted %v", c.said, loud.Support, plain.Support, loud.Contradicted)
		}
	}
	if one(t, "NATO AND THE EU.", "NATO and the EU met.").Segment.Support < 0.5 {
		t.Error("short forms are no shouting")
	}
}
