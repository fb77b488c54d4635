package web_test

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/ibid-dev/ibid/web"
)

// issuer is a small provider of sign-ins: whoever asks is the person it is told to give out.
type issuer struct {
	*httptest.Server
	key      *rsa.PrivateKey
	email    string
	verified bool
	nonce    string
	wrongKey bool
	audience string
	proof    string // the challenge that the code's verifier must meet
}

func newIssuer(t *testing.T) *issuer {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &issuer{key: key, email: "ada@example.org", verified: true, audience: "ibid"}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256"}, "response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		e := base64.RawURLEncoding.EncodeToString(big.NewInt(int64(p.key.E)).Bytes())
		json.NewEncoder(w).Encode(map[string]any{"keys": []any{map[string]any{"kty": "RSA", "kid": "k", "alg": "RS256", "use": "sig", "n": base64.RawURLEncoding.EncodeToString(p.key.N.Bytes()), "e": e}}})
	})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		p.nonce, p.proof = q.Get("nonce"), q.Get("code_challenge")
		http.Redirect(w, r, q.Get("redirect_uri")+"?code=abc&state="+url.QueryEscape(q.Get("state")), http.StatusFound)
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
		if base64.RawURLEncoding.EncodeToString(sum[:]) != p.proof {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": p.token()})
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func (p *issuer) token() string {
	part := func(v any) string { b, _ := json.Marshal(v); return base64.RawURLEncoding.EncodeToString(b) }
	body := part(map[string]any{"alg": "RS256", "kid": "k"}) + "." + part(map[string]any{"iss": p.URL, "aud": p.audience, "sub": "1", "email": p.email, "email_verified": p.verified,
		"nonce": p.nonce, "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix()})
	key := p.key
	if p.wrongKey {
		key, _ = rsa.GenerateKey(rand.Reader, 2048)
	}
	sum := sha256.Sum256([]byte(body))
	sig, _ := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	return body + "." + base64.RawURLEncoding.EncodeToString(sig)
}

func TestSignIn(t *testing.T) {
	p := newIssuer(t)
	w := open(t, locked, func(c *web.Config) {
		c.OIDC = &web.OIDC{Issuer: p.URL, ClientID: "ibid", ClientSecret: "s", Allow: []string{"@example.org"}, Admins: []string{"root@example.org"}}
	})
	web.SetRedirect(w.server, w.URL+"/auth/callback")
	visit := func(client *http.Client, method, path string) (int, string) {
		req, _ := http.NewRequest(method, w.URL+path, nil)
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		b, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(b)
	}
	browser := func() *http.Client { jar, _ := cookiejar.New(nil); return &http.Client{Jar: jar} }

	ada := browser()
	if code, _ := visit(ada, "GET", "/api/v1/sources"); code != 401 {
		t.Errorf("before signing in: %d", code)
	}
	visit(ada, "GET", "/auth/login")
	if code, b := visit(ada, "GET", "/api/v1/me"); code != 200 || !strings.Contains(b, `"scope":"write"`) || !strings.Contains(b, "ada@example.org") {
		t.Errorf("signed in: %d %s", code, b)
	}
	if code, _ := visit(ada, "GET", "/api/v1/keys"); code != 403 {
		t.Errorf("an ordinary person sees the keys: %d", code)
	}
	visit(ada, "POST", "/auth/logout")
	if code, _ := visit(ada, "GET", "/api/v1/me"); code != 401 {
		t.Errorf("after signing out: %d", code)
	}
	p.email = "root@example.org"
	root := browser()
	visit(root, "GET", "/auth/login")
	if code, _ := visit(root, "GET", "/api/v1/keys"); code != 200 {
		t.Errorf("the administrator does not see the keys: %d", code)
	}
	for name, change := range map[string]func(){
		"of elsewhere":       func() { p.email = "eve@evil.example" },
		"looks like ours":    func() { p.email = "eve@notexample.org" },
		"not verified":       func() { p.verified = false },
		"signed by another":  func() { p.wrongKey = true },
		"for another client": func() { p.audience = "other" },
	} {
		p.email, p.verified, p.wrongKey, p.audience = "ada@example.org", true, false, "ibid"
		change()
		eve := browser()
		visit(eve, "GET", "/auth/login")
		if code, _ := visit(eve, "GET", "/api/v1/me"); code != 401 {
			t.Errorf("%s: let in with %d", name, code)
		}
	}
	p.email, p.verified, p.wrongKey, p.audience = "ada@example.org", true, false, "ibid"
	if code, _ := visit(browser(), "GET", "/auth/callback?code=abc&state=guessed"); code != 403 {
		t.Errorf("a sign-in that was begun elsewhere: %d", code)
	}
	// Who signs in comes back to where they were, and nowhere else.
	for to, want := range map[string]string{"": "/", "/answers/4f2a?in=thesis#s3.2": "/answers/4f2a?in=thesis#s3.2", "/library/a b": "/library/a%20b", "https://evil.example/": "/",
		"//evil.example/": "/", `/\evil.example/`: "/", "/%2fevil.example": "/", "javascript:alert(1)": "/", "/x\r\nSet-Cookie: a=b": "/", "/" + strings.Repeat("x", 1000): "/"} {
		cy, back := browser(), ""
		cy.CheckRedirect = func(r *http.Request, via []*http.Request) error {
			back = r.URL.RequestURI()
			if r.URL.Fragment != "" {
				back += "#" + r.URL.Fragment
			}
			if r.URL.Host != strings.TrimPrefix(w.URL, "http://") && r.URL.Host != strings.TrimPrefix(p.URL, "http://") {
				t.Errorf("%q leads to %s", to, r.URL)
			}
			return nil
		}
		visit(cy, "GET", "/auth/login?to="+url.QueryEscape(to))
		if back != want {
			t.Errorf("%q leads to %q, want %q", to, back, want)
		}
	}
	forged := base64.RawURLEncoding.EncodeToString([]byte(`{"Email":"root@example.org","Admin":true,"Until":"2099-01-01T00:00:00Z"}`)) + ".AAAA"
	w.get("/api/v1/me", "Cookie", "ibid_session="+forged).want(401)
}

// Where the provider of sign-in is not there, that is said, and no word of a model; where it would be is not.
func TestSignInSaysThatItsProviderIsNotThere(t *testing.T) {
	p := newIssuer(t)
	w := open(t, locked, func(c *web.Config) {
		c.OIDC = &web.OIDC{Issuer: p.URL, ClientID: "ibid", ClientSecret: "s", Allow: []string{"@example.org"}}
	})
	p.Close()
	r := w.send("GET", "/auth/login", nil).want(502).says("the sign-in provider was not reached; the server's log says why")
	if strings.Contains(string(r.body), strings.TrimPrefix(p.URL, "http://")) {
		t.Errorf("it tells where the provider is: %s", r.body)
	}
}

func TestHealthAndMetrics(t *testing.T) {
	w := open(t).cables()
	w.get("/healthz").want(200)
	w.get("/readyz").want(200)
	w.ask(when)
	m := string(w.get("/metrics").want(200).body)
	for _, line := range []string{`ibid_http_requests_total{method="POST",route="/api/v1/ask",status="200"} 1`, `ibid_segments_total{origin="RAG"}`, "ibid_streams_open 0", "process_resident_memory_bytes"} {
		if !strings.Contains(m, line) {
			t.Errorf("the metrics lack %s", line)
		}
	}
	closed := open(t, locked)
	closed.get("/metrics").want(401)
	closed.get("/healthz").want(200)
}

// Traces and logs tell of routes, models and times, and hold no word of what was asked or answered.
func TestTracesAndLogsHoldNoPayload(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	w := open(t, func(c *web.Config) {
		c.Tracer = trace.NewTracerProvider(trace.WithSyncer(spans))
		c.ModelName, c.ProviderName = "extractive", "ibid"
	}).cables()
	w.post("/api/v1/ask", map[string]any{"question": "Who was the jeopardous Whitehouse?"}).want(200)
	w.post("/api/v1/ask", map[string]any{"question": "jeopardous", "colour": "vermilion"}).want(422)
	w.get("/api/v1/answers?cursor=jeopardous")
	told := fmt.Sprintf("%+v", spans.GetSpans()) + w.log.String()
	for _, secret := range []string{"jeopardous", "vermilion", "Whitehouse"} {
		if strings.Contains(told, secret) {
			t.Errorf("%q is in the traces or the log", secret)
		}
	}
	names := map[string]string{}
	for _, s := range spans.GetSpans() {
		for _, a := range s.Attributes {
			names[string(a.Key)] = a.Value.String()
		}
	}
	if names["gen_ai.operation.name"] != "chat" || names["gen_ai.response.model"] != "extractive" || names["http.route"] == "" {
		t.Errorf("attributes %v", names)
	}
}

// A provider that is slow to answer is asked once for all who sign in meanwhile, and not by one after the other; that the first of
// them went away ends it for nobody.
func TestSlowProviderIsWaitedForTogether(t *testing.T) {
	p := newIssuer(t)
	asked, answer := make(chan struct{}, 10), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-answer
		json.NewEncoder(w).Encode(map[string]any{"issuer": "http://" + r.Host, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys"})
	}))
	defer slow.Close()
	w := open(t, locked, func(c *web.Config) {
		c.OIDC = &web.OIDC{Issuer: slow.URL, ClientID: "ibid", ClientSecret: "s", Allow: []string{"@example.org"}}
	})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	gone, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		req, _ := http.NewRequestWithContext(gone, "GET", w.URL+"/auth/login", nil)
		if res, err := client.Do(req); err == nil {
			res.Body.Close()
			t.Errorf("who left was answered with %d", res.StatusCode)
		}
	})
	<-asked
	for range 4 {
		all.Go(func() {
			res, err := client.Get(w.URL + "/auth/login")
			if err != nil {
				t.Error(err)
				return
			}
			res.Body.Close()
			if res.StatusCode != http.StatusFound {
				t.Errorf("status %d", res.StatusCode)
			}
		})
	}
	leave()
	time.Sleep(100 * time.Millisecond) // they wait now, or come later: both must do
	close(answer)
	all.Wait()
	if n := len(asked); n > 0 {
		t.Errorf("the provider was asked %d times more", n)
	}
}
