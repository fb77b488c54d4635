package csl

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// Every term that English has, each built-in language has, with a singular and a plural: nothing English is left between
// the references.
func TestLanguagesAreWhole(t *testing.T) {
	same := makeSet("colon comma semicolon page-range-delimiter") // signs
	for _, lang := range Languages() {
		base, _, _ := strings.Cut(lang, "-")
		l := newLocale(lang)
		l.overlay(builtInLocale(primaryDialects[base]))
		l.overlay(builtInLocale(lang))
		for k, english := range builtInLocale("en-US").terms {
			got, ok := l.terms[k]
			if !ok && strings.TrimSpace(english.single) != "" && !same[k.name] {
				t.Errorf("%s: no %s, %s", lang, k.name, k.form)
			}
			if ok && (strings.TrimSpace(got.single) == "") != (strings.TrimSpace(english.single) == "") {
				t.Errorf("%s: %s, %s is %q, in English %q", lang, k.name, k.form, got.single, english.single)
			}
		}
		for k := range l.terms {
			name, _, _ := strings.Cut(k.name, "\x00")
			if _, ok := builtInLocale("en-US").plainer(termKey{name, k.form}); !ok {
				t.Errorf("%s: %s, %s is no term of CSL", lang, name, k.form)
			}
		}
		if len(l.ordinals) == 0 || l.dates["text"] == nil || l.dates["numeric"] == nil || l.punctuationInQuote == nil {
			t.Errorf("%s: ordinals %v, dates %v", lang, l.ordinals, l.dates)
		}
	}
}

func TestLanguages(t *testing.T) {
	r := ibid.Reference{ID: "a", Type: "chapter"}
	r.Set("title", "Un essai")
	r.Set("container-title", "Le livre")
	r.Set("edition", "1")
	r.Set("page", "12-15")
	r.Set("URL", "https://example.org/x")
	r.SetNames("author", ibid.Name{Family: "Müller", Given: "Hans"}, ibid.Name{Family: "Weber", Given: "Eva"})
	r.SetNames("editor", ibid.Name{Family: "Dupont", Given: "Marie"}, ibid.Name{Family: "Durand", Given: "Paul"})
	r.SetDate("issued", ibid.NewDate(2019))
	r.SetDate("accessed", ibid.NewDate(2024, 1, 1))
	for lang, want := range map[string]string{
		"en-US": "Müller, H. and Weber, E. (2019) “Un essai,” in M. Dupont and P. Durand (eds.) Le livre. 1st ed, pp. 12–15. Available at: https://example.org/x (Accessed: January 1, 2024).",
		"de":    "Müller, H. und Weber, E. (2019) „Un essai“, in M. Dupont und P. Durand (Hrsg.) Le livre. 1. Aufl, S. 12–15. Verfügbar unter: https://example.org/x (Zugegriffen: 1. Januar 2024).",
		"de-AT": "Müller, H. und Weber, E. (2019) „Un essai“, in M. Dupont und P. Durand (Hrsg.) Le livre. 1. Aufl, S. 12–15. Verfügbar unter: https://example.org/x (Zugegriffen: 1. Jänner 2024).",
		"de-CH": "Müller, H. und Weber, E. (2019) «Un essai», in M. Dupont und P. Durand (Hrsg.) Le livre. 1. Aufl, S. 12–15. Verfügbar unter: https://example.org/x (Zugegriffen: 1. Januar 2024).",
		"fr-CA": "Müller, H. et Weber, E. (2019) «\u202fUn essai\u202f», dans M. Dupont et P. Durand (éd.) Le livre. 1ʳᵉ éd, p. 12–15. Disponible sur: https://example.org/x (Consulté le: 1ᵉʳ janvier 2024).",
		"es-MX": "Müller, H. y Weber, E. (2019) «Un essai», en M. Dupont y P. Durand (eds.) Le livre. 1.ª ed, pp. 12–15. Disponible en: https://example.org/x (Accedido: 1 de enero de 2024).",
		"it":    "Müller, H. e Weber, E. (2019) «Un essai», in M. Dupont e P. Durand (a cura di) Le livre. 1ª ed, pp. 12–15. Disponibile su: https://example.org/x (Consultato: 1 gennaio 2024).",
		"nl-BE": "Müller, H. en Weber, E. (2019) “Un essai”, in M. Dupont en P. Durand (red.) Le livre. 1e dr, pp. 12–15. Beschikbaar op: https://example.org/x (Geraadpleegd: 1 januari 2024).",
		"pt":    "Müller, H. e Weber, E. (2019) «Un essai», em M. Dupont e P. Durand (eds.) Le livre. 1.ª ed, pp. 12–15. Disponível em: https://example.org/x (Acedido: 1 de janeiro de 2024).",
		"pt-BR": "Müller, H. e Weber, E. (2019) “Un essai”, em M. Dupont e P. Durand (orgs.) Le livre. 1ª ed, p. 12–15. Disponível em: https://example.org/x (Acesso em: 1 de janeiro de 2024).",
	} {
		doc, err := NewDocument(builtin(t, "harvard"), Options{Locale: lang, Items: []ibid.Reference{r}})
		if err != nil {
			t.Fatal(err)
		}
		doc.Nocite()
		b, err := doc.Bibliography(Text)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(b.Entries[0].Text); got != want || len(doc.Warnings()) > 0 {
			t.Errorf("%s: %v\ngot  %s\nwant %s", lang, doc.Warnings(), got, want)
		}
	}
}
