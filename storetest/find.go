package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

// said records an answer that rests on nothing.
func said(t *testing.T, s Store, id ibid.AnswerID, question, text string) {
	t.Helper()
	wantNoError(t, s.PutAnswer(t.Context(), ibid.Answer{ID: id, Question: question, Text: text, Model: "m", CreatedAt: noon}))
}

// found gives the ids of what is found, and holds that pages of any size give the same.
func found(t *testing.T, s Store, f api.Find) string {
	t.Helper()
	var all []string
	for _, limit := range []int{1, 2, 100} {
		var ids []string
		before := ibid.AnswerID("")
		for {
			page, err := s.FindAnswers(t.Context(), f, before, limit)
			wantNoError(t, err)
			for _, h := range page {
				ids = append(ids, string(h.ID))
				before = h.ID
			}
			if len(page) < limit {
				break
			}
		}
		all = append(all, strings.Join(ids, " "))
	}
	if all[0] != all[2] || all[1] != all[2] {
		t.Errorf("%+v finds by pages of 1, 2 and 100 %q", f, all)
	}
	return all[2]
}

func foundByWords(t *testing.T, s Store) {
	said(t, s, "cable", "When was the first transatlantic cable laid?", "The landing at Knightstown was completed on 5 August 1858.")
	said(t, s, "lodz", "Wo liegt ŁÓDŹ?", "Łódź liegt in Polen; Whitehouse's Süßstoff kostet 3.14 €.")
	said(t, s, "kabel", "海底ケーブルはいつ？", "It failed 🎉 after three weeks.\nThe cable was dead.\x00Dead.")
	said(t, s, "empty", "", "")
	for words, want := range map[string]string{
		"":                           "empty kabel lodz cable",
		" \t\n":                      "empty kabel lodz cable",
		"cable":                      "kabel cable",
		"CABLE Knightstown":          "cable", // one stands in the question, the other in the text
		"knightstown cable":          "cable",
		"cable lodz":                 "",
		"cab":                        "kabel cable", // the last is a beginning
		"cab laid":                   "",            // the others are whole
		"laid cab":                   "cable",
		"able":                       "",
		`"transatlantic cable"`:      "cable",
		`"cable transatlantic"`:      "",
		`"transatlantic cab"`:        "", // in quotes all are whole
		`"transatlantic cab`:         "cable",
		`“transatlantic cable” 1858`: "cable",
		`«transatlantic cable»`:      "cable",
		`"first" "laid"`:             "cable",
		`"" "" cable`:                "kabel cable",
		"lodz":                       "lodz",
		"Łódź":                       "lodz",
		"lo\u0301dz":                 "lodz",
		"sussstoff":                  "lodz",
		"whitehouse":                 "lodz",
		"Whitehouse's":               "lodz",
		"3.14":                       "lodz",
		"14.3":                       "",
		"海底":                         "kabel",
		"底海":                         "",
		"🎉":                          "kabel",
		"🎈":                          "",
		"weeks the":                  "kabel",
		"dead\x00dead":               "kabel",
		"w":                          "kabel lodz cable",
		"a":                          "kabel cable",
		"cable cable CABLE cable":    "kabel cable",
		"cable NOT weeks":            "", // none of what follows means anything but its words
		"cable OR lodz":              "",
		"cable AND weeks":            "",
		"question:cable":             "",
		"text : cable":               "",
		"NEAR(cable weeks)":          "",
		"^cable":                     "kabel cable",
		"cable*":                     "kabel cable",
		"-cable":                     "kabel cable",
		"cable' ; DROP TABLE":        "",
		"{question} cable":           "",
		"(cable":                     "kabel cable",
		"cable + weeks":              "kabel", // a sign is no word
	} {
		if got := found(t, s, api.Find{Words: words}); got != want {
			t.Errorf("%q finds %q, want %q", words, got, want)
		}
	}
	for _, words := range []string{"?", `"`, `""`, "… — !", "%", "_", "*", "\x00", "\xff", "\u0301", strings.Repeat("word ", 500)} {
		if _, err := s.FindAnswers(t.Context(), api.Find{Words: words}, "", 10); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%.20q: error is %v", words, err)
		}
	}
	for _, words := range []string{strings.Repeat("a ", 1000), strings.Repeat("海", 600), `"` + strings.Repeat("a ", 999), strings.Repeat("x", 2000), strings.Repeat(`"a" `, 500)} {
		if _, err := s.FindAnswers(t.Context(), api.Find{Words: words}, "", 10); err != nil {
			t.Errorf("%.20q: %v", words, err)
		}
	}
	if got := found(t, s, api.Find{Words: strings.Repeat("a b ", 500)}); got != "" {
		t.Errorf("very many words find %q", got)
	}
	if page, err := s.FindAnswers(t.Context(), api.Find{Words: "cable"}, "no such answer", 10); err != nil || len(page) > 0 {
		t.Errorf("behind an answer that is not there come %v, %v", page, err)
	}
}

// The excerpt shows where the words stand, in one line that is no longer than it need be.
func foundExcerpt(t *testing.T, s Store) {
	long := strings.Repeat("Much was said of it. ", 40)
	said(t, s, "one", "What of the cable?", "Short:\n\tit failed.")
	said(t, s, "two", "What of the ship?", long+"The voltage of the CÂBLE was too high. "+long+"The cable failed, as the voltage was too high. "+long)
	said(t, s, "three", "", "wide"+strings.Repeat("x", 1000))
	for _, c := range []struct {
		words string
		want  []string
	}{
		{"failed", []string{" it. The cable failed, as the voltage was too high. Much was said of it. ", "Short: it failed."}},
		{`"voltage of`, []string{" it. The voltage of the CÂBLE was too high. "}},
		{"cable", []string{" it. The voltage of the CÂBLE was too high. Much ", ""}},
		{"voltage cable failed", []string{"The cable failed, as the voltage was too high. "}}, // where all of them stand
		{"ship", []string{""}},
		{"wide", []string{"wide" + strings.Repeat("x", 136) + "…"}},
	} {
		list, err := s.FindAnswers(t.Context(), api.Find{Words: c.words}, "", 10)
		wantNoError(t, err)
		if len(list) != len(c.want) {
			t.Errorf("%q finds %+v", c.words, list)
			continue
		}
		for i, h := range list {
			if !strings.Contains(h.Excerpt, c.want[i]) || (h.Excerpt == "") != (c.want[i] == "") || len(h.Excerpt) > 220 || strings.Contains(h.Excerpt, "\n") {
				t.Errorf("%q: excerpt %q, want %q in it", c.words, h.Excerpt, c.want[i])
			}
		}
	}
	list, err := s.FindAnswers(t.Context(), api.Find{}, "", 1)
	if wantNoError(t, err); len(list) != 1 || list[0].ID != "three" || list[0].Excerpt != "" || list[0].Model != "m" || !list[0].CreatedAt.Equal(noon) {
		t.Errorf("listed as %+v", list)
	}
}

func foundBySource(t *testing.T, s Store) {
	one, two := NewSource("file:///one", ""), NewSource("file:///two", "")
	mustAdd(t, s, one, "The first cable.")
	mustAdd(t, s, two, "The second cable.")
	both := newAnswer(t, s, "both-retrieved", "", one, 1)
	_, chunk, err := s.Passage(t.Context(), two.ID, 1, 0)
	wantNoError(t, err)
	both.Passages = append(both.Passages, ibid.Passage{Chunk: chunk, Source: two, Rank: 2})
	wantNoError(t, s.PutAnswer(t.Context(), both))
	mustAdd(t, s, one, "The first cable, mended.")
	wantNoError(t, s.PutAnswer(t.Context(), newAnswer(t, s, "newer-version", "talk", one, 2)))
	uncited := newAnswer(t, s, "no-citation", "", two, 1)
	uncited.Citations = nil
	wantNoError(t, s.PutAnswer(t.Context(), uncited))
	step := newAnswer(t, s, "", "", two, 1)
	wantNoError(t, s.PutAnswer(t.Context(), ibid.Answer{ID: "in-a-step", Conversation: "talk", Question: "And then?", CreatedAt: noon,
		Steps: []ibid.Step{{Number: 1, Text: step.Text, Passages: step.Passages, Segments: step.Segments, Attributions: step.Attributions}}}))
	merely := newAnswer(t, s, "merely-retrieved", "", two, 1)
	merely.Attributions, merely.Citations = nil, nil
	wantNoError(t, s.PutAnswer(t.Context(), merely))
	for _, c := range []struct {
		find api.Find
		want string
	}{
		{api.Find{Source: one.ID}, "newer-version both-retrieved"},
		{api.Find{Source: two.ID}, "in-a-step no-citation"},
		{api.Find{Source: one.ID[:8]}, "newer-version both-retrieved"},
		{api.Find{Source: one.ID, Words: "mended"}, "newer-version"},
		{api.Find{Source: two.ID, Words: "mended"}, ""},
		{api.Find{Source: two.ID, Words: "then"}, "in-a-step"},
		{api.Find{Conversation: "talk"}, "in-a-step newer-version"},
		{api.Find{Conversation: "talk", Source: one.ID}, "newer-version"},
		{api.Find{Conversation: "talk", Words: "then"}, "in-a-step"},
		{api.Find{Conversation: "talk", Source: two.ID, Words: "mended"}, ""},
		{api.Find{Conversation: "no such talk"}, ""},
	} {
		if got := found(t, s, c.find); got != c.want {
			t.Errorf("%+v finds %q, want %q", c.find, got, c.want)
		}
	}
	wantNoError(t, s.RemoveSource(t.Context(), one.ID))
	if got := found(t, s, api.Find{Source: one.ID}); got != "newer-version both-retrieved" {
		t.Errorf("of a removed source is found %q", got)
	}
	for _, id := range []ibid.SourceID{"nowhere", ibid.GivenPrefix + "1", "\x00"} {
		_, err := s.FindAnswers(t.Context(), api.Find{Source: id}, "", 10)
		wantNotFound(t, fmt.Sprintf("source %q", id), err)
	}
}

// What is refused, or recorded twice, is not found, or once.
func foundOnce(t *testing.T, s Store) {
	said(t, s, "one", "What of the cable?", "It failed.")
	said(t, s, "one", "What of the cable?", "It failed.")
	if err := s.PutAnswer(t.Context(), ibid.Answer{ID: "one", Question: "What of the ship?"}); err == nil {
		t.Error("another answer under the same id was taken")
	}
	if got := found(t, s, api.Find{Words: "what"}); got != "one" {
		t.Errorf("found %q", got)
	}
	if got := found(t, s, api.Find{Words: "ship"}); got != "" {
		t.Errorf("what was refused is found: %q", got)
	}
}
