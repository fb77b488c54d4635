package attribute

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// saidValue is a value that a segment gives.
type saidValue struct {
	field
	at       ibid.Span
	from, to int  // its tokens
	first    int  // that of its amount: the sign of a currency may stand before it
	aside    bool // it is part of a word
	named    bool // it is part of a name that the data has: aside, too
	starts   int  // 1 for the beginning of a span of time, -1 for its end
}

var (
	saidDate = regexp.MustCompile(`(?i)\b(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?\b(?:,? (?P<y>\d{4})\b)?` +
		`|\b(?P<d2>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?P<m2>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b\.?(?:,? (?P<y2>\d{4})\b)?` +
		`|\b(?P<m3>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? (?P<y3>\d{4})\b|\b(?P<y4>\d{4})-(?P<m4>\d\d)-(?P<d4>\d\d)\b`)
	saidClock = regexp.MustCompile(`(?i)\b(\d{1,2})(?::(\d\d))? ?([ap]\.?m\b\.?)|\b(\d{1,2}):(\d\d)\b`)
	spanOf    = regexp.MustCompile(`(?i)^ ?(?:to|until|till|[-–—])$`)
	monthsOf  = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
)

// valuesSaid are the dates, times and numbers of a segment.
func (c *comparison) valuesSaid() []saidValue {
	var out []saidValue
	text := c.s.text
	add := func(f field, at ibid.Span) {
		if from, to := c.s.covering(at); from < to {
			out = append(out, saidValue{field: f, at: at, from: from, to: to, first: from})
		}
	}
	for _, m := range saidDate.FindAllStringSubmatchIndex(text, maxSaid) {
		add(field{kind: ofDate, date: dateOf(text, m)}, ibid.Span{Start: m[0], End: m[1]})
	}
	for _, m := range saidClock.FindAllStringSubmatchIndex(text, maxSaid) {
		part := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		t := readClock([]string{"", part(1) + part(4), part(2) + part(5), part(3)})
		at := ibid.Span{Start: m[0], End: m[1]}
		if n := len(out); n > 0 && out[n-1].kind == ofTime && spanOf.MatchString(strings.TrimSpace(text[out[n-1].at.End:at.Start])) {
			add(field{kind: ofTime, clock: t}, at)
			if len(out) > n {
				out[n-1].starts, out[n].starts = 1, -1
			}
			continue
		}
		add(field{kind: ofTime, clock: t}, at)
	}
	for k, tok := range c.s.tokens {
		if len(out) >= maxSaid {
			break
		}
		if !tok.Kind.Has(token.Number) || tok.Kind.Has(token.Ordinal) || slices.ContainsFunc(out, func(o saidValue) bool { return o.from <= k && k < o.to }) {
			continue
		}
		if v, ok := c.numberSaid(k); ok {
			if n := len(out) - 1; c.mine.upTo(k) >= 0 {
				v.starts = 1
			} else if n >= 0 && out[n].kind == ofNumber && out[n].starts == 1 && c.mine.upTo(out[n].from) == k {
				v.starts = -1
			}
			out = append(out, v)
		}
	}
	return out[:min(len(out), maxSaid)]
}

// numberSaid is the number at k, with its unit and what goes on in smaller ones: 3 hours and 50 minutes. The word "one" is a number before a unit only.
func (c *comparison) numberSaid(k int) (saidValue, bool) {
	tok := c.s.tokens[k]
	_, first, _ := c.mine.unit(k)
	v := saidValue{field: field{kind: ofNumber, number: tok.Num, amount: amount{value: tok.Num}}, at: tok.At, from: k, to: k + 1, first: min(first, k), aside: c.partOfName(k), named: c.ofName(k)}
	v.aside = v.aside || v.named
	if a, ok := c.mine.amount(k); ok && !tok.Kind.Has(token.Year) && a.unit != whole {
		if v.amount = a; a.to > k+2 && a.from == k && measures[a.unit].of != "" && a.value > tok.Num {
			v.number, v.to = a.value, a.to
		}
		if r, ok := c.mine.rateOf(a); ok {
			v.per = r.per
		}
	}
	return v, !tok.Kind.Has(token.Stop) || tok.Num != 1 || v.amount.unit != "" || c.hasNone(k+1)
}

// hasNone reports whether data says that there is none of what the tokens from k on name: stops: 0, open_recalls: 0.
func (c *comparison) hasNone(k int) bool {
	return slices.ContainsFunc(c.t.fieldsOf(c.a.passage).all, func(f field) bool {
		last := len(f.keys) - 1
		if f.kind != ofNumber || f.number != 0 || last < 0 {
			return false
		}
		for i, key := range f.keys {
			if c.mine.key(k+i) != key {
				return c.mine.key(k) == f.keys[last]
			}
		}
		return true
	})
}

// dateOf reads a date that saidDate found in a text.
func dateOf(text string, m []int) dayOf {
	var d dayOf
	for i, name := range saidDate.SubexpNames() {
		if i == 0 || m[2*i] < 0 {
			continue
		}
		switch w := text[m[2*i]:m[2*i+1]]; name[0] {
		case 'y':
			d.year = atoi(w)
		case 'd':
			d.day = atoi(w)
		default:
			if d.month = slices.Index(monthsOf, strings.ToLower(w)) + 1; d.month == 0 {
				d.month = atoi(w)
			}
		}
	}
	return d
}

// partOfName reports whether the number at k is part of a word, ORD-52673 or 1Z36, or what another one is out of.
func (c *comparison) partOfName(k int) bool {
	at, text := c.s.tokens[k].At, c.s.text
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' || text[i] == '_')
	}
	before := at.Start > 0 && (letter(at.Start-1) || strings.IndexByte("-#/", text[at.Start-1]) >= 0)
	after := (letter(at.End) || at.End < len(text) && text[at.End] == '-' && letter(at.End+1)) && !(k+1 < len(c.s.tokens) && c.s.tokens[k+1].Kind.Has(token.Unit))
	return before || after || c.mine.key(k-1) == "of" && c.mine.key(k-2) == "out"
}

// ofName reports whether the number at k stands behind a capital as it does in the data: iPhone 15, Room 101. The value of such a name is none.
func (c *comparison) ofName(k int) bool {
	if k == 0 {
		return false
	}
	before, tok := c.s.tokens[k-1], c.s.tokens[k]
	return strings.IndexFunc(before.At.In(c.s.text), unicode.IsUpper) >= 0 && c.s.text[before.At.End:tok.At.Start] == " " && c.t.adjoin(c.a.passage, before.Key, tok.Key)
}

// adjoin reports whether two words stand side by side in a passage, with nothing but a blank between them.
func (t *turn) adjoin(passage int, one, other string) bool {
	first, ok := t.byKey[one]
	next, also := t.byKey[other]
	if !ok || !also {
		return false
	}
	text := t.passages[passage].Chunk.Text
	rarer := t.terms[first].heads
	if some := t.terms[next].heads; len(some) < len(rarer) {
		rarer = some
	}
	for _, id := range rarer {
		s := t.sentences[id]
		if s.passage != passage {
			continue
		}
		t.operations += s.end - s.start
		for i := s.start; i+1 < s.end; i++ {
			if a, b := t.tokens[i], t.tokens[i+1]; a.term == first && b.term == next && text[a.end:b.start] == " " {
				return true
			}
		}
	}
	return false
}

// maxSaid bounds how many values of a segment are compared.
const maxSaid = 24

// record are the fields of data that a segment speaks of: those of the only one, or of the one among several that it names, and of what holds it.
type record struct {
	fields []field
	row    int   // 0 where the data has one only
	rows   []int // of several that are named
	named  []ibid.Span
	picked []filter // the values by which it was found, where no single one tells it
}

// recordOf finds it. It is not ok where a segment speaks of one among several and does not say which.
func (c *comparison) recordOf(set fieldSet, values []saidValue) (record, bool) {
	fields := set.all
	said := map[string]bool{}
	for _, tok := range c.s.tokens {
		said[tok.Key] = true
	}
	if m := ofYear.FindStringSubmatch(c.s.text); m != nil {
		said[quarters[strings.ToLower(m[1])]] = true
	}
	has := func(words []string) bool {
		return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !said[w] })
	}
	dates := saidDates(values)
	var r record
	for _, i := range set.ids {
		f := fields[i]
		if f.kind == ofText && !has(f.words) && !has(c.spoken(f.words)) || f.kind == ofDate && !slices.ContainsFunc(dates, func(d dayOf) bool { return d.day > 0 && d.is(f.date) }) {
			continue
		}
		r.rows = append(r.rows, f.Rows[0])
		for _, tok := range c.s.tokens {
			if slices.Contains(f.words, tok.Key) {
				r.named = append(r.named, tok.At)
			}
		}
		if len(r.rows) > 1 {
			return r, false
		}
	}
	if len(r.rows) == 0 {
		r.rows = c.byOtherName(fields, has)
	}
	if len(r.rows) == 0 && len(set.ids) == 0 {
		if picked, rows, ok := c.filters(set, has); ok && len(picked) > 0 && len(rows) == 1 {
			r.rows, r.picked, r.named = rows, picked, c.spansOf(picked)
		}
	}
	switch {
	case len(r.rows) > 1:
		return r, false
	case len(r.rows) == 1:
		r.row = r.rows[0]
	}
	var chain []int
	for _, f := range fields {
		if len(f.Rows) > 0 && f.Rows[0] == r.row {
			chain = f.Rows
		}
	}
	for _, f := range fields {
		if len(f.Rows) == 0 || slices.Contains(f.Rows, r.row) || slices.Contains(chain, f.Rows[0]) {
			r.fields = append(r.fields, f)
		}
	}
	return r, true
}

// spoken are the words of a name without its codes, which people leave out: steel bolt for Steel bolt M8. It has none where the segment has a code itself.
func (c *comparison) spoken(words []string) []string {
	coded := func(s string) bool {
		return strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsLetter)
	}
	if !slices.ContainsFunc(words, coded) || slices.ContainsFunc(c.s.tokens, func(t token.Token) bool { return coded(t.At.In(c.s.text)) }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(words), coded)
}

// ofYear is a quarter in words, and quarters what data has for it.
var (
	ofYear   = regexp.MustCompile(`(?i)\b(first|second|third|fourth|1st|2nd|3rd|4th) quarter\b`)
	quarters = map[string]string{"first": "q1", "second": "q2", "third": "q3", "fourth": "q4", "1st": "q1", "2nd": "q2", "3rd": "q3", "4th": "q4"}
)

// byOtherName are the objects of lists that a segment names by an airline, a customer and the like that no other has.
func (c *comparison) byOtherName(fields []field, has func([]string) bool) []int {
	of := map[string][]int{}
	for _, f := range fields {
		if len(f.Rows) > 0 && len(f.Name) > 0 && f.kind == ofText && naming[f.Name[len(f.Name)-1]] && has(f.words) {
			of[f.Text] = append(of[f.Text], f.Rows[0])
		}
	}
	var out []int
	for _, rows := range of {
		if len(rows) == 1 && !slices.Contains(out, rows[0]) {
			out = append(out, rows[0])
		}
	}
	return out
}

func saidDates(all []saidValue) []dayOf {
	var out []dayOf
	for _, s := range all {
		if s.kind == ofDate {
			out = append(out, s.date)
		}
	}
	return out
}

// speaksOf is how well the words of a segment name a field for a value of it, 0 where they do not, with the tokens that do. A word that stands nearer to
// another value is said of that one, and between two of the one behind it.
func (c *comparison) speaksOf(f field, v saidValue, values []saidValue) (fit float64, by []int) {
	for i, key := range f.keys {
		if i > 0 && f.keys[i-1] == "per" || key == minute {
			continue // of price_per_night, and days_min
		}
		named, token := 0.0, -1
		for _, w := range c.tellers(key) {
			if w.worth > named && !c.nearer(w.token, v, values) {
				named, token = w.worth, w.token
			}
		}
		switch {
		case token >= 0:
			fit, by = fit+named, append(by, token)
		case !vagueKeys[key]:
			fit -= 0.25
		}
	}
	if len(by) == 0 {
		return 0, nil
	}
	return max(fit, 0.1), by
}

// teller is a word of the segment that tells of a field, and how well.
type teller struct {
	token int
	worth float64
}

// tellers are the first words of the segment that tell of fields with a word in their name.
func (c *comparison) tellers(key string) []teller {
	if out, ok := c.telling[key]; ok {
		return out
	}
	var out []teller
	for k, tok := range c.s.tokens {
		tells := slices.Contains(toldBy[tok.Key], key)
		if !tok.Content() || !(tells || tok.Key == key || alike(tok.Key, key) >= 0.7 || slices.Contains(known().same[tok.Key], key)) {
			continue
		}
		w := teller{k, 1}
		if ofListings[tok.Key] && !tells {
			w.worth = 0.5 // your order was shipped: the order's date or the shipment's
		}
		if out = append(out, w); len(out) == maxTellers {
			break
		}
	}
	if c.telling == nil {
		c.telling = map[string][]teller{}
	}
	c.telling[key] = out
	return out
}

// maxTellers bounds how often a word may be repeated.
const maxTellers = 8

var minute = token.Key("min")

// vagueKeys say little in the name of a field.
var vagueKeys = token.Keys(`date time at on value number amount estimated current name of per max min maximum minimum`)

// nearer reports whether a token stands nearer to another value than to v.
func (c *comparison) nearer(k int, v saidValue, values []saidValue) bool {
	gap := func(o saidValue) int { return max(o.first-k, k-o.to+1) }
	return slices.ContainsFunc(values, func(o saidValue) bool {
		return o.from != v.from && !o.named && o.kind == v.kind && (gap(o) < gap(v) || gap(o) == gap(v) && v.from < k && k < o.from)
	})
}

// toldBy are words that tell of a field without its name.
var toldBy = func() map[string][]string {
	out := map[string][]string{}
	for word, names := range map[string]string{
		"cover": "distance", "travel": "distance", "tall": "height", "wide": "width", "deep": "depth", "sleep": "capacity guest", "accommodate": "capacity guest", "hold": "capacity", "seat": "capacity", "old": "age", "aged": "age", "measure": "size", "fit": "capacity guest",
		"cost": "price fare fee amount", "priced": "price", "earn": "salary wage pay", "make": "salary", "paid": "amount total salary", "charged": "amount total", "depart": "departure", "leave": "departure", "arrive": "arrival delivery",
		"land": "arrival", "weigh": "weight", "hired": "hire start", "joined": "hire join start", "placed": "order ordered", "ordered": "order", "shipped": "ship shipped shipping", "delivered": "delivery",
		"begin": "start", "start": "start begin", "finish": "end", "ends": "end", "runs": "start end", "scored": "score points", "released": "release", "expire": "expiration expiry", "due": "due",
	} {
		for _, n := range strings.Fields(names) {
			out[token.Key(word)] = append(out[token.Key(word)], token.Key(n))
		}
	}
	return out
}()

// fields compares the numbers, dates, times and words of a segment with those that data gives to the same thing under the name that the segment has for it.
func (c *comparison) fields() {
	set := c.t.fieldsOf(c.a.passage)
	all := set.all
	if len(all) == 0 || len(c.found) > 0 || !set.tells(c) {
		return
	}
	values := c.valuesSaid()
	r, ok := c.recordOf(set, values)
	if !ok {
		return
	}
	for _, v := range values {
		if !v.aside {
			c.fieldSaid(v, values, r)
		}
	}
	if r.row == 0 {
		c.count(values)
	}
	c.most(r, all)
	c.ofAnother(r, all)
	c.soOf(r)
	c.weekday(values, r)
	if len(c.e.agreed) > 0 && len(c.found) == 0 {
		c.e.agreed = append(c.e.agreed, r.named...)
		for _, v := range values {
			if v.named {
				c.e.agreed = append(c.e.agreed, v.at)
			}
		}
		c.nothingElse()
	}
}

// fieldSaid compares a value of the segment with the field of the record that it names.
func (c *comparison) fieldSaid(v saidValue, values []saidValue, r record) {
	equal := func(f field) bool {
		switch v.kind {
		case ofNumber:
			return f.kind == ofNumber && c.sameNumber(v, f)
		case ofTime:
			return (f.kind == ofTime || f.kind == ofDate) && f.clock.minutes != unsaid && v.clock.is(f.clock)
		}
		return f.kind == ofDate && v.date.is(f.date)
	}
	best, most, by := c.fieldsFor(v, values, r)
	if len(best) == 0 && v.kind == ofNumber && c.s.tokens[v.from].Kind.Has(token.Year) && c.mine.key(v.from-1) == "in" {
		v.field = field{kind: ofDate, date: dayOf{year: int(v.number)}}
		best, most, by = c.fieldsFor(v, values, r)
	}
	switch {
	case slices.ContainsFunc(best, equal):
		c.e.agreed = append(c.e.agreed, v.at)
		for _, k := range by {
			c.e.agreed = append(c.e.agreed, c.s.tokens[k].At)
		}
		if k := v.to; k < len(c.s.tokens) && c.s.tokens[k].Kind.Has(token.Unit) {
			c.e.agreed = append(c.e.agreed, c.s.tokens[k].At)
		}
		if k := v.from - 1; k >= 0 && c.s.tokens[k].Kind.Has(token.Unit) {
			c.e.agreed = append(c.e.agreed, c.s.tokens[k].At)
		}
		return
	case len(best) != 1 || c.loose(v, best[0]) || v.kind == ofNumber && (relative.MatchString(ofYear.ReplaceAllString(c.s.text, "")) || !c.otherNumber(v, best[0], r)):
		return
	}
	if slices.ContainsFunc(c.t.fieldsOf(c.a.passage).all, func(f field) bool { return f.tells(c.s.tokens[v.from].Key) }) {
		return // Visa ending in 4471, and what one of its users says
	}
	if v.starts == 0 && slices.ContainsFunc(r.fields, func(f field) bool {
		fit, _ := c.speaksOf(f, v, values)
		return equal(f) && f.At != best[0].At && (fit > max(0, most-1) || most < 1)
	}) {
		return // of two values that may be meant each is said of its own
	}
	if left, right := c.t.covering(c.a.passage, best[0].At); left < right {
		kind := "number"
		if v.kind != ofNumber {
			kind = "date"
		}
		c.addPlain(kind, v.from, v.to, left, right)
	}
}

// tells reports whether a text has a word, which is no part of a code: 1 in 1HGCM826.
func (f field) tells(key string) bool {
	return f.kind == ofText && slices.Contains(f.words, key) && slices.ContainsFunc(strings.Fields(f.Text), func(w string) bool {
		return !inCode.MatchString(w) && slices.Contains(token.English.ContentKeys(w), key)
	})
}

var inCode = regexp.MustCompile(`[A-Z]\d|\d[A-Z]`)

// loose reports whether a segment says its value so that another one may be meant. About 18 is not 0, nor up to 50 where 10 is the most.
func (c *comparison) loose(v saidValue, f field) bool {
	if v.kind != ofNumber {
		return loosely.MatchString(c.s.text)
	}
	if loosely.MatchString(hedged.ReplaceAllString(c.s.text, "")) {
		return true
	}
	said := v.amount.inUnitOf(f.amount)
	switch hedge, _ := c.mine.hedge(v.first); {
	case hedge == upTo:
		return said <= f.number
	case hedge.rough():
		return off(said, f.number) < 0.3
	}
	return hedged.MatchString(c.s.text)
}

// hedged are the words of loosely that say how far a number may be off.
var hedged = regexp.MustCompile(`(?i)\b(?:up to|about|around|approximately|nearly|almost)\b`)

// relative stand in sentences whose numbers are reckoned from others.
var relative = regexp.MustCompile(`(?i)\b(?:later|earlier|ago|more|less|fewer|older|younger|times|twice|double|half|thirds?|quarters?|reduced|increased|saves?|discount|off)\b`)

// farOff reports whether two numbers are too unlike to be said of the same.
func farOff(a, b float64) bool {
	a, b = math.Abs(a), math.Abs(b)
	if min(a, b) == 0 {
		return max(a, b) > 12
	}
	return max(a, b) > 2000*min(a, b)
}

// fieldsFor are the fields of a record that a value of the segment is said of, how well they are named, and by which tokens. Of money, of a date and of a
// time a record may have one only, which needs no name.
func (c *comparison) fieldsFor(v saidValue, values []saidValue, r record) (best []field, most float64, by []int) {
	paid, _, _ := c.mine.unit(v.from)
	var only []field
	for _, f := range r.fields {
		if f.kind != v.kind && !(v.kind == ofTime && f.kind == ofDate && f.clock.minutes != unsaid) || v.kind == ofNumber && !alikeUnits(v.amount, f.amount) {
			continue
		}
		if v.kind != ofNumber || moneyUnits[paid] && slices.ContainsFunc(f.keys, func(k string) bool { return moneyKeys[k] }) {
			only = append(only, f)
		}
		fit, tokens := c.speaksOf(f, v, values)
		switch {
		case fit == 0 && v.kind == ofNumber:
		case v.starts > 0 && slices.ContainsFunc(f.keys, func(k string) bool { return startKeys[k] }), v.starts < 0 && slices.ContainsFunc(f.keys, func(k string) bool { return endKeys[k] }):
			fit += 2
		case v.starts != 0:
			fit = 0
		}
		if fit <= 0 {
			continue
		}
		if fit > most {
			most, best, by = fit, nil, nil
		}
		if fit == most {
			best, by = append(best, f), append(by, tokens...)
		}
	}
	if len(only) == 0 && v.kind == ofNumber {
		only = onlyOfKind(v, c.mine.key(v.amount.to), r)
	}
	if len(best) == 0 && len(only) == 1 && v.starts == 0 {
		return only, 0.5, nil
	}
	return best, most, by
}

// moneyUnits are those of money, and moneyKeys names of fields that give it.
var moneyUnits, moneyKeys = token.Keys(`dollar euro pound yen`), token.Keys(`price cost fare fee amount total subtotal salary wage pay balance budget revenue`)

var startKeys, endKeys = token.Keys(`start begin from departure depart open min minimum`), token.Keys(`end finish to until arrival arrive close max maximum`)

// addPlain adds a conflict that no judge overrules.
func (c *comparison) addPlain(kind string, from, to, left, right int) {
	c.addSure(kind, from, to, left, right, c.instead(from, to, left, right))
}

// addSure does so with a reason of its own.
func (c *comparison) addSure(kind string, from, to, left, right int, reason string) {
	c.add(kind, from, to, left, right, reason)
	for i := range c.found {
		if c.found[i].from == from && c.found[i].left == left {
			c.found[i].plain = true
		}
	}
}

// rounds reports whether a number is another one with fewer digits: 3.5 for 3.52, 12 for 11.6.
func rounds(mine, theirs float64) bool {
	if theirs == math.Trunc(theirs) {
		return false
	}
	whole := math.Round(theirs)
	return mine == whole && (math.Abs(theirs) >= 10 || math.Abs(theirs-whole) < 0.3) || mine == math.Round(theirs*10)/10 || mine == math.Round(theirs*100)/100
}

// ofAnother finds a text that another object of the list has in place of that of the one that is spoken of.
func (c *comparison) ofAnother(r record, all []field) {
	compared := c.mine.names("than") || c.mine.names("as")
	if r.row == 0 || slices.ContainsFunc(c.s.tokens, func(t token.Token) bool {
		return t.Kind.Has(token.Negation) || t.Kind.Has(token.Compare) && (compared || t.Key != "under")
	}) {
		return
	}
	at := map[string]int{} // of each word the first token
	for k, tok := range c.s.tokens {
		if _, ok := at[tok.Key]; !ok {
			at[tok.Key] = k
		}
	}
	mine := map[string]field{}
	own := map[string]bool{}
	for _, f := range r.fields {
		mine[strings.Join(f.Name, " ")] = f
		for _, w := range f.words {
			own[w] = true
		}
	}
	for _, f := range all {
		m, ok := mine[strings.Join(f.Name, " ")]
		if !ok || f.kind != ofText || m.kind != ofText || len(f.words) == 0 || len(f.Rows) == 0 || f.Rows[0] == r.row || len(m.Rows) == 0 || m.Rows[0] != r.row || f.Text == m.Text {
			continue
		}
		from, to := len(c.s.tokens), 0
		all := !slices.ContainsFunc(f.words, func(w string) bool { return !own[w] })
		for _, w := range f.words {
			k, said := at[w]
			if !said || all {
				to = 0
				break
			}
			from, to = min(from, k), max(to, k+1)
		}
		if to == 0 || to-from > len(f.words)+2 || slices.ContainsFunc(m.words, func(w string) bool { _, said := at[w]; return said }) {
			continue
		}
		if left, right := c.t.covering(c.a.passage, m.At); left < right {
			c.addPlain("exchange", from, to, left, right)
		}
	}
}

var saidWeekday = regexp.MustCompile(`(?i)\b(mon|tues|wednes|thurs|fri|satur|sun)day\b`)

// weekday compares the day of the week that a segment gives with that of the date beside it, or of the only one that the record has.
func (c *comparison) weekday(values []saidValue, r record) {
	m := saidWeekday.FindAllStringIndex(c.s.text, 2)
	if len(m) != 1 {
		return
	}
	said := saidDates(values)
	var day []field
	for _, f := range r.fields {
		if f.kind == ofDate && (len(said) == 0 || said[0].day > 0 && said[0].is(f.date)) && !slices.ContainsFunc(day, func(d field) bool { return d.date == f.date }) {
			day = append(day, f)
		}
	}
	if len(said) > 1 || len(day) != 1 {
		return
	}
	at := ibid.Span{Start: m[0][0], End: m[0][1]}
	d := day[0].date
	is := time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC).Weekday().String()
	if strings.EqualFold(is, at.In(c.s.text)) {
		c.e.agreed = append(c.e.agreed, at)
		return
	}
	from, to := c.s.covering(at)
	left, right := c.t.covering(c.a.passage, day[0].At)
	if from < to && left < right {
		c.addSure("date", from, to, left, right, c.instead(from, to, left, right)+", a "+is)
	}
}
