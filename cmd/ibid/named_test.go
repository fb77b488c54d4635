package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestDocsNameWhatThereIs holds every command that a page or a help text shows to what the program has: verbs and flags. What pages
// show with its output is typed beside: TestDocsShowWhatHappens.
func TestDocsNameWhatThereIs(t *testing.T) {
	pages := []string{"../../README.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md"}
	for _, glob := range []string{"../../docs/*.md", "../../docs/*/*.md", "../../examples/*.md", "../../examples/*/README.md"} {
		found, err := filepath.Glob(glob)
		if err != nil || len(found) == 0 {
			t.Fatal(glob, err)
		}
		pages = append(pages, found...)
	}
	n := 0
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range codeIn(string(b)) {
			n += holdCommands(t, filepath.Base(page), code)
		}
	}
	if n < 200 {
		t.Errorf("only %d commands were found in the pages", n)
	}
}

func TestHelpShowsWhatThereIs(t *testing.T) {
	var hold func(c *cobra.Command)
	hold = func(c *cobra.Command) {
		name := c.CommandPath() + " --help"
		if holdCommands(t, name, c.Example) == 0 && c.Runnable() {
			t.Errorf("%s shows no example", name)
		}
		for _, line := range strings.Split(c.Long, "\n") {
			if utf8.RuneCountInString(line) > 100 {
				t.Errorf("%s is wider than a terminal: %s", name, line)
			}
		}
		for _, below := range c.Commands() {
			hold(below)
		}
	}
	hold(rootCmd(&app{}))
}

var (
	fenced = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```$")
	inset  = regexp.MustCompile("(?m)^ {4,}.*$")
	inline = regexp.MustCompile("`([^`]+)`")
)

// codeIn gives what a page shows as code: fenced, set in, and within lines.
func codeIn(page string) (code []string) {
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		code = append(code, m[1])
	}
	prose := fenced.ReplaceAllString(page, "")
	code = append(code, inset.FindAllString(prose, -1)...)
	for _, m := range inline.FindAllStringSubmatch(prose, -1) {
		code = append(code, strings.ReplaceAll(m[1], "\n", " "))
	}
	return code
}

var (
	// word is a word of a line as a shell reads it, or what ends a command there. Writers end one with a gap, too.
	word = regexp.MustCompile(`"[^"]*"|'[^']*'| {2,}|[|;&<>#()]+|[^\s"'|;&<>#()]+`)
	ends = regexp.MustCompile(`^ {2,}$|^[|;&<>#()]+$`)
)

// holdCommands fails for each command that the program does not have, and says how many there are.
func holdCommands(t *testing.T, where, code string) (n int) {
	t.Helper()
	for _, line := range strings.Split(code, "\n") {
		words := append(word.FindAllString(strings.ReplaceAll(line, ", ", " ; "), -1), ";")
		for begin := 0; begin < len(words); {
			end := begin + slices.IndexFunc(words[begin:], ends.MatchString)
			command := words[begin:end]
			begin = end + 1
			if len(command) > 0 && command[0] == "$" {
				command = command[1:]
			}
			if len(command) < 2 || command[0] != "ibid" && command[0] != "bin/ibid" || command[1] == "log" { // "ibid log entry v1" begins what is hashed
				continue
			}
			n++
			if missing := missingOf(command[1:]); missing != "" {
				t.Errorf("%s shows %s: there is no %s", where, strings.Join(command, " "), missing)
			}
		}
	}
	return n
}

// missingOf says what of a command there is not, "" where there is all of it.
func missingOf(words []string) string {
	if words[0] == "help" {
		words = words[1:]
	}
	cmd, rest, err := rootCmd(&app{}).Find(words)
	if err != nil {
		return words[0]
	}
	cmd.InheritedFlags() // its flags are then those of all above it, too
	cmd.InitDefaultHelpFlag()
	for i, w := range rest {
		name, isFlag := strings.CutPrefix(w, "-")
		var f *pflag.Flag
		switch {
		case !isFlag || name == "":
			if i == 0 && cmd.HasAvailableSubCommands() {
				return cmd.CommandPath() + " " + w
			}
			continue
		case name[0] == '-':
			name, _, _ = strings.Cut(name[1:], "=")
			f = cmd.Flags().Lookup(name)
		default:
			f = cmd.Flags().ShorthandLookup(name[:1])
		}
		if f == nil {
			return w + " of " + cmd.CommandPath()
		}
	}
	return ""
}
