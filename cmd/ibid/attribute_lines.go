package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/eval"
	"github.com/ibid-dev/ibid/internal/wording"
)

// lineError is the answer to a line that cannot be judged.
type lineError struct {
	ID    string `json:"id"`
	Error string `json:"error"`
}

// judgedLine is a line of output, when it is ready.
type judgedLine struct {
	out    []byte
	failed bool
}

// attributeLines judges the lines of standard input on all cores and writes a line for each, in their order. At any time
// only a few lines are in memory.
//
//	reader ─▶ jobs ─▶ workers
//	       └▶ queue of promises, in order ─▶ writer
func (a *app) attributeLines(ctx context.Context, by lineJudge) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	workers := runtime.GOMAXPROCS(0)
	jobs := make(chan lineJob)
	queue := make(chan lineJob, 2*workers)
	for range workers {
		go func() {
			for j := range jobs {
				j.done <- by.judge(ctx, j.line)
			}
		}()
	}
	read := make(chan error, 1)
	// A read of standard input cannot be interrupted: nobody waits for this goroutine when the program is.
	go func() {
		defer close(queue)
		defer close(jobs)
		read <- a.readJobs(ctx, jobs, queue)
	}()
	failed, err := writeJudged(ctx, a.out, queue)
	if err != nil {
		return err
	}
	if err := <-read; err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	if failed > 0 {
		a.notice("%s could not be judged: see \"error\"", count(failed, "line", "lines"))
		return exitCode(1)
	}
	return nil
}

// lineJob is a line with the promise of its result.
type lineJob struct {
	line eval.NumberedLine
	done chan judgedLine
}

// readJobs hands every line to the workers, after its promise went into the queue.
func (a *app) readJobs(ctx context.Context, jobs, queue chan<- lineJob) error {
	for l, err := range eval.Lines(a.in) {
		if err != nil {
			return err
		}
		l.Bytes = bytes.Clone(l.Bytes)
		j := lineJob{l, make(chan judgedLine, 1)}
		for _, to := range []chan<- lineJob{queue, jobs} {
			select {
			case to <- j:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

// writeJudged writes the results in the order of the queue and counts those that failed.
func writeJudged(ctx context.Context, out io.Writer, queue <-chan lineJob) (failed int, err error) {
	w := bufio.NewWriterSize(out, 1<<16)
	for {
		var l judgedLine
		select {
		case j, ok := <-queue:
			if !ok {
				return failed, w.Flush()
			}
			select {
			case l = <-j.done:
			case <-ctx.Done():
				return failed, ctx.Err()
			}
		case <-ctx.Done():
			return failed, ctx.Err()
		}
		if l.failed {
			failed++
		}
		if _, err := w.Write(l.out); err != nil {
			return failed, err
		}
		if len(queue) == 0 { // whoever reads along need not wait for a full buffer
			if err := w.Flush(); err != nil {
				return failed, err
			}
		}
	}
}

// lineJudge judges lines.
type lineJudge struct {
	by    ibid.Attributor
	unit  eval.Unit
	debug bool
}

const formOfLine = `not a line of the form {"id","answer","sources"}`

func (j lineJudge) result(ctx context.Context, b []byte) (eval.Result, error) {
	var line struct {
		eval.Line
		Answer *string `json:"answer"` // an empty answer is one, and none is not
	}
	if err := json.Unmarshal(b, &line); err != nil {
		return eval.Result{}, fmt.Errorf("%s: %w", formOfLine, wording.JSON(err, b))
	}
	if line.Answer == nil {
		return eval.Result{}, fmt.Errorf("%s: it has no \"answer\"", formOfLine)
	}
	line.Line.Answer = *line.Answer
	task, err := eval.Prepare(line.Line, j.unit)
	if err != nil {
		return eval.Result{}, err
	}
	findings, err := task.Findings(ctx, j.by)
	if err != nil {
		return eval.Result{}, err
	}
	res := eval.NewResult(line.Line, task, findings, j.unit)
	if j.debug {
		res.Markers = eval.Markers(line.Line, task.Passages, j.unit)
	}
	return res, nil
}

// judge gives the line of output for a line of input.
func (j lineJudge) judge(ctx context.Context, l eval.NumberedLine) judgedLine {
	res, err := j.result(ctx, l.Bytes)
	var v any = res
	if err != nil {
		v = lineError{idOf(l.Bytes), fmt.Sprintf("line %d: %s", l.Number, inWords(err))}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if encErr := e.Encode(v); encErr != nil {
		err = encErr
		b.Reset()
		_ = e.Encode(lineError{res.ID, fmt.Sprintf("line %d: %v", l.Number, encErr)})
	}
	return judgedLine{b.Bytes(), err != nil}
}

// idOf finds the id even of a line that is wrong elsewhere or breaks off.
func idOf(line []byte) string {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	depth, key := 0, ""
	for {
		t, err := d.Token()
		if err != nil {
			return ""
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				depth++
			} else {
				depth--
			}
			key = ""
			continue
		case string:
			if depth == 1 && key == "" {
				key = t
				continue
			}
		}
		if depth == 1 && key == "id" && t != nil {
			return fmt.Sprint(t)
		}
		key = ""
	}
}
