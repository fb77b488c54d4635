package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

// Addresses of what the library and the record hold:
//
//	ibid://sources/ID              what is known of a source, and its versions
//	ibid://documents/HASH          the text of one version
//	ibid://passages/HASH/ORDINAL   a passage of it, as search found it
//	ibid://answers/ID              a recorded answer
//	ibid://runs/ID                 the ledger of a run
//	ibid://log/NUMBER              an entry of the log
const scheme = "ibid://"

func documentURI(id ibid.DocumentID) string { return scheme + "documents/" + string(id) }
func answerURI(id ibid.AnswerID) string     { return scheme + "answers/" + string(id) }
func runURI(id ibid.RunID) string           { return scheme + "runs/" + url.PathEscape(string(id)) }
func passageURI(c ibid.Chunk) string {
	return fmt.Sprintf("%spassages/%s/%d", scheme, c.At.Document, c.Ordinal)
}

// place is an address, read.
type place struct {
	kind string // sources, documents, passages, answers, runs or log
	id   string
	n    int64 // of a passage or an entry
}

// parsePlace reads an address. The error wraps ibid.ErrInvalid.
func parsePlace(uri string) (place, error) {
	bad := invalid("%q is not an address of the library, such as ibid://passages/4f2a…/3", shortened(uri))
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok || len(uri) > 500 {
		return place{}, bad
	}
	parts := strings.Split(rest, "/")
	p := place{kind: parts[0]}
	number := ""
	switch {
	case len(parts) == 2 && p.kind == "log":
		number = parts[1]
	case len(parts) == 2 && (p.kind == "sources" || p.kind == "documents" || p.kind == "answers" || p.kind == "runs"):
		p.id = parts[1]
	case len(parts) == 3 && p.kind == "passages":
		p.id, number = parts[1], parts[2]
	default:
		return place{}, bad
	}
	var err error
	if p.id, err = url.PathUnescape(p.id); err != nil || p.id == "" && p.kind != "log" {
		return place{}, bad
	}
	if p.kind != "runs" { // which people may name
		p.id = strings.ToLower(p.id)
	}
	if p.kind == "log" || p.kind == "passages" {
		if p.n, err = strconv.ParseInt(number, 10, 64); err != nil || p.n < 0 || strconv.FormatInt(p.n, 10) != number {
			return place{}, bad
		}
	}
	return p, nil
}

// passage gives a passage of the library by its address, as the index gives it but for its rank and score.
func (d *desk) passage(ctx context.Context, uri string) (ibid.Passage, error) {
	at, err := parsePlace(uri)
	if err != nil {
		return ibid.Passage{}, err
	}
	if at.kind != "passages" {
		return ibid.Passage{}, invalid("%q is no passage; search gives the addresses of passages", shortened(uri))
	}
	doc, err := d.record.Document(ctx, ibid.DocumentID(at.id))
	if err == nil {
		var chunks []ibid.Chunk
		if chunks, err = d.Store.Chunks(ctx, doc.ID); err != nil {
			return ibid.Passage{}, err
		}
		if i := slices.IndexFunc(chunks, func(c ibid.Chunk) bool { return int64(c.Ordinal) == at.n }); i >= 0 {
			src, err := d.record.Source(ctx, doc.Source)
			return ibid.Passage{Chunk: chunks[i], Source: src}, err
		}
		err = ibid.ErrNotFound
	}
	if errors.Is(err, ibid.ErrNotFound) {
		return ibid.Passage{}, invalid("there is no passage %q; search gives the addresses of passages", shortened(uri))
	}
	return ibid.Passage{}, err
}

func (d *desk) addResources(s *sdk.Server) {
	for _, t := range []*sdk.ResourceTemplate{
		{Name: "source", URITemplate: scheme + "sources/{id}", MIMEType: "application/json", Description: "What is known of a source, and its versions."},
		{Name: "document", URITemplate: scheme + "documents/{hash}", MIMEType: "text/plain", Description: "The text of one version of a source; it never changes."},
		{Name: "passage", URITemplate: scheme + "passages/{hash}/{ordinal}", MIMEType: "text/plain", Description: "A passage of a document, as search finds it."},
		{Name: "answer", URITemplate: scheme + "answers/{id}", MIMEType: "application/json", Description: "A recorded answer with its segments, evidence and verdict."},
		{Name: "run", URITemplate: scheme + "runs/{id}", MIMEType: "application/json", Description: "The ledger of an agent's run: what it retrieved, its claims with their sources, and the verdict."},
		{Name: "log entry", URITemplate: scheme + "log/{number}", MIMEType: "application/json", Description: "An entry of the log that cannot be edited unseen."},
	} {
		s.AddResourceTemplate(t, d.read)
	}
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if r, ok := req.(*sdk.ListResourcesRequest); ok && method == "resources/list" {
				return d.list(ctx, r.Params)
			}
			return next(ctx, method, req)
		}
	})
}

// maxRead bounds the text of one resource: what a client reads goes into the context of a model.
const maxRead = 4 << 20

// read gives a resource.
func (d *desk) read(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	at, err := parsePlace(uri)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	text, media := "", "application/json"
	var form any
	switch at.kind {
	case "sources":
		form, err = d.sourceForm(ctx, ibid.SourceID(at.id))
	case "documents":
		var doc ibid.Document
		doc, err = d.record.Document(ctx, ibid.DocumentID(at.id))
		text, media = doc.Text, "text/plain"
	case "passages":
		var p ibid.Passage
		p, err = d.passage(ctx, uri)
		text, media = p.Chunk.Text, "text/plain"
	case "answers":
		var a ibid.Answer
		a, err = d.record.Answer(ctx, ibid.AnswerID(at.id))
		form = api.Public(a)
	case "runs":
		form, err = d.showRun(ctx, at.id)
	case "log":
		if d.AuditLog == nil || !d.caller.All {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		var e ibid.Entry
		e, err = d.AuditLog.Entry(ctx, at.n)
		form = api.EntryOf(e)
	}
	if errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrInvalid) {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	if err == nil && form != nil {
		var b []byte
		b, err = json.MarshalIndent(form, "", "  ")
		text = string(b)
	}
	if err != nil {
		return nil, errors.New(d.told("read", err))
	}
	if len(text) > maxRead {
		return nil, fmt.Errorf("%s has %d MB; search finds its passages, which can be read one by one", uri, len(text)>>20)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: media, Text: text}}}, nil
}

type sourceForm struct {
	ID        ibid.SourceID  `json:"id"`
	Title     string         `json:"title"`
	URI       string         `json:"uri"`
	Reference ibid.Reference `json:"reference"`
	AddedAt   time.Time      `json:"added_at"`
	Versions  []api.Version  `json:"versions"`
}

func (d *desk) sourceForm(ctx context.Context, id ibid.SourceID) (sourceForm, error) {
	src, err := d.record.Source(ctx, id)
	if err != nil {
		return sourceForm{}, err
	}
	docs, err := d.record.Versions(ctx, src.ID)
	src = api.PublicSource(src)
	out := sourceForm{src.ID, src.Title(), src.URI, src.Reference, src.AddedAt, []api.Version{}}
	for _, v := range docs {
		out.Versions = append(out.Versions, api.Version{Document: v.ID, Version: v.Version, MediaType: v.MediaType, FetchedAt: v.FetchedAt})
	}
	return out, err
}

// list gives the newest document of each source, a page at a time. They are not told to the SDK: it would hold them all.
func (d *desk) list(ctx context.Context, params *sdk.ListResourcesParams) (*sdk.ListResourcesResult, error) {
	const page = 100
	after := ""
	if params != nil && params.Cursor != "" {
		b, err := base64.RawURLEncoding.DecodeString(params.Cursor)
		if err != nil || len(b) > 200 {
			return nil, errors.New("not a cursor that a list gave")
		}
		after = string(b)
	}
	found, err := d.record.Sources(ctx, ibid.SourceID(after), page+1)
	if err != nil {
		return nil, errors.New(d.told("list", err))
	}
	out := &sdk.ListResourcesResult{Resources: []*sdk.Resource{}}
	if len(found) > page {
		found = found[:page]
		out.NextCursor = base64.RawURLEncoding.EncodeToString([]byte(found[page-1].Source.ID))
	}
	for _, l := range found {
		out.Resources = append(out.Resources, &sdk.Resource{URI: documentURI(l.Newest.ID), Name: l.Source.Name(), Title: l.Source.Title(), MIMEType: "text/plain", Size: int64(l.Bytes),
			Description: fmt.Sprintf("Version %d of source %s.", l.Newest.Version, l.Source.ID)})
	}
	return out, nil
}
