package attribute

import (
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestCounterparts: of some pairs neither can stand for the other. What tells the same from the other side, names both, or says the one by another
// word for it is no contradiction.
func TestCounterparts(t *testing.T) {
	for _, c := range []beside{
		{"Turn the valve clockwise to open it.", "Turn the valve anticlockwise to open it.", "exchange"},
		{"Turn the valve clockwise to open it.", "Turn the valve counter-clockwise to open it.", "exchange"},
		{"The employee pays the insurance premium.", "The employer pays the insurance premium.", "exchange"},
		{"Exports to China fell by 5%.", "Germany exports most of its cars. Imports to China fell by 5%.", "exchange"},
		{"In winter the inbound trains of the line stop at Ostby.", "The outbound trains of the line stop at Ostby.", "comparative"},

		{"Rotate the knob counterclockwise to loosen it.", "To loosen it, rotate the knob anti-clockwise. To tighten it, rotate it clockwise.", ""},
		{"Turn the valve clockwise to close it.", "Turn the valve anticlockwise to open it. Turn the valve clockwise to close it.", ""},
		{"Never turn the valve clockwise to open it, but the other way.", "Turn the valve anticlockwise to open it.", "negation"},
		{"China's imports from Germany fell by 5%.", "Germany's exports to China fell by 5%.", ""},
		{"The employer takes the tax off the employee's pay.", "The employee's pay is what the employer takes the tax off.", ""},
		{"The tenant pays the rent on Mondays.", "The lessee pays the rent on Mondays.", ""},
		{"The firm employs a cook.", "The firm has an employee who works as a cook.", ""},
	} {
		c.check(t)
	}
}

// TestJudgesOverruleNoCounterpart: a judge who takes upstream for downstream is not believed, where nothing else differs.
func TestJudgesOverruleNoCounterpart(t *testing.T) {
	var asked []ibid.Pair
	judge := New(Config{Judge: saying{0.95, &asked, nil}, Always: true})
	if s := oneBy(t, judge, "The plant lies upstream of the bridge.", "The plant lies downstream of the bridge.").Segment; len(s.Contradicted) != 1 || s.Support > 0.4 {
		t.Errorf("support %v, contradicted %v", s.Support, s.Contradicted)
	}
}
