package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// assistant is a client of the real program, and the same library on the command line.
type assistant struct {
	typist
	path    string
	session *mcp.ClientSession
	out     *bytes.Buffer // all that the program wrote on standard output
}

// newAssistant starts ibid mcp over the sample library.
func newAssistant(t *testing.T, flags ...string) assistant {
	t.Helper()
	a := assistant{typist: newTypist(t), path: program(t), out: &bytes.Buffer{}}
	a.run("ibid ingest -q examples/library")
	cmd := exec.Command(a.path, append([]string{"mcp"}, flags...)...)
	cmd.Env = a.env
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	heard := io.TeeReader(stdout, writerFunc(func(p []byte) (int, error) { mu.Lock(); defer mu.Unlock(); return a.out.Write(p) }))
	a.session, err = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: io.NopCloser(heard), Writer: stdin}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, complaints.String())
	}
	t.Cleanup(func() {
		stdin.Close() // the client leaves
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case err := <-done:
			if err != nil || complaints.Len() > 0 {
				t.Errorf("the program ended with %v and said:\n%s", err, complaints.String())
			}
		case <-time.After(20 * time.Second):
			cmd.Process.Kill()
			t.Error("the program goes on without its client")
		}
		mu.Lock()
		defer mu.Unlock()
		lines := bufio.NewScanner(a.out)
		lines.Buffer(nil, 16<<20)
		n := 0
		for ; lines.Scan(); n++ {
			var message struct{ JSONRPC string }
			if json.Unmarshal(lines.Bytes(), &message) != nil || message.JSONRPC != "2.0" {
				t.Errorf("this is no message of the protocol: %.200s", lines.Text())
			}
		}
		if n == 0 {
			t.Error("nothing was said")
		}
	})
	return a
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// call calls a tool and reads its form.
func (a assistant) call(tool string, args map[string]any, into any) {
	a.t.Helper()
	res, err := a.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Fatal(err)
	}
	b, _ := json.Marshal(res.StructuredContent)
	if res.IsError {
		b, _ = json.Marshal(res.Content)
		a.t.Fatalf("%s: %s", tool, b)
	}
	if err := json.Unmarshal(b, into); err != nil {
		a.t.Fatal(err)
	}
}

// typed reads what a command prints as JSON.
func (a assistant) typed(into any, args ...string) {
	a.t.Helper()
	cmd := exec.Command(a.path, args...)
	cmd.Env, cmd.Dir = a.env, "../.."
	b, err := cmd.Output()
	if err != nil {
		a.t.Fatalf("%v: %v", args, err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		a.t.Fatalf("%v: %v\n%s", args, err, b)
	}
}

type quoted struct {
	Quote string
}

// What a tool says is what the command line says of the same.
func TestToolsSayWhatTheCommandLineSays(t *testing.T) {
	a := newAssistant(t)

	t.Run("attribute", func(t *testing.T) {
		dir := t.TempDir()
		answer := "The first cable was completed on 5 August 1858 [1]. Naïve crews — “heroes” — laid it in 1758 [2]. Bananas are cheap. It failed after about three weeks, because of the moon [1, 9]."
		texts := []string{"The first transatlantic cable was completed on 5 August 1858. It failed after three weeks.", "The crews laid it in 1858, in fog."}
		var sources []any
		args := []string{"attribute", "--json", "--answer", filepath.Join(dir, "answer.txt")}
		for i, s := range texts {
			name := fmt.Sprintf("s%d.txt", i+1)
			os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600)
			args = append(args, "--source", filepath.Join(dir, name))
			sources = append(sources, map[string]any{"id": name, "text": s})
		}
		os.WriteFile(filepath.Join(dir, "answer.txt"), []byte(answer), 0o600)
		var typed struct {
			Segments []struct {
				Start, End          int
				Text, Origin        string
				Support, Confidence float64
				Sources             []quoted
				Unsupported         []struct{ Start, End int }
				Contradicted        []struct{ Reason string }
				Claimed             *struct{ Dangling []int }
				Reasons             []string
				RAG                 float64 `json:"-"`
			}
			RAG float64 `json:"ragContribution"`
		}
		var told struct {
			Text     string
			Segments []struct {
				Start, End          int
				Text, Origin        string
				Support, Confidence float64
				Evidence            []quoted
				Unsupported         []string
				Contradicted        []struct{ Reason string }
				Dangling            []int
				Reasons             []string
			}
			From float64 `json:"from_sources"`
		}
		a.typed(&typed, args...)
		a.call("attribute", map[string]any{"answer": answer, "sources": sources}, &told)
		if len(typed.Segments) != len(told.Segments) || len(typed.Segments) != 4 || math.Abs(typed.RAG-told.From) > 0.0051 {
			t.Fatalf("%d segments typed, %d told; shares %v, %v", len(typed.Segments), len(told.Segments), typed.RAG, told.From)
		}
		runes := []rune(told.Text)
		for i, x := range typed.Segments {
			y := told.Segments[i]
			var words []string
			for _, u := range x.Unsupported {
				words = append(words, string(runes[u.Start:u.End]))
			}
			var dangling []int
			if x.Claimed != nil {
				dangling = x.Claimed.Dangling
			}
			same := x.Start == y.Start && x.End == y.End && x.Text == y.Text && x.Origin == y.Origin && floor(x.Support) == y.Support && floor(x.Confidence) == y.Confidence &&
				fmt.Sprint(x.Sources) == fmt.Sprint(y.Evidence) && fmt.Sprint(words) == fmt.Sprint(y.Unsupported) && fmt.Sprint(x.Contradicted) == fmt.Sprint(y.Contradicted) &&
				fmt.Sprint(dangling) == fmt.Sprint(y.Dangling) && fmt.Sprint(x.Reasons) == fmt.Sprint(y.Reasons)
			if !same {
				t.Errorf("typed %+v\n told %+v", x, y)
			}
		}
	})

	t.Run("ask and search", func(t *testing.T) {
		const question = "When was the first transatlantic cable laid?"
		var typed struct {
			Text     string
			Passages []struct {
				Rank  int
				Chunk struct{ Text string }
			}
			Citations []quoted
		}
		var told struct{ Text string }
		var found struct {
			Passages []struct {
				Number int
				Text   string
			}
		}
		a.typed(&typed, "ask", "--json", question)
		a.call("ask", map[string]any{"question": question}, &told)
		a.call("search", map[string]any{"query": question}, &found)
		if told.Text != typed.Text || typed.Text == "" {
			t.Errorf("typed %q, told %q", typed.Text, told.Text)
		}
		if len(found.Passages) != len(typed.Passages) || len(found.Passages) == 0 {
			t.Fatalf("%d typed, %d found", len(typed.Passages), len(found.Passages))
		}
		for i, p := range typed.Passages {
			if found.Passages[i].Text != p.Chunk.Text || found.Passages[i].Number != p.Rank {
				t.Errorf("passage %d differs", i+1)
			}
		}
	})

	t.Run("find", func(t *testing.T) {
		type found struct{ ID, Question, Excerpt string }
		var typed []found
		var told struct{ Answers []found }
		a.run(`ibid ask -q "Who designed the Great Eastern?"`)
		a.typed(&typed, "show", "--json", "--find", "great east")
		a.call("find", map[string]any{"words": "great east"}, &told)
		if len(typed) == 0 || typed[0].Excerpt == "" || !reflect.DeepEqual(typed, told.Answers) {
			t.Errorf("typed %+v, told %+v", typed, told)
		}
	})

	t.Run("cite", func(t *testing.T) {
		const records = "@article{a, author={Ada Lovelace and Charles Babbage}, title={On engines}, journal={Notes}, year=1843, pages={1--20}}\n@book{b, author={Jane Doe}, title={Cables}, publisher={Sea Press}, year=1999}\n"
		file := filepath.Join(t.TempDir(), "a.bib")
		os.WriteFile(file, []byte(records), 0o600)
		for _, how := range [][]string{{"apa", "bibliography"}, {"ieee", "bibliography"}, {"chicago-notes", "citation"}} {
			typed := a.run("ibid cite -q --style " + how[0] + " --mode " + how[1] + " " + file)
			var told struct{ Entries []string }
			a.call("cite", map[string]any{"records": records, "style": how[0], "mode": how[1]}, &told)
			if got := strings.Join(told.Entries, "\n") + "\n"; got != typed {
				t.Errorf("%v: typed\n%stold\n%s", how, typed, got)
			}
		}
		var told struct{ Entries []string }
		a.call("cite", map[string]any{"records": records, "format": "bibtex"}, &told)
		if typed := a.run("ibid convert -q --to bibtex " + file); strings.TrimRight(told.Entries[0], "\n") != strings.TrimRight(typed, "\n") {
			t.Errorf("typed\n%stold\n%s", typed, told.Entries[0])
		}
	})

	t.Run("gate", func(t *testing.T) {
		const question = "When was the first transatlantic cable laid?"
		var typed struct {
			Text    string
			Verdict struct {
				Pass     bool
				Outcome  string
				Coverage float64
				Policy   string
			}
			Passages []struct{ Chunk struct{ Text string } }
		}
		a.typed(&typed, "ask", "--json", "--policy", "regulated", question)
		var sources []any
		for _, p := range typed.Passages {
			sources = append(sources, map[string]any{"text": p.Chunk.Text})
		}
		var told struct {
			Gate struct {
				Show     bool `json:"may_be_shown"`
				Outcome  string
				Coverage float64
				Version  string `json:"policy_version"`
			}
		}
		a.call("gate", map[string]any{"answer": typed.Text, "policy": "regulated", "sources": sources}, &told)
		if g, v := told.Gate, typed.Verdict; g.Show != v.Pass || g.Outcome != v.Outcome || math.Abs(g.Coverage-v.Coverage) > 0.005 || g.Version != v.Policy {
			t.Errorf("typed %+v, told %+v", v, g)
		}
	})

	t.Run("prove and verify", func(t *testing.T) {
		var typed map[string]any
		var told struct {
			Entry   int
			Receipt map[string]any
		}
		a.typed(&typed, "audit", "prove", "3")
		a.call("prove", map[string]any{"entry": 3}, &told)
		if !reflect.DeepEqual(typed, told.Receipt) {
			t.Errorf("typed %v\n told %v", typed, told.Receipt)
		}
		var report struct {
			Entries  int
			Root     string
			Problems []any
		}
		var verified struct {
			Holds    bool
			Entries  int
			Root     string
			Problems []any
		}
		a.typed(&report, "audit", "verify", "--json", "-q")
		a.call("verify", nil, &verified)
		if verified.Holds != (len(report.Problems) == 0) || verified.Entries != report.Entries || verified.Root != report.Root {
			t.Errorf("typed %+v, told %+v", report, verified)
		}
	})
}

func floor(p float64) float64 { return math.Floor(p*100+1e-9) / 100 }

// Files are taken from the folder that is open alone, whatever the path or link says, and are the same sources that ibid ingest
// makes of them.
func TestFilesAreTakenFromTheOpenFolder(t *testing.T) {
	dir := t.TempDir()
	open := filepath.Join(dir, "open")
	for name, text := range map[string]string{"open/notes.md": "The ship sailed at dawn.", "secret.md": "A secret."} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700)
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
	}
	os.Symlink(filepath.Join(dir, "secret.md"), filepath.Join(open, "link.md"))
	a := newAssistant(t, "--write", "--files", open)
	for _, path := range []string{"../secret.md", "link.md", filepath.Join(dir, "secret.md"), "/etc/passwd", ".", "none.md", "notes.md\x00"} {
		res, err := a.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ingest", Arguments: map[string]any{"path": path}})
		if err != nil || !res.IsError {
			t.Errorf("%q was taken in, or failed: %v", path, err)
		}
	}
	var got, again struct {
		Source string
		New    bool
	}
	a.call("ingest", map[string]any{"path": "notes.md"}, &got)
	a.call("ingest", map[string]any{"path": filepath.Join(open, "notes.md")}, &again)
	if !got.New || again.New || got.Source != again.Source {
		t.Errorf("%+v, then %+v", got, again)
	}
	if out := a.run("ibid ingest " + filepath.Join(open, "notes.md")); !strings.Contains(out, "1 unchanged") {
		t.Errorf("ibid ingest makes another of it: %s", out)
	}
	res, err := a.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ingest", Arguments: map[string]any{"url": "http://127.0.0.1:1/"}})
	if b, _ := json.Marshal(res.Content); err != nil || !res.IsError || !strings.Contains(string(b), "refused") {
		t.Errorf("a private address: %v %s", err, b)
	}
}
