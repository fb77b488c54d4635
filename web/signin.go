package web

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/ibid-dev/ibid/api"
)

// OIDC lets people sign in to the page with an account of theirs. Programs use keys.
type OIDC struct {
	Issuer       string
	ClientID     string
	ClientSecret string
	// RedirectURL is this server's /auth/callback, as the provider knows it.
	RedirectURL string
	// Allow are the addresses that may sign in: ada@example.org, or @example.org for all of it. It must not be empty.
	Allow []string
	// Admins, of those, may do everything. The others may read and write.
	Admins []string
	// Client does the HTTP. Defaults to one that waits ten seconds.
	Client *http.Client
}

// signin keeps no session: what is known of a person is in their cookie, under this server's seal. The seal is made anew
// when the server starts.
type signin struct {
	OIDC
	server *Server
	seal   [32]byte

	mu      sync.Mutex
	finding *discovery // the last one; begun on first use
}

// discovery is a search for the provider that all wait for who sign in meanwhile.
type discovery struct {
	done     chan struct{}
	provider *oidc.Provider // nil where it was not reached
}

const (
	sessionCookie = "ibid_session"
	loginCookie   = "ibid_login"
	sessionTime   = 12 * time.Hour
	loginTime     = 10 * time.Minute
)

func newSignin(s *Server) *signin {
	if s.Config.OIDC == nil {
		return nil
	}
	n := &signin{OIDC: *s.Config.OIDC, server: s}
	rand.Read(n.seal[:])
	if n.Client == nil {
		n.Client = &http.Client{Timeout: 10 * time.Second}
	}
	return n
}

func (n *signin) mount(mux *http.ServeMux) {
	if n == nil {
		return
	}
	mux.HandleFunc("GET /auth/login", n.handle(n.login))
	mux.HandleFunc("GET /auth/callback", n.handle(n.callback))
	mux.HandleFunc("POST /auth/logout", n.handle(func(w http.ResponseWriter, r *http.Request) error {
		n.put(w, sessionCookie, "", -1)
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return nil
	}))
}

func (n *signin) handle(f func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		accountOf(r.Context()).route = "/auth"
		w.Header().Set("Cache-Control", "no-store")
		if wait, ok := n.server.limits.allow(address(r)); !ok {
			n.server.refuse(w, r, tooMany(wait, "too many requests"))
			return
		}
		if err := f(w, r); err != nil {
			n.server.refuse(w, r, err)
		}
	}
}

func (n *signin) find(ctx context.Context) (*oidc.Provider, *oauth2.Config, context.Context, error) {
	ctx = oidc.ClientContext(ctx, n.Client)
	found := n.discover()
	select {
	case <-found.done:
	case <-ctx.Done():
		return nil, nil, ctx, ctx.Err()
	}
	p := found.provider
	if p == nil {
		return nil, nil, ctx, &statusError{http.StatusBadGateway, errors.New("the sign-in provider was not reached; the server's log says why")}
	}
	return p, &oauth2.Config{ClientID: n.ClientID, ClientSecret: n.ClientSecret, RedirectURL: n.RedirectURL, Endpoint: p.Endpoint(),
		Scopes: []string{oidc.ScopeOpenID, "email"}}, ctx, nil
}

// discover gives the search that is going on, the one that found the provider, or begins another. None waits for one before it
// to fail first, and none ends because who began it went away.
func (n *signin) discover() *discovery {
	n.mu.Lock()
	defer n.mu.Unlock()
	if d := n.finding; d != nil {
		select {
		case <-d.done:
			if d.provider != nil {
				return d
			}
		default:
			return d
		}
	}
	d := &discovery{done: make(chan struct{})}
	n.finding = d
	n.server.working.Go(func() {
		defer close(d.done)
		p, err := oidc.NewProvider(oidc.ClientContext(n.server.background, n.Client), n.Issuer)
		if err != nil {
			n.server.Log.Error("sign-in provider not reached", "error", err)
			return
		}
		d.provider = p
	})
	return d
}

// attempt is what must come back from the provider as it was sent.
type attempt struct {
	State, Nonce, Verifier string
	To                     string // where the page was
	Until                  time.Time
}

func (n *signin) login(w http.ResponseWriter, r *http.Request) error {
	_, conf, _, err := n.find(r.Context())
	if err != nil {
		return err
	}
	a := attempt{State: newID() + newID(), Nonce: newID() + newID(), Verifier: oauth2.GenerateVerifier(), To: ownPage(r.URL.Query().Get("to")), Until: time.Now().Add(loginTime)}
	n.put(w, loginCookie, n.sealed(loginCookie, a), loginTime)
	http.Redirect(w, r, conf.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), http.StatusFound)
	return nil
}

// ownPage gives an address that leads nowhere but to a page of ours; the first of them where another is asked for. It is
// kept in a cookie, so that it has to be short.
func ownPage(to string) string {
	u, err := url.Parse(to)
	if err != nil || len(to) > 1000 || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(u.Path, "//") || strings.ContainsAny(to, "\\\r\n") {
		return "/"
	}
	return to
}

// person is who signed in.
type person struct {
	Email string
	Admin bool
	Until time.Time
}

func (n *signin) callback(w http.ResponseWriter, r *http.Request) error {
	refused := func(why string) error { return &statusError{http.StatusForbidden, errors.New("not signed in: " + why)} }
	var a attempt
	if !n.opened(r, loginCookie, &a) || time.Now().After(a.Until) || subtle.ConstantTimeCompare([]byte(a.State), []byte(r.URL.Query().Get("state"))) != 1 {
		return refused("this sign-in was not begun here, or too long ago; begin again at /auth/login")
	}
	n.put(w, loginCookie, "", -1)
	provider, conf, ctx, err := n.find(r.Context())
	if err != nil {
		return err
	}
	token, err := conf.Exchange(ctx, r.URL.Query().Get("code"), oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return refused("the provider did not confirm it")
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := provider.Verifier(&oidc.Config{ClientID: n.ClientID}).Verify(ctx, raw)
	if err != nil || id.Nonce != a.Nonce {
		return refused("the provider's word does not hold")
	}
	var claims struct {
		Email    string `json:"email"`
		Verified bool   `json:"email_verified"`
	}
	if id.Claims(&claims) != nil || !claims.Verified || !among(n.Allow, claims.Email) {
		return refused("this account is not among those that are let in")
	}
	n.put(w, sessionCookie, n.sealed(sessionCookie, person{claims.Email, among(n.Admins, claims.Email), time.Now().Add(sessionTime)}), sessionTime)
	http.Redirect(w, r, ownPage(a.To), http.StatusSeeOther)
	return nil
}

func among(list []string, email string) bool {
	email = strings.ToLower(email)
	for _, a := range list {
		a = strings.ToLower(a)
		if a == email || strings.HasPrefix(a, "@") && strings.HasSuffix(email, a) {
			return true
		}
	}
	return false
}

// caller gives who a request's cookie speaks of, nil where it speaks of nobody.
func (n *signin) caller(r *http.Request) *caller {
	if n == nil {
		return nil
	}
	var p person
	if !n.opened(r, sessionCookie, &p) || p.Email == "" || time.Now().After(p.Until) {
		return nil
	}
	scope := api.Write
	if p.Admin {
		scope = api.Admin
	}
	return &caller{name: "person " + p.Email, key: p.Email, scope: scope, all: p.Admin, collection: n.server.Collection, store: n.server.Store}
}

func (n *signin) put(w http.ResponseWriter, name, value string, age time.Duration) {
	seconds := int(age.Seconds())
	if age < 0 {
		seconds = -1
	}
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(n.RedirectURL, "https:")})
}

// sealed gives a value for the cookie of a name, and for no other.
func (n *signin) sealed(name string, v any) string {
	b, _ := json.Marshal(v)
	return base64.RawURLEncoding.EncodeToString(b) + "." + base64.RawURLEncoding.EncodeToString(n.mac(name, b))
}

func (n *signin) mac(name string, b []byte) []byte {
	h := hmac.New(sha256.New, n.seal[:])
	h.Write([]byte(name + "\x00"))
	h.Write(b)
	return h.Sum(nil)
}

func (n *signin) opened(r *http.Request, name string, v any) bool {
	c, err := r.Cookie(name)
	if err != nil {
		return false
	}
	body, seal, _ := strings.Cut(c.Value, ".")
	b, err1 := base64.RawURLEncoding.DecodeString(body)
	m, err2 := base64.RawURLEncoding.DecodeString(seal)
	return err1 == nil && err2 == nil && hmac.Equal(m, n.mac(name, b)) && json.Unmarshal(b, v) == nil
}
