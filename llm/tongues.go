package llm

import "regexp"

// tongue is what must be known of a language so that its questions can be matched by their words: how they open, and the
// words that carry grammar alone. Only a question that opens in the language drops them: "die", "war" and "son" are
// subjects in English.
type tongue struct {
	opens *regexp.Regexp
	when  *regexp.Regexp // opens a question for a time
	many  *regexp.Regexp // opens a question for a number
	stop  map[string]bool
}

// Word breaks are those of ASCII, so openings end before a blank or the end.
var tongues = []tongue{
	{ // German; "was" opens English questions too
		opens: regexp.MustCompile(`^(?:wer|wen|wem|wessen|wann|wo|wohin|woher|womit|wofür|wie|wieviele?|warum|wieso|weshalb|welche[rsnm]?|in welche[rnm]|was (?:ist|war|sind|waren|hat|hatte|haben|kostet|kostete|kosteten|wurde|wird|bedeutet|macht|machte|tat|geschah))(?:[ ?]|$)`),
		when:  regexp.MustCompile(`^(?:wann|in welchem jahr)(?:[ ?]|$)`),
		many:  regexp.MustCompile(`^(?:wie viele?|wieviele?)(?:[ ?]|$)`),
		stop: set(`wer wen wem wessen was wann wo wohin woher womit wofür wie viel viele wieviel wieviele warum wieso weshalb welche
 welcher welches welchen welchem der die das den dem des ein eine einer eines einem einen und oder aber ist sind war waren
 wird werden wurde wurden worden hat haben hatte hatten sein seine seiner ihr ihre er sie es wir ich du man in im an am auf
 aus bei beim mit nach von vom vor zu zum zur für über unter durch um als so nicht sich auch nur noch es gibt gab denn`),
	},
	{ // French
		opens: regexp.MustCompile(`^(?:qui|quand|où|comment|pourquoi|quel(?:le)?s?|en quelle|combien|que|quoi|qu'est-ce|est-ce)(?:[ ?]|$)`),
		when:  regexp.MustCompile(`^(?:quand|en quelle année)(?:[ ?]|$)`),
		many:  regexp.MustCompile(`^combien(?:[ ?]|$)`),
		stop: set(`qui quand où comment pourquoi quel quelle quels quelles combien que quoi qu'est ce est le la les l un une des de du
 d et ou mais a ont avait était étaient sont fut furent été être avoir il elle ils elles on se s son sa ses leur au aux à
 en dans par pour sur avec sans sous entre ne pas plus y c qu`),
	},
	{ // Spanish
		opens: regexp.MustCompile(`^¿?(?:quién(?:es)?|cuándo|dónde|cómo|por qué|cuál(?:es)?|cuánt[oa]s?|qué|en qué)(?:[ ?]|$)`),
		when:  regexp.MustCompile(`^¿?(?:cuándo|en qué año)(?:[ ?]|$)`),
		many:  regexp.MustCompile(`^¿?cuánt[oa]s?(?:[ ?]|$)`),
		stop: set(`quién quiénes cuándo dónde cómo por qué cuál cuáles cuánto cuánta cuántos cuántas el la los las un una unos unas
 de del y o pero es son era eran fue fueron ser estar está estaba ha han había se su sus a al en con sin para sobre entre
 no más que lo le les`),
	},
	{ // Chinese and Japanese, which the words of a text give in single characters and runs of kana
		opens: regexp.MustCompile(`^[^a-z]*[\p{Han}\p{Hiragana}\p{Katakana}]`),
		when:  regexp.MustCompile(`何时|什么时候|哪年|哪一年|いつ|何年`),
		many:  regexp.MustCompile(`多少|几[个条艘次]|いくつ|いくら|何人`),
		stop: set(`什 么 什么 谁 哪 何 吗 呢 的 是 了 在 怎 为 多 少 几 个 有 和 与 也 都 被 把 这 那 它 他 她
 は が の を に で と も か や へ です でした ます ました いつ どこ だれ 誰 なぜ だ た て し さ れ る`),
	},
}

// foreign gives the grammar of a question that opens in another language than English, and what it asks for.
func foreign(lower string) (stop map[string]bool, w want, ok bool) {
	for _, t := range tongues {
		switch {
		case !t.opens.MatchString(lower):
			continue
		case t.when.MatchString(lower):
			return t.stop, wantTime, true
		case t.many.MatchString(lower):
			return t.stop, wantNumber, true
		}
		return t.stop, wantAny, true
	}
	return nil, wantAny, false
}
