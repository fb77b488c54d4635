package audit

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

// ReceiptForm names the form of a receipt's JSON.
const ReceiptForm = "ibid log receipt v1"

// Receipt proves that a log holds an entry, to anyone who has the log's public key.
type Receipt struct {
	Record     Record
	Proof      []Hash // path from the entry's hash to the checkpoint's root, from below
	Checkpoint string // signed
}

// Record is an entry with what opens its commitment.
type Record struct {
	Entry ibid.Entry // its Data is nil where the payload was erased or is withheld
	Salt  Salt       // where there is a payload
}

// Withhold gives the record without its payload. A receipt of it proves that and when something of this kind was
// recorded, and not what.
func (r Record) Withhold() Record {
	r.Entry.Data, r.Salt = nil, Salt{}
	return r
}

// check holds that the entry is one that a log can hold, that its hash is that of its leaf, and that the payload is what
// the commitment is to.
func (r Record) check() error {
	if err := CheckEntry(r.Entry); err != nil {
		return err
	}
	if got := HashLeaf(r.Entry).String(); r.Entry.Hash != got {
		return fmt.Errorf("its fields hash to %.12s… and not to %.12s…: %w", got, r.Entry.Hash, ibid.ErrInvalid)
	}
	if r.Entry.Data != nil && Commit(r.Salt, r.Entry.Data).String() != r.Entry.Commitment {
		return fmt.Errorf("its payload is not what was recorded: %w", ibid.ErrInvalid)
	}
	return nil
}

// Checked is what a receipt proves.
type Checked struct {
	Entry      ibid.Entry
	Checkpoint Opened
}

// Check holds the receipt against the keys, without the log: the payload is the one that the entry commits to, the entry
// stands in the tree at its index, and the tree's root is signed by at least one of the keys. The error says what does
// not hold, and wraps ibid.ErrInvalid.
func (r Receipt) Check(keys ...string) (Checked, error) {
	if err := r.Record.check(); err != nil {
		return Checked{}, fmt.Errorf("entry %d: %w", r.Record.Entry.Index, err)
	}
	c, err := OpenCheckpoint(r.Checkpoint, keys...)
	if err != nil {
		return Checked{}, err
	}
	e := r.Record.Entry
	leaf, err := ParseHash(e.Hash)
	if err != nil {
		return Checked{}, err
	}
	if !checkInclusion(r.Proof, c.Size, c.Root, e.Index, leaf) {
		return Checked{}, fmt.Errorf("entry %d: the proof does not lead to the root of the checkpoint over %d entries: %w", e.Index, c.Size, ibid.ErrInvalid)
	}
	return Checked{e, c}, nil
}

// recordJSON is a record in receipts and exports. Payloads are text wherever they can be, so that people can read them.
type recordJSON struct {
	Index      int64   `json:"index"`
	At         string  `json:"at"`
	Clock      string  `json:"clock,omitempty"`
	Kind       string  `json:"kind"`
	Commitment string  `json:"commitment"` // hashes are read as text first, so that what is none is told with its name
	Prev       string  `json:"prev"`
	Hash       string  `json:"hash"`
	Salt       string  `json:"salt,omitempty"`
	Payload    *string `json:"payload,omitempty"`
	Base64     *string `json:"payload_base64,omitempty"`
}

type receiptJSON struct {
	Form       string     `json:"form"`
	Entry      recordJSON `json:"entry"`
	Proof      []string   `json:"proof"`
	Checkpoint string     `json:"checkpoint"`
}

// MarshalJSON writes the receipt. Payloads that are not UTF-8 are written in base64.
func (r Receipt) MarshalJSON() ([]byte, error) {
	entry, err := r.Record.json()
	if err != nil {
		return nil, err
	}
	proof := []string{}
	for _, h := range r.Proof {
		proof = append(proof, h.String())
	}
	return marshal(receiptJSON{ReceiptForm, entry, proof, r.Checkpoint})
}

func (r Record) json() (recordJSON, error) {
	e := r.Entry
	j := recordJSON{Index: e.Index, At: e.At.UTC().Format(TimeForm), Kind: e.Kind, Commitment: e.Commitment, Prev: e.Prev, Hash: e.Hash}
	if !e.Clock.IsZero() {
		j.Clock = e.Clock.UTC().Format(TimeForm)
	}
	if err := j.checkHashes(); err != nil {
		return recordJSON{}, err
	}
	if e.Data == nil {
		return j, nil
	}
	j.Salt = hex.EncodeToString(r.Salt[:])
	if utf8.Valid(e.Data) {
		s := string(e.Data)
		j.Payload = &s
	} else {
		s := base64.StdEncoding.EncodeToString(e.Data)
		j.Base64 = &s
	}
	return j, nil
}

func (j recordJSON) checkHashes() error {
	if err := namedHashes(hashField{"commitment", j.Commitment}, hashField{"prev", j.Prev}, hashField{"hash", j.Hash}); err != nil {
		return fmt.Errorf("entry %d: %w", j.Index, err)
	}
	return nil
}

func (j recordJSON) record() (Record, error) {
	if err := j.checkHashes(); err != nil {
		return Record{}, err
	}
	e := ibid.Entry{Index: j.Index, Kind: j.Kind, Commitment: j.Commitment, Prev: j.Prev, Hash: j.Hash}
	var r Record
	var err error
	if e.At, err = parseTime(j.At); err != nil {
		return Record{}, fmt.Errorf("entry %d: %w", j.Index, err)
	}
	if j.Clock != "" {
		if e.Clock, err = parseTime(j.Clock); err != nil {
			return Record{}, fmt.Errorf("entry %d: %w", j.Index, err)
		}
	}
	switch {
	case j.Payload != nil && j.Base64 != nil:
		return Record{}, fmt.Errorf("entry %d: has two payloads: %w", j.Index, ibid.ErrInvalid)
	case j.Payload != nil:
		e.Data = append([]byte{}, *j.Payload...)
	case j.Base64 != nil:
		if e.Data, err = base64.StdEncoding.DecodeString(*j.Base64); err != nil {
			return Record{}, fmt.Errorf("entry %d: payload: %w: %w", j.Index, err, ibid.ErrInvalid)
		}
	}
	if (e.Data == nil) != (j.Salt == "") {
		return Record{}, fmt.Errorf("entry %d: payload and salt stand together or not at all: %w", j.Index, ibid.ErrInvalid)
	}
	if e.Data != nil {
		salt, err := hex.DecodeString(j.Salt)
		if err != nil || len(salt) != SaltSize {
			return Record{}, fmt.Errorf("entry %d: salt is not %d hexadecimal digits: %w", j.Index, 2*SaltSize, ibid.ErrInvalid)
		}
		r.Salt = Salt(salt)
	}
	r.Entry = e
	return r, nil
}

// parseTime reads a time in the one form that leaves have.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(TimeForm, s)
	if err != nil || t.Format(TimeForm) != s {
		return time.Time{}, fmt.Errorf("time %.40q is not of the form %s: %w", s, TimeForm, ibid.ErrInvalid)
	}
	return t.UTC(), nil
}

// ParseReceipt reads a receipt. It refuses names that it does not know or that come twice, as two readers could
// understand two things. The error wraps ibid.ErrInvalid.
func ParseReceipt(b []byte) (Receipt, error) {
	var j receiptJSON
	if err := unmarshal(b, &j); err != nil {
		return Receipt{}, fmt.Errorf("not a receipt: %w", err)
	}
	if j.Form != ReceiptForm {
		return Receipt{}, fmt.Errorf("not a receipt: its form is %.40q and not %q: %w", j.Form, ReceiptForm, ibid.ErrInvalid)
	}
	record, err := j.Entry.record()
	if err != nil {
		return Receipt{}, fmt.Errorf("not a receipt: %w", err)
	}
	r := Receipt{Record: record, Checkpoint: j.Checkpoint}
	for i, text := range j.Proof {
		h, err := ParseHash(text)
		if err != nil {
			return Receipt{}, fmt.Errorf("not a receipt: \"proof[%d]\": %w", i, err)
		}
		r.Proof = append(r.Proof, h)
	}
	return r, nil
}

// UnmarshalJSON reads a receipt as ParseReceipt does.
func (r *Receipt) UnmarshalJSON(b []byte) error {
	read, err := ParseReceipt(b)
	if err == nil {
		*r = read
	}
	return err
}

// marshal writes JSON on one line, with < and & as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// unmarshal reads one JSON value that can be understood in one way only. The error wraps ibid.ErrInvalid.
func unmarshal(b []byte, into any) error {
	if !utf8.Valid(b) {
		return fmt.Errorf("it is not valid UTF-8: %w", ibid.ErrInvalid)
	}
	if err := onceEach(b); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("%w: %w", wording.JSON(err, b), ibid.ErrInvalid)
	}
	return nil
}

// onceEach refuses JSON in which a name comes twice in one object, or is not in lower case (encoding/json takes PAYLOAD
// for payload), or that goes on behind its end.
func onceEach(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber() // how large one may be is for the field to say
	type object struct {
		names map[string]bool // nil for a list
		value bool            // the next token is a value
	}
	var stack []object
	for {
		token, err := dec.Token()
		if err != nil {
			if whole := json.Unmarshal(b, new(json.RawMessage)); whole != nil { // who reads tokens does not know their place
				err = whole
			}
			return fmt.Errorf("%w: %w", wording.JSON(err, b), ibid.ErrInvalid)
		}
		if n := len(stack); n > 0 && stack[n-1].names != nil {
			top := &stack[n-1]
			if name, ok := token.(string); ok && !top.value {
				for _, c := range name {
					if (c < 'a' || c > 'z') && c != '_' && (c < '0' || c > '9') {
						return fmt.Errorf("name %.40q is not known: %w", name, ibid.ErrInvalid)
					}
				}
				if top.names[name] {
					return fmt.Errorf("name %.40q comes twice: %w", name, ibid.ErrInvalid)
				}
				top.names[name] = true
				top.value = true
				continue
			}
			top.value = false
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, object{names: map[string]bool{}})
		case json.Delim('['):
			stack = append(stack, object{})
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:len(stack)-1]
		}
		if len(stack) == 0 {
			break
		}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something follows its end: %w", ibid.ErrInvalid)
	}
	return nil
}
