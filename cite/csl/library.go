package csl

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/ibid-dev/ibid"
)

//go:embed styles/*.csl
var builtIn embed.FS

// otherNames are further names of the built-in styles, used where no folder has a style of that name.
var otherNames = map[string]string{
	"american-psychological-association": "apa", "apa-7th-edition": "apa",
	"modern-language-association": "mla", "modern-language-association-9th-edition": "mla",
	"chicago": "chicago-author-date", "chicago-author-date-18th-edition": "chicago-author-date",
	"chicago-notes-bibliography": "chicago-notes", "chicago-note-bibliography": "chicago-notes", "chicago-fullnote-bibliography": "chicago-notes",
	"harvard-cite-them-right": "harvard", "harvard1": "harvard",
	"nlm": "vancouver", "nlm-citation-sequence": "vancouver", "national-library-of-medicine": "vancouver",
}

// Library finds styles and locales by name: the built-in ones, then those of folders. It may be shared by goroutines.
type Library struct {
	folders []fs.FS

	mu      sync.Mutex
	styles  map[string]*Style
	locales map[string]*Locale
	renamed map[string]string
}

// NewLibrary makes a library over folders that hold NAME.csl, dependent/NAME.csl, renamed-styles.json and
// locales-LANG.xml, such as Debian's /usr/share/citation-style-language/styles and …/locales.
func NewLibrary(folders ...fs.FS) *Library {
	return &Library{folders: folders, styles: map[string]*Style{}, locales: map[string]*Locale{}}
}

// StyleInfo is a line of the list of styles.
type StyleInfo struct {
	Name    string // under which it is loaded
	BuiltIn bool
	Info
}

// Style loads a style by name or id ("apa", "http://www.zotero.org/styles/apa"). Renamed styles and the parents of
// dependent ones are followed. The error wraps ibid.ErrNotFound or ibid.ErrInvalid.
func (l *Library) Style(name string) (*Style, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	asked := name
	var child *Style
	for range 8 {
		s, err := l.load(styleName(name))
		if err != nil {
			return nil, fmt.Errorf("style %q: %w", asked, err)
		}
		if !s.Dependent() {
			return s.standingFor(child), nil
		}
		if child == nil {
			child = s
		}
		name = s.Info.Parent
	}
	return nil, fmt.Errorf("style %q: its parents form a loop: %w", asked, ibid.ErrInvalid)
}

// Parent loads the style that a dependent one points to, under the child's name and in its language. The error is that of
// Style.
func (l *Library) Parent(child *Style) (*Style, error) {
	s, err := l.Style(child.Info.Parent)
	if err != nil {
		return nil, err
	}
	return s.standingFor(child), nil
}

// standingFor gives the parent of a dependent style under the child's name and in its language.
func (s *Style) standingFor(child *Style) *Style {
	if child == nil {
		return s
	}
	c := *s
	c.Info = child.Info
	c.DefaultLocale = orElse(child.DefaultLocale, s.DefaultLocale)
	return &c
}

// styleName is the last part of a style's id, without its ending.
func styleName(s string) string {
	return strings.ToLower(strings.TrimSuffix(path.Base(strings.TrimSpace(s)), ".csl"))
}

func (l *Library) load(name string) (*Style, error) {
	if s := l.styles[name]; s != nil {
		return s, nil
	}
	data, err := l.read(name)
	if err != nil {
		return nil, err
	}
	s, err := ParseStyle(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	l.styles[name] = s
	return s, nil
}

func (l *Library) read(name string) ([]byte, error) {
	if !fs.ValidPath(name) || strings.Contains(name, "/") {
		return nil, fmt.Errorf("not a name: %w", ibid.ErrInvalid)
	}
	if data, err := builtIn.ReadFile("styles/" + name + ".csl"); err == nil {
		return data, nil
	}
	for _, candidate := range []string{name, l.renames()[name]} {
		if candidate == "" {
			continue
		}
		for _, folder := range l.folders {
			for _, file := range []string{candidate + ".csl", "dependent/" + candidate + ".csl"} {
				data, err := fs.ReadFile(folder, file)
				if err == nil {
					return data, nil
				}
				if !errors.Is(err, fs.ErrNotExist) {
					return nil, err
				}
			}
		}
	}
	if other := otherNames[name]; other != "" {
		return builtIn.ReadFile("styles/" + other + ".csl")
	}
	return nil, fmt.Errorf("built in are %s; others come from a file or a folder of styles: %w", strings.Join(BuiltIn(), ", "), ibid.ErrNotFound)
}

// renames are the new names of styles that have been renamed.
func (l *Library) renames() map[string]string {
	if l.renamed != nil {
		return l.renamed
	}
	l.renamed = map[string]string{}
	for _, folder := range l.folders {
		if data, err := fs.ReadFile(folder, "renamed-styles.json"); err == nil {
			_ = json.Unmarshal(data, &l.renamed) // a broken list renames nothing
		}
	}
	return l.renamed
}

// Locale gives a locale by its tag, nil where there is none. It fits Options.Locales.
func (l *Library) Locale(lang string) *Locale {
	l.mu.Lock()
	defer l.mu.Unlock()
	if loc, ok := l.locales[lang]; ok {
		return loc
	}
	l.locales[lang] = nil
	if lang == "en-US" || !fs.ValidPath(lang) || strings.Contains(lang, "/") {
		return nil // the built-in one serves
	}
	for _, folder := range l.folders {
		for _, file := range []string{"locales-" + lang + ".xml", "locales/locales-" + lang + ".xml"} {
			data, err := fs.ReadFile(folder, file)
			if err != nil {
				continue
			}
			if loc, err := ParseLocale(bytes.NewReader(data)); err == nil {
				l.locales[lang] = loc
				return loc
			}
		}
	}
	return nil
}

// BuiltIn lists the names of the built-in styles.
func BuiltIn() []string {
	entries, _ := fs.ReadDir(builtIn, "styles")
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".csl"))
	}
	return names
}

// List gives the styles whose name, title or field holds all the words, built-in ones first. Without words it gives
// all. Files that are not styles are left out.
func (l *Library) List(words ...string) []StyleInfo {
	var out []StyleInfo
	seen := map[string]bool{}
	add := func(folder fs.FS, dir string, builtIn bool) {
		entries, _ := fs.ReadDir(folder, dir)
		for _, e := range entries {
			name, ok := strings.CutSuffix(e.Name(), ".csl")
			if !ok || seen[name] {
				continue
			}
			info, err := readInfo(folder, path.Join(dir, e.Name()))
			if err != nil {
				continue
			}
			seen[name] = true
			if s := (StyleInfo{name, builtIn, info}); s.matches(words) {
				out = append(out, s)
			}
		}
	}
	add(builtIn, "styles", true)
	first := len(out)
	for _, folder := range l.folders {
		add(folder, ".", false)
		add(folder, "dependent", false)
	}
	slices.SortFunc(out[first:], func(a, b StyleInfo) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// readInfo reads what a style says of itself, and not the rest.
func readInfo(folder fs.FS, name string) (Info, error) {
	f, err := folder.Open(name)
	if err != nil {
		return Info{}, err
	}
	defer f.Close()
	return parseInfoOnly(f)
}

func (s StyleInfo) matches(words []string) bool {
	text := strings.ToLower(s.Name + " " + s.Title + " " + s.ShortTitle + " " + s.Format + " " + strings.Join(s.Fields, " "))
	for _, w := range words {
		if !strings.Contains(text, strings.ToLower(w)) {
			return false
		}
	}
	return true
}
