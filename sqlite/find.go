package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/text"
)

// FindAnswers lists the answers that have the words, rest on the source and are of the conversation, the one recorded last first, as Answers lists all
// of them. The source is named by its id or by the first 4 or more characters of it. The error wraps ibid.ErrInvalid where the
// words hold none, and ibid.ErrNotFound or ibid.ErrAmbiguous where the source is not known.
func (s *Store) FindAnswers(ctx context.Context, f api.Find, before ibid.AnswerID, limit int) ([]api.AnswerHead, error) {
	if f.Source != "" {
		full, err := resolve(ctx, s.reads, "sources", f.Source)
		if err != nil {
			return nil, fmt.Errorf("source %s: %w", f.Source, err)
		}
		f.Source = full
	}
	return s.findAnswers(ctx, f, `1`, nil, before, limit)
}

// FindAnswers finds answers of the collection as Store.FindAnswers does. The source is named by its whole id: the beginning of
// one would tell of others.
func (c Collection) FindAnswers(ctx context.Context, f api.Find, before ibid.AnswerID, limit int) ([]api.AnswerHead, error) {
	if f.Source != "" {
		if _, err := c.Source(ctx, f.Source); err != nil {
			return nil, err
		}
	}
	return c.store.findAnswers(ctx, f, `a.collection = ?`, []any{c.name}, before, limit)
}

func (s *Store) findAnswers(ctx context.Context, f api.Find, where string, args []any, before ibid.AnswerID, limit int) ([]api.AnswerHead, error) {
	asked, err := parseWords(f.Words)
	if err != nil {
		return nil, err
	}
	// Each of the three is gone through from its end, and no further than the limit.
	from, number, body := `answers a`, `a.number`, `x''`
	switch {
	case len(asked) > 0:
		from, number = `answer_words CROSS JOIN answers a ON a.number = answer_words.rowid`, `answer_words.rowid`
		body = fmt.Sprintf(`CASE WHEN length(a.body) <= %d THEN a.body ELSE x'' END`, excerptBody)
		where += ` AND answer_words MATCH ?`
		args = append(args, asked.match())
		if f.Source != "" {
			where += ` AND EXISTS (SELECT 1 FROM answer_sources s WHERE s.source = ? AND s.answer = a.number)`
			args = append(args, f.Source)
		}
	case f.Source != "":
		from, number = `answer_sources s CROSS JOIN answers a ON a.number = s.answer`, `s.answer`
		where += ` AND s.source = ?`
		args = append(args, f.Source)
	}
	if f.Conversation != "" {
		where += ` AND a.conversation = ?`
		args = append(args, f.Conversation)
	}
	if before != "" {
		where += ` AND ` + number + ` < (SELECT number FROM answers WHERE id = ?)`
		args = append(args, before)
	}
	rows, err := s.reads.QueryContext(ctx, `SELECT a.id, coalesce(a.conversation, ''), a.question, a.model, a.created_at, `+body+
		` FROM `+from+` WHERE `+where+` ORDER BY `+number+` DESC LIMIT ?`, append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("find answers: %w", explain(err))
	}
	list, err := collect(rows, func(r row) (api.AnswerHead, error) {
		var h api.AnswerHead
		var created int64
		var body sql.RawBytes // read before the next row is
		if err := r.Scan(&h.ID, &h.Conversation, &h.Question, &h.Model, &created, &body); err != nil {
			return h, err
		}
		h.CreatedAt = fromMicro(created)
		var said struct {
			Text string `json:"text"`
		}
		if len(body) > 0 && json.Unmarshal(body, &said) == nil {
			h.Excerpt = asked.excerpt(said.Text)
		}
		return h, nil
	})
	if err != nil {
		return nil, fmt.Errorf("find answers: %w", err)
	}
	return list, nil
}

// asked is what words mean: all of it must be there.
type asked []phrase

// phrase is words that stand together. A single word is one, too.
type phrase struct {
	keys   []string
	begins bool // the last may be the beginning of a longer one
}

// maxWords bounds what can be asked for, in bytes: 500 characters of any script.
const maxWords = 2000

// parseWords reads what people type: words, of which the last may be a beginning, and "words in quotes", which stand together as
// they are. A quote that is not closed goes to the end. No other sign means anything. The error wraps ibid.ErrInvalid.
func parseWords(s string) (asked, error) {
	if len(s) > maxWords {
		return nil, fmt.Errorf("the words are longer than %d bytes: %w", maxWords, ibid.ErrInvalid)
	}
	var all asked
	add := func(s string, begins bool) {
		p := phrase{begins: begins}
		for _, t := range text.Terms(s) {
			p.keys = append(p.keys, t.Key)
		}
		same := func(q phrase) bool { return q.begins == begins && slices.Equal(q.keys, p.keys) }
		if len(p.keys) > 0 && !slices.ContainsFunc(all, same) {
			all = append(all, p)
		}
	}
	pieces := strings.Split(quotes.Replace(s), `"`)
	for i, piece := range pieces {
		last := i == len(pieces)-1
		if i%2 == 1 { // behind an opening quote
			add(piece, last)
			continue
		}
		words := strings.Fields(piece)
		for k, w := range words {
			add(w, last && k == len(words)-1)
		}
	}
	if len(all) == 0 && strings.TrimSpace(s) != "" {
		return nil, fmt.Errorf("%q holds no word to look for: give letters or digits: %w", short(s), ibid.ErrInvalid)
	}
	return all, nil
}

// quotes are those that people type, or that are typed for them.
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‟", `"`, "«", `"`, "»", `"`, "＂", `"`)

func short(s string) string {
	if r := []rune(strings.ToValidUTF8(s, "\uFFFD")); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}

// match is an expression of FTS5. Keys hold letters, digits and signs that mean nothing to it within quotes.
func (a asked) match() string {
	var all []string
	for _, p := range a {
		m := `"` + strings.Join(p.keys, " ") + `"`
		if p.begins {
			m += ` *`
		}
		all = append(all, m)
	}
	return strings.Join(all, " AND ")
}

// at reports whether the phrase stands at the start of terms.
func (p phrase) at(terms []text.Term) bool {
	if len(terms) < len(p.keys) {
		return false
	}
	for i, k := range p.keys {
		begun := p.begins && i == len(p.keys)-1 && strings.HasPrefix(terms[i].Key, k)
		if terms[i].Key != k && !begun {
			return false
		}
	}
	return true
}

// An excerpt shows about this many bytes, of which some stand before the first word that was asked for.
const (
	excerptBytes  = 200
	excerptBefore = 60
	excerptWithin = 200_000 // no further is looked into a text
	excerptBody   = 1 << 20 // no answer is read for it that is larger, with all that it was given: a page has up to 200
)

// excerpt gives the place in a text where most of what was asked for stands together, the first such place, in one line. It is
// empty where nothing of it stands there.
func (a asked) excerpt(s string) string {
	if len(s) > excerptWithin {
		s = strings.ToValidUTF8(s[:excerptWithin], "")
	}
	terms := text.Terms(s)
	type hit struct{ phrase, at int }
	var hits []hit
	for i := range terms {
		for n, p := range a {
			if p.at(terms[i:]) {
				hits = append(hits, hit{n, terms[i].At.Start})
			}
		}
	}
	if len(hits) == 0 {
		return ""
	}
	best, most := 0, 0
	count, end := map[int]int{}, 0 // of the phrases from this hit to the hit end
	for _, h := range hits {
		for ; end < len(hits) && hits[end].at-h.at < excerptBytes-excerptBefore; end++ {
			count[hits[end].phrase]++
		}
		if len(count) > most {
			best, most = h.at, len(count)
		}
		if count[h.phrase]--; count[h.phrase] == 0 {
			delete(count, h.phrase)
		}
	}
	return cut(s, best)
}

// cut gives the words around a place of a text.
func cut(s string, at int) string {
	start, stop := at-excerptBefore, at+excerptBytes-excerptBefore
	before, after := "…", "…"
	if start <= 0 {
		start, before = 0, ""
	} else if i := strings.IndexFunc(s[start:at], unicode.IsSpace); i >= 0 {
		start += i
	}
	if stop >= len(s) {
		stop, after = len(s), ""
	} else if i := strings.LastIndexFunc(s[at:stop], unicode.IsSpace); i > 0 {
		stop = at + i
	}
	// A word longer than the excerpt is cut, at a character.
	return before + strings.Join(strings.Fields(strings.ToValidUTF8(s[start:stop], "")), " ") + after
}

// writeWords makes an answer be found by its words.
func writeWords(exec func(query string, args ...any) error, number int64, a ibid.Answer) error {
	return exec(`INSERT INTO answer_words (rowid, question, text) VALUES (?, ?, ?)`, number, termsOf(a.Question), termsOf(a.Text))
}

// writeSources makes an answer be found by what it rests on.
func writeSources(exec func(query string, args ...any) error, number int64, a ibid.Answer) error {
	for _, source := range restsOn(a) {
		if err := exec(`INSERT INTO answer_sources (source, answer) VALUES (?, ?)`, source, number); err != nil {
			return err
		}
	}
	return nil
}

func termsOf(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, t := range text.Terms(s) {
		b.WriteString(t.Key)
		b.WriteByte(' ')
	}
	return b.String()
}

// restsOn gives the sources of the library to which an attribution of an answer leads, or one of its steps. A source that came
// with the question has an id in that answer alone.
func restsOn(a ibid.Answer) []ibid.SourceID {
	found := map[ibid.SourceID]bool{}
	look := func(passages []ibid.Passage, links []ibid.Attribution) {
		for _, l := range links {
			if i := slices.IndexFunc(passages, func(p ibid.Passage) bool { return p.Rank == l.Ref }); i >= 0 && !passages[i].Given() {
				found[passages[i].Source.ID] = true
			}
		}
	}
	look(a.Passages, a.Attributions)
	for _, s := range a.Steps {
		look(s.Passages, s.Attributions)
	}
	return slices.Sorted(maps.Keys(found))
}

// fillFind takes in what was recorded before answers could be found.
func fillFind(ctx context.Context, conn *sql.Conn) error {
	exec := func(query string, args ...any) error {
		_, err := conn.ExecContext(ctx, query, args...)
		return err
	}
	query := func(query string, args ...any) (*sql.Rows, error) { return conn.QueryContext(ctx, query, args...) }
	_, _, err := writeFound(ctx, exec, query)
	return err
}
