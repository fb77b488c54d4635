package attribute

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
	"github.com/ibid-dev/ibid/internal/listing"
)

// fieldKind is what the value of a field is.
type fieldKind int

const (
	ofText fieldKind = iota
	ofNumber
	ofTime
	ofDate
	ofSo // yes or no
)

// field is a named value of data, read.
type field struct {
	listing.Value
	kind   fieldKind
	keys   []string // of its name
	words  []string // of a text
	number float64
	amount amount // of a number, with the unit that the data gives it
	counts string // the word behind its unit: guest in 4 guests
	so     bool   // it is so
	per    string // the span of time that it is for, empty where none is said
	clock  clockTime
	date   dayOf
}

// clockTime is a time of the day in minutes, and whether it is said which half of the day it is of.
type clockTime struct {
	minutes int
	told    bool
}

// is reports whether two times may be the same.
func (a clockTime) is(b clockTime) bool {
	if a.told && b.told {
		return a.minutes == b.minutes
	}
	return a.minutes%(12*60) == b.minutes%(12*60)
}

// dayOf is a date; what is not said of it is 0.
type dayOf struct{ year, month, day int }

// is reports whether two dates may be the same.
func (a dayOf) is(b dayOf) bool {
	same := func(x, y int) bool { return x == 0 || y == 0 || x == y }
	return same(a.year, b.year) && same(a.month, b.month) && same(a.day, b.day)
}

// fieldSet is what the fields of a passage are, and what is looked up in them.
type fieldSet struct {
	all   []field
	names map[string]bool // words of the names of fields and lists
	ids   []int           // the fields by which the objects of lists are told apart
	lists []listing.List
	at    ibid.Span // where they stand in the passage
}

// fieldsOf reads the fields of a passage when they are first asked for; of one with more than can be compared there are none.
func (t *turn) fieldsOf(passage int) fieldSet {
	if f, ok := t.fields[passage]; ok {
		return f
	}
	values, lists := t.data[passage].Values, t.data[passage].Lists
	_, data := t.data[passage]
	if !data {
		values, lists = t.tableValues(passage)
	}
	out := fieldSet{names: map[string]bool{}}
	if len(values) > 0 && len(values) <= maxFields {
		out.lists, out.at = lists, ibid.Span{Start: values[0].At.Start, End: values[len(values)-1].At.End}
		if !data {
			out.at.Start = tableStart(t.passages[passage].Chunk.Text, out.at.Start)
		}
		for _, v := range values {
			f := readField(v)
			t.weigh(passage, &f)
			out.all = append(out.all, f)
			for _, key := range f.keys {
				out.names[key] = true
			}
		}
		for _, l := range lists {
			for _, w := range l.Name {
				out.names[token.Normal(w)] = true
			}
		}
		out.ids = identities(out.all, lists)
	}
	if t.fields == nil {
		t.fields = map[int]fieldSet{}
	}
	t.fields[passage] = out
	return out
}

// identities are the fields that tell the objects of lists apart: those of names, or the first whose texts or dates all differ.
func identities(fields []field, lists []listing.List) []int {
	listOf := map[int]int{}
	for i, l := range lists {
		for _, row := range l.Rows {
			listOf[row] = i
		}
	}
	type column struct {
		list int
		name string
	}
	values, order := map[column]map[string]bool{}, map[int][]string{}
	of := func(f field) (column, bool) {
		if len(f.Rows) == 0 || f.kind != ofText && f.kind != ofDate {
			return column{}, false
		}
		return column{listOf[f.Rows[0]], strings.Join(f.Name, " ")}, true
	}
	for _, f := range fields {
		if c, ok := of(f); ok {
			if values[c] == nil {
				values[c] = map[string]bool{}
				order[c.list] = append(order[c.list], c.name)
			}
			values[c][f.Text] = true
		}
	}
	chosen := map[int]string{}
	for list, names := range order {
		for _, name := range names {
			if len(values[column{list, name}]) < len(lists[list].Rows) {
				continue
			}
			if _, ok := chosen[list]; !ok {
				chosen[list] = name
			}
			if naming[name[strings.LastIndexByte(name, ' ')+1:]] {
				chosen[list] = name
				break
			}
		}
	}
	var out []int
	for i, f := range fields {
		if c, ok := of(f); ok && len(lists[c.list].Rows) > 1 && chosen[c.list] == c.name {
			out = append(out, i)
		}
	}
	return out
}

// maxFields bounds how many values are looked through for each segment.
const maxFields = 2000

var (
	plainValue = regexp.MustCompile(`^[$€£]?-?\d[\d,]*(?:\.\d+)?%?$`)
	isoDate    = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?`)
	clockValue = regexp.MustCompile(`(?i)^(\d{1,2})(?::(\d\d))?(?::\d\d)? ?([ap]\.?m\.?)?$`)
)

func readField(v listing.Value) field {
	f := field{Value: v}
	for _, w := range v.Name {
		f.keys = append(f.keys, token.Normal(w))
	}
	switch text := strings.TrimSpace(v.Text); {
	case v.So:
		f.kind, f.so = ofSo, text == "yes"
	case isoDate.MatchString(text):
		m := isoDate.FindStringSubmatch(text)
		f.kind, f.date = ofDate, dayOf{atoi(m[1]), atoi(m[2]), atoi(m[3])}
		if m[4] != "" {
			f.clock = clockTime{60*atoi(m[4]) + atoi(m[5]), true}
		} else {
			f.clock.minutes = unsaid
		}
	case plainValue.MatchString(text):
		n, err := strconv.ParseFloat(strings.Trim(strings.ReplaceAll(text, ",", ""), "$€£%"), 64)
		if f.kind, f.number = ofNumber, n; err != nil {
			f.kind = ofText
		}
	case clockValue.MatchString(text) && strings.ContainsAny(text, ":aApP"):
		f.kind, f.clock = ofTime, readClock(clockValue.FindStringSubmatch(text))
	default:
		if d, ok := wholeDate(text); ok {
			f.kind, f.date, f.clock.minutes = ofDate, d, unsaid
		} else if n, ok := measuredValue(text); ok {
			f.kind, f.number = ofNumber, n
		} else {
			f.words = token.English.ContentKeys(text)
		}
	}
	return f
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// readClock reads hour, minutes and half of the day.
func readClock(m []string) clockTime {
	h, half := atoi(m[1]), strings.ToLower(m[3])
	switch {
	case strings.HasPrefix(half, "p") && h < 12:
		h += 12
	case strings.HasPrefix(half, "a") && h == 12:
		h = 0
	}
	return clockTime{h*60 + atoi(m[2]), half != "" || h > 12 || len(m[1]) == 2 && m[1][0] == '0'}
}

// naming are names of fields that tell one thing from another.
var naming = token.Words(`name title product item employee customer city country airline team player day label`)
