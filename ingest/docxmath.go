package ingest

import "encoding/xml"

// docxMath writes the signs of Word's formulas that are no characters of them: a fraction is a/b, a power c^2, and brackets stand around
// what they hold.
type docxMath struct {
	brackets []mathBrackets // open
}

type mathBrackets struct {
	from, to string
	begun    bool
}

// start is what an element writes before its text.
func (m *docxMath) start(t xml.StartElement) string {
	n := len(m.brackets)
	switch t.Name.Local {
	case "d":
		if n < maxOpen {
			m.brackets = append(m.brackets, mathBrackets{from: "(", to: ")"})
		}
	case "begChr":
		if n > 0 {
			m.brackets[n-1].from = attr(t, "val")
		}
	case "endChr":
		if n > 0 {
			m.brackets[n-1].to = attr(t, "val")
		}
	case "e":
		if n > 0 && !m.brackets[n-1].begun {
			m.brackets[n-1].begun = true
			return m.brackets[n-1].from
		}
	case "den":
		return "/"
	case "sup":
		return "^"
	case "rad":
		return "√"
	case "chr":
		return attr(t, "val")
	}
	return ""
}

// end is what it writes behind it.
func (m *docxMath) end(name string) string {
	if n := len(m.brackets); name == "d" && n > 0 {
		b := m.brackets[n-1]
		m.brackets = m.brackets[:n-1]
		if b.begun {
			return b.to
		}
	}
	return ""
}
