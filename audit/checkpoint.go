package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/ibid-dev/ibid"
)

// Checkpoint says what a log holds: how many entries, and the root of the tree over them. Signed, it is a promise by
// which the log can be held to account. Its form is that of other transparency logs (C2SP tlog-checkpoint).
type Checkpoint struct {
	Origin string // names the log
	Size   int64
	Root   Hash
}

// maxCheckpoint bounds a signed checkpoint, which has a few lines and a line for each signature.
const maxCheckpoint = 64 << 10

func (c Checkpoint) text() string {
	return c.Origin + "\n" + strconv.FormatInt(c.Size, 10) + "\n" + base64.StdEncoding.EncodeToString(c.Root[:]) + "\n"
}

// Sign gives the signed note of a checkpoint.
func (c Checkpoint) Sign(keys ...*Key) (string, error) {
	signers := make([]note.Signer, len(keys))
	for i, k := range keys {
		signers[i] = k.signer
	}
	signed, err := note.Sign(&note.Note{Text: c.text()}, signers...)
	return string(signed), err
}

// sealForm separates seals from all other uses of HMAC.
const sealForm = "ibid log seal v1\n"

// sealLine begins the line that stands where a signed checkpoint has its signatures.
const sealLine = "seal "

// Seal gives the checkpoint with a code (HMAC-SHA-256) that only who has the key can make, and check. It takes a microsecond,
// where a signature takes longer than all else that an append does: so a log can seal every head, and sign those that stay or
// are given out. To others a seal proves nothing.
func (c Checkpoint) Seal(k *Key) string {
	mac := hmac.New(sha256.New, k.seal[:])
	mac.Write([]byte(sealForm + c.text()))
	return c.text() + "\n" + sealLine + base64.StdEncoding.EncodeToString(mac.Sum(nil)) + "\n"
}

// Sealed reports whether a checkpoint bears a seal, and no signatures.
func Sealed(checkpoint string) bool {
	_, rest, ok := strings.Cut(checkpoint, "\n\n")
	return ok && strings.HasPrefix(rest, sealLine)
}

// OpenSeal reads a sealed checkpoint, and gives which of the keys sealed it. The error wraps ibid.ErrInvalid.
func OpenSeal(sealed string, keys ...*Key) (Checkpoint, *Key, error) {
	c, err := ReadCheckpoint(sealed)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	for _, k := range keys {
		if hmac.Equal([]byte(c.Seal(k)), []byte(sealed)) {
			return c, k, nil
		}
	}
	return Checkpoint{}, nil, fmt.Errorf("checkpoint over %d entries: the seal is not of the log's key: %w", c.Size, ibid.ErrInvalid)
}

// Opened is a checkpoint whose signatures were checked.
type Opened struct {
	Checkpoint
	Keys    []string // that signed it, of those that were given
	Unknown []string // names of others that claim to have signed it
}

// SignedBy reports whether a key is among those that signed.
func (o Opened) SignedBy(key string) bool {
	for _, k := range o.Keys {
		if k == key {
			return true
		}
	}
	return false
}

// OpenCheckpoint reads a signed checkpoint. At least one of the keys must be the log's own, which bears the log's name, and
// have signed it: that a witness has signed does not make it the log's. No signature of the keys may be wrong. The error
// wraps ibid.ErrInvalid.
func OpenCheckpoint(signed string, keys ...string) (Opened, error) {
	if len(signed) > maxCheckpoint {
		return Opened{}, fmt.Errorf("checkpoint of %d bytes: %w", len(signed), ibid.ErrInvalid)
	}
	if Sealed(signed) {
		return Opened{}, fmt.Errorf("checkpoint is sealed and not signed yet: only with the log's key it can be told whether it is the log's; where that is, ibid audit checkpoint signs one to verify with: %w", ibid.ErrInvalid)
	}
	var list []note.Verifier
	byID := map[string]string{}
	for _, k := range keys {
		v, err := note.NewVerifier(k)
		if err != nil {
			return Opened{}, fmt.Errorf("%.100q is not a verifier key: %w", k, ibid.ErrInvalid)
		}
		id := fmt.Sprintf("%s %08x", v.Name(), v.KeyHash())
		if _, twice := byID[id]; !twice {
			list = append(list, v)
			byID[id] = k
		}
	}
	n, err := note.Open([]byte(signed), note.VerifierList(list...))
	if err != nil {
		if unverified, ok := err.(*note.UnverifiedNoteError); ok {
			return Opened{}, fmt.Errorf("checkpoint is signed by %s, and by none of the given keys (ibid audit key prints all that the log had): %w", names(unverified.Note.UnverifiedSigs), ibid.ErrInvalid)
		}
		return Opened{}, fmt.Errorf("checkpoint: %w: %w", err, ibid.ErrInvalid)
	}
	c, err := parseCheckpoint(n.Text)
	if err != nil {
		return Opened{}, err
	}
	o := Opened{Checkpoint: c}
	own := false
	for _, s := range n.Sigs {
		own = own || s.Name == c.Origin
		// The last digit of base64 has bits that say nothing; a signature is written in one way only.
		if _, err := base64.StdEncoding.Strict().DecodeString(s.Base64); err != nil {
			return Opened{}, fmt.Errorf("checkpoint: signature of %s is not well formed: %w", s.Name, ibid.ErrInvalid)
		}
		o.Keys = append(o.Keys, byID[fmt.Sprintf("%s %08x", s.Name, s.Hash)])
	}
	if !own {
		return Opened{}, fmt.Errorf("checkpoint is signed by %s, and of the log %s: none of the given keys is the log's: %w", names(n.Sigs), c.Origin, ibid.ErrInvalid)
	}
	for _, s := range n.UnverifiedSigs {
		o.Unknown = append(o.Unknown, fmt.Sprintf("%s+%08x", s.Name, s.Hash))
	}
	return o, nil
}

func names(sigs []note.Signature) string {
	var list []string
	for _, s := range sigs {
		list = append(list, fmt.Sprintf("%s+%08x", s.Name, s.Hash))
	}
	return strings.Join(list, ", ")
}

// ReadCheckpoint reads what a signed checkpoint says and does not look at who signed it. The error wraps
// ibid.ErrInvalid.
func ReadCheckpoint(signed string) (Checkpoint, error) {
	text, _, ok := strings.Cut(signed, "\n\n")
	if !ok || len(signed) > maxCheckpoint {
		return Checkpoint{}, fmt.Errorf("%.40q is not a signed checkpoint, as ibid audit checkpoint writes it: %w", signed, ibid.ErrInvalid)
	}
	return parseCheckpoint(text + "\n")
}

// parseCheckpoint reads the text of a note. There is one way to write a checkpoint: what reads as one and is written
// otherwise is refused.
func parseCheckpoint(text string) (Checkpoint, error) {
	lines := strings.SplitN(text, "\n", 4)
	if len(lines) == 4 {
		size, err := strconv.ParseInt(lines[1], 10, 64)
		root, err2 := base64.StdEncoding.DecodeString(lines[2])
		if err == nil && err2 == nil && size >= 0 && len(root) == len(Hash{}) {
			c := Checkpoint{lines[0], size, Hash(root)}
			if c.text() == text && c.Origin != "" {
				return c, nil
			}
		}
	}
	return Checkpoint{}, fmt.Errorf("%.200q is not a checkpoint (three lines: origin, size, root): %w", text, ibid.ErrInvalid)
}
