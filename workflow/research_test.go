package workflow_test

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/quality"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

func newResearcher(t *testing.T) (*workflow.Researcher, *sqlite.Store) {
	t.Helper()
	asker, store := sampleAsker(t)
	n := 0
	return &workflow.Researcher{Asker: asker, Studies: store, Conflicts: conflict.New(attribute.Reader{}, conflict.Config{}), Quality: quality.New(),
		NewID: func() string { n++; return strings.Repeat("0", 12) + string(rune('0'+n)) }}, store
}

// worked runs a study and gives it as it was shown last, with the numbers of the questions that were asked.
func worked(ctx context.Context, r *workflow.Researcher, s dossier.Study) (dossier.Study, []int, error) {
	var asked []int
	var failed error
	for p, err := range r.Work(ctx, s) {
		if err != nil {
			failed = err
			continue
		}
		s = p.Study
		if p.Question > 0 && p.Event.Kind == "" {
			asked = append(asked, p.Question)
		}
	}
	return s, asked, failed
}

// On the sample library every statement of the dossier opens its evidence: the words stand in the document at their anchor.
func TestResearchOnTheSampleLibrary(t *testing.T) {
	r, store := newResearcher(t)
	for depth, want := range map[dossier.Depth][2]int{dossier.Shallow: {3, 5}, dossier.Moderate: {5, 8}, dossier.Thorough: {8, 12}, dossier.Comprehensive: {12, 15}} {
		s, err := r.Begin(t.Context(), workflow.Topic{Text: "the Atlantic cable of 1858", Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.Questions); n < want[0] || n > want[1] {
			t.Errorf("%s: %d questions", depth, n)
		}
		s, asked, err := worked(t.Context(), r, s)
		if err != nil || !s.Done || len(asked) != len(s.Questions) {
			t.Fatalf("%v, asked %v, done %v", err, asked, s.Done)
		}
		kept, err := store.Study(t.Context(), s.ID)
		if err != nil || !reflect.DeepEqual(kept, s) {
			t.Errorf("what is kept is not what was shown: %v\n%+v\n%+v", err, kept, s)
		}
		statements := 0
		for _, q := range s.Questions {
			for _, e := range q.Evidence {
				statements++
				opens(t, store, q, e)
			}
		}
		if statements < len(s.Questions) || len(s.Sources) < 3 {
			t.Errorf("%s: %d statements from %d sources", depth, statements, len(s.Sources))
		}
		for _, src := range s.Sources {
			if src.Computed == "" || src.Quality == 0 || len(src.Why) == 0 {
				t.Errorf("a source without credibility or quality: %+v", src)
			}
		}
		for _, c := range s.Contradictions {
			for _, p := range []dossier.Place{c.A, c.B} {
				stands(t, store, p)
			}
		}
	}
}

// opens holds a statement against the record and the documents.
func opens(t *testing.T, store *sqlite.Store, q dossier.Question, e dossier.Evidence) {
	t.Helper()
	a, err := store.Answer(t.Context(), q.Answer)
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(strings.Fields(a.Segments[e.Segment-1].At.In(a.Text)), " "); said != e.Statement {
		t.Errorf("%s: the record says %q", e.ID, said)
	}
	if len(e.Places) == 0 && e.Validation != dossier.Unsupported {
		t.Errorf("%s is %s without a place", e.ID, e.Validation)
	}
	for _, p := range e.Places {
		stands(t, store, p)
	}
	if e.Relevance < 0 || e.Relevance > 1 || e.Confidence < 0 || e.Confidence > 1 || e.Category == "" {
		t.Errorf("%+v", e)
	}
}

func stands(t *testing.T, store *sqlite.Store, p dossier.Place) {
	t.Helper()
	doc, err := store.Document(t.Context(), p.At.Document)
	if err != nil || p.At.Span.In(doc.Text) != p.Quote {
		t.Errorf("%q does not stand at its place: %v", p.Quote, err)
	}
}

// stopping answers so many questions, then ends the context.
type stopping struct {
	ibid.Model
	left *int
	stop context.CancelFunc
}

func (s stopping) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	if *s.left--; *s.left < 0 {
		s.stop()
	}
	return s.Model.Generate(ctx, p)
}

func TestResearchGoesOnWhereItStopped(t *testing.T) {
	r, store := newResearcher(t)
	s, err := r.Begin(t.Context(), workflow.Topic{Text: "Cyrus Field", Depth: dossier.Moderate})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	left := 2
	r.Asker.Model = stopping{llm.Extractive{}, &left, stop}
	_, asked, err := worked(ctx, r, s)
	if !errors.Is(err, context.Canceled) || !reflect.DeepEqual(asked, []int{1, 2, 3}) {
		t.Fatalf("stopped with %v after %v", err, asked)
	}
	kept, err := store.Study(t.Context(), s.ID)
	if err != nil || kept.Done || kept.Open() != len(s.Questions)-2 {
		t.Fatalf("%v: %d open, done %v", err, kept.Open(), kept.Done)
	}
	before := kept.Questions[:2]
	r.Asker.Model = llm.Extractive{}
	s, asked, err = worked(t.Context(), r, kept)
	if err != nil || !s.Done || asked[0] != 3 || len(asked) != len(s.Questions)-2 {
		t.Errorf("%v: went on with %v", err, asked)
	}
	for i, q := range before {
		if s.Questions[i].Answer != q.Answer {
			t.Errorf("question %d was asked again", i+1)
		}
	}
	if _, asked, err = worked(t.Context(), r, s); err != nil || len(asked) != 0 {
		t.Errorf("a study that is done asks %v: %v", asked, err)
	}
}

func TestAFailedQuestionSaysWhyAndIsAskedAgain(t *testing.T) {
	r, _ := newResearcher(t)
	s, err := r.Begin(t.Context(), workflow.Topic{Text: "Cyrus Field", Depth: dossier.Shallow})
	if err != nil {
		t.Fatal(err)
	}
	r.Asker.Model = llmtest.Fails(errCut)
	s, _, err = worked(t.Context(), r, s)
	if err != nil || s.Done || s.Questions[0].State != dossier.Failed || s.Questions[0].Note != errCut.Error() {
		t.Fatalf("%v %+v", err, s.Questions[0])
	}
	r.Asker.Model = llm.Extractive{}
	s, asked, err := worked(t.Context(), r, s)
	if err != nil || !s.Done || len(asked) != len(s.Questions) {
		t.Errorf("%v: asked %v", err, asked)
	}
}

func TestResearchKeepsWhatTheCallerSaysOfSources(t *testing.T) {
	r, store := newResearcher(t)
	list, err := store.Sources(t.Context(), sqlite.SourceFilter{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	src, err := store.Source(t.Context(), list[0].Source.ID)
	if err != nil {
		t.Fatal(err)
	}
	topic := workflow.Topic{Text: "the cable", Depth: dossier.Shallow, Sources: []dossier.Source{dossier.Describe(src, "specification", dossier.Low)}}
	topic.Where.Sources = []ibid.SourceID{src.ID}
	s, err := r.Begin(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err = worked(t.Context(), r, s)
	if err != nil || len(s.Sources) != 1 || s.Sources[0].Credibility != dossier.Low || s.Sources[0].Type != "specification" {
		t.Errorf("%v: %+v", err, s.Sources)
	}
}

func TestResearchByAModelsPlan(t *testing.T) {
	r, _ := newResearcher(t)
	r.Planner = llmtest.Says("1. Who was Cyrus Field?\n2. How did Cyrus Field lose his fortune?\nThat is all!")
	s, err := r.Begin(t.Context(), workflow.Topic{Text: "the life of Cyrus Field", Depth: dossier.Shallow})
	if err != nil || len(s.Questions) < 3 || s.Questions[1].Text != "How did Cyrus Field lose his fortune?" {
		t.Errorf("%v %+v", err, s.Questions)
	}
	if _, err := r.Begin(t.Context(), workflow.Topic{Text: " "}); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("an empty topic: %v", err)
	}
}
