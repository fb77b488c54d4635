package quality_test

import (
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/quality"
)

// now is when the labels were given.
var now = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// labelled is a source with a person's label of how far it can be leaned on.
type labelled struct {
	tier   int
	source ibid.Source
	about  quality.About
}

func readLabelled(t testing.TB) []labelled {
	t.Helper()
	data, err := os.ReadFile("testdata/labelled.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 8 {
			t.Fatalf("%q has %d fields", line, len(f))
		}
		tier, err := strconv.Atoi(f[0])
		if err != nil {
			t.Fatal(err)
		}
		l := labelled{tier: tier, about: quality.About{Now: now}}
		if f[1] == "fast" {
			l.about.HalfLife = 5
		}
		ref := &l.source.Reference
		ref.Type = f[2]
		if year, err := strconv.Atoi(f[3]); err == nil {
			ref.SetDate("issued", ibid.Date{Parts: []ibid.DateParts{{Year: year}}})
		}
		switch id := f[4]; {
		case strings.HasPrefix(id, "10."):
			ref.Set("DOI", id)
		case strings.HasPrefix(id, "97"):
			ref.Set("ISBN", id)
		case strings.HasPrefix(id, "PMC"):
			ref.Set("PMCID", id)
		}
		ref.Set("URL", f[5])
		l.source.URI = f[5]
		v := "container-title"
		if f[2] == "book" {
			v = "publisher"
		}
		ref.Set(v, f[6])
		ref.Set("title", f[7])
		out = append(out, l)
	}
	if len(out) != 300 {
		t.Fatalf("%d labelled sources, want 300", len(out))
	}
	return out
}

// TestOrderAgreesWithPeople counts the pairs of differently labelled sources that the score puts in the same order. Every
// third source was left aside while the worths were set.
func TestOrderAgreesWithPeople(t *testing.T) {
	var parts [2][]labelled
	all := readLabelled(t)
	for i, l := range all {
		parts[map[bool]int{true: 1}[i%3 == 2]] = append(parts[map[bool]int{true: 1}[i%3 == 2]], l)
	}
	r := quality.New()
	for _, p := range []struct {
		name string
		of   []labelled
	}{{"used to set the worths", parts[0]}, {"held out", parts[1]}, {"all", all}} {
		share, pairs := agreement(r, p.of)
		t.Logf("%-22s %3d sources, %5d pairs: %.3f in the same order", p.name, len(p.of), pairs, share)
		if share < 0.9 {
			t.Errorf("%s: %.3f of the pairs are in the order that people give, want .90", p.name, share)
		}
	}
}

// agreement counts ties of the score as half.
func agreement(r *quality.Rater, of []labelled) (float64, int) {
	same, pairs := 0.0, 0
	values := make([]float64, len(of))
	for i, l := range of {
		values[i] = r.Rate(l.source, l.about).Value
	}
	for i := range of {
		for j := range of {
			if of[i].tier <= of[j].tier {
				continue
			}
			pairs++
			switch {
			case values[i] > values[j]:
				same++
			case values[i] == values[j]:
				same += 0.5
			}
		}
	}
	return same / float64(pairs), pairs
}

// TestOrderWithoutKnowingTheHosts prints how far the rules alone go: the lists and the labels are by the same hand, so a
// host that stands in both says little. Only suffixes that states and universities share are left in the lists.
func TestOrderWithoutKnowingTheHosts(t *testing.T) {
	all := readLabelled(t)
	data, err := os.ReadFile("lists.toml")
	if err != nil {
		t.Fatal(err)
	}
	lists, err := quality.ParseLists(string(data))
	if err != nil {
		t.Fatal(err)
	}
	kept, forgotten := []string{}, 0
	for i := range lists {
		lists[i].Names = nil
		kept = kept[:0]
		for _, h := range lists[i].Hosts {
			shared := !strings.Contains(h, ".") || strings.HasPrefix(h, "gov.") || strings.HasPrefix(h, "ac.") || strings.HasPrefix(h, "edu.")
			if shared {
				kept = append(kept, h)
			} else {
				forgotten++
			}
		}
		lists[i].Hosts = append([]string(nil), kept...)
	}
	share, pairs := agreement(quality.Only(lists...), all)
	t.Logf("%d hosts and all names forgotten: %.3f of %d pairs in the same order", forgotten, share, pairs)
	if share < 0.7 {
		t.Errorf("%.3f without the lists: types and identifiers should carry most of the order", share)
	}
}

func TestOrderKeepsEverySource(t *testing.T) {
	var sources []ibid.Source
	for _, l := range readLabelled(t) {
		l.source.ID = ibid.SourceID(l.source.URI + l.source.Title())
		sources = append(sources, l.source)
	}
	got := quality.New().Order(sources, func(ibid.Source) quality.About { return quality.About{} })
	seen := map[ibid.SourceID]int{}
	for _, s := range sources {
		seen[s.ID]++
	}
	for i, r := range got {
		seen[r.Source.ID]--
		if i > 0 && r.Score.Value > got[i-1].Score.Value {
			t.Errorf("%s stands behind one of less worth", r.Source.URI)
		}
	}
	for id, n := range seen {
		if n != 0 {
			t.Errorf("%s: %+d", id, -n)
		}
	}
}

func TestLists(t *testing.T) {
	for _, c := range []struct{ rule, toml, err string }{
		{"no such kind", "[[list]]\nname='a'\nkind='gossip'\nworth=0.1", `list 1 "a": kind "gossip" is none of`},
		{"worth out of range", "[[list]]\nname='a'\nkind='blog'\nworth=2.0", "worth 2 is not within 0 and 1"},
		{"less than nothing", "[[list]]\nname='a'\nkind='blog'\nworth=-0.01", "worth -0.01 is not within 0 and 1"},
		{"an empty host", "[[list]]\nname='a'\nkind='blog'\nworth=0.2\nhosts=['']", "host"},
		{"no name", "[[list]]\nkind='blog'\nworth=0.2", "it needs a name"},
		{"an address is no host", "[[list]]\nname='a'\nkind='blog'\nworth=0.2\nhosts=['https://x.org']", `host "https://x.org"`},
		{"unknown setting", "[[list]]\nname='a'\nkind='blog'\nworth=0.2\nhide=true", "unknown setting list.hide"},
		{"not TOML", "list = [", "lists of sources: line 1: "},
	} {
		_, err := quality.ParseLists(c.toml)
		if err == nil || !strings.Contains(err.Error(), c.err) || !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: %v, want %q", c.rule, err, c.err)
		}
	}
	if _, err := quality.ParseLists("[[list]]\nname='a'\nkind='blog'\nworth=0.0\n[[list]]\nname='b'\nkind='blog'\nworth=1.0"); err != nil {
		t.Errorf("the least and the most: %v", err)
	}
	own, err := quality.ParseLists("[[list]]\nname='our own wiki'\nkind='reference'\nworth=0.7\nhosts=['wiki.acme.example', 'medium.com']")
	if err != nil {
		t.Fatal(err)
	}
	r := quality.New(own...)
	for uri, want := range map[string]quality.Kind{
		"https://medium.com/x":             quality.Reference, // one's own list comes first
		"https://www.wiki.acme.example/a":  quality.Reference,
		"https://acme.example/a":           quality.Unknown,
		"https://gov.uk.evil.example/a":    quality.Unknown, // the end of a host decides, not the middle
		"https://notmedium.com/x":          quality.Unknown, // nor a part of a label
		"https://www.ons.gov.uk/x":         quality.Official,
		"https://github.com/golang/go":     quality.Reference,
		"https://github.com/somebody/else": quality.Trade,
		"file:///home/x/gov.uk/notes.md":   quality.Unknown,
		"http://%zz":                       quality.Unknown,
	} {
		if got := r.Rate(ibid.Source{URI: uri}, quality.About{}); got.Kind != want {
			t.Errorf("%s: %s (%s), want %s", uri, got.Kind, got.Parts[0].Why, want)
		}
	}
}

func FuzzLists(f *testing.F) {
	f.Add("[[list]]\nname='a'\nkind='blog'\nworth=0.2\nhosts=['x.org']", "https://x.org/a")
	f.Fuzz(func(t *testing.T, data, uri string) {
		lists, err := quality.ParseLists(data)
		if err != nil {
			if !errors.Is(err, ibid.ErrInvalid) {
				t.Fatalf("%v does not say that the input is at fault", err)
			}
			return
		}
		s := quality.Only(lists...).Rate(ibid.Source{URI: uri}, quality.About{})
		if s.Value < 0 || s.Value > 1 || s.Kind == "" {
			t.Fatalf("%+v", s)
		}
	})
}

// The reasons of a score beside its kind, as docs/quality.md has them. What is not known counts neither way.
func TestReasons(t *testing.T) {
	ref := func(fields ...string) (r ibid.Reference) {
		for _, f := range fields {
			name, value, _ := strings.Cut(f, "=")
			switch name {
			case "author":
				r.Names = map[string][]ibid.Name{"author": {{Family: value}}}
			case "year":
				year, _ := strconv.Atoi(value)
				r.SetDate("issued", ibid.Date{Parts: []ibid.DateParts{{Year: year}}})
			default:
				r.Set(name, value)
			}
		}
		return r
	}
	titled := ref("title=x", "author=Field") // which is no reason of its own
	nan := math.NaN()
	for _, c := range []struct {
		rule   string
		ref    ibid.Reference
		about  quality.About
		part   string
		points float64
		why    string
	}{
		{"a title and an author", titled, quality.About{}, "", 0, ""},
		{"nothing", ref(), quality.About{}, "identifiers", -0.05, "says neither title"},
		{"a title alone", ref("title=x"), quality.About{}, "identifiers", -0.02, "says neither author"},
		{"an author alone", ref("author=Field"), quality.About{}, "", 0, ""},
		{"a year alone", ref("year=1858"), quality.About{}, "", 0, ""},
		{"author and date", ref("author=Field", "year=1858"), quality.About{}, "identifiers", 0.02, "names its author and date"},
		{"a DOI", ref("DOI=10.1000/1"), quality.About{}, "identifiers", 0.03, "has a DOI"},
		{"what is no DOI", ref("title=x", "author=Field", "DOI=10.1000"), quality.About{}, "", 0, ""},
		{"nor is this", ref("title=x", "author=Field", "DOI=x/y"), quality.About{}, "", 0, ""},
		{"a PMID", ref("PMID=1"), quality.About{}, "identifiers", 0.03, "has a PMID"},
		{"an ISBN", ref("ISBN=1"), quality.About{}, "identifiers", 0.03, "has a ISBN"},
		{"taken back", ref("title=[Retracted] x", "author=Field"), quality.About{}, "withdrawn", -0.85, "its title says that it was taken back"},
		{"a half-life is free", ref("title=x", "year=2021"), quality.About{Now: now, HalfLife: 5}, "", 0, ""},
		{"two more take half of a quarter", ref("title=x", "year=2011"), quality.About{Now: now, HalfLife: 5}, "age", -0.125, "is 15 years old"},
		{"and never more than that", ref("title=x", "year=1500"), quality.About{Now: now, HalfLife: 5}, "age", -0.25, "is 526 years old"},
		{"where the topic stands still", ref("title=x", "year=1500"), quality.About{Now: now}, "", 0, ""},
		{"without a time", ref("title=x", "year=1500"), quality.About{HalfLife: 5}, "", 0, ""},
		{"without a year", titled, quality.About{Now: now, HalfLife: 5}, "", 0, ""},
		{"one that agrees", titled, quality.About{Confirmed: 1}, "agreement", 0.04, "1 independent of it say the same"},
		{"many that agree", titled, quality.About{Confirmed: 50}, "agreement", 0.08, "50 independent"},
		{"one that does not", titled, quality.About{Disputed: 1}, "agreement", -0.04, "1 say otherwise"},
		{"more that do", titled, quality.About{Confirmed: 2, Disputed: 1}, "agreement", 0.02, "2 independent of it say the same, 1 say otherwise"},
		{"as many of each", titled, quality.About{Confirmed: 1, Disputed: 1}, "", 0, ""},
		{"less than none", titled, quality.About{Confirmed: -1, Disputed: -1}, "", 0, ""},
		{"found useful", titled, quality.About{Feedback: 0.5}, "feedback", 0.05, "people found it useful"},
		{"found fault with", titled, quality.About{Feedback: -9}, "feedback", -0.1, "people found fault"},
		{"no number", titled, quality.About{Feedback: nan}, "", 0, ""},
	} {
		got := quality.New().Rate(ibid.Source{Reference: c.ref}, c.about).Parts[1:]
		if c.part == "" {
			if len(got) > 0 {
				t.Errorf("%s: %+v", c.rule, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Name != c.part || math.Abs(got[0].Points-c.points) > 1e-9 || !strings.HasPrefix(got[0].Why, c.why) {
			t.Errorf("%s: %+v, want %s %v", c.rule, got, c.part, c.points)
		}
	}
}

// Who stands behind a source: where it is found comes before who published it, and both before what its record says of itself.
func TestWhoStandsBehind(t *testing.T) {
	r := quality.Only(
		quality.List{Name: "hoaxes", Kind: quality.Unknown, Worth: 0.1, Hosts: []string{"hoax.example"}},
		quality.List{Name: "manuals", Kind: quality.Reference, Worth: 0.7, Hosts: []string{"manual.example"}},
		quality.List{Name: "papers", Kind: quality.Press, Worth: 0.6, Hosts: []string{"paper.example"}, Names: []string{"The Daily Cable", "Reuters"}},
		quality.List{Name: "journals", Kind: quality.PeerReviewed, Worth: 0.9, Names: []string{"Physical Letters"}},
		quality.List{Name: "presses", Kind: quality.Reference, Worth: 0.8, Names: []string{"Cable Press"}},
	)
	for _, c := range []struct {
		rule, csl, url, id, in, publisher string
		kind                              quality.Kind
		worth                             float64
	}{
		{"a hoax says what it likes", "article-journal", "https://hoax.example/a", "DOI=10.1000/1", "Physical Letters", "", quality.Unknown, 0.1},
		{"a preprint, wherever it is shown", "article-journal", "https://paper.example/a", "DOI=10.1101/1", "", "", quality.Preprint, 0.5},
		{"a known publisher's book", "book", "https://paper.example/a", "", "", "Cable Press", quality.Reference, 0.8},
		{"a host on a list", "webpage", "http://www.paper.example/a", "", "", "Cable Press", quality.Press, 0.6},
		{"a law", "legislation", "https://unknown.example/a", "", "", "", quality.Official, 0.78},
		{"a law shown by a manual", "legislation", "https://manual.example/a", "", "", "", quality.Official, 0.78},
		{"a law shown by a paper", "legislation", "https://paper.example/a", "", "", "", quality.Press, 0.6},
		{"a journal on a list", "article-journal", "https://unknown.example/a", "", "Physical Letters", "", quality.PeerReviewed, 0.9},
		{"a longer name is no journal", "article-journal", "", "", "Fake Physical Letters", "", quality.Unknown, 0.4},
		{"a longer name of a paper", "webpage", "", "", "The Daily Cable of London", "", quality.Press, 0.6},
		{"one of two words in a longer one", "webpage", "", "", "", "The Old Cable Press", quality.Reference, 0.8},
		{"a single word of a name is none", "webpage", "", "", "Friends of Reuters", "", quality.Unknown, 0.2},
		{"the publisher, where nobody knows the journal", "webpage", "", "", "Unheard of", "The Daily Cable", quality.Press, 0.6},
		{"an article that is registered", "article-journal", "", "DOI=10.1000/1", "", "", quality.PeerReviewed, 0.86},
		{"so is this", "article-journal", "", "PMID=1", "", "", quality.PeerReviewed, 0.86},
		{"and this", "article-journal", "", "PMCID=PMC1", "", "", quality.PeerReviewed, 0.86},
		{"and this, too", "article-journal", "", "ISSN=1", "", "", quality.PeerReviewed, 0.86},
		{"a page with a DOI is no article", "webpage", "https://unknown.example/a", "DOI=10.1000/1", "", "", quality.Unknown, 0.12},
		{"an article that is not", "article-journal", "", "", "", "", quality.Unknown, 0.4},
		{"a newspaper that no list knows", "article-newspaper", "", "", "", "", quality.Press, 0.38},
		{"a book without its number", "book", "", "", "", "", quality.Reference, 0.5},
		{"a book with it", "book", "", "ISBN=1", "", "", quality.Reference, 0.62},
		{"a thesis, which has none", "thesis", "", "", "", "", quality.Reference, 0.62},
		{"a post", "post", "", "", "", "", quality.Blog, 0.2},
		{"a mail is no blog", "personal_communication", "", "", "", "", quality.Personal, 0.2},
		{"a file", "", "", "", "", "", quality.Unknown, 0.2},
		{"a page that names who made it", "webpage", "https://unknown.example/a", "", "", "Somebody", quality.Unknown, 0.3},
		{"or what it is of", "webpage", "https://unknown.example/a", "", "Something", "", quality.Unknown, 0.3},
		{"a page that names nobody", "webpage", "https://unknown.example/a", "", "", "", quality.Unknown, 0.12},
		{"another protocol is no page", "webpage", "ftp://paper.example/a", "", "", "", quality.Unknown, 0.2},
	} {
		s := ibid.Source{URI: c.url, Reference: ibid.Reference{Type: c.csl}}
		id, number, _ := strings.Cut(c.id, "=")
		for name, value := range map[string]string{"URL": c.url, id: number, "container-title": c.in, "publisher": c.publisher} {
			s.Reference.Set(name, value)
		}
		if got := r.Rate(s, quality.About{}); got.Kind != c.kind || math.Abs(got.Parts[0].Points-c.worth) > 1e-9 {
			t.Errorf("%s: %s %v (%s)", c.rule, got.Kind, got.Parts[0].Points, got.Parts[0].Why)
		}
	}
}

func TestPartsAddUp(t *testing.T) {
	r := quality.New()
	all := readLabelled(t)
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(all).Draw(t, "source")
		a := quality.About{Now: now, HalfLife: rapid.Float64Range(0, 50).Draw(t, "half-life"), Confirmed: rapid.IntRange(-1, 50).Draw(t, "confirmed"),
			Disputed: rapid.IntRange(-1, 50).Draw(t, "disputed"), Feedback: rapid.Float64().Draw(t, "feedback")}
		s := r.Rate(l.source, a)
		sum := 0.0
		for _, p := range s.Parts {
			if p.Why == "" || p.Points == 0 {
				t.Fatalf("part %+v says nothing", p)
			}
			sum += p.Points
		}
		if s.Value < 0 || s.Value > 1 || math.Abs(math.Min(1, math.Max(0, sum))-s.Value) > 0.0006 {
			t.Fatalf("%v is not the sum of its parts %+v", s.Value, s.Parts)
		}
		more := a
		more.Confirmed = max(0, more.Confirmed) + 1
		if r.Rate(l.source, more).Value < s.Value {
			t.Fatal("agreement lowers the score")
		}
	})
}
