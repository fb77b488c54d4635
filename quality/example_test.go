package quality_test

import (
	"fmt"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/quality"
)

// A score says what it is made of.
func ExampleRater_Rate() {
	source := ibid.Source{URI: "https://www.bmj.com/content/2/5812/500"}
	source.Reference.Type = "article-journal"
	source.Reference.Set("title", "Management of diabetes in general practice")
	source.Reference.Set("DOI", "10.1136/bmj.2.5812.500")
	source.Reference.SetDate("issued", ibid.Date{Parts: []ibid.DateParts{{Year: 1972}}})

	score := quality.New().Rate(source, quality.About{
		Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), HalfLife: 5, Confirmed: 2,
	})
	fmt.Println(score.Label())
	for _, p := range score.Parts {
		fmt.Printf("%+.2f %s: %s\n", p.Points, p.Name, p.Why)
	}
	// Output:
	// peer-reviewed .75
	// +0.90 kind: bmj.com is on the list: publishers and archives of journals with peer review
	// +0.03 identifiers: has a DOI, by which it is registered
	// -0.24 age: is 54 years old, and the topic moves on in 5
	// +0.06 agreement: 2 independent of it say the same
}
