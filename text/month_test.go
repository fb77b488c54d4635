package text_test

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/ibid-dev/ibid/text"
)

// The months as dates have them, one language a line.
const monthLines = `
	January February March April May June July August September October November December
	Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec
	Januar Februar März April Mai Juni Juli August September Oktober November Dezember
	janvier février mars avril mai juin juillet août septembre octobre novembre décembre
	janv févr mars avr mai juin juil août sept oct nov déc
	enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
	ene feb mar abr may jun jul ago sep oct nov dic
	gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
	gen feb mar apr mag giu lug ago set ott nov dic
	janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
	jan fev mar abr mai jun jul ago set out nov dez
	januari februari maart april mei juni juli augustus september oktober november december
	jan feb mrt apr mei jun jul aug sep okt nov dec
	januari februari mars april maj juni juli augusti september oktober november december
	januar februar marts april maj juni juli august september oktober november desember
	stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
	styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
	sty lut mar kwi maj cze lip sie wrz paź lis gru
	января февраля марта апреля мая июня июля августа сентября октября ноября декабря
	Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık`

func TestMonth(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(monthLines), "\n") {
		names := strings.Fields(line)
		if len(names) != 12 {
			t.Fatalf("%d months: %s", len(names), line)
		}
		for i, name := range names {
			for _, spelt := range []string{name, strings.ToUpper(name), norm.NFD.String(name), " " + name + "."} {
				if got := text.Month(spelt); got != i+1 {
					t.Errorf("%q: %d, want %d", spelt, got, i+1)
				}
			}
		}
	}
	for _, plain := range []string{"fevrier", "aout", "decembre", "Maerz", "pazdziernika", "wrzesnia", "marco", "subat"} {
		if text.Month(plain) == 0 {
			t.Errorf("%q without its accents is no month", plain)
		}
	}
	for _, word := range []string{"", "ja", "jui", "market", "Marx", "decade", "mayor", "augment", "Cables", "5", "."} {
		if n := text.Month(word); n != 0 {
			t.Errorf("%q is taken for month %d", word, n)
		}
	}
}
