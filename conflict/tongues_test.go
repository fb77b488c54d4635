package conflict_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/conflict"
)

// statements makes a document of each text.
func statements(texts ...string) []ibid.Passage {
	var out []ibid.Passage
	for i, s := range texts {
		id := string(rune('a' + i))
		out = append(out, ibid.Passage{Source: ibid.Source{ID: ibid.SourceID(id)}, Chunk: ibid.Chunk{Text: s, At: ibid.Anchor{Document: ibid.DocumentID(id), Span: ibid.Span{End: len(s)}}}})
	}
	return out
}

// TestOtherLanguages: what two sources say otherwise is found in other languages than English and across them, with the words
// as they stand there; what they say alike is not.
func TestOtherLanguages(t *testing.T) {
	finder := conflict.New(attribute.Reader{}, conflict.Config{})
	for _, c := range []struct {
		a, b string
		kind conflict.Kind // "" where both agree
		says [2]string
	}{
		{"Die Stadtbibliothek ist montags geschlossen.", "Montags hat die Stadtbibliothek geöffnet.", conflict.Value, [2]string{"geschlossen", "geöffnet"}},
		{"Die Ausleihe kostet 15 Euro im Jahr.", "Für die Ausleihe zahlt man 20 Euro pro Jahr.", conflict.Number, [2]string{"15 Euro", "20 Euro"}},
		{"Hunde sind im Lesesaal der Bibliothek nicht erlaubt.", "Hunde sind im Lesesaal der Bibliothek erlaubt.", conflict.Negation, [2]string{"nicht erlaubt", "erlaubt"}},
		{"Das Museum wurde im Jahr 1974 eröffnet.", "Das Museum wurde 1978 eröffnet.", conflict.Date, [2]string{"Jahr 1974", "1978"}},
		{"Die Zahl der Besucher stieg im letzten Jahr.", "Die Zahl der Besucher sank im letzten Jahr.", conflict.Value, [2]string{"stieg", "sank"}},
		{"Le musée est ouvert le lundi.", "Le musée est fermé le lundi.", conflict.Value, [2]string{"ouvert", "fermé"}},
		{"Le train met trois heures pour aller à Lyon.", "Le train met cinq heures pour aller à Lyon.", conflict.Number, [2]string{"trois heures", "cinq heures"}},
		{"El puente fue inaugurado en 1998 por el alcalde.", "El puente fue inaugurado en 2001 por el alcalde.", conflict.Date, [2]string{"1998", "2001"}},
		{"O bilhete custa 12 euros para adultos.", "O bilhete custa 9 euros para adultos.", conflict.Number, [2]string{"12 euros", "9 euros"}},
		{"Muzeum jest zamknięte w poniedziałki.", "Muzeum jest otwarte w poniedziałki.", conflict.Value, [2]string{"zamknięte", "otwarte"}},
		{"Билет в музей стоит 300 рублей.", "Билет в музей стоит 500 рублей.", conflict.Number, [2]string{"300 рублей", "500 рублей"}},
		{"Biblioteket har stängt på måndagar.", "Biblioteket har öppet på måndagar.", conflict.Value, [2]string{"stängt", "öppet"}},
		{"门票的价格是50元。", "门票的价格是80元。", conflict.Number, [2]string{"50元", "80元"}},
		{"La biblioteca chiude alle 19:00 il sabato.", "The library closes at 17:00 on Saturday.", conflict.Number, [2]string{"19:00", "17:00"}},
		{"Montags hat die Stadtbibliothek geöffnet.", "The city library is closed on Mondays.", conflict.Value, [2]string{"geöffnet", "closed"}},
		{"The bridge is 320 metres long and was opened in 1931.", "Die Brücke ist 280 Meter lang und wurde 1931 eröffnet.", conflict.Number, [2]string{"320 metres", "280 Meter"}},

		{"The city library is closed on Mondays.", "Die Stadtbibliothek ist montags geschlossen.", "", [2]string{}},
		{"Die Ausleihe kostet 15 Euro im Jahr.", "Für die Ausleihe zahlt man 15 Euro pro Jahr.", "", [2]string{}},
		{"Le train met trois heures pour aller à Lyon.", "Pour aller à Lyon, le train met 3 heures.", "", [2]string{}},
		{"Билет в музей стоит 300 рублей.", "The ticket to the museum costs 300 rubles.", "", [2]string{}},
		{"门票的价格是五十元。", "门票的价格是50元。", "", [2]string{}},
	} {
		found, err := finder.Passages(t.Context(), statements(c.a, c.b))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case c.kind == "" && len(found) > 0:
			t.Errorf("%q and %q: %s %q, %q", c.a, c.b, found[0].Kind, found[0].A.Says, found[0].B.Says)
		case c.kind != "" && (len(found) != 1 || found[0].Kind != c.kind || [2]string{found[0].A.Says, found[0].B.Says} != c.says):
			t.Errorf("%q and %q: %+v", c.a, c.b, found)
		}
	}
}

// TestJudgeReadsEnglish: a judge is given statements of other languages word by word in English, English ones as they are.
func TestJudgeReadsEnglish(t *testing.T) {
	var asked []ibid.Pair
	finder := conflict.New(attribute.Reader{}, conflict.Config{Judge: listener(func(p ibid.Pair) { asked = append(asked, p) })})
	for _, c := range [][2]string{
		{"The library opens at nine on Mondays.", "The library opens at ten on Mondays."},
		{"Die Bibliothek öffnet montags um neun Uhr.", "Die Bibliothek öffnet montags um zehn Uhr."},
		{"图书馆星期一开放。", "图书馆星期一关闭。"},
	} {
		asked = nil
		ps := statements(c[0], c[1])
		if _, err := finder.Probability(t.Context(), ps[:1], c[1]); err != nil {
			t.Fatal(err)
		}
		if len(asked) != 1 {
			t.Fatalf("%q: asked about %d pairs", c, len(asked))
		}
		for i, s := range []string{asked[0].Evidence, asked[0].Claim} {
			if strings.HasPrefix(c[0], "The") && s != c[i] {
				t.Errorf("%q is read as %q", c[i], s)
			}
			if !strings.Contains(strings.ToLower(s), "library") || !strings.Contains(s, "onday") {
				t.Errorf("%q is read as %q", c[i], s)
			}
		}
	}
}

type listener func(ibid.Pair)

func (l listener) Judge(_ context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	for _, p := range pairs {
		l(p)
	}
	return make([]ibid.Judgement, len(pairs)), nil
}
