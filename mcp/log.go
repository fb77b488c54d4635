package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/workflow"
)

var (
	proveTool  = tool{name: "prove", title: "Prove that the log holds something", doc: `Give the receipt of a recorded answer or of an entry of the log: the proof that it was recorded, when, and with which words. Anyone who has the log's public key can check it without the log.`}
	verifyTool = tool{name: "verify", title: "Check a receipt, or the log", doc: `Check a receipt that prove gave, against the keys you give or this log's own. Without a receipt the whole log is read and held against its proofs, and the library against the log.`}
)

type proveIn struct {
	Answer string `json:"answer,omitempty" jsonschema:"id of a recorded answer"`
	Entry  *int64 `json:"entry,omitempty" jsonschema:"number of an entry of the log, from 0; in the place of answer"`
}

type proveOut struct {
	Entry   int64          `json:"entry"`
	Kind    string         `json:"kind"`
	At      time.Time      `json:"at"`
	Hash    string         `json:"hash"`
	Receipt map[string]any `json:"receipt" jsonschema:"the proof; keep it as it is"`
}

func (d *desk) prove(ctx context.Context, in proveIn) (proveOut, error) {
	index, err := d.entry(ctx, in)
	if err != nil {
		return proveOut{}, err
	}
	r, err := d.AuditLog.Receipt(ctx, index)
	if errors.Is(err, ibid.ErrNotFound) {
		return proveOut{}, invalid("there is no entry %d in the log", index)
	}
	if err != nil {
		return proveOut{}, err
	}
	e, err := d.AuditLog.Entry(ctx, index)
	if err != nil {
		return proveOut{}, err
	}
	out := proveOut{Entry: e.Index, Kind: e.Kind, At: e.At, Hash: e.Hash}
	b, err := r.MarshalJSON()
	if err != nil {
		return proveOut{}, err
	}
	return out, json.Unmarshal(b, &out.Receipt)
}

// entry finds the entry that is meant. The log holds all collections: who reaches one alone gets what is said of its answers.
func (d *desk) entry(ctx context.Context, in proveIn) (int64, error) {
	switch {
	case in.Answer != "" && in.Entry != nil || in.Answer == "" && in.Entry == nil:
		return 0, invalid("give the id of an answer, or the number of an entry")
	case in.Entry != nil && !d.caller.All:
		return 0, invalid("the log holds all collections, and you reach one; give the id of an answer")
	case in.Entry != nil:
		if *in.Entry < 0 {
			return 0, invalid("there is no entry %d in the log", *in.Entry)
		}
		return *in.Entry, nil
	}
	a, err := d.record.Answer(ctx, ibid.AnswerID(strings.ToLower(in.Answer)))
	if errors.Is(err, ibid.ErrNotFound) {
		return 0, invalid("there is no answer %q; ask and record give the whole id", shortened(in.Answer))
	}
	if err != nil {
		return 0, err
	}
	if a.Entry == nil {
		return 0, invalid("answer %s is in no log", a.ID)
	}
	return *a.Entry, nil
}

func (o proveOut) words() string {
	return fmt.Sprintf("Entry %d (%s) was recorded at %s; its hash is %s. The receipt stands in the structured result; verify or ibid audit check checks it.\n", o.Entry, o.Kind, o.At.UTC().Format(time.RFC3339), o.Hash)
}

type verifyIn struct {
	Receipt map[string]any `json:"receipt,omitempty" jsonschema:"as prove gave it; without it the whole log is checked"`
	Keys    []string       `json:"keys,omitempty" jsonschema:"public keys to trust; this log's own where they are left out"`
}

type verifyOut struct {
	Holds    bool     `json:"holds"`
	Reason   string   `json:"reason,omitempty" jsonschema:"why the receipt does not hold"`
	Entry    *int64   `json:"entry,omitempty" jsonschema:"what the receipt proves"`
	Entries  int64    `json:"entries" jsonschema:"of the log, or of the log as the receipt saw it"`
	Root     string   `json:"root,omitempty" jsonschema:"of the tree over the entries"`
	Notes    []string `json:"notes"`
	Problems []string `json:"problems"`
}

func (d *desk) verify(ctx context.Context, in verifyIn) (verifyOut, error) {
	if len(in.Keys) > 100 {
		return verifyOut{}, invalid("there are more than 100 keys")
	}
	if in.Receipt == nil {
		return d.verifyLog(ctx, in.Keys)
	}
	keys := in.Keys
	if len(keys) == 0 {
		own, err := d.AuditLog.Keys(ctx)
		if err != nil {
			return verifyOut{}, err
		}
		for _, k := range own {
			keys = append(keys, k.Key)
		}
	}
	out := verifyOut{Notes: []string{}, Problems: []string{}}
	b, err := json.Marshal(in.Receipt)
	if err != nil {
		return out, err
	}
	r, err := audit.ParseReceipt(b)
	if err != nil {
		return out, invalid("the receipt cannot be read: %v; give it as prove gave it", err)
	}
	checked, err := r.Check(keys...)
	if err != nil {
		out.Reason = wording.Of(err)
		return out, nil
	}
	out.Holds, out.Entry, out.Entries, out.Root = true, &checked.Entry.Index, checked.Checkpoint.Size, checked.Checkpoint.Root.String()
	return out, nil
}

// verifyLog holds the log against its proofs, the library against the log, and what answers are found by against the library.
func (d *desk) verifyLog(ctx context.Context, keys []string) (verifyOut, error) {
	if !d.caller.All {
		return verifyOut{}, invalid("the log holds all collections, and you reach one; give a receipt")
	}
	for _, k := range keys {
		if err := audit.CheckPublicKey(k); err != nil {
			return verifyOut{}, invalid("%v", err)
		}
	}
	r, err := d.AuditLog.Verify(ctx, audit.Expect{Keys: keys})
	if err != nil {
		return verifyOut{}, err
	}
	if len(r.Problems) == 0 {
		found, unchecked, err := workflow.Held(ctx, d.AuditLog.Entries(ctx, 0), d.Store)
		if err != nil {
			return verifyOut{}, err
		}
		r.Notes = append(r.Notes, unchecked...)
		for _, f := range found {
			r.Problems = append(r.Problems, audit.Problem{Entry: f.Entry, What: f.What})
		}
	}
	if len(r.Problems) == 0 {
		wrong, err := d.Store.CheckFind(ctx)
		if err != nil {
			return verifyOut{}, err
		}
		if wrong != "" {
			r.Problems = append(r.Problems, audit.Problem{Entry: -1, What: wrong})
		}
	}
	out := verifyOut{Holds: len(r.Problems) == 0, Entries: r.Entries, Root: r.Root.String(), Notes: listed(r.Notes), Problems: []string{}}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, p.String())
	}
	return out, nil
}

func (o verifyOut) words() string {
	switch {
	case o.Entry != nil:
		return fmt.Sprintf("The receipt holds: entry %d stands in the log of %d entries.\n", *o.Entry, o.Entries)
	case o.Reason != "":
		return "The receipt does not hold: " + o.Reason + "\n"
	case o.Holds:
		return strings.Join(append([]string{fmt.Sprintf("The log is whole: %d entries, root %s.", o.Entries, o.Root)}, o.Notes...), "\n- ") + "\n"
	}
	return strings.Join(append([]string{"The log or the library is not whole:"}, o.Problems...), "\n- ") + "\n"
}
