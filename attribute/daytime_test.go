package attribute

import (
	"fmt"
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestTimesOfTheDay: a time of the day is the same in words, by the clock and with half of the day; another one is denied, and what is counted is no
// time.
func TestTimesOfTheDay(t *testing.T) {
	for _, b := range []beside{
		{"The meeting begins at half past two.", "The meeting begins at 14:30.", ""},
		{"The meeting begins at quarter past two.", "The meeting begins at 14:15.", ""},
		{"The train left at quarter to seven in the evening.", "The train left at 18:45.", ""},
		{"The train left at 8:05 in the evening.", "The train left at 20:05.", ""},
		{"The shop closes at nine.", "The shop closes at 21:00.", ""},
		{"The shop closes at 9 o'clock.", "The shop closes at 9 pm.", ""},
		{"The shop closes at eight.", "The shop closes at 21:00.", "number"},
		{"The shop closes at nine in the morning.", "The shop closes at 21:00.", "number"},
		{"The shop closes at noon.", "The shop closes at 12:00.", ""},
		{"The shop closes at midnight.", "The shop closes at 00:00.", ""},
		{"The talk ends at 6 pm.", "The talk ends at six in the evening.", ""},
		{"The talk ends at 6 pm.", "The talk ends at six in the morning.", "number"},
		{"The office opens at nine.", `{"office": "Ostby", "opens": "08:30"}`, "number"},
	} {
		b.check(t)
		if f := one(t, b.segment, b.source); (f.Segment.Support >= 0.5) != (b.kind == "") {
			t.Errorf("%q beside %q: support %.2f", b.segment, b.source, f.Segment.Support)
		}
	}
	for _, b := range []beside{
		{"The firm was visited by nine people.", "The firm was visited at 21:00 by people.", ""},
		{"The firm was visited by people at 21:00.", "The firm was visited by nine people.", ""},
		{"The meeting of the board is at 2:30 pm.", `{"meeting": "board", "start": "2024-05-05T14:30:00Z"}`, ""},
	} {
		b.check(t)
	}
}

// TestDaytimeIsRead: which numbers are times of the day, and which half of it they are of, "?" where that is not told.
func TestDaytimeIsRead(t *testing.T) {
	for text, want := range map[string]string{
		"It ends at nine.":                    "9:00?",
		"It ends at nine, not later.":         "9:00?",
		"It ends at ten at night.":            "22:00",
		"It ends at 12 in the afternoon.":     "12:00",
		"It ends at 12:30 in the afternoon.":  "12:30",
		"It ends at 8 in the morning.":        "8:00",
		"It ends half past twelve.":           "0:30?",
		"It ends around quarter to one.":      "0:45?",
		"It was shown at nine places.":        "",
		"It was shown to nine.":               "",
		"It was sold at 13.":                  "",
		"It was sold at 9.50.":                "",
		"It was sold at night from 9 to ten.": "9:00?",
	} {
		l, got := newTurn(nil).read(text).line(), ""
		for i := l.start; i < l.end && got == ""; i++ {
			if d, ok := l.daytime(i); ok {
				if got = fmt.Sprintf("%d:%02d", d.minutes/60, d.minutes%60); !d.told {
					got += "?"
				}
			}
		}
		if got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// TestAJudgeReadsTimesAsTheSourceDoes: who judges need not know the clock.
func TestAJudgeReadsTimesAsTheSourceDoes(t *testing.T) {
	for segment, want := range map[string]string{
		"Guests have to leave at half past nine in the evening.": "Guests have to leave at 21:30.",
		"Guests have to leave at noon.":                          "Guests have to leave at noon.",
	} {
		var asked []ibid.Pair
		oneBy(t, New(Config{Judge: saying{0.5, &asked, nil}, Always: true}), segment, "All guests of the inn have to leave it at 21:30, and nobody may stay longer than that.")
		if len(asked) != 1 || asked[0].Claim != want {
			t.Errorf("%q is read as %q", segment, asked)
		}
	}
}
