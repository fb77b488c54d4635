package llm

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/text"
)

// The word lists below are read only.

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

func stems(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[text.Stem(w)] = true
	}
	return m
}

// stopWords carry the question's grammar, not its subject.
var stopWords = set(`a an the this that these those and or but nor so if then than as of at by for from in into on onto to
 with without within about over under between among through during is am are was were be been being do does did
 doing have has had having can could may might must shall should will would ought it its it's he him his she her hers
 they them their theirs we us our ours you your yours i me my mine myself yourself who whom whose who's whos what what's
 whats which when when's where where's why how how's there here not no yes isn't aren't wasn't weren't don't doesn't
 didn't can't couldn't won't wouldn't shouldn't hasn't haven't hadn't s t any some such please tell give explain describe
 know say says said get gets got just also only very much many really actually exactly ever one's someone somebody
 something anyone anything after before until since against because while both each every same per upon toward towards
 across along around again further once other another too ago else whether although though via etc vs`)

// scopeWords say which kind of answer is wanted, or frame the question; an answer need not repeat them.
var scopeWords = stems(`year date day month time city country town place person name kind type sort number amount reason cause
 way mean meaning definition call list difference happen thing example people
 tall high deep long wide thick far large big often old heavy hot cold warm expensive`)

// commonWords stand in texts on any subject, and say less of what a question is about than their rarity among a few
// passages suggests.
var commonWords = stems(`work use make good new go come take see need look think help start part great same small high big
 old first last next best better right left long short early late main different important possible able available
 world life home house man woman child day week today water word line point case fact problem question answer idea
 system group company program state area book show play run move live believe hold bring happen write provide set turn
 follow begin seem keep let mean put become leave feel try ask tell call want like love find give well still even back
 only two three more most other own able allow change check lead open close large full free special certain full sure`)

// irregular brings forms that stemming leaves apart to their base.
var irregular = func() map[string]string {
	m := map[string]string{}
	for _, line := range strings.Split(irregularForms, ";") {
		f := strings.Fields(line)
		for _, form := range f[1:] {
			m[form] = f[0]
		}
	}
	return m
}()

const irregularForms = `arise arose arisen;bear bore born borne birth;become became;begin began begun beginning;bite bit bitten;blow blew blown;
break broke broken;bring brought;build built;burn burnt;buy bought;catch caught;choose chose chosen choice;come came;
deal dealt;die died death dead dying;dig dug;draw drew drawn;drink drank drunk;drive drove driven driver;eat ate eaten;fall fell fallen;feed fed;feel felt;
fight fought;find found;flee fled;fly flew flown flight;forbid forbade forbidden;forget forgot forgotten;freeze froze frozen;give gave given;go went gone;
grow grew grown growth;hang hung;hear heard;hide hid hidden;hold held;keep kept;know knew known;lay laid;lead led;leave left;lend lent;
lie lay lain;light lit;lose lost loss;make made;mean meant;meet met;pay paid;ride rode ridden;ring rang rung;rise rose risen;
run ran;see saw seen;seek sought;sell sold sale;send sent;shake shook shaken;shine shone;shoot shot;show shown;
sing sang sung;sink sank sunk;sit sat;sleep slept;speak spoke spoken speech;spend spent;spin spun;spread spread;stand stood;steal stole stolen;
stick stuck;strike struck;swear swore sworn;swim swam swum;take took taken;teach taught;tear tore torn;tell told;think thought;
throw threw thrown;understand understood;wake woke woken;wear wore worn;win won winner winning;write wrote written writer;
child children;man men;woman women;foot feet;tooth teeth;mouse mice;goose geese;person people;leaf leaves;wolf wolves;life lives;knife knives;
be been;good better best;bad worse worst;marry marriage;introduce introduction;produce production;invent invention inventor;
discover discovery;destroy destruction;decide decision;apply application;require requirement;locate location;
high height;long length;deep depth;wide width;strong strength;weigh weight;fail failure;arrive arrival;analyse analysis analyses`

// alike are words that a question uses and its answer says in others. Each line is a set; a match by it counts for part
// of a match by the word itself.
var alike = func() map[string][]string {
	m := map[string][]string{}
	for _, line := range strings.Split(alikeSets, ";") {
		words := strings.Fields(line)
		for _, a := range words {
			for _, b := range words {
				if ra, rb := root(a), root(b); ra != rb && !slices.Contains(m[ra], rb) {
					m[ra] = append(m[ra], rb)
				}
			}
		}
	}
	return m
}()

const alikeSets = `start begin open launch premiere found establish;end finish close conclude stop cease;release launch publish premiere issue;
die kill perish dead life lives;build construct erect make;make create produce manufacture;cost price pay charge fee spend;located lie stand situated;
film shoot record;play portray star voice role cast;movie film;tv television;car vehicle automobile;doctor physician;kid child;buy purchase acquire;
job career occupation profession work;salary pay wage earn income;middle center centre;color colour;big large huge great;small little tiny;
author write;fix repair mend;help assist aid;use employ apply utilize;show display;tall high height;deep depth;long length last;wide width;old age;
begin start;delete remove erase;create make set;change alter modify edit;keep retain store hold;error failure fault;fast quick speed;
illness disease sickness;symptom sign;treat cure therapy;cause lead result reason;effect impact consequence;allow permit let may;forbid ban prohibit;
live reside dwell settle;marry wife husband spouse;pay paid;yearly annual year;weekly week;daily day;monthly month;increase rise grow raise;decrease fall drop reduce decline;
introduce pass enact establish adopt;capital city;president head;boss chief director;leader head chief;happen occur;need require must;
purpose aim goal;benefit advantage;drawback disadvantage risk;difference differ same unlike;safe danger dangerous;safely danger;join connect link;
warm temperature heat degree;hot temperature heat degree;cold temperature degree;solve resolve;choose select pick;send transmit;win victory champion;lose defeat`

// pronouns open a sentence that leans on the one before it.
var pronouns = set(`it its he his him she her they their them this these those that such both another here there`)

// connectives open a sentence that goes on from the one before it.
var connectives = set(`however therefore thus hence moreover furthermore also but and or so then instead otherwise
 consequently nevertheless still yet similarly additionally finally meanwhile although`)

var months = set(`january february march april may june july august september october november december jan feb mar apr
 jun jul aug sep sept oct nov dec`)

var timeWords = set(`monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter midnight noon
 today tomorrow yesterday annually daily weekly monthly yearly christmas easter century decade era dawn dusk morning
 evening night weekend anniversary quarter bc ad bce ce`)

var durationWords = set(`second seconds minute minutes hour hours day days night nights week weeks month months year years
 decade decades century centuries millisecond milliseconds fortnight generation generations`)

var numberWords = set(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
 sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand
 thousands million millions billion billions dozen dozens half third quarter twice once thrice double triple never none`)

var placeWords = set(`city town village country county state province region district island islands coast river lake
 sea ocean bay mountain mountains valley street road avenue square building castle palace church house museum station
 airport harbour harbor port university north south east west northern southern eastern western capital continent
 kitchen room floor garden forest desert park located situated headquarters headquartered based`)

var placePrepositions = set(`in at near from to off on along across outside inside between within around beneath under
 above behind beside through into`)

var reasonWords = set(`because since due owing therefore thus hence so reason reasons cause caused causes causing
 leads led result results resulted resulting explains explain explained why allows allow helps prevent prevents avoid
 avoids enables means ensure ensures protects keeps purpose order attributed blamed thanks forced made makes`)

var methodVerbs = set(`use set
 run press click open add place put turn select choose make create mix pour apply follow install enter type configure
 start stop keep let hold try ensure check write clean feed heat bake fill cut remove wash build send call ask gather
 shiver restore connect change download read dry boil stir bring wait`)

var unitWords = set(`percent per cent metre metres meter meters kilometre kilometres kilometer kilometers mile miles foot feet inch inches yard
 yards kg kilogram kilograms gram grams pound pounds ton tons tonne tonnes litre litres liter liters cup cups teaspoon
 teaspoons tablespoon tablespoons degree degrees celsius fahrenheit dollar dollars euro euros cent cents franc francs
 byte bytes kilobyte kilobytes megabyte megabytes gigabyte gigabytes kb mb gb tb mm cm km m ms volt volts watt watts
 knot knots times people members points shares words francs crowns bar`)

// titles stand before a person's name.
var titles = set(`mr mrs ms dr sir lady lord king queen president captain professor engineer inventor author actor actress
 director founder minister scientist chancellor prince princess pope saint judge justice senator general colonel`)

// notPeople are written with a capital and are part of other names than people's.
var notPeople = set(`republic federal first second third state states united supreme court north south east west northern
 southern eastern western university college school city county government act law department ministry church war world
 american british english french german european african asian street road river mountain lake island new great big
 national international union league company bank railway party house senate congress parliament council monday tuesday
 wednesday thursday friday saturday sunday internet web google facebook wikipedia season series book film movie tv show
 atlantic pacific ocean sea coast bay cape award prize empire kingdom act bill amendment constitution museum library society association`)

// smallVerbs are the verbs that nearly every sentence of some length has one of.
var smallVerbs = set(`is are was were be been has have had do does did can could may might must shall should will would
 became become becomes made makes make said says plays played wrote won took gave came went got include includes
 isn't aren't wasn't weren't don't doesn't didn't can't won't it's i'm you're they're that's there's means needs
 began used found called known born died led built opened`)

var vague = set(`a an several few many some another each every couple`)

// conditions answer a "when" that asks for a case and not for a date.
var conditions = set(`if when before after until during once whenever unless as`)

// asideVerbs open sentences that send the reader elsewhere.
var asideVerbs = set(`click learn visit explore discover subscribe watch listen browse sign join share examine`)

// asides are said by pages about themselves.
var asides = []string{"click here", "sign up", "see also", "read more", "learn more", "this article", "this page",
	"uses cookies", "privacy policy", "all rights reserved", "copyright ©", "newsletter", "for more information", "find out more",
	"table of contents", "subscribe to", "follow us", "view image", "check out", "in this post", "below is", "go to www", ", go to ", "click on", "read on"}
