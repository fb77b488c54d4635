package attribute_test

import (
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
)

func TestCourtesiesOfOtherLanguagesMakeNoClaim(t *testing.T) {
	for _, s := range []string{
		"Ich hoffe, das hilft Ihnen weiter!", "Wenn Sie weitere Fragen haben, melden Sie sich gern.", "Fragen Sie im Zweifel Ihren Arzt oder Apotheker.", "Die Quellen enthalten dazu keine Angaben.", "Gerne!",
		"N'hésitez pas si vous avez d'autres questions !", "J'espère que cela vous aide.", "Les sources ne mentionnent pas le prix.", "Bien sûr !", "Consultez votre médecin en cas de doute.",
		"¡Claro!", "Espero que te sirva de ayuda.", "Consulte a su médico si tiene dudas.", "Las fuentes no indican cuándo abre.",
		"Spero di esserti stato utile!", "Fammi sapere se hai altre domande.", "Espero ter ajudado!", "Se tiver mais dúvidas, estou à disposição.",
		"Laat het me weten als je nog vragen hebt!", "Raadpleeg bij twijfel uw arts.", "Hör gärna av dig om du har fler frågor!", "Källorna nämner inte priset.",
		"Mam nadzieję, że to pomoże!", "Źródła nie podają ceny biletu.", "Надеюсь, это поможет!", "Если у вас есть вопросы, обращайтесь.", "В источниках это не указано.",
		"Umarım yardımcı olmuştur!", "Verilen kaynaklarda bu konuda bilgi yok.", "希望这些信息对您有帮助！", "如果您还有其他问题，请随时告诉我。", "资料中没有提到价格。", "お役に立てれば幸いです。", "ご不明な点がございましたら、お気軽にお尋ねください。",
	} {
		if claim, _ := attribute.IsClaim(s, ibid.Sentence, ""); claim {
			t.Errorf("%q claims nothing", s)
		}
	}
	for _, s := range []string{
		"Ich hoffe, dass die Preise sinken, sagte der Minister.", "Die Quellen des Flusses liegen nicht in der Schweiz.", "Die Quellen nennen keinen Preis, aber der Eintritt kostet nichts.", "Das Freibad ist am Montag geschlossen.",
		"J'espère que cela changera, a dit la maire.", "Надеюсь, это не повторится, сказал мэр.", "Les sources ne sont pas polluées.", "Consulte la página del museo abre nuevas salas.", "Los textos no se conservaron.", "Le fonti del fiume non sono inquinate.",
		"De bron ligt niet in Nederland.", "Teksty nie były publikowane za życia autora.", "Источники минеральной воды не загрязнены.", "文件没有签署。", "このホテルはお気軽な料金で人気です。", "Ja, der Eintritt ist frei.", "Wenn Sie mehr als zwei Tabletten nehmen, fragen Sie den Arzt.",
	} {
		if claim, reason := attribute.IsClaim(s, ibid.Sentence, ""); !claim {
			t.Errorf("%q claims something: %s", s, reason)
		}
	}
}
