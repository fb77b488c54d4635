package attribute

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/listing"
)

// openHours is what a sentence says of the hours of some days: that it is closed, or when it opens or closes. Times are minutes
// of the day, and unsaid where nothing is said.
type openHours struct {
	days        [7]bool
	closed      bool
	open, close int
	daysAt, at  ibid.Span // of the days, and of the times
}

const unsaid = -1

// hourWords are what sentences about hours of business are made of.
var hourWords = regexp.MustCompile(`(?i)` +
	`(?P<all>\b(?:every ?day|each day|daily|all week|(?:all )?(?:seven|7) days (?:a|per|of the) week)\b)` +
	`|(?P<weekdays>\bweekdays?\b)|(?P<weekends>\bweekends?\b)` +
	`|\b(?P<day>mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday)s?\b` +
	`|\b(?-i:(?P<short>Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|r|rs)?)\b` +
	`|(?P<time>\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\b\d{1,2}:\d\d\b|\bnoon\b|\bmidnight\b)` +
	`|(?P<closed>\b(?:closed|not open|isn[’']t open)\b)` +
	`|(?P<otherwise>\botherwise\b)` +
	`|(?P<except>\bexcept\b|\bexcluding\b|\bapart from\b)` +
	`|(?P<ends>\bclos(?:es?|ing) (?:the|its|their|an?)\b)` + // close the Sunday service
	`|(?P<until>\bthrough\b|\bthru\b|\bto\b|\buntil\b|\btill\b|\bcloses?\b|\bclosing\b|[-–—])` +
	`|(?P<from>\bfrom\b|\bopens?\b|\bopening\b)` +
	`|(?P<and>\band\b|&|,)` +
	`|(?P<other>\b(?:hours?|operat\w+|business|on|at|is|it|are|the|with|extended)\b)` +
	`|(?P<unsure>\b(?:not|never|no|happy|kitchen|lunch|dinner|breakfast|brunch|deliver\w*|holidays?|appointments?|review\w*|var(?:y|ies)|rang\w+|between|around|about|approximately|typically|usually|generally|most|some|other|rest|remaining|24|or|but|only|if|when|while|before|after|earl\w+|late\w*)\b)`)

// hourWord is one of them, by the name of its kind.
type hourWord struct {
	kind, text string
	at         ibid.Span
}

func readHourWords(s string) []hourWord {
	var out []hourWord
	names := hourWords.SubexpNames()
	for _, m := range hourWords.FindAllStringSubmatchIndex(s, -1) {
		for i := 1; i < len(names); i++ {
			if m[2*i] >= 0 && names[i] != "other" {
				kind := names[i]
				if kind == "short" {
					kind = "day"
				}
				out = append(out, hourWord{kind, strings.ToLower(s[m[2*i]:m[2*i+1]]), ibid.Span{Start: m[0], End: m[1]}})
			}
		}
	}
	return out
}

// hourPart is some days, or a time, of a sentence about hours.
type hourPart struct {
	openHours
	timed, joined bool // joined by "and" to what stands before
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
	var parts []hourPart
	var out []openHours
	shut := false // "closed" stands before the days that it is said of
	for i := 0; i < len(words); {
		switch w := words[i]; {
		case w.kind == "closed" || closesOn(words[i:]):
			shut = true
			i++
		case w.kind == "otherwise":
			p := openHours{open: unsaid, close: unsaid, daysAt: w.at}
			for d := range p.days {
				p.days[d] = !slices.ContainsFunc(out, func(o openHours) bool { return o.days[d] })
			}
			parts = append(parts, hourPart{openHours: p})
			i++
		case w.days() != nil:
			days, n := daysSaid(words[i:])
			p := openHours{days: days, open: unsaid, close: unsaid, daysAt: ibid.Span{Start: w.at.Start, End: words[i+n-1].at.End}}
			if i += n; shut {
				p.closed, shut = true, false
				out = append(out, p)
			} else {
				parts = append(parts, hourPart{openHours: p})
			}
		case w.kind == "time":
			p, n := timesSaid(words, i, parts)
			if n == 0 {
				return nil, ibid.Span{}
			}
			parts = append(parts, hourPart{p, true, i > 1 && words[i-2].kind == "and"})
			i += n
		case w.kind == "except":
			return nil, ibid.Span{}
		default:
			i++
		}
	}
	said, ok := pairHours(parts)
	if out = append(said, out...); !ok || shut || len(out) == 0 {
		return nil, ibid.Span{}
	}
	return out, ibid.Span{Start: words[0].at.Start, End: words[len(words)-1].at.End}
}

// closesOn reports whether words say on which days it is closed: closes on Mondays, without a time.
func closesOn(words []hourWord) bool {
	if !strings.HasPrefix(words[0].text, "clos") || len(words) == 1 || words[1].days() == nil {
		return false
	}
	_, n := daysSaid(words[1:])
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
	opens        = regexp.MustCompile(`(?i)\b(?:open|clos)`)
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

// daysSaid reads days that stand side by side, and how many words they take. What is left out of all days goes off.
func daysSaid(words []hourWord) (days [7]bool, n int) {
	kind := func(i int) string {
		if i < len(words) {
			return words[i].kind
		}
		return ""
	}
	for said := true; ; {
		for _, d := range words[n].days() {
			days[d] = said
		}
		if kind(n) == "day" && kind(n+1) == "until" && kind(n+2) == "day" {
			for d, last := words[n].days()[0], words[n+2].days()[0]; d != last; {
				d = (d + 1) % 7
				days[d] = said
			}
			n += 2
		}
		n++
		next := n
		for kind(next) == "and" { // Friday, and Saturday
			next++
		}
		if kind(next) == "except" {
			said = false
			next++
		}
		if next == n || next == len(words) || words[next].days() == nil {
			return days, n
		}
		n = next
	}
}

// timesSaid reads the time at i, and the one up to which it goes, and how many words they take: 0 where it is not plain whether it is
// that of opening or of closing.
func timesSaid(words []hourWord, i int, before []hourPart) (openHours, int) {
	first, told := minutes(words[i].text)
	p := openHours{open: unsaid, close: unsaid, at: words[i].at}
	if i+2 < len(words) && words[i+1].kind == "until" && words[i+2].kind == "time" {
		p.at.End = words[i+2].at.End
		second, half := minutes(words[i+2].text)
		if p.close = second; told || !half { // of 1:00 to 9 pm only the end is sure
			p.open = first
		}
		return p, 3
	}
	switch was := len(before) - 2; {
	case i > 0 && words[i-1].kind == "until":
		p.close = first
	case i > 0 && words[i-1].kind == "from":
		p.open = first
	case was >= 0 && before[was].timed && before[was].close == unsaid: // opens at 5 on weekdays and 6 on Saturdays
		p.open = first
	case was >= 0 && before[was].timed && before[was].open == unsaid:
		p.close = first
	default:
		return p, 0
	}
	return p, 1
}

// pairHours puts times to the days that they are said of: before them, behind them, or behind all days and before single ones.
func pairHours(parts []hourPart) ([]openHours, bool) {
	var out []openHours
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && parts[n].timed {
			n++
		}
		switch {
		case !parts[0].timed: // Mondays from 9 to 5
			if n == 1 && len(out) > 0 && len(parts) > 1 {
				return nil, false
			}
			if n == len(parts)-1 { // every day from 9 to 5, and until 8 on Fridays
				if k := slices.IndexFunc(parts[:n], func(p hourPart) bool { return p.joined }); k > 0 {
					n = k
				} else if n > 2 {
					return nil, false
				}
			}
			out = append(out, parts[0].with(parts[1:n]))
			parts = parts[n:]
		case n < len(parts): // from 9 to 5 on Mondays
			out = append(out, parts[n].with(parts[:n]))
			parts = parts[n+1:]
			if len(parts) > 0 && !parts[0].timed {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	return out, true
}

// with is what is said of days, at these times.
func (p hourPart) with(times []hourPart) openHours {
	o := p.openHours
	o.at = o.daysAt
	for _, t := range times {
		if t.open != unsaid {
			o.open = t.open
		}
		if t.close != unsaid {
			o.close = t.close
		}
		o.at = t.at
	}
	return o
}

// minutes reads a time of the day, and whether it says which half of it.
func minutes(s string) (at int, told bool) {
	switch s {
	case "noon":
		return 12 * 60, true
	case "midnight":
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

// hours finds days and times of opening that the source denies. Where they are read, no other rule has a say.
func (c *comparison) hours() {
	said, at := hoursSaid(c.s.text, opens)
	if len(said) == 0 {
		return
	}
	week := c.week()
	known := false
	for i, o := range said {
		for _, h := range week {
			later := slices.ContainsFunc(said[i+1:], func(l openHours) bool { return l.days[h.Day] && (l.closed || l.open != unsaid || l.close != unsaid) })
			if !o.days[h.Day] || later && !o.closed {
				continue // what is said of single days goes before what is said of all
			}
			known = true
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
	for i := range c.found {
		c.found[i].plain = true // days are counted, and no judge does that
	}
	if known {
		c.settled[0], c.settled[1] = c.s.covering(at)
	}
}

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
	return run(len(s.tokens), func(i int) ibid.Span { return s.tokens[i].at }, at)
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
