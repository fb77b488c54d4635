package attribute

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// A number that no source has, and that follows from none of their numbers, is named; what says the same in another form, or was reckoned, is left alone.
func TestNumbersThatNoSourceHas(t *testing.T) {
	sales := "Sales of the Halden works rose by 22% to 1.6 million tonnes in 2019. The works have 340 employees, of whom 85 are apprentices. They opened on 4 May 1987."
	ferry := "The crossing of 480 metres takes four minutes. Tickets cost $12 for adults and $5 for children from 6 to 14. In 2021 it carried 73,000 cars. The captain (1822–1871) entered the navy at thirteen."
	shares := "Revenue was $12.4 million, up 22% from $10.2 million a year earlier. The company employs 1,250 people in 14 countries."
	for _, c := range []struct{ source, claim, want string }{
		{shares, "Revenue grew by 35% within a year.", "35"},
		{shares, "Revenue grew by $2.2 million within a year.", ""},
		{shares, "Revenue was 82% of that a year later.", ""},
		{sales, "Sales at Halden went up 27% that year.", "27"},
		{sales, "Sales at Halden went up 22% that year.", ""},
		{sales, "About a fifth more was sold, namely 22 percent.", ""},
		{sales, "Halden sold 1,600,000 tonnes in 2019.", ""},
		{sales, "Halden sold 1,700,000 tonnes in 2019.", "1,700,000"},
		{sales, "The plant at Halden opened in 1978.", "1978"},
		{sales, "The plant at Halden opened in May of 1986.", "1986"},
		{sales, "The plant at Halden has been there since before 1990.", ""},
		{sales, "By 2019 the works had stood for 32 years.", ""},
		{sales, "A quarter of the staff, 85 people, are apprentices; the other 255 are not.", ""},
		{sales, "Of the staff 260 are no apprentices.", "260"},
		{sales, "One in four, 25% of the employees, is an apprentice.", ""},
		{sales, "There are three reasons why Halden grew in 2019.", ""},
		{sales, "According to passage 14, the works at Halden grew in 2019.", ""},
		{sales, "More than 300 people work at Halden.", ""},
		{sales, "Halden's Unit 731 grew in 2019.", ""},
		{sales, "The works opened in the mid-1970s.", "1970s"},
		{sales, "The works opened in the late 1980s.", ""},
		{sales, "The works opened in the early 1980s.", "1980s"},
		{sales, "The works opened in the 20th century.", ""},
		{sales, "The works opened in the 18th century.", "18th"},
		{sales, "The apprentices are in their 70s.", ""},
		{"The works sell steel.", "The works sell steel for a 21st-century city.", ""},
		{"The club was founded in the 1970s and won twice in 1985.", "In the late 1970s the club was founded.", ""},
		{"Criticism went further in the nineteenth century.", "In the 19th century criticism went further.", ""},
		{"The shop was sold in 2006.", "The shop was sold in the mid-2000s.", ""},
		{"The shop was sold in 2002.", "The shop was sold in the late 2000s.", "2000s"},
		{"The shop was sold in 2002.", "The shop has been sold since the late 1990s.", ""},
		{"He was a director from 1961 to 1985.", "He was a director in the 1970s.", ""},
		{"Ten years after 1955 she recorded the suites.", "She recorded the suites in the 1960s.", ""},
		{"A litre of diesel costs 1.62 euros, a litre of petrol 1.78 euros.", "Diesel is 16 cents cheaper than petrol.", ""},
		{"A litre of diesel costs 1.62 euros, a litre of petrol 1.78 euros.", "Diesel is 19 cents cheaper than petrol.", "19"},
		{"Holt was born in 1952 and moved to Bergen at 19.", "The family had Holt in Bergen in 1971.", ""},
		{"Holt was born in 1952 and moved to Bergen at 19.", "The family had Holt in Bergen in 1974.", "1974"},
		{ferry, "The crossing is almost half a kilometre long.", ""},
		{ferry, "The crossing takes 240 seconds.", ""},
		{ferry, "The crossing takes 35 minutes.", "35"},
		{ferry, "Two adults and a child pay $29 in all.", ""},
		{ferry, "A couple with one child of nine pays $29.", ""},
		{ferry, "An adult pays $13.50 for the ferry.", "13.50"},
		{ferry, "That makes 200 cars a day in 2021.", ""},
		{ferry, "A child of 11 pays $5.", ""},
		{ferry, "The captain of the ferry was 49 when he died.", ""},
		{ferry, "The captain of the ferry died in 1872.", "1872"},
		{ferry, "The captain entered it at seventeen.", ""},
		{"The census counted 53 879 people as members of the guild.", "The guild has 53879 members.", ""},
		{"He was born Kaskar on 26 December 1955.", "Kaskar was born in the nineteen fifties.", ""},
		{"The 10 km walk is flagged.", "The flagged walk is 6.2 miles long.", ""},
		{"The oven reaches 350 °F.", "The oven reaches 177 °C.", ""},
		{"Pills that lower pressure are taken by adults.", "Pills that lower pressure were taken by 37% of adults.", "37"},
		{`{"rent_eur_month": 1150, "deposit_months": 2, "rooms": 3}`, "A deposit of two months' rent, 2,300 euros, has to be paid.", ""},
		{`{"rent_eur_month": 1150, "deposit_months": 2, "rooms": 3}`, "A deposit of two months' rent, 2,450 euros, has to be paid.", "2,450"},
		{`{"fee_usd": {"resident": 620, "non_resident": 1480}, "seats": 28}`, "Residents pay $620, non-residents $860 more.", ""},
		{`{"pitches": {"tents": 80, "caravans": 60, "campers": 25}, "cabins": 12}`, "The campsite has 165 pitches.", ""},
		{"Side effects were seen in 4% of adults.", "Side effects were seen in 0.5% of adults.", "0.5"},
		{"The bridge has 5 arches and was opened by the mayor.", "The bridge was opened in 2005.", "2005"},
		{"The bridge was closed in 2018-19.", "The bridge was closed in 2019.", ""},
		{"Inhibition of mTOR clears the plaques.", "Inhibition of mTOR clears the plaques.23", ""},
	} {
		turn := newTurn([]ibid.Passage{{Chunk: ibid.Chunk{Text: c.source}, Rank: 1}})
		s := turn.read(c.claim)
		e, ok := turn.measure(s, new(scratch))
		if !ok {
			t.Errorf("%q: no evidence", c.claim)
			continue
		}
		var got []string
		for _, k := range e.unsaid {
			got = append(got, s.tokens[k].At.In(c.claim))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, want %q", c.claim, got, c.want)
		}
	}
}

// However sure a judge is, a segment with a number of its own making is not shown as supported; the number is marked, and the reasons name it.
func TestNoJudgeSupportsANumberThatNoSourceHas(t *testing.T) {
	var asked []ibid.Pair
	e := New(Config{Judge: saying{0.99, &asked, nil}, Always: true})
	for number, shown := range map[string]bool{"22": true, "27": false} {
		text := fmt.Sprintf("Turnover there rose by %s percent.", number)
		f := oneBy(t, e, text, "Sales of the Halden works went up 22% in 2019.")
		marked := slices.ContainsFunc(f.Segment.Unsupported, func(at ibid.Span) bool { return strings.Contains(at.In(text), number) })
		named := slices.ContainsFunc(f.Segment.Reasons, func(r string) bool { return strings.HasPrefix(r, fmt.Sprintf("no source has %q", number)) })
		if (f.Segment.Support >= 0.5) != shown || marked == shown || named == shown {
			t.Errorf("%s: support %.2f, marked %v, %q", number, f.Segment.Support, marked, f.Segment.Reasons)
		}
	}
}

// A full date that no source has, in whatever form, and that no span of time leads to, is unsaid. What may be read with the month first or last has both readings.
func TestDaysThatNoSourceHas(t *testing.T) {
	visit := "Weight 82 kg. Next visit: 2024-07-09. It will take 45 minutes."
	for _, c := range []struct{ source, claim, want string }{
		{visit, "The next appointment is on September 7, 2024.", "September 7, 2024"},
		{visit, "The next appointment is on July 9, 2024.", ""},
		{visit, "The next appointment is on 9 July 2024.", ""},
		{visit, "The next appointment is on the 9th of July 2024.", ""},
		{visit, "The next appointment is on 7/9/2024.", ""},
		{visit, "The next appointment is on July 8, 2024.", "July 8, 2024"},
		{visit, "The next appointment is in July 2024.", ""},
		{"Next visit: 07/09/2024.", "The next visit is on July 9, 2024.", ""},
		{"Next visit: 07/09/2024.", "The next visit is on 7 September 2024.", ""},
		{"Next visit: 07/09/2024.", "The next visit is on 9 September 2024.", "9 September 2024"},
		{`{"visit": "2024-07-09T10:30:00Z", "room": 4}`, "The visit is on July 9, 2024.", ""},
		{"The visit is on 9 July. The year is 2024.", "The visit is on July 9, 2024.", ""},
		{"The fair runs from 3–5 June 2024 in Lisbon.", "The second day of the fair is June 4, 2024.", ""},
		{"The fair runs from 3–5 June 2024 in Lisbon.", "The last day of the fair is June 7, 2024.", "June 7, 2024"},
		{"The fair runs from 28 June to 2 July 2024.", "The fair is open on June 30, 2024.", ""},
		{"The deadline of 12 May 2024 was moved by two weeks.", "The deadline is now 26 May 2024.", ""},
		{"The deadline of 12 May 2024 was moved by two weeks.", "The deadline is now 27 May 2024.", "27 May 2024"},
		{"The rule applies after 31 December 2022.", "The rule applies from January 1, 2023.", ""},
	} {
		f := one(t, c.claim, c.source)
		got := ""
		for _, r := range f.Segment.Reasons {
			if said, ok := strings.CutPrefix(r, "no source has \""); ok {
				got, _, _ = strings.Cut(said, "\"")
			}
		}
		for _, x := range f.Segment.Contradicted {
			if c.want != "" && strings.Contains(c.want, x.Of.In(c.claim)) {
				got = c.want // it is named as contradicted
			}
		}
		if got != c.want || c.want != "" && f.Segment.Support >= 0.5 {
			t.Errorf("%q: %q, want %q: support %.2f, %q", c.claim, got, c.want, f.Segment.Support, f.Segment.Reasons)
		}
	}
	f := oneBy(t, New(Config{Judge: saying{0.99, new([]ibid.Pair), nil}, Always: true}), "The next appointment is on September 7, 2024.", visit)
	if f.Segment.Support >= 0.5 || len(f.Segment.Contradicted) == 0 {
		t.Errorf("another day stands against no judge: support %.2f, %v", f.Segment.Support, f.Segment.Contradicted)
	}
}
