package csl

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Locale holds the terms, date forms and options of one language, or of the overlay of several.
type Locale struct {
	Lang string // "en-US"; "" in a style's locale for all languages

	terms    map[termKey]term
	genders  map[string]string // of nouns: "month-01", "edition"
	ordinals map[ordinalKey]ordinal
	dates    map[string]*dateEl // by form: "text", "numeric"

	punctuationInQuote *bool
	limitOrdinals      *bool
}

type termKey struct{ name, form string }

type term struct{ single, multiple string }

type ordinalKey struct {
	number int // 0..99; -1 is the fallback "ordinal"
	gender string
}

type ordinal struct {
	text  string
	match string // "last-digit", "last-two-digits", "whole-number"
}

// ParseLocale reads a CSL locale file. The error names line and element and wraps ibid.ErrInvalid.
func ParseLocale(r io.Reader) (*Locale, error) {
	root, err := readXML(r)
	if err != nil {
		return nil, fmt.Errorf("locale: %w", err)
	}
	if root.name != "locale" {
		return nil, fmt.Errorf("locale: %w", root.errorf("the root element must be <locale>"))
	}
	l, err := parseLocaleNode(root)
	if err != nil {
		return nil, fmt.Errorf("locale: %w", err)
	}
	return l, nil
}

func newLocale(lang string) *Locale {
	return &Locale{Lang: lang, terms: map[termKey]term{}, genders: map[string]string{}, ordinals: map[ordinalKey]ordinal{}, dates: map[string]*dateEl{}}
}

func parseLocaleNode(n *xmlNode) (*Locale, error) {
	l := newLocale(n.get("lang"))
	for _, k := range n.kids {
		switch k.name {
		case "style-options":
			l.punctuationInQuote = boolAttr(k, "punctuation-in-quote")
			l.limitOrdinals = boolAttr(k, "limit-day-ordinals-to-day-1")
		case "date":
			d := &dateEl{look: parseLook(k), form: k.get("form")}
			for _, part := range k.kids {
				if part.name == "date-part" {
					d.parts = append(d.parts, parseDatePart(part))
				}
			}
			l.dates[d.form] = d
		case "terms":
			for _, t := range k.kids {
				if t.name == "term" {
					l.addTerm(t)
				}
			}
		}
	}
	return l, nil
}

func boolAttr(n *xmlNode, name string) *bool {
	if !n.has(name) {
		return nil
	}
	v := n.get(name) == "true"
	return &v
}

func (l *Locale) addTerm(n *xmlNode) {
	name := n.get("name")
	t := term{n.text, n.text}
	if s := n.child("single"); s != nil {
		t.single = s.text
		t.multiple = s.text
		if m := n.child("multiple"); m != nil {
			t.multiple = m.text
		}
	}
	for _, s := range []*string{&t.single, &t.multiple} {
		if strings.Contains(*s, "\n") && strings.TrimSpace(*s) == "" {
			*s = "" // an empty term, written over two lines
		}
	}
	var number int
	if name == "ordinal" {
		l.ordinals[ordinalKey{-1, n.get("gender-form")}] = ordinal{t.single, "last-digit"}
		return
	}
	if rest, ok := strings.CutPrefix(name, "ordinal-"); ok {
		if _, err := fmt.Sscanf(rest, "%d", &number); err == nil {
			match := n.get("match")
			if match == "" {
				match = "last-two-digits"
				if number < 10 {
					match = "last-digit"
				}
			}
			l.ordinals[ordinalKey{number, n.get("gender-form")}] = ordinal{t.single, match}
			return
		}
	}
	if g := n.get("gender"); g != "" {
		l.genders[name] = g
	}
	if g := n.get("gender-form"); g != "" {
		name += "\x00" + g
	}
	form := n.get("form")
	if form == "" {
		form = "long"
	}
	l.terms[termKey{termName(name), form}] = t
}

// termName gives one spelling to names of terms, which have been written with spaces and with hyphens.
func termName(s string) string {
	if s == "sub verbo" {
		return "sub-verbo"
	}
	return s
}

// overlay puts what other defines on top of l.
func (l *Locale) overlay(other *Locale) {
	if other == nil {
		return
	}
	for k, v := range other.terms {
		l.terms[k] = v
		if v.single == "" && k.form == "long" {
			// An emptied long form empties the rest: they would be found in its place.
			for _, form := range []string{"short", "symbol"} {
				if _, ok := other.terms[termKey{k.name, form}]; !ok {
					delete(l.terms, termKey{k.name, form})
				}
			}
		}
	}
	maps.Copy(l.genders, other.genders)
	if len(other.ordinals) > 0 {
		// Ordinals are one set: those of another language never mix in.
		l.ordinals = maps.Clone(other.ordinals)
	}
	maps.Copy(l.dates, other.dates)
	if other.punctuationInQuote != nil {
		l.punctuationInQuote = other.punctuationInQuote
	}
	if other.limitOrdinals != nil {
		l.limitOrdinals = other.limitOrdinals
	}
}

// term finds a term, falling back from special forms to plainer ones.
func (l *Locale) term(name, form string, plural bool) (string, bool) {
	t, ok := l.plainer(termKey{termName(name), form})
	if plural {
		return t.multiple, ok
	}
	return t.single, ok
}

func (l *Locale) plainer(k termKey) (term, bool) {
	for {
		if t, ok := l.terms[k]; ok {
			return t, true
		}
		switch k.form {
		case "verb-short":
			k.form = "verb"
		case "symbol":
			k.form = "short"
		case "verb", "short":
			k.form = "long"
		default:
			return term{}, false
		}
	}
}

func (l *Locale) or(name, fallback string) string {
	if t, ok := l.term(name, "long", false); ok {
		return t
	}
	return fallback
}

func (l *Locale) inQuote() bool { return l.punctuationInQuote != nil && *l.punctuationInQuote }

// ordinal gives the suffix of a number: 2 gives "nd".
func (l *Locale) ordinal(n int, gender string) string {
	if n < 0 {
		n = -n
	}
	for _, g := range []string{gender, ""} {
		for _, try := range []struct {
			number int
			match  string
		}{{n, "whole-number"}, {n % 100, "last-two-digits"}, {n % 10, "last-digit"}} {
			if o, ok := l.ordinals[ordinalKey{try.number, g}]; ok && (o.match == try.match || n == try.number) {
				return o.text
			}
		}
		if g == "" {
			break
		}
		if o, ok := l.ordinals[ordinalKey{-1, g}]; ok {
			if _, plain := l.ordinals[ordinalKey{n % 10, ""}]; !plain {
				return o.text
			}
		}
	}
	return l.ordinals[ordinalKey{-1, ""}].text
}

// longOrdinal gives a number from 1 to 10 as a word: "second".
func (l *Locale) longOrdinal(n int, gender string) (string, bool) {
	if n < 1 || n > 10 {
		return "", false
	}
	name := fmt.Sprintf("long-ordinal-%02d", n)
	if gender != "" {
		if t, ok := l.terms[termKey{name + "\x00" + gender, "long"}]; ok {
			return t.single, true
		}
	}
	t, ok := l.term(name, "long", false)
	return t, ok
}

// primaryDialects name the locale that stands for a language without a region.
var primaryDialects = map[string]string{
	"af": "af-ZA", "ar": "ar", "bg": "bg-BG", "ca": "ca-AD", "cs": "cs-CZ", "cy": "cy-GB", "da": "da-DK", "de": "de-DE", "el": "el-GR", "en": "en-US",
	"es": "es-ES", "et": "et-EE", "eu": "eu", "fa": "fa-IR", "fi": "fi-FI", "fr": "fr-FR", "gl": "gl-ES", "he": "he-IL", "hi": "hi-IN", "hr": "hr-HR", "hu": "hu-HU",
	"hy": "hy-AM", "id": "id-ID", "is": "is-IS", "it": "it-IT", "ja": "ja-JP", "km": "km-KH", "ko": "ko-KR", "la": "la", "lt": "lt-LT", "lv": "lv-LV", "mn": "mn-MN", "ms": "ms-MY",
	"nb": "nb-NO", "nl": "nl-NL", "nn": "nn-NO", "pl": "pl-PL", "pt": "pt-PT", "ro": "ro-RO", "ru": "ru-RU", "sk": "sk-SK", "sl": "sl-SI",
	"sr": "sr-Cyrl-RS", "sv": "sv-SE", "th": "th-TH", "tr": "tr-TR", "uk": "uk-UA", "vi": "vi-VN", "zh": "zh-CN",
}

// languageTag writes a tag as locales are named: "DE_at" is "de-AT", "sr-cyrl-rs" is "sr-Cyrl-RS".
func languageTag(s string) string {
	s, _, _ = strings.Cut(s, ".") // "de_DE.UTF-8", as systems name their languages
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(strings.TrimSpace(s), "_", "-")), "-")
	for i, p := range parts[1:] {
		switch len(p) {
		case 2:
			parts[i+1] = strings.ToUpper(p)
		case 4:
			parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "-")
}

// speaks reports whether there are words in a language: in a locale, or in the style's own.
func (s *Style) speaks(lang string, find func(string) *Locale) bool {
	base, _, _ := strings.Cut(lang, "-")
	own := func(l *Locale) bool { return l.Lang == lang || l.Lang == base }
	return find(lang) != nil || find(primaryDialects[base]) != nil || slices.ContainsFunc(s.locales, own)
}

// chain builds the locale that holds for lang: the style's own terms over those of the dialect, the language, and
// en-US. find gives a locale by its tag, or nil.
func chain(style *Style, lang string, find func(string) *Locale) *Locale {
	out := newLocale(lang)
	base, _, _ := strings.Cut(lang, "-")
	out.overlay(find("en-US"))
	if primary := primaryDialects[base]; primary != "" && primary != "en-US" {
		out.overlay(find(primary))
	}
	if lang != primaryDialects[base] && lang != "en-US" {
		out.overlay(find(lang))
	}
	for _, want := range []string{"", base, lang} {
		for _, l := range style.locales {
			if l.Lang == want && (want != "" || l.Lang == "") {
				out.overlay(l)
			}
		}
		if base == lang && want == base {
			break
		}
	}
	return out
}
