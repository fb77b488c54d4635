package attribute

import (
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// counterparts finds the other one of a pair of which neither can stand for the other, in its place: clockwise beside anticlockwise, the lessee
// pays beside the lessor pays. Where all else agrees it is an exchange, which stands against a judge: judges take them for the same.
func (c *comparison) counterparts() {
	for k := range c.s.tokens {
		mine := c.mine.counterpart(k)
		if mine == 0 {
			continue
		}
		j := c.counterpartOf(k, mine)
		if j < 0 || c.crossed != nil || c.mine.denies() != c.around(j).denies() || !c.tells(j, k, k+1, 0.5) {
			continue
		}
		kind := "comparative"
		if c.rest(k, k+1) >= nothingElse {
			kind = "exchange"
		}
		c.add(kind, k, k+1, j, j+1, c.instead(k, k+1, j, j+1))
	}
}

// counterpartOf is where the window has the other one in the place of the word at k, -1 where the same sentence, or another one in that place, has
// the word itself: what is exported from one country is imported by another.
func (c *comparison) counterpartOf(k, mine int) int {
	at := -1
	for j := c.start; j < c.end; j++ {
		if c.theirs.counterpart(j) == -mine && at < 0 && c.inPlace(k, j) {
			at = j
		}
	}
	for j := c.start; j < c.end && at >= 0; j++ {
		if c.theirs.counterpart(j) == mine && (c.sentence(j) == c.sentence(at) || c.inPlace(k, j)) {
			return -1
		}
	}
	return at
}

// inPlace reports whether the words beside k stand on the same sides of j, and not far from it.
func (c *comparison) inPlace(k, j int) bool {
	beside := 0
	for _, step := range []int{-1, 1} {
		for n := k + step; n >= max(0, k-6) && n < min(len(c.s.tokens), k+7); n += step {
			p, ok := c.place[n]
			if !ok || p == j || !c.s.tokens[n].Content() {
				continue
			}
			if d := (p - j) * step; d <= 0 || d > 6 || c.sentence(p) != c.sentence(j) {
				return false
			}
			beside++
			break
		}
	}
	return beside > 0
}

// denies reports whether a line has a negation.
func (l line) denies() bool {
	return l.any(func(i int) bool { return l.at(i).Kind.Has(token.Negation) })
}

// counterpart is the pair that the word at i is one of, with another sign for either side, 0 where it is of none.
func (l line) counterpart(i int) int {
	word := strings.ToLower(l.text(i))
	if i > l.start && l.at(i).Kind.Has(token.Glued) {
		if before := strings.ToLower(l.text(i - 1)); before == "anti" || before == "counter" {
			word = before + word // anti-clockwise
		}
	}
	return pairOf[word]
}

// pairOf numbers the pairs. Words are compared as they are written: employer and employs have one normal form.
var pairOf = func() map[string]int {
	m := map[string]int{}
	n := 0
	for line := range strings.Lines(`clockwise|anticlockwise counterclockwise
inbound incoming|outbound outgoing
northbound|southbound
eastbound|westbound
upstream|downstream
ascending|descending
upload uploads uploaded uploading|download downloads downloaded downloading
encrypt encrypts encrypted|decrypt decrypts decrypted
horizontal horizontally|vertical vertically
numerator|denominator
latitude|longitude
uppercase|lowercase
import imports imported importing importer importers|export exports exported exporting exporter exporters
debit debits debited|credit credits credited
surplus|deficit
lender lenders|borrower borrowers
creditor creditors|debtor debtors
buyer buyers purchaser purchasers|seller sellers
lessor lessors landlord landlords|lessee lessees tenant tenants
licensor|licensee
franchisor|franchisee
assignor|assignee
payer payor|payee
plaintiff plaintiffs|defendant defendants
employer employers|employee employees
maternal|paternal
systolic|diastolic
hypertension|hypotension
hyperglycemia hyperglycaemia|hypoglycemia hypoglycaemia
hyperthyroidism|hypothyroidism
affirmed upheld|reversed overturned
`) {
		n++
		a, b, _ := strings.Cut(strings.TrimSpace(line), "|")
		for _, w := range strings.Fields(a) {
			m[w] = n
		}
		for _, w := range strings.Fields(b) {
			m[w] = -n
		}
	}
	return m
}()
