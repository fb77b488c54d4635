package api

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// CheckCollection says what is wrong with the name of a collection, so that whoever makes one can be sure that all others can name
// it. The empty name is that of what is in none. The error wraps ibid.ErrInvalid.
func CheckCollection(name string) error {
	var why error
	switch {
	case name == "":
	case len(name) > 200:
		why = errors.New("the name is longer than 200 bytes")
	case !utf8.ValidString(name):
		why = errors.New("the name is not UTF-8")
	case strings.ContainsFunc(name, unicode.IsControl):
		why = errors.New("the name has control characters")
	case strings.TrimSpace(name) != name:
		why = errors.New("the name begins or ends with blanks")
	}
	if why != nil {
		return fmt.Errorf("%w: %w", why, ibid.ErrInvalid)
	}
	return nil
}
