package ibid

import (
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Source is a work that can be cited: a file, a page, a paper. What it said at one time is a Document.
//
//	Source 1──n Document 1──n Chunk
type Source struct {
	ID         SourceID  `json:"id"`
	Collection string    `json:"collection,omitempty"` // sources of one collection are not seen from another
	URI        string    `json:"uri"`                  // where it was found: file:///… or https://…
	Reference  Reference `json:"reference"`
	AddedAt    time.Time `json:"added_at"`
}

// Title is what people know the source by: the reference's title, else the last part of the URI.
func (s Source) Title() string {
	if t := s.Reference.Title(); t != "" {
		return t
	}
	return s.Name()
}

// Name is the last part of the URI: a file's or a page's own name. It holds no path.
func (s Source) Name() string { return nameOf(s.URI) }

// Document is one snapshot of a source. Its ID is the hash of its text, and it never changes.
type Document struct {
	ID        DocumentID `json:"id"`
	Source    SourceID   `json:"source"`
	Version   int        `json:"version"` // 1 for the first snapshot of the source
	MediaType string     `json:"media_type"`
	Text      string     `json:"text"`
	Outline   Outline    `json:"outline,omitempty"`
	FetchedAt time.Time  `json:"fetched_at"`
}

// Outline says where pages and headings begin, in the order in which they stand in the text.
type Outline []Mark

// Mark is the beginning of a page or of a heading.
type Mark struct {
	At      int    `json:"at"`                // byte offset into the document's text
	Page    int    `json:"page,omitempty"`    // 1 and up; 0 where the mark is a heading
	Heading string `json:"heading,omitempty"` // its text; empty where the mark is a page
	Level   int    `json:"level,omitempty"`   // of the heading, 1 the highest
}

// Page is the number of the page that holds the offset, 0 where the document has no pages.
func (o Outline) Page(at int) int {
	for i := o.before(at) - 1; i >= 0; i-- {
		if o[i].Page > 0 {
			return o[i].Page
		}
	}
	return 0
}

// Headings is the path of headings above the offset, the highest first.
func (o Outline) Headings(at int) []string {
	var path []string
	level := 1 << 30
	for i := o.before(at) - 1; i >= 0 && level > 1; i-- {
		if m := o[i]; m.Heading != "" && m.Level < level {
			path = append(path, m.Heading)
			level = m.Level
		}
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// Locator says where in the document the offset stands, as a citation does: "p. 3", else "§ September", else nothing.
func (o Outline) Locator(at int) string {
	heading := ""
	if h := o.Headings(at); len(h) > 0 {
		heading = h[len(h)-1]
	}
	return locator(o.Page(at), heading)
}

func locator(page int, heading string) string {
	switch {
	case page > 0:
		return "p. " + strconv.Itoa(page)
	case heading != "":
		return "§ " + heading
	}
	return ""
}

// before counts the marks at or before the offset.
func (o Outline) before(at int) int {
	return sort.Search(len(o), func(i int) bool { return o[i].At > at })
}

// Chunk is what retrieval returns: a piece of a document that stands for itself. Its text is the document's text at the
// anchor, to the byte.
type Chunk struct {
	At      Anchor   `json:"at"`
	Ordinal int      `json:"ordinal"` // 0 for the first chunk of the document
	Heading []string `json:"heading,omitempty"`
	Page    int      `json:"page,omitempty"`   // of its first character
	Breaks  Outline  `json:"breaks,omitempty"` // pages and headings that begin inside it
	Text    string   `json:"text"`
	Before  Units    `json:"before"` // what stands before it in the document
}

// GivenPrefix begins the ids of sources that came with a question and are in no library.
const GivenPrefix = "given:"

// Given reports whether the passage came with the question. It is then the whole of a text whose hash names it, so that the
// answer that holds it needs no library to prove what it rests on.
func (p Passage) Given() bool {
	at := p.Chunk.At
	return strings.HasPrefix(string(p.Source.ID), GivenPrefix) && at.Span == Span{End: len(p.Chunk.Text)} && at.Document == HashText(p.Chunk.Text)
}

// Locator says where in its document an offset within the chunk stands: "p. 3", else "§ September", else nothing. Like
// the anchor, the offset is the document's.
func (c Chunk) Locator(at int) string {
	page, heading := c.Page, ""
	if n := len(c.Heading); n > 0 {
		heading = c.Heading[n-1]
	}
	for _, m := range c.Breaks[:c.Breaks.before(at)] {
		if m.Page > 0 {
			page = m.Page
		} else {
			heading = m.Heading
		}
	}
	return locator(page, heading)
}

// Units counts runes and UTF-16 units, beside the bytes that a Span counts. With the units before a chunk, every
// position in it converts without the whole document.
type Units struct {
	Runes int `json:"runes"`
	UTF16 int `json:"utf16"`
}

// Passage is a chunk as one answer saw it.
type Passage struct {
	Chunk  Chunk   `json:"chunk"`
	Source Source  `json:"source"`
	Rank   int     `json:"rank"`  // the n of [CTX n], from 1
	Score  float64 `json:"score"` // of retrieval, within [0,1]; it orders, and is no probability
}

// Locator says where in its document an offset within the passage stands, as Chunk.Locator does. A heading that only
// repeats the title of the source says nothing and is left out.
func (p Passage) Locator(at int) string {
	if l := p.Chunk.Locator(at); l != "§ "+p.Source.Title() {
		return l
	}
	return ""
}

func nameOf(uri string) string {
	end := len(uri)
	for i, r := range uri {
		if r == '?' || r == '#' {
			end = i
			break
		}
	}
	for end > 0 && uri[end-1] == '/' {
		end--
	}
	start := end
	for start > 0 && uri[start-1] != '/' {
		start--
	}
	if name, err := url.PathUnescape(uri[start:end]); err == nil {
		return name
	}
	return uri[start:end]
}
