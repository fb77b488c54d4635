package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/csl"
)

func stylesCmd(a *app) *cobra.Command {
	var asJSON bool
	var check string
	cmd := &cobra.Command{
		Use:   "styles [WORD…]",
		Short: "List and search citation styles",
		Long: `Styles lists the citation styles that can be named: the built-in ones, and
those of the folders in IBID_STYLES and of the system's package of CSL styles
where it is installed. With words only those are listed whose name, title, kind
or field has all of them.

With --check a style of your own is read as its author would want it read:
everything that is wrong or looks wrong, with line and element. Code 1 means
that it cannot be used.`,
		Example: `  ibid styles
  ibid styles medicine numeric
  ibid styles --check house.csl`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if check != "" {
				return a.checkStyle(cmd, check)
			}
			return a.listStyles(words, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().StringVar(&check, "check", "", "check this style file")
	return cmd
}

func (a *app) listStyles(words []string, asJSON bool) error {
	list := a.styles().List(words...)
	if asJSON {
		type line struct {
			Name    string `json:"name"`
			Title   string `json:"title"`
			Kind    string `json:"kind,omitempty"`
			BuiltIn bool   `json:"built_in,omitempty"`
			Parent  string `json:"parent,omitempty"`
		}
		lines := []line{}
		for _, s := range list {
			lines = append(lines, line{s.Name, s.Title, s.Format, s.BuiltIn, s.Parent})
		}
		return a.printJSON(lines)
	}
	if len(list) == 0 {
		return hint(fmt.Errorf("no style has %s: %w", strings.Join(words, " "), ibid.ErrNotFound), "a style of your own goes by its file: ibid cite --style FILE.csl")
	}
	var rows [][]string
	for _, s := range list {
		note := s.Format
		if s.BuiltIn {
			note = join(", ", note, "built in")
		}
		rows = append(rows, []string{shown(s.Name), shown(s.Title), note})
	}
	a.printRows(rows)
	return nil
}

func (a *app) checkStyle(cmd *cobra.Command, name string) error {
	b, err := a.readWhole(cmd, name)
	if err != nil {
		return err
	}
	name = inputName(name)
	broken := false
	messages := csl.Check(bytes.NewReader(b))
	for _, m := range messages {
		fmt.Fprintf(a.out, "%s: %s\n", name, harmless(m.String()))
		broken = broken || m.Error
	}
	if broken {
		return exitCode(1)
	}
	if len(messages) == 0 {
		a.notice("%s: nothing to say about it", name)
	}
	return nil
}

// systemStyles are where packages of the system put styles and locales.
var systemStyles = []string{
	"/usr/share/citation-style-language/styles", "/usr/share/citation-style-language/locales",
	"/usr/local/share/citation-style-language/styles", "/usr/local/share/citation-style-language/locales",
}

// styles is the library of styles: built in, of the folders in IBID_STYLES, of the system.
func (a *app) styles() *csl.Library {
	var folders []fs.FS
	for _, dir := range append(filepath.SplitList(a.env("IBID_STYLES")), systemStyles...) {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			folders = append(folders, os.DirFS(dir))
		}
	}
	return csl.NewLibrary(folders...)
}

// style loads a style by name, or from a file where the name ends in .csl or is a path.
func (a *app) style(lib *csl.Library, name string) (*csl.Style, error) {
	if !strings.HasSuffix(name, ".csl") && !strings.ContainsRune(name, filepath.Separator) || hasScheme(name) {
		s, err := lib.Style(name)
		if errors.Is(err, ibid.ErrNotFound) {
			return nil, hint(err, "ibid styles %s searches them", name)
		}
		return s, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := csl.ParseStyle(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.Dependent() {
		return lib.Parent(s)
	}
	return s, nil
}
