package text_test

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// passage is a labelled text: where a sentence begins, but for the first one.
type passage struct {
	kind   string
	text   string
	starts map[int]bool
}

// labelled reads a file of texts with a mark before each sentence but the first. A line that begins with === says the kind
// of what follows.
func labelled(t testing.TB, path string) []passage {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []passage
	for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		kind, rest, _ := strings.Cut(part, "\n")
		p := passage{kind: kind, starts: map[int]bool{}}
		for i, s := range strings.Split(rest, "║") {
			if i > 0 && p.text != "" {
				blank := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
				p.starts[len(p.text)+blank] = true
			}
			p.text += s
		}
		out = append(out, p)
	}
	return out
}

// score counts boundaries.
type score struct{ right, extra, missed int }

func (s *score) add(p passage, starts map[int]bool) {
	for i := range starts {
		if p.starts[i] {
			s.right++
		} else {
			s.extra++
		}
	}
	for i := range p.starts {
		if !starts[i] {
			s.missed++
		}
	}
}

func (s score) precision() float64 { return float64(s.right) / float64(s.right+s.extra) }
func (s score) recall() float64    { return float64(s.right) / float64(s.right+s.missed) }
func (s score) f1() float64 {
	return 2 * float64(s.right) / float64(2*s.right+s.extra+s.missed)
}

func ours(s string) map[int]bool {
	out := map[int]bool{}
	for _, p := range text.Pieces(s) {
		out[p.At.Start] = true
	}
	delete(out, text.Trim(s, ibid.Span{End: len(s)}).Start)
	return out
}

func pureUAX29(s string) map[int]bool {
	out := map[int]bool{}
	pos := 0
	for it := sentences.FromString(s); it.Next(); {
		v := it.Value()
		if blank := len(v) - len(strings.TrimLeftFunc(v, unicode.IsSpace)); blank < len(v) {
			out[pos+blank] = true
		}
		pos += len(v)
	}
	delete(out, text.Trim(s, ibid.Span{End: len(s)}).Start)
	return out
}

// TestSentencesOnLabelledText measures the boundaries on texts of our own, of all the kinds that are hard. The second
// file was written before the rules were tried, and the rules were not changed for it.
func TestSentencesOnLabelledText(t *testing.T) {
	for _, file := range []struct {
		path string
		want float64
	}{{"testdata/sentences.txt", .98}, {"testdata/sentences-heldout.txt", .96}} {
		var own, pure score
		for _, p := range labelled(t, file.path) {
			got := ours(p.text)
			own.add(p, got)
			pure.add(p, pureUAX29(p.text))
			if testing.Verbose() {
				show(t, p, got)
			}
		}
		for _, line := range []struct {
			name string
			s    score
		}{{"text", own}, {"uax29 alone", pure}} {
			t.Logf("%s: %-11s precision %.3f recall %.3f F1 %.3f (%d boundaries)", file.path, line.name,
				line.s.precision(), line.s.recall(), line.s.f1(), line.s.right+line.s.missed)
		}
		if own.f1() < file.want {
			t.Errorf("%s: F1 %.3f, want %.2f or more", file.path, own.f1(), file.want)
		}
	}
}

func show(t *testing.T, p passage, got map[int]bool) {
	t.Helper()
	for i := range p.text {
		switch {
		case got[i] && !p.starts[i]:
			t.Logf("%s: ends a sentence too early, before %q", p.kind, cut(p.text[i:]))
		case !got[i] && p.starts[i]:
			t.Logf("%s: does not end a sentence before %q", p.kind, cut(p.text[i:]))
		}
	}
}

func cut(s string) string {
	if r := []rune(s); len(r) > 30 {
		return string(r[:30])
	}
	return s
}

// TestTimesGoOn: a time with its half of the day ends no sentence where another time or a day goes on.
func TestTimesGoOn(t *testing.T) {
	for s, want := range map[string]int{
		"The office is open 9 a.m. - 5 p.m. on weekdays.":                   1,
		"It opens at 9 a.m. Saturdays and 11 a.m. Sundays, 8 a.m. Mon-Fri.": 1,
		"Call before 5 p.m. - Bring the form.":                              2,
		"It closes at 5 p.m. Bring the form.":                               2,
	} {
		if got := len(text.Sentences(s)); got != want {
			t.Errorf("%q: %d sentences, not %d", s, got, want)
		}
	}
}

// TestTitlesInCapitalsAreNames: HR before a stop is a department, where Hr. is a Herr, and a letter behind what letters tell apart no initial.
func TestTitlesInCapitalsAreNames(t *testing.T) {
	for s, want := range map[string]int{"Send a copy to HR. Offer to help.": 2, "We met Hr. Olsen. He was late.": 2, "Send it to Gen. Grant in May.": 1, "Most are on Plan B. Members pay less.": 2, "The rest pay George S. Members less.": 1, "The limit is max. 30 km/h. It holds for all.": 2, "He asked Max. The rest left.": 2} {
		if got := 1 + len(ours(s)); got != want {
			t.Errorf("%q: %d sentences, not %d", s, got, want)
		}
	}
}

// Abbreviations of other languages end no sentence, and the sentences behind them begin.
func TestAbbreviationsOfOtherLanguages(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"Mieszka tu ok. 500 osób. Zob. art. 5 ust. 2 pkt. 3 ustawy. Firma działa m.in. w Polsce, np. w Krakowie. Urodził się w 1978 r. w Łodzi. Ul. Długa 5 jest zamknięta. Ma 45 tys. mieszkańców.", 6},
		{"Le 5 janv. 2020, M. Dupont est arrivé. Il y a env. 200 places, p. ex. au balcon. Voir chap. 3 et art. 12 du code. Le no. 5 est fermé.", 4},
		{"El Sr. López vive en la Av. Mayor núm. 5. EE. UU. firmó el tratado. Véase pág. 12. Cuesta aprox. 20 euros, p. ej. en Madrid.", 4},
		{"Il dott. Rossi abita in via Roma n. 5. Costa ca. 20 euro, ad es. a Roma. Vedi art. 5 e pag. 12. Il sig. Bianchi è nato nel 50 a.C. a Roma.", 4},
		{"Det finns t.ex. äpplen, bl.a. i Skåne. Öppet kl. 9 till 17. Ca. 50 personer kom, d.v.s. alla. Nr. 5 är stängd.", 4},
		{"Dr. Yılmaz 3. kattadır. Örn. Ankara'da vb. yerlerde satılır. Saat 14.30'da başlar. 16. yüzyılda yapıldı.", 4},
		{"Das gilt z. B. für Kinder, d. h. für alle. Die Anlage kostet ca. 5 Mio. Euro. Am 3. Mai um 14.30 Uhr ging es los. Vgl. Abs. 2 Nr. 3 des Gesetzes.", 4},
		{"Dhr. Jansen betaalt ca. 20 euro, d.w.z. te veel. Zie art. 5 lid 2. Het is o.a. in Utrecht te koop, bijv. bij de bakker. Mevr. De Vries komt om 9.30 uur.", 4},
		{"O Sr. Silva mora na Av. Central n.º 5. Custa aprox. 20 reais, p. ex. no Rio. Ver pág. 12 e art. 5. A Dra. Ana chegou.", 4},
		{"Он родился в 1978 г. в Москве. Стоит ок. 45 тыс. руб. в год. Живёт на ул. Ленина, кв. 3.", 3},
	} {
		var got []string
		for _, at := range text.Sentences(c.text) {
			got = append(got, at.In(c.text))
		}
		if len(got) != c.want {
			t.Errorf("%d sentences, want %d: %q", len(got), c.want, got)
		}
	}
}
