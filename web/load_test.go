package web_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/entail"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/workflow"
)

// The work of one request: an answer of ten sentences against five passages.
func load() (answer string, sources []map[string]string) {
	facts := []string{"The cable of %d was completed in August.", "It carried messages for about %d days.", "The ship weighed %d tons.", "Its core had %d copper wires.",
		"The company spent %d pounds on it.", "About %d people saw it land.", "The signal took %d seconds a word.", "The splice was made %d miles out.",
		"The engineer had %d assistants.", "It failed after %d weeks."}
	var b strings.Builder
	for i, f := range facts {
		fmt.Fprintf(&b, f+" ", 100+i)
	}
	for p := range 5 {
		var s strings.Builder
		for i, f := range facts {
			fmt.Fprintf(&s, "In the record of the expedition it is said: "+f+" ", 100+i*(p%2+1))
			s.WriteString("The weather was fair and the crew in good spirits throughout the day. ")
		}
		sources = append(sources, map[string]string{"title": fmt.Sprint("Record ", p), "text": s.String()})
	}
	return b.String(), sources
}

// spread runs n pieces of work on so many goroutines and gives how long each took.
func spread(n, hands int, work func()) (each []time.Duration, whole time.Duration) {
	each = make([]time.Duration, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	for range hands {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				at := time.Now()
				work()
				each[i] = time.Since(at)
			}
		})
	}
	wg.Wait()
	return each, time.Since(began)
}

// BenchmarkLoad attributes over HTTP with 64 clients in this process, beside the same work called as a function. Give it
// -benchtime 60s for the figures of docs/api.md.
func BenchmarkLoad(b *testing.B) {
	w := open(b, func(c *web.Config) { c.Limits.PerSecond = -1; c.Log = nil })
	answer, sources := load()
	body, _ := json.Marshal(map[string]any{"answer": answer, "sources": sources})
	var passages []ibid.Passage
	for i, s := range sources {
		p := ibid.Passage{Rank: i + 1, Chunk: ibid.Chunk{Text: s["text"], At: ibid.Anchor{Document: ibid.DocumentID(fmt.Sprint(i)), Span: ibid.Span{End: len(s["text"])}}}}
		p.Source.ID = ibid.SourceID(fmt.Sprint(i))
		p.Source.Reference.Set("title", s["title"])
		passages = append(passages, p)
	}
	engine := attribute.New(attribute.Config{})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}}
	var failed, busy atomic.Int64
	post := func() {
		res, err := client.Post(w.URL+"/api/v1/attribute", "application/json", bytes.NewReader(body))
		if err != nil {
			failed.Add(1)
			return
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		switch {
		case res.StatusCode == 200:
		case res.StatusCode == 429 && res.Header.Get("Retry-After") != "":
			busy.Add(1)
		default:
			failed.Add(1)
		}
	}
	b.Run("64 clients", func(b *testing.B) {
		spread(64, 64, post) // connections
		busy.Store(0)
		b.ResetTimer()
		_, inside := spread(b.N, 64, func() {
			a, err := workflow.Attribute(b.Context(), engine, answer, passages)
			if err != nil || len(a.Segments) != 10 {
				b.Error(len(a.Segments), err)
			}
		})
		each, served := spread(b.N, 64, post)
		slices.Sort(each)
		b.ReportMetric(float64(b.N)/served.Seconds(), "answers/s")
		b.ReportMetric(float64(b.N)/inside.Seconds(), "in-process/s")
		b.ReportMetric(inside.Seconds()/served.Seconds(), "of-in-process")
		b.ReportMetric(float64(each[len(each)*99/100].Microseconds())/1000, "p99-ms")
		b.ReportMetric(float64(failed.Load()+busy.Load()), "errors")
	})
	b.Run("128 clients", func(b *testing.B) {
		failed.Store(0)
		busy.Store(0)
		spread(b.N, 128, post)
		b.ReportMetric(float64(busy.Load())/float64(b.N)*100, "%-told-to-wait")
		b.ReportMetric(float64(failed.Load()), "errors")
		b.ReportMetric(peak(), "peak-MB")
	})
}

// peak is the most memory that the process, clients and all, has had.
func peak() float64 {
	b, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(b), "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
			kb, _ := strconv.ParseFloat(f[1], 64)
			return kb / 1024
		}
	}
	return 0
}

// BenchmarkGateway streams answers of 200 and of 1,000 tokens at 100 tokens a second from a scripted provider, directly and
// through the gateway in turn. The gateway has all that ibid serve has: the judge, who is asked about every sentence, the
// gate, and the log on disk. Give it -benchtime 3x.
func BenchmarkGateway(b *testing.B) {
	judge, err := entail.Open()
	if err != nil {
		b.Skip(err)
	}
	answer, sources := load()
	words := strings.SplitAfter(strings.Repeat(answer, 20), " ")
	p := provider(b, "")
	p.pace = 10 * time.Millisecond
	w := open(b, through(p), gated(b, "internal"), func(c *web.Config) {
		c.Log = nil
		c.Asker.Attributor = attribute.New(attribute.Config{Claims: attribute.IsClaim, Judge: judge, Always: true})
	})
	var prompt strings.Builder
	for i, s := range sources {
		fmt.Fprintf(&prompt, "[CTX %d] %s\n\n", i+1, s["text"])
	}
	question := []any{map[string]any{"role": "user", "content": "Tell me.\n\n" + prompt.String()}}
	body, _ := json.Marshal(map[string]any{"model": "m", "max_tokens": 500, "stream": true, "messages": question, "input": question})
	for _, form := range []struct {
		name, path string
		tokens     int
	}{{"OpenAI/200", "/v1/chat/completions", 200}, {"OpenAI/1000", "/v1/chat/completions", 1000}, {"Anthropic/200", "/v1/messages", 200}, {"Anthropic/1000", "/v1/messages", 1000},
		{"Responses/200", "/v1/responses", 200}, {"Responses/1000", "/v1/responses", 1000}} {
		b.Run(form.name, func(b *testing.B) {
			p.words = words[:form.tokens]
			read := func(base string) (first, whole float64) {
				began := time.Now()
				since := func() float64 { return float64(time.Since(began).Microseconds()) / 1000 }
				res, err := http.Post(base+form.path, "application/json", bytes.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				defer res.Body.Close()
				scan := bufio.NewScanner(res.Body)
				scan.Buffer(nil, 4<<20)
				for scan.Scan() {
					if first == 0 && strings.Contains(scan.Text(), "cable") {
						first = since()
					}
				}
				return first, since()
			}
			read(p.URL)
			read(w.URL)
			var firsts, wholes [2][]float64
			b.ResetTimer()
			for range b.N {
				for i, base := range []string{p.URL, w.URL} {
					first, whole := read(base)
					firsts[i], wholes[i] = append(firsts[i], first), append(wholes[i], whole)
				}
			}
			middle := func(ms []float64) float64 { slices.Sort(ms); return ms[len(ms)/2] }
			b.ReportMetric(middle(firsts[1])-middle(firsts[0]), "first-token-later-ms")
			b.ReportMetric(middle(wholes[1])-middle(wholes[0]), "end-later-ms")
			b.ReportMetric((middle(wholes[1])/middle(wholes[0])-1)*100, "%-longer")
			b.ReportMetric(middle(wholes[0]), "direct-ms")
		})
	}
}
