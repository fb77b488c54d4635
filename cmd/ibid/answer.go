package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/workflow"
)

// answerPrinter shows an answer as it is made, sentence by sentence, and then what it rests on.
type answerPrinter struct {
	paint paint
	out   io.Writer
	flow  flow
	text  strings.Builder
	shown int // bytes of the text that are printed
}

func newAnswerPrinter(p paint, out io.Writer) *answerPrinter {
	ap := &answerPrinter{paint: p, out: out}
	ap.flow = flow{paint: p, write: func(s string) { io.WriteString(out, s) }}
	return ap
}

// event shows one event. Text waits for its segment, which brings the origin.
func (ap *answerPrinter) event(e workflow.Event) {
	switch e.Kind {
	case workflow.Text:
		ap.text.WriteString(e.Text)
	case workflow.Decided:
		ap.segment(e.Finding.Segment, numbersOf(e.Citations))
	case workflow.Done:
		ap.rest(e.Answer)
	}
}

// whole shows a recorded answer as it was shown when it was made.
func (ap *answerPrinter) whole(a ibid.Answer) {
	ap.text.WriteString(a.Text)
	for _, s := range a.Segments {
		ap.segment(s, a.Numbers(s))
	}
	ap.rest(a)
}

// ended gives the error with which an answer ended. Where some of it was shown and none recorded, who read it is told so.
func (ap *answerPrinter) ended(a ibid.Answer, failed error) error {
	if failed == nil || a.ID != "" || ap.shown == 0 {
		return failed
	}
	fmt.Fprintln(ap.out)
	var h *hinted
	if errors.As(failed, &h) {
		return failed
	}
	if errors.Is(failed, syscall.ENOSPC) {
		return hint(failed, "what stands above is not on record: make room, and ask again")
	}
	return hint(failed, "what stands above is not on record")
}

func (ap *answerPrinter) segment(s ibid.Segment, numbers []int) {
	t := ap.text.String()
	ap.flow.add(plain, harmless(t[ap.shown:s.At.Start]))
	color := tint(s)
	at := s.At.Start
	for _, u := range underlined(s) {
		ap.flow.add(color, harmless(t[at:u.Start]))
		ap.flow.add(color+";"+under, harmless(u.In(t)))
		at = u.End
	}
	ap.flow.add(color, harmless(t[at:s.At.End]))
	ap.flow.add(color, signs(s, numbers))
	ap.shown = s.At.End
}

// underlined are the words of a segment that need a second look, in order and apart.
func underlined(s ibid.Segment) []ibid.Span {
	var all []ibid.Span
	if s.Origin != ibid.LLM {
		all = append(all, s.Unsupported...)
	}
	for _, c := range s.Contradicted {
		all = append(all, c.Of)
	}
	slices.SortFunc(all, func(a, b ibid.Span) int { return a.Start - b.Start })
	out := all[:0]
	end := s.At.Start
	for _, u := range all {
		if u.Start >= end && !u.Empty() {
			out = append(out, u)
			end = u.End
		}
	}
	return out
}

func numbersOf(citations []ibid.Citation) []int {
	var out []int
	for _, c := range citations {
		if !slices.Contains(out, c.Number) {
			out = append(out, c.Number)
		}
	}
	slices.Sort(out)
	return out
}

// rest shows what follows the prose: the cited sources with their quotes, what is mixed or denied, the shares.
func (ap *answerPrinter) rest(a ibid.Answer) {
	if v := a.Verdict; v != nil && v.Outcome == string(gate.Block) && a.Text == "" {
		fmt.Fprintln(ap.out, ap.paint.wrapped("", red, decided(v, a.Entry)))
		return
	}
	fmt.Fprint(ap.out, "\n\n")
	ap.sources(a)
	ap.findings(a)
	fmt.Fprintln(ap.out, ap.paint.wrapped("", dim, summary(a)))
	if line := decided(a.Verdict, a.Entry); line != "" {
		fmt.Fprintln(ap.out, ap.paint.wrapped("", dim, line))
	}
	if a.Incomplete != "" {
		fmt.Fprintln(ap.out, ap.paint.in(red, "incomplete: "+harmless(a.Incomplete)))
	}
}

func (ap *answerPrinter) sources(a ibid.Answer) {
	byNumber := map[int][]ibid.Citation{}
	last := 0
	for _, c := range a.Citations {
		byNumber[c.Number] = append(byNumber[c.Number], c)
		last = max(last, c.Number)
	}
	for n := 1; n <= last; n++ {
		heading := ""
		for _, c := range byNumber[n] {
			src := sourceOf(a, c.Source)
			title := join(" · ", titleOrID(src), nameUnlessTitle(src), c.Locator)
			strength := ibid.Strength(c.Confidence)
			if key := strength + title; key != heading {
				f := ap.paint.flowing(ap.out, "  ")
				f.indent = ap.paint.hang()
				f.add(teal, superscript(n)+" ")
				f.add(strengthStyle(c.Confidence), fmt.Sprintf("%-8s", strength))
				f.add(plain, shown(title))
				fmt.Fprintln(ap.out)
				heading = key
			}
			fmt.Fprintln(ap.out, ap.paint.wrapped(ap.paint.hang(), plain, "\""+harmless(excerpt(c.Quote, 240))+"\""))
		}
	}
}

func strengthStyle(confidence float64) style {
	switch ibid.Strength(confidence) {
	case "strong":
		return bold
	case "weak":
		return dim
	}
	return plain
}

// titleOrID names a source, by its id where it has neither title nor address: a file that was given, not ingested.
func titleOrID(s ibid.Source) string {
	if t := s.Title(); t != "" {
		return t
	}
	return string(s.ID)
}

func nameUnlessTitle(s ibid.Source) string {
	if s.Name() == s.Title() {
		return ""
	}
	return s.Name()
}

func sourceOf(a ibid.Answer, id ibid.SourceID) ibid.Source {
	for _, p := range a.Passages {
		if p.Source.ID == id {
			return p.Source
		}
	}
	return ibid.Source{ID: id, URI: string(id)}
}

// findings names the words that no source has, and those that a source denies.
func (ap *answerPrinter) findings(a ibid.Answer) {
	for _, s := range a.Segments {
		for _, c := range s.Contradicted {
			fmt.Fprintln(ap.out, ap.paint.wrapped("  ", red, fmt.Sprintf("✕ %q: %s", harmless(c.Of.In(a.Text)), harmless(c.Reason))))
		}
		if s.Origin == ibid.LLM || len(s.Unsupported) == 0 {
			continue
		}
		var words []string
		for _, u := range s.Unsupported {
			words = append(words, fmt.Sprintf("%q", harmless(u.In(a.Text))))
		}
		why := "no source says so; the model's own"
		if s.Origin == ibid.RAG {
			why = "in doubt; no source has these words"
		}
		fmt.Fprintln(ap.out, ap.paint.wrapped("  ", violet, "◐ "+strings.Join(words, ", ")+": "+why))
	}
	if c := claimedButNot(a); c > 0 {
		fmt.Fprintln(ap.out, ap.paint.wrapped("  ", violet, fmt.Sprintf("◇ %s the model marked as from a source, and no source says so", count(c, "sentence", "sentences"))))
	}
}

func claimedButNot(a ibid.Answer) int {
	n := 0
	for _, s := range a.Segments {
		if s.Origin == ibid.LLM && s.Claimed != nil && s.Claimed.Origin == ibid.RAG {
			n++
		}
	}
	return n
}

// summary is the line of shares: how much comes from where, out of what, by which model.
func summary(a ibid.Answer) string {
	model := "model: " + a.Model
	switch a.Model {
	case "": // nothing was asked of one
		model = ""
	case "extractive":
		model = "no language model: sentences taken from your documents"
	}
	return join(" · ", sharesOf(a), fmt.Sprintf("%d retrieved", len(a.Passages)), harmless(model))
}

// sharesOf says how much comes from where, and how many sentences a source denies: shares are by origin, and words that
// are denied have one too.
func sharesOf(a ibid.Answer) string {
	sh := a.Shares()
	cited := map[ibid.SourceID]bool{}
	for _, c := range a.Citations {
		cited[c.Source] = true
	}
	share := "nothing is claimed"
	if sh.Sources+sh.Model > 0 {
		percent := int(sh.Sources*100 + 0.5)
		share = fmt.Sprintf("%d %% from %s, %d %% the model's own", percent, count(len(cited), "source", "sources"), 100-percent)
	}
	denied := 0
	for _, s := range a.Segments {
		if len(s.Contradicted) > 0 {
			denied++
		}
	}
	if denied == 0 {
		return share
	}
	return share + " · " + count(denied, "sentence", "sentences") + " denied by a source"
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
