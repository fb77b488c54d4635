package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/workflow"
)

// stream sends the events of an answer as they come: text, segment, done, and error in the place of done, or after it
// where an answer was cut. A client that went away or takes nothing in ends the request's context; the events are read to
// their end all the same, so that what it saw is recorded.
func (s *server) stream(w http.ResponseWriter, r *http.Request, events func(func(workflow.Event, error) bool)) error {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	flush := http.NewResponseController(w)
	id, gone := 0, false
	send := func(kind string, v any) error {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if gone {
			return nil
		}
		id++
		_ = flush.SetWriteDeadline(time.Now().Add(s.Patience))
		if _, err := fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", id, kind, b); err != nil {
			return err
		}
		return flush.Flush()
	}
	var so teller
	for e, err := range events {
		if err != nil {
			_, detail := s.told(r, err)
			send("error", map[string]any{"detail": detail})
			return nil
		}
		data, err := so.far(e)
		if err != nil {
			return err
		}
		gone = send(string(e.Kind), data) != nil || gone
	}
	return nil
}

// teller turns events into what a client is told. It keeps the text and passages so far, by which offsets are measured.
type teller struct {
	text     strings.Builder
	passages []ibid.Passage
}

func (t *teller) far(e workflow.Event) (any, error) {
	switch e.Kind {
	case workflow.Retrieved:
		t.passages = e.Passages
		return map[string]int{"passages": len(e.Passages)}, nil
	case workflow.Text:
		t.text.WriteString(e.Text)
		return map[string]string{"text": e.Text}, nil
	case workflow.Referred:
		return map[string]any{"at": e.Of, "refs": e.Refs}, nil
	case workflow.Decided:
		return t.segment(e)
	}
	return public(e.Answer), nil
}

// segment is written as a part of the answer is, so that a client reads the same form in the stream and in the record.
func (t *teller) segment(e workflow.Event) (any, error) {
	b, err := json.Marshal(public(ibid.Answer{Text: t.text.String(), Passages: t.passages,
		Segments: []ibid.Segment{e.Finding.Segment}, Attributions: e.Finding.Attributions, Citations: e.Citations}))
	if err != nil {
		return nil, err
	}
	var part struct {
		Segments     []json.RawMessage
		Attributions json.RawMessage
		Citations    json.RawMessage
	}
	if err := json.Unmarshal(b, &part); err != nil {
		return nil, err
	}
	return map[string]json.RawMessage{"segment": part.Segments[0], "attributions": part.Attributions, "citations": part.Citations}, nil
}
