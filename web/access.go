package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/sqlite"
)

func (s *Server) mountAccess() {
	add(s, operation{id: "whoami", method: "GET", path: "/api/v1/me", tag: "access", summary: "Who I am to the server", scope: api.Read}, s.me)
	add(s, operation{id: "listCollections", method: "GET", path: "/api/v1/collections", tag: "access", summary: "The collections I may see", scope: api.Read}, s.collections)
	add(s, operation{id: "listKeys", method: "GET", path: "/api/v1/keys", tag: "access", summary: "List the API keys", scope: api.Admin}, s.keys)
	add(s, operation{id: "createKey", method: "POST", path: "/api/v1/keys", tag: "access", summary: "Make an API key", scope: api.Admin, status: http.StatusCreated,
		once: "the key was made when this request came first, and its secret was given then; revoke it and make another where it is lost",
		doc:  "The secret is given once, in this answer; only its hash is kept."}, s.createKey)
	add(s, operation{id: "revokeKey", method: "DELETE", path: "/api/v1/keys/{id}", tag: "access", summary: "Revoke an API key", scope: api.Admin, status: http.StatusNoContent,
		doc: "It ends at once."}, s.revokeKey)
}

type callerKey struct{}

// caller is who sends a request, and where they may work.
type caller struct {
	name       string // for limits: the key, or the address
	key        string // id of the key; "" where there is none
	scope      api.Scope
	all        bool // may choose the collection
	collection string
	store      *sqlite.Store
}

func callerOf(ctx context.Context) *caller { return ctx.Value(callerKey{}).(*caller) }

// record is the store as the caller may see it.
func (c *caller) record() sqlite.Collection { return c.store.In(c.collection) }

// who finds out who calls, and whether they may do what takes the scope.
func (s *Server) who(r *http.Request, need api.Scope) (*caller, error) {
	c, err := s.identify(r)
	if err != nil {
		return nil, err
	}
	if c == nil {
		if need != "" {
			return nil, unauthorized("give an API key as Authorization: Bearer …")
		}
		c = &caller{name: address(r), store: s.Store}
	}
	if need != "" && !c.scope.Allows(need) {
		return nil, &statusError{http.StatusForbidden, errors.New("the key does not allow this; it takes one with scope " + string(need))}
	}
	if name := r.Header.Get("Ibid-Collection"); name != "" {
		if name, err = plainName(name); err != nil {
			return nil, err
		}
		if !c.all && name != c.collection {
			return nil, &statusError{http.StatusForbidden, errors.New("the key reaches one collection only, and this is another")}
		}
		if err := api.CheckCollection(name); err != nil {
			return nil, &fieldError{"header.Ibid-Collection", err}
		}
		c.collection = name
	}
	return c, nil
}

// plainName reads the name of a collection. Headers of browsers hold no letters beyond ASCII: they are sent as RFC 8187
// writes them, UTF-8”th%C3%A8se, in capitals or not, and with a language between the two signs or none.
func plainName(header string) (string, error) {
	const charset = "utf-8'"
	if len(header) < len(charset) || !strings.EqualFold(header[:len(charset)], charset) {
		return header, nil
	}
	language, encoded, ok := strings.Cut(header[len(charset):], "'")
	if !ok || strings.Trim(strings.ToLower(language), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return header, nil
	}
	name, err := url.PathUnescape(encoded)
	if err != nil {
		return "", invalid("header.Ibid-Collection", "what follows UTF-8'' is not percent-encoded")
	}
	return name, nil
}

// identify gives nil where nobody says who they are and it is needed to know.
func (s *Server) identify(r *http.Request) (*caller, error) {
	secret := r.Header.Get("X-Api-Key")
	if header := r.Header.Get("Authorization"); bearer(header) != header {
		secret = bearer(header)
	}
	// On an open server a key of ours still says which collection is meant; one of another service goes on to it.
	if strings.HasPrefix(secret, keyPrefix) || secret != "" && !s.Open {
		k, err := s.checkKey(r.Context(), secret)
		if err != nil {
			return nil, err
		}
		c := &caller{name: "key " + k.ID, key: k.ID, scope: k.Scope, all: k.Collection == nil, collection: s.Collection, store: s.Store}
		if k.Collection != nil {
			c.collection = *k.Collection
		}
		return c, nil
	}
	if s.Open {
		return &caller{name: address(r), scope: api.Admin, all: true, collection: s.Collection, store: s.Store}, nil
	}
	return s.signin.caller(r), nil
}

// bearer gives what follows the scheme, which has no case; the header where it has another, or none.
func bearer(header string) string {
	scheme, secret, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return header
	}
	return strings.TrimLeft(secret, " ")
}

func unauthorized(detail string) error {
	p := &huma.ErrorModel{Title: http.StatusText(http.StatusUnauthorized), Status: http.StatusUnauthorized, Detail: detail}
	return huma.ErrorWithHeaders(p, http.Header{"Www-Authenticate": {`Bearer realm="ibid"`}})
}

// A key is ibid_ID_SECRET, letters and digits alone, so that a double click takes all of it. The id finds the row; the secret
// has 192 bits, so that a plain hash of it cannot be searched.
const keyPrefix = "ibid_"

// NewKey makes a key and keeps its hash. The secret is what is given to its user; it is not kept.
func NewKey(ctx context.Context, store *sqlite.Store, name string, scope api.Scope, collection *string, now time.Time) (key api.Key, secret string, err error) {
	var b [24]byte
	rand.Read(b[:])
	key = api.Key{ID: newID(), Name: name, Scope: scope, Collection: collection, CreatedAt: now.UTC().Truncate(time.Microsecond)}
	secret = keyPrefix + key.ID + "_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
	return key, secret, store.PutKey(ctx, key, hashKey(secret))
}

func hashKey(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

func (s *Server) checkKey(ctx context.Context, secret string) (api.Key, error) {
	id, _, _ := strings.Cut(strings.TrimPrefix(secret, keyPrefix), "_")
	k, hash, err := s.Store.Key(ctx, id)
	if err != nil && !errors.Is(err, ibid.ErrNotFound) {
		return api.Key{}, err
	}
	if err != nil || subtle.ConstantTimeCompare(hash, hashKey(secret)) != 1 {
		return api.Key{}, unauthorized("the API key is not known or was revoked")
	}
	return k, nil
}

type meForm struct {
	Key        string    `json:"key,omitempty" doc:"Id of the key, where one was given."`
	Scope      api.Scope `json:"scope" enum:"read,write,admin"`
	Collection string    `json:"collection"`
	All        bool      `json:"all_collections"`
	Default    string    `json:"default_collection" doc:"The one that is worked in where none is named."`
	Version    string    `json:"version" doc:"Of the server."`
	Model      string    `json:"model" doc:"Who writes answers: extractive, or provider and name."`
}

type body[T any] struct{ Body T }

func (s *Server) me(ctx context.Context, _ *struct{}) (*body[meForm], error) {
	c := callerOf(ctx)
	me := meForm{c.key, c.scope, c.collection, c.all, s.Collection, s.Version, s.ModelName}
	if !c.all { // it has no other
		me.Default = c.collection
	}
	return &body[meForm]{me}, nil
}

func (s *Server) collections(ctx context.Context, _ *struct{}) (*body[api.Page[string]], error) {
	c := callerOf(ctx)
	page := api.Page[string]{Items: []string{c.collection}}
	if c.all {
		names, err := s.Store.Collections(ctx)
		if err != nil {
			return nil, err
		}
		page.Items = append([]string{}, names...)
	}
	return &body[api.Page[string]]{page}, nil
}

func (s *Server) keys(ctx context.Context, _ *struct{}) (*body[api.Page[api.Key]], error) {
	c := callerOf(ctx)
	all, err := s.Store.Keys(ctx)
	if err != nil {
		return nil, err
	}
	page := api.Page[api.Key]{Items: []api.Key{}}
	for _, k := range all {
		if c.all || k.Collection != nil && *k.Collection == c.collection {
			page.Items = append(page.Items, k)
		}
	}
	return &body[api.Page[api.Key]]{page}, nil
}

type newKeyForm struct {
	Name       string    `json:"name" minLength:"1" maxLength:"200" doc:"What it is for."`
	Scope      api.Scope `json:"scope" enum:"read,write,admin"`
	Collection *string   `json:"collection,omitempty" maxLength:"200" doc:"The only collection it reaches; absent for all."`
}

type madeKeyForm struct {
	Key    api.Key `json:"key"`
	Secret string  `json:"secret" doc:"The key itself, shown this once."`
}

func (s *Server) createKey(ctx context.Context, in *body[newKeyForm]) (*body[madeKeyForm], error) {
	c := callerOf(ctx)
	if !c.all && (in.Body.Collection == nil || *in.Body.Collection != c.collection) {
		return nil, &statusError{http.StatusForbidden, errors.New("a key of one collection makes keys of that collection only")}
	}
	if name := in.Body.Collection; name != nil {
		if err := api.CheckCollection(*name); err != nil {
			return nil, &fieldError{"body.collection", err}
		}
	}
	k, secret, err := NewKey(ctx, s.Store, in.Body.Name, in.Body.Scope, in.Body.Collection, s.Asker.Now())
	return &body[madeKeyForm]{madeKeyForm{k, secret}}, err
}

type idParam struct {
	ID string `path:"id" maxLength:"200"`
}

func (s *Server) revokeKey(ctx context.Context, in *idParam) (*struct{}, error) {
	c := callerOf(ctx)
	if !c.all {
		k, _, err := s.Store.Key(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		if k.Collection == nil || *k.Collection != c.collection {
			return nil, ibid.ErrNotFound
		}
	}
	return nil, s.Store.RevokeKey(ctx, in.ID, s.Asker.Now())
}
