package attribute

import (
	"fmt"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// distances finds a statement that the source calls a myth, or tells only as what others say, and that the segment tells as a
// fact. What was said in so many words is still not what the source says.
func (c *comparison) distances() {
	if c.mine.distant() || c.mine.negates() {
		return
	}
	for l := range c.lines() {
		for i := l.start; i < l.end; i++ {
			from, to := l.distance(i)
			if to == 0 {
				continue
			}
			first, share := c.behind(to, l.clauseEnd(to))
			if share < mostBehind || !c.begins(to, l) {
				continue
			}
			c.add("distance", first, first+1, from, to, fmt.Sprintf("the source takes distance: %s", c.source(from, to)))
			return
		}
	}
}

// mostBehind is the share of a segment's weight that must stand behind words which take distance, in the same sentence.
const mostBehind = 0.6

// clauseEnd finds the next comma behind the word at i, or the end.
func (l line) clauseEnd(i int) int {
	for i++; i < l.end && !l.at(i).Kind.Has(token.Comma); i++ {
	}
	return min(i, l.end)
}

// begins reports whether the segment has the first word that counts behind a place of the source: what the distance is taken from.
func (c *comparison) begins(at int, l line) bool {
	for ; at < l.end; at++ {
		if l.at(at).Content() {
			return c.used[at]
		}
	}
	return false
}

// behind finds the first content word of the segment whose place is in [from, to), and the share of the weight that stands there.
func (c *comparison) behind(from, to int) (first int, share float64) {
	first = -1
	got := 0.0
	for i, k := range c.s.content {
		if p := int(c.a.pos[i]); p >= from && p < to {
			got += c.s.weight[i] * c.a.strength[i]
			if first < 0 {
				first = k
			}
		}
	}
	if first < 0 || c.s.total == 0 {
		return first, 0
	}
	return first, got / c.s.total
}

// distance reads the words at i by which a source says that what follows is not so, or not its own word: a myth that, wrongly
// claim, some people believe, supposedly. to is 0 where there are none.
func (l line) distance(i int) (from, to int) {
	word := strings.ToLower(l.text(i))
	switch {
	case untold[word] && i == l.start && i+1 < l.end && l.at(i+1).Kind.Has(token.Comma): // Myth: …
		return i, i + 1
	case untold[word]:
		for k := i + 1; k < min(l.end, i+4); k++ {
			if l.at(k).Key == "that" {
				return i, k + 1
			}
		}
	case believed[word] && l.key(i+1) == "that" && l.refutes(i+2):
		return i, i + 2
	case allegedly[word]:
		return i, i + 1
	case wrongly[word] && i+1 < l.end && claiming[l.at(i+1).Key]:
		return i, i + 2
	case word == "true" && i+1 < l.end && l.at(i+1).Key == "that" && l.denied(i) >= 0:
		return l.denied(i), i + 2
	case claiming[l.at(i).Key]:
		for k := i - 1; k >= max(l.start, i-4) && !l.at(k+1).Kind.Has(token.Comma); k-- {
			who := strings.ToLower(l.text(k))
			if vaguely[who] || who == "many" && l.at(k+1).Key == person {
				return k, i + 1
			}
		}
	}
	return 0, 0
}

// refutes reports whether the line calls something wrong from the word at i on.
func (l line) refutes(i int) bool {
	for ; i < l.end; i++ {
		if refuted[strings.ToLower(l.text(i))] {
			return true
		}
	}
	return false
}

// distancedBefore reports whether the line takes distance before the word at n.
func (l line) distancedBefore(n int) bool {
	for i := l.start; i < n; i++ {
		if _, to := l.distance(i); to > 0 && to <= n {
			return true
		}
	}
	return false
}

// distant reports whether the line takes distance itself, or says whose word it is.
func (l line) distant() bool {
	for i := l.start; i < l.end; i++ {
		if word := strings.ToLower(l.text(i)); untold[word] || allegedly[word] || wrongly[word] || refuted[word] || claiming[l.at(i).Key] || reported[l.at(i).Key] {
			return true
		}
	}
	return false
}

// negates reports whether the line has a negation.
func (l line) negates() bool {
	return l.any(func(i int) bool { return l.at(i).Kind.Has(token.Negation) })
}

var (
	// untold are words before a "that" whose content the writer does not vouch for.
	untold    = token.Words(`myth fiction misconception fallacy hoax rumor rumors rumour rumours rumored rumoured alleged alleges alleging allegation allegations accusation accusations false untrue`)
	allegedly = token.Words(`allegedly supposedly purportedly`)
	wrongly   = token.Words(`wrongly falsely mistakenly erroneously incorrectly`)
	// believed are words for what somebody holds, and refuted those that say that it is wrong.
	believed = token.Words(`claim claims belief idea notion theory assertion assumption suggestion view`)
	refuted  = token.Words(`false wrong untrue unfounded baseless debunked disproved disproven refuted discredited myth mistaken incorrect reject rejects rejected dismiss dismisses dismissed`)
	// vaguely are those who say what nobody answers for, and how often it is said.
	vaguely = token.Words(`some critics opponents conspiracy commonly popularly often sometimes`)

	claiming = token.Keys(`claim believe think insist argue assert say suspect`)
	// reported are further words by which an answer says that it tells what others say, or that it is not sure.
	reported = token.Keys(`according report state suggest theory legend doubt contrary wrong credit consider critic might may could myth accuse deny dispute`)
	person   = token.Key("people")
)
