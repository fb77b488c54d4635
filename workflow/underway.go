package workflow

import (
	"slices"
	"sync"
)

// Underway is the set of studies that are being worked on, which all doors share that work on them: a study is in one hand, and there
// are only so many at the same time, as each asks question after question. The zero value is empty.
type Underway struct {
	mu  sync.Mutex
	ids []string
}

// mostUnderway is how many studies are worked on at the same time.
const mostUnderway = 4

// Begin takes a study in hand, unless it is already or there are too many.
func (u *Underway) Begin(id string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.ids) >= mostUnderway || slices.Contains(u.ids, id) {
		return false
	}
	u.ids = append(u.ids, id)
	return true
}

// End lets go of a study.
func (u *Underway) End(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ids = slices.DeleteFunc(u.ids, func(o string) bool { return o == id })
}

// List gives the ids of those that are in hand.
func (u *Underway) List() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.ids)
}

// Full reports whether there is no room for another.
func (u *Underway) Full() bool { return len(u.List()) >= mostUnderway }
