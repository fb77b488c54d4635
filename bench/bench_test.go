//go:build unix

package bench

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/index"
	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/sqlite"
)

// fileSize is that of a file of the library: 2,000 of them are 20 MB.
const fileSize = 10_000

// workers is how many files are read at the same time. More than cores, so that adds share a flush of the disk.
const workers = 16

// library is a data folder with files in it.
type library struct {
	dir    string
	store  *sqlite.Store
	index  *index.Index
	files  int
	chunks int
	bytes  int64
	read   time.Duration // reading, storing
	built  time.Duration // indexing
}

func newLibrary(tb testing.TB) *library {
	tb.Helper()
	dir := tb.TempDir()
	store, err := sqlite.Open(tb.Context(), dir)
	if err != nil {
		tb.Fatal(err)
	}
	x, err := index.Open(tb.Context(), filepath.Join(dir, "index"), store, index.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	l := &library{dir: dir, store: store, index: x}
	tb.Cleanup(func() { x.Close(); store.Close() })
	return l
}

// grow adds files until the library has so many chunks.
func (l *library) grow(tb testing.TB, c *Corpus, chunks int) {
	tb.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	start := time.Now()
	for range workers {
		wg.Go(func() {
			for {
				mu.Lock()
				n := l.files
				enough := l.chunks >= chunks
				if !enough {
					l.files++
				}
				mu.Unlock()
				if enough {
					return
				}
				text := c.File(n, fileSize)
				added, err := add(tb.Context(), l.store, fmt.Sprintf("file:///corpus/%d.md", n), text)
				mu.Lock()
				l.chunks += added
				l.bytes += int64(len(text))
				mu.Unlock()
				if err != nil {
					tb.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	l.read += time.Since(start)
	start = time.Now()
	if err := l.index.Update(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	l.built += time.Since(start)
}

// add reads a file as ingest does and stores it.
func add(ctx context.Context, store *sqlite.Store, uri, text string) (chunks int, err error) {
	read, err := ingest.Read(ctx, []byte(text), ingest.Hint{Name: filepath.Base(uri), URI: uri})
	if err != nil {
		return 0, err
	}
	source := ibid.Source{ID: ibid.IdentifySource("", uri), URI: uri, Reference: read.Reference, AddedAt: time.Now()}
	doc := ibid.Document{ID: ibid.HashText(read.Text), Source: source.ID, MediaType: read.MediaType, Text: read.Text, Outline: read.Outline, FetchedAt: time.Now()}
	cut := ingest.Chunks(doc)
	_, _, err = store.Add(ctx, source, doc, cut)
	return len(cut), err
}

// BenchmarkIngest reads 2,000 Markdown files, 20 MB, into an empty library, index included.
func BenchmarkIngest(b *testing.B) {
	c := NewCorpus(1)
	texts := make([]string, 2000)
	for i := range texts {
		texts[i] = c.File(i, fileSize)
	}
	for b.Loop() {
		l := newLibrary(b)
		var bytes int64
		start, busy := time.Now(), cpu()
		jobs := make(chan int)
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for n := range jobs {
					if _, err := add(b.Context(), l.store, fmt.Sprintf("file:///corpus/%d.md", n), texts[n]); err != nil {
						b.Error(err)
					}
				}
			})
		}
		for n, text := range texts {
			jobs <- n
			bytes += int64(len(text))
		}
		close(jobs)
		wg.Wait()
		stored := time.Since(start)
		if err := l.index.Update(b.Context()); err != nil {
			b.Fatal(err)
		}
		all := time.Since(start)
		b.ReportMetric(float64(bytes)/1e6/stored.Seconds(), "MB/s-stored")
		b.ReportMetric(float64(bytes)/1e6/all.Seconds(), "MB/s")
		b.ReportMetric(float64(bytes)/1e6/(cpu()-busy).Seconds(), "MB/cpu-s") // does not depend on what else the machine does
	}
}

// BenchmarkRetrieve asks libraries of 1,000, 10,000 and 100,000 chunks, one growing into the next.
func BenchmarkRetrieve(b *testing.B) {
	c := NewCorpus(1)
	l := newLibrary(b)
	for _, chunks := range []int{1_000, 10_000, 100_000} {
		l.grow(b, c, chunks)
		b.Run(fmt.Sprint(chunks), func(b *testing.B) {
			var took []time.Duration
			n, found := 0, 0
			busy := cpu()
			for b.Loop() {
				n++
				start := time.Now()
				passages, err := l.index.Retrieve(b.Context(), ibid.Query{Text: c.Question(n % l.files)})
				took = append(took, time.Since(start))
				if err != nil {
					b.Fatal(err)
				}
				found += len(passages)
			}
			busy = cpu() - busy
			slices.Sort(took)
			b.ReportMetric(float64(busy.Microseconds())/1000/float64(n), "cpu-ms")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-p95")
			b.ReportMetric(float64(found)/float64(n), "passages")
			b.ReportMetric(float64(l.chunks)/l.built.Seconds(), "chunks/s-indexed")
			b.ReportMetric(float64(size(l.dir, "index"))/1e6, "MB-index")
			b.ReportMetric(float64(size(l.dir, "."))/1e6, "MB-all")
			b.ReportMetric(float64(l.bytes)/1e6, "MB-text")
			b.ReportMetric(heap(), "MB-heap")
		})
	}
}

func size(dir, name string) int64 {
	var n int64
	filepath.WalkDir(filepath.Join(dir, name), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// BenchmarkAskWhileIngesting asks a library of 10,000 chunks while another opens the same folder, adds to it and indexes,
// as a second process does. Each question sees all that was stored before it was asked.
func BenchmarkAskWhileIngesting(b *testing.B) {
	c := NewCorpus(1)
	l := newLibrary(b)
	l.grow(b, c, 10_000)
	store, err := sqlite.Open(b.Context(), l.dir)
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	other, err := index.Open(b.Context(), filepath.Join(l.dir, "index"), store, index.Config{})
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	added := 0
	wg.Go(func() {
		for n := l.files; ; n++ {
			select {
			case <-done:
				return
			default:
			}
			if _, err := add(b.Context(), store, fmt.Sprintf("file:///corpus/%d.md", n), c.File(n, fileSize)); err != nil {
				b.Error(err)
				return
			}
			if added++; added%20 == 0 {
				if err := other.Update(b.Context()); err != nil {
					b.Error(err)
				}
			}
		}
	})
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := l.index.Retrieve(b.Context(), ibid.Query{Text: c.Question(len(took) % l.files)}); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	close(done)
	wg.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-p95")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-slowest")
	b.ReportMetric(float64(added), "files-added")
}
