package audit

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/ibid-dev/ibid"
)

// Key signs checkpoints: Ed25519, in the form of signed notes.
type Key struct {
	signer  note.Signer
	private string
	public  string
}

// NewKey makes a key whose signatures bear a name, from a source of chance. The name holds neither blanks nor plus.
func NewKey(random io.Reader, name string) (*Key, error) {
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
	public, err := publicOf(private)
	if err != nil {
		return nil, err
	}
	return &Key{signer, private, public}, nil
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

// publicOf derives the verifier key of a private key that is known to be well formed.
func publicOf(private string) (string, error) {
	parts := strings.SplitN(private, "+", 5)
	data, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(parts) != 5 || len(data) != 1+ed25519.SeedSize {
		return "", fmt.Errorf("private key: %w", ibid.ErrInvalid)
	}
	public := ed25519.NewKeyFromSeed(data[1:]).Public().(ed25519.PublicKey)
	return note.NewEd25519VerifierKey(parts[2], public)
}
