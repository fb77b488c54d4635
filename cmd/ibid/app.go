package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid/fetch"
	"github.com/ibid-dev/ibid/sqlite"
)

// app is what every subcommand stands on: the streams, the environment, the configuration, and, opened on first use,
// the store and its index.
type app struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string
	now      func() time.Time
	terminal bool       // out is a terminal: colours and widths make sense
	watched  bool       // err is a terminal: progress makes sense
	width    func() int // of the terminal, 0 where it is not known

	flags struct {
		data, config, collection, color, judge string
		quiet                                  bool
	}
	conf  config
	pages struct { // made when the first is fetched
		once    sync.Once
		fetcher *fetch.Fetcher
	}
	opened  opened
	closers []func() error
}

func rootCmd(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "ibid",
		Short: "Ask your documents, and open the evidence of every sentence",
		Long: `Ibid keeps the record of where answers come from: which sentence rests on which
sentence of which version of which document, and how sure that is.

It needs no key and no network. Without a language model it answers with
sentences taken from your documents.`,
		Example: `  ibid ingest ~/papers notes.md https://example.org/page.html
  ibid ask "When was the first transatlantic cable laid?"
  ibid show 4f2a 2`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if f := cmd.Flag("data"); f.Changed && strings.TrimSpace(a.flags.data) == "" {
				return hint(usagef("--data names no folder"), "is a variable empty? Without --data the library is the one in your data folder")
			}
			return a.configure()
		},
	}
	f := root.PersistentFlags()
	f.StringVar(&a.flags.data, "data", "", "folder that holds the library (default: in the user's data folder)")
	f.StringVar(&a.flags.config, "config", "", "configuration file (default: ibid/config.toml in the user's configuration folder)")
	f.StringVar(&a.flags.collection, "collection", "", "work within this collection (default: what is in none)")
	f.StringVar(&a.flags.judge, "judge", "", "second opinion on support: auto where words leave doubt, always, off, or model (default auto)")
	f.StringVar(&a.flags.color, "color", "auto", "colours: auto, always or never")
	f.BoolVarP(&a.flags.quiet, "quiet", "q", false, "no progress and no notices")
	root.AddCommand(subcommands(a)...)
	root.SetHelpCommand(helpCmd())
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages |", ".FlagUsagesWrapped 80 |"))
	return root
}

// dataFolder names the folder of the library.
func (a *app) dataFolder() (string, error) {
	if a.conf.Data != "" {
		return a.conf.Data, nil
	}
	home, err := a.userDir("XDG_DATA_HOME", ".local", "share")
	if err != nil {
		return "", hint(err, "name a folder with --data or IBID_DATA")
	}
	return filepath.Join(home, "ibid"), nil
}

// data gives the folder of the library, made if it is not there.
func (a *app) data() (string, error) {
	dir, err := a.dataFolder()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", noFolder(dir, err)
	}
	return dir, nil
}

// noFolder says why the folder of the library cannot be made or used, and what to do.
func noFolder(dir string, err error) error {
	dir = filepath.Clean(dir)
	switch file := fileOnTheWay(dir); {
	case file != "" && filepath.Base(file) == sqlite.FileName:
		return hint(fmt.Errorf("data folder: %s is a file, and no folder", file), "name the folder that holds it: --data %s", typed(filepath.Dir(file)))
	case file != "":
		err = fmt.Errorf("%s is a file, and no folder", file)
	case errors.Is(err, fs.ErrExist):
		err = fmt.Errorf("%s is a link that leads nowhere", dir)
	}
	return hint(fmt.Errorf("data folder: %w", err), "name a folder that you may write to, with --data or IBID_DATA")
}

// fileOnTheWay finds a file that stands where a path has a folder; "" where there is none.
func fileOnTheWay(path string) string {
	for {
		if info, err := os.Stat(path); err == nil {
			if info.IsDir() {
				return ""
			}
			return path
		}
		above := filepath.Dir(path)
		if above == path {
			return ""
		}
		path = above
	}
}

func (a *app) userDir(variable string, below ...string) (string, error) {
	if dir := a.env(variable); dir != "" {
		return dir, nil
	}
	home := a.env("HOME")
	if home == "" {
		return "", fmt.Errorf("neither %s nor HOME is set", variable)
	}
	return filepath.Join(append([]string{home}, below...)...), nil
}

// notice prints a line for people on standard error, unless they asked for quiet.
func (a *app) notice(format string, args ...any) {
	if !a.flags.quiet {
		fmt.Fprintln(a.err, harmless(fmt.Sprintf(format, args...)))
	}
}

func (a *app) onClose(f func() error) { a.closers = append(a.closers, f) }

func (a *app) close() {
	for i := len(a.closers) - 1; i >= 0; i-- {
		if err := a.closers[i](); err != nil {
			fmt.Fprintf(a.err, "ibid: closing: %v\n", err)
		}
	}
	a.closers = nil
}

// inputName is how people are told of a file: "-" is standard input.
func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// openFile opens a named file, or standard input for "-". The caller closes it.
func (a *app) openFile(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.in), nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, hint(fmt.Errorf("%s is a folder", name), "name a file in it")
	}
	return os.Open(name)
}
