package web

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/fetch"
	"github.com/ibid-dev/ibid/internal/offsets"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/text"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountLibrary() {
	add(s, operation{id: "ingest", method: "POST", path: "/api/v1/ingest", tag: "library", summary: "Take pages and texts into the library", scope: api.Write,
		status: http.StatusAccepted, also: http.StatusOK, body: 16 << 20,
		doc: "The work goes on in the background; the job tells how far it is. With wait it is answered when the work is done, or after that many seconds."}, s.ingestJSON)
	add(s, operation{id: "upload", method: "POST", path: "/api/v1/upload", tag: "library", summary: "Take files into the library", scope: api.Write,
		status: http.StatusAccepted, also: http.StatusOK, body: maxUpload, upload: true,
		doc: "A form with one or more files, of any field name: plain text, Markdown, HTML, PDF, DOCX, PPTX, XLSX, ODT, RTF, EPUB, mail or CSV, told apart by what they hold. A file of the same name is a new version."}, s.upload)
	add(s, operation{id: "listJobs", method: "GET", path: "/api/v1/jobs", tag: "library", summary: "List long work, the latest first", scope: api.Read}, s.jobs)
	add(s, operation{id: "getJob", method: "GET", path: "/api/v1/jobs/{id}", tag: "library", summary: "How far long work is", scope: api.Read}, s.job)
	add(s, operation{id: "listSources", method: "GET", path: "/api/v1/sources", tag: "library", summary: "List the sources", scope: api.Read, doc: "All of them, or with q those whose title, name or address has the words."}, s.sources)
	add(s, operation{id: "getSource", method: "GET", path: "/api/v1/sources/{id}", tag: "library", summary: "A source", scope: api.Read}, s.source)
	add(s, operation{id: "removeSource", method: "DELETE", path: "/api/v1/sources/{id}", tag: "library", summary: "Take a source out of the library", scope: api.Write,
		status: http.StatusNoContent, doc: "What recorded answers cite of it can still be opened."}, s.removeSource)
	add(s, operation{id: "listVersions", method: "GET", path: "/api/v1/sources/{id}/versions", tag: "library", summary: "The snapshots of a source, the newest first", scope: api.Read}, s.versions)
	add(s, operation{id: "listCitedPlaces", method: "GET", path: "/api/v1/sources/{id}/citations", tag: "library", summary: "Every place of a source that an answer cites", scope: api.Read}, s.citedPlaces)
	add(s, operation{id: "getDocument", method: "GET", path: "/api/v1/documents/{id}", tag: "library", summary: "A snapshot with its text, or the text at an anchor", scope: api.Read,
		doc: "With start and end only the text between them is given, and context bytes around it, cut at characters."}, s.document)
}

// maxUpload bounds one upload, all its files together.
const maxUpload = 256 << 20

type ingestForm struct {
	URLs  []string   `json:"urls,omitempty" maxItems:"1000" doc:"Pages to fetch."`
	Texts []textForm `json:"texts,omitempty" maxItems:"1000" doc:"Texts to take in as they are."`
}

type textForm struct {
	Name  string `json:"name" minLength:"1" maxLength:"300" doc:"Names the source: a text of the same name is a new version of it."`
	Title string `json:"title,omitempty" maxLength:"1000"`
	URL   string `json:"url,omitempty" maxLength:"4000" doc:"Where it can be found by others; names the source instead of its name."`
	Text  string `json:"text" minLength:"1"`
}

type ingestParams struct {
	Wait int `query:"wait" minimum:"0" maximum:"60" doc:"Seconds to wait for the work to be done."`
	Body ingestForm
}

type jobAnswer struct {
	Status   int
	Location string `header:"Location" doc:"Where the job is."`
	Body     api.Job
}

func (s *Server) ingestJSON(ctx context.Context, in *ingestParams) (*jobAnswer, error) {
	var inputs []workflow.Input
	for i, u := range in.Body.URLs {
		input, err := s.page(u)
		if err != nil {
			return nil, &fieldError{fmt.Sprintf("body.urls[%d]", i), err}
		}
		inputs = append(inputs, input)
	}
	for i, t := range in.Body.Texts {
		input, err := workflow.Given(t.Name, t.Title, t.URL, t.Text)
		if err != nil {
			return nil, &fieldError{fmt.Sprintf("body.texts[%d]", i), err}
		}
		inputs = append(inputs, input)
	}
	if len(inputs) == 0 {
		return nil, invalid("body", "nothing to take in: give urls or texts")
	}
	held := int64(0)
	for _, t := range in.Body.Texts {
		held += int64(len(t.Text))
	}
	// The texts stay in memory until the work is done, which may be long after the request.
	if held = min(held, s.limits.Bytes); !s.limits.bytes.TryAcquire(held) {
		return nil, tooMany(time.Second, "the server has too much in hand")
	}
	return s.startIngest(ctx, inputs, in.Wait, func() { s.limits.bytes.Release(held) })
}

// page is fetched when its turn comes.
func (s *Server) page(address string) (workflow.Input, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return workflow.Input{}, fmt.Errorf("%q is not an address of a page: it begins with http:// or https://: %w", shortened(address), ibid.ErrInvalid)
	}
	if s.Fetch == nil {
		return workflow.Input{}, fmt.Errorf("this server fetches no pages: %w", ibid.ErrInvalid)
	}
	uri, _, _ := strings.Cut(address, "#") // parts of a page are the same page
	return workflow.Input{URI: uri, Name: uri, Size: -1, Open: func(ctx context.Context) (workflow.Content, error) { return s.Fetch(ctx, uri) }}, nil
}

type uploadParams struct {
	Wait    int `query:"wait" minimum:"0" maximum:"60" doc:"Seconds to wait for the work to be done."`
	RawBody multipart.Form
}

// upload takes the files of a form. Large ones lie in temporary files until the work is done.
func (s *Server) upload(ctx context.Context, in *uploadParams) (*jobAnswer, error) {
	form := multipart.Form{File: maps.Clone(in.RawBody.File)}
	clear(in.RawBody.File) // what is left in it is removed when the request ends, and the work goes on
	clean := func() { _ = form.RemoveAll() }
	var inputs []workflow.Input
	for _, field := range sortedKeys(form.File) {
		for _, f := range form.File[field] {
			inputs = append(inputs, workflow.Input{URI: workflow.Uploaded(f.Filename), Name: path.Base(f.Filename), Size: f.Size, Open: func(context.Context) (workflow.Content, error) {
				file, err := f.Open()
				return workflow.Content{Body: file, MediaType: f.Header.Get("Content-Type")}, err
			}})
		}
	}
	if len(inputs) == 0 {
		clean()
		return nil, invalid("body", "the form holds no file")
	}
	return s.startIngest(ctx, inputs, in.Wait, clean)
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// startIngest runs an ingestion in the background, when its turn comes, and waits for it as long as the caller wants to.
func (s *Server) startIngest(ctx context.Context, inputs []workflow.Input, wait int, clean func()) (*jobAnswer, error) {
	if !s.limits.begun.TryAcquire(1) {
		clean()
		return nil, tooMany(10*time.Second, "too many ingestions are waiting")
	}
	drop := clean
	clean = func() { drop(); s.limits.begun.Release(1) }
	c := callerOf(ctx)
	now := s.Asker.Now().UTC()
	job := api.Job{ID: newID(), Kind: "ingest", State: "running", Total: len(inputs), Outcomes: []api.Outcome{}, CreatedAt: now, UpdatedAt: now}
	if err := c.record().PutJob(ctx, job); err != nil {
		clean()
		return nil, err
	}
	done := make(chan api.Job, 1)
	s.working.Go(func() {
		defer clean()
		if s.limits.jobs.Acquire(s.background, 1) == nil {
			defer s.limits.jobs.Release(1)
		}
		done <- s.runIngest(s.background, c, job, inputs)
	})
	out := &jobAnswer{Status: http.StatusAccepted, Location: "/api/v1/jobs/" + job.ID, Body: job}
	timer := time.NewTimer(time.Duration(wait) * time.Second)
	defer timer.Stop()
	select {
	case out.Body = <-done:
		out.Status = http.StatusOK
	case <-timer.C:
	case <-ctx.Done():
	}
	return out, nil
}

func (s *Server) runIngest(ctx context.Context, c *caller, begun api.Job, inputs []workflow.Input) (job api.Job) {
	job = begun
	in := &workflow.Ingester{Library: s.Store, Now: s.Asker.Now, Collection: c.collection}
	kept := time.Time{}
	put := func() {
		job.UpdatedAt = s.Asker.Now().UTC()
		if err := c.record().PutJob(context.WithoutCancel(ctx), job); err != nil {
			s.Log.Error("job not kept", "job", job.ID, "error", err)
		}
	}
	defer func() {
		if p := recover(); p != nil {
			s.panicked("an ingestion", p, "job", job.ID)
			job.State, job.Error = "failed", "the server failed; its log says why"
			put()
		}
	}()
	for out := range in.Ingest(ctx, iter.Seq[workflow.Input](slices.Values(inputs))) {
		job.Done++
		o := api.Outcome{Name: out.Input.Name, Source: out.Source, Document: out.Document.ID, Version: out.Document.Version, New: out.New, Chunks: out.Chunks, Warnings: out.Warnings}
		if out.Err != nil {
			job.Failed++
			o = api.Outcome{Name: out.Input.Name, Error: s.whyNot(ctx, out.Err)}
		}
		job.Outcomes = append(job.Outcomes, o)
		if now := time.Now(); now.Sub(kept) > 500*time.Millisecond {
			kept = now
			put()
		}
	}
	job.State = "done"
	if ctx.Err() != nil && job.Done < job.Total {
		job.State, job.Error = "failed", "the server ended before the work did; send it again"
	}
	if s.Updated != nil && ctx.Err() == nil {
		if err := s.Updated(ctx); err != nil {
			s.Log.Error("index not updated", "error", err)
		}
	}
	put()
	return job
}

// whyNot says why an input was left out, as far as it concerns its sender.
func (s *Server) whyNot(ctx context.Context, err error) string {
	var refused *fetch.RefusedError
	var status *fetch.StatusError
	switch {
	case errors.As(err, &refused):
		return "refused: " + refused.Reason
	case errors.As(err, &status), errors.Is(err, ibid.ErrInvalid), errors.Is(err, fetch.ErrTooLarge):
		return wording.Of(err)
	case errors.Is(err, context.Canceled):
		return "the server ended"
	}
	s.Log.Error("input left out", "error", err)
	return "it could not be read; the server's log says why"
}

func (s *Server) jobs(ctx context.Context, in *paging) (*body[api.Page[api.Job]], error) {
	before, err := in.after()
	if err != nil {
		return nil, err
	}
	list, err := callerOf(ctx).record().Jobs(ctx, before, in.Limit+1)
	return &body[api.Page[api.Job]]{paged(list, in.Limit, func(j api.Job) string { return j.ID })}, err
}

func (s *Server) job(ctx context.Context, in *idParam) (*body[api.Job], error) {
	j, err := callerOf(ctx).record().Job(ctx, in.ID)
	return &body[api.Job]{j}, err
}

type sourcesParams struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many at most."`
	Cursor string `query:"cursor" maxLength:"500" doc:"The next of the page before."`
	Words  string `query:"q" maxLength:"500" doc:"Only what has all of these words, in whole or as a part of one, in any case."`
}

func (s *Server) sources(ctx context.Context, in *sourcesParams) (*body[api.Page[api.Source]], error) {
	after, err := paging{in.Limit, in.Cursor}.after()
	if err != nil {
		return nil, err
	}
	list, err := findSources(ctx, callerOf(ctx).record(), strings.Fields(text.Fold(in.Words)), ibid.SourceID(after), in.Limit+1)
	if err != nil {
		return nil, err
	}
	items := make([]api.Source, len(list))
	for i, l := range list {
		items[i] = sourceForm(l)
	}
	return &body[api.Page[api.Source]]{paged(items, in.Limit, func(s api.Source) string { return string(s.ID) })}, nil
}

// findSources goes through the sources until it has enough of those whose title, name or address has the words.
func findSources(ctx context.Context, record sqlite.Collection, words []string, after ibid.SourceID, limit int) (found []sqlite.Listed, err error) {
	if len(words) == 0 {
		return record.Sources(ctx, after, limit)
	}
	const batch = 500
	for {
		some, err := record.Sources(ctx, after, batch)
		if err != nil {
			return nil, err
		}
		for _, l := range some {
			after = l.Source.ID
			if said := text.Fold(l.Source.Title() + " " + l.Source.Name() + " " + api.PublicURI(l.Source)); !hasAll(said, words) {
				continue
			}
			if found = append(found, l); len(found) == limit {
				return found, nil
			}
		}
		if len(some) < batch {
			return found, nil
		}
	}
}

func hasAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

func sourceForm(l sqlite.Listed) api.Source {
	p := api.PublicSource(l.Source)
	return api.Source{ID: p.ID, Collection: p.Collection, URI: p.URI, Title: p.Title(), Reference: p.Reference, AddedAt: p.AddedAt, Versions: l.Versions,
		Newest: &api.Version{Document: l.Newest.ID, Version: l.Newest.Version, MediaType: l.Newest.MediaType, FetchedAt: l.Newest.FetchedAt, Bytes: l.Bytes, Chunks: l.Chunks}}
}

func (s *Server) source(ctx context.Context, in *idParam) (*body[api.Source], error) {
	record := callerOf(ctx).record()
	src, err := record.Source(ctx, ibid.SourceID(in.ID))
	if err != nil {
		return nil, err
	}
	docs, err := record.Versions(ctx, src.ID)
	if err != nil {
		return nil, err
	}
	p := api.PublicSource(src)
	out := api.Source{ID: p.ID, Collection: p.Collection, URI: p.URI, Title: p.Title(), Reference: p.Reference, AddedAt: p.AddedAt, Versions: len(docs)}
	if len(docs) > 0 {
		out.Newest = ptr(versionForm(docs[0]))
	}
	return &body[api.Source]{out}, nil
}

func versionForm(d ibid.Document) api.Version {
	return api.Version{Document: d.ID, Version: d.Version, MediaType: d.MediaType, FetchedAt: d.FetchedAt}
}

func (s *Server) removeSource(ctx context.Context, in *idParam) (*struct{}, error) {
	if err := callerOf(ctx).record().RemoveSource(ctx, ibid.SourceID(in.ID)); err != nil {
		return nil, err
	}
	if s.Updated != nil {
		return nil, s.Updated(ctx)
	}
	return nil, nil
}

func (s *Server) versions(ctx context.Context, in *idParam) (*body[api.Page[api.Version]], error) {
	docs, err := callerOf(ctx).record().Versions(ctx, ibid.SourceID(in.ID))
	page := api.Page[api.Version]{Items: []api.Version{}}
	for _, d := range docs {
		page.Items = append(page.Items, versionForm(d))
	}
	return &body[api.Page[api.Version]]{page}, err
}

func (s *Server) citedPlaces(ctx context.Context, in *idParam) (*body[api.Page[api.CitedPlace]], error) {
	places, err := callerOf(ctx).record().CitedPlaces(ctx, ibid.SourceID(in.ID), 1000)
	for i := range places {
		places[i].Confidence = api.Round(places[i].Confidence)
	}
	return &body[api.Page[api.CitedPlace]]{api.Page[api.CitedPlace]{Items: listed(places)}}, err
}

type documentParams struct {
	ID      string `path:"id" maxLength:"200"`
	Start   int    `query:"start" minimum:"-1" default:"-1" doc:"Where the anchor begins."`
	End     int    `query:"end" minimum:"-1" default:"-1" doc:"Where it ends."`
	Unit    string `query:"unit" enum:"byte,rune,utf16" default:"byte" doc:"What start and end count."`
	Context int    `query:"context" minimum:"0" maximum:"100000" doc:"Bytes of text to give before and after the anchor."`
}

type documentForm struct {
	ID        ibid.DocumentID `json:"id"`
	Source    ibid.SourceID   `json:"source"`
	Version   int             `json:"version"`
	MediaType string          `json:"media_type"`
	FetchedAt time.Time       `json:"fetched_at"`
	Outline   []ibid.Mark     `json:"outline" doc:"Where pages and headings begin, in bytes of the whole text."`
	Bytes     int             `json:"bytes" doc:"Of the whole text."`
	At        spanForm        `json:"at" doc:"What text holds, as a span of the whole text."`
	Text      string          `json:"text"`
	Before    string          `json:"before,omitempty" doc:"What stands before it."`
	After     string          `json:"after,omitempty" doc:"What stands behind it."`
	Locator   string          `json:"locator,omitempty" doc:"Page or heading of the anchor."`
	Headings  []string        `json:"headings,omitempty" doc:"Above the anchor, the highest first."`
}

func (s *Server) document(ctx context.Context, in *documentParams) (*body[documentForm], error) {
	doc, err := callerOf(ctx).record().Document(ctx, ibid.DocumentID(in.ID))
	if err != nil {
		return nil, err
	}
	table := offsets.New(doc.Text)
	at, err := in.span(doc.Text, table)
	if err != nil {
		return nil, err
	}
	from, to := max(at.Start-in.Context, 0), min(at.End+in.Context, len(doc.Text))
	for from > 0 && !utf8.RuneStart(doc.Text[from]) {
		from--
	}
	for to < len(doc.Text) && !utf8.RuneStart(doc.Text[to]) {
		to++
	}
	start, end := table.FromByte(at.Start), table.FromByte(at.End)
	return &body[documentForm]{documentForm{ID: doc.ID, Source: doc.Source, Version: doc.Version, MediaType: doc.MediaType, FetchedAt: doc.FetchedAt,
		Outline: listed(doc.Outline), Bytes: len(doc.Text), Text: at.In(doc.Text), Before: doc.Text[from:at.Start], After: doc.Text[at.End:to],
		At:      spanForm{at.Start, at.End, []int{start.Rune, end.Rune}, []int{start.UTF16, end.UTF16}},
		Locator: doc.Outline.Locator(at.Start), Headings: doc.Outline.Headings(at.Start)}}, nil
}

// span reads the anchor. One that cuts a character is refused: who asks for it counts in another unit.
func (p *documentParams) span(text string, table *offsets.Table) (ibid.Span, error) {
	whole := ibid.Span{End: len(text)}
	if p.Start < 0 && p.End < 0 {
		return whole, nil
	}
	start, err := byteOf("query.start", max(p.Start, 0), p.Unit, table)
	if err != nil {
		return whole, err
	}
	end := len(text)
	if p.End >= 0 {
		if end, err = byteOf("query.end", p.End, p.Unit, table); err != nil {
			return whole, err
		}
	}
	if end < start {
		return whole, invalid("query.end", "end %d is before start %d", p.End, p.Start)
	}
	return ibid.Span{Start: start, End: end}, nil
}

func byteOf(field string, n int, unit string, table *offsets.Table) (int, error) {
	at, back := table.FromByte(n), 0
	switch unit {
	case "rune":
		at = table.FromRune(n)
		back = at.Rune
	case "utf16":
		at = table.FromUTF16(n)
		back = at.UTF16
	default:
		back = at.Byte
	}
	switch {
	case back == n:
		return at.Byte, nil
	case at == table.End():
		return 0, invalid(field, "%d lies outside of the text, which has %d bytes", n, table.End().Byte)
	}
	return 0, invalid(field, "%d lies inside a character; offsets count %ss: choose another with unit", n, unit)
}

func shortened(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}
