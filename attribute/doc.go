// Package attribute says where the words of an answer come from: which sentence of which source supports a segment, which
// of its words have no support or are denied, and with what probability the whole segment is supported.
//
//	passages ──build──▶ turn (sentences, words, inverted index)
//	draft ──analyse──▶ words ──search──▶ windows ──align──▶ features ──model──▶ probability, origin, reasons
//
// Where what stands:
//
//	engine, finding, explain     one segment from its words to the finding, and what is told of it
//	turn, search, align, order   the passages of a turn, the windows that could say a segment, word beside word
//	amount, day, period, rate …  values as they are told: units, spans, shares, and what can be reckoned from them
//	conflict and conflict_*      one kind of disagreement a file: numbers, names, negations, what has changed places
//	field, grid, conflict_fields data and tables, value by value
//	unsaid, absence              what no source has, and what is wrongly said to stand in none
//	features, model, denial      from all that to probabilities; their weights are made in train
//	reading, wording             what a second opinion is given to read
//	strategy                     the five ways to weigh what a model claims of itself
//	internal/token, claim        the words of a text; whether a sentence claims anything
//
// Nothing here reads the network, the clock or chance: the same passages and segments give the same findings.
package attribute
