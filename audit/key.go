package audit

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"

	"github.com/ibid-dev/ibid"
)

// Key signs checkpoints: Ed25519, in the form of signed notes.
type Key struct {
	signer  note.Signer
	private string
	public  string
	seal    Hash // the key of seals, which tells nothing of the private key
}

// NewKey makes a key whose signatures bear a name, from a source of chance. The error wraps ibid.ErrInvalid where the name is empty,
// or holds a blank or a plus, which no signature can bear.
func NewKey(random io.Reader, name string) (*Key, error) {
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsSpace) || strings.Contains(name, "+") {
		return nil, fmt.Errorf("make a key: name %q: a name is not empty, and holds neither blanks nor plus: %w", name, ibid.ErrInvalid)
	}
	private, _, err := note.GenerateKey(random, name)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	return ParseKey(private)
}

// ParseKey reads a private key, PRIVATE+KEY+name+hash+data. The error wraps ibid.ErrInvalid and does not tell the key.
func ParseKey(private string) (*Key, error) {
	signer, err := note.NewSigner(private)
	if err != nil {
		return nil, fmt.Errorf("not a private key (one begins with PRIVATE+KEY+): %w", ibid.ErrInvalid)
	}
	seed, err := seedOf(private)
	if err != nil {
		return nil, err
	}
	public, err := note.NewEd25519VerifierKey(signer.Name(), ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey))
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, seed)
	mac.Write([]byte(sealKeyForm))
	return &Key{signer, private, public, Hash(mac.Sum(nil))}, nil
}

// Name is the name that the key's signatures bear.
func (k *Key) Name() string { return k.signer.Name() }

// Public is the verifier key, name+hash+data: what others check signatures with.
func (k *Key) Public() string { return k.public }

// Private is the whole key, for the file that keeps it.
func (k *Key) Private() string { return k.private }

// String does not tell the private key, so that no message can.
func (k *Key) String() string { return k.public }

// CheckPublicKey refuses what is not a public key, name+hash+data. The error wraps ibid.ErrInvalid.
func CheckPublicKey(key string) error {
	if _, err := note.NewVerifier(key); err != nil {
		return fmt.Errorf("%.40q is not a public key (name+hash+data, as ibid audit key prints it): %w", key, ibid.ErrInvalid)
	}
	return nil
}

// sealKeyForm separates the key of seals from all else that is made of the private key.
const sealKeyForm = "ibid log seal key v1\n"

// seedOf gives the secret of a private key that is known to be well formed.
func seedOf(private string) ([]byte, error) {
	parts := strings.SplitN(private, "+", 5)
	data, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(parts) != 5 || len(data) != 1+ed25519.SeedSize {
		return nil, fmt.Errorf("private key: %w", ibid.ErrInvalid)
	}
	return data[1:], nil
}
