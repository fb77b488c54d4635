package web

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

func readAgain(b []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(b)) }

// apiDocs is the API's own page: made from the OpenAPI document, without a script.
func (s *Server) apiDocs(w http.ResponseWriter, r *http.Request) {
	accountOf(r.Context()).route = "/docs"
	doc := s.api.OpenAPI()
	type verb struct{ Method, Path, Summary, Doc, ID, Scope string }
	groups := map[string][]verb{}
	for path, item := range doc.Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "DELETE": item.Delete} {
			if op != nil {
				o := op.Metadata["operation"].(operation)
				groups[o.tag] = append(groups[o.tag], verb{method, path, op.Summary, op.Description, op.OperationID, string(o.scope)})
			}
		}
	}
	type group struct {
		Name  string
		Verbs []verb
	}
	var list []group
	for _, name := range sortedKeys(groups) {
		slices.SortFunc(groups[name], func(a, b verb) int { return strings.Compare(a.Path+a.Method, b.Path+b.Method) })
		list = append(list, group{name, groups[name]})
	}
	if err := s.pages.render(w, "docs.html", map[string]any{"Groups": list, "About": strings.Split(doc.Info.Description, "\n\n"), "Version": doc.Info.Version}); err != nil {
		s.fail(w, r, err)
	}
}
