// Package audit hashes, signs and proves the entries of an append-only log. It has no database, clock or chance of its
// own: package sqlite keeps a log with it, and anyone can check one with it.
//
//	payload, salt ─Commit─▶ commitment
//	index, time, kind, commitment, hash of the entry before ─Leaf─▶ leaf ─HashLeaf─▶ hash of the entry
//	hashes of all entries ─Tree─▶ root (RFC 6962)
//	origin, size, root ─Checkpoint.Sign─▶ signed checkpoint (a signed note)
//	entry, payload, path from its hash to the root, signed checkpoint: a Receipt
//
// A [Receipt] is checked without the log:
//
//	receipt, err := audit.ParseReceipt(file)
//	checked, err := receipt.Check(keys)
//
// A whole log is checked by [Verify], from any iterator of its records. Two checkpoints are of one log, and the smaller
// one's entries all stand unchanged in the larger, where [CheckConsistency] says so; a witness signs a checkpoint only
// after this check: [Cosign].
//
// Hashes are domain-separated: the first line of a leaf names its form and version, RFC 6962 tells leaves from nodes by a
// first byte, a commitment is an HMAC over a named form.
package audit
