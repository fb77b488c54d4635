package attribute

import (
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/claim"
)

// TestACourtesyAlone: a word of courtesy that stands alone lacks no support; an answer that may be wrong and an item of a list are none.
func TestACourtesyAlone(t *testing.T) {
	for text, want := range map[string]bool{"Enjoy!": true, "Welcome!": true, "Thanks.": true, "Cheers!": true, "Certainly!": true, "Yes.": false, "No.": false, "Sugar.": false} {
		s := one(t, text, "The park has a lake.").Segment
		if got := s.Origin == ibid.NONE && s.Support >= emptySupport; got != want {
			t.Errorf("%q: %s, support %.2f", text, s.Origin, s.Support)
		}
	}
	if made, _ := claim.Made("Welcome", ibid.ListItem, ""); !made {
		t.Error("an item of a list is taken for a courtesy")
	}
}
