package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/eval"
)

func testJudge() lineJudge {
	return lineJudge{by: attribute.New(attribute.Config{Claims: attribute.IsClaim}), unit: eval.Runes}
}

// A line is answered before the next one is given: nothing waits for the end of the input.
func TestLinesAreAnsweredAsTheyCome(t *testing.T) {
	in, lines := io.Pipe()
	results, out := io.Pipe()
	a := &app{in: in, out: out, err: io.Discard}
	done := make(chan error, 1)
	go func() {
		err := a.attributeLines(context.Background(), testJudge())
		out.Close()
		done <- err
	}()
	r := bufio.NewReader(results)
	for i := range 5 {
		fmt.Fprintf(lines, `{"id":"%d","answer":"The cable failed.","sources":[{"id":"s","text":"The cable failed."}]}`+"\n", i)
		got, err := r.ReadString('\n')
		if err != nil || !strings.HasPrefix(got, fmt.Sprintf(`{"id":"%d","segments"`, i)) {
			t.Fatalf("line %d: %q, %v", i, got, err)
		}
	}
	lines.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Many lines come out in the order in which they went in, the failed ones among them.
func TestLinesKeepTheirOrder(t *testing.T) {
	var in, out bytes.Buffer
	const n = 400
	for i := range n {
		if i%7 == 3 {
			fmt.Fprintf(&in, `{"id":"%d","answer":7}`+"\n", i)
			continue
		}
		fmt.Fprintf(&in, `{"id":"%d","answer":"%s","sources":[{"id":"s","text":"The cable failed."}]}`+"\n", i, strings.Repeat("The cable failed. ", i%13))
	}
	a := &app{in: &in, out: &out, err: io.Discard}
	err := a.attributeLines(context.Background(), testJudge())
	if err != exitCode(1) {
		t.Errorf("ended with %v, want code 1", err)
	}
	i := 0
	for line := range strings.Lines(out.String()) {
		var got struct {
			ID, Error string
			Segments  []any
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		if got.ID != fmt.Sprint(i) || (got.Error != "") != (i%7 == 3) || got.Error == "" && len(got.Segments) != i%13 {
			t.Fatalf("line %d is %s", i, line)
		}
		i++
	}
	if i != n {
		t.Errorf("%d lines, want %d", i, n)
	}
}

// The page stands alone: every link leads to a place within it, nothing is fetched or run, and text stays text.
func TestReportPageStandsAlone(t *testing.T) {
	line := eval.Line{
		Answer: "The first cable was completed on 5 August 1858 [1].\n\n<script>alert(1)</script> It had not failed \" onclick=x [7]. \u202eיצא\u202c Bananas fly to Lisbon?",
		Sources: []eval.Source{
			{ID: "a", Title: "</title><img src=x>", Text: "The first cable was completed on 5 August 1858. It failed & was silent."},
			{ID: "b", Text: "The first cable was completed on 5 August 1858, says another."},
		},
	}
	task, err := eval.Prepare(line, eval.Runes)
	if err != nil {
		t.Fatal(err)
	}
	findings, err := task.Findings(context.Background(), attribute.New(attribute.Config{Claims: attribute.IsClaim}))
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := writeHTML(&page, answerOf(task, findings)); err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	ids, links := map[string]bool{}, []string{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script", "img", "link", "iframe", "object", "form", "base":
			t.Errorf("the page holds <%s>", n.Data)
		}
		for _, at := range n.Attr {
			switch {
			case at.Key == "id":
				if ids[at.Val] {
					t.Errorf("id %q stands twice", at.Val)
				}
				ids[at.Val] = true
			case at.Key == "href":
				links = append(links, at.Val)
			case at.Key == "src" || strings.HasPrefix(at.Key, "on"):
				t.Errorf("attribute %s=%q", at.Key, at.Val)
			}
		}
	}
	if len(links) == 0 {
		t.Error("no links from the answer to its evidence")
	}
	for _, l := range links {
		if !strings.HasPrefix(l, "#") || !ids[l[1:]] {
			t.Errorf("link %q leads nowhere", l)
		}
	}
}

// What the command line makes of findings keeps the law of the record.
func TestReportKeepsTheRecord(t *testing.T) {
	line := eval.Line{Answer: "The cable failed [1]. It failed twice [2]. Nobody knew.", Sources: []eval.Source{{ID: "a", Text: "The cable failed."}, {ID: "b", Text: "The cable failed."}}}
	task, err := eval.Prepare(line, eval.Runes)
	if err != nil {
		t.Fatal(err)
	}
	findings, err := task.Findings(context.Background(), attribute.New(attribute.Config{Claims: attribute.IsClaim}))
	if err != nil {
		t.Fatal(err)
	}
	answer := answerOf(task, findings)
	if err := answer.Check(); err != nil {
		t.Error(err)
	}
	if s := answer.Segments[0]; s.Origin != ibid.RAG || len(answer.Numbers(s)) != 2 {
		t.Errorf("the same fact in two sources: %s cites %v, want both", s.Origin, answer.Numbers(s))
	}
}

// Windows writes a mark before its texts and letters in an encoding of its own. An answer is read as its sources are: the mark
// is no word of it, letters are letters, and what is no text is refused and not shown on a terminal.
func TestAnswerIsReadAsSourcesAre(t *testing.T) {
	dir := t.TempDir()
	put := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	source := put("source.txt", "The caf\u00e9 opened in 1990.\n")
	for name, content := range map[string]string{
		"mark":    "\xef\xbb\xbfThe caf\u00e9 opened in 1990.\r\n",
		"western": "The caf\xe9 opened in 1990.\n",
		"utf-16":  "\xff\xfe" + strings.Join(strings.Split("The caf\xe9 opened in 1990.\n", ""), "\x00") + "\x00",
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			a := &app{out: &out, err: &errs, env: func(string) string { return "" }, now: time.Now}
			if code := a.run(t.Context(), []string{"--judge", "off", "attribute", "--answer", put(name, content), "--source", source, "--json", "--unit", "byte"}); code != 0 {
				t.Fatalf("code %d: %s", code, &errs)
			}
			var got struct {
				Segments []struct {
					Start, End int
					Text       string
				}
			}
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Segments) != 1 || got.Segments[0].Text != "The café opened in 1990." || got.Segments[0].Start != 0 || got.Segments[0].End != 25 {
				t.Errorf("got %+v", got.Segments)
			}
		})
	}
	for name, content := range map[string]string{"program": "\x7fELF\x00\x01\x02", "pdf": "%PDF-1.7\n1 0 obj\n"} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			a := &app{out: &out, err: &errs, env: func(string) string { return "" }, now: time.Now}
			code := a.run(t.Context(), []string{"--judge", "off", "attribute", "--answer", put(name, content), "--source", source})
			if code != 1 || out.Len() > 0 || !strings.Contains(errs.String(), "not text") || !strings.Contains(errs.String(), "an answer is plain text or Markdown") {
				t.Errorf("code %d, out %q, err %q", code, &out, &errs)
			}
		})
	}
}
