package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

func auditProveCmd(a *app) *cobra.Command {
	var out, under string
	var withhold bool
	cmd := &cobra.Command{
		Use:   "prove ENTRY",
		Short: "Write a receipt: the proof that the log holds an entry",
		Long: `Write a receipt: the entry with its payload, its path to the root of the tree,
and the signed checkpoint over that root. Anyone who has the log's public key
can check it with ibid audit check, or with a few lines of their own:
docs/audit.md gives the format.

With --under the proof leads to a checkpoint that was kept or cosigned before.
With --withhold the payload stays out: that something was recorded is proven,
and not what.`,
		Example: `  ibid audit prove 17 --output receipt.json
  ibid audit prove last --under cosigned.checkpoint`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			index, err := a.entryIndex(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			var r audit.Receipt
			if under == "" {
				r, err = a.opened.log.Receipt(cmd.Context(), index)
			} else {
				var kept string
				if kept, err = a.keptCheckpoint(cmd, under); err == nil {
					r, err = a.opened.log.ReceiptUnder(cmd.Context(), index, kept)
				}
			}
			if errors.Is(err, ibid.ErrNotFound) {
				return hint(err, "ibid audit list shows the latest")
			}
			if err != nil {
				return err
			}
			if withhold {
				r.Record = r.Record.Withhold()
			}
			b, err := r.MarshalJSON()
			if err != nil {
				return err
			}
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, append(b, '\n'), "", "  "); err != nil {
				return err
			}
			return a.writeOut(out, pretty.Bytes())
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", "", "write to this file")
	f.StringVar(&under, "under", "", "prove by this checkpoint, and not by the newest")
	f.BoolVar(&withhold, "withhold", false, "leave the payload out")
	return cmd
}

func auditCheckCmd(a *app) *cobra.Command {
	var keys, witnesses []string
	var asJSON, payload bool
	cmd := &cobra.Command{
		Use:   "check RECEIPT",
		Short: "Check a receipt, without the log",
		Long: `Check that a receipt proves what it says: that the payload is the one recorded,
that the entry stands in the tree at its place, that the checkpoint over the
tree is signed by the key, and by each witness that is named. It needs nothing
but the receipt and the keys.

Without --key the keys of the library's own log are used. That finds every
forgery, but not a log that its owner wrote anew: for that, check with a key
that was kept elsewhere.`,
		Example: `  ibid audit check receipt.json
  ibid audit check receipt.json --key log.pub
  ibid audit check receipt.json --key ibid/4f2a…+c74f20a3+ARpc… --witness witness.pub`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			trusted, err := a.publicKeys(cmd, keys)
			if err == nil && len(keys) == 0 {
				trusted, err = a.ownKeys(cmd.Context())
			}
			if err != nil {
				return err
			}
			cosigners, err := a.publicKeys(cmd, witnesses)
			if err != nil {
				return err
			}
			b, err := a.readLines(cmd, args[0])
			if err != nil {
				return err
			}
			receipt, err := audit.ParseReceipt(b)
			if err != nil {
				return hint(fmt.Errorf("%s: %w", inputName(args[0]), err), "ibid audit prove ENTRY --output FILE writes one; if this one was changed or cut on its way, ask for it again")
			}
			checked, err := checkReceipt(receipt, trusted, cosigners)
			if err != nil {
				return fmt.Errorf("%s does not hold: %w", inputName(args[0]), err)
			}
			switch {
			case payload && checked.Entry.Data == nil:
				return fmt.Errorf("%s holds, and has no payload", inputName(args[0]))
			case payload:
				_, err = a.out.Write(checked.Entry.Data)
				return err
			case asJSON:
				return a.printJSON(map[string]any{"holds": true, "entry": shownEntries([]ibid.Entry{checked.Entry})[0],
					"origin": checked.Checkpoint.Origin, "size": checked.Checkpoint.Size, "root": checked.Checkpoint.Root, "signed_by": checked.Checkpoint.Keys})
			}
			a.printChecked(checked)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&keys, "key", nil, "public key of the log, or a file of its keys (may be repeated)")
	f.StringArrayVar(&witnesses, "witness", nil, "public key of a witness who must have signed too, or a file (may be repeated)")
	f.BoolVar(&payload, "payload", false, "print the payload, and nothing else")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// ownKeys are the keys with which the library's own log is and was signed.
func (a *app) ownKeys(ctx context.Context) ([]string, error) {
	const how = "give the public key of the log with --key; its owner has it from ibid audit key"
	log, err := a.log(ctx)
	if errors.Is(err, errNoLibrary) {
		return nil, hint(usagef("no key to check with: %w", err), how)
	}
	if err != nil {
		return nil, err
	}
	all, err := log.Keys(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, hint(usagef("no key to check with: this library's log is empty"), how)
	}
	a.notice("checked with this library's own keys; --key takes one that was kept elsewhere")
	var keys []string
	for _, k := range all {
		keys = append(keys, k.Key)
	}
	return keys, nil
}

// checkReceipt checks a receipt against keys of the log, one of which must have signed, and witnesses, all of whom must.
func checkReceipt(r audit.Receipt, keys, witnesses []string) (audit.Checked, error) {
	checked, err := r.Check(append(keys, witnesses...)...)
	if err != nil {
		return audit.Checked{}, err
	}
	for _, w := range witnesses {
		if !checked.Checkpoint.SignedBy(w) {
			return audit.Checked{}, fmt.Errorf("the checkpoint is not signed by the witness %s: %w", w, ibid.ErrInvalid)
		}
	}
	return checked, nil
}

func (a *app) printChecked(c audit.Checked) {
	e := c.Entry
	fmt.Fprintf(a.out, "entry %d is in the log %s\n", e.Index, harmless(c.Checkpoint.Origin))
	fmt.Fprintf(a.out, "  recorded  %s as %s\n", moment(e.At), e.Kind)
	if e.Data == nil {
		fmt.Fprintln(a.out, "  payload   not in the receipt")
	} else {
		fmt.Fprintf(a.out, "  payload   %d bytes, as recorded: %s\n", len(e.Data), payloadLine(e, 80))
	}
	fmt.Fprintf(a.out, "  proven    by the checkpoint over %s\n", count(int(c.Checkpoint.Size), "entry", "entries"))
	for _, k := range c.Checkpoint.Keys {
		fmt.Fprintf(a.out, "  signed by %s\n", harmless(k))
	}
}

// publicKeys reads public keys as they are given: themselves, or in a file, one a line.
func (a *app) publicKeys(cmd *cobra.Command, given []string) ([]string, error) {
	var keys []string
	for _, g := range given {
		if _, err := os.Stat(g); err != nil && strings.Count(g, "+") >= 2 {
			keys = append(keys, g)
			continue
		}
		b, err := a.readLines(cmd, g)
		if err != nil {
			return nil, hint(err, "a public key has the form name+hash+data, as ibid audit key prints it")
		}
		n := len(keys)
		for _, line := range strings.Split(string(b), "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				keys = append(keys, line)
			}
		}
		if len(keys) == n {
			return nil, fmt.Errorf("%s holds no key", g)
		}
	}
	for _, k := range keys {
		if err := audit.CheckPublicKey(k); err != nil {
			return nil, err
		}
	}
	return keys, nil
}
