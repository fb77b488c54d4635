package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/web"
)

func keysCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Make, list and revoke the server's API keys",
		Long: `Keys let programs use the server. A key has a scope (read, write or admin, each
includes the one before) and may be bound to one collection. It is shown once,
when it is made; only its hash is kept. A key that is revoked ends at once,
also on a server that runs.`,
		Example: `  ibid keys create --name reader --scope read
  ibid keys list
  ibid keys revoke 4f2a90c1d2e3f405`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(keysCreateCmd(a), keysListCmd(a), keysRevokeCmd(a))
	return cmd
}

func keysCreateCmd(a *app) *cobra.Command {
	var name, scope string
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "create --name NAME",
		Short: "Make a key and show it, this once",
		Long: `Make a key and show it, this once. It reaches the collection that --collection
names, or that without a name; with --all it reaches every collection.`,
		Example: `  ibid keys create --name reader
  ibid keys create --name ingest --scope write --collection thesis
  ibid keys create --name ops --scope admin --all`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if api.Scope(scope) != api.Read && api.Scope(scope) != api.Write && api.Scope(scope) != api.Admin {
				return usagef("--scope %q: choose read, write or admin", scope)
			}
			if strings.TrimSpace(name) == "" {
				return hint(usagef("the key has no name"), "say what it is for with --name")
			}
			if all && cmd.Flags().Changed("collection") { // of the two the key would reach more
				return hint(usagef("--all and --collection do not go together"), "the key reaches one collection or every one")
			}
			return a.createKey(cmd.Context(), name, api.Scope(scope), all, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "what the key is for")
	f.StringVar(&scope, "scope", "read", "what it may do: read, write or admin")
	f.BoolVar(&all, "all", false, "reach every collection")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (a *app) createKey(ctx context.Context, name string, scope api.Scope, all, asJSON bool) error {
	store, err := a.store(ctx)
	if err != nil {
		return err
	}
	collection := &a.conf.Collection
	if all {
		collection = nil
	}
	key, secret, err := web.NewKey(ctx, store, name, scope, collection, a.now())
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(map[string]any{"key": key, "secret": secret})
	}
	fmt.Fprintln(a.out, secret)
	a.notice("key %s: %s; it is not shown again", key.ID, reach(key))
	return nil
}

// reach says for people what a key may do and where.
func reach(k api.Key) string {
	switch {
	case k.Collection == nil:
		return string(k.Scope) + ", every collection"
	case *k.Collection == "":
		return string(k.Scope) + ", what is in no collection"
	}
	return string(k.Scope) + ", collection " + *k.Collection
}

func keysListCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the keys, those that were revoked too",
		Example: "  ibid keys list",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, err := a.record(cmd.Context())
			if err != nil {
				return err
			}
			keys, err := store.Keys(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(append([]api.Key{}, keys...))
			}
			if len(keys) == 0 {
				a.notice("no keys: ibid keys create makes one")
			}
			for _, k := range keys {
				state := ""
				if k.RevokedAt != nil {
					state = "  revoked " + k.RevokedAt.Local().Format("2006-01-02 15:04")
				}
				a.line("    ", "%s  %s  %s  %s%s", k.ID, k.CreatedAt.Local().Format("2006-01-02 15:04"), cell(harmless(k.Name), 40), reach(k), state)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func keysRevokeCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "revoke KEY",
		Short:   "End a key at once",
		Example: "  ibid keys revoke 4f2a90c1d2e3f405",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := a.record(cmd.Context())
			if err != nil {
				return err
			}
			if err := store.RevokeKey(cmd.Context(), args[0], a.now()); err != nil {
				return hint(err, "ibid keys list shows them")
			}
			a.notice("revoked")
			return nil
		},
	}
}
