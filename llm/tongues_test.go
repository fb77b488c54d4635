package llm_test

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm"
)

// Questions in the language of the documents are answered by their words, and what is not there is not made up.
func TestExtractiveAnswersInOtherLanguages(t *testing.T) {
	for _, lang := range []struct {
		doc     string
		answers [][2]string // a question, and words of the sentence that answers it
	}{
		{"Das Kabel wurde am 5. August 1858 von Dr. Müller angelandet. Der Kapitän hieß Jürgen Groß und trank gern Tee. Die Stadt feierte eine Woche lang.", [][2]string{
			{"Wer war der Kapitän?", "Jürgen"}, {"Wann wurde das Kabel angelandet?", "1858"}, {"Was war mit der Stadt?", "feierte"},
			{"Wer war der Papst in Rom?", ""}, {"Wann wurde die Eisenbahn eröffnet?", ""}}},
		{"Le câble fut posé en 1858. Le capitaine s'appelait Jean Moulin et aimait le thé. La ville fêta la nouvelle.", [][2]string{
			{"Qui était le capitaine ?", "Moulin"}, {"Quand le câble fut-il posé ?", "1858"}, {"Qui était le pape de Rome ?", ""}}},
		{"El cable se tendió en 1858. El capitán se llamaba José Ruiz y bebía té. La ciudad celebró la noticia.", [][2]string{
			{"¿Quién era el capitán?", "Ruiz"}, {"¿Cuándo se tendió el cable?", "1858"}, {"¿Quién era el papa de Roma?", ""}}},
		{"第一条跨大西洋电缆于1858年铺设。船长名叫王小明。他喜欢喝茶。", [][2]string{
			{"船长叫什么名字?", "王小明"}, {"电缆是什么时候铺设的?", "1858"}, {"火车站在哪里?", ""}}},
	} {
		p := []ibid.Passage{passage(1, 0, "", lang.doc)}
		for _, c := range lang.answers {
			raw, out := answer(t, c[0], p)
			if c[1] == "" && raw != llm.NoAnswer {
				t.Errorf("%s: made up %q", c[0], raw)
			}
			first, _, _ := strings.Cut(raw, "[CTX")
			if !strings.Contains(first, c[1]) {
				t.Errorf("%s: %q", c[0], out.Text)
			}
		}
	}
}
