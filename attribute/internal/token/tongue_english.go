package token

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
)

// plainNumber writes a number as English does.
func plainNumber(v float64) string {
	for _, scale := range []struct {
		of   float64
		Name string
	}{{1e9, " billion"}, {1e6, " million"}} {
		if v >= scale.of {
			return strconv.FormatFloat(v/scale.of, 'g', 12, 64) + scale.Name
		}
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Title is the name of the language in English.
func (g *Tongue) Title() string {
	if g == nil {
		return "English"
	}
	return g.name
}

// Gloss gives what puts a text into English word by word, as far as the words are known.
func (g *Tongue) Gloss(s string) (edits []Edit) {
	ts, _ := g.Scan(s, 0, nil)
	last := -1
	for _, t := range ts {
		with := g.EnglishOf(t, s)
		if (t.Kind.Has(Glued) || t.At.Start == last) && t.At.Start > 0 && with != "" && s[t.At.Start-1] != ' ' {
			with = " " + with
		}
		if with != t.At.In(s) {
			edits = append(edits, Edit{t.At, with})
		}
		last = t.At.End
	}
	return edits
}

// EnglishOf gives what a token of a text says in English: itself where no list has it, "" where it says nothing by itself.
func (g *Tongue) EnglishOf(t Token, s string) string {
	raw := t.At.In(s)
	bare := raw
	if i := strings.IndexAny(raw, "'’"); i > 0 && !g.whole(raw) {
		bare = raw[:i]
	}
	switch says, ok := g.says(bare); {
	case t.Kind.Has(Number|Ordinal|Month) || t.Key == century || t.Key == Signs['%']:
		return t.english()
	case ok && t.Kind&(unheard|Stop) == 0 && t.Key != "not" && Key(says) != t.Key: // its neighbours tell what it says
		return t.Key
	case ok:
		return strings.ReplaceAll(says, "_", " ")
	}
	return raw
}

// english writes what a token counts, which may be said by several words.
func (t Token) english() string {
	switch {
	case strings.HasSuffix(t.Key, " h"):
		minutes := int(math.Round(60 * t.Num))
		return fmt.Sprintf("%d:%02d", minutes/60, minutes%60)
	case t.Kind.Has(Year): // the 1950s, too
		return t.Key[1:]
	case t.Kind.Has(Month):
		return monthNames[t.Key]
	case t.Kind.Has(Ordinal):
		return nth(t.Num)
	case t.Kind.Has(Number):
		return plainNumber(t.Num)
	case t.Key == century:
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

// Edit puts words in place of those at a span of a text.
type Edit struct {
	At   ibid.Span
	With string
}

// Version changes with the lists by which the languages are read.
var Version = sync.OnceValue(func() string {
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
