package bib_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/bib"
)

// reading is what an independent reader says of a reference: title, names and years.
type reading struct {
	title string
	names []string
	years []int
}

// Readers that others wrote agree with us about what our files say.
func TestIndependentReaders(t *testing.T) {
	for _, c := range []struct {
		format  bib.Format
		program []string
		parse   func(*testing.T, []byte) map[string]reading
		share   float64
	}{
		{bib.BibTeX, []string{"bib2xml"}, readMODS, 0.985},
		{bib.RIS, []string{"ris2xml"}, readMODS, 0.985},
		{bib.EndNote, []string{"endx2xml"}, readMODS, 0.985},
		{bib.BibLaTeX, []string{"pandoc", "-f", "biblatex", "-t", "csljson"}, readCSL, 0.99},
	} {
		t.Run(string(c.format)+" by "+c.program[0], func(t *testing.T) {
			if _, err := exec.LookPath(c.program[0]); err != nil {
				t.Skipf("needs %s, which is not installed here", c.program[0])
			}
			refs := real1000(t)
			file, _ := write(t, c.format, refs)
			got := c.parse(t, run(t, c.program, file))
			agree := 0
			var differences []string
			for _, r := range refs {
				theirs, ok := got[r.ID]
				if !ok {
					theirs, ok = got[strings.ToLower(r.ID)]
				}
				if d := disagreement(ours(r), theirs); ok && d == "" {
					agree++
				} else {
					differences = append(differences, r.ID+": "+d)
				}
			}
			t.Logf("%s agrees with our %s on %d of %d", c.program[0], c.format, agree, len(refs))
			for _, d := range differences[:min(len(differences), 8)] {
				t.Log(d)
			}
			if share := float64(agree) / float64(len(refs)); share < c.share {
				t.Errorf("agrees on %.3f, want %.2f", share, c.share)
			}
		})
	}
}

func run(t *testing.T, program []string, in []byte) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(name, in, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, problems bytes.Buffer
	cmd := exec.Command(program[0], append(program[1:], name)...)
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v: %.500s", program, err, problems.String())
	}
	return out.Bytes()
}

var anyTag = regexp.MustCompile(`<[^<>]*>`)

// letters are what must agree: no case, no marks, no punctuation, which readers treat each in their own way.
func letters(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFKD.String(anyTag.ReplaceAllString(s, ""))) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func ours(r ibid.Reference) reading {
	out := reading{title: letters(r.Title()), years: []int{r.Year()}}
	for _, n := range r.Names["author"] {
		// bibutils takes the same name twice for one.
		if s := sorted(n.String()); !slices.Contains(out.names, s) {
			out.names = append(out.names, s)
		}
	}
	return out
}

// sorted gives the letters of a name in order: readers differ on what of a name is whose part, not on its letters.
func sorted(s string) string {
	l := []rune(letters(s))
	slices.Sort(l)
	return string(l)
}

func disagreement(a, b reading) string {
	if a.title != b.title {
		return fmt.Sprintf("title %q, they read %q", a.title, b.title)
	}
	if !slices.Equal(a.names, b.names) {
		for i, n := range a.names {
			if i >= len(b.names) || n != b.names[i] {
				return fmt.Sprintf("name %d %q, they read %q of %d", i+1, n, b.names[min(i, len(b.names)):min(i+1, len(b.names))], len(b.names))
			}
		}
		return fmt.Sprintf("%d names, they read %d", len(a.names), len(b.names))
	}
	if a.years[0] != 0 && !slices.Contains(b.years, a.years[0]) {
		return fmt.Sprintf("year %d, they read %v", a.years[0], b.years)
	}
	return ""
}

func readCSL(t *testing.T, b []byte) map[string]reading {
	f, err := bib.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]reading{}
	for _, r := range f.References {
		out[r.ID] = ours(r)
	}
	return out
}

type mods struct {
	ID     string `xml:"ID,attr"`
	Titles []struct {
		Type     string `xml:"type,attr"`
		Title    string `xml:"title"`
		Subtitle string `xml:"subTitle"`
		NonSort  string `xml:"nonSort"`
	} `xml:"titleInfo"`
	Names []struct {
		Parts []struct {
			Type string `xml:"type,attr"`
			Text string `xml:",chardata"`
		} `xml:"namePart"`
		Roles []string `xml:"role>roleTerm"`
	} `xml:"name"`
	Inner []byte `xml:",innerxml"`
}

var modsDate = regexp.MustCompile(`<(?:date|dateIssued|dateOther)[^>]*>([0-9]{4})`)

func readMODS(t *testing.T, b []byte) map[string]reading {
	var all struct {
		Mods []mods `xml:"mods"`
	}
	if err := xml.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]reading{}
	for _, m := range all.Mods {
		var r reading
		for _, info := range m.Titles {
			if info.Type == "" {
				r.title = letters(info.NonSort + info.Title + info.Subtitle)
			}
		}
		for _, n := range m.Names {
			if !slices.Contains(n.Roles, "author") && !slices.Contains(n.Roles, "reporter") { // of a newspaper
				continue
			}
			name := ""
			for _, p := range n.Parts {
				name += p.Text
			}
			r.names = append(r.names, sorted(name))
		}
		for _, d := range modsDate.FindAllSubmatch(m.Inner, -1) {
			y, _ := strconv.Atoi(string(d[1]))
			r.years = append(r.years, y)
		}
		out[m.ID] = r
	}
	return out
}
