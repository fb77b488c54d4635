package attribute

// line is a run of tokens, of a segment or of a window, so that both are read by the same rules.
type line struct {
	start, end int
	at         func(i int) token // without its place
	text       func(i int) string
}

func (s *segment) line() line {
	return line{0, len(s.tokens), func(i int) token { return s.tokens[i] }, func(i int) string { return s.tokens[i].at.In(s.text) }}
}

func (t *turn) line(passage, start, end int) line {
	text := t.passages[passage].Chunk.Text
	return line{start, end, func(i int) token {
		tm := &t.terms[t.tokens[i].term]
		return token{key: tm.key, num: tm.num, kind: t.tokens[i].kind | tm.kind&(number|ordinal)}
	}, func(i int) string { return text[t.tokens[i].start:t.tokens[i].end] }}
}

// unit is the one beside the number at i: behind it, or a sign before it.
func (l line) unit(i int) (unitKey string, from, to int) {
	if i+1 < l.end && l.at(i+1).kind.has(unit) {
		return l.at(i + 1).key, i, i + 2
	}
	if i > l.start && l.at(i-1).kind.has(unit) && l.at(i).kind.has(glued) {
		return l.at(i - 1).key, i - 1, i + 1
	}
	return "", i, i + 1
}
