package gate_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
)

func preset(t testing.TB, name string) gate.Policy {
	t.Helper()
	p, err := gate.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func cited(text string, trust ibid.Trust) gate.Claim {
	return gate.Claim{Text: text, Source: "s", Trust: trust}
}

func TestCoverage(t *testing.T) {
	tool := ibid.ToolBoundary
	for _, c := range []struct {
		rule   string
		policy string
		claims []gate.Claim
		cover  float64
		out    gate.Outcome
		line   string
	}{
		{"two of three", "production", []gate.Claim{cited("one thing", tool), cited("other thing", tool), {Text: "third thing"}}, 2. / 3, gate.Block, "Coverage: 2/3 | Compliant: false"},
		{"nothing is required", "production", nil, 1, gate.Pass, "Coverage: 0/0 | Compliant: true"},
		{"exempt claims are counted apart, never as cited", "production", []gate.Claim{{Text: "sorted", Exempt: "structural"}, cited("a fact", tool)}, 1, gate.Pass, "Coverage: 1/1 | Compliant: true"},
		{"exempt claims do not lift the coverage", "production", []gate.Claim{{Text: "sorted", Exempt: "structural"}, {Text: "a fact"}}, 0, gate.Block, "Coverage: 0/1 | Compliant: false"},
		{"an empty source id is uncited whatever the trust says", "production", []gate.Claim{{Text: "a fact", Trust: tool}}, 0, gate.Block, "Coverage: 0/1 | Compliant: false"},
		{"nor does a blank one cite", "production", []gate.Claim{{Text: "a fact", Source: " ", Trust: tool}}, 0, gate.Block, "Coverage: 0/1 | Compliant: false"},
		{"development warns under 0.90", "development", []gate.Claim{cited("a fact", tool), {Text: "b fact"}}, 0.5, gate.Warn, "Coverage: 1/2 | Compliant: false"},
		{"which nine of ten reach", "development", append(many(9), gate.Claim{Text: "b fact"}), 0.9, gate.Pass, "Coverage: 9/10 | Compliant: true"},
		{"internal flags under 0.90", "internal", []gate.Claim{{Text: "b fact"}}, 0, gate.Flag, "Coverage: 0/1 | Compliant: false"},
		{"0.90 is reached by nine of ten", "internal", append(many(9), gate.Claim{Text: "b fact"}), 0.9, gate.Pass, "Coverage: 9/10 | Compliant: true"},
		{"creative looks at nothing", "creative", []gate.Claim{{Text: "b fact"}}, 1, gate.Pass, "Coverage: 0/0 | Compliant: true"},
		{"regulated wants the words of a number", "regulated", []gate.Claim{cited("it took 3 weeks", ibid.Judged)}, 0, gate.Block, "Coverage: 0/1 | Compliant: false"},
		{"regulated takes a number that stands there", "regulated", []gate.Claim{cited("it took 3 weeks", ibid.Quoted)}, 1, gate.Pass, "Coverage: 1/1 | Compliant: true"},
		{"regulated takes no marker", "regulated", []gate.Claim{cited("a fact", ibid.Marked)}, 0, gate.Block, "Coverage: 0/1 | Compliant: false"},
	} {
		r := preset(t, c.policy).Decide(c.claims)
		if r.Coverage != c.cover || r.Outcome != c.out || r.Summary() != c.line || r.Compliant != (c.out == gate.Pass) {
			t.Errorf("%s: coverage %v, %s, %s", c.rule, r.Coverage, r.Outcome, r.Summary())
		}
	}
}

func many(n int) []gate.Claim {
	var out []gate.Claim
	for range n {
		out = append(out, cited("a fact", ibid.Judged))
	}
	return out
}

func TestStrictFailureText(t *testing.T) {
	err := preset(t, "production").Decide(append(many(2), gate.Claim{Text: "third thing"})).Err()
	var refused *gate.RefusedError
	if !errors.As(err, &refused) || err.Error() != "Attribution coverage 66.67% below threshold 100%" {
		t.Errorf("got %v", err)
	}
	// What is below is never said to have been reached.
	err = preset(t, "production").Decide(append(many(19_999), gate.Claim{Text: "third thing"})).Err()
	if err == nil || err.Error() != "Attribution coverage 99.99% below threshold 100%" {
		t.Errorf("got %v", err)
	}
	if err := preset(t, "development").Decide([]gate.Claim{{Text: "a fact"}}).Err(); err != nil {
		t.Errorf("a warning is an error: %v", err)
	}
}

func TestKinds(t *testing.T) {
	number, quote, name, absence, opinion, statement := gate.Number, gate.Quote, gate.Name, gate.Absence, gate.Opinion, gate.Statement
	for text, want := range map[string][]gate.Kind{
		"it failed after three weeks":                    {number},
		"The bill was 12 %.":                             {number},
		"He called it “a great success”.":                {quote},
		"The ship was built by Brunel.":                  {name},
		"The documents do not mention a second attempt.": {number, absence},
		"There is no evidence of that.":                  {absence},
		"You should prefer the other one.":               {opinion},
		"the insulation failed":                          {statement},
		"Whitehouse failed":                              {statement}, // a first word has its capital from its place
		"Thomson said “the signal is weak” in 1858.":     {number, quote},
		"": {statement},

		"One ship sank.":                                  {number},
		"Zero deaths were counted.":                       {number},
		"A third of the crew died.":                       {number},
		"It was the first cable.":                         {number},
		"First, the insulation failed.":                   {statement},
		"It rose tenfold in the nineties.":                {number},
		"A trillion went into it.":                        {number},
		"He reigned as George III did.":                   {number, name},
		"It was laid on a Tuesday.":                       {number, name},
		"It may march on.":                                {statement},
		"No one came.":                                    {absence},
		"after th\u00adree weeks":                         {number}, // a soft hyphen
		"after th\u200bree weeks":                         {number}, // a space without width
		"after ｔｈｒｅｅ weeks":                               {number},
		"after thr\u0435\u0435 weeks":                     {number}, // Cyrillic letters: no word can be told
		"кабель лежит на дне моря":                        {statement},
		"He said ‘we shall sail’ and left.":               {quote},
		"He said 'we shall sail' and left.":               {quote},
		"He called it “impossible”.":                      {quote},
		"»so war es nie«, sagte er":                       {quote},
		"„so war es nie”, sagte er":                       {quote},
		"He said ``we shall sail'' and left.":             {quote},
		"She said 「船は沈んだ」。":                               {quote},
		"He said ＂we shall sail＂.":                        {quote},
		"“We shall sail.":                                 {quote}, // a sentence of a longer quotation
		"> we shall sail":                                 {quote},
		"The ships' crews didn't see the captain's wife.": {statement},
		"it was a 5\" gun":                                {number},
		"The ship (Agamemnon) sank.":                      {name},
		"McDonald failed.":                                {name},
		"The NATO report was late.":                       {name},
		"Dr. Watson left.":                                {name}, // the full stop of an abbreviation ends no sentence
		"The ship sank off St. Helena.":                   {name},
		"It was laid, e.g. Brunel did so.":                {name},
		"The wire broke. Nobody knew why. It was late!":   {absence},
		"1. The wire broke.":                              {number},
		"Why? The wire broke.":                            {statement},
		"I said that I'd go, and I'm gone.":               {statement},
		"No side effects were seen.":                      {absence},
		"No deaths have been reported.":                   {absence},
		"It was laid without any evidence of use.":        {absence},
		"It isn’t known.":                                 {absence},
		"It cannot be found.":                             {absence},
		"It did not fail.":                                {statement},
		"Unfortunately the insulation failed.":            {statement}, // the adverb does not make it a view
		"In our view it was a bad idea.":                  {opinion},

		"One may sail.":                    {statement}, // "one" counts nothing here
		"In May it sank.":                  {number, name},
		"It sank in March.":                {number, name},
		"May it sail.":                     {statement},
		"Monday was calm.":                 {number},
		"The manifold broke.":              {statement},
		"World War II began.":              {number, name},
		"He read chapter MCMXLIV.":         {number, name},
		"He read chapter XIIII.":           {name},
		"Plan C failed.":                   {name},
		"кот рос":                          {statement}, // letters that look like Latin ones, and are none of those around them
		"''We shall sail.":                 {quote},
		"He said ``we shall sail.":         {quote},
		"He wrote '5 ships' and left.":     {number, quote},
		"It was late, 'twas dark.":         {statement},
		"'Twas the captain's wife.":        {statement},
		"The captain's ships' crews left.": {statement},
		"Then I left.":                     {statement},
		"5 men, e.g. Brunel, died.":        {number, name},
		"5 Britons died.":                  {number, name},
		"It was laid without evidence.":    {absence},
		"It left without one.":             {number},
		"There is no ship.":                {absence},
		"There has been no ship.":          {absence},
		"There have been no ships.":        {absence},
		"There came no ship.":              {statement},
		"It has been no ship.":             {statement},
		"It is no ship.":                   {statement},
		"There it was no ship.":            {statement},
		"No ship was seen.":                {absence},
		"No ship was late.":                {statement},
		"No captain of them said so.":      {statement},
		"It was said no ship sailed.":      {statement},
		"It has not been found.":           {absence},
		"I think it broke.":                {opinion},
		"We believe it broke.":             {opinion},
		"They think it broke.":             {statement},
		"It ought to float.":               {opinion},
		"They ought not sail.":             {statement},
		"It came to a stop.":               {statement},
		"In my opinion it broke.":          {opinion},
		"It came in full view.":            {statement},
		"It fell from our view.":           {statement},
		"It was in our way.":               {statement},
		"It is worth a look.":              {opinion},
		"It is wise to wait.":              {opinion},
		"It is late.":                      {statement},
		"The wire is worth little.":        {statement},
		"It was worth little.":             {statement},
	} {
		if got := gate.KindsOf(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// However much there is to read, in time that grows with it: words that nearly make a phrase are met again and again.
func TestKindsOfALongClaim(t *testing.T) {
	for _, part := range []string{"no other known single ", "there has been ' ", "can not be been ", "'a ", "XXX", "Dr. ", "a. A ", "a? ", "\"A. "} {
		gate.KindsOf(strings.Repeat(part, 1<<20/len(part)))
	}
}

func FuzzKindsOf(f *testing.F) {
	f.Add("He said ‘no’ — “5” wеeks")
	f.Fuzz(func(t *testing.T, claim string) {
		kinds := gate.KindsOf(claim)
		if len(kinds) == 0 || len(kinds) > 1 && slices.Contains(kinds, gate.Statement) {
			t.Fatalf("%q is %v", claim, kinds)
		}
		if hidden := gate.KindsOf(strings.ReplaceAll(claim, "e", "\u00ade")); utf8.ValidString(claim) && !slices.Equal(kinds, hidden) {
			t.Fatalf("%q is %v, and with soft hyphens %v", claim, kinds, hidden)
		}
	})
}

const newsroom = `
name = "newsroom"
base = "production"
environment = "print"

[kinds.number]
trust = "quote"

[kinds.opinion]
threshold = 0
outcome = "warn"

[environments.print]
[environments.draft]
threshold = 0.5
outcome = "flag"
hold = "nothing"
kinds.number = {outcome = "flag"}
`

func TestPolicyByEnvironmentAndKind(t *testing.T) {
	print, err := gate.Parse([]byte(newsroom), "")
	if err != nil {
		t.Fatal(err)
	}
	draft, err := gate.Parse([]byte(newsroom), "draft")
	if err != nil {
		t.Fatal(err)
	}
	claims := []gate.Claim{cited("it took 3 weeks", ibid.Judged), cited("the wire broke", ibid.Judged), {Text: "you should use copper"}}
	r := print.Decide(claims)
	if r.Outcome != gate.Block || !reflect.DeepEqual(r.Uncovered, []int{0}) || r.Err().Error() != "Attribution coverage of numbers 0.00% below threshold 100%" {
		t.Errorf("print: %+v", r)
	}
	if r := draft.Decide(claims); r.Outcome != gate.Flag {
		t.Errorf("draft: %+v", r)
	}
	if print.Version() == draft.Version() || print.Environment != "print" || draft.Hold != gate.HoldNothing {
		t.Errorf("%+v, %+v", print, draft)
	}
}

// What a kind leaves open is as in the default, also where an environment says another one: a stricter environment is so for all.
func TestEnvironmentReachesTheKinds(t *testing.T) {
	const policy = `
base = "%s"
threshold = 0.5
outcome = "warn"
[kinds.number]
trust = "quote"
[kinds.opinion]
threshold = 0
[environments.print]
threshold = 1.0
outcome = "block"
[environments.draft]
kinds.number = {threshold = 0.2}
`
	of := func(base, environment string) gate.Policy {
		p, err := gate.Parse(fmt.Appendf(nil, policy, base), environment)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	print := of("production", "print")
	want := map[gate.Kind]gate.Rule{gate.Number: {Threshold: 1, Trust: ibid.Quoted, Outcome: gate.Block}, gate.Opinion: {Threshold: 0, Outcome: gate.Block}}
	if !reflect.DeepEqual(print.Kinds, want) {
		t.Errorf("print: %+v", print.Kinds)
	}
	claims := []gate.Claim{cited("It took 3 weeks.", ibid.Quoted), {Text: "It killed 300 men."}}
	if r := print.Decide(claims); r.Outcome != gate.Block {
		t.Errorf("print: %+v", r)
	}
	if got := of("production", "").Kinds[gate.Number]; got != (gate.Rule{Threshold: 0.5, Trust: ibid.Quoted, Outcome: gate.Warn}) {
		t.Errorf("in none: %+v", got)
	}
	if got := of("production", "draft").Kinds[gate.Number]; got != (gate.Rule{Threshold: 0.2, Trust: ibid.Quoted, Outcome: gate.Warn}) {
		t.Errorf("draft: %+v", got)
	}
	regulated := of("regulated", "").Kinds
	if exact := (gate.Rule{Threshold: 1, Trust: ibid.Quoted, Outcome: gate.Block}); regulated[gate.Quote] != exact || regulated[gate.Number] != exact {
		t.Errorf("a preset's own kinds: %+v", regulated)
	}
}

// What is held back follows from the outcomes, unless the file says it: then it stands in every environment that does not say otherwise.
func TestHoldThatWasAskedForStands(t *testing.T) {
	for policy, want := range map[string]gate.Hold{
		"outcome = \"flag\"\nhold = \"answer\"\n[environments.e.kinds.number]\nthreshold = 0.5":             gate.HoldAnswer,
		"outcome = \"block\"\nhold = \"segment\"\n[environments.e.kinds.number]\nthreshold = 0.5":           gate.HoldSegment,
		"outcome = \"block\"\nhold = \"segment\"\n[environments.e]\noutcome = \"repair\"":                   gate.HoldSegment,
		"outcome = \"block\"\nhold = \"segment\"\n[environments.e]\noutcome = \"flag\"\nhold = \"nothing\"": gate.HoldNothing,
		"outcome = \"flag\"\n[environments.e]\noutcome = \"block\"":                                         gate.HoldAnswer,
		"outcome = \"block\"\n[environments.e]\noutcome = \"flag\"":                                         gate.HoldNothing,
		"outcome = \"flag\"\n[environments.e.kinds.number]\noutcome = \"repair\"":                           gate.HoldAnswer,
		"base = \"development\"\n[environments.e]\nthreshold = 0.5":                                         gate.HoldNothing,
		"base = \"development\"\n[environments.e.kinds.number]\noutcome = \"block\"":                        gate.HoldAnswer,
	} {
		if p, err := gate.Parse([]byte(policy), "e"); err != nil || p.Hold != want {
			t.Errorf("%q: %q, %v", policy, p.Hold, err)
		}
	}
}

// Whatever a file says counts: with any one of the settings it is another policy than without.
func TestEverySettingCounts(t *testing.T) {
	plain, err := gate.Parse([]byte(`base = "production"`), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range []string{`name = "x"`, "off = true", "threshold = 0.5", `trust = "quote"`, `outcome = "repair"`, `hold = "segment"`, `mend = "rewrite"`,
		"per_agent = true", "everything = true", "kinds.number.threshold = 0.5", `kinds.number.trust = "tool"`, `kinds.number.outcome = "warn"`} {
		p, err := gate.Parse([]byte(setting), "")
		if err != nil || p.Version() == plain.Version() {
			t.Errorf("%s is passed over, %v", setting, err)
		}
	}
}

func TestLaxRuleForOneKindDoesNotLetOutAnother(t *testing.T) {
	p, err := gate.Parse([]byte("[kinds.opinion]\nthreshold = 0\noutcome = \"warn\"\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]gate.Outcome{
		"You should use copper.":                            gate.Pass,  // an opinion and nothing else
		"The best ship, the Great Eastern, sank off Brest.": gate.Block, // and a name, which has no rule of its own
		"I think it killed 300 men.":                        gate.Block, // and a number
	} {
		if r := p.Decide([]gate.Claim{{Text: text}}); r.Outcome != want {
			t.Errorf("%q: %s by %v", text, r.Outcome, gate.KindsOf(text))
		}
	}
}

// What makes no claim by its form is exempt, unless the policy looks at everything: then a heading says no more than a sentence may.
func TestEverythingIsLookedAt(t *testing.T) {
	claims := []gate.Claim{{Text: "# It killed 300 men", Exempt: gate.NoClaim}, {Text: "## Summary", Exempt: gate.NoClaim}, {Text: "Did you know that Whitehouse was to blame?", Exempt: gate.NoClaim},
		{Text: "# “so be it”", Exempt: gate.NoClaim}, {Text: "3 pages were read.", Exempt: "run"}, cited("The wire broke.", ibid.Judged)}
	if r := preset(t, "production").Decide(claims); r.Outcome != gate.Pass || r.Exempt != 5 {
		t.Errorf("%+v", r)
	}
	p, err := gate.Parse([]byte("everything = true\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	r := p.Decide(claims)
	if r.Outcome != gate.Block || r.Exempt != 2 || !reflect.DeepEqual(r.Uncovered, []int{0, 2, 3}) || p.Version() == preset(t, "production").Version() {
		t.Errorf("%+v", r)
	}
	if out := p.Stream().Next(claims[0]); out != gate.Block {
		t.Errorf("by segment: %s", out)
	}
}

// A link that is enough for one rule and not for another fails that other rule alone: what happens is what that one says.
func TestClaimFailsTheRuleThatAsksForMore(t *testing.T) {
	p, err := gate.Parse([]byte("[kinds.number]\ntrust = \"tool\"\noutcome = \"flag\"\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	r := p.Decide([]gate.Claim{cited("It was completed by Brunel in 1858.", ibid.Quoted)})
	if want := []string{"Attribution coverage of numbers 0.00% below threshold 100%"}; r.Outcome != gate.Flag || !reflect.DeepEqual(r.Reasons, want) {
		t.Errorf("%s, %q", r.Outcome, r.Reasons)
	}
	for _, k := range r.Kinds {
		if k.Part.Compliant != (k.Kind == gate.Name) {
			t.Errorf("%+v", k)
		}
	}
}

// A claim of which every rule says that it is to be repaired is, though others wait for another rule.
func TestRepairWhileOthersAreHeld(t *testing.T) {
	p := preset(t, "production")
	p.Default.Outcome = gate.Repair
	p.Kinds = map[gate.Kind]gate.Rule{gate.Name: {Threshold: 0.5, Outcome: gate.Block}}
	s := p.Stream()
	for _, c := range []struct {
		claim gate.Claim
		want  gate.Outcome
	}{
		{gate.Claim{Text: "It was laid by Brunel."}, gate.Block},
		{gate.Claim{Text: "It failed in 1858."}, gate.Repair},
		{gate.Claim{Text: "It was blamed on Whitehouse in 1858."}, gate.Block},
		{cited("It was sold to Field.", ibid.Quoted), gate.Block},
		{gate.Claim{Text: "It simply stopped."}, gate.Repair},
	} {
		if out := s.Next(c.claim); out != c.want {
			t.Errorf("%s: %s", c.claim.Text, out)
		}
	}
}

// A claim that fails no more than a warning goes out, though another is repaired.
func TestWarningIsNotRepaired(t *testing.T) {
	p := preset(t, "production")
	p.Default.Outcome = gate.Warn
	p.Kinds = map[gate.Kind]gate.Rule{gate.Number: {Threshold: 1, Outcome: gate.Repair}, gate.Opinion: {Threshold: 1, Outcome: gate.Flag}}
	claims := []gate.Claim{{Text: "The wire broke."}, {Text: "It failed in 1858."}, {Text: "It simply stopped."}, {Text: "You should use copper."}}
	if r := p.Decide(claims); r.Outcome != gate.Repair || !reflect.DeepEqual(r.Uncovered, []int{1, 3}) || len(r.Uncited) != 4 {
		t.Errorf("%+v", r)
	}
	if r := p.Decide(claims[2:3]); r.Outcome != gate.Warn || !reflect.DeepEqual(r.Uncovered, []int{0}) {
		t.Errorf("%+v", r)
	}
	p.Kinds = map[gate.Kind]gate.Rule{gate.Number: {Threshold: 1, Outcome: gate.Repair}, gate.Name: {Threshold: 0.5, Outcome: gate.Block}}
	s := p.Stream()
	for i, c := range []gate.Claim{{Text: "It was laid by Brunel in 1858."}, cited("It was built by Brunel.", ibid.Quoted), {Text: "It simply stopped."}} {
		if out := s.Next(c); out != gate.Block {
			t.Errorf("%d: %s", i, out)
		}
	}
	if out := s.Next(gate.Claim{Text: "It failed in 1858."}); out != gate.Repair {
		t.Errorf("by segment: %s", out)
	}
}

func TestVersionIsOfWhatThePolicySays(t *testing.T) {
	a, err := gate.Parse([]byte("name = \"x\"\nthreshold = 0.8\n[kinds.number]\ntrust = \"tool\"\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := gate.Parse([]byte(`{"kinds": {"number": {"trust": "tool"}}, "threshold": 0.80, "name": "x"}`), "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := gate.Parse([]byte(`{"kinds": {"number": {"trust": "quote"}}, "threshold": 0.80, "name": "x"}`), "")
	if err != nil {
		t.Fatal(err)
	}
	if a.Version() != b.Version() || a.Version() == c.Version() || len(a.Version()) != 16 {
		t.Errorf("versions %s, %s, %s", a.Version(), b.Version(), c.Version())
	}
}

func TestPolicyThatCannotBeMeant(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "it is empty",
		"\xff\xfe":                              "not valid UTF-8",
		"treshold = 1.0":                        "unknown setting treshold",
		`{"treshold": 1}`:                       `name "treshold" is not known`,
		"\n{\"kinds\":\n [1]}":                  `"kinds": a list in the place of an object (line 3, column 2)`,
		"threshold = 1.01":                      "not a share",
		"threshold = -0.1":                      "not a share",
		"threshold = nan":                       "not a share",
		`outcome = "explode"`:                   "choose one of warn, flag, repair, block",
		`outcome = "pass"`:                      "choose one of",
		"[kinds.rumour]\nthreshold = 1.0":       "choose one of number",
		`trust = "gossip"`:                      "gossip",
		"outcome = \"block\"\nhold=\"nothing\"": "cannot be kept back",
		`mend = "glue"`:                         "choose drop or rewrite",
		`hold = "breath"`:                       "choose nothing, segment or answer",
		`base = "nonsense"`:                     "there is no policy",
		`environment = "moon"`:                  `no environment "moon", nor any other`,
		"environment = \"moon\"\n[environments.print]\n[environments.draft]":                `no environment "moon", only draft, print`,
		`{"name": "x"} {"name": "y"}`:                                                       "something follows",
		"threshold = -0.0":                                                                  "not a share",
		`{"threshold": 1, "threshold": 0}`:                                                  `"threshold" is set twice`,
		`{"threshold": 1, "Threshold": 0}`:                                                  `"threshold" is set twice`,
		`{"threshold": 1, "thre\u017fhold": 0}`:                                             `"threshold" is set twice`, // a long s
		"{\"threshold\": 1, \"thre\u017fhold\": 0}":                                         `"threshold" is set twice`,
		`{"kinds": {}, "\u212ainds": {}}`:                                                   `"kinds" is set twice`, // the sign of the kelvin
		"threshold = 1.0\nthreshold = 0.0":                                                  "threshold",
		"threshold = 1.0\nTHRESHOLD = 0.0":                                                  `"threshold" is set twice`,
		"threshold = 1.0\n\"thre\u017fhold\" = 0.0":                                         `"threshold" is set twice`,
		"[kinds.number]\ntrust = \"tool\"\nTrust = \"marker\"":                              `"kinds.number.trust" is set twice`,
		`{"kinds": {"quote": {"trust": "tool", "trust": "marker"}}}`:                        `"trust" is set twice`,
		"[kinds.number]\nhold = \"answer\"":                                                 "unknown setting kinds.number.hold",
		"[kinds.number]\nmend = \"rewrite\"":                                                "unknown setting kinds.number.mend",
		"[kinds.number]\noff = true":                                                        "unknown setting kinds.number.off",
		`{"kinds": {"number": {"kinds": {}}}}`:                                              `"kinds" is not known`,
		"outcome = \"flag\"\nhold = \"nothing\"\n[environments.print]\noutcome = \"block\"": `environment "print": hold "nothing": what is shown already cannot be kept back`,
		"[environments.draft]\nthreshold = 2.0":                                             `environment "draft": threshold 2 is not a share`, // though it is not asked for
	} {
		_, err := gate.Parse([]byte(text), "")
		if !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, good := range []string{`{"environments": {"Prüfung": {"off": true, "hold": "nothing"}}, "environment": "Prüfung"}`, `{"environments": {"Prüfung": {}, "draft": {}}, "environment": "Prüfung"}`, "environment = \"Prüfung\"\n[environments.\"Prüfung\"]\n[environments.draft]\nkinds.number.trust = \"tool\"\nkinds.number.threshold = 1.0\n[kinds.name]\n[kinds.quote]\n"} {
		if p, err := gate.Parse([]byte(good), ""); err != nil || p.Environment != "Prüfung" {
			t.Errorf("%q: %v", good, err)
		}
	}
	if _, err := gate.Preset("strict"); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "choose one of production, ") || strings.Contains(err.Error(), "file") { // which the API takes none of
		t.Errorf("got %v", err)
	}
}

func TestEachAgentByItself(t *testing.T) {
	claims := append(many(9), gate.Claim{Text: "b fact", Agent: "writer"})
	p := preset(t, "multi-agent")
	p.Default.Threshold = 0.9
	r := p.Decide(claims)
	if r.Outcome != gate.Block || r.Coverage != 0.9 || len(r.Agents) != 2 || r.Agents[1].Name != "writer" || r.Agents[1].Compliant || !r.Agents[0].Compliant {
		t.Errorf("%+v", r)
	}
	if got := r.Err().Error(); got != `Attribution coverage by agent "writer" 0.00% below threshold 90%` {
		t.Error(got)
	}
}

func TestCoveragePerRung(t *testing.T) {
	r := preset(t, "development").Decide([]gate.Claim{cited("a", ibid.ToolBoundary), cited("b", ibid.Judged), cited("c", ibid.Judged), cited("d", ibid.Marked), {Text: "e"}})
	want := []gate.Rung{{Trust: ibid.ToolBoundary, Claims: 1, Coverage: 0.2}, {Trust: ibid.Judged, Claims: 2, Coverage: 0.6}, {Trust: ibid.Marked, Claims: 1, Coverage: 0.8}}
	if !reflect.DeepEqual(r.Rungs, want) {
		t.Errorf("%+v", r.Rungs)
	}
}

// Each kind is held to its own rule, and to the default where it has none.
func TestCoveragePerKind(t *testing.T) {
	p := preset(t, "development")
	p.Kinds = map[gate.Kind]gate.Rule{gate.Number: {Threshold: 0.5, Outcome: gate.Warn}}
	r := p.Decide([]gate.Claim{cited("It took 3 weeks.", ibid.Judged), {Text: "It cost 4 lives."}, {Text: "It was laid by Brunel."}})
	want := []gate.KindReport{{Kind: gate.Number, Part: gate.Part{Name: "number", Required: 2, Cited: 1, Coverage: 0.5, Threshold: 0.5, Compliant: true}},
		{Kind: gate.Name, Part: gate.Part{Name: "name", Required: 1, Threshold: 0.9}}}
	if !reflect.DeepEqual(r.Kinds, want) {
		t.Errorf("%+v", r.Kinds)
	}
}

// A policy that is off costs nothing.
func TestOffCostsNothing(t *testing.T) {
	p, claims := preset(t, "creative"), many(1000)
	if n := testing.AllocsPerRun(10, func() { p.Decide(claims) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSegmentsOfAnAnswer(t *testing.T) {
	a := ibid.Answer{Text: "One. Two. Three. Four.", Segments: []ibid.Segment{
		{At: ibid.Span{Start: 0, End: 4}, Origin: ibid.RAG}, {At: ibid.Span{Start: 5, End: 9}, Origin: ibid.HYBRID},
		{At: ibid.Span{Start: 10, End: 16}, Origin: ibid.NONE}, {At: ibid.Span{Start: 17, End: 22}, Origin: ibid.RAG, Contradicted: []ibid.Contradiction{{}}},
	}, Attributions: []ibid.Attribution{{Of: ibid.Span{Start: 0, End: 4}, Trust: ibid.Judged, To: ibid.Anchor{Document: "d"}}, {Of: ibid.Span{Start: 0, End: 4}, Trust: ibid.Quoted, To: ibid.Anchor{Document: "e"}},
		{Of: ibid.Span{Start: 0, End: 4}, Trust: ibid.Quoted, To: ibid.Anchor{Document: "f"}}, // of two on the same rung the first counts
		{Of: ibid.Span{Start: 5, End: 9}, Trust: ibid.Judged, To: ibid.Anchor{Document: "d"}}, {Of: ibid.Span{Start: 17, End: 22}, Trust: ibid.Judged, To: ibid.Anchor{Document: "d"}}}}
	claims := gate.OfAnswer(a)
	r := preset(t, "development").Decide(claims)
	if r.Total != 4 || r.Required != 3 || r.Cited != 1 || r.Exempt != 1 || claims[0].Trust != ibid.Quoted || claims[0].Source != "e" {
		t.Errorf("%+v of %+v", r, claims)
	}
	if v := r.Verdict(claims); v.Pass || len(v.Uncovered) != 2 || v.Uncovered[0] != a.Segments[1].At || v.Policy == "" {
		t.Errorf("%+v", v)
	}
}

func TestClaimsOfARun(t *testing.T) {
	run := ibid.Run{Claims: []ibid.Claim{
		{Text: "a", Agent: "x", Source: &ibid.SourceReference{Identifier: "search-1"}},
		{Text: "b", Agent: "y"},
		{Text: "c", Exempt: ibid.AboutRun},
	}}
	want := []gate.Claim{{Text: "a", Agent: "x", Source: "search-1", Trust: ibid.ToolBoundary}, {Text: "b", Agent: "y"}, {Text: "c", Exempt: "run"}}
	if got := gate.OfRun(run); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// Whatever part of a recorded report was changed, the decision made again differs from it.
func TestReplayFindsAnyChange(t *testing.T) {
	p := preset(t, "multi-agent")
	claims := []gate.Claim{cited("It took 3 weeks.", ibid.Judged), {Text: "It was laid by Brunel.", Agent: "b"}, {Text: "sorted", Exempt: "structural"}}
	d := gate.Decision{Subject: "answer 4f2a", Version: p.Version(), Claims: claims, Report: p.Decide(claims)}
	if diff, err := d.Replay(p); err != nil || diff != nil {
		t.Fatalf("untouched: %q, %v", diff, err)
	}
	for i := range reflect.TypeFor[gate.Report]().NumField() {
		forged := d
		field, name := reflect.ValueOf(&forged.Report).Elem().Field(i), reflect.TypeFor[gate.Report]().Field(i).Tag.Get("json")
		if field.Kind() == reflect.Bool {
			field.SetBool(!field.Bool())
		} else {
			field.SetZero()
		}
		name, _, _ = strings.Cut(name, ",")
		if diff, err := forged.Replay(p); err != nil || len(diff) != 1 || !strings.HasPrefix(diff[0], name+":") {
			t.Errorf("with another %s: %q, %v", name, diff, err)
		}
	}
	d.Version = preset(t, "production").Version()
	if _, err := d.Replay(p); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("by another policy: %v", err)
	}
}

func randomClaims(t *rapid.T) []gate.Claim {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) gate.Claim {
		c := gate.Claim{Text: rapid.SampledFrom([]string{"a fact", "it took 3 weeks", "you should", "no evidence exists", "he said “so be it”", "by Brunel of Bristol", "by Brunel in 1858", "you should ask Brunel 3 times"}).Draw(t, "text"),
			Agent: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "agent"), Trust: ibid.Trust(rapid.IntRange(0, 5).Draw(t, "trust"))}
		if rapid.Bool().Draw(t, "linked") {
			c.Source = "s"
		}
		if rapid.IntRange(0, 4).Draw(t, "exempt") == 0 {
			c.Exempt = "computed"
		}
		return c
	}), 0, 12).Draw(t, "claims")
}

func randomRules(t *rapid.T, outcomes ...gate.Outcome) map[gate.Kind]gate.Rule {
	out := map[gate.Kind]gate.Rule{}
	for _, k := range []gate.Kind{gate.Number, gate.Quote, gate.Name, gate.Absence, gate.Opinion} {
		if rapid.Bool().Draw(t, string(k)) {
			out[k] = gate.Rule{Threshold: rapid.SampledFrom([]float64{0, 0.5, 0.9, 1}).Draw(t, "threshold"), Trust: ibid.Trust(rapid.IntRange(0, 5).Draw(t, "trust")),
				Outcome: rapid.SampledFrom(outcomes).Draw(t, "outcome")}
		}
	}
	return out
}

// Whatever the claims: the numbers add up, the order of the claims decides nothing, a better link never makes it worse,
// and what is left after the uncovered claims are taken out passes, with a warning at most where the rest was repaired.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, _ := gate.Preset(rapid.SampledFrom([]string{"production", "development", "regulated", "internal", "multi-agent"}).Draw(t, "preset"))
		if rapid.Bool().Draw(t, "of one's own") {
			p.Kinds = randomRules(t, gate.Warn, gate.Flag, gate.Repair, gate.Block)
		}
		claims := randomClaims(t)
		r := p.Decide(claims)
		if r.Total != len(claims) || r.Required+r.Exempt != r.Total || r.Cited+len(r.Uncited) != r.Required || r.Compliant != (r.Outcome == gate.Pass) {
			t.Fatalf("%+v", r)
		}
		turned := make([]gate.Claim, len(claims))
		for i, c := range claims {
			turned[len(claims)-1-i] = c
		}
		if q := p.Decide(turned); q.Outcome != r.Outcome || q.Coverage != r.Coverage || !reflect.DeepEqual(q.Reasons, r.Reasons) || !reflect.DeepEqual(q.Agents, r.Agents) {
			t.Fatalf("in another order %+v, not %+v", q, r)
		}
		if p.PerAgent {
			checkAgents(t, p, claims, r)
		}
		var kept []gate.Claim
		next := 0
		for i, c := range claims {
			if next < len(r.Uncovered) && r.Uncovered[next] == i {
				next++
				continue
			}
			kept = append(kept, c)
		}
		if q := p.Decide(kept); q.Outcome != gate.Pass && (r.Outcome != gate.Repair || q.Outcome != gate.Warn) {
			t.Fatalf("without the uncovered claims: %+v", q)
		}
		for i := range claims {
			better := append([]gate.Claim(nil), claims...)
			better[i].Source, better[i].Trust = "s", ibid.ToolBoundary
			if q := p.Decide(better); q.Coverage < r.Coverage || r.Compliant && !q.Compliant {
				t.Fatalf("a better link made %+v of %+v", q, r)
			}
		}
	})
}

// Where each agent is looked at by itself, it is judged as if there were no others, and all of them are the whole.
func checkAgents(t *rapid.T, p gate.Policy, claims []gate.Claim, r gate.Report) {
	required, cited := 0, 0
	for i, a := range r.Agents {
		if i > 0 && r.Agents[i-1].Name >= a.Name {
			t.Fatalf("out of order: %+v", r.Agents)
		}
		alone := p.Decide(slices.DeleteFunc(slices.Clone(claims), func(c gate.Claim) bool { return c.Agent != a.Name }))
		want := gate.Part{Name: a.Name, Required: alone.Required, Cited: alone.Cited, Coverage: alone.Coverage, Threshold: alone.Threshold, Compliant: alone.Compliant}
		if a != want {
			t.Fatalf("agent %+v, alone %+v", a, want)
		}
		required, cited = required+a.Required, cited+a.Cited
	}
	if required != r.Required || cited != r.Cited {
		t.Fatalf("agents with %d of %d claims, of %+v", cited, required, r)
	}
}

// By segment: at every moment what may be shown passes, and what passes as a whole is shown whole.
func TestStreamShowsOnlyWhatPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, _ := gate.Preset("production")
		p.Default.Threshold = rapid.SampledFrom([]float64{1, 0.9, 0.5}).Draw(t, "threshold")
		p.Default.Outcome = rapid.SampledFrom([]gate.Outcome{gate.Block, gate.Repair}).Draw(t, "outcome")
		if rapid.Bool().Draw(t, "of one's own") {
			p.Kinds = randomRules(t, gate.Repair, gate.Block)
		}
		s, without := p.Stream(), p.Stream()
		var shown, held []gate.Claim
		claims := randomClaims(t)
		for _, c := range claims {
			s.Clone().Next(gate.Claim{Text: "It took 3 weeks."}) // goes its own way
			out := s.Next(c)
			if out != gate.Repair { // what is repaired leaves no trace
				if w := without.Next(c); w != out {
					t.Fatalf("%+v: %s, and %s had nothing been repaired before", c, out, w)
				}
			}
			switch out {
			case gate.Pass:
				shown, held = append(append(shown, held...), c), nil
			case gate.Block:
				held = append(held, c)
			case gate.Repair:
				if alone := p.Decide([]gate.Claim{c}); alone.Exempt+alone.Cited > 0 {
					t.Fatalf("%+v is to be repaired", c)
				}
			default:
				t.Fatal("neither")
			}
			if r := p.Decide(shown); r.Outcome != gate.Pass {
				t.Fatalf("shown so far: %+v", r)
			}
		}
		if r := p.Decide(claims); r.Outcome == gate.Pass && p.Kinds == nil && p.Default.Outcome == gate.Block && len(held) > 0 {
			t.Fatalf("%d are held of what passes", len(held))
		}
	})
}

func TestCases(t *testing.T) {
	cases, err := gate.ReadCases(strings.NewReader(`
# a number without a source
{"name": "bare", "claims": [{"text": "It took 3 weeks."}], "want": {"outcome": "block", "coverage": 0, "uncited": ["It took 3 weeks."]}}
{"name": "good", "claims": [{"text": "It took 3 weeks.", "trust": "quote"}], "want": {"outcome": "pass", "coverage": 1}}
{"name": "wrong", "claims": [{"text": "It took 3 weeks.", "trust": "quote"}], "want": {"outcome": "flag", "coverage": 0.5, "uncited": ["It took 3 weeks."]}}
{"name": "to 4 places", "claims": [{"text": "a", "trust": "quote", "source": "s"}, {"text": "b", "trust": "quote"}, {"text": "c"}], "want": {"outcome": "block", "coverage": 0.6667}}
{"name": "not quite", "claims": [{"text": "a", "trust": "quote"}, {"text": "b", "trust": "quote"}, {"text": "c"}], "want": {"outcome": "block", "coverage": 0.6668}}
`))
	if err != nil {
		t.Fatal(err)
	}
	p := preset(t, "production")
	for i, differs := range []int{0, 0, 3, 0, 1} {
		if d := p.Test(cases[i]); len(d) != differs || cases[i].Line != i+3 {
			t.Errorf("%s, line %d: %q", cases[i].Name, cases[i].Line, d)
		}
	}
	if c := cases[3].Claims; c[0].Source != "s" || c[1].Source == "" || c[2].Source != "" {
		t.Errorf("a claim with a trust, and no other, has a source: %+v", c)
	}
	long := fmt.Sprintf(`{"claims":[{"text":%q}],"want":{"outcome":"pass"}}`, strings.Repeat("x", 1<<20))
	if _, err := gate.ReadCases(strings.NewReader("\ufeff" + long + "\r\n")); err != nil {
		t.Errorf("with the mark of its encoding, and long: %v", err)
	}
	for bad, want := range map[string]string{
		"":  "there are no cases",
		"{": "line 1",
		`{"claims":[],"want":{"outcome":"pass"}} {"claims":[{"text":"x"}],"want":{"outcome":"pass"}}`: "line 1: something follows",
		`{"want":{"outcome":"pass","outcome":"block"}}`:                                               `"outcome" is set twice`,
		"#\n" + strings.Repeat("x", 5<<20):                                                            "line 2: it is longer than 4 MB",
		`{"want":{"outcome":"maybe"}}`:                                                                "choose one of pass, warn",
		`{"claims":[{"text":"x"},{"text":" "}],"want":{"outcome":"pass"}}`:                            "claim 2 has no text",
		`{"claims":[{"text":"x"},{"text":"x","source":"s"}],"want":{"outcome":"pass"}}`:               "claim 2 has a source but no trust",
		`{"clams":[],"want":{"outcome":"pass"}}`:                                                      `"clams" is not known`,
		"#\n " + `{"claims":[{"text":"x"}],"want":{"coverage":"all"}}`:                                `case on line 2: "want.coverage": a string in the place of a number (column 46): invalid`,
	} {
		if _, err := gate.ReadCases(strings.NewReader(bad)); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: %v", bad, err)
		}
	}
}

// The page on the gate shows a policy and cases that are what it says.
func TestDocumentedPolicy(t *testing.T) {
	b, err := os.ReadFile("../docs/gate.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	_, rest, _ := strings.Cut(page, "```toml\n")
	policy, rest, ok := strings.Cut(rest, "```\n")
	p, err := gate.Parse([]byte(policy), "")
	if !ok || err != nil || p.Environment != "print" {
		t.Fatalf("%+v, %v", p, err)
	}
	if draft, err := gate.Parse([]byte(policy), "draft"); err != nil || draft.Hold != gate.HoldNothing {
		t.Errorf("%+v, %v", draft, err)
	}
	var lines []string
	for _, l := range strings.Split(rest, "\n") {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, "{") {
			lines = append(lines, l)
		}
	}
	cases, err := gate.ReadCases(strings.NewReader(strings.Join(lines, "\n")))
	if err != nil || len(cases) < 2 {
		t.Fatal(cases, err)
	}
	for _, c := range cases {
		if d := p.Test(c); d != nil {
			t.Errorf("%s: %v", c.Name, d)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(newsroom))
	f.Add([]byte(`{"name":"x","environments":{"a":{"kinds":{"quote":{"threshold":0}}}},"environment":"a"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := gate.Parse(b, "")
		if err != nil {
			if !errors.Is(err, ibid.ErrInvalid) {
				t.Fatalf("%v does not say that the input is at fault", err)
			}
			return
		}
		if p.Version() == "" {
			t.Fatal("no version")
		}
		if r := p.Decide(nil); r.Outcome != gate.Pass {
			t.Fatalf("nothing at all is refused: %+v", r)
		}
	})
}

func ExamplePolicy_Decide() {
	policy, _ := gate.Preset("production")
	report := policy.Decide([]gate.Claim{
		{Text: "The cable was completed on 5 August 1858.", Source: "search-1", Trust: ibid.ToolBoundary},
		{Text: "It carried messages for three weeks.", Source: "search-2", Trust: ibid.ToolBoundary},
		{Text: "Whitehouse is to blame."},
		{Text: "Two pages were read.", Exempt: "run"},
	})
	fmt.Println(report.Summary())
	fmt.Println(report.Err())
	// Output:
	// Coverage: 2/3 | Compliant: false
	// Attribution coverage 66.67% below threshold 100%
}

// FuzzCases: what is read as cases says the same however its lines end and whatever stands between them that is no case, and each
// case is the one of its line. What is no text is refused: a claim would be tried with other words than it has.
func FuzzCases(f *testing.F) {
	f.Add(`{"name":"a","claims":[{"text":"x","trust":"judged"}],"want":{"outcome":"block","coverage":0.5,"uncited":["x"]}}`)
	f.Add("# a remark\n\n{\"claims\":null,\"want\":{\"outcome\":\"pass\"}}\n{\"want\":{\"outcome\":\"warn\",\"uncited\":[]}}")
	f.Add("{\"name\":\"\xff\",\"want\":{\"outcome\":\"pass\"}}")
	f.Fuzz(func(t *testing.T, s string) {
		cases, err := gate.ReadCases(strings.NewReader(s))
		if err != nil {
			if !errors.Is(err, ibid.ErrInvalid) {
				t.Fatalf("%v does not say that the input is at fault", err)
			}
			return
		}
		if !utf8.ValidString(s) {
			t.Fatalf("%q is no text", s)
		}
		lines := strings.Split(strings.TrimPrefix(s, "\ufeff"), "\n")
		var apart strings.Builder
		for _, line := range lines {
			apart.WriteString(strings.TrimRight(line, "\r") + "\r\n \r\n# nothing\r\n")
		}
		again, err := gate.ReadCases(strings.NewReader("\ufeff" + apart.String()))
		if err != nil || len(again) != len(cases) {
			t.Fatalf("%q: %d cases, and with lines between them %d: %v", s, len(cases), len(again), err)
		}
		for i, c := range cases {
			again[i].Line = c.Line
			if !reflect.DeepEqual(again[i], c) {
				t.Fatalf("%+v became %+v", c, again[i])
			}
			alone, err := gate.ReadCases(strings.NewReader(lines[c.Line-1]))
			if err != nil || len(alone) != 1 || alone[0].Name != c.Name || len(alone[0].Claims) != len(c.Claims) {
				t.Fatalf("line %d of %q is not %+v: %+v, %v", c.Line, s, c, alone, err)
			}
			production := preset(t, "production")
			if got := production.Decide(c.Claims); len(production.Test(gate.Case{Claims: c.Claims, Want: gate.Want{Outcome: got.Outcome, Coverage: &got.Coverage}})) > 0 {
				t.Fatalf("%+v is not what was found of it", c)
			}
		}
	})
}
