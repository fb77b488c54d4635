package ledger

import (
	"context"
	"fmt"
	"strings"

	"github.com/ibid-dev/ibid"
)

// Tool describes a tool to the ledger.
type Tool struct {
	Name     string
	Category string // "web_search", "database"; the name where it is empty
	// Endpoint says where it asks. {} in it stands for the query, where that is text: "file:{}". Leave it out where queries
	// hold secrets.
	Endpoint string
}

// Described is what a result can say of itself, beside its content: where it was found, its rank, its date.
type Described interface {
	Describe() (endpoint string, metadata map[string]string)
}

// Capture wraps a tool so that each call is registered where it returns: the time, the hash of what was asked, and a
// snapshot of what came back. The wrapped tool gives the result as it is, and the reference that claims made of it rest
// on. A call that fails registers nothing. Query and result are kept as they are where they are text or bytes, and as
// JSON where they are not.
func Capture[Q, R any](l *Ledger, tool Tool, f func(context.Context, Q) (R, error)) func(context.Context, Q) (R, ibid.SourceReference, error) {
	return func(ctx context.Context, query Q) (R, ibid.SourceReference, error) {
		result, err := f(ctx, query)
		if err != nil {
			return result, ibid.SourceReference{}, err
		}
		ref, err := l.capture(tool, query, result)
		if err != nil {
			return result, ibid.SourceReference{}, fmt.Errorf("tool %s: %w", tool.Name, err)
		}
		return result, ref, nil
	}
}

func (l *Ledger) capture(tool Tool, query, result any) (ibid.SourceReference, error) {
	hash, err := HashQuery(query)
	if err != nil {
		return ibid.SourceReference{}, err
	}
	snapshot, err := bytesOf(result)
	if err != nil {
		return ibid.SourceReference{}, err
	}
	ref := ibid.SourceReference{Category: tool.Category, Endpoint: tool.Endpoint, Tool: tool.Name, QueryHash: hash}
	if ref.Category == "" {
		ref.Category = tool.Name
	}
	if text, ok := query.(string); ok {
		ref.Endpoint = strings.ReplaceAll(ref.Endpoint, "{}", text)
	}
	if d, ok := result.(Described); ok {
		endpoint, metadata := d.Describe()
		ref.Metadata = metadata
		if endpoint != "" {
			ref.Endpoint = endpoint
		}
	}
	if snapshot == nil {
		snapshot = []byte{}
	}
	return l.Source(ref, snapshot)
}
