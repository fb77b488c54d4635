package sqlite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/internal/durable"
)

// writeKey records which key signs from here on.
func (tx *Tx) writeKey(k audit.KeyChange) (ibid.Entry, error) {
	data, err := json.Marshal(k)
	if err != nil {
		return ibid.Entry{}, err
	}
	return tx.write(audit.KindKey, data)
}

// RotateKey makes a new key. The change is an entry, and a checkpoint over it is signed by both keys, so that who trusts
// the old one can come to trust the new one; what the old one signed stays valid. It returns the entry of the change.
func (l *Log) RotateKey(ctx context.Context) (ibid.Entry, error) {
	return l.changeKey(ctx, "", func(tx *Tx) (string, []*audit.Key, error) {
		if err := tx.openLog(); err != nil {
			return "", nil, err
		}
		old := tx.head.key
		return old.Public(), []*audit.Key{old}, nil
	})
}

// ReplaceLostKey makes a new key where the file of the old one is gone, and says so in an entry. Nobody who trusts the
// old key has a reason to trust the new one: they must be told by other means.
func (l *Log) ReplaceLostKey(ctx context.Context, reason string) (ibid.Entry, error) {
	if reason == "" {
		return ibid.Entry{}, fmt.Errorf("change the key: a lost key is replaced for a reason: %w", ibid.ErrInvalid)
	}
	keys, err := l.Keys(ctx)
	if err != nil {
		return ibid.Entry{}, err
	}
	return l.changeKey(ctx, reason, func(tx *Tx) (string, []*audit.Key, error) {
		if _, err := os.Stat(l.conf.KeyFile); !errors.Is(err, fs.ErrNotExist) {
			return "", nil, fmt.Errorf("%s is there: the key is not lost: %w", l.conf.KeyFile, ibid.ErrInvalid)
		}
		if tx.head == nil {
			if tx.head, err = tx.readEnd(); err != nil {
				return "", nil, err
			}
		}
		if tx.head == nil || len(keys) == 0 {
			return "", nil, fmt.Errorf("the log has no key yet: %w", ibid.ErrInvalid)
		}
		return keys[len(keys)-1].Key, nil, nil
	})
}

// changeKey records a new key. The old one is public; in signs are those that sign the change beside the new one.
func (l *Log) changeKey(ctx context.Context, lost string, old func(*Tx) (public string, signs []*audit.Key, err error)) (ibid.Entry, error) {
	var entry ibid.Entry
	err := l.store.Update(ctx, func(tx *Tx) error {
		replaces, signs, err := old(tx)
		if err != nil {
			return err
		}
		next, err := audit.NewKey(l.conf.Random, l.origin)
		if err != nil {
			return err
		}
		signs = append(signs, next)
		// Both keys are in the file before the log names the new one, and the old one leaves it after that: whenever the
		// process ends, the key that the log asks for is there.
		if err := l.writeKeys(signs...); err != nil {
			return err
		}
		entry, err = tx.writeKey(audit.KeyChange{Origin: l.origin, Key: next.Public(), Replaces: replaces, Lost: lost})
		if err != nil {
			return err
		}
		note, err := tx.checkpoint().Sign(signs...)
		if err != nil {
			return err
		}
		tx.head.key = next
		return tx.w.exec(`INSERT INTO log_checkpoints (size, note) VALUES (?, ?)`, tx.head.tree.Size(), note)
	})
	if err != nil {
		return ibid.Entry{}, fmt.Errorf("change the key: %w", err)
	}
	err = l.store.Update(ctx, func(tx *Tx) error {
		if err := tx.openLog(); err != nil {
			return err
		}
		return l.writeKeys(tx.head.key)
	})
	if err != nil {
		return entry, fmt.Errorf("the key was changed, but the old one still stands in %s: %w", l.conf.KeyFile, err)
	}
	return entry, nil
}

// firstKey gives the key in the file, or makes it where there is no file. The caller has the database to itself, so that
// no other process does the same.
func (l *Log) firstKey() (*audit.Key, error) {
	keys, err := l.readKeys()
	if err == nil {
		for _, k := range keys {
			return k, nil
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	key, err := audit.NewKey(l.conf.Random, l.origin)
	if err != nil {
		return nil, err
	}
	return key, l.writeKeys(key)
}

// readKeys gives the keys of the file by their public keys.
func (l *Log) readKeys() (map[string]*audit.Key, error) {
	b, err := os.ReadFile(l.conf.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("key of the log: %w", err)
	}
	keys := map[string]*audit.Key{}
	for i, line := range strings.Split(string(b), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		k, err := audit.ParseKey(line)
		if err != nil {
			return nil, fmt.Errorf("key of the log: %s: line %d: %w", l.conf.KeyFile, i+1, err)
		}
		if k.Name() != l.origin {
			return nil, fmt.Errorf("key of the log: %s: line %d: the key is of %s, and the log is %s: put its key here, or, for a new log, move this one away: %w", l.conf.KeyFile, i+1, k.Name(), l.origin, ibid.ErrInvalid)
		}
		keys[k.Public()] = k
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("key of the log: %s holds no key: %w", l.conf.KeyFile, ibid.ErrInvalid)
	}
	return keys, nil
}

// errCutBack says that the log ends before an entry that it had.
var errCutBack = errors.New("the log was cut back")

// otherKey says what happened where none of the file's keys is the one that the log names last; nil where one is. A key that
// the log does not name at all was named by an entry that is gone: errCutBack.
func (l *Log) otherKey(keys map[string]*audit.Key) error {
	named, err := l.Keys(context.Background())
	if err != nil || len(named) == 0 || keys[named[len(named)-1].Key] != nil {
		return nil
	}
	const goOn = "move this one away and go on with ibid audit key rotate --lost REASON"
	for _, k := range named {
		if keys[k.Key] != nil {
			return fmt.Errorf("%s holds a key that entry %d replaced: put the newer one in its place, or %s: %w", l.conf.KeyFile, named[len(named)-1].Entry, goOn, ibid.ErrInvalid)
		}
	}
	return fmt.Errorf("%s holds a key that no entry names: %w to before that key was made, as by a backup of %s alone, or a change of the key broke off: "+
		"put the newest %[3]s back, or the key of this one, or %[4]s: %[5]w", l.conf.KeyFile, errCutBack, FileName, goOn, ibid.ErrInvalid)
}

// writeKeys replaces the file, whole or not at all, readable by its owner alone.
func (l *Log) writeKeys(keys ...*audit.Key) error {
	var b bytes.Buffer
	fmt.Fprintln(&b, "# The key that signs the audit log. Who has it can sign another log in your name.")
	for _, k := range keys {
		fmt.Fprintln(&b, k.Private())
	}
	if err := durable.Replace(l.conf.KeyFile, b.Bytes()); err != nil {
		return fmt.Errorf("key of the log: %w", err)
	}
	return nil
}
