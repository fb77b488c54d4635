package token

// Run is a run of tokens, wherever they are kept.
type Run struct {
	At         func(i int) Token
	Start, End int
}

// UpTo finds the other end of the range that begins with the number at i, -1 where none does: 10–12, 10 to 12, two or three,
// between 10 and 12, $5 to $7.
func (r Run) UpTo(i int) int {
	is := func(j int) bool { return j < r.End && r.At(j).Kind.Has(Number) && !r.At(j).Kind.Has(Year) }
	if !is(i) {
		return -1
	}
	j := i + 1
	if j < r.End && !r.At(j).Kind.Has(Number) && !r.Sign(j) {
		if joins := r.At(j).Key; joins != "to" && joins != "or" && (joins != "and" || !r.between(i)) {
			return -1
		}
		j++
	} else if j < r.End && !r.At(j).Kind.Has(Glued) {
		return -1
	}
	if j < r.End && r.Sign(j) { // $5 to $7
		j++
	}
	if is(j) && !r.At(j).Kind.Has(Comma) {
		return j
	}
	return -1
}

// Sign reports whether the sign of a currency stands at i, before a number.
func (r Run) Sign(i int) bool {
	return r.At(i).Kind.Has(Unit) && i+1 < r.End && r.At(i+1).Kind.Has(Number) && r.At(i+1).Kind.Has(Glued)
}

// between reports whether the word "between" stands before the number at i, but for a word like "about" and a sign.
func (r Run) between(i int) bool {
	for j := i - 1; j >= max(r.Start, i-3); j-- {
		if key := r.At(j).Key; key == "between" {
			return true
		} else if !Rough[key] && !r.At(j).Kind.Has(Unit) {
			return false
		}
	}
	return false
}
