package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lines lets the messages of a client through, one a line, and answers by itself what is none: the SDK would end the session
// at the first slip, with everything that is being worked on.
type lines struct {
	in   *bufio.Reader
	from io.Closer
	out  *turns
	rest []byte
}

func newLines(in io.ReadCloser, out *turns) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), from: in, out: out}
}

func (l *lines) Close() error { return l.from.Close() }

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.next()
		if fault := faultOf(line, err); fault != nil {
			if _, failed := l.out.Write(fault); failed != nil {
				return 0, failed
			}
		} else if err == nil || err == io.EOF && len(bytes.TrimSpace(line)) > 0 {
			l.rest = append(bytes.TrimSpace(line), '\n')
		}
		if err != nil && !errors.Is(err, errLong) && len(l.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

var errLong = errors.New("the line is too long")

// next reads a line. Of one that is too long nothing is kept.
func (l *lines) next() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxMessage; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil && long:
			return nil, errLong
		}
		return line, err
	}
}

// faultOf is the answer to what is no message, nil where it is one, or blank.
func faultOf(line []byte, err error) []byte {
	code, why := 0, ""
	switch line = bytes.TrimSpace(line); {
	case errors.Is(err, errLong):
		code, why = jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is larger than %d MB", maxMessage>>20)
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		code, why = jsonrpc.CodeParseError, "the line is not JSON"
	case !isMessage(line):
		code, why = jsonrpc.CodeInvalidRequest, "the line is not a message of JSON-RPC 2.0"
	default:
		return nil
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why)
}

// isMessage asks the SDK itself, which is stricter about names than encoding/json is: what it would not read ends the session.
func isMessage(line []byte) bool {
	m, err := jsonrpc.DecodeMessage(line)
	answer, ok := m.(*jsonrpc.Response)
	return err == nil && !(ok && answer.Result == nil && answer.Error == nil)
}

// turns is an output to which several write, each message whole.
type turns struct {
	mu sync.Mutex
	io.WriteCloser
}

func (t *turns) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.WriteCloser.Write(p)
}
