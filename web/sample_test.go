package web_test

import (
	"bytes"
	"mime/multipart"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/examples"
	"github.com/ibid-dev/ibid/web"
)

func TestSampleIsLoadedOnce(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Sample = examples.Library() })
	var job api.Job
	w.post("/api/v1/sample?wait=60", struct{}{}).want(200).into(&job)
	if job.State != "done" || job.Failed != 0 || job.Total != 16 {
		t.Fatalf("the sample library: %+v", job)
	}
	w.post("/api/v1/sample?wait=60", struct{}{}).want(200).into(&job)
	for _, o := range job.Outcomes {
		if o.New {
			t.Errorf("%s was taken in twice", o.Name)
		}
	}
	var a struct{ Text string }
	w.post("/api/v1/ask", map[string]any{"question": "When was the first transatlantic cable laid?"}).want(200).into(&a)
	if !strings.Contains(a.Text, "5 August 1858") {
		t.Errorf("answered from the sample library: %q", a.Text)
	}
	open(t).post("/api/v1/sample", struct{}{}).want(404)
}

func TestFilesAreReadAndNotRecorded(t *testing.T) {
	w := open(t)
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for name, text := range map[string]string{"../page.html": "<title>Cable</title><p>It was <b>laid</b>.<script>no()</script>", "bad.bin": "\x00\x01\x02"} {
		f, _ := form.CreateFormFile("file", name)
		f.Write([]byte(text))
	}
	form.Close()
	var page api.Page[struct{ Name, Title, Text, Error string }]
	w.send("POST", "/api/v1/read", &b, "Content-Type", form.FormDataContentType()).want(200).into(&page)
	for _, f := range page.Items {
		switch f.Name {
		case "page.html":
			if f.Title != "Cable" || strings.TrimSpace(f.Text) != "It was laid." {
				t.Errorf("read %+v", f)
			}
		case "bad.bin":
			if f.Error == "" || f.Text != "" {
				t.Errorf("read %+v", f)
			}
		default:
			t.Errorf("a file called %q", f.Name)
		}
	}
	var sources api.Page[api.Source]
	w.get("/api/v1/sources").want(200).into(&sources)
	if len(sources.Items) > 0 {
		t.Errorf("recorded %+v", sources.Items)
	}
	w.post("/api/v1/read", struct{}{}).want(415)
}

// The built page reads its own addresses: all that is no file is index.html.
func TestBuiltPage(t *testing.T) {
	w := open(t, func(c *web.Config) {
		c.Page = fstest.MapFS{"index.html": {Data: []byte("<title>the page</title>")}, "assets/index-1a2b.js": {Data: []byte("1")}}
	})
	for path, want := range map[string]int{"/": 200, "/answers/4f2a": 200, "/documents/9b": 200, "/assets": 200, "/assets/gone.js": 404, "/robots.txt": 404, "/../../etc/passwd.txt": 200, "/runs/2026-11-17.2": 200, "/api/v1/none": 404} {
		r := w.get(path).want(want)
		if want == 200 && !strings.Contains(string(r.body), "the page") {
			t.Errorf("%s gives %s", path, r.body)
		}
		if policy := r.header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
	if r := w.get("/assets/index-1a2b.js").want(200); !strings.Contains(r.header.Get("Cache-Control"), "immutable") {
		t.Errorf("a file with a hash in its name: %q", r.header.Get("Cache-Control"))
	}
	w.post("/answers/4f2a", struct{}{}).want(405)
}
