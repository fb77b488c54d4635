package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/workflow"
)

// acknowledged collects the answers whose end was told to a client: those must be on record, whatever came after.
type acknowledged struct {
	mu  sync.Mutex
	ids []ibid.AnswerID
}

func (o *acknowledged) add(id ibid.AnswerID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ids = append(o.ids, id)
}

// line takes the id of an answer out of a line that ends one: done of our own streams, the note of the gateway's.
func (o *acknowledged) line(kind, data string) {
	var v struct {
		ID     ibid.AnswerID
		Answer struct{ ID ibid.AnswerID }
		Ibid   struct {
			Texts []struct{ Answer ibid.AnswerID }
		}
	}
	if json.Unmarshal([]byte(data), &v) != nil {
		return
	}
	for _, t := range v.Ibid.Texts {
		if t.Answer != "" {
			o.add(t.Answer)
		}
	}
	if id := v.ID + v.Answer.ID; kind == "done" && id != "" { // null where nothing is recorded
		o.add(id)
	}
}

// client sends a request and reads what comes, line by line; it leaves after so many lines, or reads to the end where that is 0.
func (o *acknowledged) client(base, path, body string, lines int) {
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	req, err := http.NewRequestWithContext(ctx, "POST", base+path, strings.NewReader(body))
	if err != nil {
		return
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return // the server has gone
	}
	defer res.Body.Close()
	in := bufio.NewReader(res.Body)
	kind := ""
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			kind = strings.TrimSpace(name)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			o.line(kind, data)
		}
		if err != nil || n == lines {
			return
		}
	}
}

// Clients come, leave in the middle and stay; then the server ends among them. What was told as done is on record, the record is
// what its log says, the log verifies, and the folder opens again.
func TestEndAmongRequests(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p := provider(t, "The cable failed after three weeks. Nobody knew why, and it rained for days. So they said.")
			w := open(t, through(p), gated(t, "internal"), func(c *web.Config) { c.Limits.PerSecond, c.Linger = -1, time.Millisecond })
			w.cables()
			r := rand.New(rand.NewPCG(seed, 7))
			var o acknowledged
			var clients sync.WaitGroup
			for i := range 24 {
				path := []string{"/api/v1/ask", "/v1/chat/completions", "/v1/messages", "/v1/responses", "/api/v1/think", "/api/v1/ingest"}[i%6]
				body := askedOf
				switch path {
				case "/api/v1/ask", "/api/v1/think":
					body = `{"question":"When did the cable fail, and why?"}`
				case "/api/v1/ingest":
					body = fmt.Sprintf(`{"texts":[{"name":"n%d.txt","text":"Note %d: the cable failed."}]}`, i, i)
				}
				lines := r.IntN(12) // 0 stays to the end
				if i%2 == 0 {
					lines = 0
				}
				clients.Go(func() { o.client(w.URL, path, body, lines) })
			}
			go func() { // someone reads all the while
				for range 20 {
					if res, err := http.Get(w.URL + "/api/v1/answers"); err == nil {
						io.Copy(io.Discard, res.Body)
						res.Body.Close()
					}
				}
			}()
			if seed > 0 { // with 0 all come to their end
				for n := 0; n < int(seed)*3; n = len(recorded(t, w)) {
				}
				w.server.Close()
			}
			clients.Wait()
			w.server.Close()
			w.Server.Close()
			holdsAll(t, w.store, w.config.AuditLog, &o)
			if err := w.store.Close(); err != nil {
				t.Fatal(err)
			}
			again, err := sqlite.Open(context.Background(), w.dir)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			log, err := again.Log(t.Context(), sqlite.LogConfig{})
			if err != nil {
				t.Fatal(err)
			}
			holdsAll(t, again, log, &o)
			if seed == 0 && len(o.ids) < 10 {
				t.Errorf("only %d answers were told to their end", len(o.ids))
			}
		})
	}
}

// holdsAll holds the record against its log, and against what clients were told.
func holdsAll(t *testing.T, store *sqlite.Store, log *sqlite.Log, o *acknowledged) {
	t.Helper()
	report, err := log.Verify(t.Context(), audit.Expect{})
	if err != nil || len(report.Problems) > 0 {
		t.Fatalf("the log: %+v, %v", report.Problems, err)
	}
	found, unchecked, err := workflow.Held(t.Context(), log.Entries(t.Context(), 0), store)
	if err != nil || len(found)+len(unchecked) > 0 {
		t.Fatalf("the record: %v %v, %v", found, unchecked, err)
	}
	for _, id := range o.ids {
		if a, err := store.Answer(t.Context(), id); err != nil || a.Check() != nil {
			t.Errorf("answer %s was told as done: %v %v", id, err, a.Check())
		}
	}
}
