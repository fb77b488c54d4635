// Command agent is a small agent that keeps a ledger for real: one agent reads a file and a page of a local HTTP server,
// a second one writes a brief from what the first hands over, and the brief goes out through the gate.
//
//	go run ./examples/agent            every claim has its source: the brief is delivered
//	go run ./examples/agent -guess     the writer adds what no tool returned: the gate refuses
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/capture"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

func main() {
	library := flag.String("library", "examples/library", "folder with the sample library")
	data := flag.String("data", "", "folder of the record (default: a temporary one)")
	policy := flag.String("policy", "production", "policy of the gate")
	guess := flag.Bool("guess", false, "claim something that no tool returned")
	flag.Parse()
	err := run(context.Background(), os.Stdout, options{*library, *data, *policy, *guess})
	var refused *gate.RefusedError
	switch {
	case errors.As(err, &refused):
		os.Exit(3)
	case err != nil:
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

type options struct {
	library, data, policy string
	guess                 bool
}

func run(ctx context.Context, out io.Writer, o options) error {
	if o.data == "" {
		dir, err := os.MkdirTemp("", "ibid-agent-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.data = dir
	}
	store, err := sqlite.Open(ctx, o.data)
	if err != nil {
		return err
	}
	defer store.Close()
	log, err := store.Log(ctx, sqlite.LogConfig{})
	if err != nil {
		return err
	}
	policy, err := gate.Preset(o.policy)
	if err != nil {
		return err
	}
	address, stop, err := serve(o.library)
	if err != nil {
		return err
	}
	defer stop()

	// The ledgers: one for each agent, of one run.
	id := ibid.RunID(fmt.Sprintf("cable-brief-%d", time.Now().UnixNano()))
	reader := ledger.New(id, "reader", ledger.Config{Now: time.Now})
	writer := ledger.New(id, "writer", ledger.Config{Now: time.Now})
	found, err := read(ctx, reader, o.library, address)
	if err != nil {
		return err
	}
	if err := write(writer, found, o.guess); err != nil {
		return err
	}

	// The gate: recorded first, delivered after.
	runner := &workflow.Runner{Gate: workflow.Gate{Policy: &policy, Book: workflow.Pages(store.Update)}, Now: time.Now}
	finished, refusal := runner.Finish(ctx, reader, writer)
	if _, isRefusal := workflow.Refused(refusal); refusal != nil && !isRefusal {
		return refusal
	}
	fmt.Fprintln(out, finished.Report.Summary())
	if refusal != nil {
		fmt.Fprintf(out, "refused: %v\n", refusal)
		for _, c := range finished.Report.Uncited {
			fmt.Fprintf(out, "  no source: %s\n", c)
		}
	} else {
		deliver(out, finished.Run)
	}
	receipt, err := log.Receipt(ctx, *finished.Entry)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "log entry %d, receipt with a proof of %d hashes\n", *finished.Entry, len(receipt.Proof))
	return refusal
}

// read is the first agent. Its tools are wrapped once; from then on every call is captured where it returns.
func read(ctx context.Context, led *ledger.Ledger, library, address string) ([]ibid.Claim, error) {
	open := ledger.Capture(led, ledger.Tool{Name: "read", Category: "file", Endpoint: "file:{}"}, func(_ context.Context, name string) (string, error) {
		b, err := os.ReadFile(filepath.Join(library, name))
		return string(b), err
	})
	client := &http.Client{Transport: &capture.Transport{Ledger: led}}

	article, fromFile, err := open(ctx, "atlantic-telegraph.md")
	if err != nil {
		return nil, err
	}
	resp, err := client.Get(address + "/timeline.txt")
	if err != nil {
		return nil, err
	}
	page, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	fromPage, err := capture.Reference(resp)
	if err != nil {
		return nil, err
	}

	var claims []ibid.Claim
	for _, c := range []struct {
		text, in, quote string
		source          ibid.SourceReference
	}{
		{"The first cable was completed on 5 August 1858.", article, "completed on 5 August 1858", fromFile},
		{"It worked for about three weeks.", article, "for about three weeks", fromFile},
		{"Whitehouse was dismissed on 17 August.", string(page), "On 17 August the directors dismiss Wildman Whitehouse", fromPage},
	} {
		if !strings.Contains(c.in, c.quote) {
			continue // the source does not say so today: nothing is claimed
		}
		claim, err := led.Claim(c.text, c.source, c.quote)
		if err != nil {
			return nil, err
		}
		claims = append(claims, claim)
	}
	return claims, nil
}

// brief is what the second agent writes: a struct whose fields are claims, so that no text has to be taken apart.
type brief struct {
	Facts  []fact
	Number int `claim:"The brief rests on {} findings of the reader." exempt:"run"`
}

type fact struct {
	Text string `claim:"{}" source:"From"`
	From ibid.SourceReference
}

// write is the second agent. What it is handed keeps its chain back to the tool that returned it.
func write(led *ledger.Ledger, found []ibid.Claim, guess bool) error {
	b := brief{Number: len(found)}
	for _, c := range found {
		from, err := led.Receive(c)
		if err != nil {
			return err
		}
		b.Facts = append(b.Facts, fact{Text: "In short: " + c.Text, From: from})
	}
	if guess {
		b.Facts = append(b.Facts, fact{Text: "Nobody was to blame."})
	}
	_, err := led.Struct(b)
	return err
}

// deliver prints what the writer says, each claim with the tool that it goes back to.
func deliver(out io.Writer, run ibid.Run) {
	for _, c := range run.Claims {
		switch {
		case c.Agent != "writer":
		case c.Cited():
			first := c.Source.First()
			fmt.Fprintf(out, "  %s\n    %s, by agent %s, through %d hands\n", c.Text, first.Endpoint, first.Agent, len(ledger.Chain(c)))
		default:
			fmt.Fprintf(out, "  %s\n    needs no source: %s\n", c.Text, c.Exempt)
		}
	}
}

// serve puts the library on a local HTTP server.
func serve(folder string) (string, func(), error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(folder)), ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	return "http://" + listener.Addr().String(), func() { server.Close() }, nil
}
