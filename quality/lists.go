package quality

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

// List names hosts, journals and publishers of one kind, and what they are worth before anything else is looked at.
type List struct {
	Name  string   `toml:"name"` // shown as the reason
	Kind  Kind     `toml:"kind"`
	Worth float64  `toml:"worth"` // within [0,1]
	Hosts []string `toml:"hosts"` // "gov.uk" stands for all below it; "github.com/golang" for the first part of a path
	Names []string `toml:"names"` // of journals, series, sites and publishers
}

// The built-in lists are read when they are first needed. A test holds that they can be.
//
//go:embed lists.toml
var listsTOML string

var builtIn = sync.OnceValue(func() []List {
	lists, err := ParseLists(listsTOML)
	if err != nil {
		panic(err)
	}
	return lists
})

// ParseLists reads lists in the form of the built-in ones. The error names the list and wraps ibid.ErrInvalid.
func ParseLists(data string) ([]List, error) {
	var file struct {
		List []List `toml:"list"`
	}
	meta, err := toml.Decode(data, &file)
	if err != nil {
		return nil, fmt.Errorf("lists of sources: %v: %w", wording.TOML(err), ibid.ErrInvalid)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("lists of sources: unknown setting %s: %w", unknown[0], ibid.ErrInvalid)
	}
	for i, l := range file.List {
		if err := l.check(); err != nil {
			return nil, fmt.Errorf("lists of sources: list %d %q: %w", i+1, l.Name, err)
		}
	}
	return file.List, nil
}

func (l List) check() error {
	switch l.Kind {
	case PeerReviewed, Official, Reference, Preprint, Press, Trade, Blog, Personal, Unknown:
	default:
		return fmt.Errorf("kind %q is none of peer-reviewed, official, reference, preprint, press, trade, blog, personal, unknown: %w", l.Kind, ibid.ErrInvalid)
	}
	if !(l.Worth >= 0 && l.Worth <= 1) {
		return fmt.Errorf("worth %v is not within 0 and 1: %w", l.Worth, ibid.ErrInvalid)
	}
	if strings.TrimSpace(l.Name) == "" {
		return fmt.Errorf("it needs a name, which is shown as the reason: %w", ibid.ErrInvalid)
	}
	for _, h := range l.Hosts {
		if h == "" || strings.ContainsAny(h, " :*") {
			return fmt.Errorf("host %q: give it as in gov.uk, without https:// or *: %w", h, ibid.ErrInvalid)
		}
	}
	return nil
}
