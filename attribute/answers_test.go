package attribute

import "testing"

// TestClosingTimesAreNoOpposites: what closes at six is open until six; a time makes of both words the end of the same hours.
func TestClosingTimesAreNoOpposites(t *testing.T) {
	for _, b := range []beside{
		{"The museum closes at 6 pm.", "The museum is open daily from 10 am until 6 pm.", ""},
		{"The museum closes at 6 in the evening.", "The museum is open until 6 pm.", ""},
		{"The museum at the harbour stays open until 6 pm.", "The museum at the harbour closes at 6 pm.", ""},
		{"It closes at 8 PM on Fridays and at 2 PM on the other days.", `{"name": "Fern Cafe", "hours": {"Monday": "7:0-14:0", "Tuesday": "7:0-14:0", "Friday": "7:0-20:0"}}`, ""},
		{"The museum at the harbour is closed to visitors.", "The museum at the harbour is open to visitors.", "comparative"},
		{"The valve at the inlet closes when the pump starts.", "The valve at the inlet opens when the pump starts.", "comparative"},
	} {
		b.check(t)
	}
}

// TestWhatNeedNotWorry: who is told not to worry about something, or not to forget it, is told that it is there.
func TestWhatNeedNotWorry(t *testing.T) {
	for _, b := range []beside{
		{"Don't worry about swelling, which is common after the operation.", "Swelling is common after the operation and usually goes away by itself.", ""},
		{"Don't be alarmed if a lump forms along the bone.", "While the bone is healing, a lump may form along the bone.", ""},
		{"Do not be surprised that the dough is sticky at first.", "The dough is sticky at first and becomes smooth as you knead it.", ""},
		{"Don't forget to salt the water before the pasta goes in.", "Salt the water before the pasta goes in.", ""},
		{"Do not salt the water before the pasta goes in.", "Salt the water before the pasta goes in.", "negation"},
		{"The dough is not sticky at first.", "The dough is sticky at first and becomes smooth as you knead it.", "negation"},
	} {
		b.check(t)
	}
}

