package text

import "strings"

// The words that sentences turn on. They are looked up in lower case and without their last full stop.

// stop says what a full stop behind an abbreviation means.
type stop int

const (
	plain  stop = iota // not an abbreviation
	never              // a sentence does not end here: Dr., e.g., vgl.
	number             // belongs to a number behind it, else ends: No. 5, Fig. 3, Aug. 1858, 6 ft. 2
	either             // ends only before a word that begins sentences: Inc., U.S., et al.
	ends               // ends before any capital: etc., p.m.
)

// abbreviations in English, German, French, Spanish, Italian, Dutch, Portuguese, Swedish, Polish, Turkish and Russian. Words that are common
// without a stop ("in", "am", "sun") stay out, or among the capitals below.
var abbreviations = table(map[stop]string{
	never: `n.b p.s dr drs mr mrs ms messrs mme mlle mgr prof sr sra srta dra sig sigg dott dhr mevr frl dipl ing lic gral sta sto exmo
		e.g i.e eg ie cf viz vs v ca approx resp esp incl excl op loc
		z.b d.h i.d.r m.e s.o s.u o.ä u.u bzw ggf evtl vgl sog inkl exkl zzgl bspw hrsg geb gest allg
		ex ej env av boul c.-à-d p.ex p.ej ud uds ee bijv d.w.z o.a i.p.v m.b.t t.o.v np tzw tzn m.in zob ul wg t.ex bl.a d.v.s s.k p.g.a örn aprox séc см т.е напр им ул`,
	number: `no nos nr nrn fig figs vol vols p pp pg pgs ch chs chap sec sect art eq eqs abb abs kap bd tel
		ft lb lbs oz yd yds min max hr hrs cwt doz pág págs núm pag blz стр рис ст кв ок
		ok ust pkt poz godz kl janv févr avr juil déc янв февр апр авг сент окт нояб дек`,
	either: `inc ltd co corp bros dept univ assn jr esq ed eds trans repr cit ph.d b.sc m.sc d.sc ll.d d.phil j.-c a.c d.c
		str jh jhd aufl mio mrd chr u.a éd cie uu г гг тыс млн руб др`,
	ends: `etc usw ecc enz a.m p.m ff т.д т.п osv itd itp vb`,
})

// capitals are abbreviations only where they begin with one: "Gen. Grant", but "sat in the sun. Ten ships".
var capitals = table(map[stop]string{
	never:  `gen col lt sgt cpl maj capt cmdr adm hon rev gov sen rep pres supt insp fr br hr msgr amb dña`,
	number: `jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun okt dez mär`,
	either: `mt ft st ste mass conn pa va md vt ill ind mich minn wis calif colo ariz tenn ky ga ala fla tex wash ore penn n.y n.j
		ave blvd rd sq mfg natl intl ph cir dist chem phys biol proc acad lett bull soc sci med res eng math jour`,
})

// starters begin a sentence far more often than they follow an abbreviation as a name would.
var starters = set(`the a an it he she they we you i this that these those there here in on at by for from to with after before
	when while if as but and or so yet however although though since because then thus its his her their our my your what who
	why how where which not no yes some many most all each every both another other one two three during until under over
	between such let did does do is are was were has have had can could will would should may moreover furthermore meanwhile
	later today once only even also instead still nevertheless according despite nothing none nobody
	der die das dem den ein eine einer es er sie wir ich im am auf bei mit nach von zu und aber doch wenn als dann dies diese
	dieser dieses auch da seit für nur nicht man ihre ihr sein seine
	le la les un une il elle ils elles on ce cette ces cela mais et dans en au aux pour par avec sur nous vous je quand puis
	el los las una él ella ellos pero y con por para se lo su este esta cuando además
	gli ma de het een
	в на это он она они но и мы я как`)

// months, as German and its neighbours write them behind an ordinal: 5. August.
var months = set(`januar jänner februar märz april mai juni juli august september oktober november dezember
	jan feb mär apr jun jul aug sep sept okt nov dez
	januari februari maart mei augustus marts maj`)

// ordinalBefore are German words that stand before an ordinal: im 19. Jahrhundert.
var ordinalBefore = set(`der die das dem den des im am vom zum zur beim ins seit ab bis und oder ein eine einem einen eines
	jeder jede jedes jeden dieser dieses unser unsere ihr ihre sein seine den`)

// lettered are told apart by letters, so that a letter behind them is no initial: plan B.
var lettered = set(`plan model vitamin vitamins type class group team option grade version part section phase point marked hepatitis
	drive level category appendix exhibit schedule figure table chapter stage column row line zone block route gate terminal
	variable letter side step answer case factor note key named called equals than`)

// sorted are told apart by their first letters and last ones, in trials and in examples: drug A, arm B, company X. Behind some of them a name may stand, so that
// other letters are initials: patient J. Smith.
var sorted = set(`drug drugs arm arms product compound substance chemical sample site patient participant subject unit company firm bank brand store supplier vendor cohort cell cluster study trial treatment therapy regimen
	condition intervention formula formulation solution mixture material variant strain influenza flu hemophilia haemophilia protein gene enzyme method approach strategy scenario policy program programme project process task test
	experiment location region area zone sector district building tower wing hall room tank pump valve machine device server node track lane city country state planet island village household package bundle tier band series list set
	item choice position hypothesis size layer system network account fund portfolio asset contract bond ticket pass permit licence license lot batch form formation league division pool`)

// afterTime follow a.m. and p.m. with a capital without ending the sentence.
var afterTime = set(`monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
	sundays weekdays weekends mon tue tues wed thu thur thurs fri sat sun january february march april may june july august
	september october november december est edt cst cdt mst mdt pst pdt gmt utc bst cet cest et ct pt eastern central pacific greenwich`)

// saying are the verbs that tie what is said to its speaker: "Why?" Field asked.
var saying = set(`said says asked asks cried cries replied replies wrote writes answered shouted exclaimed added wondered
	called remarked whispered insisted telegraphed cabled`)

// labels begin a numbered heading that is no sentence by itself: Step 1. Cut the cable.
var labels = set(`step chapter section part figure fig table rule example case note article schritt kapitel abschnitt teil
	abbildung tabelle étape chapitre section figure tableau paso capítulo sección figura tabla`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

func table(lists map[stop]string) map[string]stop {
	out := map[string]stop{}
	for kind, words := range lists {
		for _, w := range strings.Fields(words) {
			out[w] = kind
		}
	}
	return out
}
