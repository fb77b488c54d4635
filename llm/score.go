package llm

import (
	"math"
	"strings"

	"github.com/ibid-dev/ibid"
)

// features of a candidate for a question, each within [0,1].
type features [featureCount]float64

const (
	fCover        = iota // share of the question's weight that the sentence repeats
	fCoverContext        // what the sentences beside it add
	fCoverLean           // what the sentence before it adds, where this one leans on it
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
	fFocus               // share of what the title does not say already
	fAside               // speaks to the reader of the page: "click here", "see also"
	fTalk                // somebody's own voice: "I think"
	featureCount
)

// weights of the features; the last is the bias.
var weights = [featureCount + 1]float64{
	fCover: 2.6, fCoverContext: 1.6, fCoverLean: 1.5, fCoverTitle: 1.7, fNames: 1.1, fPairs: 0.3, fNear: 0.6, fRelative: 1.6,
	fType: 1.2, fTypeCover: 1.8, fDefines: 1.2, fRank: 1.4, fOpens: 1.2, fShort: -1.4, fLong: 0.3, fLeans: -0.55, fRow: -0.8,
	fItem: -0.8, fDensity: 0.1, fPassage: 0.5, fFocus: 0.8, fAside: -1.5, fTalk: -0.6, featureCount: -6,
}

// odds are the log-odds that a sentence with these features answers the question.
func (f features) odds() float64 {
	s := weights[featureCount]
	for i, v := range f {
		s += weights[i] * v
	}
	return s
}

// weigh sets the weight of each term by its rarity among the candidates.
func weigh(q *question, all []candidate) {
	n := float64(len(all))
	for i := range q.terms {
		t := &q.terms[i]
		df, capital, plain := occurrences(t.stem, all)
		if near := ""; df == 0 {
			if near = misspelt(t.stem, all); near != "" && !q.has[near] {
				delete(q.has, t.stem)
				q.has[near] = true
				t.stem = near
				df, capital, plain = occurrences(near, all)
			}
		}
		// Many people write questions without capitals; the documents know which words are names.
		if !t.name && capital > 3*plain {
			t.name = true
			q.names++
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

// occurrences counts the candidates that have a word, and how often it is written as a name and how often not. The first
// word of a sentence tells nothing.
func occurrences(stem string, all []candidate) (df, capital, plain float64) {
	for _, c := range all {
		if !c.roots[stem] {
			continue
		}
		df++
		for i, w := range c.words {
			switch {
			case w.root != stem || i == 0:
			case isCapital(w.text):
				capital++
			default:
				plain++
			}
		}
	}
	return df, capital, plain
}

// misspelt finds a word of the passages that differs by one letter from a word that none of them has, "" where there is
// none.
func misspelt(stem string, all []candidate) string {
	best := ""
	if len(stem) < 6 || hasDigit(stem) {
		return best
	}
	for _, c := range all {
		for r := range c.roots {
			if r[0] == stem[0] && oneEdit(stem, r) && (best == "" || r < best) {
				best = r
			}
		}
	}
	return best
}

// oneEdit reports whether a letter more, a letter less, another letter or two letters swapped turn a into b.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) != len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
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
		c.odds = c.features.odds()
		c.score = 1 / (1 + math.Exp(-c.odds))
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
			if c.leans {
				f[fCoverLean] += share
			}
		case c.after[t.stem]:
			f[fCoverContext] += share / 2
		}
		if t.name && (c.roots[t.stem] || title[t.stem] || c.leans && c.before[t.stem]) {
			names++
		}
	}
	f[fFocus] = focus(q, c, title)
	f[fAside], f[fTalk] = truth(aside(c)), truth(talk(c))
	if q.names > 0 {
		f[fNames] = names / float64(q.names)
	}
	f[fPairs], f[fNear] = nearness(q, c)
	f[fType] = fits(q, c)
	f[fTypeCover] = f[fType] * (f[fCover] + f[fCoverTitle])
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
			side := c.words[:i]
			if w.lower == "defined" || w.lower == "defines" || w.lower == "called" {
				side = c.words[:min(len(c.words), i+4)]
			}
			for _, v := range side {
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

// focus is the share of the question's words that the title leaves open and the sentence has.
func focus(q *question, c *candidate, title map[string]bool) float64 {
	open, hit := 0.0, 0.0
	for _, t := range q.terms {
		if title[t.stem] {
			continue
		}
		open += t.weight
		if c.roots[t.stem] {
			hit += t.weight
		}
	}
	if open == 0 {
		return 1
	}
	return hit / open
}

// aside reports whether the sentence speaks to the reader of a page and not of its subject.
func aside(c *candidate) bool {
	if len(c.words) == 0 {
		return false
	}
	if asideVerbs[c.words[0].lower] {
		return true
	}
	// "For the book, see ..." points elsewhere.
	if c.words[0].lower == "for" && strings.Contains(c.text, ", see ") {
		return true
	}
	lower := strings.ToLower(c.text)
	for _, s := range asides {
		if strings.Contains(lower, s) {
			return true
		}
	}
	return false
}

// talk reports whether the sentence is somebody's own voice.
func talk(c *candidate) bool {
	for _, w := range c.words {
		switch w.lower {
		case "i", "i'm", "i've", "i’m", "i’ve", "my", "me":
			return true
		}
	}
	return false
}
