package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Month gives the number of a month by its name, 1 to 12, or 0 for what is none. It knows English, German, French, Spanish,
// Italian, Portuguese, Dutch, Swedish, Danish, Norwegian, Polish, Russian and Turkish, in the forms that dates have, with and
// without accents, and their beginnings of three letters and more: "Sept.", "févr", "września".
func Month(name string) int {
	return monthsByName[withoutMarks(strings.TrimRight(strings.TrimSpace(name), "."))]
}

var monthsByName = monthTable([12]string{
	"january januar jänner janvier enero gennaio janeiro januari stycznia styczeń января январь ocak",
	"february februar février febrero febbraio fevereiro februari lutego luty февраля февраль şubat",
	"march märz maerz mars marzo março maart mrt marts marca marzec марта март mart",
	"april avril abril aprile kwietnia kwiecień апреля апрель nisan",
	"may mai mayo maggio maio mei maj maja мая май mayıs",
	"june juni juin junio giugno junho czerwca czerwiec июня июнь haziran",
	"july juli juillet julio luglio julho lipca lipiec июля июль temmuz",
	"august août agosto augustus augusti sierpnia sierpień августа август ağustos",
	"september septembre septiembre setiembre settembre setembro września wrzesień сентября сентябрь eylül",
	"october oktober octobre octubre ottobre outubro października październik октября октябрь ekim",
	"november novembre noviembre novembro listopada listopad ноября ноябрь kasım",
	"december dezember décembre diciembre dicembre dezembro desember grudnia grudzień декабря декабрь aralık",
})

// monthTable gives the months by their names and the beginnings of these. What may be two months, as "jui", is none.
func monthTable(names [12]string) map[string]int {
	out := map[string]int{}
	for i, line := range names {
		for name := range strings.FieldsSeq(line) {
			letters := []rune(withoutMarks(name))
			for n := 3; n <= len(letters); n++ {
				key := string(letters[:n])
				if other, ok := out[key]; ok && other != i+1 {
					out[key] = 0
					continue
				}
				out[key] = i + 1
			}
		}
	}
	return out
}

// withoutMarks gives the bare letters in lower case.
func withoutMarks(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r == 'ı':
			return 'i'
		}
		return r
	}, norm.NFD.String(strings.ToLower(s)))
}
