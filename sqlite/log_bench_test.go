package sqlite

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid/audit"
)

// payloadOfBench is about as long as the record of a decision.
var payloadOfBench = []byte(strings.Repeat("what was said, on what, and who decided; ", 6))

// BenchmarkAppend measures durable appends beside plain inserts into a table of the same file system, with the same
// settings and the same sharing of transactions, in turns.
func BenchmarkAppend(b *testing.B) {
	for _, clients := range []int{1, 64} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			store, log := benchLog(b)
			plain, err := Open(b.Context(), b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			defer plain.Close()
			if err := plain.writer.exec(`CREATE TABLE plain (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, data BLOB NOT NULL) STRICT`); err != nil {
				b.Fatal(err)
			}
			insert := func(ctx context.Context) error {
				return plain.commit(ctx, &job{whole: true, run: func(tx *Tx) error {
					return tx.w.exec(`INSERT INTO plain (at, kind, data) VALUES (?, ?, ?)`, time.Now().UnixMicro(), "bench", payloadOfBench)
				}})
			}
			add := func(ctx context.Context) error {
				_, err := log.Append(ctx, "bench", payloadOfBench)
				return err
			}
			turn := 10 * clients                     // short, so that both meet the same disk
			inTurns(b, clients, 4*turn, insert, add) // neither begins with an empty file
			b.ResetTimer()
			var plains, appends []float64 // of each turn
			for n := 0; b.Loop(); n++ {
				var i, a time.Duration
				if n%2 == 0 {
					i, a = inTurns(b, clients, turn, insert, add)
				} else {
					a, i = inTurns(b, clients, turn, add, insert)
				}
				plains, appends = append(plains, float64(turn)/i.Seconds()), append(appends, float64(turn)/a.Seconds())
			}
			b.ReportMetric(mean(plains), "plain/s")
			b.ReportMetric(mean(appends), "appends/s")
			b.ReportMetric(100*mean(appends)/mean(plains), "%-of-plain")
			b.ReportMetric(0, "ns/op")
			if err := store.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// mean is the geometric one: a disk that other work keeps busy is fast or slow by turns, which throws a median from one to the
// other, and is at times very slow, which an arithmetic mean would show and nothing else.
func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(list)))
}

func benchLog(b *testing.B) (*Store, *Log) {
	b.Helper()
	store, err := Open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	log, err := store.Log(b.Context(), LogConfig{})
	if err != nil {
		b.Fatal(err)
	}
	return store, log
}

// inTurns does each n times from several clients, and gives how long each took.
func inTurns(b *testing.B, clients, n int, first, second func(context.Context) error) (time.Duration, time.Duration) {
	b.Helper()
	var took [2]time.Duration
	for i, f := range []func(context.Context) error{first, second} {
		start := time.Now()
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				for range n / clients {
					if err := f(b.Context()); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		took[i] = time.Since(start)
	}
	return took[0], took[1]
}

// BenchmarkMillion measures what a log of a million entries costs: a receipt, the whole verification, and the time from
// opening to the first acknowledged entry.
func BenchmarkMillion(b *testing.B) {
	const million = 1_000_000
	store, log := benchLog(b)
	dir := store.dir
	for done := 0; done < million; done += 10_000 {
		err := store.Update(b.Context(), func(tx *Tx) error {
			for range 10_000 {
				if _, err := tx.Append("bench", payloadOfBench); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("receipt", func(b *testing.B) {
		i := int64(0)
		for b.Loop() {
			i = (i + 7919) % million
			r, err := log.Receipt(b.Context(), i)
			if err != nil || len(r.Proof) < 15 {
				b.Fatal(len(r.Proof), err)
			}
		}
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			r, err := log.Verify(b.Context(), audit.Expect{})
			if err != nil || len(r.Problems) > 0 || r.Entries != million+1 {
				b.Fatal(r, err)
			}
		}
		b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/verify")
	})
	if err := store.Close(); err != nil {
		b.Fatal(err)
	}
	b.Run("restart", func(b *testing.B) {
		for b.Loop() {
			store, err := Open(b.Context(), dir)
			if err != nil {
				b.Fatal(err)
			}
			log, err := store.Log(b.Context(), LogConfig{})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := log.Append(b.Context(), "bench", payloadOfBench); err != nil {
				b.Fatal(err)
			}
			if err := store.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
