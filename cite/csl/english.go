package csl

import (
	"bytes"
	_ "embed"
	"sync"
)

//go:embed english.xml
var englishXML []byte

// english is the built-in locale. It is read once and not changed.
var english = sync.OnceValue(func() *Locale {
	l, err := ParseLocale(bytes.NewReader(englishXML))
	if err != nil {
		return newLocale("en-US")
	}
	return l
})
