package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/ledger"
)

// Ledger is what a store keeps of runs of agents, of policies, and of what people decide.
type Ledger interface {
	Run(ctx context.Context, id ibid.RunID) (ibid.Run, error)
	Runs(ctx context.Context, limit int) ([]ibid.Run, error)
	Snapshot(ctx context.Context, id ibid.DocumentID) ([]byte, error)
	Policy(ctx context.Context, version string) (gate.Policy, error)
	Reviews(ctx context.Context, all bool) ([]gate.Review, error)
	Review(ctx context.Context, id string) (gate.Review, error)
	ReviewAmong(ctx context.Context, id string, own func(gate.Review) (bool, error)) (gate.Review, error)
}

// Page is a transaction on a Ledger.
type Page interface {
	BeginRun(id ibid.RunID, at time.Time) error
	PutRun(r ibid.Run, snapshots map[ibid.DocumentID][]byte) error
	Run(id ibid.RunID) (ibid.Run, error)
	Snapshot(id ibid.DocumentID) ([]byte, error)
	FinishRun(id ibid.RunID, at time.Time, v ibid.Verdict) error
	UsePolicy(version string, body []byte) (changed bool, err error)
	AddReview(r gate.Review) error
	DecideReview(id string, ruling gate.Ruling, by, note string, at time.Time) (gate.Review, error)
}

// Update runs f in a transaction of its own: all that it wrote is stored, or, where it fails, nothing.
type Update func(f func(Page) error) error

// RunLedger runs the suite of runs and reviews. Each case gets a ledger of its own from open, which also closes it at the end
// of the test.
func RunLedger(t *testing.T, open func(t *testing.T) (Ledger, Update)) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, Ledger, Update)
	}{
		{"a run is read as it was written", runThereAndBack},
		{"hostile strings in a run are kept as they are", runHostile},
		{"agents are written in any order", runAnyOrder},
		{"a finished run takes nothing more", runFinished},
		{"of many that finish a run one does", runFinishedOnce},
		{"a run that was changed on its way is refused whole", runChanged},
		{"a run begins once", runBegins},
		{"a transaction that fails leaves nothing", updateFails},
		{"runs are listed newest first", runsListed},
		{"what is not in the ledger is not found", ledgerNotFound},
		{"a policy comes into use", policyInUse},
		{"a review is decided once", reviewOnce},
		{"of many that decide a review one does", reviewDecidedByMany},
		{"reviews wait oldest first", reviewsListed},
		{"a review is found among one's own as if there were no others", reviewsAmong},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, update := open(t)
			c.run(t, l, update)
		})
	}
}

// newLedger makes a ledger of an agent with three claims, one of them without a source and one that needs none.
func newLedger(t *testing.T, run ibid.RunID, agent string) *ledger.Ledger {
	t.Helper()
	now := noon
	led := ledger.New(run, agent, ledger.Config{Now: func() time.Time { now = now.Add(time.Second); return now }})
	src, err := led.Source(ibid.SourceReference{Category: "http", Endpoint: "https://example.org/", Metadata: map[string]string{"rank": "1"}}, []byte("\x00 bytes, 5 August 1858"))
	wantNoError(t, err)
	_, err = led.Claim("It was completed on 5 August 1858.", src, "5 August 1858")
	wantNoError(t, err)
	_, err = led.Claim("Nobody knows why.", ibid.SourceReference{})
	wantNoError(t, err)
	_, err = led.Exempt("One page was read.", ibid.AboutRun)
	wantNoError(t, err)
	return led
}

func put(update Update, leds ...*ledger.Ledger) error {
	return update(func(p Page) error {
		for _, l := range leds {
			if err := p.PutRun(l.Run(), l.Snapshots()); err != nil {
				return err
			}
		}
		return nil
	})
}

// wantRun holds that a run is read as the ledgers of its agents have it together.
func wantRun(t *testing.T, s Ledger, id ibid.RunID, leds ...*ledger.Ledger) ibid.Run {
	t.Helper()
	var book ledger.Book
	for _, l := range leds {
		book.Add(l.Run())
	}
	want, err := book.Run(id)
	wantNoError(t, err)
	got, err := s.Run(t.Context(), id)
	wantNoError(t, err)
	wantEqual(t, "claims", got.Claims, want.Claims)
	wantEqual(t, "sources", got.Sources, want.Sources)
	if !got.StartedAt.Equal(want.StartedAt) {
		t.Errorf("started at %v, want %v", got.StartedAt, want.StartedAt)
	}
	for _, c := range got.Claims {
		wantNoError(t, c.Check())
	}
	return got
}

func runThereAndBack(t *testing.T, s Ledger, update Update) {
	reader, writer := newLedger(t, "run-one", "reader"), newLedger(t, "run-one", "writer")
	handed, err := writer.Receive(reader.Run().Claims[0])
	wantNoError(t, err)
	_, err = writer.Claim("It was summer.", handed)
	wantNoError(t, err)
	for range 2 { // each thing once, however often it is written
		wantNoError(t, put(update, writer, reader, writer))
	}
	got := wantRun(t, s, "run-one", reader, writer)
	body, err := s.Snapshot(t.Context(), got.Claims[0].Evidence[0].Document)
	wantNoError(t, err)
	wantEqual(t, "the words of the evidence", got.Claims[0].Evidence[0].Span.In(string(body)), "5 August 1858")
	last := got.Claims[len(got.Claims)-1]
	wantEqual(t, "where the chain of handings-over began", last.Source.First().Endpoint, "https://example.org/")
	wantNoError(t, update(func(p Page) error { // a transaction reads what stands, too
		within, err := p.Run("run-one")
		wantEqual(t, "read within a transaction", within.Claims, got.Claims)
		return err
	}))
}

func runHostile(t *testing.T, s Ledger, update Update) {
	led := ledger.New("hostile", "agent", ledger.Config{Now: func() time.Time { return noon }})
	for _, h := range Hostile {
		src, err := led.Source(ibid.SourceReference{Category: h, Endpoint: h, Metadata: map[string]string{h: h}}, []byte(h+"\xff\xfe"))
		wantNoError(t, err)
		if strings.TrimSpace(h) == "" {
			continue
		}
		_, err = led.Claim(h, src)
		wantNoError(t, err)
	}
	wantNoError(t, put(update, led))
	got := wantRun(t, s, "hostile", led)
	for i, src := range led.Run().Sources {
		body, err := s.Snapshot(t.Context(), src.Snapshot)
		wantNoError(t, err)
		wantEqual(t, fmt.Sprint("snapshot ", i), string(body), Hostile[i]+"\xff\xfe")
	}
	wantEqual(t, "how many sources", len(got.Sources), len(Hostile))
}

func runAnyOrder(t *testing.T, s Ledger, update Update) {
	a, b, c := newLedger(t, "run-one", "a"), newLedger(t, "run-one", "b"), newLedger(t, "run-one", "c")
	for _, order := range [][]*ledger.Ledger{{c}, {b, a}, {a, c}} {
		wantNoError(t, put(update, order...))
	}
	wantRun(t, s, "run-one", a, b, c)
}

func runFinished(t *testing.T, s Ledger, update Update) {
	led := newLedger(t, "run-one", "")
	entry := int64(7)
	finish := func() error {
		return update(func(p Page) error {
			return p.FinishRun("run-one", noon, ibid.Verdict{Coverage: 0.5, Outcome: "block", Reasons: []string{"x"}, Entry: &entry})
		})
	}
	wantNoError(t, put(update, led))
	wantNoError(t, finish())
	if err := finish(); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("finished twice: %v", err)
	}
	wantNoError(t, put(update, led)) // what is there already
	_, err := led.Claim("Too late.", ibid.SourceReference{})
	wantNoError(t, err)
	if err := put(update, led); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "takes nothing more") {
		t.Errorf("a late claim: %v", err)
	}
	r, err := s.Run(t.Context(), "run-one")
	wantNoError(t, err)
	if len(r.Claims) != 3 || r.Verdict == nil || *r.Verdict.Entry != 7 || !r.FinishedAt.Equal(noon) {
		t.Errorf("%+v", r)
	}
}

func runFinishedOnce(t *testing.T, s Ledger, update Update) {
	wantNoError(t, put(update, newLedger(t, "run-one", "")))
	var wg sync.WaitGroup
	won := make(chan string, 20)
	for i := range 20 {
		wg.Go(func() {
			outcome := fmt.Sprint("outcome ", i)
			err := update(func(p Page) error { return p.FinishRun("run-one", noon, ibid.Verdict{Outcome: outcome}) })
			switch {
			case err == nil:
				won <- outcome
			case !errors.Is(err, ibid.ErrInvalid):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	close(won)
	r, err := s.Run(t.Context(), "run-one")
	wantNoError(t, err)
	if len(won) != 1 || r.Verdict.Outcome != <-won {
		t.Errorf("%d finished it, and it ended with %q", len(won), r.Verdict.Outcome)
	}
}

func runChanged(t *testing.T, s Ledger, update Update) {
	led := newLedger(t, "run-one", "")
	for name, change := range map[string]func(*ibid.Run, map[ibid.DocumentID][]byte){
		"claim": func(r *ibid.Run, _ map[ibid.DocumentID][]byte) { r.Claims[0].Text = "A lie." },
		"source": func(r *ibid.Run, _ map[ibid.DocumentID][]byte) {
			r.Claims[0].Source.Endpoint = "https://elsewhere.example/"
		},
		"run":      func(r *ibid.Run, _ map[ibid.DocumentID][]byte) { r.ID = "another" },
		"snapshot": func(_ *ibid.Run, s map[ibid.DocumentID][]byte) { s["00"] = []byte("x") },
		"no id":    func(r *ibid.Run, _ map[ibid.DocumentID][]byte) { *r = ibid.Run{} },
	} {
		run, snaps := led.Run(), led.Snapshots()
		change(&run, snaps)
		if err := update(func(p Page) error { return p.PutRun(run, snaps) }); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	runs, err := s.Runs(t.Context(), 10)
	wantNoError(t, err)
	wantEqual(t, "runs that were written", runs, []ibid.Run{})
}

func runBegins(t *testing.T, s Ledger, update Update) {
	begin := func(id ibid.RunID) error {
		return update(func(p Page) error { return p.BeginRun(id, noon) })
	}
	wantNoError(t, begin("run-one"))
	for _, id := range []ibid.RunID{"run-one", "", "two words", "a\nb", "a\x00b", "a\xffb", ibid.RunID(strings.Repeat("x", 201))} {
		if err := begin(id); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("run %.20q: %v", id, err)
		}
	}
	r, err := s.Run(t.Context(), "run-one")
	wantNoError(t, err)
	if r.Sources == nil || r.Claims == nil || r.Verdict != nil || !r.FinishedAt.IsZero() {
		t.Errorf("%+v", r)
	}
}

func updateFails(t *testing.T, s Ledger, update Update) {
	led, boom := newLedger(t, "run-one", ""), errors.New("boom")
	err := update(func(p Page) error {
		wantNoError(t, p.PutRun(led.Run(), led.Snapshots()))
		wantNoError(t, p.AddReview(gate.Review{ID: "abcdef0123"}))
		_, err := p.UsePolicy("a", []byte("{}"))
		wantNoError(t, err)
		return boom
	})
	if !errors.Is(err, boom) {
		t.Errorf("error is %v", err)
	}
	_, err = s.Run(t.Context(), "run-one")
	wantNotFound(t, "the run", err)
	_, err = s.Snapshot(t.Context(), led.Run().Sources[0].Snapshot)
	wantNotFound(t, "the snapshot", err)
	_, err = s.Review(t.Context(), "abcdef0123")
	wantNotFound(t, "the review", err)
	_, err = s.Policy(t.Context(), "a")
	wantNotFound(t, "the policy", err)
}

func runsListed(t *testing.T, s Ledger, update Update) {
	for _, id := range []ibid.RunID{"run-c", "run-a", "run-b"} {
		wantNoError(t, put(update, newLedger(t, id, "")))
	}
	list, err := s.Runs(t.Context(), 2)
	wantNoError(t, err)
	var ids []ibid.RunID
	for _, r := range list {
		ids = append(ids, r.ID)
	}
	wantEqual(t, "ids", ids, []ibid.RunID{"run-b", "run-a"})
	if r, err := s.Run(t.Context(), "run-"); !errors.Is(err, ibid.ErrAmbiguous) {
		t.Errorf("an ambiguous id gave %s, %v", r.ID, err)
	}
}

func ledgerNotFound(t *testing.T, s Ledger, update Update) {
	_, err := s.Run(t.Context(), "run-one")
	wantNotFound(t, "run", err)
	_, err = s.Snapshot(t.Context(), "00")
	wantNotFound(t, "snapshot", err)
	_, err = s.Policy(t.Context(), "c")
	wantNotFound(t, "policy", err)
	_, err = s.Review(t.Context(), "abcdef0123")
	wantNotFound(t, "review", err)
	wantNotFound(t, "run in a transaction", update(func(p Page) error { _, err := p.Run("run-one"); return err }))
	wantNotFound(t, "snapshot in a transaction", update(func(p Page) error { _, err := p.Snapshot("00"); return err }))
	wantNotFound(t, "review to decide", update(func(p Page) error {
		_, err := p.DecideReview("abcdef0123", gate.Approved, "ada", "", noon)
		return err
	}))
	if err := update(func(p Page) error { return p.FinishRun("run-one", noon, ibid.Verdict{}) }); err == nil {
		t.Error("a run that is not there was finished")
	}
}

func policyInUse(t *testing.T, s Ledger, update Update) {
	use := func(version, body string) (changed bool) {
		wantNoError(t, update(func(p Page) (err error) { changed, err = p.UsePolicy(version, []byte(body)); return err }))
		return changed
	}
	if !use("a", "{}") || use("a", "{}") || !use("b", "{}") || !use("a", "{}") {
		t.Error("a change of policy went unseen, or was seen where there was none")
	}
	if _, err := s.Policy(t.Context(), "a"); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("a policy that is not what its version says: %v", err)
	}
}

func reviewOnce(t *testing.T, s Ledger, update Update) {
	r := gate.Review{ID: "abcdef0123", Subject: "answer x", Title: "When?", Reasons: []string{"why"}, At: noon}
	for range 2 {
		wantNoError(t, update(func(p Page) error { return p.AddReview(r) }))
	}
	waiting, err := s.Reviews(t.Context(), false)
	wantNoError(t, err)
	wantEqual(t, "waiting", waiting, []gate.Review{r})
	decide := func(ruling gate.Ruling) error {
		return update(func(p Page) error {
			_, err := p.DecideReview(r.ID, ruling, "ada", "read it", noon.Add(time.Hour))
			return err
		})
	}
	wantNoError(t, decide(gate.Approved))
	if err := decide(gate.Rejected); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "approved by ada") {
		t.Errorf("decided twice: %v", err)
	}
	wantNoError(t, update(func(p Page) error { return p.AddReview(r) })) // flagged again: the decision stands
	waiting, err = s.Reviews(t.Context(), false)
	wantNoError(t, err)
	wantEqual(t, "waiting after the decision", waiting, []gate.Review{})
	got, err := s.Review(t.Context(), "abcd")
	wantNoError(t, err)
	if got.Decision != gate.Approved || got.By != "ada" || got.Note != "read it" || !got.Decided.Equal(noon.Add(time.Hour)) {
		t.Errorf("%+v", got)
	}
}

func reviewDecidedByMany(t *testing.T, s Ledger, update Update) {
	wantNoError(t, update(func(p Page) error { return p.AddReview(gate.Review{ID: "abcdef0123", At: noon}) }))
	var wg sync.WaitGroup
	won := make(chan string, 20)
	for i := range 20 {
		wg.Go(func() {
			by := fmt.Sprint("reviewer ", i)
			err := update(func(p Page) error {
				_, err := p.DecideReview("abcdef0123", gate.Rejected, by, "", noon)
				return err
			})
			switch {
			case err == nil:
				won <- by
			case !errors.Is(err, ibid.ErrInvalid):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	close(won)
	r, err := s.Review(t.Context(), "abcdef0123")
	wantNoError(t, err)
	if len(won) != 1 || r.By != <-won {
		t.Errorf("%d decided it, and it was %q", len(won), r.By)
	}
}

func reviewsListed(t *testing.T, s Ledger, update Update) {
	for i, id := range []string{"cccc0000", "aaaa0000", "bbbb0000"} {
		wantNoError(t, update(func(p Page) error {
			return p.AddReview(gate.Review{ID: id, Title: Hostile[i], At: noon.Add(-time.Duration(i) * time.Hour)})
		}))
	}
	wantNoError(t, update(func(p Page) error {
		_, err := p.DecideReview("aaaa0000", gate.Approved, "ada", "", noon)
		return err
	}))
	for all, want := range map[bool]string{false: "[cccc0000 bbbb0000]", true: "[cccc0000 aaaa0000 bbbb0000]"} {
		list, err := s.Reviews(t.Context(), all)
		wantNoError(t, err)
		var ids []string
		for _, r := range list {
			ids = append(ids, r.ID)
		}
		wantEqual(t, fmt.Sprint("all is ", all), fmt.Sprint(ids), want)
	}
}

// reviewsAmong holds that what is found, and what is said where nothing is, follows from one's own reviews alone.
func reviewsAmong(t *testing.T, s Ledger, update Update) {
	for id, subject := range map[string]string{"abcdef01": "mine", "abcdef02": "mine", "abcdee00": "theirs", "beef0000": "theirs", "beef1000": "mine", "cafe": "theirs", "cafe2000": "mine"} {
		wantNoError(t, update(func(p Page) error { return p.AddReview(gate.Review{ID: id, Subject: subject, At: noon}) }))
	}
	for _, c := range []struct{ id, mine, all string }{
		{"abcdef02", "abcdef02", "abcdef02"},
		{"abcdef0", "fits abcdef01 and abcdef02", "fits abcdef01 and abcdef02"},
		{"abcd", "fits abcdef01 and abcdef02", "fits abcdee00 and abcdef01"},
		{"abcdee", "not found", "abcdee00"},
		{"abcdee00", "not found", "abcdee00"},
		{"beef", "beef1000", "fits beef0000 and beef1000"},
		{"cafe", "cafe2000", "cafe"},
		{"caf", "give 4 characters", "give 4 characters"},
		{"dead", "not found", "not found"},
		{"d", "not found", "not found"},
	} {
		mine, err := s.ReviewAmong(t.Context(), c.id, func(r gate.Review) (bool, error) { return r.Subject == "mine", nil })
		wantReview(t, "of one's own, "+c.id, mine, err, c.mine)
		any, err := s.Review(t.Context(), c.id)
		wantReview(t, "of all, "+c.id, any, err, c.all)
	}
	broken := errors.New("broken")
	if _, err := s.ReviewAmong(t.Context(), "abcd", func(gate.Review) (bool, error) { return true, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// wantReview holds that the review of this id was found, or that the error says this.
func wantReview(t *testing.T, what string, got gate.Review, err error, want string) {
	t.Helper()
	said := got.ID
	if err != nil {
		said = "error: " + err.Error()
	}
	if said != want && !(strings.Contains(want, " ") && strings.Contains(said, want)) {
		t.Errorf("%s: %q, %v, want %s", what, got.ID, err, want)
	}
}
