// Command ibid keeps the record of where answers come from.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/sqlite"
)

func main() { os.Exit(realMain()) }

// realMain is main without the exit, so that scripts in tests run the very same program.
func realMain() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // a reader that left ends what is being done, and does not kill it half done
	a := &app{
		in: os.Stdin, out: &pipe{to: os.Stdout, left: stop}, err: os.Stderr,
		env: os.Getenv, now: time.Now,
		terminal: term.IsTerminal(int(os.Stdout.Fd())),
		watched:  term.IsTerminal(int(os.Stderr.Fd())),
		width:    func() int { return max(widthOf(os.Stdout), widthOf(os.Stderr)) },
	}
	return a.run(ctx, os.Args[1:])
}

// widthOf is 0 where the file is no terminal.
func widthOf(f *os.File) int {
	w, _, _ := term.GetSize(int(f.Fd()))
	return w
}

// pipe is an output whose reader may leave, as head does. What follows is not written, and left is called. What else keeps it from
// being written is remembered: whoever prints for people does not look, and half of an output must not pass for all of it.
type pipe struct {
	to     io.Writer
	left   func()
	broken bool
	failed error // the first time
}

func (p *pipe) Write(b []byte) (int, error) {
	if p.broken {
		return len(b), nil
	}
	n, err := p.to.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		p.broken = true
		p.left()
		return len(b), nil
	}
	if p.failed == nil {
		p.failed = err
	}
	return n, err
}

// run executes one command line and gives its exit code: 0 done, 1 something failed, 2 the command line is wrong, 3 the
// gate refused, 130 interrupted, 141 the reader of the output left.
func (a *app) run(ctx context.Context, args []string) int {
	root := rootCmd(a)
	if cmd, _, err := root.Find(args); err == nil && cmd.Name() == "attribute" {
		args = sourcesApart(args)
	}
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	cmd, err := root.ExecuteContextC(ctx)
	a.close()
	var quiet exitCode
	var usage *usageError
	if p, ok := a.out.(*pipe); ok {
		if p.broken {
			return 141 // as a shell reports a program that SIGPIPE ended
		}
		if err == nil {
			err = p.failed
		}
	}
	switch {
	case err == nil:
		return 0
	case errors.As(err, &quiet):
		return int(quiet)
	case ctx.Err() != nil:
		fmt.Fprintln(a.err, "ibid: interrupted")
		return 130
	case errors.As(err, &usage):
		a.complain(err)
		return 2
	case isUsage(err):
		a.complain(hint(usageInWords(cmd, err), "%s", usageHint(cmd, err, args)))
		return 2
	}
	a.complain(err)
	return 1
}

// complain prints an error by the rule of all messages: what, where, what to do; lower case, no full stop, the hint on a
// line of its own.
func (a *app) complain(err error) {
	fmt.Fprintf(a.err, "ibid: %s\n", inWords(err))
	var h *hinted
	if errors.As(err, &h) {
		fmt.Fprintf(a.err, "  %s\n", harmless(h.hint))
	} else if errors.Is(err, syscall.ENOSPC) {
		fmt.Fprintln(a.err, "  make room, and try again; what is recorded is safe")
	} else if errors.Is(err, sqlite.ErrReadOnly) {
		fmt.Fprintln(a.err, "  work as who owns it, or on a copy: ibid backup FOLDER makes one, and --data FOLDER opens it")
	}
}

// inWords is an error for people. That the input is at fault is for programs to know: the message says what is wrong.
func inWords(err error) string {
	return harmless(wording.Of(err))
}

// exitCode ends the program with a code when all that is to be said was said.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// usageError is a command line that cannot be meant.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// isUsage recognises the errors of the flag parser, which have no type.
func isUsage(err error) bool {
	msg := err.Error()
	for _, p := range []string{"unknown command", "unknown flag", "unknown shorthand", "flag needs an argument", "invalid argument", "accepts ", "requires ", "required flag", "if any flags in the group", "at least one of the flags"} {
		if strings.HasPrefix(msg, p) {
			return true
		}
	}
	return false
}

// exclusive finds the flags in what the parser says of those that exclude each other.
var exclusive = regexp.MustCompile(`^if any flags in the group .*; \[(.*)\] were all set$`)

// lacking finds the flags in what the parser says of those that must be given.
var lacking = regexp.MustCompile(`^required flag\(s\) "(.*)" not set$`)

// malformed finds the value and the flag in what the parser says of one that it cannot read.
var malformed = regexp.MustCompile(`^invalid argument (".*") for "(?:-\w, )?(--[\w-]+)" flag: `)

// usageInWords says for people what the flag parser counts.
func usageInWords(cmd *cobra.Command, err error) error {
	msg := err.Error()
	if m := malformed.FindStringSubmatch(msg); m != nil {
		return fmt.Errorf("%s: %s is not what it takes", m[2], m[1])
	}
	if m := exclusive.FindStringSubmatch(msg); m != nil {
		return fmt.Errorf("--%s do not go together", strings.Join(strings.Fields(m[1]), " and --"))
	}
	if m := lacking.FindStringSubmatch(msg); m != nil {
		return fmt.Errorf("--%s is needed", strings.Join(strings.Split(m[1], `", "`), " and --"))
	}
	if m := mistyped.FindStringSubmatch(msg); m != nil {
		return fmt.Errorf("%s has no command %s", cmd.CommandPath(), m[1])
	}
	if strings.HasPrefix(msg, "accepts ") || strings.HasPrefix(msg, "requires ") {
		return fmt.Errorf("expected: %s", strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	}
	return err
}

// mistyped finds the word in what the parser says of one that is no command.
var mistyped = regexp.MustCompile(`^unknown command (".*?") for "`)

// usageHint says what may have been meant: a command with a name that is near, a file whose name begins as flags do.
func usageHint(cmd *cobra.Command, err error, args []string) string {
	if m := mistyped.FindStringSubmatch(err.Error()); m != nil {
		word, _ := strconv.Unquote(m[1])
		cmd.SuggestionsMinimumDistance = 2
		if near := cmd.SuggestionsFor(word); len(near) > 0 {
			return fmt.Sprintf("did you mean %s? %s --help lists all", strings.Join(near, " or "), cmd.CommandPath())
		}
	}
	if strings.HasPrefix(err.Error(), "unknown") {
		for _, arg := range args {
			if _, failed := os.Lstat(arg); failed == nil && strings.HasPrefix(arg, "-") {
				return fmt.Sprintf("the file is named as ./%s", arg)
			}
		}
	}
	return cmd.CommandPath() + " --help shows how"
}

// hinted is an error with a line that says what to do.
type hinted struct {
	err  error
	hint string
}

func (h *hinted) Error() string { return h.err.Error() }
func (h *hinted) Unwrap() error { return h.err }

func hint(err error, format string, args ...any) error {
	return &hinted{err, fmt.Sprintf(format, args...)}
}
