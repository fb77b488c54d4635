package csl

import (
	"bytes"
	"embed"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed locales/*.xml
var localeFiles embed.FS

// builtInLocales read the built-in locales by tag, each once and when it is asked for.
var builtInLocales = func() map[string]func() *Locale {
	files, _ := fs.ReadDir(localeFiles, "locales")
	out := make(map[string]func() *Locale, len(files))
	for _, f := range files {
		lang := strings.TrimSuffix(f.Name(), ".xml")
		out[lang] = sync.OnceValue(func() *Locale { return readBuiltIn(lang) })
	}
	return out
}()

// Languages lists the tags of the built-in locales. Other regions of their languages are served by them.
func Languages() []string { return slices.Sorted(maps.Keys(builtInLocales)) }

func builtInLocale(lang string) *Locale {
	if read, ok := builtInLocales[lang]; ok {
		return read()
	}
	return nil
}

// readBuiltIn reads a locale. A form that English has of a term and the language has not is the language's plainer one, in
// whose place the English one would be found. A dialect's file holds what it has otherwise than its language.
func readBuiltIn(lang string) *Locale {
	l := parseBuiltIn(lang)
	base, _, _ := strings.Cut(lang, "-")
	if base == "en" {
		return l
	}
	whole := parseBuiltIn(primaryDialects[base])
	for k := range parseBuiltIn("en-US").terms {
		if _, has := whole.terms[k]; has {
			continue
		}
		if t, ok := l.plainer(k); ok {
			l.terms[k] = t
		}
	}
	return l
}

func parseBuiltIn(lang string) *Locale {
	data, err := localeFiles.ReadFile("locales/" + lang + ".xml")
	if err != nil {
		return newLocale(lang)
	}
	l, err := ParseLocale(bytes.NewReader(data))
	if err != nil {
		return newLocale(lang)
	}
	return l
}
