package web

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/ibid-dev/ibid"
)

func (s *server) home(w http.ResponseWriter, r *http.Request) error {
	sources, err := s.Record.Titles(r.Context(), s.Collection)
	if err != nil {
		return err
	}
	return s.render(w, "home.html", map[string]any{"Sources": sources})
}

// askForm answers a question of the page, then sends the reader to the answer's own address.
func (s *server) askForm(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return &statusError{http.StatusBadRequest, err}
	}
	answer, err := last(s.Asker.Ask(r.Context(), s.asked(question{Question: r.PostFormValue("question")})))
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/answers/"+string(answer.ID), http.StatusSeeOther)
	return nil
}

func (s *server) answerPage(w http.ResponseWriter, r *http.Request) error {
	a, err := s.Record.Answer(r.Context(), ibid.AnswerID(r.PathValue("id")))
	if err != nil {
		return err
	}
	return s.render(w, "answer.html", newView(public(a)))
}

// view is an answer as the page shows it: runs of text, each with the evidence it opens.
type view struct {
	Answer   ibid.Answer
	Runs     []run
	Opened   []opened
	Model    string
	NoModel  bool
	Claims   bool
	Passages int
}

// run is a piece of the answer's text: a segment, or what stands between two of them.
type run struct {
	Text    string
	Number  int    // of the segment, from 1; 0 for what stands between
	Class   string // origin and strength
	Signs   string
	Explain string
}

// opened is the evidence of one segment.
type opened struct {
	Number  int
	Text    string
	Origin  string
	Reasons []string
	Denied  []string
	Places  []place
}

// place is a passage with the supporting words apart.
type place struct {
	Title, Name, Locator, Strength string
	Before, Quote, After           string
}

func newView(a ibid.Answer) view {
	v := view{Answer: a, Model: a.Model, NoModel: a.Model == "extractive", Passages: len(a.Passages)}
	sh := a.Shares()
	v.Claims = sh.Sources+sh.Model > 0
	at := 0
	for i, s := range a.Segments {
		if s.At.Start > at {
			v.Runs = append(v.Runs, run{Text: a.Text[at:s.At.Start]})
		}
		at = s.At.End
		numbers := a.Numbers(s)
		v.Runs = append(v.Runs, run{Text: s.At.In(a.Text), Number: i + 1, Class: class(s), Signs: signs(s, numbers), Explain: s.InWords()})
		v.Opened = append(v.Opened, open(a, s, i+1))
	}
	v.Runs = append(v.Runs, run{Text: a.Text[at:]})
	return v
}

func open(a ibid.Answer, s ibid.Segment, number int) opened {
	o := opened{Number: number, Text: s.At.In(a.Text), Origin: s.InWords(), Reasons: s.Reasons}
	for _, c := range s.Contradicted {
		o.Denied = append(o.Denied, fmt.Sprintf("“%s”: %s", c.Of.In(a.Text), c.Reason))
	}
	for _, l := range a.Evidence(s) {
		p, ok := a.Passage(l.Ref)
		if !ok {
			continue
		}
		at := l.To.Span.Shift(-p.Chunk.At.Span.Start)
		pl := place{Title: p.Source.Title(), Locator: p.Locator(l.To.Span.Start), Strength: ibid.Strength(l.Confidence),
			Before: p.Chunk.Text[:at.Start], Quote: at.In(p.Chunk.Text), After: p.Chunk.Text[at.End:]}
		if name := p.Source.Name(); name != pl.Title {
			pl.Name = name
		}
		o.Places = append(o.Places, pl)
	}
	return o
}

func class(s ibid.Segment) string {
	kind := strings.ToLower(string(s.Origin))
	if len(s.Contradicted) > 0 {
		kind = "denied"
	}
	return kind + " " + ibid.Strength(s.Confidence)
}

func signs(s ibid.Segment, numbers []int) string {
	var n []string
	for _, i := range numbers {
		n = append(n, fmt.Sprint(i))
	}
	switch joined := strings.Join(n, " "); {
	case len(s.Contradicted) > 0:
		return "✕ " + joined
	case s.Origin == ibid.HYBRID:
		return joined + " ◐"
	case s.Origin == ibid.LLM:
		return "◇"
	default:
		return joined
	}
}

func percent(f float64) string { return fmt.Sprintf("%.0f %%", f*100) }
