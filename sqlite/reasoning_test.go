package sqlite_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/sqlite"
)

// A study is kept over itself as it goes on, and is the same when the record is opened again.
func TestStudiesAreKeptAsTheyGoOn(t *testing.T) {
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	s := dossier.Study{ID: "abcd1234", Topic: "x", Depth: dossier.Shallow, CreatedAt: at, UpdatedAt: at,
		Sources:   []dossier.Source{{Source: ibid.Source{ID: "s", URI: "file:///a", AddedAt: at}, Type: "book", Credibility: dossier.High, Computed: dossier.Medium}},
		Questions: []dossier.Question{{Number: 1, Text: "What?", State: dossier.Open, Evidence: []dossier.Evidence{}}}, Contradictions: []dossier.Contradiction{}}
	for _, state := range []dossier.State{dossier.Open, dossier.Failed, dossier.Answered} {
		s.Questions[0].State = state
		if err := store.PutStudy(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		s.UpdatedAt = s.UpdatedAt.Add(time.Minute)
	}
	other := s
	other.ID, other.UpdatedAt = "abce0000", at
	if err := store.PutStudy(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if store, err = sqlite.Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	got, err := store.Study(t.Context(), "abcd")
	if err != nil || got.Questions[0].State != dossier.Answered || got.Sources[0].Credibility != dossier.High || !reflect.DeepEqual(got.Questions, s.Questions) {
		t.Errorf("%v %+v", err, got)
	}
	list, err := store.Studies(t.Context(), 10)
	if err != nil || len(list) != 2 || list[0].ID != s.ID {
		t.Errorf("%v %+v", err, list)
	}
	if _, err := store.Study(t.Context(), "zzzz"); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("no such study: %v", err)
	}
	if err := store.PutStudy(t.Context(), dossier.Study{}); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("no id: %v", err)
	}
}
