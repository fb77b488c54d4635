package web

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountSample() {
	if s.Sample != nil {
		add(s, operation{id: "loadSample", method: "POST", path: "/api/v1/sample", tag: "library", summary: "Take the sample library in", scope: api.Write,
			status: http.StatusAccepted, also: http.StatusOK, doc: "A few documents to try things on. Loaded twice, they are there once."}, s.sample)
	}
	add(s, operation{id: "readFiles", method: "POST", path: "/api/v1/read", tag: "checking", summary: "Give the text of files", scope: api.Read, working: true, upload: true, body: maxRead,
		doc: "A form with one or more files, of any field name, as for an upload. Nothing is recorded: it is for attributing an answer to files that are not in the library."}, s.readFiles)
}

// maxRead bounds the files that are read for one request, which are held in memory.
const maxRead = 32 << 20

type waitParam struct {
	Wait int `query:"wait" minimum:"0" maximum:"60" doc:"Seconds to wait for the work to be done."`
}

func (s *Server) sample(ctx context.Context, in *waitParam) (*jobAnswer, error) {
	names, err := fs.Glob(s.Sample, "*")
	if err != nil {
		return nil, err
	}
	var inputs []workflow.Input
	for _, name := range names {
		inputs = append(inputs, workflow.Input{URI: workflow.Uploaded(name), Name: name, Size: -1, Open: func(context.Context) (workflow.Content, error) {
			b, err := fs.ReadFile(s.Sample, name)
			return workflow.Content{Body: io.NopCloser(bytes.NewReader(b))}, err
		}})
	}
	return s.startIngest(ctx, inputs, in.Wait, func() {})
}

type readForm struct {
	Name  string `json:"name" doc:"Of the file."`
	Title string `json:"title,omitempty" doc:"What the file says of itself."`
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty" doc:"Why it could not be read."`
}

func (s *Server) readFiles(ctx context.Context, in *struct{ RawBody multipart.Form }) (*body[api.Page[readForm]], error) {
	if err := s.turn(ctx); err != nil {
		return nil, err
	}
	defer s.limits.working.Release(1)
	page := api.Page[readForm]{Items: []readForm{}}
	for _, field := range sortedKeys(in.RawBody.File) {
		for _, f := range in.RawBody.File[field] {
			page.Items = append(page.Items, s.readFile(ctx, f))
		}
	}
	if len(page.Items) == 0 {
		return nil, invalid("body", "the form holds no file")
	}
	return &body[api.Page[readForm]]{page}, ctx.Err()
}

func (s *Server) readFile(ctx context.Context, f *multipart.FileHeader) readForm {
	out := readForm{Name: f.Filename}
	file, err := f.Open()
	if err == nil {
		defer file.Close()
		var b []byte
		if b, err = io.ReadAll(file); err == nil {
			var res ingest.Result
			res, err = ingest.Read(ctx, b, ingest.Hint{Name: f.Filename, MediaType: f.Header.Get("Content-Type")})
			out.Title, out.Text = res.Reference.Title(), res.Text
		}
	}
	if err != nil {
		return readForm{Name: f.Filename, Error: s.whyNot(ctx, err)}
	}
	return out
}
