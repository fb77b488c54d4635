// Package entail judges whether a passage supports a sentence, with a small encoder of our own that runs in pure Go.
//
//	m, err := entail.Open()
//	js, err := m.Judge(ctx, []ibid.Pair{{Evidence: passage, Claim: sentence}})
//	js[0].Supported // the probability that the passage says so
//
// # The model
//
// A [Model] is a cross-encoder of the BERT kind: evidence and claim go through it together, and three heads read its
// states. One tells supported, unsupported and contradicted apart; one says for each piece of the claim how well it is
// supported; one gives the vector of a single text, for retrieval ([Model.Embed]). Judgements are the model's own
// probabilities; package attribute calibrates what is shown to people. The model reads English. Other languages give
// defined, poor answers.
//
// # Long texts
//
// A window holds evidence and claim together, as many tokens as [Config] says. Nothing is ever cut off:
//
//   - Longer evidence is read in windows that overlap, cut between sentences where they allow it. The window in which
//     the claim is most probably supported decides, unless another contradicts it with a higher probability: then that
//     one does. A piece of the claim is supported as well as the best window supports it.
//   - A claim that takes more than half of a window is read in parts, cut between words. All of them must be supported:
//     the part with the lowest probability decides. Where the evidence takes more than four windows as well, each part is read with
//     the four that have most pieces in common with it, rare ones counting more: time grows with the length of the claim and with
//     that of the evidence, and not with their product. What the other windows say of that part is not asked.
//
// Evidence without text supports nothing. A claim without text is an error.
//
// # Numbers
//
// The layers' weights have eight bits, and activations are rounded to eight bits for each token as they come; so are queries, keys
// and values, for each token and head, and the powers by which values are mixed. Sums of their products are exact. All else is float32. Kernels in assembly serve AMX, AVX-512 VNNI and AVX2, plain Go all other processors. They
// define each value by the same operations in the same order, so that a judgement does not depend on the machine, nor
// on what else was judged in the same call.
//
// # Weights
//
// They stand in one file: the eight bytes IBIDENT1, the length of a header as a little-endian uint64, the header in JSON
// ([Config] under "config", and each tensor's dtype, shape, offset and size under "tensors"), and from the next multiple of 64 bytes
// on, from which offsets count, the tensors, row by row. Matrices have few bits, packed from the lowest on (dtype "bytes"): the
// word vectors three (name.q3), those of the layers four (name.q4). Each 128 weights of a row share a scale (name.s, "f16"), by
// which a code's distance from the middle one is multiplied; layers have a bias for each row (name.b). When a model is loaded,
// the layers' matrices are brought into eight bits. All others are "f32" or "f16", and the vocabulary is "bytes".
package entail
