package capture_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/capture"
)

// Where an address is built of its parts, no password and no token is left, whatever stands around it.
func FuzzAddress(f *testing.F) {
	f.Add("ada", "example.org", "a/b", "q")
	f.Add("", "", "%zz", "api_key")
	f.Add("a:b@c/d?e#f", "tcp(db)", ";token='x", "password")
	f.Fuzz(func(t *testing.T, user, host, path, name string) {
		const secret = "hUsH7"
		if strings.Contains(user+host+path+name, secret) {
			return
		}
		u := url.URL{Scheme: "https", User: url.UserPassword(user, secret), Host: "h." + host, Path: "/" + path,
			RawQuery: url.Values{name: {"x"}, "api_key": {secret}, "q": {name}}.Encode(), Fragment: "token=" + secret}
		if got := capture.Redact(&u); strings.Contains(got, secret) {
			t.Fatalf("%s became %s", u.String(), got)
		}
		for _, s := range []string{u.String(), "password='" + secret + "'" + secret + " user=" + user, name + ";Pwd=" + secret} {
			if got := capture.Address(s); strings.Contains(got, secret) {
				t.Fatalf("%s became %s", s, got)
			}
		}
	})
}
