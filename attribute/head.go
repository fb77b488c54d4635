package attribute

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// head is what an item of a list begins with in bold, before its statement: "1. **Scrub:** Use steel wool …", "**7. Set rules.** Write
// down …", "- **Rinse** – Run …".
var head = regexp.MustCompile(`^\s*(?:[-*+•]\s+|\d{1,2}[.)]\s+)?(?:\*\*|__)(?:\d{1,2}[.)]\s+)?(?P<head>[^*_\n]{1,60}?)(?:[:.!]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:–—-])\s+`)

// headOf gives the place of a statement's head, where there is one and what follows is a sentence by itself.
func headOf(s string) (at ibid.Span, ok bool) {
	if !strings.Contains(s, "**") && !strings.Contains(s, "__") {
		return ibid.Span{}, false // most have none, and need no search
	}
	m := head.FindStringSubmatchIndex(s)
	if m == nil {
		return ibid.Span{}, false
	}
	r, _ := utf8.DecodeRuneInString(s[m[1]:])
	i := 2 * head.SubexpIndex("head")
	return ibid.Span{Start: m[i], End: m[i+1]}, unicode.IsUpper(r) && len(strings.Fields(s[m[1]:])) >= 4
}

// itemNumber is the number of an item, which may stand within its bold head. At the start of a line it is no part of the statement, but a statement
// that is given may begin in the middle of one.
var itemNumber = regexp.MustCompile(`^\s*(?:[-*+•]\s+)?(?:(?:\*\*|__)\s?)?(\d{1,2}[.)])\s`)

// unnumbered is a text with blanks in place of that number, which counts nothing.
func unnumbered(s string) string {
	if at := itemNumber.FindStringSubmatchIndex(s); at != nil {
		return blank(s, ibid.Span{Start: at[2], End: at[3]})
	}
	return s
}

// blank is a text with blanks at some places, as long as before.
func blank(s string, at ...ibid.Span) string {
	if len(at) == 0 {
		return s
	}
	out := []byte(s)
	for _, x := range at {
		for i := x.Start; i < x.End; i++ {
			out[i] = ' '
		}
	}
	return string(out)
}

// withoutHeads weighs up the statements that are in doubt without their heads: a label that the writer gave one stands in no source. It says
// nothing where the head names something that the sources tell of elsewhere, and not where they have the statement: of one they say that it
// has two moons, and of another one not.
func (e *Engine) withoutHeads(ctx context.Context, t *turn, sc *scratch, vs []verdict) error {
	type headless struct {
		i  int // in vs
		at ibid.Span
	}
	var of []headless
	var again []verdict
	for i, v := range vs {
		at, ok := headOf(v.draft.Text)
		if !ok || !v.claim || v.support >= doubtful {
			continue
		}
		d := v.draft
		d.Text = blank(d.Text, at)
		of, again = append(of, headless{i, at}), append(again, e.measured(t, sc, d, v.before))
	}
	if err := e.hear(ctx, t, again); err != nil {
		return err
	}
	for k, w := range again {
		v := &vs[of[k].i]
		if !w.found || w.support <= v.support || !t.labels(v.seg, of[k].at, w.ev.best) {
			continue
		}
		w.draft = v.draft
		*v = w
	}
	return nil
}

// labels reports whether the words of a head stand where its statement does, or nowhere.
func (t *turn) labels(s *segment, at ibid.Span, where alignment) bool {
	there := func(term int32) bool {
		from, to := t.firsts[where.passage], t.firsts[where.passage+1]
		near := func(n int32) bool { return int(n) >= max(from, where.from-1) && int(n) < min(to, where.to+1) }
		return slices.Contains(t.titles[where.passage], term) || slices.ContainsFunc(t.terms[term].postings, near)
	}
	for i, c := range s.content {
		if !at.Contains(s.tokens[c].At) {
			continue
		}
		of := slices.IndexFunc(s.options[i], func(o option) bool { return o.via == same })
		if of >= 0 && !there(s.options[i][of].term) {
			return false
		}
	}
	return true
}
