package listing

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestDataIsReadAsLines: each value is said with its name, what is not so as "no", and of nothing nothing is said.
func TestDataIsReadAsLines(t *testing.T) {
	for data, want := range map[string]string{
		`{"name": "Casa Oro", "city": "Ostby", "stars": 4.5}`:                                              "Name: Casa Oro, city: Ostby, stars: 4.5.\n",
		`{"attributes": {"OutdoorSeating": true, "WiFi": "no", "HasTV": null}}`:                            "Outdoor seating: yes.\nNo wifi.\n",
		`{"BusinessParking": {"garage": false, "lot": true}}`:                                              "No garage business parking.\nLot business parking: yes.\n",
		`{'good_for_kids': True, 'music': None, 'noise': 'quiet'}`:                                         "Good for kids: yes.\nNoise: quiet.\n",
		`{"hours": {"Monday": "7:0-14:30", "Friday": "12:0-0:0"}}`:                                         "Hours monday: open from 7 am to 2:30 pm, friday: open from 12 pm to 12 am.\n",
		`{"hours": {"Monday": "0:0-0:0", "Friday": "9:0-17:0"}}`:                                           "Hours monday: closed, friday: open from 9 am to 5 pm.\n",
		`{"hours": {"Monday": "0:0-0:0", "Tuesday": "0:0-0:0", "Friday": "0:0-0:0", "Sunday": "0:0-0:0"}}`: "Hours monday: open 24 hours, tuesday: open 24 hours, friday: open 24 hours, sunday: open 24 hours, wednesday: closed, thursday: closed, saturday: closed.\n",
		`{"hours": {"Tuesday": "9:0-17:0", "Wednesday": "9:0-17:0", "Thursday": "9:0-17:0", "Friday": "9:0-17:0", "Saturday": "9:0-12:0"}}`: "Hours tuesday: open from 9 am to 5 pm, wednesday: open from 9 am to 5 pm, " +
			"thursday: open from 9 am to 5 pm, friday: open from 9 am to 5 pm, saturday: open from 9 am to 12 pm, monday: closed, sunday: closed.\n",
		`{"guests": {"Monday": 31, "Tuesday": 20, "Wednesday": 18, "Thursday": 2, "Friday": 11}}`:                                            "Guests monday: 31, tuesday: 20, wednesday: 18, thursday: 2, friday: 11.\n",
		`{"start": "2024-05-05T14:30:00Z", "end": "2024-05-05 16:00", "at": "2024-05-05T1"}`:                                                 "Start: 2024-05-05 14:30, end: 2024-05-05 16:00, at: 2024-05-05T1.\n",
		`{"city": "Ostby", "state": "AZ", "note": "AZ"}`:                                                                                     "City: Ostby, state: Arizona (AZ), note: AZ.\n",
		`{"RestaurantsPriceRange2": 2, "PriceRange": "$$$"}`:                                                                                 "Restaurants price range2: mid-priced (2), price range: upscale, expensive ($$$).\n",
		`{"monthly_usd": 34.99, "student_discount_pct": 15, "minutes": 3, "term_months": "six"}`:                                             "Monthly: 34.99 dollars, student discount: 15 percent, minutes: 3, term months: six.\n",
		`{"fees_eur": {"follow_up": 30, "first": 48}}`:                                                                                       "Fees follow up: 30 euros, first: 48 euros.\n",
		`{"hours": {"Mon": "8:30-18:30", "Sat": "9:0-12:0"}, "sat": 3}`:                                                                      "Hours monday: open from 8:30 am to 6:30 pm, saturday: open from 9 am to 12 pm.\nSat: 3.\n",
		`{"price": {"amount": 1299.00, "currency": "EUR"}}`:                                                                                  "Price amount: 1299.00 euros, currency: EUR.\n",
		`{"price": 12, "tax_pct": 5, "stock": 4, "currency": "£"}`:                                                                           "Price: 12 pounds, tax: 5 percent, stock: 4, currency: £.\n",
		`{"currency": "USD", "items": [{"name": "Lamp", "unit_price": 24.5, "total": 3}]}`:                                                   "Currency: USD.\nName: Lamp, unit price: 24.5 dollars, total: 3.\n",
		`{"fare": 90, "Currency": "CHF", "fees": {"total": 3, "currency": "EUR"}}`:                                                           "Fare: 90 CHF, currency: CHF.\nFees total: 3 euros, currency: EUR.\n",
		`{"fare": 90, "currency": "all of them"}`:                                                                                            "Fare: 90, currency: all of them.\n",
		`{"weight": {"value": 171, "unit": "g"}, "price": 3, "unit": "kg"}`:                                                                  "Weight value: 171 g, unit: g.\nPrice: 3, unit: kg.\n",
		`{"temperature": {"value": 37.2, "units": "celsius"}, "quantity": 2, "unit": "box of 3"}`:                                            "Temperature value: 37.2 °C, units: celsius.\nQuantity: 2, unit: box of 3.\n",
		`{"battery": {"mah": 5200, "runtime_min_eco": 180, "runtime_min_max": 75}, "score_avg": 3, "score_max": 5}`:                          "Battery mah: 5200, runtime eco: 180 minutes, runtime max: 75 minutes.\nScore avg: 3, score max: 5.\n",
		`{"shipping": {"days_min": 3, "days_max": 5}, "weight_g": 1200, "check_in": 15, "size_in": 14, "runtime_min": 90, "load_kg_max": 5}`: "Shipping days min: 3, days max: 5.\nWeight: 1200 g, check in: 15, size: 14 inches, runtime: 90 minutes, load max: 5 kg.\n",
		`{"track": "Low Tide", "duration_ms": 215500, "wait_ms": 30}`:                                                                        "Track: Low Tide, duration: 215.5 seconds, wait: 30 ms.\n",
		`{"price_cents": 4999, "currency": "usd", "tip_cents": "none"}`:                                                                      "Price: 49.99 dollars, currency: usd.\nNo tip cents.\n",
		`{"price_cents": 4999}`:                          "Price cents: 4999.\n",
		`{"Alcohol": "none", 'Pets': 'none', "x": None}`: "No alcohol.\nNo pets.\n",
		`{"Alcohol": "beer_and_wine", "BYOB": true}`:     "Alcohol: beer and wine.\nBYOB (bring your own bottle): yes.\n",
		`{"tags": ["bar", "grill"], "sizes": [1, 2]}`:    "Tags: bar, grill.\nSizes: 1, 2.\n",
		`{"reviews": [{"review_stars": 5, "review_text": "Best \"pan\\cakes\"\nin town. We sat on the patio with our dog for an hour!"}]}`: "Review stars: 5.\n" +
			"Review text: Best \"pan\\cakes\" in town. We sat on the patio with our dog for an hour!\n",
		"{\"a\": 1}\n{\"a\": 2}":                                    "A: 1.\nA: 2.\n",
		`[{"title": "A caf\u00e9 \ud83d\ude00"}]`:                   "Title: A café 😀.\n",
		`{"name": "Casa Oro", "open": {"late": true}, "stars": 4,}`: "Name: Casa Oro, stars: 4.\nLate open: yes.\n",
	} {
		got, ok := Read(data)
		if !ok || got.Text != want {
			t.Errorf("%s is read as %q, %v", data, got.Text, ok)
		}
	}
	long := strings.Repeat("A guest sat on the patio for an hour. ", 2)
	if got, _ := Read(`{"notes": ["` + long + `", "` + long + `"]}`); strings.Count(got.Text, "Notes: ") != 2 {
		t.Errorf("two long notes are read as %q", got.Text)
	}
	for line := range strings.Lines(must(`{` + strings.Repeat(`"name": "Casa Oro at the old harbour of Ostby",`, 20) + `}`)) {
		if len(line) > maxLine+shortValue {
			t.Errorf("a line has %d bytes", len(line))
		}
	}
	for _, s := range []string{"", "{", "[1] Smith 1998.", "[1, 2]", "{}", `{"a": null}`, `{"a": 1} and more`, `{"a" 1}`, `{"a": b}`, `{a: 1}`, `{"a": "b`, strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100), "He said {no}."} {
		if got, ok := Read(s); ok {
			t.Errorf("%q is read as data: %q", s, got.Text)
		}
	}
}

func must(data string) string {
	lines, ok := Read(data)
	if !ok {
		panic(data)
	}
	return lines.Text
}

// TestLinesKnowTheirPlace: a run of the lines is found in the data, copied words where they stand.
func TestLinesKnowTheirPlace(t *testing.T) {
	const hours = `"Monday": "1:0-2:0", "Tuesday": "1:0-2:0", "Thursday": "1:0-2:0", "Friday": "1:0-2:0"`
	week, _ := Read(`{"hours": {` + hours + `}}`)
	closed := strings.Index(week.Text, "wednesday: closed")
	if got := week.Back(ibid.Span{Start: closed, End: closed + len("wednesday")}).In(week.data); got != hours {
		t.Errorf("a day that no hours are given for stands for %q, not for the hours of the week", got)
	}
	const data = `{"name": "Casa Oro", "BusinessParking": {"garage": false}, "hours": {"Friday": "1:0-2:0"}, "note": "We sat on the \"old\" patio with our dog for an hour and a half."}`
	lines, _ := Read(data)
	for run, want := range map[string]string{
		"Casa Oro":                    "Casa Oro",
		"No garage business parking.": `"garage": false`,
		"garage":                      "garage",
		"Hours friday: open":          `"Friday": "1:0-2:0"`,
		"Name: Casa Oro.":             `"name": "Casa Oro"`,
		"patio with":                  "patio with",
		`"old" patio`:                 `\"old\" patio`,
	} {
		at := strings.Index(lines.Text, run)
		if at < 0 {
			t.Fatalf("%q is not in %q", run, lines.Text)
		}
		if got := lines.Back(ibid.Span{Start: at, End: at + len(run)}).In(data); got != want {
			t.Errorf("%q stands for %q, not %q", run, got, want)
		}
	}
}

// TestHoursAreThoseOfOneWeek: each day that data gives hours for, or leaves out, has them once, with its place in the lines; of two weeks none.
func TestHoursAreThoseOfOneWeek(t *testing.T) {
	const days = `"Monday": "0:0-0:0", "Tuesday": "7:30-14:0", "Wednesday": "7:0-0:0", "Thursday": "7:0-24:0", "Friday": "7:0-14:0"`
	lines, _ := Read(`{"name": "Casa Oro", "hours": {` + days + `}}`)
	want := []Hours{{Day: 0, Closed: true}, {Day: 1, Open: 450, Close: 840}, {Day: 2, Open: 420}, {Day: 3, Open: 420}, {Day: 4, Open: 420, Close: 840}, {Day: 5, Closed: true}, {Day: 6, Closed: true}}
	if len(lines.Hours) != len(want) {
		t.Fatal(lines.Hours)
	}
	for i, h := range lines.Hours {
		if run := h.At.In(lines.Text); !strings.HasPrefix(run, Weekdays[h.Day]+": ") || h.Closed != strings.HasSuffix(run, ": closed") || strings.Contains(run, ",") {
			t.Errorf("day %d stands at %q", h.Day, run)
		}
		if h.At = (ibid.Span{}); h != want[i] {
			t.Errorf("%+v, not %+v", h, want[i])
		}
	}
	if lines, _ := Read(`[{"hours": {` + days + `}}, {"hours": {` + days + `}}]`); lines.Hours != nil {
		t.Error("two weeks are read as one", lines.Hours)
	}
}

// TestTablesAreReadAsObjects: each row under a line of names is an object, cited by its own cells; what only has as many commas is none.
func TestTablesAreReadAsObjects(t *testing.T) {
	for data, want := range map[string]string{
		"product,price_usd,stock\nAlder,35,4\n\"Cedar, red\",61,\n": "Product: Alder, price: 35 dollars, stock: 4.\nProduct: Cedar, red, price: 61 dollars.\n",
		"date\tpayee\n2024-03-02\tLee Ortiz\r\n":                    "Date: 2024-03-02, payee: Lee Ortiz.\n",
		"[[true], [\"null\"\n1, 2\n":                                "True: 1, null: 2.\n",
		"city; petsAllowed; rent\n\nOstby; true; 1.150,00 €\n":      "City: Ostby.\nPets allowed: yes.\nRent: 1.150,00 €.\n",
	} {
		if got, ok := Read(data); !ok || got.Text != want {
			t.Errorf("%q is read as %q, %v", data, got.Text, ok)
		}
	}
	for _, s := range []string{
		"product,price\n", "product,price\nAlder,35\nBirch\n", "product,product\nAlder,35\n", "product,\nAlder,35\n", "12,35\n14,36\n", "product,colour\nAlder,red\n",
		"In May, he left.\nIn 2019, he came back.\n", "We have a long and rather winding sentence, 3 of them\nAnd another one, 4 of them\n", "Plan: Free, Price: $0\n\nPlan: Pro, Price: $12",
		"| Plan | Price |\n|---|---|\n| Pro | $12 |\n",
	} {
		if got, ok := Read(s); ok {
			t.Errorf("%q is read as data: %q", s, got.Text)
		}
	}
	const data = "product,price\nAlder,35\n\"Cedar, red\",61\n"
	lines, _ := Read(data)
	for run, want := range map[string]string{"Product: Alder, price: 35": "Alder,35", "Product: Cedar, red, price: 61": `"Cedar, red",61`, "price: 61": "61"} {
		at := strings.Index(lines.Text, run)
		if got := lines.Back(ibid.Span{Start: at, End: at + len(run)}).In(data); at < 0 || got != want {
			t.Errorf("%q stands for %q, not %q", run, got, want)
		}
	}
}

// TestRecordsAreReadAsObjects: lines of a name and a short value are said as those of data are, by themselves and within prose, which is copied.
func TestRecordsAreReadAsObjects(t *testing.T) {
	for _, c := range []struct {
		data, want string
		only       bool
	}{
		{"Pets: no\nParking: free\nBalcony: yes\nBedrooms: 2", "No pets.\nParking: free.\nBalcony: yes.\nBedrooms: 2.\n", true},
		{"- Pets: no.\n- Basement: none\n• **Price:** $289,000\n* __Year built__: 1978\r\n", "No pets.\nNo basement.\nPrice: $289,000, year built: 1978.\n", true},
		{"Jon Vale\n\nAge: 67\nMedication: metformin 500 mg twice daily, lisinopril 10 mg\nSmoker: no\n", "Jon Vale\n\nAge: 67.\nNo smoker.\nMedication: metformin 500 mg twice daily, lisinopril 10 mg.\n", true},
		{"Name: Alder\nPrice: $35\nStock: 4\n\nName: Birch\nPrice: $61\nStock: none\n", "Name: Alder, price: $35, stock: 4.\nName: Birch, price: $61.\nNo stock.\n", true},
		{"The flat was let in May. It lies by the canal, and its owner lives next door.\n\nPets: no\nRooms: 2\nFloor: third\nCall us.", "The flat was let in May. It lies by the canal, and its owner lives next door.\n\nNo pets.\nRooms: 2, floor: third.\nCall us.\n", false},
	} {
		got, only, ok := Records(c.data)
		if !ok || got.Text != c.want || only != c.only {
			t.Errorf("%q is read as %q, %v, %v", c.data, got.Text, only, ok)
		}
		if _, ok := Read(c.data); ok {
			t.Errorf("%q is taken for data", c.data)
		}
	}
	lines, _, _ := Records("Name: Alder\nPrice: 35\nStock: 4\nName: Birch\nPrice: 61\nStock: 5\n")
	if len(lines.Lists) != 1 || len(lines.Lists[0].Rows) != 2 || len(lines.Values) != 6 || lines.Values[4].Text != "61" || lines.Values[4].Rows[0] != lines.Lists[0].Rows[1] {
		t.Errorf("two records are %v of %v", lines.Values, lines.Lists)
	}
	for _, s := range []string{
		"", "Pets: no\nRooms: 2\n", "Pets: no\nRooms: 2\nThe flat is by the canal.\nFloor: 3\n", ":\n:\n: 2\n", "Pets:no\nRooms:2\nFloor:3",
		"Anna: yes, I think so\nBen: no, we can't\nCarla: at 5 in my office\n", "Anna: yes\nBen: no\nAnna: really?\nBen: 5 times!\n", "Anna: at 5\nBen: at 6\nBen: at 7\nAnna: at 8\n",
		"Q: Is it open on day 3?\nA: yes\nQ: Is it free?\nA: no\n", "User: 5\nAssistant: 6\nUser: 7\n", "Speaker 1: yes\nSpeaker 2: no\nSpeaker 3: yes\n",
		"10:30 Opening\n11:00 Talk\n12:15 Lunch\n", "10:30: Opening\n11:00: Talk\n12:15: Lunch\n", "https://a.org/1\nhttps://a.org/2\nhttps://a.org/3\n",
		"Step 1: Mix 200 g of flour\nStep 2: Add 2 eggs\nStep 3: Bake\n", "Day 1: Paris\nDay 2: Rome\nDay 3: Oslo\n",
		"Alpha: the first letter of the Greek alphabet\nBeta: the second of its 24 letters, which stood for a b\nGamma: the third letter, and the first of a kind\n",
		"Atrium: hall\nNave: middle aisle\nApse: end of it\n",
		"The answer was plain to all of us in the room: no\nRooms: 2\nFloor: 3\n",
	} {
		if got, _, ok := Records(s); ok {
			t.Errorf("%q is read as a record: %q", s, got.Text)
		}
	}
}

// TestRecordsKnowTheirPlace: what is said of a line stands for that line, and prose for itself.
func TestRecordsKnowTheirPlace(t *testing.T) {
	const data = "It was let in May to two\nstudents of the school of music.\n- **Pets:** no\n- Rooms: 2\n- Heating: gas, oil\n\nCall us."
	lines, _, _ := Records(data)
	for run, want := range map[string]string{
		"No pets.": "Pets:** no", "Rooms: 2": "Rooms: 2", "gas, oil": "gas, oil", "Heating: gas, oil.": "Heating: gas, oil", "let in May to two\nstudents": "let in May to two\nstudents", "Call us.": "Call us.",
	} {
		at := strings.Index(lines.Text, run)
		if at < 0 {
			t.Fatalf("%q is not in %q", run, lines.Text)
		}
		if got := lines.Back(ibid.Span{Start: at, End: at + len(run)}).In(data); got != want {
			t.Errorf("%q stands for %q, not %q", run, got, want)
		}
	}
}

// FuzzRead: whatever is read as data, every run of its lines has a place within it, and what is copied is the same word.
func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"a": [1, {"b_c": "d\u00e9\n"}], 'X': True,}`, `{"BusinessParking": {"garage": false}}`, `[{"h": "7:0-14:30"}]`, "{\"\\\": 1}", `{"a":"\`, `{"a":"\u12"}`, "a,b\n\"c, d\",1\n", "a;b\n\";1", "a\tb\n\"\t\"2\"\n", "Pets: no\n- **Rooms:** 2\nBasement: none\nSo it is.", "A: x\nB: 1\nC: 7:0-14:30\n\nA: ü\nB: 2\nC: a, b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines, ok := Read(s)
		if !ok {
			if lines, _, ok = Records(s); !ok {
				return
			}
		}
		for i, p := range lines.parts {
			end := len(lines.Text)
			if i+1 < len(lines.parts) {
				end = lines.parts[i+1].from
			}
			if p.of.Start < 0 || p.of.End > len(s) || p.of.Start > p.of.End || p.from > end {
				t.Fatalf("%q: part %v of %q", s, p, lines.Text)
			}
			if run := lines.Text[p.from:end]; p.copied && !strings.EqualFold(run, p.of.In(s)) {
				t.Fatalf("%q: %q is not %q", s, run, p.of.In(s))
			}
			for at := p.from; at < end; at++ {
				if of := lines.Back(ibid.Span{Start: at, End: at + 1}); of.Start < 0 || of.End > len(s) || of.Start > of.End {
					t.Fatalf("%q: byte %d stands for %v", s, at, of)
				}
			}
		}
	})
}
