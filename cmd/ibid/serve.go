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

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/web"
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
  curl -d '{"question":"Why did it fail?"}' http://localhost:8080/api/v1/ask`,
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
	ip := net.ParseIP(host)
	handler, err := web.New(web.Config{
		Asker: asker, Record: titles{a.opened.store}, Collection: a.conf.Collection,
		Log: slog.New(slog.NewTextHandler(a.err, nil)), AnyHost: host != "localhost" && (ip == nil || !ip.IsLoopback()),
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return hint(err, "another program may use the port; choose one with --addr")
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	// Shutdown waits for what is being answered; ten seconds are enough for a stream to say its end.
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		stopped <- server.Shutdown(end)
	}()
	_, port, _ := net.SplitHostPort(listener.Addr().String()) // port 0 lets the system choose
	fmt.Fprintf(a.out, "serving on http://%s (Ctrl-C stops)\n", net.JoinHostPort(host, port))
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// titles gives the server what its first page lists.
type titles struct{ *sqlite.Store }

func (t titles) Titles(ctx context.Context, collection string) ([]ibid.Source, error) {
	listed, err := t.Sources(ctx, sqlite.SourceFilter{Collection: collection, Limit: 200})
	var out []ibid.Source
	for _, l := range listed {
		out = append(out, l.Source)
	}
	return out, err
}
