package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/experiment"
	"github.com/ibid-dev/ibid/gate"
)

// erasable has an answer that is spoken of wherever one can be, and another beside it. The sign of what is of the first alone is a word
// that begins with quaxil.
type erasable struct {
	dir     string
	store   *Store
	log     *Log
	entries []int64 // that speak of the answer
}

func newErasable(t *testing.T) *erasable {
	t.Helper()
	w := &erasable{dir: t.TempDir()}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	w.store, err = Open(t.Context(), w.dir)
	must(err)
	t.Cleanup(func() { w.store.Close() })
	w.log, err = w.store.Log(t.Context(), LogConfig{})
	must(err)
	passage := func(uri, text string) ibid.Passage {
		source := ibid.Source{ID: ibid.IdentifySource("", uri), URI: uri}
		doc := ibid.Document{ID: ibid.HashText(text), Text: text}
		chunk := ibid.Chunk{At: ibid.Anchor{Document: doc.ID, Span: ibid.Span{End: len(text)}}, Text: text}
		_, _, err := w.store.Add(t.Context(), source, doc, []ibid.Chunk{chunk})
		must(err)
		return ibid.Passage{Chunk: chunk, Source: source, Rank: 1}
	}
	answer := func(id, said string, p ...ibid.Passage) ibid.Answer {
		a := ibid.Answer{ID: ibid.AnswerID(id), Conversation: ibid.ConversationID("talk-" + id), Question: "Who is " + said + "?", Text: "It is " + said + "."}
		for i, p := range p {
			p.Rank = i + 1
			a.Passages = append(a.Passages, p)
			a.Attributions = append(a.Attributions, ibid.Attribution{Of: ibid.Span{Start: 0, End: 2}, To: p.Chunk.At, Ref: i + 1})
			a.Citations = append(a.Citations, ibid.Citation{Key: fmt.Sprint(i + 1), Source: p.Source.ID, At: p.Chunk.At, Quote: p.Chunk.Text})
		}
		a.Segments = []ibid.Segment{{At: ibid.Span{End: len(a.Text)}, Origin: ibid.RAG}}
		return a
	}
	stays, shared, gone := passage("file:///stays", "This stays."), passage("file:///shared", "Shared by both."), passage("file:///gone", "quaxilgone stood there.")
	first := answer("a-secret-answer", "quaxilsaid", stays, shared, gone)
	w.entries = append(w.entries, recorded(t, w.store, first))
	recorded(t, w.store, answer("another-answer", "Zebra", stays, shared))
	must(w.store.RemoveSource(t.Context(), gone.Source.ID))
	must(w.store.RemoveSource(t.Context(), shared.Source.ID))
	gateEntry, err := w.log.Append(t.Context(), "gate", []byte(`{"subject":"answer a-secret-answer","claims":["quaxilgate"]}`))
	must(err)
	w.entries = append(w.entries, gateEntry.Index)
	must(w.store.Update(t.Context(), func(tx *Tx) error {
		return errors.Join(tx.AddReview(gate.Review{ID: "r1", Subject: "answer a-secret-answer", Summary: "quaxilreview"}), tx.AddReview(gate.Review{ID: "r2", Subject: "answer another-answer"}))
	}))
	now := time.Unix(1_000_000, 0)
	for i, id := range []ibid.AnswerID{"a-secret-answer", "another-answer"} {
		said := []string{"quaxil", "other"}[i]
		must(w.store.In("").PutFeedback(t.Context(), api.Feedback{ID: fmt.Sprint("f", i), Answer: id, Segment: 1, Verdict: "right", Note: said + "note", CreatedAt: now}))
		must(w.store.In("").PutStream(t.Context(), fmt.Sprint("s", i), []byte(`[{"data":{"id":"`+string(id)+`","text":"`+said+`stream"}}]`), now))
		_, err = w.store.Claim(t.Context(), "me", fmt.Sprint("of s", i), []byte("request"), now)
		must(err)
		must(w.store.Settle(t.Context(), "me", fmt.Sprint("of s", i), &Replay{Status: 200, MediaType: "ibid stream", Body: fmt.Append(nil, "s", i)}))
		_, err = w.store.Claim(t.Context(), "me", fmt.Sprint("k", i), []byte("request"), now)
		must(err)
		must(w.store.Settle(t.Context(), "me", fmt.Sprint("k", i), &Replay{Status: 200, MediaType: "application/json", Body: []byte(`{"id":"` + string(id) + `","text":"` + said + `again"}`)}))
	}
	_, err = w.store.In("").PutVersion(t.Context(), first, "quaxilcause", "words", now)
	must(err)
	must(w.store.In("").PutExperiment(t.Context(), api.Experiment{ID: "e", State: "running"}))
	for _, unit := range []string{"talk-a-secret-answer", "talk-another-answer"} {
		must(w.store.In("").AddOutcome(t.Context(), "e", unit, experiment.A, experiment.Pair{A: 0.5, B: 1}))
	}
	must(w.store.PutStudy(t.Context(), dossier.Study{ID: "study", Topic: "Cables", Questions: []dossier.Question{{Answer: "another-answer"}}}))
	return w
}

func (w *erasable) speaks(e ibid.Entry) bool { return slices.Contains(w.entries, e.Index) }

// proves holds that the log verifies with so many payloads erased, and that a receipt from before still does.
func (w *erasable) proves(t *testing.T, before audit.Receipt, erased int64) {
	t.Helper()
	if r, err := w.log.Verify(t.Context(), audit.Expect{}); err != nil || len(r.Problems) > 0 || r.Erased != erased {
		t.Errorf("%+v, %v", r, err)
	}
	keys, err := w.log.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := before.Check(keys[0].Key); err != nil {
		t.Error(err)
	}
}

// rest counts what is left in tables.
func (w *erasable) rest(t *testing.T) string {
	t.Helper()
	out := ""
	for _, table := range []string{"answers", "conversations", "answer_facts", "answer_citations", "answer_versions", "answer_sources", "feedback", "reviews", "streams", "idempotency", "sources", "documents"} {
		var n int
		if err := w.store.reads.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		out += fmt.Sprintf("%s %d ", table, n)
	}
	return out
}

var quaxils = []string{"quaxilsaid", "quaxilgone", "quaxilgate", "quaxilreview", "quaxilnote", "quaxilstream", "quaxilagain", "quaxilcause", "quaxil"}

// Of an answer that is erased nothing is left in any file, what is of another stays, and the log and its proofs hold.
func TestErasedAnswerIsGone(t *testing.T) {
	w := newErasable(t)
	receipt, err := w.log.Receipt(t.Context(), w.entries[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := standsIn(t, w.dir, quaxils...); len(got) < len(quaxils) {
		t.Fatalf("only %q stand in the files before: the test would see nothing", got)
	}
	if before := w.rest(t); before != "answers 2 conversations 2 answer_facts 2 answer_citations 5 answer_versions 1 answer_sources 5 feedback 2 reviews 2 streams 2 idempotency 4 sources 3 documents 3 " {
		t.Fatalf("before: %s", before)
	}
	erasures, err := w.log.EraseAnswer(t.Context(), "a-secret-answer", w.speaks, "asked for")
	if err != nil || len(erasures) != 2 {
		t.Fatal(erasures, err)
	}
	if got := standsIn(t, w.dir, append(quaxils, "a-secret-answer")...); len(got) > 0 {
		t.Errorf("the files hold %q", got)
	}
	if left := w.rest(t); left != "answers 1 conversations 1 answer_facts 1 answer_citations 2 answer_versions 0 answer_sources 2 feedback 1 reviews 1 streams 1 idempotency 2 sources 2 documents 2 " {
		t.Errorf("left: %s", left)
	}
	holds(t, w.store)
	if got := wordsOf(t, w.store, "zebra"); got != "another-answer" {
		t.Errorf("found %q", got)
	}
	if _, err := w.store.Answer(t.Context(), "a-secret-answer"); !errors.Is(err, ibid.ErrNotFound) {
		t.Error(err)
	}
	if pairs, err := w.store.In("").Outcomes(t.Context(), "e"); err != nil || len(pairs) != 2 {
		t.Errorf("what experiments came to is %v, %v", pairs, err)
	}
	if got := standsIn(t, w.dir, "talk-another-answer"); len(got) == 0 {
		t.Error("the conversation of the other answer is gone")
	}
	w.proves(t, receipt, 2)
}

// An answer whose entry was erased before is erased all the same; the entry is not erased twice.
func TestErasedAnswerWhoseEntryWas(t *testing.T) {
	w := newErasable(t)
	if _, err := w.log.Erase(t.Context(), w.entries[0], "asked for"); err != nil {
		t.Fatal(err)
	}
	erasures, err := w.log.EraseAnswer(t.Context(), "a-secret-answer", w.speaks, "asked for")
	if err != nil || len(erasures) != 1 {
		t.Fatal(erasures, err)
	}
	if got := standsIn(t, w.dir, quaxils...); len(got) > 0 {
		t.Errorf("the files hold %q", got)
	}
}

// What comes to the log while it is read for what speaks of the answer is erased, too.
func TestErasedAnswerThatIsSpokenOfMeanwhile(t *testing.T) {
	w := newErasable(t)
	size, err := w.log.Size(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	began, read, wrote := make(chan bool), make(chan bool), make(chan error)
	go func() {
		wrote <- w.store.Update(t.Context(), func(tx *Tx) error {
			began <- true
			<-read
			_, err := tx.write("review", []byte(`{"subject":"answer a-secret-answer","note":"quaxilmeanwhile"}`))
			return err
		})
	}()
	<-began
	speaks := func(e ibid.Entry) bool {
		if e.Index == size-1 { // the last one; what waits is written when the erasure waits for it
			time.AfterFunc(100*time.Millisecond, func() { read <- true })
		}
		return w.speaks(e) || e.Index == size
	}
	erasures, err := w.log.EraseAnswer(t.Context(), "a-secret-answer", speaks, "asked for")
	if err := errors.Join(err, <-wrote); err != nil || len(erasures) != 3 {
		t.Fatal(erasures, err)
	}
	if got := standsIn(t, w.dir, append(quaxils, "quaxilmeanwhile")...); len(got) > 0 {
		t.Errorf("the files hold %q", got)
	}
}

// Where something of it cannot be erased, nothing is.
func TestErasingAnAnswerIsAllOrNothing(t *testing.T) {
	w := newErasable(t)
	before := w.rest(t)
	size, err := w.log.Size(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		id     ibid.AnswerID
		speaks func(ibid.Entry) bool
		want   error
	}{
		"no such answer":     {t.Context(), "nowhere", w.speaks, ibid.ErrNotFound},
		"a part of its id":   {t.Context(), "a-secret", w.speaks, ibid.ErrNotFound},
		"the entry of a key": {t.Context(), "a-secret-answer", func(ibid.Entry) bool { return true }, ibid.ErrInvalid},
		"who asked has left": {gone, "a-secret-answer", w.speaks, context.Canceled},
	} {
		if _, err := w.log.EraseAnswer(c.ctx, c.id, c.speaks, "asked for"); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := w.rest(t); after != before {
		t.Errorf("left: %s", after)
	}
	if n, err := w.log.Size(t.Context()); err != nil || n != size {
		t.Errorf("%d entries, %v", n, err)
	}
	holds(t, w.store)
	if got := standsIn(t, w.dir, quaxils...); len(got) < len(quaxils) {
		t.Errorf("of the answer only %q is left", got)
	}
}

// Studies that took something from an answer are named.
func TestStudiesOfAnAnswer(t *testing.T) {
	w := newErasable(t)
	for id, want := range map[ibid.AnswerID]int{"another-answer": 1, "a-secret-answer": 0} {
		if list, err := w.store.StudiesOf(t.Context(), id); err != nil || len(list) != want {
			t.Errorf("%s: %v, %v", id, list, err)
		}
	}
}

// Of a study that is erased nothing is left in any file, what is of another stays, the log and its proofs hold, and who still works on it
// does not bring it back.
func TestErasedStudyIsGone(t *testing.T) {
	w := newErasable(t)
	now := time.Unix(1_000_000, 0).UTC()
	study := dossier.Study{ID: "a-secret-study", Topic: "zorbeltopic", CreatedAt: now, UpdatedAt: now,
		Sources:   []dossier.Source{{Source: ibid.Source{ID: "s"}, Why: []string{"zorbelwhy"}}},
		Questions: []dossier.Question{{Number: 1, Text: "Who is zorbelasked?", State: dossier.Open}}}
	keep := func() error { return w.store.PutStudy(t.Context(), study) }
	if err := keep(); err != nil {
		t.Fatal(err)
	}
	study.UpdatedAt = now.Add(time.Minute)
	study.Questions[0].State, study.Questions[0].Evidence = dossier.Answered, []dossier.Evidence{{ID: "q1-1", Statement: "It is zorbelfound.", Places: []dossier.Place{{Quote: "zorbelquote"}}}}
	if err := keep(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store.Claim(t.Context(), "me", "study", []byte("request"), now); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Settle(t.Context(), "me", "study", &Replay{Status: 202, MediaType: "application/json", Body: []byte(`{"id":"a-secret-study","topic":"zorbelagain"}`)}); err != nil {
		t.Fatal(err)
	}
	size, err := w.log.Size(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := w.log.Receipt(t.Context(), size-1)
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"zorbeltopic", "zorbelwhy", "zorbelasked", "zorbelfound", "zorbelquote", "zorbelagain"}
	if got := standsIn(t, w.dir, words...); len(got) < len(words) {
		t.Fatalf("only %q stand in the files before: the test would see nothing", got)
	}
	if _, err := w.log.EraseStudy(t.Context(), "a-secret", nil, nil, "asked for"); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("by a part of its id: %v", err)
	}
	before := w.rest(t)
	erasures, err := w.log.EraseStudy(t.Context(), "a-secret-study", nil, nil, "asked for")
	if err != nil || len(erasures) != 2 {
		t.Fatal(erasures, err)
	}
	if err := keep(); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("it is kept again: %v", err)
	}
	if got := standsIn(t, w.dir, append(words, "zorbel", "a-secret-study")...); len(got) > 0 {
		t.Errorf("the files hold %q", got)
	}
	if _, err := w.store.Study(t.Context(), "a-secret-study"); !errors.Is(err, ibid.ErrNotFound) {
		t.Error(err)
	}
	if _, err := w.store.Study(t.Context(), "study"); err != nil {
		t.Errorf("the other study: %v", err)
	}
	if after := w.rest(t); after != strings.Replace(before, "idempotency 5", "idempotency 4", 1) || after == before {
		t.Errorf("before: %s\nafter: %s", before, after)
	}
	holds(t, w.store)
	w.proves(t, receipt, 2)
}

// Of an experiment that is erased nothing is left in any file; one of another collection is not found.
func TestErasedExperimentIsGone(t *testing.T) {
	w := newErasable(t)
	now := time.Unix(1_000_000, 0)
	e := api.Experiment{ID: "a-secret-experiment", Name: "vurminname", State: "running"}
	_, claimed := w.store.Claim(t.Context(), "me", "experiment", []byte("request"), now)
	if err := errors.Join(claimed, w.store.In("").PutExperiment(t.Context(), e), w.store.In("").AddOutcome(t.Context(), e.ID, "vurminunit", experiment.A, experiment.Pair{}),
		w.store.Settle(t.Context(), "me", "experiment", &Replay{Status: 201, Body: []byte(`{"id":"a-secret-experiment","name":"vurminagain"}`)})); err != nil {
		t.Fatal(err)
	}
	words := []string{"vurminname", "vurminunit", "vurminagain"}
	if got := standsIn(t, w.dir, words...); len(got) < len(words) {
		t.Fatalf("only %q stand in the files before: the test would see nothing", got)
	}
	if err := w.store.In("theirs").EraseExperiment(t.Context(), e.ID); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("of another collection: %v", err)
	}
	if err := w.store.In("").EraseExperiment(t.Context(), e.ID); err != nil {
		t.Fatal(err)
	}
	if got := standsIn(t, w.dir, append(words, "vurmin", e.ID)...); len(got) > 0 {
		t.Errorf("the files hold %q", got)
	}
	if pairs, err := w.store.In("").Outcomes(t.Context(), "e"); err != nil || len(pairs) != 2 {
		t.Errorf("of the other experiment is left %v, %v", pairs, err)
	}
}

// With a study the answers to its questions are erased that are named, all or nothing; other answers stay.
func TestErasedStudyWithItsAnswers(t *testing.T) {
	w := newErasable(t)
	if err := w.store.PutStudy(t.Context(), dossier.Study{ID: "a-secret-study", Topic: "quaxiltopic", Questions: []dossier.Question{{Number: 1, Answer: "a-secret-answer"}}}); err != nil {
		t.Fatal(err)
	}
	receipt, err := w.log.Receipt(t.Context(), w.entries[0])
	if err != nil {
		t.Fatal(err)
	}
	before := w.rest(t)
	if _, err := w.log.EraseStudy(t.Context(), "a-secret-study", []ibid.AnswerID{"a-secret-answer", "nowhere"}, w.speaks, "asked for"); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("with an answer that is not there: %v", err)
	}
	if after := w.rest(t); after != before {
		t.Errorf("left: %s", after)
	}
	erasures, err := w.log.EraseStudy(t.Context(), "a-secret-study", []ibid.AnswerID{"a-secret-answer"}, w.speaks, "asked for")
	if err != nil || len(erasures) != 3 {
		t.Fatal(erasures, err)
	}
	if got := standsIn(t, w.dir, append(quaxils, "quaxiltopic", "a-secret")...); len(got) > 0 {
		t.Errorf("the files hold %q", got)
	}
	if _, err := w.store.Answer(t.Context(), "another-answer"); err != nil {
		t.Error(err)
	}
	holds(t, w.store)
	w.proves(t, receipt, 3)
}

// Of a run that is erased nothing is left in any file, what another run shares with it stays, and the log and its proofs hold. One that
// goes on is not erased.
func TestErasedRunIsGone(t *testing.T) {
	w := newErasable(t)
	now := time.Unix(1_000_000, 0).UTC()
	for said, id := range map[string]ibid.RunID{"vurmin": "<of>", "other": "<of>f"} { // what stands in many replies, the one within the other
		snapshots := map[ibid.DocumentID][]byte{}
		run := ibid.Run{ID: id, StartedAt: now}
		for i, returned := range []string{"the same for both", said + "-returned"} {
			snapshots[ibid.HashText(returned)] = []byte(returned)
			src := ibid.SourceReference{Identifier: fmt.Sprint(i, id), Category: "http", Endpoint: "https://" + said + ".example", FetchedAt: now, Agent: "a", Call: i, Snapshot: ibid.HashText(returned)}
			run.Sources = append(run.Sources, src)
			c := ibid.Claim{Run: id, Agent: "a", Number: i, Text: said + "-claimed", Source: &src, At: now}
			c.ID = c.Identify()
			run.Claims = append(run.Claims, c)
		}
		body, err := json.Marshal(map[string]any{"id": id, "said": said + "-replied, one <of> many"})
		if err != nil {
			t.Fatal(err)
		}
		err = w.store.Update(t.Context(), func(tx *Tx) error {
			_, err := tx.Append("claims", fmt.Appendf(nil, `{"id":%q,"claims":["%s-logged"]}`, id, said))
			return errors.Join(err, tx.PutRun(run, snapshots), tx.OweRun(id), tx.AddReview(gate.Review{ID: "r-" + string(id), Subject: "run " + string(id), Summary: said + "-review"}))
		})
		_, claimed := w.store.Claim(t.Context(), "me", "run "+string(id), []byte("request"), now)
		if err := errors.Join(err, claimed, w.store.In("theirs").OwnRun(t.Context(), id), w.store.Settle(t.Context(), "me", "run "+string(id), &Replay{Status: 200, Body: body})); err != nil {
			t.Fatal(err)
		}
	}
	speaks := func(e ibid.Entry) bool { return e.Kind == "claims" && strings.Contains(string(e.Data), `"id":"<of>"`) }
	before := w.rest(t)
	if _, err := w.log.EraseRun(t.Context(), "<of>", speaks, "asked for"); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "finish it first") {
		t.Errorf("while it goes on: %v", err)
	}
	if err := w.store.Update(t.Context(), func(tx *Tx) error {
		return tx.FinishRun("<of>", now, ibid.Verdict{Reasons: []string{"vurmin-verdict"}})
	}); err != nil {
		t.Fatal(err)
	}
	words := []string{"vurmin-returned", "vurmin.example", "vurmin-claimed", "vurmin-replied", "vurmin-logged", "vurmin-review", "vurmin-verdict"}
	if got := standsIn(t, w.dir, words...); len(got) < len(words) {
		t.Fatalf("only %q stand in the files before: the test would see nothing", got)
	}
	receipt, err := w.log.Receipt(t.Context(), w.entries[0])
	if err != nil {
		t.Fatal(err)
	}
	erasures, err := w.log.EraseRun(t.Context(), "<of>", speaks, "asked for")
	if err != nil || len(erasures) != 1 {
		t.Fatal(erasures, err)
	}
	if got := standsIn(t, w.dir, append(words, "vurmin")...); len(got) > 0 {
		t.Errorf("the files hold %q", got)
	}
	if after := w.rest(t); after != strings.NewReplacer("reviews 4", "reviews 3", "idempotency 6", "idempotency 5").Replace(before) {
		t.Errorf("before: %s\nafter: %s", before, after)
	}
	if r, err := w.store.Run(t.Context(), "<of>f"); err != nil || len(r.Claims) != 2 {
		t.Errorf("the other run: %+v, %v", r, err)
	}
	for _, said := range []string{"the same for both", "other-returned"} {
		if _, err := w.store.Snapshot(t.Context(), ibid.HashText(said)); err != nil {
			t.Errorf("what the other run has is gone: %v", err)
		}
	}
	if owed, err := w.store.OwedRuns(t.Context()); err != nil || !slices.Equal(owed, []ibid.RunID{"<of>f"}) {
		t.Errorf("owed are %v, %v", owed, err)
	}
	w.proves(t, receipt, 1)
}
