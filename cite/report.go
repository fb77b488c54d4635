package cite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

// Input is what a file of citations holds: one citation or map, or a list of them.
type Input struct {
	Items []Item
	List  bool // the file holds a list
}

// Item is a citation or a map; the other is nil.
type Item struct {
	Citation *Citation
	Map      *CitationMap
}

// ReadInput reads a file of citations. An item with a claim or with citations of its own is a map. The error names the
// item, says what was expected and wraps ibid.ErrInvalid.
func ReadInput(b []byte) (Input, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff")) // blank lines count for the place of an error
	begin := bytes.TrimSpace(b)
	if len(begin) == 0 || begin[0] != '[' && begin[0] != '{' {
		return Input{}, fmt.Errorf("expected JSON: a citation, a list of them, or maps: %w", ibid.ErrInvalid)
	}
	raws := make([]json.RawMessage, 1)
	into := any(&raws[0])
	list := begin[0] == '['
	if list {
		into = &raws
	}
	if err := json.Unmarshal(b, into); err != nil {
		return Input{}, fmt.Errorf("%w: %w", wording.JSON(err, b), ibid.ErrInvalid)
	}
	in := Input{List: list}
	for i, raw := range raws {
		item, err := readItem(raw)
		if err != nil {
			return Input{}, fmt.Errorf("item %d: %w", i+1, err)
		}
		in.Items = append(in.Items, item)
	}
	return in, nil
}

func readItem(raw json.RawMessage) (Item, error) {
	f, err := fieldsOf(raw)
	if err != nil {
		return Item{}, err
	}
	for _, key := range []string{"claim_id", "claim_text", "citations"} {
		if _, ok := f.all[key]; ok {
			var m CitationMap
			err := json.Unmarshal(raw, &m)
			return Item{Map: &m}, err
		}
	}
	var c Citation
	err = json.Unmarshal(raw, &c)
	return Item{Citation: &c}, err
}

// Report is what Check says of one item, which it names by its source or claim. Findings are about identifiers, names and dates, and stand beside the fixed
// messages of the validation.
type Report struct {
	Source  string `json:"source,omitempty"`
	ClaimID string `json:"claim_id,omitempty"`
	Validation
	Scores    any           `json:"scores"` // Scores of a citation, MapScores of a map
	Findings  []string      `json:"findings,omitempty"`
	Quote     *QuoteFinding `json:"quote,omitempty"`     // of a citation whose source was at hand
	Citations []Report      `json:"citations,omitempty"` // one for each citation of a map
}

// Check validates and scores an item. Year is today's, for which dates are plausible; 0 leaves the future open.
func Check(item Item, year int) Report {
	if item.Citation != nil {
		c := *item.Citation
		return Report{Source: c.Source, Validation: c.Validate(), Scores: Score(c), Findings: c.Findings(year)}
	}
	m := *item.Map
	r := Report{ClaimID: m.ClaimID, Validation: m.Validate(), Scores: ScoreMap(m)}
	for _, c := range m.Citations {
		r.Citations = append(r.Citations, Check(Item{Citation: &c}, year))
	}
	noteRepeats(m.Citations, r.Citations)
	return r
}

// CheckAll checks every item, and says where citations of one list are of the same work.
func CheckAll(in Input, year int) []Report {
	reports := []Report{}
	var citations []Citation
	var at []int
	for i, item := range in.Items {
		reports = append(reports, Check(item, year))
		if item.Citation != nil {
			citations = append(citations, *item.Citation)
			at = append(at, i)
		}
	}
	alone := make([]Report, len(citations))
	noteRepeats(citations, alone)
	for n, i := range at {
		reports[i].Findings = append(reports[i].Findings, alone[n].Findings...)
	}
	return reports
}

// noteRepeats adds a finding to each citation whose work an earlier one has.
func noteRepeats(citations []Citation, reports []Report) {
	copies := make([]Copy, len(citations))
	for i, c := range citations {
		copies[i].Reference = c.ToReference()
		copies[i].Reference.ID = strconv.Itoa(i)
	}
	for _, w := range Deduplicate(copies) {
		for _, r := range w.Reasons {
			i, _ := strconv.Atoi(w.Copies[r.Copy].Reference.ID)
			j, _ := strconv.Atoi(w.Copies[r.With].Reference.ID)
			reports[i].Findings = append(reports[i].Findings, fmt.Sprintf("the same work as citation %d: %s", j+1, r.Why))
		}
	}
}

// FilterInput keeps the citations whose confidence is at least min: of a list those items, of a map the ones in it.
func FilterInput(in Input, min float64) Input {
	out := Input{List: in.List}
	for _, item := range in.Items {
		if item.Map != nil {
			m := *item.Map
			m.Citations = Filter(m.Citations, min)
			out.Items = append(out.Items, Item{Map: &m})
		} else if len(Filter([]Citation{*item.Citation}, min)) == 1 {
			out.Items = append(out.Items, item)
		}
	}
	return out
}
