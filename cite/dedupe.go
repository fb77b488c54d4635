package cite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

// Copy is a record as it was found, with the place in the work that it points to.
type Copy struct {
	Reference ibid.Reference `json:"reference"`
	Location  string         `json:"location,omitempty"`
}

// Work is what records of the same work were merged to. Merging can be undone, as two records that look alike may not
// be one.
type Work struct {
	Reference ibid.Reference `json:"reference"`           // with the fuller fields
	Locations []string       `json:"locations,omitempty"` // of all copies, each once
	Copies    []Copy         `json:"copies"`              // as they were
	Reasons   []Reason       `json:"reasons,omitempty"`
}

// Reason says why a copy was taken for the same work as an earlier one. The numbers count the work's copies from 0.
type Reason struct {
	Copy int    `json:"copy"`
	With int    `json:"with"`
	Why  string `json:"why"`
}

// Undo gives the copies as they were before merging.
func (w Work) Undo() []Copy { return slices.Clone(w.Copies) }

// Split takes one copy out: the work without it, and the copy as a work of its own. The error names a copy that is not
// there and wraps ibid.ErrInvalid.
func (w Work) Split(copy int) (rest, alone Work, err error) {
	if copy < 0 || copy >= len(w.Copies) {
		return w, Work{}, fmt.Errorf("copy %d of %d: %w", copy, len(w.Copies), ibid.ErrInvalid)
	}
	var reasons []Reason
	for _, r := range w.Reasons {
		if r.Copy == copy || r.With == copy {
			continue
		}
		if r.Copy > copy {
			r.Copy--
		}
		if r.With > copy {
			r.With--
		}
		reasons = append(reasons, r)
	}
	alone = merge([]Copy{w.Copies[copy]}, nil)
	if len(w.Copies) == 1 {
		return Work{}, alone, nil
	}
	return merge(slices.Delete(slices.Clone(w.Copies), copy, copy+1), reasons), alone, nil
}

// Explain says in words how the work came about.
func (w Work) Explain() string {
	if len(w.Copies) < 2 {
		return "one record"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d records", len(w.Copies))
	for _, r := range w.Reasons {
		fmt.Fprintf(&b, "; %s and %s: %s", w.Copies[r.With].Reference.ID, w.Copies[r.Copy].Reference.ID, r.Why)
	}
	return b.String()
}

// References wraps records that point to no place in particular.
func References(refs []ibid.Reference) []Copy {
	out := make([]Copy, len(refs))
	for i, r := range refs {
		out[i].Reference = r
	}
	return out
}

// Deduplicate gathers the records of the same work, in the order of their first records. Records are compared where
// they share an identifier, an address or words of their title, so that time grows with their number and not its square.
func Deduplicate(copies []Copy) []Work {
	ids := make([]identity, len(copies))
	blocks := map[string][]int{}
	group := make([]int, len(copies)) // the index of the group's first copy
	members := map[int][]int{}
	reasons := map[int][]Reason{} // by the copy's index in the input, until groups are known
	for i, c := range copies {
		ids[i] = identify(c.Reference)
		group[i] = i
		members[i] = []int{i}
		keys := blockKeys(ids[i])
		for _, j := range candidates(blocks, keys) {
			if group[j] == group[i] {
				continue
			}
			m := same(ids[i], ids[j])
			if !m.Same || clash(ids, members[group[i]], members[group[j]]) {
				continue
			}
			reasons[i] = append(reasons[i], Reason{Copy: i, With: j, Why: m.Why})
			join(group, members, i, j)
		}
		for _, k := range keys {
			blocks[k] = append(blocks[k], i)
		}
	}
	var out []Work
	for i := range copies {
		if group[i] != i {
			continue
		}
		at := map[int]int{}
		var mine []Copy
		var why []Reason
		sort.Ints(members[i])
		for n, j := range members[i] {
			at[j] = n
			mine = append(mine, copies[j])
			for _, r := range reasons[j] {
				why = append(why, Reason{Copy: at[r.Copy], With: at[r.With], Why: r.Why})
			}
		}
		out = append(out, merge(mine, why))
	}
	return out
}

// clash reports whether two groups hold records that are certainly two works: a third that resembles both must not
// bridge them.
func clash(ids []identity, a, b []int) bool {
	for _, i := range a[:min(len(a), 50)] {
		for _, j := range b[:min(len(b), 50)] {
			if conflict(ids[i], ids[j]) != "" && !same(ids[i], ids[j]).Same {
				return true
			}
		}
	}
	return false
}

// join puts two groups under the earlier first copy.
func join(group []int, members map[int][]int, i, j int) {
	a, b := group[i], group[j]
	if a > b {
		a, b = b, a
	}
	for _, m := range members[b] {
		group[m] = a
	}
	members[a] = append(members[a], members[b]...)
	delete(members, b)
}

// mostCandidates bounds the records that one is compared with for each key.
const mostCandidates = 40

func candidates(blocks map[string][]int, keys []string) []int {
	var out []int
	for _, k := range keys {
		block := blocks[k]
		for _, j := range block[max(0, len(block)-mostCandidates):] {
			if !slices.Contains(out, j) {
				out = append(out, j)
			}
		}
	}
	sort.Ints(out)
	return out
}

// blockKeys are what two records of the same work have in common, one at least, also with a few letters wrong.
func blockKeys(id identity) []string {
	var keys []string
	add := func(kind, value string) {
		if value != "" {
			keys = append(keys, kind+value)
		}
	}
	add("doi ", id.doi)
	add("arxiv ", id.arxiv)
	add("isbn ", id.isbn)
	add("pmid ", id.pmid)
	add("pmcid ", id.pmcid)
	add("url ", id.url)
	add("name ", id.name)
	words := strings.Fields(id.title)
	if len(words) == 0 {
		return keys
	}
	add("first ", strings.Join(words[:min(len(words), 3)], ""))
	add("last ", strings.Join(words[max(0, len(words)-3):], ""))
	long := slices.Clone(words)
	slices.SortStableFunc(long, func(a, b string) int { return len(b) - len(a) })
	long = long[:min(len(long), 3)]
	for i := range long {
		add("words ", long[i])
	}
	if len(id.names) > 0 {
		add("author ", id.names[0]+" "+strconv.Itoa(id.year))
	}
	return keys
}

// merge keeps what is fuller of each field, beginning with the first record.
func merge(copies []Copy, reasons []Reason) Work {
	w := Work{Reference: copies[0].Reference.Clone(), Copies: copies, Reasons: reasons}
	for i, c := range copies {
		if l := strings.TrimSpace(c.Location); l != "" && !slices.Contains(w.Locations, l) {
			w.Locations = append(w.Locations, l)
		}
		if i > 0 {
			fill(&w.Reference, c.Reference)
		}
	}
	return w
}

func fill(r *ibid.Reference, from ibid.Reference) {
	if r.Type == "" || vague(r.Type) && from.Type != "" && !vague(from.Type) {
		r.Type = from.Type
	}
	for k, v := range from.Text {
		if fullerText(k, r.Text[k], v) {
			r.Set(k, v)
		}
	}
	for k, v := range from.Names {
		if fullerNames(r.Names[k], v) {
			r.SetNames(k, slices.Clone(v)...)
		}
	}
	for k, v := range from.Dates {
		if fullerDate(r.Dates[k], v) {
			v.Parts = slices.Clone(v.Parts)
			r.SetDate(k, v)
		}
	}
	for k, v := range from.Extra {
		if _, has := r.Extra[k]; !has {
			if r.Extra == nil {
				r.Extra = map[string]json.RawMessage{}
			}
			r.Extra[k] = v
		}
	}
}

func vague(t string) bool { return t == "document" || t == "webpage" || t == "article" }

// fullerText takes a longer form of the same words, as a title with its subtitle or a journal's whole name, and never
// other words.
func fullerText(variable, old, new string) bool {
	if strings.TrimSpace(old) == "" {
		return strings.TrimSpace(new) != ""
	}
	switch variable {
	case "title", "abstract", "page":
		a, b := fold(old), fold(new)
		return len(b) > len(a) && strings.HasPrefix(b, a)
	case "container-title", "publisher":
		return len(new) > len(old) && abbreviates(old, new)
	}
	return false
}

// abbreviates reports whether each word of short begins one of long's, in order: "N Engl J Med".
func abbreviates(short, long string) bool {
	words := strings.Fields(fold(long))
	for _, s := range strings.Fields(fold(short)) {
		i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, s) })
		if i < 0 {
			return false
		}
		words = words[i+1:]
	}
	return true
}

func fullerNames(old, new []ibid.Name) bool {
	if len(new) != len(old) {
		return len(new) > len(old)
	}
	letters := func(names []ibid.Name) (n int) {
		for _, name := range names {
			n += len(name.Given)
		}
		return n
	}
	return letters(new) > letters(old)
}

func fullerDate(old, new ibid.Date) bool {
	precision := func(d ibid.Date) int {
		if len(d.Parts) == 0 {
			return 0
		}
		n := 1
		if d.Parts[0].Month != 0 {
			n++
		}
		if d.Parts[0].Day != 0 {
			n++
		}
		return n
	}
	if old.IsZero() {
		return !new.IsZero()
	}
	if len(old.Parts) > 0 && len(new.Parts) > 0 && old.Parts[0].Year != new.Parts[0].Year {
		return false
	}
	return precision(new) > precision(old)
}

// plainTypes are the types of CSL that are one word. Others say in theirs what they like.
var plainTypes = strings.Fields("article bill book broadcast chapter classic collection dataset entry event figure graphic hearing interview legislation manuscript map pamphlet patent performance periodical post regulation report review software song speech standard thesis treaty webpage")

// ToReference makes a record of the exchange form, for comparing and for styles.
func (c Citation) ToReference() ibid.Reference {
	r := ibid.Reference{ID: c.meta("id"), Type: "document"}
	r.Set("title", c.title())
	if t := c.meta("citation_type"); strings.ContainsAny(t, "-_") || slices.Contains(plainTypes, t) {
		r.Type = t
	}
	for _, name := range splitAuthors(c.Metadata["author"]) {
		r.SetNames("author", append(r.Names["author"], plainName(name))...)
	}
	p, _ := isoParts(c.meta("publication_date"))
	if p.Year == 0 {
		fmt.Sscanf(c.year(), "%d", &p.Year)
	}
	if p.Year != 0 {
		r.SetDate("issued", ibid.Date{Parts: []ibid.DateParts{p}})
	}
	for variable, key := range map[string]string{"DOI": "doi", "ISBN": "isbn", "ISSN": "issn", "PMID": "pmid", "PMCID": "pmcid", "publisher": "publisher", "container-title": "journal", "URL": "url"} {
		r.Set(variable, c.meta(key))
	}
	switch Classify(c.Source) {
	case KindDOI:
		if doi, err := ParseDOI(c.Source); err == nil && r.DOI() == "" {
			r.Set("DOI", doi)
		}
	case KindArXiv:
		if a, err := ParseArXiv(c.Source); err == nil {
			r.Set("archive", "arXiv")
			r.Set("archive_location", a.String())
		}
		if isWeb(c.Source) && r.URL() == "" {
			r.Set("URL", c.Source)
		}
	case KindISBN:
		r.Set("ISBN", isbnPrefix.ReplaceAllString(strings.TrimSpace(c.Source), ""))
		r.Type = "book"
	default:
		if r.URL() == "" {
			r.Set("URL", c.Source)
		}
		if r.Type == "document" && isWeb(c.Source) {
			r.Type = "webpage"
		}
	}
	return r
}

// Merged is what citations of the same work were merged to, with the citations as they were.
type Merged struct {
	Citation  Citation   `json:"citation"`
	Locations []string   `json:"locations,omitempty"`
	Copies    []Citation `json:"copies"`
	Reasons   []Reason   `json:"reasons,omitempty"`
}

// MergeCitations gathers the citations of the same work, in the order of their first. All locations are kept; of the
// metadata what the first lacks is taken from the others; the confidence is the highest.
func MergeCitations(citations []Citation) []Merged {
	copies := make([]Copy, len(citations))
	for i, c := range citations {
		copies[i] = Copy{Reference: c.ToReference(), Location: c.Location}
		copies[i].Reference.ID = strconv.Itoa(i) // to find the citation again
	}
	var out []Merged
	for _, w := range Deduplicate(copies) {
		m := Merged{Locations: w.Locations, Reasons: w.Reasons}
		for n, c := range w.Copies {
			i, _ := strconv.Atoi(c.Reference.ID)
			one := citations[i]
			m.Copies = append(m.Copies, one)
			if n == 0 {
				m.Citation = one
				m.Citation.Metadata = maps.Clone(one.Metadata)
				continue
			}
			m.Citation.Confidence = max(m.Citation.Confidence, one.Confidence)
			m.Citation.Snippet = cmp.Or(m.Citation.Snippet, one.Snippet)
			for k, v := range one.Metadata {
				if metaText(m.Citation.Metadata[k]) == "" {
					if m.Citation.Metadata == nil {
						m.Citation.Metadata = map[string]any{}
					}
					m.Citation.Metadata[k] = v
				}
			}
		}
		m.Citation.Location = strings.Join(w.Locations, "; ")
		out = append(out, m)
	}
	return out
}

// plainName reads "Family, Given" or a name in its natural order.
func plainName(s string) ibid.Name {
	if family, given, ok := strings.Cut(s, ","); ok {
		return ibid.Name{Family: strings.TrimSpace(family), Given: strings.TrimSpace(given)}
	}
	words := strings.Fields(s)
	if len(words) < 2 || len(words) > 4 {
		return ibid.Name{Literal: s}
	}
	return ibid.Name{Family: words[len(words)-1], Given: strings.Join(words[:len(words)-1], " ")}
}
