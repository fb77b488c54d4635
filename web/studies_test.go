package web_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/llm/llmtest"
)

type study struct {
	api.Study
	Asked []struct {
		State, Answer string
		Statements    []struct {
			ID, Statement, Validation string
			Segment                   int
			Places                    []place
		}
	}
	Summary []string
	Sources []struct{ ID, Title, Credibility string }
}

type place struct {
	Source, Quote string
	At            struct {
		Document string
		Span     struct {
			Start, End   int
			Runes, UTF16 []int
		}
	}
}

// holds says whether the words really stand where the place points.
func (w *world) holds(p place) {
	w.t.Helper()
	var d struct{ Text string }
	w.get("/api/v1/documents/" + p.At.Document).want(200).into(&d)
	if s := p.At.Span; d.Text[s.Start:s.End] != p.Quote || len(s.Runes) != 2 || string([]rune(d.Text)[s.Runes[0]:s.Runes[1]]) != p.Quote {
		w.t.Errorf("%q does not stand at %+v", p.Quote, p.At)
	}
}

func (w *world) finished(id string, headers ...string) study {
	w.t.Helper()
	var st study
	for {
		w.get("/api/v1/studies/"+id, headers...).want(200).into(&st)
		if !st.Working {
			return st
		}
	}
}

// A topic becomes a study whose every statement opens its evidence, in the record and in the document.
func TestStudy(t *testing.T) {
	w := open(t).cables()
	var begun study
	r := w.post("/api/v1/studies", map[string]any{"topic": "the cable of 1858", "depth": "shallow"}).want(202)
	r.into(&begun)
	if r.header.Get("Location") != "/api/v1/studies/"+begun.ID || begun.Questions < 3 {
		t.Errorf("begun as %+v at %s", begun, r.header.Get("Location"))
	}
	st := w.finished(begun.ID)
	if !st.Done || st.Open != 0 || len(st.Asked) != begun.Questions || len(st.Sources) == 0 || len(st.Summary) == 0 {
		t.Fatalf("done as %+v", st)
	}
	places := 0
	for _, q := range st.Asked {
		var a ibid.Answer
		w.get("/api/v1/answers/" + q.Answer).want(200).into(&a)
		for _, e := range q.Statements {
			if a.Segments[e.Segment-1].At.In(a.Text) != e.Statement {
				t.Errorf("statement %s is not segment %d of its answer", e.ID, e.Segment)
			}
			for _, p := range e.Places {
				w.holds(p)
				places++
			}
		}
	}
	if places == 0 {
		t.Error("nothing has a place")
	}
	for to, words := range map[string]string{"markdown": "# ", "html": "<!doctype html>", "json": `"topic"`, "docx": "PK"} {
		if b := string(w.get("/api/v1/studies/" + st.ID + "/export?to=" + to).want(200).body); !strings.Contains(strings.ToLower(b), strings.ToLower(words)) || strings.Contains(b, "file:///tmp") {
			t.Errorf("as %s it is %s", to, clip([]byte(b)))
		}
	}
	w.get("/api/v1/studies/" + st.ID + "/export?style=none-such").want(422).points("query.style")
	w.get("/api/v1/studies/" + st.ID + "/export?style=apa").want(200)
	w.post("/api/v1/studies", map[string]any{"topic": " "}).want(422).points("body.topic")
	w.post("/api/v1/studies", map[string]any{"topic": "x", "depth": "bottomless"}).want(422).points("body.depth")
	w.post("/api/v1/studies", map[string]any{"topic": "x", "sources": []string{"0123456789abcdef"}}).want(404)
	w.get("/api/v1/studies/none").want(404)
	w.post("/api/v1/studies/"+st.ID+"/resume", nil).want(202)
	w.finished(st.ID)

	// Another collection sees nothing of it, and pages its own.
	other := []string{"Ibid-Collection", "other"}
	w.get("/api/v1/studies/"+st.ID, other...).want(404)
	w.get("/api/v1/studies/"+st.ID[:6], other...).want(404)
	w.post("/api/v1/studies/"+st.ID+"/resume", nil, other...).want(404)
	w.get("/api/v1/studies/"+st.ID+"/export", other...).want(404)
	for range 3 {
		var s study
		w.post("/api/v1/studies", map[string]any{"topic": "whales"}, other...).want(202).into(&s)
		w.finished(s.ID, other...)
	}
	var page api.Page[api.Study]
	w.get("/api/v1/studies?limit=2", other...).want(200).into(&page)
	seen := map[string]bool{page.Items[0].ID: true, page.Items[1].ID: true}
	next := page.Next
	page = api.Page[api.Study]{}
	w.get("/api/v1/studies?limit=2&cursor="+next, other...).want(200).into(&page)
	if len(page.Items) != 1 || page.Next != "" || seen[page.Items[0].ID] {
		t.Errorf("the second page is %+v", page)
	}
	w.get("/api/v1/studies").want(200).into(&page)
	if len(page.Items) != 1 || page.Items[0].ID != st.ID {
		t.Errorf("the list is %+v", page)
	}
}

// The end of the server stops a study, which can be taken up again; a question that fails says so without saying more.
func TestStudyIsTakenUpAgain(t *testing.T) {
	w := open(t, script(delta("The cable was laid in 1858. "), llmtest.Step{Err: errSecret})).cables()
	var begun study
	w.post("/api/v1/studies", map[string]any{"topic": "the cable of 1858", "depth": "shallow"}).want(202).into(&begun)
	st := w.finished(begun.ID)
	if st.Done || st.Asked[0].State != "failed" {
		t.Errorf("got %+v", st)
	}
	if b := string(w.get("/api/v1/studies/" + st.ID).body); strings.Contains(b, "secret") {
		t.Errorf("told: %s", b)
	}
	if b := string(w.get("/api/v1/studies/" + st.ID + "/export?to=markdown").want(200).body); strings.Contains(b, "secret") || !strings.Contains(b, "Not answered: ") {
		t.Errorf("exported: %s", b)
	}
	w.post("/api/v1/studies/"+st.ID+"/resume", nil).want(202)
	w.finished(st.ID)
	w.server.Close()
}

// A claim is argued for and against, and every statement opens its evidence.
func TestArgument(t *testing.T) {
	w := open(t).cables()
	var a ibid.Answer
	w.post("/api/v1/argue", map[string]any{"claim": "The directors dismissed Whitehouse."}).want(200).into(&a)
	if len(a.Steps) != 2 {
		t.Fatalf("argued in %d steps", len(a.Steps))
	}
	var arg struct {
		ID         ibid.AnswerID
		Claim      string
		Statements []struct {
			ID, Stance, Text string
			Step, Segment    int
			Places           []place
		}
		Sources []struct {
			Number int
			Title  string
		}
	}
	w.get("/api/v1/answers/" + string(a.ID) + "/argument").want(200).into(&arg)
	if arg.ID != a.ID || arg.Claim != a.Question || len(arg.Statements) == 0 || len(arg.Sources) == 0 {
		t.Fatalf("the argument is %+v", arg)
	}
	for _, st := range arg.Statements {
		if st.Step > 0 {
			of := a.Steps[st.Step-1]
			if of.Segments[st.Segment-1].At.In(of.Text) != st.Text {
				t.Errorf("%s is not segment %d of step %d", st.ID, st.Segment, st.Step)
			}
		}
		for _, p := range st.Places {
			w.holds(p)
		}
	}
	w.get("/api/v1/answers/" + string(a.ID) + "/argument?to=svg").want(200).says("<svg")
	w.get("/api/v1/answers/" + string(a.ID) + "/argument?to=markdown").want(200).says("Whitehouse")
	all := events(string(w.post("/api/v1/argue", map[string]any{"claim": "The cable of 1858 failed."}, "Accept", "text/event-stream").want(200).body))
	lastOf(t, all)
	w.post("/api/v1/argue", map[string]any{"claim": "\t"}).want(422).points("body.claim")
	plain := w.ask(when)
	w.get("/api/v1/answers/" + string(plain.ID) + "/argument").want(422).points("path.id")
	w.get("/api/v1/answers/none/argument").want(404)
	w.get("/api/v1/answers/"+string(a.ID)+"/argument", "Ibid-Collection", "other").want(404)
}

var errSecret = errors.New("open /home/secret: no")
