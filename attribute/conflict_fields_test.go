package attribute

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestFields: what data gives under a name is compared with what is said of it by that name, of the object that is spoken of; what may follow from
// several values, or be said of another one, is not denied.
func TestFields(t *testing.T) {
	const staff = `[{"name": "Carol Singh", "title": "Analyst", "salary": 88000, "hire_date": "2019-03-12"}, {"name": "David Kim", "title": "Manager", "salary": 61000, "hire_date": "2021-07-01"}]`
	const order = `{"order_id": "ORD-1", "order_date": "2024-05-02", "estimated_delivery": "2024-05-09", "items": [{"name": "Desk Lamp", "quantity": 2, "unit_price": 24.5}, {"name": "Backpack", "quantity": 3, "unit_price": 50}], "total": 199}`
	const flights = `{"flights": [{"airline": "Delta", "departure": {"airport": "ORD", "time": "2024-05-02T15:30"}, "arrival": {"airport": "SEA", "time": "2024-05-02T18:00"}, "price": 210}, {"airline": "United", "departure": {"airport": "ORD", "time": "2024-05-02T09:10"}, "arrival": {"airport": "SEA", "time": "2024-05-02T12:15"}, "price": 340}]}`
	const phones = `[{"model": "Pixel 8", "price": 699, "currency": "USD"}, {"model": "iPhone 15", "price": 799, "currency": "USD"}, {"model": "Galaxy S24", "price": 859, "currency": "USD"}]`
	const rooms = `[{"room": "Room 101", "price": 120, "currency": "EUR", "beds": 1}, {"room": "Room 204", "price": 180, "currency": "EUR", "beds": 2}]`
	const film = `{"title": "Blade Runner 2049", "year": 2017, "runtime_min": 163, "rating": 8.0}`
	const laptop = `{"product": "Aero 14", "price": {"amount": 1299.00, "currency": "EUR"}, "display": {"size_in": 14.0}, "warranty_months": 24}`
	for _, c := range []struct{ claim, source, denied string }{
		{"The iPhone 15 costs $799.", `{"name": "iPhone 15", "price_usd": 799, "storage_gb": 128}`, ""},
		{"The iPhone 15 costs $899.", `{"name": "iPhone 15", "price_usd": 799, "storage_gb": 128}`, "899"},
		{"The Pixel 8 costs $699.", phones, ""},
		{"The Pixel 8 costs $799.", phones, "799"},
		{"Room 101 costs €120.", rooms, ""},
		{"Room 204 costs €180 and has two beds.", rooms, ""},
		{"Room 101 costs €180.", rooms, "180"},
		{"The rating of Blade Runner 2049 is 8.", film, ""},
		{"The rating of Blade Runner 2049 is 7.", film, "7"},
		{"The warranty of the Aero 14 lasts two years.", laptop, ""},
		{"The Aero 14 costs €1,299.", laptop, ""},
		{"The Aero 14 costs €1,399.", laptop, "1,399"},
		{"The Rating is 7.", film, "7"},
		{"The price is $1,299.", laptop, "$1,299"},
		{"The Aero 14 costs 1299 euros.", laptop, ""},
		{"The Pixel 8 costs €699.", phones, "€699"},
		{"The Galaxy S24 is priced at 859 dollars.", phones, ""},
		{"Carol Singh earns $88,000.", staff, ""},
		{"Carol Singh earns $89,000.", staff, "89,000"},
		{"Carol Singh's salary is $61,000.", staff, "61,000"},
		{"Together they earn $149,000.", staff, ""},
		{"Carol Singh earns $27,000 more than David Kim.", staff, ""},
		{"Carol Singh is a Manager.", staff, "Manager"},
		{"Carol Singh is an Analyst.", staff, ""},
		{"Carol Singh is not a Manager.", staff, ""},
		{"Carol Singh was hired in March 2019.", staff, ""},
		{"Carol Singh was hired on July 1, 2021.", staff, "July 1, 2021"},
		{"Carol Singh has the highest salary.", staff, ""},
		{"David Kim has the highest salary.", staff, "highest"},
		{"David Kim has the second highest salary.", staff, ""},
		{"There are two employees.", staff, ""},
		{"There are three employees.", staff, "three"},
		{"There are three employees in Sales.", staff, ""},
		{"It should arrive by May 9.", order, ""},
		{"It should arrive by May 10.", order, "May 10"},
		{"Your order was placed on May 9.", order, "May 9"},
		{"The estimated delivery is Thursday, May 9.", order, ""},
		{"The estimated delivery is Friday, May 9.", order, "Friday"},
		{"The Desk Lamp costs $24.50.", order, ""},
		{"The Desk Lamp costs $25.50.", order, "25.50"},
		{"The two Desk Lamps come to $49.00.", order, ""},
		{"Your order ORD-1 has a total of $199.", order, ""},
		{"The order contains two items.", order, ""},
		{"The order contains 4 items.", order, "4"},
		{"The Delta flight arrives at 6:00 PM.", flights, ""},
		{"The Delta flight arrives at 3:30 PM.", flights, "3:30 PM"},
		{"The Delta flight leaves at 3:30 PM and arrives at 6 PM.", flights, ""},
		{"The cheapest option is Delta.", flights, ""},
		{"The cheapest option is United.", flights, "cheapest"},
		{"United leaves at 9:10 AM for $340.", flights, ""},
		{"United leaves at 9:10 AM for $210.", flights, "210"},
	} {
		got := ""
		for _, x := range one(t, c.claim, c.source).Segment.Contradicted {
			got += x.Reason + "; "
		}
		want := c.denied
		if want != "" {
			want = fmt.Sprintf("says %q, the source ", want)
		}
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, not %q", c.claim, got, want)
		}
	}
}

// TestFieldsOfAnyTable: of a table with any values, what is said of a row is supported where it has the value and contradicted where another row has it.
func TestFieldsOfAnyTable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir"}
	said := []string{"%s costs $%d.", "The price of %s is $%d.", "%s: $%d", "%s is priced at $%d."}
	for range 200 {
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		n := 2 + r.IntN(4)
		var rows, cells []string
		prices := map[int]bool{}
		var price []int
		for len(price) < n {
			if p := 20 + r.IntN(9000); !prices[p] {
				prices[p], price = true, append(price, p)
			}
		}
		for i := range n {
			stock := 10000 + r.IntN(50)
			rows = append(rows, fmt.Sprintf(`{"product": "%s", "stock": %d, "price": %d}`, names[i], stock, price[i]))
			cells = append(cells, fmt.Sprintf("%s,%d,%d\n", names[i], stock, price[i]))
		}
		source := "[" + strings.Join(rows, ", ") + "]"
		if r.IntN(2) == 0 {
			source = "product,stock,price\n" + strings.Join(cells, "")
		}
		i, j := r.IntN(n), 0
		for j = r.IntN(n); j == i; j = r.IntN(n) {
		}
		form := said[r.IntN(len(said))]
		if f := one(t, fmt.Sprintf(form, names[i], price[i]), source).Segment; f.Support < 0.5 || len(f.Contradicted) > 0 {
			t.Errorf("%q of %s: %.2f %v", f.At, source, f.Support, f.Contradicted)
		}
		if f := one(t, fmt.Sprintf(form, names[i], price[j]), source).Segment; f.Support >= 0.5 || len(f.Contradicted) == 0 {
			t.Errorf("%q is not denied by %s", fmt.Sprintf(form, names[i], price[j]), source)
		}
	}
}

// FuzzFields: whatever is said of data, nothing panics, and what is contradicted lies within the segment.
func FuzzFields(f *testing.F) {
	f.Add("There are seven days a week from 9 AM to 5 PM on Friday, May 9, for $5.", `{"hours": {"Monday": "9:0-17:0", "Friday": "9:0-17:0", "Sunday": "9:0-17:0", "Tuesday": "9:0-17:0"}, "items": [{"name": "a", "price": 3, "on": "2024-05-09"}, {"name": "b", "price": 4}]}`)
	f.Add("The cheapest is b at 3:99 on 2024-13-45.", `[{"name": "b", "price": "$3", "at": "25:61"}, {"name": "c", "price": 2}]`)
	f.Fuzz(func(t *testing.T, segment, source string) {
		for _, c := range one(t, segment, source).Segment.Contradicted {
			if c.Of.Start < 0 || c.Of.End > len(segment) || c.Of.Start >= c.Of.End {
				t.Fatalf("%v of %q", c.Of, segment)
			}
		}
	})
}
