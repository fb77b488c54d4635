package token

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/internal/listing"
)

// The word lists of this file are ours. Each is a line or two; what a list is for stands above it.

func set(k Kind, words string, to map[string]Kind) {
	for _, w := range strings.Fields(words) {
		to[w] |= k
	}
}

// classes tells the kinds of a word by its lower-case form.
var classes = func() map[string]Kind {
	m := map[string]Kind{}
	set(Stop, `a an the of to in on at by for from with as into onto upon about over under between among through during
		within and or but nor so yet if then than that which who whom whose what when where while because since although though
		is am are was were be been being do does did done doing have has had having will would shall should can could may might must
		i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this these those there here
		itself himself herself themselves myself yourself ourselves
		also too very just such own same other another each any both either neither one ones such rather quite
		up out off down again once per via etc e.g i.e how why not no s t re ve ll d m ie eg
		according however therefore thus hence moreover furthermore additionally overall indeed`, m)
	set(Pronoun, `he him his she her hers it its they them their theirs this these those`, m)
	set(Negation|Stop, `not no non never none neither nor nobody nothing nowhere without cannot hardly scarcely`, m)
	// These deny what follows, but weigh as words.
	set(Negation|Verbal, `fail fails failed failing unable lack lacks lacked lacking deny denies denied refuse refuses refused`, m)
	set(Quantifier, `all every each most many some few several none any both half majority minority only always never often sometimes
		rarely usually entirely partly completely exclusively`, m)
	set(Compare, `more less fewer higher lower greater smaller larger bigger better worse older younger longer shorter earlier later
		faster slower before after above below over under increase increases increased decrease decreases decreased rise rises rose risen fall
		falls fell fallen least most highest lowest largest smallest oldest youngest best worst first last`, m)
	set(Month, `january february march april may june july august september october november december
		jan feb mar apr jun jul aug sept sep oct nov dec`, m)
	set(Unit, `percent km kilometre kilometer kilometres kilometers m metre meter metres meters cm mm mile miles foot feet inch inches kg
		kilogram kilograms g gram grams mg milligram milligrams µg μg mcg microgram micrograms milliliter millilitre milliliters millilitres centimetre centimeter centimetres centimeters millimetre millimeter millimetres millimeters cent cents tonne tonnes ton tons pound pounds lb lbs ounce ounces litre liter litres liters ml grammes kilogramme kilogrammes hour hours minute minutes
		second seconds day days week weeks month months year years decade decades century centuries dollar dollars euro euros usd gbp eur yen yuan ruble rubles rouble roubles zloty zlotys krona kronor krone kroner lira rupee rupees franc francs brl
		celsius fahrenheit degrees mph kmh kph yard yards yd yds teaspoon teaspoons tsp tablespoon tablespoons tbsp gallon gallons gal quart quarts pint pints mth mths mos wk wks hectare hectares acre acres ft oz kilo kilos gramme hr hrs min mins sec secs yr yrs pct
		kilobyte kilobytes kb megabyte megabytes mb gigabyte gigabytes gb terabyte terabytes tb kilobit kilobits kbps megabit megabits mbps gigabit gigabits gbps`, m)
	return m
}()

// Signs are characters that count as words.
var Signs = map[rune]string{'%': "percent", '$': "dollar", '€': "euro", '£': "pound", '¥': "yen", '°': "degre", '％': "percent", '￥': "yen", '₺': "lira", '₽': "rubl"}

// unitNames gives each unit one name.
var unitNames = pairs(`km kilometer kilometre kilometer kilometres kilometer kilometers kilometer m meter metre meter metres meter meters meter cm centimeter
	centimetre centimeter mm millimeter millimetre millimeter miles mile feet foot ft foot inches inch kg kilogram kilograms kilogram kilo kilogram kilos kilogram mg milligram µg microgram μg microgram mcg microgram micrograms microgram
	centimetres centimeter millimetres millimeter millilitre milliliter millilitres milliliter grammes gram kilogramme kilogram kilogrammes kilogram
	g gram grams gram gramme gram tonnes ton tonne ton tons ton lb pound lbs pound pounds pound ounces ounce oz ounce litre liter litres liter liters liter ml milliliter
	yards yard yd yard yds yard teaspoons teaspoon tsp teaspoon tablespoons tablespoon tbsp tablespoon gallons gallon gal gallon quarts quart pints pint kph kmh mth month mths month mos month wk week wks week
	hrs hour hr hour hours hour min minute mins minute minutes minute sec second secs second seconds second yrs year yr year years year pct percent percentage percent percents percent
	kilobytes kilobyte kb kilobyte megabytes megabyte mb megabyte gigabytes gigabyte gb gigabyte terabytes terabyte tb terabyte kilobits kilobit kbps kilobit megabits megabit mbps megabit gigabits gigabit gbps gigabit
	usd dollar dollars dollar eur euro euros euro gbp pound rouble ruble roubles ruble kronor krona krone krona kroner krona jan january feb february mar march apr april jun june jul july aug august sept september sep september
	oct october nov november dec december us usa uk britain`)

// irregular gives the plain form of words that stemming does not join.
var irregular = pairs(`was be were be is be are be been be am be has have had have did do does do done do went go gone go goes go
	wrote write written write won win began begin begun begin became become came come took take taken take gave give given give made make
	said say told tell found find left leave led lead held hold built build sold sell bought buy brought bring thought think taught teach
	caught catch fought fight sought seek met meet sent send spent spend lost lose paid pay kept keep felt feel stood stand understood understand
	knew know known know grew grow grown grow flew fly flown fly drew draw drawn draw threw throw thrown throw rose rise risen rise fell fall fallen fall
	ran run sang sing sung sing saw see seen see spoke speak spoken speak broke break broken break chose choose chosen choose stole steal stolen steal
	drove drive driven drive rode ride ridden ride ate eat eaten eat shot shoot struck strike hid hide hidden hide bore bear born bear borne bear
	wore wear worn wear swore swear sworn swear tore tear torn tear shown show proven prove sank sink sunk sink swam swim lay lie shrank shrink shrunk shrink
	children child men man women woman people person feet foot teeth tooth mice mouse geese goose lives life wives wife knives knife
	leaves leaf halves half wolves wolf criteria criterion phenomena phenomenon data datum media medium bacteria bacterium viri virus
	better good best good worse bad worst bad died die death die dead die dies die dying die
	sq square cu cubic temp temperature temps temperature approx approximately avg average max maximum incl including dept department ave avenue blvd boulevard rd road hwy highway pkwy parkway ste suite info information govt government
	gop republican movie film movies film films film tv television ` + origins)

// origins are what people and things of a country are called, with the country.
const origins = `american america british britain english england french france german germany italian italy spanish spain chinese china japanese japan
	russian russia canadian canada australian australia indian india mexican mexico european europe african africa asian asia irish ireland scottish scotland
	dutch netherlands swedish sweden norwegian norway danish denmark polish poland turkish turkey greek greece korean korea brazilian brazil
	israeli israel iranian iran iraqi iraq egyptian egypt swiss switzerland portuguese portugal austrian austria belgian belgium finnish finland`

// Peoples are the words of origins that name no country, and Countries the keys that both have.
var Peoples, Countries = func() (people, country map[string]bool) {
	people, country = map[string]bool{}, map[string]bool{}
	for p := range pairs(origins) {
		people[p], country[Normal(p)] = true, true
	}
	return people, country
}()

func pairs(s string) map[string]string {
	f := strings.Fields(s)
	m := make(map[string]string, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		m[f[i]] = f[i+1]
	}
	return m
}

var numberWords = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
	"twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
	"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1e3,
	"million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12, "bn": 1e9, "mn": 1e6,
}

var ordinalWords = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20,
	"thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90,
}

// MonthKeys are the normal forms of the months.
var MonthKeys = [12]string{"januari", "februari", "march", "april", "may", "june", "juli", "august", "septemb", "octob", "novemb", "decemb"}

// monthNames are the months by their keys.
var monthNames = func() map[string]string {
	m := map[string]string{}
	for _, name := range strings.Fields("January February March April May June July August September October November December") {
		m[Normal(strings.ToLower(name))] = name
	}
	return m
}()

// confusable maps letters of other scripts to the Latin ones they look like.
var confusable = func() map[rune]rune {
	m := map[rune]rune{}
	for _, p := range []struct{ a, b rune }{{'а', 'a'}, {'в', 'b'}, {'с', 'c'}, {'ԁ', 'd'}, {'е', 'e'}, {'һ', 'h'}, {'н', 'h'}, {'і', 'i'}, {'ј', 'j'}, {'к', 'k'},
		{'ӏ', 'l'}, {'м', 'm'}, {'ո', 'n'}, {'п', 'n'}, {'о', 'o'}, {'р', 'p'}, {'ԛ', 'q'}, {'г', 'r'}, {'ѕ', 's'}, {'т', 't'}, {'υ', 'u'}, {'ν', 'v'}, {'ѵ', 'v'},
		{'ԝ', 'w'}, {'х', 'x'}, {'у', 'y'}, {'ο', 'o'}, {'α', 'a'}, {'ρ', 'p'}, {'τ', 't'}, {'ι', 'i'}, {'κ', 'k'}, {'ε', 'e'}, {'γ', 'y'}, {'χ', 'x'}, {'η', 'n'}} {
		m[p.a] = p.b
	}
	return m
}()

// Key is the normal form of a word as Scan gives it.
func Key(w string) string {
	if v, ok := ordinalWords[w]; ok {
		return OrdinalKey(v)
	}
	return Normal(w)
}

// Keys are the normal forms of the words of a list.
func Keys(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[Key(w)] = true
	}
	return m
}

// Words are the words of a list as they are.
func Words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// Weekday is which day of the week a word is, from 0, and -1 for none.
func Weekday(key string) int {
	return slices.Index(listing.Weekdays, key)
}

// Parts are words for equal parts of a whole, with their number.
var Parts = map[string]float64{"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}

// Letters reports whether a word is made of small Latin letters alone.
func Letters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' })
}

// Clip is the beginning of a text, of at most n bytes and of whole characters.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Lengths are how many metres the units of length have.
var Lengths = func() map[string]float64 {
	m := map[string]float64{}
	for unit, metres := range map[string]float64{"millimeter": .001, "centimeter": .01, "inch": .0254, "foot": .3048, "yard": .9144, "meter": 1, "kilometer": 1000, "mile": 1609.344} {
		m[Normal(unit)] = metres
	}
	return m
}()

// Keys of units that the rules name.
var century, years, hour, celsius, fahrenheit = Normal("century"), Normal("year"), Normal("hour"), Normal("celsius"), Normal("fahrenheit")

// Rough are words beside a number that make room for others on one side of it or both: about.
var Rough = Words(`about around approxim rough near almost circa some close region neighborhood like`)
