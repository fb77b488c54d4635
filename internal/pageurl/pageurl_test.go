package pageurl_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/internal/pageurl"
)

// Ways to write one address are one, and no two addresses are. Each line of a group stands for the same page, each group for another.
func TestPlain(t *testing.T) {
	groups := [][]string{
		{"https://example.org", "http://www.example.org/", "HTTPS://Example.ORG:443/index.html", "www.example.org", "WWW.example.org", "//example.org./#top", " https://example.org/?utm_source=openai \n", "https://m.example.org/", "https://amp.example.org/default.aspx"},
		{"https://example.org/a", "https://example.org/a/", "https://example.org/a//", "https://example.org/a/index.php#b", "https://example.org/%61", "http://example.org:80/a?fbclid=1&UTM_Campaign=2", "https://user@example.org/a?#:~:text=b"},
		{"https://example.org/A"},
		{"https://example.org:8080/a"},
		{"https://example.org/a?b=1&c=2", "https://example.org/a/?c=2&gclid=x&b=1"},
		{"https://example.org/a?b=2&c=2"},
		{"https://example.org/a?b=1", "https://www.example.org/a/index.htm?b=%31"},
		{"https://example.org/a%3Fb=1"},
		{"https://example.org/a%253Fb=1"},
		{"https://example.org/a%23b"},
		{"https://example.org/index", "https://example.org/index/"},
		{"https://example.org/#!/a"},
		{"https://example.org/#/a"},
		{"https://example.org/caf%C3%A9", "https://example.org/café"},
		{"https://example.org/100%", "http://www.example.org/100%/"},
		{"https://example.org/v?id=1;page=2", "http://www.example.org/v/?id=1;page=2&utm_source=x"},
		{"https://example.org/v?id=7;page=2"},
		{"https://example.org/v"},
		{"https://example.org/v?q=100%", "https://example.org/v?fbclid=1&q=100%"},
		{"https://example.org/v?q=50%"},
		{"http://[::1]:8080/"},
		{"http://[::1:8080]/"},
		{"https://m.org"},
		{"https://example.com"},
	}
	of := map[string]int{}
	for i, group := range groups {
		one := pageurl.Plain(group[0])
		if other, taken := of[one]; taken || one == "" {
			t.Errorf("%s and %s are both %q", group[0], groups[other][0], one)
		}
		of[one] = i
		for _, s := range group[1:] {
			if got := pageurl.Plain(s); got != one {
				t.Errorf("%s is %q, %s is %q", group[0], one, s, got)
			}
		}
	}
	for _, s := range []string{"", "www.", "notes.md", "/docs/", "#fn1", "mailto:a@example.org", "file:///home/a/notes.md", "https://", "https://:80/", "100%", "urn:isbn:9780306406157"} {
		if got := pageurl.Plain(s); got != "" {
			t.Errorf("%q names no host: %q", s, got)
		}
	}
}

// Who sent the reader tells no page from another.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{"https://www.example.org:8080/a/?b=1;c=2&d=%#!x", "//m.example.org/100%/index.html?utm_source=a", "http://[::1]:80/?q=a+b", "www.example.org/caf\u00e9?x=%zz&a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		one := pageurl.Plain(s)
		if u, err := url.Parse(strings.TrimSpace(s)); err != nil || u.Host == "" { // as "…/100%", which stays as it is written
			return
		}
		tracked := pageurl.Plain(strings.TrimSpace(s) + "&utm_source=x")
		if strings.Contains(s, "?") && !strings.Contains(s, "#") && tracked != one {
			t.Errorf("%q is %q, tracked %q", s, one, tracked)
		}
	})
}
