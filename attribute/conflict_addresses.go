package attribute

import (
	"regexp"
	"strings"

	"github.com/ibid-dev/ibid"
)

// joinsLetters reports whether a text has what every address has: an @, or a full stop before a letter.
func joinsLetters(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '@' || s[i] == '.' && (s[i+1]|0x20 >= 'a' && s[i+1]|0x20 <= 'z') {
			return true
		}
	}
	return strings.Contains(s, "://")
}

// addresses finds an e-mail address or the address of a page that no source has, where the best window has another one of its kind in its place.
func (c *comparison) addresses() {
	if !joinsLetters(c.s.text) { // most have no address, and need no search
		return
	}
	for _, kind := range []*regexp.Regexp{emails, pages} {
		for _, at := range kind.FindAllStringIndex(c.s.text, mostChecked) {
			said := ibid.Span{Start: at[0], End: at[1]}
			mine := plainAddress(said.In(c.s.text))
			if kind == pages && !isPage(c.s.text, said) || c.t.hasAddress(mine, kind) {
				continue
			}
			other, ok := c.otherAddress(mine, kind)
			from, to := c.s.covering(said)
			left, right := c.t.covering(c.a.passage, other)
			if ok && from < to && left < right && (kind == emails || c.rest(from, to) >= pageBeside) {
				c.add("exchange", from, to, left, right, c.instead(from, to, left, right))
			}
		}
	}
}

// pageBeside is the cover of all other words from which a page stands in the place of another one: sources and answers name many in passing, and e-mail addresses few.
const pageBeside = 0.5

var (
	emails = regexp.MustCompile(`(?i)[a-z0-9][a-z0-9._%+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+`)
	pages  = regexp.MustCompile(`(?i:https?://|\bwww\.)[^\s()\[\]<>"“”|]+|\b(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|info|eu|uk|de|fr)\b(?:/[^\s()\[\]<>"“”|]*)?`)
)

// plainAddress is an address without what its writers may leave out.
func plainAddress(s string) string {
	s = strings.ToLower(s)
	for _, p := range []string{"https://", "http://", "www."} {
		s = strings.TrimPrefix(s, p)
	}
	return strings.TrimRight(s, "/.,;:!?'’*_`")
}

// isPage reports whether what looks like the address of a page is one, and no part of an e-mail address or of a longer word.
func isPage(text string, at ibid.Span) bool {
	return (at.Start == 0 || !strings.ContainsRune("@.-_/+", rune(text[at.Start-1]))) && (at.End == len(text) || text[at.End] != '@')
}

// hasAddress reports whether a source has an address or is the page, or has a page of the site.
func (t *turn) hasAddress(address string, kind *regexp.Regexp) bool {
	is := func(other string) bool {
		rest, ok := strings.CutPrefix(plainAddress(other), address)
		return ok && (rest == "" || kind == pages && strings.ContainsRune("/?#", rune(rest[0]))) || kind == pages && strings.HasSuffix(strings.ToLower(other), "@"+address)
	}
	for _, p := range t.passages {
		if is(p.Source.URI) || is(p.Source.Reference.URL()) {
			return true
		}
		for _, all := range []*regexp.Regexp{emails, pages} {
			for _, at := range all.FindAllStringIndex(p.Chunk.Text, -1) {
				if is(p.Chunk.Text[at[0]:at[1]]) {
					return true
				}
			}
		}
	}
	return false
}

// otherAddress finds the first address of a kind in the window, but for one that the segment's goes on from: that of its site.
func (c *comparison) otherAddress(mine string, kind *regexp.Regexp) (ibid.Span, bool) {
	text, window := c.t.passages[c.a.passage].Chunk.Text, c.t.span(c.a.window)
	for _, m := range kind.FindAllStringIndex(window.In(text), -1) {
		at := ibid.Span{Start: m[0], End: m[1]}.Shift(window.Start)
		if kind == pages && !isPage(text, at) {
			continue
		}
		other := at.In(text)
		at.End -= len(other) - len(strings.TrimRight(other, "/.,;:!?'’*_`"))
		if strings.HasPrefix(mine, plainAddress(other)) {
			return ibid.Span{}, false
		}
		return at, true
	}
	return ibid.Span{}, false
}
