package attribute

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

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
		"It is open daily from 11 am to 9 pm until midnight on Fridays.":                                   "",
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
		got := ""
		for _, c := range one(t, segment, listing).Segment.Contradicted {
			got += c.Reason
		}
		if denied != "" {
			denied = fmt.Sprintf("says %q, the source says ", denied)
		}
		if !strings.Contains(got, denied) || denied == "" && got != "" {
			t.Errorf("%q: %s, not %s", segment, got, denied)
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
