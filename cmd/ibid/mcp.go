package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/mcp"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/workflow"
)

func mcpCmd(a *app) *cobra.Command {
	var write, verbose bool
	var files string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Give assistants the library and checks (Model Context Protocol)",
		Long: `Speak the Model Context Protocol on standard input and output, so that an
assistant can check its own answers against sources, search and cite the
library, and open its documents. A client of the protocol starts this command
itself: docs/mcp.md has the settings of some. It ends when the client leaves.

Tools: attribute, gate, search, ask, think, argue, find, conflicts, cite,
export, check, studies, runs, prove, verify. With --write also record, which
puts an answer on record, ingest, which takes texts and pages into the library,
research, which works on a study, and run_claim and run_finish, which keep the
ledger of a run. With --files it takes files of that folder, too. Nothing is
ever overwritten or removed.

All of it happens within the collection that --collection names. ibid serve
gives the same tools at /mcp, with keys.`,
		Example: `  ibid mcp
  ibid mcp --collection thesis --write --files ~/thesis`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if files != "" && !write {
				return hint(usagef("--files lets the assistant take files into the library, and it may not write"), "add --write")
			}
			return a.serveTools(cmd.Context(), write, files, verbose)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&write, "write", false, "let the assistant put answers and runs on record, and take texts and pages into the library")
	f.StringVar(&files, "files", "", "with --write: let it take files of this `folder` into the library")
	f.BoolVarP(&verbose, "verbose", "v", false, "log what the protocol does, on standard error")
	return cmd
}

// serveTools serves the client that started the program.
func (a *app) serveTools(ctx context.Context, write bool, files string, verbose bool) error {
	if a.terminal {
		a.notice("a client of the Model Context Protocol starts this command; docs/mcp.md says how (Ctrl-C stops)")
	}
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelInfo
	}
	c, err := a.toolsConfig(ctx, slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level})))
	if err != nil {
		return err
	}
	c.Finished = a.auditLog()
	if files != "" {
		root, err := os.OpenRoot(files)
		if err != nil {
			return hint(usagef("--files: %w", err), "name a folder")
		}
		defer root.Close()
		c.File = fileIn(root)
	}
	service, err := mcp.New(c)
	if err != nil {
		return err
	}
	caller := api.Caller{Scope: api.Read, Collection: a.conf.Collection, All: true}
	if write {
		caller.Scope = api.Write
	}
	return service.Run(ctx, caller, io.NopCloser(a.in), unclosed{a.out})
}

// toolsConfig wires what the tools stand on.
func (a *app) toolsConfig(ctx context.Context, log *slog.Logger) (mcp.Config, error) {
	thinker, err := a.thinker(ctx)
	if err != nil {
		return mcp.Config{}, err
	}
	researcher, err := a.researcher(ctx)
	if err != nil {
		return mcp.Config{}, err
	}
	judge, err := a.conflictJudge()
	if err != nil {
		return mcp.Config{}, err
	}
	return mcp.Config{Asker: thinker.Asker, Thinker: thinker, Researcher: researcher, Conflicts: conflict.New(attribute.Reader{}, conflict.Config{Judge: judge}), Store: a.opened.store, AuditLog: a.opened.log, Styles: a.styles(), Version: versionString(), Log: log, Updated: a.updateIndex,
		Fetch: func(ctx context.Context, url string) (workflow.Content, error) { return a.page(url).Open(ctx) }}, nil
}

// tools gives the tools to who comes over HTTP. They take their turn to work with the rest of the server, and runs that end
// through them are passed on as its own are.
func (a *app) tools(ctx context.Context, server web.Config, turn func(context.Context) (func(), error)) (*mcp.Service, error) {
	c, err := a.toolsConfig(ctx, server.Log)
	if err != nil {
		return nil, err
	}
	c.Turn, c.Finished, c.Studies = turn, server.Finished, server.Studies
	return mcp.New(c)
}

// unclosed is an output that is not ours to close.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// fileIn finds files within a folder, and none that a link or a path leads out of it to. They are named as ibid ingest names
// them, so that both know one source.
func fileIn(root *os.Root) func(string) (workflow.Input, error) {
	return func(name string) (workflow.Input, error) {
		if abs, err := filepath.Abs(root.Name()); err == nil && filepath.IsAbs(name) {
			if within, err := filepath.Rel(abs, name); err == nil {
				name = within
			}
		}
		info, err := root.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return workflow.Input{}, fmt.Errorf("there is no file %q in the folder that is open to you: %w", shown(name), ibid.ErrInvalid)
		case err != nil:
			return workflow.Input{}, fmt.Errorf("%q cannot be opened: only files of the folder that is open to you can: %w", shown(name), ibid.ErrInvalid)
		case !info.Mode().IsRegular():
			return workflow.Input{}, fmt.Errorf("%q is not a file: %w", shown(name), ibid.ErrInvalid)
		}
		abs, err := filepath.Abs(filepath.Join(root.Name(), name))
		if err != nil {
			return workflow.Input{}, err
		}
		uri := url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}
		return workflow.Input{URI: uri.String(), Name: filepath.Base(name), Size: info.Size(), Open: func(context.Context) (workflow.Content, error) {
			f, err := root.Open(name)
			return workflow.Content{Body: f}, err
		}}, nil
	}
}
