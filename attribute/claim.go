package attribute

import (
	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/claim"
)

// IsClaim reports whether a segment states something that could rest on a source, and says why where it does not: a
// heading, code, a question, a courtesy, a remark on the answer itself or on what the passages lack, the lead of a list.
// before is the segment before it, or "".
//
// In doubt it says yes: a claim taken for a courtesy escapes every check, a courtesy taken for a claim is only noise. It
// knows the phrases of English, and the most common ones of the other languages that are read.
func IsClaim(s string, kind ibid.Kind, before string) (claims bool, reason string) {
	return claim.Made(s, kind, before)
}
