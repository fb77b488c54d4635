package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/cite/bib"
	"github.com/ibid-dev/ibid/ingest"
)

// isReferences tells a file of references from one of citations: a citation has a source, a map has a claim.
func isReferences(b []byte) bool {
	format, err := bib.Detect(b)
	if err != nil || format != bib.CSLJSON {
		return err == nil
	}
	var items []map[string]json.RawMessage
	if b = bytes.TrimSpace(bytes.TrimPrefix(b, []byte("\ufeff"))); b[0] == '{' {
		b = append(append([]byte("["), b...), ']')
	}
	if json.Unmarshal(b, &items) != nil || len(items) == 0 {
		return false
	}
	for _, item := range items {
		for _, key := range []string{"source", "confidence", "claim_id", "claim_text", "citations"} {
			if _, ok := item[key]; ok {
				return false
			}
		}
		if _, ok := item["type"]; !ok {
			return false
		}
	}
	return true
}

// maybeBibliography says whether what was read as text may be a file of references, by its name: notes may well quote an entry.
func maybeBibliography(name, mediaType string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".bib", ".ris", ".json", ".enw", ".nbib":
		return mediaType == ingest.PlainText
	}
	return false
}

// bibliography says whether a text is a file of references. Of JSON a list is asked for: an object with a type may be
// anything, as a package, a map or a schema.
func bibliography(text string) bool {
	return !strings.HasPrefix(strings.TrimSpace(text), "{") && isReferences([]byte(text))
}

// noticeBibliography says that entries were taken for words: who names such a file mostly wants the works in it.
func (a *app) noticeBibliography(name string) {
	a.notice("%s: a file of references, read as plain text; ibid cite %s reads its entries, as ibid convert and ibid check do", shown(name), typed(shown(name)))
}

// referenceReport is what is said of one reference.
type referenceReport struct {
	ID       string   `json:"id"`
	Title    string   `json:"title,omitempty"`
	Findings []string `json:"findings"`
}

// checkReferences says what looks wrong in a file of references. Faults of the file end with code 1; findings do not, as
// a strange name may be a name.
func (a *app) checkReferences(name string, b []byte, asJSON bool) error {
	file, err := bib.Read(b)
	faults, err := a.faults(name, file, err)
	if err != nil {
		return err
	}
	reports := make([]referenceReport, len(file.References))
	for i, found := range cite.CheckReferences(file.References, a.now().Year()) {
		r := file.References[i]
		reports[i] = referenceReport{r.ID, r.Title(), found}
	}
	if asJSON {
		if err := a.printJSON(reports); err != nil {
			return err
		}
	} else {
		found := 0
		for _, r := range reports {
			for _, f := range r.Findings {
				fmt.Fprintf(a.out, "%s: look at: %s\n", r.ID, oneLine(harmless(f)))
				found++
			}
		}
		a.notice("%s, %s", count(len(reports), "reference", "references"), count(found, "finding", "findings"))
	}
	if faults {
		return exitCode(1)
	}
	return nil
}
