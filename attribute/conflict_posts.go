package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// posts finds a person who is said to hold the post that the source gives to another alone: Ben is chief executive where Anna is, and Ben something else.
// Who has no other post in the passage may have held this one before or after. It need not stand in the best window, but in its passage.
func (c *comparison) posts() {
	mine := c.mine.posts()
	if len(mine) == 0 || c.s.tongue != nil {
		return
	}
	var theirs []post
	first := c.t.firsts[c.a.passage]
	for _, s := range c.t.sentences[first:min(c.t.firsts[c.a.passage+1], first+longestPosts)] {
		l := c.t.line(c.a.passage, s.start, min(s.end, s.start+maxWords))
		c.t.operations += l.end - l.start
		theirs = append(theirs, l.posts()...)
	}
	for _, m := range mine {
		other := slices.ContainsFunc(theirs, func(p post) bool { return p.of != m.of && c.sharesName(m, p) })
		same := slices.DeleteFunc(slices.Clone(theirs), func(p post) bool { return p.of != m.of })
		if other && len(same) == 1 && !c.sharesName(m, same[0]) {
			from, to, left, right := min(m.from, m.at), max(m.to, m.end), min(same[0].from, same[0].at), max(same[0].to, same[0].end)
			c.add("role", from, to, left, right, c.instead(from, to, left, right))
		}
	}
}

// sharesName reports whether the holder of a post of the segment and that of one of the passage have a word of their names in common.
func (c *comparison) sharesName(mine, theirs post) bool {
	for i := mine.from; i < mine.to; i++ {
		for j := theirs.from; j < theirs.to; j++ {
			if c.mine.at(i).Key == c.theirs.at(j).Key {
				return true
			}
		}
	}
	return false
}

// longestPosts bounds how many sentences of a passage are read for posts.
const longestPosts = 200

// post is who holds one: the tokens of the name, [from, to), and of the post, [at, end).
type post struct {
	of       string
	from, to int
	at, end  int
}

// posts are those of a line, each with the name beside it: Anna Keller becomes chief executive officer, founder Ruth Adeyemi. A post that someone had, or
// that is of another place, is none that can be compared.
func (l line) posts() []post {
	var out []post
	for i := l.start; i < l.end; i++ {
		of, end := l.postAt(i)
		if of == "" {
			continue
		}
		if i > l.start && (lesser[strings.ToLower(l.text(i-1))]) || l.key(end) == "of" || l.key(end) == "at" || l.key(end) == "for" {
			i = end - 1
			continue // a deputy director, the head of lighting
		}
		if from, to := l.holder(i, end); to > 0 {
			out = append(out, post{of, from, to, i, end})
		}
		i = end - 1
	}
	return out
}

// postAt reads the post at i, with where it ends.
func (l line) postAt(i int) (of string, end int) {
	word := strings.ToLower(l.text(i))
	if word == "chief" && i+1 < l.end {
		next := strings.ToLower(l.text(i + 1))
		if end = i + 2; end < l.end && strings.EqualFold(l.text(end), "officer") {
			end++
		} else if next != "executive" {
			return "", 0
		}
		return officers[next], end
	}
	return offices[word], i + 1
}

var (
	officers = map[string]string{"executive": "ceo", "financial": "cfo", "operating": "coo", "technology": "cto", "technical": "cto"}
	offices  = map[string]string{"ceo": "ceo", "cfo": "cfo", "coo": "coo", "cto": "cto", "chair": "chair", "chairman": "chair", "chairwoman": "chair",
		"chairperson": "chair", "treasurer": "treasurer"}
	lesser = token.Words(`deputy vice former ex assistant associate acting interim honorary previous past co`)
)

// holder finds the name of who holds the post [at, end): just behind it, or before it in its clause. to is 0 where there is none, or where words tell that
// it is held no more.
func (l line) holder(at, end int) (from, to int) {
	person := func(i int) bool {
		if i < l.start || i >= l.end || !l.at(i).Kind.Has(token.Name) || l.at(i).Kind&(token.Number|token.Month|token.Acronym) != 0 {
			return false
		}
		office, _ := l.postAt(i)
		return office == ""
	}
	if person(end) && !l.at(end).Kind.Has(token.Comma) {
		for to = end; person(to) && (to == end || !l.at(to).Kind.Has(token.Comma)); to++ {
		}
		return end, to
	}
	for i := at - 1; i >= max(l.start, at-7); i-- {
		if person(i) {
			for from = i; person(from-1) && !l.at(from).Kind.Has(token.Comma); from-- {
			}
			return from, i + 1
		}
		if key := l.at(i).Key; l.at(i).Kind.Has(token.Negation) || key == "and" || key == "by" || key == "than" || ending[key] || l.at(i+1).Kind.Has(token.Comma) && i+1 < at {
			return 0, 0
		}
	}
	return 0, 0
}

// ending are verbs of those who leave a post, or whom others hold it beside.
var ending = token.Keys(`succeed replace leave resign retire quit fire dismiss oust report advise meet join tell ask thank`)
