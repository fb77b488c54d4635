package workflow

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/gate"
)

// Kept is what the entries of the log speak of.
type Kept interface {
	Source(ctx context.Context, id ibid.SourceID) (ibid.Source, error)
	Version(ctx context.Context, source ibid.SourceID, version int) (ibid.Document, error)
	// Snapshots gives none where the source was removed.
	Snapshots(ctx context.Context, id ibid.SourceID) (ibid.Source, []ibid.Document, error)
	// AnswerJSON gives an answer as it is kept, to the byte.
	AnswerJSON(ctx context.Context, id ibid.AnswerID) ([]byte, error)
	// AnswerCollection names the collection that an answer is kept in.
	AnswerCollection(ctx context.Context, id ibid.AnswerID) (string, error)
	Run(ctx context.Context, id ibid.RunID) (ibid.Run, error)
	Snapshot(ctx context.Context, id ibid.DocumentID) ([]byte, error)
	Policy(ctx context.Context, version string) (gate.Policy, error)
	Review(ctx context.Context, id string) (gate.Review, error)

	// EveryVersion gives all versions of all sources, without their texts.
	EveryVersion(ctx context.Context) ([]ibid.Document, error)
	Answers(ctx context.Context, before ibid.AnswerID, limit int) ([]ibid.Answer, error)
	Runs(ctx context.Context, limit int) ([]ibid.Run, error)
	Reviews(ctx context.Context, all bool) ([]gate.Review, error)
	// CopiedReviews gives the ids under which the review of another id is kept.
	CopiedReviews(ctx context.Context) ([]string, error)
	// StudyHashes gives the hash of every study's JSON as it is kept, by the study's id.
	StudyHashes(ctx context.Context) (map[string]ibid.DocumentID, error)
}

// Differs is an entry of the log and what no longer fits it.
type Differs struct {
	Entry int64 // -1 where no entry speaks of it
	What  string
}

// Held holds the record against the log: the text of every version of a source, every answer, every finished run with what
// its tools returned, the gate's verdict on it, every review and every study must be what their entries say, and none of them
// may be there of which no entry says so. The log proves itself by its hashes; this proves that what people open is what it
// speaks of. Sources that were removed need not be there. What can't be compared, as the payload of its entry was erased or, of
// a study, as it has none, is named in unchecked. It reads the whole record, one thing at a time, and once more where something
// differs: what was erased or removed by right while it was read does so once.
func Held(ctx context.Context, entries iter.Seq2[ibid.Entry, error], kept Kept) (found []Differs, unchecked []string, err error) {
	first, unchecked, err := hold(ctx, entries, kept)
	if err != nil || len(first) == 0 {
		return first, unchecked, err
	}
	found, unchecked, err = hold(ctx, entries, kept)
	return slices.DeleteFunc(found, func(d Differs) bool { return !slices.Contains(first, d) }), unchecked, err
}

func hold(ctx context.Context, entries iter.Seq2[ibid.Entry, error], kept Kept) (found []Differs, unchecked []string, err error) {
	h := holding{kept: kept, pending: map[ibid.SourceID][]Differs{}, removed: map[ibid.SourceID]bool{}, erased: map[string]int{},
		verdicts: map[ibid.RunID]bool{}, studies: map[string]studied{}}
	if err := h.list(ctx); err != nil { // before the log is read: what comes in meanwhile has its entry already
		return nil, nil, err
	}
	for e, err := range entries {
		if err != nil {
			return nil, nil, err
		}
		if e.Data == nil {
			h.erased[e.Kind]++
			continue
		}
		what, err := h.entry(ctx, e)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil { // what can't be read is not what was recorded
			what = err.Error()
		}
		if what != "" {
			h.found = append(h.found, Differs{e.Index, what})
		}
	}
	hidden, err := h.hidden(ctx)
	if err == nil {
		err = h.lastStudies(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	for _, d := range h.pending {
		h.found = append(h.found, d...)
	}
	slices.SortStableFunc(h.found, func(a, b Differs) int { return cmp.Compare(a.Entry, b.Entry) })
	h.found = append(h.found, hidden...)
	h.unsaid()
	return h.found, h.unchecked, nil
}

type holding struct {
	kept    Kept
	pending map[ibid.SourceID][]Differs // versions that are not what was recorded, of sources that were not removed since
	removed map[ibid.SourceID]bool      // whether the last entry about a source removes it
	found   []Differs

	unchecked []string // what nothing can be said of, for it or against it

	// What is in the record and no entry so far has spoken of.
	versions map[version]bool
	answers  map[ibid.AnswerID]ibid.Answer // as a list shows them
	runs     map[ibid.RunID]bool
	reviews  map[string]bool // that were decided
	waiting  map[string]bool // reviews that were not
	verdicts map[ibid.RunID]bool

	listed  map[string]ibid.DocumentID // the studies, before the log was read
	studies map[string]studied         // what the last entry of each says

	erased map[string]int // how many entries of a kind have no payload any more
}

// version names one version of a source.
type version struct {
	source ibid.SourceID
	number int
}

// studied is what an entry says of a study.
type studied struct {
	entry int64
	whole ibid.DocumentID
}

// list finds what is in the record.
func (h *holding) list(ctx context.Context) error {
	h.versions, h.answers, h.runs = map[version]bool{}, map[ibid.AnswerID]ibid.Answer{}, map[ibid.RunID]bool{}
	h.reviews, h.waiting = map[string]bool{}, map[string]bool{}
	docs, err := h.kept.EveryVersion(ctx)
	if err != nil {
		return err
	}
	for _, d := range docs {
		h.versions[version{d.Source, d.Version}] = true
	}
	const page = 1000
	for last := ibid.AnswerID(""); ; {
		list, err := h.kept.Answers(ctx, last, page)
		if err != nil {
			return err
		}
		for _, a := range list {
			h.answers[a.ID] = a
			last = a.ID
		}
		if len(list) < page {
			break
		}
	}
	runs, err := h.kept.Runs(ctx, math.MaxInt)
	if err != nil {
		return err
	}
	for _, r := range runs {
		if !r.FinishedAt.IsZero() {
			h.runs[r.ID] = true
		}
	}
	if h.listed, err = h.kept.StudyHashes(ctx); err != nil {
		return err
	}
	return h.listReviews(ctx)
}

func (h *holding) listReviews(ctx context.Context) error {
	waiting, err := h.kept.Reviews(ctx, false)
	if err != nil {
		return err
	}
	all, err := h.kept.Reviews(ctx, true)
	for _, r := range all {
		if r.Decision != "" {
			h.reviews[r.ID] = true
		} else {
			h.waiting[r.ID] = true
		}
		if shown := slices.ContainsFunc(waiting, func(w gate.Review) bool { return w.ID == r.ID }); shown != (r.Decision == "") {
			h.found = append(h.found, Differs{-1, fmt.Sprintf("review %s is listed as if it were decided otherwise", r.ID)})
		}
	}
	if err != nil {
		return err
	}
	copies, err := h.kept.CopiedReviews(ctx)
	for _, id := range copies {
		h.found = append(h.found, Differs{-1, fmt.Sprintf("review %s is a copy of another, and no entry of the log says so", id)})
	}
	return err
}

// hidden finds sources that are kept from people without an entry that removes them, and those that are back without one. As
// many may be so as entries were erased that could say why.
func (h *holding) hidden(ctx context.Context) (found []Differs, err error) {
	var gone, back []ibid.SourceID
	for _, id := range slices.Sorted(maps.Keys(h.removed)) {
		_, docs, err := h.kept.Snapshots(ctx, id)
		switch {
		case err != nil:
			return nil, err
		case len(docs) == 0 && !h.removed[id]:
			gone = append(gone, id)
		case len(docs) > 0 && h.removed[id]:
			back = append(back, id)
		}
	}
	for _, id := range gone {
		switch {
		case len(gone) <= h.erased[audit.KindRemoval]:
			delete(h.pending, id) // of what is gone whole
			h.unchecked = append(h.unchecked, fmt.Sprintf("that source %s was removed can no longer be checked: the entry was erased", id))
		case h.pending[id] == nil:
			found = append(found, Differs{-1, fmt.Sprintf("source %s is hidden, and no entry of the log removes it", id)})
		}
	}
	for _, id := range back {
		if len(back) <= h.erased[audit.KindSource] {
			h.unchecked = append(h.unchecked, fmt.Sprintf("that source %s came back can no longer be checked: the entry was erased", id))
		} else {
			found = append(found, Differs{-1, fmt.Sprintf("source %s was removed, and is there", id)})
		}
	}
	return found, nil
}

// lastStudies holds each study against the last entry about it. One that was kept again meanwhile has entries that were not read.
func (h *holding) lastStudies(ctx context.Context) error {
	now, err := h.kept.StudyHashes(ctx)
	if err != nil {
		return err
	}
	var differ []string
	for _, id := range slices.Sorted(maps.Keys(now)) {
		said, ok := h.studies[id]
		switch {
		case now[id] != h.listed[id]:
			h.unchecked = append(h.unchecked, fmt.Sprintf("study %s was worked on meanwhile: verify again when it is done", id))
		case !ok:
			h.unchecked = append(h.unchecked, fmt.Sprintf("study %s cannot be checked: no entry speaks of it; it is of before studies had entries, or was put in", id))
		case now[id] != said.whole:
			differ = append(differ, id)
		}
	}
	for _, id := range differ {
		if len(differ) <= h.erased[audit.KindStudy] { // the last about it may be one of those
			h.unchecked = append(h.unchecked, fmt.Sprintf("study %s can no longer be checked: its entry was erased", id))
		} else {
			h.found = append(h.found, Differs{h.studies[id].entry, fmt.Sprintf("study %s is not what was recorded", id)})
		}
	}
	for id, said := range h.studies {
		if _, ok := now[id]; !ok {
			h.found = append(h.found, Differs{said.entry, fmt.Sprintf("study %s is not in the library: it was taken out", id)})
		}
	}
	return nil
}

// unsaid reports what is in the record and in no entry. What an erased entry said is not known: as many may have none as
// entries of their kind were erased, and those can't be checked.
func (h *holding) unsaid() {
	var versions []string
	for v := range h.versions {
		versions = append(versions, fmt.Sprintf("version %d of source %s", v.number, v.source))
	}
	var answers, runs, verdicts, reviews, waiting []string
	for id := range h.answers {
		answers = append(answers, "answer "+string(id))
	}
	for id := range h.runs {
		runs = append(runs, "finished run "+string(id))
	}
	for id := range h.verdicts {
		verdicts = append(verdicts, "the verdict on run "+string(id))
	}
	for id := range h.reviews {
		reviews = append(reviews, "decided review "+id)
	}
	for id := range h.waiting {
		waiting = append(waiting, "waiting review "+id)
	}
	for _, of := range []struct {
		kind string
		list []string
	}{{audit.KindSource, versions}, {EntryAnswer, answers}, {EntryClaims, runs}, {EntryGate, verdicts}, {EntryGate, waiting}, {EntryReview, reviews}} {
		slices.Sort(of.list)
		for _, what := range of.list {
			if len(of.list) <= h.erased[of.kind] {
				h.unchecked = append(h.unchecked, what+" can no longer be checked: its entry was erased")
			} else {
				h.found = append(h.found, Differs{-1, what + " is in the library, and no entry of the log says so"})
			}
		}
	}
}

// entry says what does not fit one entry, "" where all does.
func (h *holding) entry(ctx context.Context, e ibid.Entry) (string, error) {
	switch e.Kind {
	case audit.KindSource, audit.KindRemoval:
		return h.source(ctx, e)
	case EntryAnswer:
		return h.answer(ctx, e)
	case EntryRun:
		return h.begun(ctx, e)
	case EntryClaims:
		return h.claims(ctx, e)
	case EntryGate:
		return h.decision(ctx, e)
	case EntryReview:
		return h.review(ctx, e)
	case EntryPolicy:
		return h.policy(ctx, e)
	case audit.KindStudy:
		return "", h.study(e)
	}
	return "", nil
}

func (h *holding) source(ctx context.Context, e ibid.Entry) (string, error) {
	var s struct {
		Source     ibid.SourceID   `json:"source"`
		Collection string          `json:"collection"`
		URI        string          `json:"uri"`
		Version    int             `json:"version"`
		Document   ibid.DocumentID `json:"document"`
		MediaType  string          `json:"media_type"`
		FetchedAt  time.Time       `json:"fetched_at"`
	}
	if err := json.Unmarshal(e.Data, &s); err != nil {
		return "", err
	}
	h.removed[s.Source] = e.Kind == audit.KindRemoval
	if e.Kind == audit.KindRemoval {
		delete(h.pending, s.Source)
		return "", nil
	}
	delete(h.versions, version{s.Source, s.Version})
	d, err := h.kept.Version(ctx, s.Source, s.Version)
	what := ""
	switch {
	case errors.Is(err, ibid.ErrNotFound):
		what = fmt.Sprintf("version %d of source %s is not in the library, and nobody removed it", s.Version, s.Source)
	case err != nil:
		return "", err
	case ibid.HashText(d.Text) != d.ID:
		return fmt.Sprintf("the text of source %s, version %d, is not what was recorded", s.Source, s.Version), nil
	case d.ID != s.Document:
		what = fmt.Sprintf("version %d of source %s is another text than was recorded", s.Version, s.Source)
	case d.MediaType != s.MediaType || !d.FetchedAt.Equal(s.FetchedAt.Truncate(time.Microsecond)):
		what = fmt.Sprintf("when source %s, version %d, was fetched, and as what, is not what was recorded", s.Source, s.Version)
	}
	if what != "" { // a removed source that comes back may count its versions from where it was
		h.pending[s.Source] = append(h.pending[s.Source], Differs{e.Index, what})
		return "", nil
	}
	source, err := h.kept.Source(ctx, s.Source)
	if err == nil && (source.URI != s.URI || source.Collection != s.Collection) {
		return fmt.Sprintf("where source %s is from is not what was recorded", s.Source), nil
	}
	return "", err
}

func (h *holding) answer(ctx context.Context, e ibid.Entry) (string, error) {
	var said AnswerEntry
	if err := json.Unmarshal(e.Data, &said); err != nil {
		return "", err
	}
	listed, ok := h.answers[said.Answer]
	delete(h.answers, said.Answer)
	body, err := h.kept.AnswerJSON(ctx, said.Answer)
	switch {
	case errors.Is(err, ibid.ErrNotFound):
		return fmt.Sprintf("answer %s is not in the library: it was taken out, or the process ended before it was kept and delivered", said.Answer), nil
	case err != nil:
		return "", err
	}
	var a ibid.Answer
	if err := json.Unmarshal(body, &a); err != nil {
		return "", err
	}
	now := Entered(a)
	if said.Whole != "" { // entries of before do not have it
		if now.Whole, err = WholeOf(body); err != nil {
			return "", err
		}
	}
	collection, err := h.kept.AnswerCollection(ctx, said.Answer)
	if err != nil {
		return "", err
	}
	placed := couldBeIn(a, collection)
	if said.Collection != nil {
		placed, now.Collection = *said.Collection == collection, said.Collection
	}
	if !placed || ok && listed.Conversation != a.Conversation {
		return fmt.Sprintf("answer %s is in another collection or conversation than was recorded", said.Answer), nil
	}
	if !same(said, now) || a.Entry == nil || *a.Entry != e.Index || ok && (listed.Question != said.Question || listed.Model != said.Model || !listed.CreatedAt.Equal(said.CreatedAt.Truncate(time.Microsecond))) {
		return fmt.Sprintf("answer %s is not what was recorded", said.Answer), nil
	}
	return "", nil
}

// couldBeIn reports whether an answer may belong to a collection by its passages: entries of before do not say where it is
// kept. One without passages may be in any, one whose passages were all given with the question in that without a name.
func couldBeIn(a ibid.Answer, collection string) bool {
	passages := slices.Clone(a.Passages)
	for _, s := range a.Steps {
		passages = append(passages, s.Passages...)
	}
	return len(a.Passages) == 0 || slices.ContainsFunc(passages, func(p ibid.Passage) bool { return p.Source.Collection == collection }) ||
		collection == "" && !slices.ContainsFunc(passages, func(p ibid.Passage) bool { return !p.Given() })
}

// begun holds that a run that began is there, finished or not: no run is taken out again.
func (h *holding) begun(ctx context.Context, e ibid.Entry) (string, error) {
	var said struct {
		Run ibid.RunID `json:"run"`
	}
	if err := json.Unmarshal(e.Data, &said); err != nil {
		return "", err
	}
	run, err := h.kept.Run(ctx, said.Run)
	if errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrAmbiguous) || err == nil && run.ID != said.Run { // another's id may begin so
		return fmt.Sprintf("run %s was begun, and is not in the library", said.Run), nil
	}
	return "", err
}

func (h *holding) claims(ctx context.Context, e ibid.Entry) (string, error) {
	var said ibid.Run
	if err := json.Unmarshal(e.Data, &said); err != nil {
		return "", err
	}
	delete(h.runs, said.ID)
	run, err := h.kept.Run(ctx, said.ID)
	if err != nil {
		return "", err
	}
	if run.Verdict != nil && run.Verdict.Entry != nil {
		h.verdicts[said.ID] = true // until its entry is met, which follows
	}
	run.FinishedAt, run.Verdict = said.FinishedAt, said.Verdict // the verdict came after the claims: replay makes it again
	if !same(said, run) {
		return fmt.Sprintf("the sources and claims of run %s are not what was recorded", said.ID), nil
	}
	for _, s := range run.Sources {
		if s.Snapshot == "" {
			continue
		}
		body, err := h.kept.Snapshot(ctx, s.Snapshot)
		if errors.Is(err, ibid.ErrNotFound) { // a reference may be kept whose snapshot is not
			continue
		}
		if err != nil {
			return "", err
		}
		if ibid.HashText(string(body)) != s.Snapshot {
			return fmt.Sprintf("the snapshot of source %s of run %s is not what was recorded", s.Identifier, said.ID), nil
		}
	}
	return "", nil
}

// decision holds the verdict on a run against the decision, and that what was flagged is where people look. The verdict on an
// answer stands in the answer's own entry.
func (h *holding) decision(ctx context.Context, e ibid.Entry) (string, error) {
	var d gate.Decision
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return "", err
	}
	id, ofRun := strings.CutPrefix(d.Subject, "run ")
	delete(h.verdicts, ibid.RunID(id))
	if flagged := d.Flagged(); flagged != nil {
		delete(h.waiting, reviewID(d.Subject))
		r, err := h.kept.Review(ctx, reviewID(d.Subject))
		switch {
		case errors.Is(err, ibid.ErrNotFound):
			return fmt.Sprintf("%s was flagged, and is not among the reviews", d.Subject), nil
		case err != nil:
			return "", err
		case !same(r.Uncited, flagged.Uncited) || !same(r.Reasons, flagged.Reasons) || r.Summary != flagged.Summary():
			return fmt.Sprintf("the review of %s is not of what was decided", d.Subject), nil
		}
	}
	if !ofRun {
		return "", nil
	}
	run, err := h.kept.Run(ctx, ibid.RunID(id))
	if err != nil {
		return "", err
	}
	v := run.Verdict
	ok := v != nil && v.Entry != nil && *v.Entry == e.Index && v.Outcome == string(d.Done) && v.Policy == d.Version && run.FinishedAt.Equal(d.At)
	if ok && d.Report.Outcome != gate.Repair { // a repair's is on what it left
		want := d.Report.Verdict(d.Claims)
		want.Entry = v.Entry
		ok = same(want, *v)
	}
	if !ok {
		return fmt.Sprintf("the verdict on run %s is not what was decided", id), nil
	}
	return "", nil
}

// policy holds that what decisions were made by is still there.
func (h *holding) policy(ctx context.Context, e ibid.Entry) (string, error) {
	var said gate.Policy
	if err := json.Unmarshal(e.Data, &said); err != nil {
		return "", err
	}
	version := said.Version() // the hash of what it says, which the store holds it to
	if _, err := h.kept.Policy(ctx, version); err != nil {
		return fmt.Sprintf("policy version %s is not what came into use: %v", version, err), nil
	}
	return "", nil
}

// review holds what a person decided.
func (h *holding) review(ctx context.Context, e ibid.Entry) (string, error) {
	var said gate.Review
	if err := json.Unmarshal(e.Data, &said); err != nil {
		return "", err
	}
	delete(h.reviews, said.ID)
	r, err := h.kept.Review(ctx, said.ID)
	switch {
	case errors.Is(err, ibid.ErrNotFound):
		return fmt.Sprintf("review %s is not in the library", said.ID), nil
	case err != nil:
		return "", err
	case !same(said, r):
		return fmt.Sprintf("review %s is not what was decided", said.ID), nil
	}
	return "", nil
}

// study takes what an entry says of a study: the last one counts, as a study is written over while it goes on.
func (h *holding) study(e ibid.Entry) error {
	var said struct {
		Study string          `json:"study"`
		Whole ibid.DocumentID `json:"whole"`
	}
	if err := json.Unmarshal(e.Data, &said); err != nil {
		return err
	}
	h.studies[said.Study] = studied{e.Index, said.Whole}
	return nil
}

// same compares what two values say as JSON, in which a list without elements is written in more than one way.
func same[T any](a, b T) bool {
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	var back T
	if err2 == nil {
		err2 = json.Unmarshal(y, &back)
	}
	if err == nil && err2 == nil {
		y, err2 = json.Marshal(back)
	}
	return err == nil && err2 == nil && bytes.Equal(x, y)
}
