package web_test

import (
	"bytes"
	"context"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/web"
)

func locked(c *web.Config) { c.Open = false }

// key makes a key and gives the header that carries it.
func (w *world) key(scope api.Scope, collection ...string) (header string, id string) {
	w.t.Helper()
	var only *string
	if len(collection) > 0 {
		only = &collection[0]
	}
	k, secret, err := web.NewKey(w.t.Context(), w.store, "test", scope, only, w.config.Asker.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	if regexp.MustCompile(`^ibid_\w+$`).FindString(secret) != secret {
		w.t.Errorf("a double click does not take all of the key %q", secret)
	}
	return "Bearer " + secret, k.ID
}

func TestKeysOpenWhatTheirScopeAllows(t *testing.T) {
	w := open(t, locked)
	read, _ := w.key(api.Read)
	write, writeID := w.key(api.Write)
	admin, _ := w.key(api.Admin)
	w.get("/api/v1/sources").want(401)
	w.get("/api/v1/sources", "Authorization", "Bearer ibid_x_y").want(401)
	w.get("/api/v1/sources", "Authorization", "Bearer sk-other").want(401)
	w.get("/api/v1/sources", "Authorization", read+"x").want(401)
	w.get("/api/v1/sources", "Authorization", read).want(200)
	w.get("/api/v1/sources", "X-Api-Key", strings.TrimPrefix(read, "Bearer ")).want(200)
	text := map[string]any{"texts": []any{map[string]any{"name": "a.txt", "text": "Words."}}}
	w.post("/api/v1/ingest?wait=9", text, "Authorization", read).want(403)
	w.post("/api/v1/ingest?wait=9", text, "Authorization", write).want(200)
	w.get("/api/v1/keys", "Authorization", write).want(403)
	list := w.get("/api/v1/keys", "Authorization", admin).want(200)
	if strings.Contains(string(list.body), strings.TrimPrefix(write, "Bearer ")) {
		t.Error("the list of keys shows one")
	}
	w.send("DELETE", "/api/v1/keys/"+writeID, nil, "Authorization", admin).want(204)
	w.post("/api/v1/ingest?wait=9", text, "Authorization", write).want(401)
	w.send("DELETE", "/api/v1/keys/nokey", nil, "Authorization", admin).want(404)
	var made struct {
		Secret string
		Key    api.Key
	}
	w.post("/api/v1/keys", map[string]any{"name": "new", "scope": "read"}, "Authorization", admin).want(201).into(&made)
	w.get("/api/v1/me", "Authorization", "Bearer "+made.Secret).want(200)
	w.get("/api/v1/collections", "Authorization", admin).want(200)
	w.post("/api/v1/keys", map[string]any{"name": "new", "scope": "god"}, "Authorization", admin).want(422).points("body.scope")
}

// What belongs to one collection is not there for another, by whatever id it is asked for.
func TestCollectionsAreIsolated(t *testing.T) {
	w := open(t, locked)
	ours, _ := w.key(api.Admin, "ours")
	theirs, _ := w.key(api.Admin, "theirs")
	id := w.ingest("secret.md", "The treasure lies under the old oak.", "Authorization", ours)
	var src struct {
		Title  string
		Newest struct{ Document string }
	}
	w.get("/api/v1/sources/"+id, "Authorization", ours).want(200).into(&src)
	var a ibid.Answer
	w.post("/api/v1/ask", map[string]any{"question": "Where does the treasure lie?", "conversation": "talk"}, "Authorization", ours).want(200).into(&a)
	if len(a.Citations) == 0 {
		t.Fatalf("our own question finds nothing: %+v", a)
	}
	stream := w.post("/api/v1/ask", map[string]any{"question": "Where?"}, "Authorization", ours, "Accept", "text/event-stream").header.Get("Ibid-Stream")
	_, keyID := w.key(api.Read, "ours")
	var jobs struct{ Items []struct{ ID string } }
	w.get("/api/v1/jobs", "Authorization", ours).want(200).into(&jobs)
	for _, path := range []string{"/api/v1/sources/" + id, "/api/v1/sources/" + id + "/versions", "/api/v1/sources/" + id + "/citations",
		"/api/v1/documents/" + src.Newest.Document, "/api/v1/answers/" + string(a.ID), "/api/v1/answers/" + string(a.ID) + "/segments",
		"/api/v1/answers/" + string(a.ID) + "/segments/1", "/api/v1/answers/" + string(a.ID) + "/export?to=json", "/api/v1/answers/" + string(a.ID) + "/bibliography", "/api/v1/answers/" + string(a.ID) + "/graph",
		"/api/v1/conversations/talk", "/api/v1/streams/" + stream, "/api/v1/jobs/" + jobs.Items[0].ID} {
		got := w.get(path, "Authorization", theirs).want(404)
		nothing := w.get(strings.NewReplacer(id, "0000000000000000", string(a.ID), "none", "talk", "none", stream, "none", src.Newest.Document, "none", jobs.Items[0].ID, "none").Replace(path), "Authorization", theirs).want(404)
		if string(got.body) != string(nothing.body) {
			t.Errorf("%s: %s, and %s where there is nothing", path, got.body, nothing.body)
		}
	}
	for _, path := range []string{"/api/v1/bibliography", "/api/v1/export?to=ris"} { // of the library, which has one source, in our collection
		if got := w.get(path, "Authorization", ours).want(200); !strings.Contains(string(got.body), src.Title) {
			t.Errorf("%s without %q: %s", path, src.Title, got.body)
		}
		if got := w.get(path, "Authorization", theirs).want(200); strings.Contains(string(got.body), src.Title) {
			t.Errorf("%s gives ours to others: %s", path, got.body)
		}
	}
	w.send("DELETE", "/api/v1/sources/"+id, nil, "Authorization", theirs).want(404)
	w.send("DELETE", "/api/v1/keys/"+keyID, nil, "Authorization", theirs).want(404)
	w.post("/api/v1/ask", map[string]any{"question": "Where?", "sources": []string{id}}, "Authorization", theirs).want(404)
	w.get("/api/v1/sources", "Authorization", theirs, "Ibid-Collection", "ours").want(403)
	w.post("/api/v1/keys", map[string]any{"name": "x", "scope": "read", "collection": "ours"}, "Authorization", theirs).want(403)
	w.post("/api/v1/keys", map[string]any{"name": "x", "scope": "read"}, "Authorization", theirs).want(403)
	for _, path := range []string{"/api/v1/sources", "/api/v1/answers", "/api/v1/keys", "/api/v1/jobs", "/api/v1/collections"} {
		if b := string(w.get(path, "Authorization", theirs).want(200).body); strings.Contains(b, "ours") || strings.Contains(b, "treasure") || strings.Contains(b, "secret") {
			t.Errorf("%s shows %s", path, b)
		}
	}
	var b ibid.Answer
	w.post("/api/v1/ask", map[string]any{"question": "Where does the treasure lie?", "conversation": "talk"}, "Authorization", theirs).want(200).into(&b)
	if len(b.Passages) > 0 {
		t.Errorf("their question finds ours: %+v", b)
	}
	all, _ := w.key(api.Read)
	w.get("/api/v1/answers/"+string(a.ID), "Authorization", all, "Ibid-Collection", "ours").want(200)
}

func TestTooManyRequests(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Limits = web.Limits{PerSecond: 0.001, Burst: 3} })
	for range 3 {
		w.get("/api/v1/sources").want(200)
	}
	r := w.get("/api/v1/sources").want(429)
	if r.header.Get("Retry-After") == "" {
		t.Error("it does not say when to come back")
	}
	other, _ := w.key(api.Read)
	w.get("/api/v1/sources", "Authorization", other).want(200)
}

func TestWriteIsDoneOnce(t *testing.T) {
	w := open(t).cables()
	first := w.post("/api/v1/ask", asked, "Idempotency-Key", "k1").want(200)
	again := w.post("/api/v1/ask", asked, "Idempotency-Key", "k1").want(200)
	if string(first.body) != string(again.body) || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("first %s, then %s", clip(first.body), clip(again.body))
	}
	w.post("/api/v1/ask", map[string]any{"question": "Another?"}, "Idempotency-Key", "k1").want(422)
	if other := w.post("/api/v1/ask", asked, "Idempotency-Key", "k2").want(200); string(other.body) == string(first.body) {
		t.Error("another key gives the same answer")
	}
	streamed := w.post("/api/v1/ask", asked, "Idempotency-Key", "k3", "Accept", "text/event-stream").want(200)
	if replayed := w.post("/api/v1/ask", asked, "Idempotency-Key", "k3", "Accept", "text/event-stream").want(200); string(replayed.body) != string(streamed.body) {
		t.Errorf("streamed %s, then %s", clip(streamed.body), clip(replayed.body))
	}
	w.post("/api/v1/ask", map[string]any{"question": ""}, "Idempotency-Key", "k4").want(422)
	var list struct{ Items []any }
	w.get("/api/v1/answers").into(&list)
	if len(list.Items) != 3 {
		t.Errorf("%d answers were recorded", len(list.Items))
	}
}

func TestCORSIsClosedUnlessOpened(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Origins = []string{"https://good.example"} })
	if h := w.get("/api/v1/sources", "Origin", "https://evil.example").header; h.Get("Access-Control-Allow-Origin") != "" {
		t.Error("every origin is let in")
	}
	if h := w.get("/api/v1/sources", "Origin", "https://good.example").want(200).header; h.Get("Access-Control-Allow-Origin") != "https://good.example" {
		t.Error("the named origin is not let in")
	}
	r := w.send("OPTIONS", "/api/v1/ask", nil, "Origin", "https://good.example", "Access-Control-Request-Method", "POST")
	if r.status != http.StatusNoContent || !strings.Contains(r.header.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("the question before gets %d %v", r.status, r.header)
	}
	w.post("/api/v1/ask", asked, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site").want(403)
	w.post("/api/v1/ask", asked, "Origin", "https://good.example", "Sec-Fetch-Site", "cross-site").want(200)
}

func TestUpload(t *testing.T) {
	w := open(t)
	form := func(files ...string) (*bytes.Buffer, string) {
		var b bytes.Buffer
		m := multipart.NewWriter(&b)
		for i := 0; i < len(files); i += 2 {
			f, _ := m.CreateFormFile("file", files[i])
			f.Write([]byte(files[i+1]))
		}
		m.Close()
		return &b, m.FormDataContentType()
	}
	send := func(files ...string) api.Job {
		b, media := form(files...)
		var job api.Job
		w.send("POST", "/api/v1/upload?wait=20", b, "Content-Type", media).want(200).into(&job)
		return job
	}
	job := send("../../etc/notes.md", "# Notes\n\nThe cable was made of copper.", "bad.bin", "\x00\x01\x02")
	if job.State != "done" || job.Failed != 1 || !job.Outcomes[0].New || job.Outcomes[1].Error == "" {
		t.Fatalf("job %+v", job)
	}
	var src api.Source
	w.get("/api/v1/sources/" + string(job.Outcomes[0].Source)).want(200).into(&src)
	if src.URI != "file:///notes.md" || src.Versions != 1 {
		t.Errorf("source %+v", src)
	}
	if job = send("notes.md", "# Notes\n\nThe cable was made of copper and gutta-percha."); job.Outcomes[0].Version != 2 {
		t.Errorf("a file of the same name is %+v", job.Outcomes[0])
	}
	w.get("/api/v1/sources/" + string(job.Outcomes[0].Source) + "/versions").want(200)
	w.get("/api/v1/jobs/" + job.ID).want(200)
	b, media := form()
	w.send("POST", "/api/v1/upload", b, "Content-Type", media).want(422)
	w.send("DELETE", "/api/v1/sources/"+string(job.Outcomes[0].Source), nil).want(204)
	w.get("/api/v1/sources/" + string(job.Outcomes[0].Source)).want(404)
}

func TestPlainPage(t *testing.T) {
	w := open(t).cables()
	w.get("/").want(200)
	r := w.send("POST", "/ask", strings.NewReader("question=When+was+the+cable+laid%3F"), "Content-Type", "application/x-www-form-urlencoded").want(200)
	if !strings.Contains(string(r.body), "Evidence") {
		t.Errorf("the page is %s", clip(r.body))
	}
	w.get("/docs").want(200)
	if csp := r.header.Get("Content-Security-Policy"); strings.Contains(csp, "unsafe") || !strings.Contains(csp, "default-src 'none'") {
		t.Errorf("policy %s", csp)
	}
}

// holding is a judge that says nothing until it is let go.
type holding struct{ goOn chan struct{} }

func (h holding) Judge(ctx context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	select {
	case <-h.goOn:
	case <-ctx.Done():
	}
	return make([]ibid.Judgement, len(pairs)), ctx.Err()
}

// Who comes when all places are taken is told when to come back; who waits gets a turn.
func TestBusyServerSaysWhenToComeBack(t *testing.T) {
	judge := holding{make(chan struct{})}
	w := open(t, func(c *web.Config) {
		c.Limits = web.Limits{Working: 1, Waiting: 1}
		c.Asker.Attributor = attribute.New(attribute.Config{Judge: judge, Always: true})
	})
	type got struct {
		status int
		retry  string
	}
	answers := make(chan got, 5)
	for range 5 {
		go func() {
			res, err := http.Post(w.URL+"/api/v1/attribute", "application/json", strings.NewReader(`{"answer":"The cable failed.","sources":[{"text":"They say the cable failed."}]}`))
			if err != nil {
				answers <- got{}
				return
			}
			res.Body.Close()
			answers <- got{res.StatusCode, res.Header.Get("Retry-After")}
		}()
	}
	for range 3 {
		if a := <-answers; a.status != 429 || a.retry == "" {
			t.Errorf("one too many got %+v", a)
		}
	}
	close(judge.goOn)
	for range 2 {
		if a := <-answers; a.status != 200 {
			t.Errorf("who had a place got %+v", a)
		}
	}
}

// An upload that is sent again is known by what it holds, whatever boundary its client draws; one of the same length that
// holds something else is another.
func TestUploadIsDoneOnceByItsContent(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	w := open(t)
	send := func(boundary, text string) reply {
		form := "--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n" + text + "\r\n--" + boundary + "--\r\n"
		return w.send("POST", "/api/v1/upload?wait=30", strings.NewReader(form), "Content-Type", "multipart/form-data; boundary="+boundary, "Idempotency-Key", "k")
	}
	first := send("one", "The cable failed in 1858.").want(200)
	again := send("two", "The cable failed in 1858.").want(200)
	if string(first.body) != string(again.body) || again.header.Get("Idempotent-Replayed") == "" {
		t.Errorf("sent again it was done again: %s", again.body)
	}
	send("one", "The cable failed in 1866.").want(422)
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Who may see all collections names one in the letters that a header may hold, and is told which is meant where none is named.
func TestCollectionsAreNamedInAnyLetters(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Collection = "house" })
	for name, header := range map[string]string{"Thèse 論文": "UTF-8''Th%C3%A8se%20%E8%AB%96%E6%96%87", "": "UTF-8''", "plain": "plain", "100%": "100%",
		"thèse": "utf-8''th%c3%a8se", "été": "Utf-8'fr'%C3%A9t%C3%A9", "utf-8's": "utf-8's", "utf-8": "utf-8"} {
		var me struct {
			Collection string
			Default    string `json:"default_collection"`
		}
		if w.get("/api/v1/me", "Ibid-Collection", header).want(200).into(&me); me.Collection != name || me.Default != "house" {
			t.Errorf("%s is %+v", header, me)
		}
	}
	w.get("/api/v1/me", "Ibid-Collection", "UTF-8''%zz").want(422).points("header.Ibid-Collection")
	w.get("/api/v1/me", "Ibid-Collection", "UTF-8''%ff").want(422).points("header.Ibid-Collection")
	w.get("/api/v1/me", "Ibid-Collection", "UTF-8''%20").want(422).points("header.Ibid-Collection")
	for _, name := range []string{" ", "a\nb", strings.Repeat("灯", 100)} { // a key of a collection that no request could name
		w.post("/api/v1/keys", map[string]any{"name": "k", "scope": "read", "collection": name}).want(422).points("body.collection")
	}
	for _, sign := range []string{"%00", "%0a", "%1b%5b2J", "%7f", "%c2%9b"} { // what a log or a terminal would take for a command
		w.get("/api/v1/me", "Ibid-Collection", "utf-8''a"+sign+"b").want(422).points("header.Ibid-Collection")
	}
}

// The beginning of a run's id finds nothing: it belongs to no collection, and led from the one without a name into all others.
func TestRunsOfOthersAreNotFoundByABeginning(t *testing.T) {
	w := open(t, locked, func(c *web.Config) {
		var err error
		if c.AuditLog, err = c.Store.Log(t.Context(), sqlite.LogConfig{}); err != nil {
			t.Fatal(err)
		}
	})
	theirs, _ := w.key(api.Write, "theirs")
	mine, _ := w.key(api.Admin, "")
	var run struct{ ID string }
	w.post("/api/v1/runs", nil, "Authorization", theirs).want(201).into(&run)
	w.post("/api/v1/runs/"+run.ID+"/claims", map[string]any{"claims": []any{map[string]any{"text": "Secret."}}}, "Authorization", theirs).want(201)
	for _, id := range []string{run.ID, run.ID[:len(run.ID)-1], run.ID[:4], run.ID[:1]} {
		at := "/api/v1/runs/" + id
		w.get(at, "Authorization", mine).want(404)
		w.post(at+"/claims", map[string]any{"claims": []any{map[string]any{"text": "Forged."}}}, "Authorization", mine).want(404)
		w.post(at+"/finish", nil, "Authorization", mine).want(404)
		w.send("DELETE", at+"?reason=mine", nil, "Authorization", mine).want(404)
		w.post("/api/v1/gate", map[string]any{"run": id}, "Authorization", mine).want(404)
	}
	w.post("/api/v1/runs/"+run.ID+"/finish", nil, "Authorization", theirs).want(200)
	w.send("DELETE", "/api/v1/runs/"+run.ID+"?reason=mine", nil, "Authorization", mine).want(404)
	w.send("DELETE", "/api/v1/runs/"+run.ID+"?reason=theirs", nil, "Authorization", theirs).want(403) // it takes an admin's
	w.get("/api/v1/runs/"+run.ID, "Authorization", theirs).want(200).says("Secret.")
}

// The secret of a key is nowhere but in the one answer that gives it, also where the request could be answered again.
func TestSecretsAreNotKeptForARepeat(t *testing.T) {
	w := open(t)
	var made struct {
		Secret string
		Key    struct{ ID string }
	}
	body := map[string]any{"name": "ci", "scope": "read"}
	w.post("/api/v1/keys", body, "Idempotency-Key", "k1").want(201).into(&made)
	again := w.post("/api/v1/keys", body, "Idempotency-Key", "k1").want(409).says("its secret was given then")
	if bytes.Contains(again.body, []byte(made.Secret)) {
		t.Errorf("told again: %s", again.body)
	}
	var keys struct{ Items []struct{ ID string } }
	if w.get("/api/v1/keys").want(200).into(&keys); len(keys.Items) != 1 {
		t.Errorf("%d keys were made", len(keys.Items))
	}
	files := 0
	err := filepath.WalkDir(filepath.Dir(t.TempDir()), func(path string, d fs.DirEntry, err error) error { // of this test, the library among them
		if err != nil || d.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(made.Secret)) {
			t.Errorf("%s holds the secret", filepath.Base(path))
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files, %v", files, err)
	}
}
