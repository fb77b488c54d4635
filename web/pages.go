package web

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/workflow"
)

//go:embed page
var plain embed.FS

// pages serves what people look at: the built page, or in its place one without script that asks and shows evidence.
type pages struct {
	server    *Server
	templates *template.Template
	static    fs.FS
	packed    func() map[string][]byte // files of the built page, packed when the first is asked for
}

func newPages(s *Server) (pages, error) {
	t, err := template.New("").Funcs(template.FuncMap{"percent": percent}).ParseFS(plain, "page/*.html")
	if err != nil {
		return pages{}, fmt.Errorf("page: %w", err)
	}
	static, err := fs.Sub(plain, "page")
	return pages{s, t, static, sync.OnceValue(func() map[string][]byte { return packedFiles(s.Page) })}, err
}

func (p pages) mount(mux *http.ServeMux) {
	mux.Handle("GET /style.css", http.FileServerFS(p.static))
	if p.server.Page != nil {
		mux.HandleFunc("/", p.built) // of every method: the mux does not take "GET /" beside "/api/"
		return
	}
	mux.Handle("GET /{$}", p.handle(api.Read, p.home))
	mux.Handle("POST /ask", p.handle(api.Read, p.ask))
	mux.Handle("GET /answers/{id}", p.handle(api.Read, p.answer))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		p.server.fail(w, r, &statusError{http.StatusNotFound, errors.New("no such page")})
	})
}

// built serves the files of the page. Its own addresses (/answers/4f2a …) are all index.html: the page reads them itself, and
// an id may look like the name of a file (/runs/2026-11-17.2). Files with a hash in their name never change.
func (p pages) built(w http.ResponseWriter, r *http.Request) {
	accountOf(r.Context()).route = "page"
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		p.server.fail(w, r, &statusError{http.StatusMethodNotAllowed, errors.New("this address is a page")})
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if info, err := fs.Stat(p.server.Page, or(name, ".")); err != nil || info.IsDir() {
		if file := path.Ext(name) != "" && !strings.Contains(name, "/") || strings.HasPrefix(name, "assets/"); file && err != nil {
			p.server.fail(w, r, &statusError{http.StatusNotFound, errors.New("no such file")})
			return
		}
		name = "index.html"
	}
	w.Header().Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if b := p.packed()[name]; takesPacked(w, r) && b != nil {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		w.Header().Set("Content-Length", strconv.Itoa(len(b)))
		w.Write(b)
		return
	}
	http.ServeFileFS(w, r, p.server.Page, name)
}

// handle runs a page of the plain kind.
func (p pages) handle(need api.Scope, f func(http.ResponseWriter, *http.Request, *caller) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		accountOf(r.Context()).route = "page"
		c, err := p.server.who(r, need)
		if err == nil {
			if wait, ok := p.server.limits.allow(c.name); !ok {
				err = tooMany(wait, "too many requests")
			}
		}
		if err == nil {
			var body []byte
			if body, err = p.server.readBody(w, r, 1<<20); err == nil {
				r.Body = readAgain(body)
				err = f(w, r, c)
			}
		}
		if err != nil {
			p.server.refuse(w, r, err)
		}
	})
}

func (p pages) home(w http.ResponseWriter, r *http.Request, c *caller) error {
	list, err := c.record().Sources(r.Context(), "", 200)
	if err != nil {
		return err
	}
	var sources []ibid.Source
	for _, l := range list {
		sources = append(sources, l.Source)
	}
	return p.render(w, "home.html", map[string]any{"Sources": sources})
}

// ask answers a question of the page, then sends the reader to the answer's own address.
func (p pages) ask(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := r.ParseForm(); err != nil {
		return &statusError{http.StatusBadRequest, err}
	}
	answer, err := last(p.server.asker(c).Ask(r.Context(), workflow.Question{Text: r.PostFormValue("question"), Where: c.where()}))
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/answers/"+string(answer.ID), http.StatusSeeOther)
	return nil
}

func (p pages) answer(w http.ResponseWriter, r *http.Request, c *caller) error {
	a, err := c.record().Answer(r.Context(), ibid.AnswerID(r.PathValue("id")))
	if err != nil {
		return err
	}
	return p.render(w, "answer.html", newView(api.Public(a)))
}

// render makes the whole page before the first byte leaves, so that a failure is still a clean error.
func (p pages) render(w http.ResponseWriter, name string, data any) error {
	var b bytes.Buffer
	if err := p.templates.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(p.server.Patience))
	w.Write(b.Bytes())
	return nil
}

// view is an answer as the page shows it: runs of text, each with the evidence it opens.
type view struct {
	Answer   ibid.Answer
	Runs     []run
	Opened   []opened
	Model    string
	NoModel  bool
	Claims   bool
	Passages int
}

// run is a piece of the answer's text: a segment, or what stands between two of them.
type run struct {
	Text    string
	Number  int    // of the segment, from 1; 0 for what stands between
	Class   string // origin and strength
	Signs   string
	Explain string
}

// opened is the evidence of one segment.
type opened struct {
	Number  int
	Text    string
	Origin  string
	Reasons []string
	Denied  []string
	Places  []place
}

// place is a passage with the supporting words apart.
type place struct {
	Title, Name, Locator, Strength string
	Before, Quote, After           string
}

func newView(a ibid.Answer) view {
	v := view{Answer: a, Model: a.Model, NoModel: a.Model == "extractive", Passages: len(a.Passages)}
	sh := a.Shares()
	v.Claims = sh.Sources+sh.Model > 0
	at := 0
	for i, s := range a.Segments {
		if s.At.Start > at {
			v.Runs = append(v.Runs, run{Text: a.Text[at:s.At.Start]})
		}
		at = s.At.End
		numbers := a.Numbers(s)
		v.Runs = append(v.Runs, run{Text: s.At.In(a.Text), Number: i + 1, Class: class(s), Signs: signs(s, numbers), Explain: s.InWords()})
		v.Opened = append(v.Opened, open(a, s, i+1))
	}
	v.Runs = append(v.Runs, run{Text: a.Text[at:]})
	return v
}

func open(a ibid.Answer, s ibid.Segment, number int) opened {
	o := opened{Number: number, Text: s.At.In(a.Text), Origin: s.InWords(), Reasons: s.Reasons}
	for _, c := range s.Contradicted {
		o.Denied = append(o.Denied, fmt.Sprintf("“%s”: %s", c.Of.In(a.Text), c.Reason))
	}
	for _, l := range a.Evidence(s) {
		p, ok := a.Passage(l.Ref)
		if !ok {
			continue
		}
		at := l.To.Span.Shift(-p.Chunk.At.Span.Start)
		pl := place{Title: p.Source.Title(), Locator: p.Locator(l.To.Span.Start), Strength: ibid.Strength(l.Confidence),
			Before: p.Chunk.Text[:at.Start], Quote: at.In(p.Chunk.Text), After: p.Chunk.Text[at.End:]}
		if name := p.Source.Name(); name != pl.Title {
			pl.Name = name
		}
		o.Places = append(o.Places, pl)
	}
	return o
}

func class(s ibid.Segment) string {
	kind := strings.ToLower(string(s.Origin))
	if len(s.Contradicted) > 0 {
		kind = "denied"
	}
	return kind + " " + ibid.Strength(s.Confidence)
}

func signs(s ibid.Segment, numbers []int) string {
	var n []string
	for _, i := range numbers {
		n = append(n, fmt.Sprint(i))
	}
	switch joined := strings.Join(n, " "); {
	case len(s.Contradicted) > 0:
		return "✕ " + joined
	case s.Origin == ibid.HYBRID:
		return joined + " ◐"
	case s.Origin == ibid.LLM:
		return "◇"
	default:
		return joined
	}
}

func percent(f float64) string { return fmt.Sprintf("%.0f %%", f*100) }
