package main

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"
)

// An answer that would not end holds up the end of the server for a while, then is cut, and says its end to its reader.
func TestStopCutsWhatDoesNotEnd(t *testing.T) {
	answering, cut := context.WithCancel(t.Context())
	defer cut()
	began := make(chan bool)
	server := &http.Server{BaseContext: func(net.Listener) context.Context { return answering },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(began)
			<-r.Context().Done()
			w.WriteHeader(http.StatusTeapot)
		})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	got := make(chan int, 1)
	go func() {
		res, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			got <- 0
			return
		}
		res.Body.Close()
		got <- res.StatusCode
	}()
	<-began
	// The second wait is half of the first, and must do for a loaded machine.
	if err := stop(server, time.Second, cut); err != nil {
		t.Error(err)
	}
	if code := <-got; code != http.StatusTeapot {
		t.Errorf("the reader got %d", code)
	}
}
