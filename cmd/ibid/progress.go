package main

import (
	"fmt"
	"io"
	"time"
)

// progress is one line that is written over itself: what is done, at which rate, what is left. It is shown only where
// standard error is looked at by a person.
type progress struct {
	out   io.Writer // nil where nothing is shown
	verb  string
	width int
	now   func() time.Time
	start time.Time
	last  time.Time
	drawn bool
}

func (a *app) progress(verb string) *progress {
	p := &progress{verb: verb, now: a.now, start: a.now(), width: 79}
	if w := a.width(); w >= 20 {
		p.width = w
	}
	if a.watched && !a.flags.quiet && a.env("TERM") != "dumb" {
		p.out = a.err
	}
	return p
}

// show draws the line, at most ten times a second.
func (p *progress) show(done, total int, bytes int64, what string) {
	if p.out == nil || p.now().Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last = p.now()
	rate := ""
	if seconds := p.last.Sub(p.start).Seconds(); seconds > 0.5 && bytes > 0 {
		rate = fmt.Sprintf("%.1f MB/s", float64(bytes)/1e6/seconds)
	}
	line := join(" · ", fmt.Sprintf("%s %d of %d", p.verb, done, max(done, total)), rate, what)
	if r := []rune(line); len(r) > p.width-1 {
		line = string(r[:p.width-2]) + "…"
	}
	fmt.Fprint(p.out, "\r\x1b[K"+line)
	p.drawn = true
}

// clear takes the line away, so that something else can be printed.
func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.drawn = false
	}
}
