package claim

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// abroad tells by how they begin what sentences of other languages claim nothing, and why. Each is a line of phrases in lower case, with
// what may stand there in brackets.
var abroad = []struct {
	reason  string
	phrases func() *regexp.Regexp
}{
	{courtesy, begins(
		// German
		`ich hoffe, (das|dies|diese (informationen|angaben|antwort)|ich konnte|dass (das|dies|ihnen|dir)) .*(hilft|helfen|hilfreich|geholfen|weiter)`, `hoffentlich hilft`, `(ich )?hoffe, das hilft`, `gerne? geschehen`, `(lassen sie|lass) (es )?mich wissen`, `sag(en sie)? (mir )?(gern )?bescheid`,
		`(wenn|falls) (sie|du) (noch |weitere |mehr )+(fragen|informationen|details|hilfe)`, `bei weiteren fragen`, `bei fragen stehe`, `melden? (dich|sie sich)( gern)?( bei mir| jederzeit)?, (wenn|falls)`, `(das ist eine )?(sehr )?gute frage`, `(vielen dank|danke) für (ihre|deine|die) (frage|anfrage|nachricht)`, `ich helfe (ihnen|dir) gern`,
		// French
		`j'espère que (cela|ça|ces informations|cette réponse|ma réponse) .*(aide|aidera|aidé|utile|répond)`, `n'hésitez pas`, `n'hésite pas`, `si vous avez (d'autres|des) questions`, `si tu as d'autres questions`, `(c'est une )?(très )?(bonne|excellente) question`, `je (suis|reste) à votre disposition`, `merci (pour|de) votre (question|message)`, `je vous en prie`, `avec plaisir`,
		// Spanish
		`espero que (esto|esta información|te|le|os|les) (te |le |os |les )?(ayude|sirva|sea útil|haya)`, `espero haber(te|le)? ayudado`, `si (tienes|tiene|tenéis) (más|otras|alguna otra|cualquier otra) (preguntas?|dudas?)`, `no dudes en`, `no dude en`, `(es una )?(muy )?(buena|excelente) pregunta`, `con (mucho )?gusto`, `gracias por (tu|su) (pregunta|mensaje)`, `de nada[.!]`,
		// Italian
		`spero (che (questo|ti|vi|le|queste informazioni) .*(utili?|aiut|chiar)|di esser(ti|le|vi) )`, `se (hai|ha|avete) (altre|ulteriori) domande`, `non esitare`, `non esiti`, `(è una )?(ottima|bella|buona) domanda`, `fammi sapere`, `mi faccia sapere`, `grazie per la (tua |sua )?domanda`, `sono a (tua|sua|vostra) disposizione`,
		// Portuguese
		`espero ter ajudado`, `espero que (isto|isso|esta informação|estas informações|tenha)( te| lhe)? (ajude|ajudado|seja útil|sejam úteis)`, `se (tiver|tiveres|precisar de) (mais|outras|alguma outra) (perguntas?|dúvidas?|informações|ajuda)`, `não hesite`, `fique à vontade`, `(é uma )?(ótima|boa|excelente) pergunta`, `obrigad[oa] (pela|por sua) (pergunta|mensagem)`, `estou à disposição`,
		// Dutch
		`ik hoop dat (dit|deze informatie|ik) .*(helpt|helpen|geholpen|nuttig|duidelijk)`, `hopelijk helpt`, `laat (het )?(me|mij) (gerust )?weten`, `(als|mocht) (u|je) (nog|meer|verdere) (meer |andere )?(vragen|informatie|hulp)`, `(dat is een )?goede vraag`, `graag gedaan`, `bedankt voor (uw|je) (vraag|bericht)`, `ik help (u|je) graag`,
		// Swedish
		`(jag )?hoppas (att )?(det|detta|den här informationen) (hjälper|hjälpte|är till hjälp|var till hjälp)`, `hör (gärna )?av dig`, `säg (gärna )?till om`, `låt mig veta`, `om du har (fler|andra|ytterligare) frågor`, `tveka inte att`, `(det är en )?(bra|god) fråga`, `tack för (din|er) fråga`, `varsågod[.!]`,
		// Polish
		`mam nadzieję, że .*(pomo[gżc]|przydatn)`, `jeśli masz (więcej|inne|dodatkowe|jakieś) pyta`, `jeżeli masz (więcej|inne|dodatkowe) pyta`, `(proszę )?daj(cie)? (mi )?znać`, `(to )?(bardzo )?dobre pytanie`, `dziękuję za pytanie`, `chętnie pomogę`, `w razie (dalszych |dodatkowych )?pytań`,
		// Russian
		`надеюсь, (что )?(это|эта информация|я|мой ответ) .*(помо[гж]|полез)`, `если у вас (есть|остались|остались ещё|возникнут|появятся) (ещё |другие |дополнительные )?вопросы`, `если у тебя (есть|остались) (ещё |другие )?вопросы`, `обращайтесь`, `дайте (мне )?знать`, `(это )?(очень )?хороший вопрос`, `спасибо за (ваш |твой )?вопрос`, `рад(а)? помочь`, `пожалуйста[.!]`,
		// Turkish
		`umarım .*(yardımcı|işinize|faydalı)`, `başka (bir )?soru(nuz|n|larınız)`, `lütfen (bana )?sormaktan çekinme`, `sormaktan çekinme`, `(bu )?(çok )?(iyi|güzel) (bir )?soru`, `sorunuz için teşekkür`, `yardımcı olmaktan mutluluk`, `rica ederim`,
		// Chinese and Japanese
		`希望(这些?|以上|本|能|对)[^，。]*(帮助|有用|帮到)`, `如果?您?你?(还)?有(其他|任何|更多|别的)?(的)?(疑问|问题)`, `如有(其他|任何|更多)?(疑问|问题)`, `请随时(告诉|联系|提问|问)`, `不客气`, `(这是个?)?好问题`, `很高兴(能)?(为您|帮)`,
		`お役に立て`, `ご参考になれば`, `参考になれば`, `他に(も)?(ご)?(質問|不明)`, `ほかに(も)?(ご)?(質問|不明)`, `ご(質問|不明な点|不明点)が(あれば|ございましたら|ありましたら)`, `お気軽に`, `良い(ご)?質問です`, `ご質問ありがとう`, `どういたしまして`,
	)},
	{sentOn, begins(
		`(bitte )?(fragen sie|frag|konsultieren sie) (bitte )?(im zweifel |gegebenenfalls )?(ihren|deinen|einen) (haus|fach)?(arzt|ärztin|apotheker|anwalt)`, `wenden sie sich (bitte |im zweifel )*an (ihren|einen) (haus|fach)?(arzt|anwalt|apotheker|experten)`,
		`(veuillez )?(consultez|consulter|demandez conseil à) (toujours )?(un|votre) (médecin|pharmacien|avocat|professionnel)`, `(consulte|consulta) (siempre )?(a|con) (su|tu|un) (médico|farmacéutico|abogado|profesional)`, `(consulti|consulta) (sempre )?(il (suo|tuo) |un |il )(medico|farmacista|avvocato)`,
		`(consulte|procure) (sempre )?(o seu|seu|um) (médico|farmacêutico|advogado|profissional)`, `raadpleeg (altijd |bij twijfel )?(uw|je|een) (huis)?(arts|apotheker|advocaat)`, `(kontakta|rådfråga|fråga) (alltid |gärna |din |en )+(läkare|apotekare|jurist)`,
		`skonsultuj(cie)? się z (lekarzem|prawnikiem|farmaceutą)`, `(пожалуйста, )?(проконсультируйтесь|посоветуйтесь) с (вашим |лечащим )?(врачом|юристом|специалистом)`, `(lütfen )?(doktorunuza|bir doktora|eczacınıza|bir uzmana) (danışın|başvurun)`, `请?(务必)?咨询(您的|专业)?(医生|律师|医师)`, `(必ず)?(医師|薬剤師|専門家)に(ご)?相談(して)?ください`,
	)},
	{ofAbsence, begins(
		`(die|den|in den|in dem|der|keine der|diese) (bereitgestellten |vorliegenden |angegebenen |gegebenen )?(quellen|textstellen|textpassagen|passagen|dokumente|dokumenten|texte|text|auszüge) (enthalten|enthält|nennen|nennt|erwähnen|erwähnt|geben|gibt|machen|sagen|sagt|liefern|wird|werden) (dazu |darüber |hierzu |hierüber |dies |das |leider )*(keine|nichts|nicht)`,
		`(les|le|aucun|aucune|aucune des) (sources?|passages?|documents?|textes?|extraits?)( fournis| fournies| fourni| donnés)? ne (mentionnent?|précisent?|contiennent|contient|donnent?|disent|dit|fournissent|fournit|indiquent?) `,
		`(las|los|el|la|ninguna de las|ninguno de los) (fuentes?|pasajes?|documentos?|textos?|fragmentos?)( proporcionad[oa]s?| facilitad[oa]s?)? no (mencionan?|indican?|contienen?|especifican?|dicen?|dan|da|ofrecen?|proporcionan?) `,
		`(le|i|il|la|nessuna delle|nessuno dei) (fonti|fonte|passaggi|brani|brano|documenti|documento|testi|testo)( fornit[aeio])? non (menzionan?o?|indican?o?|contengono|contiene|specificano|dicono|dice|danno|forniscono|riportano) `,
		`(as|os|o|a|nenhuma das|nenhum dos) (fontes?|passagens|trechos?|documentos?|textos?)( fornecid[oa]s?)? não (mencionam?|indicam?|contêm|contém|especificam?|dizem|diz|informam?|fornecem?) `,
		`(de|geen van de|het) (verstrekte |gegeven )?(bronnen|bron|passages|documenten|document|teksten|tekst) (vermelden|vermeldt|noemen|noemt|bevatten|bevat|geven|geeft|zeggen|zegt) (hierover |daarover |dit )?(niet|geen|niets)`,
		`(källorna|källan|texterna|texten|dokumenten|dokumentet|utdragen) (nämner|innehåller|anger|säger|ger) (inte|inget|ingen|inga)`, `(źródła|źródło|fragmenty|dokumenty|dokument|teksty|tekst) nie (wspominają|wspomina|podają|podaje|zawierają|zawiera|mówią|mówi|określają) `,
		`(в |предоставленных |данных |этих )*(источниках|тексте|текстах|документах|отрывках) (это )?(не|нет) (упоминается|указано|сказано|говорится|информации|сведений|данных)`, `(источники|документы|отрывки|тексты) не (содержат|упоминают|указывают|сообщают) `,
		`(verilen )?(kaynaklarda|metinlerde|belgelerde|metinde) .*(bilgi yok|bilgi bulunm|belirtilm|bahsedilm)`, `(所|根据)?(提供|给出)?的?(资料|来源|文档|文件|文本|段落)(中|里)?(没有|并未|未)(提到|提及|说明|提供|包含|给出)`, `(提供された)?(資料|文書|出典|本文|文章|情報源)に(は|も)[^。]*(記載|言及|情報|記述)(されてい|があり|は)(ない|ません)`,
	)},
}

// alonesAbroad are words alone that claim nothing.
var alonesAbroad = strings.Split("ja|nein|gern|gerne|natürlich|klar|selbstverständlich|oui|non|bien sûr|certainement|volontiers|sí|claro|claro que sí|por supuesto|desde luego|sì|certo|certamente|sim|não|com certeza|natuurlijk|zeker|graag|nee|självklart|visst|nej|oczywiście|tak|nie|jasne|конечно|да|нет|разумеется|tabii|tabii ki|elbette|evet|hayır|当然|当然可以|好的|是的|はい|いいえ|もちろん|もちろんです|承知しました", "|")

func begins(phrases ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + strings.Join(phrases, "|") + `)`) })
}

// emptyAbroad is why a sentence of another language claims nothing, or "". One that has a number, is long, or goes on behind a colon may state something.
func emptyAbroad(s string) string {
	if strings.ContainsAny(s, "0123456789") || utf8.RuneCountInString(s) > 160 || goesOn(s) {
		return ""
	}
	if reason := phraseAbroad(s); reason != "" && !goesOnAbroad.MatchString(s) {
		return reason
	}
	return ""
}

// phraseAbroad is why a sentence of another language claims nothing by how it begins, or "".
func phraseAbroad(s string) string {
	if slices.Contains(alonesAbroad, strings.Trim(s, " .!,:;。！，：¡¿")) {
		return "a word alone makes no claim"
	}
	for _, a := range abroad {
		if a.phrases().MatchString(s) {
			return a.reason
		}
	}
	return ""
}

// goesOnAbroad finds a turn behind which something may be stated.
var goesOnAbroad = regexp.MustCompile(`, (aber|doch|jedoch|sondern|mais|pero|sino|ma|però|mas|porém|maar|men|ale|lecz|но|однако|ama|fakat|ancak) |; |(，|。)?(但|不过|然而)|(が|けれど)、`)
