package cite_test

import (
	"fmt"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

func ExampleFormat() {
	c := cite.Citation{
		Source: "https://arxiv.org/abs/2401.12345", Location: "Section 3.2", Confidence: 0.95,
		Metadata: map[string]any{"author": "Smith, J.", "year": "2024", "title": "Machine Learning"},
	}
	for _, style := range []cite.Style{cite.APA, cite.MLA, cite.Chicago} {
		s, _ := cite.Format(c, style)
		fmt.Println(s)
	}
	// Output:
	// Smith, J. (2024). Machine Learning. Retrieved from https://arxiv.org/abs/2401.12345 (Section 3.2)
	// Smith, J. "Machine Learning." https://arxiv.org/abs/2401.12345, 2024. Section 3.2
	// Smith, J. "Machine Learning." https://arxiv.org/abs/2401.12345 (2024): Section 3.2
}

func ExampleScore() {
	c := cite.Citation{Source: "https://example.com", Confidence: 0.7}
	fmt.Println(cite.Score(c).Overall)
	fmt.Println(c.Validate().Recommendations[0])
	// Output:
	// 0.44
	// Missing author metadata (recommended)
}

func ExampleDeduplicate() {
	a := ibid.Reference{ID: "a", Type: "article-journal", Text: map[string]string{"DOI": "10.1056/NEJMc2103740"}}
	b := ibid.Reference{ID: "b", Type: "webpage", Text: map[string]string{"URL": "https://doi.org/10.1056/nejmc2103740", "title": "Neutralization"}}
	works := cite.Deduplicate([]cite.Copy{{Reference: a, Location: "p. 3"}, {Reference: b, Location: "p. 4"}})
	fmt.Println(len(works), works[0].Reference.Title(), works[0].Locations)
	fmt.Println(works[0].Explain())
	fmt.Println(len(works[0].Undo()))
	// Output:
	// 1 Neutralization [p. 3 p. 4]
	// 2 records; a and b: same DOI 10.1056/nejmc2103740
	// 2
}

func ExampleParseISBN() {
	fmt.Println(cite.ParseISBN("0-306-40615-2"))
	_, err := cite.ParseISBN("978-3-16-148410-1")
	fmt.Println(err)
	// Output:
	// 9780306406157 <nil>
	// ISBN "978-3-16-148410-1": check digit is 1 where 0 is expected: invalid
}
