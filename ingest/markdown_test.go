package ingest_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/ingest"
)

// scenario is one file and what must come of it.
type scenario struct {
	name    string
	file    string // its name, a hint only
	in      string
	media   string
	text    string   // exact, where given
	has     []string // stands in the text
	hasNot  []string
	outline string // headings as "level:text", joined by ", "
	ref     string // CSL-JSON of the reference, where given
}

func (s scenario) run(t *testing.T) {
	t.Run(s.name, func(t *testing.T) {
		res, err := ingest.Read(context.Background(), []byte(s.in), ingest.Hint{Name: s.file})
		if err != nil {
			t.Fatal(err)
		}
		checkResult(t, res)
		if s.media != "" && res.MediaType != s.media {
			t.Errorf("media type %s", res.MediaType)
		}
		if s.text != "" && res.Text != s.text {
			t.Errorf("text\n%q\nwant\n%q", res.Text, s.text)
		}
		for _, h := range s.has {
			if !strings.Contains(res.Text, h) {
				t.Errorf("%q is not in\n%s", h, res.Text)
			}
		}
		for _, h := range s.hasNot {
			if strings.Contains(res.Text, h) {
				t.Errorf("%q is in\n%s", h, res.Text)
			}
		}
		if s.outline != "" && outlineOf(res) != s.outline {
			t.Errorf("outline %s\nwant    %s", outlineOf(res), s.outline)
		}
		if s.ref != "" {
			got, err := json.Marshal(res.Reference)
			if err != nil || string(got) != s.ref {
				t.Errorf("reference %s\nwant      %s", got, s.ref)
			}
		}
	})
}

func outlineOf(res ingest.Result) string {
	var out []string
	for _, m := range res.Outline {
		if m.Heading != "" {
			out = append(out, string(rune('0'+m.Level))+":"+m.Heading)
		} else {
			out = append(out, "p"+string(rune('0'+m.Page)))
		}
	}
	return strings.Join(out, ", ")
}

func TestMarkdown(t *testing.T) {
	for _, s := range []scenario{
		{name: "markup goes, words stay", in: "# The *first* cable\n\nIt was **laid** in [1858](http://x.y/z), see `log.txt` and ![a map](m.png).\nA soft break.\n",
			media: ingest.Markdown, text: "The first cable\n\nIt was laid in 1858, see log.txt and a map. A soft break.", outline: "1:The first cable"},
		{name: "lists and nested lists", file: "a.md", in: "Intro:\n\n- one\n- two\n  - deep\n  - er\n\n3. three\n4. four\n",
			text: "Intro:\n\n- one\n- two\n- deep\n- er\n\n3. three\n4. four"},
		{name: "tables become rows", file: "a.md", in: "| Year | Miles |\n|---|--:|\n| 1858 | 2,500 |\n| 1866 | 1,852 |\n",
			text: "Year | Miles\n1858 | 2,500\n1866 | 1,852"},
		{name: "code is kept", file: "a.md", in: "Run:\n\n```sh\nif true; then\n  echo \"# no heading\"\nfi\n```\n",
			text: "Run:\n\nif true; then\n  echo \"# no heading\"\nfi", outline: ""},
		{name: "escapes and entities", file: "a.md", in: "5 \\* 3 &amp; 2 &lt; 4 \\&amp; caf&eacute; `&amp;`",
			text: "5 * 3 & 2 < 4 &amp; café &amp;"},
		{name: "hard breaks keep their line", file: "a.md", in: "Roses are red,  \nviolets are blue\\\nso", text: "Roses are red,\nviolets are blue\nso"},
		{name: "quotes", file: "a.md", in: "> Whatever hath God wrought\n> said Morse.\n\n> > deeper", text: "Whatever hath God wrought said Morse.\n\ndeeper"},
		{name: "raised numbers", file: "a.md", in: "# The Cable<sup>1</sup>\n\nIt failed.<sup>12</sup> A <b>ship</b><SUP>3</SUP> of 10<sup>6</sup>, 5 m<sup>2</sup> on the 5<sup>th</sup>, a\x01b\x02 <sup>open\n\n<sup>1</sup> See the log.\n\n| Ship<sup>2</sup> |\n|---|\n| a |", text: "The Cable[1]\n\nIt failed.[12] A ship[3] of 10^6, 5 m2 on the 5th, ab open\n\n[1] See the log.\n\nShip[2]\na", outline: "1:The Cable[1]"},
		{name: "footnotes", file: "a.md", in: "A claim.[^1]\n\n[^1]: The proof.", text: "A claim.[1]\n\n[1] The proof."},
		{name: "HTML in Markdown", file: "a.md", in: "<p align=\"center\">Hello <b>there</b></p>\n\nA<br>B <!-- no --> C <span>D</span>", text: "Hello there\n\nA\nB C D"},
		{name: "setext headings, strike and task lists", file: "a.md", in: "Title\n=====\n\nSub\n---\n\n- [x] done ~~not~~\n- [ ] open",
			text: "Title\n\nSub\n\n- done not\n- open", outline: "1:Title, 2:Sub"},
		{name: "front matter becomes the reference", in: "---\ntitle: \"The Cable: A History\"\nauthor:\n  - Jane van der Berg\n  - family: Field\n    given: Cyrus W.\n  - name: Atlantic Telegraph Company\ndate: 2021-03-04\ndoi: https://doi.org/10.1000/xyz.123\njournal: Telegraph Studies\nvolume: 12\ntags: [a, b]\n---\n\n# Other title\n\nText.",
			media: ingest.Markdown, text: "Other title\n\nText.",
			ref: `{"DOI":"10.1000/xyz.123","author":[{"family":"Berg","given":"Jane","non-dropping-particle":"van der"},{"family":"Field","given":"Cyrus W."},{"literal":"Atlantic Telegraph Company"}],"container-title":"Telegraph Studies","issued":{"date-parts":[[2021,3,4]]},"title":"The Cable: A History","type":"article-journal","volume":"12"}`},
		{name: "front matter in TOML", file: "a.md", in: "+++\ntitle = \"Cables\"\nauthors = [\"Doe, Jane\", \"J. Smith\"]\ndate = 1999\n+++\nText.",
			ref: `{"author":[{"family":"Doe","given":"Jane"},{"family":"Smith","given":"J."}],"issued":{"date-parts":[[1999]]},"title":"Cables","type":"document"}`},
		{name: "front matter in TOML with lists over lines and tables", file: "a.md", in: "+++\ntitle = \"Cables\" # a comment\nauthors = [\n  \"Doe, Jane\",\n  \"J. Smith\",\n]\n[taxonomies]\ntitle = \"not this\"\ntags = [\"a\"]\n[[editors]]\nfamily = \"Roe\"\ngiven = \"Max\"\n[[editors]]\nliteral = \"The Board\"\n+++\nText.",
			text: "Text.", ref: `{"author":[{"family":"Doe","given":"Jane"},{"family":"Smith","given":"J."}],"editor":[{"family":"Roe","given":"Max"},{"literal":"The Board"}],"title":"Cables","type":"document"}`},
		{name: "front matter with folded text, apostrophes and nothing", file: "a.md", in: "---\ntitle: >\n  The Cable\n  and the Ship\nsubtitle: null\nauthor: [Conan O'Brien, 'Jane Doe', \"Roe, Max\"]\nabstract: |\n  It failed: at once.\n  - So it did.\n# a comment\nlang: 'en' # English\n---\nText.",
			text: "Text.", ref: `{"abstract":"It failed: at once. - So it did.","author":[{"family":"O'Brien","given":"Conan"},{"family":"Doe","given":"Jane"},{"family":"Roe","given":"Max"}],"language":"en","title":"The Cable and the Ship","type":"document"}`},
		{name: "front matter with an author that is an object, and text that goes on", file: "a.md", in: "---\nauthor:\n  name: Jane Doe\ntitle: The Cable\n  of 1858\nurl: ../a.html\nlist: [a,\n  b]\n...\nText.",
			text: "Text.", ref: `{"author":[{"family":"Doe","given":"Jane"}],"title":"The Cable of 1858","type":"document"}`},
		{name: "a rule is no front matter", file: "a.md", in: "---\n\nText under a rule.\n\n---\nmore", has: []string{"Text under a rule.", "more"}},
		{name: "the title is the first heading", file: "a.md", in: "## Small\n\n# Big\n\ntext", ref: `{"title":"Big","type":"document"}`},
		{name: "link definitions are no text", file: "a.md", in: "See [the log][1].\n\n[1]: http://example.org/log \"Log\"", text: "See the log."},
		{name: "definition lists", file: "a.md", in: "Cable\n: A rope of wires.", text: "Cable\n\nA rope of wires."},
		{name: "Windows line ends", file: "a.md", in: "# A\r\n\r\nb\r\nc\r\n", text: "A\n\nb c", outline: "1:A"},
	} {
		s.run(t)
	}
}

func TestPlainText(t *testing.T) {
	for _, s := range []scenario{
		{name: "as it is", in: "The Log\n\n  indented\tline  \r\nnext\r\n\r\n\r\n", media: ingest.PlainText, text: "The Log\n\n  indented\tline\nnext",
			ref: `{"title":"The Log","type":"document"}`},
		{name: "a sentence is no title", in: "It was laid in 1858.\n\nMore.", ref: `{"type":"document"}`},
		{name: "form feeds are pages", in: "one\ftwo\n\n\fthree", text: "one\n\ntwo\n\nthree", outline: "p1, p2, p3"},
		{name: "UTF-8 mark", in: "\xef\xbb\xbfHello world", text: "Hello world"},
		{name: "UTF-16 LE", in: "\xff\xfeH\x00\xe9\x00l\x00l\x00o\x00", text: "Héllo"},
		{name: "UTF-16 BE", in: "\xfe\xff\x00H\x00\xe9\x00!", text: "Hé!"},
		{name: "UTF-16 without a mark", in: "H\x00e\x00l\x00l\x00o\x00 \x00y\x00o\x00u\x00", text: "Hello you"},
		{name: "Windows-1252", in: "Caf\xe9 \x93quoted\x94 \x96 10 \x80 and some more plain words", text: "Café “quoted” – 10 € and some more plain words"},
		{name: "UTF-8 with one bad byte", in: "Größe, Maß, Übung, hübsch, schön: \xff Ende", text: "Größe, Maß, Übung, hübsch, schön: \ufffd Ende"},
		{name: "a script with # comments is no Markdown", file: "run.sh", in: "# first\n\nls -l\n\n# second\n- x\n[a](b)\n", media: ingest.PlainText},
		{name: "a plain list is no Markdown", in: "Things to do:\n\n- one\n- two\n", media: ingest.PlainText, text: "Things to do:\n\n- one\n- two"},
		{name: "Markdown in a .txt", file: "a.txt", in: "# Title\n\nA [link](http://x.y).\n", media: ingest.Markdown},
		{name: "a comparison is no HTML", in: "a < b and c > d, says <joe@example.org>", media: ingest.PlainText},
		{name: "control characters go", in: "bell\x07 and \x1b[1mbold\x1b[0m words of which there are enough to be text in the sense of the word", hasNot: []string{"\x07", "\x1b"}},
	} {
		s.run(t)
	}
}
