package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
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
	return startAssistant(t, nil, nil, flags...)
}

// startAssistant does, with more settings for the program and for its client.
func startAssistant(t *testing.T, env []string, options *mcp.ClientOptions, flags ...string) assistant {
	t.Helper()
	a := assistant{typist: newTypist(t), path: program(t), out: &bytes.Buffer{}}
	a.run("ibid ingest -q examples/library")
	cmd := exec.Command(a.path, append([]string{"mcp"}, flags...)...)
	cmd.Env = append(slices.Clone(a.env), env...)
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
	a.session, err = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options).Connect(t.Context(), &mcp.IOTransport{Reader: io.NopCloser(heard), Writer: stdin}, nil)
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
	a.typedWith(0, into, args...)
}

// typedWith does for a command that ends with a code.
func (a assistant) typedWith(code int, into any, args ...string) {
	a.t.Helper()
	cmd := exec.Command(a.path, args...)
	cmd.Env, cmd.Dir = a.env, "../.."
	b, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != code {
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
		a.run(`ibid ask -q --conversation ships "Who designed the Great Eastern?"`)
		typed, told.Answers = nil, nil
		a.typed(&typed, "show", "--json", "--conversation", "ships")
		a.call("find", map[string]any{"conversation": "ships"}, &told)
		if len(typed) != 1 || !reflect.DeepEqual(typed, told.Answers) {
			t.Errorf("of a conversation: typed %+v, told %+v", typed, told)
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

	t.Run("export", func(t *testing.T) {
		var asked struct{ ID string }
		a.call("ask", map[string]any{"question": "When was the first transatlantic cable laid?"}, &asked)
		for _, to := range []string{"markdown", "html", "bibtex", "ris", "csljson", "webannotation"} {
			var told struct{ Text string }
			a.call("export", map[string]any{"answer": asked.ID, "to": to, "style": "apa"}, &told)
			told.Text = strings.ReplaceAll(told.Text, " \n", "\n") // as what is typed is read here
			if typed := a.run("ibid export -q " + asked.ID + " --style apa --to " + to); told.Text == "" || told.Text != typed {
				t.Errorf("%s: typed\n%s\ntold\n%s", to, typed, told.Text)
			}
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

	t.Run("think", func(t *testing.T) {
		const question = "Who dismissed Whitehouse, and when did lasting service begin?"
		type step struct{ Question, Text string }
		var typed struct {
			Text  string
			Steps []step
		}
		var told struct {
			Text  string
			Steps []step
		}
		a.typed(&typed, "think", "--json", "--form", "answer", "--strategy", "decomposition", question)
		a.call("think", map[string]any{"question": question, "strategy": "decomposition"}, &told)
		if typed.Text == "" || len(typed.Steps) < 2 || !reflect.DeepEqual(typed, told) {
			t.Errorf("typed %+v, told %+v", typed, told)
		}
	})

	t.Run("argue", func(t *testing.T) {
		const claim = "The directors dismissed Whitehouse"
		type argued struct {
			Weighed struct {
				Words string `json:"in_words"`
			}
			Statements []struct {
				ID, Text string
				Status   string `json:"verification_status"`
				Places   []quoted
			}
			Findings []struct{ Kind, Severity, Reason string }
			Sources  []struct {
				Number    int
				ID, Title string
			}
		}
		var typed, told argued
		a.typed(&typed, "argue", "-q", "--to", "json", claim)
		a.call("argue", map[string]any{"claim": claim}, &told)
		if len(typed.Statements) == 0 || !reflect.DeepEqual(typed, told) {
			t.Errorf("typed %+v\ntold %+v", typed, told)
		}
	})

	t.Run("conflicts", func(t *testing.T) {
		type side struct{ Source, Quote string }
		type finding struct {
			Kind, Severity, Reason string
			A, B                   side
		}
		var typed, told struct {
			Compared  int
			Conflicts []finding
		}
		a.typed(&typed, "conflicts", "--json")
		a.call("conflicts", map[string]any{"limit": 200}, &told)
		if typed.Compared == 0 || !reflect.DeepEqual(typed, told) {
			t.Errorf("typed %+v, told %+v", typed, told)
		}
		dir := t.TempDir()
		var texts []any
		args := []string{"conflicts", "--json"}
		for i, text := range []string{"Lasting service across the Atlantic began in 1866.", "Lasting service across the Atlantic began in 1871."} {
			name := filepath.Join(dir, fmt.Sprintf("%d.txt", i))
			os.WriteFile(name, []byte(text), 0o600)
			args = append(args, name)
			texts = append(texts, map[string]any{"text": text})
		}
		typed.Conflicts, told.Conflicts = nil, nil
		a.typed(&typed, args...)
		a.call("conflicts", map[string]any{"texts": texts}, &told)
		if len(typed.Conflicts) != 1 || len(told.Conflicts) != 1 || typed.Conflicts[0].Reason != told.Conflicts[0].Reason || typed.Conflicts[0].B.Quote != told.Conflicts[0].B.Quote {
			t.Errorf("typed %+v, told %+v", typed, told)
		}
	})

	t.Run("check", func(t *testing.T) {
		dir := t.TempDir()
		citations := []any{map[string]any{"source": "https://arxiv.org/abs/1706.03762", "confidence": 0.9, "location": "page 4"}, map[string]any{"source": " ", "confidence": 2},
			map[string]any{"source": "atlantic-telegraph.md", "confidence": 0.5, "snippet": "completed on 5 August 1858"}}
		b, _ := json.Marshal(citations)
		file := filepath.Join(dir, "citations.json")
		os.WriteFile(file, b, 0o600)
		type report struct {
			Valid                             bool `json:"is_valid"`
			Errors, Recommendations, Findings []string
			Scores                            map[string]any
			Quote                             *struct{ Found bool }
		}
		var typed []report
		var told struct{ Citations []report }
		a.typedWith(1, &typed, "check", "--json", "--library", file)
		a.call("check", map[string]any{"citations": citations}, &told)
		for i := range told.Citations {
			if r := &told.Citations[i]; len(r.Findings) == 0 {
				r.Findings = nil
			}
		}
		if len(typed) != 3 || typed[2].Quote == nil || !reflect.DeepEqual(typed, told.Citations) {
			t.Errorf("typed %+v, told %+v", typed, told)
		}
		const records = "@book{a, title={Cables}, author={Jane Doe}, year=1999, isbn={978-3-16-148410-1}}\n@book{b, title={Cables}, author={Jane Doe}, year=1999}\n"
		file = filepath.Join(dir, "a.bib")
		os.WriteFile(file, []byte(records), 0o600)
		type found struct {
			ID, Title string
			Findings  []string
		}
		var written []found
		var said struct{ References []found }
		a.typed(&written, "check", "--json", "-q", file)
		a.call("check", map[string]any{"records": records}, &said)
		if len(written) != 2 || !reflect.DeepEqual(written, said.References) {
			t.Errorf("typed %+v, told %+v", written, said)
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

// A run that an assistant keeps is one of the command line's, and its verdict is what ibid run finish would say; what ends is
// appended to the file of AUDIT_LOG_PATH.
func TestRunsAreThoseOfTheCommandLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	a := startAssistant(t, []string{"AUDIT_LOG_PATH=" + file}, nil, "--write")
	var found struct {
		Passages []struct{ Passage, Text string }
	}
	a.call("search", map[string]any{"query": "When did lasting service begin?"}, &found)
	var told struct {
		ID     string
		Claims []struct{ Text, Trust string }
		Gate   struct {
			Outcome  string
			Coverage float64
			Version  string `json:"policy_version"`
		}
	}
	a.call("run_claim", map[string]any{"sources": []any{map[string]any{"id": "telegraph", "passage": found.Passages[0].Passage}},
		"claims": []any{map[string]any{"text": "It began in 1866.", "source": "telegraph", "quotes": []any{"1866"}}, map[string]any{"text": "It is blue."}}}, &told)
	typed := func() (run struct {
		Claims  []struct{ Text string }
		Verdict *struct {
			Outcome, Policy string
			Coverage        float64
		}
	}) {
		a.typed(&run, "run", "report", told.ID, "--to", "json")
		return run
	}
	if run := typed(); len(run.Claims) != 2 || run.Verdict != nil || run.Claims[0].Text != told.Claims[0].Text {
		t.Errorf("typed %+v, told %+v", run, told)
	}
	a.run("ibid run claim " + told.ID + ` "Typed by hand."`)
	a.call("run_finish", map[string]any{"run": told.ID, "policy": "internal"}, &told)
	run := typed()
	if v, g := run.Verdict, told.Gate; len(run.Claims) != 3 || v == nil || v.Outcome != g.Outcome || v.Policy != g.Version || math.Abs(v.Coverage-g.Coverage) > 0.005 {
		t.Errorf("typed %+v, told %+v", run, told)
	}
	if b, err := os.ReadFile(file); err != nil || strings.Count(string(b), "\n") != 3 {
		t.Errorf("passed on %s, %v", b, err)
	}
	if out := a.run("ibid run list"); !strings.Contains(out, told.ID) {
		t.Errorf("listed %s", out)
	}
}

// A client that asks hears how far a long call is. One that cancels it stops the program's own request to the model, and is
// served further.
func TestLongCallsTellAndStop(t *testing.T) {
	attributed, left := make(chan string, 100), make(chan bool, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"id\":\"1\",\"model\":\"scripted-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"The cable was completed on 5 August 1858. It carried messages. And \"}}]}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		left <- true
	}))
	defer server.Close()
	a := startAssistant(t, []string{"IBID_PROVIDER=openai", "IBID_MODEL=any", "IBID_BASE_URL=" + server.URL, "OPENAI_API_KEY=test"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			if r.Params.ProgressToken == "p1" && strings.Contains(r.Params.Message, "attributed") {
				attributed <- r.Params.Message
			}
		}})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // of who hears nothing
	call := &mcp.CallToolParams{Name: "ask", Arguments: map[string]any{"question": "When was the cable completed?"}}
	call.SetProgressToken("p1")
	go func() { <-attributed; cancel() }()
	if _, err := a.session.CallTool(ctx, call); err == nil {
		t.Error("it went through")
	}
	select {
	case <-left:
	case <-time.After(20 * time.Second):
		t.Fatal("the model is still asked")
	}
	var found struct{ Passages []any }
	a.call("search", map[string]any{"query": "cable"}, &found)
	if len(found.Passages) == 0 {
		t.Error("it is not served further")
	}
	var kept []struct{ Question, Incomplete string }
	for end := time.Now().Add(10 * time.Second); len(kept) == 0 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		a.typed(&kept, "show", "--json", "--find", "completed")
	}
	if len(kept) != 1 {
		t.Errorf("on record: %+v", kept)
	}
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
