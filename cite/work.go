package cite

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/pageurl"
)

// identity is what a record says about which work it is, in one spelling.
type identity struct {
	doi, arxiv, isbn, pmid, pmcid, url string
	name                               string // of a source that is none of these: a file's

	title  string   // folded: letters and digits, single spaces
	names  []string // folded family names
	given  string   // of the first author, folded
	year   int
	volume string
	page   string // the first
	kind   string
}

func identify(r ibid.Reference) identity {
	id := identity{title: fold(stripTags(r.Title())), year: r.Year(), volume: fold(r.Text["volume"]), kind: r.Type}
	id.page, _, _ = strings.Cut(strings.TrimSpace(r.Text["page"]), "-")
	id.page = fold(id.page)
	for _, n := range r.Names["author"] {
		if f := fold(cmp.Or(n.Family, n.Literal)); f != "" {
			if id.names = append(id.names, f); len(id.names) == 1 {
				id.given = fold(n.Given)
			}
		}
	}
	if n := id.names; len(n) > 1 && (n[len(n)-1] == "others" || n[len(n)-1] == "et al") {
		id.names = n[:len(n)-1]
	}
	for _, s := range []string{r.DOI(), r.URL(), r.Text["archive_location"], r.Text["number"]} {
		id.take(s)
	}
	if u := strings.TrimSpace(r.URL()); u != "" && !isWeb(u) {
		id.name = u
	}
	if isbn, err := ParseISBN(firstWord(r.Text["ISBN"])); err == nil {
		id.isbn = isbn
	}
	if s, err := ParsePMID(r.Text["PMID"]); err == nil {
		id.pmid = s
	}
	if s, err := ParsePMCID(r.Text["PMCID"]); err == nil {
		id.pmcid = s
	}
	return id
}

// take reads an identifier of whatever kind.
func (id *identity) take(s string) {
	if s = strings.TrimSpace(s); s == "" {
		return
	}
	if a, err := ParseArXiv(s); err == nil {
		id.arxiv = cmp.Or(id.arxiv, a.ID)
		return
	}
	if d, err := ParseDOI(s); err == nil {
		id.doi = cmp.Or(id.doi, withoutVersion(d))
		return
	}
	if !isWeb(s) {
		return
	}
	if p, err := ParsePMID(s); err == nil {
		id.pmid = p
	} else if p, err := ParsePMCID(s); err == nil {
		id.pmcid = p
	} else if d := FindDOI(s); d != "" {
		id.doi = cmp.Or(id.doi, withoutVersion(d))
	}
	id.url = cmp.Or(id.url, NormalURL(s))
}

var versionOfDOI = []*regexp.Regexp{
	regexp.MustCompile(`^(10\.1101/.+?)v[0-9]+(?:\.full.*)?$`),       // bioRxiv, medRxiv
	regexp.MustCompile(`^(10\.12688/[a-z]+\.[0-9]+)\.[0-9]+$`),       // F1000 and its kin
	regexp.MustCompile(`^(10\.21203/.+)/v[0-9]+$`),                   // Research Square
	regexp.MustCompile(`^(10\.20944/.+)\.v[0-9]+$`),                  // Preprints
	regexp.MustCompile(`^(10\.26434/.+?)[.-]v[0-9]+$`),               // ChemRxiv
	regexp.MustCompile(`^(10\.6084/m9\.figshare\.[0-9]+)\.v[0-9]+$`), // figshare
	regexp.MustCompile(`^(10\.31234/osf\.io/[a-z0-9]+)_v[0-9]+$`),    // PsyArXiv
	regexp.MustCompile(`^(10\.31219/osf\.io/[a-z0-9]+)_v[0-9]+$`),    // OSF
	regexp.MustCompile(`^(10\.5281/zenodo\.[0-9]+)\.v?[0-9]+$`),      // Zenodo
}

// withoutVersion takes off the part of a preprint's DOI that names its version.
func withoutVersion(doi string) string {
	for _, v := range versionOfDOI {
		if m := v.FindStringSubmatch(doi); m != nil {
			return m[1]
		}
	}
	return doi
}

// Names reports whether a name is that of a source: its id, its address in whichever spelling, its file's name or its DOI.
func Names(name string, s ibid.Source) bool {
	web := strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
	switch {
	case name == "":
		return false
	case string(s.ID) == name || s.URI == name || s.Name() == name, web && NormalURL(s.URI) == NormalURL(name):
		return true
	}
	a, err := ParseDOI(name)
	b, other := ParseDOI(s.Reference.DOI())
	return err == nil && other == nil && a == b
}

// NormalURL gives one spelling for the many of one address: without scheme, "www.", port, fragment, tracking, a
// trailing slash or the name of an index page; parameters in order. What is no address of the web is given in lower case.
func NormalURL(s string) string {
	return cmp.Or(pageurl.Plain(s), strings.ToLower(strings.TrimSpace(s)))
}

// fold keeps letters and digits, in lower case and without marks, in words with one space between.
func fold(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(unicode.ToLower(r))
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		default:
			gap = true
		}
	}
	return b.String()
}

var markup = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)

func stripTags(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	return markup.ReplaceAllString(s, "")
}

func firstWord(s string) string {
	if _, err := ParseISBN(s); err == nil {
		return s
	}
	return strings.TrimRight(first(strings.Fields(s)), ",;")
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// Match says whether two records are one work, and why or why not.
type Match struct {
	Same bool
	Why  string
}

// Same compares two records. Identifiers decide where both have one of a kind; else title, names and year within a
// tolerance, unless something speaks against it.
func Same(a, b ibid.Reference) Match { return same(identify(a), identify(b)) }

func same(a, b identity) Match {
	for _, id := range []struct{ name, a, b string }{
		{"DOI", a.doi, b.doi}, {"arXiv id", a.arxiv, b.arxiv}, {"PMID", a.pmid, b.pmid}, {"PMCID", a.pmcid, b.pmcid},
	} {
		if id.a != "" && id.a == id.b {
			return Match{true, "same " + id.name + " " + id.a}
		}
	}
	if why := conflict(a, b); why != "" {
		return Match{false, why}
	}
	likeness := titleLikeness(a.title, b.title)
	if a.isbn != "" && a.isbn == b.isbn && (likeness >= 0.8 || a.title == "" || b.title == "") {
		return Match{true, "same ISBN " + a.isbn}
	}
	if a.url != "" && a.url == b.url {
		return Match{true, "same address " + a.url}
	}
	if a.name != "" && a.name == b.name {
		return Match{true, "same source " + clip(a.name)}
	}
	return sameWords(a, b, likeness)
}

// conflict says what makes it certain that two records are two works.
func conflict(a, b identity) string {
	for _, id := range []struct{ name, a, b string }{{"DOIs", a.doi, b.doi}, {"arXiv ids", a.arxiv, b.arxiv}, {"PMIDs", a.pmid, b.pmid}} {
		if id.a != "" && id.b != "" && id.a != id.b && !(id.name == "DOIs" && isShortDOI(id.a) != isShortDOI(id.b)) {
			return "two " + id.name + ": " + id.a + " and " + id.b
		}
	}
	return ""
}

// isShortDOI: a short DOI and a full one may be the same; only a look-up could tell.
func isShortDOI(d string) bool { return strings.HasPrefix(d, "10/") }

// What a title must be like to speak for itself, and how far years may be apart: online in December, in print in
// January.
const (
	likeEnough    = 0.9
	longTitle     = 20 // letters
	yearsApart    = 1
	namesInCommon = 0.5
)

func sameWords(a, b identity, likeness float64) Match {
	switch {
	case a.title == "" || b.title == "":
		return Match{false, "no title to compare"}
	case likeness < likeEnough:
		return Match{false, fmt.Sprintf("titles differ (%.2f alike)", likeness)}
	case otherEdition(a.title, b.title):
		return Match{false, "titles differ in a number or in what kind of text it is"}
	case a.year != 0 && b.year != 0 && abs(a.year-b.year) > yearsApart:
		return Match{false, fmt.Sprintf("years %d and %d", a.year, b.year)}
	case a.volume != "" && b.volume != "" && a.volume != b.volume:
		return Match{false, "volumes " + a.volume + " and " + b.volume}
	case a.page != "" && b.page != "" && a.page != b.page && a.volume == b.volume:
		return Match{false, "pages " + a.page + " and " + b.page}
	}
	short := min(len(a.title), len(b.title)) < longTitle
	if len(a.names) > 0 && len(b.names) > 0 {
		if common := namesLikeness(a.names, b.names); common < namesInCommon {
			return Match{false, fmt.Sprintf("names differ (%.2f alike)", common)}
		}
		if short && (a.year == 0 || b.year == 0) {
			return Match{false, "a short title and no year"}
		}
		if short && otherInitial(a, b) { // a long title may have a slip in a name
			return Match{false, "a short title, and first authors of other initials"}
		}
		return Match{true, fmt.Sprintf("same title (%.2f alike), names and year", likeness)}
	}
	// Without names a title alone must carry it: pages of two addresses are two pages.
	switch {
	case a.url != "" && b.url != "":
		return Match{false, "two addresses, and no names to compare"}
	case short || min(strings.Count(a.title, " "), strings.Count(b.title, " ")) < 3:
		return Match{false, "a short title, and no names to compare"}
	}
	return Match{true, fmt.Sprintf("same title (%.2f alike), nothing speaks against it", likeness)}
}

func abs(n int) int { return max(n, -n) }

// titleLikeness is 1 for the same title. A title and the same one with its subtitle are alike too.
func titleLikeness(a, b string) float64 {
	if a == b {
		return 1
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if strings.Count(a, " ") >= 3 && strings.HasPrefix(b, a+" ") && len(a) >= longTitle {
		return 0.95
	}
	// Words without the spaces: "co operate" and "cooperate".
	return likeness(strings.ReplaceAll(a, " ", ""), strings.ReplaceAll(b, " ", ""))
}

// likeness is 1 minus the share of letters to change, for texts of bounded length.
func likeness(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	if len(x) > 400 {
		x = x[:400]
	}
	if len(y) > 400 {
		y = y[:400]
	}
	longest := max(len(x), len(y))
	if longest == 0 {
		return 1
	}
	if float64(min(len(x), len(y)))/float64(longest) < 0.7 {
		return 0
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return 1 - float64(row[len(y)])/float64(longest)
}

// kindWords tell a text from another text about it.
var kindWords = strings.Fields(`erratum errata corrigendum corrigenda correction corrections retraction retracted reply response comment comments commentary rejoinder
	addendum supplement supplementary preface editorial abstract withdrawn expression concern not non no without part volume update updated second third fourth fifth phase`)

// otherEdition reports whether titles differ in a number or in a word that makes it another text.
func otherEdition(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if rest, ok := strings.CutPrefix(b, a+" "); ok { // a subtitle, unless it begins like "part 2" or "reply"
		w, _, _ := strings.Cut(rest, " ")
		return slices.Contains(kindWords, w) || strings.ContainsFunc(w, unicode.IsDigit) || isRoman(w)
	}
	if !slices.Equal(numbers.FindAllString(a, -1), numbers.FindAllString(b, -1)) {
		return true
	}
	x, y := strings.Fields(a), strings.Fields(b)
	onlyA, onlyB := without(x, y), without(y, x)
	return tells(onlyA, onlyB) || tells(onlyB, onlyA) || replaced(x, y)
}

// replaced reports whether words stand in the place of other words, as "children" for "adults", and not of the same ones
// misspelt. It looks at what lies between the words that both titles begin and end with.
func replaced(a, b []string) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	x, y := strings.Join(a, ""), strings.Join(b, "")
	like := likeness(x, y)
	wrong := (1 - like) * float64(max(len(x), len(y))) // letters; two are a slip of the hand
	return x != "" && y != "" && like < 0.7 && wrong > 2.5
}

var numbers = regexp.MustCompile(`[0-9]+`)

// tells reports whether a word makes another text of it, and is not one of the other title's words misspelt.
func tells(words, others []string) bool {
	for _, w := range words {
		if isRoman(w) || slices.Contains(kindWords, w) && !slices.ContainsFunc(others, func(o string) bool { return likeness(w, o) > 0.7 && !slices.Contains(kindWords, o) }) {
			return true
		}
	}
	return false
}

func without(a, b []string) []string {
	count := map[string]int{}
	for _, w := range b {
		count[w]++
	}
	var out []string
	for _, w := range a {
		if count[w]--; count[w] < 0 {
			out = append(out, w)
		}
	}
	return out
}

func isRoman(w string) bool {
	return len(w) > 1 && strings.Trim(w, "ivx") == "" || w == "i" || w == "v"
}

// namesLikeness is the share of the shorter list that stands in the longer, the first name counting most: lists are cut
// at the end, and a first author is rarely forgotten. Of lists that are as long as each other it is the smaller share.
func namesLikeness(a, b []string) float64 {
	switch {
	case len(a) < len(b):
		return namesFound(a, b)
	case len(a) > len(b):
		return namesFound(b, a)
	}
	return min(namesFound(a, b), namesFound(b, a))
}

// namesFound is the share of one list that stands in the other.
func namesFound(a, b []string) float64 {
	found := 0
	for _, n := range a[:min(len(a), 50)] {
		if slices.ContainsFunc(b[:min(len(b), 200)], func(m string) bool { return sameFamily(n, m) }) {
			found++
		}
	}
	share := float64(found) / float64(min(len(a), 50))
	if !slices.ContainsFunc(b[:min(len(b), 3)], func(m string) bool { return sameFamily(a[0], m) }) {
		share /= 2
	}
	return share
}

func otherInitial(a, b identity) bool {
	x, _ := utf8.DecodeRuneInString(a.given)
	y, _ := utf8.DecodeRuneInString(b.given)
	return a.given != "" && b.given != "" && x != y && sameFamily(a.names[0], b.names[0])
}

func sameFamily(a, b string) bool {
	if a == b {
		return true
	}
	x, y := strings.ReplaceAll(a, " ", ""), strings.ReplaceAll(b, " ", "")
	return x == y || len(x) > 4 && len(y) > 4 && (likeness(x, y) >= 0.8 || strings.HasSuffix(x, y) || strings.HasSuffix(y, x))
}
