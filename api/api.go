// Package api holds the forms that leave the server beside the nouns of the root package: what a list, a job, a key or an
// experiment looks like to who calls. The store keeps them, the server writes them, the client reads them, so that they
// cannot differ.
//
// Tags named doc, enum, minimum and so on go into the OpenAPI document.
package api

import (
	"time"

	"github.com/ibid-dev/ibid"
)

// Page is a part of a list.
type Page[T any] struct {
	Items []T `json:"items" doc:"In the order of the list."`
	// Next is given back as cursor to get what follows.
	Next string `json:"next,omitempty" doc:"Cursor of the next page; absent on the last one."`
}

// Find says which recorded answers are meant. What is empty leaves none out.
type Find struct {
	// Words must all stand in the question or the text, whatever their case and accents: "words in quotes" together, others
	// whole, and the last one, where no quote ends behind it, as a beginning. No other sign means anything.
	Words string
	// Source is one to which an attribution leads, in whichever version. That it was retrieved is not enough.
	Source ibid.SourceID
	// Conversation is the one that they are of.
	Conversation ibid.ConversationID
}

// AnswerHead is a recorded answer as a list shows it.
type AnswerHead struct {
	ID           ibid.AnswerID       `json:"id"`
	Conversation ibid.ConversationID `json:"conversation,omitempty"`
	Question     string              `json:"question"`
	Model        string              `json:"model"`
	CreatedAt    time.Time           `json:"created_at"`
	Excerpt      string              `json:"excerpt,omitempty" doc:"Where the words that were looked for stand in the answer's text; absent where they stand in the question alone, and of answers of more than a megabyte."`
}

// Source is a source as a list shows it, with its newest version.
type Source struct {
	ID         ibid.SourceID  `json:"id"`
	Collection string         `json:"collection,omitempty"`
	URI        string         `json:"uri" doc:"Where it was found. A file is known by its name alone."`
	Title      string         `json:"title"`
	Reference  ibid.Reference `json:"reference" doc:"The bibliographic record, as CSL-JSON."`
	AddedAt    time.Time      `json:"added_at"`
	Newest     *Version       `json:"newest,omitempty"`
	Versions   int            `json:"versions" doc:"How many there are."`
}

// Version is a snapshot of a source, without its text.
type Version struct {
	Document  ibid.DocumentID `json:"document" doc:"The hash of its text, by which it is opened."`
	Version   int             `json:"version" doc:"1 for the first."`
	MediaType string          `json:"media_type"`
	FetchedAt time.Time       `json:"fetched_at"`
	Bytes     int             `json:"bytes,omitempty" doc:"Of its text; where it is known."`
	Chunks    int             `json:"chunks,omitempty"`
}

// Job is work that takes longer than a request.
type Job struct {
	ID        string    `json:"id"`
	Kind      string    `json:"kind" enum:"ingest"`
	State     string    `json:"state" enum:"running,done,failed" doc:"failed: it was broken off; what was taken in until then stays."`
	Total     int       `json:"total"`
	Done      int       `json:"done" doc:"Inputs that are through, those that failed among them."`
	Failed    int       `json:"failed"`
	Outcomes  []Outcome `json:"outcomes" doc:"One for each input that is through, in their order."`
	Error     string    `json:"error,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Outcome is what became of one input.
type Outcome struct {
	Name     string          `json:"name"`
	Source   ibid.SourceID   `json:"source,omitempty"`
	Document ibid.DocumentID `json:"document,omitempty"`
	Version  int             `json:"version,omitempty"`
	New      bool            `json:"new" doc:"false: the library had it already."`
	Chunks   int             `json:"chunks,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	Error    string          `json:"error,omitempty" doc:"Why it was left out."`
}

// Scope is what a key may do. Each includes the one before it.
type Scope string

// The scopes, least first.
const (
	Read  Scope = "read"
	Write Scope = "write"
	Admin Scope = "admin"
)

// Allows reports whether the scope includes another.
func (s Scope) Allows(need Scope) bool { return s.rank() >= need.rank() }

func (s Scope) rank() int {
	switch s {
	case Read:
		return 1
	case Write:
		return 2
	case Admin:
		return 3
	}
	return 0
}

// Key is what is known of an API key. Its secret is shown once, when it is made.
type Key struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Collection is the only one that the key reaches; nil for all.
	Collection *string    `json:"collection,omitempty" doc:"The only collection it reaches; absent for all."`
	Scope      Scope      `json:"scope" enum:"read,write,admin"`
	CreatedAt  time.Time  `json:"created_at"`
	RevokedAt  *time.Time `json:"revoked_at,omitempty"`
}

// Verdict is what people say of the link between a segment and its source.
type Verdict string

// The verdicts on a link.
const (
	Right   Verdict = "right"   // the source says so
	Wrong   Verdict = "wrong"   // it does not
	Missing Verdict = "missing" // a source that says so is not cited
)

// Feedback is one verdict on a segment of a recorded answer, or on one source of it.
type Feedback struct {
	ID        string        `json:"id"`
	Answer    ibid.AnswerID `json:"answer"`
	Segment   int           `json:"segment" doc:"1 for the first."`
	Source    ibid.SourceID `json:"source,omitempty" doc:"The source it speaks of; absent where it speaks of the segment as a whole."`
	Verdict   Verdict       `json:"verdict" enum:"right,wrong,missing"`
	Note      string        `json:"note,omitempty"`
	By        string        `json:"by,omitempty" doc:"The id of the key that gave it, or the name of who did."`
	CreatedAt time.Time     `json:"created_at"`
}

// CitedPlace is a place of a document that an answer cites.
type CitedPlace struct {
	Answer     ibid.AnswerID `json:"answer"`
	Question   string        `json:"question"`
	Number     int           `json:"number" doc:"Of the citation, as the answer shows it."`
	At         ibid.Anchor   `json:"at"`
	Confidence float64       `json:"confidence"`
	CreatedAt  time.Time     `json:"created_at"`
}

// Experiment compares two settings on the questions that are asked while it runs.
type Experiment struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	A         Settings   `json:"a" doc:"What was there before."`
	B         Settings   `json:"b"`
	State     string     `json:"state" enum:"running,stopped" doc:"It is stopped by its rule, or by hand."`
	CreatedAt time.Time  `json:"created_at"`
	StoppedAt *time.Time `json:"stopped_at,omitempty"`
	Rule      Rule       `json:"rule"`
	Result    *Result    `json:"result,omitempty" doc:"Of coverage: the share of an answer's claims that are cited, the same answer attributed under both settings."`
}

// Settings are what an experiment can differ in. The zero value of each field leaves it as it is.
type Settings struct {
	Strategy string `json:"strategy,omitempty" enum:"markers,dual-pass,confidence,stream,full" doc:"Of attribution."`
	Passages int    `json:"passages,omitempty" minimum:"0" maximum:"50" doc:"How many are retrieved."`
}

// Rule says when an experiment ends.
type Rule struct {
	Alpha float64 `json:"alpha,omitempty" minimum:"0" maximum:"0.5" doc:"Chance of naming a winner where there is none, however often it is looked at; 0.05 where it is left out."`
	Least int     `json:"least,omitempty" minimum:"0" maximum:"100000" doc:"Pairs before a winner is named; 20 where it is left out."`
	Most  int     `json:"most,omitempty" minimum:"0" maximum:"100000" doc:"Pairs before it ends without one; 2,000 where it is left out."`
}

// Study is a piece of research, as a list shows it.
type Study struct {
	ID        string    `json:"id"`
	Topic     string    `json:"topic"`
	Depth     string    `json:"depth" enum:"shallow,moderate,thorough,comprehensive"`
	Questions int       `json:"questions"`
	Open      int       `json:"open" doc:"Questions that are still to be asked."`
	Done      bool      `json:"done"`
	Working   bool      `json:"working" doc:"It is being worked on."`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Insights is what many answers say together.
type Insights struct {
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
	Answers  int       `json:"answers"`
	Segments int       `json:"segments" doc:"That claim something."`
	Sources  float64   `json:"sources" doc:"Share of what is claimed that comes from sources, on average over answers."`
	Model    float64   `json:"model"`
	Uncited  int       `json:"uncited" doc:"Claims without a citation."`
	Denied   int       `json:"contradicted" doc:"Claims that a source denies."`
	Days     []Day     `json:"days" doc:"The oldest first; those without an answer are left out."`

	Top        []UsedSource `json:"top_sources" doc:"The most cited first."`
	Unused     []UsedSource `json:"unused_sources" doc:"Never cited; the first 50."`
	UnusedMore int          `json:"unused_total"`
	Outdated   []Outdated   `json:"outdated_answers" doc:"Answers that cite a source of which there is a newer version; the latest first, 50 at most. The drift of an answer tells whether its words still stand."`

	Gate        GateCount     `json:"gate" doc:"What the gate did with the answers; one that it did not look at is in none."`
	Feedback    FeedbackCount `json:"feedback"`
	Reliability []Bin         `json:"reliability" doc:"Confidence against feedback."`
	Error       float64       `json:"calibration_error" doc:"Between confidence and feedback, on average."`
	Latency     Latency       `json:"latency"`
}

// GateCount is what the gate did with many answers.
type GateCount struct {
	Passed   int `json:"passed"`
	Warned   int `json:"warned" doc:"Let out, and the record says that it falls short."`
	Flagged  int `json:"flagged" doc:"Let out, and put before a person."`
	Repaired int `json:"repaired" doc:"Let out without the claims that lack a source."`
	Refused  int `json:"refused" doc:"Not let out: among the answers it counts as one that claims nothing."`
}

// Outdated is an answer whose cited sources went on.
type Outdated struct {
	Answer    ibid.AnswerID   `json:"answer"`
	Question  string          `json:"question"`
	CreatedAt time.Time       `json:"created_at"`
	Sources   []ibid.SourceID `json:"sources" doc:"That have a newer version than the one that is cited."`
}

// Day is one day of insights, in UTC.
type Day struct {
	Day      string  `json:"day" format:"date"`
	Answers  int     `json:"answers"`
	Sources  float64 `json:"sources" doc:"Share of what is claimed."`
	Model    float64 `json:"model"`
	RAG      int     `json:"rag" doc:"Segments by origin."`
	Hybrid   int     `json:"hybrid"`
	LLM      int     `json:"llm"`
	Uncited  int     `json:"uncited"`
	Denied   int     `json:"contradicted"`
	Coverage float64 `json:"coverage" doc:"Share of the claims that are cited."`
}

// UsedSource is a source with how often it is cited and what people say of it.
type UsedSource struct {
	Source  ibid.SourceID `json:"source"`
	Title   string        `json:"title"`
	Answers int           `json:"answers" doc:"That cite it."`
	Places  int           `json:"places" doc:"That are cited."`
	Trust   float64       `json:"trust" doc:"From feedback; 0.5 where nobody looked."`
}

// FeedbackCount counts verdicts.
type FeedbackCount struct {
	Right   int     `json:"right"`
	Wrong   int     `json:"wrong"`
	Missing int     `json:"missing"`
	Trust   float64 `json:"trust"`
}

// Latency is how long answers took, in milliseconds.
type Latency struct {
	Measured int   `json:"measured"`
	P50      int64 `json:"p50"`
	P90      int64 `json:"p90"`
	P99      int64 `json:"p99"`
}

// Result is what is known of an experiment.
type Result struct {
	Pairs      int     `json:"pairs"`
	MeanA      float64 `json:"mean_a"`
	MeanB      float64 `json:"mean_b"`
	Difference float64 `json:"difference" doc:"Of b over a."`
	Low        float64 `json:"low" doc:"Of the 95 % interval of the difference, as if it were looked at once."`
	High       float64 `json:"high"`
	SignTest   float64 `json:"sign_test" doc:"Exact paired test, two-sided: the chance of as many pairs on one side where there is no difference."`
	Evidence   float64 `json:"evidence" doc:"Against no difference; 1/alpha names a winner."`
	Decision   string  `json:"decision" enum:"running,a,b,none"`
	DecidedAt  int     `json:"decided_at,omitempty" doc:"The pair at which it was decided."`
}

// Bin is a range of confidences, and how often what was said with them held.
type Bin struct {
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Count      int     `json:"count"`
	Confidence float64 `json:"confidence" doc:"On average."`
	Right      float64 `json:"right" doc:"The share that held."`
	RightLow   float64 `json:"right_low" doc:"Of the 95 % interval of that share."`
	RightHigh  float64 `json:"right_high"`
}
