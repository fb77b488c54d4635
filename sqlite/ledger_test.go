package sqlite_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
)

func ticking() func() time.Time {
	t := time.Date(2026, 11, 15, 6, 0, 0, 123456789, time.UTC)
	return func() time.Time { t = t.Add(time.Second); return t }
}

func newLedger(t *testing.T, agent string) *ledger.Ledger {
	t.Helper()
	led := ledger.New("run-one", agent, ledger.Config{Now: ticking()})
	src, err := led.Source(ibid.SourceReference{Category: "http", Endpoint: "https://example.org/", Metadata: map[string]string{"rank": "1"}}, []byte("\x00 bytes, 5 August 1858"))
	if err == nil {
		_, err = led.Claim("It was completed on 5 August 1858.", src, "5 August 1858")
	}
	if err == nil {
		_, err = led.Claim("Nobody knows why.", ibid.SourceReference{})
	}
	if err == nil {
		_, err = led.Exempt("One page was read.", ibid.AboutRun)
	}
	if err != nil {
		t.Fatal(err)
	}
	return led
}

func put(t *testing.T, s *sqlite.Store, leds ...*ledger.Ledger) error {
	t.Helper()
	return s.Update(t.Context(), func(tx *sqlite.Tx) error {
		for _, l := range leds {
			if err := tx.PutRun(l.Run(), l.Snapshots()); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestRunIsReadAsItWasWritten(t *testing.T) {
	s := open(t, t.TempDir())
	reader, writer := newLedger(t, "reader"), newLedger(t, "writer")
	handed, err := writer.Receive(reader.Run().Claims[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Claim("It was summer.", handed); err != nil {
		t.Fatal(err)
	}
	for range 2 { // each thing once, however often it is written
		if err := put(t, s, writer, reader, writer); err != nil {
			t.Fatal(err)
		}
	}
	var book ledger.Book
	book.Add(reader.Run())
	book.Add(writer.Run())
	want, _ := book.Run("run-one")
	got, err := s.Run(t.Context(), "run-")
	if err != nil || !reflect.DeepEqual(got.Claims, want.Claims) || !reflect.DeepEqual(got.Sources, want.Sources) || !got.StartedAt.Equal(want.StartedAt) {
		t.Errorf("%v\n%+v\n%+v", err, got, want)
	}
	for _, c := range got.Claims {
		if c.ID != c.Identify() {
			t.Errorf("claim %s is not what was registered", c.ID)
		}
	}
	body, err := s.Snapshot(t.Context(), got.Claims[0].Evidence[0].Document)
	if err != nil || got.Claims[0].Evidence[0].Span.In(string(body)) != "5 August 1858" {
		t.Errorf("%q, %v", body, err)
	}
}

func TestFinishedRunTakesNothingMore(t *testing.T) {
	s := open(t, t.TempDir())
	led := newLedger(t, "")
	entry := int64(7)
	finish := func() error {
		return s.Update(t.Context(), func(tx *sqlite.Tx) error {
			return tx.FinishRun("run-one", time.Unix(5, 0), ibid.Verdict{Coverage: 0.5, Outcome: "block", Reasons: []string{"x"}, Entry: &entry})
		})
	}
	if err := put(t, s, led); err != nil {
		t.Fatal(err)
	}
	if err := finish(); err != nil {
		t.Fatal(err)
	}
	if err := finish(); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("finished twice: %v", err)
	}
	if err := put(t, s, led); err != nil {
		t.Errorf("what is there already: %v", err)
	}
	led.Claim("Too late.", ibid.SourceReference{})
	if err := put(t, s, led); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "takes nothing more") {
		t.Errorf("a late claim: %v", err)
	}
	r, err := s.Run(t.Context(), "run-one")
	if err != nil || len(r.Claims) != 3 || r.Verdict == nil || *r.Verdict.Entry != 7 || !r.FinishedAt.Equal(time.Unix(5, 0)) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestChangedRecordsAreRefused(t *testing.T) {
	s := open(t, t.TempDir())
	led := newLedger(t, "")
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
		if err := s.Update(t.Context(), func(tx *sqlite.Tx) error { return tx.PutRun(run, snaps) }); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if runs, err := s.Runs(t.Context(), 10); err != nil || len(runs) != 0 {
		t.Errorf("something was written: %+v, %v", runs, err)
	}
}

func TestPolicyInUse(t *testing.T) {
	s := open(t, t.TempDir())
	use := func(version, body string) (changed bool) {
		if err := s.Update(t.Context(), func(tx *sqlite.Tx) (err error) { changed, err = tx.UsePolicy(version, []byte(body)); return err }); err != nil {
			t.Fatal(err)
		}
		return changed
	}
	if !use("a", "{}") || use("a", "{}") || !use("b", "{}") || !use("a", "{}") {
		t.Error("a change of policy went unseen, or was seen where there was none")
	}
	if _, err := s.Policy(t.Context(), "a"); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("a policy that is not what its version says: %v", err)
	}
	if _, err := s.Policy(t.Context(), "c"); !errors.Is(err, ibid.ErrNotFound) {
		t.Error(err)
	}
}

func TestReviewIsDecidedOnce(t *testing.T) {
	s := open(t, t.TempDir())
	r := gate.Review{ID: "abcdef0123", Subject: "answer x", Title: "When?", Reasons: []string{"why"}, At: time.Unix(1, 0).UTC()}
	for range 2 {
		if err := s.Update(t.Context(), func(tx *sqlite.Tx) error { return tx.AddReview(r) }); err != nil {
			t.Fatal(err)
		}
	}
	waiting, err := s.Reviews(t.Context(), false)
	if err != nil || len(waiting) != 1 || !reflect.DeepEqual(waiting[0], r) {
		t.Errorf("%+v, %v", waiting, err)
	}
	decide := func(ruling gate.Ruling) error {
		return s.Update(t.Context(), func(tx *sqlite.Tx) error {
			_, err := tx.DecideReview(r.ID, ruling, "ada", "read it", time.Unix(2, 0))
			return err
		})
	}
	if err := decide(gate.Approved); err != nil {
		t.Fatal(err)
	}
	if err := decide(gate.Rejected); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "approved by ada") {
		t.Errorf("decided twice: %v", err)
	}
	waiting, _ = s.Reviews(t.Context(), false)
	got, err := s.Review(t.Context(), "abcd")
	if err != nil || len(waiting) != 0 || got.Decision != gate.Approved || got.Note != "read it" {
		t.Errorf("%+v, %v", got, err)
	}
}
