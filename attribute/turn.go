package attribute

import (
	"hash/fnv"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
	"github.com/ibid-dev/ibid/internal/listing"
)

// turn is what all segments of one answer share: the passages cut into sentences and words, and for every word the
// sentences that hold it. It is built once and not changed by a search.
type turn struct {
	passages   []ibid.Passage        // with what is compared as their text
	data       map[int]listing.Lines // of those that are data
	lines      map[int]listing.Lines // of those, and of prose with records within
	tongues    []*token.Tongue       // the language of each passage
	tongue     *token.Tongue         // the language of most of them
	firsts     []int                 // first sentence of each passage, and the number of sentences at the end
	sentences  []sentence
	tokens     []word32
	terms      []term
	words      token.Vocabulary // that were read of passages and segments
	byKey      map[string]int32
	prefixes   map[string]int32 // the last content term with these first letters, which leads to the others, for spelling variants
	aliases    map[string][]string
	special    []int32          // by the numbers of more general words, 1 + the last of specials that is one of them, 0 for none
	specials   []special        // terms for which more general words may stand
	titles     [][]int32        // terms of each passage's title and headings
	odd        []bool           // passages that hide characters
	prints     []uint64         // hash of each passage's title and sentences: orders equals as a sentence's does
	short      float64          // how short all passages together are, from 0
	research   float64          // how much the only passage reads like research, up to 1
	operations int              // postings and words visited; counted for the law of growth
	tables     map[int]*table   // of passages that were asked for
	fields     map[int]fieldSet // of passages that are data and were asked for
	numbers    []float64        // of all passages, where they were asked for
	sourceDays *sourceDays      // where they were asked for
}

// sentence is one sentence of a passage.
type sentence struct {
	passage    int
	at         ibid.Span  // within the passage's text
	start, end int        // its tokens
	kinds      token.Kind // of all of its tokens
	hash       uint64     // of its text: orders equals without looking at names or places
}

// word32 is a token of a source, made small: sources may be long.
type word32 struct {
	start, end int32 // within the passage's text
	term       int32
	kind       token.Kind
}

// term is a normal form that occurs in the turn's passages.
type term struct {
	key       string
	num       float64
	kind      token.Kind // of its first token: whether it is a number does not depend on the place, what else it is may
	weight    float32
	countable bool     // an amount may be read where it stands
	long      []string // what it is short for, where a source says so
	alike     int32    // the term before it with the same first letters, -1 for none
	postings  []int32  // sentences, ascending, each once
	heads     []int32  // the postings a search visits where there are too many
}

// special is a term for which a more general word may stand.
type special struct {
	term int32
	next int32 // 1 + another one for which that word may stand, 0 for none
}

// maxPostings bounds what one word of a segment can cost. Longer lists are cut to the sentences that come first by a hash
// of their text: a choice that does not depend on the order of the sources.
const maxPostings = 256

func newTurn(passages []ibid.Passage) *turn {
	t := &turn{passages: passages, prefixes: map[string]int32{}, aliases: map[string][]string{}, special: make([]int32, len(known().numbers)), tables: map[int]*table{}}
	for p := range passages {
		lines, data := listing.Read(passages[p].Chunk.Text)
		ok := data
		if !data {
			lines, data, ok = records(passages[p].Chunk.Text)
		}
		if !ok {
			continue
		}
		if t.lines == nil {
			t.data, t.lines, t.passages = map[int]listing.Lines{}, map[int]listing.Lines{}, slices.Clone(passages)
		}
		if t.lines[p], t.passages[p].Chunk.Text = lines, lines.Text; data {
			t.data[p] = lines
		}
	}
	passages = t.passages
	t.hear()
	size := 0
	for p := range passages {
		size += len(passages[p].Chunk.Text)
	}
	t.makeRoom(size)
	var buf []token.Token
	for p := range passages {
		text, g := passages[p].Chunk.Text, t.tongues[p]
		t.firsts = append(t.firsts, len(t.sentences))
		odd := false
		whole := fnv.New64a()
		whole.Write([]byte(t.title(p)))
		for _, at := range token.Sentences(text) {
			var hidden bool
			buf, hidden = g.ScanBy(t.words, at.In(text), at.Start, buf[:0])
			odd = odd || hidden
			if len(buf) == 0 || len(buf) == 1 && buf[0].Kind.Has(token.Number) {
				continue // the number of a list item or a page says nothing
			}
			t.findAliases(text, buf)
			h := fnv.New64a()
			h.Write([]byte(at.In(text)))
			s := sentence{passage: p, at: at, start: len(t.tokens), hash: h.Sum64()}
			for _, tok := range buf {
				id := t.intern(tok)
				s.kinds |= tok.Kind
				t.tokens = append(t.tokens, word32{int32(tok.At.Start), int32(tok.At.End), id, tok.Kind})
				if n := len(t.terms[id].postings); n == 0 || t.terms[id].postings[n-1] != int32(len(t.sentences)) {
					t.terms[id].postings = append(t.terms[id].postings, int32(len(t.sentences)))
				}
			}
			s.end = len(t.tokens)
			whole.Write(h.Sum(nil))
			t.sentences = append(t.sentences, s)
		}
		t.odd = append(t.odd, odd)
		t.prints = append(t.prints, whole.Sum64())
	}
	t.firsts = append(t.firsts, len(t.sentences))
	t.short, t.research = shortness(size), t.studied(size)
	for p := range passages {
		t.titles = append(t.titles, t.titleTerms(p))
	}
	for short, long := range t.aliases {
		if id, ok := t.byKey[short]; ok {
			t.terms[id].long = long
		}
	}
	for i := range t.terms {
		t.terms[i].heads = t.heads(t.terms[i].postings)
	}
	return t
}

// records are read where a text is not surely in another language than English, whose yes and no are not known.
func records(text string) (lines listing.Lines, data, ok bool) {
	if lines, data, ok = listing.Records(text); ok {
		if g, sure := token.TongueOf(text); sure && g != token.English {
			return listing.Lines{}, false, false
		}
	}
	return lines, data, ok
}

// makeRoom lets the index grow without being moved too often: of words a text has about one for six bytes, and half as many terms while it is short.
func (t *turn) makeRoom(size int) {
	terms := min(size/12, 4096)
	t.tokens, t.terms = make([]word32, 0, min(size/6, 1<<16)), make([]term, 0, terms)
	t.words, t.byKey = make(token.Vocabulary, terms), make(map[string]int32, terms)
}

// hear tells which language each passage is in, and which most of their text.
func (t *turn) hear() {
	sizes := map[*token.Tongue]int{}
	for p := range t.passages {
		if g, sure := token.TongueOf(t.passages[p].Chunk.Text); sure {
			sizes[g] += len(t.passages[p].Chunk.Text)
		}
	}
	for _, g := range token.Tongues() { // in an order that is not that of the sources
		if sizes[g] > sizes[t.tongue] {
			t.tongue = g
		}
	}
	for p := range t.passages {
		g := t.tongueOf(t.passages[p].Chunk.Text)
		if lines, data := t.data[p]; data && !lines.Record && g != token.English && !lines.Told(func(s string) bool { _, sure := token.TongueOf(s); return sure }) {
			g = token.English // the signs of two units are no small words of another language
		}
		t.tongues = append(t.tongues, g)
	}
}

// tongueOf tells which language a text is in. In doubt it is that of the passages.
func (t *turn) tongueOf(s string) *token.Tongue {
	g, sure := token.TongueOf(s)
	if sure || g != nil && g != t.tongue && g.Knows(token.Clip(s, 300)) {
		return g
	}
	return t.tongue
}

// shortness tells how far sources of so many bytes fall short of those in which words are found by chance: 0 from 1,200
// bytes on, and at most what 300 have, which are a sentence or two.
func shortness(size int) float64 {
	return math.Log(page / min(page, max(300, float64(size))))
}

// page is how many bytes of sources are read as a page, not as evidence that was picked out.
const page = 1200.0

func (t *turn) intern(tok token.Token) int32 {
	if id, ok := t.byKey[tok.Key]; ok {
		return id
	}
	id := int32(len(t.terms))
	t.byKey[tok.Key] = id
	t.terms = append(t.terms, term{key: tok.Key, num: tok.Num, kind: tok.Kind, weight: float32(weigh(tok)), alike: -1, countable: tok.Kind&(token.Number|token.Ordinal) != 0 || token.Parts[tok.Key] > 0})
	if !tok.Content() {
		return id
	}
	if p := prefix(tok.Key); p != "" {
		if before, ok := t.prefixes[p]; ok {
			t.terms[id].alike = before
		}
		t.prefixes[p] = id
	}
	for _, n := range known().general[tok.Key] {
		t.specials = append(t.specials, special{id, t.special[n]})
		t.special[n] = int32(len(t.specials))
	}
	return id
}

// begin gives the content terms whose first letters are these.
func (t *turn) begin(prefix string) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		id, ok := t.prefixes[prefix]
		for ; ok && id >= 0 && yield(id); id = t.terms[id].alike {
		}
	}
}

// prefix groups words that may be spelt or derived alike.
func prefix(key string) string {
	if len(key) < 4 || key[0] == '#' {
		return ""
	}
	n := 0
	for i := range key {
		if n == 4 {
			return key[:i]
		}
		n++
	}
	return key
}

func (t *turn) heads(postings []int32) []int32 {
	if len(postings) <= maxPostings {
		return postings
	}
	cut := slices.Clone(postings)
	slices.SortFunc(cut, t.byText)
	cut = cut[:maxPostings]
	slices.Sort(cut)
	return cut
}

// titleTerms are the words that stand over a passage: they say what its pronouns are about.
func (t *turn) titleTerms(passage int) []int32 {
	p := t.passages[passage]
	over := p.Source.Reference.Title()
	if len(p.Chunk.Heading) > 0 {
		over += ". " + strings.Join(p.Chunk.Heading, ". ")
	}
	if over == "" {
		return nil
	}
	toks, _ := t.tongues[passage].ScanBy(t.words, token.Clip(over, 300), 0, nil)
	var ids []int32
	for _, tok := range toks {
		if tok.Content() {
			ids = append(ids, t.intern(tok))
		}
	}
	return ids
}

// holds reports whether any sentence in [from, to) has the term.
func (t *turn) holds(id int32, from, to int) bool {
	p := t.terms[id].postings
	i, _ := slices.BinarySearch(p, int32(from))
	t.operations++
	return i < len(p) && p[i] < int32(to)
}

// findAliases reads short forms where they are defined: World Health Organization (WHO).
func (t *turn) findAliases(text string, ts []token.Token) {
	for i := range ts {
		n := ts[i].At.Len()
		if n < 2 || n > 8 || !ts[i].Kind.Has(token.Capital) || ts[i].At.Start == 0 || text[ts[i].At.Start-1] != '(' || ts[i].At.End >= len(text) || text[ts[i].At.End] != ')' {
			continue
		}
		if long := initials(ts[:i], strings.ToLower(ts[i].At.In(text)), text); long != nil {
			t.aliases[ts[i].Key] = long
		}
	}
}

// initials finds the words just before whose first letters spell the short form.
func initials(before []token.Token, short, text string) []string {
	var long []string
	j := len(before) - 1
	for k := len(short) - 1; k >= 0; k-- {
		skipped := 0
		for j >= 0 && lowerByte(text[before[j].At.Start]) != short[k] {
			if !before[j].Kind.Has(token.Stop) || skipped > 1 {
				return nil
			}
			j--
			skipped++
		}
		if j < 0 {
			return nil
		}
		if before[j].Content() {
			long = append(long, before[j].Key)
		}
		j--
	}
	return long
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
