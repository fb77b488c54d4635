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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

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
	for k, v := range ref.Metadata {
		ref.Metadata[k] = valid(v)
	}
	ref.Tool, ref.Endpoint = valid(ref.Tool), valid(ref.Endpoint)
	kept := s.kept.Bytes()
	if kept == nil {
		kept = []byte{}
	}
	return l.Source(ref, kept)
}

// Names whose values are not for the record: those that hold one of these, those of which one of the words is, and those that
// end in "key".
var (
	secretParts = []string{"token", "secret", "passw", "passphrase", "signature", "credential", "apikey", "authorization", "cookie", "sessionid", "sessid"}
	secretWords = []string{"key", "pwd", "pw", "pass", "auth", "sig", "session", "sid", "jwt", "otp", "pin", "code", "state", "nonce", "ticket", "bearer", "appid"}
)

// Where passwords stand in the addresses of databases that are no URLs: password=hush, ada:hush@tcp(…), ada:hush@/ships,
// ada/hush@db:1521/ships.
var (
	pairs    = regexp.MustCompile(`[\w.%-]+\s*=\s*(?:(?:'(?:[^'\\]|\\.|'')*'|'[^']*'|"(?:[^"]|"")*"|\{(?:[^}]|\}\})*\})[^\s;&]*|[^\s;&]+)`)
	userPass = []*regexp.Regexp{
		regexp.MustCompile(`^([^:/\s]*:).*(@[a-z0-9]*\()`),
		regexp.MustCompile(`^([^:@/\s]*:)\S.*(@)`),
		regexp.MustCompile(`^([^:@/\s]+/)\S+(@(?://|\(|[^/\s@:]+:\d{1,5}(?:[/:?]|$)))`),
	}
	scheme     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
	jdbc       = regexp.MustCompile(`^jdbc:(?:oracle:\w+:)?`)
	noPassword = regexp.MustCompile(`^(?:(?i:mailto|file|agent|exec|sql|acct|sips?|xmpp|urn|doi|tag|pkg|npm|git):|[A-Za-z]:[\\/]|[^:@/\s]*:\d{1,5}/)|^[^@]*@sha256:`)
)

// hidden stands where a secret stood.
const hidden = "REDACTED"

// Redact gives an address without what looks like a secret: user and password, the values of parameters whose names
// speak of keys and tokens, in the path as in the query, and the fragment.
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
	path, query, has := strings.Cut(u.String(), "?")
	if path = mask(path); has { // it may have parameters, too
		path += "?" + query
	}
	return path
}

// Address gives an endpoint without what looks like a secret: as Redact does where it names a host, and without passwords where it
// is no address of the web.
func Address(endpoint string) string {
	if before := jdbc.FindString(endpoint); before != "" {
		rest := endpoint[len(before):]
		if strings.Contains(rest, ";") { // sqlserver://db;password=hu@sh
			rest = mask(rest)
		}
		return mask(before + Address(rest))
	}
	u, err := url.Parse(endpoint)
	switch {
	case err != nil && scheme.MatchString(endpoint):
		return malformed(endpoint)
	case err == nil && (u.Host != "" || u.User != nil):
		return Redact(u)
	}
	return withoutPassword(endpoint)
}

// malformed gives what of an address that cannot be read holds no secret for sure: all before its query, without the user. Where
// the host cannot be read, a password with / ? or # may be what ends it, and the last @ of all is taken for that behind the user.
func malformed(endpoint string) string {
	scheme, rest, _ := strings.Cut(endpoint, "://")
	host, _, _ := strings.Cut(rest, "/")
	if i := strings.IndexAny(host, "?#"); i >= 0 {
		host = host[:i]
	}
	user := strings.LastIndex(host, "@") + 1
	if _, err := url.Parse("x://" + host); err != nil {
		if ate(rest) {
			return scheme + "://" + hidden
		}
		user = strings.LastIndex(rest, "@") + 1
	}
	rest = rest[user:]
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	host, path, _ := strings.Cut(rest, "/")
	return mask(scheme + "://" + host + "/" + path)
}

// withoutPassword gives an address that is no URL without the passwords in it.
func withoutPassword(s string) string {
	if noPassword.MatchString(s) {
		return mask(s)
	}
	for _, r := range userPass {
		at := r.FindStringSubmatchIndex(s)
		if at == nil {
			continue
		}
		user, host := s[:at[3]], s[at[4]:]
		switch {
		case strings.Contains(user, "=") && strings.Contains(s, ";"): // Server=tcp:db;User=ada@db
			return mask(s)
		case ate(s):
			return mask(user) + hidden
		}
		return mask(user) + hidden + mask(host)
	}
	return mask(s)
}

// mask hides the values of names that speak of secrets.
func mask(s string) string {
	return pairs.ReplaceAllStringFunc(s, func(pair string) string {
		from := 0
		for i := range len(pair) {
			if pair[i] != '=' {
				continue
			}
			if isSecret(strings.TrimSpace(pair[from:i])) {
				return pair[:i+1] + hidden
			}
			from = i + 1
		}
		return pair
	})
}

// ate says whether an @ stands in what mask hides: it may be that of a password, or the one behind it.
func ate(s string) bool { return strings.Count(mask(s), "@") != strings.Count(s, "@") }

func isSecret(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	lower := strings.ToLower(name)
	if strings.HasSuffix(lower, "key") || slices.ContainsFunc(secretParts, func(p string) bool { return strings.Contains(lower, p) }) {
		return true
	}
	return slices.ContainsFunc(wordsOf(name), func(w string) bool { return slices.Contains(secretWords, w) })
}

// wordsOf gives the words of a name in lower case: auth of x-auth, key of signingKeyV2.
func wordsOf(name string) []string {
	var b strings.Builder
	small := false
	for _, c := range name {
		if small && unicode.IsUpper(c) {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(c)
		b.WriteRune(unicode.ToLower(c))
	}
	return strings.FieldsFunc(b.String(), func(c rune) bool { return c < 'a' || c > 'z' })
}

// valid gives text that stands in a record as it is: what others sent need not be UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
