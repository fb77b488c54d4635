package attribute

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// denies checks that a source denies some words of a segment, or nothing where there are none.
func denies(t *testing.T, segment, source, denied string) {
	t.Helper()
	got := ""
	for _, c := range one(t, segment, source).Segment.Contradicted {
		got += c.Reason
	}
	if denied != "" {
		denied = fmt.Sprintf("says %q, the source says ", denied)
	}
	if !strings.Contains(got, denied) || denied == "" && got != "" {
		t.Errorf("%q: %s, not %s", segment, got, denied)
	}
}

// TestHoursOfBusiness: days and times of opening are compared with each day of a listing; what is not certain is left to others.
func TestHoursOfBusiness(t *testing.T) {
	const listing = `{"name": "Casa Oro", "hours": {"Tuesday": "11:0-21:0", "Wednesday": "11:0-21:0", "Thursday": "11:0-21:0", "Friday": "11:0-0:0", "Saturday": "9:30-0:0", "Sunday": "9:30-20:0"}}`
	for segment, denied := range map[string]string{
		"It is open Tuesday through Thursday from 11 am to 9 pm.":                                          "",
		"Casa Oro is open from 11 a.m. to 9 p.m. Tuesday to Thursday and until midnight on Friday.":        "",
		"It opens at 11 am on Fridays and 9:30 am on weekends.":                                            "",
		"It opens at 11 am on Fridays and 9 am on weekends.":                                               "9 am",
		"The restaurant is open from 11:00 to 21:00 on Wednesdays.":                                        "",
		"It is open every day except Monday.":                                                              "",
		"It is open every day except Tuesday.":                                                             "every day except Tuesday",
		"It is closed on Mondays, and open from 9:30 am to 8 pm on Sundays.":                               "",
		"It is closed on Sundays.":                                                                         "Sundays",
		"It is open daily.":                                                                                "daily",
		"The restaurant is open seven days a week from 11 am to 9 pm.":                                     "seven days a week",
		"Casa Oro is open every day from 11 am to 9 pm, with extended hours until midnight on Fridays.":    "every day",
		"It is open Tuesday to Sunday from 11 am to 9 pm, and until midnight on Friday and Saturday.":      "11 am to 9 pm",
		"It is open from 11 am to 10 pm Tuesday through Thursday.":                                         "11 am to 10 pm",
		"It closes at 9 pm on Fridays.":                                                                    "9 pm",
		"It stays open until 12 a.m. on Fridays and Saturdays.":                                            "",
		"It is open daily from 11 am to 9 pm until midnight on Fridays.":                                   "daily",
		"It stays open until midnight on Fridays and Saturdays.":                                           "",
		"It stays open until midnight on Fridays and Sundays.":                                             "midnight",
		"On weekends it opens at 9:30 am.":                                                                 "",
		"On weekends it opens at 11 am.":                                                                   "11 am",
		"It is open on Saturdays from 9:30 am until midnight and on Sundays from 9:30 am until 8 pm.":      "",
		"It is open on Saturdays from 9:30 am until 8 pm and on Sundays from 9:30 am until 8 pm.":          "9:30 am until 8 pm",
		"It closes on Mondays.":                                                                            "",
		"It closes on Sundays and Mondays.":                                                                "Sundays and Mondays",
		"It closes on Mondays and otherwise opens at 9:30 am.":                                             "9:30 am",
		"It closes on Mondays and otherwise opens before noon.":                                            "",
		"It is not open on Mondays.":                                                                       "",
		"It is not open on Wednesdays.":                                                                    "Wednesdays",
		"It is open from 1:00 to 9 pm on Tuesdays.":                                                        "",
		"Hours vary, but it is usually open from 9 am to 5 pm on Tuesdays.":                                "",
		"Happy hour is from 3 pm to 6 pm every day at the open bar.":                                       "",
		"It is open from noon to 9 pm on Tuesdays.":                                                        "noon to 9 pm",
		"It is open on weekdays from 11 am to 9 pm.":                                                       "weekdays",
		"A reviewer who came on a Monday found it open.":                                                   "",
		"It is open from 11 am to 9 pm, Tuesday through Thursday, 11 am to midnight on Friday.":            "",
		"It is open Tuesday, Wednesday and Thursday from 11 am to 9 pm and Friday from 11 am to midnight.": "",
		"It is open Tuesday, Wednesday, and Friday from 11 am to 9 pm, and on Saturday until midnight.":    "11 am to 9 pm",
		"It is open from Tuesday to Thursday, and from 9:30 am on Saturday.":                               "",
		"It is open from Tuesday to Thursday and closes at midnight on Friday and Sunday.":                 "midnight",
		"It is open from Friday to Sunday until midnight.":                                                 "midnight",
	} {
		denies(t, segment, listing, denied)
	}
}

// TestHoursAroundTheClock: a listing whose every day goes from midnight to the same midnight never closes.
func TestHoursAroundTheClock(t *testing.T) {
	always := `{"name": "Stop & Go", "hours": {"Monday": "0:0-0:0", "Tuesday": "0:0-0:0", "Wednesday": "0:0-0:0", "Thursday": "0:0-0:0", "Friday": "0:0-0:0", "Saturday": "0:0-0:0", "Sunday": "0:0-0:0"}}`
	shop := `{"name": "Stop & Go", "hours": {"Monday": "9:0-17:0", "Tuesday": "9:0-17:0", "Wednesday": "9:0-17:0", "Thursday": "9:0-17:0", "Friday": "9:0-17:0"}}`
	for _, s := range []string{"Stop & Go is open 24 hours a day, seven days a week.", "It is open 24/7.", "The store is open around the clock.", "It operates 24 hours a day on weekends and on Monday."} {
		if f := one(t, s, always).Segment; f.Support < 0.5 || len(f.Contradicted) > 0 {
			t.Errorf("%q: %.2f, %v", s, f.Support, f.Contradicted)
		}
		if f := one(t, s, shop).Segment; f.Support >= 0.5 || len(f.Contradicted) == 0 {
			t.Errorf("%q is not denied by other hours: %.2f", s, f.Support)
		}
	}
}

// TestHoursInProse: a sentence of a source that gives the hours of a week is held against a claim day by day; one that is not certain, or
// two of them, are not.
func TestHoursInProse(t *testing.T) {
	const clinic = "Harlow Clinic pharmacy hours: Monday through Friday 9 a.m. to 9 p.m., Saturday 9 a.m. to 7 p.m., Sunday 10 a.m. to 6 p.m."
	for _, c := range []struct{ source, claim, denied string }{
		{clinic, "On weekdays the Harlow Clinic pharmacy is open from 9 a.m. until 9 p.m.", ""},
		{clinic, "On weekdays the Harlow Clinic pharmacy is open from 9 a.m. until 7 p.m.", "9 a.m. until 7 p.m"},
		{clinic, "The Harlow Clinic pharmacy closes at 6 p.m. on Sundays.", ""},
		{clinic, "The Harlow Clinic pharmacy closes at 7 p.m. on Sundays.", "7 p.m"},
		{clinic, "The Harlow Clinic pharmacy is closed on Sundays.", "Sundays"},
		{clinic, "The Harlow Clinic pharmacy is open on Saturdays until 7 p.m.", ""},
		{"Harlow Clinic pharmacy hours: Mon-Fri: 9am-9pm, Sat: 9am-7pm.", "The Harlow Clinic pharmacy closes at 9 pm on Saturday.", "9 pm"},
		{"Harlow Clinic pharmacy hours: Mon-Fri: 9am-9pm, Sat: 9am-7pm.", "The Harlow Clinic pharmacy is open until 9 pm Monday to Friday and until 7 pm on Saturday.", ""},
		{"The Harlow Clinic pharmacy opens at 9 a.m. on Saturday.", "The Harlow Clinic pharmacy is open from 9 a.m. to 1 p.m. on Saturday.", ""},
		{"The Harlow Clinic pharmacy is closed on Sunday.", "The Harlow Clinic pharmacy is open on Sunday.", "Sunday"},
		{"The Harlow Clinic store is open Monday to Friday from 6 a.m., and its pharmacy is open from 9 a.m. to 9 p.m. Monday to Friday.", "The Harlow Clinic store opens at 6 a.m. on Fridays.", ""},
		{"The Harlow Clinic store is open from 6 a.m. to 10 p.m. on Fridays and its pharmacy from 9 a.m. to 9 p.m. on Fridays.", "The Harlow Clinic store is open from 6 a.m. to 10 p.m. on Fridays.", ""},
		{"The Harlow Clinic store closes at 10 p.m. on Fridays. The Harlow Clinic pharmacy in Ashby closes at 9 p.m. on Saturdays.", "The Harlow Clinic pharmacy in Ashby closes at 9 p.m. on Fridays and Saturdays.", ""},
	} {
		got := ""
		for _, x := range one(t, c.claim, c.source).Segment.Contradicted {
			got += x.Reason
		}
		want := c.denied
		if want != "" {
			want = fmt.Sprintf("says %q, the source says ", want)
		}
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %s, not %s", c.claim, got, want)
		}
	}
}

// TestDaysLeftOut: a source that says on which days something is open denies others, unless one of its sentences may speak of them.
func TestDaysLeftOut(t *testing.T) {
	const helpline, gallery = "The helpline is open on weekdays from 8 am to 6 pm.", "The gallery is open every day except Monday from 10 am to 5 pm."
	for _, b := range []beside{
		{"The helpline is open on weekends from 8 am to 6 pm.", helpline, "date"},
		{"The helpline is open daily from 8 am to 6 pm.", helpline, "date"},
		{"The helpline is open Monday to Friday from 8 am to 6 pm.", helpline, ""},
		{"The helpline is open daily from 8 am to 6 pm.", helpline + " On weekends the times are the same.", ""},
		{"The helpline is open daily from 8 am to 6 pm.", "The helpline is open on weekdays and weekends from 8 am to 6 pm.", ""},
		{"The helpline is closed on weekends.", helpline, ""},
		{"The shop beside the harbour museum is open daily.", "The museum is open on weekdays.", ""},
		{"The gallery is open every day.", "The gallery is open every day except Monday.", "date"},
		{"The gallery is open daily from 10 am to 5 pm.", gallery, "date"},
		{"The gallery is open on Mondays.", gallery, "date"},
		{"The gallery is open on Tuesdays.", gallery, ""},
	} {
		b.check(t)
	}
}

// TestHoursOfALongSentence: what goes on and on is not read as hours, for all of it would be compared with all of it.
func TestHoursOfALongSentence(t *testing.T) {
	for n, read := range map[int]bool{7: true, 7000: false} {
		if said, _ := hoursSaid("It is open "+strings.Repeat("from 8 am to 6 pm on Mondays, and ", n)+"closed on Sundays.", opens); (len(said) > 0) != read {
			t.Errorf("%d times: %d statements", n, len(said))
		}
	}
}

// FuzzHours: whatever is read as hours of business, its places lie within the sentence, and its times within a day.
func FuzzHours(f *testing.F) {
	for _, s := range []string{"It is open every day except Sunday from 9 am to 5:30 p.m.", "Closed on Mondays, open Friday to Sunday until midnight", "opens at 7 on weekdays and 8 am on weekends", "open 99:99 to 12 am daily"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		said, at := hoursSaid(s, opensOrHours)
		for _, o := range said {
			for _, span := range []ibid.Span{at, o.at, o.daysAt} {
				if span.Start < at.Start || span.End > at.End || span.Start > span.End || at.End > len(s) {
					t.Fatalf("%q: %v of %v", s, span, at)
				}
			}
			if o.open >= 24*60 || o.close >= 24*60 || o.closed && (o.open != unsaid || o.close != unsaid) {
				t.Fatalf("%q: %+v", s, o)
			}
		}
	})
}

// openDay is when a business is open on a day, in minutes; both are 0 where it is closed.
type openDay struct{ open, close int }

// hourWriter says hours of business as people do, in one of many ways.
type hourWriter struct {
	*rand.Rand
	style int // of times
}

func (w hourWriter) pick(ways ...string) string { return ways[w.IntN(len(ways))] }

func (w hourWriter) time(m int) string {
	h, min := m/60%24, m%60
	half := "AM"
	if h >= 12 {
		half = "PM"
	}
	short := fmt.Sprint((h+11)%12 + 1)
	if min > 0 {
		short = fmt.Sprintf("%s:%02d", short, min)
	}
	switch {
	case w.style == 0:
		return fmt.Sprintf("%d:%02d", h, min)
	case m == 12*60 && w.IntN(2) == 0:
		return "noon"
	case m == 24*60:
		return "midnight"
	case w.style == 1:
		return short + strings.ToLower(half)
	case w.style == 2:
		return short + " " + strings.ToLower(half[:1]) + ".m."
	}
	return short + " " + half
}

func (w hourWriter) times(d openDay) string {
	return fmt.Sprintf(w.pick("from %s to %s", "from %s until %s", "between %s and %s"), w.time(d.open), w.time(d.close))
}

var dayNames = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

func (w hourWriter) days(days []int) string {
	var parts []string
	for i := 0; i < len(days); {
		n := 1
		for i+n < len(days) && days[i+n] == days[i]+n {
			n++
		}
		switch first, last := dayNames[days[i]], dayNames[days[i]+n-1]; {
		case n == 5 && days[i] == 0 && w.IntN(2) == 0:
			parts = append(parts, "weekdays")
		case n == 2 && days[i] == 5 && w.IntN(2) == 0:
			parts = append(parts, "weekends")
		case n > 2:
			parts = append(parts, first+w.pick(" to ", " through ", "-")+last)
		default:
			for k := range n {
				parts = append(parts, dayNames[days[i]+k])
			}
		}
		i += n
	}
	return w.list(parts)
}

func (w hourWriter) list(parts []string) string {
	if last := len(parts) - 1; last > 0 {
		return strings.Join(parts[:last], ", ") + w.pick(" and ", ", and ") + parts[last]
	}
	return parts[0]
}

// say says all of a week.
func (w hourWriter) say(week [7]openDay) string {
	var alike, open [][]int
	for d, h := range week {
		if k := slices.IndexFunc(alike, func(g []int) bool { return week[g[0]] == h }); k >= 0 {
			alike[k] = append(alike[k], d)
		} else {
			alike = append(alike, []int{d})
		}
	}
	closed, all := "", []int{}
	for _, g := range alike {
		if week[g[0]] == (openDay{}) {
			closed = w.pick(", and is closed on %s", "; it is closed on %s", ", but is closed on %s", " (closed on %s)", ", with %s being closed")
			closed = fmt.Sprintf(closed, w.days(g))
		} else {
			open, all = append(open, g), append(all, g...)
		}
	}
	slices.Sort(all)
	var parts []string
	way := w.IntN(4)
	for _, g := range open {
		switch days, times := w.days(g), w.times(week[g[0]]); way {
		case 0:
			parts = append(parts, times+w.pick(" ", " on ")+days)
		case 1:
			parts = append(parts, days+w.pick(" ", ", ")+times)
		case 2:
			parts = append(parts, days+": "+w.time(week[g[0]].open)+w.pick("-", " - ", " to ")+w.time(week[g[0]].close))
		default:
			parts = append(parts, times+" on "+days)
		}
	}
	lead := ""
	if way == 3 && len(open) > 1 {
		if lead = w.days(all) + w.pick(", ", ", with hours "); len(all) == 7 {
			lead = "seven days a week, "
		}
	}
	return w.pick("Casa Oro is open ", "It operates ", "The restaurant is open ", "Its hours of operation are ") + lead + w.list(parts) + closed + "."
}

// TestHoursOfAnyWeek: however the hours of a week are said, they are supported where the data gives them and contradicted where it gives others
// for one day.
func TestHoursOfAnyWeek(t *testing.T) {
	w := hourWriter{Rand: rand.New(rand.NewPCG(1, 2))}
	for range 400 {
		var week [7]openDay
		usual := openDay{30 * (12 + w.IntN(12)), 30 * (36 + w.IntN(10))}
		for d := range week {
			week[d] = usual
		}
		for range w.IntN(3) {
			from, change := w.IntN(7), openDay{usual.open + 30*(w.IntN(5)-2), usual.close + 30*(w.IntN(4)-1)}
			if w.IntN(3) == 0 {
				change = openDay{}
			}
			for d := from; d <= min(6, from+w.IntN(2)); d++ {
				week[d] = change
			}
		}
		if week == ([7]openDay{}) {
			continue
		}
		var data []string
		for d, h := range week {
			if h != (openDay{}) {
				data = append(data, fmt.Sprintf(`"%s": "%d:%d-%d:%d"`, dayNames[d], h.open/60, h.open%60, h.close/60%24, h.close%60))
			}
		}
		if len(data) < 4 {
			continue // what most of a week says nothing of is no week
		}
		source := `{"name": "Casa Oro", "categories": "Mexican, Restaurants", "hours": {` + strings.Join(data, ", ") + `}}`
		w.style = w.IntN(5)
		if s := w.say(week); len(one(t, s, source).Segment.Contradicted) > 0 || one(t, s, source).Segment.Support < 0.5 {
			t.Errorf("%q of %s: %.2f, %v", s, source, one(t, s, source).Segment.Support, one(t, s, source).Segment.Contradicted)
		}
		d := w.IntN(7)
		for week[d] == (openDay{}) {
			d = (d + 1) % 7
		}
		if week[d].close += 30; week[d].close > 24*60 {
			week[d].close -= 120
		}
		if s := w.say(week); len(one(t, s, source).Segment.Contradicted) == 0 || one(t, s, source).Segment.Support >= 0.5 {
			t.Errorf("not denied: %q of %s", s, source)
		}
	}
}
