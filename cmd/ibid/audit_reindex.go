package main

import (
	"github.com/spf13/cobra"
)

func auditReindexCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "reindex",
		Short: "Write anew what answers are found by",
		Long: `Write anew the index by which answers are found by their words and by the
sources that they rest on, from the answers themselves: what ibid audit verify
names where the index is not what they say. All of it is written or nothing,
and others who write wait for it. No answer and no entry is touched. What was
erased from the log does not come back.`,
		Example: `  ibid audit verify
  ibid audit reindex`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, err := a.record(cmd.Context())
			if err != nil {
				return err
			}
			known, unknown, err := store.RebuildFind(cmd.Context())
			if err != nil {
				return err
			}
			a.notice("%s found by words and sources", count(known, "answer is", "answers are"))
			if unknown > 0 {
				a.notice("%s found by sources alone: what the log said of %s was erased, or may have been", count(unknown, "answer is", "answers are"), map[bool]string{true: "it", false: "them"}[unknown == 1])
			}
			return nil
		},
	}
}
