package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/ibid-dev/ibid"
)

// What answers are found by is made of the answers, and can be made again. Here it is held against them, and written anew.

// findable is what is read of an answer to find it by.
type findable struct {
	number int64
	id     ibid.AnswerID
	answer ibid.Answer
	known  bool // its words may be looked for
	unsure bool // it does not tell its entry, and some entry of an answer was erased, which may be that one
}

// eachFindable goes through all answers. Those whose entry was erased are not known by their words, nor are those of which it
// cannot be told. What cannot be read of an answer stops nothing: it is found by its question.
func eachFindable(ctx context.Context, query func(string, ...any) (*sql.Rows, error), f func(findable) error) error {
	rows, err := query(`SELECT number FROM log WHERE kind = ? AND salt IS NULL`, answerEntry)
	if err != nil {
		return err
	}
	gone, err := collect(rows, func(r row) (n int64, err error) { return n, r.Scan(&n) })
	if err != nil {
		return err
	}
	erased := map[int64]bool{}
	for _, n := range gone {
		erased[n] = true
	}
	for last := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err := query(`SELECT number, id, question, body FROM answers WHERE number > ? ORDER BY number LIMIT 100`, last)
		if err != nil {
			return err
		}
		some, err := collect(rows, func(r row) (k findable, err error) {
			var question string
			var body []byte
			if err := r.Scan(&k.number, &k.id, &question, &body); err != nil {
				return k, err
			}
			k.answer = readFindable(body)
			k.answer.Question = question
			k.unsure = k.answer.Entry == nil && len(erased) > 0
			k.known = !k.unsure && (k.answer.Entry == nil || !erased[*k.answer.Entry])
			return k, nil
		})
		if err != nil || len(some) == 0 {
			return err
		}
		for _, k := range some {
			if err := f(k); err != nil {
				return err
			}
			last = k.number
		}
	}
}

// readFindable reads what an answer is found by, and its entry: all of it would take three times as long. It is empty where the answer
// cannot be read.
func readFindable(body []byte) ibid.Answer {
	type linked struct {
		Passages []struct {
			Chunk struct {
				At   ibid.Anchor `json:"at"`
				Text string      `json:"text"`
			} `json:"chunk"`
			Source struct {
				ID ibid.SourceID `json:"id"`
			} `json:"source"`
			Rank int `json:"rank"`
		} `json:"passages"`
		Attributions []struct {
			Ref int `json:"ref"`
		} `json:"attributions"`
	}
	var kept struct {
		linked
		Text  string   `json:"text"`
		Entry *int64   `json:"entry"`
		Steps []linked `json:"steps"`
	}
	if json.Unmarshal(body, &kept) != nil {
		return ibid.Answer{}
	}
	links := func(l linked) (passages []ibid.Passage, links []ibid.Attribution) {
		for _, p := range l.Passages {
			passages = append(passages, ibid.Passage{Chunk: ibid.Chunk{At: p.Chunk.At, Text: p.Chunk.Text}, Source: ibid.Source{ID: p.Source.ID}, Rank: p.Rank})
		}
		for _, a := range l.Attributions {
			links = append(links, ibid.Attribution{Ref: a.Ref})
		}
		return passages, links
	}
	a := ibid.Answer{Text: kept.Text, Entry: kept.Entry}
	a.Passages, a.Attributions = links(kept.linked)
	for _, l := range kept.Steps {
		var s ibid.Step
		s.Passages, s.Attributions = links(l)
		a.Steps = append(a.Steps, s)
	}
	return a
}

// writeFound makes all answers be found, and tells how many are by their words and how many are not.
func writeFound(ctx context.Context, exec func(string, ...any) error, query func(string, ...any) (*sql.Rows, error)) (known, unknown int, err error) {
	err = eachFindable(ctx, query, func(k findable) error {
		if err := writeSources(exec, k.number, k.answer); err != nil {
			return err
		}
		if !k.known {
			unknown++
			return nil
		}
		known++
		return writeWords(exec, k.number, k.answer)
	})
	return known, unknown, err
}

// RebuildFind writes anew what answers are found by, from the answers themselves, all of it or nothing. It tells how many are found by
// their words, and how many are not, as their entry in the log was erased or it cannot be told whether it was. Others who write wait
// for it.
func (s *Store) RebuildFind(ctx context.Context) (known, unknown int, err error) {
	err = s.commit(ctx, &job{run: func(tx *Tx) (err error) {
		for _, clear := range []string{`INSERT INTO answer_words (answer_words) VALUES ('delete-all')`, `DELETE FROM answer_sources`} {
			if err := tx.w.exec(clear); err != nil {
				return err
			}
		}
		known, unknown, err = writeFound(ctx, tx.w.exec, tx.w.query)
		return err
	}})
	if err != nil {
		return 0, 0, fmt.Errorf("write anew what answers are found by: %w", err)
	}
	if err := s.forget(ctx); err != nil {
		return known, unknown, fmt.Errorf("what answers are found by was written anew, but what stood there before may stand in the write-ahead log until that is emptied: %w", err)
	}
	return known, unknown, nil
}

// CheckFind holds what answers are found by against the answers: every word at its place, every source, and nothing of an answer that is
// not there or whose entry was erased. It says what is wrong and what mends it, and nothing where nothing is. The error is of reading
// the answers.
func (s *Store) CheckFind(ctx context.Context) (string, error) {
	wrong, err := s.checkFind(ctx)
	if err != nil {
		return "", fmt.Errorf("hold what answers are found by against them: %w", explain(err))
	}
	if len(wrong) == 0 {
		return "", nil
	}
	return "what answers are found by is not what they say: " + strings.Join(wrong, "; ") + ": ibid audit reindex writes it anew", nil
}

func (s *Store) checkFind(ctx context.Context) (wrong []string, err error) {
	conn, err := s.reads.Conn(ctx)
	if err != nil {
		return nil, err
	}
	// The table below is of this connection alone, and writes nothing. The connection is not used for anything else.
	defer conn.Raw(func(any) error { return driver.ErrBadConn })
	for _, q := range []string{`PRAGMA query_only(0)`, `CREATE VIRTUAL TABLE temp.answer_places USING fts5vocab (main, answer_words, instance)`,
		`PRAGMA query_only(1)`, `BEGIN`} { // all is of one moment
		if _, err := conn.ExecContext(ctx, q); err != nil {
			return nil, err
		}
	}
	query := func(query string, args ...any) (*sql.Rows, error) { return conn.QueryContext(ctx, query, args...) }
	seed := maphash.MakeSeed()
	found, err := indexed(query, seed)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // the answers may be whole all the same, and then it can be written anew
		return []string{"it cannot be read (" + err.Error() + ")"}, nil
	}
	var lost, other, erased, rest named
	err = eachFindable(ctx, query, func(k findable) error {
		got := found[k.number]
		delete(found, k.number)
		words := got.listed && got.places == placesOf(seed, k.answer)
		none := !got.listed && got.places == 0
		switch {
		case k.unsure && (words || none):
		case !k.known && !none:
			erased.add(k.id)
		case k.known && !got.listed:
			lost.add(k.id)
		case k.known && !words:
			other.add(k.id)
		}
		if got.sources != sourcesOf(seed, restsOn(k.answer)) {
			rest.add(k.id)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, k := range []struct {
		named
		one, many string
	}{
		{lost, "answer is not found by its words", "answers are not found by their words"},
		{other, "answer is found by other words than it has", "answers are found by other words than they have"},
		{erased, "answer whose entry was erased is found by its words", "answers whose entries were erased are found by their words"},
		{rest, "answer is not found by the sources that it rests on, or by others", "answers are not found by the sources that they rest on, or by others"},
	} {
		switch len(k.ids) {
		case 0:
		case 1:
			wrong = append(wrong, "1 "+k.one+" ("+k.String()+")")
		default:
			wrong = append(wrong, fmt.Sprintf("%d %s (%s)", len(k.ids), k.many, k))
		}
	}
	switch n := len(found); n {
	case 0:
	case 1:
		wrong = append(wrong, "it holds 1 answer that is not there")
	default:
		wrong = append(wrong, fmt.Sprintf("it holds %d answers that are not there", n))
	}
	return wrong, nil
}

// named are answers that are named by some of them.
type named struct{ ids []string }

func (n *named) add(id ibid.AnswerID) { n.ids = append(n.ids, string(id)) }

func (n named) String() string {
	const most = 3
	if len(n.ids) <= most {
		return strings.Join(n.ids, ", ")
	}
	return strings.Join(n.ids[:most], ", ") + fmt.Sprintf(" and %d more", len(n.ids)-most)
}

// sums is what an answer is found by: sums of hashes, whose order is that of the index and not of the answer.
type sums struct {
	places  uint64 // of words in columns
	sources uint64
	listed  bool // the index knows that it has it, without which it cannot be taken out
}

// indexed reads what each answer is found by, by its number.
func indexed(query func(string, ...any) (*sql.Rows, error), seed maphash.Seed) (map[int64]sums, error) {
	all := map[int64]sums{}
	each := func(q string, f func(*sql.Rows) error) error {
		rows, err := query(q)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := f(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}
	var term, column, source sql.RawBytes
	var number, at int64
	err := each(`SELECT doc, term, col, "offset" FROM temp.answer_places`, func(r *sql.Rows) error {
		err := r.Scan(&number, &term, &column, &at)
		k := all[number]
		k.places += placeOf(seed, column, term, at)
		all[number] = k
		return err
	})
	if err != nil {
		return nil, err
	}
	err = each(`SELECT rowid FROM answer_words`, func(r *sql.Rows) error {
		err := r.Scan(&number)
		k := all[number]
		k.listed = true
		all[number] = k
		return err
	})
	if err != nil {
		return nil, err
	}
	err = each(`SELECT answer, source FROM answer_sources`, func(r *sql.Rows) error {
		err := r.Scan(&number, &source)
		k := all[number]
		k.sources += maphash.Bytes(seed, source)
		all[number] = k
		return err
	})
	return all, err
}

// placesOf is the sum that the words of an answer have where they are all in the index.
func placesOf(seed maphash.Seed, a ibid.Answer) (sum uint64) {
	for _, c := range []struct{ column, said string }{{"question", a.Question}, {"text", a.Text}} {
		at := int64(0)
		for t := range strings.FieldsFuncSeq(termsOf(c.said), parts) {
			sum += placeOf(seed, []byte(c.column), lowered(t), at)
			at++
		}
	}
	return sum
}

// longestToken is how many bytes FTS5 keeps of a word.
const longestToken = 32768

// parts reports whether the tokenizer "ascii" parts words at a character.
func parts(r rune) bool {
	return r < 0x80 && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// lowered is what the tokenizer makes of capitals, of which it knows those of ASCII.
func lowered(word string) []byte {
	b := []byte(word[:min(len(word), longestToken)])
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

// placeOf is a word at its place, as a number.
func placeOf(seed maphash.Seed, column, term []byte, at int64) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	h.Write(column)
	h.WriteByte(0)
	h.Write(term)
	h.WriteByte(0)
	maphash.WriteComparable(&h, at)
	return h.Sum64()
}

func sourcesOf(seed maphash.Seed, list []ibid.SourceID) (sum uint64) {
	for _, id := range list {
		sum += maphash.String(seed, string(id))
	}
	return sum
}
