package mcp_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/index"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/mcp"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// world is a service over a library of its own.
type world struct {
	t       testing.TB
	store   *sqlite.Store
	dir     string // of the store
	service *mcp.Service
	log     *lines
}

type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(p []byte) (int, error) { l.mu.Lock(); defer l.mu.Unlock(); return l.b.Write(p) }
func (l *lines) String() string              { l.mu.Lock(); defer l.mu.Unlock(); return l.b.String() }

var (
	reader = api.Caller{Scope: api.Read, All: true}
	writer = api.Caller{Scope: api.Write, All: true}
)

func open(t testing.TB, change ...func(*mcp.Config)) *world {
	t.Helper()
	ctx, dir := context.Background(), t.TempDir()
	store, err := sqlite.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	log, err := store.Log(ctx, sqlite.LogConfig{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.Open(ctx, filepath.Join(dir, "index"), store, index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	policy, err := gate.Preset("internal")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	ids := 0
	w := &world{t: t, store: store, dir: dir, log: &lines{}}
	c := mcp.Config{Store: store, AuditLog: log, Updated: ix.Update, Version: "test", Log: slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Asker: &workflow.Asker{Retriever: ix, Model: llm.Extractive{}, Attributor: attribute.New(attribute.Config{Claims: attribute.IsClaim}), Now: time.Now,
			Gate: workflow.Gate{Policy: &policy, Book: workflow.Pages(store.Update)}, NewID: func() ibid.AnswerID {
				mu.Lock()
				defer mu.Unlock()
				ids++
				return ibid.AnswerID(fmt.Sprintf("a%015d", ids))
			}}}
	for _, f := range change {
		f(&c)
	}
	if w.service, err = mcp.New(c); err != nil {
		t.Fatal(err)
	}
	return w
}

// client connects the SDK's own client, in memory.
func (w *world) client(c api.Caller) *client {
	w.t.Helper()
	theirs, ours := io.Pipe()
	mine, back := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.service.Run(ctx, c, theirs, back) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &sdk.IOTransport{Reader: mine, Writer: ours}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		session.Close()
		cancel()
		<-ended
	})
	return &client{w.t, session}
}

type client struct {
	t testing.TB
	*sdk.ClientSession
}

// call calls a tool that is to succeed, and gives its form.
func (c *client) call(tool string, args any) map[string]any {
	c.t.Helper()
	res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	if res.IsError {
		c.t.Fatalf("%s: %s", tool, said(res))
	}
	if strings.TrimSpace(said(res)) == "" {
		c.t.Errorf("%s says nothing in words", tool)
	}
	return res.StructuredContent.(map[string]any)
}

// refused calls a tool that is to fail, and gives what it says.
func (c *client) refused(tool string, args any) string {
	c.t.Helper()
	res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	if !res.IsError {
		c.t.Fatalf("%s %v: went through: %s", tool, args, said(res))
	}
	return said(res)
}

func said(res *sdk.CallToolResult) string {
	out := ""
	for _, c := range res.Content {
		out += c.(*sdk.TextContent).Text
	}
	return out
}

type args = map[string]any

func (w *world) cables() *world {
	w.t.Helper()
	c := w.client(writer)
	for _, name := range []string{"atlantic-telegraph.md", "letters.md", "thomson.md"} {
		b, err := os.ReadFile(filepath.Join("..", "examples", "library", name))
		if err != nil {
			w.t.Fatal(err)
		}
		c.call("ingest", args{"name": name, "text": string(b)})
	}
	return w
}

func (c *client) tools() map[string]*sdk.Tool {
	c.t.Helper()
	list, err := c.ListTools(context.Background(), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	out := map[string]*sdk.Tool{}
	for _, t := range list.Tools {
		out[t.Name] = t
	}
	return out
}

// Who may not write is not even shown what writes, but for ask, whose answers are recorded wherever they are asked for.
func TestToolsAreWhatTheCallerMayDo(t *testing.T) {
	w := open(t)
	read, write := w.client(reader).tools(), w.client(writer).tools()
	if len(read) != 15 || len(write) != 20 || read["ingest"] != nil || read["record"] != nil || write["ingest"] == nil || write["record"] == nil {
		t.Errorf("reading has %d tools, writing %d", len(read), len(write))
	}
	for name, tool := range write {
		a := tool.Annotations
		if a.DestructiveHint == nil || *a.DestructiveHint {
			t.Errorf("%s: nothing is destroyed, and the hint says so", name)
		}
		if want := !slices.Contains([]string{"ask", "think", "argue", "record", "ingest", "research", "run_claim", "run_finish"}, name); a.ReadOnlyHint != want {
			t.Errorf("%s: read only %v", name, a.ReadOnlyHint)
		}
		if tool.Title == "" || len(tool.Description) < 80 {
			t.Errorf("%s is not described", name)
		}
		in := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for field, p := range in {
			if p.(map[string]any)["description"] == nil {
				t.Errorf("%s: argument %s is not described", name, field)
			}
		}
	}
	in := write["record"].InputSchema.(map[string]any)["properties"].(map[string]any)
	for _, field := range []string{"answer", "question", "sources", "policy", "model"} {
		if in[field] == nil {
			t.Errorf("record: no argument %s", field)
		}
	}
	if got := w.client(reader).refusedOrMissing("ingest", args{"name": "a.md", "text": "A text."}); !strings.Contains(got, "ingest") {
		t.Errorf("a reader ingests: %s", got)
	}
}

// refusedOrMissing calls a tool that may not be there.
func (c *client) refusedOrMissing(tool string, args any) string {
	res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error()
	}
	return "went through: " + said(res)
}

// An assistant searches, writes, checks, records, proves, and cites; each result fits the schema that the tool promises.
func TestAnAnswerFromSearchToProof(t *testing.T) {
	w := open(t).cables()
	c := w.client(writer)
	tools := c.tools()
	call := func(tool string, a any) map[string]any {
		t.Helper()
		out := c.call(tool, a)
		fits(t, tools[tool], out)
		return out
	}
	found := call("search", args{"query": "When was the first transatlantic cable completed?", "limit": 3})["passages"].([]any)
	best := found[0].(map[string]any)
	if best["version"] != 1.0 || best["name"] != "atlantic-telegraph.md" {
		t.Fatalf("found %v", best)
	}
	sources := []any{args{"passage": best["passage"]}, args{"text": "The Great Eastern sailed on 23 July 1865.", "title": "Log book"}}
	answer := args{"question": "When was the cable completed?", "sources": sources,
		"answer": "The first transatlantic cable was completed on 5 August 1858 [1]. Lasting service began in 1876 [1]. Bananas were cheap in Lisbon [7]."}
	got := call("attribute", answer)
	seg := func(i int) map[string]any { return got["segments"].([]any)[i].(map[string]any) }
	if e := seg(0)["evidence"].([]any)[0].(map[string]any); seg(0)["origin"] != "RAG" || e["source"] != 1.0 || !strings.Contains(best["text"].(string), e["quote"].(string)) {
		t.Errorf("the first sentence is %v", seg(0))
	}
	if d := seg(1)["contradicted"].([]any); len(d) == 0 || !strings.Contains(d[0].(map[string]any)["quote"].(string), "1866") {
		t.Errorf("the source says 1866: %v", seg(1))
	}
	if seg(2)["origin"] != "LLM" || fmt.Sprint(seg(2)["dangling"]) != "[7]" {
		t.Errorf("no source speaks of bananas: %v", seg(2))
	}
	answer["policy"] = "regulated"
	if g := call("gate", answer)["gate"].(map[string]any); g["may_be_shown"] != false || g["outcome"] != "block" || len(g["uncited"].([]any)) != 2 {
		t.Errorf("the gate says %v", g)
	}
	delete(answer, "policy")
	answer["answer"], answer["model"] = "The first transatlantic cable was completed on 5 August 1858 [1].", "test-model"
	kept := call("record", answer)
	if kept["entry"] == nil || kept["gate"].(map[string]any)["may_be_shown"] != true || kept["model"] != "test-model" {
		t.Fatalf("recorded %v", kept)
	}
	proof := call("prove", args{"answer": kept["id"]})
	if proof["entry"] != kept["entry"] {
		t.Errorf("proof of entry %v", proof["entry"])
	}
	if v := call("verify", args{"receipt": proof["receipt"]}); v["holds"] != true || v["entry"] != kept["entry"] {
		t.Errorf("the receipt: %v", v)
	}
	if v := call("verify", args{}); v["holds"] != true {
		t.Errorf("the log: %v", v)
	}
	db, err := sql.Open("sqlite", filepath.Join(w.dir, sqlite.FileName))
	if err == nil {
		_, err = db.Exec(`DELETE FROM answer_words`)
		db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if v := call("verify", args{}); v["holds"] != false || !strings.Contains(fmt.Sprint(v["problems"]), "ibid audit reindex writes it anew") {
		t.Errorf("the index: %v", v)
	}
	if _, _, err := w.store.RebuildFind(t.Context()); err != nil {
		t.Fatal(err)
	}
	if cited := call("cite", args{"answer": kept["id"], "style": "apa"}); len(cited["entries"].([]any)) != 1 || !strings.Contains(cited["entries"].([]any)[0].(string), "Atlantic telegraph") {
		t.Errorf("cited %v", cited)
	}
	if cited := call("cite", args{"references": []any{args{"id": "a", "type": "book", "author": []any{args{}}}}, "style": "mla"}); !strings.Contains(fmt.Sprint(cited["warnings"]), "a: is not listed") {
		t.Errorf("an entry is lost without a word: %v", cited)
	}
	if cited := call("cite", args{"sources": []any{best["source"]}, "format": "bibtex"}); !strings.HasPrefix(cited["entries"].([]any)[0].(string), "@") {
		t.Errorf("cited %v", cited)
	}
	asked := call("ask", args{"question": "When did lasting service begin?"})
	if !strings.Contains(asked["text"].(string), "1866") || asked["entry"] == nil {
		t.Errorf("asked: %v", asked)
	}
	again := call("find", args{"words": `"transatlantic cable" comple`, "source": best["source"]})["answers"].([]any)
	if len(again) != 1 || again[0].(map[string]any)["uri"] != kept["uri"] || !strings.Contains(again[0].(map[string]any)["excerpt"].(string), "5 August 1858") {
		t.Errorf("found again: %v", again)
	}
	first := call("find", args{"words": "wh", "limit": 1})
	latest := first["answers"].([]any)[0].(map[string]any)
	if rest := call("find", args{"words": "wh", "before": latest["id"]}); first["more"] != true || latest["id"] != asked["id"] || rest["more"] != false || len(rest["answers"].([]any)) != 1 {
		t.Errorf("found %v, then %v", first, rest)
	}
	call("ask", args{"question": "When did lasting service begin?", "conversation": "Cables, 2"})
	talk := call("find", args{"conversation": "Cables, 2"})["answers"].([]any)
	if len(talk) != 1 || talk[0].(map[string]any)["conversation"] != "Cables, 2" {
		t.Errorf("of the conversation: %v", talk)
	}
	if both := call("find", args{"words": "lasting service", "conversation": "Cables, 2"})["answers"].([]any); len(both) != 1 {
		t.Errorf("of the conversation, by words: %v", both)
	}
	for _, other := range []args{{"conversation": "cables, 2"}, {"conversation": "Cables, 2", "words": "completed"}} {
		if none := call("find", other)["answers"].([]any); len(none) != 0 {
			t.Errorf("%v finds %v", other, none)
		}
	}
	for _, uri := range []string{kept["uri"].(string), best["passage"].(string), "ibid://documents/" + best["document"].(string), "ibid://sources/" + best["source"].(string), fmt.Sprintf("ibid://log/%v", kept["entry"])} {
		res, err := c.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || len(res.Contents) != 1 || res.Contents[0].Text == "" {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if w.log.String() != "" {
		t.Errorf("the log has\n%s", w.log)
	}
}

// fits holds a result against the schema of its tool.
func fits(t *testing.T, tool *sdk.Tool, out map[string]any) {
	t.Helper()
	b, err := json.Marshal(tool.OutputSchema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Validate(out); err != nil {
		t.Errorf("%s: %v", tool.Name, err)
	}
}

// A bound that is told in characters counts characters: a text of Greek or Chinese is as long as one of English.
func TestBoundsCountCharacters(t *testing.T) {
	c := open(t).cables().client(writer)
	long := strings.Repeat("ü", 20_000)
	c.call("search", args{"query": long})
	c.call("ask", args{"question": long})
	c.call("think", args{"question": long})
	c.call("attribute", args{"question": long, "answer": "Ü."})
	if _, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "answer_with_citations", Arguments: map[string]string{"question": long}}); err != nil {
		t.Error(err)
	}
}

// Without sources the library is searched; a passage that is handed over is the one that retrieval sees.
func TestTheLibraryIsTheSourceWhereNoneIsGiven(t *testing.T) {
	c := open(t).cables().client(reader)
	got := c.call("attribute", args{"answer": "Lasting service began in 1866 [3]. It is blue."})
	first := got["segments"].([]any)[0].(map[string]any)
	if first["origin"] != "RAG" || first["dangling"] != nil || strings.Contains(got["text"].(string), "[3]") {
		t.Errorf("got %v", first)
	}
	source := got["sources"].([]any)[0].(map[string]any)
	again := c.call("attribute", args{"answer": "Lasting service began in 1866.", "sources": []any{args{"passage": source["passage"]}}})["segments"].([]any)[0].(map[string]any)
	if fmt.Sprint(again["evidence"].([]any)[0].(map[string]any)["quote"]) != fmt.Sprint(first["evidence"].([]any)[0].(map[string]any)["quote"]) {
		t.Errorf("%v\n%v", first, again)
	}
}

func TestBadArgumentsAreSaid(t *testing.T) {
	w := open(t).cables()
	c := w.client(writer)
	for _, test := range []struct {
		tool string
		args any
		want string
	}{
		{"attribute", args{}, "the answer is empty"},
		{"attribute", args{"anwser": "x"}, `there is no argument "anwser"`},
		{"attribute", args{"answer": 5}, "cannot be read"},
		{"attribute", args{"answer": strings.Repeat("a", 200_001)}, "longer than 200000"},
		{"attribute", args{"answer": "x", "strategy": "magic"}, "magic"},
		{"attribute", args{"answer": "x", "sources": []any{args{}}}, "source 1: it is empty"},
		{"attribute", args{"answer": "x", "sources": []any{args{"text": "a", "id": "s"}, args{"text": "b", "id": "s"}}}, "same id as source 1"},
		{"attribute", args{"answer": "x", "sources": []any{args{"text": "a", "passage": "ibid://passages/a/1"}}}, "give one of them"},
		{"attribute", args{"answer": "x", "sources": []any{args{"passage": "ibid://passages/0000/1"}}}, "there is no passage"},
		{"attribute", args{"answer": "x", "sources": []any{args{"passage": "file:///etc/passwd"}}}, "not an address of the library"},
		{"gate", args{"answer": "x", "policy": "lax"}, "choose one of"},
		{"search", args{"query": " "}, "the query is empty"},
		{"search", args{"query": "x", "limit": 51}, "from 1 to 50"},
		{"search", args{"query": "x", "sources": []any{"nowhere"}}, "there is no source"},
		{"ask", args{"question": ""}, "the question is empty"},
		{"think", args{"question": " "}, "the question is empty"},
		{"think", args{"question": "Why?", "strategy": "full"}, "decomposition"},
		{"think", args{"question": "Why?", "steps": 21}, "from 1 to 20"},
		{"think", args{"question": "Why?", "dual": true, "steps": 2}, "two passes of its own"},
		{"think", args{"question": "Why?", "sources": []any{"nowhere"}}, "there is no source"},
		{"argue", args{"claim": " "}, "the claim is empty"},
		{"argue", args{"claim": "x", "answer": "y"}, "give a claim, or the answer"},
		{"argue", args{"answer": "nope"}, "there is no answer"},
		{"argue", args{"claim": "x", "sources": []any{"nowhere"}}, "there is no source"},
		{"research", args{}, "the topic is empty"},
		{"research", args{"topic": "x", "study": "y"}, "give a topic, or the study"},
		{"research", args{"topic": "x", "depth": "bottomless"}, "give shallow"},
		{"research", args{"study": "nope"}, "there is no study"},
		{"studies", args{"study": "nope"}, "there is no study"},
		{"studies", args{"study": "nope", "to": "docx"}, "choose one of markdown"},
		{"studies", args{"style": "apa"}, "name the study"},
		{"studies", args{"before": "nope"}, "there is no study"},
		{"conflicts", args{"sources": []any{"nowhere"}}, "there is no source"},
		{"conflicts", args{"limit": 201}, "from 1 to 200"},
		{"conflicts", args{"texts": []any{args{"text": " "}}}, "source 1: it is empty"},
		{"check", args{}, "give citations, or records"},
		{"check", args{"citations": []any{args{"source": "a"}}, "records": "@book{a}"}, "give citations, or records"},
		{"check", args{"citations": []any{args{"source": 5}}}, "one looks like"},
		{"check", args{"citations": []any{args{"source": "a", "confidence": 1}}, "min_confidence": 2}, "from 0 to 1"},
		{"check", args{"records": "no records"}, "give BibTeX"},
		{"runs", args{"run": "nope"}, "there is no run"},
		{"runs", args{"limit": 51}, "from 1 to 50"},
		{"runs", args{"before": "nope"}, "there is no run"},
		{"find", args{"words": "x", "before": "nope"}, "there is no answer"},
		{"search", args{"query": strings.Repeat("ü", 20_001)}, "longer than 20000"},
		{"check", args{"citations": []any{nil}}, "not a JSON object; one looks like"},
		{"find", args{}, "nothing to look for"},
		{"find", args{"words": "… !"}, "holds no word to look for"},
		{"find", args{"words": strings.Repeat("a ", 2000)}, "longer than 2000 bytes"},
		{"find", args{"words": "x", "limit": 51}, "from 1 to 50"},
		{"find", args{"source": "nowhere"}, "there is no source"},
		{"cite", args{}, "nothing to cite"},
		{"cite", args{"records": "no records"}, "give BibTeX"},
		{"cite", args{"references": []any{args{"type": "book", "title": "A"}}, "style": "../../etc/passwd"}, "there is no style"},
		{"cite", args{"references": []any{args{"type": "book", "title": "A"}}, "format": "pdf"}, "choose one of text"},
		{"cite", args{"library": true, "answer": "nope"}, "there is no answer"},
		{"export", args{}, "there is no answer"},
		{"export", args{"answer": "nope"}, "there is no answer"},
		{"export", args{"answer": "nope", "to": "docx"}, "choose one of bibtex"},
		{"ingest", args{}, "nothing to take in"},
		{"ingest", args{"text": "A text."}, "has no name"},
		{"ingest", args{"path": "/etc/passwd"}, "files are not open"},
		{"ingest", args{"url": "file:///etc/passwd"}, "not the address of a page"},
		{"ingest", args{"url": "http://127.0.0.1/"}, "no pages are fetched"},
		{"prove", args{}, "give the id of an answer"},
		{"prove", args{"entry": -1}, "no entry -1"},
		{"prove", args{"entry": 9999}, "no entry 9999"},
		{"prove", args{"answer": "nope"}, "there is no answer"},
		{"verify", args{"receipt": args{"a": 1}}, "receipt cannot be read"},
	} {
		if got := c.refused(test.tool, test.args); !strings.Contains(got, test.want) {
			t.Errorf("%s %.80v: says %q, not %q", test.tool, test.args, got, test.want)
		}
	}
	for _, uri := range []string{"ibid://documents/0000", "ibid://documents/../../etc/passwd", "file:///etc/passwd", "ibid://log/-1", "ibid://log/99999", "ibid://answers/%00"} {
		if _, err := c.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s can be read", uri)
		}
	}
	if w.log.String() != "" {
		t.Errorf("what is the caller's fault is no failure of ours:\n%s", w.log)
	}
}

// A caller of one collection sees nothing of another, nor the log, which holds them all.
func TestCollectionsAreApart(t *testing.T) {
	w := open(t).cables()
	mine := w.client(writer)
	source := mine.call("search", args{"query": "cable"})["passages"].([]any)[0].(map[string]any)
	kept := mine.call("record", args{"answer": "Lasting service began in 1866."})
	c := w.client(api.Caller{Scope: api.Write, Collection: "other"})
	if got := c.call("search", args{"query": "cable"})["passages"].([]any); len(got) != 0 {
		t.Errorf("found %v", got)
	}
	c.refused("attribute", args{"answer": "x", "sources": []any{args{"passage": source["passage"]}}})
	c.refused("cite", args{"sources": []any{source["source"]}})
	c.refused("cite", args{"answer": kept["id"]})
	c.refused("find", args{"source": source["source"]})
	if got := c.call("find", args{"words": "lasting service"})["answers"].([]any); len(got) != 0 {
		t.Errorf("found %v", got)
	}
	c.refused("prove", args{"answer": kept["id"]})
	c.refused("prove", args{"entry": 0})
	c.refused("verify", args{})
	for _, uri := range []string{kept["uri"].(string), source["passage"].(string), "ibid://documents/" + source["document"].(string), "ibid://sources/" + source["source"].(string), "ibid://log/0"} {
		if _, err := c.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s can be read", uri)
		}
	}
	if list, err := c.ListResources(context.Background(), nil); err != nil || len(list.Resources) != 0 {
		t.Errorf("%v %v", list, err)
	}
	if list, err := mine.ListResources(context.Background(), nil); err != nil || len(list.Resources) != 3 {
		t.Errorf("%v %v", list, err)
	}
}

// The list of documents is gone through page by page, each of them once.
func TestDocumentsAreListedInPages(t *testing.T) {
	w := open(t)
	in := &workflow.Ingester{Library: w.store, Now: time.Now}
	for range in.Ingest(t.Context(), func(yield func(workflow.Input) bool) {
		for i := range 230 {
			input, _ := workflow.Given(fmt.Sprintf("%d.txt", i), "", "", fmt.Sprintf("Text number %d.", i))
			if !yield(input) {
				return
			}
		}
	}) {
	}
	c := w.client(reader)
	seen, cursor := map[string]bool{}, ""
	for range 4 {
		list, err := c.ListResources(t.Context(), &sdk.ListResourcesParams{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.Resources {
			seen[r.URI] = true
		}
		if cursor = list.NextCursor; cursor == "" {
			break
		}
	}
	if len(seen) != 230 || cursor != "" {
		t.Errorf("%d documents, then %q", len(seen), cursor)
	}
	if _, err := c.ListResources(t.Context(), &sdk.ListResourcesParams{Cursor: "???"}); err == nil {
		t.Error("any cursor goes")
	}
}

func TestManyCallAtOnce(t *testing.T) {
	w := open(t).cables()
	var wait sync.WaitGroup
	for range 4 {
		c := w.client(writer)
		want := fmt.Sprint(c.call("attribute", args{"answer": "Lasting service began in 1866."}))
		for i := range 6 {
			wait.Go(func() {
				if got := fmt.Sprint(c.call("attribute", args{"answer": "Lasting service began in 1866."})); got != want {
					t.Errorf("alone: %s\nbeside others: %s", want, got)
				}
				c.call("ingest", args{"name": fmt.Sprintf("%d.md", i), "text": fmt.Sprintf("The ship %d sailed.", i)})
				c.call("record", args{"answer": "Lasting service began in 1866."})
				c.call("search", args{"query": "ship"})
			})
		}
	}
	wait.Wait()
	if v := w.client(reader).call("verify", args{}); v["holds"] != true {
		t.Errorf("%v", v)
	}
}

// A call that is cancelled ends: it does not wait for its turn, and the next one is served.
func TestCancelledCallsEnd(t *testing.T) {
	began, ended := make(chan bool, 1), make(chan error, 1)
	first := true
	w := open(t, func(c *mcp.Config) {
		c.Turn = func(ctx context.Context) (func(), error) {
			if !first {
				return func() {}, nil
			}
			first = false
			began <- true
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
	})
	c := w.client(reader)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if _, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "attribute", Arguments: args{"answer": "x"}}); err == nil {
		t.Error("it went through")
	}
	select {
	case err := <-ended:
		if err != context.Canceled {
			t.Errorf("ended by %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it goes on")
	}
	c.call("attribute", args{"answer": "It is blue."})
}

// What takes too long, and a panic, are said; what was wrong is in the log and not told.
func TestFailuresAreSaidAndLogged(t *testing.T) {
	w := open(t, func(c *mcp.Config) { c.Longest = time.Nanosecond })
	if got := w.client(reader).refused("attribute", args{"answer": "It is blue."}); !strings.Contains(got, "took too long") {
		t.Errorf("says %q", got)
	}
	w = open(t, func(c *mcp.Config) {
		c.Turn = func(context.Context) (func(), error) { panic("secret /path") }
	})
	if got := w.client(reader).refused("attribute", args{"answer": "It is blue."}); strings.Contains(got, "secret") || !strings.Contains(w.log.String(), "secret") {
		t.Errorf("says %q, logs %q", got, w.log)
	}
}

// startled is a log that panics at what failed, and takes down the panic.
type startled struct{ slog.Handler }

func (s startled) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == "tool failed" {
		panic("secret /path")
	}
	return s.Handler.Handle(ctx, r)
}

// A panic beside the tools ends what it arose in, and not the program; the session goes on.
func TestPanicsInResourcesAreCaught(t *testing.T) {
	w := open(t, func(c *mcp.Config) { c.Log = slog.New(startled{c.Log.Handler()}) })
	c := w.client(reader)
	w.store.Close()
	for what, err := range map[string]error{
		"read": func() error {
			_, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "ibid://sources/00"})
			return err
		}(),
		"list": func() error { _, err := c.ListResources(t.Context(), nil); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), "the log of ibid says why") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s says %v", what, err)
		}
	}
	if log := w.log.String(); strings.Count(log, "secret") != 2 || !strings.Contains(log, "mcp_test.go") {
		t.Errorf("logs %s", log)
	}
	if err := c.Ping(t.Context(), nil); err != nil {
		t.Errorf("the session is over: %v", err)
	}
}

func TestOverHTTP(t *testing.T) {
	w := open(t).cables()
	server := httptest.NewServer(w.service.Handler(reader))
	defer server.Close()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	c := &client{t, session}
	want := fmt.Sprint(w.client(reader).call("search", args{"query": "lasting service"}))
	if got := fmt.Sprint(c.call("search", args{"query": "lasting service"})); got != want {
		t.Errorf("over HTTP: %s\nin memory: %s", got, want)
	}
	if len(c.tools()) != len(w.client(reader).tools()) {
		t.Error("other tools")
	}
}

func TestPrompt(t *testing.T) {
	c := open(t).client(reader)
	p, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "answer_with_citations", Arguments: map[string]string{"question": "Why did it fail?", "style": "ieee"}})
	if err != nil {
		t.Fatal(err)
	}
	text := p.Messages[0].Content.(*sdk.TextContent).Text
	for _, want := range []string{"Why did it fail?", "ieee", "search", "attribute", "cite"} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt has no %q", want)
		}
	}
	if _, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "answer_with_citations"}); err == nil {
		t.Error("no question is needed")
	}
}

// Whatever the arguments, a call ends in a result or an error that is the caller's; nothing crashes and nothing is our fault.
func FuzzArguments(f *testing.F) {
	names := []string{"attribute", "gate", "search", "cite", "prove", "verify", "record", "ingest", "find", "conflicts", "check", "runs", "run_claim", "run_finish"}
	for i, seed := range []string{`{"answer":"Lasting service began in 1866.","sources":[{"text":"It began in 1866.","id":"a"}]}`, `{"answer":"x [1].","policy":"regulated","sources":[{"passage":"ibid://passages/00/1"}]}`,
		`{"query":"cable","limit":3}`, `{"records":"@book{a, title={A}, year=2000}","style":"ieee","mode":"citation"}`, `{"entry":0}`, `{"receipt":{"v":1}}`, `{"answer":"The {{rag:cable}} broke."}`, `{"name":"a.md","text":"# A\n\nB."}`, `{"words":"\"a b\" c*","source":"00"}`,
		`{"texts":[{"text":"It was laid in 1858."},{"text":"It was laid in 1866."}],"versions":true}`, `{"citations":[{"source":"a.md","confidence":0.5,"snippet":"x"},{"claim_id":"c","claim_text":"x","citations":[{"source":"a"}],"strength":1}]}`, `{"run":"x","limit":2}`,
		`{"sources":[{"id":"a","text":"It is red."}],"claims":[{"text":"Red.","source":"a","quotes":["red"]},{"text":"One.","exempt":"run"}]}`, `{"run":"x","policy":"regulated"}`} {
		f.Add(i, []byte(seed))
	}
	w := open(f)
	c := w.client(writer)
	f.Fuzz(func(t *testing.T, which int, arguments []byte) {
		if !json.Valid(arguments) {
			return // no message could hold it
		}
		name := names[(which%len(names)+len(names))%len(names)]
		res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
		if err != nil {
			t.Fatalf("%s %s: %v", name, arguments, err)
		}
		if said(res) == "" || strings.Contains(said(res), "the log of ibid says why") {
			t.Errorf("%s %s: %q\n%s", name, arguments, said(res), w.log)
		}
	})
}

// An address that is read is written again as it was, but for capitals and escapes.
func FuzzPlace(f *testing.F) {
	for _, s := range []string{"ibid://passages/4f2a/3", "ibid://log/0", "ibid://answers/a%20b", "ibid://sources/", "ibid://runs/Nightly%201", "ibid://log/007", "ibid://documents/a/b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		kind, id, n, ok := mcp.ReadPlace(uri)
		if !ok {
			return
		}
		if n < 0 || kind != "log" && id == "" || kind != "runs" && id != strings.ToLower(id) {
			t.Errorf("%q is %s %q %d", uri, kind, id, n)
		}
		if kind == "log" && uri != fmt.Sprintf("ibid://log/%d", n) {
			t.Errorf("%q is entry %d", uri, n)
		}
	})
}

// The page on the tools names each of them, and each kind of address.
func TestPageNamesAll(t *testing.T) {
	b, err := os.ReadFile("../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	c := open(t).client(writer)
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for name := range c.tools() {
		named = append(named, "| `"+name+"` |")
	}
	for _, r := range templates.ResourceTemplates {
		before, _, _ := strings.Cut(r.URITemplate, "{")
		named = append(named, "`"+before)
	}
	for _, n := range named {
		if !strings.Contains(string(b), n) {
			t.Errorf("docs/mcp.md has no %s", n)
		}
	}
}

// slips are lines that are no messages. Each is answered, and the session goes on.
var slips = []string{`{"jsonrpc":"2.0","id":5,"meth`, `[]`, `5`, `null`, `{}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "\x00\xff", `{"jsonrpc":"2.0","method":5}`,
	`{"jsOnrpc":"2.0","method":"notifications/cancelled"}`, `{"jsonrpc":"2.0","result":{}}`, `{"jsonrpc":"2.0","id":5}`}

func TestSlipsDoNotEndTheSession(t *testing.T) {
	w := open(t)
	long := `{"jsonrpc":"2.0","id":4,"method":"` + strings.Repeat("a", 9<<20) + `"}`
	for _, slip := range append(slips, long) {
		if out := converse(t, w, slip, `"id":77`, `"id":null,"error"`); !answered(out, `"id":77`) || !answered(out, `"id":null,"error"`) {
			t.Errorf("%.60q is answered %q", slip, out)
		}
	}
}

func answered(out []string, what string) bool {
	return slices.ContainsFunc(out, func(s string) bool { return strings.Contains(s, what) })
}

// converse sends a line between the greeting and a ping of number 77, and gives all that comes back until it has what is
// wanted.
func converse(t testing.TB, w *world, line string, want ...string) []string {
	t.Helper()
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	go func() {
		w.service.Run(ctx, reader, in, out)
		out.Close()
	}()
	go func() {
		for _, l := range []string{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`, line, `{"jsonrpc":"2.0","id":77,"method":"ping"}`} {
			io.WriteString(send, l+"\n")
		}
	}()
	var said []string
	missing := func() bool {
		return slices.ContainsFunc(want, func(what string) bool { return !answered(said, what) })
	}
	for s := bufio.NewScanner(receive); missing() && s.Scan(); {
		said = append(said, s.Text())
	}
	go io.Copy(io.Discard, receive)
	send.Close()
	return said
}

// Whatever a line holds, the session goes on, and all that comes back are messages.
func FuzzLines(f *testing.F) {
	for _, s := range slips {
		f.Add(s)
	}
	f.Add(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"search","arguments":{"query":"x"}}}`)
	f.Add(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	w := open(f)
	f.Fuzz(func(t *testing.T, line string) {
		line = strings.NewReplacer("\n", " ", "\r", " ").Replace(line)
		said := converse(t, w, line, `"id":77`)
		for _, s := range said {
			if !json.Valid([]byte(s)) {
				t.Errorf("%q is answered %q", line, s)
			}
		}
		if !answered(said, `"id":77`) {
			t.Errorf("%q ends the session", line)
		}
	})
}
