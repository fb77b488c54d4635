package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid/examples"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/web/ui"
	"github.com/ibid-dev/ibid/workflow"
)

func serveCmd(a *app) *cobra.Command {
	var addr string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the library on a page and as an API",
		Long: `Serve the library over HTTP until interrupted: a page to ask on, and the same as JSON.
By default only this machine can reach it. There is no sign-in: whoever reaches the
address can ask.`,
		Example: `  ibid serve
  ibid serve --addr localhost:9090
  curl --json '{"question":"Why did it fail?"}' http://localhost:8080/api/v1/ask`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), addr) },
	}
	cmd.Flags().StringVar(&addr, "addr", "localhost:8080", "address to listen on")
	return cmd
}

func (a *app) serve(ctx context.Context, addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return hint(usagef("--addr %q is not an address", addr), "give host and port, as in localhost:8080")
	}
	asker, err := a.asker(ctx)
	if err != nil {
		return err
	}
	thinker, err := a.thinker(ctx)
	if err != nil {
		return err
	}
	ip := net.ParseIP(host)
	open := host != "localhost" && (ip == nil || !ip.IsLoopback())
	config := web.Config{
		Asker: asker, Thinker: thinker, Store: a.opened.store, AuditLog: a.opened.log, Collection: a.conf.Collection, Version: version, ModelName: a.modelName(),
		Log: slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: slog.LevelWarn})), AnyHost: open, Open: !open,
		Fetch:   func(ctx context.Context, url string) (workflow.Content, error) { return a.page(url).Open(ctx) },
		Updated: a.updateIndex, Styles: a.styles(), Sample: examples.Library(),
	}
	if files, built := ui.Files(); built {
		config.Page = files
	}
	handler, err := web.New(config)
	if err != nil {
		return err
	}
	defer handler.Close()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return hint(err, "another program may use the port; choose one with --addr")
	}
	answering, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return answering }}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		stopped <- stop(server, 8*time.Second, cut)
	}()
	_, port, _ := net.SplitHostPort(listener.Addr().String()) // port 0 lets the system choose
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

// modelName says for people who writes answers.
func (a *app) modelName() string {
	if p := a.conf.Model.Provider; p != "" && p != "extractive" {
		return p + " " + a.conf.Model.Name
	}
	return "extractive"
}
