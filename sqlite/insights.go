package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/experiment"
	"github.com/ibid-dev/ibid/gate"
)

// Insights counts over the collection's answers that were recorded at or after from and before to.
func (c Collection) Insights(ctx context.Context, from, to time.Time) (api.Insights, error) {
	in := api.Insights{From: from, To: to, Days: []api.Day{}, Top: []api.UsedSource{}, Unused: []api.UsedSource{}, Outdated: []api.Outdated{}, Reliability: []api.Bin{}}
	for _, f := range []func(context.Context, *api.Insights) error{c.days, c.usedSources, c.unusedSources, c.outdated, c.verdicts, c.outcomes, c.latency} {
		if err := f(ctx, &in); err != nil {
			return api.Insights{}, fmt.Errorf("insights: %w", explain(err))
		}
	}
	return in, nil
}

// between chooses the answers of an insight.
const between = ` a.collection = ? AND a.created_at >= ? AND a.created_at < ? `

func (c Collection) args(in *api.Insights) []any {
	return []any{c.name, in.From.UnixMicro(), in.To.UnixMicro()}
}

func (c Collection) days(ctx context.Context, in *api.Insights) error {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT strftime('%Y-%m-%d', a.created_at / 1000000, 'unixepoch') AS day, count(*),
			total(f.sources), total(f.model), total(f.sources + f.model > 0), sum(f.rag), sum(f.hybrid), sum(f.llm), sum(f.uncited), sum(f.contradicted)
		FROM answers a JOIN answer_facts f ON f.answer = a.number WHERE`+between+`GROUP BY day ORDER BY day`, c.args(in)...)
	if err != nil {
		return err
	}
	var sources, model, claiming float64
	_, err = collect(rows, func(r row) (struct{}, error) {
		var d api.Day
		var s, m, n float64
		if err := r.Scan(&d.Day, &d.Answers, &s, &m, &n, &d.RAG, &d.Hybrid, &d.LLM, &d.Uncited, &d.Denied); err != nil {
			return struct{}{}, err
		}
		claims := d.RAG + d.Hybrid + d.LLM
		d.Sources, d.Model, d.Coverage = share(s, n), share(m, n), 1
		if claims > 0 {
			d.Coverage = share(float64(claims-d.Uncited), float64(claims))
		}
		in.Answers += d.Answers
		in.Segments += claims
		in.Uncited += d.Uncited
		in.Denied += d.Denied
		sources, model, claiming = sources+s, model+m, claiming+n
		in.Days = append(in.Days, d)
		return struct{}{}, nil
	})
	in.Sources, in.Model = share(sources, claiming), share(model, claiming)
	return err
}

// outdated finds the answers that cite another version of a source than its newest.
func (c Collection) outdated(ctx context.Context, in *api.Insights) error {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT a.id, a.question, a.created_at, group_concat(DISTINCT c.source)
		FROM answer_citations c JOIN answers a ON a.number = c.answer
		WHERE`+between+`AND c.document <> (SELECT d.id FROM versions v JOIN documents d ON d.key = v.document WHERE v.source = c.source ORDER BY v.version DESC LIMIT 1)
		GROUP BY a.number ORDER BY a.number DESC LIMIT 50`, c.args(in)...)
	if err != nil {
		return err
	}
	list, err := collect(rows, func(r row) (api.Outdated, error) {
		var o api.Outdated
		var created int64
		var sources string
		err := r.Scan(&o.Answer, &o.Question, &created, &sources)
		o.CreatedAt = fromMicro(created)
		for _, id := range strings.Split(sources, ",") {
			o.Sources = append(o.Sources, ibid.SourceID(id))
		}
		return o, err
	})
	in.Outdated = append(in.Outdated, list...)
	return err
}

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

func (c Collection) usedSources(ctx context.Context, in *api.Insights) error {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT `+sourceColumns+`, count(DISTINCT c.answer) AS answers, count(*),
			(SELECT count(*) FROM feedback f WHERE f.source = s.id AND f.verdict = 'right'), (SELECT count(*) FROM feedback f WHERE f.source = s.id AND f.verdict = 'wrong')
		FROM answer_citations c JOIN answers a ON a.number = c.answer JOIN sources s ON s.id = c.source
		WHERE`+between+`GROUP BY s.id ORDER BY answers DESC, s.uri LIMIT 50`, c.args(in)...)
	if err != nil {
		return err
	}
	_, err = collect(rows, func(r row) (struct{}, error) {
		var s sourceRow
		var u api.UsedSource
		var right, wrong int
		if err := r.Scan(append(s.columns(), &u.Answers, &u.Places, &right, &wrong)...); err != nil {
			return struct{}{}, err
		}
		src, err := s.source()
		u.Source, u.Title, u.Trust = src.ID, src.Title(), experiment.Trust(right, wrong)
		in.Top = append(in.Top, u)
		return struct{}{}, err
	})
	return err
}

func (c Collection) unusedSources(ctx context.Context, in *api.Insights) error {
	const unused = ` FROM sources s WHERE s.collection = ? AND s.removed = 0 AND NOT EXISTS (SELECT 1 FROM answer_citations c WHERE c.source = s.id)`
	if err := c.store.reads.QueryRowContext(ctx, `SELECT count(*)`+unused, c.name).Scan(&in.UnusedMore); err != nil {
		return err
	}
	rows, err := c.store.reads.QueryContext(ctx, `SELECT `+sourceColumns+unused+` ORDER BY s.uri LIMIT 50`, c.name)
	if err != nil {
		return err
	}
	_, err = collect(rows, func(r row) (struct{}, error) {
		src, err := scanSource(r)
		in.Unused = append(in.Unused, api.UsedSource{Source: src.ID, Title: src.Title(), Trust: experiment.Trust(0, 0)})
		return struct{}{}, err
	})
	return err
}

// verdicts counts feedback, and holds the confidences of the places that it speaks of against it.
func (c Collection) verdicts(ctx context.Context, in *api.Insights) error {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT f.verdict, coalesce((SELECT max(c.confidence) FROM answer_citations c WHERE c.answer = f.answer AND c.source = f.source), -1)
		FROM feedback f JOIN answers a ON a.number = f.answer WHERE`+between, c.args(in)...)
	if err != nil {
		return err
	}
	var judged []experiment.Judged
	_, err = collect(rows, func(r row) (struct{}, error) {
		var v api.Verdict
		var confidence float64
		if err := r.Scan(&v, &confidence); err != nil {
			return struct{}{}, err
		}
		switch v {
		case api.Right:
			in.Feedback.Right++
		case api.Wrong:
			in.Feedback.Wrong++
		case api.Missing:
			in.Feedback.Missing++
		}
		if v != api.Missing && confidence >= 0 {
			judged = append(judged, experiment.Judged{Confidence: confidence, Right: v == api.Right})
		}
		return struct{}{}, nil
	})
	in.Feedback.Trust = experiment.Trust(in.Feedback.Right, in.Feedback.Wrong)
	bins, off := experiment.Reliability(judged)
	in.Error = off
	for _, b := range bins {
		in.Reliability = append(in.Reliability, api.Bin{Low: b.Low, High: b.High, Count: b.Count, Confidence: b.Confidence, Right: b.Right,
			RightLow: b.Interval.Low, RightHigh: b.Interval.High})
	}
	return err
}

// outcomes counts what the gate did. What it refused is kept without its text, and counts as an answer that claims nothing.
func (c Collection) outcomes(ctx context.Context, in *api.Insights) error {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT f.outcome, count(*) FROM answers a JOIN answer_facts f ON f.answer = a.number WHERE`+between+`GROUP BY f.outcome`, c.args(in)...)
	if err != nil {
		return err
	}
	counts := map[gate.Outcome]*int{gate.Pass: &in.Gate.Passed, gate.Warn: &in.Gate.Warned, gate.Flag: &in.Gate.Flagged, gate.Repair: &in.Gate.Repaired, gate.Block: &in.Gate.Refused}
	_, err = collect(rows, func(r row) (struct{}, error) {
		var outcome gate.Outcome
		var n int
		err := r.Scan(&outcome, &n)
		if count := counts[outcome]; count != nil {
			*count = n
		}
		return struct{}{}, err
	})
	return err
}

// latency gives the times of the latest answers.
func (c Collection) latency(ctx context.Context, in *api.Insights) error {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT f.milliseconds FROM answers a JOIN answer_facts f ON f.answer = a.number
		WHERE f.milliseconds IS NOT NULL AND`+between+`ORDER BY a.number DESC LIMIT 10000`, c.args(in)...)
	if err != nil {
		return err
	}
	times, err := collect(rows, func(r row) (ms int64, err error) { return ms, r.Scan(&ms) })
	slices.Sort(times)
	at := func(q float64) int64 {
		if len(times) == 0 {
			return 0
		}
		return times[min(int(q*float64(len(times))), len(times)-1)]
	}
	in.Latency = api.Latency{Measured: len(times), P50: at(0.5), P90: at(0.9), P99: at(0.99)}
	return err
}
