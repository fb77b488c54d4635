package workflow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/storetest"
	"github.com/ibid-dev/ibid/workflow"
)

// altered gives out a record that differs from what was written in one place.
type altered struct {
	*sqlite.Store
	text     func(*ibid.Document)
	source   func(*ibid.Source)
	hides    string
	shows    string
	noPolicy string
	answer   func(*ibid.Answer)
	question string // in the list of answers
	talk     ibid.ConversationID
	moved    bool // the answers, to another collection
	study    func(map[string]ibid.DocumentID)
	run      func(*ibid.Run)
	noRun    error      // in place of the one that was left open
	otherRun ibid.RunID // likewise
	snapshot func([]byte) []byte
	review   func(*gate.Review)
	noReview string
	hidden   bool

	// More of them than there are entries for.
	moreVersions []ibid.Document
	moreAnswers  []ibid.Answer
	moreRuns     []ibid.Run
	moreReviews  []gate.Review
}

func (a altered) Review(ctx context.Context, id string) (gate.Review, error) {
	r, err := a.Store.Review(ctx, id)
	if a.noReview != "" && r.Subject == a.noReview {
		return gate.Review{}, ibid.ErrNotFound
	}
	if a.review != nil {
		a.review(&r)
	}
	return r, err
}

func (a altered) Reviews(ctx context.Context, all bool) ([]gate.Review, error) {
	if a.hidden && !all {
		return nil, nil
	}
	list, err := a.Store.Reviews(ctx, all)
	if !all {
		return list, err
	}
	return append(list, a.moreReviews...), err
}

func (a altered) EveryVersion(ctx context.Context) ([]ibid.Document, error) {
	list, err := a.Store.EveryVersion(ctx)
	return append(list, a.moreVersions...), err
}

func (a altered) Answers(ctx context.Context, before ibid.AnswerID, limit int) ([]ibid.Answer, error) {
	list, err := a.Store.Answers(ctx, before, limit)
	if a.question != "" {
		list[0].Question = a.question
	}
	if a.talk != "" {
		list[0].Conversation = a.talk
	}
	return append(list, a.moreAnswers...), err
}

func (a altered) AnswerCollection(ctx context.Context, id ibid.AnswerID) (string, error) {
	if a.moved {
		return "hidden", nil
	}
	return a.Store.AnswerCollection(ctx, id)
}

func (a altered) StudyHashes(ctx context.Context) (map[string]ibid.DocumentID, error) {
	all, err := a.Store.StudyHashes(ctx)
	if a.study != nil {
		a.study(all)
	}
	return all, err
}

func (a altered) Runs(ctx context.Context, limit int) ([]ibid.Run, error) {
	list, err := a.Store.Runs(ctx, limit)
	return append(list, a.moreRuns...), err
}

func (a altered) Version(ctx context.Context, source ibid.SourceID, version int) (ibid.Document, error) {
	d, err := a.Store.Version(ctx, source, version)
	if a.text != nil {
		a.text(&d)
	}
	return d, err
}

func (a altered) AnswerJSON(ctx context.Context, id ibid.AnswerID) ([]byte, error) {
	body, err := a.Store.AnswerJSON(ctx, id)
	if a.answer == nil || err != nil {
		return body, err
	}
	var x ibid.Answer
	if err := json.Unmarshal(body, &x); err != nil {
		return nil, err
	}
	a.answer(&x)
	return json.Marshal(x)
}

func (a altered) Source(ctx context.Context, id ibid.SourceID) (ibid.Source, error) {
	s, err := a.Store.Source(ctx, id)
	if a.source != nil {
		a.source(&s)
	}
	return s, err
}

func (a altered) Snapshots(ctx context.Context, id ibid.SourceID) (ibid.Source, []ibid.Document, error) {
	source, docs, err := a.Store.Snapshots(ctx, id)
	if id == ibid.IdentifySource("", "file:///"+a.hides) {
		docs = nil
	}
	if id == ibid.IdentifySource("", "file:///"+a.shows) {
		docs = make([]ibid.Document, 1)
	}
	return source, docs, err
}

func (a altered) Policy(ctx context.Context, version string) (gate.Policy, error) {
	p, err := a.Store.Policy(ctx, version)
	if a.noPolicy != "" && p.Name == a.noPolicy && err == nil {
		err = ibid.ErrNotFound
	}
	return p, err
}

func (a altered) Run(ctx context.Context, id ibid.RunID) (ibid.Run, error) {
	r, err := a.Store.Run(ctx, id)
	if r.ID == "left-open" && a.noRun != nil {
		return ibid.Run{}, a.noRun
	}
	if r.ID == "left-open" && a.otherRun != "" {
		r.ID = a.otherRun
	}
	if a.run != nil && r.ID == "r1" {
		a.run(&r)
	}
	return r, err
}

func (a altered) Snapshot(ctx context.Context, id ibid.DocumentID) ([]byte, error) {
	b, err := a.Store.Snapshot(ctx, id)
	if a.snapshot != nil {
		b = a.snapshot(b)
	}
	return b, err
}

// TestHeldNamesTheEntry changes the record behind the log's back, a letter at a time.
func TestHeldNamesTheEntry(t *testing.T) {
	var log *sqlite.Log
	asker, store := sampleAskerOn(t, func(s *sqlite.Store) {
		var err error
		if log, err = s.Log(t.Context(), sqlite.LogConfig{}); err != nil {
			t.Fatal(err)
		}
	})
	runner, _ := newRunner(t, `name = "strict"`)
	runner.Gate.Book = workflow.Pages(store.Update)
	asker.Gate = workflow.Gate{Policy: runner.Gate.Policy, Book: runner.Gate.Book}
	in := &workflow.Ingester{Library: store, Now: time.Now}
	for _, name := range []string{"kept", "removed"} {
		for out := range in.Ingest(t.Context(), slices.Values([]workflow.Input{{URI: "file:///" + name, Name: name, Open: func(context.Context) (workflow.Content, error) {
			return workflow.Content{Body: io.NopCloser(strings.NewReader("A note on the lamp that is " + name + "."))}, nil
		}}})) {
			if out.Err != nil {
				t.Fatal(out.Err)
			}
		}
	}
	if err := store.RemoveSource(t.Context(), ibid.IdentifySource("", "file:///removed")); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"One text.", "", "Another text, in its place."} { // its first version again
		source, doc := storetest.NewSource("file:///back", ""), storetest.NewDocument(text)
		if text == "" {
			err := store.RemoveSource(t.Context(), source.ID)
			if err != nil {
				t.Fatal(err)
			}
		} else if _, _, err := store.Add(t.Context(), source, doc, storetest.Cut(doc)); err != nil {
			t.Fatal(err)
		}
	}
	answered(t, asker, "When was the Faraday launched?")
	if _, err := runner.Finish(t.Context(), twoOfThree(t)); err == nil {
		t.Fatal("the run was not refused")
	}
	for id, outcome := range map[ibid.RunID]string{"r2": "flag", "r3": "flag", "r4": "repair"} {
		other, _ := newRunner(t, `outcome = "`+outcome+`"`)
		other.Gate.Book = runner.Gate.Book
		led := ledger.New(id, "", ledger.Config{Now: midnight})
		src, err := led.Source(ibid.SourceReference{Category: "file"}, []byte("A page of "+id))
		if err == nil {
			_, err = led.Claim("It has a source.", src)
		}
		if err == nil {
			_, err = led.Claim("It has none.", ibid.SourceReference{})
		}
		if err == nil {
			_, err = other.Finish(t.Context(), led)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	err := store.Update(t.Context(), func(tx *sqlite.Tx) error {
		waiting, err := store.Reviews(t.Context(), false)
		if err != nil || len(waiting) != 2 {
			t.Fatal(waiting, err)
		}
		i := slices.IndexFunc(waiting, func(r gate.Review) bool { return r.Subject == "run r2" })
		r, err := tx.DecideReview(waiting[i].ID, gate.Rejected, "ada", "no", time.Now())
		if err == nil {
			_, err = workflow.EnterReview(tx, r)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	for _, done := range []bool{false, true} {
		if err := store.PutStudy(t.Context(), dossier.Study{ID: "study1", Topic: "Cables", Done: done}); err != nil {
			t.Fatal(err)
		}
	}
	err = store.Update(t.Context(), func(tx *sqlite.Tx) error { // never finished
		return errors.Join(tx.BeginRun("left-open", time.Now()), workflow.EnterRun(tx, "left-open", time.Now()))
	})
	if err != nil {
		t.Fatal(err)
	}
	var unchecked []string
	held := func(k workflow.Kept) string {
		found, not, err := workflow.Held(t.Context(), log.Entries(t.Context(), 0), k)
		unchecked = not
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, d := range found {
			if d.Entry < 0 {
				all = append(all, d.What)
				continue
			}
			e, err := log.Entry(t.Context(), d.Entry)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e.Kind+": "+d.What)
		}
		return strings.Join(all, "; ")
	}
	if got := held(store); got != "" || len(unchecked) > 0 {
		t.Fatalf("an untouched record: %s %q", got, unchecked)
	}
	for name, c := range map[string]struct {
		kept workflow.Kept
		want string
	}{
		"the text of a document":     {altered{Store: store, text: func(d *ibid.Document) { d.Text = strings.Replace(d.Text, "that is kept", "that was kept", 1) }}, "source: the text of source "},
		"what was said":              {altered{Store: store, answer: func(a *ibid.Answer) { a.Text = strings.Replace(a.Text, "F", "G", 1) }}, "answer: answer 0000000000000001 is not"},
		"where a quote stands":       {altered{Store: store, answer: func(a *ibid.Answer) { a.Citations[0].At.Span.Start++ }}, "answer: answer 0000000000000001 is not"},
		"which sentence rests on it": {altered{Store: store, answer: func(a *ibid.Answer) { a.Attributions[0].Of.End-- }}, "answer: answer 0000000000000001 is not"},
		"how sure that is":           {altered{Store: store, answer: func(a *ibid.Answer) { a.Attributions[0].Confidence /= 2 }}, "answer: answer 0000000000000001 is not"},
		"a passage not cited":        {altered{Store: store, answer: func(a *ibid.Answer) { a.Passages = a.Passages[:len(a.Passages)-1] }}, "answer: answer 0000000000000001 is not"},
		"words of a passage":         {altered{Store: store, answer: func(a *ibid.Answer) { a.Passages[len(a.Passages)-1].Chunk.Text += "." }}, "answer: answer 0000000000000001 is not"},
		"a step":                     {altered{Store: store, answer: func(a *ibid.Answer) { a.Steps = []ibid.Step{{Number: 1, Text: "So."}} }}, "answer: answer 0000000000000001 is not"},
		"a version put in":           {altered{Store: store, moreVersions: []ibid.Document{{Source: "s", Version: 2}}}, "version 2 of source s is in the library, and no entry"},
		"an answer put in":           {altered{Store: store, moreAnswers: []ibid.Answer{{ID: "forged"}}}, "answer forged is in the library, and no entry"},
		"a run put in":               {altered{Store: store, moreRuns: []ibid.Run{{ID: "open"}, {ID: "forged", FinishedAt: time.Now()}}}, "finished run forged is in the library, and no entry"},
		"the page of a quote":        {altered{Store: store, answer: func(a *ibid.Answer) { a.Citations[0].Locator = "p. 7" }}, "answer: answer 0000000000000001 is not"},
		"why it was found":           {altered{Store: store, answer: func(a *ibid.Answer) { a.Segments[0].Reasons = nil }}, "answer: answer 0000000000000001 is not"},
		"its collection":             {altered{Store: store, moved: true}, "answer: answer 0000000000000001 is in another collection or conversation"},
		"its conversation":           {altered{Store: store, talk: "another"}, "answer: answer 0000000000000001 is in another collection or conversation"},
		"its entry":                  {altered{Store: store, answer: func(a *ibid.Answer) { *a.Entry-- }}, "answer: answer 0000000000000001 is not"},
		"a study":                    {altered{Store: store, study: func(all map[string]ibid.DocumentID) { all["study1"] = "forged" }}, "study: study study1 is not what was recorded"},
		"a study that is gone":       {altered{Store: store, study: func(all map[string]ibid.DocumentID) { delete(all, "study1") }}, "study: study study1 is not in the library"},
		"the question in a list":     {altered{Store: store, question: "Who?"}, "answer: answer 0000000000000001 is not"},
		"another text": {altered{Store: store, text: func(d *ibid.Document) {
			if strings.Contains(d.Text, "that is kept") {
				*d = storetest.NewDocument("Something else.")
			}
		}}, "source: version 1 of source "},
		"when it was fetched": {altered{Store: store, text: func(d *ibid.Document) {
			if strings.Contains(d.Text, "that is kept") {
				d.FetchedAt = d.FetchedAt.Add(-time.Hour)
			}
		}}, "source: when source "},
		"where it is from":            {altered{Store: store, source: func(s *ibid.Source) { s.URI = strings.Replace(s.URI, "/kept", "/lost", 1) }}, "source: where source "},
		"a source that is hidden":     {altered{Store: store, hides: "kept"}, "source "},
		"a source that is back":       {altered{Store: store, shows: "removed"}, "source "},
		"a policy":                    {altered{Store: store, noPolicy: "strict"}, "policy: policy version "},
		"what is hidden":              {altered{Store: store, hidden: true}, "review "},
		"the gate's verdict":          {altered{Store: store, answer: func(a *ibid.Answer) { a.Verdict.Threshold = 0 }}, "answer: answer 0000000000000001 is not"},
		"a claim":                     {altered{Store: store, run: func(r *ibid.Run) { r.Claims[2].Text = "Third king." }}, "claims: the sources and claims of run r1"},
		"a claim's source":            {altered{Store: store, run: func(r *ibid.Run) { r.Claims[2].Source = r.Claims[0].Source }}, "claims: the sources and claims of run r1"},
		"the verdict on a run":        {altered{Store: store, run: func(r *ibid.Run) { r.Verdict.Pass = true }}, "gate: the verdict on run r1"},
		"what was done with a run":    {altered{Store: store, run: func(r *ibid.Run) { r.Verdict = nil }}, "gate: the verdict on run r1"},
		"a run that was left open":    {altered{Store: store, noRun: ibid.ErrNotFound}, "run: run left-open was begun, and is not in the library"},
		"one whose id begins like it": {altered{Store: store, otherRun: "left-open-2"}, "run: run left-open was begun, and is not in the library"},
		"a person's decision": {altered{Store: store, review: func(r *gate.Review) {
			if r.Decision == gate.Rejected {
				r.Decision = gate.Approved
			}
		}}, "review: review "},
		"what waits for a person": {altered{Store: store, noReview: "run r3"}, "gate: run r3 was flagged, and is not among the reviews"},
		"why it waits": {altered{Store: store, review: func(r *gate.Review) {
			if r.Subject == "run r3" {
				r.Uncited = nil
			}
		}}, "gate: the review of run r3"},
		"a decision put in":    {altered{Store: store, moreReviews: []gate.Review{{ID: "forged", Decision: gate.Approved}}}, "decided review forged is in the library, and no entry"},
		"what a tool returned": {altered{Store: store, snapshot: func(b []byte) []byte { return bytes.Replace(b, []byte("One"), []byte("Two"), 1) }}, "claims: the snapshot of source "},
	} {
		if got := held(c.kept); !strings.HasPrefix(got, c.want) || strings.Contains(got, "; ") {
			t.Errorf("%s: %q, want %q alone", name, got, c.want)
		}
	}
	r1, err := store.Run(t.Context(), "r1")
	if err == nil {
		_, err = log.Erase(t.Context(), *r1.Verdict.Entry, "asked for")
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := held(store); got != "" || !slices.Equal(unchecked, []string{"the verdict on run r1 can no longer be checked: its entry was erased"}) {
		t.Errorf("a decision erased: %s %q", got, unchecked)
	}
	// Of what was erased nothing can be said, for it or against it.
	erase := []int64{3} // a version of a source
	for e, err := range log.Entries(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == workflow.EntryAnswer || e.Kind == workflow.EntryClaims {
			erase = append(erase, e.Index)
		}
	}
	for _, index := range erase {
		if _, err := log.Erase(t.Context(), index, "asked for"); err != nil {
			t.Fatal(err)
		}
	}
	forged := altered{Store: store, answer: func(a *ibid.Answer) { a.Text += " Or not." }, moved: true}
	for _, k := range []workflow.Kept{store, forged} {
		if got := held(k); got != "" {
			t.Errorf("after erasures: %s", got)
		}
		for _, what := range []string{"answer 0000000000000001 can no longer be checked: its entry was erased", "finished run r1 can no", "version 1 of source "} {
			if !slices.ContainsFunc(unchecked, func(u string) bool { return strings.HasPrefix(u, what) }) {
				t.Errorf("after erasures %q is not among %q", what, unchecked)
			}
		}
		if len(unchecked) != len(erase) {
			t.Errorf("%d entries erased, and not to be checked: %q", len(erase), unchecked)
		}
	}
	// One erased source does not let another be hidden.
	if got := held(altered{Store: store, hides: "kept"}); !strings.HasSuffix(got, "is hidden, and no entry of the log removes it") {
		t.Errorf("a source hidden after erasures: %q", got)
	}
}

// TestAnswerAndEntriesAreOneTransaction: an answer that can't be kept leaves no entry behind.
func TestAnswerAndEntriesAreOneTransaction(t *testing.T) {
	asker, store := sampleAsker(t)
	log, err := store.Log(t.Context(), sqlite.LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	asker.Record = store
	asker.Gate.Book = workflow.Pages(store.Update)
	asker.NewID = func() ibid.AnswerID { return "0000000000000007" }
	first := answered(t, asker, "When was the Faraday launched?")
	before, err := log.Size(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, err = range asker.Ask(t.Context(), workflow.Question{Text: "How long is the Great Eastern?"}) {
	}
	if err == nil || !strings.Contains(err.Error(), "another answer is recorded under this id") {
		t.Fatalf("%v, want a refusal", err)
	}
	if after, err := log.Size(t.Context()); err != nil || after != before {
		t.Errorf("%d entries after what was not recorded, %d before: %v", after, before, err)
	}
	if kept, err := store.Answer(t.Context(), first.ID); err != nil || kept.Entry == nil || *kept.Entry != before-1 {
		t.Errorf("%+v, %v", kept.Entry, err)
	}
}

// recorder is a Record that does not tell where it keeps an answer, as entries of before do not.
type recorder struct{ workflow.Record }

// TestHeldWithoutTheCollection: an entry that does not say where its answer is kept is believed, and its passages tell.
func TestHeldWithoutTheCollection(t *testing.T) {
	var log *sqlite.Log
	asker, store := sampleAskerOn(t, func(s *sqlite.Store) {
		var err error
		if log, err = s.Log(t.Context(), sqlite.LogConfig{}); err != nil {
			t.Fatal(err)
		}
	})
	asker.Record, asker.Gate.Book = recorder{store}, workflow.Pages(store.Update)
	a := answered(t, asker, "When was the Faraday launched?")
	if data, err := log.Payload(t.Context(), *a.Entry); err != nil || bytes.Contains(data, []byte(`"collection"`)) {
		t.Fatalf("%v %s", err, data)
	}
	for _, moved := range []bool{false, true} {
		found, unchecked, err := workflow.Held(t.Context(), log.Entries(t.Context(), 0), altered{Store: store, moved: moved})
		if err != nil || len(unchecked) > 0 || (len(found) > 0) != moved {
			t.Errorf("moved %t: %v %q %v", moved, found, unchecked, err)
		}
	}
}

// TestHeldStudyWithoutEntry: a study that was kept before there were entries is named, and is no difference.
func TestHeldStudyWithoutEntry(t *testing.T) {
	store, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	put := func(topic string) {
		if err := store.PutStudy(t.Context(), dossier.Study{ID: "study1", Topic: topic}); err != nil {
			t.Fatal(err)
		}
	}
	put("Cables")
	log, err := store.Log(t.Context(), sqlite.LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"study study1 cannot be checked: no entry speaks of it", ""} {
		found, unchecked, err := workflow.Held(t.Context(), log.Entries(t.Context(), 0), store)
		if got := strings.Join(unchecked, "; "); err != nil || len(found) > 0 || !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%v %q %v, want %q", found, got, err, want)
		}
		put("Cables, gone on with")
	}
}

// TestHeldReviewBesideARepair: what was flagged beside something that was repaired is among the reviews, and missed there.
func TestHeldReviewBesideARepair(t *testing.T) {
	var log *sqlite.Log
	asker, store := sampleAskerOn(t, func(s *sqlite.Store) {
		var err error
		if log, err = s.Log(t.Context(), sqlite.LogConfig{}); err != nil {
			t.Fatal(err)
		}
	})
	p, err := gate.Parse([]byte("outcome = \"repair\"\nhold = \"segment\"\n[kinds.opinion]\noutcome = \"flag\"\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	asker.Model = script{pieces: []string{"You should read it. ", "Whitehouse burned it out."}}
	asker.Record, asker.Gate = store, workflow.Gate{Policy: &p, Book: workflow.Pages(store.Update)}
	a := answered(t, asker, "When was the Faraday launched?")
	if a.Text != "You should read it." || a.Verdict.Outcome != "repair" {
		t.Fatalf("%q, %+v", a.Text, a.Verdict)
	}
	for _, missing := range []bool{false, true} {
		kept := altered{Store: store}
		if missing {
			kept.noReview = "answer " + string(a.ID)
		}
		found, unchecked, err := workflow.Held(t.Context(), log.Entries(t.Context(), 0), kept)
		if err != nil || len(unchecked) > 0 || (len(found) > 0) != missing {
			t.Errorf("missing %t: %v %q %v", missing, found, unchecked, err)
		}
	}
}

// TestHeldWhileAnAnswerIsErased: its entry was read before, and the answer is not there after; that is no difference.
func TestHeldWhileAnAnswerIsErased(t *testing.T) {
	var log *sqlite.Log
	asker, store := sampleAskerOn(t, func(s *sqlite.Store) {
		var err error
		if log, err = s.Log(t.Context(), sqlite.LogConfig{}); err != nil {
			t.Fatal(err)
		}
	})
	asker.Record, asker.Gate.Book = store, workflow.Pages(store.Update)
	gone := answered(t, asker, "When was the Faraday launched?").ID
	answered(t, asker, "Who built the Faraday?")
	var erase sync.Once
	entries := func(yield func(ibid.Entry, error) bool) {
		var read []ibid.Entry
		for e, err := range log.Entries(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			read = append(read, e)
		}
		erase.Do(func() {
			speaks := func(e ibid.Entry) bool { return bytes.Contains(e.Data, []byte(gone)) }
			if _, err := log.EraseAnswer(t.Context(), gone, speaks, "asked for"); err != nil {
				t.Fatal(err)
			}
		})
		for _, e := range read {
			if !yield(e, nil) {
				return
			}
		}
	}
	found, unchecked, err := workflow.Held(t.Context(), entries, store)
	if err != nil || len(found) > 0 || len(unchecked) > 0 {
		t.Errorf("%v %q %v", found, unchecked, err)
	}
}
