package attribute

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// inTongues is a sentence or two of each language.
var inTongues = func() map[string]string {
	file, err := os.ReadFile("internal/token/testdata/tongues.txt")
	if err != nil {
		panic(err)
	}
	m := map[string]string{}
	for line := range strings.Lines(string(file)) {
		code, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		m[code] = text
	}
	return m
}()

// One set of rules compares what is said in every language, and across them.
func TestParticularsAreComparedInEveryLanguage(t *testing.T) {
	for _, c := range []struct{ said, source, reason string }{
		{"Der Jahresausweis kostet 30 Euro.", "Der Jahresausweis der Bibliothek kostet im Moment 20 Euro, und Kinder zahlen nichts.", `says "30 Euro", the source says "20 Euro"`},
		{"Die Bücherei öffnet am Sonntag nicht.", "Die Bücherei öffnet auch am Sonntag für alle, die lesen wollen.", `says "öffnet am Sonntag nicht", the source says "öffnet" without a negation`},
		{"Die Preise sind gestiegen.", "Die Preise sind in diesem Jahr gesunken, wie die Stadt mitteilt.", `says "gestiegen", the source says "gesunken"`},
		{"El carné anual cuesta 2.500 euros.", "El carné anual de la biblioteca cuesta 1.250,50 euros, según la lista de precios.", `says "2.500 euros", the source says "1.250,50 euros"`},
		{"La bibliothèque n'est pas ouverte le samedi.", "La bibliothèque est ouverte le samedi et le dimanche pour les lecteurs.", `without a negation`},
		{"Böckerna får lånas i tre veckor.", "Böckerna får lånas i fyra veckor av alla som har ett kort.", `says "tre veckor", the source says "fyra veckor"`},
		{"Годовой билет стоит 2 500 рублей.", "Годовой билет стоит 1 500 рублей, и это цена для всех взрослых.", `says "2 500 рублей", the source says "1 500 рублей"`},
		{"图书可以借阅六周。", "图书可以借阅四周，儿童和成人都一样。", `says "六周", the source says "四周"`},
		{"年会費は3万6300円です。", "図書館の年会費は二万円で、子どもは無料です。", `says "3万6300円", the source says "二万円"`},
		{"The card costs 30 euros.", "Die Karte kostet für alle 20 Euro, und das ist nicht viel.", `says "30 euros", the source says "20 Euro"`},
		{"La tarjeta cuesta 30 euros para los lectores.", "The card costs readers 20 euros.", `says "30 euros", the source says "20 euros"`},
	} {
		f := one(t, c.said, c.source).Segment
		if !slices.ContainsFunc(f.Contradicted, func(x ibid.Contradiction) bool { return strings.Contains(x.Reason, c.reason) }) {
			t.Errorf("%q beside %q: %v, want %s", c.said, c.source, f.Contradicted, c.reason)
		}
	}
	for _, c := range []struct{ said, source string }{
		{"Der Jahresausweis kostet 20 Euro.", "Der Jahresausweis der Bibliothek kostet im Moment zwanzig Euro, und Kinder zahlen nichts."},
		{"Eine Karte kostet 2.000 Euro.", "Eine Karte kostet 2000 Euro, und das ist für viele zu viel."},
		{"Montags ist die Bücherei geschlossen.", "Die Bücherei ist am Montag für alle geschlossen."},
		{"Le prix est de 1 500 euros par mois.", "Le prix est de 1500 euros par mois pour tous les lecteurs."},
		{"Роман вышел 3 мая 1950 года.", "Роман вышел в свет третьего мая 1950 года и был переведён на многие языки."},
		{"图书馆一九七二年开放。", "图书馆于1972年开放，是这里的第一个。"},
		{"The library opened in 1972.", "Die Bibliothek wurde im Jahr 1972 eröffnet, und sie ist die größte der Stadt."},
		{"Die Bibliothek wurde im Jahr 1972 eröffnet.", "The library of the city opened its doors in 1972."},
	} {
		f := one(t, c.said, c.source).Segment
		if len(f.Contradicted) > 0 || f.Support < 0.5 {
			t.Errorf("%q beside %q: support %.2f, contradicted %v", c.said, c.source, f.Support, f.Contradicted)
		}
	}
}

// German writes all nouns with a capital, so that a capital makes no name.
func TestNounsAreNoNames(t *testing.T) {
	f := one(t, "Der Eintritt kostet 20 Euro.", "Der Ausweis kostet für alle Kinder der Stadt 20 Euro.").Segment
	if len(f.Contradicted) > 0 {
		t.Error(f.Contradicted)
	}
}

// A name in other letters may be the same.
func TestNamesInOtherLettersDenyNothing(t *testing.T) {
	f := one(t, "The museum was founded in 1978 by the Orlov family.", "Музей основала в 1978 году семья Орловых, и он открыт для всех.").Segment
	if len(f.Contradicted) > 0 {
		t.Error(f.Contradicted)
	}
}

func TestAnotherLanguageIsNamedAmongTheReasons(t *testing.T) {
	for _, c := range []struct{ said, source, want string }{
		{"Die Bibliothek ist am Montag geschlossen.", inTongues["de"], "read word by word, as it is in German"},
		{"The library is closed on Monday.", inTongues["de"], "it is in English, passage 1 in German: read word by word"},
		{"The library is closed on Monday.", "The library of the town is closed on Monday.", ""},
	} {
		reasons := one(t, c.said, c.source).Segment.Reasons
		at := slices.IndexFunc(reasons, func(r string) bool { return strings.Contains(r, "word by word") })
		if c.want == "" && at >= 0 || c.want != "" && (at < 0 || reasons[at] != c.want) {
			t.Errorf("%q, want %q", reasons, c.want)
		}
	}
}

// A judge reads English, and what it says of a word is said of the word that stands there.
func TestAJudgeReadsEnglish(t *testing.T) {
	const answer = "L'entrée coûte 1 500,50 euros en août pour les enfants."
	const source = "Die Bibliothek ist die größte der Stadt. Der Eintritt kostet für Kinder 2 Euro."
	var asked []ibid.Pair
	oneBy(t, New(Config{Judge: saying{0.3, &asked, nil}, Always: true}), answer, source)
	if len(asked) != 1 {
		t.Fatalf("asked %d times", len(asked))
	}
	if want := "cost 1500.5 euro in August for the child"; !strings.Contains(asked[0].Claim, want) {
		t.Errorf("asked %q, want %q in it", asked[0].Claim, want)
	}
	for _, want := range []string{"the library is the largest the city", "cost for child 2 euro"} {
		if !strings.Contains(asked[0].Evidence, want) {
			t.Errorf("read %q, want %q in it", asked[0].Evidence, want)
		}
	}
	turn := newTurn([]ibid.Passage{passage(1, source)})
	claim := turn.worded(turn.read(answer), &evidence{})
	for said, stands := range map[string]string{"the": "L'", "entrance": "entrée", "1500.5": "1 500,50", "August": "août", "child": "enfants"} {
		at := strings.Index(claim.text, said)
		back := claim.back([]ibid.WordSupport{{At: ibid.Span{Start: at, End: at + len(said)}}})
		if got := back[0].At.In(answer); got != stands {
			t.Errorf("%q stands for %q, want %q", said, got, stands)
		}
	}
}

// What has no end, no blanks or no one language is read in steps that grow with its length: twice as long takes about twice as many.
func TestHostileTextsAreReadInStepsThatGrowWithThem(t *testing.T) {
	mixed := ""
	for _, code := range []string{"de", "ru", "zh", "fr", "ja", "tr"} {
		mixed += inTongues[code] + " "
	}
	for name, piece := range map[string]string{
		"one word without end": "einundzwanzig", "numbers in words": "vingt et un quatre-vingt-dix ", "digits and points": "19.30.", "characters": "三分之一百分之五十", "all languages": mixed, "apostrophes": "L’", "Roman numerals": "siglo XVI ",
	} {
		used := func(n int) uint64 { // bytes: a text that is copied at each of its words takes the square of its length
			text := "La carte est pour tous et le prix ne change pas. " + strings.Repeat(piece, n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			newTurn([]ibid.Passage{passage(1, text)})
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		used(10) // the lists are read once
		if short, long := used(1000), used(4000); long > 8*short+1<<20 {
			t.Errorf("%s: %d bytes, and %d of a text four times as long", name, short, long)
		}
	}
}

// FuzzEnglish holds for any text in any language: an English reading leads back to places of the text.
func FuzzEnglish(f *testing.F) {
	for _, text := range inTongues {
		f.Add(text)
	}
	f.Add("L'eau d'Évian coûte 1 500,50 €; Ankara'da 7月3日、三百一十二起。Jahresausweisgebührenordnung")
	f.Fuzz(func(t *testing.T, s string) {
		s = token.Clip(s, 500)
		for _, g := range token.Tongues() {
			g.Knows(s) // it reads its lists
			w := reworded(s, g.Gloss(s))
			for i := range len(w.text) + 1 {
				if at := w.place(i, i%2 == 0); at < 0 || at > len(s) {
					t.Fatalf("%s: %q: %d of %q leads to %d", g.Title(), s, i, w.text, at)
				}
			}
		}
	})
}

// A judge reads what was counted as English writes it.
func TestAJudgeReadsNumbersAsEnglishWritesThem(t *testing.T) {
	for _, c := range []struct{ code, text, want string }{
		{"fr", "du XVIe siècle", "of 16th century"},
		{"es", "del siglo XVI", "of 16th century"},
		{"de", "um 19.30 Uhr", "around 19:30"},
		{"tr", "1995'te", "1995"},
		{"zh", "百分之五十", "50 percent"},
		{"ru", "двадцати одном", "21"},
	} {
		if got := English(c.text, inTongues[c.code]); got != c.want {
			t.Errorf("%q reads %q, want %q", c.text, got, c.want)
		}
	}
}
