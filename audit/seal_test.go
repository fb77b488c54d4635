package audit_test

import (
	"errors"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

// A seal says what was sealed to who has the key, says so in one way only, and is never taken for a signature.
func TestSeal(t *testing.T) {
	m := newMemory(t, "one", "two")
	c, other := m.at(3), newKey(t, "other")
	sealed := c.Seal(m.key)
	if !audit.Sealed(sealed) || audit.Sealed(m.signed(t)) {
		t.Error("a seal is not told from a signature")
	}
	if got, key, err := audit.OpenSeal(sealed, other, m.key); err != nil || got != c || key != m.key {
		t.Errorf("%+v, %v, %v", got, key, err)
	}
	refused := func(what, text string, keys ...*audit.Key) {
		t.Helper()
		if got, _, err := audit.OpenSeal(text, keys...); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
	}
	refused("another key", sealed, other)
	refused("no key", sealed)
	refused("a signature", m.signed(t), m.key)
	for i := range len(sealed) * 8 {
		b := []byte(sealed)
		b[i/8] ^= 1 << (i % 8)
		refused("a flipped bit", string(b), m.key)
	}
	if _, err := audit.OpenCheckpoint(sealed, m.key.Public()); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("a seal opens as a signed checkpoint: %v", err)
	}
}

// What a log sealed today opens for good. The value was computed by hand, with Python's hmac.
func TestSealStays(t *testing.T) {
	key, err := audit.ParseKey("PRIVATE+KEY+log.example+b252d0cf+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f")
	if err != nil {
		t.Fatal(err)
	}
	const want = "log.example\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\nseal cy6L+K0XBLiBKT+8DORSaLrbjM9coLxf2DxKMGL83Xk=\n"
	if got := (audit.Checkpoint{Origin: "log.example", Size: 3}).Seal(key); got != want {
		t.Errorf("got %q", got)
	}
}

// Only what the key sealed opens, to the byte.
func FuzzSeal(f *testing.F) {
	key := newKey(f, "key")
	c := audit.Checkpoint{Origin: "log.example", Size: 3}
	f.Add(c.Seal(key))
	f.Add(c.Seal(newKey(f, "other")))
	f.Add("log.example\n3\n\nseal \n")
	f.Fuzz(func(t *testing.T, text string) {
		got, by, err := audit.OpenSeal(text, key)
		if err == nil && (by != key || got.Seal(key) != text) {
			t.Errorf("%q opens as %+v", text, got)
		}
		if _, err := audit.OpenCheckpoint(text, key.Public()); err == nil && audit.Sealed(text) {
			t.Errorf("%q is a seal and a signed checkpoint", text)
		}
	})
}
