package attribute

import (
	"context"
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestJudgesReadAmountsAsTheSourceWritesThem: a judge does not reckon, so it reads the same amount or date in the same words. What is
// another amount, or a bound and no amount, stays as it is.
func TestJudgesReadAmountsAsTheSourceWritesThem(t *testing.T) {
	for _, c := range [][3]string{
		{"The film runs an hour and it won 90 minutes of applause.", "The film won 1.5 hours of applause.", "The film runs an hour and it won 1.5 hours of applause."},
		{"The grant was €70,000 in all.", "The grant was 70,000 euros.", "The grant was 70,000 euros in all."},
		{"The grant was 70,000 euros in all.", "The grant was EUR 70,000.", "The grant was EUR 70,000 in all."},
		{"The grant was 70,000 euros in all.", "The grant was € 70,000.", "The grant was € 70,000 in all."},
		{"You have three weeks to return the deposit.", "The deposit is returned within 21 days.", "You have 21 days to return the deposit."},
		{"Resignations fell by a third.", "Resignations fell by 33 per cent.", "Resignations fell by 33 per cent."},
		{"Resignations fell by about 33%.", "Resignations fell by a third.", "Resignations fell by about a third."},
		{"Five percent of the species live there.", "1 in 20 species live there.", "1 in 20 of the species live there."},
		{"About 90% of the voters came.", "Nine out of ten voters came.", "About Nine out of ten of the voters came."},
		{"Rest it for a quarter of an hour.", "Rest it for 15 minutes.", "Rest it for 15 minutes."},
		{"The court met on 2024-03-05 in Ostby.", "The court met in Ostby on March 5, 2024.", "The court met on March 5, 2024 in Ostby."},
		{"The fund holds more than 20 houses.", "The fund holds 25 houses.", "The fund holds more than 20 houses."},
		{"The fund holds 20 houses.", "The fund holds 25 houses.", "The fund holds 20 houses."},
		{"The film lasts 90 minutes.", "The film lasts an hour and a half.", "The film lasts an hour and a half."},
		{"The fare rose by $3 for adults.", "The fare rose from $5 to $8 for adults.", "The fare rose from $5 to $8 for adults."},
		{"Turnout fell by 5 percentage points to 60%.", "Turnout fell from 65 % to 60 % in May.", "Turnout fell from 65 % to 60 % to 60 %."},
		{"Add half a teaspoon of salt.", "Add 1/2 tsp of salt.", "Add 1/2 tsp of salt."},
		{"He ran the firm for ten years.", "He ran the firm from 1990 to 2000.", "He ran the firm from 1990 to 2000."},
		{"The fees total $135.", "The fees are $110 for the form and $25 for the photo.", "The fees total $110 plus $25."},
		{"The difference is $85.", "The fees are $110 for the form and $25 for the photo.", "The difference is $85."},
		{"The rule raised the share by 14 percentage points.", "The share is 46% now, up from 32%.", "The rule raised the share from 32% to 46%."},
		{"Python 3.1 was released.", "Python 3.10 was released.", "Python 3.1 was released."},
		{"The bag weighs 5 pounds.", "The bag costs £5.", "The bag weighs 5 pounds."},
		{"The village has 8,000 houses.", "The village has eight thousand houses.", "The village has 8,000 houses."},
		{"The village has 8000 houses.", "The village has 8,000 houses.", "The village has 8,000 houses."},
		{"Nearly 30 houses were sold.", "Nearly 30 houses were sold, of which 28 were old.", "Nearly 30 houses were sold."},
		{"About 30 houses were sold.", "28 houses were sold.", "About 30 houses were sold."},
		{"The third party paid.", "The party paid 33%.", "The third party paid."},
		{"Roofs cost $1,200–$1,500.", "Roofs cost $1,200 to $1,500.", "Roofs cost $1,200 to $1,500."},
		{"Roofs cost £2m - £3m in Ostby.", "Slates cost more.", "Roofs cost £2m to £3m in Ostby."},
		{"Roofs take 7–9 days.", "Roofs take 7 to 9 days.", "Roofs take 7–9 days."},
	} {
		if got := wordedFor(c[0], c[1]); got != c[2] {
			t.Errorf("%q beside %q is read as %q, not %q", c[0], c[1], got, c[2])
		}
	}
}

// wordedFor is a segment as a judge reads it beside a source.
func wordedFor(text, source string) string {
	turn := newTurn([]ibid.Passage{passage(1, source)})
	s := turn.read(text)
	e, _ := turn.measure(s, new(scratch))
	return turn.worded(s, &e).text
}

// TestWordsOfAJudgeGoBack: what a judge says of each word it read is said of the word that stands in the segment, and of all words
// that one stands for.
func TestWordsOfAJudgeGoBack(t *testing.T) {
	const segment, source = "The film runs a quarter of an hour and pleased the crowd.", "The film runs 15 minutes and pleased the crowd."
	turn := newTurn([]ibid.Passage{passage(1, source)})
	e := New(Config{Judge: byWord{"minutes": 0.1, "pleased": 0.3, "crowd": 0.2}, Always: true})
	v, err := e.weighUp(context.Background(), turn, new(scratch), draft(segment), "")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range v.seg.content {
		want := map[string]float64{"quarter": 0.1, "hour": 0.1, "pleased": 0.3, "crowd": 0.2}[v.seg.tokens[c].At.In(segment)]
		if want == 0 {
			want = 1
		}
		if v.said[i] != want {
			t.Errorf("%q: %v, not %v", v.seg.tokens[c].At.In(segment), v.said[i], want)
		}
	}
}

// byWord is a judge that doubts some words.
type byWord map[string]float64

func (j byWord) Judge(_ context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	out := make([]ibid.Judgement, len(pairs))
	for i, p := range pairs {
		out[i] = ibid.Judgement{Supported: 0.5, Unsupported: 0.5}
		for _, w := range written(p.Claim) {
			support, ok := j[w.text]
			if !ok {
				support = 1
			}
			out[i].Words = append(out[i].Words, ibid.WordSupport{At: w.at, Support: support})
		}
	}
	return out, nil
}
