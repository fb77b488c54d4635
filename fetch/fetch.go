// Package fetch gets pages and files from the web without opening a door into the network it runs in. Only http and
// https on their own ports are fetched; every address is checked at the moment a connection is made to it, so that a
// name that is public when looked at and private when dialled gets nothing; redirects are checked like first requests.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Config says what may be fetched. The zero value of each field is its default.
type Config struct {
	// AllowPrivate permits addresses of this machine and its networks: loopback, private, link-local, carrier NAT.
	AllowPrivate bool
	// AllowPorts are ports permitted beside 80 and 443.
	AllowPorts []int
	// MaxBytes bounds the body, unpacked. Defaults to 64 MB.
	MaxBytes int64
	// Timeout bounds the whole of a request, redirects and body included. Defaults to 60 seconds.
	Timeout time.Duration
	// UserAgent says who asks. Defaults to "ibid (+https://github.com/ibid-dev/ibid)".
	UserAgent string
	// Resolver looks names up. Defaults to the system's.
	Resolver *net.Resolver
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
}

const (
	maxRedirects     = 5
	defaultMaxBytes  = 64 << 20
	defaultTimeout   = 60 * time.Second
	defaultUserAgent = "ibid (+https://github.com/ibid-dev/ibid)"
	accept           = "text/html, application/xhtml+xml, application/pdf, text/markdown, text/plain, " +
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document, application/vnd.openxmlformats-officedocument.presentationml.presentation, " +
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/epub+zip, application/vnd.oasis.opendocument.text, application/rtf, */*;q=0.5"
)

// Fetcher gets pages. It keeps no cookies and uses no proxy. It may be used by several goroutines.
type Fetcher struct {
	cfg    Config
	client *http.Client
}

// New makes a fetcher.
func New(cfg Config) *Fetcher {
	if cfg.MaxBytes <= 0 {
		cfg.MaxBytes = defaultMaxBytes
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = defaultTimeout
	}
	if cfg.UserAgent == "" {
		cfg.UserAgent = defaultUserAgent
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	f := &Fetcher{cfg: cfg}
	dialer := &net.Dialer{Timeout: 10 * time.Second, Resolver: cfg.Resolver, Control: f.control}
	f.client = &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil, // never from the environment
			DialContext:            dialer.DialContext,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        30 * time.Second,
			TLSHandshakeTimeout:    10 * time.Second,
			ResponseHeaderTimeout:  30 * time.Second,
			MaxResponseHeaderBytes: 256 << 10,
		},
		CheckRedirect: f.checkRedirect,
	}
	return f
}

// Request names what is wanted. With the validators of an earlier answer, a page that did not change is not sent again.
type Request struct {
	URL          string
	ETag         string
	LastModified string
}

// Page is what was fetched.
type Page struct {
	URL          string // where it was in the end, after redirects
	MediaType    string // as the server named it, with its charset; may be empty or wrong
	Body         []byte
	FetchedAt    time.Time
	ETag         string
	LastModified string
	NotModified  bool // the page is what the validators of the request stand for; there is no body
}

// Get fetches a page. The error is a *RefusedError where the address may not be fetched, a *StatusError where the server
// answered with another status than success, wraps ErrTooLarge where the body is beyond the limit, and
// context.DeadlineExceeded where it took too long.
func (f *Fetcher) Get(ctx context.Context, r Request) (Page, error) {
	u, err := f.check(r.URL)
	if err != nil {
		return Page{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Page{}, refuse(r.URL, "it is not a proper address", "")
	}
	req.Header.Set("User-Agent", f.cfg.UserAgent)
	req.Header.Set("Accept", accept)
	if r.ETag != "" {
		req.Header.Set("If-None-Match", r.ETag)
	}
	if r.LastModified != "" {
		req.Header.Set("If-Modified-Since", r.LastModified)
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return Page{}, f.explain(r.URL, err)
	}
	defer resp.Body.Close()
	return f.read(r, resp)
}

func (f *Fetcher) read(r Request, resp *http.Response) (Page, error) {
	page := Page{
		URL:          resp.Request.URL.String(),
		MediaType:    mediaType(resp.Header.Get("Content-Type")),
		FetchedAt:    f.cfg.Now().UTC(),
		ETag:         resp.Header.Get("ETag"),
		LastModified: resp.Header.Get("Last-Modified"),
	}
	switch {
	case resp.StatusCode == http.StatusNotModified && (r.ETag != "" || r.LastModified != ""):
		page.NotModified = true
		return page, nil
	case resp.StatusCode != http.StatusOK:
		return Page{}, &StatusError{URL: page.URL, Code: resp.StatusCode}
	case resp.ContentLength > f.cfg.MaxBytes:
		return Page{}, f.tooLarge(r.URL)
	}
	// The body is counted as it comes out of decompression: a small answer may unpack to any size.
	body, err := io.ReadAll(io.LimitReader(resp.Body, f.cfg.MaxBytes+1))
	if err != nil {
		return Page{}, f.explain(r.URL, err)
	}
	if int64(len(body)) > f.cfg.MaxBytes {
		return Page{}, f.tooLarge(r.URL)
	}
	page.Body = body
	return page, nil
}

// mediaType drops what is not a media type; its charset stays.
func mediaType(s string) string {
	if _, _, err := mime.ParseMediaType(s); err != nil {
		return ""
	}
	return s
}

// check reads an address and refuses what can be refused without looking it up.
func (f *Fetcher) check(raw string) (*url.URL, error) {
	if strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return nil, refuse(raw, "it holds blanks or control characters", "")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, refuse(raw, "it is not a proper address", "")
	}
	return u, f.checkURL(u)
}

func (f *Fetcher) checkURL(u *url.URL) error {
	shown := u.Redacted()
	if u.Scheme != "http" && u.Scheme != "https" {
		return refuse(shown, fmt.Sprintf("its scheme is %q", u.Scheme), "only http and https are fetched")
	}
	if u.Hostname() == "" || u.Opaque != "" {
		return refuse(shown, "it names no host", "")
	}
	if u.User != nil {
		return refuse(shown, "it holds a user name or password", "take them out of the address")
	}
	port := u.Port()
	if port == "" && strings.HasSuffix(u.Host, ":") {
		return refuse(shown, "its port is empty", "")
	}
	if port == "" {
		return nil
	}
	n, err := strconv.Atoi(port)
	if err != nil || !f.allowedPort(n) {
		return refuse(shown, "its port is "+port+" and not 80 or 443", "allow it with --allow-port "+port)
	}
	return nil
}

func (f *Fetcher) allowedPort(n int) bool {
	return n == 80 || n == 443 || slices.Contains(f.cfg.AllowPorts, n)
}

func (f *Fetcher) checkRedirect(req *http.Request, via []*http.Request) error {
	from := via[len(via)-1].URL
	if len(via) > maxRedirects {
		return refuse(via[0].URL.Redacted(), fmt.Sprintf("it redirects more than %d times", maxRedirects), "")
	}
	if err := f.checkURL(req.URL); err != nil {
		return err
	}
	if from.Scheme == "https" && req.URL.Scheme == "http" {
		return refuse(req.URL.Redacted(), "an https page redirects to it, and it is http", "")
	}
	return nil
}

// control sees the very address that a connection is about to be made to. It is the check that counts.
func (f *Fetcher) control(_, address string, _ syscall.RawConn) error {
	return f.checkAddress(address)
}

// explain gives an error of the transport the words of its cause.
func (f *Fetcher) explain(raw string, err error) error {
	var refused *RefusedError
	var netErr net.Error
	var dns *net.DNSError
	switch {
	case errors.As(err, &refused):
		if refused.URL == "" {
			return refuse(raw, refused.Reason, refused.Hint)
		}
		return refused
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("fetch %s: %w", raw, context.Canceled)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return fmt.Errorf("fetch %s: no answer within %v: %w", raw, f.cfg.Timeout, context.DeadlineExceeded)
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("fetch %s: the name %s is not known; check the spelling: %w", raw, dns.Name, err)
	}
	// The URL stands in the message already.
	var ue *url.Error
	if errors.As(err, &ue) {
		err = ue.Err
	}
	return fmt.Errorf("fetch %s: %w", raw, err)
}
