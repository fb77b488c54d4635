package web_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/api"
)

// item is an entry of a list, by what it is called there.
type item struct {
	ID, Question, Title, State string
	Excerpt                    string
	Claims                     int    `json:"claim_count"`
	First                      string `json:"first_claim"`
}

// all goes through a list page by page, and holds that no page is larger than it was asked for.
func (w *world) all(path string, limit int, headers ...string) (out []item) {
	w.t.Helper()
	join := "?"
	if strings.Contains(path, "?") {
		join = "&"
	}
	for next := ""; ; {
		var page struct {
			Items []item
			Next  string
		}
		w.get(fmt.Sprintf("%s%slimit=%d&cursor=%s", path, join, limit, next), headers...).want(200).into(&page)
		if len(page.Items) > limit {
			w.t.Errorf("%s: a page of %d", path, len(page.Items))
		}
		out = append(out, page.Items...)
		if next = page.Next; next == "" {
			return out
		}
	}
}

// What was asked and what can be cited is found by its words, however much there is.
func TestListsAreSearched(t *testing.T) {
	w := open(t)
	w.ingest("Übersicht der Kabel.md", "# Die Überseekabel\n\nDas Kabel von 1858 riss.")
	w.ingest("notes.md", "# Notes on cables\n\nThe cable of 1858 failed.")
	w.ingest("elsewhere.md", "# Elsewhere\n\nNothing.", "Ibid-Collection", "other")
	for i := range 5 {
		w.post("/api/v1/ask", map[string]any{"question": fmt.Sprintf("Why did cable %d fail?", i)}).want(200)
		w.post("/api/v1/ask", map[string]any{"question": fmt.Sprintf("Wer verlegte das ÜBERSEEKABEL %d?", i)}).want(200)
	}
	w.post("/api/v1/ask", map[string]any{"question": "Why did cable 9 fail?"}, "Ibid-Collection", "other").want(200)
	for words, want := range map[string]int{"": 10, " ": 10, "why": 5, "fail cable": 5, "überseekabel": 5, "cable 3": 1, "cable 9": 0, "UBERSEEKABEL": 5, `"das überseekabel"`: 5, `"cable did"`: 0, "why OR wer": 0, "übersee 3": 0, "3 übersee": 1} {
		for _, limit := range []int{1, 2, 5, 50} {
			if got := w.all("/api/v1/answers?q="+url.QueryEscape(words), limit); len(got) != want {
				t.Errorf("%d by %d answers have %q, want %d", len(got), limit, words, want)
			}
		}
	}
	for words, want := range map[string]int{"": 2, "übersicht kabel": 1, "NOTES.MD": 1, "cables": 1, "elsewhere": 0} {
		if got := w.all("/api/v1/sources?q="+url.QueryEscape(words), 1); len(got) != want {
			t.Errorf("sources with %q: %+v, want %d", words, got, want)
		}
	}
	got := w.all("/api/v1/answers?q=why", 2)
	if !slices.IsSortedFunc(got, func(a, b item) int { return strings.Compare(b.ID, a.ID) }) {
		t.Errorf("not the latest first: %+v", got)
	}
}

// Answers are found by what they say and rest on, too, with the place; what cannot be looked for is named, and a key of one
// collection finds nothing of another.
func TestAnswersAreFoundByTextAndSource(t *testing.T) {
	w := open(t)
	w.ingest("notes.md", "# Notes on cables\n\nThe cable of 1858 failed after three weeks.")
	w.ingest("other.md", "# Of ships\n\nThe cable ship Agamemnon was a warship.")
	w.ingest("notes.md", "# Elsewhere\n\nThe cable of 1858 failed after three weeks, they say elsewhere.", "Ibid-Collection", "other")
	ids := map[string]string{}
	for _, collection := range []string{"", "other"} {
		for _, s := range w.all("/api/v1/sources", 50, "Ibid-Collection", collection) {
			ids[s.Title] = s.ID
		}
		w.post("/api/v1/ask", map[string]any{"question": "When did the cable of 1858 fail?"}, "Ibid-Collection", collection).want(200)
	}
	notes, ships := ids["Notes on cables"], ids["Of ships"]
	got := w.all("/api/v1/answers?q=three+wee&source="+notes, 1)
	if len(got) != 1 || got[0].Excerpt != "The cable of 1858 failed after three weeks." {
		t.Fatalf("found %+v", got)
	}
	for query, want := range map[string]int{"q=%22three+weeks%22": 1, "q=%22weeks+three%22": 0, "q=when": 1, "source=" + notes: 1, "source=" + ships: 0, "q=elsewhere": 0, "source=" + notes + "&q=elsewhere": 0} {
		if got := w.all("/api/v1/answers?"+query, 2); len(got) != want {
			t.Errorf("%s finds %+v, want %d", query, got, want)
		}
	}
	mine, _ := w.key(api.Read, "")
	for query, field := range map[string]string{"q=%22": "query.q", "q=%E2%80%A6+%21": "query.q", "q=%00": "query.q", "q=%ff": "query.q", "q=" + strings.Repeat("a", 501): "query.q",
		"source=nowhere": "query.source", "source=" + notes[:8]: "query.source", "source=%00": "query.source", "source=" + strings.Repeat("a", 201): "query.source",
		"source=" + ids["Elsewhere"]: "query.source", "source=" + ids["Elsewhere"] + "&q=cable": "query.source", "cursor=%20": "query.cursor"} {
		for _, headers := range [][]string{nil, {"Authorization", mine}} {
			w.get("/api/v1/answers?"+query, headers...).want(422).points(field)
		}
	}
	for _, collection := range []string{"", "other"} {
		key, _ := w.key(api.Read, collection)
		if got := w.all("/api/v1/answers?q=cable+failed", 1, "Authorization", key); len(got) != 1 || strings.Contains(got[0].Excerpt, "elsewhere") != (collection == "other") {
			t.Errorf("a key of %q finds %+v", collection, got)
		}
	}
	w.get("/api/v1/answers?q=" + url.QueryEscape(strings.Repeat("a\" ", 166))).want(200)
	w.get("/api/v1/answers?q=" + url.QueryEscape(strings.Repeat("海", 500))).want(200)
}

// Runs and what waits for people are paged as all lists are, within the collection, and a run's line says what it claims.
func TestRunsAndReviewsArePaged(t *testing.T) {
	w := logged(t, "internal")
	for i := range 7 {
		var run item
		headers := []string{"Ibid-Collection", []string{"one", "other"}[i/5]}
		w.post("/api/v1/runs", nil, headers...).want(201).into(&run)
		w.post("/api/v1/runs/"+run.ID+"/claims", map[string]any{"claims": []any{map[string]any{"text": fmt.Sprintf("Whale %d was blue.", i)}, map[string]any{"text": "So it was."}}}, headers...).want(201)
		w.post("/api/v1/runs/"+run.ID+"/finish", nil, headers...).want(200)
	}
	w.post("/api/v1/runs", nil).want(201)
	for collection, want := range map[string]int{"one": 5, "other": 2, "": 1} {
		var first []string
		for _, r := range w.all("/api/v1/runs", 2, "Ibid-Collection", collection) {
			first = append(first, fmt.Sprint(r.First, r.Claims))
		}
		if len(first) != want || collection == "one" && first[0] != "Whale 4 was blue.2" || collection == "" && first[0] != "0" {
			t.Errorf("runs of %q: %q", collection, first)
		}
	}
	waiting := w.all("/api/v1/reviews", 2, "Ibid-Collection", "one")
	if len(waiting) != 5 {
		t.Fatalf("waiting are %+v", waiting)
	}
	var page struct {
		Items []item
		Next  string
	}
	w.get("/api/v1/reviews?limit=1", "Ibid-Collection", "one").want(200).into(&page)
	w.post("/api/v1/reviews/"+waiting[0].ID, map[string]any{"decision": "approved"}, "Ibid-Collection", "one").want(200)
	if w.get("/api/v1/reviews?cursor="+page.Next, "Ibid-Collection", "one").want(200).into(&page); len(page.Items) != 4 {
		t.Errorf("behind one that was decided on since come %+v", page.Items)
	}
	// One that no list gave does not lead back to the beginning, where a client would go round for ever.
	w.get("/api/v1/reviews?cursor="+base64.RawURLEncoding.EncodeToString([]byte("none")), "Ibid-Collection", "one").want(422).points("query.cursor")
}
