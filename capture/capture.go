// Package capture registers what tools return while they return it: HTTP responses, rows of a database, the output of
// commands. Each gives the reference that claims rest on:
//
//	client := &http.Client{Transport: &capture.Transport{Ledger: led}}
//	resp, err := client.Get("https://example.org/cable")
//	body, err := io.ReadAll(resp.Body)
//	source, err := capture.Reference(resp)
//	led.Claim("The cable failed after three weeks.", source, "three weeks")
//
// What passes through is not changed and not delayed; of it a bounded snapshot is kept. Headers are not recorded but for
// a few that describe the content, and what looks like a secret in an address is taken out before anything is kept.
package capture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ledger"
)

// DefaultLimit is how much of one retrieval is kept where nothing else is said.
const DefaultLimit = 8 << 20

// snapshot keeps the beginning of what is written to it, and measures all of it.
type snapshot struct {
	limit int64
	kept  bytes.Buffer
	sum   hash.Hash
	n     int64
}

func newSnapshot(limit int64) *snapshot {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &snapshot{limit: limit, sum: sha256.New()}
}

// Write never fails: what is captured must not be harmed by it.
func (s *snapshot) Write(p []byte) (int, error) {
	s.sum.Write(p)
	s.n += int64(len(p))
	if room := s.limit - int64(s.kept.Len()); room > 0 {
		s.kept.Write(p[:min(int64(len(p)), room)])
	}
	return len(p), nil
}

// register makes the reference. Where the snapshot is cut, the hash and length of the whole stand beside it.
func (s *snapshot) register(l *ledger.Ledger, ref ibid.SourceReference) (ibid.SourceReference, error) {
	if ref.Metadata == nil {
		ref.Metadata = map[string]string{}
	}
	ref.Metadata["bytes"] = strconv.FormatInt(s.n, 10)
	if s.n > s.limit {
		ref.Metadata["snapshot"] = "the first " + strconv.FormatInt(s.limit, 10) + " bytes"
		ref.Metadata["sha256"] = hex.EncodeToString(s.sum.Sum(nil))
	}
	kept := s.kept.Bytes()
	if kept == nil {
		kept = []byte{}
	}
	return l.Source(ref, kept)
}

// Names whose values are not for the record: those that hold one of these, and those of which one of the words is.
var (
	secretParts = []string{"token", "secret", "passw", "signature", "credential", "apikey", "authorization", "cookie"}
	secretWords = []string{"key", "pwd", "pass", "auth", "sig", "session", "sessionid", "sid", "jwt", "otp", "pin", "code", "state", "nonce"}
)

// hidden stands where a secret stood.
const hidden = "REDACTED"

// Redact gives an address without what looks like a secret: user and password, the values of parameters whose names
// speak of keys and tokens, the fragment.
func Redact(address *url.URL) string {
	u := *address
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	if u.RawQuery != "" {
		parts := strings.FieldsFunc(u.RawQuery, func(r rune) bool { return r == '&' || r == ';' })
		for i, p := range parts {
			name, _, has := strings.Cut(p, "=")
			if has && isSecret(name) {
				parts[i] = name + "=" + hidden
			}
		}
		u.RawQuery = strings.Join(parts, "&")
	}
	return u.String()
}

// Address gives an endpoint as Redact does where it names a host, and as it is where it does not.
func Address(endpoint string) string {
	if u, err := url.Parse(endpoint); err == nil && u.Host != "" {
		return Redact(u)
	}
	return endpoint
}

func isSecret(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	lower := strings.ToLower(name)
	if slices.ContainsFunc(secretParts, func(p string) bool { return strings.Contains(lower, p) }) {
		return true
	}
	words := strings.FieldsFunc(lower, func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(secretWords, w) })
}
