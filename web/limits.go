package web

import (
	"container/list"
	"fmt"
	"math"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"github.com/danielgtaylor/huma/v2"
)

// Limits bound what callers may ask for, each and together. The zero value of each field is its default.
type Limits struct {
	// PerSecond and Burst bound the requests of one key, or of one address where there is none. Default to 200 and 400;
	// a negative PerSecond sets no bound.
	PerSecond float64
	Burst     int
	// Working is how many requests that cost work (attribute, check, export) run at the same time. Defaults to the number
	// of cores: more would only take them from each other.
	Working int
	// Waiting is how many more may wait for their turn. Beyond that everyone would only be late. Defaults to 96.
	Waiting int
	// Longest is how long one of them may work. Defaults to a minute.
	Longest time.Duration
	// Bytes bounds the bodies of the requests that run at the same time, and the texts that wait to be taken in. Defaults to 96 MB.
	Bytes int64
	// Jobs is how many ingestions run at the same time; as many as Waiting may wait for them. Defaults to 2.
	Jobs int
	// Uploads is how many arrive at the same time, each of which may hold 10 MB of fields that are no files in memory, and its files
	// on disk. Defaults to 16.
	Uploads int
	// Streams is how many answers stream at the same time. Defaults to 4096.
	Streams int
}

// limits holds the buckets. Those that were not used for the longest time are forgotten first.
type limits struct {
	Limits
	working *semaphore.Weighted
	queue   *semaphore.Weighted
	bytes   *semaphore.Weighted
	streams *semaphore.Weighted
	uploads *semaphore.Weighted
	jobs    *semaphore.Weighted
	begun   *semaphore.Weighted // jobs that run or wait

	mu      sync.Mutex
	buckets map[string]*list.Element
	recent  *list.List // of *bucket, the latest first
}

type bucket struct {
	who string
	*rate.Limiter
}

// maxBuckets bounds the callers that are remembered.
const maxBuckets = 10_000

func newLimits(l Limits) *limits {
	l.PerSecond = or(l.PerSecond, 200)
	l.Burst = or(l.Burst, 400)
	l.Working = or(l.Working, runtime.GOMAXPROCS(0))
	l.Waiting = or(l.Waiting, 96)
	l.Longest = or(l.Longest, time.Minute)
	l.Bytes = or(l.Bytes, 96<<20)
	l.Streams = or(l.Streams, 4096)
	l.Jobs = or(l.Jobs, 2)
	l.Uploads = or(l.Uploads, 16)
	return &limits{Limits: l, working: semaphore.NewWeighted(int64(l.Working)), queue: semaphore.NewWeighted(int64(l.Waiting)),
		bytes: semaphore.NewWeighted(l.Bytes), streams: semaphore.NewWeighted(int64(l.Streams)),
		uploads: semaphore.NewWeighted(int64(l.Uploads)), jobs: semaphore.NewWeighted(int64(l.Jobs)), begun: semaphore.NewWeighted(int64(l.Jobs + l.Waiting)),
		buckets: map[string]*list.Element{}, recent: list.New()}
}

// allow takes one request of a caller, or says how long to wait.
func (l *limits) allow(who string) (wait time.Duration, ok bool) {
	if l.PerSecond < 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.buckets[who]
	if e == nil {
		e = l.recent.PushFront(&bucket{who, rate.NewLimiter(rate.Limit(l.PerSecond), l.Burst)})
		l.buckets[who] = e
		if len(l.buckets) > maxBuckets {
			oldest := l.recent.Back()
			delete(l.buckets, oldest.Value.(*bucket).who)
			l.recent.Remove(oldest)
		}
	}
	l.recent.MoveToFront(e)
	r := e.Value.(*bucket).Reserve()
	if d := r.Delay(); d > 0 {
		r.Cancel()
		return d, false
	}
	return 0, true
}

// address is who calls without a key. Addresses of one IPv6 network are one caller, as each has as many as it likes.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	ip := net.ParseIP(host)
	if ip != nil && ip.To4() == nil {
		return ip.Mask(net.CIDRMask(64, 128)).String()
	}
	return host
}

// tooMany is the answer to who must wait.
func tooMany(wait time.Duration, why string) error {
	seconds := max(int(math.Ceil(wait.Seconds())), 1)
	p := &huma.ErrorModel{Title: http.StatusText(http.StatusTooManyRequests), Status: http.StatusTooManyRequests,
		Detail: fmt.Sprintf("%s; try again in %d s", why, seconds)}
	return huma.ErrorWithHeaders(p, http.Header{"Retry-After": {strconv.Itoa(seconds)}})
}
