package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
)

// The name of a file is somebody's input: it neither moves the cursor nor breaks a line, in errors, lists and answers.
func TestNamesOfFilesStayInTheirPlace(t *testing.T) {
	dir, data, exe := t.TempDir(), t.TempDir(), program(t)
	for name, content := range map[string]string{
		"good\x1b[31m\nkeeper.txt": "The keeper of the lighthouse was Anna Vos.\n",
		"bad\x1b]0;title\a\n.txt":  "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Skipf("the file system has no such names: %v", err)
		}
	}
	for _, args := range [][]string{{"ingest", dir}, {"sources"}, {"ask", "Who was the keeper of the lighthouse?"}, {"show", "last", "1"}} {
		out, _ := ibidCommand(t.Context(), exe, data, args...).CombinedOutput()
		if i := bytes.IndexFunc(out, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }); i >= 0 {
			t.Errorf("%v: a control character at %d of %q", args, i, out)
		}
		for _, line := range strings.Split(string(out), "\n") {
			if strings.HasPrefix(line, "keeper.txt") || strings.HasPrefix(line, ".txt") {
				t.Errorf("%v: a name breaks a line of %q", args, out)
			}
		}
	}
}

// Everything below an answer fits a narrow terminal, but for words that are longer than a line.
func TestAnswerFitsItsTerminal(t *testing.T) {
	text := "Anna Vos kept the lighthouse of Urk for many years of her life."
	p := ibid.Passage{Rank: 1, Chunk: ibid.Chunk{Text: text, At: ibid.Anchor{Document: ibid.HashText(text), Span: ibid.Span{End: len(text)}}},
		Source: ibid.Source{ID: "s", URI: "file:///a-note-on-lighthouses.md", Reference: ibid.Reference{Text: map[string]string{"title": "A Note on the Lighthouses of the Inland Sea"}}}}
	a := ibid.Answer{Text: text, Passages: []ibid.Passage{p}, Model: "extractive",
		Segments:  []ibid.Segment{{At: ibid.Span{End: len(text)}, Origin: ibid.RAG, Refs: []int{1}}},
		Citations: []ibid.Citation{{Number: 1, Source: "s", At: p.Chunk.At, Quote: text, Confidence: 0.9}}}
	for _, width := range []int{20, 40, 80} {
		var b bytes.Buffer
		newAnswerPrinter(paint{width: width}, &b).whole(a)
		for _, line := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > width && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("width %d: %d characters in %q", width, n, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Errorf("width %d: blanks at the end of %q", width, line)
			}
		}
	}
}

// The shares say where words come from; that a source denies some of them is said in the same line.
func TestSummarySaysWhatIsDenied(t *testing.T) {
	text := "It failed. It was mended."
	denied := func(s ibid.Span) ibid.Segment {
		return ibid.Segment{At: s, Origin: ibid.RAG, Refs: []int{1}, Contradicted: []ibid.Contradiction{{Of: s}, {Of: s}}}
	}
	first, second := ibid.Span{End: 10}, ibid.Span{Start: 11, End: 25}
	a := ibid.Answer{Text: text, Citations: []ibid.Citation{{Number: 1, Source: "s"}}}
	for want, segments := range map[string][]ibid.Segment{
		"100 % from 1 source, 0 % the model's own · 0 retrieved":                                  {{At: first, Origin: ibid.RAG}},
		"100 % from 1 source, 0 % the model's own · 1 sentence denied by a source · 0 retrieved":  {denied(first), {At: second, Origin: ibid.RAG}},
		"100 % from 1 source, 0 % the model's own · 2 sentences denied by a source · 0 retrieved": {denied(first), denied(second)},
	} {
		a.Segments = segments
		if got := summary(a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A quote is cut where that makes it a good deal shorter; an ellipsis for a word or two is no gain.
func TestExcerptCutsOnlyWhatPays(t *testing.T) {
	words := func(n int) string { return strings.TrimSuffix(strings.Repeat("tossed ", n), " ") }
	for n := 1; n < 100; n++ {
		for _, quote := range []string{words(n), strings.Repeat("字", 7*n), strings.Repeat("x", 7*n)} {
			got, long := excerpt(quote, 240), utf8.RuneCountInString(quote)
			saved := long - utf8.RuneCountInString(got)
			switch {
			case got == quote:
				if long > 240+30 {
					t.Errorf("%d characters are whole", long)
				}
			case long <= 240 || saved < 20 || strings.Count(got, " … ") != 1:
				t.Errorf("of %d characters %d are saved: %q", long, saved, got)
			case long-saved > 243:
				t.Errorf("%d characters are left: %q", long-saved, got)
			}
		}
	}
}

// An answer whose reader left is in the record all the same.
func TestAnswerIsRecordedThoughItsReaderLeft(t *testing.T) {
	dir, data, exe := t.TempDir(), t.TempDir(), program(t)
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("The keeper of the lighthouse was Anna Vos.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := ibidCommand(t.Context(), exe, data, "ingest", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := ibidCommand(context.Background(), exe, data, "ask", "Who was the keeper of the lighthouse?")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &said
	cmd.Run()
	w.Close()
	if code := cmd.ProcessState.ExitCode(); code != 141 || said.Len() > 0 {
		t.Errorf("exit code %d, said %q", code, said.String())
	}
	out, err := ibidCommand(t.Context(), exe, data, "show", "last").CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("Anna Vos")) {
		t.Errorf("recorded %s, %v", out, err)
	}
}

// Lists fit their terminal: where a row is too long for a line it is told in several, most of each line is words, and nothing is
// lost. Without a terminal a row is one line, for grep and the like.
func TestListsFitTheirTerminal(t *testing.T) {
	for _, rows := range [][][]string{
		{
			{"9c381a", "Wildman Whitehouse, Electrician of the Atlantic Cable", "whitehouse.html", "1 version", "2026-11-16", "unknown .22"},
			{"0e1afa", "神子元島灯台の歴史と灯台守の記録および設計図面について", "灯台.txt", "12 versions", "2026-11-16", "peer-reviewed .89"},
		},
		{
			{"apa", "American Psychological Association, 7th edition", "author-date, built in, 2026"},
			{"the-institute-of-electrical-and-electronics-engineers-of-urk", "IEEE Urk", "numeric, 2026"},
		},
		{
			{"9c381a", "Wildman Whitehouse, Electrician of the Atlantic Cable, and all that came of it in 2026"},
			{"0e1afa", "Letters of Cyrus W. Field to his brother, from the deck of the Niagara, until 2026"},
		},
	} {
		for _, width := range []int{20, 40, 80, 100, 200} {
			for _, terminal := range []bool{true, false} {
				listFits(t, rows, terminal, width)
			}
		}
	}
}

func listFits(t *testing.T, rows [][]string, terminal bool, width int) {
	t.Helper()
	var b bytes.Buffer
	a := &app{out: &b, env: func(string) string { return "" }, terminal: terminal, width: func() int { return width }}
	a.flags.color = "never"
	a.printRows(rows)
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, line := range lines {
		words := strings.TrimSpace(line)
		if terminal && columns(line) > width && strings.Contains(words, " ") {
			t.Errorf("width %d: %d columns in %q", width, columns(line), line)
		}
		if words == "" || terminal && len(line)-len(strings.TrimLeft(line, " ")) > width/2 {
			t.Errorf("width %d: little but blanks in %q", width, line)
		}
	}
	last := len(rows[0]) - 1
	if !terminal && (len(lines) != len(rows) || last > 1 && columns(before(lines[0], rows[0][last])) != columns(before(lines[1], rows[1][last]))) {
		t.Errorf("without a terminal:\n%s", b.String())
	}
	together := strings.Join(strings.Fields(b.String()), "")
	for _, row := range rows {
		for _, c := range row {
			if !strings.Contains(together, strings.Join(strings.Fields(c), "")) {
				t.Errorf("width %d: %q is lost in\n%s", width, c, b.String())
			}
		}
	}
}

// An entry of the log has two lines on a narrow terminal, of which the first says what it is: the text of a payload is no prose.
func TestEntriesFitTheirTerminal(t *testing.T) {
	entries := []ibid.Entry{
		{Index: 9, Kind: "study", Data: []byte(`{"study":"ad5560e2ae2e291f","whole":"ccdbe8970bfbbcbb55980c0d28cccfb7ff9a327d40bb7bc19cfdd7c29e8a9bcc"}`)},
		{Index: 10, Kind: "source-removed", Data: []byte(`{"source":"3645fc3847dcbee3","uri":"file:///letters of a lady.md","more":"` + strings.Repeat("words ", 40) + `"}`)},
		{Index: 11, Kind: "answer"},
	}
	for _, width := range []int{60, 80, 200} {
		var b bytes.Buffer
		a := &app{out: &b, env: func(string) string { return "" }, terminal: true, width: func() int { return width }}
		a.flags.color = "never"
		a.printEntries(entries)
		if strings.Count(b.String(), "\n") != 2*len(entries) || !strings.Contains(b.String(), "UTC  source-removed") {
			t.Errorf("width %d:\n%s", width, b.String())
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if columns(line) > width {
				t.Errorf("width %d: %d columns in %q", width, columns(line), line)
			}
		}
	}
}

func before(line, cell string) string {
	head, _, _ := strings.Cut(line, cell)
	return head
}

// So do rows that are no table: on a terminal the rest hangs below, and elsewhere a row is one line, as it was given.
func TestRowsFitTheirTerminal(t *testing.T) {
	const said = "c3269c  2026-11-18 16:19  done      When was the first transatlantic cable laid, and who paid for it?"
	for _, width := range []int{20, 40, 80, 200} {
		for _, terminal := range []bool{true, false} {
			for _, color := range []string{"never", "always"} {
				var b bytes.Buffer
				a := &app{out: &b, env: func(string) string { return "" }, terminal: terminal, width: func() int { return width }}
				a.flags.color = color
				a.line("        ", "%s", said)
				a.row("  ").add(red, said+"\n")
				got := strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(b.String())
				if !terminal && got != said+"\n"+said+"\n" {
					t.Errorf("without a terminal: %q", got)
				}
				for _, line := range strings.Split(got, "\n") {
					if terminal && columns(line) > width && strings.Contains(strings.TrimSpace(line), " ") {
						t.Errorf("width %d: %d columns in %q", width, columns(line), line)
					}
				}
				if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(said+" "+said), " ") {
					t.Errorf("width %d: %q", width, got)
				}
			}
		}
	}
}

// What people read of the library fits a terminal of 40 columns, but for words that are longer than a line and commands to copy.
func TestListsOfTheLibraryFitATerminal(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	note := filepath.Join(dir, "a-note-on-the-lighthouses-of-the-inland-sea.txt")
	if err := os.WriteFile(note, []byte("The keeper of the lighthouse was Anna Vos, who kept it for many years.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"IBID_DATA": data, "HOME": data, "IBID_JUDGE": "off"}
	for _, args := range [][]string{
		{"ingest", note}, {"ask", "Who was the keeper of the lighthouse, and for how long did she keep it?"}, {"feedback", "add", "last", "1", "right", "--by", "the keeper of the keys"},
		{"keys", "create", "--name", "a reader of the lighthouse"}, {"show"}, {"show", "last"}, {"show", "--find", "lighthouse"}, {"sources"}, {"sources", "check"}, {"sources", "quality", "last"},
		{"feedback"}, {"insights"}, {"keys", "list"}, {"audit", "list"}, {"audit", "verify"}, {"audit", "replay", "last"}, {"styles"},
	} {
		var out bytes.Buffer
		a := &app{in: strings.NewReader(""), out: &out, err: io.Discard, env: func(name string) string { return env[name] }, now: time.Now, terminal: true, width: func() int { return 40 }}
		a.run(t.Context(), append([]string{"--color", "never"}, args...))
		for _, line := range strings.Split(out.String(), "\n") {
			if columns(line) > 40 && len(strings.Fields(line)) > 2 && !strings.HasPrefix(line, "ibid ") {
				t.Errorf("%v: %d columns in %q", args, columns(line), line)
			}
		}
	}
}

// The styles of a library of many thousand have long names and titles, and fit as other lists do. A name that is longer than a line stands in one of its own.
func TestStylesFitTheirTerminal(t *testing.T) {
	for _, width := range []int{40, 80} {
		var b bytes.Buffer
		a := &app{out: &b, env: func(string) string { return "" }, terminal: true, width: func() int { return width }}
		a.flags.color = "never"
		if err := a.listStyles(nil, false); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if columns(line) > width && len(strings.Fields(line)) > 1 {
				t.Errorf("width %d: %d columns in %q", width, columns(line), line)
			}
		}
	}
}

// Words of scripts without blanks fill their lines as others do, and no line begins with what closes: such a mark may stand out
// where words come one by one, as a model writes them.
func TestJapaneseFitsItsTerminal(t *testing.T) {
	text := "神子元島灯台は1870年に点灯した。設計者は「リチャード・ブラントン」である。灯台の高さは23メートルである。¹ ローマ字 mixed in. "
	for _, width := range []int{20, 40, 80} {
		p := paint{width: width}
		var whole, pieces strings.Builder
		p.flowing(&whole, "  ").add(plain, strings.Repeat(text, 3))
		f := p.flowing(&pieces, "  ")
		for _, r := range strings.Repeat(text, 3) {
			f.add(plain, string(r))
		}
		if got := strings.NewReplacer("\n  ", "", " ", "").Replace(whole.String()); got != strings.ReplaceAll(strings.Repeat(text, 3), " ", "") {
			t.Errorf("width %d: the words are %q", width, got)
		}
		if strings.Count(whole.String(), "\n") > 2*columns(strings.Repeat(text, 3))/(width-2) {
			t.Errorf("width %d: the lines are not filled:\n%s", width, whole.String())
		}
		for _, written := range []string{whole.String(), pieces.String()} {
			for _, line := range strings.Split(written, "\n") {
				if columns(line) > width+2 || strings.HasPrefix(strings.TrimSpace(line), "。") || strings.HasPrefix(strings.TrimSpace(line), "¹") || strings.HasSuffix(line, "「") {
					t.Errorf("width %d: %d columns in %q", width, columns(line), line)
				}
			}
		}
	}
}

// The help of each command fits a terminal of 80 columns. What is there to be copied stays in one line: examples, and how the
// command is used.
func TestHelpFitsATerminal(t *testing.T) {
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		var b bytes.Buffer
		cmd.SetOut(&b)
		cmd.InitDefaultHelpFlag()
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if columns(line) > 80 && !strings.HasPrefix(line, "  "+cmd.CommandPath()) && !strings.Contains(cmd.Example, line) {
				t.Errorf("%s: %d columns in %q", cmd.CommandPath(), columns(line), line)
			}
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(rootCmd(&app{}))
}

// What turns the direction of writing, or moves the cursor, is taken out of all that is said: of records, of names of files, and of
// what is typed.
func TestNothingTurnsTheTerminal(t *testing.T) {
	const turn = "\u202e\u2066\u001b[1m"
	dir, self := t.TempDir(), program(t)
	for name, text := range map[string]string{
		"macro" + turn + ".bib": "@book{a, title = {On " + turn + "Cables}, publisher = foo" + turn + "}",
		"cut" + turn + ".bib":   "@book{a, title = {On Cables}}\n@book{b, title = }",
		"page" + turn + ".html": `<title>On ` + turn + `Cables</title><meta name="citation_doi" content="10.1000/x"><p>Words.`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Skipf("needs such names: %v", err)
		}
	}
	for _, tt := range []struct{ says, args string }{
		{"macro[1m.bib: line 1: there is no @string foo", "cite macro" + turn + ".bib"},
		{"cut[1m.bib: line 2: ", "convert --to ris cut" + turn + ".bib"},
		{"cut[1m.bib: 1 reference was read", "check cut" + turn + ".bib"},
		{"page[1m.html: names its DOI", "cite page" + turn + ".html"},
		{"ibid styles non[1msense searches them", "cite --style non" + turn + "sense macro" + turn + ".bib"},
	} {
		cmd := ibidCommand(t.Context(), self, dir, strings.Fields(tt.args)...)
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		if said := string(out); !strings.Contains(said, tt.says) || strings.ContainsAny(said, turn[:len(turn)-len("[1m")]) {
			t.Errorf("%q says %q, want %q", tt.args, said, tt.says)
		}
	}
}
