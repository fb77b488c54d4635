package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/ibid-dev/ibid"
)

// Hash is a SHA-256. As text it is lower-case hexadecimal.
type Hash [sha256.Size]byte

func (h Hash) String() string {
	var b [2 * len(Hash{})]byte
	hex.Encode(b[:], h[:])
	return string(b[:])
}

// MarshalText writes the hash in hexadecimal.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads a hash in lower-case hexadecimal. The error wraps ibid.ErrInvalid.
func (h *Hash) UnmarshalText(b []byte) error {
	var read Hash
	n, err := hex.Decode(read[:], b[:min(len(b), 2*len(read))])
	if err != nil || n != len(read) || len(b) != 2*len(read) || read.String() != string(b) {
		return fmt.Errorf("%.80q is not a hash (64 hexadecimal digits in lower case): %w", b, ibid.ErrInvalid)
	}
	*h = read
	return nil
}

// ParseHash reads a hash in lower-case hexadecimal. The error wraps ibid.ErrInvalid.
func ParseHash(s string) (Hash, error) {
	var h Hash
	return h, h.UnmarshalText([]byte(s))
}

// The kinds of entries that the log writes about itself, and those of the library. Other kinds are their writers'.
const (
	KindKey     = "key"            // the key that signs from here on
	KindErasure = "erasure"        // the payload of an entry was erased
	KindSource  = "source"         // a new version of a source
	KindRemoval = "source-removed" // a source was taken out of the library
	KindStudy   = "study"          // a study as it was last kept
)

// SaltSize is the length of a salt. A salt of its own for each payload keeps a commitment from being guessed.
const SaltSize = 32

// Salt hides a payload behind its commitment, also where the payload is one of few.
type Salt [SaltSize]byte

// payloadForm separates commitments from all other uses of HMAC.
const payloadForm = "ibid log payload v1\n"

// Commit gives the commitment to a payload: HMAC-SHA-256 with the salt as key over the form's name and the payload.
func Commit(salt Salt, payload []byte) Hash {
	mac := hmac.New(sha256.New, salt[:])
	mac.Write([]byte(payloadForm))
	mac.Write(payload)
	return Hash(mac.Sum(nil))
}

// leafForm is the first line of a leaf.
const leafForm = "ibid log entry v1\n"

// TimeForm is how times stand in a leaf: RFC 3339 in UTC, to the microsecond.
const TimeForm = "2006-01-02T15:04:05.000000Z"

// Leaf gives the bytes of an entry that are hashed, one line for each field:
//
//	ibid log entry v1
//	index 17
//	at 2026-05-03T14:07:12.250000Z
//	clock 2026-05-03T14:07:11.000000Z
//	kind answer
//	commitment 4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945
//	prev 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
//
// Every line ends in a newline. The line of the clock stands only where the clock was behind. The first entry's prev is
// 64 zeros.
func Leaf(e ibid.Entry) []byte {
	b := make([]byte, 0, 320)
	b = append(b, leafForm...)
	b = append(b, "index "...)
	b = strconv.AppendInt(b, e.Index, 10)
	b = append(b, "\nat "...)
	b = e.At.UTC().AppendFormat(b, TimeForm)
	if !e.Clock.IsZero() {
		b = append(b, "\nclock "...)
		b = e.Clock.UTC().AppendFormat(b, TimeForm)
	}
	b = append(b, "\nkind "...)
	b = append(b, e.Kind...)
	b = append(b, "\ncommitment "...)
	b = append(b, e.Commitment...)
	b = append(b, "\nprev "...)
	b = append(b, e.Prev...)
	return append(b, '\n')
}

// HashLeaf gives the hash of an entry: SHA-256 over a zero byte and its leaf, as RFC 6962 hashes leaves.
func HashLeaf(e ibid.Entry) Hash { return Hash(tlog.RecordHash(Leaf(e))) }

// maxKind bounds the name of a kind.
const maxKind = 64

// CheckKind refuses a name that could be read as another line of a leaf: a kind is 1 to 64 of a to z, 0 to 9, dot and
// hyphen. The error wraps ibid.ErrInvalid.
func CheckKind(kind string) error {
	ok := kind != "" && len(kind) <= maxKind
	for _, c := range []byte(kind) {
		ok = ok && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-')
	}
	if !ok {
		return fmt.Errorf("kind %.80q: a kind is 1 to %d of a to z, 0 to 9, dot and hyphen: %w", kind, maxKind, ibid.ErrInvalid)
	}
	return nil
}

// CheckEntry refuses an entry that no log can hold: its leaf would not say what its fields say. The error wraps
// ibid.ErrInvalid.
func CheckEntry(e ibid.Entry) error {
	if e.Index < 0 {
		return fmt.Errorf("index %d: %w", e.Index, ibid.ErrInvalid)
	}
	if err := CheckKind(e.Kind); err != nil {
		return err
	}
	for _, t := range []time.Time{e.At, e.Clock} {
		if t.Nanosecond()%1000 != 0 || t.UTC().Year() < 0 || t.UTC().Year() > 9999 {
			return fmt.Errorf("time %s: times are to the microsecond, in years of four digits: %w", t, ibid.ErrInvalid)
		}
	}
	return namedHashes(hashField{"commitment", e.Commitment}, hashField{"prev", e.Prev})
}

// hashField is a hash as it was given, with the name of its field.
type hashField struct{ name, text string }

// namedHashes refuses what is no hash, by the name of its field: an entry has three of them, and they look alike.
func namedHashes(fields ...hashField) error {
	for _, f := range fields {
		if _, err := ParseHash(f.text); err != nil {
			return fmt.Errorf("%q: %w", f.name, err)
		}
	}
	return nil
}
