package attribute

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// plainNumber writes a number as English does.
func plainNumber(v float64) string {
	for _, scale := range []struct {
		of   float64
		name string
	}{{1e9, " billion"}, {1e6, " million"}} {
		if v >= scale.of {
			return strconv.FormatFloat(v/scale.of, 'g', 12, 64) + scale.name
		}
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// inWhich says in words which languages a segment and a passage were read from, "" where both are English.
func inWhich(g, of *tongue, rank int) string {
	if g == of && g == nil {
		return ""
	}
	if g == of {
		return fmt.Sprintf("read word by word, as it is in %s", g.title())
	}
	return fmt.Sprintf("it is in %s, passage %d in %s: read word by word", g.title(), rank, of.title())
}

func (g *tongue) title() string {
	if g == nil {
		return "English"
	}
	return g.name
}

// gloss gives what puts a text into English word by word, as far as the words are known.
func (g *tongue) gloss(s string) (edits []edit) {
	ts, _ := g.scan(s, 0, nil)
	last := -1
	for _, t := range ts {
		with := g.englishOf(t, s)
		if (t.kind.has(glued) || t.at.Start == last) && t.at.Start > 0 && with != "" && s[t.at.Start-1] != ' ' {
			with = " " + with
		}
		if with != t.at.In(s) {
			edits = append(edits, edit{t.at, with})
		}
		last = t.at.End
	}
	return edits
}

// englishOf gives what a token of a text says in English: itself where no list has it, "" where it says nothing by itself.
func (g *tongue) englishOf(t token, s string) string {
	raw := t.at.In(s)
	bare := raw
	if i := strings.IndexAny(raw, "'’"); i > 0 && !g.whole(raw) {
		bare = raw[:i]
	}
	switch says, ok := g.says(bare); {
	case t.kind.has(number|ordinal|month) || t.key == century || t.key == signs['%']:
		return t.english()
	case ok && t.kind&(unheard|stop) == 0 && t.key != "not" && plainKey(says) != t.key: // its neighbours tell what it says
		return t.key
	case ok:
		return strings.ReplaceAll(says, "_", " ")
	}
	return raw
}

// english writes what a token counts, which may be said by several words.
func (t token) english() string {
	switch {
	case strings.HasSuffix(t.key, " h"):
		minutes := int(math.Round(60 * t.num))
		return fmt.Sprintf("%d:%02d", minutes/60, minutes%60)
	case t.kind.has(year): // the 1950s, too
		return t.key[1:]
	case t.kind.has(month):
		return monthNames[t.key]
	case t.kind.has(ordinal):
		return nth(t.num)
	case t.kind.has(number):
		return plainNumber(t.num)
	case t.key == century:
		return "century"
	default:
		return "percent"
	}
}

// nth writes which one of a row it is, up to the twelfth in a word.
func nth(v float64) string {
	for word, n := range ordinalWords {
		if n == v && n <= 12 {
			return word
		}
	}
	tail := "th"
	if d := int(v) % 10; d >= 1 && d <= 3 && int(v)/10%10 != 1 {
		tail = []string{"st", "nd", "rd"}[d-1]
	}
	return plainNumber(v) + tail
}

// English gives a text word by word in English where it is in another language that is known, as a second opinion reads it; "" for English and for
// languages that are not known. In doubt about a short text the one that it stands in or belongs to decides, which may be empty.
func English(s, around string) string {
	if g := otherTongue(s, around); g != nil {
		return reworded(s, g.gloss(s)).text
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
	ts, _ := g.scan(s, 0, nil)
	for _, t := range ts {
		at, says = append(at, t.at), append(says, g.englishOf(t, s))
	}
	return at, says
}

// otherTongue tells which language other than English a text is in, nil where none that is known.
func otherTongue(s, around string) *tongue {
	g, sure := tongueOf(s)
	if !sure && around != "" {
		g, sure = tongueOf(around)
	}
	if g == nil || !sure && !g.learn().known(clip(s, 300)) {
		return nil
	}
	return g
}

// EnglishVersion changes with the lists that English reads.
var EnglishVersion = sync.OnceValue(func() string {
	h := sha256.New()
	_ = fs.WalkDir(tongueFiles, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b, _ := tongueFiles.ReadFile(path) // embedded: it is there
			h.Write(b)
		}
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:8])
})
