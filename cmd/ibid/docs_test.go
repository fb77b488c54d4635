package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the commands print into the documentation")

// transcript is a block of a page that shows commands and what they print.
var transcript = regexp.MustCompile("(?s)```\n(\\$ .*?)```\n")

// varying is what differs from one run to the next.
var varying = regexp.MustCompile(`\b[0-9a-f]{6}\b|\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?`)

// TestDocsShowWhatHappens types the commands of the README and of the walk-through, in order, and holds what is printed
// against the page. Run with -update to write the pages anew; then read them.
func TestDocsShowWhatHappens(t *testing.T) {
	for page, before := range map[string]string{"README.md": "ibid ingest -q examples/library", "docs/walkthrough.md": "true"} {
		t.Run(page, func(t *testing.T) {
			path := filepath.Join("..", "..", page)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			world := newTypist(t)
			world.run(before)
			shown := transcript.ReplaceAllStringFunc(string(b), func(block string) string {
				return "```\n" + world.typeAll(strings.TrimSuffix(strings.TrimPrefix(block, "```\n"), "```\n")) + "```\n"
			})
			switch {
			case !strings.Contains(shown, "\n$ "):
				t.Error("the page shows no command")
			case *update:
				if err := os.WriteFile(path, []byte(shown), 0o644); err != nil {
					t.Fatal(err)
				}
			case varying.ReplaceAllString(shown, "…") != varying.ReplaceAllString(string(b), "…"):
				t.Errorf("the page shows something else than happens; happens:\n%s", shown)
			}
		})
	}
}

// typist types commands in the root of the repository, with a library of its own.
type typist struct {
	t   *testing.T
	env []string
}

func newTypist(t *testing.T) typist {
	home := t.TempDir()
	path := filepath.Dir(program(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	return typist{t, append(os.Environ(), "PATH="+path, "HOME="+home, "IBID_DATA="+home+"/data", "TZ=UTC")}
}

// typeAll gives a transcript anew: each command, and what it prints.
func (w typist) typeAll(block string) string {
	var out strings.Builder
	for _, line := range strings.Split(block, "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			out.WriteString(line + "\n" + w.run(command))
		}
	}
	return out.String()
}

func (w typist) run(command string) string {
	w.t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = "../..", w.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		w.t.Errorf("%s: %v\n%s", command, err, out.String())
	}
	lines := strings.Split(out.String(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// The picture of the graph is drawn from the sample library, and shows what is drawn now. Run with -update to draw it anew.
func TestDocsDrawTheGraph(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "graph.svg")
	world := newTypist(t)
	world.run("ibid ingest -q examples/library")
	for _, question := range []string{"How many messages passed through the cable in all?", "Who was Wildman Whitehouse?", "How many words a minute did the cable of 1866 carry?"} {
		world.run(`ibid ask -q "` + question + `"`)
	}
	drawn := world.run("ibid graph --to svg")
	if *update {
		if err := os.WriteFile(path, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	titles := func(svg string) []string { // of nodes and edges; which comes first is up to ids, which depend on where the files lie
		return slices.Sorted(slices.Values(regexp.MustCompile(`<title>[^<]*</title>`).FindAllString(svg, -1)))
	}
	if !slices.Equal(titles(string(b)), titles(drawn)) {
		t.Error("docs/graph.svg is not what is drawn now")
	}
}
