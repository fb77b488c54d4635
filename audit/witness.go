package audit

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/ibid-dev/ibid"
)

// Request asks a witness to sign a checkpoint, and shows that the log has only grown since an older one. As text it is
// what other witnesses take (C2SP tlog-witness):
//
//	old 20
//	CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
//
//	ibid/4f2a…
//	25
//	Lr2bLkcRWKlOtOsSGM5E3WhgPGRKWlQ8cJeN3UCRlCw=
//
//	— ibid/4f2a… signature
type Request struct {
	Old    int64  // size of the older checkpoint, 0 for none
	Proof  []Hash // of consistency between both
	Signed string // the checkpoint
}

func (r Request) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "old %d\n", r.Old)
	for _, h := range r.Proof {
		b.WriteString(base64.StdEncoding.EncodeToString(h[:]) + "\n")
	}
	return b.String() + "\n" + r.Signed
}

// ParseRequest reads a request, or a signed checkpoint alone, which is a request without a proof. The error wraps
// ibid.ErrInvalid.
func ParseRequest(s string) (Request, error) {
	if len(s) > maxCheckpoint {
		return Request{}, fmt.Errorf("request of %d bytes: %w", len(s), ibid.ErrInvalid)
	}
	rest, ok := strings.CutPrefix(s, "old ")
	if !ok {
		_, err := ReadCheckpoint(s)
		return Request{Signed: s}, err
	}
	proof, signed, _ := strings.Cut(rest, "\n\n")
	lines := strings.Split(proof, "\n")
	r := Request{Signed: signed}
	var err error
	if r.Old, err = strconv.ParseInt(lines[0], 10, 64); err != nil || r.Old < 0 {
		return Request{}, fmt.Errorf("request: old size %.40q: %w", lines[0], ibid.ErrInvalid)
	}
	for _, line := range lines[1:] {
		h, err := base64.StdEncoding.DecodeString(line)
		if err != nil || len(h) != len(Hash{}) {
			return Request{}, fmt.Errorf("request: proof line %.80q is not a hash: %w", line, ibid.ErrInvalid)
		}
		r.Proof = append(r.Proof, Hash(h))
	}
	_, err = ReadCheckpoint(signed)
	return r, err
}

// Cosign adds a witness's signature to a checkpoint. It refuses one that the log's keys did not sign, and one that is not
// shown to hold all entries of the checkpoint that the witness saw last, unchanged; seen is that one, "" for the first. So
// a log that has a witness cannot show one past to some and another to others. The error wraps ibid.ErrInvalid.
func Cosign(key *Key, seen string, r Request, logKeys ...string) (string, error) {
	now, err := OpenCheckpoint(r.Signed, logKeys...)
	if err != nil {
		return "", err
	}
	if seen != "" {
		old, err := ReadCheckpoint(seen)
		if err != nil {
			return "", fmt.Errorf("checkpoint seen last: %w", err)
		}
		if r.Old != old.Size && now.Size > old.Size && old.Size > 0 {
			return "", fmt.Errorf("the proof is for a log of %d entries, and the one seen last had %d: %w", r.Old, old.Size, ibid.ErrInvalid)
		}
		if err := CheckConsistency(old, now.Checkpoint, r.Proof); err != nil {
			return "", err
		}
	}
	var list []note.Verifier
	for _, k := range logKeys {
		if now.SignedBy(k) {
			v, err := note.NewVerifier(k)
			if err != nil {
				return "", err
			}
			list = append(list, v)
		}
	}
	n, err := note.Open([]byte(r.Signed), note.VerifierList(list...))
	if err != nil {
		return "", err
	}
	signed, err := note.Sign(n, key.signer)
	return string(signed), err
}
