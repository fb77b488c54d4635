package capture

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ledger"
)

// Run runs a command and registers what it writes to its standard output as a source. It gives the snapshot: all of the
// output, or its first limit bytes (0 means DefaultLimit); where cmd.Stdout is set, all goes there too, as it comes. The
// name of the program is recorded, its arguments go into the hash of the query alone. A command that fails is registered
// with its exit code, and its error given; so is one whose output could not be read to its end.
func Run(l *ledger.Ledger, cmd *exec.Cmd, limit int64) ([]byte, ibid.SourceReference, error) {
	kept := newSnapshot(limit)
	if cmd.Stdout == nil {
		cmd.Stdout = kept
	} else {
		if same(cmd.Stdout, cmd.Stderr) { // exec writes to one writer in turn, and would no longer see that it is one
			one := &inTurn{w: cmd.Stdout}
			cmd.Stdout, cmd.Stderr = one, one
		}
		cmd.Stdout = io.MultiWriter(cmd.Stdout, kept)
	}
	if err := cmd.Start(); err != nil {
		return nil, ibid.SourceReference{}, err
	}
	failed := cmd.Wait()
	hash, err := ledger.HashQuery(strings.Join(cmd.Args, "\x00"))
	if err != nil {
		return nil, ibid.SourceReference{}, err
	}
	name := filepath.Base(cmd.Path)
	said := map[string]string{"exit_code": strconv.Itoa(cmd.ProcessState.ExitCode())}
	var exit *exec.ExitError
	if failed != nil && !errors.As(failed, &exit) { // not all of its output came
		said["complete"] = "false"
	}
	ref, err := kept.register(l, ibid.SourceReference{Category: "command", Tool: name, Endpoint: "exec:" + name, QueryHash: hash, Metadata: said})
	if failed != nil {
		failed = fmt.Errorf("%s: %w", name, failed)
	}
	return kept.kept.Bytes(), ref, errors.Join(failed, err)
}

// same reports whether two writers are one. Those that cannot be compared, or hold what cannot, are not.
func same(a, b io.Writer) bool {
	return a != nil && b != nil && reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// inTurn lets several write to one writer, one after the other.
type inTurn struct {
	mu sync.Mutex
	w  io.Writer
}

func (t *inTurn) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.w.Write(p)
}
