// Package client calls a server of Ibid from Go.
//
//	c := client.New("http://localhost:8080", client.Config{Key: "ibid_…"})
//	answer, err := c.Ask(ctx, client.Question{Question: "When was the first transatlantic cable laid?"})
//	for event, err := range c.AskStream(ctx, q) { … }
//
// Answers come as the root package's own, so that ibid.Answer's methods work on them. Errors of the server are *Problem.
// A test holds every call against the server's OpenAPI document.
package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/internal/wording"
)

// Config holds what a client can do without.
type Config struct {
	// Key is the API key. A server on this machine needs none.
	Key string
	// Collection is worked in, for a key that reaches all.
	Collection string
	// HTTP does the requests. Defaults to http.DefaultClient. Its own Timeout would cut long answers.
	HTTP *http.Client
}

// Client calls one server. It may be used by several goroutines.
type Client struct {
	base string
	Config
}

// New makes a client of the server at an address, as http://localhost:8080.
func New(base string, c Config) *Client {
	if c.HTTP == nil {
		c.HTTP = http.DefaultClient
	}
	return &Client{strings.TrimRight(base, "/"), c}
}

// Problem is an error that the server told, in the form of RFC 9457.
type Problem struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Errors []struct {
		Location string `json:"location"` // body.sources[3].text
		Message  string `json:"message"`
	} `json:"errors"`
	// RetryAfter is how long the server asks to wait; 0 where it does not say.
	RetryAfter time.Duration `json:"-"`
}

func (p *Problem) Error() string {
	s := fmt.Sprintf("%d %s: %s", p.Status, p.Title, p.Detail)
	for _, e := range p.Errors {
		s += fmt.Sprintf("; %s: %s", e.Location, e.Message)
	}
	return s
}

// Unwrap gives ibid.ErrNotFound and ibid.ErrInvalid where the status says so.
func (p *Problem) Unwrap() error {
	switch p.Status {
	case http.StatusNotFound:
		return ibid.ErrNotFound
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return ibid.ErrInvalid
	}
	return nil
}

// Question is a question to the library.
type Question struct {
	Question     string   `json:"question"`
	Conversation string   `json:"conversation,omitempty"`
	Sources      []string `json:"sources,omitempty"`
}

// Source is a text that an answer may rest on.
type Source struct {
	ID    string `json:"id,omitempty"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
	Text  string `json:"text"`
}

// Event is one event of a stream. Data is its JSON.
type Event struct {
	ID   string
	Kind string // retrieved, text, segment, step, citation, gate, receipt, error, done …
	Data json.RawMessage
}

// Ask answers a question from the library.
func (c *Client) Ask(ctx context.Context, q Question) (ibid.Answer, error) {
	return call[ibid.Answer](ctx, c, "POST", "/api/v1/ask", nil, q)
}

// AskStream answers a question as a stream of events, the last of which is done and holds the answer. A connection that is
// cut is taken up again where it was.
func (c *Client) AskStream(ctx context.Context, q Question) iter.Seq2[Event, error] {
	return c.stream(ctx, "/api/v1/ask", q)
}

// Think answers a question in steps.
func (c *Client) Think(ctx context.Context, q Question) (ibid.Answer, error) {
	return call[ibid.Answer](ctx, c, "POST", "/api/v1/think", nil, struct {
		Question     string `json:"question"`
		Conversation string `json:"conversation,omitempty"`
	}{q.Question, q.Conversation})
}

// ThinkStream answers a question in steps, as AskStream answers at once.
func (c *Client) ThinkStream(ctx context.Context, q Question) iter.Seq2[Event, error] {
	return c.stream(ctx, "/api/v1/think", map[string]any{"question": q.Question, "conversation": q.Conversation})
}

// Argue argues a claim for and against. The two sides are the steps of the answer.
func (c *Client) Argue(ctx context.Context, claim string) (ibid.Answer, error) {
	return call[ibid.Answer](ctx, c, "POST", "/api/v1/argue", nil, map[string]any{"claim": claim})
}

// BeginStudy begins to research a topic. The work goes on at the server; Study tells how far it is, and ExportStudy gives the
// dossier.
func (c *Client) BeginStudy(ctx context.Context, topic string) (api.Study, error) {
	return call[api.Study](ctx, c, "POST", "/api/v1/studies", nil, map[string]any{"topic": topic})
}

// Study tells how far a study is.
func (c *Client) Study(ctx context.Context, id string) (api.Study, error) {
	return call[api.Study](ctx, c, "GET", "/api/v1/studies/"+url.PathEscape(id), nil, nil)
}

// Attribute says where the words of any answer come from, given the sources it may rest on.
func (c *Client) Attribute(ctx context.Context, question, answer string, sources []Source) (ibid.Answer, error) {
	if sources == nil {
		sources = []Source{}
	}
	return call[ibid.Answer](ctx, c, "POST", "/api/v1/attribute", nil, map[string]any{"question": question, "answer": answer, "sources": sources})
}

// Answer gives a recorded answer.
func (c *Client) Answer(ctx context.Context, id ibid.AnswerID) (ibid.Answer, error) {
	return call[ibid.Answer](ctx, c, "GET", "/api/v1/answers/"+url.PathEscape(string(id)), nil, nil)
}

// Answers lists recorded answers, the latest first, with what a list shows of them.
func (c *Client) Answers(ctx context.Context) iter.Seq2[ibid.Answer, error] {
	return pages[ibid.Answer](ctx, c, "/api/v1/answers", nil)
}

// FindAnswers lists those of them that have the words, rest on the source and are of the conversation, each with the place where the words stand.
func (c *Client) FindAnswers(ctx context.Context, f api.Find) iter.Seq2[api.AnswerHead, error] {
	query := url.Values{}
	if f.Words != "" {
		query.Set("q", f.Words)
	}
	if f.Source != "" {
		query.Set("source", string(f.Source))
	}
	if f.Conversation != "" {
		query.Set("conversation", string(f.Conversation))
	}
	return pages[api.AnswerHead](ctx, c, "/api/v1/answers", query)
}

// Bibliography gives what an answer cites in a style.
func (c *Client) Bibliography(ctx context.Context, id ibid.AnswerID, style string) ([]string, error) {
	list, err := call[struct{ Entries []string }](ctx, c, "GET", "/api/v1/answers/"+url.PathEscape(string(id))+"/bibliography", url.Values{"style": {style}}, nil)
	return list.Entries, err
}

// Export gives an answer as a file: bibtex, ris, html, docx …
func (c *Client) Export(ctx context.Context, id ibid.AnswerID, to string) ([]byte, error) {
	res, err := c.send(ctx, "GET", "/api/v1/answers/"+url.PathEscape(string(id))+"/export", url.Values{"to": {to}}, "", nil, "")
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// LibraryBibliography gives all sources of the library in a style.
func (c *Client) LibraryBibliography(ctx context.Context, style string) ([]string, error) {
	list, err := call[struct{ Entries []string }](ctx, c, "GET", "/api/v1/bibliography", url.Values{"style": {style}}, nil)
	return list.Entries, err
}

// ExportLibrary gives all sources of the library as a file: bibtex, biblatex, ris, endnote, csljson.
func (c *Client) ExportLibrary(ctx context.Context, to string) ([]byte, error) {
	res, err := c.send(ctx, "GET", "/api/v1/export", url.Values{"to": {to}}, "", nil, "")
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// ExportStudy gives the dossier of a study as a file: markdown, html, docx, json.
func (c *Client) ExportStudy(ctx context.Context, id, to string) ([]byte, error) {
	res, err := c.send(ctx, "GET", "/api/v1/studies/"+url.PathEscape(id)+"/export", url.Values{"to": {to}}, "", nil, "")
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// Receipt gives the proof that the log holds an answer; audit.ParseReceipt reads it.
func (c *Client) Receipt(ctx context.Context, id ibid.AnswerID) (json.RawMessage, error) {
	return call[json.RawMessage](ctx, c, "GET", "/api/v1/answers/"+url.PathEscape(string(id))+"/receipt", nil, nil)
}

// Sources lists the sources.
func (c *Client) Sources(ctx context.Context) iter.Seq2[api.Source, error] {
	return pages[api.Source](ctx, c, "/api/v1/sources", nil)
}

// RemoveSource takes a source out of the library.
func (c *Client) RemoveSource(ctx context.Context, id ibid.SourceID) error {
	_, err := call[json.RawMessage](ctx, c, "DELETE", "/api/v1/sources/"+url.PathEscape(string(id)), nil, nil)
	return err
}

// IngestURLs takes pages of the web into the library, and waits up to a minute for the work to be done.
func (c *Client) IngestURLs(ctx context.Context, urls ...string) (api.Job, error) {
	return call[api.Job](ctx, c, "POST", "/api/v1/ingest", url.Values{"wait": {"60"}}, map[string]any{"urls": urls})
}

// Text is a text to take into the library. One of the same name, or address, is a new version.
type Text struct {
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"` // where others find it
	Text  string `json:"text"`
}

// IngestTexts takes texts into the library, and waits up to a minute for the work to be done.
func (c *Client) IngestTexts(ctx context.Context, texts ...Text) (api.Job, error) {
	return call[api.Job](ctx, c, "POST", "/api/v1/ingest", url.Values{"wait": {"60"}}, map[string]any{"texts": texts})
}

// Upload takes a file into the library, and waits up to a minute for the work to be done.
func (c *Client) Upload(ctx context.Context, name string, content io.Reader) (api.Job, error) {
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	f, err := m.CreateFormFile("file", name)
	if err == nil {
		_, err = io.Copy(f, content)
	}
	if err != nil {
		return api.Job{}, err
	}
	if err := m.Close(); err != nil {
		return api.Job{}, err
	}
	res, err := c.send(ctx, "POST", "/api/v1/upload", url.Values{"wait": {"60"}}, m.FormDataContentType(), &form, "")
	if err != nil {
		return api.Job{}, err
	}
	return read[api.Job](res)
}

// Job tells how far long work is.
func (c *Client) Job(ctx context.Context, id string) (api.Job, error) {
	return call[api.Job](ctx, c, "GET", "/api/v1/jobs/"+url.PathEscape(id), nil, nil)
}

// Claims is what an agent retrieved, and what it claims from it.
type Claims struct {
	Agent   string       `json:"agent,omitempty"`
	Sources []ToolResult `json:"sources,omitempty"`
	Claims  []Claim      `json:"claims,omitempty"`
}

// ToolResult is what a tool returned. Claims name it by its identifier, which the agent has once.
type ToolResult struct {
	Identifier string `json:"identifier"`
	Category   string `json:"category"`
	Tool       string `json:"tool,omitempty"`
	Endpoint   string `json:"endpoint,omitempty"`
	Content    string `json:"content,omitempty"`
}

// Claim is what an agent asserts: with the source it rests on, or why it needs none.
type Claim struct {
	Text   string         `json:"text"`
	Source string         `json:"source,omitempty"`
	Quotes []string       `json:"quotes,omitempty"` // words of the source
	Exempt ibid.Exemption `json:"exempt,omitempty"`
}

// StartRun begins the record of an agent's run.
func (c *Client) StartRun(ctx context.Context) (ibid.Run, error) {
	return call[ibid.Run](ctx, c, "POST", "/api/v1/runs", nil, nil)
}

// AddClaims adds what an agent retrieved and claims to its run, all of it or nothing.
func (c *Client) AddClaims(ctx context.Context, run ibid.RunID, claims Claims) (ibid.Run, error) {
	return call[ibid.Run](ctx, c, "POST", "/api/v1/runs/"+url.PathEscape(string(run))+"/claims", nil, claims)
}

// FinishRun ends a run, and takes the gate's decision on it: the verdict of the run that it gives.
func (c *Client) FinishRun(ctx context.Context, run ibid.RunID) (ibid.Run, error) {
	return call[ibid.Run](ctx, c, "POST", "/api/v1/runs/"+url.PathEscape(string(run))+"/finish", nil, nil)
}

// Run gives a run with its sources and claims.
func (c *Client) Run(ctx context.Context, id ibid.RunID) (ibid.Run, error) {
	return call[ibid.Run](ctx, c, "GET", "/api/v1/runs/"+url.PathEscape(string(id)), nil, nil)
}

// Call sends what has no method of its own here: any operation of the OpenAPI document. The body may be nil, and the answer is
// read into what out points to, unless it is nil.
func (c *Client) Call(ctx context.Context, method, path string, query url.Values, body, out any) error {
	answer, err := call[json.RawMessage](ctx, c, method, path, query, body)
	if err != nil || out == nil || len(answer) == 0 {
		return err
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("the server's answer: %w", wording.JSON(err, nil))
	}
	return nil
}

// GiveFeedback says whether a source of a segment is right, wrong or missing. Segments count from 1; the source may be "".
func (c *Client) GiveFeedback(ctx context.Context, id ibid.AnswerID, segment int, source ibid.SourceID, v api.Verdict, note string) (api.Feedback, error) {
	return call[api.Feedback](ctx, c, "POST", "/api/v1/answers/"+url.PathEscape(string(id))+"/feedback", nil, struct {
		Segment int           `json:"segment"`
		Source  ibid.SourceID `json:"source,omitempty"`
		Verdict api.Verdict   `json:"verdict"`
		Note    string        `json:"note,omitempty"`
	}{segment, source, v, note})
}

// Insights gives what the answers of the last 90 days say together.
func (c *Client) Insights(ctx context.Context) (api.Insights, error) {
	return call[api.Insights](ctx, c, "GET", "/api/v1/insights", nil, nil)
}

// call sends a request and reads its answer.
func call[T any](ctx context.Context, c *Client, method, path string, query url.Values, body any) (T, error) {
	var zero T
	var sent io.Reader
	media := ""
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return zero, err
		}
		sent, media = bytes.NewReader(b), "application/json"
	}
	res, err := c.send(ctx, method, path, query, media, sent, "application/json")
	if err != nil {
		return zero, err
	}
	return read[T](res)
}

func read[T any](res *http.Response) (T, error) {
	var v T
	defer res.Body.Close()
	if res.StatusCode == http.StatusNoContent {
		return v, nil
	}
	if err := json.NewDecoder(res.Body).Decode(&v); err != nil {
		return v, fmt.Errorf("the server's answer: %w", wording.JSON(err, nil))
	}
	return v, nil
}

// send gives an answer of success, or the problem.
func (c *Client) send(ctx context.Context, method, path string, query url.Values, media string, body io.Reader, accept string, more ...string) (*http.Response, error) {
	address := c.base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	for i := 0; i+1 < len(more); i += 2 {
		req.Header.Set(more[i], more[i+1])
	}
	for name, value := range map[string]string{"Content-Type": media, "Accept": accept, "Ibid-Collection": c.Collection} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.Key)
	}
	res, err := c.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode < 300 {
		return res, nil
	}
	defer res.Body.Close()
	p := &Problem{Status: res.StatusCode, Title: http.StatusText(res.StatusCode)}
	b, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	_ = json.Unmarshal(b, p) // what is no problem in JSON is known by its status
	if s, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && s > 0 {
		p.RetryAfter = time.Duration(min(s, 24*60*60)) * time.Second
	}
	return nil, p
}

// pages goes through a list to its end.
func pages[T any](ctx context.Context, c *Client, path string, asked url.Values) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		query := url.Values{}
		maps.Copy(query, asked) // it may be gone through again, from the beginning
		for {
			page, err := call[api.Page[T]](ctx, c, "GET", path, query, nil)
			if err != nil {
				yield(zero, err)
				return
			}
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
			if page.Next == "" {
				return
			}
			query.Set("cursor", page.Next)
		}
	}
}

// A stream that was cut is taken up again at once, then after waits that double, from firstWait on: a line may be down for a
// while, and the server goes on with an answer for half a minute without a reader. With each event that comes the counting
// begins anew.
const (
	resumes   = 8
	firstWait = 200 * time.Millisecond
)

// stream reads events, and goes on reading where a connection was cut.
func (c *Client) stream(ctx context.Context, path string, body any) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		b, err := json.Marshal(body)
		if err != nil {
			yield(Event{}, err)
			return
		}
		res, err := c.send(ctx, "POST", path, nil, "application/json", bytes.NewReader(b), "text/event-stream")
		if err != nil {
			yield(Event{}, err)
			return
		}
		again := "/api/v1/streams/" + url.PathEscape(res.Header.Get("Ibid-Stream"))
		last := ""
		for tries := 0; ; {
			if err == nil {
				before := last
				done, left := events(res.Body, &last, yield)
				res.Body.Close()
				if done || left {
					return
				}
				if last != before {
					tries = 0
				}
			}
			if tries++; tries > resumes || ctx.Err() != nil || refused(err) {
				yield(Event{}, errors.Join(errors.New("the stream was cut"), err, ctx.Err()))
				return
			}
			if tries > 1 {
				select {
				case <-time.After(firstWait << (tries - 2)):
				case <-ctx.Done():
				}
			}
			res, err = c.send(ctx, "GET", again, nil, "", nil, "text/event-stream", "Last-Event-ID", last)
		}
	}
}

// refused reports whether the server will not give it, however often it is asked.
func refused(err error) bool {
	var p *Problem
	return errors.As(err, &p) && p.Status < 500 && p.Status != http.StatusTooManyRequests
}

// events yields the events of a connection. It tells whether the last was done, or the reader left. Lines may end as they do on the
// way through a proxy, and of an event without a kind nothing is left to the next.
func events(r io.Reader, last *string, yield func(Event, error) bool) (done, left bool) {
	in := bufio.NewReader(r)
	var e Event
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return false, false
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			if e.Kind != "" {
				if e.ID != "" {
					*last = e.ID
				}
				if !yield(e, nil) {
					return false, true
				}
				if e.Kind == "done" {
					return true, false
				}
			}
			e = Event{}
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			e.ID = value
		case "event":
			e.Kind = value
		case "data":
			if e.Data != nil {
				e.Data = append(e.Data, '\n')
			}
			e.Data = append(e.Data, value...)
		}
	}
}
