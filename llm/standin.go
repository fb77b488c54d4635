package llm

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/sentences"
	"github.com/clipperhouse/uax29/v2/words"
	"github.com/ibid-dev/ibid"
	"github.com/kljensen/snowball/english"
)

type piece struct {
	At   ibid.Span
	Kind ibid.Kind
}

func piecesOf(s string) []piece {
	var out []piece
	at := 0
	for _, line := range strings.SplitAfter(s, "\n") {
		kind := ibid.Sentence
		t := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(t, "#"):
			kind = ibid.Heading
		case strings.HasPrefix(t, "|"):
			kind = ibid.TableRow
		case strings.HasPrefix(t, "- ") || strings.HasPrefix(t, "* "):
			kind = ibid.ListItem
		}
		if kind != ibid.Sentence {
			out = append(out, piece{trim(s, ibid.Span{Start: at, End: at + len(line)}), kind})
			at += len(line)
			continue
		}
		seg := sentences.FromString(line)
		for seg.Next() {
			span := trim(s, ibid.Span{Start: at + seg.Start(), End: at + seg.End()})
			if !span.Empty() {
				out = append(out, piece{span, kind})
			}
		}
		at += len(line)
	}
	return out
}

func wordsOf(s string) []ibid.Span {
	var out []ibid.Span
	seg := words.FromString(s)
	for seg.Next() {
		v := seg.Value()
		if v[0] >= 0x80 || v[0] >= '0' && v[0] <= '9' || v[0]|0x20 >= 'a' && v[0]|0x20 <= 'z' {
			out = append(out, ibid.Span{Start: seg.Start(), End: seg.End()})
		}
	}
	return out
}

func trim(s string, at ibid.Span) ibid.Span {
	t := at.In(s)
	at.Start += len(t) - len(strings.TrimLeft(t, " \t\r\n"))
	at.End -= len(t) - len(strings.TrimRight(t, " \t\r\n"))
	if at.End < at.Start {
		at.End = at.Start
	}
	return at
}

func stem(w string) string { return english.Stem(w, true) }
