package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ibid-dev/ibid"
)

// record is a line of the benchmark data. Offsets are runes.
type record struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Sources  []struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		Text  string `json:"text"`
	} `json:"sources"`
	Segments []struct {
		Start     int        `json:"start"`
		End       int        `json:"end"`
		Text      string     `json:"text"`
		Label     string     `json:"label"`
		SourceIDs []string   `json:"source_ids"`
		Evidence  []goldSpan `json:"evidence"`
	} `json:"segments"`
	Spans []struct {
		Start int `json:"start"`
		End   int `json:"end"`
	} `json:"spans"`
}

// goldSpan is supporting text as the annotators marked it.
type goldSpan struct {
	SourceID string `json:"source_id"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
}

// set is one file of the data.
type set struct {
	name, folder string
	records      []record
}

// family is the group of sets that leave together, as the data's README names them.
func (s set) family() string {
	n, _, _ := strings.Cut(s.name, ".")
	switch n {
	case "attributionbench_nolfqa", "expertqa", "gensearch":
		return "attributionbench"
	case "wice_tokens":
		return "wice"
	case "fever_nei":
		return "fever"
	case "cad_snli", "breaking_nli":
		return "snli"
	case "mnli_mm", "mnli_m":
		return "mnli"
	case "joined":
		return "contrast"
	}
	return n
}

func readSets(root string, folders ...string) ([]set, error) {
	var out []set
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.jsonl.gz"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			s, err := readSet(f)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f, err)
			}
			s.folder = folder
			out = append(out, s)
		}
	}
	return out, nil
}

func readSet(file string) (set, error) {
	s := set{name: strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")}
	f, err := os.Open(file)
	if err != nil {
		return s, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return s, err
	}
	lines := bufio.NewReaderSize(z, 1<<20)
	dec := json.NewDecoder(lines)
	for dec.More() {
		var r record
		if err := dec.Decode(&r); err != nil {
			return s, err
		}
		s.records = append(s.records, r)
	}
	return s, nil
}

// passages gives a record's sources as an answer would have seen them.
func (r record) passages() []ibid.Passage {
	var out []ibid.Passage
	for i, s := range r.Sources {
		p := ibid.Passage{Rank: i + 1}
		p.Chunk.Text = s.Text
		p.Chunk.At = ibid.Anchor{Document: ibid.DocumentID(s.ID), Span: ibid.Span{End: len(s.Text)}}
		p.Source.ID = ibid.SourceID(s.ID)
		p.Source.Reference.Set("title", s.Title)
		out = append(out, p)
	}
	return out
}

// drafts gives the labelled segments.
func (r record) drafts() []ibid.Draft {
	var out []ibid.Draft
	for _, s := range r.Segments {
		out = append(out, ibid.Draft{Kind: ibid.Sentence, Text: s.Text, At: ibid.Span{End: len(s.Text)}})
	}
	return out
}
