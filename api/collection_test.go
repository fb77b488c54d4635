package api_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

// A collection has a name that a header, a command line and a page can all give again.
func TestCollectionsCanBeNamed(t *testing.T) {
	for _, name := range []string{"", "thesis", "the others", "a/b", "灯台", strings.Repeat("a", 200)} {
		if err := api.CheckCollection(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{" ", "a ", "\u00a0a", "a\nb", "\x1b[31m", "a\xff", strings.Repeat("a", 201)} {
		if err := api.CheckCollection(name); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
