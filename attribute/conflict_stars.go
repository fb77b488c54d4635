package attribute

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/listing"
)

// starsSaid finds how many stars a sentence gives: 3.5 stars, a 4-star rating, rated 4.5 out of 5, an average rating of 3.
var starsSaid = regexp.MustCompile(`(?i)\b(?P<stars>[0-5](?:\.\d+)?|zero|one|two|three|four|five)(?:(?: out of|/| of) ?(?:5|five))?(?:-| )stars?\b` +
	`|\brat(?:ed|ings?)(?: (?:is|of|at|as|stands at))?(?: an?)?(?: (?:average|overall))? (?P<rated>[0-5](?:\.\d+)?)(?:(?: out of |/)(?:5|five)\b)?(?:[ ,.;]|$)` +
	`|\b(?P<outOf>[0-5](?:\.\d+)?)(?: out of |/)(?:5|five)\b`)

// loosely stand in sentences whose stars are a bound, a range or one of several, and good in those whose stars are praise.
var (
	loosely = regexp.MustCompile(`(?i)\b(?:about|around|approximately|almost|nearly|over|under|above|below|than|least|most|up to|between|from|rang\w+|var(?:y|ies|ied)|mostly|half|not|n[o']t|if|would)\b`)
	praise  = regexp.MustCompile(`(?i)^[- ](?:service|experience|quality|treatment|hotel|resort|meal|dining|food|restaurant|chef)`)
	byOne   = regexp.MustCompile(`(?i)\b(?:review(?:s|er|ers|ed)?|customers?|guests?|diners?|patrons?|visitors?|users?|clients?|patients?|one|another|some|person|who|gave|giving|awarded)\b`)
	ofAll   = regexp.MustCompile(`(?i)\b(?:average|overall|rating of|based on|aggregate)\b`)
)

// stars compares the rating that a sentence gives with those of data: that of the thing itself, and where the sentence speaks of reviewers, theirs.
func (c *comparison) stars() {
	lines, data := c.t.data[c.a.passage]
	if !data || len(lines.Stars) == 0 {
		return
	}
	found := starsSaid.FindAllStringSubmatchIndex(c.s.text, 2)
	if len(found) != 1 || loosely.MatchString(c.s.text) {
		return
	}
	m := found[0]
	at := ibid.Span{}
	for g := 1; g < len(m)/2; g++ {
		if m[2*g] >= 0 {
			at = ibid.Span{Start: m[2*g], End: m[2*g+1]}
		}
	}
	said, ok := starValue(at.In(c.s.text))
	if !ok || praise.MatchString(c.s.text[m[1]:]) {
		return
	}
	one := byOne.MatchString(c.s.text) && !ofAll.MatchString(c.s.text)
	is := slices.IndexFunc(lines.Stars, func(s listing.Stars) bool { return !s.Reviewer })
	for i, s := range lines.Stars {
		if s.Value == said && (one || !s.Reviewer) {
			c.e.agreed = append(c.e.agreed, ibid.Span{Start: m[0], End: m[1]})
			c.nothingElse()
			return
		}
		if !s.Reviewer && i != is {
			return // several things are rated
		}
	}
	if one {
		is = slices.IndexFunc(lines.Stars, func(s listing.Stars) bool { return s.Reviewer })
	}
	if is < 0 {
		return
	}
	from, to := c.s.covering(at)
	left, right := c.t.covering(c.a.passage, lines.Stars[is].At)
	if from < to && left < right {
		c.add("number", from, to, left, right, c.instead(from, to, left, right))
		for i := range c.found {
			c.found[i].plain = c.found[i].plain || c.found[i].from == from // what data gives is reckoned from nothing
		}
	}
}

// starValue reads how many stars a word says.
func starValue(s string) (float64, bool) {
	if i := slices.Index([]string{"zero", "one", "two", "three", "four", "five"}, strings.ToLower(s)); i >= 0 {
		return float64(i), true
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}
