// Package attribute says where the words of an answer come from: which sentence of which source supports a segment, which
// of its words have no support or are denied, and with what probability the whole segment is supported.
//
//	passages ──build──▶ turn (sentences, words, inverted index)
//	draft ──analyse──▶ words ──search──▶ windows ──align──▶ features ──model──▶ probability, origin, reasons
//
// Nothing here reads the network, the clock or chance: the same passages and segments give the same findings.
package attribute
