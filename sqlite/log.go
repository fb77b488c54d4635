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
	"path/filepath"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
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

// Log is the audit log of a record. An entry, the tree over all entries and the signed head stand in one transaction, so
// that what was acknowledged is on disk and provable. It is safe for use by several goroutines, and several processes may
// append to the same log.
//
//	log, err := store.Log(ctx, sqlite.LogConfig{})
//	entry, err := log.Append(ctx, "decision", data)
//	receipt, err := log.Receipt(ctx, entry.Index)
//	checked, err := receipt.Check(publicKey) // anywhere, without the log
type Log struct {
	store  *Store
	conf   LogConfig
	origin string
	head   *head // as this process last left it, guarded by the writer; nil where that is not known
}

var _ ibid.Log = (*Log)(nil)

// Log opens the audit log of the record, once. From then on new versions of sources and removals are entries too.
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
	d := draft{kind: kind, data: data}
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

	// Known once it has its place.
	number, at int64
	clock      sql.NullInt64
	hashes     []byte
}

func (l *Log) draft(kind string, data []byte) (draft, error) {
	if err := audit.CheckKind(kind); err != nil {
		return draft{}, err
	}
	switch kind {
	case audit.KindKey, audit.KindErasure, audit.KindSource, audit.KindRemoval:
		return draft{}, fmt.Errorf("kind %q is the log's own: %w", kind, ibid.ErrInvalid)
	}
	if len(data) > MaxPayload {
		return draft{}, fmt.Errorf("payload of %d bytes: at most %d fit: %w", len(data), MaxPayload, ibid.ErrInvalid)
	}
	if data == nil {
		data = []byte{} // no payload is one that was erased
	}
	d := draft{kind: kind, data: data}
	return d, d.commit(l.conf.Random)
}

func (d *draft) commit(random io.Reader) error {
	if _, err := io.ReadFull(random, d.salt[:]); err != nil {
		return fmt.Errorf("salt: %w", err)
	}
	d.commitment = audit.Commit(d.salt, d.data)
	return nil
}

// head is the end of the log, to which the next entry is added.
type head struct {
	tree  audit.Tree
	last  audit.Hash // of the last entry
	at    time.Time  // of the last entry
	key   *audit.Key
	grown bool // since it was signed

	before string // the signed checkpoint that stands in the record; "" where that is not known
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

func (tx *Tx) append(d draft) (ibid.Entry, error) {
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
		d.clock = sql.NullInt64{Int64: e.Clock.UnixMicro(), Valid: true}
	}
	leaf := audit.HashLeaf(e)
	e.Hash = leaf.String()
	h.last, h.at, h.grown = leaf, e.At, true
	d.number, d.at = e.Index, e.At.UnixMicro()
	for _, node := range h.tree.Add(leaf, nil) {
		d.hashes = append(d.hashes, node[:]...)
	}
	tx.rows = append(tx.rows, d)
	return e, nil
}

// insert writes the rows of the entries, many with one statement.
func (tx *Tx) insert() error {
	for rows := tx.rows; len(rows) > 0; {
		n := 1
		for _, many := range []int{32, 8} {
			if len(rows) >= many {
				n = many
				break
			}
		}
		entries, payloads := make([]any, 0, 6*n), make([]any, 0, 3*n)
		for _, d := range rows[:n] {
			entries = append(entries, d.number, d.at, d.clock, d.kind, d.commitment[:], d.hashes)
			payloads = append(payloads, d.number, d.salt[:], d.data)
		}
		if err := tx.w.exec(`INSERT INTO log_entries (number, at, clock, kind, commitment, hashes) VALUES `+placeholders(n, 6), entries...); err != nil {
			return fmt.Errorf("entry %d: %w", rows[0].number, err)
		}
		if err := tx.w.exec(`INSERT INTO log_payloads (entry, salt, data) VALUES `+placeholders(n, 3), payloads...); err != nil {
			return fmt.Errorf("payload of entry %d: %w", rows[0].number, err)
		}
		rows = rows[n:]
	}
	return nil
}

func placeholders(rows, columns int) string {
	row := "(?" + strings.Repeat(", ?", columns-1) + ")"
	return row + strings.Repeat(", "+row, rows-1)
}

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
		if end.key, end.before, err = tx.log.signer(tx.w, end.tree); err != nil {
			return err
		}
	}
	tx.head = end
	return nil
}

// readEnd gives the end of the log, nil where there are no entries. It has a key where no other process has written.
func (tx *Tx) readEnd() (*head, error) {
	var number, at int64
	var hashes []byte
	err := tx.w.scan([]any{&number, &at, &hashes}, `SELECT number, at, hashes FROM log_entries ORDER BY number DESC LIMIT 1`)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(hashes) < len(audit.Hash{}) {
		return nil, damaged(number, "its hash is cut")
	}
	last := audit.Hash(hashes[:len(audit.Hash{})])
	if h := tx.log.head; h != nil && h.tree.Size() == number+1 && h.last == last {
		return h.clone(), nil
	}
	h := &head{last: last, at: fromMicro(at)}
	edge, err := readHashes(tx.w.row, audit.EdgePlaces(number+1))
	if err == nil {
		h.tree, err = audit.NewTree(number+1, edge)
	}
	return h, err
}

// beginLog makes the key, and its entry, which is the first.
func (tx *Tx) beginLog() error {
	l := tx.log
	var note string
	if err := tx.w.scan([]any{&note}, `SELECT note FROM log_head`); !errors.Is(err, sql.ErrNoRows) {
		return errors.Join(damaged(0, "it is signed and not there"), err)
	}
	key, err := l.firstKey()
	if err != nil {
		return err
	}
	tx.head = &head{key: key}
	_, err = tx.writeKey(audit.KeyChange{Origin: l.origin, Key: key.Public()})
	return err
}

// signer finds the key that signed the log last, and refuses a log that is not what it signed.
func (l *Log) signer(w *writer, tree audit.Tree) (key *audit.Key, note string, err error) {
	err = w.scan([]any{&note}, `SELECT note FROM log_head`)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, "", damaged(tree.Size()-1, "no checkpoint is signed over it")
	}
	if err != nil {
		return nil, "", err
	}
	keys, err := l.readKeys()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("log: its key, %s, is missing: put it back, or make a new one with ibid audit key rotate --lost REASON", l.conf.KeyFile)
	}
	if err != nil {
		return nil, "", err
	}
	c, err := audit.OpenCheckpoint(note, publics(keys)...)
	if err != nil {
		return nil, "", fmt.Errorf("log: key file %s: %w", l.conf.KeyFile, err)
	}
	if want := (audit.Checkpoint{Origin: l.origin, Size: tree.Size(), Root: tree.Root()}); c.Checkpoint != want {
		return nil, "", damaged(tree.Size()-1, fmt.Sprintf("the signed checkpoint is of %d entries and another tree", c.Size))
	}
	return keys[c.Keys[len(c.Keys)-1]], note, nil // the newest signs last
}

// damaged says that the log does not fit what was signed.
func damaged(entry int64, what string) error {
	return fmt.Errorf("log: entry %d: %s: nothing is appended to a damaged log; ibid audit verify says what is wrong", entry, what)
}

// errMoved says that another process has appended to the log.
var errMoved = errors.New("log: its end was moved by another process")

// ahead writes jobs that do nothing but append. Their entries are put behind the end that this process left, without a look
// at it, and signed while the transaction begins. Where another process has moved the end, that shows when the head is
// written: nothing is, and the error is errMoved.
func (l *Log) ahead(batch []*job) error {
	tx := &Tx{store: l.store, w: l.store.writer, log: l, head: l.head.clone()}
	for _, j := range batch {
		if err := j.run(tx); err != nil {
			return err
		}
	}
	tx.sign()
	err := tx.w.transact(tx.seal)
	tx.ended(err)
	return err
}

// sign begins to sign the head, which takes about as long as inserting what is below it.
func (tx *Tx) sign() {
	tx.signed = make(chan struct{})
	go func(c audit.Checkpoint, h *head) {
		defer close(tx.signed)
		h.note, tx.err = c.Sign(h.key)
	}(tx.checkpoint(), tx.head)
}

// seal writes the entries of the transaction and the signed head over them.
func (tx *Tx) seal() error {
	h := tx.head
	if h == nil || !h.grown {
		return nil
	}
	if tx.signed == nil {
		tx.sign()
	}
	err := tx.insert()
	<-tx.signed
	var e *driver.Error
	switch {
	case errors.As(err, &e) && e.Code()&0xff == lib.SQLITE_CONSTRAINT: // the number is taken
		return errMoved
	case err != nil:
		return err
	case tx.err != nil:
		return fmt.Errorf("sign the log: %w", tx.err)
	case h.before == "":
		return tx.w.exec(`INSERT OR REPLACE INTO log_head (one, note) VALUES (1, ?)`, h.note)
	}
	changed, err := tx.w.change(`UPDATE log_head SET note = ? WHERE note = ?`, h.note, h.before)
	if err == nil && changed != 1 {
		return errMoved
	}
	return err
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
		err := query(`SELECT substr(hashes, ?, ?) FROM log_entries WHERE number = ?`, 1+p.Level*size, size, p.Entry).Scan(&h)
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
