package attribute

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
	"github.com/ibid-dev/ibid/internal/listing"
)

// openHours is what a sentence says of the hours of some days: that it is closed, or when it opens or closes. Times are minutes
// of the day, and unsaid where nothing is said.
type openHours struct {
	days        [7]bool
	closed      bool
	open, close int
	general     bool      // the days are not named one by one: weekdays, every day
	vague       bool      // nobody says which half of the day a time is of
	daysAt, at  ibid.Span // of the days, and of the times
}

const unsaid = -1

// hourWords are what sentences about hours of business are made of.
var hourWords = regexp.MustCompile(`(?i)` +
	`(?P<all>\b(?:every ?day|each day|daily|all week|(?:all )?(?:seven|7) days (?:a|per|of the|each) week|all (?:other )?days|all (?:seven|7) days)\b)` +
	`|(?P<weekdays>\bweekdays?\b)|(?P<weekends>\bweekends?\b)` +
	`|\b(?P<day>mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday)s?\b` +
	`|\b(?-i:(?P<short>Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|r|rs)?)\b` +
	`|(?P<always>\b24 hours(?: a day| per day)?\b|\b24/7\b|\baround the clock\b)` +
	`|(?P<time>\b(?:12(?::00)? )?(?:noon|midnight)\b|\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\b\d{1,2}:\d\d\b)` +
	`|(?P<shut>\bwhen (?:it|they)(?:[’']s| is|[’']re| are) closed\b)` +
	`|(?P<closed>\b(?:closed|not open|isn[’']t open)\b)` +
	`|(?P<otherwise>\botherwise\b)` +
	`|(?P<except>\bexcept(?:ing)?(?: for)?\b|\bwith the exceptions? of\b|\bexcluding\b|\bapart from\b|\bother than\b)` +
	`|(?P<ends>\bclos(?:es?|ing) (?:the|its|their|an?)\b)` + // close the Sunday service
	`|(?P<until>\bthrough\b|\bthru\b|\bto\b|\buntil\b|\btill\b|\bcloses?\b|\bclosing\b|[-–—])` +
	`|(?P<from>\bfrom\b|\bopens?\b|\bopening\b|\bstarting\b)` +
	`|(?P<between>\bbetween\b)` +
	`|(?P<break>\bwith\b|\bwhile\b|\bbut\b|\bwhereas\b|;)` +
	`|(?P<and>\band\b|&|,)` +
	`|(?P<unsure>\b(?:not|never|no|happy|kitchen|lunch|dinner|breakfast|brunch|menu|deliver\w*|holidays?|appointments?|review\w*|was|were|came|arrived|visited|waited|var(?:y|ies)|rang\w+|around|about|approximately|weeknights?|respectively|same|most|some|other|rest|remaining|half|earl\w*|late\w*|longer|or|only|if|when|before|after)\b)`)

// hourWord is one of them, by the name of its kind.
type hourWord struct {
	kind, text string
	at         ibid.Span
	long       bool // a time of a sentence that counts hours up to 24
}

func readHourWords(s string) []hourWord {
	var out []hourWord
	names := hourWords.SubexpNames()
	for _, m := range hourWords.FindAllStringSubmatchIndex(s, -1) {
		for i := 1; i < len(names); i++ {
			if m[2*i] >= 0 && names[i] != "" {
				kind := names[i]
				if kind == "short" {
					kind = "day"
				}
				out = append(out, hourWord{kind: kind, text: strings.ToLower(s[m[2*i]:m[2*i+1]]), at: ibid.Span{Start: m[0], End: m[1]}})
			}
		}
	}
	if slices.ContainsFunc(out, func(w hourWord) bool { return w.kind == "time" && byLongClock.MatchString(w.text) }) {
		for i := range out {
			out[i].long = !strings.ContainsAny(out[i].text, "apn")
		}
	}
	return out
}

// byLongClock matches a time whose hour only a clock of 24 hours has.
var byLongClock = regexp.MustCompile(`^(?:0?0|1[3-9]|2\d):\d\d$`)

// minutes are those of a time of the day, and whether it is said which half of it.
func (w hourWord) minutes() (at int, told bool) {
	at, told = minutes(w.text)
	return at, told || w.long
}

// hourPart is some days, a time, or that it is closed, of a sentence about hours.
type hourPart struct {
	openHours
	kind string // days, times or closed
	gap  int    // how much stands between it and the part before: 1 for a comma or an "and", 3 for "while" and the like
}

// hoursSaid reads what a sentence says of hours of business, what is said of single days behind what is said of all, and where it does.
// It is empty where that is not certain. A source may also give them below the word alone: hours: Mon-Fri 9 am to 5 pm.
func hoursSaid(s string, about *regexp.Regexp) ([]openHours, ibid.Span) {
	if !about.MatchString(s) { // few are, and all words are read for those alone
		return nil, ibid.Span{}
	}
	words := readHourWords(s)
	if len(words) > maxHourWords || slices.ContainsFunc(words, func(w hourWord) bool { return w.kind == "unsure" || w.kind == "ends" }) {
		return nil, ibid.Span{}
	}
	parts, ok := hourParts(words)
	if !ok {
		return nil, ibid.Span{}
	}
	if len(parts) == 1 && slices.ContainsFunc(words, func(w hourWord) bool { return w.kind == "always" }) { // on every day
		parts[0].days, parts[0].daysAt = [7]bool{true, true, true, true, true, true, true}, parts[0].at
		return []openHours{parts[0].openHours}, parts[0].at
	}
	out, ok := pairHours(parts)
	if !ok || len(out) == 0 {
		return nil, ibid.Span{}
	}
	return out, ibid.Span{Start: words[0].at.Start, End: words[len(words)-1].at.End}
}

// hourParts reads days, times and "closed" in the order in which they stand. It fails where one of them is not plain.
func hourParts(words []hourWord) ([]hourPart, bool) {
	var out []hourPart
	var but [7]bool // days that are left out of all days that come
	gap, left, leftOut := 0, false, false
	for i := 0; i < len(words); {
		w, n := words[i], 1
		p := hourPart{openHours: openHours{open: unsaid, close: unsaid, daysAt: w.at}, gap: gap}
		switch {
		case w.kind == "closed" || closesOn(words[i:]):
			p.kind = "closed"
		case w.kind == "otherwise":
			p.kind = "days"
			for d := range p.days {
				p.days[d] = !slices.ContainsFunc(out, func(o hourPart) bool { return o.days[d] })
			}
		case w.days() != nil:
			p.kind = "days"
			p.days, n, left = daysSaid(words[i:])
			p.daysAt.End = words[i+n-1].at.End
			if p.general = w.kind != "day"; leftOut && w.kind == "all" {
				for d := range but {
					p.days[d] = p.days[d] && !but[d]
				}
				leftOut = false
			}
		case w.kind == "always":
			p.kind, p.open, p.close, p.at = "times", 0, 0, w.at
		case w.kind == "time":
			p.kind = "times"
			if p.openHours, n = timesSaid(words, i, out); n == 0 {
				return nil, false
			}
		case w.kind == "except" && i+1 < len(words) && words[i+1].days() != nil:
			but, n, _ = daysSaid(words[i+1:])
			leftOut = true
			n++
		case w.kind == "except", w.kind == "shut" && !left && !leftOut:
			return nil, false
		case w.kind == "and":
			gap++
		case w.kind == "break":
			gap += 3
		}
		if i += n; p.kind != "" {
			gap = 0
			// It opens at nine and closes at five.
			if k := len(out) - 1; p.kind == "times" && k >= 0 && out[k].kind == "times" && p.gap < 3 && out[k].close == unsaid && p.open == unsaid {
				out[k].close, out[k].at.End = p.close, p.at.End
				continue
			}
			out = append(out, p)
		}
	}
	return out, !leftOut
}

// closesOn reports whether words say on which days it is closed: closes on Mondays, without a time.
func closesOn(words []hourWord) bool {
	if !strings.HasPrefix(words[0].text, "clos") || len(words) == 1 || words[1].days() == nil {
		return false
	}
	_, n, _ := daysSaid(words[1:])
	behind := words[1+n:]
	if len(behind) > 1 && behind[0].kind == "until" {
		behind = behind[1:]
	}
	return len(behind) == 0 || behind[0].kind != "time"
}

// maxHourWords bounds what is compared with what: a sentence about a week is shorter.
const maxHourWords = 100

// opens is said by sentences about hours of business, and opensOrHours by those of a source.
var (
	opens        = regexp.MustCompile(`(?i)\b(?:open|clos|operat(?:es?|ing)\b|welcom(?:es?|ing)\b|(?:business|regular|store|weekday|weekend|its|their|(?:mon|tues|wednes|thurs|fri|satur|sun)day) hours\b|hours (?:of operation|of business|are)\b)`)
	opensOrHours = regexp.MustCompile(`(?i)\b(?:open|clos|hours\b)`)
	notOpen      = regexp.MustCompile(`(?i)\b(?:not|isn[’']t) open`)
)

// days are those of the week that a word names.
func (w hourWord) days() []int {
	switch w.kind {
	case "all":
		return []int{0, 1, 2, 3, 4, 5, 6}
	case "weekdays":
		return []int{0, 1, 2, 3, 4}
	case "weekends":
		return []int{5, 6}
	case "day":
		return []int{slices.IndexFunc(listing.Weekdays, func(d string) bool { return strings.HasPrefix(d, w.text) })}
	}
	return nil
}

// daysSaid reads days that stand side by side, and how many words they take. What is left out of all days goes off. All days and single ones
// behind them are no list: seven days a week, Mondays from nine to five.
func daysSaid(words []hourWord) (days [7]bool, n int, left bool) {
	kind := func(i int) string {
		if i < len(words) {
			return words[i].kind
		}
		return ""
	}
	for {
		for _, d := range words[n].days() {
			days[d] = !left
		}
		if kind(n) == "day" && kind(n+1) == "until" && kind(n+2) == "day" {
			for d, last := words[n].days()[0], words[n+2].days()[0]; d != last; {
				d = (d + 1) % 7
				days[d] = !left
			}
			n += 2
		}
		all := kind(n) == "all"
		n++
		next := n
		for kind(next) == "and" { // Friday, and Saturday
			next++
		}
		but := all && kind(next) == "break" && words[next].text == "but" && next+1 < len(words) && words[next+1].days() != nil // all days but Monday
		if but || kind(next) == "except" {
			left = true
			next++
		} else if all {
			return days, n, left
		}
		if next == n || next == len(words) || words[next].days() == nil {
			return days, n, left
		}
		n = next
	}
}

// timesSaid reads the time at i, and the one up to which it goes, and how many words they take: 0 where it is not plain whether it is
// that of opening or of closing.
func timesSaid(words []hourWord, i int, before []hourPart) (openHours, int) {
	first, told := words[i].minutes()
	p := openHours{open: unsaid, close: unsaid, at: words[i].at}
	between := i > 0 && words[i-1].kind == "between"
	if i+2 < len(words) && words[i+2].kind == "time" && (words[i+1].kind == "until" || between && words[i+1].kind == "and") {
		p.at.End = words[i+2].at.End
		second, half := words[i+2].minutes()
		if half {
			p.close = second
		}
		if told { // of 1:00 to 9 pm only the end is sure
			p.open = first
		}
		p.vague = !told || !half
		return p, 3
	}
	if between {
		return p, 0
	}
	if !told {
		p.vague = true
		return p, 1
	}
	was := len(before) - 1
	for was >= 0 && before[was].kind != "times" {
		was--
	}
	switch {
	case i > 0 && words[i-1].kind == "until":
		p.close = first
	case i > 0 && words[i-1].kind == "from":
		p.open = first
	case was >= 0 && before[was].close == unsaid: // opens at 5 on weekdays and 6 on Saturdays
		p.open = first
	case was >= 0 && before[was].open == unsaid:
		p.close = first
	default:
		return p, 0
	}
	return p, 1
}

// pairHours puts times, and what is closed, to the days that they are said of, before them or behind them: in the way that tears the least
// apart. What is said of closed days comes last. It fails where there is no way, or another one that is as good.
func pairHours(parts []hourPart) ([]openHours, bool) {
	if len(parts) == 0 || len(parts) > maxHourParts {
		return nil, false
	}
	leads := parts[0].leads(parts[1:])
	least, rivals := math.Inf(1), false
	var best []int
	var read func(i int, sizes []int, cost float64, behind int)
	read = func(i int, sizes []int, cost float64, behind int) {
		if i == len(parts) {
			switch {
			case cost < least:
				least, rivals, best = cost, false, slices.Clone(sizes)
			case cost == least:
				rivals = true
			}
			return
		}
		for n := 1; n <= 3 && i+n <= len(parts); n++ {
			more, side, ok := asOne(parts[i : i+n])
			switch {
			case !ok:
				continue
			case n == 1 && i == 0 && leads:
				more = 0
			case i > 0 && parts[i].gap == 0:
				more += 1.5
			}
			if side == 0 {
				side = behind
			} else if side == -behind {
				more++
			}
			read(i+n, append(sizes, n), cost+more, side)
		}
	}
	read(0, nil, 0, 0)
	if rivals || best == nil {
		return nil, false
	}
	var open, closed []openHours
	var shut [7]bool // on days that are not said to be open
	if leads {
		for d, on := range parts[0].days {
			shut[d] = !on
		}
	}
	for _, n := range best {
		o := said(parts[:n])
		if parts = parts[n:]; !o.closed {
			open = append(open, o)
			continue
		}
		closed = append(closed, o)
		for d, on := range o.days {
			shut[d] = shut[d] || on
		}
	}
	for i, o := range open { // closed on Mondays, and open on weekdays from nine to five
		for d := range o.days {
			open[i].days[d] = o.days[d] && !(o.general && shut[d])
		}
	}
	return append(open, closed...), true
}

// maxHourParts bounds in how many ways parts are put together.
const maxHourParts = 18

// leads reports whether days are those that the rest tells of one by one: seven days a week, from nine to five on weekdays and to noon on weekends.
func (p hourPart) leads(rest []hourPart) bool {
	if p.kind != "days" || len(rest) < 2 {
		return false
	}
	for i, r := range rest {
		shut := i > 0 && rest[i-1].kind == "closed" || i+1 < len(rest) && rest[i+1].kind == "closed"
		for d, on := range r.days {
			if on && !shut && !r.general && !p.days[d] {
				return false
			}
		}
	}
	return true
}

// asOne reports whether parts may be said of the same days, how far apart they stand, and on which side of the days the times stand.
func asOne(parts []hourPart) (cost float64, side int, ok bool) {
	var kinds string
	for i, p := range parts {
		if kinds += p.kind[:1]; i > 0 {
			cost += float64(p.gap)
		}
	}
	switch kinds {
	case "d":
		return 2, 0, true
	case "dc", "cd":
		return cost, 0, true
	case "dt":
		return cost, 1, true
	case "td":
		return cost, -1, true
	case "tdt": // from nine on Mondays, to five
		return cost, 0, parts[0].close == unsaid && parts[2].open == unsaid
	}
	return 0, 0, false
}

// said is what parts say together.
func said(parts []hourPart) openHours {
	o := openHours{open: unsaid, close: unsaid}
	for _, p := range parts {
		switch p.kind {
		case "closed":
			o.closed = true
		case "days":
			if o.days, o.general, o.daysAt = p.days, p.general, p.daysAt; o.at.Empty() {
				o.at = p.daysAt
			}
		case "times":
			if p.open != unsaid {
				o.open = p.open
			}
			if p.close != unsaid {
				o.close = p.close
			}
			o.vague = o.vague || p.vague
			o.at = p.at
		}
	}
	return o
}

// minutes reads a time of the day, and whether it says which half of it.
func minutes(s string) (at int, told bool) {
	switch {
	case strings.HasSuffix(s, "noon"):
		return 12 * 60, true
	case strings.HasSuffix(s, "midnight"):
		return 0, true
	}
	number, half := strings.TrimRight(s, "apm. "), ""
	if i := strings.IndexAny(s, "ap"); i >= 0 {
		half = s[i : i+1]
	}
	hour, minute, _ := strings.Cut(number, ":")
	h, _ := strconv.Atoi(hour)
	m, _ := strconv.Atoi(minute)
	switch {
	case half == "p" && h < 12:
		h += 12
	case half == "a" && h == 12:
		h = 0
	}
	return (h*60 + m) % (24 * 60), half != "" || h > 12
}

// mayOpen reports whether a text has a part of a word that those about hours of business have: most have none.
func mayOpen(s string) bool {
	low := strings.ToLower(s)
	return slices.ContainsFunc([]string{"open", "clos", "operat", "welcom", "hours"}, func(w string) bool { return strings.Contains(low, w) })
}

// hours finds days and times of opening that the source denies. Where they are read, no other rule has a say.
func (c *comparison) hours() {
	if !mayOpen(c.s.text) {
		return
	}
	said, at := hoursSaid(c.s.text, opens)
	if len(said) == 0 {
		return
	}
	week := c.week()
	compared := 0
	for i, o := range said {
		for _, h := range week {
			later := slices.ContainsFunc(said[i+1:], func(l openHours) bool { return l.days[h.Day] && (l.closed || l.open != unsaid || l.close != unsaid) })
			if !o.days[h.Day] {
				continue
			}
			if compared++; later && !o.closed {
				continue // what is said of single days goes before what is said of all
			}
			at := o.at
			switch {
			case o.closed && !h.Closed, !o.closed && h.Closed:
				at = o.daysAt
			case o.closed || sameTime(o.open, h.Open) && sameTime(o.close, h.Close):
				continue
			}
			from, to := c.s.covering(at)
			left, right := c.t.covering(c.a.passage, h.At)
			if from < to && left < right {
				c.add("date", from, to, left, right, c.instead(from, to, left, right))
			}
		}
	}
	c.otherDays(said, week)
	for i := range c.found {
		c.found[i].plain = true // days are counted, and no judge does that
	}
	if compared == 0 {
		return
	}
	c.settled[0], c.settled[1] = c.s.covering(at)
	days, vague := 0, false
	for _, o := range said {
		vague = vague || o.vague
		for _, on := range o.days {
			if on {
				days++
			}
		}
	}
	if _, data := c.t.data[c.a.passage]; !data || compared < days || vague || len(c.found) > 0 {
		return
	}
	for _, w := range readHourWords(c.s.text) {
		c.e.agreed = append(c.e.agreed, w.at)
	}
	c.nothingElse()
}

// otherDays finds days on which the segment says that something is open, of which a source in prose that says on which days it is leaves some out, and
// no other sentence speaks: weekends for weekdays, every day for every day except Monday. All else must agree.
func (c *comparison) otherDays(said []openHours, week []listing.Hours) {
	if _, data := c.t.data[c.a.passage]; data || len(week) == 0 || slices.ContainsFunc(week, func(h listing.Hours) bool { return h.Closed }) {
		return
	}
	at := week[0].At
	var open [7]bool
	for _, h := range week {
		at = ibid.Span{Start: min(at.Start, h.At.Start), End: max(at.End, h.At.End)}
		open[h.Day] = true
	}
	left, right := c.t.covering(c.a.passage, at)
	for _, o := range said {
		from, to := c.s.covering(o.daysAt)
		if o.closed || from >= to || left >= right || c.rest(from, to) < restAgrees {
			continue
		}
		for d, on := range o.days {
			if on && !open[d] && !c.speaksOfDay(d, left, right) {
				c.add("date", from, to, left, right, c.instead(from, to, left, right))
				break
			}
		}
	}
}

// speaksOfDay reports whether a source names a day of the week, or days that it may be one of, anywhere but in the tokens [left, right).
func (c *comparison) speaksOfDay(d, left, right int) bool {
	for j, w := range c.t.tokens {
		if key := c.t.terms[w.term].key; (j < left || j >= right) && (key == listing.Weekdays[d] || severalDays[key]) {
			return true
		}
	}
	return false
}

// severalDays are words for days of the week that are not named one by one.
var severalDays = token.Keys(`weekday weekdays weekend weekends daily everyday day days week weekly`)

// sameTime reports whether two times of the day are one; what is unsaid may be any.
func sameTime(a, b int) bool { return a == b || a == unsaid || b == unsaid }

// week is what the source says of the hours of each day: data does, or one sentence of the window, once of each day.
func (c *comparison) week() []listing.Hours {
	if lines, data := c.t.data[c.a.passage]; data {
		return lines.Hours
	}
	var out []listing.Hours
	var seen [7]bool
	for _, s := range c.t.sentences[c.a.from:c.a.to] {
		text := s.at.In(c.t.passages[c.a.passage].Chunk.Text)
		said, _ := hoursSaid(text, opensOrHours)
		if len(said) > 0 && (len(out) > 0 || notOpen.MatchString(text)) { // negations are compared as such
			return nil
		}
		for _, o := range said {
			at := ibid.Span{Start: s.at.Start + min(o.at.Start, o.daysAt.Start), End: s.at.Start + max(o.at.End, o.daysAt.End)}
			for d, on := range o.days {
				if on && seen[d] {
					return nil
				}
				if seen[d] = seen[d] || on; on {
					out = append(out, listing.Hours{Day: d, Closed: o.closed, Open: o.open, Close: o.close, At: at})
				}
			}
		}
	}
	return out
}

// covering is the run of tokens that a part of the segment's text holds.
func (s *segment) covering(at ibid.Span) (from, to int) {
	return run(len(s.tokens), func(i int) ibid.Span { return s.tokens[i].At }, at)
}

// covering is the run of the turn's tokens that a part of a passage's text holds.
func (t *turn) covering(passage int, at ibid.Span) (left, right int) {
	if t.firsts[passage] == t.firsts[passage+1] {
		return 0, 0
	}
	start, end := t.sentences[t.firsts[passage]].start, t.sentences[t.firsts[passage+1]-1].end
	left, right = run(end-start, func(i int) ibid.Span { w := t.tokens[start+i]; return ibid.Span{Start: int(w.start), End: int(w.end)} }, at)
	return start + left, start + right
}

// run is that of the n places in order that lie within a part.
func run(n int, place func(int) ibid.Span, part ibid.Span) (from, to int) {
	for from < n && place(from).Start < part.Start {
		from++
	}
	for to = from; to < n && place(to).End <= part.End; {
		to++
	}
	return from, to
}
