package listing

import (
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

// Records gives the lines of a text that has records, as people and forms write them: at least three lines below each other of a name, a colon and a
// short value ("Balcony: yes"). What stands around them is copied. It reports false where there are none, and whether the text is nothing else
// but for a line of heading.
func Records(s string) (lines Lines, only, ok bool) {
	if strings.Count(s, ": ")+strings.Count(s, ":\t")+strings.Count(s, ":*")+strings.Count(s, ":_") < minRecord {
		return Lines{}, false, false
	}
	r := reader{s: s, rows: map[int]bool{}, records: true}
	var block []entry
	var objects [][]entry
	prose := ibid.Span{} // that was not copied yet
	around := 0
	copied := func(to int) {
		if prose.End = to; strings.TrimSpace(prose.In(s)) != "" {
			r.leaves = append(r.leaves, leaf{prose: true, at: []ibid.Span{prose}})
			around += len(strings.TrimSpace(prose.In(s)))
		}
		prose.Start = to
	}
	end := func(to int) {
		if some := recordsOf(s, block); len(some) > 0 {
			copied(block[0].line.Start)
			prose.Start = to
			for _, one := range some {
				r.record(one)
			}
			objects = append(objects, some...)
		}
		block = nil
	}
	start := 0
	for line := range strings.Lines(s) {
		at := ibid.Span{Start: start, End: start + len(line)}
		start = at.End
		switch e, ok := entryOf(s, at); {
		case ok:
			block = append(block, e)
		case strings.TrimSpace(line) != "":
			end(at.Start)
		}
	}
	end(len(s))
	if len(objects) == 0 {
		return Lines{}, false, false
	}
	copied(len(s))
	if alike(s, objects) {
		list := List{}
		for i := range objects {
			r.rows[i+1] = len(objects) > 1
			list.Rows = append(list.Rows, i+1)
		}
		r.lists = append(r.lists, list)
	}
	return r.lines(), around <= maxHeading, true
}

const (
	minRecord  = 3   // lines of a record
	maxHeading = 60  // bytes that may stand around records that are all of a text
	maxEntry   = 200 // bytes of a value
)

// entry is a line of a record.
type entry struct {
	line, name, value ibid.Span
}

// entryOf reads a line as one of a record; false for what is none: a sentence, a question, what somebody says, a time, an address of the web.
func entryOf(s string, line ibid.Span) (entry, bool) {
	at := trimmed(s, line)
	if text := at.In(s); text != "" {
		for _, bullet := range []string{"- ", "* ", "+ ", "• ", "– "} {
			if strings.HasPrefix(text, bullet) {
				at = trimmed(s, ibid.Span{Start: at.Start + len(bullet), End: at.End})
			}
		}
	}
	colon := strings.IndexByte(at.In(s), ':')
	if colon < 1 || colon > maxName+4 {
		return entry{}, false
	}
	e := entry{line: line, name: plainText(s, ibid.Span{Start: at.Start, End: at.Start + colon}), value: ibid.Span{Start: at.Start + colon + 1, End: at.End}}
	if value := e.value.In(s); value == "" || strings.IndexByte(" \t*_", value[0]) < 0 {
		return entry{}, false
	}
	if e.value = plainText(s, e.value); !named(e.name.In(s)) || !valued(e.value.In(s)) {
		return entry{}, false
	}
	if value := e.value.In(s); strings.HasSuffix(value, ".") && len(strings.Fields(value)) <= fewWords && !strings.Contains(value[:len(value)-1], ".") {
		e.value.End--
	}
	return e, true
}

// plainText is a place without blanks and the signs of bold around it.
func plainText(s string, at ibid.Span) ibid.Span {
	for {
		at = trimmed(s, at)
		text := at.In(s)
		left := len(text) - len(strings.TrimLeft(text, "*_"))
		if left == len(text) {
			return at
		}
		right := len(strings.TrimRight(text, "*_"))
		if left == 0 && right == len(text) {
			return at
		}
		at = ibid.Span{Start: at.Start + left, End: at.Start + right}
	}
}

// named reports whether a text may be the name of a field: up to four words, and nothing that begins what is said or done.
func named(name string) bool {
	words := strings.Fields(name)
	if len(words) == 0 || len(words) > 4 || len(name) > maxName || speech[strings.ToLower(words[0])] {
		return false
	}
	for i, r := range name {
		if !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r) && !strings.ContainsRune(" -_'’/&()%.", r)) {
			return false
		}
	}
	return !strings.HasSuffix(name, ".")
}

var speech = wordSet(`q a question answer user assistant system human ai bot speaker interviewer interviewee moderator host re fwd http https note tip warning caution example eg ie ps step`)

// valued reports whether a text may be a value: short, not a sentence or a question, and nobody speaks in it.
func valued(value string) bool {
	if value == "" || len(value) > maxEntry || strings.ContainsAny(value, "?!\"“”|") || strings.HasSuffix(value, ":") || strings.Contains(value, ". ") {
		return false
	}
	for w := range strings.FieldsSeq(strings.ToLower(value)) {
		if persons[strings.Trim(w, ".,;()'’")] {
			return false
		}
	}
	return true
}

var persons = wordSet(`i you we my me your our i'm i’m i'll i’ll i'd i've i’ve you're you’re we're we’re we'll we’ll let's let’s he she they his her their`)

// fewWords are those of a value that is no sentence.
const fewWords = 4

// recordsOf cuts the lines of a block into records, of which each has a name once. There are none where the lines are too few, where most are
// not plain values, or where the names only count (Step 1, Step 2).
func recordsOf(s string, block []entry) [][]entry {
	if len(block) < minRecord {
		return nil
	}
	few, told := 0, false
	stems := map[string]int{}
	for _, e := range block {
		value, name := e.value.In(s), e.name.In(s)
		digits := strings.ContainsFunc(value, unicode.IsDigit)
		if words := len(strings.Fields(value)); words <= fewWords || digits && words <= 2*fewWords {
			few++
		}
		told = told || digits || so[strings.ToLower(value)]
		if stem := strings.TrimRightFunc(name, unicode.IsDigit); stem != name {
			if stems[stem]++; stems[stem] > 1 {
				return nil
			}
		}
	}
	if !told || 3*few < 2*len(block) {
		return nil
	}
	var out [][]entry
	from := 0
	seen := map[string]bool{}
	for i, e := range block {
		name := strings.ToLower(e.name.In(s))
		if seen[name] {
			out, from = append(out, block[from:i]), i
			clear(seen)
		}
		seen[name] = true
	}
	out = append(out, block[from:])
	for _, one := range out {
		if len(out) > 1 && (len(one) < 2 || !strings.EqualFold(one[0].name.In(s), block[0].name.In(s))) {
			return nil // a talk, where names come back as it happens
		}
	}
	return out
}

// so are values of what is so or not.
var so = wordSet(`yes no true false none`)

// record makes an object of some lines.
func (r *reader) record(entries []entry) {
	r.objects++
	r.within = append(r.within, 0)
	for _, e := range entries {
		r.leaves = append(r.leaves, leaf{own: words(r.s, e.name), of: r.objects, at: []ibid.Span{e.value}, alone: several(e.value.In(r.s))})
	}
}

// several reports whether a value is more than one, which could not be told from the next beside it.
func several(value string) bool { return strings.Contains(value, ", ") || strings.Contains(value, ";") }

// alike reports whether records are of one kind: each has most of the names of the first.
func alike(s string, objects [][]entry) bool {
	names := map[string]bool{}
	for _, e := range objects[0] {
		names[strings.ToLower(e.name.In(s))] = true
	}
	for _, one := range objects {
		shared := 0
		for _, e := range one {
			if names[strings.ToLower(e.name.In(s))] {
				shared++
			}
		}
		if shared < 2 || 2*shared < len(objects[0]) {
			return false
		}
	}
	return true
}
