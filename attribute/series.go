package attribute

// series is a run of tokens, wherever they are kept.
type series struct {
	at         func(i int) token
	start, end int
}

// upTo finds the other end of the range that begins with the number at i, -1 where none does: 10–12, 10 to 12, two or three,
// between 10 and 12, $5 to $7.
func (r series) upTo(i int) int {
	is := func(j int) bool { return j < r.end && r.at(j).kind.has(number) && !r.at(j).kind.has(year) }
	if !is(i) {
		return -1
	}
	j := i + 1
	if j < r.end && !r.at(j).kind.has(number) && !r.sign(j) {
		if joins := r.at(j).key; joins != "to" && joins != "or" && (joins != "and" || !r.between(i)) {
			return -1
		}
		j++
	} else if j < r.end && !r.at(j).kind.has(glued) {
		return -1
	}
	if j < r.end && r.sign(j) { // $5 to $7
		j++
	}
	if is(j) && !r.at(j).kind.has(comma) {
		return j
	}
	return -1
}

// sign reports whether the sign of a currency stands at i, before a number.
func (r series) sign(i int) bool {
	return r.at(i).kind.has(unit) && i+1 < r.end && r.at(i+1).kind.has(number) && r.at(i+1).kind.has(glued)
}

// between reports whether the word "between" stands before the number at i, but for a word like "about" and a sign.
func (r series) between(i int) bool {
	for j := i - 1; j >= max(r.start, i-3); j-- {
		if key := r.at(j).key; key == "between" {
			return true
		} else if !rough[key] && !r.at(j).kind.has(unit) {
			return false
		}
	}
	return false
}
