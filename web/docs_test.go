package web_test

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/examples"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/web"
)

// TestDocumentationIsTyped types every curl line of docs/api.md, holds its answer against the OpenAPI document, and holds
// that the page names every operation there is.
func TestDocumentationIsTyped(t *testing.T) {
	page, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not here: apt-get install curl")
	}
	w := open(t, func(c *web.Config) {
		c.Sample = examples.Library()
		log, err := c.Store.Log(context.Background(), sqlite.LogConfig{})
		if err != nil {
			t.Fatal(err)
		}
		c.AuditLog = log
	})
	dir := t.TempDir()
	letters, err := os.ReadFile("../examples/library/letters.md")
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, "letters.md"), letters, 0o600)
	bearer, _ := w.key(api.Read)
	vars := map[string]string{"IBID": w.URL, "KEY": strings.TrimPrefix(bearer, "Bearer ")}
	typed := map[string]bool{}
	for _, line := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(line, "curl ") {
			continue
		}
		status, media, body, method := typeLine(t, dir, line, vars)
		if strings.Contains(line, "$IBID/v1/") || strings.Contains(line, "$IBID/api/") {
			path := addressIn(t, line, vars)
			if err := w.doc.check(method, path, reply{t: t, status: status, header: map[string][]string{"Content-Type": {media}}, body: body}); err != nil {
				t.Errorf("%s: %v\n%s", line, err, clip(body))
			}
			if _, op := w.doc.operation(method, path); op != nil {
				typed[op["operationId"].(string)] = true
			}
		}
		if status >= 300 || status == 0 {
			t.Errorf("%s: %d %s", line, status, clip(body))
		}
		remember(body, line, vars)
	}
	for pattern, item := range w.doc.root["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			id := op.(map[string]any)["operationId"].(string)
			if !typed[id] && !strings.Contains(string(page), strings.ToUpper(method)+" "+pattern) {
				t.Errorf("docs/api.md does not show %s %s", strings.ToUpper(method), pattern)
			}
		}
	}
}

// typeLine types one line into a shell.
func typeLine(t *testing.T, dir, line string, vars map[string]string) (status int, media string, body []byte, method string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", `curl() { command curl -sS -o body -w '%{http_code}\n%{content_type}\n%{method}' "$@"; }; `+line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "no_proxy=*")
	for k, v := range vars {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	parts := strings.SplitN(string(out), "\n", 3)
	json.Unmarshal([]byte(parts[0]), &status)
	body, _ = os.ReadFile(filepath.Join(dir, "body"))
	os.Remove(filepath.Join(dir, "body"))
	return status, parts[1], body, parts[2]
}

var variable = regexp.MustCompile(`\$([A-Z]+)`)

// addressIn gives the path that a line asks for.
func addressIn(t *testing.T, line string, vars map[string]string) string {
	t.Helper()
	at := strings.LastIndex(line, "$IBID")
	address := strings.TrimSuffix(variable.ReplaceAllStringFunc(line[at:], func(v string) string { return vars[v[1:]] }), `"`)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return u.Path
}

// remember keeps what later lines name.
func remember(body []byte, line string, vars map[string]string) {
	var got struct {
		ID       string
		Text     string
		Outcomes []struct{ Source, Document string }
	}
	json.Unmarshal(body, &got)
	switch {
	case strings.Contains(line, "/upload"):
		vars["SOURCE"], vars["DOCUMENT"] = got.Outcomes[0].Source, got.Outcomes[0].Document
	case strings.HasSuffix(line, "/api/v1/ask") && got.ID != "" && vars["ANSWER"] == "":
		vars["ANSWER"] = got.ID
	case strings.HasSuffix(line, "/api/v1/argue"):
		vars["ARGUED"] = got.ID
	case strings.HasSuffix(line, `$IBID/api/v1/studies`) && got.ID != "":
		vars["STUDY"] = got.ID
	case strings.HasSuffix(line, "-X POST $IBID/api/v1/runs"):
		vars["RUN"] = got.ID
	}
}
