package cite_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/internal/testdata"
)

func reference(t testing.TB, s string) ibid.Reference {
	t.Helper()
	var r ibid.Reference
	if err := json.Unmarshal([]byte(s), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSameWork(t *testing.T) {
	article := `{"type":"article-journal","title":"Neutralization of SARS-CoV-2 Variants B.1.429 and B.1.351","author":[{"family":"Shen","given":"Xiaoying"},{"family":"Tang"}],"issued":{"date-parts":[[2021]]}%s}`
	with := func(more string) string { return fmt.Sprintf(article, more) }
	for _, c := range []struct {
		rule, a, b string
		same       bool
	}{
		{"DOI in two spellings", `{"DOI":"10.1056/NEJMc2103740"}`, `{"URL":"https://doi.org/10.1056/nejmc2103740"}`, true},
		{"two DOIs are two works whatever the title", with(`,"DOI":"10.1/1111"`), with(``), true},
		{"two DOIs", with(`,"DOI":"10.1000/1"`), with(`,"DOI":"10.1000/2"`), false},
		{"versions of a preprint", `{"URL":"https://arxiv.org/abs/2401.12345v1"}`, `{"DOI":"10.48550/arXiv.2401.12345"}`, true},
		{"versions at bioRxiv", `{"DOI":"10.1101/2020.01.01.123456v1"}`, `{"DOI":"10.1101/2020.01.01.123456v2"}`, true},
		{"ISBN of ten and thirteen digits", `{"type":"book","title":"T","ISBN":"0-306-40615-2"}`, `{"type":"book","title":"T","ISBN":"9780306406157"}`, true},
		{"two chapters of one book", `{"type":"chapter","title":"Of apples and trees","ISBN":"0306406152"}`, `{"type":"chapter","title":"Music in the north","ISBN":"0306406152"}`, false},
		{"PMID from an address", `{"PMID":"33826819"}`, `{"URL":"https://pubmed.ncbi.nlm.nih.gov/33826819/"}`, true},
		{"PMCID from an address", `{"PMCID":"PMC8063884"}`, `{"URL":"https://www.ncbi.nlm.nih.gov/pmc/articles/PMC8063884/"}`, true},
		{"PMID of records that have nothing else in common", `{"PMID":"33826819","title":"A cable"}`, `{"PMID":"33826819","author":[{"family":"Shen"}]}`, true},
		{"PMCID of such", `{"PMCID":"PMC8063884","title":"A cable"}`, `{"PMCID":"PMC8063884","author":[{"family":"Shen"}]}`, true},
		{"spellings of an address", `{"title":"A","URL":"http://www.example.org/a/index.html?utm_source=x&b=1&a=2#top"}`, `{"title":"A","URL":"https://example.org/a/?a=2&b=1"}`, true},
		{"two addresses", `{"title":"Bloomberg - Are you a robot?","URL":"https://a.org/1"}`, `{"title":"Bloomberg - Are you a robot?","URL":"https://a.org/2"}`, false},
		{"letters wrong", with(""), strings.Replace(with(""), "Neutralization", "Neutralisation", 1), true},
		{"a number differs", with(""), strings.Replace(with(""), "B.1.351", "B.1.352", 1), false},
		{"an erratum is another text", with(""), strings.Replace(with(""), "Neutralization", "Erratum: Neutralization", 1), false},
		{"a year apart", with(""), strings.Replace(with(""), "2021", "2020", 1), true},
		{"years apart", with(""), strings.Replace(with(""), "2021", "2015", 1), false},
		{"other names", with(""), strings.NewReplacer("Shen", "Miller", "Tang", "Jones").Replace(with("")), false},
		{"names cut to the first", with(""), strings.Replace(with(""), `,{"family":"Tang"}`, "", 1), true},
		{"titles that are only alike", `{"title":"Safety of an inactivated vaccine in adults over sixty","author":[{"family":"Shen"}],"issued":{"date-parts":[[2021]]}}`,
			`{"title":"Safety of an attenuated vaccine in children under six","author":[{"family":"Shen"}],"issued":{"date-parts":[[2021]]}}`, false},
		{"one word in the place of another", strings.Replace(with(""), "Neutralization of", "A large randomized trial of safety in adults given", 1), strings.Replace(with(""), "Neutralization of", "A large randomized trial of safety in children given", 1), false},
		{"not", strings.Replace(with(""), "Neutralization of", "What we have seen of the neutralization of", 1), strings.Replace(with(""), "Neutralization of", "What we have not seen of the neutralization of", 1), false},
		{"two words run together", strings.Replace(with(""), "Neutralization of", "The Neutralization of", 1), strings.Replace(with(""), "Neutralization of", "TheNeutralization of", 1), true},
		{"a short title of another first author", `{"title":"Introduction","author":[{"family":"Lee","given":"B."}],"issued":{"date-parts":[[2001]]}}`, `{"title":"Introduction","author":[{"family":"Lee","given":"Carol"}],"issued":{"date-parts":[[2001]]}}`, false},
		{"a short title of the same first author", `{"title":"Introduction","author":[{"family":"Lee","given":"C."}],"issued":{"date-parts":[[2001]]}}`, `{"title":"Introduction","author":[{"family":"Lee","given":"Carol"}],"issued":{"date-parts":[[2001]]}}`, true},
		{"short titles need more", `{"title":"Editorial","author":[{"family":"A"}]}`, `{"title":"Editorial","author":[{"family":"A"}]}`, false},
	} {
		if m := cite.Same(reference(t, c.a), reference(t, c.b)); m.Same != c.same {
			t.Errorf("%s: %+v", c.rule, m)
		}
		if a, b := cite.Same(reference(t, c.a), reference(t, c.b)), cite.Same(reference(t, c.b), reference(t, c.a)); a.Same != b.Same {
			t.Errorf("%s: depends on the order", c.rule)
		}
		if works := cite.Deduplicate(cite.References([]ibid.Reference{reference(t, c.a), reference(t, c.b)})); (len(works) == 1) != c.same {
			t.Errorf("%s: %d works in a list", c.rule, len(works))
		}
	}
}

func TestMergeKeepsTheFullerAndCanBeUndone(t *testing.T) {
	copies := []cite.Copy{
		{reference(t, `{"id":"a","type":"webpage","title":"A long enough title","DOI":"10.1000/1","author":[{"family":"Shen","given":"X."}],"container-title":"N Engl J Med","issued":{"date-parts":[[2021]]}}`), "p. 3"},
		{reference(t, `{"id":"x","title":"Something else entirely"}`), ""},
		{reference(t, `{"id":"b","type":"article-journal","title":"A long enough title: and its subtitle","DOI":"https://doi.org/10.1000/1","author":[{"family":"Shen","given":"Xiaoying"},{"family":"Tang","given":"Haili"}],
			"container-title":"New England Journal of Medicine","issued":{"date-parts":[[2021,6,17]]},"page":"1-5"}`), "p. 4"},
		{reference(t, `{"id":"c","DOI":"10.1000/1"}`), "p. 3"},
	}
	works := cite.Deduplicate(copies)
	if len(works) != 2 || len(works[0].Copies) != 3 {
		t.Fatalf("%d works", len(works))
	}
	w := works[0]
	r := w.Reference
	if r.ID != "a" || r.Type != "article-journal" || !strings.HasSuffix(r.Title(), "subtitle") || r.Text["container-title"] != "New England Journal of Medicine" ||
		len(r.Names["author"]) != 2 || r.Dates["issued"].Parts[0].Day != 17 || r.Text["page"] != "1-5" {
		t.Errorf("%+v", r)
	}
	if !slices.Equal(w.Locations, []string{"p. 3", "p. 4"}) {
		t.Error(w.Locations)
	}
	if got := w.Explain(); got != "3 records; a and b: same DOI 10.1000/1; a and c: same DOI 10.1000/1" {
		t.Error(got)
	}
	if !reflect.DeepEqual(w.Undo(), []cite.Copy{copies[0], copies[2], copies[3]}) {
		t.Error("undone it is not as it was")
	}
	rest, alone, err := w.Split(1)
	if err != nil || alone.Reference.ID != "b" || len(rest.Copies) != 2 || rest.Reference.Text["page"] != "" || len(rest.Reasons) != 1 || rest.Reasons[0].Copy != 1 {
		t.Errorf("%+v %+v %v", rest, alone, err)
	}
	if _, _, err := w.Split(9); err == nil {
		t.Error("no copy 9")
	}
	b, err := json.Marshal(w)
	var back cite.Work
	if err != nil || json.Unmarshal(b, &back) != nil || !reflect.DeepEqual(back.Locations, w.Locations) || len(back.Copies) != 3 {
		t.Errorf("the record of the merge does not survive storing: %s %v", b, err)
	}
}

// A record that shows that two before it are one leaves them in their order, and says which of them it shares what with.
func TestBridgeWithinAWork(t *testing.T) {
	works := cite.Deduplicate(cite.References([]ibid.Reference{reference(t, `{"id":"a","DOI":"10.1000/1"}`), reference(t, `{"id":"b","PMID":"33826819"}`), reference(t, `{"id":"c","DOI":"10.1000/1","PMID":"33826819"}`)}))
	if len(works) != 1 || works[0].Copies[1].Reference.ID != "b" || works[0].Explain() != "3 records; a and c: same DOI 10.1000/1; b and c: same PMID 33826819" {
		t.Errorf("%d works, %s", len(works), works[0].Explain())
	}
}

func TestNoBridgeBetweenTwoWorks(t *testing.T) {
	base := `{"id":%q,"title":"The very same and rather long title","author":[{"family":"Shen"}],"issued":{"date-parts":[[2021]]}%s}`
	works := cite.Deduplicate(cite.References([]ibid.Reference{
		reference(t, fmt.Sprintf(base, "a", `,"DOI":"10.1000/1"`)), reference(t, fmt.Sprintf(base, "bridge", "")), reference(t, fmt.Sprintf(base, "b", `,"DOI":"10.1000/2"`)),
	}))
	if len(works) != 2 {
		t.Errorf("%d works", len(works))
	}
}

func TestMergeCitationsKeepsEveryLocation(t *testing.T) {
	merged := cite.MergeCitations([]cite.Citation{
		{Source: "https://arxiv.org/abs/2401.12345v1", Location: "Section 3.2", Confidence: 0.5, Metadata: map[string]any{"author": "Smith, J."}},
		{Source: "paper.pdf", Location: "p. 1", Confidence: 0.4},
		{Source: "arXiv:2401.12345", Location: "Figure 4", Confidence: 0.9, Snippet: "x", Metadata: map[string]any{"author": "S", "year": 2024}},
		{Source: "paper.pdf", Location: "p. 2", Confidence: 0.4},
		{Source: "https://example.org/other", Confidence: 0.4},
	})
	if len(merged) != 3 {
		t.Fatalf("%d: %+v", len(merged), merged)
	}
	m := merged[0]
	if m.Citation.Location != "Section 3.2; Figure 4" || m.Citation.Confidence != 0.9 || m.Citation.Snippet != "x" || m.Citation.Metadata["author"] != "Smith, J." || m.Citation.Metadata["year"] != 2024 || len(m.Copies) != 2 {
		t.Errorf("%+v", m)
	}
	if !slices.Equal(merged[1].Locations, []string{"p. 1", "p. 2"}) || merged[1].Reasons[0].Why != "same source paper.pdf" {
		t.Errorf("%+v", merged[1])
	}
}

// pair is a labelled pair of records.
type pair struct {
	a, b ibid.Reference
	same bool
	how  string
}

// labelledPairs makes 300 pairs of real records: 150 of one work, spelt otherwise, with fields missing or as another
// version; 150 of two works that look alike.
func labelledPairs(t *testing.T) []pair {
	b, err := os.ReadFile(testdata.Path(t, "csl/bench/real1000.json"))
	if err != nil {
		t.Fatal(err)
	}
	var refs []ibid.Reference
	if err := json.Unmarshal(b, &refs); err != nil {
		t.Fatal(err)
	}
	var out []pair
	n := 0
	for i := 0; len(out) < 150; i = (i + 7) % len(refs) {
		v := variants[n%len(variants)]
		n++
		a, b := refs[i].Clone(), refs[i].Clone()
		if v.change(&a, &b) {
			out = append(out, pair{a, b, true, v.name})
		}
	}
	return append(out, nearMisses(refs, 150)...)
}

func drop(r *ibid.Reference, variables ...string) {
	for _, v := range variables {
		delete(r.Text, v)
	}
}

// noIDs leaves title, names and year to decide.
func noIDs(r *ibid.Reference) { drop(r, "DOI", "PMID", "PMCID", "URL", "ISBN") }

var variants = []struct {
	name   string
	change func(a, b *ibid.Reference) bool
}{
	{"DOI in capitals, no title", func(a, b *ibid.Reference) bool {
		if a.DOI() == "" {
			return false
		}
		b.Set("DOI", "https://doi.org/"+strings.ToUpper(a.DOI()))
		drop(b, "title", "PMID", "PMCID", "URL")
		return true
	}},
	{"letters of the title wrong, no identifiers", func(a, b *ibid.Reference) bool {
		if len(a.Names["author"]) == 0 || len(a.Title()) < 40 {
			return false
		}
		title := []rune(b.Title())
		b.Set("title", string(title[:12])+string(title[13:25])+"x"+string(title[25:]))
		noIDs(b)
		return true
	}},
	{"title in capitals without marks, initials, no identifiers", func(a, b *ibid.Reference) bool {
		if len(a.Names["author"]) < 2 {
			return false
		}
		b.Set("title", strings.ToUpper(strings.NewReplacer(":", " -", ",", "", "-", " ").Replace(b.Title())))
		for i, n := range b.Names["author"] {
			if n.Given != "" {
				b.Names["author"][i].Given = n.Given[:1] + "."
			}
		}
		noIDs(a)
		return true
	}},
	{"no year and only the first author", func(a, b *ibid.Reference) bool {
		if len(a.Names["author"]) == 0 || len(a.Title()) < 30 {
			return false
		}
		delete(b.Dates, "issued")
		b.Names["author"] = b.Names["author"][:1]
		noIDs(b)
		return true
	}},
	{"no names", func(a, b *ibid.Reference) bool {
		if len(a.Names["author"]) == 0 || len(strings.Fields(a.Title())) < 6 {
			return false
		}
		delete(b.Names, "author")
		noIDs(b)
		return true
	}},
	{"address spelt otherwise", func(a, b *ibid.Reference) bool {
		if a.DOI() != "" || a.URL() == "" {
			return false
		}
		u := strings.Replace(a.URL(), "https://www.", "http://", 1)
		if !strings.Contains(u, "?") && !strings.Contains(u, "#") {
			u = strings.TrimSuffix(u, "/") + "/?utm_source=mail&utm_campaign=7"
		}
		b.Set("URL", u)
		delete(b.Names, "author")
		return true
	}},
	{"subtitle left out", func(a, b *ibid.Reference) bool {
		head, _, ok := strings.Cut(a.Title(), ": ")
		if !ok || len(head) < 30 || len(a.Names["author"]) == 0 {
			return false
		}
		b.Set("title", head)
		noIDs(b)
		return true
	}},
	{"online the year before, only PubMed's number", func(a, b *ibid.Reference) bool {
		if a.Text["PMID"] == "" || a.Year() == 0 {
			return false
		}
		b.SetDate("issued", ibid.NewDate(a.Year()-1))
		drop(b, "DOI", "URL", "PMCID")
		return true
	}},
	{"online the year before, no identifiers", func(a, b *ibid.Reference) bool {
		if len(a.Names["author"]) == 0 || a.Year() == 0 || len(a.Title()) < 30 {
			return false
		}
		b.SetDate("issued", ibid.NewDate(a.Year()-1))
		noIDs(b)
		return true
	}},
	{"versions of a preprint", func(a, b *ibid.Reference) bool {
		if !strings.HasPrefix(a.DOI(), "10.1101/") {
			return false
		}
		b.Set("DOI", a.DOI()+"v2")
		drop(b, "URL", "PMID", "PMCID")
		return true
	}},
}

// nearMisses pairs each record with the one whose title is most like its own, and with made-up neighbours.
func nearMisses(refs []ibid.Reference, n int) []pair {
	var out []pair
	for i := 0; len(out) < n/2; i = (i + 11) % len(refs) {
		a, b := refs[i].Clone(), refs[i].Clone()
		if len(a.Names["author"]) == 0 || len(a.Title()) < 25 {
			continue
		}
		noIDs(&a)
		noIDs(&b)
		switch len(out) % 5 {
		case 0:
			b.Set("title", "Erratum: "+b.Title())
		case 1:
			a.Set("title", a.Title()+", part 1")
			b.Set("title", b.Title()+", part 2")
		case 2:
			b.SetNames("author", ibid.Name{Family: "Quackenbush", Given: "Zelda"}, ibid.Name{Family: "Ottoline", Given: "R."})
		case 3:
			b.SetDate("issued", ibid.NewDate(a.Year()+4))
			a.SetDate("issued", ibid.NewDate(a.Year()))
			if a.Year() == 0 {
				continue
			}
		case 4:
			a.Set("DOI", "10.1000/part.1")
			b.Set("DOI", "10.1000/part.2")
		}
		out = append(out, pair{a, b, false, "made"})
	}
	type candidate struct {
		i, j int
		like float64
	}
	var alike []candidate
	words := make([]map[string]bool, len(refs))
	for i, r := range refs {
		words[i] = map[string]bool{}
		for _, w := range strings.Fields(strings.ToLower(r.Title())) {
			words[i][w] = true
		}
	}
	for i := range refs {
		for j := range i {
			common := 0
			for w := range words[j] {
				if words[i][w] {
					common++
				}
			}
			if like := float64(common) / float64(max(len(words[i]), len(words[j]))); like > 0.3 {
				alike = append(alike, candidate{i, j, like})
			}
		}
	}
	sort.SliceStable(alike, func(x, y int) bool { return alike[x].like > alike[y].like })
	for _, c := range alike {
		if len(out) == n {
			break
		}
		a, b := refs[c.i].Clone(), refs[c.j].Clone()
		// Real records with the same DOI or address are the same; these are not, as both are in one bibliography.
		_, x, _ := strings.Cut(a.URL(), "://")
		_, y, _ := strings.Cut(b.URL(), "://")
		if a.DOI() == b.DOI() && x == y {
			continue
		}
		out = append(out, pair{a, b, false, "alike in the bibliography"})
	}
	return out
}

func TestDeduplicationOnLabelledPairs(t *testing.T) {
	pairs := labelledPairs(t)
	if len(pairs) != 300 {
		t.Fatalf("%d pairs", len(pairs))
	}
	var hit, wrong, missed int
	var shown []string
	for _, p := range pairs {
		m := cite.Same(p.a, p.b)
		if works := cite.Deduplicate(cite.References([]ibid.Reference{p.a, p.b})); (len(works) == 1) != m.Same {
			t.Errorf("%d works, and %+v: %s | %s", len(works), m, p.a.Title(), p.b.Title())
		}
		switch {
		case m.Same && p.same:
			hit++
		case m.Same:
			wrong++
			shown = append(shown, fmt.Sprintf("wrongly the same (%s): %s\n  %s | %s", p.how, m.Why, p.a.Title(), p.b.Title()))
		case p.same:
			missed++
			shown = append(shown, fmt.Sprintf("missed (%s): %s\n  %s | %s", p.how, m.Why, p.a.Title(), p.b.Title()))
		}
	}
	precision, recall := float64(hit)/float64(hit+wrong), float64(hit)/float64(hit+missed)
	t.Logf("300 labelled pairs: precision %.3f, recall %.3f (%d found, %d wrong, %d missed)", precision, recall, hit, wrong, missed)
	for _, s := range shown[:min(len(shown), 12)] {
		t.Log(s)
	}
	if precision < 0.98 || recall < 0.95 {
		t.Errorf("precision %.3f, recall %.3f", precision, recall)
	}
}

// A bibliography doubled, and shuffled, has as many works as before.
func TestDeduplicateWholeBibliography(t *testing.T) {
	b, err := os.ReadFile(testdata.Path(t, "csl/bench/real1000.json"))
	if err != nil {
		t.Fatal(err)
	}
	var refs []ibid.Reference
	if err := json.Unmarshal(b, &refs); err != nil {
		t.Fatal(err)
	}
	once := cite.Deduplicate(cite.References(refs))
	twice := cite.Deduplicate(cite.References(append(slices.Clone(refs), refs...)))
	t.Logf("1,000 records are %d works; twice over %d", len(once), len(twice))
	copies := 0
	for _, w := range once {
		copies += len(w.Copies)
		for _, r := range w.Reasons { // each is one of two copies of this work, and holds
			if m := cite.Same(w.Copies[r.Copy].Reference, w.Copies[r.With].Reference); r.With >= r.Copy || !m.Same || m.Why != r.Why {
				t.Errorf("%+v, and %+v", r, m)
			}
		}
		if len(w.Copies) > 1 {
			t.Log(w.Explain())
		}
	}
	if copies != len(refs) || len(twice) > len(once)+len(refs)/100 {
		t.Errorf("%d copies, %d and %d works", copies, len(once), len(twice))
	}
}
