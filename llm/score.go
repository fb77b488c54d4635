package llm

import (
	"maps"
	"math"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// features of a candidate for a question, each within [0,1].
type features [featureCount]float64

const (
	fCover        = iota // share of the question's weight that the sentence repeats
	fCoverContext        // what the sentence before it adds
	fCoverLean           // what the sentence before it adds, where this one leans on it
	fCoverTitle          // what heading and title add
	fNames               // share of the question's names and numbers in sentence, heading or title
	fNear                // how close together the question's words stand
	fRelative            // resolved cover as a share of the best of any candidate
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
	fAside               // begins by sending the reader elsewhere: "learn", "visit"
	fTalk                // somebody's own voice: "I think"
	fPlain               // share of the question's words that are no names
	fStrange             // speaks of none of the question's names
	featureCount
)

// weights of the features and, last, the bias. They are learned by TestLearn.
var weights = [featureCount + 1]float64{
	fCover: 2.30, fCoverContext: 2.89, fCoverLean: 1.72, fCoverTitle: 0.97, fNames: 0.52, fNear: 1.05,
	fRelative: 0.81, fType: 1.67, fTypeCover: 2.02, fDefines: 1.50, fRank: 2.44, fOpens: 1.85, fShort: -1.38,
	fLong: 0.30, fLeans: -0.47, fRow: -1.38, fItem: -1.00, fAside: -1.57, fTalk: -0.88, fPlain: 2.50,
	fStrange: -1.27, featureCount: -6,
}

// odds are the log-odds that a sentence with these features answers the question.
func (f features) odds() float64 {
	s := weights[featureCount]
	for i, v := range f {
		s += weights[i] * v
	}
	return s
}

// How much a library must say of a question before it is held to be answered: weights of what the best sentence and its
// like cover, of what no passage so much as mentions, of the best sentence's odds, and the bias. They are learned by
// TestLearn from questions with and without the documents that answer them. The level lies below even, as a sentence that
// misses the point is seen at once, and an answer that was held back is not.
const (
	answerCover  = 3.63
	answerAbsent = -4.17
	answerOdds   = 0.72
	answerNames  = -1.17
	answerBias   = -1.89
	answerLevel  = -0.3
)

// answered reports whether the passages hold an answer. The candidates are in order, best first.
func answered(q *question, passages []ibid.Passage, all []candidate) bool {
	if len(all) == 0 {
		return false
	}
	if otherKind(q, passages, all) {
		return false
	}
	cover, absent, strange := grounds(q, passages, all)
	return answerCover*cover+answerAbsent*absent+answerNames*strange+answerOdds*all[0].odds+answerBias >= answerLevel
}

// grounds gives the share of the question that the best candidates cover, the share that stands nowhere, and the share of
// its names that the best sentence does not speak of.
func grounds(q *question, passages []ibid.Passage, all []candidate) (cover, absent, strange float64) {
	if q.names > 0 {
		strange = 1 - all[0].features[fNames]
	}
	for _, c := range all[:min(2, len(all))] {
		cover = max(cover, c.features.resolved()+0.5*c.features[fCoverContext])
	}
	roots := anywhere(passages, all)
	total := 0.0
	for _, t := range q.terms {
		total += t.weight
		absent += (1 - t.in(roots)) * t.weight
	}
	return cover, absent / max(total, 1e-9), strange
}

// anywhere is all words of the candidates, headings and titles.
func anywhere(passages []ibid.Passage, all []candidate) map[string]bool {
	roots := map[string]bool{}
	for _, c := range all {
		maps.Copy(roots, c.roots)
	}
	for _, p := range passages {
		maps.Copy(roots, titleOf(p))
	}
	return roots
}

// otherKind reports whether the best sentence speaks of another kind of what is asked for: of paid leave, where days of sick leave
// are asked for and no passage has the word. It is asked of single facts only, as another kind may well tell why and how.
func otherKind(q *question, passages []ibid.Passage, all []candidate) bool {
	switch q.want {
	case wantNumber, wantDuration, wantTime, wantPlace, wantPerson:
	default:
		return false
	}
	var roots map[string]bool
	best := all[0]
	for i, t := range q.terms {
		if !t.close || t.name || i == 0 || q.terms[i-1].name || q.terms[i-1].scope {
			continue
		}
		if roots == nil {
			roots = anywhere(passages, all)
		}
		if q.terms[i-1].in(roots) > 0 {
			continue
		}
		for k, w := range best.words {
			if k > 0 && w.near && w.root == t.stem && kind(q, best.words[k-1]) {
				return true
			}
		}
	}
	return false
}

// kind reports whether a word may say of what kind the next one is.
func kind(q *question, w word) bool {
	return !stopWords[w.lower] && !hasDigit(w.text) && !q.has[w.root]
}

// titleOf is the words of a passage's headings and of its source's title.
func titleOf(p ibid.Passage) map[string]bool { return rootsOf(titleWords(p)) }

func titleWords(p ibid.Passage) []word {
	return readWords(strings.Join(p.Chunk.Heading, " ")+" "+p.Source.Title(), nil)
}

// weigh sets the weight of each term by its rarity among the candidates. Titles are the words of the passages' headings and titles.
func weigh(q *question, all []candidate, titles []word) {
	titled := rootsOf(titles)
	n := float64(len(all))
	for i := range q.terms {
		t := &q.terms[i]
		df, capital, plain := occurrences(t.stem, all)
		if near := ""; df == 0 && !titled[t.stem] {
			if near = misspelt(t, all, titles); near != "" && !q.has[near] {
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
		switch {
		case t.scope:
			t.weight *= 0.4
		case commonWords[t.stem] && !t.name:
			t.weight *= 0.7
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

// misspelt finds a word of the passages of which a term that none of them has may be a slip, and gives its root; "" where there is
// none.
func misspelt(t *term, all []candidate, titles []word) string {
	best := ""
	look := func(words []word) {
		for _, w := range words {
			if (text.Misspelt(t.word, w.lower) || text.Misspelt(t.stem, w.root)) && (best == "" || w.root < best) {
				best = w.root
			}
		}
	}
	for _, c := range all {
		look(c.words)
	}
	look(titles)
	return best
}

// rate scores every candidate.
func rate(q *question, passages []ibid.Passage, all []candidate) {
	titles, anywhere := make([]map[string]bool, len(passages)), []word(nil)
	for i, p := range passages {
		words := titleWords(p)
		titles[i] = rootsOf(words)
		anywhere = append(anywhere, words...)
	}
	weigh(q, all, anywhere)
	total := 0.0
	for _, t := range q.terms {
		total += t.weight
	}
	if total == 0 {
		return
	}
	best := 0.0
	for i := range all {
		c := &all[i]
		c.features = featuresOf(q, total, c, titles[c.passage])
		c.features[fRank] = 1 / math.Sqrt(float64(c.passage+1))
		if passages[c.passage].Chunk.Ordinal == 0 {
			c.features[fOpens] = 1 / float64(1+c.place)
		}
		best = max(best, c.features.resolved())
	}
	for i := range all {
		c := &all[i]
		if best > 0 {
			c.features[fRelative] = c.features.resolved() / best
		}
		c.odds = c.features.odds()
	}
}

// resolved is the cover with what heading, title and the sentence leaned on say.
func (f features) resolved() float64 { return f[fCover] + 0.8*f[fCoverLean] + 0.8*f[fCoverTitle] }

func featuresOf(q *question, total float64, c *candidate, title map[string]bool) features {
	var f features
	names, plain, open := 0.0, 0.0, 0.0
	for _, t := range q.terms {
		share := t.weight / total
		here := t.in(c.roots)
		f[fCover] += here * share
		switch rest := (1 - here) * share; {
		case rest == 0:
		case title[t.stem]:
			f[fCoverTitle] += rest
		case c.before[t.stem]:
			f[fCoverContext] += rest
			if c.leans {
				f[fCoverLean] += rest
			}
		}
		if !t.name {
			open += t.weight
			plain += here * t.weight
		}
		if t.name && (c.roots[t.stem] || title[t.stem] || c.leans && c.before[t.stem]) {
			names++
		}
	}
	f[fPlain] = 1
	if open > 0 {
		f[fPlain] = plain / open
	}
	f[fAside], f[fTalk] = truth(asideVerbs[c.words[0].lower]), truth(talk(c))
	if q.names > 0 {
		f[fNames] = names / float64(q.names)
		f[fStrange] = truth(names == 0)
	}
	f[fNear] = nearness(q, c)
	f[fType] = fits(q, c)
	f[fTypeCover] = f[fType] * (f[fCover] + f[fCoverTitle])
	if q.want == wantDefinition || q.want == wantAny {
		f[fDefines] = defines(q, c)
	}
	n := float64(len(c.words))
	f[fLong] = min(1, max(0, (n-35)/40))
	f[fRow] = truth(c.kind == ibid.TableRow)
	if c.kind != ibid.TableRow { // a row is short, and leans on the head of its table
		f[fShort] = max(0, 1-n/8)
		f[fLeans] = truth(c.leans)
	}
	f[fItem] = truth(c.kind == ibid.ListItem)
	return f
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// nearness says how tightly the question's words that occur stand together, and how many they are.
func nearness(q *question, c *candidate) float64 {
	seen := make([]bool, len(q.terms))
	found, first, last := 0, 0, 0
	for pos, w := range c.words {
		for i, t := range q.terms {
			if seen[i] || !t.is(w.root) {
				continue
			}
			seen[i] = true
			if found == 0 {
				first = pos
			}
			found++
			last = pos
		}
	}
	if found < 2 {
		return 0
	}
	share := float64(found) / float64(len(q.terms))
	return min(1, float64(found)/float64(last-first+1)) * share
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
