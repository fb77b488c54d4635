package web

import (
	"context"
	"net/http"

	"github.com/ibid-dev/ibid/api"
)

// maxToolCall bounds one message to the tools.
const maxToolCall = 8 << 20

// mountTools puts the tools of assistants beside the API. They are no part of it: the Model Context Protocol describes itself.
func (s *Server) mountTools(mux *http.ServeMux) {
	if s.Tools == nil {
		return
	}
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if err := s.callTool(w, r); err != nil {
			s.refuse(w, r, err)
		}
	})
}

// callTool lets a message through to the tools as every operation is let through: who calls, may they, is there room. A tool
// takes its turn to work when it knows what it is asked.
func (s *Server) callTool(w http.ResponseWriter, r *http.Request) error {
	o := operation{method: r.Method, path: "/mcp", scope: api.Read, body: maxToolCall, stream: true}
	accountOf(r.Context()).route = o.path
	c, err := s.who(r, o.scope)
	if err != nil {
		return err
	}
	accountOf(r.Context()).key = c.key
	if wait, ok := s.limits.allow(c.name); !ok {
		return tooMany(wait, "too many requests")
	}
	release, err := s.room(w, r, o)
	if err != nil {
		return err
	}
	defer release()
	s.Tools(api.Caller{Scope: c.scope, Collection: c.collection, All: c.all}).ServeHTTP(w, r)
	return nil
}

// Turn waits for a place to work at, with the operations that cost work, and gives what frees it.
func (s *Server) Turn(ctx context.Context) (release func(), err error) {
	if err := s.turn(ctx); err != nil {
		return nil, err
	}
	return func() { s.limits.working.Release(1) }, nil
}
