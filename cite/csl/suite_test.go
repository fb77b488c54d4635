package csl

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/testdata"
)

var (
	updateSuite = flag.Bool("update", false, "add newly passing cases to testdata/pass.txt")
	showCase    = flag.String("case", "", "show result and expectation of the cases whose names contain this")
)

// fixture is one case of the official CSL test-suite.
type fixture struct {
	name     string
	sections map[string]string
}

func readFixture(path string) (fixture, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return fixture{}, err
	}
	text := strings.TrimPrefix(string(b), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	f := fixture{name: strings.TrimSuffix(filepath.Base(path), ".txt"), sections: map[string]string{}}
	var section string
	var body []string
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, ">>=") && strings.HasSuffix(line, "=>>"):
			section, body = strings.Trim(line, ">= "), nil
		case strings.HasPrefix(line, "<<=") && section != "":
			f.sections[section] = strings.Join(body, "\n")
			section = ""
		case section != "":
			body = append(body, line)
		}
	}
	return f, nil
}

// testLocales reads the official locales once.
var testLocales = sync.OnceValue(func() func(string) *Locale {
	dir := filepath.Join(testdata.Root(), "csl", "locales")
	var mu sync.Mutex
	cache := map[string]*Locale{}
	return func(tag string) *Locale {
		mu.Lock()
		defer mu.Unlock()
		if l, ok := cache[tag]; ok {
			return l
		}
		var l *Locale
		if f, err := os.Open(filepath.Join(dir, "locales-"+tag+".xml")); err == nil {
			l, _ = ParseLocale(f)
			f.Close()
		}
		cache[tag] = l
		return l
	}
})

type citeJSON struct {
	ID             json.RawMessage `json:"id"`
	Locator        json.RawMessage `json:"locator"`
	Label          string          `json:"label"`
	Prefix         string          `json:"prefix"`
	Suffix         string          `json:"suffix"`
	SuppressAuthor json.RawMessage `json:"suppress-author"`
	AuthorOnly     json.RawMessage `json:"author-only"`
	Position       *Position       `json:"position"`
	NearNote       bool            `json:"near-note"`
	FirstNote      int             `json:"first-reference-note-number"`
}

func (c citeJSON) item() CiteItem {
	scalar := func(raw json.RawMessage) string { return strings.Trim(string(raw), `"`) }
	flag := func(raw json.RawMessage) bool { s := scalar(raw); return s != "" && s != "false" && s != "0" }
	var locator string
	if json.Unmarshal(c.Locator, &locator) != nil {
		locator = scalar(c.Locator)
	}
	first := First
	item := CiteItem{ID: scalar(c.ID), Locator: locator, Label: c.Label, Prefix: c.Prefix, Suffix: c.Suffix,
		SuppressAuthor: flag(c.SuppressAuthor), AuthorOnly: flag(c.AuthorOnly), forced: &first, forcedNear: c.NearNote, forcedNote: c.FirstNote}
	if c.Position != nil {
		item.forced = c.Position
	}
	return item
}

func runFixture(f fixture) (got string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	style, err := ParseStyle(strings.NewReader(f.sections["CSL"]))
	if err != nil {
		return "", err
	}
	var items []ibid.Reference
	if err := json.Unmarshal([]byte(f.sections["INPUT"]), &items); err != nil {
		return "", err
	}
	for i := range items {
		items[i].ID = orElse(items[i].ID, fmt.Sprintf("item-%d", i+1))
	}
	doc, err := NewDocument(style, Options{Locales: testLocales(), Items: items})
	if err != nil {
		return "", err
	}
	if s := f.sections["CITATIONS"]; s != "" {
		return runCitations(f, doc, s)
	}
	var clusters [][]citeJSON
	if s := f.sections["CITATION-ITEMS"]; s != "" {
		if err := json.Unmarshal([]byte(s), &clusters); err != nil {
			return "", err
		}
	}
	seen := map[string]bool{}
	items = slices.DeleteFunc(items, func(r ibid.Reference) bool { was := seen[r.ID]; seen[r.ID] = true; return was })
	for _, it := range items {
		doc.Nocite(it.ID)
	}
	doc.listFirst = true
	for _, c := range clusters {
		var cl Cluster
		for _, ci := range c {
			cl.Items = append(cl.Items, ci.item())
		}
		doc.Cite(cl)
	}
	if len(clusters) == 0 {
		// One citation of all, in the order of the bibliography.
		var cl Cluster
		first := First
		doc.process()
		for _, it := range doc.sorted {
			cl.Items = append(cl.Items, CiteItem{ID: it.id, forced: &first})
		}
		doc.Cite(cl)
	}
	if strings.TrimSpace(f.sections["MODE"]) == "bibliography" {
		b, err := doc.Bibliography(HTML)
		return b.Frame(), err
	}
	return strings.Join(doc.Citations(HTML), "\n"), nil
}

func runCitations(f fixture, doc *Document, s string) (string, error) {
	var steps []json.RawMessage
	if err := json.Unmarshal([]byte(s), &steps); err != nil {
		return "", err
	}
	type citation struct {
		ID         string     `json:"citationID"`
		Items      []citeJSON `json:"citationItems"`
		Properties struct {
			Note int    `json:"noteIndex"`
			Mode string `json:"mode"`
		} `json:"properties"`
	}
	known := map[string]Cluster{}
	var changed map[int]string
	last := map[string]string{}
	state := map[string]string{}
	notes := map[string]int{}
	for _, step := range steps {
		var parts []json.RawMessage
		if err := json.Unmarshal(step, &parts); err != nil {
			return "", err
		}
		var c citation
		if err := json.Unmarshal(parts[0], &c); err != nil {
			return "", err
		}
		cl := Cluster{ID: c.ID, Note: c.Properties.Note}
		for _, ci := range c.Items {
			item := ci.item()
			item.forced = nil
			cl.Items = append(cl.Items, item)
		}
		if cl.ID == "" {
			cl.ID = fmt.Sprintf("auto-%d", len(known))
		}
		var order []Cluster
		for i, list := range parts[1:] {
			var pairs [][]json.RawMessage
			if err := json.Unmarshal(list, &pairs); err != nil {
				return "", err
			}
			if i == 1 {
				order = append(order, cl)
			}
			for _, pair := range pairs {
				id := strings.Trim(string(pair[0]), `"`)
				k := known[id]
				json.Unmarshal(pair[1], &k.Note)
				order = append(order, k)
			}
		}
		known[cl.ID] = cl
		doc.clusters = nil
		for _, k := range order {
			doc.Cite(k)
		}
		for _, k := range doc.clusters {
			k.last = last[k.ID]
		}
		changed = doc.Update(HTML)
		moved := movedItems(doc, notes)
		for i, k := range doc.clusters {
			last[k.ID] = k.last
			// The suite marks what was looked at again, even if it came out the same.
			sig := signature(doc, k)
			if k.ID == cl.ID || state[k.ID] != sig || sharesCondition(doc, k, cl) || slices.ContainsFunc(k.cites, func(ci *cite) bool { return moved[ci.ID] }) {
				changed[i] = k.last
			}
			state[k.ID] = sig
		}
	}
	if strings.TrimSpace(f.sections["MODE"]) == "bibliography" {
		b, err := doc.Bibliography(HTML)
		return b.Frame(), err
	}
	var out []string
	for i, k := range doc.clusters {
		mark := ".."
		if _, ok := changed[i]; ok {
			mark = ">>"
		}
		out = append(out, fmt.Sprintf("%s[%d] %s", mark, i, k.last))
	}
	return strings.Join(out, "\n"), nil
}

// sharesCondition reports whether the new citation cites an item of another that is told apart by a condition.
func sharesCondition(doc *Document, k *clusterState, cl Cluster) bool {
	for _, ci := range cl.Items {
		it := doc.items[ci.ID]
		if it == nil || it.config == nil || it.config.condition == 0 {
			continue
		}
		if slices.ContainsFunc(k.cites, func(o *cite) bool { return o.ID == ci.ID }) {
			return true
		}
	}
	return false
}

// movedItems gives the items cited several times whose first note has another number than before.
func movedItems(doc *Document, notes map[string]int) map[string]bool {
	uses := map[string]int{}
	for _, cl := range doc.clusters {
		for _, ci := range cl.cites {
			uses[ci.ID]++
		}
	}
	moved := map[string]bool{}
	for id, it := range doc.items {
		moved[id] = uses[id] > 1 && notes[id] != 0 && notes[id] != it.firstNote
		notes[id] = it.firstNote
	}
	return moved
}

// signature is all that the text of a citation depends on.
func signature(doc *Document, cl *clusterState) string {
	s := ""
	for _, ci := range cl.cites {
		s += fmt.Sprint("|", ci.ID, ci.position, ci.firstNote)
		if it := doc.items[ci.ID]; it != nil && it.config != nil {
			s += fmt.Sprint(*it.config)
		}
	}
	return s
}

func readList(t *testing.T, path string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.SplitSeq(string(b), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, " ")
		out[name] = strings.TrimSpace(reason)
	}
	return out
}

// TestSuite runs the official test-suite. The list of passes only grows: it fails if a listed case fails, if an
// unlisted one passes, and if a case that fails has no reason in testdata/fail.txt.
func TestSuite(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(testdata.Path(t, "csl/fixtures"), "*.txt"))
	listed := readList(t, "testdata/pass.txt")
	reasons := readList(t, "testdata/fail.txt")
	var passed []string
	for _, path := range paths {
		f, err := readFixture(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := runFixture(f)
		want := strings.TrimSpace(f.sections["RESULT"])
		got = strings.TrimSpace(got)
		ok := err == nil && got == want
		_, was := listed[f.name]
		if *showCase != "" && strings.Contains(f.name, *showCase) && !ok {
			t.Logf("%s: %v\n got: %s\nwant: %s", f.name, err, got, want)
		}
		switch {
		case ok:
			passed = append(passed, f.name)
			if !was && !*updateSuite {
				t.Errorf("%s passes now: add it to testdata/pass.txt with -update", f.name)
			}
		case was:
			t.Errorf("%s: %v\n got: %s\nwant: %s", f.name, err, got, want)
		case reasons[f.name] == "" && *showCase == "" && !*updateSuite:
			t.Errorf("%s fails and testdata/fail.txt does not say why", f.name)
		}
	}
	t.Logf("%d of %d cases pass", len(passed), len(paths))
	if *updateSuite {
		for name := range listed {
			if !slices.Contains(passed, name) {
				passed = append(passed, name)
			}
		}
		slices.Sort(passed)
		text := "# Cases of the official CSL test-suite that pass. The list only grows.\n" + strings.Join(passed, "\n") + "\n"
		if err := os.WriteFile("testdata/pass.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
