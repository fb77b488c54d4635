package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/ibid-dev/ibid/examples"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/web/ui"
	"github.com/ibid-dev/ibid/workflow"
)

type serveFlags struct {
	addr              string
	noAuth, allowOpen bool
	origins           []string
	perSecond         float64
	verbose           bool
}

func serveCmd(a *app) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the library on a page and as an API",
		Long: `Serve the library over HTTP until interrupted: a page, an API (/docs and
/openapi.json say what it can do), a gateway that takes the requests of
OpenAI's and Anthropic's clients (/v1/chat/completions, /v1/responses,
/v1/messages) and gives their answers with citations, and the tools of ibid mcp
(/mcp) for assistants.

By default only this machine can reach it, and needs no key. On any other
address every request needs an API key (ibid keys create), or a sign-in where
one is configured.`,
		Example: `  ibid serve
  ibid serve --addr localhost:9090
  ibid serve --addr :8080 --origin https://app.example.org
  curl --json '{"question":"Why did it fail?"}' http://localhost:8080/api/v1/ask`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.serve(cmd.Context(), f, cmd.Flags().Changed("no-auth"))
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.addr, "addr", "localhost:8080", "address to listen on")
	fl.BoolVar(&f.noAuth, "no-auth", false, "ask for no key (the default on this machine's own addresses; --no-auth=false asks there too)")
	fl.BoolVar(&f.allowOpen, "allow-open", false, "let --no-auth hold on an address that others reach")
	fl.StringSliceVar(&f.origins, "origin", nil, "a page of this origin may call the API, as https://app.example.org")
	fl.Float64Var(&f.perSecond, "rate", 0, "requests a second that one key or address may send (default 200; below 0 there is no bound)")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "log every request, without what it holds")
	return cmd
}

func (a *app) serve(ctx context.Context, f serveFlags, authGiven bool) error {
	addr := f.addr
	host, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.DefaultResolver.LookupPort(ctx, "tcp", port)
	}
	if err != nil {
		return hint(usagef("--addr %q is not an address", addr), "give host and port, as in localhost:8080")
	}
	origins := append(f.origins, a.conf.Serve.Origins...)
	for _, o := range origins {
		if u, err := url.Parse(o); err != nil || u.Host == "" || o != u.Scheme+"://"+u.Host { // it would match nothing
			return hint(usagef("origin %q is not one", o), "give scheme and host alone, as in https://app.example.org")
		}
	}
	if rate := cmp.Or(f.perSecond, a.conf.Serve.PerSecond); math.IsNaN(rate) { // which bounds nothing
		return hint(usagef("%v requests a second is no rate", rate), "give --rate, or per_second of the configuration, a number; below 0 there is no bound")
	}
	ip := net.ParseIP(host)
	local := host == "localhost" || ip != nil && ip.IsLoopback()
	open := local && !authGiven || f.noAuth
	if open && !local && !f.allowOpen {
		return hint(usagef("--no-auth on %s lets everyone who reaches it read and write everything", addr), "make keys with ibid keys create; or add --allow-open where something in front asks who comes")
	}
	config, end, err := a.serverConfig(ctx, f)
	if err != nil {
		return err
	}
	defer end()
	config.Open, config.AnyHost, config.Origins = open, !local, origins
	var handler *web.Server
	tools, err := a.tools(ctx, config, func(ctx context.Context) (func(), error) { return handler.Turn(ctx) })
	if err != nil {
		return err
	}
	config.Tools = tools.Handler
	if handler, err = web.New(config); err != nil {
		return err
	}
	defer handler.Close()
	if config.Finished != nil { // what could not be written before the server was stopped
		if err := config.Finished(ctx, workflow.Finished{}); err != nil {
			a.complain(err)
		}
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return hint(err, "another program may use the port; choose one with --addr")
	}
	answering, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(nil)
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return answering }}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		stopped <- stop(server, 8*time.Second, func() { cut(http.ErrServerClosed); handler.Close() })
	}()
	_, port, _ = net.SplitHostPort(listener.Addr().String()) // port 0 lets the system choose
	fmt.Fprintf(a.out, "serving on http://%s (Ctrl-C stops)\n", net.JoinHostPort(host, port))
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// stop lets what is being answered come to its end. What takes longer is cut: it is recorded as far as it came.
func stop(server *http.Server, grace time.Duration, cut func()) error {
	end, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err := server.Shutdown(end)
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	cut()
	end, cancel = context.WithTimeout(context.Background(), grace/2)
	defer cancel()
	if err := server.Shutdown(end); err != nil {
		return fmt.Errorf("some requests were still running: %w", err)
	}
	return nil
}

// serverConfig wires what the server stands on. What it opened ends with end.
func (a *app) serverConfig(ctx context.Context, f serveFlags) (c web.Config, end func(), err error) {
	asker, err := a.asker(ctx)
	if err != nil {
		return c, nil, err
	}
	thinker, err := a.thinker(ctx)
	if err != nil {
		return c, nil, err
	}
	researcher, err := a.researcher(ctx)
	if err != nil {
		return c, nil, err
	}
	level := slog.LevelWarn
	if f.verbose {
		level = slog.LevelInfo
	}
	c = web.Config{
		Asker: asker, Thinker: thinker, Researcher: researcher, Studies: &workflow.Underway{}, Store: a.opened.store, AuditLog: a.opened.log, Collection: a.conf.Collection, Version: versionString(),
		ModelName: a.modelName(), ProviderName: a.conf.Model.Provider,
		Log:     slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level})),
		Fetch:   func(ctx context.Context, url string) (workflow.Content, error) { return a.page(url).Open(ctx) },
		Updated: a.updateIndex, Finished: a.auditLog(), Styles: a.styles(), Sample: examples.Library(),
		Limits: web.Limits{PerSecond: cmp.Or(f.perSecond, a.conf.Serve.PerSecond)},
	}
	if files, built := ui.Files(); built {
		c.Page = files
	}
	m := a.conf.Model
	switch m.Provider {
	case "openai":
		c.OpenAI = web.Provider{BaseURL: first(m.BaseURL, a.env("OPENAI_BASE_URL"), llm.OpenAIBase), Key: a.env("OPENAI_API_KEY")}
	case "ollama":
		c.OpenAI = web.Provider{BaseURL: first(m.BaseURL, "http://localhost:11434/v1")}
	case "anthropic":
		c.Anthropic = web.Provider{BaseURL: first(m.BaseURL, a.env("ANTHROPIC_BASE_URL"), llm.AnthropicBase), Key: a.env("ANTHROPIC_API_KEY")}
	}
	if o := a.conf.Serve.OIDC; o.Issuer != "" {
		if o.ClientID == "" || o.RedirectURL == "" || len(o.Allow) == 0 {
			return c, nil, hint(usagef("configuration: serve.oidc lacks client_id, redirect_url or allow"), "ibid help config shows them")
		}
		c.OIDC = &web.OIDC{Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: a.env("IBID_OIDC_SECRET"), RedirectURL: o.RedirectURL, Allow: o.Allow, Admins: o.Admins}
	}
	end = func() {}
	if a.env("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || a.env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != "" {
		exporter, err := otlptracehttp.New(ctx)
		if err != nil {
			return c, nil, fmt.Errorf("traces: %w", err)
		}
		provider := trace.NewTracerProvider(trace.WithBatcher(exporter))
		c.Tracer = provider
		end = func() {
			flush, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
			defer cancel()
			if err := provider.Shutdown(flush); err != nil {
				fmt.Fprintf(a.err, "ibid: traces: %v\n", err)
			}
		}
	}
	return c, end, nil
}

// modelName says for people who writes answers.
func (a *app) modelName() string {
	if p := a.conf.Model.Provider; p != "" && p != "extractive" {
		return p + " " + a.conf.Model.Name
	}
	return "extractive"
}
