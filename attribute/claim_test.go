package attribute_test

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/internal/testdata"
)

// tally counts how well IsClaim tells claims from the rest.
type tally struct{ both, onlySaid, onlyMeant, neither int }

func (c *tally) add(meant, said bool) {
	switch {
	case meant && said:
		c.both++
	case said:
		c.onlySaid++
	case meant:
		c.onlyMeant++
	default:
		c.neither++
	}
}

func ratio(a, b int) float64 {
	if a+b == 0 {
		return 1
	}
	return float64(a) / float64(a+b)
}

func (c tally) report(t *testing.T, name string) {
	t.Logf("%s: %d sentences; claims: precision %.3f, recall %.3f; no claim: precision %.3f, recall %.3f", name,
		c.both+c.onlySaid+c.onlyMeant+c.neither, ratio(c.both, c.onlySaid), ratio(c.both, c.onlyMeant), ratio(c.neither, c.onlyMeant), ratio(c.neither, c.onlySaid))
}

// hold fails where the figures fall below what was reached.
func (c tally) hold(t *testing.T, precision, recall float64) {
	t.Helper()
	if p, r := ratio(c.both, c.onlySaid), ratio(c.both, c.onlyMeant); p < precision || r < recall {
		t.Errorf("precision %.3f and recall %.3f, want %.3f and %.3f", p, r, precision, recall)
	}
}

func TestClaimsOfTheDataAreTold(t *testing.T) {
	for _, set := range []struct {
		name, file        string
		size              int
		precision, recall float64
	}{
		{"the data's answers, on which the rules were made", "testdata/claims.tsv", 300, 0.99, 0.99},
		{"the data's answers, labelled afterwards", "testdata/claims_blind.tsv", 136, 0.95, 0.97},
	} {
		t.Run(set.name, func(t *testing.T) {
			rows := readRows(t, set.file, 7)
			if len(rows) != set.size {
				t.Errorf("%d sentences, want %d", len(rows), set.size)
			}
			c := tell(t, rows)
			c.report(t, set.name)
			c.hold(t, set.precision, set.recall)
		})
	}
}

// tell asks IsClaim about sentences of the data.
func tell(t *testing.T, rows [][]string) tally {
	var c tally
	answers := map[string]map[string]string{}
	for _, r := range rows {
		if answers[r[0]] == nil {
			answers[r[0]] = readAnswers(t, testdata.Path(t, "attribution/"+r[0]+".jsonl.gz"))
		}
		start, _ := strconv.Atoi(r[2])
		end, _ := strconv.Atoi(r[3])
		runes := []rune(answers[r[0]][r[1]])
		if end > len(runes) {
			t.Fatalf("%s %s: the answer is shorter than it was", r[0], r[1])
		}
		s := string(runes[start:end])
		if sum := sha256.Sum256([]byte(s)); hex.EncodeToString(sum[:6]) != r[4] {
			t.Fatalf("%s %s [%d,%d): not the sentence that was labelled", r[0], r[1], start, end)
		}
		said, reason := attribute.IsClaim(s, ibid.Kind(r[5]), "")
		c.add(r[6] == "1", said)
		if said != (r[6] == "1") {
			t.Logf("meant %s, said %v (%s): %s", r[6], said, reason, s)
		}
	}
	return c
}

func TestClaimsOfOurOwnAreTold(t *testing.T) {
	var c tally
	before := ""
	for _, r := range readRows(t, "testdata/claims_own.tsv", 3) {
		said, reason := attribute.IsClaim(r[2], ibid.Kind(r[1]), before)
		c.add(r[0] == "1", said)
		if said != (r[0] == "1") {
			t.Errorf("meant %s, said %v (%s): %s", r[0], said, reason, r[2])
		}
		if !said && reason == "" {
			t.Errorf("no reason for %q", r[2])
		}
		before = r[2]
	}
	c.report(t, "our own")
}

// TestClaimsOfDebates shows how another domain is told: there most sentences that are no claims are opinions, which an
// answer of a model does claim. The figure is for information.
func TestClaimsOfDebates(t *testing.T) {
	var c tally
	readLines(t, testdata.Path(t, "attribution/claims/claimbuster3.jsonl.gz"), func(line []byte) {
		var x struct {
			Text  string
			Claim bool
		}
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		said, _ := attribute.IsClaim(x.Text, ibid.Sentence, "")
		c.add(x.Claim, said)
	})
	c.report(t, "debates")
}

func FuzzIsClaim(f *testing.F) {
	for _, s := range []string{"", "I hope this helps!", "Based on the passages, it failed.", "| a | b |", "He asked, \"why?\"", "?", "\xff:", "based on:", "[", "x]"} {
		f.Add(s, "sentence", "")
	}
	f.Fuzz(func(t *testing.T, s, kind, before string) {
		claim, reason := attribute.IsClaim(s, ibid.Kind(kind), before)
		if claim == (reason != "") {
			t.Errorf("%q: claim %v, reason %q", s, claim, reason)
		}
		if again, _ := attribute.IsClaim("  "+s+" \n", ibid.Kind(kind), before); again != claim {
			t.Errorf("%q: white space around it decides", s)
		}
	})
}

func readRows(t *testing.T, name string, columns int) [][]string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r := strings.SplitN(line, "\t", columns)
		if len(r) != columns {
			t.Fatalf("%s: %q has %d columns, want %d", name, line, len(r), columns)
		}
		rows = append(rows, r)
	}
	return rows
}

func readAnswers(t *testing.T, path string) map[string]string {
	t.Helper()
	answers := map[string]string{}
	readLines(t, path, func(line []byte) {
		var x struct{ ID, Answer string }
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		answers[x.ID] = x.Answer
	})
	return answers
}

func readLines(t *testing.T, path string, each func([]byte)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		each(sc.Bytes())
	}
	if sc.Err() != nil {
		t.Fatal(sc.Err())
	}
}

// A sentence that turns without end is read a bounded number of times, and is a claim, as all is that is in doubt.
func TestASentenceThatTurnsWithoutEnd(t *testing.T) {
	for turns, claim := range map[int]bool{1: false, 4: false, 60_000: true} {
		if got, reason := attribute.IsClaim("I do not know"+strings.Repeat("; I do not know", turns)+".", ibid.Sentence, ""); got != claim {
			t.Errorf("%d turns: claim %v (%s)", turns, got, reason)
		}
	}
}

// TestCriesAndWishes: a wish, a word to the question and that it depends claim nothing; what is told in such a manner does.
func TestCriesAndWishes(t *testing.T) {
	for s, want := range map[string]bool{
		"Happy baking!":                                   false,
		"Enjoy the match!":                                false,
		"Ooh, spooky question!":                           false,
		"What a question!":                                false,
		"It depends on where you are.":                    false,
		"The sources don't agree on this one.":            false,
		"The passages don't entirely agree on this.":      false,
		"The three sources differ slightly here.":         false,
		"The provided passages give conflicting figures.": false,
		"The sources of the Nile differ in colour and in salt from each other.": true,
		"The two parties don't agree on this.":                                  true,
		"Happy endings sell books.":                                             true,
		"Happy people live longer!":                                             true,
		"Enjoy the free tour on Sundays.":                                       true,
		"That is out of the question.":                                          true,
		"There is no question!":                                                 true,
		"It depends on the age of the bird, on the season and on how far the nest is from where it was found.": true,
		"It depends on the code: league has 13 players.":                                                       true,
	} {
		if got, why := attribute.IsClaim(s, ibid.Sentence, ""); got != want {
			t.Errorf("%q: %v (%s)", s, got, why)
		}
	}
}

// TestNotesThatSaySomething: a footnote that names a work and a link to a page by its title claim nothing, what says something does.
func TestNotesThatSaySomething(t *testing.T) {
	for note, want := range map[string]bool{
		"[^1]: The figure excludes taxes and fees.":                   true,
		"[^2]: Prices rose again in March, by 4 percent.":             true,
		"[^1]: Jane Field, The Cable of 1858, London 1902.":           false,
		"[^1]: Annual report of the company, p. 12.":                  false,
		"[^1]: See the report of the board.":                          false,
		"[^1]: https://example.org/report":                            false,
		"[Cable of 1858 – an overview](https://example.org/report).":  false,
		"[Annual Report of the Board](https://example.org/report)":    false,
		"[The cable failed in 1858](https://example.org/report)":      true,
		"[Report](https://example.org/report) says that it failed.":   true,
		"[^1]: The figure is from the report at https://example.org.": false,
	} {
		if got, reason := attribute.IsClaim(note, ibid.Sentence, ""); got != want {
			t.Errorf("%q: claim %v (%s)", note, got, reason)
		}
	}
}
