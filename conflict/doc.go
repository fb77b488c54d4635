// Package conflict finds statements that cannot both hold: sources that disagree with each other, or a claim with its
// sources.
//
//	passages ──sentences──▶ index of rare words ──▶ pairs of different sources ──read──▶ findings
//
// A finding names both places, what kind of difference it is, how much it would matter and how sure it is. It never says
// who is right. Words of contrast ("however", "but") are not looked at: two sentences conflict by what they say.
//
// Two sentences are compared only where they share rare words, so a library of n sentences costs in the order of n, not
// of n². Nothing here reads the network, the clock or chance: the same passages give the same findings.
package conflict
