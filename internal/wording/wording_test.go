package wording_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

func TestTheKindIsForPrograms(t *testing.T) {
	once := fmt.Errorf("line 3: no date: %w", ibid.ErrInvalid)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"the kind goes", once, "line 3: no date"},
		{"and goes again where it was put twice", fmt.Errorf("a.json: %w: %w", once, ibid.ErrInvalid), "a.json: line 3: no date"},
		{"another kind stays", fmt.Errorf("answer 7: %w", ibid.ErrNotFound), "answer 7: " + ibid.ErrNotFound.Error()},
		{"a word of the message stays", errors.New("the date is invalid"), "the date is invalid"},
		{"within the message it stays", errors.New("a: invalid: b"), "a: invalid: b"},
		{"alone it is all there is to say", ibid.ErrInvalid, "invalid"},
	} {
		if got := wording.Of(c.err); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
