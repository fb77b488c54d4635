package ingest

// mathSign is what stands before a child of an element of a formula (MathML), and is no character of it.
func mathSign(parent string, child int) string {
	switch {
	case parent == "mfrac" && child == 2:
		return "/"
	case parent == "msup" && child == 2, parent == "msubsup" && child == 3:
		return "^"
	case parent == "msqrt" && child == 1, parent == "mroot" && child == 1:
		return "√"
	}
	return ""
}

// mathSigns follows the elements of a formula.
type mathSigns struct {
	open []mathElement
}

type mathElement struct {
	name string
	kids int
}

// start is the sign before an element.
func (m *mathSigns) start(name string) string {
	sign := ""
	if n := len(m.open); n > 0 {
		m.open[n-1].kids++
		sign = mathSign(m.open[n-1].name, m.open[n-1].kids)
	}
	m.open = append(m.open, mathElement{name: name}) // no deeper than the file may be
	return sign
}

func (m *mathSigns) end() { m.open = m.open[:max(0, len(m.open)-1)] }
