package attribute

import (
	"testing"
)

// TestStars: the rating that data gives to a thing is compared with what is said of it, and those of reviewers with what is said of these.
func TestStars(t *testing.T) {
	const listing = `{"name": "Casa Oro", "business_stars": 2.5, "review_count": 4, "review_info": [{"review_stars": 5.0, "review_text": "Good tacos."}, {"review_stars": 2.0, "review_text": "Slow service, cold enchiladas."}]}`
	for segment, denied := range map[string]string{
		"It is rated 2.5 stars.":                                    "",
		"It is rated 2.0 stars.":                                    "2.0",
		"It has a rating of 5 out of 5.":                            "5",
		"Casa Oro has an average rating of 2.5 out of 5 stars.":     "",
		"Casa Oro has an average rating of 3.5 out of 5 stars.":     "3.5",
		"It has an overall rating of 3 stars based on its reviews.": "3",
		"It has a 4-star rating.":                                   "4",
		"One reviewer gave it 5 stars.":                             "",
		"A two-star review speaks of cold enchiladas.":              "",
		"One reviewer gave it 4 stars.":                             "4",
		"It is rated about 3 stars.":                                "",
		"Its ratings range from 2 to 5 stars.":                      "",
		"Reviewers praise its 5-star service.":                      "",
		"It is rated 2.5/5.":                                        "",
		"It is rated 4/5.":                                          "4",
	} {
		denies(t, segment, listing, denied)
	}
	if f := one(t, "Casa Oro is rated 3 stars.", `[{"name": "Casa Oro", "stars": 3}, {"name": "Casa Azul", "stars": 4}]`).Segment; len(f.Contradicted) > 0 {
		t.Error("one of two things that are rated", f.Contradicted)
	}
	if f := one(t, "It stands at 21 Main Street.", `{"name": "Casa Oro", "address": "12 Main Street"}`).Segment; len(f.Contradicted) != 1 {
		t.Error("a house number is not compared", f.Contradicted)
	}
}
