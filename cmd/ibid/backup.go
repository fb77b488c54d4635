package main

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
)

func backupCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FOLDER",
		Short: "Copy the library and its log elsewhere, while others go on writing",
		Long: `Write the library, its log and the key of the log into a folder that is new or
empty, as they stand at one moment. Others may go on asking and recording, a
server too: a plain copy of the files, made meanwhile, may lack the last
entries or not open at all. The folder is a data folder like any other; its key
signs as the log, so keep it as safe.

To go back to it, stop the server and put the folder in the place of the data
folder. The log is then cut back to that moment: what was recorded since is
gone, and what was erased since is there again and must be erased anew. A
checkpoint that was kept elsewhere tells what is missing.`,
		Example: `  ibid backup /mnt/backup/2026-05-03
  ibid --data /mnt/backup/2026-05-03 audit verify --checkpoint 2026-05-03.checkpoint`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(args[0]) == "" {
				return usagef("the folder has no name")
			}
			log, err := a.log(cmd.Context())
			if err != nil {
				return err
			}
			withKey, err := log.Backup(cmd.Context(), args[0])
			if errors.Is(err, ibid.ErrInvalid) {
				return &usageError{err}
			}
			if path := (*fs.PathError)(nil); errors.As(err, &path) {
				return hint(err, "name a new folder, where you may write")
			}
			if err != nil {
				return err
			}
			if !withKey {
				a.notice("the log's key is not there, or not yours to read: nothing can be added to the backup until it is put beside it")
			}
			a.notice("written; ibid --data %s audit verify checks it", typed(shown(args[0])))
			return nil
		},
	}
}
