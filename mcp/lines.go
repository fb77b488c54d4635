package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
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
	var m struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  *string         `json:"method"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	switch line = bytes.TrimSpace(line); {
	case errors.Is(err, errLong):
		code, why = -32600, fmt.Sprintf("the message is larger than %d MB", maxMessage>>20)
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		code, why = -32700, "the line is not JSON"
	case json.Unmarshal(line, &m) != nil || m.JSONRPC != "2.0" || m.Method == nil && m.Result == nil && m.Error == nil || !isID(m.ID):
		code, why = -32600, "the line is not a message of JSON-RPC 2.0"
	default:
		return nil
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why)
}

// isID reports whether a message may be named by it: a text, a number, or nothing.
func isID(id json.RawMessage) bool {
	var s string
	var n int64
	return id == nil || string(id) == "null" || json.Unmarshal(id, &s) == nil || json.Unmarshal(id, &n) == nil
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
