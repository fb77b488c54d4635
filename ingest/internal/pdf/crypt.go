package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
)

// crypt undoes the encryption of files that open without a password: those whose owner only forbids printing or
// copying in viewers. A nil crypt leaves everything as it is.
type crypt struct {
	key      []byte
	aes      bool
	v5       bool
	plain    bool // the identity filter
	metadata bool // metadata is encrypted too
	own      int  // number of the encryption dictionary, which is in the clear
}

// decrypt sets up decryption with the empty password. The error wraps ErrEncrypted where that is not the one.
func (f *File) decrypt() error {
	if f.crypt != nil || f.trailer["Encrypt"] == nil {
		return nil
	}
	enc, ok := f.dict(f.trailer["Encrypt"])
	if !ok {
		return fmt.Errorf("%w: its encryption cannot be read", ErrEncrypted)
	}
	if f.name(enc["Filter"]) != "Standard" {
		return fmt.Errorf("%w: it is protected by %s", ErrEncrypted, f.name(enc["Filter"]))
	}
	c := &crypt{metadata: true}
	if r, ok := f.trailer["Encrypt"].(ref); ok {
		c.own = r.num
	}
	v, _ := f.number(enc["V"])
	r, _ := f.number(enc["R"])
	bits, _ := f.number(enc["Length"])
	size := int(bits) / 8
	if v < 2 || size < 5 || size > 32 {
		size = 5
	}
	if b, ok := f.resolve(enc["EncryptMetadata"]).(bool); ok {
		c.metadata = b
	}
	if v >= 4 {
		size = max(size, 16)
		cf, _ := f.dict(enc["CF"])
		std, _ := f.dict(cf[f.name(enc["StmF"])])
		switch f.name(std["CFM"]) {
		case "AESV2":
			c.aes = true
		case "AESV3":
			c.aes, c.v5 = true, true
		case "V2":
		default:
			c.plain = true
		}
	}
	text := func(k name) []byte { s, _ := f.resolve(enc[k]).(str); return []byte(s) }
	if r >= 5 {
		c.key = keyR5(text("U"), text("UE"), r >= 6)
	} else {
		p, _ := f.number(enc["P"])
		id := []byte(nil)
		if ids := f.array(f.trailer["ID"]); len(ids) > 0 {
			s, _ := f.resolve(ids[0]).(str)
			id = []byte(s)
		}
		c.key = keyR4(text("O"), text("U"), id, int64(p), int(r), min(size, 16), c.metadata)
	}
	if c.key == nil {
		return fmt.Errorf("%w to open", ErrEncrypted)
	}
	f.crypt = c
	// What was read so far was read as if in the clear.
	f.objects = map[int]any{}
	f.objstms = map[int]*objStm{}
	f.cached = 0
	return nil
}

var padding = []byte("\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A")

// keyR4 is algorithm 2 of the standard with the empty password, and nil where algorithm 6 says it is not the one.
func keyR4(o, u, id []byte, p int64, r, size int, metadata bool) []byte {
	h := md5.New()
	h.Write(padding)
	h.Write(o[:min(32, len(o))])
	var perm [4]byte
	binary.LittleEndian.PutUint32(perm[:], uint32(p))
	h.Write(perm[:])
	h.Write(id)
	if r >= 4 && !metadata {
		h.Write([]byte{255, 255, 255, 255})
	}
	key := h.Sum(nil)
	if r >= 3 {
		for range 50 {
			sum := md5.Sum(key[:size])
			key = sum[:]
		}
	} else {
		size = 5
	}
	key = key[:size]
	if r == 2 {
		want := bytes.Clone(padding)
		rc4XOR(key, want)
		if !bytes.HasPrefix(u, want) {
			return nil
		}
		return key
	}
	sum := md5.Sum(append(bytes.Clone(padding), id...))
	want := sum[:]
	for i := range 20 {
		k := bytes.Clone(key)
		for j := range k {
			k[j] ^= byte(i)
		}
		rc4XOR(k, want)
	}
	if len(u) < 16 || !bytes.Equal(u[:16], want) {
		return nil
	}
	return key
}

// keyR5 is algorithm 2.A with the empty user password.
func keyR5(u, ue []byte, r6 bool) []byte {
	if len(u) < 48 || len(ue) < 32 {
		return nil
	}
	check, salt := u[32:40], u[40:48]
	if !bytes.Equal(hashR5(check, r6), u[:32]) {
		return nil
	}
	block, err := aes.NewCipher(hashR5(salt, r6))
	if err != nil {
		return nil
	}
	key := bytes.Clone(ue[:32])
	cipher.NewCBCDecrypter(block, make([]byte, 16)).CryptBlocks(key, key)
	return key
}

// hashR5 is SHA-256, and for revision 6 algorithm 2.B over it.
func hashR5(salt []byte, r6 bool) []byte {
	sum := sha256.Sum256(salt)
	k := sum[:]
	if !r6 {
		return k
	}
	for i := 0; ; i++ {
		k1 := bytes.Repeat(k, 64)
		block, _ := aes.NewCipher(k[:16])
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(k1, k1)
		mod := 0
		for _, c := range k1[:16] {
			mod += int(c)
		}
		switch mod % 3 {
		case 0:
			s := sha256.Sum256(k1)
			k = s[:]
		case 1:
			s := sha512.Sum384(k1)
			k = s[:]
		case 2:
			s := sha512.Sum512(k1)
			k = s[:]
		}
		if i >= 63 && int(k1[len(k1)-1]) <= i-32 {
			return k[:32]
		}
	}
}

func rc4XOR(key, data []byte) {
	c, err := rc4.NewCipher(key)
	if err == nil {
		c.XORKeyStream(data, data)
	}
}

// apply decrypts data of one object.
func (c *crypt) apply(data []byte, id ref) []byte {
	key := c.key
	if !c.v5 {
		k := append(bytes.Clone(c.key), byte(id.num), byte(id.num>>8), byte(id.num>>16), byte(id.gen), byte(id.gen>>8))
		if c.aes {
			k = append(k, "sAlT"...)
		}
		sum := md5.Sum(k)
		key = sum[:min(16, len(c.key)+5)]
	}
	if !c.aes {
		out := bytes.Clone(data)
		rc4XOR(key, out)
		return out
	}
	if len(data) < 32 {
		return nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	iv := data[:16]
	out := bytes.Clone(data[16 : len(data)&^15])
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(out, out)
	if n := int(out[len(out)-1]); n >= 1 && n <= 16 {
		out = out[:len(out)-n]
	}
	return out
}

func (c *crypt) stream(data []byte, s *stream) []byte {
	if c == nil || c.plain || s.id.num == 0 || s.dict["Type"] == name("XRef") {
		return data
	}
	if s.dict["Type"] == name("Metadata") && !c.metadata {
		return data
	}
	return c.apply(data, s.id)
}

// strings decrypts the strings within an object.
func (c *crypt) strings(v any, id ref) any {
	if c == nil || c.plain || id.num == c.own {
		return v
	}
	switch v := v.(type) {
	case str:
		return str(c.apply([]byte(v), id))
	case array:
		for i := range v {
			v[i] = c.strings(v[i], id)
		}
	case dict:
		for k := range v {
			v[k] = c.strings(v[k], id)
		}
	}
	return v
}
