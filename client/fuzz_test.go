package client_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/ibid-dev/ibid/client"
)

// line answers every request with one stream, byte by byte or as it is.
type line struct {
	body     []byte
	bytewise bool
}

func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	var body io.Reader = bytes.NewReader(l.body)
	if l.bytewise {
		body = iotest.OneByteReader(body)
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Ibid-Stream": {"s"}}, Body: io.NopCloser(body), Request: r}, nil
}

// heard are the events of a stream, up to the error that ends it.
func heard(l line) (all []client.Event, failed bool) {
	c := client.New("http://ibid.example", client.Config{HTTP: &http.Client{Transport: l}})
	for e, err := range c.AskStream(context.Background(), client.Question{Question: "When?"}) {
		if err != nil {
			return all, true
		}
		all = append(all, e)
	}
	return all, false
}

// An event has what its own lines say, and no more.
func TestEventsDoNotMix(t *testing.T) {
	got, failed := heard(line{body: []byte("data: {}\n\nid:s.1\nevent:text\ndata:[1,\ndata: 2]\n\nevent: done\n\n")})
	if want := "[{s.1 text [1,\n2]} { done }]"; failed || fmt.Sprintf("%s", got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// FuzzEvents: events are the same however the wire cuts them and whichever way its lines end, and a stream ends once it is done.
func FuzzEvents(f *testing.F) {
	f.Add("id: s.1\nevent: text\ndata: {\"text\":\"Zürich\"}\n\n: ping\n\nid: s.2\nevent: done\ndata: {}\n\n")
	f.Add("event:done\ndata:{}\n\n")
	f.Add("data: {}\n\nevent: done\ndata: a\ndata: b\n\nevent: text\n\n")
	f.Fuzz(func(t *testing.T, sent string) {
		if strings.Contains(sent, "\r") {
			return
		}
		sent += "\n\nid: s.9\nevent: done\ndata: {}\n\n" // else it is asked for again and again
		synctest.Test(t, func(t *testing.T) {
			want, failed := heard(line{body: []byte(sent)})
			if failed || len(want) == 0 || want[len(want)-1].Kind != "done" {
				t.Fatalf("%q ends with %v", sent, want)
			}
			for _, l := range []line{{[]byte(sent), true}, {[]byte(strings.ReplaceAll(sent, "\n", "\r\n")), false}} {
				if got, _ := heard(l); !reflect.DeepEqual(got, want) {
					t.Fatalf("%q:\n got %s\nwant %s", l.body, got, want)
				}
			}
		})
	})
}
