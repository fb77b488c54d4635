package listing

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

// leaf is a value of data: a word, a number or a text, or a list of short ones, with the names it goes by.
type leaf struct {
	over, own key
	of        int // the object that holds it
	at        []ibid.Span
	alone     bool // it is said in a line of its own
	prose     bool // it stands around records, and is copied
	qualified bool // its name's last word is none of a unit, as one beside it tells that ends with max
}

// short reports whether a leaf may be said beside others.
func (l leaf) short() bool {
	return len(l.at) == 1 && l.at[0].Len() <= shortValue && !l.alone && !l.prose
}

// key is a name within data, cut into its words, each with its place.
type key struct {
	words []string
	of    []ibid.Span
}

// reader walks through data and gathers its leaves. It reads what JSON and Python write alike.
type reader struct {
	s       string
	at      int
	objects int
	leaves  []leaf
	within  []int        // for each object, the one that holds it
	rows    map[int]bool // the objects of lists, and whether they are one of several
	lists   []List
	records bool // lines of a name and a value are read, not data
}

// maxDepth bounds data within data.
const maxDepth = 64

// rowsOf are the objects of lists that hold an object or are it, the innermost first.
func (r *reader) rowsOf(of int) []int {
	var out []int
	for ; of > 0; of = r.within[of-1] {
		if r.rows[of] {
			out = append(out, of)
		}
	}
	return out
}

func (r *reader) blank() {
	for r.at < len(r.s) && strings.IndexByte(" \t\r\n", r.s[r.at]) >= 0 {
		r.at++
	}
}

// next steps over a byte, if it comes next.
func (r *reader) next(c byte) bool {
	if r.peek() == c {
		r.at++
		return true
	}
	return false
}

func (r *reader) peek() byte {
	if r.blank(); r.at < len(r.s) {
		return r.s[r.at]
	}
	return 0
}

// objectsAndLists reads all that there is; false where something else stands among it.
func (r *reader) objectsAndLists() bool {
	if c := r.peek(); c != '{' && c != '[' {
		return false
	}
	for c := r.peek(); c != 0; c = r.peek() {
		if c != '{' && c != '[' {
			return false
		}
		if _, ok := r.value(leaf{}, 0); !ok {
			return false
		}
	}
	return true
}

// value reads one; false where it is none. A plain one is given to the caller, who knows its names.
func (r *reader) value(l leaf, depth int) (plain ibid.Span, ok bool) {
	if depth > maxDepth {
		return plain, false
	}
	switch c := r.peek(); c {
	case '{':
		return plain, r.object(l.own, depth, l.of)
	case '[':
		return plain, r.list(l, depth)
	case '"', '\'':
		return r.quoted(c)
	}
	start := r.at
	for r.at < len(r.s) && strings.IndexByte(",]}: \t\r\n", r.s[r.at]) < 0 {
		r.at++
	}
	plain = ibid.Span{Start: start, End: r.at}
	return plain, bare(plain.In(r.s))
}

func (r *reader) object(over key, depth, in int) bool {
	r.at++
	r.objects++
	of := r.objects
	r.within = append(r.within, in)
	for n := 0; !r.next('}'); n++ {
		if n > 0 && !r.next(',') {
			return false
		}
		c := r.peek()
		if c == '}' && n > 0 {
			continue // a comma at the end, as Python allows
		}
		if c != '"' && c != '\'' {
			return false
		}
		name, ok := r.quoted(c)
		if !ok || !r.next(':') {
			return false
		}
		l := leaf{over: over, own: words(r.s, name), of: of}
		at, ok := r.value(l, depth+1)
		if !ok {
			return false
		}
		if !at.Empty() {
			l.at = []ibid.Span{at}
			r.leaves = append(r.leaves, l)
		}
	}
	return true
}

// list reads one. Its short things are one leaf, its long ones a leaf each.
func (r *reader) list(l leaf, depth int) bool {
	r.at++
	var rows []int
	defer func() {
		for _, of := range rows {
			r.rows[of] = len(rows) > 1
		}
		if len(rows) > 0 {
			r.lists = append(r.lists, List{lower(l.own.words), rows})
		}
	}()
	for n := 0; !r.next(']'); n++ {
		if n > 0 && !r.next(',') {
			return false
		}
		if n > 0 && r.peek() == ']' {
			continue
		}
		if r.peek() == '{' {
			rows = append(rows, r.objects+1)
		}
		at, ok := r.value(l, depth+1)
		switch {
		case !ok:
			return false
		case at.Empty():
		case at.Len() <= shortValue:
			l.at = append(l.at, at)
		default:
			long := l
			long.at = []ibid.Span{at}
			r.leaves = append(r.leaves, long)
		}
	}
	if len(l.at) > 0 {
		r.leaves = append(r.leaves, l)
	}
	return true
}

// shortValue is the length up to which a value is said beside others in one line.
const shortValue = 60

func lower(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, strings.ToLower(w))
	}
	return out
}

// quoted reads a string and gives the place between its quotes.
func (r *reader) quoted(quote byte) (ibid.Span, bool) {
	r.at++
	for start := r.at; r.at < len(r.s); r.at++ {
		switch r.s[r.at] {
		case '\\':
			r.at++
		case quote:
			r.at++
			return ibid.Span{Start: start, End: r.at - 1}, true
		}
	}
	return ibid.Span{}, false
}

// bare reports whether a word may stand without quotes.
func bare(s string) bool {
	switch s {
	case "null", "None", "NaN", "true", "True", "false", "False":
		return true
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && s[0] != 'i' && s[0] != 'I'
}

// words cuts a key: BusinessParking, good_for_kids. WiFi is one word, and so is HasTV's TV.
func words(s string, at ibid.Span) key {
	var k key
	start, last := -1, rune(0)
	add := func(end int) {
		if start >= 0 {
			word := s[start:end]
			if strings.ToUpper(word) != word {
				word = strings.ToLower(word) // in the middle of a line a capital would make a name of it
			}
			k.words, k.of = append(k.words, word), append(k.of, ibid.Span{Start: start, End: end})
		}
		start = -1
	}
	for i, r := range at.In(s) {
		i += at.Start
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			add(i)
		case start < 0:
			start = i
		case unicode.IsUpper(r) && unicode.IsLower(last) && i-start > 2:
			add(i)
			start = i
		}
		last = r
	}
	add(at.End)
	return k
}
