package main

import (
	"bytes"
	"testing"
	"time"
)

// Progress is drawn where standard error is a terminal that can draw, whatever standard output is.
func TestProgressIsDrawnOnlyForThoseWhoSeeIt(t *testing.T) {
	for _, c := range []struct {
		terminal, watched, quiet bool
		term                     string
		drawn                    bool
	}{
		{true, false, false, "xterm", false}, // ibid ingest x 2> log
		{false, true, false, "xterm", true},  // ibid ingest x | cat
		{true, true, false, "dumb", false},
		{true, true, true, "xterm", false},
	} {
		var b bytes.Buffer
		a := &app{err: &b, terminal: c.terminal, watched: c.watched, now: time.Now, width: func() int { return 30 },
			env: func(name string) string { return map[string]string{"TERM": c.term}[name] }}
		a.flags.quiet = c.quiet
		bar := a.progress("reading")
		bar.show(1, 2, 0, "a file whose name is longer than the terminal is wide")
		if drawn := b.Len() > 0; drawn != c.drawn {
			t.Errorf("%+v: drew %q", c, b.String())
		}
		if n := len([]rune(b.String())); n > len("\r\x1b[K")+30 {
			t.Errorf("%+v: drew %d characters: %q", c, n, b.String())
		}
	}
}
