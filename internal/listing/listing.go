// Package listing reads data, as tools and databases give it, as lines that can be compared with sentences.
package listing

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// Lines are data in words: of {"BusinessParking": {"garage": false}} the line "No garage Business Parking." Each part of them knows
// where in the data it stands.
type Lines struct {
	Text   string
	Hours  []Hours // of business; none where the data has those of several weeks
	Stars  []Stars // ratings
	Values []Value
	Lists  []List // of objects
	Record bool   // somebody wrote it for people to read
	data   string
	parts  []part
}

// Stars are a rating: of the thing that the data is of, or by one of those who reviewed it.
type Stars struct {
	Value    float64
	Reviewer bool
	At       ibid.Span // in the lines, with its name
}

// Value is a named one.
type Value struct {
	Name []string  // its words in small letters, behind those of what holds it
	Rows []int     // those of several like it that have the value, the innermost first
	Text string    // as the data has it
	At   ibid.Span // in the lines
	So   bool      // it says that something is so, or not
}

// List is one of objects, by its name and theirs as Values have them.
type List struct {
	Name []string
	Rows []int
}

// Hours are those of a day of the week, as minutes of the day.
type Hours struct {
	Day         int // of Weekdays
	Closed      bool
	Open, Close int
	At          ibid.Span // in the lines
}

// part of lines: from there to the next it stands for a place of the data, byte by byte where it is copied.
type part struct {
	from   int
	of     ibid.Span
	copied bool
}

// Read gives the lines of data: of objects and lists, as JSON and Python write them, alone or one behind the other, and of tables with a line
// that names the columns. It reports false for what is no data, or holds no named value.
func Read(s string) (Lines, bool) {
	r := reader{s: s, rows: map[int]bool{}}
	if !r.objectsAndLists() {
		if r = (reader{s: s, rows: map[int]bool{}}); !r.table() { // of what was begun nothing is left
			return Lines{}, false
		}
	}
	lines := r.lines()
	return lines, r.objects > 0 && lines.Text != ""
}

// lines says what was read.
func (r *reader) lines() Lines {
	r.bounded()
	w := writer{s: r.s, rows: r.rowsOf, listed: r.rows, around: map[int]bool{}, measures: r.measures(), records: r.records}
	short := map[int][]leaf{} // of each object
	for _, l := range r.leaves {
		if l.short() {
			short[l.of] = append(short[l.of], l)
		}
	}
	for of, leaves := range short {
		w.around[of] = aroundTheClock(r.s, leaves)
	}
	for _, l := range r.leaves {
		for _, s := range short[l.of] { // said first, together
			w.leaf(s)
		}
		w.closed(short[l.of])
		delete(short, l.of)
		switch {
		case l.prose:
			w.copy(l.at[0])
		case !l.short():
			w.leaf(l)
		}
	}
	w.stop()
	return Lines{w.out.String(), w.week(), w.stars, w.values, r.lists, r.records, r.s, w.parts}
}

// Told reports whether a function says so of a sentence that is a value, or of all names.
func (l Lines) Told(of func(string) bool) bool {
	var names []string
	for _, v := range l.Values {
		if len(strings.Fields(v.Text)) > 3 && of(v.Text) {
			return true
		}
		names = append(names, v.Name...)
	}
	return of(strings.Join(slices.DeleteFunc(names, func(w string) bool { return len(w) == 1 }), " "))
}

// Back is the place in the data of a run of the lines. A name with its value is given with the quotes around both.
func (l Lines) Back(at ibid.Span) ibid.Span {
	i := max(0, sort.Search(len(l.parts), func(i int) bool { return l.parts[i].from > at.Start })-1)
	var out ibid.Span
	for first := i; i < len(l.parts) && (i == first || l.parts[i].from < at.End); i++ {
		p, end := l.parts[i], len(l.Text)
		if i+1 < len(l.parts) {
			end = l.parts[i+1].from
		}
		of := p.of
		if p.copied {
			of = ibid.Span{Start: of.Start + max(0, at.Start-p.from), End: of.End - max(0, end-at.End)}
		}
		if i == first {
			out = of
		}
		out = ibid.Span{Start: min(out.Start, of.Start), End: max(out.End, of.End)}
	}
	if strings.Count(out.In(l.data), `"`) == 1 && out.Start > 0 && l.data[out.Start-1] == '"' { // the first of a row of cells stands in quotes
		out.Start--
	}
	if run := out.In(l.data); strings.Contains(run, `":`) || strings.Contains(run, `':`) {
		quote := func(i int) bool { return i >= 0 && i < len(l.data) && (l.data[i] == '"' || l.data[i] == '\'') }
		if quote(out.Start - 1) {
			out.Start--
		}
		if quote(out.End) {
			out.End++
		}
	}
	return out
}

// writer puts leaves into lines. What is short goes on in one line with what the same object says beside it.
type writer struct {
	s      string
	out    strings.Builder
	parts  []part
	start  int // of the line, in out
	of     int // the object whose line can go on, 0 for none
	last   ibid.Span
	hours  []Hours
	stars  []Stars
	values []Value
	rows   func(object int) []int
	listed map[int]bool // objects of lists

	around   map[int]bool // objects whose hours go around the clock every day
	measures []measure    // of each object
	records  bool
}

// maxLine bounds a line that goes on, in bytes.
const maxLine = 250

// say writes words that stand for a place of the data. A line begins with a capital.
func (w *writer) say(text string, of ibid.Span) {
	if text == "" {
		return
	}
	w.parts = append(w.parts, part{w.out.Len(), of, len(text) == of.Len() && strings.EqualFold(text, of.In(w.s))})
	if first, n := utf8.DecodeRuneInString(text); w.out.Len() == w.start && utf8.RuneLen(unicode.ToUpper(first)) == n {
		text = string(unicode.ToUpper(first)) + text[n:]
	}
	w.out.WriteString(text)
	w.last = of
}

// stop ends the line.
func (w *writer) stop() {
	if w.out.Len() > w.start {
		end := ".\n"
		if s := w.out.String(); strings.IndexByte(".!?", s[len(s)-1]) >= 0 {
			end = "\n"
		}
		w.say(end, ibid.Span{Start: w.last.End, End: w.last.End})
		w.start = w.out.Len()
	}
	w.of = 0
}

// copy writes what stands around data as it stands.
func (w *writer) copy(at ibid.Span) {
	w.stop()
	w.parts = append(w.parts, part{w.out.Len(), at, true})
	if w.out.WriteString(at.In(w.s)); !strings.HasSuffix(at.In(w.s), "\n") {
		w.parts = append(w.parts, part{from: w.out.Len(), of: ibid.Span{Start: at.End, End: at.End}})
		w.out.WriteByte('\n')
	}
	w.start, w.last = w.out.Len(), at
}

// leaf writes a value with its name. Of nothing there is nothing to say.
func (w *writer) leaf(l leaf) {
	before := ibid.Span{Start: l.at[0].Start, End: l.at[0].Start}
	if len(l.at) == 1 {
		switch value := l.at[0].In(w.s); strings.ToLower(strings.TrimSpace(value)) {
		case "", "null", "nan", "n/a":
			return
		case "none":
			if !w.word(l.at[0]) {
				return
			}
			fallthrough
		case "false", "no":
			w.so(l, false)
			return
		case "true", "yes":
			w.so(l, true)
			return
		}
	}
	counted := l.counted(w.s)
	scaled, scale, other := l.scaled(w.s, w.measures[l.of])
	switch {
	case other:
		n := len(l.own.words) - 1
		counted, l.own = scale, key{l.own.words[:n], l.own.of[:n]}
	case counted != "":
		l.own, l.over = l.own.withoutUnit(l.qualified), l.over.withoutUnit(false)
	default:
		counted = l.beside(w.measures[l.of], w.s)
	}
	day := l.day(w.s)
	if day >= 0 {
		l.own.words = []string{Weekdays[day]}
	}
	short, start := l.short(), 0
	if short && w.of == l.of && w.out.Len()-w.start+l.at[0].Len() < maxLine {
		w.say(", ", before)
		start = w.out.Len()
		w.name(l.own)
	} else {
		w.stop()
		if l.within() { // it stands elsewhere: the line is of the leaf's own place
			at := l.own.of[0].Start
			w.say(strings.Join(l.over.words, " ")+" ", ibid.Span{Start: at, End: at})
		}
		start = w.out.Len()
		w.name(l.own)
	}
	if w.out.Len() > w.start {
		w.say(": ", before)
	}
	from := w.out.Len()
	for i, at := range l.at {
		if i > 0 {
			w.say(", ", ibid.Span{Start: at.Start, End: at.Start})
		}
		if means := meant(l.own, at.In(w.s)); means != "" {
			w.say(means+" (", ibid.Span{Start: at.Start, End: at.Start})
			w.value(at)
			w.say(")", ibid.Span{Start: at.End, End: at.End})
			continue
		}
		if day >= 0 && w.around[l.of] {
			w.say("open 24 hours", at)
			continue
		}
		if other {
			w.say(scaled, at)
		} else {
			w.value(at)
		}
		if counted != "" {
			w.say(" "+counted, ibid.Span{Start: at.End, End: at.End})
		}
	}
	if day >= 0 {
		m := opened.FindStringSubmatch(l.at[0].In(w.s))
		open, close := minutes(m[1], m[2]), minutes(m[3], m[4])
		w.hours = append(w.hours, Hours{day, open == 0 && close == 0 && !w.around[l.of], open, close, ibid.Span{Start: start, End: w.out.Len()}})
	}
	if len(l.at) == 1 {
		v := Value{Name: w.nameOf(l), Rows: w.rows(l.of), Text: l.at[0].In(w.s), At: ibid.Span{Start: from, End: w.out.Len()}}
		if other {
			v.Text = scaled
		}
		w.values = append(w.values, v)
	}
	if value, ok := l.rating(w.s); ok {
		w.stars = append(w.stars, Stars{value, l.reviewed(), ibid.Span{Start: start, End: w.out.Len()}})
	}
	if w.of = l.of; !short {
		w.stop()
	}
}

// so writes what is so or not in a line of its own.
func (w *writer) so(l leaf, yes bool) {
	w.stop()
	start, text := w.out.Len(), "no"
	if !yes {
		w.say("no ", l.at[0])
	}
	if w.named(l); yes {
		text = "yes"
		w.say(": ", ibid.Span{Start: l.at[0].Start, End: l.at[0].Start})
		w.say(text, l.at[0])
	}
	w.values = append(w.values, Value{w.nameOf(l), w.rows(l.of), text, ibid.Span{Start: start, End: w.out.Len()}, true})
	w.stop()
}

// nameOf are the words of a leaf's name. The name of a list names none of its objects.
func (w *writer) nameOf(l leaf) []string {
	if _, one := w.listed[l.of]; one {
		return lower(l.own.words)
	}
	return append(lower(l.over.words), lower(l.own.words)...)
}

// word reports whether a value is a word that somebody wrote, not Python's None.
func (w *writer) word(at ibid.Span) bool {
	return at.Start == 0 || strings.IndexByte(":,; [\t\n", w.s[at.Start-1]) < 0 || w.records
}

// rating is how many stars a leaf gives, by its name.
func (l leaf) rating(data string) (float64, bool) {
	if len(l.at) != 1 || !slices.ContainsFunc(l.own.words, func(w string) bool { return ratings[strings.ToLower(w)] }) {
		return 0, false
	}
	value, err := strconv.ParseFloat(l.at[0].In(data), 64)
	return value, err == nil && value >= 0 && value <= 5 && !slices.ContainsFunc(l.own.words, func(w string) bool { return counts[strings.ToLower(w)] })
}

// reviewed reports whether a leaf is what one reviewer says.
func (l leaf) reviewed() bool {
	by := func(w string) bool { return strings.HasPrefix(strings.ToLower(w), "review") }
	return slices.ContainsFunc(l.own.words, by) || slices.ContainsFunc(l.over.words, by)
}

// ratings are names of what stars are given as, counts those of how many gave them.
var ratings, counts = wordSet(`stars star rating`), wordSet(`count counts number total`)

func wordSet(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// aroundTheClock reports whether an object gives the hours of most days of a week, all from midnight to the same midnight. Of one day among others
// that is how listings say closed; what is closed every day gives no hours.
func aroundTheClock(data string, leaves []leaf) bool {
	n := 0
	for _, l := range leaves {
		if l.day(data) < 0 {
			continue
		}
		if strings.Trim(l.at[0].In(data), "0:-– ") != "" {
			return false
		}
		n++
	}
	return n > len(Weekdays)/2
}

// Weekdays in their order.
var Weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// day is the one of the week whose hours of business a leaf gives, by its name or the first three letters of it, -1 where it gives none.
func (l leaf) day(data string) int {
	if len(l.at) != 1 || len(l.own.words) != 1 || !opened.MatchString(l.at[0].In(data)) {
		return -1
	}
	name := strings.ToLower(l.own.words[0])
	return slices.IndexFunc(Weekdays, func(day string) bool { return name == day || name == day[:3] })
}

// week is the hours of one: a day has them once.
func (w *writer) week() []Hours {
	seen := [7]bool{}
	for _, h := range w.hours {
		if seen[h.Day] {
			return nil
		}
		seen[h.Day] = true
	}
	return w.hours
}

// closed goes on behind the hours of most days of a week: on those that it does not name it is closed.
func (w *writer) closed(hours []leaf) {
	left := slices.Clone(Weekdays)
	for _, l := range hours {
		day := l.day(w.s)
		if day < 0 {
			return
		}
		left = slices.DeleteFunc(left, func(name string) bool { return name == Weekdays[day] })
	}
	if len(left) > len(Weekdays)/2 {
		return
	}
	for _, day := range left {
		start := w.out.Len() + len(", ")
		w.say(", "+day+": closed", ibid.Span{Start: hours[0].own.of[0].Start, End: w.last.End})
		w.hours = append(w.hours, Hours{Day: slices.Index(Weekdays, day), Closed: true, At: ibid.Span{Start: start, End: w.out.Len()}})
	}
}

// named writes the name of what is so or not: what it is, before what it is of.
func (w *writer) named(l leaf) {
	w.name(l.own)
	if l.within() {
		at := l.own.of[len(l.own.of)-1].End
		w.say(" "+strings.Join(l.over.words, " "), ibid.Span{Start: at, End: at})
	}
}

// within reports whether the name of the thing that holds a leaf says more than the leaf's own.
func (l leaf) within() bool {
	if len(l.over.words) == 0 || len(l.own.words) == 0 || len(l.over.words) == 1 && holders[strings.ToLower(l.over.words[0])] {
		return false
	}
	return !slices.ContainsFunc(l.over.words, func(o string) bool {
		one := strings.TrimSuffix(o, "s") // each of reviews has a review_text
		return slices.ContainsFunc(l.own.words, func(w string) bool { return strings.EqualFold(one, w) || strings.EqualFold(o, w) })
	})
}

// holders are names of things that only hold others.
var holders = wordSet(`attributes attribute data result results item items property properties detail details field fields record records value values response content rows output`)

func (w *writer) name(k key) {
	for i, word := range k.words {
		if i > 0 {
			w.say(" ", ibid.Span{Start: k.of[i].Start, End: k.of[i].Start})
		}
		w.say(word, k.of[i])
	}
	if strings.Join(k.words, "") == "BYOB" {
		w.say(" (bring your own bottle)", k.of[0])
	}
}

// coded are words that programs join by low lines: beer_and_wine.
var coded = regexp.MustCompile(`^[a-z]+(?:_[a-z]+)+$`)

// value writes a word, a number or a text, without its escapes, and hours as people say them.
func (w *writer) value(at ibid.Span) {
	if value := at.In(w.s); coded.MatchString(value) {
		w.say(strings.ReplaceAll(value, "_", " "), at)
		return
	}
	if m := opened.FindStringSubmatch(at.In(w.s)); m != nil {
		if strings.Trim(strings.Join(m[1:], ""), "0") == "" {
			w.say("closed", at) // from midnight to the same midnight
			return
		}
		w.say("open from "+clock(m[1], m[2])+" to "+clock(m[3], m[4]), at)
		return
	}
	if m := moment.FindStringSubmatch(at.In(w.s)); m != nil {
		day := at.Start + len(m[1])
		w.say(m[1], ibid.Span{Start: at.Start, End: day})
		w.say(" ", ibid.Span{Start: day, End: day + 1})
		w.say(m[2], ibid.Span{Start: day + 1, End: day + 1 + len(m[2])})
		return
	}
	for start := at.Start; start < at.End; {
		n := strings.IndexByte(w.s[start:at.End], '\\')
		if n < 0 || start+n+1 >= at.End {
			w.say(w.s[start:at.End], ibid.Span{Start: start, End: at.End})
			return
		}
		w.say(w.s[start:start+n], ibid.Span{Start: start, End: start + n})
		text, length := escaped(w.s[start+n : at.End])
		w.say(text, ibid.Span{Start: start + n, End: start + n + length})
		start += n + length
	}
}

// opened are hours of business as listings give them: 7:0-14:30.
var opened = regexp.MustCompile(`^(\d{1,2}):(\d{1,2})\s?[-–]\s?(\d{1,2}):(\d{1,2})$`)

// moment is a day with a time of it, as machines write it: 2024-05-05T14:30:00Z. Seconds and the zone are left out.
var moment = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$`)

// minutes of the day until a time of it.
func minutes(hour, minute string) int {
	h, _ := strconv.Atoi(hour)
	m, _ := strconv.Atoi(minute)
	return (h*60 + m) % (24 * 60)
}

// clock is a time of the day as people say it.
func clock(hour, minute string) string {
	at := minutes(hour, minute)
	h, m, half := at/60, at%60, "am"
	if h >= 12 {
		half = "pm"
	}
	if h %= 12; h == 0 {
		h = 12
	}
	if m == 0 {
		return fmt.Sprintf("%d %s", h, half)
	}
	return fmt.Sprintf("%d:%02d %s", h, m, half)
}

// escaped reads the escape that a text begins with: what it stands for, and its length.
func escaped(s string) (string, int) {
	switch s[1] {
	case 'n', 'r', 't':
		return " ", 2
	case 'u':
		if r, ok := hex4(s[2:]); ok {
			if low, ok := hex4(strings.TrimPrefix(s[6:], `\u`)); ok && strings.HasPrefix(s[6:], `\u`) && r >= 0xD800 && r < 0xDC00 && low >= 0xDC00 && low < 0xE000 {
				return string((r-0xD800)<<10 + low - 0xDC00 + 0x10000), 12
			}
			return string(r), 6
		}
	}
	_, n := utf8.DecodeRuneInString(s[1:])
	return s[1 : 1+n], 1 + n
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	v, err := strconv.ParseUint(s[:4], 16, 32)
	return rune(v), err == nil
}
