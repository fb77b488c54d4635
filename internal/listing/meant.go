package listing

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

// meant is what people say for a value that stands for it: the state or the language of a code, how dear a range of prices is. It is empty for
// all others.
func meant(name key, value string) string {
	switch n := strings.ToLower(strings.Join(name.words, " ")); {
	case n == "state":
		return states[value]
	case n == "language" || n == "languages" || n == "lang":
		return languages[strings.ToLower(value)]
	case n == "stops" && value == "0":
		return "nonstop"
	case len(value) == 3 && slices.ContainsFunc(name.words, func(w string) bool { return flown[strings.ToLower(w)] }):
		return airports[value]
	case strings.Contains(n, "price range"):
		return prices[value]
	}
	return ""
}

// counted is the unit of a leaf's numbers where its name ends with one, or the name of what holds it: monthly_usd, fees_eur. It is empty where
// none does, and where something in it is no number.
func (l leaf) counted(data string) string {
	for _, at := range l.at {
		if !plainNumber.MatchString(at.In(data)) {
			return ""
		}
	}
	if unit, _ := l.own.unit(l.qualified); unit != "" {
		return unit
	}
	if unit, i := l.over.unit(false); i > 0 && shortUnits[strings.ToLower(l.over.words[i])] == "" {
		return unit
	}
	return ""
}

// bounded marks the leaves whose last word is none of a unit, as another one of the object tells, whose name ends with max: days_min beside days_max is the least of days and no
// minute, runtime_min_eco beside runtime_min_max is in minutes as that is.
func (r *reader) bounded() {
	type name struct {
		of    int
		words string
	}
	most := map[name]bool{}
	for _, l := range r.leaves {
		if before, last := l.own.cut(); last == "max" {
			most[name{l.of, before}] = true
		}
	}
	for i, l := range r.leaves {
		before, last := l.own.cut()
		r.leaves[i].qualified = (last == "min" || units[last] == "" && shortUnits[last] == "") && most[name{l.of, before}]
	}
}

// cut gives all words of a name but the last, and that, in small letters.
func (k key) cut() (before, last string) {
	all := strings.ToLower(strings.Join(k.words, " "))
	i := strings.LastIndexByte(all, ' ')
	return all[:max(i, 0)], all[i+1:]
}

// scaled is a plain number of thousandths or hundredths in the unit that people say, with what it is of; false where it is none: duration_ms, and price_cents
// beside a currency.
func (l leaf) scaled(data string, m measure) (number, unit string, ok bool) {
	if len(l.at) != 1 || len(l.own.words) < 2 || !plainNumber.MatchString(l.at[0].In(data)) {
		return "", "", false
	}
	n, err := strconv.ParseFloat(l.at[0].In(data), 64)
	if err != nil {
		return "", "", false
	}
	if m.currency == "" {
		m.currency = m.around
	}
	switch last := strings.ToLower(l.own.words[len(l.own.words)-1]); {
	case last == "ms" && n >= 1000:
		return strconv.FormatFloat(n/1000, 'f', -1, 64), "seconds", true
	case (last == "cents" || last == "cent") && m.currency != "":
		return strconv.FormatFloat(n/100, 'f', 2, 64), m.currency, true
	}
	return "", "", false
}

// measure is what the numbers of an object are of, by the leaves beside them: money, and amounts of anything.
type measure struct{ currency, around, unit string }

// measures reads them for each object, and the currency of what is around it.
func (r *reader) measures() []measure {
	out := make([]measure, r.objects+1)
	for _, l := range r.leaves {
		if len(l.at) != 1 || len(l.own.words) != 1 {
			continue
		}
		name, value := strings.ToLower(l.own.words[0]), strings.TrimSpace(l.at[0].In(r.s))
		switch said := units[strings.ToLower(value)]; {
		case (name == "currency" || name == "unit") && signs[value] != "":
			out[l.of].currency = signs[value]
		case name == "currency" && said != "":
			out[l.of].currency = said
		case name == "currency" && money.MatchString(value):
			out[l.of].currency = value
		case (name == "unit" || name == "units") && said != "":
			out[l.of].unit = said
		case (name == "unit" || name == "units") && oneUnit.MatchString(value):
			out[l.of].unit = value
		}
	}
	for of := 1; of <= r.objects; of++ { // one that holds another comes before it
		if in := r.within[of-1]; in > 0 {
			if out[of].around = out[in].currency; out[of].around == "" {
				out[of].around = out[in].around
			}
		}
	}
	return out
}

// beside is the unit that another leaf gives for the numbers of a leaf: a currency for what is paid, a unit for an amount that has no other name.
func (l leaf) beside(m measure, data string) string {
	if len(l.own.words) == 0 || slices.ContainsFunc(l.at, func(at ibid.Span) bool { return !plainNumber.MatchString(at.In(data)) }) {
		return ""
	}
	switch name := strings.ToLower(l.own.words[len(l.own.words)-1]); {
	case m.currency != "" && (costs[name] || sums[name]):
		return m.currency
	case m.currency == "" && costs[name]:
		return m.around
	case len(l.own.words) == 1 && amounts[name]:
		return m.unit
	}
	return ""
}

var (
	signs   = map[string]string{"$": "dollars", "€": "euros", "£": "pounds", "¥": "yen"}
	money   = regexp.MustCompile(`^[A-Z]{3}$`)
	oneUnit = regexp.MustCompile(`^[A-Za-zµ°%/²³]{1,12}$`)
	costs   = wordSet(`price cost fare fee fees subtotal salary wage revenue`)
	sums    = wordSet(`amount value total pay balance budget tax shipping`) // of money where a currency stands beside them
	amounts = wordSet(`amount value quantity reading measurement`)
)

var plainNumber = regexp.MustCompile(`^-?\d+(?:\.\d+)?$`)

// unit is the one that a name ends with, before a word for a minimum or a maximum, and the place of its word: monthly_usd, weight_kg_max. A name that is nothing else
// may say what it is of: minutes of a meeting. Qualified tells that its last word is none of a unit.
func (k key) unit(qualified bool) (string, int) {
	i := len(k.words) - 1
	if i > 0 && (qualified || strings.EqualFold(k.words[i], "max")) {
		i--
	}
	if i < 1 {
		return "", 0
	}
	last, before := strings.ToLower(k.words[i]), strings.ToLower(k.words[i-1])
	if degree := map[string]string{"c": "°C", "f": "°F"}[last]; degree != "" && heat[before] {
		return degree, i
	}
	if unit := units[last]; unit != "" {
		return unit, i
	}
	if last != "in" || sides[before] {
		return shortUnits[last], i
	}
	return "", 0
}

func (k key) withoutUnit(qualified bool) key {
	unit, i := k.unit(qualified)
	if unit == "" {
		return k
	}
	return key{slices.Delete(slices.Clone(k.words), i, i+1), slices.Delete(slices.Clone(k.of), i, i+1)}
}

// heat is what a C or an F behind it says the degrees of: temp_c, high_f.
var heat = wordSet(`temp temperature high low max min maximum minimum like point`)

// shortUnits are those that stand for something else at the end of a name that is no single one's: sizes_m may be the middle ones. They are not looked for in the name
// of what holds a value.
var shortUnits = map[string]string{
	"ms": "ms", "s": "seconds", "h": "hours", "m": "m", "in": "inches", "inches": "inches", "g": "g", "grams": "g", "mg": "mg", "oz": "ounces", "l": "liters", "ml": "ml", "liters": "liters", "litres": "liters",
	"w": "watts", "kw": "kW", "watts": "watts", "wh": "Wh", "kwh": "kWh", "mah": "mAh", "hz": "Hz", "ghz": "GHz", "mbps": "Mbps", "kcal": "kcal", "nm": "Nm", "sqft": "square feet", "sqm": "square meters", "m2": "square meters",
}

// sides are what inches behind them are of: size_in, but not check_in.
var sides = wordSet(`size width height depth length diagonal screen display thickness wheel`)

// units are what names end with, and what people say.
var units = map[string]string{
	"pct": "percent", "percent": "percent", "percentage": "percent", "usd": "dollars", "eur": "euros", "gbp": "pounds",
	"gb": "GB", "mb": "MB", "tb": "TB",
	"km": "km", "cm": "cm", "mm": "mm", "kg": "kg", "mi": "miles", "miles": "miles", "ft": "feet", "gal": "gallons", "gallons": "gallons", "lb": "pounds", "lbs": "pounds",
	"sec": "seconds", "secs": "seconds", "seconds": "seconds", "min": "minutes", "mins": "minutes", "minutes": "minutes", "hrs": "hours", "hours": "hours",
	"days": "days", "weeks": "weeks", "months": "months", "years": "years", "mph": "mph", "kmh": "km/h", "kph": "km/h", "celsius": "°C", "fahrenheit": "°F",
}

// prices are what directories of businesses mean by their ranges of one to four dollar signs.
var prices = map[string]string{
	"1": "inexpensive", "2": "mid-priced", "3": "upscale, expensive", "4": "very expensive",
	"$": "inexpensive", "$$": "mid-priced", "$$$": "upscale, expensive", "$$$$": "very expensive",
}

// flown are words in the names of fields that give an airport.
var flown = wordSet(`airport origin destination from to departure arrival layover stopover via iata connection connections`)

// airports are the cities of those with most passengers, by the codes of IATA.
var airports = codes(`ATL Atlanta
DFW Dallas
DAL Dallas
DEN Denver
ORD Chicago
MDW Chicago
LAX Los Angeles
JFK New York
LGA New York
EWR Newark
LAS Las Vegas
MCO Orlando
MIA Miami
FLL Fort Lauderdale
CLT Charlotte
SEA Seattle
PHX Phoenix
SFO San Francisco
OAK Oakland
SJC San Jose
SAN San Diego
IAH Houston
HOU Houston
BOS Boston
MSP Minneapolis
DTW Detroit
PHL Philadelphia
SLC Salt Lake City
BWI Baltimore
DCA Washington
IAD Washington
TPA Tampa
AUS Austin
BNA Nashville
PDX Portland
STL St. Louis
MSY New Orleans
RDU Raleigh
SMF Sacramento
HNL Honolulu
ANC Anchorage
CLE Cleveland
PIT Pittsburgh
IND Indianapolis
YYZ Toronto
YVR Vancouver
YUL Montreal
YYC Calgary
MEX Mexico City
CUN Cancún
GRU São Paulo
GIG Rio de Janeiro
EZE Buenos Aires
BOG Bogotá
LIM Lima
SCL Santiago
LHR London
LGW London
STN London
MAN Manchester
EDI Edinburgh
DUB Dublin
CDG Paris
ORY Paris
NCE Nice
AMS Amsterdam
BRU Brussels
FRA Frankfurt
MUC Munich
BER Berlin
HAM Hamburg
DUS Düsseldorf
ZRH Zurich
GVA Geneva
VIE Vienna
PRG Prague
WAW Warsaw
BUD Budapest
CPH Copenhagen
ARN Stockholm
OSL Oslo
HEL Helsinki
KEF Reykjavik
MAD Madrid
BCN Barcelona
LIS Lisbon
OPO Porto
FCO Rome
MXP Milan
LIN Milan
VCE Venice
NAP Naples
ATH Athens
IST Istanbul
SAW Istanbul
TLV Tel Aviv
CAI Cairo
DXB Dubai
AUH Abu Dhabi
DOH Doha
RUH Riyadh
NBO Nairobi
ADD Addis Ababa
LOS Lagos
JNB Johannesburg
CPT Cape Town
DEL Delhi
BOM Mumbai
BLR Bengaluru
SIN Singapore
KUL Kuala Lumpur
BKK Bangkok
CGK Jakarta
MNL Manila
HKG Hong Kong
TPE Taipei
PEK Beijing
PKX Beijing
PVG Shanghai
CAN Guangzhou
ICN Seoul
GMP Seoul
NRT Tokyo
HND Tokyo
KIX Osaka
SYD Sydney
MEL Melbourne
BNE Brisbane
PER Perth
AKL Auckland
`)

// languages are those most often found in data, by the codes of ISO 639-1.
var languages = map[string]string{
	"ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
	"et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian",
	"it": "Italian", "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
	"ru": "Russian", "sk": "Slovak", "sl": "Slovene", "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}

// states are those of the United States and the provinces of Canada, by the codes of their post.
var states = codes(`AL Alabama
AK Alaska
AZ Arizona
AR Arkansas
CA California
CO Colorado
CT Connecticut
DE Delaware
DC District of Columbia
FL Florida
GA Georgia
HI Hawaii
ID Idaho
IL Illinois
IN Indiana
IA Iowa
KS Kansas
KY Kentucky
LA Louisiana
ME Maine
MD Maryland
MA Massachusetts
MI Michigan
MN Minnesota
MS Mississippi
MO Missouri
MT Montana
NE Nebraska
NV Nevada
NH New Hampshire
NJ New Jersey
NM New Mexico
NY New York
NC North Carolina
ND North Dakota
OH Ohio
OK Oklahoma
OR Oregon
PA Pennsylvania
RI Rhode Island
SC South Carolina
SD South Dakota
TN Tennessee
TX Texas
UT Utah
VT Vermont
VA Virginia
WA Washington
WV West Virginia
WI Wisconsin
WY Wyoming
AB Alberta
BC British Columbia
MB Manitoba
NB New Brunswick
NS Nova Scotia
ON Ontario
QC Quebec
SK Saskatchewan
`)

// codes reads a list of a code and what it stands for a line.
func codes(list string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(list) {
		code, meaning, _ := strings.Cut(strings.TrimSpace(line), " ")
		m[code] = meaning
	}
	return m
}
