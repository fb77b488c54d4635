package attribute

import (
	"fmt"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
	"github.com/ibid-dev/ibid/text"
)

// inWhich says in words which languages a segment and a passage were read from, "" where both are English.
func inWhich(g, of *token.Tongue, rank int) string {
	if g == of && g == nil {
		return ""
	}
	if g == of {
		return fmt.Sprintf("read word by word, as it is in %s", g.Title())
	}
	return fmt.Sprintf("it is in %s, passage %d in %s: read word by word", g.Title(), rank, of.Title())
}

// English gives a text word by word in English where it is in another language that is known, as a second opinion reads it; "" for English and for
// languages that are not known. In doubt about a short text the one that it stands in or belongs to decides, which may be empty.
func English(s, around string) string {
	if g := otherTongue(s, around); g != nil {
		return reworded(s, g.Gloss(s)).text
	}
	return ""
}

// Words gives the words of a text, and what each says in English where the text is in another language that is known, told as [English] tells it: "" where
// it says nothing by itself. Elsewhere a word says what is written.
func (Reader) Words(s, around string) (at []ibid.Span, says []string) {
	g := otherTongue(s, around)
	if g == nil {
		at = text.Words(s)
		for _, w := range at {
			says = append(says, w.In(s))
		}
		return at, says
	}
	ts, _ := g.Scan(s, 0, nil)
	for _, t := range ts {
		at, says = append(at, t.At), append(says, g.EnglishOf(t, s))
	}
	return at, says
}

// otherTongue tells which language other than English a text is in, nil where none that is known.
func otherTongue(s, around string) *token.Tongue {
	g, sure := token.TongueOf(s)
	if !sure && around != "" {
		g, sure = token.TongueOf(around)
	}
	if g == nil || !sure && !g.Knows(token.Clip(s, 300)) {
		return nil
	}
	return g
}

// EnglishVersion changes with the lists that English reads.
var EnglishVersion = token.Version
