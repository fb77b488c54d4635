package llm

import (
	"math"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

// features of a candidate for a question, each within [0,1].
type features [featureCount]float64

const (
	fCover        = iota // share of the question's weight that the sentence repeats
	fCoverContext        // what the sentences beside it add
	fCoverTitle          // what heading and title add
	fNames               // share of the question's names and numbers in sentence, heading or title
	fPairs               // share of the question's neighbouring words that are near each other here
	fNear                // how close together the question's words stand
	fRelative            // cover as a share of the best cover of any candidate
	fType                // holds the kind of thing that is asked for
	fTypeCover           // the same, times cover
	fDefines             // reads as a definition of the question's words
	fRank                // of its passage
	fOpens               // stands at the beginning of its document
	fShort               // few words
	fLong                // many words
	fLeans               // needs the sentence before it
	fRow                 // a table row
	fItem                // a list item
	fDensity             // share of its own words that the question has
	fPassage             // share of the question's weight in the whole passage
	featureCount
)

// weights of the features; the last is the bias.
var weights = [featureCount + 1]float64{
	fCover: 3.0, fCoverContext: 1.0, fCoverTitle: 1.2, fNames: 1.0, fPairs: 1.0, fNear: 0.6, fRelative: 1.5,
	fType: 0.6, fTypeCover: 1.5, fDefines: 1.5, fRank: 0.8, fOpens: 0.8, fShort: -1.2, fLong: -0.8, fLeans: -0.5,
	fRow: -0.6, fItem: -0.3, fDensity: 0.5, fPassage: 0.8, featureCount: -5,
}

func (f features) score() float64 {
	s := weights[featureCount]
	for i, v := range f {
		s += weights[i] * v
	}
	return 1 / (1 + math.Exp(-s))
}

// weigh sets the weight of each term by its rarity among the candidates and the passages.
func weigh(q *question, all []candidate) {
	n := float64(len(all))
	for i := range q.terms {
		t := &q.terms[i]
		df := 0.0
		for _, c := range all {
			if c.roots[t.stem] {
				df++
			}
		}
		t.weight = math.Log(1 + (n-df+0.5)/(df+0.5))
		// A word that no passage has tells nothing of which sentence is best, but does tell how much is answered.
		if df == 0 {
			t.weight = math.Log(1 + n + 0.5)
		}
		t.weight = 0.5 + t.weight
		if t.name {
			t.weight *= 1.3
		}
		if t.scope {
			t.weight *= 0.4
		}
	}
}

// rate scores every candidate.
func rate(q *question, passages []ibid.Passage, all []candidate) {
	weigh(q, all)
	total := 0.0
	for _, t := range q.terms {
		total += t.weight
	}
	if total == 0 {
		return
	}
	titles := make([]map[string]bool, len(passages))
	whole := make([]float64, len(passages))
	for i, p := range passages {
		head := strings.Join(p.Chunk.Heading, " ") + " " + p.Source.Title()
		titles[i] = rootsOf(readWords(head))
		in := rootsOf(readWords(p.Chunk.Text))
		for _, t := range q.terms {
			if in[t.stem] || titles[i][t.stem] {
				whole[i] += t.weight / total
			}
		}
	}
	best := 0.0
	for i := range all {
		c := &all[i]
		c.features = featuresOf(q, total, c, titles[c.passage])
		c.features[fPassage] = whole[c.passage]
		c.features[fRank] = 1 / math.Sqrt(float64(c.passage+1))
		if passages[c.passage].Chunk.Ordinal == 0 {
			c.features[fOpens] = 1 / float64(1+c.place)
		}
		best = max(best, c.features[fCover])
	}
	for i := range all {
		c := &all[i]
		if best > 0 {
			c.features[fRelative] = c.features[fCover] / best
		}
		c.score = c.features.score()
	}
}

func featuresOf(q *question, total float64, c *candidate, title map[string]bool) features {
	var f features
	names := 0.0
	for _, t := range q.terms {
		share := t.weight / total
		switch {
		case c.roots[t.stem]:
			f[fCover] += share
		case title[t.stem]:
			f[fCoverTitle] += share
		case c.before[t.stem]:
			f[fCoverContext] += share
		case c.after[t.stem]:
			f[fCoverContext] += share / 2
		}
		if t.name && (c.roots[t.stem] || title[t.stem] || c.leans && c.before[t.stem]) {
			names++
		}
	}
	if q.names > 0 {
		f[fNames] = names / float64(q.names)
	}
	f[fPairs], f[fNear] = nearness(q, c)
	if holds(q, c) {
		f[fType] = 1
		f[fTypeCover] = f[fCover] + f[fCoverTitle]
	}
	if q.want == wantDefinition || q.want == wantAny {
		f[fDefines] = defines(q, c)
	}
	n := float64(len(c.words))
	f[fShort] = max(0, 1-n/8)
	f[fLong] = min(1, max(0, (n-35)/40))
	if c.leans {
		f[fLeans] = 1
	}
	f[fRow] = truth(c.kind == ibid.TableRow)
	f[fItem] = truth(c.kind == ibid.ListItem)
	f[fDensity] = density(q, c)
	return f
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// nearness gives the share of the question's neighbouring words that stand within three words of each other, and how
// tightly all of its words that occur stand together.
func nearness(q *question, c *candidate) (pairs, near float64) {
	at := make([]int, len(q.terms))
	for i := range at {
		at[i] = -1
	}
	found, first, last := 0, -1, 0
	close := map[[2]int]bool{}
	for pos, w := range c.words {
		for i, t := range q.terms {
			if t.stem != w.root {
				continue
			}
			if at[i] < 0 {
				found++
				if first < 0 {
					first = pos
				}
				last = pos
			}
			at[i] = pos
			for _, p := range q.pairs {
				other := -1
				if p[0] == i {
					other = p[1]
				} else if p[1] == i {
					other = p[0]
				}
				if other >= 0 && at[other] >= 0 && pos-at[other] <= 3 {
					close[p] = true
				}
			}
		}
	}
	if len(q.pairs) > 0 {
		distinct := map[[2]int]bool{}
		for _, p := range q.pairs {
			distinct[p] = true
		}
		pairs = float64(len(close)) / float64(len(distinct))
	}
	if found > 1 {
		near = float64(found) / float64(last-first+1)
		near *= float64(found) / float64(len(q.terms))
	}
	return pairs, near
}

func density(q *question, c *candidate) float64 {
	own, hit := 0, 0
	for _, w := range c.words {
		if stopWords[w.lower] {
			continue
		}
		own++
		for _, t := range q.terms {
			if t.stem == w.root {
				hit++
				break
			}
		}
	}
	if own == 0 {
		return 0
	}
	return float64(hit) / float64(own)
}

// defines reports how much the sentence reads as saying what the question's words are: they stand before "is a",
// "means", "refers to", or after "called".
func defines(q *question, c *candidate) float64 {
	best := 0.0
	for i, w := range c.words {
		if i > 12 {
			break
		}
		next := ""
		if i+1 < len(c.words) {
			next = c.words[i+1].lower
		}
		copula := (w.lower == "is" || w.lower == "are" || w.lower == "was" || w.lower == "were") &&
			(next == "a" || next == "an" || next == "the" || next == "any" || next == "one")
		verb := w.lower == "means" || w.lower == "denotes" || w.lower == "describes" || w.lower == "called" ||
			(w.lower == "refers" || w.lower == "referred") && next == "to" || w.lower == "defined" || w.lower == "known" && next == "as"
		if !copula && !verb {
			continue
		}
		hit, n := 0.0, 0.0
		for _, t := range q.terms {
			n += t.weight
			for _, v := range c.words[:i] {
				if v.root == t.stem {
					hit += t.weight
					break
				}
			}
		}
		if n > 0 {
			best = max(best, hit/n)
		}
	}
	return best
}

// holds reports whether the sentence holds the kind of thing that the question asks for, other than what the question
// itself says.
func holds(q *question, c *candidate) bool {
	asked := map[string]bool{}
	for _, t := range q.terms {
		asked[t.stem] = true
	}
	for i, w := range c.words {
		if asked[w.root] {
			continue
		}
		prev, next := "", ""
		if i > 0 {
			prev = c.words[i-1].lower
		}
		if i+1 < len(c.words) {
			next = c.words[i+1].lower
		}
		if is(q.want, w, prev, next, i) {
			return true
		}
	}
	return false
}

func is(kind want, w word, prev, next string, i int) bool {
	switch kind {
	case wantTime:
		return isYear(w.lower) || months[w.lower] && w.lower != "may" || timeWords[w.lower] || w.lower == "may" && (hasDigit(prev) || hasDigit(next))
	case wantNumber:
		return isNumber(w.lower) || numberWords[w.lower] && w.lower != "one"
	case wantDuration:
		return (isNumber(w.lower) || numberWords[w.lower] || w.lower == "a" || w.lower == "an" || w.lower == "several" || w.lower == "few") && durationWords[next] ||
			w.lower == "until" || w.lower == "since"
	case wantPerson:
		return isCapital(w.text) && i > 0 && !months[w.lower] && !isStop(w) || i == 0 && isCapital(w.text) && !isStop(w) && !connectives[w.lower]
	case wantPlace:
		return placePrepositions[prev] && isCapital(w.text) && !months[w.lower] || placeWords[w.lower]
	case wantReason:
		return reasonWords[w.lower]
	case wantMethod:
		return methodWords[w.lower]
	}
	return false
}

func isStop(w word) bool { return stopWords[w.lower] || pronouns[w.lower] }

func isYear(s string) bool {
	s = strings.TrimSuffix(s, "s")
	return len(s) == 4 && isNumber(s) && (s[0] == '1' || s[0] == '2')
}

func isNumber(s string) bool {
	if s == "" {
		return false
	}
	for _, r := range s {
		if !unicode.IsDigit(r) && r != ',' && r != '.' {
			return false
		}
	}
	return true
}
