package csl

// Message is something to know about a style, with the line and element it is about.
type Message struct {
	Line    int
	Element string
	Text    string
	Error   bool // the style cannot be used as it is
}
