package csl

import (
	"bytes"
	_ "embed"
	"sync"
)

var (
	//go:embed english.xml
	englishXML []byte
	//go:embed british.xml
	britishXML []byte
)

// english and british are the built-in locales. They are read once and not changed.
var (
	english = sync.OnceValue(func() *Locale { return builtInLocale("en-US", englishXML) })
	british = sync.OnceValue(func() *Locale { return builtInLocale("en-GB", britishXML) })
)

func builtInLocale(lang string, data []byte) *Locale {
	l, err := ParseLocale(bytes.NewReader(data))
	if err != nil {
		return newLocale(lang)
	}
	return l
}
