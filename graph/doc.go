// Package graph holds claims against the sources they rest on: which are confirmed by sources that do not depend on each
// other, which rest on one text that was copied, and how all of it hangs together.
//
// A text that was copied from one source into another counts once, however many carry it. Copies are found by runs of
// words that both have, through an index of them: the cost grows with the library, not with its square.
package graph
