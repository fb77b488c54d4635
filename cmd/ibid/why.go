package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/text"
)

func whyCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "why ANSWER CLAIM...",
		Short: "The way back from a claim to where it comes from",
		Long: `Why finds the segment of an answer that a claim is about and shows the way
back: the step of the chain of thought, the passage and how it was retrieved,
the version of the document and whether its newest one still says so, how the
link was made and how far it can be trusted, what the gate decided, and the
entry of the log that holds it.

The claim need not be word for word; the number of a segment will do as well.`,
		Example: `  ibid why last "the cable failed after three weeks"
  ibid why 4f2a 2 --json`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			store, err := a.store(ctx)
			if err != nil {
				return err
			}
			answer, err := a.answer(ctx, store, args[0])
			if err != nil {
				return err
			}
			n, err := segmentLike(answer, strings.Join(args[1:], " "))
			if err != nil {
				return err
			}
			way, err := a.wayBack(ctx, store, answer, n)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(way)
			}
			a.printWay(answer, way)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// segmentLike finds the segment that a claim is about: by its number, else the one that shares the most words with it.
func segmentLike(answer ibid.Answer, claim string) (int, error) {
	id := shortID(string(answer.ID))
	if len(answer.Segments) == 0 {
		return 0, fmt.Errorf("answer %s has no text: %w", id, ibid.ErrInvalid)
	}
	if n, err := strconv.Atoi(strings.TrimSpace(claim)); err == nil {
		if n < 1 || n > len(answer.Segments) {
			return 0, hint(usagef("segment %d: answer %s has segments 1 to %d", n, id, len(answer.Segments)), "ibid show %s lists them", id)
		}
		return n - 1, nil
	}
	if strings.TrimSpace(claim) == "" {
		return 0, usagef("the claim is empty")
	}
	type fit struct {
		n    int
		like float64
	}
	var fits []fit
	for i, s := range answer.Segments {
		fits = append(fits, fit{i, likeness(claim, s.At.In(answer.Text))})
	}
	slices.SortStableFunc(fits, func(a, b fit) int { return cmp.Compare(b.like, a.like) })
	if fits[0].like >= leastLike {
		return fits[0].n, nil
	}
	var closest []string
	for _, f := range fits[:min(3, len(fits))] {
		closest = append(closest, fmt.Sprintf("%d %q", f.n+1, excerpt(harmless(answer.Segments[f.n].At.In(answer.Text)), 70)))
	}
	return 0, hint(fmt.Errorf("no segment of answer %s reads like %q", id, excerpt(harmless(claim), 60)), "the closest are %s", strings.Join(closest, ", "))
}

// leastLike is the likeness from which a segment is taken to be the one that is meant.
const leastLike = 0.4

// likeness is the share of the claim's words that the segment has, a little less where the segment says much more. The
// same words without case are 1 and a part of the segment next to it.
func likeness(claim, segment string) float64 {
	a, b := strings.Join(foldedWords(claim), " "), strings.Join(foldedWords(segment), " ")
	switch {
	case a == "" || b == "":
		return 0
	case a == b:
		return 1
	case strings.Contains(b, a):
		return 0.99
	}
	mine, theirs := stems(claim), stems(segment)
	both := 0.0
	for w := range mine {
		if theirs[w] {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	share, other := both/float64(len(mine)), both/float64(len(theirs))
	return 0.8*share + 0.2*other
}

func foldedWords(s string) []string {
	var out []string
	for _, w := range text.Words(s) {
		out = append(out, text.Fold(w.In(s)))
	}
	return out
}

// stems are the words of a text that carry it, in their normal form.
func stems(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range text.Words(s) {
		word := strings.ToLower(w.In(s))
		switch word {
		case "the", "a", "an", "of", "in", "on", "at", "to", "and", "or", "was", "were", "is", "are", "it", "by", "for", "with", "that", "this", "what", "when", "who", "how", "did", "do", "does":
			continue
		}
		out[text.Stem(word)] = true
	}
	return out
}

// way is the way back from a segment, each part of which may be missing.
type way struct {
	Answer   ibid.AnswerID `json:"answer"`
	Question string        `json:"question"`
	Number   int           `json:"segment_number"`
	Text     string        `json:"text"`
	Segment  ibid.Segment  `json:"segment"`
	Steps    []wayStep     `json:"steps,omitempty"`
	Evidence []wayLink     `json:"evidence"`
	Denied   []wayDenial   `json:"denied,omitempty"`
	Model    string        `json:"model"`
	Verdict  *ibid.Verdict `json:"verdict,omitempty"`
	// Uncovered says that the gate found no source for this segment.
	Uncovered bool      `json:"uncovered,omitempty"`
	Log       *wayEntry `json:"log,omitempty"`
}

type wayStep struct {
	Number   int    `json:"number"`
	Question string `json:"question"`
	Text     string `json:"text"`
	Trace    string `json:"trace,omitempty"`
}

// wayLink is one link of the segment to a source.
type wayLink struct {
	Quote     string           `json:"quote"`
	Source    named            `json:"source"`
	Locator   string           `json:"locator,omitempty"`
	Link      ibid.Attribution `json:"link"`
	Version   int              `json:"version,omitempty"`
	Versions  int              `json:"versions,omitempty"`
	FetchedAt *time.Time       `json:"fetched_at,omitempty"`
	// Now says how the newest version of the source stands to the quotation: "same", "kept" where a newer version still has
	// it, "gone" where it does not, "removed" where the source is no longer in the library.
	Now    string   `json:"now"`
	Rank   int      `json:"rank"`
	Of     int      `json:"of"` // passages that the answer had
	Score  float64  `json:"score"`
	Shared []string `json:"shared_words,omitempty"` // of the question, which the passage has
}

type wayDenial struct {
	Words  string `json:"words"`
	Source named  `json:"source"`
	Reason string `json:"reason"`
}

type wayEntry struct {
	Index int64     `json:"index"`
	Kind  string    `json:"kind"`
	At    time.Time `json:"at"`
	Hash  string    `json:"hash"`
}

func (a *app) wayBack(ctx context.Context, store *sqlite.Store, answer ibid.Answer, n int) (way, error) {
	s := answer.Segments[n]
	w := way{Answer: answer.ID, Question: answer.Question, Number: n + 1, Text: s.At.In(answer.Text), Segment: s, Evidence: []wayLink{}, Model: answer.Model, Verdict: answer.Verdict}
	for _, number := range s.Steps {
		for _, st := range answer.Steps {
			if st.Number == number {
				w.Steps = append(w.Steps, wayStep{st.Number, st.Question, st.Text, st.Trace})
			}
		}
	}
	for _, l := range answer.Evidence(s) {
		link, err := a.wayLink(ctx, store, answer, l)
		if err != nil {
			return way{}, err
		}
		w.Evidence = append(w.Evidence, link)
	}
	for _, d := range s.Contradicted {
		for _, p := range answer.Passages {
			if p.Chunk.At.Document == d.To.Document {
				w.Denied = append(w.Denied, wayDenial{d.Of.In(answer.Text), named{p.Source.ID, p.Source.Title(), p.Source.Name()}, d.Reason})
				break
			}
		}
	}
	if answer.Verdict != nil {
		w.Uncovered = slices.ContainsFunc(answer.Verdict.Uncovered, func(u ibid.Span) bool { return u.Overlaps(s.At) })
	}
	return w, a.logged(ctx, answer, &w)
}

func (a *app) logged(ctx context.Context, answer ibid.Answer, w *way) error {
	if answer.Entry == nil {
		return nil
	}
	log, err := a.log(ctx)
	if err != nil {
		return err
	}
	e, err := log.Entry(ctx, *answer.Entry)
	if err != nil {
		return err
	}
	w.Log = &wayEntry{e.Index, e.Kind, e.At, e.Hash}
	return nil
}

func (a *app) wayLink(ctx context.Context, store *sqlite.Store, answer ibid.Answer, l ibid.Attribution) (wayLink, error) {
	p, ok := answer.Passage(l.Ref)
	if !ok {
		return wayLink{}, fmt.Errorf("answer %s: passage %d is missing from the record: %w", shortID(string(answer.ID)), l.Ref, ibid.ErrInvalid)
	}
	out := wayLink{
		Source: named{p.Source.ID, p.Source.Title(), p.Source.Name()}, Locator: p.Locator(l.To.Span.Start), Link: l,
		Quote: l.To.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text), Rank: p.Rank, Of: len(answer.Passages), Score: p.Score, Now: "removed",
	}
	out.Shared = sharedWords(answer.Question, p.Chunk.Text)
	versions, err := store.Versions(ctx, p.Source.ID)
	if errors.Is(err, ibid.ErrNotFound) {
		return out, nil
	} else if err != nil {
		return wayLink{}, err
	}
	out.Versions = versions[0].Version
	for _, v := range versions {
		if v.ID == l.To.Document {
			out.Version, out.FetchedAt = v.Version, &v.FetchedAt
			break
		}
	}
	if _, current, err := store.Snapshots(ctx, p.Source.ID); len(current) == 0 || err != nil { // removed, and kept for its citations
		return out, err
	}
	out.Now = "same"
	if versions[0].ID != l.To.Document {
		newest, err := store.Document(ctx, versions[0].ID)
		if err != nil {
			return wayLink{}, err
		}
		out.Now = "gone"
		if strings.Contains(newest.Text, out.Quote) {
			out.Now = "kept"
		}
	}
	return out, nil
}

// sharedWords are the words of the question that the passage has, in their order.
func sharedWords(question, passage string) []string {
	has, seen := stems(passage), map[string]bool{}
	asked := stems(question)
	var out []string
	for _, w := range text.Words(question) {
		if key := text.Stem(strings.ToLower(w.In(question))); asked[key] && has[key] && !seen[key] {
			seen[key] = true
			out = append(out, w.In(question))
		}
	}
	return out
}

func (a *app) printWay(answer ibid.Answer, w way) {
	p := a.paint()
	line := func(name, format string, args ...any) {
		f := p.flowing(a.out, "  ")
		f.indent = strings.Repeat(" ", 13)
		f.add(dim, fmt.Sprintf("%-11s", name))
		f.add(plain, harmless(fmt.Sprintf(format, args...)))
		fmt.Fprintln(a.out)
	}
	fmt.Fprintln(a.out, p.wrapped("", tint(w.Segment), harmless(oneLine(w.Text))+signs(w.Segment, answer.Numbers(w.Segment))))
	if w.Segment.Origin == ibid.NONE {
		line("says", "%s", w.Segment.InWords())
	} else {
		line("says", "%s · support %.2f · %s", w.Segment.InWords(), w.Segment.Support, ibid.Strength(w.Segment.Confidence))
	}
	for _, r := range w.Segment.Reasons {
		line("because", "%s", r)
	}
	line("asked", "%s", excerpt(oneLine(w.Question), 300))
	line("written by", "%s", cmp.Or(w.Model, "a model that did not give its name"))
	for _, s := range w.Steps {
		line(fmt.Sprintf("step %d", s.Number), "%s", join(" · ", excerpt(oneLine(s.Question), 200), s.Trace))
	}
	for _, l := range w.Evidence {
		a.printLink(l, line)
	}
	if len(w.Evidence) == 0 && w.Segment.Origin != ibid.NONE {
		line("source", "no passage that the answer had supports this")
	}
	for _, d := range w.Denied {
		line("✕ denied by", "%s: %s", d.Source.Title, d.Reason)
	}
	switch v := w.Verdict; {
	case v == nil:
		line("gate", "none was asked")
	default:
		said := fmt.Sprintf("%s · coverage %.0f %%", outcomeInWords(v), 100*v.Coverage)
		if w.Uncovered {
			said += " · this claim has no source"
		}
		line("gate", "%s", join(" · ", said, "policy "+cmp.Or(v.Policy, "unnamed")))
	}
	if w.Log == nil {
		line("log", "no entry: it was answered without a log")
		return
	}
	line("log", "entry %d of %s · hash %s · ibid audit prove %d gives the proof", w.Log.Index, moment(w.Log.At), shortID(w.Log.Hash), w.Log.Index)
}

func (a *app) printLink(l wayLink, line func(name, format string, args ...any)) {
	fmt.Fprintln(a.out)
	line("source", "%s", join(" · ", l.Source.Title, map[bool]string{true: l.Source.Name}[l.Source.Name != l.Source.Title], l.Locator))
	line("words", "“%s”", oneLine(l.Quote))
	if l.Version > 0 {
		now := map[string]string{"same": "the newest", "kept": "a newer version still says so", "gone": "a newer version no longer says so", "removed": "its source is no longer in the library"}[l.Now]
		line("document", "version %d of %d, taken %s, %s · %s", l.Version, l.Versions, l.FetchedAt.Local().Format("2006-01-02 15:04"), now, shortID(string(l.Link.To.Document)))
	} else {
		line("document", "%s, whose source is no longer in the library", shortID(string(l.Link.To.Document)))
	}
	retrieved := fmt.Sprintf("%s of %d passages, score %.2f", ordinal(l.Rank), l.Of, l.Score)
	if len(l.Shared) > 0 {
		retrieved += " · has of the question: " + strings.Join(l.Shared[:min(8, len(l.Shared))], ", ")
	}
	line("retrieved", "%s", retrieved)
	line("link", "%s · %s", trustInWords(l.Link.Trust), strengthInWords(l.Link.Confidence))
}

func ordinal(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

func strengthInWords(p float64) string { return fmt.Sprintf("%s, %.2f", ibid.Strength(p), p) }

// trustInWords says on which rung of the ladder a link stands, 5 the highest.
func trustInWords(t ibid.Trust) string {
	said := map[ibid.Trust]string{
		ibid.Unlinked: "no link", ibid.Marked: "the model's own marker, unchecked", ibid.Judged: "judged by its words", ibid.Quoted: "quotation: the words stand there",
		ibid.Provided: "cited by the model's API, and checked", ibid.ToolBoundary: "captured where a tool returned",
	}[t]
	return fmt.Sprintf("%s (rung %d of %d)", said, int(t), int(ibid.ToolBoundary))
}
