package attribute

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/claim"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// finding puts a verdict into the form of the record: origin, sources, spans and reasons.
//
// Reasons begin in lower case, have no full stop, and name what was seen, not what it means for the world.
func (t *turn) finding(v verdict) ibid.Finding {
	s := ibid.Segment{At: v.draft.At, Kind: v.draft.Kind, Claimed: v.draft.Claimed, Support: v.support, Origin: ibid.LLM}
	cited := t.cited(v)
	missing := t.missingSpans(v)
	switch {
	case !v.claim:
		s.Origin, s.Confidence = ibid.NONE, 0.9
		if claim.Empty(v.noClaim) && !claim.Speaks(v.seg.text, v.seg.tokens) {
			s.Support = max(s.Support, emptySupport)
		}
		s.Reasons = append(s.Reasons, v.noClaim)
	case v.support >= 0.5:
		s.Origin, s.Confidence = ibid.RAG, v.support
	case v.found && !v.lacking && len(cited) > 0 && (v.ev.value[fHardUnion] >= hybridCover || v.support >= hybridSupport) && v.shared() >= 2:
		s.Origin, s.Confidence = ibid.HYBRID, 1-v.support
	default:
		s.Confidence = 1 - v.support
		cited = nil
	}
	if s.Origin != ibid.NONE {
		s.Contradicted = v.conflict
		if v.support < doubtful {
			s.Unsupported = missing
		}
		if s.Origin == ibid.LLM {
			s.Unsupported = []ibid.Span{trimmed(v.draft)}
			if s.Unsupported[0].Empty() {
				s.Unsupported = nil
			}
		}
		s.Reasons = append(s.Reasons, t.reasons(v, cited)...)
	}
	f := ibid.Finding{Segment: s}
	if s.Origin == ibid.NONE {
		cited = nil
	}
	for _, a := range cited {
		f.Segment.Refs = appendOnce(f.Segment.Refs, t.passages[a.passage].Rank)
		f.Attributions = append(f.Attributions, t.attribution(v, a))
	}
	f.Segment.Reasons = append(f.Segment.Reasons, checkClaimed(f.Segment)...)
	f.Segment.Reasons = append(f.Segment.Reasons, t.checkNamed(f.Segment, v.draft.Text)...)
	f.Segment.Reasons = append(f.Segment.Reasons, t.checkLinks(v.draft.Text)...)
	f.Segment.Reasons = append(f.Segment.Reasons, t.checkPointers(v.draft.Text)...)
	if v.seg.cut && s.Origin != ibid.NONE {
		f.Segment.Reasons = append(f.Segment.Reasons, fmt.Sprintf("only its first %d words that count were compared", maxWords))
	}
	if v.seg.odd {
		f.Segment.Reasons = append(f.Segment.Reasons, "holds invisible or look-alike characters, which match nothing")
	}
	return f
}

// emptySupport is the least support of a sentence in which nothing could lack any: whoever leaves out what lacks support need not
// lose the courtesies with it.
const emptySupport = 0.6

// hybridCover is the share of a segment's weight that must stand in sources for the segment to be part source, part model.
// Where fewer do, hybridSupport is the support from which the nearest source is worth a look.
const (
	hybridCover   = 0.25
	hybridSupport = 0.3
)

// doubtful is the support below which the words that no source has are named, in segments that rest on a source too. It was
// chosen on wice_tokens and summedits, judged by models that had not seen them.
const doubtful = 0.7

// shared counts the content words that one place of a source has as they are: a word here and another there is no part of a
// statement.
func (v verdict) shared() int {
	here, there := 0, 0
	for i := range v.seg.content {
		if exactly(&v.ev.best, i) >= 0.5 {
			here++
		}
		if len(v.ev.second.via) > 0 && exactly(&v.ev.second, i) >= 0.5 {
			there++
		}
	}
	return max(here, there)
}

func appendOnce(list []int, n int) []int {
	if slices.Contains(list, n) {
		return list
	}
	return append(list, n)
}

// trimmed is the place of a draft without white space around it.
func trimmed(d ibid.Draft) ibid.Span {
	left := len(d.Text) - len(strings.TrimLeft(d.Text, " \t\r\n"))
	right := len(d.Text) - len(strings.TrimRight(d.Text, " \t\r\n"))
	if left == len(d.Text) {
		return ibid.Span{Start: d.At.Start, End: d.At.Start}
	}
	return ibid.Span{Start: d.At.Start + left, End: d.At.Start + len(d.Text) - right}
}

// cited are the windows that support the segment, the best first: the best of all, the best of every passage that says
// the same, and the one that completes what the first leaves out. Equals of the best are always among them: which of them
// comes first is chance. The sentence of a cited source that denies something of it is among them too.
func (t *turn) cited(v verdict) []alignment {
	if !v.found {
		return nil
	}
	best := v.ev.shown[0]
	out := []alignment{best}
	cites := func(passage int) bool {
		return slices.ContainsFunc(out, func(a alignment) bool { return a.passage == passage })
	}
	for _, a := range v.ev.shown[1:] {
		if a.fit >= best.fit || a.strict >= 0.3 && a.fit >= best.fit-0.2 || a.strict >= 0.8 && a.cover >= best.cover-0.05 {
			out = append(out, a)
		}
	}
	if c := v.ev.rest; len(c.pos) > 0 && !slices.ContainsFunc(out, func(a alignment) bool { return a.overlaps(c.window) }) {
		out = append(out, c)
	}
	if d := v.ev.denying; len(d.pos) > 0 && cites(d.passage) && !slices.ContainsFunc(out, func(a alignment) bool { return a.holds(d.window) }) {
		out = slices.Insert(out, 1, d)
	}
	if claimed := v.draft.Claimed; claimed != nil {
		for _, a := range v.ev.shown[1:] {
			of := slices.Contains(claimed.Refs, t.passages[a.passage].Rank)
			if of && !cites(a.passage) && v.seg.gain(&best, &a) >= worthClaimed {
				out = append(out, a)
			}
		}
	}
	return out
}

// worthCiting is the share of a segment's weight that a further sentence must add to be cited for it, worthClaimed that of
// one whose source the writer cites: it need only say its clause.
const (
	worthCiting  = 0.25
	worthClaimed = 0.1
)

func (t *turn) attribution(v verdict, a alignment) ibid.Attribution {
	out := ibid.Attribution{
		Of: v.draft.At, To: t.anchor(a.passage, t.span(a.window)), Ref: t.passages[a.passage].Rank,
		Score: a.cover, Confidence: v.support, Method: "words", Trust: ibid.Judged,
	}
	if v.judged != nil {
		out.Method = "judge"
	}
	if a.passage == v.ev.best.passage && v.ev.value[fLetters] == 1 {
		out.Method, out.Trust = "quote", ibid.Quoted
	}
	for _, c := range v.draft.Cites {
		if c.To.Document == out.To.Document && (c.To.Span.Overlaps(out.To.Span)) && v.support >= 0.5 {
			out.Trust = ibid.Provided
		}
	}
	at := slices.Clone(a.pos)
	slices.Sort(at)
	last := int32(-1)
	for _, p := range at {
		if p >= 0 && p != last {
			w := t.tokens[p]
			out.Words = append(out.Words, t.anchor(a.passage, ibid.Span{Start: int(w.start), End: int(w.end)}).Span)
			last = p
		}
	}
	return out
}

// missingSpans are the words of the segment that neither of the two best windows has, neighbours joined.
func (t *turn) missingSpans(v verdict) []ibid.Span {
	if !v.found {
		return []ibid.Span{trimmed(v.draft)}
	}
	var out []ibid.Span
	lastToken := -2
	for i, c := range v.seg.content {
		denied := slices.ContainsFunc(v.conflict, func(x ibid.Contradiction) bool {
			return x.Of.Overlaps(v.seg.tokens[c].At.Shift(v.draft.At.Start))
		})
		if v.has(i) && !denied {
			continue
		}
		at := joinedWord(v.seg.text, v.seg.tokens[c].At).Shift(v.draft.At.Start)
		if n := len(out); n > 0 && (joined(v.seg, lastToken, c) || at.Start <= out[n-1].End) {
			out[n-1].End = max(out[n-1].End, at.End)
		} else {
			out = append(out, at)
		}
		lastToken = c
	}
	return out
}

// joinedWord widens a span to all that is joined with it: 8–1, Mon–Fri, $144, 5km. Scripts without spaces join nothing.
func joinedWord(text string, at ibid.Span) ibid.Span {
	letter := func(r rune) bool { return (token.WordRune(r) || token.Signs[r] != "") && !token.Spaceless(r) }
	for at.Start > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:at.Start])
		if before, _ := utf8.DecodeLastRuneInString(text[:at.Start-n]); !letter(r) && !(strings.ContainsRune(joints, r) && letter(before)) {
			break
		}
		at.Start -= n
	}
	for at.End < len(text) {
		r, n := utf8.DecodeRuneInString(text[at.End:])
		if after, _ := utf8.DecodeRuneInString(text[at.End+n:]); !letter(r) && !(strings.ContainsRune(joints, r) && letter(after)) {
			break
		}
		at.End += n
	}
	return at
}

// joints join two words where no space stands beside them.
const joints = "-–‑/:.,'’_@&"

// A word that the judge read is supported from wordEnough on, where its opinion counts sayWeight and the word's own match
// the rest. The first was chosen on answers of our own and sets with marked words (train/LOG.md), the second on wice_tokens, judged by a model that had not seen it.
const (
	wordEnough = 0.55
	sayWeight  = 0.9
)

// has reports whether a source has the i-th content word: by the words of the two best windows, and where a judge read
// them, by what it says of the word beside that. The same amount in other units is there, whatever a judge says: judges do
// not reckon.
func (v *verdict) has(i int) bool {
	if v.ev.best.via[i] == measured && v.ev.best.strength[i] == 1 {
		return true
	}
	if v.ev.agrees(v.seg.tokens[v.seg.content[i]].At) {
		return true
	}
	if slices.Contains(v.ev.unsaid, v.seg.content[i]) {
		return false
	}
	match := v.ev.best.strength[i]
	if len(v.ev.second.strength) > 0 {
		match = max(match, v.ev.second.strength[i])
	}
	if v.said == nil {
		return match >= 0.5
	}
	return sayWeight*v.said[i]+(1-sayWeight)*match >= wordEnough
}

// saidOf gives for each content word the least support of a judge's words that it touches; a word that the judge left out
// counts as supported. Both are in the order of the text.
func (s *segment) saidOf(words []ibid.WordSupport) []float64 {
	if len(words) == 0 {
		return nil
	}
	out := make([]float64, len(s.content))
	first := 0
	for i, c := range s.content {
		at := s.tokens[c].At
		for first < len(words) && words[first].At.End <= at.Start {
			first++
		}
		out[i] = 1
		for _, w := range words[first:] {
			if w.At.Start >= at.End {
				break
			}
			out[i] = min(out[i], w.Support)
		}
	}
	return out
}

// joined reports whether only function words stand between two tokens.
func joined(s *segment, a, b int) bool {
	for k := a + 1; k < b; k++ {
		if s.tokens[k].Content() {
			return false
		}
	}
	return b-a <= 5
}

func (t *turn) reasons(v verdict, cited []alignment) []string {
	if !v.found {
		return []string{"no source has any of its words"}
	}
	if v.lacking {
		return []string{v.conflict[0].Reason}
	}
	var out []string
	x := &v.ev.value
	if len(cited) > 0 {
		switch {
		case x[fOther] == 1:
			out = append(out, fmt.Sprintf("its words stand in passage %d, %s", t.passages[v.ev.best.passage].Rank, v.ev.other))
		case x[fTorn] == 1:
			out = append(out, fmt.Sprintf("its words stand in passage %d, within a longer sentence", t.passages[v.ev.best.passage].Rank))
		case x[fAgreed] == 1 && x[fConflict] == 0:
			out = append(out, fmt.Sprintf("what it says is what passage %d gives, value by value", t.passages[v.ev.best.passage].Rank))
		case x[fLetters] == 1:
			out = append(out, fmt.Sprintf("stands word for word in passage %d", t.passages[v.ev.best.passage].Rank))
		default:
			first, share := cited[0].passage, x[fStrict]
			if first != v.ev.best.passage { // the reason is of what is cited
				share = cited[0].strict
			}
			out = append(out, fmt.Sprintf("%.0f %% of its weight of words stands in passage %d", 100*share, t.passages[first].Rank))
		}
	} else {
		out = append(out, fmt.Sprintf("the nearest passage has %.0f %% of its weight of words", 100*x[fStrict]))
	}
	if said := inWhich(v.seg.tongue, t.tongues[v.ev.best.passage], t.passages[v.ev.best.passage].Rank); said != "" {
		out = append(out, said)
	}
	if v.tooLong {
		out = append(out, "too long for a second opinion: words alone decide")
	}
	if j := v.judged; j != nil {
		switch {
		case j.Supported >= 0.5:
			out = append(out, "a second opinion finds it supported")
		case j.Supported >= max(j.Unsupported, j.Contradicted):
			out = append(out, "a second opinion is not sure")
		default:
			out = append(out, "a second opinion finds it not supported")
		}
		if why := x.favoured(); why != "" && j.Supported < 0.5 && v.support >= 0.5 {
			out = append(out, why+" counts in its favour")
		}
	}
	for _, c := range v.conflict {
		if !slices.Contains(out, c.Reason) { // one negation may deny several words
			out = append(out, c.Reason)
		}
	}
	for _, k := range v.ev.unsaid {
		at := v.seg.whole(k)
		if !slices.ContainsFunc(v.conflict, func(c ibid.Contradiction) bool { return c.Of.Overlaps(at.Shift(v.draft.At.Start)) }) {
			out = append(out, fmt.Sprintf("no source has %q, nor numbers from which it follows", at.In(v.seg.text)))
		}
	}
	for _, k := range v.ev.misdated {
		out = append(out, fmt.Sprintf("the source says %q of something else", v.seg.whole(k).In(v.seg.text)))
	}
	if words := t.missingWords(v); v.support < doubtful && len(words) > 0 {
		out = append(out, "no support for: "+strings.Join(words, ", "))
	}
	if x[fOrder] > 0.4 && x[fStrict] > 0.8 && v.support < 0.5 {
		out = append(out, "the source has the words in another order")
	}
	return out
}

// favoured names what speaks for a segment beside a judge whatever is said of it.
func (v *vector) favoured() string {
	switch {
	case v[fResearch] >= 0.5:
		return "that the source reads like research"
	case v[fShort] > 0:
		return "that the source is short"
	}
	return ""
}

// words are those of the statement at a place of the answer.
func (v *verdict) words(at ibid.Span) string {
	return strings.Join(strings.Fields(at.Shift(-v.draft.At.Start).In(v.seg.text)), " ")
}

// missingWords names the heaviest words without support, at most four, in the order of the text.
func (t *turn) missingWords(v verdict) []string {
	var out []string
	for _, at := range t.missingSpans(v) {
		if len(out) == 4 {
			break
		}
		out = append(out, fmt.Sprintf("%q", token.Clip(v.words(at), 60)))
	}
	return out
}

// checkClaimed compares what the answer's markers say with what was found.
func checkClaimed(s ibid.Segment) []string {
	if s.Claimed == nil {
		return nil
	}
	var out []string
	c := s.Claimed
	switch {
	case s.Origin == ibid.NONE:
	case (c.Origin == ibid.RAG || c.Origin == "" && len(c.Refs) > 0) && s.Origin != ibid.RAG:
		out = append(out, "claimed RAG, found "+map[ibid.Origin]string{ibid.LLM: "unsupported", ibid.HYBRID: "partly supported"}[s.Origin])
	case c.Origin == ibid.LLM && s.Origin == ibid.RAG:
		out = append(out, "claimed LLM, found in the sources")
	case c.Origin == ibid.RAG && len(c.Refs)+len(c.Dangling) > 0 && !slices.ContainsFunc(c.Refs, func(r int) bool { return slices.Contains(s.Refs, r) }):
		out = append(out, "claimed RAG, found in another source than the one it cites")
	case c.Origin != "" && c.Origin == s.Origin:
		out = append(out, "claimed "+string(c.Origin)+", and the check holds")
	}
	for _, r := range c.Refs {
		if s.Origin != ibid.NONE && !slices.Contains(s.Refs, r) {
			out = append(out, fmt.Sprintf("cites source %d, which was not found to support it", r))
		}
	}
	for _, r := range c.Dangling {
		out = append(out, fmt.Sprintf("cites source %d, which does not exist", r))
	}
	return out
}

// checkNamed compares the passages that a sentence rests on in words with what was found: "According to passage 2, …", "Passage 2
// warns that …".
func (t *turn) checkNamed(s ibid.Segment, text string) []string {
	if s.Origin == ibid.NONE || s.Origin == ibid.LLM || !strings.Contains(text, "assage") {
		return nil
	}
	var out []string
	for _, m := range namedPassages.FindAllStringSubmatch(text, -1) {
		for _, n := range wholeNumbers.FindAllString(m[1]+m[2], -1) {
			rank, err := strconv.Atoi(n)
			if err != nil || rank < 1 || rank > len(t.passages) || slices.Contains(s.Refs, rank) {
				continue
			}
			if reason := fmt.Sprintf("names passage %d, which was not found to support it", rank); !slices.Contains(out, reason) {
				out = append(out, reason)
			}
		}
	}
	return out
}

var (
	namedPassages = func() *regexp.Regexp {
		const passages = `(passage\s+#?\d{1,3}|passages\s+#?\d{1,3}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)#?\d{1,3})*)\b`
		tells := strings.ReplaceAll(` `+sayings+`\b`, " ", `\s+`)
		return regexp.MustCompile(`(?i)\b(?:(?:according to|based on|^\s*in|as (?:stated|mentioned|noted|described) in)\s+` + passages + `|` + passages + tells + `)`)
	}()
	wholeNumbers = regexp.MustCompile(`\d+`)
)
