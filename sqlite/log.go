package sqlite

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/internal/durable"
)

// KeyFileName is the name of the log's key within a data folder.
const KeyFileName = "audit.key"

// MaxPayload bounds the payload of one entry, in bytes.
const MaxPayload = 64 << 20

// LogConfig says where the log's key, time and chance come from. Several goroutines ask for them at the same time.
type LogConfig struct {
	// KeyFile holds the key that signs; it is made with the first entry. Defaults to KeyFileName in the data folder.
	KeyFile string
	// Now tells the time of entries. Defaults to time.Now.
	Now func() time.Time
	// Random gives salts and keys. Defaults to crypto/rand.
	Random io.Reader
}

// signEvery is how often a head is signed, at most, while entries follow each other: those between bear a seal, as most of
// what an append takes beside the disk would be its signature. Close signs the last.
const signEvery = time.Second

// Log is the audit log of a record. An entry, the tree over all entries and the head, signed or sealed with the log's key, stand
// in one transaction, so that what was acknowledged is on disk and provable. Checkpoints and receipts are signed always. It is
// safe for use by several goroutines, and several processes may append to the same log.
//
//	log, err := store.Log(ctx, sqlite.LogConfig{})
//	entry, err := log.Append(ctx, "decision", data)
//	receipt, err := log.Receipt(ctx, entry.Index)
//	checked, err := receipt.Check(publicKey) // anywhere, without the log
type Log struct {
	store  *Store
	conf   LogConfig
	origin string

	// Guarded by the writer.
	head   *head     // as this process last left it; nil where that is not known
	signed time.Time // when this process last signed a head

	key atomic.Pointer[audit.Key] // that sealed or signed last, as far as this process knows
}

var _ ibid.Log = (*Log)(nil)

// Log opens the audit log of the record, once. From then on new versions of sources, removals and studies are entries too.
func (s *Store) Log(_ context.Context, c LogConfig) (*Log, error) {
	if c.KeyFile == "" {
		c.KeyFile = filepath.Join(s.dir, KeyFileName)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	l := &Log{store: s, conf: c, origin: "ibid/" + s.identity}
	if !s.log.CompareAndSwap(nil, l) {
		return nil, errors.New("the log of this store is open already")
	}
	return l, nil
}

// Ready reports why nothing could be appended, where that is known: the folder cannot be written, the key is missing or is
// another's, or the log is not what was signed. Who asks first delivers nothing that cannot be recorded.
func (l *Log) Ready(ctx context.Context) error {
	return l.store.Update(ctx, func(tx *Tx) error {
		end, err := tx.readEnd()
		switch {
		case err != nil:
		case end == nil:
			err = l.foreign()
		case end.key == nil:
			_, err = l.signer(end)
		}
		return err
	})
}

// foreign reports where the key of another log lies ready for an empty one. A key is made for the log that it is to sign, so the
// log that this one signed is gone: its file was emptied, cut off while it was copied, or taken for a new one.
func (l *Log) foreign() error {
	if _, err := l.readKeys(); errors.Is(err, ibid.ErrInvalid) {
		return fmt.Errorf("the log is empty, and was not: restore %s from a backup: %w", FileName, err)
	}
	return nil
}

// Origin names the log in its checkpoints.
func (l *Log) Origin() string { return l.origin }

// Append adds an entry and returns once it is on disk. A kind is 1 to 64 of a to z, 0 to 9, dot and hyphen; the kinds
// that the log and the library write themselves are not for others. The error wraps ibid.ErrInvalid where kind or data
// cannot be taken.
func (l *Log) Append(ctx context.Context, kind string, data []byte) (ibid.Entry, error) {
	d, err := l.draft(kind, data)
	if err != nil {
		return ibid.Entry{}, fmt.Errorf("append: %w", err)
	}
	var e ibid.Entry
	err = l.store.commit(ctx, &job{whole: true, size: len(data), run: func(tx *Tx) (err error) {
		e, err = tx.append(d)
		return err
	}})
	if err != nil {
		return ibid.Entry{}, fmt.Errorf("append: %w", err)
	}
	return e, nil
}

// Append adds an entry to the log within the transaction. It is on disk when Update returns.
func (tx *Tx) Append(kind string, data []byte) (ibid.Entry, error) {
	if tx.log == nil {
		return ibid.Entry{}, errors.New("append: the log of this store is not open")
	}
	d, err := tx.log.draft(kind, bytes.Clone(data)) // it is inserted later, and the caller may use its bytes again
	if err != nil {
		return ibid.Entry{}, fmt.Errorf("append: %w", err)
	}
	return tx.append(d)
}

// note adds an entry of the store's own, where the log is open.
func (tx *Tx) note(kind string, payload any) error {
	if tx.log == nil {
		return nil
	}
	data, err := json.Marshal(payload)
	if err == nil {
		_, err = tx.write(kind, data)
	}
	return err
}

// write adds an entry of a kind that is the log's own.
func (tx *Tx) write(kind string, data []byte) (ibid.Entry, error) {
	d := &draft{kind: kind, data: data}
	if err := d.commit(tx.log.conf.Random); err != nil {
		return ibid.Entry{}, err
	}
	return tx.append(d)
}

// draft is an entry on its way into the log.
type draft struct {
	kind       string
	data       []byte
	salt       audit.Salt
	commitment audit.Hash
	row        [8]any // as it is inserted; number, at, clock and hashes are known once it has its place
}

func (l *Log) draft(kind string, data []byte) (*draft, error) {
	if err := audit.CheckKind(kind); err != nil {
		return nil, err
	}
	switch kind {
	case audit.KindKey, audit.KindErasure, audit.KindSource, audit.KindRemoval, audit.KindStudy:
		return nil, fmt.Errorf("kind %q is the log's own: %w", kind, ibid.ErrInvalid)
	}
	if len(data) > MaxPayload {
		return nil, fmt.Errorf("payload of %d bytes: at most %d fit: %w", len(data), MaxPayload, ibid.ErrInvalid)
	}
	if data == nil {
		data = []byte{} // no payload is one that was erased
	}
	d := &draft{kind: kind, data: data}
	return d, d.commit(l.conf.Random)
}

func (d *draft) commit(random io.Reader) error {
	if _, err := io.ReadFull(random, d.salt[:]); err != nil {
		return fmt.Errorf("salt: %w", err)
	}
	d.commitment = audit.Commit(d.salt, d.data)
	d.row = [8]any{3: d.kind, 4: d.commitment[:], 6: d.salt[:], 7: d.data}
	return nil
}

// head is the end of the log, to which the next entry is added.
type head struct {
	tree  audit.Tree
	last  audit.Hash // of the last entry
	at    time.Time  // of the last entry
	key   *audit.Key
	grown bool // since it was written

	before string // the checkpoint that stands in the record, signed or sealed; "" where there is none yet
	note   string // the next one
}

func (h *head) clone() *head {
	if h == nil {
		return nil
	}
	c := *h
	c.tree = h.tree.Clone()
	return &c
}

func (tx *Tx) append(d *draft) (ibid.Entry, error) {
	if err := tx.openLog(); err != nil {
		return ibid.Entry{}, err
	}
	h := tx.head
	e := ibid.Entry{Index: h.tree.Size(), At: tx.log.conf.Now().UTC().Truncate(time.Microsecond), Kind: d.kind, Data: d.data,
		Commitment: d.commitment.String(), Prev: h.last.String()}
	if y := e.At.Year(); y < 1 || y > 9999 {
		return ibid.Entry{}, fmt.Errorf("entry %d: the clock shows the year %d: set it", e.Index, y)
	}
	if e.At.Before(h.at) { // times never run backwards; that the clock did is noted
		e.Clock, e.At = e.At, h.at
		d.row[2] = e.Clock.UnixMicro()
	}
	leaf := audit.HashLeaf(e)
	e.Hash = leaf.String()
	h.last, h.at, h.grown = leaf, e.At, true
	tx.nodes = h.tree.Add(leaf, tx.nodes[:0])
	hashes := make([]byte, 0, len(tx.nodes)*len(leaf))
	for i := range tx.nodes {
		hashes = append(hashes, tx.nodes[i][:]...)
	}
	d.row[0], d.row[1], d.row[5] = e.Index, e.At.UnixMicro(), hashes
	tx.rows = append(tx.rows, d)
	return e, nil
}

// insert writes the rows of the entries. The first takes the place of the head that was read: where another head stands there,
// or another process's entry does, nothing is written, and the error is errMoved.
func (tx *Tx) insert() error {
	rows := tx.rows
	if before := tx.head.before; before != "" {
		d := rows[0]
		changed, err := tx.w.change(`UPDATE log SET at = ?2, clock = ?3, kind = ?4, commitment = ?5, hashes = ?6, salt = ?7, data = ?8
			WHERE number = ?1 AND kind = '' AND data = ?9`, append(d.row[:], []byte(before))...)
		if err != nil {
			return fmt.Errorf("entry %d: %w", d.row[0], err)
		}
		if changed != 1 {
			return errMoved
		}
		rows = rows[1:]
	}
	for _, many := range [...]struct {
		n     int
		query string
	}{{32, insertInto + rows32}, {16, insertInto + rows16}, {8, insertInto + rows8}, {4, insertInto + rows4}, {2, insertInto + rows2}, {1, insertInto + rows1}} {
		for len(rows) >= many.n {
			args := make([]any, 0, 8*many.n)
			for _, d := range rows[:many.n] {
				args = append(args, d.row[:]...)
			}
			if err := tx.w.exec(many.query, args...); err != nil {
				return fmt.Errorf("entry %d: %w", rows[0].row[0], err)
			}
			rows = rows[many.n:]
		}
	}
	return nil
}

const (
	insertInto = `INSERT INTO log (number, at, clock, kind, commitment, hashes, salt, data) VALUES `

	rows1  = `(?, ?, ?, ?, ?, ?, ?, ?)`
	rows2  = rows1 + `, ` + rows1
	rows4  = rows2 + `, ` + rows2
	rows8  = rows4 + `, ` + rows4
	rows16 = rows8 + `, ` + rows8
	rows32 = rows16 + `, ` + rows16
)

// openLog finds the end of the log and the key that signs it. Another process may have moved both since the last
// transaction.
func (tx *Tx) openLog() error {
	if tx.head != nil {
		return nil
	}
	end, err := tx.readEnd()
	if err != nil {
		return err
	}
	if end == nil {
		return tx.beginLog()
	}
	if end.key == nil {
		if end.key, err = tx.log.signer(end); err != nil {
			return err
		}
	}
	tx.head = end
	return nil
}

// readEnd gives the end of the log, nil where there are no entries. It has a key where no other process has written.
func (tx *Tx) readEnd() (*head, error) {
	var size int64
	var kind string
	var note []byte
	err := tx.w.scan([]any{&size, &kind, &note}, `SELECT number, kind, data FROM log ORDER BY number DESC LIMIT 1`)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case kind != "":
		return nil, damaged(size, "no checkpoint is signed over it")
	}
	var at int64
	var hashes []byte
	err = tx.w.scan([]any{&at, &hashes}, `SELECT at, hashes FROM log WHERE number = ?`, size-1)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, damaged(max(size-1, 0), "it is signed and not there")
	case err != nil:
		return nil, err
	case len(hashes) < len(audit.Hash{}):
		return nil, damaged(size-1, "its hash is cut")
	}
	last := audit.Hash(hashes[:len(audit.Hash{})])
	if h := tx.log.head; h != nil && h.tree.Size() == size && h.last == last && h.before == string(note) {
		return h.clone(), nil
	}
	h := &head{last: last, at: fromMicro(at), before: string(note)}
	edge, err := readHashes(tx.w.row, audit.EdgePlaces(size))
	if err == nil {
		h.tree, err = audit.NewTree(size, edge)
	}
	return h, err
}

// beginLog makes the key, and its entry, which is the first.
func (tx *Tx) beginLog() error {
	l := tx.log
	key, err := l.firstKey()
	if err != nil {
		return err
	}
	tx.head = &head{key: key}
	_, err = tx.writeKey(audit.KeyChange{Origin: l.origin, Key: key.Public()})
	return err
}

// signer finds the key that signed the log last, and refuses a log that is not what it signed.
func (l *Log) signer(end *head) (*audit.Key, error) {
	keys, err := l.readKeys()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("log: its key, %s, is missing: put it back, or make a new one with ibid audit key rotate --lost REASON", l.conf.KeyFile)
	}
	if err != nil {
		return nil, err
	}
	want := audit.Checkpoint{Origin: l.origin, Size: end.tree.Size(), Root: end.tree.Root()}
	c, key, err := openHead(end.before, keys)
	if err != nil {
		if other := l.otherKey(keys); other != nil {
			return nil, fmt.Errorf("log: %w", other)
		}
		return nil, fmt.Errorf("log: key file %s: %w", l.conf.KeyFile, err)
	}
	if c != want {
		return nil, damaged(end.tree.Size()-1, fmt.Sprintf("the checkpoint over it is of %d entries and another tree", c.Size))
	}
	l.key.Store(key)
	_ = durable.Sweep(l.conf.KeyFile) // of a process that was killed while it changed the key; this one has the database to itself
	return key, nil
}

// openHead reads a head that one of the keys has signed or sealed, and gives which.
func openHead(head string, keys map[string]*audit.Key) (audit.Checkpoint, *audit.Key, error) {
	if audit.Sealed(head) {
		return audit.OpenSeal(head, slices.Collect(maps.Values(keys))...)
	}
	c, err := audit.OpenCheckpoint(head, slices.Collect(maps.Keys(keys))...)
	if err != nil {
		return audit.Checkpoint{}, nil, err
	}
	return c.Checkpoint, keys[c.Keys[len(c.Keys)-1]], nil // the newest signs last
}

// signedHead gives a head in the form in which it is given out: signed, also where it is only sealed in the record.
func (l *Log) signedHead(head string) (string, error) {
	if !audit.Sealed(head) {
		return head, nil
	}
	if k := l.key.Load(); k != nil {
		if c, _, err := audit.OpenSeal(head, k); err == nil {
			return c.Sign(k)
		}
	}
	keys, err := l.readKeys()
	if err != nil {
		return "", fmt.Errorf("the last entries are not signed yet: %w", err)
	}
	c, k, err := openHead(head, keys)
	if err != nil {
		return "", err
	}
	l.key.Store(k)
	return c.Sign(k)
}

// damaged says that the log does not fit what was signed.
func damaged(entry int64, what string) error {
	return fmt.Errorf("log: entry %d: %s: nothing is appended to a damaged log; ibid audit verify says what is wrong", entry, what)
}

// errMoved says that another process has appended to the log.
var errMoved = errors.New("log: its end was moved by another process")

// ahead writes jobs that do nothing but append. Their entries are put behind the end that this process left, without a look
// at it. Where another process has moved the end, that shows when they are written: nothing is, and the error is errMoved.
func (l *Log) ahead(batch []*job) error {
	tx := &Tx{store: l.store, w: l.store.writer, log: l, head: l.head.clone()}
	for _, j := range batch {
		if err := j.run(tx); err != nil {
			return err
		}
	}
	err := tx.w.transact(tx.seal)
	tx.ended(err)
	return err
}

// seal writes the entries of the transaction and the head over them.
func (tx *Tx) seal() error {
	h := tx.head
	if h == nil || !h.grown {
		return nil
	}
	if err := tx.insert(); err != nil {
		return err
	}
	now := tx.log.conf.Now()
	if since := now.Sub(tx.log.signed); since >= 0 && since < signEvery {
		h.note = tx.checkpoint().Seal(h.key)
	} else {
		var err error
		if h.note, err = tx.checkpoint().Sign(h.key); err != nil {
			return fmt.Errorf("sign the log: %w", err)
		}
		tx.log.signed = now
	}
	return tx.w.exec(`INSERT INTO log (number, at, kind, commitment, hashes, data) VALUES (?, 0, '', x'', x'', ?)`, h.tree.Size(), []byte(h.note))
}

// signLast signs the head where this process left it sealed. That it may fail costs nothing that was acknowledged: who
// appends next signs.
func (l *Log) signLast() error {
	w := l.store.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	h := l.head
	if h == nil || !audit.Sealed(h.before) {
		return nil
	}
	note, err := l.signedHead(h.before)
	if err != nil {
		return err
	}
	return w.transact(func() error { // a head that another process has moved is that one's to sign
		return w.exec(`UPDATE log SET data = ? WHERE number = ? AND kind = '' AND data = ?`, []byte(note), h.tree.Size(), []byte(h.before))
	})
}

func (tx *Tx) checkpoint() audit.Checkpoint {
	return audit.Checkpoint{Origin: tx.log.origin, Size: tx.head.tree.Size(), Root: tx.head.tree.Root()}
}

// ended keeps what is known of the log's end for the next transaction, or forgets it where this one failed.
func (tx *Tx) ended(err error) {
	if tx.log == nil || tx.head == nil {
		return
	}
	if err != nil {
		tx.log.head = nil
		return
	}
	if tx.head.grown {
		tx.head.grown, tx.head.before = false, tx.head.note
	}
	tx.log.head = tx.head
}

// readHashes reads hashes of the tree from the rows that hold them.
func readHashes(query func(string, ...any) row, places []audit.Place) ([]audit.Hash, error) {
	const size = len(audit.Hash{})
	out := make([]audit.Hash, len(places))
	for i, p := range places {
		var h []byte
		err := query(`SELECT substr(hashes, ?, ?) FROM log WHERE number = ?`, 1+p.Level*size, size, p.Entry).Scan(&h)
		if errors.Is(err, sql.ErrNoRows) || err == nil && len(h) != size {
			return nil, damaged(p.Entry, fmt.Sprintf("its hash of level %d is missing", p.Level))
		}
		if err != nil {
			return nil, err
		}
		out[i] = audit.Hash(h)
	}
	return out, nil
}
