package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/workflow"
)

func exportCmd(a *app) *cobra.Command {
	var to, style, locale, out string
	var library bool
	formats := workflow.ExportFormats()
	cmd := &cobra.Command{
		Use:   "export (ANSWER | --library) --to FORMAT",
		Short: "Write an answer with its notes, or sources for a reference manager",
		Long: `Write a recorded answer for others: as a page or paper with notes and a
bibliography in any citation style, or the sources it cites for a reference
manager. Only what is cited is listed. What a format has no place for is named
on standard error.

With --library all sources of the library, or of the --collection that is
named, are written for a reference manager:
` + strings.Join(export.RecordFormats(), ", ") + `.
ibid cite --library writes them in a citation style.

Formats: ` + strings.Join(formats[:5], ", ") + `,
` + strings.Join(formats[5:], ", ") + `.`,
		Example: `  ibid export last --to bibtex > cables.bib
  ibid export 4f2a --to html --style chicago-author-date -o answer.html
  ibid export 4f2a --to docx -o answer.docx
  ibid export --library --to ris -o library.ris`,
		Args: func(cmd *cobra.Command, args []string) error {
			if library {
				return cobra.ExactArgs(0)(cmd, args)
			}
			return cobra.ExactArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if library {
				if style != "" || locale != "" {
					return hint(usagef("--style and --locale are for an answer"), "ibid cite --library writes the library in a style")
				}
				return a.exportLibrary(cmd.Context(), to, out)
			}
			if !slices.Contains(formats, to) {
				return usagef("--to %q: choose one of %s", to, strings.Join(formats, ", "))
			}
			ctx := cmd.Context()
			store, err := a.store(ctx)
			if err != nil {
				return err
			}
			answer, err := a.answer(ctx, store, args[0])
			if err != nil {
				return err
			}
			set, err := a.exportStyle(style, locale)
			if err != nil {
				return err
			}
			file, err := workflow.Export(ctx, answer, store.Source, to, set)
			if err != nil {
				return err
			}
			if out == "" && a.terminal && file.Extension == ".docx" {
				return usagef("a %s file is not for the terminal: name a file with -o", strings.TrimPrefix(file.Extension, "."))
			}
			for _, l := range file.Losses {
				fmt.Fprintf(a.err, "not carried over: %s\n", harmless(l.String()))
			}
			if len(answer.Citations) == 0 {
				a.notice("the answer cites nothing: there is no source to list")
			}
			return a.writeOut(out, file.Body)
		},
	}
	f := cmd.Flags()
	f.StringVar(&to, "to", "", "format: "+strings.Join(formats, ", "))
	f.StringVar(&style, "style", "", "citation style by name or file (default ieee; ibid styles lists them)")
	f.StringVar(&locale, "locale", "", "language of the style's words, as de-DE (built in: "+strings.Join(csl.Languages(), ", ")+")")
	f.StringVarP(&out, "output", "o", "", "write to this file")
	f.BoolVar(&library, "library", false, "all sources of the library, for a reference manager")
	cmd.MarkFlagRequired("to")
	return cmd
}

// exportLibrary writes all sources for a reference manager.
func (a *app) exportLibrary(ctx context.Context, to, out string) error {
	if formats := export.RecordFormats(); !slices.Contains(formats, to) {
		return hint(usagef("--to %q: with --library choose one of %s", to, strings.Join(formats, ", ")), "ibid cite --library writes them in a citation style, as text, HTML, Markdown or LaTeX")
	}
	sources, err := a.librarySources(ctx)
	if err != nil {
		return err
	}
	file, err := export.Records(sources, to)
	if err != nil {
		return err
	}
	for _, l := range file.Losses {
		fmt.Fprintf(a.err, "not carried over: %s\n", harmless(l.String()))
	}
	return a.writeOut(out, file.Body)
}

// exportStyle is the style and language that were asked for. A language that there is none of is said, as ibid cite does.
func (a *app) exportStyle(name, locale string) (export.Style, error) {
	lib := a.styles()
	set := export.Style{Locale: locale, Locales: lib.Locale}
	var err error
	if name != "" {
		set.Style, err = a.style(lib, name)
	}
	if err != nil || locale == "" {
		return set, err
	}
	style := set.Style
	if style == nil {
		if style, err = lib.Style(export.DefaultStyle); err != nil {
			return set, err
		}
	}
	doc, err := csl.NewDocument(style, csl.Options{Locale: locale, Locales: lib.Locale})
	if err != nil {
		return set, err
	}
	for _, w := range doc.Warnings() { // that the language is not there
		a.notice("%s", harmless(w))
	}
	return set, nil
}

// printBibliography lists the cited sources of an answer in a style.
func (a *app) printBibliography(ctx context.Context, answer ibid.Answer, set export.Style) error {
	sources, err := workflow.Cited(ctx, answer, a.opened.store.Source)
	if err != nil {
		return err
	}
	entries, err := export.Bibliography(answer, sources, set, csl.Text)
	if err != nil {
		return err
	}
	for _, e := range entries {
		line := e.Text
		if !e.Numbered() {
			line = superscript(e.Number) + " " + line
		}
		fmt.Fprintln(a.out, a.paint().wrapped("  ", plain, harmless(line)))
	}
	return nil
}
