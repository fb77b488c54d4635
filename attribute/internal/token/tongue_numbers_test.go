package token

import (
	"strings"
	"testing"
)

// Each country writes numbers, dates and times in its own way; what is said is the same.
func TestNumbersDatesAndTimesAreReadInEveryLanguage(t *testing.T) {
	for _, c := range []struct{ code, text, Keys string }{
		{"de", "einundzwanzig, zweihundertfünfzig, der einundzwanzigste", "#21 #250 #21th"},
		{"de", "im 16. Jahrhundert, im sechzehnten Jahrhundert", "#16th centuri #16th centuri"},
		{"de", "in den 1950er Jahren, in den Fünfzigerjahren, im Jahr 1985", "#1950s #1950s #1985"},
		{"de", "3. Oktober 2020, 3.10.2020, am 3.10. kurz", "#3 octob #2020 #3 octob #2020 #3 octob short"},
		{"de", "14 Uhr, 14.30 Uhr, 14:30 Uhr", "#14.00 h #14.50 h #14.50 h"},
		{"de", "3.20 Meter, 20 CHF", "#3.2 meter #20 franc"},
		{"fr", "vingt et un, vingt-cinq, soixante-dix, soixante et onze, quatre-vingts, quatre-vingt-dix-sept", "#21 #25 #70 #71 #80 #97"},
		{"fr", "le 1er janvier, 14 h 30, 14h30, à 9h", "#1 januari #14.50 h #14.50 h #09.00 h"},
		{"fr", "le XVIe siècle, le 16e siècle, les années 1950, les années cinquante", "#16th centuri #16th centuri #1950s #1950s"},
		{"fr", "380 m, 19 t, 20 pour cent", "#380 meter #19 ton #20 percent"},
		{"es", "veintidós, treinta y cinco, doscientos cincuenta, mil millones", "#22 #35 #250 #1000000000"},
		{"es", "siglo XVI, siglo 16, los años 50, 3/5/2024, 50 por ciento", "#16th centuri #16th centuri #1950s #3 may #2024 #50 percent"},
		{"it", "ventuno, venticinque, duecentocinquanta, ventunesimo", "#21 #25 #250 #21th"},
		{"it", "alle 19.30, XVI secolo, anni '50", "#19.50 h #16th centuri #1950s"},
		{"pt", "vinte e uma salas, cento e vinte, duzentos e cinquenta, vigésimo primeiro", "#21 room #120 #250 #21th"},
		{"pt", "segunda-feira, sexta-feira, 19h30, às 9h, R$ 27 milhões", "monday friday #19.50 h #09.00 h brl #27000000"},
		{"nl", "eenentwintig, tweehonderdvijftig, eenentwintigste, 16e eeuw, jaren '50, 19.30 uur", "#21 #250 #21th #16th centuri #1950s #19.50 h"},
		{"sv", "tjugofem, tjugoförsta, 1500-talet, 1950-talet, 16:e århundradet", "#25 #21th #16th centuri #1950s #16th centuri"},
		{"pl", "dwudziestu pięciu, XVI wieku, szesnastego wieku, 1985 roku, 45 tys.", "#25 #16th centuri #16th centuri #1985 #45000"},
		{"ru", "двадцати одном, сто двадцать, XVI веку, 1950-х годах, 1985 году", "#21 #120 #16th centuri #1950s #1985"},
		{"tr", "yirmi bir, on altıncı yüzyıl, 16. yüzyılda, 1950'li yıllar, 1995'te, saat 14.30'da", "#21 #16th centuri #16th centuri #1950s #1995 hour #14.50 h"},
		{"tr", "%20, yüzde 20, üçte bir, ₺150", "#20 percent #20 percent #1 #3th lira #150"},
		{"zh", "2024年5月3日, 五个月, 下午7时30分, 百分之五十, 三分之一, 2700万元, 八折, 第二十一, 1.2亿", "#2024 may #3 #5 month #19.50 h #50 percent #1 #3th #27000000 yuan #20 percent #21th #120000000"},
		{"ja", "令和6年5月3日, 平成元年, 午後3時, 7時半, 2割, 3分の1, 1億2000万, 1950年代, 50％", "#2024 may #3 #1989 #15.00 h #07.50 h #20 percent #1 #3th #120000000 #1950s #50 percent"},
	} {
		g := tongueBy(c.code)
		ts, _ := g.Scan(c.text, 0, nil)
		var keys []string
		for _, tok := range ts {
			if tok.Content() {
				keys = append(keys, tok.Key)
			}
		}
		if got := strings.Join(keys, " "); got != c.Keys {
			t.Errorf("%s: %q reads\n%s, want\n%s", c.code, c.text, got, c.Keys)
		}
	}
}

func tongueBy(code string) *Tongue {
	for _, g := range tongues().all {
		if g.code == code {
			return g.learn()
		}
	}
	return nil
}

// Words that are no other form of a number, a small word or a month stay what they are.
func TestOneWordIsNotTakenForAnother(t *testing.T) {
	for _, c := range []struct{ code, text, not string }{
		{"pt", "a nova ponte", "#9"},
		{"de", "Hunde dürfen nicht hinein", "may"},
		{"fr", "La société de Louis Mercier aujourd'hui", "hui"},
		{"ru", "сто слов о XVI веке", "сто"},
	} {
		ts, _ := tongueBy(c.code).Scan(c.text, 0, nil)
		for _, tok := range ts {
			if tok.Key == c.not {
				t.Errorf("%q: %q is read as %q", c.text, tok.At.In(c.text), tok.Key)
			}
		}
	}
	if ts, _ := tongueBy("es").Scan("después de las comidas", 0, nil); ts[len(ts)-1].Kind.Has(Stop) {
		t.Error("meals are no small word")
	}
}
