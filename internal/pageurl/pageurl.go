// Package pageurl tells which addresses of the web are ways to write one.
package pageurl

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Plain gives one spelling for the many of one address: without scheme, "www.", port, fragment, tracking, a trailing slash or the
// name of an index page; parameters in order. It is "" for what names no host, as a file or a part of a page does.
func Plain(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 4 && strings.EqualFold(s[:4], "www.") {
		s = "//" + s
	}
	u, err := url.Parse(s)
	switch {
	case err != nil && scheme.MatchString(s):
		return Short(s) // as "…/100%", which browsers open all the same
	case err != nil || u.Hostname() == "":
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	host = strings.TrimPrefix(host, "www.")
	if strings.Count(host, ".") > 1 {
		host = strings.TrimPrefix(strings.TrimPrefix(host, "m."), "amp.")
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		host += ":" + p
	}
	path := strings.TrimRight(u.Path, "/")
	path = indexPage.ReplaceAllString(path, "")
	out := host + marks.Replace(path)
	if q := parameters(u.RawQuery); q != "" {
		out += "?" + q
	}
	if strings.HasPrefix(u.Fragment, "!") || strings.HasPrefix(u.Fragment, "/") { // pages drawn by a script
		out += "#" + u.Fragment
	}
	return out
}

// parameters puts those that say what is read in order. Where they are not written as forms write them, as with ";" between them or
// a bare "%", they stay as they are: what is left out of one address may be all that tells it from another.
func parameters(raw string) string {
	query, err := url.ParseQuery(raw)
	if err != nil {
		all := strings.Split(raw, "&")
		all = slices.DeleteFunc(all, func(p string) bool {
			name, _, _ := strings.Cut(p, "=")
			return p == "" || tracking.MatchString(name)
		})
		slices.Sort(all)
		return strings.Join(all, "&")
	}
	for k := range query {
		if tracking.MatchString(k) {
			delete(query, k)
		}
	}
	return query.Encode()
}

// Short is an address as a text may print it: as it is written, without scheme, "www." and a trailing slash.
func Short(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(scheme.ReplaceAllString(s, ""), "www."), "/")
}

var (
	scheme = regexp.MustCompile(`(?i)^(?:[a-z][a-z0-9+.-]*:)?//`)
	// tracking are parameters that say who sent the reader, not what is read.
	tracking  = regexp.MustCompile(`(?i)^(?:utm_.*|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|ref_src|ref_url|cmpid|ncid|ocid|smid|spm|sr_share|share|amp|xtor|_ga|_gl|wt\.mc_id)$`)
	indexPage = regexp.MustCompile(`(?i)/(?:index|default)\.(?:html?|php|aspx?|jsp)$`)
	// marks are what ends a path: one that is part of it stays apart from them.
	marks = strings.NewReplacer("%", "%25", "?", "%3F", "#", "%23")
)
