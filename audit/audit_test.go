package audit_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

// memory is a log in memory, made as a store makes one.
type memory struct {
	key     *audit.Key
	records []audit.Stored
	tree    audit.Tree
}

var noon = time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)

// chance is a source of bytes that is the same each time.
func chance(seed string) *rand.ChaCha8 { return rand.NewChaCha8(sha256.Sum256([]byte(seed))) }

func newMemory(t testing.TB, payloads ...string) *memory {
	t.Helper()
	key, err := audit.NewKey(chance("key"), "log.example")
	if err != nil {
		t.Fatal(err)
	}
	m := &memory{key: key}
	first, err := json.Marshal(audit.KeyChange{Origin: "log.example", Key: key.Public()})
	if err != nil {
		t.Fatal(err)
	}
	m.add(audit.KindKey, string(first))
	for _, p := range payloads {
		m.add("answer", p)
	}
	return m
}

func (m *memory) add(kind, payload string) ibid.Entry { return m.append(kind, payload, time.Time{}) }

// jumpBack adds an entry at which the clock shows noon again.
func (m *memory) jumpBack(payload string) ibid.Entry { return m.append("answer", payload, noon) }

func (m *memory) append(kind, payload string, clock time.Time) ibid.Entry {
	prev := strings.Repeat("0", 64)
	if n := len(m.records); n > 0 {
		prev = m.records[n-1].Entry.Hash
	}
	var s audit.Stored
	chance(fmt.Sprint("salt", len(m.records))).Read(s.Salt[:])
	s.Entry = ibid.Entry{Index: m.tree.Size(), At: noon.Add(time.Duration(len(m.records)) * time.Second), Clock: clock, Kind: kind, Data: []byte(payload),
		Commitment: audit.Commit(s.Salt, []byte(payload)).String(), Prev: prev}
	leaf := audit.HashLeaf(s.Entry)
	s.Entry.Hash = leaf.String()
	s.Hashes = m.tree.Add(leaf, nil)
	m.records = append(m.records, s)
	return s.Entry
}

func (m *memory) read(places []audit.Place) ([]audit.Hash, error) {
	var out []audit.Hash
	for _, p := range places {
		out = append(out, m.records[p.Entry].Hashes[p.Level])
	}
	return out, nil
}

func (m *memory) signed(t testing.TB) string {
	t.Helper()
	s, err := audit.Checkpoint{Origin: "log.example", Size: m.tree.Size(), Root: m.tree.Root()}.Sign(m.key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (m *memory) receipt(t testing.TB, index int64) audit.Receipt {
	t.Helper()
	proof, err := audit.ProveInclusion(m.tree.Size(), index, m.read)
	if err != nil {
		t.Fatal(err)
	}
	return audit.Receipt{Record: m.records[index].Record, Proof: proof, Checkpoint: m.signed(t)}
}

// The tree is that of package tlog, which holds itself against Certificate Transparency.
func TestTreeIsThatOfRFC6962(t *testing.T) {
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var out []tlog.Hash
		for _, i := range indexes {
			out = append(out, stored[i])
		}
		return out, nil
	})
	var tree audit.Tree
	for n := range int64(200) {
		want, err := tlog.TreeHash(n, read)
		if err != nil || tree.Root() != audit.Hash(want) {
			t.Fatalf("size %d: root %v, want %v, %v", n, tree.Root(), want, err)
		}
		leaf := tlog.RecordHash(fmt.Append(nil, n))
		hashes, err := tlog.StoredHashesForRecordHash(n, leaf, read)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, hashes...)
		for i, h := range tree.Add(audit.Hash(leaf), nil) {
			if h != audit.Hash(hashes[i]) {
				t.Fatalf("entry %d: hash of level %d differs", n, i)
			}
		}
	}
}

// Any two sizes of a log are shown to be consistent, and any entry to be in any size that has it; and of no other log.
func TestProofs(t *testing.T) {
	a, b := newMemory(t), newMemory(t, "another")
	for i := range 70 {
		a.add("answer", fmt.Sprint(i))
		b.add("answer", fmt.Sprint(i))
	}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, a.tree.Size()).Draw(t, "size")
		old := rapid.Int64Range(1, size).Draw(t, "old")
		proof, err := audit.ProveConsistency(size, old, a.read)
		if err != nil {
			t.Fatal(err)
		}
		from, to := a.at(old), a.at(size)
		if err := audit.CheckConsistency(from, to, proof); err != nil {
			t.Fatalf("%d in %d: %v", old, size, err)
		}
		if other := b.at(old); old > 1 {
			if err := audit.CheckConsistency(other, to, proof); !errors.Is(err, ibid.ErrInvalid) {
				t.Fatalf("%d of another log in %d: %v", old, size, err)
			}
		}
		if old < size {
			if err := audit.CheckConsistency(to, from, proof); !errors.Is(err, ibid.ErrInvalid) {
				t.Fatalf("backwards: %v", err)
			}
		}
		edge, _ := a.read(audit.EdgePlaces(size))
		again, err := audit.NewTree(size, edge)
		if err != nil || again.Root() != to.Root {
			t.Fatalf("size %d from its edge: %v", size, err)
		}
	})
	for _, wrong := range []int64{-1, 0, 100} {
		if _, err := audit.ProveConsistency(a.tree.Size(), wrong, a.read); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("consistency with %d: %v", wrong, err)
		}
	}
	for _, wrong := range []int64{-1, a.tree.Size()} {
		if _, err := audit.ProveInclusion(a.tree.Size(), wrong, a.read); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("inclusion of %d: %v", wrong, err)
		}
	}
}

// at gives the checkpoint of the log when it had a size.
func (m *memory) at(size int64) audit.Checkpoint {
	var tree audit.Tree
	for _, r := range m.records[:size] {
		tree.Add(r.Hashes[0], nil)
	}
	return audit.Checkpoint{Origin: "log.example", Size: size, Root: tree.Root()}
}

// The formats are promised: others write verifiers after the documentation. These values were computed by hand from it,
// with sha256sum and openssl.
func TestFormatsStay(t *testing.T) {
	e := ibid.Entry{Index: 17, At: noon.Add(250 * time.Millisecond), Clock: noon, Kind: "answer",
		Commitment: strings.Repeat("ab", 32), Prev: strings.Repeat("0", 64)}
	want := "ibid log entry v1\nindex 17\nat 2026-05-03T12:00:00.250000Z\nclock 2026-05-03T12:00:00.000000Z\nkind answer\ncommitment " +
		strings.Repeat("ab", 32) + "\nprev " + strings.Repeat("0", 64) + "\n"
	if got := string(audit.Leaf(e)); got != want {
		t.Errorf("leaf\n%s", got)
	}
	if got, want := audit.HashLeaf(e).String(), fmt.Sprintf("%x", sha256.Sum256([]byte("\x00"+want))); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	// printf 'ibid log payload v1\nhello' | openssl dgst -sha256 -mac HMAC -macopt hexkey:00…00
	if got := audit.Commit(audit.Salt{}, []byte("hello")).String(); got != "2eae4799b6d93ab8558741a2283cb61d9485de278534a9d2995070117aec818e" {
		t.Errorf("commitment %s", got)
	}
}

// answer is a payload such as a forger would like to change.
const answer = `{"id":"4f2a","text":"It was completed on 5 August 1858.","citations":[{"document":"c0ffee","span":{"start":44,"end":57},"quote":"5 August 1858"}]}`

// forge changes one thing of a receipt's JSON, as text.
func forge(t testing.TB, genuine []byte, old, now string) []byte {
	t.Helper()
	if !bytes.Contains(genuine, []byte(old)) {
		t.Fatalf("%q is not in the receipt", old)
	}
	return bytes.Replace(genuine, []byte(old), []byte(now), 1)
}

func TestForgedReceiptsAreRefused(t *testing.T) {
	m := newMemory(t, "first", answer, "third", "fourth", "fifth")
	r := m.receipt(t, 2)
	genuine, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := checkJSON(genuine, m.key.Public()); err != nil {
		t.Fatal(err)
	}
	for name, forged := range forgeries(t, m) {
		checked, err := checkJSON(forged, m.key.Public())
		if !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: accepted as %+v, error %v", name, checked, err)
		}
	}
	if _, err := r.Check(); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("without a key: %v", err)
	}
	if _, err := r.Check("no key"); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("with what is no key: %v", err)
	}
}

// forgeries are receipts of entry 2, each with something else than was recorded.
func forgeries(t testing.TB, m *memory) map[string][]byte {
	t.Helper()
	r := m.receipt(t, 2)
	genuine := must(t, r)
	forger, err := audit.NewKey(chance("forger"), "log.example")
	if err != nil {
		t.Fatal(err)
	}
	forgedLog := newMemory(t, "first", strings.Replace(answer, "1858", "1866", 1), "third", "fourth", "fifth")
	forgedLog.key = forger
	salt := `"salt":"` + fmt.Sprintf("%x", r.Record.Salt) + `",`
	return map[string][]byte{
		"id":                     forge(t, genuine, `4f2a`, `4f2b`),
		"offset":                 forge(t, genuine, `44,`, `45,`),
		"quote":                  forge(t, genuine, `\"5 August 1858\"`, `\"6 August 1858\"`),
		"index":                  forge(t, genuine, `"index":2`, `"index":3`),
		"negative index":         forge(t, genuine, `"index":2`, `"index":-2`),
		"time":                   forge(t, genuine, `12:00:02`, `12:00:03`),
		"clock":                  forge(t, genuine, `"kind"`, `"clock":"2026-05-03T12:00:00.000000Z","kind"`),
		"kind":                   forge(t, genuine, `"kind":"answer"`, `"kind":"refusal"`),
		"salt":                   forge(t, genuine, fmt.Sprintf("%x", r.Record.Salt), strings.Repeat("0", 64)),
		"a longer salt":          forge(t, genuine, fmt.Sprintf("%x", r.Record.Salt), fmt.Sprintf("%x00", r.Record.Salt)),
		"time written otherwise": forge(t, genuine, `12:00:02.`, `12:00:02,`),
		"index beyond the log":   forge(t, genuine, `"index":2`, `"index":6`),
		"no salt":                forge(t, genuine, `"salt":"`+fmt.Sprintf("%x", r.Record.Salt)+`",`, ``),
		"another hash":           forge(t, genuine, r.Record.Entry.Hash, m.records[3].Entry.Hash),
		"another prev":           forge(t, genuine, r.Record.Entry.Prev, m.records[0].Entry.Hash),
		"another commitment":     forge(t, genuine, r.Record.Entry.Commitment, m.records[3].Entry.Commitment),
		"size of the log":        forge(t, genuine, `log.example\n6\n`, `log.example\n7\n`),
		"name of the log":        forge(t, genuine, `log.example\n6\n`, `log.exampel\n6\n`),
		"payload given twice":    forge(t, genuine, `"payload":`, `"payload":"forged","payload":`),
		"payload in capitals":    forge(t, genuine, `"payload":`, `"PAYLOAD":"forged","payload":`),
		"two payloads":           forge(t, genuine, `"payload":`, `"payload_base64":"Zm9yZ2Vk","payload":`),
		"something more":         forge(t, genuine, `"payload":`, `"verdict":"pass","payload":`),
		"a second receipt":       append(append([]byte{}, genuine...), genuine...),
		"another form":           forge(t, genuine, audit.ReceiptForm, "ibid log receipt v0"),
		"signed by another key":  must(t, forgedLog.receipt(t, 2)),
		"an entry of a forged log under the signed head": must(t, audit.Receipt{Record: forgedLog.records[2].Record, Proof: r.Proof, Checkpoint: r.Checkpoint}),
		"no proof":                           must(t, audit.Receipt{Record: r.Record, Checkpoint: r.Checkpoint}),
		"a longer proof":                     must(t, audit.Receipt{Record: r.Record, Proof: append(r.Proof[:len(r.Proof):len(r.Proof)], audit.Hash{}), Checkpoint: r.Checkpoint}),
		"the proof of another":               must(t, audit.Receipt{Record: r.Record, Proof: m.receipt(t, 3).Proof, Checkpoint: r.Checkpoint}),
		"no checkpoint":                      must(t, audit.Receipt{Record: r.Record, Proof: r.Proof}),
		"checkpoint not signed":              must(t, audit.Receipt{Record: r.Record, Proof: r.Proof, Checkpoint: strings.SplitAfter(r.Checkpoint, "\n\n")[0]}),
		"a node told as a leaf":              must(t, audit.Receipt{Record: m.records[2].Record, Proof: r.Proof[1:], Checkpoint: r.Checkpoint}),
		"empty":                              {},
		"null":                               []byte("null"),
		"a list":                             []byte("[]"),
		"deep":                               []byte(strings.Repeat("[", 100000)),
		"a payload not in UTF-8":             forge(t, genuine, "4f2a", "4f2\xff"),
		"another payload without a salt":     forge(t, forge(t, genuine, salt, ``), `4f2a`, `4f2b`),
		"another one in base64, and no salt": forge(t, forge(t, genuine, salt, ``), `"payload":`, `"payload_base64":"Zm9yZ2Vk","payload":`),
	}
}

func must(t testing.TB, r audit.Receipt) []byte {
	t.Helper()
	b, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func checkJSON(b []byte, key string) (audit.Checked, error) {
	r, err := audit.ParseReceipt(b)
	if err != nil {
		return audit.Checked{}, err
	}
	return r.Check(key)
}

// What is no receipt is refused in the words of the file, not of its reader, and the field at fault is named.
func TestWhatIsNoReceiptIsToldInPlainWords(t *testing.T) {
	m := newMemory(t, "first", answer)
	r := m.receipt(t, 1)
	genuine, e := must(t, r), r.Record.Entry
	none := func(field, text string) string {
		return field + ": " + strconv.Quote(text) + " is not a hash (64 hexadecimal digits in lower case)"
	}
	for _, c := range []struct{ name, receipt, want string }{
		{"a hash with another letter", string(forge(t, genuine, e.Hash, "z"+e.Hash[1:])), none(`entry 1: "hash"`, "z"+e.Hash[1:])},
		{"a hash that is cut", string(forge(t, genuine, `"prev":"`+e.Prev, `"prev":"`+e.Prev[:62])), none(`entry 1: "prev"`, e.Prev[:62])},
		{"a hash that goes on", string(forge(t, genuine, e.Commitment, e.Commitment+"00")), none(`entry 1: "commitment"`, e.Commitment+"00")},
		{"a hash in capitals", string(forge(t, genuine, e.Hash, strings.ToUpper(e.Hash))), none(`entry 1: "hash"`, strings.ToUpper(e.Hash))},
		{"no hash", string(forge(t, genuine, `"hash":"`+e.Hash+`",`, ``)), none(`entry 1: "hash"`, "")},
		{"a broken step of the proof", string(forge(t, genuine, `"proof":["`+r.Proof[0].String(), `"proof":["`+r.Proof[0].String()+`","zz`)), none(`"proof[1]"`, "zz")},
		{"text for a number", string(forge(t, genuine, `"index":1`, `"index":"1"`)), `"entry.index": a string in the place of a whole number (column 48)`},
		{"a broken number", string(forge(t, genuine, `"index":1`, `"index":1.5`)), `"entry.index": 1.5 is not a whole number, or too large (column 48)`},
		{"a large number", string(forge(t, genuine, `"index":1`, `"index":99999999999999999999`)), `"entry.index": 99999999999999999999 is not a whole number, or too large (column 48)`},
		{"a number for text", `{"form":7}`, `"form": a number in the place of a string (column 9)`},
		{"a boolean for a payload", string(forge(t, genuine, `"payload":`, `"payload":true,"payload_base64":`)), `"entry.payload": a boolean in the place of a string (column 413)`},
		{"text for a list", `{"proof":"x"}`, `"proof": a string in the place of a list (column 10)`},
		{"a number for a hash", `{"proof":[7]}`, `"proof[0]": a number in the place of a string (column 11)`},
		{"a huge number for a hash", `{"proof":[1e400]}`, `"proof[0]": a number in the place of a string (column 11)`},
		{"a list for the entry", `{"entry":[]}`, `"entry": a list in the place of an object (column 10)`},
		{"an object for a hash", `{"entry":{"prev":{}}}`, `"entry.prev": an object in the place of a string (column 18)`},
		{"a list", `[]`, `a list in the place of an object`},
		{"a name that is not known", `{"entry":{"foo":1}}`, `name "foo" is not known`},
		{"no JSON", `Words.`, `it is not JSON: invalid character 'W' looking for beginning of value (column 1)`},
		{"no JSON any more on a later line", "{\n  \"form\": \"x\",\n  \"proof\": [\"a\" \"b\"]\n}", `it is not JSON: invalid character '"' after array element (line 3, column 17)`},
		{"cut", string(genuine[:len(genuine)/2]), `it breaks off before its end`},
		{"cut behind a value", `{"form":"x"`, `it breaks off before its end`},
		{"nothing", ` `, `it is empty`},
		{"of another form", `{}`, `its form is "" and not "ibid log receipt v1"`},
	} {
		_, err := audit.ParseReceipt([]byte(c.receipt))
		if want := "not a receipt: " + c.want + ": " + ibid.ErrInvalid.Error(); !errors.Is(err, ibid.ErrInvalid) || err.Error() != want {
			t.Errorf("%s: %v, want %s", c.name, err, want)
		}
	}
}

// There is one way to write a checkpoint, and a request that is none is refused.
func TestNotACheckpoint(t *testing.T) {
	genuine := newMemory(t, "1").signed(t)
	if _, err := audit.ParseRequest("old 1\n\n" + genuine); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{
		"no entries and one less": strings.Replace(genuine, "\n2\n", "\n-1\n", 1),
		"a size with a zero":      strings.Replace(genuine, "\n2\n", "\n02\n", 1),
		"no origin":               strings.Replace(genuine, "log.example", "", 1),
		"a line more":             strings.Replace(genuine, "\n\n", "\nmore\n\n", 1),
		"no end":                  genuine + strings.Repeat("x", 1<<20),
		"a negative size":         "old -1\n\n" + genuine,
		"no size":                 "old x\n\n" + genuine,
		"a hash too short":        "old 1\nAAAA\n\n" + genuine,
		"no hash":                 "old 1\n!\n\n" + genuine,
		"no checkpoint":           "old 1\n",
	} {
		if r, err := audit.ParseRequest(s); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if c, err := audit.ReadCheckpoint(s); !strings.HasPrefix(s, "old") && !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// What a leaf could not say as its fields do is no entry, and what no signature can bear is no name.
func TestNotAnEntry(t *testing.T) {
	good := newMemory(t).records[0].Entry
	for kind, ok := range map[string]bool{"answer": true, "log.v2-x": true, strings.Repeat("k", 64): true, strings.Repeat("k", 65): false, "": false,
		"Key": false, "a b": false, "a_b": false, "a\nprev": false, "kÉy": false, "kez{": false, "a`": false, "a:": false, "a/": false} {
		e := good
		e.Kind = kind
		if err := audit.CheckEntry(e); ok != (err == nil) || !ok && !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("kind %q: %v", kind, err)
		}
	}
	for name, spoil := range map[string]func(*ibid.Entry){
		"index":                func(e *ibid.Entry) { e.Index = -1 },
		"less than a second's": func(e *ibid.Entry) { e.At = e.At.Add(1) },
		"the clock's":          func(e *ibid.Entry) { e.Clock = e.At.Add(1) },
		"a distant year":       func(e *ibid.Entry) { e.At = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"an ancient one":       func(e *ibid.Entry) { e.At = time.Date(-1, 12, 31, 0, 0, 0, 0, time.UTC) },
		"commitment":           func(e *ibid.Entry) { e.Commitment = "00" },
		"prev":                 func(e *ibid.Entry) { e.Prev = "" },
	} {
		e := good
		if spoil(&e); !errors.Is(audit.CheckEntry(e), ibid.ErrInvalid) {
			t.Errorf("%s: taken", name)
		}
	}
	for _, name := range []string{"", "a b", "a+b", "a\nb", "\xff"} {
		if _, err := audit.NewKey(chance("key"), name); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("a key named %q: %v", name, err)
		}
	}
	for size, edge := range map[int64][]audit.Hash{-1: make([]audit.Hash, 64), 3: make([]audit.Hash, 1), 4: make([]audit.Hash, 2)} {
		if _, err := audit.NewTree(size, edge); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("a tree of %d with %d roots: %v", size, len(edge), err)
		}
	}
}

// A receipt within other JSON is read as one that stands alone, with what the clock showed.
func TestReceiptWithinJSON(t *testing.T) {
	m := newMemory(t, "first")
	m.jumpBack("second")
	b, err := json.Marshal(map[string]audit.Receipt{"receipt": m.receipt(t, 2)})
	if err != nil {
		t.Fatal(err)
	}
	var in map[string]audit.Receipt
	if err := json.Unmarshal(b, &in); err != nil {
		t.Fatal(err)
	}
	if c, err := in["receipt"].Check(m.key.Public()); err != nil || !c.Entry.Clock.Equal(noon) {
		t.Errorf("%+v, %v", c, err)
	}
	if err := json.Unmarshal([]byte(`{"receipt":{}}`), &in); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("what is none: %v", err)
	}
}

// Every bit of a receipt counts: with one changed it is refused, or says the same.
func TestReceiptsWithAFlippedBit(t *testing.T) {
	m := newMemory(t, "first", answer, "third", "fourth", "fifth")
	genuine := must(t, m.receipt(t, 2))
	accepted := 0
	for i := range len(genuine) * 8 {
		forged := bytes.Clone(genuine)
		forged[i/8] ^= 1 << (i % 8)
		checked, err := checkJSON(forged, m.key.Public())
		if err != nil {
			continue
		}
		accepted++
		sameAs(t, m, checked)
	}
	t.Logf("%d of %d accepted, as they say the same", accepted, len(genuine)*8)
}

// sameAs holds that what was proven is what was recorded.
func sameAs(t testing.TB, m *memory, c audit.Checked) {
	t.Helper()
	if c.Entry.Index < 0 || c.Entry.Index >= int64(len(m.records)) {
		t.Fatalf("entry %d was proven", c.Entry.Index)
	}
	want := m.records[c.Entry.Index].Entry
	if c.Entry.Data == nil {
		want.Data = nil
	}
	if fmt.Sprint(c.Entry) != fmt.Sprint(want) || c.Checkpoint.Size != m.tree.Size() || c.Checkpoint.Root != m.tree.Root() {
		t.Fatalf("proven %+v, recorded %+v", c.Entry, want)
	}
}

func FuzzReceipt(f *testing.F) {
	m := newMemory(f, "first", answer, "third", "\xff\x00", "")
	for i := range m.tree.Size() {
		f.Add(must(f, m.receipt(f, i)))
	}
	withheld := m.receipt(f, 2)
	withheld.Record = withheld.Record.Withhold()
	f.Add(must(f, withheld))
	key := m.key.Public()
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := audit.ParseReceipt(b)
		if err != nil {
			if !errors.Is(err, ibid.ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		again, err := audit.ParseReceipt(must(t, r))
		if err != nil || fmt.Sprint(again) != fmt.Sprint(r) {
			t.Fatalf("there and back: %v, %v", again, err)
		}
		if checked, err := r.Check(key); err == nil {
			sameAs(t, m, checked)
		}
	})
}

func FuzzCheckpoint(f *testing.F) {
	m := newMemory(f, "first")
	f.Add(m.signed(f))
	f.Add(audit.Request{Old: 1, Proof: []audit.Hash{{1}}, Signed: m.signed(f)}.String())
	key := m.key.Public()
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := audit.OpenCheckpoint(s, key); err == nil && (c.Size != 2 || c.Root != m.tree.Root() || c.Origin != "log.example") {
			t.Fatalf("opened %+v", c)
		}
		r, err := audit.ParseRequest(s)
		if err != nil {
			return
		}
		again, err := audit.ParseRequest(r.String())
		if err != nil || again.Signed != r.Signed || again.Old != r.Old || len(again.Proof) != len(r.Proof) {
			t.Fatalf("there and back: %+v, %v", again, err)
		}
	})
}
