package web

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/ibid-dev/ibid/workflow"
)

// stream sends the events of an answer as they come: text, segment, done, and error in the place of done. The reader
// always gets one of the two last.
func stream(w http.ResponseWriter, events func(func(workflow.Event, error) bool)) error {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	flush := http.NewResponseController(w)
	id := 0
	send := func(kind string, v any) error {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		id++
		if _, err := fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", id, kind, b); err != nil {
			return err
		}
		return flush.Flush()
	}
	for e, err := range events {
		if err != nil {
			return send("error", map[string]any{"detail": err.Error()})
		}
		if send(string(e.Kind), payload(e)) != nil {
			return nil // the client went away
		}
	}
	return nil
}

// payload is what a client is told of an event.
func payload(e workflow.Event) any {
	switch e.Kind {
	case workflow.Retrieved:
		return map[string]int{"passages": len(e.Passages)}
	case workflow.Text:
		return map[string]string{"text": e.Text}
	case workflow.Referred:
		return map[string]any{"at": e.Of, "refs": e.Refs}
	case workflow.Decided:
		f := e.Finding
		f.Segment.Support, f.Segment.Confidence = round(f.Segment.Support), round(f.Segment.Confidence)
		numbers := []int{}
		for _, c := range e.Citations {
			numbers = append(numbers, c.Number)
		}
		return map[string]any{"segment": f.Segment, "citations": numbers}
	}
	return public(e.Answer)
}
