package attribute

import (
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// retold is a segment that says what a source says, and what a judge reads in its place.
type retold struct{ segment, source, read string }

// check holds that the source has all words of the segment but one that may be missing, and denies nothing of it.
func (r retold) check(t *testing.T, missing string) {
	t.Helper()
	if got := lacking(r.segment, r.source); len(got) > 0 && !slices.Equal(got, []string{missing}) {
		t.Errorf("%q beside %q: %q is not found", r.segment, r.source, got)
	}
	if got := wordedFor(r.segment, r.source); got != r.read {
		t.Errorf("%q beside %q is read as %q, not %q", r.segment, r.source, got, r.read)
	}
	beside{r.segment, r.source, ""}.check(t)
}

// TestRatesForOtherSpansOfTime: what a source gives for a month is said for a year by twelve times as much, and by nothing else.
func TestRatesForOtherSpansOfTime(t *testing.T) {
	for _, c := range []retold{
		{"The plan costs $120 a year.", "The plan costs $10 a month.", "The plan costs $10 a month."},
		{"The plan costs $120 annually.", "The plan costs $10/month.", "The plan costs $10/month."},
		{"The plan costs $520 a year.", "The plan costs $10 weekly.", "The plan costs $10 weekly."},
		{"A leak may add $720 to your bill over a year.", "A leak may add $60 a month to your bill.", "A leak may add $60 a month to your bill over a year."},
		{"The plant makes 70 tons per week.", "The plant makes 10 tons every day.", "The plant makes 10 tons every day."},
	} {
		c.check(t, "year")
	}
	for _, c := range [][2]string{
		{"The plan costs $130 a year.", "The plan costs $10 a month."},
		{"The plan costs $120 a week.", "The plan costs $10 a month."},
		{"The plan costs €120 a year.", "The plan costs $10 a month."},
		{"The plan costs $120.", "The plan costs $10 a month."},
		{"The plan costs $120 a head.", "The plan costs $10 a month."},
		{"The plan costs $121 a year.", "The plan costs $120 a year."},
	} {
		if got := lacking(c[0], c[1]); len(got) == 0 {
			t.Errorf("%q beside %q: all is found", c[0], c[1])
		}
	}
	beside{"The plan costs $130 a year.", "The plan costs $10 a month.", "number"}.check(t)
	beside{"The plan costs $120 for 3 over a year.", "The plan costs $10 a month for 3.", "number"}.check(t)
	beside{"The plan costs $10/month.", "The plan costs 10 dollars a month.", ""}.check(t)
}

// TestChangesInOtherWords: what became twice as much has doubled, and rose by 100 percent. What has tripled is another thing.
func TestChangesInOtherWords(t *testing.T) {
	const price, staff = "The price went from $4 to $8 last year.", "The staff grew to 50, up from 40."
	for _, c := range []retold{
		{"The price doubled last year.", price, "The price changed from $4 to $8 last year."},
		{"The price rose by 100 percent last year.", price, "The price rose from $4 to $8 last year."},
		{"The staff grew by 25%.", staff, "The staff grew from 40 to 50."},
		{"The price more than doubled last year.", "The price went from $4 to $9 last year.", "The price changed from $4 to $9 last year."},
		{"The price more than halved last year.", "The price fell from $8 to $3 last year.", "The price changed from $8 to $3 last year."},
		{"The price halved last year.", "The price fell from $8 to $4 last year.", "The price changed from $8 to $4 last year."},
		{"The price nearly tripled, tripling the cost of fuel.", "The price and the cost of fuel went from $4 to $11.6.", "The price changed from $4 to $11.6, changing from $4 to $11.6 the cost of fuel."},
	} {
		c.check(t, "rose")
	}
	for _, b := range []beside{
		{"The price tripled last year.", price, "number"},
		{"The price halved last year.", price, "number"},
		{"The price more than doubled last year.", price, ""},
		{"The price rose by 50 percent last year.", "The price went from 4 to 8 percent last year.", "number"},
		{"The price rose to 100 percent last year.", price, ""},
		{"The price of a triple room went from $4 to $8 last year.", price, ""},
		{"The price tripled last year.", "The price went from $4 to $8, the fee from $2 to $4 last year.", ""},
		{"Returns fell by 16 percent, to 3 percent.", "Returns fell from 19 to 16 percent.", "number"},
	} {
		b.check(t)
	}
	if got := lacking("The price rose to 100 percent last year.", price); len(got) < 2 {
		t.Errorf("lacks only %q", got)
	}
}

// TestGaps: what two amounts differ by is denied by neither of them where the segment says that it is a gap.
func TestGaps(t *testing.T) {
	const tyres = "Electric cars ran 17,635 miles on a set and petrol cars 17,985 miles."
	beside{"Electric cars had a gap of about 340 miles to petrol cars.", tyres, ""}.check(t)
	beside{"Electric cars had a gap of about 340 miles to petrol cars.", "Electric cars ran 17,635 miles on a set and petrol cars 17,985.", ""}.check(t)
	beside{"Electric cars had a lead of 350 miles on petrol cars.", tyres, ""}.check(t)
	beside{"Electric cars had a lead of 450 miles on petrol cars.", tyres, "number"}.check(t)
	beside{"Electric cars ran about 340 miles on a set.", tyres, "number"}.check(t)
}

// TestWhatItComesTo: a sum is said by what it is made of where the segment says what something comes to.
func TestWhatItComesTo(t *testing.T) {
	const order = "The order has a lamp for $20 and a shade for $15."
	for _, text := range []string{"The order comes to $35.", "The order came to about $35."} {
		if got := lacking(text, order); len(got) > 0 {
			t.Errorf("%q: %q is not found", text, got)
		}
	}
	for text, lacks := range map[string]string{"The order comes to $36.": "36", "The order of a lamp and a shade comes to nothing, but a lamp and a shade for $35.": "35"} {
		if got := lacking(text, order); !slices.Contains(got, lacks) {
			t.Errorf("%q: lacks %q", text, got)
		}
	}
}

// TestWorkedOut: what two of a source's amounts, or one of them and one of the segment, make by a product, a quotient or percent is found in it where the
// segment has words of its own. A copy with another number, a number of few digits and one end of a range are not worked out.
func TestWorkedOut(t *testing.T) {
	for _, c := range [][2]string{
		{"Ravnsborg brought in 499.2 tonnes.", "Its 64 hectares yielded 7.8 tonnes each at Ravnsborg."},                        // a product
		{"Goods for 165,000 changed hands per head.", "Sales of 2.31 million were made by 14 clerks."},                         // a quotient
		{"The buyer finally paid £492,000.", "The violin went for £410,000 to a buyer, to which a premium of 20 % is added."},  // by percent more
		{"The builder pays the bank 2,625 of it.", "The builder asked 3,500, and the bank lends 75 % of it."},                  // so many percent
		{"A year earlier the firm had takings of 131 million.", "The firm sold for 144.1 million, an increase of 10 percent."}, // by percent less
		{"A year earlier the firm had takings of 128 million.", "The firm sold for 108.8 million, a decrease of 15 percent."},
		{"By card one pays 48.80 on weekdays.", "A pass is 61, with 20 % off by card."},
		{"All 45 victims of the fraud lost $58,500.", "The fraud cost victims $1,300 each."},                                  // as many as the segment says
		{"Printed copies sold were 51,500 daily.", "A circulation of 61,300 copies is sold, including 9,800 digital ones."},   // a difference
		{"Gamsjoch overtook the neighbouring hut by 1,450.", "Rotwand counted 144,850 visitors, while Gamsjoch had 146,300."}, // a difference
	} {
		for _, w := range lacking(c[0], c[1]) {
			if strings.ContainsAny(w, "0123456789") && w != "45" {
				t.Errorf("%q beside %q: %q is not found", c[0], c[1], w)
			}
		}
	}
	for _, c := range [][3]string{
		{"Ravnsborg brought in 499.3 tonnes.", "Its 64 hectares yielded 7.8 tonnes each at Ravnsborg.", "499.3"},
		{"The shares of the company rose to $1.19 in the quarter.", "The shares of the company rose to $0.19 in the quarter, from $1.", "1.19"}, // a copy
		{"The staff sold 12 of them.", "There were 3 shops with 4 staff each.", "12"},                                                           // few digits
		{"The firm now foresees $1.17 to $1.28 for it.", "Earnings of the firm are $1.30 to $1.40, $0.02 less.", "1.28"},                        // a range
		{"The firm now foresees $1.28 to $1.47 for it.", "Earnings of the firm are $1.30 to $1.40, $0.02 less.", "1.28"},
		{"A share of 20.3% fell to him.", "He got one of 100 shares.", "20.3"},
		{"The hall can seat 169 guests.", "The hall has 13 doors for guests.", "169"},
		{"Sales grew to 512 of them.", "512.5 and 1 were sales.", "512"}, // times 1
	} {
		if got := lacking(c[0], c[1]); !slices.Contains(got, c[2]) {
			t.Errorf("%q beside %q: lacks %q, not %q", c[0], c[1], got, c[2])
		}
	}
}

// TestPartsOfAMillion: half a million is one number.
func TestPartsOfAMillion(t *testing.T) {
	for text, want := range map[string]float64{"half a million": 5e5, "a quarter of a million": 25e4, "three quarters of a billion": 75e7, "a half-million": 5e5, "a quarter million": 25e4} {
		ts, _ := token.English.Scan(text, 0, nil)
		if len(ts) != 1 || ts[0].Num != want || ts[0].At.Len() != len(text) {
			t.Errorf("%q: %v", text, ts)
		}
	}
	for _, text := range []string{"half of the million", "a third million", "half a hundred", "half a 1000000"} {
		if ts, _ := token.English.Scan(text, 0, nil); len(ts) < 3 {
			t.Errorf("%q: %v", text, ts)
		}
	}
	beside{"They paid half a million dollars.", "They paid $500,000.", ""}.check(t)
	beside{"They paid half a million dollars.", "They paid $600,000.", "number"}.check(t)
}

// TestMonthsOfAStretch: a month that lies in a stretch of months is denied by neither of its ends.
func TestMonthsOfAStretch(t *testing.T) {
	for _, hours := range []string{"April to September", "Apr-Sep", "April until September", "April through September", "the time between April and September"} {
		beside{"The museum is open in May.", "The museum is open in " + hours + ".", ""}.check(t)
		beside{"The museum is open in March.", "The museum is open in " + hours + ".", "date"}.check(t)
	}
	beside{"The museum is closed in January.", "The museum is closed in November to February.", ""}.check(t)
	beside{"The museum is open in May.", "The museum is open in April and September.", "date"}.check(t)
	beside{"The library is open on Friday.", "The library is open on Maple Street.", ""}.check(t) // a day of the week is no name
	beside{"The library is open on Friday.", "The library is open on Monday.", "date"}.check(t)
}

// TestDaysOfData: a day that data gives as a date denies another day of its month, and no day of another year by its year alone.
func TestDaysOfData(t *testing.T) {
	const fair = `{"fair": "Leeds book fair", "opens": "2024-06-03"}`
	beside{"The Leeds book fair opens on 4 June.", fair, "date"}.check(t)
	beside{"The Leeds book fair opens on 3 June.", fair, ""}.check(t)
	beside{"The Leeds book fair opens at 4.", fair, ""}.check(t)
	beside{"The Leeds book fair opens in June 2022.", fair, "date"}.check(t)
}

// TestYearsFurtherOff: a year dates all that is said, and is denied by one that stands further off where most of the rest agrees. Decades and ages
// are not, nor is a year where the rest speaks of something else.
func TestYearsFurtherOff(t *testing.T) {
	for _, b := range []beside{
		{"The first transatlantic cable was laid in 1866.", "The first transatlantic cable was completed on 5 August 1858.", "date"},
		{"The first transatlantic cable was laid in 1858.", "The first transatlantic cable was completed on 5 August 1858.", ""},
		{"Rube Waddell passed away in his 30's.", "Rube Waddell, the pitcher of the club, was with it until it left for Boston in 1909.", ""},
		{"The first transatlantic cable was laid in 1866.", "The first transatlantic cable still had its old admirers in the 1970s.", ""},
		{"The first transatlantic cable was made two papers rich in 1866.", "The first transatlantic cable was completed on 5 August 1858.", ""},
	} {
		b.check(t)
	}
}

// TestPercentAreNoPoints: a difference of percentages is in points, and makes no percent of the same number.
func TestPercentAreNoPoints(t *testing.T) {
	const rate = "The unemployment rate fell from 6.1% in March to 5.8% in April, a decline of 0.3 percentage points."
	for _, b := range []beside{
		{"Unemployment dropped by 0.3 percent in April.", rate, "unit"},
		{"Unemployment dropped by 0.3 percentage points in April.", rate, ""},
		{"Unemployment dropped to 5.8 percent in April.", rate, ""},
	} {
		b.check(t)
	}
}

// TestForEachOfAnother: the same amount for each of other things is another one; who else may be called so is the same.
func TestForEachOfAnother(t *testing.T) {
	const (
		tours = "Guided tours cost $45 per person."
		limit = "Limit: 3 per person."
	)
	for _, b := range []beside{
		{"Guided tours are $45 per group.", tours, "number"},
		{"Guided tours are $45 a group.", tours, "number"},
		{"Guided tours are $45 a person.", tours, ""},
		{"Guided tours are $45/guest.", tours, ""},
		{"Guided tours are $45 each.", tours, ""},
		{"Guided tours are $45 per ticket.", tours, ""},
		{"Guided tours are $45 per group.", "Guided tours cost $45 per person or $300 per group.", ""},
		{"The limit is 3 per household.", limit, "number"},
		{"The limit is 3 per customer.", limit, ""},
		{"A charge of $3 applies per order.", "A charge of $3 applies per item.", "number"},
		{"The charge is $3 per order.", "The charge is $3 per item.", "number"},
		{"The fee is $25 per night.", "The fee is $25 per stay.", "number"},
		{"The pet fee is $25 per night.", "There is a fee of $25 per stay for each pet.", "number"},
		{"The fee is $25 per day.", "The fee is $25 per night.", ""},
		{"Rooms take 4 guests per room.", "Up to 4 guests per room are allowed.", ""},
	} {
		b.check(t)
	}
}

// TestAmountsThatRatesMake: what the source gives for a span of time, for each head or under a name for how long follows for another span and for so many heads, and nothing else does.
func TestAmountsThatRatesMake(t *testing.T) {
	const (
		licence = "The licence costs $50 for four years."
		tickets = "Tickets cost $25 for adults and $15 for children."
		pay     = "Adults pay $25 and children pay $15."
		plans   = "| Plan | Price per month |\n|---|---|\n| Basic | $15 |\n| Pro | $25 |\n"
		data    = `[{"plan": "Basic", "price_per_month": 15}, {"plan": "Pro", "price_per_month": 25}]`
	)
	for _, c := range []beside{
		{"The licence costs $12.50 a year.", licence, ""},
		{"The licence costs $50 a year.", licence, "number"},
		{"The licence costs $15 a year.", licence, "number"},
		{"The licence costs $50 for four years.", "The licence costs $12.50 a year.", ""},
		{"The price is $40 for one adult and one child.", tickets, ""},
		{"One adult and one child pay $40.", tickets, ""},
		{"Two adults and three children pay $95.", pay, ""},
		{"One adult and one child pay $40.", "The fee is $25 per adult and $15 per child.", ""},
		{"One adult and one child pay $45.", tickets, "number"},
		{"Two adults and one child pay $55.", pay, "number"},
		{"A year of the Pro plan costs $300.", plans, ""},
		{"The Pro plan costs $300 a year.", plans, ""},
		{"A year of the Pro plan costs $300.", data, ""},
		{"A year of the Pro plan costs $180.", plans, "number"},
		{"A year of the Pro plan costs $250.", plans, "number"},
		{"A year of the Pro plan costs $180.", data, "number"},
	} {
		c.check(t)
	}
}
