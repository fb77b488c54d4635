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

// edit puts words in place of those at a span of the segment.
type edit struct {
	at   ibid.Span
	with string
}

// version changes with the lists by which the languages are read.
var version = sync.OnceValue(func() string {
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
