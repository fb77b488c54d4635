package web_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	paths "path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// document is the OpenAPI document of a server, by which its answers are checked.
type document struct {
	root     map[string]any
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

// succeeded has the operations that answered with success in some test.
var succeeded sync.Map

// TestMain holds, when all tests have run, that each operation of the document succeeded in one of them.
func TestMain(m *testing.M) {
	code := m.Run()
	if whole := flag.Lookup("test.run").Value.String()+flag.Lookup("test.skip").Value.String()+flag.Lookup("test.list").Value.String() == ""; code == 0 && whole {
		code = neverUsed()
	}
	os.Exit(code)
}

func neverUsed() (code int) {
	described.Range(func(id, where any) bool {
		if _, ok := succeeded.Load(id); !ok {
			fmt.Printf("FAIL: no test saw %s (%s) succeed\n", id, where)
			code = 1
		}
		return true
	})
	return code
}

// described has the operations of every document that was read, by their ids.
var described sync.Map

func readDocument(t testing.TB, base string) *document {
	t.Helper()
	res, err := http.Get(base + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for pattern, item := range root.(map[string]any)["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			described.Store(op.(map[string]any)["operationId"], strings.ToUpper(method)+" "+pattern)
		}
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("openapi.json", root); err != nil {
		t.Fatal(err)
	}
	return &document{root: root.(map[string]any), compiler: c, compiled: map[string]*jsonschema.Schema{}}
}

// placeholder stands for a part of a path that is not empty.
var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// operation finds what the document says of a request.
func (d *document) operation(method, path string) (pointer string, op map[string]any) {
	for pattern, item := range d.root["paths"].(map[string]any) {
		if ok, _ := paths.Match(placeholder.ReplaceAllString(pattern, "?*"), path); !ok {
			continue
		}
		if op, ok := item.(map[string]any)[strings.ToLower(method)].(map[string]any); ok {
			return "#/paths/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(pattern) + "/" + strings.ToLower(method), op
		}
	}
	return "", nil
}

// check holds an answer against the document: its status, its media type, its body.
func (d *document) check(method, path string, r reply) error {
	if method == "OPTIONS" || !strings.HasPrefix(path, "/api/") && !strings.HasPrefix(path, "/v1/") {
		return nil
	}
	pointer, op := d.operation(method, path)
	if op == nil {
		if r.status == http.StatusNotFound || r.status == http.StatusMethodNotAllowed || r.status == http.StatusMisdirectedRequest {
			return nil
		}
		return fmt.Errorf("it answers %d to what the document does not have", r.status)
	}
	responses := op["responses"].(map[string]any)
	key := fmt.Sprint(r.status)
	if responses[key] == nil {
		if key = "default"; r.status < 400 || responses[key] == nil {
			return fmt.Errorf("status %d is not in the document", r.status)
		}
	} else if r.status < 300 {
		succeeded.Store(op["operationId"], true)
	}
	content, _ := responses[key].(map[string]any)["content"].(map[string]any)
	if len(r.body) == 0 && content == nil {
		return nil
	}
	media, _, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	if err != nil {
		return err
	}
	if content["*/*"] != nil {
		return nil
	}
	if content[media] == nil {
		return fmt.Errorf("media type %s is not in the document", media)
	}
	pointer += "/responses/" + key + "/content/" + strings.ReplaceAll(media, "/", "~1") + "/schema"
	schema, err := d.schema(pointer)
	if err != nil {
		return err
	}
	if media == "text/event-stream" && strings.HasPrefix(path, "/v1/") {
		return nil // in the provider's form
	}
	if media == "text/event-stream" {
		return checkEvents(schema, string(r.body))
	}
	if !strings.HasSuffix(media, "json") {
		return nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.body))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

func (d *document) schema(pointer string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.compiled[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile("openapi.json" + pointer)
	if err == nil {
		d.compiled[pointer] = s
	}
	return s, err
}

func checkEvents(schema *jsonschema.Schema, body string) error {
	var list []any
	for _, e := range events(body) {
		data, err := jsonschema.UnmarshalJSON(strings.NewReader(e.data))
		if err != nil {
			return fmt.Errorf("event %s: %w", e.kind, err)
		}
		list = append(list, map[string]any{"id": e.id, "event": e.kind, "data": data})
	}
	if list == nil {
		list = []any{}
	}
	return schema.Validate(list)
}

// TestDocumentIsValid holds the document against the rules of OpenAPI 3.1 that a generator of clients stumbles over, and
// every schema in it against JSON Schema 2020-12.
func TestDocumentIsValid(t *testing.T) {
	w := open(t)
	d := w.doc
	if v := d.root["openapi"]; v != "3.1.0" {
		t.Errorf("openapi %v", v)
	}
	ids := map[string]bool{}
	for pattern, item := range d.root["paths"].(map[string]any) {
		var inPath []string
		for _, m := range regexp.MustCompile(`\{([^}]*)\}`).FindAllStringSubmatch(pattern, -1) {
			inPath = append(inPath, m[1])
		}
		for method, v := range item.(map[string]any) {
			op := v.(map[string]any)
			at := method + " " + pattern
			id, _ := op["operationId"].(string)
			if id == "" || ids[id] {
				t.Errorf("%s: operationId %q is missing or used twice", at, id)
			}
			ids[id] = true
			if op["summary"] == nil || op["tags"] == nil {
				t.Errorf("%s: no summary or no tag", at)
			}
			seen := map[string]bool{}
			params, _ := op["parameters"].([]any)
			for _, p := range params {
				p := p.(map[string]any)
				key := fmt.Sprint(p["in"], " ", p["name"])
				if seen[key] {
					t.Errorf("%s: parameter %s twice", at, key)
				}
				seen[key] = true
				if p["in"] == "path" && (p["required"] != true || !slices.Contains(inPath, p["name"].(string))) {
					t.Errorf("%s: path parameter %v is not required or not in the path", at, p["name"])
				}
				if p["schema"] == nil {
					t.Errorf("%s: parameter %s has no schema", at, key)
				}
			}
			for _, name := range inPath {
				if !seen["path "+name] {
					t.Errorf("%s: {%s} is not described", at, name)
				}
			}
			responses := op["responses"].(map[string]any)
			if responses["default"] == nil {
				t.Errorf("%s: does not say what errors look like", at)
			}
			for code, r := range responses {
				r := r.(map[string]any)
				if r["description"] == nil || r["description"] == "" {
					t.Errorf("%s: response %s has no description", at, code)
				}
			}
		}
	}
	for name := range d.root["components"].(map[string]any)["schemas"].(map[string]any) {
		if _, err := d.schema("#/components/schemas/" + name); err != nil {
			t.Errorf("schema %s: %v", name, err)
		}
	}
	refs(d.root, func(ref string) {
		at := any(d.root)
		for _, part := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			m, _ := at.(map[string]any)
			at = m[part]
		}
		if at == nil {
			t.Errorf("%s leads nowhere", ref)
		}
	})
}

func refs(v any, see func(string)) {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			see(ref)
		}
		for _, x := range v {
			refs(x, see)
		}
	case []any:
		for _, x := range v {
			refs(x, see)
		}
	}
}
