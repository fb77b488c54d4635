package ingest

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// docxStyles is what matters of word/styles.xml. Ids are in the language of the writer's Word, names are not.
type docxStyles map[string]docxStyle

type docxStyle struct {
	level      int // of a heading
	title, toc bool
	raised     bool
	list       string
	listLevel  int
	basedOn    string
}

func (s docxStyles) read(x *xmlReader) error {
	id := ""
	return x.each(func(t xml.StartElement) {
		st := s[id]
		switch t.Name.Local {
		case "style":
			id = attr(t, "styleId")
			s[id] = styleByName(id)
			return
		case "name":
			st = styleByName(attr(t, "val"))
		case "basedOn":
			st.basedOn = attr(t, "val")
		case "outlineLvl":
			if n, err := strconv.Atoi(attr(t, "val")); err == nil && n >= 0 && n < 9 {
				st.level = n + 1
			}
		case "numId":
			st.list = attr(t, "val")
		case "ilvl":
			st.listLevel, _ = strconv.Atoi(attr(t, "val"))
		case "vertAlign", "position":
			st.raised = isRaised(t, st.raised)
		}
		if id != "" && len(s) < 10000 {
			s[id] = st
		}
	})
}

// of follows a style to those it is based on. Styles that no file defines are known by their usual ids.
func (s docxStyles) of(id string) docxStyle {
	st, ok := s[id]
	if !ok {
		return styleByName(id)
	}
	base := st.basedOn
	for range 10 {
		if base == "" || st.level > 0 || st.title || st.toc {
			break
		}
		b := s[base]
		st.level, st.title, st.toc, st.raised = b.level, b.title, b.toc, st.raised || b.raised
		if st.list == "" {
			st.list, st.listLevel = b.list, b.listLevel
		}
		base = b.basedOn
	}
	return st
}

func styleByName(name string) docxStyle {
	name = strings.ToLower(strings.ReplaceAll(name, " ", ""))
	if rest, ok := strings.CutPrefix(name, "heading"); ok && len(rest) == 1 && rest[0] >= '1' && rest[0] <= '9' {
		return docxStyle{level: int(rest[0] - '0')}
	}
	if rest, ok := strings.CutPrefix(name, "toc"); ok && (rest == "heading" || len(rest) == 1 && rest[0] >= '1' && rest[0] <= '9') {
		return docxStyle{toc: true}
	}
	return docxStyle{title: name == "title"}
}
