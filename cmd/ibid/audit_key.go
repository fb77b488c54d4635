package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/internal/durable"
	"github.com/ibid-dev/ibid/internal/wording"
)

func auditKeyCmd(a *app) *cobra.Command {
	var asJSON bool
	var of string
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Print the public keys of the log, the one in use last",
		Long: `Print the public keys with which the log is and was signed, one a line, the one
in use last. Give them to those who are to check receipts. The private key
stands in audit.key in the data folder: who has it can sign another log in your
name. With --of the public key of another private key is printed, such as a
witness's.`,
		Example: "  ibid audit key > log.pub\n  ibid audit key --of witness.key > witness.pub\n  ibid audit key rotate",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if of != "" {
				b, err := a.readWhole(cmd, of)
				if err != nil {
					return err
				}
				k, err := audit.ParseKey(strings.TrimSpace(string(b)))
				if err != nil {
					return fmt.Errorf("%s: %w", inputName(of), err)
				}
				_, err = fmt.Fprintln(a.out, k.Public())
				return err
			}
			log, err := a.log(cmd.Context())
			if err != nil {
				return err
			}
			keys, err := log.Keys(cmd.Context())
			if err == nil && len(keys) == 0 {
				err = a.emptied(cmd.Context())
			}
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(keys)
			}
			if len(keys) == 0 {
				a.notice("the log is empty: the key is made with the first entry")
			}
			for _, k := range keys {
				fmt.Fprintln(a.out, k.Key)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON, with the entry from which on each key signs")
	cmd.Flags().StringVar(&of, "of", "", "print the public key of this private key instead")
	cmd.AddCommand(auditKeyRotateCmd(a))
	return cmd
}

func auditKeyRotateCmd(a *app) *cobra.Command {
	var lost string
	cmd := &cobra.Command{
		Use:   "rotate",
		Short: "Sign with a new key from now on",
		Long: `Make a new key and sign with it from now on. The change is an entry, signed by
the old key and the new one; what the old one signed stays valid. With --lost,
where the file of the old key is gone, only the new one signs, and the entry
says why.`,
		Example: "  ibid audit key rotate\n  ibid audit key rotate --lost \"disk failed, restored without the key\"",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := a.log(cmd.Context())
			if err != nil {
				return err
			}
			var e ibid.Entry
			if cmd.Flags().Changed("lost") {
				e, err = log.ReplaceLostKey(cmd.Context(), lost)
			} else {
				e, err = log.RotateKey(cmd.Context())
			}
			if err != nil {
				return err
			}
			a.notice("entry %d: a new key signs from here on; ibid audit key prints it for those who check", e.Index)
			return nil
		},
	}
	cmd.Flags().StringVar(&lost, "lost", "", "the old key is lost; say how")
	return cmd
}

func auditCheckpointCmd(a *app) *cobra.Command {
	var since, out string
	cmd := &cobra.Command{
		Use:   "checkpoint",
		Short: "Write the signed checkpoint over the log, to be kept elsewhere",
		Long: `Write the signed checkpoint: three lines that say what the log holds, and a
signature. Kept elsewhere, or cosigned by someone else, it is what the log can
be held to later: ibid audit verify --checkpoint FILE. With --since, an older
checkpoint or its number of entries, the proof that the log has only grown
since comes with it, as a witness asks.`,
		Example: `  ibid audit checkpoint --output 2026-05-03.checkpoint
  ibid audit checkpoint --since cosigned.checkpoint --output for-the-witness`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := a.log(cmd.Context())
			if err != nil {
				return err
			}
			var text string
			if since == "" {
				text, err = log.Checkpoint(cmd.Context())
			} else {
				var r audit.Request
				if r.Old, err = a.sizeOf(cmd, since); err == nil {
					r.Proof, r.Signed, err = log.Prove(cmd.Context(), r.Old)
					text = r.String()
				}
			}
			if errors.Is(err, ibid.ErrNotFound) {
				if err := a.emptied(cmd.Context()); err != nil {
					return err
				}
				return hint(errors.New("the log is empty"), "what is ingested or answered becomes an entry")
			}
			if err != nil {
				return err
			}
			return a.writeOut(out, []byte(text))
		},
	}
	f := cmd.Flags()
	f.StringVar(&since, "since", "", "with the proof that the log has only grown since this checkpoint (a file, or its number of entries)")
	f.StringVarP(&out, "output", "o", "", "write to this file")
	return cmd
}

// sizeOf reads a size as a number or from the file of a checkpoint.
func (a *app) sizeOf(cmd *cobra.Command, since string) (int64, error) {
	if n, err := strconv.ParseInt(since, 10, 64); err == nil {
		return n, nil
	}
	signed, err := a.keptCheckpoint(cmd, since)
	if err != nil {
		return 0, err
	}
	c, err := audit.ReadCheckpoint(signed)
	return c.Size, err
}

// seenLog is what a witness remembers of a log.
type seenLog struct {
	Keys       []string `json:"keys"`       // that it signs with
	Checkpoint string   `json:"checkpoint"` // seen last
}

func auditCosignCmd(a *app) *cobra.Command {
	var keyFile, name, out string
	var logKeys []string
	cmd := &cobra.Command{
		Use:   "cosign CHECKPOINT --key FILE",
		Short: "Sign someone's checkpoint as a witness",
		Long: `Sign the checkpoint of a log as a witness. It is signed only where the log's
key signed it, and where it is shown to hold all that the checkpoint held that
this witness saw last. So a log that has a witness cannot show one past to some
and another to others. The witness should be another person's, on another
machine.

The witness's key is made in FILE with the first checkpoint, and what was seen
last is kept beside it, in FILE.seen. The first checkpoint of a log needs its
public key, --log.`,
		Example: `  ibid audit cosign today.checkpoint --key witness.key --log log.pub --output cosigned
  ibid audit cosign for-the-witness --key witness.key --output cosigned`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := a.readLines(cmd, args[0])
			if err != nil {
				return err
			}
			request, err := audit.ParseRequest(string(b))
			if err != nil {
				return fmt.Errorf("%s: %w", inputName(args[0]), err)
			}
			keys, err := a.publicKeys(cmd, logKeys)
			if err != nil {
				return err
			}
			signed, err := a.cosign(keyFile, name, request, keys)
			if err != nil {
				return fmt.Errorf("%s is not signed: %w", args[0], err)
			}
			return a.writeOut(out, []byte(signed))
		},
	}
	f := cmd.Flags()
	f.StringVar(&keyFile, "key", "", "file of the witness's key, made where it is not there")
	f.StringVar(&name, "name", "ibid-witness", "name of the witness, for a key that is made")
	f.StringArrayVar(&logKeys, "log", nil, "public key of the log, or a file of its keys; remembered (may be repeated)")
	f.StringVarP(&out, "output", "o", "", "write to this file")
	cmd.MarkFlagRequired("key")
	return cmd
}

// cosign signs as a witness, and remembers what it signed before it gives it out.
func (a *app) cosign(keyFile, name string, r audit.Request, logKeys []string) (signed string, err error) {
	// Two at the same time could each sign a past that the other has not seen.
	lock, err := os.OpenFile(keyFile+".lock", os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", hint(errors.New("the witness is at work elsewhere"), "if it is not, remove %s.lock", keyFile)
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Close(), os.Remove(lock.Name())) }()
	seen := map[string]seenLog{}
	b, err := os.ReadFile(keyFile + ".seen")
	if err == nil {
		err = wording.JSON(json.Unmarshal(b, &seen), b)
	}
	if seen == nil { // to begin anew would be to forget what was signed
		err = errors.New("null in the place of an object")
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s.seen: %w", keyFile, err)
	}
	c, err := audit.ReadCheckpoint(r.Signed)
	if err != nil {
		return "", err
	}
	log := seen[c.Origin]
	for _, k := range logKeys {
		if !slices.Contains(log.Keys, k) {
			log.Keys = append(log.Keys, k)
		}
	}
	if len(log.Keys) == 0 {
		return "", hint(fmt.Errorf("%s is a log that this witness has not seen before", c.Origin), "name its public key with --log; its owner has it from ibid audit key")
	}
	key, err := a.witnessKey(keyFile, name)
	if err != nil {
		return "", err
	}
	signed, err = audit.Cosign(key, log.Checkpoint, r, log.Keys...)
	if err != nil {
		if old, read := audit.ReadCheckpoint(log.Checkpoint); read == nil && r.Old == 0 && c.Size > old.Size {
			err = hint(err, "the proof that the log has only grown comes with ibid audit checkpoint --since %d", old.Size)
		}
		return "", err
	}
	log.Checkpoint = signed
	seen[c.Origin] = log
	if b, err = json.MarshalIndent(seen, "", "  "); err != nil {
		return "", err
	}
	return signed, durable.Replace(keyFile+".seen", b)
}

func (a *app) witnessKey(file, name string) (*audit.Key, error) {
	b, err := os.ReadFile(file)
	if err == nil {
		return audit.ParseKey(strings.TrimSpace(string(b)))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	key, err := audit.NewKey(rand.Reader, name)
	if err != nil {
		return nil, err
	}
	if err := durable.Replace(file, []byte(key.Private()+"\n")); err != nil {
		return nil, err
	}
	a.notice("made the key of the witness; its public key, for those who check, is\n%s", key.Public())
	return key, nil
}
